//! The model as users hold it.
use std::borrow::Cow;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

use ferrodyn_mjcf::{
    BodyAttrs, Diagnostic, GeomAttrs, JointAttrs, LoadOptions, MjcfError, Spec, StateMap, WORLD,
};
use ferrodyn_model::GeomType;

use crate::sim::{GainLaw, PartError};
use crate::{Data, Error, StepError};

/// A compiled model, cheap to clone and to share between threads.
///
/// It dereferences to [`ferrodyn_model::Model`], whose fields are MuJoCo's arrays.
#[derive(Clone, Debug)]
pub struct Model {
    inner: Arc<ferrodyn_model::Model>,
    warnings: Arc<[Diagnostic]>,
    /// What it was compiled from; none for a binary model.
    spec: Option<Arc<Spec>>,
    /// Whether parameters were changed since.
    edited: bool,
}

/// Compile a model from MJCF text.
///
/// ```
/// let model = ferrodyn::load_model("<mujoco><worldbody/></mujoco>")?;
/// assert_eq!(model.nbody, 1);
/// # Ok::<(), ferrodyn::MjcfError>(())
/// ```
pub fn load_model(xml: &str) -> Result<Model, MjcfError> {
    Model::from_xml_str(xml, &LoadOptions::default())
}

impl Model {
    /// A model of nothing but the world, with the options that MuJoCo has where nothing is said.
    ///
    /// ```
    /// let model = ferrodyn::Model::empty();
    /// assert_eq!((model.nbody, model.nv), (1, 0));
    /// assert_eq!(model.opt.timestep, 0.002);
    /// ```
    pub fn empty() -> Model {
        Model::from_spec(&Spec::new())
            .unwrap_or_else(|error| unreachable!("a world without bodies compiles: {error}"))
    }

    /// A chain of `n` rods on hinges about the y axis, which hangs down: each rod has this length and mass, and none
    /// collides.
    ///
    /// ```
    /// let model = ferrodyn::Model::n_link_pendulum(3, 1.0, 0.1)?;
    /// assert_eq!((model.nv, model.nu, model.na), (3, 0, 0));
    /// let mut data = model.make_data();
    /// data.forward(&model)?;
    /// // the middle of the last rod
    /// assert!((data.xipos()[3][2] + 2.5).abs() < 1e-12);
    /// # Ok::<(), ferrodyn::Error>(())
    /// ```
    pub fn n_link_pendulum(n: usize, length: f64, mass: f64) -> Result<Model, Error> {
        let mut spec = Spec::new();
        let mut parent = WORLD;
        for i in 0..n {
            let top = if i == 0 { 0.0 } else { -length };
            let pos = BodyAttrs::default().pos([0.0, 0.0, top]);
            parent = spec.add_body(parent, &format!("link{i}"), pos)?;
            let hinge = JointAttrs::default().axis([0.0, 1.0, 0.0]);
            spec.add_joint(parent, &format!("hinge{i}"), hinge)?;
            // thin, so that a rod turns as a line would
            let rod = GeomAttrs::default()
                .kind(GeomType::Capsule)
                .fromto([0.0, 0.0, 0.0, 0.0, 0.0, -length])
                .size([length / 50.0])
                .mass(mass)
                .contype(0)
                .conaffinity(0);
            spec.add_geom(parent, "", rod)?;
        }
        Ok(Model::from_spec(&spec)?)
    }

    /// Compile a model from an MJCF file, trusting the user who names it. MuJoCo: `mj_loadXML`.
    #[cfg(feature = "fs")]
    pub fn from_xml_path(path: impl AsRef<Path>) -> Result<Model, MjcfError> {
        Model::from_xml_path_with(path, &LoadOptions::default())
    }

    /// Compile a model from an MJCF file, which may be in memory: [`LoadOptions::assets`] come before the disk, and without
    /// the feature `fs` there is no disk.
    pub fn from_xml_path_with(
        path: impl AsRef<Path>,
        options: &LoadOptions,
    ) -> Result<Model, MjcfError> {
        Model::compile(Spec::from_xml_path(path.as_ref(), options)?)
    }

    /// Compile a model from MJCF text.
    pub fn from_xml_str(xml: &str, options: &LoadOptions) -> Result<Model, MjcfError> {
        Model::compile(Spec::from_xml_str(xml, options)?)
    }

    /// Compile a model from a specification. MuJoCo: `mj_compile`.
    pub fn from_spec(spec: &Spec) -> Result<Model, MjcfError> {
        Model::compile(spec.clone())
    }

    fn compile(spec: Spec) -> Result<Model, MjcfError> {
        let compiled = spec.compile()?;
        Ok(Model {
            inner: Arc::new(compiled.model),
            warnings: compiled.warnings.into(),
            spec: Some(Arc::new(spec)),
            edited: false,
        })
    }

    /// Compile a specification again after it was changed, and carry the state of a world of this
    /// model over (MuJoCo's `mj_recompile`).
    ///
    /// Joints, actuators and mocap bodies that have the same names in both models keep their
    /// positions, velocities, activations, controls and poses; the rest starts at its reference.
    ///
    /// ```
    /// use ferrodyn::mjcf::{BodyAttrs, GeomAttrs, JointAttrs, WORLD};
    /// use ferrodyn::prelude::*;
    ///
    /// let mut spec = Spec::new();
    /// let arm = spec.add_body(WORLD, "arm", BodyAttrs::default())?;
    /// spec.add_joint(arm, "elbow", JointAttrs::default())?;
    /// spec.add_geom(arm, "", GeomAttrs::default().size([0.1]))?;
    /// let model = Model::from_spec(&spec)?;
    /// let mut data = model.make_data();
    /// data.qpos_mut()[0] = 0.5;
    ///
    /// spec.add_joint(arm, "shoulder", JointAttrs::default().axis([1.0, 0.0, 0.0]))?;
    /// let (model, data) = model.recompile(&data, &spec)?;
    /// assert_eq!((model.nq, data.qpos()), (2, &[0.5, 0.0][..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn recompile(&self, data: &Data, spec: &Spec) -> Result<(Model, Data), MjcfError> {
        let model = Model::from_spec(spec)?;
        let mut new = model.make_data();
        StateMap::by_name(self, &model).carry((self, data), (&model, &mut new));
        Ok((model, new))
    }

    /// Read a binary model. One that is in memory is `Model::from(ModelArrays::from_bytes(bytes)?)`. MuJoCo: `mj_loadModel`.
    #[cfg(feature = "fs")]
    pub fn from_binary_path(path: impl AsRef<Path>) -> Result<Model, Error> {
        let path = path.as_ref();
        let bytes =
            std::fs::read(path).map_err(|source| Error::File { path: path.to_owned(), source })?;
        Ok(Model::from(ferrodyn_model::Model::from_bytes(&bytes)?))
    }

    /// Write a binary model. MuJoCo: `mj_saveModel`.
    #[cfg(feature = "fs")]
    pub fn save_binary(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let path = path.as_ref();
        std::fs::write(path, self.inner.to_bytes())
            .map_err(|source| Error::File { path: path.to_owned(), source })
    }

    /// The specification that the model was compiled from; none for a binary model.
    pub fn spec(&self) -> Option<&Spec> {
        self.spec.as_deref()
    }

    /// The specification with the parameters that the model has now.
    fn present_spec(&self) -> Result<Cow<'_, Spec>, Error> {
        let spec = self.spec.as_deref().ok_or(Error::NoSpec)?;
        if !self.edited {
            return Ok(Cow::Borrowed(spec));
        }
        let mut spec = spec.clone();
        spec.copy_back(self)?;
        Ok(Cow::Owned(spec))
    }

    /// The model as MJCF, with the parameters that it has now (see [`Spec::copy_back`]).
    ///
    /// ```
    /// let mut model = ferrodyn::load_model(
    ///     r#"<mujoco><worldbody><body><joint/><geom size="1"/></body></worldbody></mujoco>"#,
    /// )?;
    /// model.edit(|m| m.body_mass[1] = 2.0);
    /// assert!(model.to_xml()?.contains(r#"mass="2""#));
    /// # Ok::<(), ferrodyn::Error>(())
    /// ```
    pub fn to_xml(&self) -> Result<String, Error> {
        Ok(self.present_spec()?.to_xml())
    }

    /// Write the model to an MJCF file, with the parameters that it has now. MuJoCo: `mj_saveLastXML`.
    #[cfg(feature = "fs")]
    pub fn save_xml(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let path = path.as_ref();
        let spec = self.present_spec()?;
        spec.save_xml(path).map_err(|source| Error::File { path: path.to_owned(), source })
    }

    /// The arrays of the model, shared: what a [`BatchSim`](crate::BatchSim) is made of.
    pub fn shared(&self) -> Arc<ferrodyn_model::Model> {
        self.inner.clone()
    }

    /// A world at the model's reference pose.
    pub fn make_data(&self) -> Data {
        Data::new(self)
    }

    /// What was accepted but is not simulated, or looks like a mistake.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// Change parameters of the model; other clones keep the old ones.
    ///
    /// After changing masses, poses or `qpos0`, call [`Model::derive_constants`].
    ///
    /// ```
    /// # let mut model = ferrodyn::load_model("<mujoco><worldbody/></mujoco>")?;
    /// model.edit(|m| m.opt.timestep = 0.001);
    /// assert_eq!(model.opt.timestep, 0.001);
    /// # Ok::<(), ferrodyn::MjcfError>(())
    /// ```
    pub fn edit(&mut self, change: impl FnOnce(&mut ferrodyn_model::Model)) {
        self.edited = true;
        change(Arc::make_mut(&mut self.inner));
    }

    /// Store the state of a world in a keyframe that the model has: time, `qpos`, `qvel`, `act`, mocap poses and
    /// `ctrl` (MuJoCo's `mj_setKeyframe`). [`Data::keyframe`] is for new ones.
    ///
    /// ```
    /// let mut model = ferrodyn::load_model(
    ///     "<mujoco><size nkey='1'/><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>",
    /// )?;
    /// let mut data = model.make_data();
    /// data.step_n(&model, 10)?;
    /// model.set_keyframe(&data, 0)?;
    /// let mut other = model.make_data();
    /// other.reset_to_keyframe(&model, 0)?;
    /// assert_eq!(other.state_hash(), data.state_hash());
    /// # Ok::<(), ferrodyn::Error>(())
    /// ```
    pub fn set_keyframe(&mut self, data: &Data, key: usize) -> Result<(), StepError> {
        let mut outcome = Ok(());
        self.edit(|m| outcome = ferrodyn_dynamics::data::set_keyframe(m, data, key));
        outcome
    }

    /// Give an actuator another gain: one of MuJoCo's, or a series-elastic one, which needs one activation that keeps the last control
    /// (`dyntype="user"` in the text). Laws of the user are a part of a simulation: [`SimBuilder::actuators`](crate::SimBuilder::actuators).
    ///
    /// ```
    /// use ferrodyn::sim::{GainLaw, SeriesElasticGain};
    /// let mut model = ferrodyn::load_model(
    ///     "<mujoco><worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody>
    ///      <actuator><general joint='j' dyntype='user' gaintype='user'/><motor joint='j'/></actuator></mujoco>",
    /// )?;
    /// let gain = SeriesElasticGain { k_spring: 1000.0, damping: 10.0, gear_ratio: 50.0 };
    /// model.set_actuator_gain(0, gain)?;
    /// model.set_actuator_gain(1, GainLaw::Affine([10.0, 0.0, -0.5]))?;
    /// // a motor has no activation
    /// assert!(model.set_actuator_gain(1, gain).is_err());
    /// # Ok::<(), ferrodyn::Error>(())
    /// ```
    pub fn set_actuator_gain(
        &mut self,
        actuator: usize,
        gain: impl Into<GainLaw>,
    ) -> Result<(), PartError> {
        let (mut outcome, gain) = (Ok(()), gain.into());
        self.edit(|m| outcome = ferrodyn_dynamics::parts::set_actuator_gain(m, actuator, gain));
        outcome
    }

    /// Derive everything that depends on other parameters again: subtree masses, inverse weights,
    /// camera and light offsets, statistics (MuJoCo's `mj_setConst`).
    pub fn derive_constants(&mut self) {
        self.edited = true;
        ferrodyn_dynamics::constants::set_const(Arc::make_mut(&mut self.inner));
    }
}

impl From<ferrodyn_model::Model> for Model {
    fn from(model: ferrodyn_model::Model) -> Model {
        Model { inner: Arc::new(model), warnings: Arc::new([]), spec: None, edited: false }
    }
}

impl Deref for Model {
    type Target = ferrodyn_model::Model;
    fn deref(&self) -> &ferrodyn_model::Model {
        &self.inner
    }
}
