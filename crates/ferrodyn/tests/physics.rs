//! Closed-form physics that needs no other engine to check against.
use ferrodyn::math::{Real, by_precision};
use ferrodyn::{DivergedQuantity, Integrator, StepError};
use ferrodyn_testing::{benchmark_model, forward, load, run};

fn energy(data: &ferrodyn::Data) -> Real {
    data.header().energy.iter().sum()
}

#[test]
fn a_free_body_falls_with_gravity() {
    let model = load(
        "<mujoco><option integrator='RK4'/><worldbody><body pos='0 0 10'><freejoint/>\
         <geom size='.1'/></body></worldbody></mujoco>",
    );
    let data = run(&model, 500);
    let t = data.time();
    let tolerance = by_precision(1e-9, 1e-4);
    assert!((data.qpos()[2] - (10.0 - 0.5 * 9.81 * t * t)).abs() < tolerance);
    assert!((data.qvel()[2] + 9.81 * t).abs() < tolerance);
}

#[test]
fn runge_kutta_keeps_the_energy_of_a_double_pendulum() {
    let model = load(
        "<mujoco><option integrator='RK4' timestep='0.001'><flag energy='enable'/></option><worldbody>\
         <body><joint axis='0 1 0'/><geom type='capsule' size='.02' fromto='0 0 0 .5 0 0'/>\
         <body pos='.5 0 0'><joint axis='0 1 0'/><geom type='capsule' size='.02' fromto='0 0 0 .5 0 0'/>\
         </body></body></worldbody></mujoco>",
    );
    let mut data = forward(&model);
    let initial = energy(&data);
    data.step_n(&model, 5000).unwrap();
    data.forward(&model).unwrap();
    let tolerance = by_precision(1e-6, 1e-3);
    assert!((energy(&data) - initial).abs() < tolerance, "{} {initial}", energy(&data));
}

#[test]
fn a_spinning_body_keeps_its_angular_momentum_in_the_limit_of_small_steps() {
    let drift = |h: Real| {
        let mut model = load(
            "<mujoco><option gravity='0 0 0'/><worldbody><body><freejoint/>\
             <geom type='box' size='.1 .2 .3'/></body></worldbody></mujoco>",
        );
        model.edit(|m| m.opt.timestep = h);
        let mut data = model.make_data();
        data.qvel_mut()[3..].copy_from_slice(&[0.1, 5.0, 0.2]);
        let momentum = |data: &mut ferrodyn::Data| {
            data.forward(&model).unwrap();
            ferrodyn::dynamics::sensor::subtree_vel(&model, &mut data.view_mut());
            data.subtree_angmom()[1]
        };
        let before = momentum(&mut data);
        data.step_n(&model, (0.5 / h).round() as usize).unwrap();
        (momentum(&mut data) - before).norm() / before.norm()
    };
    // steps of single precision end where rounding outgrows their error
    let (coarse, fine) = (drift(by_precision(1e-3, 1e-2)), drift(by_precision(1e-4, 1e-3)));
    assert!(fine < 0.15 * coarse && fine < by_precision(1e-3, 1e-2), "{coarse} {fine}");
}

#[test]
fn all_integrators_agree_in_the_limit_of_small_steps() {
    let end = |integrator: Integrator, h: Real| {
        let mut model = load(
            "<mujoco><worldbody><body><joint axis='0 1 0' damping='.05'/>\
             <geom type='capsule' size='.02' fromto='0 0 0 .5 0 0'/></body></worldbody></mujoco>",
        );
        model.edit(|m| {
            m.opt.integrator = integrator as i32;
            m.opt.timestep = h;
        });
        let mut data = model.make_data();
        data.step_n(&model, (0.5 / h).round() as usize).unwrap();
        data.qpos()[0]
    };
    let h = by_precision(1e-4, 2e-3);
    let exact = end(Integrator::Rk4, h);
    for integrator in [Integrator::Euler, Integrator::Implicit, Integrator::ImplicitFast] {
        let (coarse, fine) = (end(integrator, 2.0 * h) - exact, end(integrator, h) - exact);
        // first order: half the step, half the error
        assert!((coarse / fine - 2.0).abs() < 0.1, "{integrator:?}: {coarse} {fine}");
    }
}

#[test]
fn full_gravity_compensation_holds_an_arm_still() {
    let model = load(
        "<mujoco><worldbody><body gravcomp='1'><joint axis='0 1 0'/>\
         <geom type='capsule' size='.02' fromto='0 0 0 .5 0 0'/></body></worldbody></mujoco>",
    );
    let data = run(&model, 1000);
    assert!(data.qpos()[0].abs() < by_precision(1e-12, 1e-6));
}

#[test]
fn half_steps_equal_a_whole_step() {
    let model = benchmark_model("arm");
    let (mut whole, mut halves) = (model.make_data(), model.make_data());
    for _ in 0..20 {
        whole.step(&model).unwrap();
        ferrodyn::dynamics::step::step1(&model, &mut halves, None).unwrap();
        ferrodyn::dynamics::step::step2(&model, &mut halves, None).unwrap();
    }
    assert_eq!(whole.qpos(), halves.qpos());
    assert_eq!(whole.qvel(), halves.qvel());
}

#[test]
fn a_diverged_world_is_reported_and_reset_only_where_the_model_says_so() {
    let xml = |flag: &str| {
        format!(
            "<mujoco><option><flag autoreset='{flag}'/></option><worldbody><body name='a'><joint/>\
             <geom size='.1'/></body><body name='b'><joint/><geom size='.1'/></body></worldbody></mujoco>"
        )
    };
    for (flag, resets) in [("enable", true), ("disable", false)] {
        let model = load(&xml(flag));
        let mut data = model.make_data();
        data.step(&model).unwrap();
        data.qvel_mut()[1] = Real::NAN;
        let divergence = data.step(&model).unwrap().divergence.expect("a report");
        assert_eq!((divergence.quantity, divergence.index), (DivergedQuantity::Qvel, 1));
        assert_eq!((divergence.body, divergence.was_reset), (2, resets));
        assert_eq!(data.qvel().iter().all(|v| v.is_finite()), resets);
    }
}

#[test]
fn data_of_another_model_is_refused() {
    let one = load("<mujoco><worldbody/></mujoco>");
    let two =
        load("<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>");
    let mut data = one.make_data();
    assert_eq!(data.step(&two), Err(StepError::ModelMismatch));
}

#[test]
fn a_time_step_that_is_no_number_is_refused() {
    let mut model = load("<mujoco><worldbody/></mujoco>");
    model.edit(|m| m.opt.timestep = Real::NAN);
    let mut data = model.make_data();
    assert!(matches!(data.step(&model), Err(StepError::InvalidTimestep(_))));
}

#[test]
fn keyframes_restore_a_state() {
    let model = load(
        "<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody>\
         <keyframe><key/><key time='2' qpos='.5' qvel='-1'/></keyframe></mujoco>",
    );
    let mut data = model.make_data();
    data.reset_to_keyframe(&model, 1).unwrap();
    assert_eq!((data.time(), data.qpos()[0], data.qvel()[0]), (2.0, 0.5, -1.0));
    assert_eq!(data.reset_to_keyframe(&model, 2), Err(StepError::NoSuchKeyframe(2)));
}

#[test]
fn a_model_survives_its_binary_form() {
    let model = benchmark_model("humanoid");
    let file = std::env::temp_dir().join(format!("ferrodyn-{}.fdb", std::process::id()));
    model.save_binary(&file).unwrap();
    let copy = ferrodyn::Model::from_binary_path(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    assert_eq!(*model, *copy);
}

#[test]
fn derived_constants_follow_an_edited_mass() {
    let xml = |mass: &str| {
        format!(
            "<mujoco><worldbody><body><joint axis='0 1 0'/><inertial pos='.1 0 0' mass='{mass}' \
             diaginertia='.1 .1 .1'/></body></worldbody></mujoco>"
        )
    };
    let expected = load(&xml("3"));
    let mut model = load(&xml("2"));
    let shared = model.clone();
    model.edit(|m| m.body_mass[1] = 3.0);
    model.derive_constants();
    assert_eq!(*model, *expected);
    assert_eq!(shared.body_mass[1], 2.0);
}

#[test]
fn a_state_is_saved_into_a_keyframe() {
    let mut model = load(
        "<mujoco><size nkey='2'/><worldbody><body mocap='true'><geom size='.1' contype='0'/></body>\
         <body><joint name='j'/><geom size='.1'/></body></worldbody>\
         <actuator><general joint='j' dyntype='integrator'/></actuator></mujoco>",
    );
    let mut data = model.make_data();
    data.ctrl_mut()[0] = 0.7;
    data.mocap_pos_mut()[0] = ferrodyn::math::Vec3::new(1.0, 2.0, 3.0);
    data.mocap_quat_mut()[0] = ferrodyn::math::Quat::new(0.0, 1.0, 0.0, 0.0);
    data.step_n(&model, 20).unwrap();
    assert!(data.act()[0] > 0.0);

    let same = |model: &ferrodyn::Model, key: usize| {
        let mut other = model.make_data();
        other.reset_to_keyframe(model, key).unwrap();
        assert_eq!(other.state_hash(), data.state_hash());
        assert_eq!(other.ctrl(), data.ctrl());
        assert_eq!((other.mocap_pos(), other.mocap_quat()), (data.mocap_pos(), data.mocap_quat()));
    };
    model.set_keyframe(&data, 1).unwrap();
    same(&model, 1);
    assert_eq!(model.set_keyframe(&data, 2), Err(StepError::NoSuchKeyframe(2)));

    let mut spec = model.spec().unwrap().clone();
    spec.add_key("saved", data.keyframe());
    same(&ferrodyn::Model::from_spec(&spec).unwrap(), 0);
}
