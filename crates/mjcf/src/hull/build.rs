//! The quickhull loop: take the furthest point of a facet, replace the facets it sees by a cone, share out their points.

use super::HullError;
use super::arena::{Facet, Links, NONE, Ridge, TAIL, Vertex};
use super::list::List;
use super::merge::{Merge, VertexMerge};
use super::plane::{Tolerances, distance};

/// After this many merges a point is compared with all new facets instead of walking to its best one. Qhull's `qh_USEfindbestnew`.
const MANY_MERGES: usize = 50;

/// The polyhedron under construction.
pub(super) struct Builder<'a> {
    pub points: &'a [[f64; 3]],
    pub tol: Tolerances,

    pub facets: Vec<Facet>,
    pub links: Vec<Links>,
    pub free_facets: Vec<usize>,
    pub next_facet_id: usize,
    pub ridges: Vec<Ridge>,
    pub free_ridges: Vec<usize>,
    pub vertices: Vec<Vertex>,
    /// Facets of each vertex; maintained once `vertex_facets_known`.
    pub vertex_facets: Vec<List>,
    pub vertex_facets_known: bool,

    pub facet_list: usize,
    /// First facet that may still have outside points.
    pub facet_next: usize,
    /// First new facet; they run to the end of the list.
    pub new_facets: usize,
    /// First visible facet; they run up to the new facets.
    pub visible_facets: usize,
    pub num_facets: usize,
    pub num_visible: usize,
    pub vertex_list: usize,
    pub new_vertices: usize,
    pub num_vertices: usize,
    pub deleted_vertices: Vec<usize>,
    /// Creation number of the first facet of the current cone; 0 when there is none.
    pub first_new_id: usize,

    pub visit: u32,
    pub vertex_visit: u32,
    pub chain_stamp: u32,
    /// Chains of new facets waiting for a neighbour: `(facet, next)`.
    pub chains: Vec<(usize, usize)>,
    /// Stack of the search among coplanar facets.
    pub stack: Vec<usize>,

    pub interior: [f64; 3],
    pub num_outside: usize,
    /// Largest distance of a point above a facet so far.
    pub max_outside: f64,
    /// Largest distance of a vertex below a facet so far.
    pub min_vertex: f64,
    /// Bound on `max_outside` that is not suspicious.
    pub outside_limit: f64,
    /// The initial simplex is so flat that coplanar points cannot be told yet.
    pub narrow: bool,
    /// All facets were clearly convex so far.
    pub all_convex: bool,
    /// A point was coplanar with a facet.
    pub was_coplanar: bool,
    /// Compare points with all new facets.
    pub search_all_new: bool,
    /// The new facets span less than a quadrant.
    pub not_sharp: bool,
    /// Creation number of the facet whose point is being shared out again.
    pub repartition_id: usize,
    pub total_merges: usize,

    pub facet_merges: Vec<Merge>,
    pub degenerate_merges: Vec<Merge>,
    pub vertex_merges: Vec<VertexMerge>,
}

impl<'a> Builder<'a> {
    /// An empty polyhedron with its two sentinels.
    pub(super) fn new(points: &'a [[f64; 3]], tol: Tolerances) -> Self {
        let round = tol.round;
        let mut builder = Self {
            points,
            tol,
            facets: Vec::new(),
            links: Vec::new(),
            free_facets: Vec::new(),
            next_facet_id: 0,
            ridges: Vec::new(),
            free_ridges: Vec::new(),
            vertices: Vec::new(),
            vertex_facets: Vec::new(),
            vertex_facets_known: false,
            facet_list: TAIL,
            facet_next: NONE,
            new_facets: TAIL,
            visible_facets: NONE,
            num_facets: 0,
            num_visible: 0,
            vertex_list: TAIL,
            new_vertices: TAIL,
            num_vertices: 0,
            deleted_vertices: Vec::new(),
            first_new_id: 0,
            visit: 0,
            vertex_visit: 0,
            chain_stamp: 0,
            chains: Vec::new(),
            stack: Vec::new(),
            interior: [0.0; 3],
            num_outside: 0,
            max_outside: 0.0,
            min_vertex: -round,
            outside_limit: 0.0,
            narrow: false,
            all_convex: true,
            was_coplanar: false,
            search_all_new: false,
            not_sharp: false,
            repartition_id: 0,
            total_merges: 0,
            facet_merges: Vec::new(),
            degenerate_merges: Vec::new(),
            vertex_merges: Vec::new(),
        };
        // the sentinels have index 0
        builder.new_facet();
        builder.new_vertex(NONE);
        builder.update_outside_limit();
        builder
    }

    /// Adds points until none is outside or the hull has `max_vertices`. Qhull: `qh_buildhull`.
    pub(super) fn build(&mut self, max_vertices: Option<usize>) -> Result<(), HullError> {
        self.facet_next = self.facet_list;
        while let Some((point, facet)) = self.next_furthest()? {
            // the point is taken, even where the hull is full
            self.num_outside = self.num_outside.saturating_sub(1);
            if max_vertices.is_some_and(|limit| self.num_vertices >= limit) {
                return Ok(());
            }
            self.add_point(point, facet)?;
        }
        if self.narrow {
            self.outside_to_coplanar()?;
        }
        if self.num_outside > 0 {
            return Err(HullError::Topology("outside points were never processed"));
        }
        Ok(())
    }

    /// Takes the furthest point of the next facet that has outside points. Qhull: `qh_nextfurthest`.
    fn next_furthest(&mut self) -> Result<Option<(usize, usize)>, HullError> {
        let mut count = 0;
        while self.facet_next != TAIL {
            let f = self.facet_next;
            // each facet is looked at once at most; more is a broken list
            if f == NONE || count > self.num_facets {
                return Err(HullError::Topology("endless facet list"));
            }
            count += 1;
            let facet = &self.facets[f];
            let empty = self.links[f].outside.is_empty();
            // the rest of a nearly coplanar outside set is dealt with at the end
            if empty || (self.narrow && facet.furthest < self.tol.min_outside) {
                self.facet_next = facet.next;
                continue;
            }
            return Ok(self.links[f].outside.pop().map(|point| (point, f)));
        }
        Ok(None)
    }

    /// Distance beyond which a point displaced by merging is suspicious.
    pub(super) fn update_outside_limit(&mut self) {
        self.outside_limit =
            self.max_outside.max(self.tol.one_merge + self.tol.round).max(self.tol.min_outside);
    }

    /// Adds a point above a facet to the hull. Qhull: `qh_addpoint`.
    fn add_point(&mut self, point: usize, facet: usize) -> Result<(), HullError> {
        self.update_outside_limit();
        self.limit_stamps();
        // the patch that sees the point, the cone in its place
        self.find_horizon(point, facet)?;
        self.first_new_id = self.next_facet_id;
        self.make_cone(point)?;
        self.match_new_facets()?;
        // planes, but for facets that will be merged into their coplanar horizon: they get its plane
        let mut f = Self::first(self.new_facets);
        while f != TAIL {
            if !self.facets[f].merge_horizon {
                self.set_plane(f)?;
            }
            f = self.facets[f].next;
        }
        self.update_vertex_facets_of_cone();
        // make the cone convex, and share out the points of the patch
        self.premerge()?;
        self.search_all_new = self.many_merges() || self.any_new_facet_merged();
        self.partition_visible()?;
        self.search_all_new = false;
        self.not_sharp = false;
        self.delete_visible()?;
        self.reset_lists(true);
        // ridges that merges made the same have vertices that are one
        self.merge_vertices()?;
        if !(self.facet_merges.is_empty() && self.degenerate_merges.is_empty()) {
            return Err(HullError::Topology("merges are left over"));
        }
        Ok(())
    }

    /// Restarts the traversal stamps before they overflow: half the range is more than one point can use.
    fn limit_stamps(&mut self) {
        if self.visit > u32::MAX / 2 {
            self.visit = 0;
            for facet in &mut self.facets {
                facet.visit = 0;
            }
        }
        if self.vertex_visit > u32::MAX / 2 {
            self.vertex_visit = 0;
            for vertex in &mut self.vertices {
                vertex.visit = 0;
            }
        }
    }

    /// Whether merges are so common that walking to the best facet is not reliable.
    pub(super) fn many_merges(&self) -> bool {
        self.total_merges > MANY_MERGES
    }

    /// Has a new facet been merged, so that the cone may not be convex?
    fn any_new_facet_merged(&self) -> bool {
        let mut f = Self::first(self.new_facets);
        while f != TAIL {
            if !self.facets[f].simplicial {
                return true;
            }
            f = self.facets[f].next;
        }
        false
    }

    /// Moves all facets visible from a point to the end of the list and notes which horizon facets are coplanar. Qhull: `qh_findhorizon`.
    fn find_horizon(&mut self, point: usize, facet: usize) -> Result<(), HullError> {
        let p = self.points[point];
        let mut horizon = 0;
        // a queue of visible facets, at the end of the list of all; it grows while it is walked
        self.requeue_facet(facet);
        self.num_visible = 1;
        self.visible_facets = facet;
        self.facets[facet].visible = true;
        self.facets[facet].link = NONE;
        let stamp = self.next_visit();
        let mut visible = facet;
        while visible != TAIL {
            self.facets[visible].visit = stamp;
            for i in 0..self.links[visible].neighbors.len() {
                let n = self.links[visible].neighbors[i];
                let neighbor = &mut self.facets[n];
                if neighbor.visit == stamp {
                    continue;
                }
                neighbor.visit = stamp;
                let d = distance(neighbor, &p);
                // seen: part of the patch
                if d > self.tol.min_visible {
                    neighbor.visible = true;
                    neighbor.link = NONE;
                    self.requeue_facet(n);
                    self.num_visible += 1;
                    continue;
                }
                horizon += 1;
                // a horizon facet; one that is coplanar with the point will take in the facets of the cone at its edges
                neighbor.coplanar_horizon = d >= -self.tol.max_coplanar;
                if neighbor.coplanar_horizon {
                    // the point is above or below the plane by rounding: facets are that thick from now on
                    if d > 0.0 {
                        self.max_outside = self.max_outside.max(d);
                        neighbor.max_outside = neighbor.max_outside.max(d);
                    } else {
                        self.min_vertex = self.min_vertex.min(d);
                    }
                }
            }
            visible = self.facets[visible].next;
        }
        if horizon == 0 {
            return Err(HullError::Topology("a point is above all facets"));
        }
        Ok(())
    }

    /// Builds the facets of every vertex from the facet list, unless they are maintained already.
    pub(super) fn find_vertex_facets(&mut self) {
        // facets that go are dropped, facets of the cone added
        if self.vertex_facets_known {
            return;
        }
        let stamp = self.next_vertex_visit();
        let mut f = Self::first(self.facet_list);
        while f != TAIL {
            if !self.facets[f].visible {
                for &v in &self.links[f].vertices {
                    // met for the first time: forget the old list
                    if self.vertices[v].visit != stamp {
                        self.vertices[v].visit = stamp;
                        self.vertex_facets[v].clear();
                    }
                    self.vertex_facets[v].push(f);
                }
            }
            f = self.facets[f].next;
        }
        self.vertex_facets_known = true;
    }

    /// Connects the vertices to the new cone and collects the vertices that are left without a facet.
    fn update_vertex_facets_of_cone(&mut self) {
        if self.vertex_facets_known {
            // nothing is new any more
            let mut v = Self::first(self.new_vertices);
            while v != TAIL {
                let list = &mut self.vertex_facets[v];
                // the last one fills a hole, as in Qhull: the order is part of the result
                let mut i = 0;
                while i < list.len() {
                    if self.facets[list[i]].visible {
                        list.swap_remove(i);
                    } else {
                        i += 1;
                    }
                }
                v = self.vertices[v].next;
            }
            let mut f = Self::first(self.new_facets);
            while f != TAIL {
                for &v in &self.links[f].vertices {
                    self.vertex_facets[v].push(f);
                }
                f = self.facets[f].next;
            }
        }
        self.collect_deleted_vertices();
    }

    /// Connects the vertices to changed facets after vertex merges or triangulation.
    pub(super) fn update_vertex_facets(&mut self) {
        if self.vertex_facets_known {
            let mut v = Self::first(self.new_vertices);
            while v != TAIL {
                let facets = &self.facets;
                self.vertex_facets[v].retain(|f| !facets[f].visible);
                v = self.vertices[v].next;
            }
            let mut f = Self::first(self.new_facets);
            while f != TAIL {
                // facets of the cone are new to all their vertices
                let is_cone = self.first_new_id != 0 && self.facets[f].id >= self.first_new_id;
                for &v in &self.links[f].vertices {
                    let list = &mut self.vertex_facets[v];
                    if is_cone || !list.contains(&f) {
                        list.push(f);
                    }
                }
                f = self.facets[f].next;
            }
        }
        self.collect_deleted_vertices();
    }

    /// Vertices of visible facets that no other facet has.
    fn collect_deleted_vertices(&mut self) {
        let mut f = Self::first(self.visible_facets);
        while self.facets[f].visible {
            for &v in &self.links[f].vertices {
                let vertex = &mut self.vertices[v];
                // on the horizon, or known already
                if vertex.is_new || vertex.deleted {
                    continue;
                }
                let list = &mut self.vertex_facets[v];
                if self.vertex_facets_known && list.iter().any(|&n| !self.facets[n].visible) {
                    list.remove_item(f);
                } else {
                    vertex.deleted = true;
                    self.deleted_vertices.push(v);
                }
            }
            f = self.facets[f].next;
        }
    }

    /// Deletes the visible facets and the vertices that went with them. Qhull: `qh_deletevisible`.
    pub(super) fn delete_visible(&mut self) -> Result<(), HullError> {
        let mut count = 0;
        let mut f = Self::first(self.visible_facets);
        while self.facets[f].visible {
            let next = self.facets[f].next;
            self.delete_facet(f);
            count += 1;
            f = next;
        }
        if count != self.num_visible {
            return Err(HullError::Topology("visible facets were lost"));
        }
        self.num_visible = 0;
        // their points were shared out before
        for i in 0..self.deleted_vertices.len() {
            let v = self.deleted_vertices[i];
            if !self.vertices[v].partitioned {
                return Err(HullError::Topology("a deleted vertex was not kept as a point"));
            }
            self.remove_vertex(v);
            self.vertex_facets[v] = List::default();
        }
        self.deleted_vertices.clear();
        Ok(())
    }

    /// Ends the life of the new and visible sublists.
    pub(super) fn reset_lists(&mut self, reset_visible: bool) {
        let mut v = Self::first(self.new_vertices);
        while v != TAIL {
            self.vertices[v].is_new = false;
            v = self.vertices[v].next;
        }
        self.new_vertices = NONE;
        self.first_new_id = 0;
        let mut f = Self::first(self.new_facets);
        while f != TAIL {
            self.facets[f].is_new = false;
            self.facets[f].duplicate_ridge = false;
            f = self.facets[f].next;
        }
        self.new_facets = NONE;
        // nothing is visible; while polygons are cut up, those that were replaced stay marked
        if reset_visible {
            let mut f = Self::first(self.visible_facets);
            while self.facets[f].visible {
                self.facets[f].link = NONE;
                self.facets[f].visible = false;
                f = self.facets[f].next;
            }
            self.num_visible = 0;
        }
        self.visible_facets = NONE;
    }
}
