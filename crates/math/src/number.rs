//! Numbers of one world, or of several worlds that go abreast.
//!
//! A stage of the physics is written once, for any [`Number`]. With [`Real`] it computes one world; with [`Abreast`](crate::Abreast) it computes 4, 8, ...
//! worlds of one model at once, one in each lane of vector registers. A lane sees the operations that its world would see alone, in
//! the same order, so that it has the same bits. Where a world takes a way that others do not take, [`Number::choose`] computes
//! both and gives each lane its own.
use core::fmt::Debug;
use core::ops::{
    Add, AddAssign, BitAnd, BitOr, Div, Mul, MulAssign, Neg, Not, Range, Sub, SubAssign,
};

use bytemuck::Pod;

use crate::sparse::Pattern;
use crate::{Inertia10, MAX_VAL, Mat3, Quat, Real, Spatial, Vec3};

/// What holds in some worlds and not in others.
pub trait Mask: Copy + Not<Output = Self> + BitAnd<Output = Self> + BitOr<Output = Self> {
    /// The same in all worlds.
    fn of(x: bool) -> Self;
    /// Does it hold in all worlds?
    fn all(self) -> bool;
    /// Does it hold in any world?
    fn any(self) -> bool;
    /// Does it hold in this world?
    fn world(self, world: usize) -> bool;
}

impl Mask for bool {
    #[inline(always)]
    fn of(x: bool) -> bool {
        x
    }
    #[inline(always)]
    fn all(self) -> bool {
        self
    }
    #[inline(always)]
    fn any(self) -> bool {
        self
    }
    #[inline(always)]
    fn world(self, _: usize) -> bool {
        self
    }
}

/// A value of which each world can have its own.
pub trait Choice<T: Number>: Sized {
    /// `yes` in the worlds of the mask, `no` in the others.
    fn select(mask: T::Mask, yes: Self, no: Self) -> Self;
}

/// A number of one world, or one of each of several worlds.
///
/// ```
/// use ferrodyn_math::{Abreast, Number, Real};
///
/// fn distance<T: Number>(x: T) -> T {
///     let negative = x.less(T::of(0.0));
///     T::choose(negative, || -x, || x)
/// }
///
/// assert_eq!(distance(-2.0 as Real), 2.0);
/// let mut four = Abreast::<1>::of(3.0);
/// four.set(2, -5.0);
/// assert_eq!((distance(four).get(0), distance(four).get(2)), (3.0, 5.0));
/// ```
pub trait Number:
    Copy
    + Debug
    + Default
    + PartialEq
    + Pod
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + Choice<Self>
{
    /// What a comparison says.
    type Mask: Mask;

    /// How many worlds.
    const WORLDS: usize;

    /// The same number in all worlds.
    fn of(x: Real) -> Self;

    /// The number of one world.
    fn get(&self, world: usize) -> Real;

    /// Set the number of one world.
    fn set(&mut self, world: usize, x: Real);

    /// A function of each world's number.
    fn map(self, f: impl Fn(Real) -> Real) -> Self;

    /// Square root.
    fn sqrt(self) -> Self;

    /// Absolute value.
    fn abs(self) -> Self;

    /// Sine and cosine.
    fn sincos(self) -> (Self, Self);

    /// Angle of the point (x, self).
    fn atan2(self, x: Self) -> Self;

    /// `self < b`
    fn less(self, b: Self) -> Self::Mask;

    /// `self > b`
    fn greater(self, b: Self) -> Self::Mask;

    /// `self == b`
    fn equal(self, b: Self) -> Self::Mask;

    /// Is it, in any world, zero with a minus sign?
    #[inline(always)]
    fn is_negative_zero(self) -> bool {
        (self.equal(Self::of(0.0)) & (Self::of(1.0) / self).less(Self::of(0.0))).any()
    }

    /// One of two ways: for a world alone the one that it takes, for several both, unless all of them take the same.
    fn choose<R: Choice<Self>>(
        mask: Self::Mask,
        yes: impl FnOnce() -> R,
        no: impl FnOnce() -> R,
    ) -> R;

    /// Is it NaN, or larger than [`MAX_VAL`]? As [`is_bad`](crate::is_bad).
    #[inline(always)]
    fn bad(self) -> Self::Mask {
        let (low, high) = (Self::of(-MAX_VAL), Self::of(MAX_VAL));
        // what is not a number is neither above, nor below, nor equal
        let within = (self.greater(low) | self.equal(low)) & (self.less(high) | self.equal(high));
        !within
    }

    /// Within `range`; what is not a number stays.
    #[inline(always)]
    fn clamp_to(self, range: &[Real; 2]) -> Self {
        let [low, high] = range.map(Self::of);
        Self::choose(self.less(low), || low, || Self::choose(self.greater(high), || high, || self))
    }

    /// [`factor_ldl_rows`](crate::sparse::factor_ldl_rows)
    #[doc(hidden)]
    fn factor_ldl(mat: &mut [Self], diag_inv: &mut [Self], p: &Pattern<'_>, rows: Range<usize>);

    /// [`solve_ldl_rows`](crate::sparse::solve_ldl_rows)
    #[doc(hidden)]
    fn solve_ldl(
        x: &mut [Self],
        factor: &[Self],
        diag_inv: &[Self],
        p: &Pattern<'_>,
        diagonal: &[i32],
        rows: Range<usize>,
    );
}

impl Choice<Real> for Real {
    #[inline(always)]
    fn select(mask: bool, yes: Real, no: Real) -> Real {
        if mask { yes } else { no }
    }
}

/// A world alone: comparisons are branches, and kernels choose the widest instructions that the processor has.
impl Number for Real {
    type Mask = bool;
    const WORLDS: usize = 1;

    #[inline(always)]
    fn of(x: Real) -> Real {
        x
    }
    #[inline(always)]
    fn get(&self, _: usize) -> Real {
        *self
    }
    #[inline(always)]
    fn set(&mut self, _: usize, x: Real) {
        *self = x;
    }
    #[inline(always)]
    fn map(self, f: impl Fn(Real) -> Real) -> Real {
        f(self)
    }
    #[inline(always)]
    fn sqrt(self) -> Real {
        crate::sqrt(self)
    }
    #[inline(always)]
    fn abs(self) -> Real {
        Real::abs(self)
    }
    #[inline(always)]
    fn sincos(self) -> (Real, Real) {
        crate::sincos(self)
    }
    #[inline(always)]
    fn atan2(self, x: Real) -> Real {
        crate::atan2(self, x)
    }
    #[inline(always)]
    fn less(self, b: Real) -> bool {
        self < b
    }
    #[inline(always)]
    fn greater(self, b: Real) -> bool {
        self > b
    }
    #[inline(always)]
    fn equal(self, b: Real) -> bool {
        self == b
    }
    #[inline(always)]
    fn choose<R: Choice<Real>>(mask: bool, yes: impl FnOnce() -> R, no: impl FnOnce() -> R) -> R {
        if mask { yes() } else { no() }
    }
    #[inline(always)]
    fn bad(self) -> bool {
        crate::is_bad(self)
    }
    #[inline(always)]
    fn is_negative_zero(self) -> bool {
        self.to_bits() == Real::to_bits(-0.0)
    }
    #[inline(always)]
    fn factor_ldl(mat: &mut [Real], diag_inv: &mut [Real], p: &Pattern<'_>, rows: Range<usize>) {
        crate::wide::factor_ldl(mat, diag_inv, p, rows);
    }
    #[inline(always)]
    fn solve_ldl(
        x: &mut [Real],
        factor: &[Real],
        diag_inv: &[Real],
        p: &Pattern<'_>,
        diagonal: &[i32],
        rows: Range<usize>,
    ) {
        crate::wide::solve_ldl(x, factor, diag_inv, p, diagonal, rows);
    }
}

macro_rules! choice_by_component {
    ($($name:ident)*) => {$(
        impl<T: Number> Choice<T> for $name<T> {
            #[inline(always)]
            fn select(mask: T::Mask, yes: Self, no: Self) -> Self {
                $name(core::array::from_fn(|k| T::select(mask, yes.0[k], no.0[k])))
            }
        }
    )*};
}

choice_by_component! { Vec3 Quat Mat3 }

macro_rules! same_in_all {
    ($($name:ident)*) => {$(
        impl<T: Number> $name<T> {
            /// The same in all worlds.
            #[inline(always)]
            pub fn of(x: $name) -> $name<T> {
                $name(x.0.map(T::of))
            }
        }
    )*};
}

same_in_all! { Vec3 Quat Mat3 Spatial Inertia10 }
