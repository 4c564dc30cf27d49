//! Rays among the geoms of a model.
use ferrodyn::RayFilter;
use ferrodyn::math::{Real, Vec3};
use ferrodyn_testing::{forward, load};

/// Balls of radius 0.5 along x, at 2, 4, 6 and 8: the first on a moving body, the second fixed, the third in group 3, the fourth invisible.
const ROW: &str = "<mujoco><worldbody><body name='a' pos='2 0 0'><freejoint/><geom size='.5'/></body>\
    <geom size='.5' pos='4 0 0'/><body pos='6 0 0'><freejoint/><geom size='.5' group='3'/></body>\
    <body pos='8 0 0'><freejoint/><geom size='.5' rgba='1 1 1 0'/></body></worldbody></mujoco>";

#[test]
fn a_filter_decides_which_geoms_a_ray_meets() {
    let model = load(ROW);
    let mut data = forward(&model);
    let first = |data: &mut ferrodyn::Data, from: Real, filter: RayFilter| {
        let hit = data.ray(&model, Vec3::new(from, 0.0, 0.0), Vec3::X * 2.0, &filter).unwrap();
        hit.map(|hit| (hit.geom, hit.distance))
    };
    let all = RayFilter::default();
    // in units of the direction, which is 2 long; geoms of the world come first
    assert_eq!(first(&mut data, 0.0, all), Some((1, 0.75)));
    assert_eq!(first(&mut data, 0.0, RayFilter { exclude_body: Some(1), ..all }), Some((0, 1.75)));
    let moving = RayFilter { static_geoms: false, ..all };
    assert_eq!(first(&mut data, 3.0, moving), Some((2, 1.25)));
    let mut groups = [true; 6];
    groups[3] = false;
    assert_eq!(first(&mut data, 3.0, RayFilter { groups: Some(groups), ..moving }), None);
    // what is not seen is not met
    assert_eq!(first(&mut data, 7.0, all), None);
}

#[test]
fn many_rays_meet_what_each_of_them_meets() {
    let model = load(ROW);
    let mut data = forward(&model);
    let filter = RayFilter::default();
    let origin = Vec3::new(5.0, 0.0, 0.0);
    let directions: Vec<Vec3> = (0..60)
        .map(|i| {
            let (sin, cos) = (f64::from(i) * 0.105).sin_cos();
            Vec3::new(cos as Real, sin as Real, 0.01)
        })
        .collect();
    let many = data.multi_ray(&model, origin, &directions, &filter, 1e3).unwrap();
    for (direction, found) in directions.iter().zip(&many) {
        assert_eq!(*found, data.ray(&model, origin, *direction, &filter).unwrap(), "{direction:?}");
    }
    let met = many.iter().flatten().count();
    assert!(met > 5 && met < 55, "{met}");
}
