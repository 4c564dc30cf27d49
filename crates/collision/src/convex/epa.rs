//! The depth of a penetration: the expanding-polytope algorithm (van den Bergen).
//!
//! The origin is inside of the Minkowski difference, and so is a polytope of support points around it. In each iteration:
//!
//! 1. The face closest to the origin, at distance `lower`, is a guess of the way out: no way out of the *polytope* is
//!    shorter, and the difference is at least as large.
//! 2. The support point `w` along its normal bounds the difference by a plane at distance `upper`: the depth is between both.
//!    Where they agree to the tolerance, the face is part of the boundary: done.
//! 3. Otherwise `w` becomes a corner. The faces that `w` sees (those with `w` on their outer side) are deleted; the
//!    edges around the hole are the horizon, and each of them gets a new face with `w`.
//!
//! ```text
//!             w                        w
//!             *                       /|\
//!      ______________                / | \           the faces that w sees are gone, and
//!     /   \  /   \   \       h0 ____/  |  \____ h2   each edge of the horizon h0 h1 h2
//!    /_____\/_____\___\            \___|__/          has a face with w
//!                                     h1
//! ```
//!
//! The polytope stays convex and inside of the difference, and contains the origin; `lower` never falls, `upper` never
//! rises (the least of all is kept). A face farther than `upper` cannot be the answer: it stays part of the polytope,
//! but is no candidate. The weights of the closest point in the last face, applied to the points that its corners are
//! made of, give the points of contact.
//!
//! The search ends without an answer where rounding left a horizon that is no closed curve, or a new face without a
//! plane. It ends with the present face where the iterations or the room run out, where a plane of a face contains the
//! origin, or, for shapes with corners only, where `w` is a corner already: exact arithmetic would have ended it.
use ferrodyn_math::{MIN_VAL, Real, Vec3, sqrt};

use super::polytope::{DELETED, Polytope, affine_coordinates};
use super::simplex::combine;
use super::{Convex, ConvexSolver};

impl ConvexSolver<'_> {
    /// Expand the polytope until its face closest to the origin is one of the Minkowski
    /// difference. Depth and witness points are left in the solver; the face is returned. MuJoCo: `epa`.
    pub(super) fn epa(&mut self, a: &mut Convex<'_>, b: &mut Convex<'_>) -> Option<usize> {
        // shapes with corners are searched to the last digit: a face of the polytope becomes one of theirs
        let discrete = a.is_discrete() && b.is_discrete();
        let tolerance = if discrete { MIN_VAL } else { self.settings.tolerance };
        let p = &mut self.polytope;
        let mut upper = Real::MAX;
        let mut upper_sqr = Real::MAX;
        let mut face = None;
        let mut k = 0;
        while k < self.settings.epa_iterations() {
            // lower bound: the nearest face
            let previous = face;
            let mut lower_sqr = Real::MAX;
            let faces = &p.faces[..];
            for i in p.candidates.iter().map(|i| *i as usize) {
                if faces[i].dist_sqr < lower_sqr {
                    lower_sqr = faces[i].dist_sqr;
                    face = Some(i);
                }
            }
            // every face is farther than a plane that bounds the difference: the last one was as near as any can be
            let Some(closest) = face.filter(|_| lower_sqr <= upper_sqr) else {
                face = previous;
                break;
            };
            // the plane of the face goes through the origin: it has no direction out
            if lower_sqr <= 0.0 {
                break;
            }

            // upper bound: how far the difference reaches along the normal
            let lower = sqrt(lower_sqr);
            let foot = p.faces[closest].foot;
            let w = p.add_support(a, b, foot, lower);
            let vertex = p.vertices[w];
            let bound = foot.dot(vertex.diff) / lower;
            // the least bound of all
            if bound < upper {
                upper = bound;
                upper_sqr = upper * upper;
            }
            if upper - lower < tolerance {
                break;
            }
            // a corner that is there already cannot expand anything
            if discrete {
                let seen = |v: &super::gjk::Vertex| {
                    v.index_a == vertex.index_a && v.index_b == vertex.index_b
                };
                if p.vertices[..w].iter().any(seen) {
                    break;
                }
            }

            p.find_horizon(closest, vertex.diff);
            // no hole has fewer than three sides
            if p.horizon.len() < 3 {
                face = None;
                break;
            }
            // MuJoCo asks before any of the new faces: all of an iteration, or none
            if !p.has_room(&self.settings) {
                break;
            }
            if !p.close_horizon(w, lower_sqr, upper_sqr) {
                face = None;
                break;
            }
            if p.candidates.is_empty() {
                break;
            }
            k += 1;
        }

        self.epa_iterations = k;
        match face {
            // the nearest point of the face as a mean of its corners, and that of both shapes
            Some(face) => {
                let face = &self.polytope.faces[face];
                let vertices = face.vertices.map(|i| self.polytope.vertices[i as usize]);
                let weights = affine_coordinates(vertices.map(|v| v.diff), face.foot);
                self.on_a[0] = combine(weights, vertices.map(|v| v.on_a));
                self.on_b[0] = combine(weights, vertices.map(|v| v.on_b));
                self.dist = -sqrt(face.dist_sqr);
                self.count = 1;
            }
            None => {
                self.count = 0;
                self.dist = 0.0;
            }
        }
        face
    }
}

/// The edge of a face that starts at a vertex. MuJoCo: `getEdge`.
fn edge_from(vertices: &[u32; 3], vertex: u32) -> u32 {
    if vertices[0] == vertex {
        0
    } else if vertices[1] == vertex {
        1
    } else {
        2
    }
}

impl Polytope<'_> {
    /// Take a face out of the polytope. MuJoCo: `deleteFace`.
    fn delete(&mut self, face: usize) {
        let faces = &mut self.faces[..];
        // a candidate leaves a hole in their list, which the last one fills
        if let Ok(place) = usize::try_from(faces[face].slot) {
            self.candidates.swap_remove(place);
            if let Some(&moved) = self.candidates.get(place) {
                faces[moved as usize].slot = place as i32;
            }
        }
        faces[face].slot = DELETED;
    }

    /// Delete the faces that can be seen from a point, and list the edges around them, in order around the hole.
    /// MuJoCo: `horizon`, which is recursive; here the faces that are being looked at lie in a list, and are looked at
    /// in the same order.
    fn find_horizon(&mut self, start: usize, w: Vec3) {
        // the start is seen for certain; from there across its three edges
        self.horizon.clear();
        self.delete(start);
        for edge in 0..3 {
            self.visit(start, edge, w);
            // depth first, the two edges after the one it was entered by
            while let Some(last) = self.pending.last_mut() {
                let [face, entry, next] = *last;
                if next == 3 {
                    self.pending.pop();
                    continue;
                }
                last[2] += 1;
                self.visit(face as usize, (entry + next) as usize % 3, w);
            }
        }
    }

    /// Look at the face beyond an edge: delete it and look further, or note it as horizon.
    fn visit(&mut self, face: usize, edge: usize, w: Vec3) {
        let faces = &self.faces[..];
        let beyond = faces[face].adjacent[edge] as usize;
        // deleted, or a mark that never was a face
        let Some(other) = faces.get(beyond).filter(|f| f.slot != DELETED) else {
            return;
        };
        // v·w > |v|²: beyond the plane through the foot v, by more than mjMINVAL
        let visible = other.foot.dot(w) - other.dist_sqr > MIN_VAL;
        // the edge that both share, as the other face counts it
        let entry = edge_from(&other.vertices, faces[face].vertices[(edge + 1) % 3]);
        // seen: it goes, and its other edges are looked across; hidden: the edge is on the horizon
        if visible {
            self.delete(beyond);
            let fits = self.pending.push([beyond as u32, entry, 1]);
            debug_assert!(fits);
        } else {
            let fits = self.horizon.push([beyond as u32, entry]);
            debug_assert!(fits);
        }
    }

    /// Join the edges of the horizon with a new vertex; false where a face has no plane.
    fn close_horizon(&mut self, w: usize, lower_sqr: Real, upper_sqr: Real) -> bool {
        // new faces in the order of the horizon
        let first = self.faces.len();
        let edges = self.horizon.len();
        for i in 0..edges {
            // the edge of the face beyond, which from now on borders the new one
            let [beyond, edge] = self.horizon[i].map(|i| i as usize);
            let this = first + i;
            let face = &mut self.faces[beyond];
            let (v1, v2) = (face.vertices[edge], face.vertices[(edge + 1) % 3]);
            face.adjacent[edge] = this as u32;
            // neighbours in the fan around w, which closes upon itself
            let before = if i == 0 { first + edges - 1 } else { this - 1 };
            let after = first + (i + 1) % edges;
            let adjacent = [before, beyond, after].map(|i| i as u32);
            let dist_sqr = self.add_face([w as u32, v2, v1], adjacent);
            if dist_sqr == 0.0 {
                return false;
            }
            // nearer than the last lower bound only by rounding, farther than the upper one: no candidate
            if dist_sqr >= lower_sqr && dist_sqr <= upper_sqr {
                self.faces[this].slot = self.candidates.len() as i32;
                let fits = self.candidates.push(this as u32);
                debug_assert!(fits);
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use ferrodyn_math::{Stack, by_precision};

    use super::super::{ConvexSettings, ConvexShape};
    use super::*;
    use crate::Pose;
    use crate::samples::{spread, turned};

    const SIZES: [Vec3; 2] = [Vec3([0.4, 0.7, 1.0]), Vec3([0.9, 0.3, 0.5])];

    /// The depth of two boxes: the least overlap of their shadows along the axes that can part them (normals of faces, and
    /// products of edges), negative where one parts them.
    fn least_overlap(poses: &[Pose; 2]) -> Real {
        let axes = |i: usize| [0, 1, 2].map(|k| poses[i].mat.column(k));
        let (a, b) = (axes(0), axes(1));
        let crossed = a.into_iter().flat_map(|u| b.map(|v| u.cross(v)));
        let overlap = |axis: Vec3| {
            let reach = |i: usize| {
                axes(i)
                    .iter()
                    .zip(SIZES[i].0)
                    .map(|(u, half)| u.dot(axis).abs() * half)
                    .sum::<Real>()
            };
            reach(0) + reach(1) - (poses[1].pos - poses[0].pos).dot(axis).abs()
        };
        let all = a.into_iter().chain(b).chain(crossed).filter(|axis| axis.norm() > 1e-3);
        all.map(|axis| overlap(axis.normalize().0)).fold(Real::MAX, Real::min)
    }

    #[test]
    fn the_depth_of_boxes_is_their_least_overlap_along_an_axis() {
        let tolerance = by_precision(1e-9, 1e-5);
        let settings = ConvexSettings { iterations: 100, tolerance: 1e-6 };
        let mut words = vec![u64::MAX; ConvexSolver::words(&settings)];
        let mut solver = ConvexSolver::new(&mut Stack::new(&mut words), settings).unwrap();
        let mut overlapping = 0;
        for i in 1..200 {
            let poses = [
                Pose { pos: Vec3::ZERO, mat: turned(i) },
                Pose { pos: spread(i, [3, 5, 7]) * 1.2, mat: turned(i + 500) },
            ];
            let expected = least_overlap(&poses);
            if expected < 1e-3 {
                continue;
            }
            let [mut a, mut b] =
                [0, 1].map(|k| Convex::new(ConvexShape::Box(SIZES[k]), poses[k], 0.0));
            (solver.on_a[0], solver.on_b[0]) = (a.center(), b.center());
            solver.gjk(&mut a, &mut b, 0.0);
            assert!(solver.start_polytope(&mut a, &mut b).is_ok(), "{i}");
            let face = solver.epa(&mut a, &mut b).unwrap();
            assert!((solver.dist + expected).abs() < tolerance, "{i}: {}, {expected}", solver.dist);
            // moved by the way from point to point, the boxes only touch
            let out = solver.on_a[0] - solver.on_b[0];
            assert!((out.norm() - expected).abs() < tolerance);
            let parted = [poses[0], Pose { pos: poses[1].pos + out, ..poses[1] }];
            assert!(least_overlap(&parted).abs() < tolerance, "{i}");
            // no corner of the polytope is beyond the face that was found: it belongs to the boundary
            let p = &solver.polytope;
            let face = &p.faces[face];
            let beyond = |v: &super::super::gjk::Vertex| face.foot.dot(v.diff) - face.dist_sqr;
            assert!(p.vertices.iter().all(|v| beyond(v) < tolerance), "{i}");
            overlapping += 1;
        }
        assert!(overlapping > 80, "{overlapping}");
    }

    #[test]
    fn an_edge_is_known_by_the_corner_it_starts_at() {
        assert_eq!([7, 3, 5].map(|corner| edge_from(&[7, 3, 5], corner)), [0, 1, 2]);
    }
}
