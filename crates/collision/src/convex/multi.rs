//! Several contact points between boxes and meshes: the two faces, or the face and the edge, that
//! meet are clipped against each other.
use alloc::vec::Vec;

use ferrodyn_math::{MIN_VAL, Real, Vec3, sqrt};

use super::gjk::Vertex;
use super::{Convex, ConvexShape, ConvexSolver};
use crate::{MAX_POINTS, MeshShape};

/// Cosine of the largest angle between two faces that count as parallel.
const FACE_TOLERANCE: Real = 0.99999872;
/// Sine of the largest angle between a face and an edge that count as parallel.
const EDGE_TOLERANCE: Real = 0.00159999931;
/// The most polygons or polygon vertices that are looked at.
const MAX_POLYGON: usize = 150;

/// Memory for the faces of two shapes.
#[derive(Clone, Debug, Default)]
pub(super) struct MultiContact {
    normals_a: Vec<(Vec3, usize)>,
    normals_b: Vec<(Vec3, usize)>,
    /// Directions of edges and their far ends.
    edges: Vec<(Vec3, Vec3)>,
    face_a: Vec<Vec3>,
    face_b: Vec<Vec3>,
    /// Normals of the planes through the sides of the clipping face, and their distances.
    sides: Vec<(Vec3, Real)>,
    clipped: Vec<Vec3>,
}

/// The vertices of one shape that form a face of the polytope: one, two or three.
struct Feature {
    index: [usize; 3],
    point: [Vec3; 2],
    dim: usize,
}

impl Feature {
    fn new(index: [Option<usize>; 3], point: [Vec3; 3]) -> Feature {
        let index = index.map(|i| i.unwrap_or(0));
        let [i1, i2, i3] = index;
        let [p1, p2, p3] = point;
        if i1 != i2 {
            let dim = if i3 == i1 || i3 == i2 { 2 } else { 3 };
            Feature { index, point: [p1, p2], dim }
        } else if i1 != i3 {
            Feature { index: [i1, i3, i3], point: [p1, p3], dim: 2 }
        } else {
            Feature { index, point: [p1, p2], dim: 1 }
        }
    }
}

impl ConvexSolver {
    /// Replace the single contact point by those of the features that meet, if they are parallel.
    pub(super) fn multi_contact(
        &mut self,
        face: usize,
        a: &Convex<'_>,
        b: &Convex<'_>,
        max_points: usize,
    ) {
        let vertices = self.polytope.faces[face].vertices.map(|i| self.polytope.vertices[i]);
        let feature = |index: fn(&Vertex) -> Option<usize>, point: fn(&Vertex) -> Vec3| {
            Feature::new(vertices.each_ref().map(index), vertices.each_ref().map(point))
        };
        let feature_a = feature(|v| v.index_a, |v| v.on_a);
        let feature_b = feature(|v| v.index_b, |v| v.on_b);
        let dir = self.on_b[0] - self.on_a[0];
        let m = &mut self.multi;
        face_normals(&mut m.normals_a, a, &feature_a, -dir);
        face_normals(&mut m.normals_b, b, &feature_b, dir);

        // two faces against each other
        if let Some((i, j)) = aligned_faces(&m.normals_a, &m.normals_b) {
            let (normal_a, face_a) = m.normals_a[i];
            let (normal_b, face_b) = m.normals_b[j];
            face_vertices(&mut m.face_a, a, face_a);
            face_vertices(&mut m.face_b, b, face_b);
            let depth = normal_b * dir.norm();
            clip(m, normal_a, false);
            self.take_polygon(depth, max_points);
            return;
        }
        // an edge of the first against a face of the second
        if feature_a.dim < 3 && feature_a.dim <= feature_b.dim {
            edge_directions(&mut m.edges, a, &feature_a);
            let Some((i, j)) = aligned_edge(&m.edges, &m.normals_b) else { return };
            let (normal, face) = m.normals_b[j];
            m.face_a.clear();
            m.face_a.extend([vertices[0].on_a, m.edges[i].1]);
            face_vertices(&mut m.face_b, b, face);
            clip(m, normal, true);
            self.take_polygon(normal * dir.norm(), max_points);
        } else if feature_b.dim < 3 {
            edge_directions(&mut m.edges, b, &feature_b);
            let Some((i, j)) = aligned_edge(&m.edges, &m.normals_a) else { return };
            let (normal, face) = m.normals_a[j];
            face_vertices(&mut m.face_a, a, face);
            m.face_b.clear();
            m.face_b.extend([vertices[0].on_b, m.edges[i].1]);
            clip(m, normal, false);
            self.take_polygon(normal * -dir.norm(), max_points);
        }
    }

    /// The vertices of the clipped polygon as contact points of the given depth.
    fn take_polygon(&mut self, depth: Vec3, max_points: usize) {
        let polygon = &self.multi.clipped;
        if polygon.is_empty() {
            return;
        }
        let mut count = 0;
        let mut take = |point: Vec3| {
            self.on_b[count] = point;
            self.on_a[count] = point - depth;
            count += 1;
        };
        if max_points < 5 && polygon.len() > 4 {
            largest_quadrilateral(polygon).into_iter().for_each(|i| take(polygon[i]));
        } else if polygon.len() > MAX_POINTS {
            polygon[..MAX_POINTS].iter().for_each(|p| take(*p));
        } else {
            for (i, p) in polygon.iter().enumerate() {
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
fn face_normals(out: &mut Vec<(Vec3, usize)>, object: &Convex<'_>, f: &Feature, dir: Vec3) {
    out.clear();
    let mat = &object.pose.mat;
    match object.shape {
        ConvexShape::Box(_) => box_normals(out, object, f, dir),
        ConvexShape::Mesh(mesh) => {
            let polygons = &mesh.polygons;
            let mut push = |i: usize| out.push((mat * polygons.normal[i], i));
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
fn box_normals(out: &mut Vec<(Vec3, usize)>, object: &Convex<'_>, f: &Feature, dir: Vec3) {
    let mat = &object.pose.mat;
    for axis in 0..3 {
        let bit = |k: usize| f.index[k] & (1 << axis) != 0;
        let upper = bit(0);
        if (1..f.dim).all(|k| bit(k) == upper) {
            let column = mat.column(axis);
            out.push((if upper { column } else { -column }, 2 * axis + usize::from(!upper)));
        }
    }
    if out.len() == 4 - f.dim {
        return;
    }
    // the vertices name no face: one that is close to the direction of the contact
    out.clear();
    let local = mat.mul_transposed(dir);
    let local = local * (1.0 / sqrt(local.dot(local)));
    for face in 0..6 {
        let sign = if face % 2 == 0 { 1.0 } else { -1.0 };
        if local[face / 2] * sign > FACE_TOLERANCE {
            out.push((mat.column(face / 2) * sign, face));
            return;
        }
    }
}

/// The directions of the edges that a feature can be part of.
fn edge_directions(out: &mut Vec<(Vec3, Vec3)>, object: &Convex<'_>, f: &Feature) {
    out.clear();
    let from = f.point[0];
    let mut push = |to: Vec3| out.push(((to - from).normalize().0, to));
    if f.dim == 2 {
        push(f.point[1]);
        return;
    }
    match object.shape {
        ConvexShape::Box(half) => {
            let corner = box_corner(half, f.index[0]);
            for axis in 0..3 {
                let mut neighbour = corner;
                neighbour[axis] = -neighbour[axis];
                push(object.pose.to_global(neighbour));
            }
        }
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
fn face_vertices(out: &mut Vec<Vec3>, object: &Convex<'_>, face: usize) {
    /// Corners of each face of a box.
    const BOX_FACES: [[usize; 4]; 6] =
        [[7, 3, 1, 5], [2, 6, 4, 0], [2, 3, 7, 6], [4, 5, 1, 0], [6, 7, 5, 4], [3, 2, 0, 1]];
    out.clear();
    let pose = &object.pose;
    match object.shape {
        ConvexShape::Box(half) => {
            out.extend(BOX_FACES[face].map(|corner| pose.to_global(box_corner(half, corner))));
        }
        ConvexShape::Mesh(mesh) => polygon_vertices(out, &mesh, face, object),
        _ => {}
    }
}

fn polygon_vertices(out: &mut Vec<Vec3>, mesh: &MeshShape<'_>, face: usize, object: &Convex<'_>) {
    let vertices = mesh.polygons.vertices(face);
    let vertices = &vertices[..vertices.len().min(MAX_POLYGON)];
    out.extend(vertices.iter().rev().map(|v| object.pose.to_global(mesh.vertex(*v as usize))));
}

/// The first two normals that face each other.
fn aligned_faces(a: &[(Vec3, usize)], b: &[(Vec3, usize)]) -> Option<(usize, usize)> {
    for (i, (normal_a, _)) in a.iter().enumerate() {
        for (j, (normal_b, _)) in b.iter().enumerate() {
            if normal_a.dot(*normal_b) < -FACE_TOLERANCE {
                return Some((i, j));
            }
        }
    }
    None
}

/// The first edge and face that are parallel.
fn aligned_edge(edges: &[(Vec3, Vec3)], faces: &[(Vec3, usize)]) -> Option<(usize, usize)> {
    for (j, (normal, _)) in faces.iter().enumerate() {
        for (i, (edge, _)) in edges.iter().enumerate() {
            if edge.dot(*normal).abs() < EDGE_TOLERANCE {
                return Some((i, j));
            }
        }
    }
    None
}

/// Clip the second face by the planes through the sides of the first, or the other way round. The
/// result is left in `clipped`.
fn clip(m: &mut MultiContact, normal: Vec3, first_by_second: bool) {
    let MultiContact { face_a, face_b, sides, clipped, .. } = m;
    let (by, polygon) = if first_by_second { (face_b, face_a) } else { (face_a, face_b) };
    clipped.clear();
    if by.len() < 3 {
        return;
    }
    sides.clear();
    for (i, v1) in by.iter().enumerate() {
        let v2 = by[(i + 1) % by.len()];
        let side = (v2 - *v1).cross((*v1 + normal) - *v1);
        sides.push((side, side.dot(*v1)));
    }
    for (corner, (side, offset)) in by.iter().zip(sides.iter()) {
        clipped.clear();
        let inside = |p: Vec3| (p - *corner).dot(*side) > -MIN_VAL;
        for (i, &p) in polygon.iter().enumerate() {
            let q = polygon[(i + 1) % polygon.len()];
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
            if q_in {
                clipped.push(q);
            }
        }
        core::mem::swap(polygon, clipped);
    }
    core::mem::swap(polygon, clipped);
}

/// Four vertices of a convex polygon that span a large area.
fn largest_quadrilateral(polygon: &[Vec3]) -> [usize; 4] {
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
