//! Builds a pendulum on a cart in the program, steps it, and hangs a second rod on it while it
//! swings.

#![allow(clippy::print_stdout, reason = "an example shows what it computes")]

use ferrodyn::mjcf::{
    ActuatorAttrs, ActuatorKind, BodyAttrs, BodyId, GeomAttrs, JointAttrs, SensorAttrs, WORLD,
};
use ferrodyn::prelude::*;

/// A rod that hangs on a hinge.
fn add_rod(spec: &mut Spec, parent: BodyId, name: &str, z: f64) -> Result<BodyId, Error> {
    let rod = spec.add_body(parent, name, BodyAttrs::default().pos([0.0, 0.0, z]))?;
    let hinge = JointAttrs::default().axis([0.0, 1.0, 0.0]).damping(0.002);
    spec.add_joint(rod, &format!("{name}_hinge"), hinge)?;
    let shape = GeomAttrs::default()
        .kind(GeomType::Capsule)
        .fromto([0.0, 0.0, 0.0, 0.0, 0.0, -0.4])
        .size([0.02]);
    spec.add_geom(rod, "", shape)?;
    Ok(rod)
}

fn main() -> Result<(), Error> {
    let mut spec = Spec::new();
    spec.option = spec.option.timestep(0.002);
    spec.flags = spec.flags.contact(false);

    let cart = spec.add_body(WORLD, "cart", BodyAttrs::default().pos([0.0, 0.0, 1.0]))?;
    let rail = JointAttrs::default().kind(MjJointType::Slide).axis([1.0, 0.0, 0.0]);
    spec.add_joint(cart, "rail", rail)?;
    let body = GeomAttrs::default().kind(GeomType::Box).size([0.1, 0.05, 0.05]);
    spec.add_geom(cart, "", body)?;
    let rod = add_rod(&mut spec, cart, "rod", 0.0)?;
    let motor = ActuatorAttrs::default().joint("rail").gear([10.0]);
    spec.add_actuator("push", ActuatorKind::Motor, motor);
    spec.add_sensor("angle", SensorType::JointPos, SensorAttrs::default().joint("rod_hinge"));

    let model = Model::from_spec(&spec)?;
    let mut data = model.make_data();
    data.ctrl_mut()[0] = 0.5;
    data.qpos_mut()[1] = 0.3;
    data.step_n(&model, 250)?;
    println!("one rod:  time {:.2} s, positions {:.4?}", data.header().time, data.qpos());

    // the simulation goes on where it was, with one more rod
    add_rod(&mut spec, rod, "tip", -0.4)?;
    let (model, mut data) = model.recompile(&data, &spec)?;
    data.step_n(&model, 250)?;
    println!("two rods: time {:.2} s, positions {:.4?}", data.header().time, data.qpos());
    Ok(())
}
