//! The implicit step of interpolated flexes.
//!
//! Their stiffness `K` couples all nodes, which the sparse matrices of the implicit integrators have no place for. So the degrees of freedom of the nodes are solved once
//! more, with a dense matrix `H` that has it, and the others as they were found without it:
//!
//! ```text
//! H a = f - h K v - C a',    H = S + (h² + h b) K,    S = M - h ∂f/∂v
//! ```
//!
//! `C` are the entries of `S` between a node and another degree of freedom, `a'` the acceleration of the latter.
use ferrodyn_math::{MIN_VAL, Real, Stack, StackFull, factor_dense, solve_dense};
use ferrodyn_model::{EnableBit, Integrator, Model, Storage};

use crate::World;
use crate::data::memory::frame;
use crate::derivative::flex::{add_stiffness, elastic_flexes, stiffness_words};

/// The degrees of freedom of the nodes of interpolated flexes; one that several nodes share comes once for each.
fn node_dofs<S: Storage>(m: &Model<S>) -> impl Iterator<Item = usize> + use<'_, S> {
    (0..m.flex_count())
        .filter(|&f| m.flex_interp[f] != 0)
        .flat_map(|f| m.flex_nodes(f))
        .flat_map(|node| m.body_dofs(m.flex_nodebodyid[node] as usize))
}

/// Are there interpolated flexes to solve for? Not while anything sleeps.
pub(super) fn has_nodes(m: &Model<impl Storage>, d: &World<'_>) -> bool {
    let filtered = m.opt.enabled(EnableBit::Sleep) && (d.head.nv_awake as usize) < m.nv;
    !filtered && node_dofs(m).next().is_some()
}

/// The pattern of the matrix of an integrator, and its values.
#[derive(Clone, Copy)]
struct Sparse<'a> {
    count: &'a [i32],
    address: &'a [i32],
    columns: &'a [i32],
    values: &'a [Real],
}

fn matrix<'a>(m: &'a Model<impl Storage>, d: &'a World<'_>) -> Sparse<'a> {
    if m.integrator() == Integrator::Implicit {
        let (count, address, columns) = (&m.D_rownnz, &m.D_rowadr, &m.D_colind);
        Sparse { count, address, columns, values: d.qLU }
    } else {
        // the lower triangle, which is all that the factorization reads
        let (count, address, columns) = (&m.M_rownnz, &m.M_rowadr, &m.M_colind);
        Sparse { count, address, columns, values: d.qH }
    }
}

frame! {
    /// The dense system of the nodes.
    pub(super) struct NodeSystem(nv, dofs, couplings) {
        /// Degrees of freedom of the nodes.
        dofs: slice u32 = dofs,
        /// The place of each degree of freedom in `dofs`, or -1.
        local: slice i32 = nv,
        /// `H`, then its factor.
        matrix: zeros Real = dofs * dofs,
        /// `-(h² + h b) K v`
        pull: zeros Real = nv,
        /// Acceleration of the nodes.
        acceleration: slice Real = dofs,
        /// `C`: place in `dofs`, the other degree of freedom.
        coupling_at: list [u32; 2] = couplings,
        /// `C`: values.
        coupling: list Real = couplings,
    }
}

/// Numbers of degrees of freedom and, at most, of entries that couple them with others.
fn sizes(m: &Model<impl Storage>) -> (usize, usize) {
    let full = m.integrator() == Integrator::Implicit;
    let row = |dof: usize| if full { m.D_rownnz[dof] } else { m.M_rownnz[dof] } as usize;
    (node_dofs(m).count(), node_dofs(m).map(row).sum())
}

/// Words of temporary memory of the system and of what fills it.
pub(crate) fn node_words(m: &Model<impl Storage>) -> usize {
    let (dofs, couplings) = sizes(m);
    NodeSystem::words(m.nv, dofs, couplings) + stiffness_words(m, dofs)
}

impl<'a> NodeSystem<'a> {
    /// The system, from the matrix of the integrator before it is factored.
    pub(super) fn new(
        m: &Model<impl Storage>,
        d: &World<'_>,
        mut stack: Stack<'a>,
    ) -> Result<NodeSystem<'a>, StackFull> {
        let (count, couplings) = sizes(m);
        let mut system = NodeSystem::take(&mut stack, m.nv, count, couplings)?;
        system.local.fill(-1);
        for (i, dof) in node_dofs(m).enumerate() {
            system.dofs[i] = dof as u32;
            system.local[dof] = i as i32;
        }
        let source = matrix(m, d);
        for (i, dof) in node_dofs(m).enumerate() {
            let start = source.address[dof] as usize;
            for k in start..start + source.count[dof] as usize {
                let column = source.columns[k] as usize;
                if let Ok(j) = usize::try_from(system.local[column]) {
                    system.matrix[i * count + j] = source.values[k];
                } else {
                    system.coupling_at.push([i as u32, column as u32]);
                    system.coupling.push(source.values[k]);
                }
            }
        }
        for f in elastic_flexes(m) {
            let (matrix, pull) = (&mut *system.matrix, &mut *system.pull);
            add_stiffness(m, d, f, system.local, count, matrix, pull, &mut stack.scope())?;
        }
        factor_dense(system.matrix, count, MIN_VAL);
        Ok(system)
    }

    /// Replace the acceleration of the nodes.
    pub(super) fn solve(self, m: &Model<impl Storage>, d: &World<'_>, qacc: &mut [Real]) {
        let h = m.opt.timestep;
        // from (h² + h b) K v to h K v; MuJoCo takes the damping of the first flex for all
        let scale = h * h + h * m.flex_damping[0];
        let factor = if scale > MIN_VAL { h / scale } else { 0.0 };
        for (x, dof) in self.acceleration.iter_mut().zip(&*self.dofs) {
            let dof = *dof as usize;
            *x = d.qfrc_smooth[dof] + d.qfrc_constraint[dof] + self.pull[dof] * factor;
        }
        for ([i, dof], value) in self.coupling_at.iter().zip(&*self.coupling) {
            self.acceleration[*i as usize] -= value * qacc[*dof as usize];
        }
        solve_dense(self.matrix, self.acceleration);
        for (x, dof) in self.acceleration.iter().zip(&*self.dofs) {
            qacc[*dof as usize] = *x;
        }
    }
}
