//! The range of lengths that an actuator can reach, found by pulling and pushing.
use alloc::vec;

use ferrodyn_math::{MIN_VAL, Real, exp, norm};
use ferrodyn_model::{BiasType, DisableBit, EnableBit, GainType, Model, TransmissionType};

use crate::OwnedWorld;
use crate::data::reset;
use crate::position::solve_m;
use crate::step::{step1, step2};

/// Which actuators get a length range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LengthRangeMode {
    /// None.
    None,
    /// Muscles.
    Muscle,
    /// Muscles and user-defined actuators.
    MuscleUser,
    /// All.
    All,
}

/// How length ranges are found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LengthRangeOptions {
    /// Which actuators get one.
    pub mode: LengthRangeMode,
    /// Keep a range that is there already.
    pub use_existing: bool,
    /// Take over the limits of a limited joint or tendon.
    pub use_limit: bool,
    /// Acceleration that the force aims at.
    pub accel: Real,
    /// Largest force, 0 for none.
    pub max_force: Real,
    /// Time constant of the damping of velocities, in s.
    pub timeconst: Real,
    /// Time step of the simulation, in s; 0 is that of the model.
    pub timestep: Real,
    /// Time that is simulated, in s.
    pub total: Real,
    /// Time at the end in which lengths are observed, in s.
    pub interval: Real,
    /// Largest change of the observed length, relative to the range.
    pub tolerance: Real,
}

/// Those of MuJoCo's `mj_defaultLROpt`.
impl Default for LengthRangeOptions {
    fn default() -> Self {
        Self {
            mode: LengthRangeMode::Muscle,
            use_existing: true,
            use_limit: false,
            accel: 20.0,
            max_force: 0.0,
            timeconst: 1.0,
            timestep: 0.01,
            total: 10.0,
            interval: 2.0,
            tolerance: 0.05,
        }
    }
}

/// Why a length range could not be found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LengthRangeError {
    /// The simulation became unstable.
    Unstable,
    /// The longest length is not above the shortest.
    Empty(Real, Real),
    /// The length still changes at the end of the simulation.
    NotConverged(Real, Real),
}

impl core::fmt::Display for LengthRangeError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Unstable => write!(f, "the simulation of the length range is unstable"),
            Self::Empty(min, max) => write!(f, "the length range ({min}, {max}) is empty"),
            Self::NotConverged(min, max) => {
                write!(f, "the length did not converge: it changes between {min} and {max}")
            }
        }
    }
}

impl core::error::Error for LengthRangeError {}

/// Does the mode choose an actuator, and is its range not there yet?
fn is_wanted(m: &Model, i: usize, options: &LengthRangeOptions) -> bool {
    let muscle =
        m.gain_kind(i) == Some(GainType::Muscle) || m.bias_kind(i) == Some(BiasType::Muscle);
    let user = m.gain_kind(i) == Some(GainType::User) || m.bias_kind(i) == Some(BiasType::User);
    let chosen = match options.mode {
        LengthRangeMode::None => false,
        LengthRangeMode::Muscle => muscle,
        LengthRangeMode::MuscleUser => muscle || user,
        LengthRangeMode::All => true,
    };
    let [min, max] = m.actuator_lengthrange[i];
    chosen && !(options.use_existing && min < max)
}

/// The limits of the joint or tendon that an actuator drives. MuJoCo takes the object from the list
/// of pairs of objects as if it had one for each actuator.
fn target_limits(m: &Model, i: usize) -> Option<[Real; 2]> {
    let target = usize::try_from(m.actuator_trnid[i / 2][i % 2]).ok()?;
    match m.transmission_kind(i) {
        Some(TransmissionType::Joint | TransmissionType::JointInParent) => {
            (*m.jnt_limited.get(target)? != 0).then(|| m.jnt_range[target])
        }
        Some(TransmissionType::Tendon) => {
            (*m.tendon_limited.get(target)? != 0).then(|| m.tendon_range[target])
        }
        Some(
            TransmissionType::SliderCrank
            | TransmissionType::Site
            | TransmissionType::Body
            | TransmissionType::Undefined,
        )
        | None => None,
    }
}

/// Find the length range of an actuator, if the options choose it.
///
/// The model is pulled and pushed by a force along the actuator that causes a given acceleration,
/// without gravity, springs, dampers, friction, contacts and other actuators, until its length
/// comes to rest at one end and then at the other. MuJoCo: `mj_setLengthRange`.
pub fn set_length_range(
    m: &mut Model,
    i: usize,
    options: &LengthRangeOptions,
) -> Result<(), LengthRangeError> {
    if !is_wanted(m, i, options) {
        return Ok(());
    }
    if options.use_limit
        && let Some(range) = target_limits(m, i)
    {
        m.actuator_lengthrange[i] = range;
        return Ok(());
    }
    let saved = m.opt.clone();
    m.opt.enableflags &= !(EnableBit::Sleep as i32);
    m.opt.disableflags = [
        DisableBit::FrictionLoss,
        DisableBit::Contact,
        DisableBit::Spring,
        DisableBit::Damper,
        DisableBit::Gravity,
        DisableBit::Actuation,
    ]
    .iter()
    .fold(0, |bits, bit| bits | *bit as i32);
    if options.timestep > 0.0 {
        m.opt.timestep = options.timestep;
    }
    let mut data = OwnedWorld::new(m);
    let found = [-1.0, 1.0].map(|side| observe(m, &mut data, i, side, options));
    m.opt = saved;
    let [shortening, lengthening] = found;
    let (shortening, lengthening) = (shortening?, lengthening?);
    let range = [shortening[0], lengthening[1]];
    m.actuator_lengthrange[i] = range;
    let width = range[1] - range[0];
    if width <= 0.0 {
        return Err(LengthRangeError::Empty(range[0], range[1]));
    }
    for [min, max] in [shortening, lengthening] {
        if max - min > options.tolerance * width {
            return Err(LengthRangeError::NotConverged(min, max));
        }
    }
    Ok(())
}

/// Simulate with a force to one side; the shortest and longest length at the end.
fn observe(
    m: &Model,
    data: &mut OwnedWorld,
    i: usize,
    side: Real,
    options: &LengthRangeOptions,
) -> Result<[Real; 2], LengthRangeError> {
    reset(m, data).map_err(|_| LengthRangeError::Unstable)?;
    let mut range: Option<[Real; 2]> = None;
    // velocities fade with the time constant, which is 0.01 s at least (MuJoCo's)
    let decay = exp(-m.opt.timestep / options.timeconst.max(0.01));
    let mut moment = vec![0.0; m.nv];
    let mut acceleration = vec![0.0; m.nv];
    while data.time() < options.total {
        let before = data.time();
        for v in data.view_mut().qvel.iter_mut() {
            *v *= decay;
        }
        step1(m, data, None).map_err(|_| LengthRangeError::Unstable)?;
        {
            let d = &mut data.view_mut();
            moment.fill(0.0);
            let start = d.moment_rowadr[i] as usize;
            for adr in start..start + d.moment_rownnz[i] as usize {
                moment[d.moment_colind[adr] as usize] = d.actuator_moment[adr];
            }
            acceleration.copy_from_slice(&moment);
            solve_m(m, d, &mut acceleration);
            let scale = side * options.accel / norm(&acceleration).max(MIN_VAL);
            for (f, x) in d.qfrc_applied.iter_mut().zip(&moment) {
                *f = x * scale;
            }
            let force = norm(d.qfrc_applied);
            if options.max_force > 0.0 && force > options.max_force {
                let less = options.max_force / force.max(MIN_VAL);
                d.qfrc_applied.iter_mut().for_each(|f| *f *= less);
            }
        }
        step2(m, data, None).map_err(|_| LengthRangeError::Unstable)?;
        let length = data.view_mut().actuator_length[i];
        // a world that diverged was reset
        if data.time() == 0.0 || data.time() <= before || !length.is_finite() {
            return Err(LengthRangeError::Unstable);
        }
        if data.time() > options.total - options.interval {
            let [min, max] = range.unwrap_or([length, length]);
            range = Some([min.min(length), max.max(length)]);
        }
    }
    Ok(range.unwrap_or_default())
}
