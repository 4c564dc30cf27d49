//! Puts the element of a given rank in its place, smaller ones before it, others after it.
//!
//! Places within a tolerance count as equal, and centres of degenerate faces are not numbers, so that
//! the order need not be consistent: the halves then depend on the steps of the algorithm, and these are the steps of the standard
//! library that MuJoCo is built with. Scans that run off the range end there.

/// Ranges up to this are sorted: that library's limit.
const SMALL: usize = 7;

/// Partially sorts `items` so that the one at `nth` is where a sort would put it.
pub(super) fn select_nth<T>(items: &mut [T], nth: usize, less: &impl Fn(&T, &T) -> bool) {
    let (mut first, mut last) = (0, items.len());
    while nth < last {
        let count = last - first;
        if count <= SMALL {
            sort_small(&mut items[first..last], less);
            return;
        }
        // the median of three is the pivot; the smallest of them is first, and stops the scan from the right
        let middle = first + count / 2;
        let mut swapped = sort3(items, [first, middle, last - 1], less);
        let mut pivot = middle;
        let mut i = first;
        let mut j = last - 1;

        // nothing is known to be smaller than the pivot: look for something that is
        if !less(&items[i], &items[pivot]) {
            j -= 1;
            while j != i && !less(&items[j], &items[pivot]) {
                j -= 1;
            }
            if j == i {
                // all are at least the first: separate those that are equal to it
                let Some(start) = split_off_equal(items, first, last, less) else { return };
                if nth < start {
                    return;
                }
                first = start;
                continue;
            }
            items.swap(i, j);
            swapped = true;
        }

        // partition around the pivot
        i += 1;
        if i < j {
            loop {
                // from the left to one that is not smaller, from the right to one that is; exchange them
                while i < last && less(&items[i], &items[pivot]) {
                    i += 1;
                }
                j -= 1;
                while j > first && !less(&items[j], &items[pivot]) {
                    j -= 1;
                }
                if i >= j {
                    break;
                }
                items.swap(i, j);
                swapped = true;
                // the pivot itself was moved
                if pivot == i {
                    pivot = j;
                }
                i += 1;
            }
        }
        if i >= last {
            return;
        }
        // the pivot goes between both parts
        if i != pivot && less(&items[pivot], &items[i]) {
            items.swap(i, pivot);
            swapped = true;
        }
        if nth == i {
            return;
        }
        // nothing was moved: the part may be in order already
        let part = if nth < i { first..i } else { i..last };
        if !swapped && items[part].is_sorted_by(|a, b| !less(b, a)) {
            return;
        }
        // go on in the part with the place that is asked for
        if nth < i {
            last = i;
        } else {
            first = i + 1;
        }
    }
}

/// Moves what equals the first element to the front; returns where the others start, none if there
/// are no others.
fn split_off_equal<T>(
    items: &mut [T],
    first: usize,
    last: usize,
    less: &impl Fn(&T, &T) -> bool,
) -> Option<usize> {
    let mut i = first + 1;
    let mut j = last - 1;
    // the last one equals the first: find one that does not
    if !less(&items[first], &items[j]) {
        while i != j && !less(&items[first], &items[i]) {
            i += 1;
        }
        if i == j {
            return None;
        }
        items.swap(i, j);
        i += 1;
    }
    if i == j {
        return None;
    }
    // those that equal the first to the left, others to the right
    loop {
        while i < last && !less(&items[first], &items[i]) {
            i += 1;
        }
        j -= 1;
        while j > first && less(&items[first], &items[j]) {
            j -= 1;
        }
        if i >= j {
            return Some(i);
        }
        items.swap(i, j);
        i += 1;
    }
}

/// Sorts a few elements: an exchange, the three of [`sort3`], or by selection.
fn sort_small<T>(items: &mut [T], less: &impl Fn(&T, &T) -> bool) {
    match items.len() {
        0 | 1 => {}
        2 => {
            if less(&items[1], &items[0]) {
                items.swap(0, 1);
            }
        }
        3 => {
            sort3(items, [0, 1, 2], less);
        }
        count => {
            for i in 0..count - 1 {
                let mut smallest = i;
                for k in i + 1..count {
                    if less(&items[k], &items[smallest]) {
                        smallest = k;
                    }
                }
                items.swap(i, smallest);
            }
        }
    }
}

/// Sorts three elements; returns whether any was moved.
fn sort3<T>(items: &mut [T], [x, y, z]: [usize; 3], less: &impl Fn(&T, &T) -> bool) -> bool {
    if !less(&items[y], &items[x]) {
        // x ≤ y ≤ z
        if !less(&items[z], &items[y]) {
            return false;
        }
        // x ≤ y, z < y
        items.swap(y, z);
        if less(&items[y], &items[x]) {
            items.swap(x, y);
        }
        return true;
    }
    // z < y < x
    if less(&items[z], &items[y]) {
        items.swap(x, z);
        return true;
    }
    // y < x, y ≤ z
    items.swap(x, y);
    if less(&items[z], &items[y]) {
        items.swap(y, z);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pseudo-random numbers.
    fn numbers(count: usize, modulus: u64) -> Vec<u64> {
        let mut state = 88_172_645_463_325_252u64;
        let next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state % modulus
        };
        core::iter::repeat_with(next).take(count).collect()
    }

    #[test]
    fn the_nth_element_is_that_of_a_sort() {
        for count in 1..60 {
            for modulus in [1, 2, 5, 1000] {
                let mut sorted = numbers(count, modulus);
                sorted.sort_unstable();
                for nth in 0..count {
                    let mut items = numbers(count, modulus);
                    select_nth(&mut items, nth, &|a, b| a < b);
                    assert_eq!(items[nth], sorted[nth]);
                    assert!(items[..nth].iter().all(|x| x <= &items[nth]));
                    assert!(items[nth..].iter().all(|x| x >= &items[nth]));
                }
            }
        }
    }

    #[test]
    fn any_comparison_ends() {
        for count in 1..80 {
            for seed in 1..20 {
                let mut items = numbers(count, 100);
                let less = |a: &u64, b: &u64| (a * 7919 + b * 104_729 + seed).is_multiple_of(3);
                select_nth(&mut items, count / 2, &less);
                items.sort_unstable();
                let mut expected = numbers(count, 100);
                expected.sort_unstable();
                assert_eq!(items, expected);
            }
        }
    }
}
