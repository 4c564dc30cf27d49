//! How forces inside flexes follow velocity.
use ferrodyn::dynamics::derivative::{add_passive_derivative, dense_derivative};
use ferrodyn::{Data, DisableBit, Integrator, Model};
use ferrodyn_testing::{differences, hybrid, load, relative_error, with_integrator};

use crate::support::{flexcomp, flexcomps, on_bodies, stirred};

/// `qDeriv` of passive forces.
fn passive_derivative(model: &Model, data: &Data) -> Vec<f64> {
    let mut data = data.clone();
    let d = &mut data.view_mut();
    d.qDeriv.fill(0.0);
    add_passive_derivative(model, d);
    dense_derivative(model, d)
}

/// Dampers along edges are linear in velocity. The matrix has no place for pairs of degrees of freedom of different trees.
#[test]
fn dampers_of_edges_slow_their_ends() {
    let model = on_bodies(1, "0 1 1 2 2 3 3 4 4 1", "<edge damping='2'/>");
    let data = stirred(&model);
    let found = passive_derivative(&model, &data);
    let nv = model.nv;
    let in_pattern = |i: usize, j: usize| {
        let start = model.D_rowadr[i] as usize;
        model.D_colind[start..start + model.D_rownnz[i] as usize].contains(&(j as i32))
    };
    let mut expected = vec![0.0; nv * nv];
    for j in 0..nv {
        let mut moved = data.clone();
        moved.qvel_mut()[j] += 1.0;
        moved.forward(&model).unwrap();
        for i in (0..nv).filter(|&i| in_pattern(i, j)) {
            expected[i * nv + j] = moved.qfrc_damper()[i] - data.qfrc_damper()[i];
        }
    }
    assert!(relative_error(&found, &expected) < 1e-12);
    let mut off = model.clone();
    off.edit(|m| m.opt.disableflags |= DisableBit::Damper as i32);
    assert!(passive_derivative(&off, &data).iter().all(|x| *x == 0.0));
}

/// What has no closed form is left to differences: all columns are those of differences, whatever the flex and the integrator.
#[test]
fn derivatives_of_a_step_with_flexes_are_those_of_differences() {
    let block = "<contact selfcollide='none'/><elasticity young='1e3' poisson='.3' damping='.01'/>";
    let models = [
        on_bodies(1, "0 1 1 2 2 3 3 4 4 1", "<edge stiffness='30' damping='2'/>"),
        flexcomp("count='3 3 1' spacing='.1 .1 .1'", "<edge damping='2'/>"),
        flexcomp("count='2 2 2' dim='3' spacing='.1 .1 .1'", block),
        flexcomps(&[(
            "<joint name='j' axis='0 1 0'/><geom size='.05' pos='.1 0 0'/>",
            "count='4 4 4' dim='3' spacing='.1 .1 .1' dof='trilinear'",
            block,
        )]),
    ];
    for model in &models {
        for integrator in [Integrator::Euler, Integrator::Implicit, Integrator::ImplicitFast] {
            let model = with_integrator(model, integrator);
            let data = stirred(&model);
            let (closed, measured) = (hybrid(&model, &data), differences(&model, &data));
            assert!(relative_error(&closed.a, &measured.a) < 1e-4, "{integrator:?}");
        }
    }
}

/// The implicit integrators solve a second time for nodes, with a matrix that closed forms do not have.
#[test]
fn nodes_follow_velocities_and_controls_as_differences_say() {
    let model = load(
        "<mujoco><option gravity='0 0 0' timestep='.001'><flag contact='disable'/></option><worldbody><body name='b'>\
         <joint name='j' axis='0 1 0'/><geom size='.05' pos='.1 0 0'/>\
         <flexcomp name='f' radius='.01' count='4 4 4' dim='3' spacing='.1 .1 .1' dof='trilinear'>\
         <contact selfcollide='none'/><elasticity young='1e5' poisson='.3'/></flexcomp></body></worldbody>\
         <actuator><motor joint='j'/></actuator></mujoco>",
    );
    for integrator in [Integrator::Euler, Integrator::Implicit, Integrator::ImplicitFast] {
        let model = with_integrator(&model, integrator);
        let data = stirred(&model);
        let (closed, measured) = (hybrid(&model, &data), differences(&model, &data));
        assert!(relative_error(&closed.b, &measured.b) < 1e-6, "{integrator:?}");
        assert!(relative_error(&closed.a, &measured.a) < 1e-4, "{integrator:?}");
    }
}
