//! Laws of actuator gains as objects, and the series-elastic actuator.
//!
//! The force of an actuator is `gain · input + bias`; the gains that MuJoCo knows are [`FixedGain`], [`AffineGain`] and [`MuscleGain`]. An actuator with a user's gain
//! (`gaintype="user"`) takes, in this order: the law that the model chooses (`actuator_gain_model`), that of the simulation
//! ([`Hooks::gain`]), a callback ([`Hooks::act_gain`]), or one.
//!
//! # Series elastic
//! A motor turns one end of a spring and damper, the joint the other:
//!
//! ```text
//! force = k (x_m - x) + d (v_m - v),   x_m = gear · ctrl,   v_m = gear · (ctrl - ctrl of the last step) / h
//! ```
//!
//! with the length `x` and velocity `v` of the actuator. The force is the whole law: nothing is multiplied with the input. The last
//! step's control is the one activation of such an actuator; a world begins with zero there, unless a keyframe says something else. Within
//! a step of Runge-Kutta it stays, so that `v_m` is the same in all stages.
#[cfg(feature = "alloc")]
use alloc::{boxed::Box, vec::Vec};

use ferrodyn_math::Real;
use ferrodyn_model::{GainModelType, GainType, Model, Storage};

use super::actuation::last_activation;
use super::muscle::{muscle_gain, muscle_gain_vel};
use crate::World;
use crate::hooks::Hooks;

/// What a gain may depend on.
#[derive(Clone, Copy, Debug)]
pub struct GainInput<'a> {
    /// The actuator.
    pub actuator: usize,
    /// Its length, in m or rad.
    pub length: Real,
    /// The rate of its length.
    pub velocity: Real,
    /// Its last activation; zero where it has none.
    pub activation: Real,
    /// Its control, delayed and limited.
    pub ctrl: Real,
    /// The time step, in s.
    pub timestep: Real,
    /// Its parameters (`actuator_gainprm`).
    pub prm: &'a [Real; 10],
    /// Feasible lengths, of muscles.
    pub lengthrange: &'a [Real; 2],
    /// Acceleration that a unit force causes at `qpos0`, of muscles.
    pub acc0: Real,
}

/// The value of a gain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gain {
    /// The gain, or the force itself.
    pub value: Real,
    /// Its derivative by the velocity of the actuator.
    pub by_velocity: Real,
    /// Is the gain multiplied with the input (control or activation)? Otherwise it is the force.
    pub times_input: bool,
}

impl Gain {
    /// A gain that the input is multiplied with.
    #[inline]
    pub fn times_input(value: Real, by_velocity: Real) -> Gain {
        Gain { value, by_velocity, times_input: true }
    }
}

/// A law of an actuator's gain.
///
/// ```
/// use ferrodyn_dynamics::force::gain::{ActuatorGainModel, GainInput};
/// use ferrodyn_math::Real;
///
/// /// A motor that loses its strength with speed.
/// struct Motor {
///     stall: Real,
///     fastest: Real,
/// }
///
/// impl ActuatorGainModel for Motor {
///     fn gain(&self, at: &GainInput<'_>) -> Real {
///         self.stall * (1.0 - at.velocity / self.fastest)
///     }
///     fn dgain_dvel(&self, _: &GainInput<'_>) -> Real {
///         -self.stall / self.fastest
///     }
/// }
/// ```
pub trait ActuatorGainModel: Send {
    /// The gain; or the force, where [`multiplies_input`](Self::multiplies_input) says no.
    fn gain(&self, at: &GainInput<'_>) -> Real;

    /// Derivative of [`gain`](Self::gain) by the velocity of the actuator, for the implicit integrators.
    fn dgain_dvel(&self, at: &GainInput<'_>) -> Real;

    /// Is the gain multiplied with the input (control or activation)?
    fn multiplies_input(&self, _at: &GainInput<'_>) -> bool {
        true
    }

    /// Value and derivative together; `None` where the law has nothing to say about the actuator.
    #[inline]
    fn evaluate(&self, at: &GainInput<'_>) -> Option<Gain> {
        Some(Gain {
            value: self.gain(at),
            by_velocity: self.dgain_dvel(at),
            times_input: self.multiplies_input(at),
        })
    }
}

/// No law: callbacks decide, or the gain is one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DefaultGain;

impl ActuatorGainModel for DefaultGain {
    fn gain(&self, _at: &GainInput<'_>) -> Real {
        1.0
    }
    fn dgain_dvel(&self, _at: &GainInput<'_>) -> Real {
        0.0
    }
    #[inline(always)]
    fn evaluate(&self, _at: &GainInput<'_>) -> Option<Gain> {
        None
    }
}

/// MuJoCo's `mjGAIN_FIXED`: `prm₀`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FixedGain;

impl ActuatorGainModel for FixedGain {
    fn gain(&self, at: &GainInput<'_>) -> Real {
        at.prm[0]
    }
    fn dgain_dvel(&self, _at: &GainInput<'_>) -> Real {
        0.0
    }
}

/// MuJoCo's `mjGAIN_AFFINE`: `prm₀ + prm₁ length + prm₂ velocity`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AffineGain;

impl ActuatorGainModel for AffineGain {
    fn gain(&self, at: &GainInput<'_>) -> Real {
        at.prm[0] + at.prm[1] * at.length + at.prm[2] * at.velocity
    }
    fn dgain_dvel(&self, at: &GainInput<'_>) -> Real {
        at.prm[2]
    }
}

/// MuJoCo's `mjGAIN_MUSCLE`: force by length times force by velocity.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MuscleGain;

impl ActuatorGainModel for MuscleGain {
    fn gain(&self, at: &GainInput<'_>) -> Real {
        muscle_gain(at.length, at.velocity, at.lengthrange, at.acc0, at.prm)
    }
    fn dgain_dvel(&self, at: &GainInput<'_>) -> Real {
        muscle_gain_vel(at.length, at.velocity, at.lengthrange, at.acc0, at.prm)
    }
}

/// A motor behind a spring and a damper (see the module).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeriesElasticGain {
    /// Stiffness of the spring, in N/m or N m/rad.
    pub k_spring: Real,
    /// Damping beside it, in N s/m or N m s/rad.
    pub damping: Real,
    /// Motion of the motor by that of the control.
    pub gear_ratio: Real,
}

impl SeriesElasticGain {
    /// From the first three parameters of an actuator's gain.
    pub fn from_params(prm: &[Real; 10]) -> SeriesElasticGain {
        SeriesElasticGain { k_spring: prm[0], damping: prm[1], gear_ratio: prm[2] }
    }
}

impl ActuatorGainModel for SeriesElasticGain {
    fn gain(&self, at: &GainInput<'_>) -> Real {
        let turned = if at.timestep > 0.0 { (at.ctrl - at.activation) / at.timestep } else { 0.0 };
        let (place, velocity) = (at.ctrl * self.gear_ratio, turned * self.gear_ratio);
        self.k_spring * (place - at.length) + self.damping * (velocity - at.velocity)
    }
    fn dgain_dvel(&self, _at: &GainInput<'_>) -> Real {
        -self.damping
    }
    fn multiplies_input(&self, _at: &GainInput<'_>) -> bool {
        false
    }
}

/// The gain of one actuator: one of MuJoCo's, or any law.
#[cfg(feature = "alloc")]
pub enum GainDispatch {
    /// One of MuJoCo's; a user's gain is left to callbacks.
    Builtin(GainType),
    /// A law.
    Custom(Box<dyn ActuatorGainModel>),
}

#[cfg(feature = "alloc")]
impl core::fmt::Debug for GainDispatch {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Builtin(kind) => f.debug_tuple("Builtin").field(kind).finish(),
            Self::Custom(_) => f.debug_tuple("Custom").finish_non_exhaustive(),
        }
    }
}

#[cfg(feature = "alloc")]
impl GainDispatch {
    /// A law of the user.
    ///
    /// ```
    /// use ferrodyn_dynamics::force::gain::{GainDispatch, SeriesElasticGain};
    /// let spring = SeriesElasticGain { k_spring: 1000.0, damping: 10.0, gear_ratio: 50.0 };
    /// let gains = [GainDispatch::custom(spring)];
    /// # assert_eq!(format!("{gains:?}"), "[Custom(..)]");
    /// ```
    pub fn custom(law: impl ActuatorGainModel + 'static) -> GainDispatch {
        GainDispatch::Custom(Box::new(law))
    }
}

#[cfg(feature = "alloc")]
impl ActuatorGainModel for GainDispatch {
    fn gain(&self, at: &GainInput<'_>) -> Real {
        self.evaluate(at).map_or(1.0, |gain| gain.value)
    }
    fn dgain_dvel(&self, at: &GainInput<'_>) -> Real {
        self.evaluate(at).map_or(0.0, |gain| gain.by_velocity)
    }
    fn multiplies_input(&self, at: &GainInput<'_>) -> bool {
        self.evaluate(at).is_none_or(|gain| gain.times_input)
    }
    fn evaluate(&self, at: &GainInput<'_>) -> Option<Gain> {
        match self {
            Self::Builtin(GainType::Fixed) => FixedGain.evaluate(at),
            Self::Builtin(GainType::Affine) => AffineGain.evaluate(at),
            Self::Builtin(GainType::Muscle) => MuscleGain.evaluate(at),
            Self::Builtin(GainType::User) => None,
            Self::Custom(law) => law.evaluate(at),
        }
    }
}

/// A law for each actuator, by its number; actuators past the end have none.
#[cfg(feature = "alloc")]
impl ActuatorGainModel for Vec<GainDispatch> {
    fn gain(&self, at: &GainInput<'_>) -> Real {
        self.evaluate(at).map_or(1.0, |gain| gain.value)
    }
    fn dgain_dvel(&self, at: &GainInput<'_>) -> Real {
        self.evaluate(at).map_or(0.0, |gain| gain.by_velocity)
    }
    fn multiplies_input(&self, at: &GainInput<'_>) -> bool {
        self.evaluate(at).is_none_or(|gain| gain.times_input)
    }
    fn evaluate(&self, at: &GainInput<'_>) -> Option<Gain> {
        self.get(at.actuator)?.evaluate(at)
    }
}

/// What the law of a user's gain says, if there is one.
pub(crate) fn law_of_gain<S: Storage>(
    m: &Model<S>,
    d: &World<'_>,
    i: usize,
    ctrl: Real,
    hooks: &mut impl Hooks<S>,
) -> Option<Gain> {
    let at = GainInput {
        actuator: i,
        length: d.actuator_length[i],
        velocity: d.actuator_velocity[i],
        activation: last_activation(m, i).map_or(0.0, |adr| d.act[adr]),
        ctrl,
        timestep: m.opt.timestep,
        prm: &m.actuator_gainprm[i],
        lengthrange: &m.actuator_lengthrange[i],
        acc0: m.actuator_acc0[i],
    };
    match m.gain_model(i) {
        Some(GainModelType::SeriesElastic) => SeriesElasticGain::from_params(at.prm).evaluate(&at),
        Some(GainModelType::Unstated) | None => hooks.gain(&at),
    }
}

/// Is the activation of an actuator the control of the last step?
pub(crate) fn keeps_control(m: &Model<impl Storage>, i: usize) -> bool {
    m.gain_model(i) == Some(GainModelType::SeriesElastic)
}

/// The rate with which the activation becomes the control of this step.
pub(crate) fn control_rate(m: &Model<impl Storage>, d: &World<'_>, i: usize, adr: usize) -> Real {
    let h = m.opt.timestep;
    if h > 0.0 { (d.scratch.ctrl[i] - d.act[adr]) / h } else { 0.0 }
}

/// Take controls of the last step back to what they were at the beginning of this one.
pub(crate) fn keep_controls<T: Copy>(m: &Model<impl Storage>, act: &mut [T], before: &[T]) {
    for i in (0..m.nu).filter(|&i| keeps_control(m, i)) {
        if let Some(adr) = last_activation(m, i) {
            act[adr] = before[adr];
        }
    }
}
