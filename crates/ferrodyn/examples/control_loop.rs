//! A controller in a loop: an arm is turned to a target and held there against gravity.

#![allow(clippy::print_stdout, reason = "an example shows what it computes")]

use ferrodyn::prelude::*;

const MODEL: &str = r#"
<mujoco>
  <worldbody>
    <body name="arm">
      <joint name="shoulder" axis="0 -1 0"/>
      <geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.03" mass="1"/>
    </body>
  </worldbody>
  <actuator>
    <motor name="motor" joint="shoulder" ctrlrange="-20 20"/>
  </actuator>
</mujoco>"#;

/// Stiffness and damping of the controller.
const GAINS: [f64; 2] = [40.0, 6.0];

fn main() -> Result<(), Error> {
    let model = load_model(MODEL)?;
    let (shoulder, motor) = (model.joint("shoulder")?, model.actuator("motor")?);
    let mut data = model.make_data();
    let target = 0.8;

    for _ in 0..6 {
        println!("{:.1} s: angle {:.4} rad", data.time(), shoulder.qpos(&data)[0]);
        for _ in 0..250 {
            // what gravity and motion ask for at this state ...
            data.forward(&model)?;
            let bias = shoulder.qfrc_bias(&data)[0];
            // ... and a spring and a damper towards the target
            let error = target - shoulder.qpos(&data)[0];
            let torque = bias + GAINS[0] * error - GAINS[1] * shoulder.qvel(&data)[0];
            motor.set_ctrl(&mut data, torque);
            data.step(&model)?;
        }
    }

    // the motor carries the arm's weight: half its length times m g, at the angle of the target
    let held = motor.force(&data);
    println!("held at {:.6} rad with {held:.3} N m", shoulder.qpos(&data)[0]);
    assert!((shoulder.qpos(&data)[0] - target).abs() < 1e-4);
    assert!((held - 0.25 * 9.81 * target.cos()).abs() < 1e-2);
    Ok(())
}
