//! Inverse dynamics: the forces that an acceleration needs.
//!
//! `qfrc_inverse = M q̈ + bias − passive − constraint`, where the constraint forces are those that
//! belong to the given acceleration: no solver is needed.
use ferrodyn_math::sparse::mul_symmetric;
use ferrodyn_math::{Real, dot_sparse, norm, words_of};
use ferrodyn_model::{DisableBit, EnableBit, Integrator, Model, Stage, Storage};

use crate::constraint::make_constraint;
use crate::constraint::{mul_jac_transposed, mul_jac_vec};
use crate::contact::collision;
use crate::force::acceleration::accumulate_xfrc;
use crate::force::rne;
use crate::force::tendon_bias::tendon_bias;
use crate::forward::{fwd_velocity, velocity_energy};
use crate::hooks::{Hooks, NoHooks};
use crate::integrate::implicit::{full_matrix, reduced_matrix};
use crate::position::inertia::pattern;
use crate::position::{
    camlight, com_pos, factor_m, flex, kinematics, make_m, mul_m, solve_m, tendon, transmission,
};
use crate::sensor::{energy_pos, sensor_acc, sensor_pos, sensor_vel};
use crate::solver::row_cost;
use crate::{StepError, World};

/// Everything that depends on the configuration and that inverse dynamics needs: as forwards, less what solvers need (no islands,
/// no projection), and trees are not woken by what touches or pulls them. MuJoCo: `mj_invPosition`.
pub fn inv_position<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    hooks: &mut impl Hooks<S>,
) -> Result<(), StepError> {
    d.head.flg_energypos = 0;
    kinematics(m, d);
    com_pos(m, d);
    camlight(m, d);
    flex(m, d);
    tendon(m, d);
    make_m(m, d);
    factor_m(m, d);
    collision(m, d, hooks)?;
    make_constraint(m, d)?;
    transmission(m, d);
    Ok(())
}

/// Everything that depends on configuration and velocity: the same as forwards. MuJoCo: `mj_invVelocity`.
pub fn inv_velocity<S: Storage>(m: &Model<S>, d: &mut World<'_>, hooks: &mut impl Hooks<S>) {
    fwd_velocity(m, d, hooks);
}

/// Constraint forces for the acceleration `qacc`. MuJoCo: `mj_invConstraint`.
pub fn inv_constraint(m: &Model<impl Storage>, d: &mut World<'_>) -> Result<(), StepError> {
    constraint_forces(m, d, false)
}

/// Constraint forces for the acceleration `qacc`; with `keep`, the forces of the rows stay as they were.
fn constraint_forces(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    keep: bool,
) -> Result<(), StepError> {
    let rows = d.nefc();
    if rows == 0 {
        d.qfrc_constraint.fill(0.0);
        return Ok(());
    }
    d.with_stack(2 * words_of::<Real>(rows), |d, mut stack| {
        let jar = stack.take(rows)?;
        let forces = stack.take(rows)?;
        forces.copy_from_slice(&d.work.efc_force[..rows]);
        mul_jac_vec(m, &d.work, jar, d.qacc);
        for (x, aref) in jar.iter_mut().zip(&*d.work.efc_aref) {
            *x -= aref;
        }
        constraint_update(m, d, jar, false);
        if keep {
            d.work.efc_force[..rows].copy_from_slice(forces);
        }
        Ok(())
    })?
}

/// Forces and states of all rows for `jar = J q̈ − aref`, and `qfrc_constraint`; returns their cost.
///
/// With `cone_hessian`, contacts that slide on an elliptic cone get the Hessian of their cost.
/// `jar` has one element for each row. MuJoCo: `mj_constraintUpdate`.
pub fn constraint_update(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    jar: &[Real],
    cone_hessian: bool,
) -> Real {
    let cost = row_cost(d, jar, cone_hessian);
    mul_jac_transposed(m, &d.work, d.qfrc_constraint, &d.work.efc_force[..jar.len()]);
    cost
}

/// Inverse dynamics where the results of the stage `done` and those before it are still right; with `keep`, the forces of
/// constraint rows stay as they were. MuJoCo: `mj_inverseSkip`.
pub(crate) fn inverse_stage<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    done: Stage,
    sensors: bool,
    keep: bool,
    hooks: &mut impl Hooks<S>,
) -> Result<(), StepError> {
    if done < Stage::Pos {
        inv_position(m, d, hooks)?;
        if sensors {
            sensor_pos(m, d, hooks)?;
        }
        if m.opt.enabled(EnableBit::Energy) && d.head.flg_energypos == 0 {
            energy_pos(m, d);
        }
    }
    if done < Stage::Vel {
        inv_velocity(m, d, hooks);
        if sensors {
            sensor_vel(m, d, hooks)?;
        }
        velocity_energy(m, d);
    }

    let discrete = m.opt.enabled(EnableBit::InvDiscrete);
    if discrete {
        d.scratch.kept[..m.nv].copy_from_slice(d.qacc);
        continuous_acceleration(m, d, hooks)?;
    }
    constraint_forces(m, d, keep)?;
    let result = core::mem::take(&mut d.qfrc_inverse);
    rne(m, d, false, result);
    tendon_bias(m, d, result);
    d.qfrc_inverse = result;
    if sensors {
        d.head.flg_rnepost = 0;
        sensor_acc(m, d, hooks)?;
    }
    let product = core::mem::take(&mut d.scratch.dof_b);
    mul_m(m, d, product, d.qacc);
    for i in 0..m.nv {
        d.qfrc_inverse[i] += product[i] - d.qfrc_passive[i] - d.qfrc_constraint[i];
    }
    d.scratch.dof_b = product;
    if discrete {
        d.qacc.copy_from_slice(&d.scratch.kept[..m.nv]);
    }
    Ok(())
}

/// Turn the acceleration of a time step, `(v⁺ − v) / h`, into the one that the forces give. MuJoCo: `mj_discreteAcc`.
fn continuous_acceleration<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    hooks: &mut impl Hooks<S>,
) -> Result<(), StepError> {
    let force = core::mem::take(&mut d.scratch.dof_b);
    let outcome = discrete_force(m, d, force, hooks);
    if outcome == Ok(true) {
        solve_m(m, d, force);
        d.qacc.copy_from_slice(force);
    }
    d.scratch.dof_b = force;
    outcome.map(|_| ())
}

/// The force that the acceleration of a time step belongs to; false where both accelerations are the same.
fn discrete_force<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    force: &mut [Real],
    hooks: &mut impl Hooks<S>,
) -> Result<bool, StepError> {
    let h = m.opt.timestep;
    match m.integrator() {
        Integrator::Implicit => {
            full_matrix(m, d, hooks)?;
            for i in 0..m.nv {
                let start = m.D_rowadr[i] as usize;
                let row = start..start + m.D_rownnz[i] as usize;
                force[i] = dot_sparse(&d.qLU[row.clone()], &m.D_colind[row], d.qacc);
            }
        }
        Integrator::ImplicitFast => {
            reduced_matrix(m, d, hooks)?;
            mul_symmetric(force, d.qH, d.qacc, &pattern(m));
        }
        Integrator::ImplicitSpringDamper => {
            let springs = !m.opt.disabled(DisableBit::Spring);
            let dampers = !m.opt.disabled(DisableBit::Damper);
            mul_m(m, d, force, d.qacc);
            for i in 0..m.nv {
                let k = if springs { m.jnt_stiffness[m.dof_joint(i)] } else { 0.0 };
                let b = if dampers { m.dof_damping[i] } else { 0.0 };
                force[i] += h * (b + h * k) * d.qacc[i] + h * k * d.qvel[i];
            }
        }
        Integrator::Rk4 => return Err(StepError::DiscreteInverse),
        Integrator::Euler => {
            // other than the integrator, `mj_discreteAcc` does not ask whether dampers are switched off
            let damped =
                !m.opt.disabled(DisableBit::EulerDamp) && m.dof_damping.iter().any(|&b| b > 0.0);
            if !damped {
                return Ok(false);
            }
            mul_m(m, d, force, d.qacc);
            for i in 0..m.nv {
                force[i] += h * m.dof_damping[i] * d.qacc[i];
            }
        }
    }
    Ok(true)
}

/// Compare forward and inverse dynamics: `solver_fwdinv` gets the norms of the differences of
/// constraint forces and of applied forces. The results of forward dynamics stay. MuJoCo: `mj_compareFwdInv`.
pub fn compare_fwd_inv(m: &Model<impl Storage>, d: &mut World<'_>) -> Result<(), StepError> {
    d.head.solver_fwdinv = [0.0; 2];
    if d.head.nefc == 0 {
        return Ok(());
    }
    // applied and actuator forces: what inverse dynamics should find
    let force = &mut d.scratch.kept[m.nv..2 * m.nv];
    for i in 0..m.nv {
        force[i] = d.qfrc_applied[i] + d.qfrc_actuator[i];
    }
    accumulate_xfrc(m, d.cdof, d.subtree_com, d.xipos, d.xfrc_applied, force);
    d.scratch.kept[2 * m.nv..].copy_from_slice(d.qfrc_constraint);

    let result = inverse_stage(m, d, Stage::Vel, false, true, &mut NoHooks);
    let (force, qfrc_constraint) = d.scratch.kept[m.nv..].split_at_mut(m.nv);
    if result.is_ok() {
        for (f, forward) in d.qfrc_constraint.iter_mut().zip(&*qfrc_constraint) {
            *f = forward - *f;
        }
        for (f, inverse) in force.iter_mut().zip(&*d.qfrc_inverse) {
            *f -= inverse;
        }
        d.head.solver_fwdinv = [norm(d.qfrc_constraint), norm(force)];
    }
    d.qfrc_constraint.copy_from_slice(qfrc_constraint);
    result
}
