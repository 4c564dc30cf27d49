//! Surfaces of skins against those that MuJoCo 3.5.0 draws.
use std::fs;

use ferrodyn::handles::SkinSurface;
use ferrodyn::math::Vec3;
use ferrodyn_testing::{conformance_model, forward, forward_at, load, repository};
use serde_json::Value;

/// Vertices and normals are sums in single precision.
const TOLERANCE: f64 = 1e-6;

/// A square of two triangles that hangs on one body, with one more vertex that belongs to none.
const SQUARE: &str = "<mujoco><deformable><skin name='s' inflate='.5' vertex='0 0 0  1 0 0  1 1 0  0 1 0  5 5 5' face='0 1 2  0 2 3'>
    <bone body='b' bindpos='0 0 0' bindquat='1 0 0 0' vertid='0 1 2 3 4' vertweight='1 1 1 1 1'/></skin></deformable>
    <worldbody><body name='b' pos='0 0 1' euler='90 0 0'/></worldbody></mujoco>";

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

#[test]
fn vertices_and_normals_are_those_of_the_scene() {
    let text = fs::read_to_string(repository("conformance/skins.json")).unwrap();
    let golden: Value = serde_json::from_str(&text).unwrap();
    let mut compared = 0;
    for (name, expected) in golden.as_object().unwrap() {
        let model = conformance_model(name);
        let data = forward_at(&model, &numbers(&expected["qpos"]), &[]);
        let (mut vertices, mut normals) = (Vec::new(), Vec::new());
        for skin in model.skins() {
            let surface = skin.surface(&model, &data);
            vertices.extend(surface.vertices.into_flattened());
            normals.extend(surface.normals.into_flattened());
        }
        for (ours, part) in [(vertices, "vertices"), (normals, "normals")] {
            let theirs = numbers(&expected[part]);
            assert_eq!(ours.len(), theirs.len(), "{name}");
            for (i, (a, b)) in ours.iter().zip(theirs).enumerate() {
                assert!((f64::from(*a) - b).abs() < TOLERANCE, "{name}, {part} {i}: {a} and {b}");
                compared += 1;
            }
        }
    }
    assert!(compared > 1000, "only {compared} numbers");
}

#[test]
fn a_surface_turns_with_its_bone_and_is_inflated_along_its_normals() {
    let model = load(SQUARE);
    let data = forward(&model);
    let skin = model.skin("s").unwrap();
    let surface = skin.surface(&model, &data);
    let near = |a: [f32; 3], b: [f32; 3]| {
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6), "{a:?} and {b:?}");
    };
    // the normal was along z, and the body is turned about x
    near(surface.normals[2], [0.0, -1.0, 0.0]);
    near(surface.vertices[2], [1.0, -0.5, 2.0]);
    // without triangles there is no normal to move along
    near(surface.normals[4], [0.0; 3]);
    near(surface.vertices[4], [5.0, -5.0, 6.0]);
}

#[test]
fn memory_for_a_surface_can_be_used_again() {
    let model = load(SQUARE);
    let data = forward(&model);
    let skin = model.skin("s").unwrap();
    // what is left of another skin does not matter, whether that is larger or smaller
    let mut surface = SkinSurface::default();
    for before in [0, 9, 2] {
        surface.vertices = vec![[7.0; 3]; before];
        surface.normals = vec![[7.0; 3]; before];
        skin.surface_into(&model, &data, &mut surface);
        assert_eq!(surface, skin.surface(&model, &data));
    }
}

#[test]
fn a_ray_meets_the_surface_where_it_is_now() {
    let model = load(SQUARE);
    let data = forward(&model);
    let skin = model.skin("s").unwrap();
    let surface = skin.surface(&model, &data);
    let aim =
        |y: f64| skin.ray(&model, &surface, Vec3::new(0.8, -3.0, 1.1), Vec3::new(0.0, y, 0.0));
    let hit = aim(2.0).unwrap();
    assert!((hit.distance - 1.25).abs() < 1e-6, "{}", hit.distance);
    assert_eq!(hit.vertex, 1);
    assert_eq!(aim(-2.0), None);
}
