//! Sensors of touch and of contacts.
use ferrodyn::dynamics::constraint::add_contact;
use ferrodyn::dynamics::hooks::NoHooks;
use ferrodyn::dynamics::sensor::sensor_acc;
use ferrodyn_testing::{all_close, forward, load, run};

use super::sensing;

#[test]
fn touch_and_contact_sensors_carry_the_weight() {
    let world = "<geom name='floor' type='plane' size='1 1 1'/>
        <body name='b' pos='0 0 .1'><freejoint/><geom name='g' size='.1' mass='2'/>
        <site name='below' size='.05' pos='0 0 -.1'/><site name='above' size='.05' pos='0 0 .3'/></body>";
    let sensors = "<touch site='below'/><touch site='above'/><contact geom1='floor' geom2='g' data='found force normal'/>
        <contact geom1='g' geom2='floor' data='normal'/><contact body1='b' reduce='netforce' data='found force'/>
        <touch site='below' cutoff='5'/>";
    let m = sensing(world, sensors);
    let mut d = run(&m, 2000);
    d.forward(&m).unwrap();
    let weight = 19.62;
    let s = d.sensordata();
    all_close(&s[..2], &[weight, 0.0], 1e-6);
    all_close(&s[2..6], &[1.0, weight, 0.0, 0.0], 1e-6);
    all_close(&s[6..12], &[0.0, 0.0, 1.0, 0.0, 0.0, -1.0], 1e-9);
    // the net force is that of the first object on the second
    all_close(&s[12..16], &[1.0, 0.0, 0.0, -weight], 1e-6);
    all_close(&s[16..], &[5.0], 0.0);
}

/// A program may add a contact, or change one, with anything in MuJoCo's deprecated `geom1` and `geom2`: sensors ask `geom`.
#[test]
fn a_contact_with_a_wild_deprecated_geom_does_no_harm() {
    let config = "<config key='size' value='3 3'/><config key='fov' value='90 60'/><config key='gamma' value='0'/>
        <config key='nchannel' value='1'/>";
    let m = load(&format!(
        "<mujoco><extension><plugin plugin='mujoco.sensor.touch_grid'/></extension>
         <asset><mesh name='pad' builtin='plate' params='3 3' scale='.2 .2 .2'/></asset>
         <worldbody><geom name='floor' type='plane' size='1 1 1'/>
         <body name='b' pos='0 0 .09'><freejoint/><geom name='g' size='.1' mass='2'/>
         <site name='s' size='.05' pos='0 0 -.1'/><site name='eye' pos='0 0 .2'/></body></worldbody>
         <sensor><touch site='s'/><tactile geom='g' mesh='pad'/><contact body1='b' data='found force'/>
         <plugin plugin='mujoco.sensor.touch_grid' objtype='site' objname='eye'>{config}</plugin></sensor></mujoco>"
    ));
    let mut d = forward(&m);
    let expected = d.sensordata().to_vec();
    // all four see the contact
    let touched = |sensor: usize| expected[m.sensor_values(sensor)].iter().any(|x| *x != 0.0);
    assert!((0..m.nsensor).all(touched), "{expected:?}");
    for wild in [-7, 1000, i32::MAX] {
        let mut world = d.view_mut();
        // changed in place
        (world.work.contact[0].geom1, world.work.contact[0].geom2) = (wild, wild);
        sensor_acc(&m, &mut world, &mut NoHooks).unwrap();
        assert_eq!(world.sensordata, expected);
        // added in its place
        let contact = world.work.contact[0];
        world.head.ncon = 0;
        assert!(add_contact(&m, &mut world, &contact).unwrap());
        let added = world.work.contact[0];
        assert_eq!([added.geom1, added.geom2], added.geom);
        sensor_acc(&m, &mut world, &mut NoHooks).unwrap();
        d.forward(&m).unwrap();
    }
    // geoms that do not exist belong to nobody
    let mut world = d.view_mut();
    world.work.contact[0].geom = [1000, -1];
    sensor_acc(&m, &mut world, &mut NoHooks).unwrap();
    assert!(world.sensordata.iter().all(|x| *x == 0.0));
}
