//! The acceleration without constraints: the sum of all smooth forces over the inertia.
use ferrodyn_testing::{all_close, load};

#[test]
fn smooth_forces_add_up_and_accelerate() {
    // 2 kg on a spring of 5 N/m and a damper of 3 Ns/m, driven by a motor
    let model = load(
        "<mujoco><option gravity='-1 0 0'/><worldbody><body><joint name='j' type='slide' axis='1 0 0' stiffness='5' damping='3'/>\
         <geom size='.1' mass='2'/></body></worldbody><actuator><motor joint='j' gear='10'/></actuator></mujoco>",
    );
    let mut data = model.make_data();
    data.qpos_mut()[0] = 0.2;
    data.qvel_mut()[0] = 0.5;
    data.ctrl_mut()[0] = 0.7;
    data.qfrc_applied_mut()[0] = 0.25;
    data.xfrc_applied_mut()[1][0] = 1.5;
    data.forward(&model).unwrap();
    // spring, damper, weight, motor, applied to the joint, applied to the body
    let force = -1.0 - 1.5 - 2.0 + 7.0 + 0.25 + 1.5;
    all_close(data.qfrc_smooth(), &[force], 1e-14);
    all_close(data.qacc_smooth(), &[force / 2.0], 1e-14);
    assert_eq!(data.qacc(), data.qacc_smooth());
}
