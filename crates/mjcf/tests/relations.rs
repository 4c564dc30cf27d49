//! Contact pairs, constraints, tendons, actuators and sensors: what compiles to what, and what is
//! refused with which message.
use ferrodyn_mjcf::{DiagnosticKind, MjcfError, compile_text};
use ferrodyn_model::Model;

const WORLD: &str = r#"<worldbody>
  <body name="b1"><joint name="j" range="-60 30"/><geom name="a" size=".1" condim="6" friction="3"/><site name="s1"/><site name="s2" pos="1 0 0"/></body>
  <body name="b2"><joint name="ball" type="ball"/><geom name="b" size=".1"/><geom name="box" type="box" size=".1 .1 .1"/></body></worldbody>"#;

fn load(rest: &str) -> Result<Model, MjcfError> {
    compile_text(&format!("<mujoco>{WORLD}{rest}</mujoco>"))
}

fn compiled(rest: &str) -> Model {
    load(rest).unwrap_or_else(|e| panic!("{e}"))
}

/// The error of a model that is refused, and for no other reason than this one.
fn refused(rest: &str, reason: &str) -> MjcfError {
    let error = load(rest).err().unwrap_or_else(|| panic!("accepted: {rest}"));
    for problem in &error.diagnostics {
        assert!(problem.to_string().contains(reason), "{rest}: {problem}, expected '{reason}'");
    }
    error
}

#[test]
fn a_pair_does_not_take_its_parameters_from_its_geoms() {
    let m = compiled("<contact><pair geom1='a' geom2='b'/></contact>");
    assert_eq!(m.pair_dim[0], 3);
    assert_eq!(m.pair_friction[0], [1.0, 1.0, 0.005, 0.0001, 0.0001]);
    assert_eq!(m.pair_solref[0], [0.02, 1.0]);
    assert_eq!(m.pair_solimp[0], [0.9, 0.95, 0.001, 0.5, 2.0]);
    // zeros: the reference of the normal direction is used
    assert_eq!(m.pair_solreffriction[0], [0.0, 0.0]);
}

#[test]
fn a_pair_keeps_what_it_states_and_the_tail_of_short_lists() {
    let m = compiled(
        "<contact><pair geom1='a' geom2='b' condim='1' friction='.5' solref='.05 .8' \
         solimp='.85 .9 .002 .4 1.5' margin='.1' gap='.05'/></contact>",
    );
    assert_eq!(m.pair_dim[0], 1);
    assert_eq!(m.pair_friction[0], [0.5, 1.0, 0.005, 0.0001, 0.0001]);
    assert_eq!(m.pair_solref[0], [0.05, 0.8]);
    assert_eq!(m.pair_solimp[0], [0.85, 0.9, 0.002, 0.4, 1.5]);
    assert_eq!((m.pair_margin[0], m.pair_gap[0]), (0.1, 0.05));
}

#[test]
fn a_pair_takes_part_in_default_classes() {
    let m = compiled(
        "<default><default class='c'><pair condim='4'/></default></default>\
         <contact><pair class='c' geom1='a' geom2='b'/></contact>",
    );
    assert_eq!(m.pair_dim[0], 4);
}

#[test]
fn pairs_are_sorted_by_body_and_kept_when_they_repeat() {
    let m = compiled(
        "<contact><pair name='x' geom1='b' geom2='a' condim='1'/><pair geom1='a' geom2='b' condim='4'/></contact>",
    );
    assert_eq!(m.npair, 2);
    assert_eq!(m.pair_dim[..], [1, 4]);
    assert_eq!(
        (m.pair_geom1[0], m.pair_geom2[0]),
        (0, 1),
        "the geom of the first body comes first"
    );
    assert_eq!(m.pair_signature[0], (1 << 16) + 2);
}

#[test]
fn a_body_may_be_excluded_from_itself() {
    let m = compiled("<contact><exclude body1='b1' body2='b1'/></contact>");
    assert_eq!(m.exclude_signature[0], (1 << 16) + 1);
}

#[test]
fn names_that_do_not_exist_are_named() {
    for (rest, attribute) in [
        ("<contact><pair geom1='nonexistent' geom2='b'/></contact>", "geom1"),
        ("<contact><exclude body1='nonexistent' body2='b2'/></contact>", "body1"),
        ("<tendon><fixed><joint joint='nonexistent' coef='1'/></fixed></tendon>", "joint"),
        ("<actuator><motor site='nonexistent'/></actuator>", "site"),
        ("<actuator><motor site='s1' refsite='nonexistent'/></actuator>", "refsite"),
        ("<actuator><adhesion body='nonexistent' ctrlrange='0 1'/></actuator>", "body"),
        ("<sensor><touch site='nonexistent'/></sensor>", "site"),
        ("<equality><weld body1='nonexistent'/></equality>", "body1"),
    ] {
        let error = refused(rest, &format!("{attribute}=\"nonexistent\": no "));
        assert_eq!(error.diagnostics[0].kind, DiagnosticKind::Reference, "{error}");
    }
}

#[test]
fn required_attributes_are_asked_for() {
    for (rest, reason) in [
        ("<contact><pair geom2='b'/></contact>", "<pair>: the attribute 'geom1' is required"),
        ("<contact><pair geom1='a'/></contact>", "<pair>: the attribute 'geom2' is required"),
        (
            "<contact><exclude body2='b2'/></contact>",
            "<exclude>: the attribute 'body1' is required",
        ),
        (
            "<contact><exclude body1='b1'/></contact>",
            "<exclude>: the attribute 'body2' is required",
        ),
        ("<equality><connect body1='b1'/></equality>", "<connect>: expected 'body1' and 'anchor'"),
        ("<equality><joint/></equality>", "<joint>: the attribute 'joint1' is required"),
        (
            "<tendon><spatial><site site='s1'/><pulley/><site site='s2'/></spatial></tendon>",
            "<pulley>: the attribute 'divisor' is required",
        ),
        (
            "<tendon><fixed><joint joint='j'/></fixed></tendon>",
            "<joint>: the attribute 'coef' is required",
        ),
        (
            "<sensor><framepos objtype='body'/></sensor>",
            "<framepos>: the attribute 'objname' is required",
        ),
    ] {
        let error = refused(rest, reason);
        assert_eq!(error.diagnostics[0].kind, DiagnosticKind::Missing, "{error}");
    }
}

#[test]
fn paths_that_make_no_tendon_are_refused() {
    let (s, t) = ("<site site='s1'/>", "<site site='s2'/>");
    let pulley = "<pulley divisor='2'/>";
    let lonely = "the site has no neighbour other than pulleys";
    let between = "a geom must lie between two sites";
    for (path, reason) in [
        (String::new(), "the path is empty"),
        (format!("{s}{s}"), "the site is repeated (part 1 of the path"),
        (format!("{s}{t}{pulley}"), "the path ends with a pulley (part 3 of the path"),
        (format!("{s}{t}{pulley}{pulley}{s}{t}"), "two pulleys follow each other (part 4"),
        (format!("{s}{pulley}{t}{s}"), lonely),
        (format!("<geom geom='a'/>{s}"), between),
        (format!("{s}<geom geom='a'/>"), between),
        (format!("{s}<geom geom='a'/><geom geom='b'/>{t}"), between),
        (format!("{s}<geom geom='a'/>{pulley}{t}{s}"), between),
        (format!("{s}<geom geom='box'/>{t}"), "<geom>: a tendon wraps only around spheres and"),
        (
            format!("{s}{t}<pulley divisor='-1'/>{s}{t}"),
            "the divisor of a pulley cannot be negative",
        ),
    ] {
        refused(&format!("<tendon><spatial>{path}</spatial></tendon>"), reason);
    }
    // one site alone is wrong twice
    let error = load(&format!("<tendon><spatial>{s}</spatial></tendon>")).unwrap_err().to_string();
    assert!(error.contains("a spatial path needs at least two parts") && error.contains(lonely));
    refused("<tendon><fixed>{s}</fixed></tendon>".replace("{s}", s).as_str(), "<site>: unknown");
    refused(
        "<tendon><spatial><joint joint='j' coef='1'/></spatial></tendon>",
        "<joint>: unknown element",
    );
    // a pulley may come first
    compiled(&format!("<tendon><spatial>{pulley}{s}{t}</spatial></tendon>"));
}

#[test]
fn gears_have_at_most_six_numbers() {
    let m = compiled("<actuator><motor site='s1' gear='50'/></actuator>");
    assert_eq!(m.actuator_gear[0], [50.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    refused(
        "<actuator><motor site='s1' gear='1 2 3 4 5 6 7'/></actuator>",
        "gear=\"1 2 3 4 5 6 7\": expected at most 6 numbers",
    );
}

#[test]
fn an_actuator_has_one_target() {
    for (inner, reason) in [
        ("joint='j' site='s1'", "an actuator has only one target"),
        ("", "the actuator has no target"),
        ("joint='j' refsite='s1'", "'refsite' belongs to a site transmission"),
        ("joint='j' cranklength='1'", "'cranklength' and 'slidersite' belong to a slider crank"),
    ] {
        refused(&format!("<actuator><motor {inner}/></actuator>"), reason);
    }
}

#[test]
fn shortcuts_expand_to_gain_bias_and_dynamics() {
    let m = compiled(
        "<actuator><motor joint='j'/><position joint='j' kp='100' kv='10'/>\
         <position joint='j' kp='100' timeconst='.1'/><position joint='j' timeconst='0'/>\
         <velocity joint='j'/><damper joint='j' kv='5' ctrlrange='0 1'/>\
         <cylinder joint='j' area='.01' timeconst='.5' bias='1 0 -100'/><cylinder joint='j' diameter='2'/>\
         <adhesion body='b1' gain='50' ctrlrange='0 1'/><intvelocity joint='j' kp='3' actrange='-1 1'/></actuator>",
    );
    let kinds: Vec<[i32; 3]> = (0..m.nu)
        .map(|i| [m.actuator_dyntype[i], m.actuator_gaintype[i], m.actuator_biastype[i]])
        .collect();
    let expected = [
        [0, 0, 0],
        [0, 0, 1],
        [3, 0, 1],
        [0, 0, 1],
        [0, 0, 1],
        [0, 1, 0],
        [2, 0, 1],
        [2, 0, 1],
        [0, 0, 0],
        [1, 0, 1],
    ];
    assert_eq!(kinds, expected);
    assert_eq!(m.actuator_biasprm[1][..3], [0.0, -100.0, -10.0]);
    assert_eq!(m.actuator_dynprm[2][0], 0.1);
    assert_eq!((m.actuator_gainprm[4][0], m.actuator_biasprm[4][2]), (1.0, -1.0));
    assert_eq!(m.actuator_gainprm[5][..3], [0.0, 0.0, -5.0]);
    assert_eq!(m.actuator_dynprm[6][0], 0.5);
    // MuJoCo reads only the first number of the bias
    assert_eq!(m.actuator_biasprm[6][..3], [1.0, 0.0, 0.0]);
    assert!((m.actuator_gainprm[7][0] - core::f64::consts::PI).abs() < 1e-15);
    assert_eq!(m.actuator_actnum[..], [0, 0, 1, 0, 0, 0, 1, 1, 0, 1]);
    assert_eq!(m.na, 4);
    assert_eq!((m.actuator_ctrllimited[5], m.actuator_ctrllimited[8]), (1, 1));
}

#[test]
fn servos_refuse_what_does_not_go_together() {
    let ascending = "the first number of 'ctrlrange' must be smaller than the second";
    for (inner, reason) in [
        ("position joint='j' kv='1' dampratio='1'", "'kv' and 'dampratio' cannot both be given"),
        ("position joint='j' kv='-1'", "'kv' cannot be negative"),
        ("position joint='j' timeconst='-1'", "'timeconst' cannot be negative"),
        (
            "position joint='j' inheritrange='1' ctrlrange='-1 1'",
            "'ctrlrange' and 'inheritrange' cannot both be given",
        ),
        ("position joint='ball' inheritrange='1'", "'inheritrange' needs a "),
        ("damper joint='j' kv='5'", ascending),
        ("damper joint='j' kv='-5' ctrlrange='0 1'", "'kv' cannot be negative"),
        ("adhesion body='b1' gain='1'", ascending),
        ("adhesion body='b1' gain='1' ctrlrange='-1 1'", "the control range cannot be negative"),
    ] {
        refused(&format!("<actuator><{inner}/></actuator>"), reason);
    }
}

#[test]
fn an_inherited_range_is_scaled_about_its_middle() {
    let m = compiled("<actuator><position joint='j' inheritrange='.5'/></actuator>");
    let (low, high) = (-core::f64::consts::PI / 3.0, core::f64::consts::PI / 6.0);
    let (middle, half) = (0.5 * (low + high), 0.25 * (high - low));
    assert!((m.actuator_ctrlrange[0][0] - (middle - half)).abs() < 1e-15);
    assert!((m.actuator_ctrlrange[0][1] - (middle + half)).abs() < 1e-15);
}

#[test]
fn activation_limits_follow_the_three_words() {
    let m = compiled(
        "<default><general actrange='-2 2' dyntype='integrator' actearly='true'/></default>\
         <actuator><general joint='j'/><general joint='j' actlimited='false'/>\
         <general joint='j' actrange='0 0' actlimited='auto'/></actuator>",
    );
    assert_eq!(m.actuator_actlimited[..], [1, 0, 0]);
    assert_eq!(m.actuator_actrange[0], [-2.0, 2.0]);
    assert_eq!(m.actuator_actearly[..], [1, 1, 1]);
    // a muscle is not limited of itself
    let m = compiled("<actuator><muscle joint='j' lengthrange='0 1'/></actuator>");
    assert_eq!(m.actuator_actlimited[0], 0);
    for (inner, reason) in [
        ("actlimited='true' dyntype='filter'", "the first number of 'actrange' must be smaller"),
        ("actlimited='true' actrange='0 1'", "'actrange' needs a 'dyntype'"),
    ] {
        refused(&format!("<actuator><general joint='j' {inner}/></actuator>"), reason);
    }
    let error = compile_text(
        "<mujoco><compiler autolimits='false'/><worldbody><body><joint name='j'/><geom size='1'/></body></worldbody>\
         <actuator><general joint='j' dyntype='filter' actrange='0 1'/></actuator></mujoco>",
    )
    .unwrap_err();
    assert_eq!(error.diagnostics.len(), 1);
    assert!(error.to_string().contains("'actrange' without 'actlimited'"), "{error}");
}

#[test]
fn muscle_parameters_have_their_defaults() {
    let m = compiled(
        "<actuator><muscle joint='j' lengthrange='0 1' force='500' tausmooth='.2' lmax='1.7'/></actuator>",
    );
    let expected = [0.75, 1.05, 500.0, 200.0, 0.5, 1.7, 1.5, 1.3, 1.2, 0.0];
    assert_eq!(m.actuator_gainprm[0], expected);
    assert_eq!(m.actuator_biasprm[0], expected);
    assert_eq!(m.actuator_dynprm[0][..3], [0.01, 0.04, 0.2]);
}

#[test]
fn defaults_reach_actuators_tendons_and_sensors() {
    let m = compiled(
        "<default><general gear='100'/><tendon stiffness='1000'/><sensor noise='.01'/></default>\
         <tendon><fixed name='t'><joint joint='j' coef='1'/></fixed></tendon>\
         <actuator><motor joint='j'/></actuator><sensor><jointpos joint='j'/></sensor>",
    );
    assert_eq!(m.actuator_gear[0][0], 100.0);
    assert_eq!(m.tendon_stiffness[0], 1000.0);
    assert_eq!(m.sensor_noise[0], 0.01);
}
