//! Small fixed-size linear algebra for the Ferrodyn physics engine.
//!
//! Everything here has MuJoCo's memory layout (quaternions `w x y z`, 3×3 matrices row-major,
//! spatial vectors rotation before translation) and MuJoCo's order of floating-point operations.
//! The [`elementary`] functions are its own, so results have the same bits on every platform.
//!
//! ```
//! use ferrodyn_math::{Quat, Vec3};
//! let quarter_turn = Quat::from_axis_angle(Vec3::Z, core::f64::consts::FRAC_PI_2 as _);
//! let v = quarter_turn.rotate(Vec3::X);
//! assert!((v - Vec3::Y).norm() < 1e-6);
//! ```
#![no_std]
// square roots without the standard library
#![cfg_attr(target_arch = "nvptx64", feature(core_float_math))]
#![deny(unsafe_code)]

#[cfg(any(feature = "alloc", test))]
extern crate alloc;

mod abreast;
mod band;
#[cfg(feature = "alloc")]
mod box_qp;
mod cholesky;
mod dense;
mod eigen;
mod elem;
pub mod elementary;
mod halton;
mod lu;
mod mat3;
mod number;
mod quat;
mod scalar;
mod sort;
pub mod sparse;
mod sparse_bits;
mod sparse_cholesky;
mod sparse_rows;
mod spatial;
mod spring;
mod stack;
pub mod team;
mod tiles;
mod vec3;
mod wide;

pub use abreast::{Abreast, AbreastMask};
pub use band::BandShape;
#[cfg(feature = "alloc")]
pub use box_qp::{BoxQp, BoxQpError};
pub use cholesky::{CholeskyError, cholesky_in_place, cholesky_solve_in_place};
pub use dense::{
    Rotation, add_scaled, dot, dot_gathered, dot_sparse, factor_dense, mul_rows,
    mul_rows_transposed, norm, solve_dense, update_dense,
};
pub use elem::{Element, ScalarKind};
pub use halton::halton;
pub use lu::{LuError, lu_factor_in_place, lu_solve_factored};
pub use mat3::Mat3;
pub use number::{Choice, Mask, Number};
pub use quat::Quat;
pub use scalar::{
    MAX_VAL, MIN_VAL, PI, Real, acos, asin, atan2, by_precision, ceil, cos, double, exp, floor,
    is_bad, ln, pow, sin, sincos, sqrt, tan,
};
pub use sort::{heap_sort, sort_by, sort_keys, sort_pairs};
pub use sparse_bits::BitMatrix;
pub use sparse_cholesky::{SparseFactor, SparseLower, Which};
pub use sparse_rows::{Run, SparseColumns, SparseRows};
pub use spatial::{Inertia10, Spatial, transform_spatial};
pub use spring::spring_damper;
pub use stack::{List, Stack, StackFull, words_of};
pub use team::{Alone, Team};
pub use tiles::{
    Four, GROUP, Tile, add_products, add_to_row, clear_tiles, factor_tiles, solve_tiles, tiles,
    update_tiles,
};
pub use vec3::Vec3;
pub use wide::prefetch;
