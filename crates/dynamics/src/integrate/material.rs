//! The implicit step of flexes whose laws have a stiffness: Neo-Hookean elements, Bridson's hinges, and laws of the user.
//!
//! Forces of the new state, `f(q + h v⁺, v⁺) ≈ f - h K v - (h² K + h B) a` with `v⁺ = v + h a`, the stiffness `K` and the damping `B`, give
//!
//! ```text
//! (S + Jᵀ G J) a = f - Jᵀ h K J v,    G = h² K + h B
//! ```
//!
//! where `S` is the matrix of the integrator, `J` the motion of the vertices, and `K` and `B` are positive: no time step is too
//! large for them. `G` couples vertices of different trees, which the patterns of the integrators have no place for. Its own pattern is
//! that of the flex: a block for every vertex, for every edge, and for the two vertices across from each other at a hinge. Vertices whose
//! bodies are trees of three slides are solved for, by conjugate gradients; the others move as was found without `G`, and
//! pull at them with `G J a`.
use ferrodyn_math::{Mat3, Real, Stack, StackFull, Vec3, by_precision};
use ferrodyn_model::{JointType, Model, Storage};
use ferrodyn_soft::material::bridson::Hinge;
use ferrodyn_soft::material::neo_hookean::Solid;

use crate::data::memory::frame;
use crate::force::flex::{TETRAHEDRON, TRIANGLE};
use crate::force::material::{
    corners, has_hinges, has_rest, hinge_vertices, lame, rest, vertex_velocity,
};
use crate::hooks::Hooks;
use crate::position::chain::{dof_chain, point_jacobian};
use crate::{StepError, World};

/// Conjugate gradients end where the residual has fallen by this: the linearization errs by more, and about half the digits are left for it.
const TOLERANCE: Real = by_precision(1e-8, 1e-4);
/// Or after so many iterations: of a cube of twenty elements along each edge, whose stiffness is a thousand times its inertia, they need about a hundred.
/// What they have by then is still a step down.
const ITERATIONS: usize = 300;

frame! {
    /// The matrix `G` and what solves with it.
    struct Memory(nv, vertices, edges, hinges) {
        /// Blocks of vertices.
        own: zeros Mat3 = vertices,
        /// Blocks between the two vertices of an edge, in its order.
        edge: zeros Mat3 = edges,
        /// Blocks between the two vertices across from each other at a hinge.
        across: zeros Mat3 = hinges,
        /// Velocities of vertices.
        velocity: slice Vec3 = vertices,
        /// `h K J v`, then other forces on vertices.
        pull: zeros Vec3 = vertices,
        /// How the three degrees of freedom of a vertex move it; zero where it is not solved for.
        motion: zeros Mat3 = vertices,
        /// The first of these degrees of freedom, or -1.
        first: slice i32 = vertices,
        /// Motion of the vertices.
        moved: zeros Vec3 = vertices,
        /// Is a degree of freedom solved for?
        solved: zeros u32 = nv,
        /// Inverse of the diagonal.
        diagonal: zeros Real = nv,
        residual: zeros Real = nv,
        direction: zeros Real = nv,
        product: zeros Real = nv,
        solution: zeros Real = nv,
    }
}

/// The stiffness and damping of the flexes of a model, for an implicit integrator: a sum of terms `w wᵀ` over the vertices of elements and hinges.
#[derive(Debug)]
pub struct FlexMatrix<'a> {
    memory: Memory<'a>,
    h: Real,
}

/// The vertices of a term, by their numbers in the model, and its pattern: pairs of them by their places, with the edge of each.
struct Term<const N: usize, const E: usize> {
    vertices: [usize; N],
    pairs: [[usize; 2]; E],
    edges: [usize; E],
}

/// Does an implicit step have to solve for vertices?
pub(super) fn has_materials<S: Storage>(m: &Model<S>, hooks: &impl Hooks<S>) -> bool {
    m.flex_rest_count() > 0
        || m.flex_hinge_count() > 0
        || (m.flex_count() > 0 && hooks.has_stiffness())
}

/// Words of temporary memory of an implicit step.
pub(crate) fn material_words(m: &Model<impl Storage>) -> usize {
    if m.flex_count() == 0 {
        return 0;
    }
    Memory::words(m.nv, m.flex_vertex_count(), m.flex_edge_count(), m.flex_hinge_count())
}

impl<'a> FlexMatrix<'a> {
    /// The matrix at the present configuration, with `h K J v`.
    pub(super) fn new<S: Storage>(
        m: &Model<S>,
        d: &World<'_>,
        hooks: &mut impl Hooks<S>,
        stack: &mut Stack<'a>,
    ) -> Result<FlexMatrix<'a>, StackFull> {
        let memory = Memory::take(
            stack,
            m.nv,
            m.flex_vertex_count(),
            m.flex_edge_count(),
            m.flex_hinge_count(),
        )?;
        let mut matrix = FlexMatrix { memory, h: m.opt.timestep };
        matrix.memory.first.fill(-1);
        for f in (0..m.flex_count()).filter(|&f| m.flex_interp[f] == 0 && m.flex_rigid[f] == 0) {
            matrix.place_vertices(m, d, f);
            if has_rest(m, f) {
                match m.flex_dim[f] {
                    2 => matrix.add_neo_hookean::<2, 3>(m, d, f),
                    _ => matrix.add_neo_hookean::<3, 4>(m, d, f),
                }
            }
            if has_hinges(m, f) {
                matrix.add_bridson(m, d, f);
            }
            if hooks.has_stiffness() {
                hooks.add_stiffness(m, d, f, &mut matrix);
            }
        }
        Ok(matrix)
    }

    /// How the vertices of a flex move now, and with which degrees of freedom.
    fn place_vertices(&mut self, m: &Model<impl Storage>, d: &World<'_>, f: usize) {
        for v in m.flex_vertices(f) {
            self.memory.velocity[v] = vertex_velocity(m, d, v);
            let body = m.flex_vertbodyid[v] as usize;
            // a tree of its own with three slides
            let Ok(tree) = usize::try_from(m.body_treeid[body]) else { continue };
            let slides = m.body_dofnum[body] == 3
                && m.tree_dofnum[tree] == 3
                && m.body_joints(body).all(|j| m.joint_kind(j) == JointType::Slide);
            if slides {
                let first = m.body_dofadr[body] as usize;
                let axis = |k: usize| point_jacobian(m, d, first + k, d.flexvert_xpos[v], body);
                self.memory.motion[v] = Mat3::from_columns(axis(0), axis(1), axis(2));
                self.memory.first[v] = first as i32;
                self.memory.solved[first..first + 3].fill(1);
            }
        }
    }

    #[inline(never)]
    fn add_neo_hookean<const DIM: usize, const N: usize>(
        &mut self,
        m: &Model<impl Storage>,
        d: &World<'_>,
        f: usize,
    ) {
        let solid = Solid::<DIM>(lame(m, f));
        for t in 0..m.flex_elements(f).len() {
            let vertices = corners::<N>(m, f, t);
            let rest = rest(m, f, t);
            let gradient = rest.gradient(&vertices.map(|v| d.flexvert_xpos[v]));
            // K = V₀ Σ λ (∂F/∂x : Q)(∂F/∂x : Q)ᵀ, and `spread` has the factor V₀ already
            solid.each_mode(&gradient, |value, mode| {
                let stiffness = value.max(0.0) / rest.volume;
                let term = rest.spread::<N>(mode);
                self.add_element(m, f, t, &term, stiffness, stiffness * m.flex_damping[f]);
            });
        }
    }

    #[inline(never)]
    fn add_bridson(&mut self, m: &Model<impl Storage>, d: &World<'_>, f: usize) {
        for hinge in m.flex_hinges(f) {
            let place = hinge_vertices(m, f, hinge).map(|v| d.flexvert_xpos[v]);
            if let Some(angle) = Hinge::new(place) {
                let (k, c) = (m.flex_bend_stiffness[f], m.flex_bend_damping[f]);
                self.add_hinge(m, f, hinge, &angle.gradient, k, c);
            }
        }
    }

    /// Add `stiffness w wᵀ` to `K` and `damping w wᵀ` to `B`, with a vector `w` for each of the vertices of element `t` of flex `f`: 3, or 4.
    pub fn add_element(
        &mut self,
        m: &Model<impl Storage>,
        f: usize,
        t: usize,
        w: &[Vec3],
        stiffness: Real,
        damping: Real,
    ) {
        let base = m.flex_edges(f).start;
        let edges = &m.flex_elemedge[m.flex_elemedgeadr[f] as usize..];
        let edge = |count: usize, k: usize| base + edges[t * count + k] as usize;
        if let Ok(w) = <&[Vec3; 3]>::try_from(w) {
            let edges = core::array::from_fn(|k| edge(3, k));
            let term = Term { vertices: corners::<3>(m, f, t), pairs: TRIANGLE, edges };
            self.add(m, f, &term, w, stiffness, damping);
        } else if let Ok(w) = <&[Vec3; 4]>::try_from(w) {
            let edges = core::array::from_fn(|k| edge(6, k));
            let term = Term { vertices: corners::<4>(m, f, t), pairs: TETRAHEDRON, edges };
            self.add(m, f, &term, w, stiffness, damping);
        }
    }

    /// As [`add_element`](Self::add_element), for the vertices of a hinge of flex `f` (`flexhinge_vert`).
    pub fn add_hinge(
        &mut self,
        m: &Model<impl Storage>,
        f: usize,
        hinge: usize,
        w: &[Vec3; 4],
        stiffness: Real,
        damping: Real,
    ) {
        let base = m.flex_edges(f).start;
        let edges = m.flexhinge_edge[hinge].map(|e| base + e as usize);
        let pairs = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3]];
        let term = Term { vertices: hinge_vertices(m, f, hinge), pairs, edges };
        let scale = self.add(m, f, &term, w, stiffness, damping);
        add_outer(&mut self.memory.across[hinge], w[2], w[3], scale);
    }

    /// One term; its factor in `G`.
    #[inline]
    fn add<const N: usize, const E: usize>(
        &mut self,
        m: &Model<impl Storage>,
        f: usize,
        term: &Term<N, E>,
        w: &[Vec3; N],
        stiffness: Real,
        damping: Real,
    ) -> Real {
        let (h, memory) = (self.h, &mut self.memory);
        let scale = h * (h * stiffness + damping);
        let mut rate = 0.0;
        for (v, w) in term.vertices.iter().zip(w) {
            rate += w.dot(memory.velocity[*v]);
            add_outer(&mut memory.own[*v], *w, *w, scale);
        }
        for (v, w) in term.vertices.iter().zip(w) {
            memory.pull[*v] += *w * (h * stiffness * rate);
        }
        // each pair once, in the order of its edge
        let base = m.flex_vertices(f).start;
        for ([i, j], edge) in term.pairs.iter().zip(term.edges) {
            let forward = base + m.flex_edge[edge][0] as usize == term.vertices[*i];
            let (a, b) = if forward { (w[*i], w[*j]) } else { (w[*j], w[*i]) };
            add_outer(&mut memory.edge[edge], a, b, scale);
        }
        scale
    }

    /// Replace the acceleration of the vertices that are solved for.
    pub(super) fn solve(mut self, m: &Model<impl Storage>, d: &World<'_>, qacc: &mut [Real]) {
        // motion of the vertices that others move, and what it does to the rest
        let memory = &mut self.memory;
        for v in 0..m.flex_vertex_count() {
            memory.moved[v] = Vec3::ZERO;
            if memory.first[v] < 0 && m.flex_vertbodyid[v] >= 0 {
                let body = m.flex_vertbodyid[v] as usize;
                for dof in dof_chain(m, body) {
                    let slope = point_jacobian(m, d, dof, d.flexvert_xpos[v], body);
                    memory.moved[v] += slope * qacc[dof];
                }
            }
        }
        self.multiply_blocks(m);
        // r = f - Jᵀ (h K J v + G J a) of the others, and the diagonal of the matrix
        let memory = &mut self.memory;
        for i in 0..m.nv {
            if memory.solved[i] != 0 {
                memory.residual[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i];
                memory.diagonal[i] = own_entry(m, d, i);
            }
        }
        for v in 0..m.flex_vertex_count() {
            let Ok(first) = usize::try_from(memory.first[v]) else { continue };
            let pull = memory.motion[v].mul_transposed(memory.pull[v]);
            let block = &(&memory.motion[v].transpose() * &memory.own[v]) * &memory.motion[v];
            for k in 0..3 {
                memory.residual[first + k] -= pull[k];
                memory.diagonal[first + k] += block[4 * k];
            }
        }
        self.conjugate_gradients(m, d);
        for i in (0..m.nv).filter(|&i| self.memory.solved[i] != 0) {
            qacc[i] = self.memory.solution[i];
        }
    }

    /// `pull += G moved`.
    fn multiply_blocks(&mut self, m: &Model<impl Storage>) {
        let Memory { own, edge, across, moved, pull, .. } = &mut self.memory;
        for v in 0..own.len() {
            pull[v] += &own[v] * moved[v];
        }
        for f in 0..m.flex_count() {
            let base = m.flex_vertices(f).start;
            for e in m.flex_edges(f) {
                let [a, b] = m.flex_edge[e].map(|v| base + v as usize);
                pull[a] += &edge[e] * moved[b];
                pull[b] += edge[e].mul_transposed(moved[a]);
            }
            for hinge in m.flex_hinges(f) {
                let [_, _, a, b] = hinge_vertices(m, f, hinge);
                pull[a] += &across[hinge] * moved[b];
                pull[b] += across[hinge].mul_transposed(moved[a]);
            }
        }
    }

    /// `product = (S + Jᵀ G J) direction`.
    fn multiply(&mut self, m: &Model<impl Storage>, d: &World<'_>) {
        let memory = &mut self.memory;
        memory.pull.fill(Vec3::ZERO);
        for v in 0..m.flex_vertex_count() {
            memory.moved[v] = match usize::try_from(memory.first[v]) {
                Ok(i) => &memory.motion[v] * Vec3::from_slice(&memory.direction[i..i + 3]),
                Err(_) => Vec3::ZERO,
            };
        }
        self.multiply_blocks(m);
        let memory = &mut self.memory;
        memory.product.fill(0.0);
        for i in (0..m.nv).filter(|&i| memory.solved[i] != 0) {
            for (j, value) in lower_row(m, d, i) {
                memory.product[i] += value * memory.direction[j];
                if j != i {
                    memory.product[j] += value * memory.direction[i];
                }
            }
        }
        for v in 0..m.flex_vertex_count() {
            let Ok(first) = usize::try_from(memory.first[v]) else { continue };
            let pull = memory.motion[v].mul_transposed(memory.pull[v]);
            for k in 0..3 {
                memory.product[first + k] += pull[k];
            }
        }
    }

    /// Conjugate gradients with the diagonal as a preconditioner, from zero.
    fn conjugate_gradients(&mut self, m: &Model<impl Storage>, d: &World<'_>) {
        let nv = m.nv;
        for x in self.memory.diagonal.iter_mut() {
            *x = if *x > 0.0 { 1.0 / *x } else { 0.0 };
        }
        let weighted = |memory: &Memory<'_>| -> Real {
            (0..nv).map(|i| memory.residual[i] * memory.residual[i] * memory.diagonal[i]).sum()
        };
        let mut square = weighted(&self.memory);
        let enough = square * TOLERANCE * TOLERANCE;
        for i in 0..nv {
            self.memory.direction[i] = self.memory.residual[i] * self.memory.diagonal[i];
        }
        for _ in 0..ITERATIONS {
            // a square that is no number ends it too
            let goes_on = square > enough;
            if !goes_on {
                break;
            }
            self.multiply(m, d);
            let memory = &mut self.memory;
            let curvature: Real = (0..nv).map(|i| memory.direction[i] * memory.product[i]).sum();
            let falls = curvature > 0.0;
            if !falls {
                break;
            }
            let step = square / curvature;
            for i in 0..nv {
                memory.solution[i] += step * memory.direction[i];
                memory.residual[i] -= step * memory.product[i];
            }
            let next = weighted(memory);
            let keep = next / square;
            for i in 0..nv {
                memory.direction[i] =
                    memory.residual[i] * memory.diagonal[i] + keep * memory.direction[i];
            }
            square = next;
        }
    }
}

/// `block += scale a bᵀ`.
#[inline]
fn add_outer(block: &mut Mat3, a: Vec3, b: Vec3, scale: Real) {
    for i in 0..3 {
        let left = a[i] * scale;
        for j in 0..3 {
            block[3 * i + j] += left * b[j];
        }
    }
}

/// The lower triangle of a row of `S = M - h ∂f/∂v`: column and value. That of `implicit` has a second triangle, but its difference from this one
/// are Coriolis forces, which slides do not have.
fn lower_row<'a, S: Storage>(
    m: &'a Model<S>,
    d: &'a World<'_>,
    i: usize,
) -> impl Iterator<Item = (usize, Real)> + use<'a, S> {
    let (start, h) = (m.M_rowadr[i] as usize, m.opt.timestep);
    let entries = start..start + m.M_rownnz[i] as usize;
    entries.map(move |k| (m.M_colind[k] as usize, d.M[k] - h * d.qDeriv[m.mapD2M[k] as usize]))
}

/// The diagonal entry of a row.
fn own_entry(m: &Model<impl Storage>, d: &World<'_>, i: usize) -> Real {
    lower_row(m, d, i).find(|(j, _)| *j == i).map_or(0.0, |(_, value)| value)
}

/// Solve for the vertices, and put their acceleration in place of that in `qacc`.
pub(super) fn solve_materials<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    hooks: &mut impl Hooks<S>,
) -> Result<(), StepError> {
    d.with_stack(material_words(m), |d, mut stack| {
        let matrix = FlexMatrix::new(m, d, hooks, &mut stack)?;
        let qacc = core::mem::take(&mut d.scratch.step_acc);
        matrix.solve(m, d, qacc);
        d.scratch.step_acc = qacc;
        Ok(())
    })?
}
