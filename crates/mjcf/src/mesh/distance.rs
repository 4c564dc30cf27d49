//! Signed distance from points to a mesh: the nearest face is found in a tree of spheres, and the
//! sign comes from the pseudonormal of the nearest face, edge or vertex.
//!
//! Outside or inside is asked of the normal at the nearest point. In the middle of a face that is clear; at an edge or vertex, the face
//! normals around it can disagree about a point. The sum of the normals of both faces of an edge, and the sum of all normals at a vertex
//! weighted by the angles of the faces there, never do (Baerentzen and Aanaes). The mesh must be closed for the answer to mean anything.
//!
//! The tree holds spheres around halves of the faces. A half whose sphere is farther than the nearest face so far is not looked at; the
//! nearer half goes first, since it is likely to rule out the other.

use ferrodyn_math::elementary;
use std::collections::HashMap;

use crate::pose::{V3, add, cross, dot, sub};

/// A part of a triangle.
#[derive(Clone, Copy)]
enum Part {
    Vertex(usize),
    Edge(usize),
    Face,
}

/// A sphere around faces.
#[derive(Clone, Copy, Default)]
struct Sphere {
    centre: V3,
    radius: f64,
}

/// A node of the tree.
#[derive(Clone, Copy)]
enum Node {
    Leaf(u32),
    Inner { children: [u32; 2], spheres: [Sphere; 2] },
}

/// The nearest point so far.
struct Nearest {
    distance: f64,
    face: usize,
    part: Part,
    weights: V3,
}

/// A mesh prepared for distance queries.
pub(super) struct MeshDistance<'a> {
    vert: &'a [V3],
    face: &'a [[i32; 3]],
    nodes: Vec<Node>,
    face_normal: Vec<V3>,
    /// Normals of the edges 01, 12 and 02 of each face.
    edge_normal: Vec<[V3; 3]>,
    vertex_normal: Vec<V3>,
}

fn scaled(s: f64, v: &V3) -> V3 {
    v.map(|x| s * x)
}

fn norm(v: &V3) -> f64 {
    dot(v, v).sqrt()
}

fn normalized(v: &V3) -> V3 {
    let length = norm(v);
    v.map(|x| x / length)
}

impl<'a> MeshDistance<'a> {
    /// Prepares a mesh with at least one face.
    pub(super) fn new(vert: &'a [V3], face: &'a [[i32; 3]]) -> Self {
        let mut distance = Self {
            vert,
            face,
            nodes: Vec::with_capacity(2 * face.len()),
            face_normal: Vec::with_capacity(face.len()),
            edge_normal: Vec::with_capacity(face.len()),
            vertex_normal: vec![[0.0; 3]; vert.len()],
        };
        let mut order: Vec<u32> = (0..face.len() as u32).collect();
        distance.grow(&mut order);
        distance.make_normals();
        distance
    }

    /// The corners of a face.
    fn corners(&self, face: usize) -> [&'a V3; 3] {
        self.face[face].map(|id| &self.vert[id as usize])
    }

    /// Adds a node for some faces; returns its index and the sphere around them. The halves are
    /// equal, so the recursion is shallow.
    fn grow(&mut self, order: &mut [u32]) -> (u32, Sphere) {
        let index = self.nodes.len() as u32;
        if let [face] = *order {
            // a leaf: the sphere around the corners' mean
            let [a, b, c] = self.corners(face as usize);
            let centre = add(&add(a, b), c).map(|x| x / 3.0);
            let radius = norm(&sub(a, &centre)).max(norm(&sub(b, &centre)));
            let radius = radius.max(norm(&sub(c, &centre)));
            self.nodes.push(Node::Leaf(face));
            return (index, Sphere { centre, radius });
        }
        // mean of all corners, farthest corner from it, box around them
        let (mut top, mut bottom, mut centre) = ([-f64::MAX; 3], [f64::MAX; 3], [0.0; 3]);
        for &face in &*order {
            for p in self.corners(face as usize) {
                for i in 0..3 {
                    centre[i] += p[i];
                    top[i] = p[i].max(top[i]);
                    bottom[i] = p[i].min(bottom[i]);
                }
            }
        }
        let centre = centre.map(|x| x / (3 * order.len()) as f64);
        let mut squared: f64 = 0.0;
        for &face in &*order {
            for p in self.corners(face as usize) {
                let offset = sub(&centre, p);
                squared = dot(&offset, &offset).max(squared);
            }
        }
        let sphere = Sphere { centre, radius: squared.sqrt() };

        // halves along the longest side of the box, sorted by first corners
        let diagonal = sub(&top, &bottom);
        let mut axis = 0;
        for i in 1..3 {
            if diagonal[i] > diagonal[axis] {
                axis = i;
            }
        }
        let key = |&face: &u32| self.corners(face as usize)[0][axis];
        order.sort_by(|a, b| key(a).total_cmp(&key(b)));

        // a place for this node, before its children
        self.nodes.push(Node::Leaf(0));
        let (left, right) = order.split_at_mut(order.len() / 2);
        let (left, left_sphere) = self.grow(left);
        let (right, right_sphere) = self.grow(right);
        self.nodes[index as usize] =
            Node::Inner { children: [left, right], spheres: [left_sphere, right_sphere] };
        (index, sphere)
    }

    /// Normals of faces, edges and vertices.
    fn make_normals(&mut self) {
        let mut edges: HashMap<(i32, i32), V3> = HashMap::with_capacity(2 * self.face.len());
        let key = |a: i32, b: i32| (a.min(b), a.max(b));
        for (face, ids) in self.face.iter().enumerate() {
            let [a, b, c] = self.corners(face);
            let normal = normalized(&cross(&sub(b, a), &sub(c, a)));
            self.face_normal.push(normal);
            let angle = |at: &V3, p: &V3, q: &V3| {
                elementary::acos(dot(&normalized(&sub(p, at)), &normalized(&sub(q, at))))
            };
            let angles = [angle(a, b, c), angle(b, a, c), angle(c, b, a)];
            // the angle of the face at each corner is its weight there
            for (&id, angle) in ids.iter().zip(angles) {
                let sum = &mut self.vertex_normal[id as usize];
                *sum = add(sum, &scaled(angle, &normal));
            }
            // an edge collects the normals of its faces
            for (i, j) in [(0, 1), (1, 2), (0, 2)] {
                edges
                    .entry(key(ids[i], ids[j]))
                    .and_modify(|sum| *sum = add(sum, &normal))
                    .or_insert(normal);
            }
        }
        for normal in &mut self.vertex_normal {
            *normal = normalized(normal);
        }
        for ids in self.face {
            let normal = |i: usize, j: usize| normalized(&edges[&key(ids[i], ids[j])]);
            self.edge_normal.push([normal(0, 1), normal(1, 2), normal(0, 2)]);
        }
    }

    /// The distance from a point, negative inside; none if no face has a nearest point.
    pub(super) fn signed(&self, point: &V3) -> Option<f64> {
        let mut nearest = None;
        self.query(&mut nearest, 0, point);
        let nearest: Nearest = nearest?;
        let ids = &self.face[nearest.face];
        // the pseudonormal of what is nearest
        let normal = match nearest.part {
            Part::Vertex(k) => &self.vertex_normal[ids[k] as usize],
            Part::Edge(k) => &self.edge_normal[nearest.face][k],
            Part::Face => &self.face_normal[nearest.face],
        };
        let [a, b, c] = self.corners(nearest.face);
        let [u, v, w] = nearest.weights;
        // from the nearest point to here: along the normal is outside
        let foot = add(&add(&scaled(u, a), &scaled(v, b)), &scaled(w, c));
        let outside = dot(&sub(point, &foot), normal) >= 0.0;
        Some(if outside { nearest.distance } else { -nearest.distance })
    }

    /// The nearest face under a node, if it is nearer than the nearest so far.
    fn query(&self, nearest: &mut Option<Nearest>, node: u32, point: &V3) {
        let distance =
            |nearest: &Option<Nearest>| nearest.as_ref().map_or(f64::MAX, |n| n.distance);
        match self.nodes[node as usize] {
            Node::Leaf(face) => {
                let corners = self.corners(face as usize);
                let (squared, part, weights) = point_triangle(point, corners);
                let best = distance(nearest);
                if squared < best * best {
                    let distance = squared.sqrt();
                    *nearest = Some(Nearest { distance, face: face as usize, part, weights });
                }
            }
            Node::Inner { children, spheres } => {
                // how near each half can be at best
                let gaps = spheres.map(|s| norm(&sub(point, &s.centre)) - s.radius);
                let order = if gaps[0] < gaps[1] { [0, 1] } else { [1, 0] };
                for side in order {
                    if gaps[side] < distance(nearest) {
                        self.query(nearest, children[side], point);
                    }
                }
            }
        }
    }
}

/// Squared distance from a point to a triangle, the part of the triangle that is nearest, and the
/// weights of the corners that make the nearest point.
fn point_triangle(p: &V3, [a, b, c]: [&V3; 3]) -> (f64, Part, V3) {
    let squared = |q: &V3| {
        let offset = sub(p, q);
        dot(&offset, &offset)
    };
    let (ab, ac, bc) = (sub(b, a), sub(c, a), sub(c, b));
    let (pa, pb, pc) = (sub(p, a), sub(p, b), sub(p, c));

    // nearest to a corner
    // beyond both sides that meet there
    let (ab_from_a, ab_from_b) = (dot(&pa, &ab), dot(&pb, &sub(a, b)));
    let (ac_from_a, ac_from_c) = (dot(&pa, &ac), dot(&pc, &sub(a, c)));
    if ab_from_a <= 0.0 && ac_from_a <= 0.0 {
        return (squared(a), Part::Vertex(0), [1.0, 0.0, 0.0]);
    }
    let (bc_from_b, bc_from_c) = (dot(&pb, &bc), dot(&pc, &sub(b, c)));
    if ab_from_b <= 0.0 && bc_from_b <= 0.0 {
        return (squared(b), Part::Vertex(1), [0.0, 1.0, 0.0]);
    }
    if ac_from_c <= 0.0 && bc_from_c <= 0.0 {
        return (squared(c), Part::Vertex(2), [0.0, 0.0, 1.0]);
    }

    // nearest to an edge: outside of it and between its ends
    // signed areas of the point with each edge, times the whole
    let normal = cross(&ab, &ac);
    let (ap, bp, cp) = (sub(a, p), sub(b, p), sub(c, p));
    let outside_ab = dot(&normal, &cross(&ap, &bp));
    if outside_ab <= 0.0 && ab_from_a >= 0.0 && ab_from_b >= 0.0 {
        let t = ab_from_a / (ab_from_a + ab_from_b);
        let foot = add(&scaled(1.0 - t, a), &scaled(t, b));
        return (squared(&foot), Part::Edge(0), [1.0 - t, t, 0.0]);
    }
    let outside_bc = dot(&normal, &cross(&bp, &cp));
    if outside_bc <= 0.0 && bc_from_b >= 0.0 && bc_from_c >= 0.0 {
        let t = bc_from_b / (bc_from_b + bc_from_c);
        let foot = add(&scaled(1.0 - t, b), &scaled(t, c));
        return (squared(&foot), Part::Edge(1), [0.0, 1.0 - t, t]);
    }
    let outside_ca = dot(&normal, &cross(&cp, &ap));
    if outside_ca <= 0.0 && ac_from_a >= 0.0 && ac_from_c >= 0.0 {
        let t = ac_from_a / (ac_from_a + ac_from_c);
        let foot = add(&scaled(1.0 - t, a), &scaled(t, c));
        return (squared(&foot), Part::Edge(2), [1.0 - t, 0.0, t]);
    }

    // nearest to the inside
    // weights are areas of the three parts over the whole
    let total = outside_bc + outside_ca + outside_ab;
    let (u, v) = (outside_bc / total, outside_ca / total);
    let w = 1.0 - u - v;
    let foot = add(&add(&scaled(u, a), &scaled(v, b)), &scaled(w, c));
    (squared(&foot), Part::Face, [u, v, w])
}
