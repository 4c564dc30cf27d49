//! Merging of facets that are not clearly convex.
//!
//! Round-off makes some ridges of a new cone concave or coplanar. The facets on both sides are merged into one wider
//! facet until every centrum is clearly below every neighbouring plane. Merged facets are polygons with explicit ridges.
//!
//! ```text
//!      convex             coplanar            concave
//!        ____               _____             \     /
//!       /    \             ¦  +  ¦             \_+_/        +: a centrum, against the plane of the neighbour
//! ```
//!
//! The order of the repairs matters, and is Qhull's: first what is wrong by topology (ridges with more than two facets, new facets in the
//! plane of the horizon, flipped facets), then what is not convex, the mildest first. A merge takes the facet whose vertices are closest
//! to the neighbour's plane into that neighbour, whose plane stays what it was. After each merge its by-products are removed: facets that
//! became part of another (redundant) or have fewer than three neighbours (degenerate). When all is convex, needless vertices are renamed
//! away, which can make new work. Each merge removes a facet, so that this ends.

mod cycle;
mod degenerate;
mod facet;
mod forced;
mod reduce;
mod rename;

use super::HullError;
use super::arena::TAIL;
use super::build::Builder;
use super::plane::distance;

/// Why two facets are merged. Of one kind, the closest facets are merged first; kinds go in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum MergeKind {
    /// Each centrum is within round-off of the other plane, or one is and the other is below.
    Coplanar,
    /// A centrum is above the other plane.
    Concave,
    /// One centrum is above the other plane and the other within round-off.
    ConcaveCoplanar,
    /// The interior point is above the facet.
    Flip,
    /// More than two facets share a ridge.
    DuplicateRidge,
    /// A facet has fewer than three neighbours.
    Degenerate,
    /// A facet has no vertex of its own.
    Redundant,
    /// Two facets have the same vertices.
    Mirror,
    /// A new facet is coplanar with the horizon.
    CoplanarHorizon,
}

/// A merge of `from` into `into` or of one of them into a better neighbour.
#[derive(Clone, Copy)]
pub(super) struct Merge {
    pub kind: MergeKind,
    pub from: usize,
    pub into: usize,
    pub distance: f64,
}

/// Two vertices that become one because two ridges of a facet have the same vertices.
#[derive(Clone, Copy)]
pub(super) struct VertexMerge {
    pub from: usize,
    pub into: usize,
    pub distance: f64,
    pub ridges: [usize; 2],
}

impl Builder<'_> {
    /// Makes the new cone convex. Qhull: `qh_premerge`.
    pub(super) fn premerge(&mut self) -> Result<(), HullError> {
        // the usual case: nothing to do
        if self.cone_is_convex() {
            return Ok(());
        }
        self.mark_duplicate_ridges()?;
        let mut merged = self.merge_cycles()?;
        merged |= self.forced_merges()?;
        merged |= self.flipped_merges()?;
        self.collect_initial_merges()?;
        self.merge_all(merged)
    }

    /// Whether every new facet is clearly convex with its neighbours: vertices instead of centrums, which is stricter and needs no
    /// centrum. Qhull: `qh_checkzero`.
    fn cone_is_convex(&mut self) -> bool {
        let mut f = Self::first(self.new_facets);
        while f != TAIL {
            // merged horizon facets, and facets that are wrong already, need the full test
            let facet = &self.facets[f];
            let horizon = self.links[f].neighbors[0];
            if !self.facets[horizon].simplicial
                || facet.flipped
                || facet.duplicate_ridge
                || !facet.has_plane
            {
                self.all_convex = false;
                return false;
            }
            f = facet.next;
        }
        // clearly below: by more than the errors of both distances
        let limit = -2.0 * self.tol.round;
        let mut f = Self::first(self.new_facets);
        while f != TAIL {
            let links = &self.links[f];
            for k in 1..3 {
                // the vertex that a neighbour in the cone lacks, and below, the one that this facet lacks of its horizon facet
                let p = &self.points[self.vertices[links.vertices[k]].point];
                if distance(&self.facets[links.neighbors[k]], p) >= limit {
                    self.all_convex = false;
                    return false;
                }
            }
            let opposite = self.links[links.neighbors[0]]
                .vertices
                .iter()
                .find(|v| !links.vertices[1..].contains(v));
            if let Some(&v) = opposite
                && distance(&self.facets[f], &self.points[self.vertices[v].point]) >= limit
            {
                self.all_convex = false;
                return false;
            }
            f = self.facets[f].next;
        }
        true
    }

    /// Queues a merge unless one of the facets will be merged away anyway. Qhull: `qh_appendmergeset`.
    pub(super) fn queue_merge(
        &mut self,
        kind: MergeKind,
        from: usize,
        into: usize,
        distance: f64,
    ) -> Result<(), HullError> {
        let (a, b) = (&self.facets[from], &self.facets[into]);
        if (a.redundant && kind != MergeKind::Mirror) || b.redundant {
            return Ok(());
        }
        if a.degenerate && kind == MergeKind::Degenerate {
            return Ok(());
        }
        if b.flipped && !a.flipped && kind != MergeKind::DuplicateRidge {
            return Err(HullError::Topology("a facet would be merged into a flipped one"));
        }
        let merge = Merge { kind, from, into, distance };
        match kind {
            MergeKind::Degenerate => {
                self.facets[from].degenerate = true;
                // redundant facets are merged before degenerate ones
                if self.degenerate_merges.last().is_none_or(|m| m.kind == kind) {
                    self.degenerate_merges.push(merge);
                } else {
                    self.degenerate_merges.insert(0, merge);
                }
            }
            MergeKind::Redundant => {
                self.facets[from].redundant = true;
                self.degenerate_merges.push(merge);
            }
            MergeKind::Mirror => {
                if a.redundant || *self.links[from].vertices != *self.links[into].vertices {
                    return Err(HullError::Topology("mirrored facets differ"));
                }
                self.facets[from].redundant = true;
                self.facets[into].redundant = true;
                self.degenerate_merges.push(merge);
            }
            _ => self.facet_merges.push(merge),
        }
        Ok(())
    }

    /// Queues a merge if the ridge between two facets is not clearly convex; returns whether it did. Qhull: `qh_test_appendmerge`.
    fn test_convexity(&mut self, f: usize, n: usize) -> Result<bool, HullError> {
        let radius = self.tol.centrum_radius;
        // each centrum against the plane of the other
        let c = self.centrum(f);
        let forward = self.distance(&c, n);
        let c = self.centrum(n);
        let backward = self.distance(&c, f);
        let concave = forward > radius || backward > radius;
        let within = |d: f64| d <= radius && d >= -radius;
        let coplanar = within(forward) || within(backward);
        // the facet that is above goes into the other
        if concave && coplanar {
            if forward > backward {
                self.queue_merge(MergeKind::ConcaveCoplanar, f, n, forward)?;
            } else {
                self.queue_merge(MergeKind::ConcaveCoplanar, n, f, backward)?;
            }
        } else if concave {
            self.queue_merge(MergeKind::Concave, f, n, forward.max(backward))?;
        } else if coplanar {
            self.queue_merge(MergeKind::Coplanar, f, n, forward.abs().min(backward.abs()))?;
        }
        Ok(concave || coplanar)
    }

    /// Tests all ridges of the new facets. Qhull: `qh_getmergeset_initial`.
    fn collect_initial_merges(&mut self) -> Result<(), HullError> {
        let stamp = self.next_visit();
        let mut f = Self::first(self.new_facets);
        while f != TAIL {
            self.facets[f].visit = stamp;
            for i in 0..self.links[f].neighbors.len() {
                let n = self.links[f].neighbors[i];
                // a ridge between two new facets is tested once
                if self.facets[n].visit != stamp && self.test_convexity(f, n)? {
                    let shared =
                        self.links[n].ridges.iter().find(|&&r| self.ridges[r].other(n) == f);
                    if let Some(&r) = shared {
                        self.ridges[r].nonconvex = true;
                    }
                }
            }
            self.facets[f].tested = true;
            for &r in &self.links[f].ridges {
                self.ridges[r].tested = true;
            }
            f = self.facets[f].next;
        }
        self.sort_merges();
        Ok(())
    }

    /// Tests the ridges of merged facets again. Qhull: `qh_getmergeset`.
    fn collect_merges(&mut self) -> Result<(), HullError> {
        let stamp = self.next_visit();
        let mut f = Self::first(self.new_facets);
        while f != TAIL {
            if !self.facets[f].tested {
                self.facets[f].visit = stamp;
                for i in 0..self.links[f].neighbors.len() {
                    let n = self.links[f].neighbors[i];
                    self.facets[n].seen = false;
                }
                for i in 0..self.links[f].ridges.len() {
                    let r = self.links[f].ridges[i];
                    // still convex: neither facet has changed
                    if self.ridges[r].tested && !self.ridges[r].nonconvex {
                        continue;
                    }
                    let n = self.ridges[r].other(f);
                    // a second ridge to the same neighbour has the same centrums
                    if self.facets[n].seen {
                        self.ridges[r].tested = true;
                        self.ridges[r].nonconvex = false;
                    } else if self.facets[n].visit != stamp {
                        self.facets[n].seen = true;
                        self.ridges[r].nonconvex = self.test_convexity(f, n)?;
                        self.ridges[r].tested = true;
                    }
                }
                self.facets[f].tested = true;
            }
            f = self.facets[f].next;
        }
        self.sort_merges();
        Ok(())
    }

    /// Sorts the queue, which is taken from its end.
    fn sort_merges(&mut self) {
        self.facet_merges
            .sort_by(|a, b| b.kind.cmp(&a.kind).then_with(|| b.distance.total_cmp(&a.distance)));
    }

    /// Merges until all new facets are convex. `merged` says that merges happened already. Qhull: `qh_all_merges`.
    fn merge_all(&mut self, mut merged: bool) -> Result<(), HullError> {
        loop {
            while !self.facet_merges.is_empty() || !self.degenerate_merges.is_empty() {
                // facets that are no longer any come first
                if !self.degenerate_merges.is_empty() {
                    self.merge_degenerate()?;
                    merged = true;
                }
                while let Some(merge) = self.facet_merges.pop() {
                    let (a, b) = (&self.facets[merge.from], &self.facets[merge.into]);
                    // gone with an earlier merge
                    if a.visible || b.visible {
                        continue;
                    }
                    // facets that just changed are tested again before a coplanar merge
                    let changed = (!a.tested && a.is_new) || (!b.tested && b.is_new);
                    if merge.kind == MergeKind::Coplanar && changed {
                        continue;
                    }
                    if merge.kind > MergeKind::ConcaveCoplanar {
                        return Err(HullError::Topology("an unexpected merge is left over"));
                    }
                    self.merge_nonconvex(merge)?;
                    self.merge_degenerate()?;
                    merged = true;
                }
                // merged facets have other centrums: test again
                self.collect_merges()?;
            }
            // needless vertices; renaming them may leave facets to merge
            if self.vertex_facets_known && merged {
                merged = false;
                if self.reduce_vertices()? {
                    self.collect_merges()?;
                    continue;
                }
            }
            break;
        }
        if merged {
            let mut f = Self::first(self.new_facets);
            while f != TAIL {
                self.facets[f].new_merge = false;
                f = self.facets[f].next;
            }
        }
        Ok(())
    }
}
