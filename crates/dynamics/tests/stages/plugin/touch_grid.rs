//! Contact forces on a grid of angles.
use ferrodyn_testing::{close, load};

#[test]
fn a_force_is_in_the_cell_that_it_is_seen_in() {
    // a ball of 2 kg rests on the floor, seen from a site 0.3 above the point of contact
    let model = load(
        "<mujoco><option gravity='0 0 -10'/><extension><plugin plugin='mujoco.sensor.touch_grid'/></extension>\
         <worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .1'><freejoint/><geom size='.1' mass='2'/>\
         <site name='s' pos='0 0 .2'/></body></worldbody>\
         <sensor><plugin plugin='mujoco.sensor.touch_grid' objtype='site' objname='s'>\
         <config key='size' value='3 3'/><config key='fov' value='90 60'/><config key='gamma' value='0'/>\
         <config key='nchannel' value='1'/></plugin></sensor></mujoco>",
    );
    let mut data = model.make_data();
    data.step_n(&model, 2000).unwrap();
    data.forward(&model).unwrap();
    // straight ahead, the way a camera looks: the cell in the middle has all of the weight
    for (cell, value) in data.sensordata().iter().enumerate() {
        close(*value, if cell == 4 { 20.0 } else { 0.0 }, 1e-6);
    }
}
