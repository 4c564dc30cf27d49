//! The patterns of the sparse matrices: inertia, dof by dof, and body by dof.
//!
//! All of them follow from the tree, so they are computed when a model is compiled.
use alloc::{vec, vec::Vec};

use crate::Model;
use crate::patterns_check::ancestors;

/// Every pattern array of a model, under the model's names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(non_snake_case, reason = "MuJoCo's names")]
pub(crate) struct Patterns {
    pub(crate) dof_Madr: Vec<i32>,
    pub(crate) M_rownnz: Vec<i32>,
    pub(crate) M_rowadr: Vec<i32>,
    pub(crate) M_colind: Vec<i32>,
    pub(crate) mapM2M: Vec<i32>,
    pub(crate) D_rownnz: Vec<i32>,
    pub(crate) D_rowadr: Vec<i32>,
    pub(crate) D_diag: Vec<i32>,
    pub(crate) D_colind: Vec<i32>,
    pub(crate) mapM2D: Vec<i32>,
    pub(crate) mapD2M: Vec<i32>,
    pub(crate) B_rownnz: Vec<i32>,
    pub(crate) B_rowadr: Vec<i32>,
    pub(crate) B_colind: Vec<i32>,
}

/// Rows of columns in compressed form: number of entries, first entry, columns.
fn compress(rows: &[Vec<i32>]) -> (Vec<i32>, Vec<i32>, Vec<i32>) {
    let mut address = 0;
    let mut rowadr = Vec::with_capacity(rows.len());
    for row in rows {
        rowadr.push(address);
        address += row.len() as i32;
    }
    (rows.iter().map(|row| row.len() as i32).collect(), rowadr, rows.concat())
}

/// The address of an entry, -1 if there is none.
fn find(rowadr: &[i32], rownnz: &[i32], colind: &[i32], row: i32, column: i32) -> i32 {
    let start = rowadr[row as usize] as usize;
    let columns = &colind[start..start + rownnz[row as usize] as usize];
    columns.binary_search(&column).map_or(-1, |k| (start + k) as i32)
}

impl Patterns {
    /// The patterns of a model whose tree of bodies, joints and dofs is in order.
    pub(crate) fn new(m: &Model) -> Patterns {
        let mut p = Patterns::default();
        p.set_inertia(m);
        p.set_full(m);
        p.set_bodies(m);
        p.set_maps(m);
        p
    }

    /// The reduced inertia: the ancestors of each dof, then itself; simple dofs have the diagonal only.
    fn set_inertia(&mut self, m: &Model) {
        let mut address = 0;
        let mut rows = Vec::with_capacity(m.nv);
        for d in 0..m.nv {
            let mut row = vec![d as i32];
            let above = ancestors(m, d).map(|a| a as i32);
            if m.dof_simplenum[d] == 0 {
                row.extend(above);
            }
            self.dof_Madr.push(address);
            // the older order stores the diagonal first, then the ancestors outwards
            self.mapM2M.extend((0..row.len() as i32).rev().map(|k| address + k));
            address += 1 + ancestors(m, d).count() as i32;
            row.reverse();
            rows.push(row);
        }
        (self.M_rownnz, self.M_rowadr, self.M_colind) = compress(&rows);
    }

    /// The full matrix: all ancestors and descendants of each dof, in order.
    fn set_full(&mut self, m: &Model) {
        let mut rows: Vec<Vec<i32>> = vec![Vec::new(); m.nv];
        for d in 0..m.nv {
            let mut above: Vec<usize> = ancestors(m, d).collect();
            above.reverse();
            self.D_diag.push(above.len() as i32);
            rows[d] = above.iter().map(|&a| a as i32).collect();
            rows[d].push(d as i32);
            for a in above {
                rows[a].push(d as i32);
            }
        }
        (self.D_rownnz, self.D_rowadr, self.D_colind) = compress(&rows);
    }

    /// The row of a body: the dofs of its ancestors, its own and those of its descendants.
    fn set_bodies(&mut self, m: &Model) {
        let mut rows: Vec<Vec<i32>> = vec![Vec::new(); m.nbody];
        for d in 0..m.nv {
            // the world too has every dof among its descendants
            let mut body = m.dof_bodyid[d] as usize;
            while body > 0 {
                rows[body].push(d as i32);
                body = m.body_parentid[body] as usize;
            }
            rows[0].push(d as i32);
        }
        for (b, row) in rows.iter_mut().enumerate().skip(1) {
            let mut ancestor = m.body_parentid[b] as usize;
            while ancestor > 0 {
                let first = m.body_dofadr[ancestor];
                row.extend(first..first + m.body_dofnum[ancestor]);
                ancestor = m.body_parentid[ancestor] as usize;
            }
            row.sort_unstable();
        }
        (self.B_rownnz, self.B_rowadr, self.B_colind) = compress(&rows);
    }

    /// The maps between the reduced inertia and the full matrix, -1 where the former has no entry.
    fn set_maps(&mut self, m: &Model) {
        for d in 0..m.nv as i32 {
            let row = |adr: &[i32], nnz: &[i32]| {
                let start = adr[d as usize] as usize;
                start..start + nnz[d as usize] as usize
            };
            for &column in &self.D_colind[row(&self.D_rowadr, &self.D_rownnz)] {
                let (low, high) = (d.min(column), d.max(column));
                let entry = find(&self.M_rowadr, &self.M_rownnz, &self.M_colind, high, low);
                self.mapM2D.push(entry);
            }
            for &column in &self.M_colind[row(&self.M_rowadr, &self.M_rownnz)] {
                let entry = find(&self.D_rowadr, &self.D_rownnz, &self.D_colind, d, column);
                self.mapD2M.push(entry);
            }
        }
    }
}

impl Model {
    /// Fill the patterns of the sparse matrices from the tree of bodies, joints and dofs, and set their sizes.
    pub fn fill_patterns(&mut self) {
        let p = Patterns::new(self);
        self.sizes.nC = p.M_colind.len();
        self.sizes.nD = p.D_colind.len();
        self.sizes.nB = p.B_colind.len();
        self.sizes.nM = (p.D_colind.len() + self.nv) / 2;
        self.dof_Madr = p.dof_Madr.into();
        self.M_rownnz = p.M_rownnz.into();
        self.M_rowadr = p.M_rowadr.into();
        self.M_colind = p.M_colind.into();
        self.mapM2M = p.mapM2M.into();
        self.D_rownnz = p.D_rownnz.into();
        self.D_rowadr = p.D_rowadr.into();
        self.D_diag = p.D_diag.into();
        self.D_colind = p.D_colind.into();
        self.mapM2D = p.mapM2D.into();
        self.mapD2M = p.mapD2M.into();
        self.B_rownnz = p.B_rownnz.into();
        self.B_rowadr = p.B_rowadr.into();
        self.B_colind = p.B_colind.into();
    }
}
