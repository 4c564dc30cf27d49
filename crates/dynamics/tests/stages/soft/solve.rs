//! Contacts of deformable bodies, solved together with the motion of both sides.
use ferrodyn::math::{Real, Vec3, by_precision};
use ferrodyn::soft::{
    CapsuleChain, ChainConfig, ClothConfig, DeformableBody, SoftBody, SoftBodyConfig, SolverConfig,
};
use ferrodyn::{Data, Integrator, Model};
use ferrodyn_testing::{load, with_integrator};

use super::{border, momentum, square, undamped, world};

/// A free ball of one kilogram, of radius 0.1.
fn ball(height: Real) -> Model {
    load(&format!(
        "<mujoco><worldbody><body pos='0 0 {height}'><freejoint/><geom size='.1' mass='1'/></body>
         </worldbody></mujoco>"
    ))
}

/// A sheet of rubber that hangs in a frame, and is damped as rubber is.
fn trampoline(model: &Model) -> Data {
    let config = ClothConfig { pinned: border(11), ..ClothConfig::rubber() };
    let cloth = square(11, 1.0, Vec3::ZERO, config);
    world(model, &cloth, SolverConfig { damping_time: 0.02, ..SolverConfig::realtime() })
}

#[test]
fn a_ball_comes_to_rest_on_a_rubber_cloth_with_its_weight() {
    let model = ball(0.5);
    let mut data = trampoline(&model);
    let mut deepest: Real = 0.0;
    for _ in 0..3000 {
        data.step(&model).unwrap();
        let depths = data.deformable_contacts().iter().map(|c| c.depth);
        deepest = depths.fold(deepest, Real::max);
    }
    // mean and peak over a second, and what the cloth feels of it
    let (mut sum, mut peak, mut felt): (Real, Real, Real) = (0.0, 0.0, 0.0);
    for _ in 0..500 {
        data.step(&model).unwrap();
        let force = data.deformable_force()[2];
        // nothing else holds the ball
        assert_eq!(data.qfrc_constraint()[2], force);
        sum += force;
        peak = peak.max((force / 9.81 - 1.0).abs());
        for c in data.deformable_contacts() {
            let axes = [c.normal, c.frame[0], c.frame[1]];
            felt += axes.iter().zip(c.impulse).map(|(axis, p)| axis[2] * p).sum::<Real>();
        }
    }
    // impulses over a second are forces
    let felt = felt / -9.81 - 1.0;
    assert!(felt.abs() < 0.01, "what the cloth feels is off by {felt}");
    let mean = sum / 500.0 / 9.81 - 1.0;
    assert!(mean.abs() < 0.01, "the mean force is off by {mean}");
    assert!(peak < 0.01, "the force is off by {peak} once");
    assert!(data.qvel()[..3].iter().all(|v| v.abs() < 1e-3), "{:?}", data.qvel());
    // no more than twice the thickness of 2 mm, at 3 m/s too
    assert!(deepest < 4e-3, "{deepest}");
}

#[test]
fn momentum_that_one_side_gets_the_other_loses() {
    // without gravity: a net of links flies into a ball, off its middle
    let model = load(
        "<mujoco><option gravity='0 0 0'/><worldbody><body><freejoint/><geom size='.1' mass='.5'/></body>
         </worldbody></mujoco>",
    );
    for integrator in [Integrator::Euler, Integrator::Rk4, Integrator::ImplicitFast] {
        let model = with_integrator(&model, integrator);
        let mut cloth = square(9, 0.4, Vec3::new(0.03, -0.05, 0.12), ClothConfig::leather());
        cloth.velocities_mut().fill(Vec3::new(0.3, 0.0, -2.0));
        let mut data = world(&model, &cloth, undamped());
        let before = momentum(&data, 0);
        for _ in 0..50 {
            data.step(&model).unwrap();
            let rigid = Vec3::from_slice(&data.qvel()[..3]) * 0.5;
            let error = (momentum(&data, 0) + rigid - before).norm() / before.norm();
            // velocities are differences of positions over a substep: their last bits are a million times those of the positions
            assert!(error < by_precision(1e-11, 1e-2), "{integrator:?}: {error}");
        }
        assert!(data.qvel()[2] < -0.1, "{integrator:?}: {:?}", data.qvel());
    }
}

#[test]
fn a_contact_pushes_through_the_joints_of_a_tree() {
    // a board on a hinge turns under a falling chain, and what hangs on it goes along
    let model = load(
        "<mujoco><option gravity='0 0 0'/><worldbody><body><joint axis='0 1 0'/>
         <geom type='box' size='.5 .1 .01' mass='1'/>
         <body pos='.5 0 0'><joint axis='0 1 0'/><geom type='box' pos='.2 0 0' size='.2 .1 .01' mass='.3'/></body>
         </body></worldbody></mujoco>",
    );
    let (from, to) = (Vec3::new(0.3, -0.05, 0.05), Vec3::new(0.3, 0.05, 0.05));
    let mut chain = CapsuleChain::line(from, to, 4, ChainConfig::rope()).unwrap();
    chain.velocities_mut().fill(Vec3::new(0.0, 0.0, -1.0));
    let mut data = world(&model, &chain, undamped());
    let before = momentum(&data, 0);
    while data.deformable_force().iter().all(|f| *f == 0.0) {
        data.step(&model).unwrap();
        assert!(data.time() < 1.0);
    }
    // downwards at x = 0.3: about y that is positive, and the second link lags behind
    assert!(data.qvel()[0] > 0.0 && data.qvel()[1] < 0.0, "{:?}", data.qvel());
    let lost = before[2] - momentum(&data, 0)[2];
    let force = data.deformable_force();
    let torque = -lost / model.opt.timestep * -0.3;
    assert!((force[0] + torque).abs() < 0.05 * torque.abs(), "{force:?}, {torque}");
    assert!(force[1].abs() < 1e-9 * force[0].abs());
}

#[test]
fn constraints_of_the_body_hold_in_contact() {
    let model = load("<mujoco><worldbody><geom size='.3'/></worldbody></mujoco>");
    let mut cloth = square(15, 0.8, Vec3::new(0.0, 0.0, 0.35), ClothConfig::cotton());
    let stretch = |x: &[Vec3], shape: &ferrodyn::soft::Shape| {
        let strain = shape.constraints().filter_map(|c| match c {
            ferrodyn::soft::Constraint::Distance(c) => {
                let [a, b] = c.vertices.map(|v| x[v as usize]);
                Some(((a - b).norm() / c.rest - 1.0).abs())
            }
            _ => None,
        });
        strain.fold(0.0, Real::max)
    };
    cloth.velocities_mut().fill(Vec3::new(0.0, 0.0, -1.0));
    let mut data = world(&model, &cloth, SolverConfig::realtime());
    for _ in 0..500 {
        data.step(&model).unwrap();
    }
    let body = data.deformable(0).unwrap();
    let worst = stretch(body.positions(), body.shape());
    assert!(worst < 0.02, "{worst}");
    let center = |x: &&Vec3| x.norm() < 0.3;
    assert!(!body.positions().iter().any(|x| center(&x)));
}

#[test]
fn friction_holds_on_a_slope_or_lets_go_by_its_number() {
    // tan 20° = 0.364: with a geom of friction μ² / 0.5 the pair has μ
    let slide = |mu: Real, condim: i32| {
        let mut model = load(&format!(
            "<mujoco><worldbody><geom type='plane' size='1 1 1' euler='0 20 0' friction='{} .005 .0001'/>
             </worldbody></mujoco>",
            mu * mu / 0.5
        ));
        model.edit(|m| m.opt.deformable_condim = condim);
        let mut config = SoftBodyConfig::stiff();
        config.material.friction = 0.5;
        // lying on the slope
        let mut block = SoftBody::grid([3, 3, 2], [0.05; 3], Vec3::ZERO, config).unwrap();
        let turn = ferrodyn::math::Quat::from_axis_angle(Vec3::Y, (20.0 as Real).to_radians());
        for x in block.positions_mut() {
            *x = turn.rotate(*x + Vec3::new(0.0, 0.0, 0.005));
        }
        let mut data = world(&model, &block, undamped());
        data.step_n(&model, 250).unwrap();
        let speed = momentum(&data, 0) * (1.0 / 1e-3);
        let mass: Real = data.deformable(0).unwrap().inverse_masses().iter().map(|w| 1.0 / w).sum();
        turn.rotate(Vec3::X).dot(speed) * 1e-3 / mass
    };
    let (sine, cosine) = (0.342020, 0.939693);
    // g (sin - μ cos) t after half a second
    for mu in [0.0, 0.1, 0.25] {
        let (found, expected) = (slide(mu, 3), 9.81 * (sine - mu * cosine) * 0.5);
        assert!(
            (found / expected - 1.0).abs() < by_precision(0.02, 0.06),
            "{mu}: {found}, expected {expected}"
        );
    }
    assert!(slide(0.45, 3).abs() < by_precision(1e-4, 1e-2), "{}", slide(0.45, 3));
    // a contact of dimension one has no friction
    assert!((slide(0.45, 1) / (9.81 * sine * 0.5) - 1.0).abs() < by_precision(0.02, 0.06));
}

#[test]
fn a_chain_over_the_edge_of_a_box_comes_to_rest() {
    let model = load(
        "<mujoco><option timestep='.016666666666666666'/><worldbody>
         <geom type='box' size='.5 .5 .5' pos='-.5 0 -.5'/></worldbody></mujoco>",
    );
    // ten segments, of which most lie on the box
    let from = Vec3::new(-0.35, 0.0, 0.0101);
    let config = ChainConfig { radius: 0.01, ..ChainConfig::rope() };
    let chain = CapsuleChain::line(from, Vec3::new(0.15, 0.0, 0.0101), 10, config).unwrap();
    let config = SolverConfig { damping: 2.0, damping_time: 0.01, ..SolverConfig::realtime() };
    let mut data = world(&model, &chain, config);
    data.step_n(&model, 500).unwrap();
    let body = data.deformable(0).unwrap();
    let fastest = body.velocities().iter().fold(0.0, |s: Real, v| v.norm().max(s));
    assert!(fastest < 1e-4, "{fastest}");
    // it hangs over the edge, and lies on the box
    assert!(body.positions()[10][2] < -0.02 && body.positions()[0][2] > 0.0);
}

#[test]
fn what_lies_on_the_floor_is_not_pushed_into_it_by_a_cloth() {
    // a heavy blanket on a light box: the floor has to carry both
    let model = load(
        "<mujoco><worldbody><geom type='plane' size='1 1 1'/>
         <body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1' mass='.1'/></body>
         </worldbody></mujoco>",
    );
    let config = ClothConfig { mass: Some(1.0), ..ClothConfig::leather() };
    let blanket = square(9, 0.2, Vec3::new(0.0, 0.0, 0.2011), config);
    let mut data =
        world(&model, &blanket, SolverConfig { damping_time: 0.02, ..SolverConfig::realtime() });
    data.step_n(&model, 1000).unwrap();
    let weight = data.deformable_force()[2];
    assert!((weight / -9.81 - 1.0).abs() < 0.05, "{weight}");
    // ten times its own weight is on it, and it sinks by a few millimetres at most
    assert!((data.qpos()[2] - 0.1).abs() < 3e-3, "{}", data.qpos()[2]);
}

#[test]
fn contacts_are_looked_for_as_often_as_the_model_says() {
    // a fast vertex meets a corner: looked for once in a long step, only what was near at its beginning is seen
    let run = |iterations: i32| {
        let mut model = load(
            "<mujoco><option timestep='.02'/><worldbody><geom size='.3'/></worldbody></mujoco>",
        );
        model.edit(|m| m.opt.deformable_iterations = iterations);
        let mut cloth = square(15, 0.8, Vec3::new(0.0, 0.0, 0.4), ClothConfig::silk());
        cloth.velocities_mut().fill(Vec3::new(1.0, 0.0, -3.0));
        let mut data = world(&model, &cloth, SolverConfig::realtime());
        let mut deepest: Real = 0.0;
        for _ in 0..50 {
            data.step(&model).unwrap();
            let x = data.deformable(0).unwrap().positions();
            deepest = x.iter().fold(deepest, |d, x| d.max(0.3 - x.norm()));
        }
        (deepest, data.deformable_contacts().len())
    };
    let ((once, few), (often, many)) = (run(1), run(4));
    assert!(often < once, "{often}, {once}");
    // out of range: the nearest that is in it
    assert_eq!(run(-3), (once, few));
    assert_eq!(run(9), (often, many));
}

#[test]
fn a_small_reference_time_ends_an_overlap_sooner() {
    let depth = |solref: [Real; 2]| {
        let mut model =
            load("<mujoco><worldbody><geom type='plane' size='1 1 1'/></worldbody></mujoco>");
        model.edit(|m| m.opt.deformable_solref = solref);
        let chain = CapsuleChain::line(Vec3::ZERO, Vec3::X, 5, ChainConfig::rope()).unwrap();
        let mut data = world(&model, &chain, undamped());
        data.step(&model).unwrap();
        0.01 - data.deformable(0).unwrap().positions()[2][2]
    };
    let (slow, fast) = (depth([0.1, 1.0]), depth([0.01, 1.0]));
    assert!(fast < slow && slow < 0.01, "{fast}, {slow}");
}
