//! How forces inside flexes follow velocity, and, for interpolated flexes, the configuration.
//!
//! The damper of an edge is one row: `b jᵀ j`, `j` the Jacobian of its length. An interpolated flex has a stiffness between all its nodes, so that its matrix is
//! `Jᵀ R K Rᵀ J`, with the Jacobian `J` of the nodes and the rotation `R` in the middle of the flex, which is taken as constant.
use ferrodyn_math::{Mat3, Real, Stack, StackFull, Vec3, dot};
use ferrodyn_model::{Model, Storage};

use super::velocity::Row;
use crate::World;
use crate::data::memory::frame;
use crate::force::flex::{has_material, turned_nodes};
use crate::position::chain::{dof_chain, point_jacobian};

/// Call a function with the Jacobian row and the damping of every damped edge.
pub(super) fn each_edge_damper(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    mut call: impl FnMut(&mut World<'_>, Row<'_>, Real),
) {
    for f in 0..m.flex_count() {
        if m.flex_rigid[f] != 0 || m.flex_edgedamping[f] == 0.0 {
            continue;
        }
        let columns = core::mem::take(&mut d.scratch.row_columns);
        let values = core::mem::take(&mut d.scratch.row_values);
        for e in m.flex_edges(f).filter(|&e| m.flexedge_rigid[e] == 0) {
            let start = m.flexedge_J_rowadr[e] as usize;
            let count = m.flexedge_J_rownnz[e] as usize;
            for k in 0..count {
                columns[k] = m.flexedge_J_colind[start + k] as u32;
            }
            values[..count].copy_from_slice(&d.flexedge_J[start..start + count]);
            let row = Row { columns: &columns[..count], values: &values[..count] };
            call(d, row, m.flex_edgedamping[f]);
        }
        d.scratch.row_columns = columns;
        d.scratch.row_values = values;
    }
}

/// Interpolated flexes that have a stiffness.
pub(crate) fn elastic_flexes<S: Storage>(m: &Model<S>) -> impl Iterator<Item = usize> + use<'_, S> {
    (0..m.flex_count())
        .filter(|&f| m.flex_interp[f] != 0 && m.flex_rigid[f] == 0 && has_material(m, f))
}

/// Numbers of coordinates of the nodes of a flex, and of entries of their Jacobian.
fn sizes(m: &Model<impl Storage>, f: usize) -> (usize, usize) {
    let entries = m.flex_nodes(f).map(|n| dof_chain(m, m.flex_nodebodyid[n] as usize).count());
    (3 * m.flex_nodes(f).len(), entries.sum())
}

frame! {
    /// The matrix of one flex, before it is put in its place.
    struct NodeMemory(size, entries, dofs) {
        /// `R K Rᵀ`, all nodes by all nodes, scaled.
        stiffness: slice Real = size * size,
        /// How each node moves with the degrees of freedom of its chain, node after node.
        motion: slice Vec3 = entries,
        /// The degrees of freedom that `motion` belongs to, ascending for each node.
        columns: slice u32 = entries,
        /// Where the entries of each node end.
        ends: slice u32 = size / 3,
        /// `R K Rᵀ J`
        product: zeros Real = size * dofs,
        /// `Jᵀ R K Rᵀ J`
        sum: zeros Real = dofs * dofs,
        /// Velocities of the nodes, then the force along each coordinate.
        node: zeros Real = 2 * size,
    }
}

/// Words of temporary memory of [`add_stiffness`].
pub(crate) fn stiffness_words(m: &Model<impl Storage>, dofs: usize) -> usize {
    let words = |f| {
        let (size, entries) = sizes(m, f);
        NodeMemory::words(size, entries, dofs)
    };
    elastic_flexes(m).map(words).max().unwrap_or(0)
}

/// Implicit stiffness and damping of a flex: with `s = h² + h b`, `matrix += s Jᵀ K J` and `force -= s Jᵀ K J v`.
///
/// `matrix` is dense over `dofs` degrees of freedom, of which `local` gives the place, or -1. MuJoCo: `mjd_flexInterp_addH`, `mjd_flexInterp_mulKD`.
pub(crate) fn add_stiffness(
    m: &Model<impl Storage>,
    d: &World<'_>,
    f: usize,
    local: &[i32],
    dofs: usize,
    matrix: &mut [Real],
    force: &mut [Real],
    stack: &mut Stack<'_>,
) -> Result<(), StackFull> {
    let h = m.opt.timestep;
    let scale = h * h + h * m.flex_damping[f];
    if scale == 0.0 {
        return Ok(());
    }
    let (size, entries) = sizes(m, f);
    let memory = &mut NodeMemory::take(stack, size, entries, dofs)?;
    let turned = turned_nodes(m, d, f);
    rotated_stiffness(m, f, &turned.back.to_mat(), scale, memory.stiffness);

    // as for forces, the point is the one after turning back
    let mut end = 0;
    for (i, node) in m.flex_nodes(f).enumerate() {
        let body = m.flex_nodebodyid[node] as usize;
        let start = end;
        for dof in dof_chain(m, body) {
            memory.columns[end] = dof as u32;
            memory.motion[end] = point_jacobian(m, d, dof, turned.position[i], body);
            end += 1;
        }
        memory.columns[start..end].reverse();
        memory.motion[start..end].reverse();
        memory.ends[i] = end as u32;
    }
    add_product(memory, size, local, dofs, matrix);
    add_force(memory, size, d.qvel, force);
    Ok(())
}

/// `s R K Rᵀ`, block by block; `back` is `Rᵀ`. The matrix of the model is `-K`, and so is this one.
fn rotated_stiffness(
    m: &Model<impl Storage>,
    f: usize,
    back: &Mat3,
    scale: Real,
    rotated: &mut [Real],
) {
    let forth = back.transpose();
    let size = 3 * m.flex_nodes(f).len();
    let stiffness = &m.flex_stiffness.as_flattened()[m.flex_elements(f).start * 21..];
    for at in (0..size).step_by(3).flat_map(|i| (0..size).step_by(3).map(move |j| i * size + j)) {
        let mut block = Mat3::default();
        for k in 0..9 {
            block[k] = stiffness[at + k / 3 * size + k % 3];
        }
        let block = &forth * &(&block * back);
        for k in 0..9 {
            rotated[at + k / 3 * size + k % 3] = scale * block[k];
        }
    }
}

impl NodeMemory<'_> {
    /// The entries of the Jacobian that belong to a node.
    fn entries(&self, node: usize) -> core::ops::Range<usize> {
        let start = if node == 0 { 0 } else { self.ends[node - 1] };
        start as usize..self.ends[node] as usize
    }
}

/// `matrix -= Jᵀ (S J)`, with the stiffness `S` of the memory.
fn add_product(
    memory: &mut NodeMemory<'_>,
    size: usize,
    local: &[i32],
    dofs: usize,
    matrix: &mut [Real],
) {
    let place = |column: u32| usize::try_from(local[column as usize]).ok();
    for i in 0..size {
        for k in 0..size {
            let factor = memory.stiffness[i * size + k];
            for e in memory.entries(k / 3) {
                if let Some(j) = place(memory.columns[e]) {
                    memory.product[i * dofs + j] += memory.motion[e][k % 3] * factor;
                }
            }
        }
    }
    for k in 0..size {
        for e in memory.entries(k / 3) {
            let Some(i) = place(memory.columns[e]) else { continue };
            let slope = memory.motion[e][k % 3];
            let row = &memory.product[k * dofs..(k + 1) * dofs];
            for (sum, x) in memory.sum[i * dofs..(i + 1) * dofs].iter_mut().zip(row) {
                *sum += slope * x;
            }
        }
    }
    for (entry, sum) in matrix.iter_mut().zip(&*memory.sum) {
        *entry -= sum;
    }
}

/// `force += Jᵀ S J v`, with the stiffness `S` of the memory.
fn add_force(memory: &mut NodeMemory<'_>, size: usize, velocity: &[Real], force: &mut [Real]) {
    for k in 0..size {
        for e in memory.entries(k / 3) {
            memory.node[k] += memory.motion[e][k % 3] * velocity[memory.columns[e] as usize];
        }
    }
    let (moved, pull) = memory.node.split_at_mut(size);
    for k in 0..size {
        pull[k] = dot(&memory.stiffness[k * size..(k + 1) * size], moved);
    }
    for k in 0..size {
        for e in memory.entries(k / 3) {
            force[memory.columns[e] as usize] += memory.motion[e][k % 3] * memory.node[size + k];
        }
    }
}
