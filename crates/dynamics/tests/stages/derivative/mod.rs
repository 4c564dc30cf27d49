//! Derivatives of a step: differences, closed forms, and what both are made of.
mod analytic;
mod difference;
mod integration;
mod velocity;

use ferrodyn::derivative::{mjd_transition_fd, mjd_transition_hybrid};
use ferrodyn::dynamics::integrate::integrate_pos;
use ferrodyn::{Data, DerivativeConfig, Integrator, Model, TransitionMatrices, load_model};

/// A chain of links of length 1 and mass 0.1, with more attributes of joints, and elements after the bodies.
pub(crate) fn chain(n: usize, joint: &str, outer: &str) -> Model {
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

pub(crate) fn motors(n: usize) -> String {
    let list: String = (0..n).map(|i| format!("<motor joint='j{i}' gear='2'/>")).collect();
    format!("<actuator>{list}</actuator>")
}

/// A state that is nothing special.
pub(crate) fn moving(model: &Model) -> Data {
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

pub(crate) fn with(model: &Model, integrator: Integrator) -> Model {
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
pub(crate) fn error(a: &[f64], b: &[f64]) -> f64 {
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

fn ball_on_floor(solref: f64) -> (Model, Data) {
    let model = load_model(&format!(
        "<mujoco><worldbody><geom type='plane' size='1 1 .1' solref='{solref} 1'/>\
         <body pos='0 0 .099'><freejoint/><geom size='.1' mass='1' solref='{solref} 1'/></body></worldbody></mujoco>"
    ))
    .unwrap();
    let data = model.make_data();
    (model, data)
}
