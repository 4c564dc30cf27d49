//! The state before a step, for worlds that must not move when they diverge.
use ferrodyn_math::Real;
use ferrodyn_model::{EnableBit, Model, Storage};

use crate::World;
use crate::sleep::update_sleep;

/// The arrays that a step moves, `tree_asleep` aside.
fn moved<'w>(d: &'w mut World<'_>) -> ([&'w mut [Real]; 6], &'w mut [Real]) {
    let arrays = [
        &mut *d.qpos,
        &mut *d.qvel,
        &mut *d.act,
        &mut *d.history,
        &mut *d.qacc_warmstart,
        &mut *d.plugin_state,
    ];
    (arrays, d.scratch.before)
}

/// Remember the state.
pub(crate) fn keep_state(d: &mut World<'_>) {
    d.scratch.before[0] = d.head.time;
    let (arrays, before) = moved(d);
    let mut before = &mut before[1..];
    for array in arrays {
        let (place, rest) = before.split_at_mut(array.len());
        place.copy_from_slice(array);
        before = rest;
    }
    d.scratch.before_asleep.copy_from_slice(d.tree_asleep);
}

/// Put the remembered state back.
pub(crate) fn restore_state(m: &Model<impl Storage>, d: &mut World<'_>) {
    d.head.time = d.scratch.before[0];
    #[cfg(feature = "deformable")]
    crate::soft::take_back(d);
    let (arrays, before) = moved(d);
    let mut before = &mut before[1..];
    for array in arrays {
        let (place, rest) = before.split_at_mut(array.len());
        array.copy_from_slice(place);
        before = rest;
    }
    if m.opt.enabled(EnableBit::Sleep) {
        d.tree_asleep.copy_from_slice(d.scratch.before_asleep);
        update_sleep(m, d);
    }
}
