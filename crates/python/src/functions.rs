//! The `mj_*` functions.
use ferrodyn_dynamics as dynamics;
use ferrodyn_dynamics::{StepError, StepReport, World};
use ferrodyn_math::Vec3;
use ferrodyn_model::ObjType;
use numpy::{PyArrayDyn, PyArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::data::Data;
use crate::model::Model;
use crate::quaternion::{read, write};

type Arg<'py> = Bound<'py, PyAny>;

fn step_error(e: StepError) -> PyErr {
    PyValueError::new_err(e.to_string())
}

/// The text of a divergence, for a Python warning.
fn message(report: StepReport) -> Option<String> {
    report.divergence.map(|d| d.to_string())
}

/// The numbers of an array-like argument with `n` elements.
fn values(x: &Arg<'_>, name: &str, n: usize) -> PyResult<Vec<f64>> {
    let values: Vec<f64> = match x.cast::<PyArrayDyn<f64>>() {
        Ok(array) => array.try_readonly()?.as_array().iter().copied().collect(),
        Err(_) => x.extract()?,
    };
    if values.len() != n {
        return Err(PyTypeError::new_err(format!(
            "{name} should have {n} elements, not {}",
            values.len()
        )));
    }
    Ok(values)
}

/// Write a result into a numpy array argument.
fn store(out: &Arg<'_>, name: &str, result: &[f64]) -> PyResult<()> {
    let array = out
        .cast::<PyArrayDyn<f64>>()
        .map_err(|_| PyTypeError::new_err(format!("{name} must be a float64 numpy array")))?;
    let mut array = array.try_readwrite()?;
    let mut slots = array.as_array_mut();
    if slots.len() != result.len() {
        return Err(PyTypeError::new_err(format!(
            "{name} should have {} elements, not {}",
            result.len(),
            slots.len()
        )));
    }
    for (slot, v) in slots.iter_mut().zip(result) {
        *slot = *v;
    }
    Ok(())
}

/// An index that Python passed, checked against the number of objects.
fn index(id: i64, n: usize, what: &str) -> PyResult<usize> {
    usize::try_from(id)
        .ok()
        .filter(|&i| i < n)
        .ok_or_else(|| PyValueError::new_err(format!("invalid {what} {id}")))
}

#[pyfunction]
fn step(py: Python<'_>, m: &Model, d: &Data, nstep: usize) -> PyResult<Option<String>> {
    let mut lock = d.lock()?;
    py.detach(|| dynamics::step_n(m.get(), lock.get(), nstep)).map(message).map_err(step_error)
}

#[pyfunction]
fn step1(py: Python<'_>, m: &Model, d: &Data) -> PyResult<Option<String>> {
    let mut lock = d.lock()?;
    py.detach(|| dynamics::step1(m.get(), lock.get())).map(message).map_err(step_error)
}

#[pyfunction]
fn step2(py: Python<'_>, m: &Model, d: &Data) -> PyResult<Option<String>> {
    let mut lock = d.lock()?;
    py.detach(|| dynamics::step2(m.get(), lock.get())).map(message).map_err(step_error)
}

#[pyfunction]
fn forward(py: Python<'_>, m: &Model, d: &Data) -> PyResult<()> {
    let mut lock = d.lock()?;
    py.detach(|| dynamics::forward(m.get(), lock.get())).map_err(step_error)
}

#[pyfunction]
fn reset(m: &Model, d: &Data) -> PyResult<()> {
    dynamics::reset(m.get(), d.lock()?.get()).map_err(step_error)
}

#[pyfunction]
fn reset_to_keyframe(m: &Model, d: &Data, key: i64) -> PyResult<()> {
    let mut lock = d.lock()?;
    match usize::try_from(key) {
        Ok(key) if key < m.get().nkey => {
            dynamics::reset_to_keyframe(m.get(), lock.get(), key).map_err(step_error)
        }
        // as in MuJoCo, a number without a keyframe is a plain reset
        _ => dynamics::reset(m.get(), lock.get()).map_err(step_error),
    }
}

/// Run one stage of the pipeline by name.
#[pyfunction]
fn stage(m: &Model, d: &Data, name: &str) -> PyResult<()> {
    let run: fn(&ferrodyn_model::Model, &mut World<'_>) = match name {
        "kinematics" => dynamics::kinematics,
        "comPos" => dynamics::com_pos,
        "camlight" => dynamics::camlight,
        "crb" => dynamics::crb,
        "makeM" => dynamics::make_m,
        "factorM" => dynamics::factor_m,
        "comVel" => dynamics::com_vel,
        "passive" => dynamics::passive,
        "subtreeVel" => dynamics::subtree_vel,
        "rnePostConstraint" => dynamics::rne_post_constraint,
        "energyPos" => dynamics::energy_pos,
        "energyVel" => dynamics::energy_vel,
        "fwdPosition" => dynamics::fwd_position,
        "fwdVelocity" => dynamics::fwd_velocity,
        "fwdAcceleration" => dynamics::fwd_acceleration,
        "fwdConstraint" => dynamics::fwd_constraint,
        _ => return Err(PyValueError::new_err(format!("unknown stage {name}"))),
    };
    d.with_world(m, run)
}

#[pyfunction]
fn rne(m: &Model, d: &Data, flg_acc: bool, result: Arg<'_>) -> PyResult<()> {
    let mut out = vec![0.0; m.get().nv];
    d.with_world(m, |m, d| dynamics::rne(m, d, flg_acc, &mut out))?;
    store(&result, "result", &out)
}

#[pyfunction]
fn full_m(m: &Model, dst: Arg<'_>, qm: Arg<'_>) -> PyResult<()> {
    let model = m.get();
    let qm = values(&qm, "M", model.nM)?;
    let mut dense = vec![0.0; model.nv * model.nv];
    dynamics::full_m(model, &mut dense, &qm);
    store(&dst, "dst", &dense)
}

#[pyfunction]
fn mul_m(m: &Model, d: &Data, res: Arg<'_>, vec: Arg<'_>) -> PyResult<()> {
    let nv = m.get().nv;
    let v = values(&vec, "vec", nv)?;
    let mut out = vec![0.0; nv];
    d.with_world(m, |m, d| dynamics::mul_m(m, d, &mut out, &v))?;
    store(&res, "res", &out)
}

#[pyfunction]
fn solve_m(m: &Model, d: &Data, x: Arg<'_>, y: Arg<'_>) -> PyResult<()> {
    let nv = m.get().nv;
    let n: usize = y.call_method0("__len__")?.extract()?;
    let total: usize = y.getattr("size").and_then(|s| s.extract()).unwrap_or(n);
    let mut out = values(&y, "y", total)?;
    if nv == 0 || total % nv != 0 {
        return Err(PyTypeError::new_err(format!("y should have rows of {nv} elements")));
    }
    d.with_world(m, |m, d| {
        for row in out.chunks_exact_mut(nv) {
            dynamics::solve_m(m, d, row);
        }
    })?;
    store(&x, "x", &out)
}

#[pyfunction]
fn integrate_pos(m: &Model, qpos: Arg<'_>, qvel: Arg<'_>, dt: f64) -> PyResult<()> {
    let model = m.get();
    let mut q = values(&qpos, "qpos", model.nq)?;
    dynamics::integrate_pos(model, &mut q, &values(&qvel, "qvel", model.nv)?, dt);
    store(&qpos, "qpos", &q)
}

#[pyfunction]
fn differentiate_pos(
    m: &Model,
    qvel: Arg<'_>,
    dt: f64,
    qpos1: Arg<'_>,
    qpos2: Arg<'_>,
) -> PyResult<()> {
    let model = m.get();
    let (q1, q2) = (values(&qpos1, "qpos1", model.nq)?, values(&qpos2, "qpos2", model.nq)?);
    let mut v = vec![0.0; model.nv];
    dynamics::differentiate_pos(model, &mut v, dt, &q1, &q2);
    store(&qvel, "qvel", &v)
}

#[pyfunction]
fn normalize_quat(m: &Model, qpos: Arg<'_>) -> PyResult<()> {
    let mut q = values(&qpos, "qpos", m.get().nq)?;
    dynamics::normalize_quats(m.get(), &mut q);
    store(&qpos, "qpos", &q)
}

/// Compute a pair of Jacobians and store those that were asked for.
fn jacobians(
    m: &Model,
    d: &Data,
    jacp: Option<Arg<'_>>,
    jacr: Option<Arg<'_>>,
    names: [&str; 2],
    compute: impl FnOnce(&ferrodyn_model::Model, &World<'_>, &mut [f64], &mut [f64]),
) -> PyResult<()> {
    let n = 3 * m.get().nv;
    let (mut p, mut r) = (vec![0.0; n], vec![0.0; n]);
    d.with_world(m, |m, d| compute(m, d, &mut p, &mut r))?;
    for (out, name, result) in [(jacp, names[0], &p), (jacr, names[1], &r)] {
        if let Some(out) = out {
            store(&out, name, result)?;
        }
    }
    Ok(())
}

const JAC: [&str; 2] = ["jacp", "jacr"];

#[pyfunction]
#[pyo3(signature = (m, d, jacp, jacr, point, body))]
fn jac(
    m: &Model,
    d: &Data,
    jacp: Option<Arg<'_>>,
    jacr: Option<Arg<'_>>,
    point: Arg<'_>,
    body: i64,
) -> PyResult<()> {
    let point = Vec3(read(&point)?);
    let b = index(body, m.get().nbody, "body")?;
    jacobians(m, d, jacp, jacr, JAC, |m, d, p, r| dynamics::jac(m, d, Some(p), Some(r), point, b))
}

#[pyfunction]
#[pyo3(signature = (m, d, jacp, jacr, point, body))]
fn jac_dot(
    m: &Model,
    d: &Data,
    jacp: Option<Arg<'_>>,
    jacr: Option<Arg<'_>>,
    point: Arg<'_>,
    body: i64,
) -> PyResult<()> {
    let point = Vec3(read(&point)?);
    let b = index(body, m.get().nbody, "body")?;
    jacobians(m, d, jacp, jacr, JAC, |m, d, p, r| {
        dynamics::jac_dot(m, d, Some(p), Some(r), point, b)
    })
}

/// Jacobians of a body, its centre of mass, a geom or a site.
#[pyfunction]
#[pyo3(signature = (m, d, jacp, jacr, kind, id))]
fn jac_object(
    m: &Model,
    d: &Data,
    jacp: Option<Arg<'_>>,
    jacr: Option<Arg<'_>>,
    kind: &str,
    id: i64,
) -> PyResult<()> {
    let sizes = &m.get().sizes;
    let count = match kind {
        "geom" => sizes.ngeom,
        "site" => sizes.nsite,
        _ => sizes.nbody,
    };
    let id = index(id, count, kind)?;
    jacobians(m, d, jacp, jacr, JAC, |m, d, p, r| {
        let (p, r) = (Some(p), Some(r));
        match kind {
            "geom" => dynamics::jac_geom(m, d, p, r, id),
            "site" => dynamics::jac_site(m, d, p, r, id),
            "bodycom" => dynamics::jac_body_com(m, d, p, r, id),
            _ => dynamics::jac_body(m, d, p, r, id),
        }
    })
}

#[pyfunction]
fn jac_subtree_com(m: &Model, d: &Data, jacp: Arg<'_>, body: i64) -> PyResult<()> {
    let b = index(body, m.get().nbody, "body")?;
    jacobians(m, d, Some(jacp), None, JAC, |m, d, p, _| dynamics::jac_subtree_com(m, d, p, b))
}

#[pyfunction]
#[pyo3(signature = (m, d, jac_point, jac_axis, point, axis, body))]
fn jac_point_axis(
    m: &Model,
    d: &Data,
    jac_point: Option<Arg<'_>>,
    jac_axis: Option<Arg<'_>>,
    point: Arg<'_>,
    axis: Arg<'_>,
    body: i64,
) -> PyResult<()> {
    let (point, axis) = (Vec3(read(&point)?), Vec3(read(&axis)?));
    let b = index(body, m.get().nbody, "body")?;
    jacobians(m, d, jac_point, jac_axis, ["jacPoint", "jacAxis"], |m, d, p, a| {
        dynamics::jac_point_axis(m, d, Some(p), Some(a), point, axis, b)
    })
}

#[pyfunction]
fn apply_ft(
    m: &Model,
    d: &Data,
    force: Arg<'_>,
    torque: Arg<'_>,
    point: Arg<'_>,
    body: i64,
    qfrc_target: Arg<'_>,
) -> PyResult<()> {
    let (force, torque, point) = (Vec3(read(&force)?), Vec3(read(&torque)?), Vec3(read(&point)?));
    let b = index(body, m.get().nbody, "body")?;
    let mut qfrc = values(&qfrc_target, "qfrc_target", m.get().nv)?;
    d.with_world(m, |m, d| {
        let com = d.subtree_com[m.body_rootid[b] as usize];
        dynamics::apply_ft(m, d.cdof, com, force, torque, point, b, &mut qfrc);
    })?;
    store(&qfrc_target, "qfrc_target", &qfrc)
}

#[pyfunction]
fn object_velocity(
    m: &Model,
    d: &Data,
    objtype: i32,
    objid: i64,
    res: Arg<'_>,
    flg_local: bool,
) -> PyResult<()> {
    let bad = || PyValueError::new_err(format!("invalid object type {objtype}"));
    let kind = ObjType::try_from(objtype).map_err(|_| bad())?;
    let id = index(objid, m.get().count(kind), "object")?;
    let velocity = d.with_world(m, |m, d| dynamics::object_velocity(m, d, kind, id, flg_local))?;
    write(&res, velocity.ok_or_else(bad)?.0)
}

#[pyfunction]
fn state_size(m: &Model, spec: i32) -> usize {
    dynamics::state_size(m.get(), spec)
}

#[pyfunction]
fn get_state(m: &Model, d: &Data, state: Arg<'_>, spec: i32) -> PyResult<()> {
    let values = dynamics::get_state(m.get(), d.lock()?.get(), spec).map_err(step_error)?;
    store(&state, "state", &values)
}

#[pyfunction]
fn set_state(m: &Model, d: &Data, state: Arg<'_>, spec: i32) -> PyResult<()> {
    let values = values(&state, "state", dynamics::state_size(m.get(), spec))?;
    dynamics::set_state(m.get(), d.lock()?.get(), &values, spec).map_err(step_error)
}

pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(step, m)?)?;
    m.add_function(wrap_pyfunction!(step1, m)?)?;
    m.add_function(wrap_pyfunction!(step2, m)?)?;
    m.add_function(wrap_pyfunction!(forward, m)?)?;
    m.add_function(wrap_pyfunction!(reset, m)?)?;
    m.add_function(wrap_pyfunction!(reset_to_keyframe, m)?)?;
    m.add_function(wrap_pyfunction!(stage, m)?)?;
    m.add_function(wrap_pyfunction!(rne, m)?)?;
    m.add_function(wrap_pyfunction!(full_m, m)?)?;
    m.add_function(wrap_pyfunction!(mul_m, m)?)?;
    m.add_function(wrap_pyfunction!(solve_m, m)?)?;
    m.add_function(wrap_pyfunction!(integrate_pos, m)?)?;
    m.add_function(wrap_pyfunction!(differentiate_pos, m)?)?;
    m.add_function(wrap_pyfunction!(normalize_quat, m)?)?;
    m.add_function(wrap_pyfunction!(jac, m)?)?;
    m.add_function(wrap_pyfunction!(jac_dot, m)?)?;
    m.add_function(wrap_pyfunction!(jac_object, m)?)?;
    m.add_function(wrap_pyfunction!(jac_subtree_com, m)?)?;
    m.add_function(wrap_pyfunction!(jac_point_axis, m)?)?;
    m.add_function(wrap_pyfunction!(apply_ft, m)?)?;
    m.add_function(wrap_pyfunction!(object_velocity, m)?)?;
    m.add_function(wrap_pyfunction!(state_size, m)?)?;
    m.add_function(wrap_pyfunction!(get_state, m)?)?;
    m.add_function(wrap_pyfunction!(set_state, m)?)
}
