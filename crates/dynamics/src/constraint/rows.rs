//! Appending rows, and products with the constraint Jacobian.
use ferrodyn_math::{Real, SparseRows, add_scaled, mul_rows, mul_rows_transposed};
use ferrodyn_model::{ConstraintType, Model, Storage};

use crate::World;
use crate::data::Work;

/// Position, margin and friction of the rows of one constraint.
pub(super) struct NewRows<'a> {
    pub(super) kind: ConstraintType,
    pub(super) id: usize,
    /// Columns, ascending.
    pub(super) chain: &'a [usize],
    /// Values, row by row.
    pub(super) jac: &'a [Real],
    /// One for each row.
    pub(super) pos: &'a [Real],
    /// One for each row.
    pub(super) margin: &'a [Real],
    pub(super) frictionloss: Real,
}

/// Append rows. Those that move nothing are left out, except of contacts, whose rows have to stay together.
/// MuJoCo: `mj_addConstraint`.
pub(super) fn add_rows(m: &Model<impl Storage>, d: &mut World<'_>, new: &NewRows<'_>) {
    use ConstraintType::{
        ContactElliptic, ContactFrictionless, ContactPyramidal, Equality, FrictionDof,
        FrictionTendon, LimitJoint, LimitTendon,
    };
    let (size, count) = (new.pos.len(), new.chain.len());
    let contact = matches!(new.kind, ContactFrictionless | ContactPyramidal | ContactElliptic);
    let sparse = m.is_sparse();
    if sparse && count == 0 && !contact {
        return;
    }
    let (first, entry) = (d.head.nefc as usize, d.head.nJ as usize);
    let entries = size * if sparse { count } else { m.nv };
    d.head.nJ += entries as i32;
    if !sparse && !contact && new.jac.iter().all(|x| *x == 0.0) {
        // `mj_addConstraintCount` counts dense rows before anyone looks at them: `nJ` is larger than what is used
        return;
    }
    // past the room rows are only counted: the owner makes room, and all rows are made once more
    d.head.nefc += size as i32;
    if first + size <= d.kept.room.nefc && entry + entries <= d.kept.room.nJ {
        write_rows(m, &mut d.work, new, first, entry);
    }
    match new.kind {
        Equality => d.head.ne += size as i32,
        FrictionDof | FrictionTendon => d.head.nf += size as i32,
        LimitJoint | LimitTendon => d.head.nl += size as i32,
        ContactFrictionless | ContactPyramidal | ContactElliptic => {}
    }
}

/// Write rows from number `first` on, those of a sparse Jacobian from `entry` on.
fn write_rows(
    m: &Model<impl Storage>,
    w: &mut Work<'_>,
    new: &NewRows<'_>,
    first: usize,
    entry: usize,
) {
    let count = new.chain.len();
    for r in 0..new.pos.len() {
        let row = first + r;
        let values = &new.jac[r * count..(r + 1) * count];
        if m.is_sparse() {
            // the rows of a constraint share their columns
            let start = entry + r * count;
            w.efc_J_rowadr[row] = start as i32;
            w.efc_J_rownnz[row] = count as i32;
            for (to, c) in w.efc_J_colind[start..start + count].iter_mut().zip(new.chain) {
                *to = *c as i32;
            }
            w.efc_J[start..start + count].copy_from_slice(values);
        } else {
            let dense = &mut w.efc_J[row * m.nv..(row + 1) * m.nv];
            dense.fill(0.0);
            for (c, x) in new.chain.iter().zip(values) {
                dense[*c] = *x;
            }
        }
        w.efc_pos[row] = new.pos[r];
        w.efc_margin[row] = new.margin[r];
        w.efc_frictionloss[row] = new.frictionloss;
        w.efc_type[row] = new.kind as i32;
        w.efc_id[row] = new.id as i32;
    }
}

/// The first `rows` rows of the sparse constraint Jacobian.
fn sparse_jacobian<'w>(w: &'w Work<'_>, rows: usize) -> SparseRows<'w> {
    SparseRows {
        values: w.efc_J,
        rownnz: &w.efc_J_rownnz[..rows],
        rowadr: &w.efc_J_rowadr[..rows],
        colind: w.efc_J_colind,
        rowsuper: &w.efc_J_rowsuper[..rows],
    }
}

/// `res = J vec`, for the rows that `res` has room for. MuJoCo: `mj_mulJacVec`.
pub fn mul_jac_vec(m: &Model<impl Storage>, w: &Work<'_>, res: &mut [Real], vec: &[Real]) {
    if m.is_sparse() {
        sparse_jacobian(w, res.len()).mul(res, vec);
    } else {
        mul_rows(res, w.efc_J, &vec[..m.nv]);
    }
}

/// Add a multiple of row `r` of the Jacobian to a dense vector.
pub(crate) fn add_jacobian_row(
    m: &Model<impl Storage>,
    w: &Work<'_>,
    r: usize,
    scale: Real,
    res: &mut [Real],
) {
    if m.is_sparse() {
        let start = w.efc_J_rowadr[r] as usize;
        for k in start..start + w.efc_J_rownnz[r] as usize {
            res[w.efc_J_colind[k] as usize] += w.efc_J[k] * scale;
        }
    } else {
        add_scaled(res, &w.efc_J[r * m.nv..(r + 1) * m.nv], scale);
    }
}

/// `res = Jᵀ vec`, for as many rows as `vec` has elements. MuJoCo: `mj_mulJacTVec`.
pub fn mul_jac_transposed(m: &Model<impl Storage>, w: &Work<'_>, res: &mut [Real], vec: &[Real]) {
    if m.is_sparse() {
        sparse_jacobian(w, vec.len()).mul_transposed(res, vec);
    } else {
        mul_rows_transposed(&mut res[..m.nv], w.efc_J, vec);
    }
}
