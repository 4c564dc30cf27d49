//! Specifications that are made and changed in place.

use ferrodyn_mjcf::{
    ActuatorAttrs, ActuatorKind, ActuatorSpec, BodyAttrs, BodySpec, EditError, Element, FrameAttrs,
    FreeJointAttrs, GeomAttrs, JointAttrs, KeyAttrs, LoadOptions, Object, SensorAttrs, SensorSpec,
    SiteAttrs, Spec, TendonAttrs, TextureAttrs, Value, WORLD, Wrap,
};
use ferrodyn_model::{GeomType, Model, ObjType, SensorType, TextureType};

fn ball() -> GeomAttrs {
    GeomAttrs::default().size([0.1])
}

fn read(xml: &str) -> Spec {
    Spec::from_xml_str(xml, &LoadOptions::default()).unwrap()
}

fn assert_same(ours: &Model, xml: &str) {
    let theirs = read(xml).compile().unwrap().model;
    assert_eq!(ours.to_bytes(), theirs.to_bytes());
}

#[test]
fn a_specification_can_be_sent_and_cloned() {
    fn check<T: Send + Sync + Clone>() {}
    check::<Spec>();
}

#[test]
fn an_empty_specification_is_the_world() {
    assert_same(&Spec::new().compile().unwrap().model, "<mujoco/>");
}

#[test]
fn bodies_may_be_added_in_any_order() {
    let mut spec = Spec::new();
    let a = spec.add_body(WORLD, "a", BodyAttrs::default().pos([1.0, 0.0, 0.0])).unwrap();
    let b = spec.add_body(WORLD, "b", BodyAttrs::default()).unwrap();
    let c = spec.add_body(a, "c", BodyAttrs::default().pos([0.0, 1.0, 0.0])).unwrap();
    for (body, name) in [(b, "gb"), (c, "gc"), (a, "ga")] {
        spec.add_geom(body, name, ball()).unwrap();
    }
    spec.add_freejoint(b, "free", FreeJointAttrs::default()).unwrap();
    assert_same(
        &spec.compile().unwrap().model,
        r#"<mujoco><worldbody>
             <body name="a" pos="1 0 0"><geom name="ga" size=".1"/>
               <body name="c" pos="0 1 0"><geom name="gc" size=".1"/></body></body>
             <body name="b"><freejoint name="free"/><geom name="gb" size=".1"/></body>
           </worldbody></mujoco>"#,
    );
}

#[test]
fn frames_place_what_lies_in_them() {
    let mut spec = Spec::new();
    let body = spec.add_body(WORLD, "b", BodyAttrs::default()).unwrap();
    let outer = spec.add_frame(body, "outer", FrameAttrs::default().pos([1.0, 0.0, 0.0])).unwrap();
    let inner = spec.add_frame(outer, "inner", FrameAttrs::default().pos([0.0, 2.0, 0.0])).unwrap();
    spec.add_geom(inner, "g", ball()).unwrap();
    let model = spec.compile().unwrap().model;
    assert_eq!(model.geom_pos[0].0, [1.0, 2.0, 0.0]);
    // a frame that is put into a later one
    let late = spec.add_frame(body, "late", FrameAttrs::default().pos([0.0, 0.0, 3.0])).unwrap();
    spec.set_frame(ObjType::Frame, outer.number(), late).unwrap();
    let model = spec.compile().unwrap().model;
    assert_eq!(model.geom_pos[0].0, [1.0, 2.0, 3.0]);
    let circle = spec.set_frame(ObjType::Frame, late.number(), inner);
    assert!(matches!(circle, Err(EditError::Refused(_))));
    spec.remove_frame(inner).unwrap();
    assert_eq!(spec.compile().unwrap().model.geom_pos[0].0, [1.0, 0.0, 3.0]);
}

#[test]
fn handles_survive_changes_and_find_nothing_after_removal() {
    let mut spec = Spec::new();
    let first = spec.add_geom(WORLD, "first", ball()).unwrap();
    let second = spec.add_geom(WORLD, "second", ball()).unwrap();
    spec.remove(first).unwrap();
    assert_eq!(spec.get(second).unwrap().name, "second");
    assert_eq!(spec.get(first).unwrap_err(), EditError::Gone);
    assert_eq!(spec.remove(first).unwrap_err(), EditError::Gone);
    let third = spec.add_geom(WORLD, "third", ball()).unwrap();
    assert_ne!(third, first);
    assert_eq!(spec.find::<Element<GeomAttrs>>("second"), Some(second));
    assert_eq!(spec.rename(third, "second"), Err(EditError::NameTaken("second".into())));
    spec.rename(third, "other").unwrap();
    assert_eq!(spec.ids::<Element<GeomAttrs>>().collect::<Vec<_>>(), [second, third]);
    let elsewhere = spec.clone();
    assert_eq!(elsewhere.get(third).unwrap().name, "other");
}

const ARM: &str = r#"<mujoco>
  <worldbody>
    <body name="upper"><joint name="shoulder"/><geom size=".1"/><site name="s1"/>
      <body name="lower" pos="1 0 0"><joint name="elbow"/><geom size=".1"/><site name="s2"/></body>
    </body>
    <body name="other" pos="0 5 0"><joint name="free" type="slide"/><geom size=".1"/></body>
  </worldbody>
  <tendon><spatial name="t"><site site="s1"/><site site="s2"/></spatial></tendon>
  <actuator><motor name="m1" joint="shoulder"/><motor name="m2" joint="elbow"/></actuator>
  <sensor><tendonpos name="st" tendon="t"/><jointpos name="sj" joint="shoulder"/></sensor>
  <keyframe><key name="k" qpos="1 2 3" ctrl="4 5"/></keyframe>
</mujoco>"#;

#[test]
fn what_refers_to_a_removed_body_goes_with_it() {
    let mut spec = read(ARM);
    let lower = spec.find::<BodySpec>("lower").unwrap();
    spec.remove_body(lower).unwrap();
    let model = spec.compile().unwrap().model;
    assert_eq!((model.nbody, model.njnt, model.ntendon), (3, 2, 0));
    assert_eq!((model.nu, model.nsensor, model.nkey), (1, 1, 1));
    assert_eq!(model.name(ObjType::Sensor, 0), Some("sj"));
    // keyframes keep the rest
    assert_eq!(&model.key_qpos[..2], [1.0, 3.0]);
    assert_eq!(model.key_ctrl[0], 4.0);
    assert_eq!(spec.remove_body(WORLD), Err(EditError::World("cannot be removed")));
}

#[test]
fn a_body_of_a_model_can_be_attached_twice() {
    let arm = read(ARM);
    let upper = arm.find::<BodySpec>("upper").unwrap();
    let mut spec = Spec::new();
    let mount = spec.add_site(WORLD, "mount", SiteAttrs::default().pos([0.0, 0.0, 2.0])).unwrap();
    let left = spec.attach_body(WORLD, &arm, upper, "left_", "").unwrap();
    let frame = spec.frame_at_site(mount).unwrap();
    let right = spec.attach_body(frame, &arm, upper, "right_", "").unwrap();
    assert_eq!(spec.get(left).unwrap().name, "left_upper");
    let model = spec.compile().unwrap().model;
    assert_eq!((model.nbody, model.nu, model.ntendon), (5, 4, 2));
    let id = model.id(ObjType::Body, "right_upper").unwrap();
    assert_eq!(model.body_pos[id].0, [0.0, 0.0, 2.0]);
    spec.remove_body(right).unwrap();
    assert_eq!(spec.compile().unwrap().model.nu, 2);
    assert!(spec.attach_body(WORLD, &arm, WORLD, "", "").is_err());
}

#[test]
fn tendons_actuators_sensors_and_keyframes() {
    let mut spec = Spec::new();
    let body = spec.add_body(WORLD, "b", BodyAttrs::default()).unwrap();
    spec.add_joint(body, "j", JointAttrs::default().range([-1.0, 1.0])).unwrap();
    spec.add_geom(body, "g", ball().kind(GeomType::Box).size([0.1, 0.2, 0.3])).unwrap();
    let path = [Wrap::Joint { joint: "j".into(), coef: 2.0 }];
    spec.add_tendon("t", TendonAttrs::default().stiffness(3.0), path);
    let servo = ActuatorAttrs::default().tendon("t").kp(5.0);
    spec.add_actuator("a", ActuatorKind::Position, servo);
    spec.add_sensor("s", SensorType::ActuatorFrc, SensorAttrs::default().actuator("a"));
    spec.add_key("k", KeyAttrs::default().qpos([0.5]));
    assert_same(
        &spec.compile().unwrap().model,
        r#"<mujoco><worldbody><body name="b"><joint name="j" range="-1 1"/>
             <geom name="g" type="box" size=".1 .2 .3"/></body></worldbody>
           <tendon><fixed name="t" stiffness="3"><joint joint="j" coef="2"/></fixed></tendon>
           <actuator><position name="a" tendon="t" kp="5"/></actuator>
           <sensor><actuatorfrc name="s" actuator="a"/></sensor>
           <keyframe><key name="k" qpos=".5"/></keyframe></mujoco>"#,
    );
}

#[test]
fn an_attribute_comes_from_the_element_its_class_or_the_beginning() {
    let mut spec = Spec::new();
    spec.add_default("light", "main").unwrap();
    let set = |spec: &mut Spec, density: f64| {
        let value = Some(Value::Real(density));
        spec.set_default_attribute("light", ObjType::Geom, "density", value).unwrap();
    };
    set(&mut spec, 10.0);
    let geom = spec.add_geom(WORLD, "g", ball()).unwrap();
    let uid = geom.number();
    let density = |spec: &Spec| spec.attribute(ObjType::Geom, uid, "density").unwrap();
    assert_eq!(density(&spec), Value::Real(1000.0));
    spec.set_class(ObjType::Geom, uid, "light").unwrap();
    assert_eq!(density(&spec), Value::Real(10.0));
    // a later change of the class does not reach what exists
    set(&mut spec, 20.0);
    assert_eq!(density(&spec), Value::Real(10.0));
    spec.set_attribute(ObjType::Geom, uid, "density", Some(Value::Int(5))).unwrap();
    assert_eq!(spec.get(geom).unwrap().attr.density, Some(5.0));
    let unknown = spec.attribute(ObjType::Geom, uid, "colour");
    assert_eq!(unknown, Err(EditError::UnknownAttribute("colour".into())));
    let wrong = spec.set_attribute(ObjType::Geom, uid, "pos", Some(Value::Text("here".into())));
    assert_eq!(wrong, Err(EditError::Value("pos".into())));
    assert_eq!(spec.add_default("light", "main"), Err(EditError::NameTaken("light".into())));
}

#[test]
fn a_change_of_a_class_does_not_reach_its_heirs() {
    let mut spec = Spec::new();
    let color = |x: f64| Some(Value::Reals(vec![x; 4]));
    spec.add_default("parent", "main").unwrap();
    spec.add_default("child", "parent").unwrap();
    spec.set_default_attribute("parent", ObjType::Geom, "rgba", color(0.25)).unwrap();
    let of = |spec: &Spec, class| spec.default_attribute(class, ObjType::Geom, "rgba").unwrap();
    assert_eq!(of(&spec, "parent"), Value::Reals(vec![0.25; 4]));
    assert_eq!(of(&spec, "child"), Value::Reals(vec![0.5, 0.5, 0.5, 1.0]));
}

#[test]
fn the_attributes_of_every_actuator_are_those_of_a_general_one() {
    let mut spec = read(
        r#"<mujoco><worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>
           <actuator><position name="a" joint="j" kp="7"/></actuator></mujoco>"#,
    );
    let uid = spec.find::<Object<ActuatorSpec>>("a").unwrap();
    let gain = spec.attribute(ObjType::Actuator, uid.number(), "gainprm").unwrap();
    assert!(matches!(gain, Value::Reals(list) if list[0] == 7.0 && list.len() == 10));
    let gear = Some(Value::Reals(vec![3.0]));
    spec.set_attribute(ObjType::Actuator, uid.number(), "gear", gear).unwrap();
    let model = spec.compile().unwrap().model;
    assert_eq!((model.actuator_gainprm[0][0], model.actuator_biasprm[0][1]), (7.0, -7.0));
    assert_eq!(model.actuator_gear[0][0], 3.0);
}

#[test]
fn a_body_becomes_a_frame() {
    let mut spec = read(ARM);
    let lower = spec.find::<BodySpec>("lower").unwrap();
    spec.body_to_frame(lower).unwrap();
    let model = spec.compile().unwrap().model;
    assert_eq!((model.nbody, model.njnt), (3, 3));
    let site = model.id(ObjType::Site, "s2").unwrap();
    assert_eq!(model.site_pos[site].0, [1.0, 0.0, 0.0]);
}

#[test]
fn what_a_sensor_measures_has_a_general_form() {
    let spec = read(ARM);
    let id = spec.find::<Object<SensorSpec>>("sj").unwrap();
    let what = spec.sensor_reference(id).unwrap();
    assert_eq!((what.objtype, what.objname.as_str()), (ObjType::Joint, "shoulder"));
    let mut changed = spec.clone();
    changed.set_sensor_reference(id, &what).unwrap();
    let (a, b) = (spec.compile().unwrap().model, changed.compile().unwrap().model);
    assert_eq!(a.to_bytes(), b.to_bytes());
}

#[test]
fn indices_that_lead_nowhere_are_an_error() {
    let mut spec = Spec::new();
    spec.add_geom(WORLD, "g", ball()).unwrap();
    spec.geoms[0].body = 7;
    assert!(spec.compile().is_err());
    spec.geoms[0].body = 0;
    spec.geoms[0].frame = Some(3);
    assert!(spec.compile().is_err());
    spec.bodies.clear();
    assert!(spec.compile().is_err());
}

#[test]
fn what_is_left_of_a_removed_class_are_the_values() {
    let mut spec = read(
        r#"<mujoco><default><default class="outer"><geom size="3"/>
             <default class="inner"><geom rgba="1 0 0 1"/></default></default></default>
           <worldbody><body childclass="outer"><geom name="a"/><geom name="b" class="inner"/></body>
           </worldbody></mujoco>"#,
    );
    let before = spec.compile().unwrap().model.to_bytes();
    assert!(matches!(spec.remove_default("main"), Err(EditError::Refused(_))));
    assert!(matches!(spec.remove_default("none"), Err(EditError::UnknownClass(_))));
    spec.remove_default("outer").unwrap();
    assert_eq!(spec.classes(), ["main"]);
    assert_eq!(spec.compile().unwrap().model.to_bytes(), before);
}

#[test]
fn pixels_that_a_program_gives() {
    let mut spec = Spec::new();
    let attrs = TextureAttrs::default().kind(TextureType::Flat).width(2).height(1);
    let texture = spec.add_texture("t", attrs.data([1, 2, 3, 4, 5, 6]).hflip(true));
    let model = spec.compile().unwrap().model;
    assert_eq!(&*model.tex_data, [4, 5, 6, 1, 2, 3]);
    spec.get_mut(texture).unwrap().attr.width = Some(3);
    assert!(spec.compile().is_err());
    spec.get_mut(texture).unwrap().attr.width = Some(-2);
    assert!(spec.compile().is_err());
}

#[test]
fn the_words_of_mujoco_say_the_same() {
    let spec = read(
        r#"<mujoco><compiler eulerseq="zyx"/>
           <default><geom size="1"/><joint range="-10 30"/>
             <default class="small"><geom size="0.5"/><site pos="0 0 1" euler="90 0 0"/></default></default>
           <worldbody><geom class="main" size="1"/>
             <body name="b" euler="10 20 30" childclass="small" user="1 2"><joint name="j"/>
               <geom class="small"/><site name="s" user="5"/><camera name="c" euler="0 0 45"/>
               <light name="l"/></body></worldbody></mujoco>"#,
    );
    let text = spec.normalized().to_xml();
    assert!(text.contains(r#"<compiler angle="radian"/>"#), "{text}");
    assert!(text.contains(r#"<size nuser_body="2" nuser_site="1"/>"#), "{text}");
    assert!(text.contains("    <geom/>\n") && text.contains("      <geom/>\n"), "{text}");
    assert!(text.contains(r#"<light name="l" pos="0 0 0" dir="0 0 -1"/>"#), "{text}");
    let (before, after) = (spec.compile().unwrap().model, read(&text).compile().unwrap().model);
    assert_eq!(before.jnt_range, after.jnt_range);
    assert_eq!(before.body_quat, after.body_quat);
    assert_eq!(before.site_pos, after.site_pos);
    assert_eq!(before.site_quat, after.site_quat);
    assert_eq!(before.cam_quat, after.cam_quat);
    assert_eq!(before.geom_size, after.geom_size);
    assert_eq!(before.body_user, after.body_user);
    // in these words already
    let again = read(&text).normalized().to_xml();
    assert_eq!(again, text);
}
