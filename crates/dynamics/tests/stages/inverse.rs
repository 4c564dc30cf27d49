//! Inverse dynamics, also of discrete accelerations.
use ferrodyn::Integrator;
use ferrodyn_testing::{chain, motors, moving, relative_error, with_integrator};

#[test]
fn inverse_dynamics_finds_the_forces_of_a_step() {
    let mut model = chain(3, "damping='.2'", &motors(3));
    let mut data = moving(&model);
    data.forward(&model).unwrap();
    let force = data.qfrc_actuator().to_vec();
    data.inverse(&model).unwrap();
    assert!(relative_error(data.qfrc_inverse(), &force) < 1e-12);
    model.edit(|m| m.opt.enableflags |= ferrodyn::EnableBit::InvDiscrete as i32);
    for integrator in [
        Integrator::Euler,
        Integrator::Implicit,
        Integrator::ImplicitFast,
        Integrator::ImplicitSpringDamper,
    ] {
        let model = with_integrator(&model, integrator);
        let mut data = moving(&model);
        let before = data.clone();
        data.step(&model).unwrap();
        let h = model.opt.timestep;
        let acceleration: Vec<f64> =
            data.qvel().iter().zip(before.qvel()).map(|(a, b)| (a - b) / h).collect();
        let mut data = before;
        data.qacc_mut().copy_from_slice(&acceleration);
        data.inverse(&model).unwrap();
        assert!(relative_error(data.qfrc_inverse(), &force) < 1e-9, "{integrator:?}");
        assert_eq!(data.qacc(), acceleration);
    }
    let rk4 = with_integrator(&model, Integrator::Rk4);
    assert_eq!(data.inverse(&rk4), Err(ferrodyn::StepError::DiscreteInverse));
}
