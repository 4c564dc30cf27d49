//! The built-in humanoid.
use std::time::Instant;

use ferrodyn::{Data, Model, load_model};

use super::Result;

/// A humanoid whose pelvis is fixed to the world.
const HUMANOID: &str = include_str!("../../models/humanoid.xml");
/// Simulated seconds.
const SECONDS: f64 = 10.0;

fn total_energy(data: &Data) -> f64 {
    let [potential, kinetic] = data.header().energy;
    potential + kinetic
}

/// Simulate the built-in humanoid and print a summary.
pub(crate) fn demo() -> Result<()> {
    let model = load_model(HUMANOID)?;
    let mut data = model.make_data();
    data.forward(&model)?;
    let initial_energy = total_energy(&data);
    let steps = (SECONDS / model.opt.timestep).round() as usize;

    let start = Instant::now();
    let report = data.step_n(&model, steps)?;
    let elapsed = start.elapsed().as_secs_f64();
    if let Some(divergence) = report.divergence {
        return Err(divergence.to_string().into());
    }
    data.forward(&model)?;
    summary(&model, &data, steps, elapsed, initial_energy);
    Ok(())
}

fn summary(model: &Model, data: &Data, steps: usize, elapsed: f64, initial_energy: f64) {
    let rate = steps as f64 / elapsed;
    println!("Ferrodyn {}: {}", env!("CARGO_PKG_VERSION"), model.model_name());
    println!(
        "  sizes         {} bodies, {} joints, {} degrees of freedom, {} geoms",
        model.nbody, model.njnt, model.nv, model.ngeom
    );
    println!("  simulated     {:.1} s in {steps} steps of {} s", data.time(), model.opt.timestep);
    println!(
        "  speed         {rate:.0} steps per second, {:.0} times real time",
        rate * model.opt.timestep
    );
    println!("  final height  {:.6} m (centre of mass)", data.subtree_com()[0][2]);
    let energy = total_energy(data);
    println!(
        "  energy drift  {:+.4} J of {initial_energy:.2} J ({:+.3} %)",
        energy - initial_energy,
        100.0 * (energy - initial_energy) / initial_energy.abs()
    );
    println!("  state hash    {:016x}", data.state_hash());
}
