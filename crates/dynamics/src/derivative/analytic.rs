//! Columns of the derivative of a step in closed form.
//!
//! A step is `v⁺ = v + h S⁻¹ f`, `q⁺ = q ⊕ h v⁺`, where `f` is the sum of smooth and constraint forces and
//! `S` the matrix of the integrator. As long as the configuration stays, the smooth forces have known
//! derivatives, and those of constraint forces follow from the solution ([`Solution`]).
use alloc::{vec, vec::Vec};

use ferrodyn_math::sparse::solve_ldl;
use ferrodyn_math::{Real, add_scaled};
use ferrodyn_model::{DisableBit, EnableBit, GainType, Integrator, Model, TransmissionType};

use super::bias::subtract_bias_derivative;
use super::difference::{Baseline, Column};
use super::integration::{Part, activation_derivative, move_tangent};
use super::solution::Solution;
use super::velocity::{dense_derivative, exact_derivative, gain_slope, is_saturated};
use crate::force::actuation::{gain, is_disabled, last_activation, next_activation};
use crate::force::fluid::has_fluid;
use crate::force::gain::keeps_control;
use crate::integrate::euler::euler_damps;
use crate::integrate::implicit::solve_lu;
use crate::position::inertia::pattern;
use crate::position::solve_m;
use crate::velocity::com_vel;
use crate::{OwnedWorld, StepError, World};

/// What closed forms leave to differences.
#[derive(Clone, Debug)]
pub struct Remainder {
    /// The columns.
    pub columns: Vec<Column>,
    /// The solution of the constraints, from which solutions nearby are quickly found.
    pub solution: Option<Solution>,
}

/// Compute every column that has a closed form, and hand it to `store` with its `2 nv + na` numbers; returns
/// what is left to differences.
///
/// `data` has the results of `base`, and keeps them. Sensors are not differentiated.
pub fn analytic_columns(
    m: &Model,
    data: &mut OwnedWorld,
    base: &Baseline,
    mut store: impl FnMut(Column, &[Real]),
) -> Result<Remainder, StepError> {
    let d = &mut data.view_mut();
    // the solution has to be one that can be differentiated, or nothing can
    let constraint = if d.head.nefc > 0 { Solution::new(m, d) } else { None };
    if !is_differentiable(m, d) || (d.head.nefc > 0 && constraint.is_none()) {
        return Ok(Remainder { columns: Column::all(m).collect(), solution: None });
    }
    let velocity = has_velocity_derivative(m, d).then(|| VelocityTerms::new(m, d, base));
    let velocity = velocity.transpose()?;
    let owners = activation_owners(m);
    let mut left = Vec::new();
    let mut force = vec![0.0; m.nv];
    let mut column = vec![0.0; 2 * m.nv + m.na];
    for input in Column::all(m) {
        force.fill(0.0);
        column.fill(0.0);
        // change of smooth forces with this input, and of what the input changes directly
        let known = match input {
            // inertia, Jacobians and contacts all follow the configuration: no closed form here
            Column::Position(_) => false,
            Column::Velocity(j) => match &velocity {
                Some(terms) => {
                    terms.column(m, d, constraint.as_ref(), j, &mut force);
                    // v⁺ has v itself
                    column[m.nv + j] = 1.0;
                    true
                }
                None => false,
            },
            Column::Control(i) => control_force(m, d, base, i, &mut force, &mut column),
            Column::Activation(a) => owners[a]
                .is_some_and(|i| activation_force(m, d, base, i, a, &mut force, &mut column)),
        };
        if !known {
            left.push(input);
            continue;
        }
        // constraint forces follow; for velocities they did already, together with aref
        if let (Some(constraint), false) = (&constraint, matches!(input, Column::Velocity(_))) {
            constraint.respond(m, d, &mut force);
        }
        // δv⁺ = δv + h S⁻¹ δf, then δq⁺ by turning and scaling δv⁺
        solve_step(m, d, &mut force);
        let (position, rest) = column.split_at_mut(m.nv);
        add_scaled(&mut rest[..m.nv], &force, m.opt.timestep);
        position.copy_from_slice(&rest[..m.nv]);
        move_tangent(m, base.next_velocity(), m.opt.timestep, position, Part::Velocity);
        store(input, &column);
    }
    Ok(Remainder { columns: left, solution: constraint })
}

/// Are all parts of the step, apart from velocity-dependent ones, of kinds with known derivatives? Limits on the forces
/// of joints and tendons cut forces off, Runge-Kutta has four stages, plugins and sleep are not smooth.
fn is_differentiable(m: &Model, d: &World<'_>) -> bool {
    let at_joint_limit = |j: usize| {
        let force = d.qfrc_actuator[m.joint_dof(j)];
        let [low, high] = m.jnt_actfrcrange[j];
        m.jnt_actfrclimited[j] != 0 && !(low < force && force < high)
    };
    let limited_tendon = |i: usize| {
        m.transmission_kind(i) == Some(TransmissionType::Tendon)
            && m.tendon_actfrclimited[m.actuator_trnid[i][0] as usize] != 0
    };
    // the implicit integrators solve a second time for their nodes
    let solved_twice = is_implicit(m) && m.flex_interp.iter().any(|order| *order != 0);
    // laws of gains beyond MuJoCo's, and those of flexes, whose vertices the implicit integrators solve for as well
    let lawful = (0..m.nu).any(|i| keeps_control(m, i));
    let materials = is_implicit(m) && (m.flex_rest_count() > 0 || m.flex_hinge_count() > 0);
    m.integrator() != Integrator::Rk4
        && !solved_twice
        && !lawful
        && !materials
        && m.nplugin == 0
        && !m.opt.enabled(EnableBit::Sleep)
        && !m.opt.disabled(DisableBit::Actuation)
        && !(0..m.njnt).any(at_joint_limit)
        && !(0..m.nu).any(limited_tendon)
}

/// Does the matrix of the integrator contain the derivative of forces by velocity?
fn is_implicit(m: &Model) -> bool {
    [Integrator::Implicit, Integrator::ImplicitFast].contains(&m.integrator())
}

/// Are the derivatives of all smooth forces by velocity known, and those of the integrator's matrix?
fn has_velocity_derivative(m: &Model, d: &World<'_>) -> bool {
    let muscle = |i: usize| m.gain_kind(i) == Some(GainType::Muscle);
    // the slope takes the control as it was given, the force the one that was cut to its range
    let clamped = |i: usize| {
        let [low, high] = m.actuator_ctrlrange[i];
        last_activation(m, i).is_none()
            && gain_slope(m, d, i) != 0.0
            && m.actuator_ctrllimited[i] != 0
            && !(low <= d.ctrl[i] && d.ctrl[i] <= high)
    };
    // a muscle's slope depends on velocity, and so does the matrix of the integrator: second derivatives would be needed
    let changing_matrix = is_implicit(m) && (0..m.nu).any(muscle);
    // the bias of a tendon's armature has no derivative here
    let tendon_bias = m.tendon_armature.iter().any(|a| *a != 0.0);
    // damping of a flex follows velocity in more ways than along its edges
    let damped_flex = m.flex_damping.iter().chain(&m.flex_bend_damping).any(|b| *b != 0.0);
    !(has_fluid(m) || damped_flex || tendon_bias || changing_matrix || (0..m.nu).any(clamped))
}

/// How forces follow velocity, as dense matrices.
struct VelocityTerms {
    /// Smooth forces.
    smooth: Vec<Real>,
    /// What the integrator adds: the change of its own matrix or right-hand side.
    integrator: Option<Vec<Real>>,
}

impl VelocityTerms {
    fn new(m: &Model, d: &mut World<'_>, base: &Baseline) -> Result<VelocityTerms, StepError> {
        let h = m.opt.timestep;
        let smooth = exact_derivative(m, d)?;
        let integrator = match m.integrator() {
            Integrator::Implicit => {
                // bias forces are quadratic in velocity: how their derivative, times the acceleration
                // of the step, follows velocity is that derivative at the acceleration
                let qvel = d.qvel.to_vec();
                for (v, next) in d.qvel.iter_mut().zip(base.next_velocity()) {
                    *v = (next - *v) / h;
                }
                com_vel(m, d);
                d.qDeriv.fill(0.0);
                subtract_bias_derivative(m, d)?;
                let mut second = dense_derivative(m, d);
                second.iter_mut().for_each(|x| *x *= h);
                // back to the velocity of the step, and what follows from it
                d.qvel.copy_from_slice(&qvel);
                com_vel(m, d);
                Some(second)
            }
            Integrator::ImplicitSpringDamper if !m.opt.disabled(DisableBit::Spring) => {
                // the right-hand side has -h K v
                let mut springs = vec![0.0; m.nv * m.nv];
                for i in 0..m.nv {
                    springs[i * m.nv + i] = -h * m.jnt_stiffness[m.dof_joint(i)];
                }
                Some(springs)
            }
            // their matrices do not depend on velocity
            Integrator::Euler
            | Integrator::Rk4
            | Integrator::ImplicitFast
            | Integrator::ImplicitSpringDamper => None,
        };
        Ok(VelocityTerms { smooth, integrator })
    }

    /// Change of all forces with velocity `j`: `M (M + Jᵀ W J)⁻¹ (∂f₀/∂v + Jᵀ W ∂aref/∂v)`, and the integrator's own part.
    fn column(
        &self,
        m: &Model,
        d: &World<'_>,
        constraint: Option<&Solution>,
        j: usize,
        force: &mut [Real],
    ) {
        // smooth forces, then what the rows ask for, then the response of all rows
        for i in 0..m.nv {
            force[i] = self.smooth[i * m.nv + j];
        }
        if let Some(constraint) = constraint {
            for i in 0..m.nv {
                force[i] += constraint.damping[i * m.nv + j];
            }
            constraint.respond(m, d, force);
        }
        // after the response of the constraints, which know nothing of the integrator
        if let Some(integrator) = &self.integrator {
            for i in 0..m.nv {
                force[i] += integrator[i * m.nv + j];
            }
        }
    }
}

/// `x ← S⁻¹ x` with the matrix of the integrator, which the last step factored.
fn solve_step(m: &Model, d: &World<'_>, x: &mut [Real]) {
    match m.integrator() {
        Integrator::Implicit => solve_lu(m, d.qLU, x, 0..m.nv),
        Integrator::ImplicitFast | Integrator::ImplicitSpringDamper => {
            solve_ldl(x, d.qH, d.qHDiagInv, &pattern(m), &m.dof_simplenum);
        }
        Integrator::Euler | Integrator::Rk4 if euler_damps(m) => {
            solve_ldl(x, d.qH, d.qHDiagInv, &pattern(m), &m.dof_simplenum);
        }
        // undamped Euler: S = M
        Integrator::Euler | Integrator::Rk4 => solve_m(m, d, x),
    }
}

/// The actuator of each activation; `None` for actuators with several.
fn activation_owners(m: &Model) -> Vec<Option<usize>> {
    let mut owners = vec![None; m.na];
    for i in 0..m.nu {
        // several activations of one actuator may depend on each other
        if let (Some(last), 1) = (last_activation(m, i), m.actuator_actnum[i]) {
            owners[last] = Some(i);
        }
    }
    owners
}

/// Add the generalized force of an actuator.
fn add_moment(d: &World<'_>, i: usize, scale: Real, force: &mut [Real]) {
    let start = d.moment_rowadr[i] as usize;
    for k in start..start + d.moment_rownnz[i] as usize {
        force[d.moment_colind[k] as usize] += d.actuator_moment[k] * scale;
    }
}

/// Derivatives of the next activation by activation and control; `None` without a closed form, or where
/// perturbations reach a limit.
fn next_activation_derivative(
    m: &Model,
    d: &World<'_>,
    base: &Baseline,
    i: usize,
    adr: usize,
) -> Option<(Real, Real)> {
    // a disabled actuator keeps its activation: derivative one, and none by the control
    let rate = if is_disabled(m, i) { 0.0 } else { d.act_dot[adr] };
    let next = next_activation(m, d, i, adr, rate);
    let [low, high] = m.actuator_actrange[i];
    // at a limit differences see a corner; twice the perturbation keeps both of its sides clear of it, and the columns alike
    let reach = 2.0 * base.options.eps;
    if m.actuator_actlimited[i] != 0 && !(low + reach < next && next < high - reach) {
        return None;
    }
    let derivative = activation_derivative(m, i)?;
    Some(if is_disabled(m, i) { (1.0, 0.0) } else { derivative })
}

/// Derivative of an actuator's force by its input.
fn input_slope(m: &Model, d: &World<'_>, i: usize) -> Real {
    if is_disabled(m, i) || is_saturated(m, d, i) { 0.0 } else { gain(m, d, i).unwrap_or(1.0) }
}

/// Force and next activation that follow a control; false without a closed form.
fn control_force(
    m: &Model,
    d: &World<'_>,
    base: &Baseline,
    i: usize,
    force: &mut [Real],
    column: &mut [Real],
) -> bool {
    // a control that cannot move either way has a column of zeros
    if base.control_sides(m, i) == (false, false) {
        return true;
    }
    // without activation the control is the input of the force
    let Some(adr) = last_activation(m, i) else {
        add_moment(d, i, input_slope(m, d, i), force);
        return true;
    };
    let Some((_, by_control)) = next_activation_derivative(m, d, base, i, adr) else {
        return false;
    };
    // with one, the force sees the control in this step only where it takes the next activation (actearly)
    column[2 * m.nv + adr] = by_control;
    if m.actuator_actearly[i] != 0 {
        add_moment(d, i, input_slope(m, d, i) * by_control, force);
    }
    true
}

/// Force and next activation that follow an activation; false without a closed form.
fn activation_force(
    m: &Model,
    d: &World<'_>,
    base: &Baseline,
    i: usize,
    adr: usize,
    force: &mut [Real],
    column: &mut [Real],
) -> bool {
    let Some((by_activation, _)) = next_activation_derivative(m, d, base, i, adr) else {
        return false;
    };
    column[2 * m.nv + adr] = by_activation;
    // the force sees this activation, or the one after the step
    let input = if m.actuator_actearly[i] != 0 { by_activation } else { 1.0 };
    add_moment(d, i, input_slope(m, d, i) * input, force);
    true
}
