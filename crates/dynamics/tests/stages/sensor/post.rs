//! Accelerations and forces of bodies, as sensors read them.
use ferrodyn_testing::{all_close, forward_at};

use super::{HINGE, sensing};

#[test]
fn an_accelerometer_feels_gravity_and_the_centripetal_force() {
    let m = sensing(HINGE, "<accelerometer site='s'/><gyro site='s'/><velocimeter site='s'/>");
    let d = forward_at(&m, &[], &[3.0]);
    let qacc = d.qacc()[0];
    // a point at radius one: inward 9, tangential qacc downwards, gravity felt upwards
    all_close(d.sensordata(), &[-9.0, 0.0, 9.81 - qacc, 0.0, 3.0, 0.0, 0.0, 0.0, -3.0], 1e-9);
    // nothing is felt in free fall
    let free = "<body><freejoint/><geom size='.1'/><site name='s'/></body>";
    let d = forward_at(&sensing(free, "<accelerometer site='s'/>"), &[], &[]);
    all_close(d.sensordata(), &[0.0; 3], 1e-12);
}

#[test]
fn force_and_torque_carry_what_hangs_below() {
    let world = "<body pos='0 0 1'><geom size='.1' mass='2' pos='.5 0 0'/><site name='s'/></body>";
    let d = forward_at(&sensing(world, "<force site='s'/><torque site='s'/>"), &[], &[]);
    all_close(d.sensordata(), &[0.0, 0.0, 19.62, 0.0, -9.81, 0.0], 1e-12);
}
