//! Symmetric matrices with a band beside the diagonal and full rows at the end.
//!
//! Trajectories give such matrices: the states of neighbouring times are coupled (the band), parameters are coupled to
//! all times (the full rows). The factor `L` has the shape of the matrix, since an element that is outside of the shape
//! has nothing but such elements to its left, so that nothing is filled in.
use crate::{MIN_VAL, Real, add_scaled, dot, sqrt};

/// The shape of a symmetric matrix `A` whose first rows are banded and whose last rows are full:
///
/// ```text
/// x
/// x x
/// . x x      band 2, one dense row
/// x x x x
/// ```
///
/// Stored is the lower triangle: of each banded row the `band` elements that end at the diagonal
/// (those left of the first column are unused), then each dense row with `total` elements (those
/// right of the diagonal are unused).
///
/// ```
/// use ferrodyn_math::BandShape;
/// let shape = BandShape::new(3, 2, 1).unwrap();
/// let mut mat = vec![0.0; shape.len()];
/// shape.from_dense(&mut mat, &[4.0, 0.0, 0.0, 2.0, 5.0, 0.0, 0.0, 2.0, 2.0]);
/// assert!(shape.factor(&mut mat, 0.0, 0.0) > 0.0);
/// let mut x = [4.0, 2.0, 0.0];
/// shape.solve(&mat, &mut x);
/// assert_eq!(x, [1.0, 0.0, 0.0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BandShape {
    total: usize,
    band: usize,
    dense: usize,
    len: usize,
}

#[allow(clippy::len_without_is_empty, reason = "the length of the storage, not of a collection")]
impl BandShape {
    /// A matrix with `total` rows, the last `dense` of them full, the others with `band` elements
    /// each, the diagonal among them. `None` where that is no matrix or none that fits into memory.
    pub fn new(total: usize, band: usize, dense: usize) -> Option<BandShape> {
        let sparse = total.checked_sub(dense)?;
        if sparse > 0 && band == 0 {
            return None;
        }
        let len = sparse.checked_mul(band)?.checked_add(dense.checked_mul(total)?)?;
        Some(BandShape { total, band, dense, len })
    }

    /// Number of elements that are stored. MuJoCo: the length `(ntotal - ndense) nband + ndense ntotal`.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Number of banded rows.
    fn sparse(&self) -> usize {
        self.total - self.dense
    }

    /// Address of the diagonal element of a row. MuJoCo: `mju_bandDiag`.
    pub fn diagonal(&self, row: usize) -> usize {
        let sparse = self.sparse();
        if row < sparse {
            row * self.band + self.band - 1
        } else {
            sparse * self.band + (row - sparse) * self.total + row
        }
    }

    /// Number of elements left of the diagonal of a row that are not zero by the shape.
    fn left(&self, row: usize) -> usize {
        if row < self.sparse() { row.min(self.band - 1) } else { row }
    }

    /// Address of the element of a row in a column at or left of the diagonal, if it is stored.
    fn address(&self, row: usize, col: usize) -> Option<usize> {
        let back = row.checked_sub(col)?;
        (back <= self.left(row)).then(|| self.diagonal(row) - back)
    }

    /// The rows below the diagonal of a column where the shape has an element.
    fn below(&self, col: usize) -> impl Iterator<Item = usize> + use<> {
        let (sparse, total) = (self.sparse(), self.total);
        let end = if col < sparse { sparse.min(col.saturating_add(self.band)) } else { col + 1 };
        (col + 1..end).chain(sparse.max(col + 1)..total)
    }

    /// Factor `A + D = L Lᵀ` in place, where `D` is diagonal with `D_ii = add + mul A_ii`.
    ///
    /// Returns the smallest pivot before its square root, and 0 if the matrix is not positive
    /// definite; then the factor is not complete. `mat` has [`len`](Self::len) elements. MuJoCo: `mju_cholFactorBand`.
    pub fn factor(&self, mat: &mut [Real], add: Real, mul: Real) -> Real {
        let mut smallest = -1.0;
        for j in 0..self.total {
            let (jj, width) = (self.diagonal(j), self.left(j));
            // L_jj² = A_jj + D_jj - Σₖ L_jk²
            let left = &mat[jj - width..jj];
            let pivot = add + mul * mat[jj] + mat[jj] - dot(left, left);
            if pivot < smallest || smallest < 0.0 {
                smallest = pivot;
            }
            // not positive definite, up to mjMINVAL
            if pivot < MIN_VAL {
                return 0.0;
            }
            // L_ij = (A_ij - Σₖ L_ik L_jk) / L_jj
            let root = sqrt(pivot);
            let scale = 1.0 / root;
            for i in self.below(j) {
                let Some(ij) = self.address(i, j) else { continue };
                // what both rows have left of column j
                let width = width.min(self.left(i) - (i - j));
                let known = dot(&mat[jj - width..jj], &mat[ij - width..ij]);
                mat[ij] = scale * (mat[ij] - known);
            }
            mat[jj] = root;
        }
        smallest
    }

    /// Solve `L Lᵀ x = b` in place, `x` holding `b` on entry; `mat` is what [`factor`](Self::factor)
    /// left. MuJoCo: `mju_cholSolveBand`.
    pub fn solve(&self, mat: &[Real], x: &mut [Real]) {
        // L y = b
        for i in 0..self.total {
            let (ii, width) = (self.diagonal(i), self.left(i));
            x[i] -= dot(&mat[ii - width..ii], &x[i - width..i]);
            x[i] /= mat[ii];
        }
        // Lᵀ x = y
        for i in (0..self.total).rev() {
            for j in self.below(i) {
                let Some(ji) = self.address(j, i) else { continue };
                x[i] -= mat[ji] * x[j];
            }
            x[i] /= mat[self.diagonal(i)];
        }
    }

    /// Write the lower triangle as a dense `total`×`total` matrix; the upper one is its mirror image,
    /// or zero. MuJoCo: `mju_band2Dense`.
    pub fn to_dense(&self, res: &mut [Real], mat: &[Real], symmetric: bool) {
        let n = self.total;
        res.fill(0.0);
        for i in 0..n {
            let (ii, width) = (self.diagonal(i), self.left(i));
            res[i * n + i - width..=i * n + i].copy_from_slice(&mat[ii - width..=ii]);
        }
        if symmetric {
            for i in 0..n {
                for j in i + 1..n {
                    res[i * n + j] = res[j * n + i];
                }
            }
        }
    }

    /// Take the elements that the shape has from the lower triangle of a dense matrix. What is
    /// unused keeps its value. MuJoCo: `mju_dense2Band`.
    pub fn from_dense(&self, res: &mut [Real], mat: &[Real]) {
        let n = self.total;
        for i in 0..n {
            let (ii, width) = (self.diagonal(i), self.left(i));
            res[ii - width..=ii].copy_from_slice(&mat[i * n + i - width..=i * n + i]);
        }
    }

    /// `res = A vec`, or `res = L vec` with the lower triangle alone. MuJoCo: `mju_bandMulMatVec`.
    pub fn mul_vec(&self, res: &mut [Real], mat: &[Real], vec: &[Real], symmetric: bool) {
        for i in 0..self.total {
            let (ii, width) = (self.diagonal(i), self.left(i));
            // the row up to the diagonal, and mirrored, what is left of it once more
            res[i] = dot(&mat[ii - width..=ii], &vec[i - width..=i]);
            if symmetric {
                add_scaled(&mut res[i - width..i], &mat[ii - width..ii], vec[i]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::{vec, vec::Vec};

    use super::*;

    /// A positive definite matrix of the shape, dense.
    fn sample(n: usize, band: usize, dense: usize) -> Vec<Real> {
        let mut mat = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..i {
                if i - j < band || i >= n - dense {
                    mat[i * n + j] = ((i * 7 + j * 3) % 11) as Real * 0.1 - 0.5;
                    mat[j * n + i] = mat[i * n + j];
                }
            }
            mat[i * n + i] = n as Real + i as Real;
        }
        mat
    }

    #[test]
    fn a_factored_matrix_solves_what_it_multiplies() {
        for (n, band, dense) in [(1, 1, 0), (6, 1, 0), (6, 3, 0), (7, 2, 2), (5, 1, 5), (4, 9, 1)] {
            let shape = BandShape::new(n, band, dense).unwrap();
            let full = sample(n, band, dense);
            let mut mat = vec![0.0; shape.len()];
            shape.from_dense(&mut mat, &full);
            let mut back = vec![1.0; n * n];
            shape.to_dense(&mut back, &mat, true);
            assert_eq!(back, full);

            let x: Vec<Real> = (0..n).map(|i| i as Real - 1.5).collect();
            let mut b = vec![0.0; n];
            shape.mul_vec(&mut b, &mat, &x, true);
            for i in 0..n {
                let expected: Real = (0..n).map(|j| full[i * n + j] * x[j]).sum();
                assert!((b[i] - expected).abs() < 1e-4);
            }
            assert!(shape.factor(&mut mat, 0.0, 0.0) > 0.0);
            shape.solve(&mat, &mut b);
            for i in 0..n {
                assert!((b[i] - x[i]).abs() < 1e-4, "{n} {band} {dense}");
            }
        }
    }

    #[test]
    fn the_diagonal_grows_before_factorization() {
        let shape = BandShape::new(2, 1, 0).unwrap();
        let mut mat = [4.0, 6.0];
        assert_eq!(shape.factor(&mut mat, 1.0, 1.0), 9.0);
        assert_eq!(mat[0], 3.0);
        assert_eq!(shape.factor(&mut [0.0, 1.0], 0.0, 0.0), 0.0);
    }

    #[test]
    fn shapes_that_are_none() {
        assert_eq!(BandShape::new(2, 1, 3), None);
        assert_eq!(BandShape::new(2, 0, 1), None);
        assert_eq!(BandShape::new(usize::MAX, 2, 0), None);
        assert_eq!(BandShape::new(0, 0, 0).map(|s| s.len()), Some(0));
    }
}
