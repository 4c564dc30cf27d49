//! The data as users hold it.
use std::ops::{Deref, DerefMut};

use ferrodyn_dynamics::{StepError, StepReport};

use crate::Model;

/// The state and results of one world.
///
/// It dereferences to [`ferrodyn_dynamics::Data`], whose methods give MuJoCo's arrays.
#[derive(Clone, Debug, PartialEq)]
pub struct Data {
    inner: ferrodyn_dynamics::Data,
}

impl Data {
    /// A world at the model's reference pose.
    pub fn new(model: &Model) -> Data {
        Data { inner: ferrodyn_dynamics::Data::new(model) }
    }

    /// Advance by one time step.
    pub fn step(&mut self, model: &Model) -> Result<StepReport, StepError> {
        ferrodyn_dynamics::step(model, &mut self.inner)
    }

    /// Advance by `n` time steps with the same controls and applied forces.
    pub fn step_n(&mut self, model: &Model, n: usize) -> Result<StepReport, StepError> {
        ferrodyn_dynamics::step_n(model, &mut self.inner, n)
    }

    /// Compute everything at the current state, without moving it.
    pub fn forward(&mut self, model: &Model) -> Result<(), StepError> {
        ferrodyn_dynamics::forward(model, &mut self.inner)
    }

    /// Return to the reference pose.
    pub fn reset(&mut self, model: &Model) -> Result<(), StepError> {
        ferrodyn_dynamics::reset(model, &mut self.inner)
    }

    /// Return to a keyframe.
    pub fn reset_to_keyframe(&mut self, model: &Model, key: usize) -> Result<(), StepError> {
        ferrodyn_dynamics::reset_to_keyframe(model, &mut self.inner, key)
    }
}

impl Deref for Data {
    type Target = ferrodyn_dynamics::Data;
    fn deref(&self) -> &ferrodyn_dynamics::Data {
        &self.inner
    }
}

impl DerefMut for Data {
    fn deref_mut(&mut self) -> &mut ferrodyn_dynamics::Data {
        &mut self.inner
    }
}
