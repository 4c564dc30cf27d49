//! The patterns of the sparse matrices: inertia, dof by dof, and body by dof.

use ferrodyn_model::Model;

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

/// The number of entries of the reduced inertia matrix, in which simple dofs have no row.
pub(super) fn reduced_size(m: &Model) -> usize {
    (0..m.nv).map(|d| if m.dof_simplenum[d] == 0 { 1 + ancestors(m, d).count() } else { 1 }).sum()
}

/// The dofs that move a dof, nearest first.
fn ancestors(m: &Model, dof: usize) -> impl Iterator<Item = usize> + '_ {
    core::iter::successors(usize::try_from(m.dof_parentid[dof]).ok(), |&d| {
        usize::try_from(m.dof_parentid[d]).ok()
    })
}

/// Fills the patterns. The arrays of the reduced inertia are allocated here, since their size
/// depends on which dofs are simple.
pub(super) fn fill_sparse(m: &mut Model) {
    let rows = inertia_rows(m);
    m.sizes.nC = reduced_size(m);
    m.M_colind = vec![0; m.nC].into();
    m.mapM2M = vec![0; m.nC].into();
    m.mapD2M = vec![0; m.nC].into();
    fill_inertia(m, &rows);
    fill_full(m);
    fill_bodies(m);
    fill_maps(m);
}

/// The columns of each row of the reduced inertia: the dof's ancestors, then itself.
fn inertia_rows(m: &Model) -> Vec<Vec<i32>> {
    (0..m.nv)
        .map(|d| {
            let mut row = vec![d as i32];
            if m.dof_simplenum[d] == 0 {
                row.extend(ancestors(m, d).map(|a| a as i32));
            }
            row.reverse();
            row
        })
        .collect()
}

fn fill_inertia(m: &mut Model, rows: &[Vec<i32>]) {
    let mut address = 0;
    for (d, row) in rows.iter().enumerate() {
        m.M_rownnz[d] = row.len() as i32;
        m.M_rowadr[d] = address as i32;
        for (k, column) in row.iter().enumerate() {
            m.M_colind[address + k] = *column;
            // the old format stores the diagonal first, then the ancestors outwards
            m.mapM2M[address + k] = m.dof_Madr[d] + (row.len() - 1 - k) as i32;
        }
        address += row.len();
    }
}

/// The full matrix has all ancestors and descendants of each dof, in order.
fn fill_full(m: &mut Model) {
    let mut rows: Vec<Vec<i32>> = vec![Vec::new(); m.nv];
    for d in 0..m.nv {
        let mut above: Vec<usize> = ancestors(m, d).collect();
        above.reverse();
        rows[d] = above.iter().map(|&a| a as i32).collect();
        rows[d].push(d as i32);
        for a in above {
            rows[a].push(d as i32);
        }
    }
    let mut address = 0;
    for (d, row) in rows.iter().enumerate() {
        m.D_rownnz[d] = row.len() as i32;
        m.D_rowadr[d] = address as i32;
        m.D_colind[address..address + row.len()].copy_from_slice(row);
        m.D_diag[d] = ancestors(m, d).count() as i32;
        address += row.len();
    }
}

/// The row of a body has the dofs of its ancestors, its own and those of its descendants.
fn fill_bodies(m: &mut Model) {
    let mut rows: Vec<Vec<i32>> = vec![Vec::new(); m.nbody];
    for d in 0..m.nv {
        // the world too has every dof among its descendants
        let mut body = m.dof_bodyid[d] as usize;
        loop {
            rows[body].push(d as i32);
            if body == 0 {
                break;
            }
            body = m.body_parentid[body] as usize;
        }
    }
    for i in 1..m.nbody {
        let parent = m.body_parentid[i] as usize;
        let mut ancestor = parent;
        while ancestor > 0 {
            let first = m.body_dofadr[ancestor];
            rows[i].extend(first..first + m.body_dofnum[ancestor]);
            ancestor = m.body_parentid[ancestor] as usize;
        }
        rows[i].sort_unstable();
    }
    let mut address = 0;
    for (i, row) in rows.iter().enumerate() {
        m.B_rownnz[i] = row.len() as i32;
        m.B_rowadr[i] = address as i32;
        m.B_colind[address..address + row.len()].copy_from_slice(row);
        address += row.len();
    }
}

/// The maps between the reduced inertia and the full matrix, -1 where the former has no entry.
fn fill_maps(m: &mut Model) {
    for d in 0..m.nv {
        let start = m.D_rowadr[d] as usize;
        for k in start..start + m.D_rownnz[d] as usize {
            let column = m.D_colind[k] as usize;
            m.mapM2D[k] = find(&m.M_rowadr, &m.M_rownnz, &m.M_colind, d.max(column), d.min(column));
        }
        let start = m.M_rowadr[d] as usize;
        for k in start..start + m.M_rownnz[d] as usize {
            let column = m.M_colind[k] as usize;
            m.mapD2M[k] = find(&m.D_rowadr, &m.D_rownnz, &m.D_colind, d, column);
        }
    }
}

/// The address of an entry, -1 if there is none.
fn find(rowadr: &[i32], rownnz: &[i32], colind: &[i32], row: usize, column: usize) -> i32 {
    let start = rowadr[row] as usize;
    let columns = &colind[start..start + rownnz[row] as usize];
    columns.binary_search(&(column as i32)).map_or(-1, |k| (start + k) as i32)
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
