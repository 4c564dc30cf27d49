//! Analytic derivative of the smooth forces by velocity.
use ferrodyn_math::Spatial;
use ferrodyn_model::{DisableBit, JointType, Model};

use crate::World;
use crate::kinematics::{body_joints, joint_type};

/// Compute `qDeriv`: the derivative of passive minus bias forces by velocity.
///
/// Without `with_bias` the Coriolis and centrifugal terms are left out, and the result is symmetric.
pub fn smooth_vel_derivative(m: &Model, d: &mut World<'_>, with_bias: bool) {
    d.qDeriv.fill(0.0);
    if !m.opt.disabled(DisableBit::Damper) {
        for i in 0..m.nv {
            d.qDeriv[(m.D_rowadr[i] + m.D_diag[i]) as usize] -= m.dof_damping[i];
        }
    }
    if with_bias {
        subtract_bias_derivative(m, d);
    }
}

/// Columns of one row of the body-by-dof matrix.
#[inline]
fn body_row(m: &Model, b: usize) -> core::ops::Range<usize> {
    let adr = m.B_rowadr[b] as usize;
    adr..adr + m.B_rownnz[b] as usize
}

/// Number of degrees of freedom before `i` on the way to the world.
#[inline]
fn ancestors(m: &Model, i: usize) -> usize {
    let end = m.dof_Madr.get(i + 1).map_or(m.nM, |&adr| adr as usize);
    end - m.dof_Madr[i] as usize - 1
}

/// Copy the columns of all dofs above body `b` from its parent's row.
///
/// Rows are sorted, so that these columns come first in both.
fn copy_from_parent(m: &Model, mat: &mut [Spatial], b: usize) {
    let parent = m.body_parentid[b] as usize;
    let moving = m.body_weldid[parent] as usize;
    if moving == 0 {
        return;
    }
    let last = (m.body_dofadr[moving] + m.body_dofnum[moving] - 1) as usize;
    let count = ancestors(m, last) + 1;
    let from = m.B_rowadr[parent] as usize;
    mat.copy_within(from..from + count, m.B_rowadr[b] as usize);
}

/// Add the row of body `b` to its parent's row, whose columns include those of `b`.
fn add_to_parent(m: &Model, mat: &mut [Spatial], b: usize) {
    let parent = m.body_parentid[b] as usize;
    if m.body_weldid[parent] == 0 {
        return;
    }
    let mut to = m.B_rowadr[parent] as usize;
    let end = to + m.B_rownnz[parent] as usize;
    for from in body_row(m, b) {
        while to < end && m.B_colind[to] < m.B_colind[from] {
            to += 1;
        }
        if to == end {
            return;
        }
        let value = mat[from];
        mat[to] += value;
    }
}

/// `qDeriv −= ∂qfrc_bias/∂q̇`: the recursion of Newton-Euler, differentiated line by line.
///
/// Every quantity is linear in the derivatives above it, so each column is pushed through the same
/// spatial products as the quantity itself.
fn subtract_bias_derivative(m: &Model, d: &mut World<'_>) {
    let dvel = &mut *d.scratch.deriv_cvel;
    let dacc = &mut *d.scratch.deriv_cacc;
    let dfrc = &mut *d.scratch.deriv_cfrc;
    let ddot = &mut *d.scratch.deriv_cdofdot;
    dvel.fill(Spatial::ZERO);
    dacc.fill(Spatial::ZERO);
    dfrc.fill(Spatial::ZERO);
    ddot.fill(Spatial::ZERO);

    for b in 1..m.nbody {
        let row = body_row(m, b);
        copy_from_parent(m, dvel, b);
        copy_from_parent(m, dacc, b);
        for j in body_joints(m, b) {
            let kind = joint_type(m, j);
            let first = m.jnt_dofadr[j] as usize;
            // degrees of freedom that change velocity together, by groups
            let groups: &[(usize, usize)] = match kind {
                JointType::Free => &[(0, 3), (3, 6)],
                JointType::Ball => &[(0, 3)],
                JointType::Slide | JointType::Hinge => &[(0, 1)],
            };
            for &(from, to) in groups {
                let (from, to) = (first + from, first + to);
                // D cdof_dot = D cvel × cdof, zero for the translations of a free joint
                if !(kind == JointType::Free && from == first) {
                    for i in from..to {
                        let adr = m.D_rowadr[i] as usize;
                        for k in 0..ancestors(m, i) {
                            ddot[adr + k] = dvel[row.start + k].cross_motion(&d.cdof[i]);
                        }
                    }
                }
                for i in from..to {
                    dvel[row.start + ancestors(m, i)] += d.cdof[i];
                }
            }
        }

        // D cacc = D cacc_parent + cdof_dot + D cdof_dot q̇
        let first = m.body_dofadr[b].max(0) as usize;
        for i in first..first + m.body_dofnum[b] as usize {
            dacc[row.start + ancestors(m, i)] += d.cdof_dot[i];
            let adr = m.D_rowadr[i] as usize;
            for k in 0..row.len() {
                dacc[row.start + k].add_scaled(&ddot[adr + k], d.qvel[i]);
            }
        }

        // D (cinert cacc + cvel ×* cinert cvel)
        let inertia = &d.cinert[b];
        let cvel = &d.cvel[b];
        let momentum = inertia.mul(cvel);
        for k in row {
            dfrc[k] = inertia.mul(&dacc[k])
                + (dvel[k].cross_force(&momentum) + cvel.cross_force(&inertia.mul(&dvel[k])));
        }
    }

    for b in (1..m.nbody).rev() {
        add_to_parent(m, dfrc, b);
    }
    for i in 0..m.nv {
        let adr = m.D_rowadr[i] as usize;
        for (k, column) in body_row(m, m.dof_bodyid[i] as usize).enumerate() {
            d.qDeriv[adr + k] -= dfrc[column].dot(&d.cdof[i]);
        }
    }
}
