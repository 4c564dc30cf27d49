//! A physics engine for articulated bodies: MuJoCo's model language and MuJoCo's numbers, in Rust.
//!
//! ```
//! use ferrodyn::prelude::*;
//!
//! let model = load_model(
//!     r#"<mujoco>
//!          <worldbody>
//!            <body name="bob" pos="0 0 1">
//!              <joint name="pivot" axis="0 1 0"/>
//!              <geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.02"/>
//!            </body>
//!          </worldbody>
//!        </mujoco>"#,
//! )?;
//! let mut data = model.make_data();
//! for _ in 0..100 {
//!     data.step(&model)?;
//! }
//! assert!(data.qpos()[0] > 0.0);
//! # Ok::<(), ferrodyn::Error>(())
//! ```
//!
//! A model can also be made, changed and put together from others in the program: see
//! [`Spec::new`]. Joints, bodies and everything else that has a name are found by it: see [`handles`].
//!
//! Features, on by default: `deformable` adds deformable bodies, see [`soft`]. `fs` reads and writes files on disk; without it the files of a model are in
//! [`LoadOptions::assets`]. `threads` lets [`DerivativeConfig`] share its work; without it one thread does everything, with the
//! same result. All are off in WebAssembly, see `examples/web`.
#![forbid(unsafe_code)]

/// Solvers of contacts.
pub mod contact {
    pub use ferrodyn_dynamics::parts::{ContactSolver, ContactSolverType, LcpSolver, XpbdSolver};
}
mod data;
pub mod derivative;
pub mod handles;
mod model;
pub mod names;
mod parallel;
pub mod sim;
pub mod thread_stack;

pub use data::Data;
pub use derivative::{DerivativeConfig, DerivativeError, TransitionMatrices};
/// Many worlds of one model.
pub use ferrodyn_batch as batch;
pub use ferrodyn_batch::{BatchError, BatchResult, BatchSim, RewardFn};
pub use ferrodyn_dynamics as dynamics;
pub use ferrodyn_dynamics::contact::{RayFilter, RayHit};
pub use ferrodyn_dynamics::divergence::{
    ConstraintRow, DivergedQuantity, Divergence, DivergencePolicy,
};
pub use ferrodyn_dynamics::hooks::{Callbacks, HookWorld, Hooks};
pub use ferrodyn_dynamics::{StepError, StepReport};
pub use ferrodyn_math as math;
pub use ferrodyn_mjcf as mjcf;
pub use ferrodyn_mjcf::{AssetCache, CopyBackError, EditError, LoadOptions, MjcfError, Spec};
pub use ferrodyn_model::{
    Cone, ConstraintState, ConstraintType, DisableBit, EnableBit, EqualityType, FlexBendingType,
    FlexElasticityType, FlexSelf, GainModelType, GeomType, Integrator, JacobianType, JointType,
    LoadError, ObjType, Options, SensorType, Sizes, SleepPolicy, SleepState, Solver, Stage,
    StateBit,
};
/// The arrays of a model, which hooks see, and those of one that belongs to someone else.
pub use ferrodyn_model::{Model as ModelArrays, ModelRef};
#[cfg(feature = "deformable")]
pub use ferrodyn_soft as soft;
pub use handles::NameError;
pub use model::{Model, load_model};
pub use sim::{AnimationSim, MujocoSim, Sim, SimBuilder, SoftBodySim};

/// Anything that can go wrong between a model file and a step.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A model text could not be loaded or compiled.
    #[error(transparent)]
    Mjcf(#[from] MjcfError),
    /// A specification could not be changed.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// Parameters of a model could not be taken back into its specification.
    #[error(transparent)]
    CopyBack(#[from] CopyBackError),
    /// A model without a specification cannot be written as MJCF.
    #[error(
        "the model has no specification: a binary model does not hold the elements of its text"
    )]
    NoSpec,
    /// A binary model could not be read.
    #[error(transparent)]
    Binary(#[from] LoadError),
    /// An object that was asked for by name is not there.
    #[error(transparent)]
    Name(#[from] NameError),
    /// A step could not be made.
    #[error(transparent)]
    Step(#[from] StepError),
    /// A deformable body makes no sense.
    #[cfg(feature = "deformable")]
    #[error(transparent)]
    Soft(#[from] ferrodyn_soft::SoftError),
    /// A part of a simulation cannot be used with its model.
    #[error(transparent)]
    Part(#[from] dynamics::parts::PartError),
    /// A batch of worlds could not be made or stepped.
    #[error(transparent)]
    Batch(#[from] BatchError),
    /// A derivative could not be computed.
    #[error(transparent)]
    Derivative(#[from] DerivativeError),
    /// A file could not be read or written.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: std::path::PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

/// What most programs need.
///
/// ```
/// use ferrodyn::prelude::*;
/// let step: fn(&mut Data, &Model) -> Result<StepReport, StepError> = Data::step;
/// let kinds = (GeomType::Box, Integrator::Euler, MjJointType::Hinge, ObjType::Body);
/// assert_eq!(kinds.1 as i32, 0);
/// let find: fn(&Model, &str) -> Result<Joint, NameError> = Model::joint;
/// # let _ = (step, find, std::mem::size_of::<Contact>());
/// ```
///
/// Handles of what is only seen ([`Camera`](crate::handles::Camera), [`Light`](crate::handles::Light),
/// [`Mesh`](crate::handles::Mesh), [`Material`](crate::handles::Material)) are not here: a renderer has such names too.
pub mod prelude {
    pub use ferrodyn_model::{Contact, JointType as MjJointType};

    pub use crate::handles::{
        Actuator, Body, Equality, Geom, Joint, Keyframe, NameError, Sensor, Site, Tendon,
    };
    pub use crate::{
        BatchSim, Callbacks, Data, DerivativeConfig, DivergencePolicy, EqualityType, Error,
        GeomType, HookWorld, Hooks, Integrator, LoadOptions, Model, ModelArrays, ObjType,
        SensorType, Sim, SimBuilder, Spec, StepError, StepReport, TransitionMatrices, load_model,
    };
}

/// The Rust example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
