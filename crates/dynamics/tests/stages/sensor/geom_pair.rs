//! Distances between geoms and between bodies.
use ferrodyn_testing::{all_close, forward};

use super::sensing;

#[test]
fn the_nearest_geoms_of_two_bodies_have_a_distance_a_direction_and_a_segment() {
    // balls at 0 and 3 of one body, at 10 of the other: the second is nearer, by 10 - 3 - 0.5 - 1 = 5.5
    let world = "<body name='a'><geom size='.2'/><geom size='.5' pos='3 0 0'/></body>
        <body name='b' pos='10 0 0'><geom name='g' size='1'/></body>";
    let sensors =
        "<distance body1='a' body2='b' cutoff='20'/><normal body1='a' body2='b' cutoff='20'/>
        <fromto body1='a' geom2='g' cutoff='20'/><distance body1='a' body2='b' cutoff='5'/>
        <normal body1='a' body2='b' cutoff='5'/>";
    let data = forward(&sensing(world, sensors));
    let expected = [5.5, 1.0, 0.0, 0.0, 3.5, 0.0, 0.0, 9.0, 0.0, 0.0];
    all_close(&data.sensordata()[..10], &expected, 1e-14);
    // farther than the cutoff: the cutoff, and no direction
    all_close(&data.sensordata()[10..], &[5.0, 0.0, 0.0, 0.0], 0.0);
}
