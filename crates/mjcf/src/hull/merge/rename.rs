//! Renaming of vertices, and the vertex merges that follow when a renamed ridge coincides with another one.
//!
//! Two ridges of a facet with the same two vertices mean that the facet is pinched: its outline goes through an edge twice. Such vertices
//! are merged, the closest pair first: the old one is renamed to the other in all ridges and facets, ridges with equal ends vanish, and
//! facets that lose too much are merged in turn. The point of the old vertex is kept as a coplanar point.

use super::super::HullError;
use super::super::arena::{NONE, TAIL};
use super::super::build::Builder;
use super::VertexMerge;

/// Vertices further apart than this many merges are not merged: the hull would lose more than rounding.
const WIDE_VERTICES: f64 = 100.0;

impl Builder<'_> {
    /// Renames `old` to `new` in the given ridges and removes it from its facets. `shared` is the facet that was
    /// reduced when the two facets of `old` share both vertices; otherwise all facets of `old` are checked. Qhull: `qh_renamevertex`.
    pub(super) fn rename_vertex(
        &mut self,
        old: usize,
        new: usize,
        ridges: &[usize],
        shared: Option<usize>,
    ) -> Result<(), HullError> {
        // ridges that are left with the vertices of another are noted
        for &r in ridges {
            if !self.rename_ridge_vertex(r, old, new)? {
                continue;
            }
            let (top, bottom) = (self.ridges[r].top, self.ridges[r].bottom);
            if !self.will_be_degenerate(top, new) && !self.will_be_degenerate(bottom, new) {
                self.queue_vertex_merges(r);
            }
        }
        // a vertex of two facets: both lose it
        if let Some(f) = shared {
            self.forget_vertex(old)?;
            self.vertices[old].deleted = true;
            self.deleted_vertices.push(old);
            return self.queue_if_degenerate(f);
        }
        // all facets around: neighbours and vertices that no ridge holds any more
        let mut i = 0;
        while i < self.vertex_facets[old].len() {
            let f = self.vertex_facets[old][i];
            i += 1;
            if self.facets[f].simplicial {
                self.queue_if_degenerate(f)?;
                continue;
            }
            self.drop_unconnected_neighbors(f)?;
            self.links[f].vertices.remove_item_in_order(old);
            // a facet that changed is checked once more
            if self.remove_extra_vertices(f) {
                i -= 1;
            }
            self.queue_if_degenerate(f)?;
            self.queue_redundant_neighbors(f)?;
            self.queue_degenerate_neighbors(f)?;
        }
        if !self.vertices[old].deleted {
            self.vertices[old].deleted = true;
            self.deleted_vertices.push(old);
        }
        Ok(())
    }

    /// Will the facet be merged away anyway, so that its pinched ridges need no vertex merge?
    fn will_be_degenerate(&self, f: usize, new: usize) -> bool {
        let vertices = &self.links[f].vertices;
        vertices.len() < 3
            || (vertices.len() == 3 && !self.facets[f].simplicial && vertices.contains(&new))
    }

    /// Renames a vertex of a ridge; deletes the ridge and returns false if both ends become the same. Qhull: `qh_renameridgevertex`.
    fn rename_ridge_vertex(&mut self, r: usize, old: usize, new: usize) -> Result<bool, HullError> {
        let ridge = &mut self.ridges[r];
        let Some(at) = ridge.vertices.iter().position(|&v| v == old) else {
            return Err(HullError::Topology("a ridge lacks the vertex to rename"));
        };
        let kept = ridge.vertices[1 - at];
        if kept == new {
            self.delete_merged_ridge(r, &[kept]);
            return Ok(false);
        }
        // newest first; an exchange of the ends turns the ridge over
        let to = usize::from(kept > new);
        ridge.vertices = if to == 0 { [new, kept] } else { [kept, new] };
        if at != to {
            std::mem::swap(&mut ridge.top, &mut ridge.bottom);
        }
        Ok(true)
    }

    /// Queues a vertex merge for every ridge of a merged facet that has the same vertices as `r`.
    fn queue_vertex_merges(&mut self, r: usize) {
        let ridge = self.ridges[r].clone();
        for f in [ridge.top, ridge.bottom] {
            if self.facets[f].simplicial || self.facets[f].merges == 0 {
                continue;
            }
            for i in 0..self.links[f].ridges.len() {
                let s = self.links[f].ridges[i];
                if s != r && self.ridges[s].vertices == ridge.vertices {
                    let (distance, into, from) = self.closest_vertices(&self.ridges[s].vertices);
                    self.vertex_merges.push(VertexMerge { from, into, distance, ridges: [r, s] });
                }
            }
        }
    }

    /// Carries out the queued vertex merges and the facet merges that follow.
    pub(in crate::hull) fn merge_vertices(&mut self) -> Result<(), HullError> {
        // one round of vertex merges, the facet merges that it causes, and what points lost their facets
        while !self.vertex_merges.is_empty() {
            self.find_vertex_facets();
            self.visible_facets = TAIL;
            self.new_facets = TAIL;
            self.new_vertices = TAIL;
            while let Some(merge) = self.next_vertex_merge()? {
                self.merge_vertex(merge.from, merge.into)?;
                self.merge_degenerate()?;
            }
            self.update_vertex_facets();
            self.collect_merges()?;
            self.merge_all(true)?;
            self.partition_visible()?;
            self.delete_visible()?;
            self.reset_lists(true);
        }
        Ok(())
    }

    /// Takes the closest pair of the queue.
    fn next_vertex_merge(&mut self) -> Result<Option<VertexMerge>, HullError> {
        // the closest pair; pairs that lost a vertex are dropped on the way
        let mut best: Option<(usize, f64)> = None;
        let mut i = 0;
        while i < self.vertex_merges.len() {
            let merge = self.vertex_merges[i];
            if self.vertices[merge.from].deleted || self.vertices[merge.into].deleted {
                self.vertex_merges.swap_remove(i);
                continue;
            }
            if best.is_none_or(|(_, d)| merge.distance < d) {
                best = Some((i, merge.distance));
            }
            i += 1;
        }
        let Some((i, distance)) = best else {
            return Ok(None);
        };
        if distance / self.tol.one_merge > WIDE_VERTICES {
            return Err(HullError::Wide);
        }
        Ok(Some(self.vertex_merges.swap_remove(i)))
    }

    /// Merges the vertex `old` into the vertex `new` of the same ridge.
    fn merge_vertex(&mut self, old: usize, new: usize) -> Result<(), HullError> {
        self.total_merges += 1;
        // an earlier merge took one of them
        if self.vertices[old].deleted || self.vertices[new].deleted {
            return Ok(());
        }
        if self.vertex_facets[old].is_empty() || self.vertex_facets[new].is_empty() {
            return Err(HullError::Topology("a vertex has no facets"));
        }
        // triangles: those with both vertices become degenerate, the others exchange one for the other
        for i in 0..self.vertex_facets[old].len() {
            let f = self.vertex_facets[old][i];
            if self.facets[f].simplicial {
                if self.links[f].vertices.contains(&new) {
                    self.make_ridges(f)?;
                } else {
                    self.replace_facet_vertex(f, old, new)?;
                    self.vertex_facets[new].push_unique(f);
                    self.renew_vertices(f);
                }
            }
        }
        // merged facets get the new vertex; renaming the ridges takes the old one out
        let ridges = self.vertex_ridges(old, true);
        for i in 0..self.vertex_facets[old].len() {
            let f = self.vertex_facets[old][i];
            if !self.facets[f].simplicial {
                self.add_facet_vertex(f, new);
                self.vertex_facets[new].push_unique(f);
                self.renew_vertices(f);
                if self.new_facets == TAIL {
                    self.requeue_facet(f);
                    self.facets[f].is_new = true;
                }
            }
        }
        self.rename_vertex(old, new, &ridges, None)?;
        if self.vertices[old].deleted && !self.vertices[old].partitioned {
            // its point stays near the facet that it is highest above
            let p = self.vertex_point(old);
            let mut best = NONE;
            let mut furthest = -f64::MAX;
            for &f in &self.vertex_facets[new] {
                if !self.facets[f].visible {
                    let d = self.distance(&p, f);
                    if d > furthest {
                        furthest = d;
                        best = f;
                    }
                }
            }
            if best == NONE {
                return Err(HullError::Topology("a merged vertex has no facets"));
            }
            self.partition_coplanar(self.vertices[old].point, best, false)?;
            self.vertices[old].partitioned = true;
        }
        Ok(())
    }

    /// Replaces a vertex of a triangle, keeping vertices and neighbours in order.
    fn replace_facet_vertex(&mut self, f: usize, old: usize, new: usize) -> Result<(), HullError> {
        let links = &mut self.links[f];
        let Some(from) = links.vertices.iter().position(|&v| v == old) else {
            return Err(HullError::Topology("a facet lacks the vertex to rename"));
        };
        if links.vertices.contains(&new) || links.neighbors.len() <= from {
            return Err(HullError::Topology("a facet would have a vertex twice"));
        }
        // vertices stay ordered by age, and neighbours opposite to them
        links.vertices.remove(from);
        let to = links.vertices.iter().position(|&v| v < new).unwrap_or(links.vertices.len());
        links.vertices.insert(to, new);
        let neighbor = links.neighbors.remove(from);
        links.neighbors.insert(to, neighbor);
        // moving by an odd number of places changes the orientation
        if from % 2 != to % 2 {
            self.facets[f].top_oriented ^= true;
        }
        Ok(())
    }
}
