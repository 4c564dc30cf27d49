//! Loads a model, lets a ball fall, and compares with what a physics book says.

#![allow(clippy::print_stdout, reason = "an example shows what it computes")]

use ferrodyn::prelude::*;

const MODEL: &str = r#"
<mujoco>
  <worldbody>
    <body name="ball" pos="0 0 10">
      <freejoint/>
      <geom size="0.1"/>
    </body>
  </worldbody>
</mujoco>"#;

fn main() -> Result<(), Error> {
    // a model is what does not change; `Model::from_xml_path` reads a file
    let model = load_model(MODEL)?;
    let ball = model.body("ball")?;

    // data is a world that moves: one model, as many worlds as one likes
    let mut data = model.make_data();
    while data.time() < 1.0 {
        data.step(&model)?;
    }
    // a step leaves positions of bodies as they were before it: bring them up to date
    data.forward(&model)?;

    let height = ball.xpos(&data)[2];
    let expected = 10.0 - 0.5 * 9.81 * data.time().powi(2);
    println!("after {:.3} s the ball is at {height:.4} m, by hand {expected:.4} m", data.time());

    // a step takes the new velocity for its whole length, so the ball is ahead by g t h / 2
    let ahead = 0.5 * 9.81 * data.time() * model.opt.timestep;
    assert!((height - (expected - ahead)).abs() < 1e-9);
    Ok(())
}
