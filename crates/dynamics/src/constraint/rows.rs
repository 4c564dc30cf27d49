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
    if !sparse && !contact && new.jac.iter().all(|x| *x == 0.0) {
        // `mj_addConstraintCount` counts dense rows before anyone looks at them: `nJ` is larger than what is used
        d.head.nJ += (size * m.nv) as i32;
        return;
    }
    if let Some(place) = count_rows(m, d, size, count) {
        write_rows(m, &mut d.work, new, place);
    }
    match new.kind {
        Equality => d.head.ne += size as i32,
        FrictionDof | FrictionTendon => d.head.nf += size as i32,
        LimitJoint | LimitTendon => d.head.nl += size as i32,
        ContactFrictionless | ContactPyramidal | ContactElliptic => {}
    }
}

/// Where rows are written: the number of the first one, and its place in `efc_J`.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) first: usize,
    pub(super) entry: usize,
}

/// Count rows with so many columns each. Past the room rows are only counted, and have no place: the owner makes room, and all rows are made
/// once more.
pub(super) fn count_rows(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    size: usize,
    columns: usize,
) -> Option<Place> {
    let sparse = m.is_sparse();
    let (first, counted) = (d.head.nefc as usize, d.head.nJ as usize);
    let entries = size * if sparse { columns } else { m.nv };
    d.head.nefc += size as i32;
    d.head.nJ += entries as i32;
    let room = &d.kept.room;
    // dense rows that were counted and then left out leave no gap
    let entry = if sparse { counted } else { first * m.nv };
    (first + size <= room.nefc && counted + entries <= room.nJ).then_some(Place { first, entry })
}

/// Write rows.
fn write_rows(m: &Model<impl Storage>, w: &mut Work<'_>, new: &NewRows<'_>, place: Place) {
    let (size, count) = (new.pos.len(), new.chain.len());
    if m.is_sparse() {
        write_columns(w, place, size, new.chain.iter().map(|c| *c as i32));
        let entries = size * count;
        w.efc_J[place.entry..][..entries].copy_from_slice(&new.jac[..entries]);
    } else {
        let rows = &mut w.efc_J[place.entry..][..size * m.nv];
        rows.fill(0.0);
        for (r, dense) in rows.chunks_exact_mut(m.nv).enumerate() {
            for (c, x) in new.chain.iter().zip(&new.jac[r * count..(r + 1) * count]) {
                dense[*c] = *x;
            }
        }
    }
    let rows = place.first..place.first + size;
    w.efc_pos[rows.clone()].copy_from_slice(new.pos);
    w.efc_margin[rows.clone()].copy_from_slice(new.margin);
    w.efc_frictionloss[rows.clone()].fill(new.frictionloss);
    w.efc_type[rows.clone()].fill(new.kind as i32);
    w.efc_id[rows].fill(new.id as i32);
}

/// Write the columns of sparse rows, which the rows of a constraint share.
pub(super) fn write_columns(
    w: &mut Work<'_>,
    place: Place,
    size: usize,
    columns: impl ExactSizeIterator<Item = i32>,
) {
    let (Place { first, entry }, count) = (place, columns.len());
    for (to, c) in w.efc_J_colind[entry..entry + count].iter_mut().zip(columns) {
        *to = c;
    }
    for r in 0..size {
        let start = entry + r * count;
        w.efc_J_rowadr[first + r] = start as i32;
        w.efc_J_rownnz[first + r] = count as i32;
        if r > 0 {
            w.efc_J_colind.copy_within(entry..entry + count, start);
        }
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
