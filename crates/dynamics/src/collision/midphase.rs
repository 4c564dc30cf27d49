//! Pairs of geoms of two bodies that may touch: their bounding-volume trees against each other.
use ferrodyn_collision::{Bounds, Pose, RelativeFrames, boxes_overlap};
use ferrodyn_math::Real;
use ferrodyn_model::Model;

use super::Tested;
use super::geom::pose;
use super::narrow::{collide_untested, spheres_reject};
use super::params::pair_margin;
use crate::World;

/// Collide the geoms of two bodies; contacts come in the order of the geoms.
pub(super) fn collide_trees(m: &Model, d: &mut World<'_>, b1: usize, b2: usize, tested: Tested) {
    let first_contact = d.head.ncon as usize;
    let mark = m.vis.global.bvactive != 0;
    let (root1, root2) = (m.body_bvhadr[b1] as usize, m.body_bvhadr[b2] as usize);
    let frames = RelativeFrames::new(d.xipos[b1], &d.ximat[b1], d.xipos[b2], &d.ximat[b2]);
    let body_margin = pair_margin(m, m.body_margin[b1] + m.body_margin[b2]);

    let mut nodes = core::mem::take(&mut d.collision.nodes);
    nodes.clear();
    nodes.push((0, 0));
    while let Some((n1, n2)) = nodes.pop() {
        let (node1, node2) = (root1 + n1 as usize, root2 + n2 as usize);
        let (child1, child2) = (m.bvh_child[node1], m.bvh_child[node2]);
        let leaf1 = child1[0] < 0 && child1[1] < 0;
        let leaf2 = child2[0] < 0 && child2[1] < 0;
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
                collide_untested(m, d, g1, g2, tested);
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
            nodes.extend(child1.iter().filter(|c| **c >= 0).map(|c| (*c as u32, n2)));
        } else {
            nodes.extend(child2.iter().filter(|c| **c >= 0).map(|c| (n1, *c as u32)));
        }
    }
    d.collision.nodes = nodes;
    sort_contacts(m, d, first_contact);
}

/// A measure of a box's size: it treats centre and half sizes as two corners, as MuJoCo does.
fn surface(b: &Bounds) -> Real {
    let (x, y, z) = (b[3] - b[0], b[4] - b[1], b[5] - b[2]);
    x * y + y * z + z * x
}

/// Sort the contacts from `first` on by geoms, keeping those of one pair in order.
fn sort_contacts(m: &Model, d: &mut World<'_>, first: usize) {
    let Some(contacts) = d.work.contact.get_mut(first..d.head.ncon as usize) else { return };
    if contacts.len() < 2 {
        return;
    }
    let order = &mut d.collision.order;
    order.clear();
    for (i, contact) in contacts.iter().enumerate() {
        let [g1, g2] = contact.geom;
        // geoms of a contact are ordered by type
        let swapped = m.geom_type[g1 as usize] > m.geom_type[g2 as usize];
        let (g1, g2) = if swapped { (g2, g1) } else { (g1, g2) };
        order.push((g1, g2, i as u32));
    }
    if order.is_sorted() {
        return;
    }
    order.sort_unstable();
    // each place gets its contact; a place already served points to where its contact went
    for i in 0..contacts.len() {
        let mut from = order[i].2 as usize;
        while from < i {
            from = order[from].2 as usize;
        }
        contacts.swap(i, from);
        order[i].2 = from as u32;
    }
}
