//! Actuator forces, activations and the passive forces of tendons, with values worked out by hand.
use ferrodyn::{Data, Model, load_model};

/// Two hinges about y in a chain, with tendons and actuators.
fn chain(tendons: &str, actuators: &str) -> Model {
    let world = "<body><joint name='j1' axis='0 1 0'/><geom size='.1' mass='1' pos='.5 0 0'/>
        <body pos='1 0 0'><joint name='j2' axis='0 1 0'/><geom size='.1' mass='1' pos='.5 0 0'/></body></body>";
    load_model(&format!(
        "<mujoco><option gravity='0 0 0'/><worldbody>{world}</worldbody>
         <tendon>{tendons}</tendon><actuator>{actuators}</actuator></mujoco>"
    ))
    .unwrap_or_else(|e| panic!("{e}"))
}

fn forward(m: &Model, qpos: &[f64], qvel: &[f64], ctrl: &[f64], act: &[f64]) -> Data {
    let mut d = m.make_data();
    d.qpos_mut()[..qpos.len()].copy_from_slice(qpos);
    d.qvel_mut()[..qvel.len()].copy_from_slice(qvel);
    d.ctrl_mut()[..ctrl.len()].copy_from_slice(ctrl);
    d.act_mut()[..act.len()].copy_from_slice(act);
    d.forward(m).unwrap();
    d
}

/// Force of the only actuator, on the first joint.
fn force(actuator: &str, qpos: f64, qvel: f64, ctrl: f64, act: &[f64]) -> f64 {
    forward(&chain("", actuator), &[qpos], &[qvel], &[ctrl], act).actuator_force()[0]
}

fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found}, expected {expected}");
}

const DIFFERENCE: &str =
    "<fixed name='t' ATTR><joint joint='j1' coef='1'/><joint joint='j2' coef='-1'/></fixed>";
const SINGLE: &str = "<fixed name='t' ATTR><joint joint='j1' coef='1'/></fixed>";

#[test]
fn a_tendon_pulls_its_joints_by_their_coefficients() {
    let m = chain(&DIFFERENCE.replace("ATTR", ""), "<motor tendon='t'/>");
    assert_eq!(forward(&m, &[], &[], &[1.0], &[]).qfrc_actuator(), [1.0, -1.0]);
    let by_tendon = chain(&SINGLE.replace("ATTR", ""), "<motor tendon='t' gear='3'/>");
    let by_joint = chain("", "<motor joint='j1' gear='3'/>");
    let [a, b] = [&by_tendon, &by_joint].map(|m| forward(m, &[0.3], &[], &[0.7], &[]));
    assert_eq!(a.qfrc_actuator(), b.qfrc_actuator());
}

#[test]
fn tendon_springs_and_dampers_reach_the_joints() {
    let m = chain(&SINGLE.replace("ATTR", "stiffness='100' springlength='0'"), "");
    close(forward(&m, &[0.1], &[], &[], &[]).qfrc_passive()[0], -10.0, 1e-12);
    let m = chain(&SINGLE.replace("ATTR", "damping='10'"), "");
    close(forward(&m, &[0.0], &[0.5], &[], &[]).qfrc_passive()[0], -5.0, 1e-12);
    // no force between both rest lengths
    let m = chain(&SINGLE.replace("ATTR", "stiffness='100' springlength='-.2 .2'"), "");
    assert_eq!(forward(&m, &[0.1], &[], &[], &[]).qfrc_passive()[0], 0.0);
    close(forward(&m, &[0.3], &[], &[], &[]).qfrc_passive()[0], -10.0, 1e-12);
}

#[test]
fn tendon_friction_and_limits_are_constraints() {
    let friction = chain(&SINGLE.replace("ATTR", "frictionloss='2'"), "");
    close(forward(&friction, &[0.0], &[5.0], &[], &[]).qfrc_constraint()[0], -2.0, 1e-6);
    let limit = chain(&SINGLE.replace("ATTR", "limited='true' range='.1 .5'"), "");
    assert!(forward(&limit, &[0.05], &[], &[], &[]).qfrc_constraint()[0] > 0.0);
    assert!(forward(&limit, &[0.6], &[], &[], &[]).qfrc_constraint()[0] < 0.0);
    assert_eq!(forward(&limit, &[0.3], &[], &[], &[]).qfrc_constraint()[0], 0.0);
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
    let m = chain("", "<motor joint='j1' gear='2'/>");
    assert_eq!(forward(&m, &[], &[], &[0.5], &[]).qfrc_actuator()[0], 1.0);
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
    let m = chain("", "<position joint='j1' kp='100' timeconst='.1'/>");
    assert_eq!(m.na, 1);
    let mut d = forward(&m, &[], &[], &[1.0], &[]);
    // the first force uses the activation before the step
    assert_eq!(d.actuator_force()[0], 0.0);
    d.step(&m).unwrap();
    close(d.act()[0], 1.0 - (-0.02f64).exp(), 1e-15);
    d.step_n(&m, 2000).unwrap();
    close(d.act()[0], 1.0, 1e-12);
    assert_eq!(chain("", "<position joint='j1' kp='100'/>").na, 0);
}

#[test]
fn a_filter_follows_its_control_and_an_integrator_sums_it() {
    let m = chain("", "<cylinder joint='j1' timeconst='.1'/>");
    let mut d = forward(&m, &[], &[], &[2.0], &[]);
    assert_eq!(d.act_dot()[0], 20.0);
    d.step_n(&m, 2000).unwrap();
    close(d.act()[0], 2.0, 1e-9);
    let m = chain("", "<general joint='j1' dyntype='integrator'/>");
    let mut d = forward(&m, &[], &[], &[2.0], &[]);
    d.step_n(&m, 10).unwrap();
    close(d.act()[0], 2.0 * 10.0 * 0.002, 1e-15);
}

const INTEGRATOR: &str = "<general joint='j1' dyntype='integrator' ATTR/>";

#[test]
fn activations_stay_in_their_range() {
    for (attr, limited) in [("actlimited='true' actrange='-1 1'", true), ("", false)] {
        let m = chain("", &INTEGRATOR.replace("ATTR", attr));
        let mut d = forward(&m, &[], &[], &[1.0], &[]);
        for _ in 0..1000 {
            d.step(&m).unwrap();
            assert!(!limited || d.act()[0] <= 1.0);
        }
        close(d.act()[0], if limited { 1.0 } else { 2.0 }, 1e-9);
    }
    let exact = "<general joint='j1' dyntype='filterexact' dynprm='.1' actlimited='true' actrange='-1 .015'/>";
    let m = chain("", exact);
    let mut d = forward(&m, &[], &[], &[0.5], &[]);
    d.step(&m).unwrap();
    close(d.act()[0], 0.5 * (1.0 - (-0.02f64).exp()), 1e-15);
    d.step(&m).unwrap();
    assert_eq!(d.act()[0], 0.015);
}

#[test]
fn a_limited_activation_follows_the_oracles_for_a_hundred_steps() {
    let m = chain("", &INTEGRATOR.replace("ATTR", "actlimited='true' actrange='-1 1'"));
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
        let m = chain("", &INTEGRATOR.replace("ATTR", attr));
        forward(&m, &[], &[], &[3.0], &[]).actuator_force()[0]
    };
    assert_eq!(force(""), 0.0);
    close(force("actearly='true'"), 0.006, 1e-15);
    assert_eq!(force("actearly='true' actlimited='true' actrange='-.004 .004'"), 0.004);
}

const MUSCLE: &str = "<muscle joint='j1' lengthrange='0 1' ATTR/>";

/// A muscle at its optimal length.
fn muscle(attr: &str, ctrl: f64, act: f64) -> (Model, Data) {
    let m = chain("", &MUSCLE.replace("ATTR", attr));
    // range .75 to 1.05 of the optimal length
    let optimal = 0.25 / 0.3;
    let d = forward(&m, &[optimal], &[], &[ctrl], &[act]);
    (m, d)
}

#[test]
fn a_muscle_pulls_with_its_peak_force_at_its_optimal_length() {
    let (_, d) = muscle("force='100'", 0.0, 1.0);
    close(d.actuator_force()[0], -100.0, 1e-9);
    close(d.qfrc_actuator()[0], -100.0, 1e-9);
    // without a force it is scale / acc0
    let (m, d) = muscle("scale='200'", 0.0, 1.0);
    close(d.actuator_force()[0], -200.0 / m.actuator_acc0[0], 1e-9);
}

#[test]
fn a_muscle_activates_faster_than_it_relaxes() {
    let steps = |from: f64, ctrl: f64, to: f64| {
        let (mut m, mut d) = muscle("force='1e-9'", ctrl, from);
        m.edit(|m| m.opt.timestep = 0.001);
        (1..=200)
            .find(|_| {
                d.step(&m).unwrap();
                (d.act()[0] - to) * (ctrl - from) >= 0.0
            })
            .unwrap()
    };
    assert_eq!(steps(0.0, 1.0, 0.9), 31);
    assert_eq!(steps(1.0, 0.0, 0.1), 93);
    assert!(steps(0.0, 1.0, 0.95) <= 100);
}

#[test]
fn a_muscle_has_a_length_and_a_velocity_curve() {
    use ferrodyn::dynamics::force::{muscle_bias, muscle_gain, muscle_gain_length};
    let lengths = [1.0, 0.5, 1.6, 0.3].map(|l| muscle_gain_length(l, 0.5, 1.6));
    assert_eq!(lengths, [1.0, 0.0, 0.0, 0.0]);
    // a range of one to two optimal lengths, so that lengths are those of the curves
    let prm = [1.0, 2.0, 1.0, 200.0, 0.5, 1.6, 1.5, 1.3, 1.2, 0.0];
    let gain = |v: f64| muscle_gain(1.0, v * 1.5, &[1.0, 2.0], 1.0, &prm);
    for (velocity, expected) in [(0.0, -1.0), (-1.0, 0.0), (0.2, -1.2)] {
        close(gain(velocity), expected, 1e-12);
    }
    let bias = |l: f64| muscle_bias(l, &[1.0, 2.0], 1.0, &prm);
    close(bias(0.8), 0.0, 0.0);
    close(bias(1.3), -0.65, 1e-12);
}

#[test]
fn activations_are_part_of_a_runge_kutta_step() {
    let mut m = chain("", "<general joint='j1' dyntype='filter' dynprm='.01' gainprm='0'/>");
    m.edit(|m| {
        m.opt.timestep = 0.001;
        m.opt.integrator = 1;
    });
    let mut d = forward(&m, &[], &[], &[1.0], &[]);
    d.step(&m).unwrap();
    // the series of the exponential up to the fourth power
    let x: f64 = 0.1;
    close(d.act()[0], x - x * x / 2.0 + x.powi(3) / 6.0 - x.powi(4) / 24.0, 1e-12);
}

#[test]
fn a_muscle_activation_is_part_of_a_runge_kutta_step() {
    use ferrodyn::dynamics::force::muscle_dynamics;
    let (mut m, mut d) = muscle("force='1e-9'", 1.0, 0.0);
    m.edit(|m| {
        m.opt.timestep = 0.001;
        m.opt.integrator = 1;
    });
    d.step(&m).unwrap();
    // the same four stages by hand
    let h = 0.001;
    let prm = [0.01, 0.04, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    let rate = |act: f64| muscle_dynamics(1.0, act, &prm);
    let k1 = rate(0.0);
    let k2 = rate(0.5 * h * k1);
    let k3 = rate(0.5 * h * k2);
    let k4 = rate(h * k3);
    close(d.act()[0], h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4), 1e-12);
    assert!(d.act()[0] > 0.1);
}

#[test]
fn actuator_sensors_of_a_tendon_are_scaled_by_the_gear() {
    let m = load_model(
        "<mujoco><worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody>
         <tendon><fixed name='t'><joint joint='j' coef='2'/></fixed></tendon>
         <actuator><motor name='a' tendon='t' gear='3'/></actuator>
         <sensor><tendonpos tendon='t'/><tendonvel tendon='t'/><actuatorpos actuator='a'/>
         <actuatorvel actuator='a'/><actuatorfrc actuator='a'/><tendonactuatorfrc tendon='t'/></sensor></mujoco>",
    )
    .unwrap();
    let d = forward(&m, &[0.1], &[0.2], &[0.5], &[]);
    for (found, expected) in d.sensordata().iter().zip([0.2, 0.4, 0.6, 1.2, 0.5, 0.5]) {
        close(*found, expected, 1e-15);
    }
}

/// A ball on the floor that adhesion pulls down.
fn sticky(gain: f64, shape: &str) -> Model {
    load_model(&format!(
        "<mujoco><worldbody><geom type='plane' size='1 1 1'/>
         <body name='b' pos='0 0 .0999'><freejoint/><geom {shape} size='.1 .1 .1' mass='1'/></body></worldbody>
         <actuator><adhesion body='b' gain='{gain}' ctrlrange='0 1'/></actuator></mujoco>"
    ))
    .unwrap()
}

#[test]
fn adhesion_pulls_a_body_onto_what_it_touches() {
    for shape in ["", "type='box'"] {
        let m = sticky(50.0, shape);
        let mut d = forward(&m, &[], &[], &[1.0], &[]);
        assert_eq!(d.actuator_force()[0], 50.0);
        assert_eq!(d.actuator_length()[0], 0.0);
        // the mean over all contacts of the force along the normal
        close(d.qfrc_actuator()[2], -50.0, 1e-10);
        d.step_n(&m, 500).unwrap();
        let mut free = m.make_data();
        free.step_n(&m, 500).unwrap();
        assert!(d.qpos()[2] < free.qpos()[2], "{shape}");
        // in the air there is nothing to stick to
        let d = forward(&m, &[0.0, 0.0, 1.0], &[], &[1.0], &[]);
        assert_eq!(d.qfrc_actuator(), [0.0; 6]);
    }
}
