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
