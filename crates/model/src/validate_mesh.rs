//! Consistency of meshes: triangles, hull graphs, hull polygons, bounding-volume trees, octrees.
use ferrodyn_math::Stack;

use crate::validate::{InvalidModel, blocks, taken};
use crate::{Model, Storage};

/// The deepest bounding-volume tree that rays can follow.
pub(crate) const MAX_TREE_DEPTH: usize = 50;

/// An error about one value.
pub(crate) fn bad(field: &'static str, index: usize, value: i32) -> InvalidModel {
    InvalidModel { field, index, value: value as i64 }
}

/// One id lies in `0..max`.
pub(crate) fn id(
    field: &'static str,
    index: usize,
    value: i32,
    max: usize,
) -> Result<usize, InvalidModel> {
    usize::try_from(value).ok().filter(|v| *v < max).ok_or_else(|| bad(field, index, value))
}

/// The rows of one block, in an array whose blocks were checked; an empty block has any address.
pub(crate) fn rows(adr: i32, num: i32) -> core::ops::Range<usize> {
    if num > 0 { adr as usize..adr as usize + num as usize } else { 0..0 }
}

/// Children lie after their parents, each has one parent, and no path is longer than `depth`.
pub(crate) fn tree<const N: usize>(
    field: &'static str,
    first: usize,
    children: &[[i32; N]],
    depth: usize,
    mut stack: Stack<'_>,
) -> Result<(), InvalidModel> {
    let level = taken(stack.take_zeroed::<u32>(children.len()))?;
    for (node, row) in children.iter().enumerate() {
        for &child in row.iter().filter(|c| **c != -1) {
            let at = id(field, first + node, child, children.len())?;
            if at <= node || level[at] != 0 || level[node] as usize + 1 > depth {
                return Err(bad(field, first + node, child));
            }
            level[at] = level[node] + 1;
        }
    }
    Ok(())
}

impl<S: Storage> Model<S> {
    /// What the collision of meshes indexes and follows.
    pub(crate) fn validate_meshes(&self, stack: &mut Stack<'_>) -> Result<(), InvalidModel> {
        blocks("mesh_vertadr", &self.mesh_vertadr, &self.mesh_vertnum, self.nmeshvert)?;
        blocks("mesh_faceadr", &self.mesh_faceadr, &self.mesh_facenum, self.nmeshface)?;
        blocks("mesh_bvhadr", &self.mesh_bvhadr, &self.mesh_bvhnum, self.nbvh)?;
        blocks("mesh_octadr", &self.mesh_octadr, &self.mesh_octnum, self.noct)?;
        blocks("mesh_polyadr", &self.mesh_polyadr, &self.mesh_polynum, self.nmeshpoly)?;
        blocks(
            "mesh_polyvertadr",
            &self.mesh_polyvertadr,
            &self.mesh_polyvertnum,
            self.nmeshpolyvert,
        )?;
        blocks("mesh_polymapadr", &self.mesh_polymapadr, &self.mesh_polymapnum, self.nmeshpolymap)?;
        for mesh in 0..self.nmesh {
            let count = self.mesh_vertnum[mesh];
            if count < 1 {
                return Err(bad("mesh_vertnum", mesh, count));
            }
            self.validate_faces(mesh, count as usize)?;
            self.validate_hull(mesh, count as usize)?;
            self.validate_mesh_trees(mesh, stack.scope())?;
        }
        Ok(())
    }

    fn validate_faces(&self, mesh: usize, vertices: usize) -> Result<(), InvalidModel> {
        for face in rows(self.mesh_faceadr[mesh], self.mesh_facenum[mesh]) {
            for vertex in self.mesh_face[face] {
                id("mesh_face", face, vertex, vertices)?;
            }
        }
        let polygons = rows(self.mesh_polyadr[mesh], self.mesh_polynum[mesh]);
        for polygon in polygons.clone() {
            for i in rows(self.mesh_polyvertadr[polygon], self.mesh_polyvertnum[polygon]) {
                id("mesh_polyvert", i, self.mesh_polyvert[i], vertices)?;
            }
        }
        for vertex in rows(self.mesh_vertadr[mesh], self.mesh_vertnum[mesh]) {
            for i in rows(self.mesh_polymapadr[vertex], self.mesh_polymapnum[vertex]) {
                id("mesh_polymap", i, self.mesh_polymap[i], polygons.len())?;
            }
        }
        Ok(())
    }

    /// The graph of a hull: its number of vertices and faces, where the neighbours of each vertex
    /// begin, the mesh vertex of each, lists of neighbours that end with -1, faces.
    fn validate_hull(&self, mesh: usize, vertices: usize) -> Result<(), InvalidModel> {
        let start = self.mesh_graphadr[mesh];
        if start == -1 {
            return Ok(());
        }
        let start = id("mesh_graphadr", mesh, start, self.nmeshgraph)?;
        let graph = &self.mesh_graph[start..];
        let [hull, faces, rest @ ..] = graph else {
            return Err(bad("mesh_graphadr", mesh, start as i32));
        };
        let broken = |at: usize, value: i32| bad("mesh_graph", start + at, value);
        let count = usize::try_from(*hull).ok().filter(|n| *n > 0 && 2 * n <= rest.len());
        let count = count.ok_or_else(|| broken(0, *hull))?;
        // each edge belongs to two faces and is listed at both ends
        let edges = usize::try_from(*faces).ok().and_then(|f| f.checked_mul(3)?.checked_add(count));
        let (addresses, rest) = rest.split_at(count);
        let (mesh_vertices, rest) = rest.split_at(count);
        let lists = edges.and_then(|n| rest.get(..n)).ok_or_else(|| broken(1, *faces))?;
        for (i, &vertex) in mesh_vertices.iter().enumerate() {
            id("mesh_graph", start + 2 + count + i, vertex, vertices)?;
        }
        for (i, &address) in addresses.iter().enumerate() {
            let at = id("mesh_graph", start + 2 + i, address, lists.len())?;
            // the list ends
            if !lists[at..].contains(&-1) {
                return Err(broken(2 + i, address));
            }
        }
        for (i, &neighbour) in lists.iter().enumerate().filter(|(_, n)| **n != -1) {
            id("mesh_graph", start + 2 + 2 * count + i, neighbour, count)?;
        }
        Ok(())
    }

    fn validate_mesh_trees(&self, mesh: usize, mut stack: Stack<'_>) -> Result<(), InvalidModel> {
        let nodes = rows(self.mesh_bvhadr[mesh], self.mesh_bvhnum[mesh]);
        tree(
            "bvh_child",
            nodes.start,
            &self.bvh_child[nodes.clone()],
            MAX_TREE_DEPTH,
            stack.scope(),
        )?;
        for node in nodes {
            let face = self.bvh_nodeid[node];
            if face != -1 {
                id("bvh_nodeid", node, face, self.mesh_facenum[mesh].max(0) as usize)?;
            }
        }
        let cells = rows(self.mesh_octadr[mesh], self.mesh_octnum[mesh]);
        for cell in cells.clone() {
            // a cell has all its children or none
            let children = &self.oct_child[cell];
            let some = children.iter().find(|c| **c != -1);
            if let (Some(_), Some(&none)) = (some, children.iter().find(|c| **c == -1)) {
                return Err(bad("oct_child", cell, none));
            }
        }
        let depth = self.mesh_octnum[mesh].max(0) as usize;
        tree("oct_child", cells.start, &self.oct_child[cells], depth, stack)
    }

    /// The trees over the geoms of bodies.
    pub(crate) fn validate_body_trees(&self, stack: &mut Stack<'_>) -> Result<(), InvalidModel> {
        for body in 0..self.nbody {
            let nodes = rows(self.body_bvhadr[body], self.body_bvhnum[body]);
            let depth = nodes.len();
            tree("bvh_child", nodes.start, &self.bvh_child[nodes.clone()], depth, stack.scope())?;
            for node in nodes {
                let geom = self.bvh_nodeid[node];
                if geom != -1 {
                    id("bvh_nodeid", node, geom, self.ngeom)?;
                }
            }
        }
        Ok(())
    }
}
