//! Are the patterns of the sparse matrices those of the tree? Found without memory: rows are in order, every entry that the tree
//! asks for is there, and there are no more entries than that.
use core::ops::Range;

use crate::validate::one;
use crate::{InvalidModel, Model, Storage};

/// A sparse matrix of the model, of which only the shape counts.
struct Shape<'a> {
    /// The names of its arrays: entries of each row, first entry, columns.
    fields: [&'static str; 3],
    rownnz: &'a [i32],
    rowadr: &'a [i32],
    colind: &'a [i32],
}

impl Shape<'_> {
    /// Rows follow each other without gaps, and columns increase in each.
    fn check_order(&self) -> Result<(), InvalidModel> {
        let mut next = 0usize;
        for row in 0..self.rownnz.len() {
            one(self.fields[1], row, self.rowadr[row], next as i64)?;
            let count = usize::try_from(self.rownnz[row]).ok();
            let end = count.and_then(|n| next.checked_add(n)).filter(|n| *n <= self.colind.len());
            let Some(end) = end else { return Err(self.bad_count(row)) };
            let columns = &self.colind[next..end];
            if let Some(k) = columns.windows(2).position(|pair| pair[0] >= pair[1]) {
                return Err(self.bad_column(next + k + 1));
            }
            next = end;
        }
        if next == self.colind.len() { Ok(()) } else { Err(self.bad_column(next)) }
    }

    fn bad_count(&self, row: usize) -> InvalidModel {
        InvalidModel { field: self.fields[0], index: row, value: self.rownnz[row] as i64 }
    }

    fn bad_column(&self, entry: usize) -> InvalidModel {
        InvalidModel { field: self.fields[2], index: entry, value: self.colind[entry] as i64 }
    }

    /// The entries of a row; rows are in order.
    fn row(&self, row: usize) -> Range<usize> {
        let start = self.rowadr[row] as usize;
        start..start + self.rownnz[row] as usize
    }

    /// The entry of a row in a column.
    fn find(&self, row: usize, column: usize) -> Option<usize> {
        let entries = self.row(row);
        let columns = &self.colind[entries.clone()];
        columns.binary_search(&(column as i32)).ok().map(|k| entries.start + k)
    }

    /// The entry of a row in a column where there must be one.
    fn expect(&self, row: usize, column: usize) -> Result<usize, InvalidModel> {
        self.find(row, column).ok_or_else(|| self.bad_count(row))
    }

    /// There are as many entries as were looked for, so that there are no others.
    fn check_count(&self, looked_for: usize) -> Result<(), InvalidModel> {
        if looked_for == self.colind.len() { Ok(()) } else { Err(self.bad_column(0)) }
    }
}

/// The dofs above a dof, nearest first.
pub(crate) fn ancestors<S: Storage>(m: &Model<S>, dof: usize) -> impl Iterator<Item = usize> {
    let next = |d: usize| usize::try_from(m.dof_parentid[d]).ok();
    core::iter::successors(next(dof), move |&d| next(d))
}

impl<S: Storage> Model<S> {
    /// The sparse patterns are exactly those that the tree of bodies, joints and dofs has, which was checked before.
    pub(crate) fn validate_patterns(&self) -> Result<(), InvalidModel> {
        let inertia = Shape {
            fields: ["M_rownnz", "M_rowadr", "M_colind"],
            rownnz: &self.M_rownnz,
            rowadr: &self.M_rowadr,
            colind: &self.M_colind,
        };
        let full = Shape {
            fields: ["D_rownnz", "D_rowadr", "D_colind"],
            rownnz: &self.D_rownnz,
            rowadr: &self.D_rowadr,
            colind: &self.D_colind,
        };
        let bodies = Shape {
            fields: ["B_rownnz", "B_rowadr", "B_colind"],
            rownnz: &self.B_rownnz,
            rowadr: &self.B_rowadr,
            colind: &self.B_colind,
        };
        for shape in [&inertia, &full, &bodies] {
            shape.check_order()?;
        }
        self.check_full(&full)?;
        self.check_inertia(&inertia)?;
        self.check_maps(&inertia, &full)?;
        self.check_bodies(&bodies)
    }

    /// The reduced inertia: the ancestors of each dof, then itself; simple dofs have the diagonal only. The older order
    /// stores the diagonal first, then the ancestors outwards, of simple dofs too.
    fn check_inertia(&self, shape: &Shape<'_>) -> Result<(), InvalidModel> {
        let (mut entries, mut older) = (0, 0);
        for d in 0..self.nv {
            // a dof without a row of its own has nothing below it
            let parent = usize::try_from(self.dof_parentid[d]).ok();
            if self.dof_simplenum[d] == 0 && parent.is_some_and(|p| self.dof_simplenum[p] != 0) {
                return Err(InvalidModel { field: "dof_simplenum", index: d, value: 0 });
            }
            one("dof_Madr", d, self.dof_Madr[d], older as i64)?;
            let row = shape.row(d);
            let last = shape.expect(d, d)?;
            if last + 1 != row.end {
                return Err(shape.bad_column(last + 1));
            }
            entries += 1;
            if self.dof_simplenum[d] == 0 {
                for ancestor in ancestors(self, d) {
                    shape.expect(d, ancestor)?;
                    entries += 1;
                }
            }
            for (k, entry) in row.rev().enumerate() {
                one("mapM2M", entry, self.mapM2M[entry], (older + k) as i64)?;
            }
            older += 1 + self.D_diag[d] as usize;
        }
        if older != self.nM {
            return Err(InvalidModel { field: "nM", index: 0, value: self.nM as i64 });
        }
        shape.check_count(entries)
    }

    /// The full matrix: all ancestors and descendants of each dof.
    fn check_full(&self, shape: &Shape<'_>) -> Result<(), InvalidModel> {
        let mut entries = 0;
        for d in 0..self.nv {
            let diagonal = shape.expect(d, d)? - shape.row(d).start;
            one("D_diag", d, self.D_diag[d], diagonal as i64)?;
            entries += 1;
            for ancestor in ancestors(self, d) {
                shape.expect(d, ancestor)?;
                shape.expect(ancestor, d)?;
                entries += 2;
            }
        }
        shape.check_count(entries)
    }

    /// The maps between the reduced inertia and the full matrix, -1 where the former has no entry.
    fn check_maps(&self, inertia: &Shape<'_>, full: &Shape<'_>) -> Result<(), InvalidModel> {
        for d in 0..self.nv {
            for entry in full.row(d) {
                let column = full.colind[entry] as usize;
                let reduced = inertia.find(d.max(column), d.min(column));
                one("mapM2D", entry, self.mapM2D[entry], reduced.map_or(-1, |e| e as i64))?;
            }
            for entry in inertia.row(d) {
                let expected = full.expect(d, inertia.colind[entry] as usize)?;
                one("mapD2M", entry, self.mapD2M[entry], expected as i64)?;
            }
        }
        Ok(())
    }

    /// The row of a body: the dofs of its ancestors, its own and those of its descendants; the world has all.
    fn check_bodies(&self, shape: &Shape<'_>) -> Result<(), InvalidModel> {
        let mut entries = 0;
        for d in 0..self.nv {
            let mut body = self.dof_bodyid[d] as usize;
            loop {
                shape.expect(body, d)?;
                entries += 1;
                if body == 0 {
                    break;
                }
                body = self.body_parentid[body] as usize;
            }
        }
        for b in 1..self.nbody {
            let mut ancestor = self.body_parentid[b] as usize;
            while ancestor > 0 {
                for d in 0..self.body_dofnum[ancestor] {
                    shape.expect(b, (self.body_dofadr[ancestor] + d) as usize)?;
                    entries += 1;
                }
                ancestor = self.body_parentid[ancestor] as usize;
            }
        }
        shape.check_count(entries)
    }
}
