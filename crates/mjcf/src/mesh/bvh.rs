//! The bounding-volume tree over the faces of a mesh, split at the median of the longest side.

use super::math::{EPS, V3, cross, dot, sub};
use super::select::select_nth;

/// A binary tree of boxes, root first.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct FaceTree {
    /// Boxes: centre and half sizes.
    pub(crate) aabb: Vec<[f64; 6]>,
    /// Children of each node, -1 for none.
    pub(crate) child: Vec<[i32; 2]>,
    /// Face of each leaf, -1 for inner nodes.
    pub(crate) nodeid: Vec<i32>,
    /// Depth of each node.
    pub(crate) depth: Vec<i32>,
}

/// A face while the tree is built.
struct Item {
    /// Where it is sorted to.
    centre: V3,
    face: u32,
}

/// Smallest and largest coordinates.
type Bounds = [V3; 2];

impl FaceTree {
    /// The tree over all faces.
    pub(super) fn new(vert: &[V3], face: &[[i32; 3]]) -> Self {
        let corners = |ids: &[i32; 3]| ids.map(|id| &vert[id as usize]);
        let boxes: Vec<Bounds> = face.iter().map(|ids| face_bounds(corners(ids))).collect();
        let mut items: Vec<Item> = face
            .iter()
            .zip(0..)
            .map(|(ids, face)| Item { centre: circumcentre(corners(ids)), face })
            .collect();
        let nodes = (2 * face.len()).saturating_sub(1);
        let mut tree = Self {
            aabb: Vec::with_capacity(nodes),
            child: Vec::with_capacity(nodes),
            nodeid: Vec::with_capacity(nodes),
            depth: Vec::with_capacity(nodes),
        };
        if !items.is_empty() {
            tree.grow(&mut items, &boxes, 0);
        }
        tree
    }

    /// Adds a node for some items and returns its index. The halves are equal, so the recursion is
    /// no deeper than the logarithm of the number of items.
    fn grow(&mut self, items: &mut [Item], boxes: &[Bounds], depth: i32) -> i32 {
        let [mut min, mut max] = [[f64::MAX; 3], [-f64::MAX; 3]];
        for item in &*items {
            let [low, high] = &boxes[item.face as usize];
            for i in 0..3 {
                min[i] = low[i].min(min[i]);
                max[i] = high[i].max(max[i]);
            }
        }
        // flat sides are made a little thick
        for i in 0..3 {
            if (min[i] - max[i]).abs() < EPS {
                min[i] -= EPS;
                max[i] += EPS;
            }
        }

        let index = self.nodeid.len();
        let half = |i: usize| (max[i] - min[i]) / 2.0;
        let centre = |i: usize| (max[i] + min[i]) / 2.0;
        self.aabb.push([centre(0), centre(1), centre(2), half(0), half(1), half(2)]);
        self.child.push([-1, -1]);
        self.depth.push(depth);
        if let [item] = items {
            self.nodeid.push(item.face as i32);
            return index as i32;
        }
        self.nodeid.push(-1);

        // the longest side, by a margin
        let edge = sub(&max, &min);
        let mut axis = 0;
        if edge[1] >= edge[0] + EPS {
            axis = 1;
        }
        if edge[2] >= edge[axis] + EPS {
            axis = 2;
        }
        let middle = items.len() / 2;
        select_nth(items, middle, &|a, b| {
            if (a.centre[axis] - b.centre[axis]).abs() > EPS {
                a.centre[axis] < b.centre[axis]
            } else {
                a.face < b.face
            }
        });
        let (left, right) = items.split_at_mut(middle);
        let children = [self.grow(left, boxes, depth + 1), self.grow(right, boxes, depth + 1)];
        self.child[index] = children;
        index as i32
    }
}

/// The bounds of a face, by way of centre and half sizes.
fn face_bounds(corners: [&V3; 3]) -> Bounds {
    let (mut low, mut high) = ([0.0; 3], [0.0; 3]);
    for i in 0..3 {
        let min = corners[0][i].min(corners[1][i]).min(corners[2][i]);
        let max = corners[0][i].max(corners[1][i]).max(corners[2][i]);
        let (centre, half) = (0.5 * (min + max), 0.5 * (max - min));
        low[i] = centre - half;
        high[i] = centre + half;
    }
    [low, high]
}

/// The centre of the circle through the corners; not a number if they are in line.
fn circumcentre([p, q, r]: [&V3; 3]) -> V3 {
    let (a, b) = (sub(p, r), sub(q, r));
    let normal = cross(&a, &b);
    let (a2, b2) = (dot(&a, &a), dot(&b, &b));
    let area = dot(&normal, &normal).sqrt();
    let v = [a2 * b[0] - b2 * a[0], a2 * b[1] - b2 * a[1], a2 * b[2] - b2 * a[2]];
    let offset = cross(&v, &normal);
    core::array::from_fn(|i| offset[i] / (2.0 * area * area) + r[i])
}
