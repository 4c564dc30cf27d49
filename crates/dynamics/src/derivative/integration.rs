//! Derivatives of the last stage of a step: how activations and configurations advance.
//!
//! `q⁺ = q ⊕ h v` is a sum for slides and hinges: `δq⁺ = δq + h δv`. A ball joint turns: its perturbations live in the
//! tangent spaces of the old and of the new orientation, and `δq⁺ = exp(-h ω) δq + h J_r(h ω) δω` with the right
//! Jacobian of rotations ([`quat_integrate_derivative`]).
use alloc::{vec, vec::Vec};

use ferrodyn_math::{MIN_VAL, Real, Vec3, exp};
use ferrodyn_model::{DynType, JointType, Model};

use super::quaternion::quat_integrate_derivative;

/// Derivatives of `qpos ⊕ h qvel` by `qpos` and by `qvel`, as dense row-major `nv`×`nv` matrices in the
/// tangent spaces.
///
/// `qvel` is the velocity that the configuration moves with: the new one, except with Runge-Kutta. `h` is
/// the time step.
pub fn integration_derivative(m: &Model, qvel: &[Real], h: Real) -> (Vec<Real>, Vec<Real>) {
    let nv = m.nv;
    let (mut by_qpos, mut by_qvel) = (vec![0.0; nv * nv], vec![0.0; nv * nv]);
    // column by column: perturb one degree of freedom and see what comes out
    for i in 0..nv {
        let mut unit = vec![0.0; nv];
        unit[i] = 1.0;
        move_tangent(m, qvel, h, &mut unit, Part::Configuration);
        (0..nv).for_each(|r| by_qpos[r * nv + i] = unit[r]);
        unit.fill(0.0);
        unit[i] = 1.0;
        move_tangent(m, qvel, h, &mut unit, Part::Velocity);
        (0..nv).for_each(|r| by_qvel[r * nv + i] = unit[r]);
    }
    (by_qpos, by_qvel)
}

/// Which input of the integration of a configuration is perturbed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Configuration,
    Velocity,
}

/// Turn a perturbation of one input of `qpos ⊕ h qvel` into that of the result, in place.
pub(super) fn move_tangent(m: &Model, qvel: &[Real], h: Real, x: &mut [Real], part: Part) {
    for j in 0..m.njnt {
        let mut v = m.joint_dof(j);
        // coordinates that add: unchanged by the configuration, times h by velocity
        let straight = match m.joint_kind(j) {
            JointType::Slide | JointType::Hinge => 1,
            JointType::Free => 3,
            JointType::Ball => 0,
        };
        if part == Part::Velocity {
            x[v..v + straight].iter_mut().for_each(|x| *x *= h);
        }
        v += straight;
        // the rotation
        if matches!(m.joint_kind(j), JointType::Free | JointType::Ball) {
            let (by_quat, by_scaled) = quat_integrate_derivative(Vec3::from_slice(&qvel[v..]), h);
            let y = Vec3::from_slice(&x[v..]);
            let moved = match part {
                Part::Configuration => &by_quat * y,
                Part::Velocity => &by_scaled * (y * h),
            };
            x[v..v + 3].copy_from_slice(&moved.0);
        }
    }
}

/// Derivatives of the activation after a step by the activation and by the control, limits aside; `None`
/// where they are not known in closed form (muscles).
pub(super) fn activation_derivative(m: &Model, actuator: usize) -> Option<(Real, Real)> {
    let h = m.opt.timestep;
    // a time constant of zero would follow at once; the bound is that of the activation's own update
    let tau = MIN_VAL.max(m.actuator_dynprm[actuator][0]);
    // the update of each kind: a⁺ = a + h u, a + h (u - a)/τ, and the exact solution of the latter
    match m.dynamics_kind(actuator) {
        Some(DynType::Integrator) => Some((1.0, h)),
        Some(DynType::Filter) => Some((1.0 - h / tau, h / tau)),
        Some(DynType::FilterExact) => Some((exp(-h / tau), 1.0 - exp(-h / tau))),
        Some(DynType::None | DynType::Muscle | DynType::User) | None => None,
    }
}
