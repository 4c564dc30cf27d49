//! Facets that a merge leaves without enough neighbours or without a vertex of their own.
//!
//! A facet whose vertices are all those of a neighbour lies within it (redundant), and becomes part of it. A facet with two neighbours is
//! a sliver between them (degenerate), and goes to the closer one; one without neighbours is nothing.

use super::super::HullError;
use super::super::arena::NONE;
use super::super::build::Builder;
use super::MergeKind;

impl Builder<'_> {
    /// Merges the queued degenerate and redundant facets; returns whether there were any. Qhull: `qh_merge_degenredundant`.
    pub(super) fn merge_degenerate(&mut self) -> Result<bool, HullError> {
        let mut merged = false;
        while let Some(merge) = self.degenerate_merges.pop() {
            let f = merge.from;
            // merged since it was queued
            if self.facets[f].visible {
                continue;
            }
            self.facets[f].degenerate = false;
            self.facets[f].redundant = false;
            if merge.kind == MergeKind::Redundant {
                // the neighbour may have been merged itself
                let into = self.replacement(merge.into);
                if into == NONE {
                    return Err(HullError::Topology("a redundant facet has no replacement"));
                }
                if f == into {
                    continue;
                }
                self.merge_facet(f, into, merge.kind, None, false)?;
                merged = true;
                continue;
            }
            // other merges may have given it neighbours again
            match self.links[f].neighbors.len() {
                // nothing is left of it but its vertices
                0 => {
                    self.discard_facet(f, NONE);
                    for i in 0..self.links[f].vertices.len() {
                        let v = self.links[f].vertices[i];
                        self.vertex_facets[v].remove_item(f);
                        if self.vertex_facets[v].is_empty() {
                            self.vertices[v].deleted = true;
                            self.deleted_vertices.push(v);
                        }
                    }
                    merged = true;
                }
                1..3 => {
                    let target = self.best_neighbor(f)?;
                    self.merge_facet(f, target.facet, merge.kind, Some(target.spread), false)?;
                    merged = true;
                }
                _ => {}
            }
        }
        Ok(merged)
    }

    /// Whether all vertices of `f` carry the stamp.
    fn all_marked(&self, f: usize, stamp: u32) -> bool {
        self.links[f].vertices.iter().all(|&v| self.vertices[v].visit == stamp)
    }

    /// Queues the neighbours whose vertices `f` contains. Qhull: `qh_degen_redundant_neighbors`.
    pub(super) fn queue_redundant_neighbors(&mut self, f: usize) -> Result<(), HullError> {
        // a facet with two neighbours has no inside
        if self.links[f].neighbors.len() < 3 {
            return self.queue_merge(MergeKind::Degenerate, f, f, 0.0);
        }
        // a neighbour all of whose vertices are marked lies in f
        let stamp = self.mark_vertices(f);
        for i in 0..self.links[f].neighbors.len() {
            let n = self.links[f].neighbors[i];
            let neighbor = &self.facets[n];
            if neighbor.visible {
                return Err(HullError::Topology("a neighbour was deleted"));
            }
            if neighbor.degenerate || neighbor.redundant || neighbor.duplicate_ridge {
                continue;
            }
            if self.facets[f].flipped && !neighbor.flipped {
                continue;
            }
            if self.all_marked(n, stamp) {
                self.queue_merge(MergeKind::Redundant, n, f, 0.0)?;
            }
        }
        Ok(())
    }

    /// Queues the neighbours of `f` that have fewer than three neighbours.
    pub(super) fn queue_degenerate_neighbors(&mut self, f: usize) -> Result<(), HullError> {
        for i in 0..self.links[f].neighbors.len() {
            let n = self.links[f].neighbors[i];
            let neighbor = &self.facets[n];
            if neighbor.visible {
                return Err(HullError::Topology("a neighbour was deleted"));
            }
            if neighbor.degenerate || neighbor.redundant || neighbor.duplicate_ridge {
                continue;
            }
            if self.links[n].neighbors.len() < 3 {
                self.queue_merge(MergeKind::Degenerate, n, n, 0.0)?;
            }
        }
        Ok(())
    }

    /// Queues `f` if a neighbour contains its vertices or it has fewer than three neighbours. Qhull: `qh_degen_redundant_facet`.
    pub(super) fn queue_if_degenerate(&mut self, f: usize) -> Result<(), HullError> {
        // flipped facets are merged in their own turn
        if self.facets[f].flipped {
            return Ok(());
        }
        for i in 0..self.links[f].neighbors.len() {
            let n = self.links[f].neighbors[i];
            if self.facets[n].flipped {
                continue;
            }
            if self.facets[n].visible {
                return Err(HullError::Topology("a neighbour was deleted"));
            }
            let stamp = self.mark_vertices(n);
            if self.all_marked(f, stamp) {
                return self.queue_merge(MergeKind::Redundant, f, n, 0.0);
            }
        }
        if self.links[f].neighbors.len() < 3 {
            self.queue_merge(MergeKind::Degenerate, f, f, 0.0)?;
        }
        Ok(())
    }

    /// Drops the neighbours of `f` that no ridge connects any more. Qhull: `qh_maydropneighbor`.
    pub(super) fn drop_unconnected_neighbors(&mut self, f: usize) -> Result<(), HullError> {
        let stamp = self.next_visit();
        if self.facets[f].simplicial {
            return Err(HullError::Topology("a triangle has no explicit ridges"));
        }
        // facets that a ridge leads to
        for i in 0..self.links[f].ridges.len() {
            let ridge = &self.ridges[self.links[f].ridges[i]];
            self.facets[ridge.top].visit = stamp;
            self.facets[ridge.bottom].visit = stamp;
        }
        let mut i = 0;
        while i < self.links[f].neighbors.len() {
            let n = self.links[f].neighbors[i];
            if self.facets[n].visible {
                return Err(HullError::Topology("a neighbour was deleted"));
            }
            if self.facets[n].visit == stamp {
                i += 1;
                continue;
            }
            if self.facets[n].simplicial {
                return Err(HullError::Topology("a triangle lost a neighbour"));
            }
            // neither knows the other any more; a facet left with two is a sliver
            self.links[n].neighbors.remove_item(f);
            if self.links[n].neighbors.len() < 3 {
                self.queue_merge(MergeKind::Degenerate, n, n, 0.0)?;
            }
            self.links[f].neighbors.swap_remove(i);
        }
        if self.links[f].neighbors.len() < 3 {
            self.queue_merge(MergeKind::Degenerate, f, f, 0.0)?;
        }
        Ok(())
    }
}
