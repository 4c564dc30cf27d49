//! Bounding-volume hierarchies: binary trees of boxes, split at the median of the longest side.
//!
//! ```text
//!          [ root: everything ]
//!          /                  \
//!     [ left half ]      [ right half ]          a query that misses a box misses all that is in it
//!      /       \           /       \
//!    leaf     leaf       leaf     leaf           one thing each
//! ```
//!
//! A tree over `n` things has `2n - 1` nodes, root first, each before its children, the left subtree before the right. A node's box is
//! the smallest along the axes of the tree around all of its things, so that it contains the boxes of its children. Splitting at the
//! median keeps both halves equal: the depth is the logarithm of `n` rounded up, whatever the things are, and the recursion is safe. The
//! boxes of the halves may overlap; that costs queries time, and nothing else.
//!
//! What goes left and what goes right is decided by places (centres of geoms, of circles around faces), compared with a tolerance, then
//! by number. Since MuJoCo's trees are part of the model, the median is found with the very steps of its standard library ([`select`]),
//! which matters where the tolerance makes the order inconsistent. MuJoCo: `mjCBoundingVolumeHierarchy`.

mod select;

use select::select_nth;

use crate::pose::{EPS, V3, sub};

/// Smallest and largest coordinates.
pub(crate) type Bounds = [V3; 2];

/// The bounds of nothing, which grow with what is added.
pub(crate) const EMPTY: Bounds = [[f64::MAX; 3], [-f64::MAX; 3]];

/// Enlarges bounds to hold others.
pub(crate) fn enlarge(bounds: &mut Bounds, [low, high]: &Bounds) {
    let [min, max] = bounds;
    for i in 0..3 {
        min[i] = low[i].min(min[i]);
        max[i] = high[i].max(max[i]);
    }
}

/// A tree, root first.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Bvh {
    /// Boxes: centre and half sizes.
    pub(crate) aabb: Vec<[f64; 6]>,
    /// Children of each node, -1 for none.
    pub(crate) child: Vec<[i32; 2]>,
    /// Number of what each leaf holds, -1 for inner nodes.
    pub(crate) nodeid: Vec<i32>,
    /// Depth of each node.
    pub(crate) depth: Vec<i32>,
}

/// Something in the tree while it is built: where it is sorted to, and its number.
struct Item {
    place: V3,
    id: u32,
}

impl Bvh {
    /// A tree over things that are numbered from zero, from their bounds and the places that they
    /// are sorted by.
    pub(crate) fn new(bounds: &[Bounds], places: impl Iterator<Item = V3>) -> Self {
        let mut items: Vec<Item> =
            places.take(bounds.len()).zip(0..).map(|(place, id)| Item { place, id }).collect();
        // each leaf but one comes with an inner node
        let nodes = (2 * items.len()).saturating_sub(1);
        let mut tree = Self {
            aabb: Vec::with_capacity(nodes),
            child: Vec::with_capacity(nodes),
            nodeid: Vec::with_capacity(nodes),
            depth: Vec::with_capacity(nodes),
        };
        if !items.is_empty() {
            tree.grow(&mut items, bounds, 0);
        }
        tree
    }

    /// Adds a node for some items and returns its index. The halves are equal, so the recursion is
    /// no deeper than the logarithm of the number of items.
    fn grow(&mut self, items: &mut [Item], bounds: &[Bounds], depth: i32) -> i32 {
        // the box around everything
        let mut around = EMPTY;
        for item in &*items {
            enlarge(&mut around, &bounds[item.id as usize]);
        }
        let [mut min, mut max] = around;
        // flat sides are made a little thick, so that a ray in their plane meets them
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
        // a leaf
        if let [item] = items {
            self.nodeid.push(item.id as i32);
            return index as i32;
        }
        self.nodeid.push(-1);

        // the longest side; another axis must be longer by more than rounding
        let edge = sub(&max, &min);
        let mut axis = 0;
        if edge[1] >= edge[0] + EPS {
            axis = 1;
        }
        if edge[2] >= edge[axis] + EPS {
            axis = 2;
        }
        // smaller places to the left of the median, the others from it on; equal ones by number
        let middle = items.len() / 2;
        select_nth(items, middle, &|a, b| {
            if (a.place[axis] - b.place[axis]).abs() > EPS {
                a.place[axis] < b.place[axis]
            } else {
                a.id < b.id
            }
        });
        let (left, right) = items.split_at_mut(middle);
        let children = [self.grow(left, bounds, depth + 1), self.grow(right, bounds, depth + 1)];
        self.child[index] = children;
        index as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaves_are_split_at_the_median() {
        let places = [3.0, 1.0, 2.0, 0.0, 4.0].map(|x| [x, 0.0, 0.0]);
        let bounds = places.map(|p| [p.map(|x| x - 0.1), p.map(|x| x + 0.1)]);
        let tree = Bvh::new(&bounds, places.into_iter());
        assert_eq!(tree.nodeid, [-1, -1, 3, 1, -1, 2, -1, 0, 4]);
        assert_eq!(tree.child[0], [1, 4]);
        assert_eq!(tree.depth, [0, 1, 2, 2, 1, 2, 2, 3, 3]);
    }

    #[test]
    fn nothing_makes_no_tree() {
        assert!(Bvh::new(&[], core::iter::empty()).nodeid.is_empty());
    }
}
