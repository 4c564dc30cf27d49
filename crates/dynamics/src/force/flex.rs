//! Forces inside flexes: elasticity of triangles and tetrahedra, bending of sheets, elasticity of interpolated flexes, springs along edges.
//!
//! *Elements* (Saint-Venant–Kirchhoff). The strain of an element is told by the changes of its squared edge lengths, `eₐ = lₐ² - Lₐ²`, and the energy is
//! `½ Σ Kₐᵦ eₐ eᵦ / 2` with a matrix `K` that follows from the rest shape and the material (`flex_stiffness`). The force on a vertex is
//! `-Σ Kₐᵦ eₐ ∂(½ lᵦ²)/∂x`, with `∂(½ l²)/∂x₁ = x₁ - x₂`. Rayleigh damping adds the change of `l²` during the last step, times `damping / h`, to each `e`
//! (Kharevych et al., Geometric, variational integrators for computer animation).
//!
//! *Bending*. For two triangles with a common edge the energy is quadratic in their four vertices, `½ Σ Bᵢⱼ xᵢ·xⱼ` (the cotangent form); a sheet that is
//! curved at rest adds the triple product of the three edges at a vertex, times a constant. `flex_bending` has the sixteen `Bᵢⱼ` and that constant.
//!
//! *Interpolated flexes*. The nodes are turned back by the rotation in the middle of the flex, so that `f = R K (Rᵀ x - x₀)` is free of it (`K` is stored negative).
use ferrodyn_math::{Mat3, Quat, Real, Vec3, dot};
use ferrodyn_model::{FlexBendingType, FlexElasticityType, Model, ObjType, Storage};

use crate::World;
use crate::force::material;
use crate::hooks::Hooks;
use crate::position::chain::apply_ft;
use crate::position::flex::{MOST_NODES, axes_of_node, node_positions, shape};
use crate::velocity::object_velocity;

/// The ends of the edges of a triangle, in the order of `flex_elemedge`.
pub(crate) const TRIANGLE: [[usize; 2]; 3] = [[1, 2], [2, 0], [0, 1]];
/// The ends of the edges of a tetrahedron.
pub(crate) const TETRAHEDRON: [[usize; 2]; 6] = [[0, 1], [1, 2], [2, 0], [2, 3], [0, 3], [1, 3]];

/// Which of the two kinds of passive forces are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Enabled {
    /// Those that follow from the configuration.
    pub springs: bool,
    /// Those that follow from velocity.
    pub dampers: bool,
}

/// Elasticity and damping of all flexes, added to `qfrc_spring` and `qfrc_damper`: by the laws that the model chooses for a flex, or else by those
/// of the simulation. MuJoCo: the flex parts of `mj_springdamper`.
#[inline(never)]
pub(super) fn flex_forces<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    enabled: Enabled,
    hooks: &mut impl Hooks<S>,
) {
    for f in 0..m.flex_count() {
        // lines have only springs along their edges
        if m.flex_dim[f] == 1 || m.flex_rigid[f] != 0 {
            continue;
        }
        if m.flex_dim[f] == 2 {
            match m.bending_model(f) {
                Some(FlexBendingType::Bridson) => material::bridson(m, d, f, enabled),
                Some(FlexBendingType::Cotangent) => cotangent_bending(m, d, f, enabled),
                Some(FlexBendingType::Unstated) | None => hooks.flex_bending(m, d, f, enabled),
            }
        }
        match m.elasticity_model(f) {
            Some(FlexElasticityType::NeoHookean) => material::neo_hookean(m, d, f, enabled),
            Some(FlexElasticityType::Linear) => linear_elasticity(m, d, f, enabled),
            Some(FlexElasticityType::Unstated) | None => hooks.flex_elasticity(m, d, f, enabled),
        }
    }
    for f in 0..m.flex_count() {
        edge_springs(m, d, f, enabled);
    }
}

/// Elasticity of the elements of a flex, or of its nodes, as MuJoCo has it.
pub fn linear_elasticity(m: &Model<impl Storage>, d: &mut World<'_>, f: usize, enabled: Enabled) {
    if !has_material(m, f) {
        return;
    }
    if m.flex_interp[f] != 0 {
        interpolated(m, d, f, enabled);
    } else {
        elements(m, d, f);
    }
}

/// Was a material given for a flex? The first entry of its stiffness is zero otherwise.
pub(crate) fn has_material(m: &Model<impl Storage>, f: usize) -> bool {
    m.flex_elements(f).next().is_some_and(|first| m.flex_stiffness[first][0] != 0.0)
}

/// Velocity of a vertex whose body has slides along the axes of the world.
///
/// MuJoCo takes the three numbers from the first degree of freedom of the body on, also where the body has none: there that address is -1, and the
/// first number is whatever lies before `qvel`, the last coordinate where `qpos` ends on a boundary of 64 bytes.
fn slide_velocity(m: &Model<impl Storage>, d: &World<'_>, body: usize) -> [Real; 3] {
    let address = m.body_dofadr[body];
    if let Some(own) = usize::try_from(address).ok().and_then(|dof| d.qvel.get(dof..dof + 3)) {
        return [own[0], own[1], own[2]];
    }
    core::array::from_fn(|x| match usize::try_from(address + x as i32) {
        Ok(dof) => d.qvel.get(dof).copied().unwrap_or(0.0),
        Err(_) if m.nq.is_multiple_of(8) => d.qpos.last().copied().unwrap_or(0.0),
        Err(_) => 0.0,
    })
}

/// Bending of a sheet as MuJoCo has it: the force of every edge between two triangles on their four vertices.
pub fn cotangent_bending(m: &Model<impl Storage>, d: &mut World<'_>, f: usize, enabled: Enabled) {
    let first_vertex = m.flex_vertices(f).start;
    let dampers = enabled.dampers && m.flex_damping[f] != 0.0;
    for e in m.flex_edges(f) {
        let ([v0, v1], [v2, v3]) = (m.flex_edge[e], m.flex_edgeflap[e]);
        // an edge of the boundary has one triangle
        if v3 == -1 {
            continue;
        }
        let vertices = [v0, v1, v2, v3].map(|v| first_vertex + v as usize);
        let bodies = vertices.map(|v| m.flex_vertbodyid[v] as usize);
        let x = vertices.map(|v| d.flexvert_xpos[v]);
        let velocity =
            bodies.map(|b| if dampers { Vec3(slide_velocity(m, d, b)) } else { Vec3::ZERO });
        // gradient of the triple product of the edges at the first vertex
        let arms = [x[1] - x[0], x[2] - x[0], x[3] - x[0]];
        let by1 = arms[1].cross(arms[2]);
        let by2 = arms[2].cross(arms[0]);
        let by3 = arms[0].cross(arms[1]);
        let curved = [-(by1 + by2 + by3), by1, by2, by3];

        let stiffness = &m.flex_bending[e];
        for i in 0..4 {
            let (mut spring, mut damper) = (Vec3::ZERO, Vec3::ZERO);
            for j in 0..4 {
                spring += x[j] * stiffness[4 * i + j];
            }
            for j in (0..4).filter(|_| dampers) {
                damper += velocity[j] * stiffness[4 * i + j];
            }
            spring += curved[i] * stiffness[16];
            let first = m.body_dofadr[bodies[i]];
            for k in 0..(m.body_dofnum[bodies[i]].max(0) as usize).min(3) {
                let dof = first as usize + k;
                if enabled.springs {
                    d.qfrc_spring[dof] -= spring[k];
                }
                if dampers {
                    d.qfrc_damper[dof] -= damper[k] * m.flex_damping[f];
                }
            }
        }
    }
}

/// Elasticity of all elements of a flex, Rayleigh damping included.
fn elements(m: &Model<impl Storage>, d: &mut World<'_>, f: usize) {
    let vertices = m.flex_vertices(f);
    d.scratch.flex_force[vertices.clone()].fill(Vec3::ZERO);
    if m.flex_dim[f] == 2 {
        element_forces(m, d, f, &TRIANGLE);
    } else {
        element_forces(m, d, f, &TETRAHEDRON);
    }
    for v in vertices {
        let body = m.flex_vertbodyid[v] as usize;
        let force = d.scratch.flex_force[v];
        if m.body_simple[body] == 2 {
            // slides along the axes of the world
            let first = m.body_dofadr[body] as usize;
            for k in 0..m.body_dofnum[body] as usize {
                d.qfrc_spring[first + k] += force[k];
            }
        } else {
            let com = d.subtree_com[m.body_root(body)];
            let point = d.flexvert_xpos[v];
            apply_ft(m, d.cdof, com, force, Vec3::ZERO, point, body, d.qfrc_spring);
        }
    }
}

/// Add the forces of all elements to those of their vertices; an element has `N` edges.
fn element_forces<const N: usize>(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    f: usize,
    edges: &[[usize; 2]; N],
) {
    let h = m.opt.timestep;
    let damping = if h > 0.0 { m.flex_damping[f] / h } else { 0.0 };
    let (first_vertex, first_edge) = (m.flex_vertices(f).start, m.flex_edges(f).start);
    for (t, element) in m.flex_elements(f).enumerate() {
        let corners = m.flex_element(f, t);
        let numbers = &m.flex_elemedge[m.flex_elemedgeadr[f] as usize + t * N..][..N];
        // changes of squared lengths, from rest and during a step
        let elongation: [Real; N] = core::array::from_fn(|a| {
            let edge = first_edge + numbers[a] as usize;
            let (length, rest) = (d.flexedge_length[edge], m.flexedge_length0[edge]);
            let previous = length - d.flexedge_velocity[edge] * h;
            length * length - rest * rest + (length * length - previous * previous) * damping
        });
        let mut x = [Vec3::ZERO; 4];
        for (x, corner) in x.iter_mut().zip(corners) {
            *x = d.flexvert_xpos[first_vertex + *corner as usize];
        }
        let gradient: [Vec3; N] = edges.map(|[a, b]| x[a] - x[b]);
        // the upper triangle of K, row by row
        let mut stiffness = [[0.0; N]; N];
        let mut entries = m.flex_stiffness[element].iter();
        for a in 0..N {
            for b in a..N {
                let entry = entries.next().copied().unwrap_or(0.0);
                stiffness[a][b] = entry;
                stiffness[b][a] = entry;
            }
        }
        let mut force = [Vec3::ZERO; 4];
        for a in 0..N {
            for b in 0..N {
                // the two ends are pulled in opposite directions
                let part = gradient[b] * elongation[a] * stiffness[a][b];
                force[edges[b][0]] -= part;
                force[edges[b][1]] += part;
            }
        }
        for (corner, force) in corners.iter().zip(force) {
            d.scratch.flex_force[first_vertex + *corner as usize] += force;
        }
    }
}

/// Nodes of an interpolated flex, turned back by its rotation.
pub(crate) struct TurnedNodes {
    pub(crate) position: [Vec3; MOST_NODES],
    pub(crate) velocity: [Vec3; MOST_NODES],
    /// From the world to the frame in which the flex is not turned.
    pub(crate) back: Quat,
}

/// Positions and velocities of the nodes of an interpolated flex in the frame that turns with it. MuJoCo: `mj_flexInterpState`.
pub(crate) fn turned_nodes(m: &Model<impl Storage>, d: &World<'_>, f: usize) -> TurnedNodes {
    let mut position = node_positions(m, d, f);
    let mut velocity = [Vec3::ZERO; MOST_NODES];
    let nodes = m.flex_nodes(f);
    let count = nodes.len();
    for (velocity, node) in velocity.iter_mut().zip(nodes) {
        let body = m.flex_nodebodyid[node] as usize;
        *velocity = if m.flex_centered[f] != 0 {
            Vec3(slide_velocity(m, d, body))
        } else {
            object_velocity(m, d, ObjType::Body, body, false).unwrap_or_default().lin()
        };
    }
    // the rotation in the deformation gradient ∂x/∂s in the middle
    let middle = Vec3::new(0.5, 0.5, 0.5);
    let gradient = deformation_gradient(middle, &position[..count], m.flex_interp[f]);
    let back = Quat::rotation_of(&gradient, Quat::IDENTITY).0.conjugate();
    for (x, v) in position.iter_mut().zip(&mut velocity).take(count) {
        *x = back.rotate(*x) + middle;
        *v = back.rotate(*v);
    }
    TurnedNodes { position, velocity, back }
}

/// `∂x/∂s` at a place in the box of a flex. MuJoCo: `mju_defGradient`.
fn deformation_gradient(s: Vec3, nodes: &[Vec3], order: i32) -> Mat3 {
    let mut gradient = Mat3::default();
    for (i, x) in nodes.iter().enumerate() {
        let node = axes_of_node(i, order);
        let value: [Real; 3] = core::array::from_fn(|a| shape(s[a], node[a], order));
        let slope: [Real; 3] = core::array::from_fn(|a| shape_slope(s[a], node[a], order));
        let by = [
            slope[0] * value[1] * value[2],
            value[0] * slope[1] * value[2],
            value[0] * value[1] * slope[2],
        ];
        for row in 0..3 {
            for (column, by) in by.iter().enumerate() {
                gradient[3 * row + column] += x[row] * by;
            }
        }
    }
    gradient
}

/// Derivative of [`shape`].
fn shape_slope(s: Real, node: usize, order: i32) -> Real {
    match (order, node) {
        (1, 0) => -1.0,
        (1, _) => 1.0,
        (_, 0) => 4.0 * s - 3.0,
        (_, 1) => 4.0 * (1.0 - 2.0 * s),
        _ => 4.0 * s - 1.0,
    }
}

/// Elasticity and damping of an interpolated flex.
fn interpolated(m: &Model<impl Storage>, d: &mut World<'_>, f: usize, enabled: Enabled) {
    let nodes = m.flex_nodes(f);
    let count = nodes.len();
    let turned = turned_nodes(m, d, f);
    let mut displacement = [0.0; 3 * MOST_NODES];
    let mut velocity = [0.0; 3 * MOST_NODES];
    for (i, node) in nodes.clone().enumerate() {
        for k in 0..3 {
            displacement[3 * i + k] = turned.position[i][k] - m.flex_node0[node][k];
            velocity[3 * i + k] = turned.velocity[i][k];
        }
    }
    // the matrix of all nodes lies where others have those of elements
    let size = 3 * count;
    let start = m.flex_elements(f).start * 21;
    let stiffness = &m.flex_stiffness.as_flattened()[start..start + size * size];
    let product = |i: usize, x: &[Real]| {
        let row =
            |k: usize| dot(&stiffness[(3 * i + k) * size..(3 * i + k + 1) * size], &x[..size]);
        Vec3::new(row(0), row(1), row(2))
    };
    let forth = turned.back.conjugate();
    for (i, node) in nodes.enumerate() {
        let body = m.flex_nodebodyid[node] as usize;
        let point = turned.position[i];
        if enabled.springs {
            let force = forth.rotate(product(i, &displacement));
            add_node_force(m, d, f, body, point, force, Target::Spring);
        }
        if enabled.dampers {
            let force = forth.rotate(product(i, &velocity)) * m.flex_damping[f];
            add_node_force(m, d, f, body, point, force, Target::Damper);
        }
    }
}

/// Which passive force something is added to.
#[derive(Clone, Copy, PartialEq)]
enum Target {
    Spring,
    Damper,
}

/// Add the force on a node. For nodes off the origin of their bodies MuJoCo applies it at the point as it is after turning back.
fn add_node_force(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    f: usize,
    body: usize,
    point: Vec3,
    force: Vec3,
    target: Target,
) {
    let com = d.subtree_com[m.body_root(body)];
    let World { qfrc_spring, qfrc_damper, cdof, .. } = d;
    let qfrc = if target == Target::Spring { &mut **qfrc_spring } else { &mut **qfrc_damper };
    if m.flex_centered[f] == 0 {
        apply_ft(m, cdof, com, force, Vec3::ZERO, point, body, qfrc);
    } else {
        // as for velocities, MuJoCo adds three numbers from -1 on where the body has no degree of freedom
        for k in 0..3 {
            if let Ok(dof) = usize::try_from(m.body_dofadr[body] + k as i32) {
                qfrc[dof] += force[k];
            }
        }
    }
}

/// Springs and dampers along the edges of a flex: `k (L - l) - b l̇`.
fn edge_springs(m: &Model<impl Storage>, d: &mut World<'_>, f: usize, enabled: Enabled) {
    let stiffness = if enabled.springs { m.flex_edgestiffness[f] } else { 0.0 };
    let damping = if enabled.dampers { m.flex_edgedamping[f] } else { 0.0 };
    if m.flex_rigid[f] != 0 || (stiffness == 0.0 && damping == 0.0) {
        return;
    }
    for e in m.flex_edges(f) {
        if m.flexedge_rigid[e] != 0 {
            continue;
        }
        let spring = stiffness * (m.flexedge_length0[e] - d.flexedge_length[e]);
        let damper = -damping * d.flexedge_velocity[e];
        let start = m.flexedge_J_rowadr[e] as usize;
        for k in start..start + m.flexedge_J_rownnz[e] as usize {
            let (dof, slope) = (m.flexedge_J_colind[k] as usize, d.flexedge_J[k]);
            d.qfrc_spring[dof] += slope * spring;
            d.qfrc_damper[dof] += slope * damper;
        }
    }
}
