//! Sleep of trees and islands: runs against golden data of MuJoCo 3.5.0, and what goes beyond it.
use std::fs;

use ferrodyn::math::ScalarKind;
use ferrodyn::{Data, EnableBit, Model, ObjType, SleepState, StepError, dynamics};
use ferrodyn_testing::{conformance_model, load, repository, run};
use serde_json::Value;

/// Set one number of an array, by its name.
fn set(data: &mut Data, field: &str, index: usize, value: f64) {
    let array = data.arrays_mut().into_iter().find(|a| a.info.name == field).unwrap();
    match array.info.kind {
        ScalarKind::U8 => array.bytes[index] = value as u8,
        ScalarKind::F64 => {
            array.bytes[8 * index..8 * index + 8].copy_from_slice(&value.to_ne_bytes())
        }
        kind => panic!("{field} has unexpected type {kind:?}"),
    }
}

fn integers(row: &Value) -> Vec<i32> {
    row.as_array().unwrap().iter().map(|v| v.as_i64().unwrap() as i32).collect()
}

fn reals(row: &Value) -> Vec<f64> {
    row.as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect()
}

fn counts(data: &Data) -> [i32; 4] {
    let h = data.header();
    [h.ntree_awake, h.nbody_awake, h.nparent_awake, h.nv_awake]
}

fn assert_close(found: &[f64], expected: &[f64], context: &str) {
    let close = found.iter().zip(expected).all(|(f, e)| (f - e).abs() <= 1e-9 * (1.0 + e.abs()));
    assert!(close && found.len() == expected.len(), "{context}: {found:?}, expected {expected:?}");
}

#[test]
fn trees_sleep_and_wake_in_the_oracles_steps() {
    let text = fs::read_to_string(repository("conformance/sleep.json")).unwrap();
    let runs: serde_json::Map<String, Value> = serde_json::from_str(&text).unwrap();
    assert_eq!(runs.len(), 7);
    for (name, run) in &runs {
        let model = conformance_model(name);
        let mut data = model.make_data();
        let steps = run["tree_asleep"].as_array().unwrap();
        let mut slept = false;
        for (step, asleep) in steps.iter().enumerate() {
            let context = format!("{name}, step {step}");
            assert_eq!(data.tree_asleep(), integers(asleep), "{context}");
            assert_eq!(counts(&data).to_vec(), integers(&run["counts"][step]), "{context}");
            slept |= data.tree_asleep().iter().any(|tree| *tree >= 0);
            for state in run["states"].as_array().unwrap().iter().filter(|s| s[0] == step) {
                assert_close(data.qpos(), &reals(&state[1]), &format!("{context}, qpos"));
                assert_close(data.qvel(), &reals(&state[2]), &format!("{context}, qvel"));
            }
            for event in run["events"].as_array().unwrap().iter().filter(|e| e[0] == step) {
                let index = event[2].as_u64().unwrap() as usize;
                set(&mut data, event[1].as_str().unwrap(), index, event[3].as_f64().unwrap());
            }
            data.step(&model).unwrap();
        }
        assert!(slept, "nothing fell asleep in {name}");
    }
}

#[test]
fn lists_and_states_follow_from_the_trees() {
    let model = conformance_model("sleep_init");
    let mut data = model.make_data();
    let bodies = [
        SleepState::Static,
        SleepState::Asleep,
        SleepState::Asleep,
        SleepState::Asleep,
        SleepState::Asleep,
        SleepState::Awake,
    ];
    assert_eq!(data.body_awake(), bodies.map(|state| state as i32));
    assert_eq!(data.tree_asleep(), [1, 0, 2, -10]);
    assert_eq!(counts(&data), [1, 2, 4, 6]);
    assert_eq!(data.body_awake_ind()[..2], [0, 5]);
    assert_eq!(data.parent_awake_ind()[..4], [1, 2, 3, 5]);
    assert_eq!(data.dof_awake_ind()[..6], [16, 17, 18, 19, 20, 21]);
    let state = |data: &mut Data, kind, id| {
        dynamics::sleep::sleep_state(&model, &data.view_mut(), kind, id)
    };
    assert_eq!(state(&mut data, ObjType::Joint, 0), Some(SleepState::Asleep));
    assert_eq!(state(&mut data, ObjType::Geom, 0), Some(SleepState::Static));
    assert_eq!(state(&mut data, ObjType::Camera, 0), Some(SleepState::Static));
    assert_eq!(state(&mut data, ObjType::Sensor, 0), Some(SleepState::Asleep));
    assert_eq!(state(&mut data, ObjType::Body, 6), None);
    assert_eq!(state(&mut data, ObjType::Mesh, 0), None);
}

#[test]
fn switching_sleep_off_wakes_everything() {
    let mut model = conformance_model("sleep_init");
    let mut data = model.make_data();
    data.step(&model).unwrap();
    assert_eq!(counts(&data)[0], 1);
    model.edit(|m| m.opt.enableflags = 0);
    data.step(&model).unwrap();
    assert_eq!(counts(&data), [4, 6, 5, 22]);
}

#[test]
fn a_world_that_never_sleeps_has_the_same_bits_with_and_without_the_flag() {
    let mut model = conformance_model("sleep_stacks");
    model.edit(|m| m.opt.sleep_tolerance = 1e-300);
    let with = run(&model, 400);
    assert_eq!(counts(&with)[0], 5);
    model.edit(|m| m.opt.enableflags &= !(EnableBit::Sleep as i32));
    let without = run(&model, 400);
    assert_eq!(with.state_hash(), without.state_hash());
    assert_eq!(with.sensordata(), without.sensordata());
}

#[test]
fn a_tree_that_cannot_begin_asleep_is_an_error_of_reset_and_of_loading() {
    let path = repository("conformance/models/bad_sleep_init.xml");
    let error = Model::from_xml_path(&path).unwrap_err();
    assert!(error.to_string().contains("'sleeper'"), "{error}");

    let xml = fs::read_to_string(path).unwrap().replace("enable", "disable");
    let mut model = load(&xml);
    model.edit(|m| m.opt.enableflags |= EnableBit::Sleep as i32);
    let expected = StepError::CannotSleep { asked: 1, slept: 0, body: 1 };
    assert_eq!(dynamics::OwnedWorld::try_new(&model).err(), Some(expected));
    // the world is usable, with the tree awake
    let mut data = model.make_data();
    assert_eq!(counts(&data)[0], 2);
    assert_eq!(data.reset(&model), Err(expected));
    data.step(&model).unwrap();
}

/// Two sliders that tendons couple: sleep is an extension here, MuJoCo stops with an error.
fn coupled_sliders() -> Model {
    load(
        "<mujoco><option gravity='0 0 0' sleep_tolerance='1e-7'><flag sleep='enable'/></option><worldbody>\
         <body><joint name='a' type='slide' axis='1 0 0' damping='9'/><geom size='.1'/></body>\
         <body pos='0 1 0'><joint name='b' type='slide' axis='1 0 0' damping='9'/><geom size='.1'/></body>\
         <body pos='0 2 0'><joint type='slide' axis='1 0 0' damping='9'/><geom size='.1'/></body>\
         </worldbody><tendon><fixed name='one'><joint joint='a' coef='1'/></fixed>\
         <fixed name='two'><joint joint='b' coef='1'/></fixed></tendon>\
         <equality><tendon tendon1='one' tendon2='two' polycoef='0 2 0 0 0'/></equality></mujoco>",
    )
}

#[test]
fn trees_with_coupled_tendons_sleep_and_wake_together() {
    let model = coupled_sliders();
    let mut data = model.make_data();
    data.qpos_mut()[0] = 0.1;
    data.step(&model).unwrap();
    assert_eq!(counts(&data)[0], 3);
    data.step_n(&model, 3000).unwrap();
    assert_eq!(data.tree_asleep(), [1, 0, 2]);
    assert!((data.qpos()[0] - 2.0 * data.qpos()[1]).abs() < 1e-5);

    // a push wakes the pair, not the third tree, and the rows are right from the first step on
    let mut awake = model.clone();
    awake.edit(|m| m.opt.enableflags = 0);
    let mut reference = data.clone();
    for (model, data) in [(&model, &mut data), (&awake, &mut reference)] {
        data.qfrc_applied_mut()[0] = 5.0;
        data.step_n(model, 200).unwrap();
    }
    assert_eq!(data.tree_asleep(), [-11, -11, 2]);
    assert_eq!(data.qpos(), reference.qpos());
    assert!(data.qpos()[1] > 0.01);
}

#[test]
fn coupled_tendons_that_fell_asleep_apart_wake_when_the_coupling_is_switched_on() {
    let model = coupled_sliders();
    let mut data = model.make_data();
    data.eq_active_mut()[0] = 0;
    data.qpos_mut()[0] = 0.1;
    data.step_n(&model, 50).unwrap();
    assert_eq!(data.tree_asleep(), [0, 1, 2]);
    data.eq_active_mut()[0] = 1;
    data.forward(&model).unwrap();
    assert_eq!(counts(&data)[0], 2);
    // the lengths of tendons that just woke count in the row
    assert!((data.work().efc_pos[0] - 0.1).abs() < 1e-12);
    data.step_n(&model, 3000).unwrap();
    assert!((data.qpos()[0] - 2.0 * data.qpos()[1]).abs() < 1e-5);
}

#[test]
fn a_mocap_body_drags_a_tree_that_was_asleep() {
    let xml = fs::read_to_string(repository("conformance/models/sleep_mocap.xml")).unwrap();
    let model = load(&xml.replace(" sleep=\"never\"", ""));
    let mut data = run(&model, 200);
    assert!(data.tree_asleep()[1] >= 0);
    data.eq_active_mut()[0] = 1;
    data.step(&model).unwrap();
    assert!(data.tree_asleep()[1] < 0);
    data.mocap_pos_mut()[1][2] += 0.3;
    data.step_n(&model, 500).unwrap();
    assert!(data.xpos()[4][2] > 0.2, "{:?}", data.xpos()[4]);
}

#[test]
fn any_contents_of_the_sleep_arrays_are_survived() {
    let model = conformance_model("sleep_tendons");
    let garbage = [i32::MAX, i32::MIN, -1, 0, 1, 3, 4, 1000];
    let fields = [
        "tree_asleep",
        "tree_awake",
        "body_awake",
        "body_awake_ind",
        "parent_awake_ind",
        "dof_awake_ind",
        "ten_J_rowadr",
    ];
    for field in fields {
        for value in garbage {
            let mut data = run(&model, 400);
            for array in data.arrays_mut() {
                if array.info.name == field {
                    for slot in array.bytes.as_chunks_mut::<4>().0 {
                        *slot = value.to_ne_bytes();
                    }
                }
            }
            data.header_mut().ntree_awake = 0;
            data.header_mut().nv_awake = value;
            data.step_n(&model, 30).ok();
        }
    }
}

#[test]
fn sleep_together_with_equality_of_flexes_is_refused() {
    let with = |sleep: &str, edge: &str| {
        let model = load(&format!(
            "<mujoco><option><flag sleep='{sleep}'/></option><worldbody><body name='b'>\
             <flexcomp name='f' dim='1' count='3 1 1' spacing='.1 .1 .1' radius='.01'>{edge}</flexcomp></body></worldbody></mujoco>"
        ));
        model.make_data().step(&model).map(|_| ())
    };
    let refused = Err(ferrodyn::StepError::Unsupported("sleep together with equality of flexes"));
    assert_eq!(with("enable", "<edge equality='true'/>"), refused);
    assert_eq!(with("disable", "<edge equality='true'/>"), Ok(()));
    assert_eq!(with("enable", "<edge stiffness='10'/>"), Ok(()));
}
