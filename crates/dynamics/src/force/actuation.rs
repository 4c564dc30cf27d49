//! Actuator forces: `force = gain · (control or activation) + bias`.
//!
//! A control is delayed and limited first. An actuator with state turns it into an activation (`act_dot` is its rate), and the
//! activation takes the place of the control. Forces are limited by tendon, one by one, and by joint, and reach the joints
//! through the moments of their transmissions.
use ferrodyn_math::{MIN_VAL, Mask, Number, Real, exp};
use ferrodyn_model::{
    BiasType, DisableBit, DynType, EnableBit, GainType, JointType, Model, ObjType, Storage,
    TransmissionType, Warning,
};

use crate::World;
use crate::data::Lane;
use crate::force::delay::read_ctrl;
use crate::force::gain::{Gain, control_rate, keeps_control, law_of_gain};
use crate::force::muscle::{muscle_bias, muscle_dynamics, muscle_gain};
use crate::force::passive::add_but;
use crate::hooks::Hooks;
use crate::plugin;
use crate::sleep::is_asleep;

/// Is the actuator's group switched off? Groups are bits of a positive `i32`; those above 30 have none.
/// MuJoCo: `mj_actuatorDisabled`.
pub(crate) fn is_disabled(m: &Model<impl Storage>, i: usize) -> bool {
    let group = m.actuator_group[i];
    (0..=30).contains(&group) && m.opt.disableactuator & (1 << group) != 0
}

/// Is an actuator asleep, in a model with sleep?
fn sleeps<T: Lane>(m: &Model<impl Storage>, d: &World<'_, T>, i: usize) -> bool {
    m.opt.enabled(EnableBit::Sleep)
        && T::alone_ref(d).is_some_and(|d| is_asleep(m, d, ObjType::Actuator, i))
}

pub(crate) fn clamp<T: Number>(x: T, range: &[Real; 2]) -> T {
    x.clamp_to(range)
}

/// The last activation of an actuator with state; the ones before belong to its plugin.
pub(crate) fn last_activation(m: &Model<impl Storage>, i: usize) -> Option<usize> {
    let first = usize::try_from(m.actuator_actadr[i]).ok()?;
    (first + m.actuator_actnum[i] as usize).checked_sub(1)
}

/// The activation after one step with a given rate, within its limits. MuJoCo: `mj_nextActivation`.
pub fn next_activation<T: Lane>(
    m: &Model<impl Storage>,
    d: &World<'_, T>,
    actuator: usize,
    adr: usize,
    rate: T,
) -> T {
    let h = m.opt.timestep;
    let mut act = d.act[adr];
    if m.dynamics_kind(actuator) == Some(DynType::FilterExact) {
        // act(h) = act(0) + (ctrl - act(0)) (1 - exp(-h / tau))
        let tau = MIN_VAL.max(m.actuator_dynprm[actuator][0]);
        act += rate * T::of(tau) * T::of(1.0 - exp(-h / tau));
    } else {
        act += rate * T::of(h);
    }
    if m.actuator_actlimited[actuator] != 0 {
        act = clamp(act, &m.actuator_actrange[actuator]);
    }
    act
}

/// Compute `act_dot`, `actuator_force` and `qfrc_actuator`. MuJoCo: `mj_fwdActuation`.
pub fn fwd_actuation<S: Storage, T: Lane>(
    m: &Model<S>,
    d: &mut World<'_, T>,
    hooks: &mut impl Hooks<S>,
) {
    d.actuator_force.fill(T::of(0.0));
    if m.nu == 0 || m.opt.disabled(DisableBit::Actuation) {
        d.qfrc_actuator.fill(T::of(0.0));
        return;
    }
    let ctrl = core::mem::take(&mut d.scratch.ctrl);
    read_controls(m, d, ctrl);
    d.scratch.ctrl = ctrl;
    activation_rates(m, d, hooks);
    if let Some(d) = d.alone() {
        plugin::activation_rates(m, d);
    }
    for i in 0..m.nu {
        if !is_disabled(m, i) && m.actuator_plugin[i] < 0 && !sleeps(m, d, i) {
            d.actuator_force[i] = force(m, d, i, hooks);
        }
    }
    if let Some(d) = d.alone() {
        plugin::actuator_forces(m, d);
    }
    limit_tendon_forces(m, d);
    for i in 0..m.nu {
        if m.actuator_forcelimited[i] != 0 {
            d.actuator_force[i] = clamp(d.actuator_force[i], &m.actuator_forcerange[i]);
        }
    }
    to_joints(m, d);
}

/// Controls, delayed and limited; all zero, with MuJoCo's warning `mjWARN_BADCTRL`, where one of them is bad.
fn read_controls<T: Lane>(m: &Model<impl Storage>, d: &mut World<'_, T>, ctrl: &mut [T]) {
    let limited = !m.opt.disabled(DisableBit::ClampCtrl);
    for i in 0..m.nu {
        let delayed = m.actuator_delay[i] != 0.0;
        ctrl[i] = d.ctrl[i];
        if let Some(d) = T::alone_ref(d).filter(|_| delayed) {
            ctrl[i] = T::of(read_ctrl(m, d, i, d.head.time, m.actuator_history[i][1]));
        }
        if limited && m.actuator_ctrllimited[i] != 0 {
            ctrl[i] = clamp(ctrl[i], &m.actuator_ctrlrange[i]);
        }
    }
    // several worlds do not come here with a bad control: such a world steps alone
    if let Some(bad) = ctrl.iter().position(|x| T::WORLDS == 1 && x.bad().any()) {
        let stat = &mut d.head.warning[Warning::BadCtrl as usize];
        stat.number += 1;
        stat.lastinfo = bad as i32;
        ctrl.fill(T::of(0.0));
    }
}

/// Rates of activation of actuators with state.
fn activation_rates<S: Storage, T: Lane>(
    m: &Model<S>,
    d: &mut World<'_, T>,
    hooks: &mut impl Hooks<S>,
) {
    for i in 0..m.nu {
        let Some(last) = last_activation(m, i) else { continue };
        if sleeps(m, d, i) {
            continue;
        }
        let first = m.actuator_actadr[i] as usize;
        d.act_dot[first..=last].fill(T::of(0.0));
        let (ctrl, prm) = (d.scratch.ctrl[i], &m.actuator_dynprm[i]);
        d.act_dot[last] = match m.dynamics_kind(i) {
            Some(DynType::Integrator) => ctrl,
            Some(DynType::Filter | DynType::FilterExact) => {
                (ctrl - d.act[last]) / T::of(MIN_VAL.max(prm[0]))
            }
            Some(DynType::Muscle | DynType::None | DynType::User) | None => match d.alone() {
                Some(d) => T::of(rate_alone(m, d, i, last, hooks)),
                None => T::of(0.0),
            },
        };
    }
}

/// The rate of an activation that only worlds alone have: of a muscle, or of the user.
#[inline(always)]
fn rate_alone<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    i: usize,
    last: usize,
    hooks: &mut impl Hooks<S>,
) -> Real {
    if m.dynamics_kind(i) == Some(DynType::Muscle) {
        return muscle_dynamics(d.scratch.ctrl[i], d.act[last], &m.actuator_dynprm[i]);
    }
    // without dynamics of its own an actuator has a state only where a plugin or the user keeps one
    if keeps_control(m, i) {
        return control_rate(m, d, i, last);
    }
    let rate = d.with_hooks(hooks, |hooks, d| hooks.act_dyn(m, d, i)).flatten();
    // with several activations the hook has written their rates
    if m.actuator_actnum[i] == 1 { rate.unwrap_or(0.0) } else { d.act_dot[last] }
}

/// `prm₀ + prm₁ length + prm₂ velocity`.
fn affine<T: Lane>(d: &World<'_, T>, i: usize, prm: &[Real; 10]) -> T {
    T::of(prm[0]) + T::of(prm[1]) * d.actuator_length[i] + T::of(prm[2]) * d.actuator_velocity[i]
}

/// Force of one actuator for a unit of input; `None` where it is user-defined.
pub(crate) fn gain<T: Lane>(m: &Model<impl Storage>, d: &World<'_, T>, i: usize) -> Option<T> {
    let prm = &m.actuator_gainprm[i];
    Some(match m.gain_kind(i) {
        Some(GainType::Fixed) => T::of(prm[0]),
        Some(GainType::Affine) => affine(d, i, prm),
        Some(GainType::Muscle) => {
            let d = T::alone_ref(d)?;
            T::of(muscle_gain(
                d.actuator_length[i],
                d.actuator_velocity[i],
                &m.actuator_lengthrange[i],
                m.actuator_acc0[i],
                prm,
            ))
        }
        Some(GainType::User) | None => return None,
    })
}

/// A user's gain: by a law that the model or the simulation chooses, or by a callback.
#[inline(never)]
fn user_gain<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    i: usize,
    hooks: &mut impl Hooks<S>,
) -> Gain {
    law_of_gain(m, d, i, d.scratch.ctrl[i], hooks).unwrap_or_else(|| {
        let asked = d.with_hooks(hooks, |hooks, d| hooks.act_gain(m, d, i)).flatten();
        Gain::times_input(asked.unwrap_or(1.0), 0.0)
    })
}

/// Force of one actuator. User-defined gains are one and biases are zero where no hook knows them.
fn force<S: Storage, T: Lane>(
    m: &Model<S>,
    d: &mut World<'_, T>,
    i: usize,
    hooks: &mut impl Hooks<S>,
) -> T {
    let (range, acc0) = (&m.actuator_lengthrange[i], m.actuator_acc0[i]);
    let (gain, times_input) = match gain(m, d, i) {
        Some(gain) => (gain, true),
        None => match d.alone() {
            Some(d) => {
                let gain = user_gain(m, d, i, hooks);
                (T::of(gain.value), gain.times_input)
            }
            None => (T::of(1.0), true),
        },
    };
    // an early activation is that of the end of the step
    let input = match last_activation(m, i) {
        None => d.scratch.ctrl[i],
        Some(adr) if m.actuator_actearly[i] != 0 => next_activation(m, d, i, adr, d.act_dot[adr]),
        Some(adr) => d.act[adr],
    };
    let prm = &m.actuator_biasprm[i];
    let bias = match m.bias_kind(i) {
        Some(BiasType::Affine) => affine(d, i, prm),
        Some(kind @ (BiasType::Muscle | BiasType::User)) => T::of(match d.alone() {
            Some(d) if kind == BiasType::Muscle => {
                muscle_bias(d.actuator_length[i], range, acc0, prm)
            }
            Some(d) => {
                d.with_hooks(hooks, |hooks, d| hooks.act_bias(m, d, i)).flatten().unwrap_or(0.0)
            }
            None => 0.0,
        }),
        Some(BiasType::None) | None => T::of(0.0),
    };
    if times_input { gain * input + bias } else { gain + bias }
}

/// Scale the actuators of a tendon down where their total is outside its limits.
fn limit_tendon_forces<T: Lane>(m: &Model<impl Storage>, d: &mut World<'_, T>) {
    let tendon = |i: usize| {
        let is_tendon = m.transmission_kind(i) == Some(TransmissionType::Tendon);
        let t = is_tendon.then(|| m.actuator_trnid[i][0] as usize)?;
        (m.tendon_actfrclimited[t] != 0).then_some(t)
    };
    // limits count once an enabled, awake actuator other than a plugin pulls any limited tendon; then they count for all
    // actuators of all limited tendons, plugins and sleeping ones too: `mj_fwdActuation` keeps one flag for them
    let applies = |i: usize| {
        !is_disabled(m, i) && m.actuator_plugin[i] < 0 && tendon(i).is_some() && !sleeps(m, d, i)
    };
    if !(0..m.nu).any(applies) {
        return;
    }
    // what all actuators of a tendon pull together
    let total = &mut *d.scratch.tendon_force;
    total.fill(T::of(0.0));
    for i in 0..m.nu {
        if let Some(t) = tendon(i) {
            total[t] += d.actuator_force[i];
        }
    }
    // each gives up the same part
    for i in 0..m.nu {
        let Some(t) = tendon(i) else { continue };
        let range = &m.tendon_actfrcrange[t];
        let [low, high] = range.map(T::of);
        let above = total[t].greater(low) | total[t].equal(low);
        let below = total[t].less(high) | total[t].equal(high);
        let fits = total[t].equal(T::of(0.0)) | (above & below);
        let force = d.actuator_force[i];
        d.actuator_force[i] =
            T::choose(fits, || force, || force * (clamp(total[t], range) / total[t]));
    }
}

/// `qfrc_actuator = momentᵀ force`, gravity compensation by actuators, limits of joints.
fn to_joints<T: Lane>(m: &Model<impl Storage>, d: &mut World<'_, T>) {
    d.qfrc_actuator.fill(T::of(0.0));
    for i in 0..m.nu {
        let force = d.actuator_force[i];
        let none = force.equal(T::of(0.0));
        if !none.all() {
            let start = d.moment_rowadr[i] as usize;
            for adr in start..start + d.moment_rownnz[i] as usize {
                let sum = &mut d.qfrc_actuator[d.moment_colind[adr] as usize];
                add_but(none, sum, d.actuator_moment[adr] * force);
            }
        }
    }
    // gravity compensation that joints leave to their actuators counts against their limits
    let gravity =
        m.ngravcomp > 0 && !m.opt.disabled(DisableBit::Gravity) && m.opt.gravity.norm() != 0.0;
    for j in 0..m.njnt {
        let dof = m.joint_dof(j);
        if gravity && m.jnt_actgravcomp[j] != 0 {
            let count = match m.joint_kind(j) {
                JointType::Free => 6,
                JointType::Ball => 3,
                JointType::Slide | JointType::Hinge => 1,
            };
            for i in dof..dof + count {
                d.qfrc_actuator[i] += d.qfrc_gravcomp[i];
            }
        }
        if m.jnt_actfrclimited[j] != 0 {
            d.qfrc_actuator[dof] = clamp(d.qfrc_actuator[dof], &m.jnt_actfrcrange[j]);
        }
    }
}
