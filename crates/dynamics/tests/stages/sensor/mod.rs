//! Sensors, with values worked out by hand.
mod camera;
mod contact;
mod energy;
mod frame;
mod geom_pair;
mod limit;
mod post;
mod rangefinder;

use ferrodyn::{DisableBit, Model, load_model};
use ferrodyn_testing::{all_close, forward_at, forward_driven, load};

/// A model with sensors.
pub(crate) fn sensing(world: &str, sensors: &str) -> Model {
    load(&format!("<mujoco><worldbody>{world}</worldbody><sensor>{sensors}</sensor></mujoco>"))
}

pub(crate) const HINGE: &str = "<body name='b' pos='0 0 1'><joint name='h' axis='0 1 0'/>
    <geom name='g' size='.1' mass='2' pos='.5 0 0'/><site name='s' pos='1 0 0'/></body>";

#[test]
fn sensors_lie_one_after_the_other() {
    let m = sensing(HINGE, "<jointpos joint='h'/><framepos objtype='site' objname='s'/><clock/>");
    assert_eq!((m.nsensor, m.nsensordata), (3, 5));
    let d = forward_at(&m, &[0.5], &[]);
    all_close(&d.sensordata()[..1], &[0.5], 1e-12);
    all_close(&d.sensordata()[1..4], &d.site_xpos()[0].0, 0.0);
}

#[test]
fn the_magnetometer_turns_with_its_site() {
    let m = sensing(HINGE, "<magnetometer site='s'/>");
    all_close(forward_at(&m, &[0.3], &[]).sensordata(), &[0.0, -0.5, 0.0], 1e-15);
    let mut m = m;
    m.edit(|m| m.opt.magnetic = ferrodyn::math::Vec3::X);
    let (sin, cos) = 0.3f64.sin_cos();
    all_close(forward_at(&m, &[0.3], &[]).sensordata(), &[cos, 0.0, sin], 1e-15);
}

#[test]
fn cutoffs_limit_real_data_on_both_sides_and_positive_data_above() {
    let m = sensing(
        HINGE,
        "<jointpos joint='h' cutoff='.2'/><jointvel joint='h' cutoff='.5'/>
         <rangefinder site='s' cutoff='.1'/>",
    );
    let d = forward_at(&m, &[0.4], &[-3.0]);
    all_close(&d.sensordata()[..2], &[0.2, -0.5], 0.0);
    // a ray that meets nothing has length -1
    all_close(&d.sensordata()[2..], &[-0.1], 0.0);
}

#[test]
fn the_disable_flag_leaves_values_as_they_were() {
    let mut m = sensing(HINGE, "<jointpos joint='h'/>");
    let mut d = forward_at(&m, &[0.5], &[]);
    m.edit(|m| m.opt.disableflags |= DisableBit::Sensor as i32);
    d.qpos_mut()[0] = 0.7;
    d.forward(&m).unwrap();
    assert_eq!(d.sensordata(), [0.5]);
}

#[test]
fn sensors_refuse_objects_that_do_not_exist() {
    for (sensor, reason) in [
        ("<jointpos joint='x'/>", "<jointpos> joint=\"x\": no joint has this name"),
        ("<gyro site='x'/>", "<gyro> site=\"x\": no site has this name"),
        ("<tendonpos tendon='x'/>", "<tendonpos> tendon=\"x\": no tendon has this name"),
        ("<jointpos/>", "<jointpos>: the attribute 'joint' is required"),
    ] {
        let text =
            format!("<mujoco><worldbody>{HINGE}</worldbody><sensor>{sensor}</sensor></mujoco>");
        let error = load_model(&text).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
}

#[test]
fn actuator_sensors_of_a_tendon_are_scaled_by_the_gear() {
    let m = load(
        "<mujoco><worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody>
         <tendon><fixed name='t'><joint joint='j' coef='2'/></fixed></tendon>
         <actuator><motor name='a' tendon='t' gear='3'/></actuator>
         <sensor><tendonpos tendon='t'/><tendonvel tendon='t'/><actuatorpos actuator='a'/>
         <actuatorvel actuator='a'/><actuatorfrc actuator='a'/><tendonactuatorfrc tendon='t'/></sensor></mujoco>",
    );
    let d = forward_driven(&m, &[0.1], &[0.2], &[0.5], &[]);
    all_close(d.sensordata(), &[0.2, 0.4, 0.6, 1.2, 0.5, 0.5], 1e-15);
}
