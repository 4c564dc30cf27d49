//! Sine, cosine and tangent.

use super::tables::{SINE, STEP};
use super::twofold::Twofold;

/// Angles up to this one, about a million, are reduced here; beyond it the products with parts of [`STEP`] are no longer exact.
const LARGEST: f64 = 1_048_576.0; // 2²⁰
/// Below this size x³/6 is less than half a last bit of x.
const TINY: f64 = 1.0 / 134_217_728.0; // 2⁻²⁷
/// Steps of π/256 in a quarter of the circle.
const QUARTER: usize = 128;

/// Where an angle is on the circle: its sine and cosine at the nearest step of the table, and what is left, at most half a
/// step.
struct Place {
    sine: Twofold,
    cosine: Twofold,
    rest: Twofold,
}

impl Place {
    /// `x = n π/256 + rest`
    #[inline]
    fn of(x: f64) -> Self {
        const STEPS_PER_RADIAN: f64 = 256.0 / core::f64::consts::PI;
        // Adding this number, 1.5 · 2⁵², leaves the nearest integer in the last bits
        const TO_INTEGER: f64 = 6_755_399_441_055_744.0;
        let shifted = x * STEPS_PER_RADIAN + TO_INTEGER;
        let steps = shifted - TO_INTEGER;
        let n = shifted.to_bits() as usize;

        // The first difference has no error, since its terms are close to each other or `steps` is zero
        let near = Twofold::sum(x - steps * STEP[0], -(steps * STEP[1]));
        let rest = Twofold::ordered_sum(near.high, near.low - steps * STEP[2]);
        Self { sine: sine_of_step(n), cosine: sine_of_step(n + QUARTER), rest }
    }

    #[inline]
    fn sin(&self) -> Twofold {
        turned(self.sine, self.cosine, self.rest)
    }

    #[inline]
    fn cos(&self) -> Twofold {
        turned(self.cosine, self.sine.negated(), self.rest)
    }
}

/// Sine of `n π/256`: the second quarter of the circle mirrors the first, the second half has the other sign.
#[inline]
fn sine_of_step(n: usize) -> Twofold {
    let step = n % QUARTER;
    let mirrored = n & QUARTER != 0;
    let entry = SINE[if mirrored { QUARTER - step } else { step }];
    let sign = if n & (2 * QUARTER) != 0 { -1.0 } else { 1.0 };
    Twofold::new(sign * entry.high, sign * entry.low)
}

/// `a cos r + b sin r` for |r| ≤ π/512, by Taylor's series; what is left out is below 2⁻⁷³.
#[inline]
fn turned(a: Twofold, b: Twofold, r: Twofold) -> Twofold {
    // cos r - 1 and sin r - r, which are small: one double is enough for them
    let r2 = r.high * r.high;
    let cosine_less_one = r2 * (-0.5 + r2 * (1.0 / 24.0 - r2 * (1.0 / 720.0)));
    let sine_less_r = r2 * r.high * (-1.0 / 6.0 + r2 * (1.0 / 120.0 - r2 * (1.0 / 5040.0)));

    // a + b r exactly; everything else onto its rest
    let linear = Twofold::product(b.high, r.high);
    let sum = Twofold::sum(a.high, linear.high);
    let small = (a.high * cosine_less_one + b.high * sine_less_r)
        + (b.high * r.low + b.low * r.high + a.low + linear.low + sum.low);
    Twofold::ordered_sum(sum.high, small)
}

/// Sine of an angle in radians.
#[inline]
pub fn sin(x: f64) -> f64 {
    match x.abs() {
        size if size < TINY => x,
        size if size < LARGEST => Place::of(x).sin().rounded(),
        _ => libm::sin(x),
    }
}

/// Cosine of an angle in radians.
#[inline]
pub fn cos(x: f64) -> f64 {
    if x.abs() < LARGEST { Place::of(x).cos().rounded() } else { libm::cos(x) }
}

/// Sine and cosine of an angle in radians, sharing one argument reduction.
#[inline]
pub fn sincos(x: f64) -> (f64, f64) {
    if !(TINY..LARGEST).contains(&x.abs()) {
        return (sin(x), cos(x));
    }
    let place = Place::of(x);
    (place.sin().rounded(), place.cos().rounded())
}

/// Tangent of an angle in radians.
pub fn tan(x: f64) -> f64 {
    match x.abs() {
        size if size < TINY => x,
        size if size < LARGEST => {
            let place = Place::of(x);
            place.sin().over(place.cos()).rounded()
        }
        _ => libm::tan(x),
    }
}
