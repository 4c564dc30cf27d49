//! Skins: what is refused and how it is said, skins that are made in place, saved, attached, and those of cables.

use ferrodyn_mjcf::{
    Budget, Diagnostic, DiagnosticKind, LoadOptions, MjcfError, Part, SkinAttrs, Spec, Value,
    compile_text,
};
use ferrodyn_model::{Model, ObjType};

/// A triangle on the body of the model; the third line has the bone.
const TRIANGLE: &str = "<skin name='k' vertex='0 0 0  1 0 0  0 1 0'
    face='0 1 2'>
    <bone body='b' bindpos='0 0 0' bindquat='1 0 0 0' vertid='0 1 2' vertweight='1 2 3'/></skin>";

fn model(section: &str, skin: &str) -> String {
    format!(
        "<mujoco><worldbody><body name='b'><joint/><geom size='.1'/></body></worldbody><{section}>{skin}</{section}></mujoco>"
    )
}

fn only(error: MjcfError) -> Diagnostic {
    assert_eq!(error.diagnostics.len(), 1, "{error}");
    error.diagnostics.into_iter().next().unwrap()
}

/// The one problem of a triangle in which `from` is replaced.
fn refused(from: &str, to: &str) -> Diagnostic {
    assert!(TRIANGLE.contains(from), "{from}");
    only(compile_text(&model("asset", &TRIANGLE.replace(from, to))).unwrap_err())
}

/// A file with one triangle on the body of the model.
fn file() -> Vec<u8> {
    let mut bytes = Vec::new();
    for count in [3_i32, 0, 1, 1] {
        bytes.extend(count.to_le_bytes());
    }
    for x in [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0] {
        bytes.extend(x.to_le_bytes());
    }
    for id in [0_i32, 1, 2] {
        bytes.extend(id.to_le_bytes());
    }
    bytes.extend(b"b");
    bytes.extend([0; 39]);
    for x in [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0] {
        bytes.extend(x.to_le_bytes());
    }
    for id in [3_i32, 0, 1, 2] {
        bytes.extend(id.to_le_bytes());
    }
    for x in [1.0_f32, 2.0, 3.0] {
        bytes.extend(x.to_le_bytes());
    }
    bytes
}

fn with_file(bytes: Vec<u8>) -> LoadOptions {
    LoadOptions::default().with_asset("k.skn", bytes)
}

fn load(text: &str, options: &LoadOptions) -> Result<Model, MjcfError> {
    Ok(Spec::from_xml_str(text, options)?.compile()?.model)
}

#[test]
fn both_sections_and_the_file_give_the_same_skin() {
    let inline = compile_text(&model("asset", TRIANGLE)).unwrap();
    assert_eq!(inline.to_bytes(), compile_text(&model("deformable", TRIANGLE)).unwrap().to_bytes());
    let text = model("asset", "<skin name='k' file='k.skn'/>");
    let loaded = load(&text, &with_file(file())).unwrap();
    assert_eq!(loaded.skin_bonevertweight, inline.skin_bonevertweight);
    assert_eq!((&loaded.skin_vert, &loaded.skin_face), (&inline.skin_vert, &inline.skin_face));
    assert_eq!(&*loaded.paths, b"k.skn\0");
    // a skin without a name has that of its file, or none
    let nameless = load(&text.replace("name='k'", ""), &with_file(file())).unwrap();
    assert_eq!(nameless.name(ObjType::Skin, 0), Some("k"));
    let nameless = TRIANGLE.replace("name='k'", "");
    assert!(compile_text(&model("asset", &nameless)).is_ok());
}

#[test]
fn what_is_wrong_is_told_at_its_place() {
    let at_skin = [
        ("0 1 2'>", "0 1'>", "three numbers for each face"),
        ("0 1 2'>", "0 1 3'>", "there is no vertex 3, only 0 to 2"),
        ("0 1 2'>", "0 -1 2'>", "there is no vertex -1"),
        ("0 1 0'", "0 1'", "three numbers for each vertex"),
        ("face=", "texcoord='0 0 1 1' face=", "4 numbers for 3 vertices"),
        ("face=", "material='m' face=", "no material has this name"),
        ("face='0 1 2'", "", "a skin without faces"),
        ("vertex='0 0 0  1 0 0  0 1 0'", "", "a skin without vertices"),
        ("1 2 3'/>", "1 2 -3'/>", "the weights of vertex 2 do not have a positive sum"),
        ("face=", "file='k.skn' face=", "a file or data of its own, not both"),
    ];
    for (from, to, words) in at_skin {
        let d = refused(from, to);
        assert_eq!((d.element.as_deref(), d.line), (Some("skin"), 1), "{d}");
        assert!(d.message.contains(words), "{d}");
    }
    let at_bone = [
        ("'0 1 2' vertw", "'0 1' vertw", DiagnosticKind::Model, "3 weights for 2 vertices"),
        ("'0 1 2' vertw", "'0 1 5' vertw", DiagnosticKind::Model, "there is no vertex 5"),
        ("body='b'", "body='c'", DiagnosticKind::Reference, "no body has this name"),
        ("body='b'", "", DiagnosticKind::Missing, "'body' is required"),
        ("bindpos='0 0 0'", "", DiagnosticKind::Missing, "'bindpos' is required"),
        ("bindpos='0 0 0'", "bindpos='0 0'", DiagnosticKind::InvalidValue, "expected 3 numbers"),
        ("vertid='0 1 2'", "vertid='a'", DiagnosticKind::InvalidValue, "expected an integer"),
        ("vertid='0 1 2'", "vertid=''", DiagnosticKind::InvalidValue, "expected numbers"),
        ("bindquat", "bindkwat='1' bindquat", DiagnosticKind::UnknownAttribute, "unknown"),
    ];
    for (from, to, kind, words) in at_bone {
        let d = refused(from, to);
        assert_eq!((d.element.as_deref(), d.line, d.kind), (Some("bone"), 3, kind), "{d}");
        assert!(d.message.contains(words), "{d}");
    }
    assert_eq!(refused("face=", "group='6' face=").kind, DiagnosticKind::InvalidValue);
    assert_eq!(refused("<bone", "<bon/><bone").suggestion.as_deref(), Some("bone"));
}

#[test]
fn what_is_wrong_with_a_file_is_told_with_its_name() {
    let text = model("asset", "<skin name='k' file='k.skn'/>");
    let refused = |bytes: Vec<u8>, words: &str| {
        let d = only(load(&text, &with_file(bytes)).unwrap_err());
        assert!(d.message.contains(words) && d.message.contains("k.skn"), "{d}");
        assert_eq!((d.element.as_deref(), d.line), (Some("skin"), 1));
    };
    refused(Vec::new(), "is empty");
    refused(file()[..12].to_vec(), "ends within its header");
    refused(file()[..90].to_vec(), "ends within bone 0 of 1");
    refused([file(), vec![0; 8]].concat(), "8 bytes after its last bone");
    let d = only(load(&text.replace(".skn", ".obj"), &LoadOptions::default()).unwrap_err());
    assert!(d.message.contains("not a .skn file"), "{d}");
    let d = only(load(&text, &LoadOptions::default()).unwrap_err());
    assert!(d.message.contains("k.skn"), "{d}");
    // contents are checked like those of a text
    let mut outside = file();
    let ids = outside.len() - 24;
    outside[ids] = 7;
    let d = only(load(&text, &with_file(outside)).unwrap_err());
    assert!(d.message.contains("bone 0: there is no vertex 7"), "{d}");
}

#[test]
fn sizes_stay_within_the_budget() {
    let cable = |subgrid: &str| {
        format!("<mujoco><worldbody><composite type='cable' curve='s' count='9 1 1' size='1' initial='none'>
            <geom type='box' size='.1 .1 .1'/><skin subgrid='{subgrid}'/></composite></worldbody></mujoco>")
    };
    assert!(compile_text(&cable("2")).is_ok());
    let d = only(compile_text(&cable("2000000000")).unwrap_err());
    assert_eq!(d.kind, DiagnosticKind::Budget, "{d}");
    let mut options = with_file(file());
    options.budget.asset_bytes = 100;
    let text = model("asset", "<skin file='k.skn'/>");
    let d = only(load(&text, &options).unwrap_err());
    assert!(d.message.contains("k.skn"), "{d}");
    options.budget = Budget::default();
    options.budget.array = 8;
    assert!(load(&text, &options).is_err());
}

#[test]
fn a_skin_can_be_made_and_changed_in_place() {
    let mut spec = Spec::from_xml_str(&model("asset", ""), &LoadOptions::default()).unwrap();
    let attr = SkinAttrs::default()
        .vertex([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0])
        .face([0, 1, 2])
        .bodyname([String::from("b")])
        .bindpos([0.0; 3])
        .bindquat([1.0, 0.0, 0.0, 0.0])
        .vertid([vec![0, 1, 2]])
        .vertweight([vec![1.0, 2.0, 3.0]]);
    let id = spec.add_skin("k", attr);
    let made = spec.compile().unwrap().model;
    assert_eq!(made.to_bytes(), compile_text(&model("asset", TRIANGLE)).unwrap().to_bytes());
    // lists by name, and the other way
    let number = id.number();
    let ids = spec.attribute(ObjType::Skin, number, "vertid").unwrap();
    assert_eq!(ids, Value::IntLists(vec![vec![0, 1, 2]]));
    let lists = Value::RealLists(vec![vec![2.0, 1.0, 0.0]]);
    spec.set_attribute(ObjType::Skin, number, "vertid", Some(lists)).unwrap();
    assert_eq!(*spec.compile().unwrap().model.skin_bonevertid, [2, 1, 0]);
    // lists that do not belong together
    spec.set_attribute(ObjType::Skin, number, "bindpos", Some(Value::Reals(vec![1.0]))).unwrap();
    let d = only(spec.compile().unwrap_err());
    assert!(d.message.contains("'bindpos' has 1 parts, but the bones need 3"), "{d}");
    spec.remove(id).unwrap();
    assert_eq!(spec.compile().unwrap().model.nskin, 0);
}

#[test]
fn a_saved_skin_is_the_same() {
    let text = model(
        "asset",
        &TRIANGLE.replace("face=", "inflate='.1' group='3' rgba='1 .5 .25 1' face="),
    );
    let spec = Spec::from_xml_str(&text, &LoadOptions::default()).unwrap();
    let saved = spec.to_xml();
    assert!(saved.contains("<deformable>"), "{saved}");
    let again = Spec::from_xml_str(&saved, &LoadOptions::default()).unwrap();
    assert_eq!(spec.compile().unwrap().model.to_bytes(), again.compile().unwrap().model.to_bytes());
}

#[test]
fn bones_follow_what_is_attached() {
    let child = model("asset", TRIANGLE).replace("</worldbody>", "<body name='c'/></worldbody>");
    let child = Spec::from_xml_str(&child, &LoadOptions::default()).unwrap();
    let mut parent = Spec::new();
    let body = |name: &str| child.bodies.iter().position(|b| b.name == name).unwrap();
    parent.attach(0, None, &child, Part::Body(body("c")), "x/", "").unwrap();
    assert!(parent.skins.is_empty(), "its bone is not there");
    parent.attach(0, None, &child, Part::Body(body("b")), "y/", "").unwrap();
    let skin = &parent.skins[0];
    assert_eq!(
        (skin.name.as_str(), &skin.attr.attr.bodyname),
        ("k", &Some(vec![String::from("y/b")]))
    );
    assert_eq!(parent.compile().unwrap().model.nskin, 1);
    // as in MuJoCo, names of skins have no prefix, so that a second copy is one too many
    parent.attach(0, None, &child, Part::Body(body("b")), "z/", "").unwrap();
    assert_eq!(only(parent.compile().unwrap_err()).kind, DiagnosticKind::DuplicateName);
}

#[test]
fn cables_of_boxes_have_a_skin_and_others_have_none() {
    let cable = |kind: &str, count: usize, skin: &str| {
        compile_text(&format!(
            "<mujoco><worldbody><composite prefix='p' type='cable' curve='s' count='{count} 1 1' size='1' \
            initial='none'><geom type='{kind}' size='.1 .2 .3'/>{skin}</composite></worldbody></mujoco>"
        ))
    };
    let m = cable("box", 4, "").unwrap();
    assert_eq!((m.nskin, m.nskinvert, m.nskinbone), (1, 16, 8));
    assert_eq!((m.name(ObjType::Skin, 0), m.skin_inflate[0]), (Some("pSkin"), 0.6));
    assert_eq!(cable("capsule", 4, "<skin/>").unwrap().nskin, 0);
    let m = cable("box", 4, "<skin subgrid='1' texcoord='true' group='1'/>").unwrap();
    assert_eq!((m.nskinvert, m.nskintexvert, m.nskinbone, m.skin_group[0]), (70, 70, 12, 1));
    // the weights of each vertex sum to one
    let mut sums = vec![0.0; 70];
    for (id, weight) in m.skin_bonevertid.iter().zip(&m.skin_bonevertweight) {
        sums[*id as usize] += weight;
    }
    assert!(sums.iter().all(|sum| (sum - 1.0_f32).abs() < 1e-6), "{sums:?}");
    assert_eq!(only(cable("box", 2, "").unwrap_err()).kind, DiagnosticKind::Conflict);
    let d = only(cable("box", 4, "<skin/><skin/>").unwrap_err());
    assert!(d.message.contains("only one skin"), "{d}");
    assert!(cable("box", 4, "<skin group='7'/>").is_err());
}
