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
