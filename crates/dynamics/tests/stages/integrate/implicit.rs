//! The implicit integrators: what they are stable against, and matrices that are not positive.
use ferrodyn::{Integrator, Model, StepError};
use ferrodyn_testing::load;

use super::{energy, largest, with};

/// Two links with a tendon over both joints.
fn arm(tendon: &str, rest: &str) -> Model {
    load(&format!(
        "<mujoco><option timestep='.01'><flag energy='enable'/></option><worldbody><body><joint name='a' axis='0 1 0'/>\
         <geom type='capsule' size='.02' fromto='0 0 0 .3 0 0' contype='0'/><body pos='.3 0 0'><joint name='b' axis='0 1 0'/>\
         <geom type='capsule' size='.02' fromto='0 0 0 .3 0 0' contype='0'/></body></body></worldbody>\
         <tendon><fixed name='t' {tendon}><joint joint='a' coef='1'/><joint joint='b' coef='1'/></fixed></tendon>{rest}</mujoco>"
    ))
}

/// The largest speed within some steps, or none where the world diverged.
fn top_speed(model: &Model, control: f64, steps: usize) -> Option<f64> {
    let mut data = model.make_data();
    data.qvel_mut()[0] = 1.0;
    data.ctrl_mut().fill(control);
    let mut top: f64 = 0.0;
    for _ in 0..steps {
        if data.step(model).unwrap().divergence.is_some() {
            return None;
        }
        top = top.max(largest(data.qvel()));
    }
    Some(top)
}

#[test]
fn damped_tendons_are_stable_with_implicit_integrators_only() {
    let model = arm("damping='100'", "");
    for integrator in [Integrator::ImplicitFast, Integrator::Implicit] {
        let top = top_speed(&with(&model, integrator, 0.01), 0.0, 1000);
        assert!(top.is_some_and(|v| v < 50.0), "{integrator:?}: {top:?}");
    }
    assert_eq!(top_speed(&with(&model, Integrator::Euler, 0.01), 0.0, 1000), None);
}

#[test]
fn actuators_with_velocity_gain_are_stable_with_implicit_integrators_only() {
    let model =
        arm("", "<actuator><general tendon='t' gaintype='affine' gainprm='0 0 -10'/></actuator>");
    for integrator in [Integrator::ImplicitFast, Integrator::Implicit] {
        let top = top_speed(&with(&model, integrator, 0.01), 10.0, 1000);
        assert!(top.is_some_and(|v| v < 50.0), "{integrator:?}: {top:?}");
    }
    assert_eq!(top_speed(&with(&model, Integrator::Euler, 0.01), 10.0, 1000), None);
}

#[test]
fn without_forces_of_velocity_implicitfast_is_euler() {
    let model = arm("stiffness='20'", "");
    let run = |integrator| {
        let model = with(&model, integrator, 0.002);
        let mut data = model.make_data();
        data.qpos_mut().copy_from_slice(&[0.3, 0.2]);
        data.qvel_mut().copy_from_slice(&[2.0, -1.0]);
        data.step(&model).unwrap();
        (data.qvel().to_vec(), data.qfrc_passive().to_vec())
    };
    let (euler, implicit) = (run(Integrator::Euler), run(Integrator::ImplicitFast));
    for (a, b) in euler.0.iter().zip(&implicit.0) {
        assert!((a - b).abs() < 1e-10 * (1.0 + b.abs()));
    }
    // springs of tendons are explicit forces with both
    assert_eq!(euler.1, implicit.1);
    assert!(largest(&euler.1) > 0.0);
}

#[test]
fn coriolis_forces_tell_implicit_and_implicitfast_apart() {
    let run = |integrator, h: f64| {
        let mut model = with(&arm("", ""), integrator, h);
        model.edit(|m| m.opt.gravity = ferrodyn::math::Vec3::ZERO);
        let mut data = model.make_data();
        data.qvel_mut().copy_from_slice(&[10.0, 15.0]);
        let before = energy(&model, &mut data);
        data.step_n(&model, (3.0 / h).round() as usize).unwrap();
        let speed = data.qvel()[0];
        (speed, (energy(&model, &mut data) - before).abs() / before)
    };
    let (full, fast) = (run(Integrator::Implicit, 0.002), run(Integrator::ImplicitFast, 0.002));
    assert!((full.0 - fast.0).abs() > 1e-3);
    assert!(full.1 < 0.25 && fast.1 < 0.25 && full.1 < fast.1, "{full:?} {fast:?}");
}

/// A slider whose motor pushes with `gain · speed`: `M - h ∂f/∂v = 1 - gain · h`.
fn runaway(gain: f64, integrator: Integrator) -> Model {
    let model = load(&format!(
        "<mujoco><option gravity='0 0 0'/><worldbody><body><joint name='j' type='slide'/><geom size='.1' mass='1'/></body>\
         </worldbody><actuator><general joint='j' gaintype='affine' gainprm='0 0 {gain}'/></actuator></mujoco>"
    ));
    with(&model, integrator, 0.015625)
}

#[test]
fn an_indefinite_matrix_is_solved_as_in_mujoco_and_reported() {
    let run = |gain: f64, integrator| {
        let model = runaway(gain, integrator);
        let mut data = model.make_data();
        data.qvel_mut()[0] = 1.0;
        data.ctrl_mut()[0] = 1.0;
        let report = data.step(&model).unwrap();
        (data.qvel()[0], report.indefinite)
    };
    // v⁺ = v + h f / (1 - gain h) with gain h = 15.625
    let expected = 1.0 - 15.625 / 14.625;
    let (speed, reported) = run(1000.0, Integrator::ImplicitFast);
    assert!((speed - expected).abs() < 1e-12 && reported == Some(0), "{speed}");
    let (speed, reported) = run(1000.0, Integrator::Implicit);
    assert!((speed - expected).abs() < 1e-12 && reported.is_none(), "{speed}");
    assert_eq!(run(10.0, Integrator::ImplicitFast).1, None);
}

#[test]
fn a_singular_matrix_is_an_error_and_moves_nothing() {
    let model = runaway(64.0, Integrator::Implicit);
    let mut data = model.make_data();
    data.qvel_mut()[0] = 1.0;
    data.ctrl_mut()[0] = 1.0;
    assert_eq!(data.step(&model), Err(StepError::SingularMatrix { dof: 0 }));
    assert_eq!((data.qvel()[0], data.time()), (1.0, 0.0));
    // and once more: nothing was lost
    assert_eq!(data.step(&model), Err(StepError::SingularMatrix { dof: 0 }));
}
