//! The `mj_*` functions on state vectors and keyframes.
use ferrodyn_dynamics as dynamics;
use pyo3::prelude::*;

use crate::args::{Array, DataArg, ModelArg, Out};
use crate::errors::{FatalError, step_error};

/// Number of elements that a state can have (`mjNSTATE`).
const ELEMENTS: u32 = 14;

/// A union of `mjtState` bits.
pub(crate) fn signature(sig: i64) -> PyResult<i32> {
    match i32::try_from(sig) {
        Ok(sig) if (0..1 << ELEMENTS).contains(&sig) => Ok(sig),
        _ => Err(FatalError::new_err(format!("invalid state signature {sig}"))),
    }
}

/// Length of the state vector for a union of `mjtState` bits.
#[pyfunction]
fn mj_stateSize(m: ModelArg<'_>, sig: i64) -> PyResult<usize> {
    Ok(dynamics::data::state_size(&*m.read()?, signature(sig)?))
}

/// Write the state vector for a union of `mjtState` bits.
#[pyfunction]
fn mj_getState(m: ModelArg<'_>, d: DataArg<'_>, state: Out<'_>, sig: i64) -> PyResult<()> {
    let sig = signature(sig)?;
    let values = {
        let (model, data) = d.lock_with(&m)?;
        dynamics::data::get_state(&model, &data, sig).map_err(step_error)?
    };
    state.store("state", "mj_stateSize(m, sig)", &values)
}

/// Set the state from a vector made by `mj_getState`.
#[pyfunction]
fn mj_setState(m: ModelArg<'_>, d: DataArg<'_>, state: Array, sig: i64) -> PyResult<()> {
    let sig = signature(sig)?;
    let (model, mut data) = d.lock_with(&m)?;
    let n = dynamics::data::state_size(&model, sig);
    let values = state.vector("state", n, "mj_stateSize(m, sig)")?;
    dynamics::data::set_state(&model, &mut data, &values, sig).map_err(step_error)
}

/// Copy the elements of the state that a union of `mjtState` bits selects.
#[pyfunction]
fn mj_copyState(m: ModelArg<'_>, src: DataArg<'_>, dst: DataArg<'_>, sig: i64) -> PyResult<()> {
    let sig = signature(sig)?;
    let values = {
        let (model, data) = src.lock_with(&m)?;
        dynamics::data::get_state(&model, &data, sig).map_err(step_error)?
    };
    let (model, mut data) = dst.lock_with(&m)?;
    dynamics::data::set_state(&model, &mut data, &values, sig).map_err(step_error)
}

/// Take a part of a state vector: `dstsig` selects from what `srcsig` selected.
#[pyfunction]
fn mj_extractState(
    m: ModelArg<'_>,
    src: Array,
    srcsig: i64,
    dst: Out<'_>,
    dstsig: i64,
) -> PyResult<()> {
    let (from, to) = (signature(srcsig)?, signature(dstsig)?);
    if from & to != to {
        return Err(FatalError::new_err("dstsig is not a subset of srcsig"));
    }
    let model = m.read()?;
    let src =
        src.vector("src", dynamics::data::state_size(&model, from), "mj_stateSize(m, srcsig)")?;
    let mut values = Vec::with_capacity(dynamics::data::state_size(&model, to));
    let mut start = 0;
    for bit in (0..ELEMENTS).map(|i| 1 << i).filter(|bit| from & bit != 0) {
        let end = start + dynamics::data::state_size(&model, bit);
        if to & bit != 0 {
            values.extend_from_slice(&src[start..end]);
        }
        start = end;
    }
    dst.store("dst", "mj_stateSize(m, dstsig)", &values)
}

/// Store the current state as keyframe `k` of the model.
#[pyfunction]
fn mj_setKeyframe(m: ModelArg<'_>, d: DataArg<'_>, k: i64) -> PyResult<()> {
    let mut model = m.write()?;
    let data = d.lock()?;
    if !data.fits(&model) {
        return Err(crate::data::mismatch());
    }
    let nkey = model.nkey;
    let k = usize::try_from(k).ok().filter(|&k| k < nkey).ok_or_else(|| {
        FatalError::new_err(format!("keyframe {k} is not one of the model's {nkey}"))
    })?;
    dynamics::data::set_keyframe(&mut model, &data, k).map_err(step_error)
}

pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(mj_stateSize, m)?)?;
    m.add_function(wrap_pyfunction!(mj_getState, m)?)?;
    m.add_function(wrap_pyfunction!(mj_setState, m)?)?;
    m.add_function(wrap_pyfunction!(mj_copyState, m)?)?;
    m.add_function(wrap_pyfunction!(mj_extractState, m)?)?;
    m.add_function(wrap_pyfunction!(mj_setKeyframe, m)?)
}
