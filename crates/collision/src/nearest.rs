//! The nearest point of a shape's surface, from outside or from inside.
//!
//! ```text
//!            x                distance > 0: outside, normal = (x - p) / distance
//!            |
//!    ________p________        distance < 0: inside, the normal still points out, so that x = p + distance · normal
//! ```
use ferrodyn_math::{MIN_VAL, Real, Vec3, by_precision, sqrt};

use crate::{HeightField, Pose, SdfField};

/// The point of a surface that is nearest to another point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// Signed distance of the other point: negative inside.
    pub distance: Real,
    /// Unit vector out of the surface.
    pub normal: Vec3,
    /// The point of the surface.
    pub point: Vec3,
}

/// A shape in its own frame.
#[derive(Clone, Copy, Debug)]
pub enum Surface<'a> {
    /// The half space below z = 0.
    Plane,
    /// A sphere of radius.
    Sphere(Real),
    /// A capsule along z: radius, half length.
    Capsule(Real, Real),
    /// An ellipsoid with three radii.
    Ellipsoid(Vec3),
    /// A cylinder along z: radius, half length.
    Cylinder(Real, Real),
    /// A box with half sizes.
    Box(Vec3),
    /// The ground below a grid of elevations.
    HeightField(HeightField<'a>),
    /// A distance field; as exact as that is.
    Field(SdfField<'a>),
}

impl Surface<'_> {
    /// The nearest point of the surface; none where a height field has no ground below a point.
    ///
    /// ```
    /// use ferrodyn_collision::{Pose, Surface};
    /// use ferrodyn_math::Vec3;
    /// let ball = Surface::Sphere(1.0);
    /// let found = ball.nearest(&Pose::at(Vec3::X), Vec3::new(1.0, 0.0, 3.0)).unwrap();
    /// assert_eq!((found.distance, found.normal), (2.0, Vec3::Z));
    /// assert_eq!(found.point, Vec3::new(1.0, 0.0, 1.0));
    /// ```
    pub fn nearest(&self, pose: &Pose, point: Vec3) -> Option<Nearest> {
        let x = pose.to_local(point);
        let (distance, normal) = match self {
            Surface::Plane => (x[2], Vec3::Z),
            Surface::Sphere(radius) => from_core(x, *radius),
            Surface::Capsule(radius, half) => {
                let core = Vec3::new(0.0, 0.0, x[2].max(-half).min(*half));
                from_core(x - core, *radius)
            }
            Surface::Ellipsoid(radii) => ellipsoid(x, *radii),
            Surface::Cylinder(radius, half) => cylinder(x, *radius, *half),
            Surface::Box(half) => cube(x, *half),
            Surface::HeightField(field) => height_field(x, field)?,
            Surface::Field(field) => {
                // not every gradient has length one: to first order the surface is this far along it
                let (gradient, slope) = field.gradient(x).normalize();
                if slope < MIN_VAL {
                    return None;
                }
                (field.distance(x) / slope, gradient)
            }
        };
        let normal = &pose.mat * normal;
        Some(Nearest { distance, normal, point: point.add_scaled(normal, -distance) })
    }
}

/// From a point or a segment with a radius around it; upwards where there is no direction.
fn from_core(x: Vec3, radius: Real) -> (Real, Vec3) {
    let length = x.norm();
    let normal = if length < MIN_VAL { Vec3::Z } else { x * (1.0 / length) };
    (length - radius, normal)
}

/// Outside from the nearest point, inside through the nearest face.
fn cube(x: Vec3, half: Vec3) -> (Real, Vec3) {
    let clamped = Vec3(core::array::from_fn(|i| x[i].max(-half[i]).min(half[i])));
    let out = x - clamped;
    let distance = out.norm();
    if distance > 0.0 {
        return (distance, out * (1.0 / distance));
    }
    let mut face = 0;
    for i in 1..3 {
        if half[i] - x[i].abs() < half[face] - x[face].abs() {
            face = i;
        }
    }
    let mut normal = Vec3::ZERO;
    normal[face] = if x[face] < 0.0 { -1.0 } else { 1.0 };
    (x[face].abs() - half[face], normal)
}

/// In the half plane of axis and point a cylinder is a rectangle: cap, barrel or edge.
fn cylinder(x: Vec3, radius: Real, half: Real) -> (Real, Vec3) {
    let across = sqrt(x[0] * x[0] + x[1] * x[1]);
    let radial =
        if across < MIN_VAL { Vec3::X } else { Vec3::new(x[0] / across, x[1] / across, 0.0) };
    let axial = Vec3::new(0.0, 0.0, if x[2] < 0.0 { -1.0 } else { 1.0 });
    let (side, cap) = (across - radius, x[2].abs() - half);
    if side > 0.0 && cap > 0.0 {
        let distance = sqrt(side * side + cap * cap);
        return (distance, radial * (side / distance) + axial * (cap / distance));
    }
    if side > cap { (side, radial) } else { (cap, axial) }
}

/// Newton steps towards the nearest point of an ellipsoid: from the side on which it starts the method converges monotonously, and
/// doubles its digits from the third or fourth step on.
const ELLIPSOID_STEPS: usize = 16;

/// The nearest point is `pᵢ = rᵢ² xᵢ / (t + rᵢ²)` with `Σ (pᵢ / rᵢ)² = 1`, and `t > -min r²` has one solution, on whose left that sum is
/// above one and convex. In the plane through the centre where that fails, to first order.
fn ellipsoid(x: Vec3, radii: Vec3) -> (Real, Vec3) {
    let square = radii.mul_elem(radii);
    let least = square[0].min(square[1]).min(square[2]);
    // where the largest term alone is one, the sum is at least one
    let mut t = -least;
    for i in 0..3 {
        t = t.max(radii[i] * x[i].abs() - square[i]);
    }
    let mut found = t > -least * (1.0 - by_precision(1e-9, 1e-4));
    for _ in 0..ELLIPSOID_STEPS {
        let (mut sum, mut slope) = (-1.0, 0.0);
        for i in 0..3 {
            let term = radii[i] * x[i] / (t + square[i]);
            sum += term * term;
            slope -= 2.0 * term * term / (t + square[i]);
        }
        if !found || slope >= 0.0 || sum <= 0.0 {
            break;
        }
        t -= sum / slope;
        found = t.is_finite();
    }
    if found {
        let nearest = Vec3(core::array::from_fn(|i| square[i] * x[i] / (t + square[i])));
        let normal = Vec3(core::array::from_fn(|i| nearest[i] / square[i])).normalize().0;
        return ((x - nearest).dot(normal), normal);
    }
    // close to the middle plane, deep inside: through the end of the shortest axis
    let mut short = 0;
    for i in 1..3 {
        if radii[i] < radii[short] {
            short = i;
        }
    }
    let mut normal = Vec3::ZERO;
    normal[short] = if x[short] < 0.0 { -1.0 } else { 1.0 };
    (x[short].abs() - radii[short], normal)
}

/// The plane of the triangle below a point, which lies over the field.
fn height_field(x: Vec3, field: &HeightField<'_>) -> Option<(Real, Vec3)> {
    if x[0].abs() > field.size[0] || x[1].abs() > field.size[1] || x[2] < -field.size[3] {
        return None;
    }
    if field.rows < 2 || field.columns < 2 {
        return None;
    }
    let [dx, dy] = field.spacing();
    // casts saturate, and the last node belongs to the cell before it
    let column = (((x[0] + field.size[0]) / dx).max(0.0) as usize).min(field.columns - 2);
    let row = (((x[1] + field.size[1]) / dy).max(0.0) as usize).min(field.rows - 2);
    let node = |i: usize, j: usize| field.node([dx, dy], row + i, column + j);
    // the diagonal goes from the lower left to the upper right corner of a cell
    let (low, high) = (node(0, 0), node(1, 1));
    let (across, along) = ((x[0] - low[0]) * dy, (x[1] - low[1]) * dx);
    let normal = if across > along {
        (node(0, 1) - low).cross(high - low)
    } else {
        (high - low).cross(node(1, 0) - low)
    };
    let normal = normal.normalize().0;
    Some(((x - low).dot(normal), normal))
}

#[cfg(test)]
mod tests {
    use ferrodyn_math::Quat;

    use super::*;

    const TOLERANCE: Real = by_precision(1e-9, 1e-4);

    /// Points around and inside of a shape about as large as one.
    fn points() -> impl Iterator<Item = Vec3> {
        (0..200).map(|i| {
            let at = |base| (ferrodyn_math::halton(i + 1, base) as Real - 0.5) * 3.0;
            Vec3::new(at(2), at(3), at(5))
        })
    }

    #[test]
    fn the_nearest_point_is_on_the_surface_and_no_other_is_nearer() {
        let pose = Pose {
            pos: Vec3::new(0.1, -0.2, 0.3),
            mat: Quat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), 0.7).to_mat(),
        };
        let shapes = [
            Surface::Plane,
            Surface::Sphere(0.7),
            Surface::Capsule(0.3, 0.5),
            Surface::Cylinder(0.5, 0.4),
            Surface::Box(Vec3::new(0.4, 0.5, 0.6)),
            Surface::Ellipsoid(Vec3::new(0.4, 0.7, 0.9)),
        ];
        for shape in shapes {
            for x in points() {
                let found = shape.nearest(&pose, x).unwrap();
                assert!((found.normal.norm() - 1.0).abs() < TOLERANCE, "{shape:?} at {x:?}");
                let there = shape.nearest(&pose, found.point).unwrap();
                assert!(there.distance.abs() < TOLERANCE, "{shape:?} at {x:?}: {there:?}");
                // distances change by no more than the way between two points
                for y in points().take(20) {
                    let other = shape.nearest(&pose, y).unwrap();
                    let most = (x - y).norm() + TOLERANCE;
                    assert!(
                        (found.distance - other.distance).abs() < most,
                        "{shape:?}: {x:?} {y:?}"
                    );
                }
                // and grow along the normal by the whole way
                let out = shape.nearest(&pose, x.add_scaled(found.normal, 0.25));
                if found.distance > 0.0 {
                    let out = out.unwrap().distance;
                    assert!((out - found.distance - 0.25).abs() < TOLERANCE, "{shape:?} {x:?}");
                }
            }
        }
    }

    #[test]
    fn centres_have_a_way_out() {
        let shapes = [
            (Surface::Sphere(0.7), 0.7),
            (Surface::Capsule(0.3, 0.5), 0.3),
            (Surface::Cylinder(0.5, 0.4), 0.4),
            (Surface::Box(Vec3::new(0.4, 0.5, 0.6)), 0.4),
            (Surface::Ellipsoid(Vec3::new(0.9, 0.4, 0.7)), 0.4),
        ];
        for (shape, depth) in shapes {
            let found = shape.nearest(&Pose::at(Vec3::ZERO), Vec3::ZERO).unwrap();
            assert!((found.distance + depth).abs() < TOLERANCE, "{shape:?}: {found:?}");
            assert!((found.normal.norm() - 1.0).abs() < TOLERANCE, "{shape:?}: {found:?}");
        }
    }

    #[test]
    fn a_height_field_is_the_plane_of_its_triangles() {
        let data = [0.0, 0.5, 1.0, 0.0, 0.5, 1.0];
        let field = HeightField { rows: 2, columns: 3, size: [1.0, 2.0, 1.0, 0.1], data: &data };
        let ramp = Surface::HeightField(field);
        let found = ramp.nearest(&Pose::at(Vec3::ZERO), Vec3::new(0.2, 0.3, 1.0)).unwrap();
        // z = (x + 1) / 2
        let normal = Vec3::new(-1.0, 0.0, 2.0).normalize().0;
        assert!((found.normal - normal).norm() < TOLERANCE, "{found:?}");
        assert!((found.distance - (1.0 - 0.6) * normal[2]).abs() < TOLERANCE, "{found:?}");
        assert!(ramp.nearest(&Pose::at(Vec3::ZERO), Vec3::new(1.2, 0.0, 0.0)).is_none());
        assert!(ramp.nearest(&Pose::at(Vec3::ZERO), Vec3::new(0.2, 0.0, -0.5)).is_none());
    }

    #[test]
    fn a_distance_field_gives_what_it_has() {
        let found = Surface::Field(SdfField::Sphere(0.5))
            .nearest(&Pose::at(Vec3::ZERO), Vec3::new(0.0, 2.0, 0.0))
            .unwrap();
        assert_eq!((found.distance, found.normal), (1.5, Vec3::Y));
    }
}
