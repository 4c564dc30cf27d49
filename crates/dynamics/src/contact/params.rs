//! The parameters of a contact, from two geoms or flexes or from an explicit pair.
use bytemuck::Zeroable;
use ferrodyn_math::{MIN_VAL, Real, Vec3};
use ferrodyn_model::{Contact, EnableBit, Model, Storage};

/// Friction is at least this, since cones divide by it: MuJoCo's `mjMINMU`.
const MIN_FRICTION: Real = 1e-5;

/// The margin of a pair, or the one that overrides all. MuJoCo: `mj_assignMargin`.
pub(super) fn pair_margin(m: &Model<impl Storage>, margin: Real) -> Real {
    if m.opt.enabled(EnableBit::Override) { m.opt.o_margin } else { margin }
}

/// What one side of a contact is: numbers of objects as in [`Contact`], -1 for those that it is not.
#[derive(Clone, Copy)]
pub(super) struct Side {
    geom: i32,
    flex: i32,
    elem: i32,
    vert: i32,
}

impl Side {
    const NONE: Side = Side { geom: -1, flex: -1, elem: -1, vert: -1 };

    pub(super) fn geom(g: usize) -> Side {
        Side { geom: g as i32, ..Side::NONE }
    }

    /// An element of a flex, by its number in the flex.
    pub(super) fn element(f: usize, e: usize) -> Side {
        Side { flex: f as i32, elem: e as i32, ..Side::NONE }
    }

    /// A vertex of a flex, by its number in the flex.
    pub(super) fn vertex(f: usize, v: usize) -> Side {
        Side { flex: f as i32, vert: v as i32, ..Side::NONE }
    }
}

/// What a geom or a flex brings to the parameters of its contacts.
pub(super) struct Surface<'a> {
    priority: i32,
    condim: i32,
    gap: Real,
    solmix: Real,
    solref: &'a [Real; 2],
    solimp: &'a [Real; 5],
    friction: &'a Vec3,
}

impl<'a> Surface<'a> {
    #[inline]
    pub(super) fn of_geom(m: &'a Model<impl Storage>, g: usize) -> Surface<'a> {
        Surface {
            priority: m.geom_priority[g],
            condim: m.geom_condim[g],
            gap: m.geom_gap[g],
            solmix: m.geom_solmix[g],
            solref: &m.geom_solref[g],
            solimp: &m.geom_solimp[g],
            friction: &m.geom_friction[g],
        }
    }

    #[inline]
    pub(super) fn of_flex(m: &'a Model<impl Storage>, f: usize) -> Surface<'a> {
        Surface {
            priority: m.flex_priority[f],
            condim: m.flex_condim[f],
            gap: m.flex_gap[f],
            solmix: m.flex_solmix[f],
            solref: &m.flex_solref[f],
            solimp: &m.flex_solimp[f],
            friction: &m.flex_friction[f],
        }
    }
}

/// What all contacts of one pair share.
pub(super) struct ContactParams {
    dim: i32,
    include_margin: Real,
    solref: [Real; 2],
    solref_friction: [Real; 2],
    solimp: [Real; 5],
    friction: [Real; 5],
}

impl ContactParams {
    /// As written in an explicit pair.
    pub(super) fn of_pair(m: &Model<impl Storage>, pair: usize, margin: Real) -> ContactParams {
        ContactParams {
            dim: m.pair_dim[pair],
            include_margin: margin - m.pair_gap[pair],
            solref: m.pair_solref[pair],
            solref_friction: m.pair_solreffriction[pair],
            solimp: m.pair_solimp[pair],
            friction: m.pair_friction[pair],
        }
    }

    /// Combined from two surfaces: those of the higher priority, or a mixture. MuJoCo: `mj_contactParam`.
    pub(super) fn mixed(a: &Surface<'_>, b: &Surface<'_>, margin: Real) -> ContactParams {
        let (dim, solref, solimp, friction) = if a.priority != b.priority {
            let first = if a.priority > b.priority { a } else { b };
            (first.condim, *first.solref, *first.solimp, first.friction.0)
        } else {
            let mix = mix_factor(a.solmix, b.solmix);
            let blend = |a: Real, b: Real| mix * a + (1.0 - mix) * b;
            let (ref1, ref2) = (a.solref, b.solref);
            let solref = if ref1[0] > 0.0 && ref2[0] > 0.0 {
                [blend(ref1[0], ref2[0]), blend(ref1[1], ref2[1])]
            } else {
                [least(ref1[0], ref2[0]), least(ref1[1], ref2[1])]
            };
            let solimp = core::array::from_fn(|i| blend(a.solimp[i], b.solimp[i]));
            let friction = core::array::from_fn(|i| a.friction[i].max(b.friction[i]));
            (a.condim.max(b.condim), solref, solimp, friction)
        };
        let [slide, spin, roll] = friction;
        ContactParams {
            dim,
            include_margin: margin - (a.gap + b.gap),
            solref,
            solref_friction: [0.0; 2],
            solimp,
            friction: [slide, slide, spin, roll, roll],
        }
    }

    /// The same, but included within another margin.
    pub(super) fn within(self, include_margin: Real) -> ContactParams {
        ContactParams { include_margin, ..self }
    }

    /// The same without friction.
    pub(super) fn frictionless(self) -> ContactParams {
        ContactParams { dim: 1, ..self }
    }

    /// A contact of the pair that has no place yet. MuJoCo: `mj_setContact`, with `mj_assignRef`, `mj_assignImp` and
    /// `mj_assignFriction`.
    pub(super) fn contact(&self, m: &Model<impl Storage>, sides: [Side; 2]) -> Contact {
        let geom = sides.map(|side| side.geom);
        let mut contact = Contact {
            includemargin: self.include_margin,
            friction: self.friction.map(|f| f.max(MIN_FRICTION)),
            solref: self.solref,
            solreffriction: self.solref_friction,
            solimp: self.solimp,
            dim: contact_dim(self.dim),
            geom1: geom[0],
            geom2: geom[1],
            geom,
            flex: sides.map(|side| side.flex),
            elem: sides.map(|side| side.elem),
            vert: sides.map(|side| side.vert),
            efc_address: -1,
            ..Contact::zeroed()
        };
        if m.opt.enabled(EnableBit::Override) {
            contact.friction = m.opt.o_friction.map(|f| f.max(MIN_FRICTION));
            contact.solref = m.opt.o_solref;
            contact.solreffriction = m.opt.o_solref;
            contact.solimp = m.opt.o_solimp;
        }
        contact
    }
}

/// A dimension that contacts can have: 1, 3, 4 or 6. Others, which only a program can write into a
/// model, count as the next one.
fn contact_dim(dim: i32) -> i32 {
    match dim {
        ..=1 => 1,
        2 | 3 => 3,
        4 => 4,
        _ => 6,
    }
}

/// The weight of the first surface.
fn mix_factor(mix1: Real, mix2: Real) -> Real {
    match (mix1 >= MIN_VAL, mix2 >= MIN_VAL) {
        (true, true) => mix1 / (mix1 + mix2),
        (false, false) => 0.5,
        (false, true) => 0.0,
        (true, false) => 1.0,
    }
}

fn least(a: Real, b: Real) -> Real {
    if a < b { a } else { b }
}
