//! Rates of the lengths of flex edges, tendons and actuators: their Jacobians times velocity.
use ferrodyn_math::{dot, dot_sparse};
use ferrodyn_model::{DisableBit, Model, Storage};

use crate::World;
use crate::data::Lane;
use crate::position::tendon::one_or_two_dofs;

/// Rate of the length of every flex edge: `J v`.
pub(crate) fn flex_velocity(m: &Model<impl Storage>, d: &mut World<'_>) {
    for e in 0..m.flex_edge_count() {
        let start = m.flexedge_J_rowadr[e] as usize;
        let row = start..start + m.flexedge_J_rownnz[e] as usize;
        d.flexedge_velocity[e] =
            dot_sparse(&d.flexedge_J[row.clone()], &m.flexedge_J_colind[row], d.qvel);
    }
}

/// Velocity of every tendon: `J v`.
pub(crate) fn tendon_velocity<T: Lane>(m: &Model<impl Storage>, d: &mut World<'_, T>) {
    let sparse = m.is_sparse();
    for t in 0..m.ntendon {
        d.ten_velocity[t] = if sparse {
            let start = d.ten_J_rowadr[t] as usize;
            let row = start..start + d.ten_J_rownnz[t] as usize;
            dot_sparse(&d.ten_J[row.clone()], &d.ten_J_colind[row], d.qvel)
        } else {
            let row = &d.ten_J[t * m.nv..][..m.nv];
            match one_or_two_dofs(m, t) {
                // what a scalar product of the whole row comes to
                Some((dofs, count)) => {
                    dofs[..count].iter().fold(T::of(0.0), |sum, dof| sum + row[*dof] * d.qvel[*dof])
                }
                None => dot(row, d.qvel),
            }
        };
    }
}

/// Velocity of every actuator: moment times velocity.
pub(crate) fn actuator_velocity<T: Lane>(m: &Model<impl Storage>, d: &mut World<'_, T>) {
    if m.opt.disabled(DisableBit::Actuation) {
        d.actuator_velocity.fill(T::of(0.0));
        return;
    }
    for i in 0..m.nu {
        let start = d.moment_rowadr[i] as usize;
        let row = start..start + d.moment_rownnz[i] as usize;
        d.actuator_velocity[i] =
            dot_sparse(&d.actuator_moment[row.clone()], &d.moment_colind[row], d.qvel);
    }
}
