//! A distance field that is interpolated in the cells of an octree.
//!
//! The distance to a mesh was computed at the eight corners of each cell when the mesh was read; between them it is
//! trilinear: `f(x, y, z) = Σ fⱼ wₓ w_y w_z` with `w = t` or `1 - t` for the upper and lower corners, `t` from 0 to 1
//! across the cell. Cells are small at the surface and large away from it; neighbours of different size agree at shared
//! corners. Outside of the root, the value at its nearest point plus the distance to that point leads a descent
//! inwards.
use ferrodyn_math::{MAX_VAL, Real, Vec3, sqrt};

use super::shape::difference_gradient;
use crate::Bounds;

/// Deeper octrees are not made, and a loop in a broken one ends here: MuJoCo's number of tries.
const MAX_DEPTH: usize = 100;
/// Points may lie this far outside of their cell, by the rounding of its limits. MuJoCo's.
const CELL_MARGIN: Real = 1e-8;
/// Points outside are moved this far into the outermost cell: above [`CELL_MARGIN`], so that they are inside of it for
/// certain. MuJoCo's.
const INSET: Real = 1e-6;

/// The octree of a mesh; the first cell is its root.
#[derive(Clone, Copy, Debug)]
pub struct Octree<'a> {
    /// Box of each cell: centre and half sizes.
    pub bounds: &'a [Bounds],
    /// Children of each cell, -1 for none.
    pub children: &'a [[i32; 8]],
    /// Distance at the corners of each cell.
    pub corners: &'a [[Real; 8]],
}

/// A weight along one axis, for the lower or the upper end.
#[inline]
fn weight(upper: bool, x: Real) -> Real {
    if upper { x } else { 1.0 - x }
}

/// Corner `j` is the upper one along each axis?
#[inline]
fn upper(j: usize) -> [bool; 3] {
    [j & 1 != 0, j & 2 != 0, j & 4 != 0]
}

impl Octree<'_> {
    /// The nearest point inside of the root, and the distance to it; negative or zero for a point
    /// that is inside already. MuJoCo: `boxProjection`.
    fn project(&self, point: Vec3) -> (Vec3, Real) {
        let Some(root) = self.bounds.first() else { return (point, 0.0) };
        // how far beyond each pair of sides; inside, the nearest side
        let r = Vec3::new(point[0] - root[0], point[1] - root[1], point[2] - root[2]);
        let q: [Real; 3] = core::array::from_fn(|i| r[i].abs() - root[3 + i]);
        if q.iter().all(|q| *q <= 0.0) {
            return (point, q[0].max(q[1].max(q[2])));
        }
        // onto the box, and a little into it
        let mut inside = point;
        let mut squared = 0.0;
        for i in 0..3 {
            if q[i] >= 0.0 {
                squared += q[i] * q[i];
                inside[i] -= if r[i] > 0.0 { q[i] + INSET } else { -(q[i] + INSET) };
            }
        }
        (inside, sqrt(squared))
    }

    /// The leaf around a point, and where in the leaf it is, from 0 to 1 along each axis. MuJoCo: `findOct`.
    fn leaf(&self, p: Vec3) -> Option<(&[Real; 8], Vec3)> {
        let mut node = 0;
        for _ in 0..MAX_DEPTH {
            let (bounds, children) = (self.bounds.get(node)?, self.children.get(node)?);
            let mut at = Vec3::ZERO;
            for i in 0..3 {
                let (low, high) = (bounds[i] - bounds[3 + i], bounds[i] + bounds[3 + i]);
                // not in this cell: the octree is broken, or the point is infinite
                if p[i] + CELL_MARGIN < low || p[i] - CELL_MARGIN > high {
                    return None;
                }
                at[i] = (p[i] - low) / (high - low);
            }
            if children.iter().all(|c| *c == -1) {
                return Some((self.corners.get(node)?, at));
            }
            // the octant of the point, one bit for each axis
            let child = |i: usize| if at[i] < 0.5 { 0 } else { 1 << i };
            node = usize::try_from(children[child(0) + child(1) + child(2)]).ok()?;
        }
        None
    }

    /// Signed distance of a point; very large where the octree is broken. MuJoCo: `oct_distance`.
    pub fn distance(&self, p: Vec3) -> Real {
        let (inside, outside) = self.project(p);
        let Some((corners, at)) = self.leaf(inside) else { return MAX_VAL };
        // trilinear in the leaf
        let mut distance = 0.0;
        for (j, corner) in corners.iter().enumerate() {
            let [x, y, z] = upper(j);
            distance += weight(x, at[0]) * weight(y, at[1]) * weight(z, at[2]) * corner;
        }
        if outside > 0.0 { distance + outside } else { distance }
    }

    /// Gradient of the interpolation (in units of the cell) inside, by differences outside. MuJoCo: `oct_gradient`.
    pub fn gradient(&self, p: Vec3) -> Vec3 {
        if self.project(p).1 > 0.0 {
            return difference_gradient(p, |p| self.distance(p));
        }
        let mut gradient = Vec3::ZERO;
        let Some((corners, at)) = self.leaf(p) else { return gradient };
        let sign = |upper: bool| if upper { 1.0 } else { -1.0 };
        for (j, corner) in corners.iter().enumerate() {
            let [x, y, z] = upper(j);
            // one factor of the product is differentiated: ±1 instead of t or 1 - t
            let (wx, wy, wz) = (weight(x, at[0]), weight(y, at[1]), weight(z, at[2]));
            gradient[0] += sign(x) * wy * wz * corner;
            gradient[1] += wx * sign(y) * wz * corner;
            gradient[2] += wx * wy * sign(z) * corner;
        }
        gradient
    }
}

#[cfg(test)]
mod tests {
    use ferrodyn_math::by_precision;

    use super::*;

    /// One cell of half size 1 in which the distance is `2x - z`.
    fn cell() -> ([Bounds; 1], [[i32; 8]; 1], [[Real; 8]; 1]) {
        let corner = |j: usize| upper(j).map(|u| if u { 1.0 } else { -1.0 });
        let values = core::array::from_fn(|j| 2.0 * corner(j)[0] - corner(j)[2]);
        ([[0.0, 0.0, 0.0, 1.0, 1.0, 1.0]], [[-1; 8]], [values])
    }

    #[test]
    fn a_linear_field_is_reproduced_inside_and_continued_outside() {
        let (bounds, children, corners) = cell();
        let tree = Octree { bounds: &bounds, children: &children, corners: &corners };
        let p = Vec3::new(0.3, -0.2, 0.7);
        let tolerance = by_precision(1e-12, 1e-5);
        assert!((tree.distance(p) - (0.6 - 0.7)).abs() < tolerance);
        // a cell is two long: its gradient is in halves of it
        assert!((tree.gradient(p) - Vec3::new(4.0, 0.0, -2.0)).norm() < tolerance);
        let outside = Vec3::new(0.0, 3.0, 0.0);
        assert!((tree.distance(outside) - 2.0).abs() < 1e-5);
        assert!((tree.gradient(outside)[1] - 1.0).abs() < by_precision(1e-6, 1e-3));
    }

    #[test]
    fn a_broken_octree_is_far_away() {
        let (bounds, _, corners) = cell();
        let tree = Octree { bounds: &bounds, children: &[[7; 8]], corners: &corners };
        assert_eq!(tree.distance(Vec3::ZERO), MAX_VAL);
        let loops = Octree { bounds: &bounds, children: &[[0; 8]], corners: &corners };
        assert_eq!(loops.distance(Vec3::ZERO), MAX_VAL);
    }
}
