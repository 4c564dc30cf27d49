//! Dense vectors and symmetric matrices of any size.
//!
//! Matrices are row-major; of symmetric ones the lower triangle counts. A sum of floating-point numbers depends on its
//! order, so that the order is part of what is computed here: that of MuJoCo's vector code, four interleaved sums (one
//! for each lane), which a compiler may turn into vector instructions without changing a bit.
//!
//! The factor `A = L Lᵀ` of a positive definite matrix can be changed when `A` changes by `x xᵀ`, in `n²` operations
//! instead of `n³/6`: a rotation takes column after column of the factor and `x` such that the entry of `x` vanishes.
//! Constraints that switch on or off change the Hessian of the solver in this way. Taking away can leave a matrix that
//! is not positive definite: a pivot then drops below zero, is replaced, and the rank that is returned is less than
//! `n`; the caller factors anew.
use crate::wide::{LANES, Lanes};
use crate::{MIN_VAL, Number, Real, sqrt};

/// Four interleaved sums, added up in MuJoCo's order.
#[inline]
fn four_sums<T: Number>(pairs: impl Iterator<Item = [(T, T); 4]>) -> T {
    let mut sums = [T::of(0.0); 4];
    for four in pairs {
        for (sum, (x, y)) in sums.iter_mut().zip(four) {
            *sum += x * y;
        }
    }
    add_four(sums)
}

/// Four sums to one: halves of a vector register first, then their two lanes.
#[inline(always)]
pub(crate) fn add_four<T: Number>(sums: [T; 4]) -> T {
    (sums[0] + sums[2]) + (sums[1] + sums[3])
}

/// Scalar product with the rounding of MuJoCo's `mju_dot`: four interleaved sums are added, then the sum of the one to
/// three products that are left.
///
/// ```
/// assert_eq!(ferrodyn_math::dot(&[1.0, 2.0, 3.0, 4.0, 5.0], &[1.0; 5]), 15.0);
/// ```
#[inline]
pub fn dot<T: Number>(a: &[T], b: &[T]) -> T {
    // whole fours, then the rest
    let n = a.len().min(b.len());
    let (a, b) = (&a[..n], &b[..n]);
    let ((fours_a, rest_a), (fours_b, rest_b)) = (a.as_chunks::<4>(), b.as_chunks::<4>());
    let sum =
        four_sums(fours_a.iter().zip(fours_b).map(|(x, y)| core::array::from_fn(|k| (x[k], y[k]))));
    // MuJoCo sums the last one to three products by themselves
    let mut rest = T::of(0.0);
    for (&x, &y) in rest_a.iter().zip(rest_b) {
        rest += x * y;
    }
    sum + rest
}

/// What numbers columns: MuJoCo's `int`, or an index.
pub trait Column: Copy {
    /// The index of the column.
    fn index(self) -> usize;
}

impl Column for i32 {
    #[inline]
    fn index(self) -> usize {
        self as usize
    }
}

impl Column for usize {
    #[inline]
    fn index(self) -> usize {
        self
    }
}

/// Scalar product of a sparse row with a dense vector, with the rounding of MuJoCo's `mju_dotSparse`: as [`dot`], but
/// the last products are added one by one.
///
/// ```
/// assert_eq!(ferrodyn_math::dot_sparse(&[2.0, 3.0], &[0_i32, 2], &[1.0, 9.0, 10.0]), 32.0);
/// ```
#[inline]
pub fn dot_sparse<T: Number>(values: &[T], columns: &[impl Column], vec: &[T]) -> T {
    let n = values.len().min(columns.len());
    let (fours, rest) = values[..n].as_chunks::<4>();
    let (column_fours, column_rest) = columns[..n].as_chunks::<4>();
    let mut sum = four_sums(
        fours
            .iter()
            .zip(column_fours)
            .map(|(x, c)| core::array::from_fn(|k| (x[k], vec[c[k].index()]))),
    );
    // one by one onto the sum, other than in `dot`
    for (&x, c) in rest.iter().zip(column_rest) {
        sum += x * vec[c.index()];
    }
    sum
}

/// [`dot_sparse`] of a row with the elements of the vector that stand in its columns.
#[inline(always)]
pub fn dot_gathered(values: &[Real], gathered: &[Real]) -> Real {
    let n = values.len().min(gathered.len());
    let (fours, rest) = values[..n].as_chunks::<4>();
    let (other_fours, other_rest) = gathered[..n].as_chunks::<4>();
    let mut sum = four_sums(
        fours.iter().zip(other_fours).map(|(x, y)| core::array::from_fn(|k| (x[k], y[k]))),
    );
    for (x, y) in rest.iter().zip(other_rest) {
        sum += x * y;
    }
    sum
}

/// [`dot_gathered`] with lanes of some kind, each of which has one of the interleaved sums.
#[inline(always)]
pub(crate) fn dot_lanes<L: Lanes>(values: &[Real], gathered: &[Real]) -> Real {
    let n = values.len().min(gathered.len());
    let (fours, rest) = values[..n].as_chunks::<LANES>();
    let (other_fours, other_rest) = gathered[..n].as_chunks::<LANES>();
    let mut sums = L::splat(0.0);
    for (x, y) in fours.iter().zip(other_fours) {
        sums = sums.add(L::load(x).mul(L::load(y)));
    }
    let mut sum = add_four(sums.store());
    for (x, y) in rest.iter().zip(other_rest) {
        sum += x * y;
    }
    sum
}

/// Euclidean length. MuJoCo: `mju_norm`.
#[inline]
pub fn norm(a: &[Real]) -> Real {
    sqrt(dot(a, a))
}

/// `res += vec · scale`. MuJoCo: `mju_addToScl`.
#[inline]
pub fn add_scaled<T: Number>(res: &mut [T], vec: &[T], scale: T) {
    for (r, &v) in res.iter_mut().zip(vec) {
        *r += v * scale;
    }
}

/// `res = A vec` for the rows of `A` that there are results for, one after the other in `values`: a scalar product each, as [`dot`] has it.
pub fn mul_rows(res: &mut [Real], values: &[Real], vec: &[Real]) {
    crate::wide::mul_rows(res, values, vec);
}

/// [`mul_rows`] with lanes of some kind, each of which has one of the interleaved sums.
#[inline(always)]
pub(crate) fn mul_rows_generic<L: Lanes>(res: &mut [Real], values: &[Real], vec: &[Real]) {
    let (fours, rest) = vec.as_chunks::<LANES>();
    for (row, res) in values.chunks_exact(vec.len().max(1)).zip(res) {
        let (row_fours, row_rest) = row.as_chunks::<LANES>();
        let mut sums = L::splat(0.0);
        for (x, y) in row_fours.iter().zip(fours) {
            sums = sums.add(L::load(x).mul(L::load(y)));
        }
        let mut last = 0.0;
        for (x, y) in row_rest.iter().zip(rest) {
            last += x * y;
        }
        *res = add_four(sums.store()) + last;
    }
}

/// `res = Aᵀ vec` for as many rows of `A` as there are factors, one after the other in `values`: rows are added in order, and those with
/// factor zero add nothing.
pub fn mul_rows_transposed(res: &mut [Real], values: &[Real], vec: &[Real]) {
    crate::wide::mul_rows_transposed(res, values, vec);
}

/// [`mul_rows_transposed`] with lanes of some kind.
#[inline(always)]
pub(crate) fn mul_rows_transposed_generic<L: Lanes>(
    res: &mut [Real],
    values: &[Real],
    vec: &[Real],
) {
    /// Fours of columns that are summed at once.
    const AT_ONCE: usize = 4;
    let n = res.len();
    let vec = &vec[..vec.len().min(values.len() / n.max(1))];
    let (blocks, rest) = res.as_chunks_mut::<{ AT_ONCE * LANES }>();
    for (b, block) in blocks.iter_mut().enumerate() {
        let mut sums = [L::splat(0.0); AT_ONCE];
        for (r, x) in vec.iter().enumerate().filter(|(_, x)| **x != 0.0) {
            let (x, row) = (L::splat(*x), &values[r * n + b * AT_ONCE * LANES..]);
            let fours = &row[..AT_ONCE * LANES].as_chunks::<LANES>().0;
            for k in 0..AT_ONCE {
                sums[k] = sums[k].add(L::load(&fours[k]).mul(x));
            }
        }
        for (to, sum) in block.as_chunks_mut().0.iter_mut().zip(sums) {
            *to = sum.store();
        }
    }
    // what is left of the columns
    rest.fill(0.0);
    let first = n - rest.len();
    for (r, x) in vec.iter().enumerate().filter(|(_, x)| **x != 0.0) {
        add_scaled(rest, &values[r * n + first..(r + 1) * n], *x);
    }
}

/// Factor a symmetric matrix, given by its lower triangle, as `L Lᵀ` in place. Pivots below
/// `min_pivot` are replaced by it; the number of those that were not is returned. MuJoCo: `mju_cholFactor`.
pub fn factor_dense(mat: &mut [Real], n: usize, min_pivot: Real) -> usize {
    let mut rank = n;
    for j in 0..n {
        // L_jj² = A_jj - Σₖ L_jk²
        let (above, below) = mat.split_at_mut((j + 1) * n);
        let row = &mut above[j * n..];
        let mut pivot = row[j] - dot(&row[..j], &row[..j]);
        // not positive definite in this direction: repaired, and counted
        if pivot < min_pivot {
            pivot = min_pivot;
            rank -= 1;
        }
        row[j] = sqrt(pivot);
        let inv = 1.0 / row[j];
        // L_ij = (A_ij - Σₖ L_ik L_jk) / L_jj for the rows below
        let lead = &above[j * n..j * n + j];
        for other in below.chunks_exact_mut(n) {
            other[j] = (other[j] - dot(&other[..j], lead)) * inv;
        }
    }
    rank
}

/// Solve `L Lᵀ x = b` in place with the factor of [`factor_dense`]. MuJoCo: `mju_cholSolve`.
pub fn solve_dense(l: &[Real], x: &mut [Real]) {
    let n = x.len();
    // L y = b, from the first row
    for i in 0..n {
        x[i] -= dot(&l[i * n..i * n + i], &x[..i]);
        x[i] /= l[i * n + i];
    }
    // Lᵀ x = y, from the last
    for i in (0..n).rev() {
        // down the column, nearest row first
        let mut sum = x[i];
        for (row, x) in l[(i + 1) * n..].chunks_exact(n).zip(&x[i + 1..]) {
            sum -= row[i] * x;
        }
        x[i] = sum / l[i * n + i];
    }
}

/// Change the factor of `A` to that of `A + x xᵀ`, or of `A - x xᵀ`; `x` is used up. The number of
/// pivots that stayed positive is returned. MuJoCo: `mju_cholUpdate`.
///
/// Column `k`: with `r = √(L_kk² ± x_k²)`, `c = r / L_kk`, `s = x_k / L_kk`, the rows below become
/// `L_ik ← (L_ik ± s x_i) / c` and `x_i ← c x_i - s L_ik`.
#[inline]
pub fn update_dense(l: &mut [Real], x: &mut [Real], plus: bool) -> usize {
    let n = x.len();
    let mut rank = n;
    for k in 0..n {
        // this column stays as it is
        if x[k] == 0.0 {
            continue;
        }
        let (rotation, lost) = Rotation::new(&mut l[k * n + k], x[k], plus);
        rank -= usize::from(lost);
        // the same rotation for the rest of the column
        for i in k + 1..n {
            rotation.apply(&mut l[i * n + k], &mut x[i]);
        }
    }
    rank
}

/// The rotation (or hyperbolic one) of a column of a factor and a vector that makes one element of the vector vanish.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rotation {
    pub(crate) c: Real,
    pub(crate) inv: Real,
    pub(crate) s: Real,
    pub(crate) signed: Real,
}

impl Rotation {
    /// That of the element `x` with its pivot, which becomes the new one; and whether that had to be raised to be positive.
    #[inline(always)]
    pub fn new(pivot: &mut Real, x: Real, plus: bool) -> (Rotation, bool) {
        let diag = *pivot;
        let square = x * x;
        let new = diag * diag + if plus { square } else { -square };
        // no longer positive definite, up to mjMINVAL
        let lost = new < MIN_VAL;
        let r = sqrt(if lost { MIN_VAL } else { new });
        *pivot = r;
        let c = r / diag;
        let s = x / diag;
        (Rotation { c, inv: 1.0 / c, s, signed: if plus { s } else { -s } }, lost)
    }

    /// Rotate an entry of the column and the element of the vector beside it.
    #[inline(always)]
    pub fn apply(&self, entry: &mut Real, x: &mut Real) {
        *entry = (*entry + self.signed * *x) * self.inv;
        *x = self.c * *x - self.s * *entry;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(not(feature = "f32"))]
    #[test]
    fn scalar_products_are_rounded_as_in_mujoco() {
        let a = [0.66, -0.87, 0.65, -0.67, -0.25, -0.37, 0.38];
        let b = [-0.64, -0.21, -0.99, -0.48, -0.16, -0.79, 0.27];
        // mju_dot gives the first; the second is what the order of mju_dotSparse makes of the same products
        assert_eq!(dot(&a, &b), -0.126_700_000_000_000_1);
        assert_eq!(dot_gathered(&a, &b), -0.126_700_000_000_000_03);
        assert_eq!(dot_sparse(&a, &[0_i32, 1, 2, 3, 4, 5, 6], &b), dot_gathered(&a, &b));
    }

    #[test]
    fn products_with_rows_have_the_bits_of_single_rows() {
        let value = |i: usize| crate::sin((i * i + 3) as Real * 0.7371);
        for n in 1..40 {
            let values: alloc::vec::Vec<Real> = (0..7 * n).map(value).collect();
            let vec: alloc::vec::Vec<Real> = (0..n).map(|i| value(i + 9)).collect();
            let mut by_row = [9.0; 7];
            mul_rows(&mut by_row, &values, &vec);
            assert_eq!(by_row, core::array::from_fn(|r| dot(&values[r * n..(r + 1) * n], &vec)));
            let factors = [0.3, 0.0, -0.7, 1.1, 0.9, 0.0, 0.2];
            let mut expected = alloc::vec![0.0; n];
            for (r, x) in factors.iter().enumerate() {
                add_scaled(&mut expected, &values[r * n..(r + 1) * n], *x);
            }
            let mut by_column = alloc::vec![9.0; n];
            mul_rows_transposed(&mut by_column, &values, &factors);
            assert_eq!(by_column, expected);
        }
    }

    fn product(l: &[Real; 9]) -> [Real; 9] {
        core::array::from_fn(|e| {
            let (i, j) = (e / 3, e % 3);
            (0..=i.min(j)).map(|k| l[3 * i + k] * l[3 * j + k]).sum()
        })
    }

    #[test]
    fn a_factor_is_updated_and_downdated() {
        let mat: [Real; 9] = [4.0, 1.0, 0.5, 1.0, 3.0, 0.2, 0.5, 0.2, 2.0];
        let mut l = mat;
        assert_eq!(factor_dense(&mut l, 3, 1e-10), 3);
        assert_eq!(update_dense(&mut l, &mut [0.5, -1.0, 2.0], true), 3);
        let x: [Real; 3] = [0.5, -1.0, 2.0];
        for (e, value) in product(&l).iter().enumerate() {
            assert!((value - mat[e] - x[e / 3] * x[e % 3]).abs() < 1e-5);
        }
        assert_eq!(update_dense(&mut l, &mut [0.5, -1.0, 2.0], false), 3);
        for (e, value) in product(&l).iter().enumerate() {
            assert!((value - mat[e]).abs() < 1e-5);
        }
        let mut b = [1.0, 2.0, 3.0];
        solve_dense(&l, &mut b);
        for i in 0..3 {
            let sum: Real = (0..3).map(|j| mat[3 * i + j] * b[j]).sum();
            assert!((sum - [1.0, 2.0, 3.0][i]).abs() < 1e-5);
        }
    }

    #[test]
    fn a_singular_matrix_has_lower_rank() {
        let mut l = [1.0, 1.0, 1.0, 1.0];
        assert_eq!(factor_dense(&mut l, 2, 1e-10), 1);
    }
}
