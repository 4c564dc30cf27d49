//! Sensors of the position stage.
use ferrodyn_math::{Quat, Real};
use ferrodyn_model::{ConstraintType, Model, SensorType, Storage};

use super::{camera, frame, geom_pair, inside, limit, object, put, rangefinder, reference};
use crate::sensor::{energy_pos, energy_vel};
use crate::{StepError, World};

/// Compute a sensor that depends on the configuration.
pub(super) fn compute(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    i: usize,
    kind: SensorType,
    out: &mut [Real],
) -> Result<(), StepError> {
    let (obj_kind, id) = object(m, i);
    match kind {
        SensorType::Magnetometer => {
            put(out, &d.site_xmat[id].mul_transposed(m.opt.magnetic).0);
        }
        SensorType::CamProjection => {
            if let Some((_, cam)) = reference(m, i) {
                put(out, &camera::project(m, d, d.site_xpos[id], cam));
            }
        }
        SensorType::Rangefinder => rangefinder::compute(m, d, i, out)?,
        SensorType::JointPos => put(out, &[d.qpos[m.jnt_qposadr[id] as usize]]),
        SensorType::TendonPos => put(out, &[d.ten_length[id]]),
        SensorType::ActuatorPos => put(out, &[d.actuator_length[id]]),
        SensorType::BallQuat => {
            let quat = Quat::from_slice(&d.qpos[m.jnt_qposadr[id] as usize..]);
            put(out, &quat.normalize().0.0);
        }
        SensorType::JointLimitPos | SensorType::TendonLimitPos => {
            let row_kind = match kind {
                SensorType::JointLimitPos => ConstraintType::LimitJoint,
                _ => ConstraintType::LimitTendon,
            };
            let row = limit::row(d, row_kind, id);
            put(out, &[row.map_or(0.0, |r| d.work.efc_pos[r] - d.work.efc_margin[r])]);
        }
        SensorType::FramePos
        | SensorType::FrameXAxis
        | SensorType::FrameYAxis
        | SensorType::FrameZAxis => frame::pose(m, d, i, kind, out),
        SensorType::FrameQuat => frame::orientation(m, d, i, out),
        SensorType::SubtreeCom => put(out, &d.subtree_com[id].0),
        SensorType::InsideSite => {
            let frame = crate::sensor::post::object_frame(m, d, obj_kind, id);
            if let (Some((_, pos, _)), Some((_, site))) = (frame, reference(m, i)) {
                put(out, &[inside::inside_site(m, d, site, pos) as u8 as Real]);
            }
        }
        SensorType::GeomDist | SensorType::GeomNormal | SensorType::GeomFromTo => {
            geom_pair::compute(m, d, i, kind, out)?;
        }
        SensorType::PotentialEnergy => {
            if d.head.flg_energypos == 0 {
                energy_pos(m, d);
            }
            put(out, &[d.head.energy[0]]);
        }
        SensorType::KineticEnergy => {
            if d.head.flg_energyvel == 0 {
                energy_vel(m, d);
            }
            put(out, &[d.head.energy[1]]);
        }
        SensorType::Clock => put(out, &[d.head.time]),
        _ => {}
    }
    Ok(())
}
