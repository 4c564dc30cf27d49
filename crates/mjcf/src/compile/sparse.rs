//! The sizes of the sparse matrices, known before memory is spent on them.

/// Sizes of the sparse matrices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(non_snake_case, reason = "MuJoCo's names")]
pub(super) struct SparseSizes {
    pub(super) nM: usize,
    pub(super) nB: usize,
    pub(super) nD: usize,
}

/// Counts the entries of the matrices from the number of dofs of each body and its parent.
pub(super) fn sparse_sizes(parents: &[usize], dofs: &[usize]) -> SparseSizes {
    let bodies = parents.len();
    // dofs of a body and all its ancestors, and of a body and all its descendants
    let mut above = vec![0_usize; bodies];
    let mut below = dofs.to_vec();
    for i in 1..bodies {
        above[i] = above[parents[i]] + dofs[i];
    }
    for i in (1..bodies).rev() {
        below[parents[i]] += below[i];
    }
    let nv: usize = dofs.iter().sum();
    let mut sizes = SparseSizes::default();
    for i in 0..bodies {
        let outer = above[i] - dofs[i];
        // the first dof of the body has `outer` ancestors, the second one more
        sizes.nM += (0..dofs[i]).map(|k| outer + k + 1).sum::<usize>();
        sizes.nB += below[i] + outer;
    }
    if nv == 0 {
        return SparseSizes::default();
    }
    sizes.nD = 2 * sizes.nM - nv;
    sizes
}

#[cfg(test)]
mod tests {
    use super::sparse_sizes;

    #[test]
    fn sizes_of_a_branching_tree() {
        // a hinge, then two hinges on it, beside a free body
        let sizes = sparse_sizes(&[0, 0, 1, 1, 0], &[0, 1, 1, 1, 6]);
        assert_eq!(sizes.nM, 1 + 2 + 2 + 21);
        assert_eq!(sizes.nD, 2 * 26 - 9);
        assert_eq!(sizes.nB, 9 + 3 + 2 + 2 + 6);
    }

    #[test]
    fn a_model_without_dofs_has_no_entries() {
        assert_eq!(sparse_sizes(&[0, 0], &[0, 0]), super::SparseSizes::default());
    }
}
