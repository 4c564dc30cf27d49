//! An extension: an integrator that is implicit in the springs and dampers of joints alone.
use ferrodyn_math::sparse::{factor_ldl_rows, solve_ldl_rows};
use ferrodyn_model::{DisableBit, Model, Storage};

use crate::World;
use crate::data::Lane;
use crate::position::inertia::pattern;
use crate::sleep::{awake_dofs, rows_of};

/// The acceleration of a step, in `scratch.step_acc`, with `(M + h B + h² K) v⁺ = M v + h f - h K (q - q₀)`, where `K` and `B` are the stiffness
/// and damping of the joints, which are diagonal, and `f` is every other force.
///
/// Solved for the acceleration `a = (v⁺ - v) / h`, where the springs and dampers of the present state already are among
/// the forces: `(M + h B + h² K) a = f_all - h K v`. Tendons stay explicit.
pub(crate) fn spring_damper_acceleration<T: Lane>(m: &Model<impl Storage>, d: &mut World<'_, T>) {
    let h = m.opt.timestep;
    let springs = !m.opt.disabled(DisableBit::Spring);
    let dampers = !m.opt.disabled(DisableBit::Damper);
    let qacc = &mut *d.scratch.step_acc;
    let p = pattern(m);
    for run in awake_dofs(m, d.head, d.dof_awake_ind) {
        // M + h B + h² K: damping and springs of joints are on the diagonal
        let entries = rows_of(&run, &m.M_rowadr, &m.M_rownnz);
        d.qH[entries.clone()].copy_from_slice(&d.M[entries]);
        for i in run.clone() {
            let stiffness = if springs { m.jnt_stiffness[m.dof_joint(i)] } else { 0.0 };
            let damping = if dampers { m.dof_damping[i] } else { 0.0 };
            let diagonal = (m.M_rowadr[i] + m.M_rownnz[i] - 1) as usize;
            d.qH[diagonal] += T::of(h * (damping + h * stiffness));
            // the springs will have moved on by h v: the force of the new position, as far as it is known
            qacc[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i] - T::of(h * stiffness) * d.qvel[i];
        }
        factor_ldl_rows(d.qH, d.qHDiagInv, &p, run.clone());
        solve_ldl_rows(qacc, d.qH, d.qHDiagInv, &p, &m.dof_simplenum, run);
    }
}
