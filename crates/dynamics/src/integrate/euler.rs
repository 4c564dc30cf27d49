//! Time integration: the common end of every step, and semi-implicit Euler.
//!
//! `advance` is where the state changes, in an order that decides results: histories of delays, activations, sleep, velocity,
//! position, time. Euler chooses the acceleration that goes in: `q̈` of the forward stages, or that of `(M + h B) a = f`, which is as
//! if damping had acted with the new velocity: `M a = f - B (v⁺ - v)`.
use ferrodyn_math::Real;
use ferrodyn_math::sparse::{factor_ldl_rows, solve_ldl_rows};
use ferrodyn_model::{DisableBit, Model, Stage, Storage};

use crate::force::actuation::{is_disabled, next_activation};
use crate::force::delay::{store_controls, store_sensors};
use crate::forward::forward_from_velocity;
use crate::hooks::Hooks;
use crate::integrate::joints::{integrate_joint, integrate_pos};
use crate::position::inertia::pattern;
use crate::sleep::{
    Bodies, awake_dofs, fall_asleep, for_awake_dofs, rows_of, some_asleep, update_sleep,
};
use crate::{StepError, World};

/// Advance activations with the given rates or those in `act_dot`, velocity with `qacc`, position
/// with `qvel` or the new velocity, and time. Before that, put trees to sleep that came to rest. MuJoCo: `mj_advance`.
pub(crate) fn advance<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    qacc: &[Real],
    qvel: Option<&[Real]>,
    act_dot: Option<&[Real]>,
    hooks: &mut impl Hooks<S>,
) -> Result<(), StepError> {
    let h = m.opt.timestep;
    // what delays will hand out later
    store_controls(m, d);
    store_sensors(m, d)?;
    // activations: those of a disabled actuator stay
    if m.na > 0 && !m.opt.disabled(DisableBit::Actuation) {
        for i in 0..m.nu {
            // an actuator without activation has no address
            let Ok(first) = usize::try_from(m.actuator_actadr[i]) else { continue };
            for adr in first..first + m.actuator_actnum[i] as usize {
                let rates = act_dot.unwrap_or(d.act_dot);
                let rate = if is_disabled(m, i) { 0.0 } else { rates[adr] };
                d.act[adr] = next_activation(m, d, i, adr, rate);
            }
        }
    }
    if fall_asleep(m, d) > 0 {
        // what depends on velocity follows, with those trees at rest
        forward_from_velocity(m, d, Stage::Pos, true, hooks)?;
        update_sleep(m, d);
    }
    // v⁺ = v + h a
    for_awake_dofs!(m, d, |run| {
        for i in run {
            d.qvel[i] += qacc[i] * h;
        }
    });
    // q⁺ = q ⊕ h v⁺, or along the mean velocity that Runge-Kutta hands in
    let bodies = Bodies::awake(m, d);
    let qvel = qvel.unwrap_or(d.qvel);
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
    // the next solver begins from the acceleration that the last one found, not from that of the integrator
    d.qacc_warmstart.copy_from_slice(d.qacc);
    Ok(())
}

/// Does Euler integrate joint damping implicitly? Only where some joint has damping: otherwise `S = M`, and `q̈` is there already.
pub(crate) fn euler_damps(m: &Model<impl Storage>) -> bool {
    !m.opt.disabled(DisableBit::EulerDamp)
        && !m.opt.disabled(DisableBit::Damper)
        && m.dof_damping.iter().any(|&b| b > 0.0)
}

/// Semi-implicit Euler; joint damping `B` is integrated implicitly: `(M + h B) a = f`, `f = qfrc_smooth + qfrc_constraint` (which is
/// `M q̈`). The factor of that matrix may be there already. MuJoCo: `mj_Euler`, `mj_EulerSkip`.
pub fn euler<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    factored: bool,
    hooks: &mut impl Hooks<S>,
) -> Result<(), StepError> {
    // where all that is damped sleeps, the plain acceleration does
    let damped = euler_damps(m)
        && (!some_asleep(m, d.head)
            || awake_dofs(m, d.head, d.dof_awake_ind)
                .any(|run| m.dof_damping[run].iter().any(|&b| b > 0.0)));

    // the acceleration lives in scratch memory while the world changes
    let qacc = core::mem::take(&mut d.scratch.step_acc);
    let p = pattern(m);
    for_awake_dofs!(m, d, |run| {
        if damped {
            if !factored {
                // M + h B: the diagonal is the last entry of each row
                let entries = rows_of(&run, &m.M_rowadr, &m.M_rownnz);
                d.qH[entries.clone()].copy_from_slice(&d.M[entries]);
                for i in run.clone() {
                    let diag = (m.M_rowadr[i] + m.M_rownnz[i] - 1) as usize;
                    d.qH[diag] += m.opt.timestep * m.dof_damping[i];
                }
                factor_ldl_rows(d.qH, d.qHDiagInv, &p, run.clone());
            }
            // all forces, damping of the present velocity among them
            for i in run.clone() {
                qacc[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i];
            }
            solve_ldl_rows(qacc, d.qH, d.qHDiagInv, &p, &m.dof_simplenum, run);
        } else {
            // S = M: the forward stages have solved that
            qacc[run.clone()].copy_from_slice(&d.qacc[run]);
        }
    });
    let outcome = advance(m, d, qacc, None, None, hooks);
    d.scratch.step_acc = qacc;
    outcome
}
