//! The derivative of smooth forces by velocity.
use ferrodyn::dynamics::derivative::{
    add_actuator_derivative, add_passive_derivative, dense_derivative, smooth_velocity_derivative,
    subtract_bias_derivative,
};
use ferrodyn::{Data, Integrator, Model};
use ferrodyn_testing::{chain, moving, relative_error, with_integrator};

/// `qDeriv` with one part of the smooth forces.
fn part(
    model: &Model,
    data: &Data,
    add: fn(&ferrodyn_model::Model, &mut ferrodyn::dynamics::World<'_>),
) -> Vec<f64> {
    let mut data = data.clone();
    data.forward(model).unwrap();
    let d = &mut data.view_mut();
    d.qDeriv.fill(0.0);
    add(model, d);
    dense_derivative(model, d)
}

/// Differences of forces by velocity.
fn force_differences(model: &Model, data: &Data, force: fn(&Data) -> Vec<f64>) -> Vec<f64> {
    const EPS: f64 = 1e-5;
    let nv = model.nv;
    let mut result = vec![0.0; nv * nv];
    let at = |j: usize, by: f64| {
        let mut data = data.clone();
        data.qvel_mut()[j] += by;
        data.forward(model).unwrap();
        force(&data)
    };
    for j in 0..nv {
        let (plus, minus) = (at(j, EPS), at(j, -EPS));
        for i in 0..nv {
            result[i * nv + j] = (plus[i] - minus[i]) / (2.0 * EPS);
        }
    }
    result
}

#[test]
fn dampers_slow_their_own_joint() {
    let mut model = chain(3, "damping='1'", "");
    model.edit(|m| m.dof_damping.copy_from_slice(&[0.5, 1.0, 1.5]));
    let passive = part(&model, &moving(&model), add_passive_derivative);
    assert_eq!(passive, [-0.5, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, -1.5]);
}

#[test]
fn dampers_of_tendons_couple_their_joints() {
    let outer = "<tendon><fixed damping='.7'><joint joint='j0' coef='1.5'/><joint joint='j1' coef='-.5'/></fixed></tendon>";
    let model = chain(2, "", outer);
    let data = moving(&model);
    let passive = part(&model, &data, add_passive_derivative);
    let expected = [-0.7 * 2.25, 0.7 * 0.75, 0.7 * 0.75, -0.7 * 0.25];
    assert!(relative_error(&passive, &expected) < 1e-12, "{passive:?}");
    let measured = force_differences(&model, &data, |d| d.qfrc_passive().to_vec());
    assert!(relative_error(&passive, &measured) < 1e-8);
    // the extension leaves tendons explicit: their dampers stay among the forces, and in the derivative
    let implicit = with_integrator(&model, Integrator::ImplicitSpringDamper);
    assert_eq!(part(&implicit, &data, add_passive_derivative), passive);
}

#[test]
fn affine_actuators_depend_on_velocity() {
    let outer = "<actuator><general joint='j0' gear='3' gaintype='affine' gainprm='1 0 -.4' biastype='affine' \
                 biasprm='0 0 -.9'/></actuator>";
    let model = chain(2, "", outer);
    let data = moving(&model);
    let actuator = part(&model, &data, add_actuator_derivative);
    let expected = 9.0 * (-0.4 * data.ctrl()[0] - 0.9);
    assert!((actuator[0] - expected).abs() < 1e-12);
    let measured = force_differences(&model, &data, |d| d.qfrc_actuator().to_vec());
    assert!(relative_error(&actuator, &measured) < 1e-8);
}

#[test]
fn bias_forces_are_differentiated_at_the_actual_velocity() {
    let model = chain(2, "", "");
    let mut data = model.make_data();
    data.qpos_mut().copy_from_slice(&[0.3, 0.7]);
    data.qvel_mut().copy_from_slice(&[1.0, 0.5]);
    let bias = part(&model, &data, |m, d| subtract_bias_derivative(m, d).unwrap());
    let bias: Vec<f64> = bias.iter().map(|x| -x).collect();
    let measured = force_differences(&model, &data, |d| d.qfrc_bias().to_vec());
    assert!(relative_error(&bias, &measured) < 1e-6, "{bias:?} {measured:?}");
    assert!(bias[1].abs() > 1e-3);
}

#[test]
fn all_smooth_forces_together() {
    let outer = "<tendon><fixed name='t' damping='.3'><joint joint='j0' coef='1'/><joint joint='j2' coef='-1'/></fixed></tendon>\
                 <actuator><velocity joint='j1' kv='.5'/><motor tendon='t'/></actuator>";
    let model = chain(3, "damping='.2'", outer);
    let mut data = moving(&model);
    let measured = force_differences(&model, &data, |d| {
        let sum = d.qfrc_passive().iter().zip(d.qfrc_actuator()).zip(d.qfrc_bias());
        sum.map(|((p, a), b)| p + a - b).collect()
    });
    data.forward(&model).unwrap();
    let cvel = data.cvel().to_vec();
    data.view_mut().qDeriv.fill(7.0);
    smooth_velocity_derivative(&model, &mut data).unwrap();
    let smooth = dense_derivative(&model, &data.view_mut());
    assert!(relative_error(&smooth, &measured) < 1e-5, "{smooth:?} {measured:?}");
    assert_eq!(data.cvel(), cvel);
    let other = chain(2, "", "");
    assert!(smooth_velocity_derivative(&other, &mut data).is_err());
}
