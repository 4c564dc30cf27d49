//! Trees that share constraints are islands.
use ferrodyn_testing::{forward, load};

#[test]
fn all_trees_of_both_tendons_are_one_island() {
    let model = load(
        "<mujoco><worldbody><body><joint name='a'/><geom size='.1'/></body><body pos='0 1 0'><joint name='b'/>\
         <geom size='.1'/></body><body pos='0 2 0'><joint name='c'/><geom size='.1'/></body></worldbody>\
         <tendon><fixed name='one'><joint joint='a' coef='1'/></fixed>\
         <fixed name='two'><joint joint='b' coef='1'/><joint joint='c' coef='1'/></fixed></tendon>\
         <equality><tendon tendon1='one' tendon2='two'/></equality></mujoco>",
    );
    let data = forward(&model);
    assert_eq!((data.header().nisland, data.header().nidof), (1, 3));
}
