//! The memory of several worlds abreast: every array of the table with a number of each world in each place.
use alloc::{vec, vec::Vec};

use bytemuck::Pod;
use ferrodyn_math::{Inertia10, Mat3, Quat, Real, Spatial, Stack, Vec3};
use ferrodyn_model::{Sizes, dynamic_cols};

use crate::data::growing::Spare;
use crate::data::lane::{Lane, laned};
use crate::data::scratch::Scratch;
use crate::data::work::{Work, WorkSizes};
use crate::data::world::Kept;
use crate::data::{Header, Layout};
use crate::divergence::DivergencePolicy;
use crate::plugin::Plugins;
use crate::{OwnedWorld, World};

/// How many numbers have the memory of so many elements.
pub(crate) const fn numbers_of<T, U>(count: usize) -> usize {
    (count * size_of::<U>()).div_ceil(size_of::<T>())
}

/// The rest of a block of numbers that is being cut into arrays.
pub(crate) struct Cut<'a, T>(&'a mut [T]);

impl<'a, T: Lane> Cut<'a, T> {
    /// The next array.
    #[inline]
    pub(crate) fn take<U: Pod>(&mut self, count: usize) -> &'a mut [U] {
        let (array, rest) = core::mem::take(&mut self.0).split_at_mut(numbers_of::<T, U>(count));
        self.0 = rest;
        let bytes = bytemuck::cast_slice_mut::<T, u8>(array);
        bytemuck::cast_slice_mut(&mut bytes[..count * size_of::<U>()])
    }
}

/// The block, and what a view needs beside it.
#[derive(Debug)]
pub(super) struct Block<T> {
    numbers: Vec<T>,
    layout: Layout,
    /// Nothing of it belongs to a world.
    head: Header,
    kept: Kept,
    plugins: Plugins,
}

macro_rules! define_block {
    ($(($name:ident, $t:tt, $rows:ident, $cols:tt, $doc:literal))*) => {
        impl<T: Lane> Block<T> {
            pub(super) fn new(sizes: &Sizes) -> Block<T> {
                let arrays = 0 $(+ numbers_of::<T, laned!(T, $t)>(
                    sizes.$rows * dynamic_cols!(sizes, $cols).unwrap_or(1),
                ))*;
                Block {
                    numbers: vec![T::of(0.0); arrays + Scratch::<T>::numbers(sizes)],
                    layout: Layout::new(sizes),
                    head: Header::default(),
                    kept: Kept::default(),
                    plugins: Plugins::default(),
                }
            }

            /// All arrays; without contacts, rows, and what a stage finds out for the next step.
            pub(super) fn view(&mut self) -> World<'_, T> {
                let sizes = &self.layout.sizes;
                let mut rest = Cut(&mut self.numbers[..]);
                World {
                    head: &mut self.head,
                    work: Work::split(&mut [], sizes, &WorkSizes::default()),
                    kept: &mut self.kept,
                    ends: &mut [],
                    marked: &mut [],
                    separations: &mut [],
                    sizes,
                    work_spare: Spare::none(),
                    stack: Stack::default(),
                    stack_spare: Spare::none(),
                    plugins: &self.plugins,
                    policy: DivergencePolicy::default(),
                    #[cfg(feature = "deformable")]
                    soft: None,
                    $($name: rest.take(sizes.$rows * dynamic_cols!(sizes, $cols).unwrap_or(1)),)*
                    scratch: Scratch::cut(&mut rest, sizes),
                }
            }
        }
    };
}

ferrodyn_model::data_fields!(define_block);

/// The numbers of one world.
#[inline(always)]
fn take_out<T: Lane, A: Pod, B: Pod>(from: &[A], world: usize, to: &mut [B]) {
    let from: &[T] = bytemuck::cast_slice(from);
    let to: &mut [Real] = bytemuck::cast_slice_mut(to);
    for (to, from) in to.iter_mut().zip(from) {
        *to = from.get(world);
    }
}

/// The numbers of one world, put back.
#[inline(always)]
fn put_in<T: Lane, A: Pod, B: Pod>(from: &[B], world: usize, to: &mut [A]) {
    let from: &[Real] = bytemuck::cast_slice(from);
    let to: &mut [T] = bytemuck::cast_slice_mut(to);
    for (to, from) in to.iter_mut().zip(from) {
        to.set(world, *from);
    }
}

/// One array of a world, put back.
pub(super) fn take_over<T: Lane>(from: &[Real], world: usize, to: &mut [T]) {
    put_in::<T, _, _>(from, world, to);
}

macro_rules! copies {
    ($(#[$doc:meta])* out $name:ident: $($field:ident)* $(; same $($same:ident)*)?) => {
        $(#[$doc])*
        pub(super) fn $name<T: Lane>(from: &World<'_, T>, world: usize, to: &mut World<'_>) {
            $(take_out::<T, _, _>(&*from.$field, world, &mut *to.$field);)*
            $($(to.$same.copy_from_slice(from.$same);)*)?
        }
    };
    ($(#[$doc:meta])* back $name:ident: $($field:ident)*) => {
        $(#[$doc])*
        pub(super) fn $name<T: Lane>(from: &World<'_>, world: usize, to: &mut World<'_, T>) {
            $(put_in::<T, _, _>(&*from.$field, world, &mut *to.$field);)*
        }
    };
    ($(#[$doc:meta])* back $name:ident $of:ident: $($field:ident)*) => {
        copies! { $(#[$doc])* back $name: $($field)* }

        $(#[$doc])*
        pub(super) fn $of<T: Lane>(from: &OwnedWorld, world: usize, to: &mut World<'_, T>) {
            $(put_in::<T, _, _>(from.$field(), world, &mut *to.$field);)*
        }
    };
}

copies! {
    /// What a step moves, but for time, and its rates.
    out moved_out: qpos qvel act qacc_warmstart qacc act_dot
}
copies! {
    /// What a step moves, but for time, and its rates; what the user sets.
    back state_back state_back_of:
        qpos qvel act qacc_warmstart qacc act_dot ctrl qfrc_applied xfrc_applied mocap_pos mocap_quat
}
copies! {
    /// What rows and the solver read.
    out for_rows: qpos qvel qacc_warmstart subtree_com cdof M qLD qLDiagInv qfrc_smooth qacc_smooth
}
copies! {
    /// What contacts are found from.
    out for_contacts: xipos ximat geom_xpos geom_xmat
}
copies! {
    /// What rows of equalities of bodies read.
    out for_frames: xpos xquat xmat site_xpos site_xmat
}
copies! {
    /// What rows of tendons read.
    out for_tendons: ten_J ten_length; same ten_J_rownnz ten_J_rowadr ten_J_colind
}
copies! {
    /// Everything else that the stages in lanes compute, for whoever looks at the world, and for sensors.
    out for_readers:
        act act_dot xanchor xaxis cam_xpos cam_xmat light_xpos light_xdir cinert crb qM
        actuator_length actuator_moment ten_velocity actuator_velocity cvel cdof_dot
        qfrc_bias qfrc_spring qfrc_damper qfrc_gravcomp qfrc_fluid qfrc_passive
        actuator_force qfrc_actuator;
    same ten_wrapadr ten_wrapnum moment_rownnz moment_rowadr moment_colind
}
copies! {
    /// What integrators leave.
    out of_integrator: qH qHDiagInv qDeriv
}
copies! {
    /// What the solver found.
    back solved_back: qacc qfrc_constraint
}

/// What a step moves, but for time, and its rates, to a world that owns its memory.
pub(super) fn moved_out_to<T: Lane>(from: &World<'_, T>, world: usize, to: &mut OwnedWorld) {
    take_out::<T, _, _>(from.qpos, world, to.qpos_mut());
    take_out::<T, _, _>(from.qvel, world, to.qvel_mut());
    take_out::<T, _, _>(from.act, world, to.act_mut());
    take_out::<T, _, _>(from.qacc_warmstart, world, to.qacc_warmstart_mut());
    take_out::<T, _, _>(from.qacc, world, to.qacc_mut());
    take_out::<T, _, _>(from.act_dot, world, to.act_dot_mut());
}
