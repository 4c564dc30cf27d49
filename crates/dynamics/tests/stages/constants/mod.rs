//! Constants that follow from a model: accelerations of unit forces, damping from a ratio.
mod bounds;
mod length_range;
mod statistic;

use ferrodyn_testing::load;

use crate::position::transmission::{ARM, actuated};

#[test]
fn acc0_is_the_acceleration_of_a_unit_force() {
    let text = r#"<mujoco><worldbody><body><joint name="j" axis="0 0 1" armature="2"/><geom type="box" size=".1 .2 .3" mass="3"/></body></worldbody>
      <tendon><fixed name="t"><joint joint="j" coef="-.5"/></fixed></tendon>
      <actuator><motor joint="j" gear="3"/><motor tendon="t" gear="4"/><muscle joint="j" gear="2" lengthrange="0 1"/></actuator></mujoco>"#;
    let model = load(text);
    let inertia = 2.0 + 3.0 * (0.01 + 0.04) / 3.0;
    for (i, expected) in [3.0, 2.0, 2.0].into_iter().enumerate() {
        assert!((model.actuator_acc0[i] - expected / inertia).abs() < 1e-10);
    }
    // the force of a muscle that states none is found at run time
    assert_eq!(model.actuator_gainprm[2][2], -1.0);
}

#[test]
fn a_damping_ratio_becomes_a_damping_for_the_inertia_that_is_felt() {
    let world = "<body><joint name='j' armature='2'/><geom size='.1' mass='0.001'/></body>";
    let model = actuated(world, "<position joint='j' kp='50' dampratio='.7' gear='2'/>");
    let mass = model.dof_M0[0] / 4.0;
    let expected = -0.7 * 2.0 * (50.0 * mass).sqrt();
    assert!((model.actuator_biasprm[0][2] - expected).abs() < 1e-12);
}

#[test]
fn constants_can_be_derived_again_after_an_edit() {
    let mut model = actuated(ARM, "<motor site='s3' refsite='w' gear='1 2 3'/>");
    let before = (model.actuator_acc0[0], model.body_invweight0[1][0]);
    model.edit(|m| m.body_mass[1] *= 3.0);
    model.derive_constants();
    assert_ne!(before, (model.actuator_acc0[0], model.body_invweight0[1][0]));
    model.edit(|m| m.body_mass[1] /= 3.0);
    model.derive_constants();
    assert!((before.0 - model.actuator_acc0[0]).abs() < 1e-12);
}
