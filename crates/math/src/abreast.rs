//! Numbers of several worlds, in vector registers.
use core::ops::{
    Add, AddAssign, BitAnd, BitOr, Div, Mul, MulAssign, Neg, Not, Range, Sub, SubAssign,
};

use bytemuck::{Pod, Zeroable};

use crate::Real;
use crate::number::{Choice, Mask, Number};
use crate::sparse::{Pattern, factor_ldl_generic, solve_ldl_generic};
use crate::wide::Plain;

/// Numbers that the compiler has in one register, or in a few: as many as fit into one of AVX in double precision.
#[cfg(not(feature = "f32"))]
type Register = ::wide::f64x4;
#[cfg(feature = "f32")]
type Register = ::wide::f32x4;

/// Lanes of a [`Register`].
const LANES: usize = 4;

/// One number of each of `4 K` worlds.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(transparent)]
pub struct Abreast<const K: usize>([Register; K]);

/// What holds in some of `4 K` worlds.
#[derive(Clone, Copy, Debug)]
pub struct AbreastMask<const K: usize>([Register; K]);

impl<const K: usize> Default for Abreast<K> {
    #[inline(always)]
    fn default() -> Self {
        Self::of(0.0)
    }
}

impl<const K: usize> Abreast<K> {
    /// A function of each register.
    #[inline(always)]
    fn each(self, f: impl Fn(Register) -> Register) -> Self {
        Abreast(core::array::from_fn(|k| f(self.0[k])))
    }

    /// A function of the registers of two numbers.
    #[inline(always)]
    fn with(self, b: Self, f: impl Fn(Register, Register) -> Register) -> [Register; K] {
        core::array::from_fn(|k| f(self.0[k], b.0[k]))
    }
}

macro_rules! operator {
    ($($trait:ident $name:ident, $assign_trait:ident $assign_name:ident;)*) => {$(
        impl<const K: usize> $trait for Abreast<K> {
            type Output = Self;
            #[inline(always)]
            fn $name(self, b: Self) -> Self {
                Abreast(self.with(b, |a, b| a.$name(b)))
            }
        }
        impl<const K: usize> $assign_trait for Abreast<K> {
            #[inline(always)]
            fn $assign_name(&mut self, b: Self) {
                *self = (*self).$name(b);
            }
        }
    )*};
}

operator! {
    Add add, AddAssign add_assign;
    Sub sub, SubAssign sub_assign;
    Mul mul, MulAssign mul_assign;
}

impl<const K: usize> Div for Abreast<K> {
    type Output = Self;
    #[inline(always)]
    fn div(self, b: Self) -> Self {
        Abreast(self.with(b, |a, b| a / b))
    }
}

impl<const K: usize> Neg for Abreast<K> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // the sign alone: zero minus zero would be positive
        self.each(|x| x ^ Register::splat(-0.0))
    }
}

impl<const K: usize> AbreastMask<K> {
    #[inline(always)]
    fn with(self, b: Self, f: impl Fn(Register, Register) -> Register) -> Self {
        AbreastMask(core::array::from_fn(|k| f(self.0[k], b.0[k])))
    }
}

impl<const K: usize> Not for AbreastMask<K> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        AbreastMask(self.0.map(|x| !x))
    }
}

impl<const K: usize> BitAnd for AbreastMask<K> {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, b: Self) -> Self {
        self.with(b, |a, b| a & b)
    }
}

impl<const K: usize> BitOr for AbreastMask<K> {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, b: Self) -> Self {
        self.with(b, |a, b| a | b)
    }
}

impl<const K: usize> Mask for AbreastMask<K> {
    #[inline(always)]
    fn of(x: bool) -> Self {
        let none = Register::splat(0.0);
        AbreastMask([if x { !none } else { none }; K])
    }
    #[inline(always)]
    fn all(self) -> bool {
        self.0.iter().fold(true, |all, x| all & x.all())
    }
    #[inline(always)]
    fn any(self) -> bool {
        self.0.iter().fold(false, |any, x| any | x.any())
    }
    #[inline(always)]
    fn world(self, world: usize) -> bool {
        self.0[world / LANES].move_mask() & (1 << (world % LANES)) != 0
    }
}

impl<const K: usize> Choice<Abreast<K>> for Abreast<K> {
    #[inline(always)]
    fn select(mask: AbreastMask<K>, yes: Self, no: Self) -> Self {
        Abreast(core::array::from_fn(|k| mask.0[k].blend(yes.0[k], no.0[k])))
    }
}

/// Several worlds: comparisons are masks.
impl<const K: usize> Number for Abreast<K> {
    type Mask = AbreastMask<K>;
    const WORLDS: usize = LANES * K;

    #[inline(always)]
    fn of(x: Real) -> Self {
        Abreast([Register::splat(x); K])
    }
    #[inline(always)]
    fn get(&self, world: usize) -> Real {
        self.0[world / LANES].as_array_ref()[world % LANES]
    }
    #[inline(always)]
    fn set(&mut self, world: usize, x: Real) {
        self.0[world / LANES].as_array_mut()[world % LANES] = x;
    }
    #[inline(always)]
    fn map(self, f: impl Fn(Real) -> Real) -> Self {
        self.each(|x| Register::new(x.to_array().map(&f)))
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        self.each(|x| x.sqrt())
    }
    #[inline(always)]
    fn abs(self) -> Self {
        self.each(|x| x.abs())
    }
    #[cfg(not(feature = "f32"))]
    #[inline]
    fn sincos(self) -> (Self, Self) {
        let both = self.0.map(crate::elementary::sincos_four);
        (Abreast(both.map(|x| x.0)), Abreast(both.map(|x| x.1)))
    }
    #[cfg(feature = "f32")]
    #[inline]
    fn sincos(self) -> (Self, Self) {
        let (mut sine, mut cosine) = (self, self);
        for world in 0..Self::WORLDS {
            let (s, c) = crate::sincos(self.get(world));
            sine.set(world, s);
            cosine.set(world, c);
        }
        (sine, cosine)
    }
    #[inline]
    fn atan2(self, x: Self) -> Self {
        let mut angle = self;
        for world in 0..Self::WORLDS {
            angle.set(world, crate::atan2(self.get(world), x.get(world)));
        }
        angle
    }
    #[inline(always)]
    fn less(self, b: Self) -> AbreastMask<K> {
        AbreastMask(self.with(b, ::wide::CmpLt::cmp_lt))
    }
    #[inline(always)]
    fn greater(self, b: Self) -> AbreastMask<K> {
        AbreastMask(self.with(b, ::wide::CmpGt::cmp_gt))
    }
    #[inline(always)]
    fn equal(self, b: Self) -> AbreastMask<K> {
        AbreastMask(self.with(b, ::wide::CmpEq::cmp_eq))
    }
    #[inline(always)]
    fn choose<R: Choice<Self>>(
        mask: AbreastMask<K>,
        yes: impl FnOnce() -> R,
        no: impl FnOnce() -> R,
    ) -> R {
        if !mask.any() {
            no()
        } else if mask.all() {
            yes()
        } else {
            R::select(mask, yes(), no())
        }
    }
    #[inline]
    fn factor_ldl(mat: &mut [Self], diag_inv: &mut [Self], p: &Pattern<'_>, rows: Range<usize>) {
        factor_ldl_generic::<Self, Plain<Self>>(mat, diag_inv, p, rows);
    }
    #[inline]
    fn solve_ldl(
        x: &mut [Self],
        factor: &[Self],
        diag_inv: &[Self],
        p: &Pattern<'_>,
        diagonal: &[i32],
        rows: Range<usize>,
    ) {
        solve_ldl_generic::<Self, Plain<Self>>(x, factor, diag_inv, p, diagonal, rows);
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;

    type Eight = Abreast<2>;

    /// Numbers at which signs, zeros, infinities and NaN show, one for each world.
    const SAMPLES: [Real; 8] = [0.0, -0.0, 1.5, -2.5, Real::INFINITY, Real::NAN, 1e-20, -1e11];

    fn samples() -> Eight {
        let mut x = Eight::default();
        for (world, sample) in SAMPLES.into_iter().enumerate() {
            x.set(world, sample);
        }
        x
    }

    #[test]
    fn every_lane_has_the_bits_of_a_number_alone() {
        let x = samples();
        for shift in 0..8 {
            let mut y = Eight::default();
            (0..8).for_each(|k| y.set(k, SAMPLES[(k + shift) % 8]));
            for k in 0..8 {
                let (a, b) = (SAMPLES[k], SAMPLES[(k + shift) % 8]);
                let same = |found: Eight, alone: Real, what: &str| {
                    let both_nan = found.get(k).is_nan() && alone.is_nan();
                    assert!(
                        both_nan || found.get(k).to_bits() == alone.to_bits(),
                        "{what} of {a} and {b}: {} is not {alone}",
                        found.get(k)
                    );
                };
                same(x + y, a + b, "sum");
                same(x - y, a - b, "difference");
                same(x * y, a * b, "product");
                same(x / y, a / b, "quotient");
                same(-x, -a, "negative");
                same(x.abs(), Real::abs(a), "absolute value");
                same(Number::sqrt(x), crate::sqrt(a), "root");
                same(x.sincos().0, crate::sincos(a).0, "sine");
                same(x.sincos().1, crate::sincos(a).1, "cosine");
                same(x.atan2(y), crate::atan2(a, b), "angle");
                same(x.clamp_to(&[-1.0, 2.0]), a.clamp_to(&[-1.0, 2.0]), "clamped");
                same(Eight::choose(x.less(y), || x, || y), if a < b { a } else { b }, "choice");
                assert_eq!(x.less(y).world(k), a < b);
                assert_eq!(x.greater(y).world(k), a > b);
                assert_eq!(x.equal(y).world(k), a == b);
                assert_eq!(x.bad().world(k), crate::is_bad(a), "{a}");
            }
        }
    }

    #[test]
    fn sines_of_many_angles_have_the_bits_of_one_by_one() {
        let mut seed = 1u64;
        for i in 0..100_000 {
            let mut x = Eight::default();
            for k in 0..8 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                // of all sizes up to 2^20, beyond which one lane in many makes all go one by one
                let size = ((seed >> 32) % 60) as i32 - 40 + i32::from(i % 50 == 0);
                let mantissa = (seed >> 11) as f64 / (1u64 << 53) as f64 + 0.5;
                let sign = if seed & 1 << 40 == 0 { 1.0 } else { -1.0 };
                x.set(k, (sign * mantissa * f64::from(2.0f32).powi(size)) as Real);
            }
            let (sine, cosine) = x.sincos();
            for k in 0..8 {
                let (s, c) = crate::sincos(x.get(k));
                let (s, c) = (s.to_bits(), c.to_bits());
                assert_eq!(
                    (sine.get(k).to_bits(), cosine.get(k).to_bits()),
                    (s, c),
                    "{}",
                    x.get(k)
                );
            }
        }
    }

    /// Two chains, of which a world moves one: where it has a zero, nothing is taken from its ancestors.
    #[test]
    fn solutions_have_the_bits_of_worlds_alone_where_some_have_zeros() {
        let (nnz, adr) = ([1, 2, 3, 4, 1, 2, 3], [0, 1, 3, 6, 10, 11, 13]);
        let col = [0, 0, 1, 0, 1, 2, 0, 1, 2, 3, 4, 4, 5, 4, 5, 6];
        let p = Pattern { rownnz: &nnz, rowadr: &adr, colind: &col };
        // to take a zero away from a negative zero can change its sign
        let entry = |k: usize, i: usize| [0.5, -1.5, 2.0, -0.25, 3.0][(5 * k + 3 * i + i * i) % 5];
        let value = |k: usize, i: usize| if k.is_multiple_of(2) == (i < 4) { 1.5 } else { -0.0 };
        let fill = |count: usize, f: &dyn Fn(usize, usize) -> Real| -> std::vec::Vec<Eight> {
            (0..count)
                .map(|i| {
                    let mut x = Eight::default();
                    (0..8).for_each(|k| x.set(k, f(k, i)));
                    x
                })
                .collect()
        };
        let (factor, inv) = (fill(16, &entry), fill(7, &entry));
        let mut x = fill(7, &value);
        Eight::solve_ldl(&mut x, &factor, &inv, &p, &[], 0..7);
        for k in 0..8 {
            let one = |x: &[Eight]| x.iter().map(|x| x.get(k)).collect::<std::vec::Vec<_>>();
            let mut alone: std::vec::Vec<_> = (0..7).map(|i| value(k, i)).collect();
            Real::solve_ldl(&mut alone, &one(&factor), &one(&inv), &p, &[], 0..7);
            let bits = |x: &[Real]| x.iter().map(|x| x.to_bits()).collect::<std::vec::Vec<_>>();
            assert_eq!(bits(&one(&x)), bits(&alone), "world {k}: {:?}, {alone:?}", one(&x));
        }
    }

    #[test]
    fn masks_of_all_and_none() {
        let (all, none) = (AbreastMask::<2>::of(true), AbreastMask::<2>::of(false));
        assert!(all.all() && all.any() && !none.any() && !none.all());
        let some = samples().less(Eight::of(0.0));
        assert!(some.any() && !some.all() && (some | !some).all() && !(some & !some).any());
    }
}
