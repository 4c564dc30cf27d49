//! State vectors.
use ferrodyn::dynamics::OwnedWorld;
use ferrodyn::dynamics::data::{read_state, state_size, write_state};
use ferrodyn::{StateBit, StepError};
use ferrodyn_testing::load;

/// Sizes that tell the parts apart: nq 8, nv 7, na 1, nu 2, one mocap body, one equality.
const MODEL: &str = "<mujoco><worldbody><body name='a'><freejoint/><geom size='.1'/></body>\
    <body><joint name='j'/><geom size='.1'/></body><body name='m' mocap='true'/></worldbody>\
    <equality><weld body1='a' body2='m'/></equality>\
    <actuator><motor joint='j'/><general joint='j' dyntype='integrator'/></actuator></mujoco>";

#[test]
fn parts_stand_in_their_order_and_come_back() {
    let model = load(MODEL);
    let mut data = model.make_data();
    data.ctrl_mut().copy_from_slice(&[0.5, 2.0]);
    data.step_n(&model, 10).unwrap();
    let size = |part: StateBit| state_size(&model, part as i32);
    assert_eq!(size(StateBit::Physics), 8 + 7 + 1);
    assert_eq!(size(StateBit::FullPhysics), 1 + 8 + 7 + 1);
    // controls, forces on joints and bodies, equality, pose of the mocap body
    assert_eq!(size(StateBit::User), 2 + 7 + 6 * 4 + 1 + 3 + 4);
    assert_eq!(size(StateBit::Integration), 17 + 7 + 41);
    let state = data.state(&model, StateBit::FullPhysics as i32).unwrap();
    let expected = [&[data.time()], data.qpos(), data.qvel(), data.act()].concat();
    assert_eq!(state, expected);

    // a new world with the whole state goes on with the same bits
    let all = StateBit::Integration as i32;
    let state = data.state(&model, all).unwrap();
    let mut copy = model.make_data();
    copy.set_state(&model, &state, all).unwrap();
    data.step_n(&model, 10).unwrap();
    copy.step_n(&model, 10).unwrap();
    assert_eq!(copy.state(&model, all), data.state(&model, all));
}

#[test]
fn a_vector_of_another_length_is_refused() {
    let model = load(MODEL);
    let mut data = model.make_data();
    let before = data.clone();
    for length in [0, 7, 9] {
        let result = data.set_state(&model, &vec![1.0; length], StateBit::Qpos as i32);
        assert_eq!(result, Err(StepError::StateLength { found: length, expected: 8 }));
    }
    assert_eq!(data, before);
}

#[test]
fn a_view_has_the_same_state() {
    let model = load(MODEL);
    let mut data = model.make_data();
    data.ctrl_mut().copy_from_slice(&[0.5, 2.0]);
    data.step_n(&model, 10).unwrap();
    let all = StateBit::Integration as i32;
    let expected = data.state(&model, all).unwrap();
    let mut copy = OwnedWorld::new(&model);
    let mut view = copy.view_mut();
    write_state(&mut view, &expected, all).unwrap();
    let mut state = vec![f64::NAN; expected.len()];
    read_state(&view, all, &mut state).unwrap();
    assert_eq!(state, expected);
    let expected = StepError::StateLength { found: state.len() - 1, expected: state.len() };
    state.pop();
    assert_eq!(write_state(&mut view, &state, all), Err(expected));
    assert_eq!(read_state(&view, all, &mut state), Err(expected));
}
