//! Control sequences from initial states.
use std::sync::atomic::AtomicBool;

use crate::support::{batch, controls, initial_states, noise, together};
use ferrodyn::batch::{BatchError, Rollout, RolloutInput};
use ferrodyn::math::Real;
use ferrodyn::{Model, StateBit, StepError};
use ferrodyn_testing::{conformance_model, load};

const COUNT: usize = 7;
const STEPS: usize = 30;

/// Full states that differ, and controls.
fn input(model: &Model) -> (Vec<Real>, Vec<Real>) {
    let spec = StateBit::FullPhysics as i32;
    let initial = (0..COUNT).flat_map(|i| {
        let mut data = model.make_data();
        for (v, x) in data.qvel_mut().iter_mut().zip(noise(i)) {
            *v = x;
        }
        data.state(model, spec).unwrap()
    });
    (initial.collect(), noise(77).take(COUNT * STEPS * model.nu).collect())
}

#[test]
fn rollouts_are_steps_on_any_number_of_threads() {
    let model = conformance_model("hand");
    let (initial, controls) = input(&model);
    let given =
        RolloutInput { initial: &initial, controls: &controls, steps: STEPS, ..Default::default() };
    let results = [1, 2, 24]
        .map(|threads| Rollout::new(model.shared(), threads).unwrap().run(&given).unwrap());
    assert!(results[0] == results[1] && results[0] == results[2]);
    let spec = StateBit::FullPhysics as i32;
    let length = initial.len() / COUNT;
    for i in 0..COUNT {
        let mut data = model.make_data();
        data.set_state(&model, &initial[i * length..(i + 1) * length], spec).unwrap();
        for at in 0..STEPS {
            let row = i * STEPS + at;
            data.ctrl_mut().copy_from_slice(&controls[row * model.nu..(row + 1) * model.nu]);
            data.step(&model).unwrap();
            let state = data.state(&model, spec).unwrap();
            assert_eq!(results[0].states[row * length..(row + 1) * length], state);
        }
    }
}

#[test]
fn a_second_run_begins_anew() {
    let model = conformance_model("hand");
    let (initial, controls) = input(&model);
    let given =
        RolloutInput { initial: &initial, controls: &controls, steps: STEPS, ..Default::default() };
    let mut rollout = Rollout::new(model.shared(), 2).unwrap();
    let first = rollout.run(&given).unwrap();
    assert!(rollout.run(&given).unwrap() == first);
}

#[test]
fn the_first_step_starts_from_the_warm_start_that_is_given() {
    // a solver that stops early tells what it started from
    let mut model = conformance_model("box_stack");
    model.edit(|m| m.opt.iterations = 1);
    let (initial, _) = input(&model);
    let given = RolloutInput { initial: &initial, steps: 2, ..Default::default() };
    let mut rollout = Rollout::new(model.shared(), 2).unwrap();
    let first = rollout.run(&given).unwrap();
    // none at all is zeros
    let zeros = vec![0.0; COUNT * model.nv];
    assert!(rollout.run(&RolloutInput { warmstart: Some(&zeros), ..given }).unwrap() == first);
    let ones = vec![1.0; COUNT * model.nv];
    assert!(rollout.run(&RolloutInput { warmstart: Some(&ones), ..given }).unwrap() != first);
}

#[test]
fn a_rollout_that_diverges_keeps_its_last_state() {
    let model = load(
        "<mujoco><worldbody><body><joint name='hinge' axis='0 1 0'/><geom size='.1' pos='0 0 -1'/></body></worldbody>
         <actuator><motor joint='hinge' gear='100'/></actuator></mujoco>",
    );
    let mut rollout = Rollout::new(model.shared(), 1).unwrap();
    let initial = [0.0, 0.1, 0.0, 0.0, 0.1, 0.0];
    let controls = [0.0, 0.0, 9e9, 0.0, 0.0, 0.0, 0.0, 0.0];
    let given =
        RolloutInput { initial: &initial, controls: &controls, steps: 4, ..Default::default() };
    let result = rollout.run(&given).unwrap();
    assert!(matches!(result.errors[..], [Some(StepError::Diverged(_)), None]), "{result:?}");
    let row = |at: usize| &result.states[3 * at..3 * at + 3];
    assert_eq!((row(2), row(3)), (row(1), row(1)));
    assert_eq!((row(4), row(5)), (row(0), row(1)), "the other one goes on");
    assert_ne!(row(7), row(6));
}

#[test]
fn work_can_be_cancelled() {
    let model = conformance_model("hand");
    let (initial, controls) = input(&model);
    let cancel = AtomicBool::new(true);
    let given = RolloutInput {
        initial: &initial,
        controls: &controls,
        steps: STEPS,
        cancel: Some(&cancel),
        ..Default::default()
    };
    let mut rollout = Rollout::new(model.shared(), 2).unwrap();
    assert_eq!(rollout.run(&given).err(), Some(BatchError::Cancelled));
    assert!(rollout.run(&RolloutInput { cancel: None, ..given }).is_ok());
}

#[test]
fn wrong_lengths_are_named() {
    let model = conformance_model("hand");
    let (initial, controls) = input(&model);
    let mut rollout = Rollout::new(model.shared(), 1).unwrap();
    let given =
        RolloutInput { initial: &initial, controls: &controls, steps: STEPS, ..Default::default() };
    let length = |what, found, expected| Some(BatchError::Length { what, found, expected });
    let short = RolloutInput { controls: &controls[1..], ..given };
    let expected = COUNT * STEPS * model.nu;
    assert_eq!(rollout.run(&short).err(), length("controls", expected - 1, expected));
    let short = RolloutInput { initial: &initial[1..], ..given };
    let row = initial.len() / COUNT;
    assert_eq!(
        rollout.run(&short).err(),
        length("initial states", COUNT * row - 1, (COUNT - 1) * row)
    );
    let short = RolloutInput { warmstart: Some(&[0.0]), ..given };
    assert_eq!(rollout.run(&short).err(), length("warm starts", 1, COUNT * model.nv));
    // nothing to do is fine
    let none = RolloutInput { initial: &[], controls: &[], steps: STEPS, ..Default::default() };
    assert!(rollout.run(&none).unwrap().states.is_empty());
    // no controls are zeros
    let free = RolloutInput { controls: &[], ..given };
    let zeros = vec![0.0; expected];
    let zero = RolloutInput { controls: &zeros, ..given };
    assert!(rollout.run(&free).unwrap() == rollout.run(&zero).unwrap());
}

#[test]
fn a_policy_sees_all_states() {
    let model = conformance_model("hand");
    let mut worlds = batch(&model, COUNT, 2);
    let mut seen = Vec::new();
    let result = worlds
        .rollout(10, |call, states, to| {
            seen.push(states.to_vec());
            to.copy_from_slice(&controls(&model, COUNT, call));
        })
        .unwrap();
    assert_eq!(seen[0], initial_states(&model, COUNT));
    let row = model.nq + model.nv;
    let expected = together(&model, COUNT, 10, 1, 1);
    for i in 0..COUNT {
        let last = &result.states[(i * 10 + 9) * row..][..row];
        assert_eq!(last, &expected.result().states[i * row..][..row]);
        assert_eq!(result.states[(i * 10 + 3) * row..][..row], seen[4][i * row..][..row]);
    }
    assert_eq!(result.errors, vec![None; COUNT]);
}
