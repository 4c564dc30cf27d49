//! Velocities of bodies, at the centre of mass of their tree.
use ferrodyn::math::Vec3;
use ferrodyn_testing::{all_close, forward_at, load};

/// A hinge about y at the origin and a slider along z on it; 1 kg at (1, 0, 0) and 1 kg at (3, 0, 0): the centre is at (2, 0, 0).
const ARM: &str = "<mujoco><option gravity='0 0 0'/><worldbody><body><joint axis='0 1 0'/><geom size='.1' mass='1' pos='1 0 0'/>\
    <body pos='3 0 0'><joint type='slide' axis='0 0 1'/><geom size='.1' mass='1'/></body></body></worldbody></mujoco>";

#[test]
fn a_body_moves_with_its_parents_and_its_own_joints() {
    let data = forward_at(&load(ARM), &[], &[2.0, 0.5]);
    let motion = |b: usize| (data.cvel()[b].rot(), data.cvel()[b].lin());
    assert_eq!(motion(0), (Vec3::ZERO, Vec3::ZERO));
    // ω × r = (0, 2, 0) × (2, 0, 0) = (0, 0, -4)
    assert_eq!(motion(1), (Vec3::Y * 2.0, Vec3::Z * -4.0));
    assert_eq!(motion(2), (Vec3::Y * 2.0, Vec3::Z * -3.5));
}

#[test]
fn the_axis_of_a_joint_turns_with_what_carries_it() {
    let data = forward_at(&load(ARM), &[], &[2.0, 0.5]);
    // d/dt of the slider's axis: ω × z = 2 x
    let turning = data.cdof_dot()[1];
    all_close(&turning.rot().0, &[0.0; 3], 0.0);
    all_close(&turning.lin().0, &[2.0, 0.0, 0.0], 1e-15);
    // the axis of a hinge at a fixed place turns about nothing
    all_close(&data.cdof_dot()[0].rot().0, &[0.0; 3], 0.0);
}
