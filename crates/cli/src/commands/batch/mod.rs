//! Many worlds of a model at once.
mod npz;
mod random;
mod randomize;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use ferrodyn::math::{Real, double};
use ferrodyn::{BatchSim, StateBit};

use super::run::progress_bar;
use super::{Result, load, print_warnings};
use npz::{Npz, Values};
use random::Random;
use randomize::Randomization;

/// What is simulated.
#[derive(clap::Args)]
pub(crate) struct BatchArgs {
    /// MJCF or URDF file, or binary model ending in .fdb
    model: PathBuf,
    /// Number of worlds
    #[arg(long, default_value_t = 1024)]
    worlds: usize,
    /// Number of steps that each world takes
    #[arg(long, default_value_t = 1000)]
    steps: usize,
    /// Number of threads; one for each core unless it is given
    #[arg(long, default_value_t = 0)]
    threads: usize,
    /// Controls are drawn anew for every step, uniformly from this part of their range (from -1 to 1 without one)
    #[arg(long, default_value_t = 0.0)]
    noise: f64,
    /// Start every number that is drawn from this one
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Vary parameters from world to world: a line of FILE is `NAME scale|add|set LOW HIGH`, where NAME is an array of the model (body_mass,
    /// geom_friction, ...), an option (opt.gravity) or an initial state (qpos, qvel)
    #[arg(long, value_name = "FILE")]
    randomize: Option<PathBuf>,
    /// Write states, times and what diverged to this file, as arrays for numpy.load
    #[arg(long, value_name = "FILE.npz")]
    out: Option<PathBuf>,
    /// Of all states, write those after every so many steps; without it only the last ones
    #[arg(long, value_name = "STEPS")]
    every: Option<usize>,
}

/// Draw the controls of all worlds.
fn draw_controls(batch: &mut BatchSim, noise: f64, random: &mut Random) {
    let model = batch.model().clone();
    for row in batch.controls_mut().chunks_exact_mut(model.nu.max(1)) {
        for (i, control) in row.iter_mut().enumerate() {
            let range = model.actuator_ctrlrange[i].map(double);
            let [low, high] = if model.actuator_ctrllimited[i] == 0 { [-1.0, 1.0] } else { range };
            let (middle, half) = ((low + high) / 2.0, (high - low) / 2.0);
            *control = (middle + noise * half * random.between(-1.0, 1.0)) as Real;
        }
    }
}

/// Step all worlds, print how fast that was and what diverged, and write what was asked for.
pub(crate) fn batch(out: &mut dyn Write, args: &BatchArgs) -> Result<()> {
    if args.every == Some(0) {
        return Err("--every 0: steps have to lie between two records".into());
    }
    let model = load(&args.model)?;
    print_warnings(&model);
    let mut batch = BatchSim::new(model.shared(), args.worlds)?;
    batch.set_threads(args.threads)?;
    let mut random = Random::new(args.seed);
    if let Some(file) = &args.randomize {
        let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
        let place = file.display().to_string();
        Randomization::parse(&text, &place)?.apply(&mut batch, &mut random, &place)?;
    }

    let row = model.nq + model.nv;
    let records = args.every.map_or(1, |every| args.steps / every);
    let every = args.every.unwrap_or(args.steps).max(1);
    let mut states = vec![0.0; if args.out.is_some() { args.worlds * records * row } else { 0 }];
    let mut diverged = vec![0u8; args.worlds];
    let bar = progress_bar(args.steps);
    let start = Instant::now();
    for step in 1..=args.steps {
        if args.noise != 0.0 {
            draw_controls(&mut batch, args.noise, &mut random);
        }
        let result = batch.step_all()?;
        for (i, error) in result.errors.iter().enumerate() {
            if let Some(error) = error {
                if diverged[i] == 0 {
                    bar.suspend(|| eprintln!("world {i}, step {step}: {error}"));
                }
                diverged[i] = 1;
            }
        }
        if args.out.is_some() && step % every == 0 {
            for i in 0..args.worlds {
                let at = (i * records + step / every - 1) * row;
                states[at..at + row].copy_from_slice(&result.states[i * row..(i + 1) * row]);
            }
        }
        bar.inc(1);
    }
    let elapsed = start.elapsed().as_secs_f64();
    bar.finish_and_clear();

    let total = args.worlds * args.steps;
    let rate = total as f64 / elapsed;
    writeln!(
        out,
        "{total} steps of {} worlds on {} threads in {elapsed:.3} s",
        args.worlds,
        batch.threads()
    )?;
    writeln!(
        out,
        "{rate:.0} steps per second, {:.1} times real time",
        rate * double(model.opt.timestep)
    )?;
    writeln!(out, "{} of memory a world", size(batch.memory_size() / args.worlds.max(1)))?;
    writeln!(out, "{} worlds diverged", diverged.iter().filter(|&&d| d != 0).count())?;
    if let Some(path) = &args.out {
        write_arrays(path, &mut batch, records, &states, &diverged)
            .map_err(|e| format!("{}: {e}", path.display()))?;
    }
    Ok(())
}

fn size(bytes: usize) -> String {
    format!("{:.1} KiB", bytes as f64 / 1024.0)
}

fn write_arrays(
    path: &Path,
    batch: &mut BatchSim,
    records: usize,
    states: &[Real],
    diverged: &[u8],
) -> Result<()> {
    let (worlds, row) = (batch.len(), batch.model().nq + batch.model().nv);
    let mut times = vec![0.0; worlds];
    batch.states_of(StateBit::Time as i32, &mut times)?;
    let mut file = Npz::create(path)?;
    file.add("states", &[worlds, records, row], Values::Reals(states))?;
    file.add("time", &[worlds], Values::Reals(&times))?;
    file.add("diverged", &[worlds], Values::Flags(diverged))?;
    file.finish()?;
    Ok(())
}
