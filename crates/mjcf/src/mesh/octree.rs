//! The octree of signed distances around a mesh: cells that a face touches are divided, up to a
//! depth; neighbours differ by at most one level; corners of cells hold the distance.
//!
//! ```text
//!     +-------+-------+
//!     |       |   |   |        the surface goes through the upper right: cells there are divided again;
//!     |       o---+---|        o hangs in the middle of a side of the left cell: its value is the mean of
//!     |       |   |   |        the ends of that side, so that both cells interpolate the same there
//!     +-------+-------+
//! ```
//!
//! 1. Divide, level by level, every cell that a face touches. A cell passes the faces that touch it to its children, so that no face is
//!    tested against the whole tree.
//! 2. Balance: divide leaves until no neighbour is smaller by more than one level.
//! 3. Find hanging points, and the corners that they are the mean of.
//! 4. Compute the distance at all other points, from the root down, so that corners of large cells are known before the points that hang
//!    on them.
//!
//! Points are shared between cells, by their exact coordinates: halving the same numbers gives the same bits. MuJoCo: `mjCOctree`.

use std::collections::{HashMap, VecDeque};

use super::MeshError;
use super::distance::MeshDistance;
use crate::pose::{V3, cross, dot};

/// Depth to which cells that touch the surface are divided: 64 cells along a side. MuJoCo's.
const MAX_DEPTH: i32 = 6;
/// How much larger the root is than the bounding box, so that the surface is inside of it. MuJoCo's.
const MARGIN: f64 = 1.1;
/// Coordinates closer than this are on the same plane: far below a cell, far above rounding.
const SAME_PLANE: f64 = 1e-9;
/// No cell.
const NONE: i32 = -1;

/// Cells of space with signed distances, root first.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Octree {
    /// Boxes: centre and half sizes.
    pub(crate) aabb: Vec<[f64; 6]>,
    /// Children of each cell, -1 for none.
    pub(crate) child: Vec<[i32; 8]>,
    /// Depth of each cell.
    pub(crate) depth: Vec<i32>,
    /// Distances at the corners of each cell.
    pub(crate) coeff: Vec<[f64; 8]>,
}

impl Octree {
    /// The octree around a mesh with the given smallest and largest coordinates.
    pub(super) fn new(vert: &[V3], face: &[[i32; 3]], aamm: &[f64; 6]) -> Result<Self, MeshError> {
        // cells, balance, points that hang, values
        let mut builder = Builder::default();
        builder.divide(vert, face, aamm);
        builder.balance();
        let hanging = builder.hanging_points();
        let distance = builder.distances(&hanging, &MeshDistance::new(vert, face))?;

        let cells = &builder.cells;
        Ok(Self {
            aabb: cells.iter().map(Cell::aabb).collect(),
            child: cells.iter().map(|cell| cell.child).collect(),
            depth: cells.iter().map(|cell| cell.depth).collect(),
            coeff: cells.iter().map(|cell| cell.corner.map(|id| distance[id as usize])).collect(),
        })
    }
}

/// A cell. Children and corners are numbered by bits: bit i is set on the upper side of axis i.
struct Cell {
    depth: i32,
    parent: i32,
    /// Which child of its parent it is.
    slot: usize,
    child: [i32; 8],
    corner: [u32; 8],
    low: V3,
    high: V3,
}

impl Cell {
    fn is_leaf(&self) -> bool {
        self.child[0] == NONE
    }

    fn centre(&self) -> V3 {
        core::array::from_fn(|i| (self.low[i] + self.high[i]) / 2.0)
    }

    /// Centre and half sizes.
    fn aabb(&self) -> [f64; 6] {
        let centre = self.centre();
        let half: V3 = core::array::from_fn(|i| (self.high[i] - self.low[i]) / 2.0);
        [centre[0], centre[1], centre[2], half[0], half[1], half[2]]
    }
}

/// One of the six sides of a cell.
#[derive(Clone, Copy)]
struct Side {
    axis: usize,
    upper: bool,
}

const SIDES: [Side; 6] = [
    Side { axis: 0, upper: false },
    Side { axis: 0, upper: true },
    Side { axis: 1, upper: false },
    Side { axis: 1, upper: true },
    Side { axis: 2, upper: false },
    Side { axis: 2, upper: true },
];

/// An octree while it is built.
#[derive(Default)]
struct Builder {
    cells: Vec<Cell>,
    /// Corners of cells.
    points: Vec<V3>,
    point_ids: HashMap<[u64; 3], u32>,
}

impl Builder {
    /// Divides the cells that faces touch, level by level.
    fn divide(&mut self, vert: &[V3], face: &[[i32; 3]], aamm: &[f64; 6]) {
        // the root
        let centre: V3 = core::array::from_fn(|i| (aamm[i] + aamm[i + 3]) / 2.0);
        let half: V3 = core::array::from_fn(|i| (aamm[i + 3] - aamm[i]) / 2.0);
        let low = core::array::from_fn(|i| centre[i] - MARGIN * half[i]);
        let high = core::array::from_fn(|i| centre[i] + MARGIN * half[i]);
        self.push(NONE, 0, low, high);

        // the faces that touch the parents on this level, and the cells with their share of them
        let mut touching: Vec<u32> = (0..face.len() as u32).collect();
        let mut level = vec![(0, 0..touching.len())];
        while !level.is_empty() {
            let mut next_touching = Vec::new();
            let mut next_level = Vec::new();
            for (index, range) in level {
                let cell = &self.cells[index];
                if cell.depth >= MAX_DEPTH {
                    continue;
                }
                // which of the parent's faces touch this cell
                let start = next_touching.len();
                for &id in &touching[range] {
                    let triangle = face[id as usize].map(|id| vert[id as usize]);
                    if touches(&triangle, &cell.low, &cell.high) {
                        next_touching.push(id);
                    }
                }
                if next_touching.len() == start {
                    continue;
                }
                let range = start..next_touching.len();
                self.subdivide(index);
                let children = self.cells[index].child;
                next_level.extend(children.map(|child| (child as usize, range.clone())));
            }
            touching = next_touching;
            level = next_level;
        }
    }

    /// Adds a cell with its corners.
    fn push(&mut self, parent: i32, slot: usize, low: V3, high: V3) -> i32 {
        let depth = usize::try_from(parent).map_or(0, |parent| self.cells[parent].depth + 1);
        let corner = core::array::from_fn(|k| {
            let at = |i: usize| if k & (1 << i) == 0 { low[i] } else { high[i] };
            self.point([at(0), at(1), at(2)])
        });
        self.cells.push(Cell { depth, parent, slot, child: [NONE; 8], corner, low, high });
        self.cells.len() as i32 - 1
    }

    /// The number of a corner.
    fn point(&mut self, point: V3) -> u32 {
        // adding zero makes the two zeros one
        *self.point_ids.entry(point.map(|x| (x + 0.0).to_bits())).or_insert_with(|| {
            self.points.push(point);
            self.points.len() as u32 - 1
        })
    }

    /// Eight children, halves along each axis.
    fn subdivide(&mut self, index: usize) {
        let (low, high) = (self.cells[index].low, self.cells[index].high);
        for slot in 0..8 {
            let upper = |i: usize| slot & (1 << i) != 0;
            let middle = |i: usize| (low[i] + high[i]) / 2.0;
            let from = core::array::from_fn(|i| if upper(i) { middle(i) } else { low[i] });
            let to = core::array::from_fn(|i| if upper(i) { high[i] } else { middle(i) });
            self.cells[index].child[slot] = self.push(index as i32, slot, from, to);
        }
    }

    /// All cells without children.
    fn leaves(&self) -> Vec<usize> {
        (0..self.cells.len()).filter(|&index| self.cells[index].is_leaf()).collect()
    }

    /// The leaf on the other side of a side of a cell, the one closest to the centre of the cell.
    fn neighbour(&self, index: usize, side: Side) -> Option<usize> {
        // up to the ancestor whose sibling is on that side
        let bit = 1 << side.axis;
        let mut at = &self.cells[index];
        let mut found = loop {
            let parent = &self.cells[usize::try_from(at.parent).ok()?];
            if side.upper != (at.slot & bit != 0) {
                break parent.child[at.slot ^ bit] as usize;
            }
            at = parent;
        };
        // down to a leaf
        let centre = self.cells[index].centre();
        while !self.cells[found].is_leaf() {
            // towards the cell that asked: the children on this side, the nearest of them
            let other = self.cells[found].centre();
            let mut slot = 0;
            for i in 0..3 {
                if i == side.axis {
                    slot |= usize::from(!side.upper) << i;
                } else if centre[i] > other[i] {
                    slot |= 1 << i;
                }
            }
            found = self.cells[found].child[slot] as usize;
        }
        Some(found)
    }

    /// Divides leaves until neighbours differ by at most one level.
    fn balance(&mut self) {
        loop {
            let mut coarse = Vec::new();
            // a leaf beside one that is two levels finer is divided, from whichever side it is found
            for leaf in self.leaves() {
                for side in SIDES {
                    let Some(other) = self.neighbour(leaf, side) else { continue };
                    let (here, there) = (self.cells[leaf].depth, self.cells[other].depth);
                    if there > here + 1 {
                        coarse.push(leaf);
                    }
                    if here > there + 1 {
                        coarse.push(other);
                    }
                }
            }
            if coarse.is_empty() {
                return;
            }
            for index in coarse {
                if self.cells[index].is_leaf() {
                    self.subdivide(index);
                }
            }
        }
    }

    /// For each point that is on a side or an edge of a larger neighbour but not one of its
    /// corners: the corners of that side or edge. The value there is their mean.
    fn hanging_points(&self) -> Vec<Vec<u32>> {
        let mut hanging = vec![Vec::new(); self.points.len()];
        for leaf in self.leaves() {
            for side in SIDES {
                let cell = &self.cells[leaf];
                let Some(other) = self.neighbour(leaf, side) else { continue };
                let other = &self.cells[other];
                // only points of the smaller cell can hang
                if other.depth >= cell.depth {
                    continue;
                }
                let (d1, d2) = ((side.axis + 1) % 3, (side.axis + 2) % 3);
                for i in 0..4 {
                    // the four corners on this side
                    let corner =
                        usize::from(side.upper) << side.axis | (i & 1) << d1 | (i >> 1) << d2;
                    let id = cell.corner[corner] as usize;
                    if hanging[id].is_empty() {
                        hanging[id] = supports(&self.points[id], other);
                    }
                }
            }
        }
        hanging
    }

    /// The distance at each point.
    fn distances(
        &self,
        hanging: &[Vec<u32>],
        mesh: &MeshDistance<'_>,
    ) -> Result<Vec<f64>, MeshError> {
        let mut distance: Vec<Option<f64>> = vec![None; self.points.len()];
        // breadth first: large cells before small ones
        let mut queue = VecDeque::from([0]);
        while let Some(index) = queue.pop_front() {
            let cell = &self.cells[index];
            for &id in &cell.corner {
                let id = id as usize;
                if distance[id].is_some() {
                    continue;
                }
                let supports = &hanging[id];
                let value = if supports.is_empty() {
                    let value = mesh.signed(&self.points[id]);
                    value.ok_or(MeshError::Distance("no face has a nearest point"))?
                } else {
                    // a point that hangs: the mean of what it hangs on
                    let mut sum = 0.0;
                    for &support in supports {
                        let value = distance[support as usize];
                        sum += value.ok_or(MeshError::Distance("a coefficient is not known"))?;
                    }
                    sum / supports.len() as f64
                };
                distance[id] = Some(value);
            }
            if !cell.is_leaf() {
                queue.extend(cell.child.map(|child| child as usize));
            }
        }
        Ok(distance.into_iter().map(Option::unwrap_or_default).collect())
    }
}

/// The corners of the side or edge of a cell that a point is on; none for a corner.
fn supports(point: &V3, cell: &Cell) -> Vec<u32> {
    // on how many planes of the cell's sides the point is: one is a side, two an edge, three a corner
    let on_low: [bool; 3] = core::array::from_fn(|i| (point[i] - cell.low[i]).abs() < SAME_PLANE);
    let on_high: [bool; 3] = core::array::from_fn(|i| (point[i] - cell.high[i]).abs() < SAME_PLANE);
    let bound: [bool; 3] = core::array::from_fn(|i| on_low[i] || on_high[i]);
    let fixed = |i: usize| usize::from(on_high[i]) << i;
    let corner = |slot: usize| cell.corner[slot];
    match bound.iter().filter(|&&b| b).count() {
        2 => {
            let free = bound.iter().position(|&b| !b).unwrap_or_default();
            let base = fixed((free + 1) % 3) | fixed((free + 2) % 3);
            vec![corner(base), corner(base | 1 << free)]
        }
        1 => {
            let axis = bound.iter().position(|&b| b).unwrap_or_default();
            let (d1, d2) = ((axis + 1) % 3, (axis + 2) % 3);
            (0..4).map(|j| corner(fixed(axis) | (j & 1) << d1 | (j >> 1) << d2)).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether a triangle touches a box: the boxes overlap, the plane of the triangle cuts the box, and
/// the projections along the three axes overlap.
fn touches(v: &[V3; 3], low: &V3, high: &V3) -> bool {
    // boxes apart along an axis
    for i in 0..3 {
        if v.iter().all(|p| p[i] < low[i]) || v.iter().all(|p| p[i] > high[i]) {
            return false;
        }
    }
    // box against plane: the extreme corners are on different sides of it
    let edge: [V3; 3] =
        core::array::from_fn(|i| core::array::from_fn(|j| v[(i + 1) % 3][j] - v[i][j]));
    let normal = cross(&edge[0], &edge[1]);
    let size: V3 = core::array::from_fn(|i| high[i] - low[i]);

    // the corners of the box that are farthest along the normal, both ways
    let far: V3 = core::array::from_fn(|i| if normal[i] > 0.0 { size[i] } else { 0.0 });
    let c1: V3 = core::array::from_fn(|i| far[i] - v[0][i]);
    let c2: V3 = core::array::from_fn(|i| size[i] - far[i] - v[0][i]);
    let base = dot(&normal, low);
    if (base + dot(&normal, &c1)) * (base + dot(&normal, &c2)) > 0.0 {
        return false;
    }

    // shadows along each axis: the box's rectangle is not outside of any side of the triangle
    for a in 0..3 {
        let (b, c) = ((a + 1) % 3, (a + 2) % 3);
        let sign = if normal[a] >= 0.0 { 1.0 } else { -1.0 };
        for i in 0..3 {
            let n = [-edge[i][c] * sign, edge[i][b] * sign];
            let mut d = -(n[0] * v[i][b] + n[1] * v[i][c]);
            d += (size[b] * n[0]).max(0.0);
            d += (size[c] * n[1]).max(0.0);
            if n[0] * low[b] + n[1] * low[c] + d < 0.0 {
                return false;
            }
        }
    }
    true
}
