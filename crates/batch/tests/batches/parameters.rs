//! Model parameters that differ from world to world.
use crate::support::noise;
use ferrodyn::batch::{BatchError, ParameterError};
use ferrodyn::math::Real;
use ferrodyn::{BatchSim, Data, Model};
use ferrodyn_testing::{benchmark_model, conformance_model, load};

/// The control of every actuator.
const CONTROL: Real = 0.3;

/// Steps of a world alone.
fn run(model: &Model, steps: usize) -> Data {
    let mut data = model.make_data();
    data.ctrl_mut().fill(CONTROL);
    data.step_n(model, steps).unwrap();
    data
}

fn step_batch(batch: &mut BatchSim, steps: usize) {
    // what a world starts from can have changed with its parameters
    batch.reset_all().unwrap();
    batch.controls_mut().fill(CONTROL);
    batch.set_frame_skip(steps).unwrap();
    batch.step_all().unwrap();
}

/// Worlds with parameters of their own are those of models that were edited.
#[track_caller]
fn check_as_edited(
    model: &Model,
    names: &[&str],
    edit: impl Fn(&str, usize, &mut [Real]),
    steps: usize,
) {
    const WORLDS: usize = 3;
    let mut batch = BatchSim::new(model.shared(), WORLDS).unwrap();
    for name in names {
        batch.vary(name).unwrap();
        // the first world keeps the values of the model
        for world in 1..WORLDS {
            edit(name, world, batch.parameter_mut(name, world).unwrap());
        }
    }
    step_batch(&mut batch, steps);
    for world in 0..WORLDS {
        let mut own = model.clone();
        if world > 0 {
            own.edit(|m| {
                for array in m.arrays_mut() {
                    if names.contains(&array.info.name) {
                        edit(array.info.name, world, bytemuck::cast_slice_mut(array.bytes));
                    }
                }
                ferrodyn::dynamics::constants::set_bounds(m);
            });
            own.derive_constants();
        }
        let expected = run(&own, steps);
        let found = batch.world(world).unwrap();
        assert_eq!(found.qpos(), expected.qpos(), "world {world} of {names:?}");
        assert_eq!(found.state_hash(), expected.state_hash(), "world {world} of {names:?}");
        assert!(found.work().efc_force == expected.work().efc_force, "world {world} of {names:?}");
        if world > 0 {
            assert_ne!(found.qvel(), batch.world(0).unwrap().qvel(), "{names:?} do something");
        }
    }
}

fn scale(_: &str, world: usize, values: &mut [Real]) {
    for (value, noise) in values.iter_mut().zip(noise(world)) {
        *value *= 1.0 + 0.2 * noise;
    }
}

#[test]
fn masses_friction_gains_and_damping_act_as_in_a_model_of_their_own() {
    let humanoid = benchmark_model("humanoid");
    check_as_edited(&humanoid, &["body_mass", "body_inertia"], scale, 100);
    check_as_edited(&humanoid, &["geom_friction", "dof_damping", "dof_armature"], scale, 100);
    check_as_edited(&humanoid, &["geom_size"], scale, 100);
    let hand = conformance_model("hand");
    check_as_edited(&hand, &["actuator_gainprm", "actuator_biasprm"], scale, 100);
    check_as_edited(&hand, &["jnt_stiffness", "tendon_stiffness"], scale, 100);
    let tendons = conformance_model("tendons");
    check_as_edited(&tendons, &["tendon_stiffness", "site_pos", "body_mass"], scale, 50);
}

#[test]
fn flexes_of_each_world_have_a_material_of_their_own() {
    let model = conformance_model("flex_contact");
    for name in ["flex_friction", "flex_solref", "flex_radius", "flex_margin"] {
        check_as_edited(&model, &[name], scale, 60);
    }
    for name in ["flex_stiffness", "flex_edgestiffness", "flex_edgedamping", "flex_damping"] {
        check_as_edited(&model, &[name], scale, 60);
    }
    // edges of other masses have other weights: a constant that is derived
    check_as_edited(&model, &["body_mass"], scale, 60);
    check_as_edited(&conformance_model("flex_shell"), &["flex_bending"], scale, 10);
}

#[test]
fn geoms_can_be_elsewhere() {
    let model = load(
        "<mujoco><worldbody><geom type='plane' size='1 1 .1'/>
         <body pos='0 0 .2'><freejoint/><inertial pos='0 0 0' mass='1' diaginertia='.01 .01 .01'/>
         <geom name='a' type='box' size='.1 .1 .1'/><geom type='sphere' size='.05' pos='.1 .1 .1'/></body></worldbody></mujoco>",
    );
    // the first geom lies where its body does, which the model knows
    assert_ne!(model.geom_sameframe[1], 0);
    let mut batch = BatchSim::new(model.shared(), 2).unwrap();
    batch.vary("geom_pos").unwrap();
    batch.parameter_mut("geom_pos", 1).unwrap()[5] = 0.3;
    step_batch(&mut batch, 1);
    let z = |batch: &BatchSim, i: usize| batch.world(i).unwrap().geom_xpos()[1][2];
    assert!((z(&batch, 1) - z(&batch, 0) - 0.3).abs() < 1e-12);
}

#[test]
fn bounds_follow_sizes() {
    // a ball that grows touches the floor, which its old bounds would not tell
    let model = load(
        "<mujoco><worldbody><geom type='plane' size='1 1 .1'/>
         <body pos='0 0 .5'><freejoint/><geom size='.1'/></body>
         <body pos='0 1 .5'><freejoint/><geom size='.1'/></body><body pos='0 1.4 .5'><freejoint/><geom type='box' size='.1 .1 .1'/></body>
         </worldbody></mujoco>",
    );
    let mut batch = BatchSim::new(model.shared(), 2).unwrap();
    batch.vary("geom_size").unwrap();
    let sizes = batch.parameter_mut("geom_size", 1).unwrap();
    (sizes[3], sizes[6]) = (0.6, 0.35);
    step_batch(&mut batch, 1);
    assert_eq!(batch.world(0).unwrap().work().contact.len(), 0);
    assert_eq!(batch.world(1).unwrap().work().contact.len(), 2);
    let own = batch.model_of(1).unwrap();
    assert_eq!((own.geom_rbound[1], own.geom_aabb[1][5]), (0.6, 0.6));
}

#[test]
fn options_vary() {
    let model = load(
        "<mujoco><worldbody><body pos='0 0 1'><freejoint/><geom size='.1'/></body></worldbody></mujoco>",
    );
    let mut batch = BatchSim::new(model.shared(), 3).unwrap();
    assert_eq!(batch.options_mut(0).err(), Some(ParameterError::NotVarying("opt").into()));
    batch.vary_options();
    batch.options_mut(1).unwrap().gravity[2] = 0.0;
    batch.options_mut(2).unwrap().timestep *= 2.0;
    step_batch(&mut batch, 5);
    assert_eq!(batch.world(0).unwrap().qpos(), run(&model, 5).qpos());
    assert_eq!(batch.world(1).unwrap().qpos(), &*model.qpos0);
    assert_eq!(batch.world(2).unwrap().time(), 2.0 * batch.world(0).unwrap().time());
}

#[test]
fn weight_can_be_taken_off_in_some_worlds() {
    // no body of the model is compensated, so that its count of them is zero
    let model = load(
        "<mujoco><worldbody><body pos='0 0 1'><freejoint/><geom size='.1'/></body></worldbody></mujoco>",
    );
    let mut batch = BatchSim::new(model.shared(), 2).unwrap();
    batch.vary("body_gravcomp").unwrap();
    batch.parameter_mut("body_gravcomp", 0).unwrap()[1] = 1.0;
    step_batch(&mut batch, 5);
    assert_eq!(batch.world(0).unwrap().qpos()[2], 1.0);
    assert!(batch.world(1).unwrap().qpos()[2] < 1.0);
}

#[test]
fn the_reference_pose_and_height_fields_vary() {
    let model = load(
        "<mujoco><asset><hfield name='hill' nrow='3' ncol='3' size='1 1 1 .1' elevation='0 0 0 0 .5 0 0 0 1'/></asset>
         <worldbody><geom type='hfield' hfield='hill'/>
         <body pos='0 0 .8'><freejoint/><geom size='.1'/></body></worldbody></mujoco>",
    );
    let mut batch = BatchSim::new(model.shared(), 2).unwrap();
    batch.vary("qpos0").unwrap();
    batch.parameter_mut("qpos0", 0).unwrap()[2] = 3.0;
    batch.vary("hfield_data").unwrap();
    batch.parameter_of::<f32>("hfield_data", 1).unwrap()[4] = 1.0;
    step_batch(&mut batch, 1);
    assert!(batch.world(0).unwrap().qpos()[2] > 2.9);
    assert!(
        batch.world(1).unwrap().work().contact.len() > batch.world(0).unwrap().work().contact.len()
    );
    let wrong = batch.parameter_mut("hfield_data", 1);
    if size_of::<Real>() == 8 {
        let expected = ParameterError::Type { name: "hfield_data", expected: "f32" };
        assert_eq!(wrong.err(), Some(expected.into()));
    }
}

#[test]
fn all_worlds_can_be_set_at_once() {
    let model = benchmark_model("arm");
    let mut batch = BatchSim::new(model.shared(), 2).unwrap();
    batch.vary("body_mass").unwrap();
    let rows: Vec<Real> =
        (1..=2).flat_map(|k| model.body_mass.iter().map(move |m| m * k as Real)).collect();
    batch.set_parameter("body_mass", &rows).unwrap();
    assert_eq!(*batch.model_of(0).unwrap().body_mass, *model.body_mass);
    let second = batch.model_of(1).unwrap();
    assert_eq!(second.body_mass[1], 2.0 * model.body_mass[1]);
    assert_eq!(second.body_subtreemass[1], 2.0 * model.body_subtreemass[1]);
    assert_eq!(second.stat.meanmass, 2.0 * model.stat.meanmass);
    let error = batch.set_parameter("body_mass", &rows[1..]).unwrap_err();
    let (found, expected) = (rows.len() - 1, rows.len());
    assert_eq!(error, BatchError::Length { what: "body_mass", found, expected });
}

#[test]
fn what_cannot_vary_says_why() {
    let model = benchmark_model("humanoid");
    let mut batch = BatchSim::new(model.shared(), 2).unwrap();
    for (name, part) in [
        ("body_masses", "no array `body_masses`"),
        ("body_parentid", "whole numbers"),
        ("mesh_vert", "shared by all worlds"),
        ("flex_vert0", "shared by all worlds"),
        ("flexedge_length0", "follows from other parameters"),
        ("body_subtreemass", "follows from other parameters"),
    ] {
        let error = batch.vary(name).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
    let error = batch.parameter_mut("body_mass", 0).unwrap_err();
    assert_eq!(error, ParameterError::NotVarying("body_mass").into());
    batch.vary("body_mass").unwrap();
    let error = batch.parameter_mut("body_mass", 2).unwrap_err();
    assert_eq!(error, BatchError::NoSuchWorld { index: 2, count: 2 });
}

#[test]
fn bad_values_are_refused_and_change_nothing() {
    let model = conformance_model("simple_bodies");
    let simple = (1..model.nbody).find(|&b| model.body_simple[b] != 0).unwrap();
    let mut batch = BatchSim::new(model.shared(), 2).unwrap();
    let before = batch.world(1).unwrap();
    batch.vary("body_mass").unwrap();
    batch.parameter_mut("body_mass", 1).unwrap()[1] = Real::NAN;
    let error = batch.step_all().unwrap_err();
    let expected = ParameterError::NotFinite { name: "body_mass", world: 1, index: 1 };
    assert_eq!(error, expected.into());
    batch.parameter_mut("body_mass", 1).unwrap()[1] = 1.0;
    batch.vary("body_ipos").unwrap();
    batch.parameter_mut("body_ipos", 1).unwrap()[3 * simple] += 0.1;
    let error = batch.step_all().unwrap_err();
    assert_eq!(error, ParameterError::Simple { world: 1, body: simple }.into());
    assert!(batch.world(1).unwrap() == before);
    batch.parameter_mut("body_ipos", 1).unwrap()[3 * simple] -= 0.1;
    batch.step_all().unwrap();
}
