//! Values of attributes in the form in which the compiler computes, and as elements of the model's arrays.
//!
//! ```text
//!         AttrValue::read        over a default, Plain::plain        Slot::of
//! text ────────────────────▶ T ────────────────────────────▶ P ────────────────▶ element of an array
//!      ◀────────────────────   ◀────────────────────────────   ◀────────────────
//!         AttrValue::write             Plain::from_plain            Slot::value
//! ```
//!
//! [`whole`]: `T` and a default to `P`. [`stored`]: on to the element. [`stated`]: from the element back to `T`; none where its
//! number stands for nothing that text can say. [`write_given`]: `stored` over what is there. [`take_back`]: `stated` where the
//! element changed.

use ferrodyn_math::{Real, Vec3, double};
use ferrodyn_model::{
    BiasType, ColorSpace, Cone, DataType, DynType, FlexBendingType, FlexElasticityType, FlexSelf,
    GainModelType, GainType, GeomType, Integrator, JacobianType, JointType, LightType, ObjType,
    Projection, SleepPolicy, Solver, Stage, TextureType, TrackingMode,
};

use crate::keywords::{
    AngleUnit, CameraOutputs, ContactReduction, Elastic2d, FlexEquality, FlexcompDof, FlexcompKind,
    FluidShape, Interpolation, LengthRangeMode, MeshInertia, ShellInertia, TextureBuiltin,
    TextureMark, Tristate,
};
use crate::values::{AttrValue, EulerSequence, GroupMask, NameList, Partial, RawQuat, over};

/// A type of attribute, and the form in which the compiler computes with it: a list of which only some numbers are
/// given becomes a list of all.
pub(crate) trait Plain: AttrValue {
    /// The form in which the compiler computes.
    type Plain;
    fn plain(self) -> Self::Plain;
    fn from_plain(plain: Self::Plain) -> Self;
}

/// Types that the compiler computes with as they are.
macro_rules! plain {
    ($($type:ty $(where [$($generics:tt)*])?;)*) => {$(
        impl$(<$($generics)*>)? Plain for $type where Self: AttrValue {
            type Plain = Self;
            fn plain(self) -> Self {
                self
            }
            fn from_plain(plain: Self) -> Self {
                plain
            }
        }
    )*};
}

plain! {
    f64; f32; i32; bool; String;
    Vec<T> where [T];
    [T; N] where [T, const N: usize];
    BiasType; ColorSpace; Cone; DataType; DynType; FlexBendingType; FlexElasticityType; FlexSelf; GainModelType; GainType; GeomType; Integrator; JacobianType; JointType; LightType;
    ObjType; Projection; SleepPolicy; Solver; Stage; TextureType; TrackingMode;
    AngleUnit; ContactReduction; Elastic2d; FlexEquality; FlexcompDof; FlexcompKind; FluidShape; Interpolation; LengthRangeMode; MeshInertia; NameList; ShellInertia; TextureBuiltin; TextureMark;
    Tristate;
}

impl<const N: usize> Plain for Partial<N> {
    type Plain = [f64; N];
    fn plain(self) -> [f64; N] {
        self.or([0.0; N])
    }
    fn from_plain(plain: [f64; N]) -> Self {
        Self::from(plain)
    }
}

/// Types that wrap what the compiler computes with.
macro_rules! wrapped {
    ($($type:ident($inner:ty);)*) => {$(
        impl Plain for $type {
            type Plain = $inner;
            fn plain(self) -> $inner {
                self.0
            }
            fn from_plain(plain: $inner) -> Self {
                Self(plain)
            }
        }
    )*};
}

wrapped! {
    RawQuat([f64; 4]);
    CameraOutputs(i32);
    GroupMask(i32);
    EulerSequence([u8; 3]);
}

/// An element of an array of the model, as a value `P` of the compiler and back.
pub(crate) trait Slot<P> {
    fn of(plain: P) -> Self;
    /// The value; none if a number stands for nothing that an attribute can say.
    fn value(&self) -> Option<P>;
}

impl Slot<f64> for Real {
    fn of(x: f64) -> Self {
        x as Real
    }
    fn value(&self) -> Option<f64> {
        Some(double(*self))
    }
}

impl Slot<[f64; 3]> for Vec3 {
    fn of(v: [f64; 3]) -> Self {
        Self(v.map(|x| x as Real))
    }
    fn value(&self) -> Option<[f64; 3]> {
        Some(self.0.map(double))
    }
}

impl<const N: usize> Slot<[f64; N]> for [Real; N] {
    fn of(list: [f64; N]) -> Self {
        list.map(|x| x as Real)
    }
    fn value(&self) -> Option<[f64; N]> {
        Some(self.map(double))
    }
}

/// Elements that are the value itself.
macro_rules! same {
    ($($type:ty $(where [$($generics:tt)*])?;)*) => {$(
        impl$(<$($generics)*>)? Slot<$type> for $type {
            fn of(plain: Self) -> Self {
                plain
            }
            fn value(&self) -> Option<Self> {
                Some(*self)
            }
        }
    )*};
}

same! {
    f32;
    i32;
    [f32; N] where [const N: usize];
    [i32; N] where [const N: usize];
}

/// Integers that say yes or no.
macro_rules! yes_or_no {
    ($($type:ty)*) => {$(
        impl Slot<bool> for $type {
            fn of(yes: bool) -> Self {
                Self::from(yes)
            }
            fn value(&self) -> Option<bool> {
                Some(*self != 0)
            }
        }
    )*};
}

yes_or_no!(u8 i32);

/// Enumerations, which have MuJoCo's numbers.
macro_rules! numbered {
    ($($type:ty)*) => {$(
        impl Slot<$type> for i32 {
            fn of(plain: $type) -> Self {
                plain as Self
            }
            fn value(&self) -> Option<$type> {
                <$type>::try_from(*self).ok()
            }
        }
    )*};
}

numbered! {
    BiasType Cone DynType FlexBendingType FlexElasticityType FlexSelf GainModelType GainType Integrator JacobianType LightType Projection Solver TrackingMode
}

/// A given value, over a default.
pub(super) fn whole<T: Plain>(given: &Option<T>, default: T::Plain) -> T::Plain {
    match given {
        Some(value) => value.clone().over(&T::from_plain(default)).plain(),
        None => default,
    }
}

/// The element of an array for a given value, over a default.
pub(super) fn stored<T: Plain, S: Slot<T::Plain>>(given: &Option<T>, default: T::Plain) -> S {
    S::of(whole(given, default))
}

/// Writes a value where it is given; what it leaves out stays as it is.
pub(super) fn write_given<T: Plain, S: Slot<T::Plain>>(given: &Option<T>, target: &mut S) {
    if given.is_some()
        && let Some(value) = over(given, &stated(target))
    {
        *target = S::of(value.plain());
    }
}

/// The attribute that states an element of an array.
pub(crate) fn stated<T: Plain, S: Slot<T::Plain>>(slot: &S) -> Option<T> {
    slot.value().map(T::from_plain)
}

/// States an attribute whose element in an array changed.
pub(super) fn take_back<T: Plain, S: Slot<T::Plain> + PartialEq>(
    value: &mut Option<T>,
    old: &S,
    new: &S,
) {
    if old != new {
        *value = stated(new);
    }
}

/// Writes user data to its row, the rest of which stays zero.
pub(super) fn fill_user(target: &mut [Real], width: usize, row: usize, user: &Option<Vec<f64>>) {
    let Some(user) = user else { return };
    for (slot, x) in target[width * row..width * (row + 1)].iter_mut().zip(user) {
        *slot = *x as Real;
    }
}

/// The user data of one object.
pub(super) fn stated_user(array: &[Real], width: usize, row: usize) -> Option<Vec<f64>> {
    Some(array.get(row * width..(row + 1) * width)?.iter().map(|x| double(*x)).collect())
}

/// The user data of one object, or other numbers of which it has `width`, if they changed.
pub(crate) fn changed_user(
    old: &[Real],
    new: &[Real],
    width: usize,
    row: usize,
) -> Option<Vec<f64>> {
    let (old, new) = (stated_user(old, width, row)?, stated_user(new, width, row)?);
    (old != new).then_some(new)
}
