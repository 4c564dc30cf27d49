//! What the field table needs to know of an array element type.
use crate::{Inertia10, Mat3, Quat, Real, Spatial, Vec3};

/// The scalar type an array is made of, as numpy sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ScalarKind {
    /// 64-bit float.
    F64,
    /// 32-bit float.
    F32,
    /// 32-bit signed integer.
    I32,
    /// 64-bit signed integer.
    I64,
    /// 64-bit unsigned integer.
    U64,
    /// Byte.
    U8,
}

impl ScalarKind {
    /// Size in bytes.
    pub const fn size(self) -> usize {
        match self {
            ScalarKind::F64 | ScalarKind::I64 | ScalarKind::U64 => 8,
            ScalarKind::F32 | ScalarKind::I32 => 4,
            ScalarKind::U8 => 1,
        }
    }
}

/// A type that can be an element of a Model or Data array: a fixed number of scalars of one kind.
pub trait Element: bytemuck::Pod {
    /// The scalar it is made of.
    const KIND: ScalarKind;
    /// How many scalars.
    const COLS: usize;
}

macro_rules! element {
    ($($t:ty, $kind:ident, $cols:expr;)*) => {$(
        impl Element for $t {
            const KIND: ScalarKind = ScalarKind::$kind;
            const COLS: usize = $cols;
        }
        impl<const N: usize> Element for [$t; N] where [$t; N]: bytemuck::Pod {
            const KIND: ScalarKind = ScalarKind::$kind;
            const COLS: usize = N;
        }
    )*};
}

element! {
    f64, F64, 1;
    f32, F32, 1;
    i32, I32, 1;
    i64, I64, 1;
    u64, U64, 1;
    u8, U8, 1;
}

macro_rules! real_element {
    ($($t:ty, $cols:expr;)*) => {$(
        impl Element for $t {
            const KIND: ScalarKind = <Real as Element>::KIND;
            const COLS: usize = $cols;
        }
    )*};
}

real_element! {
    Vec3, 3;
    Quat, 4;
    Mat3, 9;
    Spatial, 6;
    Inertia10, 10;
}
