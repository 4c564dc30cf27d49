//! Sparse rows, neighbours of which often have the same columns.
//!
//! The Jacobian of constraints has such groups: the rows of one contact (normal, tangents, edges of a pyramid) act on
//! the same degrees of freedom. A group gathers the entries of the vector once, and works on contiguous numbers from
//! then on. Each row still sees its own operations in its own order, so that the bits are those of single rows.
use crate::{Real, Stack, StackFull, add_scaled, dot_gathered, dot_sparse};

/// Rows with at most this many columns are worked on in groups: the memory for them is on the processor's stack. More
/// than what moves two limbs of a humanoid.
const GROUPED: usize = 64;

/// A matrix in compressed rows, with groups of rows that share their columns.
#[derive(Clone, Copy, Debug)]
pub struct SparseRows<'a> {
    /// Entries.
    pub values: &'a [Real],
    /// Number of entries of each row.
    pub rownnz: &'a [i32],
    /// First entry of each row.
    pub rowadr: &'a [i32],
    /// Column of each entry; ascending in a row.
    pub colind: &'a [i32],
    /// For each row, how many of the following rows have the same columns.
    pub rowsuper: &'a [i32],
}

impl<'a> SparseRows<'a> {
    /// Values and columns of a row.
    #[inline]
    pub fn row(&self, r: usize) -> (&'a [Real], &'a [i32]) {
        let start = self.rowadr[r] as usize;
        let range = start..start + self.rownnz[r] as usize;
        (&self.values[range.clone()], &self.colind[range])
    }

    /// Groups of rows that share their columns: first row, and the one after the last.
    #[inline]
    pub fn groups(&self) -> impl Iterator<Item = (usize, usize)> + use<'a> {
        let rowsuper = self.rowsuper;
        let mut next = 0;
        core::iter::from_fn(move || {
            let first = next;
            // whatever a user wrote there, a group has one row at least and ends with the matrix
            let more = (*rowsuper.get(first)?).max(0) as usize;
            next = (first + 1 + more).min(rowsuper.len());
            Some((first, next))
        })
    }

    /// `res = A vec`. MuJoCo: `mju_mulMatVecSparse`.
    pub fn mul(&self, res: &mut [Real], vec: &[Real]) {
        let mut gathered = [0.0; GROUPED];
        for (first, end) in self.groups() {
            // a single row, or one that is too long for the buffer
            let (values, columns) = self.row(first);
            let n = columns.len();
            if end - first == 1 || n > GROUPED {
                for r in first..end {
                    let (values, columns) = self.row(r);
                    res[r] = dot_sparse(values, columns, vec);
                }
                continue;
            }
            // the elements in the columns of the group, once for all of its rows
            let gathered = &mut gathered[..n];
            for (x, c) in gathered.iter_mut().zip(columns) {
                *x = vec[*c as usize];
            }
            res[first] = dot_gathered(values, gathered);
            for r in first + 1..end {
                res[r] = dot_gathered(self.row(r).0, gathered);
            }
        }
    }

    /// `res = Aᵀ vec`. MuJoCo: `mju_mulMatTVecSparse`.
    pub fn mul_transposed(&self, res: &mut [Real], vec: &[Real]) {
        // rows add up, in order; a row with factor zero adds nothing
        res.fill(0.0);
        let mut sums = [0.0; GROUPED];
        for (first, end) in self.groups() {
            let columns = self.row(first).1;
            let n = columns.len();
            if end - first == 1 || n > GROUPED {
                for r in (first..end).filter(|r| vec[*r] != 0.0) {
                    let (values, columns) = self.row(r);
                    for (x, c) in values.iter().zip(columns) {
                        res[*c as usize] += x * vec[r];
                    }
                }
                continue;
            }
            // the sums so far, all rows of the group, and back
            let sums = &mut sums[..n];
            for (x, c) in sums.iter_mut().zip(columns) {
                *x = res[*c as usize];
            }
            for r in (first..end).filter(|r| vec[*r] != 0.0) {
                add_scaled(sums, self.row(r).0, vec[r]);
            }
            for (x, c) in sums.iter().zip(columns) {
                res[*c as usize] = *x;
            }
        }
    }
}

/// The columns of a sparse matrix: its entries once more, for many products with the transposed matrix.
#[derive(Debug, Default)]
pub struct SparseColumns<'a> {
    /// First entry of each column, and the end of the last one.
    start: &'a mut [usize],
    /// Row of each entry; ascending in a column.
    row: &'a mut [i32],
    value: &'a mut [Real],
}

impl<'a> SparseColumns<'a> {
    /// The entries of a matrix with this many columns.
    pub fn new(
        rows: &SparseRows<'_>,
        columns: usize,
        stack: &mut Stack<'a>,
    ) -> Result<SparseColumns<'a>, StackFull> {
        // entries of each column, added up to where columns begin
        let start = stack.take_zeroed::<usize>(columns + 1)?;
        for (first, end) in rows.groups() {
            for c in rows.row(first).1 {
                start[*c as usize + 1] += end - first;
            }
        }
        for c in 0..columns {
            start[c + 1] += start[c];
        }
        let (row, value) = (stack.take(start[columns])?, stack.take(start[columns])?);
        // where the next entry of each column goes
        let mut inner = stack.scope();
        let next = inner.take::<usize>(columns)?;
        next.copy_from_slice(&start[..columns]);
        for (first, end) in rows.groups() {
            for (place, c) in rows.row(first).1.iter().enumerate() {
                // all rows of the group lie one after the other in each of its columns
                let from = next[*c as usize];
                let to = from + end - first;
                next[*c as usize] = to;
                let entries = row[from..to].iter_mut().zip(&mut value[from..to]);
                for ((row, value), r) in entries.zip(first..) {
                    *row = r as i32;
                    *value = rows.values[rows.rowadr[r] as usize + place];
                }
            }
        }
        Ok(SparseColumns { start, row, value })
    }

    /// `res = Aᵀ vec`: one scalar product for each column.
    pub fn mul_transposed(&self, res: &mut [Real], vec: &[Real]) {
        for (res, range) in res.iter_mut().zip(self.start.windows(2)) {
            let entries = range[0]..range[1];
            *res = dot_sparse(&self.value[entries.clone()], &self.row[entries], vec);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    /// `[[1, 0, 2], [3, 0, 4], [0, 5, 0]]`
    const ROWS: SparseRows<'static> = SparseRows {
        values: &[1.0, 2.0, 3.0, 4.0, 5.0],
        rownnz: &[2, 2, 1],
        rowadr: &[0, 2, 4],
        colind: &[0, 2, 0, 2, 1],
        rowsuper: &[1, 0, 0],
    };

    #[test]
    fn products_are_those_of_the_dense_matrix() {
        let mut res = [9.0; 3];
        ROWS.mul(&mut res, &[1.0, 10.0, 100.0]);
        assert_eq!(res, [201.0, 403.0, 50.0]);
        ROWS.mul_transposed(&mut res, &[1.0, 10.0, 100.0]);
        assert_eq!(res, [31.0, 500.0, 42.0]);
    }

    #[test]
    fn groups_cover_all_rows() {
        assert!(ROWS.groups().eq([(0, 2), (2, 3)]));
    }

    #[test]
    fn products_by_column_are_scalar_products_of_columns() {
        // nine rows: the first seven share both columns, the last two have the second one alone
        let value = |i: usize| crate::sin((i * i + 3) as Real * 0.7371);
        let values: Vec<Real> = (0..16).map(value).collect();
        let mut rows = (alloc::vec![2; 7], alloc::vec![0; 9], alloc::vec![]);
        rows.0.extend([1, 1]);
        for r in 0..9 {
            rows.1[r] = rows.2.len() as i32;
            rows.2.extend(if r < 7 { &[0, 1][..] } else { &[1] });
        }
        let rowsuper = [6, 5, 4, 3, 2, 1, 0, 1, 0];
        let a = SparseRows {
            values: &values,
            rownnz: &rows.0,
            rowadr: &rows.1,
            colind: &rows.2,
            rowsuper: &rowsuper,
        };
        let mut vec: Vec<Real> = (20..29).map(value).collect();
        vec[2] = 0.0;
        let columns: [Vec<Real>; 2] = [
            (0..7).map(|r| values[2 * r]).collect(),
            (0..9).map(|r| if r < 7 { values[2 * r + 1] } else { values[7 + r] }).collect(),
        ];
        let (mut words, mut res) = ([7; 30], [9.0; 2]);
        let by_column = SparseColumns::new(&a, 2, &mut Stack::new(&mut words)).unwrap();
        by_column.mul_transposed(&mut res, &vec);
        assert_eq!(res, columns.each_ref().map(|column| crate::dot_gathered(column, &vec)));
    }
}
