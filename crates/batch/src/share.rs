//! Worlds and their rows, shared out among threads.
use std::sync::atomic::{AtomicBool, Ordering};

use ferrodyn_dynamics::data::{WorldOfMany, WorldsMut};

use crate::output::{BatchOutputs, Sizes};
use crate::pool::{Pool, Watch, both};

/// How many worlds one thread steps before it looks up: whole groups, and so few that they take a moment.
const TURN: usize = 32;

/// Some of the worlds of a batch, one after the other, with everything that is theirs.
#[derive(Debug)]
pub(crate) struct Part<'a> {
    /// Number of the first one.
    pub(crate) first: usize,
    pub(crate) worlds: WorldsMut<'a>,
    pub(crate) rows: BatchOutputs<'a>,
    /// Lengths of these rows.
    pub(crate) sizes: Sizes,
    /// Whether a world is to be reset by the next call.
    pub(crate) pending: &'a mut [bool],
}

/// One world of a batch, with everything that is its own.
#[derive(Debug)]
pub(crate) struct One<'a> {
    pub(crate) index: usize,
    pub(crate) world: WorldOfMany<'a>,
    pub(crate) rows: BatchOutputs<'a>,
    pub(crate) pending: &'a mut bool,
}

impl<'a> Part<'a> {
    fn split_at(self, count: usize) -> (Part<'a>, Part<'a>) {
        let Part { first, sizes, .. } = self;
        let (worlds, other_worlds) = self.worlds.split_at(count);
        let (rows, other_rows) = self.rows.split_at(count, &sizes);
        let (pending, other_pending) = self.pending.split_at_mut(count);
        (
            Part { first, worlds, rows, sizes, pending },
            Part {
                first: first + count,
                worlds: other_worlds,
                rows: other_rows,
                sizes,
                pending: other_pending,
            },
        )
    }

    /// Cut the worlds in parts, and do something with every part, on all threads of a pool. Which thread takes which part is left to chance, and
    /// makes no difference: worlds and their rows are all that `work` is given.
    pub(crate) fn share(self, pool: &Pool, work: &(impl Fn(Part<'_>) + Sync)) {
        let (count, threads) = (self.worlds.len(), pool.threads());
        // eight parts for each thread: when one runs out of work, another one has some to give
        let grain = if threads == 1 { count } else { count.div_ceil(8 * threads) };
        pool.run(|| self.halve(grain, work));
    }

    /// As [`Part::share`], for somebody who asks between times whether the work shall go on.
    pub(crate) fn share_watched(
        self,
        pool: &Pool,
        watch: &mut Watch<'_>,
        work: &(impl Fn(Part<'_>) + Sync),
    ) {
        #[cfg(feature = "parallel")]
        if pool.threads() > 1 {
            let grain = self.worlds.len().div_ceil(8 * pool.threads());
            return pool.run_watched(watch, || self.halve(grain, work));
        }
        // one thread works and looks up by turns, between whole groups
        let mut rest = self;
        while rest.len() > 0 && !watch.stop.load(Ordering::Relaxed) {
            let count = rest.len().min(TURN);
            let (next, others) = rest.split_at(count);
            pool.run(|| work(next));
            rest = others;
            watch.look();
        }
    }

    fn halve(self, grain: usize, work: &(impl Fn(Part<'_>) + Sync)) {
        let count = self.worlds.len();
        if count <= grain {
            work(self);
        } else {
            let (a, b) = self.split_at(count / 2);
            both(|| a.halve(grain, work), || b.halve(grain, work));
        }
    }

    /// How many worlds they are.
    pub(crate) fn len(&self) -> usize {
        self.pending.len()
    }

    /// One of them.
    pub(crate) fn one(&mut self, i: usize) -> One<'_> {
        let (world, rows) = (self.worlds.world(i), self.rows.row(i, &self.sizes));
        One { index: self.first + i, world, rows, pending: &mut self.pending[i] }
    }

    /// Do something with one world after the other, until somebody says stop.
    pub(crate) fn each(mut self, stop: &AtomicBool, mut work: impl FnMut(One<'_>)) {
        (0..self.len())
            .take_while(|_| !stop.load(Ordering::Relaxed))
            .for_each(|i| work(self.one(i)));
    }
}
