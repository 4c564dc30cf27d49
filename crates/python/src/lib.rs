//! The native half of the `ferrodyn` Python package.
//!
//! It owns models and worlds, hands out their arrays as numpy views without a copy, and runs the
//! physics with the interpreter lock released. The Python half (`python/ferrodyn`) gives all of
//! it MuJoCo's names.
#![allow(
    unsafe_code,
    reason = "numpy views borrow memory that Rust owns; each use says why it is sound"
)]

mod data;
mod functions;
mod model;
mod quaternion;
mod views;

use ferrodyn_model::ENUMS;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Every enumeration: its name, and its members with their values.
#[pyfunction]
fn enums(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let all = PyDict::new(py);
    for (name, members) in ENUMS {
        let dict = PyDict::new(py);
        for (member, value) in *members {
            dict.set_item(member, value)?;
        }
        all.set_item(name, dict)?;
    }
    Ok(all)
}

#[pymodule]
fn _native(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add("__version__", env!("CARGO_PKG_VERSION"))?;
    m.add_class::<model::Model>()?;
    m.add_class::<data::Data>()?;
    m.add_function(wrap_pyfunction!(enums, m)?)?;
    functions::register(m)?;
    quaternion::register(m)
}
