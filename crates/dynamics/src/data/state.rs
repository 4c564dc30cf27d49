//! The state of a world as one vector.
use alloc::vec::Vec;

use ferrodyn_math::Real;
use ferrodyn_model::{Model, StateBit, Storage};

use crate::{OwnedWorld, StepError};

/// Single elements of the state, in the order in which they stand in a state vector.
///
/// The state is listed in four more places, which no compiler compares with this one: what a step moves
/// (`divergence/freeze.rs`, and the length of `before` in `data/scratch.rs`), what differences put back (`Baseline` in
/// `derivative/difference.rs`), and what is no result (`INPUTS` in `data/reset.rs`).
const ELEMENTS: [StateBit; 14] = [
    StateBit::Time,
    StateBit::Qpos,
    StateBit::Qvel,
    StateBit::Act,
    StateBit::History,
    StateBit::Warmstart,
    StateBit::Ctrl,
    StateBit::QfrcApplied,
    StateBit::XfrcApplied,
    StateBit::EqActive,
    StateBit::MocapPos,
    StateBit::MocapQuat,
    StateBit::UserData,
    StateBit::Plugin,
];

/// Length of one element.
fn element_size(m: &Model<impl Storage>, element: StateBit) -> usize {
    match element {
        StateBit::Time => 1,
        StateBit::Qpos => m.nq,
        StateBit::Qvel | StateBit::Warmstart | StateBit::QfrcApplied => m.nv,
        StateBit::Act => m.na,
        StateBit::History => m.nhistory,
        StateBit::Ctrl => m.nu,
        StateBit::XfrcApplied => 6 * m.nbody,
        StateBit::EqActive => m.neq,
        StateBit::MocapPos => 3 * m.nmocap,
        StateBit::MocapQuat => 4 * m.nmocap,
        StateBit::UserData => m.nuserdata,
        StateBit::Plugin => m.npluginstate,
        StateBit::Physics | StateBit::FullPhysics | StateBit::User | StateBit::Integration => 0,
    }
}

/// The elements that `spec` selects.
fn selected(spec: i32) -> impl Iterator<Item = StateBit> {
    ELEMENTS.into_iter().filter(move |&e| spec & e as i32 != 0)
}

/// Length of the state vector for a union of `StateBit`s. MuJoCo: `mj_stateSize`.
///
/// ```
/// # use ferrodyn_model::{Model, Sizes, StateBit};
/// let model = Model::zeroed(Sizes { nq: 3, nv: 2, ..Sizes::default() });
/// let spec = StateBit::Qpos as i32 | StateBit::Qvel as i32;
/// assert_eq!(ferrodyn_dynamics::data::state_size(&model, spec), 5);
/// ```
pub fn state_size(m: &Model<impl Storage>, spec: i32) -> usize {
    selected(spec).map(|e| element_size(m, e)).sum()
}

/// The state vector for a union of `StateBit`s. MuJoCo: `mj_getState`.
pub fn get_state(m: &Model, data: &OwnedWorld, spec: i32) -> Result<Vec<Real>, StepError> {
    if !data.fits(m) {
        return Err(StepError::ModelMismatch);
    }
    let mut state = Vec::with_capacity(state_size(m, spec));
    for element in selected(spec) {
        match element {
            StateBit::Time => state.push(data.time()),
            StateBit::EqActive => state.extend(data.eq_active().iter().map(|&b| b as Real)),
            _ => state.extend_from_slice(element_slice(data, element)),
        }
    }
    Ok(state)
}

/// Set the state from a vector made by [`get_state`] with the same `spec`. MuJoCo: `mj_setState`.
pub fn set_state(
    m: &Model,
    data: &mut OwnedWorld,
    state: &[Real],
    spec: i32,
) -> Result<(), StepError> {
    if !data.fits(m) {
        return Err(StepError::ModelMismatch);
    }
    let expected = state_size(m, spec);
    if state.len() != expected {
        return Err(StepError::StateLength { found: state.len(), expected });
    }
    let mut rest = state;
    for element in selected(spec) {
        let (values, tail) = rest.split_at(element_size(m, element));
        rest = tail;
        match element {
            StateBit::Time => data.set_time(values[0]),
            StateBit::EqActive => {
                for (flag, &v) in data.eq_active_mut().iter_mut().zip(values) {
                    *flag = (v != 0.0) as u8;
                }
            }
            _ => element_slice_mut(data, element).copy_from_slice(values),
        }
    }
    Ok(())
}

/// The array of an element that is stored as reals.
fn element_slice(data: &OwnedWorld, element: StateBit) -> &[Real] {
    match element {
        StateBit::Qpos => data.qpos(),
        StateBit::Qvel => data.qvel(),
        StateBit::Act => data.act(),
        StateBit::History => data.history(),
        StateBit::Warmstart => data.qacc_warmstart(),
        StateBit::Ctrl => data.ctrl(),
        StateBit::QfrcApplied => data.qfrc_applied(),
        StateBit::XfrcApplied => data.xfrc_applied().as_flattened(),
        StateBit::MocapPos => bytemuck::must_cast_slice(data.mocap_pos()),
        StateBit::MocapQuat => bytemuck::must_cast_slice(data.mocap_quat()),
        StateBit::UserData => data.userdata(),
        StateBit::Plugin => data.plugin_state(),
        _ => &[],
    }
}

/// The array of an element that is stored as reals, mutably.
fn element_slice_mut(data: &mut OwnedWorld, element: StateBit) -> &mut [Real] {
    let d = data.view_mut();
    match element {
        StateBit::Qpos => d.qpos,
        StateBit::Qvel => d.qvel,
        StateBit::Act => d.act,
        StateBit::History => d.history,
        StateBit::Warmstart => d.qacc_warmstart,
        StateBit::Ctrl => d.ctrl,
        StateBit::QfrcApplied => d.qfrc_applied,
        StateBit::XfrcApplied => d.xfrc_applied.as_flattened_mut(),
        StateBit::MocapPos => bytemuck::must_cast_slice_mut(d.mocap_pos),
        StateBit::MocapQuat => bytemuck::must_cast_slice_mut(d.mocap_quat),
        StateBit::UserData => d.userdata,
        StateBit::Plugin => d.plugin_state,
        _ => &mut [],
    }
}
