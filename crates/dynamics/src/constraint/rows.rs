//! Appending rows, and products with the constraint Jacobian.
use ferrodyn_math::{Real, SparseRows, add_scaled, dot};
use ferrodyn_model::{ConstraintType, Model};

use crate::tendon::is_sparse;
use crate::{Work, World};

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

/// Append rows. Those of constraints other than contacts are left out when they are empty.
pub(super) fn add_rows(m: &Model, d: &mut World<'_>, new: &NewRows<'_>) {
    use ConstraintType::{
        ContactElliptic, ContactFrictionless, ContactPyramidal, Equality, FrictionDof,
        FrictionTendon, LimitJoint, LimitTendon,
    };
    let w = &mut *d.work;
    let (size, count) = (new.pos.len(), new.chain.len());
    let contact = matches!(new.kind, ContactFrictionless | ContactPyramidal | ContactElliptic);
    if is_sparse(m) {
        if count == 0 && !contact {
            return;
        }
        for r in 0..size {
            w.efc_J_rowadr.push(w.efc_J.len() as i32);
            w.efc_J_rownnz.push(count as i32);
            w.efc_J_colind.extend(new.chain.iter().map(|c| *c as i32));
            w.efc_J.extend_from_slice(&new.jac[r * count..(r + 1) * count]);
        }
    } else {
        if !contact && new.jac.iter().all(|x| *x == 0.0) {
            // dense rows are counted before they are found empty, as in MuJoCo
            d.head.nJ += (size * m.nv) as i32;
            return;
        }
        for r in 0..size {
            let start = w.efc_J.len();
            w.efc_J.resize(start + m.nv, 0.0);
            for (c, x) in new.chain.iter().zip(&new.jac[r * count..(r + 1) * count]) {
                w.efc_J[start + c] = *x;
            }
        }
    }
    for r in 0..size {
        w.efc_pos.push(new.pos[r]);
        w.efc_margin.push(new.margin[r]);
        w.efc_frictionloss.push(new.frictionloss);
        w.efc_type.push(new.kind as i32);
        w.efc_id.push(new.id as i32);
    }
    match new.kind {
        Equality => d.head.ne += size as i32,
        FrictionDof | FrictionTendon => d.head.nf += size as i32,
        LimitJoint | LimitTendon => d.head.nl += size as i32,
        _ => {}
    }
}

/// The sparse constraint Jacobian.
fn sparse_jacobian(w: &Work) -> SparseRows<'_> {
    SparseRows {
        values: &w.efc_J,
        rownnz: &w.efc_J_rownnz,
        rowadr: &w.efc_J_rowadr,
        colind: &w.efc_J_colind,
        rowsuper: &w.efc_J_rowsuper,
    }
}

/// `res = J vec`.
pub fn mul_jac_vec(m: &Model, w: &Work, res: &mut [Real], vec: &[Real]) {
    if is_sparse(m) {
        sparse_jacobian(w).mul(res, vec);
    } else {
        for (row, res) in w.efc_J.chunks_exact(m.nv.max(1)).zip(res) {
            *res = dot(row, vec);
        }
    }
}

/// Add a multiple of row `r` of the Jacobian to a dense vector.
pub(crate) fn add_jacobian_row(m: &Model, w: &Work, r: usize, scale: Real, res: &mut [Real]) {
    if is_sparse(m) {
        let start = w.efc_J_rowadr[r] as usize;
        for k in start..start + w.efc_J_rownnz[r] as usize {
            res[w.efc_J_colind[k] as usize] += w.efc_J[k] * scale;
        }
    } else {
        add_scaled(res, &w.efc_J[r * m.nv..(r + 1) * m.nv], scale);
    }
}

/// `res = Jᵀ vec`.
pub fn mul_jac_transposed(m: &Model, w: &Work, res: &mut [Real], vec: &[Real]) {
    if is_sparse(m) {
        sparse_jacobian(w).mul_transposed(res, vec);
    } else {
        res.fill(0.0);
        for (row, x) in w.efc_J.chunks_exact(m.nv.max(1)).zip(vec) {
            if *x != 0.0 {
                add_scaled(res, row, *x);
            }
        }
    }
}
