//! Passive forces: springs, dampers, elasticity of flexes, gravity compensation, fluid.
use ferrodyn_math::{Quat, Vec3};
use ferrodyn_model::{DisableBit, JointType, Model, Storage};

use crate::World;
use crate::force::flex::{Enabled, flex_forces};
use crate::force::flex_contact::passive_contacts;
use crate::force::fluid::{fluid, has_fluid};
use crate::hooks::Hooks;
use crate::plugin;
use crate::position::chain::apply_ft;
use crate::position::tendon::tendon_row;
use crate::sleep::{Bodies, for_awake_dofs};

/// Compute `qfrc_spring`, `qfrc_damper`, `qfrc_gravcomp`, `qfrc_fluid` and their sum `qfrc_passive`. MuJoCo: `mj_passive`.
pub fn passive<S: Storage>(m: &Model<S>, d: &mut World<'_>, hooks: &mut impl Hooks<S>) {
    for_awake_dofs!(m, d, |run| {
        d.qfrc_spring[run.clone()].fill(0.0);
        d.qfrc_damper[run.clone()].fill(0.0);
        d.qfrc_gravcomp[run.clone()].fill(0.0);
        d.qfrc_fluid[run.clone()].fill(0.0);
        d.qfrc_passive[run].fill(0.0);
    });

    // only both flags together switch off gravity compensation as well
    let springs = !m.opt.disabled(DisableBit::Spring);
    let dampers = !m.opt.disabled(DisableBit::Damper);
    if !springs && !dampers {
        return;
    }
    if springs {
        joint_springs(m, d);
    }
    // −damping · q̇
    if dampers {
        for_awake_dofs!(m, d, |run| {
            for i in run {
                if m.dof_damping[i] != 0.0 {
                    d.qfrc_damper[i] = -m.dof_damping[i] * d.qvel[i];
                }
            }
        });
    }
    flex_forces(m, d, Enabled { springs, dampers }, hooks);
    tendon_springs(m, d, springs, dampers);
    let compensated = gravity_compensation(m, d);
    let in_fluid = has_fluid(m);
    if in_fluid {
        fluid(m, d);
    }
    passive_contacts(m, d);

    // the sum; what the user and plugins add comes last
    for_awake_dofs!(m, d, |run| {
        for i in run.clone() {
            d.qfrc_passive[i] = d.qfrc_spring[i] + d.qfrc_damper[i];
        }
        if in_fluid {
            for i in run.clone() {
                d.qfrc_passive[i] += d.qfrc_fluid[i];
            }
        }
        if compensated {
            for i in run {
                // actuators take it over where the joint says so
                if m.jnt_actgravcomp[m.dof_joint(i)] == 0 {
                    d.qfrc_passive[i] += d.qfrc_gravcomp[i];
                }
            }
        }
    });
    d.with_hooks(hooks, |hooks, d| hooks.passive(m, d));
    plugin::passive_forces(m, d);
}

/// `−k (q − q_spring)`, with the rotation vector between both orientations for ball joints. MuJoCo: in `mj_springdamper`.
fn joint_springs(m: &Model<impl Storage>, d: &mut World<'_>) {
    let bodies = Bodies::awake(m, d);
    for place in 1..bodies.count {
        for j in m.body_joints(bodies.get(d.body_awake_ind, place)) {
            if m.jnt_stiffness[j] != 0.0 {
                joint_spring(m, d, j);
            }
        }
    }
}

fn joint_spring(m: &Model<impl Storage>, d: &mut World<'_>, j: usize) {
    let k = m.jnt_stiffness[j];
    let (mut q, mut v) = (m.joint_qpos(j), m.joint_dof(j));
    let kind = m.joint_kind(j);
    if kind == JointType::Slide || kind == JointType::Hinge {
        d.qfrc_spring[v] = -k * (d.qpos[q] - m.qpos_spring[q]);
        return;
    }
    // a free joint: translation, then as a ball
    if kind == JointType::Free {
        for i in 0..3 {
            d.qfrc_spring[v + i] = -k * (d.qpos[q + i] - m.qpos_spring[q + i]);
        }
        q += 3;
        v += 3;
    }
    // the rotation vector from the rest orientation to this one, in the frame of the body
    let quat = Quat::from_slice(&d.qpos[q..]).normalize().0;
    let dif = quat.rotation_from(Quat::from_slice(&m.qpos_spring[q..]));
    for i in 0..3 {
        d.qfrc_spring[v + i] = -k * dif[i];
    }
}

/// Springs of tendons, which have a range of rest lengths, and their dampers. MuJoCo: in `mj_springdamper`.
fn tendon_springs(m: &Model<impl Storage>, d: &mut World<'_>, springs: bool, dampers: bool) {
    for t in 0..m.ntendon {
        let stiffness = if springs { m.tendon_stiffness[t] } else { 0.0 };
        let damping = if dampers { m.tendon_damping[t] } else { 0.0 };
        if stiffness == 0.0 && damping == 0.0 {
            continue;
        }
        // no force between the two rest lengths
        let length = d.ten_length[t];
        let [lower, upper] = m.tendon_lengthspring[t];
        let spring = if length > upper {
            stiffness * (upper - length)
        } else if length < lower {
            stiffness * (lower - length)
        } else {
            0.0
        };
        let damper = -damping * d.ten_velocity[t];
        let (qfrc_spring, qfrc_damper) =
            (core::mem::take(&mut d.qfrc_spring), core::mem::take(&mut d.qfrc_damper));
        // Jᵀ force
        for (dof, value) in tendon_row(m, d, t) {
            qfrc_spring[dof] += value * spring;
            qfrc_damper[dof] += value * damper;
        }
        d.qfrc_spring = qfrc_spring;
        d.qfrc_damper = qfrc_damper;
    }
}

/// An upward force `−gravcomp m g` at the centre of mass of every compensated body. MuJoCo: `mj_gravcomp`.
fn gravity_compensation(m: &Model<impl Storage>, d: &mut World<'_>) -> bool {
    if m.ngravcomp == 0 || m.opt.disabled(DisableBit::Gravity) || m.opt.gravity.norm() == 0.0 {
        return false;
    }
    let mut any = false;
    let bodies = Bodies::awake(m, d);
    for k in 1..bodies.count {
        let b = bodies.get(d.body_awake_ind, k);
        if m.body_gravcomp[b] != 0.0 {
            any = true;
            let force = m.opt.gravity * -(m.body_mass[b] * m.body_gravcomp[b]);
            let com = d.subtree_com[m.body_root(b)];
            apply_ft(m, d.cdof, com, force, Vec3::ZERO, d.xipos[b], b, d.qfrc_gravcomp);
        }
    }
    any
}
