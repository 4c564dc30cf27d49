//! Arc sine, arc cosine, and the angle of a point.

use super::tables::{ARC, SINE, STEP};
use super::twofold::Twofold;

const HALF_TURN: Twofold = Twofold::new(core::f64::consts::PI, 1.224_646_799_147_353_2e-16);
const QUARTER_TURN: Twofold = Twofold::new(core::f64::consts::FRAC_PI_2, 6.123_233_995_736_766e-17);

/// Coordinates of these sizes, 2⁻⁵⁰⁰ to 2⁵⁰⁰, leave room for the products below.
const SIZES: core::ops::Range<f64> = 3.054_936_363_499_605e-151..3.273_390_607_896_142e150;

/// Angle of the point (x, y), in radians.
pub fn atan2(y: f64, x: f64) -> f64 {
    if !SIZES.contains(&y.abs()) || !SIZES.contains(&x.abs()) {
        return libm::atan2(y, x);
    }
    let point = [Twofold::new(x.abs(), 0.0), Twofold::new(y.abs(), 0.0)];
    angle(point, [x, y], arc_tangent)
}

/// Angle in radians whose sine is `x`, for `x` between -1 and 1.
pub fn asin(x: f64) -> f64 {
    if !has_angle(x) {
        return libm::asin(x);
    }
    angle([other_side(x), Twofold::new(x.abs(), 0.0)], [1.0, x], arc_sine)
}

/// Angle in radians whose cosine is `x`, for `x` between -1 and 1.
pub fn acos(x: f64) -> f64 {
    if !has_angle(x) {
        return libm::acos(x);
    }
    angle([Twofold::new(x.abs(), 0.0), other_side(x)], [x, 1.0], arc_sine)
}

/// What is neither tiny (then `x` or π/2 is the answer) nor the end of the range, nor beyond it.
#[inline]
fn has_angle(x: f64) -> bool {
    const TINY: f64 = 1.0 / 134_217_728.0; // 2⁻²⁷
    (TINY..1.0).contains(&x.abs())
}

/// `√(1 − x²)`
#[inline]
fn other_side(x: f64) -> Twofold {
    let square = Twofold::product(x, x);
    let difference = Twofold::sum(1.0, -square.high);
    let rest = difference.low - square.low;
    // one Newton step makes up for the rounding of the root
    let root = libm::sqrt(difference.high + rest);
    let back = Twofold::product(root, root);
    let missing = ((difference.high - back.high) - back.low) + rest;
    Twofold::new(root, missing / (2.0 * root))
}

/// Angle of a point, given the sizes of its coordinates, numbers with their signs, and the function for points near the axis.
/// The arc from the nearest axis is measured, and added to the angle of that axis or taken from it.
#[inline]
fn angle([x, y]: [Twofold; 2], sign: [f64; 2], arc: fn(Twofold, Twofold) -> Twofold) -> f64 {
    // octant of the point
    let steep = y.high > x.high;
    let left = sign[0] < 0.0;
    let arc = if steep { arc(x, y) } else { arc(y, x) };
    let axis = match (steep, left) {
        (true, _) => QUARTER_TURN,
        (false, true) => HALF_TURN,
        (false, false) => Twofold::new(0.0, 0.0),
    };
    let upper = axis.plus(if steep != left { arc.negated() } else { arc });
    libm::copysign(upper.rounded(), sign[1])
}

/// Arc sine of `y` for a point on the unit circle with 0 < y ≤ x: from the nearest step `θ = n π/256`, and from what is left,
/// `asin y = θ + asin d`, `d = y cos θ − x sin θ`.
#[inline]
fn arc_sine(y: Twofold, x: Twofold) -> Twofold {
    const STEPS_PER_RADIAN: f64 = 256.0 / core::f64::consts::PI;
    const QUARTER: usize = 128;
    // Good to a tenth of a step: the series' first two terms, and a third that is right at 45°
    let y2 = y.high * y.high;
    let guess = y.high * (1.0 + y2 * (1.0 / 6.0 + y2 * 0.109_55));
    let n = (guess * STEPS_PER_RADIAN + 0.5) as usize;
    let d = y.product_with(SINE[QUARTER - n]).plus(x.product_with(SINE[n]).negated());

    // |d| is at most 2⁻⁷; what the series leaves out is below 2⁻⁷⁵ of d
    let d2 = d.high * d.high;
    let series = 1.0 / 6.0 + d2 * (3.0 / 40.0 + d2 * (15.0 / 336.0 + d2 * (105.0 / 3456.0)));
    let steps = n as f64;
    let angle = Twofold::ordered_sum(steps * STEP[0], steps * STEP[1]);
    let sum = Twofold::sum(angle.high, d.high);
    let small = d2 * d.high * series + (d.low + sum.low + angle.low + steps * STEP[2]);
    Twofold::ordered_sum(sum.high, small)
}

/// Arc tangent of `y / x`, for 0 < y ≤ x: from the nearest of 64 slopes `c`, and from what is left,
/// `atan(y/x) = atan c + atan t`, `t = (y − c x) / (x + c y)`.
#[inline]
fn arc_tangent(y: Twofold, x: Twofold) -> Twofold {
    const SLOPES: f64 = 64.0;
    let step = (y.high / x.high * SLOPES + 0.5) as usize;
    let slope = step as f64 / SLOPES;
    let t =
        if step == 0 { y.over(x) } else { y.plus(x.times(-slope)).over(x.plus(y.times(slope))) };

    // |t| is at most 2⁻⁷; what the series leaves out is below 2⁻⁷³ of t
    let t2 = t.high * t.high;
    let cubic = t2 * t.high * (-1.0 / 3.0 + t2 * (0.2 + t2 * (-1.0 / 7.0 + t2 * (1.0 / 9.0))));
    let sum = Twofold::sum(ARC[step].high, t.high);
    Twofold::ordered_sum(sum.high, cubic + (t.low + ARC[step].low + sum.low))
}
