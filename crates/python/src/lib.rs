//! The native half of the `ferrodyn` Python package.
//!
//! It owns models and worlds, hands out their arrays as numpy views without a copy, runs the
//! physics with the interpreter lock released, and defines the functions under MuJoCo's names. The
//! Python half (`python/ferrodyn`) gives models and worlds MuJoCo's attributes.
#![allow(
    unsafe_code,
    reason = "numpy views borrow memory that Rust owns; each use says why it is sound"
)]
#![allow(non_snake_case, reason = "functions and arguments have MuJoCo's names")]

mod args;
mod batch;

mod band;
mod cache;
mod callbacks;
mod data;
mod decompose;
mod derivative;
mod errors;
mod gpu;
mod inertia;
mod inverse;
mod jacobian;
mod matrix;
mod misc;
mod model;
mod quaternion;
mod ray;
mod rollout;
mod sensor;
mod spec;
mod spec_parts;
mod state;
mod step;
mod support;
mod tables;
mod text;
mod vector;
mod views;
mod warnings;

use pyo3::prelude::*;

#[pymodule]
fn _native(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add("__version__", env!("CARGO_PKG_VERSION"))?;
    // the Python half describes structs whose reals have this size
    m.add("REAL_BYTES", size_of::<ferrodyn_math::Real>())?;
    m.add_class::<model::Model>()?;
    m.add_class::<data::Data>()?;
    m.add_class::<spec::Spec>()?;
    errors::register(m)?;
    spec_parts::register(m)?;
    tables::register(m)?;
    step::register(m)?;
    batch::register(m)?;
    gpu::register(m)?;
    state::register(m)?;
    jacobian::register(m)?;
    sensor::register(m)?;
    support::register(m)?;
    quaternion::register(m)?;
    ray::register(m)?;
    vector::register(m)?;
    matrix::register(m)?;
    band::register(m)?;
    decompose::register(m)?;
    misc::register(m)?;
    text::register(m)?;
    warnings::register(m)?;
    inverse::register(m)?;
    inertia::register(m)?;
    derivative::register(m)?;
    callbacks::register(m)?;
    cache::register(m)?;
    rollout::register(m)
}
