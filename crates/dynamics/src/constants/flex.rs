//! Constants of flexes: patterns of their Jacobians, rest lengths and inverse inertias of edges.
use alloc::{vec, vec::Vec};

use ferrodyn_math::{MIN_VAL, Quat, Real, Vec3};
use ferrodyn_model::Model;

use super::inverse_weight;
use crate::World;
use crate::position::chain::{dof_chain, merged_chain, point_jacobian};

/// The vertices of a flex.
fn vertices(m: &Model, f: usize) -> core::ops::Range<usize> {
    let first = m.flex_vertadr[f] as usize;
    first..first + m.flex_vertnum[f] as usize
}

/// The edges of a flex.
fn edges(m: &Model, f: usize) -> core::ops::Range<usize> {
    let first = m.flex_edgeadr[f] as usize;
    first..first + m.flex_edgenum[f] as usize
}

/// The bodies at both ends of an edge of a flex that is not interpolated.
fn edge_bodies(m: &Model, f: usize, e: usize) -> [usize; 2] {
    let first = m.flex_vertadr[f];
    m.flex_edge[e].map(|v| m.flex_vertbodyid[(first + v) as usize].max(0) as usize)
}

/// Is the strain at the vertices of a flex constrained, in place of the lengths of its edges?
fn holds_vertices(m: &Model, f: usize) -> bool {
    m.flex_dim[f] == 2 && m.flex_edgeequality[f] == 2
}

/// Do dampers or springs act along the edges of a flex?
fn edges_act(m: &Model, f: usize) -> bool {
    m.flex_edgedamping[f] != 0.0 || m.flex_edgestiffness[f] != 0.0 || m.flex_damping[f] != 0.0
}

/// Patterns of the Jacobians of edges and vertices. MuJoCo: `makeFlexSparse`.
pub(super) fn set_patterns(m: &mut Model) {
    m.flexedge_J_rowadr.fill(0);
    m.flexedge_J_rownnz.fill(0);
    m.flexvert_J_rowadr.fill([0; 2]);
    m.flexvert_J_rownnz.fill([0; 2]);
    m.flex_vertedgeadr.fill(0);
    m.flex_vertedgenum.fill(0);
    m.flex_vertedge.fill([0; 2]);
    m.flex_vertmetric.fill([0.0; 4]);
    let mut adjacent = 0;
    for f in 0..m.nflex {
        // vertices that are fixed to each other, or interpolated, have no edges that act
        if m.flex_rigid[f] != 0 || m.flex_interp[f] != 0 {
            continue;
        }
        if m.flex_edgeequality[f] != 0 || edges_act(m, f) {
            set_edge_pattern(m, f);
        }
        if holds_vertices(m, f) {
            set_vertex_edges(m, f, &mut adjacent);
            set_vertex_metric(m, f);
            set_vertex_pattern(m, f);
        }
    }
}

/// The degrees of freedom that move the ends of each edge.
fn set_edge_pattern(m: &mut Model, f: usize) {
    for e in edges(m, f) {
        // where the rows before end, even if there are none of the flex before
        if e > 0 {
            m.flexedge_J_rowadr[e] = m.flexedge_J_rowadr[e - 1] + m.flexedge_J_rownnz[e - 1];
        }
        let first = m.flexedge_J_rowadr[e] as usize;
        let mut chain = edge_chain(m, edge_bodies(m, f, e));
        // MuJoCo counts an edge within one body twice here and once for `nJfe`, and writes past the end
        chain.truncate(m.nJfe - first);
        m.flexedge_J_rownnz[e] = chain.len() as i32;
        for (slot, dof) in m.flexedge_J_colind[first..].iter_mut().zip(&chain) {
            *slot = *dof as i32;
        }
    }
}

/// The degrees of freedom that move either of two bodies, in ascending order; those of simple bodies body by body.
fn edge_chain(m: &Model, [b1, b2]: [usize; 2]) -> Vec<usize> {
    if m.body_simple[b1] != 0 && m.body_simple[b2] != 0 {
        let own = |b: usize| {
            let first = m.body_dofadr[b].max(0) as usize;
            first..first + m.body_dofnum[b] as usize
        };
        return own(b1.min(b2)).chain(own(b1.max(b2))).collect();
    }
    let mut chain: Vec<usize> = merged_chain(m, b1, b2).map(|(dof, _, _)| dof).collect();
    chain.reverse();
    chain
}

/// The edges of each vertex.
fn set_vertex_edges(m: &mut Model, f: usize, adjacent: &mut usize) {
    let base = m.flex_vertadr[f] as usize;
    let first = m.flex_edgeadr[f] as usize;
    for e in edges(m, f) {
        for v in m.flex_edge[e] {
            m.flex_vertedgenum[base + v as usize] += 1;
        }
    }
    for v in vertices(m, f) {
        m.flex_vertedgeadr[v] = *adjacent as i32;
        *adjacent += m.flex_vertedgenum[v] as usize;
    }
    let mut filled = vec![0; m.flex_vertnum[f] as usize];
    for e in edges(m, f) {
        for v in m.flex_edge[e].map(|v| v as usize) {
            let slot = m.flex_vertedgeadr[base + v] as usize + filled[v];
            m.flex_vertedge.as_flattened_mut()[slot] = (e - first) as i32;
            filled[v] += 1;
        }
    }
}

/// The edges of a vertex, by their numbers in the model.
fn vertex_edges(m: &Model, f: usize, v: usize) -> impl Iterator<Item = usize> + '_ {
    let start = m.flex_vertedgeadr[v] as usize;
    let list = &m.flex_vertedge.as_flattened()[start..start + m.flex_vertedgenum[v] as usize];
    let first = m.flex_edgeadr[f] as usize;
    list.iter().map(move |e| first + *e as usize)
}

/// The inverse of `Σ w dx dxᵀ` over the edges of a vertex at rest, in the plane of the flex; `w` is the mass of the other end.
fn set_vertex_metric(m: &mut Model, f: usize) {
    let base = m.flex_vertadr[f] as usize;
    let size = m.flex_size[f];
    for v in vertices(m, f) {
        let mut sum = [0.0; 4];
        for e in vertex_edges(m, f, v) {
            let [v1, v2] = m.flex_edge[e].map(|v| base + v as usize);
            let mut dx = m.flex_vert0[v2] - m.flex_vert0[v1];
            for k in 0..3 {
                dx[k] *= 2.0 * size[k];
            }
            let other = if v == v1 { v2 } else { v1 };
            let weight = match usize::try_from(m.flex_vertbodyid[other]) {
                Ok(body) => m.body_mass[body].max(MIN_VAL),
                Err(_) => 1.0,
            };
            for row in 0..2 {
                for col in 0..2 {
                    sum[2 * row + col] += weight * dx[row] * dx[col];
                }
            }
        }
        let det = sum[0] * sum[3] - sum[1] * sum[2];
        m.flex_vertmetric[v] = if det.abs() < MIN_VAL {
            [0.0; 4]
        } else {
            let inverse = 1.0 / det;
            [sum[3] * inverse, -sum[1] * inverse, -sum[2] * inverse, sum[0] * inverse]
        };
    }
}

/// The degrees of freedom that move each vertex and those next to it; both rows of a vertex have the same.
fn set_vertex_pattern(m: &mut Model, f: usize) {
    let range = vertices(m, f);
    let mut address = match range.start.checked_sub(1) {
        None => 0,
        Some(before) => m.flexvert_J_rowadr[before][1] + m.flexvert_J_rownnz[before][1],
    };
    for v in range {
        let mut moved = vec![false; m.nv];
        for e in vertex_edges(m, f, v) {
            for body in edge_bodies(m, f, e) {
                for dof in dof_chain(m, body) {
                    moved[dof] = true;
                }
            }
        }
        let count = moved.iter().filter(|moves| **moves).count() as i32;
        m.flexvert_J_rownnz[v] = [count; 2];
        m.flexvert_J_rowadr[v] = [address, address + count];
        let columns = m.flexvert_J_colind.as_flattened_mut();
        for start in [address, address + count] {
            let dofs = (0..moved.len()).filter(|&dof| moved[dof]);
            for (slot, dof) in columns[start as usize..].iter_mut().zip(dofs) {
                *slot = dof as i32;
            }
        }
        address += 2 * count;
        // MuJoCo writes where the next row would begin, whatever flex it belongs to
        if let Some(next) = m.flexvert_J_rowadr.get_mut(v + 1) {
            next[0] = address;
        }
    }
}

/// Turns the rest positions of flat flexes whose strain is constrained into the plane of x and y. MuJoCo: `mj_alignFlex`.
pub(super) fn align(m: &mut Model) {
    for f in 0..m.nflex {
        if !holds_vertices(m, f) {
            continue;
        }
        let first = m.flex_elemdataadr[f] as usize;
        let base = m.flex_vertadr[f];
        let corner = |k: usize| m.flex_vert0[(base + m.flex_elem[first + k]) as usize];
        let (edge1, edge2) = (corner(1) - corner(0), corner(2) - corner(0));
        let (normal, _) = edge1.cross(edge2).normalize();
        let turn = Quat::from_z_to(normal).to_mat();
        for v in vertices(m, f) {
            m.flex_vert0[v] = turn.mul_transposed(m.flex_vert0[v]);
        }
    }
}

/// Rest lengths of edges, and their inverse inertias `J M⁻¹ Jᵀ`.
pub(super) fn set_edges(m: &mut Model, d: &World<'_>) {
    let jacobian = edge_jacobians(m, d);
    let mut row = vec![0.0; m.nv];
    let mut work = vec![0.0; m.nv];
    for f in 0..m.nflex {
        if m.flex_interp[f] != 0 || m.nv == 0 {
            continue;
        }
        for e in edges(m, f) {
            let [b1, b2] = edge_bodies(m, f, e);
            m.flexedge_invweight0[e] = if m.flexedge_rigid[e] != 0 {
                0.0
            } else if m.body_simple[b1] == 2 && m.body_simple[b2] == 2 {
                (1.0 / m.body_mass[b1] + 1.0 / m.body_mass[b2]) / 2.0
            } else {
                row.fill(0.0);
                let start = m.flexedge_J_rowadr[e] as usize;
                for k in start..start + m.flexedge_J_rownnz[e] as usize {
                    row[m.flexedge_J_colind[k] as usize] = jacobian[k];
                }
                inverse_weight(m, d, &row, &mut work)
            };
        }
    }
}

/// Sets the rest lengths of edges, and returns their Jacobians in the pattern of [`set_patterns`].
///
/// Rows of MuJoCo's pattern may share memory: it begins anew after flexes without rows, and rigid flexes, which have none, write to its beginning here.
/// What is written last stays, as in MuJoCo.
fn edge_jacobians(m: &mut Model, d: &World<'_>) -> Vec<Real> {
    let mut jacobian = vec![0.0; m.nJfe];
    for f in 0..m.nflex {
        if m.flex_interp[f] != 0 {
            continue;
        }
        let base = m.flex_vertadr[f];
        let has_jacobian = m.flex_edgeequality[f] == 1 || edges_act(m, f);
        for e in edges(m, f) {
            let ends = m.flex_edge[e].map(|v| vertex_position(m, d, f, (base + v) as usize));
            let (direction, length) = (ends[1] - ends[0]).normalize();
            m.flexedge_length0[e] = length;
            if has_jacobian {
                let row = edge_row(m, d, edge_bodies(m, f, e), ends, direction);
                let start = m.flexedge_J_rowadr[e] as usize;
                for (place, value) in jacobian[start..].iter_mut().zip(row) {
                    *place = value;
                }
            }
        }
    }
    jacobian
}

/// The position of a vertex that is not interpolated.
fn vertex_position(m: &Model, d: &World<'_>, f: usize, v: usize) -> Vec3 {
    let body = m.flex_vertbodyid[v].max(0) as usize;
    if m.flex_centered[f] != 0 {
        d.xpos[body]
    } else {
        &d.xmat[body] * m.flex_vert[v] + d.xpos[body]
    }
}

/// The Jacobian of the length of an edge, in the order of [`edge_chain`].
fn edge_row(
    m: &Model,
    d: &World<'_>,
    [b1, b2]: [usize; 2],
    ends: [Vec3; 2],
    direction: Vec3,
) -> Vec<Real> {
    let rate = |dof: usize| {
        let motion = |point: Vec3, body: usize| {
            let moves = dof_chain(m, body).any(|other| other == dof);
            if moves { point_jacobian(m, d, dof, point, body) } else { Vec3::ZERO }
        };
        direction.dot(motion(ends[1], b2) - motion(ends[0], b1))
    };
    edge_chain(m, [b1, b2]).into_iter().map(rate).collect()
}

/// Makes bodies at least as large as the edges at their vertices, or as their distances to other nodes.
pub(super) fn enlarge_bodies(m: &Model, d: &World<'_>, size: &mut [Real]) {
    for f in 0..m.nflex {
        if m.flex_interp[f] != 0 {
            let first = m.flex_nodeadr[f] as usize;
            let bodies = &m.flex_nodebodyid[first..first + m.flex_nodenum[f] as usize];
            for b1 in bodies.iter().map(|b| *b as usize) {
                for b2 in bodies.iter().map(|b| *b as usize) {
                    size[b1] = size[b1].max((d.xpos[b1] - d.xpos[b2]).norm());
                }
            }
            continue;
        }
        for e in edges(m, f) {
            for b in edge_bodies(m, f, e) {
                size[b] = size[b].max(m.flexedge_length0[e]);
            }
        }
    }
}
