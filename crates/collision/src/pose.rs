//! Where a shape is.
use ferrodyn_math::{Mat3, Vec3};

/// A position and an orientation in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// The centre of the shape.
    pub pos: Vec3,
    /// The axes of the shape, as columns.
    pub mat: Mat3,
}

impl Pose {
    /// A pose with the axes of the world.
    pub const fn at(pos: Vec3) -> Pose {
        Pose { pos, mat: Mat3::IDENTITY }
    }

    /// A point of the world in the frame of the shape.
    #[inline]
    pub fn to_local(&self, point: Vec3) -> Vec3 {
        self.mat.mul_transposed(point - self.pos)
    }

    /// A point of the shape's frame in the world.
    #[inline]
    pub fn to_global(&self, point: Vec3) -> Vec3 {
        &self.mat * point + self.pos
    }

    /// The third axis.
    #[inline]
    pub fn z_axis(&self) -> Vec3 {
        self.mat.column(2)
    }
}
