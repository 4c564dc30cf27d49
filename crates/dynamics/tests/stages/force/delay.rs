//! Values of the past.
use ferrodyn_testing::all_close;

use crate::sensor::{HINGE, sensing};

#[test]
fn a_delayed_sensor_shows_the_past() {
    let mut m = sensing(
        HINGE,
        "<clock/><clock nsample='20' delay='.02'/><clock nsample='4' interval='.01'/>",
    );
    m.edit(|m| m.opt.timestep = 0.002);
    let mut d = m.make_data();
    for step in 0..40 {
        let time = step as f64 * 0.002;
        d.step(&m).unwrap();
        let s = d.sensordata();
        all_close(&s[..1], &[time], 1e-12);
        if step > 20 {
            all_close(&s[1..2], &[time - 0.02], 1e-9);
            // a value is held until the next one is due, every fifth step
            assert!(s[2] <= time + 1e-9 && time - s[2] < 0.01 + 1e-9, "{} at {time}", s[2]);
        }
    }
}
