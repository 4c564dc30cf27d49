//! Handles of geoms.
use ferrodyn_math::{Mat3, Quat, Real, Vec3};
use ferrodyn_model::GeomType;

use super::table::{handle, relations};
use super::{Material, Mesh};
use crate::ModelArrays;

handle! {
    /// The handle of a geom.
    ///
    /// ```
    /// use ferrodyn::math::Vec3;
    /// use ferrodyn::prelude::*;
    /// let mut model = load_model(
    ///     "<mujoco><worldbody><body pos='0 0 1'><freejoint/>
    ///      <geom name='crate' type='box' size='.1 .2 .3'/></body></worldbody></mujoco>",
    /// )?;
    /// let geom = model.geom("crate")?;
    /// model.edit(|m| geom.set_friction(m, Vec3::new(0.5, 0.005, 0.0001)));
    /// let mut data = model.make_data();
    /// data.forward(&model)?;
    /// assert_eq!(geom.xpos(&data), Vec3::new(0.0, 0.0, 1.0));
    /// assert_eq!((geom.kind(&model), geom.size(&model)[2]), (GeomType::Box, 0.3));
    /// assert_eq!(geom.friction(&model)[0], 0.5);
    /// # Ok::<(), ferrodyn::Error>(())
    /// ```
    Geom = "geom", Geom, geom, geoms;
    data {
        xpos: Vec3 = geom_xpos, "position";
        xmat: Mat3 = geom_xmat, "orientation";
    }
    model {
        size, set_size: Vec3 = geom_size, "size, by shape";
        pos, set_pos: Vec3 = geom_pos, "position in the body frame";
        quat, set_quat: Quat = geom_quat, "orientation in the body frame";
        friction, set_friction: Vec3 = geom_friction, "friction: slide, spin, roll";
        contype, set_contype: i32 = geom_contype, "contact type bits";
        conaffinity, set_conaffinity: i32 = geom_conaffinity, "contact affinity bits";
        condim, set_condim: i32 = geom_condim, "contact dimension: 1, 3, 4 or 6";
        margin, set_margin: Real = geom_margin, "distance at which a contact is detected";
        gap, set_gap: Real = geom_gap, "part of the margin in which a contact exerts no force";
        solref, set_solref: [Real; 2] = geom_solref, "reference parameters of its contacts";
        solimp, set_solimp: [Real; 5] = geom_solimp, "impedance parameters of its contacts";
        rbound: Real = geom_rbound, "radius of the bounding sphere, 0 for planes";
        group, set_group: i32 = geom_group, "visibility group";
        rgba, set_rgba: [f32; 4] = geom_rgba, "colour";
    }
}

relations!(Geom, body in geom_bodyid);
relations!(Geom, kind GeomType in geom_type);

impl Geom {
    /// Its mesh, if it is one or was fitted to one.
    #[track_caller]
    pub fn mesh(self, model: &ModelArrays) -> Option<Mesh> {
        let id = self.of(model);
        let field = model.geom_type[id] == GeomType::Hfield as i32;
        if field { None } else { self.place.relative(model, model.geom_dataid[id]) }
    }

    /// Its material.
    #[track_caller]
    pub fn material(self, model: &ModelArrays) -> Option<Material> {
        self.place.relative(model, model.geom_matid[self.of(model)])
    }
}
