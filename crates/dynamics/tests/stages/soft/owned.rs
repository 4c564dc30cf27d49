//! Deformable bodies as part of a world.
use ferrodyn::math::{Real, Vec3, is_bad};
use ferrodyn::soft::{
    CapsuleChain, ChainConfig, Cloth, ClothConfig, DeformableBody, SoftBody, SoftBodyConfig,
    SoftError, SolverConfig, VertexFlags,
};
use ferrodyn::{Data, Model};
use ferrodyn_testing::load;

use super::{square, undamped, world};

fn ball_on_floor() -> Model {
    load(
        "<mujoco><worldbody><geom type='plane' size='1 1 1'/>
         <body pos='0 0 .1'><freejoint/><geom size='.1' mass='.2'/></body></worldbody></mujoco>",
    )
}

/// One body of each kind around a ball.
fn crowd(model: &Model) -> Data {
    let cloth = square(7, 0.3, Vec3::new(0.0, 0.0, 0.25), ClothConfig::cotton());
    let mut data = world(model, &cloth, SolverConfig::realtime());
    let corner = Vec3::new(0.2, -0.1, 0.1);
    let jelly = SoftBody::grid([3, 3, 3], [0.05; 3], corner, SoftBodyConfig::gelatin()).unwrap();
    assert_eq!(data.register_deformable(&jelly, SolverConfig::quality()), Ok(1));
    let (from, to) = (Vec3::new(-0.2, -0.2, 0.3), Vec3::new(-0.1, 0.3, 0.3));
    let rope = CapsuleChain::line(from, to, 8, ChainConfig::rope()).unwrap();
    assert_eq!(data.register_deformable(&rope, undamped()), Ok(2));
    data
}

#[test]
fn bodies_of_every_kind_live_in_one_world() {
    let model = ball_on_floor();
    let mut data = crowd(&model);
    assert_eq!(data.deformable_count(), 3);
    data.step_n(&model, 500).unwrap();
    for i in 0..3 {
        let body = data.deformable(i).unwrap();
        assert!(body.positions().iter().all(|x| x[2] > 0.0 && x[2] < 0.5), "{i}");
        assert!(body.vertex_flags().iter().any(|f| f.contains(VertexFlags::COLLIDING)), "{i}");
    }
    assert!(data.deformable(3).is_none() && data.deformable_mut(3).is_none());
}

#[test]
fn a_copy_is_equal_and_independent() {
    let model = ball_on_floor();
    let mut data = crowd(&model);
    data.step_n(&model, 100).unwrap();
    let mut copy = data.clone();
    assert_eq!(copy, data);
    assert_eq!(copy.state_hash(), data.state_hash());
    copy.step_n(&model, 20).unwrap();
    assert_ne!(copy.state_hash(), data.state_hash());
    assert_ne!(copy, data);
    data.step_n(&model, 20).unwrap();
    assert_eq!(copy, data);
    copy.deformable_mut(0).unwrap().velocities[3][1] += 1.0;
    assert_ne!(copy, data);
    copy.copy_from(&data);
    // into a world that has none, and back
    let mut other = model.make_data();
    other.copy_from(&data);
    assert_eq!(other, data);
    other.step(&model).unwrap();
    other.copy_from(&copy);
    assert_eq!(other, copy);
    other.copy_from(&model.make_data());
    assert_eq!(other.deformable_count(), 0);
}

#[test]
fn bytes_hold_a_world_with_its_bodies() {
    let model = ball_on_floor();
    let mut data = crowd(&model);
    data.step_n(&model, 100).unwrap();
    let bytes = data.to_bytes();
    let mut restored = crowd(&model);
    restored.restore_bytes(&model, &bytes).unwrap();
    assert_eq!(*restored, *data);
    restored.step_n(&model, 50).unwrap();
    data.step_n(&model, 50).unwrap();
    assert_eq!(*restored, *data);
    // a world without these bodies refuses, and is as it was
    let mut empty = model.make_data();
    assert!(empty.restore_bytes(&model, &bytes).is_err());
    assert_eq!(empty, model.make_data());
}

#[test]
fn a_reset_returns_to_where_bodies_were_registered() {
    let model = ball_on_floor();
    let mut data = crowd(&model);
    let fresh = data.clone();
    data.deformable_mut(2).unwrap().forces[1] = Vec3::X;
    data.step_n(&model, 200).unwrap();
    assert!(!data.deformable_contacts().is_empty());
    data.reset(&model).unwrap();
    assert!(data.deformable_contacts().is_empty());
    for i in 0..3 {
        let (a, b) = (data.deformable(i).unwrap(), fresh.deformable(i).unwrap());
        assert_eq!((a.positions(), a.velocities()), (b.positions(), b.velocities()));
        assert!(a.vertex_flags().iter().all(|f| *f == VertexFlags::default()));
    }
    assert_eq!(data.deformable_mut(2).unwrap().forces[1], Vec3::ZERO);
}

#[test]
fn a_world_without_bodies_has_nothing_of_them() {
    let model = ball_on_floor();
    let mut data = model.make_data();
    assert_eq!(data.deformable_count(), 0);
    let size = data.memory_size();
    data.step_n(&model, 3).unwrap();
    assert!(data.deformable_contacts().is_empty() && data.deformable_force().is_empty());
    // the same numbers as a world whose body is far away
    let far = square(3, 0.1, Vec3::new(0.0, 0.0, 50.0), ClothConfig::cotton());
    let mut other = world(&model, &far, SolverConfig::realtime());
    assert!(other.memory_size() > size);
    other.step_n(&model, 3).unwrap();
    assert_eq!((other.qpos(), other.qacc()), (data.qpos(), data.qacc()));
}

#[test]
fn registering_keeps_the_state_of_the_others() {
    let model = ball_on_floor();
    let mut data = crowd(&model);
    data.step_n(&model, 50).unwrap();
    let push = Vec3::new(0.0, 1e-3, 0.0);
    data.deformable_mut(1).unwrap().forces[2] = push;
    let before = data.clone();
    let sheet = square(4, 0.1, Vec3::new(0.0, 0.0, 0.6), ClothConfig::paper());
    assert_eq!(data.register_deformable(&sheet, undamped()), Ok(3));
    for i in 0..3 {
        let (old, new) = (before.deformable(i).unwrap(), data.deformable(i).unwrap());
        assert_eq!((new.positions(), new.velocities()), (old.positions(), old.velocities()));
        assert!(old.velocities().iter().any(|v| !v.is_zero()));
    }
    assert_eq!(data.deformable_mut(1).unwrap().forces[2], push);
    data.step(&model).unwrap();
}

#[test]
fn bad_bodies_are_refused_and_change_nothing() {
    let model = ball_on_floor();
    let mut data = crowd(&model);
    let before = data.clone();
    let mut rope = CapsuleChain::line(Vec3::ZERO, Vec3::X, 4, ChainConfig::rope()).unwrap();
    let still = SolverConfig { num_substeps: 0, ..undamped() };
    let refused = data.register_deformable(&rope, still);
    assert!(matches!(refused, Err(SoftError::Parameter { what: "num_substeps", .. })));
    rope.velocities_mut()[2][1] = Real::NAN;
    let refused = data.register_deformable(&rope, undamped());
    assert_eq!(refused, Err(SoftError::NotFinite { what: "velocity", vertex: 2 }));
    rope.velocities_mut()[2][1] = 0.0;
    rope.positions_mut()[3][0] = Real::INFINITY;
    let refused = data.register_deformable(&rope, undamped());
    assert_eq!(refused, Err(SoftError::NotFinite { what: "position", vertex: 3 }));
    assert_eq!(data, before);
}

/// A small generator (xorshift), so that every run mutates alike.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// A number that some code did not expect.
    fn number(&mut self) -> Real {
        const ODD: [Real; 12] = [
            0.0,
            -1.0,
            0.5,
            1.0,
            1e-30,
            1e30,
            -1e-12,
            Real::NAN,
            Real::INFINITY,
            Real::MAX,
            1e6,
            1e-5,
        ];
        ODD[self.below(ODD.len())]
    }
}

#[test]
fn mutated_bodies_are_refused_or_stay_finite() {
    let model = ball_on_floor();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let points = [
        Vec3::new(0.0, 0.0, 0.19),
        Vec3::new(0.1, 0.0, 0.2),
        Vec3::new(0.0, 0.1, 0.2),
        Vec3::new(0.0, 0.02, 0.3),
        Vec3::new(0.1, 0.1, 0.22),
    ];
    let (mut refused, mut ran, mut diverged) = (0, 0, 0);
    let mut fresh = model.make_data();
    for _ in 0..10_000 {
        let mut x = points.to_vec();
        let mut solver = SolverConfig { num_substeps: 2, ..SolverConfig::realtime() };
        let mut tetrahedra = vec![[0, 1, 2, 3], [1, 4, 2, 3]];
        let mut triangles = vec![[0, 1, 2], [1, 4, 2], [0, 3, 1]];
        let (mut cloth, mut soft, mut rope) =
            (ClothConfig::silk(), SoftBodyConfig::foam(), ChainConfig::rope());
        for _ in 0..=random.below(2) {
            let number = random.number();
            let (vertex, axis) = (random.below(5), random.below(3));
            match random.below(16) {
                0 | 1 => x[vertex][axis] = number,
                2 => x[vertex] = x[(vertex + 1) % 5],
                3 => tetrahedra[random.below(2)][random.below(4)] = random.below(7) as u32,
                4 => triangles[random.below(3)][axis] = random.below(7) as u32,
                5 => solver.damping = number,
                6 => solver.num_iterations = random.below(4),
                7 => solver.damping_time = number,
                8 => {
                    (cloth.material.young, soft.material.young, rope.material.young) =
                        (number, number, number);
                }
                9 => {
                    (cloth.material.poisson, soft.material.poisson) = (number, number);
                }
                10 => {
                    (cloth.mass, soft.mass, rope.mass) = (Some(number), Some(number), Some(number))
                }
                11 => (cloth.thickness, soft.margin, rope.radius) = (number, number, number),
                12 => {
                    (cloth.stretch_compliance, soft.volume_compliance) =
                        (Some(number), Some(number))
                }
                13 => (cloth.bend_compliance, rope.bending) = (Some(number), number),
                14 => cloth.pinned.push(random.below(8)),
                _ => soft.material.friction = number,
            }
        }
        let made: Result<Box<dyn DeformableBody + Send + Sync>, SoftError> = match random.below(3) {
            0 => Cloth::new(x, &triangles, cloth).map(|b| b.clone_box()),
            1 => SoftBody::new(x, &tetrahedra, soft).map(|b| b.clone_box()),
            _ => CapsuleChain::new(x, rope).map(|b| b.clone_box()),
        };
        let Ok(body) = made else {
            refused += 1;
            continue;
        };
        let mut data = fresh.clone();
        if data.register_deformable(&*body, solver).is_err() {
            refused += 1;
            continue;
        }
        for _ in 0..3 {
            // a world that diverges is reset, and reported
            if data.step(&model).unwrap().divergence.is_some() {
                diverged += 1;
                break;
            }
        }
        let body = data.deformable(0).unwrap();
        // a step ends before a vertex is bad, that is not a number or too large
        let mut numbers = body.positions().iter().chain(body.velocities()).flat_map(|x| x.0);
        let good = !numbers.any(is_bad) && data.qpos().iter().all(|x| x.is_finite());
        assert!(good, "{:?} {:?} {body:?} {solver:?}", data.qpos(), data.qvel());
        ran += 1;
    }
    fresh.forward(&model).unwrap();
    let all = (refused, ran, diverged);
    assert!(refused > 2000 && ran > 2000 && diverged > 10, "refused, ran, diverged: {all:?}");
}
