//! Fourth-order Runge-Kutta.
//!
//! ```text
//! X = (q, v, act),  F(X) = (v, q̈, ȧ)
//! F₁ = F(X₀), F₂ = F(X₀ ⊕ ½ h F₁), F₃ = F(X₀ ⊕ ½ h F₂), F₄ = F(X₀ ⊕ h F₃)
//! X⁺ = X₀ ⊕ h (F₁ + 2 F₂ + 2 F₃ + F₄) / 6
//! ```
//!
//! The error of a step is of order `h⁵` where forces are smooth; a contact that begins within a step makes it of first order there. Each
//! stage detects collisions and solves constraints, so a step costs four of the others. Damping is explicit.
use ferrodyn_math::Real;
use ferrodyn_model::{Model, Stage, Storage};

use crate::force::gain::keep_controls;
use crate::forward::forward_stage;
use crate::hooks::Hooks;
use crate::integrate::advance::{Rates, advance};
use crate::integrate::joints::integrate_pos;
use crate::{StepError, World};

/// Where the second to fourth stage are evaluated, as a share of the step: the classical scheme, in which each stage needs only the last.
const SHARES: [Real; 3] = [0.5, 0.5, 1.0];
/// Weights of the four stages: those of Simpson's rule, with the middle evaluated twice.
const WEIGHTS: [Real; 4] = [1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0];

/// One classical Runge-Kutta step; `forward` was already called at its beginning. MuJoCo: `mj_RungeKutta` with `N = 4`.
///
/// The configuration moves on its manifold: each stage starts from the initial configuration and
/// follows the velocity of the stage before it. A stage that fails leaves the state as it was.
pub fn runge_kutta<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    hooks: &mut impl Hooks<S>,
) -> Result<(), StepError> {
    let memory = core::mem::take(&mut d.scratch.runge_kutta);
    let outcome = stages(m, d, memory, hooks);
    d.scratch.runge_kutta = memory;
    hold_deformables(d, false);
    outcome
}

fn stages<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    memory: &mut [Real],
    hooks: &mut impl Hooks<S>,
) -> Result<(), StepError> {
    // the state at the beginning, and the sums of rates so far
    let (h, time) = (m.opt.timestep, d.head.time);
    let nv = m.nv;
    let (qpos, rest) = memory.split_at_mut(m.nq);
    let (qvel, rest) = rest.split_at_mut(nv);
    let (vel_sum, rest) = rest.split_at_mut(nv);
    let (acc_sum, rest) = rest.split_at_mut(nv);
    let (act, act_sum) = rest.split_at_mut(m.na);
    qpos.copy_from_slice(d.qpos);
    qvel.copy_from_slice(d.qvel);
    act.copy_from_slice(d.act);
    // the first stage is what `forward` left
    for i in 0..m.na {
        act_sum[i] = WEIGHTS[0] * d.act_dot[i];
    }
    for i in 0..nv {
        vel_sum[i] = WEIGHTS[0] * d.qvel[i];
        acc_sum[i] = WEIGHTS[0] * d.qacc[i];
    }

    // deformable bodies act once in a step, with the force of its beginning
    hold_deformables(d, true);
    for (stage, &share) in SHARES.iter().enumerate() {
        // the configuration follows the velocity of the stage before, so that it is read before it changes
        for i in 0..nv {
            d.scratch.dof_a[i] = share * d.qvel[i];
        }
        for i in 0..nv {
            d.qvel[i] = qvel[i] + (share * d.qacc[i]) * h;
        }
        for i in 0..m.na {
            d.act[i] = act[i] + (share * d.act_dot[i]) * h;
        }
        keep_controls(m, d.act, act);
        // X₀ ⊕ share h F
        d.qpos.copy_from_slice(qpos);
        integrate_pos(m, d.qpos, d.scratch.dof_a, h);
        d.head.time = time + share * h;

        // sensors keep their values from the beginning of the step
        if let Err(error) = forward_stage(m, d, Stage::None, false, hooks) {
            d.head.time = time;
            d.qpos.copy_from_slice(qpos);
            d.qvel.copy_from_slice(qvel);
            d.act.copy_from_slice(act);
            return Err(error);
        }
        // the share of this stage in the step
        for i in 0..nv {
            vel_sum[i] += WEIGHTS[stage + 1] * d.qvel[i];
            acc_sum[i] += WEIGHTS[stage + 1] * d.qacc[i];
        }
        for i in 0..m.na {
            act_sum[i] += WEIGHTS[stage + 1] * d.act_dot[i];
        }
    }

    hold_deformables(d, false);
    // from the beginning, along the mean rates
    d.head.time = time;
    d.qpos.copy_from_slice(qpos);
    d.qvel.copy_from_slice(qvel);
    d.act.copy_from_slice(act);
    // the common end of every step, with the mean velocity in place of the new one
    d.scratch.step_acc.copy_from_slice(acc_sum);
    advance(m, d, &Rates::Mean { qvel: vel_sum, act_dot: act_sum }, hooks)
}

/// Keep the contacts and forces of deformable bodies as they are, or no longer.
pub(crate) fn hold_deformables(d: &mut World<'_>, hold: bool) {
    #[cfg(feature = "deformable")]
    if let Some(soft) = &mut d.soft {
        soft.hold = hold;
    }
    #[cfg(not(feature = "deformable"))]
    let _ = (d, hold);
}
