//! Ranges of the lengths of actuators.
use ferrodyn_testing::{all_close, load};

#[test]
fn limits_of_joints_and_tendons_are_ranges_of_lengths() {
    let range = |actuator: &str| {
        let model = load(&format!(
            "<mujoco><compiler angle='radian'><lengthrange uselimit='true' mode='all'/></compiler><worldbody>\
             <body><joint name='j' axis='0 1 0' range='-.5 1.5'/><geom size='.1' pos='.5 0 0'/></body></worldbody>\
             <tendon><fixed name='t' range='-1 2'><joint joint='j' coef='2'/></fixed></tendon>\
             <actuator>{actuator}</actuator></mujoco>"
        ));
        model.actuator_lengthrange[0]
    };
    // as they are stated, whatever the gear: so does MuJoCo
    assert_eq!(range("<motor joint='j' gear='3'/>"), [-0.5, 1.5]);
    assert_eq!(range("<motor tendon='t' gear='2'/>"), [-1.0, 2.0]);
}

#[test]
fn without_limits_the_range_is_found_by_pulling() {
    // from a site at (0, 0, 1) to the end of a link of length 0.5 that turns all around: 0.5 to 1.5
    let model = load(
        "<mujoco><worldbody><site name='o' pos='0 0 1'/><body><joint name='j' axis='0 1 0'/><geom size='.05' pos='.5 0 0'/>\
         <site name='s' pos='.5 0 0'/></body></worldbody>\
         <tendon><spatial name='t'><site site='o'/><site site='s'/></spatial></tendon>\
         <actuator><muscle tendon='t'/></actuator></mujoco>",
    );
    all_close(&model.actuator_lengthrange[0], &[0.5, 1.5], 1e-2);
}
