//! Worlds begin again.
use ferrodyn_testing::{conformance_model, load, run};

#[test]
fn a_world_that_is_reset_is_like_a_new_one() {
    for name in ["box_stack", "actuators", "sensor_history", "sleep_stacks", "pid"] {
        let model = conformance_model(name);
        let mut data = run(&model, 50);
        assert_ne!(data.state_hash(), model.make_data().state_hash(), "{name}");
        data.reset(&model).unwrap();
        let mut new = model.make_data();
        assert_eq!(data.state_hash(), new.state_hash(), "{name}");
        // what is left over from before has no effect
        data.step_n(&model, 50).unwrap();
        new.step_n(&model, 50).unwrap();
        assert_eq!(data.state_hash(), new.state_hash(), "{name}");
    }
}

#[test]
fn a_keyframe_is_the_state_and_the_rest_is_the_reference() {
    let model = load(
        "<mujoco><worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody>\
         <actuator><general joint='j' dyntype='integrator'/></actuator>\
         <keyframe><key/><key time='2' qpos='.3' qvel='-1' act='.7' ctrl='.2'/></keyframe></mujoco>",
    );
    let mut data = run(&model, 10);
    data.qfrc_applied_mut()[0] = 5.0;
    data.reset_to_keyframe(&model, 1).unwrap();
    assert_eq!((data.time(), data.qpos(), data.qvel()), (2.0, &[0.3][..], &[-1.0][..]));
    assert_eq!(
        (data.act(), data.ctrl(), data.qfrc_applied()),
        (&[0.7][..], &[0.2][..], &[0.0][..])
    );
}
