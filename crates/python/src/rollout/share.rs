//! Jobs that are shared among threads: handed out in their order to whoever is free, until they are done or given up.
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use rayon::ThreadPool;

/// How long the calling thread waits before it looks after signals again.
const PERIOD: Duration = Duration::from_millis(50);

/// How far a batch came: shared by all who work on it.
pub(crate) struct Progress {
    /// The first rollout that is not wanted any more.
    limit: AtomicUsize,
    finished: AtomicUsize,
    /// The first rollout that failed.
    failure: Mutex<Option<(usize, PyErr)>>,
}

impl Progress {
    pub(crate) fn new() -> Progress {
        let (limit, finished) = (AtomicUsize::new(usize::MAX), AtomicUsize::default());
        Progress { limit, finished, failure: Mutex::default() }
    }

    /// Is the result of a rollout still wanted?
    fn wants(&self, rollout: usize) -> bool {
        rollout < self.limit.load(Ordering::Relaxed)
    }

    /// One more rollout is done.
    pub(crate) fn finish(&self) {
        self.finished.fetch_add(1, Ordering::Relaxed);
    }

    /// A rollout failed: those after it are not wanted. Jobs are handed out in order, so that those before it are done or under
    /// way, and the first failure is the same for any number of threads.
    pub(crate) fn fail(&self, rollout: usize, error: PyErr) {
        self.limit.fetch_min(rollout, Ordering::Relaxed);
        let mut failure = lock(&self.failure);
        if failure.as_ref().is_none_or(|(first, _)| rollout < *first) {
            *failure = Some((rollout, error));
        }
    }

    /// The first failure.
    pub(crate) fn outcome(self) -> PyResult<()> {
        match self.failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some((_, error)) => Err(error),
            None => Ok(()),
        }
    }
}

/// The contents of a mutex, whatever happened to who had it before.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the calling thread does now and then: it looks after signals, and tells the user how many rollouts are done.
pub(crate) struct Caller {
    callback: Option<Py<PyAny>>,
    told: usize,
}

impl Caller {
    pub(crate) fn new(callback: Option<Py<PyAny>>) -> Caller {
        Caller { callback, told: 0 }
    }

    /// Look after signals and tell; where either raises an error, nothing more is wanted.
    fn look(&mut self, progress: &Progress) -> PyResult<()> {
        let outcome = Python::attach(|py| {
            py.check_signals()?;
            self.tell(py, progress)
        });
        if outcome.is_err() {
            progress.limit.store(0, Ordering::Relaxed);
        }
        outcome
    }

    /// Tell the user what was not told yet.
    pub(crate) fn tell(&mut self, py: Python<'_>, progress: &Progress) -> PyResult<()> {
        let finished = progress.finished.load(Ordering::Relaxed);
        if let Some(callback) = &self.callback
            && finished > self.told
        {
            self.told = finished;
            callback.call1(py, (finished,))?;
        }
        Ok(())
    }
}

/// What a worker does with a job. It asks before each step whether the rollout is still wanted.
pub(crate) type Work<'a, W, J> = &'a (dyn Fn(&mut W, J, &mut dyn FnMut(usize) -> bool) + Sync);

/// Do all jobs: with one worker for each thread of the pool, or the first one on this thread.
pub(crate) fn share<W: Send, J: Send>(
    pool: Option<&ThreadPool>,
    progress: &Progress,
    caller: &mut Caller,
    mut workers: Vec<W>,
    jobs: Vec<J>,
    work: Work<'_, W, J>,
) -> PyResult<()> {
    match pool {
        Some(pool) => share_among(pool, progress, caller, workers, jobs, work),
        None => do_alone(progress, caller, &mut workers[0], jobs, work),
    }
}

fn share_among<W: Send, J: Send>(
    pool: &ThreadPool,
    progress: &Progress,
    caller: &mut Caller,
    workers: Vec<W>,
    jobs: Vec<J>,
    work: Work<'_, W, J>,
) -> PyResult<()> {
    /// Tells that a worker ended, also when it panics.
    struct End<'a>(&'a Sender<()>);
    impl Drop for End<'_> {
        fn drop(&mut self) {
            // whoever listened may be gone, and needs to know no more
            let _ = self.0.send(());
        }
    }
    let jobs = Mutex::new(jobs.into_iter());
    let workers: Vec<_> = workers.into_iter().map(Mutex::new).collect();
    let (sender, ended) = channel();
    pool.in_place_scope(|scope| {
        scope.spawn_broadcast(|_, context| {
            let _end = End(&sender);
            let mut worker = lock(&workers[context.index()]);
            loop {
                // the queue is free again before the job begins
                let Some(job) = lock(&jobs).next() else { break };
                work(&mut worker, job, &mut |rollout| progress.wants(rollout));
            }
        });
        let mut outcome = Ok(());
        let mut left = pool.current_num_threads();
        while left > 0 {
            match ended.recv_timeout(PERIOD) {
                Ok(()) => left -= 1,
                Err(RecvTimeoutError::Timeout) if outcome.is_ok() => {
                    outcome = caller.look(progress);
                }
                Err(_) => {}
            }
        }
        outcome
    })
}

fn do_alone<W, J>(
    progress: &Progress,
    caller: &mut Caller,
    worker: &mut W,
    jobs: Vec<J>,
    work: Work<'_, W, J>,
) -> PyResult<()> {
    let (mut outcome, mut clock) = (Ok(()), Clock::new());
    for job in jobs {
        work(worker, job, &mut |rollout| {
            if outcome.is_ok() && clock.is_due() {
                outcome = caller.look(progress);
            }
            progress.wants(rollout)
        });
    }
    outcome
}

/// Tells when a period is over, without a look at the time at every call: that costs as much as a small step.
struct Clock {
    last: Instant,
    /// Calls from one look to the next, and those that are left.
    calls: u32,
    left: u32,
}

impl Clock {
    fn new() -> Clock {
        Clock { last: Instant::now(), calls: 1, left: 1 }
    }

    fn is_due(&mut self) -> bool {
        self.left -= 1;
        if self.left > 0 {
            return false;
        }
        let elapsed = self.last.elapsed();
        // calls take about the same time each: look often enough, and not much more often
        if elapsed < PERIOD / 4 {
            self.calls = self.calls.saturating_mul(2);
        } else if elapsed > PERIOD {
            self.calls = (self.calls / 2).max(1);
        }
        self.left = self.calls;
        let is_due = elapsed >= PERIOD / 4;
        if is_due {
            self.last = Instant::now();
        }
        is_due
    }
}
