//! A simulation built of parts: MuJoCo's, which are a plain step to the bit, and others.
//!
//! `sim_builder plain|parts MODEL STEPS` only steps a model, for whoever counts instructions.

#![allow(clippy::print_stdout, reason = "an example shows what it computes")]

use ferrodyn::prelude::*;
use ferrodyn::sim::{BridsonBending, NeoHookean, SeriesElasticGain, Sim, XpbdSolver};
use ferrodyn::{MujocoSim, StepError, StepReport};

/// A simulation in which no part is MuJoCo's.
type OtherSim = Sim<BridsonBending, NeoHookean, SeriesElasticGain, XpbdSolver>;

/// Steps of MuJoCo's parts. It is a function by itself so that `cargo xtask no-alloc` finds it in a disassembly, and what it calls.
#[inline(never)]
fn step_mujoco(sim: &mut MujocoSim, steps: usize) -> Result<StepReport, StepError> {
    sim.step_n(steps)
}

/// Steps of other parts, in the same way.
#[inline(never)]
fn step_others(sim: &mut OtherSim, steps: usize) -> Result<StepReport, StepError> {
    sim.step_n(steps)
}

/// A flag on a pole.
const FLAG: &str = r#"
<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <geom type="plane" size="2 2 .1"/>
    <body name="pole" pos="0 0 1">
      <flexcomp name="flag" type="grid" dim="2" count="9 6 1" spacing=".1 .1 .1" mass=".2" radius=".01">
        <contact selfcollide="none"/>
        <elasticity young="3e4" poisson=".2" thickness=".005" damping=".002" elastic2d="both"/>
      </flexcomp>
    </body>
  </worldbody>
  <equality>
    <connect body1="flag_0" anchor="0 0 0"/>
    <connect body1="flag_5" anchor="0 0 0"/>
  </equality>
</mujoco>"#;

fn main() -> Result<(), Error> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [how, path, steps] = &arguments[..] {
        let model = Model::from_xml_path(path)?;
        let steps = steps.parse().unwrap_or(1);
        if how == "plain" {
            model.make_data().step_n(&model, steps)?;
        } else {
            step_mujoco(&mut SimBuilder::new().build(model)?, steps)?;
        }
        return Ok(());
    }

    // the parts of MuJoCo
    let model = load_model(FLAG)?;
    let mut plain = model.make_data();
    let mut sim = SimBuilder::new().build(model.clone())?;
    plain.step_n(&model, 200)?;
    step_mujoco(&mut sim, 200)?;
    assert_eq!(plain.qpos(), sim.data().qpos());
    println!("MuJoCo's parts: the same bits after 200 steps");

    // a flag that folds, a membrane that cannot be crushed, motors behind springs where there are any, contacts by positions
    let mut sim = SimBuilder::new()
        .bending(BridsonBending::new(1e-4, 1e-6))
        .elasticity(NeoHookean::default())
        .actuators(SeriesElasticGain { k_spring: 1000.0, damping: 10.0, gear_ratio: 1.0 })
        .contact_solver(XpbdSolver::new(4))
        .build(model)?;
    step_others(&mut sim, 200)?;
    let far = |a: &[f64], b: &[f64]| {
        a.iter().zip(b).fold(0.0, |most: f64, (x, y)| most.max((x - y).abs()))
    };
    let apart = far(plain.qpos(), sim.data().qpos());
    println!("other parts: {:.1} mm elsewhere", 1e3 * apart);
    assert!(apart > 1e-4);
    Ok(())
}
