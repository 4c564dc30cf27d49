//! Rates of lengths.
use ferrodyn::dynamics::integrate::integrate_pos;
use ferrodyn_testing::all_close;

use crate::support::{on_bodies, stirred};

#[test]
fn edges_grow_at_the_rate_of_their_velocity() {
    let model = on_bodies(1, "0 1 1 2 2 3 3 4 4 1", "<edge stiffness='1'/>");
    let data = stirred(&model);
    let at = |time: f64| {
        let mut later = data.clone();
        integrate_pos(&model, later.qpos_mut(), data.qvel(), time);
        later.forward(&model).unwrap();
        later.flexedge_length().to_vec()
    };
    let (before, after) = (at(-1e-5), at(1e-5));
    let rates: Vec<f64> = after.iter().zip(&before).map(|(a, b)| (a - b) / 2e-5).collect();
    assert!(rates.iter().all(|rate| rate.abs() > 1e-3), "{rates:?}");
    all_close(data.flexedge_velocity(), &rates, 1e-8);
}
