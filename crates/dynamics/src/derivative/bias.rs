//! Derivative of the bias forces by velocity.
//!
//! Bias forces come from a recursion over bodies, from the root outwards and back:
//!
//! ```text
//! cvel  = cvel_parent + Σ cdof q̇                     cdof_dot = cvel × cdof
//! cacc  = cacc_parent + Σ cdof_dot q̇                 f = I cacc + cvel ×* I cvel
//! f_parent += f                                      qfrc_bias = cdof · f
//! ```
//!
//! Differentiated line by line with configuration fixed, `∂` for the derivative by one velocity; `cdof` and `I` do not
//! change. The motion of a body depends only on the degrees of freedom between it and the root, the force that it
//! transmits also on those below it: rows of `dvel`, `dacc` and `dfrc` lie in the pattern `B` of bodies by degrees of
//! freedom (`nB` entries), those of `ddot` in the pattern `D` of degrees of freedom by degrees of freedom (`nD`
//! entries).
//!
//! The order of operations is that of MuJoCo's `mjd_rne_vel`: products with 6×6 matrices, each sum from the first column to
//! the last.
use ferrodyn_math::{Inertia10, Real, Spatial};
use ferrodyn_model::{JointType, Model, Storage};

use crate::data::memory::frame;
use crate::sleep::{Bodies, awake_dofs, rows_of};
use crate::{StepError, World};

/// A 6×6 matrix, by rows.
type Mat6 = [[Real; 6]; 6];

/// `vel.cross_motion(v)`, summed in the order of the elements of `vel`. MuJoCo: `mjd_crossMotion_vel`.
fn cross_motion(vel: &Spatial, v: &Spatial) -> Spatial {
    let (s, v) = (&vel.0, &v.0);
    Spatial([
        s[1] * v[2] - s[2] * v[1],
        -s[0] * v[2] + s[2] * v[0],
        s[0] * v[1] - s[1] * v[0],
        s[1] * v[5] - s[2] * v[4] + s[4] * v[2] - s[5] * v[1],
        -s[0] * v[5] + s[2] * v[3] - s[3] * v[2] + s[5] * v[0],
        s[0] * v[4] - s[1] * v[3] + s[3] * v[1] - s[4] * v[0],
    ])
}

/// The matrix of `v ↦ v.cross_force(f)`. MuJoCo: `mjd_crossForce_vel`.
fn cross_force_by_velocity(f: &Spatial) -> Mat6 {
    let f = &f.0;
    [
        [0.0, f[2], -f[1], 0.0, f[5], -f[4]],
        [-f[2], 0.0, f[0], -f[5], 0.0, f[3]],
        [f[1], -f[0], 0.0, f[4], -f[3], 0.0],
        [0.0, f[5], -f[4], 0.0, 0.0, 0.0],
        [-f[5], 0.0, f[3], 0.0, 0.0, 0.0],
        [f[4], -f[3], 0.0, 0.0, 0.0, 0.0],
    ]
}

/// The matrix of `f ↦ vel.cross_force(f)`. MuJoCo: `mjd_crossForce_frc`.
fn cross_force_by_force(vel: &Spatial) -> Mat6 {
    let v = &vel.0;
    [
        [0.0, -v[2], v[1], 0.0, -v[5], v[4]],
        [v[2], 0.0, -v[0], v[5], 0.0, -v[3]],
        [-v[1], v[0], 0.0, -v[4], v[3], 0.0],
        [0.0, 0.0, 0.0, 0.0, -v[2], v[1]],
        [0.0, 0.0, 0.0, v[2], 0.0, -v[0]],
        [0.0, 0.0, 0.0, -v[1], v[0], 0.0],
    ]
}

/// The matrix of `v ↦ inertia.mul(v)`. MuJoCo: `mjd_mulInertVec_vel`.
fn inertia_matrix(inertia: &Inertia10) -> Mat6 {
    let i = &inertia.0;
    [
        [i[0], i[3], i[4], 0.0, -i[8], i[7]],
        [i[3], i[1], i[5], i[8], 0.0, -i[6]],
        [i[4], i[5], i[2], -i[7], i[6], 0.0],
        [0.0, i[8], -i[7], i[9], 0.0, 0.0],
        [-i[8], 0.0, i[6], 0.0, i[9], 0.0],
        [i[7], -i[6], 0.0, 0.0, 0.0, i[9]],
    ]
}

/// Sum of six products, from the first to the last.
#[inline]
fn in_order(product: impl Fn(usize) -> Real) -> Real {
    (1..6).fold(product(0), |sum, k| sum + product(k))
}

/// The matrix of `v ↦ v ×* I vel + vel ×* I v`: how the gyroscopic force of a body follows its velocity.
fn gyroscopic_matrix(inertia: &Inertia10, vel: &Spatial) -> Mat6 {
    let by_velocity = cross_force_by_velocity(&inertia.mul(vel));
    let (by_force, inertia) = (cross_force_by_force(vel), inertia_matrix(inertia));
    core::array::from_fn(|i| {
        core::array::from_fn(|j| by_velocity[i][j] + in_order(|k| by_force[i][k] * inertia[k][j]))
    })
}

/// A matrix times a vector.
#[inline]
fn apply(mat: &Mat6, v: &Spatial) -> Spatial {
    Spatial(core::array::from_fn(|i| in_order(|k| mat[i][k] * v.0[k])))
}

/// Columns of one row of the body-by-dof matrix.
#[inline]
fn body_row(m: &Model<impl Storage>, b: usize) -> core::ops::Range<usize> {
    let adr = m.B_rowadr[b] as usize;
    adr..adr + m.B_rownnz[b] as usize
}

/// Number of degrees of freedom before `i` on the way to the world.
#[inline]
fn ancestors(m: &Model<impl Storage>, i: usize) -> usize {
    let end = m.dof_Madr.get(i + 1).map_or(m.nM, |&adr| adr as usize);
    end - m.dof_Madr[i] as usize - 1
}

/// Copy the columns of all dofs above body `b` from its parent's row.
///
/// Rows are sorted, so that these columns come first in both.
fn copy_from_parent(m: &Model<impl Storage>, mat: &mut [Spatial], b: usize) {
    let parent = m.body_parent(b);
    let moving = m.body_weld(parent);
    // a parent that does not move has no columns
    if moving == 0 {
        return;
    }
    // the last degree of freedom that moves the parent, and all above it
    let last = (m.body_dofadr[moving] + m.body_dofnum[moving] - 1) as usize;
    let count = ancestors(m, last) + 1;
    let from = m.B_rowadr[parent] as usize;
    mat.copy_within(from..from + count, m.B_rowadr[b] as usize);
}

/// Add the row of body `b` to its parent's row, whose columns include those of `b`.
fn add_to_parent(m: &Model<impl Storage>, mat: &mut [Spatial], b: usize) {
    let parent = m.body_parent(b);
    if m.body_weldid[parent] == 0 {
        return;
    }
    let mut to = m.B_rowadr[parent] as usize;
    let end = to + m.B_rownnz[parent] as usize;
    for from in body_row(m, b) {
        // both rows are sorted: one pass
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
/// spatial products as the quantity itself. MuJoCo: `mjd_rne_vel`.
pub fn subtract_bias_derivative(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
) -> Result<(), StepError> {
    d.with_stack(BiasMemory::words(m.nB, m.nD), |d, mut stack| {
        differentiate(m, d, BiasMemory::take(&mut stack, m.nB, m.nD)?);
        Ok(())
    })?
}

frame! {
    /// Derivatives by velocity, one column for each degree of freedom that moves the body.
    pub(crate) struct BiasMemory(entries, dof_entries) {
        /// Of `cvel`.
        dvel: slice Spatial = entries,
        /// Of `cacc`.
        dacc: slice Spatial = entries,
        /// Of the body forces.
        dfrc: slice Spatial = entries,
        /// Of `cdof_dot`.
        ddot: slice Spatial = dof_entries,
    }
}

fn differentiate(m: &Model<impl Storage>, d: &mut World<'_>, memory: BiasMemory<'_>) {
    let BiasMemory { dvel, dacc, dfrc, ddot } = memory;
    let bodies = Bodies::awake(m, d);
    for run in awake_dofs(m, d.head, d.dof_awake_ind) {
        ddot[rows_of(&run, &m.D_rowadr, &m.D_rownnz)].fill(Spatial::ZERO);
    }

    // outwards: velocities and accelerations, then the force of each body
    for k in 1..bodies.count {
        let b = bodies.get(d.body_awake_ind, k);
        let row = body_row(m, b);
        dvel[row.clone()].fill(Spatial::ZERO);
        dacc[row.clone()].fill(Spatial::ZERO);
        // ∂cvel = ∂cvel_parent + cdof, in the column of each degree of freedom of the body
        copy_from_parent(m, dvel, b);
        copy_from_parent(m, dacc, b);
        for j in m.body_joints(b) {
            let kind = m.joint_kind(j);
            let first = m.joint_dof(j);
            // a ball turns by all three at once: `cdof_dot` of each uses the velocity before the joint
            let groups: &[(usize, usize)] = match kind {
                JointType::Free => &[(0, 3), (3, 6)],
                JointType::Ball => &[(0, 3)],
                JointType::Slide | JointType::Hinge => &[(0, 1)],
            };
            for &(from, to) in groups {
                let (from, to) = (first + from, first + to);
                // ∂cdof_dot = ∂cvel × cdof, zero for the translations of a free joint
                if !(kind == JointType::Free && from == first) {
                    for i in from..to {
                        let adr = m.D_rowadr[i] as usize;
                        for k in 0..ancestors(m, i) {
                            ddot[adr + k] = cross_motion(&dvel[row.start + k], &d.cdof[i]);
                        }
                    }
                }
                for i in from..to {
                    dvel[row.start + ancestors(m, i)] += d.cdof[i];
                }
            }
        }

        // ∂cacc = ∂cacc_parent + cdof_dot + ∂cdof_dot q̇
        let first = m.body_dofadr[b].max(0) as usize;
        for i in first..first + m.body_dofnum[b] as usize {
            dacc[row.start + ancestors(m, i)] += d.cdof_dot[i];
            let adr = m.D_rowadr[i] as usize;
            for k in 0..row.len() {
                dacc[row.start + k].add_scaled(&ddot[adr + k], d.qvel[i]);
            }
        }

        // ∂(cinert cacc + cvel ×* cinert cvel)
        let inertia = &d.cinert[b];
        let gyroscopic = gyroscopic_matrix(inertia, &d.cvel[b]);
        for k in row {
            dfrc[k] = inertia.mul(&dacc[k]) + apply(&gyroscopic, &dvel[k]);
        }
    }

    // inwards: a body carries what its children do
    for k in (1..bodies.count).rev() {
        add_to_parent(m, dfrc, bodies.get(d.body_awake_ind, k));
    }
    // onto the axes of the degrees of freedom
    for i in awake_dofs(m, d.head, d.dof_awake_ind).flatten() {
        let adr = m.D_rowadr[i] as usize;
        for (k, column) in body_row(m, m.dof_body(i)).enumerate() {
            d.qDeriv[adr + k] -= dfrc[column].dot(&d.cdof[i]);
        }
    }
}
