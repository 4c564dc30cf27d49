//! Many worlds of one model.
//!
//! [`BatchSim`] steps any number of worlds at once, each with its own state, controls and, where that is asked for, its own model
//! parameters: for people who train policies. [`Rollout`] runs control sequences from initial states: for people who plan by sampling. Both
//! share the work among threads, and what a world computes depends neither on their number nor on the other worlds.
//!
//! ```
//! use ferrodyn::{BatchSim, load_model};
//! let model = load_model(
//!     "<mujoco><worldbody><body><joint name='hinge' axis='0 1 0'/><geom size='.1' pos='0 0 -1'/></body></worldbody>
//!      <actuator><motor joint='hinge'/></actuator></mujoco>",
//! )?;
//! let mut batch = BatchSim::new(model.shared(), 3)?;
//! batch.set_controls(&[-1.0, 0.0, 1.0])?;
//! let result = batch.step_all()?;
//! // a row is a world: qpos, then qvel
//! let speed: Vec<_> = result.states.chunks(2).map(|row| row[1]).collect();
//! assert!(speed[0] < 0.0 && speed[1] == 0.0 && speed[2] > 0.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod bench;
mod error;
mod observed;
mod output;
mod parameters;
mod pool;
mod reward;
mod rollout;
mod share;
mod sim;
mod work;

pub use error::{BatchError, ParameterError};
pub use output::{BatchOutputs, BatchResult, ContactSummary};
pub use reward::{RewardFn, TerminationFn};
pub use rollout::{Rollout, RolloutInput, RolloutResult};
pub use sim::BatchSim;
