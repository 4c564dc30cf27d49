//! Contacts as rows: frictionless, pyramidal or elliptic.
use core::mem::take;

use ferrodyn_math::Real;
use ferrodyn_model::{Cone, ConstraintType, Contact, Model, Storage};

use super::RowMemory;
use super::rows::{NewRows, add_rows};
use super::sides::{body_pair, geom_bodies};
use super::spread::spread_motion;
use crate::World;
use crate::position::chain::{merged_chain, point_jacobian};

/// What `exclude` says of a contact that is a spring: no row, but a force of its own.
pub(crate) const EXCLUDED_PASSIVE: i32 = 4;
/// What it says of one that moves nothing.
pub(crate) const EXCLUDED_STATIC: i32 = 3;

/// Rows of a contact, `J = A (J₁ - J₀)`: motion of body 1 against body 0 along the contact's axes `A` (normal, two
/// tangents), then for `dim > 3` rotation about the same axes. 0 and 1 are the bodies of `geom[0]` and `geom[1]`, and
/// `chain_of` is the pair whose chain is in the memory already. MuJoCo: `mj_contactJacobian`, `mj_jacDifPair`.
fn contact_jacobian(
    m: &Model<impl Storage>,
    d: &World<'_>,
    contact: &Contact,
    [b0, b1]: [usize; 2],
    memory: &mut RowMemory<'_>,
    chain_of: &mut Option<[usize; 2]>,
) {
    let Contact { pos, frame, .. } = *contact;
    let dim = contact.dim as usize;
    let RowMemory { chain, links, jac, .. } = memory;
    // degrees of freedom that move either body; contacts of the same bodies come one after another
    if *chain_of != Some([b0, b1]) {
        *chain_of = Some([b0, b1]);
        links.clear();
        let link = |(dof, in0, in1)| [dof as u32, u32::from(in0) | u32::from(in1) << 1];
        links.extend(merged_chain(m, b0, b1).map(link));
        chain.clear();
        chain.extend(links.iter().rev().map(|[dof, _]| *dof as usize));
    }
    let n = chain.len();
    jac.set_all(dim * n, 0.0);
    let axes = [frame.row(0), frame.row(1), frame.row(2)];
    for (at, &[dof, moves]) in links.iter().enumerate() {
        // what moves both bodies does not move them against each other
        if moves == 0b11 {
            continue;
        }
        let (dof, k) = (dof as usize, n - 1 - at);
        let (body, sign) = if moves == 0b10 { (b1, 1.0) } else { (b0, -1.0) };
        let lin = point_jacobian(m, d, dof, pos, body) * sign;
        // sliding: axes · velocity of the contact point
        for r in 0..dim.min(3) {
            jac[r * n + k] = axes[r].dot(lin);
        }
        // spinning about the normal, rolling about the tangents
        if dim > 3 {
            let rot = d.cdof[dof].rot() * sign;
            for r in 3..dim {
                jac[r * n + k] = axes[r - 3].dot(rot);
            }
        }
    }
}

/// The same for a contact of any number of bodies. MuJoCo: `mj_contactJacobian`, its general case.
fn spread_jacobian(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    contact: usize,
    memory: &mut RowMemory<'_>,
) {
    let motion = take(&mut d.scratch.dof_spatial);
    let contact = &d.work.contact[contact];
    let RowMemory { chain, jac, .. } = memory;
    spread_motion(m, d, contact, chain, motion);
    let (n, dim) = (chain.len(), contact.dim as usize);
    let axes = [contact.frame.row(0), contact.frame.row(1), contact.frame.row(2)];
    jac.set_all(dim * n, 0.0);
    for (k, dof) in chain.iter().enumerate() {
        let (lin, rot) = (motion[*dof].lin(), motion[*dof].rot());
        for r in 0..dim {
            jac[r * n + k] = if r < 3 { axes[r].dot(lin) } else { axes[r - 3].dot(rot) };
        }
    }
    d.scratch.dof_spatial = motion;
}

/// Add the motion along the normal of a contact of two geoms to a dense row.
pub(crate) fn contact_normal_row(
    m: &Model<impl Storage>,
    d: &World<'_>,
    contact: usize,
    row: &mut [Real],
) {
    let contact = &d.work.contact[contact];
    let Some([b0, b1]) = geom_bodies(m, contact) else { return };
    let (pos, normal) = (contact.pos, contact.frame.row(0));
    for (dof, in0, in1) in merged_chain(m, b0, b1) {
        if in0 != in1 {
            let (body, sign) = if in1 { (b1, 1.0) } else { (b0, -1.0) };
            row[dof] += normal.dot(point_jacobian(m, d, dof, pos, body) * sign);
        }
    }
}

/// Does a contact act as a spring, without a row, because one of its flexes asks for it?
#[inline]
fn is_passive(m: &Model<impl Storage>, contact: &Contact) -> bool {
    m.nflex > 0
        && contact.flex.iter().any(|f| {
            usize::try_from(*f).is_ok_and(|f| m.flex_passive.get(f).is_some_and(|p| *p != 0))
        })
}

/// Rows of all contacts that exert a force. MuJoCo: `mj_instantiateContact`.
pub(super) fn add_contacts(m: &Model<impl Storage>, d: &mut World<'_>, memory: &mut RowMemory<'_>) {
    let mut chain_of = None;
    let pyramidal = m.cone() == Cone::Pyramidal;
    let sparse = m.is_sparse();
    for i in 0..d.ncon() {
        if is_passive(m, &d.work.contact[i]) {
            d.work.contact[i].efc_address = -1;
            d.work.contact[i].exclude = EXCLUDED_PASSIVE;
        }
        let contact = &d.work.contact[i];
        if contact.exclude != 0 {
            continue;
        }
        let (dim, dist, margin) = (contact.dim as usize, contact.dist, contact.includemargin);
        let friction = contact.friction;
        if let Some(sides) = body_pair(m, contact) {
            contact_jacobian(m, d, contact, sides, memory, &mut chain_of);
        } else if contact.flex.iter().any(|f| *f >= 0) {
            spread_jacobian(m, d, i, memory);
            chain_of = None;
        } else {
            continue;
        }
        // nothing moves either body (explicit pairs of static geoms): no rows. With a dense Jacobian `mj_instantiateContact`
        // has as many columns as there are degrees of freedom, and keeps rows of zeros
        if sparse && memory.chain.is_empty() {
            d.work.contact[i].efc_address = -1;
            d.work.contact[i].exclude = EXCLUDED_STATIC;
            continue;
        }
        d.work.contact[i].efc_address = d.head.nefc;
        let n = memory.chain.len();
        if dim > 1 && pyramidal {
            // edges of the pyramid: normal ± friction · tangent
            let RowMemory { chain, jac, cone, .. } = &mut *memory;
            cone.clear();
            for r in 1..dim {
                for sign in [1.0, -1.0] {
                    let scale = friction[r - 1] * sign;
                    cone.extend((0..n).map(|k| jac[k] + jac[r * n + k] * scale));
                }
            }
            let count = 2 * (dim - 1);
            let rows = NewRows {
                kind: ConstraintType::ContactPyramidal,
                id: i,
                chain,
                jac: cone,
                pos: &[dist; 10][..count],
                margin: &[margin; 10][..count],
                frictionloss: 0.0,
            };
            add_rows(m, d, &rows);
        } else {
            let kind = if dim > 1 {
                ConstraintType::ContactElliptic
            } else {
                ConstraintType::ContactFrictionless
            };
            let (mut pos, mut margins) = ([0.0; 6], [0.0; 6]);
            (pos[0], margins[0]) = (dist, margin);
            let rows = NewRows {
                kind,
                id: i,
                chain: &memory.chain,
                jac: &memory.jac,
                pos: &pos[..dim],
                margin: &margins[..dim],
                frictionloss: 0.0,
            };
            add_rows(m, d, &rows);
        }
    }
}
