//! The sparse inertia matrix, its factor and its solves on trees of every kind of joint.
use ferrodyn::dynamics;
use ferrodyn::{Data, Model};
use ferrodyn_testing::load;
use nalgebra::{DMatrix, DVector};

const GEOM: &str = "<geom type='capsule' size='.05' fromto='0 0 0 .3 .1 -.05'/>";

/// Models whose inertia matrices have different patterns, with their number of dofs.
fn models() -> Vec<(&'static str, usize, String)> {
    let tree = |inner: &str| format!("<mujoco><worldbody>{inner}</worldbody></mujoco>");
    let hinge = "<joint axis='0 1 .2'/>";
    vec![
        ("single hinge", 1, tree(&format!("<body>{hinge}{GEOM}</body>"))),
        (
            "two-link chain",
            2,
            tree(&format!("<body>{hinge}{GEOM}<body pos='.3 0 0'>{hinge}{GEOM}</body></body>")),
        ),
        (
            "branching tree",
            3,
            tree(&format!(
                "<body>{hinge}{GEOM}<body pos='.3 0 0'>{hinge}{GEOM}</body>\
                 <body pos='0 .3 0'><joint type='slide' axis='1 0 0'/>{GEOM}</body></body>"
            )),
        ),
        (
            "ball chain",
            6,
            tree(&format!(
                "<body><joint type='ball'/>{GEOM}<body pos='.3 0 0'><joint type='ball'/>{GEOM}</body></body>"
            )),
        ),
        (
            "free body with a chain",
            8,
            tree(&format!(
                "<body><freejoint/>{GEOM}<body pos='.3 0 0'>{hinge}{GEOM}\
                 <body pos='.3 0 0'>{hinge}{GEOM}</body></body></body>"
            )),
        ),
        (
            "mixed joints, two trees, a simple body",
            13,
            tree(&format!(
                "<body><freejoint/><geom size='.1'/></body>\
                 <body pos='1 0 0'>{hinge}{GEOM}<body pos='.3 0 0'><joint type='ball'/>{GEOM}\
                 <body pos='.3 0 0'><joint type='slide' axis='0 1 1'/><joint axis='1 0 0'/>{GEOM}</body>\
                 <body pos='0 .2 0'>{hinge}{GEOM}</body></body></body>"
            )),
        ),
    ]
}

/// The model in a configuration away from the reference, after `forward`.
pub(crate) fn moved(xml: &str) -> (Model, Data) {
    let model = load(xml);
    let mut data = model.make_data();
    let velocity: Vec<f64> = (0..model.nv).map(|i| (i as f64 * 1.7).sin()).collect();
    dynamics::integrate::integrate_pos(&model, data.qpos_mut(), &velocity, 0.9);
    data.qvel_mut().copy_from_slice(&velocity);
    data.forward(&model).unwrap();
    (model, data)
}

pub(crate) fn dense(model: &Model, data: &Data) -> DMatrix<f64> {
    let mut full = vec![0.0; model.nv * model.nv];
    dynamics::position::full_m(model, &mut full, data.qM());
    DMatrix::from_row_slice(model.nv, model.nv, &full)
}

#[test]
fn sparse_solve_agrees_with_dense_cholesky() {
    for (name, nv, xml) in models() {
        let (model, mut data) = moved(&xml);
        assert_eq!(model.nv, nv, "{name}");
        let b = DVector::from_fn(nv, |i, _| 1.0 + (i as f64).cos());
        let expected = dense(&model, &data).cholesky().expect("positive definite").solve(&b);
        let mut x = b.as_slice().to_vec();
        dynamics::position::solve_m(&model, &data.view_mut(), &mut x);
        let error = (DVector::from_vec(x) - &expected).norm();
        assert!(error <= 1e-12 * expected.norm(), "{name}: {error}");
    }
}

#[test]
fn both_storage_orders_hold_the_same_matrix() {
    for (name, nv, xml) in models() {
        let (model, mut data) = moved(&xml);
        let full = dense(&model, &data);
        let v: Vec<f64> = (0..nv).map(|i| 0.5 - i as f64).collect();
        let mut product = vec![0.0; nv];
        dynamics::position::mul_m(&model, &data.view_mut(), &mut product, &v);
        let expected = &full * DVector::from_vec(v);
        assert!(
            (DVector::from_vec(product) - &expected).norm() <= 1e-12 * expected.norm(),
            "{name}"
        );
    }
}

#[test]
fn inertia_matches_inverse_dynamics_column_by_column() {
    // M e_i = rne(q̈ = e_i) − rne(q̈ = 0), an independent algorithm
    for (name, nv, xml) in models() {
        let (model, mut data) = moved(&xml);
        let full = dense(&model, &data);
        let world = &mut data.view_mut();
        let mut bias = vec![0.0; nv];
        dynamics::force::rne(&model, world, false, &mut bias);
        for i in 0..nv {
            world.qacc.fill(0.0);
            world.qacc[i] = 1.0;
            let mut force = vec![0.0; nv];
            dynamics::force::rne(&model, world, true, &mut force);
            for j in 0..nv {
                let expected = force[j] - bias[j];
                assert!((full[(j, i)] - expected).abs() < 1e-12 * (1.0 + expected.abs()), "{name}");
            }
        }
    }
}

#[test]
fn the_factor_follows_the_configuration() {
    // a factor of an older configuration is never used: forward at a new state solves with the new M
    let (_, _, xml) = models().swap_remove(4);
    let (model, mut data) = moved(&xml);
    let last = model.nq - 1;
    data.qpos_mut()[last] += 1.0;
    data.forward(&model).unwrap();
    let b = DVector::from_column_slice(data.qfrc_smooth());
    let expected = dense(&model, &data).cholesky().unwrap().solve(&b);
    let found = DVector::from_column_slice(data.qacc_smooth());
    assert!((found - &expected).norm() <= 1e-12 * expected.norm());
}
