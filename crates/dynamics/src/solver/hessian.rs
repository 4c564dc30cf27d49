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
//! Dense and sparse kinds do the same.
use ferrodyn_math::{
    MIN_VAL, Real, Stack, StackFull, Which, add_scaled, factor_dense, solve_tiles,
};
use ferrodyn_model::ConstraintState;

use super::hessian_dense::Dense;
use super::hessian_sparse::Sparse;
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

/// With fewer rows that change at once, updating is kept: what factoring would save is little, and updates have MuJoCo's bits.
const MANY_CHANGES: usize = 64;

/// Is a dense matrix computed and factored anew sooner than the factor is updated for rows that changed?
///
/// An update rotates `n²/2` entries, at about four operations each and one after the other. The matrix takes one multiplication for each
/// entry and acting row, its factor `n³/6`. So factoring takes half the time of updating where this holds.
pub(super) fn cheaper_to_factor(changed: usize, acting: usize, n: usize) -> bool {
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
            Jacobian::Sparse(rows) => Kind::Sparse(Sparse::new(p, rows, nv, stack)?),
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
                sparse.factor();
            }
            Kind::Dense(dense) => {
                // the matrix with cones alone
                let acting = count_quadratic(p);
                self.stale = p.reorders && cheaper_to_factor_cones(cones, acting, nv);
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
                let cheaper = p.reorders && cheaper_to_factor_cones(cones, acting, nv);
                if cones > 0 && (self.stale || cheaper) {
                    self.stale = true;
                    return count as i32 + dense.factor_with_cones(p, nv);
                }
                // noslip goes on from the last digits, so that they have to be MuJoCo's
                let anew = p.reorders && cheaper_to_factor(count, acting, nv);
                if core::mem::take(&mut self.stale) || anew {
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
