//! Distance between two geoms or bodies.
use ferrodyn_math::{Real, Stack, StackFull, Vec3};
use ferrodyn_model::{Model, ObjType, SensorType, Storage};

use super::{object, put, reference};
use crate::contact::{distance, distance_words};
use crate::{StepError, World};

/// The geoms of a body, or one geom.
fn geoms(m: &Model<impl Storage>, (kind, id): (ObjType, usize)) -> core::ops::Range<usize> {
    if kind == ObjType::Body { m.body_geoms(id) } else { id..id + 1 }
}

/// Smallest distance, its direction, or the segment between the nearest points.
///
/// The cutoff is the largest distance that is found; beyond it direction and segment are zero.
pub(super) fn compute(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    i: usize,
    kind: SensorType,
    out: &mut [Real],
) -> Result<(), StepError> {
    let Some(reference) = reference(m, i) else { return Ok(()) };
    let pair = [object(m, i), reference];
    let cutoff = m.sensor_cutoff[i];
    let (nearest, [from, to]) =
        d.with_stack(distance_words(m), |d, stack| smallest(m, d, stack, pair, cutoff))??;
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
    Ok(())
}

/// The smallest distance between geoms of two objects, and its segment.
fn smallest(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    mut stack: Stack<'_>,
    [first, second]: [(ObjType, usize); 2],
    cutoff: Real,
) -> Result<(Real, [Vec3; 2]), StackFull> {
    let mut nearest = cutoff;
    let mut segment = [Vec3::ZERO; 2];
    for geom1 in geoms(m, first) {
        for geom2 in geoms(m, second) {
            let (distance, between) = distance(m, d, stack.scope(), geom1, geom2, cutoff)?;
            if distance < nearest {
                nearest = distance;
                segment = between.unwrap_or_default();
            }
        }
    }
    Ok((nearest, segment))
}
