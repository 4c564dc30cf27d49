//! Constants of a model that are derived from its other parameters.
use alloc::{vec, vec::Vec};

use ferrodyn_math::sparse::solve_ldl;
use ferrodyn_math::{MIN_VAL, Real, Vec3};
use ferrodyn_model::{GeomType, JointType, Model, SleepPolicy, TrackingMode};

use crate::inertia::{pattern, subtree_inertias};
use crate::kinematics::joint_type;
use crate::{Data, World, camlight, com_pos, factor_m, jac_body_com, kinematics, make_m};

/// Derive everything that depends on other parameters: tree structure, subtree masses, inverse
/// weights, camera and light offsets, statistics.
///
/// Call it again after editing masses, poses or `qpos0` of a compiled model.
pub fn set_const(m: &mut Model) {
    set_fixed(m);
    let mut data = Data::new(m);
    {
        let d = &mut data.view_mut();
        reference_poses(m, d);
        set_dof_m0(m, d);
        make_m(m, d);
        factor_m(m, d);
        set_body_invweight(m, d);
        set_dof_invweight(m, d);
        set_camera_light(m, d);
        set_statistic(m, d);
    }
}

/// What does not depend on the configuration.
fn set_fixed(m: &mut Model) {
    m.body_subtreemass.copy_from_slice(&m.body_mass);
    for b in (1..m.nbody).rev() {
        let mass = m.body_subtreemass[b];
        m.body_subtreemass[m.body_parentid[b] as usize] += mass;
    }
    m.sizes.ngravcomp = m.body_gravcomp.iter().filter(|&&g| g > 0.0).count();

    for b in 0..m.nbody {
        let weld = m.body_weldid[b] as usize;
        m.body_treeid[b] = match m.body_dofnum[weld] {
            0 => -1,
            _ => m.dof_treeid[m.body_dofadr[weld] as usize],
        };
    }
    let body_trees: Vec<i32> = m.body_treeid.to_vec();
    runs(&body_trees, &mut m.tree_bodyadr, &mut m.tree_bodynum);
    let dof_trees: Vec<i32> = m.dof_treeid.to_vec();
    runs(&dof_trees, &mut m.tree_dofadr, &mut m.tree_dofnum);

    // without tendons, actuators or flexes every tree is free to sleep
    for policy in &mut m.tree_sleep_policy {
        if *policy == SleepPolicy::Auto as i32 {
            *policy = SleepPolicy::AutoAllowed as i32;
        }
    }
}

/// First index and number of the members of each tree, trees being numbered in order of appearance.
fn runs(trees: &[i32], adr: &mut [i32], num: &mut [i32]) {
    num.fill(0);
    let mut current = -1;
    for (i, &tree) in trees.iter().enumerate() {
        if tree < 0 {
            continue;
        }
        if tree > current {
            current += 1;
            adr[current as usize] = i as i32;
        }
        num[current as usize] += 1;
    }
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
        let momentum = d.crb[m.dof_bodyid[i] as usize].mul(&d.cdof[i]);
        m.dof_M0[i] = m.dof_armature[i] + d.cdof[i].dot(&momentum);
    }
}

/// `jᵀ M⁻¹ j` for one row of a Jacobian.
fn inverse_weight(m: &Model, d: &World<'_>, row: &[Real], work: &mut [Real]) -> Real {
    work.copy_from_slice(row);
    solve_ldl(work, d.qLD, d.qLDiagInv, &pattern(m), &m.dof_simplenum);
    row.iter().zip(&*work).map(|(a, b)| a * b).sum()
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
        let first = m.jnt_dofadr[j] as usize;
        let b = m.jnt_bodyid[j] as usize;
        if m.body_simple[b] == 2 {
            m.dof_invweight0[first] = 1.0 / m.body_mass[b].max(MIN_VAL);
            continue;
        }
        // averaged over the three axes of a ball joint, and apart for both halves of a free joint
        let (count, group) = match joint_type(m, j) {
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

/// Offsets and orientations that tracking cameras and lights keep.
fn set_camera_light(m: &mut Model, d: &World<'_>) {
    let com_body = |body: i32, target: i32| if target >= 0 { target } else { body } as usize;
    for c in 0..m.ncam {
        let com = com_body(m.cam_bodyid[c], m.cam_targetbodyid[c]);
        m.cam_pos0[c] = d.cam_xpos[c] - d.xpos[m.cam_bodyid[c] as usize];
        m.cam_poscom0[c] = d.cam_xpos[c] - d.subtree_com[com];
        m.cam_mat0[c] = d.cam_xmat[c];
    }
    for l in 0..m.nlight {
        let com = com_body(m.light_bodyid[l], m.light_targetbodyid[l]);
        m.light_pos0[l] = d.light_xpos[l] - d.xpos[m.light_bodyid[l] as usize];
        m.light_poscom0[l] = d.light_xpos[l] - d.subtree_com[com];
        m.light_dir0[l] = d.light_xdir[l];
    }
}

/// An axis-aligned box that grows to hold spheres.
struct Bounds {
    min: [Real; 3],
    max: [Real; 3],
}

impl Bounds {
    fn add(&mut self, center: Vec3, radius: Real) {
        for k in 0..3 {
            self.min[k] = self.min[k].min(center[k] - radius);
            self.max[k] = self.max[k].max(center[k] + radius);
        }
    }
}

/// Radius that a geom adds to the extent of the model.
fn visual_radius(m: &Model, g: usize) -> Real {
    let size = m.geom_size[g];
    if m.geom_rbound[g] > 0.0 {
        m.geom_rbound[g]
    } else if m.geom_type[g] == GeomType::Plane as i32 {
        // infinite planes count as one metre
        if size[0] != 0.0 || size[1] != 0.0 { size[0].max(size[1]) * 0.1 } else { 1.0 }
    } else if m.geom_type[g] == GeomType::Hfield as i32 {
        let s = m.hfield_size[m.geom_dataid[g] as usize];
        s[0].max(s[1].max(s[2].max(s[3]))) * 0.1
    } else {
        0.0
    }
}

/// Extent, centre, mean size, mass and inertia; also `dof_length`.
fn set_statistic(m: &mut Model, d: &World<'_>) {
    let mut bounds = Bounds { min: [1e10; 3], max: [-1e10; 3] };
    for b in 1..m.nbody {
        bounds.add(d.xpos[b], 0.0);
        bounds.add(d.xipos[b], 0.0);
    }
    for j in 0..m.njnt {
        bounds.add(d.xanchor[j], 0.0);
    }
    for s in 0..m.nsite {
        bounds.add(d.site_xpos[s], 0.0);
    }
    for g in 0..m.ngeom {
        bounds.add(d.geom_xpos[g], visual_radius(m, g));
    }
    let (min, max) = (Vec3(bounds.min), Vec3(bounds.max));
    m.stat.center = (min + max) * 0.5;
    if max[0] > min[0] {
        let size = max - min;
        m.stat.extent = size[0].max(size[1].max(size[2])).max(1e-5);
    }

    // size of a body: distance from its centre of mass to joints, and to the far side of geoms
    let mut body_size = vec![0.0 as Real; m.nbody];
    for j in 0..m.njnt {
        let b = m.jnt_bodyid[j] as usize;
        for b in [b, m.body_parentid[b] as usize] {
            body_size[b] = body_size[b].max((d.xipos[b] - d.xanchor[j]).norm());
        }
    }
    body_size[0] = 0.0;
    for g in 0..m.ngeom {
        let b = m.geom_bodyid[g] as usize;
        if b > 0 && m.geom_rbound[g] > 0.0 {
            let reach = m.geom_rbound[g] + (d.xipos[b] - d.geom_xpos[g]).norm();
            body_size[b] = body_size[b].max(reach);
        }
    }
    if m.nbody > 1 {
        let n = (m.nbody - 1) as Real;
        m.stat.meansize = 0.0;
        for size in &mut body_size[1..] {
            *size = size.max(1e-5);
            m.stat.meansize += *size / n;
        }
        m.stat.meanmass = m.body_mass[1..].iter().sum::<Real>() / n;
    }
    m.stat.extent = m.stat.extent.max(2.0 * m.stat.meansize);

    for i in 0..m.nv {
        let joint = m.dof_jntid[i] as usize;
        let translates = match joint_type(m, joint) {
            JointType::Slide => true,
            JointType::Free => i < m.jnt_dofadr[joint] as usize + 3,
            JointType::Ball | JointType::Hinge => false,
        };
        m.dof_length[i] = if translates { 1.0 } else { body_size[m.dof_bodyid[i] as usize] };
    }
    if m.nv > 0 {
        let sum: Real = m.dof_Madr.iter().map(|&adr| d.qM[adr as usize]).sum();
        m.stat.meaninertia = sum / m.nv as Real;
    }
}
