//! The state of a world as one vector.
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use ferrodyn_math::Real;
use ferrodyn_model::{Model, StateBit, Storage};

#[cfg(feature = "alloc")]
use crate::OwnedWorld;
use crate::{StepError, World};

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

const _: () = {
    let mut i = 0;
    while i < ELEMENTS.len() {
        assert!(ELEMENTS[i] as i32 == 1 << i, "an element is found by the number of its bit");
        i += 1;
    }
};

/// The elements that `spec` selects.
fn selected(spec: i32) -> impl Iterator<Item = StateBit> {
    let mut bits = spec;
    core::iter::from_fn(move || {
        let element = *ELEMENTS.get(bits.trailing_zeros() as usize)?;
        bits &= bits - 1;
        Some(element)
    })
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

/// Fill a state vector with the elements that `spec` selects: time, flags, and arrays of numbers.
fn read_elements<'a>(
    spec: i32,
    state: &mut [Real],
    time: Real,
    flags: &[u8],
    numbers: impl Fn(StateBit) -> &'a [Real],
) -> Result<(), StepError> {
    let length = |element| length_of(element, flags.len(), numbers(element).len());
    check_length(spec, state.len(), length)?;
    let mut rest = state;
    for element in selected(spec) {
        let (values, tail) = rest.split_at_mut(length(element));
        rest = tail;
        match element {
            StateBit::Time => values[0] = time,
            StateBit::EqActive => {
                for (value, flag) in values.iter_mut().zip(flags) {
                    *value = *flag as Real;
                }
            }
            _ => values.copy_from_slice(numbers(element)),
        }
    }
    Ok(())
}

/// Length of an element, of so many flags or numbers.
fn length_of(element: StateBit, flags: usize, numbers: usize) -> usize {
    match element {
        StateBit::Time => 1,
        StateBit::EqActive => flags,
        _ => numbers,
    }
}

fn check_length(
    spec: i32,
    found: usize,
    length: impl Fn(StateBit) -> usize,
) -> Result<(), StepError> {
    let expected = selected(spec).map(length).sum();
    if found == expected { Ok(()) } else { Err(StepError::StateLength { found, expected }) }
}

fn set_flags(flags: &mut [u8], values: &[Real]) {
    for (flag, &v) in flags.iter_mut().zip(values) {
        *flag = (v != 0.0) as u8;
    }
}

/// Write the state of a view into memory of its length. MuJoCo: `mj_getState`.
pub fn read_state(d: &World<'_>, spec: i32, state: &mut [Real]) -> Result<(), StepError> {
    read_elements(spec, state, d.head.time, d.eq_active, |element| element_of(d, element))
}

/// [`read_state`] of a world that owns its memory, without a view.
#[cfg(feature = "alloc")]
pub fn read_state_of(data: &OwnedWorld, spec: i32, state: &mut [Real]) -> Result<(), StepError> {
    let numbers = |element| element_slice(data, element);
    read_elements(spec, state, data.time(), data.eq_active(), numbers)
}

/// Set the state of a view from a vector made with the same `spec`. MuJoCo: `mj_setState`.
pub fn write_state(d: &mut World<'_>, state: &[Real], spec: i32) -> Result<(), StepError> {
    let length = |d: &World<'_>, element| {
        length_of(element, d.eq_active.len(), element_of(d, element).len())
    };
    check_length(spec, state.len(), |element| length(d, element))?;
    let mut rest = state;
    for element in selected(spec) {
        let (values, tail) = rest.split_at(length(d, element));
        rest = tail;
        match element {
            StateBit::Time => d.head.time = values[0],
            StateBit::EqActive => set_flags(d.eq_active, values),
            _ => element_of_mut(d, element).copy_from_slice(values),
        }
    }
    Ok(())
}

/// [`write_state`] of a world that owns its memory, without a view.
#[cfg(feature = "alloc")]
pub(crate) fn write_state_of(
    data: &mut OwnedWorld,
    state: &[Real],
    spec: i32,
) -> Result<(), StepError> {
    let length = |data: &OwnedWorld, element| {
        length_of(element, data.eq_active().len(), element_slice(data, element).len())
    };
    check_length(spec, state.len(), |element| length(data, element))?;
    let mut rest = state;
    for element in selected(spec) {
        let (values, tail) = rest.split_at(length(data, element));
        rest = tail;
        match element {
            StateBit::Time => data.set_time(values[0]),
            StateBit::EqActive => set_flags(data.eq_active_mut(), values),
            _ => element_slice_mut(data, element).copy_from_slice(values),
        }
    }
    Ok(())
}

/// The state vector for a union of `StateBit`s. MuJoCo: `mj_getState`.
#[cfg(feature = "alloc")]
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
#[cfg(feature = "alloc")]
pub fn set_state(
    m: &Model,
    data: &mut OwnedWorld,
    state: &[Real],
    spec: i32,
) -> Result<(), StepError> {
    if !data.fits(m) {
        return Err(StepError::ModelMismatch);
    }
    write_state_of(data, state, spec)
}

/// The array of an element that is stored as reals.
#[cfg(feature = "alloc")]
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

/// The same, mutably.
#[cfg(feature = "alloc")]
fn element_slice_mut(data: &mut OwnedWorld, element: StateBit) -> &mut [Real] {
    match element {
        StateBit::Qpos => data.qpos_mut(),
        StateBit::Qvel => data.qvel_mut(),
        StateBit::Act => data.act_mut(),
        StateBit::History => data.history_mut(),
        StateBit::Warmstart => data.qacc_warmstart_mut(),
        StateBit::Ctrl => data.ctrl_mut(),
        StateBit::QfrcApplied => data.qfrc_applied_mut(),
        StateBit::XfrcApplied => data.xfrc_applied_mut().as_flattened_mut(),
        StateBit::MocapPos => bytemuck::must_cast_slice_mut(data.mocap_pos_mut()),
        StateBit::MocapQuat => bytemuck::must_cast_slice_mut(data.mocap_quat_mut()),
        StateBit::UserData => data.userdata_mut(),
        StateBit::Plugin => data.plugin_state_mut(),
        _ => &mut [],
    }
}

/// The array of an element that is stored as reals, of a view.
fn element_of<'a>(d: &'a World<'_>, element: StateBit) -> &'a [Real] {
    match element {
        StateBit::Qpos => d.qpos,
        StateBit::Qvel => d.qvel,
        StateBit::Act => d.act,
        StateBit::History => d.history,
        StateBit::Warmstart => d.qacc_warmstart,
        StateBit::Ctrl => d.ctrl,
        StateBit::QfrcApplied => d.qfrc_applied,
        StateBit::XfrcApplied => d.xfrc_applied.as_flattened(),
        StateBit::MocapPos => bytemuck::must_cast_slice(&*d.mocap_pos),
        StateBit::MocapQuat => bytemuck::must_cast_slice(&*d.mocap_quat),
        StateBit::UserData => d.userdata,
        StateBit::Plugin => d.plugin_state,
        _ => &[],
    }
}

/// The same, mutably.
fn element_of_mut<'a>(d: &'a mut World<'_>, element: StateBit) -> &'a mut [Real] {
    match element {
        StateBit::Qpos => d.qpos,
        StateBit::Qvel => d.qvel,
        StateBit::Act => d.act,
        StateBit::History => d.history,
        StateBit::Warmstart => d.qacc_warmstart,
        StateBit::Ctrl => d.ctrl,
        StateBit::QfrcApplied => d.qfrc_applied,
        StateBit::XfrcApplied => d.xfrc_applied.as_flattened_mut(),
        StateBit::MocapPos => bytemuck::must_cast_slice_mut(&mut *d.mocap_pos),
        StateBit::MocapQuat => bytemuck::must_cast_slice_mut(&mut *d.mocap_quat),
        StateBit::UserData => d.userdata,
        StateBit::Plugin => d.plugin_state,
        _ => &mut [],
    }
}
