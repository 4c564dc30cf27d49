//! The derivative of inverse dynamics, by finite differences.
//!
//! Inverse dynamics gives the force that an acceleration needs. Constraint forces follow from `J q̈ - aref` row by row,
//! so that no error of a solver enters the differences. `∂f/∂q̈` is the inertia where no constraint acts. Acceleration,
//! velocity and position are perturbed in this order: each leaves more stages stale than the one before.
use alloc::{vec, vec::Vec};

use ferrodyn_math::Real;
use ferrodyn_model::{Integrator, Model, Stage};

use crate::force::fwd_actuation;
use crate::hooks::Hooks;
use crate::integrate::integrate_pos;
use crate::inverse::inverse_stage;
use crate::step::check_supported;
use crate::{OwnedWorld, StepError, World};

/// Which derivatives of inverse dynamics are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InverseOutputs {
    /// Those by the configuration.
    pub position: bool,
    /// Those by velocity.
    pub velocity: bool,
    /// Those by acceleration.
    pub acceleration: bool,
    /// Differentiate sensors too.
    pub sensors: bool,
    /// Take the forces of actuators away from those that are differentiated.
    pub actuation: bool,
}

/// Derivatives of inverse dynamics. Rows are inputs: element `(i, j)` is how output `j` follows input `i`, which is the layout of
/// `mjd_inverseFD`. What was not asked for is empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InverseMatrices {
    /// Forces by configuration, `nv`×`nv`.
    pub force_position: Vec<Real>,
    /// Forces by velocity, `nv`×`nv`.
    pub force_velocity: Vec<Real>,
    /// Forces by acceleration, `nv`×`nv`.
    pub force_acceleration: Vec<Real>,
    /// Sensors by configuration, `nv`×`nsensordata`.
    pub sensor_position: Vec<Real>,
    /// Sensors by velocity, `nv`×`nsensordata`.
    pub sensor_velocity: Vec<Real>,
    /// Sensors by acceleration, `nv`×`nsensordata`.
    pub sensor_acceleration: Vec<Real>,
    /// The inertia matrix by configuration, `nv`×`nM`.
    pub inertia_position: Vec<Real>,
}

/// What inverse dynamics gives at one point.
struct Outputs {
    force: Vec<Real>,
    sensors: Vec<Real>,
    inertia: Vec<Real>,
}

fn evaluate(
    m: &Model,
    d: &mut World<'_>,
    done: Stage,
    wanted: &InverseOutputs,
    hooks: &mut impl Hooks,
) -> Result<Outputs, StepError> {
    inverse_stage(m, d, done, wanted.sensors, false, hooks)?;
    let mut force = d.qfrc_inverse.to_vec();
    // what the actuators give need not come from outside
    if wanted.actuation {
        fwd_actuation(m, d, hooks);
        force.iter_mut().zip(&*d.qfrc_actuator).for_each(|(f, a)| *f -= a);
    }
    let sensors = if wanted.sensors { d.sensordata.to_vec() } else { Vec::new() };
    Ok(Outputs { force, sensors, inertia: d.qM.to_vec() })
}

/// Append `(b − a) / h`.
fn append(to: &mut Vec<Real>, a: &[Real], b: &[Real], h: Real) {
    let inverse = 1.0 / h;
    to.extend(a.iter().zip(b).map(|(a, b)| inverse * (b - a)));
}

/// Differentiate `qfrc_inverse`, and sensors and inertia where asked for, by forward differences with
/// perturbation `eps` (`mjd_inverseFD`), with hooks if there are any. The input in `data` is put back; results of
/// stages are left from the last evaluation.
pub fn inverse_derivatives(
    m: &Model,
    data: &mut OwnedWorld,
    eps: Real,
    wanted: &InverseOutputs,
    mut hooks: Option<&mut dyn Hooks>,
) -> Result<InverseMatrices, StepError> {
    check_supported(m, data.sizes())?;
    // inverse dynamics knows neither the stages of Runge-Kutta nor friction without regularization
    if m.integrator() == Integrator::Rk4 {
        return Err(StepError::Unsupported("the derivative of inverse dynamics with RK4"));
    }
    if m.opt.noslip_iterations > 0 {
        return Err(StepError::Unsupported("the derivative of inverse dynamics with noslip"));
    }
    let qpos = data.qpos().to_vec();
    let (d, hooks) = (&mut data.view_mut(), &mut hooks);
    let mut out = InverseMatrices::default();
    let base = evaluate(m, d, Stage::None, wanted, hooks)?;
    // configuration and velocity stages stay
    if wanted.acceleration {
        for i in 0..m.nv {
            let x = d.qacc[i];
            d.qacc[i] += eps;
            let moved = evaluate(m, d, Stage::Vel, wanted, hooks)?;
            d.qacc[i] = x;
            append(&mut out.force_acceleration, &base.force, &moved.force, eps);
            append(&mut out.sensor_acceleration, &base.sensors, &moved.sensors, eps);
        }
    }
    // the configuration's stages stay
    if wanted.velocity {
        for i in 0..m.nv {
            let x = d.qvel[i];
            d.qvel[i] += eps;
            let moved = evaluate(m, d, Stage::Pos, wanted, hooks)?;
            d.qvel[i] = x;
            append(&mut out.force_velocity, &base.force, &moved.force, eps);
            append(&mut out.sensor_velocity, &base.sensors, &moved.sensors, eps);
        }
    }
    // along the tangent of the configuration; nothing stays
    if wanted.position {
        let mut direction = vec![0.0; m.nv];
        for i in 0..m.nv {
            direction[i] = 1.0;
            integrate_pos(m, d.qpos, &direction, eps);
            direction[i] = 0.0;
            let moved = evaluate(m, d, Stage::None, wanted, hooks)?;
            d.qpos.copy_from_slice(&qpos);
            append(&mut out.force_position, &base.force, &moved.force, eps);
            append(&mut out.sensor_position, &base.sensors, &moved.sensors, eps);
            append(&mut out.inertia_position, &base.inertia, &moved.inertia, eps);
        }
    }
    Ok(out)
}
