//! The cone of new facets from a point to its horizon, and the matching of neighbours within the cone.
//!
//! A facet of the cone has the apex first, then the two vertices of a horizon ridge; its first neighbour is the horizon facet. The other
//! two are facets of the cone with whom it shares the apex and one vertex of the horizon: each facet waits at its two vertices, in a
//! chain, until the other one comes.
//!
//! ```text
//!            apex
//!           / | \
//!          /  |  \           facets (apex, a, b) and (apex, b, c) meet at b
//!         a---b---c
//!        horizon facets
//! ```
//!
//! A horizon that touches itself in a vertex (merged facets can be so) has four facets at that vertex, or more: a *duplicate ridge*.
//! Those that face each other best are made neighbours, and the others are marked to be merged, which removes the ridge.

use super::HullError;
use super::arena::{DUPLICATE_RIDGE, MERGE_RIDGE, NONE, TAIL};
use super::build::Builder;

/// A duplicate ridge narrower than this many merges is matched without further merging. Qhull's `qh_WIDEdupridge`.
const WIDE_DUPLICATE_RIDGE: f64 = 50.0;

/// One side of a match: a facet and the position of the vertex that the ridge lacks.
#[derive(Clone, Copy)]
struct Side {
    facet: usize,
    skip: usize,
}

/// Two sides that face each other across a duplicate ridge, and how far apart they are.
#[derive(Clone, Copy)]
struct Match {
    from: Side,
    to: Side,
    distance: f64,
}

impl Builder<'_> {
    /// Replaces the visible facets by a cone from `point` to the horizon. Qhull: `qh_buildcone`, `qh_makenewfacets`.
    pub(super) fn make_cone(&mut self, point: usize) -> Result<(), HullError> {
        // both sublists are empty, at the end
        self.new_facets = TAIL;
        self.new_vertices = TAIL;
        let apex = self.new_vertex(point);
        self.append_vertex(apex);
        self.next_visit();
        let mut of_ridges = NONE;
        let mut latest = NONE;
        let mut visible = Self::first(self.visible_facets);
        while self.facets[visible].visible {
            for i in 0..self.links[visible].neighbors.len() {
                let n = self.links[visible].neighbors[i];
                self.facets[n].seen = false;
            }
            // the replacement found through ridges is kept for later facets that never had any
            if self.facets[visible].had_ridges {
                self.facets[visible].visit = self.visit;
                of_ridges = self.facets_from_ridges(visible, apex)?;
            }
            // a triangle may have explicit ridges to merged neighbours only: the others follow from its vertices
            if self.facets[visible].simplicial {
                latest = self.facets_from_neighbors(visible, apex)?;
            }
            if of_ridges != NONE {
                latest = of_ridges;
            }
            // where searches for its points begin
            if latest != NONE {
                self.facets[visible].link = latest;
            }
            self.links[visible].ridges.clear();
            self.links[visible].neighbors.clear();
            visible = self.facets[visible].next;
        }
        Ok(())
    }

    /// Appends a simplicial facet with the apex first; its vertices become new.
    fn make_facet(&mut self, vertices: [usize; 3], top_oriented: bool, horizon: usize) -> usize {
        for v in vertices {
            self.renew_vertex(v);
        }
        let f = self.new_facet();
        self.facets[f].top_oriented = top_oriented;
        self.links[f].vertices.extend(vertices);
        self.links[f].neighbors.push(horizon);
        self.append_facet(f);
        f
    }

    /// Makes a facet for every ridge of `facet` to a facet that stays; returns the last one. Qhull: `qh_makenew_nonsimplicial`.
    pub(super) fn facets_from_ridges(
        &mut self,
        facet: usize,
        apex: usize,
    ) -> Result<usize, HullError> {
        let mut made = NONE;
        let mut ridges = std::mem::take(&mut self.links[facet].ridges);
        for &r in &ridges {
            let n = self.ridges[r].other(facet);
            // a ridge inside of the patch goes when its second facet is met
            if self.facets[n].visible {
                if self.facets[n].visit == self.visit {
                    self.free_ridges.push(r);
                }
            } else {
                made = self.facet_from_ridge(facet, apex, r, n)?;
            }
            self.facets[n].seen = true;
        }
        ridges.clear();
        self.links[facet].ridges = ridges;
        Ok(made)
    }

    /// The facet over a ridge between a visible facet and horizon facet `n`.
    fn facet_from_ridge(
        &mut self,
        facet: usize,
        apex: usize,
        r: usize,
        n: usize,
    ) -> Result<usize, HullError> {
        // the new facet is on the same side of the ridge as the visible one
        let top_oriented = self.ridges[r].top == facet;
        let [a, b] = self.ridges[r].vertices;
        let made = self.make_facet([apex, a, b], top_oriented, n);
        let first_visit = !self.facets[n].seen;
        // all new facets at one coplanar horizon facet form a cycle, which is merged into it at once
        if self.facets[n].coplanar_horizon {
            self.facets[made].merge_horizon = true;
            if first_visit {
                self.facets[made].link = made;
                self.facets[n].link = made;
            } else {
                let cycle = self.facets[n].link;
                if cycle >= self.facets.len() {
                    return Err(HullError::Topology("a cycle of new facets is lost"));
                }
                self.facets[made].link = self.facets[cycle].link;
                self.facets[cycle].link = made;
            }
        }
        // the horizon facet has the new one in place of the visible one
        if first_visit {
            self.replace_neighbor(n, facet, made)?;
        } else if self.facets[n].simplicial {
            return Err(HullError::Topology("a horizon triangle has two ridges to one facet"));
        } else {
            self.links[n].neighbors.push(made);
        }
        // triangles do without explicit ridges
        if self.facets[n].simplicial {
            self.links[n].ridges.remove_item(r);
            self.free_ridges.push(r);
        } else {
            self.attach_ridge(made, r);
            if top_oriented {
                self.ridges[r].top = made;
            } else {
                self.ridges[r].bottom = made;
            }
        }
        Ok(made)
    }

    /// Makes a facet for every neighbour of a visible triangle that stays and has no ridge; returns the last one. Qhull:
    /// `qh_makenew_simplicial`.
    fn facets_from_neighbors(&mut self, visible: usize, apex: usize) -> Result<usize, HullError> {
        let mut made = NONE;
        for i in 0..self.links[visible].neighbors.len() {
            let n = self.links[visible].neighbors[i];
            let neighbor = &self.facets[n];
            if neighbor.seen || neighbor.visible {
                continue;
            }
            // the ridge lacks the vertex opposite to the visible facet
            let skip = self.links[n].neighbors.iter().take(3).position(|&f| f == visible);
            let (Some(skip), &[a, b, c]) = (skip, &self.links[n].vertices[..]) else {
                return Err(HullError::Topology("a horizon facet is not a triangle"));
            };
            let (b, c) = match skip {
                0 => (b, c),
                1 => (a, c),
                _ => (a, b),
            };
            // across a ridge orientations are opposite; leaving out an odd place changes the sign
            let top_oriented = neighbor.top_oriented == (skip % 2 == 1);
            let coplanar = neighbor.coplanar_horizon;
            made = self.make_facet([apex, b, c], top_oriented, n);
            if coplanar {
                self.facets[made].link = made;
                self.facets[made].merge_horizon = true;
            }
            self.links[n].neighbors[skip] = made;
        }
        Ok(made)
    }

    /// Replaces `old` by `new` among the neighbours of `f`.
    pub(super) fn replace_neighbor(
        &mut self,
        f: usize,
        old: usize,
        new: usize,
    ) -> Result<(), HullError> {
        match self.links[f].neighbors.iter_mut().find(|n| **n == old) {
            Some(n) => {
                *n = new;
                Ok(())
            }
            None => Err(HullError::Topology("facets are not mutual neighbours")),
        }
    }

    /// Makes the facets of the cone neighbours of each other. Qhull: `qh_matchnewfacets`.
    pub(super) fn match_new_facets(&mut self) -> Result<(), HullError> {
        let mut f = Self::first(self.new_facets);
        while f != TAIL {
            self.links[f].neighbors.extend([NONE, NONE]);
            f = self.facets[f].next;
        }
        // empty chains at all vertices: those of older stamps do not count
        self.chains.clear();
        self.chain_stamp = self.chain_stamp.wrapping_add(1);
        if self.chain_stamp == 0 {
            self.chain_stamp = 1;
            for vertex in &mut self.vertices {
                vertex.chain_stamp = 0;
            }
        }
        // sides that wait for a neighbour
        let mut open = 0_isize;
        let mut f = Self::first(self.new_facets);
        while f != TAIL {
            // the side that lacks vertex 1, and the one that lacks vertex 2
            for skip in 1..3 {
                self.match_side(Side { facet: f, skip }, &mut open)?;
            }
            f = self.facets[f].next;
        }
        // ridges with more than two facets
        if open != 0 {
            let mut f = Self::first(self.new_facets);
            while f != TAIL {
                if self.facets[f].duplicate_ridge {
                    for skip in 0..self.links[f].neighbors.len() {
                        if self.links[f].neighbors[skip] == DUPLICATE_RIDGE {
                            self.match_duplicate_ridge(Side { facet: f, skip }, &mut open)?;
                        }
                    }
                }
                f = self.facets[f].next;
            }
        }
        if open != 0 {
            return Err(HullError::Topology("new facets do not match up"));
        }
        Ok(())
    }

    /// The vertex that a side shares with its match, besides the apex.
    fn side_vertex(&self, side: Side) -> usize {
        self.links[side.facet].vertices[3 - side.skip]
    }

    /// First entry of the chain of facets at a vertex.
    fn chain(&self, v: usize) -> usize {
        let vertex = &self.vertices[v];
        if vertex.chain_stamp == self.chain_stamp { vertex.chain } else { NONE }
    }

    /// Adds a facet to the end of the chain at a vertex unless it is there.
    fn extend_chain(&mut self, v: usize, f: usize) {
        // to the end of the chain
        let mut last = NONE;
        let mut entry = self.chain(v);
        while entry != NONE {
            if self.chains[entry].0 == f {
                return;
            }
            last = entry;
            entry = self.chains[entry].1;
        }
        let entry = self.chains.len();
        self.chains.push((f, NONE));
        if last == NONE {
            self.vertices[v].chain = entry;
            self.vertices[v].chain_stamp = self.chain_stamp;
        } else {
            self.chains[last].1 = entry;
        }
    }

    /// The side of `facet` at vertex `v`, and whether it can face `side` by orientation: neighbours see the ridge in opposite directions.
    fn facing(&self, side: Side, facet: usize, v: usize) -> (Side, bool) {
        let skip = if self.links[facet].vertices[1] == v { 2 } else { 1 };
        let same = side.skip % 2 == skip % 2;
        let differ = self.facets[side.facet].top_oriented != self.facets[facet].top_oriented;
        (Side { facet, skip }, same == differ)
    }

    fn neighbor_at(&self, side: Side) -> usize {
        self.links[side.facet].neighbors[side.skip]
    }

    fn set_neighbor(&mut self, side: Side, neighbor: usize) {
        self.links[side.facet].neighbors[side.skip] = neighbor;
    }

    /// Matches a side with the facet waiting at its vertex, or lets it wait, or marks a duplicate ridge. Qhull: `qh_matchneighbor`.
    fn match_side(&mut self, side: Side, open: &mut isize) -> Result<(), HullError> {
        // the first facet of the chain that is not this one
        let v = self.side_vertex(side);
        let mut entry = self.chain(v);
        while entry != NONE && self.chains[entry].0 == side.facet {
            entry = self.chains[entry].1;
        }
        // nobody waits: this one does
        if entry == NONE {
            self.extend_chain(v, side.facet);
            *open += 1;
            return Ok(());
        }
        let (other, fits) = self.facing(side, self.chains[entry].0, v);
        let taken = self.neighbor_at(other);
        // a match
        if fits && taken == NONE {
            self.set_neighbor(other, side.facet);
            self.set_neighbor(side, other.facet);
            *open -= 1;
            return Ok(());
        }
        // a third facet: it, the one that waited, and whom that one was matched with, are all of a duplicate ridge
        self.set_neighbor(side, DUPLICATE_RIDGE);
        self.facets[side.facet].duplicate_ridge = true;
        self.extend_chain(v, side.facet);
        *open += 1;
        if taken != DUPLICATE_RIDGE {
            self.set_neighbor(other, DUPLICATE_RIDGE);
            self.facets[other.facet].duplicate_ridge = true;
            if taken != NONE {
                self.replace_neighbor(taken, other.facet, DUPLICATE_RIDGE)?;
                self.facets[taken].duplicate_ridge = true;
                self.extend_chain(v, taken);
                *open += 2;
            }
        }
        Ok(())
    }

    /// Chooses neighbours among the several facets of a ridge; all but one pair will be merged. Qhull: `qh_matchdupridge`.
    fn match_duplicate_ridge(&mut self, at: Side, open: &mut isize) -> Result<(), HullError> {
        // the pair that stays: the closest acceptable one; where none is, the widest, so that closer ones are merged
        let (good, widest) = self.best_duplicate_match(at)?;
        let Some(chosen) = good.or(widest) else {
            return Err(HullError::Topology("a duplicate ridge has no match"));
        };
        self.set_neighbor(chosen.from, chosen.to.facet);
        self.set_neighbor(chosen.to, chosen.from.facet);
        *open -= 2;

        // the other pairs
        let v = self.side_vertex(at);
        let stamp = self.next_visit();
        let mut good_end = good.map(|m| m.to);
        let mut current = Some(at);
        while let Some(side) = current {
            current = None;
            self.facets[side.facet].visit = stamp;
            let mut entry = self.chain(v);
            while entry != NONE {
                let (facet, next) = self.chains[entry];
                entry = next;
                if !self.facets[facet].duplicate_ridge || self.facets[facet].visit == stamp {
                    continue;
                }
                let (other, fits) = self.facing(side, facet, v);
                if self.neighbor_at(other) != DUPLICATE_RIDGE {
                    continue;
                }
                // another side with the orientation of this one: its partners are looked for next
                if !fits {
                    current = Some(other);
                } else if self.neighbor_at(side) == DUPLICATE_RIDGE {
                    self.set_neighbor(other, side.facet);
                    if self.facets[side.facet].triangulated {
                        self.set_neighbor(side, facet);
                    } else if let Some(end) = good_end.take() {
                        self.set_neighbor(end, MERGE_RIDGE);
                        self.set_neighbor(side, facet);
                    } else {
                        self.set_neighbor(side, MERGE_RIDGE);
                    }
                    *open -= 2;
                }
            }
            if self.neighbor_at(side) == DUPLICATE_RIDGE {
                return Err(HullError::Topology("a duplicate ridge was not resolved"));
            }
        }
        Ok(())
    }

    /// The closest acceptable pair of a duplicate ridge, and the pair furthest apart if there is none.
    fn best_duplicate_match(
        &mut self,
        at: Side,
    ) -> Result<(Option<Match>, Option<Match>), HullError> {
        // closer than this is rounding
        let limit = WIDE_DUPLICATE_RIDGE * (self.tol.one_merge + self.tol.round);
        let v = self.side_vertex(at);
        let mut good: Option<Match> = None;
        let mut widest: Option<Match> = None;
        let mut same_vertices = false;
        let stamp = self.next_visit();
        let mut current = Some(at);
        while let Some(side) = current {
            current = None;
            self.facets[side.facet].visit = stamp;
            let mut entry = self.chain(v);
            while entry != NONE {
                let (facet, next) = self.chains[entry];
                entry = next;
                if !self.facets[facet].duplicate_ridge || self.facets[facet].visit == stamp {
                    continue;
                }
                let (other, fits) = self.facing(side, facet, v);
                if self.links[side.facet].vertices[side.skip]
                    == self.links[facet].vertices[other.skip]
                {
                    same_vertices = true;
                }
                if self.neighbor_at(other) != DUPLICATE_RIDGE {
                    return Err(HullError::Topology("a ridge is both duplicate and matched"));
                }
                if !fits {
                    current = Some(other);
                    continue;
                }
                if self.neighbor_at(side) != DUPLICATE_RIDGE {
                    continue;
                }
                // facets that wait to be merged into the horizon have no plane yet
                for f in [facet, side.facet] {
                    if !self.facets[f].has_plane {
                        self.set_plane(f)?;
                    }
                }
                // how far a merge of one into the other would move its vertices
                let mut forward = self.vertex_range(facet, side.facet).size;
                let backward = self.vertex_range(side.facet, facet).size;
                let (other_flipped, side_flipped) =
                    (self.facets[facet].flipped, self.facets[side.facet].flipped);
                let forth = Match { from: other, to: side, distance: forward };
                let back = Match { from: side, to: other, distance: backward };
                let good_flipped = good.map(|m| self.facets[m.from.facet].flipped);
                // a flipped facet is matched first, since its merge repairs it
                let improves_flipped =
                    |d: f64| good_flipped != Some(true) || good.is_none_or(|m| d < m.distance);
                let improves =
                    |d: f64| good.is_none_or(|m| good_flipped == Some(false) && d < m.distance);
                // two facets with the same three vertices must be merged, whatever the distance
                if same_vertices {
                    good = None;
                    widest = Some(Match { distance: forward.min(backward), ..forth });
                    break;
                } else if other_flipped && !side_flipped && forward < limit {
                    if improves_flipped(forward) {
                        good = Some(forth);
                    }
                } else if side_flipped && !other_flipped && backward < limit {
                    if improves_flipped(backward) {
                        good = Some(back);
                    }
                } else if forward < limit && (!side_flipped || other_flipped) {
                    if improves(forward) {
                        good = Some(forth);
                    }
                } else if backward < limit && (!other_flipped || side_flipped) {
                    if improves(backward) {
                        good = Some(back);
                    }
                } else if good.is_none() {
                    if !side_flipped || other_flipped {
                        forward = forward.min(backward);
                    }
                    if widest.is_none_or(|m| forward > m.distance) {
                        widest = Some(Match { distance: forward, ..forth });
                    }
                }
            }
        }
        Ok((good, widest))
    }
}
