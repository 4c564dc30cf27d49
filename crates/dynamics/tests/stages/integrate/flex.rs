//! The implicit step of interpolated flexes.
use ferrodyn::{EnableBit, Integrator, Model};
use ferrodyn_testing::{load, relative_error, with_integrator};

use crate::support::{flexcomp, flexcomps, stirred};

const BLOCK: &str = "count='4 4 4' dim='3' spacing='.1 .1 .1' dof='trilinear'";

fn material(young: &str) -> String {
    format!("<contact selfcollide='none'/><elasticity young='{young}' poisson='.3' damping='.01'/>")
}

/// The acceleration of a step, `(v⁺ - v) / h`.
fn step_acceleration(model: &Model, data: &ferrodyn::Data) -> Vec<f64> {
    let mut next = data.clone();
    next.step(model).unwrap();
    let h = model.opt.timestep;
    next.qvel().iter().zip(data.qvel()).map(|(new, old)| (new - old) / h).collect()
}

/// `(M + (h² + h b) K) a = f - h K v`, where `K` is measured: how the force of the springs follows the nodes.
/// The rotation of the flex, which the integrator does not differentiate, is none at rest.
#[test]
fn nodes_take_an_implicit_step_of_their_stiffness() {
    let model = flexcomp(BLOCK, &material("1e3"));
    let mut data = model.make_data();
    // to the first order nothing turns: all nodes move apart
    for (i, v) in data.qvel_mut().iter_mut().enumerate() {
        let body = model.dof_bodyid[i] as usize;
        *v = 3.0 * model.body_pos[body][i % 3];
    }
    data.forward(&model).unwrap();
    let h = model.opt.timestep;
    let pull = |scale: f64| {
        // the force after a displacement along the velocity: -K times it
        let mut moved = data.clone();
        for i in 0..model.nv {
            moved.qpos_mut()[i] += scale * data.qvel()[i];
        }
        moved.forward(&model).unwrap();
        moved.qfrc_spring().to_vec()
    };
    // the motion is along one eigenvector: K v = k v, and so a = x v with (m + (h² + h b) k) x = -b k - h k
    let back = pull(1e-4);
    let i = data.qvel().iter().position(|v| *v > 0.1).unwrap();
    let mass = model.body_mass[model.dof_bodyid[i] as usize];
    let stiffness = -back[i] / (1e-4 * data.qvel()[i]);
    assert!(stiffness > 1.0);
    let b = model.flex_damping[0];
    let factor = -(b + h) * stiffness / (mass + (h * h + h * b) * stiffness);
    let expected: Vec<f64> = data.qvel().iter().map(|v| factor * v).collect();
    for integrator in [Integrator::Implicit, Integrator::ImplicitFast] {
        let model = with_integrator(&model, integrator);
        let found = step_acceleration(&model, &data);
        assert!(relative_error(&found, &expected) < 1e-9, "{integrator:?}");
    }
    // another integrator knows nothing of it
    let euler = step_acceleration(&model, &data);
    assert!(relative_error(&euler, &expected) > 1e-3);
}

#[test]
fn stiff_blocks_are_stable_with_implicit_integrators_only() {
    let runs = |integrator: Integrator| {
        let model = with_integrator(&flexcomp(BLOCK, &material("1e8")), integrator);
        let mut data = model.make_data();
        data.qpos_mut()[2] = 1e-3;
        (0..200).all(|_| data.step(&model).unwrap().divergence.is_none())
            && data.qvel().iter().all(|v| v.abs() < 10.0)
    };
    assert!(runs(Integrator::Implicit) && runs(Integrator::ImplicitFast));
    assert!(!runs(Integrator::Euler));
}

/// Nodes below a joint: its acceleration is that of the sparse solve, and acts on the nodes.
#[test]
fn other_joints_keep_their_acceleration() {
    let hinge = "<joint axis='0 1 0' damping='.1'/><geom size='.05' pos='.1 0 0'/>";
    let with = |young: &str| {
        let model = flexcomps(&[(hinge, BLOCK, &material(young))]);
        let data = stirred(&model);
        (with_integrator(&model, Integrator::Implicit), data)
    };
    let (model, data) = with("1e3");
    let found = step_acceleration(&model, &data);
    let euler = step_acceleration(&with_integrator(&model, Integrator::Euler), &data);
    assert!((found[0] - euler[0]).abs() < 1e-2 * euler[0].abs(), "{} {}", found[0], euler[0]);
    assert!(relative_error(&found[1..], &euler[1..]) > 1e-3);
}

/// MuJoCo solves for nodes only where nothing sleeps.
#[test]
fn what_sleeps_leaves_nodes_to_the_sparse_solve() {
    let flex = format!("<flexcomp name='f' radius='.01' {BLOCK}>{}</flexcomp>", material("1e3"));
    let model = load(&format!(
        "<mujoco><option gravity='0 0 0' timestep='.001' integrator='implicitfast'><flag contact='disable' sleep='enable'/></option>\
         <worldbody><body name='b'>{flex}</body><body pos='2 0 0' sleep='init'><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
    ));
    let plain = |integrator: Integrator, asleep: bool| {
        let mut model = with_integrator(&model, integrator);
        if !asleep {
            model.edit(|m| m.opt.enableflags &= !(EnableBit::Sleep as i32));
        }
        let mut data = model.make_data();
        data.qpos_mut()[0] = 0.01;
        data.forward(&model).unwrap();
        assert_eq!((data.header().nv_awake as usize) < model.nv, asleep);
        step_acceleration(&model, &data)
    };
    // without dampers of joints and edges, what is left of the matrix is the inertia
    let euler = plain(Integrator::Euler, true);
    assert_eq!(plain(Integrator::ImplicitFast, true), euler);
    assert!(relative_error(&plain(Integrator::ImplicitFast, false), &euler) > 1e-3);
}
