//! Spheres, capsules and boxes against a triangle with a radius: the elements of cloth.
//!
//! The surface of such a triangle is at `radius` from it on both sides. A sphere meets it at the point of the triangle that is nearest to its
//! centre; capsules and boxes are met by their ends and corners, and by the corners of the triangle.
use ferrodyn_math::{MIN_VAL, Real, Vec3, sqrt};

use crate::{ContactPoint, ContactPoints, Pose};

/// A triangle with a radius around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Triangle {
    /// Its corners.
    pub corners: [Vec3; 3],
    /// Distance of the surface from it.
    pub radius: Real,
}

/// The sign of a number, zero for zero. MuJoCo: `mju_sign`.
fn sign(x: Real) -> Real {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        0.0
    }
}

/// On which side of the line from `c` to `b` is `a`? MuJoCo: `areaSign`.
fn side(a: [Real; 2], b: [Real; 2], c: [Real; 2]) -> Real {
    sign((a[0] - c[0]) * (b[1] - c[1]) - (b[0] - c[0]) * (a[1] - c[1]))
}

/// The point of a segment nearest to `p`, and how far it is. MuJoCo: `pointSegment`.
fn nearest_of_segment(p: [Real; 2], from: [Real; 2], to: [Real; 2]) -> ([Real; 2], Real) {
    let along = [to[0] - from[0], to[1] - from[1]];
    let rel = [p[0] - from[0], p[1] - from[1]];
    // the foot of the perpendicular, from + a · along
    let a = (along[0] * rel[0] + along[1] * rel[1])
        / (along[0] * along[0] + along[1] * along[1]).max(MIN_VAL);
    let nearest = if a <= 0.0 {
        from
    } else if a >= 1.0 {
        to
    } else {
        [from[0] + along[0] * a, from[1] + along[1] * a]
    };
    let dif = [nearest[0] - p[0], nearest[1] - p[1]];
    (nearest, sqrt(dif[0] * dif[0] + dif[1] * dif[1]))
}

/// Sphere and triangle: the nearest point, if it is near enough. MuJoCo: `mjraw_SphereTriangle`.
///
/// ```
/// use ferrodyn_collision::{ContactPoints, Triangle, sphere_triangle};
/// use ferrodyn_math::Vec3;
/// let triangle = Triangle { corners: [Vec3::ZERO, Vec3::X, Vec3::Y], radius: 0.125 };
/// let mut points = ContactPoints::new();
/// sphere_triangle(Vec3::new(0.25, 0.25, 0.5), 0.25, &triangle, 0.25, &mut points);
/// assert_eq!(points[0].dist, 0.125);
/// assert_eq!(points[0].normal, -Vec3::Z);
/// ```
pub fn sphere_triangle(
    center: Vec3,
    radius: Real,
    triangle: &Triangle,
    margin: Real,
    out: &mut ContactPoints,
) {
    let reach = margin + radius + triangle.radius;
    let [origin, second, third] = triangle.corners;
    // everything relative to the first corner: the triangle is (0, a, b)
    let (s, a, b) = (center - origin, second - origin, third - origin);
    let normal = a.cross(b).normalize().0;
    let height = normal.dot(s);
    if height.abs() > reach {
        return;
    }
    // the shadow of the centre in the plane, in axes along the first edge and across it
    let shadow = s.add_scaled(normal, -height);
    let (x, length) = a.normalize();
    let y = normal.cross(a).normalize().0;
    let (o2, a2) = ([0.0; 2], [length, 0.0]);
    let b2 = [x.dot(b), y.dot(b)];
    let p2 = [x.dot(shadow), y.dot(shadow)];
    let sides = [side(p2, o2, a2), side(p2, a2, b2), side(p2, b2, o2)];
    let nearest = if sides[0] == sides[1] && sides[1] == sides[2] {
        shadow
    } else {
        // outside: the nearest point of the edges
        let edges = [
            nearest_of_segment(p2, o2, a2),
            nearest_of_segment(p2, a2, b2),
            nearest_of_segment(p2, b2, o2),
        ];
        let [d0, d1, d2] = edges.map(|(_, distance)| distance);
        let best = if d0 < d1 && d0 < d2 {
            0
        } else if d1 < d2 {
            1
        } else {
            2
        };
        let [u, v] = edges[best].0;
        (x * u).add_scaled(y, v)
    };
    let (toward, distance) = (nearest - s).normalize();
    if distance > reach {
        return;
    }
    let dist = distance - radius - triangle.radius;
    out.push(ContactPoint::new(dist, center.add_scaled(toward, radius + dist / 2.0), toward));
}

/// Box and triangle: corners of the triangle against the faces of the box, then corners of the box against the triangle. Edges that cross
/// give no point. MuJoCo: `mjraw_BoxTriangle`.
pub fn box_triangle(
    cube: &Pose,
    half: Vec3,
    triangle: &Triangle,
    margin: Real,
    out: &mut ContactPoints,
) {
    let radius = triangle.radius;
    for corner in triangle.corners {
        let local = cube.to_local(corner);
        // how far outside of the faces of each axis; the largest is the nearest face
        let outside: [Real; 3] = core::array::from_fn(|j| local[j].abs() - half[j]);
        let mut face = 0;
        for j in 1..3 {
            if outside[j] > outside[face] {
                face = j;
            }
        }
        let beside = |j: usize| local[j].abs() > half[j] + margin + radius;
        if outside[face] - radius > margin || (0..3).any(beside) {
            continue;
        }
        let mut normal = Vec3::ZERO;
        normal[face] = if local[face] > 0.0 { 1.0 } else { -1.0 };
        let normal = &cube.mat * normal;
        let dist = outside[face] - radius;
        out.push(ContactPoint::new(
            dist,
            corner.add_scaled(normal, -(radius + dist * 0.5)),
            normal,
        ));
    }
    for i in 0..8 {
        // one bit for each positive coordinate
        let local: [Real; 3] =
            core::array::from_fn(|j| if i >> j & 1 == 1 { half[j] } else { -half[j] });
        let corner = &cube.mat * Vec3(local) + cube.pos;
        sphere_triangle(corner, 0.0, triangle, margin, out);
    }
}

/// Capsule and triangle: both ends of the capsule against the triangle, then corners of the triangle against the inside of the segment.
/// MuJoCo: `mjraw_CapsuleTriangle`.
pub fn capsule_triangle(
    capsule: &Pose,
    [radius, half_length]: [Real; 2],
    triangle: &Triangle,
    margin: Real,
    out: &mut ContactPoints,
) {
    let axis = capsule.z_axis();
    let [low, high] = [-half_length, half_length].map(|x| capsule.pos.add_scaled(axis, x));
    sphere_triangle(low, radius, triangle, margin, out);
    sphere_triangle(high, radius, triangle, margin, out);
    let along = high - low;
    for corner in triangle.corners {
        // the place on the segment, from 0 to 1; ends were tried above
        let t = (corner - low).dot(along) / (4.0 * half_length * half_length);
        if t <= MIN_VAL || t >= 1.0 - MIN_VAL {
            continue;
        }
        let nearest = low.add_scaled(along, t);
        let (toward, distance) = (corner - nearest).normalize();
        if distance > radius + triangle.radius + margin {
            continue;
        }
        // midway between the surfaces
        let pos = (nearest + corner).add_scaled(toward, radius - triangle.radius) * 0.5;
        out.push(ContactPoint::new(distance - radius - triangle.radius, pos, toward));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ferrodyn_math::by_precision;

    const TOLERANCE: Real = by_precision(1e-12, 1e-6);

    fn triangle() -> Triangle {
        let corners = [Vec3::ZERO, Vec3::new(2.0, 0.0, 0.0), Vec3::new(0.0, 2.0, 0.0)];
        Triangle { corners, radius: 0.01 }
    }

    fn sphere(x: Real, y: Real, z: Real) -> ContactPoints {
        let mut out = ContactPoints::new();
        sphere_triangle(Vec3::new(x, y, z), 0.5, &triangle(), 0.1, &mut out);
        out
    }

    #[test]
    fn a_sphere_meets_the_face_an_edge_or_a_corner() {
        let face = sphere(0.5, 0.5, -0.4)[0];
        assert!((face.dist - (0.4 - 0.51)).abs() < TOLERANCE && face.normal == Vec3::Z);
        // the surfaces are at -0.4 + 0.5 and -0.01
        assert!((face.pos - Vec3::new(0.5, 0.5, 0.045)).norm() < TOLERANCE);
        let edge = sphere(1.0, -0.3, 0.4)[0];
        assert!((edge.dist - (0.5 - 0.51)).abs() < TOLERANCE);
        assert!((edge.normal - Vec3::new(0.0, 0.6, -0.8)).norm() < TOLERANCE);
        let corner = sphere(2.3, -0.4, 0.0)[0];
        assert!((corner.normal - Vec3::new(-0.6, 0.8, 0.0)).norm() < TOLERANCE);
        // the third edge, between the corners away from the origin
        let across = sphere(1.3, 1.3, 0.0)[0];
        let root = sqrt(0.5);
        assert!((across.normal - Vec3::new(-root, -root, 0.0)).norm() < TOLERANCE);
        // too far above, and too far beside
        assert!(sphere(0.5, 0.5, 0.62).is_empty() && sphere(-0.5, -0.5, 0.0).is_empty());
    }

    #[test]
    fn a_box_meets_the_corners_of_the_triangle_and_the_triangle_its_corners() {
        let mut out = ContactPoints::new();
        // over the first corner, and its own lower corners outside of the triangle
        let half = Vec3::new(0.5, 0.5, 0.2);
        box_triangle(&Pose::at(Vec3::new(-0.3, -0.3, 0.195)), half, &triangle(), 0.0, &mut out);
        // below the box lies the corner of the triangle; of the box, the lower corner at (0.2, 0.2) is inside of the triangle
        assert_eq!(out.len(), 2);
        assert!((out[0].dist + 0.015).abs() < TOLERANCE && out[0].normal == -Vec3::Z);
        assert!((out[0].pos - Vec3::new(0.0, 0.0, 0.0025)).norm() < TOLERANCE);
        assert!((out[1].pos[0] - 0.2).abs() < TOLERANCE && (out[1].pos[1] - 0.2).abs() < TOLERANCE);
        // the corner of the box is below the triangle's middle, so that it is pushed upwards
        assert!((out[1].dist - (0.005 - 0.01)).abs() < TOLERANCE);
        // the direction of a way of 0.005
        assert!((out[1].normal - Vec3::Z).norm() < 1000.0 * TOLERANCE);
    }

    #[test]
    fn a_capsule_meets_the_triangle_by_its_ends_and_by_corners_along_it() {
        let mut out = ContactPoints::new();
        // along x over the first two corners, from x = -1 to 1
        let mat = ferrodyn_math::Quat::from_axis_angle(Vec3::Y, ferrodyn_math::PI / 2.0).to_mat();
        let pose = Pose { pos: Vec3::new(0.0, 0.0, 0.3), mat };
        capsule_triangle(&pose, [0.3, 1.0], &triangle(), 0.0, &mut out);
        // the end at x = 1 over the edge, and the corner at the middle of the segment
        assert_eq!(out.len(), 2);
        assert!((out[0].pos[0] - 1.0).abs() < TOLERANCE && (out[0].dist + 0.01).abs() < TOLERANCE);
        assert!(out[1].pos[0].abs() < TOLERANCE && (out[1].dist + 0.01).abs() < TOLERANCE);
        assert!((out[1].normal + Vec3::Z).norm() < TOLERANCE);
        assert!((out[1].pos[2] - 0.005).abs() < TOLERANCE, "midway: {:?}", out[1].pos);
    }
}
