//! Default classes reach the compiled model.
use ferrodyn_mjcf::{DefaultResolver, DiagnosticKind, LoadOptions, Spec, compile_text};
use ferrodyn_model::Model;

/// A model with one body that holds `joint` and `geom`, under the given defaults.
fn model(defaults: &str, joint: &str, geom: &str) -> Model {
    compile_text(&text(defaults, joint, geom)).unwrap()
}

fn text(defaults: &str, joint: &str, geom: &str) -> String {
    format!("<mujoco>{defaults}<worldbody><body>{joint}{geom}</body></worldbody></mujoco>")
}

const GEOM: &str = "<geom size='.1'/>";

#[test]
fn the_main_class_reaches_a_joint_that_says_nothing() {
    let m = model("<default><joint damping='0.5'/></default>", "<joint/>", GEOM);
    assert_eq!(m.dof_damping[0], 0.5);
}

#[test]
fn an_explicit_attribute_wins_over_its_class() {
    let defaults = "<default><default class='heavy'><joint damping='0.5'/></default></default>";
    assert_eq!(model(defaults, "<joint class='heavy' damping='1.0'/>", GEOM).dof_damping[0], 1.0);
    // also when it equals the built-in value
    assert_eq!(model(defaults, "<joint class='heavy' damping='0'/>", GEOM).dof_damping[0], 0.0);
}

#[test]
fn a_nested_class_adds_to_its_parents() {
    let m = model(
        "<default><joint damping='0.1'/><default class='robot'><joint damping='0.5'/>\
         <default class='arm'><joint armature='0.01'/></default></default></default>",
        "<joint class='arm'/>",
        GEOM,
    );
    assert_eq!((m.dof_damping[0], m.dof_armature[0]), (0.5, 0.01));
}

#[test]
fn friction_of_the_main_class_reaches_a_geom() {
    let m = model("<default><geom friction='0.8 0.01 0.001'/></default>", "<joint/>", GEOM);
    assert_eq!(m.geom_friction[0].0, [0.8, 0.01, 0.001]);
}

#[test]
fn density_of_the_main_class_decides_the_mass() {
    let sphere = 4.0 / 3.0 * std::f64::consts::PI * 0.1f64.powi(3);
    let m = model("<default><geom density='500'/></default>", "<joint/>", GEOM);
    assert!((m.body_mass[1] - 500.0 * sphere).abs() < 1e-12);
}

#[test]
fn without_defaults_the_built_in_values_hold() {
    let none = model("", "<joint/>", GEOM);
    let empty = model("<default/>", "<joint/>", GEOM);
    assert_eq!(none, empty);
    assert_eq!((none.dof_damping[0], none.geom_friction[0].0), (0.0, [1.0, 0.005, 0.0001]));
}

#[test]
fn classes_that_nobody_uses_change_nothing() {
    let used_by_none =
        "<default><default class='c'><joint damping='9'/><geom density='9'/></default></default>";
    assert_eq!(model(used_by_none, "<joint/>", GEOM), model("", "<joint/>", GEOM));
}

#[test]
fn an_unknown_class_is_an_error_that_names_its_place() {
    let text = text("<default><default class='arm'/></default>", "<joint class='arn'/>", GEOM);
    let error = Spec::from_xml_str(&text, &LoadOptions::default())
        .and_then(|spec| spec.compile())
        .unwrap_err();
    let problem = &error.diagnostics[0];
    assert_eq!(problem.kind, DiagnosticKind::Reference);
    assert!(problem.line > 0 && problem.column > 0);
    assert_eq!(problem.suggestion.as_deref(), Some("arm"));
}

#[test]
fn childclass_reaches_descendants_that_name_no_class() {
    let m = compile_text(
        "<mujoco><default><default class='a'><joint damping='1'/></default>\
         <default class='b'><joint damping='2'/></default></default>\
         <worldbody><body childclass='a'><joint/><geom size='.1'/>\
         <body><joint/><geom size='.1'/></body>\
         <body childclass='b'><joint/><joint class='a' axis='1 0 0'/><geom size='.1'/></body></body>\
         <body><joint/><geom size='.1'/></body></worldbody></mujoco>",
    )
    .unwrap();
    assert_eq!(*m.dof_damping, [1.0, 1.0, 2.0, 1.0, 0.0]);
}

/// The resolver holds what elements start from.
#[test]
fn actuator_tendon_and_sensor_defaults_are_resolved() {
    let spec = Spec::from_xml_str(
        "<mujoco><default><actuator gear='100'/><tendon stiffness='1000'/><sensor noise='0.01'/>\
         <default class='c'><general gear='7'/></default></default><worldbody/></mujoco>",
        &LoadOptions::default(),
    )
    .unwrap();
    let resolver = DefaultResolver::new(&spec);
    let main = resolver.get_defaults("main");
    assert_eq!(main.actuator.gear[0], 100.0);
    assert_eq!(main.tendon.stiffness, Some(1000.0));
    assert_eq!(main.sensor.noise, Some(0.01));
    assert_eq!(resolver.get_defaults("c").actuator.gear[0], 7.0);
}
