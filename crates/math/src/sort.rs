//! Sorting in place, without recursion and without memory of its own.
//!
//! None of these is stable: where two items can be equal and still differ, the order must tell them apart.

/// Insertion gives up after this many moves for each item: about what a heap takes for some hundred items.
const MOVES_PER_ITEM: usize = 8;

/// Sort by insertion while that is quick, as it is for few items and for items that are nearly in order, and as a heap otherwise.
#[inline]
pub fn sort_by<T: Copy>(items: &mut [T], less: impl Fn(&T, &T) -> bool) {
    // each item goes down to its place among those before it
    let mut moves = MOVES_PER_ITEM * items.len();
    for i in 1..items.len() {
        let item = items[i];
        let mut at = i;
        while at > 0 && less(&item, &items[at - 1]) {
            items[at] = items[at - 1];
            at -= 1;
        }
        items[at] = item;
        match moves.checked_sub(i - at) {
            Some(left) => moves = left,
            // far from any order
            None => {
                let len = items.len();
                return heap_sort(items, len, |s, i, j| less(&s[i], &s[j]), |s, i, j| s.swap(i, j));
            }
        }
    }
}

/// Sort `len` items as a heap; `less` compares the items at two places, and `swap` exchanges them.
pub fn heap_sort<S: ?Sized>(
    items: &mut S,
    len: usize,
    less: impl Fn(&S, usize, usize) -> bool,
    swap: impl Fn(&mut S, usize, usize),
) {
    // an item sinks until neither of the two below it is greater
    let sink = |items: &mut S, mut at: usize, len: usize| {
        loop {
            // the greater of the two below
            let mut below = 2 * at + 1;
            if below >= len {
                return;
            }
            if below + 1 < len && less(items, below, below + 1) {
                below += 1;
            }
            if !less(items, at, below) {
                return;
            }
            swap(items, at, below);
            at = below;
        }
    };
    // from the last item that has others below it: a heap, with the greatest on top
    for at in (0..len / 2).rev() {
        sink(items, at, len);
    }
    // the greatest goes to the end of what is left
    for last in (1..len).rev() {
        swap(items, 0, last);
        sink(items, 0, last);
    }
}

/// With fewer pairs, or fewer than one for so many counters, counting costs more than comparing.
const MIN_COUNTED: usize = 12;
const MAX_COUNTERS_PER_PAIR: usize = 4;

/// Sort pairs of numbers, each packed into one: the first number in the upper half, both less than the length of
/// `counts`. `spare` has the length of `pairs`; what was in `spare` and `counts` does not matter.
pub fn sort_pairs(pairs: &mut [u64], spare: &mut [u64], counts: &mut [u32]) {
    if pairs.len() < MIN_COUNTED || counts.len() > MAX_COUNTERS_PER_PAIR * pairs.len() {
        return sort_by(pairs, |a, b| a < b);
    }
    // by the second number first: the other pass keeps the order of those with the same first number
    distribute(pairs, spare, counts, |pair| pair as u32 as usize);
    distribute(spare, pairs, counts, |pair| (pair >> 32) as usize);
}

/// Sort by the upper halves of numbers; numbers with the same one keep their order. `spare` has the length of `keys`, and what was in it does
/// not matter.
pub fn sort_keys(keys: &mut [u64], spare: &mut [u64]) {
    // four digits of a byte each, the last one first: each pass keeps the order that those before it made
    const DIGIT: u32 = 8;
    let mut counts = [0; 1 << DIGIT];
    for pass in [32, 48] {
        let digit = |shift: u32| move |key: u64| (key >> shift) as usize & ((1 << DIGIT) - 1);
        distribute(keys, spare, &mut counts, digit(pass));
        distribute(spare, keys, &mut counts, digit(pass + DIGIT));
    }
}

/// Copy numbers in the order of a digit, those with the same digit in the order they have.
#[inline]
fn distribute(from: &[u64], to: &mut [u64], counts: &mut [u32], digit: impl Fn(u64) -> usize) {
    // how often each digit occurs
    counts.fill(0);
    for &item in from {
        counts[digit(item)] += 1;
    }
    // from how many there are to where they begin
    let mut begin = 0;
    for count in counts.iter_mut() {
        begin += core::mem::replace(count, begin);
    }
    // in order, so that equal digits keep theirs
    for &item in from {
        let place = &mut counts[digit(item)];
        to[*place as usize] = item;
        *place += 1;
    }
}

#[cfg(test)]
mod tests {
    use alloc::{vec, vec::Vec};

    use super::*;

    /// Numbers below a limit, without pattern.
    fn numbers(count: usize, limit: u64) -> Vec<u64> {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % limit
        };
        (0..count).map(|_| next()).collect()
    }

    /// Without pattern, nearly in order, in order, backwards, all the same.
    fn cases(count: usize) -> [Vec<u64>; 5] {
        let mixed = numbers(count, 1000);
        let mut ascending = mixed.clone();
        ascending.sort_unstable();
        let mut nearly = ascending.clone();
        if count > 3 {
            nearly.swap(1, 3);
        }
        let mut descending = ascending.clone();
        descending.reverse();
        [mixed, nearly, ascending, descending, vec![7; count]]
    }

    #[test]
    fn keys_are_in_the_order_of_their_upper_halves() {
        for count in [0, 1, 2, 33, 500] {
            // few upper halves, so that many are the same; lower halves out of order
            let halves = numbers(2 * count, 1 << 31);
            let mut keys: Vec<u64> = halves
                .chunks(2)
                .map(|pair| (((pair[0] >> 27) * 0x0102_0304) << 32) | pair[1])
                .collect();
            let mut expected = keys.clone();
            expected.sort_by_key(|key| key >> 32);
            sort_keys(&mut keys, &mut vec![9; count]);
            assert_eq!(keys, expected);
        }
    }

    #[test]
    fn items_are_in_order() {
        for count in [0, 1, 2, 3, 10, 33, 500] {
            for case in cases(count) {
                let mut expected = case.clone();
                expected.sort_unstable();
                let mut found = case.clone();
                sort_by(&mut found, |a, b| a < b);
                assert_eq!(found, expected);
                let mut found = case;
                heap_sort(&mut found[..], count, |s, i, j| s[i] < s[j], |s, i, j| s.swap(i, j));
                assert_eq!(found, expected);
            }
        }
    }

    #[test]
    fn pairs_are_in_order_of_the_first_and_then_of_the_second() {
        for (count, limit) in [(0, 1), (5, 3), (31, 40), (32, 40), (400, 30), (400, 5000)] {
            let second = numbers(count, limit);
            let first = numbers(count + 1, limit);
            let mut pairs: Vec<u64> =
                second.iter().zip(&first[1..]).map(|(b, a)| a << 32 | b).collect();
            let mut expected = pairs.clone();
            expected.sort_unstable();
            let mut spare = vec![9; count];
            let mut counts = vec![9; limit as usize];
            sort_pairs(&mut pairs, &mut spare, &mut counts);
            assert_eq!(pairs, expected, "{count} below {limit}");
        }
    }
}
