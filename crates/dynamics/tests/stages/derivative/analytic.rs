//! Closed forms beside differences.
use ferrodyn::derivative::validate_analytical_vs_fd;
use ferrodyn::{Integrator, TransitionMatrices};
use ferrodyn_testing::{
    chain, differences, hybrid, load, motors, moving, relative_error, with_integrator,
};

use super::{columns, rows};

#[test]
fn constraint_forces_have_closed_forms() {
    for cone in ["pyramidal", "elliptic"] {
        for (velocity, margin) in
            [([0.0; 3], 0.0), ([0.5, 0.2, -0.1], 0.0), ([0.01, 0.0, 0.0], 0.01)]
        {
            let model = load(&format!(
                "<mujoco><option cone='{cone}'/><worldbody><geom type='plane' size='3 3 .1'/>\
                 <body pos='0 0 .099'><freejoint/><geom type='box' size='.2 .15 .1' margin='{margin}'/>\
                 <body pos='0 0 .2'><joint name='hinge' axis='0 1 0' range='-10 10' limited='true' \
                 frictionloss='.05'/><geom type='capsule' size='.02' fromto='0 0 0 0 0 .3'/></body></body>\
                 </worldbody><actuator><motor joint='hinge'/></actuator></mujoco>"
            ));
            let mut data = model.make_data();
            data.qvel_mut()[..3].copy_from_slice(&velocity);
            data.qvel_mut()[6] = 0.3;
            data.qpos_mut()[7] = 0.2;
            data.ctrl_mut()[0] = 1.0;
            data.forward(&model).unwrap();
            assert!(data.work().efc_force.iter().filter(|f| **f != 0.0).count() > 3);
            let (step, closed) = (differences(&model, &data), hybrid(&model, &data));
            assert!(
                relative_error(&closed.a, &step.a) < 1e-5,
                "{cone} {}",
                relative_error(&closed.a, &step.a)
            );
            assert!(
                relative_error(&closed.b, &step.b) < 1e-5,
                "{cone} {}",
                relative_error(&closed.b, &step.b)
            );
        }
    }
}

#[test]
fn closed_forms_agree_with_differences_on_chains() {
    for (n, joint) in [(3, ""), (3, "damping='1'"), (10, "")] {
        let model = chain(n, joint, &motors(n));
        let data = moving(&model);
        let (a, b) = validate_analytical_vs_fd(&model, &data).unwrap();
        assert!(a < 1e-3 && b < 1e-3, "{n} {joint}: {a} {b}");
        let (step, closed) = (differences(&model, &data), hybrid(&model, &data));
        let block = |m: &TransitionMatrices| columns(&m.a, 2 * n, n, 2 * n);
        assert!(relative_error(&block(&closed), &block(&step)) < 1e-4);
    }
}

#[test]
fn closed_forms_know_the_extension_that_is_implicit_in_springs() {
    let model = with_integrator(
        &chain(3, "stiffness='1000' damping='10'", ""),
        Integrator::ImplicitSpringDamper,
    );
    let data = moving(&model);
    let (step, closed) = (differences(&model, &data), hybrid(&model, &data));
    assert!(relative_error(&closed.a, &step.a) < 1e-6, "{}", relative_error(&closed.a, &step.a));
    let velocity = |m: &TransitionMatrices| columns(&rows(&m.a, 6, 3, 6), 6, 3, 6);
    assert!(relative_error(&velocity(&closed), &velocity(&step)) < 1e-6);
}

#[test]
fn implicit_integrators_have_exact_velocity_columns() {
    for integrator in [Integrator::Implicit, Integrator::ImplicitFast] {
        let mut model = with_integrator(&chain(4, "damping='.5'", &motors(4)), integrator);
        model.edit(|m| m.opt.timestep = 0.02);
        let mut data = moving(&model);
        data.qvel_mut().copy_from_slice(&[5.0, -8.0, 6.0, 9.0]);
        let (step, closed) = (differences(&model, &data), hybrid(&model, &data));
        let block = |m: &TransitionMatrices| columns(&m.a, 8, 4, 8);
        let found = relative_error(&block(&closed), &block(&step));
        assert!(found < 1e-7, "{integrator:?} {found}");
    }
}

#[test]
fn saturated_actuators_and_controls_push_no_further() {
    let outer = "<actuator><motor joint='j0' forcerange='-.1 .1'/><motor joint='j1' ctrlrange='-1 1'/>\
                 <general joint='j1' dyntype='integrator' actlimited='true' actrange='-1 1'/></actuator>";
    let model = chain(2, "", outer);
    let mut data = moving(&model);
    data.ctrl_mut().copy_from_slice(&[3.0, 2.0, 1.0]);
    data.act_mut()[0] = 1.0;
    let (step, closed) = (differences(&model, &data), hybrid(&model, &data));
    assert!(relative_error(&closed.a, &step.a) < 1e-6);
    assert!(relative_error(&closed.b, &step.b) < 1e-6 || step.b.iter().all(|x| *x == 0.0));
    for r in 0..5 {
        assert_eq!(step.b[r * 3..r * 3 + 2], [0.0, 0.0]);
        assert_eq!(closed.b[r * 3..r * 3 + 2], [0.0, 0.0]);
    }
}
