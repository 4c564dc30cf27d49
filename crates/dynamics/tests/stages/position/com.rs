//! Centres of mass, and inertias and axes of joints about them, worked out by hand.
use ferrodyn::math::Vec3;
use ferrodyn_testing::{all_close, forward_at, load};

/// 1 kg at (1, 0, 0), and 3 kg above it: their centre is at (1, 0, 1.5). The root turns about y, the second body slides along x.
const TWO: &str = "<mujoco><worldbody><body pos='1 0 0'><joint axis='0 1 0'/><geom size='.1' mass='1'/>\
    <body pos='0 0 2'><joint type='slide' axis='1 0 0'/><geom size='.1' mass='3'/></body></body></worldbody></mujoco>";

#[test]
fn centres_of_trees_are_means_by_mass() {
    let data = forward_at(&load(TWO), &[], &[]);
    let [world, tree, tip] = [0, 1, 2].map(|b| data.subtree_com()[b]);
    all_close(&tree.0, &[1.0, 0.0, 1.5], 1e-15);
    all_close(&tip.0, &[1.0, 0.0, 2.0], 1e-15);
    // the world has no mass of its own
    assert_eq!(world, tree);
    // after a quarter of a turn the tip is ahead, and slides down by 1: (3 · 2 / 4, 0, -3 / 4) from the root
    let data = forward_at(&load(TWO), &[std::f64::consts::FRAC_PI_2, 1.0], &[]);
    all_close(&data.subtree_com()[1].0, &[2.5, 0.0, -0.75], 1e-15);
}

#[test]
fn inertias_are_about_the_centre_of_their_tree() {
    let data = forward_at(&load(TWO), &[], &[]);
    let (own, inertia) = (0.4 * 3.0 * 0.01, data.cinert()[2]);
    // the tip is 0.5 above the centre: 3 · 0.5² more about x and y; then mass times offset, and mass
    let expected = [own + 0.75, own + 0.75, own, 0.0, 0.0, 0.0, 0.0, 0.0, 1.5, 3.0];
    all_close(inertia.0.as_slice(), &expected, 1e-15);
}

#[test]
fn axes_of_joints_are_velocities_at_the_centre_of_their_tree() {
    let data = forward_at(&load(TWO), &[], &[]);
    // a turn about y at (1, 0, 0) moves the centre, 1.5 above it, along x; a slide has no rotation
    assert_eq!((data.cdof()[0].rot(), data.cdof()[0].lin()), (Vec3::Y, Vec3::X * 1.5));
    assert_eq!((data.cdof()[1].rot(), data.cdof()[1].lin()), (Vec3::ZERO, Vec3::X));
}
