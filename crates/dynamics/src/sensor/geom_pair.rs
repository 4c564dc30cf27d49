//! Distance between two geoms or bodies.
use ferrodyn_math::{Real, Vec3};
use ferrodyn_model::{Model, ObjType, SensorType};

use super::{object, put, reference};
use crate::{World, geom_distance};

/// The geoms of a body, or one geom.
fn geoms(m: &Model, (kind, id): (ObjType, usize)) -> core::ops::Range<usize> {
    if kind == ObjType::Body {
        let first = m.body_geomadr[id].max(0) as usize;
        first..first + m.body_geomnum[id].max(0) as usize
    } else {
        id..id + 1
    }
}

/// Smallest distance, its direction, or the segment between the nearest points.
///
/// The cutoff is the largest distance that is found; beyond it direction and segment are zero.
pub(super) fn compute(m: &Model, d: &mut World<'_>, i: usize, kind: SensorType, out: &mut [Real]) {
    let Some(reference) = reference(m, i) else { return };
    let cutoff = m.sensor_cutoff[i];
    let mut nearest = cutoff;
    let mut segment = [Vec3::ZERO; 2];
    for geom1 in geoms(m, object(m, i)) {
        for geom2 in geoms(m, reference) {
            let (distance, between) = geom_distance(m, d, geom1, geom2, cutoff);
            if distance < nearest {
                nearest = distance;
                segment = between.unwrap_or_default();
            }
        }
    }
    let [from, to] = segment;
    match kind {
        SensorType::GeomDist => put(out, &[nearest]),
        SensorType::GeomNormal => {
            let normal = to - from;
            put(out, &if normal.is_zero() { normal } else { normal.normalize().0 }.0);
        }
        _ => {
            put(out, &from.0);
            put(out.get_mut(3..).unwrap_or_default(), &to.0);
        }
    }
}
