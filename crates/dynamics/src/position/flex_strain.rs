//! Strains of a sheet at its vertices, which vertex constraints hold at zero (Chen, Kry, Vouga: Locking-free simulation of isometric thin plates).
//!
//! The edges `dxₖ` around a vertex at rest (in the plane of the sheet) and `dyₖ` now give the deformation gradient that fits best,
//!
//! ```text
//! F = (Σ wₖ dyₖ dxₖᵀ) B,   B = (Σ wₖ dxₖ dxₖᵀ)⁻¹  (`flex_vertmetric`),   wₖ the mass of the neighbour
//! ```
//!
//! With `C = Fᵀ F` the sheet is not stretched where `tr C = 2` and `det C = 1`. The two numbers of a vertex are `tr C - 2` and `det C - 1`, each
//! times the square root of the vertex' mass, which makes light and heavy vertices alike to the solver. Their derivatives by an edge are
//! `∂ tr C/∂dy = 2 w F B dx` and `∂ det C/∂dy = 2 w F adj(C) B dx`.
use ferrodyn_math::{MIN_VAL, Real, Vec3, sqrt};
use ferrodyn_model::{Model, Storage};

use super::chain::{dof_chain, point_jacobian};
use crate::World;

/// A 3×2 matrix by rows.
type Mat32 = [Real; 6];

/// A 2×2 matrix by rows.
type Mat22 = [Real; 4];

fn mul(a: &Mat32, b: &Mat22) -> Mat32 {
    let mut product = [0.0; 6];
    for row in 0..3 {
        for column in 0..2 {
            product[2 * row + column] = a[2 * row] * b[column] + a[2 * row + 1] * b[2 + column];
        }
    }
    product
}

/// One edge at a vertex.
struct Spoke {
    vertices: [usize; 2],
    /// The edge at rest.
    rest: Vec3,
    /// The mass of its other end.
    weight: Real,
}

/// The edges at a vertex of a flex.
fn spokes<S: Storage>(
    m: &Model<S>,
    f: usize,
    vertex: usize,
) -> impl Iterator<Item = Spoke> + use<'_, S> {
    let (first_vertex, first_edge) = (m.flex_vertices(f).start, m.flex_edges(f).start);
    // the box of the flex is given by its half sizes
    let size = m.flex_size[f] * 2.0;
    let start = m.flex_vertedgeadr[vertex] as usize;
    (start..start + m.flex_vertedgenum[vertex] as usize).map(move |k| {
        let edge = first_edge + m.flex_vertedge[k / 2][k % 2] as usize;
        let vertices = m.flex_edge[edge].map(|v| first_vertex + v as usize);
        let rest = (m.flex_vert0[vertices[1]] - m.flex_vert0[vertices[0]]).mul_elem(size);
        let other = if vertices[0] == vertex { vertices[1] } else { vertices[0] };
        // a vertex without a body weighs as much as one kilogram
        let mass = usize::try_from(m.flex_vertbodyid[other]).map_or(1.0, |b| m.body_mass[b]);
        Spoke { vertices, rest, weight: if mass < MIN_VAL { MIN_VAL } else { mass } }
    })
}

/// Strains at all vertices of a flex and their Jacobians. MuJoCo: the vertex part of `mj_flex`.
pub(super) fn strains(m: &Model<impl Storage>, d: &mut World<'_>, f: usize) {
    d.scratch.dof_a.fill(0.0);
    d.scratch.dof_b.fill(0.0);
    for vertex in m.flex_vertices(f) {
        let metric = &m.flex_vertmetric[vertex];
        // Σ w dy dxᵀ
        let mut moment = [0.0; 6];
        for Spoke { vertices: [v1, v2], rest, weight } in spokes(m, f, vertex) {
            let now = d.flexvert_xpos[v2] - d.flexvert_xpos[v1];
            for row in 0..3 {
                moment[2 * row] += weight * now[row] * rest[0];
                moment[2 * row + 1] += weight * now[row] * rest[1];
            }
        }
        let gradient = mul(&moment, metric);
        let product = |a: usize, b: usize| {
            gradient[a] * gradient[b]
                + gradient[2 + a] * gradient[2 + b]
                + gradient[4 + a] * gradient[4 + b]
        };
        let [c00, c01, c10, c11] = [product(0, 0), product(0, 1), product(1, 0), product(1, 1)];
        let mass = usize::try_from(m.flex_vertbodyid[vertex]).map_or(0.0, |b| m.body_mass[b]);
        let scale = if mass > MIN_VAL { sqrt(mass) } else { 1.0 };
        d.flexvert_length[vertex] =
            [(c00 + c11 - 2.0) * scale, (c00 * c11 - c01 * c10 - 1.0) * scale];

        let by_trace = mul(&gradient, metric);
        let by_determinant = mul(&mul(&gradient, &[c11, -c01, -c10, c00]), metric);
        for Spoke { vertices, rest, weight } in spokes(m, f, vertex) {
            let toward = |matrix: &Mat32| {
                let row = |i: usize| matrix[2 * i] * rest[0] + matrix[2 * i + 1] * rest[1];
                Vec3::new(row(0), row(1), row(2)) * (-2.0 * weight)
            };
            let slopes = [toward(&by_trace), toward(&by_determinant)];
            // the first end pulls with these, the second with their opposites
            for (end, v) in vertices.into_iter().enumerate() {
                let sign = if end == 0 { 1.0 } else { -1.0 };
                let body = m.flex_vertbodyid[v] as usize;
                for dof in dof_chain(m, body) {
                    let column = point_jacobian(m, d, dof, d.flexvert_xpos[v], body);
                    d.scratch.dof_a[dof] += column.dot(slopes[0] * sign);
                    d.scratch.dof_b[dof] += column.dot(slopes[1] * sign);
                }
            }
        }
        store_rows(m, d, vertex, scale);
    }
}

/// Store the two rows of a vertex, which lie dense in scratch memory, and clear them there.
fn store_rows(m: &Model<impl Storage>, d: &mut World<'_>, vertex: usize, scale: Real) {
    let columns = m.flexvert_J_colind.as_flattened();
    let values = d.flexvert_J.as_flattened_mut();
    for (row, dense) in [&mut *d.scratch.dof_a, &mut *d.scratch.dof_b].into_iter().enumerate() {
        let start = m.flexvert_J_rowadr[vertex][row] as usize;
        for k in start..start + m.flexvert_J_rownnz[vertex][row] as usize {
            let column = columns[k] as usize;
            // a sum that begins with zero, as in MuJoCo: never -0
            values[k] = 0.0 + dense[column] * scale;
            dense[column] = 0.0;
        }
    }
}
