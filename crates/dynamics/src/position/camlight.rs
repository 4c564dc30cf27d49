//! Poses of cameras and lights.
use ferrodyn_math::{Mat3, Vec3};
use ferrodyn_model::{Model, Storage, TrackingMode};

use crate::World;
use crate::data::Lane;
use crate::position::kinematics::local_to_global;
use crate::sleep::{AWAKE, some_asleep};

/// Compute the poses of all cameras and lights. MuJoCo: `mj_camlight`.
pub fn camlight<T: Lane>(m: &Model<impl Storage>, d: &mut World<'_, T>) {
    let filtered = some_asleep(m, d.head);
    // what neither moves nor looks at something that moves stays where it is
    let rests = |d: &World<'_, T>, body: i32, target: i32| {
        let awake = |b: i32| b >= 0 && d.body_awake[b as usize] == AWAKE;
        filtered && !awake(body) && !awake(target)
    };
    for c in 0..m.ncam {
        if !rests(d, m.cam_bodyid[c], m.cam_targetbodyid[c]) {
            camera(m, d, c);
        }
    }
    for l in 0..m.nlight {
        if !rests(d, m.light_bodyid[l], m.light_targetbodyid[l]) {
            light(m, d, l);
        }
    }
}

/// Pose of one camera.
fn camera<T: Lane>(m: &Model<impl Storage>, d: &mut World<'_, T>, c: usize) {
    let b = m.camera_body(c);
    let mode = TrackingMode::try_from(m.cam_mode[c]).unwrap_or(TrackingMode::Fixed);
    let (mut pos, mut mat) = local_to_global(d, b, m.cam_pos[c], m.cam_quat[c], 0);
    match mode {
        TrackingMode::Track => {
            mat = Mat3::of(m.cam_mat0[c]);
            pos = d.xpos[b] + Vec3::of(m.cam_pos0[c]);
        }
        TrackingMode::TrackCom => {
            mat = Mat3::of(m.cam_mat0[c]);
            pos = d.subtree_com[b] + Vec3::of(m.cam_poscom0[c]);
        }
        TrackingMode::TargetBody | TrackingMode::TargetBodyCom => {
            if let Some(target) = target(d, m.cam_targetbodyid[c], mode) {
                mat = look_at(pos - target);
            }
        }
        TrackingMode::Fixed => {}
    }
    d.cam_xpos[c] = pos;
    d.cam_xmat[c] = mat;
}

/// Pose of one light.
fn light<T: Lane>(m: &Model<impl Storage>, d: &mut World<'_, T>, l: usize) {
    let b = m.light_body(l);
    let mode = TrackingMode::try_from(m.light_mode[l]).unwrap_or(TrackingMode::Fixed);
    let mut pos = &d.xmat[b] * Vec3::of(m.light_pos[l]) + d.xpos[b];
    let mut dir = d.xquat[b].rotate(Vec3::of(m.light_dir[l]));
    match mode {
        TrackingMode::Track => {
            dir = Vec3::of(m.light_dir0[l]);
            pos = d.xpos[b] + Vec3::of(m.light_pos0[l]);
        }
        TrackingMode::TrackCom => {
            dir = Vec3::of(m.light_dir0[l]);
            pos = d.subtree_com[b] + Vec3::of(m.light_poscom0[l]);
        }
        TrackingMode::TargetBody | TrackingMode::TargetBodyCom => {
            if let Some(target) = target(d, m.light_targetbodyid[l], mode) {
                dir = target - pos;
            }
        }
        TrackingMode::Fixed => {}
    }
    d.light_xpos[l] = pos;
    d.light_xdir[l] = dir.normalize().0;
}

/// The point that a targeting camera or light looks at, if it has a target.
fn target<T: Lane>(d: &World<'_, T>, body: i32, mode: TrackingMode) -> Option<Vec3<T>> {
    let b = usize::try_from(body).ok()?;
    Some(if mode == TrackingMode::TargetBody { d.xpos[b] } else { d.subtree_com[b] })
}

/// The frame whose z axis points along `back` and whose x axis is horizontal.
fn look_at<T: Lane>(back: Vec3<T>) -> Mat3<T> {
    let z = back.normalize().0;
    let x = Vec3::of(Vec3::Z).cross(z).normalize().0;
    let y = z.cross(x).normalize().0;
    Mat3::from_columns(x, y, z)
}
