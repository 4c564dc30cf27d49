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

use crate::dense::add_four;
use crate::wide::{LANES, Lanes};
use crate::{Mask, Number, Real};

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
    /// The entries of a row left of its diagonal.
    #[inline(always)]
    fn below_diagonal(&self, row: usize) -> Range<usize> {
        let start = self.rowadr[row] as usize;
        start..start + self.rownnz[row] as usize - 1
    }

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

/// `dst += rows[0] * scale[0]`, then `dst += rows[1] * scale[1]`, and so on, as far as `dst` reaches.
#[inline(always)]
fn add_scaled<T: Number, L: Lanes<T>, const N: usize>(
    dst: &mut [T],
    rows: [&[T]; N],
    scale: [T; N],
) {
    // in one pass over `dst`, in the order of the rows; rows are short, so that fours are taken by hand: a compiler takes sixteen at
    // once, and what is left one by one
    let n = dst.len();
    let rows = rows.map(|row| &row[..n]);
    let (fours, rest) = dst.as_chunks_mut::<LANES>();
    let (row_fours, first) = (rows.map(|row| row.as_chunks::<LANES>().0), fours.len() * LANES);
    let mut wide = [L::splat(T::of(0.0)); N];
    for k in 0..N {
        wide[k] = L::splat(scale[k]);
    }
    for (i, to) in fours.iter_mut().enumerate() {
        let mut sum = L::load(to);
        for k in 0..N {
            sum = sum.add(L::load(&row_fours[k][i]).mul(wide[k]));
        }
        *to = sum.store();
    }
    for (i, to) in rest.iter_mut().enumerate() {
        for k in 0..N {
            *to += rows[k][first + i] * scale[k];
        }
    }
}

/// `row *= scale`, four at a time as in [`add_scaled`].
#[inline(always)]
fn scale_row<T: Number, L: Lanes<T>>(row: &mut [T], scale: T) {
    let (fours, rest) = row.as_chunks_mut::<LANES>();
    for x in fours {
        *x = L::load(x).mul(L::splat(scale)).store();
    }
    for x in rest {
        *x *= scale;
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
pub fn factor_ldl_rows<T: Number>(
    mat: &mut [T],
    diag_inv: &mut [T],
    p: &Pattern<'_>,
    rows: Range<usize>,
) {
    T::factor_ldl(mat, diag_inv, p, rows);
}

/// [`factor_ldl_rows`] with lanes of some kind.
#[inline(always)]
pub(crate) fn factor_ldl_generic<T: Number, L: Lanes<T>>(
    mat: &mut [T],
    diag_inv: &mut [T],
    p: &Pattern<'_>,
    rows: Range<usize>,
) {
    // from the leaves to the root, one, two or four rows at a time
    let mut k = rows.end;
    while k > rows.start {
        k -= match chain_length(p, k - 1) {
            0 | 1 => eliminate::<T, L, 1>(mat, diag_inv, p, k - 1),
            2 | 3 => eliminate::<T, L, 2>(mat, diag_inv, p, k - 1),
            _ => eliminate::<T, L, 4>(mat, diag_inv, p, k - 1),
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
fn eliminate<T: Number, L: Lanes<T>, const N: usize>(
    mat: &mut [T],
    diag_inv: &mut [T],
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
    let mut rows: [&mut [T]; N] = core::array::from_fn(|i| {
        let (row, rest) = core::mem::take(&mut block).split_at_mut(n + 1 + i);
        block = rest;
        row
    });
    rows.reverse();

    // eliminate each row from those above it in the block
    let mut inv = [T::of(0.0); N];
    for i in 0..N {
        let (done, rest) = rows.split_at_mut(i + 1);
        let row = &*done[i];
        inv[i] = T::of(1.0) / row[row.len() - 1];
        for dst in rest {
            let scale = -row[dst.len() - 1] * inv[i];
            add_scaled::<T, L, 1>(dst, [row], [scale]);
        }
    }
    // then all of them from their common ancestors
    let sources: [&[T]; N] = rows.each_ref().map(|row| &**row);
    for a in (0..n).rev() {
        let i = columns[a] as usize;
        let adr = p.rowadr[i] as usize;
        let dst = &mut above[adr..adr + p.rownnz[i] as usize];
        add_scaled::<T, L, N>(dst, sources, core::array::from_fn(|r| -sources[r][a] * inv[r]));
    }
    // the rows themselves become those of L: divided by their pivots
    for (i, row) in rows.iter_mut().enumerate() {
        let diag = row.len() - 1;
        scale_row::<T, L>(&mut row[..diag], inv[i]);
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
pub fn solve_ldl_rows<T: Number>(
    x: &mut [T],
    factor: &[T],
    diag_inv: &[T],
    p: &Pattern<'_>,
    diagonal: &[i32],
    rows: Range<usize>,
) {
    let x = &mut x[..diag_inv.len()];
    if p.is_diagonal(rows.clone()) {
        for (x, inv) in x[rows.clone()].iter_mut().zip(&diag_inv[rows]) {
            *x *= *inv;
        }
        return;
    }
    T::solve_ldl(x, factor, diag_inv, p, diagonal, rows);
}

/// The first of four columns that lie side by side; none where they do not.
#[inline(always)]
pub(crate) fn side_by_side(columns: &[i32; LANES]) -> Option<usize> {
    // columns ascend: none is left out between the first and the last
    let [first, .., last] = *columns;
    (last - first == LANES as i32 - 1).then_some(first as usize)
}

/// Four numbers from a place on.
#[inline(always)]
fn four_at<T>(x: &[T], first: usize) -> &[T; LANES] {
    &x[first..first + LANES].as_chunks().0[0]
}

/// [`four_at`], to be changed.
#[inline(always)]
fn four_at_mut<T>(x: &mut [T], first: usize) -> &mut [T; LANES] {
    &mut x[first..first + LANES].as_chunks_mut().0[0]
}

/// [`solve_ldl_rows`] with lanes of some kind.
///
/// Most ancestors lie side by side, since the degrees of freedom of a limb are numbered one after the other: four of them are taken at once
/// where they do.
#[inline(always)]
pub(crate) fn solve_ldl_generic<T: Number, L: Lanes<T>>(
    x: &mut [T],
    factor: &[T],
    diag_inv: &[T],
    p: &Pattern<'_>,
    diagonal: &[i32],
    rows: Range<usize>,
) {
    let is_diagonal = |i: usize| diagonal.get(i).is_some_and(|d| *d != 0);
    // x ← L⁻ᵀ x
    for i in rows.clone().rev() {
        let xi = x[i];
        let zero = xi.equal(T::of(0.0));
        if is_diagonal(i) || zero.all() {
            continue;
        }
        // from row i, which is done, to its ancestors
        let row = p.below_diagonal(i);
        if zero.any() {
            // of worlds abreast some have a zero: nothing is subtracted there
            for (&l, &j) in factor[row.clone()].iter().zip(&p.colind[row]) {
                let before = x[j as usize];
                x[j as usize] = T::choose(zero, || before, || before - l * xi);
            }
            continue;
        }
        let (fours, rest) = factor[row.clone()].as_chunks::<LANES>();
        let (column_fours, column_rest) = p.colind[row].as_chunks::<LANES>();
        for (l, columns) in fours.iter().zip(column_fours) {
            if let Some(first) = side_by_side(columns) {
                let to = four_at_mut(x, first);
                *to = L::load(to).sub(L::load(l).mul(L::splat(xi))).store();
            } else {
                for (&l, &j) in l.iter().zip(columns) {
                    x[j as usize] -= l * xi;
                }
            }
        }
        for (&l, &j) in rest.iter().zip(column_rest) {
            x[j as usize] -= l * xi;
        }
    }
    // x ← D⁻¹ x
    for (x, inv) in x[rows.clone()].iter_mut().zip(&diag_inv[rows.clone()]) {
        *x *= *inv;
    }
    // x ← L⁻¹ x
    for i in rows {
        let row = p.below_diagonal(i);
        if is_diagonal(i) || row.is_empty() {
            continue;
        }
        // from its ancestors, which are done, to row i: the scalar product of `dot_sparse`
        let (fours, rest) = factor[row.clone()].as_chunks::<LANES>();
        let (column_fours, column_rest) = p.colind[row].as_chunks::<LANES>();
        let mut sums = L::splat(T::of(0.0));
        for (l, columns) in fours.iter().zip(column_fours) {
            let known = match side_by_side(columns) {
                Some(first) => L::load(four_at(x, first)),
                None => L::load(&columns.map(|j| x[j as usize])),
            };
            sums = sums.add(L::load(l).mul(known));
        }
        let mut sum = add_four(sums.store());
        for (&l, &j) in rest.iter().zip(column_rest) {
            sum += l * x[j as usize];
        }
        x[i] -= sum;
    }
}

/// `res = M v` for a symmetric matrix of which the lower triangle is stored. MuJoCo: `mju_mulSymVecSparse`.
pub fn mul_symmetric(res: &mut [Real], mat: &[Real], v: &[Real], p: &Pattern<'_>) {
    // the diagonal alone: vertices of flexes, bodies that slide
    if p.is_diagonal(0..res.len()) {
        let first = p.rowadr.first().map_or(0, |adr| *adr as usize);
        for (res, (m, v)) in res.iter_mut().zip(mat[first..].iter().zip(v)) {
            *res = m * v;
        }
        return;
    }
    crate::wide::mul_symmetric(res, mat, v, p);
}

/// [`mul_symmetric`] with lanes of some kind; four entries at once as in [`solve_ldl_generic`].
#[inline(always)]
pub(crate) fn mul_symmetric_generic<L: Lanes>(
    res: &mut [Real],
    mat: &[Real],
    v: &[Real],
    p: &Pattern<'_>,
) {
    for i in 0..res.len() {
        // the diagonal, then each entry to its left, which counts twice: in its row, and mirrored in its column. Rows further down
        // add to this one later
        let row = p.below_diagonal(i);
        let own = v[i];
        let mut sum = mat[row.end] * own;
        let (fours, rest) = mat[row.clone()].as_chunks::<LANES>();
        let (column_fours, column_rest) = p.colind[row].as_chunks::<LANES>();
        // from the diagonal to the left, as MuJoCo does
        for (m, &j) in rest.iter().zip(column_rest).rev() {
            sum += m * v[j as usize];
            res[j as usize] += m * own;
        }
        for (m, columns) in fours.iter().zip(column_fours).rev() {
            if let Some(first) = side_by_side(columns) {
                let m = L::load(m);
                for product in m.mul(L::load(four_at(v, first))).store().into_iter().rev() {
                    sum += product;
                }
                let to = four_at_mut(res, first);
                *to = L::load(to).add(m.mul(L::splat(own))).store();
            } else {
                for (m, &j) in m.iter().zip(columns).rev() {
                    sum += m * v[j as usize];
                    res[j as usize] += m * own;
                }
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

    /// One entry after the other, as the loops read without lanes.
    fn solve_one_by_one(x: &mut [f64], factor: &[f64], inv: &[f64], p: &Pattern<'_>) {
        for i in (0..x.len()).rev() {
            for k in p.below_diagonal(i) {
                x[p.colind[k] as usize] -= factor[k] * x[i];
            }
        }
        x.iter_mut().zip(inv).for_each(|(x, inv)| *x *= inv);
        for i in 0..x.len() {
            let row = p.below_diagonal(i);
            x[i] -= crate::dot_sparse(&factor[row.clone()], &p.colind[row], x);
        }
    }

    fn mul_one_by_one(res: &mut [f64], mat: &[f64], v: &[f64], p: &Pattern<'_>) {
        for i in 0..res.len() {
            res[i] = mat[p.below_diagonal(i).end] * v[i];
        }
        for i in 0..res.len() {
            for k in p.below_diagonal(i).rev() {
                let j = p.colind[k] as usize;
                res[i] += mat[k] * v[j];
                res[j] += mat[k] * v[i];
            }
        }
    }

    #[test]
    fn ancestors_four_at_a_time_give_the_bits_of_one_by_one() {
        // a trunk with limbs of several lengths, so that columns have gaps at every place of a four
        let mut parent: Vec<i32> = (0..7).map(|i| i - 1).collect();
        for (from, length) in [(6, 5), (4, 9), (13, 3), (2, 6), (20, 11), (6, 2)] {
            let first = parent.len() as i32;
            parent.push(from);
            parent.extend((1..length).map(|i| first + i - 1));
        }
        let n = parent.len();
        let (nnz, adr, col) = pattern(&parent);
        let p = Pattern { rownnz: &nnz, rowadr: &adr, colind: &col };
        let (mut mat, _) = tree_matrix(&parent, 7);
        let v: Vec<f64> = (0..n).map(|i| (i as f64 * 0.7).sin()).collect();
        let bits = |x: &[f64]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();

        let (mut res, mut expected) = (vec![9.0; n], vec![9.0; n]);
        mul_symmetric(&mut res, &mat, &v, &p);
        mul_one_by_one(&mut expected, &mat, &v, &p);
        assert_eq!(bits(&res), bits(&expected));
        mul_symmetric_generic::<crate::wide::Plain>(&mut res, &mat, &v, &p);
        assert_eq!(bits(&res), bits(&expected));

        let mut inv = vec![0.0; n];
        factor_ldl(&mut mat, &mut inv, &p);
        let (mut x, mut plain, mut expected) = (v.clone(), v.clone(), v);
        solve_ldl(&mut x, &mat, &inv, &p, &[]);
        solve_one_by_one(&mut expected, &mat, &inv, &p);
        assert_eq!(bits(&x), bits(&expected));
        solve_ldl_generic::<Real, crate::wide::Plain>(&mut plain, &mat, &inv, &p, &[], 0..n);
        assert_eq!(bits(&plain), bits(&expected));
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
