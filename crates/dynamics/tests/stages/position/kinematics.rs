//! Mocap bodies take their pose from the data.
use ferrodyn::math::{Quat, Vec3};
use ferrodyn_testing::{all_close, forward, load, run};

const XML: &str = "<mujoco><worldbody><body name='hand' mocap='true' pos='1 2 3'><geom size='.1'/>\
    <body name='finger' pos='.5 0 0'><geom size='.1'/></body></body>\
    <body><joint/><geom size='.1'/></body></worldbody></mujoco>";

#[test]
fn the_pose_comes_from_the_data_and_carries_descendants() {
    let model = load(XML);
    let mut data = forward(&model);
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
    let model = load(XML);
    let mut data = run(&model, 100);
    assert_eq!((model.nv, model.nmocap), (1, 1));
    assert_eq!(data.xpos()[1], Vec3::new(1.0, 2.0, 3.0));
    data.mocap_pos_mut()[0] = Vec3::ZERO;
    data.reset(&model).unwrap();
    assert_eq!(data.mocap_pos()[0], Vec3::new(1.0, 2.0, 3.0));
}

#[test]
fn a_welded_body_is_dragged_as_in_mujoco() {
    let model = load(
        "<mujoco><option timestep='.002'/><worldbody>\
         <body name='hand' mocap='true' pos='0 0 1'><geom size='.02' contype='0' conaffinity='0'/></body>\
         <body name='cup' pos='0 0 1'><freejoint/><geom type='box' size='.05 .04 .03' mass='.5'/></body>\
         </worldbody><equality><weld body1='hand' body2='cup'/></equality></mujoco>",
    );
    let mut data = model.make_data();
    for i in 0..200 {
        let s = i as f64 / 199.0;
        let a = 0.5 * s;
        data.mocap_pos_mut()[0] = Vec3::new(0.2 * s, 0.1 * s, 1.0 + 0.05 * s);
        data.mocap_quat_mut()[0] = Quat::new((1.0 - a * a / 4.0).sqrt(), 0.0, 0.0, a / 2.0);
        data.step(&model).unwrap();
    }
    // from MuJoCo 3.5.0
    let qpos = [
        0.18090452975511145,
        0.09045226487755573,
        1.0450299325325254,
        0.9740881500341222,
        0.0,
        0.0,
        0.22616868917492047,
    ];
    let qvel = [
        0.5025122816657809,
        0.25125614083289044,
        0.12562806672604593,
        0.0,
        0.0,
        1.2897199866129576,
    ];
    all_close(data.qpos(), &qpos, 1e-10);
    all_close(data.qvel(), &qvel, 1e-10);
}

#[test]
fn mocap_bodies_collide_where_the_data_puts_them() {
    let model = load(
        "<mujoco><worldbody><geom type='plane' size='9 9 .1'/>\
         <body name='hand' mocap='true' pos='1 0 .1'><geom size='.1'/></body>\
         <body name='ball' pos='0 0 .2'><freejoint/><geom size='.1'/></body></worldbody></mujoco>",
    );
    let mut data = forward(&model);
    assert!(data.contacts().is_empty());
    // touches the ball; its own contact with the floor is filtered
    data.mocap_pos_mut()[0] = Vec3::new(0.15, 0.0, 0.2);
    data.forward(&model).unwrap();
    assert_eq!(data.contacts().iter().map(|c| c.geom).collect::<Vec<_>>(), [[1, 2]]);
    data.step_n(&model, 10).unwrap();
    assert!(data.qvel()[0] < 0.0);
    assert_eq!(data.mocap_pos()[0], Vec3::new(0.15, 0.0, 0.2));
}
