//! Which worlds can have constraint rows. The others need neither contacts nor a solver: they move as their smooth forces say.
use ferrodyn_math::Mask;
use ferrodyn_model::{DisableBit, Model, Storage};

use crate::World;
use crate::constraint::near_limit;
use crate::contact::can_meet;
use crate::data::Lane;

/// What rows of a model come from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows {
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
        Rows {
            any: on(DisableBit::Equality) && m.neq > 0
                || on(DisableBit::FrictionLoss) && friction().any(|x| *x != 0.0)
                || on(DisableBit::Contact) && can_meet(m),
            limits: on(DisableBit::Limit) && limits().any(|x| *x != 0),
        }
    }

    /// Are there no other rows than those of limits?
    pub(super) fn only_limits(&self) -> bool {
        !self.any
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
