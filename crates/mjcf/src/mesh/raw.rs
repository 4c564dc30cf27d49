//! Meshes as they are read, before anything is computed from them.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::{MeshBudget, MeshError, MeshFormat, MeshSource, builtin, msh, obj, stl};

/// What a file or a model says about a mesh, unchecked except for the finiteness of vertices.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RawMesh {
    /// Vertices.
    pub(crate) vert: Vec<[f32; 3]>,
    /// Normals.
    pub(crate) normal: Vec<[f32; 3]>,
    /// Texture coordinates.
    pub(crate) texcoord: Vec<[f32; 2]>,
    /// Vertices of each face.
    pub(crate) face: Vec<[i32; 3]>,
    /// Normals of each face; empty if the file has no indices of its own for them.
    pub(crate) facenormal: Vec<[i32; 3]>,
    /// Texture coordinates of each face; empty if the file has no indices of its own for them.
    pub(crate) facetexcoord: Vec<[i32; 3]>,
}

impl RawMesh {
    /// Reads the data of a mesh. A scale that mirrors turns the faces of a file over. Vertices at
    /// the same place are kept apart, except those of STL files.
    ///
    /// # Errors
    /// A file that cannot be read, parameters that a builtin shape does not take, data that do not
    /// divide into rows, data that are given twice, or more than the budget allows.
    pub(crate) fn read(
        source: &MeshSource<'_>,
        scale: &[f64; 3],
        budget: &MeshBudget,
    ) -> Result<Self, MeshError> {
        // what the model gives inline
        let mut mesh = Self {
            vert: rows("vertex", source.vertex, budget.vertices, budget)?,
            normal: rows("normal", source.normal, budget.vertices, budget)?,
            texcoord: rows("texcoord", source.texcoord, budget.vertices, budget)?,
            face: rows("face", source.face, budget.faces, budget)?,
            facenormal: rows("face normal", source.facenormal, budget.faces, budget)?,
            facetexcoord: rows("face texcoord", source.facetexcoord, budget.faces, budget)?,
        };
        if let Some((shape, parameters)) = source.builtin {
            builtin::make(&mut mesh, shape, parameters, budget)?;
        }
        if let Some((format, bytes)) = source.file {
            // an odd number of negative factors mirrors
            let right_handed = scale[0] * scale[1] * scale[2] > 0.0;
            let file = match format {
                MeshFormat::Stl => stl::read(bytes, right_handed, budget)?,
                MeshFormat::Obj => obj::read(bytes, right_handed, budget)?,
                MeshFormat::Msh => msh::read(bytes, right_handed, budget)?,
            };
            // the file's data, with what it lacks from the model
            mesh = file.or(mesh)?;
        } else {
            // MuJoCo looks at them beside a file only
            mesh.facenormal.clear();
        }
        if let Some(vertex) = mesh.vert.iter().position(|v| v.iter().any(|x| !x.is_finite())) {
            return Err(MeshError::NotFinite(vertex));
        }
        Ok(mesh)
    }

    /// The data of a file, completed with those of the model.
    fn or(self, model: Self) -> Result<Self, MeshError> {
        // indices of the file belong to normals of the file
        if !self.facenormal.is_empty() && !model.normal.is_empty() {
            return Err(MeshError::Repeated("normal"));
        }
        Ok(Self {
            vert: one("vertex", self.vert, model.vert)?,
            normal: one("normal", self.normal, model.normal)?,
            texcoord: one("texcoord", self.texcoord, model.texcoord)?,
            face: one("face", self.face, model.face)?,
            facenormal: if self.facenormal.is_empty() { model.facenormal } else { self.facenormal },
            facetexcoord: one("facetexcoord", self.facetexcoord, model.facetexcoord)?,
        })
    }
}

/// Whichever of two is there.
fn one<T>(what: &'static str, file: Vec<T>, model: Vec<T>) -> Result<Vec<T>, MeshError> {
    match (file.is_empty(), model.is_empty()) {
        (false, false) => Err(MeshError::Repeated(what)),
        (true, _) => Ok(model),
        (false, true) => Ok(file),
    }
}

/// Values of the model in rows.
fn rows<T: Copy, const N: usize>(
    what: &'static str,
    values: &[T],
    limit: usize,
    budget: &MeshBudget,
) -> Result<Vec<[T; N]>, MeshError> {
    let (rows, rest) = values.as_chunks();
    if !rest.is_empty() {
        return Err(MeshError::Width { what, width: N, found: values.len() });
    }
    budget.check(what, rows.len(), limit)?;
    Ok(rows.to_vec())
}

/// Whether every face names vertices that exist.
pub(super) fn check_faces(face: &[[i32; 3]], vertices: usize) -> Result<(), MeshError> {
    for (face, ids) in face.iter().enumerate() {
        if let Some(&vertex) = ids.iter().find(|&&id| id < 0 || id as usize >= vertices) {
            return Err(MeshError::FaceIndex { face, vertex });
        }
    }
    Ok(())
}

/// Gives each place one number, in the order of first appearance.
#[derive(Default)]
pub(crate) struct VertexMerger {
    ids: HashMap<[u32; 3], i32>,
    /// The different places.
    pub(crate) vertices: Vec<[f32; 3]>,
}

impl VertexMerger {
    /// The number of a place.
    pub(crate) fn add(&mut self, vertex: [f32; 3]) -> Result<i32, MeshError> {
        if vertex.iter().any(|x| !x.is_finite()) {
            return Err(MeshError::NotFinite(self.vertices.len()));
        }
        // adding zero makes the two zeros one
        match self.ids.entry(vertex.map(|x| (x + 0.0).to_bits())) {
            Entry::Occupied(entry) => Ok(*entry.get()),
            Entry::Vacant(entry) => {
                let id = self.vertices.len() as i32;
                self.vertices.push(vertex);
                Ok(*entry.insert(id))
            }
        }
    }
}
