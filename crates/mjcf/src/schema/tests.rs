//! The compiler uses the defaults and the arrays of the rows.

use ferrodyn_model::{Model, ObjType};

use super::*;
use crate::{LoadOptions, Spec};

/// A model whose elements say no more than they must; the first of each type says nothing that has an array.
const SILENT: &str = r#"<mujoco>
  <size nuser_body="1" nuser_jnt="1" nuser_geom="1" nuser_site="1" nuser_cam="1" nuser_tendon="1"
    nuser_actuator="1" nuser_sensor="1"/>
  <asset>
    <texture name="paint" type="2d" builtin="checker" width="4" height="4"/><material name="m"/>
    <mesh name="tet" vertex="0 0 0  1 0 0  0 1 0  0 0 1"/>
    <skin vertex="0 0 0 1 0 0 0 1 0" face="0 1 2">
      <bone body="a" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/></skin>
    <hfield name="hills" nrow="2" ncol="2" size="1 1 1 1" elevation="0 1 2 3"/>
  </asset>
  <worldbody>
    <light/><camera/><camera sensorsize="1 1" focal="1 1"/><frame pos="0 0 1"><site/></frame>
    <geom name="ground" type="hfield" hfield="hills"/>
    <body name="a"><joint name="j"/><geom name="g" size="1"/></body>
    <body name="b" pos="0 0 3"><joint type="ball"/>
      <geom name="h" type="ellipsoid" size="1 2 3" fluidshape="ellipsoid"/></body>
    <body name="c"><freejoint/><geom type="mesh" mesh="tet"/><geom type="box" mesh="tet"/></body>
    <body name="d"><joint range="-1 1"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body>
  </worldbody>
  <contact><pair geom1="g" geom2="h"/><exclude body1="a" body2="c"/></contact>
  <equality><connect body1="a" body2="b" anchor="0 0 0"/><weld body1="a" body2="c"/><joint joint1="j"/></equality>
  <tendon><fixed name="f"><joint joint="j" coef="2"/></fixed></tendon>
  <actuator><general joint="j"/></actuator>
  <sensor><jointpos joint="j"/><contact geom1="g"/></sensor>
  <custom><numeric name="n" data="1 2"/><text name="t" data="x"/>
    <tuple name="u"><element objtype="body" objname="a"/></tuple></custom>
  <keyframe><key/></keyframe>
</mujoco>"#;

fn silent() -> Spec {
    Spec::from_xml_str(SILENT, &LoadOptions::default()).unwrap()
}

/// The arrays in which two models differ.
fn differences(a: &Model, b: &Model) -> Vec<&'static str> {
    let arrays = a.arrays().into_iter().zip(b.arrays());
    arrays.filter(|(a, b)| a.bytes != b.bytes).map(|(a, _)| a.info.name).collect()
}

#[test]
fn the_compiler_fills_arrays_with_the_defaults_of_their_rows() {
    fn check<A: Attributes>(compiled: &Model, at: At) {
        let mut filled = compiled.clone();
        A::defaults().fill(&mut filled, at);
        assert_eq!(differences(compiled, &filled), [""; 0], "{at:?}");
    }
    let m = silent().compile().unwrap().model;
    let first = At::Object(0);
    check::<BodyAttrs>(&m, At::Object(1));
    check::<JointAttrs>(&m, first);
    check::<JointAttrs>(&m, At::Dof(0));
    check::<GeomAttrs>(&m, At::Object(1));
    check::<SiteAttrs>(&m, first);
    check::<CameraAttrs>(&m, first);
    check::<LightAttrs>(&m, first);
    check::<MaterialAttrs>(&m, first);
    check::<SkinAttrs>(&m, first);
    check::<PairAttrs>(&m, first);
    check::<EqualityAttrs>(&m, first);
    check::<TendonAttrs>(&m, first);
    check::<ActuatorAttrs>(&m, first);
    check::<SensorAttrs>(&m, first);
    check::<ElementAttrs>(&m, first);
    check::<KeyAttrs>(&m, first);
}

#[test]
fn an_attribute_that_states_its_default_changes_nothing() {
    let spec = silent();
    let before = spec.compile().unwrap().model;
    let same = |changed: &Spec, what: &str| {
        let after = changed.compile().unwrap_or_else(|e| panic!("{what}: {e}")).model;
        assert_eq!(differences(&before, &after), [""; 0], "{what}");
    };
    let check = |kind: ObjType, fields: &[&str], default: &dyn Fn(&str) -> Option<Value>| {
        let mut stated = 0;
        for (field, uid) in
            fields.iter().flat_map(|f| spec.numbers(kind).into_iter().map(move |n| (*f, n)))
        {
            // an element that says something else says it itself
            let Some(value) = default(field) else { continue };
            if spec.attribute(kind, uid, field).ok().as_ref() == Some(&value) {
                let mut changed = spec.clone();
                changed.set_attribute(kind, uid, field, Some(value)).unwrap();
                same(&changed, &format!("{kind:?} {uid} {field}"));
                stated += 1;
            }
        }
        assert!(stated > 0, "{kind:?}");
    };
    macro_rules! check {
        ($($kind:ident $attrs:ident;)*) => {$(
            check(ObjType::$kind, $attrs::FIELDS, &|f| $attrs::defaults().field(f).flatten());
        )*};
    }
    check! {
        Body BodyAttrs; Joint JointAttrs; Geom GeomAttrs; Site SiteAttrs; Camera CameraAttrs; Light LightAttrs;
        Mesh MeshAttrs; Skin SkinAttrs; Hfield HfieldAttrs; Texture TextureAttrs; Material MaterialAttrs; Pair PairAttrs;
        Equality EqualityAttrs; Tendon TendonAttrs; Actuator ActuatorAttrs; Sensor SensorAttrs; Key KeyAttrs;
    }
}

#[test]
fn a_setting_that_states_its_default_changes_nothing() {
    // the length range of a muscle is found by a simulation with settings of its own
    let slide = r#"<body><joint name="s" type="slide" range="-1 1"/><geom size="1"/></body>"#;
    let text = SILENT
        .replace("</worldbody>", &format!("{slide}</worldbody>"))
        .replace("</actuator>", r#"<muscle joint="s"/></actuator>"#);
    let spec = Spec::from_xml_str(&text, &LoadOptions::default()).unwrap();
    let before = spec.compile().unwrap().model;
    let groups = [("compiler", CompilerAttrs::FIELDS), ("lengthrange", LengthRangeAttrs::FIELDS)];
    for (group, field) in groups.into_iter().flat_map(|(g, f)| f.iter().map(move |f| (g, f))) {
        let mut changed = spec.clone();
        changed.set_setting(group, field, spec.setting(group, field).unwrap()).unwrap();
        assert_eq!(
            differences(&before, &changed.compile().unwrap().model),
            [""; 0],
            "{group} {field}"
        );
    }
}

#[allow(
    dead_code,
    unreachable_pub,
    reason = "the macro makes public methods, which only some tests use"
)]
mod marked {
    use crate::schema::attributes;

    attributes! {
        /// Attributes with every mark, in several orders.
        MarkedAttrs {
            some own cable "a" => a: f64 = 1.0, "A number.";
            cable some "b" => b: f64 = 1.0, "A number.";
            own "c" => c: f64 = 1.0, "A number.";
            "d" => d: f64, "A number.";
        }
    }
}

#[test]
fn marks_act_in_any_order() {
    use marked::MarkedAttrs;
    let marks: Vec<_> = MarkedAttrs::ROWS.iter().map(|row| (row.own, row.cable)).collect();
    assert_eq!(marks, [(true, true), (false, true), (true, false), (false, false)]);
    // the default of some kinds is none of the element
    assert_eq!(MarkedAttrs::defaults(), MarkedAttrs::default().c(1.0));
}
