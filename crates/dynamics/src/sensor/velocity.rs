//! Sensors of the velocity stage.
use ferrodyn_math::Real;
use ferrodyn_model::{ConstraintType, Model, ObjType, SensorType, Stage, Storage};

use super::{frame, limit, object, prepare, put};
use crate::World;
use crate::sensor::object_velocity;

/// Compute a sensor that depends on configuration and velocity.
pub(super) fn compute(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    i: usize,
    kind: SensorType,
    out: &mut [Real],
) {
    let (_, id) = object(m, i);
    match kind {
        SensorType::Velocimeter => {
            let velocity = object_velocity(m, d, ObjType::Site, id, true).unwrap_or_default();
            put(out, &velocity.lin().0);
        }
        SensorType::Gyro => {
            let velocity = object_velocity(m, d, ObjType::Site, id, true).unwrap_or_default();
            put(out, &velocity.rot().0);
        }
        SensorType::JointVel => put(out, &[d.qvel[m.jnt_dofadr[id] as usize]]),
        SensorType::TendonVel => put(out, &[d.ten_velocity[id]]),
        SensorType::ActuatorVel => put(out, &[d.actuator_velocity[id]]),
        SensorType::BallAngVel => {
            let dof = m.jnt_dofadr[id] as usize;
            put(out, &d.qvel[dof..dof + 3]);
        }
        SensorType::JointLimitVel => {
            let row = limit::row(d, ConstraintType::LimitJoint, id);
            put(out, &[row.map_or(0.0, |r| d.work.efc_vel[r])]);
        }
        SensorType::TendonLimitVel => {
            let row = limit::row(d, ConstraintType::LimitTendon, id);
            put(out, &[row.map_or(0.0, |r| d.work.efc_vel[r])]);
        }
        SensorType::FrameLinVel => {
            put(out, &frame::velocity(m, d, i).unwrap_or_default().lin().0);
        }
        SensorType::FrameAngVel => {
            put(out, &frame::velocity(m, d, i).unwrap_or_default().rot().0);
        }
        SensorType::SubtreeLinVel => {
            prepare(m, d, Stage::Vel);
            put(out, &d.subtree_linvel[id].0);
        }
        SensorType::SubtreeAngMom => {
            prepare(m, d, Stage::Vel);
            put(out, &d.subtree_angmom[id].0);
        }
        _ => {}
    }
}
