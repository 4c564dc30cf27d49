//! The value of each kind of sensor.
use ferrodyn_math::{Quat, Real, Spatial, transform_spatial};
use ferrodyn_model::{
    ConstraintType, Model, ObjType, SensorType, Stage, Storage, TransmissionType,
};

use super::{
    camera, contact, energy_pos, energy_vel, frame, geom_pair, inside, limit, object,
    object_acceleration, prepare, put, rangefinder, reference, tactile, touch,
};
use crate::velocity::{object_frame, object_velocity};
use crate::{StepError, World};

/// Compute the values of a sensor whose stage is done. There is no default arm: a kind that is not here does not compile.
/// MuJoCo: `mj_computeSensorPos`, `mj_computeSensorVel`, `mj_computeSensorAcc`.
pub(super) fn compute(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    i: usize,
    kind: SensorType,
    out: &mut [Real],
) -> Result<(), StepError> {
    let (obj_kind, id) = object(m, i);
    match kind {
        // what follows from the configuration
        SensorType::Magnetometer => {
            put(out, &d.site_xmat[id].mul_transposed(m.opt.magnetic).0);
        }
        SensorType::CamProjection => {
            if let Some((_, cam)) = reference(m, i) {
                put(out, &camera::project(m, d, d.site_xpos[id], cam));
            }
        }
        SensorType::Rangefinder => rangefinder::compute(m, d, i, out)?,
        SensorType::JointPos => put(out, &[d.qpos[m.joint_qpos(id)]]),
        SensorType::TendonPos => put(out, &[d.ten_length[id]]),
        SensorType::ActuatorPos => put(out, &[d.actuator_length[id]]),
        SensorType::BallQuat => {
            let quat = Quat::from_slice(&d.qpos[m.joint_qpos(id)..]);
            put(out, &quat.normalize().0.0);
        }
        SensorType::JointLimitPos => put(out, &[limit_distance(d, ConstraintType::LimitJoint, id)]),
        SensorType::TendonLimitPos => {
            put(out, &[limit_distance(d, ConstraintType::LimitTendon, id)]);
        }
        SensorType::FramePos
        | SensorType::FrameXAxis
        | SensorType::FrameYAxis
        | SensorType::FrameZAxis => frame::pose(m, d, i, kind, out),
        SensorType::FrameQuat => frame::orientation(m, d, i, out),
        SensorType::SubtreeCom => put(out, &d.subtree_com[id].0),
        SensorType::InsideSite => {
            let frame = object_frame(m, d, obj_kind, id);
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

        // what velocity adds
        SensorType::Velocimeter => {
            let velocity = object_velocity(m, d, ObjType::Site, id, true).unwrap_or_default();
            put(out, &velocity.lin().0);
        }
        SensorType::Gyro => {
            let velocity = object_velocity(m, d, ObjType::Site, id, true).unwrap_or_default();
            put(out, &velocity.rot().0);
        }
        SensorType::JointVel => put(out, &[d.qvel[m.joint_dof(id)]]),
        SensorType::TendonVel => put(out, &[d.ten_velocity[id]]),
        SensorType::ActuatorVel => put(out, &[d.actuator_velocity[id]]),
        SensorType::BallAngVel => {
            let dof = m.joint_dof(id);
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

        // accelerations and forces
        SensorType::Touch => put(out, &[touch::force(m, d, id)]),
        SensorType::Tactile if m.only_rigid() => {}
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
        SensorType::JointActFrc => put(out, &[d.qfrc_actuator[m.joint_dof(id)]]),
        SensorType::TendonActFrc => {
            let pulls = |u: &usize| {
                m.transmission_kind(*u) == Some(TransmissionType::Tendon)
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

        // the user and plugins fill in their own
        SensorType::User | SensorType::Plugin => {}
    }
    Ok(())
}

/// Distance of the limit of a joint or tendon from its margin, zero where it is far away and has no row.
fn limit_distance(d: &World<'_>, kind: ConstraintType, id: usize) -> Real {
    let row = limit::row(d, kind, id);
    row.map_or(0.0, |r| d.work.efc_pos[r] - d.work.efc_margin[r])
}

/// What the parent exerts on the body of a site, at the site and in its axes.
fn site_wrench(m: &Model<impl Storage>, d: &World<'_>, site: usize) -> Spatial {
    let b = m.site_body(site);
    let com = d.subtree_com[m.body_root(b)];
    let mat = &d.site_xmat[site];
    transform_spatial(&d.cfrc_int[b], true, d.site_xpos[site], com, Some(mat))
}
