//! Constraint forces: the solvers and what they share.
//!
//! # The problem
//! Without constraints the system would accelerate by `q̈₀ = M⁻¹ f₀`. Every constraint row has a velocity `J q̇` and asks for the
//! acceleration `aref` along it; the accelerations found are those that deviate least from both wishes (Gauss' principle):
//!
//! ```text
//! minimize over q̈:  ½ (q̈ - q̈₀)ᵀ M (q̈ - q̈₀) + s(J q̈ - aref)          (primal; "cost" below)
//! minimize over f:  ½ fᵀ (A + R) f + fᵀ b,  f in its set                 (dual)
//! A = J M⁻¹ Jᵀ,   b = J q̈₀ - aref,   f = -∇s,   D = R⁻¹ > 0
//! ```
//!
//! `s` is a sum over rows and contacts, convex and with a continuous slope. `R` makes rows soft, so that both
//! problems have exactly one solution, whatever the rows are: also contradicting or redundant ones. What a row costs depends on
//! its kind, and where it is on its cost is its *zone*, MuJoCo's state (`efc_state`): *quadratic*, *linear* (friction that
//! slips), *satisfied* (no force), *cone* (an elliptic contact that slides). `constraint/zone.rs` derives them.
//!
//! # The solvers
//! - `primal`: Newton's method and conjugate gradients find `q̈`, with an exact line search (`linesearch`). Newton factors the
//!   Hessian `M + Jᵀ D J` and takes few, costly steps; CG has the inertia as a preconditioner and takes many, cheap ones.
//! - `pgs`: projected Gauss-Seidel finds `f`, one row or contact after the other. Without islands; needs the matrix `A + R`.
//! - `xpbd`: position-based dynamics in substeps, an extension: not a minimizer of this cost, with the same compliance.
//! - `team`: Newton's method with dense matrices, by lanes that share a world.
//! - `noslip`: after any of the others, friction again without `R`, which removes the slow creep of soft contacts. What comes out
//!   does not minimize the cost any more.
//!
//! Up to rounding the cost never rises. A solver ends where the cost improves by less than the tolerance, the gradient is below it
//! (primal ones), the line search finds nothing to gain, or after `opt.iterations`; running out of iterations is no error, the last
//! iterate is used. Both measures are scaled by one over the sum of the diagonal of `M` (of all rows at once that of `qpos0`, of an
//! island the present one), so that one tolerance fits light and heavy models.
//!
//! Each starts from the last step's acceleration if this costs less than `q̈₀` (`warm_start`). Newton and CG solve each island by
//! itself: `M` and `J` have no entries between islands, so the solution is the same, and each island may end when it has converged.
mod dual;
mod hessian;
mod hessian_dense;
mod hessian_sparse;
mod linesearch;
mod noslip;
mod pgs;
mod primal;
mod qcqp;
mod team;
mod xpbd;

use ferrodyn_math::sparse::mul_symmetric;
use ferrodyn_math::{Real, Stack, StackFull, by_precision, dot};
use ferrodyn_model::{DisableBit, Model, Solver, Storage};

use crate::constraint::island::{copy_whole_solution, is_whole};
use crate::constraint::{Rows, mul_jac_vec, rows_alone, update_constraint};
use crate::data::memory::frame;
use crate::data::work::{SolverStat, WorkSizes};
use crate::position::inertia::pattern;
use crate::{StepError, World};
use primal::Whole;
pub(crate) use team::{fwd_constraint_by, suits_team};

/// Iterations of an island that are recorded (`mjNSOLVER`).
pub(crate) const RECORDED: usize = 200;
/// Islands that are recorded (`mjNISLAND`).
pub(crate) const RECORDED_ISLANDS: usize = 20;

/// The least tolerance of a solver: below it, improvement and gradient are rounding. In single precision, 1e-6 is about ten units of
/// the last place of a sum of order one; double precision has no such limit.
const LEAST_TOLERANCE: Real = by_precision(Real::MIN, 1e-6);

/// The tolerance at which a solver stops.
pub(crate) fn tolerance(m: &Model<impl Storage>) -> Real {
    m.opt.tolerance.max(LEAST_TOLERANCE)
}

/// The larger of two residuals; one that is no number counts as the largest.
fn larger(a: Real, b: Real) -> Real {
    if b > a || b.is_nan() { b } else { a }
}

/// Compute `efc_force`, `qfrc_constraint` and `qacc`. MuJoCo: `mj_fwdConstraint`.
///
/// An error where the solver has to converge ([`Solver::CgStrict`]) and did not.
pub fn fwd_constraint(m: &Model<impl Storage>, d: &mut World<'_>) -> Result<(), StepError> {
    let (residual, tolerance) = (solve_rows(m, d)?, tolerance(m));
    #[cfg(feature = "deformable")]
    let residual = crate::soft::solve_deformable_contacts(m, d)?.unwrap_or(residual);
    if m.solver() == Solver::CgStrict && (residual > tolerance || residual.is_nan()) {
        return Err(StepError::NotConverged { residual, tolerance });
    }
    Ok(())
}

/// Solve for the forces of all rows; the largest residual of the islands.
pub(crate) fn solve_rows(m: &Model<impl Storage>, d: &mut World<'_>) -> Result<Real, StepError> {
    d.qfrc_constraint.fill(0.0);
    // nothing is constrained: the system moves freely
    let count = d.nefc();
    if count == 0 {
        d.qacc.copy_from_slice(d.qacc_smooth);
        d.head.solver_niter.fill(0);
        return Ok(0.0);
    }
    if Solver::try_from(m.opt.solver).is_err() {
        return Err(StepError::InvalidSolver(m.opt.solver));
    }
    // room for what the iterations report
    let recorded = d.nisland().clamp(1, RECORDED_ISLANDS);
    d.reserve(&WorkSizes { nstat: recorded * RECORDED, ..WorkSizes::default() })?;
    // b = J q̈₀ - aref
    let b = core::mem::take(&mut d.work.efc_b);
    mul_jac_vec(m, &d.work, &mut b[..count], d.qacc_smooth);
    for (b, aref) in b[..count].iter_mut().zip(&*d.work.efc_aref) {
        *b -= aref;
    }
    d.work.efc_b = b;

    // how large sparse factors are shows when they are made: once more where there was no room for them
    let entries = (d.head.nJ.max(0) as usize).min(d.work.efc_J.len());
    let mut words = likely_words(m, count, entries);
    loop {
        // a failed attempt does no harm: every attempt begins with the warm start
        let outcome = d.with_stack(words, |d, stack| {
            let free = stack.free_words();
            solve_with_memory(m, d, stack).map_err(|full| free + full.missing)
        })?;
        match outcome {
            Ok(residual) => return Ok(residual),
            Err(needed) => words = needed,
        }
    }
}

/// Words of temporary memory for so many rows with so many entries: enough with dense matrices, a guess with sparse ones.
fn likely_words(m: &Model<impl Storage>, nefc: usize, entries: usize) -> usize {
    if m.solver() == Solver::Xpbd {
        return xpbd::words(m.nv, nefc, entries);
    }
    let likely =
        primal::words(m, nefc, entries) + dual::DualMemory::words(nefc) + Start::words(m.nv, nefc);
    likely.min(most_words(m, nefc, entries))
}

/// [`likely_words`] that are always enough.
pub(crate) fn most_words(m: &Model<impl Storage>, nefc: usize, entries: usize) -> usize {
    if m.solver() == Solver::Xpbd {
        return xpbd::words(m.nv, nefc, nefc * m.nv);
    }
    let alone = primal::most_words(m, nefc, entries)
        + dual::DualMemory::words(nefc)
        + Start::words(m.nv, nefc);
    if m.is_sparse() { alone } else { alone.max(team::words(m.nv, nefc)) }
}

frame! {
    /// What is known at the acceleration of the last step.
    struct Start(nv, nefc) {
        /// `J q̈ - aref`.
        jar: slice Real = nefc,
        /// `M q̈`.
        ma: slice Real = nv,
    }
}

/// Start from the best guess, and let the chosen solver go on from there.
fn solve_with_memory(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    mut stack: Stack<'_>,
) -> Result<Real, StackFull> {
    let solver = m.solver();
    if solver == Solver::Xpbd {
        d.head.solver_niter.fill(0);
        xpbd::solve(m, d, stack)?;
        return Ok(0.0);
    }
    let mut start = Start::take(&mut stack, m.nv, d.nefc())?;
    let warm = warm_start(m, d, &mut start, stack.scope())?;
    let start = warm.then_some(&start);
    d.head.solver_niter.fill(0);
    // CG and its strict kind are what is left besides Newton and PGS
    let newton = solver == Solver::Newton;
    // noslip works on all friction forces at once and PGS on all rows: neither knows islands
    let by_island = !m.opt.disabled(DisableBit::Island)
        && d.head.nisland > 0
        && m.opt.noslip_iterations == 0
        && solver != Solver::Pgs;
    let residual = if by_island {
        solve_islands(m, d, newton, start, &mut stack)?
    } else if solver == Solver::Pgs {
        // PGS minimizes the dual cost: its gradient is no residual of the primal one
        pgs::solve(m, d, stack.scope())?;
        0.0
    } else {
        larger(0.0, primal::solve_all(m, d, Whole::Problem, newton, start, stack.scope())?)
    };
    if m.opt.noslip_iterations > 0 {
        // friction again, over whatever the solver left
        noslip::solve(m, d, stack)?;
    }
    Ok(residual)
}

/// The cost of the rows at an acceleration given by `jar`; forces and states are left behind, and the
/// Hessians of contacts on their cones where they are wanted.
pub(crate) fn row_cost(d: &mut World<'_>, jar: &[Real], cone_hessian: bool) -> Real {
    let count = jar.len();
    let w = &mut d.work;
    let rows = Rows {
        ne: d.head.ne as usize,
        nf: d.head.nf as usize,
        alone: rows_alone(&w.efc_type[..count]),
        d: &w.efc_D[..count],
        r: &w.efc_R[..count],
        frictionloss: &w.efc_frictionloss[..count],
        kind: &w.efc_type[..count],
        id: &w.efc_id[..count],
    };
    let (state, force) = (&mut w.efc_state[..count], &mut w.efc_force[..count]);
    update_constraint(&rows, jar, w.contact, state, force, cone_hessian)
}

/// Start from the acceleration of the last step or from the one without constraints, whichever
/// costs less. PGS starts from the forces that the old acceleration would cause, or from none. MuJoCo: `warmstart`.
///
/// Whether `start` belongs to the acceleration that was chosen.
fn warm_start(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    start: &mut Start<'_>,
    mut stack: Stack<'_>,
) -> Result<bool, StackFull> {
    let count = d.nefc();
    if m.opt.disabled(DisableBit::Warmstart) {
        d.qacc.copy_from_slice(d.qacc_smooth);
        d.work.efc_force[..count].fill(0.0);
        return Ok(false);
    }
    // forces and cost of the rows at the old acceleration, x = J q̈ - aref
    d.qacc.copy_from_slice(d.qacc_warmstart);
    mul_jac_vec(m, &d.work, start.jar, d.qacc_warmstart);
    for (x, aref) in start.jar.iter_mut().zip(&*d.work.efc_aref) {
        *x -= aref;
    }
    let mut cost = row_cost(d, start.jar, false);
    let mut warm = false;
    // dual cost of these forces, ½ fᵀ (A + R) f + fᵀ b; no force at all costs zero
    if m.solver() == Solver::Pgs {
        let product = stack.take(count)?;
        dual::mul_ar(m, d, product);
        let force = &mut d.work.efc_force[..count];
        let cost = dot(force, &d.work.efc_b[..count]) + 0.5 * dot(force, product);
        // worse than nothing
        if cost > 0.0 {
            force.fill(0.0);
        }
    } else {
        // primal cost: the rows, and ½ (M q̈ - f₀)·(q̈ - q̈₀) for leaving the free motion
        mul_symmetric(start.ma, d.M, d.qacc_warmstart, &pattern(m));
        let forces = start.ma.iter().zip(&*d.qfrc_smooth);
        for ((ma, smooth), (acc, free)) in forces.zip(d.qacc_warmstart.iter().zip(&*d.qacc_smooth))
        {
            cost += 0.5 * (ma - smooth) * (acc - free);
        }
        // the free motion costs what its rows do, with x = b
        let b = core::mem::take(&mut d.work.efc_b);
        let cost_smooth = row_cost(d, &b[..count], false);
        d.work.efc_b = b;
        // a tie goes to the old acceleration
        if cost > cost_smooth {
            d.qacc.copy_from_slice(d.qacc_smooth);
        } else {
            warm = true;
        }
    }
    // what no constraint touches moves freely
    if d.head.nisland > 0 {
        for i in d.head.nidof as usize..m.nv {
            let dof = d.work.map_idof2dof[i] as usize;
            d.qacc[dof] = d.qacc_smooth[dof];
            warm = false;
        }
    }
    Ok(warm)
}

/// Solve each island by itself.
fn solve_islands(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    newton: bool,
    start: Option<&Start<'_>>,
    stack: &mut Stack<'_>,
) -> Result<Real, StackFull> {
    if is_whole(m, d) {
        let residual =
            larger(0.0, primal::solve_all(m, d, Whole::Island, newton, start, stack.scope())?);
        if d.kept.islands_watched != 0 {
            copy_whole_solution(d);
        }
        return Ok(residual);
    }
    let (inside, rows) = (d.head.nidof as usize, d.nefc());
    let w = &mut d.work;
    macro_rules! gather {
        ($map:ident, $count:expr, $($to:ident = $from:expr;)*) => {$(
            for (to, i) in w.$to.iter_mut().zip(&w.$map[..$count]) {
                *to = $from[*i as usize];
            }
        )*};
    }
    // into island order, where the vectors of an island are contiguous
    gather! { map_idof2dof, inside,
        ifrc_smooth = d.qfrc_smooth;
        ifrc_constraint = d.qfrc_constraint;
        iacc_smooth = d.qacc_smooth;
        iacc = d.qacc;
    }
    gather! { map_iefc2efc, rows,
        iefc_force = w.efc_force;
        iefc_aref = w.efc_aref;
    }
    let mut residual = 0.0;
    for island in 0..d.nisland() {
        residual = larger(residual, primal::solve_island(m, d, island, newton, stack.scope())?);
    }
    let w = &mut d.work;
    // and back; what no island holds keeps its free acceleration
    for (i, dof) in w.map_idof2dof[..inside].iter().enumerate() {
        d.qacc[*dof as usize] = w.iacc[i];
        d.qfrc_constraint[*dof as usize] = w.ifrc_constraint[i];
    }
    for (force, i) in w.efc_force[..rows].iter_mut().zip(&*w.map_efc2iefc) {
        *force = w.iefc_force[*i as usize];
    }
    Ok(residual)
}

/// Keep what an iteration did, where there is room. MuJoCo: `saveStats`.
fn record(stats: &mut [SolverStat], island: usize, iteration: usize, stat: SolverStat) {
    // later ones are solved like all others, only not reported
    if island < RECORDED_ISLANDS && iteration < RECORDED {
        stats[island * RECORDED + iteration] = stat;
    }
}
