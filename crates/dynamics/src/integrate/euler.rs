//! Semi-implicit Euler. It moves the state with `q̈` of the forward stages, or with the acceleration of `(M + h B) a = f`, which is
//! as if damping had acted with the new velocity: `M a = f - B (v⁺ - v)`.
use ferrodyn_math::sparse::{factor_ldl_rows, solve_ldl_rows};
use ferrodyn_model::{DisableBit, Model, Storage};

use super::advance::{Rates, advance};
use crate::data::Lane;
use crate::hooks::Hooks;
use crate::position::inertia::pattern;
use crate::sleep::{awake_dofs, for_awake_dofs, rows_of, some_asleep};
use crate::{StepError, World};

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
    euler_acceleration(m, d, factored);
    advance(m, d, &Rates::OfTheStep, hooks)
}

/// The acceleration with which [`euler`] moves the state, in `scratch.step_acc`.
#[inline]
pub(crate) fn euler_acceleration<T: Lane>(
    m: &Model<impl Storage>,
    d: &mut World<'_, T>,
    factored: bool,
) {
    // where all that is damped sleeps, the plain acceleration does
    let damped = euler_damps(m)
        && (!some_asleep(m, d.head)
            || awake_dofs(m, d.head, d.dof_awake_ind)
                .any(|run| m.dof_damping[run].iter().any(|&b| b > 0.0)));

    let qacc = &mut *d.scratch.step_acc;
    let p = pattern(m);
    for_awake_dofs!(m, d, |run| {
        if damped {
            if !factored {
                // M + h B: the diagonal is the last entry of each row
                let entries = rows_of(&run, &m.M_rowadr, &m.M_rownnz);
                d.qH[entries.clone()].copy_from_slice(&d.M[entries]);
                for i in run.clone() {
                    let diag = (m.M_rowadr[i] + m.M_rownnz[i] - 1) as usize;
                    d.qH[diag] += T::of(m.opt.timestep * m.dof_damping[i]);
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
}
