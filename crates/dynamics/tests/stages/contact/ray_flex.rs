//! Rays against flexes.
use ferrodyn::dynamics::query::{FlexParts, Ray, ray_flex};
use ferrodyn::math::{Real, Vec3};
use ferrodyn_testing::load;

#[test]
fn flexes_are_met_where_they_are_now() {
    let model = load(
        "<mujoco><worldbody><body name='a' pos='0 0 1'><flexcomp name='first' count='2 2 1' spacing='.2 .2 .2' radius='.01'/></body>\
         <body name='b' pos='1 0 1'><flexcomp name='second' count='2 2 1' spacing='.2 .2 .2' radius='.01'/></body></worldbody></mujoco>",
    );
    let mut data = model.make_data();
    // all vertices of the second sheet, half a metre up
    for v in 4..8 {
        data.qpos_mut()[3 * v + 2] = 0.5;
    }
    data.forward(&model).unwrap();
    let faces = FlexParts { faces: true, ..FlexParts::default() };
    let down = |x: Real, y: Real| Ray { origin: Vec3::new(x, y, 3.0), dir: Vec3::Z * -2.0 };
    let mut meet = |flex: usize, ray: Ray| {
        let hit = ray_flex(&model, &data.view_mut(), flex, &faces, &ray);
        hit.map(|(hit, vertex)| ((1e3 * hit.distance).round(), vertex))
    };
    assert_eq!(meet(0, down(0.03, 0.05)), Some((1000.0, 3)));
    // vertices are counted in their flex
    assert_eq!(meet(1, down(1.03, -0.05)), Some((750.0, 2)));
    assert_eq!(meet(1, down(0.03, 0.05)), None);
}
