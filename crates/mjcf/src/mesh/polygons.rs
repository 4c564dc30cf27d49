//! The flat sides of a mesh: faces with one normal, joined along their edges.
//!
//! A box whose sides are twelve triangles has six polygons, which is what contacts between faces want. Faces are grouped by normal (equal
//! within a tolerance, see [`NormalSet`]); in a group, an edge that two faces run along in opposite directions is inside and goes, and
//! what is left is the outline. A group may have several outlines, the *islands*: two steps of a stair face the same way. Islands that a
//! face touches both become one.
//!
//! ```text
//!      c-----b          c-----b
//!      |   / |          |     |        the faces a b d and b c d run along the diagonal in opposite
//!      | /   |    ─▶    |     |        directions: it goes, and a b c d remains
//!      d-----a          d-----a
//! ```
//!
//! MuJoCo: `mjCMesh::MakePolygons` and `MeshPolygon`, in whose order polygons and their vertices come.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::math::triangle_normal;
use super::normal_set::{Found, NormalSet};
use crate::pose::V3;

/// Flat sides, and the sides around each vertex.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Polygons {
    /// Unit normals.
    pub(crate) normal: Vec<[f64; 3]>,
    /// First vertex of each polygon, in [`Self::vert`].
    pub(crate) vertadr: Vec<i32>,
    /// Number of vertices of each polygon.
    pub(crate) vertnum: Vec<i32>,
    /// Vertices of all polygons.
    pub(crate) vert: Vec<i32>,
    /// First polygon of each vertex, in [`Self::map`].
    pub(crate) mapadr: Vec<i32>,
    /// Number of polygons of each vertex.
    pub(crate) mapnum: Vec<i32>,
    /// Polygons of all vertices.
    pub(crate) map: Vec<i32>,
}

/// No face.
const NONE: u32 = u32::MAX;

impl Polygons {
    /// The polygons that faces make. Normals are those of the vertices as they are.
    pub(super) fn new(vert: &[V3], face: &[[i32; 3]]) -> Self {
        let groups = Groups::new(vert, face);
        let mut polygons = Self::default();
        let mut outline = Outline::default();
        // a single face is its own polygon
        for group in groups.normals.in_order() {
            let [first, last] = groups.ends[group];
            if first == last {
                polygons.push(&face[first as usize]);
                continue;
            }
            outline.start();
            for ids in groups.faces(group, face) {
                outline.add(ids);
            }
            outline.trace(|path| polygons.push(path));
        }
        polygons.make_map(vert.len());
        polygons
    }

    /// Appends a polygon; fewer than three vertices are none.
    fn push(&mut self, path: &[i32]) {
        if path.len() >= 3 {
            self.vertadr.push(self.vert.len() as i32);
            self.vertnum.push(path.len() as i32);
            self.vert.extend_from_slice(path);
        }
    }

    /// Computes the normals from the first three vertices of each polygon.
    pub(super) fn make_normals(&mut self, vert: &[V3]) {
        let normal = |&adr: &i32| {
            let at = |k: usize| &vert[self.vert[adr as usize + k] as usize];
            triangle_normal(at(0), at(1), at(2))
        };
        self.normal = self.vertadr.iter().map(normal).collect();
    }

    /// The polygons around each vertex: count, add up, fill.
    fn make_map(&mut self, vertices: usize) {
        self.mapnum = vec![0; vertices];
        for &id in &self.vert {
            self.mapnum[id as usize] += 1;
        }
        self.mapadr = Vec::with_capacity(vertices);
        let mut next = 0;
        for &count in &self.mapnum {
            self.mapadr.push(next);
            next += count;
        }
        // where the next polygon of each vertex goes
        let mut free = self.mapadr.clone();
        self.map = vec![0; self.vert.len()];
        for (polygon, (&adr, &count)) in self.vertadr.iter().zip(&self.vertnum).enumerate() {
            for &id in &self.vert[adr as usize..(adr + count) as usize] {
                let slot = &mut free[id as usize];
                self.map[*slot as usize] = polygon as i32;
                *slot += 1;
            }
        }
    }
}

/// Faces by normal: for each normal a chain of faces in their order.
struct Groups {
    normals: NormalSet,
    /// First and last face of each normal.
    ends: Vec<[u32; 2]>,
    /// The next face with the same normal.
    next: Vec<u32>,
}

impl Groups {
    fn new(vert: &[V3], face: &[[i32; 3]]) -> Self {
        let mut groups =
            Self { normals: NormalSet::new(), ends: Vec::new(), next: vec![NONE; face.len()] };
        for (ids, index) in face.iter().zip(0u32..) {
            let [a, b, c] = ids.map(|id| &vert[id as usize]);
            // a new normal begins a chain, a known one extends it; a face whose normal is lost between others belongs to no polygon
            match groups.normals.find_or_insert(&triangle_normal(a, b, c)) {
                Found::New => groups.ends.push([index, index]),
                Found::Old(group) => {
                    let last = &mut groups.ends[group][1];
                    groups.next[*last as usize] = index;
                    *last = index;
                }
                Found::Lost => {}
            }
        }
        groups
    }

    fn faces<'a>(
        &'a self,
        group: usize,
        face: &'a [[i32; 3]],
    ) -> impl Iterator<Item = [i32; 3]> + 'a {
        let first = Some(self.ends[group][0]);
        core::iter::successors(first, |&index| {
            Some(self.next[index as usize]).filter(|&index| index != NONE)
        })
        .map(|index| face[index as usize])
    }
}

/// The outline of faces in one plane: directed edges that no second face runs along the other way.
/// Parts that do not touch are islands.
#[derive(Default)]
struct Outline {
    /// All edges so far, in order.
    edges: Vec<Edge>,
    /// First and last of the equal edges that are still there.
    places: HashMap<(i32, i32), [u32; 2]>,
    /// The island that each island was joined to, itself if none. It is the older one.
    islands: Vec<u32>,
    path: Vec<i32>,
}

#[derive(Clone, Copy)]
struct Edge {
    from: i32,
    to: i32,
    island: u32,
    /// The next edge equal to this one.
    next: u32,
    removed: bool,
}

impl Outline {
    /// Forgets everything.
    fn start(&mut self) {
        for edge in self.edges.drain(..) {
            self.places.remove(&(edge.from, edge.to));
        }
        self.islands.clear();
    }

    /// Adds a face: its edges, less those that it shares with faces before it.
    fn add(&mut self, [a, b, c]: [i32; 3]) {
        // an edge that is there the other way round is inside of the outline: both go, and the face joins that island
        let sides = [(a, b), (b, c), (c, a)];
        let mut island = None;
        let mut shared = [false; 3];
        // the first face is taken as it is
        if !self.edges.is_empty() {
            for (shared, (from, to)) in shared.iter_mut().zip(sides) {
                if let Some(edge) = self.remove(to, from) {
                    *shared = true;
                    let other = self.oldest(edge.island);
                    island = Some(island.map_or(other, |island| self.join(island, other)));
                }
            }
        }
        // touching none: an island of its own
        let island = island.unwrap_or_else(|| {
            self.islands.push(self.islands.len() as u32);
            self.islands.len() as u32 - 1
        });
        for (shared, (from, to)) in shared.into_iter().zip(sides) {
            if !shared {
                self.insert(Edge { from, to, island, next: NONE, removed: false });
            }
        }
    }

    /// Appends an edge behind those equal to it.
    fn insert(&mut self, edge: Edge) {
        let index = self.edges.len() as u32;
        self.edges.push(edge);
        match self.places.entry((edge.from, edge.to)) {
            Entry::Occupied(mut entry) => {
                let last = &mut entry.get_mut()[1];
                self.edges[*last as usize].next = index;
                *last = index;
            }
            Entry::Vacant(entry) => {
                entry.insert([index, index]);
            }
        }
    }

    /// Removes the first edge between two vertices, if there is one.
    fn remove(&mut self, from: i32, to: i32) -> Option<Edge> {
        let Entry::Occupied(mut entry) = self.places.entry((from, to)) else { return None };
        let first = entry.get()[0];
        // the next equal edge is the first from now on
        let edge = &mut self.edges[first as usize];
        edge.removed = true;
        if edge.next == NONE {
            entry.remove();
        } else {
            entry.get_mut()[0] = edge.next;
        }
        Some(*edge)
    }

    /// The island that an island has become part of.
    fn oldest(&mut self, mut island: u32) -> u32 {
        // halving the way for those who come later
        while self.islands[island as usize] != island {
            let up = self.islands[island as usize];
            self.islands[island as usize] = self.islands[up as usize];
            island = up;
        }
        island
    }

    /// Joins two islands into the older one.
    fn join(&mut self, a: u32, b: u32) -> u32 {
        let (old, young) = (a.min(b), a.max(b));
        self.islands[young as usize] = old;
        old
    }

    /// Walks around each island, in the order of their age, and hands over the vertices. Islands
    /// whose edges do not lead back to the start are left out.
    fn trace(&mut self, mut found: impl FnMut(&[i32])) {
        let mut edges: Vec<Edge> =
            self.edges.iter().filter(|edge| !edge.removed).copied().collect();
        // three edges are a triangle, in any order
        if let [a, b, c] = edges[..] {
            found(&[a.from, b.from, c.from]);
            return;
        }
        // islands that were joined are one
        for edge in &mut edges {
            edge.island = self.oldest(edge.island);
        }

        // the edge to follow from a vertex of an island, and the first edge of each island; a walk
        // never follows the very first edge
        let mut follow = HashMap::with_capacity(edges.len());
        for edge in edges.iter().skip(1) {
            follow.entry((edge.island, edge.from)).or_insert(edge.to);
        }
        let mut starts: Vec<(u32, usize)> =
            edges.iter().enumerate().map(|(index, edge)| (edge.island, index)).collect();
        starts.sort_unstable();

        // follow edges from the first one of the island until it closes; more steps than edges is a loop that misses the start
        for island in starts.chunk_by(|a, b| a.0 == b.0) {
            let first = edges[island[0].1];
            self.path.clear();
            self.path.extend([first.from, first.to]);
            let mut at = first.to;
            for _ in 0..island.len() {
                let Some(&next) = follow.get(&(first.island, at)) else { break };
                if next == first.from {
                    found(&self.path);
                    break;
                }
                self.path.push(next);
                at = next;
            }
        }
    }
}
