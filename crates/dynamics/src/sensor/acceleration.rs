//! Sensors of the acceleration stage.
use ferrodyn_math::{Real, Spatial, transform_spatial};
use ferrodyn_model::{
    ConstraintType, Model, ObjType, SensorType, Stage, Storage, TransmissionType,
};

use super::{contact, limit, object, prepare, put, tactile, touch};
use crate::sensor::object_acceleration;
use crate::{StepError, World};

/// Compute a sensor that depends on accelerations and forces.
pub(super) fn compute(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    i: usize,
    kind: SensorType,
    out: &mut [Real],
) -> Result<(), StepError> {
    let (obj_kind, id) = object(m, i);
    match kind {
        SensorType::Touch => put(out, &[touch::force(m, d, id)]),
        SensorType::Tactile => tactile::compute(m, d, i, out)?,
        SensorType::Contact => contact::compute(m, d, i, out)?,
        SensorType::Accelerometer => {
            prepare(m, d, Stage::Acc);
            let acc = object_acceleration(m, d, ObjType::Site, id, true).unwrap_or_default();
            put(out, &acc.lin().0);
        }
        SensorType::Force => {
            prepare(m, d, Stage::Acc);
            put(out, &site_wrench(m, d, id).lin().0);
        }
        SensorType::Torque => {
            prepare(m, d, Stage::Acc);
            put(out, &site_wrench(m, d, id).rot().0);
        }
        SensorType::FrameLinAcc => {
            prepare(m, d, Stage::Acc);
            let acc = object_acceleration(m, d, obj_kind, id, false).unwrap_or_default();
            put(out, &acc.lin().0);
        }
        SensorType::FrameAngAcc => {
            prepare(m, d, Stage::Acc);
            let acc = object_acceleration(m, d, obj_kind, id, false).unwrap_or_default();
            put(out, &acc.rot().0);
        }
        SensorType::ActuatorFrc => put(out, &[d.actuator_force[id]]),
        SensorType::JointActFrc => put(out, &[d.qfrc_actuator[m.jnt_dofadr[id] as usize]]),
        SensorType::TendonActFrc => {
            let pulls = |u: &usize| {
                m.actuator_trntype[*u] == TransmissionType::Tendon as i32
                    && m.actuator_trnid[*u][0] as usize == id
            };
            let mut total = 0.0;
            for u in (0..m.nu).filter(pulls) {
                total += d.actuator_force[u];
            }
            put(out, &[total]);
        }
        SensorType::JointLimitFrc => {
            let row = limit::row(d, ConstraintType::LimitJoint, id);
            put(out, &[row.map_or(0.0, |r| d.work.efc_force[r])]);
        }
        SensorType::TendonLimitFrc => {
            let row = limit::row(d, ConstraintType::LimitTendon, id);
            put(out, &[row.map_or(0.0, |r| d.work.efc_force[r])]);
        }
        _ => {}
    }
    Ok(())
}

/// What the parent exerts on the body of a site, at the site and in its axes.
fn site_wrench(m: &Model<impl Storage>, d: &World<'_>, site: usize) -> Spatial {
    let b = m.site_bodyid[site] as usize;
    let com = d.subtree_com[m.body_rootid[b] as usize];
    let mat = &d.site_xmat[site];
    transform_spatial(&d.cfrc_int[b], true, d.site_xpos[site], com, Some(mat))
}
