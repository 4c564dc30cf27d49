//! Which trees, bodies and degrees of freedom are awake.
use ferrodyn_model::{Model, SleepState};

use crate::World;

/// A tree that moved less than this many steps ago stays awake.
const MIN_AWAKE: i32 = 10;

/// Mark everything as awake and list it.
pub(crate) fn wake_all(m: &Model, d: &mut World<'_>) {
    d.tree_asleep.fill(-(1 + MIN_AWAKE));
    d.tree_awake.fill(1);
    let mut parents = 0;
    for b in 0..m.nbody {
        let moves = m.body_treeid[b] >= 0 || m.body_mocapid[m.body_rootid[b] as usize] >= 0;
        d.body_awake[b] = if moves { SleepState::Awake as i32 } else { SleepState::Static as i32 };
        d.body_awake_ind[b] = b as i32;
        if b > 0 {
            d.parent_awake_ind[parents] = b as i32;
            parents += 1;
        }
    }
    for i in 0..m.nv {
        d.dof_awake_ind[i] = i as i32;
    }
    d.head.ntree_awake = m.ntree as i32;
    d.head.nbody_awake = m.nbody as i32;
    d.head.nparent_awake = parents as i32;
    d.head.nv_awake = m.nv as i32;
}
