//! Friction without slip: friction forces alone, without regularization, after any solver.
//!
//! `R` makes contacts soft: under a steady load a contact that should stick creeps. Here the normal forces are kept, and friction
//! forces are found again for `½ fᵀ A f + fᵀ b`, without `R`, by Gauss-Seidel sweeps over friction losses and contacts. The result no
//! longer minimizes the common cost; inverse dynamics and derivatives do not know it. Without `R` the matrix can be
//! singular where rows are redundant: diagonals are then raised to a small positive number, and one of many solutions is found.
use ferrodyn_math::{MIN_VAL, Real, Stack, StackFull, dot};
use ferrodyn_model::{ConstraintType, Model, Storage};

use super::dual::{
    DualMemory, block, cost_change, finish, friction_forces, inverse_diagonal, residual, scale,
    update_states,
};
use super::record;
use crate::World;
use crate::constraint::kind::Constraint;
use crate::constraint::zone::hold_to_loss;
use crate::data::work::SolverStat;

/// Change friction forces so that nothing slips that need not. MuJoCo: `mj_solNoSlip`.
pub(super) fn solve(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    mut stack: Stack<'_>,
) -> Result<(), StackFull> {
    let memory = DualMemory::take(&mut stack, d.nefc())?;
    // one over Aᵢᵢ, without R
    inverse_diagonal(m, d, true, memory.inv_diag);
    update_states(d);
    let count = d.nefc();
    // iterations are counted after those of the solver before
    let before = d.head.solver_niter[0];
    let mut iterations = 0;
    while iterations < m.opt.noslip_iterations {
        let mut improvement = 0.0;
        // leaving R out takes its share ½ R f² from the cost, once
        if iterations == 0 {
            for (force, r) in d.work.efc_force[..count].iter().zip(&*d.work.efc_R) {
                improvement += 0.5 * force * force * r;
            }
        }
        improvement += sweep(m, d, memory.inv_diag);
        improvement *= scale(m);
        // what the sweep did to the states, for the report
        memory.old_state.copy_from_slice(&d.work.efc_state[..count]);
        let nactive = update_states(d);
        let changed = memory.old_state.iter().zip(&*d.work.efc_state).filter(|(a, b)| a != b);
        let nchange = changed.count() as i32;
        let stat = SolverStat { improvement, nactive, nchange, ..SolverStat::default() };
        record(d.work.solver, 0, (before + iterations) as usize, stat);
        iterations += 1;
        if improvement < m.opt.noslip_tolerance {
            break;
        }
    }
    d.head.solver_niter[0] += iterations;
    // the acceleration has to follow the new forces
    finish(m, d);
    Ok(())
}

/// Update all friction forces once; how much the cost fell.
fn sweep(m: &Model<impl Storage>, d: &mut World<'_>, inv_diag: &[Real]) -> Real {
    let (ne, nf) = (d.head.ne as usize, d.head.nf as usize);
    let mut improvement = 0.0;
    // friction loss: one step of Newton's method, cut to the interval
    for i in ne..ne + nf {
        let res = residual(m, d, i, 1, true)[0];
        let (old, loss) = (d.work.efc_force[i], d.work.efc_frictionloss[i]);
        let force = hold_to_loss(old - res * inv_diag[i], loss);
        d.work.efc_force[i] = force;
        let delta = force - old;
        improvement -= 0.5 * delta * delta / inv_diag[i] + delta * res;
    }
    // contacts: rows of the normal and of limits are passed by
    let count = d.nefc();
    let mut i = ne + nf;
    while i < count {
        let constraint = Constraint::of_row(&d.work, i);
        let size = constraint.size(m, d.work.contact);
        match constraint.kind {
            // each direction of friction is a pair of opposite edges
            ConstraintType::ContactPyramidal => {
                for edge in (i..i + size).step_by(2) {
                    improvement -= opposing_edges(m, d, edge);
                }
            }
            ConstraintType::ContactElliptic => improvement -= elliptic(m, d, i, size - 1),
            // nothing else that only pushes has friction; equality and dry friction came before
            ConstraintType::LimitJoint
            | ConstraintType::LimitTendon
            | ConstraintType::ContactFrictionless
            | ConstraintType::Equality
            | ConstraintType::FrictionDof
            | ConstraintType::FrictionTendon => {}
        }
        i += size;
    }
    improvement
}

/// Two opposite edges of a pyramid: their sum, the normal force, stays. With `f = (mid + y, mid - y)` the cost is `½ k₁ y² + k₀ y`.
fn opposing_edges(m: &Model<impl Storage>, d: &mut World<'_>, j: usize) -> Real {
    let res = residual(m, d, j, 2, true);
    let a = block(m, d, j, 2, true);
    let old = [d.work.efc_force[j], d.work.efc_force[j + 1]];
    // the linear term: the gradient without what these two forces do to each other
    let b: [Real; 2] = core::array::from_fn(|k| res[k] - dot(&a[2 * k..2 * k + 2], &old));
    // the mean of both stays: half of the normal force of the pair
    let mid = 0.5 * (old[0] + old[1]);
    let k1 = a[0] + a[3] - a[1] - a[2];
    let k0 = mid * (a[0] - a[3]) + b[0] - b[1];
    // the edges accelerate each other as themselves: the cost does not depend on y, and the middle is as good as any
    let mut force = if k1 < MIN_VAL {
        [mid, mid]
    } else {
        // neither edge may pull
        let y = -k0 / k1;
        if y < -mid {
            [0.0, 2.0 * mid]
        } else if y > mid {
            [2.0 * mid, 0.0]
        } else {
            [mid + y, mid - y]
        }
    };
    let change = cost_change(&a[..4], &mut force, &old, &res[..2]);
    d.work.efc_force[j..j + 2].copy_from_slice(&force);
    change
}

/// The friction rows of an elliptic contact: a quadratic cost inside an ellipsoid whose size the normal force decides.
fn elliptic(m: &Model<impl Storage>, d: &mut World<'_>, i: usize, n: usize) -> Real {
    let res = residual(m, d, i + 1, n, true);
    let a = block(m, d, i + 1, n, true);
    let friction = d.work.contact[d.work.efc_id[i] as usize].friction;
    let mut old = [0.0; 5];
    old[..n].copy_from_slice(&d.work.efc_force[i + 1..i + 1 + n]);
    // the linear term, free of what these rows do to each other
    let mut b = [0.0; 5];
    for j in 0..n {
        b[j] = res[j] - dot(&a[j * n..(j + 1) * n], &old[..n]);
    }
    let mut force = old;
    // the normal force is the radius, and is left as it is
    friction_forces(&a[..n * n], &b, &friction, d.work.efc_force[i], &mut force[..n]);
    let change = cost_change(&a[..n * n], &mut force[..n], &old[..n], &res[..n]);
    d.work.efc_force[i + 1..i + 1 + n].copy_from_slice(&force[..n]);
    change
}
