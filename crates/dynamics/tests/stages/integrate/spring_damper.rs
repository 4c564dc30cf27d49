//! The extension that is implicit in springs and dampers of joints.
use ferrodyn::{Integrator, Model};
use ferrodyn_testing::load;

use super::{largest, with};

/// A mass on a spring and a damper.
fn oscillator(stiffness: f64, damping: f64) -> Model {
    load(&format!(
        "<mujoco><option gravity='0 0 -10' timestep='.01'/><worldbody><body><joint type='slide' axis='0 0 1' \
         stiffness='{stiffness}' damping='{damping}' springref='.2'/><geom size='.1' mass='2'/></body></worldbody></mujoco>"
    ))
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
            let model = load(&xml(integrator));
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
