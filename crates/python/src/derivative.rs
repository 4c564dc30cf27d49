//! The `mjd_*` functions, and the derivative of a step with closed forms.
use ferrodyn::DerivativeConfig;
use ferrodyn::derivative::{mjd_transition, mjd_transition_fd_with};
use ferrodyn_dynamics as dynamics;
use ferrodyn_dynamics::StepError;
use ferrodyn_dynamics::derivative::{Baseline, Column, DifferenceOptions, InverseOutputs, Worker};
use ferrodyn_dynamics::hooks::Hooks;
use ferrodyn_math::{Quat, Real};
use ferrodyn_model::{Integrator, Model};
use numpy::PyArray1;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::args::{Array, DataArg, Fixed, ModelArg, Out};
use crate::errors::{FatalError, step_error};
use crate::step::detached;

/// Refuse an output that has the wrong shape.
fn expect(out: &Option<Out<'_>>, name: &str, dims: &str, shape: (usize, usize)) -> PyResult<()> {
    match out {
        Some(out) if out.matrix(name).map(|(_, rows, cols)| (rows, cols))? != shape => {
            Err(PyTypeError::new_err(format!("{name} should be of shape {dims}")))
        }
        _ => Ok(()),
    }
}

fn refuse_rk4(function: &str, m: &Model) -> PyResult<()> {
    if m.opt.integrator == Integrator::Rk4 as i32 {
        return Err(FatalError::new_err(format!("{function}: RK4 integrator is not supported")));
    }
    Ok(())
}

/// Rows of derivatives, one for each input.
struct Differences {
    states: Vec<Real>,
    sensors: Vec<Real>,
}

/// Run a function that uses data up: on a copy, or on the data itself where callbacks have to see what
/// happens. The data is put back as it was.
fn scratch<R>(
    data: &mut dynamics::OwnedWorld,
    hooks: Option<&mut dyn Hooks>,
    f: impl FnOnce(&mut dynamics::OwnedWorld, Option<&mut dyn Hooks>) -> R,
) -> R {
    let mut copy = data.clone();
    if hooks.is_none() {
        return f(&mut copy, None);
    }
    let result = f(data, hooks);
    data.copy_from(&copy);
    result
}

/// The columns of a list, each one as a row.
fn differences(
    m: &Model,
    world: &mut dynamics::OwnedWorld,
    options: DifferenceOptions,
    list: &[Column],
    mut hooks: Option<&mut dyn Hooks>,
) -> Result<Differences, StepError> {
    let (states, sensors) = (2 * m.nv + m.na, m.nsensordata);
    let base = Baseline::new(m, world, options, hooks.as_mut().map(|h| -> &mut dyn Hooks { *h }))?;
    let mut worker = Worker::new(&base, None);
    let mut rows = Differences {
        states: vec![0.0; list.len() * states],
        sensors: vec![0.0; list.len() * sensors],
    };
    let view = &mut world.view_mut();
    for (k, column) in list.iter().enumerate() {
        let state = &mut rows.states[k * states..(k + 1) * states];
        let sensor = &mut rows.sensors[k * sensors..(k + 1) * sensors];
        worker.column(m, view, *column, state, sensor, &mut hooks)?;
    }
    Ok(rows)
}

/// Where a column of a list belongs in its matrix: that of the state, or that of the controls.
fn place(m: &Model, column: Column) -> usize {
    match column {
        Column::Control(i) => i,
        _ => column.state_index(m).unwrap_or(0),
    }
}

/// Finite differences of a step: `A` and `B` of the next state, `C` and `D` of the sensors, by state and controls.
///
/// `D` has the sign that MuJoCo 3.5.0 gives it, which with centred differences is the wrong one.
#[pyfunction]
#[pyo3(signature = (m, d, eps, flg_centered, A, B, C, D))]
fn mjd_transitionFD(
    py: Python<'_>,
    m: ModelArg<'_>,
    d: DataArg<'_>,
    eps: Real,
    flg_centered: i64,
    A: Option<Out<'_>>,
    B: Option<Out<'_>>,
    C: Option<Out<'_>>,
    D: Option<Out<'_>>,
) -> PyResult<()> {
    let (model, data) = d.lock_with(&m)?;
    let (nx, nu, ns) = (2 * model.nv + model.na, model.nu, model.nsensordata);
    expect(&A, "A", "(2*nv+na, 2*nv+na)", (nx, nx))?;
    expect(&B, "B", "(2*nv+na, nu)", (nx, nu))?;
    expect(&C, "C", "(nsensordata, 2*nv+na)", (ns, nx))?;
    expect(&D, "D", "(nsensordata, nu)", (ns, nu))?;
    refuse_rk4("mjd_transitionFD", &model)?;
    if model.nhistory > 0 {
        return Err(FatalError::new_err("mjd_transitionFD: delays are not supported"));
    }
    let options =
        DifferenceOptions { eps, centered: flg_centered != 0, sensors: C.is_some() || D.is_some() };
    let by_state = A.is_some() || C.is_some();
    let by_control = B.is_some() || D.is_some();
    let list: Vec<Column> = Column::all(&model)
        .filter(|c| if matches!(c, Column::Control(_)) { by_control } else { by_state })
        .collect();
    drop((model, data));
    let rows = detached(py, &m, &d, |m, data, hooks| {
        scratch(data, hooks, |data, hooks| differences(m, data, options, &list, hooks))
    })?
    .map_err(step_error)?;
    let (model, data) = d.lock_with(&m)?;
    let physics = &*model;

    let store =
        |out: Option<Out<'_>>, rows: &[Real], height: usize, width: usize, controls: bool| {
            let Some(out) = out else { return Ok(()) };
            let mut values = vec![0.0; height * width];
            for (k, column) in list.iter().enumerate() {
                if matches!(column, Column::Control(_)) == controls {
                    let to = place(physics, *column);
                    (0..height).for_each(|r| values[r * width + to] = rows[k * height + r]);
                }
            }
            out.fill(&values)
        };
    // one-sided differences of a control have the right sign
    let sign = |i: usize| {
        let ctrl = data.ctrl()[i];
        let [low, high] = physics.actuator_ctrlrange[i];
        let inside = |x: Real| physics.actuator_ctrllimited[i] == 0 || (low <= x && x <= high);
        let both = inside(ctrl) && inside(ctrl + eps) && inside(ctrl - eps);
        if options.centered && both { -1.0 } else { 1.0 }
    };
    let mut sensors = rows.sensors;
    for (k, column) in list.iter().enumerate() {
        if let Column::Control(i) = column {
            sensors[k * ns..(k + 1) * ns].iter_mut().for_each(|x| *x *= sign(*i));
        }
    }
    store(A, &rows.states, nx, nx, false)?;
    store(B, &rows.states, nx, nu, true)?;
    store(C, &sensors, ns, nx, false)?;
    store(D, &sensors, ns, nu, true)
}

/// Finite differences of inverse dynamics; rows of the results are inputs.
#[pyfunction]
#[pyo3(signature = (m, d, eps, flg_actuation, DfDq, DfDv, DfDa, DsDq, DsDv, DsDa, DmDq))]
fn mjd_inverseFD(
    py: Python<'_>,
    m: ModelArg<'_>,
    d: DataArg<'_>,
    eps: Real,
    flg_actuation: i64,
    DfDq: Option<Out<'_>>,
    DfDv: Option<Out<'_>>,
    DfDa: Option<Out<'_>>,
    DsDq: Option<Out<'_>>,
    DsDv: Option<Out<'_>>,
    DsDa: Option<Out<'_>>,
    DmDq: Option<Out<'_>>,
) -> PyResult<()> {
    let (model, data) = d.lock_with(&m)?;
    let (nv, ns, inertia) = (model.nv, model.nsensordata, model.nM);
    for (name, out) in [("DfDq", &DfDq), ("DfDv", &DfDv), ("DfDa", &DfDa)] {
        expect(out, name, "(nv, nv)", (nv, nv))?;
    }
    for (name, out) in [("DsDq", &DsDq), ("DsDv", &DsDv), ("DsDa", &DsDa)] {
        expect(out, name, "(nv, nsensordata)", (nv, ns))?;
    }
    expect(&DmDq, "DmDq", "(nv, nM)", (nv, inertia))?;
    refuse_rk4("mjd_inverseFD", &model)?;
    if model.opt.noslip_iterations > 0 {
        return Err(FatalError::new_err("mjd_inverseFD: noslip solver is not supported"));
    }
    let wanted = InverseOutputs {
        position: DfDq.is_some() || DsDq.is_some() || DmDq.is_some(),
        velocity: DfDv.is_some() || DsDv.is_some(),
        acceleration: DfDa.is_some() || DsDa.is_some(),
        sensors: DsDq.is_some() || DsDv.is_some() || DsDa.is_some(),
        actuation: flg_actuation != 0,
    };
    drop((model, data));
    let result = detached(py, &m, &d, |m, data, hooks| {
        scratch(data, hooks, |data, hooks| {
            dynamics::derivative::inverse_derivatives(m, data, eps, &wanted, hooks)
        })
    })?
    .map_err(step_error)?;
    for (out, values) in [
        (DfDq, &result.force_position),
        (DfDv, &result.force_velocity),
        (DfDa, &result.force_acceleration),
        (DsDq, &result.sensor_position),
        (DsDv, &result.sensor_velocity),
        (DsDa, &result.sensor_acceleration),
        (DmDq, &result.inertia_position),
    ] {
        if let Some(out) = out {
            out.fill(values)?;
        }
    }
    Ok(())
}

/// Derivatives of `mju_quatIntegrate` by quaternion, scaled velocity and scale.
#[pyfunction]
#[pyo3(signature = (vel, scale, Dquat, Dvel, Dscale))]
fn mjd_quatIntegrate(
    vel: Fixed<3>,
    scale: Real,
    Dquat: Out<'_>,
    Dvel: Out<'_>,
    Dscale: Out<'_>,
) -> PyResult<()> {
    let (by_quat, by_velocity) = dynamics::derivative::quat_integrate_derivative(vel.vec3(), scale);
    Dquat.write(by_quat.0)?;
    Dvel.write(by_velocity.0)?;
    Dscale.write((&by_velocity * vel.vec3()).0)
}

/// Derivatives of `mju_subQuat` by both quaternions.
#[pyfunction]
#[pyo3(signature = (qa, qb, Da, Db))]
fn mjd_subQuat(qa: Array, qb: Array, Da: Option<Out<'_>>, Db: Option<Out<'_>>) -> PyResult<()> {
    let quat = |array: Array, name: &str| -> PyResult<Quat> {
        let values = array.vector(name, 4, "")?;
        Ok(Quat([values[0], values[1], values[2], values[3]]))
    };
    let (by_a, by_b) = dynamics::derivative::sub_quat_derivative(quat(qa, "qa")?, quat(qb, "qb")?);
    for (name, out, values) in [("Da", Da, by_a), ("Db", Db, by_b)] {
        let Some(out) = out else { continue };
        if out.size() != 9 {
            return Err(PyTypeError::new_err(format!("{name} must have size 9")));
        }
        out.fill(&values.0)?;
    }
    Ok(())
}

/// Four vectors of numbers, of which the last two may be missing.
type Matrices<'py> = (Vector<'py>, Vector<'py>, Option<Vector<'py>>, Option<Vector<'py>>);
type Vector<'py> = Bound<'py, PyArray1<Real>>;

/// `A`, `B`, `C` and `D` of a step, by closed forms where there are any; with callbacks, by differences.
#[pyfunction]
fn transition_derivatives<'py>(
    py: Python<'py>,
    m: ModelArg<'_>,
    d: DataArg<'_>,
    eps: Real,
    centered: bool,
    use_analytical: bool,
    sensors: bool,
    threads: usize,
) -> PyResult<Matrices<'py>> {
    let config = DerivativeConfig::new(eps, centered)
        .map_err(|e| PyValueError::new_err(e.to_string()))?
        .analytical(use_analytical)
        .with_sensors(sensors)
        .with_threads(threads);
    let result = detached(py, &m, &d, |m, data, hooks| match hooks {
        None => mjd_transition(m, data, &config),
        Some(hooks) => mjd_transition_fd_with(m, data, &config, hooks),
    })?;
    let matrices = result.map_err(|e| PyValueError::new_err(e.to_string()))?;
    let array = |values: Vec<Real>| PyArray1::from_vec(py, values);
    Ok((array(matrices.a), array(matrices.b), matrices.c.map(array), matrices.d.map(array)))
}

pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(mjd_transitionFD, m)?)?;
    m.add_function(wrap_pyfunction!(mjd_inverseFD, m)?)?;
    m.add_function(wrap_pyfunction!(mjd_quatIntegrate, m)?)?;
    m.add_function(wrap_pyfunction!(mjd_subQuat, m)?)?;
    m.add_function(wrap_pyfunction!(transition_derivatives, m)?)
}
