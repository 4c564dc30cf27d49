//! Contacts as rows: frictionless, pyramidal or elliptic.
use core::mem::take;

use ferrodyn_math::{List, Real, Spatial, Vec3};
use ferrodyn_model::{Cone, ConstraintType, Contact, Model, Storage};

use super::RowMemory;
use super::rows::{NewRows, add_rows, count_rows, write_columns};
use super::sides::{body_pair, geom_bodies};
use super::spread::spread_motion;
use crate::World;
use crate::position::chain::{merged_chain, point_jacobian, point_velocity};

/// What `exclude` says of a contact that is a spring: no row, but a force of its own.
pub(crate) const EXCLUDED_PASSIVE: i32 = 4;
/// What it says of one that moves nothing.
pub(crate) const EXCLUDED_STATIC: i32 = 3;

/// How the degrees of freedom that move two bodies move a contact of them.
struct Pair<'a> {
    /// Degrees of freedom, descending, and which of the bodies each one moves.
    links: &'a [[u32; 2]],
    cdof: &'a [Spatial],
    /// The contact point from the centres of mass that `cdof` refers to: that of the tree of body 0, and of body 1.
    offsets: [Vec3; 2],
    /// Columns are degrees of freedom in a dense row, and places in the chain in a sparse one.
    sparse: bool,
}

impl Pair<'_> {
    /// Rows of a contact, `J = A (J₁ - J₀)`: motion of body 1 against body 0 along the contact's axes `A` (normal, two
    /// tangents), then for `dim > 3` rotation about the same axes; of a pyramid its edges, normal ± friction · tangent. `rows` has
    /// `stride` columns and is zero. MuJoCo: `mj_contactJacobian`, `mj_jacDifPair`.
    ///
    /// One pass over the degrees of freedom writes all rows. `dim` and `pyramid` are an argument of their own so that the usual ones are
    /// compiled as constants.
    #[inline(always)]
    fn fill(&self, rows: &mut [Real], stride: usize, c: &Contact, dim: usize, pyramid: bool) {
        let axes = [c.frame.row(0), c.frame.row(1), c.frame.row(2)];
        let last = self.links.len().wrapping_sub(1);
        for (at, &[dof, moves]) in self.links.iter().enumerate() {
            // what moves both bodies does not move them against each other
            if moves == 0b11 {
                continue;
            }
            let (side, sign) = if moves == 0b10 { (1, 1.0) } else { (0, -1.0) };
            let cdof = &self.cdof[dof as usize];
            let lin = point_velocity(cdof, self.offsets[side]) * sign;
            // sliding: axes · velocity of the contact point
            let mut motion = [0.0; 6];
            for r in 0..dim.min(3) {
                motion[r] = axes[r].dot(lin);
            }
            // spinning about the normal, rolling about the tangents
            if dim > 3 {
                let rot = cdof.rot() * sign;
                for r in 3..dim {
                    motion[r] = axes[r - 3].dot(rot);
                }
            }
            let mut place = if self.sparse { last - at } else { dof as usize };
            if pyramid {
                for r in 1..dim {
                    for scale in [c.friction[r - 1], -c.friction[r - 1]] {
                        rows[place] = motion[0] + motion[r] * scale;
                        place += stride;
                    }
                }
            } else {
                for x in &motion[..dim] {
                    rows[place] = *x;
                    place += stride;
                }
            }
        }
    }
}

/// Find the degrees of freedom that move either of two bodies; `chain_of` is the pair whose links are there already. Contacts of
/// the same bodies come one after another.
#[inline]
fn find_links(
    m: &Model<impl Storage>,
    bodies: [usize; 2],
    links: &mut List<'_, [u32; 2]>,
    chain_of: &mut Option<[usize; 2]>,
) {
    if *chain_of != Some(bodies) {
        *chain_of = Some(bodies);
        links.clear();
        let link = |(dof, in0, in1)| [dof as u32, u32::from(in0) | u32::from(in1) << 1];
        links.extend(merged_chain(m, bodies[0], bodies[1]).map(link));
    }
}

/// Add the rows of a contact of two bodies, whose links are in the memory.
fn add_pair(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    id: usize,
    bodies: [usize; 2],
    links: &[[u32; 2]],
) {
    let dim = d.work.contact[id].dim as usize;
    let pyramid = dim > 1 && m.cone() == Cone::Pyramidal;
    let size = if pyramid { 2 * (dim - 1) } else { dim };
    let Some(place) = count_rows(m, d, size, links.len()) else { return };
    let (sparse, w) = (m.is_sparse(), &mut d.work);
    if sparse {
        write_columns(w, place, size, links.iter().rev().map(|[dof, _]| *dof as i32));
    }
    // the Jacobian
    let contact = &w.contact[id];
    let offsets = bodies.map(|b| contact.pos - d.subtree_com[m.body_root(b)]);
    let pair = Pair { links, cdof: d.cdof, offsets, sparse };
    let stride = if sparse { links.len() } else { m.nv };
    let rows = &mut w.efc_J[place.entry..][..size * stride];
    rows.fill(0.0);
    match (dim, pyramid) {
        (3, true) => pair.fill(rows, stride, contact, 3, true),
        (3, false) => pair.fill(rows, stride, contact, 3, false),
        _ => pair.fill(rows, stride, contact, dim, pyramid),
    }
    // position and kind; the tangents of an elliptic cone have no position
    let (dist, margin) = (contact.dist, contact.includemargin);
    let off = if pyramid { size } else { 1.min(size) };
    let rows = place.first..place.first + size;
    for (array, x) in [(&mut *w.efc_pos, dist), (&mut *w.efc_margin, margin)] {
        let (first, rest) = array[rows.clone()].split_at_mut(off);
        first.fill(x);
        rest.fill(0.0);
    }
    w.efc_frictionloss[rows.clone()].fill(0.0);
    w.efc_type[rows.clone()].fill(kind(dim, pyramid) as i32);
    w.efc_id[rows].fill(id as i32);
}

/// The kind of the rows of a contact.
fn kind(dim: usize, pyramid: bool) -> ConstraintType {
    match (dim, pyramid) {
        (_, true) => ConstraintType::ContactPyramidal,
        (0 | 1, false) => ConstraintType::ContactFrictionless,
        (_, false) => ConstraintType::ContactElliptic,
    }
}

/// The motion of a contact of any number of bodies, row by row as in [`Pair::fill`], before there are edges of a pyramid.
/// MuJoCo: `mj_contactJacobian`, its general case.
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
    m.flex_count() > 0
        && contact.flex.iter().any(|f| {
            usize::try_from(*f).is_ok_and(|f| m.flex_passive.get(f).is_some_and(|p| *p != 0))
        })
}

/// Add the rows of a contact of any number of bodies, whose chain and Jacobian are in the memory.
fn add_spread(m: &Model<impl Storage>, d: &mut World<'_>, id: usize, memory: &mut RowMemory<'_>) {
    let contact = &d.work.contact[id];
    let (dim, friction) = (contact.dim as usize, contact.friction);
    let pyramid = dim > 1 && m.cone() == Cone::Pyramidal;
    let RowMemory { chain, jac, cone, .. } = memory;
    let n = chain.len();
    let (mut pos, mut margin) = ([0.0; 10], [0.0; 10]);
    let size = if pyramid {
        // edges of the pyramid: normal ± friction · tangent
        cone.clear();
        for r in 1..dim {
            for sign in [1.0, -1.0] {
                let scale = friction[r - 1] * sign;
                cone.extend((0..n).map(|k| jac[k] + jac[r * n + k] * scale));
            }
        }
        (pos, margin) = ([contact.dist; 10], [contact.includemargin; 10]);
        2 * (dim - 1)
    } else {
        (pos[0], margin[0]) = (contact.dist, contact.includemargin);
        dim
    };
    let rows = NewRows {
        kind: kind(dim, pyramid),
        id,
        chain,
        jac: if pyramid { cone } else { jac },
        pos: &pos[..size],
        margin: &margin[..size],
        frictionloss: 0.0,
    };
    add_rows(m, d, &rows);
}

/// Rows of all contacts that exert a force. MuJoCo: `mj_instantiateContact`.
pub(super) fn add_contacts(m: &Model<impl Storage>, d: &mut World<'_>, memory: &mut RowMemory<'_>) {
    let mut chain_of = None;
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
        // the degrees of freedom that move it
        let pair = body_pair(m, contact);
        let moving = if let Some(bodies) = pair {
            find_links(m, bodies, &mut memory.links, &mut chain_of);
            memory.links.len()
        } else if contact.flex.iter().any(|f| *f >= 0) {
            spread_jacobian(m, d, i, memory);
            memory.chain.len()
        } else {
            continue;
        };
        // nothing moves either body (explicit pairs of static geoms): no rows. With a dense Jacobian `mj_instantiateContact`
        // has as many columns as there are degrees of freedom, and keeps rows of zeros
        if sparse && moving == 0 {
            d.work.contact[i].efc_address = -1;
            d.work.contact[i].exclude = EXCLUDED_STATIC;
            continue;
        }
        d.work.contact[i].efc_address = d.head.nefc;
        match pair {
            Some(bodies) => add_pair(m, d, i, bodies, &memory.links),
            None => add_spread(m, d, i, memory),
        }
    }
}
