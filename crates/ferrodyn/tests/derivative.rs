//! Derivatives of a step as the facade gives them: sizes, configuration, threads.
use ferrodyn::derivative::{
    DerivativeError, fd_convergence_check, max_relative_error, mjd_transition, mjd_transition_fd,
};
use ferrodyn::{DerivativeConfig, Integrator};
use ferrodyn_testing::{
    ball_on_floor, chain, differences, hybrid, load, motors, moving, relative_error,
    with_integrator,
};

#[test]
fn sizes_follow_degrees_of_freedom_and_controls() {
    let plain = chain(3, "", "");
    let step = differences(&plain, &moving(&plain));
    assert_eq!((step.states, step.controls), (6, 0));
    assert_eq!((step.a.len(), step.b.len()), (36, 0));
    assert_eq!((step.c, step.d), (None, None));
    let driven = chain(3, "", &motors(3));
    let step = differences(&driven, &moving(&driven));
    assert_eq!((step.a.len(), step.b.len()), (36, 18));
    let config = DerivativeConfig::default().with_sensors(true);
    let sensed = chain(2, "", "<sensor><jointpos joint='j0'/><jointvel joint='j1'/></sensor>");
    let step = mjd_transition(&sensed, &moving(&sensed), &config).unwrap();
    assert_eq!(step.sensors, 2);
    let (c, d) = (step.c.unwrap(), step.d.unwrap());
    assert!(relative_error(&c, &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]) < 1e-9, "{c:?}");
    assert!(d.is_empty());
    let empty = load("<mujoco/>");
    assert!(differences(&empty, &empty.make_data()).a.is_empty());
    assert!(hybrid(&empty, &empty.make_data()).a.is_empty());
}

#[test]
fn smaller_perturbations_change_little() {
    let model = chain(3, "damping='.1'", &motors(3));
    let data = moving(&model);
    let config = DerivativeConfig::new(1e-7, true).unwrap();
    let fine = mjd_transition_fd(&model, &data, &config).unwrap();
    assert!(relative_error(&differences(&model, &data).a, &fine.a) < 1e-3);
    for eps in [1e-4, 1e-5, 1e-6, 1e-7, 1e-8] {
        assert!(fd_convergence_check(&model, &data, eps, 1e-3).unwrap(), "{eps}");
    }
    assert!(!fd_convergence_check(&model, &data, 1e-2, 1e-12).unwrap());
}

#[test]
fn perturbations_have_a_sensible_size() {
    for eps in [0.0, -1.0, f64::NAN, 0.1, f64::INFINITY] {
        let found = DerivativeConfig::new(eps, true);
        assert!(matches!(found, Err(DerivativeError::Eps(e)) if e.to_bits() == eps.to_bits()));
    }
    let config = DerivativeConfig::new(1e-6, true).unwrap();
    assert_eq!(config, DerivativeConfig::default());
    let model = chain(1, "", "");
    let mut wrong = config;
    wrong.eps = -1.0;
    assert_eq!(mjd_transition_fd(&model, &moving(&model), &wrong), Err(DerivativeError::Eps(-1.0)));
    let other = chain(2, "", "");
    assert!(mjd_transition_fd(&other, &moving(&model), &config).is_err());
}

#[test]
fn threads_change_no_bit() {
    let (contact, data) = ball_on_floor(0.02);
    let chain = chain(6, "damping='.1'", &motors(6));
    for (model, data) in [(contact, data), (chain.clone(), moving(&chain))] {
        for analytical in [true, false] {
            let config = DerivativeConfig::default().analytical(analytical);
            let one = mjd_transition(&model, &data, &config).unwrap();
            for threads in [0, 2, 3, 64] {
                let more = mjd_transition(&model, &data, &config.with_threads(threads)).unwrap();
                assert_eq!(one, more, "{threads}");
            }
        }
    }
}

#[test]
fn errors_are_found_where_they_are() {
    let a = [1.0, 2.0, 3.0, 4.0];
    let b = [1.0, 2.0, 3.3, 4.0];
    let (worst, at) = max_relative_error(&a, &b, 1e-10, 2);
    assert!((worst - 0.3 / 3.3).abs() < 1e-12);
    assert_eq!(at, (1, 0));
    assert!(max_relative_error(&[f64::NAN], &[1.0], 1e-10, 1).0.is_nan());
    assert_eq!(max_relative_error(&[0.0], &[1e-12], 1e-10, 1), (0.01, (0, 0)));
}

#[test]
fn the_configuration_chooses_the_way() {
    let model = chain(3, "damping='.1'", &motors(3));
    let data = moving(&model);
    let config = DerivativeConfig::default();
    assert_eq!(mjd_transition(&model, &data, &config).unwrap(), hybrid(&model, &data));
    let plain = config.analytical(false);
    assert_eq!(mjd_transition(&model, &data, &plain).unwrap(), differences(&model, &data));
    assert_eq!(data.transition_derivatives(&model, &config).unwrap(), hybrid(&model, &data));
    let rk4 = with_integrator(&model, Integrator::Rk4);
    assert_eq!(mjd_transition(&rk4, &data, &config).unwrap(), differences(&rk4, &data));
    assert_ne!(hybrid(&model, &data), differences(&model, &data));
}
