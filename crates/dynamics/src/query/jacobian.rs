//! Jacobians of points of bodies, geoms and sites as full matrices, which a step does not need: it works with chains (`position/chain.rs`).
use ferrodyn_math::{Real, Vec3};
use ferrodyn_model::{Model, Storage};

use crate::World;
use crate::position::chain::{dof_chain, dof_rate, jac_dot_column, point_velocity};

/// Write a column of a 3×`nv` row-major matrix.
#[inline]
fn set_column(mat: &mut [Real], nv: usize, i: usize, v: Vec3) {
    mat[i] = v[0];
    mat[i + nv] = v[1];
    mat[i + 2 * nv] = v[2];
}

/// Translational and rotational Jacobians (3×`nv`, row-major) of `point` fixed to body `b`. MuJoCo: `mj_jac`.
pub fn jac(
    m: &Model<impl Storage>,
    d: &World<'_>,
    mut jacp: Option<&mut [Real]>,
    mut jacr: Option<&mut [Real]>,
    point: Vec3,
    b: usize,
) {
    let nv = m.nv;
    for mat in [jacp.as_deref_mut(), jacr.as_deref_mut()].into_iter().flatten() {
        mat[..3 * nv].fill(0.0);
    }
    let offset = point - d.subtree_com[m.body_root(b)];
    for i in dof_chain(m, b) {
        if let Some(mat) = jacr.as_deref_mut() {
            set_column(mat, nv, i, d.cdof[i].rot());
        }
        if let Some(mat) = jacp.as_deref_mut() {
            set_column(mat, nv, i, point_velocity(&d.cdof[i], offset));
        }
    }
}

/// Jacobians of the origin of body `b`. MuJoCo: `mj_jacBody`.
pub fn jac_body(
    m: &Model<impl Storage>,
    d: &World<'_>,
    jacp: Option<&mut [Real]>,
    jacr: Option<&mut [Real]>,
    b: usize,
) {
    jac(m, d, jacp, jacr, d.xpos[b], b);
}

/// Jacobians of the centre of mass of body `b`. MuJoCo: `mj_jacBodyCom`.
pub fn jac_body_com(
    m: &Model<impl Storage>,
    d: &World<'_>,
    jacp: Option<&mut [Real]>,
    jacr: Option<&mut [Real]>,
    b: usize,
) {
    jac(m, d, jacp, jacr, d.xipos[b], b);
}

/// Jacobians of the centre of geom `g`. MuJoCo: `mj_jacGeom`.
pub fn jac_geom(
    m: &Model<impl Storage>,
    d: &World<'_>,
    jacp: Option<&mut [Real]>,
    jacr: Option<&mut [Real]>,
    g: usize,
) {
    jac(m, d, jacp, jacr, d.geom_xpos[g], m.geom_body(g));
}

/// Jacobians of site `s`. MuJoCo: `mj_jacSite`.
pub fn jac_site(
    m: &Model<impl Storage>,
    d: &World<'_>,
    jacp: Option<&mut [Real]>,
    jacr: Option<&mut [Real]>,
    s: usize,
) {
    jac(m, d, jacp, jacr, d.site_xpos[s], m.site_body(s));
}

/// Jacobian (3×`nv`) of the centre of mass of the subtree of body `b`. MuJoCo: `mj_jacSubtreeCom`.
pub fn jac_subtree_com(m: &Model<impl Storage>, d: &World<'_>, jacp: &mut [Real], b: usize) {
    let nv = m.nv;
    jacp[..3 * nv].fill(0.0);
    for child in b..m.nbody {
        // bodies of a subtree are consecutive
        if child > b && (m.body_parent(child)) < b {
            break;
        }
        let offset = d.xipos[child] - d.subtree_com[m.body_root(child)];
        let mass = m.body_mass[child];
        for i in dof_chain(m, child) {
            let v = point_velocity(&d.cdof[i], offset);
            for k in 0..3 {
                jacp[i + k * nv] += v[k] * mass;
            }
        }
    }
    let inv = 1.0 / m.body_subtreemass[b];
    for x in &mut jacp[..3 * nv] {
        *x *= inv;
    }
}

/// Jacobians (3×`nv`) of a point and of a direction, both fixed to body `b`. MuJoCo: `mj_jacPointAxis`.
pub fn jac_point_axis(
    m: &Model<impl Storage>,
    d: &World<'_>,
    jac_point: Option<&mut [Real]>,
    jac_axis: Option<&mut [Real]>,
    point: Vec3,
    axis: Vec3,
    b: usize,
) {
    let nv = m.nv;
    jac(m, d, jac_point, None, point, b);
    if let Some(mat) = jac_axis {
        mat[..3 * nv].fill(0.0);
        for i in dof_chain(m, b) {
            set_column(mat, nv, i, d.cdof[i].rot().cross(axis));
        }
    }
}

/// Time derivatives of the Jacobians of `point` fixed to body `b`. MuJoCo: `mj_jacDot`.
pub fn jac_dot(
    m: &Model<impl Storage>,
    d: &World<'_>,
    mut jacp: Option<&mut [Real]>,
    mut jacr: Option<&mut [Real]>,
    point: Vec3,
    b: usize,
) {
    let nv = m.nv;
    for mat in [jacp.as_deref_mut(), jacr.as_deref_mut()].into_iter().flatten() {
        mat[..3 * nv].fill(0.0);
    }
    for i in dof_chain(m, b) {
        if let Some(mat) = jacr.as_deref_mut() {
            set_column(mat, nv, i, dof_rate(m, d, i).rot());
        }
        if let Some(mat) = jacp.as_deref_mut() {
            set_column(mat, nv, i, jac_dot_column(m, d, i, point, b));
        }
    }
}
