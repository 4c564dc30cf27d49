//! Forces of a surrounding fluid, with values worked out by hand.
use std::f64::consts::PI;

use ferrodyn::Model;
use ferrodyn_testing::{close, forward_at, load, run};

fn floating(option: &str, geoms: &str) -> Model {
    load(&format!(
        "<mujoco><option {option}/><worldbody><body><freejoint/>{geoms}</body></worldbody></mujoco>"
    ))
}

fn force(m: &Model, qvel: [f64; 6]) -> Vec<f64> {
    forward_at(m, &[], &qvel).qfrc_fluid().to_vec()
}

/// Equal but for a few last digits.
fn nearly(found: f64, expected: f64) {
    close(found, expected, 1e-12 * expected.abs());
}

fn all_nearly(found: &[f64], expected: [f64; 6]) {
    assert_eq!(found.len(), 6);
    found.iter().zip(expected).for_each(|(f, e)| nearly(*f, e));
}

const BALL: &str = "<geom size='.1' mass='1'/>";
const ROUND: &str = "<geom size='.1' mass='1' fluidshape='ellipsoid'/>";
const MOVING: [f64; 6] = [1.0, 2.0, -0.5, 0.3, -0.2, 0.1];

#[test]
fn there_is_no_force_without_a_fluid() {
    let d = forward_at(&floating("", BALL), &[], &MOVING);
    assert_eq!(d.qfrc_fluid(), [0.0; 6]);
    assert_eq!(d.qfrc_passive(), [0.0; 6]);
}

#[test]
fn a_falling_ball_has_a_terminal_speed() {
    // where drag carries the weight, and what MuJoCo 3.5.0 reaches after a hundred seconds
    for (geom, balance, fallen) in
        [(BALL, 26.100, -26.0998537380266), (ROUND, 22.812, -22.812181000173744)]
    {
        let mut m = floating("density='1.2' viscosity='1.8e-5'", geom);
        m.edit(|m| m.opt.timestep = 0.01);
        let d = run(&m, 10_000);
        assert!((d.qvel()[2] - fallen).abs() < 1e-9, "{}, expected {fallen}", d.qvel()[2]);
        assert!((d.qvel()[2] + balance).abs() < 1e-3);
        nearly(force(&m, [0.0, 0.0, d.qvel()[2], 0.0, 0.0, 0.0])[2], 9.81);
    }
}

#[test]
fn wind_pushes_what_stands_still() {
    let m = floating("density='1.2' wind='5 0 0'", BALL);
    let still = force(&m, [0.0; 6]);
    let moving = force(&floating("density='1.2'", BALL), [-5.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    // half of density, area of the box and square of the speed; also MuJoCo's number
    nearly(still[0], 0.36);
    assert_eq!(still[1..], [0.0; 5]);
    nearly(still[0], moving[0]);
}

#[test]
fn slow_balls_obey_stokes_law_in_the_ellipsoid_model() {
    let m = floating("viscosity='1'", "<geom size='.001' mass='1' fluidshape='ellipsoid'/>");
    nearly(force(&m, [0.01, 0.0, 0.0, 0.0, 0.0, 0.0])[0], -6.0 * PI * 0.001 * 0.01);
    // the box of equal inertia is smaller
    let m = floating("viscosity='1'", "<geom size='.001' mass='1'/>");
    let half_side = 0.001 * 0.6f64.sqrt();
    nearly(force(&m, [0.01, 0.0, 0.0, 0.0, 0.0, 0.0])[0], -6.0 * PI * half_side * 0.01);
}

const LENS: &str =
    "<geom type='ellipsoid' size='.1 .05 .02' mass='1' fluidshape='ellipsoid' ATTR/>";

#[test]
fn the_drag_of_an_ellipsoid_depends_on_its_attitude() {
    let m = floating("density='1.2'", &LENS.replace("ATTR", ""));
    let along = |k: usize| {
        let mut v = [0.0; 6];
        v[k] = 1.0;
        -force(&m, v)[k]
    };
    // MuJoCo 3.5.0
    for (k, expected) in
        [0.005654866776461627, 0.006597344572538565, 0.00942477796076938].into_iter().enumerate()
    {
        nearly(along(k), expected);
    }
}

#[test]
fn an_oblique_ellipsoid_is_lifted_and_a_ball_is_not() {
    let oblique = [1.0, 0.0, -0.5, 0.0, 0.0, 0.0];
    let side = |geom: &str| {
        let f = force(&floating("density='1.2'", geom), oblique);
        // across the velocity
        (f[0] * 0.5 + f[2]) / 1.25f64.sqrt()
    };
    let lift = |coefficients: &str| side(&LENS.replace("ATTR", coefficients));
    // without the coefficient of lift the drag is along the velocity
    assert!(lift("fluidcoef='.5 .25 1.5 0 1'").abs() < 1e-15);
    assert!(lift("") > 9e-3);
    assert!(side(ROUND).abs() < 1e-15);
    // MuJoCo 3.5.0
    let found = force(&floating("density='1.2'", &LENS.replace("ATTR", "")), oblique);
    all_nearly(&found, OBLIQUE);
}

const OBLIQUE: [f64; 6] =
    [-0.005831910086625386, 0.0, 0.013776235671789394, 0.0, -0.0004581149052886863, 0.0];

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
    let m = floating("density='1.2'", ROUND);
    let f = force(&m, [2.0, 0.0, 0.0, 0.0, 0.0, 3.0]);
    // the added mass works against the Magnus force
    nearly(f[1], 1.2 * (VOLUME - added_volume(&m)) * 3.0 * 2.0);
}

#[test]
fn coefficients_scale_their_terms() {
    let ball = |coefficients: &str| {
        let geom = ROUND.replace("/>", &format!(" fluidcoef='{coefficients}'/>"));
        let m = floating("density='1.2'", &geom);
        (force(&m, [2.0, 0.0, 0.0, 0.0, 0.0, 3.0]), added_volume(&m))
    };
    let ((once, _), (twice, added)) = (ball(".5 .25 1.5 0 0"), ball("1 .5 2 0 0"));
    nearly(twice[0], 2.0 * once[0]);
    // without a Magnus force only the added mass is left
    nearly(twice[1], -1.2 * added * 3.0 * 2.0);
    let lens = floating("density='1.2'", &LENS.replace("ATTR", "fluidcoef='1 .5 2 0 0'"));
    // MuJoCo 3.5.0
    let expected = [
        -0.07297924648356861,
        -0.037247709618558264,
        0.01836408162610213,
        0.00039329390158406453,
        -0.0009229717992898355,
        -0.00032260380607945923,
    ];
    all_nearly(&force(&lens, [2.0, 1.0, -0.5, 0.3, 0.2, 3.0]), expected);
}

#[test]
fn several_geoms_make_one_box_and_one_ellipsoid_switches_it_off() {
    let plain = "<geom size='.1' mass='1' pos='0 0 .5'/>";
    let fluid = "density='1.2' viscosity='.1'";
    let v = [2.0, 0.5, -0.3, 0.4, 0.1, 0.2];
    // MuJoCo 3.5.0: the box that has the inertia of both
    let both = force(&floating(fluid, &format!("{BALL}{plain}")), v);
    let expected = [
        -1.0921319100959175,
        -0.16257517790225612,
        0.1134142298051492,
        0.03252969704388661,
        -0.27500924693218454,
        -0.00391846230687851,
    ];
    all_nearly(&both, expected);
    // only the ellipsoid, as if the other geom were not there
    let mixed = force(&floating(fluid, &format!("{ROUND}{plain}")), v);
    let expected = [
        -0.4558551472846066,
        -0.11257520205035357,
        0.06832926321842753,
        -0.0010108379382256466,
        -0.00025270948455641165,
        -0.0005054189691128233,
    ];
    all_nearly(&mixed, expected);
    let alone = force(&floating(fluid, ROUND), v);
    mixed.iter().zip(&alone).for_each(|(m, a)| nearly(*m, *a));
}
