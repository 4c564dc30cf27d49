//! The factor `A = L Lᵀ` of a dense matrix in tiles of four columns by four rows: four rows of a column are worked on at once.
//!
//! [`factor_dense`](crate::factor_dense) has whole rows side by side, so that each entry is a scalar product whose lanes have to be added
//! up. Here a lane is a row of its own: no sum over lanes, and no entries left over at the end. Each entry still sees the operations of
//! `factor_dense`, `solve_dense` and `update_dense` in their order (four interleaved sums, which [`dot`](crate::dot) explains), so that
//! the bits are theirs.
//!
//! ```text
//!    rows  0 1 2 3   4 5 . .
//! column 0 x x x x   x x .        one tile after the other, those of the first four columns first; a tile is four
//! column 1 - x x x   x x . .      columns, each with four rows side by side
//! column 2 - - x x   x x . .      -  above the diagonal, .  past the end: written, but never read into a result
//! column 3 - - - x   x x . .
//! ```
//!
//! Whole tiles above the diagonal are there, so that places are simple, and are not touched.
use crate::dense::Rotation;
use crate::sparse::side_by_side;
use crate::wide::{self, LANES, Lanes};
use crate::{Real, sqrt};

/// Vectors that [`update_tiles`] and [`add_products`] take at once: with more, their factors do not fit into registers.
pub const GROUP: usize = 4;

/// Rows side by side.
pub type Four = [Real; LANES];

/// Four columns, each of four rows.
pub type Tile = [Four; LANES];

/// Number of tiles in a row of them; a vector of `n` numbers has as many fours.
///
/// ```
/// assert_eq!(ferrodyn_math::tiles(18), 5);
/// ```
pub const fn tiles(n: usize) -> usize {
    n.div_ceil(LANES)
}

/// Four interleaved sums of each lane, added up in the order of [`dot`](crate::dot).
#[inline(always)]
fn total<L: Lanes>(sums: [L; LANES]) -> L {
    sums[0].add(sums[2]).add(sums[1].add(sums[3]))
}

/// Set all entries from the diagonal on to zero.
pub fn clear_tiles(matrix: &mut [Tile], n: usize) {
    let across = tiles(n);
    for first in 0..across {
        matrix[first * across + first..(first + 1) * across].fill([[0.0; LANES]; LANES]);
    }
}

/// Add entries that stand in the given columns of a row, ascending and up to its diagonal.
pub fn add_to_row(matrix: &mut [Tile], n: usize, row: usize, columns: &[i32], values: &[Real]) {
    let across = tiles(n);
    let (matrix, lane) = (&mut matrix[row / LANES..], row % LANES);
    let add = |matrix: &mut [Tile], columns: &[i32], values: &[Real]| {
        for (c, x) in columns.iter().zip(values) {
            let c = *c as usize;
            matrix[c / LANES * across][c % LANES][lane] += x;
        }
    };
    let (fours, rest) = columns.as_chunks::<LANES>();
    let (value_fours, value_rest) = values.as_chunks::<LANES>();
    for (columns, values) in fours.iter().zip(value_fours) {
        match side_by_side(columns) {
            // all columns of one tile
            Some(first) if first.is_multiple_of(LANES) => {
                let tile = &mut matrix[first / LANES * across];
                for (column, x) in tile.iter_mut().zip(values) {
                    column[lane] += x;
                }
            }
            _ => add(matrix, columns, values),
        }
    }
    add(matrix, rest, value_rest);
}

/// `A += Σ dᵥ xᵥ xᵥᵀ`, one vector after the other: `rows` has the vectors `xᵥ` and `weights` the numbers `dᵥ`. `weighted` is room for the
/// vectors `dᵥ xᵥ`, in whole fours.
pub fn add_products(
    matrix: &mut [Tile],
    weighted: &mut [Four],
    rows: [&[Real]; GROUP],
    weights: [Real; GROUP],
) {
    wide::add_products(matrix, weighted, rows, weights);
}

/// [`add_products`] with lanes of some kind.
#[inline(always)]
pub(crate) fn add_products_generic<L: Lanes>(
    matrix: &mut [Tile],
    weighted: &mut [Four],
    rows: [&[Real]; GROUP],
    weights: [Real; GROUP],
) {
    let across = tiles(rows[0].len());
    // dᵥ xᵥ, those of all vectors side by side, and how many fours there are up to the last number that is not zero
    let weighted = &mut weighted.as_chunks_mut::<GROUP>().0[..across];
    let mut last = 0;
    for (block, weighted) in weighted.iter_mut().enumerate() {
        for v in 0..GROUP {
            let x = four(rows[v], block);
            weighted[v] = L::load(&x).mul(L::splat(weights[v])).store();
            if x != [0.0; LANES] {
                last = block + 1;
            }
        }
    }
    for block in 0..last {
        let columns = rows.map(|row| four(row, block));
        let (tiles, weighted) =
            (&mut matrix[block * across..][block..last], &weighted[block..last]);
        for k in 0..LANES {
            // columns that none of the vectors has are left alone: zeros would add nothing
            let x = columns.map(|four| four[k]);
            if x == [0.0; GROUP] {
                continue;
            }
            let x = [L::splat(x[0]), L::splat(x[1]), L::splat(x[2]), L::splat(x[3])];
            for (tile, weighted) in tiles.iter_mut().zip(weighted) {
                let mut sum = L::load(&tile[k]);
                sum = sum.add(L::load(&weighted[0]).mul(x[0]));
                sum = sum.add(L::load(&weighted[1]).mul(x[1]));
                sum = sum.add(L::load(&weighted[2]).mul(x[2]));
                sum = sum.add(L::load(&weighted[3]).mul(x[3]));
                tile[k] = sum.store();
            }
        }
    }
}

/// Four numbers of a vector, with zeros past its end.
#[inline(always)]
fn four(vector: &[Real], block: usize) -> Four {
    let (fours, rest) = vector.as_chunks::<LANES>();
    match fours.get(block) {
        Some(four) => *four,
        None => core::array::from_fn(|k| rest.get(k).copied().unwrap_or(0.0)),
    }
}

/// Factor in place; the result of [`factor_dense`](crate::factor_dense).
pub fn factor_tiles(matrix: &mut [Tile], n: usize, min_pivot: Real) -> usize {
    wide::factor_tiles(matrix, n, min_pivot)
}

/// [`factor_tiles`] with lanes of some kind.
#[inline(always)]
pub(crate) fn factor_tiles_generic<L: Lanes>(
    matrix: &mut [Tile],
    n: usize,
    min_pivot: Real,
) -> usize {
    let across = tiles(n);
    let mut rank = n;
    for j in 0..n {
        let (done, own) = matrix.split_at_mut(j / LANES * across);
        let own = &mut own[..across];
        // A_ij - Σₖ L_ik L_jk for all rows i from the diagonal on
        let mut block = j / LANES;
        while across - block >= 3 {
            subtract_products::<L, 3>(own, done, block, j);
            block += 3;
        }
        match across - block {
            2 => subtract_products::<L, 2>(own, done, block, j),
            1 => subtract_products::<L, 1>(own, done, block, j),
            _ => {}
        }
        // L_jj is the root of the pivot, which divides the rest; what is not positive definite is repaired and counted
        let k = j % LANES;
        let mut pivot = own[j / LANES][k][k];
        if pivot < min_pivot {
            pivot = min_pivot;
            rank -= 1;
        }
        let diagonal = sqrt(pivot);
        let inv = L::splat(1.0 / diagonal);
        for tile in &mut own[j / LANES..] {
            tile[k] = L::load(&tile[k]).mul(inv).store();
        }
        own[j / LANES][k][k] = diagonal;
    }
    rank
}

/// `A_ij -= Σₖ L_ik L_jk` over the columns before `j`, for the rows of `B` tiles: the scalar products of [`dot`](crate::dot), each lane
/// one of them.
#[inline(always)]
fn subtract_products<L: Lanes, const B: usize>(
    own: &mut [Tile],
    done: &[Tile],
    block: usize,
    j: usize,
) {
    let across = own.len();
    let (at, lane) = (j / LANES, j % LANES);
    // four interleaved sums of each row, over all whole tiles to the left
    let mut sums = [[L::splat(0.0); LANES]; B];
    for four in 0..at {
        let known = &done[four * across..][..across];
        let (x, tiles) = (&known[at], &known[block..block + B]);
        for k in 0..LANES {
            let x = L::splat(x[k][lane]);
            for b in 0..B {
                sums[b][k] = sums[b][k].add(L::load(&tiles[b][k]).mul(x));
            }
        }
    }
    // and the columns that are left, by themselves
    let mut left = [L::splat(0.0); B];
    let (x, tiles) = (&own[at], &own[block..block + B]);
    for k in 0..lane {
        let x = L::splat(x[k][lane]);
        for b in 0..B {
            left[b] = left[b].add(L::load(&tiles[b][k]).mul(x));
        }
    }
    for (b, tile) in own[block..block + B].iter_mut().enumerate() {
        tile[lane] = L::load(&tile[lane]).sub(total(sums[b]).add(left[b])).store();
    }
}

/// Solve `L Lᵀ x = b` in place; the result of [`solve_dense`](crate::solve_dense).
pub fn solve_tiles(matrix: &[Tile], x: &mut [Real]) {
    wide::solve_tiles(matrix, x);
}

/// [`solve_tiles`] with lanes of some kind.
#[inline(always)]
pub(crate) fn solve_tiles_generic<L: Lanes>(matrix: &[Tile], x: &mut [Real]) {
    let n = x.len();
    let across = tiles(n);
    // L y = b, four rows at a time from the first
    for block in 0..across {
        let (known, x) = x.split_at_mut(block * LANES);
        // what is known takes its part from all four, as scalar products of `dot`
        let mut sums = [L::splat(0.0); LANES];
        for (four, x) in known.as_chunks::<LANES>().0.iter().enumerate() {
            let tile = &matrix[four * across + block];
            for k in 0..LANES {
                sums[k] = sums[k].add(L::load(&tile[k]).mul(L::splat(x[k])));
            }
        }
        let total = total(sums).store();
        // then one after the other; what they take from each other is the rest of the scalar product
        let tile = &matrix[block * across + block];
        for i in 0..x.len().min(LANES) {
            let mut rest = 0.0;
            for k in 0..i {
                rest += tile[k][i] * x[k];
            }
            x[i] -= total[i] + rest;
            x[i] /= tile[i][i];
        }
    }
    // Lᵀ x = y, from the last: down the column, nearest row first
    for block in (0..across).rev() {
        let column = &matrix[block * across..][block..across];
        let (own, below) = x[block * LANES..].split_at_mut(LANES.min(n - block * LANES));
        let (fours, rest) = below.as_chunks::<LANES>();
        for k in (0..own.len()).rev() {
            let mut sum = own[k];
            for r in k + 1..own.len() {
                sum -= column[0][k][r] * own[r];
            }
            for (tile, x) in column[1..].iter().zip(fours) {
                let entries = &tile[k];
                sum -= entries[0] * x[0];
                sum -= entries[1] * x[1];
                sum -= entries[2] * x[2];
                sum -= entries[3] * x[3];
            }
            for (r, x) in rest.iter().enumerate() {
                sum -= column[column.len() - 1][k][r] * x;
            }
            own[k] = sum / column[0][k][k];
        }
    }
}

/// Change the factor to that of `A ± x xᵀ` for several vectors, each of whole fours, one after the other; the vectors are used
/// up. The least number of pivots that stayed positive for one of them is returned, as by [`update_dense`](crate::update_dense).
pub fn update_tiles(matrix: &mut [Tile], vectors: &mut [Four], n: usize, plus: bool) -> usize {
    wide::update_tiles(matrix, vectors, n, plus)
}

/// [`update_tiles`] with lanes of some kind.
#[inline(always)]
pub(crate) fn update_tiles_generic<L: Lanes>(
    matrix: &mut [Tile],
    vectors: &mut [Four],
    n: usize,
    plus: bool,
) -> usize {
    if plus {
        update_by::<L, true>(matrix, vectors, n)
    } else {
        update_by::<L, false>(matrix, vectors, n)
    }
}

/// [`update_tiles`] with a sign.
#[inline(always)]
fn update_by<L: Lanes, const PLUS: bool>(
    matrix: &mut [Tile],
    vectors: &mut [Four],
    n: usize,
) -> usize {
    let across = tiles(n).max(1);
    let mut rank = n;
    for group in vectors.chunks_mut(GROUP * across) {
        let (first, rest) = group.split_at_mut(across);
        let (second, rest) = rest.split_at_mut(across.min(rest.len()));
        let (third, fourth) = rest.split_at_mut(across.min(rest.len()));
        let kept = if !fourth.is_empty() {
            rotate_all::<L, 4, PLUS>(matrix, [first, second, third, fourth], n)
        } else if !third.is_empty() {
            rotate_all::<L, 3, PLUS>(matrix, [first, second, third], n)
        } else if !second.is_empty() {
            rotate_all::<L, 2, PLUS>(matrix, [first, second], n)
        } else {
            rotate_all::<L, 1, PLUS>(matrix, [first], n)
        };
        rank = rank.min(kept);
    }
    rank
}

/// [`update_tiles`] for `N` vectors in one pass over the factor.
#[inline(always)]
fn rotate_all<L: Lanes, const N: usize, const PLUS: bool>(
    matrix: &mut [Tile],
    mut vectors: [&mut [Four]; N],
    n: usize,
) -> usize {
    let across = tiles(n);
    let mut lost = [0; N];
    for j in 0..n {
        let (block, k) = (j / LANES, j % LANES);
        let column = &mut matrix[block * across..][block..across];
        // each vector rotates the pivot that the one before it left; a zero leaves it as it is
        let mut pivot = column[0][k][k];
        let mut rotations = [Rotation::default(); N];
        let mut turns = [false; N];
        for v in 0..N {
            let x = vectors[v][block][k];
            turns[v] = x != 0.0;
            if turns[v] {
                let (rotation, without) = Rotation::new(&mut pivot, x, PLUS);
                rotations[v] = rotation;
                lost[v] += usize::from(without);
            }
        }
        // the same rotations for the rest of the column; what they do to rows up to the diagonal is undone, or of no account
        if turns == [true; N] {
            let parts = vectors.each_mut().map(|vector| &mut vector[block..across]);
            rotate::<L, N, PLUS>(column, k, parts, &rotations);
        } else {
            for v in (0..N).filter(|v| turns[*v]) {
                rotate::<L, 1, PLUS>(column, k, [&mut vectors[v][block..across]], &[rotations[v]]);
            }
        }
        column[0][k][k] = pivot;
    }
    n - lost.into_iter().max().unwrap_or(0)
}

/// Rotate column `k` of some tiles with each of the vectors, one after the other: `L ← (L ± s x) / c`, `x ← c x - s L`.
#[inline(always)]
fn rotate<L: Lanes, const N: usize, const PLUS: bool>(
    column: &mut [Tile],
    k: usize,
    vectors: [&mut [Four]; N],
    rotations: &[Rotation; N],
) {
    let vectors = vectors.map(|vector| &mut vector[..column.len()]);
    let mut factors = [[L::splat(0.0); 3]; N];
    for (factors, Rotation { c, inv, s, .. }) in factors.iter_mut().zip(rotations) {
        *factors = [L::splat(*c), L::splat(*inv), L::splat(*s)];
    }
    for (b, tile) in column.iter_mut().enumerate() {
        let mut own = L::load(&tile[k % LANES]);
        for v in 0..N {
            let [c, inv, s] = factors[v];
            let x = L::load(&vectors[v][b]);
            own = if PLUS { own.add(s.mul(x)) } else { own.sub(s.mul(x)) }.mul(inv);
            vectors[v][b] = c.mul(x).sub(s.mul(own)).store();
        }
        tile[k % LANES] = own.store();
    }
}

#[cfg(test)]
mod tests {
    use alloc::{vec, vec::Vec};

    use super::*;
    use crate::wide::Plain;
    use crate::{add_scaled, factor_dense, solve_dense, update_dense};

    fn value(i: usize) -> Real {
        crate::sin((i * i + 3) as Real * 0.7371)
    }

    /// Four rows of numbers, of which the second has zeros, all of them from two thirds on.
    fn rows(n: usize, seed: usize) -> [Vec<Real>; GROUP] {
        [0, 1, 2, 3].map(|v| {
            let zero = |i: usize| 3 * i > 2 * n || v == 1 && i.is_multiple_of(3);
            (0..n).map(|i| if zero(i) { 0.0 } else { value(i + 50 * v + seed) }).collect()
        })
    }

    /// The entry of a row and a column, from the diagonal on.
    fn tile_entry(matrix: &mut [Tile], n: usize, row: usize, column: usize) -> &mut Real {
        let tile = &mut matrix[column / LANES * tiles(n) + row / LANES];
        &mut tile[column % LANES][row % LANES]
    }

    fn to_fours(rows: &[Vec<Real>], n: usize) -> Vec<Four> {
        let mut fours = vec![[7.0; LANES]; rows.len() * tiles(n)];
        for (to, row) in fours.chunks_exact_mut(tiles(n)).zip(rows) {
            to.as_flattened_mut()[..n].copy_from_slice(row);
        }
        fours
    }

    fn to_tiles(rows: &[Real], n: usize) -> Vec<Tile> {
        let mut matrix = vec![[[7.0; LANES]; LANES]; tiles(n) * tiles(n)];
        for r in 0..n {
            for c in 0..=r {
                *tile_entry(&mut matrix, n, r, c) = rows[r * n + c];
            }
        }
        matrix
    }

    fn assert_same(matrix: &mut [Tile], rows: &[Real], n: usize) {
        for r in 0..n {
            for c in 0..=r {
                let (tiled, plain) = (*tile_entry(matrix, n, r, c), rows[r * n + c]);
                // what is no number has no meaning, and any bits
                let same = tiled.to_bits() == plain.to_bits() || tiled.is_nan() && plain.is_nan();
                assert!(same, "{n}: {r} {c}");
            }
        }
    }

    /// `Σ D jᵀ j` row by row, and a diagonal that makes it positive.
    fn products(n: usize) -> (Vec<Real>, Vec<Tile>) {
        let (j, d) = (rows(n, 0), [2.0, 0.3, 1.7, 4.1]);
        let (mut dense, mut matrix) = (vec![0.0; n * n], to_tiles(&vec![1.0; n * n], n));
        for v in 0..GROUP {
            for r in 0..n {
                add_scaled(&mut dense[r * n..=r * n + r], &j[v][..=r], j[v][r] * d[v]);
            }
        }
        clear_tiles(&mut matrix, n);
        let mut room = vec![[7.0; LANES]; GROUP * tiles(n)];
        add_products(&mut matrix, &mut room, j.each_ref().map(|row| &row[..]), d);
        assert_same(&mut matrix, &dense, n);
        for i in 0..n {
            // some columns are left out, so that not all fours lie side by side
            let columns: Vec<i32> =
                (0..=i as i32).filter(|c| *c as usize == i || c % 9 != 8).collect();
            let entry = |c: usize| if c == i { 3.0 } else { 0.01 * value(c) };
            let values: Vec<Real> = columns.iter().map(|c| entry(*c as usize)).collect();
            add_to_row(&mut matrix, n, i, &columns, &values);
            for (c, x) in columns.iter().zip(&values) {
                dense[i * n + *c as usize] += x;
            }
        }
        (dense, matrix)
    }

    #[test]
    fn tiles_have_the_bits_of_rows() {
        for n in 1..30 {
            let (mut dense, mut matrix) = products(n);
            // a matrix that is not positive definite loses as many pivots
            let (mut bad, mut bad_tiles) = (dense.clone(), matrix.clone());
            bad[0] = -1.0;
            bad_tiles[0][0][0] = -1.0;
            let rank = factor_dense(&mut bad, n, 0.5);
            assert!(rank < n);
            assert_eq!(factor_tiles(&mut bad_tiles, n, 0.5), rank);
            assert_same(&mut bad_tiles, &bad, n);
            assert_eq!(factor_dense(&mut dense, n, 1e-10), n);
            assert_eq!(factor_tiles(&mut matrix, n, 1e-10), n);
            assert_same(&mut matrix, &dense, n);
            // several vectors at a time, added, taken away, and taken away where it is too much
            for (count, plus, scale) in
                [(1, true, 1.0), (4, true, 0.7), (2, false, 0.5), (3, false, 0.3), (4, false, 9.0)]
            {
                let mut vectors = rows(n, 100 * count)[..count].to_vec();
                vectors.iter_mut().flatten().for_each(|x| *x *= scale);
                let mut fours = to_fours(&vectors, n);
                let kept = update_tiles(&mut matrix, &mut fours, n, plus);
                let ranks = vectors.iter_mut().map(|x| update_dense(&mut dense, x, plus));
                assert_eq!(ranks.min(), Some(kept));
                assert_eq!(kept < n, scale == 9.0);
                assert_same(&mut matrix, &dense, n);
                let mut x: Vec<Real> = (0..n).map(|i| value(i + 5)).collect();
                let mut y = x.clone();
                solve_dense(&dense, &mut x);
                solve_tiles(&matrix, &mut y);
                let same = |(x, y): (&Real, &Real)| x.to_bits() == y.to_bits();
                assert!(kept < n || x.iter().zip(&y).all(same), "{n}");
            }
        }
    }

    #[test]
    fn wide_and_plain_kernels_give_the_same_bits() {
        for n in 1..30 {
            let (_, mut wide) = products(n);
            let mut plain = wide.clone();
            factor_tiles(&mut wide, n, 1e-10);
            factor_tiles_generic::<Plain>(&mut plain, n, 1e-10);
            let mut vectors = to_fours(&rows(n, 9), n);
            update_tiles(&mut wide, &mut vectors.clone(), n, true);
            update_tiles_generic::<Plain>(&mut plain, &mut vectors, n, true);
            let j = rows(n, 70);
            let mut room = to_fours(&j, n);
            let (j, d) = (j.each_ref().map(|row| &row[..]), [0.4, 1.3, 2.9, 0.2]);
            add_products(&mut wide, &mut room, j, d);
            add_products_generic::<Plain>(&mut plain, &mut room, j, d);
            let mut x: Vec<Real> = (0..n).map(value).collect();
            let mut y = x.clone();
            solve_tiles(&wide, &mut x);
            solve_tiles_generic::<Plain>(&plain, &mut y);
            assert!(x.iter().zip(&y).all(|(x, y)| x.to_bits() == y.to_bits()), "{n}");
        }
    }
}
