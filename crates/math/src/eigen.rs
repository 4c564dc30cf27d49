//! Eigenvalues of symmetric 3×3 matrices.
use crate::{MIN_VAL, Mat3, Quat, Real, Vec3, sqrt};

/// Off-diagonal elements below this are treated as zero.
const EPS: Real = MIN_VAL * 1000.0;

/// Eigenvalues in decreasing order and the rotation whose columns are the eigenvectors.
///
/// Jacobi iteration on a quaternion, so that the eigenvectors always form a right-handed frame.
///
/// ```
/// use ferrodyn_math::{Mat3, Vec3, eigen3};
/// let (values, _) = eigen3(&Mat3::diagonal(Vec3::new(1.0, 3.0, 2.0)));
/// assert_eq!(values, Vec3::new(3.0, 2.0, 1.0));
/// ```
pub fn eigen3(mat: &Mat3) -> (Vec3, Quat) {
    let mut quat = Quat::IDENTITY;
    let mut values = Vec3::ZERO;
    for _ in 0..500 {
        // D = Rᵀ M R
        let r = quat.to_mat();
        let d = &(&r.transpose() * mat) * &r;
        values = Vec3([d[0], d[4], d[8]]);

        // largest off-diagonal element decides the rotation axis
        let (row, col, axis) = if d[1].abs() > d[2].abs() && d[1].abs() > d[5].abs() {
            (0, 1, 2)
        } else if d[2].abs() > d[5].abs() {
            (0, 2, 1)
        } else {
            (1, 2, 0)
        };
        let off = d[3 * row + col];
        if off.abs() < EPS {
            break;
        }

        // symmetric Schur decomposition of the 2×2 block
        let tau = (d[4 * col] - d[4 * row]) / (2.0 * off);
        let t = if tau >= 0.0 {
            1.0 / (tau + sqrt(1.0 + tau * tau))
        } else {
            -1.0 / (-tau + sqrt(1.0 + tau * tau))
        };
        let c = 1.0 / sqrt(1.0 + t * t);
        if c > 1.0 - EPS {
            break;
        }

        // rotate by the half angle
        let mut half = sqrt(0.5 - 0.5 * c);
        if tau >= 0.0 {
            half = -half;
        }
        if axis == 1 {
            half = -half;
        }
        let mut turn = Quat([sqrt(1.0 - half * half), 0.0, 0.0, 0.0]);
        turn[axis + 1] = half;
        quat = (quat * turn.normalize().0).normalize().0;
    }

    // sort by quarter turns of the frame
    const SQRT_HALF: Real = core::f64::consts::FRAC_1_SQRT_2 as Real;
    for lead in [0, 1, 0] {
        if values[lead] + EPS < values[lead + 1] {
            values.0.swap(lead, lead + 1);
            let mut turn = Quat([SQRT_HALF, 0.0, 0.0, 0.0]);
            turn[(lead + 2) % 3 + 1] = SQRT_HALF;
            quat = (quat * turn).normalize().0;
        }
    }
    (values, quat)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn eigenvectors_rebuild_the_matrix(a in prop::array::uniform6(-3.0..3.0 as Real)) {
            let m = Mat3([a[0], a[3], a[4], a[3], a[1], a[5], a[4], a[5], a[2]]);
            let (values, quat) = eigen3(&m);
            prop_assert!(values[0] >= values[1] - 1e-6 && values[1] >= values[2] - 1e-6);
            let r = quat.to_mat();
            let back = &(&r * &Mat3::diagonal(values)) * &r.transpose();
            for k in 0..9 {
                prop_assert!((back[k] - m[k]).abs() < 1e-5);
            }
        }
    }
}
