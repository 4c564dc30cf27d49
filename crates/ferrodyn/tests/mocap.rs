//! Mocap bodies take their pose from the data.
use ferrodyn::load_model;
use ferrodyn::math::{Quat, Vec3};

const XML: &str = "<mujoco><worldbody><body name='hand' mocap='true' pos='1 2 3'><geom size='.1'/>\
    <body name='finger' pos='.5 0 0'><geom size='.1'/></body></body>\
    <body><joint/><geom size='.1'/></body></worldbody></mujoco>";

#[test]
fn the_pose_comes_from_the_data_and_carries_descendants() {
    let model = load_model(XML).unwrap();
    let mut data = model.make_data();
    data.forward(&model).unwrap();
    assert_eq!(data.xpos()[1], Vec3::new(1.0, 2.0, 3.0));

    data.mocap_pos_mut()[0] = Vec3::new(0.0, 0.0, 1.0);
    // quaternions are normalized where they are used
    data.mocap_quat_mut()[0] = Quat::new(2.0, 0.0, 0.0, 2.0);
    data.forward(&model).unwrap();
    assert_eq!(data.xpos()[1], Vec3::new(0.0, 0.0, 1.0));
    assert!((data.xpos()[2] - Vec3::new(0.0, 0.5, 1.0)).norm() < 1e-15);
}

#[test]
fn mocap_bodies_have_no_degrees_of_freedom_and_are_not_integrated() {
    let model = load_model(XML).unwrap();
    let mut data = model.make_data();
    data.step_n(&model, 100).unwrap();
    assert_eq!((model.nv, model.nmocap), (1, 1));
    assert_eq!(data.xpos()[1], Vec3::new(1.0, 2.0, 3.0));
    data.mocap_pos_mut()[0] = Vec3::ZERO;
    data.reset(&model).unwrap();
    assert_eq!(data.mocap_pos()[0], Vec3::new(1.0, 2.0, 3.0));
}
