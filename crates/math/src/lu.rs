//! Dense LU factorization in place, with partial pivoting: for matrices that are not symmetric.
use crate::Real;

/// A pivot smaller than this counts as zero. Far below what rounding leaves of a matrix of ordinary numbers, so that
/// only matrices that are singular as they are written are refused.
const SMALLEST_PIVOT: Real = 1e-30;

/// The matrix is singular: no row below this column has a pivot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LuError {
    /// Column without a pivot.
    pub column: usize,
}

impl core::fmt::Display for LuError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "matrix is singular (no pivot in column {})", self.column)
    }
}

impl core::error::Error for LuError {}

/// Factor the `n`×`n` row-major matrix, `n` being the length of `pivots`, as `P A = L U`: `U` and, below its diagonal, `L`
/// without its ones are written over the matrix, and `pivots[k]` is the row that step `k` exchanged with row `k`.
///
/// Nothing is allocated.
///
/// ```
/// use ferrodyn_math::{lu_factor_in_place, lu_solve_factored};
/// // the first pivot is zero: rows are exchanged
/// let mut a = [0.0, 2.0, 4.0, 1.0];
/// let mut pivots = [0; 2];
/// lu_factor_in_place(&mut a, &mut pivots)?;
/// let mut x = [2.0, 9.0];
/// lu_solve_factored(&a, &pivots, &mut x);
/// assert_eq!(x, [2.0, 1.0]);
/// # Ok::<(), ferrodyn_math::LuError>(())
/// ```
pub fn lu_factor_in_place(a: &mut [Real], pivots: &mut [usize]) -> Result<(), LuError> {
    let n = pivots.len();
    for k in 0..n {
        // the row with the largest number in this column; NaN is never larger
        let mut best = k;
        for i in k + 1..n {
            if a[i * n + k].abs() > a[best * n + k].abs() {
                best = i;
            }
        }
        let size = a[best * n + k].abs();
        // written so that NaN fails too
        if size.partial_cmp(&SMALLEST_PIVOT) != Some(core::cmp::Ordering::Greater) {
            return Err(LuError { column: k });
        }
        pivots[k] = best;
        // rows are exchanged whole, those of L too
        if best != k {
            for j in 0..n {
                a.swap(k * n + j, best * n + j);
            }
        }
        // subtract multiples of the pivot row from all rows below
        for i in k + 1..n {
            let factor = a[i * n + k] / a[k * n + k];
            a[i * n + k] = factor;
            for j in k + 1..n {
                a[i * n + j] -= factor * a[k * n + j];
            }
        }
    }
    Ok(())
}

/// Solve `A x = b` in place, `x` holding `b` on entry; `a` and `pivots` are what [`lu_factor_in_place`] left. It can be called
/// for any number of right-hand sides.
pub fn lu_solve_factored(a: &[Real], pivots: &[usize], x: &mut [Real]) {
    // the exchanges of rows, in the order in which they were made
    let n = pivots.len();
    for (k, pivot) in pivots.iter().enumerate() {
        x.swap(k, *pivot);
    }
    // L y = P b
    for i in 0..n {
        for j in 0..i {
            x[i] -= a[i * n + j] * x[j];
        }
    }
    // U x = y
    for i in (0..n).rev() {
        for j in i + 1..n {
            x[i] -= a[i * n + j] * x[j];
        }
        x[i] /= a[i * n + i];
    }
}

#[cfg(all(test, not(feature = "f32")))]
mod tests {
    extern crate std;
    use std::vec;
    use std::vec::Vec;

    use nalgebra::{DMatrix, DVector};

    use super::*;

    #[test]
    fn solution_agrees_with_a_reference_factorization() {
        for n in [1usize, 2, 3, 5, 10, 20] {
            // neither symmetric nor dominant: zeros on the diagonal make rows change places
            let entry = |i: usize, j: usize| {
                if i == j { 0.0 } else { ((3 * i + 7 * j + 1) as f64).sin() }
            };
            let a = DMatrix::from_fn(n, n, |i, j| entry(i, j) + f64::from(u8::from(n == 1)));
            let expected = DVector::from_fn(n, |i, _| (i as f64).cos());
            let b = &a * &expected;
            let mut mat: Vec<f64> = a.transpose().as_slice().to_vec();
            let (mut pivots, mut x) = (vec![0; n], b.as_slice().to_vec());
            lu_factor_in_place(&mut mat, &mut pivots).unwrap();
            lu_solve_factored(&mat, &pivots, &mut x);
            let residual = (&a * DVector::from_vec(x.clone()) - &b).norm();
            assert!(residual <= 1e-12 * b.norm(), "n = {n}: {residual}");
            let reference = a.lu().solve(&b).unwrap();
            let distance = (DVector::from_vec(x) - &reference).norm();
            assert!(distance <= 1e-9 * reference.norm(), "n = {n}: {distance}");
        }
    }

    #[test]
    fn singular_and_nan_matrices_name_the_column() {
        let fails = |mut a: [f64; 4]| lu_factor_in_place(&mut a, &mut [0; 2]).map_err(|e| e.column);
        assert_eq!(fails([1.0, 2.0, 2.0, 4.0]), Err(1));
        assert_eq!(fails([0.0, 1.0, 0.0, 1.0]), Err(0));
        assert_eq!(fails([f64::NAN, 1.0, f64::NAN, 1.0]), Err(0));
        // small is not singular, unless it is smaller than the smallest pivot
        assert_eq!(fails([1e-29, 0.0, 0.0, 1.0]), Ok(()));
        assert_eq!(fails([1e-31, 0.0, 0.0, 1.0]), Err(0));
    }
}
