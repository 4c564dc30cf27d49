//! Takes the numbers of a compiled model back into the [`Spec`] that it was compiled from, so that
//! a model that was changed in place can be saved.

mod outer;
mod settings;
mod tree;

use ferrodyn_math::{Real, Vec3};
use ferrodyn_model::Model;

use crate::error::MjcfError;
use crate::pose::double;
use crate::spec::Spec;
use crate::values::Partial;

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
        outer::copy(&mut spec, &changes);
        *self = spec;
        Ok(())
    }
}

/// A model as it was compiled, and as it is now.
struct Changes<'a> {
    old: &'a Model,
    new: &'a Model,
}

/// A value of a model as an attribute states it.
trait Stated<T> {
    fn stated(&self) -> T;
}

impl Stated<f64> for Real {
    fn stated(&self) -> f64 {
        double(*self)
    }
}

impl Stated<[f64; 3]> for Vec3 {
    fn stated(&self) -> [f64; 3] {
        self.0.map(double)
    }
}

impl Stated<Partial<3>> for Vec3 {
    fn stated(&self) -> Partial<3> {
        Partial::from(self.0.map(double).as_slice())
    }
}

impl<const N: usize> Stated<[f64; N]> for [Real; N] {
    fn stated(&self) -> [f64; N] {
        self.map(double)
    }
}

impl<const N: usize> Stated<Partial<N>> for [Real; N] {
    fn stated(&self) -> Partial<N> {
        Partial::from(self.map(double).as_slice())
    }
}

impl Stated<f32> for f32 {
    fn stated(&self) -> f32 {
        *self
    }
}

impl<const N: usize> Stated<[f32; N]> for [f32; N] {
    fn stated(&self) -> [f32; N] {
        *self
    }
}

impl Stated<i32> for i32 {
    fn stated(&self) -> i32 {
        *self
    }
}

impl<const N: usize> Stated<[i32; N]> for [i32; N] {
    fn stated(&self) -> [i32; N] {
        *self
    }
}

impl Stated<bool> for i32 {
    fn stated(&self) -> bool {
        *self != 0
    }
}

/// States those of some attributes whose numbers changed, from rows of arrays.
macro_rules! state_rows {
    ($changes:expr, $row:expr, $attr:expr, [$($field:ident = $array:ident),+ $(,)?]) => {$(
        let (old, new) = (&$changes.old.$array[$row], &$changes.new.$array[$row]);
        if old != new {
            $attr.$field = Some(super::Stated::stated(new));
        }
    )+};
}
use state_rows;

/// The user data of one object, if it changed.
fn changed_user(old: &[Real], new: &[Real], width: usize, row: usize) -> Option<Vec<f64>> {
    let range = row * width..(row + 1) * width;
    let (old, new) = (old.get(range.clone())?, new.get(range)?);
    (old != new).then(|| new.iter().map(|x| double(*x)).collect())
}
