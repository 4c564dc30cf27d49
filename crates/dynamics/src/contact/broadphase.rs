//! Pairs of bodies and flexes that may touch: boxes around them are swept, and what cannot collide is left out.
//! MuJoCo: `mj_broadphase`.
//!
//! Flexes are numbered after the bodies: what is said of bodies here holds for both, unless it says otherwise.
//! The box of a body reaches around the bounding spheres of its geoms, that of a flex around its vertices. The world, and static bodies with
//! planes, have no useful box and are paired with everything.
use ferrodyn_collision::{
    Corner, Extent, Open, Order, compare_all, principal_axes, sweep, widest_axis,
};
use ferrodyn_math::{List, Mat3, Real, Stack, StackFull, sort_pairs, words_of};
use ferrodyn_model::{DisableBit, EnableBit, GeomType, Model, Storage};

use crate::World;
use crate::sleep::{ASLEEP, AWAKE, Bodies, some_asleep};

/// How many pairs of bodies there are.
pub(super) enum Found {
    /// All of them, sorted and without repetition.
    All(usize),
    /// More than there is room for; repetitions count.
    More(usize),
}

/// Pairs of bodies, the lower one in the upper half of the number. Those past the room are only counted.
struct Pairs<'a> {
    list: List<'a, u64>,
    count: usize,
}

/// How many bodies and flexes there are.
fn bodies_and_flexes(m: &Model<impl Storage>) -> usize {
    m.nbody + m.flex_count()
}

/// Words of memory beside that for the pairs: for a sweep, or for sorting so many pairs.
pub(super) fn words(m: &Model<impl Storage>, pairs: usize) -> usize {
    let count = bodies_and_flexes(m);
    let sweep = words_of::<Extent>(count) + words_of::<Open>(count).max(words_of::<Corner>(count));
    sweep.max(words_of::<u64>(pairs) + words_of::<u32>(count))
}

/// Find the pairs of bodies that may touch.
pub(super) fn broadphase(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    room: &mut [u64],
    mut stack: Stack<'_>,
) -> Result<Found, StackFull> {
    if all_at_rest(m, d) {
        return Ok(Found::All(0));
    }
    // pairs that no sweep could rule out, then those that overlap
    let mut pairs = Pairs { list: List::new(room), count: 0 };
    always_colliding(m, d, &mut pairs);
    let several = (1..bodies_and_flexes(m)).filter(|b| can_collide(m, *b)).nth(1).is_some();
    if several {
        sweep_bodies(m, d, &mut pairs, stack.scope())?;
    }
    if pairs.count > pairs.list.len() {
        return Ok(Found::More(pairs.count));
    }
    // those with the world come first, in order, and each once: the sweep knows nothing of the world
    let pairs = pairs.list.into_slice();
    let with_world = pairs.partition_point(|pair| pair >> 32 == 0);
    let others = &mut pairs[with_world..];
    sort_pairs(others, stack.take(others.len())?, stack.take(bodies_and_flexes(m))?);
    Ok(Found::All(with_world + remove_repeated(others)))
}

/// Move the different ones of sorted pairs to the front; how many there are.
fn remove_repeated(pairs: &mut [u64]) -> usize {
    let mut kept = pairs.len().min(1);
    for i in 1..pairs.len() {
        if pairs[i] != pairs[kept - 1] {
            pairs[kept] = pairs[i];
            kept += 1;
        }
    }
    kept
}

/// Is no body awake that collides? What sleeps touches neither what sleeps nor what is fixed. A flex is never at rest.
fn all_at_rest(m: &Model<impl Storage>, d: &World<'_>) -> bool {
    let bodies = Bodies::awake(m, d);
    bodies.listed()
        && m.flex_count() == 0
        && !(0..bodies.count).any(|k| {
            let b = bodies.get(d.body_awake_ind, k);
            d.body_awake[b] == AWAKE && can_collide(m, b)
        })
}

/// What a body or a flex is to collide with: `contype` and `conaffinity`.
#[inline]
fn masks(m: &Model<impl Storage>, b: usize) -> [i32; 2] {
    match b.checked_sub(m.nbody) {
        None => [m.body_contype[b], m.body_conaffinity[b]],
        Some(flex) => [m.flex_contype[flex], m.flex_conaffinity[flex]],
    }
}

/// Whether it has anything that collides. MuJoCo: `canCollide`.
fn can_collide(m: &Model<impl Storage>, b: usize) -> bool {
    let [contype, conaffinity] = masks(m, b);
    contype != 0 || conaffinity != 0
}

/// Whether parts of two bodies can collide with each other. MuJoCo: `canCollide2`.
fn compatible(m: &Model<impl Storage>, b1: usize, b2: usize) -> bool {
    let [[contype1, conaffinity1], [contype2, conaffinity2]] = [masks(m, b1), masks(m, b2)];
    contype1 & conaffinity2 != 0 || contype2 & conaffinity1 != 0
}

/// Are there two bodies or flexes that are tested at all? Exclusions of pairs are not looked at.
#[cfg(feature = "alloc")]
pub(super) fn any_pair(m: &Model<impl Storage>) -> bool {
    let filter = Filter { parents: !m.opt.disabled(DisableBit::FilterParent), sleep: false };
    let all = bodies_and_flexes(m);
    m.flex_count() > 0
        || (0..all).any(|b1| {
            (b1 + 1..all)
                .any(|b2| compatible(m, b1, b2) && !filter.rejects(m, b1, false, b2, false))
        })
}

/// What decides whether two bodies are tested at all.
struct Filter {
    parents: bool,
    sleep: bool,
}

impl Filter {
    fn new(m: &Model<impl Storage>, d: &World<'_>) -> Filter {
        Filter { parents: !m.opt.disabled(DisableBit::FilterParent), sleep: some_asleep(m, d.head) }
    }

    fn asleep(&self, body_awake: &[i32], b: usize) -> bool {
        self.sleep && body_awake[b] == ASLEEP
    }

    /// Are the bodies welded together, parent and child, or both at rest? MuJoCo: `filterBodyPair`.
    fn rejects(
        &self,
        m: &Model<impl Storage>,
        b1: usize,
        asleep1: bool,
        b2: usize,
        asleep2: bool,
    ) -> bool {
        let weld = |b: usize| m.body_weld(b);
        let weld_parent = |b: usize| weld(m.body_parent(weld(b)));
        let (w1, w2) = (weld(b1), weld(b2));
        // no motion between them; both asleep, or one asleep on what is fixed; parent and child
        w1 == w2
            || asleep1 && asleep2
            || asleep1 && w2 == 0
            || asleep2 && w1 == 0
            || self.parents
                && w1 != 0
                && w2 != 0
                && (w1 == weld_parent(b2) || w2 == weld_parent(b1))
    }
}

fn add_pair(m: &Model<impl Storage>, pairs: &mut Pairs<'_>, b1: usize, b2: usize) {
    if compatible(m, b1, b2) {
        pairs.list.push((b1.min(b2) as u64) << 32 | b1.max(b2) as u64);
        pairs.count += 1;
    }
}

/// Is a body fixed to the world, and has it a plane?
fn has_plane(m: &Model<impl Storage>, b: usize) -> bool {
    m.body_weldid[b] == 0 && m.body_geoms(b).any(|g| m.geom_kind(g) == Some(GeomType::Plane))
}

/// The world, and static bodies with planes, are paired with every body.
fn always_colliding(m: &Model<impl Storage>, d: &World<'_>, pairs: &mut Pairs<'_>) {
    let filter = Filter::new(m, d);
    for b1 in (0..m.nbody).filter(|b| can_collide(m, *b)) {
        if !(b1 == 0 && m.body_geomnum[0] > 0 || has_plane(m, b1)) {
            continue;
        }
        for b2 in (0..m.nbody).filter(|b| can_collide(m, *b)) {
            let asleep2 = filter.asleep(d.body_awake, b2);
            // b1 does not move: like something asleep, it is paired with what is awake only
            if !filter.rejects(m, b1, true, b2, asleep2) {
                add_pair(m, pairs, b1, b2);
            }
        }
        for flex in m.nbody..bodies_and_flexes(m) {
            add_pair(m, pairs, b1, flex);
        }
    }
}

/// The margin of a geom in the broadphase.
fn margin(m: &Model<impl Storage>, own: Real) -> Real {
    if m.opt.enabled(EnableBit::Override) { 0.5 * m.opt.o_margin } else { own }
}

/// The box around the bounding spheres of those geoms of a body that can collide, in the axes of the world.
fn upright_extent(m: &Model<impl Storage>, d: &World<'_>, body: usize) -> Extent {
    let mut extent = Extent::empty(body as u32);
    let collides = |g: &usize| m.geom_contype[*g] | m.geom_conaffinity[*g] != 0;
    for g in m.body_geoms(body).filter(collides) {
        extent.cover(d.geom_xpos[g], m.geom_rbound[g] + margin(m, m.geom_margin[g]));
    }
    extent
}

/// The box around the bounding spheres of a body's geoms, or around the vertices of a flex. MuJoCo: `makeAAMM`.
fn extent(m: &Model<impl Storage>, d: &World<'_>, body: usize, axes: &Mat3) -> Extent {
    let mut extent = Extent::empty(body as u32);
    if let Some(flex) = body.checked_sub(m.nbody) {
        let reach = m.flex_radius[flex] + margin(m, m.flex_margin[flex]);
        for vertex in m.flex_vertices(flex) {
            extent.cover_along(axes, d.flexvert_xpos[vertex], reach, 0.0);
        }
        return extent;
    }
    for g in m.body_geoms(body) {
        let margin = margin(m, m.geom_margin[g]);
        extent.cover_along(axes, d.geom_xpos[g], m.geom_rbound[g], margin);
    }
    extent
}

/// The frame of MuJoCo's sweep, which follows geoms and vertices of all bodies but the world.
fn frame(m: &Model<impl Storage>, d: &World<'_>) -> Option<Mat3> {
    let geoms = || (0..m.ngeom).filter(|g| m.geom_bodyid[*g] != 0).map(|g| d.geom_xpos[g]);
    let moving = |vertex: &usize| m.flex_vertbodyid[*vertex] != 0;
    let vertices = || (0..m.flex_vertex_count()).filter(moving).map(|v| d.flexvert_xpos[v]);
    principal_axes(|| geoms().chain(vertices()))
}

/// Up to so many boxes are compared each with each: sorting them takes longer.
const FEW_BOXES: usize = 40;

/// Pairs of bodies other than the world whose boxes overlap.
///
/// MuJoCo sweeps boxes around all geoms along the principal axes of the scene. Boxes around what touches overlap in every frame: which other
/// pairs are ruled out here and which by a later sieve decides only which nodes of trees are marked. So, unless these marks are wanted or there
/// are flexes, the boxes lie in the axes of the world, which need no eigenvectors, around the geoms that can collide.
fn sweep_bodies(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    pairs: &mut Pairs<'_>,
    mut stack: Stack<'_>,
) -> Result<(), StackFull> {
    let all = bodies_and_flexes(m);
    let mut extents = stack.list(all)?;
    let colliding = (1..all).filter(|b| can_collide(m, *b));
    let upright = m.flex_count() == 0 && !d.marks_pairs(m);
    if upright {
        colliding.for_each(|b| {
            extents.push(upright_extent(m, d, b));
        });
    } else {
        let Some(axes) = frame(m, d) else { return Ok(()) };
        colliding.for_each(|b| {
            extents.push(extent(m, d, b, &axes));
        });
    }
    let filter = Filter::new(m, d);
    let World { ends, body_awake, kept, .. } = d;
    let found = |b1: usize, b2: usize| {
        // a flex neither sleeps nor is welded to anything
        if b1 >= m.nbody || b2 >= m.nbody {
            return add_pair(m, pairs, b1, b2);
        }
        let (asleep1, asleep2) = (filter.asleep(body_awake, b1), filter.asleep(body_awake, b2));
        if !filter.rejects(m, b1, asleep1, b2, asleep2) {
            add_pair(m, pairs, b1, b2);
        }
    };
    if upright && extents.len() <= FEW_BOXES {
        compare_all(&extents, stack.take(extents.len())?, found);
        return Ok(());
    }
    // the order of the last sweep is a good start for this one, if it had as many boxes and went the same way
    let axis = if upright { widest_axis(&extents, kept.sweep_axis) } else { 0 };
    extents.iter_mut().for_each(|extent| extent.exchange_axes(axis));
    let count = 2 * extents.len();
    let same = (kept.swept, kept.sweep_axis) == (count, axis);
    (kept.swept, kept.sweep_axis) = (count, axis);
    let order = if same { Order::Kept } else { Order::Fresh(&mut []) };
    sweep(&extents, &mut ends[..count], order, stack.list(all)?, found);
    Ok(())
}
