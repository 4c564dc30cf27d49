//! Dense Cholesky factorization in place, which refuses what is not positive definite
//! ([`factor_dense`](crate::factor_dense) repairs it).
use crate::{Real, sqrt};

/// The matrix is not positive definite: the pivot of this column is not a positive number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CholeskyError {
    /// Column whose pivot failed.
    pub column: usize,
}

impl core::fmt::Display for CholeskyError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "matrix is not positive definite (pivot of column {})", self.column)
    }
}

impl core::error::Error for CholeskyError {}

/// Factor the symmetric `n`×`n` row-major matrix as `L Lᵀ`, writing `L` over the lower triangle.
///
/// The upper triangle is neither read nor written. Nothing is allocated.
///
/// ```
/// use ferrodyn_math::{cholesky_in_place, cholesky_solve_in_place};
/// let mut m = [4.0, 0.0, 2.0, 3.0];
/// let mut x = [2.0, 1.0];
/// cholesky_in_place(&mut m, 2)?;
/// cholesky_solve_in_place(&m, &mut x);
/// assert_eq!(x, [0.5, 0.0]);
/// # Ok::<(), ferrodyn_math::CholeskyError>(())
/// ```
pub fn cholesky_in_place(mat: &mut [Real], n: usize) -> Result<(), CholeskyError> {
    for j in 0..n {
        // L_jj² = A_jj - Σₖ L_jk²
        let mut pivot = mat[j * n + j];
        for k in 0..j {
            pivot -= mat[j * n + k] * mat[j * n + k];
        }
        // a NaN pivot fails this test as well
        if pivot.partial_cmp(&0.0) != Some(core::cmp::Ordering::Greater) {
            return Err(CholeskyError { column: j });
        }
        // L_ij = (A_ij - Σₖ L_ik L_jk) / L_jj
        let diag = sqrt(pivot);
        mat[j * n + j] = diag;
        let inv = 1.0 / diag;
        for i in j + 1..n {
            let mut s = mat[i * n + j];
            for k in 0..j {
                s -= mat[i * n + k] * mat[j * n + k];
            }
            mat[i * n + j] = s * inv;
        }
    }
    Ok(())
}

/// Solve `L Lᵀ x = b` in place, `x` holding `b` on entry; `l` is what [`cholesky_in_place`] left.
pub fn cholesky_solve_in_place(l: &[Real], x: &mut [Real]) {
    let n = x.len();
    // L y = b
    for i in 0..n {
        let mut s = x[i];
        for k in 0..i {
            s -= l[i * n + k] * x[k];
        }
        x[i] = s / l[i * n + i];
    }
    // Lᵀ x = y
    for i in (0..n).rev() {
        let mut s = x[i];
        for k in i + 1..n {
            s -= l[k * n + i] * x[k];
        }
        x[i] = s / l[i * n + i];
    }
}

#[cfg(all(test, not(feature = "f32")))]
mod tests {
    extern crate std;
    use std::vec::Vec;

    use nalgebra::{DMatrix, DVector};

    use super::*;

    /// Numbers in [-1, 1) from a linear congruential generator.
    fn noise(seed: u64) -> impl FnMut() -> f64 {
        let mut state = seed;
        move || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        }
    }

    #[test]
    fn solution_agrees_with_a_reference_factorization() {
        for n in [1, 2, 3, 5, 10, 20] {
            let mut next = noise(n as u64);
            let a = DMatrix::from_fn(n, n, |_, _| next());
            let spd = &a * a.transpose() + DMatrix::identity(n, n) * n as f64;
            let b = DVector::from_fn(n, |_, _| next());
            let expected = spd.clone().cholesky().unwrap().solve(&b);

            let mut mat: Vec<f64> = spd.transpose().as_slice().to_vec();
            let mut x: Vec<f64> = b.as_slice().to_vec();
            cholesky_in_place(&mut mat, n).unwrap();
            cholesky_solve_in_place(&mat, &mut x);
            let error = (DVector::from_vec(x) - &expected).norm();
            assert!(error <= 1e-12 * expected.norm(), "n = {n}: {error}");
        }
    }

    #[test]
    fn upper_triangle_is_never_read() {
        let mut clean = [4.0, 0.0, 1.0, 3.0];
        let mut stale = [4.0, f64::NAN, 1.0, 3.0];
        cholesky_in_place(&mut clean, 2).unwrap();
        cholesky_in_place(&mut stale, 2).unwrap();
        assert_eq!((clean[0], clean[2], clean[3]), (stale[0], stale[2], stale[3]));
    }

    #[test]
    fn indefinite_and_nan_matrices_name_the_column() {
        assert_eq!(
            cholesky_in_place(&mut [1.0, 0.0, 2.0, 1.0], 2),
            Err(CholeskyError { column: 1 })
        );
        assert_eq!(cholesky_in_place(&mut [f64::NAN], 1), Err(CholeskyError { column: 0 }));
        assert_eq!(cholesky_in_place(&mut [0.0], 1), Err(CholeskyError { column: 0 }));
    }
}
