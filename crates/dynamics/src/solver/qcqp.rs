//! Minimize `½ xᵀ A x + bᵀ x` inside the ellipsoid `Σ (xᵢ / dᵢ)² ≤ r²`.
//!
//! With `x = d y` the ellipsoid is a ball. If the free minimum `y = -A⁻¹ b` is inside, it is the answer. Otherwise the
//! answer is on the sphere, where the gradient points inwards: `(A + λ) y = -b` with a multiplier `λ > 0` such that
//! `|y| = r`. `φ(λ) = |y|² - r²` falls and is convex, so Newton's method from `λ = 0` approaches the root from the left
//! without ever passing it:
//!
//! ```text
//! λ ← λ - φ / φ',   φ' = -2 yᵀ (A + λ)⁻¹ y
//! ```
//!
//! Two and three friction rows have closed forms of the inverse, more are factored. An `A` that is not positive gives no force.
//! MuJoCo: `mju_QCQP2`, `mju_QCQP3`, `mju_QCQP`.
use ferrodyn_math::{Real, dot, factor_dense, solve_dense};

/// Below this, a determinant, a violation of the ball or a step of λ counts as zero. MuJoCo's number, absolute:
/// some digits above the rounding of squares of forces of order one.
const EPS: Real = 1e-10;
/// The root is approached quadratically, a handful is the rule; MuJoCo's number.
const ITERATIONS: usize = 20;

/// The minimum, and whether it is on the ellipsoid. `a` is `n`×`n`, row-major; `n` is at most 5.
pub(super) fn qcqp(a: &[Real], b: &[Real], d: &[Real], r: Real) -> ([Real; 5], bool) {
    let n = b.len();
    // scaled so that the ellipsoid is a sphere
    let mut scaled = [0.0; 25];
    let mut rhs = [0.0; 5];
    for i in 0..n {
        rhs[i] = b[i] * d[i];
        for j in 0..n {
            scaled[i * n + j] = a[i * n + j] * d[i] * d[j];
        }
    }
    // Newton's method on the multiplier λ: |(A + λ)⁻¹ b| = r
    let mut x = [0.0; 5];
    let mut lambda = 0.0;
    for _ in 0..ITERATIONS {
        let Some(step) = newton_step(&scaled, &rhs, n, lambda, r, &mut x) else {
            return ([0.0; 5], false);
        };
        // inside, or on the sphere already
        if step < EPS {
            break;
        }
        lambda += step;
    }
    // back from the ball to the ellipsoid
    for i in 0..n {
        x[i] *= d[i];
    }
    (x, lambda != 0.0)
}

/// `x = -(A + λ)⁻¹ b` and the step of λ, zero where `x` is inside; none where `A` is not positive.
fn newton_step(
    a: &[Real; 25],
    b: &[Real; 5],
    n: usize,
    lambda: Real,
    r: Real,
    x: &mut [Real; 5],
) -> Option<Real> {
    match n {
        2 => {
            // (A + λ)⁻¹ by its determinant
            let (a11, a22, a12) = (a[0] + lambda, a[3] + lambda, a[1]);
            let det = a11 * a22 - a12 * a12;
            if det < EPS {
                return None;
            }
            let inv = 1.0 / det;
            let (p11, p22, p12) = (a22 * inv, a11 * inv, -a12 * inv);
            x[0] = -p11 * b[0] - p12 * b[1];
            x[1] = -p12 * b[0] - p22 * b[1];
            // φ, then φ'
            let excess = x[0] * x[0] + x[1] * x[1] - r * r;
            if excess < EPS {
                return Some(0.0);
            }
            let slope = -2.0 * (p11 * x[0] * x[0] + 2.0 * p12 * x[0] * x[1] + p22 * x[1] * x[1]);
            Some(-excess / slope)
        }
        3 => {
            // the adjugate over the determinant
            let (a11, a22, a33) = (a[0] + lambda, a[4] + lambda, a[8] + lambda);
            let (a12, a13, a23) = (a[1], a[2], a[5]);
            let mut p = [
                a22 * a33 - a23 * a23,
                a11 * a33 - a13 * a13,
                a11 * a22 - a12 * a12,
                a13 * a23 - a12 * a33,
                a12 * a23 - a13 * a22,
                a12 * a13 - a23 * a11,
            ];
            // along the first row
            let det = a11 * p[0] + a12 * p[3] + a13 * p[4];
            if det < EPS {
                return None;
            }
            let inv = 1.0 / det;
            p = p.map(|x| x * inv);
            let [p11, p22, p33, p12, p13, p23] = p;
            // y = -(A + λ)⁻¹ b
            x[0] = -p11 * b[0] - p12 * b[1] - p13 * b[2];
            x[1] = -p12 * b[0] - p22 * b[1] - p23 * b[2];
            x[2] = -p13 * b[0] - p23 * b[1] - p33 * b[2];
            let excess = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] - r * r;
            if excess < EPS {
                return Some(0.0);
            }
            let slope = -2.0 * (p11 * x[0] * x[0] + p22 * x[1] * x[1] + p33 * x[2] * x[2])
                - 4.0 * (p12 * x[0] * x[1] + p13 * x[0] * x[2] + p23 * x[1] * x[2]);
            Some(-excess / slope)
        }
        _ => {
            // A + λ = L Lᵀ
            let mut factor = *a;
            for i in 0..n {
                factor[i * (n + 1)] += lambda;
            }
            if factor_dense(&mut factor[..n * n], n, EPS) < n {
                return None;
            }
            x[..n].copy_from_slice(&b[..n]);
            solve_dense(&factor[..n * n], &mut x[..n]);
            for v in x.iter_mut() {
                *v = -*v;
            }
            let excess = dot(&x[..n], &x[..n]) - r * r;
            if excess < EPS {
                return Some(0.0);
            }
            // yᵀ (A + λ)⁻¹ y, with one more solution
            let mut y = *x;
            solve_dense(&factor[..n * n], &mut y[..n]);
            Some(-excess / (-2.0 * dot(&x[..n], &y[..n])))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inner_minimum_is_the_free_one() {
        let (x, on) = qcqp(&[2.0, 0.0, 0.0, 4.0], &[-1.0, -2.0], &[1.0, 1.0], 10.0);
        assert_eq!((x[0], x[1], on), (0.5, 0.5, false));
    }

    #[test]
    fn all_sizes_agree_on_an_outer_minimum() {
        for n in 2..=5 {
            let a: [Real; 25] = core::array::from_fn(|e| if e % (n + 1) == 0 { 1.0 } else { 0.0 });
            let (x, on) = qcqp(&a[..n * n], &[-3.0; 5][..n], &[1.0; 5][..n], 1.0);
            let length: Real = x[..n].iter().map(|v| v * v).sum();
            assert!(on && (length - 1.0).abs() < 1e-6);
        }
    }
}
