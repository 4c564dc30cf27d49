//! A world of a batch can be looked at as its last call left it, though a batch keeps little more than its state.
use crate::support::{alone, batch, check_results, controls, together};
use ferrodyn::batch::BatchOutputs;
use ferrodyn::dynamics::World;
use ferrodyn::math::Real;
use ferrodyn::{
    BatchSim, DivergedQuantity, DivergencePolicy, EnableBit, Model, ModelArrays, StepError,
};
use ferrodyn_testing::{benchmark_model, conformance_model, load};

#[test]
fn every_array_is_as_the_last_step_of_a_world_alone_left_it() {
    let names = [
        "actuators",
        "box_stack",
        "cable_plugin",
        "contact_pairs",
        "energy",
        "equality",
        "flex_contact",
        "flex_implicit",
        "hand",
        "integrator_implicit",
        "integrator_rk4",
        "keyframes",
        "mocap",
        "pid",
        "plugins",
        "rangefinder",
        "sdf_plugins",
        "sensors",
        "sleep_stacks",
        "sleep_tendons",
        "sleep_welds",
        "tendons",
        "touch",
    ];
    for name in names {
        let model = conformance_model(name);
        for frame_skip in [1, 3] {
            let expected = alone(&model, 3, 12, frame_skip);
            let batch = together(&model, 3, 12, frame_skip, 2);
            for (i, expected) in expected.iter().enumerate() {
                let what = format!("{name}, world {i}, {frame_skip} steps a call");
                check_results(&batch.world(i).unwrap(), expected, &what);
            }
        }
    }
}

#[test]
fn looking_changes_nothing() {
    for name in ["box_stack", "sleep_stacks", "sensor_history"] {
        let model = conformance_model(name);
        let expected = together(&model, 3, 10, 2, 1);
        let mut batch = batch(&model, 3, 1);
        batch.set_frame_skip(2).unwrap();
        for call in 0..10 {
            batch.set_controls(&controls(&model, 3, call)).unwrap();
            batch.step_all().unwrap();
            let shown = batch.world(call % 3).unwrap();
            batch.with_world(call % 3, |d| assert_eq!(d.state_hash(), shown.state_hash())).unwrap();
            assert!(batch.world(call % 3).unwrap() == shown, "{name}");
        }
        for i in 0..3 {
            assert!(batch.world(i).unwrap() == expected.world(i).unwrap(), "{name}, world {i}");
        }
    }
}

/// A weight on a spring, which a control can throw out of all bounds.
fn springs() -> Model {
    load(
        "<mujoco><option timestep='.01'/><worldbody><body><joint name='slide' type='slide' stiffness='3'/><geom size='.1'/></body></worldbody>
         <actuator><motor joint='slide' gear='100'/></actuator><sensor><jointpos joint='slide'/></sensor></mujoco>",
    )
}

#[test]
fn what_is_changed_of_the_state_stays_changed_and_results_are_those_of_the_step() {
    let model = springs();
    let mut batch = together(&model, 2, 3, 2, 1);
    let before = batch.world(1).unwrap();
    batch
        .with_world(1, |d| {
            (d.qpos[0], d.head.time, d.sensordata[0], d.ctrl[0]) = (0.5, 9.0, 7.0, 0.25);
            d.head.ncon = 3;
            d.qfrc_spring[0] = 99.0;
        })
        .unwrap();
    let after = batch.world(1).unwrap();
    assert_eq!((after.qpos(), after.time()), (&[0.5][..], 9.0));
    assert_eq!((after.sensordata(), after.ctrl()), (&[7.0][..], &[0.25][..]));
    assert_eq!((after.header().ncon, after.qfrc_spring()), (0, before.qfrc_spring()));
    assert_eq!(after.qvel(), before.qvel());
    // and the next step begins there
    batch.set_frame_skip(1).unwrap();
    batch.step_all().unwrap();
    assert_eq!(batch.world(1).unwrap().qfrc_spring(), [-1.5]);
    assert_eq!(batch.world(1).unwrap().sensordata(), [0.5]);
}

#[test]
fn parameters_that_were_changed_since_do_not_change_what_was() {
    let model = springs();
    let mut batch = batch(&model, 3, 1);
    batch.vary("jnt_stiffness").unwrap();
    batch.vary_options();
    for world in 0..3 {
        batch.parameter_mut("jnt_stiffness", world).unwrap()[0] = 5.0 + world as Real;
    }
    for call in 0..4 {
        batch.set_controls(&controls(&model, 3, call)).unwrap();
        batch.step_all().unwrap();
    }
    let shown: Vec<_> = (0..3).map(|i| batch.world(i).unwrap()).collect();
    let check = |batch: &BatchSim, worlds: &[usize], what: &str| {
        for &i in worlds {
            assert!(batch.world(i).unwrap() == shown[i], "{what}, world {i}");
        }
    };
    for world in 0..3 {
        batch.parameter_mut("jnt_stiffness", world).unwrap()[0] = 50.0;
        batch.options_mut(world).unwrap().timestep = 0.5;
    }
    check(&batch, &[0, 1, 2], "set");
    batch.derive_constants().unwrap();
    check(&batch, &[0, 1, 2], "derived");
    batch.parameter_mut("jnt_stiffness", 1).unwrap()[0] = 60.0;
    batch.derive_constants().unwrap();
    check(&batch, &[0, 1, 2], "derived twice");
    batch.set_divergence_policy(DivergencePolicy::AsMuJoCo);
    batch.set_controls(&[9.0; 3]).unwrap();
    batch.reset(0).unwrap();
    check(&batch, &[1, 2], "another world was reset");
    // steps go on with the new ones
    let qpos = shown[1].qpos()[0];
    batch.step_all().unwrap();
    assert_eq!(batch.world(1).unwrap().qfrc_spring(), [-60.0 * qpos]);
}

#[test]
fn a_step_that_failed_is_shown_as_far_as_it_came() {
    let model = springs();
    for (policy, frame_skip) in [
        (DivergencePolicy::Error, 1),
        (DivergencePolicy::Error, 5),
        (DivergencePolicy::Freeze, 1),
        (DivergencePolicy::Freeze, 5),
        (DivergencePolicy::AsMuJoCo, 1),
        (DivergencePolicy::AsMuJoCo, 3),
    ] {
        // the last step of a call is not the one that fails: a force that grows with speed needs a few
        let mut fast = model.clone();
        fast.edit(|m| m.dof_damping[0] = -3e4);
        let expected = {
            let mut data = fast.make_data();
            data.qvel_mut()[0] = 1.0;
            data.set_divergence_policy(policy);
            let _ = data.step_n(&fast, frame_skip);
            let _ = data.step_n(&fast, frame_skip);
            data
        };
        let mut batch = BatchSim::new(fast.shared(), 2).unwrap();
        batch.set_divergence_policy(policy);
        batch.set_frame_skip(frame_skip).unwrap();
        batch.set_auto_reset(false);
        batch.start_at_states(&[0.0, 1.0, 0.0, 1.0]).unwrap();
        batch.reset_all().unwrap();
        batch.step_all().unwrap();
        batch.step_all().unwrap();
        // what a step does from now on is not what that one did
        batch.set_divergence_policy(match policy {
            DivergencePolicy::AsMuJoCo => DivergencePolicy::Error,
            _ => DivergencePolicy::AsMuJoCo,
        });
        let what = format!("{policy:?}, {frame_skip} steps");
        for i in 0..2 {
            check_results(&batch.world(i).unwrap(), &expected, &what);
        }
    }
}

#[test]
fn nothing_of_another_world_is_shown() {
    let model = conformance_model("box_stack");
    let mut batch = together(&model, 3, 20, 1, 1);
    let columns = batch.observe(&["xpos", "qfrc_constraint"]).unwrap();
    let mut observed = vec![0.0; 3 * columns[1].end];
    // a step that fails before it has computed anything
    batch.with_world(1, |d| d.qpos[0] = Real::NAN).unwrap();
    let mut errors = [None; 3];
    batch
        .step_into(BatchOutputs {
            observed: Some(&mut observed),
            errors: Some(&mut errors),
            ..BatchOutputs::default()
        })
        .unwrap();
    let Some(StepError::Diverged(found)) = errors[1] else { panic!("{errors:?}") };
    assert_eq!((errors[0], errors[2]), (None, None));
    assert_eq!((found.quantity, found.constraint), (DivergedQuantity::Qpos, None));
    assert!(batch.world(0).unwrap().work().efc_force.iter().any(|&force| force > 0.0));
    let row = &observed[columns[1].end..2 * columns[1].end];
    let shown = batch.world(1).unwrap();
    assert_eq!(row[columns[0].clone()], *bytemuck::cast_slice::<_, Real>(shown.xpos()));
    assert_eq!(row[columns[1].clone()], vec![0.0; model.nv]);
    // an array that no step computes
    batch.with_world(0, |d| d.qfrc_inverse.fill(7.0)).unwrap();
    for world in [2, 0] {
        let left = batch.with_world(world, |d| d.qfrc_inverse.to_vec()).unwrap();
        assert_eq!(left, vec![0.0; model.nv], "world {world}");
    }
}

#[test]
fn trees_can_fall_asleep_in_some_worlds() {
    let model = conformance_model("sleep_stacks");
    assert!(model.opt.enabled(EnableBit::Sleep));
    let mut restless = model.clone();
    restless.edit(|m| m.opt.enableflags &= !(EnableBit::Sleep as i32));
    for switched_on_after in [0, 4] {
        let mut batch = BatchSim::new(restless.shared(), 2).unwrap();
        batch.set_frame_skip(50).unwrap();
        let mut data = restless.make_data();
        for call in 0..12 {
            let mut own = &restless;
            if call >= switched_on_after {
                own = &model;
            }
            if call == switched_on_after {
                batch.vary_options();
                batch.options_mut(1).unwrap().enableflags |= EnableBit::Sleep as i32;
            }
            batch.step_all().unwrap();
            data.step_n(own, 50).unwrap();
            let shown = batch.world(1).unwrap();
            assert_eq!(shown.header().ntree_awake, data.header().ntree_awake, "call {call}");
            check_results(&shown, &data, &format!("call {call}"));
        }
        assert!(data.header().ntree_awake < data.sizes().ntree as i32, "something sleeps");
        assert_eq!(batch.world(0).unwrap().header().ntree_awake, data.sizes().ntree as i32);
    }
}

#[test]
fn rewards_and_observed_arrays_are_those_of_the_same_world() {
    let model = benchmark_model("humanoid");
    let arrays = ["xpos", "cvel", "qfrc_constraint", "cfrc_ext"];
    let run = |threads| {
        let mut batch = batch(&model, 7, threads);
        batch.set_reward(|_: &ModelArrays, d: &World<'_>| {
            ferrodyn::math::double(d.xpos[3][2] + d.qvel[2])
        });
        let columns = batch.observe(&arrays).unwrap();
        let mut observed = vec![0.0; 7 * columns.last().unwrap().end];
        let mut rewards = [0.0; 7];
        for call in 0..40 {
            batch.set_controls(&controls(&model, 7, call)).unwrap();
            let outputs = BatchOutputs {
                observed: Some(&mut observed),
                rewards: Some(&mut rewards),
                ..BatchOutputs::default()
            };
            batch.step_into(outputs).unwrap();
        }
        (observed, rewards, batch.world(5).unwrap())
    };
    let (observed, rewards, shown) = run(1);
    assert_eq!(rewards[5], ferrodyn::math::double(shown.xpos()[3][2] + shown.qvel()[2]));
    let row = &observed[5 * observed.len() / 7..];
    assert_eq!(row[..3 * model.nbody], *bytemuck::cast_slice::<_, Real>(shown.xpos()));
    for threads in [2, 24] {
        let other = run(threads);
        assert_eq!((&other.0, other.1), (&observed, rewards), "{threads} threads");
        assert!(other.2 == shown, "{threads} threads");
    }
}

#[test]
fn a_world_costs_its_state_whatever_happens_in_it() {
    let model = benchmark_model("humanoid");
    let mut batch = together(&model, 5, 0, 1, 1);
    let size = batch.memory_size();
    assert!(size / 5 < 8 * 1024, "{} bytes a world", size / 5);
    batch.set_frame_skip(100).unwrap();
    for _ in 0..4 {
        batch.step_all().unwrap();
    }
    assert!(batch.world(0).unwrap().work().contact.len() > 2, "it lies on the ground");
    assert_eq!(batch.memory_size(), size);
}
