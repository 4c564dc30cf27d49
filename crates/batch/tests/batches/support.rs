//! Worlds that differ, and the same worlds stepped alone.
use ferrodyn::dynamics::OwnedWorld;
use ferrodyn::math::Real;
use ferrodyn::{BatchSim, Data, DivergencePolicy, Model};

/// Numbers between -1 and 1 that look random, the same in every run.
pub(crate) fn noise(seed: usize) -> impl Iterator<Item = Real> {
    // Knuth's multiplier and increment
    let mut state = (seed as u64).wrapping_mul(6364136223846793005).wrapping_add(99);
    std::iter::repeat_with(move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as Real / (1u64 << 30) as Real - 1.0
    })
}

/// A velocity for each world: rows of `qpos` and `qvel` from which they begin.
pub(crate) fn initial_states(model: &Model, count: usize) -> Vec<Real> {
    let row = |world| {
        let velocities = noise(world).take(model.nv).map(|x| 0.5 * x);
        model.qpos0.iter().copied().chain(velocities).collect::<Vec<_>>()
    };
    (0..count).flat_map(row).collect()
}

/// Controls of all worlds in a call.
pub(crate) fn controls(model: &Model, count: usize, call: usize) -> Vec<Real> {
    (0..count).flat_map(|world| noise(1000 * call + world).take(model.nu)).collect()
}

/// The worlds of a batch, each stepped alone.
pub(crate) fn alone(model: &Model, count: usize, calls: usize, frame_skip: usize) -> Vec<Data> {
    let states = initial_states(model, count);
    let mut worlds: Vec<Data> = (0..count).map(|_| model.make_data()).collect();
    for (data, state) in worlds.iter_mut().zip(states.chunks(model.nq + model.nv)) {
        let (qpos, qvel) = state.split_at(model.nq);
        data.qpos_mut().copy_from_slice(qpos);
        data.qvel_mut().copy_from_slice(qvel);
        data.set_divergence_policy(DivergencePolicy::Error);
    }
    for call in 0..calls {
        let controls = controls(model, count, call);
        for (i, data) in worlds.iter_mut().enumerate() {
            data.ctrl_mut().copy_from_slice(&controls[i * model.nu..(i + 1) * model.nu]);
            data.step_n(model, frame_skip).unwrap();
        }
    }
    worlds
}

/// A batch of the same worlds, before its first call.
pub(crate) fn batch(model: &Model, count: usize, threads: usize) -> BatchSim {
    let mut batch = BatchSim::new(model.shared(), count).unwrap();
    batch.set_threads(threads).unwrap();
    batch.start_at_states(&initial_states(model, count)).unwrap();
    batch.reset_all().unwrap();
    batch
}

/// The same worlds after so many calls.
pub(crate) fn together(
    model: &Model,
    count: usize,
    calls: usize,
    frame_skip: usize,
    threads: usize,
) -> BatchSim {
    let mut batch = batch(model, count, threads);
    batch.set_frame_skip(frame_skip).unwrap();
    for call in 0..calls {
        batch.set_controls(&controls(model, count, call)).unwrap();
        batch.step_all().unwrap();
    }
    batch
}

/// Is a world another one, in every array, header and contacts included? Where arrays have room for more than there is, only what is there counts.
#[track_caller]
pub(crate) fn check_results(found: &OwnedWorld, expected: &OwnedWorld, what: &str) {
    let with_room = ["wrap_obj", "wrap_xpos", "moment_colind", "actuator_moment"];
    // `map_`, `iM_`, `iefc_`, ...
    let of_islands = |name: &str| name.contains("island") || name.starts_with(['m', 'i']);
    for (found, expected) in found.arrays().iter().zip(expected.arrays()) {
        let name = found.info.name;
        assert!(with_room.contains(&name) || found.bytes == expected.bytes, "{what}: {name}");
    }
    assert_eq!(found.header(), expected.header(), "{what}");
    assert!(found.work().contact == expected.work().contact, "{what}: contacts");
    for ((info, found), (_, other)) in found.work().arrays().iter().zip(expected.work().arrays()) {
        let is_there = expected.header().nisland > 0 || !of_islands(info.name);
        assert!(!is_there || *found == other, "{what}: {}", info.name);
    }
    assert_eq!(found.state_hash(), expected.state_hash(), "{what}");
}
