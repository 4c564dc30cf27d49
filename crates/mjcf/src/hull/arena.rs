//! Facets, ridges and vertices of the growing polyhedron, and the two ordered lists that hold them.
//!
//! Everything is addressed by index. Index 0 of the facets and of the vertices is the sentinel that closes the
//! respective list. The order of the lists is part of the result, so every operation keeps it exactly.
//!
//! One list holds all facets. Towards its end lie two sublists, known by their first facet: those that are visible from the point being
//! added, then the new ones. Appending and removing keeps the heads of the sublists true; a sublist that is empty begins at the sentinel.
//!
//! ```text
//!   facet_list ─▶ f ─▶ f ─▶ facet_next ─▶ f ─▶ visible_facets ─▶ f ─▶ new_facets ─▶ f ─▶ f ─▶ TAIL
//! ```
//!
//! A triangle has no explicit ridges: neighbour `i` is across the ridge that lacks vertex `i`, and its orientation follows from
//! `top_oriented` and the parity of `i`. A merged facet has any number of vertices, and a list of ridges. Stamps say which traversal saw
//! a facet or vertex last, so that nothing has to be reset.

use super::build::Builder;
use super::list::List;

/// "No facet", "no vertex", "no list".
pub(super) const NONE: usize = usize::MAX;
/// A neighbour that will be merged away because its ridge has more than two facets.
pub(super) const MERGE_RIDGE: usize = usize::MAX - 1;
/// A neighbour not yet chosen among the several facets of a ridge.
pub(super) const DUPLICATE_RIDGE: usize = usize::MAX - 2;
/// The sentinel that closes the facet list and the vertex list.
pub(super) const TAIL: usize = 0;

/// Plane and state of a facet, in this order so that a search reads one cache line.
#[repr(C)]
#[derive(Clone, Default)]
pub(super) struct Facet {
    /// Outward unit normal.
    pub normal: [f64; 3],
    /// Distance of a point is `offset + normal · point`.
    pub offset: f64,
    /// Stamp of the last traversal that saw the facet.
    pub visit: u32,
    /// The interior point is not clearly below the plane.
    pub flipped: bool,
    /// On the list of new facets.
    pub is_new: bool,
    /// Will be deleted: seen from the point being added, or merged into another facet.
    pub visible: bool,
    /// Scratch mark of a loop over neighbours.
    pub seen: bool,
    /// Three vertices, and neighbour `i` lies opposite vertex `i`.
    pub simplicial: bool,
    /// Orientation of the vertex order.
    pub top_oriented: bool,
    /// The plane is known.
    pub has_plane: bool,
    /// The point being added is coplanar with this horizon facet.
    pub coplanar_horizon: bool,
    /// New facet that will be merged into its horizon facet.
    pub merge_horizon: bool,
    /// Its cycle of new facets was already merged.
    pub cycle_done: bool,
    /// Has a ridge with more than two facets.
    pub duplicate_ridge: bool,
    /// Has a neighbour that is `MERGE_RIDGE` or a duplicate merge.
    pub merge_ridge: bool,
    /// Is the first facet of a duplicate merge.
    pub merge_ridge_first: bool,
    /// Convexity with all neighbours was tested.
    pub tested: bool,
    /// The centrum is frozen.
    pub keep_centrum: bool,
    /// Was merged since the last vertex reduction.
    pub new_merge: bool,
    /// Queued for having fewer than three neighbours.
    pub degenerate: bool,
    /// Queued for having its vertices contained in a neighbour.
    pub redundant: bool,
    /// Part of a merged facet that was cut into triangles.
    pub triangulated: bool,
    /// Has or had explicit ridges.
    pub had_ridges: bool,
    /// Number of merges, saturating.
    pub merges: u16,
    /// The facet that replaces a visible one, or the next new facet of the cycle with the same horizon facet,
    /// or, for a horizon facet, a member of that cycle.
    pub link: usize,
    /// Next facet of the list.
    pub next: usize,
    /// Previous facet of the list.
    pub previous: usize,
    /// Creation number.
    pub id: usize,
    /// Distance of the last point of the outside set.
    pub furthest: f64,
    /// Largest distance of a point above the plane.
    pub max_outside: f64,
    /// Centre of the vertices projected onto the plane.
    pub centrum: Option<[f64; 3]>,
}

/// Incidence lists of a facet.
#[derive(Default)]
pub(super) struct Links {
    /// Vertices, newest first.
    pub vertices: List,
    /// Adjacent facets.
    pub neighbors: List,
    /// Explicit ridges; always complete for a non-simplicial facet.
    pub ridges: List,
    /// Points above the facet, the furthest one last.
    pub outside: Vec<usize>,
    /// Points coplanar with the facet or just below it, the furthest one last.
    pub coplanar: Vec<usize>,
}

/// An edge between two facets.
#[derive(Clone, Default)]
pub(super) struct Ridge {
    /// End points, newest first.
    pub vertices: [usize; 2],
    /// Facet for which the vertex order is the orientation.
    pub top: usize,
    /// The other facet.
    pub bottom: usize,
    /// The facets are not convex across the ridge.
    pub nonconvex: bool,
    /// Convexity was tested.
    pub tested: bool,
}

/// A vertex of the polyhedron. Its index is also its age.
#[derive(Clone, Default)]
pub(super) struct Vertex {
    /// Index of the input point.
    pub point: usize,
    /// Next vertex of the list.
    pub next: usize,
    /// Previous vertex of the list.
    pub previous: usize,
    /// Stamp of the last traversal that saw the vertex.
    pub visit: u32,
    /// Head of the chain of new facets that wait for a neighbour at this vertex.
    pub chain: usize,
    /// Stamp that validates `chain`.
    pub chain_stamp: u32,
    /// Scratch mark.
    pub seen: bool,
    /// Belongs to a new facet.
    pub is_new: bool,
    /// Removed from all facets.
    pub deleted: bool,
    /// Its point was handed to a facet after deletion.
    pub partitioned: bool,
    /// Lost a ridge; may be redundant.
    pub lost_ridge: bool,
}

/// Inserts `item` just before the last element.
pub(super) fn push_before_last(list: &mut Vec<usize>, item: usize) {
    // the last one stays last
    list.push(item);
    let n = list.len();
    if n > 1 {
        list.swap(n - 1, n - 2);
    }
}

impl Ridge {
    /// The facet on the other side of `facet`.
    pub(super) fn other(&self, facet: usize) -> usize {
        if self.top == facet { self.bottom } else { self.top }
    }
}

impl Builder<'_> {
    /// Coordinates of a vertex.
    pub(super) fn vertex_point(&self, vertex: usize) -> [f64; 3] {
        self.points[self.vertices[vertex].point]
    }

    /// A fresh facet, not on any list.
    pub(super) fn new_facet(&mut self) -> usize {
        let facet = Facet {
            id: self.next_facet_id,
            simplicial: true,
            is_new: true,
            max_outside: self.tol.round,
            link: NONE,
            next: NONE,
            previous: NONE,
            ..Facet::default()
        };
        // numbers are not used again, places are
        self.next_facet_id += 1;
        if let Some(f) = self.free_facets.pop() {
            self.facets[f] = facet;
            f
        } else {
            self.facets.push(facet);
            self.links.push(Links::default());
            self.facets.len() - 1
        }
    }

    /// Takes a facet off its list and recycles it.
    pub(super) fn delete_facet(&mut self, f: usize) {
        // its lists keep their memory for the next facet here
        self.remove_facet(f);
        let links = &mut self.links[f];
        links.vertices.clear();
        links.neighbors.clear();
        links.ridges.clear();
        links.outside.clear();
        links.coplanar.clear();
        self.free_facets.push(f);
    }

    /// A fresh ridge between two facets.
    pub(super) fn new_ridge(&mut self, ridge: Ridge) -> usize {
        if let Some(r) = self.free_ridges.pop() {
            self.ridges[r] = ridge;
            r
        } else {
            self.ridges.push(ridge);
            self.ridges.len() - 1
        }
    }

    /// Adds a ridge to a facet.
    pub(super) fn attach_ridge(&mut self, f: usize, r: usize) {
        self.facets[f].had_ridges = true;
        self.links[f].ridges.push(r);
    }

    /// A fresh vertex, not on the list.
    pub(super) fn new_vertex(&mut self, point: usize) -> usize {
        self.vertices.push(Vertex { point, next: NONE, previous: NONE, ..Vertex::default() });
        self.vertex_facets.push(List::default());
        self.vertices.len() - 1
    }

    /// Appends a facet to the end of the list; it becomes the first of an empty sublist that ends there.
    pub(super) fn append_facet(&mut self, f: usize) {
        // an empty sublist that begins at the end begins with this facet
        if self.new_facets == TAIL {
            self.new_facets = f;
            if self.visible_facets == TAIL {
                self.visible_facets = f;
            }
        }
        if self.facet_next == TAIL {
            self.facet_next = f;
        }
        // between the last facet and the sentinel
        let previous = self.facets[TAIL].previous;
        self.facets[f].previous = previous;
        self.facets[f].next = TAIL;
        if previous == NONE {
            self.facet_list = f;
        } else {
            self.facets[previous].next = f;
        }
        self.facets[TAIL].previous = f;
        self.num_facets += 1;
    }

    /// Inserts a facet before `list` and returns the new head of that sublist.
    pub(super) fn prepend_facet(&mut self, f: usize, list: usize) -> usize {
        let list = if list == NONE { TAIL } else { list };
        let previous = self.facets[list].previous;
        self.facets[f].previous = previous;
        if previous != NONE {
            self.facets[previous].next = f;
        }
        self.facets[list].previous = f;
        self.facets[f].next = list;
        // whatever began with `list` begins with this facet now
        if self.facet_list == list {
            self.facet_list = f;
        }
        if self.facet_next == list {
            self.facet_next = f;
        }
        self.num_facets += 1;
        f
    }

    /// Takes a facet off the list; sublists that start there start at the next one.
    pub(super) fn remove_facet(&mut self, f: usize) {
        // sublists that began here begin one further on
        let Facet { next, previous, .. } = self.facets[f];
        if f == self.new_facets {
            self.new_facets = next;
        }
        if f == self.facet_next {
            self.facet_next = next;
        }
        if f == self.visible_facets {
            self.visible_facets = next;
        }
        self.facets[next].previous = previous;
        if previous == NONE {
            self.facet_list = next;
        } else {
            self.facets[previous].next = next;
        }
        self.num_facets -= 1;
    }

    /// Moves a facet to the end of the list.
    pub(super) fn requeue_facet(&mut self, f: usize) {
        // to the visible ones, which are deleted together when the point is done
        self.remove_facet(f);
        self.append_facet(f);
    }

    /// Marks a facet as visible and moves it to the front of the visible facets.
    pub(super) fn discard_facet(&mut self, f: usize, replacement: usize) {
        self.remove_facet(f);
        self.visible_facets = self.prepend_facet(f, self.visible_facets);
        self.num_visible += 1;
        self.facets[f].visible = true;
        self.facets[f].link = replacement;
        self.links[f].ridges.clear();
        self.links[f].neighbors.clear();
    }

    /// Appends a vertex to the list as new.
    pub(super) fn append_vertex(&mut self, v: usize) {
        if self.new_vertices == TAIL {
            self.new_vertices = v;
        }
        let previous = self.vertices[TAIL].previous;
        let vertex = &mut self.vertices[v];
        vertex.is_new = true;
        vertex.previous = previous;
        vertex.next = TAIL;
        if previous == NONE {
            self.vertex_list = v;
        } else {
            self.vertices[previous].next = v;
        }
        self.vertices[TAIL].previous = v;
        self.num_vertices += 1;
    }

    /// Takes a vertex off the list.
    pub(super) fn remove_vertex(&mut self, v: usize) {
        let Vertex { next, previous, .. } = self.vertices[v];
        if v == self.new_vertices {
            self.new_vertices = next;
        }
        self.vertices[next].previous = previous;
        if previous == NONE {
            self.vertex_list = next;
        } else {
            self.vertices[previous].next = next;
        }
        self.num_vertices -= 1;
    }

    /// Moves a vertex to the new vertices unless it is there already.
    pub(super) fn renew_vertex(&mut self, v: usize) {
        if !self.vertices[v].is_new {
            self.remove_vertex(v);
            self.append_vertex(v);
        }
    }

    /// Moves all vertices of a facet to the new vertices.
    pub(super) fn renew_vertices(&mut self, f: usize) {
        for i in 0..self.links[f].vertices.len() {
            self.renew_vertex(self.links[f].vertices[i]);
        }
    }

    /// First facet of a sublist, or the sentinel when there is none.
    pub(super) fn first(list: usize) -> usize {
        if list == NONE { TAIL } else { list }
    }

    /// Starts a traversal of facets and returns its stamp.
    pub(super) fn next_visit(&mut self) -> u32 {
        self.visit += 1;
        self.visit
    }

    /// Starts a traversal of vertices and returns its stamp.
    pub(super) fn next_vertex_visit(&mut self) -> u32 {
        self.vertex_visit += 1;
        self.vertex_visit
    }

    /// Stamps all vertices of a facet with a new stamp and returns it.
    pub(super) fn mark_vertices(&mut self, f: usize) -> u32 {
        let stamp = self.next_vertex_visit();
        for &v in &self.links[f].vertices {
            self.vertices[v].visit = stamp;
        }
        stamp
    }

    /// Follows replacements to a facet that still exists; `NONE` if the chain ends.
    pub(super) fn replacement(&self, f: usize) -> usize {
        let mut result = f;
        while result != NONE && self.facets[result].visible {
            result = self.facets[result].link;
        }
        result
    }
}
