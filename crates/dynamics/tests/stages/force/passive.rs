//! Gravity compensation, springs and dampers of tendons.
use ferrodyn::{Data, Model};
use ferrodyn_testing::{close, forward, forward_driven, load};

use crate::support::{single, two_links};

fn free_body(attribute: &str, option: &str) -> (Model, Data) {
    both(&format!(
        "<mujoco>{option}<worldbody><body {attribute}><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
    ))
}

/// The model of a text, and its world after `forward`.
fn both(xml: &str) -> (Model, Data) {
    let model = load(xml);
    let data = forward(&model);
    (model, data)
}

fn vertical_acceleration(attribute: &str) -> f64 {
    free_body(attribute, "").1.qacc()[2]
}

#[test]
fn acceleration_of_a_free_body_is_scaled_by_what_is_left_of_gravity() {
    for (gravcomp, expected) in [("0", -9.81), ("0.5", -4.905), ("1", 0.0), ("2", 9.81)] {
        let found = vertical_acceleration(&format!("gravcomp='{gravcomp}'"));
        assert!((found - expected).abs() < 1e-12, "{gravcomp}: {found}");
    }
}

#[test]
fn zero_compensation_is_the_same_as_none() {
    let (with, without) = (free_body("gravcomp='0'", ""), free_body("", ""));
    assert_eq!(*with.0, *without.0);
    assert!(with.0.warnings().is_empty());
    assert_eq!(with.1, without.1);
}

#[test]
fn without_gravity_there_is_no_force() {
    let (_, data) = free_body("gravcomp='1'", "<option gravity='0 0 0'/>");
    assert!(data.qfrc_gravcomp().iter().all(|&f| f == 0.0));
    // and none is left over when gravity is switched off later
    let (mut model, mut data) = free_body("gravcomp='1'", "");
    assert!(data.qfrc_gravcomp()[2] > 0.0);
    model.edit(|m| m.opt.disableflags |= ferrodyn::DisableBit::Gravity as i32);
    data.forward(&model).unwrap();
    assert!(data.qfrc_gravcomp().iter().all(|&f| f == 0.0));
}

#[test]
fn a_compensated_arm_stays_where_it_is() {
    let link = |inner: &str| {
        format!(
            "<body pos='.3 0 0' gravcomp='1'><joint axis='0 1 0'/>\
             <geom type='capsule' size='.02' fromto='0 0 0 .3 0 0'/>{inner}</body>"
        )
    };
    let xml = format!("<mujoco><worldbody>{}</worldbody></mujoco>", link(&link(&link(""))));
    let (model, mut data) = both(&xml);
    assert!(data.qfrc_passive().iter().all(|&f| f.abs() > 0.1));
    for (passive, bias) in data.qfrc_passive().iter().zip(data.qfrc_bias()) {
        assert!((passive - bias).abs() < 1e-12);
    }
    data.step_n(&model, 1000).unwrap();
    assert!(data.qpos().iter().all(|q| q.abs() < 1e-10));
}

#[test]
fn the_force_acts_at_the_centre_of_mass_and_moves_only_what_carries_the_body() {
    let arm = |com: &str| {
        format!(
            "<mujoco><worldbody><body gravcomp='1'><joint axis='0 1 0'/>\
             <inertial pos='{com}' mass='1' diaginertia='.1 .1 .1'/></body>\
             <body pos='1 0 0'><joint axis='0 1 0'/><geom size='.1' pos='.2 0 0'/></body></worldbody></mujoco>"
        )
    };
    let (_, offset) = both(&arm(".2 0 0"));
    let (_, centred) = both(&arm("0 0 0"));
    assert!((offset.qfrc_gravcomp()[0] + 0.2 * 9.81).abs() < 1e-12);
    assert_eq!(centred.qfrc_gravcomp()[0], 0.0);
    assert_eq!(offset.qfrc_gravcomp()[1], 0.0);
}

#[test]
fn compensation_can_be_switched_on_while_a_world_lives() {
    let (mut model, mut data) = free_body("", "");
    model.edit(|m| m.body_gravcomp[1] = 1.0);
    model.derive_constants();
    assert_eq!(model.ngravcomp, 1);
    data.forward(&model).unwrap();
    assert!(data.qacc()[2].abs() < 1e-12);
}

#[test]
fn tendon_springs_and_dampers_reach_the_joints() {
    let m = two_links(&single("stiffness='100' springlength='0'"), "");
    close(forward_driven(&m, &[0.1], &[], &[], &[]).qfrc_passive()[0], -10.0, 1e-12);
    let m = two_links(&single("damping='10'"), "");
    close(forward_driven(&m, &[0.0], &[0.5], &[], &[]).qfrc_passive()[0], -5.0, 1e-12);
    // no force between both rest lengths
    let m = two_links(&single("stiffness='100' springlength='-.2 .2'"), "");
    assert_eq!(forward_driven(&m, &[0.1], &[], &[], &[]).qfrc_passive()[0], 0.0);
    close(forward_driven(&m, &[0.3], &[], &[], &[]).qfrc_passive()[0], -10.0, 1e-12);
}
