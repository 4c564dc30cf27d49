//! The common end of every step: where the state changes, in an order that decides results. Histories of delays come first, then
//! activations, sleep, velocity, position, time.
use ferrodyn_math::Real;
use ferrodyn_model::{DisableBit, Model, Stage, Storage};

use super::joints::{integrate_joint, integrate_pos};
use crate::data::Lane;
use crate::force::actuation::{is_disabled, next_activation};
use crate::force::delay::{store_controls, store_sensors};
use crate::forward::forward_from_velocity;
use crate::hooks::Hooks;
use crate::sleep::{Bodies, fall_asleep, for_awake_dofs, update_sleep};
use crate::{StepError, World};

/// With which velocity the position moves, and how fast activations change.
pub(crate) enum Rates<'a, T = Real> {
    /// The new velocity, and `act_dot`.
    OfTheStep,
    /// Means over the step, which Runge-Kutta computes.
    Mean { qvel: &'a [T], act_dot: &'a [T] },
}

/// The end of a step: store histories, advance activations, put trees to sleep that came to rest, then advance velocity (with
/// the acceleration in `scratch.step_acc`), position and time, and keep the acceleration for the next warm start.
/// MuJoCo: `mj_advance`; of its plugins only `mujoco.pid` has an `advance`, which is empty.
pub(crate) fn advance<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    rates: &Rates<'_>,
    hooks: &mut impl Hooks<S>,
) -> Result<(), StepError> {
    if settle(m, d, rates)? {
        // what depends on velocity follows, with those trees at rest; sensors too
        forward_from_velocity(m, d, Stage::Pos, true, hooks)?;
        update_sleep(m, d);
    }
    move_state(m, d, rates);
    Ok(())
}

/// The part of [`advance`] before velocities change: histories, activations, sleep. Did trees fall asleep? Then the stages from velocity
/// on are to run once more, and [`update_sleep`] after them.
#[inline]
pub(crate) fn settle<T: Lane>(
    m: &Model<impl Storage>,
    d: &mut World<'_, T>,
    rates: &Rates<'_, T>,
) -> Result<bool, StepError> {
    // what delays will hand out later
    if let Some(d) = d.alone() {
        store_controls(m, d);
        store_sensors(m, d)?;
    }
    // activations: those of a disabled actuator stay
    if m.na > 0 && !m.opt.disabled(DisableBit::Actuation) {
        for i in 0..m.nu {
            // an actuator without activation has no address
            let Ok(first) = usize::try_from(m.actuator_actadr[i]) else { continue };
            for adr in first..first + m.actuator_actnum[i] as usize {
                let given =
                    if let Rates::Mean { act_dot, .. } = rates { act_dot } else { &*d.act_dot };
                let rate = if is_disabled(m, i) { T::of(0.0) } else { given[adr] };
                d.act[adr] = next_activation(m, d, i, adr, rate);
            }
        }
    }
    Ok(d.alone().is_some_and(|d| fall_asleep(m, d) > 0))
}

/// The end of [`advance`]: velocity, position and time.
#[inline]
pub(crate) fn move_state<T: Lane>(
    m: &Model<impl Storage>,
    d: &mut World<'_, T>,
    rates: &Rates<'_, T>,
) {
    let h = m.opt.timestep;
    // v⁺ = v + h a
    for_awake_dofs!(m, d, |run| {
        for i in run {
            d.qvel[i] += d.scratch.step_acc[i] * T::of(h);
        }
    });
    // q⁺ = q ⊕ h v⁺, or along the mean velocity that Runge-Kutta hands in
    let bodies = Bodies::awake(m, d);
    let qvel = if let Rates::Mean { qvel, .. } = rates { qvel } else { &*d.qvel };
    if bodies.listed() {
        for k in 1..bodies.count {
            for j in m.body_joints(bodies.get(d.body_awake_ind, k)) {
                integrate_joint(m, d.qpos, qvel, h, j);
            }
        }
    } else {
        integrate_pos(m, d.qpos, qvel, h);
    }
    d.head.time += h;
    #[cfg(feature = "deformable")]
    if let Some(d) = d.alone() {
        crate::soft::mj_deformable_step(d);
    }
    // the next solver begins from the acceleration that the last one found, not from that of the integrator
    d.qacc_warmstart.copy_from_slice(d.qacc);
}
