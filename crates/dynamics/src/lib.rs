//! The step of the Ferrodyn physics engine: a folder for each part of the pipeline; [`forward`] is its table of contents.
//!
//! A [`OwnedWorld`] holds the state and all results of one world: two blocks of plain memory, one whose size the model fixes and one
//! for contacts and rows, which grows. Temporary memory is a third one, which belongs to the thread. The stages work on a
//! [`World`], a view of these blocks whose fields are slices under MuJoCo's names.
//!
//! Documentation ends with the name of MuJoCo's function where there is one (`MuJoCo: ...`).
//!
//! ```
//! use ferrodyn_dynamics::OwnedWorld;
//! use ferrodyn_dynamics::step::step;
//! use ferrodyn_model::{Model, Sizes};
//! # let mut model = Model::zeroed(Sizes { nbody: 1, ..Sizes::default() });
//! # model.body_mocapid[0] = -1;
//! # model.body_treeid[0] = -1;
//! let mut data = OwnedWorld::new(&model);
//! step(&model, &mut data)?;
//! assert_eq!(data.time(), model.opt.timestep);
//! # Ok::<(), ferrodyn_dynamics::StepError>(())
//! ```
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(
    not(feature = "alloc"),
    allow(
        dead_code,
        unused_imports,
        reason = "some functions serve only owners of growing memory"
    )
)]

#[cfg(feature = "alloc")]
extern crate alloc;

#[cfg(feature = "alloc")]
pub mod constants;
pub mod constraint;
pub mod contact;
pub mod data;
pub mod derivative;
pub mod divergence;
mod error;
pub mod force;
pub mod forward;
pub mod hooks;
pub mod integrate;
pub mod inverse;
#[cfg(feature = "alloc")]
pub mod lanes;
#[cfg(feature = "alloc")]
pub mod parts;
#[cfg(feature = "alloc")]
pub mod plugin;
#[cfg(not(feature = "alloc"))]
#[path = "plugin/without.rs"]
pub mod plugin;
pub mod position;
pub mod query;
pub mod sensor;
pub mod sleep;
#[cfg(feature = "deformable")]
pub mod soft;
pub mod solver;
pub mod step;
pub mod team;
pub mod velocity;

#[cfg(feature = "alloc")]
pub use data::OwnedWorld;
pub use data::World;
pub use error::StepError;
#[cfg(feature = "alloc")]
pub use step::step;
pub use step::{StepReport, step_world};
