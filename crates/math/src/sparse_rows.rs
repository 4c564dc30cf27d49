//! Sparse rows, neighbours of which often have the same columns.
//!
//! The Jacobian of constraints has such groups: the rows of one contact (normal, tangents, edges of a pyramid) act on
//! the same degrees of freedom. A group gathers the entries of the vector once, and works on contiguous numbers from
//! then on. Each row still sees its own operations in its own order, so that the bits are those of single rows.
use bytemuck::{Pod, Zeroable};

use crate::dense::{add_four, dot_lanes};
use crate::wide::{Lanes, Plain};
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
            self.mul_group::<Plain>(first, end, res, vec, &mut gathered);
        }
    }

    /// [`SparseRows::mul`] for the rows of one group.
    #[inline(always)]
    fn mul_group<L: Lanes>(
        &self,
        first: usize,
        end: usize,
        res: &mut [Real],
        vec: &[Real],
        gathered: &mut [Real; GROUPED],
    ) {
        // a single row, or one that is too long for the buffer
        let (values, columns) = self.row(first);
        let n = columns.len();
        if end - first == 1 || n > GROUPED {
            for r in first..end {
                let (values, columns) = self.row(r);
                res[r] = match (values.try_into(), columns.try_into()) {
                    (Ok(values), Ok(columns)) if between_points(columns) => {
                        dot_between(values, columns, vec)
                    }
                    _ => dot_sparse(values, columns, vec),
                };
            }
            return;
        }
        // the elements in the columns of the group, once for all of its rows
        let gathered = &mut gathered[..n];
        for (x, c) in gathered.iter_mut().zip(columns) {
            *x = vec[*c as usize];
        }
        res[first] = dot_lanes::<L>(values, gathered);
        for r in first + 1..end {
            res[r] = dot_lanes::<L>(self.row(r).0, gathered);
        }
    }

    /// Stretches of rows that [`SparseRows::mul_runs`] multiplies in one way, for many products.
    pub fn runs<'s>(&self, stack: &mut Stack<'s>) -> Result<&'s [Run], StackFull> {
        let runs = stack.take::<Run>(self.rownnz.len())?;
        let mut count = 0;
        for (first, end) in self.groups() {
            let between =
                end - first == 1 && self.row(first).1.try_into().is_ok_and(between_points);
            let run = Run { first: first as u32, end: end as u32, between: between.into() };
            match runs[..count].last_mut() {
                // a row between two points goes on where the one before it ends
                Some(last)
                    if between
                        && last.between != 0
                        && self.rowadr[first] == self.rowadr[first - 1] + 6 =>
                {
                    last.end = run.end;
                }
                _ => {
                    runs[count] = run;
                    count += 1;
                }
            }
        }
        Ok(&runs[..count])
    }

    /// [`SparseRows::mul`] by the [runs](SparseRows::runs) of the matrix.
    pub fn mul_runs(&self, runs: &[Run], res: &mut [Real], vec: &[Real]) {
        crate::wide::mul_runs(self, runs, res, vec);
    }

    /// [`SparseRows::mul_runs`] with lanes of some kind.
    #[inline(always)]
    pub(crate) fn mul_runs_generic<L: Lanes>(&self, runs: &[Run], res: &mut [Real], vec: &[Real]) {
        let mut gathered = [0.0; GROUPED];
        for run in runs {
            let (first, end) = (run.first as usize, run.end as usize);
            if run.between == 0 {
                self.mul_group::<L>(first, end, res, vec, &mut gathered);
                continue;
            }
            let start = self.rowadr[first] as usize;
            let entries = start..start + 6 * (end - first);
            let rows = self.values[entries.clone()].as_chunks::<6>().0.iter();
            let columns = self.colind[entries].as_chunks::<6>().0;
            for (res, (values, columns)) in res[first..end].iter_mut().zip(rows.zip(columns)) {
                *res = dot_between(values, columns, vec);
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

/// Are these the columns of two points, three that follow each other, twice? As in rows between two vertices of a flex.
#[inline(always)]
fn between_points(columns: &[i32; 6]) -> bool {
    // columns ascend
    columns[2] - columns[0] == 2 && columns[5] - columns[3] == 2
}

/// [`dot_sparse`] of a row between two points: each of them is three elements of the vector side by side.
#[inline(always)]
fn dot_between(values: &[Real; 6], columns: &[i32; 6], vec: &[Real]) -> Real {
    let (a, b) = (&vec[columns[0] as usize..][..3], &vec[columns[3] as usize..][..3]);
    dot_gathered(values, &[a[0], a[1], a[2], b[0], b[1], b[2]])
}

/// A stretch of rows: one group, or rows between two points that lie one after the other.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Run {
    first: u32,
    end: u32,
    /// Not zero for rows between two points.
    between: u32,
}

/// The columns of a sparse matrix: its entries once more, for many products with the transposed matrix.
///
/// Neighbours often have entries in the same rows: the degrees of freedom of a body, of a vertex of a flex. Such a group is stored with its rows once.
#[derive(Debug, Default)]
pub struct SparseColumns<'a> {
    /// Groups of columns, in order.
    groups: &'a mut [Group],
    /// Rows of the groups, one group after the other; ascending in a group.
    row: &'a mut [i32],
    /// Entries, one column after the other.
    value: &'a mut [Real],
}

/// Columns side by side that have entries in the same rows.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
struct Group {
    /// How many columns.
    columns: u32,
    /// How many rows.
    rows: u32,
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
        let entries = start[columns];
        let (groups, row) = (stack.take::<Group>(columns)?, stack.take::<i32>(entries)?);
        let value = stack.take(entries)?;
        // where the next entry of each column goes
        let mut inner = stack.scope();
        let next = inner.take::<usize>(columns)?;
        next.copy_from_slice(&start[..columns]);
        for (first, end) in rows.groups() {
            let (values, columns) = rows.row(first);
            if end - first == 1 {
                for (x, c) in values.iter().zip(columns) {
                    let place = &mut next[*c as usize];
                    (row[*place], value[*place]) = (first as i32, *x);
                    *place += 1;
                }
                continue;
            }
            for (place, c) in columns.iter().enumerate() {
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
        // a column joins the group before it if it has the same rows; those of the group are then there already
        let (mut count, mut kept) = (0, 0);
        for column in start.windows(2) {
            let (from, to) = (column[0], column[1]);
            let length = to - from;
            if let Some(last) = groups[..count].last_mut()
                && last.rows as usize == length
                && row[kept - length..kept] == row[from..to]
            {
                last.columns += 1;
                continue;
            }
            groups[count] = Group { columns: 1, rows: length as u32 };
            count += 1;
            row.copy_within(from..to, kept);
            kept += length;
        }
        Ok(SparseColumns { groups: &mut groups[..count], row, value })
    }

    /// `res = Aᵀ vec`: one scalar product for each column.
    pub fn mul_transposed(&self, mut res: &mut [Real], vec: &[Real]) {
        let (mut rows, mut values) = (&*self.row, &*self.value);
        for group in &*self.groups {
            let (columns, n) = (group.columns as usize, group.rows as usize);
            let (own, others) = rows.split_at(n);
            rows = others;
            let (results, others) = res.split_at_mut(columns);
            res = others;
            let (entries, others) = values.split_at(columns * n);
            values = others;
            if let ([x, y, z], true) = (&mut *results, n > 0) {
                let [a, b, c] = core::array::from_fn(|k| &entries[k * n..(k + 1) * n]);
                [*x, *y, *z] = dot_three([a, b, c], own, vec);
                continue;
            }
            for (k, res) in results.iter_mut().enumerate() {
                *res = dot_sparse(&entries[k * n..(k + 1) * n], own, vec);
            }
        }
    }
}

/// [`dot_sparse`] of three columns with the same rows, as a point has them, side by side.
#[inline]
fn dot_three(columns: [&[Real]; 3], rows: &[i32], vec: &[Real]) -> [Real; 3] {
    let (row_fours, row_rest) = rows.as_chunks::<4>();
    let whole = 4 * row_fours.len();
    let fours = columns.map(|column| column[..whole].as_chunks::<4>().0);
    // whole fours: elements of the vector are looked up once for all three
    let mut sums = [[0.0; 4]; 3];
    for (i, rows) in row_fours.iter().enumerate() {
        let x = rows.map(|r| vec[r as usize]);
        for (sums, fours) in sums.iter_mut().zip(fours) {
            for k in 0..4 {
                sums[k] += fours[i][k] * x[k];
            }
        }
    }
    let mut totals = sums.map(add_four);
    // the rest one by one
    for (i, r) in row_rest.iter().enumerate() {
        let x = vec[*r as usize];
        for (total, column) in totals.iter_mut().zip(columns) {
            *total += column[whole + i] * x;
        }
    }
    totals
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
    fn products_by_runs_are_those_of_single_rows() {
        // between points 0 and 1 and 1 and 2, an arm of another length, a pair of rows with the same columns, between points 0 and 2
        let colind: Vec<i32> = [
            &[0, 1, 2, 3, 4, 5][..],
            &[3, 4, 5, 6, 7, 8],
            &[0, 4],
            &[1, 8],
            &[1, 8],
            &[0, 1, 2, 6, 7, 8],
        ]
        .concat();
        let values: Vec<Real> =
            (0..colind.len()).map(|i| crate::sin((i * i + 3) as Real * 0.7371)).collect();
        let a = SparseRows {
            values: &values,
            rownnz: &[6, 6, 2, 2, 2, 6],
            rowadr: &[0, 6, 12, 14, 16, 18],
            colind: &colind,
            rowsuper: &[0, 0, 0, 1, 0, 0],
        };
        let vec: Vec<Real> = (0..9).map(|i| crate::cos(i as Real)).collect();
        let mut words = [7; 20];
        let stack = &mut Stack::new(&mut words);
        let runs = a.runs(stack).unwrap();
        assert_eq!(runs.iter().map(|run| run.end).collect::<Vec<_>>(), [2, 3, 5, 6]);
        let (mut by_run, mut by_row) = ([9.0; 6], [9.0; 6]);
        a.mul_runs(runs, &mut by_run, &vec);
        a.mul(&mut by_row, &vec);
        assert_eq!(by_run, by_row);
        for r in 0..6 {
            let (values, columns) = a.row(r);
            assert_eq!(by_row[r], dot_sparse(values, columns, &vec), "{r}");
        }
    }

    #[test]
    fn columns_of_a_point_have_the_bits_of_single_columns() {
        for n in 0..11 {
            let rows: Vec<i32> = (0..n as i32).map(|r| 2 * r).collect();
            let value = |i: usize| crate::sin((i * i + 3) as Real * 0.7371);
            let columns: [Vec<Real>; 3] =
                [0, 50, 99].map(|k| (0..n).map(|i| value(i + k)).collect());
            let vec: Vec<Real> = (0..21).map(|i| value(i + 7)).collect();
            let slices = columns.each_ref().map(|column| &column[..]);
            let single = slices.map(|column| dot_sparse(column, &rows, &vec));
            assert_eq!(dot_three(slices, &rows, &vec), single);
        }
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
        let (mut words, mut res) = ([7; 40], [9.0; 2]);
        let by_column = SparseColumns::new(&a, 2, &mut Stack::new(&mut words)).unwrap();
        by_column.mul_transposed(&mut res, &vec);
        assert_eq!(res, columns.each_ref().map(|column| crate::dot_gathered(column, &vec)));
    }
}
