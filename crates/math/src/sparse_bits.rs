//! Sparse symmetric matrices of at most 64 rows, as the Hessians of small islands are: the pattern of a row is a word of bits, its values
//! are there in all columns.
//!
//! With so few rows, most of what [`SparseFactor::analyze`] and [`SparseFactor::factor`] do is to look up places. A word of bits finds the
//! pattern of the factor by one operation for each row, and rows of all columns are added four entries at once. What comes out is a
//! [`SparseFactor`] with the bits of the other way:
//!
//! * Each entry sees the same products, in the same order: [`BitMatrix::factor`] walks up the elimination tree as `analyze` does.
//! * Entries outside of the pattern are zero and stay so. Inside, a sum that begins with zero never becomes negative zero, so that adding or
//!   subtracting a zero leaves it as it is.
use crate::tiles::{Four, GROUP, tiles};
use crate::wide::{self, LANES, Lanes};
use crate::{Real, SparseFactor, Stack, StackFull, sqrt};

/// The lower triangle of a matrix of at most [`BitMatrix::MOST_ROWS`] rows.
#[derive(Debug)]
pub struct BitMatrix<'a> {
    /// For each row, a bit for each column that has an entry, on both sides of the diagonal.
    pattern: &'a mut [u64],
    /// For each row, the next one in the elimination tree of the factor.
    parent: &'a mut [usize],
    /// Rows of all columns, in whole fours; what is right of the diagonal is written, but never read into a result.
    values: &'a mut [Four],
    /// The diagonal, which has products of its own.
    diagonal: &'a mut [Real],
    /// Weighted rows of a group in all columns; zero between calls.
    spread: &'a mut [Four],
}

/// Bits of the columns up to the diagonal.
fn up_to(r: usize) -> u64 {
    u64::MAX >> (BitMatrix::MOST_ROWS - 1 - r)
}

/// Places of the bits of a word, in ascending order.
fn places(mut bits: u64) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let place = bits.trailing_zeros() as usize;
        // the lowest bit goes
        bits = (bits != 0).then(|| bits & (bits - 1))?;
        Some(place)
    })
}

impl<'a> BitMatrix<'a> {
    /// As many rows as a word has bits.
    pub const MOST_ROWS: usize = 64;

    /// A matrix with entries on its diagonal only.
    pub fn new(n: usize, stack: &mut Stack<'a>) -> Result<BitMatrix<'a>, StackFull> {
        let pattern = stack.take(n)?;
        for (r, bits) in pattern.iter_mut().enumerate() {
            *bits = 1 << r;
        }
        Ok(BitMatrix {
            pattern,
            parent: stack.take_zeroed(n)?,
            values: stack.take(n * tiles(n))?,
            diagonal: stack.take(n)?,
            spread: stack.take_zeroed(GROUP * tiles(n))?,
        })
    }

    /// Make room for products of rows with these columns: all of them meet each other.
    pub fn join(&mut self, columns: &[i32]) {
        let bits = columns.iter().fold(0, |bits, c| bits | 1 << c);
        for c in columns {
            self.pattern[*c as usize] |= bits;
        }
    }

    /// Make room for a row of a symmetric matrix.
    pub fn join_row(&mut self, r: usize, columns: &[i32]) {
        for c in columns {
            self.pattern[r] |= 1 << c;
            self.pattern[*c as usize] |= 1 << r;
        }
    }

    /// Number of entries up to the diagonal.
    pub fn entries(&self) -> usize {
        let count = |(r, bits): (usize, &u64)| (bits & up_to(r)).count_ones() as usize;
        self.pattern.iter().enumerate().map(count).sum()
    }

    /// Find the pattern of the factor, as [`SparseFactor::analyze`] does.
    pub fn analyze(&mut self, stack: &mut Stack<'a>) -> Result<SparseFactor<'a>, StackFull> {
        let n = self.pattern.len();
        let mut rows = [0; BitMatrix::MOST_ROWS];
        for (r, bits) in self.pattern.iter().enumerate() {
            rows[r] = bits & up_to(r);
        }
        // a row that is eliminated leaves its entries to the one of its last column before the diagonal
        for r in (0..n).rev() {
            let before = rows[r] & !(1 << r);
            if let Some(last) = before.checked_ilog2() {
                self.parent[r] = last as usize;
                rows[last as usize] |= before;
            }
        }
        SparseFactor::with_pattern(&rows[..n], stack)
    }

    /// Set all entries to zero.
    pub fn clear(&mut self) {
        self.diagonal.fill(0.0);
        let across = tiles(self.pattern.len());
        for (r, row) in self.values.chunks_exact_mut(across.max(1)).enumerate() {
            row[..=r / LANES].fill([0.0; LANES]);
        }
    }

    /// `A += Σᵢ dᵢ jᵢᵀ jᵢ` for at most [`GROUP`] rows `j` with the same columns, one after the other. Off the diagonal an entry is
    /// `J(i, r) (d J(i, c))`, on it `J(i, r)² d`.
    pub fn add(&mut self, columns: &[i32], rows: &[&[Real]], weights: &[Real]) {
        let n = self.pattern.len();
        let (diagonal, across) = (&mut self.diagonal[..n], tiles(n));
        for ((to, row), d) in self.spread.chunks_exact_mut(across).zip(rows).zip(weights) {
            let to = &mut to.as_flattened_mut()[..n];
            for (x, c) in row.iter().zip(columns.iter().map(|c| *c as usize)) {
                diagonal[c] += x * x * d;
                to[c] = d * x;
            }
        }
        // a single column has its diagonal alone
        if columns.len() > 1 {
            wide::add_spread(self.values, self.spread, across, columns, rows);
        }
        self.spread[..rows.len() * across].fill([0.0; LANES]);
    }

    /// Add a row of a symmetric matrix; the last of its columns is the diagonal, and nothing else is added to the row afterwards.
    pub fn add_last(&mut self, r: usize, columns: &[i32], row: &[Real]) {
        let start = r * tiles(self.pattern.len()) * LANES;
        let values = &mut self.values.as_flattened_mut()[start..=start + r];
        values[r] = self.diagonal[r];
        for (c, x) in columns.iter().zip(row) {
            values[*c as usize] += x;
        }
    }

    /// Compute the factor in a pattern from [`BitMatrix::analyze`], as [`SparseFactor::factor`] does; the matrix is used up.
    pub fn factor(&mut self, factor: &mut SparseFactor<'_>, min_pivot: Real) -> usize {
        let rank = wide::factor_bits(self.values, self.pattern, self.parent, min_pivot);
        // the entries of the pattern, side by side
        let lower = &mut factor.lower;
        let stride = tiles(self.pattern.len()) * LANES;
        for (r, from) in self.values.as_flattened().chunks_exact(stride.max(1)).enumerate() {
            let entries = lower.row(r);
            for (to, c) in lower.value[entries.clone()].iter_mut().zip(&lower.column[entries]) {
                *to = from[*c];
            }
        }
        rank
    }
}

/// The part of [`BitMatrix::add`] off the diagonal, with lanes of some kind.
#[inline(always)]
pub(crate) fn add_spread_generic<L: Lanes>(
    values: &mut [Four],
    spread: &[Four],
    across: usize,
    columns: &[i32],
    rows: &[&[Real]],
) {
    match *rows {
        [a] => add_some::<L, 1>(values, spread, across, columns, [a]),
        [a, b] => add_some::<L, 2>(values, spread, across, columns, [a, b]),
        [a, b, c] => add_some::<L, 3>(values, spread, across, columns, [a, b, c]),
        [a, b, c, d, ..] => add_some::<L, GROUP>(values, spread, across, columns, [a, b, c, d]),
        [] => {}
    }
}

/// [`add_spread_generic`] for so many rows.
#[inline(always)]
fn add_some<L: Lanes, const ROWS: usize>(
    values: &mut [Four],
    spread: &[Four],
    across: usize,
    columns: &[i32],
    rows: [&[Real]; ROWS],
) {
    // left of the first column there is nothing, and in its own row only the diagonal
    let first = columns[0] as usize / LANES;
    for (place, r) in columns.iter().map(|c| *c as usize).enumerate().skip(1) {
        let fours = first..r / LANES + 1;
        let x = rows.map(|row| L::splat(row[place]));
        let weighted: [&[Four]; ROWS] =
            core::array::from_fn(|k| &spread[k * across..][fours.clone()]);
        for (i, to) in values[r * across..][fours].iter_mut().enumerate() {
            let mut sum = L::load(to);
            for (weighted, x) in weighted.iter().zip(x) {
                sum = sum.add(L::load(&weighted[i]).mul(x));
            }
            *to = sum.store();
        }
    }
}

/// Fours of a row that are kept in registers while other rows are subtracted.
const AT_ONCE: usize = 4;

/// Subtract `L_ir L_i·` from some fours of row `r`, for rows that begin at the given places.
#[inline(always)]
fn subtract<L: Lanes, const FOURS: usize>(
    part: &mut [Four],
    from: usize,
    below: &[Four],
    others: &[usize],
    r: usize,
) {
    let mut left: [L; FOURS] = core::array::from_fn(|k| L::load(&part[k]));
    for start in others {
        let other = &below[*start..][..=r / LANES];
        let scale = L::splat(other[r / LANES][r % LANES]);
        for (left, x) in left.iter_mut().zip(&other[from..from + FOURS]) {
            *left = left.sub(scale.mul(L::load(x)));
        }
    }
    for (to, left) in part.iter_mut().zip(left) {
        *to = left.store();
    }
}

/// [`BitMatrix::factor`] with lanes of some kind, in the place of the matrix.
#[inline(always)]
pub(crate) fn factor_bits_generic<L: Lanes>(
    values: &mut [Four],
    pattern: &[u64],
    parent: &[usize],
    min_pivot: Real,
) -> usize {
    let n = pattern.len();
    let across = tiles(n);
    let mut rank = n;
    for r in (0..n).rev() {
        let (above, below) = values.split_at_mut((r + 1) * across);
        let row = &mut above[r * across..][..=r / LANES];
        // rows below that have an entry in this column: from each entry of the matrix up the elimination tree
        let mut met: u64 = 1 << r;
        let mut others = [0; BitMatrix::MOST_ROWS];
        let mut count = 0;
        for entry in places(pattern[r] & !up_to(r)) {
            let mut i = entry;
            while met & (1 << i) == 0 {
                met |= 1 << i;
                others[count] = (i - r - 1) * across;
                count += 1;
                i = parent[i];
            }
        }
        // minus what they take from this one, Σᵢ L_ir L_i·
        let others = &others[..count];
        for (i, part) in row.chunks_mut(AT_ONCE).enumerate() {
            let from = i * AT_ONCE;
            match part.len() {
                1 => subtract::<L, 1>(part, from, below, others, r),
                2 => subtract::<L, 2>(part, from, below, others, r),
                3 => subtract::<L, 3>(part, from, below, others, r),
                _ => subtract::<L, AT_ONCE>(part, from, below, others, r),
            }
        }
        // L_rr is the root of what is left, and the row is divided by it
        let mut pivot = row[r / LANES][r % LANES];
        if pivot < min_pivot {
            pivot = min_pivot;
            rank -= 1;
        }
        let diag = sqrt(pivot);
        let inv = L::splat(1.0 / diag);
        for to in row.iter_mut() {
            *to = L::load(to).mul(inv).store();
        }
        row[r / LANES][r % LANES] = diag;
    }
    rank
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::SparseLower;

    /// Rows of `J` that share their columns, and the columns.
    const GROUPS: [(usize, &[i32]); 5] =
        [(4, &[0, 1, 2, 5, 6]), (1, &[3]), (2, &[1, 2, 8, 9, 10]), (3, &[0, 3, 4]), (1, &[2, 12])];
    const N: usize = 13;

    /// Numbers without pattern.
    fn number(i: usize) -> Real {
        crate::sin((i * i + 3) as Real * 0.7371)
    }

    /// Columns of a row of the other matrix: the diagonal, and one more.
    fn columns(r: usize) -> Vec<i32> {
        if r < 3 { [r as i32].into() } else { [r as i32 / 3, r as i32].into() }
    }

    #[test]
    fn factors_have_the_bits_of_sparse_ones() {
        let mut words = [7; 4000];
        let stack = &mut Stack::new(&mut words);
        let mut bits = BitMatrix::new(N, stack).unwrap();
        // the same matrix entry by entry, with a mark for each place
        let (mut full, mut there) = ([[0.0; N]; N], [[false; N]; N]);
        GROUPS.iter().for_each(|(_, columns)| bits.join(columns));
        (0..N).for_each(|r| bits.join_row(r, &columns(r)));
        let mut factor = bits.analyze(stack).unwrap();
        bits.clear();
        for (g, (count, columns)) in GROUPS.iter().enumerate() {
            let row = |i| (0..columns.len()).map(|c| number(100 * g + 10 * i + c)).collect();
            let rows: Vec<Vec<Real>> = (0..*count).map(row).collect();
            let weights: Vec<Real> = (0..*count).map(|i| 2.0 + number(50 + 5 * g + i)).collect();
            let slices: Vec<&[Real]> = rows.iter().map(|row| &row[..]).collect();
            bits.add(columns, &slices, &weights);
            for (row, d) in rows.iter().zip(&weights) {
                for (a, r) in columns.iter().map(|c| *c as usize).enumerate() {
                    for (b, c) in columns[..a].iter().map(|c| *c as usize).enumerate() {
                        full[r][c] += d * row[b] * row[a];
                        there[r][c] = true;
                    }
                    full[r][r] += row[a] * row[a] * d;
                }
            }
        }
        for r in 0..N {
            let columns = columns(r);
            let row = [number(7 * r), 5.0 + number(r)];
            let row = &row[2 - columns.len()..];
            bits.add_last(r, &columns, row);
            for (c, x) in columns.iter().zip(row) {
                full[r][*c as usize] += x;
                there[r][*c as usize] = true;
            }
        }
        // its entries in sparse rows
        let place = |r: usize| (0..=r).filter(move |c| there[r][*c]);
        let mut start = [0; N + 1];
        (0..N).for_each(|r| start[r + 1] = start[r] + place(r).count());
        let h = SparseLower {
            start: &mut start,
            column: &mut (0..N).flat_map(place).collect::<Vec<_>>(),
            value: &mut (0..N).flat_map(|r| place(r).map(move |c| full[r][c])).collect::<Vec<_>>(),
        };
        assert_eq!(bits.entries(), h.value.len());
        let mut other = SparseFactor::analyze(&h, stack).unwrap();
        assert_eq!(bits.factor(&mut factor, 1e-12), N);
        assert_eq!(other.factor(&h, 1e-12), N);
        assert_eq!(factor.lower.start, other.lower.start);
        assert_eq!(factor.lower.column, other.lower.column);
        let in_bits = |x: &[Real]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(in_bits(factor.lower.value), in_bits(other.lower.value));
        // and products with it are those of the other
        let (mut x, mut y) = ([0.0; N], [0.0; N]);
        (0..N).for_each(|i| (x[i], y[i]) = (number(i), number(i)));
        factor.solve(factor.lower.value, &mut x);
        other.solve(other.lower.value, &mut y);
        assert_eq!(in_bits(&x), in_bits(&y));
    }

    #[test]
    fn patterns_reach_the_last_bit() {
        let mut words = [0; 20_000];
        let stack = &mut Stack::new(&mut words);
        let mut bits = BitMatrix::new(64, stack).unwrap();
        let all: Vec<i32> = (0..64).collect();
        bits.join(&all);
        let factor = bits.analyze(stack).unwrap();
        assert_eq!(factor.lower.column.len(), 64 * 65 / 2);
        assert_eq!(places(1 << 63 | 5).collect::<Vec<_>>(), [0, 2, 63]);
    }
}
