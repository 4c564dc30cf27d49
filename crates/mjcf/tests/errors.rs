//! What a bad text gets: every problem, each with its place.

use ferrodyn_mjcf::{Diagnostic, DiagnosticKind, LoadOptions, MjcfError, Spec, compile_text};

fn error(text: &str) -> MjcfError {
    compile_text(text).expect_err(text)
}

/// The only problem of a text.
fn only(text: &str) -> Diagnostic {
    let error = error(text);
    assert_eq!(error.diagnostics.len(), 1, "{error}");
    error.diagnostics.into_iter().next().unwrap()
}

fn world(inner: &str) -> String {
    format!("<mujoco><worldbody>{inner}</worldbody></mujoco>")
}

#[test]
fn an_unknown_attribute_names_its_place_and_a_close_match() {
    let d = only(
        "<mujoco>\n  <worldbody>\n    <geom siez=\".1\" size=\".1\"/>\n  </worldbody>\n</mujoco>",
    );
    assert_eq!(d.kind, DiagnosticKind::UnknownAttribute);
    assert_eq!((d.line, d.column), (3, 11));
    assert_eq!(d.element.as_deref(), Some("geom"));
    assert_eq!(d.attribute.as_deref(), Some("siez"));
    assert_eq!(d.value.as_deref(), Some(".1"));
    assert_eq!(d.suggestion.as_deref(), Some("size"));
    assert_eq!(
        d.to_string(),
        "<text>:3:11: <geom> siez=\".1\": unknown attribute (did you mean 'size'?)"
    );
}

#[test]
fn all_problems_of_a_text_are_reported_in_order() {
    let error = error(
        r#"<mujoco>
             <option timestep="fast"/>
             <worldbody>
               <geom size="1" tpye="box"/>
               <boddy/>
               <body childclass="none"><joint type="hing"/></body>
             </worldbody>
             <sensor><touch/></sensor>
           </mujoco>"#,
    );
    let kinds: Vec<(DiagnosticKind, u32)> =
        error.diagnostics.iter().map(|d| (d.kind, d.line)).collect();
    assert_eq!(
        kinds,
        [
            (DiagnosticKind::InvalidValue, 2),
            (DiagnosticKind::UnknownAttribute, 4),
            (DiagnosticKind::UnknownElement, 5),
            (DiagnosticKind::Reference, 6),
            (DiagnosticKind::InvalidValue, 6),
            (DiagnosticKind::Missing, 8),
        ],
        "{error}"
    );
    assert_eq!(error.to_string().lines().count(), 6);
}

#[test]
fn what_is_not_implemented_is_refused_by_name() {
    assert!(compile_text("<mujoco><deformable/></mujoco>").is_ok());
    let d = only("<mujoco><extension><plugin plugin='own'/></extension></mujoco>");
    assert_eq!(d.kind, DiagnosticKind::Unsupported);
}

#[test]
fn compile_errors_name_the_element_of_the_text() {
    let d = only("<mujoco><worldbody>\n<body name='b'><joint/></body></worldbody></mujoco>");
    assert_eq!((d.kind, d.line, d.column), (DiagnosticKind::Model, 2, 1));
    assert_eq!(d.message, "'b': a body with joints must have mass and inertia");
}

#[test]
fn document_types_and_entities_are_refused() {
    let text = "<!DOCTYPE a [<!ENTITY b 'c'>]><mujoco model='&b;'/>";
    assert_eq!(only(text).message, "document types are refused");
    assert_eq!(only("<mujoco><!ENTITY b 'c'></mujoco>").kind, DiagnosticKind::Syntax);
}

#[test]
fn malformed_xml_is_refused_with_its_place() {
    let d = only("<mujoco>\n<worldbody>\n</mujoco>");
    assert_eq!((d.kind, d.line), (DiagnosticKind::Syntax, 3));
    assert!(compile_text("").is_err());
    assert!(compile_text("<mujoco/><mujoco>").is_err());
}

#[test]
fn non_finite_numbers_are_refused() {
    for number in ["nan", "inf", "-inf", "NaN", "1e999"] {
        let d = only(&world(&format!("<geom size='1' pos='0 0 {number}'/>")));
        assert_eq!(d.kind, DiagnosticKind::InvalidValue, "{number}");
    }
}

#[test]
fn attribute_values_have_their_exact_number_of_numbers() {
    for (attribute, bad) in [
        ("pos", "1 2"),
        ("pos", "1 2 3 4"),
        ("rgba", "1 1 1"),
        ("size", "1 1 1 1"),
        ("condim", "3 3"),
        ("quat", "0 0 0 0"),
        ("friction", "1 1 1 1"),
    ] {
        let text = world(&format!("<geom type='box' {attribute}='{bad}'/>"));
        assert_eq!(error(&text).diagnostics[0].kind, DiagnosticKind::InvalidValue, "{attribute}");
    }
}

#[test]
fn excluding_attributes_cannot_both_be_given() {
    for inner in [
        "<geom size='1' quat='1 0 0 0' euler='0 0 0'/>",
        "<geom size='1' zaxis='1 0 0' axisangle='1 0 0 0'/>",
        "<light type='spot' directional='true'/>",
        "<camera fovy='30' sensorsize='1 1'/>",
        "<body><inertial pos='0 0 0' mass='1' quat='1 0 0 0' fullinertia='1 1 1 0 0 0'/></body>",
    ] {
        assert_eq!(only(&world(inner)).kind, DiagnosticKind::Conflict, "{inner}");
    }
    for inner in [
        "<geom type='capsule' size='1' pos='1 0 0' fromto='0 0 0 1 1 1'/>",
        "<body><inertial pos='0 0 0' mass='1' diaginertia='1 1 1' fullinertia='1 1 1 0 0 0'/></body>",
    ] {
        assert_eq!(only(&world(inner)).kind, DiagnosticKind::Model, "{inner}");
    }
}

#[test]
fn names_are_unique_within_a_type() {
    assert!(compile_text(&world("<geom name='a' size='1'/><site name='a'/>")).is_ok());
    assert!(compile_text(&world("<geom name='' size='1'/><geom name='' size='1'/>")).is_ok());
    for inner in [
        "<geom name='a' size='1'/><body><geom name='a' size='1'/></body>",
        "<body name='world'/>",
        "<frame name='f'/><frame name='f'/>",
    ] {
        assert_eq!(only(&world(inner)).kind, DiagnosticKind::DuplicateName, "{inner}");
    }
}

#[test]
fn default_classes_obey_their_rules() {
    assert!(compile_text("<mujoco><default class='main'/></mujoco>").is_ok());
    for (defaults, kind) in [
        ("<default class='other'/>", DiagnosticKind::InvalidValue),
        ("<default><default/></default>", DiagnosticKind::Missing),
        ("<default><default class='main'/></default>", DiagnosticKind::DuplicateName),
        (
            "<default><default class='a'/><default class='a'/></default>",
            DiagnosticKind::DuplicateName,
        ),
        ("<default><geom/><geom/></default>", DiagnosticKind::Conflict),
        ("<default><geom name='g'/></default>", DiagnosticKind::UnknownAttribute),
        ("<default><camera target='b'/></default>", DiagnosticKind::UnknownAttribute),
        ("<default><motor kp='1'/></default>", DiagnosticKind::UnknownAttribute),
        ("<default><position kv='1' dampratio='1'/></default>", DiagnosticKind::Conflict),
        ("<default><inertial/></default>", DiagnosticKind::UnknownElement),
    ] {
        assert_eq!(only(&format!("<mujoco>{defaults}</mujoco>")).kind, kind, "{defaults}");
    }
}

#[test]
fn every_kind_of_default_is_accepted() {
    let elements = [
        "mesh",
        "material",
        "joint",
        "geom",
        "site",
        "camera",
        "light",
        "pair",
        "equality",
        "tendon",
        "general",
        "motor",
        "position",
        "velocity",
        "intvelocity",
        "damper",
        "cylinder",
        "muscle",
        "adhesion",
        "actuator",
        "sensor",
    ];
    let inner: String = elements.iter().map(|e| format!("<{e}/>")).collect();
    assert!(compile_text(&format!("<mujoco><default>{inner}</default></mujoco>")).is_ok());
}

#[test]
fn ranges_need_a_limit_when_autolimits_is_off() {
    let model = |attributes: &str| {
        format!(
            "<mujoco><compiler autolimits='false'/><worldbody><body><joint {attributes}/>\
             <geom size='1'/></body></worldbody></mujoco>"
        )
    };
    assert_eq!(only(&model("range='-1 1'")).kind, DiagnosticKind::Model);
    assert!(compile_text(&model("range='-1 1' limited='false'")).is_ok());
    assert!(compile_text(&model("range='-1 1' limited='true'")).is_ok());
    assert!(compile_text(&model("range='1 -1' limited='true'")).is_err());
}

#[test]
fn joints_go_together_or_not() {
    let body = |joints: &str| world(&format!("<body>{joints}<geom size='1'/></body>"));
    for bad in [
        "<freejoint/><joint/>",
        "<joint type='ball'/><joint/>",
        "<joint type='ball'/><joint type='ball'/><joint type='slide'/>",
        "<joint axis='0 0 0'/>",
        "<joint type='ball' range='10 20'/>",
        "<joint springdamper='1 -1'/>",
    ] {
        assert!(compile_text(&body(bad)).is_err(), "{bad}");
    }
    assert!(compile_text(&body("<joint type='slide'/><joint type='ball'/>")).is_ok());
    assert!(
        compile_text(&world("<body><body><freejoint/><geom size='1'/></body></body>")).is_err()
    );
    assert!(compile_text(&world("<joint/>")).is_err());
    assert!(compile_text(&world("<body><geom size='1'/><body mocap='true'/></body>")).is_err());
}

#[test]
fn unknown_attributes_within_a_frame_are_warnings() {
    let text = world("<frame foo='1'><geom size='1' bar='2'/></frame>");
    let compiled = Spec::from_xml_str(&text, &LoadOptions::default()).unwrap().compile().unwrap();
    let names: Vec<_> = compiled.warnings.iter().map(|w| w.attribute.as_deref()).collect();
    assert_eq!(names, [Some("foo"), Some("bar")]);
    assert!(compile_text(&world("<frame><foo/></frame>")).is_err());
}

#[test]
fn a_target_that_does_not_exist_is_an_error() {
    let d = only(&world("<body name='torso'/><camera target='torsso'/>"));
    assert_eq!(d.attribute.as_deref(), Some("target"));
    assert_eq!(d.suggestion.as_deref(), Some("torso"));
}

#[test]
fn a_tuple_refers_to_objects_that_exist() {
    let tuple =
        |inner: &str| format!("<mujoco><custom><tuple name='t'>{inner}</tuple></custom></mujoco>");
    assert!(compile_text(&tuple("<element objtype='body' objname='world'/>")).is_ok());
    assert!(compile_text(&tuple("")).is_err());
    assert!(compile_text(&tuple("<element objtype='body' objname='b'/>")).is_err());
    assert!(compile_text(&tuple("<element objtype='bdy' objname='world'/>")).is_err());
    assert!(compile_text(&tuple("<element objname='world'/>")).is_err());
}

#[test]
fn nesting_is_bounded_as_in_the_reference_and_survives_deep_texts() {
    let nested =
        |n: usize| world(&format!("{}<geom size='1'/>{}", "<body>".repeat(n), "</body>".repeat(n)));
    assert!(compile_text(&nested(496)).is_ok());
    assert_eq!(only(&nested(497)).kind, DiagnosticKind::Budget);
    assert_eq!(only(&nested(200_000)).kind, DiagnosticKind::Budget);
}

#[test]
fn sizes_above_the_budget_are_refused_before_memory_is_spent() {
    for text in [
        "<mujoco><size nuserdata='2000000000'/></mujoco>",
        "<mujoco><size nkey='2000000000'/></mujoco>",
        "<mujoco><size nuser_body='2000000000'/></mujoco>",
    ] {
        assert_eq!(only(text).kind, DiagnosticKind::Budget, "{text}");
    }
    let options = LoadOptions::untrusted();
    let many = world(&"<site/>".repeat(options.budget.elements));
    let error = Spec::from_xml_str(&many, &options).unwrap_err();
    assert_eq!(error.diagnostics[0].kind, DiagnosticKind::Budget);
    let long = format!("<mujoco><!--{}--></mujoco>", " ".repeat(options.budget.xml_bytes));
    let error = Spec::from_xml_str(&long, &options).unwrap_err();
    assert_eq!(error.diagnostics[0].kind, DiagnosticKind::Budget);
}

#[test]
fn a_flood_of_problems_is_counted_not_listed() {
    let error = error(&world(&"<geom foo='1'/>".repeat(1000)));
    assert_eq!(error.diagnostics.len() + error.omitted, 1000);
    assert!(error.diagnostics.len() < 1000);
    assert!(error.to_string().ends_with("more"));
}
