//! Sine, cosine and tangent.

use super::tables::{SINE, STEP};
use super::twofold::{Double, Twofold};

/// Angles up to this one, about a million, are reduced here; beyond it the products with parts of [`STEP`] are no longer exact.
const LARGEST: f64 = 1_048_576.0; // 2²⁰
/// Below this size x³/6 is less than half a last bit of x.
const TINY: f64 = 1.0 / 134_217_728.0; // 2⁻²⁷
/// Steps of π/256 in a quarter of the circle.
const QUARTER: usize = 128;

/// Where an angle is on the circle: its sine and cosine at the nearest step of the table, and what is left, at most half a
/// step.
struct Place<T = f64> {
    sine: Twofold<T>,
    cosine: Twofold<T>,
    rest: Twofold<T>,
}

/// `x = n π/256 + rest`; `n` is in the last bits of the first result.
#[inline(always)]
fn reduced<T: Double>(x: T) -> (T, Twofold<T>) {
    const STEPS_PER_RADIAN: f64 = 256.0 / core::f64::consts::PI;
    // Adding this number, 1.5 · 2⁵², leaves the nearest integer in the last bits
    const TO_INTEGER: f64 = 6_755_399_441_055_744.0;
    let shifted = x * T::of(STEPS_PER_RADIAN) + T::of(TO_INTEGER);
    let steps = shifted - T::of(TO_INTEGER);

    // The first difference has no error, since its terms are close to each other or `steps` is zero
    let near = Twofold::sum(x - steps * T::of(STEP[0]), (steps * T::of(STEP[1])).negative());
    (shifted, Twofold::ordered_sum(near.high, near.low - steps * T::of(STEP[2])))
}

impl Place {
    #[inline]
    fn of(x: f64) -> Self {
        let (shifted, rest) = reduced(x);
        let n = shifted.to_bits() as usize;
        Self { sine: sine_of_step(n), cosine: sine_of_step(n + QUARTER), rest }
    }
}

impl<T: Double> Place<T> {
    #[inline]
    fn sin(&self) -> Twofold<T> {
        turned(self.sine, self.cosine, self.rest)
    }

    #[inline]
    fn cos(&self) -> Twofold<T> {
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
fn turned<T: Double>(a: Twofold<T>, b: Twofold<T>, r: Twofold<T>) -> Twofold<T> {
    // cos r - 1 and sin r - r, which are small: one double is enough for them
    let r2 = r.high * r.high;
    let number = T::of;
    let cosine_less_one =
        r2 * (number(-0.5) + r2 * (number(1.0 / 24.0) - r2 * number(1.0 / 720.0)));
    let sine_less_r =
        r2 * r.high * (number(-1.0 / 6.0) + r2 * (number(1.0 / 120.0) - r2 * number(1.0 / 5040.0)));

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

/// [`sincos`] of four angles: the same operations side by side.
#[cfg(not(feature = "f32"))]
#[inline]
pub(crate) fn sincos_four(x: ::wide::f64x4) -> (::wide::f64x4, ::wide::f64x4) {
    use ::wide::{CmpLt, f64x4};
    let size = x.abs();
    if !size.cmp_lt(f64x4::splat(LARGEST)).all() {
        let each = x.to_array().map(sincos);
        return (f64x4::new(each.map(|y| y.0)), f64x4::new(each.map(|y| y.1)));
    }
    let (shifted, rest) = reduced(x);
    let steps = shifted.to_array().map(|shifted| shifted.to_bits() as usize);
    let at = |shift: usize| {
        let entries = steps.map(|n| sine_of_step(n + shift));
        let (high, low) = (entries.map(|entry| entry.high), entries.map(|entry| entry.low));
        Twofold::new(f64x4::new(high), f64x4::new(low))
    };
    let place = Place { sine: at(0), cosine: at(QUARTER), rest };
    let sine = size.cmp_lt(f64x4::splat(TINY)).blend(x, place.sin().rounded());
    (sine, place.cos().rounded())
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
