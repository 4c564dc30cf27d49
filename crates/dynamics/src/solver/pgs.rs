//! Projected Gauss-Seidel: each constraint in turn, in force space.
//!
//! A sweep visits the rows in order. A scalar row takes the force that minimizes the cost with all others fixed,
//! `f ← f - (b + (A + R) f) / (A + R)ᵢᵢ`, projected onto its interval, which is exact in one dimension. An elliptic
//! contact is a block: first its force is lengthened or shortened along itself, which stays inside the cone, then its
//! friction is found for the new normal force.
//!
//! The cost never rises, and convergence is linear: slow for long chains of contacts and for large ratios of masses. It ends where
//! a sweep improves the scaled cost by less than the tolerance. The order of rows matters for the result of a sweep, and is that of
//! MuJoCo.
use ferrodyn_math::{MIN_VAL, Real, Stack, StackFull, dot};
use ferrodyn_model::{Model, Storage};

use super::dual::{
    DualMemory, block, cost_change, finish, friction_forces, inverse_diagonal, residual, scale,
    update_states,
};
use super::{record, tolerance};
use crate::World;
use crate::constraint::zone::{elliptic_contact, hold_to_loss};
use crate::data::work::SolverStat;

/// Solve all constraints. MuJoCo: `mj_solPGS`.
pub(super) fn solve(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    mut stack: Stack<'_>,
) -> Result<(), StackFull> {
    let memory = DualMemory::take(&mut stack, d.nefc())?;
    inverse_diagonal(m, d, false, memory.inv_diag);
    update_states(d);
    let count = d.nefc();
    let mut iterations = 0;
    while iterations < m.opt.iterations {
        let improvement = sweep(m, d, memory.inv_diag) * scale(m);
        // what the sweep did to the states, for the report
        memory.old_state.copy_from_slice(&d.work.efc_state[..count]);
        let nactive = update_states(d);
        let changed = memory.old_state.iter().zip(&*d.work.efc_state).filter(|(a, b)| a != b);
        let nchange = changed.count() as i32;
        let stat = SolverStat { improvement, nactive, nchange, ..SolverStat::default() };
        record(d.work.solver, 0, iterations as usize, stat);
        iterations += 1;
        if improvement < tolerance(m) {
            break;
        }
    }
    d.head.solver_niter[0] += iterations;
    d.head.solver_nnz[0] = d.head.nA;
    finish(m, d);
    Ok(())
}

/// Update every constraint once; how much the cost fell.
fn sweep(m: &Model<impl Storage>, d: &mut World<'_>, inv_diag: &[Real]) -> Real {
    let (ne, nf) = (d.head.ne as usize, d.head.nf as usize);
    let count = d.nefc();
    let mut improvement = 0.0;
    let mut i = 0;
    while i < count {
        // the rows of an elliptic contact are one block
        if let Some(contact) = elliptic_contact(d.work.efc_type[i], d.work.efc_id[i]) {
            let dim = d.work.contact[contact].dim as usize;
            improvement -= elliptic(m, d, i, dim, inv_diag[i]);
            i += dim;
            continue;
        }
        // one dimension: to the minimum, then into the interval of the row's kind
        let res = residual(m, d, i, 1, false);
        let old = d.work.efc_force[i];
        let mut force = old - res[0] * inv_diag[i];
        // a limit or an edge only pushes
        if i >= ne + nf {
            if force < 0.0 {
                force = 0.0;
            }
        // dry friction holds up to its loss; equality, the rows before, takes any force
        } else if i >= ne {
            force = hold_to_loss(force, d.work.efc_frictionloss[i]);
        }
        let mut force = [force];
        improvement -= cost_change(&[1.0 / inv_diag[i]], &mut force, &[old], &res);
        d.work.efc_force[i] = force[0];
        i += 1;
    }
    improvement
}

/// Update a contact with an elliptic cone: along its force, then friction at that normal force.
fn elliptic(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    i: usize,
    dim: usize,
    inv_diag: Real,
) -> Real {
    let res = residual(m, d, i, dim, false);
    let a = block(m, d, i, dim, false);
    let friction = d.work.contact[d.work.efc_id[i] as usize].friction;
    let mut old = [0.0; 6];
    old[..dim].copy_from_slice(&d.work.efc_force[i..i + dim]);
    let mut force = old;
    // no force yet, so no direction to scale: the normal alone, as a scalar row
    if force[0] < MIN_VAL {
        force[0] -= res[0] * inv_diag;
        if force[0] < 0.0 {
            force[0] = 0.0;
        }
        force[1..].fill(0.0);
    } else {
        // along the ray f + x f: the minimum is at x = -fᵀ g / fᵀ (A + R) f
        let ray = force;
        let mut product = [0.0; 6];
        for j in 0..dim {
            product[j] = dot(&a[j * dim..(j + 1) * dim], &ray[..dim]);
        }
        let denom = dot(&ray[..dim], &product[..dim]);
        if denom >= MIN_VAL {
            let mut x = -dot(&ray[..dim], &res[..dim]) / denom;
            // not beyond the tip of the cone
            if force[0] + x * ray[0] < 0.0 {
                x = -ray[0] / force[0];
            }
            for j in 0..dim {
                force[j] += x * ray[j];
            }
        }
    }
    // friction rows with the normal force fixed
    let n = dim - 1;
    let (mut ac, mut bc) = ([0.0; 25], [0.0; 5]);
    for j in 0..n {
        // linear term: gradient without the block's own part, and with the change of the normal force
        ac[j * n..(j + 1) * n].copy_from_slice(&a[(j + 1) * dim + 1..(j + 2) * dim]);
        bc[j] = res[j + 1] - dot(&ac[j * n..(j + 1) * n], &old[1..dim]);
        bc[j] += a[(j + 1) * dim] * (force[0] - old[0]);
    }
    // what the normal force allows
    let normal = force[0];
    friction_forces(&ac[..n * n], &bc, &friction, normal, &mut force[1..dim]);
    let change = cost_change(&a[..dim * dim], &mut force[..dim], &old[..dim], &res[..dim]);
    d.work.efc_force[i..i + dim].copy_from_slice(&force[..dim]);
    change
}
