//! Halton's sequence: points that fill an interval evenly, however many are taken. Sequences in bases without common
//! factors, one for each axis, fill a box.
use crate::Real;

/// An element of Halton's sequence with a base: the digits `dₖ` of the index, mirrored at the point,
/// `Σ dₖ base^(-k-1)`. Zero for an index that is not positive, and for a base that has no digits
/// (-1, 0 and 1). MuJoCo: `mju_Halton`.
///
/// ```
/// assert_eq!([1, 2, 3].map(|i| ferrodyn_math::halton(i, 2)), [0.5, 0.25, 0.75]);
/// ```
pub fn halton(index: i32, base: i32) -> Real {
    if (-1..=1).contains(&base) {
        return 0.0;
    }
    let b = base as Real;
    // digits from the last; the last one weighs most
    let (mut n, mut f, mut sum) = (index, 1.0 / b, 0.0);
    while n > 0 {
        sum += f * (n % base) as Real;
        f /= b;
        n /= base;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bases_without_digits_give_zero() {
        assert_eq!([-1, 0, 1].map(|base| halton(5, base)), [0.0; 3]);
        assert_eq!(halton(-3, 2), 0.0);
        assert_eq!(halton(i32::MAX, 10), 0.746_384_741_2);
    }
}
