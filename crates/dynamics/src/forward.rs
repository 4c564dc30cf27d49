//! The table of contents of the physics: every stage of a step, in order.
//!
//! [`fwd_position`] is everything that follows from the configuration, [`fwd_velocity`] what velocity adds, then come
//! actuation, the acceleration without constraints, and the constraint forces that correct it. Sensors are computed as
//! soon as what they measure is known. What happens around the stages is in [`step`](mod@crate::step), and how the state
//! then moves in [`integrate`](mod@crate::integrate).
use ferrodyn_model::{DisableBit, EnableBit, Model, Stage, Storage};

use crate::constraint::{island, make_constraint, project_constraint, reference_constraint};
use crate::contact::collision;
use crate::data::Lane;
use crate::force::{bias, fwd_acceleration, fwd_actuation, passive};
use crate::hooks::Hooks;
use crate::position::{
    camlight, com_pos, factor_m, flex, kinematics, make_m, tendon, transmission,
};
use crate::sensor::{energy_pos, energy_vel, sensor_acc, sensor_pos, sensor_vel};
use crate::sleep::{has_tendon_equality, wake_contacts, wake_equalities, wake_tendons};
#[cfg(feature = "deformable")]
use crate::soft::mj_deformable_collision;
use crate::velocity::{actuator_velocity, com_vel, flex_velocity, tendon_velocity};
use crate::{StepError, World};

/// Everything that is found by walking the tree. MuJoCo: `mj_fwdKinematics`.
pub fn fwd_kinematics<T: Lane>(m: &Model<impl Storage>, d: &mut World<'_, T>) {
    kinematics(m, d);
    on_bodies(m, d);
}

/// What follows from the poses of bodies and sites.
pub(crate) fn on_bodies<T: Lane>(m: &Model<impl Storage>, d: &mut World<'_, T>) {
    com_pos(m, d);
    camlight(m, d);
    if let Some(d) = d.alone() {
        flex(m, d);
    }
    tendon(m, d);
    if let Some(d) = d.alone() {
        wake_tendons(m, d);
    }
}

/// Everything that depends on the configuration. MuJoCo: `mj_fwdPosition`.
pub fn fwd_position<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    hooks: &mut impl Hooks<S>,
) -> Result<(), StepError> {
    d.head.flg_energypos = 0;
    fwd_kinematics(m, d);
    make_m(m, d);
    factor_m(m, d);
    collision(m, d, hooks)?;
    let touched = wake_contacts(m, d);
    if touched {
        collision(m, d, hooks)?;
    }
    let pulled = wake_equalities(m, d)?;
    if (touched || pulled) && has_tendon_equality(m, d) {
        // its rows need the lengths of tendons that were asleep
        tendon(m, d);
    }
    #[cfg(feature = "deformable")]
    mj_deformable_collision(m, d)?;
    make_constraint(m, d)?;
    island(m, d)?;
    transmission(m, d);
    project_constraint(m, d)
}

/// Everything that depends on configuration and velocity. MuJoCo: `mj_fwdVelocity`.
pub fn fwd_velocity<S: Storage>(m: &Model<S>, d: &mut World<'_>, hooks: &mut impl Hooks<S>) {
    d.head.flg_subtreevel = 0;
    d.head.flg_energyvel = 0;
    flex_velocity(m, d);
    tendon_velocity(m, d);
    actuator_velocity(m, d);
    com_vel(m, d);
    passive(m, d, hooks);
    reference_constraint(m, d);
    bias(m, d);
}

/// Energy at the configuration, or zero where neither the model nor a sensor asks for it.
pub(crate) fn position_energy(m: &Model<impl Storage>, d: &mut World<'_>) {
    if d.head.flg_energypos != 0 {
        return;
    }
    if m.opt.enabled(EnableBit::Energy) {
        energy_pos(m, d);
    } else {
        d.head.energy = [0.0; 2];
    }
}

/// Kinetic energy where the model asks for it.
pub(crate) fn velocity_energy(m: &Model<impl Storage>, d: &mut World<'_>) {
    if m.opt.enabled(EnableBit::Energy) && d.head.flg_energyvel == 0 {
        energy_vel(m, d);
    }
}

/// The configuration: its results, sensors and energy.
pub(crate) fn position_stage<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    sensors: bool,
    hooks: &mut impl Hooks<S>,
) -> Result<(), StepError> {
    fwd_position(m, d, hooks)?;
    if sensors {
        sensor_pos(m, d, hooks)?;
    }
    position_energy(m, d);
    Ok(())
}

/// What velocity adds: its results, sensors and energy.
pub(crate) fn velocity_stage<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    sensors: bool,
    hooks: &mut impl Hooks<S>,
) -> Result<(), StepError> {
    fwd_velocity(m, d, hooks);
    if sensors {
        sensor_vel(m, d, hooks)?;
    }
    velocity_energy(m, d);
    Ok(())
}

/// All stages after `done`, whose results and those of the stages before it are still right. Without `sensors` those keep
/// their values, as in the later stages of Runge-Kutta. MuJoCo: `mj_forwardSkip`.
pub(crate) fn forward_stage<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    done: Stage,
    sensors: bool,
    hooks: &mut impl Hooks<S>,
) -> Result<(), StepError> {
    if done < Stage::Pos {
        position_stage(m, d, sensors, hooks)?;
    }
    forward_from_velocity(m, d, done, sensors, hooks)
}

/// The stages after those of the configuration, and after `done`.
pub(crate) fn forward_from_velocity<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    done: Stage,
    sensors: bool,
    hooks: &mut impl Hooks<S>,
) -> Result<(), StepError> {
    if done < Stage::Vel {
        velocity_stage(m, d, sensors, hooks)?;
    }
    if !m.opt.disabled(DisableBit::Actuation) {
        d.with_hooks(hooks, |hooks, d| hooks.control(m, d));
    }
    fwd_actuation(m, d, hooks);
    fwd_acceleration(m, d);
    hooks.solve_constraints(m, d)?;
    if sensors {
        d.head.flg_rnepost = 0;
        sensor_acc(m, d, hooks)?;
    }
    check_stopped(hooks)
}

/// An error where a hook gave the step up.
pub(crate) fn check_stopped<S: Storage>(hooks: &impl Hooks<S>) -> Result<(), StepError> {
    if hooks.stopped() { Err(StepError::Stopped) } else { Ok(()) }
}
