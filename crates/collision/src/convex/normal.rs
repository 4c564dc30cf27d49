//! Exact normals of round shapes.
//!
//! A search ends within a tolerance of the deepest point, and its normal is off by more than that, since it is the direction between two points that
//! are close to each other. For a cylinder or an ellipsoid the normal at a point near the surface has a formula, or one of few iterations.
use ferrodyn_math::{MIN_VAL, Real, Vec3, sqrt};

use super::ConvexShape;
use crate::Pose;

/// Iterations for an ellipsoid, and the change that ends them: MuJoCo's.
const MAX_ITERATIONS: usize = 30;
const TOLERANCE: Real = 1e-6;

/// The outward normal of a cylinder or an ellipsoid at a point near its surface; `guess` is one that is about right. None for other shapes, and
/// where the formula does not apply. MuJoCo: `mjc_fixNormal`.
pub fn surface_normal(
    shape: &ConvexShape<'_>,
    pose: &Pose,
    point: Vec3,
    guess: Vec3,
) -> Option<Vec3> {
    let point = pose.to_local(point);
    let normal = match *shape {
        ConvexShape::Ellipsoid(radii) => {
            if (0..3).any(|i| radii[i] < MIN_VAL) {
                return None;
            }
            // x²/a² + y²/b² + z²/c²
            let scaled = |i: usize| point[i] * point[i] / (radii[i] * radii[i]);
            if scaled(0) + scaled(1) + scaled(2) <= 1.0 {
                inside_ellipsoid(pose.mat.mul_transposed(guess), point, radii)?
            } else {
                outside_ellipsoid(point, radii)
            }
        }
        ConvexShape::Cylinder(radius, half_length) => {
            // near the flat ends there is nothing to mend; elsewhere the round wall must be the nearer one by far
            let to_end = (half_length - point[2].abs()).abs();
            let across = sqrt(point[0] * point[0] + point[1] * point[1]);
            let to_wall = (radius - across).abs();
            if point[2].abs() > 0.95 * half_length || to_end < 0.25 * to_wall {
                return None;
            }
            Vec3::new(point[0], point[1], 0.0)
        }
        _ => return None,
    };
    Some(&pose.mat * normal.normalize().0)
}

/// From inside: go along the normal to the surface, and take the normal there. MuJoCo: `mjc_ellipsoidInside`.
fn inside_ellipsoid(guess: Vec3, point: Vec3, radii: Vec3) -> Option<Vec3> {
    let inv: [Real; 3] = core::array::from_fn(|i| 1.0 / (radii[i] * radii[i]));
    // a, b in the metric of the ellipsoid
    let product =
        |a: Vec3, b: Vec3| a[0] * b[0] * inv[0] + a[1] * b[1] * inv[1] + a[2] * b[2] * inv[2];
    let c = product(point, point) - 1.0;
    if c > 0.0 {
        return None;
    }
    let mut normal = guess.normalize().0;
    for iteration in 0..MAX_ITERATIONS {
        // |point + x normal|² = 1: a x² + 2 b x + c = 0
        let (a, b) = (product(normal, normal), product(point, normal));
        let det = b * b - a * c;
        let known = (iteration > 0).then_some(normal);
        if det < MIN_VAL || a < MIN_VAL {
            return known;
        }
        let x = (-b + sqrt(det)) / a;
        if x < 0.0 {
            return known;
        }
        let on_surface = point.add_scaled(normal, x);
        let next = on_surface.mul_elem(Vec3(inv)).normalize().0;
        let change = (normal - next).norm();
        normal = next;
        if change < TOLERANCE {
            break;
        }
    }
    Some(normal)
}

/// From outside: the nearest point x of the surface has `point - x = λ S⁻² x`, and Newton's method finds λ. MuJoCo: `mjc_ellipsoidOutside`.
fn outside_ellipsoid(point: Vec3, radii: Vec3) -> Vec3 {
    let sqr: [Real; 3] = core::array::from_fn(|i| radii[i] * radii[i]);
    let weight: [Real; 3] = core::array::from_fn(|i| point[i] * point[i] * sqr[i]);
    let mut lambda = 0.0;
    for _ in 0..MAX_ITERATIONS {
        let r: [Real; 3] = core::array::from_fn(|i| 1.0 / (sqr[i] + lambda));
        let value =
            weight[0] * r[0] * r[0] + weight[1] * r[1] * r[1] + weight[2] * r[2] * r[2] - 1.0;
        let cube = |i: usize| weight[i] * r[i] * r[i] * r[i];
        let slope = -2.0 * (cube(0) + cube(1) + cube(2));
        if value < TOLERANCE || slope > -MIN_VAL {
            break;
        }
        let delta = -value / slope;
        if delta < TOLERANCE {
            break;
        }
        lambda += delta;
    }
    Vec3(core::array::from_fn(|i| point[i] / (sqr[i] + lambda))).normalize().0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_normal_of_an_ellipsoid_is_that_of_its_nearest_point() {
        let radii = Vec3::new(1.0, 2.0, 3.0);
        // a point of the surface, and its normal S⁻² x
        let on_surface = Vec3::new(0.6, 2.0 * 0.48, 3.0 * 0.64);
        let normal = Vec3(core::array::from_fn(|i| on_surface[i] / (radii[i] * radii[i])));
        let normal = normal.normalize().0;
        for offset in [0.05, -0.05] {
            let point = on_surface.add_scaled(normal, offset);
            let guess = (normal + Vec3::new(0.1, -0.1, 0.05)).normalize().0;
            let shape = ConvexShape::Ellipsoid(radii);
            let found = surface_normal(&shape, &Pose::at(Vec3::ZERO), point, guess).unwrap();
            assert!((found - normal).norm() < 1e-4, "{offset}: {found:?} {normal:?}");
        }
    }

    #[test]
    fn the_wall_of_a_cylinder_is_radial_and_its_ends_are_left_alone() {
        let shape = ConvexShape::Cylinder(0.5, 1.0);
        let at = |x, y, z| {
            let pose = Pose::at(Vec3::new(0.0, 0.0, 2.0));
            surface_normal(&shape, &pose, Vec3::new(x, y, z), Vec3::X)
        };
        assert!((at(0.3, 0.4, 2.2).unwrap() - Vec3::new(0.6, 0.8, 0.0)).norm() < 1e-6);
        assert_eq!(at(0.3, 0.4, 2.96), None);
        // nearer to the end than to the wall
        assert_eq!(at(0.01, 0.0, 2.94), None);
        assert_eq!(
            surface_normal(&ConvexShape::Point, &Pose::at(Vec3::ZERO), Vec3::X, Vec3::X),
            None
        );
    }
}
