//! Whose numbers a view has: those of one world, or of several that go abreast.
use ferrodyn_math::{Abreast, Number, Real};

use crate::World;

/// The type of an element of the tables, with the numbers of a lane in place of reals.
macro_rules! laned {
    ($n:ident, Real) => { $n };
    ($n:ident, Vec3) => { Vec3<$n> };
    ($n:ident, Quat) => { Quat<$n> };
    ($n:ident, Mat3) => { Mat3<$n> };
    ($n:ident, Spatial) => { Spatial<$n> };
    ($n:ident, Inertia10) => { Inertia10<$n> };
    ($n:ident, [Real; $count:literal]) => { [$n; $count] };
    ($n:ident, $t:ty) => { $t };
}
pub(crate) use laned;

/// Numbers of a [`World`]: [`Real`] of a world alone, [`Abreast`] of several.
pub trait Lane: Number {
    /// The world, where there is one alone: for what is computed world by world.
    fn alone<'w, 'a>(d: &'w mut World<'a, Self>) -> Option<&'w mut World<'a>>;

    /// As [`Lane::alone`], to be read.
    fn alone_ref<'w, 'a>(d: &'w World<'a, Self>) -> Option<&'w World<'a>>;
}

impl Lane for Real {
    #[inline(always)]
    fn alone<'w, 'a>(d: &'w mut World<'a>) -> Option<&'w mut World<'a>> {
        Some(d)
    }

    #[inline(always)]
    fn alone_ref<'w, 'a>(d: &'w World<'a>) -> Option<&'w World<'a>> {
        Some(d)
    }
}

impl<const K: usize> Lane for Abreast<K> {
    #[inline(always)]
    fn alone<'w, 'a>(_: &'w mut World<'a, Self>) -> Option<&'w mut World<'a>> {
        None
    }

    #[inline(always)]
    fn alone_ref<'w, 'a>(_: &'w World<'a, Self>) -> Option<&'w World<'a>> {
        None
    }
}

impl<'a, T: Lane> World<'a, T> {
    /// The world, where it is alone. What only worlds alone have (sleep, flexes, plugins, hooks, ...) is computed with it.
    #[inline(always)]
    pub(crate) fn alone(&mut self) -> Option<&mut World<'a>> {
        T::alone(self)
    }
}
