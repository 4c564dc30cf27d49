//! Flexes at a configuration: vertices, boxes around elements, lengths of edges and how they change.
//!
//! A vertex moves with its body, or, in an interpolated flex, with all nodes of the flex: `x = Σ φᵢ(s) xᵢ`, where `s` is its place in the
//! box of the flex at rest and `φᵢ` the products of one-dimensional basis functions, linear or quadratic. An edge from `x₁` to `x₂` has the
//! length `l = |x₂ - x₁|` and the Jacobian `∂l/∂q = nᵀ (J₂ - J₁)`, `n` its direction.
use ferrodyn_math::{Real, Vec3};
use ferrodyn_model::{DisableBit, Model, Storage};

use super::chain::{merged_chain, point_velocity};
use super::flex_strain;
use crate::World;

/// The most nodes of an interpolated flex: 3 × 3 × 3 of quadratic functions. MuJoCo: `mjMAXFLEXNODES`.
pub(crate) const MOST_NODES: usize = 27;

/// Everything that follows from the configuration for flexes. MuJoCo: `mj_flex`.
pub fn flex(m: &Model<impl Storage>, d: &mut World<'_>) {
    if m.flex_count() == 0 {
        return;
    }
    for f in 0..m.flex_count() {
        vertices(m, d, f);
        element_boxes(m, d, f);
    }
    if !m.opt.disabled(DisableBit::Midphase) {
        (0..m.flex_count()).for_each(|f| update_tree(m, d, f));
    }
    for f in 0..m.flex_count() {
        // what cannot stretch, or stretches by its nodes, has no forces along edges
        if m.flex_rigid[f] != 0 || m.flex_interp[f] != 0 {
            continue;
        }
        edges(m, d, f);
        if m.flex_dim[f] == 2 && m.flex_edgeequality[f] == 2 {
            flex_strain::strains(m, d, f);
        }
    }
}

/// Position of a point that is given in the frame of a body, or of the body itself where all points are at their origins.
#[inline]
fn on_body(d: &World<'_>, body: usize, centered: bool, local: Vec3) -> Vec3 {
    if centered { d.xpos[body] } else { &d.xmat[body] * local + d.xpos[body] }
}

/// Positions of the nodes of an interpolated flex.
pub(crate) fn node_positions(
    m: &Model<impl Storage>,
    d: &World<'_>,
    f: usize,
) -> [Vec3; MOST_NODES] {
    let mut positions = [Vec3::ZERO; MOST_NODES];
    for (position, node) in positions.iter_mut().zip(m.flex_nodes(f)) {
        let body = m.flex_nodebodyid[node] as usize;
        *position = on_body(d, body, m.flex_centered[f] != 0, m.flex_node[node]);
    }
    positions
}

/// Positions of the vertices of a flex in the world.
fn vertices(m: &Model<impl Storage>, d: &mut World<'_>, f: usize) {
    let order = m.flex_interp[f];
    if order == 0 {
        let centered = m.flex_centered[f] != 0;
        for v in m.flex_vertices(f) {
            let body = m.flex_vertbodyid[v] as usize;
            d.flexvert_xpos[v] = on_body(d, body, centered, m.flex_vert[v]);
        }
        return;
    }
    let nodes = node_positions(m, d, f);
    for v in m.flex_vertices(f) {
        let place = m.flex_vert0[v];
        d.flexvert_xpos[v] = match order {
            1 => interpolate::<2>(place, &nodes),
            _ => interpolate::<3>(place, &nodes),
        };
    }
}

/// The basis function of node `i` at the place `s`, which is between 0 and 1 along each axis; the last axis varies fastest.
/// MuJoCo: `mju_evalBasis`.
pub(crate) fn basis(s: Vec3, i: usize, order: i32) -> Real {
    let [x, y, z] = s.0;
    let node = axes_of_node(i, order);
    shape(z, node[2], order) * shape(y, node[1], order) * shape(x, node[0], order)
}

/// `Σ φᵢ(s) xᵢ` over a grid of nodes with `SIDE` of them along each axis. MuJoCo: `mju_interpolate3D`.
fn interpolate<const SIDE: usize>(s: Vec3, nodes: &[Vec3; MOST_NODES]) -> Vec3 {
    let order = SIDE as i32 - 1;
    let [x, y, z] = s.0.map(|s| core::array::from_fn::<Real, SIDE, _>(|i| shape(s, i, order)));
    let mut position = Vec3::ZERO;
    let mut node = nodes.iter();
    for x in x {
        for y in y {
            // the product of `basis`, in its order
            for (z, node) in z.iter().zip(&mut node) {
                position += *node * (z * y * x);
            }
        }
    }
    position
}

/// The place of node `i` in the grid of nodes.
pub(crate) fn axes_of_node(i: usize, order: i32) -> [usize; 3] {
    let side = order as usize + 1;
    [i / (side * side), i / side % side, i % side]
}

/// One-dimensional basis functions: `1 - s` and `s`, or the parabolas through the nodes at 0, ½ and 1.
pub(crate) fn shape(s: Real, node: usize, order: i32) -> Real {
    match (order, node) {
        (1, 0) => 1.0 - s,
        (1, _) => s,
        (_, 0) => 2.0 * s * s - 3.0 * s + 1.0,
        (_, 1) => 4.0 * (s - s * s),
        _ => 2.0 * s * s - s,
    }
}

/// Boxes around the elements of a flex, in the axes of the world: centre and half sizes, the radius of the flex included.
fn element_boxes(m: &Model<impl Storage>, d: &mut World<'_>, f: usize) {
    let first_vertex = m.flex_vertices(f).start;
    for (e, element) in m.flex_elements(f).enumerate() {
        let corners = m.flex_element(f, e);
        let position = |corner: i32| d.flexvert_xpos[first_vertex + corner as usize];
        let (mut low, mut high) = (position(corners[0]), position(corners[0]));
        for corner in &corners[1..] {
            let x = position(*corner);
            for k in 0..3 {
                low[k] = low[k].min(x[k]);
                high[k] = high[k].max(x[k]);
            }
        }
        for k in 0..3 {
            d.flexelem_aabb[element][k] = 0.5 * (high[k] + low[k]);
            d.flexelem_aabb[element][k + 3] = 0.5 * (high[k] - low[k]) + m.flex_radius[f];
        }
    }
}

/// Boxes of the tree of a flex, from the leaves, which are elements, to the root. MuJoCo: `mj_updateDynamicBVH`.
fn update_tree(m: &Model<impl Storage>, d: &mut World<'_>, f: usize) {
    let Ok(root) = usize::try_from(m.flex_bvhadr[f]) else { return };
    let first = root - m.nbvhstatic;
    let first_element = m.flex_elements(f).start;
    // parents come before their children
    for i in (0..m.flex_bvhnum[f] as usize).rev() {
        if let Ok(element) = usize::try_from(m.bvh_nodeid[root + i]) {
            d.bvh_aabb_dyn[first + i] = d.flexelem_aabb[first_element + element];
            continue;
        }
        let [a, b] = m.bvh_child[root + i].map(|child| d.bvh_aabb_dyn[first + child as usize]);
        let both = &mut d.bvh_aabb_dyn[first + i];
        for k in 0..3 {
            let low = (a[k] - a[k + 3]).min(b[k] - b[k + 3]);
            let high = (a[k] + a[k + 3]).max(b[k] + b[k + 3]);
            both[k] = 0.5 * (high + low);
            both[k + 3] = 0.5 * (high - low);
        }
    }
}

/// Lengths of the edges of a flex, and their Jacobians where some force needs them.
fn edges(m: &Model<impl Storage>, d: &mut World<'_>, f: usize) {
    let needs_jacobian = m.flex_edgeequality[f] == 1
        || m.flex_edgedamping[f] != 0.0
        || m.flex_edgestiffness[f] != 0.0
        || m.flex_damping[f] != 0.0;
    // each Jacobian is written as a whole; where nothing needs them, something may have needed them before
    if !needs_jacobian {
        for e in m.flex_edges(f) {
            let start = m.flexedge_J_rowadr[e] as usize;
            d.flexedge_J[start..start + m.flexedge_J_rownnz[e] as usize].fill(0.0);
        }
    }
    let first_vertex = m.flex_vertices(f).start;
    for e in m.flex_edges(f) {
        let [v1, v2] = m.flex_edge[e].map(|v| first_vertex + v as usize);
        let [x1, x2] = [v1, v2].map(|v| d.flexvert_xpos[v]);
        let (direction, length) = (x2 - x1).normalize();
        d.flexedge_length[e] = length;
        if !needs_jacobian {
            continue;
        }
        let [b1, b2] = [v1, v2].map(|v| m.flex_vertbodyid[v] as usize);
        let start = m.flexedge_J_rowadr[e] as usize;
        let count = m.flexedge_J_rownnz[e] as usize;
        let (dofs1, dofs2) = (m.body_dofs(b1), m.body_dofs(b2));
        if m.body_simple[b1] == 2 && m.body_simple[b2] == 2 && dofs1.len() + dofs2.len() == count {
            // slides of each end, those of the lower body first; nothing turns, so that points do not matter
            let row = &mut d.flexedge_J[start..start + count];
            let (row1, row2) = if b1 < b2 {
                row.split_at_mut(dofs1.len())
            } else {
                let (row2, row1) = row.split_at_mut(dofs2.len());
                (row1, row2)
            };
            for (entry, cdof) in row1.iter_mut().zip(&d.cdof[dofs1]) {
                *entry = (Vec3::ZERO - cdof.lin()).dot(direction);
            }
            for (entry, cdof) in row2.iter_mut().zip(&d.cdof[dofs2]) {
                *entry = cdof.lin().dot(direction);
            }
            continue;
        }
        // from the centres of mass of both trees, to which the axes refer
        let offset = |x: Vec3, b: usize| x - d.subtree_com[m.body_root(b)];
        let (offset1, offset2) = (offset(x1, b1), offset(x2, b2));
        let cdof = &*d.cdof;
        // the chain comes from its end, the row from its beginning
        let row = d.flexedge_J[start..start + count].iter_mut().rev();
        for (entry, (dof, in1, in2)) in row.zip(merged_chain(m, b1, b2)) {
            let column = |moves: bool, offset: Vec3| {
                if moves { point_velocity(&cdof[dof], offset) } else { Vec3::ZERO }
            };
            *entry = (column(in2, offset2) - column(in1, offset1)).dot(direction);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn basis_functions_are_one_at_their_node_and_zero_at_the_others() {
        for order in [1, 2] {
            let side = order as usize + 1;
            let count = side * side * side;
            let place =
                |i: usize| Vec3(axes_of_node(i, order).map(|a| a as Real / (side - 1) as Real));
            for i in 0..count {
                for j in 0..count {
                    let expected = Real::from(u8::from(i == j));
                    let found = basis(place(j), i, order);
                    assert!((found - expected).abs() < 1e-6, "{order} {i} {j}");
                }
            }
            // together they are 1 everywhere
            let somewhere = Vec3::new(0.3, 0.8, 0.1);
            let sum: Real = (0..count).map(|i| basis(somewhere, i, order)).sum();
            assert!((sum - 1.0).abs() < 1e-6);
        }
    }
}
