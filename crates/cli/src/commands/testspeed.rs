//! Steps per second.
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use ferrodyn::DisableBit;
use ferrodyn::math::double;

use super::{Result, load, print_warnings};

/// Measure the speed of a model, from its reference pose.
pub(crate) fn testspeed(
    out: &mut dyn Write,
    path: &Path,
    nstep: usize,
    no_constraints: bool,
) -> Result<()> {
    let mut model = load(path)?;
    print_warnings(&model);
    if no_constraints {
        model.edit(|m| m.opt.disableflags |= DisableBit::Constraint as i32);
    }
    let mut data = model.make_data();
    data.step(&model)?;
    data.reset(&model)?;
    let start = Instant::now();
    let report = data.step_n(&model, nstep)?;
    let elapsed = start.elapsed().as_secs_f64();
    if let Some(divergence) = report.divergence {
        eprintln!("warning: {divergence}");
    }
    let rate = nstep as f64 / elapsed;
    writeln!(out, "{nstep} steps in {elapsed:.3} s")?;
    writeln!(out, "{rate:.0} steps per second, {:.2} us per step", 1e6 / rate)?;
    writeln!(out, "{:.1} times real time", rate * double(model.opt.timestep))?;
    Ok(())
}
