//! Models for derivatives and inverse dynamics, and states that are nothing special.
use ferrodyn::derivative::{mjd_transition_fd, mjd_transition_hybrid};
use ferrodyn::dynamics::integrate::integrate_pos;
use ferrodyn::math::Real;
use ferrodyn::{Data, DerivativeConfig, Model, TransitionMatrices};

use crate::load;

/// A chain of links of length 1 and mass 0.1, with more attributes of joints, and elements after the bodies.
pub fn chain(n: usize, joint: &str, outer: &str) -> Model {
    let mut bodies = String::new();
    for i in 0..n {
        let z = if i == 0 { 0 } else { -1 };
        bodies += &format!(
            "<body pos='0 0 {z}'><joint name='j{i}' axis='0 1 0' {joint}/>\
             <geom type='capsule' fromto='0 0 0 0 0 -1' size='.02' mass='.1' contype='0'/>"
        );
    }
    load(&format!("<mujoco><worldbody>{bodies}{}</worldbody>{outer}</mujoco>", "</body>".repeat(n)))
}

/// A motor with gear 2 for each joint of a chain.
pub fn motors(n: usize) -> String {
    let list: String = (0..n).map(|i| format!("<motor joint='j{i}' gear='2'/>")).collect();
    format!("<actuator>{list}</actuator>")
}

/// A state that is nothing special.
pub fn moving(model: &Model) -> Data {
    let mut data = model.make_data();
    let direction: Vec<Real> = (0..model.nv).map(|i| 0.3 + 0.2 * i as Real).collect();
    integrate_pos(model, data.qpos_mut(), &direction, 1.0);
    for (i, v) in data.qvel_mut().iter_mut().enumerate() {
        *v = 1.0 - 0.3 * i as Real;
    }
    for (i, u) in data.ctrl_mut().iter_mut().enumerate() {
        *u = 0.2 + 0.1 * i as Real;
    }
    data
}

/// A ball of 1 kg that touches the floor, with a time constant of the contact.
pub fn ball_on_floor(solref: f64) -> (Model, Data) {
    let model = load(&format!(
        "<mujoco><worldbody><geom type='plane' size='1 1 .1' solref='{solref} 1'/>\
         <body pos='0 0 .099'><freejoint/><geom size='.1' mass='1' solref='{solref} 1'/></body></worldbody></mujoco>"
    ));
    let data = model.make_data();
    (model, data)
}

/// Derivatives of a step by differences.
#[track_caller]
pub fn differences(model: &Model, data: &Data) -> TransitionMatrices {
    mjd_transition_fd(model, data, &DerivativeConfig::default()).unwrap()
}

/// Derivatives of a step in closed form, where there is one.
#[track_caller]
pub fn hybrid(model: &Model, data: &Data) -> TransitionMatrices {
    mjd_transition_hybrid(model, data, &DerivativeConfig::default()).unwrap()
}
