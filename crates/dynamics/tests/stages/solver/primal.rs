//! Conjugate gradients, and those that must converge.
use ferrodyn::{DisableBit, Integrator, Solver, StepError, load_model};
use ferrodyn_testing::load;

use super::stack;

#[test]
fn conjugate_gradients_stop_at_the_limit_and_never_fall_back() {
    let mut model = stack(10);
    model.edit(|m| {
        m.opt.solver = Solver::Cg as i32;
        m.opt.iterations = 1;
        m.opt.tolerance = 1e-15;
        m.opt.disableflags |= DisableBit::Island as i32;
    });
    let mut data = model.make_data();
    data.step(&model).unwrap();
    assert!(data.contacts().len() >= 20);
    assert_eq!(data.header().solver_niter[0], 1);
    // MuJoCo's force on the lowest box after this one iteration
    assert!(
        (data.qfrc_constraint()[2] - ONE_ITERATION).abs() < 1e-9,
        "{:?}",
        data.qfrc_constraint()
    );
}

#[test]
fn strict_conjugate_gradients_refuse_a_step_that_did_not_converge() {
    let mut model = stack(10);
    model.edit(|m| {
        m.opt.solver = Solver::CgStrict as i32;
        m.opt.iterations = 1;
        m.opt.tolerance = 1e-15;
    });
    for integrator in [Integrator::Euler, Integrator::Rk4] {
        model.edit(|m| m.opt.integrator = integrator as i32);
        let mut data = model.make_data();
        let before = data.qpos().to_vec();
        match data.step(&model) {
            Err(StepError::NotConverged { residual, tolerance }) => {
                assert!(residual > tolerance && tolerance == 1e-15);
            }
            other => panic!("{other:?}"),
        }
        assert_eq!((data.qpos(), data.time()), (&before[..], 0.0));
        assert!(matches!(data.forward(&model), Err(StepError::NotConverged { .. })));
    }
    model.edit(|m| {
        m.opt.iterations = 1000;
        m.opt.tolerance = 1e-9;
    });
    model.make_data().step_n(&model, 20).unwrap();
}

#[test]
fn strict_conjugate_gradients_fail_in_a_late_stage_without_moving_the_state() {
    // free at first; the later stages of the step meet the floor
    let mut model = load(
        "<mujoco><option timestep='.02' integrator='RK4'/><worldbody><geom type='plane' size='1 1 .1'/>\
         <body pos='0 0 .0501'><freejoint/><geom type='box' size='.05 .05 .05'/></body></worldbody></mujoco>",
    );
    model.edit(|m| {
        m.opt.solver = Solver::CgStrict as i32;
        m.opt.iterations = 0;
    });
    let mut data = model.make_data();
    data.qvel_mut()[2] = -1.0;
    data.forward(&model).unwrap();
    let (qpos, qvel) = (data.qpos().to_vec(), data.qvel().to_vec());
    assert!(matches!(data.step(&model), Err(StepError::NotConverged { .. })));
    assert_eq!((data.qpos(), data.qvel(), data.time()), (&qpos[..], &qvel[..], 0.0));
}

#[test]
fn strict_conjugate_gradients_are_named_in_the_model_language() {
    let xml = "<mujoco xmlns:ferrodyn='urn:ferrodyn'><option ferrodyn:solver='CGStrict'/></mujoco>";
    let model = load(xml);
    assert_eq!(model.opt.solver, Solver::CgStrict as i32);
    let again = load(&model.to_xml().unwrap());
    assert_eq!(again.opt.solver, Solver::CgStrict as i32);
    // MuJoCo's own attribute knows MuJoCo's solvers only, and both at once make no sense
    for wrong in
        ["solver='CGStrict'", "solver='CG' ferrodyn:solver='CGStrict'", "ferrodyn:solver='CG'"]
    {
        let xml = format!("<mujoco xmlns:ferrodyn='urn:ferrodyn'><option {wrong}/></mujoco>");
        assert!(load_model(&xml).is_err(), "{wrong}");
    }
    let binary = ferrodyn::dynamics::OwnedWorld::new(&model);
    assert!(binary.fits(&again));
}

const ONE_ITERATION: f64 = 57.30304412627551;
