//! Points and triangles, or tetrahedra around a common point, from a mesh file.

use super::Lattice;
use crate::mesh::{MeshBudget, MeshFormat, MeshSource, RawMesh, VertexMerger};
use crate::pose::{V3, cross, dot, double, sub};
use ferrodyn_math::MIN_VAL;

/// Reads the surface in a file. Vertices at the same place become one. MuJoCo: `MakeMesh`.
pub(crate) fn read(
    lattice: &mut Lattice,
    file: &str,
    bytes: &[u8],
    origin: &V3,
    budget: &MeshBudget,
) -> Result<(), String> {
    if lattice.dim < 2 {
        return Err(String::from("a mesh needs a 'dim' of 2 or 3"));
    }
    let format = MeshFormat::detect(file, "").map_err(|e| e.to_string())?;
    if format == MeshFormat::Msh {
        return Err(String::from("MSH files are not supported here"));
    }
    let source = MeshSource { file: Some((format, bytes)), ..MeshSource::default() };
    let mesh = RawMesh::read(&source, &[1.0; 3], budget).map_err(|e| e.to_string())?;
    if mesh.vert.is_empty() || mesh.face.is_empty() {
        return Err(String::from("the file has no vertices, or no faces"));
    }
    let mut merger = VertexMerger::default();
    let mut numbers = Vec::with_capacity(mesh.vert.len());
    for vertex in &mesh.vert {
        numbers.push(merger.add(*vertex).map_err(|e| e.to_string())?);
    }
    let number = |id: i32| {
        let found = usize::try_from(id).ok().and_then(|id| numbers.get(id));
        found.copied().ok_or_else(|| format!("a face has the vertex {id}, which does not exist"))
    };
    let points = merger.vertices.iter().map(|v| v.map(f64::from));
    lattice.point = points.collect();
    if !mesh.texcoord.is_empty() {
        lattice.texcoord = mesh.texcoord.concat();
        lattice.elemtexcoord = mesh.facetexcoord.concat();
    }
    if lattice.dim == 2 {
        lattice.element.clear();
        for id in mesh.face.as_flattened() {
            lattice.element.push(number(*id)?);
        }
        return Ok(());
    }
    lattice.point.insert(0, *origin);
    for face in &mesh.face {
        let ids = [number(face[0])? + 1, number(face[1])? + 1, number(face[2])? + 1];
        let [a, b, c] = ids.map(|id| sub(&lattice.point[id as usize], origin));
        // faces that look away from the point enclose it
        if dot(&cross(&a, &b), &c) >= double(MIN_VAL) {
            lattice.element.extend([0, ids[0], ids[1], ids[2]]);
        }
    }
    Ok(())
}
