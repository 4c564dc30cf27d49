//! Detection of states that diverged.
pub(crate) mod freeze;

use ferrodyn_math::{Real, is_bad};
use ferrodyn_model::{ConstraintType, DisableBit, Model, Storage, Warning};

use crate::data::reset::reset_world;
use crate::sleep::{awake_dofs, some_asleep};
use crate::{StepError, World};

/// What became non-finite or too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DivergedQuantity {
    /// The configuration.
    Qpos,
    /// The velocity.
    Qvel,
    /// The acceleration.
    Qacc,
    /// The state of a deformable body.
    #[cfg(feature = "deformable")]
    Deformable,
}

/// What a step does when its world diverges: a number of `qpos`, `qvel` or `qacc` that is not finite, or too
/// large. In all cases the counters in `warning` go up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DivergencePolicy {
    /// As MuJoCo: reset the world, or go on where the `autoreset` flag of the model is off; the report tells.
    #[default]
    AsMuJoCo,
    /// The step is [`StepError::Diverged`]; time and state stay as they were before it.
    Error,
    /// Time and state stay as they were before the step; the report tells.
    Freeze,
}

/// A constraint row, by what it belongs to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConstraintRow {
    /// Kind of the row.
    pub kind: ConstraintType,
    /// The equality, degree of freedom, joint, tendon or contact that the row is of.
    pub id: usize,
    /// Its force.
    pub force: Real,
}

/// A world diverged: which number, and which body it moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Divergence {
    /// What diverged.
    pub quantity: DivergedQuantity,
    /// Index into that array; of a deformable body the vertex, counted over all of them.
    pub index: usize,
    /// Body that it moves; the number of the deformable body.
    pub body: usize,
    /// The row with the largest force in the last solution, if there was any force.
    pub constraint: Option<ConstraintRow>,
    /// Time at which it was noticed.
    pub time: Real,
    /// Was the world reset (`autoreset` flag)?
    pub was_reset: bool,
    /// Was the step taken back ([`DivergencePolicy::Freeze`])?
    pub was_frozen: bool,
}

impl core::fmt::Display for Divergence {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let name = match self.quantity {
            DivergedQuantity::Qpos => "qpos",
            DivergedQuantity::Qvel => "qvel",
            DivergedQuantity::Qacc => "qacc",
            #[cfg(feature = "deformable")]
            DivergedQuantity::Deformable => "vertex",
        };
        let kind = if name == "vertex" { "deformable body" } else { "body" };
        write!(f, "{name}[{}] of {kind} {} diverged at time {}", self.index, self.body, self.time)?;
        if let Some(row) = self.constraint {
            let ConstraintRow { kind, id, force } = row;
            write!(f, ", largest constraint force {force} in {kind:?} {id}")?;
        }
        if self.was_reset {
            write!(f, "; the world was reset")
        } else if self.was_frozen {
            write!(f, "; the step was taken back")
        } else {
            Ok(())
        }
    }
}

/// Check one quantity, of degrees of freedom only those that are awake; raise the warning and do what the
/// policy of the world says.
pub fn check(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    quantity: DivergedQuantity,
) -> Result<Option<Divergence>, StepError> {
    match find_bad(m, d, quantity) {
        None => Ok(None),
        Some(index) => diverged(m, d, quantity, index).map(Some),
    }
}

/// The first number that is bad.
#[inline]
pub(crate) fn find_bad(
    m: &Model<impl Storage>,
    d: &World<'_>,
    quantity: DivergedQuantity,
) -> Option<usize> {
    let bad = |values: &[Real]| values.iter().position(|&x| is_bad(x));
    let bad_dof = |values: &[Real]| {
        if !some_asleep(m, d.head) {
            return bad(values);
        }
        let mut dofs = awake_dofs(m, d.head, d.dof_awake_ind);
        dofs.find_map(|run| Some(run.start + bad(&values[run])?))
    };
    match quantity {
        DivergedQuantity::Qpos => bad(d.qpos),
        DivergedQuantity::Qvel => bad_dof(d.qvel),
        DivergedQuantity::Qacc => bad_dof(d.qacc),
        #[cfg(feature = "deformable")]
        DivergedQuantity::Deformable => crate::soft::find_bad(d, false),
    }
}

/// A number is bad: raise the warning, and do what the policy of the world says.
#[cold]
pub(crate) fn diverged(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    quantity: DivergedQuantity,
    index: usize,
) -> Result<Divergence, StepError> {
    let warning = match quantity {
        DivergedQuantity::Qpos => Warning::BadQpos,
        DivergedQuantity::Qvel => Warning::BadQvel,
        DivergedQuantity::Qacc => Warning::BadQacc,
        // MuJoCo has no warning of its own for them: their vertices are positions too
        #[cfg(feature = "deformable")]
        DivergedQuantity::Deformable => Warning::BadQpos,
    };
    let body = match quantity {
        DivergedQuantity::Qpos => {
            let joint = m.jnt_qposadr.partition_point(|&adr| adr as usize <= index);
            m.joint_body(joint.saturating_sub(1))
        }
        DivergedQuantity::Qvel | DivergedQuantity::Qacc => m.dof_body(index),
        #[cfg(feature = "deformable")]
        DivergedQuantity::Deformable => crate::soft::body_of(d, index),
    };
    let time = d.head.time;
    let constraint = largest_force(d);
    // a model of rigid bodies alone is stepped where errors are all that comes back
    let policy = if m.only_rigid() { DivergencePolicy::Error } else { d.policy };
    let goes_on = policy == DivergencePolicy::AsMuJoCo;
    let was_reset = goes_on && !m.opt.disabled(DisableBit::AutoReset);
    let was_frozen = policy == DivergencePolicy::Freeze;
    let outcome = if was_reset { reset_world(m, d) } else { Ok(()) };
    let stat = &mut d.head.warning[warning as usize];
    // MuJoCo counts before and after the reset, which clears the first count
    stat.number += if goes_on && !was_reset { 2 } else { 1 };
    stat.lastinfo = index as i32;
    outcome?;
    let divergence = Divergence { quantity, index, body, constraint, time, was_reset, was_frozen };
    match policy {
        DivergencePolicy::Error => Err(StepError::Diverged(divergence)),
        DivergencePolicy::AsMuJoCo | DivergencePolicy::Freeze => Ok(divergence),
    }
}

/// The row with the largest force; a force that is no number is the largest.
fn largest_force(d: &World<'_>) -> Option<ConstraintRow> {
    let size = |force: Real| if force.is_nan() { Real::INFINITY } else { force.abs() };
    let w = &d.work;
    let rows = w.efc_force[..d.nefc()].iter().zip(&*w.efc_type).zip(&*w.efc_id);
    let ((&force, &kind), &id) = rows.max_by(|a, b| size(*a.0.0).total_cmp(&size(*b.0.0)))?;
    let kind = ConstraintType::try_from(kind).ok().filter(|_| force != 0.0)?;
    Some(ConstraintRow { kind, id: id as usize, force })
}
