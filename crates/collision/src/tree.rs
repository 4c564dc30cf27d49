//! Two trees of bounding volumes against each other.
//!
//! A pair of nodes whose boxes overlap is replaced by the pairs of one node with the children of the other, the larger one being
//! opened first, until both are leaves. Pairs that wait lie on a list of fixed room instead of the call stack.
use ferrodyn_math::{List, Real};

use crate::Bounds;

/// A tree of boxes: node 0 is its root, and children come by their numbers in it.
#[derive(Clone, Copy, Debug)]
pub struct BoxTree<'a> {
    /// Left and right child of each node, -1 for none.
    pub child: &'a [[i32; 2]],
    /// The box of each node.
    pub bounds: &'a [Bounds],
}

impl BoxTree<'_> {
    /// Whether the node has no children.
    #[inline]
    fn is_leaf(&self, node: usize) -> bool {
        self.child[node].iter().all(|c| *c < 0)
    }
}

/// The most pairs of nodes that wait at once, for two trees of at most so many nodes.
///
/// A pair of nodes is replaced by at most two, of which one waits while the other is descended into. On the way down, a
/// pair is left behind for each node with two children, of the one tree or of the other; a tree with n nodes has at
/// most n / 2 of them. So two trees of at most n nodes leave n pairs behind, and one more is looked at.
pub fn most_waiting_pairs(nodes: usize) -> usize {
    nodes + 1
}

/// Call `visit` with pairs of nodes of two trees, from the roots down: it answers whether their boxes overlap, and what
/// it answers for two leaves does not matter. The children of pairs that do not are left out. `waiting` has room for
/// [`most_waiting_pairs`].
///
/// ```
/// use ferrodyn_collision::{BoxTree, collide_trees};
/// use ferrodyn_math::List;
/// // a root with two leaves, and a single leaf
/// let bounds = [[0.0; 6]; 3];
/// let tree = BoxTree { child: &[[1, 2], [-1, -1], [-1, -1]], bounds: &bounds };
/// let leaf = BoxTree { child: &[[-1, -1]], bounds: &bounds };
/// let mut leaves = vec![];
/// collide_trees(&tree, &leaf, List::new(&mut [[0; 2]; 4]), |a, b, both_leaves| {
///     if both_leaves {
///         leaves.push((a, b));
///     }
///     true
/// });
/// assert_eq!(leaves, [(2, 0), (1, 0)]);
/// ```
pub fn collide_trees(
    first: &BoxTree<'_>,
    second: &BoxTree<'_>,
    mut waiting: List<'_, [u32; 2]>,
    mut visit: impl FnMut(usize, usize, bool) -> bool,
) {
    let wait = |waiting: &mut List<'_, [u32; 2]>, pair| {
        let fits = waiting.push(pair);
        debug_assert!(fits);
    };
    wait(&mut waiting, [0, 0]);
    while let Some([n1, n2]) = waiting.pop() {
        let (node1, node2) = (n1 as usize, n2 as usize);
        let (leaf1, leaf2) = (first.is_leaf(node1), second.is_leaf(node2));
        let both_leaves = leaf1 && leaf2;
        if !visit(node1, node2, both_leaves) || both_leaves {
            continue;
        }
        // descend where there is only one way, otherwise into the larger box
        let larger = || surface(&first.bounds[node1]) > surface(&second.bounds[node2]);
        if leaf2 || !leaf1 && larger() {
            for child in first.child[node1].into_iter().filter(|c| *c >= 0) {
                wait(&mut waiting, [child as u32, n2]);
            }
        } else {
            for child in second.child[node2].into_iter().filter(|c| *c >= 0) {
                wait(&mut waiting, [n1, child as u32]);
            }
        }
    }
}

/// A measure of a box's size: it treats centre and half sizes as two corners, as MuJoCo does.
fn surface(b: &Bounds) -> Real {
    let (x, y, z) = (b[3] - b[0], b[4] - b[1], b[5] - b[2]);
    x * y + y * z + z * x
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use alloc::vec::Vec;

    /// A balanced tree over intervals of length 1 that begin at `starts`, as boxes on the x axis.
    fn balanced(starts: &[Real], child: &mut Vec<[i32; 2]>, bounds: &mut Vec<Bounds>) -> i32 {
        let node = child.len();
        child.push([-1; 2]);
        let (low, high) = (starts[0], starts[starts.len() - 1] + 1.0);
        bounds.push([0.5 * (low + high), 0.0, 0.0, 0.5 * (high - low), 1.0, 1.0]);
        if starts.len() > 1 {
            let (left, right) = starts.split_at(starts.len() / 2);
            child[node] = [balanced(left, child, bounds), balanced(right, child, bounds)];
        }
        node as i32
    }

    #[test]
    fn leaves_that_overlap_are_met_once_within_the_room_that_is_promised() {
        let (mut child1, mut bounds1, mut child2, mut bounds2) = (vec![], vec![], vec![], vec![]);
        let starts1: Vec<Real> = (0..17).map(|i| 1.7 * i as Real).collect();
        let starts2: Vec<Real> = (0..9).map(|i| 2.3 * i as Real + 0.4).collect();
        balanced(&starts1, &mut child1, &mut bounds1);
        balanced(&starts2, &mut child2, &mut bounds2);
        let overlap = |a: &Bounds, b: &Bounds| (a[0] - b[0]).abs() <= a[3] + b[3];
        let mut met = vec![];
        let mut visits = 0;
        let mut room = vec![[0; 2]; most_waiting_pairs(child1.len())];
        let first = BoxTree { child: &child1, bounds: &bounds1 };
        let second = BoxTree { child: &child2, bounds: &bounds2 };
        collide_trees(&first, &second, List::new(&mut room), |a, b, leaves| {
            visits += 1;
            let touch = overlap(&bounds1[a], &bounds2[b]);
            if leaves && touch {
                met.push((bounds1[a][0], bounds2[b][0]));
            }
            touch
        });
        met.sort_by(|a, b| a.partial_cmp(b).unwrap());
        let middle = |x: &Real| x + 0.5;
        let mut all = vec![];
        for a in starts1.iter().map(middle) {
            let near = starts2.iter().map(middle).filter(|b| (a - b).abs() <= 1.0);
            all.extend(near.map(|b| (a, b)));
        }
        let close =
            |(a, b): (&(Real, Real), &(Real, Real))| (a.0 - b.0).abs() + (a.1 - b.1).abs() < 1e-5;
        assert!(met.len() == all.len() && met.iter().zip(&all).all(close), "{met:?} {all:?}");
        // far fewer than all pairs of nodes
        assert!(visits < child1.len() * child2.len() / 4, "{visits}");
    }
}
