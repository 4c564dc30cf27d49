//! Distances along rays, from a site or through every pixel of a camera.
use ferrodyn_math::{MAX_VAL, Real, Vec3};
use ferrodyn_model::{Model, ObjType, Projection, Storage};

use super::camera::Lens;
use super::{object, put};
use crate::contact::each_ray;
use crate::contact::{RayFilter, RayHit, ray};
use crate::{StepError, World};

/// The values of one ray that a sensor asks for, as bits.
const DISTANCE: i32 = 1;
const DIRECTION: i32 = 1 << 1;
const ORIGIN: i32 = 1 << 2;
const POINT: i32 = 1 << 3;
const NORMAL: i32 = 1 << 4;
const DEPTH: i32 = 1 << 5;

/// A ray and what it meets.
struct Seen {
    origin: Vec3,
    dir: Vec3,
    hit: Option<RayHit>,
    /// Position and z axis of the camera.
    camera: Option<(Vec3, Vec3)>,
}

impl Seen {
    /// Write the fields that are asked for; what remains of the slice.
    fn write<'a>(&self, fields: i32, out: &'a mut [Real]) -> &'a mut [Real] {
        let distance = self.hit.map_or(-1.0, |hit| hit.distance);
        let on_hit = |v: Vec3| self.hit.map_or(Vec3::ZERO, |_| v);
        let point = on_hit(self.origin.add_scaled(self.dir, distance));
        let depth = match (self.hit, self.camera) {
            (Some(_), Some((pos, z))) => -(point - pos).dot(z),
            _ => distance,
        };
        let normal = self.hit.map_or(Vec3::ZERO, |hit| hit.normal);
        let all: [(i32, &[Real]); 6] = [
            (DISTANCE, &[distance]),
            (DIRECTION, &on_hit(self.dir).0),
            (ORIGIN, &self.origin.0),
            (POINT, &point.0),
            (NORMAL, &normal.0),
            (DEPTH, &[depth]),
        ];
        let mut rest = out;
        for (bit, value) in all {
            if fields & bit != 0 && value.len() <= rest.len() {
                let (head, tail) = rest.split_at_mut(value.len());
                put(head, value);
                rest = tail;
            }
        }
        rest
    }
}

/// Compute a rangefinder. The body that it is fixed to is not seen.
pub(super) fn compute(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    i: usize,
    out: &mut [Real],
) -> Result<(), StepError> {
    let (kind, id) = object(m, i);
    let fields = m.sensor_intprm[i][0];
    if kind == ObjType::Site {
        let (origin, dir) = (d.site_xpos[id], d.site_xmat[id].column(2));
        let hit = cast(m, d, origin, dir, m.site_bodyid[id]);
        Seen { origin, dir, hit, camera: None }.write(fields, out);
    } else if kind == ObjType::Camera {
        image(m, d, id, fields, out)?;
    }
    Ok(())
}

fn filter(body: i32) -> RayFilter {
    RayFilter { exclude_body: usize::try_from(body).ok(), ..RayFilter::default() }
}

/// What a single ray meets.
fn cast(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    origin: Vec3,
    dir: Vec3,
    body: i32,
) -> Option<RayHit> {
    ray(m, d, origin, dir, &filter(body)).ok().flatten()
}

/// One ray for every pixel, row by row from the top.
fn image(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    cam: usize,
    fields: i32,
    out: &mut [Real],
) -> Result<(), StepError> {
    let [width, height] = m.cam_resolution[cam].map(|n| n.max(0));
    let lens = Lens::new(m, cam);
    let (pos, mat) = (d.cam_xpos[cam], d.cam_xmat[cam]);
    let camera = Some((pos, mat.column(2)));
    let body = m.cam_bodyid[cam];
    let pixels = (0..height).flat_map(|row| (0..width).map(move |column| (column, row)));
    let mut rest = out;
    if m.camera_projection(cam) == Some(Projection::Perspective) {
        // all rays begin in one point
        let rays = pixels.map(|pixel| lens.direction(&mat, pixel));
        each_ray(m, d, pos, rays, &filter(body), MAX_VAL, |dir, hit| {
            let slot = core::mem::take(&mut rest);
            rest = Seen { origin: pos, dir, hit, camera }.write(fields, slot);
        })?;
    } else {
        let dir = mat.column(2) * -1.0;
        for pixel in pixels {
            let origin = pos + lens.offset(&mat, pixel);
            let hit = cast(m, d, origin, dir, body);
            rest = Seen { origin, dir, hit, camera }.write(fields, rest);
        }
    }
    Ok(())
}
