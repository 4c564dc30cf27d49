//! Lanes that work on one world together: a warp of a GPU, or a plain loop.
//!
//! A stage that takes a [`Team`] is run by all lanes of it at once. What stands outside of verbs every lane does for itself, with the
//! same numbers and so the same result: locals, loops, decisions. Memory that lanes share (the arrays of a world, temporary slices)
//! is *written inside verbs only*, each element by one lane, and read anywhere. A verb begins when all lanes have come to it and ends
//! when all of them are through, so that what it wrote is there for whatever follows, and nobody still reads what it overwrites.
//!
//! ```text
//!                     lane 0    lane 1    lane 2    lane 3
//!   let n = a.len();    n         n         n         n        every lane for itself
//!   t.each(n, ...)      0         1         2         3        all wait before the verb
//!                       4         5         6         7
//!                       8         9                            all wait after it
//!   let x = a[9];       x         x         x         x        what lane 1 wrote is there
//! ```
//!
//! Rules of such a stage:
//!
//! - Closures write elements of slices, never locals around them: a lane would change its own copy alone. What comes out of a verb is its
//!   value.
//! - Inside [`each`](Team::each), no lane reads what another one writes in the same call.
//! - Verbs do not nest, and all lanes come to the same verbs in the same order. So decisions between verbs depend on shared memory and on
//!   values of verbs, which are the same for all.
//! - Temporary slices are taken outside of verbs: all lanes then have the same ones. Memory is set inside verbs.
//!
//! Stages are being written for teams one after the other; tests run them with lanes in reversed and shuffled order.
//!
//! An element has one owner, who computes it as the plain stage does, and sums keep the order of a loop. So results do not depend on the
//! number of lanes and the order in which they run: [`Alone`], one lane, is the plain loop with its bits.
//!
//! ```
//! use ferrodyn_math::{Alone, Real, Team};
//!
//! /// `y = M x`, a row for each lane; returns `xᵀ y`.
//! fn product(t: &impl Team, matrix: &[[Real; 3]; 3], x: &[Real], y: &mut [Real]) -> Real {
//!     t.each(3, |i| y[i] = matrix[i][0] * x[0] + matrix[i][1] * x[1] + matrix[i][2] * x[2]);
//!     t.sum(3, |i| x[i] * y[i])
//! }
//!
//! let mut y = [0.0; 3];
//! let form = product(&Alone, &[[2.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 4.0]], &[1.0, 2.0, 3.0], &mut y);
//! assert_eq!((form, y), (50.0, [2.0, 6.0, 12.0]));
//! ```
use crate::Real;

/// Lanes that run the same code on the same world, and the verbs by which they share the work: see the [module](self).
pub trait Team {
    /// Every `i` below `n`, by one lane, in no order.
    fn each(&self, n: usize, f: impl FnMut(usize));

    /// Sums over `i` below `n`, added to `start` one after the other in the order of `i`. All lanes have the result. A build that gives up
    /// the bits of the plain loop may add in another order.
    fn sums<const N: usize>(
        &self,
        start: [Real; N],
        n: usize,
        f: impl Fn(usize) -> [Real; N],
    ) -> [Real; N];

    /// The sum over `i` below `n`, in the order of `i`.
    #[inline]
    fn sum(&self, n: usize, f: impl Fn(usize) -> Real) -> Real {
        self.sums([0.0], n, |i| [f(i)])[0]
    }

    /// What one lane does alone; all lanes have its value, which is plain data, or holds references to shared memory.
    fn once<R: Copy>(&self, f: impl FnOnce() -> R) -> R;

    /// Is it true of any `i` below `n`?
    fn any(&self, n: usize, f: impl Fn(usize) -> bool) -> bool;

    /// The `i` below `n` of which it is true, in ascending order; returns how many there are. Those for which `kept` has no room are
    /// counted only.
    fn filter(&self, n: usize, kept: &mut [i32], f: impl Fn(usize) -> bool) -> usize;
}

/// A team of one lane: verbs are plain loops.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone;

impl Team for Alone {
    #[inline(always)]
    fn each(&self, n: usize, f: impl FnMut(usize)) {
        (0..n).for_each(f);
    }

    #[inline(always)]
    fn sums<const N: usize>(
        &self,
        start: [Real; N],
        n: usize,
        f: impl Fn(usize) -> [Real; N],
    ) -> [Real; N] {
        let mut sums = start;
        for i in 0..n {
            for (sum, x) in sums.iter_mut().zip(f(i)) {
                *sum += x;
            }
        }
        sums
    }

    #[inline(always)]
    fn once<R: Copy>(&self, f: impl FnOnce() -> R) -> R {
        f()
    }

    #[inline(always)]
    fn any(&self, n: usize, f: impl Fn(usize) -> bool) -> bool {
        (0..n).any(f)
    }

    #[inline(always)]
    fn filter(&self, n: usize, kept: &mut [i32], f: impl Fn(usize) -> bool) -> usize {
        let mut count = 0;
        for i in (0..n).filter(|i| f(*i)) {
            if let Some(place) = kept.get_mut(count) {
                *place = i as i32;
            }
            count += 1;
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_begin_at_their_start_and_keep_the_order() {
        // 1e17 + 1 - 1e17 + ... loses every one that is added while the sum is large
        let terms: [Real; 4] = [1.0, 1e17, 1.0, -1e17];
        assert_eq!(Alone.sum(4, |i| terms[i]), 0.0);
        assert_eq!(Alone.sums([1.0, -1e17], 4, |i| [0.5, terms[i]]), [3.0, -1e17]);
    }

    #[test]
    fn a_filter_counts_what_has_no_room() {
        let mut kept = [7; 3];
        assert_eq!(Alone.filter(10, &mut kept, |i| i % 2 == 1), 5);
        assert_eq!(kept, [1, 3, 5]);
        assert_eq!(Alone.filter(3, &mut kept, |i| i == 2), 1);
        assert_eq!(kept, [2, 3, 5]);
    }
}
