//! A height field against convex shapes: one prism for each triangle of the grid.
//!
//! A terrain is not convex, but the ground under one triangle is: a prism from the base up to the surface. The cells
//! under the bounding box of the shape are cut into two triangles each, row by row, and each prism that can touch the
//! shape is given to the convex search: at most one point for each.
//!
//! ```text
//!   row + 1   0---2---4---6         a strip: nodes in this order, and every three neighbours of the
//!             | / | / | / |         order are a triangle; even ones lie to the upper left of their
//!   row       1---3---5---7         diagonal, odd ones to the lower right
//! ```
//!
//! The frame is that of the field: `x` and `y` from minus to plus half size, elevations times `size[2]` upwards, the
//! base `size[3]` below zero. The margin lifts the surface, and grows the shape by half of it: MuJoCo's choice, which
//! is kept. The distance of a contact is that of the lifted field and the grown shape.
//!
//! A prism touches a shape that is above all three corners nowhere, which MuJoCo asks first. Two further questions,
//! which do not change the answer, spare most searches of round shapes: is the shape across the diagonal, over the
//! other prism of the cell, or above the plane of the triangle? Both leave a distance of [`CLEAR`] to rounding. What is
//! cut at the border between two prisms is found twice, by either.
use ferrodyn_math::{MIN_VAL, Real, Vec3, ceil, floor};

use crate::{
    ContactPoint, ContactPoints, Convex, ConvexShape, ConvexSolver, Element, MAX_POINTS, Pose,
};

/// A grid of elevations.
#[derive(Clone, Copy, Debug)]
pub struct HeightField<'a> {
    /// Number of rows, along y.
    pub rows: usize,
    /// Number of columns, along x.
    pub columns: usize,
    /// Half width, half depth, height of elevation 1, depth of the base.
    pub size: [Real; 4],
    /// Elevations between 0 and 1, row by row.
    pub data: &'a [f32],
}

impl HeightField<'_> {
    /// Distances between neighbouring nodes, along x and y.
    pub fn spacing(&self) -> [Real; 2] {
        let step = |half: Real, nodes: usize| (2.0 * half) / (nodes - 1) as Real;
        [step(self.size[0], self.columns), step(self.size[1], self.rows)]
    }

    /// The point of the surface over a node of the grid with that spacing.
    #[inline]
    pub fn node(&self, [dx, dy]: [Real; 2], row: usize, column: usize) -> Vec3 {
        let height = self.data[row * self.columns + column] as Real * self.size[2];
        Vec3::new(dx * column as Real - self.size[0], dy * row as Real - self.size[1], height)
    }
}

/// The cells between two coordinates, as a range of nodes.
fn cells(low: Real, high: Real, half: Real, nodes: usize) -> (usize, usize) {
    // from coordinates to nodes; the cells begin at the node below and end at the one above
    let scaled = |x: Real| (x + half) / (2.0 * half) * (nodes - 1) as Real;
    let last = nodes - 1;
    // casts saturate, and NaN becomes 0
    (
        (floor(scaled(low)).max(0.0) as usize).min(last),
        (ceil(scaled(high)).max(0.0) as usize).min(last),
    )
}

/// Distances below this are left to the search for contacts: far above rounding of coordinates in metres, far below any shape.
const CLEAR: Real = 1e-9;

/// Vertical planes over the diagonals of the cells, which part the two prisms of a cell, and how far a shape
/// reaches across them.
struct Diagonals {
    normal: Vec3,
    low: Real,
    high: Real,
}

impl Diagonals {
    /// None for shapes that are not symmetric.
    fn new(object: &Convex<'_>, [dx, dy]: [Real; 2]) -> Option<Self> {
        // across the diagonal, in the plane of the grid
        let normal = Vec3::new(dy, -dx, 0.0).normalize().0;
        let (middle, half) = (object.pose.pos.dot(normal), object.grown_half_width(normal)?);
        Some(Self { normal, low: middle - half, high: middle + half })
    }

    /// Is the shape on the side of the other prism of the cell, so that it cannot touch this one?
    fn exclude(&self, triangle: &[Vec3; 3], is_first: bool) -> bool {
        // the middle corner of a triangle of the strip is on the diagonal
        let diagonal = triangle[1].dot(self.normal);
        if is_first { self.low > diagonal + CLEAR } else { self.high < diagonal - CLEAR }
    }
}

/// Is a symmetric shape on the other side of the plane through the upper triangle of a prism, so that they
/// cannot touch?
fn lies_over(object: &Convex<'_>, [a, b, c]: [Vec3; 3]) -> bool {
    // corners of even and odd triangles go round in opposite ways: upwards is what counts
    let (normal, area) = (b - a).cross(c - a).normalize();
    let height = (object.pose.pos - a).dot(normal) * if normal[2] < 0.0 { -1.0 } else { 1.0 };
    area >= MIN_VAL && object.grown_half_width(normal).is_some_and(|half| height > half + CLEAR)
}

/// The corners of the bounding box along the axes.
fn bounding_box(object: &mut Convex<'_>) -> (Vec3, Vec3) {
    let mut low = object.pose.pos;
    let mut high = low;
    for i in 0..3 {
        // from the formula where there is one, else from support points both ways
        let mut dir = Vec3::ZERO;
        dir[i] = 1.0;
        if let Some(half) = object.half_width(dir) {
            low[i] -= half;
            high[i] += half;
        } else {
            high[i] = object.support(dir)[i];
            low[i] = object.support(-dir)[i];
        }
    }
    (low, high)
}

/// Height field and convex shape: at most one point for each prism under the shape. MuJoCo: `mjc_ConvexHField`.
pub fn height_field_convex(
    solver: &mut ConvexSolver<'_>,
    field: &HeightField<'_>,
    pose: &Pose,
    shape: ConvexShape<'_>,
    shape_pose: &Pose,
    bounding_radius: Real,
    margin: Real,
    out: &mut ContactPoints,
) {
    let [half_x, half_y, top, base] = field.size;
    if field.rows < 2 || field.columns < 2 {
        return;
    }
    // the bounding sphere against the box around the field
    let pos = pose.to_local(shape_pose.pos);
    let radius = bounding_radius + margin;
    if half_x < pos[0] - radius
        || -half_x > pos[0] + radius
        || half_y < pos[1] - radius
        || -half_y > pos[1] + radius
        || top < pos[2] - radius
        || -base > pos[2] + radius
    {
        return;
    }

    // the shape and its bounding box in the frame of the field
    let mat = &pose.mat.transpose() * &shape_pose.mat;
    let mut object = Convex::new(shape, Pose { pos, mat }, 0.0);
    let corners = bounding_box(&mut object);
    // from here on the shape is grown
    object.margin = margin;
    field_object(solver, field, pose, &mut object, corners, margin, out);
}

/// Height field and an element of a deformable body around `center`: at most one point for each prism under the element. MuJoCo: `mjc_HFieldElem`.
///
/// MuJoCo leaves the margin and the kind of its prism as they come, so that its contacts can depend on what was in memory before; here they are those of a
/// prism without margin, as with other shapes.
pub fn height_field_element(
    solver: &mut ConvexSolver<'_>,
    field: &HeightField<'_>,
    pose: &Pose,
    element: &Element,
    center: Vec3,
    margin: Real,
    out: &mut ContactPoints,
) {
    if field.rows < 2 || field.columns < 2 {
        return;
    }
    // the element in the frame of the field, and the box around its corners
    let mut local = *element;
    for corner in &mut local.corners[..element.count] {
        *corner = pose.to_local(*corner);
    }
    let (mut low, mut high) = (local.corners[0], local.corners[0]);
    for corner in &local.corners[1..element.count] {
        for i in 0..3 {
            low[i] = low[i].min(corner[i]);
            high[i] = high[i].max(corner[i]);
        }
    }
    let center = Pose::at(pose.to_local(center));
    let mut object = Convex::new(ConvexShape::Element(local), center, 0.0);
    field_object(solver, field, pose, &mut object, (low, high), margin, out);
}

/// The prisms under an object of the field's frame, whose bounding box has the corners `low` and `high`.
fn field_object(
    solver: &mut ConvexSolver<'_>,
    field: &HeightField<'_>,
    pose: &Pose,
    object: &mut Convex<'_>,
    (low, high): (Vec3, Vec3),
    margin: Real,
    out: &mut ContactPoints,
) {
    let [half_x, half_y, top, base] = field.size;
    if low[0] - margin > half_x
        || high[0] + margin < -half_x
        || low[1] - margin > half_y
        || high[1] + margin < -half_y
        || low[2] - margin > top
        || high[2] + margin < -base
    {
        return;
    }
    // the cells under the shape
    let (first_column, last_column) = cells(low[0], high[0], half_x, field.columns);
    let (first_row, last_row) = cells(low[1], high[1], half_y, field.rows);
    let spacing = field.spacing();
    let mut prism = Convex::new(ConvexShape::Point, Pose::at(Vec3::ZERO), 0.0);
    let diagonals = Diagonals::new(object, spacing);

    for row in first_row..last_row {
        // nodes of the strip in order: upper and lower node of each column
        let node = |i: usize| {
            let mut point = field.node(spacing, row + 1 - i % 2, first_column + i / 2);
            point[2] += margin;
            point
        };
        let mut triangle = [Vec3::ZERO, node(0), node(1)];
        for i in 2..2 * (last_column + 1).saturating_sub(first_column) {
            // the next node takes the place of the oldest
            triangle = [triangle[1], triangle[2], node(i)];
            // lower than the shape
            if triangle.iter().all(|v| v[2] < low[2]) {
                continue;
            }
            if diagonals.as_ref().is_some_and(|d| d.exclude(&triangle, i % 2 == 0))
                || lies_over(object, triangle)
            {
                continue;
            }
            // the prism down to the base
            let lower = triangle.map(|v| Vec3::new(v[0], v[1], -base));
            let corners = [lower[0], lower[1], lower[2], triangle[0], triangle[1], triangle[2]];
            prism.shape = ConvexShape::Prism(corners);
            let dist = solver.run(&mut prism, object, 1, 0.0);
            if let Some((on_a, on_b)) = solver.witness().filter(|_| dist < 0.0) {
                // from the field to the shape, back in the world
                let normal = (on_a - on_b).normalize().0;
                let middle = (on_a + on_b) * 0.5;
                out.push(ContactPoint::new(dist, pose.to_global(middle), &pose.mat * normal));
                if out.len() >= MAX_POINTS {
                    return;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::{vec, vec::Vec};

    use ferrodyn_math::{Stack, by_precision, sqrt};

    use super::*;
    use crate::ConvexSettings;

    const TOLERANCE: Real = by_precision(1e-5, 1e-4);

    /// Contacts of a ball with a field of five by five nodes, two wide, of elevation `0.5 + slope x`.
    fn ball_on(slope: Real, center: Vec3, radius: Real) -> ContactPoints {
        let elevation = |i: usize| 0.5 + slope * ((i % 5) as Real / 2.0 - 1.0);
        let node = |i: usize| {
            let height: Real = elevation(i);
            height as f32
        };
        let data: Vec<f32> = (0..25).map(node).collect();
        let field = HeightField { rows: 5, columns: 5, size: [1.0, 1.0, 1.0, 0.2], data: &data };
        let settings = ConvexSettings::default();
        let mut words = vec![u64::MAX; ConvexSolver::words(&settings)];
        let mut solver = ConvexSolver::new(&mut Stack::new(&mut words), settings).unwrap();
        let mut points = ContactPoints::new();
        height_field_convex(
            &mut solver,
            &field,
            &Pose::at(Vec3::ZERO),
            ConvexShape::Sphere(radius),
            &Pose::at(center),
            radius,
            0.0,
            &mut points,
        );
        points
    }

    fn deepest(points: &ContactPoints) -> ContactPoint {
        *points.iter().min_by(|a, b| a.dist.total_cmp(&b.dist)).unwrap()
    }

    #[test]
    fn a_ball_in_flat_ground_is_as_deep_as_its_lowest_point() {
        let point = deepest(&ball_on(0.0, Vec3::new(0.1, 0.17, 0.65), 0.2));
        assert!((point.dist + 0.05).abs() < TOLERANCE, "{point:?}");
        assert!((point.normal - Vec3::Z).norm() < 1e-3);
        assert!((point.pos - Vec3::new(0.1, 0.17, 0.475)).norm() < 1e-3);
        assert!(ball_on(0.0, Vec3::new(0.1, 0.17, 0.71), 0.2).is_empty(), "above the ground");
        assert!(ball_on(0.0, Vec3::new(1.3, 0.0, 0.4), 0.2).is_empty(), "beside the field");
    }

    #[test]
    fn the_contact_with_a_slope_is_along_its_normal() {
        // distance of the centre from the plane z = 0.5 + x/4
        let center = Vec3::new(0.1, 0.17, 0.7);
        let height = (center[2] - 0.5 - center[0] / 4.0) / sqrt(1.0 + 1.0 / 16.0);
        let point = deepest(&ball_on(0.25, center, 0.2));
        assert!((point.dist - (height - 0.2)).abs() < TOLERANCE, "{point:?}, {height}");
        let normal = Vec3::new(-0.25, 0.0, 1.0).normalize().0;
        assert!((point.normal - normal).norm() < 1e-3);
    }
}
