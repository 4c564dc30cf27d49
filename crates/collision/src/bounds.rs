//! Bounding volumes: spheres and boxes around shapes, which rule out most pairs before anyone looks at surfaces.
//!
//! Boxes have the axes of their frames, and two frames are turned against each other. Of the fifteen lines on which two
//! boxes can be apart, only the six face normals are tried: the nine products of edges cost more than the few pairs
//! that they rule out (Gottschalk). On the line along an axis `n` they are apart where
//!
//! ```text
//!   Σ half_aᵢ |n·aᵢ| + Σ half_bᵢ |n·bᵢ| + margin < |n·(centre_b - centre_a)|
//! ```
//!
//! The boxes of two trees share two frames, so that all products of axes are computed once ([`RelativeFrames`]), in
//! fewer operations than MuJoCo's and hence with other rounding. That matters only where boxes touch to the last
//! digits: there the quick test says that it does not know, and [`boxes_overlap`] repeats it with MuJoCo's operations.
//! A plane's box is infinite in two directions: it is tried on its own axes alone, since its reach along others has no
//! meaning.
use ferrodyn_math::{MAX_VAL, Mat3, Real, Vec3};

use crate::Pose;

/// A box in some frame: centre and half sizes.
pub type Bounds = [Real; 6];

/// Are two bounding spheres farther apart than the sum of radii and margin? MuJoCo: `filterSphere`.
#[inline]
pub fn spheres_apart(a: Vec3, b: Vec3, reach: Real) -> bool {
    let dif = a - b;
    dif.dot(dif) > reach * reach
}

/// Are two boxes of the same frame farther apart than a margin? MuJoCo: `filterBox`.
#[inline]
pub fn boxes_apart(a: &Bounds, b: &Bounds, margin: Real) -> bool {
    // all six comparisons: which of them holds cannot be foreseen
    let apart = |a: &Bounds, b: &Bounds, i: usize| a[i] + a[i + 3] + margin < b[i] - b[i + 3];
    (0..3).fold(false, |any, i| any | apart(a, b, i) | apart(b, a, i))
}

/// Is a box of the world outside of the cube around a sphere? MuJoCo: `filterSphereBox`.
#[inline]
pub fn sphere_outside_box(center: Vec3, radius: Real, b: &Bounds) -> bool {
    (0..3).any(|i| center[i] + radius < b[i] - b[i + 3] || center[i] - radius > b[i] + b[i + 3])
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
    /// How far both origins together are from that of the world.
    remote: Real,
}

/// A gap that is smaller than this, relative to the lengths it is made of, may be one of rounding: it takes about thirty
/// operations.
const ROUNDING: Real = 100.0 * Real::EPSILON;

#[inline]
fn sum_of_sizes(v: Vec3) -> Real {
    v[0].abs() + v[1].abs() + v[2].abs()
}

#[inline]
fn center(b: &Bounds) -> Vec3 {
    Vec3([b[0], b[1], b[2]])
}

#[inline]
fn half(b: &Bounds) -> Vec3 {
    Vec3([b[3], b[4], b[5]])
}

/// Which half sizes of a box are infinite.
#[inline]
fn infinite(b: &Bounds) -> [bool; 3] {
    [b[3], b[4], b[5]].map(|half| half >= MAX_VAL)
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
            remote: sum_of_sizes(pos_a) + sum_of_sizes(pos_b),
        }
    }

    /// May two boxes, one of each frame, be within `margin` of each other? Only the axes of the faces
    /// are tried. A box that is infinite along an axis is tried on its own axes alone.
    ///
    /// None where rounding decides: then [`boxes_overlap`] knows.
    #[inline]
    pub fn overlap(&self, a: &Bounds, b: &Bounds, margin: Real) -> Option<bool> {
        let finite = |b: &Bounds| (b[3] < MAX_VAL) & (b[4] < MAX_VAL) & (b[5] < MAX_VAL);
        if finite(a) & finite(b) {
            self.overlap_finite(a, b, margin)
        } else {
            self.overlap_infinite(a, b, margin)
        }
    }

    /// [`RelativeFrames::overlap`] of finite boxes.
    #[inline]
    fn overlap_finite(&self, a: &Bounds, b: &Bounds, margin: Real) -> Option<bool> {
        let (center_a, half_a) = (center(a), half(a));
        let (center_b, half_b) = (center(b), half(b));
        // the sizes of all numbers that the overlaps are made of: what rounding can be
        let sizes = sum_of_sizes(center_a) + sum_of_sizes(center_b);
        let halves = half_a + half_b;
        let lengths = self.remote + sizes + (halves[0] + halves[1] + halves[2]);
        let slack = ROUNDING * (lengths + margin.abs());
        let overlap = |half: Vec3, reach: Vec3, between: Vec3, k: usize| {
            half[k] + reach[k] + margin - between[k].abs()
        };
        // b in the frame of a: along the axes of a. All three, since which of them fails cannot be foreseen
        let between = &self.rot * center_b + self.origin_b - center_a;
        let reach = &self.rot_abs * half_b;
        let [x, y, z] = [0, 1, 2].map(|k| overlap(half_a, reach, between, k));
        if (x < -slack) | (y < -slack) | (z < -slack) {
            return Some(false);
        }
        let decided = (x > slack) & (y > slack) & (z > slack);
        // a in the frame of b: along the axes of b
        let between = self.rot.mul_transposed(center_a) + self.origin_a - center_b;
        let reach = self.rot_abs.mul_transposed(half_a);
        let [x, y, z] = [0, 1, 2].map(|k| overlap(half_b, reach, between, k));
        if (x < -slack) | (y < -slack) | (z < -slack) {
            return Some(false);
        }
        (decided & (x > slack) & (y > slack) & (z > slack)).then_some(true)
    }

    /// [`RelativeFrames::overlap`] where a box may be infinite.
    fn overlap_infinite(&self, a: &Bounds, b: &Bounds, margin: Real) -> Option<bool> {
        let (center_a, half_a) = (center(a), half(a));
        let (center_b, half_b) = (center(b), half(b));
        // infinite in all directions: everywhere
        let (inf_a, inf_b) = (infinite(a), infinite(b));
        if inf_a == [true; 3] || inf_b == [true; 3] {
            return Some(true);
        }
        // the sizes of all numbers that the overlaps are made of: what rounding can be
        let mut lengths = self.remote + sum_of_sizes(center_a) + sum_of_sizes(center_b);
        if inf_a == [false; 3] {
            lengths += half_a[0] + half_a[1] + half_a[2];
        }
        if inf_b == [false; 3] {
            lengths += half_b[0] + half_b[1] + half_b[2];
        }
        let slack = ROUNDING * (lengths + margin.abs());
        let mut decided = true;
        if inf_b == [false; 3] {
            // b in the frame of a: along the axes of a
            let center = &self.rot * center_b + self.origin_b;
            let reach = &self.rot_abs * half_b;
            for k in 0..3 {
                // apart for certain; or not certain, where it is within rounding
                let overlap = half_a[k] + reach[k] + margin - (center[k] - center_a[k]).abs();
                if overlap < -slack {
                    return Some(false);
                }
                decided &= overlap > slack;
            }
        }
        if inf_a == [false; 3] {
            // a in the frame of b: along the axes of b
            let center = self.rot.mul_transposed(center_a) + self.origin_a;
            let reach = self.rot_abs.mul_transposed(half_a);
            for k in 0..3 {
                let overlap = half_b[k] + reach[k] + margin - (center[k] - center_b[k]).abs();
                if overlap < -slack {
                    return Some(false);
                }
                decided &= overlap > slack;
            }
        }
        decided.then_some(true)
    }
}

/// May two boxes, each in a frame of its own, be within `margin` of each other? With every operation of MuJoCo's
/// `mj_collideOBB`.
///
/// Boxes that touch up to rounding are common (parts of one robot, faces of neighbouring bricks), and whether they
/// count decides which contacts exist. MuJoCo sums along axes of the world: the unit length of an axis, for example, is
/// the product of the axis with itself, which can be `1 - 1e-16`. `in_tree` chooses between its two ways to place the
/// centre of a box: for nodes of trees, and for geoms.
#[cold]
pub fn boxes_overlap(boxes: [&Bounds; 2], frames: [&Pose; 2], margin: Real, in_tree: bool) -> bool {
    // three axes of the first, three of the second
    let infinite = boxes.map(infinite);
    for (j, k) in (0..6).map(|face| (face / 3, face % 3)) {
        if infinite[1 - j].contains(&true) {
            continue;
        }
        let normal = frames[j].mat.column(k);
        // where the centre of each box is along the axis, and how far the box reaches
        let [(at_a, reach_a), (at_b, reach_b)] = [0, 1].map(|i| {
            let (axes, b) = (frames[i].mat.mul_transposed(normal), boxes[i]);
            let at = if in_tree {
                center(b).dot(axes) + frames[i].pos.dot(normal)
            } else {
                frames[i].to_global(center(b)).dot(normal)
            };
            let reach = (b[3] * axes[0]).abs() + (b[4] * axes[1]).abs() + (b[5] * axes[2]).abs();
            (at, reach)
        });
        if reach_a + reach_b + margin < (at_b - at_a).abs() {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn overlap(boxes: [&Bounds; 2], [a, b]: [&Pose; 2], margin: Real) -> bool {
        let answer = boxes_overlap(boxes, [a, b], margin, false);
        assert_eq!(boxes_overlap(boxes, [a, b], margin, true), answer);
        let frames = RelativeFrames::new(a.pos, &a.mat, b.pos, &b.mat);
        let quick = frames.overlap(boxes[0], boxes[1], margin);
        assert!(quick.is_none_or(|quick| quick == answer));
        answer
    }

    #[test]
    fn boxes_are_apart_along_a_face_of_either() {
        let turn = Mat3([0.8, -0.6, 0.0, 0.6, 0.8, 0.0, 0.0, 0.0, 1.0]);
        let unit = [0.0, 0.0, 0.0, 1.0, 1.0, 1.0];
        let plane = [0.0, 0.0, 0.0, MAX_VAL, MAX_VAL, 0.0];
        let here = Pose::at(Vec3::ZERO);
        let at = |first: &Bounds, x: Real, margin: Real| {
            overlap([first, &unit], [&here, &Pose { pos: Vec3::X * x, mat: turn }], margin)
        };
        assert!(at(&unit, 2.3, 0.0));
        assert!(!at(&unit, 2.5, 0.0));
        assert!(at(&unit, 2.5, 0.2));
        assert!(at(&plane, 50.0, 0.0));
    }

    #[cfg(not(feature = "f32"))]
    #[test]
    fn boxes_that_touch_up_to_rounding_are_judged_as_in_mujoco() {
        // two parts of a faucet: the axis of the second is 1 - 1e-16 long, which leaves a gap of 1e-17
        let (low, high) = (Vec3::new(0.0, 0.8, 0.061), Vec3::new(0.0, 0.8, 0.125));
        let (c, s) = (0.999_999_999_999_640_8, 8.474_378_478_002_012e-7);
        let turn = Mat3([c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 0.999_999_999_999_999_9]);
        let boxes = [&[0.0, 0.0, 0.0, 0.017, 0.017, 0.044], &[0.0, 0.0, 0.0, 0.032, 0.032, 0.02]];
        assert!(!overlap(boxes, [&Pose::at(low), &Pose { pos: high, mat: turn }], 0.0));
        assert!(overlap(boxes, [&Pose::at(low), &Pose::at(high)], 0.0));
    }

    #[test]
    fn spheres_that_touch_are_not_apart() {
        let (a, b) = (Vec3::new(1.0, 0.0, 0.0), Vec3::new(4.0, 4.0, 0.0));
        assert!(!spheres_apart(a, b, 5.0) && spheres_apart(a, b, 4.999));
    }
}
