//! The inverse inertia along the rows, `A = J M⁻¹ Jᵀ`, for solvers that work on forces.
use ferrodyn_math::{Real, add_scaled, dot, sort_by, sqrt, words_of};
use ferrodyn_model::{Model, Solver, Storage};

use crate::data::memory::frame;
use crate::data::work::WorkSizes;
use crate::{StepError, World};

/// Whether the solver, or the one that removes slip after it, works on forces. MuJoCo: `mj_isDual`.
pub(crate) fn is_dual(m: &Model<impl Storage>) -> bool {
    m.solver() == Solver::Pgs || m.opt.noslip_iterations > 0
}

frame! {
    /// Memory for the rows of `B = J L⁻¹ D^(-1/2)`, where `M = Lᵀ D L`: then `A = J M⁻¹ Jᵀ = B Bᵀ`.
    struct HalfMemory(nv, rows, entries) {
        start: slice usize = rows + 1,
        columns: list usize = entries,
        values: list Real = entries,
        dense: zeros Real = nv,
        /// Which row was last in a column.
        mark: slice usize = nv,
    }
}

frame! {
    /// Memory for the product of sparse rows; `lower` entries of its lower triangle.
    struct ProductMemory(nv, rows, entries, lower) {
        /// For each degree of freedom, the entries of `B` in its column: rows and values.
        column_start: zeros usize = nv + 1,
        column_rows: slice usize = entries,
        column_values: slice Real = entries,
        /// The next free place of each column of `B`, then of each row of `A`.
        next: slice usize = nv.max(rows),
        /// Which row of `A` was last in a column, and its values there.
        mark: slice usize = rows,
        dense: slice Real = rows,
        /// Columns and values of `A`, row by row up to the diagonal.
        columns: list usize = lower,
        values: list Real = lower,
    }
}

/// No row yet.
const NONE: usize = usize::MAX;

/// Compute `efc_AR = A + diag(R)`. MuJoCo: `mj_projectConstraint`.
pub fn project_constraint(m: &Model<impl Storage>, d: &mut World<'_>) -> Result<(), StepError> {
    if d.head.nefc == 0 || !is_dual(m) {
        return Ok(());
    }
    let (nv, rows) = (m.nv, d.nefc());
    let entries = d.with_stack(words_of::<usize>(nv), |d, mut stack| {
        Ok::<_, StepError>(count_entries(m, d, stack.take(nv)?))
    })??;
    let half = HalfMemory::words(nv, rows, entries);
    if !m.is_sparse() {
        reserve_entries(d, rows * rows)?;
        return d.with_stack(half + words_of::<Real>(nv * rows), |d, mut stack| {
            let mut b = HalfMemory::take(&mut stack, nv, rows, entries)?;
            half_solve(m, d, &mut b);
            dense_product(d, &b, stack.take_zeroed(nv * rows)?);
            Ok(())
        })?;
    }
    // how many entries A has shows while it is computed: once more where there was no room for them
    let all = rows * (rows + 1) / 2;
    let mut lower = all.min(2 * entries);
    loop {
        let words = half + ProductMemory::words(nv, rows, entries, lower);
        let total = d.with_stack(words, |d, mut stack| {
            let mut b = HalfMemory::take(&mut stack, nv, rows, entries)?;
            half_solve(m, d, &mut b);
            let mut product = ProductMemory::take(&mut stack, nv, rows, entries, lower)?;
            if !lower_triangle(d, &b, &mut product) {
                return Ok(false);
            }
            both_triangles(d, &mut product)?;
            Ok::<_, StepError>(true)
        })??;
        if total {
            return Ok(());
        }
        lower = all.min(2 * lower);
    }
}

/// Words of temporary memory for so many rows, at most.
pub(crate) fn most_words(m: &Model<impl Storage>, rows: usize) -> usize {
    if !is_dual(m) {
        return 0;
    }
    let (nv, entries, lower) = (m.nv, rows * m.nv, rows * (rows + 1) / 2);
    let product = if m.is_sparse() {
        ProductMemory::words(nv, rows, entries, lower)
    } else {
        words_of::<Real>(nv * rows)
    };
    HalfMemory::words(nv, rows, entries) + product
}

/// Make room for the entries of `A`.
fn reserve_entries(d: &mut World<'_>, count: usize) -> Result<(), StepError> {
    d.reserve(&WorkSizes { nA: count, ..WorkSizes::default() })?;
    d.head.nA = count as i32;
    Ok(())
}

/// Call a function with every column and value of a row of `J` that is not known to be zero.
pub(crate) fn each_entry(
    m: &Model<impl Storage>,
    d: &World<'_>,
    row: usize,
    mut visit: impl FnMut(usize, Real),
) {
    let w = &d.work;
    if m.is_sparse() {
        let adr = w.efc_J_rowadr[row] as usize;
        for k in adr..adr + w.efc_J_rownnz[row] as usize {
            visit(w.efc_J_colind[k] as usize, w.efc_J[k]);
        }
    } else {
        for (column, value) in w.efc_J[row * m.nv..(row + 1) * m.nv].iter().enumerate() {
            if *value != 0.0 {
                visit(column, *value);
            }
        }
    }
}

/// Call a function with a column, and the degrees of freedom above it, that the row has not met yet.
#[inline]
pub(crate) fn each_new_ancestor(
    m: &Model<impl Storage>,
    mark: &mut [usize],
    row: usize,
    column: usize,
    mut visit: impl FnMut(usize),
) {
    let mut dof = column as i32;
    while dof >= 0 && mark[dof as usize] != row {
        mark[dof as usize] = row;
        visit(dof as usize);
        dof = m.dof_parentid[dof as usize];
    }
}

/// Number of entries of `B`.
fn count_entries(m: &Model<impl Storage>, d: &World<'_>, mark: &mut [usize]) -> usize {
    mark.fill(NONE);
    let mut count = 0;
    for row in 0..d.nefc() {
        each_entry(m, d, row, |column, _| {
            each_new_ancestor(m, mark, row, column, |_| count += 1);
        });
    }
    count
}

/// A row `j` of `J` gives the row `bᵀ = D^(-1/2) L⁻ᵀ jᵀ` of `B`: eliminated from the last degree of freedom to the root, so that
/// it has entries at its own columns and their ancestors, nowhere else.
fn half_solve(m: &Model<impl Storage>, d: &World<'_>, b: &mut HalfMemory<'_>) {
    let HalfMemory { start, columns, values, dense, mark } = b;
    mark.fill(NONE);
    for r in 0..d.nefc() {
        let begin = columns.len();
        start[r] = begin;
        each_entry(m, d, r, |column, value| {
            dense[column] = value;
            each_new_ancestor(m, mark, r, column, |dof| columns.extend([dof]));
        });
        let columns = &mut columns[begin..];
        sort_by(columns, |a, b| a < b);
        for &dof in columns.iter().rev() {
            let x = dense[dof];
            if x != 0.0 {
                let adr = m.M_rowadr[dof] as usize;
                for k in adr..adr + m.M_rownnz[dof] as usize - 1 {
                    dense[m.M_colind[k] as usize] -= d.qLD[k] * x;
                }
            }
        }
        for &dof in columns.iter() {
            let diagonal = (m.M_rowadr[dof] + m.M_rownnz[dof] - 1) as usize;
            values.extend([dense[dof] * (1.0 / sqrt(d.qLD[diagonal]))]);
            dense[dof] = 0.0;
        }
    }
    start[d.nefc()] = columns.len();
}

/// `A = B Bᵀ`, summed over degrees of freedom one after the other: the order of `mju_sqrMatTD`, which `mj_projectConstraint`
/// takes for dense matrices, decides the last bits.
fn dense_product(d: &mut World<'_>, b: &HalfMemory<'_>, transposed: &mut [Real]) {
    let count = d.nefc();
    for r in 0..count {
        for k in b.start[r]..b.start[r + 1] {
            transposed[b.columns[k] * count + r] = b.values[k];
        }
    }
    let w = &mut d.work;
    w.efc_AR[..count * count].fill(0.0);
    for r in 0..count {
        let row = &mut w.efc_AR[r * count..=r * count + r];
        for k in b.start[r]..b.start[r + 1] {
            let column = &transposed[b.columns[k] * count..][..=r];
            add_scaled(row, column, b.values[k]);
        }
    }
    for r in 0..count {
        for c in 0..r {
            w.efc_AR[c * count + r] = w.efc_AR[r * count + c];
        }
        w.efc_AR[r * count + r] += w.efc_R[r];
    }
}

/// The lower triangle of `A` row by row, and the number of entries of both triangles in `efc_AR_rownnz`; false where there
/// is no room for it.
fn lower_triangle(d: &mut World<'_>, b: &HalfMemory<'_>, p: &mut ProductMemory<'_>) -> bool {
    let count = d.nefc();
    transpose(b, p, count);
    let rownnz = &mut d.work.efc_AR_rownnz[..count];
    rownnz.fill(0);
    p.mark.fill(NONE);
    for r in 0..count {
        let begin = p.columns.len();
        for k in b.start[r]..b.start[r + 1] {
            let c = b.columns[k];
            for at in p.column_start[c]..p.column_start[c + 1] {
                let other = p.column_rows[at];
                if other > r {
                    break;
                }
                if p.mark[other] != r {
                    p.mark[other] = r;
                    p.dense[other] = 0.0;
                    if !p.columns.push(other) {
                        return false;
                    }
                }
                p.dense[other] += b.values[k] * p.column_values[at];
            }
        }
        sort_by(&mut p.columns[begin..], |a, b| a < b);
        // the square of a row is summed in MuJoCo's order of scalar products
        let row = &b.values[b.start[r]..b.start[r + 1]];
        p.dense[r] = dot(row, row);
        for &other in &p.columns[begin..] {
            p.values.extend([p.dense[other]]);
            rownnz[r] += 1;
            if other < r {
                rownnz[other] += 1;
            }
        }
    }
    true
}

/// The columns of `B`.
fn transpose(b: &HalfMemory<'_>, p: &mut ProductMemory<'_>, count: usize) {
    let nv = p.column_start.len() - 1;
    for c in b.columns.iter() {
        p.column_start[c + 1] += 1;
    }
    for c in 0..nv {
        p.column_start[c + 1] += p.column_start[c];
    }
    p.next[..nv].copy_from_slice(&p.column_start[..nv]);
    for r in 0..count {
        for k in b.start[r]..b.start[r + 1] {
            let slot = &mut p.next[b.columns[k]];
            p.column_rows[*slot] = r;
            p.column_values[*slot] = b.values[k];
            *slot += 1;
        }
    }
}

/// Both triangles of `A + R` from the lower one.
fn both_triangles(d: &mut World<'_>, p: &mut ProductMemory<'_>) -> Result<(), StepError> {
    let count = d.nefc();
    let w = &mut d.work;
    let mut total = 0;
    for r in 0..count {
        w.efc_AR_rowadr[r] = total;
        p.next[r] = total as usize;
        total += w.efc_AR_rownnz[r];
    }
    reserve_entries(d, total as usize)?;
    let w = &mut d.work;
    // rows in order: entry (r, c) of the lower triangle is also (c, r), which comes later in row c
    let mut r = 0;
    for (&c, &value) in p.columns.iter().zip(p.values.iter()) {
        let mut put = |row: usize, column: usize| {
            let at = p.next[row];
            w.efc_AR[at] = value;
            w.efc_AR_colind[at] = column as i32;
            p.next[row] += 1;
            at
        };
        let at = put(r, c);
        if c < r {
            put(c, r);
        } else {
            // the diagonal ends a row
            w.efc_AR[at] += w.efc_R[r];
            r += 1;
        }
    }
    Ok(())
}
