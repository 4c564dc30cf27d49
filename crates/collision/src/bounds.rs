//! Bounding volumes.
use ferrodyn_math::{MAX_VAL, Mat3, Real, Vec3};

use crate::Pose;

/// A box in some frame: centre and half sizes.
pub type Bounds = [Real; 6];

/// Are two bounding spheres farther apart than the sum of radii and margin?
#[inline]
pub fn spheres_apart(a: Vec3, b: Vec3, reach: Real) -> bool {
    let dif = a - b;
    dif.dot(dif) > reach * reach
}

/// May two boxes, each in a frame of its own, be within `margin` of each other? Only the axes of their faces are
/// tried. MuJoCo: `mj_collideOBB`.
///
/// Boxes that touch up to rounding are common (parts of one robot, faces of neighbouring bricks), and whether they
/// count decides which contacts exist. So the sums are MuJoCo's, taken along axes of the world: the unit length of an
/// axis, for example, is the product of the axis with itself, which can be `1 - 1e-16`.
#[inline]
pub fn boxes_overlap(boxes: [&Bounds; 2], frames: [&Pose; 2], margin: Real) -> bool {
    let centers = [0, 1].map(|i| frames[i].to_global(center(boxes[i])));
    overlap_on_faces(boxes, margin, |j, k| {
        let normal = frames[j].mat.column(k);
        [0, 1].map(|i| (centers[i].dot(normal), frames[i].mat.mul_transposed(normal)))
    })
}

/// Two frames, and what all boxes in one share when they are tried against boxes in the other.
#[derive(Clone, Debug)]
pub struct TreeFrames {
    /// `axes[i][j]`: row `k` has the axes of frame `i` along axis `k` of frame `j`.
    axes: [[Mat3; 2]; 2],
    /// `origins[i][j]`: the origin of frame `i` along the axes of frame `j`.
    origins: [[Vec3; 2]; 2],
}

impl TreeFrames {
    /// For two frames.
    pub fn new(frames: [&Pose; 2]) -> TreeFrames {
        let [a, b] = frames.map(|frame| &frame.mat);
        let (turned_a, turned_b) = (a.transpose(), b.transpose());
        let across = &turned_a * b;
        let own = |i: usize, j: usize| frames[j].mat.mul_transposed(frames[i].pos);
        TreeFrames {
            axes: [[&turned_a * a, across.transpose()], [across, &turned_b * b]],
            origins: [[own(0, 0), own(0, 1)], [own(1, 0), own(1, 1)]],
        }
    }

    /// The same question as [`boxes_overlap`], with the rounding that MuJoCo has inside of trees.
    #[inline]
    pub fn overlap(&self, boxes: [&Bounds; 2], margin: Real) -> bool {
        let centers = boxes.map(center);
        overlap_on_faces(boxes, margin, |j, k| {
            [0, 1].map(|i| {
                let axes = self.axes[i][j].row(k);
                (centers[i].dot(axes) + self.origins[i][j][k], axes)
            })
        })
    }
}

#[inline]
fn center(b: &Bounds) -> Vec3 {
    Vec3([b[0], b[1], b[2]])
}

/// Do the shadows of two boxes overlap on the axes of all faces? `shadow(j, k)` gives, for both boxes, the centre and
/// the three axes along axis `k` of box `j`. A box that is infinite along an axis is tried on its own axes alone.
#[inline]
fn overlap_on_faces(
    boxes: [&Bounds; 2],
    margin: Real,
    shadow: impl Fn(usize, usize) -> [(Real, Vec3); 2],
) -> bool {
    let infinite = boxes.map(|b| [b[3], b[4], b[5]].map(|half| half >= MAX_VAL));
    if infinite.contains(&[true; 3]) {
        return true;
    }
    for j in 0..2 {
        if infinite[1 - j].contains(&true) {
            continue;
        }
        for k in 0..3 {
            let [(center_a, axes_a), (center_b, axes_b)] = shadow(j, k);
            let radius = |b: &Bounds, axes: Vec3| {
                (b[3] * axes[0]).abs() + (b[4] * axes[1]).abs() + (b[5] * axes[2]).abs()
            };
            let reach = radius(boxes[0], axes_a) + radius(boxes[1], axes_b) + margin;
            if reach < (center_b - center_a).abs() {
                return false;
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_apart_along_a_face_of_either() {
        let turn = Mat3([0.8, -0.6, 0.0, 0.6, 0.8, 0.0, 0.0, 0.0, 1.0]);
        let unit = [0.0, 0.0, 0.0, 1.0, 1.0, 1.0];
        let plane = [0.0, 0.0, 0.0, MAX_VAL, MAX_VAL, 0.0];
        let here = Pose::at(Vec3::ZERO);
        let both = |first: &Bounds, x: Real, margin: Real| {
            let frames = [&here, &Pose { pos: Vec3::X * x, mat: turn }];
            let answer = boxes_overlap([first, &unit], frames, margin);
            assert_eq!(TreeFrames::new(frames).overlap([first, &unit], margin), answer);
            answer
        };
        assert!(both(&unit, 2.3, 0.0));
        assert!(!both(&unit, 2.5, 0.0));
        assert!(both(&unit, 2.5, 0.2));
        assert!(both(&plane, 50.0, 0.0));
    }

    #[cfg(not(feature = "f32"))]
    #[test]
    fn boxes_that_touch_up_to_rounding_are_judged_as_in_mujoco() {
        // two parts of a faucet: the axis of the second is 1 - 1e-16 long, which leaves a gap of 1e-17
        let (low, high) = (Vec3::new(0.0, 0.8, 0.061), Vec3::new(0.0, 0.8, 0.125));
        let (c, s) = (0.999_999_999_999_640_8, 8.474_378_478_002_012e-7);
        let turn = Mat3([c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 0.999_999_999_999_999_9]);
        let boxes = [&[0.0, 0.0, 0.0, 0.017, 0.017, 0.044], &[0.0, 0.0, 0.0, 0.032, 0.032, 0.02]];
        assert!(!boxes_overlap(boxes, [&Pose::at(low), &Pose { pos: high, mat: turn }], 0.0));
        assert!(boxes_overlap(boxes, [&Pose::at(low), &Pose::at(high)], 0.0));
    }
}
