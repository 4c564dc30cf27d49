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
use ferrodyn_math::{Alone, Real, Team};
use ferrodyn_model::{Model, Stage, Storage};

use crate::data::Lane;
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
    // sensors keep their values from the beginning of the step
    let forward = |d: &mut World<'_>| forward_stage(m, d, Stage::None, false, hooks);
    let outcome = stages(&Alone, m, d, memory, forward)
        .and_then(|()| advance(m, d, &mean_rates(m, memory), hooks));
    d.scratch.runge_kutta = memory;
    hold_deformables(d, false);
    outcome
}

/// The mean rates that [`stages`] left in its memory.
pub(crate) fn mean_rates<'a, T>(m: &Model<impl Storage>, memory: &'a [T]) -> Rates<'a, T> {
    let sums = &memory[m.nq + m.nv..];
    Rates::Mean { qvel: &sums[..m.nv], act_dot: &sums[2 * m.nv + m.na..] }
}

/// The stages of a step, of which `forward` computes all but the first. The state is then where it was, the mean acceleration in
/// `scratch.step_acc`, and [`mean_rates`] has the others.
pub(crate) fn stages<S: Storage, T: Lane>(
    t: &impl Team,
    m: &Model<S>,
    d: &mut World<'_, T>,
    memory: &mut [T],
    mut forward: impl FnMut(&mut World<'_, T>) -> Result<(), StepError>,
) -> Result<(), StepError> {
    let time = d.head.time;
    t.once(|| begin(m, d, memory));
    // deformable bodies act once in a step, with the force of its beginning
    hold_deformables(d, true);
    for stage in 0..SHARES.len() {
        t.once(|| go_to(m, d, memory, stage, time));
        if let Err(error) = forward(d) {
            t.once(|| return_to_start(m, d, memory, time));
            return Err(error);
        }
        t.once(|| add(m, d, memory, stage));
    }
    hold_deformables(d, false);
    t.once(|| end(m, d, memory, time));
    Ok(())
}

/// What the memory of a step holds.
struct Memory<'a, T> {
    /// The state at the beginning.
    qpos: &'a mut [T],
    qvel: &'a mut [T],
    act: &'a mut [T],
    /// Sums of rates so far.
    vel_sum: &'a mut [T],
    acc_sum: &'a mut [T],
    act_sum: &'a mut [T],
}

fn split<'a, T>(m: &Model<impl Storage>, memory: &'a mut [T]) -> Memory<'a, T> {
    let (qpos, rest) = memory.split_at_mut(m.nq);
    let (qvel, rest) = rest.split_at_mut(m.nv);
    let (vel_sum, rest) = rest.split_at_mut(m.nv);
    let (acc_sum, rest) = rest.split_at_mut(m.nv);
    let (act, act_sum) = rest.split_at_mut(m.na);
    Memory { qpos, qvel, act, vel_sum, acc_sum, act_sum }
}

/// Keep the state, and the first stage, which is what came before.
pub(crate) fn begin<T: Lane>(m: &Model<impl Storage>, d: &World<'_, T>, memory: &mut [T]) {
    let own = split(m, memory);
    own.qpos.copy_from_slice(d.qpos);
    own.qvel.copy_from_slice(d.qvel);
    own.act.copy_from_slice(d.act);
    for i in 0..m.na {
        own.act_sum[i] = T::of(WEIGHTS[0]) * d.act_dot[i];
    }
    for i in 0..m.nv {
        own.vel_sum[i] = T::of(WEIGHTS[0]) * d.qvel[i];
        own.acc_sum[i] = T::of(WEIGHTS[0]) * d.qacc[i];
    }
}

/// The state in which one of the later stages is evaluated: `X₀ ⊕ share h F`, with the rates of the stage before.
pub(crate) fn go_to<T: Lane>(
    m: &Model<impl Storage>,
    d: &mut World<'_, T>,
    memory: &mut [T],
    stage: usize,
    time: Real,
) {
    let (h, share, own) = (m.opt.timestep, SHARES[stage], split(m, memory));
    let (part, step) = (T::of(share), T::of(h));
    // the configuration follows the velocity of the stage before, so that it is read before it changes
    for i in 0..m.nv {
        d.scratch.dof_a[i] = part * d.qvel[i];
    }
    for i in 0..m.nv {
        d.qvel[i] = own.qvel[i] + (part * d.qacc[i]) * step;
    }
    for i in 0..m.na {
        d.act[i] = own.act[i] + (part * d.act_dot[i]) * step;
    }
    keep_controls(m, d.act, own.act);
    d.qpos.copy_from_slice(own.qpos);
    integrate_pos(m, d.qpos, d.scratch.dof_a, h);
    d.head.time = time + share * h;
}

/// The share of a later stage in the step.
pub(crate) fn add<T: Lane>(
    m: &Model<impl Storage>,
    d: &World<'_, T>,
    memory: &mut [T],
    stage: usize,
) {
    let (weight, own) = (T::of(WEIGHTS[stage + 1]), split(m, memory));
    for i in 0..m.nv {
        own.vel_sum[i] += weight * d.qvel[i];
        own.acc_sum[i] += weight * d.qacc[i];
    }
    for i in 0..m.na {
        own.act_sum[i] += weight * d.act_dot[i];
    }
}

/// The state at the beginning.
fn return_to_start<T: Lane>(
    m: &Model<impl Storage>,
    d: &mut World<'_, T>,
    memory: &mut [T],
    time: Real,
) {
    let own = split(m, memory);
    d.head.time = time;
    d.qpos.copy_from_slice(own.qpos);
    d.qvel.copy_from_slice(own.qvel);
    d.act.copy_from_slice(own.act);
}

/// From the beginning, along the mean rates; the common end of every step then moves the state with these.
pub(crate) fn end<T: Lane>(
    m: &Model<impl Storage>,
    d: &mut World<'_, T>,
    memory: &mut [T],
    time: Real,
) {
    return_to_start(m, d, memory, time);
    d.scratch.step_acc.copy_from_slice(split(m, memory).acc_sum);
}

/// Keep the contacts and forces of deformable bodies as they are, or no longer.
pub(crate) fn hold_deformables<T: Lane>(d: &mut World<'_, T>, hold: bool) {
    #[cfg(feature = "deformable")]
    if let Some(soft) = d.alone().and_then(|d| d.soft.as_mut()) {
        soft.hold = hold;
    }
    #[cfg(not(feature = "deformable"))]
    let _ = (d, hold);
}
