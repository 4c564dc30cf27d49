//! Sleep: trees that came to rest are left out of the step until something wakes them.
//!
//! # State
//! `tree_asleep` is the only state; all other arrays and counts follow from it ([`update_sleep`]). A negative value is
//! that of an awake tree: it counts up from `-(1 + 10)` while the tree is at rest, and back to the beginning at once
//! when it moves; at -1 the tree may fall asleep. A value that is not negative is that of a sleeping tree: the number
//! of another one that fell asleep with it. Following these numbers leads round a *cycle* through all trees of what was
//! an island, and a tree alone points to itself.
//!
//! # Falling asleep
//! At the end of a step, before velocities advance. At rest is a tree without applied forces (`xfrc_applied`,
//! `qfrc_applied`) whose velocities, each times the length that makes it one of a point (`dof_length`), are below
//! `sleep_tolerance`. Trees of an island fall asleep together or not at all, since each carries the others. Velocity
//! and acceleration become zero, and what depends on them is computed once more, so that everything that stays is
//! consistent with rest.
//!
//! Policies, one for each tree: *never* stays awake, *allowed* follows the rule above, *auto never* and *auto allowed*
//! do the same by the compiler's choice; *init* begins asleep, which is an error where it touches something that does
//! not.
//!
//! # Waking up
//! A tree wakes its whole cycle. What wakes: a pose that changed from outside, or a velocity or applied force that is
//! not zero in all bits; an awake tree that touches, or is tied by an active equality or by a tendon at its limit; an
//! equality between two cycles that fell asleep apart; sleep being switched off. Whoever is woken by a contact or
//! tendon takes over the count of the one that woke it, so that a pile that something at rest touches does not start
//! again from the beginning; all others start anew.
//!
//! # What stays valid
//! While trees sleep, a stage works through lists of what is awake (`body_awake_ind`, `dof_awake_ind`,
//! `parent_awake_ind`), and what sleeps keeps its values: poses, inertia and its factor, which do not change at rest.
//! So do geoms of static bodies. Contacts among what sleeps are not looked for and have no rows. Lists are in ascending
//! order and never cut a tree in two, so that what is awake is computed with the same operations as if all were.
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

/// For how many steps a tree must be at rest (`mjMINAWAKE`): so that what turns round at the top of
/// its path, and hardly moves for a step or two, is not taken for something at rest.
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

/// Compute what is awake, as arrays, lists and counts, from `tree_asleep`. MuJoCo: `mj_updateSleep`.
pub fn update_sleep(m: &Model<impl Storage>, d: &mut World<'_>) {
    update(m, d, STATIC);
}

/// [`update_sleep`] with a given state of bodies that do not move: at reset they count as awake, to be computed once.
/// MuJoCo: `mj_updateSleepInit`.
fn update(m: &Model<impl Storage>, d: &mut World<'_>, of_static: i32) {
    let mut trees = 0;
    // trees: by the sign of their state
    for (awake, asleep) in d.tree_awake.iter_mut().zip(&*d.tree_asleep) {
        *awake = i32::from(*asleep < 0);
        trees += *awake;
    }
    // bodies: with their tree; those of no tree are static, but what hangs on a mocap body moves from outside
    let (mut bodies, mut parents) = (0, 0);
    for b in 0..m.nbody {
        d.body_awake[b] = match usize::try_from(m.body_treeid[b]) {
            Ok(tree) => d.tree_awake[tree],
            Err(_) if m.body_mocapid[m.body_root(b)] >= 0 => AWAKE,
            Err(_) => of_static,
        };
        // what does not move is visited with what is awake: sums run through it
        if d.body_awake[b] != ASLEEP {
            d.body_awake_ind[bodies] = b as i32;
            bodies += 1;
        }
        // a sleeping body whose parent is static still adds its mass to the sums of the parent
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
/// since it touches one that is awake, stays awake and is an error. MuJoCo: in `mj_resetData`.
pub(crate) fn initialize(m: &Model<impl Storage>, d: &mut World<'_>) -> Result<(), StepError> {
    d.tree_asleep.fill(FULLY_AWAKE);
    let mut outcome = Ok(());
    if m.opt.enabled(EnableBit::Sleep) {
        // everything is visited once, static bodies too
        update(m, d, AWAKE);
        if m.tree_sleep_policy.contains(&(SleepPolicy::Init as i32)) {
            outcome = begin_asleep(m, d);
        } else {
            // static bodies count as awake here: their poses are found now and kept
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
    // contacts and islands decide who must sleep together
    let outcome = forward_stage(m, d, Stage::None, true, &mut NoHooks);
    let begins = |tree: usize| m.sleep_policy(tree) == Some(SleepPolicy::Init);
    // those that begin asleep are ready at once, all others are not
    for tree in 0..m.ntree {
        d.tree_asleep[tree] = if begins(tree) { -1 } else { FULLY_AWAKE };
    }
    let slept = fall_asleep(m, d);
    // at rest nothing accelerates
    d.qacc_smooth.fill(0.0);
    d.qfrc_smooth.fill(0.0);
    // contacts stay, without rows; the other counts keep their values, as `mj_resetData` leaves them
    (d.head.nefc, d.head.nisland) = (0, 0);
    let count = d.ncon();
    for contact in &mut d.work.contact[..count] {
        contact.efc_address = -1;
    }
    outcome?;
    // whoever did not get to sleep moves, is pushed, or is held awake by someone in its island
    match (0..m.ntree).find(|tree| begins(*tree) && d.tree_asleep[*tree] < 0) {
        Some(tree) => Err(StepError::CannotSleep {
            asked: (0..m.ntree).filter(|tree| begins(*tree)).count(),
            slept,
            body: m.tree_bodyadr[tree] as usize,
        }),
        None => Ok(()),
    }
}
