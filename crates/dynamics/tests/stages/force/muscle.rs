//! Muscles: peak force, activation, the curves of length and velocity.
use ferrodyn_testing::close;

use crate::support::muscle;

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
