//! Distances between geoms.
use ferrodyn::math::{Real, by_precision};
use ferrodyn_testing::{all_close, close, forward, load};

#[test]
fn distances_are_signed_and_belong_to_a_segment() {
    // a ball beside a box, one in it, and one far above
    let model = load(
        "<mujoco><worldbody><geom type='box' size='1 2 3'/><geom size='.5' pos='4 1 0'/>\
         <geom size='.5' pos='1.25 0 0'/><geom size='.5' pos='0 0 10'/></worldbody></mujoco>",
    );
    let mut data = forward(&model);
    let tolerance: Real = by_precision(1e-9, 1e-5);
    let mut between = |a, b| data.geom_distance(&model, a, b, 5.0).unwrap();
    let (distance, segment) = between(0, 1);
    close(distance, 2.5, tolerance);
    let [from, to] = segment.unwrap();
    all_close(&from.0, &[1.0, 1.0, 0.0], tolerance);
    all_close(&to.0, &[3.5, 1.0, 0.0], tolerance);
    // the other way round
    let [from, to] = between(1, 0).1.unwrap();
    all_close(&from.0, &[3.5, 1.0, 0.0], tolerance);
    all_close(&to.0, &[1.0, 1.0, 0.0], tolerance);
    close(between(0, 2).0, -0.25, tolerance);
    // farther than anyone asked for
    assert_eq!(between(0, 3), (5.0, None));
}
