//! The model as users hold it.
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

use ferrodyn_mjcf::{Diagnostic, LoadOptions, MjcfError, Spec};

use crate::{Data, Error};

/// A compiled model, cheap to clone and to share between threads.
///
/// It dereferences to [`ferrodyn_model::Model`], whose fields are MuJoCo's arrays.
#[derive(Clone, Debug)]
pub struct Model {
    inner: Arc<ferrodyn_model::Model>,
    warnings: Arc<[Diagnostic]>,
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
    /// Compile a model from an MJCF file, trusting the user who names it.
    pub fn from_xml_path(path: impl AsRef<Path>) -> Result<Model, MjcfError> {
        Model::from_xml_path_with(path, &LoadOptions::default())
    }

    /// Compile a model from an MJCF file.
    pub fn from_xml_path_with(
        path: impl AsRef<Path>,
        options: &LoadOptions,
    ) -> Result<Model, MjcfError> {
        Model::from_spec(&Spec::from_xml_path(path.as_ref(), options)?)
    }

    /// Compile a model from MJCF text.
    pub fn from_xml_str(xml: &str, options: &LoadOptions) -> Result<Model, MjcfError> {
        Model::from_spec(&Spec::from_xml_str(xml, options)?)
    }

    /// Compile a model from a specification.
    pub fn from_spec(spec: &Spec) -> Result<Model, MjcfError> {
        let compiled = spec.compile()?;
        Ok(Model { inner: Arc::new(compiled.model), warnings: compiled.warnings.into() })
    }

    /// Read a binary model.
    pub fn from_binary_path(path: impl AsRef<Path>) -> Result<Model, Error> {
        let path = path.as_ref();
        let bytes =
            std::fs::read(path).map_err(|source| Error::File { path: path.to_owned(), source })?;
        Ok(Model::from(ferrodyn_model::Model::from_bytes(&bytes)?))
    }

    /// Write a binary model.
    pub fn save_binary(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let path = path.as_ref();
        std::fs::write(path, self.inner.to_bytes())
            .map_err(|source| Error::File { path: path.to_owned(), source })
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
        change(Arc::make_mut(&mut self.inner));
    }

    /// Derive everything that depends on other parameters again: subtree masses, inverse weights,
    /// camera and light offsets, statistics (MuJoCo's `mj_setConst`).
    pub fn derive_constants(&mut self) {
        ferrodyn_dynamics::set_const(Arc::make_mut(&mut self.inner));
    }
}

impl From<ferrodyn_model::Model> for Model {
    fn from(model: ferrodyn_model::Model) -> Model {
        Model { inner: Arc::new(model), warnings: Arc::new([]) }
    }
}

impl Deref for Model {
    type Target = ferrodyn_model::Model;
    fn deref(&self) -> &ferrodyn_model::Model {
        &self.inner
    }
}
