//! Sharing out points: every point that is not a vertex belongs to the outside set or to the coplanar set of one facet,
//! or is forgotten because it is clearly inside.
//!
//! The last point of an outside set is the furthest one, and so is the last of a coplanar set: whoever is added pushes itself behind or
//! before it, and nothing is sorted. The order of the others is the order in which they came.

use super::HullError;
use super::arena::{NONE, TAIL, push_before_last};
use super::build::Builder;
use super::plane::{distance, distance_squared};
use super::search::Best;
use crate::pose::dot;

/// A point this many times further above a facet than expected belongs elsewhere. Qhull's `qh_RATIOcoplanaroutside`.
const SUSPICIOUS_OUTSIDE: f64 = 30.0;

impl Builder<'_> {
    /// Assigns all points but the vertices of the initial simplex. Qhull: `qh_partitionall`.
    pub(super) fn partition_all(&mut self, simplex: &[usize]) -> Result<(), HullError> {
        let points = self.points;
        let enough = self.clearly_outside();
        // each facet takes what is clearly above it; one facet is enough for a point
        let mut rest: Vec<usize> = (0..points.len()).filter(|i| !simplex.contains(i)).collect();
        let mut f = Self::first(self.facet_list);
        while f != TAIL {
            let mut outside = Vec::new();
            let mut best = NONE;
            let mut furthest = 0.0;
            let facet = &self.facets[f];
            rest.retain(|&i| {
                // those below stay for the facets that follow
                let d = distance(facet, &points[i]);
                if d < enough {
                    return true;
                }
                // the furthest so far is held back, and appended last
                if best == NONE {
                    (best, furthest) = (i, d);
                } else if d > furthest {
                    outside.push(best);
                    (best, furthest) = (i, d);
                } else {
                    outside.push(i);
                }
                false
            });
            if best != NONE {
                outside.push(best);
                self.facets[f].furthest = furthest;
            }
            self.num_outside += outside.len();
            self.links[f].outside = outside;
            f = self.facets[f].next;
        }
        self.search_all_new = true;
        // what is close to several facets, or inside, is looked at one by one
        for i in rest {
            self.partition_point(i, self.facet_list)?;
        }
        self.search_all_new = false;
        Ok(())
    }

    /// Assigns a point, starting the search at `start`. Qhull: `qh_partitionpoint`.
    fn partition_point(&mut self, point: usize, start: usize) -> Result<(), HullError> {
        let best = if self.search_all_new {
            self.find_best_new(point, start, false)?
        } else {
            self.find_best(point, start, false, true)?
        };
        let f = best.facet;
        if self.facets[f].visible {
            return Err(HullError::Topology("a point was assigned to a deleted facet"));
        }
        // a narrow start cannot tell coplanar points from outside ones: it keeps them for later
        let mut outside = best.distance >= self.tol.min_outside;
        if self.narrow && best.distance >= -self.tol.near_inside {
            outside = true;
        }
        // near the facet: kept, since a merge may move the facet below it; otherwise inside for good
        if !outside {
            if best.distance >= -self.tol.near_inside {
                return self.keep_coplanar(point, f, best, false);
            }
            return Ok(());
        }
        // the furthest point stays last
        let mut first_outside = false;
        let list = &mut self.links[f].outside;
        let previous = self.facets[f].furthest;
        // the first outside point of a facet that the construction had passed puts it ahead again
        if list.is_empty() {
            list.push(point);
            self.facets[f].furthest = best.distance;
            first_outside = !self.narrow || best.distance > self.tol.min_outside;
        } else if previous < best.distance {
            list.push(point);
            self.facets[f].furthest = best.distance;
            first_outside = self.narrow
                && previous < self.tol.min_outside
                && best.distance >= self.tol.min_outside;
        } else {
            push_before_last(list, point);
        }
        // a facet with its first outside point must still be ahead of the construction
        if first_outside && self.facet_next != f {
            if self.facets[f].is_new {
                if self.facets[self.facet_next].is_new {
                    self.facet_next = self.new_facets;
                }
            } else {
                self.requeue_facet(f);
                if self.new_facets != NONE {
                    self.facets[f].is_new = true;
                }
            }
        }
        self.num_outside += 1;
        Ok(())
    }

    /// Finds the best facet for a point known to be coplanar or inside, and keeps it there. Qhull: `qh_partitioncoplanar`.
    pub(super) fn partition_coplanar(
        &mut self,
        point: usize,
        start: usize,
        all_new: bool,
    ) -> Result<(), HullError> {
        self.was_coplanar = true;
        let best = if all_new {
            self.find_best_new(point, start, true)?
        } else {
            self.find_best(point, start, true, false)?
        };
        // clearly inside: forgotten
        if best.distance < -self.tol.near_inside {
            self.repartition_id = 0;
            return Ok(());
        }
        self.keep_coplanar(point, start, best, true)
    }

    /// Keeps a point with the coplanar set of a facet. When `searched`, the best facet was found from `start`.
    fn keep_coplanar(
        &mut self,
        point: usize,
        start: usize,
        best: Best,
        searched: bool,
    ) -> Result<(), HullError> {
        self.was_coplanar = true;
        let f = best.facet;
        if self.facets[f].visible {
            return Err(HullError::Topology("a point was assigned to a deleted facet"));
        }
        // further above a facet than any point yet: a facet that faces the other way, or a wide merge; then it is an outside point of
        // some facet after all
        if best.distance > self.max_outside {
            let opposite = searched
                && f != start
                && dot(&self.facets[start].normal, &self.facets[f].normal) < 0.0;
            let far = best.distance > self.outside_limit * SUSPICIOUS_OUTSIDE;
            if !opposite && far && start == f {
                let id = self.facets[f].id;
                if id == self.repartition_id {
                    return Err(HullError::Topology("a point is outside but belongs to no facet"));
                }
                self.repartition_id = id;
            }
            // search again as for any point, without trusting the new facets alone
            if opposite || far {
                let all_new = std::mem::replace(&mut self.search_all_new, false);
                self.partition_point(point, f)?;
                self.search_all_new = all_new;
                self.repartition_id = 0;
                return Ok(());
            }
            self.repartition_id = 0;
            self.max_outside = best.distance;
        }
        let list = &mut self.links[f].coplanar;
        let is_furthest = match list.last() {
            Some(&last) => distance(&self.facets[f], &self.points[last]) < best.distance,
            None => true,
        };
        if is_furthest {
            list.push(point);
        } else {
            push_before_last(list, point);
        }
        Ok(())
    }

    /// Hands the points of the visible facets and the deleted vertices to the new facets. Qhull: `qh_partitionvisible`.
    pub(super) fn partition_visible(&mut self) -> Result<(), HullError> {
        let mut visible = Self::first(self.visible_facets);
        while self.facets[visible].visible {
            let links = &mut self.links[visible];
            if !links.outside.is_empty() || !links.coplanar.is_empty() {
                // the search begins at the facet that took the place of this one
                let mut outside = std::mem::take(&mut links.outside);
                let mut coplanar = std::mem::take(&mut links.coplanar);
                let mut start = self.replacement(visible);
                if start == NONE {
                    start = self.new_facets;
                }
                if start == NONE || start == TAIL {
                    return Err(HullError::Topology("all new facets were merged away"));
                }
                self.num_outside = self.num_outside.saturating_sub(outside.len());
                for &point in &outside {
                    self.partition_point(point, start)?;
                }
                for &point in &coplanar {
                    self.partition_coplanar(point, start, self.search_all_new)?;
                }
                outside.clear();
                coplanar.clear();
                self.links[visible].outside = outside;
                self.links[visible].coplanar = coplanar;
            }
            visible = self.facets[visible].next;
        }
        // vertices that the cone or merges removed are points again
        for i in 0..self.deleted_vertices.len() {
            let v = self.deleted_vertices[i];
            if !self.vertices[v].partitioned {
                self.partition_coplanar(self.vertices[v].point, self.new_facets, true)?;
                self.vertices[v].partitioned = true;
            }
        }
        Ok(())
    }

    /// Ends a narrow construction: what is left in outside sets is coplanar. Qhull: `qh_outcoplanar`.
    pub(super) fn outside_to_coplanar(&mut self) -> Result<(), HullError> {
        let mut f = Self::first(self.facet_list);
        while f != TAIL {
            for point in std::mem::take(&mut self.links[f].outside) {
                self.num_outside = self.num_outside.saturating_sub(1);
                let d = self.distance(&self.points[point], f);
                self.keep_coplanar(point, f, Best { facet: f, distance: d }, false)?;
            }
            self.links[f].outside.clear();
            f = self.facets[f].next;
        }
        Ok(())
    }

    /// Shortest distance between two of the vertices, and that pair in list order.
    pub(super) fn closest_vertices(&self, vertices: &[usize]) -> (f64, usize, usize) {
        let mut best = (f64::MAX, NONE, NONE);
        for (i, &a) in vertices.iter().enumerate() {
            for &b in &vertices[i + 1..] {
                let d = distance_squared(&self.vertex_point(a), &self.vertex_point(b));
                if d < best.0 {
                    best = (d, a, b);
                }
            }
        }
        (best.0.sqrt(), best.1, best.2)
    }
}
