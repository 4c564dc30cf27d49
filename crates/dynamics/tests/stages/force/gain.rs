//! Laws of gains: MuJoCo's through the trait, and the series-elastic actuator.
use ferrodyn::sim::{
    ActuatorGainModel, AffineGain, FixedGain, Gain, GainDispatch, GainInput, GainLaw, MuscleGain,
    PartError, SeriesElasticGain, SimBuilder,
};
use ferrodyn::{Integrator, Model};
use ferrodyn_model::{GainModelType, GainType};
use ferrodyn_testing::{close, load, with_integrator};

use crate::support::two_links;

const SPRING: SeriesElasticGain =
    SeriesElasticGain { k_spring: 40.0, damping: 3.0, gear_ratio: 0.5 };

/// A mass on a slide behind a spring.
fn series_elastic(attributes: &str) -> Model {
    load(&format!(
        "<mujoco xmlns:ferrodyn='urn:ferrodyn'><option gravity='0 0 0' timestep='.001'/>
         <worldbody><body><joint name='j' type='slide' axis='1 0 0'/><geom size='.1' mass='2'/></body></worldbody>
         <actuator><general joint='j' gaintype='user' ferrodyn:gain_model='series_elastic' {attributes}/></actuator></mujoco>"
    ))
}

fn input<'a>(length: f64, velocity: f64, ctrl: f64, prm: &'a [f64; 10]) -> GainInput<'a> {
    GainInput {
        actuator: 0,
        length,
        velocity,
        activation: 0.3,
        ctrl,
        timestep: 0.01,
        prm,
        lengthrange: &[0.5, 1.5],
        acc0: 2.0,
    }
}

const MUSCLE: [f64; 10] = [0.75, 1.05, 100.0, 200.0, 0.5, 1.6, 1.5, 1.3, 1.2, 0.0];
const AFFINE: [f64; 10] = [2.0, 3.0, -4.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];

/// One gain for all: [`Model`]s with a built-in gain, and the same as a user's gain that the trait computes.
#[test]
fn built_in_gains_through_the_trait_have_the_same_bits() {
    let gain = |kind: &str, prm: &str| {
        two_links(
            "",
            &format!("<general joint='j1' gaintype='{kind}' gainprm='{prm}' lengthrange='0 1'/>"),
        )
    };
    let muscle = MUSCLE.map(|x| x.to_string()).join(" ");
    let cases: [(&str, &str, GainType); 3] = [
        ("fixed", "7", GainType::Fixed),
        ("affine", "2 3 -4", GainType::Affine),
        ("muscle", &muscle, GainType::Muscle),
    ];
    for (kind, prm, dispatch) in cases {
        for integrator in [Integrator::Euler, Integrator::ImplicitFast] {
            let plain = with_integrator(&gain(kind, prm), integrator);
            let mut user = plain.clone();
            user.edit(|m| m.actuator_gaintype[0] = GainType::User as i32);
            let laws = vec![GainDispatch::Builtin(dispatch)];
            let mut sim = SimBuilder::new().actuators(laws).build(user).unwrap();
            let mut data = plain.make_data();
            data.ctrl_mut()[0] = 0.7;
            sim.data_mut().ctrl_mut()[0] = 0.7;
            for _ in 0..50 {
                data.step(&plain).unwrap();
                sim.step().unwrap();
            }
            assert!(data.actuator_force()[0] != 0.0);
            assert_eq!(data.qpos(), sim.data().qpos(), "{kind}");
        }
    }
}

#[test]
fn slopes_are_those_of_differences() {
    let laws: [(&dyn ActuatorGainModel, &[f64; 10]); 4] =
        [(&FixedGain, &AFFINE), (&AffineGain, &AFFINE), (&MuscleGain, &MUSCLE), (&SPRING, &AFFINE)];
    for (law, prm) in laws {
        for velocity in [-0.6, -0.1, 0.3] {
            let gain = |v: f64| law.gain(&input(0.9, v, 0.4, prm));
            let eps = 1e-6;
            let slope = (gain(velocity + eps) - gain(velocity - eps)) / (2.0 * eps);
            let found = law.dgain_dvel(&input(0.9, velocity, 0.4, prm));
            close(found, slope, 1e-6 * (1.0 + slope.abs()));
        }
    }
    assert_ne!(MuscleGain.dgain_dvel(&input(0.9, -0.1, 0.4, &MUSCLE)), 0.0);
}

/// `force = k (gear ctrl - x) + d (gear (ctrl - last ctrl) / h - v)`.
#[test]
fn the_spring_pulls_from_where_the_motor_is() {
    let model = series_elastic("ferrodyn:gain_params='40 3 .5'");
    assert_eq!(model.gain_model(0), Some(GainModelType::SeriesElastic));
    assert_eq!(model.na, 1);
    let mut data = model.make_data();
    data.qpos_mut()[0] = 0.1;
    data.qvel_mut()[0] = -0.2;
    let mut last = 0.0;
    for ctrl in [0.4, 0.41, 0.41, -0.3] {
        data.ctrl_mut()[0] = ctrl;
        let (x, v) = (data.qpos()[0], data.qvel()[0]);
        data.step(&model).unwrap();
        let expected = 40.0 * (0.5 * ctrl - x) + 3.0 * (0.5 * (ctrl - last) / 0.001 - v);
        close(data.actuator_force()[0], expected, 1e-9 * expected.abs());
        // the control is kept for the next step
        close(data.act()[0], ctrl, 1e-15);
        last = ctrl;
    }
}

/// With a still motor the joint is a damped oscillator about it, `ω² = k/m`, `2 ζ ω = d/m`.
#[test]
fn behind_a_still_motor_the_joint_is_a_damped_oscillator() {
    for integrator in [Integrator::Euler, Integrator::Rk4, Integrator::ImplicitFast] {
        let model = series_elastic("ferrodyn:gain_params='40 3 .5'");
        let mut model = with_integrator(&model, integrator);
        model.edit(|m| m.opt.timestep = 1e-4);
        let mut data = model.make_data();
        data.ctrl_mut()[0] = 0.4;
        // the motor was there before
        data.act_mut()[0] = 0.4;
        for _ in 0..5000 {
            data.step(&model).unwrap();
        }
        let (omega, decay) = (20.0_f64.sqrt(), 0.75);
        let damped = (omega * omega - decay * decay).sqrt();
        let (sin, cos) = (damped * 0.5).sin_cos();
        let expected = 0.2 * (1.0 - (-decay * 0.5_f64).exp() * (cos + decay / damped * sin));
        close(data.qpos()[0], expected, 2e-4);
    }
}

/// The motor turns through a whole step of Runge-Kutta with one velocity.
#[test]
fn all_stages_of_runge_kutta_see_one_motor_velocity() {
    let model = with_integrator(&series_elastic("ferrodyn:gain_params='0 3 .5'"), Integrator::Rk4);
    let mut data = model.make_data();
    data.ctrl_mut()[0] = 0.01;
    data.step(&model).unwrap();
    // m v̇ = d (v_m - v) for one step
    let (v_m, h): (f64, f64) = (0.5 * 0.01 / 0.001, 0.001);
    let expected = v_m * (1.0 - (-1.5 * h).exp());
    close(data.qvel()[0], expected, 1e-9);
}

/// A damper far too strong for explicit steps.
#[test]
fn implicit_integrators_use_the_slope_of_a_law() {
    struct Brake;
    impl ActuatorGainModel for Brake {
        fn gain(&self, at: &GainInput<'_>) -> f64 {
            -1e4 * at.velocity
        }
        fn dgain_dvel(&self, _: &GainInput<'_>) -> f64 {
            -1e4
        }
        fn multiplies_input(&self, _: &GainInput<'_>) -> bool {
            false
        }
    }
    let model = load(
        "<mujoco><option gravity='0 0 0' timestep='.01'/>
         <worldbody><body><joint name='j' type='slide'/><geom size='.1' mass='1'/></body></worldbody>
         <actuator><general joint='j' gaintype='user'/></actuator></mujoco>",
    );
    let speed = |integrator| {
        let model = with_integrator(&model, integrator);
        let mut sim = SimBuilder::new().actuators(Brake).build(model).unwrap();
        sim.data_mut().qvel_mut()[0] = 1.0;
        for _ in 0..3 {
            sim.step().unwrap();
        }
        sim.data().qvel()[0].abs()
    };
    assert!(speed(Integrator::ImplicitFast) < 1e-5);
    assert!(speed(Integrator::Implicit) < 1e-5);
    assert!(speed(Integrator::Euler) > 1e5);
    // so do a model's own
    let mut stiff = series_elastic("ferrodyn:gain_params='0 1e4 1'");
    stiff.edit(|m| m.opt.timestep = 0.01);
    let speed = |integrator| {
        let model = with_integrator(&stiff, integrator);
        let mut data = model.make_data();
        data.qvel_mut()[0] = 1.0;
        data.step_n(&model, 3).unwrap();
        data.qvel()[0].abs()
    };
    assert!(speed(Integrator::ImplicitFast) < 1e-5 && speed(Integrator::Euler) > 1e5);
}

#[test]
fn a_law_without_an_answer_leaves_the_gain_at_one() {
    let model = two_links("", "<general joint='j1' gaintype='user' gainprm='7'/>");
    let laws = vec![GainDispatch::Builtin(GainType::User)];
    let mut sim = SimBuilder::new().actuators(laws).build(model).unwrap();
    sim.data_mut().ctrl_mut()[0] = 0.7;
    sim.forward().unwrap();
    assert_eq!(sim.data().actuator_force()[0], 0.7);
    let at = input(0.0, 0.0, 0.0, &AFFINE);
    assert_eq!(GainDispatch::Builtin(GainType::User).evaluate(&at), None);
    assert_eq!(Vec::<GainDispatch>::new().evaluate(&at), None);
    let law = vec![GainDispatch::custom(SPRING)];
    assert_eq!(law.evaluate(&at).map(|gain: Gain| gain.times_input), Some(false));
}

/// A gain that is set afterwards does what one in the text does.
#[test]
fn a_model_takes_another_gain() {
    let text =
        |gain: &str| two_links("", &format!("<general joint='j1' lengthrange='0 1' {gain}/>"));
    let muscle = MUSCLE.map(|x| x.to_string()).join(" ");
    let first: [f64; 9] = MUSCLE[..9].try_into().unwrap();
    for (gain, law) in [
        ("gaintype='fixed' gainprm='7'".to_owned(), GainLaw::Fixed(7.0)),
        ("gaintype='affine' gainprm='2 3 -4'".to_owned(), GainLaw::Affine([2.0, 3.0, -4.0])),
        (format!("gaintype='muscle' gainprm='{muscle}'"), GainLaw::Muscle(first)),
    ] {
        let stated = text(&gain);
        let mut set = text("gaintype='affine' gainprm='1 1 1'");
        set.set_actuator_gain(0, law).unwrap();
        let end = |model: &Model| {
            let mut data = model.make_data();
            data.ctrl_mut()[0] = 0.7;
            data.step_n(model, 50).unwrap();
            data.qpos().to_vec()
        };
        assert_eq!(end(&stated), end(&set), "{law:?}");
    }
}

#[test]
fn gains_that_make_no_sense_are_refused_by_actuator() {
    let mut spring = series_elastic("ferrodyn:gain_params='40 3 .5'");
    let reason = |model: &mut Model, actuator: usize, law: GainLaw| {
        let before = model.clone();
        let refused = model.set_actuator_gain(actuator, law);
        assert!(**model == *before, "{law:?}");
        match refused {
            Err(PartError::Actuator { actuator: found, reason }) if found == actuator => reason,
            other => panic!("{law:?}: {other:?}"),
        }
    };
    assert!(reason(&mut spring, 1, GainLaw::Fixed(1.0)).contains("no such"));
    assert!(reason(&mut spring, 0, GainLaw::Fixed(1.0)).contains("drives no other"));
    let negative = SeriesElasticGain { k_spring: -1.0, ..SPRING };
    assert!(reason(&mut spring, 0, negative.into()).contains("negative"));
    let mut motor = two_links("", "<motor joint='j1'/>");
    assert!(reason(&mut motor, 0, SPRING.into()).contains("one activation"));
    assert!(reason(&mut motor, 0, GainLaw::Affine([0.0, f64::NAN, 0.0])).contains("finite"));
    let mut weak = [0.75, 1.05, 100.0, 200.0, 0.5, 1.6, 1.5, 1.3, 1.2];
    weak[5] = 0.9;
    assert!(reason(&mut motor, 0, GainLaw::Muscle(weak)).contains("lmax"));
}
