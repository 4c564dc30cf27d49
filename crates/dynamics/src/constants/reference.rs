//! What follows from the poses at `qpos0` and `qpos_spring`.
use ferrodyn_math::{MIN_VAL, Quat, Real, Vec3, sqrt};
use ferrodyn_model::Model;

use crate::World;
use crate::constraint::kind::{Ends, Tie};
use crate::position::{com_pos, kinematics, tendon, transmission};

/// Completes the numbers of equality constraints that refer to poses: the anchor of a connection in
/// the frame of its second body, and the relative pose of a weld that states none.
pub(super) fn set_equality_poses(m: &mut Model, d: &World<'_>) {
    for i in 0..m.neq {
        let tie = Tie::of(m, i);
        let data = &mut m.eq_data[i];
        let anchor = Vec3::from_slice(&data[..3]);
        match tie {
            Some(Tie::Points(Ends { bodies: [b1, b2], sites: None })) => {
                let global = d.xpos[b1] + &d.xmat[b1] * anchor;
                let local = d.xmat[b2].mul_transposed(global - d.xpos[b2]);
                data[3..6].copy_from_slice(&local.0);
            }
            Some(Tie::Points(_)) => data.fill(0.0),
            Some(Tie::Frames(Ends { bodies: [b1, b2], sites: None })) => {
                if data[6..10].iter().any(|x| *x != 0.0) {
                    let quat = Quat::from_slice(&data[6..]).normalize().0;
                    data[6..10].copy_from_slice(&quat.0);
                    continue;
                }
                let global = d.xpos[b2] + &d.xmat[b2] * anchor;
                let local = d.xmat[b1].mul_transposed(global - d.xpos[b1]);
                data[3..6].copy_from_slice(&local.0);
                let quat = d.xquat[b1].conjugate() * d.xquat[b2];
                data[6..10].copy_from_slice(&quat.0);
            }
            _ => {}
        }
    }
}

/// Turns the damping ratio of a servo into a damping, `2 ζ sqrt(kp mass)`, where the mass is what
/// the actuator feels through its transmission.
pub(super) fn set_servo_damping(m: &mut Model, d: &World<'_>) {
    for i in 0..m.nu {
        let (kp, ratio) = (m.actuator_gainprm[i][0], m.actuator_biasprm[i][2]);
        if kp != -m.actuator_biasprm[i][1] || ratio <= 0.0 {
            continue;
        }
        let start = d.moment_rowadr[i] as usize;
        let mut mass: Real = 0.0;
        for adr in start..start + d.moment_rownnz[i] as usize {
            let moment = d.actuator_moment[adr].abs();
            let square = moment * moment;
            if square > MIN_VAL {
                mass += m.dof_M0[d.moment_colind[adr] as usize] / square;
            }
        }
        m.actuator_biasprm[i][2] = -(ratio * 2.0 * sqrt(kp * mass));
    }
}

/// Springs of tendons that state no rest length are relaxed at `qpos_spring`.
pub(super) fn set_spring_lengths(m: &mut Model, d: &mut World<'_>) {
    d.qpos.copy_from_slice(&m.qpos_spring);
    kinematics(m, d);
    com_pos(m, d);
    tendon(m, d);
    transmission(m, d);
    for t in 0..m.ntendon {
        if m.tendon_lengthspring[t] == [-1.0, -1.0] {
            m.tendon_lengthspring[t] = [d.ten_length[t]; 2];
        }
    }
}
