//! MuJoCo's order of operations: accelerations and forces with the very bits of MuJoCo 3.5.0, for every solver (but where many contacts slide, see
//! below); derivatives of
//! forces and velocities after a step, for the implicit integrators in every kind of fluid.
//!
//! `same_bits/write.py` writes the numbers. The model needs no sine or other elementary function, whose last bit is a
//! matter of the C library that MuJoCo runs with.
use ferrodyn::math::Vec3;
use ferrodyn::{Cone, Data, Model, Solver};
use ferrodyn_testing::load;
use serde_json::Value;

fn words(array: &Value) -> Vec<u64> {
    let word = |v: &Value| u64::from_str_radix(v.as_str().expect("text"), 16).expect("a word");
    array.as_array().expect("an array").iter().map(word).collect()
}

fn bits(array: &[f64]) -> Vec<u64> {
    array.iter().map(|x| x.to_bits()).collect()
}

#[test]
fn accelerations_and_forces_have_the_bits_of_mujoco() {
    let golden: Value = serde_json::from_str(include_str!("same_bits/pile.json")).unwrap();
    let mut model = load(include_str!("same_bits/pile.xml"));
    let state = |name: &str| words(&golden[name]).into_iter().map(f64::from_bits);
    let (mut exactly, mut loosely) = (0, 0);
    for variant in golden["variants"].as_array().unwrap() {
        let setting = |name: &str| variant[name].as_i64().unwrap() as i32;
        model.edit(|m| {
            m.opt.solver = setting("solver");
            m.opt.cone = setting("cone");
            m.opt.jacobian = setting("jacobian");
            m.opt.noslip_iterations = setting("noslip");
        });
        let found = forces(&model, state("qpos"), state("qvel"));
        let expected = ["qacc", "efc_force"].map(|name| words(&variant[name]));
        // many contacts slide here: where matrices are dense and no noslip follows, Newton's factors the Hessian with their cones anew, and MuJoCo
        // updates a factor
        let anew = model.solver() == Solver::Newton && !model.is_sparse();
        if anew && model.cone() == Cone::Elliptic && model.opt.noslip_iterations == 0 {
            for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
                let [found, expected] = [found, expected].map(|bits| f64::from_bits(*bits));
                // some hundred units of the last place, as the condition of the Hessian allows
                assert!((found - expected).abs() <= 1e-12 * (1.0 + expected.abs()), "{variant}");
            }
            loosely += 1;
        } else {
            assert_eq!(found, expected, "{variant}");
            exactly += 1;
        }
    }
    assert!(exactly > 4 * loosely, "{exactly} {loosely}");
}

#[test]
fn noslip_goes_on_from_the_bits_of_mujoco_where_many_rows_change_at_once() {
    let golden: Value = serde_json::from_str(include_str!("same_bits/row.json")).unwrap();
    // so many that a factor made anew would be quicker than as many updates
    assert!(golden["most_changes"].as_i64() > Some(64));
    let model = load(include_str!("same_bits/row.xml"));
    let qvel = words(&golden["qvel"]).into_iter().map(f64::from_bits);
    let found = forces(&model, model.qpos0.iter().copied(), qvel);
    assert_eq!(found, ["qacc", "efc_force"].map(|name| words(&golden[name])));
}

/// Bits of `qacc` and `efc_force`.
fn forces(
    model: &Model,
    qpos: impl Iterator<Item = f64>,
    qvel: impl Iterator<Item = f64>,
) -> [Vec<u64>; 2] {
    let mut data = world(model, qpos, qvel);
    data.forward(model).unwrap();
    [bits(data.qacc()), bits(data.work().efc_force)]
}

fn world(model: &Model, qpos: impl Iterator<Item = f64>, qvel: impl Iterator<Item = f64>) -> Data {
    let mut data = model.make_data();
    data.qpos_mut().iter_mut().zip(qpos).for_each(|(x, value)| *x = value);
    data.qvel_mut().iter_mut().zip(qvel).for_each(|(x, value)| *x = value);
    data.ctrl_mut().fill(0.5);
    data
}

#[test]
fn derivatives_and_steps_have_the_bits_of_mujoco() {
    let golden: Value = serde_json::from_str(include_str!("same_bits/pile.json")).unwrap();
    let state = |name: &str| words(&golden[name]).into_iter().map(f64::from_bits);
    let coefficients: Vec<f64> =
        golden["ellipsoid"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
    for step in golden["steps"].as_array().unwrap() {
        let mut model = load(include_str!("same_bits/pile.xml"));
        let setting = |name: &str| step[name].as_i64().unwrap() as i32;
        let name = format!("integrator {}, {} fluid", setting("integrator"), step["fluid"]);
        model.edit(|m| {
            m.opt.integrator = setting("integrator");
            m.opt.jacobian = setting("jacobian");
            if step["fluid"] != "none" {
                (m.opt.density, m.opt.viscosity) = (1.2, 0.02);
                m.opt.wind = Vec3::new(1.0, 2.0, 0.5);
            }
            if step["fluid"] == "ellipsoid" {
                m.geom_fluid.iter_mut().for_each(|row| row.copy_from_slice(&coefficients));
            }
        });
        let mut data = world(&model, state("qpos"), state("qvel"));
        data.step(&model).unwrap();
        assert_eq!(bits(data.qDeriv()), words(&step["qDeriv"]), "qDeriv, {name}");
        assert_eq!(bits(data.qvel()), words(&step["qvel"]), "qvel, {name}");
    }
}
