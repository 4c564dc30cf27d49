//! Contacts of single elements with geoms of every kind.
use ferrodyn::Model;
use ferrodyn::math::Vec3;
use ferrodyn::prelude::Contact;
use ferrodyn_testing::{close, forward, forward_at, load};

/// One element of a flex with radius 0.1, and a geom that does not move.
fn element(points: &str, geom: &str, contact: &str) -> Model {
    let dim = points.split_whitespace().count() / 3 - 1;
    let corners: Vec<String> = (0..=dim).map(|i| i.to_string()).collect();
    load(&format!(
        "<mujoco><option gravity='0 0 0'/><asset><mesh name='pyramid' vertex='-1 -1 0 1 -1 0 0 1 0 0 0 1'/>\
         <hfield name='table' nrow='4' ncol='4' size='9 9 1 .5' elevation='0 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1'/></asset>\
         <worldbody><geom {geom}/><body name='b'><flexcomp name='f' type='direct' dim='{dim}' radius='.1' \
         point='{points}' element='{}'><contact {contact}/></flexcomp></body></worldbody></mujoco>",
        corners.join(" ")
    ))
}

fn contacts(points: &str, geom: &str) -> Vec<Contact> {
    forward(&element(points, geom, "selfcollide='none'")).contacts().to_vec()
}

const SEGMENT: &str = "-1 .1 .55 1 .1 .55";
const TRIANGLE: &str = "-1 -.8 .55 1 -.8 .55 .1 1.2 .55";
const TETRAHEDRON: &str = "-1 -.8 1.5 1 -.8 1.5 .1 1.2 1.5 0 .1 .55";

/// The deepest contact of an element above a geom that reaches half a unit up: 0.55 less both radii.
#[test]
fn every_kind_of_geom_meets_elements_of_every_dimension() {
    let geoms = [
        "size='.5' pos='0 .1 0'",
        "type='capsule' size='.2 .3' pos='0 .1 0'",
        "type='ellipsoid' size='.4 .3 .5' pos='0 .1 0'",
        "type='cylinder' size='.3 .5' pos='0 .1 0'",
        "type='box' size='.3 .2 .5' pos='0 .1 0'",
        "type='mesh' mesh='pyramid' pos='0 .1 -.5'",
        "type='plane' size='1 1 1' pos='0 0 .5'",
    ];
    for geom in geoms {
        for points in [SEGMENT, TRIANGLE, TETRAHEDRON] {
            let found = contacts(points, geom);
            let deepest = found.iter().min_by(|a, b| a.dist.total_cmp(&b.dist));
            let deepest = deepest.unwrap_or_else(|| panic!("{geom} {points}"));
            assert!((deepest.dist + 0.05).abs() < 2e-4, "{geom} {points}: {}", deepest.dist);
            assert!(deepest.frame.row(0)[2] > 0.99, "{geom} {points}: {:?}", deepest.frame.row(0));
            assert_eq!((deepest.geom, deepest.flex), ([0, -1], [-1, 0]));
            let plane = geom.contains("plane");
            assert_eq!(deepest.vert[1] >= 0, plane, "{geom}");
            assert_eq!(deepest.elem[1], if plane { -1 } else { 0 });
        }
    }
}

#[test]
fn a_height_field_meets_elements_whose_corners_are_below_its_top() {
    for points in [SEGMENT, TRIANGLE, TETRAHEDRON] {
        // the table reaches to 0.6, then to 0.5, where MuJoCo looks at corners without their radius
        let over = |top: f64| {
            contacts(points, &format!("type='hfield' hfield='table' pos='0 0 {}'", top - 1.0))
        };
        let deepest = over(0.6).iter().map(|c| c.dist).fold(0.0, f64::min);
        assert!((deepest - (0.55 - 0.6 - 0.1)).abs() < 1e-4, "{points}: {deepest}");
        assert!(over(0.5).is_empty(), "{points}");
    }
}

#[test]
fn the_wall_of_a_cylinder_pushes_a_triangle_straight_out() {
    // a triangle beside a lying cylinder: MuJoCo's convex search would be off by a few degrees
    let found = contacts(TRIANGLE, "type='cylinder' size='.5 2' euler='90 0 0' pos='.03 0 0'");
    let normal = found[0].frame.row(0);
    let radial = Vec3::new(found[0].pos[0] - 0.03, 0.0, found[0].pos[2]).normalize().0;
    assert!((normal - radial).norm() < 1e-9, "{normal:?} {radial:?}");
}

#[test]
fn a_tetrahedron_inside_out_is_pushed_back_through_its_faces() {
    // the compiler sorts corners so that the faces of a flex at rest look outwards
    let points = "0 0 0 1 0 0 0 1 0 .2 .2 -.3";
    let model = element(points, "size='.1' pos='9 9 9'", "selfcollide='none' internal='true'");
    assert!(forward(&model).contacts().is_empty());
    // the fourth corner comes up through the others
    let mut qpos = vec![0.0; model.nq];
    qpos[11] = 0.6;
    let found = forward_at(&model, &qpos, &[]).contacts().to_vec();
    let base = found.iter().find(|c| c.vert[1] == 3).unwrap();
    // 0.3 above, and a thickness of twice the radius
    close(base.dist, -0.3 - 0.2, 1e-12);
    assert_eq!((base.elem, base.flex, base.dim), ([0, -1], [0, 0], 1));
    assert!((base.pos - Vec3::new(0.2, 0.2, 0.15)).norm() < 1e-12);
    assert!((base.frame.row(0) + Vec3::Z).norm() < 1e-12);
}
