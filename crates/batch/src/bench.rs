//! Where the worlds of a batch are stepped: memory of each thread.
use std::sync::{Mutex, MutexGuard, PoisonError};

use ferrodyn_dynamics::OwnedWorld;
use ferrodyn_dynamics::lanes::Best;
use ferrodyn_model::Model;

/// Memory in which a thread steps worlds: one after the other, or several abreast.
#[derive(Debug)]
pub(crate) struct Bench {
    pub(crate) alone: OwnedWorld,
    pub(crate) abreast: Best,
}

impl Bench {
    pub(crate) fn new(alone: OwnedWorld) -> Bench {
        Bench { alone, abreast: Best::Alone }
    }

    /// Let worlds of the model go abreast where they can: without sleep, spatial tendons, ...
    pub(crate) fn go_abreast(&mut self, model: &Model) {
        if let Best::Alone = self.abreast {
            self.abreast = Best::of(model);
        }
    }
}

/// A bench for each thread of a pool, made when it is first needed.
#[derive(Debug)]
pub(crate) struct Benches(Vec<Mutex<Option<Bench>>>);

impl Benches {
    pub(crate) fn new(threads: usize) -> Benches {
        Benches((0..threads).map(|_| Mutex::default()).collect())
    }

    /// The bench of this thread, made anew where it is in use or was lost with a thread that panicked.
    pub(crate) fn take(&self, make: impl FnOnce() -> Bench) -> Bench {
        let idle = self.place().take();
        idle.unwrap_or_else(make)
    }

    /// Give it back.
    pub(crate) fn put(&self, bench: Bench) {
        *self.place() = Some(bench);
    }

    fn place(&self) -> MutexGuard<'_, Option<Bench>> {
        #[cfg(feature = "parallel")]
        let thread = rayon::current_thread_index().unwrap_or(0);
        #[cfg(not(feature = "parallel"))]
        let thread = 0;
        // whoever calls a batch of one thread may be a thread of another pool
        self.0[thread % self.0.len()].lock().unwrap_or_else(PoisonError::into_inner)
    }
}
