//! Differences: sizes, perturbations, and what a step is from which they are taken.
use ferrodyn::derivative::{mjd_transition, mjd_transition_fd_with};
use ferrodyn::dynamics::derivative::{Baseline, Column, DifferenceOptions, Worker};
use ferrodyn::dynamics::integrate::{differentiate_pos, integrate_pos};
use ferrodyn::{Callbacks, Data, DerivativeConfig, Integrator, Model};
use ferrodyn_testing::{
    ball_on_floor, chain, differences, hybrid, load, motors, moving, relative_error,
    with_integrator,
};

use super::{columns, rows};

#[test]
fn centred_and_one_sided_differences_agree() {
    let model = chain(3, "damping='.1'", &motors(3));
    let data = moving(&model);
    let forward = DerivativeConfig::new(1e-6, false).unwrap().analytical(false);
    let one_sided = mjd_transition(&model, &data, &forward).unwrap();
    let centred = differences(&model, &data);
    assert!(relative_error(&one_sided.a, &centred.a) < 1e-4);
    assert!(relative_error(&one_sided.b, &centred.b) < 1e-4);
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
        ferrodyn::dynamics::position::solve_m(&model, &data.view_mut(), &mut x);
        for i in 0..3 {
            expected[i * 3 + j] = h * h * x[i];
            expected[(3 + i) * 3 + j] = h * x[i];
        }
    }
    assert!(relative_error(&rows(&step.b, 3, 0, 3), &rows(&expected, 3, 0, 3)) < 1e-4);
    assert!(relative_error(&rows(&step.b, 3, 3, 6), &rows(&expected, 3, 3, 6)) < 1e-4);
}

#[test]
fn ball_and_free_joints_count_their_degrees_of_freedom() {
    for (joint, nq, nv) in [("<joint type='ball'/>", 4, 3), ("<freejoint/>", 7, 6)] {
        let model = load(&format!(
            "<mujoco><worldbody><body>{joint}<geom type='box' size='.1 .2 .3'/></body></worldbody></mujoco>"
        ));
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
        assert!(
            relative_error(&closed.a, &step.a) < 1e-6,
            "{}",
            relative_error(&closed.a, &step.a)
        );
        // a velocity moves its own configuration by one time step, and the others by little
        let h = model.opt.timestep;
        for (i, j) in (0..nv).flat_map(|i| (0..nv).map(move |j| (i, j))) {
            let expected = if i == j { h } else { 0.0 };
            assert!((step.a[i * 2 * nv + nv + j] - expected).abs() < 1e-3, "{i} {j}");
            assert!(i != j || (step.a[i * 2 * nv + nv + i] - h).abs() < 1e-3 * h, "{i}");
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
        assert!(relative_error(&closed.a, &step.a) < 1e-3);
        assert!(relative_error(&columns(&closed.a, 6, 4, 6), &columns(&step.a, 6, 4, 6)) < 1e-6);
        assert!(relative_error(&closed.b, &step.b) < 1e-6, "{kind}");
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
        let model = with_integrator(&model, integrator);
        let data = moving(&model);
        let step = differences(&model, &data);
        let closed = mjd_transition(&model, &data, &DerivativeConfig::default()).unwrap();
        assert!(
            relative_error(&closed.a, &step.a) < 1e-6,
            "{integrator:?} {}",
            relative_error(&closed.a, &step.a)
        );
        assert!(relative_error(&closed.b, &step.b) < 1e-6, "{integrator:?}");
        let distance = step.a.iter().zip(&euler.a).fold(0.0, |x: f64, (a, b)| x.max((a - b).abs()));
        // with joint damping alone, implicitfast has the matrix of Euler
        let same = matches!(integrator, Integrator::Euler | Integrator::ImplicitFast);
        assert_eq!(distance > 1e-4, !same, "{integrator:?} {distance}");
    }
}

/// A box on the floor, with a solver that stops long before it converges.
fn unconverged() -> (Model, Data) {
    let mut model = load(
        "<mujoco><option solver='CG' iterations='2' tolerance='0'/><worldbody><geom type='plane' size='3 3 .1'/>\
         <body pos='0 0 .099'><freejoint/><geom type='box' size='.2 .15 .1'/><body pos='0 0 .2'>\
         <joint name='j' axis='0 1 0' range='-5 5'/><geom type='capsule' size='.02' fromto='0 0 0 0 0 .3'/></body></body>\
         </worldbody><actuator><motor joint='j'/></actuator></mujoco>",
    );
    model.edit(|m| m.opt.timestep = 0.005);
    let mut data = model.make_data();
    data.qvel_mut().copy_from_slice(&[0.3, -0.1, 0.0, 0.1, 0.2, 0.4, 1.0]);
    data.ctrl_mut()[0] = 0.5;
    data.step_n(&model, 20).unwrap();
    (model, data)
}

#[test]
fn every_perturbed_step_starts_from_the_same_state_and_warm_start() {
    let (model, data) = unconverged();
    assert!(data.qacc_warmstart().iter().any(|x| *x != 0.0) && !data.contacts().is_empty());
    let found = differences(&model, &data);
    let (nv, states, eps) = (model.nv, found.states, 1e-6);
    // the definition: two whole steps from copies of one world, to the bit
    for column in 0..states + 1 {
        let end = |by: f64| {
            let mut data = data.clone();
            match column {
                i if i < nv => {
                    let mut direction = vec![0.0; nv];
                    direction[i] = 1.0;
                    integrate_pos(&model, data.qpos_mut(), &direction, by);
                }
                i if i < 2 * nv => data.qvel_mut()[i - nv] += by,
                _ => data.ctrl_mut()[0] += by,
            }
            data.step(&model).unwrap();
            data
        };
        let (plus, minus) = (end(eps), end(-eps));
        let mut expected = vec![0.0; states];
        differentiate_pos(&model, &mut expected[..nv], 2.0 * eps, minus.qpos(), plus.qpos());
        for i in 0..nv {
            expected[nv + i] = (plus.qvel()[i] - minus.qvel()[i]) * (1.0 / (2.0 * eps));
        }
        let measured: Vec<f64> = match column < states {
            true => (0..states).map(|r| found.a[r * states + column]).collect(),
            false => found.b.clone(),
        };
        assert_eq!(measured, expected, "column {column}");
    }
    assert_eq!(differences(&model, &data), found);
}

#[test]
fn a_differentiated_world_is_put_back_as_it_was() {
    let (model, mut data) = unconverged();
    let before = data.clone();
    let found = mjd_transition_fd_with(
        &model,
        &mut data,
        &DerivativeConfig::default(),
        &mut Callbacks::new(),
    )
    .unwrap();
    assert_eq!(data, before);
    assert_eq!(found, differences(&model, &before));
}

#[test]
fn perturbed_steps_need_no_more_iterations_than_twice_the_nominal_ones() {
    let (model, mut data) = ball_on_floor(0.02);
    data.step_n(&model, 50).unwrap();
    let options = DifferenceOptions { eps: 1e-6, centered: true, sensors: false };
    let mut world = data.clone();
    let base = Baseline::new(&model, &mut world, options, None).unwrap();
    let nominal = world.header().solver_niter[0];
    let mut worker = Worker::new(&base, None);
    let mut state = vec![0.0; 2 * model.nv];
    for column in Column::all(&model) {
        worker
            .column(&model, &mut world.view_mut(), column, &mut state, &mut [], &mut None)
            .unwrap();
        let perturbed = world.header().solver_niter[0];
        assert!(perturbed <= 2 * nominal.max(1), "{column:?}: {perturbed} {nominal}");
    }
}
