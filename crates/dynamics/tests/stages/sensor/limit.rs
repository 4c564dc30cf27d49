//! Sensors of limits.
use ferrodyn_testing::{all_close, forward_at};

use super::sensing;

#[test]
fn limit_sensors_are_zero_until_the_limit_is_reached() {
    let world =
        "<body><joint name='h' axis='0 1 0' range='-10 10'/><geom size='.1' pos='.5 0 0'/></body>";
    let m = sensing(
        world,
        "<jointlimitpos joint='h'/><jointlimitvel joint='h'/><jointlimitfrc joint='h'/>",
    );
    assert_eq!(forward_at(&m, &[0.1], &[1.0]).sensordata(), [0.0; 3]);
    let d = forward_at(&m, &[0.2], &[1.0]);
    all_close(&d.sensordata()[..2], &[10f64.to_radians() - 0.2, -1.0], 1e-12);
    assert!(d.sensordata()[2] > 0.0);
}
