//! Two boxes: the axis of least penetration, then the overlap of the two faces or edges.
//!
//! Two convex polyhedra are apart exactly where their shadows on some line are. For boxes, fifteen lines are enough:
//! the three face normals of each, and the nine cross products of an edge of one with an edge of the other. On a line
//! along the unit vector `n`
//!
//! ```text
//!            reach_a              reach_b           reach = Σ halfᵢ |n · axisᵢ|
//!      |-------+-------|     |-------+-------|
//!              a             overlap < 0     b      overlap = reach_a + reach_b - |n · (b - a)|
//! ```
//!
//! The line with the least overlap is the way on which the boxes part soonest: the normal of the contact.
//!
//! - A face normal: the other box rests on this face. Everything is turned so that the face is `z = 0` with the
//!   rectangle `|x| ≤ limit_x`, `|y| ≤ limit_y`; the face, edge or corner of the other box that points down is laid
//!   over it. Contacts are where its sides cross those of the rectangle, its corners inside, and the rectangle's
//!   corners under it.
//! - A product of edges: the edges cross each other. The faces beside them are treated in the same way, with the second
//!   one projected along the normal onto the first, since they are not parallel.
//!
//! ```text
//!       +-------------+
//!       |             |
//!       |      x------x·····+       x: what both rectangles share: a corner of each,
//!       |      |      |     ·       and two crossings of sides
//!       +------x------x     ·
//!              ·            ·
//!              +············+
//! ```
//!
//! Eight points at most are left, since two convex quadrilaterals have no more corners in common. Ties between lines
//! are common (boxes with parallel faces have products of edges that *are* face normals): an edge must be better by
//! more than rounding. Points that ended up outside of both boxes, which projections of nearly upright faces make, are
//! removed afterwards. MuJoCo: `mjc_BoxBox`, operation by operation.
use ferrodyn_math::{MIN_VAL, Mat3, Real, Vec3, sqrt};

use crate::{ContactPoint, ContactPoints, Pose};

/// Sixteen crossings of sides and four corners of each face, at most.
const MAX_CORNERS: usize = 24;

/// Relative positions and rotations of two boxes.
struct Relative {
    /// Centre of the second box in the frame of the first.
    pos21: Vec3,
    /// Centre of the first box in the frame of the second.
    pos12: Vec3,
    /// Rotation from the second frame to the first.
    rot: Mat3,
    /// The same with absolute values.
    rot_abs: Mat3,
}

/// The axis along which two boxes overlap least.
enum Axis {
    /// A face of the first or the second box: 0 to 2 for the positive sides, 3 to 5 the negative.
    Face { second: bool, face: usize },
    /// The cross product of two edges.
    Edges(EdgePair),
}

/// Two edges that are closest to each other.
struct EdgePair {
    /// Direction of the edge of each box.
    axes: [usize; 2],
    /// Corners at which the edges lie, one bit for each positive coordinate.
    corners: [usize; 2],
    /// Their cross product in the frame of the first box.
    normal: Vec3,
    /// The normal points from the second box to the first.
    inward: bool,
}

/// A rotation that takes the axis of a face to z: a permutation of axes with signs.
struct Turn {
    index: [usize; 3],
    sign: [Real; 3],
}

impl Turn {
    /// The turn for faces +x, +y, +z, -x, -y, -z.
    fn to_face(face: usize) -> Turn {
        let (index, sign) = match face {
            0 => ([2, 1, 0], [-1.0, 1.0, 1.0]),
            1 => ([0, 2, 1], [1.0, -1.0, 1.0]),
            2 => ([0, 1, 2], [1.0, 1.0, 1.0]),
            3 => ([2, 1, 0], [1.0, 1.0, -1.0]),
            4 => ([0, 2, 1], [1.0, 1.0, -1.0]),
            _ => ([0, 1, 2], [-1.0, 1.0, -1.0]),
        };
        Turn { index, sign }
    }

    /// A vector in the turned frame.
    fn vector(&self, v: Vec3) -> Vec3 {
        let at = |k: usize| v[self.index[k]] * self.sign[k];
        Vec3::new(at(0), at(1), at(2))
    }

    /// Half sizes in the turned frame, which have no signs.
    fn size(&self, v: Vec3) -> Vec3 {
        Vec3::new(v[self.index[0]], v[self.index[1]], v[self.index[2]])
    }

    /// The turned rows of a matrix, as three vectors.
    fn rows(&self, m: &Mat3) -> [Vec3; 3] {
        [0, 1, 2].map(|k| m.row(self.index[k]) * self.sign[k])
    }

    /// `m` times the inverse of this rotation.
    fn undo_after(&self, m: &Mat3) -> Mat3 {
        let [x, y, z] = [0, 1, 2].map(|k| m.column(self.index[k]) * self.sign[k]);
        Mat3::from_columns(x, y, z)
    }
}

/// Two boxes: up to eight points on the overlap of two faces, or the neighbourhood of two edges.
///
/// Points outside of both boxes by more than a hundredth of their size, and repeated ones, are left
/// out. MuJoCo: `mjc_BoxBox`.
pub fn box_box(
    a: &Pose,
    half_a: Vec3,
    b: &Pose,
    half_b: Vec3,
    margin: Real,
    out: &mut ContactPoints,
) {
    // each box as the other one sees it
    let rot = &a.mat.transpose() * &b.mat;
    let relative = Relative {
        pos21: a.to_local(b.pos),
        pos12: b.to_local(a.pos),
        rot,
        rot_abs: Mat3(rot.0.map(Real::abs)),
    };
    // the axis of least overlap decides between a face and two edges
    out.clear();
    match least_overlap(&relative, half_a, half_b, margin) {
        None => return,
        Some(Axis::Face { second, face }) => {
            faces(&relative, a, half_a, b, half_b, second, face, margin, out);
        }
        Some(Axis::Edges(pair)) => edges(&relative, a, half_a, half_b, &pair, margin, out),
    }
    // what projections threw far off, and what was found twice
    remove_outliers(a, half_a, b, half_b, margin, out);
    out.remove_repeated();
}

/// Separating axis test over faces and pairs of edges; none where the boxes are apart.
fn least_overlap(rel: &Relative, half_a: Vec3, half_b: Vec3, margin: Real) -> Option<Axis> {
    // how far each box reaches along the axes of the other
    let reach_b = &rel.rot_abs * half_b;
    let reach_a = rel.rot_abs.mul_transposed(half_a);
    // more than any overlap can be
    let mut least = margin;
    for i in 0..3 {
        least += half_a[i] * 3.0 + half_b[i] * 3.0;
    }
    let sum_of_sizes = least - margin;
    let mut best = None;
    for i in 0..3 {
        // faces: the normals of a, then those of b
        let on_a = -rel.pos21[i].abs() + half_a[i] + reach_b[i];
        let on_b = -rel.pos12[i].abs() + half_b[i] + reach_a[i];
        // a gap on any axis is enough
        if on_a < -margin || on_b < -margin {
            return None;
        }
        // the side that the other box is on gives the sign of the face
        if on_a < least {
            least = on_a;
            best =
                Some(Axis::Face { second: false, face: i + 3 * usize::from(rel.pos21[i] < 0.0) });
        }
        if on_b < least {
            least = on_b;
            best = Some(Axis::Face { second: true, face: i + 3 * usize::from(rel.pos12[i] < 0.0) });
        }
    }

    // edges: n = eᵢ × rot eⱼ, whose coordinate along edge i is zero
    let slack = ROUNDING * (rel.pos21.0.iter().map(|x| x.abs()).sum::<Real>() + sum_of_sizes);
    let mut edges = None;
    for i in 0..3 {
        let reach = rel.rot_abs.row(i);
        let (i1, i2) = OTHERS[i];
        for j in 0..3 {
            // unit vector along i of the first box, times axis j of the second
            let edge = rel.rot.column(j);
            let cross = match i {
                0 => Vec3::new(0.0, -edge[2], edge[1]),
                1 => Vec3::new(edge[2], 0.0, -edge[0]),
                _ => Vec3::new(-edge[1], edge[0], 0.0),
            };
            let (j1, j2) = OTHERS[j];
            // the overlap times the length of the axis: most axes are ruled out without a root
            let scaled = half_a[i1] * cross[i1].abs()
                + half_a[i2] * cross[i2].abs()
                + half_b[j1] * reach[j2]
                + half_b[j2] * reach[j1]
                - rel.pos21.dot(cross).abs();
            let beyond = least + slack;
            if beyond > 0.0 && scaled > 0.0 && scaled * scaled >= beyond * beyond * cross.dot(cross)
            {
                continue;
            }
            // what is left is decided by MuJoCo's sum, term by term
            let (axis, len) = cross.normalize();
            // parallel edges span no plane
            if len < MIN_VAL {
                continue;
            }
            // signed, so that the normal can be turned from a to b
            let between = rel.pos21.dot(axis);
            let overlap = half_a[i1] * axis[i1].abs()
                + half_a[i2] * axis[i2].abs()
                + half_b[j1] * reach[j2] / len
                + half_b[j2] * reach[j1] / len
                - between.abs();
            if overlap < -margin {
                return None;
            }
            // faces win ties: where edges are parallel to faces, both overlaps are the same up to rounding, which 1e-12
            // is well above
            if overlap < least * (1.0 - 1e-12) {
                least = overlap;
                edges = Some((i, j, axis, between < 0.0));
            }
        }
    }
    edges.map(|(i, j, axis, inward)| edge_pair(rel, i, j, axis, inward)).or(best)
}

/// More than the rounding of an overlap, relative to the lengths it is made of: it takes about ten operations.
const ROUNDING: Real = 500.0 * Real::EPSILON;

/// The two axes beside one.
const OTHERS: [(usize, usize); 3] = [(1, 2), (0, 2), (0, 1)];

/// The edges along two axes that are closest to each other.
fn edge_pair(rel: &Relative, i: usize, j: usize, normal: Vec3, inward: bool) -> Axis {
    // an edge of each box is fixed by the signs of its other two coordinates: the ones towards the other box
    let mut corners = [0; 2];
    let ((i1, i2), (j1, j2)) = (OTHERS[i], OTHERS[j]);
    for k in [i1, i2] {
        if (normal[k] > 0.0) ^ inward {
            corners[0] += 1 << k;
        }
    }
    // of b the side against n: n·r_k = eᵢ·(rⱼ × r_k) = ±rot(i, other) for the axes r of b, positive where k follows j
    // in x y z; hence the exclusive or
    for (k, other) in [(j1, j2), (j2, j1)] {
        if (rel.rot[3 * i + other] > 0.0) ^ inward ^ ((k + 3 - j) % 3 == 1) {
            corners[1] += 1 << k;
        }
    }
    Axis::Edges(EdgePair { axes: [i, j], corners, normal, inward })
}

/// Four sides of a parallelogram, each a start and a vector.
fn sides(origin: Vec3, u: Vec3, v: Vec3) -> [(Vec3, Vec3); 4] {
    [(origin, u), (origin, v), (origin + u, v), (origin + v, u)]
}

/// Where a side crosses the boundary lines of the rectangle: position on the side, the axis of the
/// line, its coordinate, the other coordinate.
fn crossings(side: &(Vec3, Vec3), limit: Vec3) -> impl Iterator<Item = (Real, usize, Real, Real)> {
    // lines x = ∓limit, then y = ∓limit
    let (start, vec) = *side;
    let inverse = [1.0 / vec[0], 1.0 / vec[1]];
    (0..4).filter_map(move |n| {
        let (q, sign) = (n / 2, if n % 2 == 0 { -1.0 } else { 1.0 });
        // a side along this line never crosses it
        if vec[q].abs() <= MIN_VAL {
            return None;
        }
        let line = limit[q] * sign;
        // within the side, and within the rectangle's own side
        let at = (line - start[q]) * inverse[q];
        if !(0.0..=1.0).contains(&at) {
            return None;
        }
        let other = start[1 - q] + vec[1 - q] * at;
        if other.abs() > limit[1 - q] {
            return None;
        }
        Some((at, q, line, other))
    })
}

/// The corners of a rectangle.
fn corners_of(limit: Vec3) -> [(Real, Real); 4] {
    [(-limit[0], -limit[1]), (-limit[0], limit[1]), (limit[0], -limit[1]), (limit[0], limit[1])]
}

/// A face of one box against the closest face, edge or corner of the other.
fn faces(
    rel: &Relative,
    a: &Pose,
    half_a: Vec3,
    b: &Pose,
    half_b: Vec3,
    second: bool,
    face: usize,
    margin: Real,
    out: &mut ContactPoints,
) {
    // the frame in which the face looks up
    let turn = Turn::to_face(face);
    // rows of the other box's rotation, its centre, both sizes; all in the turned frame
    let (rows, mut pos, limit, half) = if second {
        let rows = turn.rows(&rel.rot.transpose());
        (rows, turn.vector(rel.pos12), turn.size(half_b), half_a)
    } else {
        (turn.rows(&rel.rot), turn.vector(rel.pos21), turn.size(half_a), half_b)
    };
    // axes of the other box, and its centre above the face
    let axis = [0, 1, 2].map(|i| Vec3::new(rows[0][i], rows[1][i], rows[2][i]));
    let height = limit[2];
    pos[2] -= height;

    // the lowest corner, and the sides of the other box that are nearly parallel to the face
    let mut lowest = pos;
    for i in 0..3 {
        lowest = lowest.add_scaled(axis[i], half[i] * if rows[2][i] < 0.0 { 1.0 } else { -1.0 });
    }
    // an axis within 30 degrees of the face (sine 0.5) is a side of what lies on it; there are two at most, since three
    // squares below a quarter do not add up to one
    let mut flat = [Vec3::ZERO; 2];
    let mut count = 0;
    for i in 0..3 {
        if rows[2][i].abs() < 0.5 && count < 2 {
            flat[count] = axis[i] * (half[i] * if rows[2][i] < 0.0 { -2.0 } else { 2.0 });
            count += 1;
        }
    }

    let mut points = [Vec3::ZERO; MAX_CORNERS];
    let mut n = 0;
    let mut add = |point: Vec3| {
        points[n] = point;
        n += 1;
    };
    // sides of the upper face (or edge) where they leave the rectangle
    let sides = sides(lowest, flat[0], flat[1]);
    for side in &sides[..[0, 1, 4][count]] {
        for (at, ..) in crossings(side, limit) {
            add(side.0.add_scaled(side.1, at));
        }
    }
    if count == 2 {
        // corners of the rectangle under the upper face: (x, y) = lowest + u flat₀ + v flat₁ with u, v in (0, 1)
        let det = flat[0][0] * flat[1][1] - flat[1][0] * flat[0][1];
        for (x, y) in corners_of(limit) {
            let (dx, dy) = (x - lowest[0], y - lowest[1]);
            let u = (dx * flat[1][1] - dy * flat[1][0]) * (1.0 / det);
            let v = (dy * flat[0][0] - dx * flat[0][1]) * (1.0 / det);
            if u > 0.0 && v > 0.0 && u < 1.0 && v < 1.0 {
                add(Vec3::new(x, y, lowest[2] + u * flat[0][2] + v * flat[1][2]));
            }
        }
    }
    // corners of the upper face over the rectangle; the lowest one in any case
    add(lowest);
    let far = [lowest + flat[0], lowest + flat[1], lowest + flat[0] + flat[1]];
    for point in &far[..[0, 1, 3][count]] {
        if point[0].abs() < limit[0] && point[1].abs() < limit[1] {
            add(*point);
        }
    }

    // back to the world; a point is midway between the face and what is above it
    let (pose, sign) = if second { (b, -1.0) } else { (a, 1.0) };
    let back = turn.undo_after(&pose.mat);
    let normal = back.column(2) * sign;
    for point in &points[..n] {
        // above the face by more than the margin
        if point[2] > margin {
            continue;
        }
        let middle = Vec3::new(point[0], point[1], point[2] * 0.5 + height);
        out.push(ContactPoint::new(point[2], &back * middle + pose.pos, normal));
    }
}

/// An edge of the first box against an edge of the second: the face of the first box that is most
/// aligned with the second's face beside the edge, and that face projected onto it.
///
/// `q1` and `q2` are the axes of the two edges. The face of the second box is spanned by `q2` and `ax1` and has the
/// normal `ax2`; that of the first has the normal `pax2`. Of the two faces beside an edge it is the one whose normal is
/// more square to the other edge.
fn edges(
    rel: &Relative,
    a: &Pose,
    half_a: Vec3,
    half_b: Vec3,
    pair: &EdgePair,
    margin: Real,
    out: &mut ContactPoints,
) {
    // the face of the second box beside its edge that the first edge runs along more: normal ax2
    let [q1, q2] = pair.axes;
    let beside = |q: usize| match q {
        0 => (1, 2),
        1 => (0, 2),
        _ => (1, 0),
    };
    let (mut ax1, mut ax2) = beside(q2);
    if rel.rot_abs[3 * q1 + ax1] < rel.rot_abs[3 * q1 + ax2] {
        ax1 = ax2;
        ax2 = 3 - q2 - ax1;
    }
    // the face of the first box that the second edge runs along more, which becomes z = 0
    let (pax1, mut pax2) = beside(q1);
    if rel.rot_abs[q2 + 3 * pax1] < rel.rot_abs[q2 + 3 * pax2] {
        pax2 = 3 - q1 - pax2;
    }
    let face = if pair.corners[0] & (1 << pax2) != 0 { pax2 } else { pax2 + 3 };
    let turn = Turn::to_face(face);
    let mut pos = turn.vector(rel.pos21);
    let normal = turn.vector(pair.normal);
    let rows = turn.rows(&rel.rot);
    let axis = [0, 1, 2].map(|i| Vec3::new(rows[0][i], rows[1][i], rows[2][i]));
    let limit = turn.size(half_a);
    let height = limit[2];
    pos[2] -= height;
    // the normal lies in the face: nothing can be projected along it
    if normal[2].abs() < MIN_VAL {
        return;
    }
    let sign = if pair.inward { -1.0 } else { 1.0 };
    // a point at height z is z / n_z away along the normal
    let slope = (1.0 / normal[2]) * sign;

    // the face of the second box, and its projection along the normal onto the face of the first
    let side = |bit: usize| if pair.corners[1] & (1 << bit) != 0 { 1.0 } else { -1.0 };
    // the edge of the second box that is nearest, and the opposite one of its face
    let near = pos
        .add_scaled(axis[ax1], half_b[ax1] * side(ax1))
        .add_scaled(axis[ax2], half_b[ax2] * side(ax2));
    let far = pos
        .add_scaled(axis[ax1], half_b[ax1] * -side(ax1))
        .add_scaled(axis[ax2], half_b[ax2] * side(ax2));
    let corners = [
        near.add_scaled(axis[q2], half_b[q2]),
        near.add_scaled(axis[q2], -half_b[q2]),
        far.add_scaled(axis[q2], half_b[q2]),
        far.add_scaled(axis[q2], -half_b[q2]),
    ];
    let projected = corners.map(|p| p.add_scaled(normal, -p[2] * (1.0 / normal[2])));
    // sides of the face, and of its projection
    let (u_vec, v_vec) = (corners[1] - corners[0], corners[2] - corners[0]);
    let (u_flat, v_flat) = (projected[1] - projected[0], projected[2] - projected[0]);

    let mut points = [(Vec3::ZERO, 0.0); MAX_CORNERS];
    let mut n = 0;
    let mut add = |point: Vec3, depth: Real| {
        points[n] = (point, depth);
        n += 1;
        n
    };

    // sides of the projected face that cross the boundary of the other
    let mut crossed = 0;
    let flat_sides = sides(projected[0], u_flat, v_flat);
    let real_sides = sides(corners[0], u_vec, v_vec);
    // the same fraction of a side belongs to the same point of both
    for (flat, real) in flat_sides.iter().zip(&real_sides) {
        for (at, q, line, other) in crossings(flat, limit) {
            if (real.0[2] + real.1[2] * at) * slope > margin {
                continue;
            }
            // midway between the point of the second face and its projection
            let mut point = (real.0 * 0.5).add_scaled(real.1, 0.5 * at);
            point[q] += 0.5 * line;
            point[1 - q] += 0.5 * other;
            crossed = add(point, point[2] * slope * 2.0);
        }
    }

    // corners of the first face inside the projected one
    let mut inside = crossed;
    // (x, y) = projected₀ + u u_flat + v v_flat
    let mut det = u_flat[0] * v_flat[1] - v_flat[0] * u_flat[1];
    for (x, y) in corners_of(limit) {
        let (dx, dy) = (x - projected[0][0], y - projected[0][1]);
        let u = (dx * v_flat[1] - dy * v_flat[0]) * (1.0 / det);
        let v = (dy * u_flat[0] - dx * u_flat[1]) * (1.0 / det);
        let [u_out, v_out] = [u, v].map(|x| !(0.0..=1.0).contains(&x));
        // without crossings one face may lie within the other's strip: then only corners outside in both directions are left out
        if if crossed == 0 { u_out && v_out } else { u_out || v_out } {
            continue;
        }
        // the point of the second face over the corner
        let (u, v) = (u.clamp(0.0, 1.0), v.clamp(0.0, 1.0));
        let on_second =
            (corners[0] * (1.0 - u - v)).add_scaled(corners[1], u).add_scaled(corners[2], v);
        let corner = Vec3::new(x, y, 0.0);
        let gap = corner - on_second;
        let gap_sqr = gap.dot(gap);
        // MuJoCo reuses this variable, so that later corners are divided by the distance
        det = gap_sqr;
        if on_second[2] > 0.0 && gap_sqr > margin * margin {
            continue;
        }
        let depth = sqrt(gap_sqr) * if on_second[2] < 0.0 { -1.0 } else { 1.0 };
        inside = add((corner + on_second) * 0.5, depth);
    }

    // corners of the projected face inside the first one
    for (flat, real) in projected.iter().zip(&corners) {
        let x_out = flat[0] < -limit[0] || flat[0] > limit[0];
        let y_out = flat[1] < -limit[1] || flat[1] > limit[1];
        let skip = if crossed == 0 { inside != 0 && x_out && y_out } else { x_out || y_out };
        if skip {
            continue;
        }
        // distance from the rectangle, across it and along the normal; midway to its nearest point
        let mut gap_sqr = 0.0;
        let mut point = Vec3::new(flat[0] * 0.5, flat[1] * 0.5, 0.0);
        for j in 0..2 {
            if flat[j] < -limit[j] {
                gap_sqr += (flat[j] + limit[j]) * (flat[j] + limit[j]);
                point[j] = -limit[j] * 0.5;
            } else if flat[j] > limit[j] {
                gap_sqr += (flat[j] - limit[j]) * (flat[j] - limit[j]);
                point[j] = limit[j] * 0.5;
            }
        }
        gap_sqr += real[2] * slope * real[2] * slope;
        if real[2] > 0.0 && gap_sqr > margin * margin {
            continue;
        }
        let depth = sqrt(gap_sqr) * if real[2] < 0.0 { -1.0 } else { 1.0 };
        add(point.add_scaled(*real, 0.5), depth);
    }

    // back to the world
    let back = turn.undo_after(&a.mat);
    let normal = (&back * normal) * sign;
    for (point, depth) in &points[..n] {
        let lifted = Vec3::new(point[0], point[1], point[2] + height);
        out.push(ContactPoint::new(*depth, &back * lifted + a.pos, normal));
    }
}

/// Where a point is relative to the surface of a box, with a hundredth of tolerance.
#[derive(PartialEq)]
enum Place {
    Outside,
    Surface,
    Inside,
}

/// A box with an inner and an outer surface.
struct Shell<'a> {
    pose: &'a Pose,
    outer: Vec3,
    inner: Vec3,
}

impl Shell<'_> {
    fn new(pose: &Pose, size: Vec3) -> Shell<'_> {
        // MuJoCo's: a hundredth, more than rounding and less than what is seen
        const RATIO: Real = 1.01;
        let inner = Vec3::new(size[0] / RATIO, size[1] / RATIO, size[2] / RATIO);
        Shell { pose, outer: size * RATIO, inner }
    }

    fn place(&self, point: Vec3) -> Place {
        let v = self.pose.to_local(point);
        if (0..3).any(|i| v[i] > self.outer[i] || v[i] < -self.outer[i]) {
            Place::Outside
        } else if (0..3).all(|i| v[i] < self.inner[i] && v[i] > -self.inner[i]) {
            Place::Inside
        } else {
            Place::Surface
        }
    }
}

/// Remove points outside of one box that are not inside the other.
fn remove_outliers(
    a: &Pose,
    half_a: Vec3,
    b: &Pose,
    half_b: Vec3,
    margin: Real,
    out: &mut ContactPoints,
) {
    let grown = Vec3::new(margin, margin, margin);
    let (shell_a, shell_b) = (Shell::new(a, half_a + grown), Shell::new(b, half_b + grown));
    out.retain(|p| {
        let (in_a, in_b) = (shell_a.place(p.pos), shell_b.place(p.pos));
        !(in_a == Place::Outside && in_b != Place::Inside
            || in_b == Place::Outside && in_a != Place::Inside)
    });
}

#[cfg(test)]
mod tests {
    use ferrodyn_math::by_precision;

    use super::*;

    #[test]
    fn a_box_resting_on_another_has_four_points() {
        let half = Vec3::new(0.5, 0.5, 0.5);
        let (a, b) = (Pose::at(Vec3::ZERO), Pose::at(Vec3::new(0.1, 0.2, 0.99)));
        let mut points = ContactPoints::new();
        box_box(&a, half, &b, half, 0.0, &mut points);
        assert_eq!(points.len(), 4);
        let tolerance = by_precision(1e-12, 1e-6);
        for p in points.iter() {
            assert!((p.dist + 0.01).abs() < tolerance && (p.normal - Vec3::Z).norm() < 1e-12);
        }
    }

    #[test]
    fn boxes_apart_have_none() {
        let half = Vec3::new(0.5, 0.5, 0.5);
        let (a, b) = (Pose::at(Vec3::ZERO), Pose::at(Vec3::new(0.0, 0.0, 1.01)));
        let mut points = ContactPoints::new();
        box_box(&a, half, &b, half, 0.0, &mut points);
        assert!(points.is_empty());
    }

    #[cfg(not(feature = "f32"))]
    #[test]
    fn edges_that_touch_up_to_rounding_are_judged_as_in_mujoco() {
        // the first box is turned about x, the second about y, and edges meet to the last digit
        let (sixth, fifth) = (
            (0.866_025_403_784_438_7, 0.499_999_999_999_999_94),
            (0.809_016_994_374_947_3, 0.587_785_252_292_473),
        );
        let about_x =
            |(c, s): (Real, Real), one: Real| Mat3([one, 0.0, 0.0, 0.0, c, -s, 0.0, s, c]);
        let about_y =
            |(c, s): (Real, Real), one: Real| Mat3([c, 0.0, s, 0.0, one, 0.0, -s, 0.0, c]);
        let below_one = 0.999_999_999_999_999_9;
        let count = |half_a, mat_a, half_b, pos, mat_b| {
            let mut points = ContactPoints::new();
            let (a, b) = (Pose { pos: Vec3::ZERO, mat: mat_a }, Pose { pos, mat: mat_b });
            box_box(&a, half_a, &b, half_b, 0.0, &mut points);
            points.len()
        };
        let touching = count(
            Vec3::new(0.11, 0.16, 0.21),
            about_x(sixth, 1.0),
            Vec3::new(0.27, 0.26, 0.28),
            Vec3::new(0.015, 0.019, 0.647_092_111_338_685_2),
            about_y(fifth, below_one),
        );
        let apart = count(
            Vec3::new(0.09, 0.16, 0.17),
            about_x(fifth, below_one),
            Vec3::new(0.09, 0.11, 0.19),
            Vec3::new(0.017, 0.005, 0.441_123_356_129_580_15),
            about_y(sixth, 1.0),
        );
        assert_eq!([touching, apart], [1, 0]);
    }

    fn contacts(pos: Vec3, mat_a: Mat3, mat_b: Mat3) -> ContactPoints {
        let half = Vec3::new(0.5, 0.5, 0.5);
        let mut points = ContactPoints::new();
        box_box(
            &Pose { pos: Vec3::ZERO, mat: mat_a },
            half,
            &Pose { pos, mat: mat_b },
            half,
            0.0,
            &mut points,
        );
        points
    }

    fn turned(axis: Vec3) -> Mat3 {
        ferrodyn_math::Quat::from_axis_angle(axis, ferrodyn_math::PI / 4.0).to_mat()
    }

    #[test]
    fn faces_turned_by_45_degrees_share_an_octagon() {
        let points = contacts(Vec3::new(0.0, 0.0, 0.99), Mat3::IDENTITY, turned(Vec3::Z));
        assert_eq!(points.len(), 8);
        let tolerance = by_precision(1e-12, 1e-6);
        for p in points.iter() {
            assert!((p.dist + 0.01).abs() < tolerance && (p.normal - Vec3::Z).norm() < tolerance);
            // corners of a regular octagon of half width 0.5
            let radius = sqrt(p.pos[0] * p.pos[0] + p.pos[1] * p.pos[1]);
            let expected = 0.5 / ferrodyn_math::cos(ferrodyn_math::PI / 8.0);
            assert!((radius - expected).abs() < by_precision(1e-9, 1e-5), "{radius}");
        }
    }

    #[test]
    fn an_edge_resting_on_a_face_has_two_points() {
        let height = 0.5 + sqrt(0.5) - 0.01;
        let points = contacts(Vec3::new(0.1, 0.0, height), Mat3::IDENTITY, turned(Vec3::X));
        assert_eq!(points.len(), 2);
        let tolerance = by_precision(1e-12, 1e-6);
        for (p, x) in points.iter().zip([0.5, -0.4]) {
            assert!((p.dist + 0.01).abs() < tolerance && (p.normal - Vec3::Z).norm() < tolerance);
            assert!((p.pos[0] - x).abs() < tolerance && p.pos[1].abs() < tolerance, "{p:?}");
        }
    }

    #[test]
    fn a_tilted_face_is_as_deep_as_each_of_its_corners() {
        let tilt = ferrodyn_math::PI / 18.0;
        let (sin, cos) = ferrodyn_math::sincos(tilt);
        let mat = ferrodyn_math::Quat::from_axis_angle(Vec3::X, tilt).to_mat();
        // the lower side of the smaller box spans 0.6 sin, all of it in the larger one
        let lowest = 0.3 * (cos + sin);
        let pos = Vec3::new(0.05, 0.1, 0.5 + lowest - 0.12);
        let mut points = ContactPoints::new();
        let (large, small) = (Vec3::new(0.5, 0.5, 0.5), Vec3::new(0.3, 0.3, 0.3));
        box_box(&Pose::at(Vec3::ZERO), large, &Pose { pos, mat }, small, 0.0, &mut points);
        assert_eq!(points.len(), 4);
        let count = |dist: Real| {
            let tolerance = by_precision(1e-12, 1e-6);
            points.iter().filter(|p| (p.dist - dist).abs() < tolerance).count()
        };
        assert_eq!((count(-0.12), count(0.6 * sin - 0.12)), (2, 2));
    }

    #[test]
    fn crossed_edges_touch_where_they_cross() {
        let height = 2.0 * sqrt(0.5) - 0.01;
        let points = contacts(Vec3::new(0.1, 0.2, height), turned(Vec3::X), turned(Vec3::Y));
        assert_eq!(points.len(), 1);
        let tolerance = by_precision(1e-9, 1e-5);
        let expected = Vec3::new(0.1, 0.0, height / 2.0);
        assert!((points[0].dist + 0.01).abs() < tolerance, "{:?}", points[0]);
        assert!((points[0].normal - Vec3::Z).norm() < tolerance);
        assert!((points[0].pos - expected).norm() < tolerance, "{:?}", points[0]);
    }
}
