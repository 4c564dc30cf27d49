//! Derivatives of a step: differences, closed forms, and what both are made of.
use ferrodyn::derivative::{
    DerivativeError, fd_convergence_check, max_relative_error, mjd_quat_integrate, mjd_transition,
    mjd_transition_fd, mjd_transition_hybrid, validate_analytical_vs_fd,
};
use ferrodyn::dynamics::{
    add_actuator_derivative, add_passive_derivative, dense_derivative, integrate_pos,
    integration_derivative, smooth_velocity_derivative, subtract_bias_derivative,
};
use ferrodyn::math::{Mat3, Quat, Vec3};
use ferrodyn::{Data, DerivativeConfig, Integrator, Model, TransitionMatrices, load_model};

/// A chain of links of length 1 and mass 0.1, with more attributes of joints, and elements after the bodies.
fn chain(n: usize, joint: &str, outer: &str) -> Model {
    let mut bodies = String::new();
    for i in 0..n {
        let z = if i == 0 { 0 } else { -1 };
        bodies += &format!(
            "<body pos='0 0 {z}'><joint name='j{i}' axis='0 1 0' {joint}/>\
             <geom type='capsule' fromto='0 0 0 0 0 -1' size='.02' mass='.1' contype='0'/>"
        );
    }
    let xml =
        format!("<mujoco><worldbody>{bodies}{}</worldbody>{outer}</mujoco>", "</body>".repeat(n));
    load_model(&xml).unwrap()
}

fn motors(n: usize) -> String {
    let list: String = (0..n).map(|i| format!("<motor joint='j{i}' gear='2'/>")).collect();
    format!("<actuator>{list}</actuator>")
}

/// A state that is nothing special.
fn moving(model: &Model) -> Data {
    let mut data = model.make_data();
    let direction: Vec<f64> = (0..model.nv).map(|i| 0.3 + 0.2 * i as f64).collect();
    integrate_pos(model, data.qpos_mut(), &direction, 1.0);
    for (i, v) in data.qvel_mut().iter_mut().enumerate() {
        *v = 1.0 - 0.3 * i as f64;
    }
    for (i, u) in data.ctrl_mut().iter_mut().enumerate() {
        *u = 0.2 + 0.1 * i as f64;
    }
    data
}

fn with(model: &Model, integrator: Integrator) -> Model {
    let mut model = model.clone();
    model.edit(|m| m.opt.integrator = integrator as i32);
    model
}

fn differences(model: &Model, data: &Data) -> TransitionMatrices {
    mjd_transition_fd(model, data, &DerivativeConfig::default()).unwrap()
}

fn hybrid(model: &Model, data: &Data) -> TransitionMatrices {
    mjd_transition_hybrid(model, data, &DerivativeConfig::default()).unwrap()
}

/// The largest difference, relative to the largest entry.
fn error(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    let largest = b.iter().fold(1e-300, |x: f64, y| x.max(y.abs()));
    a.iter().zip(b).fold(0.0, |x: f64, (a, b)| x.max((a - b).abs())) / largest
}

/// Columns `from..to` of a matrix with `n` columns.
fn columns(mat: &[f64], n: usize, from: usize, to: usize) -> Vec<f64> {
    mat.chunks(n).flat_map(|row| row[from..to].to_vec()).collect()
}

/// Rows `from..to` of a matrix with `n` columns.
fn rows(mat: &[f64], n: usize, from: usize, to: usize) -> Vec<f64> {
    mat[from * n..to * n].to_vec()
}

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
    assert!(error(&c, &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]) < 1e-9, "{c:?}");
    assert!(d.is_empty());
    let empty = load_model("<mujoco/>").unwrap();
    assert!(differences(&empty, &empty.make_data()).a.is_empty());
    assert!(hybrid(&empty, &empty.make_data()).a.is_empty());
}

#[test]
fn centred_and_one_sided_differences_agree() {
    let model = chain(3, "damping='.1'", &motors(3));
    let data = moving(&model);
    let forward = DerivativeConfig::new(1e-6, false).unwrap().analytical(false);
    let one_sided = mjd_transition(&model, &data, &forward).unwrap();
    let centred = differences(&model, &data);
    assert!(error(&one_sided.a, &centred.a) < 1e-4);
    assert!(error(&one_sided.b, &centred.b) < 1e-4);
    assert_ne!(one_sided.a, centred.a);
}

#[test]
fn motors_push_through_the_inverse_of_the_inertia() {
    let model = chain(3, "", &motors(3));
    let mut data = moving(&model);
    let step = differences(&model, &data);
    data.forward(&model).unwrap();
    let h = model.opt.timestep;
    let mut expected = vec![0.0; 18];
    for j in 0..3 {
        let mut x = [0.0; 3];
        x[j] = 2.0;
        ferrodyn::dynamics::solve_m(&model, &data.view_mut(), &mut x);
        for i in 0..3 {
            expected[i * 3 + j] = h * h * x[i];
            expected[(3 + i) * 3 + j] = h * x[i];
        }
    }
    assert!(error(&rows(&step.b, 3, 0, 3), &rows(&expected, 3, 0, 3)) < 1e-4);
    assert!(error(&rows(&step.b, 3, 3, 6), &rows(&expected, 3, 3, 6)) < 1e-4);
}

#[test]
fn ball_and_free_joints_count_their_degrees_of_freedom() {
    for (joint, nq, nv) in [("<joint type='ball'/>", 4, 3), ("<freejoint/>", 7, 6)] {
        let model = load_model(&format!(
            "<mujoco><worldbody><body>{joint}<geom type='box' size='.1 .2 .3'/></body></worldbody></mujoco>"
        ))
        .unwrap();
        assert_eq!((model.nq, model.nv), (nq, nv));
        let data = moving(&model);
        let step = differences(&model, &data);
        assert_eq!(step.states, 2 * nv);
        for i in 0..nv {
            let mut direction = vec![0.0; nv];
            direction[i] = 1.0;
            let mut qpos = data.qpos().to_vec();
            integrate_pos(&model, &mut qpos, &direction, 1e-6);
            let quat = &qpos[nq - 4..];
            let norm: f64 = quat.iter().map(|x| x * x).sum();
            assert!((norm.sqrt() - 1.0).abs() < 1e-14);
        }
        // gyroscopic forces: angular velocities act on each other
        let block =
            |mat: &[f64], r: usize, c: usize| mat[(2 * nv - 3 + r) * 2 * nv + 2 * nv - 3 + c];
        assert!(block(&step.a, 0, 1).abs() > 1e-6);
        let closed = hybrid(&model, &data);
        assert!(error(&closed.a, &step.a) < 1e-6, "{}", error(&closed.a, &step.a));
        // a velocity moves its configuration by one time step
        let h = model.opt.timestep;
        for i in 0..nv {
            assert!((step.a[i * 2 * nv + nv + i] - h).abs() < 1e-3 * h, "{i}");
        }
    }
}

#[test]
fn filters_forget_their_activation() {
    for (kind, tau) in [("filter", 0.05), ("filterexact", 0.05), ("integrator", 0.05)] {
        let outer = format!(
            "<actuator><general joint='j0' dyntype='{kind}' dynprm='{tau}'/>\
             <general joint='j1' dyntype='{kind}' dynprm='{tau}' gainprm='3'/></actuator>"
        );
        let model = chain(2, "", &outer);
        let mut data = moving(&model);
        data.act_mut().copy_from_slice(&[0.3, -0.2]);
        let h = model.opt.timestep;
        let expected: f64 = match kind {
            "filter" => 1.0 - h / tau,
            "filterexact" => (-h / tau).exp(),
            _ => 1.0,
        };
        let (step, closed) = (differences(&model, &data), hybrid(&model, &data));
        assert_eq!(step.states, 6);
        for i in [4, 5] {
            assert!((step.a[i * 6 + i] - expected).abs() < 1e-6, "{kind}");
            assert!((closed.a[i * 6 + i] - expected).abs() < 1e-12, "{kind}");
        }
        assert!(error(&closed.a, &step.a) < 1e-3);
        assert!(error(&columns(&closed.a, 6, 4, 6), &columns(&step.a, 6, 4, 6)) < 1e-6);
        assert!(error(&closed.b, &step.b) < 1e-6, "{kind}");
    }
}

#[test]
fn exact_filters_decay_exponentially() {
    let outer = "<actuator><general joint='j0' dyntype='filterexact' dynprm='.05'/></actuator>";
    let mut model = chain(1, "", outer);
    model.edit(|m| m.opt.timestep = 0.001);
    let data = moving(&model);
    assert!((hybrid(&model, &data).a[8] - 0.9802).abs() < 1e-4);
    assert!((hybrid(&model, &data).a[8] - differences(&model, &data).a[8]).abs() < 1e-6);
}

fn ball_on_floor(solref: f64) -> (Model, Data) {
    let model = load_model(&format!(
        "<mujoco><worldbody><geom type='plane' size='1 1 .1' solref='{solref} 1'/>\
         <body pos='0 0 .099'><freejoint/><geom size='.1' mass='1' solref='{solref} 1'/></body></worldbody></mujoco>"
    ))
    .unwrap();
    let data = model.make_data();
    (model, data)
}

#[test]
fn stiff_contacts_push_back_harder() {
    let slope = |solref: f64| {
        let (model, data) = ball_on_floor(solref);
        let step = differences(&model, &data);
        step.a[8 * 12 + 2]
    };
    let (soft, stiff) = (slope(0.1), slope(0.02));
    assert!(soft < -1e-3 && stiff < 4.0 * soft, "{soft} {stiff}");
}

#[test]
fn constraint_forces_have_closed_forms() {
    for cone in ["pyramidal", "elliptic"] {
        for (velocity, margin) in
            [([0.0; 3], 0.0), ([0.5, 0.2, -0.1], 0.0), ([0.01, 0.0, 0.0], 0.01)]
        {
            let model = load_model(&format!(
                "<mujoco><option cone='{cone}'/><worldbody><geom type='plane' size='3 3 .1'/>\
                 <body pos='0 0 .099'><freejoint/><geom type='box' size='.2 .15 .1' margin='{margin}'/>\
                 <body pos='0 0 .2'><joint name='hinge' axis='0 1 0' range='-10 10' limited='true' \
                 frictionloss='.05'/><geom type='capsule' size='.02' fromto='0 0 0 0 0 .3'/></body></body>\
                 </worldbody><actuator><motor joint='hinge'/></actuator></mujoco>"
            ))
            .unwrap();
            let mut data = model.make_data();
            data.qvel_mut()[..3].copy_from_slice(&velocity);
            data.qvel_mut()[6] = 0.3;
            data.qpos_mut()[7] = 0.2;
            data.ctrl_mut()[0] = 1.0;
            data.forward(&model).unwrap();
            assert!(data.work().efc_force.iter().filter(|f| **f != 0.0).count() > 3);
            let (step, closed) = (differences(&model, &data), hybrid(&model, &data));
            assert!(error(&closed.a, &step.a) < 1e-5, "{cone} {}", error(&closed.a, &step.a));
            assert!(error(&closed.b, &step.b) < 1e-5, "{cone} {}", error(&closed.b, &step.b));
        }
    }
}

#[test]
fn every_integrator_has_a_derivative() {
    let mut model = chain(3, "damping='.3' stiffness='5'", &motors(3));
    model.edit(|m| m.opt.timestep = 0.01);
    let euler = differences(&model, &moving(&model));
    for integrator in [
        Integrator::Euler,
        Integrator::Rk4,
        Integrator::Implicit,
        Integrator::ImplicitFast,
        Integrator::ImplicitSpringDamper,
    ] {
        let model = with(&model, integrator);
        let data = moving(&model);
        let step = differences(&model, &data);
        let closed = mjd_transition(&model, &data, &DerivativeConfig::default()).unwrap();
        assert!(error(&closed.a, &step.a) < 1e-6, "{integrator:?} {}", error(&closed.a, &step.a));
        assert!(error(&closed.b, &step.b) < 1e-6, "{integrator:?}");
        let distance = step.a.iter().zip(&euler.a).fold(0.0, |x: f64, (a, b)| x.max((a - b).abs()));
        // with joint damping alone, implicitfast has the matrix of Euler
        let same = matches!(integrator, Integrator::Euler | Integrator::ImplicitFast);
        assert_eq!(distance > 1e-4, !same, "{integrator:?} {distance}");
    }
}

#[test]
fn smaller_perturbations_change_little() {
    let model = chain(3, "damping='.1'", &motors(3));
    let data = moving(&model);
    let config = DerivativeConfig::new(1e-7, true).unwrap();
    let fine = mjd_transition_fd(&model, &data, &config).unwrap();
    assert!(error(&differences(&model, &data).a, &fine.a) < 1e-3);
    for eps in [1e-4, 1e-5, 1e-6, 1e-7, 1e-8] {
        assert!(fd_convergence_check(&model, &data, eps, 1e-3).unwrap(), "{eps}");
    }
    assert!(!fd_convergence_check(&model, &data, 1e-2, 1e-12).unwrap());
}

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
    assert!(error(&passive, &expected) < 1e-12, "{passive:?}");
    let measured = force_differences(&model, &data, |d| d.qfrc_passive().to_vec());
    assert!(error(&passive, &measured) < 1e-8);
    // the extension leaves tendons explicit: their dampers stay among the forces, and in the derivative
    let implicit = with(&model, Integrator::ImplicitSpringDamper);
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
    assert!(error(&actuator, &measured) < 1e-8);
}

#[test]
fn bias_forces_are_differentiated_at_the_actual_velocity() {
    let model = chain(2, "", "");
    let mut data = model.make_data();
    data.qpos_mut().copy_from_slice(&[0.3, 0.7]);
    data.qvel_mut().copy_from_slice(&[1.0, 0.5]);
    let bias: Vec<f64> = part(&model, &data, subtract_bias_derivative).iter().map(|x| -x).collect();
    let measured = force_differences(&model, &data, |d| d.qfrc_bias().to_vec());
    assert!(error(&bias, &measured) < 1e-6, "{bias:?} {measured:?}");
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
    assert!(error(&smooth, &measured) < 1e-5, "{smooth:?} {measured:?}");
    assert_eq!(data.cvel(), cvel);
    let other = chain(2, "", "");
    assert!(smooth_velocity_derivative(&other, &mut data).is_err());
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
fn perturbed_steps_start_from_the_same_warm_start() {
    let (model, mut data) = ball_on_floor(0.02);
    data.step_n(&model, 50).unwrap();
    let before = data.clone();
    data.forward(&model).unwrap();
    let nominal = data.header().solver_niter[0];
    let mut perturbed = before.clone();
    perturbed.qpos_mut()[2] += 1e-6;
    perturbed.forward(&model).unwrap();
    assert!(perturbed.header().solver_niter[0] <= 2 * nominal.max(1));
    // and the data that is differentiated stays as it is
    let first = differences(&model, &before);
    assert_eq!(before.qacc_warmstart(), { before.clone() }.qacc_warmstart());
    let copy = before.clone();
    let second = differences(&model, &before);
    assert_eq!(first, second);
    assert_eq!(copy, before);
    let hybrid = hybrid(&model, &before);
    assert_eq!(copy, before);
    assert!(error(&hybrid.a, &first.a) < 1e-5);
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
fn rotations_are_integrated_on_their_manifold() {
    let (omega, h) = (Vec3::new(1.0, 0.5, -0.3), 0.001);
    let quat = Quat([0.6, -0.3, 0.5, 0.2]).normalize().0;
    let (by_quat, by_omega) = mjd_quat_integrate(omega, h);
    let measured = |f: &dyn Fn(Vec3) -> Quat, eps: f64| {
        let column = |i: usize| {
            let mut step = Vec3::ZERO;
            step[i] = eps;
            f(step).rotation_from(f(-step)) * (0.5 / eps)
        };
        Mat3::from_columns(column(0), column(1), column(2))
    };
    let turned = measured(&|step| quat.integrate(step, 1.0).integrate(omega, h), 1e-5);
    let pushed = measured(&|step| quat.integrate(omega + step, h), 1e-3);
    assert!(error(&by_quat.0, &turned.0) < 1e-6);
    assert!(error(&by_omega.0, &pushed.0) < 1e-6);
}

#[test]
fn hinges_integrate_linearly_and_balls_do_not() {
    let h = 0.002;
    let hinges = chain(3, "", "");
    let (by_qpos, by_qvel) = integration_derivative(&hinges, &[1.0, -2.0, 3.0], h);
    let eye = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    assert_eq!(by_qpos, eye);
    assert_eq!(by_qvel, eye.map(|x| x * h));
    let ball = load_model(
        "<mujoco><worldbody><body><joint type='ball'/><geom size='.1'/></body></worldbody></mujoco>",
    )
    .unwrap();
    let (by_qpos, by_qvel) = integration_derivative(&ball, &[0.0; 3], h);
    assert_eq!(by_qpos, eye);
    assert_eq!(by_qvel, eye.map(|x| x * h));
    let omega = [2.0, 1.0, -1.5];
    let (by_qpos, by_qvel) = integration_derivative(&ball, &omega, h);
    assert!(error(&by_qpos, &eye) > 1e-3);
    assert!(error(&by_qvel, &eye.map(|x| x * h)) > 1e-3);
    let qpos = moving(&ball).qpos().to_vec();
    let mut measured = [0.0; 9];
    for i in 0..3 {
        let end = |by: f64| {
            let mut q = qpos.clone();
            let mut v = omega;
            v[i] += by;
            integrate_pos(&ball, &mut q, &v, h);
            q
        };
        let mut column = [0.0; 3];
        ferrodyn::dynamics::differentiate_pos(&ball, &mut column, 2e-3, &end(-1e-3), &end(1e-3));
        (0..3).for_each(|r| measured[r * 3 + i] = column[r]);
    }
    assert!(error(&by_qvel, &measured) < 1e-5);
}

#[test]
fn closed_forms_agree_with_differences_on_chains() {
    for (n, joint) in [(3, ""), (3, "damping='1'"), (10, "")] {
        let model = chain(n, joint, &motors(n));
        let data = moving(&model);
        let (a, b) = validate_analytical_vs_fd(&model, &data).unwrap();
        assert!(a < 1e-3 && b < 1e-3, "{n} {joint}: {a} {b}");
        let (step, closed) = (differences(&model, &data), hybrid(&model, &data));
        let block = |m: &TransitionMatrices| columns(&m.a, 2 * n, n, 2 * n);
        assert!(error(&block(&closed), &block(&step)) < 1e-4);
    }
}

#[test]
fn closed_forms_know_the_extension_that_is_implicit_in_springs() {
    let model =
        with(&chain(3, "stiffness='1000' damping='10'", ""), Integrator::ImplicitSpringDamper);
    let data = moving(&model);
    let (step, closed) = (differences(&model, &data), hybrid(&model, &data));
    assert!(error(&closed.a, &step.a) < 1e-6, "{}", error(&closed.a, &step.a));
    let velocity = |m: &TransitionMatrices| columns(&rows(&m.a, 6, 3, 6), 6, 3, 6);
    assert!(error(&velocity(&closed), &velocity(&step)) < 1e-6);
}

#[test]
fn implicit_integrators_have_exact_velocity_columns() {
    for integrator in [Integrator::Implicit, Integrator::ImplicitFast] {
        let mut model = with(&chain(4, "damping='.5'", &motors(4)), integrator);
        model.edit(|m| m.opt.timestep = 0.02);
        let mut data = moving(&model);
        data.qvel_mut().copy_from_slice(&[5.0, -8.0, 6.0, 9.0]);
        let (step, closed) = (differences(&model, &data), hybrid(&model, &data));
        let block = |m: &TransitionMatrices| columns(&m.a, 8, 4, 8);
        let found = error(&block(&closed), &block(&step));
        assert!(found < 1e-7, "{integrator:?} {found}");
    }
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
    let rk4 = with(&model, Integrator::Rk4);
    assert_eq!(mjd_transition(&rk4, &data, &config).unwrap(), differences(&rk4, &data));
    assert_ne!(hybrid(&model, &data), differences(&model, &data));
}

#[test]
fn saturated_actuators_and_controls_push_no_further() {
    let outer = "<actuator><motor joint='j0' forcerange='-.1 .1'/><motor joint='j1' ctrlrange='-1 1'/>\
                 <general joint='j1' dyntype='integrator' actlimited='true' actrange='-1 1'/></actuator>";
    let model = chain(2, "", outer);
    let mut data = moving(&model);
    data.ctrl_mut().copy_from_slice(&[3.0, 2.0, 1.0]);
    data.act_mut()[0] = 1.0;
    let (step, closed) = (differences(&model, &data), hybrid(&model, &data));
    assert!(error(&closed.a, &step.a) < 1e-6);
    assert!(error(&closed.b, &step.b) < 1e-6 || step.b.iter().all(|x| *x == 0.0));
    for r in 0..5 {
        assert_eq!(step.b[r * 3..r * 3 + 2], [0.0, 0.0]);
        assert_eq!(closed.b[r * 3..r * 3 + 2], [0.0, 0.0]);
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
fn inverse_dynamics_finds_the_forces_of_a_step() {
    let mut model = chain(3, "damping='.2'", &motors(3));
    let mut data = moving(&model);
    data.forward(&model).unwrap();
    let force = data.qfrc_actuator().to_vec();
    data.inverse(&model).unwrap();
    assert!(error(data.qfrc_inverse(), &force) < 1e-12);
    model.edit(|m| m.opt.enableflags |= ferrodyn::EnableBit::InvDiscrete as i32);
    for integrator in [
        Integrator::Euler,
        Integrator::Implicit,
        Integrator::ImplicitFast,
        Integrator::ImplicitSpringDamper,
    ] {
        let model = with(&model, integrator);
        let mut data = moving(&model);
        let before = data.clone();
        data.step(&model).unwrap();
        let h = model.opt.timestep;
        let acceleration: Vec<f64> =
            data.qvel().iter().zip(before.qvel()).map(|(a, b)| (a - b) / h).collect();
        let mut data = before;
        data.qacc_mut().copy_from_slice(&acceleration);
        data.inverse(&model).unwrap();
        assert!(error(data.qfrc_inverse(), &force) < 1e-9, "{integrator:?}");
        assert_eq!(data.qacc(), acceleration);
    }
    let rk4 = with(&model, Integrator::Rk4);
    assert_eq!(data.inverse(&rk4), Err(ferrodyn::StepError::DiscreteInverse));
}
