//! Binary models from strangers are refused or simulated, never a crash.
use ferrodyn::Model;
use ferrodyn::dynamics;
use ferrodyn::math::Vec3;
use ferrodyn_testing::{load, repository};

/// A model with every joint type, cameras, lights, sites, a mocap body, equality constraints,
/// tendons, actuators of every transmission, and a keyframe.
const XML: &str = "<mujoco><worldbody><light mode='targetbody' target='tip'/><camera mode='trackcom'/>\
    <body mocap='true'><geom size='.1'/></body>\
    <body><freejoint name='f'/><geom name='g' size='.1'/><site name='s0' pos='.2 0 .1'/></body>\
    <body pos='1 0 0'><freejoint/><geom type='box' size='.1 .2 .3' pos='.1 0 0'/>\
    <body pos='.3 0 0'><joint name='b' type='ball'/><geom size='.1'/>\
    <body name='tip' pos='.3 0 0' gravcomp='1'><joint type='slide' axis='1 0 0'/><joint name='h' axis='0 1 0' damping='1'/>\
    <geom size='.1'/><site name='s1'/><site name='s2' pos='0 0 .2'/></body></body>\
    <body pos='0 .3 0'><joint stiffness='1'/><geom size='.1'/></body></body></worldbody>\
    <equality><connect body1='tip' anchor='0 0 0'/><weld site1='s0' site2='s1'/><joint joint1='h'/></equality>\
    <tendon><fixed name='t'><joint joint='h' coef='2'/></fixed>\
    <spatial><site site='s0'/><geom geom='g' sidesite='s2'/><site site='s1'/><pulley divisor='2'/><site site='s1'/><site site='s2'/></spatial></tendon>\
    <actuator><motor joint='h'/><motor joint='f'/><motor jointinparent='b'/><motor tendon='t'/><motor site='s1'/>\
    <motor site='s1' refsite='s0' gear='1 0 0 1 0 0'/><motor cranksite='s1' slidersite='s0' cranklength='3'/>\
    <adhesion body='tip' ctrlrange='0 1'/></actuator><sensor><jointpos joint='h'/></sensor>\
    <keyframe><key/></keyframe></mujoco>";

/// What collision detection and rays follow: hulls, polygons, trees, an octree, a height field.
const SHAPES: &str = "<mujoco><option sdf_initpoints='4' sdf_iterations='3'/><asset>\
    <mesh name='a' vertex='0 0 0  .3 0 0  0 .3 0  0 0 .3  .3 .3 0  .1 .2 .3  .2 .1 -.1  .3 .3 .3  .1 .3 .3  0 .2 .3  .4 .2 .2  .2 .5 .2'/>\
    <mesh name='b' vertex='0 0 0  .3 0 0  0 .3 0  0 0 .3'/><hfield name='h' nrow='3' ncol='4' size='1 1 .1 .1'/></asset><worldbody>\
    <geom type='hfield' hfield='h'/><geom type='plane' size='1 1 1' pos='0 0 -.1'/>\
    <body pos='0 0 .2'><freejoint/><geom type='mesh' mesh='a'/><geom type='box' size='.1 .1 .1' pos='.2 0 0'/></body>\
    <body pos='.1 .1 .3'><freejoint/><geom type='mesh' mesh='a'/><geom type='sphere' size='.1'/></body>\
    <body pos='-.1 .1 .2'><freejoint/><geom type='sdf' mesh='b'/></body></worldbody></mujoco>";

/// Two skins, one of them with texture coordinates, and a cable that has its own.
const SKINS: &str = "<mujoco><asset><material name='m'/></asset><deformable>\
    <skin material='m' vertex='0 0 0  1 0 0  0 1 0' texcoord='0 0 1 0 0 1' face='0 1 2'>\
    <bone body='a' bindpos='0 0 0' bindquat='1 0 0 0' vertid='0 1 2' vertweight='1 1 1'/></skin>\
    <skin vertex='0 0 0  1 0 0  0 1 0  1 1 0' face='0 1 2  1 3 2' inflate='.1'>\
    <bone body='a' bindpos='0 0 0' bindquat='1 0 0 0' vertid='0 1 2' vertweight='1 1 1'/>\
    <bone body='world' bindpos='0 0 0' bindquat='1 0 0 0' vertid='2 3' vertweight='1 1'/></skin></deformable>\
    <worldbody><body name='a'><joint/><geom size='.1'/></body><composite type='cable' curve='s' count='4 1 1' size='1' \
    initial='none'><geom type='box' size='.1 .1 .1'/></composite></worldbody></mujoco>";

/// Numbers from a linear congruential generator.
fn random(state: &mut u64) -> usize {
    *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*state >> 33) as usize
}

/// Everything that a step computes, with every integrator.
fn exercise(model: &ferrodyn_model::Model) {
    let mut data = dynamics::OwnedWorld::new(model);
    for integrator in 0..4 {
        let mut model = model.clone();
        model.opt.integrator = integrator;
        // refused or done, but not a panic
        dynamics::step::step_n(&model, &mut data, 2, None).ok();
    }
    dynamics::data::reset_to_keyframe(model, &mut data, 0).ok();
    let world = &mut data.view_mut();
    dynamics::sensor::subtree_vel(model, world);
    dynamics::sensor::rne_post_constraint(model, world);
    dynamics::position::kinematics(model, world);
    for dir in [Vec3::new(0.0, 0.1, -1.0), Vec3::new(1.0, 0.2, 0.1)] {
        let filter = dynamics::contact::RayFilter::default();
        let origin = Vec3::new(-0.2, 0.05, 0.4);
        dynamics::contact::ray(model, world, origin, dir, &filter).ok();
        dynamics::contact::multi_ray(model, world, origin, &[dir], &filter, 10.0, &mut [None])
            .unwrap();
    }
    for skin in 0..model.nskin {
        let count = model.skin_vertnum[skin] as usize;
        let (mut vertices, mut normals) = (vec![[0.0; 3]; count], vec![[0.0; 3]; count]);
        let (xpos, xquat) = (&*world.xpos, &*world.xquat);
        let (vertices, normals) = (vertices.as_mut_slice(), normals.as_mut_slice());
        dynamics::query::skin_surface(model, xpos, xquat, skin, vertices, normals);
    }
    for (g1, g2) in [(0, 2), (2, 4), (4, 6)] {
        if g2 < model.ngeom {
            dynamics::contact::geom_distance(model, world, g1, g2, 1.0).unwrap();
        }
    }
}

#[test]
fn a_binary_model_with_changed_bytes_never_crashes() {
    let bytes = load(XML).to_bytes();
    let mut seed = 1;
    let mut accepted = 0;
    for _ in 0..20_000 {
        let mut changed = bytes.clone();
        for _ in 0..1 + random(&mut seed) % 3 {
            let at = random(&mut seed) % changed.len();
            changed[at] = match random(&mut seed) % 4 {
                0 => 0xff,
                1 => changed[at].wrapping_add(1),
                2 => changed[at] ^ 1 << (random(&mut seed) % 8),
                _ => random(&mut seed) as u8,
            };
        }
        if let Ok(mut model) = ferrodyn_model::Model::from_bytes(&changed) {
            accepted += 1;
            // a solver that is told to take a billion iterations does, which is slow and no crash
            model.opt.iterations = model.opt.iterations.min(1000);
            exercise(&model);
        }
    }
    assert!(accepted > 100, "only {accepted} changed models were accepted");
}

/// Changes one integer of one array after the other, and simulates what is accepted.
fn change_integers(xml: &str, names: impl Fn(&str) -> bool, rounds: usize) {
    let model = load(xml);
    let mut seed = 7;
    for round in 0..rounds {
        let mut changed = (*model).clone();
        let mut arrays = changed.arrays_mut();
        let integers: Vec<usize> = (0..arrays.len())
            .filter(|&i| {
                let info = &arrays[i].info;
                info.kind == ferrodyn::math::ScalarKind::I32 && !info.is_empty() && names(info.name)
            })
            .collect();
        let array = &mut arrays[integers[round % integers.len()]];
        let at = 4 * (random(&mut seed) % array.info.len());
        let value = [-1, 0, 1, 2, 5, 12, 100, i32::MAX, i32::MIN][random(&mut seed) % 9];
        array.bytes[at..at + 4].copy_from_slice(&value.to_ne_bytes());
        if changed.validate().is_ok() {
            exercise(&changed);
        }
    }
}

#[test]
fn integers_that_point_elsewhere_are_refused_or_harmless() {
    change_integers(XML, |_| true, 20_000);
}

#[test]
fn broken_trees_of_a_model_with_sleep_are_refused_or_harmless() {
    let xml = XML.replace("<mujoco>", "<mujoco><option><flag sleep='enable'/></option>");
    change_integers(&xml, |name| name.contains("tree"), 3_000);
}

#[test]
fn broken_shapes_are_refused_or_harmless() {
    let followed = ["mesh_", "bvh_", "oct_", "hfield_", "body_bvh", "geom_dataid", "geom_type"];
    change_integers(SHAPES, |name| followed.iter().any(|f| name.starts_with(f)), 4_000);
}

#[test]
fn broken_skins_are_refused_or_harmless() {
    change_integers(SKINS, |name| name.starts_with("skin_"), 4_000);
    let model = load(SKINS);
    assert!(model.validate().is_ok());
    let refused = |change: &dyn Fn(&mut ferrodyn_model::Model), field: &str| {
        let mut changed = (*model).clone();
        change(&mut changed);
        assert_eq!(changed.validate().expect_err(field).field, field);
    };
    refused(&|m| m.skin_matid[0] = 1, "skin_matid");
    refused(&|m| m.skin_bonebodyid[1] = -1, "skin_bonebodyid");
    refused(&|m| m.skin_vertnum[2] = i32::MAX, "skin_vertadr");
    refused(&|m| m.skin_faceadr[0] = -1, "skin_faceadr");
    refused(&|m| m.skin_boneadr[0] = 1000, "skin_boneadr");
    refused(&|m| m.skin_bonevertnum[0] = -1, "skin_bonevertadr");
    refused(&|m| m.skin_texcoordadr[0] = 1, "skin_texcoordadr");
    refused(&|m| m.skin_face[0][1] = 3, "skin_face");
    refused(&|m| m.skin_bonevertid[0] = 3, "skin_bonevertid");
}

#[test]
fn a_graph_that_leads_out_of_the_hull_or_round_in_circles_is_refused() {
    let model = load(SHAPES);
    let refused = |change: &dyn Fn(&mut ferrodyn_model::Model), field: &str| {
        let mut changed = (*model).clone();
        change(&mut changed);
        assert_eq!(changed.validate().expect_err(field).field, field);
    };
    assert!(model.validate().is_ok());
    let count = model.mesh_graph[0] as usize;
    refused(&|m| m.mesh_graph[0] = 0, "mesh_graph");
    refused(&|m| m.mesh_graph[1] = i32::MAX, "mesh_graph");
    refused(&|m| m.mesh_graph[2] = -5, "mesh_graph");
    refused(&|m| m.mesh_graph[2 + count] = 99, "mesh_graph");
    refused(&|m| m.mesh_graph[2 + 2 * count] = count as i32, "mesh_graph");
    refused(&|m| m.mesh_polyvert[0] = 99, "mesh_polyvert");
    refused(&|m| m.mesh_polymap[0] = 9999, "mesh_polymap");
    refused(&|m| m.mesh_polyvertadr[0] = i32::MAX, "mesh_polyvertadr");
    refused(&|m| m.mesh_face[0][1] = 99, "mesh_face");
    let tree = model.mesh_bvhadr[0] as usize;
    refused(&|m| m.bvh_child[tree][0] = 0, "bvh_child");
    refused(&|m| m.bvh_child[tree][1] = m.bvh_child[tree][0], "bvh_child");
    refused(&|m| m.bvh_nodeid[tree] = 9999, "bvh_nodeid");
    let octree = model.mesh_octadr[1] as usize;
    refused(&|m| m.oct_child[octree][0] = 0, "oct_child");
    refused(&|m| m.oct_child[octree][0] = -1, "oct_child");
    refused(&|m| m.hfield_nrow[0] = 100, "hfield_adr");
}

#[test]
fn every_small_model_survives_its_binary_form() {
    let mut models = 0;
    for entry in std::fs::read_dir(repository("conformance/models")).unwrap() {
        let path = entry.unwrap().path();
        if let Ok(model) = Model::from_xml_path(&path) {
            let bytes = model.to_bytes();
            let copy = ferrodyn_model::Model::from_bytes(&bytes);
            let copy = copy.unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            // bytes, since the normals of degenerate polygons are not numbers
            assert!(copy.to_bytes() == bytes, "{}", path.display());
            models += 1;
        }
    }
    assert!(models > 40, "only {models} models");
}
