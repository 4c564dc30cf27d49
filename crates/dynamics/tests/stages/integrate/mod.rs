//! Runge-Kutta, the implicit integrators, and the extension that is implicit in springs.
mod euler;
mod flex;
mod implicit;
mod joints;
mod material;
mod rk4;
mod spring_damper;

use ferrodyn::{Data, Integrator, Model, load_model};
use ferrodyn_testing::load;

fn with(model: &Model, integrator: Integrator, timestep: f64) -> Model {
    let mut model = model.clone();
    model.edit(|m| {
        m.opt.integrator = integrator as i32;
        m.opt.timestep = timestep;
    });
    model
}

fn energy(model: &Model, data: &mut Data) -> f64 {
    data.forward(model).unwrap();
    data.header().energy.iter().sum()
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |m, x| if x.is_nan() { f64::INFINITY } else { m.max(x.abs()) })
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
        assert_eq!(load(&xml).opt.integrator, integrator as i32);
    }
    // the words of MuJoCo's attribute are MuJoCo's
    assert!(chosen("integrator='implicitspringdamper'").is_err());
    assert!(chosen("ferrodyn:integrator='RK4'").is_err());
}
