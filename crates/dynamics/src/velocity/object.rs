//! Velocities of objects that have a frame, from those of their bodies.
use ferrodyn_math::{Mat3, Spatial, Vec3, transform_spatial};
use ferrodyn_model::{Model, ObjType, Storage};

use crate::World;
use crate::data::Lane;

/// Velocity of an object with a spatial frame, in global or in local axes; rotation first.
///
/// Objects are bodies (`Body`: inertial frame, `XBody`: body frame), geoms, sites and cameras; `None` for other kinds.
/// MuJoCo: `mj_objectVelocity`.
pub fn object_velocity<T: Lane>(
    m: &Model<impl Storage>,
    d: &World<'_, T>,
    kind: ObjType,
    id: usize,
    local: bool,
) -> Option<Spatial<T>> {
    let (b, pos, mat) = object_frame(m, d, kind, id)?;
    Some(frame_velocity(m, d, b, pos, local.then_some(&mat)))
}

/// Body, position and orientation of an object with a spatial frame.
pub(crate) fn object_frame<T: Lane>(
    m: &Model<impl Storage>,
    d: &World<'_, T>,
    kind: ObjType,
    id: usize,
) -> Option<(usize, Vec3<T>, Mat3<T>)> {
    Some(match kind {
        ObjType::Body => (id, d.xipos[id], d.ximat[id]),
        ObjType::XBody => (id, d.xpos[id], d.xmat[id]),
        ObjType::Geom => (m.geom_body(id), d.geom_xpos[id], d.geom_xmat[id]),
        ObjType::Site => (m.site_body(id), d.site_xpos[id], d.site_xmat[id]),
        ObjType::Camera => (m.camera_body(id), d.cam_xpos[id], d.cam_xmat[id]),
        _ => return None,
    })
}

/// Velocity of a frame at `pos` on body `b`.
pub(crate) fn frame_velocity<T: Lane>(
    m: &Model<impl Storage>,
    d: &World<'_, T>,
    b: usize,
    pos: Vec3<T>,
    mat: Option<&Mat3<T>>,
) -> Spatial<T> {
    if m.body_weldid[b] == 0 {
        return Spatial::of(Spatial::ZERO);
    }
    transform_spatial(&d.cvel[b], false, pos, d.subtree_com[m.body_root(b)], mat)
}
