//! Flexes, and what `<flexcomp>` makes.

use ferrodyn_math::Real;
use ferrodyn_mjcf::{DiagnosticKind, LoadOptions, MjcfError, Spec, compile_text};
use ferrodyn_model::{EqualityType, Model};

fn model(text: &str) -> Model {
    compile_text(text).unwrap_or_else(|e| panic!("{e}"))
}

/// A model with this in a body `p`.
fn in_body(inner: &str) -> String {
    format!("<mujoco><worldbody>\n<body name='p' pos='0 0 1'>{inner}</body></worldbody></mujoco>")
}

fn refused(text: &str) -> MjcfError {
    compile_text(text).unwrap_err()
}

fn flexcomp(attributes: &str, children: &str) -> String {
    in_body(&format!("<flexcomp name='f' {attributes}>{children}</flexcomp>"))
}

#[test]
fn a_grid_has_a_body_with_three_slides_for_each_point() {
    let m = model(&flexcomp("dim='2' count='3 4 1' spacing='.1 .1 .1' mass='6'", ""));
    assert_eq!((m.nbody, m.nv, m.nflexvert, m.nflexelem), (14, 36, 12, 12));
    assert_eq!((m.nflexedge, m.flex_centered[0], m.flex_rigid[0]), (23, 1, 0));
    assert_eq!(m.name(ferrodyn_model::ObjType::Body, 13), Some("f_11"));
    assert_eq!(m.body_mass[2], 0.5);
    assert!(m.flexedge_length0.iter().all(|l| (*l - 0.1).abs() < 1e-6 || *l > 0.14));
}

#[test]
fn pinned_points_stay_in_the_body_around_them() {
    let pins = "<pin id='0'/><pin range='3 4'/><pin grid='2 1'/><pin gridrange='0 1 0 1'/>";
    let m = model(&flexcomp("count='3 3 1' spacing='.1 .1 .1'", pins));
    let bodies: Vec<i32> = m.flex_vertbodyid.to_vec();
    let pinned: Vec<usize> = (0..9).filter(|&v| bodies[v] == 1).collect();
    assert_eq!(pinned, [0, 1, 3, 4, 7]);
    assert_eq!((m.nv, m.flex_centered[0]), (12, 0));
    // all points pinned: nothing moves
    let m = model(&flexcomp("count='3 3 1' spacing='.1 .1 .1'", "<pin range='0 8'/>"));
    assert_eq!((m.nv, m.flex_rigid[0]), (0, 1));
}

#[test]
fn the_constraint_of_edges_takes_no_defaults() {
    let text = flexcomp("count='3 3 1' spacing='.1 .1 .1'", "<edge equality='true' solref='.5'/>");
    let text = text.replace("<mujoco>", "<mujoco><default><equality solref='9 9'/></default>");
    let m = model(&text);
    assert_eq!((m.neq, m.eq_type[0]), (1, EqualityType::Flex as i32));
    assert_eq!(m.eq_solref[0], [0.5, 1.0]);
    assert_eq!(m.flex_edgeequality[0], 1);
    assert!(m.nJfe > 0 && m.flexedge_J_rownnz.iter().all(|n| *n == 6));
}

#[test]
fn an_interpolated_flex_moves_with_the_nodes_of_its_box() {
    let contact = "<contact selfcollide='none'/>";
    for (dof, nodes) in [("trilinear", 8), ("quadratic", 27)] {
        let attributes = format!("dim='3' dof='{dof}' count='4 4 4' spacing='.1 .1 .1'");
        let m = model(&flexcomp(&attributes, contact));
        assert_eq!((m.nflexnode, m.nv, m.nflexvert), (nodes, 3 * nodes, 64), "{dof}");
        assert!(m.flex_vertbodyid.iter().all(|b| *b == -1));
        let mass: Real = m.body_mass[2..].iter().sum();
        assert!((mass - 1.0).abs() < 1e-5);
    }
}

#[test]
fn vertices_of_a_flex_lie_on_any_bodies() {
    let m = model(
        "<mujoco><worldbody><body name='a'><joint/><geom size='1'/></body><body name='b' pos='1 0 0'/></worldbody>
         <deformable><flex name='f' dim='1' body='a b b' vertex='0 0 0 0 0 0 0 1 0' element='0 1 1 2'>
         <edge stiffness='2'/></flex></deformable></mujoco>",
    );
    assert_eq!((m.flex_rigid[0], m.flexedge_rigid.to_vec()), (0, vec![0, 1]));
    assert_eq!(m.flexedge_J_rownnz.to_vec(), [1, 0]);
    m.validate().unwrap();
}

#[test]
fn tetrahedra_look_outwards_and_know_how_deep_they_lie() {
    let m = model(&flexcomp("dim='3' count='5 5 5' spacing='.1 .1 .1'", ""));
    assert_eq!(m.flex_elemlayer.iter().copied().max(), Some(4));
    // two triangles on each square of each side
    assert_eq!(m.flex_shellnum[0], 6 * 16 * 2);
    let active = m.flex_elemlayer.iter().filter(|l| **l == 0).count();
    assert_eq!((m.nbvhdynamic, m.flex_bvhnum[0] as usize), (2 * active - 1, 2 * active - 1));
    m.validate().unwrap();
}

#[test]
fn what_mujoco_refuses_is_refused_with_its_place() {
    for (attributes, children, part) in [
        ("dim='4'", "", "'dim'"),
        ("count='0 1 1'", "", "'count'"),
        ("spacing='.001 1 1'", "", "'spacing'"),
        ("mass='0'", "", "'mass'"),
        ("type='direct'", "", "points and elements"),
        ("type='direct' point='0 0' element='0'", "", "three numbers"),
        ("type='direct' point='0 0 0 1 0 0 0 1 0' element='0 1 3'", "", "the point 3"),
        ("type='mesh' dim='3'", "", "'origin'"),
        ("type='mesh'", "", "a file"),
        ("type='box' dim='3' count='1 2 2'", "", "two points"),
        ("count='3 3 1'", "<pin id='9'/>", "no point 9"),
        ("count='3 3 1'", "<pin grid='0 3'/>", "outside"),
        ("count='3 3 1'", "<pin range='1'/>", "pairs"),
        ("count='3 3 1'", "<edge equality='true'/><elasticity elastic2d='both'/>", "elasticity"),
        ("count='3 3 1'", "<edge stiffness='1'/>", "lines"),
        ("count='3 3 1'", "<elasticity young='1' poisson='.5'/>", "'poisson'"),
        ("count='3 3 1' dof='trilinear'", "", "selfcollide"),
    ] {
        let error = refused(&flexcomp(attributes, children));
        let d = &error.diagnostics[0];
        assert!(d.message.contains(part), "{attributes} {children}: {error}");
        assert_eq!(d.line, 2, "{error}");
    }
    let many = LoadOptions::untrusted();
    let text = flexcomp("dim='3' count='1000 1000 1000'", "");
    let error = Spec::from_xml_str(&text, &many).unwrap_err();
    assert!(error.to_string().contains("budget"), "{error}");
    let error = refused(
        "<mujoco><deformable><flex name='f' body='nobody' element='0 1 2'/></deformable></mujoco>",
    );
    assert_eq!(error.diagnostics[0].kind, DiagnosticKind::Model, "{error}");
    let unnamed = in_body("<body><flexcomp name='f' count='3 3 1'/></body>");
    assert!(refused(&unnamed).to_string().contains("name"));
}

#[test]
fn a_saved_model_compiles_to_the_same_arrays() {
    let text = flexcomp(
        "count='3 3 1' spacing='.1 .1 .1' group='2'",
        "<edge equality='vert'/><contact margin='.01' passive='true'/><elasticity young='10' elastic2d='bend' thickness='.1'/>",
    );
    let spec = Spec::from_xml_str(&text, &LoadOptions::default()).unwrap();
    let before = spec.compile().unwrap().model;
    let after = model(&spec.to_xml());
    assert_eq!((before.nflexedge, before.neq), (after.nflexedge, after.neq));
    assert_eq!(before.flex_bending, after.flex_bending);
    assert_eq!(before.flex_vertmetric, after.flex_vertmetric);
    assert_eq!(before.flex_passive, after.flex_passive);
}

#[test]
fn an_attached_flex_keeps_its_name_and_follows_its_bodies() {
    let child =
        flexcomp("count='3 3 1' spacing='.1 .1 .1' material='m'", "<edge equality='true'/>")
            .replace("<mujoco>", "<mujoco><asset><material name='m'/></asset>");
    let options = LoadOptions::default().with_asset("child.xml", child.as_bytes().to_vec());
    let text = "<mujoco><asset><model name='c' file='child.xml'/></asset>
        <worldbody><attach model='c' body='p' prefix='x_'/></worldbody></mujoco>";
    let m = Spec::from_xml_str(text, &options).unwrap().compile().unwrap().model;
    assert_eq!((m.nflex, m.neq, m.flex_matid[0]), (1, 0, 0));
    assert_eq!(m.name(ferrodyn_model::ObjType::Flex, 0), Some("f"));
    assert_eq!(m.flex_vertbodyid.to_vec(), (2..11).collect::<Vec<i32>>());
}

#[test]
fn a_flexcomp_cannot_be_replicated() {
    let flexcomp = "<flexcomp name='f' count='3 3 1' spacing='.1 .1 .1'/>";
    for count in [0, 1, 3] {
        let replicate = |inner: &str| format!("<replicate count='{count}'>{inner}</replicate>");
        for text in [
            in_body(&replicate(flexcomp)),
            format!("<mujoco><worldbody>\n{}</worldbody></mujoco>", replicate(flexcomp)),
            in_body(&replicate(&format!("<body name='q'>{flexcomp}</body>"))),
            in_body(&replicate(&format!("<frame>{flexcomp}</frame>"))),
        ] {
            let error = refused(&text);
            let d = &error.diagnostics[0];
            assert!(d.message.contains("cannot be replicated"), "{count}: {error}");
            assert_eq!((d.element.as_deref(), d.line), (Some("replicate"), 2), "{error}");
        }
    }
}
