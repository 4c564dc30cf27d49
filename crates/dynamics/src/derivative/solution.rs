//! The solution of the constraints, and how it follows the forces.
//!
//! Constraint forces are the gradient of a cost that is quadratic as long as no row changes its state: with `W` the
//! Hessian of the cost of the rows, `(M + Jᵀ W J) δq̈ = δf_smooth + Jᵀ W δaref`, and all forces together change by `M δq̈`.
//!
//! The same matrix serves for more: in a world a little off, where `M`, `J` and `f` are new, Newton's method with the
//! old matrix converges in a step or two ([`Solution::follow`]), since the matrix is off by as little as the world.
//! Perturbed steps need no solver then.
use alloc::{vec, vec::Vec};

use ferrodyn_math::{Real, cholesky_in_place, cholesky_solve_in_place};
use ferrodyn_model::{ConstraintState, Model, Solver};

use crate::World;
use crate::constraint::mul_jac_vec;
use crate::constraint::zone::elliptic_contact;
use crate::inverse::constraint_update;
use crate::position::mul_m;

/// The solution of the constraints, and how it changes.
#[derive(Clone, Debug)]
pub struct Solution {
    /// Cholesky factor of `M + Jᵀ W J`.
    factor: Vec<Real>,
    /// `Jᵀ W ∂aref/∂v`.
    pub(super) damping: Vec<Real>,
    /// The acceleration.
    qacc: Vec<Real>,
}

impl Solution {
    /// `None` where the solver does not minimize the cost, or did not get there.
    pub(super) fn new(m: &Model, d: &mut World<'_>) -> Option<Solution> {
        // PGS, position-based dynamics and noslip end elsewhere; a solver that ran out of iterations is not at the minimum
        let primal =
            !matches!(m.solver(), Solver::Pgs | Solver::Xpbd) && m.opt.noslip_iterations == 0;
        let converged = d.head.solver_niter.iter().all(|n| *n < m.opt.iterations);
        if !primal || !converged {
            return None;
        }
        // forces, states and Hessians of cones at the solution
        let mut jar = vec![0.0; d.nefc()];
        mul_jac_vec(m, &d.work, &mut jar, d.qacc);
        jar.iter_mut().zip(&*d.work.efc_aref).for_each(|(x, aref)| *x -= aref);
        constraint_update(m, d, &jar, true);

        let nv = m.nv;
        // M, lower triangle
        let (mut factor, mut damping) = (vec![0.0; nv * nv], vec![0.0; nv * nv]);
        for i in 0..nv {
            let start = m.M_rowadr[i] as usize;
            for k in start..start + m.M_rownnz[i] as usize {
                factor[i * nv + m.M_colind[k] as usize] = d.M[k];
            }
        }
        let w = &d.work;
        // Jᵀ W J, and its product with ∂aref/∂v = -b J
        let mut add = |r: usize, c: usize, weight: Real| {
            let b = w.efc_KBIP[c][1];
            for (i, left) in row(m, d, r) {
                for (j, right) in row(m, d, c) {
                    let x = weight * left * right;
                    factor[i * nv + j] += x;
                    damping[i * nv + j] -= b * x;
                }
            }
        };
        let mut r = 0;
        while r < jar.len() {
            // a contact that slides: the full block of its cone
            let sliding = w.efc_state[r] == ConstraintState::Cone as i32;
            let contact = elliptic_contact(w.efc_type[r], w.efc_id[r]).filter(|_| sliding);
            if let Some(contact) = contact {
                let contact = &w.contact[contact];
                let dim = contact.dim as usize;
                for (k, l) in (0..dim * dim).map(|x| (x / dim, x % dim)) {
                    add(r + k, r + l, contact.h[k * dim + l]);
                }
                r += dim;
                continue;
            }
            // one row with its D; satisfied and slipping rows have no curvature
            if w.efc_state[r] == ConstraintState::Quadratic as i32 {
                add(r, r, w.efc_D[r]);
            }
            r += 1;
        }
        // rounding, or a state that is no number, can leave it without a factor
        cholesky_in_place(&mut factor, nv).ok()?;
        Some(Solution { factor, damping, qacc: d.qacc.to_vec() })
    }

    /// Turn a change of smooth forces into that of all forces.
    pub(super) fn respond(&self, m: &Model, d: &World<'_>, force: &mut [Real]) {
        cholesky_solve_in_place(&self.factor, force);
        // all forces together are M δq̈
        let acceleration = force.to_vec();
        mul_m(m, d, force, &acceleration);
    }

    /// The solution in a world whose configuration is a little off, by Newton's method with the Hessian of the
    /// solution that is known; `qacc` and `qfrc_constraint` are left behind. False where that does not converge
    /// at once, since rows changed their state.
    pub(super) fn follow(&self, m: &Model, d: &mut World<'_>, memory: &mut FollowMemory) -> bool {
        let FollowMemory { jar, gradient } = memory;
        // begin at the known acceleration
        jar.resize(d.nefc(), 0.0);
        gradient.resize(m.nv, 0.0);
        d.qacc.copy_from_slice(&self.qacc);
        let mut last = Real::INFINITY;
        for _ in 0..NEWTON_STEPS {
            // M q̈ − f − Jᵀ force
            mul_jac_vec(m, &d.work, jar, d.qacc);
            jar.iter_mut().zip(&*d.work.efc_aref).for_each(|(x, aref)| *x -= aref);
            constraint_update(m, d, jar, false);
            mul_m(m, d, gradient, d.qacc);
            for i in 0..m.nv {
                gradient[i] -= d.qfrc_smooth[i] + d.qfrc_constraint[i];
            }
            cholesky_solve_in_place(&self.factor, gradient);
            let size = gradient.iter().fold(0.0, |x: Real, y| x.max(y.abs()));
            // a step that does not shrink by far means another set of acting rows, and that the matrix is wrong
            if size.is_nan() || size > CONTRACTION * last {
                return false;
            }
            last = size;
            d.qacc.iter_mut().zip(&*gradient).for_each(|(x, g)| *x -= g);
        }
        // at the solution all forces together are M q̈, which carries its error less than the rows would
        mul_m(m, d, gradient, d.qacc);
        for i in 0..m.nv {
            d.qfrc_constraint[i] = gradient[i] - d.qfrc_smooth[i];
        }
        true
    }
}

/// Working memory of [`Solution::follow`].
#[derive(Clone, Debug, Default)]
pub(super) struct FollowMemory {
    jar: Vec<Real>,
    gradient: Vec<Real>,
}

/// Steps of Newton's method from a solution nearby: each one multiplies the error by the size of the
/// perturbation, times the stiffness of the constraints.
const NEWTON_STEPS: usize = 2;
/// The second step is smaller than the first by this at least, or rows changed their state.
const CONTRACTION: Real = 1e-2;

/// Columns and values of a row of the constraint Jacobian that are not zero.
fn row<'a>(m: &'a Model, d: &'a World<'_>, r: usize) -> impl Iterator<Item = (usize, Real)> + 'a {
    let w = &d.work;
    let sparse = m.is_sparse();
    let range = if sparse {
        let start = w.efc_J_rowadr[r] as usize;
        start..start + w.efc_J_rownnz[r] as usize
    } else {
        r * m.nv..(r + 1) * m.nv
    };
    let first = range.start;
    range
        .map(move |k| (if sparse { w.efc_J_colind[k] as usize } else { k - first }, w.efc_J[k]))
        .filter(|(_, x)| *x != 0.0)
}
