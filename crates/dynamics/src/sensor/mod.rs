//! Sensors, by the stage after which they can be computed.
//!
//! Every kind writes its values into a slice of `sensordata`. A sensor with a history reads its
//! value from there where it is delayed or not due; quantities that only sensors need
//! (`subtree_linvel`, `cacc`, energies) are computed when the first sensor asks for them.
mod camera;
mod contact;
pub(crate) mod energy;
mod frame;
mod geom_pair;
mod inside;
mod limit;
pub(crate) mod post;
mod rangefinder;
mod tactile;
mod touch;
mod value;

use ferrodyn_math::Real;
use ferrodyn_model::{DataType, DisableBit, Model, ObjType, SensorType, Stage, Storage};

use crate::contact::{distance_words, ray_words};
use crate::force::delay::read_history;
use crate::hooks::Hooks;
use crate::sleep::{is_asleep, some_asleep};
use crate::{StepError, World, plugin};
pub use energy::{energy_pos, energy_vel};
pub use post::{object_acceleration, rne_post_constraint, subtree_vel};

/// Compute the sensors that depend on the configuration. MuJoCo: `mj_sensorPos`.
pub fn sensor_pos<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    hooks: &mut impl Hooks<S>,
) -> Result<(), StepError> {
    stage_sensors(m, d, Stage::Pos, hooks)
}

/// Compute the sensors that depend on configuration and velocity. MuJoCo: `mj_sensorVel`.
pub fn sensor_vel<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    hooks: &mut impl Hooks<S>,
) -> Result<(), StepError> {
    stage_sensors(m, d, Stage::Vel, hooks)
}

/// Compute the sensors that depend on accelerations and forces. MuJoCo: `mj_sensorAcc`.
pub fn sensor_acc<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    hooks: &mut impl Hooks<S>,
) -> Result<(), StepError> {
    stage_sensors(m, d, Stage::Acc, hooks)
}

/// The value of a sensor at a time, as delayed; without a history its current value.
///
/// A negative `interpolation` means that of the model. MuJoCo: `mj_readSensor`.
pub fn read_sensor(
    m: &Model<impl Storage>,
    d: &World<'_>,
    sensor: usize,
    t: Real,
    interpolation: i32,
    result: &mut [Real],
) {
    if m.sensor_history[sensor][0] <= 0 {
        put(result, &d.sensordata[m.sensor_values(sensor)]);
    } else {
        read_history(m, d, sensor, t, interpolation, result);
    }
}

/// Copy values, as many as there is room for.
fn put(out: &mut [Real], values: &[Real]) {
    for (o, v) in out.iter_mut().zip(values) {
        *o = *v;
    }
}

fn kind(m: &Model<impl Storage>, sensor: usize) -> Option<SensorType> {
    m.sensor_kind(sensor)
}

/// The sensed object: kind and number.
fn object(m: &Model<impl Storage>, sensor: usize) -> (ObjType, usize) {
    let kind = ObjType::try_from(m.sensor_objtype[sensor]).unwrap_or(ObjType::Unknown);
    (kind, m.sensor_objid[sensor].max(0) as usize)
}

/// The reference object, if there is one.
fn reference(m: &Model<impl Storage>, sensor: usize) -> Option<(ObjType, usize)> {
    let id = usize::try_from(m.sensor_refid[sensor]).ok()?;
    Some((ObjType::try_from(m.sensor_reftype[sensor]).ok()?, id))
}

fn stage_sensors<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    stage: Stage,
    hooks: &mut impl Hooks<S>,
) -> Result<(), StepError> {
    if m.opt.disabled(DisableBit::Sensor) {
        return Ok(());
    }
    let filtered = some_asleep(m, d.head);
    let mut user = false;
    for i in 0..m.nsensor {
        if m.sensor_needstage[i] != stage as i32 {
            continue;
        }
        if filtered && is_asleep(m, d, ObjType::Sensor, i) {
            continue;
        }
        let sensordata = core::mem::take(&mut d.sensordata);
        let out = &mut sensordata[m.sensor_values(i)];
        let mut outcome = Ok(());
        match kind(m, i) {
            None | Some(SensorType::Plugin) => {}
            Some(SensorType::User) => {
                // a user may need these, and fills in the values afterwards
                user = true;
                prepare(m, d, stage);
                out.fill(0.0);
            }
            Some(_) => outcome = compute_or_read(m, d, i, out),
        }
        d.sensordata = sensordata;
        outcome?;
    }
    if user {
        user_sensors(m, d, stage, hooks);
    }
    if stage == Stage::Acc {
        plugin::touch_grids(m, d);
    }
    Ok(())
}

/// Words of temporary memory for all sensors of a model, with so many contacts.
pub(crate) fn most_words(m: &Model<impl Storage>, ncon: usize) -> usize {
    let words = |sensor: usize| match kind(m, sensor) {
        Some(SensorType::Contact) => contact::words(ncon),
        Some(SensorType::Tactile) => tactile::words(ncon),
        Some(SensorType::Rangefinder) => ray_words(m),
        Some(SensorType::GeomDist | SensorType::GeomNormal | SensorType::GeomFromTo) => {
            distance_words(m)
        }
        _ => 0,
    };
    (0..m.nsensor).map(words).max().unwrap_or(0)
}

/// Let the user fill in the sensors of a stage, and apply their cutoffs.
fn user_sensors<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    stage: Stage,
    hooks: &mut impl Hooks<S>,
) {
    d.with_hooks(hooks, |hooks, d| hooks.sensor(m, d, stage));
    for i in 0..m.nsensor {
        if kind(m, i) == Some(SensorType::User) && m.sensor_needstage[i] == stage as i32 {
            apply_cutoff(m, i, &mut d.sensordata[m.sensor_values(i)]);
        }
    }
}

/// Compute what sensors of a stage may ask for, unless it is up to date.
pub(crate) fn prepare(m: &Model<impl Storage>, d: &mut World<'_>, stage: Stage) {
    if stage == Stage::Vel && d.head.flg_subtreevel == 0 {
        subtree_vel(m, d);
    }
    if stage == Stage::Acc && d.head.flg_rnepost == 0 {
        rne_post_constraint(m, d);
    }
}

/// The value of a sensor now: computed, or read from its history where it is delayed or not due.
/// MuJoCo: `compute_or_read_sensor`.
fn compute_or_read(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    i: usize,
    out: &mut [Real],
) -> Result<(), StepError> {
    let delayed = m.sensor_delay[i] > 0.0;
    let period = m.sensor_interval[i][0];
    let waiting = || {
        let last = d.history[m.sensor_historyadr[i] as usize];
        period > 0.0 && last + period > d.head.time
    };
    if m.sensor_history[i][0] > 0 && (delayed || waiting()) {
        read_history(m, d, i, d.head.time, -1, out);
        Ok(())
    } else {
        compute_sensor(m, d, i, out)
    }
}

/// Compute the value of one sensor, within its cutoff. MuJoCo: `mj_computeSensor`.
pub(crate) fn compute_sensor(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    i: usize,
    out: &mut [Real],
) -> Result<(), StepError> {
    let Some(kind) = kind(m, i) else { return Ok(()) };
    // a program may have moved the sensor to a stage in which its kind is not known
    if m.sensor_needstage[i] == kind.info().stage as i32 {
        value::compute(m, d, i, kind, out)?;
    }
    apply_cutoff(m, i, out);
    Ok(())
}

/// Limit the values to the cutoff: both sides of real data, the upper side of positive data.
pub(crate) fn apply_cutoff(m: &Model<impl Storage>, i: usize, out: &mut [Real]) {
    let cutoff = m.sensor_cutoff[i];
    let ignored = matches!(kind(m, i), Some(SensorType::Contact | SensorType::GeomFromTo));
    if cutoff <= 0.0 || ignored {
        return;
    }
    match DataType::try_from(m.sensor_datatype[i]) {
        Ok(DataType::Real) => out.iter_mut().for_each(|x| *x = x.max(-cutoff).min(cutoff)),
        Ok(DataType::Positive) => out.iter_mut().for_each(|x| *x = x.min(cutoff)),
        // directions have no size to be cut
        Ok(DataType::Axis | DataType::Quaternion) | Err(_) => {}
    }
}
