//! How much memory a world takes.
use ferrodyn::math::Real;
use ferrodyn_testing::benchmark_model;

/// What a world of a humanoid in contact may take, its temporary memory aside, which belongs to the thread.
const HUMANOID: usize = 120 * 1024;

#[test]
fn a_humanoid_in_contact_takes_little_memory() {
    let model = benchmark_model("humanoid");
    let mut most = 0;
    for i in 0..20 {
        let mut data = model.make_data();
        // each falls in its own way
        data.qvel_mut()[3 + i % 3] = 0.2 * i as Real;
        data.step_n(&model, 200).unwrap();
        assert!(data.header().nefc > 0);
        most = most.max(data.memory_size());
        // a copy is no larger
        assert!(data.clone().memory_size() <= data.memory_size());
    }
    assert!(most < HUMANOID, "{most} bytes");
    // contacts and rows are there, and not only the arrays whose size the model fixes
    assert!(most > model.make_data().memory_size() + 10_000, "{most} bytes");
}
