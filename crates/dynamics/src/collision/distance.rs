//! The distance between two geoms.
use ferrodyn_collision::Convex;
use ferrodyn_math::{Real, Vec3};
use ferrodyn_model::{GeomType, Model};

use super::geom::{convex_settings, convex_shape, pose};
use super::narrow::collide_shapes;
use crate::World;

/// Signed distance between two geoms, and the segment from the surface of the first to that of the
/// second; `max` and no segment where they are farther apart than that, or where no method exists.
pub fn geom_distance(
    m: &Model,
    d: &mut World<'_>,
    geom1: usize,
    geom2: usize,
    max: Real,
) -> (Real, Option<[Vec3; 2]>) {
    let flip = m.geom_type[geom1] > m.geom_type[geom2];
    let (g1, g2) = if flip { (geom2, geom1) } else { (geom1, geom2) };
    if is_convex_pair(m, g1, g2)
        && let (Some(a), Some(b)) = (convex_shape(m, geom1), convex_shape(m, geom2))
    {
        let mut a = Convex::new(a, pose(d, geom1), 0.0);
        let mut b = Convex::new(b, pose(d, geom2), 0.0);
        let solver = &mut d.collision.solver;
        let dist = solver.distance(convex_settings(m), &mut a, &mut b, max);
        return (dist, solver.witness().map(|(from, to)| [from, to]));
    }
    d.collision.shapes.update(m);
    collide_shapes(m, d, g1, g2, max);
    let mut dist = max;
    let mut nearest = None;
    for point in d.collision.points.iter().filter(|p| p.dist < max) {
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
    (dist, segment)
}

/// Is the pair one that the convex method handles, or two boxes?
fn is_convex_pair(m: &Model, g1: usize, g2: usize) -> bool {
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
