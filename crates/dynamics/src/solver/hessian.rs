//! The Hessian of Newton's method, `H = M + Jᵀ D J` over the quadratic rows, and its factor.
//!
//! `H` is symmetric and positive, as `M` is, and factored by Cholesky. Between iterations few rows change their state;
//! each one adds or removes `D jᵀ j`, which is a change of rank one of the factor, `O(n²)` instead of `O(n³)`. Where
//! removing a row leaves a pivot that is not positive (rounding, with stiff rows on light bodies), the matrix is
//! computed and factored anew.
//!
//! The factor is `H = L Lᵀ` where it is dense, and `H = Lᵀ L` where it is sparse, eliminated from the last row.
//!
//! Contacts that slide on an elliptic cone have a full block as Hessian, which changes in every iteration. They live in a second
//! factor, that of `H + Jᵀ C J`, made from the first one by as many updates of rank one as their rows; the first one is not touched. Where
//! many contacts slide and matrices are dense, `H + Jᵀ C J` is computed and factored anew, and the first factor waits until it is asked for.
//!
//! Dense and sparse kinds do the same. The sparse one finds its pattern once for all rows, acting or not, so that rows that come
//! and go find their entries in place, in the matrix and in its factor.
use ferrodyn_math::{
    List, MIN_VAL, Real, SparseFactor, SparseLower, SparseRows, Stack, StackFull, Which,
    add_scaled, factor_dense, solve_tiles, sort_by, sqrt,
};
use ferrodyn_model::ConstraintState;

use super::hessian_dense::Dense;
use super::primal::{Jacobian, Problem};

/// The Hessian, dense or sparse, factored; with cones in a second factor.
#[derive(Debug)]
pub(super) struct Hessian<'a> {
    kind: Kind<'a>,
    elliptic: bool,
    /// The first dense factor did not follow the states: only that with cones did.
    stale: bool,
}

#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "there is one of them at a time")]
enum Kind<'a> {
    Dense(Dense<'a>),
    Sparse(Sparse<'a>),
}

#[derive(Debug)]
struct Sparse<'a> {
    matrix: SparseLower<'a>,
    factor: SparseFactor<'a>,
    /// Values of the factor with the contacts on the boundary of their cones.
    cone: &'a mut [Real],
    members: Members<'a>,
    /// Number of entries that were set aside for the matrix.
    reserved: usize,
    /// One row of the matrix, and some columns of it.
    accumulator: &'a mut [Real],
    vector: List<'a, Real>,
    /// The rows of `J`, each times its `D`.
    weighted: &'a mut [Real],
    /// Quadratic rows: where they begin in `weighted`, and their `D`; and the first of each group.
    quadratic: List<'a, usize>,
    quadratic_weight: List<'a, Real>,
    quadratic_start: List<'a, usize>,
}

/// Groups of rows of `J` that share their columns, and the degrees of freedom in them.
#[derive(Debug)]
struct Members<'a> {
    /// First row, and the one after the last.
    groups: &'a mut [[usize; 2]],
    /// For each degree of freedom, the groups that it is in and its place among their columns.
    start: &'a mut [usize],
    members: &'a mut [[usize; 2]],
}

impl Members<'_> {
    /// The groups that a degree of freedom is in, and its place in each.
    #[inline]
    fn of(&self, dof: usize) -> &[[usize; 2]] {
        &self.members[self.start[dof]..self.start[dof + 1]]
    }
}

/// With fewer rows that change at once, updating is kept: what factoring would save is little, and updates have MuJoCo's bits.
const MANY_CHANGES: usize = 64;

/// Is a dense matrix computed and factored anew sooner than the factor is updated for rows that changed?
///
/// An update rotates `n²/2` entries, at about four operations each and one after the other. The matrix takes one multiplication for each
/// entry and acting row, its factor `n³/6`. So factoring takes half the time of updating where this holds.
fn cheaper_to_factor(changed: usize, acting: usize, n: usize) -> bool {
    changed >= MANY_CHANGES && 2 * changed > acting + n / 3
}

/// With fewer rows of contacts that slide, updating is kept, for the same reasons: four contacts of three rows.
const MANY_CONES: usize = 12;

/// Is the dense matrix with the contacts on their cones computed and factored anew sooner than the factor without them is updated?
///
/// In cycles, four numbers at a time: an update rotates `n²/2` entries at about four operations each, and waits in each of `n` columns for a
/// root and two divisions. A product adds `n²/2` entries at two operations, a factor has `n³/6` of them and waits in each column once.
fn cheaper_to_factor_cones(cones: usize, acting: usize, n: usize) -> bool {
    // a root and two divisions of double precision, one after the other
    const WAIT: usize = 45;
    let update = cones * (n * n / 2 + WAIT * n);
    let factor = (acting + cones) * n * n / 4 + n * n * n / 12 + WAIT * n;
    cones >= MANY_CONES && update > 2 * factor
}

pub(super) fn quadratic(state: i32) -> bool {
    state == ConstraintState::Quadratic as i32
}

fn count_quadratic(p: &Problem<'_>) -> usize {
    p.state.iter().filter(|state| quadratic(**state)).count()
}

impl<'a> Hessian<'a> {
    /// Compute the Hessian for the present states; for a sparse one, find its pattern first.
    pub(super) fn new(p: &Problem<'_>, stack: &mut Stack<'a>) -> Result<Hessian<'a>, StackFull> {
        let nv = p.pattern.rownnz.len();
        // room for the second factor only where contacts can slide on a cone
        let elliptic = p.is_elliptic();
        let kind = match &p.jacobian {
            Jacobian::Sparse(rows) => {
                let mut sparse = Sparse::new(p, rows, nv, stack)?;
                sparse.fill(p, rows, nv);
                Kind::Sparse(sparse)
            }
            Jacobian::Dense { .. } => {
                let mut dense = Dense::new(nv, elliptic, stack)?;
                dense.fill(p, nv);
                Kind::Dense(dense)
            }
        };
        Ok(Hessian { kind, elliptic, stale: false })
    }

    /// Number of entries of all matrices, as MuJoCo counts them.
    pub(super) fn entries(&self, nv: usize) -> i32 {
        match &self.kind {
            Kind::Sparse(sparse) => {
                // the first factor, the second one, and the matrix as it was reserved
                let factors = 1 + usize::from(self.elliptic);
                (factors * sparse.factor.lower.value.len() + sparse.reserved) as i32
            }
            Kind::Dense(_) => (nv * nv) as i32,
        }
    }

    /// Factor the Hessian, after computing it again where `refill` says so; the number of updates that this counts
    /// as. MuJoCo: `FactorizeHessian`.
    pub(super) fn factor(&mut self, p: &Problem<'_>, refill: bool, cones: usize) -> i32 {
        let nv = p.pattern.rownnz.len();
        match &mut self.kind {
            Kind::Sparse(sparse) => {
                if let (true, Jacobian::Sparse(rows)) = (refill, &p.jacobian) {
                    sparse.fill(p, rows, nv);
                }
                // pivots below the smallest usable number are raised to it: a massless direction stays solvable
                sparse.factor.factor(&sparse.matrix, MIN_VAL);
            }
            Kind::Dense(dense) => {
                // the matrix with cones alone
                let acting = count_quadratic(p);
                self.stale = cheaper_to_factor_cones(cones, acting, nv);
                if self.stale {
                    return p.state.len() as i32 + dense.factor_with_cones(p, nv);
                }
                if refill {
                    dense.fill(p, nv);
                }
                dense.factor(nv);
            }
        }
        // a new factor counts as an update for each row
        let mut updates = p.state.len() as i32;
        if cones > 0 {
            updates += self.add_cones(p);
        }
        updates
    }

    /// Change the factor where rows became quadratic or ceased to be; the number of updates. MuJoCo: `HessianIncremental`.
    pub(super) fn update(&mut self, p: &Problem<'_>, old: &[i32], cones: usize) -> i32 {
        let nv = p.pattern.rownnz.len();
        // only a row that enters or leaves the quadratic state changes the matrix
        let changes = |i: &usize| quadratic(old[*i]) != quadratic(p.state[*i]);
        let changed = (0..old.len()).filter(changes);
        let count = changed.clone().count();
        let kept = match &mut self.kind {
            Kind::Dense(dense) => {
                let acting = count_quadratic(p);
                // as many updates as MuJoCo makes, which always updates
                if cones > 0 && (self.stale || cheaper_to_factor_cones(cones, acting, nv)) {
                    self.stale = true;
                    return count as i32 + dense.factor_with_cones(p, nv);
                }
                if core::mem::take(&mut self.stale) || cheaper_to_factor(count, acting, nv) {
                    dense.fill(p, nv);
                    dense.factor(nv);
                    true
                } else {
                    dense.update(p, nv, changed)
                }
            }
            Kind::Sparse(sparse) => sparse.update(p, nv, changed),
        };
        // the factor lost a pivot: begin again from the matrix
        if !kept {
            return self.factor(p, true, cones);
        }
        // as many as MuJoCo makes, which always updates
        count as i32 + if cones > 0 { self.add_cones(p) } else { 0 }
    }

    /// `x = H⁻¹ x`, with cones where there are some.
    pub(super) fn solve(&self, x: &mut [Real], cones: usize) {
        match &self.kind {
            Kind::Sparse(sparse) => {
                // both factors have one pattern, so the choice is one of values
                let values = if cones > 0 { &*sparse.cone } else { &*sparse.factor.lower.value };
                sparse.factor.solve(values, x);
            }
            Kind::Dense(dense) => {
                solve_tiles(if cones > 0 { dense.cone } else { dense.matrix }, x);
            }
        }
    }

    /// The second factor: the first one, and the Hessians of contacts on their cones. MuJoCo: `HessianCone`.
    fn add_cones(&mut self, p: &Problem<'_>) -> i32 {
        let nv = p.pattern.rownnz.len();
        match &mut self.kind {
            Kind::Sparse(sparse) => {
                let Sparse { factor, cone, vector, .. } = sparse;
                cone.copy_from_slice(factor.lower.value);
                // into the copy, along the path of columns that the first factor knows
                each_cone(p, |first, weights| {
                    let (row, columns) = p.jacobian.row(first);
                    vector.set_all(row.len(), 0.0);
                    combine(vector, p, first, weights);
                    factor.update(Which::Other(cone), columns, vector, true);
                })
            }
            Kind::Dense(dense) => {
                let mut pending = dense.begin_cones(nv);
                let updates = each_cone(p, |first, weights| {
                    let vector = pending.next(true);
                    vector.fill(0.0);
                    combine(vector, p, first, weights);
                });
                pending.finish();
                updates
            }
        }
    }
}

/// `vector += Σᵣ weightᵣ J_r` over rows from `first` on.
pub(super) fn combine(vector: &mut [Real], p: &Problem<'_>, first: usize, weights: &[Real]) {
    for (r, weight) in weights.iter().enumerate() {
        add_scaled(vector, p.jacobian.row(first + r).0, *weight);
    }
}

/// Call a function for each change of rank one that contacts on their cones make: with a row, and the weights of the rows from there
/// on. The number of changes is returned.
///
/// The block `C = L Lᵀ` of one contact: `Jᵀ C J` is the sum over the rows `r` of `Lᵀ J` of `rᵀ r`.
pub(super) fn each_cone(p: &Problem<'_>, mut change: impl FnMut(usize, &[Real])) -> i32 {
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
        for c in 0..dim {
            // column c of L weighs the rows of the contact, which share their columns
            let mut weights = [0.0; 6];
            for r in c..dim {
                weights[r - c] = local[r * dim + c];
            }
            change(i + c, &weights[..dim - c]);
        }
        updates += dim as i32;
        i += dim;
    }
    updates
}

impl<'a> Members<'a> {
    /// The groups of rows, and for each degree of freedom those that it is in.
    fn new(rows: &SparseRows<'_>, nv: usize, stack: &mut Stack<'a>) -> Result<Self, StackFull> {
        let groups =
            stack.build(|groups| rows.groups().all(|(first, end)| groups.push([first, end])))?;
        let start = stack.take_zeroed(nv + 1)?;
        // how many groups each degree of freedom is in, then where its list begins
        for [first, _] in groups.iter() {
            for c in rows.row(*first).1 {
                start[*c as usize + 1] += 1;
            }
        }
        for c in 0..nv {
            start[c + 1] += start[c];
        }
        // fill the lists, groups in ascending order, so that sums run over rows of J in order
        let members = stack.take(start[nv])?;
        let mut inner = stack.scope();
        let next = inner.take::<usize>(nv)?;
        next.copy_from_slice(&start[..nv]);
        for (group, [first, _]) in groups.iter().enumerate() {
            for (place, c) in rows.row(*first).1.iter().enumerate() {
                let slot = &mut next[*c as usize];
                members[*slot] = [group, place];
                *slot += 1;
            }
        }
        Ok(Members { groups, start, members })
    }
}

impl<'a> Sparse<'a> {
    /// Find the patterns of the Hessian and of its factor.
    fn new(
        p: &Problem<'_>,
        rows: &SparseRows<'_>,
        nv: usize,
        stack: &mut Stack<'a>,
    ) -> Result<Self, StackFull> {
        // which rows of J meet which degree of freedom, then the pattern of H, then that of its factor
        let members = Members::new(rows, nv, stack)?;
        let accumulator = stack.take_zeroed(nv)?;
        let (start, mark) = (stack.take(nv + 1)?, stack.take(nv)?);
        let mut reserved = 0;
        let column = stack.build(|column| {
            let found = find_pattern(p, rows, &members, start, mark, column);
            reserved = found.unwrap_or(0);
            found.is_some()
        })?;
        let matrix = SparseLower { start, value: stack.take(column.len())?, column };
        let factor = SparseFactor::analyze(&matrix, stack)?;
        // entries of this island's rows, from its first to its last
        let entries = match (rows.rowadr.first(), rows.rowadr.last(), rows.rownnz.last()) {
            (Some(first), Some(last), Some(count)) => (last + count - first) as usize,
            _ => 0,
        };
        let cones = if p.is_elliptic() { factor.lower.value.len() } else { 0 };
        Ok(Sparse {
            matrix,
            factor,
            cone: stack.take(cones)?,
            reserved,
            accumulator,
            vector: stack.list(nv)?,
            weighted: stack.take(entries)?,
            quadratic: stack.list(p.state.len())?,
            quadratic_weight: stack.list(p.state.len())?,
            quadratic_start: stack.list(members.groups.len() + 1)?,
            members,
        })
    }

    /// Change the factor by `± (√D j)(√D j)ᵀ` for rows that became quadratic or ceased to be; false where it lost a pivot.
    fn update(&mut self, p: &Problem<'_>, nv: usize, rows: impl Iterator<Item = usize>) -> bool {
        for i in rows {
            let (values, columns) = p.jacobian.row(i);
            let scale = sqrt(p.rows.d[i]);
            self.vector.clear();
            self.vector.extend(values.iter().map(|x| x * scale));
            let is = quadratic(p.state[i]);
            if self.factor.update(Which::Own, columns, &self.vector, is) < nv {
                return false;
            }
        }
        true
    }

    /// Lower triangle of `Jᵀ D J + M`. Every entry is summed row by row of `J`, with the products of MuJoCo: off the
    /// diagonal `J(i, r) (D J(i, c))`, on it `J(i, r)² D`.
    fn fill(&mut self, p: &Problem<'_>, rows: &SparseRows<'_>, nv: usize) {
        let base = self.weigh(p, rows);
        let Sparse { matrix: h, accumulator, vector, members, .. } = self;
        for r in 0..nv {
            // row r of Jᵀ D J: from every group of rows of J that has column r
            let mut diagonal = 0.0;
            for &[group, place] in members.of(r) {
                let places = self.quadratic_start[group]..self.quadratic_start[group + 1];
                if places.is_empty() {
                    continue;
                }
                // entries left of the diagonal, side by side: gathered, summed over the group's rows, and put back
                let columns = &rows.row(members.groups[group][0]).1[..place];
                vector.clear();
                vector.extend(columns.iter().map(|c| accumulator[*c as usize]));
                for (&start, &d) in
                    self.quadratic[places.clone()].iter().zip(&self.quadratic_weight[places])
                {
                    // J(i, r), which multiplies what D J has to the left
                    let x = rows.values[base + start + place];
                    diagonal += x * x * d;
                    add_scaled(vector, &self.weighted[start..start + place], x);
                }
                for (x, c) in vector.iter().zip(columns) {
                    accumulator[*c as usize] = *x;
                }
            }
            // the inertia on top
            accumulator[r] = diagonal;
            let start = p.pattern.rowadr[r] as usize;
            for k in start..start + p.pattern.rownnz[r] as usize {
                accumulator[p.pattern.colind[k] as usize] += p.inertia[k];
            }
            // into the pattern, and the accumulator is clean for the next row
            for k in h.start[r]..h.start[r + 1] {
                let c = h.column[k];
                h.value[k] = accumulator[c];
                accumulator[c] = 0.0;
            }
        }
    }

    /// `D J` of the quadratic rows, in the places of `J` from the first one on, which is returned.
    fn weigh(&mut self, p: &Problem<'_>, rows: &SparseRows<'_>) -> usize {
        self.quadratic.clear();
        self.quadratic_weight.clear();
        self.quadratic_start.clear();
        self.quadratic_start.extend([0]);
        // rows of an island begin somewhere in the array of all
        let Some(&base) = rows.rowadr.first() else { return 0 };
        let base = base as usize;
        for &[first, end] in self.members.groups.iter() {
            // rows that are not quadratic are left out of their group
            for i in (first..end).filter(|i| quadratic(p.state[*i])) {
                let start = rows.rowadr[i] as usize - base;
                let d = p.rows.d[i];
                for (to, x) in self.weighted[start..].iter_mut().zip(rows.row(i).0) {
                    *to = d * x;
                }
                self.quadratic.extend([start]);
                self.quadratic_weight.extend([d]);
            }
            self.quadratic_start.extend([self.quadratic.len()]);
        }
        base
    }
}

/// Columns of each row of the Hessian: those of all rows of `J` that the row is in, and those of the inertia. The number of entries
/// that MuJoCo reserves is returned; `None` where there is no room for the columns.
fn find_pattern(
    p: &Problem<'_>,
    rows: &SparseRows<'_>,
    members: &Members<'_>,
    start: &mut [usize],
    mark: &mut [usize],
    column: &mut List<'_, usize>,
) -> Option<usize> {
    let nv = mark.len();
    mark.fill(usize::MAX);
    // MuJoCo reserves room for the inertia up to the end of the island
    let last = nv.wrapping_sub(1);
    let inertia = p.pattern.rowadr.get(last).zip(p.pattern.rownnz.get(last));
    let mut reserved = inertia.map_or(0, |(adr, nnz)| (adr + nnz) as usize);
    for r in 0..nv {
        let begin = column.len();
        start[r] = begin;
        // columns that are not in this row yet; `mark` holds the last row that had each column
        let mut add = |columns: &[i32]| {
            for c in columns.iter().map(|c| *c as usize) {
                if mark[c] != r {
                    mark[c] = r;
                    if !column.push(c) {
                        return None;
                    }
                }
            }
            Some(column.len())
        };
        // columns of J up to the diagonal, then those of the inertia
        for &[group, place] in members.of(r) {
            add(&rows.row(members.groups[group][0]).1[..=place])?;
        }
        reserved += add(&[])? - begin;
        let from = p.pattern.rowadr[r] as usize;
        add(&p.pattern.colind[from..from + p.pattern.rownnz[r] as usize])?;
        // ascending, as the factor expects; the diagonal comes last
        sort_by(&mut column[begin..], |a, b| a < b);
    }
    start[nv] = column.len();
    Some(reserved)
}
