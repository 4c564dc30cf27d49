//! A plane against spheres, capsules, cylinders and boxes.
//!
//! The plane is z = 0 of its pose; its normal is the third axis.
use ferrodyn_math::{MIN_VAL, Real, Vec3, sqrt};

use crate::{ContactPoint, ContactPoints, Pose};

/// Plane and sphere: at most one point, `dist = n·(c - p) - r`. MuJoCo: `mjc_PlaneSphere`.
pub fn plane_sphere(
    plane: &Pose,
    center: Vec3,
    radius: Real,
    margin: Real,
    out: &mut ContactPoints,
) {
    let normal = plane.z_axis();
    let height = (center - plane.pos).dot(normal);
    if height > margin + radius {
        return;
    }
    // midway between the lowest point of the sphere and the plane
    let dist = height - radius;
    out.push(ContactPoint::new(dist, center + normal * (-dist / 2.0 - radius), normal));
}

/// Plane and capsule: the two end spheres, with frames along the capsule. MuJoCo: `mjc_PlaneCapsule`.
pub fn plane_capsule(
    plane: &Pose,
    capsule: &Pose,
    radius: Real,
    half_length: Real,
    margin: Real,
    out: &mut ContactPoints,
) {
    let axis = capsule.z_axis();
    let segment = axis * half_length;
    let first = out.len();
    plane_sphere(plane, capsule.pos + segment, radius, margin, out);
    plane_sphere(plane, capsule.pos - segment, radius, margin, out);
    // rolling and sliding directions of a lying capsule
    for point in &mut out[first..] {
        point.tangent = axis;
    }
}

/// Plane and cylinder: the lowest point of each rim, and two more points of the lower rim. MuJoCo: `mjc_PlaneCylinder`.
///
/// ```text
///   lying:  x=========x         standing, from above:    x     a triangle on the lower rim
///           plane                                       / \
///                                                      x---x
/// ```
pub fn plane_cylinder(
    plane: &Pose,
    cylinder: &Pose,
    radius: Real,
    half_length: Real,
    margin: Real,
    out: &mut ContactPoints,
) {
    // the axis that points down
    let normal = plane.z_axis();
    let mut axis = cylinder.z_axis();
    let mut axis_height = normal.dot(axis);
    if axis_height > 0.0 {
        axis = -axis;
        axis_height = -axis_height;
    }
    let height = (cylinder.pos - plane.pos).dot(normal);

    // the radius that points down: -normal without its part along the axis
    let mut rim = axis * axis_height - normal;
    let len_sqr = rim.dot(rim);
    // a cylinder that stands upright has no lowest point of its rim: along its own x
    if len_sqr >= MIN_VAL * MIN_VAL {
        rim = rim * (radius / sqrt(len_sqr));
    } else {
        rim = cylinder.mat.column(0) * radius;
    }
    let rim_height = rim.dot(normal);
    axis = axis * half_length;
    axis_height *= half_length;

    let mut push = |dist: Real, at: Vec3| {
        out.push(ContactPoint::new(dist, at.add_scaled(normal, -dist * 0.5), normal));
    };
    // the lowest point of all; the lowest of the other rim
    if height + axis_height + rim_height > margin {
        return;
    }
    push(height + axis_height + rim_height, cylinder.pos + rim + axis);
    if height - axis_height + rim_height <= margin {
        push(height - axis_height + rim_height, cylinder.pos + rim - axis);
    }
    // a triangle on the lower rim
    // 120 degrees from the lowest point: -½ of its radius, ±√3/2 across
    let side_height = -rim_height * 0.5;
    let dist = height + axis_height + side_height;
    if dist <= margin {
        let side = rim.cross(axis).normalize().0 * (radius * sqrt(3.0) / 2.0);
        push(dist, (cylinder.pos + side + axis).add_scaled(rim, -0.5));
        push(dist, (cylinder.pos - side + axis).add_scaled(rim, -0.5));
    }
}

/// Plane and box: the first four corners below the centre that are close enough. MuJoCo: `mjc_PlaneBox`.
pub fn plane_box(plane: &Pose, cube: &Pose, half: Vec3, margin: Real, out: &mut ContactPoints) {
    let normal = plane.z_axis();
    let height = (cube.pos - plane.pos).dot(normal);
    let mut count = 0;
    for i in 0..8 {
        let corner = Vec3::new(
            if i & 1 != 0 { half[0] } else { -half[0] },
            if i & 2 != 0 { half[1] } else { -half[1] },
            if i & 4 != 0 { half[2] } else { -half[2] },
        );
        let corner = &cube.mat * corner;
        let corner_height = normal.dot(corner);
        // corners above the centre are on the far side, even where all of a thin box is within the margin
        if height + corner_height > margin || corner_height > 0.0 {
            continue;
        }
        let dist = height + corner_height;
        out.push(ContactPoint::new(dist, corner + cube.pos + normal * (-dist / 2.0), normal));
        count += 1;
        if count == 4 {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use ferrodyn_math::{Mat3, Quat, by_precision};

    use super::*;

    const TOLERANCE: Real = by_precision(1e-12, 1e-6);
    /// The third axis along the x axis of the world.
    const ALONG_X: Mat3 = Mat3([0.0, 0.0, 1.0, 0.0, 1.0, 0.0, -1.0, 0.0, 0.0]);
    const FLOOR: Pose = Pose::at(Vec3::ZERO);

    fn all_at(points: &ContactPoints, count: usize, dist: Real) {
        assert_eq!(points.len(), count);
        for point in points.iter() {
            assert!((point.dist - dist).abs() < TOLERANCE, "{point:?}");
            // midway between the plane and the shape
            assert!((point.pos[2] - dist / 2.0).abs() < TOLERANCE, "{point:?}");
            assert_eq!(point.normal, Vec3::Z);
        }
    }

    #[test]
    fn a_sphere_is_as_deep_as_its_centre_is_low() {
        let wall = Pose { pos: Vec3::new(2.0, 7.0, 7.0), mat: ALONG_X };
        let mut points = ContactPoints::new();
        let center = Vec3::new(2.4, 5.0, 6.0);
        plane_sphere(&wall, center, 0.5, 0.0, &mut points);
        assert!((points[0].dist + 0.1).abs() < TOLERANCE);
        assert!((points[0].pos - Vec3::new(1.95, 5.0, 6.0)).norm() < TOLERANCE);
        points.clear();
        plane_sphere(&wall, center, 0.3, 0.05, &mut points);
        assert!(points.is_empty());
        plane_sphere(&wall, center, 0.3, 0.15, &mut points);
        assert!((points[0].dist - 0.1).abs() < TOLERANCE);
    }

    #[test]
    fn a_capsule_lies_on_two_points_and_stands_on_one() {
        let mut points = ContactPoints::new();
        let lying = Pose { pos: Vec3::new(0.0, 0.0, 0.15), mat: ALONG_X };
        plane_capsule(&FLOOR, &lying, 0.2, 0.5, 0.0, &mut points);
        all_at(&points, 2, -0.05);
        assert!(points.iter().all(|p| p.tangent == Vec3::X));
        assert!((points[0].pos[0] - 0.5).abs() < TOLERANCE);
        points.clear();
        let standing = Pose::at(Vec3::new(0.0, 0.0, 0.6));
        plane_capsule(&FLOOR, &standing, 0.2, 0.5, 0.0, &mut points);
        all_at(&points, 1, -0.1);
    }

    #[test]
    fn a_cylinder_lies_on_two_points_and_stands_on_a_triangle() {
        let mut points = ContactPoints::new();
        let lying = Pose { pos: Vec3::new(0.0, 0.0, 0.9), mat: ALONG_X };
        plane_cylinder(&FLOOR, &lying, 1.0, 0.5, 0.0, &mut points);
        all_at(&points, 2, -0.1);
        assert!(points.iter().all(|p| (p.pos[0].abs() - 0.5).abs() < TOLERANCE));
        points.clear();
        let standing = Pose::at(Vec3::new(0.0, 0.0, 0.45));
        plane_cylinder(&FLOOR, &standing, 1.0, 0.5, 0.0, &mut points);
        all_at(&points, 3, -0.05);
        // equal sides around the axis
        let sum = points.iter().fold(Vec3::ZERO, |sum, p| sum + p.pos);
        assert!(sum[0].abs() < TOLERANCE && sum[1].abs() < TOLERANCE);
        let side = (points[0].pos - points[1].pos).norm();
        assert!((side - sqrt(3.0)).abs() < TOLERANCE);
    }

    #[test]
    fn a_box_rests_on_a_face_an_edge_or_a_corner() {
        let half = Vec3::new(0.5, 0.5, 0.5);
        let eighth = ferrodyn_math::PI / 4.0;
        let on_edge = Quat::from_axis_angle(Vec3::X, eighth);
        // the diagonal of the cube upright
        let diagonal = Vec3::new(1.0, 1.0, 1.0).normalize().0;
        let on_corner = Quat::from_z_to(diagonal).conjugate();
        let reach = [0.5, sqrt(0.5), sqrt(0.75)];
        for ((quat, count), reach) in
            [(Quat::IDENTITY, 4), (on_edge, 2), (on_corner, 1)].into_iter().zip(reach)
        {
            let cube = Pose { pos: Vec3::new(0.0, 0.0, reach - 0.05), mat: quat.to_mat() };
            let mut points = ContactPoints::new();
            plane_box(&FLOOR, &cube, half, 0.0, &mut points);
            all_at(&points, count, -0.05);
        }
    }
}
