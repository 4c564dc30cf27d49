//! Convex hull of a point cloud, as MuJoCo's mesh compiler makes it.
//!
//! This is quickhull with merged facets (Barber, Dobkin and Huhdanpaa, *The Quickhull algorithm for convex hulls*,
//! ACM Transactions on Mathematical Software 22, 1996) in three dimensions, followed by triangulation. MuJoCo calls the
//! reference implementation, Qhull, with the option `Qt`; the choice of hull vertices among nearly coplanar points, the
//! triangulation of flat faces and the order of vertices, faces and edges depend on its tolerances and on its order of
//! operations, so both are followed step by step. The result is deterministic.
//!
//! ```text
//! start (simplex) ─▶ build: { furthest point ─▶ horizon ─▶ cone ─▶ merge ─▶ partition } ─▶ check ─▶ triangulate ─▶ Hull
//! ```
//!
//! The idea without rounding: begin with a tetrahedron of input points. Every other point that is above a face ("outside") is kept with
//! one face that it is above. Take the furthest outside point of a face, which is a vertex of the hull for certain. The faces that it
//! sees are a connected patch; the edges around the patch are its horizon. Replace the patch by a cone of triangles from the point to the
//! horizon, and share out the patch's points among the new triangles; those that are above none of them are inside, and are forgotten.
//! When no point is outside, the polyhedron is the hull.
//!
//! ```text
//!           p                        p
//!           *                       /|\
//!       ________                   / | \
//!      /\  /\  /\       ─▶        /  |  \         the facets between h and k saw p;
//!     h  \/  \/  k               h---+---k        the cone has one facet for each horizon edge
//! ```
//!
//! With rounding, "above" is a matter of a tolerance, the largest error of a computed distance, and a cone may have edges that are flat
//! or bent inwards by that much. Adjacent facets that are not *clearly* convex are merged into one wider facet, a polygon with some
//! thickness. So all that follows holds up to that thickness:
//!
//! - every facet has the interior point of the first tetrahedron clearly below it (otherwise it is "flipped" and merged away);
//! - the centrum of a facet (the mean of its vertices, on its plane) is clearly below the planes of all neighbours;
//! - every input point is below every facet, or within the facet's `max_outside`; points that are nearly in a facet are kept with it
//!   ("coplanar"), since a merge can make them matter again;
//! - neighbours are mutual, and a ridge (an edge with two facets) knows both.
//!
//! Merging can break the surface: more than two facets at one ridge, facets with fewer than three neighbours or without a vertex of their
//! own, vertices in the middle of an edge. Each has its repair in [`merge`], and what cannot be repaired is an error:
//! [`HullError::Topology`] where lists contradict each other, [`HullError::Wide`] where facets became much thicker than rounding explains
//! (nearly coincident points), [`HullError::Flat`] where there was no tetrahedron.
//!
//! Facet and vertex lists are ordered, and everything here is done in the order of these lists: the order decides between equals, and is
//! visible in the result.

mod arena;
mod build;
mod check;
mod cone;
mod list;
mod merge;
mod partition;
mod plane;
mod search;
mod simplex;
#[cfg(test)]
mod tests;
mod triangulate;

use arena::{NONE, TAIL};
use build::Builder;
use std::fmt;

/// More points than this cannot be indexed by the graph.
const MAX_POINTS: usize = i32::MAX as usize - 16;
/// Coordinates beyond this overflow when a plane is normalized, which takes their fourth power.
const MAX_COORDINATE: f64 = 1.0e75;

/// Why there is no hull.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HullError {
    /// Fewer than four points.
    TooFewPoints,
    /// More points than the graph can index.
    TooManyPoints,
    /// A coordinate is infinite or not a number.
    NotFinite,
    /// A coordinate is so large that its fourth power overflows.
    TooLarge,
    /// A limit of fewer than four vertices was asked for.
    LimitTooSmall,
    /// All points are in a plane, within round-off.
    Flat,
    /// Nearly coincident points would give faces much thicker than round-off.
    Wide,
    /// Round-off made the surface inconsistent; the text says how.
    Topology(&'static str),
}

impl fmt::Display for HullError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFewPoints => write!(f, "a convex hull needs at least four points"),
            Self::TooManyPoints => write!(f, "too many points for a convex hull"),
            Self::NotFinite => write!(f, "a coordinate is not finite"),
            Self::TooLarge => write!(f, "a coordinate is too large"),
            Self::LimitTooSmall => write!(f, "a convex hull has at least four vertices"),
            Self::Flat => write!(f, "the points are flat within round-off"),
            Self::Wide => write!(f, "nearly coincident points make the faces of the hull too wide"),
            Self::Topology(what) => {
                write!(f, "the hull is inconsistent because of round-off: {what}")
            }
        }
    }
}

impl std::error::Error for HullError {}

/// A closed triangle mesh around a point cloud.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hull {
    vertices: Vec<usize>,
    faces: Vec<[usize; 3]>,
    /// Start of the edges of each vertex in `edges`, and the total number.
    edge_starts: Vec<usize>,
    /// Adjacent vertices, as positions in `vertices`.
    edges: Vec<usize>,
}

/// The convex hull of `points`. With `max_vertices` the construction stops as soon as the hull has that many; the hull then
/// does not contain all points. MuJoCo: `mjCMesh::MakeGraph`.
pub(crate) fn convex_hull(
    points: &[[f64; 3]],
    max_vertices: Option<usize>,
) -> Result<Hull, HullError> {
    if points.len() < 4 {
        return Err(HullError::TooFewPoints);
    }
    if points.len() > MAX_POINTS {
        return Err(HullError::TooManyPoints);
    }
    if !points.iter().flatten().all(|x| x.is_finite()) {
        return Err(HullError::NotFinite);
    }
    if points.iter().flatten().any(|x| x.abs() > MAX_COORDINATE) {
        return Err(HullError::TooLarge);
    }
    if max_vertices.is_some_and(|n| n < 4) {
        return Err(HullError::LimitTooSmall);
    }
    let mut builder = Builder::start(points)?;
    builder.build(max_vertices)?;
    // a hull that stopped early leaves points outside, which the check would take for an error
    if max_vertices.is_none() {
        builder.check_widths()?;
    }
    builder.triangulate()?;
    builder.find_vertex_facets();
    Hull::new(&builder)
}

impl Hull {
    /// Reads the finished polyhedron.
    fn new(builder: &Builder<'_>) -> Result<Self, HullError> {
        // vertices in the order of the list, and where each one is
        let point_of = |v: usize| builder.vertices[v].point;
        let mut vertices = Vec::with_capacity(builder.num_vertices);
        let mut position = vec![NONE; builder.vertices.len()];
        let mut v = builder.vertex_list;
        while v != TAIL {
            position[v] = vertices.len();
            vertices.push(point_of(v));
            v = builder.vertices[v].next;
        }

        let mut faces = Vec::with_capacity(builder.num_facets);
        let mut f = builder.facet_list;
        while f != TAIL {
            // vertices of a facet are ordered by age: the orientation says which way round that is
            let [a, b, c] = builder.links[f].vertices[..] else {
                return Err(HullError::Topology("a face is not a triangle"));
            };
            let (a, b) = if builder.facets[f].top_oriented { (b, a) } else { (a, b) };
            faces.push([a, b, c].map(point_of));
            f = builder.facets[f].next;
        }

        let mut edge_starts = Vec::with_capacity(vertices.len() + 1);
        let mut edges = Vec::with_capacity(3 * faces.len());
        let mut v = builder.vertex_list;
        while v != TAIL {
            // neighbours of a vertex: the other vertices of its triangles, each once
            let start = edges.len();
            edge_starts.push(start);
            for &f in &builder.vertex_facets[v] {
                for &w in &builder.links[f].vertices {
                    let w_position = position[w];
                    if w_position == NONE {
                        return Err(HullError::Topology("a face has a deleted vertex"));
                    }
                    if w != v && !edges[start..].contains(&w_position) {
                        edges.push(w_position);
                    }
                }
            }
            v = builder.vertices[v].next;
        }
        edge_starts.push(edges.len());
        // Euler: a closed triangulated surface has 3/2 edges for each face, and each edge is listed at both ends
        if edges.len() != 3 * faces.len() {
            return Err(HullError::Topology("the surface is not closed"));
        }
        Ok(Self { vertices, faces, edge_starts, edges })
    }

    /// Indices of the points that are vertices of the hull.
    #[cfg(test)]
    pub(crate) fn vertices(&self) -> &[usize] {
        &self.vertices
    }

    /// Triangles as indices of points, counterclockwise seen from outside.
    #[cfg(test)]
    pub(crate) fn faces(&self) -> &[[usize; 3]] {
        &self.faces
    }

    /// MuJoCo's `mesh_graph`: `numvert, numface, vert_edgeadr[numvert], vert_globalid[numvert],
    /// edge_localid[numvert + 3 numface], face_globalid[3 numface]`, where the edges of a vertex end with -1.
    pub(crate) fn graph(&self) -> Vec<i32> {
        let id = |i: usize| i as i32;
        let (nv, nf) = (self.vertices.len(), self.faces.len());
        let mut graph = Vec::with_capacity(2 + 3 * nv + 6 * nf);
        graph.extend([id(nv), id(nf)]);
        // each list of edges before has one end mark
        graph.extend(self.edge_starts[..nv].iter().enumerate().map(|(i, &start)| id(start + i)));
        graph.extend(self.vertices.iter().map(|&v| id(v)));
        for ends in self.edge_starts.windows(2) {
            graph.extend(self.edges[ends[0]..ends[1]].iter().map(|&v| id(v)));
            graph.push(-1);
        }
        graph.extend(self.faces.iter().flatten().map(|&v| id(v)));
        graph
    }
}
