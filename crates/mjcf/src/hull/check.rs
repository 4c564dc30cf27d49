//! The final check that merging did not push points far outside the hull.
//!
//! During construction the widest facet is known from the merges. A point that is now much further out than that, or much further than
//! many single merges explain, was lost: its facet was merged away under it.

use super::HullError;
use super::arena::TAIL;
use super::build::Builder;
use super::search::Best;

/// A distance this many times larger than seen during construction is refused. Qhull's `qh_WIDEmaxoutside`.
const WIDE: f64 = 100.0;
/// A distance of more than this many single merges is refused. Qhull's `qh_WIDEmaxoutside2`.
const VERY_WIDE: f64 = 10.0 * WIDE;

impl Builder<'_> {
    /// Compares the vertices and the points kept near the hull with all facets around them. Qhull: `qh_check_maxout`.
    pub(super) fn check_widths(&mut self) -> Result<(), HullError> {
        // nothing was merged, and no point is near a facet
        if self.all_convex && !self.was_coplanar {
            return Ok(());
        }
        // what was seen during construction, at least one merge
        let one_merge = self.tol.one_merge;
        let usual = one_merge + self.tol.round;
        let lowest_before = self.min_vertex.min(-usual);
        let highest_before = self.max_outside.max(usual);
        let lowest = if self.vertex_facets_known { self.lowest_vertex() } else { self.min_vertex };
        let highest = self.highest_point();
        // by ratio to what was seen; where that was wide already, by the absolute width
        let wide = if highest / highest_before > WIDE {
            true
        } else if highest_before > one_merge * VERY_WIDE {
            highest > one_merge * VERY_WIDE
        } else if lowest / lowest_before > WIDE {
            true
        } else {
            lowest_before < -(one_merge * VERY_WIDE) && lowest < -(one_merge * VERY_WIDE)
        };
        if wide { Err(HullError::Wide) } else { Ok(()) }
    }

    /// Distance of the vertex furthest below one of its facets.
    fn lowest_vertex(&self) -> f64 {
        let mut lowest = 0.0_f64;
        let mut v = Self::first(self.vertex_list);
        while v != TAIL {
            let p = self.vertex_point(v);
            for &f in &self.vertex_facets[v] {
                lowest = lowest.min(self.distance(&p, f));
            }
            v = self.vertices[v].next;
        }
        lowest
    }

    /// Distance of the vertex or kept point furthest above a facet.
    fn highest_point(&mut self) -> f64 {
        let mut highest = 0.0_f64;
        let mut points = Vec::new();
        let stamp = self.next_vertex_visit();
        let mut f = Self::first(self.facet_list);
        while f != TAIL {
            // vertices once each, and all points that were kept with the facet
            points.clear();
            for &v in &self.links[f].vertices {
                if self.vertices[v].visit != stamp {
                    self.vertices[v].visit = stamp;
                    points.push(self.vertices[v].point);
                }
            }
            points.extend(&self.links[f].coplanar);
            points.extend(&self.links[f].outside);
            for &point in &points {
                let distance = self.distance(&self.points[point], f);
                let best = self.find_best_coplanar(point, Best { facet: f, distance }, true);
                highest = highest.max(best.distance);
            }
            f = self.facets[f].next;
        }
        // the search notes the highest point in each facet that it passes
        if highest > self.tol.round {
            let mut f = Self::first(self.facet_list);
            while f != TAIL {
                highest = highest.max(self.facets[f].max_outside);
                f = self.facets[f].next;
            }
        }
        highest
    }
}
