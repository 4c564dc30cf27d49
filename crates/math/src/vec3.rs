//! Three-vectors.
use core::ops::{Add, AddAssign, Index, IndexMut, Mul, Neg, Sub, SubAssign};

use bytemuck::{Pod, Zeroable};

use crate::{MIN_VAL, Number, Real};

/// A vector of three numbers, laid out as `[x, y, z]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(transparent)]
pub struct Vec3<T = Real>(pub [T; 3]);

impl Vec3 {
    /// The zero vector.
    pub const ZERO: Vec3 = Vec3([0.0; 3]);
    /// The unit vector along x.
    pub const X: Vec3 = Vec3([1.0, 0.0, 0.0]);
    /// The unit vector along y.
    pub const Y: Vec3 = Vec3([0.0, 1.0, 0.0]);
    /// The unit vector along z.
    pub const Z: Vec3 = Vec3([0.0, 0.0, 1.0]);

    /// A vector from its components.
    #[inline]
    pub const fn new(x: Real, y: Real, z: Real) -> Vec3 {
        Vec3([x, y, z])
    }
}

impl<T: Number> Vec3<T> {
    /// The first three elements of a slice.
    ///
    /// Panics when the slice is shorter than three.
    #[inline]
    pub fn from_slice(s: &[T]) -> Vec3<T> {
        Vec3([s[0], s[1], s[2]])
    }

    /// Scalar product. MuJoCo: `mju_dot3`.
    #[inline]
    pub fn dot(self, b: Vec3<T>) -> T {
        self[0] * b[0] + self[1] * b[1] + self[2] * b[2]
    }

    /// Vector product. MuJoCo: `mju_cross`.
    ///
    /// ```
    /// use ferrodyn_math::Vec3;
    /// assert_eq!(Vec3::X.cross(Vec3::Y), Vec3::Z);
    /// ```
    #[inline]
    pub fn cross(self, b: Vec3<T>) -> Vec3<T> {
        let a = self;
        Vec3([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])
    }

    /// Euclidean length. MuJoCo: `mju_norm3`.
    #[inline]
    pub fn norm(self) -> T {
        self.dot(self).sqrt()
    }

    /// Unit vector in the same direction, and the length before; `(1, 0, 0)` for vectors shorter
    /// than [`MIN_VAL`]. MuJoCo: `mju_normalize3`.
    #[inline]
    pub fn normalize(self) -> (Vec3<T>, T) {
        let norm = self.norm();
        let none = norm.less(T::of(MIN_VAL));
        let unit = T::choose(none, || Vec3::of(Vec3::X), || self * (T::of(1.0) / norm));
        (unit, norm)
    }

    /// `self + b * scale`. MuJoCo: `mju_addScl3`.
    #[inline]
    pub fn add_scaled(self, b: Vec3<T>, scale: T) -> Vec3<T> {
        Vec3([self[0] + b[0] * scale, self[1] + b[1] * scale, self[2] + b[2] * scale])
    }

    /// Element-wise product.
    #[inline]
    pub fn mul_elem(self, b: Vec3<T>) -> Vec3<T> {
        Vec3([self[0] * b[0], self[1] * b[1], self[2] * b[2]])
    }

    /// True when all three components are exactly zero.
    #[inline]
    pub fn is_zero(self) -> T::Mask {
        let zero = T::of(0.0);
        self[0].equal(zero) & self[1].equal(zero) & self[2].equal(zero)
    }
}

impl<T: Number> Index<usize> for Vec3<T> {
    type Output = T;
    #[inline]
    fn index(&self, i: usize) -> &T {
        &self.0[i]
    }
}

impl<T: Number> IndexMut<usize> for Vec3<T> {
    #[inline]
    fn index_mut(&mut self, i: usize) -> &mut T {
        &mut self.0[i]
    }
}

impl<T: Number> Add for Vec3<T> {
    type Output = Vec3<T>;
    #[inline]
    fn add(self, b: Vec3<T>) -> Vec3<T> {
        Vec3([self[0] + b[0], self[1] + b[1], self[2] + b[2]])
    }
}

impl<T: Number> AddAssign for Vec3<T> {
    #[inline]
    fn add_assign(&mut self, b: Vec3<T>) {
        *self = *self + b;
    }
}

impl<T: Number> Sub for Vec3<T> {
    type Output = Vec3<T>;
    #[inline]
    fn sub(self, b: Vec3<T>) -> Vec3<T> {
        Vec3([self[0] - b[0], self[1] - b[1], self[2] - b[2]])
    }
}

impl<T: Number> SubAssign for Vec3<T> {
    #[inline]
    fn sub_assign(&mut self, b: Vec3<T>) {
        *self = *self - b;
    }
}

impl<T: Number> Mul<T> for Vec3<T> {
    type Output = Vec3<T>;
    #[inline]
    fn mul(self, s: T) -> Vec3<T> {
        Vec3([self[0] * s, self[1] * s, self[2] * s])
    }
}

impl<T: Number> Neg for Vec3<T> {
    type Output = Vec3<T>;
    #[inline]
    fn neg(self) -> Vec3<T> {
        Vec3([-self[0], -self[1], -self[2]])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normalizing_a_tiny_vector_gives_x() {
        assert_eq!(Vec3::new(0.0, 1e-16, 0.0).normalize().0, Vec3::X);
        assert_eq!(Vec3::new(0.0, 2.0, 0.0).normalize(), (Vec3::Y, 2.0));
    }

    #[test]
    fn cross_product_is_orthogonal_to_both_factors() {
        let (a, b) = (Vec3::new(1.0, 2.0, 3.0), Vec3::new(-2.0, 0.5, 4.0));
        let c = a.cross(b);
        assert!(c.dot(a).abs() < 1e-12 && c.dot(b).abs() < 1e-12);
        assert_eq!(a.cross(b), -(b.cross(a)));
    }
}
