//! Derivatives of operations on quaternions, in their tangent spaces.
//!
//! A small change of an orientation is a rotation vector in the axes of the body, three numbers for the four of a
//! quaternion. With the angle `x = |s|` of a rotation vector `s`, all derivatives are combinations of `1`, `[s]×` and
//! `s sᵀ` (Rodrigues):
//!
//! ```text
//! exp(-s)      = cos x     - sin x / x [s]×        + (1 - cos x)/x² s sᵀ
//! right Jac(s) = sin x / x - (1 - cos x)/x² [s]×   + (x - sin x)/x³ s sᵀ
//! ```
use ferrodyn_math::{Mat3, Quat, Real, Vec3, cos, sin, sqrt, tan};

/// Below this angle series are used: quotients of differences would lose digits, and four terms err by `x⁸/9!`, some 1e-18.
const SMALL_ANGLE: Real = 1.0 / 32.0;
/// Below this half angle `x / tan(x) = 1 - x²/3 - ...` is 1 to 1e-15, and the quotient at zero is avoided. MuJoCo's number.
const TINY_HALF_ANGLE: Real = 6e-8;

/// `x eye + y [s]× + z s sᵀ`, with the sign of the cross product that a turn by `-s` has.
fn combine(s: Vec3, x: Real, y: Real, z: Real) -> Mat3 {
    let cross = [0.0, s[2], -s[1], -s[2], 0.0, s[0], s[1], -s[0], 0.0];
    let mut out = Mat3::IDENTITY;
    for i in 0..9 {
        out.0[i] = x * Mat3::IDENTITY.0[i] + y * cross[i] + z * (s[i / 3] * s[i % 3]);
    }
    out
}

/// Derivatives of `quat ⊕ scale · vel` by the quaternion and by the scaled velocity (`mjd_quatIntegrate`).
///
/// Both are 3×3 matrices from one tangent space to another; the one by `vel` itself is the second
/// times `scale`, and the one by `scale` the second times `vel`. Neither depends on the quaternion.
///
/// ```
/// use ferrodyn_dynamics::derivative::quat_integrate_derivative;
/// use ferrodyn_math::{Mat3, Vec3};
/// let (by_quat, by_velocity) = quat_integrate_derivative(Vec3::ZERO, 0.1);
/// assert_eq!((by_quat, by_velocity), (Mat3::IDENTITY, Mat3::IDENTITY));
/// ```
pub fn quat_integrate_derivative(vel: Vec3, scale: Real) -> (Mat3, Mat3) {
    let s = Vec3::new(scale * vel[0], scale * vel[1], scale * vel[2]);
    let xx = s.dot(s);
    let x = sqrt(xx);
    // cos x, sin x / x, (1 - cos x) / x², (x - sin x) / x³
    let a = cos(x);
    let (b, c, d) = if x > SMALL_ANGLE {
        let b = sin(x) / x;
        (b, (1.0 - a) / xx, (1.0 - b) / xx)
    } else {
        // the same as series in x², by Horner's scheme
        (
            1.0 + xx / 6.0 * (xx / 20.0 * (1.0 - xx / 42.0) - 1.0),
            (1.0 + xx / 12.0 * (xx / 30.0 * (1.0 - xx / 56.0) - 1.0)) / 2.0,
            (1.0 + xx / 20.0 * (xx / 42.0 * (1.0 - xx / 72.0) - 1.0)) / 6.0,
        )
    };
    (combine(s, a, b, c), combine(s, b, c, d))
}

/// Derivatives of the rotation vector from `qb` to `qa` by both of them (`mjd_subQuat`).
pub fn sub_quat_derivative(qa: Quat, qb: Quat) -> (Mat3, Mat3) {
    let (axis, angle) = qa.rotation_from(qb).normalize();
    let half = 0.5 * angle;
    // 1 + ½ x [k]× + (1 - ½ x / tan ½x) [k]×², for the axis k; by qb the negative transpose
    let k = Mat3([0.0, -axis[2], axis[1], axis[2], 0.0, -axis[0], -axis[1], axis[0], 0.0]);
    let kk = &k * &k;
    let curvature = 1.0 - if half < TINY_HALF_ANGLE { 1.0 } else { half / tan(half) };
    let mut by_a = Mat3::IDENTITY;
    for i in 0..9 {
        by_a.0[i] += half * k.0[i] + curvature * kk.0[i];
    }
    let mut by_b = by_a.transpose();
    by_b.0.iter_mut().for_each(|x| *x = -*x);
    (by_a, by_b)
}

#[cfg(test)]
mod tests {
    use ferrodyn_math::by_precision;

    use super::*;

    /// Error of centred differences.
    const DIFFERENCES: Real = by_precision(1e-6, 1e-4);

    /// The derivative of a rotation-valued function of three numbers, by centred differences.
    fn differences(f: impl Fn(Vec3) -> Quat) -> Mat3 {
        const EPS: Real = by_precision(1e-5, 3e-3);
        let column = |i: usize| {
            let mut step = Vec3::ZERO;
            step[i] = EPS;
            f(step).rotation_from(f(-step)) * (0.5 / EPS)
        };
        Mat3::from_columns(column(0), column(1), column(2))
    }

    fn assert_close(a: &Mat3, b: &Mat3, tolerance: Real) {
        for (a, b) in a.0.iter().zip(&b.0) {
            assert!((a - b).abs() < tolerance, "{a} {b}");
        }
    }

    #[test]
    fn integration_agrees_with_differences_at_small_and_large_angles() {
        let quat = Quat([0.6, -0.3, 0.5, 0.2]).normalize().0;
        for (vel, h) in [
            (Vec3::new(1.0, 0.5, -0.3), 0.001),
            (Vec3::new(2.0, 1.0, -1.5), 0.01),
            (Vec3::new(2.0, 1.0, -1.5), 0.7),
            (Vec3::ZERO, 0.1),
        ] {
            let (by_quat, by_scaled) = quat_integrate_derivative(vel, h);
            let turned = differences(|step| quat.integrate(step, 1.0).integrate(vel, h));
            assert_close(&by_quat, &turned, DIFFERENCES);
            let pushed = differences(|step| quat.integrate(vel * h + step, 1.0));
            assert_close(&by_scaled, &pushed, DIFFERENCES);
        }
    }

    #[test]
    fn series_and_closed_forms_meet() {
        let axis = Vec3::new(0.48, -0.6, 0.64);
        for edge in [0.999_999, 1.000_001] {
            let (a, b) = quat_integrate_derivative(axis, edge * SMALL_ANGLE);
            let (c, d) = quat_integrate_derivative(axis, SMALL_ANGLE);
            assert_close(&a, &c, by_precision(1e-7, 2e-6));
            assert_close(&b, &d, by_precision(1e-7, 2e-6));
        }
    }

    #[test]
    fn difference_agrees_with_differences() {
        let qa = Quat([0.6, -0.3, 0.5, 0.2]).normalize().0;
        let qb = Quat([-0.2, 0.7, 0.1, 0.4]).normalize().0;
        let vector = |f: &dyn Fn(Vec3) -> Vec3| {
            let column = |i: usize| {
                let mut step = Vec3::ZERO;
                step[i] = by_precision(1e-5, 3e-3);
                (f(step) - f(-step)) * (0.5 / step[i])
            };
            Mat3::from_columns(column(0), column(1), column(2))
        };
        let (by_a, by_b) = sub_quat_derivative(qa, qb);
        let a = vector(&|step| qa.integrate(step, 1.0).rotation_from(qb));
        let b = vector(&|step| qa.rotation_from(qb.integrate(step, 1.0)));
        assert_close(&by_a, &a, DIFFERENCES);
        assert_close(&by_b, &b, DIFFERENCES);
        assert_close(&sub_quat_derivative(qa, qa).0, &Mat3::IDENTITY, by_precision(1e-12, 1e-6));
    }
}
