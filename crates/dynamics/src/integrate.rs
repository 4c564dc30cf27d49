//! Time integration: the common end of every step, and semi-implicit Euler.
use ferrodyn_math::Real;
use ferrodyn_math::sparse::{factor_ldl, solve_ldl};
use ferrodyn_model::{DisableBit, Model};

use crate::World;
use crate::actuation::{is_disabled, next_activation};
use crate::delay::{store_controls, store_sensors};
use crate::inertia::pattern;
use crate::position::integrate_pos;

/// Advance activations with the rates in `act_dot`, velocity with `qacc`, position with `qvel` or
/// the new velocity, and time.
pub(crate) fn advance(m: &Model, d: &mut World<'_>, qacc: &[Real], qvel: Option<&[Real]>) {
    let h = m.opt.timestep;
    store_controls(m, d);
    store_sensors(m, d);
    if m.na > 0 && !m.opt.disabled(DisableBit::Actuation) {
        for i in 0..m.nu {
            let Ok(first) = usize::try_from(m.actuator_actadr[i]) else { continue };
            for adr in first..first + m.actuator_actnum[i] as usize {
                let rate = if is_disabled(m, i) { 0.0 } else { d.act_dot[adr] };
                d.act[adr] = next_activation(m, d, i, adr, rate);
            }
        }
    }
    for i in 0..m.nv {
        d.qvel[i] += qacc[i] * h;
    }
    integrate_pos(m, d.qpos, qvel.unwrap_or(d.qvel), h);
    d.head.time += h;
    d.qacc_warmstart.copy_from_slice(d.qacc);
}

/// Does Euler integrate joint damping implicitly?
pub(crate) fn euler_damps(m: &Model) -> bool {
    !m.opt.disabled(DisableBit::EulerDamp)
        && !m.opt.disabled(DisableBit::Damper)
        && m.dof_damping.iter().any(|&b| b > 0.0)
}

/// Semi-implicit Euler; joint damping is integrated implicitly: `(M + h B) q̈ = M q̈₀`. The factor of
/// that matrix may be there already.
pub fn euler(m: &Model, d: &mut World<'_>, factored: bool) {
    let damped = euler_damps(m);

    // the acceleration lives in scratch memory while the world changes
    let qacc = core::mem::take(&mut d.scratch.step_acc);
    if damped {
        if !factored {
            d.qH.copy_from_slice(d.M);
            for i in 0..m.nv {
                let diag = (m.M_rowadr[i] + m.M_rownnz[i] - 1) as usize;
                d.qH[diag] += m.opt.timestep * m.dof_damping[i];
            }
            factor_ldl(d.qH, d.qHDiagInv, &pattern(m));
        }
        for i in 0..m.nv {
            qacc[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i];
        }
        solve_ldl(qacc, d.qH, d.qHDiagInv, &pattern(m), &m.dof_simplenum);
    } else {
        qacc.copy_from_slice(d.qacc);
    }
    advance(m, d, qacc, None);
    d.scratch.step_acc = qacc;
}
