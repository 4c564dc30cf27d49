//! A step as a whole: what is checked before and after the stages, what happens to a world that diverges, and the halves of
//! a step.
//!
//! [`step_world`] advances a view, whoever owns its memory; [`step`], [`forward`] and [`inverse`] work on a
//! [`OwnedWorld`](crate::OwnedWorld), which can grow. The stages themselves are in [`forward`](mod@crate::forward).
#[cfg(feature = "alloc")]
mod owned;

use ferrodyn_model::{EnableBit, Integrator, Model, Sizes, Stage, Storage};

use crate::data::fits;
use crate::divergence::freeze::{keep_state, restore_state};
use crate::divergence::{DivergedQuantity, Divergence, DivergencePolicy, diverged, find_bad};
use crate::forward::forward_stage;
use crate::hooks::Hooks;
#[cfg(feature = "deformable")]
use crate::integrate::rk4::hold_deformables;
use crate::integrate::{integrate, runge_kutta};
use crate::inverse::compare_fwd_inv;
use crate::{StepError, World};

#[cfg(feature = "alloc")]
pub(crate) use owned::step_view;
#[cfg(feature = "alloc")]
pub use owned::{
    forward, forward_skip, forward_with, inverse, inverse_skip, step, step_n, step_n_visiting,
    step_n_with, step1, step2,
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
    /// The report of these steps and of later ones: what was noticed first counts.
    #[cfg(feature = "alloc")]
    pub(crate) fn then(self, later: StepReport) -> StepReport {
        StepReport {
            divergence: self.divergence.or(later.divergence),
            indefinite: self.indefinite.or(later.indefinite),
        }
    }

    /// Was the step taken back?
    pub(crate) fn is_frozen(&self) -> bool {
        self.divergence.is_some_and(|e| e.was_frozen)
    }
}

/// Refuse what cannot be computed: data of another model, settings that make no sense.
pub(crate) fn check_supported(m: &Model<impl Storage>, sizes: &Sizes) -> Result<(), StepError> {
    if !fits(sizes, &m.sizes) {
        return Err(StepError::ModelMismatch);
    }
    if cfg!(not(feature = "deformable")) && m.nsoft > 0 {
        return Err(StepError::Unsupported("a deformable body (the feature `deformable` is off)"));
    }
    if !m.opt.timestep.is_finite() {
        return Err(StepError::InvalidTimestep(m.opt.timestep));
    }
    if Integrator::try_from(m.opt.integrator).is_err() {
        return Err(StepError::InvalidIntegrator(m.opt.integrator));
    }
    Ok(())
}

/// Advance a world by one time step. The arrays of the model and the memory of the world may belong to anyone. MuJoCo: `mj_step`.
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

/// Compute everything at the state of a view, without moving it. MuJoCo: `mj_forward`.
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
        let rk4 = m.integrator() == Integrator::Rk4;
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

/// Check configuration and velocity; is the step to be taken back? MuJoCo: `mj_checkPos`, `mj_checkVel`.
pub(crate) fn check_state(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    report: &mut StepReport,
) -> Result<bool, StepError> {
    let mut frozen = false;
    for quantity in [
        DivergedQuantity::Qpos,
        DivergedQuantity::Qvel,
        #[cfg(feature = "deformable")]
        DivergedQuantity::Deformable,
    ] {
        frozen = frozen
            || check_and_report(m, d, quantity, report)?.is_some_and(|found| found.was_frozen);
    }
    Ok(frozen)
}

/// Check the acceleration; is the step to be taken back? After a reset, everything is computed again. MuJoCo: `mj_checkAcc`.
#[inline(always)]
fn check_acc<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    report: &mut StepReport,
    hooks: &mut impl Hooks<S>,
) -> Result<bool, StepError> {
    // what deformable bodies would become, before the state moves, and before what they do to the acceleration
    #[cfg(feature = "deformable")]
    let found = match crate::soft::find_diverged(d) {
        Some(vertex) => Some(report_bad(m, d, DivergedQuantity::Deformable, vertex, report)?),
        None => check_and_report(m, d, DivergedQuantity::Qacc, report)?,
    };
    #[cfg(not(feature = "deformable"))]
    let found = check_and_report(m, d, DivergedQuantity::Qacc, report)?;
    let Some(found) = found else { return Ok(false) };
    if found.was_reset {
        forward_stage(m, d, Stage::None, true, hooks)?;
    }
    // a body that diverges from where it was registered stays there, and does nothing to others
    #[cfg(feature = "deformable")]
    if !found.was_frozen && crate::soft::stay_where_bad(d) {
        hold_deformables(d, true);
        let outcome = forward_stage(m, d, Stage::None, true, hooks);
        hold_deformables(d, false);
        outcome?;
    }
    Ok(found.was_frozen)
}

/// Run a step that leaves the state as it was if it fails or has to be taken back. In a world that grows, with MuJoCo's
/// policy, no copy is kept for that: nothing is taken back, and errors come before the state moves (but for those of trees that
/// fall asleep, see [`StepError`]). A world of a fixed size may run out of room in the middle of a step.
#[inline]
pub(crate) fn guarded(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    report: &mut StepReport,
    step: impl FnOnce(&mut World<'_>, &mut StepReport) -> Result<(), StepError>,
) -> Result<(), StepError> {
    if !may_be_taken_back(d) {
        return step(d, report);
    }
    keep_state(d);
    let outcome = step(d, report);
    end_guarded(m, d, report, outcome)
}

/// Is the state before a step to be kept?
#[inline]
pub(crate) fn may_be_taken_back(d: &World<'_>) -> bool {
    d.policy != DivergencePolicy::AsMuJoCo || d.is_fixed()
}

/// The end of a [`guarded`] step: what its policy still checks, and the state before the step where it failed or is taken back.
#[inline]
pub(crate) fn end_guarded(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    report: &mut StepReport,
    outcome: Result<(), StepError>,
) -> Result<(), StepError> {
    let outcome = outcome.and_then(|()| {
        if d.policy != DivergencePolicy::AsMuJoCo && !report.is_frozen() {
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
    if !m.only_rigid() && m.opt.enabled(EnableBit::FwdInv) {
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

/// Check the acceleration; after a reset, compute everything again. For those who run the stages by themselves.
/// MuJoCo: `mj_checkAcc`.
pub fn check_acceleration<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    hooks: &mut impl Hooks<S>,
) -> Result<Option<Divergence>, StepError> {
    let mut report = StepReport::default();
    check_acc(m, d, &mut report, hooks)?;
    Ok(report.divergence)
}
