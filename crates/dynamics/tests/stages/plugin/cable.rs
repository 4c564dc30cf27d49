//! Elastic cables.
use ferrodyn::math::{Quat, Vec3};
use ferrodyn_testing::{close, load};

/// Two segments of length 0.5 and radius 0.1, with Young's modulus and shear modulus; the second on a ball joint.
fn cable(bend: f64, twist: f64) -> ferrodyn::Model {
    load(&format!(
        "<mujoco><option gravity='0 0 0'/><extension><plugin plugin='mujoco.elasticity.cable'><instance name='c'>\
         <config key='bend' value='{bend}'/><config key='twist' value='{twist}'/><config key='flat' value='true'/></instance></plugin></extension>\
         <worldbody><body><plugin instance='c'/><geom type='capsule' size='.1' fromto='0 0 0 .5 0 0'/>\
         <body pos='.5 0 0'><joint type='ball'/><plugin instance='c'/>\
         <geom type='capsule' size='.1' fromto='0 0 0 .5 0 0'/></body></body></worldbody></mujoco>"
    ))
}

/// The torque on the joint for a rotation about an axis.
fn torque(bend: f64, twist: f64, axis: Vec3, angle: f64) -> Vec3 {
    let model = cable(bend, twist);
    let mut data = model.make_data();
    data.qpos_mut().copy_from_slice(&Quat::from_axis_angle(axis, angle).0);
    data.forward(&model).unwrap();
    Vec3::from_slice(data.qfrc_passive())
}

#[test]
fn bending_and_twisting_are_resisted_by_the_moments_of_the_section() {
    let r4 = std::f64::consts::PI * 1e-4;
    // E I / L · angle with I = π r⁴ / 4, and G J / L · angle with J = π r⁴ / 2
    let (bend, twist) = (torque(1e4, 0.0, Vec3::Y, 0.2), torque(0.0, 1e4, Vec3::X, 0.2));
    close(bend[1], -1e4 * r4 / 4.0 / 0.5 * 0.2, 1e-9);
    close(twist[0], -1e4 * r4 / 2.0 / 0.5 * 0.2, 1e-9);
    // each has its own modulus, and a straight cable has no torque
    close(torque(0.0, 1e4, Vec3::Y, 0.2).norm(), 0.0, 1e-9);
    close(torque(1e4, 0.0, Vec3::X, 0.2).norm(), 0.0, 1e-9);
    close(torque(1e4, 1e4, Vec3::Y, 0.0).norm(), 0.0, 0.0);
}
