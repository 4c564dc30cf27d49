//! A world that owns its memory, advanced or evaluated as a whole.
use core::ops::ControlFlow;

use ferrodyn_model::{Model, Stage, Storage};

use super::{StepReport, check_state, check_supported, finish_step, guarded, one_step};
use crate::force::{fwd_acceleration, fwd_actuation};
use crate::forward::{check_stopped, forward_stage, position_stage, velocity_stage};
use crate::hooks::{Hooks, NoHooks};
use crate::inverse::inverse_stage;
use crate::sensor::sensor_acc;
use crate::{OwnedWorld, StepError, World};

/// Compute everything at the current state, without moving it. MuJoCo: `mj_forward`.
pub fn forward(m: &Model, data: &mut OwnedWorld) -> Result<(), StepError> {
    forward_skip(m, data, Stage::None, true, None)
}

/// Compute everything that comes after the stage `done`, whose results are still right.
///
/// After a change of velocity that is `Stage::Pos`, after a change of controls or forces `Stage::Vel`. MuJoCo: `mj_forwardSkip`.
pub fn forward_skip(
    m: &Model,
    data: &mut OwnedWorld,
    done: Stage,
    sensors: bool,
    mut hooks: Option<&mut dyn Hooks>,
) -> Result<(), StepError> {
    check_supported(m, data.sizes())?;
    let d = &mut data.view_mut();
    match hooks {
        None => forward_stage(m, d, done, sensors, &mut NoHooks),
        Some(_) => forward_stage(m, d, done, sensors, &mut hooks),
    }
}

/// Advance a world by one time step. MuJoCo: `mj_step`.
pub fn step(m: &Model, data: &mut OwnedWorld) -> Result<StepReport, StepError> {
    step_n(m, data, 1, None)
}

/// Advance a world by `n` time steps with the same controls and applied forces.
///
/// The report is that of the first step in which something diverged. A step that was taken back is the last.
pub fn step_n(
    m: &Model,
    data: &mut OwnedWorld,
    n: usize,
    mut hooks: Option<&mut dyn Hooks>,
) -> Result<StepReport, StepError> {
    check_supported(m, data.sizes())?;
    match hooks {
        None => steps(m, data, n, &mut NoHooks),
        Some(_) => steps(m, data, n, &mut hooks),
    }
}

/// As [`step_n`], compiled for the hooks: what they leave as it is costs nothing.
pub fn step_n_with(
    m: &Model,
    data: &mut OwnedWorld,
    n: usize,
    hooks: &mut impl Hooks,
) -> Result<StepReport, StepError> {
    check_supported(m, data.sizes())?;
    steps(m, data, n, hooks)
}

/// As [`forward`], compiled for the hooks.
pub fn forward_with(
    m: &Model,
    data: &mut OwnedWorld,
    hooks: &mut impl Hooks,
) -> Result<(), StepError> {
    check_supported(m, data.sizes())?;
    forward_stage(m, &mut data.view_mut(), Stage::None, true, hooks)
}

/// As [`step_n`], with a look at the world between the steps: `visit` is called with the number of steps that were taken, 0 to
/// `n`, and may set controls, read results, or end the run.
///
/// ```
/// use core::ops::ControlFlow;
/// use ferrodyn_dynamics::{OwnedWorld, step::step_n_visiting};
/// # use ferrodyn_model::{Model, Sizes};
/// # let mut model = Model::zeroed(Sizes { nbody: 1, ..Sizes::default() });
/// # model.body_mocapid[0] = -1;
/// # model.body_treeid[0] = -1;
/// let mut times = Vec::new();
/// step_n_visiting(&model, &mut OwnedWorld::new(&model), 9, None, &mut |taken, world| {
///     times.push(world.head.time);
///     if taken < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
/// })?;
/// assert_eq!(times.len(), 4);
/// # Ok::<(), ferrodyn_dynamics::StepError>(())
/// ```
pub fn step_n_visiting(
    m: &Model,
    data: &mut OwnedWorld,
    n: usize,
    mut hooks: Option<&mut dyn Hooks>,
    visit: &mut dyn FnMut(usize, &mut World<'_>) -> ControlFlow<()>,
) -> Result<StepReport, StepError> {
    check_supported(m, data.sizes())?;
    match hooks {
        None => steps_visiting(m, data, n, &mut NoHooks, visit),
        Some(_) => steps_visiting(m, data, n, &mut hooks, visit),
    }
}

fn steps(
    m: &Model,
    data: &mut OwnedWorld,
    n: usize,
    hooks: &mut impl Hooks,
) -> Result<StepReport, StepError> {
    steps_visiting(m, data, n, hooks, |_, _| ControlFlow::Continue(()))
}

fn steps_visiting(
    m: &Model,
    data: &mut OwnedWorld,
    n: usize,
    hooks: &mut impl Hooks,
    mut visit: impl FnMut(usize, &mut World<'_>) -> ControlFlow<()>,
) -> Result<StepReport, StepError> {
    let mut report = StepReport::default();
    let mut taken = 0;
    loop {
        let d = &mut data.view_mut();
        loop {
            if visit(taken, d).is_break() || taken == n || report.is_frozen() {
                return Ok(report);
            }
            one_step(m, d, Stage::None, true, &mut report, hooks)?;
            taken += 1;
            if !d.can_go_on() {
                break;
            }
        }
    }
}

/// Steps through one view, at most `n`, until something is taken back or the view cannot begin enough blocks for one more; how many are left.
pub(crate) fn step_view<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    n: usize,
    report: &mut StepReport,
    hooks: &mut impl Hooks<S>,
) -> Result<usize, StepError> {
    let mut left = n;
    while left > 0 && !report.is_frozen() && d.can_go_on() {
        one_step(m, d, Stage::None, true, report, hooks)?;
        left -= 1;
    }
    Ok(left)
}

/// First half of a step: everything that does not depend on controls and applied forces. MuJoCo: `mj_step1`.
pub fn step1(
    m: &Model,
    data: &mut OwnedWorld,
    mut hooks: Option<&mut dyn Hooks>,
) -> Result<StepReport, StepError> {
    check_supported(m, data.sizes())?;
    let (d, hooks) = (&mut data.view_mut(), &mut hooks);
    let mut report = StepReport::default();
    if check_state(m, d, &mut report)? {
        return Ok(report);
    }
    position_stage(m, d, true, hooks)?;
    velocity_stage(m, d, true, hooks)?;
    d.with_hooks(hooks, |hooks, d| hooks.control(m, d));
    check_stopped(hooks)?;
    Ok(report)
}

/// Second half of a step: forces, acceleration, integration. Runge-Kutta is replaced by Euler. MuJoCo: `mj_step2`.
pub fn step2(
    m: &Model,
    data: &mut OwnedWorld,
    mut hooks: Option<&mut dyn Hooks>,
) -> Result<StepReport, StepError> {
    check_supported(m, data.sizes())?;
    let (d, hooks) = (&mut data.view_mut(), &mut hooks);
    let mut report = StepReport::default();
    guarded(m, d, &mut report, |d, report| {
        fwd_actuation(m, d, hooks);
        fwd_acceleration(m, d);
        hooks.solve_constraints(m, d)?;
        // other than in `forward`, `flg_rnepost` is not cleared: MuJoCo's `mj_step2` does not either. Where something
        // computed `cacc` since it was last cleared, sensors of accelerations and forces see that
        sensor_acc(m, d, hooks)?;
        check_stopped(hooks)?;
        finish_step(m, d, Stage::None, false, report, hooks)
    })?;
    Ok(report)
}

/// Compute `qfrc_inverse` for `qpos`, `qvel` and `qacc`. MuJoCo: `mj_inverse`.
pub fn inverse(m: &Model, data: &mut OwnedWorld) -> Result<(), StepError> {
    inverse_skip(m, data, Stage::None, true, None)
}

/// Inverse dynamics where the results of the stage `done` and those before it are still right. MuJoCo: `mj_inverseSkip`.
pub fn inverse_skip(
    m: &Model,
    data: &mut OwnedWorld,
    done: Stage,
    sensors: bool,
    mut hooks: Option<&mut dyn Hooks>,
) -> Result<(), StepError> {
    check_supported(m, data.sizes())?;
    inverse_stage(m, &mut data.view_mut(), done, sensors, false, &mut hooks)?;
    check_stopped(&hooks)
}
