//! Bounding volumes.
use ferrodyn_math::{MAX_VAL, Mat3, Real, Vec3};

/// A box in some frame: centre and half sizes.
pub type Bounds = [Real; 6];

/// Are two bounding spheres farther apart than the sum of radii and margin?
#[inline]
pub fn spheres_apart(a: Vec3, b: Vec3, reach: Real) -> bool {
    let dif = a - b;
    dif.dot(dif) > reach * reach
}

/// Two frames relative to each other, shared by all boxes of two trees.
#[derive(Clone, Debug)]
pub struct RelativeFrames {
    /// Axes of the second frame in the first, as columns.
    rot: Mat3,
    rot_abs: Mat3,
    /// Origin of the second frame in the first.
    origin_b: Vec3,
    /// Origin of the first frame in the second.
    origin_a: Vec3,
}

impl RelativeFrames {
    /// For two frames.
    #[inline]
    pub fn new(pos_a: Vec3, mat_a: &Mat3, pos_b: Vec3, mat_b: &Mat3) -> RelativeFrames {
        let rot = &mat_a.transpose() * mat_b;
        let between = pos_b - pos_a;
        RelativeFrames {
            rot,
            rot_abs: Mat3(rot.0.map(Real::abs)),
            origin_b: mat_a.mul_transposed(between),
            origin_a: -mat_b.mul_transposed(between),
        }
    }

    /// May two boxes, one of each frame, be within `margin` of each other? Only the axes of the faces
    /// are tried. A box that is infinite along an axis is tried on the other's axes alone.
    #[inline]
    pub fn overlap(&self, a: &Bounds, b: &Bounds, margin: Real) -> bool {
        let (center_a, half_a) = (Vec3([a[0], a[1], a[2]]), Vec3([a[3], a[4], a[5]]));
        let (center_b, half_b) = (Vec3([b[0], b[1], b[2]]), Vec3([b[3], b[4], b[5]]));
        let infinite = |half: Vec3| half.0.map(|s| s >= MAX_VAL);
        let (inf_a, inf_b) = (infinite(half_a), infinite(half_b));
        if inf_a == [true; 3] || inf_b == [true; 3] {
            return true;
        }
        if inf_b == [false; 3] {
            let center = &self.rot * center_b + self.origin_b;
            let reach = &self.rot_abs * half_b;
            for k in 0..3 {
                if half_a[k] + reach[k] + margin < (center[k] - center_a[k]).abs() {
                    return false;
                }
            }
        }
        if inf_a == [false; 3] {
            let center = self.rot.mul_transposed(center_a) + self.origin_a;
            let reach = self.rot_abs.mul_transposed(half_a);
            for k in 0..3 {
                if half_b[k] + reach[k] + margin < (center[k] - center_b[k]).abs() {
                    return false;
                }
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_apart_along_a_face_of_either() {
        let turn = Mat3([0.8, -0.6, 0.0, 0.6, 0.8, 0.0, 0.0, 0.0, 1.0]);
        let unit = [0.0, 0.0, 0.0, 1.0, 1.0, 1.0];
        let at = |x: Real| RelativeFrames::new(Vec3::ZERO, &Mat3::IDENTITY, Vec3::X * x, &turn);
        assert!(at(2.3).overlap(&unit, &unit, 0.0));
        assert!(!at(2.5).overlap(&unit, &unit, 0.0));
        assert!(at(2.5).overlap(&unit, &unit, 0.2));
        let plane = [0.0, 0.0, 0.0, MAX_VAL, MAX_VAL, 0.0];
        assert!(at(50.0).overlap(&plane, &unit, 0.0));
    }
}
