//! The surface of a box, or of what a box is drawn to: a cylinder or an ellipsoid. In three dimensions its centre is a
//! point too, which every tetrahedron has; in two dimensions the surface is open at the top.

use super::{Arrangement, Lattice};
use crate::keywords::FlexcompKind;
use crate::pose::{V3, normalize};

/// The sides of a box, by the axis across them, in the order in which their points are made.
const SIDES: [usize; 3] = [2, 1, 0];

/// The surface of a box, and its centre. MuJoCo: `MakeBox`.
pub(super) fn fill(shape: &Arrangement, to: &mut Lattice) -> Result<(), &'static str> {
    if shape.count.iter().any(|n| *n < 2) {
        return Err("a closed surface needs at least two points along each axis");
    }
    // numbers of the points in the grid around them
    let mut numbers = vec![0; shape.points()];
    if to.dim == 3 {
        to.point.push([0.0; 3]);
    }
    if shape.textured {
        to.texcoord.extend([0.0, 0.0]);
    }
    let centre = i32::from(to.dim == 3);
    let mut next = centre;
    for across in SIDES {
        sides(shape, across, |at| {
            if !is_new(shape, to.dim, across, at) {
                return;
            }
            to.point.push(project(shape, at));
            numbers[linear(shape, at)] = next;
            next += 1;
            if shape.textured {
                let [u, v] = along(across);
                to.texcoord.extend([shape.share(u, at[u]), shape.share(v, at[v])]);
            }
        });
    }
    for across in SIDES {
        let [u, v] = along(across);
        sides(shape, across, |at| {
            if at[u] + 1 == shape.count[u] || at[v] + 1 == shape.count[v] {
                return;
            }
            if to.dim == 2 && across == 2 && at[2] != 0 {
                return;
            }
            let id = |du: usize, dv: usize| {
                let mut corner = at;
                corner[u] += du;
                corner[v] += dv;
                numbers[linear(shape, corner)]
            };
            if to.dim == 3 {
                to.element.extend([0, id(0, 0), id(1, 0), id(1, 1)]);
                to.element.extend([0, id(0, 0), id(0, 1), id(1, 1)]);
                return;
            }
            // triangles look outwards
            let first = at[across] == 0;
            match (across, first) {
                (2, true) => {
                    to.element.extend([id(0, 0), id(1, 1), id(1, 0)]);
                    to.element.extend([id(0, 0), id(0, 1), id(1, 1)]);
                }
                (2, false) | (1, true) | (0, false) => {
                    to.element.extend([id(0, 0), id(1, 0), id(1, 1)]);
                    to.element.extend([id(0, 0), id(1, 1), id(0, 1)]);
                }
                _ => {
                    to.element.extend([id(1, 0), id(0, 0), id(0, 1)]);
                    to.element.extend([id(1, 0), id(0, 1), id(1, 1)]);
                }
            }
        });
    }
    Ok(())
}

/// Both axes of a side.
fn along(across: usize) -> [usize; 2] {
    [usize::from(across == 0), if across == 2 { 1 } else { 2 }]
}

/// Calls `each` for the points of both sides across an axis.
fn sides(shape: &Arrangement, across: usize, mut each: impl FnMut([usize; 3])) {
    let [u, v] = along(across);
    for side in [0, shape.count[across] - 1] {
        for i in 0..shape.count[u] {
            for j in 0..shape.count[v] {
                let mut at = [0; 3];
                at[across] = side;
                at[u] = i;
                at[v] = j;
                each(at);
            }
        }
    }
}

/// Whether a point of a side was not on one before.
fn is_new(shape: &Arrangement, dim: usize, across: usize, at: [usize; 3]) -> bool {
    let inner = |axis: usize| at[axis] > 0 && at[axis] + 1 < shape.count[axis];
    // an open surface has its upper rim on the sides
    let open = dim == 2;
    let below = at[2] > 0 && (open || inner(2));
    match across {
        2 => !(open && at[2] != 0),
        1 => below,
        _ => below && inner(1),
    }
}

fn linear(shape: &Arrangement, at: [usize; 3]) -> usize {
    (at[0] * shape.count[1] + at[1]) * shape.count[2] + at[2]
}

/// A point of the box, drawn to the shape.
fn project(shape: &Arrangement, at: [usize; 3]) -> V3 {
    let mut pos: V3 =
        core::array::from_fn(|k| 2.0 * at[k] as f64 / (shape.count[k] as f64 - 1.0) - 1.0);
    let size: V3 = core::array::from_fn(|k| shape.half(k));
    match shape.kind {
        FlexcompKind::Cylinder => {
            let reach = pos[0].abs().max(pos[1].abs());
            let mut flat = [pos[0], pos[1]];
            normalize(&mut flat);
            return [flat[0] * (size[0] * reach), flat[1] * (size[1] * reach), pos[2] * size[2]];
        }
        FlexcompKind::Ellipsoid => {
            normalize(&mut pos);
        }
        _ => {}
    }
    core::array::from_fn(|k| pos[k] * size[k])
}
