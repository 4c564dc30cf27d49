//! The `mj_*` functions that step a world, run single stages, and reset or copy it.
use ferrodyn::thread_stack;
use ferrodyn_dynamics as dynamics;
use ferrodyn_dynamics::hooks::Hooks;
use ferrodyn_dynamics::{StepError, StepReport, World};
use ferrodyn_model::Stage;
use pyo3::prelude::*;

use crate::args::{DataArg, ModelArg, index};
use crate::callbacks::PyHooks;
use crate::errors::step_error;
use crate::warnings::tell;

/// Run a function on model, data and the callbacks that are set, with the interpreter lock released. What a
/// callback raises comes first.
pub(crate) fn detached<R: Send>(
    py: Python<'_>,
    m: &ModelArg<'_>,
    d: &DataArg<'_>,
    f: impl FnOnce(&ferrodyn_model::Model, &mut dynamics::OwnedWorld, Option<&mut dyn Hooks>) -> R
    + Send,
) -> PyResult<R> {
    let (model, mut data) = d.lock_with(m)?;
    let (model, data) = (&*model, &mut *data);
    let mut hooks = PyHooks::new(py, m, d);
    let used = hooks.as_mut().map(|hooks| -> &mut dyn Hooks { hooks });
    let result =
        d.guarded(|| py.detach(move || thread_stack::with(data, |data| f(model, data, used))));
    match hooks.and_then(PyHooks::into_error) {
        Some(error) => Err(error),
        None => result,
    }
}

/// Run a function that can move the state; warn of a divergence.
pub(crate) fn advance(
    py: Python<'_>,
    m: &ModelArg<'_>,
    d: &DataArg<'_>,
    f: impl FnOnce(
        &ferrodyn_model::Model,
        &mut dynamics::OwnedWorld,
        Option<&mut dyn Hooks>,
    ) -> Result<StepReport, StepError>
    + Send,
) -> PyResult<()> {
    let run =
        |m: &ferrodyn_model::Model, d: &mut dynamics::OwnedWorld, hooks: Option<&mut dyn Hooks>| {
            let (time, before) = (d.header().time, d.header().warning);
            let report = f(m, d, hooks)?;
            Ok((report, time, before, d.header().warning))
        };
    let (report, time, before, after) = detached(py, m, d, run)?.map_err(step_error)?;
    tell(py, time, &before, &after, &report)
}

/// Advance the world by `nstep` time steps with the same controls.
#[pyfunction]
#[pyo3(signature = (m, d, nstep=1))]
fn mj_step(py: Python<'_>, m: ModelArg<'_>, d: DataArg<'_>, nstep: i64) -> PyResult<()> {
    let n = usize::try_from(nstep).unwrap_or(0);
    advance(py, &m, &d, |m, d, hooks| dynamics::step::step_n(m, d, n, hooks))
}

/// First half of a step: all that does not depend on controls and applied forces.
#[pyfunction]
fn mj_step1(py: Python<'_>, m: ModelArg<'_>, d: DataArg<'_>) -> PyResult<()> {
    advance(py, &m, &d, dynamics::step::step1)
}

/// Second half of a step: forces, acceleration, integration.
#[pyfunction]
fn mj_step2(py: Python<'_>, m: ModelArg<'_>, d: DataArg<'_>) -> PyResult<()> {
    advance(py, &m, &d, dynamics::step::step2)
}

/// Compute everything at the current state, without moving it.
#[pyfunction]
fn mj_forward(py: Python<'_>, m: ModelArg<'_>, d: DataArg<'_>) -> PyResult<()> {
    advance(py, &m, &d, |m, d, hooks| {
        dynamics::step::forward_skip(m, d, Stage::None, true, hooks).map(|()| StepReport::default())
    })
}

/// Return to the reference pose; every result becomes zero.
#[pyfunction]
fn mj_resetData(m: ModelArg<'_>, d: DataArg<'_>) -> PyResult<()> {
    let (model, mut data) = d.lock_with(&m)?;
    dynamics::data::reset(&model, &mut data).map_err(step_error)
}

/// Return to a keyframe; a number without a keyframe is a plain reset.
#[pyfunction]
fn mj_resetDataKeyframe(m: ModelArg<'_>, d: DataArg<'_>, key: i64) -> PyResult<()> {
    let (model, mut data) = d.lock_with(&m)?;
    match index(key, model.nkey, "keyframe") {
        Ok(key) => dynamics::data::reset_to_keyframe(&model, &mut data, key),
        Err(_) => dynamics::data::reset(&model, &mut data),
    }
    .map_err(step_error)
}

/// Copy the state and all results of `src` to `dest`.
#[pyfunction]
fn mj_copyData(dest: DataArg<'_>, m: ModelArg<'_>, src: DataArg<'_>) -> PyResult<()> {
    dest.copy_from(&m, &src)
}

/// What a stage returns.
trait Outcome: Send {
    fn outcome(self) -> Result<(), StepError>;
}

impl Outcome for () {
    fn outcome(self) -> Result<(), StepError> {
        Ok(())
    }
}

impl Outcome for Result<(), StepError> {
    fn outcome(self) -> Result<(), StepError> {
        self
    }
}

/// Run one stage, with hooks unless it is run from one.
fn run_stage<R: Outcome>(
    py: Python<'_>,
    m: &ModelArg<'_>,
    d: &DataArg<'_>,
    run: fn(&ferrodyn_model::Model, &mut World<'_>, &mut Option<&mut dyn Hooks>) -> R,
) -> PyResult<()> {
    let result = if d.is_lent() {
        d.with_world(m, |m, d| run(m, d, &mut None))
    } else {
        detached(py, m, d, |m, d, mut hooks| run(m, &mut d.view_mut(), &mut hooks))
    };
    result?.outcome().map_err(step_error)
}

macro_rules! stages {
    ($($doc:literal $name:ident = $module:ident::$stage:ident $(($hooks:ident))?;)*) => {
        $(
            #[doc = $doc]
            #[pyfunction]
            fn $name(py: Python<'_>, m: ModelArg<'_>, d: DataArg<'_>) -> PyResult<()> {
                run_stage(py, &m, &d, |m, d, _hooks| stages!(@call $module::$stage, m, d $(, _hooks, $hooks)?))
            }
        )*

        fn register_stages(m: &Bound<'_, PyModule>) -> PyResult<()> {
            $(m.add_function(wrap_pyfunction!($name, m)?)?;)*
            Ok(())
        }
    };
    (@call $module:ident::$stage:ident, $m:ident, $d:ident) => { dynamics::$module::$stage($m, $d) };
    (@call $module:ident::$stage:ident, $m:ident, $d:ident, $all:ident, hooks) => { dynamics::$module::$stage($m, $d, $all) };
}

stages! {
    "Poses of bodies, joints, geoms and sites." mj_kinematics = position::kinematics;
    "Centres of mass, inertias and motion axes." mj_comPos = position::com_pos;
    "Poses of cameras and lights." mj_camlight = position::camlight;
    "All poses, centres of mass, motion axes and tendons." mj_fwdKinematics = forward::fwd_kinematics;
    "Inertia matrix by the composite rigid body algorithm." mj_crb = position::crb;
    "Inertia matrix in both storage orders." mj_makeM = position::make_m;
    "Factor of the inertia matrix." mj_factorM = position::factor_m;
    "Contacts." mj_collision = contact::collision (hooks);
    "Vertices, boxes and edges of flexes." mj_flex = position::flex;
    "Lengths and Jacobians of tendons." mj_tendon = position::tendon;
    "Lengths and moments of actuators." mj_transmission = position::transmission;
    "Velocities of bodies." mj_comVel = velocity::com_vel;
    "Passive forces." mj_passive = force::passive (hooks);
    "Velocity and angular momentum of subtrees." mj_subtreeVel = sensor::subtree_vel;
    "Accelerations and interaction forces of bodies." mj_rnePostConstraint = sensor::rne_post_constraint;
    "Potential energy." mj_energyPos = sensor::energy_pos;
    "Kinetic energy." mj_energyVel = sensor::energy_vel;
    "All that depends on the configuration." mj_fwdPosition = forward::fwd_position (hooks);
    "All that depends on configuration and velocity." mj_fwdVelocity = forward::fwd_velocity (hooks);
    "Actuator forces and rates of activation." mj_fwdActuation = force::fwd_actuation (hooks);
    "Acceleration without constraints." mj_fwdAcceleration = force::fwd_acceleration;
    "Constraint rows." mj_makeConstraint = constraint::make_constraint;
    "Islands of constraints." mj_island = constraint::island;
    "Inverse inertia along constraint rows." mj_projectConstraint = constraint::project_constraint;
    "Velocity and reference acceleration of constraint rows." mj_referenceConstraint = constraint::reference_constraint;
    "Acceleration with constraints." mj_fwdConstraint = solver::fwd_constraint;
    "Sensors that depend on the configuration." mj_sensorPos = sensor::sensor_pos (hooks);
    "Sensors that depend on configuration and velocity." mj_sensorVel = sensor::sensor_vel (hooks);
    "Sensors that depend on accelerations and forces." mj_sensorAcc = sensor::sensor_acc (hooks);
}

pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(mj_step, m)?)?;
    m.add_function(wrap_pyfunction!(mj_step1, m)?)?;
    m.add_function(wrap_pyfunction!(mj_step2, m)?)?;
    m.add_function(wrap_pyfunction!(mj_forward, m)?)?;
    m.add_function(wrap_pyfunction!(mj_resetData, m)?)?;
    m.add_function(wrap_pyfunction!(mj_resetDataKeyframe, m)?)?;
    m.add_function(wrap_pyfunction!(mj_copyData, m)?)?;
    register_stages(m)
}
