//! The table of contents of the physics: every stage of a step, in order.
use ferrodyn_model::{DisableBit, EnableBit, Integrator, Model, Sizes, Solver, Stage, Storage};

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
use crate::world::fits;
use crate::{
    DivergedQuantity, Divergence, DivergencePolicy, StepError, World, camlight, collision, com_pos,
    com_vel, energy_pos, energy_vel, factor_m, fwd_acceleration, fwd_actuation, island, kinematics,
    make_constraint, make_m, passive, reference_constraint, rne, sensor_acc, sensor_pos,
    sensor_vel, tendon, transmission,
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
    pub(crate) fn is_frozen(&self) -> bool {
        self.divergence.is_some_and(|e| e.was_frozen)
    }
}

/// Everything that is found by walking the tree.
pub fn fwd_kinematics(m: &Model<impl Storage>, d: &mut World<'_>) {
    kinematics(m, d);
    com_pos(m, d);
    camlight(m, d);
    tendon(m, d);
    wake_tendons(m, d);
}

/// Everything that depends on the configuration.
pub fn fwd_position<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    hooks: &mut impl Hooks<S>,
) -> Result<(), StepError> {
    d.head.flg_energypos = 0;
    fwd_kinematics(m, d);
    make_m(m, d);
    factor_m(m, d);
    collision(m, d, hooks)?;
    let touched = wake_contacts(m, d);
    if touched {
        collision(m, d, hooks)?;
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
pub fn fwd_velocity<S: Storage>(m: &Model<S>, d: &mut World<'_>, hooks: &mut impl Hooks<S>) {
    d.head.flg_subtreevel = 0;
    d.head.flg_energyvel = 0;
    tendon_velocity(m, d);
    actuator_velocity(m, d);
    com_vel(m, d);
    passive(m, d, hooks);
    reference_constraint(m, d);
    let bias = core::mem::take(&mut d.qfrc_bias);
    rne(m, d, false, bias);
    tendon_bias(m, d, bias);
    d.qfrc_bias = bias;
}

/// Energy at the configuration, or zero where neither the model nor a sensor asks for it.
fn position_energy(m: &Model<impl Storage>, d: &mut World<'_>) {
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
pub(crate) fn velocity_energy(m: &Model<impl Storage>, d: &mut World<'_>) {
    if m.opt.enabled(EnableBit::Energy) && d.head.flg_energyvel == 0 {
        energy_vel(m, d);
    }
}

/// The configuration: its results, sensors and energy.
pub(crate) fn position_stage<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    sensors: bool,
    hooks: &mut impl Hooks<S>,
) -> Result<(), StepError> {
    fwd_position(m, d, hooks)?;
    if sensors {
        sensor_pos(m, d, hooks)?;
    }
    position_energy(m, d);
    Ok(())
}

/// The same for velocity.
pub(crate) fn velocity_stage<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    sensors: bool,
    hooks: &mut impl Hooks<S>,
) -> Result<(), StepError> {
    fwd_velocity(m, d, hooks);
    if sensors {
        sensor_vel(m, d, hooks)?;
    }
    velocity_energy(m, d);
    Ok(())
}

/// All stages after `done`, whose results and those of the stages before it are still right; `sensors`
/// is false inside an integrator.
pub(crate) fn forward_stage<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    done: Stage,
    sensors: bool,
    hooks: &mut impl Hooks<S>,
) -> Result<(), StepError> {
    if (done as i32) < Stage::Pos as i32 {
        position_stage(m, d, sensors, hooks)?;
    }
    forward_from_velocity(m, d, done, sensors, hooks)
}

/// The stages after those of the configuration, and after `done`.
pub(crate) fn forward_from_velocity<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    done: Stage,
    sensors: bool,
    hooks: &mut impl Hooks<S>,
) -> Result<(), StepError> {
    if (done as i32) < Stage::Vel as i32 {
        velocity_stage(m, d, sensors, hooks)?;
    }
    if !m.opt.disabled(DisableBit::Actuation) {
        d.with_hooks(hooks, |hooks, d| hooks.control(m, d));
    }
    fwd_actuation(m, d, hooks);
    fwd_acceleration(m, d);
    constraint_stage(m, d)?;
    if sensors {
        d.head.flg_rnepost = 0;
        sensor_acc(m, d, hooks)?;
    }
    check_stopped(hooks)
}

/// An error where a hook gave the step up.
pub(crate) fn check_stopped<S: Storage>(hooks: &impl Hooks<S>) -> Result<(), StepError> {
    if hooks.stopped() { Err(StepError::Stopped) } else { Ok(()) }
}

/// Constraint forces; an error where the solver had to converge and did not.
pub(crate) fn constraint_stage(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
) -> Result<(), StepError> {
    let (residual, tolerance) = (solve_constraint(m, d)?, crate::solver::tolerance(m));
    if m.opt.solver == Solver::CgStrict as i32 && (residual > tolerance || residual.is_nan()) {
        return Err(StepError::NotConverged { residual, tolerance });
    }
    Ok(())
}

/// Refuse what cannot be computed: data of another model, settings that make no sense.
pub(crate) fn check_supported(m: &Model<impl Storage>, sizes: &Sizes) -> Result<(), StepError> {
    if !fits(sizes, &m.sizes) {
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

/// Advance the world of a view by one time step. Whoever owns the arrays of the model, and the memory of the world.
pub fn step_world<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    hooks: &mut impl Hooks<S>,
) -> Result<StepReport, StepError> {
    check_supported(m, d.sizes)?;
    let mut report = StepReport::default();
    one_step(m, d, Stage::None, true, &mut report, hooks)?;
    Ok(report)
}

/// Compute everything at the state of a view, without moving it.
pub fn forward_world<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    hooks: &mut impl Hooks<S>,
) -> Result<(), StepError> {
    check_supported(m, d.sizes)?;
    forward_stage(m, d, Stage::None, true, hooks)
}

/// One step through a view; results of the stage `done` and those before it are still right. What is in the report
/// already came first, and stays.
pub(crate) fn one_step<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    done: Stage,
    sensors: bool,
    report: &mut StepReport,
    hooks: &mut impl Hooks<S>,
) -> Result<(), StepError> {
    guarded(m, d, report, |d, report| {
        if check_state(m, d, report)? {
            return Ok(());
        }
        forward_stage(m, d, done, sensors, hooks)?;
        let rk4 = m.opt.integrator == Integrator::Rk4 as i32;
        finish_step(m, d, done, rk4, report, hooks)
    })
}

/// Check one quantity, and report it where it is bad.
#[inline(always)]
fn check_and_report(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    quantity: DivergedQuantity,
    report: &mut StepReport,
) -> Result<Option<Divergence>, StepError> {
    match find_bad(m, d, quantity) {
        None => Ok(None),
        Some(index) => report_bad(m, d, quantity, index, report).map(Some),
    }
}

#[cold]
fn report_bad(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    quantity: DivergedQuantity,
    index: usize,
    report: &mut StepReport,
) -> Result<Divergence, StepError> {
    let divergence = diverged(m, d, quantity, index)?;
    report.divergence.get_or_insert(divergence);
    Ok(divergence)
}

/// Check configuration and velocity; is the step to be taken back?
pub(crate) fn check_state(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    report: &mut StepReport,
) -> Result<bool, StepError> {
    let mut frozen = false;
    for quantity in [DivergedQuantity::Qpos, DivergedQuantity::Qvel] {
        frozen = frozen
            || check_and_report(m, d, quantity, report)?.is_some_and(|found| found.was_frozen);
    }
    Ok(frozen)
}

/// Check the acceleration; is the step to be taken back? After a reset, everything is computed again.
#[inline(always)]
fn check_acc<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    report: &mut StepReport,
    hooks: &mut impl Hooks<S>,
) -> Result<bool, StepError> {
    let Some(found) = check_and_report(m, d, DivergedQuantity::Qacc, report)? else {
        return Ok(false);
    };
    if found.was_reset {
        forward_stage(m, d, Stage::None, true, hooks)?;
    }
    Ok(found.was_frozen)
}

/// Run a step so that it leaves the state as it was if it diverges, where the policy says so, or fails: there, and in a world of a
/// fixed size, which may lack room in the middle of a step.
#[inline]
pub(crate) fn guarded(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    report: &mut StepReport,
    step: impl FnOnce(&mut World<'_>, &mut StepReport) -> Result<(), StepError>,
) -> Result<(), StepError> {
    let as_mujoco = d.policy == DivergencePolicy::AsMuJoCo;
    if as_mujoco && !d.is_fixed() {
        return step(d, report);
    }
    keep_state(d);
    let outcome = step(d, report).and_then(|()| {
        if !as_mujoco && !report.is_frozen() {
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
pub(crate) fn finish_step<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    done: Stage,
    rk4: bool,
    report: &mut StepReport,
    hooks: &mut impl Hooks<S>,
) -> Result<(), StepError> {
    if check_acc(m, d, report, hooks)? {
        return Ok(());
    }
    if m.opt.enabled(EnableBit::FwdInv) {
        compare_fwd_inv(m, d)?;
    }
    if rk4 {
        return runge_kutta(m, d, hooks);
    }
    if let Some(dof) = integrate(m, d, done, hooks)? {
        report.indefinite.get_or_insert(dof);
    }
    Ok(())
}

/// The integrators that evaluate forces once; Runge-Kutta is replaced by Euler.
///
/// A matrix is factored again where a stage that it depends on was computed: that of Euler depends on
/// the configuration, and those of the implicit integrators also on velocity.
pub(crate) fn integrate<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    done: Stage,
    hooks: &mut impl Hooks<S>,
) -> Result<Option<usize>, StepError> {
    let factored = (done as i32) >= Stage::Pos as i32;
    match Integrator::try_from(m.opt.integrator) {
        Ok(Integrator::Implicit | Integrator::ImplicitFast) => {
            implicit(m, d, done as i32 >= Stage::Vel as i32, hooks)
        }
        Ok(Integrator::ImplicitSpringDamper) => implicit_spring_damper(m, d, hooks).map(|()| None),
        _ => euler(m, d, factored, hooks).map(|()| None),
    }
}

/// Check the acceleration; after a reset, compute everything again.
pub fn check_acceleration<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    hooks: &mut impl Hooks<S>,
) -> Result<Option<Divergence>, StepError> {
    let mut report = StepReport::default();
    check_acc(m, d, &mut report, hooks)?;
    Ok(report.divergence)
}
