//! Handles of skins.
use ferrodyn_dynamics::query::{Ray, SkinHit, ray_skin, skin_faces, skin_surface};
use ferrodyn_math::Vec3;

use super::asset::Material;
use super::table::handle;
use crate::{Data, ModelArrays};

handle! {
    /// The handle of a skin: a surface that bodies carry, which is only there to be seen.
    ///
    /// ```
    /// let model = ferrodyn::load_model(
    ///     "<mujoco><deformable><skin name='sail' vertex='0 0 0  1 0 0  0 1 0' face='0 1 2'>
    ///        <bone body='mast' bindpos='0 0 0' bindquat='1 0 0 0' vertid='0 1 2' vertweight='1 1 1'/>
    ///      </skin></deformable>
    ///      <worldbody><body name='mast' pos='0 0 2'/></worldbody></mujoco>",
    /// )?;
    /// let mut data = model.make_data();
    /// data.forward(&model)?;
    /// let sail = model.skin("sail")?.surface(&model, &data);
    /// assert_eq!((sail.vertices[1], sail.normals[1]), ([1.0, 0.0, 2.0], [0.0, 0.0, 1.0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    Skin = "skin", Skin, skin, skins;
    model {
        rgba, set_rgba: [f32; 4] = skin_rgba, "colour";
        inflate, set_inflate: f32 = skin_inflate, "how far vertices are moved along their normals, in m";
        group, set_group: i32 = skin_group, "visibility group";
    }
}

/// A skin at the poses of a world.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct SkinSurface {
    /// Where its vertices are.
    pub vertices: Vec<[f32; 3]>,
    /// Unit normals at the vertices.
    pub normals: Vec<[f32; 3]>,
}

impl Skin {
    /// Its material, if it has one (`skin_matid`).
    #[track_caller]
    pub fn material(self, model: &ModelArrays) -> Option<Material> {
        Material::from_id(model, usize::try_from(model.skin_matid[self.of(model)]).ok()?)
    }

    /// The vertices of its triangles, as indices of [`SkinSurface::vertices`] (`skin_face`).
    #[track_caller]
    pub fn triangles(self, model: &ModelArrays) -> &[[i32; 3]] {
        skin_faces(model, self.of(model))
    }

    /// Texture coordinates of its vertices, empty where it has none (`skin_texcoord`).
    #[track_caller]
    pub fn texcoord(self, model: &ModelArrays) -> &[[f32; 2]] {
        let id = self.of(model);
        match usize::try_from(model.skin_texcoordadr[id]) {
            Ok(first) => &model.skin_texcoord[first..first + model.skin_vertnum[id] as usize],
            Err(_) => &[],
        }
    }

    /// Where it is: its vertices and normals at the poses of the last step or `forward`. MuJoCo: `mjv_updateSkin`.
    #[track_caller]
    pub fn surface(self, model: &ModelArrays, data: &Data) -> SkinSurface {
        let mut surface = SkinSurface::default();
        self.surface_into(model, data, &mut surface);
        surface
    }

    /// The same into memory that is used again.
    #[track_caller]
    pub fn surface_into(self, model: &ModelArrays, data: &Data, surface: &mut SkinSurface) {
        let (id, _) = (self.of(model), self.within(data));
        let count = model.skin_vertnum[id] as usize;
        let SkinSurface { vertices, normals } = surface;
        vertices.resize(count, [0.0; 3]);
        normals.resize(count, [0.0; 3]);
        skin_surface(model, data.xpos(), data.xquat(), id, vertices, normals);
    }

    /// Where the ray `pnt + x vec`, with `x` not negative, meets its surface, and the nearest vertex. MuJoCo: `mju_raySkin`.
    #[track_caller]
    pub fn ray(
        self,
        model: &ModelArrays,
        surface: &SkinSurface,
        pnt: Vec3,
        vec: Vec3,
    ) -> Option<SkinHit> {
        let ray = Ray { origin: pnt, dir: vec };
        ray_skin(&ray, self.triangles(model), &surface.vertices)
    }
}
