//! Leaves out what is only there to be seen: geoms that cannot collide and that nothing refers to,
//! their meshes, and all materials and textures.

use ferrodyn_model::{GeomType, ObjType};

use super::asset::Assets;
use super::index::{Index, new_numbers};
use super::objects::{Geom, Objects};
use super::resolve::Elements;
use crate::attach::referenced;
use crate::spec::Spec;

/// Leaves out what is visual; what remains gets new numbers.
pub(super) fn discard_visual(
    spec: &Spec,
    elements: &mut Elements<'_>,
    objects: &mut Objects,
    assets: &mut Assets,
    index: &mut Index<'_>,
) {
    let names = referenced(spec, ObjType::Geom);
    let keep: Vec<bool> = objects
        .geoms
        .iter()
        .zip(&elements.geoms.items)
        .map(|(geom, item)| geom.contype != 0 || geom.conaffinity != 0 || names.contains(item.name))
        .collect();
    let mut meshes = vec![false; assets.meshes.len()];
    for sensor in &spec.sensors {
        let mesh = sensor.attr.attr.mesh.as_deref();
        if let Some(id) = mesh.and_then(|name| index.find(ObjType::Mesh, name)) {
            meshes[id] = true;
        }
    }
    // the data of a geom are a mesh or a height field
    let has_mesh = |geom: &Geom| geom.kind != GeomType::Hfield;
    for (geom, _) in objects.geoms.iter().zip(&keep).filter(|(g, keep)| **keep && has_mesh(g)) {
        if let Some(id) = geom.data {
            meshes[id] = true;
        }
    }

    let order: Vec<usize> = (0..keep.len()).filter(|&g| keep[g]).collect();
    let geom_numbers = new_numbers(&order, keep.len());
    let mesh_order: Vec<usize> = (0..meshes.len()).filter(|&m| meshes[m]).collect();
    let mesh_numbers = new_numbers(&mesh_order, meshes.len());
    objects.geoms = order.iter().map(|&g| objects.geoms[g].clone()).collect();
    for geom in &mut objects.geoms {
        geom.material = None;
        if geom.kind != GeomType::Hfield {
            geom.data = geom.data.and_then(|id| mesh_numbers[id]);
        }
    }
    for site in &mut objects.sites {
        site.material = None;
    }
    for light in &mut objects.lights {
        light.texture = None;
    }
    for body in &mut objects.bodies {
        for id in body.bvh.nodeid.iter_mut().filter(|id| **id >= 0) {
            *id = super::fill::index(geom_numbers[*id as usize]);
        }
    }
    let bodies = objects.bodies.len();
    elements.geoms.reorder(&order, &|b| b, bodies);
    index.renumber(ObjType::Geom, &geom_numbers);
    index.renumber(ObjType::Mesh, &mesh_numbers);
    index.clear(ObjType::Material);
    index.clear(ObjType::Texture);
    assets.discard(&meshes);
}
