//! Newton's method with dense matrices by a team of lanes: [`super::primal`] and what it stands on, in the form in which lanes share rows, columns
//! and entries. Every entry sees the operations of that form in their order, so that the bits are the same.
//!
//! Each lane has an entry of a vector or a matrix, or a row; sums over rows are the team's ([`Team::sums`]), in order. What a lane decides it decides
//! from sums and shared memory, so that all of them go the same way. Matrices lie row by row, without tiles: lanes have neighbouring columns.
use ferrodyn_math::{MIN_VAL, Real, Rotation, Team, dot, norm, sqrt};
use ferrodyn_model::{ConstraintState, DisableBit, Model, Solver, Storage};

use super::hessian::{cheaper_to_factor, quadratic};
use super::linesearch::{Line, Objective, Point, add, parabola};
use super::primal::trace;
use super::{RECORDED, record};
use crate::constraint::island::{copy_whole_solution, is_whole};
use crate::constraint::zone::{friction_zone, push_zone};
use crate::constraint::{Rows, rows_alone};
use crate::data::Work;
use crate::data::memory::frame;
use crate::data::work::{SolverStat, WorkSizes};
use crate::position::inertia::pattern;
use crate::{StepError, World};
use ferrodyn_math::sparse::Pattern;

/// Rows that are solved for at once, as in [`ferrodyn_math::solve_tiles`].
const ROWS: usize = 4;

/// Added to a sum, it leaves every number as it is, a negative zero too.
const NOTHING: Real = -0.0;

frame! {
    /// Vectors of the search, and the Hessian, which becomes its factor.
    struct Memory(nv, nefc) {
        /// `J q̈ - aref`, and `J s` along the search direction.
        jar: slice Real = nefc,
        jv: slice Real = nefc,
        /// `M q̈` and `M s`.
        ma: slice Real = nv,
        mv: slice Real = nv,
        grad: slice Real = nv,
        /// Gradient times the inverse of the Hessian.
        mgrad: slice Real = nv,
        search: slice Real = nv,
        /// A row that changes the factor.
        vector: slice Real = nv,
        old_state: slice i32 = nefc,
        /// Rows that are quadratic, or that changed.
        listed: slice i32 = nefc,
        /// Costs of the rows along the search direction, as polynomials.
        quad: slice [Real; 3] = nefc,
        matrix: slice Real = nv * nv,
        /// Scalar products of the rows that are solved for at once.
        parts: slice Real = ROWS,
    }
}

/// Words of temporary memory that a team takes for so many rows.
pub(super) fn words(nv: usize, nefc: usize) -> usize {
    Memory::words(nv, nefc)
}

/// Is this a problem for [`fwd_constraint_by`]? Newton's method with dense matrices, of one island or none, without elliptic cones that rows belong to, and
/// without noslip.
pub(crate) fn suits_team(m: &Model<impl Storage>, d: &World<'_>) -> bool {
    let count = d.nefc();
    m.solver() == Solver::Newton
        && !m.is_sparse()
        && m.opt.noslip_iterations == 0
        && Solver::try_from(m.opt.solver).is_ok()
        && rows_alone(&d.work.efc_type[..count]) == count
        && (m.opt.disabled(DisableBit::Island) || d.head.nisland == 0 || is_whole(m, d))
}

/// [`fwd_constraint`](super::fwd_constraint) by a team, of problems that [suit it](suits_team).
pub(crate) fn fwd_constraint_by(
    t: &impl Team,
    m: &Model<impl Storage>,
    d: &mut World<'_>,
) -> Result<(), StepError> {
    let (nv, count) = (m.nv, d.nefc());
    if count > 0 {
        d.reserve(&WorkSizes { nstat: RECORDED, ..WorkSizes::default() })?;
    }
    let island = !m.opt.disabled(DisableBit::Island) && d.head.nisland > 0;
    let World { work: w, head, stack, qfrc_constraint, qacc, qacc_smooth, .. } = d;
    t.each(nv, |i| qfrc_constraint[i] = 0.0);
    t.once(|| head.solver_niter.fill(0));
    if count == 0 {
        t.each(nv, |i| qacc[i] = qacc_smooth[i]);
        return Ok(());
    }
    let v = &mut Memory::take(&mut stack.scope(), nv, count)?;
    let Work { efc_J, efc_aref, efc_b, efc_state, iefc_state, efc_force, .. } = w;
    let pattern = pattern(m);
    let mut p = Problem {
        rows: Rows {
            ne: head.ne as usize,
            nf: head.nf as usize,
            alone: count,
            d: &w.efc_D[..count],
            r: &w.efc_R[..count],
            frictionloss: &w.efc_frictionloss[..count],
            kind: &w.efc_type[..count],
            id: &w.efc_id[..count],
        },
        jacobian: &efc_J[..count * nv],
        aref: &efc_aref[..count],
        state: &mut efc_state[..count],
        force: &mut efc_force[..count],
        inertia: d.M,
        scale: if island { 1.0 / trace(d.M, &pattern) } else { super::dual::scale(m) },
        pattern,
        frc_smooth: d.qfrc_smooth,
        acc_smooth: qacc_smooth,
        frc_constraint: qfrc_constraint,
        acc: qacc,
    };
    // b = J q̈₀ - aref
    let b = &mut efc_b[..count];
    p.residual(t, b, p.acc_smooth);
    let warm = warm_start(t, m, &mut p, v, b, d.qacc_warmstart);
    // MuJoCo writes the zones of an island's rows in its order alone
    if island {
        p.state = &mut iefc_state[..count];
    }
    let iterations = p.solve(t, m, v, warm, w.solver);
    t.once(|| {
        head.solver_niter[0] += iterations;
        head.solver_nnz[0] = (nv * nv) as i32;
    });
    if island && d.kept.islands_watched != 0 {
        t.once(|| copy_whole_solution(d));
    }
    Ok(())
}

/// Start from the acceleration of the last step or from the one without constraints, whichever costs less; was it the former? Then `M q̈` and
/// `J q̈ - aref` are known.
fn warm_start(
    t: &impl Team,
    m: &Model<impl Storage>,
    p: &mut Problem<'_>,
    v: &mut Memory<'_>,
    b: &[Real],
    old: &[Real],
) -> bool {
    let (acc, acc_smooth) = (&mut *p.acc, p.acc_smooth);
    if m.opt.disabled(DisableBit::Warmstart) {
        t.each(acc.len(), |i| acc[i] = acc_smooth[i]);
        t.each(p.force.len(), |i| p.force[i] = 0.0);
        return false;
    }
    t.each(acc.len(), |i| acc[i] = old[i]);
    p.residual(t, v.jar, old);
    let mut cost = p.update_rows(t, v.jar);
    p.mul_inertia(t, v.ma, old);
    for i in 0..old.len() {
        cost += 0.5 * (v.ma[i] - p.frc_smooth[i]) * (old[i] - acc_smooth[i]);
    }
    // the free motion costs what its rows do, with x = b; a tie goes to the old acceleration
    let free = p.update_rows(t, b);
    // a cost that is no number belongs to the old acceleration too
    let warm = cost <= free || cost.is_nan() || free.is_nan();
    if !warm {
        t.each(p.acc.len(), |i| p.acc[i] = acc_smooth[i]);
    }
    warm
}

/// All constraints, or those of the one island.
struct Problem<'a> {
    rows: Rows<'a>,
    /// Row-major, as many columns as degrees of freedom.
    jacobian: &'a [Real],
    aref: &'a [Real],
    state: &'a mut [i32],
    force: &'a mut [Real],
    pattern: Pattern<'a>,
    inertia: &'a [Real],
    frc_smooth: &'a [Real],
    acc_smooth: &'a [Real],
    frc_constraint: &'a mut [Real],
    acc: &'a mut [Real],
    scale: Real,
}

/// Where a search stands: cost of rows and motion, of the motion alone, rows that are not satisfied.
struct Progress {
    cost: Real,
    gauss: Real,
    active: i32,
}

impl Problem<'_> {
    fn row(&self, r: usize) -> &[Real] {
        let nv = self.acc.len();
        &self.jacobian[r * nv..(r + 1) * nv]
    }

    /// `res = J x - aref`, a row for each lane.
    fn residual(&self, t: &impl Team, res: &mut [Real], x: &[Real]) {
        t.each(res.len(), |r| res[r] = dot(self.row(r), x) - self.aref[r]);
    }

    /// `res = M x`: a lane has the sum of its own row from the diagonal to the left, and then what later rows mirror in its column.
    fn mul_inertia(&self, t: &impl Team, res: &mut [Real], x: &[Real]) {
        let (adr, nnz) = (self.pattern.rowadr, self.pattern.rownnz);
        t.each(res.len(), |j| {
            let place = nnz[j] as usize - 1;
            let start = adr[j] as usize;
            let mut sum = self.inertia[start + place] * x[j];
            for k in (start..start + place).rev() {
                sum += self.inertia[k] * x[self.pattern.colind[k] as usize];
            }
            // rows of degrees of freedom that `j` carries begin with the columns of row `j`
            for i in j + 1..res.len() {
                let entry = adr[i] as usize + place;
                if nnz[i] as usize > place + 1 && self.pattern.colind[entry] == j as i32 {
                    sum += self.inertia[entry] * x[i];
                }
            }
            res[j] = sum;
        });
    }

    /// Zone, force and cost of a row at `x`, as `update_constraint` has them.
    fn row_at(&self, i: usize, x: Real) -> (ConstraintState, Real, Real) {
        let Rows { ne, nf, d, r, frictionloss, .. } = self.rows;
        if i >= ne && i < ne + nf {
            let (r, loss) = (r[i], frictionloss[i]);
            match friction_zone(x, r * loss) {
                zone @ ConstraintState::LinearNeg => {
                    return (zone, loss, -0.5 * r * loss * loss - loss * x);
                }
                zone @ ConstraintState::LinearPos => {
                    return (zone, -loss, -0.5 * r * loss * loss + loss * x);
                }
                _ => {}
            }
        } else if i >= ne + nf && push_zone(x) == ConstraintState::Satisfied {
            return (ConstraintState::Satisfied, 0.0, NOTHING);
        }
        (ConstraintState::Quadratic, -d[i] * x, 0.5 * d[i] * x * x)
    }

    /// Forces and states of all rows at `jar`; their cost.
    fn update_rows(&mut self, t: &impl Team, jar: &[Real]) -> Real {
        t.each(jar.len(), |i| {
            let (zone, force, _) = self.row_at(i, jar[i]);
            (self.state[i], self.force[i]) = (zone as i32, force);
        });
        t.sum(jar.len(), |i| self.row_at(i, jar[i]).2)
    }

    /// Forces, states and cost at the present acceleration.
    fn update_forces(&mut self, t: &impl Team, v: &Memory<'_>) -> Progress {
        let cost = self.update_rows(t, v.jar);
        // Jᵀ f, a column for each lane; rows without force add nothing
        let nv = self.acc.len();
        let (force, jacobian) = (&*self.force, self.jacobian);
        let constraint = &mut *self.frc_constraint;
        t.each(nv, |c| {
            let mut sum = 0.0;
            for (r, force) in force.iter().enumerate() {
                if *force != 0.0 {
                    sum += jacobian[r * nv + c] * force;
                }
            }
            constraint[c] = sum;
        });
        let satisfied = ConstraintState::Satisfied as i32;
        let active = self.state.iter().filter(|state| **state != satisfied).count() as i32;
        // ½ (M q̈ - f₀)·(q̈ - q̈₀)
        let mut gauss = 0.0;
        for i in 0..nv {
            gauss += 0.5 * (v.ma[i] - self.frc_smooth[i]) * (self.acc[i] - self.acc_smooth[i]);
        }
        Progress { cost: cost + gauss, gauss, active }
    }

    /// Lower triangle of `M + Jᵀ D J`, an entry for each lane: rows that act are added in their order, the inertia comes last.
    fn fill(&self, t: &impl Team, v: &mut Memory<'_>) {
        let nv = self.acc.len();
        let Memory { matrix, listed, .. } = v;
        let acting = t.filter(self.state.len(), listed, |i| quadratic(self.state[i]));
        let listed = &listed[..acting];
        t.each(nv * nv, |entry| {
            let (r, c) = (entry / nv, entry % nv);
            if c > r {
                return;
            }
            let mut sum = 0.0;
            for &i in listed {
                let i = i as usize;
                let row = &self.jacobian[i * nv..(i + 1) * nv];
                sum += row[r] * self.rows.d[i] * row[c];
            }
            matrix[entry] = sum;
        });
        t.each(nv, |r| {
            let start = self.pattern.rowadr[r] as usize;
            for k in start..start + self.pattern.rownnz[r] as usize {
                matrix[r * nv + self.pattern.colind[k] as usize] += self.inertia[k];
            }
        });
    }

    /// Change the factor where rows became quadratic or ceased to be; the number of updates.
    fn update(&self, t: &impl Team, v: &mut Memory<'_>) -> i32 {
        let nv = self.acc.len();
        let old = &*v.old_state;
        let changes = |i: usize| quadratic(old[i]) != quadratic(self.state[i]);
        let count = t.filter(old.len(), v.listed, changes);
        let acting = self.state.iter().filter(|state| quadratic(**state)).count();
        if cheaper_to_factor(count, acting, nv) {
            self.fill(t, v);
            factor(t, v.matrix, nv);
            return count as i32;
        }
        let mut kept = true;
        for k in 0..count {
            let i = v.listed[k] as usize;
            let scale = sqrt(self.rows.d[i]);
            let row = self.row(i);
            t.each(nv, |c| v.vector[c] = row[c] * scale);
            kept &= rotate(t, v.matrix, v.vector, quadratic(self.state[i]));
        }
        if kept {
            return count as i32;
        }
        // the factor lost a pivot: begin again from the matrix
        self.fill(t, v);
        factor(t, v.matrix, nv);
        self.state.len() as i32
    }

    /// The gradient `M q̈ - f₀ - Jᵀ f`.
    fn gradient(&self, t: &impl Team, v: &mut Memory<'_>) {
        let Memory { grad, ma, .. } = v;
        t.each(grad.len(), |i| grad[i] = ma[i] - self.frc_smooth[i] - self.frc_constraint[i]);
    }

    /// The direction `-H⁻¹ g`, for the present gradient and factor.
    fn direction(&self, t: &impl Team, v: &mut Memory<'_>) {
        let Memory { grad, mgrad, search, matrix, parts, .. } = v;
        t.each(grad.len(), |i| mgrad[i] = grad[i]);
        solve_factor(t, matrix, mgrad, parts);
        t.each(grad.len(), |i| search[i] = -mgrad[i]);
    }

    /// The line search of [`super::linesearch::search`].
    fn search_line(
        &self,
        t: &impl Team,
        m: &Model<impl Storage>,
        v: &mut Memory<'_>,
        gauss: [Real; 3],
        tolerance: Real,
    ) -> Line {
        let length = norm(v.search);
        if length < MIN_VAL {
            return Line { alpha: 0.0, slope: 1.0, evaluations: 0 };
        }
        let Memory { quad, jar, jv, .. } = v;
        t.each(quad.len(), |i| {
            let [constant, linear, square] = parabola(self.rows.d[i], jar[i], jv[i]);
            quad[i] = [0.5 * constant, linear, 0.5 * square];
        });
        let mut smooth = gauss;
        for quad in &quad[..self.rows.ne] {
            add(&mut smooth, quad);
        }
        let mut f = Shared { t, p: self, quad, jar, jv, smooth, evaluations: 0 };
        f.line(tolerance * length / self.scale, m.opt.ls_iterations, self.scale / length)
    }

    /// Search until improvement or gradient are below the tolerance; the number of iterations.
    fn solve(
        &mut self,
        t: &impl Team,
        m: &Model<impl Storage>,
        v: &mut Memory<'_>,
        warm: bool,
        stats: &mut [SolverStat],
    ) -> i32 {
        let nv = self.acc.len();
        if !warm {
            self.mul_inertia(t, v.ma, self.acc);
            self.residual(t, v.jar, self.acc);
        }
        let mut progress = self.update_forces(t, v);
        self.fill(t, v);
        factor(t, v.matrix, nv);
        self.gradient(t, v);
        self.direction(t, v);

        let tolerance = super::tolerance(m);
        let mut iterations = 0;
        while iterations < m.opt.iterations {
            self.mul_inertia(t, v.mv, v.search);
            t.each(v.jv.len(), |r| v.jv[r] = dot(self.row(r), v.search));
            // the inertial part of the cost as a polynomial
            let gauss = [
                progress.gauss,
                dot(v.search, v.ma) - dot(self.frc_smooth, v.search),
                0.5 * dot(v.search, v.mv),
            ];
            let line = self.search_line(t, m, v, gauss, tolerance * m.opt.ls_tolerance);
            // nothing to gain in this direction: rounding is all that is left
            if line.alpha == 0.0 {
                break;
            }
            // take the step
            t.each(nv, |i| {
                self.acc[i] += v.search[i] * line.alpha;
                v.ma[i] += v.mv[i] * line.alpha;
            });
            t.each(v.jar.len(), |r| {
                v.jar[r] += v.jv[r] * line.alpha;
                v.old_state[r] = self.state[r];
            });
            let old_cost = progress.cost;
            progress = self.update_forces(t, v);
            let updates = self.update(t, v);
            self.gradient(t, v);

            // how the iteration went
            let changed = v.old_state.iter().zip(&*self.state).filter(|(a, b)| a != b);
            let improvement = self.scale * (old_cost - progress.cost);
            let gradient = self.scale * norm(v.grad);
            let stat = SolverStat {
                improvement,
                gradient,
                lineslope: line.slope,
                nactive: progress.active,
                nchange: changed.count() as i32,
                neval: line.evaluations,
                nupdate: updates,
            };
            t.once(|| record(stats, 0, iterations as usize, stat));
            iterations += 1;
            if improvement < tolerance || gradient < tolerance {
                break;
            }
            self.direction(t, v);
        }
        iterations
    }
}

/// The cost along the line, whose rows lanes share.
struct Shared<'a, T> {
    t: &'a T,
    p: &'a Problem<'a>,
    quad: &'a [[Real; 3]],
    jar: &'a [Real],
    jv: &'a [Real],
    /// The costs of leaving the free motion and of all equalities.
    smooth: [Real; 3],
    evaluations: i32,
}

impl<T: Team> Objective for Shared<'_, T> {
    fn evaluations(&self) -> i32 {
        self.evaluations
    }

    fn at(&mut self, alpha: Real) -> Point {
        let Shared { t, p, quad, jar, jv, smooth, .. } = *self;
        let Rows { ne, nf, r, frictionloss, .. } = p.rows;
        let total = t.sums(smooth, jar.len() - ne, |i| {
            let i = ne + i;
            let (start, dir) = (jar[i], jv[i]);
            let x = start + alpha * dir;
            if i < ne + nf {
                // straight lines with slope ±f outside of the parabola
                let f = frictionloss[i];
                let rf = r[i] * f;
                return match friction_zone(x, rf) {
                    ConstraintState::LinearNeg => [f * (-0.5 * rf - start), -f * dir, NOTHING],
                    ConstraintState::LinearPos => [f * (-0.5 * rf + start), f * dir, NOTHING],
                    _ => quad[i],
                };
            }
            if push_zone(x) == ConstraintState::Quadratic { quad[i] } else { [NOTHING; 3] }
        });
        self.evaluations += 1;
        Point::new(alpha, total, [0.0; 3])
    }
}

/// Factor `A = L Lᵀ` in place, given by its lower triangle: columns one after the other, a row for each lane. The result of
/// [`factor_tiles`](ferrodyn_math::factor_tiles).
fn factor(t: &impl Team, matrix: &mut [Real], n: usize) {
    for j in 0..n {
        // A_ij - Σₖ L_ik L_jk
        t.each(n - j, |i| {
            let (above, own) = matrix.split_at_mut((j + i) * n);
            let product = if i == 0 {
                dot(&own[..j], &own[..j])
            } else {
                dot(&own[..j], &above[j * n..j * n + j])
            };
            own[j] -= product;
        });
        let mut pivot = matrix[j * n + j];
        if pivot < MIN_VAL {
            pivot = MIN_VAL;
        }
        let diagonal = sqrt(pivot);
        let inv = 1.0 / diagonal;
        t.each(n - j, |i| {
            let entry = &mut matrix[(j + i) * n + j];
            *entry = if i == 0 { diagonal } else { *entry * inv };
        });
    }
}

/// Solve `L Lᵀ x = b` in place. The result of [`solve_tiles`](ferrodyn_math::solve_tiles).
fn solve_factor(t: &impl Team, matrix: &[Real], x: &mut [Real], parts: &mut [Real]) {
    let n = x.len();
    for first in (0..n).step_by(ROWS) {
        let rows = ROWS.min(n - first);
        let (known, own) = x.split_at_mut(first);
        // what comes from the rows before is a scalar product for each lane
        t.each(rows, |k| {
            parts[k] = dot(&matrix[(first + k) * n..(first + k) * n + first], known);
        });
        t.once(|| {
            for i in 0..rows {
                let row = &matrix[(first + i) * n + first..];
                let mut rest = 0.0;
                for k in 0..i {
                    rest += row[k] * own[k];
                }
                own[i] -= parts[i] + rest;
                own[i] /= row[i];
            }
        });
    }
    // down the columns, nearest row first
    t.once(|| {
        for k in (0..n).rev() {
            let mut sum = x[k];
            for r in k + 1..n {
                sum -= matrix[r * n + k] * x[r];
            }
            x[k] = sum / matrix[k * n + k];
        }
    });
}

/// Change the factor to that of `A ± x xᵀ`, where `x` is used up; false where a pivot was lost. The result of
/// [`update_tiles`](ferrodyn_math::update_tiles).
fn rotate(t: &impl Team, matrix: &mut [Real], x: &mut [Real], plus: bool) -> bool {
    let n = x.len();
    let mut kept = true;
    for j in 0..n {
        let (mut pivot, own) = (matrix[j * n + j], x[j]);
        // a zero leaves the column as it is
        if own == 0.0 {
            continue;
        }
        let (rotation, lost) = Rotation::new(&mut pivot, own, plus);
        kept &= !lost;
        t.each(n - j, |i| {
            let i = j + i;
            if i == j {
                matrix[j * n + j] = pivot;
            } else {
                rotation.apply(&mut matrix[i * n + j], &mut x[i]);
            }
        });
    }
    kept
}
