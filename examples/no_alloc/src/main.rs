//! Steps a humanoid that falls to the ground, in a program without the standard library and without an allocator: a binary model is
//! part of the program, and all memory is an array. It exits with 0 where the state after 10,000 steps has the bits that every
//! other build has.
//!
//! `cargo xtask no-alloc` compiles the model, builds this program and runs it.
#![no_std]
#![no_main]

use ferrodyn_dynamics::data::{Capacity, FixedLayout};
use ferrodyn_dynamics::hooks::NoHooks;
use ferrodyn_dynamics::plugin::Plugins;
use ferrodyn_dynamics::{StepError, step_world};
use ferrodyn_model::{Integrator, LoadError, ModelRef};

/// Bytes at a multiple of eight, where they can be used as they are.
#[repr(C, align(8))]
struct Aligned<T: ?Sized>(T);

/// The binary model.
static IMAGE: &Aligned<[u8]> = &Aligned(*include_bytes!(env!("FERRODYN_IMAGE")));

/// State after 10,000 steps; the tests of determinism have the same number.
const FINGERPRINT: u64 = 0xfdb9_031f_9709_98b8;

/// Words of memory for a world with fifty contacts, and for its temporary memory.
const WORLD: usize = 40_000;
const STACK: usize = 6_000;

/// Exit codes.
const RIGHT: i32 = 0;
const WRONG: i32 = 1;
const NOT_LOADED: i32 = 2;
const NOT_STEPPED: i32 = 3;
const PANICKED: i32 = 4;

/// What went wrong.
enum Failure {
    Load,
    Step,
}

impl From<LoadError> for Failure {
    fn from(_: LoadError) -> Failure {
        Failure::Load
    }
}

impl From<StepError> for Failure {
    fn from(_: StepError) -> Failure {
        Failure::Step
    }
}

/// Hash of the state after 10,000 steps, and the most contacts on the way.
fn fall() -> Result<(u64, i32), Failure> {
    let mut stack = [0; STACK];
    let mut model = ModelRef::from_image(&IMAGE.0, &mut stack)?;
    model.opt.integrator = Integrator::Euler as i32;

    let layout = FixedLayout::new(&model, Capacity::new(&model, 50, 250));
    let (mut block, plugins) = ([0; WORLD], Plugins);
    let block = block.get_mut(..layout.words()).ok_or(Failure::Step)?;
    let mut world = layout.make(&model, block, &mut stack, &plugins)?;
    let mut contacts = 0;
    for _ in 0..10_000 {
        step_world(&model, &mut world, &mut NoHooks)?;
        contacts = contacts.max(world.head.ncon);
    }
    Ok((world.state_hash(), contacts))
}

/// What the C library calls: the one entry that a program without the standard library can have.
#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    match fall() {
        Ok((FINGERPRINT, contacts)) if contacts > 0 => RIGHT,
        Ok(_) => WRONG,
        Err(Failure::Load) => NOT_LOADED,
        Err(Failure::Step) => NOT_STEPPED,
    }
}

// where compiled code finds `memcpy` and its kin
#[link(name = "c")]
unsafe extern "C" {
    safe fn _exit(code: i32) -> !;
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    _exit(PANICKED)
}
