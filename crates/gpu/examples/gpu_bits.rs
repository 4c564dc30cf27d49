//! Steps worlds of models on a GPU and on the processor, compares their bits, and prints how fast each of them is.
//!
//! `cargo run --release -p ferrodyn-gpu --example gpu_bits -- [--steps N] [--speed] [--check] MODEL...`
//!
//! With `--check`, it only says which models a GPU can step; that needs none. A model may be binary (`.fdb`).
#![allow(clippy::print_stdout, reason = "a program that prints a table")]
use std::error::Error;
use std::time::Instant;

use ferrodyn::{BatchSim, Model};
use ferrodyn_gpu::{GpuBatch, capacity};

/// Worlds whose bits are compared.
const WORLDS: usize = 64;

fn main() -> Result<(), Box<dyn Error>> {
    let mut steps = 1000;
    let (mut speed, mut check) = (false, false);
    let mut paths = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--steps" => steps = arguments.next().ok_or("--steps N")?.parse()?,
            "--speed" => speed = true,
            "--check" => check = true,
            path => paths.push(path.to_owned()),
        }
    }
    let (mut fit, count) = (0, paths.len());
    for path in paths {
        let outcome = if check { can_be_stepped(&path) } else { compare(&path, steps, speed) };
        match outcome {
            Ok(()) => fit += 1,
            Err(error) => println!("{path}: {error}"),
        }
    }
    println!("{fit} of {count} models");
    Ok(())
}

/// A model from its text, or from a binary file.
fn load(path: &str) -> Result<Model, Box<dyn Error>> {
    Ok(if path.ends_with(".fdb") {
        Model::from_binary_path(path)?
    } else {
        Model::from_xml_path(path)?
    })
}

/// Can a GPU step this model?
fn can_be_stepped(path: &str) -> Result<(), Box<dyn Error>> {
    let model = load(path)?;
    Ok(ferrodyn_gpu::check_model(&model)?)
}

/// A number between -1 and 1 that depends on the world, the element and the step.
fn noise(world: usize, element: usize, step: usize) -> f64 {
    let mut x = (world as u64) << 40 ^ (element as u64) << 20 ^ step as u64;
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9).wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((x >> 11) as f64) / (1u64 << 52) as f64 - 1.0
}

/// Controls of all worlds in a step: a fifth of the range around its middle.
fn controls(model: &Model, worlds: usize, step: usize) -> Vec<f64> {
    let mut rows = Vec::with_capacity(worlds * model.nu);
    for world in 0..worlds {
        for u in 0..model.nu {
            let [low, high] = if model.actuator_ctrllimited[u] != 0 {
                model.actuator_ctrlrange[u]
            } else {
                [-1.0, 1.0]
            };
            rows.push(0.5 * (low + high) + 0.2 * (high - low) * noise(world, u, step / 20));
        }
    }
    rows
}

/// Initial states: the reference pose with velocities of their own.
fn states(model: &Model, worlds: usize) -> Vec<f64> {
    let mut rows = Vec::new();
    for world in 0..worlds {
        if model.nkey > 0 {
            rows.extend_from_slice(&model.key_qpos[..model.nq]);
        } else {
            rows.extend_from_slice(&model.qpos0);
        }
        rows.extend((0..model.nv).map(|i| 0.1 * noise(world, i, 1 << 19)));
    }
    rows
}

fn compare(path: &str, steps: usize, speed: bool) -> Result<(), Box<dyn Error>> {
    let model = load(path)?;
    let file = path.rsplit('/').next().unwrap_or(path);
    let name = file.trim_end_matches(".xml").trim_end_matches(".fdb");
    let start = Instant::now();
    let mut gpu = GpuBatch::new(model.shared(), WORLDS)?;
    gpu.step_all()?;
    let first = start.elapsed();
    // on the processor there is always room
    let mut room = capacity(&model)?;
    (room.contacts, room.rows, room.jacobian) =
        (3 * room.contacts, 3 * room.rows, 3 * room.jacobian);
    let mut gpu = GpuBatch::with_capacity(model.shared(), WORLDS, room)?;
    let mut cpu = BatchSim::new(model.shared(), WORLDS)?;
    let rows = states(&model, WORLDS);
    gpu.start_at_states(&rows)?;
    cpu.start_at_states(&rows)?;
    gpu.reset_all()?;
    cpu.reset_all()?;
    let mut errors = 0;
    let mut equal = 0;
    for step in 0..steps {
        let controls = controls(&model, WORLDS, step);
        gpu.set_controls(&controls)?;
        cpu.set_controls(&controls)?;
        let (a, b) = (gpu.step_all()?, cpu.step_all()?);
        errors += a.errors.iter().filter(|error| error.is_some()).count();
        let same = a.states.iter().zip(&b.states).all(|(a, b)| a.to_bits() == b.to_bits());
        if !same || a.errors != b.errors {
            let world = a.errors.iter().zip(&b.errors).find(|(a, b)| a != b);
            println!("{name}: differs after {} steps {world:?}", step + 1);
            break;
        }
        equal += 1;
    }
    let contacts = gpu.with_world(0, |d| (d.head.ncon, d.head.nefc))?;
    println!(
        "{name}: {equal} of {steps} steps bit-equal in {WORLDS} worlds, {errors} errors, first step after {:.2} s, contacts and rows {contacts:?}, {}",
        first.as_secs_f64(),
        gpu.device_name(),
    );
    if speed {
        for worlds in [1, 1024, 8192, 65536] {
            rate(&model, name, worlds)?;
        }
    }
    Ok(())
}

/// Million steps per second of all worlds together, with fixed controls.
fn rate(model: &Model, name: &str, worlds: usize) -> Result<(), Box<dyn Error>> {
    let mut gpu = GpuBatch::new(model.shared(), worlds)?;
    gpu.start_at_states(&states(model, worlds))?;
    gpu.reset_all()?;
    gpu.set_controls(&controls(model, worlds, 0))?;
    gpu.set_frame_skip(100)?;
    gpu.step_all()?;
    let failed = gpu.result().errors.iter().flatten().count();
    gpu.synchronize()?;
    let steps = if worlds > 10_000 { 20 } else { 100 };
    let start = Instant::now();
    gpu.step_on_device(steps)?;
    gpu.synchronize()?;
    let seconds = start.elapsed().as_secs_f64();
    if worlds == 8192 {
        let profile = gpu.profile(10)?;
        for (name, time) in profile {
            println!("    {name}: {:.0} ns a world", time / 10.0 / worlds as f64 * 1e9);
        }
    }
    println!(
        "  {name}, {worlds} worlds: {:.3} M steps/s, {failed} failed",
        (worlds * steps) as f64 / seconds / 1e6
    );
    Ok(())
}
