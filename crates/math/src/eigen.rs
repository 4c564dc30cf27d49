//! Eigenvalues of symmetric matrices.
//!
//! Jacobi's method: a rotation in the plane of two axes can make the element between them vanish, and moves what was
//! there to the diagonal. Taking the largest element each time, the sum of squares off the diagonal falls by a third at
//! least, and near the end quadratically. The axes are kept as a quaternion, from which the matrix is computed anew
//! each time, so that rounding does not add up. Inertias become principal moments and axes in this way.
use crate::{Mat3, Quat, Real, Vec3, by_precision, sqrt};

/// Elements off the diagonal below this count as zero, cosines this close to one as no rotation, and eigenvalues this
/// close as equal (which keeps axes that are in no order from being exchanged by rounding). MuJoCo's `eigEPS`.
const EPS: Real = 1e-12;
/// So do those below this share of the largest element on it: what rounding leaves there. Double precision gets below `EPS`.
const ROUNDING: Real = by_precision(0.0, 1e-6);
/// Rotations at most: a bound for matrices with NaN in them; a dozen are enough for others. MuJoCo's.
const MAX_ROTATIONS: usize = 500;

/// Sine of half the angle that has this tangent and cosine.
fn half_sine(tangent: Real, cosine: Real) -> Real {
    if cfg!(feature = "f32") {
        // the cosine of an angle below 3e-4 is one in single precision: its sine is known better
        (tangent * cosine).abs() / sqrt(2.0 + 2.0 * cosine)
    } else {
        sqrt(0.5 - 0.5 * cosine)
    }
}

impl Mat3 {
    /// Eigenvalues in decreasing order and the rotation to the eigenvectors of a symmetric matrix,
    /// by Jacobi rotations. MuJoCo: `mju_eig3`.
    ///
    /// ```
    /// use ferrodyn_math::{Mat3, Vec3, by_precision};
    /// let (values, _) = Mat3([2.0, 1.0, 0.0, 1.0, 2.0, 0.0, 0.0, 0.0, 5.0]).eigen_symmetric();
    /// assert!((values - Vec3::new(5.0, 3.0, 1.0)).norm() < by_precision(1e-6, 1e-5));
    /// ```
    pub fn eigen_symmetric(&self) -> (Vec3, Quat) {
        let (values, quat, _) = self.eigen_symmetric_counted();
        (values, quat)
    }

    /// As [`eigen_symmetric`](Self::eigen_symmetric), with the number of Jacobi rotations.
    pub fn eigen_symmetric_counted(&self) -> (Vec3, Quat, usize) {
        // axes so far
        let mut quat = Quat::IDENTITY;
        let mut values = Vec3::ZERO;
        let mut rotations = 0;
        while rotations < MAX_ROTATIONS {
            // the matrix in the present axes
            let axes = quat.to_mat();
            let d = &(&axes.transpose() * self) * &axes;
            values = Vec3::new(d[0], d[4], d[8]);

            // the largest element off the diagonal, and the axis to turn about
            let (row, col, axis) = if d[1].abs() > d[2].abs() && d[1].abs() > d[5].abs() {
                (0, 1, 2)
            } else if d[2].abs() > d[5].abs() {
                (0, 2, 1)
            } else {
                (1, 2, 0)
            };
            let off = d[3 * row + col];
            let largest = values[0].abs().max(values[1].abs()).max(values[2].abs());
            if off.abs() < EPS.max(ROUNDING * largest) {
                break;
            }

            // the rotation by θ that removes it: cot 2θ = (d_cc - d_rr) / (2 off) = τ; tan θ is the smaller root of t²
            // + 2 τ t = 1
            let tau = (d[4 * col] - d[4 * row]) / (2.0 * off);
            let t = if tau >= 0.0 {
                1.0 / (tau + sqrt(1.0 + tau * tau))
            } else {
                -1.0 / (-tau + sqrt(1.0 + tau * tau))
            };
            let c = 1.0 / sqrt(1.0 + t * t);
            // too little to turn
            if c > 1.0 - EPS {
                break;
            }
            // as a quaternion: half the angle; rows 0 and 2 turn about -y
            let mut turn = Quat([0.0; 4]);
            turn[axis + 1] = if tau >= 0.0 { -half_sine(t, c) } else { half_sine(t, c) };
            if axis == 1 {
                turn[axis + 1] = -turn[axis + 1];
            }
            turn[0] = sqrt(1.0 - turn[axis + 1] * turn[axis + 1]);
            quat = (quat * turn.normalize().0).normalize().0;
            rotations += 1;
        }

        // sort by exchanging neighbours, each time with a quarter turn
        for lead in [0, 1, 0] {
            if values[lead] + EPS < values[lead + 1] {
                values.0.swap(lead, lead + 1);
                // half of the square root of two, to the digits that MuJoCo writes
                #[allow(clippy::approx_constant, reason = "the digits are MuJoCo's")]
                let half = 0.707_106_781_186_548;
                let mut turn = Quat([half, 0.0, 0.0, 0.0]);
                turn[(lead + 2) % 3 + 1] = half;
                quat = (quat * turn).normalize().0;
            }
        }
        (values, quat, rotations)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dozen_rotations_are_enough_in_either_precision() {
        for k in 0..200 {
            let angle = k as Real * 0.37;
            let axis = Vec3::new(1.0, angle, 0.5 - angle).normalize().0;
            let axes = Quat::from_axis_angle(axis, angle).to_mat();
            // far apart, close together, and nearly the same
            for expected in [[9.0, 4.0, 1.0], [4.01, 4.0, 3.99], [2.0, 2.0, 2e-3]] {
                let [a, b, c] = expected;
                let diagonal = Mat3([a, 0.0, 0.0, 0.0, b, 0.0, 0.0, 0.0, c]);
                let matrix = &(&axes * &diagonal) * &axes.transpose();
                let (values, _, rotations) = matrix.eigen_symmetric_counted();
                assert!(rotations <= 12, "{rotations} rotations for {expected:?}");
                let error = (values - Vec3(expected)).norm();
                assert!(error < by_precision(1e-10, 2e-5), "{values:?}, not {expected:?}");
            }
        }
    }
}
