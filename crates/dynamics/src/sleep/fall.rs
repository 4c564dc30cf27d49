//! Falling asleep.
//!
//! A tree at rest counts steps; an island whose trees all have counted to the end falls asleep as one. See the
//! [module](super) for the rules.
use ferrodyn_math::Real;
use ferrodyn_model::{EnableBit, Model, SleepPolicy, Storage};

use super::FULLY_AWAKE;
use crate::World;

/// Are all bits of the numbers zero? A negative zero counts as a change that a user made. MuJoCo: `mju_isZeroByte`.
fn all_zero<'a>(values: impl IntoIterator<Item = &'a Real>) -> bool {
    values.into_iter().fold(0, |bits, x| bits | x.to_bits()) == 0
}

/// May the tree sleep: is it allowed to, without applied forces, and slower than `tolerance`?
///
/// With a tolerance of zero it must not move at all. MuJoCo: `treeCanSleep`.
pub(super) fn can_sleep(
    m: &Model<impl Storage>,
    d: &World<'_>,
    tree: usize,
    tolerance: Real,
) -> bool {
    let policy = m.tree_sleep_policy[tree];
    if policy == SleepPolicy::Never as i32 || policy == SleepPolicy::AutoNever as i32 {
        return false;
    }
    let (bodies, dofs) = (m.tree_bodies(tree), m.tree_dofs(tree));
    // someone pushes
    if !all_zero(d.xfrc_applied[bodies].as_flattened()) || !all_zero(&d.qfrc_applied[dofs.clone()])
    {
        return false;
    }
    // whoever sleeps has velocities of exactly zero: anything else was written from outside
    if tolerance == 0.0 {
        return all_zero(&d.qvel[dofs]);
    }
    // the largest velocity, rotations times the length of what they move
    let mut speed: Real = 0.0;
    for (v, length) in d.qvel[dofs.clone()].iter().zip(&m.dof_length[dofs]) {
        speed = speed.max(length * v.abs());
        if speed >= tolerance {
            return false;
        }
    }
    true
}

/// Put a group of trees to sleep as one cycle: each names the next, the last one the first. MuJoCo: `sleepTrees`.
fn put_to_sleep(m: &Model<impl Storage>, d: &mut World<'_>, trees: &[i32]) {
    for (i, &tree) in trees.iter().enumerate() {
        let next = trees.get(i + 1).unwrap_or(&trees[0]);
        d.tree_asleep[tree as usize] = *next;
        let dofs = m.tree_dofs(tree as usize);
        d.qvel[dofs.clone()].fill(0.0);
        d.qacc[dofs].fill(0.0);
    }
}

/// Put islands to sleep that have been at rest for long enough, and trees that no constraint
/// touches. Returns how many trees fell asleep; the caller has to update the lists. MuJoCo: `mj_sleep`.
pub(crate) fn fall_asleep(m: &Model<impl Storage>, d: &mut World<'_>) -> usize {
    if !m.opt.enabled(EnableBit::Sleep) {
        return 0;
    }
    // with rows but without islands it is not known what carries what: all stay awake
    let with_islands = d.head.nisland > 0;
    if d.head.nefc > 0 && !with_islands {
        return 0;
    }
    // count up to -1 at rest, back to the start otherwise
    for tree in 0..m.ntree {
        let state = d.tree_asleep[tree];
        if state < 0 {
            d.tree_asleep[tree] = if can_sleep(m, d, tree, m.opt.sleep_tolerance) {
                (state + 1).min(-1)
            } else {
                FULLY_AWAKE
            };
        }
    }
    let mut slept = 0;
    if with_islands {
        let order = core::mem::take(&mut d.work.map_itree2tree);
        // islands: all or none
        let mut end = 0;
        for island in 0..d.nisland() {
            let start = d.work.island_itreeadr[island] as usize;
            end = start + d.work.island_ntree[island] as usize;
            let trees = &order[start..end];
            // one tree that still counts keeps all others awake
            if trees.iter().all(|tree| d.tree_asleep[*tree as usize] == -1) {
                put_to_sleep(m, d, trees);
                slept += trees.len();
            }
        }
        // after the islands come the trees that no constraint touches
        for tree in &order[end..] {
            slept += sleep_alone(m, d, *tree);
        }
        d.work.map_itree2tree = order;
    } else {
        for tree in 0..m.ntree as i32 {
            slept += sleep_alone(m, d, tree);
        }
    }
    slept
}

/// Put one tree to sleep if it is ready; how many fell asleep?
fn sleep_alone(m: &Model<impl Storage>, d: &mut World<'_>, tree: i32) -> usize {
    if d.tree_asleep[tree as usize] != -1 {
        return 0;
    }
    put_to_sleep(m, d, &[tree]);
    1
}
