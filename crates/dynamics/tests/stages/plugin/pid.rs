//! Servo actuators with an integral term.
use ferrodyn::Model;
use ferrodyn_testing::{close, forward_driven, load};

/// A slider of 1 kg, driven by a controller.
fn slider(config: &[(&str, &str)], attributes: &str) -> Model {
    let config: String = config
        .iter()
        .map(|(key, value)| format!("<config key='{key}' value='{value}'/>"))
        .collect();
    load(&format!(
        "<mujoco><option gravity='0 0 0' timestep='.01'/>\
         <extension><plugin plugin='mujoco.pid'><instance name='c'>{config}</instance></plugin></extension>\
         <worldbody><body><joint name='j' type='slide'/><geom size='.1' mass='1'/></body></worldbody>\
         <actuator><plugin joint='j' plugin='mujoco.pid' instance='c' {attributes}/></actuator></mujoco>"
    ))
}

#[test]
fn the_force_follows_error_rate_and_integral() {
    let force = |config: &[(&str, &str)], attributes: &str, act: &[f64]| {
        let model = slider(config, attributes);
        forward_driven(&model, &[0.2], &[0.5], &[1.0], act).actuator_force()[0]
    };
    // 4 (1 - 0.2), less 3 for each unit of speed
    close(force(&[("kp", "4")], "", &[]), 3.2, 1e-14);
    close(force(&[("kp", "4"), ("kd", "3")], "", &[]), 3.2 - 1.5, 1e-14);
    // the integral is that of the end of the step: 0.3 + 0.01 · 0.8
    close(force(&[("ki", "10")], "actdim='1'", &[0.3]), 3.08, 1e-13);
    // and limited to the force that it may give
    close(force(&[("ki", "10"), ("imax", "2")], "actdim='1'", &[0.3]), 2.0, 1e-14);
}

#[test]
fn the_integral_is_the_sum_of_errors() {
    let model = slider(&[("ki", "1e-9")], "actdim='1'");
    let mut data = model.make_data();
    data.qpos_mut()[0] = 0.2;
    data.ctrl_mut()[0] = 1.0;
    data.step_n(&model, 50).unwrap();
    close(data.act()[0], 50.0 * 0.01 * 0.8, 1e-8);
}

#[test]
fn the_set_point_moves_no_faster_than_its_limit() {
    let model = slider(&[("kp", "4"), ("slewmax", "2")], "actdim='1'");
    let mut data = model.make_data();
    // the first set point is where it is asked for; then it moves by 0.02 in each step
    data.ctrl_mut()[0] = 0.0;
    data.step(&model).unwrap();
    data.ctrl_mut()[0] = 1.0;
    for step in 1..=5 {
        data.step(&model).unwrap();
        close(data.act()[0], 0.02 * f64::from(step), 1e-14);
    }
}
