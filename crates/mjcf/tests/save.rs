//! Saving a model and reading it again gives the same model, array for array.

use std::path::{Path, PathBuf};

use ferrodyn_mjcf::{FileNames, LoadOptions, Spec};
use ferrodyn_model::Model;

fn options() -> LoadOptions {
    LoadOptions::default()
}

fn compile(spec: &Spec) -> Model {
    spec.compile().unwrap_or_else(|e| panic!("{e}")).model
}

/// The names of everything that differs; arrays are compared by their bytes.
fn differences(a: &Model, b: &Model) -> Vec<&'static str> {
    let mut names = Vec::new();
    let sizes = a.sizes.all().into_iter().zip(b.sizes.all());
    names.extend(sizes.filter(|(x, y)| x.1 != y.1).map(|(x, _)| x.0));
    let arrays = a.arrays().into_iter().zip(b.arrays());
    names.extend(arrays.filter(|(x, y)| x.bytes != y.bytes).map(|(x, _)| x.info.name));
    let settings = [
        ("opt", a.opt != b.opt),
        ("vis", a.vis != b.vis),
        ("stat", a.stat != b.stat),
        ("signature", a.signature != b.signature),
        ("njmax", a.sizes.njmax != b.sizes.njmax),
        ("nconmax", a.sizes.nconmax != b.sizes.nconmax),
    ];
    names.extend(settings.iter().filter(|s| s.1).map(|s| s.0));
    names
}

/// Saves a model, reads it again, and checks that both are the same and that the text is stable.
fn check(text: &str, options: &LoadOptions) -> String {
    let spec = Spec::from_xml_str(text, options).unwrap_or_else(|e| panic!("{e}"));
    let saved = spec.to_xml();
    let again = Spec::from_xml_str(&saved, options).unwrap_or_else(|e| panic!("{e}\n{saved}"));
    let none: [&str; 0] = [];
    assert_eq!(differences(&compile(&spec), &compile(&again)), none, "{saved}");
    assert_eq!(again.to_xml(), saved);
    saved
}

/// A directory that is removed when the test ends.
struct TempDir(PathBuf);

impl TempDir {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("ferrodyn-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).ok();
    }
}

const TETRAHEDRON: &str =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

#[test]
fn every_small_model_survives() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/models");
    let mut count = 0;
    for entry in std::fs::read_dir(&directory).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "xml") {
            continue;
        }
        let Ok(spec) = Spec::from_xml_path(&path, &options()) else { continue };
        let Ok(compiled) = spec.compile() else { continue };
        let saved = spec.to_xml_with(FileNames::Absolute);
        let again = Spec::from_xml_str(&saved, &options())
            .unwrap_or_else(|e| panic!("{}: {e}\n{saved}", path.display()));
        let mut wrong = differences(&compiled.model, &compile(&again));
        // files have other names now
        wrong.retain(|n| *n != "npaths" && *n != "paths" && !n.ends_with("_pathadr"));
        // the language has no place for nodes that are pinned off the middle of their body; MuJoCo loses the same arrays
        if path
            .file_stem()
            .is_some_and(|name| name == "flex_implicit" || name == "flex_implicitfast")
        {
            let nodes = ["flex_node", "flex_node0", "flex_stiffness", "flex_centered"];
            wrong.retain(|n| !nodes.contains(n));
        }
        assert!(wrong.is_empty(), "{}: {wrong:?}\n{saved}", path.display());
        count += 1;
    }
    assert!(count > 50, "only {count} models");
}

#[test]
fn everything_outside_the_tree_survives() {
    check(
        r#"<mujoco model="a &quot;b&quot; &lt;c&gt;">
          <compiler angle="radian" autolimits="false"><lengthrange mode="none" tolrange="0.1"/></compiler>
          <option timestep="0.001" actuatorgroupdisable="1 3"><flag gravity="disable"/></option>
          <size nuserdata="3" nkey="4"/>
          <visual><global fovy="30"/><quality numslices="9"/><headlight active="0"/>
            <map znear="0.1"/><scale com="2"/><rgba fog="1 0 0 1"/></visual>
          <statistic extent="3" center="1 2 3"/>
          <default>
            <geom density="900"/><motor ctrlrange="-1 1" ctrllimited="true"/>
            <default class="a"><joint damping="2"/><position kp="7"/>
              <default class="b"><joint armature="0.3"/></default></default>
            <default class="c"><site size="0.3"/><material specular="0.1"/><tendon width="0.2"/></default>
          </default>
          <default><geom rgba="1 0 0 1"/></default>
          <extension>
            <plugin plugin="mujoco.pid"><instance name="pid"><config key="kp" value="4.0"/></instance></plugin>
            <plugin plugin="mujoco.elasticity.cable"/>
          </extension>
          <custom><numeric name="n" size="4" data="1 2"/><text name="t" data="line&#10;two &amp; more"/>
            <tuple name="u"><element objtype="body" objname="x" prm="2"/></tuple></custom>
          <asset>
            <texture name="tex" type="2d" builtin="checker" rgb1="1 1 1" rgb2="0 0 0" width="8" height="8"/>
            <material name="m" class="c"><layer texture="tex" role="rgb"/></material>
            <material name="m2" texture="tex"/>
            <mesh name="tet" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
            <hfield name="h" nrow="2" ncol="2" size="1 1 1 1" elevation="0 1 2 3"/>
          </asset>
          <worldbody>
            <geom name="floor" type="plane" size="1 1 1" material="m"/>
            <camera name="cam" euler="1 0 0" output="rgb depth"/><light dir="0 1 -1"/>
            <body name="x" pos="0 0 1" childclass="a" user="1 2">
              <joint name="j" class="b" axis="0 1 0" range="-1 1" limited="true"/>
              <geom name="g" size="0.1"/><site name="s" axisangle="0 0 1 0.5"/>
              <body name="y" pos="1e-7 0 1"><joint name="k" type="slide"/>
                <inertial pos="0 0 0" mass="1" fullinertia="1 2 2 0.1 0 0"/>
                <geom name="w" type="sphere" size="0.2"/><site name="s2" pos="0 1 0"/></body>
            </body>
            <body name="z" mocap="true"/>
          </worldbody>
          <contact><pair name="p" geom1="floor" geom2="g" condim="4"/><exclude body1="x" body2="y"/></contact>
          <equality><joint joint1="j" joint2="k" polycoef="0 2"/><connect body1="x" anchor="0 0 1"/>
            <weld body1="x" body2="y" active="false"/></equality>
          <tendon><fixed name="f"><joint joint="j" coef="0.5"/></fixed>
            <spatial name="sp" class="c"><site site="s"/><geom geom="w" sidesite="s2"/><site site="s2"/>
              <pulley divisor="2"/><site site="s"/><site site="s2"/></spatial></tendon>
          <actuator><motor name="mo" joint="j"/><position joint="k" class="a"/>
            <general tendon="f" dyntype="filter" dynprm="0.2"/><plugin joint="j" plugin="mujoco.pid" instance="pid"/>
            <plugin joint="k" plugin="mujoco.pid" actdim="1"><config key="ki" value="1.5"/></plugin></actuator>
          <sensor><jointpos name="js" joint="j" noise="0.1"/><framepos objtype="site" objname="s"/>
            <user dim="2"/><contact geom1="g" data="found force" num="2"/></sensor>
          <keyframe><key name="home" qpos="0.1 0.2" ctrl="1 2 3 4 5"/><key time="3"/></keyframe>
        </mujoco>"#,
        &options(),
    );
}

#[test]
fn frames_keep_the_order_of_their_elements() {
    let saved = check(
        r#"<mujoco><default><default class="c"><geom size="0.3"/></default></default>
          <worldbody>
            <geom name="a" size="0.1"/>
            <frame name="f" pos="1 0 0" childclass="c"><geom name="b"/>
              <frame euler="0 0 90"><geom name="d"/><body name="p"><geom size="0.1"/></body></frame>
              <geom name="e"/><site name="s"/></frame>
            <geom name="g" size="0.1"/>
            <frame name="empty"/>
            <body name="q"><frame quat="0 1 0 0"><joint/><geom size="1"/></frame></body>
          </worldbody></mujoco>"#,
        &options(),
    );
    assert!(saved.contains(r#"<frame name="empty"/>"#));
}

#[test]
fn replicated_elements_are_written_out() {
    let saved = check(
        r#"<mujoco><worldbody><replicate count="3" offset="1 0 0" euler="0 0 10" sep="-">
          <body name="b"><joint name="j"/><geom size="0.1"/><site name="s"/></body></replicate></worldbody>
          <sensor><jointpos name="js" joint="j"/></sensor></mujoco>"#,
        &options(),
    );
    assert!(saved.contains(r#"name="b-2""#) && !saved.contains("replicate"));
}

#[test]
fn a_class_that_changes_late_is_written_resolved() {
    let child = r#"<mujoco><default><geom size="0.1"/></default>
        <default><default class="x"><geom rgba="1 0 0 1"/><position kp="3" inheritrange="1"/></default></default>
        <default><geom density="5"/></default>
        <worldbody><body name="b"><joint name="j" range="-1 1"/><geom/><geom class="x"/></body></worldbody>
        <actuator><position class="x" joint="j"/></actuator></mujoco>"#;
    let options = options().with_asset("child.xml", child.as_bytes());
    check(
        r#"<mujoco><default><geom density="1"/></default><asset><model name="c" file="child.xml"/></asset>
          <worldbody><geom size="1"/><attach model="c" body="b" prefix="p/"/></worldbody></mujoco>"#,
        &options,
    );
}

#[test]
fn parts_with_other_units_keep_their_angles() {
    let child = r#"<mujoco><compiler angle="radian" eulerseq="ZYX"/>
        <default><joint range="-0.5 1.5" ref="0.3"/><geom euler="0.1 0.2 0.3"/></default>
        <worldbody><body name="b" euler="0.3 0.2 0.1"><joint name="j" springref="0.2"/><joint name="s" type="slide"/>
          <geom name="g" size="0.1 0.2 0.3" type="box"/><geom size="0.1 0.2 0.3" type="box" axisangle="1 0 0 0.7"/>
          <site euler="1 2 3"/><camera euler="3 2 1"/></body></worldbody>
        <keyframe><key name="k" qpos="0.1 0.2" time="2"/></keyframe></mujoco>"#;
    for angle in ["degree", "radian"] {
        let options = options().with_asset("child.xml", child.as_bytes());
        let text = format!(
            r#"<mujoco><compiler angle="{angle}"/><default><geom euler="0.5 0 0"/></default>
              <asset><model name="c" file="child.xml"/></asset>
              <worldbody><body name="own"><joint name="o" range="-0.3 0.3" ref="0.1"/>
                <geom type="box" size="1 2 3"/>
                <frame euler="0 0.4 0"><attach model="c" body="b" prefix="p/"/></frame></body></worldbody>
              </mujoco>"#
        );
        let saved = check(&text, &options);
        assert!(saved.contains(r#"<key name="p/k""#), "{saved}");
    }
}

#[test]
fn files_are_found_from_elsewhere() {
    let here = TempDir::new("save-here");
    let there = TempDir::new("save-there");
    here.write("assets/tet.obj", TETRAHEDRON);
    let path = here.write(
        "model.xml",
        r#"<mujoco><compiler meshdir="assets"/><asset><mesh file="tet.obj"/></asset>
          <worldbody><geom type="mesh" mesh="tet"/></worldbody></mujoco>"#,
    );
    let spec = Spec::from_xml_path(&path, &options()).unwrap();
    let (beside, elsewhere) = (here.0.join("saved.xml"), there.0.join("saved.xml"));
    spec.save_xml(&beside).unwrap();
    assert!(std::fs::read_to_string(&beside).unwrap().contains(r#"file="tet.obj""#));
    spec.save_xml(&elsewhere).unwrap();
    for file in [beside, elsewhere] {
        let again = compile(&Spec::from_xml_path(&file, &options()).unwrap());
        assert_eq!(again.mesh_vert, compile(&spec).mesh_vert);
    }
    assert!(spec.save_xml(here.0.join("no/such/directory.xml")).is_err());
}

#[test]
fn attached_files_are_found_from_the_outer_model() {
    let dir = TempDir::new("save-attached");
    dir.write("robot/meshes/tet.obj", TETRAHEDRON);
    dir.write(
        "robot/robot.xml",
        r#"<mujoco><compiler meshdir="meshes"/><asset><mesh file="tet.obj"/></asset>
          <worldbody><body name="b"><geom type="mesh" mesh="tet"/></body></worldbody></mujoco>"#,
    );
    let path = dir.write(
        "scene.xml",
        r#"<mujoco><asset><model name="r" file="robot/robot.xml"/></asset>
          <worldbody><attach model="r" body="b" prefix="p/"/></worldbody></mujoco>"#,
    );
    let spec = Spec::from_xml_path(&path, &options()).unwrap();
    // with all files in one directory, names stay as they are
    let beside = dir.write("saved.xml", &spec.to_xml());
    let again = Spec::from_xml_path(&beside, &options()).unwrap();
    let none: [&str; 0] = [];
    assert_eq!(differences(&compile(&spec), &compile(&again)), none);

    // with others beside them, or from elsewhere, they are full
    dir.write("own.obj", TETRAHEDRON);
    let path = dir.write(
        "scene.xml",
        r#"<mujoco><asset><mesh file="own.obj"/><model name="r" file="robot/robot.xml"/></asset>
          <worldbody><geom type="mesh" mesh="own"/><attach model="r" body="b" prefix="p/"/></worldbody>
          </mujoco>"#,
    );
    let spec = Spec::from_xml_path(&path, &options()).unwrap();
    let beside = dir.write("saved.xml", &spec.to_xml());
    let there = TempDir::new("save-attached-there");
    let elsewhere = there.0.join("saved.xml");
    spec.save_xml(&elsewhere).unwrap();
    for file in [beside, elsewhere] {
        let again = Spec::from_xml_path(&file, &options()).unwrap();
        let wrong = differences(&compile(&spec), &compile(&again));
        assert!(wrong.iter().all(|n| ["npaths", "mesh_pathadr", "paths"].contains(n)), "{wrong:?}");
    }
}

#[test]
fn rules_for_masses_of_attached_models_survive() {
    let rules = [
        "boundmass='2'",
        "boundinertia='0.5'",
        "balanceinertia='true'",
        "inertiafromgeom='true'",
        "inertiafromgeom='false'",
        "inertiagrouprange='1 2'",
        "settotalmass='7'",
        "alignfree='true' boundmass='1'",
        "angle='radian' boundmass='3'",
    ];
    let spread = "<inertial pos='0.1 0 0' mass='1' diaginertia='1 1 2'/>";
    let parts = "<geom size='0.1' group='1'/><geom size='0.2' pos='0.3 0 0'/>";
    for inner in rules {
        // without geoms, the inertia must be stated
        let first = if inner.contains("false") { spread } else { "" };
        for outer in ["", "boundmass='1.5'", "inertiafromgeom='true'", "settotalmass='9'"] {
            let child = format!(
                "<mujoco><compiler {inner}/><worldbody><body name='b'><freejoint/>{first}{parts}</body>
                  <body name='c' euler='0 0 3'>{spread}{parts}<joint type='slide'/></body>
                </worldbody></mujoco>"
            );
            let model = format!(
                "<mujoco><compiler {outer}/><asset><model name='m' file='child.xml'/></asset>
                  <worldbody><body><joint/>{parts}<body>{spread}</body></body>
                    <frame pos='1 0 0'><attach model='m' body='b' prefix='b/'/></frame>
                    <frame pos='2 0 0'><attach model='m' body='c' prefix='c/'/></frame>
                  </worldbody></mujoco>"
            );
            let options = options().with_asset("child.xml", child.into_bytes());
            check(&model, &options);
        }
    }
}
