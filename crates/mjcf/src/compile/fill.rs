//! Copies the compiled tree into the arrays of the model.

use ferrodyn_math::{Quat, Real, Vec3};
use ferrodyn_model::{JointType, Model, SameFrame, SleepPolicy, WrapType};

use super::objects::Objects;
use super::resolve::Elements;
use super::tree::problem;
use crate::error::Sink;
use crate::pose::{EPS, Pose, Q4, UNIT, V3, double, same_pos, same_quat};
use crate::schema::{At, Attributes};
use crate::spec::Spec;

pub(super) fn vec3(v: &V3) -> Vec3 {
    Vec3(v.map(|x| x as Real))
}

pub(super) fn quat(q: &Q4) -> Quat {
    Quat(q.map(|x| x as Real))
}

pub(super) fn reals<const N: usize>(v: &[f64; N]) -> [Real; N] {
    v.map(|x| x as Real)
}

/// An index for the model, -1 for none.
pub(super) fn index(i: Option<usize>) -> i32 {
    i.map_or(-1, |i| i as i32)
}

/// Fills the arrays of bodies, joints, dofs, geoms, sites, cameras and lights.
pub(super) fn fill_tree(
    m: &mut Model,
    spec: &Spec,
    elements: &Elements<'_>,
    objects: &Objects,
    sink: &mut Sink,
) {
    let mut last_dof: Vec<i32> = Vec::with_capacity(objects.bodies.len());
    let (mut bvh, mut mocap, mut dof, mut qpos) = (0, 0, 0, 0);
    for (i, body) in objects.bodies.iter().enumerate() {
        fill_body(m, i, spec, elements, objects, &mut bvh, &mut mocap, dof);
        let mut last = if i == 0 { -1 } else { last_dof[body.parent] };
        let mut rotates = false;
        for j in elements.joints.of_body(i) {
            fill_joint(m, j, elements, objects, qpos, dof);
            let joint = &objects.joints[j];
            m.body_simple[i] &= u8::from(!rotates && keeps_simple(m, j));
            rotates |= matches!(joint.kind, JointType::Ball | JointType::Hinge);
            set_reference(m, i, j, objects, qpos);
            for d in dof..dof + joint.kind.nv() {
                fill_dof(m, d, j, elements);
                m.dof_parentid[d] = last;
                last = d as i32;
            }
            dof += joint.kind.nv();
            qpos += joint.kind.nq();
        }
        last_dof.push(last);
        if m.body_simple[i] != 0 && m.body_dofnum[i] > 0 {
            let slides =
                elements.joints.of_body(i).all(|j| objects.joints[j].kind == JointType::Slide);
            m.body_simple[i] = if slides { 2 } else { 1 };
        }
    }
    fill_geoms(m, elements, objects);
    fill_sites(m, elements, objects);
    fill_cameras(m, elements, objects);
    fill_lights(m, elements, objects);
    fill_trees(m, spec, objects, sink);
}

fn fill_body(
    m: &mut Model,
    i: usize,
    spec: &Spec,
    elements: &Elements<'_>,
    objects: &Objects,
    bvh: &mut usize,
    mocap: &mut i32,
    dof: usize,
) {
    let body = &objects.bodies[i];
    let attr = &spec.bodies[body.source].attr;
    let parent = body.parent;
    attr.fill(m, At::Object(i));
    m.body_parentid[i] = parent as i32;
    m.body_rootid[i] = if parent == 0 { i as i32 } else { m.body_rootid[parent] };
    m.body_weldid[i] = body.weld as i32;
    m.body_mocapid[i] = -1;
    if attr.or_default().mocap() {
        m.body_mocapid[i] = *mocap;
        *mocap += 1;
    }
    let joints = elements.joints.of_body(i);
    m.body_jntnum[i] = joints.len() as i32;
    m.body_jntadr[i] = index((!joints.is_empty()).then_some(joints.start));
    m.body_dofnum[i] = body.dofnum as i32;
    m.body_dofadr[i] = index((body.dofnum > 0).then_some(dof));
    let geoms = elements.geoms.of_body(i);
    m.body_geomnum[i] = geoms.len() as i32;
    m.body_geomadr[i] = index((!geoms.is_empty()).then_some(geoms.start));
    m.body_pos[i] = vec3(&body.pose.pos);
    m.body_quat[i] = quat(&body.pose.quat);
    m.body_ipos[i] = vec3(&body.inertial.pos);
    m.body_iquat[i] = quat(&body.inertial.quat);
    m.body_mass[i] = body.mass as Real;
    m.body_inertia[i] = vec3(&body.inertia);
    m.body_margin[i] = body.margin as Real;
    m.body_contype[i] = body.contype;
    m.body_conaffinity[i] = body.conaffinity;
    m.body_plugin[i] = index(body.plugin);

    let nodes = body.bvh.nodeid.len();
    m.body_bvhadr[i] = index((nodes > 0).then_some(*bvh));
    m.body_bvhnum[i] = nodes as i32;
    for n in 0..nodes {
        m.bvh_aabb[*bvh + n] = reals(&body.bvh.aabb[n]);
        m.bvh_child[*bvh + n] = body.bvh.child[n];
        m.bvh_nodeid[*bvh + n] = body.bvh.nodeid[n];
        m.bvh_depth[*bvh + n] = body.bvh.depth[n];
    }
    *bvh += nodes;

    // a simple body has a diagonal inertia: its frames agree, and nothing but the world moves it
    let same =
        match (same_pos(&body.inertial.pos, &[0.0; 3]), same_quat(&body.inertial.quat, &UNIT)) {
            (true, true) => SameFrame::Body,
            (false, true) => SameFrame::BodyRot,
            _ => SameFrame::None,
        };
    m.body_sameframe[i] = same as u8;
    let root = m.body_rootid[i] == i as i32;
    let on_fixed = m.body_parentid[parent] == 0 && m.body_dofnum[parent] == 0;
    m.body_simple[i] = u8::from(same == SameFrame::Body && (root || on_fixed));
    if parent > 0 {
        m.body_simple[parent] = 0;
    }
}

/// Whether a joint leaves its body simple: it acts at the origin, along a coordinate axis.
fn keeps_simple(m: &Model, j: usize) -> bool {
    let across = m.jnt_axis[j].0.iter().filter(|x| double(**x).abs() > EPS).count() != 1;
    let directed =
        m.jnt_type[j] == JointType::Hinge as i32 || m.jnt_type[j] == JointType::Slide as i32;
    same_pos(&m.jnt_pos[j].0.map(double), &[0.0; 3]) && !(directed && across)
}

fn fill_joint(
    m: &mut Model,
    j: usize,
    elements: &Elements<'_>,
    objects: &Objects,
    qpos: usize,
    dof: usize,
) {
    let (item, joint) = (&elements.joints.items[j], &objects.joints[j]);
    item.attr.attr.fill(m, At::Object(j));
    m.jnt_type[j] = joint.kind as i32;
    m.jnt_limited[j] = u8::from(joint.limited);
    m.jnt_actfrclimited[j] = u8::from(joint.actfrclimited);
    m.jnt_qposadr[j] = qpos as i32;
    m.jnt_dofadr[j] = dof as i32;
    m.jnt_bodyid[j] = item.body as i32;
    m.jnt_pos[j] = vec3(&joint.pos);
    m.jnt_axis[j] = vec3(&joint.axis);
    m.jnt_range[j] = reals(&joint.range);
}

/// Sets the initial position of a joint and the rest position of its spring.
fn set_reference(m: &mut Model, body: usize, j: usize, objects: &Objects, qpos: usize) {
    let joint = &objects.joints[j];
    match joint.kind {
        JointType::Free => {
            let (pos, quat) = (m.body_pos[body].0, m.body_quat[body].0);
            m.qpos0[qpos..qpos + 3].copy_from_slice(&pos);
            m.qpos0[qpos + 3..qpos + 7].copy_from_slice(&quat);
            m.qpos_spring[qpos..qpos + 3].copy_from_slice(&pos);
            m.qpos_spring[qpos + 3..qpos + 7].copy_from_slice(&quat);
        }
        JointType::Ball => {
            m.qpos0[qpos] = 1.0;
            m.qpos_spring[qpos] = 1.0;
        }
        JointType::Slide | JointType::Hinge => {
            m.qpos0[qpos] = joint.reference as Real;
            m.qpos_spring[qpos] = joint.springref as Real;
        }
    }
}

fn fill_dof(m: &mut Model, d: usize, j: usize, elements: &Elements<'_>) {
    let item = &elements.joints.items[j];
    item.attr.attr.fill(m, At::Dof(d));
    m.dof_bodyid[d] = item.body as i32;
    m.dof_jntid[d] = j as i32;
}

/// How the frame of a geom or site is aligned with those of its body.
fn same_frame(pose: &Pose, inertial: &Pose) -> u8 {
    let same = if same_quat(&pose.quat, &UNIT) {
        if same_pos(&pose.pos, &[0.0; 3]) { SameFrame::Body } else { SameFrame::BodyRot }
    } else if same_quat(&pose.quat, &inertial.quat) {
        if same_pos(&pose.pos, &inertial.pos) { SameFrame::Inertia } else { SameFrame::InertiaRot }
    } else {
        SameFrame::None
    };
    same as u8
}

fn fill_geoms(m: &mut Model, elements: &Elements<'_>, objects: &Objects) {
    for (g, (item, geom)) in elements.geoms.items.iter().zip(&objects.geoms).enumerate() {
        item.attr.fill(m, At::Object(g));
        m.geom_type[g] = geom.kind as i32;
        m.geom_bodyid[g] = item.body as i32;
        m.geom_dataid[g] = index(geom.data);
        m.geom_matid[g] = index(geom.material);
        m.geom_plugin[g] = index(geom.plugin);
        m.geom_size[g] = vec3(&geom.size);
        m.geom_aabb[g] = reals(&geom.aabb);
        m.geom_pos[g] = vec3(&geom.pose.pos);
        m.geom_quat[g] = quat(&geom.pose.quat);
        m.geom_fluid[g] = reals(&geom.fluid);
        m.geom_sameframe[g] = same_frame(&geom.pose, &objects.bodies[item.body].inertial);
        m.geom_rbound[g] = geom.rbound as Real;
    }
}

fn fill_sites(m: &mut Model, elements: &Elements<'_>, objects: &Objects) {
    for (s, (item, site)) in elements.sites.items.iter().zip(&objects.sites).enumerate() {
        item.attr.fill(m, At::Object(s));
        m.site_type[s] = site.kind as i32;
        m.site_bodyid[s] = item.body as i32;
        m.site_matid[s] = index(site.material);
        m.site_size[s] = vec3(&site.size);
        m.site_pos[s] = vec3(&site.pose.pos);
        m.site_quat[s] = quat(&site.pose.quat);
        m.site_sameframe[s] = same_frame(&site.pose, &objects.bodies[item.body].inertial);
    }
}

fn fill_cameras(m: &mut Model, elements: &Elements<'_>, objects: &Objects) {
    for (c, (item, camera)) in elements.cameras.items.iter().zip(&objects.cameras).enumerate() {
        item.attr.fill(m, At::Object(c));
        m.cam_bodyid[c] = item.body as i32;
        m.cam_targetbodyid[c] = index(camera.target);
        m.cam_pos[c] = vec3(&camera.pose.pos);
        m.cam_quat[c] = quat(&camera.pose.quat);
        m.cam_fovy[c] = camera.fovy as Real;
        m.cam_intrinsic[c] = camera.intrinsic;
    }
}

fn fill_lights(m: &mut Model, elements: &Elements<'_>, objects: &Objects) {
    for (l, (item, light)) in elements.lights.items.iter().zip(&objects.lights).enumerate() {
        item.attr.fill(m, At::Object(l));
        m.light_bodyid[l] = item.body as i32;
        m.light_targetbodyid[l] = index(light.target);
        m.light_texid[l] = index(light.texture);
        m.light_pos[l] = vec3(&light.pos);
        m.light_dir[l] = vec3(&light.dir);
    }
}

/// Numbers the kinematic trees and sets how they sleep.
fn fill_trees(m: &mut Model, spec: &Spec, objects: &Objects, sink: &mut Sink) {
    let mut tree = -1;
    for d in 0..m.nv {
        tree += i32::from(m.dof_parentid[d] == -1);
        m.dof_treeid[d] = tree;
    }
    for i in 0..m.nbody {
        let weld = m.body_weldid[i] as usize;
        m.body_treeid[i] = match usize::try_from(m.body_dofadr[weld]) {
            Ok(dof) => m.dof_treeid[dof],
            Err(_) => -1,
        };
    }
    for (i, body) in objects.bodies.iter().enumerate().skip(1) {
        let body = &spec.bodies[body.source];
        let policy = body.attr.or_default().sleep();
        if policy == SleepPolicy::Auto {
            continue;
        }
        let tree = m.body_treeid[i];
        if tree == -1 || tree == m.body_treeid[i - 1] {
            let message = "a sleep policy is only allowed in the first body of a moving tree";
            sink.error(problem("body", &body.name, body.span, message));
        } else {
            m.tree_sleep_policy[tree as usize] = policy as i32;
        }
    }
}

/// Sets the runs of simple dofs, after the bodies that a tendon with inertia moves are no longer
/// simple.
pub(super) fn fill_simple_runs(m: &mut Model) {
    for t in (0..m.ntendon).filter(|&t| m.tendon_armature[t] != 0.0) {
        let first = m.tendon_adr[t] as usize;
        for w in first..first + m.tendon_num[t] as usize {
            let object = m.wrap_objid[w].max(0) as usize;
            match WrapType::try_from(m.wrap_type[w]) {
                Ok(WrapType::Site) => m.body_simple[m.site_bodyid[object] as usize] = 0,
                Ok(WrapType::Sphere | WrapType::Cylinder) => {
                    m.body_simple[m.geom_bodyid[object] as usize] = 0;
                }
                _ => {}
            }
        }
    }
    let mut run = 0;
    for d in (0..m.nv).rev() {
        run = if m.body_simple[m.dof_bodyid[d] as usize] != 0 { run + 1 } else { 0 };
        m.dof_simplenum[d] = run;
    }
}
