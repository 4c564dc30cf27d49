//! The Hessian of Newton's method, `H = M + Jᵀ D J` over the quadratic rows, and its factor.
use alloc::vec::Vec;

use ferrodyn_math::{
    MIN_VAL, Real, SparseFactor, SparseLower, SparseRows, Which, add_scaled, factor_dense,
    solve_dense, sqrt, update_dense,
};
use ferrodyn_model::ConstraintState;

use super::primal::{Jacobian, Problem};

/// The Hessian, dense or sparse, factored; with cones in a second factor.
#[derive(Clone, Debug, Default)]
pub(super) struct Hessian {
    sparse: bool,
    elliptic: bool,
    /// Dense factor.
    dense: Vec<Real>,
    matrix: SparseLower,
    factor: SparseFactor,
    /// Number of entries that were set aside for the sparse Hessian.
    reserved: usize,
    /// The factor with the contacts on the boundary of their cones.
    cone: Vec<Real>,
    /// Groups of rows of `J` that share their columns.
    groups: Vec<(usize, usize)>,
    /// For each degree of freedom, the groups that it is in and its place among their columns.
    member_start: Vec<usize>,
    members: Vec<(usize, usize)>,
    accumulator: Vec<Real>,
    mark: Vec<usize>,
    vector: Vec<Real>,
    /// The rows of `J`, each times its `D`.
    weighted: Vec<Real>,
    /// Quadratic rows: where they begin in `weighted`, and their `D`; and the first of each group.
    active: Vec<(usize, Real)>,
    active_start: Vec<usize>,
}

fn quadratic(state: i32) -> bool {
    state == ConstraintState::Quadratic as i32
}

impl Hessian {
    /// Compute the Hessian for the present states; for a sparse one, find its pattern first.
    pub(super) fn make(&mut self, p: &Problem<'_>) {
        let nv = p.pattern.rownnz.len();
        self.elliptic = p.is_elliptic();
        match &p.jacobian {
            Jacobian::Sparse(rows) => {
                self.sparse = true;
                self.find_members(rows, nv);
                self.find_pattern(p, rows, nv);
                self.fill_sparse(p, rows, nv);
                self.factor.analyze(&self.matrix);
            }
            Jacobian::Dense { .. } => {
                self.sparse = false;
                self.fill_dense(p, nv);
            }
        }
    }

    /// Number of entries of all matrices, as MuJoCo counts them.
    pub(super) fn entries(&self, nv: usize) -> i32 {
        if self.sparse {
            let factors = 1 + usize::from(self.elliptic);
            (factors * self.factor.lower.value.len() + self.reserved) as i32
        } else {
            (nv * nv) as i32
        }
    }

    /// Factor the Hessian, after computing it again where `refill` says so; the number of updates
    /// that this counts as.
    pub(super) fn factor(&mut self, p: &Problem<'_>, refill: bool, cones: usize) -> i32 {
        let nv = p.pattern.rownnz.len();
        match &p.jacobian {
            Jacobian::Sparse(rows) => {
                if refill {
                    self.fill_sparse(p, rows, nv);
                }
                self.factor.factor(&self.matrix, MIN_VAL);
            }
            Jacobian::Dense { .. } => {
                if refill {
                    self.fill_dense(p, nv);
                }
                factor_dense(&mut self.dense, nv, MIN_VAL);
            }
        }
        let mut updates = p.state.len() as i32;
        if cones > 0 {
            updates += self.add_cones(p);
        }
        updates
    }

    /// Change the factor where rows became quadratic or ceased to be; the number of updates.
    pub(super) fn update(&mut self, p: &Problem<'_>, old: &[i32], cones: usize) -> i32 {
        let nv = p.pattern.rownnz.len();
        let mut updates = 0;
        for i in 0..old.len() {
            let (was, is) = (quadratic(old[i]), quadratic(p.state[i]));
            if was == is {
                continue;
            }
            let (values, columns) = p.jacobian.sparse_row(i);
            let scale = sqrt(p.rows.d[i]);
            self.vector.clear();
            self.vector.extend(values.iter().map(|x| x * scale));
            let rank = if self.sparse {
                self.factor.update(Which::Own, columns, &self.vector, is)
            } else {
                update_dense(&mut self.dense, &mut self.vector, is)
            };
            updates += 1;
            if rank < nv {
                return self.factor(p, true, cones);
            }
        }
        if cones > 0 {
            updates += self.add_cones(p);
        }
        updates
    }

    /// `x = H⁻¹ x`, with cones where there are some.
    pub(super) fn solve(&self, x: &mut [Real], cones: usize) {
        if self.sparse {
            let values = if cones > 0 { &self.cone } else { &self.factor.lower.value };
            self.factor.solve(values, x);
        } else {
            solve_dense(if cones > 0 { &self.cone } else { &self.dense }, x);
        }
    }

    /// The second factor: the first one, and the Hessians of contacts on their cones.
    fn add_cones(&mut self, p: &Problem<'_>) -> i32 {
        let own = if self.sparse { &self.factor.lower.value } else { &self.dense };
        self.cone.clear();
        self.cone.extend_from_slice(own);
        let mut updates = 0;
        let mut i = 0;
        while i < p.state.len() {
            if p.state[i] != ConstraintState::Cone as i32 {
                i += 1;
                continue;
            }
            let contact = &p.contacts[p.rows.id[i] as usize];
            let dim = contact.dim as usize;
            let mut local = contact.h;
            factor_dense(&mut local[..dim * dim], dim, MIN_VAL);
            // rows of Lᵀ J
            for c in 0..dim {
                self.vector.clear();
                self.vector.resize(p.jacobian.sparse_row(i).0.len(), 0.0);
                for r in c..dim {
                    add_scaled(
                        &mut self.vector,
                        p.jacobian.sparse_row(i + r).0,
                        local[r * dim + c],
                    );
                }
                if self.sparse {
                    let columns = p.jacobian.sparse_row(i).1;
                    let which = Which::Other(&mut self.cone);
                    self.factor.update(which, columns, &self.vector, true);
                } else {
                    update_dense(&mut self.cone, &mut self.vector, true);
                }
            }
            updates += dim as i32;
            i += dim;
        }
        updates
    }

    /// Lower triangle of `M + Jᵀ D J`.
    fn fill_dense(&mut self, p: &Problem<'_>, nv: usize) {
        self.dense.clear();
        self.dense.resize(nv * nv, 0.0);
        for i in 0..p.state.len() {
            if !quadratic(p.state[i]) {
                continue;
            }
            let row = p.jacobian.sparse_row(i).0;
            for (r, x) in row.iter().enumerate().filter(|(_, x)| **x != 0.0) {
                let scale = x * p.rows.d[i];
                add_scaled(&mut self.dense[r * nv..r * nv + r + 1], &row[..=r], scale);
            }
        }
        for r in 0..nv {
            let start = p.pattern.rowadr[r] as usize;
            for k in start..start + p.pattern.rownnz[r] as usize {
                self.dense[r * nv + p.pattern.colind[k] as usize] += p.inertia[k];
            }
        }
    }

    /// The groups of rows, and for each degree of freedom those that it is in.
    fn find_members(&mut self, rows: &SparseRows<'_>, nv: usize) {
        self.groups.clear();
        self.groups.extend(rows.groups());
        self.member_start.clear();
        self.member_start.resize(nv + 1, 0);
        for (first, _) in &self.groups {
            for c in rows.row(*first).1 {
                self.member_start[*c as usize + 1] += 1;
            }
        }
        for c in 0..nv {
            self.member_start[c + 1] += self.member_start[c];
        }
        self.mark.clear();
        self.mark.extend_from_slice(&self.member_start[..nv]);
        self.members.clear();
        self.members.resize(self.member_start[nv], (0, 0));
        for (group, (first, _)) in self.groups.iter().enumerate() {
            for (place, c) in rows.row(*first).1.iter().enumerate() {
                let slot = &mut self.mark[*c as usize];
                self.members[*slot] = (group, place);
                *slot += 1;
            }
        }
    }

    /// Columns of each row of the Hessian: those of all rows of `J` that the row is in, and those of
    /// the inertia.
    fn find_pattern(&mut self, p: &Problem<'_>, rows: &SparseRows<'_>, nv: usize) {
        let h = &mut self.matrix;
        h.start.clear();
        h.column.clear();
        self.mark.clear();
        self.mark.resize(nv, usize::MAX);
        self.accumulator.clear();
        self.accumulator.resize(nv, 0.0);
        // MuJoCo reserves room for the inertia up to the end of the island
        let last = nv.wrapping_sub(1);
        let inertia = p.pattern.rowadr.get(last).zip(p.pattern.rownnz.get(last));
        self.reserved = inertia.map_or(0, |(adr, nnz)| (adr + nnz) as usize);
        for r in 0..nv {
            let begin = h.column.len();
            h.start.push(begin);
            let mut add = |columns: &[i32], h: &mut SparseLower| {
                for c in columns.iter().map(|c| *c as usize) {
                    if self.mark[c] != r {
                        self.mark[c] = r;
                        h.column.push(c);
                    }
                }
            };
            for &(group, place) in &self.members[self.member_start[r]..self.member_start[r + 1]] {
                add(&rows.row(self.groups[group].0).1[..=place], h);
            }
            self.reserved += h.column.len() - begin;
            let start = p.pattern.rowadr[r] as usize;
            add(&p.pattern.colind[start..start + p.pattern.rownnz[r] as usize], h);
            h.column[begin..].sort_unstable();
        }
        h.start.push(h.column.len());
        h.value.resize(h.column.len(), 0.0);
    }

    /// Lower triangle of `Jᵀ D J + M`. Every entry is summed row by row of `J`, with the products of MuJoCo: off the
    /// diagonal `J(i, r) (D J(i, c))`, on it `J(i, r)² D`.
    fn fill_sparse(&mut self, p: &Problem<'_>, rows: &SparseRows<'_>, nv: usize) {
        let base = self.weigh(p, rows);
        let Hessian { matrix: h, accumulator, groups, member_start, members, vector, .. } = self;
        for r in 0..nv {
            let mut diagonal = 0.0;
            for &(group, place) in &members[member_start[r]..member_start[r + 1]] {
                let active = &self.active[self.active_start[group]..self.active_start[group + 1]];
                if active.is_empty() {
                    continue;
                }
                let columns = &rows.row(groups[group].0).1[..place];
                vector.clear();
                vector.extend(columns.iter().map(|c| accumulator[*c as usize]));
                for &(start, d) in active {
                    let x = rows.values[base + start + place];
                    diagonal += x * x * d;
                    add_scaled(vector, &self.weighted[start..start + place], x);
                }
                for (x, c) in vector.iter().zip(columns) {
                    accumulator[*c as usize] = *x;
                }
            }
            accumulator[r] = diagonal;
            let start = p.pattern.rowadr[r] as usize;
            for k in start..start + p.pattern.rownnz[r] as usize {
                accumulator[p.pattern.colind[k] as usize] += p.inertia[k];
            }
            for k in h.start[r]..h.start[r + 1] {
                let c = h.column[k];
                h.value[k] = accumulator[c];
                accumulator[c] = 0.0;
            }
        }
    }

    /// `D J` of the quadratic rows, in the places of `J` from the first one on, which is returned.
    fn weigh(&mut self, p: &Problem<'_>, rows: &SparseRows<'_>) -> usize {
        self.active.clear();
        self.active_start.clear();
        self.active_start.push(0);
        let Some(&base) = rows.rowadr.first() else { return 0 };
        let base = base as usize;
        let last = rows.rowadr.len() - 1;
        self.weighted.resize((rows.rowadr[last] + rows.rownnz[last]) as usize - base, 0.0);
        for &(first, end) in &self.groups {
            for i in (first..end).filter(|i| quadratic(p.state[*i])) {
                let start = rows.rowadr[i] as usize - base;
                let d = p.rows.d[i];
                for (to, x) in self.weighted[start..].iter_mut().zip(rows.row(i).0) {
                    *to = d * x;
                }
                self.active.push((start, d));
            }
            self.active_start.push(self.active.len());
        }
        base
    }
}
