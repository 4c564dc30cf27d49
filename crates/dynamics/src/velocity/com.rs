//! Velocities of bodies.
use ferrodyn_math::Spatial;
use ferrodyn_model::{JointType, Model, Storage};

use crate::World;
use crate::data::Lane;
use crate::position::chain::mul_dofs;
use crate::sleep::Bodies;

/// Compute `cvel` and `cdof_dot`.
///
/// `cvel = cvel_parent + Σ cdof q̇`, and `cdof_dot = cvel × cdof` with the velocity before the joint. MuJoCo: `mj_comVel`.
pub fn com_vel<T: Lane>(m: &Model<impl Storage>, d: &mut World<'_, T>) {
    d.cvel[0] = Spatial::of(Spatial::ZERO);
    let bodies = Bodies::awake(m, d);
    for k in 1..bodies.count {
        let b = bodies.get(d.body_awake_ind, k);
        let mut cvel = d.cvel[m.body_parent(b)];
        for j in m.body_joints(b) {
            let dof = m.joint_dof(j);
            match m.joint_kind(j) {
                JointType::Free => {
                    // translations are along the fixed axes of the world
                    d.cdof_dot[dof..dof + 3].fill(Spatial::of(Spatial::ZERO));
                    cvel += mul_dofs(&d.cdof[dof..dof + 3], &d.qvel[dof..dof + 3]);
                    ball_velocity(d, dof + 3, &mut cvel);
                }
                JointType::Ball => ball_velocity(d, dof, &mut cvel),
                JointType::Slide | JointType::Hinge => {
                    d.cdof_dot[dof] = cvel.cross_motion(&d.cdof[dof]);
                    cvel.add_scaled(&d.cdof[dof], d.qvel[dof]);
                }
            }
        }
        d.cvel[b] = cvel;
    }
}

/// Add the three rotations of a ball joint.
///
/// Their axes turn with the body, hence with its velocity *after* the joint; `cdof_dot` is made with that before it, as in
/// `mj_comVel`. In `Σ cdof_dot q̇`, which is all that is used of it, both give the same: they differ by `w × w = 0` with
/// `w = Σ cdof q̇`. For a single axis see [`dof_rate`](crate::position::chain::dof_rate).
#[inline]
fn ball_velocity<T: Lane>(d: &mut World<'_, T>, dof: usize, cvel: &mut Spatial<T>) {
    for k in dof..dof + 3 {
        d.cdof_dot[k] = cvel.cross_motion(&d.cdof[k]);
    }
    *cvel += mul_dofs(&d.cdof[dof..dof + 3], &d.qvel[dof..dof + 3]);
}
