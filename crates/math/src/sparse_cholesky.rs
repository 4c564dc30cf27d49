//! Sparse Cholesky factors `H = Lᵀ L`, eliminated from the last row to the first.
//!
//! Rows are lower-triangular with the diagonal last; columns ascend. In trees whose children come
//! after their parents, this order creates little fill-in.
use alloc::vec::Vec;

use crate::{MIN_VAL, Real, dot_gathered, dot_sparse, sqrt};

/// A lower-triangular matrix in rows.
#[derive(Clone, Debug, Default)]
pub struct SparseLower {
    /// Start of each row, and the end of the last one.
    pub start: Vec<usize>,
    /// Column of each entry.
    pub column: Vec<usize>,
    /// Values.
    pub value: Vec<Real>,
}

impl SparseLower {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.start.len().saturating_sub(1)
    }

    /// Entries of a row.
    #[inline]
    pub fn row(&self, r: usize) -> core::ops::Range<usize> {
        self.start[r]..self.start[r + 1]
    }
}

/// The pattern of a factor, and memory to compute it.
#[derive(Clone, Debug, Default)]
pub struct SparseFactor {
    /// The factor.
    pub lower: SparseLower,
    /// For each column, the rows below the diagonal and where their entries are.
    below_start: Vec<usize>,
    below: Vec<(usize, usize)>,
    parent: Vec<usize>,
    flag: Vec<usize>,
    cursor: Vec<usize>,
    dense: Vec<Real>,
    /// For each row of the matrix, the columns to the right of the diagonal.
    right_start: Vec<usize>,
    right: Vec<usize>,
    /// For each row of the factor, its stretches of consecutive columns.
    run_start: Vec<usize>,
    runs: Vec<Run>,
    /// Pattern of the matrix that was analyzed last.
    known_start: Vec<usize>,
    known_column: Vec<usize>,
}

/// Consecutive columns of a row.
#[derive(Clone, Copy, Debug)]
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
        let len = run.len.min(end - run.entry);
        let to = &mut dense[run.column..run.column + len];
        for (d, x) in to.iter_mut().zip(&values[run.entry..run.entry + len]) {
            *d -= scale * x;
        }
    }
}

const NONE: usize = usize::MAX;

impl SparseFactor {
    /// Find the pattern of the factor of a matrix given by its lower triangle. It costs little
    /// where the pattern of the matrix is that of the last call.
    pub fn analyze(&mut self, h: &SparseLower) {
        if self.known_start == h.start && self.known_column == h.column {
            return;
        }
        self.known_start.clone_from(&h.start);
        self.known_column.clone_from(&h.column);
        let n = h.rows();
        // upper triangle: columns to the right of the diagonal
        self.right_start.clear();
        self.right_start.resize(n + 1, 0);
        for r in 0..n {
            for k in h.row(r) {
                if h.column[k] < r {
                    self.right_start[h.column[k] + 1] += 1;
                }
            }
        }
        for r in 0..n {
            self.right_start[r + 1] += self.right_start[r];
        }
        self.cursor.clear();
        self.cursor.extend_from_slice(&self.right_start[..n]);
        self.right.clear();
        self.right.resize(self.right_start[n], 0);
        for r in 0..n {
            for k in h.row(r) {
                let c = h.column[k];
                if c < r {
                    self.right[self.cursor[c]] = r;
                    self.cursor[c] += 1;
                }
            }
        }
        // count, then fill: both walk the elimination tree in the same way
        let lower = &mut self.lower;
        lower.start.clear();
        lower.start.resize(n + 1, 0);
        self.below_start.clear();
        self.below_start.resize(n + 1, 0);
        self.below.clear();
        for fill in [false, true] {
            if fill {
                for r in 0..n {
                    lower.start[r + 1] += lower.start[r] + 1;
                }
                for r in 0..n {
                    self.below_start[r + 1] += self.below_start[r];
                }
                let total = lower.start[n];
                lower.column.clear();
                lower.column.resize(total, 0);
                lower.value.clear();
                lower.value.resize(total, 0.0);
                self.below.resize(self.below_start[n], (0, 0));
                self.cursor.clear();
                // rows are filled from their end, before the diagonal
                self.cursor.extend((0..n).map(|r| lower.start[r + 1] - 1));
                for r in 0..n {
                    lower.column[lower.start[r + 1] - 1] = r;
                }
            }
            self.parent.clear();
            self.parent.resize(n, NONE);
            self.flag.clear();
            self.flag.resize(n, NONE);
            for r in (0..n).rev() {
                self.flag[r] = r;
                let mut at = self.below_start[r];
                for &first in &self.right[self.right_start[r]..self.right_start[r + 1]] {
                    let mut i = first;
                    while self.flag[i] != r {
                        if self.parent[i] == NONE {
                            self.parent[i] = r;
                        }
                        if fill {
                            self.cursor[i] -= 1;
                            lower.column[self.cursor[i]] = r;
                            self.below[at] = (i, self.cursor[i]);
                            at += 1;
                        } else {
                            lower.start[i + 1] += 1;
                            self.below_start[r + 1] += 1;
                        }
                        self.flag[i] = r;
                        i = self.parent[i];
                    }
                }
            }
        }
        self.find_runs(n);
        self.dense.clear();
        self.dense.resize(n, 0.0);
    }

    /// Split the rows of the factor into runs.
    fn find_runs(&mut self, n: usize) {
        self.run_start.clear();
        self.runs.clear();
        for r in 0..n {
            let first = self.runs.len();
            self.run_start.push(first);
            for entry in self.lower.start[r]..self.lower.start[r + 1] {
                let column = self.lower.column[entry];
                match self.runs[first..].last_mut() {
                    Some(run) if run.column + run.len == column => run.len += 1,
                    _ => self.runs.push(Run { entry, column, len: 1 }),
                }
            }
        }
        self.run_start.push(self.runs.len());
    }

    /// Compute the factor of a matrix whose pattern was analyzed. Pivots below `min_pivot` are
    /// replaced by it; the number of those that were not is returned.
    pub fn factor(&mut self, h: &SparseLower, min_pivot: Real) -> usize {
        let n = h.rows();
        let mut rank = n;
        let SparseFactor { lower, below_start, below, dense, run_start, runs, .. } = self;
        for r in (0..n).rev() {
            for k in h.row(r) {
                dense[h.column[k]] = h.value[k];
            }
            for &(row, at) in &below[below_start[r]..below_start[r + 1]] {
                let row_runs = &runs[run_start[row]..run_start[row + 1]];
                subtract_runs(dense, &lower.value, row_runs, at + 1, lower.value[at]);
            }
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
    /// returned.
    pub fn update(&mut self, values: Which<'_>, columns: &[i32], x: &[Real], plus: bool) -> usize {
        let n = self.lower.rows();
        let Some(&last) = columns.last() else { return n };
        let SparseFactor { lower, dense, run_start, runs, .. } = self;
        let SparseLower { start, value, .. } = lower;
        let values = match values {
            Which::Own => &mut value[..],
            Which::Other(values) => values,
        };
        for (c, x) in columns.iter().zip(x) {
            dense[*c as usize] = *x;
        }
        let mut rank = n;
        for r in (0..=last as usize).rev() {
            let x = dense[r];
            if x == 0.0 {
                continue;
            }
            dense[r] = 0.0;
            let end = start[r + 1] - 1;
            let diag = values[end];
            let mut new = diag * diag + if plus { x * x } else { -x * x };
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

    /// Solve `Lᵀ L x = b` in place.
    pub fn solve(&self, values: &[Real], x: &mut [Real]) {
        let start = &self.lower.start;
        let n = self.lower.rows();
        let row_runs = |r: usize| &self.runs[self.run_start[r]..self.run_start[r + 1]];
        for r in (0..n).rev() {
            if x[r] != 0.0 {
                let end = start[r + 1] - 1;
                x[r] /= values[end];
                let scale = x[r];
                subtract_runs(x, values, row_runs(r), end, scale);
            }
        }
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
    use alloc::vec;

    /// A matrix with fill-in.
    fn matrix() -> SparseLower {
        SparseLower {
            start: vec![0, 1, 2, 4, 7],
            column: vec![0, 1, 0, 2, 0, 1, 3],
            value: vec![4.0, 3.0, 1.0, 5.0, 0.5, 0.25, 6.0],
        }
    }

    fn times(h: &SparseLower, x: &[Real]) -> Vec<Real> {
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
        let h = matrix();
        let mut f = SparseFactor::default();
        f.analyze(&h);
        assert_eq!(f.factor(&h, 1e-12), 4);
        let b = [1.0, -2.0, 3.0, 0.5];
        let mut x = b;
        f.solve(&f.lower.value.clone(), &mut x);
        for (y, b) in times(&h, &x).iter().zip(&b) {
            assert!((y - b).abs() < 1e-5);
        }
        let v = [0.7, 0.3];
        assert_eq!(f.update(Which::Own, &[0, 3], &v, true), 4);
        let mut x = b;
        f.solve(&f.lower.value.clone(), &mut x);
        let along = 0.7 * x[0] + 0.3 * x[3];
        let mut y = times(&h, &x);
        y[0] += 0.7 * along;
        y[3] += 0.3 * along;
        for (y, b) in y.iter().zip(&b) {
            assert!((y - b).abs() < 1e-5);
        }
    }
}
