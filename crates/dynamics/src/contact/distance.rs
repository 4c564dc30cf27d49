//! The distance between two geoms.
use ferrodyn_collision::{Convex, ConvexSolver};
use ferrodyn_math::{Real, Stack, StackFull, Vec3};
use ferrodyn_model::{GeomType, Model, Storage};

use super::geom::{convex_settings, convex_shape, pose};
use super::narrow::{Narrow, collide_shapes, distance_words};
use crate::{StepError, World};

/// Signed distance between two geoms, and the segment from the surface of the first to that of the
/// second; `max` and no segment where they are farther apart than that, or where no method exists. MuJoCo: `mj_geomDistance`.
pub fn geom_distance(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    geom1: usize,
    geom2: usize,
    max: Real,
) -> Result<(Real, Option<[Vec3; 2]>), StepError> {
    let found =
        d.with_stack(distance_words(m), |d, stack| distance(m, d, stack, geom1, geom2, max))?;
    Ok(found?)
}

/// [`geom_distance`] in memory of [`distance_words`].
pub(crate) fn distance(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    mut stack: Stack<'_>,
    geom1: usize,
    geom2: usize,
    max: Real,
) -> Result<(Real, Option<[Vec3; 2]>), StackFull> {
    let flip = m.geom_type[geom1] > m.geom_type[geom2];
    let (g1, g2) = if flip { (geom2, geom1) } else { (geom1, geom2) };
    if is_convex_pair(m, g1, g2)
        && let (Some(a), Some(b)) = (convex_shape(m, geom1), convex_shape(m, geom2))
    {
        let mut a = Convex::new(a, pose(d, geom1), 0.0);
        let mut b = Convex::new(b, pose(d, geom2), 0.0);
        let mut solver = ConvexSolver::new(&mut stack, convex_settings(m))?;
        let dist = solver.distance(&mut a, &mut b, max);
        return Ok((dist, solver.witness().map(|(from, to)| [from, to])));
    }
    let memory = &mut Narrow::new(m, &mut stack, true)?;
    collide_shapes(m, d, memory, g1, g2, max);
    let mut dist = max;
    let mut nearest = None;
    for point in memory.points.iter().filter(|p| p.dist < max) {
        if point.dist < dist {
            dist = point.dist;
            nearest = Some(*point);
        }
    }
    let sign = if flip { -1.0 } else { 1.0 };
    let segment = nearest.map(|point| {
        let half = point.normal.normalize().0 * (0.5 * sign * dist);
        [point.pos - half, point.pos + half]
    });
    Ok((dist, segment))
}

/// Is the pair one that the convex method handles, or two boxes?
fn is_convex_pair(m: &Model<impl Storage>, g1: usize, g2: usize) -> bool {
    use GeomType::{Box, Capsule, Cylinder, Ellipsoid, Mesh, Sphere};
    let (Ok(t1), Ok(t2)) =
        (GeomType::try_from(m.geom_type[g1]), GeomType::try_from(m.geom_type[g2]))
    else {
        return false;
    };
    matches!(
        (t1, t2),
        (Sphere | Capsule | Ellipsoid, Ellipsoid)
            | (Capsule | Ellipsoid | Cylinder, Cylinder)
            | (Ellipsoid | Cylinder | Box, Box)
            | (Sphere | Capsule | Ellipsoid | Cylinder | Box | Mesh, Mesh)
    )
}
