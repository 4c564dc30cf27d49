//! A step as a whole, and in halves.
use core::ops::ControlFlow;

use ferrodyn::dynamics::OwnedWorld;
use ferrodyn::dynamics::step::{forward_skip, step_n_visiting, step1, step2};
use ferrodyn::{Stage, StepError};
use ferrodyn_testing::{close, load};

const DRIVEN: &str = "<mujoco><option gravity='0 0 0' timestep='.01'/><worldbody><body><joint name='j' type='slide'/>\
    <geom size='.1' mass='2'/></body></worldbody><actuator><motor joint='j'/></actuator></mujoco>";

#[test]
fn a_step_moves_the_velocity_and_then_the_position_with_it() {
    let model = load(DRIVEN);
    let mut data = model.make_data();
    data.qvel_mut()[0] = 1.0;
    data.ctrl_mut()[0] = 3.0;
    data.step(&model).unwrap();
    close(data.qvel()[0], 1.015, 1e-15);
    close(data.qpos()[0], 0.01015, 1e-15);
    assert_eq!(data.time(), 0.01);
    // many steps are one after the other
    data.step_n(&model, 9).unwrap();
    close(data.qvel()[0], 1.15, 1e-14);
    close(data.qpos()[0], 0.01 * (10.0 + 0.015 * 55.0), 1e-14);
}

#[test]
fn a_control_between_the_halves_acts_in_the_same_step() {
    let model = load(DRIVEN);
    let mut data = model.make_data();
    step1(&model, &mut data, None).unwrap();
    // everything that follows from position and velocity is there, nothing has moved
    assert_eq!((data.time(), data.qvel()[0]), (0.0, 0.0));
    data.ctrl_mut()[0] = 3.0;
    step2(&model, &mut data, None).unwrap();
    close(data.qvel()[0], 0.015, 1e-15);
    assert_eq!(data.time(), 0.01);
}

#[test]
fn stages_that_are_said_to_be_done_are_not_done_again() {
    let model = load(DRIVEN);
    let mut data = model.make_data();
    data.forward(&model).unwrap();
    data.qpos_mut()[0] = 1.0;
    data.ctrl_mut()[0] = 3.0;
    // positions are as before, forces are not
    forward_skip(&model, &mut data, Stage::Vel, true, None).unwrap();
    assert_eq!((data.xpos()[1][2], data.qacc()[0]), (0.0, 1.5));
    forward_skip(&model, &mut data, Stage::None, true, None).unwrap();
    assert_eq!(data.xpos()[1][2], 1.0);
}

#[test]
fn a_world_of_another_model_is_refused_by_every_function() {
    let (model, other) = (load(DRIVEN), load("<mujoco/>"));
    let mut data = other.make_data();
    assert_eq!(data.step(&model), Err(StepError::ModelMismatch));
    assert_eq!(data.forward(&model), Err(StepError::ModelMismatch));
    assert_eq!(step1(&model, &mut data, None).err(), Some(StepError::ModelMismatch));
    assert_eq!(step2(&model, &mut data, None).err(), Some(StepError::ModelMismatch));
    assert_eq!(data.time(), 0.0);
}

#[test]
fn a_visitor_sees_the_world_between_the_steps() {
    let model = load(DRIVEN);
    let mut data = OwnedWorld::new(&model);
    let mut seen = Vec::new();
    step_n_visiting(&model, &mut data, 3, None, &mut |taken, world| {
        seen.push((taken, world.qvel[0]));
        // a force that grows from step to step
        world.ctrl[0] = 200.0 * taken as f64;
        ControlFlow::Continue(())
    })
    .unwrap();
    assert_eq!(seen, [(0, 0.0), (1, 0.0), (2, 1.0), (3, 3.0)]);
    // who ends it, ends it before the next step
    step_n_visiting(&model, &mut data, 3, None, &mut |_, _| ControlFlow::Break(())).unwrap();
    assert_eq!(data.qvel(), [3.0]);
}
