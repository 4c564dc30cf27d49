//! Cutting merged facets into triangles.
//!
//! A merged facet becomes a fan around its newest vertex. The two triangles of the fan along the ridges at that vertex are
//! empty; they and pairs of triangles with the same vertices are removed, which joins their neighbours.
//!
//! ```text
//!      e---d                e---d
//!     /     \              / \ / \         a is the newest vertex: triangles a b c, a c d, a d e;
//!    a       c     ─▶     a---+---c        the ridges a b and e a give triangles a a b and a e a,
//!     \     /              \     /         which have no area
//!      b---                 b---
//! ```
//!
//! A fan of a convex polygon covers it once, whichever vertex it begins with; the newest is Qhull's choice (option `Qt`), which decides
//! the triangles of flat faces.

use super::HullError;
use super::arena::{NONE, TAIL};
use super::build::Builder;
use super::merge::{Merge, MergeKind};

impl Builder<'_> {
    /// Cuts all merged facets into triangles. Qhull: `qh_triangulate`.
    pub(super) fn triangulate(&mut self) -> Result<(), HullError> {
        let mut first = NONE;
        let mut first_vertex = NONE;
        self.next_visit();
        self.new_vertices = TAIL;
        let mut f = Self::first(self.facet_list);
        while f != TAIL {
            // triangles are appended to the list, and are simplicial: the walk passes them by
            let next = self.facets[f].next;
            if !self.facets[f].visible && !self.facets[f].simplicial {
                if first == NONE {
                    first = f;
                }
                self.triangulate_facet(f, &mut first_vertex)?;
            }
            f = next;
        }
        // triangles of a ridge at the apex: their other two neighbours become neighbours
        let mut f = Self::first(first);
        while f != TAIL {
            let next = self.facets[f].next;
            if !self.facets[f].visible {
                if !self.links[f].ridges.is_empty() {
                    return Err(HullError::Topology("a triangle has explicit ridges"));
                }
                if self.links[f].vertices[0] == self.links[f].vertices[1] {
                    let (a, b) = (self.links[f].neighbors[0], self.links[f].neighbors[1]);
                    self.join(f, a, f, b)?;
                    self.discard_facet(f, NONE);
                }
            }
            f = next;
        }
        self.visible_facets = TAIL;
        // two triangles back to back
        while let Some(merge) = self.degenerate_merges.pop() {
            self.remove_mirrored(merge.from, merge.into)?;
        }
        self.new_vertices = first_vertex;
        self.visible_facets = NONE;
        self.update_vertex_facets();
        self.reset_lists(false);
        // delete what was cut up
        let mut f = Self::first(first);
        while f != TAIL {
            let next = self.facets[f].next;
            if self.facets[f].visible {
                self.delete_facet(f);
            }
            f = next;
        }
        self.num_visible = 0;
        Ok(())
    }

    /// Replaces a merged facet by a fan of triangles: a cone from one of its own vertices to its ridges. Qhull: `qh_triangulate_facet`.
    fn triangulate_facet(&mut self, f: usize, first_vertex: &mut usize) -> Result<(), HullError> {
        self.first_new_id = self.next_facet_id;
        // neighbours as a horizon, none of them coplanar
        for i in 0..self.links[f].neighbors.len() {
            let n = self.links[f].neighbors[i];
            self.facets[n].seen = false;
            self.facets[n].coplanar_horizon = false;
        }
        // sublists for the fan
        self.visible_facets = TAIL;
        self.new_facets = TAIL;
        self.facets[f].visit = self.visit;
        let Some(&apex) = self.links[f].vertices.first() else {
            return Err(HullError::Topology("a facet has no vertices"));
        };
        self.facets_from_ridges(f, apex)?;
        self.discard_facet(f, NONE);
        let (normal, offset) = (self.facets[f].normal, self.facets[f].offset);
        let mut t = Self::first(self.new_facets);
        while t != TAIL {
            // all of them lie in the plane of the polygon
            let triangle = &mut self.facets[t];
            triangle.triangulated = true;
            triangle.has_plane = true;
            triangle.normal = normal;
            triangle.offset = offset;
            t = triangle.next;
        }
        self.match_new_facets()?;
        if *first_vertex == NONE {
            *first_vertex = self.new_vertices;
        }
        self.new_vertices = NONE;
        self.visible_facets = NONE;
        self.update_vertex_facets();
        self.reset_lists(false);
        Ok(())
    }

    /// Makes `a` and `b` neighbours in place of `old_a` and `old_b`; queues them if they now mirror each other.
    fn join(&mut self, old_a: usize, a: usize, old_b: usize, b: usize) -> Result<(), HullError> {
        if a >= self.facets.len() || b >= self.facets.len() {
            return Err(HullError::Topology("a triangle has no neighbour"));
        }
        // neighbours across two ridges at once: they have the same vertices
        let known = self.links[a].neighbors.contains(&b);
        if known != self.links[b].neighbors.contains(&a) {
            return Err(HullError::Topology("facets are not mutual neighbours"));
        }
        if known && !self.is_mirrored(a, b) {
            self.queue_merge(MergeKind::Mirror, a, b, 0.0)?;
        }
        self.replace_neighbor(b, old_b, a)?;
        self.replace_neighbor(a, old_a, b)
    }

    /// Whether the pair is queued for removal.
    fn is_mirrored(&self, a: usize, b: usize) -> bool {
        let is_pair = |m: &Merge| (m.from == a && m.into == b) || (m.from == b && m.into == a);
        self.facets[a].redundant
            && self.facets[b].redundant
            && self.degenerate_merges.iter().any(is_pair)
    }

    /// Removes two triangles with the same vertices and joins their neighbours.
    fn remove_mirrored(&mut self, a: usize, b: usize) -> Result<(), HullError> {
        for i in 0..self.links[a].neighbors.len() {
            let m = self.links[a].neighbors[i];
            let Some(&n) = self.links[b].neighbors.get(i) else {
                return Err(HullError::Topology("mirrored facets differ"));
            };
            // neighbours of each other, or a pair that is removed itself
            if (m == b && n == a) || self.is_mirrored(m, n) {
                continue;
            }
            if self.facets[m].visible && self.facets[n].visible {
                continue;
            }
            self.join(a, m, b, n)?;
        }
        self.discard_facet(a, NONE);
        self.discard_facet(b, NONE);
        Ok(())
    }
}
