//! How many worlds of a model go abreast best.
use ferrodyn_model::{Integrator, Model};

use super::rows::Rows;
use super::{Group, supports};

/// A group of the size in which worlds of a model go fastest.
///
/// ```
/// use ferrodyn_dynamics::lanes::Best;
/// # use ferrodyn_model::{EnableBit, Model, Sizes};
/// # let mut model = Model::zeroed(Sizes { nbody: 1, ..Sizes::default() });
/// # model.body_mocapid[0] = -1;
/// # model.body_treeid[0] = -1;
/// assert!(matches!(Best::of(&model), Best::Eight(_)));
/// model.opt.enableflags |= EnableBit::Sleep as i32;
/// assert!(matches!(Best::of(&model), Best::Alone));
/// ```
#[derive(Debug)]
pub enum Best {
    /// One after the other.
    Alone,
    /// Where each of them may have contacts or rows of bodies, which need much memory of their own.
    Four(Group<1>),
    /// Where there are no other rows than those of joints and tendons.
    Eight(Group<2>),
}

impl Best {
    /// Most worlds that go at once.
    pub const MOST: usize = Group::<2>::WORLDS;

    /// That of a model.
    pub fn of(m: &Model) -> Best {
        match best_of(m) {
            8 => Group::new(m).map_or(Best::Alone, Best::Eight),
            4 => Group::new(m).map_or(Best::Alone, Best::Four),
            _ => Best::Alone,
        }
    }

    /// How many worlds go at once.
    pub fn worlds(&self) -> usize {
        match self {
            Best::Alone => 1,
            Best::Four(_) => Group::<1>::WORLDS,
            Best::Eight(_) => Group::<2>::WORLDS,
        }
    }
}

/// Do worlds of a model gain when they go abreast? With the implicit integrator, most of a step is done world by world.
pub fn gain(m: &Model) -> bool {
    m.integrator() != Integrator::Implicit && supports(m).is_ok()
}

/// How many worlds of a model go at once in their [`Best`] group.
pub fn best_of(m: &Model) -> usize {
    match gain(m) {
        false => 1,
        true if Rows::new(m).only_of_joints() => 8,
        true => 4,
    }
}

/// How many of the worlds that are left go next: a group, or one alone, since fewer than half a group are quicker one after the other.
pub fn next_of(left: usize, group: usize) -> usize {
    if 2 * left >= group { left.min(group) } else { left.min(1) }
}
