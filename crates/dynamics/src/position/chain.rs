//! Which degrees of freedom move a point of a body, and how: what every Jacobian is made of.
//!
//! A degree of freedom with the axis `(rot, lin)` (`cdof`, about the centre of mass `c` of its tree) moves the point
//! `p` of every body below it with `lin + rot × (p - c)` per unit of its velocity. The velocity of `p` is the sum of
//! that over the chain of degrees of freedom from the body up to the root, and a force `f` at `p` is worth
//! `f · (lin + rot × (p - c))` to each of them. Rows of constraints, moments of tendons and actuators, and applied
//! forces differ only in the points and directions that they put in.
use ferrodyn_math::{Mask, Number, Spatial, Vec3, transform_spatial};
use ferrodyn_model::{JointType, Model, Storage};

use crate::World;
use crate::data::Lane;

/// The degrees of freedom that move body `b`, from the last to the first. MuJoCo: `mj_bodyChain`, in the other order.
pub(crate) fn dof_chain(m: &Model<impl Storage>, b: usize) -> impl Iterator<Item = usize> + '_ {
    let next = move |i: i32| (i >= 0).then_some(i as usize);
    core::iter::successors(next(last_dof(m, b)), move |&i| next(m.dof_parentid[i]))
}

/// The last degree of freedom that moves body `b`; -1 where none does.
#[inline]
fn last_dof(m: &Model<impl Storage>, b: usize) -> i32 {
    let b = m.body_weld(b);
    if b == 0 { -1 } else { m.body_dofadr[b] + m.body_dofnum[b] - 1 }
}

/// Motion of a point at `offset` from the tree's centre of mass, per unit of the dof's velocity.
#[inline]
pub(crate) fn point_velocity<T: Number>(cdof: &Spatial<T>, offset: Vec3<T>) -> Vec3<T> {
    cdof.lin() + cdof.rot().cross(offset)
}

/// Motion of `point` on body `b` per unit of velocity of a degree of freedom that moves the body.
#[inline]
pub(crate) fn point_jacobian<T: Lane>(
    m: &Model<impl Storage>,
    d: &World<'_, T>,
    dof: usize,
    point: Vec3<T>,
    b: usize,
) -> Vec3<T> {
    point_velocity(&d.cdof[dof], point - d.subtree_com[m.body_root(b)])
}

/// The degrees of freedom that move either of two bodies, from the last to the first, each with
/// whether it moves the first and the second body. MuJoCo: `mj_mergeChain`, in the other order.
pub(crate) fn merged_chain(
    m: &Model<impl Storage>,
    b0: usize,
    b1: usize,
) -> impl Iterator<Item = (usize, bool, bool)> + '_ {
    let (mut first, mut second) = (last_dof(m, b0), last_dof(m, b1));
    core::iter::from_fn(move || {
        // the larger of the two, in one chain or in both; each goes on with its parent
        let dof = first.max(second);
        let parent = *m.dof_parentid.get(usize::try_from(dof).ok()?)?;
        let (in0, in1) = (first == dof, second == dof);
        first = if in0 { parent } else { first };
        second = if in1 { parent } else { second };
        Some((dof as usize, in0, in1))
    })
}

/// Add the generalized force of a force and a torque on body `b` at `point` to `qfrc`.
///
/// `com` is the centre of mass of the body's tree, to which `cdof` refers. MuJoCo: `mj_applyFT`.
pub fn apply_ft<T: Number>(
    m: &Model<impl Storage>,
    cdof: &[Spatial<T>],
    com: Vec3<T>,
    force: Vec3<T>,
    torque: Vec3<T>,
    point: Vec3<T>,
    b: usize,
    qfrc: &mut [T],
) {
    apply_ft_but(m, cdof, com, force, torque, point, b, qfrc, T::Mask::of(false));
}

/// [`apply_ft`] but for the worlds of a mask: their sums stay as they are.
#[inline(always)]
pub(crate) fn apply_ft_but<T: Number>(
    m: &Model<impl Storage>,
    cdof: &[Spatial<T>],
    com: Vec3<T>,
    force: Vec3<T>,
    torque: Vec3<T>,
    point: Vec3<T>,
    b: usize,
    qfrc: &mut [T],
    stays: T::Mask,
) {
    let offset = point - com;
    for i in dof_chain(m, b) {
        let before = qfrc[i];
        qfrc[i] = T::choose(
            stays,
            || before,
            || {
                let pushed = before + point_velocity(&cdof[i], offset).dot(force);
                pushed + cdof[i].rot().dot(torque)
            },
        );
    }
}

/// `Σ axis · rate` over degrees of freedom of one body: their part of its motion. MuJoCo: `mju_mulDofVec`.
#[inline]
pub(crate) fn mul_dofs<T: Number>(axes: &[Spatial<T>], rates: &[T]) -> Spatial<T> {
    let mut sum = Spatial::of(Spatial::ZERO);
    for (axis, &rate) in axes.iter().zip(rates) {
        sum.add_scaled(axis, rate);
    }
    sum
}

/// Time derivative of the axis of a degree of freedom: `cdof_dot`, but for the rotations of ball and free joints, of which
/// that array does not hold the derivative (`com_vel`). MuJoCo: in `mj_jacDot`.
pub(crate) fn dof_rate(m: &Model<impl Storage>, d: &World<'_>, dof: usize) -> Spatial {
    let joint = m.dof_joint(dof);
    let in_quaternion = match m.joint_kind(joint) {
        JointType::Ball => true,
        JointType::Free => dof >= m.joint_dof(joint) + 3,
        JointType::Slide | JointType::Hinge => false,
    };
    // axes of quaternion joints turn with the body itself
    if in_quaternion { d.cvel[m.dof_body(dof)].cross_motion(&d.cdof[dof]) } else { d.cdof_dot[dof] }
}

/// Time derivative of [`point_jacobian`]: a column of `mj_jacDot`.
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
