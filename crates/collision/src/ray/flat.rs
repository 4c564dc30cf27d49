//! Rays against planes and boxes.
use ferrodyn_math::{MIN_VAL, Real, Vec3};

use super::{Hit, Ray};
use crate::Pose;

/// Ray and the front of a plane, within half sizes where these are positive. MuJoCo: `mju_rayGeom`.
pub fn ray_plane(ray: &Ray, pose: &Pose, size: Vec3) -> Option<Hit> {
    let local = ray.to_local(pose);
    // parallel, or from behind
    if local.dir[2] > -MIN_VAL {
        return None;
    }
    // z = 0 of the plane's frame
    let x = -local.origin[2] / local.dir[2];
    let point = |i: usize| local.origin[i] + x * local.dir[i];
    let within = |i: usize| size[i] <= 0.0 || point(i).abs() <= size[i];
    if x < 0.0 || !within(0) || !within(1) {
        return None;
    }
    Hit::new(x, pose.z_axis())
}

/// Ray and box with half sizes. MuJoCo: `mju_rayGeom`.
pub fn ray_box(ray: &Ray, pose: &Pose, size: Vec3) -> Option<Hit> {
    let faces = box_faces(ray, pose, size)?;
    let (mut distance, mut normal) = (-1.0, Vec3::ZERO);
    // the first of the faces that are met
    for (i, &x) in faces.iter().enumerate() {
        if x >= 0.0 && (distance < 0.0 || x < distance) {
            distance = x;
            normal = Vec3::ZERO;
            normal[i / 2] = if i % 2 == 0 { -1.0 } else { 1.0 };
        }
    }
    if distance < 0.0 {
        return None;
    }
    Hit::new(distance, &pose.mat * normal)
}

/// Distances to the six faces of a box, lower one first along each axis; -1 where a face is missed.
/// None where the ray misses the sphere around the box.
pub(super) fn box_faces(ray: &Ray, pose: &Pose, size: Vec3) -> Option<[Real; 6]> {
    ray.sphere_distance(pose.pos, size.dot(size))?;
    let local = ray.to_local(pose);
    let mut faces = [-1.0; 6];
    for (i, [j, k]) in [[1, 2], [0, 2], [0, 1]].into_iter().enumerate() {
        // parallel to both faces of this axis
        if local.dir[i].abs() <= MIN_VAL {
            continue;
        }
        for (slot, side) in [-1.0, 1.0].into_iter().enumerate() {
            // on the plane of the face, and within its rectangle?
            let x = (side * size[i] - local.origin[i]) / local.dir[i];
            let within =
                |axis: usize| (local.origin[axis] + x * local.dir[axis]).abs() <= size[axis];
            if x >= 0.0 && within(j) && within(k) {
                faces[2 * i + slot] = x;
            }
        }
    }
    Some(faces)
}

/// Does a ray in the frame of a box, given by centre and half sizes, meet it? It is in the box while it is between the
/// planes of all three axes: from the last one entered to the first one left.
#[inline]
pub(super) fn meets_slab(local: &Ray, bounds: &[Real; 6]) -> bool {
    let (mut enter, mut leave) = (0.0, Real::INFINITY);
    for i in 0..3 {
        // a ray parallel to an axis has infinite limits, of the right sign unless it is in a plane
        let inverse = 1.0 / local.dir[i];
        let t1 = (bounds[i] - bounds[3 + i] - local.origin[i]) * inverse;
        let t2 = (bounds[i] + bounds[3 + i] - local.origin[i]) * inverse;
        let (low, high) = if t1 < t2 { (t1, t2) } else { (t2, t1) };
        enter = if enter > low { enter } else { low };
        leave = if leave < high { leave } else { high };
    }
    enter < leave
}

#[cfg(test)]
mod tests {
    use ferrodyn_math::by_precision;

    use super::*;
    use crate::samples::{spread, turned};

    const SIZE: Vec3 = Vec3([1.0, 2.0, 3.0]);

    #[test]
    fn every_face_that_a_ray_crosses_has_its_distance() {
        let pose = Pose::at(Vec3::ZERO);
        let faces = |origin, dir| box_faces(&Ray { origin, dir }, &pose, SIZE);
        // in at x = -1, out at x = 1; the origin is 4 before the centre and the direction 2 long
        let through = faces(Vec3::new(-4.0, 0.5, 0.5), Vec3::X * 2.0).unwrap();
        assert_eq!(through, [1.5, 2.5, -1.0, -1.0, -1.0, -1.0]);
        // from inside only the upper face is ahead
        let inside = faces(Vec3::new(0.5, 0.5, 0.5), Vec3::Z).unwrap();
        assert_eq!(inside, [-1.0, -1.0, -1.0, -1.0, -1.0, 2.5]);
        // slanted: in through x = -1 at y = 1, out through y = 2 at x = 0
        let slanted = faces(Vec3::new(-2.0, 0.0, 0.0), Vec3::new(1.0, 1.0, 0.0)).unwrap();
        assert_eq!(slanted, [1.0, -1.0, -1.0, 2.0, -1.0, -1.0]);
        // past the sphere around the box there is nothing to ask; between it and the box nothing is met
        assert_eq!(faces(Vec3::new(-4.0, 4.0, 0.5), Vec3::X), None);
        assert_eq!(faces(Vec3::new(-4.0, 2.5, 0.5), Vec3::X), Some([-1.0; 6]));
    }

    #[test]
    fn a_plane_ends_where_its_sizes_say() {
        let down = |x, y| Ray { origin: Vec3::new(x, y, 1.0), dir: -Vec3::Z };
        let pose = Pose::at(Vec3::new(0.5, 0.0, 0.25));
        let meets = |x, y, size| ray_plane(&down(x, y), &pose, size).map(|hit| hit.distance);
        let size = Vec3::new(1.0, 2.0, 0.1);
        assert_eq!(meets(1.5, -2.0, size), Some(0.75));
        assert_eq!(meets(1.6, 0.0, size), None);
        assert_eq!(meets(0.0, 2.1, size), None);
        // zero is without end, in each direction by itself
        assert_eq!(meets(1.6, 0.0, Vec3::new(0.0, 2.0, 0.1)), Some(0.75));
        assert_eq!(meets(0.0, 2.1, Vec3::new(0.0, 2.0, 0.1)), None);
    }

    /// The first of many points along a ray that is inside of a box, by its distance.
    fn march(local: &Ray, half: Vec3, step: Real) -> Option<Real> {
        (0..4000).map(|i| i as Real * step).find(|t| {
            let p = local.at(*t);
            (0..3).all(|i| p[i].abs() <= half[i])
        })
    }

    #[test]
    fn rays_meet_a_box_where_points_along_them_enter_it() {
        let (step, mut met, mut missed) = (2e-3, 0, 0);
        for i in 1..200 {
            // towards a point within the box or near it
            let origin = spread(i, [2, 3, 5]) * 5.0;
            let ray = Ray { origin, dir: (spread(i, [7, 11, 13]) * 3.5 - origin) * 0.5 };
            let pose = Pose { pos: spread(i, [3, 5, 7]) * 0.5, mat: turned(i) };
            let local = ray.to_local(&pose);
            let bounds = [0.0, 0.0, 0.0, SIZE[0], SIZE[1], SIZE[2]];
            // a box that a little more or less would not change
            let inner = march(&local, SIZE * 0.99, step);
            let outer = march(&local, SIZE * 1.01, step);
            match (inner, outer) {
                (Some(inner), Some(outer)) => {
                    met += 1;
                    assert!(meets_slab(&local, &bounds), "{ray:?}");
                    let hit = ray_box(&ray, &pose, SIZE).unwrap();
                    if outer == 0.0 {
                        // from inside, it is met from within: the point is on the surface
                        let p = local.at(hit.distance);
                        let on = (0..3)
                            .any(|k| (p[k].abs() - SIZE[k]).abs() < by_precision(1e-12, 1e-4));
                        assert!(on, "{p:?}");
                    } else {
                        let range = outer - step..=inner + step;
                        assert!(range.contains(&hit.distance), "{hit:?}, {range:?}");
                        // the surface faces the ray
                        assert!(hit.normal.dot(ray.dir) < 0.0);
                    }
                }
                (None, None) => {
                    missed += 1;
                    assert!(!meets_slab(&local, &bounds), "{ray:?}");
                    assert_eq!(ray_box(&ray, &pose, SIZE), None);
                }
                // it grazes the box
                _ => {}
            }
        }
        assert!(met > 50 && missed > 50, "{met} {missed}");
    }
}
