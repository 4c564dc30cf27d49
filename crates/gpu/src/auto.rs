//! A batch on whatever there is.
use std::sync::Arc;

use ferrodyn_batch::{BatchResult, BatchSim};
use ferrodyn_math::Real;
use ferrodyn_model::Model;

use crate::{GpuBatch, GpuError};

/// Worlds of a model on a GPU, or on the processor where there is none or the model cannot go there. Both have the same bits.
#[derive(Debug)]
#[non_exhaustive]
pub enum Batch {
    /// On a GPU.
    Gpu(Box<GpuBatch>),
    /// On the processor, and why.
    Processor(Box<BatchSim>, GpuError),
}

impl Batch {
    /// So many worlds of a model, on a GPU if that can be.
    ///
    /// ```
    /// use ferrodyn_gpu::Batch;
    /// let model = ferrodyn::load_model("<mujoco><worldbody><body><joint/><geom size='.1' pos='1 0 0'/></body></worldbody></mujoco>")?;
    /// let mut batch = Batch::auto(model.shared(), 8)?;
    /// if let Some(why) = batch.why_not_gpu() {
    ///     println!("on the processor: {why}");
    /// }
    /// assert_eq!(batch.step_all()?.states.len(), 8 * (model.nq + model.nv));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn auto(model: Arc<Model>, count: usize) -> Result<Batch, GpuError> {
        match GpuBatch::new(model.clone(), count) {
            Ok(batch) => Ok(Batch::Gpu(Box::new(batch))),
            Err(
                why @ (GpuError::NoDevice(_)
                | GpuError::NoKernels { .. }
                | GpuError::Unsupported(_)),
            ) => Ok(Batch::Processor(Box::new(BatchSim::new(model, count)?), why)),
            Err(error) => Err(error),
        }
    }

    /// Why the batch is not on a GPU.
    pub fn why_not_gpu(&self) -> Option<&GpuError> {
        match self {
            Batch::Gpu(_) => None,
            Batch::Processor(_, why) => Some(why),
        }
    }

    /// Set the controls of all worlds.
    pub fn set_controls(&mut self, controls: &[Real]) -> Result<(), GpuError> {
        match self {
            Batch::Gpu(batch) => batch.set_controls(controls),
            Batch::Processor(batch, _) => Ok(batch.set_controls(controls)?),
        }
    }

    /// Step all worlds.
    pub fn step_all(&mut self) -> Result<&BatchResult, GpuError> {
        match self {
            Batch::Gpu(batch) => batch.step_all(),
            Batch::Processor(batch, _) => Ok(batch.step_all()?),
        }
    }

    /// Bring those worlds to their initial states that are marked.
    pub fn reset_where(&mut self, which: &[bool]) -> Result<(), GpuError> {
        match self {
            Batch::Gpu(batch) => batch.reset_where(which),
            Batch::Processor(batch, _) => Ok(batch.reset_where(which)?),
        }
    }
}
