//! The merge of one facet into a neighbour.
//!
//! ```text
//!      +-----+-----+            +-----------+
//!      |  f  | into|     ─▶     |   into    |     the ridges between both go; the other ridges and the neighbours of f
//!      +-----+-----+            +-----------+     become those of into, whose plane stays
//! ```
//!
//! A triangle brings one vertex; a polygon brings several, and the two ordered lists are merged. A vertex that is left with fewer than
//! two facets is inside of the new one, and is deleted. A neighbour of both facets stays a neighbour once, with all its ridges.

use super::super::HullError;
use super::super::arena::{MERGE_RIDGE, NONE, Ridge};
use super::super::build::Builder;
use super::super::plane::Spread;
use super::{Merge, MergeKind};

/// Merge counts saturate here. Qhull's `qh_MAXnummerge`.
pub(super) const MAX_MERGES: u16 = 511;
/// Facets with at most this many vertices get a new centrum after a merge; that of larger ones hardly moves. Three and Qhull's
/// `qh_MAXnewcentrum`.
pub(super) const FEW_VERTICES: usize = 3 + 5;
/// Facets with more vertices than this are compared with neighbours by their centrum, which is quicker. Qhull's `qh_BESTcentrum2` and
/// `qh_BESTcentrum`.
const MANY_VERTICES: usize = 2 * 3 + 20;
/// Facets with more vertices than this look at nonconvex ridges first. Three and Qhull's `qh_BESTnonconvex`.
const SOME_VERTICES: usize = 3 + 15;
/// A merge that moves a vertex by more than this many single merges is refused: it is no longer rounding.
const WIDE_MERGE: f64 = 100.0;

/// A neighbour to merge into, with the displacement of the vertices.
pub(super) struct Target {
    pub facet: usize,
    pub spread: Spread,
    /// What neighbours were compared by.
    pub cost: f64,
}

impl Builder<'_> {
    /// Gives a simplicial facet explicit ridges to all its neighbours. Qhull: `qh_makeridges`.
    pub(super) fn make_ridges(&mut self, f: usize) -> Result<(), HullError> {
        if !self.facets[f].simplicial {
            return Ok(());
        }
        self.facets[f].simplicial = false;
        let mut to_merge = false;
        for i in 0..self.links[f].neighbors.len() {
            let n = self.links[f].neighbors[i];
            if n == MERGE_RIDGE {
                to_merge = true;
            } else {
                self.facets[n].seen = false;
            }
        }
        // ridges to merged neighbours are there already
        for &r in &self.links[f].ridges {
            self.facets[self.ridges[r].other(f)].seen = true;
        }
        for i in 0..self.links[f].neighbors.len() {
            let n = self.links[f].neighbors[i];
            if n == MERGE_RIDGE || self.facets[n].seen {
                continue;
            }
            let (&[a, b, c], 0..3) = (&self.links[f].vertices[..], i) else {
                return Err(HullError::Topology("a triangle has more than three neighbours"));
            };
            // the ridge to neighbour i lacks vertex i
            let vertices = [[b, c], [a, c], [a, b]][i];
            let facet = &self.facets[f];
            let is_top = facet.top_oriented != (i % 2 == 1);
            let (top, bottom) = if is_top { (f, n) } else { (n, f) };
            let tested = facet.tested && !to_merge;
            let r = self.new_ridge(Ridge { vertices, top, bottom, nonconvex: false, tested });
            self.attach_ridge(f, r);
            self.attach_ridge(n, r);
        }
        // marks of duplicate ridges are no neighbours
        while to_merge && self.links[f].neighbors.remove_item(MERGE_RIDGE) {}
        Ok(())
    }

    /// The neighbour that a merge displaces least. Qhull: `qh_findbestneighbor`.
    pub(super) fn best_neighbor(&mut self, f: usize) -> Result<Target, HullError> {
        let size = self.links[f].vertices.len();
        let by_centrum = size > MANY_VERTICES;
        let mut best = None;
        // ridges that are known not to be convex; then all
        if size > SOME_VERTICES {
            for i in 0..self.links[f].ridges.len() {
                let ridge = &self.ridges[self.links[f].ridges[i]];
                if ridge.nonconvex {
                    let n = ridge.other(f);
                    self.compare_neighbor(by_centrum, f, n, &mut best);
                }
            }
        }
        if best.is_none() {
            for i in 0..self.links[f].neighbors.len() {
                let n = self.links[f].neighbors[i];
                self.compare_neighbor(by_centrum, f, n, &mut best);
            }
        }
        let mut best = best.ok_or(HullError::Topology("a facet has no neighbour"))?;
        if by_centrum {
            best.spread = self.vertex_range(f, best.facet);
        }
        Ok(best)
    }

    /// Takes neighbour `n` as the best so far if a merge of `f` into it displaces less. A flipped facet is not merged into another
    /// flipped one if there is a choice.
    fn compare_neighbor(
        &mut self,
        by_centrum: bool,
        f: usize,
        n: usize,
        best: &mut Option<Target>,
    ) {
        if let Some(best) = best
            && self.facets[f].flipped
            && self.facets[n].flipped
            && !self.facets[best.facet].flipped
        {
            return;
        }
        let spread = if by_centrum {
            // the centrum is in the middle: the furthest vertex is about as many times further off as there are dimensions
            let c = self.centrum(f);
            let d = self.distance(&c, n) * 3.0;
            Spread { size: d.abs(), low: d.min(0.0), high: d.max(0.0) }
        } else {
            self.vertex_range(f, n)
        };
        if best.as_ref().is_none_or(|b| spread.size < b.cost) {
            *best = Some(Target { facet: n, spread, cost: spread.size });
        }
    }

    /// Merges one of two facets into its best neighbour, whichever displaces less. Qhull: `qh_merge_nonconvex`.
    pub(super) fn merge_nonconvex(&mut self, merge: Merge) -> Result<(), HullError> {
        let (a, b) = if self.facets[merge.from].is_new {
            (merge.from, merge.into)
        } else {
            (merge.into, merge.from)
        };
        let of_a = self.best_neighbor(a)?;
        let of_b = self.best_neighbor(b)?;
        if of_a.cost < of_b.cost {
            self.merge_facet(a, of_a.facet, merge.kind, Some(of_a.spread), false)
        } else {
            self.merge_facet(b, of_b.facet, merge.kind, Some(of_b.spread), false)
        }
    }

    /// Merges `f` into `into`. With `at_apex`, `f` is a new facet merged into its horizon facet. Qhull: `qh_mergefacet`.
    pub(super) fn merge_facet(
        &mut self,
        f: usize,
        into: usize,
        kind: MergeKind,
        spread: Option<Spread>,
        at_apex: bool,
    ) -> Result<(), HullError> {
        self.total_merges += 1;
        // thicker than rounding explains
        if let Some(spread) = spread {
            let limit = (WIDE_MERGE * self.tol.one_merge)
                .max(self.facets[f].max_outside)
                .max(self.facets[into].max_outside);
            if spread.high > limit || -spread.low > limit {
                return Err(HullError::Wide);
            }
        }
        if f == into || self.facets[f].visible || self.facets[into].visible {
            return Err(HullError::Topology("a facet would be merged twice"));
        }
        // a tetrahedron has nothing to spare
        if self.num_facets <= self.num_visible + 4 {
            return Err(HullError::Topology("only a tetrahedron is left to merge"));
        }
        // merging needs to know the facets of vertices, and ridges
        self.find_vertex_facets();
        self.make_ridges(f)?;
        self.make_ridges(into)?;
        let merges = self.facets[f].merges + self.facets[into].merges + 1;
        // how thick both are is how thick the new one is, and what this merge adds
        let facet = &mut self.facets[into];
        if let Some(spread) = spread {
            self.max_outside = self.max_outside.max(spread.high);
            facet.max_outside = facet.max_outside.max(spread.high);
            self.min_vertex = self.min_vertex.min(spread.low);
            facet.keep_centrum |=
                spread.high > self.tol.wide_facet || spread.low < -self.tol.wide_facet;
        }
        facet.merges = merges.min(MAX_MERGES);
        facet.new_merge = true;
        facet.duplicate_ridge = false;
        self.update_tested(f, into);
        if self.links[f].vertices.len() == 3 {
            self.merge_triangle(f, into, at_apex)?;
        } else {
            self.merge_polygon(f, into)?;
        }
        // the merged facet is a new one: its ridges and points are looked at again
        self.requeue_facet(into);
        self.facets[into].is_new = true;
        // the ridges that f brings
        self.facets[into].tested = false;
        // by-products: neighbours that the larger facet contains, neighbours that lost one, itself
        if kind != MergeKind::CoplanarHorizon {
            self.queue_redundant_neighbors(into)?;
            self.queue_degenerate_neighbors(f)?;
            self.queue_if_degenerate(into)?;
        }
        self.discard_facet(f, into);
        Ok(())
    }

    /// Marks what the merge makes untested; drops the centrum of a small facet.
    fn update_tested(&mut self, f: usize, into: usize) {
        self.facets[into].tested = false;
        for &r in &self.links[f].ridges {
            self.ridges[r].tested = false;
        }
        let facet = &mut self.facets[into];
        if facet.centrum.is_none() {
            return;
        }
        let size = self.links[into].vertices.len();
        // large and thick facets keep their centrum, or it would drift with every merge
        if !facet.keep_centrum {
            facet.keep_centrum = size > FEW_VERTICES;
        } else if size == 3 {
            facet.keep_centrum = false;
        }
        if !facet.keep_centrum {
            facet.centrum = None;
            for &r in &self.links[into].ridges {
                self.ridges[r].tested = false;
            }
        }
    }

    /// Removes a ridge that the merge makes interior; `ends` are the vertices that lose it. Qhull: `qh_delridge_merge`.
    pub(super) fn delete_merged_ridge(&mut self, r: usize, ends: &[usize]) {
        // the mark belongs to the pair of facets
        if self.ridges[r].nonconvex {
            self.pass_on_nonconvex(r);
        }
        for &v in ends {
            self.vertices[v].lost_ridge = true;
        }
        // vertex merges that wait for this ridge have lost their reason
        let mut i = 0;
        while i < self.vertex_merges.len() {
            if self.vertex_merges[i].ridges.contains(&r) {
                self.vertex_merges.swap_remove(i);
            } else {
                i += 1;
            }
        }
        let Ridge { top, bottom, .. } = self.ridges[r];
        self.links[top].ridges.remove_item(r);
        self.links[bottom].ridges.remove_item(r);
        self.free_ridges.push(r);
    }

    /// Marks another ridge between the same facets as nonconvex instead.
    pub(super) fn pass_on_nonconvex(&mut self, r: usize) {
        let Ridge { top, bottom, .. } = self.ridges[r];
        self.ridges[r].nonconvex = false;
        let other = self.links[top].ridges.iter().find(|&&s| {
            s != r && (self.ridges[s].top == bottom || self.ridges[s].bottom == bottom)
        });
        if let Some(&s) = other {
            self.ridges[s].nonconvex = true;
        }
    }

    /// Inserts a vertex into the ordered vertices of a facet; returns whether it was missing.
    pub(super) fn add_facet_vertex(&mut self, f: usize, v: usize) -> bool {
        let list = &mut self.links[f].vertices;
        // newest first: the first that is not newer
        let at = list.iter().position(|&w| w <= v).unwrap_or(list.len());
        if list.get(at) == Some(&v) {
            return false;
        }
        list.insert(at, v);
        true
    }

    /// Deletes a vertex that only one facet is left with.
    fn drop_vertex(&mut self, v: usize, f: usize) {
        self.links[f].vertices.remove_item_in_order(v);
        self.vertices[v].deleted = true;
        self.deleted_vertices.push(v);
    }

    /// Replaces `old` by `new` among the facets of a vertex.
    fn replace_vertex_facet(&mut self, v: usize, old: usize, new: usize) -> Result<(), HullError> {
        match self.vertex_facets[v].iter_mut().find(|f| **f == old) {
            Some(f) => {
                *f = new;
                Ok(())
            }
            None => Err(HullError::Topology("a vertex does not know its facet")),
        }
    }

    /// Gives a ridge to another facet.
    fn move_ridge(&mut self, r: usize, from: usize, to: usize) {
        let ridge = &mut self.ridges[r];
        if ridge.top == from {
            ridge.top = to;
        } else {
            ridge.bottom = to;
        }
    }

    /// Merge of a triangle: its vertex opposite the common ridge joins the other facet. Qhull: `qh_mergesimplex`.
    fn merge_triangle(&mut self, f: usize, into: usize, at_apex: bool) -> Result<(), HullError> {
        let vertices =
            [self.links[f].vertices[0], self.links[f].vertices[1], self.links[f].vertices[2]];
        let opposite;
        let mut joined = false;
        // the apex is the newest vertex of all, hence the first
        if at_apex {
            opposite = vertices[0];
            if !self.facets[into].is_new {
                self.renew_vertices(into);
            }
            if self.links[into].vertices.first() != Some(&opposite) {
                self.links[into].vertices.insert(0, opposite);
                joined = true;
            }
        } else {
            let common = self.links[f].ridges.iter().find(|&&r| self.ridges[r].other(f) == into);
            let ends = common.map_or([NONE; 2], |&r| self.ridges[r].vertices);
            for v in ends {
                if v != NONE {
                    self.vertices[v].lost_ridge = true;
                }
            }
            opposite = *vertices
                .iter()
                .find(|v| !ends.contains(v))
                .ok_or(HullError::Topology("a triangle is its own ridge"))?;
            joined = self.add_facet_vertex(into, opposite);
            if self.facets[into].is_new {
                self.renew_vertex(opposite);
            } else {
                self.renew_vertices(into);
            }
        }
        // the facets of its three vertices
        for v in vertices {
            if v == opposite && joined {
                self.replace_vertex_facet(v, f, into)?;
            } else {
                self.vertex_facets[v].remove_item(f);
                if self.vertex_facets[v].len() < 2 {
                    self.drop_vertex(v, into);
                }
            }
        }
        // neighbours of `into`, before the merge
        let stamp = self.next_visit();
        for i in 0..self.links[into].neighbors.len() {
            let n = self.links[into].neighbors[i];
            self.facets[n].visit = stamp;
        }
        let mut i = 0;
        while i < self.links[f].ridges.len() {
            let r = self.links[f].ridges[i];
            let other = self.ridges[r].other(f);
            // the ridge between both
            if other == into {
                let ends = self.ridges[r].vertices;
                self.delete_merged_ridge(r, &ends);
                self.links[into].neighbors.remove_item(f);
                continue;
            }
            if self.facets[other].duplicate_ridge && !self.links[other].neighbors.contains(&f) {
                return Err(HullError::Topology("a duplicate ridge was not merged first"));
            }
            self.attach_ridge(into, r);
            // a neighbour of f alone, or of both
            if self.facets[other].visit != stamp {
                self.links[into].neighbors.push(other);
                self.replace_neighbor(other, f, into)?;
                self.facets[other].visit = stamp;
            } else {
                self.make_ridges(other)?;
                self.unlink_merged(other, f, into)?;
            }
            self.move_ridge(r, f, into);
            i += 1;
        }
        Ok(())
    }

    /// Makes `other`, a neighbour of both, a neighbour of `into` only, keeping the first neighbour first.
    fn unlink_merged(&mut self, other: usize, f: usize, into: usize) -> Result<(), HullError> {
        if self.links[other].neighbors.first() == Some(&f) {
            self.links[other].neighbors.remove_item(into);
            self.replace_neighbor(other, f, into)
        } else {
            self.links[other].neighbors.remove_item(f);
            Ok(())
        }
    }

    /// Merge of a polygon. Qhull: `qh_mergeneighbors`, `qh_mergevertices`, `qh_mergeridges`, `qh_mergevertex_neighbors`.
    fn merge_polygon(&mut self, f: usize, into: usize) -> Result<(), HullError> {
        // vertices of `into`, before the merge
        let own = self.mark_vertices(into);
        // neighbours
        let stamp = self.next_visit();
        for i in 0..self.links[into].neighbors.len() {
            let n = self.links[into].neighbors[i];
            self.facets[n].visit = stamp;
        }
        for i in 0..self.links[f].neighbors.len() {
            let n = self.links[f].neighbors[i];
            // a neighbour of both stays once
            if self.facets[n].visit == stamp {
                self.make_ridges(n)?;
                self.unlink_merged(n, f, into)?;
            } else if n != into {
                self.links[into].neighbors.push(n);
                self.replace_neighbor(n, f, into)?;
            }
        }
        self.links[f].neighbors.remove_item(into);
        self.links[into].neighbors.remove_item(f);
        self.merge_vertex_lists(f, into)?;
        // ridges
        let mut i = 0;
        while i < self.links[into].ridges.len() {
            let r = self.links[into].ridges[i];
            // those between both
            if self.ridges[r].top == f || self.ridges[r].bottom == f {
                let ends = self.ridges[r].vertices;
                self.delete_merged_ridge(r, &ends);
            } else {
                i += 1;
            }
        }
        for i in 0..self.links[f].ridges.len() {
            let r = self.links[f].ridges[i];
            self.move_ridge(r, f, into);
            self.attach_ridge(into, r);
        }
        // vertices
        for i in 0..self.links[f].vertices.len() {
            let v = self.links[f].vertices[i];
            // brought by f, or of both
            if self.vertices[v].visit != own {
                self.replace_vertex_facet(v, f, into)?;
            } else {
                self.vertex_facets[v].remove_item(f);
                if self.vertex_facets[v].len() < 2 {
                    self.drop_vertex(v, into);
                }
            }
        }
        if !self.facets[into].is_new {
            self.renew_vertices(into);
        }
        Ok(())
    }

    /// Merges the ordered vertices of `f` into those of `into`.
    fn merge_vertex_lists(&mut self, f: usize, into: usize) -> Result<(), HullError> {
        let (a, b) = (&self.links[f].vertices, &self.links[into].vertices);
        let mut merged = Vec::with_capacity(a.len() + b.len());
        let (mut i, mut j) = (0, 0);
        while i < a.len() || j < b.len() {
            if j == b.len() || (i < a.len() && a[i] > b[j]) {
                merged.push(a[i]);
                i += 1;
            } else {
                if i < a.len() && a[i] == b[j] {
                    i += 1;
                }
                merged.push(b[j]);
                j += 1;
            }
        }
        // two facets that share a ridge share two vertices
        if merged.len() + 2 > a.len() + b.len() {
            return Err(HullError::Topology("merged facets share less than a ridge"));
        }
        self.links[into].vertices.assign(merged);
        Ok(())
    }
}
