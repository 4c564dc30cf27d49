//! Which worlds can have constraint rows. The others need neither contacts nor a solver: they move as their smooth forces say.
use ferrodyn_math::Mask;
use ferrodyn_model::{DisableBit, EqualityType, Model, Storage};

use crate::World;
use crate::constraint::near_limit;
use crate::contact::can_meet;
use crate::data::Lane;

/// What rows of a model come from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows {
    /// Contacts, for which geoms have to be where they are.
    pub(super) contacts: bool,
    /// Equalities of points and frames of bodies.
    pub(super) frames: bool,
    /// Contacts, equalities, dry friction: what only the world itself can tell.
    any: bool,
    /// Limits of joints and tendons.
    limits: bool,
}

impl Rows {
    pub(super) fn new(m: &Model<impl Storage>) -> Rows {
        let on = |bit: DisableBit| !m.opt.disabled(DisableBit::Constraint) && !m.opt.disabled(bit);
        let friction = || m.dof_frictionloss.iter().chain(&m.tendon_frictionloss[..]);
        let limits = || m.jnt_limited.iter().chain(&m.tendon_limited[..]);
        let contacts = on(DisableBit::Contact) && can_meet(m);
        let equalities = on(DisableBit::Equality) && m.neq > 0;
        let of_numbers = [EqualityType::Joint as i32, EqualityType::Tendon as i32];
        Rows {
            contacts,
            frames: equalities && m.eq_type.iter().any(|kind| !of_numbers.contains(kind)),
            any: contacts
                || equalities
                || on(DisableBit::FrictionLoss) && friction().any(|x| *x != 0.0),
            limits: on(DisableBit::Limit) && limits().any(|x| *x != 0),
        }
    }

    /// Are there no other rows than those of joints and tendons?
    pub(super) fn only_of_joints(&self) -> bool {
        !(self.contacts || self.frames)
    }

    /// The worlds that may have rows at their configuration.
    #[inline]
    pub(super) fn possible<T: Lane>(&self, m: &Model<impl Storage>, d: &World<'_, T>) -> T::Mask {
        if self.any {
            T::Mask::of(true)
        } else if self.limits {
            near_limit(m, d)
        } else {
            T::Mask::of(false)
        }
    }
}
