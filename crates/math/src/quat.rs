//! Unit quaternions and the rotations they stand for.
//!
//! `q = (cos θ/2, u sin θ/2)` is the rotation by θ about the unit vector `u`; `q` and `-q` are the same one. `a * b`
//! rotates by `b` first. The quaternion of a body takes vectors of its frame to the world.
use core::ops::{Index, IndexMut, Mul};

use bytemuck::{Pod, Zeroable};

use crate::{MIN_VAL, Mat3, Number, PI, Real, Vec3, atan2, sqrt};

/// A quaternion, laid out as `[w, x, y, z]`.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(transparent)]
pub struct Quat<T = Real>(pub [T; 4]);

impl Default for Quat {
    fn default() -> Quat {
        Quat::IDENTITY
    }
}

impl Quat {
    /// No rotation.
    pub const IDENTITY: Quat = Quat([1.0, 0.0, 0.0, 0.0]);

    /// A quaternion from its components.
    #[inline]
    pub const fn new(w: Real, x: Real, y: Real, z: Real) -> Quat {
        Quat([w, x, y, z])
    }
}

impl<T: Number> Quat<T> {
    /// The first four elements of a slice.
    ///
    /// Panics when the slice is shorter than four.
    #[inline]
    pub fn from_slice(s: &[T]) -> Quat<T> {
        Quat([s[0], s[1], s[2], s[3]])
    }

    /// Exactly the identity, bit for bit.
    #[inline]
    pub fn is_identity(self) -> T::Mask {
        let (one, zero) = (T::of(1.0), T::of(0.0));
        self[0].equal(one) & self[1].equal(zero) & self[2].equal(zero) & self[3].equal(zero)
    }

    /// Rotation by `angle` radians about the unit vector `axis`: `(cos θ/2, u sin θ/2)`. MuJoCo: `mju_axisAngle2Quat`.
    #[inline]
    pub fn from_axis_angle(axis: Vec3<T>, angle: T) -> Quat<T> {
        // exactly: no rounding of a rotation that is none
        T::choose(
            angle.equal(T::of(0.0)),
            || Quat::of(Quat::IDENTITY),
            || {
                let (s, c) = (angle * T::of(0.5)).sincos();
                Quat([c, axis[0] * s, axis[1] * s, axis[2] * s])
            },
        )
    }

    /// Unit quaternion, and the norm before.
    ///
    /// Shorter than [`MIN_VAL`] gives the identity; a norm within [`MIN_VAL`] of one is left as it is, so that
    /// normalizing twice changes no bit. MuJoCo: `mju_normalize4`.
    #[inline]
    pub fn normalize(self) -> (Quat<T>, T) {
        let q = self;
        let norm = (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]).sqrt();
        let (one, least) = (T::of(1.0), T::of(MIN_VAL));
        let scaled = || {
            let inv = one / norm;
            Quat([q[0] * inv, q[1] * inv, q[2] * inv, q[3] * inv])
        };
        let unit = T::choose(
            norm.less(least),
            || Quat::of(Quat::IDENTITY),
            || T::choose((norm - one).abs().greater(least), scaled, || q),
        );
        (unit, norm)
    }

    /// The conjugate: the inverse rotation of a unit quaternion. MuJoCo: `mju_negQuat`.
    #[inline]
    pub fn conjugate(self) -> Quat<T> {
        Quat([self[0], -self[1], -self[2], -self[3]])
    }

    /// `v + 2 q×(w v + q×v)`: the vector `v` rotated. MuJoCo: `mju_rotVecQuat`.
    #[inline]
    pub fn rotate(self, v: Vec3<T>) -> Vec3<T> {
        T::choose(
            v.is_zero(),
            || Vec3::of(Vec3::ZERO),
            || T::choose(self.is_identity(), || v, || self.rotate_by_products(v)),
        )
    }

    /// [`Quat::rotate`] for a rotation and a vector that are not trivial.
    #[inline(always)]
    fn rotate_by_products(self, v: Vec3<T>) -> Vec3<T> {
        let q = self;
        let two = T::of(2.0);
        // t = w v + q × v
        let t = [
            q[0] * v[0] + q[2] * v[2] - q[3] * v[1],
            q[0] * v[1] + q[3] * v[0] - q[1] * v[2],
            q[0] * v[2] + q[1] * v[1] - q[2] * v[0],
        ];
        Vec3([
            v[0] + two * (q[2] * t[2] - q[3] * t[1]),
            v[1] + two * (q[3] * t[0] - q[1] * t[2]),
            v[2] + two * (q[1] * t[1] - q[2] * t[0]),
        ])
    }

    /// Product with the pure quaternion `(0, axis)`. MuJoCo: `mju_mulQuatAxis`.
    #[inline]
    pub fn mul_axis(self, axis: Vec3<T>) -> Quat<T> {
        let q = self;
        Quat([
            -q[1] * axis[0] - q[2] * axis[1] - q[3] * axis[2],
            q[0] * axis[0] + q[2] * axis[2] - q[3] * axis[1],
            q[0] * axis[1] + q[3] * axis[0] - q[1] * axis[2],
            q[0] * axis[2] + q[1] * axis[1] - q[2] * axis[0],
        ])
    }

    /// The rotation matrix, `(w² - q·q) I + 2 q qᵀ + 2 w [q]×`. MuJoCo: `mju_quat2Mat`.
    #[inline]
    pub fn to_mat(self) -> Mat3<T> {
        T::choose(self.is_identity(), || Mat3::of(Mat3::IDENTITY), || self.to_mat_by_products())
    }

    /// [`Quat::to_mat`] for a rotation that is not the identity.
    #[inline(always)]
    fn to_mat_by_products(self) -> Mat3<T> {
        let q = self;
        let two = T::of(2.0);
        // products of components, each computed once
        let (q00, q01, q02, q03) = (q[0] * q[0], q[0] * q[1], q[0] * q[2], q[0] * q[3]);
        let (q11, q12, q13) = (q[1] * q[1], q[1] * q[2], q[1] * q[3]);
        let (q22, q23, q33) = (q[2] * q[2], q[2] * q[3], q[3] * q[3]);
        Mat3([
            q00 + q11 - q22 - q33,
            two * (q12 - q03),
            two * (q13 + q02),
            two * (q12 + q03),
            q00 - q11 + q22 - q33,
            two * (q23 - q01),
            two * (q13 - q02),
            two * (q23 + q01),
            q00 - q11 - q22 + q33,
        ])
    }

    /// The orientation after turning with local angular velocity `vel` for a time `scale`: exact while the velocity is
    /// constant. MuJoCo: `mju_quatIntegrate`.
    #[inline]
    pub fn integrate(self, vel: Vec3<T>, scale: Real) -> Quat<T> {
        // one rotation about a fixed axis, in the local frame: on the right
        let (axis, speed) = vel.normalize();
        let rotation = Quat::from_axis_angle(axis, T::of(scale) * speed);
        self.normalize().0 * rotation
    }

    /// Local angular velocity that makes this rotation in time `dt`. MuJoCo: `mju_quat2Vel`.
    pub fn to_velocity(self, dt: Real) -> Vec3<T> {
        // axis and sine of half the angle
        let (axis, sin_half) = Vec3([self[1], self[2], self[3]]).normalize();
        let speed = T::of(2.0) * sin_half.atan2(self[0]);
        // the shorter way round
        let speed = T::choose(speed.greater(T::of(PI)), || speed - T::of(2.0 * PI), || speed);
        axis * (speed / T::of(dt))
    }

    /// The rotation vector `r` with `b * quat(r) = self`. MuJoCo: `mju_subQuat`.
    pub fn rotation_from(self, b: Quat<T>) -> Vec3<T> {
        (b.conjugate() * self).to_velocity(1.0)
    }
}

impl Quat {
    /// The unit quaternion of a rotation matrix. The largest component is found first, from the diagonal
    /// (`4 w² = 1 + trace`, and so on), so that the others are divided by no small number. MuJoCo: `mju_mat2Quat`.
    pub fn from_mat(m: &Mat3) -> Quat {
        let m = &m.0;
        let q = if m[0] + m[4] + m[8] > 0.0 {
            let w = 0.5 * sqrt(1.0 + m[0] + m[4] + m[8]);
            [w, 0.25 * (m[7] - m[5]) / w, 0.25 * (m[2] - m[6]) / w, 0.25 * (m[3] - m[1]) / w]
        } else if m[0] > m[4] && m[0] > m[8] {
            let x = 0.5 * sqrt(1.0 + m[0] - m[4] - m[8]);
            [0.25 * (m[7] - m[5]) / x, x, 0.25 * (m[1] + m[3]) / x, 0.25 * (m[2] + m[6]) / x]
        } else if m[4] > m[8] {
            let y = 0.5 * sqrt(1.0 - m[0] + m[4] - m[8]);
            [0.25 * (m[2] - m[6]) / y, 0.25 * (m[1] + m[3]) / y, y, 0.25 * (m[5] + m[7]) / y]
        } else {
            let z = 0.5 * sqrt(1.0 - m[0] - m[4] + m[8]);
            [0.25 * (m[3] - m[1]) / z, 0.25 * (m[2] + m[6]) / z, 0.25 * (m[5] + m[7]) / z, z]
        };
        Quat(q).normalize().0
    }

    /// The rotation in a matrix `F = R S`, `S` symmetric, found from a first guess, and the number of iterations. MuJoCo: `mju_mat2Rot`.
    ///
    /// Each iteration turns the guess by `ω = Σ rᵢ × fᵢ / |Σ rᵢ · fᵢ|` over the columns of both, which vanishes where `Rᵀ F` is symmetric (Müller,
    /// Bender, Chentanez, Macklin: A robust method to extract the rotational part of deformations).
    pub fn rotation_of(mat: &Mat3, start: Quat) -> (Quat, usize) {
        // both are MuJoCo's: a nanoradian, and more iterations than any matrix that is not singular takes
        const MIN_ANGLE: Real = 1e-9;
        const MAX_ITERATIONS: usize = 500;
        let mut q = start;
        let mut iterations = 0;
        while iterations < MAX_ITERATIONS {
            let rot = q.to_mat();
            let [a, b, c] = [0, 1, 2].map(|i| rot.column(i).cross(mat.column(i)));
            let [x, y, z] = [0, 1, 2].map(|i| rot.column(i).dot(mat.column(i)));
            let (axis, angle) = ((a + b + c) * (1.0 / ((x + y + z).abs() + MIN_VAL))).normalize();
            if angle < MIN_ANGLE {
                break;
            }
            q = (Quat::from_axis_angle(axis, angle) * q).normalize().0;
            iterations += 1;
        }
        (q, iterations)
    }

    /// Time derivative of the quaternion of a frame that turns with local angular velocity `vel`: `½ q (0, vel)`.
    /// MuJoCo: `mju_derivQuat`.
    pub fn derivative(self, vel: Vec3) -> Quat {
        let (q, v) = (self, vel);
        Quat([
            0.5 * (-v[0] * q[1] - v[1] * q[2] - v[2] * q[3]),
            0.5 * (v[0] * q[0] + v[1] * q[3] - v[2] * q[2]),
            0.5 * (-v[0] * q[3] + v[1] * q[0] + v[2] * q[1]),
            0.5 * (v[0] * q[2] - v[1] * q[1] + v[2] * q[0]),
        ])
    }

    /// The shortest rotation that takes the z axis to the direction of `v`. MuJoCo: `mju_quatZ2Vec`.
    pub fn from_z_to(v: Vec3) -> Quat {
        // no direction: no rotation
        let (v, length) = v.normalize();
        if length < MIN_VAL {
            return Quat::IDENTITY;
        }
        // about z × v, by the angle whose sine is its length
        let (axis, sin) = Vec3::Z.cross(v).normalize();
        if sin.abs() < MIN_VAL {
            // opposite direction: half a turn about x
            return if v[2] < 0.0 { Quat([0.0, 1.0, 0.0, 0.0]) } else { Quat::IDENTITY };
        }
        Quat::from_axis_angle(axis, atan2(sin, v[2]))
    }
}

impl<T: Number> Mul for Quat<T> {
    type Output = Quat<T>;
    #[inline]
    fn mul(self, b: Quat<T>) -> Quat<T> {
        let a = self;
        Quat([
            a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
            a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
            a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
            a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
        ])
    }
}

impl<T: Number> Index<usize> for Quat<T> {
    type Output = T;
    #[inline]
    fn index(&self, i: usize) -> &T {
        &self.0[i]
    }
}

impl<T: Number> IndexMut<usize> for Quat<T> {
    #[inline]
    fn index_mut(&mut self, i: usize) -> &mut T {
        &mut self.0[i]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What a few dozen operations on numbers of size five may lose.
    const ROUNDING: Real = 64.0 * Real::EPSILON;

    fn unit_quat() -> impl Strategy<Value = Quat> {
        prop::array::uniform4(-1.0..1.0 as Real)
            .prop_filter("too short", |q| q.iter().map(|x| x * x).sum::<Real>() > 0.01)
            .prop_map(|q| Quat(q).normalize().0)
    }

    proptest! {
        #[test]
        fn rotation_matrix_and_quaternion_rotate_alike(q in unit_quat(), v in prop::array::uniform3(-5.0..5.0 as Real)) {
            let v = Vec3(v);
            prop_assert!((&q.to_mat() * v - q.rotate(v)).norm() < ROUNDING);
        }

        #[test]
        fn matrix_round_trip_gives_the_same_rotation(q in unit_quat()) {
            let r = Quat::from_mat(&q.to_mat());
            let dot: Real = (0..4).map(|i| q[i] * r[i]).sum();
            prop_assert!((dot.abs() - 1.0).abs() < ROUNDING);
        }

        #[test]
        fn difference_undoes_integration(q in unit_quat(), v in prop::array::uniform3(-1.0..1.0 as Real)) {
            let turned = q.integrate(Vec3(v), 1.0);
            prop_assert!((turned.rotation_from(q) - Vec3(v)).norm() < ROUNDING);
        }
    }

    #[test]
    fn rotation_to_minus_z_is_half_a_turn_about_x() {
        assert_eq!(Quat::from_z_to(-Vec3::Z), Quat([0.0, 1.0, 0.0, 0.0]));
        assert_eq!(Quat::from_z_to(Vec3::Z), Quat::IDENTITY);
        let d = Vec3::new(1.0, -2.0, 0.5).normalize().0;
        assert!((Quat::from_z_to(d).rotate(Vec3::Z) - d).norm() < ROUNDING);
    }

    #[test]
    fn zero_quaternion_normalizes_to_identity() {
        assert_eq!(Quat([0.0; 4]).normalize().0, Quat::IDENTITY);
    }
}
