//! Takes the numbers of a compiled model back into the [`Spec`] that it was compiled from, so that
//! a model that was changed in place can be saved.

mod relations;
mod settings;
mod tree;

use ferrodyn_model::Model;

use crate::error::MjcfError;
use crate::schema::{At, Attributes};
use crate::spec::Spec;

/// Why the numbers of a model cannot be taken back.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CopyBackError {
    /// The specification does not compile.
    #[error(transparent)]
    Compile(#[from] MjcfError),
    /// The model was not compiled from this specification.
    #[error("the model was not compiled from this specification: {0} differs")]
    Different(&'static str),
    /// Geoms or bodies were changed that the compiler has fused or left out.
    #[error(
        "bodies, geoms or sites were changed, but the compiler's fusestatic or discardvisual has \
         changed their numbers"
    )]
    Renumbered,
}

impl Spec {
    /// Takes the numbers that were changed in a model back into the specification that it was
    /// compiled from (as MuJoCo does before it saves a model): poses, masses and inertias,
    /// parameters of joints, geoms, sites, cameras, lights, materials, contact pairs, equality
    /// constraints, tendons, actuators and sensors, custom numbers, keyframes, options, visual
    /// settings and statistics.
    ///
    /// What the model has unchanged is left as it was written. Elements that were moved leave the
    /// frames that they lay in. A body whose geoms changed states the inertia that the model has.
    /// Flags, types, references and the content of assets stay as they are.
    ///
    /// ```
    /// use ferrodyn_mjcf::{LoadOptions, Spec};
    /// let text = r#"<mujoco><worldbody><geom name="g" size="1"/></worldbody></mujoco>"#;
    /// let mut spec = Spec::from_xml_str(text, &LoadOptions::default())?;
    /// let mut model = spec.compile()?.model;
    /// model.geom_friction[0].0[0] = 0.3;
    /// spec.copy_back(&model).unwrap();
    /// assert!(spec.to_xml().contains(r#"friction="0.3 0.005 0.0001""#));
    /// # Ok::<(), ferrodyn_mjcf::MjcfError>(())
    /// ```
    pub fn copy_back(&mut self, model: &Model) -> Result<(), CopyBackError> {
        let old = self.compile()?.model;
        let sizes = old.sizes.all().into_iter().zip(model.sizes.all());
        if let Some((size, _)) = sizes.clone().find(|(a, b)| a.1 != b.1) {
            return Err(CopyBackError::Different(size.0));
        }
        if old.signature != model.signature {
            return Err(CopyBackError::Different("signature"));
        }
        let mut spec = self.prepared()?.into_owned();
        let changes = Changes { old: &old, new: model };
        settings::copy(&mut spec, &changes);
        tree::copy(&mut spec, &changes)?;
        relations::copy(&mut spec, &changes);
        *self = spec;
        Ok(())
    }
}

/// A model as it was compiled, and as it is now.
struct Changes<'a> {
    old: &'a Model,
    new: &'a Model,
}

impl Changes<'_> {
    /// States those attributes of an element whose arrays changed in its rows.
    fn take_back(&self, attr: &mut impl Attributes, at: At) {
        attr.take_back(self.old, self.new, at);
    }
}
