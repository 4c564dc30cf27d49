//! Bounding-volume hierarchies: binary trees of boxes, split at the median of the longest side.

use core::cmp::Ordering;

use crate::pose::{EPS, Pose, V3, add, conjugate, rotate, sub};

/// What a leaf holds.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    /// Number of the object.
    pub(super) id: i32,
    /// Its pose.
    pub(super) pose: Pose,
    /// Its box in its own frame: centre and half sizes.
    pub(super) aabb: [f64; 6],
}

/// A tree, root first.
#[derive(Clone, Debug, Default)]
pub(super) struct Bvh {
    /// Boxes: centre and half sizes.
    pub(super) aabb: Vec<[f64; 6]>,
    /// Children of each node, -1 for none.
    pub(super) child: Vec<[i32; 2]>,
    /// Object of each leaf, -1 for inner nodes.
    pub(super) nodeid: Vec<i32>,
    /// Depth of each node.
    pub(super) depth: Vec<i32>,
}

/// A leaf with its position in the axes of the tree.
struct Item<'a> {
    leaf: &'a Leaf,
    pos: V3,
    index: usize,
}

impl Bvh {
    /// A tree over leaves, in the axes of a frame.
    pub(super) fn new(leaves: &[Leaf], frame: &Pose) -> Self {
        let inverse = conjugate(&frame.quat);
        let mut items: Vec<Item<'_>> = leaves
            .iter()
            .enumerate()
            .map(|(index, leaf)| {
                let pos = rotate(&sub(&leaf.pose.pos, &frame.pos), &inverse);
                Item { leaf, pos, index }
            })
            .collect();
        let mut tree = Self::default();
        tree.grow(&mut items, frame, 0);
        tree
    }

    /// Adds a node for some items and returns its index, -1 if there are none. The halves are
    /// equal, so the recursion is no deeper than the logarithm of the number of items.
    fn grow(&mut self, items: &mut [Item<'_>], frame: &Pose, depth: i32) -> i32 {
        let Some(first) = items.first() else { return -1 };
        let (min, max) = bounds(items, frame);
        let index = self.nodeid.len();
        let half = |i: usize| (max[i] - min[i]) / 2.0;
        let centre = |i: usize| (max[i] + min[i]) / 2.0;
        self.aabb.push([centre(0), centre(1), centre(2), half(0), half(1), half(2)]);
        self.child.push([-1, -1]);
        self.depth.push(depth);
        if items.len() == 1 {
            self.nodeid.push(first.leaf.id);
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
        merge_sort(items, &|a, b| {
            if (a.pos[axis] - b.pos[axis]).abs() > EPS {
                a.pos[axis] < b.pos[axis]
            } else {
                a.index < b.index
            }
        });
        let (left, right) = items.split_at_mut(items.len() / 2);
        let children = [self.grow(left, frame, depth + 1), self.grow(right, frame, depth + 1)];
        self.child[index] = children;
        index as i32
    }
}

/// The box around items, in the axes of a frame; flat sides are made a little thick.
fn bounds(items: &[Item<'_>], frame: &Pose) -> (V3, V3) {
    let inverse = conjugate(&frame.quat);
    let (mut min, mut max) = ([f64::MAX; 3], [-f64::MAX; 3]);
    for item in items {
        let (aabb, pose) = (&item.leaf.aabb, &item.leaf.pose);
        for corner in 0..8 {
            let vertex = core::array::from_fn(|i| {
                if corner & (1 << i) == 0 { aabb[i] - aabb[i + 3] } else { aabb[i] + aabb[i + 3] }
            });
            let moved = add(&rotate(&vertex, &pose.quat), &sub(&pose.pos, &frame.pos));
            let local = rotate(&moved, &inverse);
            for i in 0..3 {
                min[i] = min[i].min(local[i]);
                max[i] = max[i].max(local[i]);
            }
        }
    }
    for i in 0..3 {
        if (min[i] - max[i]).abs() < EPS {
            min[i] -= EPS;
            max[i] += EPS;
        }
    }
    (min, max)
}

/// Sorts by a comparison that need not be consistent: positions within a tolerance count as equal,
/// and the standard sorts may panic on that.
fn merge_sort<T>(items: &mut [T], less: &impl Fn(&T, &T) -> bool) {
    let mut order: Vec<usize> = (0..items.len()).collect();
    let mut buffer = order.clone();
    let mut width = 1;
    while width < order.len() {
        for start in (0..order.len()).step_by(2 * width) {
            let middle = (start + width).min(order.len());
            let end = (start + 2 * width).min(order.len());
            let (mut a, mut b) = (start, middle);
            for slot in &mut buffer[start..end] {
                let take_b = b < end && (a >= middle || less(&items[order[b]], &items[order[a]]));
                *slot = if take_b { order[b] } else { order[a] };
                if take_b {
                    b += 1;
                } else {
                    a += 1;
                }
            }
        }
        core::mem::swap(&mut order, &mut buffer);
        width *= 2;
    }
    permute(items, &order);
}

/// Puts `items[order[i]]` at position `i`.
fn permute<T>(items: &mut [T], order: &[usize]) {
    let mut place: Vec<usize> = vec![0; order.len()];
    for (to, &from) in order.iter().enumerate() {
        place[from] = to;
    }
    for i in 0..place.len() {
        while place[i].cmp(&i) != Ordering::Equal {
            let target = place[i];
            items.swap(i, target);
            place.swap(i, target);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaf(id: i32, x: f64) -> Leaf {
        let pose = Pose { pos: [x, 0.0, 0.0], ..Pose::NULL };
        Leaf { id, pose, aabb: [0.0, 0.0, 0.0, 0.1, 0.1, 0.1] }
    }

    #[test]
    fn leaves_are_split_at_the_median() {
        let leaves = [leaf(0, 3.0), leaf(1, 1.0), leaf(2, 2.0), leaf(3, 0.0), leaf(4, 4.0)];
        let tree = Bvh::new(&leaves, &Pose::NULL);
        assert_eq!(tree.nodeid, [-1, -1, 3, 1, -1, 2, -1, 0, 4]);
        assert_eq!(tree.child[0], [1, 4]);
        assert_eq!(tree.depth, [0, 1, 2, 2, 1, 2, 2, 3, 3]);
    }

    #[test]
    fn no_leaves_make_no_tree() {
        assert!(Bvh::new(&[], &Pose::NULL).nodeid.is_empty());
    }

    #[test]
    fn merge_sort_sorts() {
        let mut items = [5, 3, 9, 1, 1, 0, 7, 2];
        merge_sort(&mut items, &|a, b| a < b);
        assert_eq!(items, [0, 1, 1, 2, 3, 5, 7, 9]);
    }
}
