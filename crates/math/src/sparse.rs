//! Kernels for matrices with the sparsity of a kinematic tree.
//!
//! Row `i` of such a matrix holds the ancestors of degree of freedom `i` in increasing order, the
//! diagonal last. So the leading entries of a row are exactly the row of each ancestor, and all
//! inner loops run over contiguous memory.
use crate::Real;

/// The pattern of a tree-sparse matrix in compressed rows.
#[derive(Clone, Copy, Debug)]
pub struct Pattern<'a> {
    /// Number of entries of each row.
    pub rownnz: &'a [i32],
    /// First entry of each row.
    pub rowadr: &'a [i32],
    /// Column of each entry.
    pub colind: &'a [i32],
}

/// `dst += src * scale`, as far as `dst` reaches.
#[inline]
fn add_scaled(dst: &mut [Real], src: &[Real], scale: Real) {
    for (d, s) in dst.iter_mut().zip(src) {
        *d += s * scale;
    }
}

/// `dst += a * scale_a`, then `dst += b * scale_b`, as far as `dst` reaches.
#[inline]
fn add_scaled_pair(dst: &mut [Real], a: &[Real], scale_a: Real, b: &[Real], scale_b: Real) {
    for ((d, a), b) in dst.iter_mut().zip(a).zip(b) {
        *d = (*d + a * scale_a) + b * scale_b;
    }
}

/// `row *= scale`.
#[inline]
fn scale(row: &mut [Real], scale: Real) {
    for x in row {
        *x *= scale;
    }
}

/// Factor `M = Lᵀ D L` in place: `L` below the diagonal, `D` on it, `1/D` in `diag_inv`.
///
/// `L` is unit lower triangular. Row `k`, from the last to the first, is eliminated from the rows
/// of its ancestors: `M(i,·) −= M(k,·) M(k,i)/M(k,k)`. Where row `k−1` is the parent of row `k`, both
/// are eliminated in one pass over their common ancestors, which changes no operation and no order.
pub fn factor_ldl(mat: &mut [Real], diag_inv: &mut [Real], p: &Pattern<'_>) {
    let ancestor = |i: i32| {
        let adr = p.rowadr[i as usize] as usize;
        adr..adr + p.rownnz[i as usize] as usize
    };
    let mut k = diag_inv.len();
    while k > 0 {
        k -= 1;
        let start = p.rowadr[k] as usize;
        // entries of row k left of the diagonal
        let n = p.rownnz[k] as usize - 1;
        let columns = &p.colind[start..start + n];

        // rows of ancestors lie before row k in memory
        if n > 0 && columns[n - 1] as usize == k - 1 {
            let (above, rows) = mat.split_at_mut(p.rowadr[k - 1] as usize);
            let (parent, row) = rows.split_at_mut(n);
            let inv = 1.0 / row[n];
            add_scaled(parent, row, -row[n - 1] * inv);
            let parent_inv = 1.0 / parent[n - 1];
            for a in (0..n - 1).rev() {
                let dst = &mut above[ancestor(columns[a])];
                add_scaled_pair(dst, row, -row[a] * inv, parent, -parent[a] * parent_inv);
            }
            scale(&mut row[..n], inv);
            scale(&mut parent[..n - 1], parent_inv);
            diag_inv[k] = inv;
            diag_inv[k - 1] = parent_inv;
            k -= 1;
        } else {
            let (above, row) = mat.split_at_mut(start);
            let inv = 1.0 / row[n];
            for a in (0..n).rev() {
                add_scaled(&mut above[ancestor(columns[a])], row, -row[a] * inv);
            }
            scale(&mut row[..n], inv);
            diag_inv[k] = inv;
        }
    }
}

/// Solve `Lᵀ D L x = b` in place, with the factor that [`factor_ldl`] left.
///
/// Rows whose `diagonal` entry is non-zero are known to have no off-diagonal elements.
pub fn solve_ldl(
    x: &mut [Real],
    factor: &[Real],
    diag_inv: &[Real],
    p: &Pattern<'_>,
    diagonal: &[i32],
) {
    let n = diag_inv.len();
    let x = &mut x[..n];
    // x ← L⁻ᵀ x
    for i in (1..n).rev() {
        if diagonal[i] != 0 || x[i] == 0.0 {
            continue;
        }
        let xi = x[i];
        let start = p.rowadr[i] as usize;
        let end = start + p.rownnz[i] as usize - 1;
        for (l, &j) in factor[start..end].iter().zip(&p.colind[start..end]) {
            x[j as usize] -= l * xi;
        }
    }
    // x ← D⁻¹ x
    for (x, inv) in x.iter_mut().zip(diag_inv) {
        *x *= inv;
    }
    // x ← L⁻¹ x
    for i in 1..n {
        if diagonal[i] != 0 {
            continue;
        }
        let start = p.rowadr[i] as usize;
        let end = start + p.rownnz[i] as usize - 1;
        let mut s = 0.0;
        for (l, &j) in factor[start..end].iter().zip(&p.colind[start..end]) {
            s += l * x[j as usize];
        }
        x[i] -= s;
    }
}

/// `res = M v` for a symmetric matrix of which the lower triangle is stored.
pub fn mul_symmetric(res: &mut [Real], mat: &[Real], v: &[Real], p: &Pattern<'_>) {
    let n = res.len();
    for i in 0..n {
        let end = p.rowadr[i] as usize + p.rownnz[i] as usize - 1;
        res[i] = mat[end] * v[i];
    }
    for i in 0..n {
        let start = p.rowadr[i] as usize;
        let end = start + p.rownnz[i] as usize - 1;
        for (m, &j) in mat[start..end].iter().zip(&p.colind[start..end]) {
            res[i] += m * v[j as usize];
            res[j as usize] += m * v[i];
        }
    }
}

#[cfg(all(test, not(feature = "f32")))]
mod tests {
    extern crate std;
    use std::{vec, vec::Vec};

    use nalgebra::{DMatrix, DVector};

    use super::*;

    /// Pattern of the tree in which `parent[i]` is the parent of dof `i`.
    fn pattern(parent: &[i32]) -> (Vec<i32>, Vec<i32>, Vec<i32>) {
        let (mut nnz, mut adr, mut col) = (vec![], vec![], vec![]);
        for i in 0..parent.len() {
            let mut row = vec![];
            let mut j = i as i32;
            while j >= 0 {
                row.push(j);
                j = parent[j as usize];
            }
            row.reverse();
            adr.push(col.len() as i32);
            nnz.push(row.len() as i32);
            col.extend(row);
        }
        (nnz, adr, col)
    }

    /// A positive-definite matrix with the pattern of the tree.
    fn tree_matrix(parent: &[i32], seed: u64) -> (Vec<f64>, DMatrix<f64>) {
        let n = parent.len();
        let (nnz, adr, col) = pattern(parent);
        let mut state = seed;
        let mut mat = vec![0.0; col.len()];
        let mut dense = DMatrix::zeros(n, n);
        for i in 0..n {
            for a in adr[i]..adr[i] + nnz[i] {
                let j = col[a as usize] as usize;
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let noise = (state >> 11) as f64 / (1u64 << 53) as f64 - 0.5;
                let v = if i == j { n as f64 + noise } else { noise };
                mat[a as usize] = v;
                dense[(i, j)] = v;
                dense[(j, i)] = v;
            }
        }
        (mat, dense)
    }

    #[test]
    fn solve_agrees_with_dense_cholesky_on_every_kind_of_tree() {
        let trees: [&[i32]; 7] = [
            &[-1],
            &[-1, 0],
            &[-1, 0, 0],
            &[-1, 0, 1, 2, 3, 4],
            &[-1, 0, 1, 2, 3, 4, 5, 6, 5, 8],
            &[-1, 0, -1, 2, 2, 4, -1],
            &[-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18],
        ];
        for (seed, parent) in trees.iter().enumerate() {
            let n = parent.len();
            let (nnz, adr, col) = pattern(parent);
            let p = Pattern { rownnz: &nnz, rowadr: &adr, colind: &col };
            let (mat, dense) = tree_matrix(parent, seed as u64 + 1);
            let b = DVector::from_fn(n, |i, _| (i as f64 * 0.7).sin());
            let expected = dense.clone().cholesky().unwrap().solve(&b);

            let (mut factor, mut inv) = (mat.clone(), vec![0.0; n]);
            factor_ldl(&mut factor, &mut inv, &p);
            let mut x = b.as_slice().to_vec();
            solve_ldl(&mut x, &factor, &inv, &p, &vec![0; n]);
            let error = (DVector::from_vec(x.clone()) - &expected).norm();
            assert!(error <= 1e-12 * expected.norm(), "{parent:?}: {error}");

            let mut back = vec![0.0; n];
            mul_symmetric(&mut back, &mat, &x, &p);
            assert!((DVector::from_vec(back) - b).norm() < 1e-11);
        }
    }

    #[test]
    fn rows_marked_diagonal_are_skipped() {
        let (nnz, adr, col) = (vec![1, 1], vec![0, 1], vec![0, 1]);
        let p = Pattern { rownnz: &nnz, rowadr: &adr, colind: &col };
        let (mut m, mut inv) = (vec![2.0, 4.0], vec![0.0; 2]);
        factor_ldl(&mut m, &mut inv, &p);
        let mut x = vec![2.0, 2.0];
        solve_ldl(&mut x, &m, &inv, &p, &[2, 1]);
        assert_eq!(x, [1.0, 0.5]);
    }
}
