//! Constraint rows: what must hold, how far it is from holding, and how stiffly it is imposed.
//!
//! Rows come in a fixed order: equality, dry friction of degrees of freedom and tendons, limits of joints and tendons,
//! contacts. What each kind is stands in `kind.rs`; assembly (`equality.rs`, `limit.rs`, `contact.rs`) gives each row its
//! Jacobian and its position, `impedance.rs` its stiffness, `zone.rs` tells where it acts, and `update.rs` gives its force
//! for a given acceleration.
//!
//! A row with Jacobian `J` and a position `pos` asks for the acceleration `J q̈ = aref` of a spring and damper,
//! `aref = -b J q̇ - k i (pos - margin)`, where `i`, between 0 and 1, is its *impedance* (`efc_KBIP` holds `k`, `b`, `i` and the
//! derivative of `i` by `pos`). It is not imposed exactly: the solver weighs the square of what is missing by `D = 1 / R`, with
//! the regularizer `R = (1 - i) / i · Â`, where `Â` (`efc_diagApprox`) is an estimate of the diagonal of `A = J M⁻¹ Jᵀ`. With a
//! good estimate a row by itself ends at `J q̈ = i aref + (1 - i) J q̈₀`: it gets the share `i` of what it asks for, and the
//! acceleration without constraints keeps the rest. That makes the problem convex and its solution unique, however many
//! rows contradict each other.
mod contact;
pub(crate) mod contact_force;
mod equality;
mod impedance;
pub(crate) mod island;
pub(crate) mod kind;
mod limit;
pub(crate) mod project;
mod rows;
pub(crate) mod sides;
pub(crate) mod spread;
mod update;
pub(crate) mod zone;

use ferrodyn_math::Real;
use ferrodyn_model::{Contact, DisableBit, Model, Storage};

use crate::data::memory::frame;
use crate::data::work::WorkSizes;
use crate::{StepError, World};

pub(crate) use contact::{EXCLUDED_PASSIVE, EXCLUDED_STATIC, contact_normal_row};
pub use island::island;
pub use limit::ball_limit_axis_angle;
#[cfg(feature = "alloc")]
pub(crate) use limit::near_limit;
pub use project::project_constraint;
pub(crate) use project::{is_dual, most_words as project_words};
pub(crate) use rows::add_jacobian_row;
pub use rows::{mul_jac_transposed, mul_jac_vec};
pub(crate) use update::{Rows, rows_alone, update_constraint};

frame! {
    /// Memory for the rows that are being made.
    pub(crate) struct RowMemory(nv) {
        /// Columns of the rows of one constraint, ascending.
        chain: list usize = nv,
        /// Columns of two bodies, descending, with which of the bodies each one moves (bits 0 and 1).
        links: list [u32; 2] = nv,
        /// Values, row by row: at most six rows.
        jac: list Real = 6 * nv,
        /// Rows of a friction cone: at most ten.
        cone: list Real = 10 * nv,
    }
}

/// Make all rows: Jacobian, position, impedance. MuJoCo: `mj_makeConstraint`.
pub fn make_constraint(m: &Model<impl Storage>, d: &mut World<'_>) -> Result<(), StepError> {
    fill_rows(m, d)?;
    let need = d.counts();
    if d.kept.room.missing(&need).is_some() {
        // nothing was written past the end: once more, with room for all
        clear(d);
        d.reserve(&need)?;
        fill_rows(m, d)?;
    }
    let count = d.nefc();
    if count > 0 {
        let w = &mut d.work;
        // sparse: runs of rows with equal columns, which products take together; dense: rows that were counted in `nJ` and then
        // found empty leave a tail
        if m.is_sparse() {
            let (nnz, adr) = (&w.efc_J_rownnz[..count], &w.efc_J_rowadr[..count]);
            supernodes(&mut w.efc_J_rowsuper[..count], nnz, adr, w.efc_J_colind);
        } else {
            w.efc_J[count * m.nv..d.head.nJ as usize].fill(0.0);
        }
        impedance::make_impedance(m, d);
    }
    Ok(())
}

/// Write all rows that there is room for, and count all.
fn fill_rows(m: &Model<impl Storage>, d: &mut World<'_>) -> Result<(), StepError> {
    clear(d);
    if m.opt.disabled(DisableBit::Constraint) {
        return Ok(());
    }
    d.with_stack(RowMemory::words(m.nv), |d, mut stack| {
        add_all_rows(m, d, &mut RowMemory::take(&mut stack, m.nv)?);
        Ok(())
    })?
}

fn add_all_rows(m: &Model<impl Storage>, d: &mut World<'_>, memory: &mut RowMemory<'_>) {
    if !m.opt.disabled(DisableBit::Equality) {
        equality::add_equalities(m, d, memory);
    }
    if !m.opt.disabled(DisableBit::FrictionLoss) {
        limit::add_friction_losses(m, d, memory);
    }
    if !m.opt.disabled(DisableBit::Limit) {
        limit::add_limits(m, d, memory);
    }
    if !m.opt.disabled(DisableBit::Contact) && m.nv > 0 {
        contact::add_contacts(m, d, memory);
    }
}

/// Add a contact to those that collision detection found; rows, which know nothing of it, are forgotten. Its `geom1` and
/// `geom2` are set from `geom`. False, and nothing happens, where its geoms or its dimension do not exist.
/// MuJoCo: `mj_addContact`.
pub fn add_contact(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    contact: &Contact,
) -> Result<bool, StepError> {
    let known = |geom: i32| usize::try_from(geom).is_ok_and(|g| g < m.ngeom);
    if !contact.geom.into_iter().all(known) || ![1, 3, 4, 6].contains(&contact.dim) {
        return Ok(false);
    }
    let at = d.ncon();
    d.reserve(&WorkSizes { ncon: at + 1, ..WorkSizes::default() })?;
    clear(d);
    let [geom1, geom2] = contact.geom;
    d.work.contact[at] = Contact { geom1, geom2, ..*contact };
    d.head.ncon = at as i32 + 1;
    Ok(true)
}

/// Forget the rows of the last step.
fn clear(d: &mut World<'_>) {
    let h = &mut *d.head;
    (h.ne, h.nf, h.nl, h.nefc, h.nJ, h.nA) = (0, 0, 0, 0, 0, 0);
    // islands of the old rows are gone with them
    (h.nisland, h.nidof) = (0, 0);
    // a world without a workspace has this array nowhere, and there processors take 80 ns to write nothing with a masked store
    if !d.work.tendon_efcadr.is_empty() {
        d.work.tendon_efcadr.fill(-1);
    }
}

/// For each row, how many following rows have the same columns. MuJoCo: `mju_superSparse`.
pub(crate) fn supernodes(rowsuper: &mut [i32], rownnz: &[i32], rowadr: &[i32], colind: &[i32]) {
    let columns = |r: usize| {
        let start = rowadr[r] as usize;
        &colind[start..start + rownnz[r] as usize]
    };
    let count = rowsuper.len();
    for r in (0..count).rev() {
        rowsuper[r] =
            if r + 1 < count && columns(r) == columns(r + 1) { rowsuper[r + 1] + 1 } else { 0 };
    }
}

/// Velocity `v` along the rows and their reference acceleration, `aref = -b v - k i (pos - margin)` with the impedance `i`.
/// MuJoCo: `mj_referenceConstraint`.
pub fn reference_constraint(m: &Model<impl Storage>, d: &mut World<'_>) {
    let count = d.nefc();
    let vel = core::mem::take(&mut d.work.efc_vel);
    mul_jac_vec(m, &d.work, &mut vel[..count], d.qvel);
    d.work.efc_vel = vel;
    let w = &mut d.work;
    for i in 0..count {
        let [k, b, imp, _] = w.efc_KBIP[i];
        w.efc_aref[i] = -b * w.efc_vel[i] - k * imp * (w.efc_pos[i] - w.efc_margin[i]);
    }
}
