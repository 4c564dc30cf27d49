//! The compiled model of the Ferrodyn physics engine.
//!
//! [`Model`] is a plain struct of typed slices under MuJoCo's names (`body_parentid`,
//! `geom_size`, ...), declared once in the tables [`model_sizes!`], [`model_fields!`],
//! [`data_fields!`] and [`work_fields!`].
//!
//! ```
//! use ferrodyn_model::{Model, Sizes};
//! let model = Model::zeroed(Sizes { nuserdata: 2, ..Sizes::default() });
//! assert_eq!(model.nuserdata, 2);
//! let bytes = model.to_bytes();
//! assert_eq!(Model::from_bytes(&bytes).unwrap(), model);
//! ```
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;

mod array;
mod binary;
mod contact;
pub mod defaults;
mod enums;
mod extension;
mod fields;
mod model;
mod names;
mod navigate;
#[cfg(feature = "alloc")]
mod patterns;
mod patterns_check;
pub mod plugin;
mod sensor_table;
mod settings;
mod storage;
mod validate;
mod validate_flex;
mod validate_kinds;
mod validate_mesh;
mod validate_relations;
mod validate_sensor;
mod validate_skin;

pub use array::{ArrayInfo, ArrayMut, ArrayRef};
pub use binary::LoadError;
pub use contact::Contact;
pub use enums::*;
pub use extension::*;
pub use model::{Model, ModelRef, Sizes};
pub use names::hash_name;
#[cfg(feature = "alloc")]
pub use names::name_map;
pub use sensor_table::{CONTACT_DATA, RAY_DATA, SensorDim, SensorInfo, SensorTarget};
pub use settings::{
    Options, Statistic, Visual, VisualGlobal, VisualHeadlight, VisualMap, VisualQuality,
    VisualRgba, VisualScale,
};
pub use storage::{Borrowed, Owned, Rigid, Storage};
pub use validate::InvalidModel;
