//! Constants of a model that are derived from its other parameters.
mod bounds;
mod flex;
mod length_range;
mod material;
mod reference;
mod statistic;
mod structure;

use alloc::vec;

use ferrodyn_math::sparse::solve_ldl;
use ferrodyn_math::{MIN_VAL, Real, dot, norm};
use ferrodyn_model::{EnableBit, JointType, Model, TrackingMode};

use crate::position::inertia::{pattern, subtree_inertias};
use crate::position::tendon::tendon_row;
use crate::position::{camlight, com_pos, factor_m, kinematics, make_m, tendon, transmission};
use crate::query::jac_body_com;
use crate::{OwnedWorld, World};
pub use bounds::set_bounds;
pub use length_range::{LengthRangeError, LengthRangeMode, LengthRangeOptions, set_length_range};

/// Derive everything that depends on other parameters: tree structure, subtree masses, inverse
/// weights, camera and light offsets, statistics.
///
/// Call it again after editing masses, poses or `qpos0` of a compiled model. MuJoCo: `mj_setConst`.
pub fn set_const(m: &mut Model) {
    structure::set_fixed(m);
    flex::set_patterns(m);
    flex::align(m);
    material::set_sizes(m);
    // nothing sleeps here
    let flags = m.opt.enableflags;
    m.opt.enableflags &= !(EnableBit::Sleep as i32);
    let mut data = OwnedWorld::new(m);
    {
        let d = &mut data.view_mut();
        reference_poses(m, d);
        set_dof_m0(m, d);
        tendon(m, d);
        make_m(m, d);
        factor_m(m, d);
        transmission(m, d);
        m.tendon_length0.copy_from_slice(d.ten_length);
        m.actuator_length0.copy_from_slice(d.actuator_length);
        set_body_invweight(m, d);
        set_dof_invweight(m, d);
        flex::set_edges(m, d);
        material::set_rest(m, d);
        set_tendon_invweight(m, d);
        set_actuator_acc0(m, d);
        reference::set_equality_poses(m, d);
        set_camera_light(m, d);
        reference::set_servo_damping(m, d);
        statistic::set_statistic(m, d);
        reference::set_spring_lengths(m, d);
    }
    m.opt.enableflags = flags;
}

/// Derive only what the laws of flexes beyond MuJoCo's need: after `flex_bending_model`, `flex_elasticity_model` or their parameters were
/// changed. The number of hinges and elements may be another one then, and worlds that were made before do not fit any more.
pub fn set_materials(m: &mut Model) {
    material::set_sizes(m);
    let mut data = OwnedWorld::new(m);
    let d = &mut data.view_mut();
    reference_poses(m, d);
    material::set_rest(m, d);
}

/// Poses at `qpos0`, with every camera and light fixed to its body.
fn reference_poses(m: &mut Model, d: &mut World<'_>) {
    let cameras = core::mem::replace(&mut m.cam_mode, fixed_modes(m.sizes.ncam));
    let lights = core::mem::replace(&mut m.light_mode, fixed_modes(m.sizes.nlight));
    d.qpos.copy_from_slice(&m.qpos0);
    kinematics(m, d);
    com_pos(m, d);
    camlight(m, d);
    m.cam_mode = cameras;
    m.light_mode = lights;
}

fn fixed_modes(n: usize) -> alloc::boxed::Box<[i32]> {
    vec![TrackingMode::Fixed as i32; n].into()
}

/// Diagonal of the inertia matrix, armature included.
fn set_dof_m0(m: &mut Model, d: &mut World<'_>) {
    subtree_inertias(m, d);
    for i in 0..m.nv {
        let momentum = d.crb[m.dof_body(i)].mul(&d.cdof[i]);
        m.dof_M0[i] = m.dof_armature[i] + d.cdof[i].dot(&momentum);
    }
}

/// `jᵀ M⁻¹ j` for one row of a Jacobian.
fn inverse_weight(m: &Model, d: &World<'_>, row: &[Real], work: &mut [Real]) -> Real {
    work.copy_from_slice(row);
    solve_ldl(work, d.qLD, d.qLDiagInv, &pattern(m), &m.dof_simplenum);
    dot(row, work)
}

/// Mean inverse inertia of each body, for translation and rotation of its centre of mass.
fn set_body_invweight(m: &mut Model, d: &World<'_>) {
    let nv = m.nv;
    let mut jac = vec![0.0; 6 * nv];
    let mut work = vec![0.0; nv];
    m.body_invweight0[0] = [0.0; 2];
    for b in 1..m.nbody {
        m.body_invweight0[b] = if m.body_weldid[b] == 0 {
            [0.0; 2]
        } else if m.body_simple[b] == 2 {
            [1.0 / m.body_mass[b].max(MIN_VAL), 0.0]
        } else {
            let (jacp, jacr) = jac.split_at_mut(3 * nv);
            jac_body_com(m, d, Some(jacp), Some(jacr), b);
            let mut a = [0.0; 6];
            for (k, a) in a.iter_mut().enumerate() {
                *a = inverse_weight(m, d, &jac[k * nv..(k + 1) * nv], &mut work);
            }
            let translation = (a[0] + a[1] + a[2]) / 3.0;
            let rotation = (a[3] + a[4] + a[5]) / 3.0;
            // where one is zero the other stands in for it
            if translation < MIN_VAL && rotation > MIN_VAL {
                [rotation, rotation]
            } else if rotation < MIN_VAL && translation > MIN_VAL {
                [translation, translation]
            } else {
                [translation, rotation]
            }
        };
    }
}

/// Inverse inertia of each degree of freedom, averaged over the axes of ball and free joints.
fn set_dof_invweight(m: &mut Model, d: &World<'_>) {
    let nv = m.nv;
    let mut row = vec![0.0; nv];
    let mut work = vec![0.0; nv];
    for j in 0..m.njnt {
        let first = m.joint_dof(j);
        let b = m.joint_body(j);
        if m.body_simple[b] == 2 {
            m.dof_invweight0[first] = 1.0 / m.body_mass[b].max(MIN_VAL);
            continue;
        }
        // averaged over the three axes of a ball joint, and apart for both halves of a free joint
        let (count, group) = match m.joint_kind(j) {
            JointType::Free => (6, 3),
            JointType::Ball => (3, 3),
            JointType::Slide | JointType::Hinge => (1, 1),
        };
        for start in (first..first + count).step_by(group) {
            let mut sum = 0.0;
            for i in start..start + group {
                row.fill(0.0);
                row[i] = 1.0;
                sum += inverse_weight(m, d, &row, &mut work);
            }
            m.dof_invweight0[start..start + group].fill(sum / group as Real);
        }
    }
}

/// Inverse inertia of each tendon.
fn set_tendon_invweight(m: &mut Model, d: &World<'_>) {
    let mut row = vec![0.0; m.nv];
    let mut work = vec![0.0; m.nv];
    for t in 0..m.ntendon {
        row.fill(0.0);
        for (dof, value) in tendon_row(m, d, t) {
            row[dof] = value;
        }
        m.tendon_invweight0[t] = inverse_weight(m, d, &row, &mut work);
    }
}

/// Magnitude of the acceleration that a unit force of each actuator causes.
fn set_actuator_acc0(m: &mut Model, d: &World<'_>) {
    let mut row = vec![0.0; m.nv];
    for i in 0..m.nu {
        row.fill(0.0);
        let start = d.moment_rowadr[i] as usize;
        for adr in start..start + d.moment_rownnz[i] as usize {
            row[d.moment_colind[adr] as usize] = d.actuator_moment[adr];
        }
        solve_ldl(&mut row, d.qLD, d.qLDiagInv, &pattern(m), &m.dof_simplenum);
        m.actuator_acc0[i] = norm(&row);
    }
}

/// Offsets and orientations that tracking cameras and lights keep.
fn set_camera_light(m: &mut Model, d: &World<'_>) {
    let com_body = |body: i32, target: i32| if target >= 0 { target } else { body } as usize;
    for c in 0..m.ncam {
        let com = com_body(m.cam_bodyid[c], m.cam_targetbodyid[c]);
        m.cam_pos0[c] = d.cam_xpos[c] - d.xpos[m.camera_body(c)];
        m.cam_poscom0[c] = d.cam_xpos[c] - d.subtree_com[com];
        m.cam_mat0[c] = d.cam_xmat[c];
    }
    for l in 0..m.nlight {
        let com = com_body(m.light_bodyid[l], m.light_targetbodyid[l]);
        m.light_pos0[l] = d.light_xpos[l] - d.xpos[m.light_body(l)];
        m.light_poscom0[l] = d.light_xpos[l] - d.subtree_com[com];
        m.light_dir0[l] = d.light_xdir[l];
    }
}
