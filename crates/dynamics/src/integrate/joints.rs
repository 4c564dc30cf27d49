//! Arithmetic on configurations.
//!
//! `qpos` has `nq` numbers, its velocity `nv`: a free joint has a quaternion of four numbers and an angular velocity of three. So `q ⊕ h v`
//! adds positions and angles, and turns quaternions by the rotation vector `h ω`, given in the axes of the body; `⊖` is the velocity back.
//! `q ⊕ (p ⊖ q) = p` up to the sign of quaternions and rounding; a half turn or more comes back as the shorter way.
use ferrodyn_math::{Number, Quat, Real, Vec3};
use ferrodyn_model::{JointType, Model, Storage};

/// Move the configuration with velocity `qvel` for a time `dt`: `q ← q ⊕ dt v`. MuJoCo: `mj_integratePos`.
///
/// ```
/// # use ferrodyn_model::{Model, Sizes};
/// # let model = Model::zeroed(Sizes::default());
/// ferrodyn_dynamics::integrate::integrate_pos::<ferrodyn_math::Real>(&model, &mut [], &[], 0.1);
/// ```
pub fn integrate_pos<T: Number>(m: &Model<impl Storage>, qpos: &mut [T], qvel: &[T], dt: Real) {
    for j in 0..m.njnt {
        integrate_joint(m, qpos, qvel, dt, j);
    }
}

/// [`integrate_pos`] for one joint. MuJoCo: in `mj_integratePosInd`, for the joints of a list of bodies.
#[inline]
pub(crate) fn integrate_joint<T: Number>(
    m: &Model<impl Storage>,
    qpos: &mut [T],
    qvel: &[T],
    dt: Real,
    j: usize,
) {
    let (mut q, mut v) = (m.joint_qpos(j), m.joint_dof(j));
    let kind = m.joint_kind(j);
    // a number of its own: lengths and angles add
    if kind == JointType::Slide || kind == JointType::Hinge {
        qpos[q] += T::of(dt) * qvel[v];
        return;
    }
    // a free joint: the position in world axes, then turned like a ball joint
    if kind == JointType::Free {
        for i in 0..3 {
            qpos[q + i] += T::of(dt) * qvel[v + i];
        }
        q += 3;
        v += 3;
    }
    // q ← q · exp(dt ω)
    let turned = Quat::from_slice(&qpos[q..]).integrate(Vec3::from_slice(&qvel[v..]), dt);
    qpos[q..q + 4].copy_from_slice(&turned.0);
}

/// The velocity that takes `qpos1` to `qpos2` in time `dt`: `(q₂ ⊖ q₁) / dt`. MuJoCo: `mj_differentiatePos`.
pub fn differentiate_pos(
    m: &Model<impl Storage>,
    qvel: &mut [Real],
    dt: Real,
    qpos1: &[Real],
    qpos2: &[Real],
) {
    for j in 0..m.njnt {
        let (mut q, mut v) = (m.joint_qpos(j), m.joint_dof(j));
        let kind = m.joint_kind(j);
        if kind == JointType::Slide || kind == JointType::Hinge {
            qvel[v] = (qpos2[q] - qpos1[q]) / dt;
            continue;
        }
        // the position of a free joint adds, its orientation turns
        if kind == JointType::Free {
            for i in 0..3 {
                qvel[v + i] = (qpos2[q + i] - qpos1[q + i]) / dt;
            }
            q += 3;
            v += 3;
        }
        // the rotation vector between both, the shorter way round
        let turn = Quat::from_slice(&qpos2[q..]).rotation_from(Quat::from_slice(&qpos1[q..]));
        qvel[v..v + 3].copy_from_slice(&(turn * (1.0 / dt)).0);
    }
}

/// Normalize all quaternions of a configuration. MuJoCo: `mj_normalizeQuat`.
pub fn normalize_quats(m: &Model<impl Storage>, qpos: &mut [Real]) {
    for j in 0..m.njnt {
        // where the four numbers are
        let q = match m.joint_kind(j) {
            JointType::Ball => m.joint_qpos(j),
            JointType::Free => m.joint_qpos(j) + 3,
            JointType::Slide | JointType::Hinge => continue,
        };
        let quat = Quat::from_slice(&qpos[q..]).normalize().0;
        qpos[q..q + 4].copy_from_slice(&quat.0);
    }
}
