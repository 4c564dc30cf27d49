//! The same model and state give the same bits, in every build and on every run.
use ferrodyn::BatchSim;
use ferrodyn_testing::{benchmark_model, run};

/// State after 10,000 steps of a benchmark model.
fn hash_after_10000_steps(name: &str, integrator: i32) -> u64 {
    let mut model = benchmark_model(name);
    model.edit(|m| m.opt.integrator = integrator);
    run(&model, 10_000).state_hash()
}

/// Fingerprints recorded once; debug and release builds are both tested against them.
const FINGERPRINTS: [(&str, i32, u64); 5] = [
    ("humanoid", 0, 0xfdb9_031f_9709_98b8),
    ("humanoid", 1, 0xaf9e_f2db_ddf5_7761),
    ("humanoid", 2, 0x23ac_7a66_04a5_caf7),
    ("humanoid", 3, 0xfdb9_031f_9709_98b8),
    ("arm", 0, 0xc600_0240_651a_499f),
];

#[test]
fn ten_thousand_steps_give_the_recorded_bits() {
    let found = FINGERPRINTS
        .map(|(name, integrator, _)| (name, integrator, hash_after_10000_steps(name, integrator)));
    assert_eq!(found, FINGERPRINTS, "{found:#x?}");
}

#[test]
fn repeated_runs_give_the_same_bits() {
    assert_eq!(hash_after_10000_steps("arm", 0), hash_after_10000_steps("arm", 0));
}

#[test]
fn one_call_of_many_steps_equals_many_calls() {
    let model = benchmark_model("arm");
    let (mut a, mut b) = (model.make_data(), model.make_data());
    a.step_n(&model, 500).unwrap();
    for _ in 0..500 {
        b.step(&model).unwrap();
    }
    assert_eq!(a, b);
}

/// Worlds of a batch after 40 calls; they begin with different velocities, and one of them is thrown away half way. The module of `examples/web`
/// does the same without threads.
const BATCH_FINGERPRINT: u64 = 0x0e4f_5c37_058c_c12b;

#[test]
fn batches_give_the_recorded_bits_on_any_number_of_threads() {
    const WORLDS: usize = 11;
    let model = benchmark_model("humanoid");
    let velocity = |world, dof| 0.01 * (world * (dof % 7)) as f64;
    let state = |world| {
        model.qpos0.iter().copied().chain((0..model.nv).map(move |dof| velocity(world, dof)))
    };
    let states: Vec<_> = (0..WORLDS).flat_map(state).collect();
    for threads in [1, 2, 24] {
        let mut batch = BatchSim::new(model.shared(), WORLDS).unwrap();
        batch.set_threads(threads).unwrap();
        batch.set_frame_skip(10).unwrap();
        batch.start_at_states(&states).unwrap();
        batch.reset_all().unwrap();
        for call in 0..40 {
            if call == 20 {
                batch.with_world(1, |d| d.qvel[0] = 1e11).unwrap();
            }
            let errors = &batch.step_all().unwrap().errors;
            assert_eq!(errors[1].is_some(), call == 20);
        }
        let hashes = (0..WORLDS).map(|i| batch.world(i).unwrap().state_hash());
        let found = hashes.fold(0, |sum: u64, hash| sum.rotate_left(1) ^ hash);
        assert_eq!(found, BATCH_FINGERPRINT, "{threads} threads: {found:#x}");
    }
}
