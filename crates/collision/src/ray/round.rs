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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{spread, turned};

    /// Where a function of the points of a shape's frame first changes its sign along a ray: by small steps, then by halving.
    fn march(local: &Ray, surface: &dyn Fn(Vec3) -> Real) -> Option<Real> {
        const STEP: Real = 5e-3;
        let sign = |t: Real| surface(local.at(t)) < 0.0;
        let before = (0..1600).map(|i| i as Real * STEP).find(|t| sign(*t) != sign(t + STEP))?;
        let (mut low, mut high) = (before, before + STEP);
        for _ in 0..30 {
            let middle = 0.5 * (low + high);
            *(if sign(middle) == sign(low) { &mut low } else { &mut high }) = middle;
        }
        Some(high)
    }

    /// The direction in which a function grows fastest, by differences.
    fn gradient(surface: &dyn Fn(Vec3) -> Real, p: Vec3) -> Vec3 {
        const EPS: Real = 1e-3;
        let along = |e: Vec3| surface(p + e * EPS) - surface(p - e * EPS);
        Vec3::new(along(Vec3::X), along(Vec3::Y), along(Vec3::Z)).normalize().0
    }

    /// Rays from outside and inside meet the zeros of a function, and the normal is its gradient.
    fn compare(
        meet: impl Fn(&Ray, &Pose) -> Option<Hit>,
        surface: &dyn Fn(Vec3) -> Real,
        is_edge: impl Fn(Vec3) -> bool,
    ) {
        let (mut met, mut missed, mut inside) = (0, 0, 0);
        for i in 1..300 {
            // towards a point within the shape or near it, or away from it
            let origin = spread(i, [2, 3, 5]) * 2.5;
            let dir = (spread(i, [7, 11, 13]) * 1.5 - origin) * if i % 7 == 0 { -0.5 } else { 0.5 };
            let ray = Ray { origin, dir };
            let pose = Pose { pos: spread(i, [3, 5, 7]) * 0.5, mat: turned(i) };
            let local = ray.to_local(&pose);
            // how near the ray comes, to leave those alone that graze the surface
            let least =
                (0..1600).map(|k| surface(local.at(k as Real * 5e-3))).fold(Real::MAX, Real::min);
            if least.abs() < 0.02 {
                continue;
            }
            let hit = meet(&ray, &pose);
            let Some(expected) = march(&local, surface) else {
                assert_eq!(hit, None, "{ray:?}");
                missed += 1;
                continue;
            };
            let hit = hit.unwrap_or_else(|| panic!("{ray:?} meets nothing"));
            assert!((hit.distance - expected).abs() < 1e-4, "{hit:?}, expected {expected}");
            met += 1;
            inside += i32::from(surface(local.origin) < 0.0);
            let p = local.at(expected);
            if !is_edge(p) {
                let normal = &pose.mat * gradient(surface, p);
                assert!((hit.normal - normal).norm() < 5e-3, "{hit:?}, expected {normal:?}");
            }
        }
        assert!(met > 60 && missed > 30 && inside > 5, "{met} {missed} {inside}");
    }

    const EVERYWHERE: fn(Vec3) -> bool = |_| false;

    #[test]
    fn spheres_and_ellipsoids_are_met_where_their_forms_vanish() {
        compare(|ray, pose| ray_sphere(ray, pose.pos, 1.2), &|p| p.norm() - 1.2, EVERYWHERE);
        let radii = Vec3::new(0.7, 1.1, 1.6);
        let form = |p: Vec3| Vec3::new(p[0] / 0.7, p[1] / 1.1, p[2] / 1.6).norm() - 1.0;
        compare(|ray, pose| ray_ellipsoid(ray, pose, radii), &form, EVERYWHERE);
    }

    #[test]
    fn capsules_are_met_at_their_radius_from_a_segment() {
        let distance = |p: Vec3| {
            let z = p[2].clamp(-0.9, 0.9);
            Vec3::new(p[0], p[1], p[2] - z).norm() - 0.8
        };
        compare(|ray, pose| ray_capsule(ray, pose, 0.8, 0.9), &distance, EVERYWHERE);
    }

    #[test]
    fn cylinders_are_met_on_their_sides_and_caps() {
        let distance = |p: Vec3| {
            let radial = Vec3::new(p[0], p[1], 0.0).norm() - 0.8;
            radial.max(p[2].abs() - 0.9)
        };
        let is_edge = |p: Vec3| {
            let radial = Vec3::new(p[0], p[1], 0.0).norm() - 0.8;
            (radial - (p[2].abs() - 0.9)).abs() < 5e-3
        };
        compare(|ray, pose| ray_cylinder(ray, pose, 0.8, 0.9), &distance, is_edge);
    }
}
