//! A set of directions in which nearly equal ones count as one.
//!
//! "Nearly equal" is not transitive, so what counts as one depends on how the set is searched. It
//! is searched as MuJoCo does: in a balanced (red-black) tree, for the first element that is not
//! smaller, and on insertion for one that is neither smaller nor larger.

use super::math::MIN_VALUE;
use crate::pose::{V3, dot};

/// Directions with a larger product are equal: an angle of about 0.09 degrees, MuJoCo's, and that of contacts between faces.
const MAX_ALIGNMENT: f64 = 0.999_998_72;

/// No node.
const NONE: u32 = u32::MAX;

/// Whether one direction comes before another: the larger coordinate first, x before y before z.
fn less(a: &V3, b: &V3) -> bool {
    if dot(a, b) > MAX_ALIGNMENT {
        return false;
    }
    for i in 0..3 {
        if (a[i] - b[i]).abs() > MIN_VALUE {
            return a[i] > b[i];
        }
    }
    false
}

/// A set of directions, numbered in the order of insertion.
#[derive(Debug)]
pub(super) struct NormalSet {
    root: u32,
    nodes: Vec<Node>,
}

#[derive(Debug)]
struct Node {
    normal: V3,
    /// Left and right.
    child: [u32; 2],
    parent: u32,
    black: bool,
}

/// What became of a direction.
pub(super) enum Found {
    /// It was there already, under this number.
    Old(usize),
    /// It was added, under the next number.
    New,
    /// It was not found when looked for, but something equal was found when added.
    Lost,
}

impl NormalSet {
    /// An empty set.
    pub(super) fn new() -> Self {
        Self { root: NONE, nodes: Vec::new() }
    }

    /// Looks for a direction and adds it if it is not there.
    pub(super) fn find_or_insert(&mut self, normal: &V3) -> Found {
        if let Some(index) = self.find(normal) {
            return Found::Old(index);
        }
        // down the tree to a free place
        let (mut parent, mut side, mut at) = (NONE, 0, self.root);
        while at != NONE {
            let node = &self.nodes[at as usize];
            parent = at;
            side = if less(normal, &node.normal) {
                0
            } else if less(&node.normal, normal) {
                1
            } else {
                return Found::Lost;
            };
            at = node.child[side];
        }
        let index = self.nodes.len();
        // new nodes are red
        self.nodes.push(Node { normal: *normal, child: [NONE; 2], parent, black: false });
        if parent == NONE {
            self.root = index as u32;
        } else {
            self.nodes[parent as usize].child[side] = index as u32;
        }
        self.balance(index as u32);
        Found::New
    }

    /// The first element that is not before a direction, if the direction is not before it.
    fn find(&self, normal: &V3) -> Option<usize> {
        let (mut result, mut at) = (None, self.root);
        while at != NONE {
            let node = &self.nodes[at as usize];
            if less(&node.normal, normal) {
                at = node.child[1];
            } else {
                result = Some(at as usize);
                at = node.child[0];
            }
        }
        result.filter(|&index| !less(normal, &self.nodes[index].normal))
    }

    /// The numbers of all directions, in order.
    pub(super) fn in_order(&self) -> Vec<usize> {
        let mut order = Vec::with_capacity(self.nodes.len());
        let mut stack = Vec::new();
        let mut at = self.root;
        while at != NONE || !stack.is_empty() {
            while at != NONE {
                stack.push(at);
                at = self.nodes[at as usize].child[0];
            }
            if let Some(node) = stack.pop() {
                order.push(node as usize);
                at = self.nodes[node as usize].child[1];
            }
        }
        order
    }

    /// The node above.
    fn parent(&self, node: u32) -> u32 {
        self.nodes[node as usize].parent
    }

    /// Which child of its parent a node is.
    fn side(&self, node: u32) -> usize {
        usize::from(self.nodes[self.parent(node) as usize].child[1] == node)
    }

    /// Restores the balance after an insertion.
    fn balance(&mut self, mut node: u32) {
        // a red node may not have a red parent
        self.nodes[node as usize].black = node == self.root;
        while node != self.root && !self.nodes[self.parent(node) as usize].black {
            // a red node is never the root, so there is a grandparent
            let parent = self.parent(node);
            let grandparent = self.parent(parent);
            let side = self.side(parent);
            let uncle = self.nodes[grandparent as usize].child[1 - side];
            // both red: they become black, and the trouble moves up two levels
            if uncle != NONE && !self.nodes[uncle as usize].black {
                self.nodes[parent as usize].black = true;
                self.nodes[uncle as usize].black = true;
                self.nodes[grandparent as usize].black = grandparent == self.root;
                node = grandparent;
                continue;
            }
            // an inner grandchild becomes an outer one
            if self.side(node) != side {
                self.rotate(parent, side);
                node = parent;
            }
            // the parent takes the place of the grandparent
            let parent = self.parent(node);
            self.nodes[parent as usize].black = true;
            self.nodes[grandparent as usize].black = false;
            self.rotate(grandparent, 1 - side);
            break;
        }
    }

    /// Moves a node down to a side; its child on the other side takes its place.
    fn rotate(&mut self, node: u32, side: usize) {
        let up = self.nodes[node as usize].child[1 - side];
        let inner = self.nodes[up as usize].child[side];
        let parent = self.parent(node);
        self.nodes[node as usize].child[1 - side] = inner;
        if inner != NONE {
            self.nodes[inner as usize].parent = node;
        }
        if parent == NONE {
            self.root = up;
        } else {
            let place = self.side(node);
            self.nodes[parent as usize].child[place] = up;
        }
        self.nodes[up as usize].parent = parent;
        self.nodes[up as usize].child[side] = node;
        self.nodes[node as usize].parent = up;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_come_out_in_order_and_once() {
        let mut set = NormalSet::new();
        for round in 0..2 {
            for k in 0..1000 {
                let angle = f64::from(k * 7919 % 1000) * 6.283e-3;
                let normal = [libm::cos(angle), libm::sin(angle), 0.0];
                match set.find_or_insert(&normal) {
                    Found::New => assert_eq!((round, set.nodes.len()), (0, k as usize + 1)),
                    Found::Old(index) => assert_eq!((round, index), (1, k as usize)),
                    Found::Lost => panic!("lost"),
                }
            }
        }
        let order = set.in_order();
        assert_eq!(order.len(), 1000);
        assert!(order.is_sorted_by(|&a, &b| less(&set.nodes[a].normal, &set.nodes[b].normal)));
    }

    #[test]
    fn the_tree_stays_shallow() {
        let mut set = NormalSet::new();
        for k in 0..1000 {
            let angle = f64::from(k) * 3e-3;
            set.find_or_insert(&[libm::cos(angle), libm::sin(angle), 0.0]);
        }
        let depth = |mut node: u32| {
            let mut depth = 0;
            while node != NONE {
                node = set.parent(node);
                depth += 1;
            }
            depth
        };
        assert!((0..1000).all(|node| depth(node) <= 20));
    }

    #[test]
    fn nearly_equal_directions_are_one() {
        let mut set = NormalSet::new();
        set.find_or_insert(&[0.0, 0.0, 1.0]);
        assert!(matches!(set.find_or_insert(&[1e-4, 0.0, 1.0]), Found::Old(0)));
        assert!(matches!(set.find_or_insert(&[0.1, 0.0, 0.99]), Found::New));
    }
}
