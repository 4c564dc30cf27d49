//! The force of a tendon with inertia whose direction turns.
use ferrodyn_testing::{close, forward_at, load};

#[test]
fn a_heavy_tendon_resists_the_turning_of_its_direction() {
    // from a site at a height of 3 to a slider along x: length L = √(9 + x²), J = x / L, J̇ v = 9 v² / L³
    let model = load(
        "<mujoco><option gravity='0 0 0'/><worldbody><site name='o' pos='0 0 3'/><body><joint type='slide' axis='1 0 0'/>\
         <geom size='.1' mass='1'/><site name='s'/></body></worldbody>\
         <tendon><spatial armature='2'><site site='o'/><site site='s'/></spatial></tendon></mujoco>",
    );
    let data = forward_at(&model, &[4.0], &[1.5]);
    close(data.ten_length()[0], 5.0, 1e-15);
    close(data.qfrc_bias()[0], 2.0 * 0.8 * (9.0 * 1.5 * 1.5 / 125.0), 1e-14);
    // and takes part in the inertia: 1 + 2 J²
    close(data.qM()[0], 1.0 + 2.0 * 0.64, 1e-14);
    // at rest there is no such force
    close(forward_at(&model, &[4.0], &[]).qfrc_bias()[0], 0.0, 0.0);
}
