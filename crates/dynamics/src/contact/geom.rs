//! The geoms of a model as shapes of the collision crate.
use core::ops::Range;

use ferrodyn_collision::{
    ConvexSettings, ConvexShape, HeightField, HullGraph, HullPolygons, MeshShape, Pose,
};
use ferrodyn_model::{GeomType, Model, Storage};

use crate::World;

pub(crate) fn pose(d: &World<'_>, g: usize) -> Pose {
    Pose { pos: d.geom_xpos[g], mat: d.geom_xmat[g] }
}

pub(crate) fn convex_settings(m: &Model<impl Storage>) -> ConvexSettings {
    ConvexSettings {
        iterations: m.opt.ccd_iterations.max(0) as usize,
        tolerance: m.opt.ccd_tolerance,
    }
}

/// The asset of a geom.
pub(super) fn asset(m: &Model<impl Storage>, g: usize) -> Option<usize> {
    usize::try_from(m.geom_dataid[g]).ok()
}

/// The elements of a block; an empty block has any address.
pub(super) fn range(start: i32, len: i32) -> Range<usize> {
    if len > 0 { start as usize..start as usize + len as usize } else { 0..0 }
}

/// The hull of a geom's mesh. Its graph (`mesh_graph`) is the number of vertices, the number of faces, for each vertex
/// where its neighbours begin, for each its number in the mesh, the neighbours (each list ended by -1), and the faces,
/// which are not used here.
pub(crate) fn mesh_shape(m: &Model<impl Storage>, g: usize) -> Option<MeshShape<'_>> {
    let mesh = asset(m, g)?;
    let vertices = range(m.mesh_vertadr[mesh], m.mesh_vertnum[mesh]);
    let polygons = range(m.mesh_polyadr[mesh], m.mesh_polynum[mesh]);
    let graph = usize::try_from(m.mesh_graphadr[mesh]).ok().map(|start| {
        let graph = &m.mesh_graph[start..];
        let count = graph[0] as usize;
        HullGraph {
            edge_address: &graph[2..2 + count],
            mesh_vertex: &graph[2 + count..2 + 2 * count],
            neighbours: &graph[2 + 2 * count..],
        }
    });
    Some(MeshShape {
        vertices: &m.mesh_vert[vertices.clone()],
        graph,
        polygons: HullPolygons {
            normal: &m.mesh_polynormal[polygons.clone()],
            vertex_address: &m.mesh_polyvertadr[polygons.clone()],
            vertex_count: &m.mesh_polyvertnum[polygons],
            vertex: &m.mesh_polyvert,
            polygon_address: &m.mesh_polymapadr[vertices.clone()],
            polygon_count: &m.mesh_polymapnum[vertices],
            polygon: &m.mesh_polymap,
        },
    })
}

/// A geom as a convex shape, if it is one.
pub(super) fn convex_shape(m: &Model<impl Storage>, g: usize) -> Option<ConvexShape<'_>> {
    let size = m.geom_size[g];
    Some(match m.geom_kind(g)? {
        GeomType::Sphere => ConvexShape::Sphere(size[0]),
        GeomType::Capsule => ConvexShape::Capsule(size[0], size[1]),
        GeomType::Ellipsoid => ConvexShape::Ellipsoid(size),
        GeomType::Cylinder => ConvexShape::Cylinder(size[0], size[1]),
        GeomType::Box => ConvexShape::Box(size),
        GeomType::Mesh => ConvexShape::Mesh(mesh_shape(m, g)?),
        _ => return None,
    })
}

/// The height field of a geom.
pub(crate) fn height_field(m: &Model<impl Storage>, g: usize) -> Option<HeightField<'_>> {
    let field = asset(m, g)?;
    let (rows, columns) = (m.hfield_nrow[field] as usize, m.hfield_ncol[field] as usize);
    let start = m.hfield_adr[field] as usize;
    Some(HeightField {
        rows,
        columns,
        size: m.hfield_size[field],
        data: &m.hfield_data[start..start + rows * columns],
    })
}
