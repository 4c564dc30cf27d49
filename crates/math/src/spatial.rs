//! Spatial (6D) vectors and rigid-body inertias, rotation before translation.
//!
//! A motion is an angular velocity and the velocity of the point of the body at the reference point; a force is a
//! torque about that point and a force. Moving the reference point by `d` changes one half of each: `v + ω × d` of a
//! motion, `τ - d × f` of a force, so that their product, the power, stays the same. All vectors of a tree refer to one
//! point, the centre of mass of the tree, and have the axes of the world: they are added without being transformed.
use core::ops::{Add, AddAssign, Index, IndexMut, Sub};

use bytemuck::{Pod, Zeroable};

use crate::{Mat3, Number, Real, Vec3};

/// A spatial motion or force vector: three rotational components, then three translational ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(transparent)]
pub struct Spatial<T = Real>(pub [T; 6]);

impl Spatial {
    /// The zero vector.
    pub const ZERO: Spatial = Spatial([0.0; 6]);
}

impl<T: Number> Spatial<T> {
    /// A spatial vector from its rotational and translational parts.
    #[inline]
    pub fn new(rot: Vec3<T>, lin: Vec3<T>) -> Spatial<T> {
        Spatial([rot[0], rot[1], rot[2], lin[0], lin[1], lin[2]])
    }

    /// The rotational part.
    #[inline]
    pub fn rot(&self) -> Vec3<T> {
        Vec3([self.0[0], self.0[1], self.0[2]])
    }

    /// The translational part.
    #[inline]
    pub fn lin(&self) -> Vec3<T> {
        Vec3([self.0[3], self.0[4], self.0[5]])
    }

    /// Motion of a rotation about `axis` seen from a point at `offset` from the axis. MuJoCo: `mju_dofCom`.
    #[inline]
    pub fn hinge(axis: Vec3<T>, offset: Vec3<T>) -> Spatial<T> {
        Spatial::new(axis, axis.cross(offset))
    }

    /// Motion of a translation along `axis`. MuJoCo: `mju_dofCom`.
    #[inline]
    pub fn slide(axis: Vec3<T>) -> Spatial<T> {
        Spatial::new(Vec3::of(Vec3::ZERO), axis)
    }

    /// Scalar product, summed as MuJoCo's vectorized dot: `((a0b0 + a2b2) + (a1b1 + a3b3)) + (a4b4 + a5b5)`.
    #[inline]
    pub fn dot(&self, b: &Spatial<T>) -> T {
        let a = &self.0;
        let b = &b.0;
        let even = a[0] * b[0] + a[2] * b[2];
        let odd = a[1] * b[1] + a[3] * b[3];
        (even + odd) + (a[4] * b[4] + a[5] * b[5])
    }

    /// `self * s`.
    #[inline]
    pub fn scale(&self, s: T) -> Spatial<T> {
        let a = &self.0;
        Spatial([a[0] * s, a[1] * s, a[2] * s, a[3] * s, a[4] * s, a[5] * s])
    }

    /// `self += b * s`.
    #[inline]
    pub fn add_scaled(&mut self, b: &Spatial<T>, s: T) {
        for k in 0..6 {
            self.0[k] += b.0[k] * s;
        }
    }

    /// Rate of change of the motion vector `v` carried along by the motion `self`: `(ω × v_r, ω × v_t + u × v_r)` for a
    /// motion `(ω, u)`. MuJoCo: `mju_crossMotion`.
    #[inline]
    pub fn cross_motion(&self, v: &Spatial<T>) -> Spatial<T> {
        let (s, v) = (&self.0, &v.0);
        Spatial([
            -s[2] * v[1] + s[1] * v[2],
            s[2] * v[0] - s[0] * v[2],
            -s[1] * v[0] + s[0] * v[1],
            (-s[2] * v[4] + s[1] * v[5]) + (-s[5] * v[1] + s[4] * v[2]),
            (s[2] * v[3] - s[0] * v[5]) + (s[5] * v[0] - s[3] * v[2]),
            (-s[1] * v[3] + s[0] * v[4]) + (-s[4] * v[0] + s[3] * v[1]),
        ])
    }

    /// Rate of change of the force vector `f` carried along by the motion `self`: `(ω × f_r + u × f_t, ω × f_t)` for a
    /// motion `(ω, u)`. MuJoCo: `mju_crossForce`.
    #[inline]
    pub fn cross_force(&self, f: &Spatial<T>) -> Spatial<T> {
        let (s, f) = (&self.0, &f.0);
        Spatial([
            (-s[2] * f[1] + s[1] * f[2]) + (-s[5] * f[4] + s[4] * f[5]),
            (s[2] * f[0] - s[0] * f[2]) + (s[5] * f[3] - s[3] * f[5]),
            (-s[1] * f[0] + s[0] * f[1]) + (-s[4] * f[3] + s[3] * f[4]),
            -s[2] * f[4] + s[1] * f[5],
            s[2] * f[3] - s[0] * f[5],
            -s[1] * f[3] + s[0] * f[4],
        ])
    }
}

impl<T: Number> Index<usize> for Spatial<T> {
    type Output = T;
    #[inline]
    fn index(&self, i: usize) -> &T {
        &self.0[i]
    }
}

impl<T: Number> IndexMut<usize> for Spatial<T> {
    #[inline]
    fn index_mut(&mut self, i: usize) -> &mut T {
        &mut self.0[i]
    }
}

impl<T: Number> Add for Spatial<T> {
    type Output = Spatial<T>;
    #[inline]
    fn add(self, b: Spatial<T>) -> Spatial<T> {
        let mut r = self;
        r += b;
        r
    }
}

impl<T: Number> AddAssign for Spatial<T> {
    #[inline]
    fn add_assign(&mut self, b: Spatial<T>) {
        for k in 0..6 {
            self.0[k] += b.0[k];
        }
    }
}

impl<T: Number> Sub for Spatial<T> {
    type Output = Spatial<T>;
    #[inline]
    fn sub(self, b: Spatial<T>) -> Spatial<T> {
        let mut r = self;
        for k in 0..6 {
            r.0[k] -= b.0[k];
        }
        r
    }
}

/// Express a motion or force vector at another point and, if `rot_new_to_old` is given, in another frame.
///
/// The columns of `rot_new_to_old` are the new axes in the old frame; both points are in the old frame.
/// MuJoCo: `mju_transformSpatial`.
pub fn transform_spatial<T: Number>(
    v: &Spatial<T>,
    is_force: bool,
    new_pos: Vec3<T>,
    old_pos: Vec3<T>,
    rot_new_to_old: Option<&Mat3<T>>,
) -> Spatial<T> {
    // the point moves by d: a force turns about it, a motion moves it
    let dif = new_pos - old_pos;
    let (rot, lin) = if is_force {
        (v.rot() - dif.cross(v.lin()), v.lin())
    } else {
        (v.rot(), v.lin() - dif.cross(v.rot()))
    };
    // then the axes
    match rot_new_to_old {
        Some(r) => Spatial::new(r.mul_transposed(rot), r.mul_transposed(lin)),
        None => Spatial::new(rot, lin),
    }
}

/// Rigid-body inertia about a reference point: six entries of the symmetric rotational inertia
/// (xx, yy, zz, xy, xz, yz), mass times the offset of the centre of mass, mass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(transparent)]
pub struct Inertia10<T = Real>(pub [T; 10]);

impl Inertia10 {
    /// Zero inertia.
    pub const ZERO: Inertia10 = Inertia10([0.0; 10]);
}

impl<T: Number> Inertia10<T> {
    /// Inertia of a body with principal moments `inertia` along the columns of `mat`, whose centre
    /// of mass lies at `dif` from the reference point: `R diag(I) Rᵀ − m [d]×²`. MuJoCo: `mju_inertCom`.
    #[inline]
    pub fn from_body(inertia: Vec3, mat: &Mat3<T>, dif: Vec3<T>, mass: Real) -> Inertia10<T> {
        let m = &mat.0;
        let i = inertia.0.map(T::of);
        // t = diag(I) Rᵀ
        let t = [
            m[0] * i[0],
            m[3] * i[0],
            m[6] * i[0],
            m[1] * i[1],
            m[4] * i[1],
            m[7] * i[1],
            m[2] * i[2],
            m[5] * i[2],
            m[8] * i[2],
        ];
        // R t, six of its entries, and the parallel axis: m (|d|² 1 - d dᵀ)
        let (d, mass) = (dif, T::of(mass));
        Inertia10([
            (m[0] * t[0] + m[1] * t[3] + m[2] * t[6]) + mass * (d[1] * d[1] + d[2] * d[2]),
            (m[3] * t[1] + m[4] * t[4] + m[5] * t[7]) + mass * (d[0] * d[0] + d[2] * d[2]),
            (m[6] * t[2] + m[7] * t[5] + m[8] * t[8]) + mass * (d[0] * d[0] + d[1] * d[1]),
            (m[0] * t[1] + m[1] * t[4] + m[2] * t[7]) - mass * d[0] * d[1],
            (m[0] * t[2] + m[1] * t[5] + m[2] * t[8]) - mass * d[0] * d[2],
            (m[3] * t[2] + m[4] * t[5] + m[5] * t[8]) - mass * d[1] * d[2],
            mass * d[0],
            mass * d[1],
            mass * d[2],
            mass,
        ])
    }

    /// Momentum of the motion `v = (ω, u)`: `(I ω + m d × u, m u - m d × ω)`. MuJoCo: `mju_mulInertVec`.
    #[inline]
    pub fn mul(&self, v: &Spatial<T>) -> Spatial<T> {
        let (i, v) = (&self.0, &v.0);
        Spatial([
            i[0] * v[0] + i[3] * v[1] + i[4] * v[2] - i[8] * v[4] + i[7] * v[5],
            i[3] * v[0] + i[1] * v[1] + i[5] * v[2] + i[8] * v[3] - i[6] * v[5],
            i[4] * v[0] + i[5] * v[1] + i[2] * v[2] - i[7] * v[3] + i[6] * v[4],
            i[8] * v[1] - i[7] * v[2] + i[9] * v[3],
            i[6] * v[2] - i[8] * v[0] + i[9] * v[4],
            i[7] * v[0] - i[6] * v[1] + i[9] * v[5],
        ])
    }
}

impl<T: Number> AddAssign for Inertia10<T> {
    #[inline]
    fn add_assign(&mut self, b: Inertia10<T>) {
        for k in 0..10 {
            self.0[k] += b.0[k];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Quat;

    fn sample(k: Real) -> Spatial {
        Spatial([0.3 * k, -0.7, 1.1, 0.2, 0.9 * k, -0.4])
    }

    #[test]
    fn power_is_the_same_at_every_point() {
        let (motion, force) = (sample(1.0), sample(-2.0));
        let r = Quat::new(0.9, 0.1, -0.2, 0.3).normalize().0.to_mat();
        let p = Vec3::new(0.4, -1.0, 2.0);
        let m = transform_spatial(&motion, false, p, Vec3::ZERO, Some(&r));
        let f = transform_spatial(&force, true, p, Vec3::ZERO, Some(&r));
        assert!((m.dot(&f) - motion.dot(&force)).abs() < 1e-5);
    }

    #[test]
    fn motion_and_force_cross_products_are_dual() {
        let (v, m, f) = (sample(0.5), sample(1.5), sample(-1.0));
        assert!((v.cross_motion(&m).dot(&f) + m.dot(&v.cross_force(&f))).abs() < 1e-5);
    }

    #[test]
    fn kinetic_energy_of_an_offset_body_has_the_parallel_axis_term() {
        let inertia = Inertia10::from_body(
            Vec3::new(1.0, 2.0, 3.0),
            &Mat3::IDENTITY,
            Vec3::new(2.0, 0.0, 0.0),
            5.0,
        );
        let spin = Spatial([0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
        // I_zz + m d² = 3 + 5·4
        assert_eq!(inertia.mul(&spin).dot(&spin), 23.0);
    }
}
