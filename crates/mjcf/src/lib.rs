//! MuJoCo's model language: MJCF text becomes a [`Spec`], a [`Spec`] becomes a model.
//!
//! ```text
//! text ──read──▶ elements with positions ──parse──▶ Spec ──compile──▶ Model
//! ```
//!
//! The language is that of MuJoCo 3.5.0: the same texts are accepted, the same are refused, and
//! the compiled numbers agree. Every problem of a text is reported with its position, all of them
//! together. What is not implemented yet is refused by name, never ignored.
//!
//! Without the feature `fs`, which is on by default, nothing is read from disk: a model is a text, and the files that
//! it names are in [`LoadOptions::assets`].

mod actuator;
mod attach;
mod bvh;
mod cache;
mod compile;
mod defaults;
#[cfg(feature = "fs")]
mod dependencies;
#[cfg_attr(not(feature = "fs"), path = "no_disk.rs")]
mod disk;
mod edit;
mod error;
mod files;
mod flexcomp;
mod history;
mod hull;
mod image;
mod keywords;
mod mesh;
mod options;
mod orientation;
mod parse;
mod path;
mod pose;
mod schema;
mod sdf;
mod skin;
mod spec;
mod suggest;
mod urdf;
mod values;
mod write;
mod xml;

pub use actuator::ActuatorValues;
pub use attach::{AttachError, Part, PendingKey, SavedState};
pub use cache::AssetCache;
pub use compile::{Compiled, flags_to_bits};
pub use defaults::{ClassDefaults, DefaultResolver};
#[cfg(feature = "fs")]
pub use dependencies::dependencies;
pub use edit::*;
pub use error::{Diagnostic, DiagnosticKind, MjcfError, Span};
use ferrodyn_model::{Model, plugin};
pub use keywords::*;
pub use options::{Budget, Confinement, LoadOptions};
pub use parse::{SchemaFormat, schema};
pub use schema::*;
pub use spec::*;
pub use suggest::closest;
pub use values::{
    EulerSequence, GroupMask, MemorySize, NameList, Orientation, Partial, RawQuat, Switch,
};
pub use write::{CopyBackError, FileNames};

/// Reads a model from MJCF text and compiles it, with default options.
///
/// ```
/// let model = ferrodyn_mjcf::compile_text(
///     r#"<mujoco><worldbody><body><joint/><geom size="0.1"/></body></worldbody></mujoco>"#,
/// )?;
/// assert_eq!((model.nbody, model.nv), (2, 1));
/// # Ok::<(), ferrodyn_mjcf::MjcfError>(())
/// ```
pub fn compile_text(text: &str) -> Result<Model, MjcfError> {
    let spec = Spec::from_xml_str(text, &LoadOptions::default())?;
    Ok(spec.compile()?.model)
}
