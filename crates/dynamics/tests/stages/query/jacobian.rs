//! Jacobians of points, beside differences of poses.
use ferrodyn::dynamics::integrate::integrate_pos;
use ferrodyn::dynamics::query;
use ferrodyn::math::{Real, Vec3};
use ferrodyn::{Data, Model};
use ferrodyn_testing::{all_close, load};

/// A free body with a ball joint, a hinge and a slider after it, and a tree beside it.
const TREE: &str = "<mujoco><worldbody><body><freejoint/><geom size='.1' pos='.1 0 0'/>\
    <body pos='.3 .1 0'><joint type='ball'/><geom type='box' size='.1 .2 .05' pos='0 .1 .2'/>\
    <body pos='0 .2 .4'><joint axis='1 1 0'/><joint type='slide' axis='0 1 2'/><geom name='g' size='.1' pos='.2 .1 0'/>\
    <site name='s' pos='.1 -.2 .3'/></body></body></body>\
    <body pos='3 0 0'><joint axis='0 1 0'/><geom size='.1' pos='.2 0 0'/></body></worldbody></mujoco>";

/// The model in a state that is nothing special, some way along a direction.
fn moved(model: &Model, direction: &[Real], by: Real) -> Data {
    let mut data = model.make_data();
    let start: Vec<Real> = (0..model.nv).map(|i| 0.4 - 0.3 * (i as Real * 1.3).sin()).collect();
    integrate_pos(model, data.qpos_mut(), &start, 1.0);
    integrate_pos(model, data.qpos_mut(), direction, by);
    data.qvel_mut().copy_from_slice(&start);
    data.forward(model).unwrap();
    data
}

/// A 3×`nv` matrix of the changes of a point with each velocity, by centred differences.
fn differences(model: &Model, point: impl Fn(&mut Data) -> Vec3) -> Vec<Real> {
    let (nv, eps) = (model.nv, 1e-6);
    let mut matrix = vec![0.0; 3 * nv];
    for i in 0..nv {
        let mut unit = vec![0.0; nv];
        unit[i] = 1.0;
        let [plus, minus] = [eps, -eps].map(|by| point(&mut moved(model, &unit, by)));
        for k in 0..3 {
            matrix[k * nv + i] = (plus[k] - minus[k]) / (2.0 * eps);
        }
    }
    matrix
}

const TOLERANCE: Real = 1e-8;

#[test]
fn points_of_bodies_geoms_and_sites_move_as_their_jacobians_say() {
    let model = load(TREE);
    let mut data = moved(&model, &vec![0.0; model.nv], 0.0);
    let d = &data.view_mut();
    let mut found = vec![7.0; 3 * model.nv];
    query::jac_body(&model, d, Some(&mut found), None, 3);
    all_close(&found, &differences(&model, |d| d.xpos()[3]), TOLERANCE);
    query::jac_body_com(&model, d, Some(&mut found), None, 2);
    all_close(&found, &differences(&model, |d| d.xipos()[2]), TOLERANCE);
    query::jac_geom(&model, d, Some(&mut found), None, 2);
    all_close(&found, &differences(&model, |d| d.geom_xpos()[2]), TOLERANCE);
    query::jac_site(&model, d, Some(&mut found), None, 0);
    all_close(&found, &differences(&model, |d| d.site_xpos()[0]), TOLERANCE);
    query::jac_subtree_com(&model, d, &mut found, 1);
    all_close(&found, &differences(&model, |d| d.subtree_com()[1]), TOLERANCE);
}

#[test]
fn axes_turn_as_the_rotational_jacobian_says() {
    let model = load(TREE);
    let mut data = moved(&model, &vec![0.0; model.nv], 0.0);
    let axis = data.xmat()[3].column(0);
    let nv = model.nv;
    let (mut turn, mut direct) = (vec![7.0; 3 * nv], vec![7.0; 3 * nv]);
    let point = data.xpos()[3];
    let d = &data.view_mut();
    query::jac_body(&model, d, None, Some(&mut turn), 3);
    query::jac_point_axis(&model, d, None, Some(&mut direct), point, axis, 3);
    let measured = differences(&model, |d| d.xmat()[3].column(0));
    all_close(&direct, &measured, TOLERANCE);
    // ω × axis, column by column
    for i in 0..nv {
        let column = |mat: &[Real]| Vec3::new(mat[i], mat[nv + i], mat[2 * nv + i]);
        all_close(&column(&turn).cross(axis).0, &column(&measured).0, TOLERANCE);
    }
}

#[test]
fn the_rate_of_a_jacobian_is_its_difference_along_the_velocity() {
    let model = load(TREE);
    let nv = model.nv;
    let jacobians = |data: &mut Data| {
        let (point, d) = (data.site_xpos()[0], &data.view_mut());
        let (mut p, mut r) = (vec![0.0; 3 * nv], vec![0.0; 3 * nv]);
        query::jac(&model, d, Some(&mut p), Some(&mut r), point, 3);
        [p, r].concat()
    };
    let mut data = moved(&model, &vec![0.0; nv], 0.0);
    let velocity = data.qvel().to_vec();
    let [plus, minus] = [1e-6, -1e-6].map(|by| jacobians(&mut moved(&model, &velocity, by)));
    let measured: Vec<Real> = plus.iter().zip(&minus).map(|(a, b)| (a - b) / 2e-6).collect();
    let (mut p, mut r) = (vec![7.0; 3 * nv], vec![7.0; 3 * nv]);
    let (point, d) = (data.site_xpos()[0], &data.view_mut());
    query::jac_dot(&model, d, Some(&mut p), Some(&mut r), point, 3);
    // the columns of free and ball joints are in frames that turn: the rate of their axes is that of the frame
    all_close(&[p, r].concat(), &measured, 1e-7);
}

#[test]
fn forces_are_mapped_by_the_transpose() {
    let model = load(TREE);
    let nv = model.nv;
    let mut data = moved(&model, &vec![0.0; nv], 0.0);
    let (point, com) = (data.site_xpos()[0], data.subtree_com()[1]);
    let (force, torque) = (Vec3::new(1.0, -2.0, 0.5), Vec3::new(0.3, 0.1, -0.7));
    let (mut p, mut r) = (vec![0.0; 3 * nv], vec![0.0; 3 * nv]);
    query::jac(&model, &data.view_mut(), Some(&mut p), Some(&mut r), point, 3);
    let expected: Vec<Real> = (0..nv)
        .map(|i| {
            1.0 + (0..3).map(|k| p[k * nv + i] * force[k] + r[k * nv + i] * torque[k]).sum::<Real>()
        })
        .collect();
    // added to what is there
    let mut found = vec![1.0; nv];
    query::apply_ft(&model, data.cdof(), com, force, torque, point, 3, &mut found);
    all_close(&found, &expected, 1e-13);
    assert_eq!(found[nv - 1], 1.0, "the tree beside it feels nothing");
}
