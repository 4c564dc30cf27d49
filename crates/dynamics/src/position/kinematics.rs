//! Forward kinematics: poses of bodies, joints, geoms and sites.
//!
//! A body begins at its resting pose in its parent; its joints then move it one after the other, each in the frame that the
//! ones before have left. The anchor and the axis of a joint are noted at that moment (`xanchor`, `xaxis`), since later
//! stages need the axis about which the joint really turned. Bodies come after their parents in every model, so that one
//! pass is enough.
use ferrodyn_math::{Mat3, Quat, Vec3};
use ferrodyn_model::{EnableBit, JointType, Model, SameFrame, Storage};

use crate::World;
use crate::data::Lane;
use crate::sleep::{ASLEEP, AWAKE, Bodies, STATIC, wake_changed};

/// Compute all poses from `qpos` and the mocap poses; wake trees that were moved from outside. MuJoCo: `mj_kinematics`;
/// what follows on the poses of bodies is its `mj_kinematics2`.
pub fn kinematics<T: Lane>(m: &Model<impl Storage>, d: &mut World<'_, T>) {
    kinematics_without_geoms(m, d);
    geom_poses(m, d);
}

/// [`kinematics`] but for the poses of geoms, for who looks at none.
pub(crate) fn kinematics_without_geoms<T: Lane>(m: &Model<impl Storage>, d: &mut World<'_, T>) {
    body_poses(m, d);
    if let Some(d) = d.alone() {
        wake_changed(m, d);
    }
    // static bodies are on the list, since sums run through them, and get their inertial frames again; their geoms and sites
    // were placed at reset and stay
    let bodies = Bodies::awake(m, d);
    // principal frames of inertia
    for k in 1..bodies.count {
        let b = bodies.get(d.body_awake_ind, k);
        let frame = local_to_global(d, b, m.body_ipos[b], m.body_iquat[b], m.body_sameframe[b]);
        (d.xipos[b], d.ximat[b]) = frame;
    }
    // sites, which are fixed in their bodies
    for s in 0..m.nsite {
        let b = m.site_body(s);
        if !moves(d, &bodies, b) {
            continue;
        }
        let frame = local_to_global(d, b, m.site_pos[s], m.site_quat[s], m.site_sameframe[s]);
        (d.site_xpos[s], d.site_xmat[s]) = frame;
    }
}

/// Geoms, which are fixed in their bodies as well.
fn geom_poses<T: Lane>(m: &Model<impl Storage>, d: &mut World<'_, T>) {
    let bodies = Bodies::awake(m, d);
    for k in 0..bodies.count {
        let b = bodies.get(d.body_awake_ind, k);
        if !moves(d, &bodies, b) {
            continue;
        }
        for g in m.body_geoms(b) {
            let frame = local_to_global(d, b, m.geom_pos[g], m.geom_quat[g], m.geom_sameframe[g]);
            (d.geom_xpos[g], d.geom_xmat[g]) = frame;
        }
    }
}

/// Do the geoms and sites of a body follow it? Not where it sleeps or never moves.
#[inline]
fn moves<T: Lane>(d: &World<'_, T>, bodies: &Bodies, b: usize) -> bool {
    !bodies.listed() || d.body_awake[b] == AWAKE
}

/// Poses of all bodies, anchors and axes of all joints. MuJoCo: `mj_kinematics1`.
fn body_poses<T: Lane>(m: &Model<impl Storage>, d: &mut World<'_, T>) {
    // the world stays where it is
    d.xpos[0] = Vec3::of(Vec3::ZERO);
    d.xquat[0] = Quat::of(Quat::IDENTITY);
    d.xmat[0] = Mat3::of(Mat3::IDENTITY);
    d.xipos[0] = Vec3::of(Vec3::ZERO);
    d.ximat[0] = Mat3::of(Mat3::IDENTITY);

    let sleep = m.opt.enabled(EnableBit::Sleep);
    for b in 1..m.nbody {
        if sleep && d.body_awake[b] == STATIC {
            continue;
        }
        let joints = m.body_joints(b);
        let first = joints.start;
        let (xpos, xquat) = if joints.len() == 1 && m.joint_kind(first) == JointType::Free {
            // a free body ignores its parent
            let q = &d.qpos[m.joint_qpos(first)..];
            let pos = Vec3::from_slice(q);
            d.xanchor[first] = pos;
            d.xaxis[first] = Vec3::of(m.jnt_axis[first]);
            (pos, Quat::from_slice(&q[3..]).normalize().0)
        } else {
            let (mut xpos, mut xquat) = resting_pose(m, d, b);
            for j in joints {
                apply_joint(m, d, j, &mut xpos, &mut xquat);
            }
            (xpos, xquat)
        };
        // products of unit quaternions drift away from length one
        let xquat = xquat.normalize().0;
        if sleep && m.body_jntnum[b] > 0 && d.body_awake[b] == ASLEEP {
            if d.xpos[b] == xpos && d.xquat[b] == xquat {
                continue;
            }
            // moved while asleep: a mark, which `wake_changed` reads before it makes the lists anew
            d.tree_awake[m.body_treeid[b] as usize] = 1;
        }
        d.xquat[b] = xquat;
        d.xpos[b] = xpos;
        d.xmat[b] = xquat.to_mat();
    }
}

/// Pose of body `b` before its joints move it: fixed in its parent, or given by mocap.
#[inline]
fn resting_pose<T: Lane>(
    m: &Model<impl Storage>,
    d: &World<'_, T>,
    b: usize,
) -> (Vec3<T>, Quat<T>) {
    let mocap = m.body_mocapid[b];
    let (pos, quat) = if mocap >= 0 {
        (d.mocap_pos[mocap as usize], d.mocap_quat[mocap as usize].normalize().0)
    } else {
        (Vec3::of(m.body_pos[b]), Quat::of(m.body_quat[b]))
    };
    match m.body_parent(b) {
        0 => (pos, quat),
        parent => (&d.xmat[parent] * pos + d.xpos[parent], d.xquat[parent] * quat),
    }
}

/// Move a pose by joint `j`; record the joint's anchor and axis.
#[inline]
fn apply_joint<T: Lane>(
    m: &Model<impl Storage>,
    d: &mut World<'_, T>,
    j: usize,
    xpos: &mut Vec3<T>,
    xquat: &mut Quat<T>,
) {
    let adr = m.joint_qpos(j);
    // before the joint moves anything
    let (jnt_axis, jnt_pos) = (Vec3::of(m.jnt_axis[j]), Vec3::of(m.jnt_pos[j]));
    let axis = xquat.rotate(jnt_axis);
    let anchor = xquat.rotate(jnt_pos) + *xpos;
    let turn = match m.joint_kind(j) {
        JointType::Slide => {
            *xpos = xpos.add_scaled(axis, displacement(m, d, adr));
            None
        }
        JointType::Hinge => Some(Quat::from_axis_angle(jnt_axis, displacement(m, d, adr))),
        // a free joint does not come here: it is the only one of its body
        JointType::Ball | JointType::Free => Some(Quat::from_slice(&d.qpos[adr..]).normalize().0),
    };
    if let Some(turn) = turn {
        *xquat = *xquat * turn;
        // the anchor stays where it is
        *xpos = anchor - xquat.rotate(jnt_pos);
    }
    d.xanchor[j] = anchor;
    d.xaxis[j] = axis;
}

/// Distance of a scalar joint from its reference.
#[inline]
fn displacement<T: Lane>(m: &Model<impl Storage>, d: &World<'_, T>, adr: usize) -> T {
    d.qpos[adr] - T::of(m.qpos0[adr])
}

/// Global pose of a frame attached to body `b`; `sameframe` says what can be copied. MuJoCo: `mj_local2Global`.
///
/// Always inlined: what it returns would else go through memory, twice, for every geom and site of every step.
#[inline(always)]
pub(crate) fn local_to_global<T: Lane>(
    d: &World<'_, T>,
    b: usize,
    pos: Vec3,
    quat: Quat,
    sameframe: u8,
) -> (Vec3<T>, Mat3<T>) {
    const BODY: u8 = SameFrame::Body as u8;
    const INERTIA: u8 = SameFrame::Inertia as u8;
    const BODY_ROT: u8 = SameFrame::BodyRot as u8;
    const INERTIA_ROT: u8 = SameFrame::InertiaRot as u8;
    let xpos = match sameframe {
        BODY => d.xpos[b],
        INERTIA => d.xipos[b],
        _ => &d.xmat[b] * Vec3::of(pos) + d.xpos[b],
    };
    let xmat = match sameframe {
        BODY | BODY_ROT => d.xmat[b],
        INERTIA | INERTIA_ROT => d.ximat[b],
        _ => (d.xquat[b] * Quat::of(quat)).to_mat(),
    };
    (xpos, xmat)
}
