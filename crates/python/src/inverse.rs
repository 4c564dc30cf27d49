//! The `mj_*` functions of inverse dynamics, of single integrators and of checks.
use ferrodyn_dynamics as dynamics;
use ferrodyn_dynamics::StepReport;
use ferrodyn_dynamics::divergence::DivergedQuantity;
use ferrodyn_model::{Integrator, Stage};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::args::{Array, DataArg, ModelArg, Out};
use crate::errors::{FatalError, step_error};
use crate::step::{advance, detached};

/// The stage that is done; numbers beyond those of `mjtStage` skip as much as the nearest one.
fn stage(skipstage: i64) -> Stage {
    match skipstage {
        ..=0 => Stage::None,
        1 => Stage::Pos,
        2 => Stage::Vel,
        _ => Stage::Acc,
    }
}

/// Inverse dynamics: `qfrc_inverse` for `qpos`, `qvel` and `qacc`.
#[pyfunction]
fn mj_inverse(py: Python<'_>, m: ModelArg<'_>, d: DataArg<'_>) -> PyResult<()> {
    mj_inverseSkip(py, m, d, 0, 0)
}

/// Inverse dynamics after a stage that is done, with sensors unless `skipsensor`.
#[pyfunction]
fn mj_inverseSkip(
    py: Python<'_>,
    m: ModelArg<'_>,
    d: DataArg<'_>,
    skipstage: i64,
    skipsensor: i64,
) -> PyResult<()> {
    let (done, sensors) = (stage(skipstage), skipsensor == 0);
    advance(py, &m, &d, |m, d, hooks| {
        dynamics::step::inverse_skip(m, d, done, sensors, hooks).map(|()| StepReport::default())
    })
}

/// Forward dynamics after a stage that is done, with sensors unless `skipsensor`.
#[pyfunction]
fn mj_forwardSkip(
    py: Python<'_>,
    m: ModelArg<'_>,
    d: DataArg<'_>,
    skipstage: i64,
    skipsensor: i64,
) -> PyResult<()> {
    let (done, sensors) = (stage(skipstage), skipsensor == 0);
    advance(py, &m, &d, |m, d, hooks| {
        dynamics::step::forward_skip(m, d, done, sensors, hooks).map(|()| StepReport::default())
    })
}

/// What inverse dynamics needs that depends on the configuration.
#[pyfunction]
fn mj_invPosition(py: Python<'_>, m: ModelArg<'_>, d: DataArg<'_>) -> PyResult<()> {
    detached(py, &m, &d, |m, d, mut hooks| {
        dynamics::inverse::inv_position(m, &mut d.view_mut(), &mut hooks)
    })?
    .map_err(step_error)
}

/// What inverse dynamics needs that depends on velocity.
#[pyfunction]
fn mj_invVelocity(py: Python<'_>, m: ModelArg<'_>, d: DataArg<'_>) -> PyResult<()> {
    detached(py, &m, &d, |m, d, mut hooks| {
        dynamics::inverse::inv_velocity(m, &mut d.view_mut(), &mut hooks)
    })
}

/// Constraint forces for the acceleration `qacc`.
#[pyfunction]
fn mj_invConstraint(m: ModelArg<'_>, d: DataArg<'_>) -> PyResult<()> {
    d.with_world(&m, dynamics::inverse::inv_constraint)?.map_err(step_error)
}

/// Compare forward and inverse dynamics; the norms of the differences are in `solver_fwdinv`.
#[pyfunction]
fn mj_compareFwdInv(m: ModelArg<'_>, d: DataArg<'_>) -> PyResult<()> {
    d.with_world(&m, dynamics::inverse::compare_fwd_inv)?.map_err(step_error)
}

/// Forces and states of constraint rows for `jar = J qacc - aref`, and their cost where asked for.
#[pyfunction]
#[pyo3(signature = (m, d, jar, cost, flg_coneHessian))]
fn mj_constraintUpdate(
    m: ModelArg<'_>,
    d: DataArg<'_>,
    jar: Array,
    cost: Option<Out<'_>>,
    flg_coneHessian: i64,
) -> PyResult<()> {
    let rows = d.with_world(&m, |_, d| d.head.nefc as usize)?;
    let jar = jar.vector("jar", rows, "nefc")?;
    if cost.as_ref().is_some_and(|cost| cost.size() != 1) {
        return Err(PyTypeError::new_err("cost should be of size 1"));
    }
    let value = d.with_world(&m, |m, d| {
        dynamics::inverse::constraint_update(m, d, &jar, flg_coneHessian != 0)
    })?;
    cost.map_or(Ok(()), |cost| cost.fill(&[value]))
}

/// Advance the state with semi-implicit Euler, with the acceleration that is there.
#[pyfunction]
fn mj_Euler(py: Python<'_>, m: ModelArg<'_>, d: DataArg<'_>) -> PyResult<()> {
    detached(py, &m, &d, |m, d, mut hooks| {
        dynamics::integrate::euler(m, &mut d.view_mut(), false, &mut hooks)
    })?
    .map_err(step_error)
}

/// Advance the state with Runge-Kutta of order `N`, which is 4; `mj_forward` comes before.
#[pyfunction]
#[pyo3(signature = (m, d, N))]
fn mj_RungeKutta(py: Python<'_>, m: ModelArg<'_>, d: DataArg<'_>, N: i64) -> PyResult<()> {
    if N != 4 {
        return Err(FatalError::new_err("mj_RungeKutta: supported RK orders: N=4"));
    }
    detached(py, &m, &d, |m, d, mut hooks| {
        dynamics::integrate::runge_kutta(m, &mut d.view_mut(), &mut hooks)
    })?
    .map_err(step_error)
}

/// Advance the state with an integrator that is implicit in velocity, with the forces that are there.
#[pyfunction]
fn mj_implicit(py: Python<'_>, m: ModelArg<'_>, d: DataArg<'_>) -> PyResult<()> {
    let integrator = m.read()?.opt.integrator;
    if ![Integrator::Implicit as i32, Integrator::ImplicitFast as i32].contains(&integrator) {
        let text = "mj_implicit: integrator must be implicit or implicitfast";
        return Err(FatalError::new_err(text));
    }
    detached(py, &m, &d, |m, d, mut hooks| {
        dynamics::integrate::implicit(m, &mut d.view_mut(), false, &mut hooks)
    })?
    .map(|_| ())
    .map_err(step_error)
}

/// Reset the world if its configuration is bad, and say so.
#[pyfunction]
fn mj_checkPos(py: Python<'_>, m: ModelArg<'_>, d: DataArg<'_>) -> PyResult<()> {
    check(py, &m, &d, DivergedQuantity::Qpos)
}

/// Reset the world if its velocity is bad, and say so.
#[pyfunction]
fn mj_checkVel(py: Python<'_>, m: ModelArg<'_>, d: DataArg<'_>) -> PyResult<()> {
    check(py, &m, &d, DivergedQuantity::Qvel)
}

/// Reset the world and compute everything anew if its acceleration is bad, and say so.
#[pyfunction]
fn mj_checkAcc(py: Python<'_>, m: ModelArg<'_>, d: DataArg<'_>) -> PyResult<()> {
    advance(py, &m, &d, |m, d, mut hooks| {
        let divergence = dynamics::step::check_acceleration(m, &mut d.view_mut(), &mut hooks)?;
        Ok(StepReport { divergence, indefinite: None })
    })
}

fn check(
    py: Python<'_>,
    m: &ModelArg<'_>,
    d: &DataArg<'_>,
    quantity: DivergedQuantity,
) -> PyResult<()> {
    advance(py, m, d, |m, d, _| {
        let divergence = dynamics::divergence::check(m, &mut d.view_mut(), quantity)?;
        Ok(StepReport { divergence, indefinite: None })
    })
}

/// Reset, and fill the memory of all results with a byte.
#[pyfunction]
fn mj_resetDataDebug(m: ModelArg<'_>, d: DataArg<'_>, debug_value: u8) -> PyResult<()> {
    let (model, mut data) = d.lock_with(&m)?;
    dynamics::data::reset_debug(&model, &mut data, debug_value).map_err(step_error)
}

pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(mj_inverse, m)?)?;
    m.add_function(wrap_pyfunction!(mj_inverseSkip, m)?)?;
    m.add_function(wrap_pyfunction!(mj_forwardSkip, m)?)?;
    m.add_function(wrap_pyfunction!(mj_invPosition, m)?)?;
    m.add_function(wrap_pyfunction!(mj_invVelocity, m)?)?;
    m.add_function(wrap_pyfunction!(mj_invConstraint, m)?)?;
    m.add_function(wrap_pyfunction!(mj_compareFwdInv, m)?)?;
    m.add_function(wrap_pyfunction!(mj_constraintUpdate, m)?)?;
    m.add_function(wrap_pyfunction!(mj_Euler, m)?)?;
    m.add_function(wrap_pyfunction!(mj_RungeKutta, m)?)?;
    m.add_function(wrap_pyfunction!(mj_implicit, m)?)?;
    m.add_function(wrap_pyfunction!(mj_checkPos, m)?)?;
    m.add_function(wrap_pyfunction!(mj_checkVel, m)?)?;
    m.add_function(wrap_pyfunction!(mj_checkAcc, m)?)?;
    m.add_function(wrap_pyfunction!(mj_resetDataDebug, m)?)
}
