//! Collision detection: which geoms touch, and where; distances between geoms, and rays.
//!
//! Three sieves, each finer and more costly than the one before:
//!
//! 1. `broadphase`: boxes around bodies are swept along one axis of the scene; what overlaps there is a pair of bodies. The
//!    world and fixed planes are paired with everything.
//! 2. `midphase`: the bounding-volume trees of two bodies are descended together, down to pairs of geoms whose boxes overlap.
//! 3. `narrow`: the shapes themselves (crate `ferrodyn-collision`), which give contact points, normals and depths.
//!
//! Flexes take part in all of them (`flex`, `element`), and collide with themselves at the end.
//!
//! Explicit pairs of the model are put between the pairs of bodies in the order of their bodies, and are not tested again.
//! Contacts come in MuJoCo's order, which decides the order of rows and with it the last bits of a step.
mod broadphase;
mod distance;
mod element;
mod flex;
mod geom;
mod marks;
mod midphase;
mod narrow;
mod params;
mod ray;
mod ray_flex;
mod sdf;
mod separation;
#[cfg(test)]
mod tests;

use ferrodyn_math::{Stack, StackFull, words_of};
use ferrodyn_model::{DisableBit, Model, Sizes, Storage};

use crate::data::work::WorkSizes;
use crate::hooks::Hooks;
use crate::{StepError, World};
use broadphase::Found;

use narrow::Narrow;

pub(crate) use distance::distance;
pub use distance::geom_distance;
#[cfg(feature = "deformable")]
pub(crate) use geom::{convex_settings, height_field, mesh_shape, pose};
pub(crate) use marks::{ANY_MARKED, most_marks};
pub(crate) use narrow::distance_words;
#[cfg(feature = "alloc")]
pub use narrow::geom_contacts;
pub use ray::{RayFilter, RayHit, multi_ray, ray, ray_geom, ray_hfield, ray_mesh};
pub(crate) use ray::{each_ray, ray_words};
pub use ray_flex::ray_flex;
#[cfg(feature = "deformable")]
pub(crate) use sdf::sdf_field;
pub(crate) use sdf::{read_shape, tactile_field};
pub(crate) use separation::separation_slots;

/// A first guess of how many others a body is close to. Any small number would do: the room grows where it is too little.
const PAIRS_PER_BODY: usize = 4;

/// Room for pairs of bodies at first.
pub(crate) fn first_pairs(sizes: &Sizes) -> usize {
    PAIRS_PER_BODY * (sizes.nbody + sizes.nflex)
}

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

/// Both bodies in one number, as explicit pairs and exclusions store them: 16 bits each. The compiler allows 65,533 bodies
/// (`MAX_BODIES`).
fn signature(b1: u32, b2: u32) -> u32 {
    (b1 << 16).wrapping_add(b2)
}

/// Pairs of bodies that are excluded, asked for in ascending order.
struct Excluded<'a> {
    /// Those that were not passed yet.
    rest: &'a [i32],
    /// The compiler sorts them; a program may have changed them.
    sorted: bool,
}

impl<'a> Excluded<'a> {
    fn new(signatures: &'a [i32]) -> Self {
        Excluded { rest: signatures, sorted: signatures.is_sorted_by_key(|s| *s as u32) }
    }

    fn contains(&mut self, signature: u32) -> bool {
        if !self.sorted {
            return self.rest.iter().any(|s| *s as u32 == signature);
        }
        while let [first, rest @ ..] = self.rest
            && (*first as u32) < signature
        {
            self.rest = rest;
        }
        self.rest.first().is_some_and(|first| *first as u32 == signature)
    }
}

/// What collision detection is to find.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Contacts,
    /// Only the marks of nodes: contacts stay as they are.
    Marks,
}

/// Is there nothing that could touch?
fn cannot_collide(m: &Model<impl Storage>) -> bool {
    m.opt.disabled(DisableBit::Constraint)
        || m.opt.disabled(DisableBit::Contact)
        || m.nbody + m.flex_count() < 2
        // a single geom has nothing to meet
        || (m.ngeom < 2 && m.flex_count() == 0)
}

/// Can anything ever touch?
#[cfg(feature = "alloc")]
pub(crate) fn can_meet(m: &Model<impl Storage>) -> bool {
    !cannot_collide(m) && (m.npair > 0 || broadphase::any_pair(m))
}

/// Find all contacts. MuJoCo: `mj_collision`.
pub fn collision<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    hooks: &mut impl Hooks<S>,
) -> Result<(), StepError> {
    d.kept.searched = 1;
    if cannot_collide(m) {
        forget_contacts(m, d);
        return Ok(());
    }
    search(m, d, Purpose::Contacts, hooks)
}

fn search<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    purpose: Purpose,
    hooks: &mut impl Hooks<S>,
) -> Result<(), StepError> {
    // Pairs of bodies past the room: the search begins again with more, before any contact was written. Contacts: `add_contacts`
    // makes room as it goes; only where it could not are they counted to the end, and `reserve` says how many are missing
    let needs = Needs::of(m);
    loop {
        let pairs = d.kept.pairs;
        let words = needs.words(m, pairs);
        let search = |d: &mut World<'_>, stack: Stack<'_>| {
            find_contacts(m, d, stack, &needs, purpose, hooks)
        };
        match d.with_stack(words, search)?? {
            Found::All(_) if d.head.ncon as usize <= d.work.contact.len() => return Ok(()),
            Found::All(_) => {
                // the world could not grow, and contacts past its end were only counted
                let ncon = core::mem::take(&mut d.head.ncon) as usize;
                d.reserve(&WorkSizes { ncon, ..WorkSizes::default() })?;
            }
            Found::More(count) if d.is_fixed() => {
                let missing = count - pairs;
                return Err(StepError::NoRoom { what: "pairs of bodies", missing });
            }
            Found::More(count) => d.kept.pairs = count.max(2 * pairs),
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

impl Needs {
    fn of(m: &Model<impl Storage>) -> Needs {
        Needs { nodes: midphase::most_nodes(m), solver: narrow::needs_solver(m) }
    }

    /// Words of temporary memory, with room for so many pairs of bodies.
    fn words(&self, m: &Model<impl Storage>, pairs: usize) -> usize {
        let narrow =
            words_of::<[u32; 2]>(self.nodes) + narrow::words(m, self.solver) + flex::words(m);
        words_of::<u64>(pairs) + broadphase::words(m, pairs).max(narrow)
    }
}

/// Words of temporary memory for collision detection with so many pairs of bodies.
pub(crate) fn collision_words(m: &Model<impl Storage>, pairs: usize) -> usize {
    Needs::of(m).words(m, pairs)
}

/// Forget the contacts of the last step.
pub(crate) fn forget_contacts(m: &Model<impl Storage>, d: &mut World<'_>) {
    d.head.ncon = 0;
    d.clear_marks(m);
}

/// Write all contacts that there is room for, and count all, unless there is too little room for pairs of bodies: then no result
/// is changed, only the order of the sweep.
fn find_contacts<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    mut stack: Stack<'_>,
    needs: &Needs,
    purpose: Purpose,
    hooks: &mut impl Hooks<S>,
) -> Result<Found, StackFull> {
    let pairs = stack.take(d.kept.pairs)?;
    let found = broadphase::broadphase(m, d, pairs, stack.scope())?;
    let Found::All(count) = found else { return Ok(found) };
    let forget = |d: &mut World<'_>| match purpose {
        Purpose::Contacts => forget_contacts(m, d),
        // those that rays and distance fields left stay
        Purpose::Marks => {}
    };
    if count == 0 && m.npair == 0 && m.flex_count() == 0 {
        forget(d);
        return Ok(found);
    }
    let body_pairs = &pairs[..count];
    let nodes = stack.take(needs.nodes)?;
    let mut memory = Narrow::new(m, &mut stack, needs.solver)?;
    forget(d);

    if purpose == Purpose::Marks {
        mark_pairs(m, d, &mut memory, nodes, body_pairs);
        return Ok(found);
    }
    let mut excluded = Excluded::new(&m.exclude_signature);
    let mut next_pair = 0;
    for &pair in body_pairs {
        let (b1, b2) = ((pair >> 32) as u32, pair as u32);
        let signature = signature(b1, b2);
        let first_pair = next_pair;
        while next_pair < m.npair && m.pair_signature[next_pair] as u32 <= signature {
            narrow::collide_pair(m, d, &mut memory, next_pair);
            next_pair += 1;
        }
        if excluded.contains(signature) {
            continue;
        }
        let tested = Tested { from: first_pair, to: next_pair };
        let (b1, b2) = (b1 as usize, b2 as usize);
        // the lower number is that of a body if one of them is
        match (b1.checked_sub(m.nbody), b2.checked_sub(m.nbody)) {
            (Some(f1), Some(f2)) => flex::collide_flexes(m, d, &mut memory, nodes, f1, f2),
            (None, Some(f)) => flex::collide_body(m, d, &mut memory, nodes, b1, f),
            _ => collide_bodies(m, d, &mut memory, nodes, b1, b2, tested, hooks),
        }
    }
    for pair in next_pair..m.npair {
        narrow::collide_pair(m, d, &mut memory, pair);
    }
    for f in 0..m.flex_count() {
        flex::collide_self(m, d, &mut memory, nodes, stack.scope(), f)?;
    }
    Ok(found)
}

/// Mark the nodes that pairs of bodies meet.
fn mark_pairs(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    memory: &mut Narrow<'_>,
    nodes: &mut [[u32; 2]],
    body_pairs: &[u64],
) {
    let mut excluded = Excluded::new(&m.exclude_signature);
    for &pair in body_pairs {
        let (b1, b2) = ((pair >> 32) as u32, pair as u32);
        let bodies = [b1 as usize, b2 as usize];
        if !excluded.contains(signature(b1, b2)) && has_trees(m, bodies) {
            midphase::mark_pair(m, d, memory, nodes, bodies);
        }
    }
}

/// Are the trees of two bodies to be used?
fn has_trees(m: &Model<impl Storage>, bodies: [usize; 2]) -> bool {
    bodies.iter().all(|b| m.body_bvhadr[*b] >= 0)
        && bodies.iter().any(|b| m.body_geomnum[*b] != 1)
        && !m.opt.disabled(DisableBit::Midphase)
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
    if has_trees(m, [b1, b2]) {
        midphase::collide_bodies(m, d, memory, nodes, [b1, b2], tested, hooks);
        return;
    }
    for g1 in m.body_geoms(b1) {
        for g2 in m.body_geoms(b2) {
            narrow::collide_untested(m, d, memory, g1, g2, tested, hooks);
        }
    }
}
