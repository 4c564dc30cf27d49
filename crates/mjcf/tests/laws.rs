//! Attributes of laws beyond MuJoCo's: `ferrodyn:bending_model`, `ferrodyn:elasticity_model`, `ferrodyn:gain_model`, `ferrodyn:solver="xpbd"`.

use ferrodyn_mjcf::{LoadOptions, MjcfError, Spec, compile_text};
use ferrodyn_model::{
    DynType, FlexBendingType, FlexElasticityType, GainModelType, GainType, Model, Solver,
};

fn text(attributes: &str, children: &str) -> String {
    let count = match attributes {
        line if line.contains("dim='1'") => "3 1 1",
        sheet if sheet.contains("dim='2'") => "3 3 1",
        _ => "3 3 3",
    };
    format!(
        "<mujoco xmlns:ferrodyn='urn:ferrodyn'><worldbody>\n<body name='p'>\
         <flexcomp name='f' count='{count}' spacing='.1 .1 .1' {attributes}>{children}</flexcomp></body></worldbody></mujoco>"
    )
}

fn model(text: &str) -> Model {
    compile_text(text).unwrap_or_else(|e| panic!("{e}"))
}

fn refused(text: &str) -> MjcfError {
    compile_text(text).unwrap_err()
}

const SOLID: &str = "<elasticity young='1e4' poisson='.3'/>";
const SHELL: &str = "<elasticity young='1e4' poisson='.3' thickness='.01'/>";

#[test]
fn a_flex_chooses_its_laws() {
    let m = model(&text("dim='3' ferrodyn:elasticity_model='neo_hookean'", SOLID));
    assert_eq!(m.elasticity_model(0), Some(FlexElasticityType::NeoHookean));
    assert_eq!((m.nflexrest, m.nflexhinge), (m.nflexelem, 0));
    // the volumes of all elements are that of the block
    let volume: ferrodyn_math::Real = m.flexrest_volume.iter().sum();
    assert!((volume - 0.008).abs() < 1e-7);

    let m = model(&text(
        "dim='2' ferrodyn:bending_model='bridson' ferrodyn:bend_stiffness='.5' ferrodyn:bend_damping='.25'",
        "",
    ));
    assert_eq!(m.bending_model(0), Some(FlexBendingType::Bridson));
    assert_eq!((m.flex_bend_stiffness[0], m.flex_bend_damping[0]), (0.5, 0.25));
    // edges that two triangles share
    assert!(m.nflexhinge > 0 && m.flexhinge_vert.iter().flatten().all(|v| *v < m.flex_vertnum[0]));
    // a plate of the material where no stiffness is given
    let m = model(&text("dim='2' ferrodyn:bending_model='bridson'", SHELL));
    assert!(m.flex_bend_stiffness[0] > 0.0);

    // nothing is there where nothing is chosen
    let m = model(&text("dim='3'", SOLID));
    assert_eq!((m.nflexrest, m.nflexhinge), (0, 0));
    assert_eq!(m.elasticity_model(0), Some(FlexElasticityType::Unstated));
    assert!(m.flexrest_inverse.is_empty() && m.flexhinge_vert.is_empty());
}

#[test]
fn laws_survive_saving() {
    let source = text(
        "dim='2' ferrodyn:bending_model='bridson' ferrodyn:bend_stiffness='.5' ferrodyn:elasticity_model='neo_hookean'",
        SHELL,
    );
    let spec = Spec::from_xml_str(&source, &LoadOptions::default()).unwrap();
    let saved = spec.to_xml();
    assert!(saved.contains("xmlns:ferrodyn=\"urn:ferrodyn\""));
    assert!(saved.contains("ferrodyn:bending_model=\"bridson\""));
    let again = model(&saved);
    assert_eq!(again.bending_model(0), Some(FlexBendingType::Bridson));
    assert_eq!(again.elasticity_model(0), Some(FlexElasticityType::NeoHookean));
    assert_eq!(again.flexhinge_vert, model(&source).flexhinge_vert);
    // without an extension no prefix is declared
    let plain = Spec::from_xml_str(&text("dim='2'", SHELL), &LoadOptions::default()).unwrap();
    assert!(!plain.to_xml().contains("ferrodyn"));
}

#[test]
fn laws_can_be_chosen_in_a_specification() {
    let mut spec = Spec::from_xml_str(&text("dim='3'", SOLID), &LoadOptions::default()).unwrap();
    spec.flexes[0].attr.attr.elasticity_model = Some(FlexElasticityType::NeoHookean);
    assert!(spec.compile().unwrap().model.nflexrest > 0);
}

#[test]
fn bad_laws_are_refused_at_their_place() {
    for (attributes, children, message) in [
        ("dim='3' ferrodyn:elasticity_model='rubber'", SOLID, "rubber"),
        ("dim='3' ferrodyn:elasticity_model='neo_hookean'", "", "young"),
        (
            "dim='3' ferrodyn:elasticity_model='neo_hookean'",
            "<elasticity young='1e4' poisson='.5'/>",
            "poisson",
        ),
        ("dim='2' ferrodyn:elasticity_model='neo_hookean'", SOLID, "thickness"),
        ("dim='1' ferrodyn:elasticity_model='neo_hookean'", SOLID, "triangles or tetrahedra"),
        ("dim='3' ferrodyn:bending_model='bridson'", "", "dim"),
        ("dim='2' ferrodyn:bending_model='bridson'", "", "bend_stiffness"),
        (
            "dim='2' ferrodyn:bending_model='bridson' ferrodyn:bend_stiffness='-1'",
            "",
            "bend_stiffness",
        ),
        (
            "dim='2' ferrodyn:bending_model='bridson' ferrodyn:bend_stiffness='1' ferrodyn:bend_damping='-1'",
            "",
            "bend_damping",
        ),
        (
            "dim='3' dof='trilinear' ferrodyn:elasticity_model='neo_hookean'",
            &format!("{SOLID}<contact selfcollide='none'/>"),
            "interpolated",
        ),
    ] {
        let error = refused(&text(attributes, children)).to_string();
        assert!(error.contains(message) && error.contains(":2:"), "{attributes}: {error}");
    }
    // an element without volume, and a triangle without area
    let flat = "type='direct' dim='3' point='0 0 0 1 0 0 0 1 0 1 1 0 0 0 1' element='0 1 2 3 0 1 2 4' ferrodyn:elasticity_model='neo_hookean'";
    let error = refused(&text(flat, SOLID)).to_string();
    assert!(error.contains("no volume") || error.contains("line or plane"), "{error}");
    let line = "type='direct' dim='2' point='0 0 0 1 0 0 2 0 0 0 1 0' element='0 1 2 0 2 3' ferrodyn:bending_model='bridson' ferrodyn:bend_stiffness='1'";
    let error = refused(&text(line, "")).to_string();
    assert!(error.contains("no area"), "{error}");
}

fn actuator(attributes: &str) -> String {
    format!(
        "<mujoco xmlns:ferrodyn='urn:ferrodyn'><worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody>\
         <actuator>\n<general joint='j' {attributes}/></actuator></mujoco>"
    )
}

#[test]
fn a_series_elastic_actuator_keeps_its_last_control() {
    let text = actuator(
        "gaintype='user' ferrodyn:gain_model='series_elastic' ferrodyn:gain_params='1000 10 50'",
    );
    let m = model(&text);
    assert_eq!((m.na, m.actuator_actnum[0]), (1, 1));
    assert_eq!(m.gain_kind(0), Some(GainType::User));
    assert_eq!(m.dynamics_kind(0), Some(DynType::User));
    assert_eq!(m.gain_model(0), Some(GainModelType::SeriesElastic));
    assert_eq!(m.actuator_gainprm[0][..3], [1000.0, 10.0, 50.0]);
    let saved = Spec::from_xml_str(&text, &LoadOptions::default()).unwrap().to_xml();
    assert_eq!(model(&saved).actuator_gainprm, m.actuator_gainprm);
    assert_eq!(model(&saved).gain_model(0), Some(GainModelType::SeriesElastic));
    // parameters come from a class too
    let class = text.replace("<worldbody>", "<default><general gaintype='user' ferrodyn:gain_model='series_elastic' ferrodyn:gain_params='7 8 9'/></default><worldbody>");
    let class = class.replace("gaintype='user' ferrodyn:gain_model='series_elastic' ferrodyn:gain_params='1000 10 50'/></actuator>", "/></actuator>");
    assert_eq!(model(&class).actuator_gainprm[0][..3], [7.0, 8.0, 9.0]);
}

#[test]
fn bad_gains_are_refused_at_their_place() {
    for (attributes, message) in [
        ("gaintype='user' ferrodyn:gain_model='elastic'", "elastic"),
        ("ferrodyn:gain_model='series_elastic'", "gaintype"),
        ("gaintype='user' ferrodyn:gain_params='1 2 3'", "gain_model"),
        (
            "gaintype='user' ferrodyn:gain_model='series_elastic' ferrodyn:gain_params='1 2'",
            "gain_params",
        ),
        (
            "gaintype='user' ferrodyn:gain_model='series_elastic' ferrodyn:gain_params='-1 2 3'",
            "negative",
        ),
        (
            "gaintype='user' dyntype='filter' ferrodyn:gain_model='series_elastic' ferrodyn:gain_params='1 2 3'",
            "activation",
        ),
    ] {
        let error = refused(&actuator(attributes)).to_string();
        assert!(error.contains(message) && error.contains(":2:"), "{attributes}: {error}");
    }
}

#[test]
fn position_based_contacts_are_a_solver() {
    let text = "<mujoco xmlns:ferrodyn='urn:ferrodyn'><option ferrodyn:solver='xpbd' ferrodyn:xpbd_substeps='6' ferrodyn:xpbd_iterations='3'/></mujoco>";
    let m = model(text);
    assert_eq!(m.solver(), Solver::Xpbd);
    assert_eq!((m.opt.xpbd_substeps, m.opt.xpbd_iterations), (6, 3));
    let saved = Spec::from_xml_str(text, &LoadOptions::default()).unwrap().to_xml();
    assert_eq!(model(&saved).opt, m.opt);
    for bad in [
        "ferrodyn:solver='pbd'",
        "solver='xpbd'",
        "ferrodyn:xpbd_substeps='0'",
        "ferrodyn:xpbd_iterations='-1'",
    ] {
        assert!(
            compile_text(&format!(
                "<mujoco xmlns:ferrodyn='urn:ferrodyn'><option {bad}/></mujoco>"
            ))
            .is_err(),
            "{bad}"
        );
    }
}
