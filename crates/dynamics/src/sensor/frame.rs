//! Sensors of frames: bodies, geoms, sites and cameras, in the world or in another frame.
use ferrodyn_math::{Quat, Real, Spatial};
use ferrodyn_model::{Model, ObjType, SensorType, Storage};

use super::{object, put, reference};
use crate::World;

use crate::velocity::{object_frame, object_velocity};

/// Position or one axis of a frame.
pub(super) fn pose(
    m: &Model<impl Storage>,
    d: &World<'_>,
    i: usize,
    kind: SensorType,
    out: &mut [Real],
) {
    let (obj_kind, id) = object(m, i);
    let Some((_, pos, mat)) = object_frame(m, d, obj_kind, id) else { return };
    let axis = match kind {
        SensorType::FrameXAxis => Some(0),
        SensorType::FrameYAxis => Some(1),
        SensorType::FrameZAxis => Some(2),
        _ => None,
    };
    let own = axis.map_or(pos, |k| mat.column(k));
    let reference = reference(m, i).and_then(|(kind, id)| object_frame(m, d, kind, id));
    let value = match (reference, axis) {
        (None, _) => own,
        (Some((_, origin, mat)), None) => mat.mul_transposed(own - origin),
        (Some((_, _, mat)), Some(_)) => mat.mul_transposed(own),
    };
    put(out, &value.0);
}

/// Orientation of a frame.
pub(super) fn orientation(m: &Model<impl Storage>, d: &World<'_>, i: usize, out: &mut [Real]) {
    let (kind, id) = object(m, i);
    let Some(own) = quat(m, d, kind, id) else { return };
    let value = match reference(m, i).and_then(|(kind, id)| quat(m, d, kind, id)) {
        None => own,
        Some(reference) => reference.conjugate() * own,
    };
    put(out, &value.0);
}

/// Orientation of an object in the world.
fn quat(m: &Model<impl Storage>, d: &World<'_>, kind: ObjType, id: usize) -> Option<Quat> {
    let on = |body: i32, local: Quat| d.xquat[body as usize] * local;
    Some(match kind {
        ObjType::XBody => d.xquat[id],
        ObjType::Body => d.xquat[id] * m.body_iquat[id],
        ObjType::Geom => on(m.geom_bodyid[id], m.geom_quat[id]),
        ObjType::Site => on(m.site_bodyid[id], m.site_quat[id]),
        ObjType::Camera => on(m.cam_bodyid[id], m.cam_quat[id]),
        _ => return None,
    })
}

/// Velocity of a frame, as seen from the reference frame if there is one; rotation first.
pub(super) fn velocity(m: &Model<impl Storage>, d: &World<'_>, i: usize) -> Option<Spatial> {
    let (kind, id) = object(m, i);
    let own = object_velocity(m, d, kind, id, false)?;
    let Some((ref_kind, ref_id)) = reference(m, i) else { return Some(own) };
    let (_, pos, _) = object_frame(m, d, kind, id)?;
    let (_, origin, mat) = object_frame(m, d, ref_kind, ref_id)?;
    let frame = object_velocity(m, d, ref_kind, ref_id, false)?;
    let relative = own - frame;
    // what stands still in the world moves backwards in a turning frame
    let linear = relative.lin() + (pos - origin).cross(frame.rot());
    Some(Spatial::new(mat.mul_transposed(relative.rot()), mat.mul_transposed(linear)))
}
