//! The parameters of a contact, from two geoms or from an explicit pair.
use bytemuck::Zeroable;
use ferrodyn_math::{MIN_VAL, Real};
use ferrodyn_model::{Contact, EnableBit, Model, Storage};

/// Friction is at least this, since cones divide by it: MuJoCo's `mjMINMU`.
const MIN_FRICTION: Real = 1e-5;

/// The margin of a pair, or the one that overrides all. MuJoCo: `mj_assignMargin`.
pub(super) fn pair_margin(m: &Model<impl Storage>, margin: Real) -> Real {
    if m.opt.enabled(EnableBit::Override) { m.opt.o_margin } else { margin }
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

    /// Combined from two geoms: those of the higher priority, or a mixture. MuJoCo: `mj_contactParam`.
    pub(super) fn of_geoms(
        m: &Model<impl Storage>,
        g1: usize,
        g2: usize,
        margin: Real,
    ) -> ContactParams {
        let gap = m.geom_gap[g1] + m.geom_gap[g2];
        let (dim, solref, solimp, friction) = if m.geom_priority[g1] != m.geom_priority[g2] {
            let g = if m.geom_priority[g1] > m.geom_priority[g2] { g1 } else { g2 };
            (m.geom_condim[g], m.geom_solref[g], m.geom_solimp[g], m.geom_friction[g].0)
        } else {
            let mix = mix_factor(m.geom_solmix[g1], m.geom_solmix[g2]);
            let blend = |a: Real, b: Real| mix * a + (1.0 - mix) * b;
            let (ref1, ref2) = (m.geom_solref[g1], m.geom_solref[g2]);
            let solref = if ref1[0] > 0.0 && ref2[0] > 0.0 {
                [blend(ref1[0], ref2[0]), blend(ref1[1], ref2[1])]
            } else {
                [least(ref1[0], ref2[0]), least(ref1[1], ref2[1])]
            };
            let solimp =
                core::array::from_fn(|i| blend(m.geom_solimp[g1][i], m.geom_solimp[g2][i]));
            let friction =
                core::array::from_fn(|i| m.geom_friction[g1][i].max(m.geom_friction[g2][i]));
            (m.geom_condim[g1].max(m.geom_condim[g2]), solref, solimp, friction)
        };
        let [slide, spin, roll] = friction;
        ContactParams {
            dim,
            include_margin: margin - gap,
            solref,
            solref_friction: [0.0; 2],
            solimp,
            friction: [slide, slide, spin, roll, roll],
        }
    }

    /// A contact of the pair that has no place yet. MuJoCo: `mj_setContact`, with `mj_assignRef`, `mj_assignImp` and
    /// `mj_assignFriction`.
    pub(super) fn contact(&self, m: &Model<impl Storage>, g1: usize, g2: usize) -> Contact {
        let mut contact = Contact {
            includemargin: self.include_margin,
            friction: self.friction.map(|f| f.max(MIN_FRICTION)),
            solref: self.solref,
            solreffriction: self.solref_friction,
            solimp: self.solimp,
            dim: contact_dim(self.dim),
            geom1: g1 as i32,
            geom2: g2 as i32,
            geom: [g1 as i32, g2 as i32],
            flex: [-1; 2],
            elem: [-1; 2],
            vert: [-1; 2],
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

/// The weight of the first geom.
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
