//! Flexes among bodies, among each other and with themselves: which elements may touch.
//!
//! A flex has a tree of boxes around its elements, which the position stage makes anew (`bvh_aabb_dyn`) and which is descended together with that of a body or
//! of another flex. Planes are met by vertices alone. With itself a flex collides in one of five ways (`FlexSelf`): not at all, by its own tree, by a
//! sweep along its longest axis, by comparing all pairs, or by tree or sweep as its dimension says.
use core::mem::take;

use ferrodyn_collision::{
    Bounds, BoxTree, End, Extent, Open, Order, Pose, RelativeFrames, boxes_apart, boxes_overlap,
    collide_trees, sphere_outside_box, sweep,
};
use ferrodyn_math::{List, Mat3, Stack, StackFull, Vec3, words_of};
use ferrodyn_model::{DisableBit, FlexSelf, GeomType, Model, Storage};

use super::element::{
    collide_elements, collide_geom, collide_inverted, collide_plane, collide_vertex, corner_bodies,
    share_body, touch_elements,
};
use super::geom::{pose, range};
use super::midphase::{body_tree, sort_contacts};
use super::narrow::Narrow;
use super::params::pair_margin;
use crate::World;

/// A sweep gives at most so many pairs of elements: MuJoCo's limit on the memory that it takes for them.
const MOST_SWEPT: usize = 1_000_000;

/// Words of memory for the sweep of any flex.
pub(super) fn words(m: &Model<impl Storage>) -> usize {
    let swept = (0..m.flex_count()).filter(|f| way(m, *f) == Way::Sweep);
    let most = swept.map(|f| m.flex_elements(f).len()).max().unwrap_or(0);
    words_of::<Extent>(most)
        + words_of::<End>(2 * most)
        + words_of::<[u64; 2]>(2 * most)
        + words_of::<Open>(most)
        + words_of::<[i32; 4]>(most)
}

/// How a flex looks for contacts with itself.
#[derive(PartialEq)]
enum Way {
    Not,
    Tree,
    Sweep,
    Compare,
}

fn way(m: &Model<impl Storage>, f: usize) -> Way {
    if !collides_with_itself(m, f) {
        return Way::Not;
    }
    let by_boxes = !m.opt.disabled(DisableBit::Midphase) && m.flex_bvhadr[f] >= 0;
    let by_boxes = |way: Way| if by_boxes { way } else { Way::Compare };
    match FlexSelf::try_from(m.flex_selfcollide[f]) {
        Ok(FlexSelf::None) | Err(_) => Way::Not,
        Ok(FlexSelf::Narrow) => Way::Compare,
        Ok(FlexSelf::Bvh) => by_boxes(Way::Tree),
        Ok(FlexSelf::Sap) => by_boxes(Way::Sweep),
        // elements of a surface lie in all directions: their boxes overlap less on one axis than in a tree
        Ok(FlexSelf::Auto) => by_boxes(if m.flex_dim[f] == 3 { Way::Tree } else { Way::Sweep }),
    }
}

fn collides_with_itself(m: &Model<impl Storage>, f: usize) -> bool {
    m.flex_rigid[f] == 0 && m.flex_contype[f] & m.flex_conaffinity[f] != 0
}

/// Does an element collide with its own flex? MuJoCo: `mj_isElemActive`.
fn is_active(m: &Model<impl Storage>, f: usize, e: usize) -> bool {
    let layer = m.flex_elemlayer[m.flex_elements(f).start + e];
    m.flex_dim[f] < 3 || layer < m.flex_activelayers[f]
}

/// The tree of boxes around the elements of a flex, in the axes of the world. `dynamic` are all boxes that change.
fn flex_tree<'a>(m: &'a Model<impl Storage>, dynamic: &'a [Bounds], f: usize) -> BoxTree<'a> {
    let root = m.flex_bvhadr[f] as usize;
    BoxTree { child: &m.bvh_child[root..], bounds: &dynamic[root - m.nbvhstatic..] }
}

/// The element of a leaf, -1 for none.
fn leaf(m: &Model<impl Storage>, root: i32, node: usize) -> i32 {
    m.bvh_nodeid[root as usize + node]
}

/// Remember that two nodes were met, for whoever draws them.
fn mark(m: &Model<impl Storage>, d: &mut World<'_>, nodes: [usize; 2]) {
    if m.vis.global.bvactive != 0 {
        nodes.into_iter().for_each(|node| d.mark_node(node));
    }
}

/// Do the masks keep a geom and a flex apart? MuJoCo: `filterBitmask`.
fn masked(m: &Model<impl Storage>, g: usize, f: usize) -> bool {
    m.geom_contype[g] & m.flex_conaffinity[f] == 0 && m.flex_contype[f] & m.geom_conaffinity[g] == 0
}

fn is_plane(m: &Model<impl Storage>, g: usize) -> bool {
    m.geom_kind(g) == Some(GeomType::Plane)
}

/// The geoms of a body against the elements of a flex.
pub(super) fn collide_body(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    memory: &mut Narrow<'_>,
    nodes: &mut [[u32; 2]],
    b: usize,
    f: usize,
) {
    let by_trees =
        !m.opt.disabled(DisableBit::Midphase) && m.body_bvhadr[b] >= 0 && m.flex_bvhadr[f] >= 0;
    if by_trees {
        let first_contact = d.head.ncon as usize;
        collide_body_tree(m, d, memory, nodes, b, f);
        sort_new(m, d, first_contact);
        return;
    }
    for g in m.body_geoms(b) {
        if masked(m, g, f) {
            continue;
        }
        if is_plane(m, g) {
            collide_plane(m, d, g, f);
            continue;
        }
        for e in 0..m.flex_elements(f).len() {
            collide_geom(m, d, memory, g, f, e);
        }
    }
}

/// Sort the contacts of one pair, unless they are past the end and only counted.
fn sort_new(m: &Model<impl Storage>, d: &mut World<'_>, first: usize) {
    if let Some(contacts) = d.work.contact.get_mut(first..d.head.ncon as usize) {
        sort_contacts(m, contacts);
    }
}

/// The tree of a body against that of a flex. MuJoCo: `mj_collideTree`.
fn collide_body_tree(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    memory: &mut Narrow<'_>,
    nodes: &mut [[u32; 2]],
    b: usize,
    f: usize,
) {
    // planes of what is fixed have no useful box
    if m.body_weldid[b] == 0 {
        for g in m.body_geoms(b).filter(|g| is_plane(m, *g)) {
            collide_plane(m, d, g, f);
        }
    }
    let dynamic = take(&mut d.bvh_aabb_dyn);
    let (tree1, tree2) = (body_tree(m, b), flex_tree(m, dynamic, f));
    let (root1, root2) = (m.body_bvhadr[b], m.flex_bvhadr[f]);
    let frames = RelativeFrames::new(d.xipos[b], &d.ximat[b], Vec3::ZERO, &Mat3::IDENTITY);
    let body_margin = pair_margin(m, m.body_margin[b] + m.flex_margin[f]);
    let world = Pose::at(Vec3::ZERO);
    collide_trees(&tree1, &tree2, List::new(nodes), |n1, n2, leaves| {
        let bounds = &tree2.bounds[n2];
        let touch = if leaves {
            let ids = [leaf(m, root1, n1), leaf(m, root2, n2)].map(usize::try_from);
            let [Ok(g), Ok(e)] = ids else { return false };
            let margin = pair_margin(m, m.geom_margin[g] + m.flex_margin[f]);
            let touch = !masked(m, g, f)
                && !sphere_outside_box(d.geom_xpos[g], m.geom_rbound[g] + margin, bounds)
                && boxes_overlap([&m.geom_aabb[g], bounds], [&pose(d, g), &world], margin, false);
            if touch && !is_plane(m, g) {
                collide_geom(m, d, memory, g, f, e);
            }
            touch
        } else {
            let boxes = [&tree1.bounds[n1], bounds];
            frames.overlap(boxes[0], boxes[1], body_margin).unwrap_or_else(|| {
                let frame = Pose { pos: d.xipos[b], mat: d.ximat[b] };
                boxes_overlap(boxes, [&frame, &world], body_margin, true)
            })
        };
        if touch {
            mark(m, d, [root1 as usize + n1, root2 as usize + n2]);
        }
        touch
    });
    d.bvh_aabb_dyn = dynamic;
}

/// The elements of two flexes.
pub(super) fn collide_flexes(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    memory: &mut Narrow<'_>,
    nodes: &mut [[u32; 2]],
    f1: usize,
    f2: usize,
) {
    let by_trees =
        !m.opt.disabled(DisableBit::Midphase) && m.flex_bvhadr[f1] >= 0 && m.flex_bvhadr[f2] >= 0;
    if by_trees {
        let first_contact = d.head.ncon as usize;
        collide_flex_trees(m, d, memory, nodes, f1, f2);
        sort_new(m, d, first_contact);
        return;
    }
    for e1 in 0..m.flex_elements(f1).len() {
        for e2 in 0..m.flex_elements(f2).len() {
            collide_elements(m, d, memory, [f1, e1], [f2, e2]);
        }
    }
}

/// The trees of two flexes, or that of one with itself. MuJoCo: `mj_collideTree`.
fn collide_flex_trees(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    memory: &mut Narrow<'_>,
    nodes: &mut [[u32; 2]],
    f1: usize,
    f2: usize,
) {
    let dynamic = take(&mut d.bvh_aabb_dyn);
    let (tree1, tree2) = (flex_tree(m, dynamic, f1), flex_tree(m, dynamic, f2));
    let (root1, root2) = (m.flex_bvhadr[f1], m.flex_bvhadr[f2]);
    let margin = pair_margin(m, m.flex_margin[f1] + m.flex_margin[f2]);
    collide_trees(&tree1, &tree2, List::new(nodes), |n1, n2, leaves| {
        // each pair once: what is after a node and its descendants is met from the other side
        if f1 == f2 && n1 > n2 {
            return false;
        }
        if leaves {
            let ids = [leaf(m, root1, n1), leaf(m, root2, n2)].map(usize::try_from);
            let [Ok(e1), Ok(e2)] = ids else { return false };
            collide_elements(m, d, memory, [f1, e1], [f2, e2]);
        } else if boxes_apart(&tree1.bounds[n1], &tree2.bounds[n2], margin) {
            return false;
        }
        mark(m, d, [root1 as usize + n1, root2 as usize + n2]);
        true
    });
    d.bvh_aabb_dyn = dynamic;
}

/// Contacts of a flex with itself: of elements with vertices next to them, and of its active elements.
pub(super) fn collide_self(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    memory: &mut Narrow<'_>,
    nodes: &mut [[u32; 2]],
    stack: Stack<'_>,
    f: usize,
) -> Result<(), StackFull> {
    if collides_with_itself(m, f) && m.flex_internal[f] != 0 {
        collide_internal(m, d, memory, f);
    }
    match way(m, f) {
        Way::Not => {}
        Way::Tree => collide_flex_trees(m, d, memory, nodes, f, f),
        Way::Sweep => sweep_elements(m, d, memory, stack, f)?,
        Way::Compare => {
            let count = m.flex_elements(f).len();
            for e1 in (0..count).filter(|e| is_active(m, f, *e)) {
                for e2 in (e1 + 1..count).filter(|e| is_active(m, f, *e)) {
                    collide_elements(m, d, memory, [f, e1], [f, e2]);
                }
            }
        }
    }
    Ok(())
}

/// Elements with vertices next to them, and tetrahedra that turn inside out. MuJoCo: `mj_collideFlexInternal`.
fn collide_internal(m: &Model<impl Storage>, d: &mut World<'_>, memory: &mut Narrow<'_>, f: usize) {
    for pair in &m.flex_evpair[range(m.flex_evpairadr[f], m.flex_evpairnum[f])] {
        let [e, v] = pair.map(|id| id as usize);
        collide_vertex(m, d, memory, f, e, v);
    }
    if m.flex_dim[f] == 3 {
        collide_inverted(m, d, f);
    }
}

/// Active elements whose boxes overlap, by a sweep along the longest axis. MuJoCo: `mj_collideFlexSAP`.
fn sweep_elements(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    memory: &mut Narrow<'_>,
    mut stack: Stack<'_>,
    f: usize,
) -> Result<(), StackFull> {
    let root = &d.bvh_aabb_dyn[m.flex_bvhadr[f] as usize - m.nbvhstatic];
    let axis = if root[3] > root[4] && root[3] > root[5] {
        0
    } else if root[4] > root[5] {
        1
    } else {
        2
    };
    // the order of the other two does not matter
    let axes = [axis, (axis + 1) % 3, (axis + 2) % 3];
    let elements = m.flex_elements(f);
    let mut extents = stack.list(elements.len())?;
    let bodies = stack.take::<[i32; 4]>(elements.len())?;
    for (e, bounds) in d.flexelem_aabb[elements.clone()].iter().enumerate() {
        bodies[e] = corner_bodies(m, f, e);
        if is_active(m, f, e) {
            let low = Vec3(axes.map(|i| bounds[i] - bounds[i + 3]));
            let high = Vec3(axes.map(|i| bounds[i] + bounds[i + 3]));
            extents.push(Extent::between(e as u32, low, high));
        }
    }
    let ends = stack.take(2 * extents.len())?;
    let order = Order::Fresh(stack.take(2 * extents.len())?);
    let open = stack.list(extents.len())?;
    let mut left = MOST_SWEPT;
    sweep(&extents, ends, order, open, |later, earlier| {
        if left == 0 {
            return;
        }
        left -= 1;
        let bounds = &d.flexelem_aabb[elements.clone()];
        if !boxes_apart(&bounds[earlier], &bounds[later], 0.0)
            && !share_body(&bodies[earlier], &bodies[later])
        {
            touch_elements(m, d, memory, [f, earlier], [f, later]);
        }
    });
    Ok(())
}
