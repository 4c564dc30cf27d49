//! Temporary arrays of fixed sizes that outlive a stage within a call, or that small stages share.
//!
//! An array belongs to the function that took it, until it puts it back; nothing that this function calls may use the same one.
use ferrodyn_math::{Real, Spatial, Vec3, words_of};
use ferrodyn_model::Sizes;

#[cfg(feature = "alloc")]
use crate::data::lane::Lane;
use crate::data::lane::laned;
#[cfg(feature = "alloc")]
use crate::lanes::block::{Cut, numbers_of};

macro_rules! scratch_fields {
    ($m:ident: $(($name:ident, $t:tt, $count:expr, $doc:literal))*) => {
        /// Views of the arrays; contents never outlive a call.
        pub(crate) struct Scratch<'a, T = Real> {
            $(#[doc = $doc] pub(crate) $name: &'a mut [laned!(T, $t)],)*
        }

        impl<'a> Scratch<'a> {
            pub(crate) fn reborrow(&mut self) -> Scratch<'_> {
                Scratch { $($name: self.$name,)* }
            }
        }

        impl Scratch<'_> {
            /// Words of eight bytes that they take.
            pub(crate) fn words($m: &Sizes) -> usize {
                0 $(+ words_of::<$t>($count))*
            }

        }

        impl<'a, T> Scratch<'a, T> {
            /// Numbers whose memory they take, of worlds abreast.
            #[cfg(feature = "alloc")]
            pub(crate) fn numbers($m: &Sizes) -> usize
            where
                T: Lane,
            {
                0 $(+ numbers_of::<T, laned!(T, $t)>($count))*
            }

            /// Cut a block of so many numbers.
            #[cfg(feature = "alloc")]
            pub(crate) fn cut(rest: &mut Cut<'a, T>, $m: &Sizes) -> Scratch<'a, T>
            where
                T: Lane,
            {
                Scratch { $($name: rest.take($count),)* }
            }
        }

        impl<'a> Scratch<'a> {
            /// Cut a block of so many words.
            pub(crate) fn split(block: &'a mut [u64], $m: &Sizes) -> Scratch<'a> {
                let mut rest = crate::data::work::Rest(block);
                Scratch { $($name: rest.take($count),)* }
            }
        }
    };
}

scratch_fields! {
    m:
    (body_acc, Spatial, m.nbody, "acceleration of each body, or velocity")
    (body_frc, Spatial, m.nbody, "force on each body")
    (dof_a, Real, m.nv, "one value per degree of freedom")
    (dof_b, Real, m.nv, "one value per degree of freedom")
    (dof_spatial, Spatial, m.nv, "one spatial vector per degree of freedom")
    (row_columns, u32, m.nv, "columns of a sparse row")
    (row_values, Real, m.nv, "values of a sparse row")
    (dof_count, i32, m.nv, "one integer per degree of freedom")
    (ctrl, Real, m.nu, "controls, delayed and limited")
    (tendon_force, Real, m.ntendon, "total actuator force of each tendon")
    (step_acc, Real, m.nv, "acceleration that a step integrates, while delayed sensors are computed")
    (kept, Real, 3 * m.nv, "what inverse dynamics puts back: acceleration, forces")
    (runge_kutta, Real, m.nq + 3 * m.nv + 2 * m.na, "the state at the beginning of a Runge-Kutta step, and the weighted sums of its stages")
    (dof_columns, usize, if m.nflex > 0 { m.nv } else { 0 }, "columns of a row that is added up")
    (flex_force, Vec3, m.nflexvert, "force on each vertex of a flex")
    (before, Real, 1 + m.nq + 2 * m.nv + m.na + m.nhistory + m.npluginstate, "time and state before a step that may be taken back")
    (before_asleep, i32, m.ntree, "`tree_asleep` before a step that may be taken back")
}
