//! How long a step of a world takes alone, and in groups of 4 and 8.
//!
//! ```sh
//! RUSTFLAGS="-C target-cpu=x86-64-v3" cargo run --release -p ferrodyn-dynamics --example lanes -- MODEL...
//! ```
//!
//! After `--no-contacts` models have none; `--settle N` lets worlds move N steps (1000 at first) before they are measured. They begin in different
//! states, and have new controls every five steps; each figure is the best of nine, in turn with the others.
#![allow(clippy::print_stdout, reason = "a program")]
use std::time::Instant;

use ferrodyn::dynamics::data::{StackMemory, get_state, set_state};
use ferrodyn::dynamics::lanes::{Group, supports};
use ferrodyn::dynamics::step::step_n;
use ferrodyn::dynamics::{OwnedWorld, integrate::integrate_pos};
use ferrodyn::math::Real;
use ferrodyn::{DisableBit, Model, ModelArrays, StateBit};

const WORLDS: usize = 8;
/// Steps with the same controls, as an environment takes them.
const STEPS: usize = 5;
const CALLS: usize = 60;
/// Where the controls begin.
const SEED: u64 = 9;

fn main() {
    let (mut contacts, mut settle) = (true, 1000);
    let mut args = std::env::args().skip(1);
    println!(
        "{:40} {:>9} {:>9} {:>9} {:>7} {:>7}",
        "ns per world step", "alone", "4", "8", "4", "8"
    );
    while let Some(path) = args.next() {
        match path.as_str() {
            "--no-contacts" => contacts = false,
            "--settle" => {
                settle = args.next().and_then(|n| n.parse().ok()).expect("a number of steps");
            }
            path => measure(path, contacts, settle),
        }
    }
}

/// Print the figures of one model.
fn measure(path: &str, contacts: bool, settle: usize) {
    let mut model = Model::from_xml_path(path).unwrap_or_else(|e| panic!("{e}"));
    if !contacts {
        model.edit(|m| m.opt.disableflags |= DisableBit::Contact as i32);
    }
    let name: String = path.chars().skip(path.chars().count().saturating_sub(40)).collect();
    if let Err(reason) = supports(&*model) {
        println!("{name:40} {reason}");
        return;
    }
    let worlds = worlds(&model, settle);
    let mut best = [f64::INFINITY; 3];
    for _ in 0..9 {
        let times =
            [alone(&model, &worlds), group::<1>(&model, &worlds), group::<2>(&model, &worlds)];
        for (best, time) in best.iter_mut().zip(times) {
            *best = best.min(time);
        }
    }
    let [alone, four, eight] = best;
    println!(
        "{name:40} {alone:9.0} {four:9.0} {eight:9.0} {:6.2}x {:6.2}x",
        alone / four,
        alone / eight
    );
}

/// Numbers between -1 and 1 that look like chance.
fn chance(seed: &mut u64) -> Real {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    ((*seed >> 40) as f64 / f64::from(1 << 23) - 1.0) as Real
}

/// Worlds that have settled from different states, each with controls of its own.
fn worlds(m: &ModelArrays, settle: usize) -> Vec<OwnedWorld> {
    let mut seed = 1;
    (0..WORLDS)
        .map(|_| {
            let mut world = OwnedWorld::new(m);
            let direction: Vec<Real> = (0..m.nv).map(|_| 0.1 * chance(&mut seed)).collect();
            integrate_pos(m, world.qpos_mut(), &direction, 1.0);
            world.ctrl_mut().iter_mut().for_each(|u| *u = 0.3 * chance(&mut seed));
            step_n(m, &mut world, settle, None).unwrap();
            world
        })
        .collect()
}

fn states(m: &ModelArrays, worlds: &[OwnedWorld]) -> Vec<Vec<Real>> {
    worlds.iter().map(|w| get_state(m, w, StateBit::Integration as i32).unwrap()).collect()
}

/// Nanoseconds of a step of one of the worlds, one after the other.
fn alone(m: &ModelArrays, settled: &[OwnedWorld]) -> f64 {
    let mut worlds: Vec<_> = settled.to_vec();
    let mut stack = StackMemory::default();
    let mut seed = SEED;
    let mut run = |calls: usize| {
        for _ in 0..calls {
            for world in &mut worlds {
                world.ctrl_mut().iter_mut().for_each(|u| *u = chance(&mut seed));
                world.swap_stack(&mut stack);
                step_n(m, world, STEPS, None).unwrap();
                world.swap_stack(&mut stack);
            }
        }
        worlds[0].time()
    };
    run(CALLS / 10);
    let start = Instant::now();
    run(CALLS);
    let time = start.elapsed().as_secs_f64() * 1e9 / (CALLS * STEPS * WORLDS) as f64;
    for (world, state) in worlds.iter_mut().zip(states(m, settled)) {
        set_state(m, world, &state, StateBit::Integration as i32).unwrap();
    }
    time
}

/// Nanoseconds of a step of one of the worlds, in groups.
fn group<const K: usize>(m: &ModelArrays, settled: &[OwnedWorld]) -> f64 {
    let states = states(m, settled);
    let mut groups: Vec<Group<K>> = states
        .chunks(Group::<K>::WORLDS)
        .map(|states| {
            let mut group = Group::new(m).unwrap();
            for (k, state) in states.iter().enumerate() {
                group.load(k, state).unwrap();
            }
            group
        })
        .collect();
    let mut seed = SEED;
    let mut ctrl = vec![0.0; m.nu];
    let mut run = |calls: usize| {
        for _ in 0..calls {
            for group in &mut groups {
                for world in 0..Group::<K>::WORLDS {
                    ctrl.iter_mut().for_each(|u| *u = chance(&mut seed));
                    group.set_ctrl(world, &ctrl);
                }
                group.step(m, STEPS, false).unwrap();
            }
        }
    };
    run(CALLS / 10);
    let start = Instant::now();
    run(CALLS);
    start.elapsed().as_secs_f64() * 1e9 / (CALLS * STEPS * WORLDS) as f64
}
