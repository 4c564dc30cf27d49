//! Limits of ball joints: one row that keeps the angle of rotation inside a cone.
use ferrodyn::math::{Quat, Vec3};
use ferrodyn::{ConstraintType, Data, Model, load_model};
use ferrodyn_testing::{close, forward_driven, load};

use crate::support::{single, two_links};

/// One free-floating body on a ball joint with these attributes, without gravity.
fn ball(joint: &str) -> Model {
    load(&format!(
        "<mujoco><option gravity='0 0 0' timestep='.001'/><worldbody><body><joint type='ball' {joint}/>\
         <geom size='.1' mass='1'/></body></worldbody></mujoco>"
    ))
}

fn rotation(degrees: f64, axis: [f64; 3]) -> Quat {
    Quat::from_axis_angle(Vec3(axis), degrees.to_radians())
}

/// The world after one step from a rotation.
fn rotated(model: &Model, degrees: f64, axis: [f64; 3], qvel: [f64; 3]) -> Data {
    let mut data = model.make_data();
    data.qpos_mut().copy_from_slice(&rotation(degrees, axis).0);
    data.qvel_mut().copy_from_slice(&qvel);
    data.step(model).unwrap();
    data
}

/// The limit rows: joint, violation, velocity, Jacobian.
fn rows(model: &Model, data: &Data) -> Vec<(i32, f64, f64, Vec<f64>)> {
    let w = data.work();
    (0..w.efc_type.len())
        .filter(|&i| w.efc_type[i] == ConstraintType::LimitJoint as i32)
        .map(|i| {
            let jacobian = w.efc_J[i * model.nv..(i + 1) * model.nv].to_vec();
            (w.efc_id[i], w.efc_pos[i], w.efc_vel[i], jacobian)
        })
        .collect()
}

fn assert_row(row: &(i32, f64, f64, Vec<f64>), degrees: f64, jacobian: [f64; 3]) {
    assert!((row.1 - degrees.to_radians()).abs() < 1e-12, "{row:?}");
    let first = row.0 as usize * 3;
    for i in 0..3 {
        assert!((row.3[first + i] - jacobian[i]).abs() < 1e-12, "{row:?}");
    }
}

fn angle(data: &Data) -> f64 {
    let q = data.qpos();
    2.0 * q[1..].iter().map(|x| x * x).sum::<f64>().sqrt().atan2(q[0].abs()).to_degrees()
}

#[test]
fn a_rotation_past_the_limit_has_one_row_along_its_axis() {
    const X: [f64; 3] = [1.0, 0.0, 0.0];
    const Z: [f64; 3] = [0.0, 0.0, 1.0];
    // range, rotation, axis; violation and Jacobian
    let cases = [
        (30.0, 50.0, X, -20.0, [-1.0, 0.0, 0.0]),
        (45.0, 50.0, [0.6, 0.8, 0.0], -5.0, [-0.6, -0.8, 0.0]),
        (170.0, 175.0, X, -5.0, [-1.0, 0.0, 0.0]),
        (45.0, 45.5, Z, -0.5, [0.0, 0.0, -1.0]),
        // the short way round is 160 degrees about the opposite axis
        (150.0, 200.0, Z, -10.0, [0.0, 0.0, 1.0]),
    ];
    for (range, degrees, axis, violation, jacobian) in cases {
        let model = ball(&format!("range='0 {range}'"));
        let data = rotated(&model, degrees, axis, [0.0; 3]);
        let rows = rows(&model, &data);
        assert_eq!(rows.len(), 1, "{degrees}");
        assert_row(&rows[0], violation, jacobian);
        assert!(data.work().efc_force[0] > 0.0);
    }
}

#[test]
fn the_velocity_of_the_row_is_that_away_from_the_limit() {
    let model = ball("range='0 45'");
    let data = rotated(&model, 50.0, [0.6, 0.8, 0.0], [1.0, 2.0, 0.5]);
    assert!((rows(&model, &data)[0].2 + 2.2).abs() < 1e-12);
    for (speed, expected) in [(2.0, -2.0), (-2.0, 2.0)] {
        let data = rotated(&model, 60.0, [1.0, 0.0, 0.0], [speed, 0.0, 0.0]);
        assert!((rows(&model, &data)[0].2 - expected).abs() < 1e-12);
    }
}

#[test]
fn inside_the_cone_and_without_a_limit_there_is_no_row() {
    let y = [0.0, 1.0, 0.0];
    for (joint, degrees) in [
        ("range='0 45'", 0.0),
        ("range='0 45'", 30.0),
        ("range='0 45'", 44.999),
        ("range='0 45'", 44.5),
        ("limited='false' range='0 45'", 170.0),
    ] {
        let model = ball(joint);
        assert!(rows(&model, &rotated(&model, degrees, y, [0.0; 3])).is_empty(), "{joint}");
    }
    // a margin brings the row in earlier
    let model = ball("range='0 45' margin='.1'");
    assert_eq!(rows(&model, &rotated(&model, 44.5, y, [0.0; 3])).len(), 1);
}

#[test]
fn a_free_joint_has_no_limit() {
    let model = load(
        "<mujoco><worldbody><body><joint type='free' limited='true' range='0 .5'/><geom size='.1'/></body>\
         </worldbody></mujoco>",
    );
    let mut data = model.make_data();
    data.qpos_mut()[3..].copy_from_slice(&rotation(120.0, [1.0, 0.0, 0.0]).0);
    data.step(&model).unwrap();
    assert_eq!(data.header().nefc, 0);
}

#[test]
fn a_range_is_stored_in_radians_and_begins_at_zero() {
    let degree = ball("range='0 45'");
    assert!((degree.jnt_range[0][1] - 45f64.to_radians()).abs() < 1e-15);
    assert_eq!(degree.jnt_limited[0], 1);
    let turned = rotated(&degree, 60.0, [1.0, 0.0, 0.0], [0.0; 3]);
    assert_eq!(rows(&degree, &turned).len(), 1);
    let radian = load(
        "<mujoco><compiler angle='radian'/><worldbody><body><joint type='ball' range='0 .7853981633974483'/>\
         <geom size='.1'/></body></worldbody></mujoco>",
    );
    assert_eq!(radian.jnt_range[0], [0.0, 45f64.to_radians()]);
    let data = rotated(&radian, 60.0, [1.0, 0.0, 0.0], [0.0; 3]);
    assert_row(&rows(&radian, &data)[0], -15.0, [-1.0, 0.0, 0.0]);
    // reversed, it is no limit, and an error where a limit is demanded
    assert_eq!(ball("range='45 0'").jnt_limited[0], 0);
    let error = load_model(
        "<mujoco><worldbody><body><joint type='ball' limited='true' range='45 0'/><geom size='.1'/></body>\
         </worldbody></mujoco>",
    )
    .unwrap_err();
    assert!(error.to_string().contains("range"), "{error}");
}

#[test]
fn a_quaternion_its_negative_and_its_multiples_give_the_same_row() {
    let model = ball("range='0 45'");
    let quat = rotation(60.0, [1.0, 0.0, 0.0]);
    for scale in [1.0, -1.0, 1.05] {
        let mut data = model.make_data();
        data.qpos_mut().copy_from_slice(&quat.0.map(|x| x * scale));
        data.forward(&model).unwrap();
        let rows = rows(&model, &data);
        assert_eq!(rows.len(), 1);
        assert_row(&rows[0], -15.0, [-1.0, 0.0, 0.0]);
    }
}

#[test]
fn rows_come_in_the_order_of_the_joints() {
    let chain = |joints: [&str; 3]| {
        let mut xml = String::from("<mujoco><option gravity='0 0 0'/><worldbody>");
        for joint in joints {
            xml += &format!("<body pos='.2 0 0'><joint {joint}/><geom size='.05' mass='.5'/>");
        }
        load(&(xml + "</body></body></body></worldbody></mujoco>"))
    };
    let set = |model: &Model, quats: [Quat; 3]| {
        let mut data = model.make_data();
        for (i, quat) in quats.iter().enumerate() {
            data.qpos_mut()[4 * i..4 * i + 4].copy_from_slice(&quat.0);
        }
        data.step(model).unwrap();
        data
    };
    let quats = [
        rotation(50.0, [1.0, 0.0, 0.0]),
        rotation(60.0, [0.0, 1.0, 0.0]),
        rotation(170.0, [0.0, 0.0, 1.0]),
    ];
    let model = chain(["type='ball' range='0 30'", "type='ball' range='0 90'", "type='ball'"]);
    let found = rows(&model, &set(&model, quats));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].0, 0);
    let model = chain(["type='ball' range='0 30'", "type='ball' range='0 45'", "type='ball'"]);
    let found = rows(&model, &set(&model, quats));
    assert_eq!(found.len(), 2);
    assert_row(&found[0], -20.0, [-1.0, 0.0, 0.0]);
    assert_row(&found[1], -15.0, [0.0, -1.0, 0.0]);
}

#[test]
fn limits_of_hinges_and_ball_joints_live_side_by_side() {
    let model = load(
        "<mujoco><option gravity='0 0 0'/><worldbody><body><joint axis='0 0 1' range='-30 30'/>\
         <geom size='.1'/><body pos='.3 0 0'><joint type='ball' range='0 45'/><geom size='.1'/></body></body>\
         </worldbody></mujoco>",
    );
    let mut data = model.make_data();
    data.qpos_mut()[0] = 40f64.to_radians();
    data.qpos_mut()[1..].copy_from_slice(&rotation(60.0, [0.0, 1.0, 0.0]).0);
    data.step(&model).unwrap();
    let rows = rows(&model, &data);
    assert_eq!((rows.len(), rows[0].0, rows[1].0), (2, 0, 1));
    assert_eq!(rows[0].3, [-1.0, 0.0, 0.0, 0.0]);
    for (found, expected) in rows[1].3.iter().zip([0.0, 0.0, -1.0, 0.0]) {
        assert!((found - expected).abs() < 1e-12);
    }
}

#[test]
fn the_limit_pushes_back() {
    const X: [f64; 3] = [1.0, 0.0, 0.0];
    // range, rotation, speed, steps; angle at the end
    for (range, degrees, speed, steps, most) in
        [(30.0, 35.0, 2.0, 500, 32.0), (170.0, 175.0, 0.0, 200, 173.0), (0.0, 20.0, 0.0, 200, 5.0)]
    {
        let model = ball(&format!("limited='true' range='0 {range}'"));
        let mut data = rotated(&model, degrees, X, [speed, 0.0, 0.0]);
        assert_eq!(rows(&model, &data).len(), 1);
        data.step_n(&model, steps).unwrap();
        assert!(angle(&data) < most, "{range}: {}", angle(&data));
    }
    // under a constant torque the joint leans on its limit, softly
    let model = ball("range='0 60'");
    let mut data = model.make_data();
    data.qfrc_applied_mut()[1] = 0.1;
    data.step_n(&model, 3000).unwrap();
    assert!((55.0..61.0).contains(&angle(&data)), "{}", angle(&data));
}

#[test]
fn a_sensor_reads_the_force_of_the_limit() {
    let model = load(
        "<mujoco><option gravity='0 0 0'/><worldbody><body><joint name='j' type='ball' range='0 30'/>\
         <geom size='.1' mass='1'/></body></worldbody><sensor><jointlimitfrc joint='j'/></sensor></mujoco>",
    );
    let data = rotated(&model, 60.0, [1.0, 0.0, 0.0], [0.0; 3]);
    let force = data.work().efc_force[0];
    assert!(force > 1e-10);
    assert_eq!(data.sensordata(), [force]);
    assert!((data.qfrc_constraint()[0] + force).abs() < 1e-12 * force);
}

#[test]
fn tendon_friction_and_limits_are_constraints() {
    let friction = two_links(&single("frictionloss='2'"), "");
    close(forward_driven(&friction, &[0.0], &[5.0], &[], &[]).qfrc_constraint()[0], -2.0, 1e-6);
    let limit = two_links(&single("limited='true' range='.1 .5'"), "");
    assert!(forward_driven(&limit, &[0.05], &[], &[], &[]).qfrc_constraint()[0] > 0.0);
    assert!(forward_driven(&limit, &[0.6], &[], &[], &[]).qfrc_constraint()[0] < 0.0);
    assert_eq!(forward_driven(&limit, &[0.3], &[], &[], &[]).qfrc_constraint()[0], 0.0);
}
