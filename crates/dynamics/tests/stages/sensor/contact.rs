//! Sensors of touch and of contacts.
use ferrodyn_testing::{all_close, run};

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
