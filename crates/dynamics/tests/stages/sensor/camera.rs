//! Where a camera sees a site.
use ferrodyn_testing::{all_close, forward};

use super::sensing;

#[test]
fn a_site_is_seen_in_the_middle_at_the_border_and_between() {
    // a field of view of 90 degrees: what is as far aside as ahead is at the border of a square of 100 pixels
    let world = "<camera name='c' pos='0 0 5' fovy='90' resolution='200 100'/><site name='ahead'/>
        <site name='above' pos='0 5 0'/><site name='right' pos='2.5 0 0'/><site name='near' pos='-.5 -1 3'/>";
    let sensors: String = ["ahead", "above", "right", "near"]
        .map(|site| format!("<camprojection site='{site}' camera='c'/>"))
        .concat();
    let data = forward(&sensing(world, &sensors));
    // columns from the left, rows from the top; 50 pixels are one ahead
    let expected = [100.0, 50.0, 100.0, 0.0, 125.0, 50.0, 87.5, 75.0];
    all_close(data.sensordata(), &expected, 1e-12);
}
