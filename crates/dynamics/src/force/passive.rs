//! Passive forces: springs, dampers, elasticity of flexes, gravity compensation, fluid.
use ferrodyn_math::{Mask, Number, Quat, Vec3, add_scaled};
use ferrodyn_model::{DisableBit, JointType, Model, Storage};

use crate::World;
use crate::data::Lane;
use crate::force::flex::{Enabled, flex_forces};
use crate::force::flex_contact::passive_contacts;
use crate::force::fluid::{fluid, has_fluid};
use crate::hooks::Hooks;
use crate::plugin;
use crate::position::chain::apply_ft;
use crate::position::tendon::{one_or_two_dofs, tendon_row};
use crate::sleep::{Bodies, for_awake_dofs};

/// Compute `qfrc_spring`, `qfrc_damper`, `qfrc_gravcomp`, `qfrc_fluid` and their sum `qfrc_passive`. MuJoCo: `mj_passive`.
pub fn passive<S: Storage, T: Lane>(m: &Model<S>, d: &mut World<'_, T>, hooks: &mut impl Hooks<S>) {
    for_awake_dofs!(m, d, |run| {
        d.qfrc_spring[run.clone()].fill(T::of(0.0));
        d.qfrc_damper[run.clone()].fill(T::of(0.0));
        d.qfrc_gravcomp[run.clone()].fill(T::of(0.0));
        d.qfrc_fluid[run.clone()].fill(T::of(0.0));
        d.qfrc_passive[run].fill(T::of(0.0));
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
                    d.qfrc_damper[i] = T::of(-m.dof_damping[i]) * d.qvel[i];
                }
            }
        });
    }
    if let Some(d) = d.alone() {
        flex_forces(m, d, Enabled { springs, dampers }, hooks);
    }
    tendon_springs(m, d, springs, dampers);
    let compensated = gravity_compensation(m, d);
    let in_fluid = has_fluid(m);
    if in_fluid {
        fluid(m, d);
    }
    if let Some(d) = d.alone() {
        passive_contacts(m, d);
    }

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
    if let Some(d) = d.alone() {
        d.with_hooks(hooks, |hooks, d| hooks.passive(m, d));
        plugin::passive_forces(m, d);
    }
}

/// `−k (q − q_spring)`, with the rotation vector between both orientations for ball joints. MuJoCo: in `mj_springdamper`.
fn joint_springs<T: Lane>(m: &Model<impl Storage>, d: &mut World<'_, T>) {
    let bodies = Bodies::awake(m, d);
    for place in 1..bodies.count {
        for j in m.body_joints(bodies.get(d.body_awake_ind, place)) {
            if m.jnt_stiffness[j] != 0.0 {
                joint_spring(m, d, j);
            }
        }
    }
}

fn joint_spring<T: Lane>(m: &Model<impl Storage>, d: &mut World<'_, T>, j: usize) {
    // the force is against the displacement
    let k = T::of(-m.jnt_stiffness[j]);
    let rest = |q: usize| T::of(m.qpos_spring[q]);
    let (mut q, mut v) = (m.joint_qpos(j), m.joint_dof(j));
    let kind = m.joint_kind(j);
    if kind == JointType::Slide || kind == JointType::Hinge {
        d.qfrc_spring[v] = k * (d.qpos[q] - rest(q));
        return;
    }
    // a free joint: translation, then as a ball
    if kind == JointType::Free {
        for i in 0..3 {
            d.qfrc_spring[v + i] = k * (d.qpos[q + i] - rest(q + i));
        }
        q += 3;
        v += 3;
    }
    // the rotation vector from the rest orientation to this one, in the frame of the body
    let quat = Quat::from_slice(&d.qpos[q..]).normalize().0;
    let dif = quat.rotation_from(Quat::of(Quat::from_slice(&m.qpos_spring[q..])));
    for i in 0..3 {
        d.qfrc_spring[v + i] = k * dif[i];
    }
}

/// Springs of tendons, which have a range of rest lengths, and their dampers. MuJoCo: in `mj_springdamper`.
fn tendon_springs<T: Lane>(
    m: &Model<impl Storage>,
    d: &mut World<'_, T>,
    springs: bool,
    dampers: bool,
) {
    if m.ntendon == 0 {
        return;
    }
    let zero = T::of(0.0);
    let sparse = m.is_sparse();
    let (qfrc_spring, qfrc_damper) =
        (core::mem::take(&mut d.qfrc_spring), core::mem::take(&mut d.qfrc_damper));
    // the zeros of a dense row change nothing but a negative zero; no sum becomes one that was none before
    let skip_zeros =
        !qfrc_spring.iter().chain(&*qfrc_damper).fold(false, |any, x| any | x.is_negative_zero());
    for t in 0..m.ntendon {
        let stiffness = if springs { m.tendon_stiffness[t] } else { 0.0 };
        let damping = if dampers { m.tendon_damping[t] } else { 0.0 };
        if stiffness == 0.0 && damping == 0.0 {
            continue;
        }
        // no force between the two rest lengths
        let length = d.ten_length[t];
        let [lower, upper] = m.tendon_lengthspring[t];
        let (lower, upper) = (T::of(lower), T::of(upper));
        let pull = |end: T| T::of(stiffness) * (end - length);
        let spring = T::choose(
            length.greater(upper),
            || pull(upper),
            || T::choose(length.less(lower), || pull(lower), || zero),
        );
        let damper = T::of(-damping) * d.ten_velocity[t];
        // Jᵀ force; as in MuJoCo, a force of zero adds no zeros, which would change the sign of others
        if sparse {
            let none = spring.equal(zero) & damper.equal(zero);
            if !none.all() {
                for (dof, value) in tendon_row(m, d, t) {
                    add_but(none, &mut qfrc_spring[dof], value * spring);
                    add_but(none, &mut qfrc_damper[dof], value * damper);
                }
            }
            continue;
        }
        let row = &d.ten_J[t * m.nv..][..m.nv];
        for (qfrc, force) in [(&mut *qfrc_spring, spring), (&mut *qfrc_damper, damper)] {
            let none = force.equal(zero);
            if none.all() {
                continue;
            }
            match one_or_two_dofs(m, t) {
                Some((dofs, count)) if skip_zeros => {
                    let add = |dof: &usize| add_but(none, &mut qfrc[*dof], row[*dof] * force);
                    dofs[..count].iter().for_each(add);
                }
                _ if none.any() => {
                    let sums = qfrc.iter_mut().zip(row);
                    sums.for_each(|(sum, &value)| add_but(none, sum, value * force));
                }
                _ => add_scaled(qfrc, row, force),
            }
        }
    }
    d.qfrc_spring = qfrc_spring;
    d.qfrc_damper = qfrc_damper;
}

/// `sum += value`, but for the worlds of a mask, whose sums stay as they are.
#[inline(always)]
pub(crate) fn add_but<T: Number>(stays: T::Mask, sum: &mut T, value: T) {
    let before = *sum;
    *sum = T::choose(stays, || before, || before + value);
}

/// An upward force `−gravcomp m g` at the centre of mass of every compensated body. MuJoCo: `mj_gravcomp`.
fn gravity_compensation<T: Lane>(m: &Model<impl Storage>, d: &mut World<'_, T>) -> bool {
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
            let (force, torque) = (Vec3::of(force), Vec3::of(Vec3::ZERO));
            apply_ft(m, d.cdof, com, force, torque, d.xipos[b], b, d.qfrc_gravcomp);
        }
    }
    any
}
