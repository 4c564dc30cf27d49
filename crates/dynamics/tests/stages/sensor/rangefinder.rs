//! Distances along rays.
use ferrodyn_testing::{all_close, forward_at};

use super::sensing;

#[test]
fn a_rangefinder_sees_the_nearest_geom_but_not_its_own_body() {
    let world = "<geom type='plane' size='1 1 1'/><geom type='box' size='.1 .1 .1' pos='1 0 .1'/>
        <body pos='0 0 1'><joint type='slide'/><geom size='.1'/><site name='s' euler='180 0 0'/>
        <site name='over' pos='1 0 0' euler='180 0 0'/><site name='up'/></body>";
    let sensors = "<rangefinder site='s'/><rangefinder site='over'/><rangefinder site='up'/>
        <rangefinder site='over' data='dist normal'/>";
    let d = forward_at(&sensing(world, sensors), &[], &[]);
    all_close(d.sensordata(), &[1.0, 0.8, -1.0, 0.8, 0.0, 0.0, 1.0], 1e-12);
}
