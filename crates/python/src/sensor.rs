//! The `mj_*` functions on sensors, histories and contact forces.
use ferrodyn_dynamics as dynamics;
use ferrodyn_math::Real;
use pyo3::prelude::*;

use crate::args::{Array, DataArg, ModelArg, Out};
use crate::errors::{FatalError, step_error};
use crate::support::{framed_object, no_frame};

/// A number of an object, or the error that MuJoCo's function of that name gives.
fn checked(function: &str, id: i64, n: usize, what: &str) -> PyResult<usize> {
    usize::try_from(id)
        .ok()
        .filter(|id| *id < n)
        .ok_or_else(|| FatalError::new_err(format!("{function}: invalid {what} id {id}")))
}

/// Value of a sensor at a time, as delayed; a negative `interp` means that of the model.
///
/// Where it is interpolated it is written into `result`, which is returned.
#[pyfunction]
fn mj_readSensor<'py>(
    m: ModelArg<'_>,
    d: DataArg<'_>,
    id: i64,
    time: Real,
    result: Bound<'py, PyAny>,
    interp: i32,
) -> PyResult<Bound<'py, PyAny>> {
    let (sensor, dim) = {
        let model = m.read()?;
        let sensor = checked("mj_readSensor", id, model.nsensor, "sensor")?;
        (sensor, model.sensor_dim[sensor].max(0) as usize)
    };
    let out: Out<'_> = result.extract()?;
    let mut values = vec![0.0; dim];
    d.with_world(&m, |m, d| {
        dynamics::sensor::read_sensor(m, d, sensor, time, interp, &mut values);
    })?;
    out.store("result", "sensor_dim[id]", &values)?;
    Ok(result)
}

/// Control of an actuator at a time, as delayed; a negative `interp` means that of the model.
#[pyfunction]
fn mj_readCtrl(
    m: ModelArg<'_>,
    d: DataArg<'_>,
    id: i64,
    time: Real,
    interp: i32,
) -> PyResult<Real> {
    let actuator = checked("mj_readCtrl", id, m.read()?.nu, "actuator")?;
    d.with_world(&m, |m, d| dynamics::force::read_ctrl(m, d, actuator, time, interp))
}

/// Fill the history of an actuator; without `times` those that it has stay.
#[pyfunction]
#[pyo3(signature = (m, d, id, times, values))]
fn mj_initCtrlHistory(
    m: ModelArg<'_>,
    d: DataArg<'_>,
    id: i64,
    times: Option<Array>,
    values: Array,
) -> PyResult<()> {
    let actuator = checked("mj_initCtrlHistory", id, m.read()?.nu, "actuator")?;
    let times = times.map(|t| t.values);
    d.with_world(&m, |m, d| {
        dynamics::force::init_ctrl_history(m, d, actuator, times.as_deref(), Some(&values.values))
    })?
    .map_err(step_error)
}

/// Fill the history of a sensor, one row of `values` for each sample; `phase` is the time of the last one.
#[pyfunction]
#[pyo3(signature = (m, d, id, times, values, phase))]
fn mj_initSensorHistory(
    m: ModelArg<'_>,
    d: DataArg<'_>,
    id: i64,
    times: Option<Array>,
    values: Array,
    phase: Real,
) -> PyResult<()> {
    let sensor = checked("mj_initSensorHistory", id, m.read()?.nsensor, "sensor")?;
    let times = times.map(|t| t.values);
    d.with_world(&m, |m, d| {
        let values = Some(&values.values[..]);
        dynamics::force::init_sensor_history(m, d, sensor, times.as_deref(), values, phase)
    })?
    .map_err(step_error)
}

/// Force and torque of a contact in its own frame, normal first; zero where there is no such contact.
#[pyfunction]
fn mj_contactForce(m: ModelArg<'_>, d: DataArg<'_>, id: i64, result: Out<'_>) -> PyResult<()> {
    let force = d.with_world(&m, |m, d| {
        usize::try_from(id).map_or([0.0; 6], |id| dynamics::query::contact_force(m, d, id))
    })?;
    result.write(force)
}

/// Acceleration of an object with a spatial frame, rotation first; `mj_rnePostConstraint` comes before.
#[pyfunction]
fn mj_objectAcceleration(
    m: ModelArg<'_>,
    d: DataArg<'_>,
    objtype: i32,
    objid: i64,
    res: Out<'_>,
    flg_local: i64,
) -> PyResult<()> {
    let (kind, id) = framed_object(&m, objtype, objid)?;
    let local = flg_local != 0;
    let acc =
        d.with_world(&m, |m, d| dynamics::sensor::object_acceleration(m, d, kind, id, local))?;
    res.write(acc.ok_or_else(|| no_frame(objtype))?.0)
}

pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(mj_readSensor, m)?)?;
    m.add_function(wrap_pyfunction!(mj_readCtrl, m)?)?;
    m.add_function(wrap_pyfunction!(mj_initCtrlHistory, m)?)?;
    m.add_function(wrap_pyfunction!(mj_initSensorHistory, m)?)?;
    m.add_function(wrap_pyfunction!(mj_contactForce, m)?)?;
    m.add_function(wrap_pyfunction!(mj_objectAcceleration, m)?)
}
