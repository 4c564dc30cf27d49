//! URDF is read by MuJoCo's rules. Expected numbers come from MuJoCo 3.5.0.

use ferrodyn_mjcf::{DiagnosticKind, LoadOptions, MjcfError, Spec};
use ferrodyn_model::{GeomType, JointType, Model, ObjType};

fn load(text: &str) -> Result<Model, MjcfError> {
    let spec = Spec::from_urdf_str(text, &LoadOptions::default())?;
    Ok(spec.compile()?.model)
}

fn model(text: &str) -> Model {
    load(text).unwrap_or_else(|e| panic!("{e}"))
}

fn near(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(x, y)| (x - y).abs() < 1e-12)
}

const BOX: &str = r#"<collision><geometry><box size="0.1 0.2 0.3"/></geometry></collision>"#;

fn joint(name: &str, kind: &str, parent: &str, child: &str, content: &str) -> String {
    format!(
        r#"<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{content}</joint>"#
    )
}

/// A link `a` on the link `world` by a joint.
fn arm(kind: &str, content: &str) -> String {
    let joint = joint("j", kind, "world", "a", content);
    format!(r#"<robot name="arm"><link name="world"/>{joint}<link name="a">{BOX}</link></robot>"#)
}

#[test]
fn every_type_of_joint_is_read() {
    let kinds = |kind: &str| {
        let m = model(&arm(kind, ""));
        m.jnt_type.iter().map(|t| JointType::try_from(*t).unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(kinds("revolute"), [JointType::Hinge]);
    assert_eq!(kinds("continuous"), [JointType::Hinge]);
    assert_eq!(kinds("prismatic"), [JointType::Slide]);
    assert_eq!(kinds("floating"), [JointType::Free]);
    assert_eq!(kinds("spherical"), [JointType::Ball]);
    assert_eq!(kinds("planar"), [JointType::Slide, JointType::Slide, JointType::Hinge]);
    assert_eq!(model(&arm("fixed", "")).nbody, 1, "fixed bodies are fused into their parents");
}

#[test]
fn a_planar_joint_moves_across_its_axis() {
    let m = model(&arm("planar", r#"<axis xyz="1 0 0"/><dynamics damping="2" friction="3"/>"#));
    assert_eq!(m.name(ObjType::Joint, 2), Some("j_RZ"));
    assert!(near(&m.jnt_axis[0].0, &[0.0, 0.0, -1.0]));
    assert!(near(&m.jnt_axis[1].0, &[0.0, 1.0, 0.0]));
    assert!(near(&m.jnt_axis[2].0, &[1.0, 0.0, 0.0]));
    assert_eq!((&*m.dof_damping, &*m.dof_frictionloss), (&[2.0; 3][..], &[3.0; 3][..]));
}

#[test]
fn limits_must_be_whole() {
    let range = |limit: &str| {
        let m = model(&arm("revolute", &format!("<limit {limit}/>")));
        (m.jnt_limited[0] == 1, m.jnt_range[0], m.jnt_actfrcrange[0])
    };
    let whole = range(r#"lower="-1" upper="2" effort="-30" velocity="1""#);
    assert_eq!(whole, (true, [-1.0, 2.0], [-30.0, 30.0]));
    assert!(!range(r#"lower="-1""#).0);
    assert!(!range(r#"lower="2" upper="1""#).0);
    assert!(!range(r#"effort="3""#).0);
}

#[test]
fn poses_are_read_as_roll_pitch_and_yaw() {
    let m = model(&arm("revolute", r#"<origin xyz="1 2 3" rpy="0.1 0.2 0.3"/>"#));
    assert_eq!(m.body_pos[1].0, [1.0, 2.0, 3.0]);
    let expected = [0.983347443256, 0.034270798550, 0.106020511062, 0.143572175027];
    assert!(m.body_quat[1].0.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-11));
    // the default axis is x
    assert_eq!(m.jnt_axis[0].0, [1.0, 0.0, 0.0]);
}

#[test]
fn the_orientation_of_a_full_inertia_has_no_effect() {
    let link = |rpy: &str, inertia: &str| {
        let text = format!(
            r#"<robot name="r"><link name="world"/><link name="a"><inertial><origin xyz="1 0 0" rpy="{rpy}"/>
              <mass value="2"/><inertia {inertia}/></inertial></link>{}</robot>"#,
            joint("j", "revolute", "world", "a", "")
        );
        model(&text)
    };
    let inertia = r#"ixx="0.3" iyy="0.2" izz="0.25" ixy="0.01" ixz="0.02" iyz="-0.01""#;
    let (a, b) = (link("0 0 0", inertia), link("0.3 0.2 0.1", inertia));
    assert_eq!((a.body_mass[1], a.body_ipos[1].0), (2.0, [1.0, 0.0, 0.0]));
    assert_eq!((&a.body_iquat, &a.body_inertia), (&b.body_iquat, &b.body_inertia));
}

#[test]
fn visual_geometry_is_left_out_unless_asked_for() {
    let robot = |settings: &str| {
        model(&format!(
            r#"<robot name="r" xmlns:xacro="http://ros.org/wiki/xacro"><mujoco>{settings}</mujoco>
              <material name="red"><color rgba="1 0 0 1"/></material>
              <link name="a"><visual name="v"><geometry><sphere radius="1"/></geometry><material name="red"/></visual>
                <collision name="v"><geometry><cylinder radius="1" length="4"/></geometry></collision></link></robot>"#
        ))
    };
    let plain = robot("");
    assert_eq!((plain.nbody, plain.ngeom), (1, 1));
    // a collision has the colour of the visual before it
    assert_eq!(plain.geom_rgba[0], [1.0, 0.0, 0.0, 1.0]);
    assert_eq!(plain.geom_size[0].0[..2], [1.0, 2.0]);

    let all =
        robot(r#"<compiler discardvisual="false" fusestatic="false"/><option timestep="0.5"/>"#);
    assert_eq!((all.nbody, all.ngeom, all.opt.timestep), (2, 2, 0.5));
    assert_eq!((all.geom_contype[0], all.geom_group[0], all.geom_contype[1]), (0, 1, 1));
    assert_eq!(all.geom_type[0], GeomType::Sphere as i32);
    assert_eq!((all.name(ObjType::Geom, 0), all.name(ObjType::Geom, 1)), (Some("v"), None));
}

#[test]
fn unknown_settings_are_only_warned_about() {
    let text = arm("revolute", "").replace(
        "<link name=\"world\"/>",
        r#"<mujoco><compiler what="1" angle="degree"/><more/></mujoco><link name="world"/>"#,
    );
    let spec = Spec::from_xml_str(&text, &LoadOptions::default()).unwrap();
    assert_eq!(spec.warnings.len(), 2);
}

const TETRAHEDRON: &[u8] =
    b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

fn mesh(file: &str, scale: &str) -> String {
    format!(
        r#"<collision><geometry><mesh filename="{file}" scale="{scale}"/></geometry></collision>"#
    )
}

#[test]
fn one_file_makes_a_mesh_for_each_scale() {
    let parts = [("a/t.obj", "1 1 1"), ("t.obj", "2 2 2"), ("t.obj", "1 1 1"), ("t.obj", "2 2 2")];
    let content: String = parts.map(|(file, scale)| mesh(file, scale)).concat();
    let text = format!(r#"<robot name="r"><link name="a">{content}</link></robot>"#);
    let options = LoadOptions::default().with_asset("t.obj", TETRAHEDRON);
    let m = Spec::from_urdf_str(&text, &options).unwrap().compile().unwrap().model;
    assert_eq!((m.nmesh, m.name(ObjType::Mesh, 1)), (2, Some("t1")));
    // MuJoCo refers to the first mesh wherever a scale is repeated
    assert_eq!(&*m.geom_dataid, &[0, 1, 0, 0]);
}

#[test]
fn files_of_packages_are_found() {
    let text = format!(
        r#"<robot name="r"><link name="a">{}</link></robot>"#,
        mesh("package://robot/meshes/t.obj", "1 1 1")
    );
    let compile = |options: &LoadOptions| {
        Spec::from_urdf_str(&text, options).unwrap().compile().map(|c| c.model.nmesh)
    };
    // a file in memory stands in for one in the directory of the package
    let options = LoadOptions::default().with_package("robot", "/opt/robot");
    let inside = options.clone().with_asset("/opt/robot/meshes/t.obj", TETRAHEDRON);
    assert_eq!(compile(&inside).unwrap(), 1);
    // MuJoCo's rule: the bare name of the file
    assert_eq!(compile(&options.clone().with_asset("t.obj", TETRAHEDRON)).unwrap(), 1);
    let message = compile(&options).unwrap_err().to_string();
    assert!(message.contains("'/opt/robot/meshes/t.obj' and 't.obj'"), "{message}");
}

#[test]
fn a_saved_robot_is_the_same_model() {
    let text =
        arm("planar", r#"<origin xyz="1 2 3" rpy="0.1 0.2 0.3"/><limit lower="2" upper="1"/>"#);
    let spec = Spec::from_urdf_str(&text, &LoadOptions::default()).unwrap();
    let again = Spec::from_xml_str(&spec.to_xml(), &LoadOptions::default()).unwrap();
    assert_eq!(spec.compile().unwrap().model, again.compile().unwrap().model);
}

#[test]
fn bad_robots_are_refused_with_reasons() {
    let two = |joints: &str| {
        format!(r#"<robot name="r"><link name="a"/><link name="b"/>{joints}</robot>"#)
    };
    let geometry = |shape: &str| {
        format!(
            r#"<robot name="r"><link name="a"><collision><geometry>{shape}</geometry></collision></link></robot>"#
        )
    };
    let ab = joint("x", "fixed", "a", "b", "");
    let ba = joint("y", "fixed", "b", "a", "");
    let bad = [
        (two(&format!("{ab}{ba}")), "form a loop"),
        (two(&format!("{ab}{ab}")), "another parent"),
        (two(&joint("x", "fixed", "a", "c", "")), "no link 'c'"),
        (two(&joint("x", "revolut", "a", "b", "")), "did you mean 'revolute'"),
        (two(r#"<link name="a"/>"#), "another link"),
        (two(r#"<joint name="x" type="fixed"><parent link="a"/></joint>"#), "<child> is required"),
        (geometry("<cone/>"), "expected <box>"),
        (geometry(r#"<box size="1 1"/>"#), "expected 3 numbers"),
        (geometry(r#"<sphere/>"#), "'radius' is required"),
        (
            String::from(
                r#"<robot><link name="a"><inertial><mass value="1"/></inertial></link></robot>"#,
            ),
            "<inertia> is required",
        ),
        (String::from("<mujoco/>"), "begins with <robot>"),
    ];
    for (text, reason) in bad {
        let error = load(&text).expect_err(&text);
        assert!(error.to_string().contains(reason), "{error}");
        assert!(error.diagnostics.iter().all(|d| d.line > 0 && d.kind != DiagnosticKind::Syntax));
    }
}

#[test]
fn meshes_keep_their_texture_coordinates() {
    let tetrahedron = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0 0\nvt 0.25 0\nvt 0 0.5\n\
        f 1/1 3/3 2/2\nf 1/1 2/2 4/3\nf 1/1 4/3 3/1\nf 2/2 3/3 4/1\n";
    let options = LoadOptions::default().with_asset("t.obj", tetrahedron.as_slice());
    let mesh = r#"<geometry><mesh filename="package://p/t.obj"/></geometry>"#;
    let inline = "<mujoco><compiler discardvisual='true'/><asset><mesh name='t' \
        vertex='0 0 0 1 0 0 0 1 0 0 0 1' texcoord='0 0 1 0 0 1 1 1'/></asset>\
        <worldbody><geom type='mesh' mesh='t'/></worldbody></mujoco>";
    let compiled =
        |text: &str| Spec::from_xml_str(text, &options).unwrap().compile().unwrap().model;

    // visual geometry is left out, as URDF says, or kept
    for discard in [true, false] {
        let m = compiled(&format!(
            r#"<robot name="r"><mujoco><compiler discardvisual="{discard}"/></mujoco><link name="a">
               <visual>{mesh}</visual><collision>{mesh}</collision></link></robot>"#
        ));
        assert_eq!((m.nmesh, m.ngeom), (1, if discard { 1 } else { 2 }));
        assert_eq!(*m.mesh_texcoord, [[0.0, 1.0], [0.25, 1.0], [0.0, 0.5]]);
        assert_eq!((m.mesh_texcoordadr[0], m.mesh_texcoordnum[0]), (0, 3));
        assert_eq!(*m.mesh_facetexcoord, [[0, 2, 1], [0, 1, 2], [0, 2, 0], [1, 2, 0]]);
    }
    let m = compiled(inline);
    assert_eq!(*m.mesh_texcoord, [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]);
    assert_eq!(m.mesh_facetexcoord[0], [2, 1, 0]);
}
