//! What the solvers in force space share.
//!
//! The dual problem is `minimize ½ fᵀ (A + R) f + fᵀ b` with each `f` in its set: any number (equality), an interval (friction loss),
//! not negative (limits, edges of pyramids), or a cone (elliptic contacts). `A = J M⁻¹ Jᵀ` is how forces of rows accelerate rows, and the
//! gradient `b + (A + R) f` is `J q̈ - aref + R f`: what a row still misses of its wish. Blocks of rows are updated one by one, each
//! with all others held fixed, so that only the diagonal block of `A + R` and the gradient of the block are needed.
//!
//! The acceleration follows at the end, `q̈ = q̈₀ + M⁻¹ Jᵀ f`.
use ferrodyn_math::sparse::solve_ldl;
use ferrodyn_math::{MIN_VAL, Real, dot, dot_sparse, norm, sqrt};
use ferrodyn_model::{ConstraintState, Model, Storage};

use super::qcqp::qcqp;
use crate::World;
use crate::constraint::mul_jac_transposed;
use crate::constraint::zone::{
    cone_zone_of_force, elliptic_contact, friction_zone_of_force, push_zone_of_force,
};
use crate::data::memory::frame;
use crate::position::inertia::pattern;

frame! {
    /// Memory of the solvers in force space.
    pub(super) struct DualMemory(nefc) {
        inv_diag: slice Real = nefc,
        old_state: slice i32 = nefc,
    }
}

/// A row of `A + R` times the forces.
fn ar_dot(m: &Model<impl Storage>, d: &World<'_>, row: usize) -> Real {
    let w = &d.work;
    let force = &w.efc_force[..d.nefc()];
    if m.is_sparse() {
        let start = w.efc_AR_rowadr[row] as usize;
        let range = start..start + w.efc_AR_rownnz[row] as usize;
        dot_sparse(&w.efc_AR[range.clone()], &w.efc_AR_colind[range], force)
    } else {
        let n = force.len();
        dot(&w.efc_AR[row * n..(row + 1) * n], force)
    }
}

/// `res = (A + R) force`.
pub(super) fn mul_ar(m: &Model<impl Storage>, d: &World<'_>, res: &mut [Real]) {
    for (row, res) in res.iter_mut().enumerate() {
        *res = ar_dot(m, d, row);
    }
}

/// Where an entry of `A + R` is; the block around the diagonal of one constraint is full.
fn ar_at(m: &Model<impl Storage>, d: &World<'_>, row: usize, column: usize) -> usize {
    if m.is_sparse() {
        let start = d.work.efc_AR_rowadr[row] as usize;
        let columns = &d.work.efc_AR_colind[start..start + d.work.efc_AR_rownnz[row] as usize];
        start + columns.binary_search(&(column as i32)).unwrap_or(0)
    } else {
        row * d.nefc() + column
    }
}

/// One over the diagonal of `A + R`, or of `A`. MuJoCo: `ARdiaginv`.
pub(super) fn inverse_diagonal(
    m: &Model<impl Storage>,
    d: &World<'_>,
    without_r: bool,
    out: &mut [Real],
) {
    for (i, out) in out.iter_mut().enumerate() {
        let diag = d.work.efc_AR[ar_at(m, d, i, i)];
        *out = 1.0 / if without_r { MIN_VAL.max(diag - d.work.efc_R[i]) } else { diag };
    }
}

/// The block of `A + R`, or of `A`, of `n` rows. MuJoCo: `extractBlock`.
pub(super) fn block(
    m: &Model<impl Storage>,
    d: &World<'_>,
    row: usize,
    n: usize,
    without_r: bool,
) -> [Real; 36] {
    let mut out = [0.0; 36];
    for j in 0..n {
        let start = ar_at(m, d, row + j, row);
        // columns of one constraint are neighbours, also in a sparse row
        out[j * n..(j + 1) * n].copy_from_slice(&d.work.efc_AR[start..start + n]);
        // A alone may be singular (redundant rows); 1e-10 is the bound below which `qcqp` takes a block for not positive
        if without_r {
            let diag = &mut out[j * (n + 1)];
            *diag = (1e-10 as Real).max(*diag - d.work.efc_R[row + j]);
        }
    }
    out
}

/// `b + (A + R) force` of some rows, or without `R`.
pub(super) fn residual(
    m: &Model<impl Storage>,
    d: &World<'_>,
    row: usize,
    n: usize,
    without_r: bool,
) -> [Real; 6] {
    let mut out = [0.0; 6];
    for (j, out) in out[..n].iter_mut().enumerate() {
        let i = row + j;
        // g = b + (A + R) f, less R f where friction is to be rigid
        *out = d.work.efc_b[i] + ar_dot(m, d, i);
        if without_r {
            *out -= d.work.efc_R[i] * d.work.efc_force[i];
        }
    }
    out
}

/// Change of the cost by new forces of some rows, `½ δᵀ A δ + δᵀ g`; a change for the worse is taken back. MuJoCo: `costChange`.
pub(super) fn cost_change(a: &[Real], force: &mut [Real], old: &[Real], res: &[Real]) -> Real {
    let n = force.len();
    let mut delta = [0.0; 6];
    for i in 0..n {
        delta[i] = force[i] - old[i];
    }
    let delta = &delta[..n];
    let change = if n == 1 {
        0.5 * delta[0] * delta[0] * a[0] + delta[0] * res[0]
    } else {
        let mut square = 0.0;
        for i in 0..n {
            square += delta[i] * dot(&a[i * n..(i + 1) * n], delta);
        }
        0.5 * square + dot(delta, &res[..n])
    };
    // an exact update never costs; rounding may by less than 1e-10, anything larger is a failure of an almost singular block
    if change > 1e-10 {
        force.copy_from_slice(&old[..n]);
        0.0
    } else {
        change
    }
}

/// Friction forces of an elliptic contact with a given normal force.
///
/// `a` and `b` are the block and the linear term of the friction rows.
pub(super) fn friction_forces(
    a: &[Real],
    b: &[Real],
    friction: &[Real; 5],
    normal: Real,
    out: &mut [Real],
) {
    let n = out.len();
    // nothing presses, nothing rubs
    if normal < MIN_VAL {
        out.fill(0.0);
        return;
    }
    // inside the cone it sticks, on it it slides
    let (mut x, on_cone) = qcqp(a, &b[..n], friction, normal);
    if on_cone {
        // exactly onto the ellipsoid
        let mut s = 0.0;
        for j in 0..n {
            s += x[j] * x[j] / (friction[j] * friction[j]);
        }
        let s = sqrt(normal * normal / MIN_VAL.max(s));
        for x in &mut x[..n] {
            *x *= s;
        }
    }
    out.copy_from_slice(&x[..n]);
}

/// Set the states of all rows from their forces; the number of active rows. No search depends on them. MuJoCo: `dualState`.
pub(super) fn update_states(d: &mut World<'_>) -> i32 {
    let (ne, nf) = (d.head.ne as usize, d.head.nf as usize);
    let count = d.nefc();
    let w = &mut d.work;
    let mut active = (ne + nf) as i32;
    // equality always acts
    w.efc_state[..ne].fill(ConstraintState::Quadratic as i32);
    // friction loss: at either end of its interval the row slips
    for i in ne..ne + nf {
        let (force, loss) = (w.efc_force[i], w.efc_frictionloss[i]);
        w.efc_state[i] = friction_zone_of_force(force, loss) as i32;
    }
    let mut i = ne + nf;
    while i < count {
        // limits and edges act where they push
        let Some(contact) = elliptic_contact(w.efc_type[i], w.efc_id[i]) else {
            let zone = push_zone_of_force(w.efc_force[i]);
            active += i32::from(zone != ConstraintState::Satisfied);
            w.efc_state[i] = zone as i32;
            i += 1;
            continue;
        };
        // elliptic: zones of the force, in coordinates in which its cone is round
        let contact = &w.contact[contact];
        let (dim, mu) = (contact.dim as usize, contact.mu);
        let normal = w.efc_force[i] / mu;
        let mut sliding = [0.0; 5];
        for j in 1..dim {
            sliding[j - 1] = w.efc_force[i + j] / contact.friction[j - 1];
        }
        let tangent = norm(&sliding[..dim - 1]);
        let state = cone_zone_of_force(mu, normal, tangent);
        if state != ConstraintState::Satisfied {
            active += dim as i32;
        }
        w.efc_state[i..i + dim].fill(state as i32);
        i += dim;
    }
    active
}

/// `qfrc_constraint = Jᵀ f` and `q̈ = q̈₀ + M⁻¹ Jᵀ f`. MuJoCo: `dualFinish`.
pub(super) fn finish(m: &Model<impl Storage>, d: &mut World<'_>) {
    let count = d.nefc();
    mul_jac_transposed(m, &d.work, d.qfrc_constraint, &d.work.efc_force[..count]);
    // M⁻¹ by the factor of the inertia
    d.qacc.copy_from_slice(d.qfrc_constraint);
    solve_ldl(d.qacc, d.qLD, d.qLDiagInv, &pattern(m), &m.dof_simplenum);
    for i in 0..m.nv {
        d.qacc[i] += d.qacc_smooth[i];
    }
}

/// What scales improvement and gradient: `1 / trace M`, of the model at `qpos0` (`meaninertia` times `nv`) where all rows are solved at
/// once; an island takes that of its present `M`. MuJoCo's choice, which lets one tolerance fit light and heavy models.
pub(super) fn scale(m: &Model<impl Storage>) -> Real {
    1.0 / (m.stat.meaninertia * m.nv.max(1) as Real)
}
