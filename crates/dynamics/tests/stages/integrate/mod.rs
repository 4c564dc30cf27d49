//! Runge-Kutta, the implicit integrators, and the extension that is implicit in springs.
use ferrodyn::{Data, Integrator, Model, StepError, load_model};

fn with(model: &Model, integrator: Integrator, timestep: f64) -> Model {
    let mut model = model.clone();
    model.edit(|m| {
        m.opt.integrator = integrator as i32;
        m.opt.timestep = timestep;
    });
    model
}

fn pendulum() -> Model {
    load_model(
        "<mujoco><option><flag energy='enable'/></option><worldbody><body><joint axis='0 1 0'/>\
         <geom type='capsule' size='.02' fromto='0 0 0 .5 0 0'/></body></worldbody></mujoco>",
    )
    .unwrap()
}

fn energy(model: &Model, data: &mut Data) -> f64 {
    data.forward(model).unwrap();
    data.header().energy.iter().sum()
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |m, x| if x.is_nan() { f64::INFINITY } else { m.max(x.abs()) })
}

#[test]
fn runge_kutta_is_of_fourth_order_and_euler_of_first() {
    let end = |integrator: Integrator, h: f64| {
        let model = with(&pendulum(), integrator, h);
        let mut data = model.make_data();
        data.step_n(&model, (1.0 / h).round() as usize).unwrap();
        data.qpos()[0]
    };
    let exact = end(Integrator::Rk4, 1e-4);
    let ratio = |integrator| (end(integrator, 0.01) - exact) / (end(integrator, 0.005) - exact);
    assert!((ratio(Integrator::Rk4) - 16.0).abs() < 2.0, "{}", ratio(Integrator::Rk4));
    assert!((ratio(Integrator::Euler) - 2.0).abs() < 0.5, "{}", ratio(Integrator::Euler));
}

#[test]
fn runge_kutta_and_euler_differ_but_not_over_tiny_steps() {
    let end = |integrator: Integrator, h: f64| {
        let model = with(&pendulum(), integrator, h);
        let mut data = model.make_data();
        data.qpos_mut()[0] = 1.2;
        data.qvel_mut()[0] = 1.0;
        data.step_n(&model, 10).unwrap();
        data.qpos()[0]
    };
    let difference = |h| (end(Integrator::Rk4, h) - end(Integrator::Euler, h)).abs();
    assert!(difference(0.01) > 1e-3, "{}", difference(0.01));
    // half of n h² times the acceleration, here 11 rad/s²
    assert!((2e-9..1e-8).contains(&difference(1e-5)), "{}", difference(1e-5));
}

#[test]
fn runge_kutta_keeps_the_energy_of_a_pendulum() {
    let drift = |h: f64| {
        let model = with(&pendulum(), Integrator::Rk4, h);
        let mut data = model.make_data();
        data.qpos_mut()[0] = 0.3;
        data.qvel_mut()[0] = 2.0;
        let before = energy(&model, &mut data);
        data.step_n(&model, (1.0 / h).round() as usize).unwrap();
        (energy(&model, &mut data) - before).abs() / before.abs()
    };
    assert!(drift(0.001) < 1e-10, "{}", drift(0.001));
    // the fifth to sixth power of the step
    let ratio = drift(0.002) / drift(0.001);
    assert!((32.0..64.0).contains(&ratio), "{ratio}");
}

#[test]
fn a_dropped_ball_lands_and_stays() {
    let model = load_model(
        "<mujoco><option integrator='RK4'/><worldbody><geom type='plane' size='1 1 .1'/><body pos='0 0 .5'>\
         <freejoint/><geom size='.1'/></body></worldbody></mujoco>",
    )
    .unwrap();
    let mut data = model.make_data();
    // how far the ball sinks in is MuJoCo's number
    let (mut lowest, mut touched) = (f64::MAX, false);
    for _ in 0..1000 {
        assert!(data.step(&model).unwrap().divergence.is_none());
        lowest = lowest.min(data.qpos()[2]);
        touched |= !data.contacts().is_empty();
    }
    assert!(
        touched
            && (lowest - 0.07913389377222019).abs() < 1e-9
            && (data.qpos()[2] - 0.1).abs() < 0.01
    );
    assert!(largest(data.qvel()) < 1e-2);
}

#[test]
fn orientations_stay_on_their_manifold() {
    let spin = |h: f64, check: bool| {
        let model = with(
            &load_model(
                "<mujoco><option gravity='0 0 0'/><worldbody><body><freejoint/>\
                 <geom type='box' size='.1 .2 .3'/></body></worldbody></mujoco>",
            )
            .unwrap(),
            Integrator::Rk4,
            h,
        );
        let mut data = model.make_data();
        data.qvel_mut()[3..].copy_from_slice(&[1.0, 2.0, 0.3]);
        for _ in 0..(0.1 / h).round() as usize {
            data.step(&model).unwrap();
            let norm: f64 = data.qpos()[3..].iter().map(|x| x * x).sum::<f64>().sqrt();
            assert!(!check || (norm - 1.0).abs() < 1e-10);
        }
        data.qpos()[3..].to_vec()
    };
    let (coarse, fine) = (spin(1e-3, true), spin(1e-5, false));
    for (a, b) in coarse.iter().zip(&fine) {
        assert!((a - b).abs() < 1e-6, "{a} {b}");
    }
}

#[test]
fn runge_kutta_warm_starts_from_its_last_stage() {
    let model = with(&pendulum(), Integrator::Rk4, 0.05);
    let mut data = model.make_data();
    data.forward(&model).unwrap();
    let first = data.qacc()[0];
    data.step(&model).unwrap();
    assert_eq!(data.qacc_warmstart(), data.qacc());
    assert!((data.qacc()[0] - first).abs() > 1e-3);
}

#[test]
fn sensors_of_a_runge_kutta_step_are_those_of_its_beginning() {
    let model = load_model(
        "<mujoco><option integrator='RK4' timestep='.05'/><worldbody><body><joint name='j' axis='0 1 0'/>\
         <geom type='capsule' size='.02' fromto='0 0 0 .5 0 0'/></body></worldbody>\
         <sensor><jointpos joint='j'/><jointvel joint='j'/></sensor></mujoco>",
    )
    .unwrap();
    let mut data = model.make_data();
    data.qpos_mut()[0] = 0.3;
    data.qvel_mut()[0] = 2.0;
    data.step(&model).unwrap();
    assert_eq!(data.sensordata(), [0.3, 2.0]);
    assert!((data.qpos()[0] - 0.3).abs() > 0.01);
}

#[test]
fn the_integrator_is_chosen_in_the_model() {
    let chosen = |attribute: &str| {
        load_model(&format!("<mujoco xmlns:ferrodyn='urn:ferrodyn'><option {attribute}/></mujoco>"))
            .map(|model| (model.opt.integrator, model.to_xml().unwrap()))
    };
    for (attribute, integrator) in [
        ("integrator='Euler'", Integrator::Euler),
        ("integrator='RK4'", Integrator::Rk4),
        ("integrator='implicit'", Integrator::Implicit),
        ("integrator='implicitfast'", Integrator::ImplicitFast),
        ("ferrodyn:integrator='implicitspringdamper'", Integrator::ImplicitSpringDamper),
    ] {
        let (found, xml) = chosen(attribute).unwrap();
        assert_eq!(found, integrator as i32);
        assert_eq!(load_model(&xml).unwrap().opt.integrator, integrator as i32);
    }
    // the words of MuJoCo's attribute are MuJoCo's
    assert!(chosen("integrator='implicitspringdamper'").is_err());
    assert!(chosen("ferrodyn:integrator='RK4'").is_err());
}

/// A mass on a spring and a damper.
fn oscillator(stiffness: f64, damping: f64) -> Model {
    load_model(&format!(
        "<mujoco><option gravity='0 0 -10' timestep='.01'/><worldbody><body><joint type='slide' axis='0 0 1' \
         stiffness='{stiffness}' damping='{damping}' springref='.2'/><geom size='.1' mass='2'/></body></worldbody></mujoco>"
    ))
    .unwrap()
}

#[test]
fn springs_and_dampers_are_solved_for_the_new_velocity() {
    let (k, b, m, h) = (300.0, 5.0, 2.0, 0.01);
    let model = with(&oscillator(k, b), Integrator::ImplicitSpringDamper, h);
    let mut data = model.make_data();
    data.qpos_mut()[0] = 0.4;
    data.qvel_mut()[0] = -1.5;
    let (mut q, mut v) = (0.4, -1.5);
    for _ in 0..50 {
        data.step(&model).unwrap();
        // (M + h D + h² K) v⁺ = M v + h f - h K (q - q₀)
        v = (m * v - h * m * 10.0 - h * k * (q - 0.2)) / (m + h * b + h * h * k);
        q += h * v;
        assert!((data.qpos()[0] - q).abs() < 1e-12 && (data.qvel()[0] - v).abs() < 1e-12);
    }
}

#[test]
fn stiff_springs_are_stable_where_other_integrators_are_not() {
    let end = |integrator| {
        let model = with(&oscillator(1e7, 0.0), integrator, 0.01);
        let mut data = model.make_data();
        data.qpos_mut()[0] = 0.3;
        let mut worst: f64 = 0.0;
        for _ in 0..200 {
            data.step(&model).unwrap();
            worst = worst.max(largest(data.qvel()));
        }
        worst
    };
    assert!(end(Integrator::ImplicitSpringDamper) < 20.0);
    assert!(end(Integrator::Euler) > 1e3);
    assert!(end(Integrator::ImplicitFast) > 1e3);
}

#[test]
fn switched_off_springs_and_dampers_take_no_part() {
    for flag in ["spring", "damper"] {
        let xml = |integrator: &str| {
            format!(
                "<mujoco xmlns:ferrodyn='urn:ferrodyn'><option {integrator}><flag {flag}='disable'/></option><worldbody>\
                 <body><joint type='ball' stiffness='9' damping='{}'/><geom type='box' size='.1 .2 .3'/></body>\
                 </worldbody></mujoco>",
                if flag == "spring" { 0 } else { 3 }
            )
        };
        let run = |integrator: &str| {
            let model = load_model(&xml(integrator)).unwrap();
            let mut data = model.make_data();
            data.qvel_mut().copy_from_slice(&[1.0, 2.0, 3.0]);
            data.step(&model).unwrap();
            data.qvel().to_vec()
        };
        let (extension, euler) =
            (run("ferrodyn:integrator='implicitspringdamper'"), run("integrator='Euler'"));
        let distance = extension.iter().zip(&euler).map(|(a, b)| (a - b).abs()).sum::<f64>();
        // without springs nothing is left that differs; without dampers the springs do
        assert_eq!(distance < 1e-12, flag == "spring", "{flag}: {distance}");
    }
}

/// Two links with a tendon over both joints.
fn arm(tendon: &str, rest: &str) -> Model {
    load_model(&format!(
        "<mujoco><option timestep='.01'><flag energy='enable'/></option><worldbody><body><joint name='a' axis='0 1 0'/>\
         <geom type='capsule' size='.02' fromto='0 0 0 .3 0 0' contype='0'/><body pos='.3 0 0'><joint name='b' axis='0 1 0'/>\
         <geom type='capsule' size='.02' fromto='0 0 0 .3 0 0' contype='0'/></body></body></worldbody>\
         <tendon><fixed name='t' {tendon}><joint joint='a' coef='1'/><joint joint='b' coef='1'/></fixed></tendon>{rest}</mujoco>"
    ))
    .unwrap()
}

/// The largest speed within some steps, or none where the world diverged.
fn top_speed(model: &Model, control: f64, steps: usize) -> Option<f64> {
    let mut data = model.make_data();
    data.qvel_mut()[0] = 1.0;
    data.ctrl_mut().fill(control);
    let mut top: f64 = 0.0;
    for _ in 0..steps {
        if data.step(model).unwrap().divergence.is_some() {
            return None;
        }
        top = top.max(largest(data.qvel()));
    }
    Some(top)
}

#[test]
fn damped_tendons_are_stable_with_implicit_integrators_only() {
    let model = arm("damping='100'", "");
    for integrator in [Integrator::ImplicitFast, Integrator::Implicit] {
        let top = top_speed(&with(&model, integrator, 0.01), 0.0, 1000);
        assert!(top.is_some_and(|v| v < 50.0), "{integrator:?}: {top:?}");
    }
    assert_eq!(top_speed(&with(&model, Integrator::Euler, 0.01), 0.0, 1000), None);
}

#[test]
fn actuators_with_velocity_gain_are_stable_with_implicit_integrators_only() {
    let model =
        arm("", "<actuator><general tendon='t' gaintype='affine' gainprm='0 0 -10'/></actuator>");
    for integrator in [Integrator::ImplicitFast, Integrator::Implicit] {
        let top = top_speed(&with(&model, integrator, 0.01), 10.0, 1000);
        assert!(top.is_some_and(|v| v < 50.0), "{integrator:?}: {top:?}");
    }
    assert_eq!(top_speed(&with(&model, Integrator::Euler, 0.01), 10.0, 1000), None);
}

#[test]
fn without_forces_of_velocity_implicitfast_is_euler() {
    let model = arm("stiffness='20'", "");
    let run = |integrator| {
        let model = with(&model, integrator, 0.002);
        let mut data = model.make_data();
        data.qpos_mut().copy_from_slice(&[0.3, 0.2]);
        data.qvel_mut().copy_from_slice(&[2.0, -1.0]);
        data.step(&model).unwrap();
        (data.qvel().to_vec(), data.qfrc_passive().to_vec())
    };
    let (euler, implicit) = (run(Integrator::Euler), run(Integrator::ImplicitFast));
    for (a, b) in euler.0.iter().zip(&implicit.0) {
        assert!((a - b).abs() < 1e-10 * (1.0 + b.abs()));
    }
    // springs of tendons are explicit forces with both
    assert_eq!(euler.1, implicit.1);
    assert!(largest(&euler.1) > 0.0);
}

#[test]
fn coriolis_forces_tell_implicit_and_implicitfast_apart() {
    let run = |integrator, h: f64| {
        let mut model = with(&arm("", ""), integrator, h);
        model.edit(|m| m.opt.gravity = ferrodyn::math::Vec3::ZERO);
        let mut data = model.make_data();
        data.qvel_mut().copy_from_slice(&[10.0, 15.0]);
        let before = energy(&model, &mut data);
        data.step_n(&model, (3.0 / h).round() as usize).unwrap();
        let speed = data.qvel()[0];
        (speed, (energy(&model, &mut data) - before).abs() / before)
    };
    let (full, fast) = (run(Integrator::Implicit, 0.002), run(Integrator::ImplicitFast, 0.002));
    assert!((full.0 - fast.0).abs() > 1e-3);
    assert!(full.1 < 0.25 && fast.1 < 0.25 && full.1 < fast.1, "{full:?} {fast:?}");
}

/// A slider whose motor pushes with `gain · speed`: `M - h ∂f/∂v = 1 - gain · h`.
fn runaway(gain: f64, integrator: Integrator) -> Model {
    let model = load_model(&format!(
        "<mujoco><option gravity='0 0 0'/><worldbody><body><joint name='j' type='slide'/><geom size='.1' mass='1'/></body>\
         </worldbody><actuator><general joint='j' gaintype='affine' gainprm='0 0 {gain}'/></actuator></mujoco>"
    ))
    .unwrap();
    with(&model, integrator, 0.015625)
}

#[test]
fn an_indefinite_matrix_is_solved_as_in_mujoco_and_reported() {
    let run = |gain: f64, integrator| {
        let model = runaway(gain, integrator);
        let mut data = model.make_data();
        data.qvel_mut()[0] = 1.0;
        data.ctrl_mut()[0] = 1.0;
        let report = data.step(&model).unwrap();
        (data.qvel()[0], report.indefinite)
    };
    // v⁺ = v + h f / (1 - gain h) with gain h = 15.625
    let expected = 1.0 - 15.625 / 14.625;
    let (speed, reported) = run(1000.0, Integrator::ImplicitFast);
    assert!((speed - expected).abs() < 1e-12 && reported == Some(0), "{speed}");
    let (speed, reported) = run(1000.0, Integrator::Implicit);
    assert!((speed - expected).abs() < 1e-12 && reported.is_none(), "{speed}");
    assert_eq!(run(10.0, Integrator::ImplicitFast).1, None);
}

#[test]
fn a_singular_matrix_is_an_error_and_moves_nothing() {
    let model = runaway(64.0, Integrator::Implicit);
    let mut data = model.make_data();
    data.qvel_mut()[0] = 1.0;
    data.ctrl_mut()[0] = 1.0;
    assert_eq!(data.step(&model), Err(StepError::SingularMatrix { dof: 0 }));
    assert_eq!((data.qvel()[0], data.time()), (1.0, 0.0));
    // and once more: nothing was lost
    assert_eq!(data.step(&model), Err(StepError::SingularMatrix { dof: 0 }));
}

#[test]
fn the_energy_drift_of_a_chain_equals_the_oracles() {
    let mut xml = String::from(
        "<mujoco><option integrator='RK4' timestep='.002'><flag energy='enable' contact='disable'/></option><worldbody>",
    );
    for _ in 0..7 {
        xml += "<body pos='0 0 -.2'><joint axis='0 1 0'/>\
                <geom type='capsule' size='.02' fromto='0 0 0 0 0 -.2' mass='.5'/>";
    }
    xml += &"</body>".repeat(7);
    let model = load_model(&(xml + "</worldbody></mujoco>")).unwrap();
    let mut data = model.make_data();
    data.qpos_mut().copy_from_slice(&[0.1, -0.05, 0.05, 0.1, -0.1, 0.05, 0.02]);
    let before = energy(&model, &mut data);
    assert!((before - CHAIN_ENERGY).abs() < 1e-12, "{before}");
    data.step_n(&model, 10_000).unwrap();
    let drift = energy(&model, &mut data) - before;
    // the drift itself is known to the last digits of the energy
    assert!((drift - CHAIN_DRIFT).abs() < 1e-12, "{drift} {CHAIN_DRIFT}");
    for (found, expected) in data.qpos().iter().zip(CHAIN_QPOS) {
        assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    }
}

// MuJoCo 3.5.0 at the beginning and after 10,000 steps
const CHAIN_ENERGY: f64 = -30.736559257190514;
const CHAIN_DRIFT: f64 = -1.2416428063488638e-07;
const CHAIN_QPOS: [f64; 7] = [
    0.05250614145396034,
    0.03592413117793863,
    0.009829707479692782,
    -0.05773078371223518,
    0.07024353745859936,
    -0.00022157461134633552,
    0.03001877368638334,
];
