//! Exponential and power.

use super::tables::{FIRST_INVERSE, INVERSE, LN_2, POWER_OF_TWO, TWO_STEP};
use super::twofold::Twofold;

/// Exponents up to this size give normal numbers.
const LARGEST: f64 = 700.0;
/// Steps between two powers of two.
const STEPS: i64 = 128;
/// Bits of a double after its exponent.
const MANTISSA: u64 = (1 << 52) - 1;

/// Exponential.
pub fn exp(x: f64) -> f64 {
    if x.abs() < LARGEST { exponential(Twofold::new(x, 0.0)) } else { libm::exp(x) }
}

/// `x` to the power of `y`.
pub fn pow(x: f64, y: f64) -> f64 {
    if (f64::MIN_POSITIVE..f64::INFINITY).contains(&x) {
        let exponent = logarithm(x).times(y);
        if exponent.high.abs() < LARGEST {
            return exponential(exponent);
        }
    }
    libm::pow(x, y)
}

/// `exp(x) = 2^(k/128) exp(r)` with |r| ≤ ln 2 / 256, by Taylor's series.
#[inline]
fn exponential(x: Twofold) -> f64 {
    const STEPS_PER_UNIT: f64 = 128.0 * core::f64::consts::LOG2_E;
    // Adding this number, 1.5 · 2⁵², leaves the nearest integer in the last bits
    const TO_INTEGER: f64 = 6_755_399_441_055_744.0;
    // x = steps · ln 2 / 128 + r
    let steps = (x.high * STEPS_PER_UNIT + TO_INTEGER) - TO_INTEGER;
    let index = steps as i64;

    // The first difference has no error, since its terms are close to each other or `steps` is zero
    let near = Twofold::sum(x.high - steps * TWO_STEP[0], -(steps * TWO_STEP[1]));
    let r = Twofold::ordered_sum(near.high, near.low + (x.low - steps * TWO_STEP[2]));

    // exp(r) - 1 - r
    let r1 = r.high;
    let curved = r1
        * r1
        * (0.5 + r1 * (1.0 / 6.0 + r1 * (1.0 / 24.0 + r1 * (1.0 / 120.0 + r1 * (1.0 / 720.0)))));
    // 2^(steps/128) from the table, times 1 + r + ...; only the first two terms need both halves
    let power = POWER_OF_TWO[index.rem_euclid(STEPS) as usize];
    let linear = Twofold::product(power.high, r1);
    let sum = Twofold::ordered_sum(power.high, linear.high);
    let small = power.high * (curved + r.low) + (power.low * r1 + power.low + linear.low + sum.low);

    // whole powers of two are put into the exponent's bits
    let exponent = index.div_euclid(STEPS);
    (sum.high + small) * f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// Natural logarithm of a positive normal number: `ln(2ᵉ m) = e ln 2 − ln c + ln(1 + r)`, `r = m c − 1`, where `c` is the
/// inverse of `m` to the nearest 1/128.
#[inline]
fn logarithm(x: f64) -> Twofold {
    // m from √½ to √2, so that a logarithm near zero is no difference of larger numbers
    let bits = x.to_bits();
    let above_root = (bits & MANTISSA) > (core::f64::consts::SQRT_2.to_bits() & MANTISSA);
    let exponent = (bits >> 52) as i64 - 1023 + above_root as i64;
    let m = f64::from_bits(bits.wrapping_sub((exponent as u64) << 52));
    let [inverse, high, low] = INVERSE[(m * 128.0 + 0.5) as usize - FIRST_INVERSE];

    // ln(1 + r) for |r| ≤ 2⁻⁷, by its series
    let product = Twofold::product(m, inverse);
    let r = Twofold::ordered_sum(product.high - 1.0, product.low);
    let r1 = r.high;
    let square = Twofold::product(r1, r1);
    let quartic =
        1.0 / 5.0 + r1 * (-1.0 / 6.0 + r1 * (1.0 / 7.0 + r1 * (-1.0 / 8.0 + r1 * (1.0 / 9.0))));
    let cubic = square.high * r1 * (1.0 / 3.0 + r1 * (-1.0 / 4.0 + r1 * quartic));
    let sum = Twofold::ordered_sum(r1, -0.5 * square.high);
    let small = cubic + (r.low - 0.5 * square.low - r1 * r.low + sum.low);
    let series = Twofold::ordered_sum(sum.high, small);

    // the large parts first, the small ones onto their rests
    let e = exponent as f64;
    let base = Twofold::sum(e * LN_2[0], -high);
    Twofold::ordered_sum(base.high, base.low + (e * LN_2[1] - low)).plus(series)
}
