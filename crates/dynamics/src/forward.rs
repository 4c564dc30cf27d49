//! The table of contents of the physics: every stage of a step, in order.
use ferrodyn_model::{DisableBit, EnableBit, Integrator, Model, Solver, Stage};

use crate::check::{diverged, find_bad};
use crate::constraint::project_constraint;
use crate::freeze::{keep_state, restore_state};
use crate::hooks::Hooks;
use crate::implicit::implicit;
use crate::integrate::euler;
use crate::inverse::compare_fwd_inv;
use crate::rk4::runge_kutta;
use crate::sleep::{has_tendon_equality, wake_contacts, wake_equalities, wake_tendons};
use crate::solver::solve_constraint;
use crate::spring_damper::implicit_spring_damper;
use crate::tendon::tendon_velocity;
use crate::tendon_bias::tendon_bias;
use crate::transmission::actuator_velocity;
use crate::{
    Data, DivergedQuantity, Divergence, DivergencePolicy, StepError, World, camlight, collision,
    com_pos, com_vel, energy_pos, energy_vel, factor_m, fwd_acceleration, fwd_actuation, island,
    kinematics, make_constraint, make_m, passive, reference_constraint, rne, sensor_acc,
    sensor_pos, sensor_vel, tendon, transmission,
};

/// What a step has to tell beside its results.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepReport {
    /// The first divergence that was noticed, if any.
    pub divergence: Option<Divergence>,
    /// Set where `implicitfast` met a matrix that is not positive definite, so that the step may go
    /// anywhere: the degree of freedom at which this showed. MuJoCo goes on silently.
    pub indefinite: Option<usize>,
}

impl StepReport {
    /// Was the step taken back?
    fn is_frozen(&self) -> bool {
        self.divergence.is_some_and(|e| e.was_frozen)
    }
}

/// Everything that is found by walking the tree.
pub fn fwd_kinematics(m: &Model, d: &mut World<'_>) {
    kinematics(m, d);
    com_pos(m, d);
    camlight(m, d);
    tendon(m, d);
    wake_tendons(m, d);
}

/// Everything that depends on the configuration.
pub fn fwd_position(m: &Model, d: &mut World<'_>) -> Result<(), StepError> {
    d.head.flg_energypos = 0;
    fwd_kinematics(m, d);
    make_m(m, d);
    factor_m(m, d);
    collision(m, d)?;
    let touched = wake_contacts(m, d);
    if touched {
        collision(m, d)?;
    }
    let pulled = wake_equalities(m, d);
    if (touched || pulled) && has_tendon_equality(m, d) {
        // its rows need the lengths of tendons that were asleep
        tendon(m, d);
    }
    make_constraint(m, d)?;
    island(m, d)?;
    transmission(m, d);
    project_constraint(m, d)
}

/// Everything that depends on configuration and velocity.
pub fn fwd_velocity(m: &Model, d: &mut World<'_>) {
    d.head.flg_subtreevel = 0;
    d.head.flg_energyvel = 0;
    tendon_velocity(m, d);
    actuator_velocity(m, d);
    com_vel(m, d);
    passive(m, d);
    reference_constraint(m, d);
    let bias = core::mem::take(&mut d.qfrc_bias);
    rne(m, d, false, bias);
    tendon_bias(m, d, bias);
    d.qfrc_bias = bias;
}

/// Energy at the configuration, or zero where neither the model nor a sensor asks for it.
fn position_energy(m: &Model, d: &mut World<'_>) {
    if d.head.flg_energypos != 0 {
        return;
    }
    if m.opt.enabled(EnableBit::Energy) {
        energy_pos(m, d);
    } else {
        d.head.energy = [0.0; 2];
    }
}

/// Kinetic energy where the model asks for it.
pub(crate) fn velocity_energy(m: &Model, d: &mut World<'_>) {
    if m.opt.enabled(EnableBit::Energy) && d.head.flg_energyvel == 0 {
        energy_vel(m, d);
    }
}

/// The configuration: its results, sensors and energy.
fn position_stage(m: &Model, d: &mut World<'_>, sensors: bool) -> Result<(), StepError> {
    fwd_position(m, d)?;
    if sensors {
        sensor_pos(m, d)?;
    }
    position_energy(m, d);
    Ok(())
}

/// The same for velocity.
fn velocity_stage(m: &Model, d: &mut World<'_>, sensors: bool) -> Result<(), StepError> {
    fwd_velocity(m, d);
    if sensors {
        sensor_vel(m, d)?;
    }
    velocity_energy(m, d);
    Ok(())
}

/// All stages after `done`, whose results and those of the stages before it are still right; `sensors`
/// is false inside an integrator.
pub(crate) fn forward_stage(
    m: &Model,
    d: &mut World<'_>,
    done: Stage,
    sensors: bool,
) -> Result<(), StepError> {
    if (done as i32) < Stage::Pos as i32 {
        position_stage(m, d, sensors)?;
    }
    forward_from_velocity(m, d, done, sensors)
}

/// The stages after those of the configuration, and after `done`.
pub(crate) fn forward_from_velocity(
    m: &Model,
    d: &mut World<'_>,
    done: Stage,
    sensors: bool,
) -> Result<(), StepError> {
    if (done as i32) < Stage::Vel as i32 {
        velocity_stage(m, d, sensors)?;
    }
    if !m.opt.disabled(DisableBit::Actuation) {
        d.with_hooks(|hooks, d| hooks.control(m, d));
    }
    fwd_actuation(m, d);
    fwd_acceleration(m, d);
    constraint_stage(m, d)?;
    if sensors {
        d.head.flg_rnepost = 0;
        sensor_acc(m, d)?;
    }
    check_stopped(d)
}

/// An error where a hook gave the step up.
pub(crate) fn check_stopped(d: &World<'_>) -> Result<(), StepError> {
    if d.stopped() { Err(StepError::Stopped) } else { Ok(()) }
}

/// Constraint forces; an error where the solver had to converge and did not.
fn constraint_stage(m: &Model, d: &mut World<'_>) -> Result<(), StepError> {
    let (residual, tolerance) = (solve_constraint(m, d)?, crate::solver::tolerance(m));
    if m.opt.solver == Solver::CgStrict as i32 && (residual > tolerance || residual.is_nan()) {
        return Err(StepError::NotConverged { residual, tolerance });
    }
    Ok(())
}

/// Refuse what cannot be computed: data of another model, features that do not exist yet.
pub(crate) fn check_supported(m: &Model, data: &Data) -> Result<(), StepError> {
    if !data.fits(m) {
        return Err(StepError::ModelMismatch);
    }
    if !m.opt.timestep.is_finite() {
        return Err(StepError::InvalidTimestep(m.opt.timestep));
    }
    if Integrator::try_from(m.opt.integrator).is_err() {
        return Err(StepError::InvalidIntegrator(m.opt.integrator));
    }
    Ok(())
}

/// Compute everything at the current state, without moving it.
pub fn forward(m: &Model, data: &mut Data) -> Result<(), StepError> {
    forward_skip(m, data, Stage::None, true)
}

/// Compute everything that comes after the stage `done`, whose results are still right.
///
/// After a change of velocity that is `Stage::Pos`, after a change of controls or forces `Stage::Vel`.
pub fn forward_skip(
    m: &Model,
    data: &mut Data,
    done: Stage,
    sensors: bool,
) -> Result<(), StepError> {
    forward_skip_with(m, data, done, sensors, None)
}

/// The same, with hooks.
pub fn forward_skip_with(
    m: &Model,
    data: &mut Data,
    done: Stage,
    sensors: bool,
    hooks: Option<&mut dyn Hooks>,
) -> Result<(), StepError> {
    check_supported(m, data)?;
    forward_stage(m, &mut data.view_with(hooks), done, sensors)
}

/// Advance a world by one time step.
pub fn step(m: &Model, data: &mut Data) -> Result<StepReport, StepError> {
    step_n(m, data, 1)
}

/// Advance a world by `n` time steps with the same controls and applied forces.
///
/// The report is that of the first step in which something diverged. A step that was taken back is the last.
pub fn step_n(m: &Model, data: &mut Data, n: usize) -> Result<StepReport, StepError> {
    step_n_with(m, data, n, None)
}

/// The same, with hooks.
pub fn step_n_with(
    m: &Model,
    data: &mut Data,
    n: usize,
    mut hooks: Option<&mut dyn Hooks>,
) -> Result<StepReport, StepError> {
    check_supported(m, data)?;
    let mut report = StepReport::default();
    let mut left = n;
    while left > 0 && !report.is_frozen() {
        let d = &mut data.view_with(hooks.as_deref_mut().map(|h| -> &mut dyn Hooks { h }));
        while left > 0 && !report.is_frozen() && d.can_go_on() {
            step_world(m, d, Stage::None, true, &mut report)?;
            left -= 1;
        }
    }
    Ok(report)
}

/// One step through a view; results of the stage `done` and those before it are still right. What is in the report
/// already came first, and stays.
pub(crate) fn step_world(
    m: &Model,
    d: &mut World<'_>,
    done: Stage,
    sensors: bool,
    report: &mut StepReport,
) -> Result<(), StepError> {
    guarded(m, d, report, |d, report| {
        if check_state(m, d, report)? {
            return Ok(());
        }
        forward_stage(m, d, done, sensors)?;
        let rk4 = m.opt.integrator == Integrator::Rk4 as i32;
        finish_step(m, d, done, rk4, report)
    })
}

/// Check one quantity and report it where it is bad; is the step to be taken back?
#[inline(always)]
fn check_and_report(
    m: &Model,
    d: &mut World<'_>,
    quantity: DivergedQuantity,
    report: &mut StepReport,
) -> Result<bool, StepError> {
    match find_bad(m, d, quantity) {
        None => Ok(false),
        Some(index) => report_bad(m, d, quantity, index, report),
    }
}

/// Report a bad number. After a reset in the middle of a step, everything is computed again.
#[cold]
fn report_bad(
    m: &Model,
    d: &mut World<'_>,
    quantity: DivergedQuantity,
    index: usize,
    report: &mut StepReport,
) -> Result<bool, StepError> {
    let divergence = diverged(m, d, quantity, index)?;
    if quantity == DivergedQuantity::Qacc && divergence.was_reset {
        forward_stage(m, d, Stage::None, true)?;
    }
    report.divergence.get_or_insert(divergence);
    Ok(divergence.was_frozen)
}

/// Check configuration and velocity; is the step to be taken back?
fn check_state(m: &Model, d: &mut World<'_>, report: &mut StepReport) -> Result<bool, StepError> {
    Ok(check_and_report(m, d, DivergedQuantity::Qpos, report)?
        || check_and_report(m, d, DivergedQuantity::Qvel, report)?)
}

/// Run a step so that it leaves the state as it was if it fails or diverges, where the policy says so.
#[inline]
fn guarded(
    m: &Model,
    d: &mut World<'_>,
    report: &mut StepReport,
    step: impl FnOnce(&mut World<'_>, &mut StepReport) -> Result<(), StepError>,
) -> Result<(), StepError> {
    if d.policy == DivergencePolicy::AsMuJoCo {
        return step(d, report);
    }
    keep_state(d);
    let outcome = step(d, report).and_then(|()| {
        if !report.is_frozen() {
            // what MuJoCo would notice at the beginning of the next step
            check_state(m, d, report)?;
        }
        Ok(())
    });
    if outcome.is_err() || report.is_frozen() {
        restore_state(m, d);
    }
    outcome
}

/// The end of a step whose forces are known, unless it is to be taken back.
fn finish_step(
    m: &Model,
    d: &mut World<'_>,
    done: Stage,
    rk4: bool,
    report: &mut StepReport,
) -> Result<(), StepError> {
    if check_and_report(m, d, DivergedQuantity::Qacc, report)? {
        return Ok(());
    }
    if m.opt.enabled(EnableBit::FwdInv) {
        compare_fwd_inv(m, d)?;
    }
    if rk4 {
        return runge_kutta(m, d);
    }
    if let Some(dof) = integrate(m, d, done)? {
        report.indefinite.get_or_insert(dof);
    }
    Ok(())
}

/// The integrators that evaluate forces once; Runge-Kutta is replaced by Euler.
///
/// A matrix is factored again where a stage that it depends on was computed: that of Euler depends on
/// the configuration, and those of the implicit integrators also on velocity.
pub(crate) fn integrate(
    m: &Model,
    d: &mut World<'_>,
    done: Stage,
) -> Result<Option<usize>, StepError> {
    let factored = (done as i32) >= Stage::Pos as i32;
    match Integrator::try_from(m.opt.integrator) {
        Ok(Integrator::Implicit | Integrator::ImplicitFast) => {
            implicit(m, d, done as i32 >= Stage::Vel as i32)
        }
        Ok(Integrator::ImplicitSpringDamper) => implicit_spring_damper(m, d).map(|()| None),
        _ => euler(m, d, factored).map(|()| None),
    }
}

/// Check the acceleration; after a reset, compute everything again.
pub fn check_acceleration(m: &Model, d: &mut World<'_>) -> Result<Option<Divergence>, StepError> {
    let mut report = StepReport::default();
    check_and_report(m, d, DivergedQuantity::Qacc, &mut report)?;
    Ok(report.divergence)
}

/// First half of a step: everything that does not depend on controls and applied forces.
pub fn step1(m: &Model, data: &mut Data) -> Result<StepReport, StepError> {
    step1_with(m, data, None)
}

/// The same, with hooks; the last one to be called sets controls.
pub fn step1_with(
    m: &Model,
    data: &mut Data,
    hooks: Option<&mut dyn Hooks>,
) -> Result<StepReport, StepError> {
    check_supported(m, data)?;
    let d = &mut data.view_with(hooks);
    let mut report = StepReport::default();
    if check_state(m, d, &mut report)? {
        return Ok(report);
    }
    position_stage(m, d, true)?;
    velocity_stage(m, d, true)?;
    d.with_hooks(|hooks, d| hooks.control(m, d));
    check_stopped(d)?;
    Ok(report)
}

/// Second half of a step: forces, acceleration, integration. Runge-Kutta is replaced by Euler.
pub fn step2(m: &Model, data: &mut Data) -> Result<StepReport, StepError> {
    step2_with(m, data, None)
}

/// The same, with hooks.
pub fn step2_with(
    m: &Model,
    data: &mut Data,
    hooks: Option<&mut dyn Hooks>,
) -> Result<StepReport, StepError> {
    check_supported(m, data)?;
    let d = &mut data.view_with(hooks);
    let mut report = StepReport::default();
    guarded(m, d, &mut report, |d, report| {
        fwd_actuation(m, d);
        fwd_acceleration(m, d);
        constraint_stage(m, d)?;
        sensor_acc(m, d)?;
        check_stopped(d)?;
        finish_step(m, d, Stage::None, false, report)
    })?;
    Ok(report)
}
