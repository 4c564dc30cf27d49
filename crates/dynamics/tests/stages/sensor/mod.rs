//! Sensors, with values worked out by hand.
use ferrodyn::{Data, DisableBit, Model, load_model};

fn model(world: &str, rest: &str, sensors: &str) -> Model {
    load_model(&format!(
        "<mujoco><worldbody>{world}</worldbody>{rest}<sensor>{sensors}</sensor></mujoco>"
    ))
    .unwrap_or_else(|e| panic!("{e}"))
}

fn forward(m: &Model, qpos: &[f64], qvel: &[f64]) -> Data {
    let mut d = m.make_data();
    d.qpos_mut()[..qpos.len()].copy_from_slice(qpos);
    d.qvel_mut()[..qvel.len()].copy_from_slice(qvel);
    d.forward(m).unwrap();
    d
}

fn close(found: &[f64], expected: &[f64], tolerance: f64) {
    let near = found.len() == expected.len()
        && found.iter().zip(expected).all(|(a, b)| (a - b).abs() <= tolerance);
    assert!(near, "{found:?}, expected {expected:?}");
}

const HINGE: &str = "<body name='b' pos='0 0 1'><joint name='h' axis='0 1 0'/>
    <geom name='g' size='.1' mass='2' pos='.5 0 0'/><site name='s' pos='1 0 0'/></body>";

#[test]
fn sensors_lie_one_after_the_other() {
    let m = model(HINGE, "", "<jointpos joint='h'/><framepos objtype='site' objname='s'/><clock/>");
    assert_eq!((m.nsensor, m.nsensordata), (3, 5));
    let d = forward(&m, &[0.5], &[]);
    close(&d.sensordata()[..1], &[0.5], 1e-12);
    close(&d.sensordata()[1..4], &d.site_xpos()[0].0, 0.0);
}

#[test]
fn the_magnetometer_turns_with_its_site() {
    let m = model(HINGE, "", "<magnetometer site='s'/>");
    close(forward(&m, &[0.3], &[]).sensordata(), &[0.0, -0.5, 0.0], 1e-15);
    let mut m = m;
    m.edit(|m| m.opt.magnetic = ferrodyn::math::Vec3::X);
    let (sin, cos) = 0.3f64.sin_cos();
    close(forward(&m, &[0.3], &[]).sensordata(), &[cos, 0.0, sin], 1e-15);
}

#[test]
fn an_accelerometer_feels_gravity_and_the_centripetal_force() {
    let m = model(HINGE, "", "<accelerometer site='s'/><gyro site='s'/><velocimeter site='s'/>");
    let d = forward(&m, &[], &[3.0]);
    let qacc = d.qacc()[0];
    // a point at radius one: inward 9, tangential qacc downwards, gravity felt upwards
    close(d.sensordata(), &[-9.0, 0.0, 9.81 - qacc, 0.0, 3.0, 0.0, 0.0, 0.0, -3.0], 1e-9);
    // nothing is felt in free fall
    let free = "<body><freejoint/><geom size='.1'/><site name='s'/></body>";
    let d = forward(&model(free, "", "<accelerometer site='s'/>"), &[], &[]);
    close(d.sensordata(), &[0.0; 3], 1e-12);
}

#[test]
fn force_and_torque_carry_what_hangs_below() {
    let world = "<body pos='0 0 1'><geom size='.1' mass='2' pos='.5 0 0'/><site name='s'/></body>";
    let d = forward(&model(world, "", "<force site='s'/><torque site='s'/>"), &[], &[]);
    close(d.sensordata(), &[0.0, 0.0, 19.62, 0.0, -9.81, 0.0], 1e-12);
}

#[test]
fn frames_are_seen_from_other_frames() {
    let world = "<body name='a' pos='1 0 0' euler='0 0 90'><joint name='h' axis='0 0 1'/>
        <geom size='.1'/><site name='s'/></body><body name='c' pos='1 2 0'><joint axis='0 0 1'/><geom size='.1'/></body>";
    let m = model(
        world,
        "",
        "<framepos objtype='xbody' objname='c' reftype='site' refname='s'/>
         <framexaxis objtype='xbody' objname='c' reftype='xbody' refname='a'/>
         <framequat objtype='xbody' objname='c' reftype='xbody' refname='a'/>
         <framelinvel objtype='xbody' objname='c' reftype='xbody' refname='a'/>
         <frameangvel objtype='xbody' objname='c' reftype='xbody' refname='a'/>",
    );
    let d = forward(&m, &[], &[2.0, 0.0]);
    let half = 0.5f64.sqrt();
    close(
        d.sensordata(),
        &[2.0, 0.0, 0.0, 0.0, -1.0, 0.0, half, 0.0, 0.0, -half, 0.0, -4.0, 0.0, 0.0, 0.0, -2.0],
        1e-12,
    );
}

#[test]
fn cutoffs_limit_real_data_on_both_sides_and_positive_data_above() {
    let m = model(
        HINGE,
        "",
        "<jointpos joint='h' cutoff='.2'/><jointvel joint='h' cutoff='.5'/>
         <rangefinder site='s' cutoff='.1'/>",
    );
    let d = forward(&m, &[0.4], &[-3.0]);
    close(&d.sensordata()[..2], &[0.2, -0.5], 0.0);
    // a ray that meets nothing has length -1
    close(&d.sensordata()[2..], &[-0.1], 0.0);
}

#[test]
fn a_rangefinder_sees_the_nearest_geom_but_not_its_own_body() {
    let world = "<geom type='plane' size='1 1 1'/><geom type='box' size='.1 .1 .1' pos='1 0 .1'/>
        <body pos='0 0 1'><joint type='slide'/><geom size='.1'/><site name='s' euler='180 0 0'/>
        <site name='over' pos='1 0 0' euler='180 0 0'/><site name='up'/></body>";
    let sensors = "<rangefinder site='s'/><rangefinder site='over'/><rangefinder site='up'/>
        <rangefinder site='over' data='dist normal'/>";
    let d = forward(&model(world, "", sensors), &[], &[]);
    close(d.sensordata(), &[1.0, 0.8, -1.0, 0.8, 0.0, 0.0, 1.0], 1e-12);
}

#[test]
fn touch_and_contact_sensors_carry_the_weight() {
    let world = "<geom name='floor' type='plane' size='1 1 1'/>
        <body name='b' pos='0 0 .1'><freejoint/><geom name='g' size='.1' mass='2'/>
        <site name='below' size='.05' pos='0 0 -.1'/><site name='above' size='.05' pos='0 0 .3'/></body>";
    let sensors = "<touch site='below'/><touch site='above'/><contact geom1='floor' geom2='g' data='found force normal'/>
        <contact geom1='g' geom2='floor' data='normal'/><contact body1='b' reduce='netforce' data='found force'/>
        <touch site='below' cutoff='5'/>";
    let m = model(world, "", sensors);
    let mut d = m.make_data();
    d.step_n(&m, 2000).unwrap();
    d.forward(&m).unwrap();
    let weight = 19.62;
    let s = d.sensordata();
    close(&s[..2], &[weight, 0.0], 1e-6);
    close(&s[2..6], &[1.0, weight, 0.0, 0.0], 1e-6);
    close(&s[6..12], &[0.0, 0.0, 1.0, 0.0, 0.0, -1.0], 1e-9);
    // the net force is that of the first object on the second
    close(&s[12..16], &[1.0, 0.0, 0.0, -weight], 1e-6);
    close(&s[16..], &[5.0], 0.0);
}

#[test]
fn limit_sensors_are_zero_until_the_limit_is_reached() {
    let world =
        "<body><joint name='h' axis='0 1 0' range='-10 10'/><geom size='.1' pos='.5 0 0'/></body>";
    let m = model(
        world,
        "",
        "<jointlimitpos joint='h'/><jointlimitvel joint='h'/><jointlimitfrc joint='h'/>",
    );
    assert_eq!(forward(&m, &[0.1], &[1.0]).sensordata(), [0.0; 3]);
    let d = forward(&m, &[0.2], &[1.0]);
    close(&d.sensordata()[..2], &[10f64.to_radians() - 0.2, -1.0], 1e-12);
    assert!(d.sensordata()[2] > 0.0);
}

#[test]
fn the_disable_flag_leaves_values_as_they_were() {
    let mut m = model(HINGE, "", "<jointpos joint='h'/>");
    let mut d = forward(&m, &[0.5], &[]);
    m.edit(|m| m.opt.disableflags |= DisableBit::Sensor as i32);
    d.qpos_mut()[0] = 0.7;
    d.forward(&m).unwrap();
    assert_eq!(d.sensordata(), [0.5]);
}

#[test]
fn a_delayed_sensor_shows_the_past() {
    let mut m = model(
        HINGE,
        "",
        "<clock/><clock nsample='20' delay='.02'/><clock nsample='4' interval='.01'/>",
    );
    m.edit(|m| m.opt.timestep = 0.002);
    let mut d = m.make_data();
    for step in 0..40 {
        let time = step as f64 * 0.002;
        d.step(&m).unwrap();
        let s = d.sensordata();
        close(&s[..1], &[time], 1e-12);
        if step > 20 {
            close(&s[1..2], &[time - 0.02], 1e-9);
            // a value is held until the next one is due, every fifth step
            assert!(s[2] <= time + 1e-9 && time - s[2] < 0.01 + 1e-9, "{} at {time}", s[2]);
        }
    }
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
