//! A heap, a stack and a slope, with contacts by Newton's method and by position-based dynamics: how deep, how still, how fast.

#![allow(clippy::print_stdout, reason = "an example shows what it computes")]

use std::time::{Duration, Instant};

use ferrodyn::contact::ContactSolverType;
use ferrodyn::prelude::*;
use ferrodyn::{Sim, Solver};

type Built = Sim<
    ferrodyn::sim::CotangentBending,
    ferrodyn::sim::LinearElastic,
    ferrodyn::sim::DefaultGain,
    ContactSolverType,
>;

/// Bodies in a world with a floor.
fn world(floor: &str, bodies: &str, sweeps: i32) -> Result<Model, Error> {
    Ok(load_model(&format!(
        r#"<mujoco xmlns:ferrodyn="urn:ferrodyn">
             <option timestep="0.002" ferrodyn:xpbd_substeps="4" ferrodyn:xpbd_iterations="{sweeps}"/>
             <worldbody>{floor}{bodies}</worldbody>
           </mujoco>"#
    ))?)
}

/// Boxes of two sizes above a tray.
fn heap() -> Result<Model, Error> {
    let mut bodies = String::new();
    for i in 0..18 {
        let (x, y, z) = (i % 3, i / 3 % 3, i / 9);
        let shape = if i % 2 == 0 { "size='.05 .05 .05'" } else { "size='.04 .05 .03'" };
        bodies += &format!(
            r#"<body pos="{} {} {}"><freejoint/><geom type="box" {shape} density="1000"/></body>"#,
            0.11 * f64::from(x) - 0.11 + 0.01 * f64::from(z),
            0.11 * f64::from(y) - 0.11 - 0.013 * f64::from(z),
            0.06 + 0.12 * f64::from(z),
        );
    }
    let floor = r#"<geom type="plane" size="1 1 .1"/>
        <geom type="box" size=".02 .3 .1" pos=".22 0 .1"/><geom type="box" size=".02 .3 .1" pos="-.22 0 .1"/>
        <geom type="box" size=".3 .02 .1" pos="0 .22 .1"/><geom type="box" size=".3 .02 .1" pos="0 -.22 .1"/>"#;
    world(floor, &bodies, 8)
}

/// Boxes on top of each other, each a little aside so that no edges coincide.
fn stack(boxes: u32, sweeps: i32) -> Result<Model, Error> {
    let bodies: String = (0..boxes)
        .map(|i| {
            let (x, z) = (0.001 * f64::from(i % 2), 0.05 + 0.1 * f64::from(i));
            format!(r#"<body pos="{x} 0 {z}"><freejoint/><geom type="box" size=".05 .05 .05" mass="1"/></body>"#)
        })
        .collect();
    world(r#"<geom type="plane" size="1 1 .1"/>"#, &bodies, sweeps)
}

fn build(model: Model, solver: ContactSolverType) -> Result<Built, Error> {
    SimBuilder::new().contact_solver(solver).build(model)
}

/// What a run showed: time of a step, deepest contact at the end, and how fast anything still moves.
struct Figures {
    step: Duration,
    depth: f64,
    speed: f64,
}

fn settle(sim: &mut Built, steps: usize) -> Result<Figures, Error> {
    let start = Instant::now();
    sim.step_n(steps)?;
    let step = start.elapsed() / steps as u32;
    let depth = sim.data().contacts().iter().fold(0.0, |most: f64, c| most.max(-c.dist));
    let speed = sim.data().qvel().iter().fold(0.0, |most: f64, v| most.max(v.abs()));
    Ok(Figures { step, depth, speed })
}

fn main() -> Result<(), Error> {
    let solvers =
        [("Newton", ContactSolverType::Lcp(Solver::Newton)), ("XPBD", ContactSolverType::Xpbd)];
    println!("heap of 18 boxes, 2 s:");
    for (name, solver) in solvers {
        let mut sim = build(heap()?, solver)?;
        let Figures { step, depth, speed } = settle(&mut sim, 1000)?;
        println!(
            "  {name:7}{:8.1} µs a step, deepest contact {:.2} mm, fastest {speed:.1e}",
            step.as_secs_f64() * 1e6,
            1e3 * depth
        );
        assert!(depth < 0.005 && speed < 0.5, "{name}");
    }

    // Gauss-Seidel carries a weight from box to box, one sweep after the other
    println!("stack, 1 s: how far below its place the topmost box is, and how fast the fastest");
    for boxes in [3, 10] {
        let mut line = format!("  {boxes:2} boxes:");
        for (name, solver, sweeps) in [
            ("Newton", solvers[0].1, 8),
            ("XPBD, 8 sweeps", solvers[1].1, 8),
            ("XPBD, 32 sweeps", solvers[1].1, 32),
        ] {
            let mut sim = build(stack(boxes, sweeps)?, solver)?;
            let Figures { speed, .. } = settle(&mut sim, 500)?;
            let top = sim.data().qpos()[7 * (boxes as usize - 1) + 2];
            let off = 1e3 * (0.05 + 0.1 * f64::from(boxes - 1) - top);
            line += &format!("  {name} {off:.2} mm {speed:.0e};");
            assert!((0.0..8.0).contains(&off), "{name}");
        }
        println!("{line}");
    }

    // a slope of 20 degrees: does friction hold what it should, and how fast does it slide?
    println!("slope of 20 degrees:");
    let slope = |friction: f64| {
        let floor = format!(
            r#"<body euler="0 20 0"><geom type="plane" size="9 9 .1" friction="{friction}"/></body>"#
        );
        let body = format!(
            r#"<body euler="0 20 0"><freejoint/><geom type="box" size=".1 .1 .1" pos="0 0 .1" friction="{friction}"/></body>"#
        );
        world(&floor, &body, 8)
    };
    for (name, solver) in solvers {
        let speed = |sim: &Built| sim.data().qvel()[..3].iter().map(|v| v * v).sum::<f64>().sqrt();
        let mut held = build(slope(0.5)?, solver)?;
        held.step_n(1000)?;
        let mut slides = build(slope(0.2)?, solver)?;
        slides.step_n(250)?;
        let first = speed(&slides);
        slides.step_n(250)?;
        let angle = 20_f64.to_radians();
        let expected = 9.81 * (angle.sin() - 0.2 * angle.cos());
        let error = (speed(&slides) - first) / 0.5 / expected - 1.0;
        println!(
            "  {name:7}friction 0.5: creeps at {:.1e} m/s; friction 0.2: acceleration off by {:.2} %",
            speed(&held),
            100.0 * error
        );
        if name == "XPBD" {
            assert!(speed(&held) < 1e-6 && error.abs() < 0.005);
        }
    }
    Ok(())
}
