//! Kernels for matrices with the sparsity of a kinematic tree.
//!
//! Row `i` of such a matrix holds the ancestors of degree of freedom `i` in increasing order, the
//! diagonal last. So the leading entries of a row are exactly the row of each ancestor, and all
//! inner loops run over contiguous memory.
//!
//! ```text
//!      0            x
//!      |            x x
//!      1            x x x              rows 2, 3 of the limb on the left,
//!     / \           x x x x            row 4 on the right: no column of 2 or 3,
//!    2   4          x x . . x          since forces on one limb do not act on the other
//!    |
//!    3
//! ```
//!
//! The mass matrix is such a matrix: degrees of freedom act on each other only along a path to the root. It is factored
//! as `Lᵀ D L`, from the last row to the first. That is the other way round than usual, and it is the point:
//! eliminating a leaf changes entries among its ancestors only, which are there already. No entry is created, so that
//! the factor has the pattern of the matrix (Featherstone). The usual `L D Lᵀ` begins with the root, and fills
//! everything.
//!
//! A mass matrix is positive definite, so that there is no pivoting and nothing is checked: a vanishing pivot gives
//! infinities, which the caller sees in the accelerations.
use core::ops::Range;

use crate::wide::{LANES, Lanes};
use crate::{Real, dot_gathered, dot_sparse};

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

impl Pattern<'_> {
    /// Have all of these rows, which lie one after the other, their diagonal alone?
    #[inline]
    fn is_diagonal(&self, rows: Range<usize>) -> bool {
        if rows.is_empty() {
            return true;
        }
        let (first, last) = (rows.start, rows.end - 1);
        // each one has an entry at least, so that none has more if there are as many entries as rows
        (self.rowadr[last] + self.rownnz[last] - self.rowadr[first]) as usize == rows.len()
    }
}

/// The columns left of the diagonal of row `i`, if there is no gap in them: those of a chain, where vectors need no looking up.
#[inline(always)]
fn stretch(columns: &[i32], i: usize) -> Option<Range<usize>> {
    // columns ascend
    let first = *columns.first()? as usize;
    (first + columns.len() == i).then_some(first..i)
}

/// `dst += rows[0] * scale[0]`, then `dst += rows[1] * scale[1]`, and so on, as far as `dst` reaches.
#[inline(always)]
fn add_scaled<L: Lanes, const N: usize>(dst: &mut [Real], rows: [&[Real]; N], scale: [Real; N]) {
    // in one pass over `dst`, in the order of the rows: whole fours, then what is left
    let rows = rows.map(|row| row[..dst.len()].as_chunks::<LANES>());
    let (fours, rest) = dst.as_chunks_mut::<LANES>();
    let scales = scale.map(L::splat);
    for (i, d) in fours.iter_mut().enumerate() {
        let mut sum = L::load(d);
        for k in 0..N {
            sum = sum.add(L::load(&rows[k].0[i]).mul(scales[k]));
        }
        *d = sum.store();
    }
    for (i, d) in rest.iter_mut().enumerate() {
        let mut sum = *d;
        for k in 0..N {
            sum += rows[k].1[i] * scale[k];
        }
        *d = sum;
    }
}

/// Factor `M = Lᵀ D L` in place: `L` below the diagonal, `D` on it, `1/D` in `diag_inv`.
///
/// `L` is unit lower triangular. Row `k`, from the last to the first, is eliminated from the rows
/// of its ancestors: `M(i,·) −= M(k,·) M(k,i)/M(k,k)`. Rows that are parents of each other and lie
/// side by side are eliminated together in one pass over their common ancestors. That saves memory
/// traffic and changes no operation and no order. MuJoCo: `mj_factorI`.
pub fn factor_ldl(mat: &mut [Real], diag_inv: &mut [Real], p: &Pattern<'_>) {
    let n = diag_inv.len();
    crate::wide::factor_ldl(mat, diag_inv, p, 0..n);
}

/// [`factor_ldl`] of some of the rows: those of whole trees.
pub fn factor_ldl_rows(
    mat: &mut [Real],
    diag_inv: &mut [Real],
    p: &Pattern<'_>,
    rows: Range<usize>,
) {
    crate::wide::factor_ldl(mat, diag_inv, p, rows);
}

/// [`factor_ldl_rows`] in the instructions of its caller.
#[inline(always)]
pub(crate) fn factor_ldl_generic<L: Lanes>(
    mat: &mut [Real],
    diag_inv: &mut [Real],
    p: &Pattern<'_>,
    rows: Range<usize>,
) {
    // from the leaves to the root, one, two or four rows at a time
    let mut k = rows.end;
    while k > rows.start {
        k -= match chain_length(p, k - 1) {
            0 | 1 => eliminate::<L, 1>(mat, diag_inv, p, k - 1),
            2 | 3 => eliminate::<L, 2>(mat, diag_inv, p, k - 1),
            _ => eliminate::<L, 4>(mat, diag_inv, p, k - 1),
        };
    }
}

/// How many rows up to `k` form a chain of which each is the parent of the next; at most four.
#[inline(always)]
fn chain_length(p: &Pattern<'_>, k: usize) -> usize {
    // the columns left of the diagonal are the ancestors: parent k - 1, its parent k - 2, and so on, if this is a chain
    let start = p.rowadr[k] as usize;
    let row = &p.colind[start..start + p.rownnz[k] as usize];
    let longest = row.len().min(4);
    (1..longest).find(|&i| row[row.len() - 1 - i] as usize + i != k).unwrap_or(longest)
}

/// Eliminate the `N` rows up to `k`, a chain, from the rows of their ancestors; returns `N`.
#[inline(always)]
fn eliminate<L: Lanes, const N: usize>(
    mat: &mut [Real],
    diag_inv: &mut [Real],
    p: &Pattern<'_>,
    k: usize,
) -> usize {
    // entries of the topmost row left of its diagonal: the common ancestors
    let top = k + 1 - N;
    let n = p.rownnz[top] as usize - 1;
    let start = p.rowadr[top] as usize;
    let columns = &p.colind[start..start + n];
    let (above, mut block) = mat.split_at_mut(start);

    // rows of the block, the last one first
    let mut rows: [&mut [Real]; N] = core::array::from_fn(|i| {
        let (row, rest) = core::mem::take(&mut block).split_at_mut(n + 1 + i);
        block = rest;
        row
    });
    rows.reverse();

    // eliminate each row from those above it in the block
    let mut inv = [0.0; N];
    for i in 0..N {
        let (done, rest) = rows.split_at_mut(i + 1);
        let row = &*done[i];
        inv[i] = 1.0 / row[row.len() - 1];
        for dst in rest {
            let scale = -row[dst.len() - 1] * inv[i];
            add_scaled::<L, 1>(dst, [row], [scale]);
        }
    }
    // then all of them from their common ancestors
    let sources: [&[Real]; N] = rows.each_ref().map(|row| &**row);
    for a in (0..n).rev() {
        let i = columns[a] as usize;
        let adr = p.rowadr[i] as usize;
        let dst = &mut above[adr..adr + p.rownnz[i] as usize];
        add_scaled::<L, N>(dst, sources, core::array::from_fn(|r| -sources[r][a] * inv[r]));
    }
    // the rows themselves become those of L: divided by their pivots
    for (i, row) in rows.iter_mut().enumerate() {
        let diag = row.len() - 1;
        for x in &mut row[..diag] {
            *x *= inv[i];
        }
        diag_inv[k - i] = inv[i];
    }
    N
}

/// Solve `Lᵀ D L x = b` in place, with the factor that [`factor_ldl`] left.
///
/// Rows whose `diagonal` entry is non-zero are known to have no off-diagonal elements; with an empty
/// `diagonal` nothing is known. MuJoCo: `mj_solveLD`.
pub fn solve_ldl(
    x: &mut [Real],
    factor: &[Real],
    diag_inv: &[Real],
    p: &Pattern<'_>,
    diagonal: &[i32],
) {
    solve_ldl_rows(x, factor, diag_inv, p, diagonal, 0..diag_inv.len());
}

/// [`solve_ldl`] for some of the rows: those of whole trees.
pub fn solve_ldl_rows(
    x: &mut [Real],
    factor: &[Real],
    diag_inv: &[Real],
    p: &Pattern<'_>,
    diagonal: &[i32],
    rows: Range<usize>,
) {
    let x = &mut x[..diag_inv.len()];
    if p.is_diagonal(rows.clone()) {
        for (x, inv) in x[rows.clone()].iter_mut().zip(&diag_inv[rows]) {
            *x *= inv;
        }
        return;
    }
    let is_diagonal = |i: usize| diagonal.get(i).is_some_and(|d| *d != 0);
    // x ← L⁻ᵀ x
    for i in rows.clone().rev() {
        if is_diagonal(i) || x[i] == 0.0 {
            continue;
        }
        let xi = x[i];
        let start = p.rowadr[i] as usize;
        // from row i, which is done, to its ancestors
        let end = start + p.rownnz[i] as usize - 1;
        let (row, columns) = (&factor[start..end], &p.colind[start..end]);
        if let Some(stretch) = stretch(columns, i) {
            for (x, l) in x[stretch].iter_mut().zip(row) {
                *x -= l * xi;
            }
            continue;
        }
        for (l, &j) in row.iter().zip(columns) {
            x[j as usize] -= l * xi;
        }
    }
    // x ← D⁻¹ x
    for (x, inv) in x[rows.clone()].iter_mut().zip(&diag_inv[rows.clone()]) {
        *x *= inv;
    }
    // x ← L⁻¹ x
    for i in rows {
        if is_diagonal(i) {
            continue;
        }
        // from its ancestors, which are done, to row i
        let start = p.rowadr[i] as usize;
        let end = start + p.rownnz[i] as usize - 1;
        if start == end {
            continue;
        }
        let (row, columns) = (&factor[start..end], &p.colind[start..end]);
        x[i] -= match stretch(columns, i) {
            Some(stretch) => dot_gathered(row, &x[stretch]),
            None => dot_sparse(row, columns, x),
        };
    }
}

/// `res = M v` for a symmetric matrix of which the lower triangle is stored. MuJoCo: `mju_mulSymVecSparse`.
pub fn mul_symmetric(res: &mut [Real], mat: &[Real], v: &[Real], p: &Pattern<'_>) {
    let n = res.len();
    // the diagonal alone: vertices of flexes, bodies that slide
    if p.is_diagonal(0..n) {
        let first = p.rowadr.first().map_or(0, |adr| *adr as usize);
        for (res, (m, v)) in res.iter_mut().zip(mat[first..].iter().zip(v)) {
            *res = m * v;
        }
        return;
    }
    // the diagonal
    for i in 0..n {
        let end = p.rowadr[i] as usize + p.rownnz[i] as usize - 1;
        res[i] = mat[end] * v[i];
    }
    // each entry below it counts twice: in its row, and mirrored in its column
    let v = &v[..n];
    for i in 0..n {
        let start = p.rowadr[i] as usize;
        let end = start + p.rownnz[i] as usize - 1;
        let (mut sum, own) = (res[i], v[i]);
        // from the diagonal to the left, as MuJoCo does
        let (row, columns) = (&mat[start..end], &p.colind[start..end]);
        if let Some(stretch) = stretch(columns, i) {
            for (m, v) in row.iter().zip(&v[stretch.clone()]).rev() {
                sum += m * v;
            }
            for (res, m) in res[stretch].iter_mut().zip(row) {
                *res += m * own;
            }
        } else {
            for k in (0..row.len()).rev() {
                let (m, j) = (row[k], columns[k] as usize);
                sum += m * v[j];
                res[j] += m * own;
            }
        }
        res[i] = sum;
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
