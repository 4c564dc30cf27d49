//! Work that is shared among threads, where there are any: with the feature `threads`, and not in WebAssembly.

/// How many threads take part of those that are wanted.
pub(crate) fn available(wanted: usize) -> usize {
    let is_alone = cfg!(any(not(feature = "threads"), target_family = "wasm"));
    if is_alone { 1 } else { wanted }
}

/// What `work` makes of each item, in order: the first on this thread, every other on one of its own.
#[cfg(all(feature = "threads", not(target_family = "wasm")))]
pub(crate) fn map<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    std::thread::scope(|scope| {
        let work = &work;
        let mut items = items.into_iter();
        let first = items.next();
        // all of them start before this thread begins its own item
        let others: Vec<_> = items.map(|item| scope.spawn(move || work(item))).collect();
        let first = first.map(work);
        let others = others.into_iter().map(|thread| match thread.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        first.into_iter().chain(others).collect()
    })
}

/// What `work` makes of each item, in order.
#[cfg(any(not(feature = "threads"), target_family = "wasm"))]
pub(crate) fn map<T, R>(items: Vec<T>, work: impl Fn(T) -> R) -> Vec<R> {
    items.into_iter().map(work).collect()
}
