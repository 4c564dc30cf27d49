//! Islands: groups of kinematic trees that constraints tie together, which are solved apart.
//!
//! The inertia has entries only within a kinematic tree, and the Jacobian of a constraint only in the columns of the
//! trees it acts on. With trees as nodes and constraints as edges, each connected component is an *island*: the problem
//! of the solver falls apart into one for each, the smaller the cheaper. Trees that no constraint touches are in none
//! and move freely. Islands are also what falls asleep together.
//!
//! 1. *Join.* Every constraint joins the trees it acts on (union-find). A contact or an equality names its two bodies;
//!    tendons and others can span any number, and their rows of the Jacobian are looked at. What does not move belongs
//!    to no tree: a contact with the floor makes an island of one. Rows of one constraint are consecutive, and looked
//!    at once.
//! 2. *Number.* Islands are numbered by their smallest tree, which is the root of its set. MuJoCo's flood fill begins
//!    at the smallest tree too, so that the numbers agree.
//! 3. *Order.* Trees, degrees of freedom and rows are sorted by island, each in its old order within. What is in no
//!    island comes last.
//! 4. *Copy.* Inertia, its factor, the Jacobian and what rows have (`iM`, `iLD`, `iefc_J`, ...) in that order, with
//!    columns counted from the first of the island, so that a solver sees an island as a model of its own.
//!
//! ```text
//! tree_island      0 1 -1 0        dof_island, efc_island: the same for each degree of freedom and row
//! map_itree2tree   0 3 | 1 | 2     island 0, island 1, the rest
//! ```
//!
//! Invariants: `map_dof2idof` and `map_idof2dof` are inverse permutations of all `nv`, of which the first `nidof` are
//! in islands; those of rows are permutations of `nefc`, since every row is in an island. Within an island rows keep
//! the order equality, friction, the rest, and `island_ne`, `island_nf` count the first two. A tree's degrees of
//! freedom stay together, so the factor of `M` can be copied row by row.
//!
//! Where one island holds everything, nothing is sorted and nothing copied: solvers read `M`, `efc_J` and the others where they are, and
//! arrays in island order have what is in those only while somebody watches ([`World::watch_islands`]).
use ferrodyn_math::List;
use ferrodyn_model::{DisableBit, Model, Storage};

use super::kind::{Constraint, Tie};
use super::supernodes;
use crate::data::memory::frame;
use crate::{StepError, World};

frame! {
    /// Memory of the search for islands.
    pub(crate) struct IslandMemory(ntree) {
        /// Island of each tree while sets are joined: another tree, or itself; [`NONE`] where no constraint touches it.
        root: slice u32 = ntree,
        /// Number of objects placed so far in each island, and outside of all.
        placed: list i32 = ntree + 1,
    }
}

/// No constraint touches the tree.
const NONE: u32 = u32::MAX;

/// Find the islands and put inertia and rows in their order. MuJoCo: `mj_island`.
pub fn island(m: &Model<impl Storage>, d: &mut World<'_>) -> Result<(), StepError> {
    d.head.nisland = 0;
    d.head.nidof = 0;
    if m.opt.disabled(DisableBit::Island) || d.head.nefc == 0 {
        return Ok(());
    }
    d.with_stack(IslandMemory::words(m.ntree), |d, mut stack| {
        find_islands(m, d, &mut IslandMemory::take(&mut stack, m.ntree)?);
        Ok(())
    })?
}

fn find_islands(m: &Model<impl Storage>, d: &mut World<'_>, memory: &mut IslandMemory<'_>) {
    join_trees(m, d, memory.root);
    number_islands(m, d, memory.root);
    // constraints between bodies that do not move make no island
    if d.head.nisland == 0 {
        return;
    }
    if d.work.tree_island.iter().all(|island| *island == 0) {
        keep_order(m, d);
    } else {
        order_trees(m, d, &mut memory.placed);
        order_dofs(m, d, &mut memory.placed);
        order_rows(m, d, &mut memory.placed);
        copy_jacobian(m, d);
        copy_inertia(m, d);
    }
}

/// The trees of the columns of a row, in order. MuJoCo: `treeNext`.
fn row_trees<'a>(
    m: &'a Model<impl Storage>,
    d: &'a World<'_>,
    row: usize,
) -> impl Iterator<Item = i32> + 'a {
    let sparse = m.is_sparse();
    let (start, count) = if sparse {
        (d.work.efc_J_rowadr[row] as usize, d.work.efc_J_rownnz[row] as usize)
    } else {
        (row * m.nv, m.nv)
    };
    (start..start + count).filter_map(move |k| {
        // a dense row has zeros, which tie nothing
        let column = if sparse { d.work.efc_J_colind[k] as usize } else { k - start };
        (sparse || d.work.efc_J[k] != 0.0).then(|| m.dof_treeid[column])
    })
}

/// The tree that decides the island of a row: any of its trees would do, they are in one set.
fn first_tree(m: &Model<impl Storage>, d: &World<'_>, row: usize) -> Option<usize> {
    let tree = Constraint::of_row(&d.work, row)
        .trees(m, d)
        .map_or_else(|| row_trees(m, d, row).next(), |t| Some(t.0));
    tree.and_then(|t| usize::try_from(t).ok())
}

/// The first tree of the set that a tree belongs to. On the way every tree is hung under its grandparent, which keeps ways short.
fn find(root: &mut [u32], mut tree: u32) -> u32 {
    while root[tree as usize] != tree {
        let above = root[root[tree as usize] as usize];
        root[tree as usize] = above;
        tree = above;
    }
    tree
}

/// Put two trees into one set. The smaller number becomes the root, so that the root is the first tree of its island.
/// The number of changes: trees that were in no set, and sets that became one.
fn join(root: &mut [u32], a: u32, b: u32) -> usize {
    let mut changes = 0;
    // a tree that was in no set makes one of its own
    for tree in [a, b] {
        if root[tree as usize] == NONE {
            root[tree as usize] = tree;
            changes += 1;
        }
    }
    let (a, b) = (find(root, a), find(root, b));
    root[a.max(b) as usize] = a.min(b);
    changes + usize::from(a != b)
}

/// Whether a row belongs to the same constraint as the one before it, and so acts on the same trees. Rows of a flex do not: each of them
/// has vertices of its own.
fn continues(m: &Model<impl Storage>, d: &World<'_>, row: usize) -> bool {
    if row == 0 {
        return false;
    }
    let this = Constraint::of_row(&d.work, row);
    this == Constraint::of_row(&d.work, row - 1)
        && !matches!(this.tie(m), Some(Tie::Edges(_) | Tie::Strains(_)))
}

/// Join the trees that share a constraint. MuJoCo: `findEdges`.
fn join_trees(m: &Model<impl Storage>, d: &World<'_>, root: &mut [u32]) {
    root.fill(NONE);
    // changes until every tree is in one set, after which no row changes anything
    let mut left = (2 * m.ntree).saturating_sub(1);
    for row in 0..d.nefc() {
        if left == 0 {
            break;
        }
        // rows of one constraint act on the same trees
        if continues(m, d, row) {
            continue;
        }
        // one side that does not move: the tree is in an island by itself
        let mut add = |a: i32, b: i32| {
            let (a, b) = (if a < 0 { b } else { a }, if b < 0 { a } else { b });
            if a >= 0 {
                left -= join(root, a as u32, b as u32);
            }
        };
        match Constraint::of_row(&d.work, row).trees(m, d) {
            Some((a, b)) => add(a, b),
            None => {
                // a chain through all trees of the row
                let mut previous = -1;
                for tree in row_trees(m, d, row) {
                    if tree != previous {
                        add(previous, tree);
                        previous = tree;
                    }
                }
            }
        }
    }
}

/// Islands are numbered by their first tree. MuJoCo: `mj_floodFill`.
fn number_islands(m: &Model<impl Storage>, d: &mut World<'_>, root: &mut [u32]) {
    let islands = &mut *d.work.tree_island;
    islands.fill(-1);
    let mut count = 0;
    for tree in 0..m.ntree {
        if root[tree] == NONE {
            continue;
        }
        // the smallest tree of a set is its root
        let first = find(root, tree as u32) as usize;
        if first == tree {
            islands[tree] = count;
            count += 1;
        } else {
            // the root came before, and has its number
            islands[tree] = islands[first];
        }
    }
    d.head.nisland = count;
}

/// Running sums: where each island begins.
fn addresses(counts: &[i32], adr: &mut [i32]) {
    let mut total = 0;
    for (adr, count) in adr.iter_mut().zip(counts) {
        *adr = total;
        total += count;
    }
}

/// How many of the objects belong to each island.
fn tally(islands: &[i32], counts: &mut [i32]) {
    counts.fill(0);
    for island in islands {
        if *island >= 0 {
            counts[*island as usize] += 1;
        }
    }
}

/// Trees by island, those of none last.
fn order_trees(m: &Model<impl Storage>, d: &mut World<'_>, placed: &mut List<'_, i32>) {
    let number = d.nisland();
    let w = &mut d.work;
    tally(w.tree_island, &mut w.island_ntree[..number]);
    addresses(&w.island_ntree[..number], w.island_itreeadr);
    let inside: i32 = w.island_ntree[..number].iter().sum();
    let mut next = Places::new(placed, &w.island_itreeadr[..number], inside);
    for tree in 0..m.ntree {
        let place = next.take(w.tree_island[tree]);
        w.map_itree2tree[place] = tree as i32;
    }
}

/// The next free place of each island, and after all of them.
struct Places<'a>(&'a mut [i32]);

impl<'a> Places<'a> {
    fn new(memory: &'a mut List<'_, i32>, adr: &[i32], inside: i32) -> Places<'a> {
        memory.copy_from(adr);
        memory.extend([inside]);
        Places(memory)
    }

    fn take(&mut self, island: i32) -> usize {
        let last = self.0.len() - 1;
        // -1, in no island, goes behind all of them
        let slot = usize::try_from(island).unwrap_or(last);
        let place = self.0[slot];
        self.0[slot] += 1;
        place as usize
    }
}

/// Degrees of freedom by island, as their trees are.
fn order_dofs(m: &Model<impl Storage>, d: &mut World<'_>, placed: &mut List<'_, i32>) {
    let number = d.nisland();
    let w = &mut d.work;
    for (island, tree) in w.dof_island.iter_mut().zip(&*m.dof_treeid) {
        *island = w.tree_island[*tree as usize];
    }
    tally(w.dof_island, &mut w.island_nv[..number]);
    addresses(&w.island_nv[..number], w.island_idofadr);
    d.head.nidof = w.island_nv[..number].iter().sum();
    // both ways: where a degree of freedom went, and what is at a place
    let mut next = Places::new(placed, &w.island_idofadr[..number], d.head.nidof);
    for dof in 0..m.nv {
        let place = next.take(w.dof_island[dof]);
        w.map_dof2idof[dof] = place as i32;
        w.map_idof2dof[place] = dof as i32;
    }
    // the first degree of freedom of each island, in the old order
    for island in 0..number {
        w.island_dofadr[island] = w.map_idof2dof[w.island_idofadr[island] as usize];
    }
}

/// Is there one island of all degrees of freedom, so that everything keeps its order?
pub(crate) fn is_whole(m: &Model<impl Storage>, d: &World<'_>) -> bool {
    d.head.nisland == 1 && d.head.nidof as usize == m.nv
}

/// One island of everything: maps that change nothing.
fn keep_order(m: &Model<impl Storage>, d: &mut World<'_>) {
    let count = d.nefc();
    d.head.nidof = m.nv as i32;
    let w = &mut d.work;
    w.dof_island.fill(0);
    w.efc_island[..count].fill(0);
    w.island_itreeadr[0] = 0;
    w.island_idofadr[0] = 0;
    w.island_dofadr[0] = 0;
    w.island_iefcadr[0] = 0;
    w.island_ntree[0] = m.ntree as i32;
    w.island_nv[0] = m.nv as i32;
    w.island_nefc[0] = count as i32;
    w.island_ne[0] = d.head.ne;
    w.island_nf[0] = d.head.nf;
    let in_order = |map: &mut [i32]| (0..).zip(map).for_each(|(i, to)| *to = i);
    in_order(w.map_itree2tree);
    in_order(&mut w.map_dof2idof[..m.nv]);
    in_order(&mut w.map_idof2dof[..m.nv]);
    in_order(&mut w.map_efc2iefc[..count]);
    in_order(&mut w.map_iefc2efc[..count]);
    if d.kept.islands_watched != 0 {
        copy_whole_rows(m, d);
        copy_whole_inertia(m, d);
    }
}

impl World<'_> {
    /// From now on the arrays in island order (`iM`, `iefc_J`, `iacc`, ...) are filled also where one island holds everything, though
    /// they are then the same as `M`, `efc_J`, `qacc` and so on; those of the last solution are filled at once.
    pub fn watch_islands(&mut self, m: &Model<impl Storage>) {
        let before = core::mem::replace(&mut self.kept.islands_watched, 1);
        if before == 0 && self.nefc() > 0 && is_whole(m, self) {
            copy_whole_rows(m, self);
            copy_whole_inertia(m, self);
            copy_whole_solution(self);
        }
    }
}

/// What the solver of the island of everything began with and what it found.
pub(crate) fn copy_whole_solution(d: &mut World<'_>) {
    let count = d.nefc();
    let w = &mut d.work;
    w.ifrc_smooth.copy_from_slice(d.qfrc_smooth);
    w.iacc_smooth.copy_from_slice(d.qacc_smooth);
    w.iefc_aref[..count].copy_from_slice(&w.efc_aref[..count]);
    w.ifrc_constraint.copy_from_slice(d.qfrc_constraint);
    w.iacc.copy_from_slice(d.qacc);
    w.iefc_force[..count].copy_from_slice(&w.efc_force[..count]);
}

/// Inertia and its factor where one island holds everything.
fn copy_whole_inertia(m: &Model<impl Storage>, d: &mut World<'_>) {
    let w = &mut d.work;
    w.iM_rownnz.copy_from_slice(&m.M_rownnz);
    w.iM_rowadr.copy_from_slice(&m.M_rowadr);
    w.iM_colind.copy_from_slice(&m.M_colind);
    w.iM.copy_from_slice(d.M);
    w.iLD.copy_from_slice(d.qLD);
    w.iLDiagInv.copy_from_slice(d.qLDiagInv);
}

/// Rows and their Jacobian where one island holds everything.
fn copy_whole_rows(m: &Model<impl Storage>, d: &mut World<'_>) {
    let (count, entries) = (d.nefc(), d.head.nJ as usize);
    let w = &mut d.work;
    w.iefc_type[..count].copy_from_slice(&w.efc_type[..count]);
    w.iefc_id[..count].copy_from_slice(&w.efc_id[..count]);
    w.iefc_frictionloss[..count].copy_from_slice(&w.efc_frictionloss[..count]);
    w.iefc_D[..count].copy_from_slice(&w.efc_D[..count]);
    w.iefc_R[..count].copy_from_slice(&w.efc_R[..count]);
    w.iefc_J[..entries].copy_from_slice(&w.efc_J[..entries]);
    if m.is_sparse() {
        w.iefc_J_colind[..entries].copy_from_slice(&w.efc_J_colind[..entries]);
        w.iefc_J_rownnz[..count].copy_from_slice(&w.efc_J_rownnz[..count]);
        w.iefc_J_rowadr[..count].copy_from_slice(&w.efc_J_rowadr[..count]);
        w.iefc_J_rowsuper[..count].copy_from_slice(&w.efc_J_rowsuper[..count]);
    }
}

/// Inertia and its factor with rows and columns in island order; columns count within an island.
fn copy_inertia(m: &Model<impl Storage>, d: &mut World<'_>) {
    let w = &mut d.work;
    let count = d.head.nidof as usize;
    // row by row; all columns of a row are in its tree, hence in its island
    let mut at = 0;
    for i in 0..count {
        let dof = w.map_idof2dof[i] as usize;
        // columns count from the first degree of freedom of the island
        let first = w.island_idofadr[w.dof_island[dof] as usize];
        let start = m.M_rowadr[dof] as usize;
        let row = start..start + m.M_rownnz[dof] as usize;
        let to = at..at + row.len();
        w.iM_rowadr[i] = at as i32;
        w.iM_rownnz[i] = m.M_rownnz[dof];
        for (to, c) in w.iM_colind[to.clone()].iter_mut().zip(&m.M_colind[row.clone()]) {
            *to = w.map_dof2idof[*c as usize] - first;
        }
        w.iM[to.clone()].copy_from_slice(&d.M[row.clone()]);
        w.iLD[to.clone()].copy_from_slice(&d.qLD[row]);
        w.iLDiagInv[i] = d.qLDiagInv[dof];
        at = to.end;
    }
    // rows of what no island holds are left out, and nothing old stays behind
    w.iM_colind[at..].fill(0);
    w.iM[at..].fill(0.0);
    w.iLD[at..].fill(0.0);
}

/// Rows by island, in their old order within.
fn order_rows(m: &Model<impl Storage>, d: &mut World<'_>, placed: &mut List<'_, i32>) {
    let number = d.nisland();
    let count = d.nefc();
    let efc_island = core::mem::take(&mut d.work.efc_island);
    for row in 0..count {
        efc_island[row] = if continues(m, d, row) {
            efc_island[row - 1]
        } else {
            // a dense row of zeros moves no tree and has to be somewhere: island 0
            first_tree(m, d, row).map_or(0, |tree| d.work.tree_island[tree].max(0))
        };
    }
    let w = &mut d.work;
    w.efc_island = efc_island;
    // how many rows, and of these how many of equality and of friction loss
    tally(&w.efc_island[..count], &mut w.island_nefc[..number]);
    let (ne, nf) = (d.head.ne as usize, d.head.nf as usize);
    tally(&w.efc_island[..ne], &mut w.island_ne[..number]);
    tally(&w.efc_island[ne..ne + nf], &mut w.island_nf[..number]);
    addresses(&w.island_nefc[..number], w.island_iefcadr);
    // every row is in an island: there is no rest
    let mut next = Places::new(placed, &w.island_iefcadr[..number], count as i32);
    for row in 0..count {
        let place = next.take(w.efc_island[row]);
        w.map_efc2iefc[row] = place as i32;
        w.map_iefc2efc[place] = row as i32;
    }
    // what the solver needs of a row, in island order
    macro_rules! gather {
        ($($to:ident = $from:ident;)*) => {$(
            for (to, row) in w.$to.iter_mut().zip(&w.map_iefc2efc[..count]) {
                *to = w.$from[*row as usize];
            }
        )*};
    }
    gather! {
        iefc_type = efc_type;
        iefc_id = efc_id;
        iefc_frictionloss = efc_frictionloss;
        iefc_D = efc_D;
        iefc_R = efc_R;
    }
}

/// The Jacobian in island order: one block per island where it is dense, columns counted within the
/// island where it is sparse.
fn copy_jacobian(m: &Model<impl Storage>, d: &mut World<'_>) {
    let (count, entries, islands) = (d.nefc(), d.head.nJ as usize, d.nisland());
    let w = &mut d.work;
    // dense: an island's block holds its rows by its own columns, zeros between islands are left out
    if !m.is_sparse() {
        w.iefc_J[..entries].fill(0.0);
        for island in 0..islands {
            let (row, rows) = (w.island_iefcadr[island] as usize, w.island_nefc[island] as usize);
            let (dof, dofs) = (w.island_idofadr[island] as usize, w.island_nv[island] as usize);
            let mut at = d.head.nidof as usize * row;
            for i in row..row + rows {
                let from = w.map_iefc2efc[i] as usize * m.nv;
                for k in dof..dof + dofs {
                    w.iefc_J[at] = w.efc_J[from + w.map_idof2dof[k] as usize];
                    at += 1;
                }
            }
        }
        return;
    }
    // sparse: rows keep their entries, columns are renumbered
    let mut at = 0;
    for i in 0..count {
        let row = w.map_iefc2efc[i] as usize;
        let first = w.island_idofadr[w.efc_island[row] as usize];
        let start = w.efc_J_rowadr[row] as usize;
        let from = start..start + w.efc_J_rownnz[row] as usize;
        let to = at..at + from.len();
        w.iefc_J_rowadr[i] = at as i32;
        w.iefc_J_rownnz[i] = w.efc_J_rownnz[row];
        for (to, c) in w.iefc_J_colind[to.clone()].iter_mut().zip(&w.efc_J_colind[from.clone()]) {
            *to = w.map_dof2idof[*c as usize] - first;
        }
        w.iefc_J[to.clone()].copy_from_slice(&w.efc_J[from]);
        at = to.end;
    }
    // runs of rows with equal columns, which products take together
    for island in 0..islands {
        let start = w.island_iefcadr[island] as usize;
        let rows = start..start + w.island_nefc[island] as usize;
        supernodes(
            &mut w.iefc_J_rowsuper[rows.clone()],
            &w.iefc_J_rownnz[rows.clone()],
            &w.iefc_J_rowadr[rows],
            w.iefc_J_colind,
        );
    }
}
