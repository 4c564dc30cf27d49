//! Collision detection: which geoms touch, and where; distances between geoms, and rays.
//!
//! Pairs of bodies come from the broadphase, pairs of geoms from their bounding-volume trees;
//! explicit pairs of the model are put between them in the order of their bodies.
mod broadphase;
mod distance;
mod geom;
mod midphase;
mod narrow;
mod params;
mod ray;
mod sdf;
#[cfg(test)]
mod tests;

use alloc::{boxed::Box, vec};

use bytemuck::Zeroable;
use ferrodyn_math::{Stack, StackFull, words_of};
use ferrodyn_model::{DisableBit, Model, Sizes, Storage};

use crate::hooks::Hooks;
use crate::work::WorkSizes;
use crate::{StepError, World};
use broadphase::{Ends, Found};
use narrow::Narrow;

pub(crate) use distance::distance;
pub use distance::geom_distance;
pub(crate) use narrow::distance_words;
pub use narrow::geom_contacts;
pub(crate) use ray::each_ray;
pub use ray::{RayError, RayFilter, RayHit, multi_ray, ray, ray_geom, ray_hfield, ray_mesh};
pub(crate) use sdf::{read_shape, tactile_field};

/// What collision detection keeps from step to step. It decides how long the next step takes, not what it finds.
#[derive(Clone, Debug)]
pub(crate) struct CollisionMemory {
    /// Both ends of all extents, in the order of the last sweep: that of the next one is nearly the same, and to keep it is
    /// much quicker than to sort anew.
    ends: Box<[Ends]>,
    /// How many of them the last sweep had.
    swept: usize,
    /// Room for pairs of bodies. There is no good bound, so that a step that finds more makes room for them.
    pairs: usize,
}

impl CollisionMemory {
    pub(crate) fn new(sizes: &Sizes) -> CollisionMemory {
        let ends = vec![Ends::zeroed(); 2 * sizes.nbody].into_boxed_slice();
        CollisionMemory { ends, swept: 0, pairs: PAIRS_PER_BODY * sizes.nbody }
    }

    /// Bytes of memory, without those of the struct itself.
    pub(crate) fn size(&self) -> usize {
        size_of_val(&self.ends[..])
    }
}

/// A first guess: a body in a heap is close to a few others.
const PAIRS_PER_BODY: usize = 4;

/// What to leave out among the geoms of two bodies: explicit pairs that were already tested.
#[derive(Clone, Copy)]
struct Tested {
    from: usize,
    to: usize,
}

impl Tested {
    fn contains(&self, m: &Model<impl Storage>, g1: usize, g2: usize) -> bool {
        (self.from..self.to).any(|k| {
            let pair = (m.pair_geom1[k] as usize, m.pair_geom2[k] as usize);
            pair == (g1, g2) || pair == (g2, g1)
        })
    }
}

/// Both bodies in one number, as explicit pairs and exclusions store them.
fn signature(b1: u32, b2: u32) -> u32 {
    (b1 << 16).wrapping_add(b2)
}

/// Find all contacts.
pub fn collision<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    hooks: &mut impl Hooks<S>,
) -> Result<(), StepError> {
    if m.opt.disabled(DisableBit::Constraint) || m.opt.disabled(DisableBit::Contact) || m.nbody < 2
    {
        forget_contacts(m, d);
        return Ok(());
    }
    let needs = Needs { nodes: midphase::most_nodes(m), solver: narrow::needs_solver(m) };
    loop {
        let pairs = d.collision.pairs;
        let narrow = words_of::<[u32; 2]>(needs.nodes) + narrow::words(m, needs.solver);
        let words = words_of::<u64>(pairs) + broadphase::words(m, pairs).max(narrow);
        let search =
            |d: &mut World<'_>, stack: Stack<'_>| find_contacts(m, d, stack, &needs, hooks);
        match d.with_stack(words, search)?? {
            Found::All(_) if d.head.ncon as usize <= d.work.contact.len() => return Ok(()),
            Found::All(_) => {
                // the world could not grow, and contacts past its end were only counted
                let ncon = core::mem::take(&mut d.head.ncon) as usize;
                d.reserve(&WorkSizes { ncon, ..WorkSizes::default() })?;
            }
            Found::More(count) => d.collision.pairs = count.max(2 * pairs),
        }
    }
}

/// What the memory for contacts depends on, beside the number of pairs.
struct Needs {
    /// Pairs of nodes.
    nodes: usize,
    /// Is there a pair that needs the convex method?
    solver: bool,
}

/// Forget the contacts of the last step.
fn forget_contacts(m: &Model<impl Storage>, d: &mut World<'_>) {
    d.head.ncon = 0;
    if m.vis.global.bvactive != 0 {
        d.bvh_active.fill(0);
    }
}

/// Write all contacts that there is room for, and count all, unless there is too little room for pairs of bodies: then nothing is
/// changed.
fn find_contacts<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    mut stack: Stack<'_>,
    needs: &Needs,
    hooks: &mut impl Hooks<S>,
) -> Result<Found, StackFull> {
    let pairs = stack.take(d.collision.pairs)?;
    let found = broadphase::broadphase(m, d, pairs, stack.scope())?;
    let Found::All(count) = found else { return Ok(found) };
    if count == 0 && m.npair == 0 {
        forget_contacts(m, d);
        return Ok(found);
    }
    let body_pairs = &pairs[..count];
    let nodes = stack.take(needs.nodes)?;
    let mut memory = Narrow::new(m, &mut stack, needs.solver)?;
    forget_contacts(m, d);

    let mut next_pair = 0;
    for &pair in body_pairs {
        let (b1, b2) = ((pair >> 32) as u32, pair as u32);
        let signature = signature(b1, b2);
        let first_pair = next_pair;
        while next_pair < m.npair && m.pair_signature[next_pair] as u32 <= signature {
            narrow::collide_pair(m, d, &mut memory, next_pair);
            next_pair += 1;
        }
        if m.exclude_signature.iter().any(|s| *s as u32 == signature) {
            continue;
        }
        let tested = Tested { from: first_pair, to: next_pair };
        collide_bodies(m, d, &mut memory, nodes, b1 as usize, b2 as usize, tested, hooks);
    }
    for pair in next_pair..m.npair {
        narrow::collide_pair(m, d, &mut memory, pair);
    }
    Ok(found)
}

/// The geoms of two bodies against each other.
fn collide_bodies<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    memory: &mut Narrow<'_>,
    nodes: &mut [[u32; 2]],
    b1: usize,
    b2: usize,
    tested: Tested,
    hooks: &mut impl Hooks<S>,
) {
    let trees = m.body_bvhadr[b1] >= 0 && m.body_bvhadr[b2] >= 0;
    let single = m.body_geomnum[b1] == 1 && m.body_geomnum[b2] == 1;
    if !single && trees && !m.opt.disabled(DisableBit::Midphase) {
        midphase::collide_trees(m, d, memory, nodes, [b1, b2], tested, hooks);
        return;
    }
    let geoms = |b: usize| {
        let start = m.body_geomadr[b] as usize;
        start..start + m.body_geomnum[b] as usize
    };
    for g1 in geoms(b1) {
        for g2 in geoms(b2) {
            narrow::collide_untested(m, d, memory, g1, g2, tested, hooks);
        }
    }
}
