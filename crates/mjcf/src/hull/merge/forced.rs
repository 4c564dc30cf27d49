//! Merges that are not a matter of choice: ridges with more than two facets, and facets with the wrong orientation.

use super::super::HullError;
use super::super::arena::{MERGE_RIDGE, TAIL};
use super::super::build::Builder;
use super::MergeKind;

/// A flipped facet is merged away rather than into if that moves vertices by less than this many merges. Qhull's `qh_WIDEflip`.
const WIDE_FLIP: f64 = 50.0;
/// A duplicate ridge wider than this many times the current width is refused. Qhull's `qh_WIDEduplicate`.
const WIDE_DUPLICATE: f64 = 100.0;

impl Builder<'_> {
    /// Queues merges for the ridges with more than two facets and gives those facets explicit ridges. Qhull: `qh_mark_dupridges`.
    pub(super) fn mark_duplicate_ridges(&mut self) -> Result<(), HullError> {
        let mut f = Self::first(self.new_facets);
        while f != TAIL {
            // marks of the last cone
            self.facets[f].merge_ridge = false;
            self.facets[f].merge_ridge_first = false;
            f = self.facets[f].next;
        }
        let mut found = false;
        let mut f = Self::first(self.new_facets);
        while f != TAIL {
            // one merge for each pair that must become one
            if self.facets[f].duplicate_ridge {
                found |= self.queue_duplicate_merges(f)?;
            }
            f = self.facets[f].next;
        }
        if !found {
            return Ok(());
        }
        let mut f = Self::first(self.new_facets);
        while f != TAIL {
            // merging works on explicit ridges
            if self.facets[f].merge_ridge && !self.facets[f].merge_ridge_first {
                self.make_ridges(f)?;
            }
            f = self.facets[f].next;
        }
        // the first facet of a merge is not yet a neighbour of the second
        for i in 0..self.facet_merges.len() {
            let merge = self.facet_merges[i];
            if merge.kind == MergeKind::DuplicateRidge {
                if self.facets[merge.into].merge_ridge_first
                    && self.links[merge.into].neighbors.contains(&merge.from)
                {
                    return Err(HullError::Topology("a ridge is duplicate in both directions"));
                }
                self.links[merge.into].neighbors.push(merge.from);
                self.make_ridges(merge.from)?;
            }
        }
        Ok(())
    }

    /// Queues a facet with the neighbours of its duplicate ridges that do not know it, or that have its vertices; returns whether there
    /// were any.
    fn queue_duplicate_merges(&mut self, f: usize) -> Result<bool, HullError> {
        let mut found = false;
        for i in 0..self.links[f].neighbors.len() {
            let n = self.links[f].neighbors[i];
            if n == MERGE_RIDGE {
                self.facets[f].merge_ridge = true;
                continue;
            }
            if !self.facets[n].duplicate_ridge {
                continue;
            }
            // not mutual, or back to back
            let one_way = !self.links[n].neighbors.contains(&f);
            if one_way || *self.links[f].vertices == *self.links[n].vertices {
                self.queue_merge(MergeKind::DuplicateRidge, f, n, 0.0)?;
                self.facets[f].merge_ridge_first = true;
                self.facets[f].merge_ridge = true;
                found = true;
                if !one_way {
                    break;
                }
            }
        }
        Ok(found)
    }

    /// Merges across the ridges with more than two facets; returns whether there were any. Qhull: `qh_forcedmerges`.
    pub(super) fn forced_merges(&mut self) -> Result<bool, HullError> {
        let queue = std::mem::take(&mut self.facet_merges);
        let flip_limit = WIDE_FLIP * (self.tol.one_merge + self.tol.round);
        let mut found = false;
        let mut merged = false;
        for merge in &queue {
            if merge.kind != MergeKind::DuplicateRidge {
                continue;
            }
            found = true;
            // merges before this one may have taken either
            let a = self.replacement(merge.from);
            let b = self.replacement(merge.into);
            if a == b {
                continue;
            }
            if a >= self.facets.len()
                || b >= self.facets.len()
                || !self.links[b].neighbors.contains(&a)
            {
                return Err(HullError::Topology("facets of a duplicate ridge are not neighbours"));
            }
            // the one that moves less goes, unless a flipped facet can go instead
            let of_a = self.vertex_range(a, b);
            let of_b = self.vertex_range(b, a);
            self.check_duplicate_width(of_a.size.min(of_b.size))?;
            let (a_flipped, b_flipped) = (self.facets[a].flipped, self.facets[b].flipped);
            let merge_a = if of_a.size < of_b.size {
                !(b_flipped && !a_flipped && of_b.size < flip_limit)
            } else {
                a_flipped && !b_flipped && of_a.size < flip_limit
            };
            if merge_a {
                self.merge_facet(a, b, merge.kind, Some(of_a), false)?;
            } else {
                self.merge_facet(b, a, merge.kind, Some(of_b), false)?;
            }
            self.merge_degenerate()?;
            merged = true;
        }
        self.facet_merges.extend(queue.into_iter().filter(|m| m.kind != MergeKind::DuplicateRidge));
        // what is left of the facets with such ridges is ordinary
        if found {
            let mut f = Self::first(self.new_facets);
            while f != TAIL {
                let facet = &mut self.facets[f];
                if facet.duplicate_ridge {
                    facet.duplicate_ridge = false;
                    facet.merge_ridge = false;
                    facet.merge_ridge_first = false;
                    if self.links[f].neighbors.len() < 3 {
                        self.queue_merge(MergeKind::Degenerate, f, f, 0.0)?;
                    }
                }
                f = self.facets[f].next;
            }
            self.merge_degenerate()?;
        }
        Ok(merged)
    }

    /// Refuses a duplicate ridge that would make a very wide facet.
    fn check_duplicate_width(&self, width: f64) -> Result<(), HullError> {
        let round = self.tol.round;
        // what is usual so far: the thickest facet, one merge, the distance of outside points
        let outer = self.max_outside.max(round) + round;
        let usual = outer.max(self.tol.one_merge + round).max(self.tol.min_outside + round);
        if width / usual > WIDE_DUPLICATE {
            return Err(HullError::Wide);
        }
        Ok(())
    }

    /// Merges the facets with the wrong orientation; returns whether there were any. Qhull: `qh_flippedmerges`.
    pub(super) fn flipped_merges(&mut self) -> Result<bool, HullError> {
        let mut f = Self::first(self.new_facets);
        while f != TAIL {
            // every flipped facet goes into its best neighbour
            if self.facets[f].flipped && !self.facets[f].visible {
                self.queue_merge(MergeKind::Flip, f, f, 0.0)?;
            }
            f = self.facets[f].next;
        }
        let queue = std::mem::take(&mut self.facet_merges);
        let mut merged = false;
        for merge in &queue {
            if merge.kind != MergeKind::Flip || self.facets[merge.from].visible {
                continue;
            }
            let target = self.best_neighbor(merge.from)?;
            self.merge_facet(merge.from, target.facet, merge.kind, Some(target.spread), false)?;
            merged = true;
        }
        // what is not about facets that are gone stays queued
        for merge in queue {
            if !self.facets[merge.from].visible && !self.facets[merge.into].visible {
                self.facet_merges.push(merge);
            }
        }
        self.merge_degenerate()?;
        Ok(merged)
    }
}
