//! Buffers of past values, for delayed controls and sensors.
//!
//! A buffer holds a user value, the cursor of the newest sample, `n` times and `n` samples, in a
//! ring that is sorted by time.
use ferrodyn_math::{MIN_VAL, Real, ceil};
use ferrodyn_model::{Model, Storage};

use crate::sensor::compute_sensor;
use crate::{StepError, World};

/// A view of a buffer.
struct Ring<'a> {
    cursor: usize,
    times: &'a [Real],
    values: &'a [Real],
    dim: usize,
}

/// Place of the sample with a given number: 0 is the oldest, `n - 1` the newest.
fn place(cursor: usize, n: usize, age: usize) -> usize {
    (cursor + 1 + age) % n
}

/// The number of the first sample that is not before `t`; `n` where all are.
fn find(times: &[Real], cursor: usize, t: Real) -> usize {
    let n = times.len();
    let at = |age: usize| times[place(cursor, n, age)];
    if t <= at(0) {
        return 0;
    }
    if t > at(n - 1) {
        return n;
    }
    let (mut low, mut high) = (0, n - 1);
    while high - low > 1 {
        let middle = (low + high) / 2;
        if at(middle) < t {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

impl<'a> Ring<'a> {
    fn new(buffer: &'a [Real], n: usize, dim: usize) -> Ring<'a> {
        Ring {
            cursor: (buffer[1] as usize).min(n - 1),
            times: &buffer[2..2 + n],
            values: &buffer[2 + n..2 + n + n * dim],
            dim,
        }
    }

    fn time(&self, age: usize) -> Real {
        self.times[place(self.cursor, self.times.len(), age)]
    }

    fn value(&self, age: usize, k: usize) -> Real {
        self.values[place(self.cursor, self.times.len(), age) * self.dim + k]
    }

    /// The value at a time: held, linear or by cubic splines between samples, constant outside.
    fn read(&self, t: Real, interpolation: i32, result: &mut [Real]) {
        let n = self.times.len();
        let mut take = |age: usize| {
            for (k, r) in result.iter_mut().enumerate() {
                *r = self.value(age, k);
            }
        };
        if t <= self.time(0) + MIN_VAL {
            return take(0);
        }
        if t >= self.time(n - 1) - MIN_VAL {
            return take(n - 1);
        }
        let i = find(self.times, self.cursor, t);
        if (t - self.time(i)).abs() < MIN_VAL {
            return take(i);
        }
        if interpolation == 0 {
            return take(i - 1);
        }
        let dt = self.time(i) - self.time(i - 1);
        let x = (t - self.time(i - 1)) / dt;
        for (k, r) in result.iter_mut().enumerate() {
            let (low, high) = (self.value(i - 1, k), self.value(i, k));
            *r = if interpolation == 1 {
                low + x * (high - low)
            } else {
                // Catmull-Rom slopes, zero at both ends of the buffer
                let slope = |from: usize, to: usize| {
                    (self.value(to, k) - self.value(from, k)) / (self.time(to) - self.time(from))
                };
                let low_slope = if i > 1 { slope(i - 2, i) } else { 0.0 };
                let high_slope = if i < n - 1 { slope(i - 1, i + 1) } else { 0.0 };
                let (x2, x3) = (x * x, x * x * x);
                (2.0 * x3 - 3.0 * x2 + 1.0) * low
                    + (x3 - 2.0 * x2 + x) * dt * low_slope
                    + (-2.0 * x3 + 3.0 * x2) * high
                    + (x3 - x2) * dt * high_slope
            };
        }
    }
}

/// Make room for a sample at a time, dropping the oldest; where its values go.
fn insert(buffer: &mut [Real], n: usize, dim: usize, t: Real) -> core::ops::Range<usize> {
    let cursor = (buffer[1] as usize).min(n - 1);
    let (head, values) = buffer.split_at_mut(2 + n);
    let (head, times) = head.split_at_mut(2);
    let i = find(times, cursor, t);
    let slot = |at: usize| 2 + n + at * dim..2 + n + (at + 1) * dim;
    if i < n {
        let at = place(cursor, n, i);
        if (t - times[at]).abs() < MIN_VAL {
            return slot(at);
        }
    }
    let at = if i == 0 {
        place(cursor, n, 0)
    } else if i == n {
        let next = (cursor + 1) % n;
        head[1] = next as Real;
        next
    } else {
        for age in 0..i - 1 {
            let (from, to) = (place(cursor, n, age + 1), place(cursor, n, age));
            times[to] = times[from];
            values.copy_within(from * dim..(from + 1) * dim, to * dim);
        }
        place(cursor, n, i - 1)
    };
    times[at] = t;
    slot(at)
}

/// The control of an actuator at a time, as delayed. MuJoCo: `mj_readCtrl`.
pub fn read_ctrl(
    m: &Model<impl Storage>,
    d: &World<'_>,
    actuator: usize,
    t: Real,
    interpolation: i32,
) -> Real {
    let [n, own] = m.actuator_history[actuator];
    if n == 0 {
        return d.ctrl[actuator];
    }
    let interpolation = if interpolation < 0 { own } else { interpolation };
    let buffer = &d.history[m.actuator_historyadr[actuator] as usize..];
    let mut result = [0.0];
    Ring::new(buffer, n as usize, 1).read(
        t - m.actuator_delay[actuator],
        interpolation,
        &mut result,
    );
    result[0]
}

/// Put the controls of this step into their buffers.
pub(crate) fn store_controls(m: &Model<impl Storage>, d: &mut World<'_>) {
    for i in 0..m.nu {
        let n = m.actuator_history[i][0] as usize;
        if n > 0 {
            let buffer = &mut d.history[m.actuator_historyadr[i] as usize..];
            let slot = insert(buffer, n, 1, d.head.time);
            buffer[slot.start] = d.ctrl[i];
        }
    }
}

/// Past values of a sensor, at a time less its delay.
pub(crate) fn read_history(
    m: &Model<impl Storage>,
    d: &World<'_>,
    sensor: usize,
    t: Real,
    interpolation: i32,
    result: &mut [Real],
) {
    let [n, own] = m.sensor_history[sensor];
    let interpolation = if interpolation < 0 { own } else { interpolation };
    let buffer = &d.history[m.sensor_historyadr[sensor] as usize..];
    let ring = Ring::new(buffer, n as usize, m.sensor_values(sensor).len());
    ring.read(t - m.sensor_delay[sensor], interpolation, result);
}

/// Put the sensor values of this step into their buffers, where they are due.
pub(crate) fn store_sensors(m: &Model<impl Storage>, d: &mut World<'_>) -> Result<(), StepError> {
    if m.nhistory == 0 {
        return Ok(());
    }
    let history = core::mem::take(&mut d.history);
    let mut outcome = Ok(());
    for i in 0..m.nsensor {
        let n = m.sensor_history[i][0] as usize;
        if n == 0 {
            continue;
        }
        let range = m.sensor_values(i);
        let buffer = &mut history[m.sensor_historyadr[i] as usize..];
        let period = m.sensor_interval[i][0];
        if period > 0.0 {
            if buffer[0] + period > d.head.time {
                continue;
            }
            buffer[0] += period;
        }
        let slot = insert(buffer, n, range.len(), d.head.time);
        if m.sensor_delay[i] > 0.0 {
            // `sensordata` holds an old value
            outcome = outcome.and(compute_sensor(m, d, i, &mut buffer[slot]));
        } else {
            buffer[slot].copy_from_slice(&d.sensordata[range]);
        }
    }
    d.history = history;
    outcome
}

/// Fill the buffer of an actuator; without `times` those of the buffer stay, without `samples` its values.
/// MuJoCo: `mj_initCtrlHistory`.
pub fn init_ctrl_history(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    actuator: usize,
    times: Option<&[Real]>,
    samples: Option<&[Real]>,
) -> Result<(), StepError> {
    let n = m.actuator_history[actuator][0] as usize;
    if n == 0 {
        return Err(StepError::NoHistory("actuator", actuator));
    }
    let buffer = &mut d.history[m.actuator_historyadr[actuator] as usize..];
    let user = buffer[0];
    init_buffer(buffer, n, 1, times, samples, user)
}

/// Fill the buffer of a sensor, as [`init_ctrl_history`]; `phase` is the time of its last sample.
/// MuJoCo: `mj_initSensorHistory`.
pub fn init_sensor_history(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    sensor: usize,
    times: Option<&[Real]>,
    samples: Option<&[Real]>,
    phase: Real,
) -> Result<(), StepError> {
    let n = m.sensor_history[sensor][0] as usize;
    if n == 0 {
        return Err(StepError::NoHistory("sensor", sensor));
    }
    let buffer = &mut d.history[m.sensor_historyadr[sensor] as usize..];
    init_buffer(buffer, n, m.sensor_values(sensor).len(), times, samples, phase)
}

fn init_buffer(
    buffer: &mut [Real],
    n: usize,
    dim: usize,
    times: Option<&[Real]>,
    samples: Option<&[Real]>,
    user: Real,
) -> Result<(), StepError> {
    let length = |found: usize, expected: usize| {
        if found == expected { Ok(()) } else { Err(StepError::HistoryLength { found, expected }) }
    };
    length(times.map_or(n, <[Real]>::len), n)?;
    length(samples.map_or(n * dim, <[Real]>::len), n * dim)?;
    let increasing = |t: &[Real]| t.windows(2).all(|pair| pair[1] - pair[0] >= MIN_VAL);
    if !increasing(times.unwrap_or(&buffer[2..2 + n])) {
        return Err(StepError::HistoryOrder);
    }
    buffer[0] = user;
    buffer[1] = (n - 1) as Real;
    if let Some(times) = times {
        buffer[2..2 + n].copy_from_slice(times);
    }
    if let Some(samples) = samples {
        buffer[2 + n..2 + n + n * dim].copy_from_slice(samples);
    }
    Ok(())
}

/// Fill all buffers with zeros at past times.
pub(crate) fn reset_history(m: &Model<impl Storage>, d: &mut World<'_>) {
    let dt = m.opt.timestep;
    for i in 0..m.nu {
        let n = m.actuator_history[i][0] as usize;
        if n > 0 {
            let buffer = &mut d.history[m.actuator_historyadr[i] as usize..];
            buffer[0] = 0.0;
            buffer[1] = (n - 1) as Real;
            for j in 0..n {
                buffer[2 + j] = -((n - j) as Real) * dt;
            }
        }
    }
    for i in 0..m.nsensor {
        let n = m.sensor_history[i][0] as usize;
        if n == 0 {
            continue;
        }
        let [period, phase] = m.sensor_interval[i];
        let buffer = &mut d.history[m.sensor_historyadr[i] as usize..];
        // the time of the last sample: with no phase the first one is taken at time zero
        let start = if phase == 0.0 { -period } else { phase };
        buffer[0] = if period > 0.0 { start } else { -dt };
        buffer[1] = (n - 1) as Real;
        for j in 0..n {
            buffer[2 + j] = if period > 0.0 {
                ceil((start - (n - 1 - j) as Real * period) / dt) * dt
            } else {
                -((n - j) as Real) * dt
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A buffer with samples at 0, 1, 2 and values 0, 10, 40.
    fn buffer() -> [Real; 8] {
        [0.0, 2.0, 0.0, 1.0, 2.0, 0.0, 10.0, 40.0]
    }

    fn read(buffer: &[Real], t: Real, interpolation: i32) -> Real {
        let mut result = [0.0];
        Ring::new(buffer, 3, 1).read(t, interpolation, &mut result);
        result[0]
    }

    #[test]
    fn values_are_held_interpolated_and_constant_outside() {
        let b = buffer();
        assert_eq!([read(&b, 1.5, 0), read(&b, 1.5, 1), read(&b, 1.0, 2)], [10.0, 25.0, 10.0]);
        assert_eq!([read(&b, -1.0, 1), read(&b, 9.0, 2)], [0.0, 40.0]);
        // slopes 20 and 0
        assert_eq!(read(&b, 1.5, 2), 25.0 + 0.125 * 20.0);
    }

    #[test]
    fn the_oldest_sample_makes_room() {
        let mut b = buffer();
        let slot = insert(&mut b, 3, 1, 3.0);
        b[slot.start] = 90.0;
        assert_eq!([read(&b, 0.0, 0), read(&b, 3.0, 0)], [10.0, 90.0]);
        let slot = insert(&mut b, 3, 1, 2.5);
        b[slot.start] = 60.0;
        assert_eq!([read(&b, 0.0, 0), read(&b, 2.5, 0), read(&b, 3.0, 0)], [40.0, 60.0, 90.0]);
    }
}
