//! The Hessian of Newton's method, `H = M + Jᵀ D J` over the quadratic rows, and its factor.
use alloc::vec::Vec;

use ferrodyn_math::{
    MIN_VAL, Real, SparseFactor, SparseLower, Which, add_scaled, factor_dense, solve_dense, sqrt,
    update_dense,
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
    /// Rows of `J` by column: for each degree of freedom, rows and values.
    column_start: Vec<usize>,
    column_rows: Vec<(usize, Real)>,
    accumulator: Vec<Real>,
    mark: Vec<usize>,
    vector: Vec<Real>,
}

fn quadratic(state: i32) -> bool {
    state == ConstraintState::Quadratic as i32
}

impl Hessian {
    /// Compute the Hessian for the present states; for a sparse one, find its pattern first.
    pub(super) fn make(&mut self, p: &Problem<'_>) {
        let nv = p.pattern.rownnz.len();
        self.sparse = matches!(p.jacobian, Jacobian::Sparse { .. });
        self.elliptic = p.is_elliptic();
        if self.sparse {
            self.transpose(p, nv);
            self.find_pattern(p, nv);
            self.fill_sparse(p, nv);
            self.factor.analyze(&self.matrix);
        } else {
            self.fill_dense(p, nv);
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
        if self.sparse {
            if refill {
                self.fill_sparse(p, nv);
            }
            self.factor.factor(&self.matrix, MIN_VAL);
        } else {
            if refill {
                self.fill_dense(p, nv);
            }
            factor_dense(&mut self.dense, nv, MIN_VAL);
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

    /// The rows of the Jacobian by column.
    fn transpose(&mut self, p: &Problem<'_>, nv: usize) {
        self.column_start.clear();
        self.column_start.resize(nv + 1, 0);
        for i in 0..p.state.len() {
            for c in p.jacobian.sparse_row(i).1 {
                self.column_start[*c as usize + 1] += 1;
            }
        }
        for c in 0..nv {
            self.column_start[c + 1] += self.column_start[c];
        }
        self.mark.clear();
        self.mark.extend_from_slice(&self.column_start[..nv]);
        self.column_rows.clear();
        self.column_rows.resize(self.column_start[nv], (0, 0.0));
        for i in 0..p.state.len() {
            let (values, columns) = p.jacobian.sparse_row(i);
            for (x, c) in values.iter().zip(columns) {
                let slot = &mut self.mark[*c as usize];
                self.column_rows[*slot] = (i, *x);
                *slot += 1;
            }
        }
    }

    /// Columns of each row of the Hessian: those of all rows of `J` that the row is in, and those of
    /// the inertia.
    fn find_pattern(&mut self, p: &Problem<'_>, nv: usize) {
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
            let mut last = None;
            for &(i, _) in &self.column_rows[self.column_start[r]..self.column_start[r + 1]] {
                // rows of one constraint have the same columns
                let constraint = Some((p.rows.kind[i], p.rows.id[i]));
                if constraint == last {
                    continue;
                }
                last = constraint;
                for c in
                    p.jacobian.sparse_row(i).1.iter().map(|c| *c as usize).take_while(|c| *c <= r)
                {
                    if self.mark[c] != r {
                        self.mark[c] = r;
                        h.column.push(c);
                    }
                }
            }
            self.reserved += h.column.len() - begin;
            let start = p.pattern.rowadr[r] as usize;
            for k in start..start + p.pattern.rownnz[r] as usize {
                let c = p.pattern.colind[k] as usize;
                if self.mark[c] != r {
                    self.mark[c] = r;
                    h.column.push(c);
                }
            }
            h.column[begin..].sort_unstable();
        }
        h.start.push(h.column.len());
        h.value.resize(h.column.len(), 0.0);
    }

    fn fill_sparse(&mut self, p: &Problem<'_>, nv: usize) {
        let Hessian { matrix: h, accumulator, column_start, column_rows, .. } = self;
        for r in 0..nv {
            for &(i, x) in &column_rows[column_start[r]..column_start[r + 1]] {
                if !quadratic(p.state[i]) {
                    continue;
                }
                let scale = x * p.rows.d[i];
                let (values, columns) = p.jacobian.sparse_row(i);
                for (y, c) in values.iter().zip(columns) {
                    let c = *c as usize;
                    if c > r {
                        break;
                    }
                    accumulator[c] += scale * y;
                }
            }
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
}
