//! Handles of meshes and materials.
use ferrodyn_math::{Quat, Vec3};

use super::table::handle;
use crate::ModelArrays;

handle! {
    /// The handle of a mesh.
    ///
    /// ```
    /// let model = ferrodyn::load_model(
    ///     "<mujoco><asset><mesh name='corner' vertex='0 0 0  1 0 0  0 1 0  0 0 1'/></asset>
    ///      <worldbody><geom name='stone' type='mesh' mesh='corner'/></worldbody></mujoco>",
    /// )?;
    /// let corner = model.mesh("corner")?;
    /// assert_eq!((corner.vertices(&model).len(), corner.triangles(&model).len()), (4, 4));
    /// assert_eq!(model.geom("stone")?.mesh(&model), Some(corner));
    /// # Ok::<(), ferrodyn::Error>(())
    /// ```
    Mesh = "mesh", Mesh, mesh, meshes;
    model {
        scale: Vec3 = mesh_scale, "scaling applied to the asset";
        pos: Vec3 = mesh_pos, "translation applied to the asset";
        quat: Quat = mesh_quat, "rotation applied to the asset";
    }
}

impl Mesh {
    /// Its vertices (`mesh_vert`).
    #[track_caller]
    pub fn vertices(self, model: &ModelArrays) -> &[[f32; 3]] {
        let id = self.of(model);
        let first = model.mesh_vertadr[id] as usize;
        &model.mesh_vert[first..first + model.mesh_vertnum[id] as usize]
    }

    /// The vertices of its triangles, as indices of [`Mesh::vertices`] (`mesh_face`).
    #[track_caller]
    pub fn triangles(self, model: &ModelArrays) -> &[[i32; 3]] {
        let id = self.of(model);
        let first = model.mesh_faceadr[id] as usize;
        &model.mesh_face[first..first + model.mesh_facenum[id] as usize]
    }
}

handle! {
    /// The handle of a material.
    ///
    /// ```
    /// let mut model = ferrodyn::load_model(
    ///     "<mujoco><asset><material name='rubber' rgba='.1 .1 .1 1'/></asset><worldbody/></mujoco>",
    /// )?;
    /// let rubber = model.material("rubber")?;
    /// model.edit(|m| rubber.set_rgba(m, [1.0, 0.0, 0.0, 1.0]));
    /// assert_eq!(rubber.rgba(&model)[0], 1.0);
    /// # Ok::<(), ferrodyn::Error>(())
    /// ```
    Material = "material", Material, material, materials;
    model {
        rgba, set_rgba: [f32; 4] = mat_rgba, "colour";
        emission, set_emission: f32 = mat_emission, "emission";
        specular, set_specular: f32 = mat_specular, "specularity";
        shininess, set_shininess: f32 = mat_shininess, "shininess";
        reflectance, set_reflectance: f32 = mat_reflectance, "reflectance";
    }
}
