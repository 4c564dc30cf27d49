//! Functions of the user in a step: where they are called, and what they can change.
use std::sync::atomic::{AtomicUsize, Ordering};

use ferrodyn::prelude::*;
use ferrodyn::{DisableBit, Stage, StepError};
use ferrodyn_testing::{benchmark_model, load};

const ARM: &str = "<mujoco><worldbody><geom type='plane' size='3 3 .1'/>\
    <body pos='0 0 1'><joint name='j' axis='0 1 0' damping='.1'/><geom size='.1' pos='.3 0 0'/></body></worldbody>\
    <actuator><general joint='j' dyntype='user' gaintype='user' biastype='user' actdim='1'/></actuator>\
    <sensor><user dim='2' needstage='pos'/><user dim='1' needstage='vel' cutoff='.5' datatype='real'/>\
    <user dim='1' needstage='acc'/></sensor></mujoco>";

#[test]
fn user_actuators_without_hooks_have_gain_one_and_nothing_else() {
    let model = load(ARM);
    let mut data = model.make_data();
    data.act_mut()[0] = 3.0;
    data.step(&model).unwrap();
    assert_eq!((data.act_dot()[0], data.actuator_force()[0], data.act()[0]), (0.0, 3.0, 3.0));
}

#[test]
fn actuators_take_rate_gain_and_bias_from_hooks() {
    let model = load(ARM);
    let mut data = model.make_data();
    data.act_mut()[0] = 3.0;
    data.ctrl_mut()[0] = 7.0;
    let mut hooks = Callbacks::new()
        .act_dyn(|_, d, i| d.ctrl[i] - d.act[0])
        .act_gain(|_, _, i| 2.0 + i as f64)
        .act_bias(|_, d, i| d.actuator_length[i] - 1.0);
    data.forward_with(&model, &mut hooks).unwrap();
    assert_eq!((data.act_dot()[0], data.actuator_force()[0]), (4.0, 5.0));
}

#[test]
fn several_activations_get_the_rates_that_a_hook_writes() {
    let xml = ARM.replace("actdim='1'", "actdim='3'");
    let model = load(&xml);
    let mut data = model.make_data();
    let mut hooks = Callbacks::new().act_dyn(|_, d, _| {
        d.act_dot_mut().copy_from_slice(&[1.0, 2.0, 3.0]);
        9.0
    });
    data.step_with(&model, &mut hooks).unwrap();
    assert_eq!(data.act_dot(), [1.0, 2.0, 3.0]);
    assert_eq!(data.act()[2], 3.0 * model.opt.timestep);
}

#[test]
fn user_sensors_are_filled_stage_by_stage_and_cut_off() {
    let model = load(ARM);
    let mut data = model.make_data();
    let mut stages = Vec::new();
    let mut hooks = Callbacks::new().sensor(|_, d, stage| {
        stages.push(stage);
        match stage {
            Stage::Pos => d.sensordata_mut()[..2].copy_from_slice(&[1.0, 2.0]),
            Stage::Vel => d.sensordata_mut()[2] = -4.0,
            _ => d.sensordata_mut()[3] = d.qacc[0],
        }
    });
    data.forward_with(&model, &mut hooks).unwrap();
    drop(hooks);
    assert_eq!(stages, [Stage::Pos, Stage::Vel, Stage::Acc]);
    assert_eq!(data.sensordata(), [1.0, 2.0, -0.5, data.qacc()[0]]);
    // without hooks they are zero again
    data.forward(&model).unwrap();
    assert_eq!(data.sensordata(), [0.0; 4]);
}

#[test]
fn controls_are_asked_for_once_for_each_evaluation_and_not_without_actuation() {
    let mut model = load(ARM);
    let calls = AtomicUsize::new(0);
    let mut hooks = Callbacks::new().control(|_, d| {
        calls.fetch_add(1, Ordering::Relaxed);
        d.qfrc_applied_mut()[0] = 1.0;
    });
    let mut data = model.make_data();
    data.step_with(&model, &mut hooks).unwrap();
    assert_eq!((calls.load(Ordering::Relaxed), data.qfrc_applied()[0]), (1, 1.0));

    model.edit(|m| m.opt.integrator = Integrator::Rk4 as i32);
    data.step_with(&model, &mut hooks).unwrap();
    assert_eq!(calls.swap(0, Ordering::Relaxed), 5);

    model.edit(|m| m.opt.disableflags |= DisableBit::Actuation as i32);
    data.step_with(&model, &mut hooks).unwrap();
    assert_eq!(calls.load(Ordering::Relaxed), 0);
    // MuJoCo's split step asks all the same
    ferrodyn::dynamics::step::step1(&model, &mut data, Some(&mut hooks)).unwrap();
    ferrodyn::dynamics::step::step2(&model, &mut data, Some(&mut hooks)).unwrap();
    assert_eq!(calls.load(Ordering::Relaxed), 1);
}

#[test]
fn passive_forces_are_added_unless_all_are_disabled() {
    let mut model = load(ARM);
    let mut data = model.make_data();
    data.qvel_mut()[0] = 1.0;
    let mut hooks = Callbacks::new().passive(|_, d| d.qfrc_passive_mut()[0] += 5.0);
    data.forward_with(&model, &mut hooks).unwrap();
    assert_eq!(data.qfrc_passive()[0], 5.0 - 0.1);
    model.edit(|m| m.opt.disableflags |= DisableBit::Spring as i32 | DisableBit::Damper as i32);
    data.forward_with(&model, &mut hooks).unwrap();
    assert_eq!(data.qfrc_passive()[0], 0.0);
}

#[test]
fn a_filter_takes_the_place_of_the_masks_of_geoms() {
    // the second geom of the ball touches nothing by its masks
    let model = load(
        "<mujoco><worldbody><geom type='plane' size='1 1 .1'/><body pos='0 0 .09'><freejoint/>\
         <geom size='.1'/><geom size='.1' pos='.3 0 0' contype='2' conaffinity='2'/></body></worldbody></mujoco>",
    );
    let mut data = model.make_data();
    let pairs = |data: &Data| data.contacts().iter().map(|c| c.geom).collect::<Vec<_>>();
    data.forward(&model).unwrap();
    assert_eq!(pairs(&data), [[0, 1]]);
    let mut only_second = Callbacks::new().contact_filter(|_, _, g1, g2| (g1, g2) != (0, 2));
    data.forward_with(&model, &mut only_second).unwrap();
    assert_eq!(pairs(&data), [[0, 2]]);
}

#[test]
fn hooks_that_do_nothing_change_no_bit() {
    struct Nothing;
    impl Hooks for Nothing {}
    let model = benchmark_model("humanoid");
    let (mut plain, mut hooked, mut empty) =
        (model.make_data(), model.make_data(), model.make_data());
    plain.step_n(&model, 50).unwrap();
    hooked.step_n_with(&model, 50, &mut Nothing).unwrap();
    empty.step_n_with(&model, 50, &mut Callbacks::new()).unwrap();
    assert_eq!(plain, hooked);
    assert_eq!(plain, empty);
}

#[test]
fn a_hook_can_give_the_step_up() {
    struct Impatient(usize);
    impl Hooks for Impatient {
        fn control(&mut self, _: &ModelArrays, _: &mut HookWorld<'_, '_>) {
            self.0 += 1;
        }
        fn stopped(&self) -> bool {
            self.0 > 2
        }
    }
    for integrator in [Integrator::Euler, Integrator::Rk4, Integrator::ImplicitFast] {
        let mut model = load(ARM);
        model.edit(|m| m.opt.integrator = integrator as i32);
        let mut data = model.make_data();
        data.qvel_mut()[0] = 1.0;
        let mut hooks = Impatient(0);
        assert_eq!(data.step_n_with(&model, 9, &mut hooks), Err(StepError::Stopped));
        let steps = if integrator == Integrator::Rk4 { 0 } else { 2 };
        let mut reference = model.make_data();
        reference.qvel_mut()[0] = 1.0;
        reference.step_n(&model, steps).unwrap();
        assert_eq!(data.state_hash(), reference.state_hash());
    }
}

#[test]
fn numbers_that_are_none_do_not_panic() {
    let model = load(ARM);
    let mut data = model.make_data();
    let mut hooks = Callbacks::new()
        .control(|_, d| {
            d.ctrl_mut().fill(f64::NAN);
            d.xfrc_applied_mut().fill([f64::INFINITY; 6]);
            d.eq_active_mut().fill(255);
        })
        .passive(|_, d| d.qfrc_passive_mut().fill(f64::NAN))
        .act_dyn(|_, _, _| f64::NAN)
        .act_gain(|_, _, _| f64::INFINITY)
        .sensor(|_, d, _| d.sensordata_mut().fill(f64::NAN));
    let report = data.step_n_with(&model, 5, &mut hooks).unwrap();
    assert!(report.divergence.is_some());
}

/// A hook moves ten balls down to the floor and computes their contacts: the workspace grows in its view, and the step goes on with
/// what is there.
#[test]
fn a_stage_that_a_hook_runs_can_make_the_workspace_larger() {
    let balls: String = (0..10)
        .map(|i| format!("<body pos='{i} 0 5'><freejoint/><geom size='.1'/></body>"))
        .collect();
    let model = load(&format!(
        "<mujoco><worldbody><geom type='plane' size='20 20 1'/>{balls}</worldbody></mujoco>"
    ));
    let mut data = model.make_data();
    let mut hooks = Callbacks::new().control(|m, d| {
        let mut world = d.view_mut();
        for ball in 0..10 {
            world.qpos[7 * ball + 2] = 0.095;
        }
        ferrodyn::dynamics::forward::fwd_position(
            m,
            &mut world,
            &mut ferrodyn::dynamics::hooks::NoHooks,
        )
        .unwrap();
        ferrodyn::dynamics::forward::fwd_velocity(
            m,
            &mut world,
            &mut ferrodyn::dynamics::hooks::NoHooks,
        );
    });
    assert!(data.contacts().is_empty());
    data.step_with(&model, &mut hooks).unwrap();
    assert_eq!(data.contacts().len(), 10);
    // five millimetres deep, every ball is pushed up more than gravity pulls it down
    assert!(data.qvel().chunks(6).all(|v| v[2] > 0.0), "{:?}", data.qvel());
    assert_eq!(data.work().efc_force.len(), 40);
}
