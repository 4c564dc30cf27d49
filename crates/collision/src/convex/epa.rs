//! The depth of a penetration: the expanding-polytope algorithm (van den Bergen).
use ferrodyn_math::{MIN_VAL, Real, Vec3, sqrt};

use super::polytope::{DELETED, Polytope, affine_coordinates};
use super::simplex::combine;
use super::{Convex, ConvexSolver};

impl ConvexSolver<'_> {
    /// Expand the polytope until its face closest to the origin is one of the Minkowski
    /// difference. Depth and witness points are left in the solver; the face is returned.
    pub(super) fn epa(&mut self, a: &mut Convex<'_>, b: &mut Convex<'_>) -> Option<usize> {
        let discrete = a.is_discrete() && b.is_discrete();
        let tolerance = if discrete { MIN_VAL } else { self.settings.tolerance };
        let p = &mut self.polytope;
        let mut upper = Real::MAX;
        let mut upper_sqr = Real::MAX;
        let mut face = None;
        let mut k = 0;
        while k < self.settings.epa_iterations() {
            let previous = face;
            let mut lower_sqr = Real::MAX;
            let faces = &p.faces[..];
            for i in p.candidates.iter().map(|i| *i as usize) {
                if faces[i].dist_sqr < lower_sqr {
                    lower_sqr = faces[i].dist_sqr;
                    face = Some(i);
                }
            }
            let Some(closest) = face.filter(|_| lower_sqr <= upper_sqr) else {
                face = previous;
                break;
            };
            if lower_sqr <= 0.0 {
                break;
            }

            let lower = sqrt(lower_sqr);
            let foot = p.faces[closest].foot;
            let w = p.add_support(a, b, foot, lower);
            let vertex = p.vertices[w];
            let bound = foot.dot(vertex.diff) / lower;
            if bound < upper {
                upper = bound;
                upper_sqr = upper * upper;
            }
            if upper - lower < tolerance {
                break;
            }
            if discrete {
                let seen = |v: &super::gjk::Vertex| {
                    v.index_a == vertex.index_a && v.index_b == vertex.index_b
                };
                if p.vertices[..w].iter().any(seen) {
                    break;
                }
            }

            p.find_horizon(closest, vertex.diff);
            if p.horizon.len() < 3 {
                face = None;
                break;
            }
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

/// The edge of a face that starts at a vertex.
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
    /// Take a face out of the polytope.
    fn delete(&mut self, face: usize) {
        let faces = &mut self.faces[..];
        if let Ok(place) = usize::try_from(faces[face].slot) {
            self.candidates.swap_remove(place);
            if let Some(&moved) = self.candidates.get(place) {
                faces[moved as usize].slot = place as i32;
            }
        }
        faces[face].slot = DELETED;
    }

    /// Delete the faces that can be seen from a point, and list the edges around them.
    fn find_horizon(&mut self, start: usize, w: Vec3) {
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
        let Some(other) = faces.get(beyond).filter(|f| f.slot != DELETED) else {
            return;
        };
        let visible = other.foot.dot(w) - other.dist_sqr > MIN_VAL;
        let entry = edge_from(&other.vertices, faces[face].vertices[(edge + 1) % 3]);
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
        let first = self.faces.len();
        let edges = self.horizon.len();
        for i in 0..edges {
            let [beyond, edge] = self.horizon[i].map(|i| i as usize);
            let this = first + i;
            let face = &mut self.faces[beyond];
            let (v1, v2) = (face.vertices[edge], face.vertices[(edge + 1) % 3]);
            face.adjacent[edge] = this as u32;
            let before = if i == 0 { first + edges - 1 } else { this - 1 };
            let after = first + (i + 1) % edges;
            let adjacent = [before, beyond, after].map(|i| i as u32);
            let dist_sqr = self.add_face([w as u32, v2, v1], adjacent);
            if dist_sqr == 0.0 {
                return false;
            }
            if dist_sqr >= lower_sqr && dist_sqr <= upper_sqr {
                self.faces[this].slot = self.candidates.len() as i32;
                let fits = self.candidates.push(this as u32);
                debug_assert!(fits);
            }
        }
        true
    }
}
