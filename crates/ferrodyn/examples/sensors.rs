//! Reads sensors of a pendulum: all that there are, and one that is known by name.

#![allow(clippy::print_stdout, reason = "an example shows what it computes")]

use ferrodyn::prelude::*;

const MODEL: &str = r#"
<mujoco>
  <worldbody>
    <body name="rod">
      <joint name="hinge" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 0 0 -1" size="0.02"/>
      <site name="tip" pos="0 0 -1"/>
    </body>
  </worldbody>
  <sensor>
    <jointpos name="angle" joint="hinge"/>
    <gyro name="gyro" site="tip"/>
    <accelerometer name="accelerometer" site="tip"/>
    <framepos name="position" objtype="site" objname="tip"/>
  </sensor>
</mujoco>"#;

fn main() -> Result<(), Error> {
    let model = load_model(MODEL)?;
    let mut data = model.make_data();

    // at rest, hanging down: `forward` computes sensors without moving anything
    data.forward(&model)?;
    println!("at rest:");
    for sensor in model.sensors() {
        let kind = format!("{:?}", sensor.kind(&model));
        println!("  {:14}{kind:15}{:.3?}", sensor.name(&model), sensor.data(&data));
    }
    // an accelerometer feels what holds it up, not gravity
    let accelerometer = model.sensor("accelerometer")?;
    assert!((accelerometer.data(&data)[2] - 9.81).abs() < 1e-9);

    // let it swing from the side, until it comes by the lowest point
    let (angle, gyro) = (model.sensor("angle")?, model.sensor("gyro")?);
    data.qpos_mut()[0] = std::f64::consts::FRAC_PI_2;
    while data.qpos()[0] > 0.0 {
        data.step(&model)?;
    }
    data.forward(&model)?;
    let [_, turn, _] = gyro.data(&data) else { unreachable!("a gyro has three values") };
    let up = accelerometer.data(&data)[2];
    println!("lowest: angle {:.4}, gyro {turn:.3}, accelerometer {up:.3}", angle.data(&data)[0]);

    // there it feels the pull to the centre too: g + ω² l
    assert!((up - (9.81 + turn * turn)).abs() < 1e-2);
    Ok(())
}
