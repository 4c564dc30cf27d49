//! Finding the facet that a point is furthest above.
//!
//! On a convex polyhedron, going from facet to neighbour while the distance grows ends at the best facet, or at one that the point is
//! above, which is enough. Merged facets are not exactly convex, so that the walk can end at a ridge which is lower than what is behind
//! it. Therefore the walk is followed by a search through all facets that are within the merges' thickness of the best one; and where
//! many merges happened, or the new cone is sharp (its facets face different ways), all new facets are compared.

use super::HullError;
use super::arena::{NONE, TAIL};
use super::build::Builder;
use super::plane::{distance, distance_squared};

/// Below every distance that occurs, with room to subtract a tolerance.
const LOWEST: f64 = -f64::MAX / 2.0;

/// The facet found for a point.
#[derive(Clone, Copy)]
pub(super) struct Best {
    /// Facet that the point is furthest above, as far as the search went.
    pub facet: usize,
    /// Signed distance above it.
    pub distance: f64,
}

impl Builder<'_> {
    /// Distance at which a search among all new facets may stop.
    pub(super) fn clearly_outside(&self) -> f64 {
        // merged facets hide what is behind them: look further
        let factor = if self.many_merges() { 2.0 } else { 1.0 };
        factor * (2.0 * self.tol.min_outside).max(self.max_outside)
    }

    /// Facets within this distance of the best one are searched through.
    fn search_distance(&self) -> f64 {
        let factor = if self.many_merges() { 2.0 } else { 1.0 };
        factor
            * (self.max_outside
                + 2.0 * self.tol.round
                + self.tol.min_visible.max(self.tol.max_coplanar))
    }

    /// Walks uphill from `start`. Unless `exhaustive`, stops at the first facet that the point is outside of;
    /// with `only_new` stays within the new facets until the final search among coplanar facets. Qhull: `qh_findbest`.
    pub(super) fn find_best(
        &mut self,
        point: usize,
        start: usize,
        exhaustive: bool,
        only_new: bool,
    ) -> Result<Best, HullError> {
        // the start itself
        let p = self.points[point];
        let stamp = self.next_visit();
        let min_outside = self.tol.min_outside;
        let mut best = Best { facet: NONE, distance: LOWEST };
        // flipped facets have no outside
        if !self.facets[start].flipped {
            let d = distance(&self.facets[start], &p);
            best = Best { facet: start, distance: d };
            if !exhaustive && d >= min_outside {
                return Ok(best);
            }
        }
        self.facets[start].visit = stamp;
        // uphill, to the first neighbour that is better
        let mut last = start;
        let mut current = start;
        while current != NONE {
            last = current;
            current = NONE;
            for &n in &self.links[last].neighbors {
                let facet = &mut self.facets[n];
                if (only_new && !facet.is_new) || facet.visit == stamp {
                    continue;
                }
                facet.visit = stamp;
                if facet.flipped {
                    continue;
                }
                let d = distance(facet, &p);
                // better: on from there; outside of it, where that is enough, ends the walk
                if d > best.distance {
                    best = Best { facet: n, distance: d };
                    if !exhaustive && d >= min_outside {
                        return Ok(best);
                    }
                    current = n;
                    break;
                }
            }
        }
        // the walk may have ended on the wrong side of a sharp cone
        if only_new {
            if best.facet == NONE {
                return self.find_best_new(point, self.new_facets, exhaustive);
            }
            if !self.not_sharp && best.distance < -self.tol.round {
                if self.new_facets_are_sharp() {
                    self.search_all_new = true;
                    return self.find_best_new(point, best.facet, exhaustive);
                }
                self.not_sharp = true;
            }
        }
        // all facets on the way were flipped
        if best.facet == NONE {
            best = self.find_best_near(point, last)?;
        }
        Ok(self.find_best_coplanar(point, best, false))
    }

    /// Compares a point with every new facet, from `start` on and then from the first one. Qhull: `qh_findbestnew`.
    pub(super) fn find_best_new(
        &mut self,
        point: usize,
        start: usize,
        exhaustive: bool,
    ) -> Result<Best, HullError> {
        if start == NONE || start == TAIL {
            return Err(HullError::Topology("all new facets were merged away"));
        }
        let p = self.points[point];
        let stamp = self.next_visit();
        let enough = if exhaustive { f64::INFINITY } else { self.clearly_outside() };
        let mut best = Best { facet: NONE, distance: LOWEST };
        // neighbours of the start are likely to be good: they come first
        for pass in 0..2 {
            let mut f = if pass == 0 { start } else { Self::first(self.new_facets) };
            while f != TAIL {
                if pass == 1 && f == start {
                    break;
                }
                let facet = &mut self.facets[f];
                facet.visit = stamp;
                if !facet.flipped {
                    let d = distance(facet, &p);
                    if d > best.distance {
                        best = Best { facet: f, distance: d };
                        if d >= enough {
                            return Ok(best);
                        }
                    }
                }
                f = facet.next;
            }
        }
        if best.facet == NONE {
            best.facet = start;
        }
        Ok(self.find_best_coplanar(point, best, false))
    }

    /// Searches all facets connected to `start` that are nearly as good. When `record`, the facets keep the largest
    /// distance of the points above them and the search also covers facets just below the point. Qhull: `qh_findbesthorizon`.
    pub(super) fn find_best_coplanar(&mut self, point: usize, start: Best, record: bool) -> Best {
        let p = self.points[point];
        let mut best = start;
        let stamp = self.next_visit();
        // facets within the thickness of merges below the best one are looked through
        let range = self.search_distance();
        let mut lowest = best.distance - range;
        if record {
            let facet = &mut self.facets[start.facet];
            facet.max_outside = facet.max_outside.max(best.distance);
            lowest = lowest.min(-range);
        }
        self.stack.clear();
        self.facets[start.facet].visit = stamp;
        let mut current = start.facet;
        // depth first over all facets above `lowest`; a better one raises it
        while current != NONE {
            let neighbors = &self.links[current].neighbors;
            // very large merged facets would otherwise pull in too many neighbours
            let large = record && self.facets[current].merges > 10 && neighbors.len() > 100;
            let mut next = NONE;
            for &n in neighbors {
                let facet = &mut self.facets[n];
                if facet.visit == stamp {
                    continue;
                }
                facet.visit = stamp;
                if !facet.flipped {
                    let d = distance(facet, &p);
                    if d > best.distance {
                        if !record {
                            lowest = d - range;
                            // so much better that what was waiting is out of range
                            if d > best.distance + range {
                                self.stack.clear();
                            }
                        }
                        best = Best { facet: n, distance: d };
                    } else if d < if large { 5.0 * lowest } else { lowest } {
                        continue;
                    }
                    if record && d > facet.max_outside {
                        facet.max_outside = d;
                    }
                }
                if next != NONE {
                    self.stack.push(next);
                }
                next = n;
            }
            current = if next != NONE { next } else { self.stack.pop().unwrap_or(NONE) };
        }
        best
    }

    /// Search for a usable facet when every facet on the way was flipped: its neighbours, then the facets of the
    /// nearest vertex, then all.
    fn find_best_near(&mut self, point: usize, facet: usize) -> Result<Best, HullError> {
        let p = self.points[point];
        let mut best = Best { facet: NONE, distance: LOWEST };
        // neighbours first
        self.best_of(&p, &self.links[facet].neighbors, &mut best);
        if best.facet == NONE {
            // then the facets around the nearest vertex
            let mut nearest = NONE;
            let mut shortest = f64::MAX;
            for &v in &self.links[facet].vertices {
                let d = distance_squared(&self.points[self.vertices[v].point], &p);
                if d < shortest {
                    shortest = d;
                    nearest = v;
                }
            }
            if nearest != NONE {
                self.find_vertex_facets();
                self.best_of(&p, &self.vertex_facets[nearest], &mut best);
            }
        }
        if best.facet == NONE {
            // then all
            let mut f = Self::first(self.facet_list);
            while f != TAIL {
                let candidate = &self.facets[f];
                if !candidate.flipped && candidate.has_plane && !candidate.visible {
                    let d = distance(candidate, &p);
                    if best.facet == NONE || d > best.distance {
                        best = Best { facet: f, distance: d };
                        if d > self.tol.min_outside {
                            break;
                        }
                    }
                }
                f = candidate.next;
            }
        }
        if best.facet == NONE {
            return Err(HullError::Topology("all facets are flipped"));
        }
        Ok(best)
    }

    /// The best of some facets, if it is better than the best so far.
    fn best_of(&self, p: &[f64; 3], facets: &[usize], best: &mut Best) {
        for &n in facets {
            if !self.facets[n].flipped {
                let d = self.distance(p, n);
                if d > best.distance {
                    *best = Best { facet: n, distance: d };
                }
            }
        }
    }

    /// Whether the normals of the new facets lie in more than one octant.
    fn new_facets_are_sharp(&self) -> bool {
        let first = Self::first(self.new_facets);
        let octant = self.facets[first].normal.map(|x| x > 0.0);
        let mut f = first;
        while f != TAIL {
            if self.facets[f].normal.map(|x| x > 0.0) != octant {
                return true;
            }
            f = self.facets[f].next;
        }
        false
    }
}
