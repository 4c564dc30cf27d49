//! Names that the design documents fix: they exist, and mean what they should.
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use ferrodyn::dynamics::integrate::integrate_pos;
use ferrodyn::math::{Quat, Vec3, lu_factor_in_place, lu_solve_factored};
use ferrodyn::names::{
    ActuatorDynamics, ActuatorTransmission, BiasType, GainType, MjJointType, MjObjectType,
    MjSensorDataType, MjSensorType, MjcfActuator, MjcfActuatorType, MjcfContactExclude,
    MjcfContactPair, MjcfDefault, MjcfEquality, MjcfFlag, MjcfIntegrator, MjcfModel, MjcfSensor,
    MjcfTendon, MjcfTendonDefaults, SolverType, SpatialPathElement, WrapResult, WrapType,
    ball_limit_axis_angle, cylinder_wrap, flags_to_bits, sphere_wrap, sphere_wrapping_plane,
    wrap_inside_2d,
};
use ferrodyn::{DisableBit, EnableBit, Model};
use ferrodyn_testing::{load, run};

#[test]
fn types_have_the_names_of_the_documents() {
    // numbers are MuJoCo's, and those beyond it begin at 100
    assert_eq!([SolverType::Pgs, SolverType::Cg, SolverType::Newton].map(|s| s as i32), [0, 1, 2]);
    assert_eq!(SolverType::CgStrict as i32, 100);
    assert_eq!((ActuatorTransmission::Joint as i32, ActuatorDynamics::Integrator as i32), (0, 1));
    assert_eq!(
        (GainType::Affine as i32, BiasType::Affine as i32, WrapType::Joint as i32),
        (1, 1, 1)
    );
    assert_eq!((MjJointType::Hinge as i32, MjObjectType::Body as i32), (3, 1));
    assert_eq!((MjSensorType::Touch as i32, MjSensorDataType::Acc as i32), (0, 3));
    assert_eq!(MjcfIntegrator::Rk4 as i32, 1);
    let pair = MjcfContactPair::default().geom1("a").geom2("b").condim(4);
    let exclude = MjcfContactExclude::default().body1("a").body2("b");
    assert_eq!((pair.condim, exclude.body1.as_deref()), (Some(4), Some("a")));
    let mut spec = MjcfModel::new();
    spec.flags = MjcfFlag::default().contact(false);
    assert_eq!(Model::from_spec(&spec).unwrap().opt.disableflags, DisableBit::Contact as i32);
    let kinds = (MjcfActuatorType::Motor, MjcfActuator::default(), MjcfSensor::default());
    assert_eq!(kinds.1.joint.or(kinds.2.joint), None);
    let rest = (MjcfEquality::default(), MjcfTendonDefaults::default(), MjcfDefault::default());
    assert_eq!(rest.1, rest.2.tendon);
    assert_eq!(rest.0, rest.2.equality);
    let xml = "<mujoco><worldbody><body><joint name='j'/><geom size='1'/></body></worldbody>\
               <tendon><fixed><joint joint='j' coef='2'/></fixed></tendon></mujoco>";
    let model = load(xml);
    let tendon: &MjcfTendon = &model.spec().unwrap().tendons[0].attr;
    let joint = SpatialPathElement::Joint { joint: "j".into(), coef: 2.0 };
    assert_eq!((tendon.spatial, &tendon.path[0].part), (false, &joint));
}

#[test]
fn an_empty_model_is_that_of_an_empty_text() {
    assert_eq!(*Model::empty(), *load("<mujoco/>"));
    let model = Model::empty();
    let data = run(&model, 10);
    assert!((data.time() - 0.02).abs() < 1e-15);
}

#[test]
fn a_pendulum_of_links_swings_as_rods_do() {
    let one = Model::n_link_pendulum(1, 2.0, 3.0).unwrap();
    assert!((one.body_mass[1] - 3.0).abs() < 1e-12);
    // a rod about its end: m l² / 3, and a little for its round ends and thickness
    assert!((one.dof_M0[0] / (3.0 * 4.0 / 3.0) - 1.0).abs() < 0.05, "{}", one.dof_M0[0]);
    let chain = Model::n_link_pendulum(10, 1.0, 0.1).unwrap();
    assert_eq!((chain.nq, chain.nv, chain.nbody), (10, 10, 11));
    let mut data = chain.make_data();
    integrate_pos(&chain, data.qpos_mut(), &[0.3; 10], 1.0);
    data.step_n(&chain, 100).unwrap();
    assert!(data.contacts().is_empty() && data.qvel().iter().all(|v| *v != 0.0));
    assert_eq!(Model::n_link_pendulum(0, 1.0, 1.0).unwrap().nv, 0);
    assert!(Model::n_link_pendulum(1, -1.0, 1.0).is_err());
}

#[test]
fn a_limited_rotation_has_an_axis_and_an_angle() {
    let turn =
        |degrees: f64, axis: [f64; 3]| Quat::from_axis_angle(Vec3(axis), degrees.to_radians());
    let (x, y, z) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]);
    let slanted = [0.6, 0.8, 0.0];
    let cases = [
        (turn(90.0, z), FRAC_PI_2, z),
        (turn(50.0, slanted), 50f64.to_radians(), slanted),
        // the short way round
        (turn(200.0, z), 160f64.to_radians(), [0.0, 0.0, -1.0]),
        (turn(60.0, x), 60f64.to_radians(), x),
        (Quat(turn(60.0, x).0.map(|q| -q)), 60f64.to_radians(), x),
        (Quat([0.0, 0.0, 1.0, 0.0]), PI, y),
        (turn(45.0, x), FRAC_PI_4, x),
        (Quat(turn(45.0, x).0.map(|q| 1.05 * q)), FRAC_PI_4, x),
    ];
    for (quat, angle, axis) in cases {
        let found = ball_limit_axis_angle(quat);
        assert!((found.1 - angle).abs() < 1e-10, "{quat:?}: {found:?}");
        assert!((found.0 - Vec3(axis)).norm() < 1e-10, "{quat:?}: {found:?}");
    }
    assert_eq!(ball_limit_axis_angle(Quat::IDENTITY).1, 0.0);
    assert!(ball_limit_axis_angle(Quat([1.0, 1e-15, 1e-15, 1e-15])).1 < 1e-10);
}

#[test]
fn paths_around_obstacles_are_functions_of_points() {
    let (p1, p2) = (Vec3::new(0.3, 0.0, 0.15), Vec3::new(0.3, 0.0, -0.15));
    // through the sphere: one point, no arc
    let through = sphere_wrap(p1, p2, 0.15, Some(Vec3::new(0.05, 0.0, 0.0)));
    let WrapResult::Wrapped { tangent_point_1, tangent_point_2, arc_length } = through else {
        panic!("{through:?}");
    };
    assert_eq!((tangent_point_1, arc_length), (tangent_point_2, 0.0));
    assert!((tangent_point_1.norm() - 0.15).abs() < 1e-10);
    let length = (tangent_point_1 - p1).norm() + (p2 - tangent_point_2).norm();
    assert!((length - 0.424264068711929).abs() < 1e-6);
    assert_eq!(sphere_wrap(p1, p2, 0.15, None), WrapResult::NoWrap);
    let (axis0, axis1) = sphere_wrapping_plane(p1, p2);
    assert!((axis0 - p1 * (1.0 / p1.norm())).norm() < 1e-15 && axis0.dot(axis1).abs() < 1e-15);
    // a helix: it rises evenly
    let (p1, p2) = (Vec3::new(-0.3, 0.1, 0.2), Vec3::new(0.3, -0.05, -0.2));
    let WrapResult::Wrapped { tangent_point_1, tangent_point_2, arc_length } =
        cylinder_wrap(p1, p2, 0.08, None)
    else {
        panic!("the cylinder is in the way");
    };
    let length = (tangent_point_1 - p1).norm() + arc_length + (p2 - tangent_point_2).norm();
    assert!((length - 0.74507207).abs() < 1e-8, "{length}");
    let point = wrap_inside_2d([2.0, 0.0], [1.5, 1.5 * 3f64.sqrt()], 1.0).unwrap();
    assert!((point[0] - 0.89681322358).abs() < 1e-8 && (point[1] - 0.44240936021).abs() < 1e-8);
}

#[test]
fn flags_become_bits() {
    assert_eq!(flags_to_bits(&MjcfFlag::default()), (0, 0));
    let flags = MjcfFlag::default().spring(false).damper(false).gravity(true).sleep(true);
    let disabled = DisableBit::Spring as i32 | DisableBit::Damper as i32;
    assert_eq!(flags_to_bits(&flags), (disabled, EnableBit::Sleep as i32));
}

#[test]
fn general_matrices_are_solved_in_place() {
    let mut a = [0.0, 2.0, 1.0, 1.0, 1.0, 0.0, 3.0, 0.0, 1.0];
    let mut pivots = [0; 3];
    lu_factor_in_place(&mut a, &mut pivots).unwrap();
    let mut x = [7.0, 3.0, 6.0];
    lu_solve_factored(&a, &pivots, &mut x);
    for (found, expected) in x.iter().zip([1.0, 2.0, 3.0]) {
        assert!((found - expected).abs() < 1e-14, "{x:?}");
    }
    assert_eq!(lu_factor_in_place(&mut [0.0], &mut [0]).unwrap_err().column, 0);
}

#[test]
fn attributes_and_enumerations_can_be_serialized() {
    let pair = MjcfContactPair::default()
        .geom1("a")
        .geom2("b")
        .condim(4)
        .solref([0.05, 0.8])
        .margin(0.1 + 0.2);
    let text = serde_json::to_string(&pair).unwrap();
    assert!(text.contains(r#""geom1":"a""#) && text.contains(r#""condim":"4""#), "{text}");
    assert_eq!(serde_json::from_str::<MjcfContactPair>(&text).unwrap(), pair);
    let flags = MjcfFlag::default().contact(false).sleep(true);
    let text = serde_json::to_string(&flags).unwrap();
    assert_eq!(text, r#"{"contact":"disable","sleep":"enable"}"#);
    assert_eq!(serde_json::from_str::<MjcfFlag>(&text).unwrap(), flags);
    for wrong in [r#"{"kontakt":"disable"}"#, r#"{"contact":"maybe"}"#] {
        assert!(serde_json::from_str::<MjcfFlag>(wrong).is_err(), "{wrong}");
    }
    assert_eq!(serde_json::to_string(&SolverType::CgStrict).unwrap(), r#""CgStrict""#);
    assert_eq!(serde_json::from_str::<SolverType>(r#""Cg""#).unwrap(), SolverType::Cg);
}
