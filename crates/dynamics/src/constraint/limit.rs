//! Dry friction and limits of joints and tendons.
//!
//! Friction is a row without a position whose force is bounded on both sides; a limit is a row that exists only while its
//! distance is below the margin, with a force that can only push back. Rows are signed so that a positive force increases
//! the distance.
//!
//! Tendons are not asked whether they sleep: one that does has length zero and no Jacobian, so that `add_rows` drops its row even
//! where the length looks like one beyond a limit.
#[cfg(feature = "alloc")]
use ferrodyn_math::Mask;
use ferrodyn_math::{Number, Quat, Real, Vec3};
use ferrodyn_model::{ConstraintType, JointType, Model, Storage};

use super::RowMemory;
use super::rows::{NewRows, add_rows};
use crate::World;
#[cfg(feature = "alloc")]
use crate::data::Lane;
use crate::position::tendon::tendon_row;
use crate::sleep::{ASLEEP, some_asleep};

/// A row of friction for every awake degree of freedom and tendon that has some. MuJoCo: `mj_instantiateFriction`.
pub(super) fn add_friction_losses(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    memory: &mut RowMemory<'_>,
) {
    let filtered = some_asleep(m, d.head);
    for dof in 0..m.nv {
        let asleep = || filtered && d.body_awake[m.dof_body(dof)] == ASLEEP;
        if m.dof_frictionloss[dof] != 0.0 && !asleep() {
            let rows = NewRows {
                kind: ConstraintType::FrictionDof,
                id: dof,
                chain: &[dof],
                jac: &[1.0],
                pos: &[0.0],
                margin: &[0.0],
                frictionloss: m.dof_frictionloss[dof],
            };
            add_rows(m, d, &rows);
        }
    }
    for t in 0..m.ntendon {
        if m.tendon_frictionloss[t] > 0.0 {
            let loss = m.tendon_frictionloss[t];
            add_tendon_row(m, d, memory, t, ConstraintType::FrictionTendon, 1.0, 0.0, 0.0, loss);
        }
    }
}

/// A row along a tendon.
fn add_tendon_row(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    memory: &mut RowMemory<'_>,
    t: usize,
    kind: ConstraintType,
    sign: Real,
    pos: Real,
    margin: Real,
    frictionloss: Real,
) {
    memory.chain.clear();
    memory.jac.clear();
    for (dof, value) in tendon_row(m, d, t) {
        memory.chain.push(dof);
        memory.jac.push(value * sign);
    }
    let rows = NewRows {
        kind,
        id: t,
        chain: &memory.chain,
        jac: &memory.jac,
        pos: &[pos],
        margin: &[margin],
        frictionloss,
    };
    let row = d.head.nefc;
    add_rows(m, d, &rows);
    // a row that was dropped as empty is noted all the same, as `mj_instantiateLimit` does: the number is that of the next one
    note_tendon_row(d, t, row);
}

/// Keep the number of the first row of a tendon; there is no place for it while rows are only counted.
pub(super) fn note_tendon_row(d: &mut World<'_>, t: usize, row: i32) {
    if let Some(first) = d.work.tendon_efcadr.get_mut(t).filter(|first| **first == -1) {
        *first = row;
    }
}

/// A row for every limit that is reached, or within its margin. MuJoCo: `mj_instantiateLimit`.
pub(super) fn add_limits(m: &Model<impl Storage>, d: &mut World<'_>, memory: &mut RowMemory<'_>) {
    let filtered = some_asleep(m, d.head);
    for j in (0..m.njnt).filter(|j| m.jnt_limited[*j] != 0) {
        if filtered && d.body_awake[m.joint_body(j)] == ASLEEP {
            continue;
        }
        let (q, dof) = (m.joint_qpos(j), m.joint_dof(j));
        match m.joint_kind(j) {
            JointType::Slide | JointType::Hinge => {
                for (side, dist) in distances(m.jnt_range[j], d.qpos[q]) {
                    add_joint_limit(m, d, j, dist, &[dof], &[-side]);
                }
            }
            JointType::Ball => {
                // the angle is limited, about whatever axis
                let (axis, angle) = ball_limit_axis_angle(Quat::from_slice(&d.qpos[q..]));
                let dist = m.jnt_range[j][0].max(m.jnt_range[j][1]) - angle;
                add_joint_limit(m, d, j, dist, &[dof, dof + 1, dof + 2], &(-axis).0);
            }
            JointType::Free => {}
        }
    }
    // tendons, by their length
    for t in (0..m.ntendon).filter(|t| m.tendon_limited[*t] != 0) {
        for (side, dist) in distances(m.tendon_range[t], d.ten_length[t]) {
            let margin = m.tendon_margin[t];
            if dist < margin {
                let kind = ConstraintType::LimitTendon;
                add_tendon_row(m, d, memory, t, kind, -side, dist, margin, 0.0);
            }
        }
    }
}

/// The distances to both ends of a range, each with its sign: against it, the distance changes with the position.
#[inline(always)]
fn distances<T: Number>([low, high]: [Real; 2], position: T) -> [(Real, T); 2] {
    [(-1.0, low), (1.0, high)].map(|(side, bound)| (side, T::of(side) * (T::of(bound) - position)))
}

/// The worlds in which [`add_limits`] has to look: those with a scalar joint or a tendon at a limit, all where a ball joint is limited.
#[cfg(feature = "alloc")]
pub(crate) fn near_limit<T: Lane>(m: &Model<impl Storage>, d: &World<'_, T>) -> T::Mask {
    let mut near = T::Mask::of(false);
    let mut look = |range: [Real; 2], position: T, margin: Real| {
        for (_, dist) in distances(range, position) {
            near = near | dist.less(T::of(margin));
        }
    };
    for j in (0..m.njnt).filter(|j| m.jnt_limited[*j] != 0) {
        match m.joint_kind(j) {
            JointType::Slide | JointType::Hinge => {
                look(m.jnt_range[j], d.qpos[m.joint_qpos(j)], m.jnt_margin[j]);
            }
            JointType::Ball => return T::Mask::of(true),
            JointType::Free => {}
        }
    }
    for t in (0..m.ntendon).filter(|t| m.tendon_limited[*t] != 0) {
        look(m.tendon_range[t], d.ten_length[t], m.tendon_margin[t]);
    }
    near
}

/// Axis and angle, from zero to half a turn, of the rotation that the limit of a ball joint is about. A quaternion, its
/// negative and its multiples are one rotation.
///
/// ```
/// use ferrodyn_dynamics::constraint::ball_limit_axis_angle;
/// use ferrodyn_math::{PI, Quat, Vec3, by_precision};
/// // 200 degrees one way are 160 the other way
/// let quat = Quat::from_axis_angle(Vec3::Z, 200.0 / 180.0 * PI);
/// let (axis, angle) = ball_limit_axis_angle(quat);
/// assert!((angle.to_degrees() - 160.0).abs() < by_precision(1e-10, 1e-4));
/// assert!((axis + Vec3::Z).norm() < by_precision(1e-10, 1e-6));
/// ```
pub fn ball_limit_axis_angle(quat: Quat) -> (Vec3, Real) {
    quat.normalize().0.to_velocity(1.0).normalize()
}

fn add_joint_limit(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    joint: usize,
    dist: Real,
    chain: &[usize],
    jac: &[Real],
) {
    let margin = m.jnt_margin[joint];
    if dist < margin {
        let kind = ConstraintType::LimitJoint;
        let (pos, margin) = (&[dist], &[margin]);
        add_rows(m, d, &NewRows { kind, id: joint, chain, jac, pos, margin, frictionloss: 0.0 });
    }
}
