//! Dimensions of contacts and friction cones.
use ferrodyn::dynamics::query::jac;
use ferrodyn::math::Vec3;
use ferrodyn::{Cone, Data, Model, Solver, load_model};
use ferrodyn_testing::{forward, load};

/// A plane and free bodies.
fn scene(plane: &str, bodies: &str) -> Model {
    load(&format!(
        "<mujoco><option timestep='.001' cone='elliptic'/><worldbody><geom type='plane' size='1 1 .1' {plane}/>\
         {bodies}</worldbody></mujoco>"
    ))
}

fn ball(x: f64, attributes: &str) -> String {
    format!("<body pos='{x} 0 .0499'><freejoint/><geom size='.05' mass='1' {attributes}/></body>")
}

/// Force of a contact in its frame: normal, two tangents, spin, two rolls.
fn force(data: &Data, contact: usize) -> [f64; 6] {
    let c = &data.contacts()[contact];
    let mut force = [0.0; 6];
    let rows = &data.work().efc_force[c.efc_address as usize..];
    force[..c.dim as usize].copy_from_slice(&rows[..c.dim as usize]);
    force
}

#[test]
fn frictionless_contacts_have_one_row_and_only_push() {
    let bodies = ball(-0.3, "condim='1'") + &ball(0.3, "condim='1'");
    let model = scene("condim='1'", &bodies);
    let mut data = model.make_data();
    data.qfrc_applied_mut()[0] = 2.0;
    data.forward(&model).unwrap();
    assert_eq!((data.header().ncon, data.header().nefc), (2, 2));
    assert!(data.work().efc_force.iter().all(|f| *f > 0.0));
    // nothing holds the ball back
    assert!((data.qacc()[0] - 2.0).abs() < 1e-12);
}

#[test]
fn a_contact_has_the_larger_dimension_of_its_geoms() {
    let dims = |plane: &str, geom: &str| {
        let model = scene(plane, &ball(0.0, geom));
        let data = forward(&model);
        (data.contacts()[0].dim, data.header().nefc)
    };
    assert_eq!(dims("", ""), (3, 3));
    assert_eq!(dims("condim='1'", "condim='3'"), (3, 3));
    assert_eq!(dims("condim='3'", "condim='1'"), (3, 3));
    assert_eq!(dims("condim='4'", "condim='1'"), (4, 4));
    assert_eq!(dims("condim='1'", "condim='6'"), (6, 6));
    assert_eq!(dims("condim='1'", "condim='1'"), (1, 1));
    for condim in [-1, 0, 2, 5, 7] {
        assert!(
            load_model(&format!(
                "<mujoco><worldbody><geom size='1' condim='{condim}'/></worldbody></mujoco>"
            ))
            .is_err()
        );
    }
}

#[test]
fn pyramids_have_two_rows_for_each_direction_of_friction() {
    for (condim, rows) in [(1, 1), (3, 4), (4, 6), (6, 10)] {
        let mut model = scene("", &ball(0.0, &format!("condim='{condim}'")));
        model.edit(|m| {
            m.opt.cone = Cone::Pyramidal as i32;
            m.geom_condim[0] = 1;
        });
        let data = forward(&model);
        assert_eq!(data.header().nefc, rows, "condim {condim}");
        assert!(data.work().efc_force.iter().all(|f| *f >= 0.0));
    }
    let model = load("<mujoco/>");
    assert_eq!(model.opt.cone, Cone::Pyramidal as i32);
}

#[test]
fn no_contacts_no_rows() {
    let model = scene("", "<body pos='0 0 1'><freejoint/><geom size='.05'/></body>");
    let mut data = model.make_data();
    data.step(&model).unwrap();
    assert_eq!((data.header().ncon, data.header().nefc), (0, 0));
    assert_eq!(data.header().solver_niter[0], 0);
    assert_eq!(data.qacc(), data.qacc_smooth());
}

#[test]
fn spin_is_braked_from_the_fourth_dimension_on() {
    let spin = |condim: i32| {
        let model = scene(
            &format!("condim='{condim}' friction='1 .1 .0001'"),
            &ball(0.0, &format!("condim='{condim}' friction='1 .1 .0001'")),
        );
        let mut data = model.make_data();
        data.qvel_mut()[5] = 10.0;
        for _ in 0..100 {
            data.step(&model).unwrap();
            for i in 0..data.contacts().len() {
                let f = force(&data, i);
                assert!(f[0] >= 0.0 && f[3].abs() <= 0.1 * f[0] + 1e-10, "{f:?}");
            }
        }
        data.qvel()[5]
    };
    assert!(spin(4) < 1e-3);
    assert!((spin(3) - 10.0).abs() < 1e-9);
}

#[test]
fn rolling_is_braked_from_the_sixth_dimension_on() {
    let speed = |condim: i32| {
        let friction = "friction='1 .005 .01'";
        let model = scene(
            &format!("condim='{condim}' {friction}"),
            &ball(0.0, &format!("condim='{condim}' {friction}")),
        );
        let mut data = model.make_data();
        // pure rolling: nothing slips at the start
        data.qvel_mut()[0] = 1.0;
        data.qvel_mut()[4] = 20.0;
        for _ in 0..200 {
            data.step(&model).unwrap();
            for i in 0..data.contacts().len() {
                let f = force(&data, i);
                let roll = f[4].hypot(f[5]);
                assert!(roll <= 0.01 * f[0] + 1e-10, "{f:?}");
            }
        }
        data.qvel()[0]
    };
    assert!(speed(6) < 0.8, "{}", speed(6));
    assert!((speed(3) - 1.0).abs() < 2e-3, "{}", speed(3));
}

/// Balls of condim 6 and 1 on a plane of condim 3, both pushed sideways.
fn mixed(solver: Solver, cone: Cone) -> (Model, Data) {
    let bodies = ball(-0.3, "condim='6' friction='1 .005 .01'") + &ball(0.3, "condim='1'");
    let mut model = scene("condim='3' friction='1 .005 .0001'", &bodies);
    model.edit(|m| {
        m.opt.solver = solver as i32;
        m.opt.cone = cone as i32;
        m.opt.tolerance = 1e-12;
        m.opt.iterations = 500;
    });
    let mut data = model.make_data();
    data.qfrc_applied_mut()[0] = 3.0;
    data.qfrc_applied_mut()[6] = 3.0;
    data.step_n(&model, 50).unwrap();
    data.forward(&model).unwrap();
    (model, data)
}

#[test]
fn contacts_of_different_dimensions_are_solved_together_by_every_solver() {
    for cone in [Cone::Elliptic, Cone::Pyramidal] {
        let reference = mixed(Solver::Newton, cone).1;
        let dims: Vec<i32> = reference.contacts().iter().map(|c| c.dim).collect();
        assert_eq!(dims, [6, 3]);
        for solver in [Solver::Pgs, Solver::Cg, Solver::CgStrict] {
            let data = mixed(solver, cone).1;
            for (a, b) in data.qfrc_constraint().iter().zip(reference.qfrc_constraint()) {
                assert!((a - b).abs() < 1e-5 * (1.0 + b.abs()), "{solver:?} {cone:?}: {a} {b}");
            }
        }
    }
}

#[test]
fn forces_of_a_mixed_scene_equal_the_oracles() {
    let data = mixed(Solver::Newton, Cone::Elliptic).1;
    assert_eq!(data.work().efc_force.len(), MIXED_FORCES.len());
    for (found, expected) in data.work().efc_force.iter().zip(MIXED_FORCES) {
        assert!((found - expected).abs() < 1e-7, "{:?}", data.work().efc_force);
    }
}

#[test]
fn sliding_friction_lies_on_the_ellipse_of_its_coefficients() {
    let model = load(
        "<mujoco><option timestep='.001' cone='elliptic' impratio='100'/><worldbody>\
         <geom name='floor' type='plane' size='1 1 .1'/><body pos='0 0 .0499'><freejoint/>\
         <geom name='box' type='sphere' size='.05' mass='1'/></body></worldbody>\
         <contact><pair geom1='floor' geom2='box' friction='1 .5 .005 .0001 .0001' condim='3'/></contact></mujoco>",
    );
    let mut data = model.make_data();
    for direction in [[1.0, 0.0], [0.0, 1.0], [0.6, 0.8], [-0.8, 0.6]] {
        data.reset(&model).unwrap();
        data.qvel_mut()[0] = 3.0 * direction[0];
        data.qvel_mut()[1] = 3.0 * direction[1];
        data.step(&model).unwrap();
        let f = force(&data, 0);
        let [a, b] = [f[1], f[2] / 0.5];
        assert!(f[0] > 0.0 && (a.hypot(b) - f[0]).abs() < 1e-9 * f[0], "{f:?}");
        // friction opposes the motion
        let frame = data.contacts()[0].frame;
        let push = frame.row(1) * f[1] + frame.row(2) * f[2];
        assert!(push[0] * direction[0] + push[1] * direction[1] < 0.0);
    }
}

#[test]
fn friction_holds_inside_the_cone_and_slides_on_it() {
    // a flat box of 1 kg with friction 0.5: the cone ends at half of its weight
    let model = scene(
        "friction='.5'",
        "<body pos='0 0 .0199'><freejoint/><geom type='box' size='.1 .1 .02' mass='1' friction='.5'/></body>",
    );
    let pushed = |force: f64| {
        let mut data = model.make_data();
        data.qfrc_applied_mut()[0] = force;
        data.step_n(&model, 300).unwrap();
        data.forward(&model).unwrap();
        data
    };
    // friction carries the whole push; what is left is the creep of a soft constraint
    let held = pushed(2.0);
    assert!((held.qfrc_constraint()[0] + 2.0).abs() < 1e-5, "{:?}", held.qfrc_constraint());
    assert!(held.qvel()[0] < 1e-3 && held.qacc()[0].abs() < 1e-5);
    // beyond the cone it pulls with μ N, and the rest accelerates the box
    let sliding = pushed(7.0);
    let [friction, normal] = [sliding.qfrc_constraint()[0], sliding.qfrc_constraint()[2]];
    assert!((friction + 0.5 * normal).abs() < 1e-9, "{friction} {normal}");
    assert!((sliding.qacc()[0] - (7.0 + friction)).abs() < 1e-9, "{}", sliding.qacc()[0]);
    assert!((sliding.qvel()[0] - SLIDING_SPEED).abs() < 1e-9, "{}", sliding.qvel()[0]);
}

#[test]
fn rows_of_spin_and_roll_are_relative_angular_velocities() {
    let model = scene(
        "condim='6'",
        "<body pos='0 0 .2'><joint axis='1 .3 .2'/><joint axis='0 1 .4'/>\
         <geom size='.05' pos='.02 .01 -.155' condim='6'/></body>",
    );
    let data = forward(&model);
    let contact = data.contacts()[0];
    let row = contact.efc_address as usize;
    let (mut linear, mut angular) = (vec![Vec3::ZERO; model.nv], vec![Vec3::ZERO; model.nv]);
    // the velocity of the contact point, differenced through a small step along each dof
    for dof in 0..model.nv {
        let h = 1e-7;
        let pose = |step: f64| {
            let mut data = model.make_data();
            data.qpos_mut()[dof] = step;
            data.forward(&model).unwrap();
            (data.xpos()[1], data.xmat()[1])
        };
        let (up, down) = (pose(h), pose(-h));
        // ω = ½ Σ column × rate of the column
        for k in 0..3 {
            let rate = (up.1.column(k) - down.1.column(k)) * (0.5 / h);
            angular[dof] += data.xmat()[1].column(k).cross(rate) * 0.5;
        }
        linear[dof] = angular[dof].cross(contact.pos - data.xpos()[1]);
    }
    for dof in 0..model.nv {
        for k in 0..3 {
            let axis = contact.frame.row(k);
            let slide = data.work().efc_J[(row + k) * model.nv + dof];
            let turn = data.work().efc_J[(row + 3 + k) * model.nv + dof];
            assert!((slide - axis.dot(linear[dof])).abs() < 1e-6, "{slide}");
            assert!((turn - axis.dot(angular[dof])).abs() < 1e-6, "{turn}");
        }
    }
}

#[test]
fn forces_act_through_the_stored_frame() {
    let (model, mut data) = mixed(Solver::Newton, Cone::Elliptic);
    let mut expected = vec![0.0; model.nv];
    for i in 0..data.contacts().len() {
        let contact = data.contacts()[i];
        let f = force(&data, i);
        let body = model.geom_bodyid[contact.geom[1] as usize] as usize;
        let frame = contact.frame;
        let world = |f: &[f64]| frame.row(0) * f[0] + frame.row(1) * f[1] + frame.row(2) * f[2];
        let (push, torque) = (world(&f[..3]), world(&f[3..]));
        let (mut jacp, mut jacr) = (vec![0.0; 3 * model.nv], vec![0.0; 3 * model.nv]);
        jac(&model, &data.view_mut(), Some(&mut jacp), Some(&mut jacr), contact.pos, body);
        for dof in 0..model.nv {
            for k in 0..3 {
                expected[dof] +=
                    jacp[k * model.nv + dof] * push[k] + jacr[k * model.nv + dof] * torque[k];
            }
        }
    }
    for (found, expected) in data.qfrc_constraint().iter().zip(&expected) {
        assert!((found - expected).abs() < 1e-10, "{found} {expected}");
    }
}

#[test]
fn the_warm_start_is_the_last_acceleration() {
    let model = scene("", &ball(0.0, ""));
    let mut data = model.make_data();
    data.step(&model).unwrap();
    assert_eq!(data.qacc_warmstart(), data.qacc());
    // a change of the contact's dimension cannot spoil it: it has one number for each dof
    let mut wider = model.clone();
    wider.edit(|m| m.geom_condim[1] = 6);
    let mut fresh = wider.make_data();
    fresh.qpos_mut().copy_from_slice(data.qpos());
    fresh.qvel_mut().copy_from_slice(data.qvel());
    data.forward(&wider).unwrap();
    fresh.forward(&wider).unwrap();
    assert_eq!(data.header().nefc, 6);
    for (a, b) in data.qacc().iter().zip(fresh.qacc()) {
        assert!((a - b).abs() < 1e-6, "{a} {b}");
    }
}

// MuJoCo 3.5.0, after 300 steps of 1 ms
const SLIDING_SPEED: f64 = 0.6281064501213598;

// MuJoCo 3.5.0, Newton, elliptic cones
const MIXED_FORCES: [f64; 9] = [
    10.030257979157032,
    -0.0,
    2.250743666831508,
    -0.0,
    -0.09774468173494719,
    -0.0,
    9.917489039858097,
    -0.0,
    0.8623626463042816,
];
