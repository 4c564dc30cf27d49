//! What a step does to the state of deformable bodies.
use ferrodyn::math::{Real, Vec3, by_precision};
use ferrodyn::soft::{CapsuleChain, ChainConfig, ClothConfig, DeformableBody, SolverConfig};
use ferrodyn::{Data, DivergedQuantity, DivergencePolicy, Integrator, Model, StepError};
use ferrodyn_testing::{load, with_integrator};

use super::{square, undamped, world};

/// A cloth falls on a ball that lies on the floor.
fn scene() -> (Model, Data) {
    let model = load(
        "<mujoco><worldbody><geom type='plane' size='1 1 1'/>
         <body pos='0 0 .1'><freejoint/><geom size='.1' mass='.2'/></body></worldbody></mujoco>",
    );
    let cloth = square(9, 0.4, Vec3::new(0.0, 0.0, 0.25), ClothConfig::cotton());
    let data = world(&model, &cloth, SolverConfig::realtime());
    (model, data)
}

#[test]
fn forward_moves_nothing_and_gives_the_same_twice() {
    let (model, mut data) = scene();
    data.step_n(&model, 60).unwrap();
    let before = data.deformable(0).unwrap().positions().to_vec();
    data.forward(&model).unwrap();
    assert!(data.deformable_force().iter().any(|f| *f != 0.0));
    let first = data.clone();
    data.forward(&model).unwrap();
    assert_eq!(data, first);
    assert_eq!(data.deformable(0).unwrap().positions(), before);
    // and a step is the same whether forward was called before it or not
    let mut other = first.clone();
    other.forward(&model).unwrap();
    data.step(&model).unwrap();
    other.step(&model).unwrap();
    assert_eq!(data.state_hash(), other.state_hash());
}

#[test]
fn every_integrator_moves_a_body_once_in_a_step() {
    let (model, data) = scene();
    for integrator in [
        Integrator::Euler,
        Integrator::Rk4,
        Integrator::Implicit,
        Integrator::ImplicitFast,
        Integrator::ImplicitSpringDamper,
    ] {
        let model = with_integrator(&model, integrator);
        let mut data = data.clone();
        data.step(&model).unwrap();
        let height = data.deformable(0).unwrap().positions()[0][2];
        // ten substeps of free fall, and a little air: Σ i dt² g
        let dt: Real = 2e-4;
        let fall = 9.81 * dt * dt * 55.0;
        assert!(
            (0.25 - height - fall).abs() < by_precision(0.01, 0.05) * fall,
            "{integrator:?}: {}",
            0.25 - height
        );
        data.step_n(&model, 100).unwrap();
        // its middle lies on the ball
        let height = data.deformable(0).unwrap().positions()[40][2];
        assert!((0.18..0.22).contains(&height), "{integrator:?}: {height}");
    }
}

#[test]
fn a_pinned_vertex_neither_moves_nor_collides() {
    let model = load("<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>");
    // all of it within the ball
    let config = ClothConfig { pinned: vec![0, 4], ..ClothConfig::cotton() };
    let cloth = square(3, 0.05, Vec3::ZERO, config);
    let start = cloth.positions().to_vec();
    let mut data = world(&model, &cloth, SolverConfig::realtime());
    data.step_n(&model, 5).unwrap();
    let pinned = |i: u32| i == 0 || i == 4;
    assert!(!data.deformable_contacts().is_empty());
    assert!(!data.deformable_contacts().iter().any(|c| pinned(c.vertex_idx)));
    let body = data.deformable(0).unwrap();
    for i in [0, 4] {
        assert_eq!((body.positions()[i], body.velocities()[i]), (start[i], Vec3::ZERO));
    }
    assert!(body.positions()[8] != start[8]);
}

#[test]
fn forces_from_outside_and_gravity_act_on_vertices() {
    let mut model = load("<mujoco><option gravity='0 0 -2'/><worldbody/></mujoco>");
    let chain = CapsuleChain::line(Vec3::ZERO, Vec3::X, 4, ChainConfig::chain()).unwrap();
    let mut data = world(&model, &chain, undamped());
    let masses: Vec<Real> =
        data.deformable(0).unwrap().inverse_masses().iter().map(|w| 1.0 / w).collect();
    for (f, m) in data.deformable_mut(0).unwrap().forces.iter_mut().zip(&masses) {
        *f = Vec3::new(0.0, 3.0 * m, 0.0);
    }
    data.step_n(&model, 10).unwrap();
    let speed = data.deformable(0).unwrap().velocities()[2];
    assert!((speed - Vec3::new(0.0, 0.06, -0.04)).norm() < 1e-5, "{speed:?}");
    data.deformable_mut(0).unwrap().clear_forces();
    model.edit(|m| m.opt.disableflags |= ferrodyn::DisableBit::Gravity as i32);
    data.step_n(&model, 10).unwrap();
    assert!((data.deformable(0).unwrap().velocities()[2] - speed).norm() < 1e-5);
}

#[test]
fn a_body_that_came_to_rest_on_the_floor_sleeps_until_a_ball_comes() {
    let model = load(
        "<mujoco><worldbody><geom type='plane' size='1 1 1'/>
         <body pos='0 0 3'><freejoint/><geom size='.1'/></body></worldbody></mujoco>",
    );
    let rope = CapsuleChain::line(
        Vec3::new(-0.3, 0.0, 0.011),
        Vec3::new(0.3, 0.0, 0.011),
        10,
        ChainConfig::rope(),
    );
    let config = SolverConfig { sleep_speed: 1e-2, damping: 1.0, ..SolverConfig::realtime() };
    let mut data = world(&model, &rope.unwrap(), config);
    data.step_n(&model, 300).unwrap();
    let asleep = data.deformable(0).unwrap().positions().to_vec();
    // not even another gravity moves it
    let mut tilted = model.clone();
    tilted.edit(|m| m.opt.gravity = Vec3::new(9.0, 0.0, -9.0));
    data.step(&tilted).unwrap();
    assert_eq!(data.deformable(0).unwrap().positions(), asleep);
    assert!(data.deformable(0).unwrap().velocities().iter().all(|v| v.is_zero()));
    data.step_n(&model, 400).unwrap();
    assert_ne!(data.deformable(0).unwrap().positions(), asleep);
}

#[test]
fn a_body_that_diverges_is_reported_by_its_number_and_policy() {
    let (model, mut data) = scene();
    let rope = CapsuleChain::line(Vec3::ZERO, Vec3::X, 4, ChainConfig::rope()).unwrap();
    assert_eq!(data.register_deformable(&rope, undamped()), Ok(1));
    let vertex = 81 + 3;
    let poison = |data: &mut Data| {
        data.deformable_mut(1).unwrap().forces[3] = Vec3::new(0.0, Real::INFINITY, 0.0);
    };
    // an error, and the world is as it was
    let mut strict = data.clone();
    strict.set_divergence_policy(DivergencePolicy::Error);
    poison(&mut strict);
    let before = strict.state_hash();
    match strict.step(&model) {
        Err(StepError::Diverged(found)) => {
            assert_eq!(found.quantity, DivergedQuantity::Deformable);
            assert_eq!(found.body, 1);
            assert!((81..86).contains(&found.index), "{found}");
            assert!(found.to_string().contains("deformable body 1"), "{found}");
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(strict.state_hash(), before);
    // taken back
    let mut frozen = data.clone();
    frozen.set_divergence_policy(DivergencePolicy::Freeze);
    poison(&mut frozen);
    let report = frozen.step(&model).unwrap();
    assert!(report.divergence.unwrap().was_frozen);
    assert_eq!((frozen.state_hash(), frozen.time()), (before, 0.0));
    // MuJoCo's: reset, to where the bodies were registered
    data.step_n(&model, 20).unwrap();
    poison(&mut data);
    assert!(data.step(&model).unwrap().divergence.unwrap().was_reset);
    assert_eq!(data.header().warning[ferrodyn_model::Warning::BadQpos as usize].number, 1);
    let height = data.deformable(0).unwrap().positions()[0][2];
    assert!((height - 0.25).abs() < 1e-3, "{height}");
    assert!(data.deformable(1).unwrap().positions()[3].0.iter().all(|x| x.is_finite()));
    // a state that is bad from the beginning is found there
    let mut bad = data.clone();
    bad.set_divergence_policy(DivergencePolicy::Error);
    bad.deformable_mut(1).unwrap().positions[3][1] = Real::NAN;
    match bad.step(&model) {
        Err(StepError::Diverged(found)) => assert_eq!((found.index, found.body), (vertex, 1)),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_rigid_body_that_diverges_takes_the_deformable_ones_back() {
    let (model, mut data) = scene();
    data.step_n(&model, 50).unwrap();
    data.set_divergence_policy(DivergencePolicy::Freeze);
    let before = data.deformable(0).unwrap().positions().to_vec();
    // large enough for the position to be bad after the step alone
    data.qvel_mut()[2] = 9e9;
    data.qpos_mut()[2] = 9.99e9;
    let report = data.step(&model).unwrap();
    let found = report.divergence.unwrap();
    assert!(found.was_frozen && found.quantity == DivergedQuantity::Qpos, "{found}");
    assert_eq!(data.deformable(0).unwrap().positions(), before);
}

#[test]
fn time_that_stands_still_moves_nothing() {
    let (mut model, mut data) = scene();
    let before = data.deformable(0).unwrap().positions().to_vec();
    for h in [0.0, -0.01] {
        model.edit(|m| m.opt.timestep = h);
        data.step(&model).unwrap();
        assert_eq!(data.deformable(0).unwrap().positions(), before);
    }
}
