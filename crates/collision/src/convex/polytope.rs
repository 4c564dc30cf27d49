//! The polytope that is expanded to find the depth of a penetration: storage and first shape.
//!
//! The distance search ends with a simplex of two to four support points on or around the origin. The expansion needs a body with
//! volume around it:
//!
//! ```text
//!    segment                triangle               tetrahedron
//!      v1                      above                  as it is
//!     /|\                     / | \
//!   v3-|-v5  (v4 behind)    v1--v2-v3
//!     \|/                     \ | /
//!      v2                      below
//! ```
//!
//! - A segment is surrounded by three support points across it, 120 degrees from each other: six faces.
//! - A triangle gets a support point on each side: six faces.
//! - A tetrahedron has its four.
//!
//! Two faces run along the edge that they share in opposite directions, so that each finds it in the other's list.
//! Where the origin lies on a face of the first or the third kind, that face is the new simplex, and the second kind
//! begins with it. A body that does not contain the origin, or is flat, is no start: then there is no depth, and no
//! contact.
use bytemuck::{Pod, Zeroable};
use ferrodyn_math::{List, MIN_VAL, Mat3, Real, Stack, StackFull, Vec3, words_of};

use super::gjk::{Vertex, support};
use super::simplex::{det3, largest_shadow, project_on_plane, sub_areas};
use super::{Convex, ConvexSettings, ConvexSolver, MIN_CAPACITY, MIN_VAL_SQR};

/// A face that is part of the polytope, but no candidate.
pub(super) const APART: i32 = -1;
/// A face that is no longer part of the polytope.
pub(super) const DELETED: i32 = -2;

/// A triangle of the polytope.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Face {
    /// The origin projected on the face's plane.
    pub(super) foot: Vec3,
    /// Its squared distance from the origin.
    pub(super) dist_sqr: Real,
    pub(super) vertices: [u32; 3],
    /// Faces beyond the edges (0, 1), (1, 2), (2, 0).
    pub(super) adjacent: [u32; 3],
    /// The place among the candidates, or [`APART`] or [`DELETED`].
    pub(super) slot: i32,
    /// Fills the last word.
    unused: i32,
}

/// Vertices and faces, and the edges around the part that a new vertex sees.
#[derive(Debug)]
pub(super) struct Polytope<'a> {
    pub(super) vertices: List<'a, Vertex>,
    pub(super) faces: List<'a, Face>,
    /// Faces that can be the closest one.
    pub(super) candidates: List<'a, u32>,
    /// Face and edge.
    pub(super) horizon: List<'a, [u32; 2]>,
    /// Faces whose neighbours are being looked at: face, edge, next neighbour.
    pub(super) pending: List<'a, [u32; 3]>,
}

/// No polytope could be made.
pub(super) struct NoPolytope;

/// The first polytope has at most so many vertices and faces.
const FIRST_VERTICES: usize = 5;
const FIRST_FACES: usize = 6;

/// How much a polytope can need.
///
/// - An iteration adds one vertex.
/// - Faces are added only while there is room for all of an iteration: see [`Polytope::has_room`].
/// - A candidate is a face, and stands in the list once.
/// - A face is deleted once, and pending at most once; one face of an iteration never is, the one it begins with.
/// - The horizon comes from looking over the three edges of the first face and over two edges of every pending one. Each look
///   finds a further pending face, an edge of the horizon, or nothing. So with p pending faces the horizon has at most 3 + 2p - p
///   edges, two more than there are faces.
struct Room {
    vertices: usize,
    faces: usize,
    horizon: usize,
}

impl Room {
    const fn new(settings: &ConvexSettings) -> Room {
        // MuJoCo's arrays: six faces for each iteration
        let iterations = settings.epa_iterations();
        let counted = if iterations > MIN_CAPACITY { iterations } else { MIN_CAPACITY };
        let faces = FIRST_FACES * counted;
        Room { vertices: FIRST_VERTICES + iterations, faces, horizon: faces + 2 }
    }
}

impl<'a> Polytope<'a> {
    /// Words of memory for the polytopes of searches.
    pub(super) const fn words(settings: &ConvexSettings) -> usize {
        let room = Room::new(settings);
        words_of::<Vertex>(room.vertices)
            + words_of::<Face>(room.faces)
            + words_of::<u32>(room.faces)
            + words_of::<[u32; 2]>(room.horizon)
            + words_of::<[u32; 3]>(room.faces)
    }

    pub(super) fn new(stack: &mut Stack<'a>, settings: &ConvexSettings) -> Result<Self, StackFull> {
        let room = Room::new(settings);
        Ok(Polytope {
            vertices: stack.list(room.vertices)?,
            faces: stack.list(room.faces)?,
            candidates: stack.list(room.faces)?,
            horizon: stack.list(room.horizon)?,
            pending: stack.list(room.faces)?,
        })
    }
}

impl Polytope<'_> {
    /// Is there room for faces over all edges of the horizon?
    pub(super) fn has_room(&self, settings: &ConvexSettings) -> bool {
        self.faces.len() + self.horizon.len() <= Room::new(settings).faces
    }

    pub(super) fn clear(&mut self) {
        self.vertices.clear();
        self.faces.clear();
        self.candidates.clear();
        self.horizon.clear();
    }

    pub(super) fn add_vertex(&mut self, vertex: Vertex) -> usize {
        let fits = self.vertices.push(vertex);
        debug_assert!(fits);
        self.vertices.len() - 1
    }

    /// Add the support vertex in a direction of given length. MuJoCo: `epaSupport`.
    pub(super) fn add_support(
        &mut self,
        a: &mut Convex<'_>,
        b: &mut Convex<'_>,
        dir: Vec3,
        norm: Real,
    ) -> usize {
        // a direction without length could be any: x, which MuJoCo's `epaSupport` takes
        let dir = if norm > MIN_VAL {
            Vec3::new(dir[0] / norm, dir[1] / norm, dir[2] / norm)
        } else {
            Vec3::X
        };
        self.add_vertex(support(a, b, dir, -dir))
    }

    /// Add a face; its squared distance from the origin, 0 for a face without a plane. MuJoCo: `attachFace`.
    pub(super) fn add_face(&mut self, vertices: [u32; 3], adjacent: [u32; 3]) -> Real {
        let known = &self.vertices[..];
        // the foot of the origin on the plane is the face's normal, scaled by its distance
        let [v1, v2, v3] = vertices.map(|i| known[i as usize].diff);
        let foot = project_on_plane(v3, v2, v1);
        let (foot, dist_sqr) = foot.map_or((Vec3::ZERO, 0.0), |foot| (foot, foot.dot(foot)));
        let fits =
            self.faces.push(Face { foot, dist_sqr, vertices, adjacent, slot: APART, unused: 0 });
        debug_assert!(fits);
        dist_sqr
    }

    /// Make all faces candidates.
    fn all_candidates(&mut self) {
        for (i, face) in self.faces.iter_mut().enumerate() {
            face.slot = i as i32;
            let fits = self.candidates.push(i as u32);
            debug_assert!(fits);
        }
    }
}

impl ConvexSolver<'_> {
    /// The first polytope, from the simplex of the distance search. MuJoCo: `polytope2`, `polytope3`, `polytope4`.
    pub(super) fn start_polytope(
        &mut self,
        a: &mut Convex<'_>,
        b: &mut Convex<'_>,
    ) -> Result<(), NoPolytope> {
        // what GJK left: two, three or four corners
        self.polytope.clear();
        match self.simplex_len {
            2 => self.around_segment(a, b),
            3 => self.around_triangle(a, b),
            _ => self.around_tetrahedron(a, b),
        }
    }

    /// Add faces; where the origin lies on one (nearer than [`MIN_VAL`]), start again from it.
    fn add_faces_or_restart(
        &mut self,
        a: &mut Convex<'_>,
        b: &mut Convex<'_>,
        faces: &[([u32; 3], [u32; 3])],
    ) -> Option<Result<(), NoPolytope>> {
        for (vertices, adjacent) in faces {
            if self.polytope.add_face(*vertices, *adjacent) < MIN_VAL_SQR {
                // the corners of that face are the new simplex
                for k in 0..3 {
                    self.simplex[k] = self.polytope.vertices[vertices[k] as usize];
                }
                self.simplex_len = 3;
                self.polytope.clear();
                return Some(self.around_triangle(a, b));
            }
        }
        None
    }

    /// A hexahedron around a segment: three more vertices at 120 degrees from each other.
    fn around_segment(&mut self, a: &mut Convex<'_>, b: &mut Convex<'_>) -> Result<(), NoPolytope> {
        // across the segment, from the axis that it is least along: their product is the longest
        let (v1, v2) = (self.simplex[0], self.simplex[1]);
        let diff = v2.diff - v1.diff;
        let mut axis = 0;
        let mut least = Real::MAX;
        for i in 0..3 {
            if diff[i].abs() < least {
                least = diff[i].abs();
                axis = i;
            }
        }
        let mut e = Vec3::ZERO;
        e[axis] = 1.0;
        let d1 = e.cross(diff);
        // two thirds of a turn around the segment
        let third = third_turn(diff);
        let d2 = &third * d1;
        let d3 = &third * d2;

        // both ends, then the three points around
        let p = &mut self.polytope;
        p.add_vertex(v1);
        p.add_vertex(v2);
        for d in [d1, d2, d3] {
            p.add_support(a, b, d, d.norm());
        }
        // three faces around v1, three around v2; the neighbours beyond the edges (0, 1), (1, 2), (2, 0) of each
        let faces = [
            ([0, 2, 3], [1, 3, 2]),
            ([0, 4, 2], [2, 4, 0]),
            ([0, 3, 4], [0, 5, 1]),
            ([1, 3, 2], [5, 0, 4]),
            ([1, 2, 4], [3, 1, 5]),
            ([1, 4, 3], [4, 2, 3]),
        ];
        let [v3, v4, v5] = [2, 3, 4].map(|i| p.vertices[i].diff);
        if let Some(result) = self.add_faces_or_restart(a, b, &faces) {
            return result;
        }
        // the segment goes through the triangle of the other three: only then is this body convex
        if !crosses_triangle(v1.diff, v2.diff, [v3, v4, v5]) {
            return Err(NoPolytope);
        }
        self.polytope.all_candidates();
        Ok(())
    }

    /// A hexahedron around a triangle: one more vertex on each side.
    fn around_triangle(
        &mut self,
        a: &mut Convex<'_>,
        b: &mut Convex<'_>,
    ) -> Result<(), NoPolytope> {
        let [v1, v2, v3] = [0, 1, 2].map(|i| self.simplex[i].diff);
        let normal = (v2 - v1).cross(v3 - v1);
        let norm = normal.norm();
        // three corners in line span nothing
        if norm < MIN_VAL {
            return Err(NoPolytope);
        }
        let p = &mut self.polytope;
        for i in 0..3 {
            p.add_vertex(self.simplex[i]);
        }
        // a support point on either side, which must not be in the triangle itself
        let below = p.add_support(a, b, -normal, norm);
        let above = p.add_support(a, b, normal, norm);
        let (v5, v4) = (p.vertices[below].diff, p.vertices[above].diff);
        let (below, above) = (below as u32, above as u32);
        if on_triangle([v1, v2, v3], v4) || on_triangle([v1, v2, v3], v5) {
            return Err(NoPolytope);
        }
        // GJK may end with a triangle that is near the origin, not on it: then one half of the body must contain it.
        // Ten times mjMINVAL is MuJoCo's idea of "on it"
        if self.dist > 10.0 * MIN_VAL
            && !contains_origin([v1, v2, v3, v4])
            && !contains_origin([v1, v2, v3, v5])
        {
            return Err(NoPolytope);
        }
        // three faces around the upper point, three around the lower
        let faces = [
            ([above, 0, 1], [1, 3, 2]),
            ([above, 2, 0], [2, 4, 0]),
            ([above, 1, 2], [0, 5, 1]),
            ([below, 1, 0], [5, 0, 4]),
            ([below, 0, 2], [3, 1, 5]),
            ([below, 2, 1], [4, 2, 3]),
        ];
        // a face through the origin has no direction out
        for (vertices, adjacent) in faces {
            if p.add_face(vertices, adjacent) < MIN_VAL_SQR {
                return Err(NoPolytope);
            }
        }
        p.all_candidates();
        Ok(())
    }

    fn around_tetrahedron(
        &mut self,
        a: &mut Convex<'_>,
        b: &mut Convex<'_>,
    ) -> Result<(), NoPolytope> {
        let simplex = self.simplex;
        for vertex in simplex {
            self.polytope.add_vertex(vertex);
        }
        let faces = [
            ([0, 1, 2], [1, 3, 2]),
            ([0, 3, 1], [2, 3, 0]),
            ([0, 2, 3], [0, 3, 1]),
            ([3, 2, 1], [2, 0, 1]),
        ];
        if let Some(result) = self.add_faces_or_restart(a, b, &faces) {
            return result;
        }
        // GJK stops at tetrahedra that its rounding calls full
        if !contains_origin(simplex.map(|v| v.diff)) {
            return Err(NoPolytope);
        }
        self.polytope.all_candidates();
        Ok(())
    }
}

/// Rotation by 120 degrees around an axis: `cos I + sin [u]× + (1 - cos) u uᵀ` (Rodrigues). MuJoCo: `rotmat`.
fn third_turn(axis: Vec3) -> Mat3 {
    // √3/2 to eleven digits, as MuJoCo writes it: more would move the first corners, and with them contacts, in their last digits
    const SIN: Real = 0.86602540378;
    const COS: Real = -0.5;
    let n = axis.norm();
    let (u1, u2, u3) = (axis[0] / n, axis[1] / n, axis[2] / n);
    Mat3([
        COS + u1 * u1 * (1.0 - COS),
        u1 * u2 * (1.0 - COS) - u3 * SIN,
        u1 * u3 * (1.0 - COS) + u2 * SIN,
        u2 * u1 * (1.0 - COS) + u3 * SIN,
        COS + u2 * u2 * (1.0 - COS),
        u2 * u3 * (1.0 - COS) - u1 * SIN,
        u1 * u3 * (1.0 - COS) - u2 * SIN,
        u2 * u3 * (1.0 - COS) + u1 * SIN,
        COS + u3 * u3 * (1.0 - COS),
    ])
}

/// Does the line through two points cross a triangle? It does where all sides are on the same hand of it, as the signs
/// of three volumes tell.
fn crosses_triangle(v1: Vec3, v2: Vec3, triangle: [Vec3; 3]) -> bool {
    // volumes of the line with each side of the triangle
    let line = v2 - v1;
    let [d3, d4, d5] = triangle.map(|v| v - v1);
    let volumes = [det3(d3, d4, line), det3(d4, d5, line), det3(d5, d3, line)];
    volumes.iter().all(|v| *v >= 0.0) || volumes.iter().all(|v| *v <= 0.0)
}

/// Are the origin and `p3` on the same side of the plane through the other three?
fn same_side(p0: Vec3, p1: Vec3, p2: Vec3, p3: Vec3) -> bool {
    // heights of both above the plane
    let normal = (p1 - p0).cross(p2 - p0);
    let point = normal.dot(p3 - p0);
    let origin = normal.dot(-p0);
    (point > 0.0 && origin > 0.0) || (point < 0.0 && origin < 0.0)
}

/// Is the origin inside a tetrahedron, on the inner side of all four planes? MuJoCo: `testTetra`.
fn contains_origin(p: [Vec3; 4]) -> bool {
    same_side(p[0], p[1], p[2], p[3])
        && same_side(p[1], p[2], p[3], p[0])
        && same_side(p[2], p[3], p[0], p[1])
        && same_side(p[3], p[0], p[1], p[2])
}

/// Affine coordinates of a point in the plane of a triangle: `p = Σ wᵢ vᵢ`, `Σ wᵢ = 1`. MuJoCo: `triAffineCoord`.
pub(super) fn affine_coordinates(triangle: [Vec3; 3], p: Vec3) -> [Real; 3] {
    let (x, y, total) = largest_shadow(triangle);
    sub_areas(triangle, p, x, y).map(|area| area / total)
}

/// Does a point lie on a triangle? MuJoCo: `triPointIntersect`.
fn on_triangle(triangle: [Vec3; 3], p: Vec3) -> bool {
    // outside of the shadow
    let w = affine_coordinates(triangle, p);
    if w.iter().any(|w| *w < 0.0) {
        return false;
    }
    // inside of its shadow, and in its plane: what the weights give is the point itself
    let [v1, v2, v3] = triangle;
    let projection = v1 * w[0] + v2 * w[1] + v3 * w[2];
    (projection - p).norm() < MIN_VAL
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use ferrodyn_math::by_precision;

    use super::super::ConvexShape;
    use super::*;
    use crate::Pose;

    const TOLERANCE: Real = by_precision(1e-10, 1e-5);

    /// The first polytope of two unit balls around one point, whose difference is a ball of radius two: corners and faces. The simplex
    /// are the support points in these directions.
    fn first_polytope(directions: &[Vec3]) -> (vec::Vec<Vec3>, vec::Vec<Face>) {
        let settings = ConvexSettings::default();
        let mut words = vec![u64::MAX; ConvexSolver::words(&settings)];
        let mut solver = ConvexSolver::new(&mut Stack::new(&mut words), settings).unwrap();
        let ball = ConvexShape::Ellipsoid(Vec3::new(1.0, 1.0, 1.0));
        let [mut a, mut b] = [Vec3::ZERO; 2].map(|pos| Convex::new(ball, Pose::at(pos), 0.0));
        for (i, dir) in directions.iter().enumerate() {
            let dir = dir.normalize().0;
            solver.simplex[i] = support(&mut a, &mut b, dir, -dir);
        }
        solver.simplex_len = directions.len();
        assert!(solver.start_polytope(&mut a, &mut b).is_ok());
        let p = &solver.polytope;
        assert_eq!(p.candidates.iter().map(|i| *i as usize).collect::<vec::Vec<_>>(), {
            (0..p.faces.len()).collect::<vec::Vec<_>>()
        });
        (p.vertices.iter().map(|v| v.diff).collect(), p.faces.to_vec())
    }

    /// Is the polytope a closed body around the origin? Each side of a face is a side of the face beyond it, in the other direction, and
    /// normals point away from the origin.
    fn check_closed(vertices: &[Vec3], faces: &[Face]) {
        for (f, face) in faces.iter().enumerate() {
            for edge in 0..3 {
                let (from, to) = (face.vertices[edge], face.vertices[(edge + 1) % 3]);
                let beyond = &faces[face.adjacent[edge] as usize];
                let back = (0..3)
                    .find(|e| beyond.vertices[*e] == to && beyond.vertices[(e + 1) % 3] == from)
                    .unwrap_or_else(|| panic!("face {f}, edge {edge}: {face:?} {beyond:?}"));
                assert_eq!(beyond.adjacent[back] as usize, f);
            }
            let [v1, v2, v3] = face.vertices.map(|i| vertices[i as usize]);
            let normal = (v2 - v1).cross(v3 - v1).normalize().0;
            // the foot is on the plane and along the normal, at its distance; all corners lie on one side
            let distance = normal.dot(v1);
            assert!(distance.abs() > 0.1);
            assert!((face.foot - normal * distance).norm() < TOLERANCE, "{face:?}");
            assert!((face.dist_sqr - distance * distance).abs() < TOLERANCE);
            let outside = |v: &&Vec3| (normal.dot(**v) - distance) * distance > TOLERANCE;
            assert_eq!(vertices.iter().find(outside), None, "{face:?}");
        }
        // corners are on the ball, and corners less edges plus faces are two
        assert!(vertices.iter().all(|v| (v.norm() - 2.0).abs() < TOLERANCE));
        assert_eq!(vertices.len() + faces.len(), 3 * faces.len() / 2 + 2);
    }

    #[test]
    fn segments_triangles_and_tetrahedra_become_closed_bodies_around_the_origin() {
        let slanted = Vec3::new(1.0, 2.0, -0.5);
        for segment in [[Vec3::X, -Vec3::X], [slanted, -slanted]] {
            let (vertices, faces) = first_polytope(&segment);
            assert_eq!((vertices.len(), faces.len()), (5, 6));
            check_closed(&vertices, &faces);
            // the three others are across the segment, a third of a turn from each other
            for (i, j) in [(2, 3), (3, 4), (4, 2)] {
                assert!(vertices[i].dot(segment[0]).abs() < TOLERANCE);
                assert!((vertices[i].dot(vertices[j]) + 2.0).abs() < by_precision(1e-9, 1e-5));
            }
        }
        let triangle = [[1.0, 0.0], [-0.6, 0.8], [-0.8, -0.6]].map(|[x, y]| Vec3::new(x, y, 0.0));
        let (vertices, faces) = first_polytope(&triangle);
        assert_eq!((vertices.len(), faces.len()), (5, 6));
        check_closed(&vertices, &faces);
        assert!((vertices[3] + Vec3::Z * 2.0).norm() < TOLERANCE);
        assert!((vertices[4] - Vec3::Z * 2.0).norm() < TOLERANCE);
        let corners = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
        let (vertices, faces) = first_polytope(&corners.map(Vec3));
        assert_eq!((vertices.len(), faces.len()), (4, 4));
        check_closed(&vertices, &faces);
    }

    #[test]
    fn a_third_of_a_turn_about_the_diagonal_exchanges_the_axes() {
        let third = third_turn(Vec3::new(2.0, 2.0, 2.0));
        for (from, to) in [(Vec3::X, Vec3::Y), (Vec3::Y, Vec3::Z), (Vec3::Z, Vec3::X)] {
            assert!((&third * from - to).norm() < TOLERANCE);
        }
    }

    #[test]
    fn a_tetrahedron_contains_the_origin_or_does_not() {
        let corners =
            [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]].map(Vec3);
        assert!(contains_origin(corners));
        // it reaches from each corner to the face across, at a third of the distance on the other side
        for corner in corners {
            let inside = |share: Real| contains_origin(corners.map(|v| v - corner * share));
            assert!(inside(0.99) && !inside(1.01), "{corner:?}");
            assert!(inside(-0.33) && !inside(-0.34), "{corner:?}");
            // on the corner is not inside
            assert!(!inside(1.0), "{corner:?}");
        }
    }

    #[test]
    fn a_line_crosses_a_triangle_within_its_sides() {
        let triangle = [[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]].map(|[x, y]| Vec3::new(x, y, 1.0));
        let crosses =
            |x, y| crosses_triangle(Vec3::new(x, y, -1.0), Vec3::new(x, y, 3.0), triangle);
        assert!(crosses(0.5, 0.5) && crosses(1.9, 0.05));
        assert!(!crosses(1.2, 1.2) && !crosses(-0.1, 0.5) && !crosses(0.5, -0.1));
    }

    #[test]
    fn points_have_their_weights_in_a_triangle() {
        let triangle =
            [Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 2.0, 0.0), Vec3::new(0.0, 0.0, 4.0)];
        let at = |w: [Real; 3]| triangle[0] * w[0] + triangle[1] * w[1] + triangle[2] * w[2];
        for w in [[0.25, 0.25, 0.5], [1.0, 0.0, 0.0], [1.5, -0.25, -0.25]] {
            let found = affine_coordinates(triangle, at(w));
            assert!((Vec3(found) - Vec3(w)).norm() < TOLERANCE, "{found:?}, expected {w:?}");
            assert_eq!(on_triangle(triangle, at(w)), w[1] >= 0.0, "{w:?}");
        }
        // in the shadow of the triangle, but above it
        assert!(!on_triangle(triangle, at([0.25, 0.25, 0.5]) + Vec3::new(0.1, 0.1, 0.1)));
    }
}
