//! Teams whose lanes run in other orders than a loop. A stage that depends on the order has other bits with them.
use std::cell::Cell;

use ferrodyn::math::{Alone, Real, Team};

/// Lanes run from the last to the first.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reversed;

impl Team for Reversed {
    fn each(&self, n: usize, f: impl FnMut(usize)) {
        (0..n).rev().for_each(f);
    }

    fn sums<const N: usize>(
        &self,
        start: [Real; N],
        n: usize,
        f: impl Fn(usize) -> [Real; N],
    ) -> [Real; N] {
        sums_in((0..n).rev(), start, n, f)
    }

    fn once<R: Copy>(&self, f: impl FnOnce() -> R) -> R {
        f()
    }

    fn any(&self, n: usize, f: impl Fn(usize) -> bool) -> bool {
        any_in((0..n).rev(), f)
    }

    fn filter(&self, n: usize, kept: &mut [i32], f: impl Fn(usize) -> bool) -> usize {
        filter_in((0..n).rev(), n, kept, f)
    }
}

/// Lanes run in an order without a pattern, another one for each verb.
#[derive(Clone, Debug, Default)]
pub struct Shuffled {
    verbs: Cell<u64>,
}

impl Shuffled {
    fn order(&self, n: usize) -> impl Iterator<Item = usize> {
        let mut order: Vec<usize> = (0..n).collect();
        // splitmix64, begun anew for each verb; exchange every element with one up to it
        let mut seed = self.verbs.replace(self.verbs.get() + 1).wrapping_mul(0xd134_2543_de82_ef95);
        for i in (1..n).rev() {
            seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (seed ^ (seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            order.swap(i, (mixed >> 32) as usize % (i + 1));
        }
        order.into_iter()
    }
}

impl Team for Shuffled {
    fn each(&self, n: usize, f: impl FnMut(usize)) {
        self.order(n).for_each(f);
    }

    fn sums<const N: usize>(
        &self,
        start: [Real; N],
        n: usize,
        f: impl Fn(usize) -> [Real; N],
    ) -> [Real; N] {
        sums_in(self.order(n), start, n, f)
    }

    fn once<R: Copy>(&self, f: impl FnOnce() -> R) -> R {
        f()
    }

    fn any(&self, n: usize, f: impl Fn(usize) -> bool) -> bool {
        any_in(self.order(n), f)
    }

    fn filter(&self, n: usize, kept: &mut [i32], f: impl Fn(usize) -> bool) -> usize {
        filter_in(self.order(n), n, kept, f)
    }
}

/// Terms are computed in an order, and added in theirs.
fn sums_in<const N: usize>(
    order: impl Iterator<Item = usize>,
    start: [Real; N],
    n: usize,
    f: impl Fn(usize) -> [Real; N],
) -> [Real; N] {
    let mut terms = vec![[0.0; N]; n];
    order.for_each(|i| terms[i] = f(i));
    Alone.sums(start, n, |i| terms[i])
}

/// Every lane is asked, as on a GPU.
fn any_in(order: impl Iterator<Item = usize>, f: impl Fn(usize) -> bool) -> bool {
    let holds: Vec<bool> = order.map(f).collect();
    holds.contains(&true)
}

/// All are asked before the first one is put down.
fn filter_in(
    order: impl Iterator<Item = usize>,
    n: usize,
    kept: &mut [i32],
    f: impl Fn(usize) -> bool,
) -> usize {
    let mut holds = vec![false; n];
    order.for_each(|i| holds[i] = f(i));
    Alone.filter(n, kept, |i| holds[i])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The order in which a team comes to eight places.
    fn order(t: &impl Team) -> Vec<usize> {
        let mut order = Vec::new();
        t.each(8, |i| order.push(i));
        order
    }

    #[test]
    fn lanes_run_in_other_orders() {
        assert_eq!(order(&Reversed), [7, 6, 5, 4, 3, 2, 1, 0]);
        let shuffled = Shuffled::default();
        let (first, second) = (order(&shuffled), order(&shuffled));
        assert!(first != second && !first.is_sorted() && !second.is_sorted());
        for mut order in [first, second] {
            order.sort();
            assert!(order.into_iter().eq(0..8));
        }
    }

    #[test]
    fn values_of_verbs_do_not_depend_on_the_order() {
        fn values(t: &impl Team) -> ([Real; 1], bool, usize, [i32; 3]) {
            // large terms among small ones: another order of the sum has other digits
            let term = |i: usize| if i.is_multiple_of(3) { 1e17 } else { -0.7 * i as Real };
            let mut kept = [0; 3];
            let count = t.filter(9, &mut kept, |i| i % 2 == 1);
            (t.sums([0.3], 9, |i| [term(i)]), t.any(9, |i| i == 4), count, kept)
        }
        assert_eq!(values(&Alone), values(&Reversed));
        assert_eq!(values(&Alone), values(&Shuffled::default()));
        assert_eq!((values(&Alone).2, values(&Alone).3), (4, [1, 3, 5]));
    }
}
