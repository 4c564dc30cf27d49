//! What a step does when its world diverges is the caller's choice.
use ferrodyn::prelude::*;
use ferrodyn::{DisableBit, DivergedQuantity, Divergence, StepError};
use ferrodyn_testing::{load, run};

const TWO: &str = "<mujoco><worldbody><body name='a'><joint/><geom size='.1'/></body>\
    <body name='b' pos='1 0 0'><joint/><geom size='.1'/></body></worldbody>\
    <actuator><motor joint='j'/></actuator></mujoco>";
/// An explicit spring that is far too stiff for its step.
const STIFF: &str = "<mujoco><option timestep='.05' gravity='0 0 0'/><worldbody>\
    <body name='a'><joint stiffness='1e7' ref='.3'/><geom size='.1' pos='.5 0 0'/></body></worldbody></mujoco>";
/// Index of a warning in `Data::header().warning`.
const BAD_QPOS: usize = 4;
const BAD_QVEL: usize = 5;
const BAD_QACC: usize = 6;
const BAD_CTRL: usize = 7;

fn two() -> Model {
    load(&TWO.replacen("<joint/>", "<joint name='j'/>", 1))
}

/// A bad number: where it is written, and how the step names it.
type Poison = (fn(&mut Data), DivergedQuantity, usize, usize);

const POISONS: [Poison; 4] = [
    (|d| d.qpos_mut()[1] = f64::NAN, DivergedQuantity::Qpos, 1, BAD_QPOS),
    (|d| d.qvel_mut()[1] = f64::INFINITY, DivergedQuantity::Qvel, 1, BAD_QVEL),
    (|d| d.qfrc_applied_mut()[1] = f64::NAN, DivergedQuantity::Qacc, 1, BAD_QACC),
    (|d| d.xfrc_applied_mut()[2][5] = f64::NAN, DivergedQuantity::Qacc, 1, BAD_QACC),
];

fn poisoned(model: &Model, policy: DivergencePolicy, poison: fn(&mut Data)) -> Data {
    let mut data = model.make_data();
    data.set_divergence_policy(policy);
    data.step_n(model, 3).unwrap();
    poison(&mut data);
    data
}

fn assert_named(e: &Divergence, (_, quantity, index, _): Poison) {
    assert_eq!((e.quantity, e.index, e.body), (quantity, index, 2));
}

#[test]
fn a_world_is_reset_by_default() {
    let model = two();
    for poison in POISONS {
        let mut data = poisoned(&model, DivergencePolicy::AsMuJoCo, poison.0);
        let e = data.step(&model).unwrap().divergence.unwrap();
        assert_named(&e, poison);
        assert!(e.was_reset && !e.was_frozen);
        assert_eq!(data.time(), model.opt.timestep);
        assert_eq!(data.header().warning[poison.3].number, 1);
    }
}

#[test]
fn a_world_goes_on_without_autoreset() {
    let mut model = two();
    model.edit(|m| m.opt.disableflags |= DisableBit::AutoReset as i32);
    for poison in POISONS {
        let mut data = poisoned(&model, DivergencePolicy::AsMuJoCo, poison.0);
        let e = data.step(&model).unwrap().divergence.unwrap();
        assert_named(&e, poison);
        assert!(!e.was_reset && !e.was_frozen);
        assert!(data.qpos()[1].is_nan() || data.qpos()[1].is_infinite());
    }
}

#[test]
fn a_frozen_world_keeps_its_state() {
    let model = two();
    for poison in POISONS {
        let mut data = poisoned(&model, DivergencePolicy::Freeze, poison.0);
        let before = data.state_hash();
        let e = data.step_n(&model, 5).unwrap().divergence.unwrap();
        assert_named(&e, poison);
        assert!(e.was_frozen && !e.was_reset);
        assert_eq!(data.state_hash(), before);
        assert_eq!(data.header().warning[poison.3].number, 1);
        assert_eq!(data.header().warning[poison.3].lastinfo, 1);
        assert!(e.to_string().contains("of body 2 diverged"), "{e}");
    }
}

#[test]
fn divergence_can_be_an_error() {
    let model = two();
    for poison in POISONS {
        let mut data = poisoned(&model, DivergencePolicy::Error, poison.0);
        let before = data.state_hash();
        match data.step(&model) {
            Err(StepError::Diverged(e)) => assert_named(&e, poison),
            other => panic!("{other:?}"),
        }
        assert_eq!(data.state_hash(), before);
        assert_eq!(data.header().warning[poison.3].number, 1);
    }
}

#[test]
fn a_frozen_world_goes_on_when_the_cause_is_gone() {
    let model = two();
    let poison = POISONS[2].0;
    let mut data = poisoned(&model, DivergencePolicy::Freeze, poison);
    data.step(&model).unwrap();
    data.qfrc_applied_mut().fill(0.0);
    assert_eq!(data.step(&model).unwrap().divergence, None);
    let reference = run(&model, 4);
    assert_eq!(data.state_hash(), reference.state_hash());
}

#[test]
fn a_bad_control_is_zero_and_no_divergence() {
    let model = two();
    for policy in [DivergencePolicy::AsMuJoCo, DivergencePolicy::Error, DivergencePolicy::Freeze] {
        let mut data = poisoned(&model, policy, |d| d.ctrl_mut()[0] = f64::NAN);
        assert_eq!(data.step(&model).unwrap().divergence, None);
        assert_eq!(data.header().warning[BAD_CTRL].number, 1);
        assert!(data.qpos().iter().all(|x| x.is_finite()));
    }
}

#[test]
fn an_unstable_model_is_caught_before_its_state_is_bad() {
    for integrator in [Integrator::Euler, Integrator::Rk4, Integrator::ImplicitFast] {
        let mut model = load(STIFF);
        model.edit(|m| m.opt.integrator = integrator as i32);
        for policy in [DivergencePolicy::Freeze, DivergencePolicy::Error] {
            let mut data = model.make_data();
            data.qpos_mut()[0] += 0.1;
            data.set_divergence_policy(policy);
            let mut before = data.state_hash();
            let e = loop {
                match data.step(&model) {
                    Ok(report) => {
                        if let Some(e) = report.divergence {
                            break e;
                        }
                    }
                    Err(StepError::Diverged(e)) => break e,
                    Err(other) => panic!("{other}"),
                }
                assert!(data.time() < 100.0, "{integrator:?} is stable");
                before = data.state_hash();
            };
            assert_eq!((e.index, e.body), (0, 1));
            assert_eq!(data.state_hash(), before);
            assert!(data.qpos()[0].abs() < 1e10 && data.qvel()[0].abs() < 1e10);
        }
    }
}

#[test]
fn both_halves_of_a_step_follow_the_policy() {
    let model = two();
    let mut data = poisoned(&model, DivergencePolicy::Freeze, POISONS[2].0);
    let before = data.state_hash();
    assert_eq!(ferrodyn::dynamics::step::step1(&model, &mut data, None).unwrap().divergence, None);
    let e = ferrodyn::dynamics::step::step2(&model, &mut data, None).unwrap().divergence.unwrap();
    assert_named(&e, POISONS[2]);
    assert_eq!(data.state_hash(), before);
    data.qpos_mut()[1] = f64::NAN;
    let e = ferrodyn::dynamics::step::step1(&model, &mut data, None).unwrap().divergence.unwrap();
    assert!(e.was_frozen && e.quantity == DivergedQuantity::Qpos);
}
