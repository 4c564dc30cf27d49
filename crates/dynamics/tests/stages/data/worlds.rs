//! What many worlds remember, in one allocation.
use std::num::NonZeroUsize;

use ferrodyn::StateBit;
use ferrodyn::dynamics::data::{Worlds, read_state, state_size};
use ferrodyn::dynamics::{OwnedWorld, StepError};
use ferrodyn_testing::{benchmark_model, conformance_model};

fn steps(n: usize) -> NonZeroUsize {
    NonZeroUsize::new(n).unwrap()
}

#[test]
fn a_bench_holds_nothing_that_another_world_needs() {
    let model = conformance_model("box_stack");
    let mut worlds = Worlds::new(&model, 3).unwrap();
    let mut bench = worlds.bench();
    let mut expected = model.make_data();
    for _ in 0..4 {
        expected.step_n(&model, 5).unwrap();
        for i in [1, 2] {
            worlds.world(i).step(&model, &mut bench, &[], steps(5), |_, outcome| outcome).unwrap();
        }
    }
    assert!(!expected.contacts().is_empty());
    let recall = |i: usize, bench: &mut OwnedWorld| {
        worlds.recall(i, &model, bench);
        bench.clone()
    };
    for i in [1, 2] {
        let world = recall(i, &mut bench);
        assert_eq!(world.state_hash(), expected.state_hash());
        assert!(world.work().contact == expected.work().contact);
        assert!(world.work().efc_force == expected.work().efc_force);
    }
    // the one that was never stepped has nothing of them, and a bench of its own shows the same
    let first = recall(0, &mut bench);
    assert!(first == recall(0, &mut worlds.bench()));
    assert!(first.work().contact.is_empty() && first.time() == 0.0);
}

#[test]
fn parts_are_the_worlds_in_their_order() {
    let model = benchmark_model("humanoid");
    let mut worlds = Worlds::new(&model, 5).unwrap();
    let mut bench = worlds.bench();
    let (mut first, mut rest) = worlds.all().split_at(2);
    assert_eq!((first.len(), rest.len(), rest.is_empty()), (2, 3, false));
    for i in 0..5 {
        let mut world = if i < 2 { first.world(i) } else { rest.world(i - 2) };
        let height = i as ferrodyn::math::Real;
        let begin = |d: &mut ferrodyn::dynamics::World<'_>| {
            d.qpos[2] = height;
            Ok(())
        };
        world.reset(&model, &mut bench, begin, |_, outcome| outcome).unwrap();
    }
    let spec = StateBit::Qpos as i32;
    let mut qpos = vec![0.0; state_size(&*model, spec)];
    for i in 0..5 {
        worlds.read_state(i, &mut bench, spec, &mut qpos).unwrap();
        assert_eq!(qpos[2], i as ferrodyn::math::Real);
        worlds.recall(i, &model, &mut bench);
        let mut shown = qpos.clone();
        read_state(&bench.view_mut(), spec, &mut shown).unwrap();
        assert_eq!(shown, qpos);
    }
}

#[test]
fn more_worlds_than_memory_has_words_are_refused() {
    let model = benchmark_model("humanoid");
    for count in [usize::MAX, usize::MAX / 100_000] {
        let error = Worlds::new(&model, count).map(|_| ()).unwrap_err();
        assert!(matches!(error, StepError::NoRoom { .. }), "{error}");
    }
}

#[test]
fn other_models_and_other_numbers_of_controls_are_refused() {
    let model = benchmark_model("humanoid");
    let other = conformance_model("box_stack");
    let mut worlds = Worlds::new(&model, 1).unwrap();
    let mut bench = worlds.bench();
    let error = worlds.world(0).step(&other, &mut bench, &[], steps(1), |_, outcome| outcome);
    assert_eq!(error, Err(StepError::ModelMismatch));
    let error = worlds.world(0).step(&model, &mut bench, &[1.0], steps(1), |_, outcome| outcome);
    assert_eq!(error, Err(StepError::StateLength { found: 1, expected: model.nu }));
    worlds.recall(0, &model, &mut bench);
    assert_eq!(bench.time(), 0.0);
}
