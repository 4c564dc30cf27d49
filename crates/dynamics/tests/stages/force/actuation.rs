//! Actuator forces, and activations, with values worked out by hand.
use ferrodyn::Model;
use ferrodyn_testing::{close, forward_driven, load, run};

use crate::support::{single, two_links};

/// Force of the only actuator, on the first joint.
fn force(actuator: &str, qpos: f64, qvel: f64, ctrl: f64, act: &[f64]) -> f64 {
    forward_driven(&two_links("", actuator), &[qpos], &[qvel], &[ctrl], act).actuator_force()[0]
}

const DIFFERENCE: &str =
    "<fixed name='t'><joint joint='j1' coef='1'/><joint joint='j2' coef='-1'/></fixed>";

#[test]
fn a_tendon_pulls_its_joints_by_their_coefficients() {
    let m = two_links(DIFFERENCE, "<motor tendon='t'/>");
    assert_eq!(forward_driven(&m, &[], &[], &[1.0], &[]).qfrc_actuator(), [1.0, -1.0]);
    let by_tendon = two_links(&single(""), "<motor tendon='t' gear='3'/>");
    let by_joint = two_links("", "<motor joint='j1' gear='3'/>");
    let [a, b] = [&by_tendon, &by_joint].map(|m| forward_driven(m, &[0.3], &[], &[0.7], &[]));
    assert_eq!(a.qfrc_actuator(), b.qfrc_actuator());
}

#[test]
fn forces_are_gain_times_input_plus_bias() {
    assert_eq!(force("<motor joint='j1'/>", 0.0, 0.0, 5.0, &[]), 5.0);
    assert_eq!(force("<position joint='j1' kp='100'/>", 0.5, 0.0, 1.0, &[]), 50.0);
    close(force("<position joint='j1' kp='100' kv='10'/>", 0.5, 0.2, 1.0, &[]), 48.0, 1e-12);
    close(force("<velocity joint='j1' kv='10'/>", 0.0, 0.2, 1.0, &[]), 8.0, 1e-12);
    let damper = "<damper joint='j1' kv='5' ctrlrange='0 1'/>";
    close(force(damper, 0.0, 2.0, 0.8, &[]), -8.0, 1e-12);
    // the reader hands on only the first number of a cylinder's bias, as MuJoCo's does
    let cylinder =
        "<general joint='j1' dyntype='filter' gainprm='.01' biastype='affine' biasprm='0 0 -100'/>";
    close(force(cylinder, 0.0, 0.1, 0.0, &[500_000.0]), 4990.0, 1e-9);
    let m = two_links("", "<motor joint='j1' gear='2'/>");
    assert_eq!(forward_driven(&m, &[], &[], &[0.5], &[]).qfrc_actuator()[0], 1.0);
}

#[test]
fn controls_and_forces_are_limited_where_the_actuator_says_so() {
    assert_eq!(force("<motor joint='j1' ctrlrange='-1 1'/>", 0.0, 0.0, 5.0, &[]), 1.0);
    let unlimited = "<motor joint='j1' ctrlrange='-1 1' ctrllimited='false'/>";
    assert_eq!(force(unlimited, 0.0, 0.0, 5.0, &[]), 5.0);
    assert_eq!(force("<motor joint='j1' forcerange='-100 0'/>", 0.0, 0.0, -500.0, &[]), -100.0);
    let unlimited = "<motor joint='j1' forcerange='-100 0' forcelimited='false'/>";
    assert_eq!(force(unlimited, 0.0, 0.0, -500.0, &[]), -500.0);
}

#[test]
fn an_exact_filter_decays_exponentially() {
    let m = two_links("", "<position joint='j1' kp='100' timeconst='.1'/>");
    assert_eq!(m.na, 1);
    let mut d = forward_driven(&m, &[], &[], &[1.0], &[]);
    // the first force uses the activation before the step
    assert_eq!(d.actuator_force()[0], 0.0);
    d.step(&m).unwrap();
    close(d.act()[0], 1.0 - (-0.02f64).exp(), 1e-15);
    d.step_n(&m, 2000).unwrap();
    close(d.act()[0], 1.0, 1e-12);
    assert_eq!(two_links("", "<position joint='j1' kp='100'/>").na, 0);
}

#[test]
fn a_filter_follows_its_control_and_an_integrator_sums_it() {
    let m = two_links("", "<cylinder joint='j1' timeconst='.1'/>");
    let mut d = forward_driven(&m, &[], &[], &[2.0], &[]);
    assert_eq!(d.act_dot()[0], 20.0);
    d.step_n(&m, 2000).unwrap();
    close(d.act()[0], 2.0, 1e-9);
    let m = two_links("", "<general joint='j1' dyntype='integrator'/>");
    let mut d = forward_driven(&m, &[], &[], &[2.0], &[]);
    d.step_n(&m, 10).unwrap();
    close(d.act()[0], 2.0 * 10.0 * 0.002, 1e-15);
}

const INTEGRATOR: &str = "<general joint='j1' dyntype='integrator' ATTR/>";

#[test]
fn activations_stay_in_their_range() {
    for (attr, limited) in [("actlimited='true' actrange='-1 1'", true), ("", false)] {
        let m = two_links("", &INTEGRATOR.replace("ATTR", attr));
        let mut d = forward_driven(&m, &[], &[], &[1.0], &[]);
        for _ in 0..1000 {
            d.step(&m).unwrap();
            assert!(!limited || d.act()[0] <= 1.0);
        }
        close(d.act()[0], if limited { 1.0 } else { 2.0 }, 1e-9);
    }
    let exact = "<general joint='j1' dyntype='filterexact' dynprm='.1' actlimited='true' actrange='-1 .015'/>";
    let m = two_links("", exact);
    let mut d = forward_driven(&m, &[], &[], &[0.5], &[]);
    d.step(&m).unwrap();
    close(d.act()[0], 0.5 * (1.0 - (-0.02f64).exp()), 1e-15);
    d.step(&m).unwrap();
    assert_eq!(d.act()[0], 0.015);
}

#[test]
fn a_limited_activation_follows_the_oracles_for_a_hundred_steps() {
    let m = two_links("", &INTEGRATOR.replace("ATTR", "actlimited='true' actrange='-1 1'"));
    let mut d = m.make_data();
    let (mut expected, mut at_limits) = (0.0_f64, 0);
    for step in 0..100 {
        d.ctrl_mut()[0] = 60.0 * (0.07 * f64::from(step)).cos();
        expected = (expected + 0.002 * d.ctrl()[0]).clamp(-1.0, 1.0);
        d.step(&m).unwrap();
        close(d.act()[0], expected, 1e-12);
        at_limits += i32::from(d.act()[0].abs() == 1.0);
        if step % 10 == 9 {
            close(d.act()[0], LIMITED_ACTIVATION[step as usize / 10], 1e-12);
        }
    }
    assert_eq!(at_limits, 44);
}

// MuJoCo 3.5.0, every tenth step
const LIMITED_ACTIVATION: [f64; 10] = [
    1.0,
    1.0,
    0.7948533412667282,
    -0.08405638493394746,
    -1.0,
    -1.0,
    -0.9802080277943508,
    -0.4137639890255347,
    0.6833199606837354,
    1.0,
];

#[test]
fn an_early_activation_is_that_of_the_next_step_within_its_range() {
    let force = |attr: &str| {
        let m = two_links("", &INTEGRATOR.replace("ATTR", attr));
        forward_driven(&m, &[], &[], &[3.0], &[]).actuator_force()[0]
    };
    assert_eq!(force(""), 0.0);
    close(force("actearly='true'"), 0.006, 1e-15);
    assert_eq!(force("actearly='true' actlimited='true' actrange='-.004 .004'"), 0.004);
}

/// A ball on the floor that adhesion pulls down.
fn sticky(gain: f64, shape: &str) -> Model {
    load(&format!(
        "<mujoco><worldbody><geom type='plane' size='1 1 1'/>
         <body name='b' pos='0 0 .0999'><freejoint/><geom {shape} size='.1 .1 .1' mass='1'/></body></worldbody>
         <actuator><adhesion body='b' gain='{gain}' ctrlrange='0 1'/></actuator></mujoco>"
    ))
}

#[test]
fn adhesion_pulls_a_body_onto_what_it_touches() {
    for shape in ["", "type='box'"] {
        let m = sticky(50.0, shape);
        let mut d = forward_driven(&m, &[], &[], &[1.0], &[]);
        assert_eq!(d.actuator_force()[0], 50.0);
        assert_eq!(d.actuator_length()[0], 0.0);
        // the mean over all contacts of the force along the normal
        close(d.qfrc_actuator()[2], -50.0, 1e-10);
        d.step_n(&m, 500).unwrap();
        let free = run(&m, 500);
        assert!(d.qpos()[2] < free.qpos()[2], "{shape}");
        // in the air there is nothing to stick to
        let d = forward_driven(&m, &[0.0, 0.0, 1.0], &[], &[1.0], &[]);
        assert_eq!(d.qfrc_actuator(), [0.0; 6]);
    }
}
