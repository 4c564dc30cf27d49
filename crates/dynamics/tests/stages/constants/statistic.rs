//! Statistics of a model.
use ferrodyn_testing::{all_close, close, load};

#[test]
fn extent_centre_and_means_are_those_of_bodies_and_geoms() {
    // balls of radius 0.5 at x = 1 and of radius 1 at x = 5, on sliders: from 0.5 to 6, and 2 wide
    let model = load(
        "<mujoco><worldbody><body pos='1 0 0'><joint type='slide'/><geom size='.5' mass='1'/></body>\
         <body pos='5 0 0'><joint type='slide'/><geom size='1' mass='3'/></body></worldbody></mujoco>",
    );
    close(model.stat.extent, 5.5, 1e-12);
    all_close(&model.stat.center.0, &[3.25, 0.0, 0.0], 1e-12);
    close(model.stat.meanmass, 2.0, 1e-12);
    // the diagonal of the inertia matrix is that of the masses
    close(model.stat.meaninertia, 2.0, 1e-12);
}
