//! Jacobians of points, and forces mapped through them.
use ferrodyn_math::{Real, Spatial, Vec3, transform_spatial};
use ferrodyn_model::{JointType, Model, Storage};

use crate::World;

/// The degrees of freedom that move body `b`, from the last to the first.
pub(crate) fn dof_chain(m: &Model<impl Storage>, b: usize) -> impl Iterator<Item = usize> + '_ {
    let b = m.body_weld(b);
    let last = if b == 0 { -1 } else { m.body_dofadr[b] + m.body_dofnum[b] - 1 };
    let next = move |i: i32| (i >= 0).then_some(i as usize);
    core::iter::successors(next(last), move |&i| next(m.dof_parentid[i]))
}

/// Motion of a point at `offset` from the tree's centre of mass, per unit of the dof's velocity.
#[inline]
fn point_velocity(cdof: &Spatial, offset: Vec3) -> Vec3 {
    cdof.lin() + cdof.rot().cross(offset)
}

/// Motion of `point` on body `b` per unit of velocity of a degree of freedom that moves the body.
#[inline]
pub(crate) fn point_jacobian(
    m: &Model<impl Storage>,
    d: &World<'_>,
    dof: usize,
    point: Vec3,
    b: usize,
) -> Vec3 {
    point_velocity(&d.cdof[dof], point - d.subtree_com[m.body_root(b)])
}

/// The degrees of freedom that move either of two bodies, from the last to the first, each with
/// whether it moves the first and the second body.
pub(crate) fn merged_chain(
    m: &Model<impl Storage>,
    b0: usize,
    b1: usize,
) -> impl Iterator<Item = (usize, bool, bool)> + '_ {
    let mut first = dof_chain(m, b0).peekable();
    let mut second = dof_chain(m, b1).peekable();
    core::iter::from_fn(move || {
        let dof = first.peek().copied().max(second.peek().copied())?;
        let in0 = first.next_if_eq(&dof).is_some();
        let in1 = second.next_if_eq(&dof).is_some();
        Some((dof, in0, in1))
    })
}

/// Write a column of a 3×`nv` row-major matrix.
#[inline]
fn set_column(mat: &mut [Real], nv: usize, i: usize, v: Vec3) {
    mat[i] = v[0];
    mat[i + nv] = v[1];
    mat[i + 2 * nv] = v[2];
}

/// Add the generalized force of a force and a torque on body `b` at `point` to `qfrc`.
///
/// `com` is the centre of mass of the body's tree, to which `cdof` refers. MuJoCo: `mj_applyFT`.
pub fn apply_ft(
    m: &Model<impl Storage>,
    cdof: &[Spatial],
    com: Vec3,
    force: Vec3,
    torque: Vec3,
    point: Vec3,
    b: usize,
    qfrc: &mut [Real],
) {
    let offset = point - com;
    for i in dof_chain(m, b) {
        qfrc[i] += point_velocity(&cdof[i], offset).dot(force);
        qfrc[i] += cdof[i].rot().dot(torque);
    }
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

/// Time derivative of the axis of a degree of freedom.
fn dof_rate(m: &Model<impl Storage>, d: &World<'_>, dof: usize) -> Spatial {
    let joint = m.dof_joint(dof);
    let in_quaternion = match m.joint_kind(joint) {
        JointType::Ball => true,
        JointType::Free => dof >= m.joint_dof(joint) + 3,
        JointType::Slide | JointType::Hinge => false,
    };
    // axes of quaternion joints turn with the body itself
    if in_quaternion { d.cvel[m.dof_body(dof)].cross_motion(&d.cdof[dof]) } else { d.cdof_dot[dof] }
}

/// Time derivative of [`point_jacobian`].
pub(crate) fn jac_dot_column(
    m: &Model<impl Storage>,
    d: &World<'_>,
    dof: usize,
    point: Vec3,
    b: usize,
) -> Vec3 {
    let com = d.subtree_com[m.body_root(b)];
    let velocity = transform_spatial(&d.cvel[b], false, point, com, None).lin();
    point_velocity(&dof_rate(m, d, dof), point - com) + d.cdof[dof].rot().cross(velocity)
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
