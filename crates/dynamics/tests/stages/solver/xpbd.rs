//! Contacts by position-based dynamics.
use ferrodyn::contact::{ContactSolverType, LcpSolver, XpbdSolver};
use ferrodyn::{Cone, Data, Model, SimBuilder, Solver};
use ferrodyn_testing::{close, load, run};

use super::{stack, with_solver};

fn xpbd(model: &Model, substeps: i32, iterations: i32) -> Model {
    let mut model = model.clone();
    model.edit(|m| {
        m.opt.solver = Solver::Xpbd as i32;
        m.opt.xpbd_substeps = substeps;
        m.opt.xpbd_iterations = iterations;
    });
    model
}

/// A box on a plane, `tilt` degrees steep.
fn slope(tilt: f64, friction: f64, extra: &str) -> Model {
    load(&format!(
        "<mujoco xmlns:ferrodyn='urn:ferrodyn'><option ferrodyn:solver='xpbd' {extra}/><worldbody>
         <body euler='0 {tilt} 0'><geom type='plane' size='5 5 .1' friction='{friction}'/></body>
         <body euler='0 {tilt} 0'><freejoint/><geom type='box' size='.1 .1 .1' pos='0 0 .1' mass='1' friction='{friction}'/></body>
         </worldbody></mujoco>"
    ))
}

#[test]
fn a_box_rests_on_a_plane() {
    for cone in ["pyramidal", "elliptic"] {
        let model = slope(0.0, 1.0, &format!("cone='{cone}'"));
        assert_eq!(model.solver(), Solver::Xpbd);
        let data = run(&model, 2000);
        // as deep as the other solvers let it be
        let newton = run(&with_solver(&model, Solver::Newton), 2000);
        close(data.qpos()[2], newton.qpos()[2], 1e-6);
        assert!(data.qvel().iter().all(|v| v.abs() < 1e-6), "{:?}", data.qvel());
        // and its weight is carried
        let weight: f64 = data.qfrc_constraint()[2];
        close(weight, 9.81, 1e-4);
    }
}

#[test]
fn friction_holds_up_to_coulombs_angle_and_no_further() {
    // tan 20° = 0.364
    let held = run(&slope(20.0, 0.4, ""), 1000);
    let slides = |data: &Data| (data.qpos()[0].powi(2) + data.qpos()[2].powi(2)).sqrt();
    assert!(slides(&held) < 1e-3, "{}", slides(&held));
    // a = g (sin - μ cos), once the contact has settled
    for cone in ["pyramidal", "elliptic"] {
        let model = slope(20.0, 0.2, &format!("cone='{cone}'"));
        let speed = |steps: usize| {
            let data = run(&model, steps);
            data.qvel()[..3].iter().map(|v| v * v).sum::<f64>().sqrt()
        };
        let angle = 20_f64.to_radians();
        let expected = 9.81 * (angle.sin() - 0.2 * angle.cos());
        close((speed(500) - speed(250)) / 0.5, expected, 1e-3 * expected);
    }
}

#[test]
fn what_is_inside_something_is_pushed_out() {
    let model = slope(0.0, 1.0, "");
    let mut data = model.make_data();
    data.qpos_mut()[2] = -0.03;
    let mut fastest: f64 = 0.0;
    for _ in 0..500 {
        data.step(&model).unwrap();
        fastest = fastest.max(data.qvel()[2]);
    }
    // out of the plane, and not thrown into the air
    assert!(data.qpos()[2] > -0.001, "{}", data.qpos()[2]);
    assert!(fastest < 3.0, "{fastest}");
    // more substeps and sweeps come as far
    let data = run(&xpbd(&model, 8, 20), 500);
    assert!(data.qpos()[2].abs() < 1e-3);
}

#[test]
fn a_stack_stands() {
    let data = run(&xpbd(&stack(4), 4, 20), 1500);
    for i in 0..4 {
        let expected = 0.05 + 0.1 * i as f64;
        close(data.qpos()[7 * i + 2], expected, 4e-3);
    }
}

/// What sweeps and substeps leave of the error: the force on a box under others, as it begins to rest, beside that of many sweeps.
#[test]
fn more_sweeps_and_more_substeps_come_closer() {
    let carried = |substeps, iterations| {
        let data = run(&xpbd(&stack(4), substeps, iterations), 1);
        data.qfrc_constraint()[2]
    };
    let (exact, few, some) = (carried(1, 2000), carried(1, 2), carried(1, 20));
    assert!((some - exact).abs() < 0.5 * (few - exact).abs(), "{few}, {some}, {exact}");
    // substeps follow the motion within the step, to another force
    assert!((carried(8, 2000) - exact).abs() > 1e-6 * exact.abs());
}

/// Equality, limits, dry friction: the other rows take part.
#[test]
fn other_rows_hold_too() {
    let model = load(
        "<mujoco xmlns:ferrodyn='urn:ferrodyn'><option ferrodyn:solver='xpbd' ferrodyn:xpbd_iterations='30'/><worldbody>
         <body name='a'><joint type='slide' axis='0 0 1' limited='true' range='-.1 1'/><geom size='.1' mass='1'/></body>
         <body name='b' pos='1 0 0'><joint type='slide' axis='0 0 1' frictionloss='20'/><geom size='.1' mass='1'/></body>
         <body name='c' pos='2 0 0'><freejoint/><geom size='.1' mass='1'/></body>
         </worldbody><equality><connect body1='c' anchor='0 0 0'/></equality></mujoco>",
    );
    let data = run(&model, 1000);
    close(data.qpos()[0], -0.1, 3e-3);
    close(data.qpos()[1], 0.0, 1e-9);
    let [x, y, z] = [data.qpos()[2], data.qpos()[3], data.qpos()[4]];
    assert!((x - 2.0).abs() < 1e-6 && y.abs() < 1e-6 && z.abs() < 3e-3, "{x} {y} {z}");
}

#[test]
fn solvers_can_change_from_step_to_step() {
    let model = stack(2);
    let solver = ContactSolverType::Xpbd;
    let mut sim = SimBuilder::new().contact_solver(solver).build(model.clone()).unwrap();
    for i in 0..300 {
        let (next, expected) = match i % 3 {
            0 => (ContactSolverType::Lcp(Solver::Newton), Solver::Newton),
            1 => (ContactSolverType::Xpbd, Solver::Xpbd),
            _ => (ContactSolverType::Lcp(Solver::Cg), Solver::Cg),
        };
        sim.set_contact_solver(next).unwrap();
        sim.step().unwrap();
        assert_eq!(sim.model().solver(), expected);
        // sweeps of all substeps; the others have found their solution before
        let opt = &sim.model().opt;
        let sweeps = opt.xpbd_substeps * opt.xpbd_iterations;
        let done = sim.data().header().solver_niter[0];
        assert_eq!(done == sweeps, expected == Solver::Xpbd, "{expected:?}: {done}");
    }
    close(sim.data().qpos()[2], 0.05, 2e-3);
    close(sim.data().qpos()[9], 0.15, 3e-3);
    // the model that others hold keeps its solver
    assert_eq!(model.solver(), Solver::Newton);
}

/// The existing solvers through the trait have the bits of a plain step.
#[test]
fn solvers_through_the_trait_have_the_same_bits() {
    for solver in [Solver::Pgs, Solver::Cg, Solver::Newton] {
        let mut model = stack(3);
        let mut sim =
            SimBuilder::new().contact_solver(LcpSolver::new(solver)).build(model.clone()).unwrap();
        model.edit(|m| m.opt.solver = solver as i32);
        let mut data = model.make_data();
        for _ in 0..50 {
            data.step(&model).unwrap();
            sim.step().unwrap();
        }
        assert_eq!(data.qpos(), sim.data().qpos(), "{solver:?}");
        assert_eq!(data.qfrc_constraint(), sim.data().qfrc_constraint(), "{solver:?}");
    }
}

#[test]
fn a_solver_without_substeps_is_refused() {
    let build = |solver| SimBuilder::new().contact_solver(solver).build(stack(1));
    assert!(build(XpbdSolver::new(0)).is_err());
    let none = XpbdSolver { substeps: None, iterations: Some(0) };
    assert_eq!(
        build(none).unwrap_err().to_string(),
        "contact solver: there must be at least one substep and one iteration"
    );
}

/// Both storages of the Jacobian give the same forces, but for rounding.
#[test]
fn sparse_and_dense_rows_agree() {
    let last = |jacobian: ferrodyn::JacobianType, cone: Cone| {
        let mut model = xpbd(&stack(3), 4, 8);
        model.edit(|m| {
            m.opt.jacobian = jacobian as i32;
            m.opt.cone = cone as i32;
        });
        run(&model, 20).qfrc_constraint().to_vec()
    };
    for cone in [Cone::Pyramidal, Cone::Elliptic] {
        let dense = last(ferrodyn::JacobianType::Dense, cone);
        let sparse = last(ferrodyn::JacobianType::Sparse, cone);
        assert!(dense.iter().any(|f| f.abs() > 1.0));
        ferrodyn_testing::all_close(&dense, &sparse, 1e-6);
    }
}
