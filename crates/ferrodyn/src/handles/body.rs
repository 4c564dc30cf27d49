//! Handles of bodies.
use ferrodyn_math::{Mat3, Quat, Real, Spatial, Vec3};

use super::place::{Handle, Place, Span};
use super::table::handle;
use super::{Geom, Joint, Site};
use crate::{Data, ModelArrays};

handle! {
    /// The handle of a body. The world is body 0 and is called `world`.
    ///
    /// ```
    /// use ferrodyn::prelude::*;
    /// let model = load_model(
    ///     "<mujoco><option gravity='0 0 0'/><worldbody><body name='ball' pos='0 0 1'><freejoint/>
    ///      <geom size='.1' mass='2'/><body name='hat'/></body></worldbody></mujoco>",
    /// )?;
    /// let ball = model.body("ball")?;
    /// let mut data = model.make_data();
    /// ball.set_xfrc_applied(&mut data, [4.0, 0.0, 0.0, 0.0, 0.0, 0.0]); // force, then torque
    /// data.step(&model)?;
    /// data.forward(&model)?;
    /// assert!((ball.linear_velocity(&data)[0] - 0.004).abs() < 1e-12); // F t / m
    /// assert_eq!((ball.mass(&model), ball.xpos(&data)[2]), (2.0, 1.0));
    /// let names: Vec<_> = ball.children(&model).map(|b| b.name(&model)).collect();
    /// assert_eq!(names, ["hat"]);
    /// # Ok::<(), ferrodyn::Error>(())
    /// ```
    Body = "body", Body, body, bodies;
    keep {
        mocap: Span = |m, i| Span::new(m.body_mocapid[i], 1);
        root: u32 = |m, i| m.body_rootid[i] as u32;
    }
    data {
        xpos: Vec3 = xpos, "position of the body frame";
        xquat: Quat = xquat, "orientation of the body frame";
        xmat: Mat3 = xmat, "orientation of the body frame";
        xipos: Vec3 = xipos, "centre of mass";
        ximat: Mat3 = ximat, "orientation of the principal axes";
        subtree_com: Vec3 = subtree_com, "centre of mass of the body and its descendants";
        cvel: Spatial = cvel, "velocity about the centre of mass of its tree";
        cacc: Spatial = cacc, "acceleration about the centre of mass of its tree, where a sensor asks for it";
        cfrc_int: Spatial = cfrc_int, "force that the parent transmits, where a sensor asks for it";
        cfrc_ext: Spatial = cfrc_ext, "external force, where a sensor asks for it";
        xfrc_applied, set_xfrc_applied = xfrc_applied_mut: [Real; 6] = xfrc_applied,
            "force and torque applied by the user at the centre of mass";
    }
    model {
        pos, set_pos: Vec3 = body_pos, "position in the parent's frame";
        quat, set_quat: Quat = body_quat, "orientation in the parent's frame";
        ipos, set_ipos: Vec3 = body_ipos, "centre of mass in the body frame";
        iquat, set_iquat: Quat = body_iquat, "orientation of the principal axes in the body frame";
        mass, set_mass: Real = body_mass, "mass";
        inertia, set_inertia: Vec3 = body_inertia, "principal moments of inertia";
        subtreemass: Real = body_subtreemass, "mass of the body and its descendants";
        gravcomp, set_gravcomp: Real = body_gravcomp, "share of the weight that is compensated";
    }
}

impl Body {
    /// Angular velocity in the world frame, as of the last step or `forward`.
    #[track_caller]
    pub fn angular_velocity(self, data: &Data) -> Vec3 {
        self.cvel(data).rot()
    }

    /// Velocity of the centre of mass in the world frame, as of the last step or `forward`.
    #[track_caller]
    pub fn linear_velocity(self, data: &Data) -> Vec3 {
        // `cvel` is that of the point of the body at the centre of mass of its tree: v = v₀ + ω × r
        let velocity = self.cvel(data);
        let arm = self.xipos(data) - data.subtree_com()[self.root as usize];
        velocity.lin() + velocity.rot().cross(arm)
    }

    /// Position of a mocap body; none for other bodies.
    #[track_caller]
    pub fn mocap_pos(self, data: &Data) -> Option<Vec3> {
        self.within(data);
        data.mocap_pos()[self.mocap.range()].first().copied()
    }

    /// Orientation of a mocap body; none for other bodies.
    #[track_caller]
    pub fn mocap_quat(self, data: &Data) -> Option<Quat> {
        self.within(data);
        data.mocap_quat()[self.mocap.range()].first().copied()
    }

    /// Position of a mocap body, to be changed; none for other bodies.
    #[track_caller]
    pub fn mocap_pos_mut(self, data: &mut Data) -> Option<&mut Vec3> {
        self.within(data);
        data.mocap_pos_mut()[self.mocap.range()].first_mut()
    }

    /// Orientation of a mocap body, to be changed; none for other bodies.
    #[track_caller]
    pub fn mocap_quat_mut(self, data: &mut Data) -> Option<&mut Quat> {
        self.within(data);
        data.mocap_quat_mut()[self.mocap.range()].first_mut()
    }

    /// The body that it is attached to; none for the world.
    #[track_caller]
    pub fn parent(self, model: &ModelArrays) -> Option<Body> {
        let id = self.of(model);
        (id > 0).then(|| self.place.with_id(model.body_parentid[id] as usize).body(model))
    }

    /// The bodies that are attached to it.
    #[track_caller]
    pub fn children(self, model: &ModelArrays) -> impl Iterator<Item = Body> {
        let id = self.of(model);
        // children come after their parents
        (id + 1..model.nbody)
            .filter(move |&child| model.body_parentid[child] as usize == id)
            .map(move |child| self.place.with_id(child).body(model))
    }

    /// The joints that move it against its parent.
    #[track_caller]
    pub fn joints(self, model: &ModelArrays) -> impl Iterator<Item = Joint> {
        let id = self.of(model);
        self.place.row(model, model.body_jntadr[id], model.body_jntnum[id])
    }

    /// Its geoms.
    #[track_caller]
    pub fn geoms(self, model: &ModelArrays) -> impl Iterator<Item = Geom> {
        let id = self.of(model);
        self.place.row(model, model.body_geomadr[id], model.body_geomnum[id])
    }

    /// Its sites.
    #[track_caller]
    pub fn sites(self, model: &ModelArrays) -> impl Iterator<Item = Site> {
        let id = self.of(model);
        (0..model.nsite)
            .filter(move |&site| model.site_bodyid[site] as usize == id)
            .map(move |site| Site::make(model, self.place.with_id(site)))
    }
}

impl Place {
    /// The handle of the body at this place.
    pub(super) fn body(self, m: &ModelArrays) -> Body {
        Body::make(m, self)
    }
}
