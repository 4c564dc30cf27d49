//! Waking up: what a user changed, contacts, limits of tendons, and equality constraints.
//!
//! Each of these updates the lists where it woke a tree, and says whether it did.
use ferrodyn_model::{EnableBit, Model, Storage};

use super::fall::can_sleep;
use super::{FULLY_AWAKE, update_sleep};
use crate::constraint::kind::Tie;
use crate::constraint::sides::geom_bodies;
use crate::{StepError, World};

/// Wake a tree and all trees of its cycle; one that is awake already stays so for longer. Returns
/// how many woke. MuJoCo: `mj_wakeTree`.
fn wake_tree(tree_asleep: &mut [i32], tree: usize, state: i32) -> usize {
    // the smaller count is the longer way to sleep
    if tree_asleep[tree] < 0 {
        tree_asleep[tree] = tree_asleep[tree].min(state);
        return 0;
    }
    // round the cycle
    let mut woken = 0;
    let mut current = tree;
    // every visited tree is awake afterwards, so that this ends on any contents of the array
    while let Ok(next) = usize::try_from(tree_asleep[current]) {
        tree_asleep[current] = state;
        woken += 1;
        current = next.min(tree_asleep.len() - 1);
    }
    woken
}

/// The smallest tree of the cycle that a sleeping tree is in: two trees are in one cycle where it agrees.
/// MuJoCo: `mj_sleepCycle`.
fn cycle(tree_asleep: &[i32], tree: usize) -> usize {
    let mut smallest = tree;
    let mut current = tree;
    // no cycle is longer than the number of trees; one that does not close ends here
    for _ in 0..tree_asleep.len() {
        match usize::try_from(tree_asleep[current]) {
            Ok(next) if next < tree_asleep.len() => current = next,
            _ => break,
        }
        if current == tree {
            break;
        }
        smallest = smallest.min(current);
    }
    smallest
}

/// Update the lists if trees woke.
fn finish(m: &Model<impl Storage>, d: &mut World<'_>, woken: usize) -> bool {
    if woken > 0 {
        update_sleep(m, d);
    }
    woken > 0
}

/// Wake trees that were moved or pushed from outside; all of them where sleep was switched off.
///
/// The kinematics stage marks trees whose pose differs from the one in which they fell asleep. MuJoCo: `mj_wake`.
pub(crate) fn wake_changed(m: &Model<impl Storage>, d: &mut World<'_>) -> bool {
    let mut woken = 0;
    if !m.opt.enabled(EnableBit::Sleep) {
        if (d.head.ntree_awake as usize) < m.ntree {
            woken = m.ntree;
            d.tree_asleep.fill(FULLY_AWAKE);
        }
        return finish(m, d, woken);
    }
    // a changed pose, velocity or applied force
    for tree in 0..m.ntree {
        if d.tree_asleep[tree] >= 0 && (d.tree_awake[tree] != 0 || !can_sleep(m, d, tree, 0.0)) {
            woken += wake_tree(d.tree_asleep, tree, FULLY_AWAKE);
        }
    }
    finish(m, d, woken)
}

/// Of two trees of which one is awake: wake the other, to the state of the first, so that both can fall asleep again at
/// the same time.
fn spread(d: &mut World<'_>, trees: [usize; 2]) -> usize {
    let [awake, asleep] = if d.tree_awake[trees[0]] != 0 { trees } else { [trees[1], trees[0]] };
    let state = d.tree_asleep[awake];
    wake_tree(d.tree_asleep, asleep, state)
}

/// Wake sleeping trees that awake trees touch. The caller looks for contacts again if so. MuJoCo: `mj_wakeCollision`.
pub(crate) fn wake_contacts(m: &Model<impl Storage>, d: &mut World<'_>) -> bool {
    if !m.opt.enabled(EnableBit::Sleep) {
        return false;
    }
    let mut woken = 0;
    for i in 0..d.ncon() {
        // what does not move wakes nobody
        let Some(bodies) = geom_bodies(m, &d.work.contact[i]) else { continue };
        let tree = |body: usize| usize::try_from(m.body_treeid[body]).ok();
        let [Some(first), Some(second)] = bodies.map(tree) else { continue };
        let trees = [first, second];
        // one awake, one asleep: within a cycle, or between two that are awake, there is nothing to do
        if (d.tree_awake[trees[0]] != 0) != (d.tree_awake[trees[1]] != 0) {
            woken += spread(d, trees);
        }
    }
    finish(m, d, woken)
}

/// Wake sleeping trees that a tendon at its limit ties to awake trees. MuJoCo: `mj_wakeTendon`.
pub(crate) fn wake_tendons(m: &Model<impl Storage>, d: &mut World<'_>) -> bool {
    if !m.opt.enabled(EnableBit::Sleep) {
        return false;
    }
    let mut woken = 0;
    for t in 0..m.ntendon {
        if m.tendon_treenum[t] != 2 || m.tendon_limited[t] == 0 {
            continue;
        }
        // the limit acts from its margin on
        let [low, high] = m.tendon_range[t];
        let length = d.ten_length[t];
        let distance = (length - low).min(high - length);
        let trees = m.tendon_treeid[t].map(|tree| tree as usize);
        if distance < m.tendon_margin[t]
            && (d.tree_awake[trees[0]] != 0) != (d.tree_awake[trees[1]] != 0)
        {
            woken += spread(d, trees);
        }
    }
    finish(m, d, woken)
}

/// Does a constraint tie something to a mocap body, which is always awake?
fn holds_mocap(m: &Model<impl Storage>, tie: &Tie) -> bool {
    let bodies = tie.ends().filter(|_| m.nmocap > 0).map(|ends| ends.bodies);
    bodies
        .into_iter()
        .flatten()
        .any(|body| m.body_treeid[body] < 0 && m.body_mocapid[m.body_root(body)] >= 0)
}

/// Wake sleeping trees that an active equality constraint ties to awake trees, or to trees that
/// fell asleep apart from them.
///
/// Two cases are extensions, in which MuJoCo stops with an error: equality of tendons, and a sleeping tree that is tied to a mocap body, which wakes
/// it. Equality of flexes is an error here too. MuJoCo: `mj_wakeEquality`.
pub(crate) fn wake_equalities(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
) -> Result<bool, StepError> {
    if !m.opt.enabled(EnableBit::Sleep) {
        return Ok(false);
    }
    let mut woken = 0;
    for i in 0..m.neq {
        if d.eq_active[i] == 0 {
            continue;
        }
        let Some(tie) = Tie::of(m, i) else { continue };
        if matches!(tie, Tie::Edges(_) | Tie::Strains(_)) {
            return Err(StepError::Unsupported("sleep together with equality of flexes"));
        }
        // one sleeping tree is enough to ask; all trees of the tie have to be in its cycle
        let trees = tie.tied_trees(m);
        let moving = || trees.iter().filter_map(|tree| usize::try_from(*tree).ok());
        let asleep = |tree: &usize| d.tree_awake[*tree] == 0;
        let Some(first) = moving().find(asleep) else { continue };
        let apart = holds_mocap(m, &tie)
            || moving().any(|tree| {
                !asleep(&tree) || cycle(d.tree_asleep, tree) != cycle(d.tree_asleep, first)
            });
        if apart {
            for tree in moving().filter(|tree| d.tree_awake[*tree] == 0) {
                woken += wake_tree(d.tree_asleep, tree, FULLY_AWAKE);
            }
        }
    }
    Ok(finish(m, d, woken))
}

/// Is there an active equality of tendons?
pub(crate) fn has_tendon_equality(m: &Model<impl Storage>, d: &World<'_>) -> bool {
    (0..m.neq).any(|i| d.eq_active[i] != 0 && matches!(Tie::of(m, i), Some(Tie::Tendons(..))))
}
