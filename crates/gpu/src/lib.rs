//! Worlds of a model on a GPU: the step's own source as kernels, their launcher, and the processor where there is no GPU.
//!
//! [`GpuBatch`] steps any number of worlds of a model on an NVIDIA GPU, with the bits of a [`BatchSim`](ferrodyn_batch::BatchSim): the kernels are the
//! stages of `ferrodyn-dynamics`, compiled for the GPU in double precision, without contraction, with sums in their order. [`Batch::auto`] takes
//! whichever there is.
//!
//! A world is a block of words, as in [`FixedLayout`](ferrodyn_dynamics::data::FixedLayout), and all of them lie one after the other in memory of the GPU, so that every array of
//! all worlds is a matrix there, with a stride ([`GpuBatch::array`]). How much a world can hold is fixed when a batch is made ([`capacity`]); a
//! step that needs more is an error of that world, which names the number that is missing.
//!
//! The driver is loaded when it is asked for: without a GPU, everything builds and runs, and [`GpuBatch::new`] says what is missing.
//!
//! The kernels come compiled with this crate. For development, the environment variable `FERRODYN_GPU_KERNELS` names an archive to take in their place,
//! of the architecture of the GPU, such as the one with bounds checks that `cargo xtask gpu --checked` writes.

mod archive;
mod array;
mod auto;
mod batch;
mod capacity;
mod device;
mod error;
mod kernels;

pub use array::DeviceArray;
pub use auto::Batch;
pub use batch::{GpuBatch, check_model};
pub use capacity::capacity;
pub use device::available;
pub use error::GpuError;
