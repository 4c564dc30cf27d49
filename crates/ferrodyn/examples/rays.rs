//! Follows rays: a range finder that turns about in a room and draws what it sees.

#![allow(clippy::print_stdout, reason = "an example shows what it computes")]

use ferrodyn::math::Vec3;
use ferrodyn::prelude::*;
use ferrodyn::{RayFilter, math};

const MODEL: &str = r#"
<mujoco>
  <worldbody>
    <geom name="east"  type="box" pos="4 0 1"  size="0.1 3 1"/>
    <geom name="west"  type="box" pos="-4 0 1" size="0.1 3 1"/>
    <geom name="north" type="box" pos="0 3 1"  size="4 0.1 1"/>
    <geom name="south" type="box" pos="0 -3 1" size="4 0.1 1"/>
    <geom name="pillar" type="cylinder" pos="2 0 1" size="0.5 1"/>
    <body name="robot" pos="0 0 0.5">
      <freejoint/>
      <geom name="hull" size="0.3"/>
    </body>
  </worldbody>
</mujoco>"#;

/// Number of rays in a turn.
const RAYS: usize = 24;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = load_model(MODEL)?;
    let robot = model.body("robot")?;
    let mut data = model.make_data();
    // rays see the poses of the last step or `forward`
    data.forward(&model)?;

    // from the robot, which does not see itself
    let filter = RayFilter { exclude_body: Some(robot.id()), ..RayFilter::default() };
    let directions: Vec<Vec3> = (0..RAYS)
        .map(|i| 2.0 * math::PI * i as f64 / RAYS as f64)
        .map(|angle| Vec3::new(angle.cos(), angle.sin(), 0.0))
        .collect();
    let hits = data.multi_ray(&model, robot.xpos(&data), &directions, &filter, 100.0)?;

    for (i, hit) in hits.iter().enumerate() {
        let hit = hit.ok_or("the room is closed")?;
        let geom = Geom::from_id(&model, hit.geom).ok_or("a ray meets geoms of the model")?;
        let bar = "#".repeat((8.0 * hit.distance) as usize);
        println!("{:4}° {:7} {:.2} m {bar}", 360 * i / RAYS, geom.name(&model), hit.distance);
    }

    // straight ahead is the pillar, behind is a wall, and the surface looks back at the robot
    let ahead = hits[0].ok_or("nothing ahead")?;
    assert_eq!(ahead.geom, model.geom("pillar")?.id());
    assert!((ahead.distance - 1.5).abs() < 1e-9 && (ahead.normal[0] + 1.0).abs() < 1e-9);
    let behind = hits[RAYS / 2].ok_or("nothing behind")?;
    assert_eq!(behind.geom, model.geom("west")?.id());
    assert!((behind.distance - 3.9).abs() < 1e-9);
    // without the filter a ray from inside of the robot meets the robot
    let own = data.ray(&model, robot.xpos(&data), directions[0], &RayFilter::default())?;
    assert_eq!(own.map(|hit| hit.geom), Some(model.geom("hull")?.id()));
    Ok(())
}
