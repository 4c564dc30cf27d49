//! Regular grids, and what is bent from them: circles and discs.

use ferrodyn_math::elementary::{cos, sin};

use super::{Arrangement, Lattice};
use crate::keywords::FlexcompKind;
use crate::pose::{EPS, normalize};

/// Both triangles of a square, by its corners in turn.
const TRIANGLES: [[usize; 3]; 2] = [[0, 1, 2], [0, 2, 3]];
/// The same with the other diagonal.
const TRIANGLES_ACROSS: [[usize; 3]; 2] = [[0, 1, 3], [1, 2, 3]];
/// The six tetrahedra of a cube, by its corners: four in turn below, four above.
const TETRAHEDRA: [[usize; 4]; 6] =
    [[0, 3, 1, 7], [0, 1, 4, 7], [1, 3, 2, 7], [1, 2, 6, 7], [1, 5, 4, 7], [1, 6, 5, 7]];

/// A grid of the dimension of the flex, centred at the origin. MuJoCo: `MakeGrid`.
pub(super) fn fill(grid: &Arrangement, to: &mut Lattice) -> Result<(), &'static str> {
    match to.dim {
        1 => line(grid, to),
        2 => plane(grid, to),
        _ => block(grid, to),
    }
    if to.element.is_empty() { Err("the grid has no elements") } else { Ok(()) }
}

/// A flat grid, for a disc drawn towards a circle. MuJoCo: `MakeSquare`.
pub(super) fn fill_disc(grid: &Arrangement, to: &mut Lattice) -> Result<(), &'static str> {
    to.dim = 2;
    fill(grid, to)?;
    if grid.kind == FlexcompKind::Disc {
        for point in &mut to.point {
            let reach = point[0].abs().max(point[1].abs());
            let mut flat = [point[0], point[1]];
            normalize(&mut flat);
            for k in 0..2 {
                point[k] = flat[k] * (grid.half(k) * reach);
            }
        }
    }
    Ok(())
}

/// The coordinate of a point along an axis.
fn place(grid: &Arrangement, axis: usize, i: usize) -> f64 {
    grid.spacing[axis] * (i as f64 - 0.5 * (grid.count[axis] as f64 - 1.0))
}

/// A line, or a circle whose last point is its first.
fn line(grid: &Arrangement, to: &mut Lattice) {
    let count = grid.count[0];
    if grid.kind == FlexcompKind::Circle {
        let angle = 2.0 * core::f64::consts::PI / (count as f64 - 1.0);
        let radius = grid.spacing[0] / sin(angle / 2.0) / 2.0;
        for i in 0..count - 1 {
            let turn = angle * i as f64;
            to.point.push([radius * cos(turn), radius * sin(turn), 0.0]);
            to.element.extend([i as i32, if i + 2 == count { 0 } else { i as i32 + 1 }]);
        }
        return;
    }
    for i in 0..count {
        to.point.push([place(grid, 0, i), 0.0, 0.0]);
        if i + 1 < count {
            to.element.extend([i as i32, i as i32 + 1]);
        }
    }
}

fn plane(grid: &Arrangement, to: &mut Lattice) {
    let [nx, ny, nz] = grid.count;
    for ix in 0..nx {
        for iy in 0..ny {
            let [x, y] = [place(grid, 0, ix), place(grid, 1, iy)];
            to.point.push([x, y, 0.0]);
            if grid.textured {
                // in double precision first, as MuJoCo divides here
                let share = |i: usize, n: usize| (i as f64 / (n - 1).max(1) as f64) as f32;
                to.texcoord.extend([share(ix, nx), share(iy, ny)]);
            }
            if ix + 1 == nx || iy + 1 == ny {
                continue;
            }
            // the diagonals of a disc run towards its centre
            let across = (x < -EPS && y > -EPS) || (x > -EPS && y < -EPS);
            let triangles = match grid.kind {
                FlexcompKind::Disc if across => TRIANGLES_ACROSS,
                _ => TRIANGLES,
            };
            let id = |dx: usize, dy: usize| (nz * (ny * (ix + dx) + iy + dy)) as i32;
            let corners = [id(0, 0), id(1, 0), id(1, 1), id(0, 1)];
            to.element.extend(triangles.iter().flatten().map(|&c| corners[c]));
        }
    }
}

fn block(grid: &Arrangement, to: &mut Lattice) {
    let [nx, ny, nz] = grid.count;
    for ix in 0..nx {
        for iy in 0..ny {
            for iz in 0..nz {
                to.point.push([place(grid, 0, ix), place(grid, 1, iy), place(grid, 2, iz)]);
                if grid.textured {
                    to.texcoord.extend([grid.share(0, ix), grid.share(1, iy)]);
                }
                if ix + 1 == nx || iy + 1 == ny || iz + 1 == nz {
                    continue;
                }
                let id = |dx: usize, dy: usize, dz: usize| {
                    (nz * (ny * (ix + dx) + iy + dy) + iz + dz) as i32
                };
                let ring = |dz| [id(0, 0, dz), id(1, 0, dz), id(1, 1, dz), id(0, 1, dz)];
                let corners = [ring(0), ring(1)].concat();
                to.element.extend(TETRAHEDRA.iter().flatten().map(|&c| corners[c]));
            }
        }
    }
}
