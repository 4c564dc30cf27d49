//! The scalar type of the physics and its elementary functions.

#[cfg(not(feature = "f32"))]
use crate::elementary;

/// The floating-point type of all physical quantities, MuJoCo's `mjtNum`.
#[cfg(not(feature = "f32"))]
pub type Real = f64;
/// The floating-point type of all physical quantities, MuJoCo's `mjtNum`.
#[cfg(feature = "f32")]
pub type Real = f32;

/// Smallest value allowed in a denominator, MuJoCo's `mjMINVAL`: a few last bits of one. Lengths, areas and
/// determinants below it are taken for zero, since what they would divide has no digits left.
pub const MIN_VAL: Real = 1e-15;
/// Largest magnitude allowed in `qpos`, `qvel` and `qacc` before a state counts as diverged, MuJoCo's `mjMAXVAL`.
pub const MAX_VAL: Real = 1e10;
/// The circle constant.
#[cfg(not(feature = "f32"))]
pub const PI: Real = core::f64::consts::PI;
/// The circle constant.
#[cfg(feature = "f32")]
pub const PI: Real = core::f32::consts::PI;

/// True for NaN and for magnitudes above [`MAX_VAL`]. MuJoCo: `mju_isBad`.
///
/// ```
/// assert!(ferrodyn_math::is_bad(f64::NAN as _));
/// assert!(!ferrodyn_math::is_bad(1.0));
/// ```
#[inline]
pub fn is_bad(x: Real) -> bool {
    x.is_nan() || !(-MAX_VAL..=MAX_VAL).contains(&x)
}

/// One of two numbers, by the precision of [`Real`]: tolerances and step sizes of differences follow it.
///
/// ```
/// let tolerance = ferrodyn_math::by_precision(1e-12, 1e-5);
/// assert!((ferrodyn_math::sqrt(2.0) * ferrodyn_math::sqrt(2.0) - 2.0).abs() < tolerance);
/// ```
#[inline]
pub const fn by_precision(double: Real, single: Real) -> Real {
    if cfg!(feature = "f32") { single } else { double }
}

/// A number in double precision, in which models are described, whatever [`Real`] is.
#[inline]
#[allow(clippy::unnecessary_cast, reason = "single precision is converted")]
pub fn double(x: Real) -> f64 {
    x as f64
}

macro_rules! elementary {
    ($($(#[$doc:meta])* $name:ident($($arg:ident),+) = $f64:path, $f32:ident;)*) => {$(
        $(#[$doc])*
        #[inline]
        pub fn $name($($arg: Real),+) -> Real {
            #[cfg(not(feature = "f32"))]
            { $f64($($arg),+) }
            #[cfg(feature = "f32")]
            { libm::$f32($($arg),+) }
        }
    )*};
}

/// Square root, rounded to the nearest number on every target. It is an instruction where the target has one: `libm`
/// uses those of x86-64 and ARM, and what is compiled for a GPU, by a nightly compiler, has its own.
#[inline]
pub fn sqrt(x: Real) -> Real {
    #[cfg(all(target_arch = "nvptx64", not(feature = "f32")))]
    {
        core::f64::math::sqrt(x)
    }
    #[cfg(all(target_arch = "nvptx64", feature = "f32"))]
    {
        core::f32::math::sqrt(x)
    }
    #[cfg(all(not(target_arch = "nvptx64"), not(feature = "f32")))]
    {
        libm::sqrt(x)
    }
    #[cfg(all(not(target_arch = "nvptx64"), feature = "f32"))]
    {
        libm::sqrtf(x)
    }
}

elementary! {
    /// Sine of an angle in radians.
    sin(x) = elementary::sin, sinf;
    /// Cosine of an angle in radians.
    cos(x) = elementary::cos, cosf;
    /// Angle in radians whose sine is `x`, for `x` between -1 and 1.
    asin(x) = elementary::asin, asinf;
    /// Angle in radians whose cosine is `x`, for `x` between -1 and 1.
    acos(x) = elementary::acos, acosf;
    /// `x` to the power of `y`.
    pow(x, y) = elementary::pow, powf;
    /// Tangent of an angle in radians.
    tan(x) = elementary::tan, tanf;
    /// Exponential.
    exp(x) = elementary::exp, expf;
    /// Natural logarithm.
    ln(x) = libm::log, logf;
    /// The largest integer not above `x`.
    floor(x) = libm::floor, floorf;
    /// The smallest integer not below `x`.
    ceil(x) = libm::ceil, ceilf;
    /// Angle of the point (x, y), in radians.
    atan2(y, x) = elementary::atan2, atan2f;
}

/// Sine and cosine of an angle in radians, sharing one argument reduction.
#[inline]
pub fn sincos(x: Real) -> (Real, Real) {
    #[cfg(not(feature = "f32"))]
    {
        elementary::sincos(x)
    }
    #[cfg(feature = "f32")]
    {
        libm::sincosf(x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_values_are_nan_infinite_or_huge() {
        assert!(is_bad(Real::NAN) && is_bad(Real::INFINITY) && is_bad(-2e10));
        assert!(!is_bad(0.0) && !is_bad(MAX_VAL) && !is_bad(-MAX_VAL));
    }

    #[test]
    fn sincos_agrees_with_sin_and_cos() {
        for i in -1000..1000 {
            let x = i as Real * 0.37;
            let (s, c) = sincos(x);
            assert_eq!((s, c), (sin(x), cos(x)));
        }
    }
}
