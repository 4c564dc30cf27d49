//! Deformable bodies that a model describes.
use ferrodyn::math::{Real, Vec3};
use ferrodyn::soft::{ConstraintType, Material, MaterialPreset};
use ferrodyn::{LoadOptions, Model, ModelArrays};
use ferrodyn_testing::load;

/// A model with a `<flexcomp>` that has these attributes and parts.
fn text(attributes: &str, parts: &str) -> String {
    format!(
        "<mujoco xmlns:ferrodyn='urn:ferrodyn'><worldbody><geom name='floor' type='plane' size='1 1 1'/>
         <body name='shelf' pos='0 0 1' euler='0 0 90'><geom size='.01' pos='9 9 9'/>
         <flexcomp name='soft' ferrodyn:solver='xpbd' {attributes}>{parts}</flexcomp></body></worldbody></mujoco>"
    )
}

const CLOTH: &str = "type='grid' dim='2' count='5 4 1' spacing='.1 .1 .1' mass='.3' radius='.01'";

#[test]
fn a_flexcomp_becomes_a_body_of_the_world() {
    let parts = "<contact contype='3' conaffinity='2' friction='.7'/><pin id='0 4'/>
                 <elasticity young='1e5' poisson='.2' damping='.003'/>";
    let attributes = format!(
        "{CLOTH} ferrodyn:substeps='7' ferrodyn:iterations='2' ferrodyn:damping='.5' ferrodyn:bend='.25' ferrodyn:stretch='.125'"
    );
    let model = load(&text(&attributes, parts));
    // no flex, no bodies and no joints
    assert_eq!((model.nsoft, model.nflex, model.nbody, model.nv), (1, 0, 2, 0));
    assert_eq!((model.nsoftvert, model.nsoftelemdata), (20, 3 * 24));
    assert_eq!((model.soft_contype[0], model.soft_conaffinity[0]), (3, 2));
    let mut data = model.make_data();
    let body = data.deformable(0).unwrap();
    assert_eq!(body.shape().dim(), 2);
    assert_eq!(body.collision_margin(), 0.01);
    let expected = Material { young: 1e5, poisson: 0.2, friction: 0.7, ..Material::default() };
    assert_eq!(*body.material(), expected);
    let config = body.config();
    assert_eq!((config.num_substeps, config.num_iterations), (7, 2));
    assert_eq!((config.damping, config.damping_time), (0.5, 0.003));
    let compliance = |kind: ConstraintType| {
        let all = body.shape().constraints().filter(move |c| c.constraint_type() == kind);
        all.map(|c| c.compliance()).collect::<Vec<Real>>()
    };
    let (bends, edges) =
        (compliance(ConstraintType::Bending), compliance(ConstraintType::Distance));
    assert!(bends.len() > 20 && bends.iter().all(|c| *c == 0.25));
    assert!(edges.len() > 40 && edges.iter().all(|c| *c == 0.125));
    let pinned: Vec<usize> = (0..20).filter(|i| body.inverse_masses()[*i] == 0.0).collect();
    assert_eq!(pinned, [0, 4]);
    // in the frame of its body: a quarter turn about z, one metre up
    let first = body.positions()[0];
    let local = model.soft_vert[0];
    assert!((first - Vec3::new(-local[1], local[0], 1.0 + local[2])).norm() < 1e-6, "{first:?}");
    data.step_n(&model, 50).unwrap();
    let body = data.deformable(0).unwrap();
    assert_eq!(body.positions()[0], first);
    assert!(body.positions()[10][2] < 1.0);
}

#[test]
fn dimensions_make_chains_cloths_and_solids() {
    let chain = "type='grid' dim='1' count='6 1 1' spacing='.1 .1 .1' radius='.01'";
    let solid = "type='grid' dim='3' count='3 3 3' spacing='.1 .1 .1' radius='.01' ferrodyn:material='gelatin'";
    for (attributes, dim) in [(chain, 1), (CLOTH, 2), (solid, 3)] {
        let model = load(&text(attributes, ""));
        let mut data = model.make_data();
        assert_eq!(data.deformable(0).unwrap().shape().dim(), dim);
        let mass: Real = data.deformable(0).unwrap().inverse_masses().iter().map(|w| 1.0 / w).sum();
        assert!((mass - if dim == 2 { 0.3 } else { 1.0 }).abs() < 1e-5, "{mass}");
        data.step_n(&model, 300).unwrap();
        let x = data.deformable(0).unwrap().positions();
        assert!(x.iter().all(|x| x[2] > 0.0 && x[2] < 1.0), "{dim}");
        assert!(!data.deformable_contacts().is_empty() || x[0][2] > 0.1, "{dim}");
    }
}

#[test]
fn every_material_has_its_word() {
    for (i, preset) in MaterialPreset::ALL.iter().enumerate() {
        let attributes = format!("{CLOTH} ferrodyn:material='{}'", preset.name());
        let model = load(&text(&attributes, ""));
        assert_eq!(model.soft_material[0], i as i32);
        let data = model.make_data();
        assert_eq!(*data.deformable(0).unwrap().material(), Material::preset(*preset));
    }
}

#[test]
fn options_of_contacts_are_read() {
    let model = load(
        "<mujoco xmlns:ferrodyn='urn:ferrodyn'><option ferrodyn:deformable_condim='1'
         ferrodyn:deformable_solref='.05 .8' ferrodyn:deformable_solimp='.8' ferrodyn:deformable_iterations='3'/>
         <worldbody/></mujoco>",
    );
    assert_eq!((model.opt.deformable_condim, model.opt.deformable_iterations), (1, 3));
    assert_eq!(model.opt.deformable_solref, [0.05, 0.8]);
    assert_eq!(model.opt.deformable_solimp[..2], [0.8, 0.95]);
    let silent = load("<mujoco><worldbody/></mujoco>");
    assert_eq!((silent.opt.deformable_condim, silent.opt.deformable_iterations), (3, 1));
    assert_eq!(silent.opt.deformable_solref, [0.02, 1.0]);
    assert_eq!(silent.opt.deformable_solimp, [0.9, 0.95, 0.001, 0.5, 2.0]);
}

#[test]
fn what_makes_no_sense_is_refused_with_its_place() {
    let refused = |text: &str| match Model::from_xml_str(text, &LoadOptions::default()) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("accepted: {text}"),
    };
    let direct = |points: &str, elements: &str, dim: usize| {
        text(&format!("type='direct' dim='{dim}' point='{points}' element='{elements}'"), "")
    };
    let cloth = |more: &str, parts: &str| text(&format!("{CLOTH} {more}"), parts);
    let moving = cloth("", "<pin id='1'/>").replace("euler='0 0 90'>", "><freejoint/>");
    let cases = [
        (cloth("ferrodyn:material='rubbber'", ""), "rubbber"),
        (cloth("ferrodyn:solver='pbd'", "").replacen("ferrodyn:solver='xpbd'", "", 1), "pbd"),
        (cloth("ferrodyn:substeps='0'", ""), "num_substeps"),
        (cloth("ferrodyn:stretch='-2'", ""), "stretch compliance"),
        (cloth("ferrodyn:damping='-1'", ""), "damping"),
        (cloth("", "<elasticity poisson='.5'/>"), "Poisson's ratio"),
        (cloth("", "<elasticity young='0'/>"), "Young's modulus"),
        (cloth("", "<pin id='20'/>"), "no point 20"),
        (cloth("dof='trilinear'", ""), "dof"),
        (cloth("", "<edge equality='true'/>"), "<edge>"),
        (cloth("", "").replace("mass='.3'", "mass='-1'"), "mass"),
        (cloth("", "").replace("ferrodyn:solver='xpbd'", "ferrodyn:bend='1'"), "ferrodyn:solver"),
        (
            direct("0 0 0 1 0 0 0 1 0 0 0 1 0 0 -1", "0 1 2 3 0 1 2 4", 3),
            "tetrahedron 1 is inverted",
        ),
        (direct("0 0 0 1 0 0 0 1 0 1 1 0", "0 1 2 3", 3), "tetrahedron 0 has no extent"),
        (direct("0 0 0 1 0 0 2 0 0", "0 1 2", 2), "triangle 0 has no extent"),
        (direct("0 0 0 1 0 0 0 1 0", "0 1 5", 2), "the point 5"),
        (moving, "pinned to a body that moves"),
    ];
    for (text, expected) in cases {
        let found = refused(&text);
        assert!(found.contains(expected), "{expected}: {found}\n{text}");
    }
    // all of them the other way round are the convention of a file
    assert_eq!(load(&direct("0 0 0 1 0 0 0 1 0 0 0 1", "0 2 1 3", 3)).nsoft, 1);
    // points that no element has are left out, as those of a flex are
    let loose = direct("0 0 0 1 0 0 0 1 0 5 5 5", "0 1 2", 2);
    assert_eq!(load(&loose).nsoftvert, 3);
}

#[test]
fn a_saved_model_has_the_same_bodies() {
    let attributes = format!("{CLOTH} pos='0 0 .2' ferrodyn:material='silk' ferrodyn:substeps='5'");
    let model = load(&text(&attributes, "<pin id='3'/><contact contype='5'/>"));
    let again = load(&model.to_xml().unwrap());
    let binary = Model::from(ModelArrays::from_bytes(&model.to_bytes()).unwrap());
    let run = |model: &Model| {
        let mut data = model.make_data();
        data.step_n(model, 20).unwrap();
        data.state_hash()
    };
    assert_eq!((run(&model), run(&model)), (run(&again), run(&binary)));
    // and snapshots are restored from the model alone
    let mut data = model.make_data();
    data.step_n(&model, 20).unwrap();
    let restored = ferrodyn::Data::from_bytes(&model, &data.to_bytes()).unwrap();
    assert_eq!(restored, data);
}

#[test]
fn replicas_and_attached_models_are_refused() {
    let inner = "<flexcomp name='soft' ferrodyn:solver='xpbd' type='grid' dim='2' count='3 3 1' spacing='.1 .1 .1'/>";
    let copies = format!(
        "<mujoco xmlns:ferrodyn='urn:ferrodyn'><worldbody><replicate count='2' offset='1 0 0'>
         <body name='b'>{inner}</body></replicate></worldbody></mujoco>"
    );
    let error = Model::from_xml_str(&copies, &LoadOptions::default()).unwrap_err();
    assert!(error.to_string().contains("cannot be replicated"), "{error}");
    let child =
        format!("<mujoco xmlns:ferrodyn='urn:ferrodyn'><worldbody>{inner}</worldbody></mujoco>");
    let child = ferrodyn::Spec::from_xml_str(&child, &LoadOptions::default()).unwrap();
    let mut scene = ferrodyn::Spec::new();
    let outcome = scene.attach(0, None, &child, ferrodyn::mjcf::Part::World, "a/", "");
    assert!(outcome.unwrap_err().to_string().contains("cannot be attached"));
}

#[test]
fn bad_arrays_of_a_binary_model_are_refused() {
    let model = load(&text(CLOTH, ""));
    let broken = |change: &dyn Fn(&mut ModelArrays)| {
        let mut arrays = (*model).clone();
        change(&mut arrays);
        arrays
    };
    let outside = broken(&|m| m.soft_vertadr[0] = 5);
    assert_eq!(outside.validate().unwrap_err().field, "soft_vertadr");
    let outside = broken(&|m| m.soft_elemnum[0] = 1000);
    assert_eq!(outside.validate().unwrap_err().field, "soft_elemadr");
    // what lies where it should and makes no sense is refused when a world is made
    let bad = broken(&|m| m.soft_elem[4] = 77);
    bad.validate().unwrap();
    let error = ferrodyn::dynamics::OwnedWorld::try_new(&bad).unwrap_err();
    assert!(error.to_string().contains("deformable body 0: triangle 1 names vertex 77"), "{error}");
}
