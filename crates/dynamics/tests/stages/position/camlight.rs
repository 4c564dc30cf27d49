//! Cameras and lights that follow bodies and look at them.
use ferrodyn::Data;
use ferrodyn::math::Vec3;
use ferrodyn_testing::{all_close, forward_at, load};

/// A body that turns about z and carries cameras and lights, and a target that slides along x.
fn turned(mode: &str) -> Data {
    let target = if mode.starts_with("target") { "target='t'" } else { "" };
    let model = load(&format!(
        "<mujoco><worldbody><body name='b' pos='1 0 0'><joint axis='0 0 1'/><geom size='.1' mass='1'/>\
         <geom size='.1' mass='1' pos='2 0 0'/>\
         <camera pos='0 1 0' mode='{mode}' {target}/><light pos='0 1 0' dir='1 0 0' mode='{mode}' {target}/></body>\
         <body name='t' pos='0 0 3'><joint type='slide' axis='1 0 0'/><geom size='.1' mass='1' pos='0 4 0'/></body></worldbody></mujoco>"
    ));
    forward_at(&model, &[std::f64::consts::FRAC_PI_2, 5.0], &[])
}

fn expect(mode: &str, pos: [f64; 3], looks: [f64; 3], shines: [f64; 3]) {
    let data = turned(mode);
    all_close(&data.cam_xpos()[0].0, &pos, 1e-14);
    all_close(&data.light_xpos()[0].0, &pos, 1e-14);
    all_close(&(-data.cam_xmat()[0].column(2)).0, &looks, 1e-14);
    all_close(&data.light_xdir()[0].0, &shines, 1e-14);
}

#[test]
fn what_is_fixed_turns_with_its_body() {
    // (0, 1, 0) becomes (-1, 0, 0), and a light along x shines along y
    expect("fixed", [0.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]);
}

#[test]
fn what_tracks_keeps_its_offset_and_its_direction() {
    expect("track", [1.0, 1.0, 0.0], [0.0, 0.0, -1.0], [1.0, 0.0, 0.0]);
    // the centre of mass was one ahead of the body, and is one beside it now: both moved by (-1, 1, 0)
    expect("trackcom", [0.0, 2.0, 0.0], [0.0, 0.0, -1.0], [1.0, 0.0, 0.0]);
}

#[test]
fn what_has_a_target_looks_at_it() {
    // from the origin to the body at (5, 0, 3), and to its mass at (5, 4, 3)
    let to = |target: Vec3| target.normalize().0.0;
    let (body, mass) = (to(Vec3::new(5.0, 0.0, 3.0)), to(Vec3::new(5.0, 4.0, 3.0)));
    expect("targetbody", [0.0; 3], body, body);
    expect("targetbodycom", [0.0; 3], mass, mass);
    // the x axis of the camera stays level
    let camera = turned("targetbodycom").cam_xmat()[0];
    assert!(camera.column(0)[2].abs() < 1e-15 && camera.column(1)[2] > 0.0);
}
