//! Builds a pendulum on a cart in the program, changes a parameter, and hangs a second rod on it while it swings.

#![allow(clippy::print_stdout, reason = "an example shows what it computes")]

use ferrodyn::mjcf::{BodyAttrs, BodyId, GeomAttrs, JointAttrs, WORLD};
use ferrodyn::prelude::*;

/// A rod that hangs on a hinge.
fn add_rod(spec: &mut Spec, parent: BodyId, name: &str, z: f64) -> Result<BodyId, Error> {
    let rod = spec.add_body(parent, name, BodyAttrs::default().pos([0.0, 0.0, z]))?;
    let hinge = JointAttrs::default().axis([0.0, 1.0, 0.0]);
    spec.add_joint(rod, &format!("{name}_hinge"), hinge)?;
    let shape = GeomAttrs::default()
        .kind(GeomType::Capsule)
        .fromto([0.0, 0.0, 0.0, 0.0, 0.0, -0.4])
        .size([0.02]);
    spec.add_geom(rod, "", shape)?;
    Ok(rod)
}

fn main() -> Result<(), Error> {
    // a specification is the model as its author sees it: elements and attributes
    let mut spec = Spec::new();
    spec.flags = spec.flags.contact(false);
    let cart = spec.add_body(WORLD, "cart", BodyAttrs::default().pos([0.0, 0.0, 1.0]))?;
    let rail = JointAttrs::default().kind(MjJointType::Slide).axis([1.0, 0.0, 0.0]);
    spec.add_joint(cart, "rail", rail)?;
    let shape = GeomAttrs::default().kind(GeomType::Box).size([0.1, 0.05, 0.05]);
    spec.add_geom(cart, "", shape)?;
    let rod = add_rod(&mut spec, cart, "rod", 0.0)?;

    // numbers of a compiled model can be changed in place: here the hinge gets some damping
    let mut model = Model::from_spec(&spec)?;
    let hinge = model.joint("rod_hinge")?;
    let undamped = model.clone();
    model.edit(|m| hinge.damping_mut(m)[0] = 0.01);
    assert_eq!((hinge.damping(&undamped)[0], hinge.damping(&model)[0]), (0.0, 0.01));

    let mut data = model.make_data();
    hinge.qpos_mut(&mut data)[0] = 0.3;
    data.step_n(&model, 250)?;
    println!("one rod:  {:.2} s, positions {:.4?}", data.time(), data.qpos());

    // the structure is changed in the specification, which takes over what was changed in place; the world goes
    // on where it was
    spec.copy_back(&model)?;
    add_rod(&mut spec, rod, "tip", -0.4)?;
    let angle = hinge.qpos(&data)[0];
    let (model, mut data) = model.recompile(&data, &spec)?;

    // the new model has other handles
    assert!(!hinge.belongs_to(&model));
    let hinge = model.joint("rod_hinge")?;
    assert_eq!((hinge.qpos(&data)[0], hinge.damping(&model)[0]), (angle, 0.01));
    data.step_n(&model, 250)?;
    println!("two rods: {:.2} s, positions {:.4?}", data.time(), data.qpos());
    assert_eq!((data.qpos().len(), (data.time() * 1000.0).round()), (3, 1000.0));
    Ok(())
}
