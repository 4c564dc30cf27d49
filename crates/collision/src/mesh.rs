//! The convex hull of a mesh, as arrays that belong to someone else, and the search for its vertex farthest in a direction.
//!
//! A convex polyhedron has no local maxima but the global one: from any vertex, going to a neighbour that is farther,
//! for as long as there is one, ends at the farthest. From one search to the next directions change little, so that a
//! walk that begins where the last one ended takes few steps.
use ferrodyn_math::{Real, Vec3};

/// The hull of a mesh.
#[derive(Clone, Copy, Debug)]
pub struct MeshShape<'a> {
    /// Vertices of the mesh.
    pub vertices: &'a [[f32; 3]],
    /// Neighbours of the hull vertices, if known.
    pub graph: Option<HullGraph<'a>>,
    /// Faces of the hull.
    pub polygons: HullPolygons<'a>,
}

/// Which hull vertices are joined by an edge.
#[derive(Clone, Copy, Debug)]
pub struct HullGraph<'a> {
    /// For each hull vertex, where its neighbours begin.
    pub edge_address: &'a [i32],
    /// For each hull vertex, the vertex of the mesh.
    pub mesh_vertex: &'a [i32],
    /// Neighbours, as hull vertices; each list ends with -1.
    pub neighbours: &'a [i32],
}

/// The planar faces of a hull.
#[derive(Clone, Copy, Debug)]
pub struct HullPolygons<'a> {
    /// Outward normal of each polygon.
    pub normal: &'a [Vec3],
    /// First entry of each polygon in `vertex`.
    pub vertex_address: &'a [i32],
    /// Number of vertices of each polygon.
    pub vertex_count: &'a [i32],
    /// Vertices of all polygons.
    pub vertex: &'a [i32],
    /// For each mesh vertex, its first entry in `polygon`.
    pub polygon_address: &'a [i32],
    /// For each mesh vertex, the number of its polygons.
    pub polygon_count: &'a [i32],
    /// Polygons of all vertices.
    pub polygon: &'a [i32],
}

impl HullPolygons<'_> {
    /// The polygons around a mesh vertex.
    pub(crate) fn around(&self, vertex: usize) -> &[i32] {
        let start = self.polygon_address[vertex] as usize;
        &self.polygon[start..start + self.polygon_count[vertex] as usize]
    }

    /// The vertices of a polygon.
    pub(crate) fn vertices(&self, polygon: usize) -> &[i32] {
        let start = self.vertex_address[polygon] as usize;
        &self.vertex[start..start + self.vertex_count[polygon] as usize]
    }
}

impl HullGraph<'_> {
    /// The hull vertices joined to one.
    pub(crate) fn neighbours_of(&self, vertex: usize) -> impl Iterator<Item = usize> {
        let list = &self.neighbours[self.edge_address[vertex] as usize..];
        list.iter().take_while(|n| **n >= 0).map(|n| *n as usize)
    }
}

impl MeshShape<'_> {
    /// A vertex.
    #[inline]
    pub(crate) fn vertex(&self, i: usize) -> Vec3 {
        let v = &self.vertices[i];
        Vec3::new(v[0] as Real, v[1] as Real, v[2] as Real)
    }

    #[inline]
    fn dot(&self, i: usize, dir: Vec3) -> Real {
        dir.dot(self.vertex(i))
    }

    /// The farthest vertex, by looking at all of them; `last` wins a tie. MuJoCo: `mjc_meshSupport`.
    pub(crate) fn farthest(&self, dir: Vec3, last: Option<usize>) -> usize {
        let (mut best, mut max) = match last {
            Some(i) => (i, self.dot(i, dir)),
            None => (0, -f32::MAX as Real),
        };
        for i in 0..self.vertices.len() {
            // only a vertex that is farther replaces the best: the first of equals stays
            let dot = self.dot(i, dir);
            if dot > max {
                max = dot;
                best = i;
            }
        }
        best
    }

    /// The farthest hull vertex, by walking along edges; in the numbering of the graph. MuJoCo: `mjc_hillclimbSupport`.
    ///
    /// The start itself is not a candidate for the first step.
    pub(crate) fn climb(&self, dir: Vec3, start: usize) -> usize {
        self.walk(dir, start, -f32::MAX as Real)
    }

    /// The farthest hull vertex, where the start is a candidate too.
    pub(crate) fn climb_from(&self, dir: Vec3, start: usize) -> usize {
        self.walk(dir, start, self.dot(self.graph_vertex(start), dir))
    }

    /// Go to the farthest of the neighbours that are farther than `max`, until there is none.
    fn walk(&self, dir: Vec3, start: usize, mut max: Real) -> usize {
        let Some(graph) = &self.graph else { return start };
        let (mut best, mut address) = (start, graph.edge_address[start]);
        // all neighbours of one vertex; the best so far is the next vertex
        loop {
            let from = best;
            let list = &graph.neighbours[address as usize..];
            for &n in list.iter().take_while(|n| **n >= 0) {
                let n = n as usize;
                // where its neighbours begin is loaded before it is known whether the walk goes there
                let (dot, next) =
                    (self.dot(graph.mesh_vertex[n] as usize, dir), graph.edge_address[n]);
                let farther = dot > max;
                max = if farther { dot } else { max };
                best = core::hint::select_unpredictable(farther, n, best);
                address = core::hint::select_unpredictable(farther, next, address);
            }
            // no neighbour is farther
            if best == from {
                return best;
            }
        }
    }

    /// The mesh vertex of a hull vertex.
    #[inline]
    pub(crate) fn graph_vertex(&self, i: usize) -> usize {
        self.graph.map_or(i, |graph| graph.mesh_vertex[i] as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An octahedron: every vertex is joined to all but the opposite one.
    #[test]
    fn a_walk_ends_at_the_farthest_vertex() {
        let vertices: [[f32; 3]; 6] = [
            [1.0, 0.0, 0.0],
            [-1.0, 0.0, 0.0],
            [0.0, 1.0, 0.0],
            [0.0, -1.0, 0.0],
            [0.0, 0.0, 1.0],
            [0.0, 0.0, -1.0],
        ];
        let mut neighbours = [-1; 30];
        for v in 0..6 {
            let others = (0..6).filter(|n| n / 2 != v / 2);
            others.enumerate().for_each(|(k, n)| neighbours[5 * v + k] = n as i32);
        }
        let graph = HullGraph {
            edge_address: &[0, 5, 10, 15, 20, 25],
            mesh_vertex: &[0, 1, 2, 3, 4, 5],
            neighbours: &neighbours,
        };
        let polygons = HullPolygons {
            normal: &[],
            vertex_address: &[],
            vertex_count: &[],
            vertex: &[],
            polygon_address: &[],
            polygon_count: &[],
            polygon: &[],
        };
        let mesh = MeshShape { vertices: &vertices, graph: Some(graph), polygons };
        let dirs = [[0.9, 0.3, 0.2], [-0.1, -0.8, 0.5], [0.2, 0.3, -0.9], [-0.7, 0.6, 0.1]];
        for (dir, expected) in dirs.map(Vec3).into_iter().zip([0, 3, 5, 1]) {
            assert_eq!(mesh.farthest(dir, None), expected);
            for start in 0..6 {
                assert_eq!(mesh.climb_from(dir, start), expected);
                assert_eq!(mesh.climb(dir, start), expected);
            }
        }
    }
}
