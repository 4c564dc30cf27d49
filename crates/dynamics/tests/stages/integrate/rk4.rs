//! Runge-Kutta: its order, what it keeps, and what belongs to its first and last stage.
use ferrodyn::{Integrator, Model};
use ferrodyn_testing::{close, forward, forward_driven, load};

use crate::support::{muscle, two_links};

use super::{energy, largest, with};

fn pendulum() -> Model {
    load(
        "<mujoco><option><flag energy='enable'/></option><worldbody><body><joint axis='0 1 0'/>\
         <geom type='capsule' size='.02' fromto='0 0 0 .5 0 0'/></body></worldbody></mujoco>",
    )
}

#[test]
fn runge_kutta_is_of_fourth_order_and_euler_of_first() {
    let end = |integrator: Integrator, h: f64| {
        let model = with(&pendulum(), integrator, h);
        let mut data = model.make_data();
        data.step_n(&model, (1.0 / h).round() as usize).unwrap();
        data.qpos()[0]
    };
    let exact = end(Integrator::Rk4, 1e-4);
    let ratio = |integrator| (end(integrator, 0.01) - exact) / (end(integrator, 0.005) - exact);
    assert!((ratio(Integrator::Rk4) - 16.0).abs() < 2.0, "{}", ratio(Integrator::Rk4));
    assert!((ratio(Integrator::Euler) - 2.0).abs() < 0.5, "{}", ratio(Integrator::Euler));
}

#[test]
fn runge_kutta_and_euler_differ_but_not_over_tiny_steps() {
    let end = |integrator: Integrator, h: f64| {
        let model = with(&pendulum(), integrator, h);
        let mut data = model.make_data();
        data.qpos_mut()[0] = 1.2;
        data.qvel_mut()[0] = 1.0;
        data.step_n(&model, 10).unwrap();
        data.qpos()[0]
    };
    let difference = |h| (end(Integrator::Rk4, h) - end(Integrator::Euler, h)).abs();
    assert!(difference(0.01) > 1e-3, "{}", difference(0.01));
    // half of n h² times the acceleration, here 11 rad/s²
    assert!((2e-9..1e-8).contains(&difference(1e-5)), "{}", difference(1e-5));
}

#[test]
fn runge_kutta_keeps_the_energy_of_a_pendulum() {
    let drift = |h: f64| {
        let model = with(&pendulum(), Integrator::Rk4, h);
        let mut data = model.make_data();
        data.qpos_mut()[0] = 0.3;
        data.qvel_mut()[0] = 2.0;
        let before = energy(&model, &mut data);
        data.step_n(&model, (1.0 / h).round() as usize).unwrap();
        (energy(&model, &mut data) - before).abs() / before.abs()
    };
    assert!(drift(0.001) < 1e-10, "{}", drift(0.001));
    // the fifth to sixth power of the step
    let ratio = drift(0.002) / drift(0.001);
    assert!((32.0..64.0).contains(&ratio), "{ratio}");
}

#[test]
fn a_dropped_ball_lands_and_stays() {
    let model = load(
        "<mujoco><option integrator='RK4'/><worldbody><geom type='plane' size='1 1 .1'/><body pos='0 0 .5'>\
         <freejoint/><geom size='.1'/></body></worldbody></mujoco>",
    );
    let mut data = model.make_data();
    // how far the ball sinks in is MuJoCo's number
    let (mut lowest, mut touched) = (f64::MAX, false);
    for _ in 0..1000 {
        assert!(data.step(&model).unwrap().divergence.is_none());
        lowest = lowest.min(data.qpos()[2]);
        touched |= !data.contacts().is_empty();
    }
    assert!(
        touched
            && (lowest - 0.07913389377222019).abs() < 1e-9
            && (data.qpos()[2] - 0.1).abs() < 0.01
    );
    assert!(largest(data.qvel()) < 1e-2);
}

#[test]
fn runge_kutta_warm_starts_from_its_last_stage() {
    let model = with(&pendulum(), Integrator::Rk4, 0.05);
    let mut data = forward(&model);
    let first = data.qacc()[0];
    data.step(&model).unwrap();
    assert_eq!(data.qacc_warmstart(), data.qacc());
    assert!((data.qacc()[0] - first).abs() > 1e-3);
}

#[test]
fn sensors_of_a_runge_kutta_step_are_those_of_its_beginning() {
    let model = load(
        "<mujoco><option integrator='RK4' timestep='.05'/><worldbody><body><joint name='j' axis='0 1 0'/>\
         <geom type='capsule' size='.02' fromto='0 0 0 .5 0 0'/></body></worldbody>\
         <sensor><jointpos joint='j'/><jointvel joint='j'/></sensor></mujoco>",
    );
    let mut data = model.make_data();
    data.qpos_mut()[0] = 0.3;
    data.qvel_mut()[0] = 2.0;
    data.step(&model).unwrap();
    assert_eq!(data.sensordata(), [0.3, 2.0]);
    assert!((data.qpos()[0] - 0.3).abs() > 0.01);
}

#[test]
fn the_energy_drift_of_a_chain_equals_the_oracles() {
    let mut xml = String::from(
        "<mujoco><option integrator='RK4' timestep='.002'><flag energy='enable' contact='disable'/></option><worldbody>",
    );
    for _ in 0..7 {
        xml += "<body pos='0 0 -.2'><joint axis='0 1 0'/>\
                <geom type='capsule' size='.02' fromto='0 0 0 0 0 -.2' mass='.5'/>";
    }
    xml += &"</body>".repeat(7);
    let model = load(&(xml + "</worldbody></mujoco>"));
    let mut data = model.make_data();
    data.qpos_mut().copy_from_slice(&[0.1, -0.05, 0.05, 0.1, -0.1, 0.05, 0.02]);
    let before = energy(&model, &mut data);
    assert!((before - CHAIN_ENERGY).abs() < 1e-12, "{before}");
    data.step_n(&model, 10_000).unwrap();
    let drift = energy(&model, &mut data) - before;
    // the drift itself is known to the last digits of the energy
    assert!((drift - CHAIN_DRIFT).abs() < 1e-12, "{drift} {CHAIN_DRIFT}");
    for (found, expected) in data.qpos().iter().zip(CHAIN_QPOS) {
        assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    }
}

// MuJoCo 3.5.0 at the beginning and after 10,000 steps
const CHAIN_ENERGY: f64 = -30.736559257190514;
const CHAIN_DRIFT: f64 = -1.2416428063488638e-07;
const CHAIN_QPOS: [f64; 7] = [
    0.05250614145396034,
    0.03592413117793863,
    0.009829707479692782,
    -0.05773078371223518,
    0.07024353745859936,
    -0.00022157461134633552,
    0.03001877368638334,
];

#[test]
fn activations_are_part_of_a_runge_kutta_step() {
    let mut m = two_links("", "<general joint='j1' dyntype='filter' dynprm='.01' gainprm='0'/>");
    m.edit(|m| {
        m.opt.timestep = 0.001;
        m.opt.integrator = 1;
    });
    let mut d = forward_driven(&m, &[], &[], &[1.0], &[]);
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
