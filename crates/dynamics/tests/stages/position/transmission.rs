//! Lengths, moments and velocities of actuators, and what is derived from them.
use ferrodyn::math::Vec3;
use ferrodyn::{Data, Model};
use ferrodyn_testing::{forward_at, load};

pub(crate) fn actuated(world: &str, actuators: &str) -> Model {
    load(&format!(
        "<mujoco><compiler angle='radian'/><worldbody>{world}</worldbody><actuator>{actuators}</actuator></mujoco>"
    ))
}

/// The dense moment of an actuator.
fn moment(model: &Model, data: &Data, i: usize) -> Vec<f64> {
    let mut row = vec![0.0; model.nv];
    let start = data.moment_rowadr()[i] as usize;
    for adr in start..start + data.moment_rownnz()[i] as usize {
        row[data.moment_colind()[adr] as usize] = data.actuator_moment()[adr];
    }
    row
}

pub(crate) const ARM: &str = r#"<site name="w" pos=".1 .2 .3"/><site name="turned" pos=".1 .2 .3" euler=".4 .7 -.3"/>
  <body pos="0 0 1"><joint axis="0 1 0"/><geom size=".1" pos=".3 0 0"/><site name="s1" pos=".5 0 0"/>
    <body pos=".6 0 0"><joint axis="0 0 1"/><geom size=".1" pos=".2 0 0"/><site name="s2" pos=".2 .1 0"/>
      <body pos=".4 0 0"><joint axis="1 0 0"/><geom size=".1" pos=".1 0 .1"/><site name="s3" pos=".1 0 .2"/><site name="s4"/>
        <site name="s5" pos=".1 0 .2" euler="-.2 .5 .3"/></body></body></body>"#;

#[test]
fn a_site_alone_has_no_length() {
    let model = actuated(ARM, "<motor site='s3' gear='1 2 3 4 5 6'/>");
    for q in [[0.0; 3], [0.3, -0.5, 1.0]] {
        let data = forward_at(&model, &q, &[1.0, 2.0, 3.0]);
        assert_eq!(data.actuator_length()[0], 0.0);
        let velocity: f64 =
            moment(&model, &data, 0).iter().zip(data.qvel()).map(|(m, v)| m * v).sum();
        assert!((data.actuator_velocity()[0] - velocity).abs() < 1e-14);
        assert!(velocity.abs() > 1e-3);
    }
}

#[test]
fn forces_and_torques_at_a_site_add_up() {
    let actuators = "<motor site='s1' gear='0 0 2'/><motor site='s1' gear='0 0 0 0 3 0'/>\
                     <motor site='s1' gear='0 0 2 0 3 0'/>";
    let model = actuated(ARM, actuators);
    let data = forward_at(&model, &[0.0; 3], &[]);
    // a force along z at 0.5 along x turns the hinge about y by -0.5, a torque about y directly
    assert!((moment(&model, &data, 0)[0] + 1.0).abs() < 1e-12);
    assert!((moment(&model, &data, 1)[0] - 3.0).abs() < 1e-12);
    assert!((moment(&model, &data, 2)[0] - 2.0).abs() < 1e-12);
}

#[test]
fn a_reference_site_gives_a_length() {
    let model = actuated(ARM, "<motor site='s3' refsite='w' gear='1 2 3'/>");
    let data = forward_at(&model, &[0.2, 0.4, 0.1], &[]);
    let offset = data.site_xpos()[4] - data.site_xpos()[0];
    let gear = Vec3::new(1.0, 2.0, 3.0);
    assert!((data.actuator_length()[0] - offset.dot(gear)).abs() < 1e-12);
}

#[test]
fn a_length_is_measured_along_the_axes_of_the_reference() {
    let model = actuated(ARM, "<motor site='s3' refsite='turned' gear='1 2 3'/>");
    let data = forward_at(&model, &[0.2, 0.4, 0.1], &[]);
    let offset = data.site_xpos()[4] - data.site_xpos()[1];
    let along = &data.site_xmat()[1].transpose() * offset;
    let expected = along.dot(Vec3::new(1.0, 2.0, 3.0));
    assert!((data.actuator_length()[0] - expected).abs() < 1e-12);
    // not along those of the world
    assert!((offset.dot(Vec3::new(1.0, 2.0, 3.0)) - expected).abs() > 0.1);
}

/// Actuators between sites that are turned against their bodies.
const TURNED: &str = "<motor site='s3' refsite='turned' gear='1 2 3'/>\
    <motor site='s3' refsite='turned' gear='0 0 0 1 2 3'/>\
    <motor site='s5' refsite='turned' gear='1 2 3 4 5 6'/><motor site='s5' gear='1 2 3 4 5 6'/>\
    <motor site='s3' refsite='w' gear='0 0 0 1 2 3'/>\
    <position site='s5' refsite='s1' gear='1 0 2 .3 0 .5' kp='3'/>";

#[test]
fn turned_sites_have_the_oracles_lengths_moments_and_forces() {
    let model = actuated(ARM, TURNED);
    let mut data = forward_at(&model, &[0.2, 0.4, 0.1], &[0.7, -0.3, 0.5]);
    data.ctrl_mut().copy_from_slice(&[0.5, -0.4, 0.3, 0.2, 0.6, -0.7]);
    data.forward(&model).unwrap();
    let close = |found: &[f64], expected: &[f64]| {
        assert_eq!(found.len(), expected.len());
        for (f, e) in found.iter().zip(expected) {
            assert!((f - e).abs() < 1e-12, "{found:?}, expected {expected:?}");
        }
    };
    // MuJoCo 3.5.0: the lengths of rotations multiply quaternions of sites from the other side
    close(
        data.actuator_length(),
        &[
            4.296183856559395,
            0.3716049806941264,
            6.774408988920052,
            0.0,
            1.7384329849844433,
            1.2647213191548583,
        ],
    );
    close(
        data.actuator_velocity(),
        &[
            -1.4308548892126398,
            1.3956267798663475,
            3.266811376011578,
            4.6300735820691274,
            1.024628314250764,
            0.05983534442235594,
        ],
    );
    close(&moment(&model, &data, 2), &[0.8167967030168679, 3.9914880409658546, 7.785000192379054]);
    close(data.qfrc_actuator(), &[1.1377409290084592, 1.1590609187104526, 0.8915545120907669]);
}

#[test]
fn the_power_of_a_site_actuator_is_that_of_its_joint_forces() {
    for actuator in [
        "<motor site='s5' gear='1 2 3 4 5 6'/>",
        "<motor site='s5' refsite='turned' gear='1 2 3 4 5 6'/>",
    ] {
        let model = actuated(ARM, actuator);
        let mut data = forward_at(&model, &[0.2, 0.4, 0.1], &[0.7, -0.3, 0.5]);
        data.ctrl_mut()[0] = 0.8;
        data.forward(&model).unwrap();
        let power = data.actuator_force()[0] * data.actuator_velocity()[0];
        let joints: f64 = data.qfrc_actuator().iter().zip(data.qvel()).map(|(f, v)| f * v).sum();
        assert!(power.abs() > 0.1 && (power - joints).abs() < 1e-12, "{power} {joints}");
    }
}

#[test]
fn a_quarter_turn_about_the_reference_axis_is_a_quarter_turn_long() {
    let world =
        "<site name='w'/><body><joint axis='1 0 0'/><geom size='.1'/><site name='s'/></body>";
    let model = actuated(world, "<motor site='s' refsite='w' gear='0 0 0 2 0 0'/>");
    let quarter = core::f64::consts::FRAC_PI_2;
    let data = forward_at(&model, &[quarter], &[]);
    assert!((data.actuator_length()[0] - 2.0 * quarter).abs() < 1e-12);
}

#[test]
fn the_velocity_of_a_referenced_site_is_the_rate_of_its_length() {
    let model = actuated(ARM, "<motor site='s3' refsite='w' gear='1 2 3'/>");
    let (q, v, h) = ([0.2, 0.4, 0.1], [0.7, -0.3, 0.5], 1e-6);
    let at = |t: f64| core::array::from_fn::<f64, 3, _>(|i| q[i] + t * v[i]);
    let rate = (forward_at(&model, &at(h), &[]).actuator_length()[0]
        - forward_at(&model, &at(-h), &[]).actuator_length()[0])
        / (2.0 * h);
    let data = forward_at(&model, &q, &v);
    assert!((data.actuator_velocity()[0] - rate).abs() < 1e-8 && rate.abs() > 0.1);
}

#[test]
fn the_velocity_of_a_turn_is_the_rate_of_its_length() {
    // one axis, and a reference whose frame is turned about it: here the length is the angle
    let world = "<site name='w' euler='.5 0 0'/><body><joint axis='1 0 0'/><geom size='.1'/><site name='s'/></body>";
    let model = actuated(world, "<motor site='s' refsite='w' gear='0 0 0 2 0 0'/>");
    let length = |q: f64| forward_at(&model, &[q], &[]).actuator_length()[0];
    assert!((length(1.2) - 2.0 * (1.2 - 0.5)).abs() < 1e-12);
    let data = forward_at(&model, &[1.2], &[0.7]);
    let rate = (length(1.2 + 1e-6 * 0.7) - length(1.2 - 1e-6 * 0.7)) / 2e-6;
    assert!((data.actuator_velocity()[0] - 1.4).abs() < 1e-12 && (rate - 1.4).abs() < 1e-8);
}

#[test]
fn what_moves_both_sites_does_not_count() {
    let actuators = "<motor site='s3' refsite='s4' gear='1 2 3 4 5 6'/>\
                     <motor site='s3' refsite='s1' gear='1 2 3 4 5 6'/>";
    let model = actuated(ARM, actuators);
    let data = forward_at(&model, &[0.2, 0.4, 0.1], &[]);
    assert_eq!(moment(&model, &data, 0), [0.0; 3]);
    let partly = moment(&model, &data, 1);
    assert_eq!(partly[0], 0.0);
    assert!(partly[1] != 0.0 && partly[2] != 0.0);
}

#[test]
fn adhesion_has_no_length_and_without_contacts_no_moment() {
    let world = "<body name='box'><freejoint/><geom size='.1'/></body>";
    let model = actuated(world, "<adhesion body='box' gain='100' ctrlrange='0 1'/>");
    assert_eq!(model.actuator_ctrllimited[0], 1);
    assert_eq!(model.actuator_gainprm[0][0], 100.0);
    let data = forward_at(&model, &[], &[]);
    assert_eq!((data.actuator_length()[0], data.moment_rownnz()[0]), (0.0, 0));
}
