//! Return to the reference pose or to a keyframe.
#[cfg(feature = "alloc")]
use ferrodyn_math::{Element, Real};
use ferrodyn_model::{Model, Storage};

#[cfg(feature = "alloc")]
use crate::OwnedWorld;
use crate::force::delay::reset_history;
use crate::{StepError, World, sleep};

/// Reset a world to the model's reference pose; every result becomes zero. MuJoCo: `mj_resetData`.
#[cfg(feature = "alloc")]
pub fn reset(m: &Model, data: &mut OwnedWorld) -> Result<(), StepError> {
    if !data.fits(m) {
        return Err(StepError::ModelMismatch);
    }
    reset_world(m, &mut data.view_mut())
}

/// Reset a world to keyframe `key`. MuJoCo: `mj_resetDataKeyframe`.
#[cfg(feature = "alloc")]
pub fn reset_to_keyframe(m: &Model, data: &mut OwnedWorld, key: usize) -> Result<(), StepError> {
    if !data.fits(m) {
        return Err(StepError::ModelMismatch);
    }
    reset_world_to_keyframe(m, &mut data.view_mut(), key)
}

/// Reset the world of a view to keyframe `key`.
pub(crate) fn reset_world_to_keyframe(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    key: usize,
) -> Result<(), StepError> {
    if key >= m.nkey {
        return Err(StepError::NoSuchKeyframe(key));
    }
    reset_world(m, d)?;
    write_keyframe(m, d, key)
}

/// Set what a keyframe holds of the state of a view to that of keyframe `key`: time, `qpos`, `qvel`, `act`, mocap poses and `ctrl`.
pub fn write_keyframe(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    key: usize,
) -> Result<(), StepError> {
    if key >= m.nkey {
        return Err(StepError::NoSuchKeyframe(key));
    }
    let row = |n: usize| key * n..(key + 1) * n;
    d.head.time = m.key_time[key];
    d.qpos.copy_from_slice(&m.key_qpos[row(m.nq)]);
    d.qvel.copy_from_slice(&m.key_qvel[row(m.nv)]);
    d.act.copy_from_slice(&m.key_act[row(m.na)]);
    d.mocap_pos.copy_from_slice(&m.key_mpos[row(m.nmocap)]);
    d.mocap_quat.copy_from_slice(&m.key_mquat[row(m.nmocap)]);
    d.ctrl.copy_from_slice(&m.key_ctrl[row(m.nu)]);
    Ok(())
}

/// Store the state of a world as keyframe `key`: time, `qpos`, `qvel`, `act`, mocap poses and `ctrl`. MuJoCo: `mj_setKeyframe`.
#[cfg(feature = "alloc")]
pub fn set_keyframe(m: &mut Model, data: &OwnedWorld, key: usize) -> Result<(), StepError> {
    if !data.fits(m) {
        return Err(StepError::ModelMismatch);
    }
    if key >= m.nkey {
        return Err(StepError::NoSuchKeyframe(key));
    }
    let row = |n: usize| key * n..(key + 1) * n;
    let (nq, nv, na, nmocap, nu) = (m.nq, m.nv, m.na, m.nmocap, m.nu);
    m.key_time[key] = data.time();
    m.key_qpos[row(nq)].copy_from_slice(data.qpos());
    m.key_qvel[row(nv)].copy_from_slice(data.qvel());
    m.key_act[row(na)].copy_from_slice(data.act());
    m.key_mpos[row(nmocap)].copy_from_slice(data.mocap_pos());
    m.key_mquat[row(nmocap)].copy_from_slice(data.mocap_quat());
    m.key_ctrl[row(nu)].copy_from_slice(data.ctrl());
    Ok(())
}

/// Arrays of numbers that are no results of the step.
#[cfg(feature = "alloc")]
const INPUTS: [&str; 14] = [
    "qpos",
    "qvel",
    "act",
    "ctrl",
    "history",
    "qfrc_applied",
    "xfrc_applied",
    "qacc",
    "qacc_warmstart",
    "act_dot",
    "userdata",
    "mocap_pos",
    "mocap_quat",
    "plugin_state",
];

/// Reset a world, and fill every byte of its results with `value`, so that what reads a result before it is
/// computed shows. MuJoCo: `mj_resetDataDebug`.
#[cfg(feature = "alloc")]
pub fn reset_debug(m: &Model, data: &mut OwnedWorld, value: u8) -> Result<(), StepError> {
    reset(m, data)?;
    for array in data.arrays_mut() {
        // ids and addresses are left alone: they lead into other arrays
        if array.info.kind == Real::KIND && !INPUTS.contains(&array.info.name) {
            array.bytes.fill(value);
        }
    }
    Ok(())
}

/// Reset through a view.
pub(crate) fn reset_world(m: &Model<impl Storage>, d: &mut World<'_>) -> Result<(), StepError> {
    d.clear();
    #[cfg(feature = "deformable")]
    crate::soft::reset_soft(d);
    d.qpos.copy_from_slice(&m.qpos0);
    d.eq_active.copy_from_slice(&m.eq_active0);
    d.plugin.copy_from_slice(&m.plugin);
    reset_history(m, d);
    // mocap bodies are still at the origin: `mj_resetData` puts trees to sleep before it sets them
    let outcome = sleep::initialize(m, d);
    for b in 0..m.nbody {
        if let Ok(id) = usize::try_from(m.body_mocapid[b]) {
            d.mocap_pos[id] = m.body_pos[b];
            d.mocap_quat[id] = m.body_quat[b];
        }
    }
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;
    use ferrodyn_model::Sizes;

    /// A model of nothing but the world.
    fn world() -> Model {
        let mut m = Model::zeroed(Sizes { nbody: 1, nuserdata: 1, ..Sizes::default() });
        m.body_mocapid[0] = -1;
        m.body_treeid[0] = -1;
        m
    }

    #[test]
    fn results_that_were_not_computed_can_be_seen() {
        let m = world();
        let mut data = OwnedWorld::new(&m);
        reset_debug(&m, &mut data, 0xff).unwrap();
        assert!(data.xpos()[0][0].is_nan());
        assert_eq!(data.userdata(), [0.0]);
    }

    #[test]
    fn what_is_left_alone_exists() {
        let mut data = OwnedWorld::new(&world());
        for input in INPUTS {
            let found = data
                .arrays_mut()
                .iter()
                .any(|array| array.info.name == input && array.info.kind == Real::KIND);
            assert!(found, "{input}");
        }
    }
}
