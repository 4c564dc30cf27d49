//! Batches: the same worlds as alone, whatever happens to the others.
use crate::support::{alone, batch, controls, initial_states, together};
use ferrodyn::batch::{BatchError, BatchOutputs, ContactSummary};
use ferrodyn::dynamics::World;
use ferrodyn::dynamics::data::state_size;
use ferrodyn::dynamics::lanes::supports;
use ferrodyn::math::Real;
use ferrodyn::{BatchSim, Data, DivergedQuantity, Model, ModelArrays, StateBit, StepError};
use ferrodyn_testing::{benchmark_model, conformance_model, load};

/// Are the worlds of a batch those that were stepped alone, in every result, contacts and rows included?
#[track_caller]
fn check_same(model: &Model, batch: &BatchSim, expected: &[Data], what: &str) {
    for (i, expected) in expected.iter().enumerate() {
        let world = batch.world(i).unwrap();
        assert_eq!(world.state_hash(), expected.state_hash(), "{what}, world {i}");
        let (work, other) = (world.work(), expected.work());
        assert!(work.contact == other.contact, "{what}, world {i}: contacts");
        assert!(work.efc_J == other.efc_J, "{what}, world {i}: rows");
        assert!(work.efc_force == other.efc_force, "{what}, world {i}: forces");
        assert_eq!(world.sensordata(), expected.sensordata(), "{what}, world {i}");
        let row = &batch.result().states[i * (model.nq + model.nv)..][..model.nq + model.nv];
        assert_eq!(row[..model.nq], *expected.qpos(), "{what}, world {i}");
        assert_eq!(row[model.nq..], *expected.qvel(), "{what}, world {i}");
    }
}

#[test]
fn worlds_are_the_same_alone_and_together_on_any_number_of_threads() {
    let names = ["box_stack", "pid", "sensor_history", "sleep_stacks", "flex_contact", "hand"];
    let models = names.map(|name| (name, conformance_model(name)));
    let humanoid = ("humanoid", benchmark_model("humanoid"));
    for (name, model) in models.into_iter().chain([humanoid]) {
        let expected = alone(&model, 9, 20, 3);
        for threads in [1, 2, 24] {
            let batch = together(&model, 9, 20, 3, threads);
            check_same(&model, &batch, &expected, &format!("{name}, {threads} threads"));
        }
    }
}

#[test]
fn deformable_bodies_move_in_a_batch_as_alone() {
    let model = load(
        "<mujoco xmlns:ferrodyn='ferrodyn'><worldbody><geom type='sphere' size='.1'/>
         <flexcomp name='cloth' type='grid' count='5 5 1' spacing='.05 .05 .05' pos='0 0 .12' radius='.005' dim='2'
           mass='.1' ferrodyn:solver='xpbd'/>
         <body pos='1 0 0'><joint axis='0 1 0'/><geom size='.1' pos='.1 0 0'/></body></worldbody></mujoco>",
    );
    assert_eq!(model.nsoft, 1);
    let expected = alone(&model, 4, 30, 2);
    check_same(&model, &together(&model, 4, 30, 2, 2), &expected, "cloth");
    assert!(expected[0].deformable_contacts().len() > 1, "the cloth touches the ball");
}

/// Boxes that begin apart and end in a heap: contacts grow during the run, at different times in each world.
fn heap() -> Model {
    let boxes: String = (0..12)
        .map(|i| {
            let (x, y, z) = ((i % 2) as f64 * 0.05, (i % 3) as f64 * 0.04, 0.3 + 0.25 * i as f64);
            format!("<body pos='{x} {y} {z}'><freejoint/><geom type='box' size='.1 .1 .1'/></body>")
        })
        .collect();
    load(&format!(
        "<mujoco><worldbody><geom type='plane' size='5 5 .1'/>{boxes}</worldbody></mujoco>"
    ))
}

#[test]
fn worlds_can_need_more_and_more_room() {
    let model = heap();
    let expected = alone(&model, 5, 60, 10);
    let mut batch = batch(&model, 5, 2);
    batch.set_frame_skip(10).unwrap();
    for _ in 0..60 {
        batch.step_all().unwrap();
    }
    assert!(expected.iter().any(|data| data.contacts().len() > 20));
    check_same(&model, &batch, &expected, "heap");
}

/// A world that diverges when its control is large.
fn pendulums() -> Model {
    load(
        "<mujoco><worldbody><body><joint name='hinge' axis='0 1 0'/><geom size='.1' pos='0 0 -1'/></body></worldbody>
         <actuator><motor joint='hinge' gear='100'/></actuator></mujoco>",
    )
}

#[test]
fn a_world_that_fails_is_reported_and_touches_no_other() {
    let model = pendulums();
    let healthy = together(&model, 4, 6, 1, 2);
    let mut batch = batch(&model, 4, 2);
    for call in 0..6 {
        let mut controls = controls(&model, 4, call);
        if call == 3 {
            controls[2] = 9e9;
        }
        batch.set_controls(&controls).unwrap();
        let before = batch.result().states[4..6].to_vec();
        let result = batch.step_all().unwrap();
        let failed: Vec<usize> = (0..4).filter(|&i| result.errors[i].is_some()).collect();
        match call {
            3 => {
                let Some(StepError::Diverged(found)) = &result.errors[2] else {
                    panic!("{:?}", result.errors)
                };
                assert_eq!((found.quantity, found.body), (DivergedQuantity::Qacc, 1));
                assert_eq!((failed, result.terminated[2]), (vec![2], true));
                assert_eq!(result.states[4..6], before, "the state before the step");
            }
            4 => {
                // the call after it resets
                assert_eq!(result.states[4..6], initial_states(&model, 4)[4..6]);
                assert!(failed.is_empty() && !result.terminated[2]);
            }
            _ => assert!(failed.is_empty() && !result.terminated.contains(&true)),
        }
    }
    for i in [0, 1, 3] {
        let (a, b) = (batch.world(i).unwrap(), healthy.world(i).unwrap());
        assert_eq!(a.state_hash(), b.state_hash(), "world {i}");
    }
    assert_eq!(batch.world(2).unwrap().time(), model.opt.timestep);
}

/// Worlds that are stepped alone. One of them is thrown away before a call, and begins anew in the next one, as in a batch.
fn alone_with_one_that_diverges(
    model: &Model,
    count: usize,
    calls: usize,
    frame_skip: usize,
    (thrown, when): (usize, usize),
) -> Vec<Data> {
    let mut worlds = alone(model, count, 0, frame_skip);
    for call in 0..calls {
        let controls = controls(model, count, call);
        for (i, data) in worlds.iter_mut().enumerate() {
            data.ctrl_mut().copy_from_slice(&controls[i * model.nu..(i + 1) * model.nu]);
            if (i, call) == (thrown, when) {
                data.qvel_mut()[0] = TOO_FAST;
                data.step_n(model, frame_skip).unwrap_err();
            } else if (i, call) == (thrown, when + 1) {
                *data = alone(model, count, 0, frame_skip).swap_remove(i);
            } else {
                data.step_n(model, frame_skip).unwrap();
            }
        }
    }
    worlds
}

/// A velocity with which a world counts as diverged.
const TOO_FAST: Real = 1e11;

#[test]
fn bits_depend_on_no_thread_no_neighbour_and_no_world_that_diverges() {
    let joints = load(
        "<mujoco><worldbody>
           <body><joint axis='0 1 0' limited='true' range='-.5 .5'/><geom size='.1' pos='0 0 -1' contype='0' conaffinity='0'/>
             <body pos='0 0 -1'><joint name='b' axis='0 1 0'/><geom size='.1' pos='0 0 -1' contype='0' conaffinity='0'/></body></body>
         </worldbody><actuator><motor joint='b' gear='5'/></actuator></mujoco>",
    );
    // with 24 threads a part of the humanoids is one world, which goes alone, and one of the pendulums more than a group of eight
    for (name, model, count, calls, frame_skip) in [
        ("humanoids", benchmark_model("humanoid"), 21, 24, 16),
        ("pendulums", joints, 24 * 8 * 10 - 3, 10, 2),
    ] {
        assert_eq!(supports(&model), Ok(()), "{name} go abreast");
        let (thrown, when) = (6, calls / 2);
        let one = (thrown, when);
        let expected = alone_with_one_that_diverges(&model, count, calls, frame_skip, one);
        let pushes = |data: &Data| data.work().efc_force.iter().any(|force| *force > 0.0);
        assert!(expected.iter().any(pushes), "{name} have contacts or limits");
        for threads in [1, 2, 24] {
            let mut batch = batch(&model, count, threads);
            batch.set_frame_skip(frame_skip).unwrap();
            for call in 0..calls {
                batch.set_controls(&controls(&model, count, call)).unwrap();
                if call == when {
                    batch.with_world(thrown, |d| d.qvel[0] = TOO_FAST).unwrap();
                }
                let errors = &batch.step_all().unwrap().errors;
                let failed: Vec<_> = (0..count).filter(|&i| errors[i].is_some()).collect();
                assert_eq!(failed, if call == when { vec![thrown] } else { vec![] });
            }
            check_same(&model, &batch, &expected, &format!("{name}, {threads} threads"));
        }
    }
}

#[test]
fn other_policies_of_divergence_are_those_of_a_world() {
    let model = pendulums();
    let mut batch = batch(&model, 2, 1);
    batch.set_divergence_policy(ferrodyn::DivergencePolicy::AsMuJoCo);
    batch.set_controls(&[0.0, 9e9]).unwrap();
    let result = batch.step_all().unwrap();
    assert_eq!(result.errors, [None, None]);
    assert!(result.states[2].abs() < 1e-3, "MuJoCo resets: {:?}", result.states);
}

#[test]
fn a_reset_touches_marked_worlds_only() {
    let model = conformance_model("box_stack");
    let mut batch = together(&model, 5, 20, 1, 2);
    let before: Vec<_> = (0..5).map(|i| batch.world(i).unwrap()).collect();
    let states = batch.result().states.clone();
    batch.reset_where(&[false, true, false, false, true]).unwrap();
    let row = model.nq + model.nv;
    let initial = initial_states(&model, 5);
    for (i, before) in before.iter().enumerate() {
        let own = i * row..(i + 1) * row;
        if i == 1 || i == 4 {
            assert_eq!(batch.world(i).unwrap().time(), 0.0);
            assert_eq!(batch.result().states[own.clone()], initial[own]);
        } else {
            assert!(batch.world(i).unwrap() == *before, "world {i}");
            assert_eq!(batch.result().states[own.clone()], states[own]);
        }
    }
    // a single one
    batch.reset(0).unwrap();
    assert_eq!(batch.world(0).unwrap().time(), 0.0);
    assert!(batch.world(2).unwrap() == before[2]);
}

#[test]
fn a_reset_computes_what_follows_and_changes_no_step() {
    let model = conformance_model("box_stack");
    let batch = batch(&model, 1, 1);
    let mut data = model.make_data();
    data.qvel_mut().copy_from_slice(&initial_states(&model, 1)[model.nq..]);
    data.forward(&model).unwrap();
    assert_eq!(batch.world(0).unwrap().xpos(), data.xpos());
    assert!(batch.world(0).unwrap().work() == data.work());
}

#[test]
fn worlds_begin_where_they_are_told() {
    let model = conformance_model("keyframes");
    let mut batch = BatchSim::new(model.shared(), 2).unwrap();
    assert_eq!(batch.result().states[..model.nq], *model.qpos0);
    let error = batch.start_at_keyframe(model.nkey).unwrap_err();
    assert_eq!(error, BatchError::NoSuchKeyframe { key: model.nkey, count: model.nkey });
    batch.start_at_keyframe(0).unwrap();
    batch.reset_all().unwrap();
    assert_eq!(batch.result().states[..model.nq], model.key_qpos[..model.nq]);
    assert_ne!(model.key_qpos[..model.nq], *model.qpos0);
    assert_eq!(batch.world(1).unwrap().time(), 1.5);
    batch.start_at_reference();
    batch.reset(1).unwrap();
    let row = model.nq + model.nv;
    assert_eq!(batch.result().states[row..row + model.nq], *model.qpos0);
}

#[test]
fn a_batch_goes_on_from_the_states_of_another() {
    let spec = StateBit::Integration as i32;
    for name in ["pid", "sensor_history", "hand"] {
        let model = conformance_model(name);
        let mut first = together(&model, 3, 10, 2, 2);
        let mut states = vec![0.0; 3 * state_size(&model, spec)];
        first.states_of(spec, &mut states).unwrap();
        let mut other = batch(&model, 3, 1);
        other.set_frame_skip(2).unwrap();
        other.start_at(spec, &states).unwrap();
        other.reset_all().unwrap();
        for call in 10..15 {
            for batch in [&mut first, &mut other] {
                batch.set_controls(&controls(&model, 3, call)).unwrap();
                batch.step_all().unwrap();
            }
        }
        for world in 0..3 {
            let hash = |batch: &BatchSim| batch.world(world).unwrap().state_hash();
            assert_eq!(hash(&first), hash(&other), "{name}, world {world}");
        }
        let error = first.states_of(spec, &mut states[1..]).unwrap_err();
        let (found, expected) = (states.len() - 1, states.len());
        assert_eq!(error, BatchError::Length { what: "states", found, expected });
    }
}

#[test]
fn rewards_ends_and_time_limits_are_those_of_each_world() {
    let model = pendulums();
    let mut batch = batch(&model, 3, 2);
    batch.set_reward(|_: &ModelArrays, d: &World<'_>| 10.0 * ferrodyn::math::double(d.ctrl[0]));
    batch.set_termination(|_: &ModelArrays, d: &World<'_>| d.ctrl[0] > 0.5);
    batch.set_time_limit(Some(3.0 * model.opt.timestep)).unwrap();
    batch.set_controls(&[0.25, 0.75, -0.5]).unwrap();
    let result = batch.step_all().unwrap();
    assert_eq!(result.rewards, [2.5, 7.5, -5.0]);
    assert_eq!(result.terminated, [false, true, false]);
    assert_eq!(result.truncated, [false; 3]);
    // the world that ended is brought back, and not stepped
    let result = batch.step_all().unwrap();
    assert_eq!(result.rewards, [2.5, 0.0, -5.0]);
    assert_eq!(result.terminated, [false; 3]);
    let result = batch.step_all().unwrap();
    assert_eq!(result.truncated, [true, false, true], "three steps of time");
    assert_eq!(result.terminated, [false, true, false]);
    // other rules from now on
    batch.set_reward(|_: &ModelArrays, _: &World<'_>| 1.0);
    batch.set_termination(|_: &ModelArrays, _: &World<'_>| false);
    batch.set_time_limit(None).unwrap();
    batch.set_auto_reset(false);
    let result = batch.step_all().unwrap();
    assert_eq!(result.rewards, [1.0; 3]);
    assert_eq!(
        (result.terminated.as_slice(), result.truncated.as_slice()),
        (&[false; 3][..], &[false; 3][..])
    );
    assert!(batch.world(0).unwrap().time() > 3.5 * model.opt.timestep, "it went on");
    for bad in [0.0, -1.0, ferrodyn::math::Real::NAN, ferrodyn::math::Real::INFINITY] {
        assert!(matches!(batch.set_time_limit(Some(bad)), Err(BatchError::TimeLimit(_))));
    }
    assert_eq!(batch.set_frame_skip(0), Err(BatchError::NoSteps));
}

#[test]
fn no_worlds_are_a_batch_too() {
    let model = conformance_model("box_stack");
    let mut batch = BatchSim::new(model.shared(), 0).unwrap();
    assert!(batch.is_empty());
    let result = batch.step_all().unwrap();
    assert!(result.states.is_empty() && result.rewards.is_empty() && result.errors.is_empty());
    batch.reset_where(&[]).unwrap();
    assert_eq!(batch.reset(0), Err(BatchError::NoSuchWorld { index: 0, count: 0 }));
}

#[test]
fn arrays_of_wrong_lengths_name_both_and_change_nothing() {
    let model = pendulums();
    let mut batch = batch(&model, 3, 1);
    let before = batch.world(1).unwrap();
    let length = |what, found, expected| Err(BatchError::Length { what, found, expected });
    assert_eq!(batch.reset_where(&[true; 2]), length("the mask", 2, 3));
    assert_eq!(batch.set_controls(&[1.0; 4]), length("controls", 4, 3));
    assert_eq!(batch.start_at_states(&[0.0; 5]), length("initial states", 5, 6));
    let outputs = BatchOutputs { states: Some(&mut [0.0; 5]), ..BatchOutputs::default() };
    assert_eq!(batch.step_into(outputs), length("states", 5, 6));
    let outputs = BatchOutputs { rewards: Some(&mut [0.0; 4]), ..BatchOutputs::default() };
    assert_eq!(batch.step_into(outputs), length("rewards", 4, 3));
    assert!(batch.world(1).unwrap() == before);
    assert_eq!(batch.controls(), [0.0; 3]);
    let text = batch.reset_where(&[true; 2]).unwrap_err().to_string();
    assert_eq!(text, "the mask: 2 elements were given, and 3 are needed");
}

#[test]
fn results_go_to_memory_of_the_caller_as_far_as_it_asks() {
    let model = conformance_model("sensors");
    let mut one = together(&model, 3, 4, 1, 2);
    let mut other = together(&model, 3, 4, 1, 2);
    let mut states = vec![7.0; 3 * (model.nq + model.nv)];
    let mut sensors = vec![7.0; 3 * model.nsensordata];
    let mut contacts = [ContactSummary::default(); 3];
    let kept = other.result().clone();
    other
        .step_into(BatchOutputs {
            states: Some(&mut states),
            sensors: Some(&mut sensors),
            contacts: Some(&mut contacts),
            ..BatchOutputs::default()
        })
        .unwrap();
    assert_eq!(states, one.step_all().unwrap().states);
    assert_eq!(*other.result(), kept, "its own buffers were not asked for");
    for i in 0..3 {
        let world = one.world(i).unwrap();
        let own = i * model.nsensordata..(i + 1) * model.nsensordata;
        assert_eq!(sensors[own], *world.sensordata());
    }
}

#[test]
fn a_call_can_be_ended_between_worlds() {
    const COUNT: usize = 200;
    let model = benchmark_model("humanoid");
    let row = model.nq + model.nv;
    let before = initial_states(&model, COUNT);
    // so many steps that two threads are busy for longer than 50 ms
    let make = |threads| {
        let mut batch = batch(&model, COUNT, threads);
        batch.set_frame_skip(100).unwrap();
        batch
    };
    let expected = make(2).step_all().unwrap().clone();
    for threads in [1, 2] {
        let mut batch = make(threads);
        let mut states = before.clone();
        let outputs = BatchOutputs { states: Some(&mut states), ..BatchOutputs::default() };
        let outcome = batch.step_while(outputs, || false);
        assert_eq!(outcome, Err(BatchError::Cancelled));
        let rows = |states: &[Real], i: usize| states[i * row..(i + 1) * row].to_vec();
        let done: Vec<bool> =
            (0..COUNT).map(|i| rows(&states, i) == rows(&expected.states, i)).collect();
        for (i, done) in done.iter().enumerate() {
            assert!(*done || rows(&states, i) == rows(&before, i), "world {i} is half way");
            let time = if *done { 100.0 * model.opt.timestep } else { 0.0 };
            assert!((batch.world(i).unwrap().time() - time).abs() < 1e-6, "world {i}");
        }
        let count = done.iter().filter(|done| **done).count();
        assert!(0 < count && count < COUNT, "{count} of {COUNT} on {threads} threads");
        // those that were not reached can be stepped
        batch.start_at_states(&before).unwrap();
        batch.reset_where(&done).unwrap();
        let outputs = BatchOutputs { states: Some(&mut states), ..BatchOutputs::default() };
        batch.step_while(outputs, || true).unwrap();
        assert!(states == expected.states, "{threads} threads");
    }
}

#[test]
fn contacts_are_summed_up() {
    let model = load(
        "<mujoco><worldbody><geom type='plane' size='1 1 .1'/>
         <body pos='0 0 .0999'><freejoint/><geom size='.1' mass='2'/></body></worldbody></mujoco>",
    );
    let mut batch = BatchSim::new(model.shared(), 2).unwrap();
    let mut contacts = [ContactSummary::default(); 2];
    for _ in 0..1000 {
        let outputs = BatchOutputs { contacts: Some(&mut contacts), ..BatchOutputs::default() };
        batch.step_into(outputs).unwrap();
    }
    assert_eq!(contacts[0], contacts[1]);
    assert_eq!(contacts[0].count, 1.0);
    assert!(contacts[0].distance < 0.0);
    let weight = 2.0 * 9.81;
    assert!((contacts[0].normal_force / weight - 1.0).abs() < 1e-3, "{contacts:?}");
}

#[test]
fn one_world_can_be_looked_into_and_changed() {
    let model = pendulums();
    let mut batch = batch(&model, 3, 1);
    batch.with_world(1, |d| d.qpos[0] = 0.5).unwrap();
    assert_eq!(batch.world(1).unwrap().qpos(), [0.5]);
    assert_ne!(batch.world(0).unwrap().qpos(), [0.5]);
    let none = BatchError::NoSuchWorld { index: 3, count: 3 };
    assert_eq!(batch.with_world(3, |_| ()), Err(none.clone()));
    assert_eq!(batch.world(3).err(), Some(none));
}

#[test]
fn a_model_that_cannot_begin_is_refused() {
    let mut model = pendulums();
    model.edit(|m| m.opt.timestep = ferrodyn::math::Real::NAN);
    let error = BatchSim::new(model.shared(), 2).unwrap_err();
    assert!(matches!(error, BatchError::Step(StepError::InvalidTimestep(_))), "{error}");
    let model = pendulums();
    let error = BatchSim::new(model.shared(), usize::MAX / 2).unwrap_err();
    assert!(matches!(error, BatchError::Step(StepError::NoRoom { .. })), "{error}");
}
