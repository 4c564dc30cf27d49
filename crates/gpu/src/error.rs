//! What can go wrong with a batch on a GPU.
use ferrodyn_batch::BatchError;
use ferrodyn_dynamics::StepError;

/// What can go wrong with a batch on a GPU as a whole. What goes wrong with one world is in
/// [`BatchResult::errors`](ferrodyn_batch::BatchResult::errors).
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GpuError {
    /// There is no driver, or no GPU.
    #[error("there is no GPU to use: {0}")]
    NoDevice(String),
    /// There are no kernels for this GPU.
    #[error("{name} has compute capability {major}.{minor}; there are kernels for {known}")]
    NoKernels {
        /// Name of the GPU.
        name: String,
        /// Its compute capability.
        major: i32,
        /// The number after the point.
        minor: i32,
        /// Those for which there are kernels.
        known: String,
    },
    /// An archive of kernels cannot be read.
    #[error("{path}: {message}")]
    Archive {
        /// Where it is.
        path: String,
        /// What is wrong with it.
        message: String,
    },
    /// The model has something that kernels leave out.
    #[error("{0}: not on a GPU")]
    Unsupported(&'static str),
    /// The driver refused something.
    #[error("the driver failed {what}: {message}")]
    Driver {
        /// What was being done.
        what: &'static str,
        /// What the driver says.
        message: String,
    },
    /// Worlds of the model cannot be made.
    #[error(transparent)]
    Step(#[from] StepError),
    /// What goes wrong with batches everywhere: lengths, numbers of worlds and keyframes.
    #[error(transparent)]
    Batch(#[from] BatchError),
}
