//! The built-in humanoid.
use std::io::Write;
use std::time::{Duration, Instant};

use ferrodyn::math::{Real, double};
use ferrodyn::{Data, Model, load_model};

use super::Result;

/// A humanoid in the air above a floor.
const HUMANOID: &str = include_str!("../../models/humanoid.xml");
/// Simulated seconds.
const SECONDS: f64 = 10.0;

/// Energy of a world, in joules.
#[derive(Clone, Copy)]
struct Energy {
    potential: Real,
    kinetic: Real,
}

impl Energy {
    fn of(data: &Data) -> Energy {
        let [potential, kinetic] = data.header().energy;
        Energy { potential, kinetic }
    }

    fn total(self) -> Real {
        self.potential + self.kinetic
    }
}

/// What forces took out of the motion, in joules.
#[derive(Default)]
struct Losses {
    /// Damping of the joints.
    joints: Real,
    /// Contacts with the floor and between limbs.
    contacts: Real,
}

impl Losses {
    /// Take in a step that began with velocity `before`: the work of a force is its mean power.
    fn add(&mut self, data: &Data, before: &[Real], timestep: Real) {
        let work = |force: &[Real]| -> Real {
            let velocities = before.iter().zip(data.qvel());
            let power = force.iter().zip(velocities).map(|(f, (a, b))| f * 0.5 * (a + b));
            power.sum::<Real>() * timestep
        };
        self.joints -= work(data.qfrc_damper());
        self.contacts -= work(data.qfrc_constraint());
    }
}

/// Let the built-in humanoid fall and print a summary.
pub(crate) fn demo(out: &mut dyn Write) -> Result<()> {
    let model = load_model(HUMANOID)?;
    let mut data = model.make_data();
    data.forward(&model)?;
    let start = Energy::of(&data);
    let steps = (SECONDS / double(model.opt.timestep)).round() as usize;

    let mut losses = Losses::default();
    let mut before = data.qvel().to_vec();
    let mut stepping = Duration::ZERO;
    for _ in 0..steps {
        let begin = Instant::now();
        let report = data.step(&model)?;
        stepping += begin.elapsed();
        if let Some(divergence) = report.divergence {
            return Err(divergence.to_string().into());
        }
        losses.add(&data, &before, model.opt.timestep);
        before.copy_from_slice(data.qvel());
    }
    data.forward(&model)?;
    summary(out, &model, &data, steps as f64 / stepping.as_secs_f64())?;
    energy(out, start, Energy::of(&data), &losses)?;
    writeln!(out, "  state hash    {:016x}", data.state_hash())?;
    Ok(())
}

fn summary(out: &mut dyn Write, model: &Model, data: &Data, rate: f64) -> Result<()> {
    let timestep = model.opt.timestep;
    writeln!(out, "Ferrodyn {}: {}", env!("CARGO_PKG_VERSION"), model.model_name())?;
    writeln!(
        out,
        "  sizes         {} bodies, {} joints, {} degrees of freedom, {} geoms",
        model.nbody, model.njnt, model.nv, model.ngeom
    )?;
    writeln!(out, "  simulated     {:.1} s in steps of {timestep} s", data.time())?;
    writeln!(
        out,
        "  speed         {rate:.0} steps per second, {:.0} times real time",
        rate * double(timestep)
    )?;
    writeln!(
        out,
        "  at the end    {} contacts, centre of mass {:.3} m high, fastest joint {:.4} rad/s",
        data.contacts().len(),
        data.subtree_com()[0][2],
        data.qvel()[3..].iter().fold(0.0, |most: Real, v| most.max(v.abs()))
    )?;
    Ok(())
}

fn energy(out: &mut dyn Write, start: Energy, end: Energy, losses: &Losses) -> Result<()> {
    writeln!(
        out,
        "  energy        {:.2} J at the start; at the end {:.2} J of position, {:.4} J of motion",
        start.total(),
        end.potential,
        end.kinetic
    )?;
    let lost = start.total() - end.total();
    writeln!(
        out,
        "                {lost:.2} J lost: {:.2} J to contacts, {:.2} J to joint damping, {:+.2} J to the time step",
        losses.contacts,
        losses.joints,
        lost - losses.contacts - losses.joints
    )?;
    Ok(())
}
