//! Spheres, capsules and cylinders against each other, where a formula exists.
//!
//! All of them end in two balls: a capsule is represented by the ball at the nearest point of its segment, the side of
//! a cylinder by the ball around its axis, its rim by a ball without radius.
use ferrodyn_math::{MIN_VAL, Real, Vec3, sqrt};

use crate::{ContactPoint, ContactPoints, Pose};

/// Two spheres: at most one point.
///
/// Where the centres coincide, the normal is orthogonal to both third axes. MuJoCo: `mjc_SphereSphere`.
pub fn sphere_sphere(
    a: &Pose,
    radius_a: Real,
    b: &Pose,
    radius_b: Real,
    margin: Real,
    out: &mut ContactPoints,
) {
    balls(a, a.pos, radius_a, b, b.pos, radius_b, margin, out);
}

/// Two spheres at given centres that belong to shapes with given axes: `dist = |c_b - c_a| - r_a - r_b`.
/// MuJoCo: `mjraw_SphereSphere`.
fn balls(
    a: &Pose,
    center_a: Vec3,
    radius_a: Real,
    b: &Pose,
    center_b: Vec3,
    radius_b: Real,
    margin: Real,
    out: &mut ContactPoints,
) {
    // compared as squares: most pairs need no root
    let dif = center_a - center_b;
    let dist_sqr = dif.dot(dif);
    let reach = margin + radius_a + radius_b;
    if dist_sqr > reach * reach {
        return;
    }
    let dist = sqrt(dist_sqr) - radius_a - radius_b;
    let (mut normal, len) = (center_b - center_a).normalize();
    // the same centre: any direction will do, and this one does not depend on rounding
    if len < MIN_VAL {
        normal = a.z_axis().cross(b.z_axis()).normalize().0;
    }
    // midway between the surfaces
    out.push(ContactPoint::new(dist, normal * (radius_a + dist / 2.0) + center_a, normal));
}

/// Sphere and capsule: the sphere against the nearest ball of the capsule. MuJoCo: `mjc_SphereCapsule`.
pub fn sphere_capsule(
    sphere: &Pose,
    radius: Real,
    capsule: &Pose,
    capsule_radius: Real,
    half_length: Real,
    margin: Real,
    out: &mut ContactPoints,
) {
    let axis = capsule.z_axis();
    let along = clip(axis.dot(sphere.pos - capsule.pos), -half_length, half_length);
    let nearest = axis * along + capsule.pos;
    balls(sphere, sphere.pos, radius, capsule, nearest, capsule_radius, margin, out);
}

/// Sphere and cylinder: side, cap or rim. MuJoCo: `mjc_SphereCylinder`.
///
/// ```text
///      rim |  cap  | rim
///    ------+-------+------
///     side | inside| side
///    ------+-------+------
/// ```
pub fn sphere_cylinder(
    sphere: &Pose,
    radius: Real,
    cylinder: &Pose,
    cylinder_radius: Real,
    half_length: Real,
    margin: Real,
    out: &mut ContactPoints,
) {
    // the centre of the sphere along the axis and across it
    let axis = cylinder.z_axis();
    let vec = sphere.pos - cylinder.pos;
    let x = axis.dot(vec);
    let along = axis * x;
    let across = vec - along;
    let across_sqr = across.dot(across);

    let mut side = x.abs() < half_length;
    let mut cap = across_sqr < cylinder_radius * cylinder_radius;
    if side && cap {
        // the centre is inside: leave through the nearer surface
        if half_length - x.abs() < cylinder_radius - sqrt(across_sqr) {
            side = false;
        } else {
            cap = false;
        }
    }
    // as from a sphere on the axis
    if side {
        let center = along + cylinder.pos;
        balls(sphere, sphere.pos, radius, cylinder, center, cylinder_radius, margin, out);
    } else if cap {
        // the cap as a plane
        let (normal, foot) = if x > 0.0 {
            (axis, cylinder.pos.add_scaled(axis, half_length))
        } else {
            (-axis, cylinder.pos.add_scaled(axis, -half_length))
        };
        let height = (sphere.pos - foot).dot(normal);
        if height <= margin + radius {
            let dist = height - radius;
            let pos = sphere.pos + normal * (-dist / 2.0 - radius);
            out.push(ContactPoint::new(dist, pos, -normal));
        }
    } else {
        // the nearest point of the rim
        let rim = across * (cylinder_radius / sqrt(across_sqr));
        let end = axis * if x > 0.0 { half_length } else { -half_length };
        let corner = end + rim + cylinder.pos;
        balls(sphere, sphere.pos, radius, cylinder, corner, 0.0, margin, out);
    }
}

/// Two capsules: the nearest points of their segments, or up to two points where they are parallel. MuJoCo: `mjc_CapsuleCapsule`.
pub fn capsule_capsule(
    a: &Pose,
    size_a: [Real; 2],
    b: &Pose,
    size_b: [Real; 2],
    margin: Real,
    out: &mut ContactPoints,
) {
    let axis_a = a.z_axis() * size_a[1];
    let axis_b = b.z_axis() * size_b[1];
    let dif = a.pos - b.pos;

    // minimize |dif + x₁ axis_a - x₂ axis_b|² over x₁, x₂ in [-1, 1]; where it is least,
    // | ma mb | |x₁|   |u|
    // | mb mc | |x₂| = |v|
    let ma = axis_a.dot(axis_a);
    let mb = -axis_a.dot(axis_b);
    let mc = axis_b.dot(axis_b);
    let u = -axis_a.dot(dif);
    let v = axis_b.dot(dif);
    let det = ma * mc - mb * mb;
    let at = |x1: Real, x2: Real, out: &mut ContactPoints| {
        let center_a = axis_a * x1 + a.pos;
        let center_b = axis_b * x2 + b.pos;
        balls(a, center_a, size_a[0], b, center_b, size_b[0], margin, out);
    };

    // not parallel: one solution; where it leaves a segment, the end of that segment and the nearest point of the other
    if det.abs() >= MIN_VAL {
        let mut x1 = (mc * u - mb * v) / det;
        let mut x2 = (ma * v - mb * u) / det;
        if x1 > 1.0 {
            x1 = 1.0;
            x2 = (v - mb) / mc;
        } else if x1 < -1.0 {
            x1 = -1.0;
            x2 = (v + mb) / mc;
        }
        if x2 > 1.0 {
            x2 = 1.0;
            x1 = clip((u - mb) / ma, -1.0, 1.0);
        } else if x2 < -1.0 {
            x2 = -1.0;
            x1 = clip((u + mb) / ma, -1.0, 1.0);
        }
        at(x1, x2, out);
        return;
    }

    // parallel: each end against the other segment, until there are two points
    let first = out.len();
    at(1.0, clip((v - mb) / mc, -1.0, 1.0), out);
    at(-1.0, clip((v + mb) / mc, -1.0, 1.0), out);
    if out.len() >= first + 2 {
        return;
    }
    at(clip((u - mb) / ma, -1.0, 1.0), 1.0, out);
    if out.len() >= first + 2 {
        return;
    }
    at(clip((u + mb) / ma, -1.0, 1.0), -1.0, out);
}

/// A value limited to a range; zero for NaN, which a segment without length gives.
fn clip(x: Real, low: Real, high: Real) -> Real {
    if x < low {
        low
    } else if x > high {
        high
    } else if x.is_nan() {
        0.0
    } else {
        x
    }
}

#[cfg(test)]
mod tests {
    use ferrodyn_math::{Mat3, by_precision};

    use super::*;

    #[test]
    fn segments_without_length_are_spheres() {
        let mut points = ContactPoints::new();
        let (a, b) = (Pose::at(Vec3::ZERO), Pose::at(Vec3::new(1.0, 0.0, 0.0)));
        capsule_capsule(&a, [0.6, 0.0], &b, [0.6, 0.0], 0.0, &mut points);
        assert!(points.iter().all(|p| p.is_finite()));
        assert!((points[0].dist + 0.2).abs() < by_precision(1e-12, 1e-6));
    }

    #[test]
    fn coinciding_centres_give_a_unit_normal() {
        let mut points = ContactPoints::new();
        let a = Pose::at(Vec3::ZERO);
        sphere_sphere(&a, 1.0, &a, 1.0, 0.0, &mut points);
        assert_eq!((points[0].normal.norm(), points[0].dist), (1.0, -2.0));
    }

    const TOLERANCE: Real = by_precision(1e-12, 1e-5);
    /// The third axis of a shape along the x axis of the world.
    const ALONG_X: Mat3 = Mat3([0.0, 0.0, 1.0, 0.0, 1.0, 0.0, -1.0, 0.0, 0.0]);

    fn expect(points: &ContactPoints, dist: Real, normal: Vec3) {
        assert_eq!(points.len(), 1);
        assert!((points[0].dist - dist).abs() < TOLERANCE, "{:?}", points[0]);
        assert!((points[0].normal - normal).norm() < TOLERANCE, "{:?}", points[0]);
    }

    #[test]
    fn spheres_touch_on_the_line_between_their_centres() {
        // centres are 5 apart
        let (a, b) = (Pose::at(Vec3::new(1.0, 1.0, 1.0)), Pose::at(Vec3::new(4.0, 5.0, 1.0)));
        let mut points = ContactPoints::new();
        sphere_sphere(&a, 2.0, &b, 3.5, 0.0, &mut points);
        expect(&points, -0.5, Vec3::new(0.6, 0.8, 0.0));
        // midway: 2 - 0.25 from the first centre
        assert!((points[0].pos - a.pos - points[0].normal * 1.75).norm() < TOLERANCE);
        points.clear();
        sphere_sphere(&a, 2.0, &b, 2.5, 0.4, &mut points);
        assert!(points.is_empty(), "a gap of 0.5 is beyond the margin");
        sphere_sphere(&a, 2.0, &b, 2.5, 0.6, &mut points);
        expect(&points, 0.5, Vec3::new(0.6, 0.8, 0.0));
    }

    #[test]
    fn a_sphere_meets_the_side_or_the_end_of_a_capsule() {
        let capsule = Pose::at(Vec3::ZERO);
        let mut points = ContactPoints::new();
        let beside = Pose::at(Vec3::new(0.8, 0.0, 0.5));
        sphere_capsule(&beside, 0.4, &capsule, 0.5, 1.0, 0.0, &mut points);
        expect(&points, -0.1, -Vec3::X);
        points.clear();
        // 1 from the end at (0, 0, 1)
        let above = Pose::at(Vec3::new(0.0, 0.6, 1.8));
        sphere_capsule(&above, 0.4, &capsule, 0.5, 1.0, 0.2, &mut points);
        expect(&points, 0.1, Vec3::new(0.0, -0.6, -0.8));
    }

    #[test]
    fn a_sphere_meets_side_cap_and_rim_of_a_cylinder() {
        let cylinder = Pose::at(Vec3::ZERO);
        let cases = [
            (Vec3::new(1.4, 0.0, 1.0), -0.2, -Vec3::X),
            (Vec3::new(0.3, 0.0, 2.45), -0.15, -Vec3::Z),
            // 0.5 from the rim at (1, 0, 2)
            (Vec3::new(1.3, 0.0, 2.4), -0.1, Vec3::new(-0.6, 0.0, -0.8)),
            // inside, 0.1 below the cap and 0.9 from the side
            (Vec3::new(0.0, 0.1, 1.9), -0.7, -Vec3::Z),
        ];
        for (center, dist, normal) in cases {
            let mut points = ContactPoints::new();
            sphere_cylinder(&Pose::at(center), 0.6, &cylinder, 1.0, 2.0, 0.0, &mut points);
            expect(&points, dist, normal);
        }
    }

    #[test]
    fn capsules_meet_where_their_segments_are_closest() {
        let upright = Pose::at(Vec3::ZERO);
        let mut points = ContactPoints::new();
        // crossing at (0, 0, 0.2) and (0, 0.5, 0.2)
        let across = Pose { pos: Vec3::new(0.0, 0.5, 0.2), mat: ALONG_X };
        capsule_capsule(&upright, [0.3, 1.0], &across, [0.3, 1.0], 0.0, &mut points);
        expect(&points, -0.1, Vec3::Y);
        assert!((points[0].pos - Vec3::new(0.0, 0.25, 0.2)).norm() < TOLERANCE);
        // an end against the middle of the other
        for z in [1.0, -1.0] {
            points.clear();
            let over = Pose { pos: Vec3::new(0.2, 0.0, 1.5 * z), mat: ALONG_X };
            capsule_capsule(&upright, [0.4, 1.0], &over, [0.4, 1.0], 0.0, &mut points);
            expect(&points, -0.3, Vec3::Z * z);
        }
        // end to end, whichever ends: 0.5 and 0.4 apart
        let gap = sqrt(0.41);
        for (x, z) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
            points.clear();
            let beyond = Pose { pos: Vec3::new(1.5 * x, 0.0, 1.4 * z), mat: ALONG_X };
            capsule_capsule(&upright, [0.4, 1.0], &beyond, [0.4, 1.0], 0.0, &mut points);
            expect(&points, gap - 0.8, Vec3::new(0.5 * x / gap, 0.0, 0.4 * z / gap));
        }
    }

    #[test]
    fn parallel_capsules_touch_at_both_ends_of_what_they_share() {
        let (a, b) = (Pose::at(Vec3::ZERO), Pose::at(Vec3::new(0.5, 0.0, 0.5)));
        let mut points = ContactPoints::new();
        capsule_capsule(&a, [0.3, 1.0], &b, [0.3, 1.0], 0.0, &mut points);
        assert_eq!(points.len(), 2);
        for (point, z) in points.iter().zip([1.0, -0.5]) {
            assert!((point.dist + 0.1).abs() < TOLERANCE && (point.pos[2] - z).abs() < TOLERANCE);
        }
    }
}
