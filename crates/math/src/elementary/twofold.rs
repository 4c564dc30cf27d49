//! Numbers of twice the precision: the unevaluated sum of two doubles.
use core::ops::{Add, Div, Mul, Sub};

/// A double, or several side by side.
pub(super) trait Double:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    fn of(x: f64) -> Self;
    fn negative(self) -> Self;
}

impl Double for f64 {
    #[inline(always)]
    fn of(x: f64) -> f64 {
        x
    }
    #[inline(always)]
    fn negative(self) -> f64 {
        -self
    }
}

#[cfg(not(feature = "f32"))]
impl Double for ::wide::f64x4 {
    #[inline(always)]
    fn of(x: f64) -> Self {
        Self::splat(x)
    }
    #[inline(always)]
    fn negative(self) -> Self {
        // the sign alone: zero minus zero would be positive
        self ^ Self::splat(-0.0)
    }
}

/// A number `high + low`, where `low` is at most half a last bit of `high`.
#[derive(Clone, Copy)]
pub(super) struct Twofold<T = f64> {
    pub(super) high: T,
    pub(super) low: T,
}

impl<T> Twofold<T> {
    pub(super) const fn new(high: T, low: T) -> Self
    where
        T: Copy,
    {
        Self { high, low }
    }
}

impl<T: Double> Twofold<T> {
    /// The sum of two doubles, without error.
    #[inline]
    pub(super) fn sum(a: T, b: T) -> Self {
        let high = a + b;
        // what of b is in the sum, what of a is, and what neither is
        let b_in_high = high - a;
        Self::new(high, (a - (high - b_in_high)) + (b - b_in_high))
    }

    /// The sum of two doubles, without error, where `a` is zero or its exponent is at least that of `b`.
    #[inline]
    pub(super) fn ordered_sum(a: T, b: T) -> Self {
        let high = a + b;
        Self::new(high, b - (high - a))
    }

    /// The product of two doubles, without error.
    #[inline]
    pub(super) fn product(a: T, b: T) -> Self {
        let high = a * b;
        // four products of halves are exact; the rounded product is taken from them
        let (a_head, a_tail) = halves(a);
        let (b_head, b_tail) = halves(b);
        let missing =
            ((a_head * b_head - high) + a_head * b_tail + a_tail * b_head) + a_tail * b_tail;
        Self::new(high, missing)
    }

    /// `self + b`, with an error of about 2⁻¹⁰⁵ of the larger one.
    #[inline]
    pub(super) fn plus(self, b: Self) -> Self {
        let sum = Self::sum(self.high, b.high);
        Self::ordered_sum(sum.high, sum.low + (self.low + b.low))
    }

    /// `self · b`, with an error of about 2⁻¹⁰⁴ of it.
    #[inline]
    pub(super) fn times(self, b: T) -> Self {
        let product = Self::product(self.high, b);
        Self::ordered_sum(product.high, product.low + self.low * b)
    }

    /// `self · b`, with an error of about 2⁻¹⁰³ of it.
    #[inline]
    pub(super) fn product_with(self, b: Self) -> Self {
        let product = Self::product(self.high, b.high);
        let small = product.low + (self.high * b.low + self.low * b.high);
        Self::ordered_sum(product.high, small)
    }

    /// `self / b`, with an error of about 2⁻¹⁰³ of it.
    #[inline]
    pub(super) fn over(self, b: Self) -> Self {
        // a quotient, its remainder, and the quotient of that
        let quotient = self.high / b.high;
        let back = Self::product(quotient, b.high);
        // The first remainder is exact: the quotient is off by half a last bit
        let remainder = ((self.high - back.high) - back.low) + (self.low - quotient * b.low);
        Self::ordered_sum(quotient, remainder / b.high)
    }

    pub(super) fn negated(self) -> Self {
        Self::new(self.high.negative(), self.low.negative())
    }

    /// The nearest double.
    #[inline]
    pub(super) fn rounded(self) -> T {
        self.high + self.low
    }
}

/// Two numbers of at most 26 bits whose sum is `x`; products of such halves have no error.
#[inline]
fn halves<T: Double>(x: T) -> (T, T) {
    const SHIFT: f64 = 134_217_729.0; // 2²⁷ + 1
    let shifted = T::of(SHIFT) * x;
    let head = shifted - (shifted - x);
    (head, x - head)
}
