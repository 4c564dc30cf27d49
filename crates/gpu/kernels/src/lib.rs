//! Kernels: what a batch of worlds on a GPU runs.
//!
//! A world is one block of words, a model is a binary image that is read where it lies. One warp steps one world. A step is a few kernels, one for
//! each group of stages ([`team`]); a world whose step failed sits out the rest of it. The view of a world is made once, and its lanes share it.
//!
//! # Safety
//!
//! The launcher (`crates/gpu/src/device.rs`) hands in memory of the sizes that [`type_sizes`] and [`open`] tell, an image that this build wrote of a valid model, and as many
//! blocks of threads as there are worlds. So every pointer leads to memory of the batch, and what belongs to a world is used by the block of its number alone.
#![no_std]
#![feature(abi_ptx, stdarch_nvptx, asm_experimental_arch)]

mod warp;

use core::arch::nvptx::{_block_idx_x, _thread_idx_x, trap};
use core::mem::size_of;
use core::slice::{from_raw_parts, from_raw_parts_mut};

use ferrodyn_dynamics::data::{Capacity, FixedLayout};
use ferrodyn_dynamics::divergence::DivergencePolicy;
use ferrodyn_dynamics::plugin::Plugins;
use ferrodyn_dynamics::team::RungeKutta;
use ferrodyn_dynamics::{StepError, StepReport, World, team};
use ferrodyn_model::{Model, ModelRef, Rigid};

use crate::warp::{LANES, SHARED_WORDS, Warp};

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    // SAFETY: ends the kernel with an error
    unsafe { trap() }
}

/// What all worlds of a batch share: made once, in memory of the GPU.
pub struct Shared {
    model: Model<Rigid<'static>>,
    layout: FixedLayout,
}

/// Bytes of [`Shared`] and of the view of a world.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn type_sizes(out: *mut u64) {
    // SAFETY: two words, see above
    unsafe {
        *out = size_of::<Shared>() as u64;
        *out.add(1) = size_of::<World<'_>>() as u64;
    }
}

/// Read the image of a model, and lay out worlds of a capacity. `out`: words of a world, words of temporary memory.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn open(
    image: *const u8,
    length: u64,
    capacity: *const u64,
    shared: *mut Shared,
    out: *mut u64,
) {
    // SAFETY: one thread runs this, with an image of so many bytes, six numbers, and room for what comes out
    unsafe {
        let image = from_raw_parts(image, length as usize);
        let capacity = from_raw_parts(capacity, 6);
        *out = 0;
        let Ok(model) = ModelRef::from_written_image(image) else { return };
        let Ok(model) = model.into_rigid() else { return };
        let capacity = Capacity {
            contacts: capacity[0] as usize,
            rows: capacity[1] as usize,
            jacobian: capacity[2] as usize,
            projected: capacity[3] as usize,
            records: capacity[4] as usize,
            pairs: capacity[5] as usize,
        };
        let layout = FixedLayout::new(&model, capacity);
        *out = layout.words() as u64;
        *out.add(1) = (SHARED_WORDS + layout.stack_words()) as u64;
        shared.write(Shared { model, layout });
    }
}

/// Views of worlds that lie in their blocks.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn view(
    shared: *const Shared,
    blocks: *mut u64,
    stacks: *mut u64,
    worlds: *mut World<'static>,
) {
    // SAFETY: block, temporary memory and view of the world of this number
    unsafe {
        let layout = &(*shared).layout;
        let w = _block_idx_x() as usize;
        let (words, stack_words) = (layout.words(), layout.stack_words());
        let block = from_raw_parts_mut(blocks.add(w * words), words);
        let stack = stacks.add(w * (SHARED_WORDS + stack_words)).add(SHARED_WORDS);
        let stack = from_raw_parts_mut(stack, stack_words);
        static PLUGINS: Plugins = Plugins;
        if let Ok(mut world) = layout.view(block, stack, &PLUGINS) {
            world.set_divergence_policy(DivergencePolicy::Error);
            worlds.add(w).write(world);
        }
    }
}

/// A stage that a world runs on a warp, unless its step has failed already, which is not zero in `failed`.
///
/// # Safety
/// As for kernels.
#[inline(always)]
unsafe fn run(
    shared: *const Shared,
    stacks: *mut u64,
    worlds: *mut World<'static>,
    failed: *mut u32,
    stage: impl FnOnce(&Warp, &Model<Rigid<'static>>, &mut World<'static>) -> Result<(), StepError>,
) {
    // SAFETY: the world of this number, whose view the lanes share: stages write what lanes see in verbs
    unsafe {
        let w = _block_idx_x() as usize;
        let Shared { model, layout } = &*shared;
        let failed = failed.add(w);
        if *failed != 0 {
            return;
        }
        let t = Warp::here(stacks.add(w * (SHARED_WORDS + layout.stack_words())));
        if stage(&t, model, &mut *worlds.add(w)).is_err() && t.is_first() {
            *failed = 1;
        }
    }
}

macro_rules! kernels {
    ($($(#[$doc:meta])* $name:ident = $stage:expr;)*) => {$(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub unsafe extern "ptx-kernel" fn $name(
            shared: *const Shared,
            stacks: *mut u64,
            worlds: *mut World<'static>,
            failed: *mut u32,
        ) {
            // SAFETY: handed on
            unsafe { run(shared, stacks, worlds, failed, $stage) }
        }
    )*};
}

kernels! {
    begin = |t, m, d| team::begin(t, m, d).map(|_| ());
    position = |t, m, d| team::position(t, m, d);
    contacts = |t, m, d| team::contacts(t, m, d);
    rows = |t, m, d| team::rows(t, m, d);
    velocity = |t, m, d| team::velocity(t, m, d);
    forces = |t, m, d| team::forces(t, m, d);
    solve_shared = |t, m, d| team::solve_shared(t, m, d).map(|_| ());
    solve_alone = |t, m, d| team::solve_alone(t, m, d);
    accept = |t, m, d| team::accept(t, m, d).map(|_| ());
    accelerate = |t, m, d| team::accelerate(t, m, d).map(|_| ());
    advance = |t, m, d| { team::advance(t, m, d); Ok(()) };
}

/// Sensors of a stage: 0 position, 1 velocity, 2 acceleration; 3: histories and activations, which sensors with delays are part of.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn sensors(
    shared: *const Shared,
    stacks: *mut u64,
    worlds: *mut World<'static>,
    failed: *mut u32,
    stage: u32,
) {
    // SAFETY: handed on
    unsafe {
        run(shared, stacks, worlds, failed, |t, m, d| match stage {
            0 => team::position_sensors(t, m, d),
            1 => team::velocity_sensors(t, m, d),
            2 => team::acceleration_sensors(t, m, d),
            _ => team::settle(t, m, d).map(|_| ()),
        })
    }
}

/// Parts of Runge-Kutta's step: 0 to begin, 1 to 3 to go to a stage, 4 to 6 to add it, anything else to end.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn runge_kutta(
    shared: *const Shared,
    stacks: *mut u64,
    worlds: *mut World<'static>,
    failed: *mut u32,
    part: u32,
) {
    let part = match part {
        0 => RungeKutta::Begin,
        1..=3 => RungeKutta::GoTo(part as usize - 1),
        4..=6 => RungeKutta::Add(part as usize - 4),
        _ => RungeKutta::End,
    };
    // SAFETY: handed on
    unsafe {
        run(shared, stacks, worlds, failed, |t, m, d| {
            team::runge_kutta_part(t, m, d, part);
            Ok(())
        })
    }
}

/// The end of a step: the new state is checked, and where the step failed, the state before it is there again.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn end(
    shared: *const Shared,
    stacks: *mut u64,
    worlds: *mut World<'static>,
    failed: *mut u32,
) {
    // SAFETY: as in `run`
    unsafe {
        let w = _block_idx_x() as usize;
        let outcome = match *failed.add(w) {
            0 => Ok(()),
            1 => Err(StepError::Stopped),
            // a world that failed in an earlier step stays as it is
            _ => return,
        };
        let Shared { model, layout } = &*shared;
        let t = Warp::here(stacks.add(w * (SHARED_WORDS + layout.stack_words())));
        let d = &mut *worlds.add(w);
        if team::end(&t, model, d, StepReport::default(), outcome).is_err() && t.is_first() {
            *failed.add(w) = 2;
        }
    }
}

/// Rows of an array of all worlds, one after the other, in words of four bytes: `count` of them from `start` on in every block.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn gather(
    blocks: *const u32,
    stride: u64,
    start: u64,
    count: u32,
    rows: *mut u32,
) {
    // SAFETY: the row lies in the block of its world, and there is room for all of them
    unsafe {
        let w = _block_idx_x() as usize;
        let from = blocks.add(w * stride as usize + start as usize);
        let to = rows.add(w * count as usize);
        let mut i = _thread_idx_x() as usize;
        while i < count as usize {
            *to.add(i) = *from.add(i);
            i += LANES;
        }
    }
}

/// The way back: rows into the blocks of worlds, those that are marked.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn scatter(
    blocks: *mut u32,
    stride: u64,
    start: u64,
    count: u32,
    rows: *const u32,
    row_stride: u32,
    marks: *const u8,
) {
    // SAFETY: as in `gather`, the other way
    unsafe {
        let w = _block_idx_x() as usize;
        if *marks.add(w) == 0 {
            return;
        }
        let to = blocks.add(w * stride as usize + start as usize);
        let from = rows.add(w * row_stride as usize);
        let mut i = _thread_idx_x() as usize;
        while i < count as usize {
            *to.add(i) = *from.add(i);
            i += LANES;
        }
    }
}
