//! The state before a step, for worlds that must not move when they diverge.
use alloc::vec::Vec;

use ferrodyn_math::Real;
use ferrodyn_model::{EnableBit, Model};

use crate::{World, update_sleep};

/// What a step moves, as it was before.
#[derive(Clone, Debug, Default)]
pub(crate) struct StateBefore {
    time: Real,
    qpos: Vec<Real>,
    qvel: Vec<Real>,
    act: Vec<Real>,
    history: Vec<Real>,
    warmstart: Vec<Real>,
    plugin_state: Vec<Real>,
    tree_asleep: Vec<i32>,
}

/// Replace the contents without giving memory back.
fn keep<T: Copy>(to: &mut Vec<T>, from: &[T]) {
    to.clear();
    to.extend_from_slice(from);
}

/// Remember the state.
pub(crate) fn keep_state(d: &mut World<'_>) {
    let before = &mut *d.before;
    before.time = d.head.time;
    keep(&mut before.qpos, d.qpos);
    keep(&mut before.qvel, d.qvel);
    keep(&mut before.act, d.act);
    keep(&mut before.history, d.history);
    keep(&mut before.warmstart, d.qacc_warmstart);
    keep(&mut before.plugin_state, d.plugin_state);
    keep(&mut before.tree_asleep, d.tree_asleep);
}

/// Put the remembered state back.
pub(crate) fn restore_state(m: &Model, d: &mut World<'_>) {
    let before = &*d.before;
    d.head.time = before.time;
    d.qpos.copy_from_slice(&before.qpos);
    d.qvel.copy_from_slice(&before.qvel);
    d.act.copy_from_slice(&before.act);
    d.history.copy_from_slice(&before.history);
    d.qacc_warmstart.copy_from_slice(&before.warmstart);
    d.plugin_state.copy_from_slice(&before.plugin_state);
    if m.opt.enabled(EnableBit::Sleep) {
        d.tree_asleep.copy_from_slice(&before.tree_asleep);
        update_sleep(m, d);
    }
}
