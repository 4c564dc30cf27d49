//! Worlds that go abreast are those that go alone. A batch of one world steps it alone.
use crate::support::{alone, check_results, controls, initial_states, noise, together};
use ferrodyn::batch::{Rollout, RolloutInput, RolloutResult};
use ferrodyn::dynamics::lanes::supports;
use ferrodyn::math::Real;
use ferrodyn::{BatchSim, Model, StateBit, StepError};
use ferrodyn_testing::{benchmark_model, conformance_model, load};

/// More than a group of eight, and not a multiple of four.
const COUNT: usize = 13;

/// Contacts, limits, sensors, all ways to integrate.
fn models() -> Vec<(&'static str, Model)> {
    let names = [
        "box_stack",
        "hand",
        "integrator_rk4",
        "integrator_implicitfast",
        "actuators",
        "keyframes",
    ];
    let mut models: Vec<_> = names.map(|name| (name, conformance_model(name))).into();
    models.push(("humanoid", benchmark_model("humanoid")));
    models.push(("pendulums", pendulums("")));
    models.push(("pendulums with sensors", pendulums("<sensor><jointpos joint='a'/></sensor>")));
    models
}

#[test]
fn every_array_is_that_of_a_world_alone() {
    let mut abreast = 0;
    for (name, model) in &models() {
        abreast += usize::from(supports(model).is_ok());
        for frame_skip in [1, 3] {
            let expected = alone(model, COUNT, 8, frame_skip);
            let batch = together(model, COUNT, 8, frame_skip, 1);
            for (i, expected) in expected.iter().enumerate() {
                let what = format!("{name}, world {i}, {frame_skip} steps a call");
                check_results(&batch.world(i).unwrap(), expected, &what);
            }
        }
    }
    assert!(abreast > 5, "{abreast} models have worlds that go abreast");
}

/// Two pendulums with a limit and a weight on a spring, which a control can throw out of all bounds. Nothing touches.
fn pendulums(more: &str) -> Model {
    load(&format!(
        "<mujoco><option timestep='.01'/><worldbody>
           <body><joint name='a' axis='0 1 0' limited='true' range='-20 20'/><geom size='.1' pos='0 0 -1' contype='0' conaffinity='0'/>
             <body pos='0 0 -1'><joint axis='0 1 0'/><geom size='.1' pos='0 0 -1' contype='0' conaffinity='0'/></body></body>
           <body><joint name='slide' type='slide' stiffness='3'/><geom size='.1' contype='0' conaffinity='0'/></body></worldbody>
         <actuator><motor joint='slide' gear='100'/><general joint='a' dyntype='filter' dynprm='.1'/></actuator>{more}</mujoco>"
    ))
}

/// What a call says of one world.
type Said = (Vec<u64>, u64, bool, bool, Option<StepError>);

fn said(batch: &BatchSim, world: usize) -> Said {
    let result = batch.result();
    let columns = batch.model().nq + batch.model().nv;
    let row = &result.states[world * columns..(world + 1) * columns];
    let error = result.errors[world];
    (
        bits(row),
        result.rewards[world].to_bits(),
        result.terminated[world],
        result.truncated[world],
        error,
    )
}

#[test]
fn worlds_that_fail_or_end_leave_the_others_as_they_are() {
    let model = pendulums("");
    let columns = model.nq + model.nv;
    for (frame_skip, judged) in [(1, false), (3, false), (1, true)] {
        let prepare = |batch: &mut BatchSim| {
            batch.set_threads(1).unwrap();
            batch.set_frame_skip(frame_skip).unwrap();
            batch.set_time_limit(Some(0.25)).unwrap();
            if judged {
                // where someone looks at worlds, all of their results are there
                batch.set_reward(|_: &_, d: &ferrodyn::dynamics::World<'_>| d.qfrc_spring[2]);
                batch
                    .set_termination(|_: &_, d: &ferrodyn::dynamics::World<'_>| d.xpos[2][0] > 0.9);
            }
        };
        let states = initial_states(&model, COUNT);
        let mut all = BatchSim::new(model.shared(), COUNT).unwrap();
        prepare(&mut all);
        all.start_at_states(&states).unwrap();
        all.reset_all().unwrap();
        let mut single: Vec<_> = states
            .chunks(columns)
            .map(|state| {
                let mut one = BatchSim::new(model.shared(), 1).unwrap();
                prepare(&mut one);
                one.start_at_states(state).unwrap();
                one.reset_all().unwrap();
                one
            })
            .collect();
        let (mut failed, mut ended) = (0, 0);
        for call in 0..60 {
            let mut controls = controls(&model, COUNT, call);
            // now and then a world is thrown away
            if call % 4 == 1 {
                controls[2 * (5 * call % COUNT)] = 9e9;
            }
            all.set_controls(&controls).unwrap();
            all.step_all().unwrap();
            for (i, one) in single.iter_mut().enumerate() {
                one.set_controls(&controls[2 * i..2 * i + 2]).unwrap();
                one.step_all().unwrap();
                let expected = said(one, 0);
                assert_eq!(said(&all, i), expected, "call {call}, world {i}");
                failed += usize::from(expected.4.is_some());
                ended += usize::from(expected.2 || expected.3);
            }
        }
        for (i, one) in single.iter().enumerate() {
            check_results(&all.world(i).unwrap(), &one.world(0).unwrap(), &format!("world {i}"));
        }
        assert!(failed > 5 && ended > failed + 10, "{failed} failed, {ended} ended");
    }
}

/// Bits of numbers.
fn bits(numbers: &[Real]) -> Vec<u64> {
    numbers.iter().map(|x| x.to_bits()).collect()
}

/// What belongs to one of all rollouts.
fn part(all: &[Real], i: usize) -> &[Real] {
    &all[i * all.len() / COUNT..(i + 1) * all.len() / COUNT]
}

/// Rollouts of a model that begin in different states, each once with all others and once alone. With `thrown`, a control throws every fourth one away,
/// each in another step.
fn check_rollouts(model: &Model, name: &str, thrown: bool) -> Vec<RolloutResult> {
    const STEPS: usize = 25;
    let spec = StateBit::FullPhysics as i32;
    let row = model.make_data().state(model, spec).unwrap();
    let initial: Vec<_> = (0..COUNT)
        .flat_map(|i| {
            let speeds = noise(i).map(|x| 0.5 * x);
            let (first, qvel) = (1 + model.nq, model.nv);
            let mut row = row.clone();
            row[first..first + qvel].iter_mut().zip(speeds).for_each(|(v, x)| *v = x);
            row
        })
        .collect();
    let mut controls: Vec<_> = noise(5).take(COUNT * STEPS * model.nu).collect();
    if thrown {
        for i in (2..COUNT).step_by(4) {
            controls[(i * STEPS + 3 * i % STEPS) * model.nu] = 9e9;
        }
    }
    let warmstart: Vec<_> = noise(6).take(COUNT * model.nv).collect();
    let input = RolloutInput {
        initial: &initial,
        controls: &controls,
        steps: STEPS,
        warmstart: Some(&warmstart),
        cancel: None,
    };
    // a rollout that is alone in its part never goes abreast
    let mut single = Rollout::new(model.shared(), 1).unwrap();
    let expected: Vec<_> = (0..COUNT)
        .map(|i| {
            let input = RolloutInput {
                initial: part(&initial, i),
                controls: part(&controls, i),
                warmstart: Some(part(&warmstart, i)),
                ..input
            };
            single.run(&input).unwrap()
        })
        .collect();
    for threads in [1, 2] {
        let mut all = Rollout::new(model.shared(), threads).unwrap();
        // places of groups are used again
        for _ in 0..2 {
            let found = all.run(&input).unwrap();
            for (i, expected) in expected.iter().enumerate() {
                let what = format!("{name}, rollout {i}, {threads} threads");
                assert_eq!(bits(part(&found.states, i)), bits(&expected.states), "{what}");
                assert_eq!(bits(part(&found.sensors, i)), bits(&expected.sensors), "{what}");
                assert_eq!(found.errors[i], expected.errors[0], "{what}");
            }
        }
    }
    expected
}

#[test]
fn rollouts_are_those_that_are_run_alone() {
    for (name, model) in &models() {
        check_rollouts(model, name, false);
    }
}

#[test]
fn rollouts_that_diverge_leave_the_others_as_they_are() {
    for more in ["", "<sensor><jointpos joint='a'/><jointvel joint='slide'/></sensor>"] {
        let results = check_rollouts(&pendulums(more), "pendulums", true);
        let failed: Vec<_> = (0..COUNT).filter(|&i| results[i].errors[0].is_some()).collect();
        assert_eq!(failed, [2, 6, 10]);
    }
}
