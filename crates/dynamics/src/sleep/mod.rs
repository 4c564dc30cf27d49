//! Sleep: trees that came to rest are left out of the step until something wakes them.
//!
//! `tree_asleep` is the state. A negative value is that of an awake tree: it counts up from
//! `-(1 + 10)` while the tree is at rest, and at -1 the tree may fall asleep. Trees of one island
//! fall asleep together, and each then holds the number of the next, in a cycle. All other arrays
//! and counts follow from it ([`update_sleep`]) and tell the stages what to visit: while trees are
//! asleep, a stage works through lists of what is awake, and what sleeps keeps its values.
mod fall;
mod object;
mod visit;
mod wake;

use ferrodyn_model::{EnableBit, Model, SleepPolicy, SleepState, Stage, Storage};

use crate::data::Header;
use crate::forward::forward_stage;
use crate::hooks::NoHooks;
use crate::position::{camlight, com_pos, kinematics, tendon};
use crate::{StepError, World};

pub(crate) use fall::fall_asleep;
pub use object::sleep_state;
pub(crate) use object::{is_asleep, tendon_state};
pub(crate) use visit::{Bodies, awake_dofs, for_awake_dofs, rows_of};
pub(crate) use wake::{
    has_tendon_equality, wake_changed, wake_contacts, wake_equalities, wake_tendons,
};

/// For how many steps a tree must be at rest.
const MIN_AWAKE: i32 = 10;

/// The state of a tree that moves.
const FULLY_AWAKE: i32 = -(1 + MIN_AWAKE);

pub(crate) const ASLEEP: i32 = SleepState::Asleep as i32;
pub(crate) const AWAKE: i32 = SleepState::Awake as i32;
pub(crate) const STATIC: i32 = SleepState::Static as i32;

/// Are there sleeping trees, which the stages leave out?
#[inline]
pub(crate) fn some_asleep(m: &Model<impl Storage>, head: &Header) -> bool {
    m.opt.enabled(EnableBit::Sleep) && (head.ntree_awake as usize) < m.ntree
}

/// Compute what is awake, as arrays, lists and counts, from `tree_asleep`.
pub fn update_sleep(m: &Model<impl Storage>, d: &mut World<'_>) {
    update(m, d, STATIC);
}

/// The same with a given state of bodies that do not move.
fn update(m: &Model<impl Storage>, d: &mut World<'_>, of_static: i32) {
    let mut trees = 0;
    for (awake, asleep) in d.tree_awake.iter_mut().zip(&*d.tree_asleep) {
        *awake = i32::from(*asleep < 0);
        trees += *awake;
    }
    let (mut bodies, mut parents) = (0, 0);
    for b in 0..m.nbody {
        d.body_awake[b] = match usize::try_from(m.body_treeid[b]) {
            Ok(tree) => d.tree_awake[tree],
            Err(_) if m.body_mocapid[m.body_root(b)] >= 0 => AWAKE,
            Err(_) => of_static,
        };
        if d.body_awake[b] != ASLEEP {
            d.body_awake_ind[bodies] = b as i32;
            bodies += 1;
        }
        if b > 0 && d.body_awake[m.body_parent(b)] != ASLEEP {
            d.parent_awake_ind[parents] = b as i32;
            parents += 1;
        }
    }
    let mut dofs = 0;
    for i in 0..m.nv {
        if d.tree_awake[m.dof_treeid[i] as usize] != 0 {
            d.dof_awake_ind[dofs] = i as i32;
            dofs += 1;
        }
    }
    d.head.ntree_awake = trees;
    d.head.nbody_awake = bodies as i32;
    d.head.nparent_awake = parents as i32;
    d.head.nv_awake = dofs as i32;
}

/// The state of a world after a reset: all awake, but for the trees that begin asleep.
///
/// Everything that does not move is computed here, once. A tree that must begin asleep and cannot,
/// since it touches one that is awake, stays awake and is an error.
pub(crate) fn initialize(m: &Model<impl Storage>, d: &mut World<'_>) -> Result<(), StepError> {
    d.tree_asleep.fill(FULLY_AWAKE);
    let mut outcome = Ok(());
    if m.opt.enabled(EnableBit::Sleep) {
        update(m, d, AWAKE);
        if m.tree_sleep_policy.contains(&(SleepPolicy::Init as i32)) {
            outcome = begin_asleep(m, d);
        } else {
            kinematics(m, d);
            com_pos(m, d);
            camlight(m, d);
            tendon(m, d);
        }
    }
    update_sleep(m, d);
    outcome
}

/// Put the trees to sleep that begin so.
fn begin_asleep(m: &Model<impl Storage>, d: &mut World<'_>) -> Result<(), StepError> {
    let outcome = forward_stage(m, d, Stage::None, true, &mut NoHooks);
    let begins = |tree: usize| m.tree_sleep_policy[tree] == SleepPolicy::Init as i32;
    for tree in 0..m.ntree {
        d.tree_asleep[tree] = if begins(tree) { -1 } else { FULLY_AWAKE };
    }
    let slept = fall_asleep(m, d);
    d.qacc_smooth.fill(0.0);
    d.qfrc_smooth.fill(0.0);
    // contacts stay, without rows; the other counts keep their values, as in MuJoCo
    (d.head.nefc, d.head.nisland) = (0, 0);
    let count = d.ncon();
    for contact in &mut d.work.contact[..count] {
        contact.efc_address = -1;
    }
    outcome?;
    match (0..m.ntree).find(|tree| begins(*tree) && d.tree_asleep[*tree] < 0) {
        Some(tree) => Err(StepError::CannotSleep {
            asked: (0..m.ntree).filter(|tree| begins(*tree)).count(),
            slept,
            body: m.tree_bodyadr[tree] as usize,
        }),
        None => Ok(()),
    }
}
