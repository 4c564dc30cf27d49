//! Dense vectors and symmetric matrices of any size.
use crate::{MIN_VAL, Real, sqrt};

/// Scalar product, in four interleaved sums that are added at the end.
///
/// ```
/// assert_eq!(ferrodyn_math::dot(&[1.0, 2.0, 3.0, 4.0, 5.0], &[1.0; 5]), 15.0);
/// ```
#[inline]
pub fn dot(a: &[Real], b: &[Real]) -> Real {
    let n = a.len().min(b.len());
    let (a, b) = (&a[..n], &b[..n]);
    let mut sums = [0.0; 4];
    let (chunks_a, chunks_b) = (a.chunks_exact(4), b.chunks_exact(4));
    let (rest_a, rest_b) = (chunks_a.remainder(), chunks_b.remainder());
    for (x, y) in chunks_a.zip(chunks_b) {
        for k in 0..4 {
            sums[k] += x[k] * y[k];
        }
    }
    let mut sum = (sums[0] + sums[2]) + (sums[1] + sums[3]);
    for (x, y) in rest_a.iter().zip(rest_b) {
        sum += x * y;
    }
    sum
}

/// Euclidean length.
#[inline]
pub fn norm(a: &[Real]) -> Real {
    sqrt(dot(a, a))
}

/// `res += vec · scale`.
#[inline]
pub fn add_scaled(res: &mut [Real], vec: &[Real], scale: Real) {
    for (r, v) in res.iter_mut().zip(vec) {
        *r += v * scale;
    }
}

/// Factor a symmetric matrix, given by its lower triangle, as `L Lᵀ` in place. Pivots below
/// `min_pivot` are replaced by it; the number of those that were not is returned.
pub fn factor_dense(mat: &mut [Real], n: usize, min_pivot: Real) -> usize {
    let mut rank = n;
    for j in 0..n {
        let (above, below) = mat.split_at_mut((j + 1) * n);
        let row = &mut above[j * n..];
        let mut pivot = row[j] - dot(&row[..j], &row[..j]);
        if pivot < min_pivot {
            pivot = min_pivot;
            rank -= 1;
        }
        row[j] = sqrt(pivot);
        let inv = 1.0 / row[j];
        let lead = &above[j * n..j * n + j];
        for other in below.chunks_exact_mut(n) {
            other[j] = (other[j] - dot(&other[..j], lead)) * inv;
        }
    }
    rank
}

/// Solve `L Lᵀ x = b` in place with the factor of [`factor_dense`].
pub fn solve_dense(l: &[Real], x: &mut [Real]) {
    let n = x.len();
    for i in 0..n {
        x[i] -= dot(&l[i * n..i * n + i], &x[..i]);
        x[i] /= l[i * n + i];
    }
    for i in (0..n).rev() {
        x[i] /= l[i * n + i];
        let scale = -x[i];
        let (head, _) = x.split_at_mut(i);
        add_scaled(head, &l[i * n..i * n + i], scale);
    }
}

/// Change the factor of `A` to that of `A + x xᵀ`, or of `A - x xᵀ`; `x` is used up. The number of
/// pivots that stayed positive is returned.
pub fn update_dense(l: &mut [Real], x: &mut [Real], plus: bool) -> usize {
    let n = x.len();
    let mut rank = n;
    for k in 0..n {
        if x[k] == 0.0 {
            continue;
        }
        let diag = l[k * n + k];
        let square = x[k] * x[k];
        let mut new = diag * diag + if plus { square } else { -square };
        if new < MIN_VAL {
            new = MIN_VAL;
            rank -= 1;
        }
        let r = sqrt(new);
        let c = r / diag;
        let inv = 1.0 / c;
        let s = x[k] / diag;
        let signed = if plus { s } else { -s };
        l[k * n + k] = r;
        for i in k + 1..n {
            let entry = &mut l[i * n + k];
            *entry = (*entry + signed * x[i]) * inv;
            x[i] = c * x[i] - s * *entry;
        }
    }
    rank
}

#[cfg(test)]
mod tests {
    use super::*;

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
