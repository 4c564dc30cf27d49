//! Forces along a tendon that wraps around a sphere: spring, damper, limit, motor, muscle.
use ferrodyn::{Data, Model};
use ferrodyn_testing::{close, load};

/// An arm that a tendon holds from above, over a sphere.
fn arm() -> Model {
    load(
        r#"<mujoco>
             <option><flag contact="disable"/></option>
             <worldbody>
               <site name="o" pos="0 0 .4"/>
               <geom name="g" type="sphere" size=".08" pos=".12 0 .25" contype="0" conaffinity="0"/>
               <body>
                 <joint name="j" axis="0 1 0" damping=".02"/>
                 <geom type="capsule" fromto="0 0 0 .3 0 0" size=".02"/>
                 <site name="t" pos=".3 0 0"/>
               </body>
             </worldbody>
             <tendon>
               <spatial name="s" springlength=".3" stiffness="40" damping="2" limited="true" range="0 .48">
                 <site site="o"/><geom geom="g"/><site site="t"/>
               </spatial>
             </tendon>
             <actuator>
               <motor name="m" tendon="s" gear="3"/>
               <muscle name="mus" tendon="s" lengthrange=".2 .6"/>
             </actuator>
             <sensor>
               <tendonpos tendon="s"/><tendonvel tendon="s"/>
               <actuatorpos actuator="m"/><actuatorvel actuator="m"/><actuatorfrc actuator="m"/>
             </sensor>
           </mujoco>"#,
    )
}

fn at(model: &Model, qpos: f64, qvel: f64, ctrl: [f64; 2]) -> Data {
    let mut data = model.make_data();
    data.qpos_mut()[0] = qpos;
    data.qvel_mut()[0] = qvel;
    data.ctrl_mut().copy_from_slice(&ctrl);
    data.forward(model).unwrap();
    data
}

#[test]
fn passive_forces_reach_the_joint_through_the_jacobian() {
    let data = at(&arm(), -0.3, 0.7, [0.0; 2]);
    let (length, velocity) = (data.ten_length()[0], data.ten_velocity()[0]);
    let along = 40.0 * (0.3 - length) - 2.0 * velocity;
    close(data.qfrc_passive()[0], data.ten_J()[0] * along - 0.02 * 0.7, 1e-12);
}

#[test]
fn a_limit_pulls_back_along_the_tendon() {
    let model = arm();
    let data = at(&model, 0.9, 0.0, [0.0; 2]);
    assert!(data.ten_length()[0] > 0.48);
    let force = data.work().efc_force[0];
    assert!(force > 0.0);
    // the row points to shorter lengths
    close(data.qfrc_constraint()[0], -data.ten_J()[0] * force, 1e-12 * force);
    close(data.qfrc_constraint()[0], LIMIT_TORQUE, 1e-6 * LIMIT_TORQUE.abs());
}

/// From MuJoCo 3.5.0.
const LIMIT_TORQUE: f64 = -48.050715990068454;

#[test]
fn a_motor_pulls_with_its_gear() {
    let model = arm();
    let with = at(&model, -0.3, 0.0, [0.7, 0.0]);
    let without = at(&model, -0.3, 0.0, [0.0, 0.0]);
    let torque = with.qfrc_actuator()[0] - without.qfrc_actuator()[0];
    close(torque, 3.0 * with.ten_J()[0] * 0.7, 1e-12);
    // power of the actuators: force · velocity = qfrc · qvel
    let moving = at(&model, -0.3, 0.8, [0.7, 0.4]);
    let forces = moving.actuator_force().iter().zip(moving.actuator_velocity());
    let power: f64 = forces.map(|(force, velocity)| force * velocity).sum();
    close(power, moving.qfrc_actuator()[0] * 0.8, 1e-12);
}

#[test]
fn sensors_report_length_velocity_and_force_of_tendon_and_actuator() {
    let data = at(&arm(), -0.3, 0.8, [0.7, 0.4]);
    let expected = [
        data.ten_length()[0],
        data.ten_velocity()[0],
        data.actuator_length()[0],
        data.actuator_velocity()[0],
        data.actuator_force()[0],
    ];
    assert_eq!(data.sensordata(), expected);
    assert_eq!(data.actuator_length()[0], 3.0 * data.ten_length()[0]);
}

#[test]
fn a_muscle_on_a_wrapped_tendon_has_an_acceleration() {
    close(arm().actuator_acc0[1], 14.655512, 1e-5);
}

#[test]
fn a_hundred_steps_give_the_oracles_numbers() {
    let model = arm();
    let mut data = model.make_data();
    data.qvel_mut()[0] = 1.0;
    data.ctrl_mut().copy_from_slice(&[0.7, 0.4]);
    for _ in 0..100 {
        data.step(&model).unwrap();
    }
    data.forward(&model).unwrap();
    for (found, expected) in [
        (data.qpos()[0], -0.6798881712579459),
        (data.qvel()[0], -1.45317317482651),
        (data.ten_length()[0], 0.331647485107604),
        (data.ten_velocity()[0], -0.4195136702162058),
        (data.qfrc_passive()[0], -0.09416938261555391),
        (data.qfrc_actuator()[0], -0.19771830290357006),
        (data.act()[0], 0.39999999962547),
    ] {
        close(found, expected, 1e-9);
    }
}
