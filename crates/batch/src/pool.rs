//! Threads that share the work.
use crate::BatchError;

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
