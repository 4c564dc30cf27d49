//! Integrators that are implicit in velocity.
//!
//! Linearized about the present velocity, `M (v⁺ - v)/h = f(v⁺)` is `(M - h ∂f/∂v) a = f(v)`. The derivative covers actuators, dampers and
//! fluids, and for `implicit` also Coriolis and centrifugal forces; these make it unsymmetric, and need an `LU` factor in place of `LᵀDL`.
//! `implicitfast` leaves them out: they do no work, and matter only for bodies that spin fast.
//!
//! Derivatives between degrees of freedom that are not on one branch have no place in either pattern and are dropped: those of a
//! tendon or actuator between two branches act as if they were explicit, in MuJoCo's `mjd_smooth_vel` too.
use core::ops::Range;

use ferrodyn_math::sparse::{factor_ldl_rows, solve_ldl_rows};
use ferrodyn_math::{MIN_VAL, Mask, Real, dot_sparse};
use ferrodyn_model::{Integrator, Model, Storage};

use crate::data::Lane;
use crate::derivative::smooth_vel_derivative;
use crate::hooks::Hooks;
use crate::integrate::advance::{Rates, advance};
use crate::integrate::flex::{NodeSystem, has_nodes, node_words};
use crate::integrate::material::{has_materials, solve_materials};
use crate::position::inertia::pattern;
use crate::sleep::awake_dofs;
use crate::{StepError, World};

/// One step with `(M − h ∂f/∂q̇) q̈ = f`; `implicitfast` drops the Coriolis terms of the derivative.
/// The factor of that matrix may be there already. MuJoCo: `mj_implicit`, `mj_implicitSkip`.
///
/// Returns the degree of freedom of the first pivot of `implicitfast` that is not positive. A
/// singular matrix of `implicit` is an error, as it is to MuJoCo's `mju_factorLUSparse`.
pub fn implicit<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    factored: bool,
    hooks: &mut impl Hooks<S>,
) -> Result<Option<usize>, StepError> {
    let indefinite = implicit_acceleration(m, d, factored, hooks)?;
    advance(m, d, &Rates::OfTheStep, hooks)?;
    Ok(indefinite)
}

/// The acceleration with which [`implicit`] moves the state, in `scratch.step_acc`.
#[inline]
pub(crate) fn implicit_acceleration<S: Storage, T: Lane>(
    m: &Model<S>,
    d: &mut World<'_, T>,
    factored: bool,
    hooks: &mut impl Hooks<S>,
) -> Result<Option<usize>, StepError> {
    if !factored {
        match d.alone() {
            Some(d) if is_full(m) => full_matrix(m, d, hooks)?,
            _ => reduced_matrix(m, d, hooks)?,
        }
    }
    // as MuJoCo, only with a new matrix
    let with_nodes = !factored && d.alone().is_some_and(|d| has_nodes(m, d));
    let indefinite = match d.alone() {
        Some(d) if with_nodes => d.with_stack(node_words(m), |d, stack| {
            let nodes = NodeSystem::new(m, d, stack)?;
            factor(m, d)?;
            let indefinite = solve(m, d);
            let qacc = core::mem::take(&mut d.scratch.step_acc);
            nodes.solve(m, d, qacc);
            d.scratch.step_acc = qacc;
            Ok::<_, StepError>(indefinite)
        })??,
        _ => {
            if !factored {
                factor(m, d)?;
            }
            solve(m, d)
        }
    };
    if let Some(d) = d.alone().filter(|_| has_materials(m, hooks)) {
        solve_materials(m, d, hooks)?;
    }
    Ok(indefinite)
}

/// Factor the matrix of the integrator in place.
fn factor<T: Lane>(m: &Model<impl Storage>, d: &mut World<'_, T>) -> Result<(), StepError> {
    if let Some(d) = d.alone().filter(|_| is_full(m)) {
        // both triangles: an LU factor of every tree
        for run in awake_dofs(m, d.head, d.dof_awake_ind) {
            if let Some(dof) = factor_lu(m, d.qLU, d.scratch.dof_count, run) {
                return Err(StepError::SingularMatrix { dof });
            }
        }
        return Ok(());
    }
    // the lower triangle in the pattern of the inertia
    for run in awake_dofs(m, d.head, d.dof_awake_ind) {
        factor_ldl_rows(d.qH, d.qHDiagInv, &pattern(m), run);
    }
    Ok(())
}

/// Has the matrix both triangles? Worlds that go abreast have the reduced one.
fn is_full(m: &Model<impl Storage>) -> bool {
    m.integrator() == Integrator::Implicit
}

/// `a = S⁻¹ f`; returns the degree of freedom of the first pivot that is not positive, in any world.
fn solve<T: Lane>(m: &Model<impl Storage>, d: &mut World<'_, T>) -> Option<usize> {
    let qacc = &mut *d.scratch.step_acc;
    for run in awake_dofs(m, d.head, d.dof_awake_ind) {
        for i in run {
            qacc[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i];
        }
    }
    if let Some(d) = d.alone().filter(|_| is_full(m)) {
        for run in awake_dofs(m, d.head, d.dof_awake_ind) {
            solve_lu(m, d.qLU, d.scratch.step_acc, run);
        }
        return None;
    }
    let mut indefinite = None;
    let p = pattern(m);
    let qacc = &mut *d.scratch.step_acc;
    for run in awake_dofs(m, d.head, d.dof_awake_ind) {
        solve_ldl_rows(qacc, d.qH, d.qHDiagInv, &p, &m.dof_simplenum, run.clone());
        // the reciprocal of a pivot shows its sign
        let negative = |i: &usize| d.qHDiagInv[*i].less(T::of(0.0)).any();
        indefinite = indefinite.or_else(|| run.into_iter().find(negative));
    }
    indefinite
}

/// `qLU = M − h ∂f/∂q̇`, not factored, with all smooth forces.
pub(crate) fn full_matrix<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    hooks: &mut impl Hooks<S>,
) -> Result<(), StepError> {
    let h = m.opt.timestep;
    smooth_vel_derivative(m, d, true, hooks)?;
    for i in 0..m.nD {
        // entries that the reduced matrix leaves out are marked by -1
        let inertia = usize::try_from(m.mapM2D[i]).map_or(0.0, |k| d.M[k]);
        d.qLU[i] = inertia + d.qDeriv[i] * -h;
    }
    Ok(())
}

/// `qH = M − h ∂f/∂q̇`, not factored, without the Coriolis terms.
pub(crate) fn reduced_matrix<S: Storage, T: Lane>(
    m: &Model<S>,
    d: &mut World<'_, T>,
    hooks: &mut impl Hooks<S>,
) -> Result<(), StepError> {
    let h = m.opt.timestep;
    smooth_vel_derivative(m, d, false, hooks)?;
    // each entry of the lower triangle has a place in the larger pattern
    for i in 0..m.nC {
        d.qH[i] = d.M[i] + d.qDeriv[m.mapD2M[i] as usize] * T::of(-h);
    }
    Ok(())
}

/// Factor rows of the full dof-by-dof matrix, those of whole trees, as `(U + I) L` in place, from the
/// last row to the first. Returns the first row whose pivot is too small to divide by.
///
/// A tree needs no fill-in: the columns of row `i` left of the diagonal are columns of every row
/// above that has column `i`.
fn factor_lu(
    m: &Model<impl Storage>,
    lu: &mut [Real],
    remaining: &mut [i32],
    rows: Range<usize>,
) -> Option<usize> {
    // entries of each row that are not eliminated yet; the last of them is the one to look at
    remaining[rows.clone()].copy_from_slice(&m.D_rownnz[rows.clone()]);
    for i in rows.clone().rev() {
        // row i: its last entry left is the diagonal
        remaining[i] -= 1;
        let row = m.D_rowadr[i] as usize;
        let end = row + remaining[i] as usize;
        let pivot = lu[end];
        if pivot.abs() < MIN_VAL {
            return Some(i);
        }
        // rows above that have column i: it is their last entry left
        for j in (rows.start..i).rev() {
            let adr = m.D_rowadr[j] as usize;
            let last = adr + remaining[j] as usize - 1;
            if m.D_colind[last] != i as i32 {
                continue;
            }
            remaining[j] -= 1;
            // the entry of U, then what is left of the row
            lu[last] /= pivot;
            let factor = lu[last];
            // row j −= factor · row i, where both have entries
            let mut from = row;
            for to in adr..last {
                if from < end && m.D_colind[from] == m.D_colind[to] {
                    lu[to] -= lu[from] * factor;
                    from += 1;
                }
            }
        }
    }
    None
}

/// Solve `(U + I) L x = b` in place with the factor of [`factor_lu`].
pub(crate) fn solve_lu(m: &Model<impl Storage>, lu: &[Real], x: &mut [Real], rows: Range<usize>) {
    // (U + I) y = b, from the last row
    for i in rows.clone().rev() {
        let adr = m.D_rowadr[i] as usize;
        // right of the diagonal, whose ones are not stored
        let upper = adr + m.D_diag[i] as usize + 1..adr + m.D_rownnz[i] as usize;
        x[i] -= dot_sparse(&lu[upper.clone()], &m.D_colind[upper], x);
    }
    // L x = y, from the first
    for i in rows {
        let adr = m.D_rowadr[i] as usize;
        let diag = adr + m.D_diag[i] as usize;
        x[i] = (x[i] - dot_sparse(&lu[adr..diag], &m.D_colind[adr..diag], x)) / lu[diag];
    }
}
