//! An extension: an integrator that is implicit in the springs and dampers of joints alone.
use ferrodyn_math::sparse::{factor_ldl, solve_ldl};
use ferrodyn_model::{DisableBit, Model};

use crate::World;
use crate::inertia::pattern;
use crate::integrate::advance;

/// One step with `(M + h D + h² K) v⁺ = M v + h f - h K (q - q₀)`, where `K` and `D` are the stiffness
/// and damping of the joints, which are diagonal, and `f` is every other force.
///
/// Solved for the acceleration, where the springs and dampers of the present state already are among
/// the forces: `(M + h D + h² K) q̈ = f_all - h K v`. Tendons stay explicit.
pub(crate) fn implicit_spring_damper(m: &Model, d: &mut World<'_>) {
    let h = m.opt.timestep;
    let springs = !m.opt.disabled(DisableBit::Spring);
    let dampers = !m.opt.disabled(DisableBit::Damper);
    let qacc = core::mem::take(&mut d.scratch.step_acc);
    d.qH.copy_from_slice(d.M);
    for i in 0..m.nv {
        let stiffness = if springs { m.jnt_stiffness[m.dof_jntid[i] as usize] } else { 0.0 };
        let damping = if dampers { m.dof_damping[i] } else { 0.0 };
        let diagonal = (m.M_rowadr[i] + m.M_rownnz[i] - 1) as usize;
        d.qH[diagonal] += h * (damping + h * stiffness);
        qacc[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i] - h * stiffness * d.qvel[i];
    }
    factor_ldl(d.qH, d.qHDiagInv, &pattern(m));
    solve_ldl(qacc, d.qH, d.qHDiagInv, &pattern(m), &m.dof_simplenum);
    advance(m, d, qacc, None);
    d.scratch.step_acc = qacc;
}
