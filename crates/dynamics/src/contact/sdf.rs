//! The geoms of a model as signed distance fields.
use core::cell::Cell;

use ferrodyn_collision::{
    FeltMesh, Octree, Pose, SdfField, SdfSettings, SdfShape, SdfSide, TriangleMesh,
};
use ferrodyn_math::Real;
use ferrodyn_model::plugin::PLUGINS;
use ferrodyn_model::{GeomType, Model, Storage};

use super::geom::{asset, pose, range};
use crate::World;
use crate::plugin::Plugins;

/// The shape of a plugin instance; None where it is none, or where a value is not a number.
pub(crate) fn read_shape(m: &Model<impl Storage>, instance: usize) -> Option<SdfShape> {
    let plugin = PLUGINS.get(usize::try_from(m.plugin[instance]).ok()?)?;
    let text = m.plugin_attr.get(usize::try_from(m.plugin_attradr[instance]).ok()?..)?;
    // one value for each key, each ended by a zero
    let value = |key: &str| {
        let index = plugin.keys.iter().position(|k| *k == key)?;
        let bytes = text.split(|b| *b == 0).nth(index)?;
        core::str::from_utf8(bytes).ok().map(str::trim).filter(|text| !text.is_empty())
    };
    let number = |text: &str| text.parse::<Real>().ok().filter(|x| x.is_finite());
    if plugin.keys.iter().any(|key| value(key).is_some_and(|text| number(text).is_none())) {
        return None;
    }
    SdfShape::from_values(plugin.name, |key| value(key).and_then(number))
}

/// The octree of a mesh, if it has one.
fn octree(m: &Model<impl Storage>, mesh: usize) -> Option<Octree<'_>> {
    let (start, count) = (m.mesh_octadr[mesh], m.mesh_octnum[mesh]);
    let cells = usize::try_from(start).ok().filter(|_| count > 0)?;
    let cells = cells..cells + count as usize;
    Some(Octree {
        bounds: &m.oct_aabb[cells.clone()],
        children: &m.oct_child[cells.clone()],
        corners: &m.oct_coeff[cells],
    })
}

/// The triangles of a geom's mesh.
pub(crate) fn triangle_mesh(m: &Model<impl Storage>, g: usize) -> Option<TriangleMesh<'_>> {
    let mesh = asset(m, g)?;
    let nodes = range(m.mesh_bvhadr[mesh], m.mesh_bvhnum[mesh]);
    Some(TriangleMesh {
        half_sizes: m.geom_size[g],
        vertices: &m.mesh_vert[range(m.mesh_vertadr[mesh], m.mesh_vertnum[mesh])],
        faces: &m.mesh_face[range(m.mesh_faceadr[mesh], m.mesh_facenum[mesh])],
        bounds: &m.bvh_aabb[nodes.clone()],
        children: &m.bvh_child[nodes.clone()],
        face: &m.bvh_nodeid[nodes],
    })
}

/// A geom as a distance field; None for height fields, and for plugins that are no shapes. `bvh_active` is where the rays
/// that feel a mesh leave their marks.
pub(super) fn field<'a>(
    m: &'a Model<impl Storage>,
    plugins: &Plugins,
    g: usize,
    pose: Pose,
    bvh_active: Option<&'a [Cell<u8>]>,
) -> Option<SdfField<'a>> {
    let size = m.geom_size[g];
    Some(match m.geom_kind(g)? {
        GeomType::Plane => SdfField::Plane,
        GeomType::Sphere => SdfField::Sphere(size[0]),
        GeomType::Capsule => SdfField::Capsule(size[0], size[1]),
        GeomType::Ellipsoid => SdfField::Ellipsoid(size),
        GeomType::Cylinder => SdfField::Cylinder(size[0], size[1]),
        GeomType::Box => SdfField::Box(size),
        GeomType::Sdf => match usize::try_from(m.geom_plugin[g]) {
            Ok(instance) => SdfField::Shape(plugins.shape(instance)?),
            Err(_) => SdfField::Octree(octree(m, asset(m, g)?)?),
        },
        // MuJoCo looks for the octree of the mesh that has the number of the geom
        GeomType::Mesh => match (g < m.nmesh).then(|| octree(m, g)).flatten() {
            Some(octree) => SdfField::Octree(octree),
            None => {
                let mesh = asset(m, g)?;
                let nodes = range(m.mesh_bvhadr[mesh], m.mesh_bvhnum[mesh]);
                let marks = bvh_active.and_then(|marks| marks.get(nodes));
                SdfField::Mesh(FeltMesh { mesh: triangle_mesh(m, g)?, pose, marks })
            }
        },
        _ => return None,
    })
}

/// The distance field that a tactile sensor feels; a mesh has one only where it has an octree.
pub(crate) fn tactile_field<'a>(
    m: &'a Model<impl Storage>,
    d: &World<'_>,
    g: usize,
) -> Option<SdfField<'a>> {
    if m.geom_kind(g) == Some(GeomType::Mesh) {
        return Some(SdfField::Octree(octree(m, asset(m, g)?)?));
    }
    field(m, d.plugins, g, pose(d, g), None)
}

/// The distance field of a geom that is one.
#[cfg(feature = "deformable")]
pub(crate) fn sdf_field<'a>(
    m: &'a Model<impl Storage>,
    plugins: &Plugins,
    g: usize,
    pose: Pose,
) -> Option<SdfField<'a>> {
    field(m, plugins, g, pose, None)
}

/// One geom of a pair.
pub(super) fn side<'a>(
    m: &'a Model<impl Storage>,
    plugins: &Plugins,
    g: usize,
    pose: Pose,
    bvh_active: Option<&'a [Cell<u8>]>,
) -> Option<SdfSide<'a>> {
    let field = field(m, plugins, g, pose, bvh_active)?;
    Some(SdfSide { field, pose, bounds: m.geom_aabb[g] })
}

pub(super) fn settings(m: &Model<impl Storage>) -> SdfSettings {
    SdfSettings {
        points: m.opt.sdf_initpoints.max(0) as usize,
        iterations: m.opt.sdf_iterations.max(0) as usize,
    }
}
