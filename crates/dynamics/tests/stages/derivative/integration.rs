//! How the next configuration follows configuration and velocity.
use ferrodyn::derivative::mjd_quat_integrate;
use ferrodyn::dynamics::derivative::integration_derivative;
use ferrodyn::dynamics::integrate::integrate_pos;
use ferrodyn::math::{Mat3, Quat, Vec3};
use ferrodyn_testing::{chain, load, moving, relative_error};

#[test]
fn rotations_are_integrated_on_their_manifold() {
    let (omega, h) = (Vec3::new(1.0, 0.5, -0.3), 0.001);
    let quat = Quat([0.6, -0.3, 0.5, 0.2]).normalize().0;
    let (by_quat, by_omega) = mjd_quat_integrate(omega, h);
    let measured = |f: &dyn Fn(Vec3) -> Quat, eps: f64| {
        let column = |i: usize| {
            let mut step = Vec3::ZERO;
            step[i] = eps;
            f(step).rotation_from(f(-step)) * (0.5 / eps)
        };
        Mat3::from_columns(column(0), column(1), column(2))
    };
    let turned = measured(&|step| quat.integrate(step, 1.0).integrate(omega, h), 1e-5);
    let pushed = measured(&|step| quat.integrate(omega + step, h), 1e-3);
    assert!(relative_error(&by_quat.0, &turned.0) < 1e-6);
    assert!(relative_error(&by_omega.0, &pushed.0) < 1e-6);
}

#[test]
fn hinges_integrate_linearly_and_balls_do_not() {
    let h = 0.002;
    let hinges = chain(3, "", "");
    let (by_qpos, by_qvel) = integration_derivative(&hinges, &[1.0, -2.0, 3.0], h);
    let eye = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    assert_eq!(by_qpos, eye);
    assert_eq!(by_qvel, eye.map(|x| x * h));
    let ball = load(
        "<mujoco><worldbody><body><joint type='ball'/><geom size='.1'/></body></worldbody></mujoco>",
    );
    let (by_qpos, by_qvel) = integration_derivative(&ball, &[0.0; 3], h);
    assert_eq!(by_qpos, eye);
    assert_eq!(by_qvel, eye.map(|x| x * h));
    let omega = [2.0, 1.0, -1.5];
    let (by_qpos, by_qvel) = integration_derivative(&ball, &omega, h);
    assert!(relative_error(&by_qpos, &eye) > 1e-3);
    assert!(relative_error(&by_qvel, &eye.map(|x| x * h)) > 1e-3);
    let qpos = moving(&ball).qpos().to_vec();
    let mut measured = [0.0; 9];
    for i in 0..3 {
        let end = |by: f64| {
            let mut q = qpos.clone();
            let mut v = omega;
            v[i] += by;
            integrate_pos(&ball, &mut q, &v, h);
            q
        };
        let mut column = [0.0; 3];
        ferrodyn::dynamics::integrate::differentiate_pos(
            &ball,
            &mut column,
            2e-3,
            &end(-1e-3),
            &end(1e-3),
        );
        (0..3).for_each(|r| measured[r * 3 + i] = column[r]);
    }
    assert!(relative_error(&by_qvel, &measured) < 1e-5);
}
