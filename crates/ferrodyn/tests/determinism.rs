//! The same model and state give the same bits, in every build and on every run.
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
