//! Pairs of geoms of two bodies that may touch: their bounding-volume trees against each other. MuJoCo: `mj_collideTree`.
//!
//! Leaves are compared as geoms are: bounding spheres first, then the boxes and margins of the geoms themselves. Inner nodes are
//! compared by the boxes of the trees, which lie in the inertial frames of the bodies, with the largest margin of each body.
use ferrodyn_collision::{
    BoxTree, Pose, RelativeFrames, boxes_overlap, collide_trees, most_waiting_pairs,
};
use ferrodyn_math::{List, Real, heap_sort};
use ferrodyn_model::{Contact, Model, Storage};

use super::Tested;
use super::geom::pose;
use super::narrow::{Narrow, collide_untested, spheres_reject};
use super::params::pair_margin;
use crate::World;
use crate::hooks::Hooks;

/// The most pairs of nodes that wait to be tested at once, for any pair of bodies and flexes.
pub(super) fn most_nodes(m: &Model<impl Storage>) -> usize {
    let counts = m.body_bvhnum.iter().chain(m.flex_bvhnum.iter());
    let largest = counts.fold(0, |most, count| most.max(*count));
    most_waiting_pairs(largest as usize)
}

/// The tree of boxes around the geoms of a body, in the body's inertial frame.
pub(super) fn body_tree<S: Storage>(m: &Model<S>, body: usize) -> BoxTree<'_> {
    let root = m.body_bvhadr[body] as usize;
    BoxTree { child: &m.bvh_child[root..], bounds: &m.bvh_aabb[root..] }
}

/// Do the boxes of two geoms overlap? None where rounding decides.
fn geom_boxes(
    m: &Model<impl Storage>,
    d: &World<'_>,
    g1: usize,
    g2: usize,
    margin: Real,
) -> Option<bool> {
    let (p1, p2) = (d.geom_xpos[g1], d.geom_xpos[g2]);
    let frames = RelativeFrames::new(p1, &d.geom_xmat[g1], p2, &d.geom_xmat[g2]);
    frames.overlap(&m.geom_aabb[g1], &m.geom_aabb[g2], margin)
}

/// Collide the geoms of two bodies, the first with the lower number; contacts come in the order of the geoms.
pub(super) fn collide_bodies<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    memory: &mut Narrow<'_>,
    nodes: &mut [[u32; 2]],
    bodies: [usize; 2],
    tested: Tested,
    hooks: &mut impl Hooks<S>,
) {
    let first_contact = d.head.ncon as usize;
    // whoever filters contacts is asked about those that the trees find
    let all = !d.marks_pairs(m)
        && hooks.is_idle()
        && collide_all(m, d, memory, bodies, tested, hooks).is_some();
    if !all {
        // what was found until rounding had to decide is found again
        d.head.ncon = first_contact as i32;
        collide_by_trees(m, d, memory, nodes, bodies, |d, memory, g1, g2| {
            collide_untested(m, d, memory, g1, g2, tested, hooks);
        });
    }
    // past the end contacts are only counted
    if let Some(contacts) = d.work.contact.get_mut(first_contact..d.head.ncon as usize) {
        sort_contacts(m, contacts);
    }
}

/// Mark the nodes that [`collide_bodies`] meets.
pub(super) fn mark_pair(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    memory: &mut Narrow<'_>,
    nodes: &mut [[u32; 2]],
    bodies: [usize; 2],
) {
    collide_by_trees(m, d, memory, nodes, bodies, |_, _, _, _| {});
}

/// Up to so many pairs of geoms are compared each with each: descending two trees takes longer.
const FEW_PAIRS: usize = 32;

/// With more pairs of geoms, the boxes around all of them are compared first.
const VERY_FEW_PAIRS: usize = 4;

/// Collide all geoms of two bodies that can collide, without their trees.
///
/// None where trees have to be used: there are too many geoms, or rounding decides whether two boxes touch, and then whether those of the
/// nodes above them do counts as well. Everywhere else a pair that the trees would have ruled out has no contacts.
fn collide_all<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    memory: &mut Narrow<'_>,
    [b1, b2]: [usize; 2],
    tested: Tested,
    hooks: &mut impl Hooks<S>,
) -> Option<()> {
    let (geoms1, geoms2) = (m.body_geoms(b1), m.body_geoms(b2));
    let pairs = geoms1.len() * geoms2.len();
    if pairs > FEW_PAIRS {
        return None;
    }
    if pairs > VERY_FEW_PAIRS {
        let frames = RelativeFrames::new(d.xipos[b1], &d.ximat[b1], d.xipos[b2], &d.ximat[b2]);
        let root = |b: usize| &m.bvh_aabb[m.body_bvhadr[b] as usize];
        let margin = pair_margin(m, m.body_margin[b1] + m.body_margin[b2]);
        if !frames.overlap(root(b1), root(b2), margin)? {
            return Some(());
        }
    }
    for g1 in geoms1 {
        let (contype, conaffinity) = (m.geom_contype[g1], m.geom_conaffinity[g1]);
        if contype | conaffinity == 0 {
            continue;
        }
        for g2 in geoms2.clone() {
            if contype & m.geom_conaffinity[g2] == 0 && m.geom_contype[g2] & conaffinity == 0 {
                continue;
            }
            let margin = pair_margin(m, m.geom_margin[g1] + m.geom_margin[g2]);
            if !spheres_reject(m, d, g1, g2, margin) && geom_boxes(m, d, g1, g2, margin)? {
                collide_untested(m, d, memory, g1, g2, tested, hooks);
            }
        }
    }
    Some(())
}

/// Call `found` with the pairs of geoms of two bodies whose boxes touch, as their trees show, and mark the nodes that were met.
fn collide_by_trees<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    memory: &mut Narrow<'_>,
    nodes: &mut [[u32; 2]],
    [b1, b2]: [usize; 2],
    mut found: impl FnMut(&mut World<'_>, &mut Narrow<'_>, usize, usize),
) {
    let mark = d.marks_pairs(m);
    let (root1, root2) = (m.body_bvhadr[b1] as usize, m.body_bvhadr[b2] as usize);
    let (tree1, tree2) = (body_tree(m, b1), body_tree(m, b2));
    let frames = RelativeFrames::new(d.xipos[b1], &d.ximat[b1], d.xipos[b2], &d.ximat[b2]);
    let body_margin = pair_margin(m, m.body_margin[b1] + m.body_margin[b2]);

    collide_trees(&tree1, &tree2, List::new(nodes), |n1, n2, leaves| {
        let touch = if leaves {
            // two geoms: their own boxes, then the shapes
            let geom = |node: usize| usize::try_from(m.bvh_nodeid[node]);
            let (Ok(g1), Ok(g2)) = (geom(root1 + n1), geom(root2 + n2)) else { return false };
            let margin = pair_margin(m, m.geom_margin[g1] + m.geom_margin[g2]);
            if spheres_reject(m, d, g1, g2, margin) {
                return false;
            }
            let touch = geom_boxes(m, d, g1, g2, margin).unwrap_or_else(|| {
                let boxes = [&m.geom_aabb[g1], &m.geom_aabb[g2]];
                boxes_overlap(boxes, [&pose(d, g1), &pose(d, g2)], margin, false)
            });
            if touch {
                found(d, memory, g1, g2);
            }
            touch
        } else {
            let boxes = [&tree1.bounds[n1], &tree2.bounds[n2]];
            frames.overlap(boxes[0], boxes[1], body_margin).unwrap_or_else(|| {
                let [frame1, frame2] = [b1, b2].map(|b| Pose { pos: d.xipos[b], mat: d.ximat[b] });
                boxes_overlap(boxes, [&frame1, &frame2], body_margin, true)
            })
        };
        if touch && mark {
            d.mark_node(root1 + n1);
            d.mark_node(root2 + n2);
        }
        touch
    });
}

/// Sort contacts by geoms or elements or vertices, keeping those of one pair in order. MuJoCo: `contactcompare`.
///
/// Contacts are large, so that first their places are sorted and then each one is moved once. The places stand where
/// contacts have the address of their rows, which have none yet.
pub(super) fn sort_contacts(m: &Model<impl Storage>, contacts: &mut [Contact]) {
    let objects = |contact: &Contact| {
        let [g1, g2] = contact.geom;
        if let (Ok(i), Ok(j)) = (usize::try_from(g1), usize::try_from(g2)) {
            // geoms of a contact are ordered by type
            return if m.geom_type[i] > m.geom_type[j] { (g2, g1) } else { (g1, g2) };
        }
        let object = |side: usize| {
            let ids = [contact.geom[side], contact.elem[side], contact.vert[side]];
            ids.into_iter().find(|id| *id >= 0).unwrap_or(-1)
        };
        (object(0), object(1))
    };
    if contacts.is_sorted_by_key(objects) {
        return;
    }
    for (i, contact) in contacts.iter_mut().enumerate() {
        contact.efc_address = i as i32;
    }
    let key = |contacts: &[Contact], place: usize| {
        let from = contacts[place].efc_address;
        (objects(&contacts[from as usize]), from)
    };
    let count = contacts.len();
    heap_sort(
        contacts,
        count,
        |contacts, i, j| key(contacts, i) < key(contacts, j),
        |contacts, i, j| {
            let place = contacts[i].efc_address;
            contacts[i].efc_address = contacts[j].efc_address;
            contacts[j].efc_address = place;
        },
    );
    // each place gets its contact; a place already served points to where its contact went
    for i in 0..count {
        let mut from = contacts[i].efc_address as usize;
        while from < i {
            from = contacts[from].efc_address as usize;
        }
        // contacts change places, and what their places say stays there
        let (at_i, at_from) = (from as i32, contacts[from].efc_address);
        contacts.swap(i, from);
        contacts[from].efc_address = at_from;
        contacts[i].efc_address = at_i;
    }
    contacts.iter_mut().for_each(|contact| contact.efc_address = -1);
}
