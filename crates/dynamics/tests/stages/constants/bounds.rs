//! Bounds of geoms and of the trees of bodies.
use ferrodyn::dynamics::constants::set_bounds;
use ferrodyn::math::Real;
use ferrodyn_testing::{close, load, repository};

/// The compiler has derived the same bounds, so that deriving them again moves nothing but a last digit.
#[test]
fn bounds_of_compiled_models_stay() {
    let mut trees = 0;
    for file in std::fs::read_dir(repository("conformance/models")).unwrap() {
        let Ok(model) = ferrodyn::Model::from_xml_path(file.unwrap().path()) else { continue };
        let mut own = ferrodyn::ModelArrays::clone(&model);
        set_bounds(&mut own);
        assert_eq!(own.geom_rbound, model.geom_rbound);
        assert_eq!(own.geom_aabb, model.geom_aabb);
        assert_eq!(own.body_margin, model.body_margin);
        let boxes = model.bvh_aabb.as_flattened().iter().zip(own.bvh_aabb.as_flattened());
        for (&expected, &found) in boxes {
            // coordinates are a few metres, and planes have the size of the largest number
            close(found, expected, 64.0 * Real::EPSILON * expected.abs().max(10.0));
        }
        trees += model.body_bvhnum.iter().filter(|&&nodes| nodes > 1).count();
    }
    assert!(trees > 20, "{trees} trees of several geoms");
}

#[test]
fn bounds_are_those_of_a_model_compiled_with_other_sizes() {
    let text = |size: &str, pos: &str, margin: &str| {
        format!(
            "<mujoco><worldbody><body><joint/><inertial pos='.1 0 0' mass='1' diaginertia='1 1 1' euler='10 20 30'/>
             <geom type='capsule' size='{size}' pos='{pos}' euler='30 0 0' margin='{margin}'/>
             <geom type='box' size='.1 .2 .3' pos='1 0 0'/><geom type='sphere' size='.2' pos='-1 0 0'/>
             <geom type='cylinder' size='.2 .1' pos='0 0 2'/><geom type='ellipsoid' size='.2 .1 .3' pos='0 0 -2'/>
             </body></worldbody></mujoco>"
        )
    };
    let mut model = ferrodyn::ModelArrays::clone(&load(&text(".1 .2", "0 0 0", "0")));
    let expected = load(&text(".3 .1", "0 .1 .2", ".05"));
    assert_ne!(model.bvh_aabb, expected.bvh_aabb);
    (model.geom_size[0], model.geom_pos[0]) = (expected.geom_size[0], expected.geom_pos[0]);
    model.geom_margin[0] = expected.geom_margin[0];
    set_bounds(&mut model);
    assert_eq!(model.geom_rbound, expected.geom_rbound);
    assert_eq!(model.geom_aabb, expected.geom_aabb);
    assert_eq!(model.body_margin, expected.body_margin);
    let boxes = expected.bvh_aabb.as_flattened().iter().zip(model.bvh_aabb.as_flattened());
    for (&expected, &found) in boxes {
        close(found, expected, 64.0 * Real::EPSILON * 10.0);
    }
}
