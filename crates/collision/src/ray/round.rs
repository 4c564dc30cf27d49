//! Rays against spheres, ellipsoids, capsules and cylinders.
use ferrodyn_math::{MIN_VAL, Real, Vec3};

use super::{Hit, Ray, roots};
use crate::Pose;

/// Ray and sphere. MuJoCo: `mju_rayGeom`.
pub fn ray_sphere(ray: &Ray, center: Vec3, radius: Real) -> Option<Hit> {
    let x = ray.sphere_distance(center, radius * radius)?;
    Hit::new(x, (ray.at(x) - center).normalize().0)
}

/// Ray and ellipsoid with three radii: `xᵀ S x = 1`, `S = diag(1/r²)`. MuJoCo: `mju_rayGeom`.
pub fn ray_ellipsoid(ray: &Ray, pose: &Pose, radii: Vec3) -> Option<Hit> {
    let local = ray.to_local(pose);
    let (p, v) = (local.origin, local.dir);
    let s = Vec3(radii.0.map(|r| 1.0 / (r * r)));
    let sum = |a: Vec3, b: Vec3| s[0] * a[0] * b[0] + s[1] * a[1] * b[1] + s[2] * a[2] * b[2];
    let x = roots(sum(v, v), sum(v, p), sum(p, p) - 1.0)?.first()?;
    // gradient of the quadratic form
    let normal = s.mul_elem(local.at(x)).normalize().0;
    Hit::new(x, &pose.mat * normal)
}

/// Where a ray meets a cylinder along z without ends, `x² + y² = r²`; only its first point counts.
fn tube(local: &Ray, radius: Real, half: Real) -> Option<Real> {
    let (p, v) = (local.origin, local.dir);
    let a = v[0] * v[0] + v[1] * v[1];
    let b = v[0] * p[0] + v[1] * p[1];
    let c = p[0] * p[0] + p[1] * p[1] - radius * radius;
    roots(a, b, c)?.first().filter(|x| (p[2] + x * v[2]).abs() <= half)
}

/// The nearer of what was found and a candidate, each with what it belongs to.
fn nearer(best: Option<(Real, Real)>, x: Real, kind: Real) -> Option<(Real, Real)> {
    match best {
        Some((found, _)) if x >= found => best,
        _ => Some((x, kind)),
    }
}

/// Ray and capsule along z. MuJoCo: `mju_rayGeom`.
pub fn ray_capsule(ray: &Ray, pose: &Pose, radius: Real, half: Real) -> Option<Hit> {
    let bound = radius + half;
    ray.sphere_distance(pose.pos, bound * bound)?;
    let local = ray.to_local(pose);
    let (p, v) = (local.origin, local.dir);

    // distance, and which end (0 for the side)
    let mut best = tube(&local, radius, half).map(|x| (x, 0.0));
    for end in [1.0, -1.0] {
        // the half of each end sphere beyond the side
        let dif = Vec3::new(p[0], p[1], p[2] - end * half);
        let cap = roots(v.dot(v), v.dot(dif), dif.dot(dif) - radius * radius);
        for x in cap.map_or([-1.0; 2], |r| r.0) {
            if x >= 0.0 && end * (p[2] + x * v[2]) >= half {
                best = nearer(best, x, end);
            }
        }
    }
    let (x, end) = best?;
    // the normal is radial: from the axis, or from the centre of the end
    let z = if end == 0.0 { 0.0 } else { p[2] + v[2] * x - half * end };
    let normal = Vec3::new(p[0] + v[0] * x, p[1] + v[1] * x, z).normalize().0;
    Hit::new(x, &pose.mat * normal)
}

/// Ray and cylinder along z. MuJoCo: `mju_rayGeom`.
pub fn ray_cylinder(ray: &Ray, pose: &Pose, radius: Real, half: Real) -> Option<Hit> {
    ray.sphere_distance(pose.pos, radius * radius + half * half)?;
    let local = ray.to_local(pose);
    let (p, v) = (local.origin, local.dir);

    // distance, and which end (0 for the side)
    let mut best = None;
    // the caps, unless the ray is parallel to them
    if v[2].abs() > MIN_VAL {
        for end in [-1.0, 1.0] {
            // where it crosses the plane of the cap, and whether within its circle
            let x = (end * half - p[2]) / v[2];
            let (p0, p1) = (p[0] + x * v[0], p[1] + x * v[1]);
            if x >= 0.0 && p0 * p0 + p1 * p1 <= radius * radius {
                best = nearer(best, x, end);
            }
        }
    }
    if let Some(x) = tube(&local, radius, half) {
        best = nearer(best, x, 0.0);
    }
    let (x, end) = best?;
    let normal = if end == 0.0 {
        Vec3::new(p[0] + v[0] * x, p[1] + v[1] * x, 0.0).normalize().0
    } else {
        Vec3::new(0.0, 0.0, end)
    };
    Hit::new(x, &pose.mat * normal)
}
