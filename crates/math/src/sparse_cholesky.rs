//! Sparse Cholesky factors `H = Lᵀ L`, eliminated from the last row to the first.
//!
//! Rows are lower-triangular with the diagonal last; columns ascend. In trees whose children come
//! after their parents, this order creates little fill-in.
//!
//! The Hessian of the solver, `H = M + Jᵀ D J`, is the tree-sparse mass matrix plus a clique for each contact: all
//! degrees of freedom that move either body. Its factor has more entries than `H`, and which ones depends on the
//! contacts of the moment. So there are two phases:
//!
//! 1. **Which entries** ([`SparseFactor::analyze`]), without numbers. Eliminating row `r` adds a multiple of itself to
//!    every row in its pattern. Hence an entry of `H` below the diagonal of column `r` makes entries in column `r` for
//!    its row, for the parent of that row in the *elimination tree* (the row in which it was first met), for the parent
//!    of that, and so on up to `r`. Walking up from each entry, stopping at rows that were met for this `r` before,
//!    finds every entry once.
//! 2. **Their values** ([`SparseFactor::factor`]). Row `r`, from the last to the first: scatter the row of `H` into a
//!    dense vector, subtract the rows below that have an entry in column `r`, take the root of the pivot, gather.
//!
//! ```text
//!        H                 L
//!      x                 x
//!      . x               x x            row 3 joins 0, 1 and 2 when it is eliminated:
//!      . . x             x x x          fill-in
//!      x x x x           x x x x
//! ```
//!
//! When a few rows of `J` switch on or off, [`SparseFactor::update`] changes the values for `H ± x xᵀ` in the same
//! pattern, which must have had room for `x`: the caller analyzes with all rows that may act. Pivots that are not
//! positive are replaced, and counted by the rank that is returned. Columns of a row come in long stretches without
//! gap, so that all inner loops run over such runs instead of single entries; the order of operations is that of
//! entries.
use bytemuck::{Pod, Zeroable};

use crate::{List, MIN_VAL, Real, Stack, StackFull, dot_gathered, dot_sparse, sqrt};

/// A lower-triangular matrix in rows.
#[derive(Debug)]
pub struct SparseLower<'a> {
    /// Start of each row, and the end of the last one.
    pub start: &'a mut [usize],
    /// Column of each entry.
    pub column: &'a mut [usize],
    /// Values.
    pub value: &'a mut [Real],
}

impl SparseLower<'_> {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.start.len().saturating_sub(1)
    }

    /// Entries of a row.
    #[inline]
    pub fn row(&self, r: usize) -> core::ops::Range<usize> {
        self.start[r]..self.start[r + 1]
    }

    /// Columns of a row to the left of the diagonal, which ends it.
    #[inline]
    fn before_diagonal(&self, r: usize) -> &[usize] {
        &self.column[self.start[r]..self.start[r + 1] - 1]
    }
}

/// A factor, and what is needed to compute it.
#[derive(Debug)]
pub struct SparseFactor<'a> {
    /// The factor.
    pub lower: SparseLower<'a>,
    /// For each column, the rows below the diagonal and where their entries are.
    below_range: &'a mut [[usize; 2]],
    below: &'a mut [[usize; 2]],
    dense: &'a mut [Real],
    /// For each row of the factor, its stretches of consecutive columns.
    run_start: &'a mut [usize],
    runs: &'a mut [Run],
}

/// Consecutive columns of a row.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
struct Run {
    /// First entry.
    entry: usize,
    /// Its column.
    column: usize,
    len: usize,
}

/// `dense[column..] -= scale · values[entry..]` over the runs of a row, up to an entry.
#[inline]
fn subtract_runs(dense: &mut [Real], values: &[Real], runs: &[Run], end: usize, scale: Real) {
    for run in runs {
        if run.entry >= end {
            break;
        }
        // the last run may go past the entry
        let len = run.len.min(end - run.entry);
        let to = &mut dense[run.column..run.column + len];
        for (d, x) in to.iter_mut().zip(&values[run.entry..run.entry + len]) {
            *d -= scale * x;
        }
    }
}

/// No row: not met yet, or without parent.
const NONE: usize = usize::MAX;

/// Split the rows of a factor into runs; false where there is no room for them.
fn find_runs(
    start: &[usize],
    columns: &[usize],
    run_start: &mut [usize],
    runs: &mut List<'_, Run>,
) -> bool {
    for r in 0..start.len() - 1 {
        run_start[r] = runs.len();
        // a row has its diagonal at least
        let mut run = Run { entry: start[r], column: columns[start[r]], len: 0 };
        for (i, &column) in columns[start[r]..start[r + 1]].iter().enumerate() {
            // a gap: the run ends here
            if run.column + run.len != column {
                if !runs.push(run) {
                    return false;
                }
                run = Run { entry: start[r] + i, column, len: 0 };
            }
            run.len += 1;
        }
        if !runs.push(run) {
            return false;
        }
    }
    run_start[start.len() - 1] = runs.len();
    true
}

/// Running sums of counts that are stored one place further on.
fn add_up(start: &mut [usize]) {
    for r in 1..start.len() {
        start[r] += start[r - 1];
    }
}

impl<'a> SparseFactor<'a> {
    /// Find the pattern of the factor of a matrix given by its lower triangle. MuJoCo: `mju_cholFactorSymbolic`.
    pub fn analyze(h: &SparseLower<'_>, stack: &mut Stack<'a>) -> Result<Self, StackFull> {
        let n = h.rows();
        let start = stack.take_zeroed(n + 1)?;
        let below_range = stack.take(n)?;

        // upper triangle: for each row of the matrix, the columns to the right of the diagonal
        let right_start = stack.take_zeroed::<usize>(n + 1)?;
        // how many entries each row of the upper triangle has
        for r in 0..n {
            for c in h.before_diagonal(r) {
                right_start[c + 1] += 1;
            }
        }
        // a transposition: count, add up, fill in order of rows
        add_up(right_start);
        let cursor = stack.take::<usize>(n)?;
        cursor.copy_from_slice(&right_start[..n]);
        let right = stack.take::<usize>(right_start[n])?;
        for r in 0..n {
            for c in h.before_diagonal(r) {
                let place = &mut cursor[*c];
                right[*place] = r;
                *place += 1;
            }
        }

        // from each row, the last one first, up the elimination tree: every row on the way gets an entry in its column
        // parents in the elimination tree; the last row for which each one was met
        let (parent, flag) = (stack.take(n)?, stack.take(n)?);
        parent.fill(NONE);
        flag.fill(NONE);
        let below = stack.build(|below| {
            for r in (0..n).rev() {
                flag[r] = r;
                let first = below.len();
                // entries of H below the diagonal of column r, and up from there
                for &below_diagonal in &right[right_start[r]..right_start[r + 1]] {
                    let mut i = below_diagonal;
                    while flag[i] != r {
                        // met for the first time: r is its parent in the elimination tree
                        if parent[i] == NONE {
                            parent[i] = r;
                        }
                        if !below.push([i, r]) {
                            return false;
                        }
                        start[i + 1] += 1;
                        flag[i] = r;
                        i = parent[i];
                    }
                }
                below_range[r] = [first, below.len()];
            }
            true
        })?;
        // lengths become starts; each row has its diagonal, too
        for r in 0..n {
            start[r + 1] += start[r] + 1;
        }
        let column = stack.take(start[n])?;
        let value = stack.take(start[n])?;
        for r in 0..n {
            // rows are filled from their end, before the diagonal
            cursor[r] = start[r + 1] - 1;
            column[cursor[r]] = r;
        }
        // columns were met from the last to the first, so that rows filled from their end ascend; what was a column is
        // from now on the place of the entry
        for [i, at] in below.iter_mut() {
            cursor[*i] -= 1;
            column[cursor[*i]] = *at;
            *at = cursor[*i];
        }

        // stretches without gap, for the loops over entries
        let run_start = stack.take(n + 1)?;
        let runs = stack.build(|runs| find_runs(start, column, run_start, runs))?;
        let lower = SparseLower { start, column, value };
        let dense = stack.take_zeroed(n)?;
        Ok(SparseFactor { lower, below_range, below, dense, run_start, runs })
    }

    /// A factor whose pattern is known, as bits of the columns up to the diagonal. It has no values yet, and is not for
    /// [`SparseFactor::factor`], which needs to know more.
    pub(crate) fn with_pattern(
        rows: &[u64],
        stack: &mut Stack<'a>,
    ) -> Result<SparseFactor<'a>, StackFull> {
        let n = rows.len();
        let (start, run_start) = (stack.take(n + 1)?, stack.take(n + 1)?);
        // where rows begin, and their runs: each of these begins with a bit whose neighbour is not there
        (start[0], run_start[0]) = (0, 0);
        for (r, bits) in rows.iter().enumerate() {
            start[r + 1] = start[r] + bits.count_ones() as usize;
            run_start[r + 1] = run_start[r] + (bits & !(bits << 1)).count_ones() as usize;
        }
        let (column, value) = (stack.take(start[n])?, stack.take(start[n])?);
        let runs = stack.take::<Run>(run_start[n])?;
        for (r, bits) in rows.iter().enumerate() {
            let (mut bits, mut entry) = (*bits, start[r]);
            for run in &mut runs[run_start[r]..run_start[r + 1]] {
                let first = bits.trailing_zeros() as usize;
                let len = (bits >> first).trailing_ones() as usize;
                *run = Run { entry, column: first, len };
                for (to, c) in column[entry..entry + len].iter_mut().zip(first..) {
                    *to = c;
                }
                entry += len;
                // adding to the lowest bit carries through the run
                bits &= bits.wrapping_add(1 << first);
            }
        }
        let lower = SparseLower { start, column, value };
        let (below_range, below) = (stack.take(0)?, stack.take(0)?);
        let dense = stack.take_zeroed(n)?;
        Ok(SparseFactor { lower, below_range, below, dense, run_start, runs })
    }

    /// Compute the factor of a matrix whose pattern was analyzed. Pivots below `min_pivot` are
    /// replaced by it; the number of those that were not is returned. MuJoCo: `mju_cholFactorNumeric`.
    pub fn factor(&mut self, h: &SparseLower<'_>, min_pivot: Real) -> usize {
        let n = h.rows();
        let mut rank = n;
        let SparseFactor { lower, below_range, below, dense, run_start, runs } = self;
        for r in (0..n).rev() {
            // row r of H, in a vector that is zero elsewhere
            for k in h.row(r) {
                dense[h.column[k]] = h.value[k];
            }
            // minus what the rows below take from it: Σᵢ L_ir L_i·
            let [first, end] = below_range[r];
            for &[row, at] in &below[first..end] {
                let row_runs = &runs[run_start[row]..run_start[row + 1]];
                subtract_runs(dense, lower.value, row_runs, at + 1, lower.value[at]);
            }
            // L_rr is the root of what is left, and the row is divided by it; the vector is zero again where it was used
            let mut pivot = dense[r];
            if pivot < min_pivot {
                pivot = min_pivot;
                rank -= 1;
            }
            let diag = sqrt(pivot);
            let inv = 1.0 / diag;
            let (start, end) = (lower.start[r], lower.start[r + 1] - 1);
            for k in start..end {
                let c = lower.column[k];
                lower.value[k] = dense[c] * inv;
                dense[c] = 0.0;
            }
            lower.value[end] = diag;
            dense[r] = 0.0;
        }
        rank
    }

    /// Change the factor `values` (in the order of the pattern) of `A` to that of `A ± x xᵀ`, with
    /// `x` given by ascending columns and values. The number of pivots that stayed positive is
    /// returned. MuJoCo: `mju_cholUpdateSparse`.
    ///
    /// Row `r`: with `root = √(L_rr² ± x_r²)`, `c = L_rr / root`, `s = -x_r / root`, its entries become `L ← c L ∓ s x`
    /// and those of `x` become `x ← s L + c x`: a rotation, or a hyperbolic one, that makes `x_r` vanish.
    pub fn update(&mut self, values: Which<'_>, columns: &[i32], x: &[Real], plus: bool) -> usize {
        let n = self.lower.rows();
        let Some(&last) = columns.last() else { return n };
        let SparseFactor { lower, dense, run_start, runs, .. } = self;
        let SparseLower { start, value, .. } = lower;
        let values = match values {
            Which::Own => &mut value[..],
            Which::Other(values) => values,
        };
        // x as a dense vector, which has entries only where the row has columns
        for (c, x) in columns.iter().zip(x) {
            dense[*c as usize] = *x;
        }
        let mut rank = n;
        // no row after the last entry of x changes
        for r in (0..=last as usize).rev() {
            let x = dense[r];
            if x == 0.0 {
                continue;
            }
            dense[r] = 0.0;
            let end = start[r + 1] - 1;
            let diag = values[end];
            let mut new = diag * diag + if plus { x * x } else { -x * x };
            // no longer positive definite, up to mjMINVAL
            if new < MIN_VAL {
                new = MIN_VAL;
                rank -= 1;
            }
            let root = sqrt(new);
            values[end] = root;
            let (c, s) = (diag / root, -x / root);
            let signed = if plus { -s } else { s };
            for run in &runs[run_start[r]..run_start[r + 1]] {
                // the diagonal, which ends the row, is done
                let len = run.len.min(end - run.entry);
                let values = &mut values[run.entry..run.entry + len];
                for (v, d) in values.iter_mut().zip(&mut dense[run.column..run.column + len]) {
                    let (old, x) = (*v, *d);
                    *v = c * old + signed * x;
                    *d = s * old + c * x;
                }
            }
        }
        rank
    }

    /// Solve `Lᵀ L x = b` in place. MuJoCo: `mju_cholSolveSparse`.
    pub fn solve(&self, values: &[Real], x: &mut [Real]) {
        let start = &self.lower.start;
        let n = self.lower.rows();
        let row_runs = |r: usize| &self.runs[self.run_start[r]..self.run_start[r + 1]];
        // Lᵀ y = b, from the last row; zeros are common in forces, and skipped
        for r in (0..n).rev() {
            if x[r] != 0.0 {
                let end = start[r + 1] - 1;
                // what is known of this row is taken from those above
                x[r] /= values[end];
                let scale = x[r];
                subtract_runs(x, values, row_runs(r), end, scale);
            }
        }
        // L x = y, from the first
        for r in 0..n {
            let end = start[r + 1] - 1;
            let row = &values[start[r]..end];
            let sum = match row_runs(r) {
                // columns without a gap, of which the last is the diagonal
                [run] => dot_gathered(row, &x[run.column..run.column + row.len()]),
                _ => dot_sparse(row, &self.lower.column[start[r]..end], x),
            };
            x[r] = (x[r] - sum) / values[end];
        }
    }
}

/// The values that an update changes.
#[derive(Debug)]
pub enum Which<'a> {
    /// Those of the factor itself.
    Own,
    /// Others of the same pattern.
    Other(&'a mut [Real]),
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::{vec, vec::Vec};

    fn times(h: &SparseLower<'_>, x: &[Real]) -> Vec<Real> {
        let mut y = vec![0.0; x.len()];
        for r in 0..h.rows() {
            for k in h.row(r) {
                let c = h.column[k];
                y[r] += h.value[k] * x[c];
                if c != r {
                    y[c] += h.value[k] * x[r];
                }
            }
        }
        y
    }

    #[test]
    fn solutions_fit_the_matrix_before_and_after_an_update() {
        // a matrix with fill-in
        let h = SparseLower {
            start: &mut [0, 1, 2, 4, 7],
            column: &mut [0, 1, 0, 2, 0, 1, 3],
            value: &mut [4.0, 3.0, 1.0, 5.0, 0.5, 0.25, 6.0],
        };
        let mut words = [0; 120];
        let mut f = SparseFactor::analyze(&h, &mut Stack::new(&mut words)).unwrap();
        assert_eq!(f.factor(&h, 1e-12), 4);
        let b = [1.0, -2.0, 3.0, 0.5];
        let mut x = b;
        f.solve(f.lower.value, &mut x);
        for (y, b) in times(&h, &x).iter().zip(&b) {
            assert!((y - b).abs() < 1e-5);
        }
        let v = [0.7, 0.3];
        assert_eq!(f.update(Which::Own, &[0, 3], &v, true), 4);
        let mut x = b;
        f.solve(f.lower.value, &mut x);
        let along = 0.7 * x[0] + 0.3 * x[3];
        let mut y = times(&h, &x);
        y[0] += 0.7 * along;
        y[3] += 0.3 * along;
        for (y, b) in y.iter().zip(&b) {
            assert!((y - b).abs() < 1e-5);
        }
    }
}
