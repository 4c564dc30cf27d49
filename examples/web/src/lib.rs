//! The engine as a WebAssembly module: MJCF text goes in, the world is stepped, its state comes out.
//!
//! It imports nothing, so that any host of WebAssembly can run it; `run.mjs` is one. Texts pass through the module's memory: the host asks for
//! room with [`input`] and writes there, and reads what went wrong at [`message`]. Functions that can fail return whether they
//! did not. `cargo xtask wasm` builds the module and runs `run.mjs`.

use std::cell::RefCell;

use ferrodyn::{BatchError, BatchSim, Data, Integrator, LoadOptions, Model};

thread_local! {
    static PROGRAM: RefCell<Program> = RefCell::default();
}

/// Everything that lasts between calls.
#[derive(Default)]
struct Program {
    /// What the host has written.
    input: Vec<u8>,
    /// What went wrong last.
    message: String,
    /// Files that models may name.
    options: LoadOptions,
    world: Option<(Model, Data)>,
}

impl Program {
    fn input(&self) -> Result<&str, String> {
        str::from_utf8(&self.input).map_err(|e| e.to_string())
    }

    fn add_file(&mut self) -> Result<(), String> {
        let (name, content) = self.input()?.split_once('\0').ok_or("a file has a name")?;
        self.options = self.options.clone().with_asset(name, content.as_bytes());
        Ok(())
    }

    fn load(&mut self) -> Result<(), String> {
        let model = Model::from_xml_str(self.input()?, &self.options);
        let mut model = model.map_err(|e| e.to_string())?;
        model.edit(|m| m.opt.integrator = Integrator::Euler as i32);
        let data = model.make_data();
        self.world = Some((model, data));
        Ok(())
    }

    fn step(&mut self, count: usize) -> Result<(), String> {
        let (model, data) = self.world.as_mut().ok_or("there is no world")?;
        data.step_n(model, count).map(drop).map_err(|e| e.to_string())
    }

    /// Steps worlds that begin with different velocities, one of which is thrown away half way; what stands for all bits of all of them.
    fn batch_hash(&self, worlds: usize, calls: usize) -> Result<u64, BatchError> {
        let Some((model, _)) = &self.world else { return Ok(0) };
        let velocity = |world, dof| 0.01 * (world * (dof % 7)) as f64;
        let state = |world| {
            model.qpos0.iter().copied().chain((0..model.nv).map(move |dof| velocity(world, dof)))
        };
        let mut batch = BatchSim::new(model.shared(), worlds)?;
        batch.set_frame_skip(10)?;
        batch.start_at_states(&(0..worlds).flat_map(state).collect::<Vec<_>>())?;
        batch.reset_all()?;
        for call in 0..calls {
            if call == calls / 2 {
                batch.with_world(1, |d| d.qvel[0] = 1e11)?;
            }
            batch.step_all()?;
        }
        (0..worlds).try_fold(0, |sum: u64, i| Ok(sum.rotate_left(1) ^ batch.world(i)?.state_hash()))
    }

    /// Does something; true if it worked, otherwise it is in the message what did not.
    fn attempt(f: impl FnOnce(&mut Program) -> Result<(), String>) -> bool {
        PROGRAM.with_borrow_mut(|program| {
            let outcome = f(program);
            program.message = outcome.err().unwrap_or_default();
            program.message.is_empty()
        })
    }
}

/// Room for a text of so many bytes, which the host writes before it calls anything else.
#[unsafe(no_mangle)]
pub extern "C" fn input(bytes: usize) -> *mut u8 {
    PROGRAM.with_borrow_mut(|program| {
        program.input = vec![0; bytes];
        program.input.as_mut_ptr()
    })
}

/// Adds a file to those that models may name: the input is its name, a zero, and its content.
#[unsafe(no_mangle)]
pub extern "C" fn add_file() -> bool {
    Program::attempt(Program::add_file)
}

/// Makes a world from the input, a model in MJCF; the integrator is Euler's.
#[unsafe(no_mangle)]
pub extern "C" fn load() -> bool {
    Program::attempt(Program::load)
}

/// Makes steps.
#[unsafe(no_mangle)]
pub extern "C" fn step(count: usize) -> bool {
    Program::attempt(|program| program.step(count))
}

/// A number that stands for all bits of the state; 0 without a world.
#[unsafe(no_mangle)]
pub extern "C" fn state_hash() -> u64 {
    PROGRAM.with_borrow(|p| p.world.as_ref().map_or(0, |(_, data)| data.state_hash()))
}

/// The number that stands for the states of all worlds of a batch after some calls of ten steps, on the one thread that there is; 0 where that fails.
#[unsafe(no_mangle)]
pub extern "C" fn batch_hash(worlds: usize, calls: usize) -> u64 {
    PROGRAM.with_borrow(|program| program.batch_hash(worlds, calls).unwrap_or(0))
}

/// How many contacts there are; 0 without a world.
#[unsafe(no_mangle)]
pub extern "C" fn contact_count() -> usize {
    PROGRAM.with_borrow(|p| p.world.as_ref().map_or(0, |(_, data)| data.contacts().len()))
}

/// Where the message about the last failure lies; it is there until the next call that can fail.
#[unsafe(no_mangle)]
pub extern "C" fn message() -> *const u8 {
    PROGRAM.with_borrow(|program| program.message.as_ptr())
}

/// Bytes of that message.
#[unsafe(no_mangle)]
pub extern "C" fn message_len() -> usize {
    PROGRAM.with_borrow(|program| program.message.len())
}
