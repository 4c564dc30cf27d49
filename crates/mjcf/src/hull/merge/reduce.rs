//! Vertices that merged facets no longer need: those without a ridge, and those in the middle of an edge.
//!
//! ```text
//!      a-----v-----b            a-----------b        v is a vertex of two facets only: it is renamed to an end
//!     /   above     \    ─▶    /   above     \       of one of its ridges, which makes that ridge vanish
//!    /    below      \        /    below      \
//! ```

use super::super::HullError;
use super::super::arena::TAIL;
use super::super::build::Builder;

/// The members of both of two descending lists.
fn common(a: &[usize], b: &[usize]) -> Vec<usize> {
    let mut shared = Vec::new();
    // both lists descend
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        if a[i] == b[j] {
            shared.push(a[i]);
            i += 1;
            j += 1;
        } else if a[i] > b[j] {
            i += 1;
        } else {
            j += 1;
        }
    }
    shared
}

impl Builder<'_> {
    /// Removes needless vertices of the merged facets; returns whether facets became degenerate by that. Qhull: `qh_reducevertices`.
    pub(super) fn reduce_vertices(&mut self) -> Result<bool, HullError> {
        let mut merged = self.merge_degenerate()?;
        while self.reduce_vertices_once()? {
            merged = true;
        }
        // no vertex is suspicious any more
        let mut v = Self::first(self.new_vertices);
        while v != TAIL {
            if !self.vertices[v].deleted {
                self.vertices[v].lost_ridge = false;
            }
            v = self.vertices[v].next;
        }
        Ok(merged)
    }

    /// One pass over the merged facets; returns true as soon as a facet was merged away and the pass must restart.
    fn reduce_vertices_once(&mut self) -> Result<bool, HullError> {
        let mut f = Self::first(self.new_facets);
        while f != TAIL {
            // first pass: vertices that are on no ridge of their facet
            if self.facets[f].new_merge && self.remove_extra_vertices(f) {
                self.queue_if_degenerate(f)?;
                if self.merge_degenerate()? {
                    return Ok(true);
                }
            }
            f = self.facets[f].next;
        }
        let mut f = Self::first(self.new_facets);
        while f != TAIL {
            // second pass: vertices of two facets only
            if self.facets[f].new_merge {
                self.facets[f].new_merge = false;
                let mut i = 0;
                while i < self.links[f].vertices.len() {
                    let v = self.links[f].vertices[i];
                    if self.vertices[v].lost_ridge && self.rename_shared_vertex(v, f)? {
                        if self.merge_degenerate()? {
                            return Ok(true);
                        }
                    } else {
                        i += 1;
                    }
                }
            }
            f = self.facets[f].next;
        }
        Ok(false)
    }

    /// Removes the vertices of a merged facet that are on none of its ridges; returns whether there were any. Qhull:
    /// `qh_remove_extravertices`.
    pub(super) fn remove_extra_vertices(&mut self, f: usize) -> bool {
        if self.facets[f].simplicial {
            return false;
        }
        for &v in &self.links[f].vertices {
            self.vertices[v].seen = false;
        }
        // vertices on a ridge are needed
        for &r in &self.links[f].ridges {
            for v in self.ridges[r].vertices {
                self.vertices[v].seen = true;
            }
        }
        let mut removed = false;
        let mut i = 0;
        while i < self.links[f].vertices.len() {
            let v = self.links[f].vertices[i];
            if self.vertices[v].seen {
                i += 1;
                continue;
            }
            // a vertex without facets is gone
            removed = true;
            self.links[f].vertices.remove(i);
            self.vertex_facets[v].remove_item(f);
            if self.vertex_facets[v].is_empty() {
                self.vertices[v].deleted = true;
                self.deleted_vertices.push(v);
            }
        }
        removed
    }

    /// Renames a vertex between just two facets to the end of one of their common edges; returns whether it did. Qhull:
    /// `qh_rename_sharedvertex`.
    fn rename_shared_vertex(&mut self, v: usize, f: usize) -> Result<bool, HullError> {
        let [a, b] = self.vertex_facets[v][..] else {
            return Ok(false);
        };
        // the other facet, and the ridges to it at this vertex
        let n = if a == f { b } else { a };
        self.facets[n].visit = self.next_visit();
        let mut ridges = Vec::new();
        self.ridges_of_vertex(v, f, &mut ridges);
        // vertices of both facets
        let mut candidates = common(&self.links[f].vertices, &self.links[n].vertices);
        if let Some(i) = candidates.iter().position(|&w| w == v) {
            candidates.swap_remove(i);
        }
        match self.find_new_vertex(v, candidates, &ridges) {
            Some(new) => {
                self.rename_vertex(v, new, &ridges, Some(f))?;
                Ok(true)
            }
            None => Ok(false),
        }
    }

    /// Appends the ridges of `f` at a vertex whose other facet carries the current stamp, then retires `f`.
    pub(super) fn ridges_of_vertex(&mut self, v: usize, f: usize, ridges: &mut Vec<usize>) {
        for &r in &self.links[f].ridges {
            let ridge = &self.ridges[r];
            if self.facets[ridge.other(f)].visit == self.visit && ridge.vertices.contains(&v) {
                ridges.push(r);
            }
        }
        self.facets[f].visit = self.visit - 1;
    }

    /// All ridges at a vertex; without `all`, the last facet is taken as covered by the others.
    pub(super) fn vertex_ridges(&mut self, v: usize, all: bool) -> Vec<usize> {
        let mut ridges = Vec::new();
        // two stamps: facets around the vertex, and those that are done
        self.visit += 2;
        for &f in &self.vertex_facets[v] {
            self.facets[f].visit = self.visit;
        }
        // each ridge lies between two facets around the vertex: the last facet adds none
        let count = self.vertex_facets[v].len();
        for i in 0..count {
            if i + 1 < count || all {
                self.ridges_of_vertex(v, self.vertex_facets[v][i], &mut ridges);
            }
        }
        ridges
    }

    /// The vertex to rename `old` to: on few of its ridges, and without making two ridges the same. Qhull: `qh_find_newvertex`.
    fn find_new_vertex(
        &mut self,
        old: usize,
        mut candidates: Vec<usize>,
        ridges: &[usize],
    ) -> Option<usize> {
        let count =
            |v: usize| ridges.iter().filter(|&&r| self.ridges[r].vertices.contains(&v)).count();
        // a vertex that shares no ridge with the old one is out
        let mut i = 0;
        while i < candidates.len() {
            if count(candidates[i]) == 0 {
                candidates.swap_remove(i);
            } else {
                i += 1;
            }
        }
        candidates.sort_by_key(|&v| count(v));
        let far_end = |vertices: [usize; 2], v: usize| {
            if vertices[0] == v { vertices[1] } else { vertices[0] }
        };
        // a ridge (v, x) that exists already may not come from (old, x) a second time
        candidates.into_iter().find(|&v| {
            !self.vertex_ridges(v, false).into_iter().any(|r| {
                let end = far_end(self.ridges[r].vertices, v);
                ridges.iter().any(|&s| s != r && far_end(self.ridges[s].vertices, old) == end)
            })
        })
    }

    /// Removes a vertex from the vertices of its facets and queues the facets that this makes degenerate.
    pub(super) fn forget_vertex(&mut self, v: usize) -> Result<(), HullError> {
        for i in 0..self.vertex_facets[v].len() {
            let f = self.vertex_facets[v][i];
            self.links[f].vertices.remove_item_in_order(v);
            self.queue_if_degenerate(f)?;
        }
        Ok(())
    }
}
