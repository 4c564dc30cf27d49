//! Bias forces of a two-link arm, beside the formulas of textbooks.
use ferrodyn::Model;
use ferrodyn::dynamics::force::rne;
use ferrodyn_testing::{all_close, forward_at, load};

/// Two hinges about -y with masses of 2 and 3 kg at 0.5 and 0.4 along links; angles are from the x axis upwards.
fn arm(gravity: f64) -> Model {
    load(&format!(
        "<mujoco><option gravity='0 0 {gravity}'/><worldbody><body><joint axis='0 -1 0'/><geom size='.05' mass='2' pos='.5 0 0'/>\
         <body pos='.5 0 0'><joint axis='0 -1 0'/><geom size='.05' mass='3' pos='.4 0 0'/></body></body></worldbody></mujoco>"
    ))
}

#[test]
fn velocities_give_centrifugal_and_coriolis_forces() {
    let (q, v) = ([0.3, 0.8], [1.2, -0.7]);
    let data = forward_at(&arm(0.0), &q, &v);
    // h = m₂ l₁ l₂ sin q₂: what each joint feels of the other's motion
    let h = 3.0 * 0.5 * 0.4 * q[1].sin();
    let expected = [-h * (2.0 * v[0] * v[1] + v[1] * v[1]), h * v[0] * v[0]];
    all_close(data.qfrc_bias(), &expected, 1e-14);
}

#[test]
fn gravity_pulls_each_joint_by_what_it_carries() {
    let q = [0.3, 0.8];
    let data = forward_at(&arm(-10.0), &q, &[]);
    let outer = 3.0 * 10.0 * 0.4 * (q[0] + q[1]).cos();
    let expected = [outer + (2.0 + 3.0) * 10.0 * 0.5 * q[0].cos(), outer];
    all_close(data.qfrc_bias(), &expected, 1e-13);
}

#[test]
fn accelerations_add_the_inertia_forces() {
    let (q, a) = ([0.3, 0.8], [2.0, -1.0]);
    let model = arm(0.0);
    let mut data = forward_at(&model, &q, &[]);
    let world = &mut data.view_mut();
    world.qacc.copy_from_slice(&a);
    let mut found = [0.0; 2];
    rne(&model, world, true, &mut found);
    // the inertia matrix of the arm, with that of the balls about their centres
    let (first, second) = (0.4 * 2.0 * 0.0025, 0.4 * 3.0 * 0.0025);
    let c = 3.0 * 0.5 * 0.4 * q[1].cos();
    let m22 = second + 3.0 * 0.16;
    let m12 = m22 + c;
    let m11 = first + (2.0 + 3.0) * 0.25 + m22 + 2.0 * c;
    all_close(&found, &[m11 * a[0] + m12 * a[1], m12 * a[0] + m22 * a[1]], 1e-13);
}
