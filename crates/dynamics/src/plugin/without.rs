//! In a build without an allocator there are no plugins: worlds of models that use some are refused.
use ferrodyn_collision::SdfShape;
use ferrodyn_model::{Model, Storage};

use crate::World;

/// The plugin instances of a model, ready for worlds: none.
#[derive(Clone, Debug, Default)]
pub struct Plugins;

impl Plugins {
    pub(crate) fn count(&self) -> usize {
        0
    }

    pub(crate) fn shape(&self, _: usize) -> Option<SdfShape> {
        None
    }
}

pub(crate) fn activation_rates(_: &Model<impl Storage>, _: &mut World<'_>) {}

pub(crate) fn actuator_forces(_: &Model<impl Storage>, _: &mut World<'_>) {}

pub(crate) fn passive_forces(_: &Model<impl Storage>, _: &mut World<'_>) {}

pub(crate) fn touch_grids(_: &Model<impl Storage>, _: &mut World<'_>) {}
