//! Tendons that pass through an obstacle, because their side site lies inside it.
use ferrodyn::Model;
use ferrodyn_testing::{close, forward_at, load};

/// A tendon from a fixed site over an obstacle at the origin to a site on a moving body.
fn over(obstacle: &str, s1: &str, s2: &str, side: &str, joint: &str) -> Model {
    let side = if side.is_empty() {
        [String::new(), String::new()]
    } else {
        [format!("<site name='side' pos='{side}'/>"), String::from("sidesite='side'")]
    };
    build(obstacle, s1, s2, &side[0], "", &side[1], joint)
}

fn build(
    obstacle: &str,
    s1: &str,
    s2: &str,
    fixed: &str,
    moving: &str,
    sidesite: &str,
    joint: &str,
) -> Model {
    load(&format!(
        "<mujoco><worldbody><body name='b0'><geom name='g' {obstacle}/><site name='s1' pos='{s1}'/>{fixed}
         <body name='b1'><joint {joint}/><geom size='.01' mass='.1'/><site name='s2' pos='{s2}'/>{moving}</body></body></worldbody>
         <tendon><spatial><site site='s1'/><geom geom='g' {sidesite}/><site site='s2'/></spatial></tendon></mujoco>"
    ))
}

/// Length of the path, and its two points on the obstacle.
fn path(m: &Model, q: f64) -> (f64, Vec<[f64; 3]>) {
    let d = forward_at(m, &[q], &[]);
    let points = d.wrap_xpos().as_flattened().as_chunks::<3>().0;
    let count = d.ten_wrapnum()[0] as usize;
    (d.ten_length()[0], points[1..count - 1].to_vec())
}

fn touches_once(m: &Model, length: f64, point: [f64; 3]) {
    let (found, points) = path(m, 0.0);
    close(found, length, 1e-8);
    // both points of the obstacle are the same
    assert_eq!(points.len(), 2);
    assert_eq!(points[0], points[1]);
    for k in 0..3 {
        close(points[0][k], point[k], 1e-8);
    }
    let mut d = m.make_data();
    d.step(m).unwrap();
}

const SPHERE: &str = "size='.15'";
const CYLINDER: &str = "type='cylinder' size='.15 .5'";
const HINGE_Y: &str = "axis='0 1 0'";

#[test]
fn a_path_through_a_sphere_touches_it_once() {
    for side in [".05 0 0", "0 0 0"] {
        let m = over(SPHERE, ".3 0 .15", ".3 0 -.15", side, HINGE_Y);
        touches_once(&m, 0.424264068711929, [0.15, 0.0, 0.0]);
    }
}

#[test]
fn a_path_through_a_cylinder_touches_it_once() {
    let m = over(CYLINDER, ".3 .1 .2", ".3 -.1 -.2", ".05 0 0", "axis='0 0 1'");
    touches_once(&m, 0.538516480713450, [0.15, 0.0, 0.0]);
    let m = over(CYLINDER, ".3 .05 .3", ".3 -.15 -.1", ".05 0 0", "axis='0 0 1'");
    let point = [0.148607047563419, -0.020394739872909, 0.117656368532109];
    touches_once(&m, 0.542346519424661, point);
}

#[test]
fn a_side_site_inside_the_cross_section_but_far_along_the_axis_is_outside() {
    let far = over("type='cylinder' size='.1 1'", ".3 .05 .2", ".3 -.05 -.2", ".05 0 5", HINGE_Y);
    let none = over("type='cylinder' size='.1 1'", ".3 .05 .2", ".3 -.05 -.2", "", HINGE_Y);
    close(path(&far, 0.0).0, 0.412310562561766, 1e-8);
    assert_eq!(path(&far, 0.0).0, path(&none, 0.0).0);
}

#[test]
fn the_length_jumps_where_the_side_site_leaves_the_obstacle() {
    let moving = "<site name='side' pos='.16 0 0'/>";
    let joint = "type='slide' axis='1 0 0' range='-.05 .05'";
    let m = build(SPHERE, ".3 0 .15", ".3 0 -.15", "", moving, "sidesite='side'", joint);
    let expected = [
        (-0.04, 0.397761312300161),
        (-0.02, 0.410539632911676),
        // on the surface is outside
        (-0.01, 0.300166620396073),
        (0.0, 0.3),
        (0.04, 0.302654919008431),
    ];
    for (q, length) in expected {
        close(path(&m, q).0, length, 1e-8);
    }
    for k in -50..=50 {
        let length = path(&m, k as f64 * 0.001).0;
        assert!(length.is_finite() && length > 0.0);
    }
}

#[test]
fn the_jacobian_of_a_path_through_an_obstacle_is_the_derivative_of_its_length() {
    for obstacle in [SPHERE, CYLINDER] {
        let m = over(obstacle, ".3 .02 .15", ".3 .03 -.15", ".05 0 0", HINGE_Y);
        let (q, h) = (0.1, 1e-6);
        let d = forward_at(&m, &[q], &[]);
        let found: f64 = d.ten_J().iter().sum();
        let difference = (path(&m, q + h).0 - path(&m, q - h).0) / (2.0 * h);
        assert!(
            (found - difference).abs() < 1e-7 * difference.abs().max(1.0),
            "{found} {difference}"
        );
    }
}
