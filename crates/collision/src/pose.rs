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

#[cfg(test)]
mod tests {
    use ferrodyn_math::{Quat, Real, by_precision};

    use super::*;

    #[test]
    fn points_go_to_the_frame_and_back() {
        let mat = Quat::from_axis_angle(Vec3::Z, ferrodyn_math::PI / 2.0).to_mat();
        let pose = Pose { pos: Vec3::new(1.0, 2.0, 3.0), mat };
        let tolerance: Real = by_precision(1e-12, 1e-6);
        let point = Vec3::new(2.0, 4.0, 6.0);
        // a quarter turn about z: the x axis of the frame is the y axis of the world
        assert!((pose.to_local(point) - Vec3::new(2.0, -1.0, 3.0)).norm() < tolerance);
        assert!((pose.to_global(pose.to_local(point)) - point).norm() < tolerance);
        assert_eq!(Pose::at(point).to_global(Vec3::X), Vec3::new(3.0, 4.0, 6.0));
        assert!((pose.z_axis() - Vec3::Z).norm() < tolerance);
    }
}
