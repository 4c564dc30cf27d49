//! The inverse inertia along the rows, `A = J M⁻¹ Jᵀ`, for solvers that work on forces.
use alloc::vec::Vec;

use ferrodyn_math::{Real, add_scaled, dot, sqrt};
use ferrodyn_model::{Model, Solver};

use crate::tendon::is_sparse;
use crate::work::WorkSizes;
use crate::{StepError, World};

/// Does the solver, or the one that removes slip after it, work on forces?
pub(crate) fn is_dual(m: &Model) -> bool {
    m.opt.solver == Solver::Pgs as i32 || m.opt.noslip_iterations > 0
}

/// Rows of `B = J M^(-1/2)`, of which `A = B Bᵀ`.
#[derive(Clone, Debug, Default)]
pub(crate) struct ProjectMemory {
    start: Vec<usize>,
    columns: Vec<usize>,
    values: Vec<Real>,
    dense: Vec<Real>,
    mark: Vec<usize>,
    /// For each degree of freedom, the entries of `B` in its column.
    column_start: Vec<usize>,
    column_entries: Vec<(usize, Real)>,
    /// Columns and values of one row of `A`, up to the diagonal.
    row: Vec<(usize, Real)>,
}

/// Compute `efc_AR = A + diag(R)`.
pub fn project_constraint(m: &Model, d: &mut World<'_>) -> Result<(), StepError> {
    if d.head.nefc == 0 || !is_dual(m) {
        return Ok(());
    }
    let mut memory = core::mem::take(d.project);
    half_solve(m, d, &mut memory);
    let outcome = if is_sparse(m) {
        sparse_product(m, d, &mut memory)
    } else {
        dense_product(m, d, &mut memory)
    };
    *d.project = memory;
    outcome
}

/// Make room for the entries of `A`.
fn reserve_entries(d: &mut World<'_>, count: usize) -> Result<(), StepError> {
    d.reserve(&WorkSizes { nA: count, ..WorkSizes::default() })?;
    d.head.nA = count as i32;
    Ok(())
}

/// `B = J L⁻ᵀ D^(-1/2)` row by row; the columns of a row are those of `J` and their ancestors.
fn half_solve(m: &Model, d: &World<'_>, p: &mut ProjectMemory) {
    let (nv, count) = (m.nv, d.nefc());
    p.dense.clear();
    p.dense.resize(nv, 0.0);
    p.mark.clear();
    p.mark.resize(nv, usize::MAX);
    p.start.clear();
    p.columns.clear();
    p.values.clear();
    let sparse = is_sparse(m);
    for r in 0..count {
        let begin = p.columns.len();
        p.start.push(begin);
        let enter = |p: &mut ProjectMemory, column: usize, value: Real| {
            p.dense[column] = value;
            // the column and the degrees of freedom above it
            let mut dof = column as i32;
            while dof >= 0 && p.mark[dof as usize] != r {
                p.mark[dof as usize] = r;
                p.columns.push(dof as usize);
                dof = m.dof_parentid[dof as usize];
            }
        };
        if sparse {
            let adr = d.work.efc_J_rowadr[r] as usize;
            for k in adr..adr + d.work.efc_J_rownnz[r] as usize {
                enter(p, d.work.efc_J_colind[k] as usize, d.work.efc_J[k]);
            }
        } else {
            for c in 0..nv {
                let value = d.work.efc_J[r * nv + c];
                if value != 0.0 {
                    enter(p, c, value);
                }
            }
        }
        p.columns[begin..].sort_unstable();
        for at in (begin..p.columns.len()).rev() {
            let dof = p.columns[at];
            let x = p.dense[dof];
            if x != 0.0 {
                let adr = m.M_rowadr[dof] as usize;
                for k in adr..adr + m.M_rownnz[dof] as usize - 1 {
                    p.dense[m.M_colind[k] as usize] -= d.qLD[k] * x;
                }
            }
        }
        for at in begin..p.columns.len() {
            let dof = p.columns[at];
            let diagonal = (m.M_rowadr[dof] + m.M_rownnz[dof] - 1) as usize;
            p.values.push(p.dense[dof] * (1.0 / sqrt(d.qLD[diagonal])));
            p.dense[dof] = 0.0;
        }
    }
    p.start.push(p.columns.len());
}

/// The product is summed over degrees of freedom, one after the other, as in MuJoCo.
fn dense_product(m: &Model, d: &mut World<'_>, p: &mut ProjectMemory) -> Result<(), StepError> {
    let (nv, count) = (m.nv, d.nefc());
    reserve_entries(d, count * count)?;
    let w = &mut d.work;
    // transpose B
    p.dense.clear();
    p.dense.resize(nv * count, 0.0);
    for r in 0..count {
        for k in p.start[r]..p.start[r + 1] {
            p.dense[p.columns[k] * count + r] = p.values[k];
        }
    }
    w.efc_AR[..count * count].fill(0.0);
    for r in 0..count {
        let row = &mut w.efc_AR[r * count..=r * count + r];
        for k in p.start[r]..p.start[r + 1] {
            let column = &p.dense[p.columns[k] * count..][..=r];
            add_scaled(row, column, p.values[k]);
        }
    }
    for r in 0..count {
        for c in 0..r {
            w.efc_AR[c * count + r] = w.efc_AR[r * count + c];
        }
        w.efc_AR[r * count + r] += w.efc_R[r];
    }
    Ok(())
}

fn sparse_product(m: &Model, d: &mut World<'_>, p: &mut ProjectMemory) -> Result<(), StepError> {
    let (nv, count) = (m.nv, d.nefc());
    // transpose B
    p.column_start.clear();
    p.column_start.resize(nv + 1, 0);
    for c in &p.columns {
        p.column_start[c + 1] += 1;
    }
    for c in 0..nv {
        p.column_start[c + 1] += p.column_start[c];
    }
    p.column_entries.clear();
    p.column_entries.resize(p.columns.len(), (0, 0.0));
    p.mark.clear();
    p.mark.extend_from_slice(&p.column_start[..nv]);
    for r in 0..count {
        for k in p.start[r]..p.start[r + 1] {
            let slot = &mut p.mark[p.columns[k]];
            p.column_entries[*slot] = (r, p.values[k]);
            *slot += 1;
        }
    }
    // lower triangle row by row, in a list; then both triangles
    let w = &mut d.work;
    p.mark.clear();
    p.mark.resize(count, usize::MAX);
    p.dense.clear();
    p.dense.resize(count, 0.0);
    p.row.clear();
    w.efc_AR_rownnz[..count].fill(0);
    for r in 0..count {
        let begin = p.row.len();
        for k in p.start[r]..p.start[r + 1] {
            let c = p.columns[k];
            for &(other, value) in &p.column_entries[p.column_start[c]..p.column_start[c + 1]] {
                if other > r {
                    break;
                }
                if p.mark[other] != r {
                    p.mark[other] = r;
                    p.dense[other] = 0.0;
                    p.row.push((other, 0.0));
                }
                p.dense[other] += p.values[k] * value;
            }
        }
        p.row[begin..].sort_unstable_by_key(|entry| entry.0);
        // the square of a row is summed in MuJoCo's order of scalar products
        let row = &p.values[p.start[r]..p.start[r + 1]];
        p.dense[r] = dot(row, row);
        for entry in &mut p.row[begin..] {
            entry.1 = p.dense[entry.0];
            w.efc_AR_rownnz[r] += 1;
            if entry.0 < r {
                w.efc_AR_rownnz[entry.0] += 1;
            }
        }
    }
    let mut total = 0;
    for r in 0..count {
        w.efc_AR_rowadr[r] = total;
        total += w.efc_AR_rownnz[r];
    }
    reserve_entries(d, total as usize)?;
    let w = &mut d.work;
    p.mark.clear();
    p.mark.extend(w.efc_AR_rowadr[..count].iter().map(|adr| *adr as usize));
    // rows in order: entry (r, c) of the lower triangle is also (c, r), which comes later in row c
    let mut r = 0;
    for &(c, value) in &p.row {
        let mut put = |row: usize, column: usize, value: Real| {
            let at = p.mark[row];
            w.efc_AR[at] = value;
            w.efc_AR_colind[at] = column as i32;
            p.mark[row] += 1;
        };
        put(r, c, value);
        if c < r {
            put(c, r, value);
        } else {
            // the diagonal ends a row
            let at = p.mark[r] - 1;
            w.efc_AR[at] += w.efc_R[r];
            r += 1;
        }
    }
    Ok(())
}
