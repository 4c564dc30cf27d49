//! Threads that share the work.
use std::sync::atomic::{AtomicBool, Ordering};
#[cfg(feature = "parallel")]
use std::sync::{Condvar, Mutex, PoisonError};
#[cfg(feature = "parallel")]
use std::time::Duration;

use crate::BatchError;

/// How often a thread that waits for others looks up.
#[cfg(feature = "parallel")]
const WATCH: Duration = Duration::from_millis(50);

/// Who is asked whether the work shall go on, and those who do it are told by.
pub(crate) struct Watch<'a> {
    pub(crate) go_on: &'a mut dyn FnMut() -> bool,
    pub(crate) stop: &'a AtomicBool,
}

impl Watch<'_> {
    /// Ask, and tell.
    pub(crate) fn look(&mut self) {
        if !(self.go_on)() {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

/// Threads that live as long as what uses them; none where one is enough.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    #[cfg(feature = "parallel")]
    own: Option<rayon::ThreadPool>,
}

impl Pool {
    /// So many threads; zero for as many as there are cores. Without the feature `parallel` there is one.
    pub(crate) fn new(threads: usize) -> Result<Pool, BatchError> {
        #[cfg(feature = "parallel")]
        {
            let cores = || std::thread::available_parallelism().map_or(1, usize::from);
            let threads = if threads == 0 { cores() } else { threads };
            if threads == 1 {
                return Ok(Pool::default());
            }
            let own = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .thread_name(|i| format!("ferrodyn-{i}"))
                .build()
                .map_err(|error| BatchError::Threads(error.to_string()))?;
            Ok(Pool { own: Some(own) })
        }
        #[cfg(not(feature = "parallel"))]
        {
            let _ = threads;
            Ok(Pool::default())
        }
    }

    /// How many there are.
    pub(crate) fn threads(&self) -> usize {
        #[cfg(feature = "parallel")]
        return self.own.as_ref().map_or(1, rayon::ThreadPool::current_num_threads);
        #[cfg(not(feature = "parallel"))]
        1
    }

    /// Do something on these threads; one thread alone is that of the caller.
    pub(crate) fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        #[cfg(feature = "parallel")]
        if let Some(pool) = &self.own {
            return pool.install(work);
        }
        work()
    }

    /// As [`Pool::run`], on threads other than that of the caller, who looks up every now and then. Only where there are some.
    #[cfg(feature = "parallel")]
    pub(crate) fn run_watched(&self, watch: &mut Watch<'_>, work: impl FnOnce() + Send) {
        let Some(pool) = &self.own else { return work() };
        let end = End::default();
        pool.in_place_scope(|scope| {
            scope.spawn(|_| {
                // told when this is dropped, also where the work panics
                let _told = Told(&end);
                work();
            });
            while !end.wait() {
                watch.look();
            }
        });
    }
}

/// The end of some work.
#[cfg(feature = "parallel")]
#[derive(Default)]
struct End {
    is_here: Mutex<bool>,
    news: Condvar,
}

#[cfg(feature = "parallel")]
impl End {
    /// Wait for it, but not too long. Is it here?
    fn wait(&self) -> bool {
        let guard = self.is_here.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.news.wait_timeout_while(guard, WATCH, |is_here| !*is_here);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }
}

/// Tells that the end is here.
#[cfg(feature = "parallel")]
struct Told<'a>(&'a End);

#[cfg(feature = "parallel")]
impl Drop for Told<'_> {
    fn drop(&mut self) {
        *self.0.is_here.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.0.news.notify_one();
    }
}

/// Do both, at the same time where the pool that runs this has a thread for it.
pub(crate) fn both(a: impl FnOnce() + Send, b: impl FnOnce() + Send) {
    #[cfg(feature = "parallel")]
    rayon::join(a, b);
    #[cfg(not(feature = "parallel"))]
    {
        a();
        b();
    }
}
