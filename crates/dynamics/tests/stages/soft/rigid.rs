//! The rigid side of contacts of deformable bodies.
use ferrodyn::dynamics::soft::compute_rigid_inv_mass_at_point;
use ferrodyn::math::{Vec3, by_precision};
use ferrodyn_testing::{forward, load};

#[test]
fn inverse_masses_are_those_of_textbooks() {
    let model = load(
        "<mujoco><worldbody><geom type='plane' size='1 1 1'/>
         <body pos='0 0 1'><freejoint/><geom size='.1' mass='2'/></body>
         <body pos='3 0 1'><joint axis='0 1 0'/><geom type='box' size='.1 .1 .1' mass='2' pos='.5 0 0'/></body>
         </worldbody></mujoco>",
    );
    let mut data = forward(&model);
    let world = &data.view_mut();
    let column = &mut vec![0.0; model.nv];
    let tolerance = by_precision(1e-12, 1e-4);
    let mut inverse = |body: usize, point: Vec3, direction: Vec3| {
        compute_rigid_inv_mass_at_point(&model, world, body, point, direction, column)
    };
    // the world does not move
    assert_eq!(inverse(0, Vec3::X, Vec3::Z), 0.0);
    // a ball: 1/m through its middle, and r² / I more beside it, I = 2/5 m r²
    let middle = inverse(1, Vec3::new(0.0, 0.0, 1.1), Vec3::Z);
    assert!((middle - 0.5).abs() < tolerance, "{middle}");
    let beside = inverse(1, Vec3::new(0.1, 0.0, 1.0), Vec3::Z);
    assert!((beside - (0.5 + 0.01 / (0.4 * 2.0 * 0.01))).abs() < 1e3 * tolerance, "{beside}");
    // a hinge: r² / I about it, and nothing along it
    let inertia = 2.0 * 0.25 + 2.0 / 3.0 * 2.0 * 0.01;
    let hinge = inverse(2, Vec3::new(3.4, 0.0, 1.0), Vec3::Z);
    assert!((hinge - 0.16 / inertia).abs() < 1e2 * tolerance, "{hinge}");
    assert!(inverse(2, Vec3::new(3.4, 0.0, 1.0), Vec3::Y).abs() < tolerance);
}
