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

/// Dot products between the axes and positions of two frames, shared by all boxes of two trees.
///
/// Indexed by the frame of the box, the frame of the axis, the axis.
#[derive(Clone, Debug)]
pub struct AxisProducts {
    product: [[[Vec3; 3]; 2]; 2],
    offset: [[Vec3; 2]; 2],
}

impl AxisProducts {
    /// For two frames.
    pub fn new(pos: [Vec3; 2], mat: [&Mat3; 2]) -> AxisProducts {
        let mut product = [[[Vec3::ZERO; 3]; 2]; 2];
        let mut offset = [[Vec3::ZERO; 2]; 2];
        for i in 0..2 {
            for j in 0..2 {
                for k in 0..3 {
                    let axis = mat[j].column(k);
                    for l in 0..3 {
                        product[i][j][k][l] = mat[i].column(l).dot(axis);
                    }
                    offset[i][j][k] = pos[i].dot(axis);
                }
            }
        }
        AxisProducts { product, offset }
    }

    /// May two boxes, one of each frame, be within `margin` of each other? (Face axes only.)
    pub fn overlap(&self, a: &Bounds, b: &Bounds, margin: Real) -> bool {
        let boxes = [a, b];
        let infinite = boxes.map(|x| x[3..].iter().map(|s| *s >= MAX_VAL));
        let [(all_a, any_a), (all_b, any_b)] =
            infinite.map(|mut x| (x.clone().all(|y| y), x.any(|y| y)));
        if all_a || all_b {
            return true;
        }
        let any = [any_a, any_b];
        for j in 0..2 {
            if any[1 - j] {
                continue;
            }
            for k in 0..3 {
                let span = [0, 1].map(|i| {
                    let (axis, x) = (self.product[i][j][k], boxes[i]);
                    let center =
                        x[0] * axis[0] + x[1] * axis[1] + x[2] * axis[2] + self.offset[i][j][k];
                    let radius =
                        (x[3] * axis[0]).abs() + (x[4] * axis[1]).abs() + (x[5] * axis[2]).abs();
                    (center, radius)
                });
                let ((c0, r0), (c1, r1)) = (span[0], span[1]);
                if r0 + r1 + margin < (c1 - c0).abs() {
                    return false;
                }
            }
        }
        true
    }
}

/// May two boxes, each in its own frame, be within `margin` of each other? (Face axes only.)
pub fn boxes_overlap(
    a: &Bounds,
    pos_a: Vec3,
    mat_a: &Mat3,
    b: &Bounds,
    pos_b: Vec3,
    mat_b: &Mat3,
    margin: Real,
) -> bool {
    AxisProducts::new([pos_a, pos_b], [mat_a, mat_b]).overlap(a, b, margin)
}
