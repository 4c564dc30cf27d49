//! Pairs of geoms of two bodies that may touch: their bounding-volume trees against each other.
//!
//! A pair of nodes whose boxes overlap is replaced by the pairs of one node with the children of the other, the larger one being opened first, until both are leaves, which are
//! geoms. Nodes that wait lie on a list of fixed room instead of the call stack. MuJoCo: `mj_collideTree`.
use ferrodyn_collision::{Bounds, Pose, RelativeFrames, boxes_overlap};
use ferrodyn_math::{List, Real, heap_sort};
use ferrodyn_model::{Contact, Model, Storage};

use super::Tested;
use super::geom::pose;
use super::narrow::{Narrow, collide_untested, spheres_reject};
use super::params::pair_margin;
use crate::World;
use crate::hooks::Hooks;

/// The most pairs of nodes that wait to be tested at once, for any pair of bodies.
///
/// A pair of nodes is replaced by at most two, of which one waits while the other is descended into. On the way down, a pair is
/// left behind for each node with two children, of the one tree or of the other; a tree with n nodes has at most n / 2 of them. So two
/// trees of at most n nodes leave n pairs behind, and one more is looked at.
pub(super) fn most_nodes(m: &Model<impl Storage>) -> usize {
    let largest = m.body_bvhnum.iter().fold(0, |most, count| most.max(*count));
    largest as usize + 1
}

/// Collide the geoms of two bodies; contacts come in the order of the geoms.
pub(super) fn collide_trees<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    memory: &mut Narrow<'_>,
    nodes: &mut [[u32; 2]],
    [b1, b2]: [usize; 2],
    tested: Tested,
    hooks: &mut impl Hooks<S>,
) {
    let first_contact = d.head.ncon as usize;
    let mark = m.vis.global.bvactive != 0;
    let (root1, root2) = (m.body_bvhadr[b1] as usize, m.body_bvhadr[b2] as usize);
    let frames = RelativeFrames::new(d.xipos[b1], &d.ximat[b1], d.xipos[b2], &d.ximat[b2]);
    let body_margin = pair_margin(m, m.body_margin[b1] + m.body_margin[b2]);

    let mut nodes = List::new(nodes);
    let wait = |nodes: &mut List<'_, [u32; 2]>, pair| {
        let fits = nodes.push(pair);
        debug_assert!(fits);
    };
    wait(&mut nodes, [0, 0]);
    while let Some([n1, n2]) = nodes.pop() {
        let (node1, node2) = (root1 + n1 as usize, root2 + n2 as usize);
        let (child1, child2) = (m.bvh_child[node1], m.bvh_child[node2]);
        let leaf1 = child1[0] < 0 && child1[1] < 0;
        let leaf2 = child2[0] < 0 && child2[1] < 0;
        // two geoms: their own boxes, then the shapes
        if leaf1 && leaf2 {
            let (Ok(g1), Ok(g2)) =
                (usize::try_from(m.bvh_nodeid[node1]), usize::try_from(m.bvh_nodeid[node2]))
            else {
                continue;
            };
            let margin = pair_margin(m, m.geom_margin[g1] + m.geom_margin[g2]);
            let boxes_touch = || {
                let boxes = [&m.geom_aabb[g1], &m.geom_aabb[g2]];
                let (p1, p2) = (d.geom_xpos[g1], d.geom_xpos[g2]);
                let frames = RelativeFrames::new(p1, &d.geom_xmat[g1], p2, &d.geom_xmat[g2]);
                frames.overlap(boxes[0], boxes[1], margin).unwrap_or_else(|| {
                    boxes_overlap(boxes, [&pose(d, g1), &pose(d, g2)], margin, false)
                })
            };
            if !spheres_reject(m, d, g1, g2, margin) && boxes_touch() {
                collide_untested(m, d, memory, g1, g2, tested, hooks);
                if mark {
                    d.bvh_active[node1] = 1;
                    d.bvh_active[node2] = 1;
                }
            }
            continue;
        }
        let boxes = [&m.bvh_aabb[node1], &m.bvh_aabb[node2]];
        let touch = frames.overlap(boxes[0], boxes[1], body_margin).unwrap_or_else(|| {
            let [frame1, frame2] = [b1, b2].map(|b| Pose { pos: d.xipos[b], mat: d.ximat[b] });
            boxes_overlap(boxes, [&frame1, &frame2], body_margin, true)
        });
        if !touch {
            continue;
        }
        if mark {
            d.bvh_active[node1] = 1;
            d.bvh_active[node2] = 1;
        }
        // descend where there is only one way, otherwise into the larger box
        let first = leaf2 || !leaf1 && surface(&m.bvh_aabb[node1]) > surface(&m.bvh_aabb[node2]);
        if first {
            for child in child1.into_iter().filter(|c| *c >= 0) {
                wait(&mut nodes, [child as u32, n2]);
            }
        } else {
            for child in child2.into_iter().filter(|c| *c >= 0) {
                wait(&mut nodes, [n1, child as u32]);
            }
        }
    }
    // past the end contacts are only counted
    if let Some(contacts) = d.work.contact.get_mut(first_contact..d.head.ncon as usize) {
        sort_contacts(m, contacts);
    }
}

/// A measure of a box's size: it treats centre and half sizes as two corners, as MuJoCo does.
fn surface(b: &Bounds) -> Real {
    let (x, y, z) = (b[3] - b[0], b[4] - b[1], b[5] - b[2]);
    x * y + y * z + z * x
}

/// Sort contacts by geoms, keeping those of one pair in order.
///
/// Contacts are large, so that first their places are sorted and then each one is moved once. The places stand where
/// contacts have the address of their rows, which have none yet.
fn sort_contacts(m: &Model<impl Storage>, contacts: &mut [Contact]) {
    let geoms = |contact: &Contact| {
        let [g1, g2] = contact.geom;
        // geoms of a contact are ordered by type
        let swapped = m.geom_type[g1 as usize] > m.geom_type[g2 as usize];
        if swapped { (g2, g1) } else { (g1, g2) }
    };
    if contacts.is_sorted_by_key(geoms) {
        return;
    }
    for (i, contact) in contacts.iter_mut().enumerate() {
        contact.efc_address = i as i32;
    }
    let key = |contacts: &[Contact], place: usize| {
        let from = contacts[place].efc_address;
        (geoms(&contacts[from as usize]), from)
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
