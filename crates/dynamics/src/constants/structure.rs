//! What follows from the structure of a model alone.
use alloc::{vec, vec::Vec};

use ferrodyn_model::{Model, SleepPolicy, TransmissionType, WrapType};

/// What does not depend on the configuration.
pub(super) fn set_fixed(m: &mut Model) {
    m.body_subtreemass.copy_from_slice(&m.body_mass);
    for b in (1..m.nbody).rev() {
        let mass = m.body_subtreemass[b];
        m.body_subtreemass[m.body_parent(b)] += mass;
    }
    m.sizes.ngravcomp = m.body_gravcomp.iter().filter(|&&g| g > 0.0).count();

    for b in 0..m.nbody {
        let weld = m.body_weld(b);
        m.body_treeid[b] = match m.body_dofnum[weld] {
            0 => -1,
            _ => m.dof_treeid[m.body_dofadr[weld] as usize],
        };
    }
    let body_trees: Vec<i32> = m.body_treeid.to_vec();
    runs(&body_trees, &mut m.tree_bodyadr, &mut m.tree_bodynum);
    let dof_trees: Vec<i32> = m.dof_treeid.to_vec();
    runs(&dof_trees, &mut m.tree_dofadr, &mut m.tree_dofnum);

    set_tendon_trees(m);
    forbid_sleep(m);
    for policy in &mut m.tree_sleep_policy {
        if *policy == SleepPolicy::Auto as i32 {
            *policy = SleepPolicy::AutoAllowed as i32;
        }
    }
}

/// First index and number of the members of each tree, trees being numbered in order of appearance.
fn runs(trees: &[i32], adr: &mut [i32], num: &mut [i32]) {
    num.fill(0);
    let mut current = -1;
    for (i, &tree) in trees.iter().enumerate() {
        if tree < 0 {
            continue;
        }
        if tree > current {
            current += 1;
            adr[current as usize] = i as i32;
        }
        num[current as usize] += 1;
    }
}

/// The tree that an element of a tendon's path belongs to.
fn wrap_tree(m: &Model, w: usize) -> Option<usize> {
    let object = m.wrap_objid[w].max(0) as usize;
    let body = match m.wrap_kind(w) {
        Some(WrapType::Joint) => m.jnt_bodyid[object],
        Some(WrapType::Site) => m.site_bodyid[object],
        Some(WrapType::Sphere | WrapType::Cylinder) => m.geom_bodyid[object],
        Some(WrapType::None | WrapType::Pulley) | None => return None,
    };
    usize::try_from(m.body_treeid[body as usize]).ok()
}

/// How many trees each tendon connects, and the first two of them.
fn set_tendon_trees(m: &mut Model) {
    for t in 0..m.ntendon {
        let mut seen = vec![false; m.ntree];
        m.tendon_treenum[t] = 0;
        m.tendon_treeid[t] = [-1, -1];
        for w in m.tendon_path(t) {
            let Some(tree) = wrap_tree(m, w) else { continue };
            if !core::mem::replace(&mut seen[tree], true) {
                let count = m.tendon_treenum[t] as usize;
                if let Some(slot) = m.tendon_treeid[t].get_mut(count) {
                    *slot = tree as i32;
                }
                m.tendon_treenum[t] += 1;
            }
        }
    }
}

/// Trees that actuators drive, or that springs and dampers of tendons tie together, do not fall
/// asleep of themselves.
fn forbid_sleep(m: &mut Model) {
    let mut awake: Vec<usize> = Vec::new();
    for i in 0..m.nu {
        let target = m.actuator_trnid[i][0].max(0) as usize;
        let body = match m.transmission_kind(i) {
            Some(TransmissionType::Joint | TransmissionType::JointInParent) => m.jnt_bodyid[target],
            Some(TransmissionType::Site | TransmissionType::SliderCrank) => m.site_bodyid[target],
            Some(TransmissionType::Body) => target as i32,
            Some(TransmissionType::Tendon) => {
                awake.extend(m.tendon_path(target).filter_map(|w| wrap_tree(m, w)));
                continue;
            }
            Some(TransmissionType::Undefined) | None => continue,
        };
        awake.extend(usize::try_from(m.body_treeid[body as usize]));
    }
    for t in 0..m.ntendon {
        let trees = m.tendon_treenum[t];
        let passive = m.tendon_stiffness[t] != 0.0 || m.tendon_damping[t] != 0.0;
        if trees > 2 || (trees == 2 && passive) {
            awake.extend(m.tendon_path(t).filter_map(|w| wrap_tree(m, w)));
        }
    }
    // bodies of flexes stay awake
    for f in 0..m.nflex {
        let bodies = if m.flex_interp[f] != 0 {
            let first = m.flex_nodeadr[f] as usize;
            &m.flex_nodebodyid[first..first + m.flex_nodenum[f] as usize]
        } else {
            let first = m.flex_vertadr[f] as usize;
            &m.flex_vertbodyid[first..first + m.flex_vertnum[f] as usize]
        };
        let trees = bodies.iter().map(|b| m.body_treeid[b.max(&0).unsigned_abs() as usize]);
        awake.extend(trees.filter_map(|tree| usize::try_from(tree).ok()));
    }
    for tree in awake {
        let policy = &mut m.tree_sleep_policy[tree];
        if *policy == SleepPolicy::Auto as i32 {
            *policy = SleepPolicy::AutoNever as i32;
        }
    }
}
