//! Several contact points between boxes and meshes: the two faces, or the face and the edge, that
//! meet are clipped against each other.
//!
//! The depth search ends with a triangle of the Minkowski difference. Each of its corners is the difference of a vertex of either
//! shape, so that each shape has one, two or three different vertices there: a corner, an edge or a face of it. From that:
//!
//! 1. The faces that these vertices can belong to are listed, for both shapes, with their normals.
//! 2. Two of them that face each other (to [`FACE_TOLERANCE`]) are clipped: the polygon of one is cut, side by side, by
//!    the planes that stand on the sides of the other (Sutherland and Hodgman).
//! 3. Otherwise an edge of one shape that is parallel to a face of the other (to [`EDGE_TOLERANCE`]) is clipped by it:
//!    two points.
//! 4. Otherwise the one point of the search stays.
//!
//! ```text
//!      +---------+
//!      |   +-----|--+         the corners of the dashed part are contacts, all as deep as the
//!      |   ¦     ¦  |         one that was found
//!      +---------+  |
//!          +--------+
//! ```
//!
//! All points get the same depth and normal: MuJoCo's choice, which keeps a resting box from rocking. More than four points are
//! thinned to the quadrilateral with the largest area, unless all were asked for. MuJoCo: `multicontact`.
use bytemuck::{Pod, Zeroable};
use ferrodyn_math::{List, MIN_VAL, Real, Stack, StackFull, Vec3, sqrt, words_of};

use super::gjk::Vertex;
use super::{Convex, ConvexShape, ConvexSolver};
use crate::{MAX_POINTS, MeshShape};

/// Cosine of the largest angle between two faces that count as parallel: 1.6 milliradians, about a tenth of a degree, MuJoCo's
/// `mjFACE_TOL`. Wide enough for what a solver leaves of a resting contact, too small for a visible tilt.
const FACE_TOLERANCE: Real = 0.99999872;
/// Sine of the largest angle between a face and an edge that count as parallel: the same angle, MuJoCo's `mjEDGE_TOL`.
const EDGE_TOLERANCE: Real = 0.00159999931;
/// The most polygons or polygon vertices that are looked at: MuJoCo's `mjMAX_POLYVERT`.
const MAX_POLYGON: usize = 150;

/// The most vertices of a clipped polygon. A plane takes at least one vertex of a convex polygon away, or leaves it as
/// it is, and adds at most two: one more for each side of the other polygon. Where rounding makes a polygon bend
/// inwards and a plane cuts it more often, vertices past this number are left out.
const MAX_CLIPPED: usize = 2 * MAX_POLYGON;

/// The normal of a face, in the world, and the face's number.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
struct FaceNormal {
    normal: Vec3,
    face: u32,
    /// Fills the last word.
    unused: u32,
}

/// The direction of an edge and its far end.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
struct Edge {
    dir: Vec3,
    end: Vec3,
}

/// A plane through a side of the clipping face.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
struct Side {
    normal: Vec3,
    offset: Real,
}

/// Memory for the faces of two shapes.
///
/// A vertex of a mesh has at most [`MAX_POLYGON`] faces or edges that are looked at, one of a box three; a face has at most
/// [`MAX_POLYGON`] vertices. The three polygons change places while they are clipped.
#[derive(Debug)]
pub(super) struct MultiContact<'a> {
    normals_a: List<'a, FaceNormal>,
    normals_b: List<'a, FaceNormal>,
    edges: List<'a, Edge>,
    face_a: List<'a, Vec3>,
    face_b: List<'a, Vec3>,
    sides: List<'a, Side>,
    clipped: List<'a, Vec3>,
}

impl<'a> MultiContact<'a> {
    /// Words of memory.
    pub(super) const fn words() -> usize {
        2 * words_of::<FaceNormal>(MAX_POLYGON)
            + words_of::<Edge>(MAX_POLYGON)
            + words_of::<Side>(MAX_POLYGON)
            + 3 * words_of::<Vec3>(MAX_CLIPPED)
    }

    pub(super) fn new(stack: &mut Stack<'a>) -> Result<Self, StackFull> {
        Ok(MultiContact {
            normals_a: stack.list(MAX_POLYGON)?,
            normals_b: stack.list(MAX_POLYGON)?,
            edges: stack.list(MAX_POLYGON)?,
            face_a: stack.list(MAX_CLIPPED)?,
            face_b: stack.list(MAX_CLIPPED)?,
            sides: stack.list(MAX_POLYGON)?,
            clipped: stack.list(MAX_CLIPPED)?,
        })
    }
}

/// The vertices of one shape that form a face of the polytope: one, two or three.
struct Feature {
    index: [usize; 3],
    point: [Vec3; 2],
    dim: usize,
}

impl Feature {
    /// Which of three vertices differ, and the first two of those. MuJoCo: `simplexDim`.
    fn new(index: [i32; 3], point: [Vec3; 3]) -> Feature {
        let index = index.map(|i| i.max(0) as usize);
        let [i1, i2, i3] = index;
        let [p1, p2, p3] = point;
        // the first two differ: an edge, or a face where the third is new
        if i1 != i2 {
            let dim = if i3 == i1 || i3 == i2 { 2 } else { 3 };
            Feature { index, point: [p1, p2], dim }
        // the first two are one: an edge to the third, or a corner
        } else if i1 != i3 {
            Feature { index: [i1, i3, i3], point: [p1, p3], dim: 2 }
        } else {
            Feature { index, point: [p1, p2], dim: 1 }
        }
    }
}

impl ConvexSolver<'_> {
    /// Replace the single contact point by those of the features that meet, if they are parallel. MuJoCo: `multicontact`.
    pub(super) fn multi_contact(
        &mut self,
        face: usize,
        a: &Convex<'_>,
        b: &Convex<'_>,
        max_points: usize,
    ) {
        // the corner, edge or face of each shape that the triangle is made of
        let vertices =
            self.polytope.faces[face].vertices.map(|i| self.polytope.vertices[i as usize]);
        let feature = |index: fn(&Vertex) -> i32, point: fn(&Vertex) -> Vec3| {
            Feature::new(vertices.each_ref().map(index), vertices.each_ref().map(point))
        };
        let feature_a = feature(|v| v.index_a, |v| v.on_a);
        let feature_b = feature(|v| v.index_b, |v| v.on_b);
        // between the deepest points of both; its length is the depth
        let dir = self.on_b[0] - self.on_a[0];
        // faces towards the other shape: against the direction for a, along it for b
        let m = &mut self.multi;
        face_normals(&mut m.normals_a, a, &feature_a, -dir);
        face_normals(&mut m.normals_b, b, &feature_b, dir);

        // two faces against each other
        if let Some((i, j)) = aligned_faces(&m.normals_a, &m.normals_b) {
            let (on_a, on_b) = (m.normals_a[i], m.normals_b[j]);
            face_vertices(&mut m.face_a, a, on_a.face);
            face_vertices(&mut m.face_b, b, on_b.face);
            // the polygon of b is clipped by that of a; the points of a lie inside of b by the depth
            let depth = on_b.normal * dir.norm();
            clip(m, on_a.normal, false);
            self.take_polygon(depth, max_points);
            return;
        }
        // an edge of the first against a face of the second
        if feature_a.dim < 3 && feature_a.dim <= feature_b.dim {
            edge_directions(&mut m.edges, a, &feature_a);
            let Some((i, j)) = aligned_edge(&m.edges, &m.normals_b) else { return };
            let FaceNormal { normal, face, .. } = m.normals_b[j];
            // the edge as a polygon of two corners, which the face clips
            m.face_a.clear();
            m.face_a.push(vertices[0].on_a);
            m.face_a.push(m.edges[i].end);
            face_vertices(&mut m.face_b, b, face);
            clip(m, normal, true);
            self.take_polygon(normal * dir.norm(), max_points);
        // an edge of the second against a face of the first
        } else if feature_b.dim < 3 {
            edge_directions(&mut m.edges, b, &feature_b);
            let Some((i, j)) = aligned_edge(&m.edges, &m.normals_a) else { return };
            let FaceNormal { normal, face, .. } = m.normals_a[j];
            face_vertices(&mut m.face_a, a, face);
            // the edge of b is clipped by the face of a; its points lie on the other side of the depth
            m.face_b.clear();
            m.face_b.push(vertices[0].on_b);
            m.face_b.push(m.edges[i].end);
            clip(m, normal, false);
            self.take_polygon(normal * -dir.norm(), max_points);
        }
    }

    /// The vertices of the clipped polygon as contact points of the given depth.
    fn take_polygon(&mut self, depth: Vec3, max_points: usize) {
        // nothing left: the single point stays
        let polygon = &self.multi.clipped[..];
        if polygon.is_empty() {
            return;
        }
        // a point of b, and the one of a that lies deeper by the penetration
        let mut count = 0;
        let mut take = |point: Vec3| {
            self.on_b[count] = point;
            self.on_a[count] = point - depth;
            count += 1;
        };
        // few points are wanted, many are there: the four that span the largest area
        if max_points < 5 && polygon.len() > 4 {
            largest_quadrilateral(polygon).into_iter().for_each(|i| take(polygon[i]));
        } else if polygon.len() > MAX_POINTS {
            polygon[..MAX_POINTS].iter().for_each(|p| take(*p));
        } else {
            for (i, p) in polygon.iter().enumerate() {
                // corners that clipping found twice are one
                let same = |q: &Vec3| (0..3).all(|k| (q[k] - p[k]).abs() < MIN_VAL);
                if !polygon[..i].iter().any(same) {
                    take(*p);
                }
            }
        }
        self.count = count;
    }
}

/// The normals, in the world, of the faces that a feature can belong to, with the faces' numbers.
fn face_normals(out: &mut List<'_, FaceNormal>, object: &Convex<'_>, f: &Feature, dir: Vec3) {
    out.clear();
    let mat = &object.pose.mat;
    match object.shape {
        ConvexShape::Box(_) => box_normals(out, object, f, dir),
        ConvexShape::Mesh(mesh) => {
            let polygons = &mesh.polygons;
            let mut push = |i: usize| {
                out.push(FaceNormal {
                    normal: mat * polygons.normal[i],
                    face: i as u32,
                    unused: 0,
                });
            };
            // one vertex: all faces around it; two: those that share the edge; three: the face that has all
            let around = |k: usize| polygons.around(f.index[k]);
            match f.dim {
                1 => around(0).iter().take(MAX_POLYGON).for_each(|i| push(*i as usize)),
                dim => {
                    // at most two polygons share an edge
                    let shared = common(around(0), around(1));
                    for i in shared.into_iter().flatten() {
                        if dim == 2 {
                            push(i as usize);
                        } else if around(2).contains(&i) {
                            push(i as usize);
                            break;
                        }
                    }
                }
            }
        }
        _ => {}
    }
}

/// The first two common elements.
fn common(a: &[i32], b: &[i32]) -> [Option<i32>; 2] {
    let mut found = a.iter().filter(|i| b.contains(i)).copied();
    [found.next(), found.next()]
}

/// Faces of a box are numbered +x, -x, +y, -y, +z, -z.
fn box_normals(out: &mut List<'_, FaceNormal>, object: &Convex<'_>, f: &Feature, dir: Vec3) {
    let mat = &object.pose.mat;
    for axis in 0..3 {
        // all vertices on the same side of an axis: the face on that side
        let bit = |k: usize| f.index[k] & (1 << axis) != 0;
        let upper = bit(0);
        if (1..f.dim).all(|k| bit(k) == upper) {
            // faces 0, 2, 4 are the positive sides
            let column = mat.column(axis);
            let normal = if upper { column } else { -column };
            let face = 2 * axis as u32 + u32::from(!upper);
            out.push(FaceNormal { normal, face, unused: 0 });
        }
    }
    // a corner has three faces, an edge two, a face one; anything else is no feature of a box (three corners across it)
    if out.len() == 4 - f.dim {
        return;
    }
    // the vertices name no face: one that is close to the direction of the contact
    out.clear();
    // the direction in the frame of the box; it is along a face's normal where their product is nearly one
    let local = mat.mul_transposed(dir);
    let local = local * (1.0 / sqrt(local.dot(local)));
    for face in 0..6 {
        let sign = if face % 2 == 0 { 1.0 } else { -1.0 };
        if local[face / 2] * sign > FACE_TOLERANCE {
            let normal = mat.column(face / 2) * sign;
            out.push(FaceNormal { normal, face: face as u32, unused: 0 });
            return;
        }
    }
}

/// The directions of the edges that a feature can be part of.
fn edge_directions(out: &mut List<'_, Edge>, object: &Convex<'_>, f: &Feature) {
    out.clear();
    // unit vectors from the first vertex along each edge
    let from = f.point[0];
    let mut push = |end: Vec3| {
        out.push(Edge { dir: (end - from).normalize().0, end });
    };
    // the edge is known by its ends
    if f.dim == 2 {
        push(f.point[1]);
        return;
    }
    match object.shape {
        // a corner: the edges along the three axes
        ConvexShape::Box(half) => {
            let corner = box_corner(half, f.index[0]);
            for axis in 0..3 {
                // the corner at the other end of an edge has one coordinate with the other sign
                let mut neighbour = corner;
                neighbour[axis] = -neighbour[axis];
                push(object.pose.to_global(neighbour));
            }
        }
        // a vertex: one edge of each polygon around it, to the vertex before, so that each edge comes once
        ConvexShape::Mesh(mesh) => {
            for polygon in mesh.polygons.around(f.index[0]).iter().take(MAX_POLYGON) {
                let vertices = mesh.polygons.vertices(*polygon as usize);
                if let Some(at) = vertices.iter().position(|v| *v as usize == f.index[0]) {
                    let before = vertices[if at == 0 { vertices.len() - 1 } else { at - 1 }];
                    push(object.pose.to_global(mesh.vertex(before as usize)));
                }
            }
        }
        _ => {}
    }
}

/// A corner of a box, numbered by the signs of its coordinates.
fn box_corner(half: Vec3, corner: usize) -> Vec3 {
    let at = |i: usize| if corner & (1 << i) != 0 { half[i] } else { -half[i] };
    Vec3::new(at(0), at(1), at(2))
}

/// The vertices of a face, in the world, clockwise as seen from outside.
fn face_vertices(out: &mut List<'_, Vec3>, object: &Convex<'_>, face: u32) {
    let face = face as usize;
    /// Corners of each face of a box.
    const BOX_FACES: [[usize; 4]; 6] =
        [[7, 3, 1, 5], [2, 6, 4, 0], [2, 3, 7, 6], [4, 5, 1, 0], [6, 7, 5, 4], [3, 2, 0, 1]];
    out.clear();
    let pose = &object.pose;
    match object.shape {
        ConvexShape::Box(half) => {
            for corner in BOX_FACES[face] {
                out.push(pose.to_global(box_corner(half, corner)));
            }
        }
        ConvexShape::Mesh(mesh) => polygon_vertices(out, &mesh, face, object),
        _ => {}
    }
}

fn polygon_vertices(
    out: &mut List<'_, Vec3>,
    mesh: &MeshShape<'_>,
    face: usize,
    object: &Convex<'_>,
) {
    let vertices = mesh.polygons.vertices(face);
    // polygons are stored counter-clockwise; the planes of [`clip`] want the other sense
    let vertices = &vertices[..vertices.len().min(MAX_POLYGON)];
    for v in vertices.iter().rev() {
        out.push(object.pose.to_global(mesh.vertex(*v as usize)));
    }
}

/// The first two normals that face each other. MuJoCo: `alignedFaces`.
fn aligned_faces(a: &[FaceNormal], b: &[FaceNormal]) -> Option<(usize, usize)> {
    // n_a · n_b near -1
    for (i, on_a) in a.iter().enumerate() {
        for (j, on_b) in b.iter().enumerate() {
            if on_a.normal.dot(on_b.normal) < -FACE_TOLERANCE {
                return Some((i, j));
            }
        }
    }
    None
}

/// The first edge and face that are parallel. MuJoCo: `alignedFaceEdge`.
fn aligned_edge(edges: &[Edge], faces: &[FaceNormal]) -> Option<(usize, usize)> {
    // e · n near 0
    for (j, face) in faces.iter().enumerate() {
        for (i, edge) in edges.iter().enumerate() {
            if edge.dir.dot(face.normal).abs() < EDGE_TOLERANCE {
                return Some((i, j));
            }
        }
    }
    None
}

/// Clip the second face by the planes through the sides of the first, or the other way round (Sutherland and Hodgman). The
/// result is left in `clipped`. MuJoCo: `polygonClip`.
fn clip(m: &mut MultiContact<'_>, normal: Vec3, first_by_second: bool) {
    let MultiContact { face_a, face_b, sides, clipped, .. } = m;
    let (by, polygon) = if first_by_second { (face_b, face_a) } else { (face_a, face_b) };
    clipped.clear();
    // an edge has no inside to clip with
    if by.len() < 3 {
        return;
    }
    // planes that stand on the sides, along the normal; their own normals point inwards
    sides.clear();
    for (i, v1) in by.iter().enumerate() {
        let v2 = by[(i + 1) % by.len()];
        let side = (v2 - *v1).cross((*v1 + normal) - *v1);
        sides.push(Side { normal: side, offset: side.dot(*v1) });
    }
    // one plane after the other: what is inside of all is left
    for (corner, Side { normal: side, offset }) in by.iter().zip(sides.iter()) {
        clipped.clear();
        // corners on the plane, up to mjMINVAL, are inside
        let inside = |p: Vec3| (p - *corner).dot(*side) > -MIN_VAL;
        for (i, &p) in polygon.iter().enumerate() {
            let q = polygon[(i + 1) % polygon.len()];
            // a side that crosses the plane is cut at p + t (q - p), n·(p + t (q - p)) = offset
            let (p_in, q_in) = (inside(p), inside(q));
            if p_in != q_in {
                let along = q - p;
                let rate = side.dot(along);
                if rate != 0.0 {
                    let t = (offset - side.dot(p)) / rate;
                    if (0.0..=1.0).contains(&t) {
                        clipped.push(p + along * t);
                    }
                }
            }
            // each corner that is inside is kept, after the cut on the way to it
            if q_in {
                clipped.push(q);
            }
        }
        // what is left is the polygon for the next plane
        core::mem::swap(polygon, clipped);
    }
    // the last one was taken for the next plane, which there is not
    core::mem::swap(polygon, clipped);
}

/// Four vertices of a convex polygon that span a large area: corners follow each other around it like calipers, so that
/// the search is linear. MuJoCo: `polygonQuad`.
fn largest_quadrilateral(polygon: &[Vec3]) -> [usize; 4] {
    // half the length of the summed cross products of the two triangles
    let area = |[a, b, c, d]: [usize; 4]| {
        let [a, b, c, d] = [polygon[a], polygon[b], polygon[c], polygon[d]];
        0.5 * ((d - a).cross(b - d) + (c - b).cross(a - c)).norm()
    };
    let next = |i: usize| if i + 1 == polygon.len() { 0 } else { i + 1 };
    let mut quad = [0, 1, 2, 3];
    let mut best = quad;
    let mut largest = area(quad);
    // move one corner on for as long as the area grows
    let mut advance = |quad: &mut [usize; 4], corner: usize, best: &mut [usize; 4]| {
        let mut moved = *quad;
        moved[corner] = next(moved[corner]);
        let grown = area(moved);
        if grown <= largest {
            return false;
        }
        largest = grown;
        *quad = moved;
        *best = moved;
        true
    };
    for first in 0..polygon.len() {
        quad[0] = first;
        while advance(&mut quad, 3, &mut best) {
            while advance(&mut quad, 2, &mut best) {}
            while advance(&mut quad, 1, &mut best) {}
        }
        // corners stay in order: one that was caught up with moves on
        if quad[1] == first {
            quad[1] = next(quad[1]);
            if quad[2] == quad[1] {
                quad[2] = next(quad[2]);
                if quad[3] == quad[2] {
                    quad[3] = next(quad[3]);
                }
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use alloc::{vec, vec::Vec};

    use ferrodyn_math::Quat;

    use super::*;
    use crate::{ContactPoints, ConvexPair, ConvexSettings, HullPolygons, Pose, convex_convex};

    #[test]
    fn the_largest_polygons_fit() {
        // two fine discs face to face: every side of one cuts a corner of the other
        const SIDES: usize = 200;
        let (vertices, face) = disc(SIDES);
        let around = vec![1i32; 2 * SIDES];
        let address: Vec<i32> = (0..2 * SIDES as i32).map(|i| i / SIDES as i32).collect();
        let polygons = HullPolygons {
            normal: &[Vec3::Z, -Vec3::Z],
            vertex_address: &[0, SIDES as i32],
            vertex_count: &[SIDES as i32; 2],
            vertex: &face,
            polygon_address: &address,
            polygon_count: &around,
            polygon: &[0, 1],
        };
        let mesh = MeshShape { vertices: &vertices, graph: None, polygons };
        let settings = ConvexSettings::default();
        let mut words = vec![u64::MAX; ConvexSolver::words(&settings)];
        let mut solver = ConvexSolver::new(&mut Stack::new(&mut words), settings).unwrap();
        let mut points = ContactPoints::new();
        let mat = Quat::from_axis_angle(Vec3::Z, 3.0 / SIDES as Real).to_mat();
        let mut a = Convex::new(ConvexShape::Mesh(mesh), Pose::at(Vec3::ZERO), 0.0);
        let mut b =
            Convex::new(ConvexShape::Mesh(mesh), Pose { pos: Vec3::new(0.0, 0.0, 0.19), mat }, 0.0);
        let pair = ConvexPair { margin: 0.0, multi: true, radius: 1.0 };
        convex_convex(&mut solver, &pair, &mut a, &mut b, None, &mut points);
        assert_eq!(points.len(), 4);
        let clipped = solver.multi.clipped.len();
        assert!((SIDES..=2 * SIDES).contains(&clipped), "{clipped} vertices");
    }

    /// The vertices of a flat prism, and its two large faces.
    fn disc(sides: usize) -> (Vec<[f32; 3]>, Vec<i32>) {
        let corner = |i: usize, z: f32| {
            let angle = 2.0 * ferrodyn_math::PI * i as Real / sides as Real;
            let x: Real = ferrodyn_math::cos(angle);
            let y: Real = ferrodyn_math::sin(angle);
            [x as f32, y as f32, z]
        };
        let top = (0..sides).map(|i| corner(i, 0.1));
        let bottom = (0..sides).map(|i| corner(i, -0.1));
        let count = sides as i32;
        (top.chain(bottom).collect(), (0..count).chain((count..2 * count).rev()).collect())
    }
}
