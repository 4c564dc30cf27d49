//! Equality constraints: points, poses, joints and tendons that are tied together, flexes that keep their shape.
use ferrodyn_math::{Quat, Real, Vec3};
use ferrodyn_model::{ConstraintType, Model, ObjType, Storage};

use super::RowMemory;
use super::kind::{Ends, Tie};
use super::limit::note_tendon_row;
use super::rows::{NewRows, add_rows};
use crate::World;
use crate::position::chain::{merged_chain, point_jacobian};
use crate::position::tendon::tendon_row;
use crate::sleep::{is_asleep, some_asleep};

/// Add the rows of all active equality constraints. MuJoCo: `mj_instantiateEquality`.
pub(super) fn add_equalities(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    memory: &mut RowMemory<'_>,
) {
    let filtered = some_asleep(m, d.head);
    for i in 0..m.neq {
        if d.eq_active[i] == 0 || filtered && is_asleep(m, d, ObjType::Equality, i) {
            continue;
        }
        let Some(tie) = Tie::of(m, i) else { continue };
        let mut pos = [0.0; 6];
        match tie {
            Tie::Points(ends) => connect(m, d, points(m, d, i, tie, ends), &mut pos, memory),
            Tie::Frames(ends) => {
                weld(m, d, i, ends, points(m, d, i, tie, ends), &mut pos, memory);
            }
            Tie::Joints(first, second) => couple_joints(m, d, i, (first, second), &mut pos, memory),
            Tie::Tendons(first, second) => {
                couple_tendons(m, d, i, (first, second), &mut pos, memory)
            }
            Tie::Edges(f) => {
                keep_lengths(m, d, i, f, memory);
                continue;
            }
            Tie::Strains(f) => {
                keep_strains(m, d, i, f, memory);
                continue;
            }
        }
        let size = tie.size();
        let rows = NewRows {
            kind: ConstraintType::Equality,
            id: i,
            chain: &memory.chain,
            jac: &memory.jac,
            pos: &pos[..size],
            margin: &[0.0; 6][..size],
            frictionloss: 0.0,
        };
        add_rows(m, d, &rows);
    }
}

/// Every edge of a flex whose ends can move against each other keeps its length.
fn keep_lengths(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    i: usize,
    f: usize,
    memory: &mut RowMemory<'_>,
) {
    for e in m.flex_edges(f).filter(|e| m.flexedge_rigid[*e] == 0) {
        let start = m.flexedge_J_rowadr[e] as usize;
        let row = start..start + m.flexedge_J_rownnz[e] as usize;
        let pos = d.flexedge_length[e] - m.flexedge_length0[e];
        let (columns, values) = (&m.flexedge_J_colind[row.clone()], &d.flexedge_J[row]);
        add_flex_row(m, d, i, pos, set_row(memory, columns, values));
    }
}

/// The two strains at every vertex of a sheet stay zero.
fn keep_strains(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    i: usize,
    f: usize,
    memory: &mut RowMemory<'_>,
) {
    for v in m.flex_vertices(f) {
        for part in 0..2 {
            let start = m.flexvert_J_rowadr[v][part] as usize;
            let row = start..start + m.flexvert_J_rownnz[v][part] as usize;
            let columns = &m.flexvert_J_colind.as_flattened()[row.clone()];
            let values = &d.flexvert_J.as_flattened()[row];
            let rows = set_row(memory, columns, values);
            add_flex_row(m, d, i, d.flexvert_length[v][part], rows);
        }
    }
}

/// Put one sparse row into the memory for rows.
fn set_row<'a, 'm>(
    memory: &'a mut RowMemory<'m>,
    columns: &[i32],
    values: &[Real],
) -> &'a RowMemory<'m> {
    let RowMemory { chain, jac, .. } = &mut *memory;
    chain.clear();
    chain.extend(columns.iter().map(|c| *c as usize));
    jac.clear();
    jac.extend(values.iter().copied());
    memory
}

/// Add one row of a flex.
fn add_flex_row(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    i: usize,
    pos: Real,
    memory: &RowMemory<'_>,
) {
    let rows = NewRows {
        kind: ConstraintType::Equality,
        id: i,
        chain: &memory.chain,
        jac: &memory.jac,
        pos: &[pos],
        margin: &[0.0],
        frictionloss: 0.0,
    };
    add_rows(m, d, &rows);
}

/// The bodies and points that a connect or weld ties together.
fn points(
    m: &Model<impl Storage>,
    d: &World<'_>,
    i: usize,
    tie: Tie,
    ends: Ends,
) -> [(usize, Vec3); 2] {
    let bodies = ends.bodies;
    match ends.sites {
        Some(sites) => [0, 1].map(|j| (bodies[j], d.site_xpos[sites[j]])),
        None => {
            let local = tie.anchors(m, i);
            [0, 1].map(|j| (bodies[j], &d.xmat[bodies[j]] * local[j] + d.xpos[bodies[j]]))
        }
    }
}

/// Fill the chain of two bodies and the translation of the first point minus that of the second, as `pos` is (rows of
/// contacts are the second minus the first); with `rotations`, three more rows.
fn difference(
    m: &Model<impl Storage>,
    d: &World<'_>,
    [(b0, p0), (b1, p1)]: [(usize, Vec3); 2],
    rotations: bool,
    memory: &mut RowMemory<'_>,
) {
    let RowMemory { chain, jac, .. } = memory;
    chain.clear();
    chain.extend(merged_chain(m, b0, b1).map(|(dof, ..)| dof));
    chain.reverse();
    let n = chain.len();
    jac.set_all(if rotations { 6 * n } else { 3 * n }, 0.0);
    for (at, (dof, in0, in1)) in merged_chain(m, b0, b1).enumerate() {
        let k = n - 1 - at;
        let mut lin = Vec3::ZERO;
        if in0 {
            lin += point_jacobian(m, d, dof, p0, b0);
        }
        if in1 {
            lin -= point_jacobian(m, d, dof, p1, b1);
        }
        for r in 0..3 {
            jac[r * n + k] = lin[r];
        }
        if rotations && in0 != in1 {
            let rot = d.cdof[dof].rot() * if in0 { 1.0 } else { -1.0 };
            for r in 0..3 {
                jac[(3 + r) * n + k] = rot[r];
            }
        }
    }
}

/// Two points coincide.
fn connect(
    m: &Model<impl Storage>,
    d: &World<'_>,
    points: [(usize, Vec3); 2],
    pos: &mut [Real; 6],
    memory: &mut RowMemory<'_>,
) {
    pos[..3].copy_from_slice(&(points[0].1 - points[1].1).0);
    difference(m, d, points, false, memory);
}

/// Two frames coincide. The error of orientation is the vector part of `q₁⁻¹ q₀ q_rel`.
fn weld(
    m: &Model<impl Storage>,
    d: &World<'_>,
    i: usize,
    ends: Ends,
    points: [(usize, Vec3); 2],
    pos: &mut [Real; 6],
    memory: &mut RowMemory<'_>,
) {
    pos[..3].copy_from_slice(&(points[0].1 - points[1].1).0);
    difference(m, d, points, true, memory);

    // q₀ q_rel and q₁: frames of the bodies with a relative pose, or of the sites
    let data = &m.eq_data[i];
    let torque_scale = data[10];
    let [q0, q1] = ends.bodies.map(|b| d.xquat[b]);
    let (first, second) = match ends.sites {
        Some([s0, s1]) => (q0 * m.site_quat[s0], q1 * m.site_quat[s1]),
        None => (q0 * Quat::from_slice(&data[6..]), q1),
    };
    let inverse = second.conjugate();
    let error = inverse * first;
    for r in 0..3 {
        pos[3 + r] = error[r + 1] * torque_scale;
    }
    // rotation rows: ½ q₁⁻¹ (J₀ - J₁) q₀ q_rel
    let n = memory.chain.len();
    for k in 0..n {
        let at = |r: usize| (3 + r) * n + k;
        let axis = Vec3::new(memory.jac[at(0)], memory.jac[at(1)], memory.jac[at(2)]);
        let turned = inverse.mul_axis(axis) * first;
        for r in 0..3 {
            memory.jac[at(r)] = 0.5 * turned[r + 1] * torque_scale;
        }
    }
}

/// A polynomial of degree four, without its constant, which the caller has, and its derivative.
fn polynomial(c: &[Real; 11], x: Real) -> (Real, Real) {
    (
        c[1] * x + c[2] * x * x + c[3] * x * x * x + c[4] * x * x * x * x,
        c[1] + 2.0 * c[2] * x + 3.0 * c[3] * x * x + 4.0 * c[4] * x * x * x,
    )
}

/// The value of one joint is a polynomial of another's, or a constant.
fn couple_joints(
    m: &Model<impl Storage>,
    d: &World<'_>,
    i: usize,
    (first, second): (usize, Option<usize>),
    pos: &mut [Real; 6],
    memory: &mut RowMemory<'_>,
) {
    let data = &m.eq_data[i];
    let joint = |j: usize| {
        let q = m.joint_qpos(j);
        (m.joint_dof(j), d.qpos[q], m.qpos0[q])
    };
    memory.chain.clear();
    memory.jac.clear();
    let (dof, value, reference) = joint(first);
    memory.chain.push(dof);
    memory.jac.push(1.0);
    pos[0] = value - reference - data[0];
    if let Some(other) = second {
        let (other_dof, other_value, other_reference) = joint(other);
        let (shift, slope) = polynomial(data, other_value - other_reference);
        pos[0] = value - reference - data[0] - shift;
        if other_dof == dof {
            memory.jac[0] -= slope;
        } else {
            let at = usize::from(other_dof > dof);
            memory.chain.insert(at, other_dof);
            memory.jac.insert(at, -slope);
        }
    }
}

/// The length of one tendon is a polynomial of another's, or a constant.
fn couple_tendons(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    i: usize,
    (first, second): (usize, Option<usize>),
    pos: &mut [Real; 6],
    memory: &mut RowMemory<'_>,
) {
    let data = &m.eq_data[i];
    for t in core::iter::once(first).chain(second) {
        // MuJoCo's `mj_instantiateEquality` notes the number of the constraint here, not that of its row
        note_tendon_row(d, t, i as i32);
    }
    pos[0] = d.ten_length[first] - m.tendon_length0[first] - data[0];
    let mut slope = 0.0;
    if let Some(t) = second {
        let (shift, derivative) = polynomial(data, d.ten_length[t] - m.tendon_length0[t]);
        pos[0] -= shift;
        slope = derivative;
    }
    let RowMemory { chain, jac, .. } = memory;
    chain.clear();
    jac.clear();
    let mut a = tendon_row(m, d, first).peekable();
    let mut b = second.into_iter().flat_map(|t| tendon_row(m, d, t)).peekable();
    loop {
        let dof = match (a.peek(), b.peek()) {
            (Some((x, _)), Some((y, _))) => *x.min(y),
            (Some((x, _)), None) | (None, Some((x, _))) => *x,
            (None, None) => break,
        };
        let mut value = 0.0;
        if let Some((_, x)) = a.next_if(|(x, _)| *x == dof) {
            value += x;
        }
        if let Some((_, x)) = b.next_if(|(x, _)| *x == dof) {
            value += -slope * x;
        }
        chain.push(dof);
        jac.push(value);
    }
}
