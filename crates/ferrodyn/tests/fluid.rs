//! Forces of a surrounding fluid, with values worked out by hand.
use std::f64::consts::PI;

use ferrodyn::{Data, Model, load_model};

fn model(option: &str, geoms: &str) -> Model {
    load_model(&format!(
        "<mujoco><option {option}/><worldbody><body><freejoint/>{geoms}</body></worldbody></mujoco>"
    ))
    .unwrap_or_else(|e| panic!("{e}"))
}

fn forward(m: &Model, qvel: [f64; 6]) -> Data {
    let mut d = m.make_data();
    d.qvel_mut().copy_from_slice(&qvel);
    d.forward(m).unwrap();
    d
}

fn force(m: &Model, qvel: [f64; 6]) -> Vec<f64> {
    forward(m, qvel).qfrc_fluid().to_vec()
}

fn close(found: f64, expected: f64) {
    assert!(
        (found - expected).abs() <= 1e-9 * (1.0 + expected.abs()),
        "{found}, expected {expected}"
    );
}

const BALL: &str = "<geom size='.1' mass='1'/>";
const ROUND: &str = "<geom size='.1' mass='1' fluidshape='ellipsoid'/>";
const MOVING: [f64; 6] = [1.0, 2.0, -0.5, 0.3, -0.2, 0.1];

#[test]
fn there_is_no_force_without_a_fluid() {
    let d = forward(&model("", BALL), MOVING);
    assert_eq!(d.qfrc_fluid(), [0.0; 6]);
    assert_eq!(d.qfrc_passive(), [0.0; 6]);
}

/// Speed at which the drag of a falling ball carries its weight.
fn terminal_speed(geom: &str) -> f64 {
    let m = model("density='1.2' viscosity='1.8e-5'", geom);
    let drag = |v: f64| force(&m, [0.0, 0.0, -v, 0.0, 0.0, 0.0])[2];
    let (mut low, mut high) = (0.0, 100.0);
    while high - low > 1e-9 {
        let middle = 0.5 * (low + high);
        if drag(middle) < 9.81 { low = middle } else { high = middle }
    }
    low
}

#[test]
fn a_falling_ball_has_a_terminal_speed() {
    for (geom, expected) in [(BALL, 26.100), (ROUND, 22.812)] {
        let speed = terminal_speed(geom);
        assert!((speed - expected).abs() < 1e-3, "{speed}, expected {expected}");
    }
}

#[test]
fn wind_pushes_what_stands_still() {
    let m = model("density='1.2' wind='5 0 0'", BALL);
    let still = force(&m, [0.0; 6]);
    let moving = force(&model("density='1.2'", BALL), [-5.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    assert!(still[0] > 0.0);
    assert_eq!(still[1..], [0.0; 5]);
    close(still[0], moving[0]);
}

#[test]
fn slow_balls_obey_stokes_law_in_the_ellipsoid_model() {
    let m = model("viscosity='1'", "<geom size='.001' mass='1' fluidshape='ellipsoid'/>");
    close(force(&m, [0.01, 0.0, 0.0, 0.0, 0.0, 0.0])[0], -6.0 * PI * 0.001 * 0.01);
    // the box of equal inertia is smaller
    let m = model("viscosity='1'", "<geom size='.001' mass='1'/>");
    let half_side = 0.001 * 0.6f64.sqrt();
    close(force(&m, [0.01, 0.0, 0.0, 0.0, 0.0, 0.0])[0], -6.0 * PI * half_side * 0.01);
}

const LENS: &str =
    "<geom type='ellipsoid' size='.1 .05 .02' mass='1' fluidshape='ellipsoid' ATTR/>";

#[test]
fn the_drag_of_an_ellipsoid_depends_on_its_attitude() {
    let m = model("density='1.2'", &LENS.replace("ATTR", ""));
    let along = |k: usize| {
        let mut v = [0.0; 6];
        v[k] = 1.0;
        -force(&m, v)[k]
    };
    assert!(along(0) < along(1) && along(1) < along(2));
}

#[test]
fn an_oblique_ellipsoid_is_lifted_and_a_ball_is_not() {
    let oblique = [1.0, 0.0, -0.5, 0.0, 0.0, 0.0];
    let side = |geom: &str| {
        let f = force(&model("density='1.2'", geom), oblique);
        // across the velocity
        (f[0] * 0.5 + f[2]) / 1.25f64.sqrt()
    };
    let lift = |coefficients: &str| side(&LENS.replace("ATTR", coefficients));
    let none = lift("fluidcoef='.5 .25 1.5 0 1'");
    assert!((lift("") - none).abs() > 1e-4);
    assert!(side(ROUND).abs() < 1e-12);
}

/// Volume of the ball.
const VOLUME: f64 = 4.0 / 3.0 * PI * 0.001;

/// The volume of fluid that moves with the ball: half of its own, as the compiler integrates it.
fn added_volume(m: &Model) -> f64 {
    let added = m.geom_fluid[0][6];
    assert!((added / VOLUME - 0.5).abs() < 1e-5);
    added
}

#[test]
fn a_spinning_ball_is_pushed_aside() {
    let m = model("density='1.2'", ROUND);
    let f = force(&m, [2.0, 0.0, 0.0, 0.0, 0.0, 3.0]);
    // the added mass works against the Magnus force
    close(f[1], 1.2 * (VOLUME - added_volume(&m)) * 3.0 * 2.0);
}

#[test]
fn coefficients_scale_their_terms() {
    let ball = |coefficients: &str| {
        let geom = ROUND.replace("/>", &format!(" fluidcoef='{coefficients}'/>"));
        let m = model("density='1.2'", &geom);
        (force(&m, [2.0, 0.0, 0.0, 0.0, 0.0, 3.0]), added_volume(&m))
    };
    let ((once, _), (twice, added)) = (ball(".5 .25 1.5 0 0"), ball("1 .5 2 0 0"));
    close(twice[0], 2.0 * once[0]);
    // without a Magnus force only the added mass is left
    close(twice[1], -1.2 * added * 3.0 * 2.0);
}

#[test]
fn one_ellipsoid_switches_the_box_of_its_body_off() {
    let plain = "<geom size='.1' mass='1' pos='0 0 .5'/>";
    let mixed = model("density='1.2'", &format!("{ROUND}{plain}"));
    let alone = model("density='1.2'", ROUND);
    let v = [2.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    close(force(&mixed, v)[0], force(&alone, v)[0]);
    assert!(force(&model("density='1.2'", &format!("{BALL}{plain}")), v)[0] < 0.0);
}
