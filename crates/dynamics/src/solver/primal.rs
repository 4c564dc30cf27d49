//! Solvers in acceleration space: conjugate gradients and Newton's method.
//!
//! Both follow the gradient of the cost, `g = M q̈ - f₀ - Jᵀ f`, the force that is missing for Newton's law to hold at `q̈`:
//!
//! 1. A direction: `s = -H⁻¹ g` (Newton, `H = M + Jᵀ D J` over the quadratic rows, and the blocks of contacts that slide) or
//!    `s = -M⁻¹ g + β s_old` (CG).
//! 2. The best point along it ([`super::linesearch`]).
//! 3. New forces and states of the rows there; for Newton, the factor of `H` follows the rows that changed ([`super::hessian`]).
//!
//! `M q̈` and `J q̈ - aref` are carried along the line instead of being multiplied anew: `M (q̈ + α s) = M q̈ + α M s`.
//!
//! The cost is quadratic as long as no row changes its state. Newton's method hence ends one step after it has guessed the right
//! set of states, usually after a few; the line search keeps it from cycling between sets. CG converges as fast as the
//! condition of `M⁻¹ H` allows. On cones the cost is not quadratic, but convex and smooth, and Newton converges quadratically.
//!
//! Memory: `frame!` names the vectors of a search; they live on the stack of the world, nothing is allocated.
use ferrodyn_math::sparse::{Pattern, mul_symmetric, solve_ldl};
use ferrodyn_math::{
    MIN_VAL, Real, Run, SparseColumns, SparseRows, Stack, StackFull, add_scaled, dot, mul_rows,
    mul_rows_transposed, norm, words_of,
};
use ferrodyn_model::{Cone, ConstraintState, Contact, Model, Solver, Storage};

use super::hessian::Hessian;
use super::hessian_dense::Dense;
use super::{RECORDED_ISLANDS, Start, record};
use crate::World;
use crate::constraint::{Rows, rows_alone, update_constraint};
use crate::data::memory::frame;
use crate::data::work::SolverStat;

frame! {
    /// Vectors of the search.
    pub(super) struct PrimalMemory(nv, nefc) {
        /// `J q̈ - aref`.
        jar: slice Real = nefc,
        /// `J s` along the search direction.
        jv: slice Real = nefc,
        /// `M q̈`.
        ma: slice Real = nv,
        /// `M s`.
        mv: slice Real = nv,
        grad: slice Real = nv,
        /// Gradient times the inverse of inertia or Hessian.
        mgrad: slice Real = nv,
        search: slice Real = nv,
        old_grad: slice Real = nv,
        old_mgrad: slice Real = nv,
        difference: slice Real = nv,
        old_state: slice i32 = nefc,
        /// Costs of the rows along the search direction, as polynomials.
        quad: slice [Real; 3] = nefc,
    }
}

/// Words that a search takes from the stack: as many as it can be with dense matrices, and a guess with sparse ones.
pub(super) fn words(m: &Model<impl Storage>, nefc: usize, entries: usize) -> usize {
    let vectors = PrimalMemory::words(m.nv, nefc) + words_of::<Real>(m.nv);
    if m.is_sparse() {
        // four times the Jacobian: by its columns and weighted, its groups; matrix and factor, of which only the size of M is known:
        // twelve is a guess of the fill-in, and where it is too low the search says what is missing and begins again
        vectors + 4 * words_of::<Real>(entries + nefc) + 12 * words_of::<Real>(2 * m.nC + m.nv)
    } else {
        // the matrix, which becomes its factor, and the factor with cones
        vectors + Dense::words(m.nv)
    }
}

/// Words that a search takes from the stack at most: with sparse matrices, where all entries of all triangles are there.
pub(super) fn most_words(m: &Model<impl Storage>, nefc: usize, entries: usize) -> usize {
    if !m.is_sparse() {
        return words(m, nefc, entries);
    }
    let vectors = PrimalMemory::words(m.nv, nefc) + words_of::<Real>(m.nv);
    let triangle = m.nv * (m.nv + 1) / 2;
    // ten triangles: the matrix, two factors, their columns, those that a row is below and to the right of, and runs of columns;
    // twenty vectors: where rows begin, marks, sums; the Jacobian by its columns, weighted, and its groups
    vectors + 10 * triangle + 20 * (m.nv + 2) + 6 * entries + 8 * nefc
}

/// The constraint Jacobian of a problem.
pub(super) enum Jacobian<'a> {
    /// Row-major, as many columns as degrees of freedom.
    Dense { values: &'a [Real], columns: usize },
    /// Sparse rows.
    Sparse(SparseRows<'a>),
}

/// What makes many products with a sparse Jacobian fast; empty for a dense one.
#[derive(Default)]
struct Products<'a> {
    runs: &'a [Run],
    columns: SparseColumns<'a>,
}

impl Jacobian<'_> {
    /// What [`Jacobian::mul`] and [`Jacobian::mul_transposed`] need.
    fn products<'s>(&self, nv: usize, stack: &mut Stack<'s>) -> Result<Products<'s>, StackFull> {
        match self {
            Jacobian::Sparse(rows) => Ok(Products {
                runs: rows.runs(stack)?,
                columns: SparseColumns::new(rows, nv, stack)?,
            }),
            Jacobian::Dense { .. } => Ok(Products::default()),
        }
    }

    /// `res = J vec`.
    fn mul(&self, products: &Products<'_>, res: &mut [Real], vec: &[Real]) {
        match self {
            Jacobian::Dense { values, columns } => mul_rows(res, values, &vec[..*columns]),
            Jacobian::Sparse(rows) => rows.mul_runs(products.runs, res, vec),
        }
    }

    /// `res = Jᵀ vec`; a sparse one by its columns.
    fn mul_transposed(&self, products: &Products<'_>, res: &mut [Real], vec: &[Real]) {
        match self {
            // rows without force add nothing: most contacts that are near but do not touch
            Jacobian::Dense { values, columns } => {
                mul_rows_transposed(&mut res[..*columns], values, vec);
            }
            Jacobian::Sparse(_) => products.columns.mul_transposed(res, vec),
        }
    }

    /// Values and columns of a row; columns are empty where it is dense.
    pub(super) fn row(&self, r: usize) -> (&[Real], &[i32]) {
        match self {
            Jacobian::Dense { values, columns } => (&values[r * columns..(r + 1) * columns], &[]),
            Jacobian::Sparse(rows) => rows.row(r),
        }
    }
}

/// All constraints, or those of an island.
pub(super) struct Problem<'a> {
    pub(super) rows: Rows<'a>,
    pub(super) jacobian: Jacobian<'a>,
    aref: &'a [Real],
    pub(super) contacts: &'a mut [Contact],
    pub(super) state: &'a mut [i32],
    force: &'a mut [Real],
    /// Inertia and its factor.
    pub(super) pattern: Pattern<'a>,
    pub(super) inertia: &'a [Real],
    factor: &'a [Real],
    inv_diag: &'a [Real],
    simple: &'a [i32],
    frc_smooth: &'a [Real],
    acc_smooth: &'a [Real],
    frc_constraint: &'a mut [Real],
    acc: &'a mut [Real],
    elliptic: bool,
    /// May Newton's method leave MuJoCo's order of operations? Not where noslip follows, which makes much of last digits.
    pub(super) reorders: bool,
    /// Scales improvement and gradient.
    scale: Real,
}

impl Problem<'_> {
    /// Whether contacts have elliptic cones.
    pub(super) fn is_elliptic(&self) -> bool {
        self.elliptic
    }
}

/// Where a search stands.
struct Progress {
    /// Of rows and motion together.
    cost: Real,
    /// `½ (q̈ - q̈₀)ᵀ M (q̈ - q̈₀)`, Gauss' cost of leaving the free motion.
    gauss: Real,
    /// Rows that are not satisfied.
    active: i32,
    /// Rows of contacts that slide.
    cones: usize,
}

/// What a solver did.
struct Summary {
    iterations: i32,
    nnz: i32,
    /// Scaled norm of the gradient at the end; only where convergence is demanded.
    residual: Real,
}

/// As what all constraints are solved at once.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Whole {
    /// As one problem that knows no islands.
    Problem,
    /// As the one island of everything, where it lies: zones and scale are those of an island.
    Island,
}

/// Solve all constraints at once. MuJoCo: `mj_solCG`, `mj_solNewton`; of one island `mj_solCG_island`, `mj_solNewton_island`.
pub(super) fn solve_all(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    whole: Whole,
    newton: bool,
    start: Option<&Start<'_>>,
    stack: Stack<'_>,
) -> Result<Real, StackFull> {
    let count = d.nefc();
    let w = &mut d.work;
    let stats = core::mem::take(&mut w.solver);
    let jacobian = if m.is_sparse() {
        Jacobian::Sparse(SparseRows {
            values: w.efc_J,
            rownnz: &w.efc_J_rownnz[..count],
            rowadr: &w.efc_J_rowadr[..count],
            colind: w.efc_J_colind,
            rowsuper: &w.efc_J_rowsuper[..count],
        })
    } else {
        Jacobian::Dense { values: &w.efc_J[..count * m.nv], columns: m.nv }
    };
    let island = whole == Whole::Island;
    // MuJoCo writes the zones of an island's rows in its order alone
    let state = if island { &mut *w.iefc_state } else { &mut *w.efc_state };
    let pattern = Pattern { rownnz: &m.M_rownnz, rowadr: &m.M_rowadr, colind: &m.M_colind };
    let scale = if island { 1.0 / trace(d.M, &pattern) } else { super::dual::scale(m) };
    // all rows and all degrees of freedom, in the order of the model
    let mut problem = Problem {
        rows: Rows {
            ne: d.head.ne as usize,
            nf: d.head.nf as usize,
            alone: rows_alone(&w.efc_type[..count]),
            d: &w.efc_D[..count],
            r: &w.efc_R[..count],
            frictionloss: &w.efc_frictionloss[..count],
            kind: &w.efc_type[..count],
            id: &w.efc_id[..count],
        },
        jacobian,
        aref: &w.efc_aref[..count],
        contacts: w.contact,
        state: &mut state[..count],
        force: &mut w.efc_force[..count],
        pattern,
        inertia: d.M,
        factor: d.qLD,
        inv_diag: d.qLDiagInv,
        simple: if island { &[] } else { &m.dof_simplenum },
        frc_smooth: d.qfrc_smooth,
        acc_smooth: d.qacc_smooth,
        frc_constraint: d.qfrc_constraint,
        acc: d.qacc,
        elliptic: m.cone() == Cone::Elliptic,
        reorders: m.opt.noslip_iterations == 0,
        scale,
    };
    let summary = solve(m, &mut problem, newton, start, stats, 0, stack);
    d.work.solver = stats;
    let summary = summary?;
    d.head.solver_niter[0] += summary.iterations;
    d.head.solver_nnz[0] = summary.nnz;
    Ok(summary.residual)
}

/// The sum of the diagonal of an inertia, whose entries are the last ones of their rows.
pub(super) fn trace(inertia: &[Real], pattern: &Pattern<'_>) -> Real {
    let rows = pattern.rowadr.iter().zip(pattern.rownnz);
    rows.fold(0.0, |sum, (adr, nnz)| sum + inertia[(adr + nnz - 1) as usize])
}

/// Solve the constraints of one of several islands. MuJoCo: `mj_solCG_island`, `mj_solNewton_island`.
pub(super) fn solve_island(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    island: usize,
    newton: bool,
    stack: Stack<'_>,
) -> Result<Real, StackFull> {
    let w = &mut d.work;
    let stats = core::mem::take(&mut w.solver);
    // the stretches of the island in all arrays in island order
    let (dof, nv) = (w.island_idofadr[island] as usize, w.island_nv[island] as usize);
    let (row, nefc) = (w.island_iefcadr[island] as usize, w.island_nefc[island] as usize);
    let (dofs, rows) = (dof..dof + nv, row..row + nefc);
    let jacobian = if m.is_sparse() {
        Jacobian::Sparse(SparseRows {
            values: w.iefc_J,
            rownnz: &w.iefc_J_rownnz[rows.clone()],
            rowadr: &w.iefc_J_rowadr[rows.clone()],
            colind: w.iefc_J_colind,
            rowsuper: &w.iefc_J_rowsuper[rows.clone()],
        })
    } else {
        // a block per island, with as many columns as the island has degrees of freedom
        let start = d.head.nidof as usize * row;
        Jacobian::Dense { values: &w.iefc_J[start..start + nefc * nv], columns: nv }
    };
    let pattern = Pattern {
        rownnz: &w.iM_rownnz[dofs.clone()],
        rowadr: &w.iM_rowadr[dofs.clone()],
        colind: w.iM_colind,
    };
    let scale = 1.0 / trace(w.iM, &pattern);
    // the same fields as for all at once; forces and accelerations are read back by the caller
    let mut problem = Problem {
        rows: Rows {
            ne: w.island_ne[island] as usize,
            nf: w.island_nf[island] as usize,
            alone: rows_alone(&w.iefc_type[rows.clone()]),
            d: &w.iefc_D[rows.clone()],
            r: &w.iefc_R[rows.clone()],
            frictionloss: &w.iefc_frictionloss[rows.clone()],
            kind: &w.iefc_type[rows.clone()],
            id: &w.iefc_id[rows.clone()],
        },
        jacobian,
        aref: &w.iefc_aref[rows.clone()],
        contacts: w.contact,
        state: &mut w.iefc_state[rows.clone()],
        force: &mut w.iefc_force[rows],
        pattern,
        inertia: w.iM,
        factor: w.iLD,
        inv_diag: &w.iLDiagInv[dofs.clone()],
        simple: &[],
        frc_smooth: &w.ifrc_smooth[dofs.clone()],
        acc_smooth: &w.iacc_smooth[dofs.clone()],
        frc_constraint: &mut w.ifrc_constraint[dofs.clone()],
        acc: &mut w.iacc[dofs],
        elliptic: m.cone() == Cone::Elliptic,
        reorders: m.opt.noslip_iterations == 0,
        scale,
    };
    let summary = solve(m, &mut problem, newton, None, stats, island, stack);
    d.work.solver = stats;
    let summary = summary?;
    if island < RECORDED_ISLANDS {
        d.head.solver_niter[island] += summary.iterations;
        d.head.solver_nnz[island] = summary.nnz;
    }
    Ok(summary.residual)
}

/// Search until improvement or gradient are below the tolerance; `start` is what is known of the acceleration that it begins with.
/// MuJoCo: `mj_solPrimal`.
fn solve(
    m: &Model<impl Storage>,
    p: &mut Problem<'_>,
    newton: bool,
    start: Option<&Start<'_>>,
    stats: &mut [SolverStat],
    island: usize,
    mut stack: Stack<'_>,
) -> Result<Summary, StackFull> {
    let (nv, nefc) = (p.acc.len(), p.force.len());
    let v = &mut PrimalMemory::take(&mut stack, nv, nefc)?;
    // J s and Jᵀ f are wanted in every iteration
    let products = &p.jacobian.products(nv, &mut stack)?;
    // M q̈ and J q̈ - aref at the start, unless they are known
    if let Some(start) = start {
        v.ma.copy_from_slice(start.ma);
        v.jar.copy_from_slice(start.jar);
    } else {
        mul_symmetric(v.ma, p.inertia, p.acc, &p.pattern);
        p.jacobian.mul(products, v.jar, p.acc);
        for (jar, aref) in v.jar.iter_mut().zip(p.aref) {
            *jar -= aref;
        }
    }

    // forces and cost there, the factor of the Hessian, and the direction of steepest descent in its metric
    let cone_hessians = newton && p.elliptic;
    let mut progress = update_forces(p, v, products, cone_hessians);
    let mut hessian = if newton { Some(Hessian::new(p, &mut stack)?) } else { None };
    if let Some(hessian) = &mut hessian {
        hessian.factor(p, false, progress.cones);
    }
    gradient(p, v);
    scale_gradient(p, v, hessian.as_ref(), progress.cones);
    for (search, mgrad) in v.search.iter_mut().zip(&*v.mgrad) {
        *search = -mgrad;
    }

    // CgStrict, an extension, does not end on small improvements: only a small gradient shows that it is there
    let strict = m.solver() == Solver::CgStrict;
    let tolerance = super::tolerance(m);
    let mut iterations = 0;
    while iterations < m.opt.iterations {
        // how inertia and rows change along the direction
        mul_symmetric(v.mv, p.inertia, v.search, &p.pattern);
        p.jacobian.mul(products, v.jv, v.search);
        // the inertial part of the cost as a polynomial: cost, sᵀ (M q̈ - f₀), ½ sᵀ M s
        let gauss = [
            progress.gauss,
            dot(v.search, v.ma) - dot(p.frc_smooth, v.search),
            0.5 * dot(v.search, v.mv),
        ];
        // ls_tolerance is relative to the tolerance of the whole search
        let slope_tolerance = tolerance * m.opt.ls_tolerance;
        let length = norm(v.search);
        let line = super::linesearch::search(
            p,
            v,
            gauss,
            length,
            slope_tolerance,
            m.opt.ls_iterations,
            p.scale,
        );
        // nothing to gain in this direction: rounding is all that is left
        if line.alpha == 0.0 {
            break;
        }
        // take the step
        add_scaled(p.acc, v.search, line.alpha);
        add_scaled(v.ma, v.mv, line.alpha);
        add_scaled(v.jar, v.jv, line.alpha);
        // CG compares this gradient with the next one, which is written in the place of the last but one
        if !newton {
            core::mem::swap(&mut v.old_grad, &mut v.grad);
            core::mem::swap(&mut v.old_mgrad, &mut v.mgrad);
        }
        v.old_state.copy_from_slice(p.state);
        let old_cost = progress.cost;

        // rows that changed their state change the Hessian by one rank each
        progress = update_forces(p, v, products, cone_hessians);
        let update = |hessian: &mut Hessian<'_>| hessian.update(p, v.old_state, progress.cones);
        let updates = hessian.as_mut().map_or(0, update);
        gradient(p, v);

        // how the iteration went
        let nchange = v.old_state.iter().zip(&*p.state).filter(|(a, b)| a != b).count() as i32;
        let improvement = p.scale * (old_cost - progress.cost);
        let steepness = p.scale * norm(v.grad);
        let stat = SolverStat {
            improvement,
            gradient: steepness,
            lineslope: line.slope,
            nactive: progress.active,
            nchange,
            neval: line.evaluations,
            nupdate: updates,
        };
        record(stats, island, iterations as usize, stat);
        iterations += 1;
        // converged by the cost, or by the gradient
        if improvement < tolerance && !strict || steepness < tolerance {
            break;
        }
        // the next direction
        scale_gradient(p, v, hessian.as_ref(), progress.cones);
        let beta = if newton { 0.0 } else { polak_ribiere(v) };
        for (search, mgrad) in v.search.iter_mut().zip(&*v.mgrad) {
            *search = if newton { -mgrad } else { -mgrad + beta * *search };
        }
    }
    let residual = if strict { p.scale * norm(v.grad) } else { 0.0 };
    let nnz = hessian.map_or(0, |hessian| hessian.entries(nv));
    Ok(Summary { iterations, nnz, residual })
}

/// How much of the last direction to keep, `β = gᵀ (M⁻¹g - M⁻¹g_old) / g_oldᵀ M⁻¹g_old`; none where it would turn back, which starts
/// anew from steepest descent (Polak and Ribière, restarted).
fn polak_ribiere(v: &mut PrimalMemory<'_>) -> Real {
    for (difference, (new, old)) in v.difference.iter_mut().zip(v.mgrad.iter().zip(&*v.old_mgrad)) {
        *difference = new - old;
    }
    // a vanishing old gradient would have ended the search; the bound only keeps the quotient finite
    let beta = dot(v.grad, v.difference) / MIN_VAL.max(dot(v.old_grad, v.old_mgrad));
    if beta < 0.0 { 0.0 } else { beta }
}

/// Forces, states and cost at the present acceleration. MuJoCo: `PrimalUpdateConstraint`.
fn update_forces(
    p: &mut Problem<'_>,
    v: &PrimalMemory<'_>,
    products: &Products<'_>,
    hessians: bool,
) -> Progress {
    // f = -∇s(x) row by row, and its generalized force Jᵀ f
    let cost = update_constraint(&p.rows, v.jar, p.contacts, p.state, p.force, hessians);
    p.jacobian.mul_transposed(products, p.frc_constraint, p.force);
    // rows that are not satisfied, and among them those of contacts that slide
    let (mut active, mut cones) = (0, 0);
    for state in &*p.state {
        active += i32::from(*state != ConstraintState::Satisfied as i32);
        cones += usize::from(*state == ConstraintState::Cone as i32);
    }
    // ½ (M q̈ - f₀)·(q̈ - q̈₀), where f₀ = M q̈₀
    let mut gauss = 0.0;
    let forces = v.ma.iter().zip(p.frc_smooth);
    for ((ma, smooth), (acc, free)) in forces.zip(p.acc.iter().zip(p.acc_smooth)) {
        gauss += 0.5 * (ma - smooth) * (acc - free);
    }
    Progress { cost: cost + gauss, gauss, active, cones }
}

/// The gradient `M q̈ - f₀ - Jᵀ f`. MuJoCo: the first half of `PrimalUpdateGradient`.
fn gradient(p: &Problem<'_>, v: &mut PrimalMemory<'_>) {
    let forces = p.frc_smooth.iter().zip(&*p.frc_constraint);
    for ((grad, ma), (smooth, constraint)) in v.grad.iter_mut().zip(&*v.ma).zip(forces) {
        *grad = ma - smooth - constraint;
    }
}

/// The gradient times the inverse of the Hessian or of the inertia. MuJoCo: the other half, also after the last iteration.
fn scale_gradient(
    p: &Problem<'_>,
    v: &mut PrimalMemory<'_>,
    hessian: Option<&Hessian<'_>>,
    cones: usize,
) {
    v.mgrad.copy_from_slice(v.grad);
    match hessian {
        Some(hessian) => hessian.solve(v.mgrad, cones),
        None => solve_ldl(v.mgrad, p.factor, p.inv_diag, &p.pattern, p.simple),
    }
}
