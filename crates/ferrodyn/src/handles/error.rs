//! What goes wrong when an object is asked for by name.
use std::fmt;

use ferrodyn_mjcf::closest;
use ferrodyn_model::ObjType;

use crate::ModelArrays;

/// A model has no object of this kind with this name.
///
/// ```
/// use ferrodyn::prelude::*;
/// let model = load_model(
///     "<mujoco><worldbody><body><joint name='hip'/><geom size='.1'/></body></worldbody></mujoco>",
/// )?;
/// let error = model.joint("hpi").unwrap_err();
/// assert_eq!(error.to_string(), "no joint 'hpi'; did you mean 'hip'?");
/// assert_eq!(error.suggestion.as_deref(), Some("hip"));
/// # Ok::<(), ferrodyn::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameError {
    /// The kind of object, in a word.
    pub kind: &'static str,
    /// The name that was asked for.
    pub name: String,
    /// The name of an object of this kind that is close to it.
    pub suggestion: Option<String>,
}

impl NameError {
    /// The error for a name that is not there, with the closest one that is.
    pub(super) fn new(m: &ModelArrays, kind: ObjType, noun: &'static str, name: &str) -> NameError {
        let known = (0..m.count(kind)).filter_map(|id| m.name(kind, id));
        let suggestion = closest(name, known).map(str::to_owned);
        NameError { kind: noun, name: name.to_owned(), suggestion }
    }
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no {} '{}'", self.kind, self.name)?;
        match &self.suggestion {
            Some(close) => write!(f, "; did you mean '{close}'?"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for NameError {}
