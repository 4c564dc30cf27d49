//! Looks at contacts: a box on the floor is pushed, and friction holds it until the push is too strong.

#![allow(clippy::print_stdout, reason = "an example shows what it computes")]

use ferrodyn::math::Vec3;
use ferrodyn::prelude::*;

const MODEL: &str = r#"
<mujoco>
  <option cone="elliptic" impratio="10"/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 0.1" friction="0.3"/>
    <body name="crate" pos="0 0 0.05">
      <freejoint/>
      <geom name="wood" type="box" size="0.2 0.2 0.05" mass="2" friction="0.5"/>
    </body>
  </worldbody>
</mujoco>"#;

/// The force of the floor on the crate, from all contacts between the two.
fn floor_force(model: &Model, data: &mut Data, pair: [Geom; 2]) -> Result<Vec3, Error> {
    let mut total = Vec3::ZERO;
    for i in 0..data.contacts().len() {
        let contact = data.contacts()[i];
        if contact.geom != pair.map(|geom| geom.id() as i32) {
            continue;
        }
        // normal and two tangents, on the second geom; rows of the frame are the axes
        let force = data.contact_force(model, i)?;
        total += contact.frame.mul_transposed(Vec3::from_slice(&force[..3]));
    }
    Ok(total)
}

fn main() -> Result<(), Error> {
    let model = load_model(MODEL)?;
    let (crate_body, weight) = (model.body("crate")?, 2.0 * 9.81);
    let pair = [model.geom("floor")?, model.geom("wood")?];
    // sliding friction of a contact is that of the rougher geom
    let limit = weight * pair[0].friction(&model)[0].max(pair[1].friction(&model)[0]);

    for push in [0.5 * limit, 1.5 * limit] {
        let mut data = model.make_data();
        crate_body.set_xfrc_applied(&mut data, [push, 0.0, 0.0, 0.0, 0.0, 0.0]);
        // settle, then take the mean over a while: what slides hops a little, and is not in touch at all times
        data.step_n(&model, 250)?;
        let (mut force, steps) = (Vec3::ZERO, 250);
        for _ in 0..steps {
            data.step(&model)?;
            force += floor_force(&model, &mut data, pair)? * (1.0 / steps as f64);
        }
        let speed = crate_body.linear_velocity(&data)[0];
        println!(
            "push {push:5.2} N: floor pushes up {:.2} N and back {:.2} N, speed {speed:.3} m/s",
            force[2], -force[0],
        );
        // the floor carries the weight, and resists up to the limit of friction
        assert!((force[2] - weight).abs() < 0.05 * weight);
        assert!((-force[0] - push.min(limit)).abs() < 0.05 * limit);
        assert_eq!(speed > 0.1, push > limit);
    }
    Ok(())
}
