//! Simulate a model.
use std::fs::File;
use std::io::{BufWriter, IsTerminal, Write};
use std::path::Path;
use std::time::Instant;

use ferrodyn::math::double;
use ferrodyn::{Data, Model, ObjType};
use indicatif::{ProgressBar, ProgressStyle};

use super::{Result, load, print_warnings};

/// Steps between two movements of the progress bar.
const CHUNK: usize = 100;

/// Simulate a model for a time, optionally writing every state to a table.
pub(crate) fn run(
    out: &mut dyn Write,
    path: &Path,
    time: f64,
    key: Option<&str>,
    csv: Option<&Path>,
) -> Result<()> {
    if !(time.is_finite() && time >= 0.0) {
        return Err(
            format!("--time {time}: expected a finite number of seconds, not negative").into()
        );
    }
    let model = load(path)?;
    print_warnings(&model);
    let timestep = model.opt.timestep;
    if timestep <= 0.0 {
        return Err(
            format!("the time step of the model is {timestep} s: time does not advance").into()
        );
    }
    let mut data = model.make_data();
    if let Some(key) = key {
        data.reset_to_keyframe(&model, find_key(&model, key)?)?;
    }
    let mut table = match csv {
        Some(file) => Some(Table::create(&model, file)?),
        None => None,
    };
    let steps = (time / double(timestep)).round() as usize;
    let bar = progress_bar(steps);
    let start = Instant::now();
    let mut divergence = None;
    for step in 0..steps {
        divergence = divergence.or(data.step(&model)?.divergence);
        if let Some(table) = &mut table {
            table.row(&data)?;
        }
        if step % CHUNK == 0 {
            bar.set_position(step as u64);
        }
    }
    bar.finish_and_clear();
    let elapsed = start.elapsed().as_secs_f64();
    if let Some(table) = table {
        table.finish()?;
    }
    if let Some(divergence) = divergence {
        eprintln!("warning: {divergence}");
    }
    writeln!(out, "time {:.4} s, {steps} steps in {elapsed:.3} s", data.time())?;
    writeln!(out, "qpos {:?}", data.qpos())?;
    writeln!(out, "qvel {:?}", data.qvel())?;
    writeln!(out, "state hash {:016x}", data.state_hash())?;
    Ok(())
}

/// A keyframe by name or by number.
fn find_key(model: &Model, key: &str) -> Result<usize> {
    model
        .id(ObjType::Key, key)
        .or_else(|| key.parse().ok().filter(|&k| k < model.nkey))
        .ok_or_else(|| format!("the model has no keyframe '{key}' (it has {})", model.nkey).into())
}

/// A bar on a terminal, nothing elsewhere.
pub(super) fn progress_bar(steps: usize) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(steps as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {percent}% {per_sec} eta {eta}") {
        bar.set_style(style);
    }
    bar
}

/// A table of states, one row per step.
struct Table {
    out: BufWriter<File>,
}

impl Table {
    fn create(model: &Model, file: &Path) -> Result<Table> {
        let file = File::create(file).map_err(|e| format!("{}: {e}", file.display()))?;
        let mut out = BufWriter::new(file);
        let columns = (0..model.nq).map(|i| format!("qpos{i}"));
        let columns = columns.chain((0..model.nv).map(|i| format!("qvel{i}")));
        let names: Vec<String> = std::iter::once("time".to_owned()).chain(columns).collect();
        writeln!(out, "{}", names.join(","))?;
        Ok(Table { out })
    }

    fn row(&mut self, data: &Data) -> Result<()> {
        write!(self.out, "{}", data.time())?;
        for x in data.qpos().iter().chain(data.qvel()) {
            write!(self.out, ",{x}")?;
        }
        writeln!(self.out)?;
        Ok(())
    }

    fn finish(mut self) -> Result<()> {
        Ok(self.out.flush()?)
    }
}
