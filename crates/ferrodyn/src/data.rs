//! The data as users hold it.
use std::ops::{Deref, DerefMut};

use ferrodyn_dynamics::contact::{RayFilter, RayHit};
use ferrodyn_dynamics::hooks::Hooks;
use ferrodyn_dynamics::{StepError, StepReport};
use ferrodyn_math::{Real, Vec3, double};
use ferrodyn_mjcf::KeyAttrs;
use ferrodyn_model::{Contact, Stage};

use crate::derivative::mjd_transition;
use crate::handles::layout;
use crate::{DerivativeConfig, DerivativeError, Model, TransitionMatrices, thread_stack};

/// The state and results of one world.
///
/// It dereferences to [`ferrodyn_dynamics::OwnedWorld`], whose methods give MuJoCo's arrays. A function that takes a model checks its sizes first:
/// a model that the world was not made for is [`StepError::ModelMismatch`].
#[derive(Clone, Debug, PartialEq)]
pub struct Data {
    inner: ferrodyn_dynamics::OwnedWorld,
    /// Where the values of every object lie, as a fingerprint; handles compare it with theirs.
    layout: u64,
}

impl Data {
    /// A world at the model's reference pose.
    pub fn new(model: &Model) -> Data {
        Data { inner: ferrodyn_dynamics::OwnedWorld::new(model), layout: layout(model) }
    }

    /// A fingerprint of where the values of every object lie.
    #[inline]
    pub(crate) fn layout(&self) -> u64 {
        self.layout
    }

    /// Copy the state and all results of another world, without allocating if it is of the same model.
    ///
    /// ```
    /// let model = ferrodyn::load_model(
    ///     "<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>",
    /// )?;
    /// let (mut data, mut copy) = (model.make_data(), model.make_data());
    /// data.step(&model)?;
    /// copy.copy_from(&data);
    /// assert_eq!(copy, data);
    /// # Ok::<(), ferrodyn::Error>(())
    /// ```
    pub fn copy_from(&mut self, other: &Data) {
        self.inner.copy_from(&other.inner);
        self.layout = other.layout;
    }

    /// Restore what [`to_bytes`](ferrodyn_dynamics::OwnedWorld::to_bytes) wrote for a world of the same model; anything else is
    /// refused.
    ///
    /// ```
    /// use ferrodyn::prelude::*;
    /// let model = load_model("<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>")?;
    /// let mut data = model.make_data();
    /// data.step(&model)?;
    /// assert_eq!(Data::from_bytes(&model, &data.to_bytes())?, data);
    /// assert!(Data::from_bytes(&Model::empty(), &data.to_bytes()).is_err());
    /// # Ok::<(), ferrodyn::Error>(())
    /// ```
    pub fn from_bytes(model: &Model, bytes: &[u8]) -> Result<Data, StepError> {
        let inner = ferrodyn_dynamics::OwnedWorld::from_bytes(model, bytes)?;
        Ok(Data { inner, layout: layout(model) })
    }

    /// The parts of the state that `parts` asks for, a union of [`StateBit`](crate::StateBit)s (MuJoCo's `mj_getState`).
    ///
    /// ```
    /// use ferrodyn::StateBit;
    /// let model = ferrodyn::load_model(
    ///     "<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>",
    /// )?;
    /// let mut data = model.make_data();
    /// data.qvel_mut()[0] = 3.0;
    /// let physics = StateBit::FullPhysics as i32;
    /// let state = data.state(&model, physics)?;
    /// assert_eq!(state, [0.0, 0.0, 3.0]); // time, position, velocity
    /// data.step(&model)?;
    /// data.set_state(&model, &state, physics)?;
    /// assert_eq!((data.time(), data.qvel()[0]), (0.0, 3.0));
    /// # Ok::<(), ferrodyn::Error>(())
    /// ```
    pub fn state(&self, model: &Model, parts: i32) -> Result<Vec<Real>, StepError> {
        ferrodyn_dynamics::data::get_state(model, self, parts)
    }

    /// Set the parts of the state that [`Data::state`] gave for the same `parts` (MuJoCo's `mj_setState`).
    pub fn set_state(
        &mut self,
        model: &Model,
        state: &[Real],
        parts: i32,
    ) -> Result<(), StepError> {
        ferrodyn_dynamics::data::set_state(model, &mut self.inner, state, parts)
    }

    /// Was the world made for a model of these sizes?
    fn check_model(&self, model: &Model) -> Result<(), StepError> {
        if self.inner.fits(model) { Ok(()) } else { Err(StepError::ModelMismatch) }
    }

    /// Was it, and has the model these geoms?
    fn check_geoms(&self, model: &Model, geoms: [usize; 2]) -> Result<(), StepError> {
        self.check_model(model)?;
        geoms.into_iter().try_for_each(|g| exists("geom", g, model.ngeom))
    }

    /// Run a function that needs temporary memory.
    #[inline]
    pub(crate) fn run<R>(&mut self, f: impl FnOnce(&mut ferrodyn_dynamics::OwnedWorld) -> R) -> R {
        thread_stack::with(&mut self.inner, f)
    }

    /// Advance by one time step.
    pub fn step(&mut self, model: &Model) -> Result<StepReport, StepError> {
        self.run(|data| ferrodyn_dynamics::step::step(model, data))
    }

    /// Advance by `n` time steps with the same controls and applied forces.
    pub fn step_n(&mut self, model: &Model, n: usize) -> Result<StepReport, StepError> {
        self.run(|data| ferrodyn_dynamics::step::step_n(model, data, n, None))
    }

    /// Compute everything at the current state, without moving it.
    pub fn forward(&mut self, model: &Model) -> Result<(), StepError> {
        self.run(|data| ferrodyn_dynamics::step::forward(model, data))
    }

    /// Advance by one time step that calls hooks.
    ///
    /// ```
    /// use ferrodyn::prelude::*;
    /// let model = load_model(
    ///     "<mujoco><worldbody><body><joint name='hinge' axis='0 1 0'/><geom size='.1' pos='0 0 -1'/></body>
    ///      </worldbody><actuator><motor joint='hinge'/></actuator></mujoco>",
    /// )?;
    /// let mut data = model.make_data();
    /// let mut hooks = Callbacks::new().control(|_, d| {
    ///     let torque = 10.0 * (0.3 - d.qpos[0]) - d.qvel[0];
    ///     d.ctrl_mut()[0] = torque;
    /// });
    /// data.step_with(&model, &mut hooks)?;
    /// assert_eq!(data.ctrl()[0], 3.0);
    /// # Ok::<(), ferrodyn::Error>(())
    /// ```
    pub fn step_with(
        &mut self,
        model: &Model,
        hooks: &mut dyn Hooks,
    ) -> Result<StepReport, StepError> {
        self.step_n_with(model, 1, hooks)
    }

    /// Advance by `n` time steps that call hooks.
    ///
    /// ```
    /// use ferrodyn::prelude::*;
    ///
    /// /// Counts the evaluations of forces.
    /// struct Counter(usize);
    ///
    /// impl Hooks for Counter {
    ///     fn passive(&mut self, _: &ModelArrays, _: &mut HookWorld<'_, '_>) {
    ///         self.0 += 1;
    ///     }
    /// }
    ///
    /// let model = load_model(
    ///     "<mujoco><option integrator='RK4'/><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>",
    /// )?;
    /// let mut counter = Counter(0);
    /// model.make_data().step_n_with(&model, 10, &mut counter)?;
    /// assert_eq!(counter.0, 40);
    /// # Ok::<(), ferrodyn::Error>(())
    /// ```
    pub fn step_n_with(
        &mut self,
        model: &Model,
        n: usize,
        hooks: &mut dyn Hooks,
    ) -> Result<StepReport, StepError> {
        self.run(|data| ferrodyn_dynamics::step::step_n(model, data, n, Some(hooks)))
    }

    /// Compute everything at the current state with hooks, without moving it.
    ///
    /// ```
    /// use ferrodyn::prelude::*;
    /// let model = load_model(
    ///     "<mujoco><worldbody><geom type='plane' size='1 1 .1'/>
    ///      <body pos='0 0 .09'><freejoint/><geom size='.1'/></body></worldbody></mujoco>",
    /// )?;
    /// let mut data = model.make_data();
    /// data.forward_with(&model, &mut Callbacks::new().contact_filter(|_, _, _, _| true))?;
    /// assert!(data.contacts().is_empty());
    /// # Ok::<(), ferrodyn::Error>(())
    /// ```
    pub fn forward_with(&mut self, model: &Model, hooks: &mut dyn Hooks) -> Result<(), StepError> {
        self.run(|data| {
            ferrodyn_dynamics::step::forward_skip(model, data, Stage::None, true, Some(hooks))
        })
    }

    /// Compute `qfrc_inverse` with hooks for passive forces, sensors and contacts.
    ///
    /// ```
    /// use ferrodyn::prelude::*;
    /// let model = load_model(
    ///     "<mujoco><option gravity='0 0 0'/><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>",
    /// )?;
    /// let mut data = model.make_data();
    /// data.inverse_with(&model, &mut Callbacks::new().passive(|_, d| d.qfrc_passive_mut()[0] -= 2.0))?;
    /// assert_eq!(data.qfrc_inverse()[0], 2.0);
    /// # Ok::<(), ferrodyn::Error>(())
    /// ```
    pub fn inverse_with(&mut self, model: &Model, hooks: &mut dyn Hooks) -> Result<(), StepError> {
        self.run(|data| {
            ferrodyn_dynamics::step::inverse_skip(model, data, Stage::None, true, Some(hooks))
        })
    }

    /// The current state as a keyframe for a specification.
    ///
    /// ```
    /// use ferrodyn::prelude::*;
    /// let model = load_model(
    ///     "<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>",
    /// )?;
    /// let mut data = model.make_data();
    /// data.qpos_mut()[0] = 0.5;
    /// let mut spec = model.spec().unwrap().clone();
    /// spec.add_key("bent", data.keyframe());
    /// let model = Model::from_spec(&spec)?;
    /// data = model.make_data();
    /// data.reset_to_keyframe(&model, 0)?;
    /// assert_eq!(data.qpos()[0], 0.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn keyframe(&self) -> KeyAttrs {
        let doubles = |x: &[Real]| x.iter().copied().map(double).collect::<Vec<_>>();
        let positions = self.mocap_pos().iter().flat_map(|p| p.0.map(double));
        let rotations = self.mocap_quat().iter().flat_map(|q| q.0.map(double));
        KeyAttrs::default()
            .time(double(self.time()))
            .qpos(doubles(self.qpos()))
            .qvel(doubles(self.qvel()))
            .act(doubles(self.act()))
            .ctrl(doubles(self.ctrl()))
            .mpos(positions.collect::<Vec<_>>())
            .mquat(rotations.collect::<Vec<_>>())
    }

    /// Return to the reference pose.
    pub fn reset(&mut self, model: &Model) -> Result<(), StepError> {
        self.run(|data| ferrodyn_dynamics::data::reset(model, data))
    }

    /// Return to a keyframe.
    pub fn reset_to_keyframe(&mut self, model: &Model, key: usize) -> Result<(), StepError> {
        self.run(|data| ferrodyn_dynamics::data::reset_to_keyframe(model, data, key))
    }

    /// Compute `qfrc_inverse`, the forces that `qacc` needs at the current state.
    pub fn inverse(&mut self, model: &Model) -> Result<(), StepError> {
        self.run(|data| ferrodyn_dynamics::step::inverse(model, data))
    }

    /// The derivative of one step at the current state, which stays as it is.
    ///
    /// ```
    /// use ferrodyn::DerivativeConfig;
    /// let model = ferrodyn::load_model(
    ///     "<mujoco><worldbody><body><joint name='hinge' axis='0 1 0'/>
    ///      <geom type='capsule' fromto='0 0 0 0 0 -1' size='.02'/></body></worldbody>
    ///      <actuator><motor joint='hinge'/></actuator></mujoco>",
    /// )?;
    /// let data = model.make_data();
    /// let step = data.transition_derivatives(&model, &DerivativeConfig::default())?;
    /// assert_eq!((step.states, step.controls), (2, 1));
    /// // velocity moves position by one time step
    /// assert!((step.a[1] - model.opt.timestep).abs() < 1e-6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn transition_derivatives(
        &self,
        model: &Model,
        config: &DerivativeConfig,
    ) -> Result<TransitionMatrices, DerivativeError> {
        mjd_transition(model, self, config)
    }

    /// The contacts that the last step or `forward` found.
    ///
    /// ```
    /// let model = ferrodyn::load_model(
    ///     "<mujoco><worldbody><geom type='plane' size='1 1 .1'/>
    ///      <body pos='0 0 .09'><freejoint/><geom size='.1'/></body></worldbody></mujoco>",
    /// )?;
    /// let mut data = model.make_data();
    /// data.forward(&model)?;
    /// let contact = &data.contacts()[0];
    /// assert!((contact.dist + 0.01).abs() < 1e-12);
    /// assert_eq!(contact.geom, [0, 1]);
    /// # Ok::<(), ferrodyn::Error>(())
    /// ```
    pub fn contacts(&self) -> &[Contact] {
        self.inner.work().contact
    }

    /// Force and torque of contact `i` in its own frame, normal first; zero where it exerts none (MuJoCo's
    /// `mj_contactForce`). It acts on the second geom, its opposite on the first one.
    ///
    /// ```
    /// let model = ferrodyn::load_model(
    ///     "<mujoco><worldbody><geom type='plane' size='1 1 .1'/>
    ///      <body pos='0 0 .09'><freejoint/><geom size='.1'/></body></worldbody></mujoco>",
    /// )?;
    /// let mut data = model.make_data();
    /// data.forward(&model)?;
    /// assert!(data.contact_force(&model, 0)?[0] > 0.0);
    /// assert!(data.contact_force(&model, 1).is_err()); // there is one contact
    /// # Ok::<(), ferrodyn::Error>(())
    /// ```
    pub fn contact_force(&mut self, model: &Model, i: usize) -> Result<[Real; 6], StepError> {
        self.check_model(model)?;
        let world = &self.inner.view_mut();
        exists("contact", i, world.ncon())?;
        Ok(ferrodyn_dynamics::query::contact_force(model, world, i))
    }

    /// The first geom that the ray `pnt + x vec`, with `x` not negative, meets; the poses are those
    /// of the last step or `forward`.
    ///
    /// ```
    /// use ferrodyn::math::Vec3;
    /// let model = ferrodyn::load_model(
    ///     "<mujoco><worldbody><geom type='plane' size='1 1 .1'/>
    ///      <body pos='0 0 1'><geom size='.1'/></body></worldbody></mujoco>",
    /// )?;
    /// let mut data = model.make_data();
    /// data.forward(&model)?;
    /// let down = Vec3::new(0.0, 0.0, -1.0);
    /// let everything = ferrodyn::RayFilter::default();
    /// let hit = data.ray(&model, Vec3::new(0.0, 0.0, 2.0), down, &everything)?.unwrap();
    /// assert_eq!(hit.geom, 1);
    /// assert!((hit.distance - 0.9).abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ray(
        &mut self,
        model: &Model,
        pnt: Vec3,
        vec: Vec3,
        filter: &RayFilter,
    ) -> Result<Option<RayHit>, StepError> {
        self.check_model(model)?;
        self.run(|data| {
            ferrodyn_dynamics::contact::ray(model, &mut data.view_mut(), pnt, vec, filter)
        })
    }

    /// What many rays from one point meet first. Geoms whose bounding sphere is farther away than `cutoff` do not
    /// count; a ray without length, or with numbers that are not finite, meets nothing.
    ///
    /// ```
    /// use ferrodyn::math::Vec3;
    /// let model = ferrodyn::load_model(
    ///     "<mujoco><worldbody><geom type='plane' size='1 1 .1'/></worldbody></mujoco>",
    /// )?;
    /// let mut data = model.make_data();
    /// data.forward(&model)?;
    /// let directions = [Vec3::new(0.0, 0.0, -1.0), Vec3::new(0.0, 0.0, 1.0)];
    /// let filter = ferrodyn::RayFilter::default();
    /// let hits = data.multi_ray(&model, Vec3::Z, &directions, &filter, f64::MAX)?;
    /// assert_eq!(hits[0].unwrap().distance, 1.0);
    /// assert!(hits[1].is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn multi_ray(
        &mut self,
        model: &Model,
        pnt: Vec3,
        vecs: &[Vec3],
        filter: &RayFilter,
        cutoff: Real,
    ) -> Result<Vec<Option<RayHit>>, StepError> {
        self.check_model(model)?;
        let mut hits = vec![None; vecs.len()];
        self.run(|data| {
            let world = &mut data.view_mut();
            ferrodyn_dynamics::contact::multi_ray(
                model, world, pnt, vecs, filter, cutoff, &mut hits,
            )
        })?;
        Ok(hits)
    }

    /// The contacts of two geoms at the poses of the last step or `forward`, as a step would make them if nothing
    /// filtered them out. `margin` replaces the sum of their margins.
    ///
    /// ```
    /// let model = ferrodyn::load_model(
    ///     "<mujoco><worldbody><geom type='box' size='.1 .1 .1'/><geom size='.1' pos='0 0 .19'/></worldbody></mujoco>",
    /// )?;
    /// let mut data = model.make_data();
    /// data.forward(&model)?;
    /// assert!(data.contacts().is_empty()); // both are fixed to the world
    /// let contacts = data.geom_contacts(&model, 0, 1, None)?;
    /// assert!((contacts[0].dist + 0.01).abs() < 1e-12);
    /// # Ok::<(), ferrodyn::Error>(())
    /// ```
    pub fn geom_contacts(
        &mut self,
        model: &Model,
        geom1: usize,
        geom2: usize,
        margin: Option<Real>,
    ) -> Result<Vec<Contact>, StepError> {
        self.check_geoms(model, [geom1, geom2])?;
        self.run(|data| {
            ferrodyn_dynamics::contact::geom_contacts(
                model,
                &mut data.view_mut(),
                geom1,
                geom2,
                margin,
            )
        })
    }

    /// Signed distance between two geoms, and the segment from the surface of the first to that of
    /// the second; `max` and no segment where they are farther apart.
    ///
    /// ```
    /// let model = ferrodyn::load_model(
    ///     "<mujoco><worldbody><geom size='.1'/><geom size='.2' pos='1 0 0'/></worldbody></mujoco>",
    /// )?;
    /// let mut data = model.make_data();
    /// data.forward(&model)?;
    /// let (distance, segment) = data.geom_distance(&model, 0, 1, 10.0)?;
    /// assert!((distance - 0.7).abs() < 1e-12);
    /// assert!((segment.unwrap()[1][0] - 0.8).abs() < 1e-12);
    /// # Ok::<(), ferrodyn::Error>(())
    /// ```
    pub fn geom_distance(
        &mut self,
        model: &Model,
        geom1: usize,
        geom2: usize,
        max: Real,
    ) -> Result<(Real, Option<[Vec3; 2]>), StepError> {
        self.check_geoms(model, [geom1, geom2])?;
        self.run(|data| {
            ferrodyn_dynamics::contact::geom_distance(
                model,
                &mut data.view_mut(),
                geom1,
                geom2,
                max,
            )
        })
    }
}

/// Is there an object of this number?
fn exists(kind: &'static str, id: usize, count: usize) -> Result<(), StepError> {
    if id < count { Ok(()) } else { Err(StepError::NoSuchObject { kind, id, count }) }
}

impl Deref for Data {
    type Target = ferrodyn_dynamics::OwnedWorld;
    fn deref(&self) -> &ferrodyn_dynamics::OwnedWorld {
        &self.inner
    }
}

impl DerefMut for Data {
    fn deref_mut(&mut self) -> &mut ferrodyn_dynamics::OwnedWorld {
        &mut self.inner
    }
}
