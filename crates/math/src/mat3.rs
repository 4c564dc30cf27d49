//! Row-major 3×3 matrices.
use core::ops::{Index, IndexMut, Mul};

use bytemuck::{Pod, Zeroable};

use crate::{Number, Real, Vec3};

/// A 3×3 matrix, row-major.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(transparent)]
pub struct Mat3<T = Real>(pub [T; 9]);

impl Mat3 {
    /// The identity.
    pub const IDENTITY: Mat3 = Mat3([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
}

impl<T: Number> Mat3<T> {
    /// A matrix from its columns.
    #[inline]
    pub fn from_columns(x: Vec3<T>, y: Vec3<T>, z: Vec3<T>) -> Mat3<T> {
        Mat3([x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]])
    }

    /// Row `i`.
    #[inline]
    pub fn row(&self, i: usize) -> Vec3<T> {
        Vec3([self.0[3 * i], self.0[3 * i + 1], self.0[3 * i + 2]])
    }

    /// Column `i`.
    #[inline]
    pub fn column(&self, i: usize) -> Vec3<T> {
        Vec3([self.0[i], self.0[i + 3], self.0[i + 6]])
    }

    /// The transpose.
    #[inline]
    pub fn transpose(&self) -> Mat3<T> {
        let m = &self.0;
        Mat3([m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]])
    }

    /// `transpose(self) * v`. MuJoCo: `mju_mulMatTVec3`.
    #[inline]
    pub fn mul_transposed(&self, v: Vec3<T>) -> Vec3<T> {
        let m = &self.0;
        Vec3([
            m[0] * v[0] + m[3] * v[1] + m[6] * v[2],
            m[1] * v[0] + m[4] * v[1] + m[7] * v[2],
            m[2] * v[0] + m[5] * v[1] + m[8] * v[2],
        ])
    }
}

impl<T: Number> Mul<Vec3<T>> for &Mat3<T> {
    type Output = Vec3<T>;
    #[inline]
    fn mul(self, v: Vec3<T>) -> Vec3<T> {
        let m = &self.0;
        Vec3([
            m[0] * v[0] + m[1] * v[1] + m[2] * v[2],
            m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
            m[6] * v[0] + m[7] * v[1] + m[8] * v[2],
        ])
    }
}

impl<T: Number> Mul<&Mat3<T>> for &Mat3<T> {
    type Output = Mat3<T>;
    #[inline]
    fn mul(self, b: &Mat3<T>) -> Mat3<T> {
        let mut r = Mat3::default();
        for i in 0..3 {
            for j in 0..3 {
                r.0[3 * i + j] = self.0[3 * i] * b.0[j]
                    + self.0[3 * i + 1] * b.0[3 + j]
                    + self.0[3 * i + 2] * b.0[6 + j];
            }
        }
        r
    }
}

impl<T: Number> Index<usize> for Mat3<T> {
    type Output = T;
    #[inline]
    fn index(&self, i: usize) -> &T {
        &self.0[i]
    }
}

impl<T: Number> IndexMut<usize> for Mat3<T> {
    #[inline]
    fn index_mut(&mut self, i: usize) -> &mut T {
        &mut self.0[i]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transposed_product_matches_product_with_transpose() {
        let m = Mat3([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 10.0]);
        let v = Vec3::new(0.3, -0.2, 0.7);
        assert_eq!(m.mul_transposed(v), &m.transpose() * v);
        assert_eq!(&Mat3::IDENTITY * &m, m);
    }
}
