//! New facets that are coplanar with the horizon are merged into their horizon facet, all of one horizon facet at once.
//!
//! Their plane was never computed: they extend the horizon facet up to the apex, in its plane. Neighbours, ridges and vertices of all
//! facets of a cycle are moved in three passes, in which a stamp tells facets of the cycle from others. Ridges between two facets of the
//! cycle, or between one and the horizon facet, become interior.

use super::super::HullError;
use super::super::arena::{NONE, Ridge, TAIL};
use super::super::build::Builder;
use super::MergeKind;
use super::facet::{FEW_VERTICES, MAX_MERGES};

impl Builder<'_> {
    /// Merges all new facets that have no plane of their own; returns whether there were any. Qhull: `qh_mergecycle_all`.
    pub(super) fn merge_cycles(&mut self) -> Result<bool, HullError> {
        let mut merged = false;
        let mut f = Self::first(self.new_facets);
        while f != TAIL {
            let mut next = self.facets[f].next;
            if self.facets[f].has_plane {
                f = next;
                continue;
            }
            let horizon = self.links[f].neighbors[0];
            // a cycle of one is an ordinary merge
            if self.facets[f].link == f {
                // the ridge to the horizon goes: its ends may be needless
                for &v in &self.links[f].vertices[1..] {
                    self.vertices[v].lost_ridge = true;
                }
                self.facets[horizon].link = NONE;
                self.merge_facet(f, horizon, MergeKind::CoplanarHorizon, None, true)?;
            } else {
                let cycle = self.trim_cycle(f)?;
                // those of this cycle are gone
                while next != TAIL && self.facets[next].cycle_done {
                    next = self.facets[next].next;
                }
                self.facets[horizon].link = NONE;
                self.merge_cycle(&cycle, horizon)?;
                let merges = usize::from(self.facets[horizon].merges) + cycle.len();
                self.facets[horizon].merges = merges.min(usize::from(MAX_MERGES)) as u16;
            }
            merged = true;
            f = next;
        }
        // horizon facets that grew may contain their neighbours
        if merged {
            let mut f = Self::first(self.new_facets);
            while f != TAIL {
                if self.facets[f].coplanar_horizon {
                    self.queue_redundant_neighbors(f)?;
                    self.facets[f].coplanar_horizon = false;
                }
                f = self.facets[f].next;
            }
            self.merge_degenerate()?;
        }
        Ok(merged)
    }

    /// The facets of a cycle that still lack a plane, ending with `f`.
    fn trim_cycle(&mut self, f: usize) -> Result<Vec<usize>, HullError> {
        let mut cycle = Vec::new();
        // around the ring of links, back to f
        let mut same = f;
        loop {
            same = self.facets[same].link;
            if same == NONE || self.facets[same].cycle_done || self.facets[same].visible {
                return Err(HullError::Topology("a cycle of new facets is broken"));
            }
            self.facets[same].cycle_done = true;
            if !self.facets[same].has_plane {
                cycle.push(same);
            }
            if same == f {
                return Ok(cycle);
            }
        }
    }

    /// Merges the facets of a cycle into their horizon facet. Qhull: `qh_mergecycle`.
    fn merge_cycle(&mut self, cycle: &[usize], horizon: usize) -> Result<(), HullError> {
        self.total_merges += 1;
        self.find_vertex_facets();
        let Some(&last) = cycle.last() else {
            return Err(HullError::Topology("a cycle of new facets is empty"));
        };
        let apex = self.links[last].vertices[0];
        self.make_ridges(horizon)?;
        // facets of the cycle carry this stamp
        let stamp = self.next_visit();
        for &f in cycle {
            self.facets[f].visit = stamp;
        }
        self.merge_cycle_neighbors(cycle, horizon, stamp)?;
        self.merge_cycle_ridges(cycle, horizon, stamp)?;
        self.merge_cycle_vertices(cycle, horizon, stamp, apex);
        // the apex is the newest vertex
        if self.links[horizon].vertices.first() != Some(&apex) {
            self.links[horizon].vertices.insert(0, apex);
        }
        if !self.facets[horizon].is_new {
            self.renew_vertices(horizon);
        }
        self.requeue_facet(horizon);
        let facet = &mut self.facets[horizon];
        facet.is_new = true;
        facet.simplicial = false;
        facet.new_merge = true;
        for &f in cycle {
            self.discard_facet(f, horizon);
        }
        // the centrum of a small facet moves
        if self.links[horizon].vertices.len() <= FEW_VERTICES {
            self.facets[horizon].centrum = None;
        }
        Ok(())
    }

    /// Makes the neighbours of the cycle neighbours of the horizon facet.
    fn merge_cycle_neighbors(
        &mut self,
        cycle: &[usize],
        horizon: usize,
        in_cycle: u32,
    ) -> Result<(), HullError> {
        // neighbours that the horizon facet has already, without the cycle
        let done = self.next_visit();
        self.facets[horizon].visit = done;
        let facets = &mut self.facets;
        self.links[horizon].neighbors.retain(|n| {
            let keep = facets[n].visit != in_cycle;
            if keep {
                facets[n].visit = done;
            }
            keep
        });
        for &f in cycle {
            for i in 0..self.links[f].neighbors.len() {
                let n = self.links[f].neighbors[i];
                let visit = self.facets[n].visit;
                if visit == in_cycle {
                    continue;
                }
                // a merged neighbour lists each facet once, however many ridges there are
                if !self.facets[n].simplicial {
                    self.links[n].neighbors.remove_item(f);
                    if visit != done {
                        self.links[n].neighbors.push(horizon);
                        self.links[horizon].neighbors.push(n);
                        self.facets[n].visit = done;
                    }
                // a triangle has one place for each neighbour
                } else if visit != done {
                    self.links[horizon].neighbors.push(n);
                    self.replace_neighbor(n, f, horizon)?;
                    self.facets[n].visit = done;
                    // an explicit ridge of it, if any, changes sides
                    for &r in &self.links[n].ridges {
                        let ridge = &mut self.ridges[r];
                        if ridge.top == f {
                            ridge.top = horizon;
                            break;
                        } else if ridge.bottom == f {
                            ridge.bottom = horizon;
                            break;
                        }
                    }
                } else {
                    // a triangle with two ridges to the horizon facet is no triangle any more
                    self.make_ridges(n)?;
                    self.links[n].neighbors.remove_item(f);
                }
            }
        }
        Ok(())
    }

    /// Makes the outer ridges of the cycle ridges of the horizon facet and frees the inner ones.
    fn merge_cycle_ridges(
        &mut self,
        cycle: &[usize],
        horizon: usize,
        in_cycle: u32,
    ) -> Result<(), HullError> {
        // ridges between the horizon facet and the cycle are interior
        let (facets, ridges) = (&self.facets, &self.ridges);
        self.links[horizon].ridges.retain(|r| facets[ridges[r].other(horizon)].visit != in_cycle);
        for &f in cycle {
            // explicit ridges change sides, or go where both sides are now the same
            let mut own = std::mem::take(&mut self.links[f].ridges);
            for &r in &own {
                let ridge = &mut self.ridges[r];
                let n = if ridge.top == f {
                    ridge.top = horizon;
                    ridge.bottom
                } else if ridge.bottom == f {
                    ridge.bottom = horizon;
                    ridge.top
                } else if ridge.top == horizon || ridge.bottom == horizon {
                    self.attach_ridge(horizon, r);
                    continue;
                } else {
                    return Err(HullError::Topology("a ridge does not know its facet"));
                };
                if n == horizon {
                    self.free_ridges.push(r);
                } else if self.facets[n].visit == in_cycle {
                    self.links[n].ridges.remove_item(r);
                    self.free_ridges.push(r);
                } else {
                    self.attach_ridge(horizon, r);
                }
            }
            own.clear();
            self.links[f].ridges = own;
            if !self.facets[f].simplicial {
                continue;
            }
            // ridges between two triangles were implicit: the horizon facet needs them
            for i in 0..self.links[f].neighbors.len() {
                let n = self.links[f].neighbors[i];
                if self.facets[n].visit == in_cycle || !self.facets[n].simplicial {
                    continue;
                }
                let (&[a, b, c], 0..3) = (&self.links[f].vertices[..], i) else {
                    return Err(HullError::Topology("a triangle has more than three neighbours"));
                };
                let vertices = [[b, c], [a, c], [a, b]][i];
                let is_top = self.facets[f].top_oriented != (i % 2 == 1);
                let (top, bottom) = if is_top { (horizon, n) } else { (n, horizon) };
                let r = self.new_ridge(Ridge { vertices, top, bottom, ..Ridge::default() });
                self.attach_ridge(horizon, r);
                self.attach_ridge(n, r);
            }
        }
        Ok(())
    }

    /// Connects the vertices of the cycle to the horizon facet.
    fn merge_cycle_vertices(
        &mut self,
        cycle: &[usize],
        horizon: usize,
        in_cycle: u32,
        apex: usize,
    ) {
        // each vertex of the cycle once, the apex last
        self.facets[horizon].visit = in_cycle;
        let mut vertices = Vec::new();
        let stamp = self.next_vertex_visit();
        self.vertices[apex].visit = stamp;
        for &f in cycle {
            if self.facets[f].merge_ridge {
                continue;
            }
            for &v in &self.links[f].vertices {
                if self.vertices[v].visit != stamp {
                    self.vertices[v].visit = stamp;
                    vertices.push(v);
                }
            }
        }
        vertices.push(apex);
        for v in vertices {
            self.vertices[v].lost_ridge = true;
            let facets = &self.facets;
            let list = &mut self.vertex_facets[v];
            // facets of the cycle go, the horizon facet comes; a vertex with that one alone is inside of it
            list.retain(|f| facets[f].visit != in_cycle);
            list.push(horizon);
            if list.len() < 2 {
                self.links[horizon].vertices.remove_item_in_order(v);
                self.vertices[v].deleted = true;
                self.deleted_vertices.push(v);
            }
        }
    }
}
