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

/// A plate on 144 feet, which reach into the ground by a hair.
fn plate_on_feet(cone: &str) -> ferrodyn::Model {
    let feet: String = (0..144)
        .map(|i| {
            format!(
                "<geom size='.02' pos='{} {} 0'/>",
                0.05 * f64::from(i % 12),
                0.05 * f64::from(i / 12)
            )
        })
        .collect();
    load(&format!(
        "<mujoco><option cone='{cone}' iterations='200' tolerance='1e-14' ls_tolerance='1e-6'/><worldbody>
           <geom type='plane' size='1 1 1'/>
           <body pos='0 0 .0199' euler='0.01 0.02 0'><freejoint/>{feet}</body>
         </worldbody></mujoco>"
    ))
}

#[test]
fn newton_finds_what_conjugate_gradients_find_when_many_rows_change_at_once() {
    for cone in ["pyramidal", "elliptic"] {
        let mut model = plate_on_feet(cone);
        let mut accelerations = vec![];
        let mut changed = 0;
        for solver in [Solver::Newton, Solver::Cg] {
            model.edit(|m| m.opt.solver = solver as i32);
            let mut data = model.make_data();
            // spinning and sliding, so that feet stick, slide and lift
            data.qvel_mut().copy_from_slice(&[0.3, -0.2, -0.1, 0.5, 0.4, 2.0]);
            data.forward(&model).unwrap();
            if solver == Solver::Newton {
                changed = data.work().solver[0].nchange;
            }
            accelerations.push(data.qacc().to_vec());
        }
        assert!(changed >= 64, "{cone}: {changed} rows changed in the first iteration");
        let scale = accelerations[0].iter().fold(1.0_f64, |a, x| a.max(x.abs()));
        for (newton, cg) in accelerations[0].iter().zip(&accelerations[1]) {
            assert!((newton - cg).abs() < 1e-6 * scale, "{cone}: {accelerations:?}");
        }
    }
}
