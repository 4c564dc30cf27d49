//! Where a ray first meets a shape.
//!
//! A ray is the points `origin + t * dir` with `t` not negative; `dir` need not be a unit vector, and
//! distances are in units of its length. Rays that begin inside a shape meet its surface from inside.
//!
//! For round shapes, the surface is a quadratic form, and the ray in it a quadratic equation in `t`; for flat ones,
//! each face is a plane, and the point on it is inside of the face or not. The least `t ≥ 0` of all surfaces counts.
//! Most functions first ask for a sphere around the shape, without a frame.
mod flat;
mod flex;
mod height_field;
mod mesh;
mod round;
mod skin;

use ferrodyn_math::{MIN_VAL, Real, Vec3, sqrt};

pub use flat::{ray_box, ray_plane};
pub use flex::{Flex, FlexParts, ray_flex};
pub use height_field::ray_height_field;
pub use mesh::{TriangleMesh, ray_mesh};
pub use round::{ray_capsule, ray_cylinder, ray_ellipsoid, ray_sphere};
pub use skin::{SkinHit, ray_skin};

use crate::Pose;

/// A half line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Where it begins.
    pub origin: Vec3,
    /// Where it goes.
    pub dir: Vec3,
}

/// Where a ray meets a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Distance from the origin, in units of the length of the ray's direction.
    pub distance: Real,
    /// Unit normal of the surface, in the world.
    pub normal: Vec3,
}

impl Hit {
    /// A hit, unless a number is not finite.
    pub(crate) fn new(distance: Real, normal: Vec3) -> Option<Hit> {
        let sum = distance + normal[0] + normal[1] + normal[2];
        sum.is_finite().then_some(Hit { distance, normal })
    }
}

impl Ray {
    /// The ray in the frame of a shape.
    #[inline]
    pub(crate) fn to_local(self, pose: &Pose) -> Ray {
        Ray { origin: pose.to_local(self.origin), dir: pose.mat.mul_transposed(self.dir) }
    }

    /// The point at a distance.
    #[inline]
    pub(crate) fn at(&self, distance: Real) -> Vec3 {
        self.origin.add_scaled(self.dir, distance)
    }

    /// Where the ray enters a sphere around a point, or leaves it; for bounds. `|o + t d - c|² = r²`.
    #[inline]
    pub fn sphere_distance(&self, center: Vec3, radius_squared: Real) -> Option<Real> {
        let dif = self.origin - center;
        let (a, b) = (self.dir.dot(self.dir), self.dir.dot(dif));
        roots(a, b, dif.dot(dif) - radius_squared)?.first()
    }
}

/// Both solutions of a quadratic equation, the smaller one first.
#[derive(Clone, Copy, Debug)]
struct Roots([Real; 2]);

impl Roots {
    /// The smallest one that is not negative.
    #[inline]
    fn first(self) -> Option<Real> {
        self.0.into_iter().find(|x| *x >= 0.0)
    }
}

/// The solutions of `a x² + 2 b x + c = 0`; none for a ray without length in this equation (`a` below [`MIN_VAL`]).
/// MuJoCo: `ray_quad`.
#[inline]
fn roots(a: Real, b: Real, c: Real) -> Option<Roots> {
    // a quarter of the discriminant, since b is halved
    let det = b * b - a * c;
    if det < 0.0 || a < MIN_VAL {
        return None;
    }
    let det = sqrt(det);
    Some(Roots([(-b - det) / a, (-b + det) / a]))
}

#[cfg(test)]
mod tests {
    use ferrodyn_math::{Quat, by_precision};

    use super::*;

    fn down(x: Real, y: Real) -> Ray {
        Ray { origin: Vec3::new(x, y, 4.0), dir: Vec3::new(0.0, 0.0, -2.0) }
    }

    #[test]
    fn distances_are_in_units_of_the_direction() {
        let pose = Pose::at(Vec3::ZERO);
        let hit = ray_sphere(&down(0.0, 0.0), pose.pos, 1.0).unwrap();
        assert_eq!((hit.distance, hit.normal), (1.5, Vec3::Z));
        let hit = ray_box(&down(0.2, 0.1), &pose, Vec3::new(1.0, 1.0, 2.0)).unwrap();
        assert_eq!((hit.distance, hit.normal), (1.0, Vec3::Z));
        let hit = ray_capsule(&down(0.0, 0.0), &pose, 0.5, 1.5).unwrap();
        assert_eq!((hit.distance, hit.normal), (1.0, Vec3::Z));
        let hit = ray_cylinder(&down(0.0, 0.4), &pose, 0.5, 1.0).unwrap();
        assert_eq!((hit.distance, hit.normal), (1.5, Vec3::Z));
        let hit = ray_ellipsoid(&down(0.0, 0.0), &pose, Vec3::new(1.0, 2.0, 2.0)).unwrap();
        assert_eq!((hit.distance, hit.normal), (1.0, Vec3::Z));
        let hit = ray_plane(&down(3.0, 0.0), &pose, Vec3::new(0.0, 1.0, 1.0)).unwrap();
        assert_eq!((hit.distance, hit.normal), (2.0, Vec3::Z));
    }

    #[test]
    fn a_ray_that_passes_by_meets_nothing() {
        let pose = Pose::at(Vec3::ZERO);
        let ray = down(1.1, 0.0);
        assert!(ray_sphere(&ray, pose.pos, 1.0).is_none());
        assert!(ray_box(&ray, &pose, Vec3::new(1.0, 1.0, 2.0)).is_none());
        assert!(ray_capsule(&ray, &pose, 1.0, 1.0).is_none());
        assert!(ray_cylinder(&ray, &pose, 1.0, 1.0).is_none());
        assert!(ray_ellipsoid(&ray, &pose, Vec3::new(1.0, 2.0, 3.0)).is_none());
        assert!(ray_plane(&ray, &pose, Vec3::new(1.0, 1.0, 1.0)).is_none());
        // the back of a plane is open
        let up = Ray { origin: Vec3::new(0.0, 0.0, -1.0), dir: Vec3::Z };
        assert!(ray_plane(&up, &pose, Vec3::ZERO).is_none());
    }

    #[test]
    fn a_ray_without_length_or_with_odd_numbers_meets_nothing() {
        let pose = Pose::at(Vec3::ZERO);
        for dir in [Vec3::ZERO, Vec3::new(Real::NAN, 0.0, 0.0), Vec3::new(Real::INFINITY, 1.0, 0.0)]
        {
            let ray = Ray { origin: Vec3::ZERO, dir };
            assert!(ray_sphere(&ray, pose.pos, 1.0).is_none());
            assert!(ray_box(&ray, &pose, Vec3::new(1.0, 1.0, 1.0)).is_none());
            assert!(ray_capsule(&ray, &pose, 1.0, 1.0).is_none());
            assert!(ray_cylinder(&ray, &pose, 1.0, 1.0).is_none());
            assert!(ray_ellipsoid(&ray, &pose, Vec3::new(1.0, 1.0, 1.0)).is_none());
            assert!(ray_plane(&ray, &pose, Vec3::ZERO).is_none());
        }
    }

    #[test]
    fn from_inside_the_far_surface_is_met() {
        let pose = Pose::at(Vec3::ZERO);
        let ray = Ray { origin: Vec3::ZERO, dir: Vec3::X };
        assert_eq!(ray_box(&ray, &pose, Vec3::new(2.0, 1.0, 1.0)).unwrap().distance, 2.0);
        assert_eq!(ray_capsule(&ray, &pose, 0.5, 1.0).unwrap().distance, 0.5);
    }

    #[test]
    fn slanted_hits_have_the_normal_of_the_surface() {
        let tolerance = by_precision(1e-12, 1e-5);
        let pose = Pose::at(Vec3::ZERO);
        let expect = |hit: Option<Hit>, distance: Real, normal: Vec3| {
            let hit = hit.unwrap();
            assert!((hit.distance - distance).abs() < tolerance, "{hit:?}");
            assert!((hit.normal - normal).norm() < tolerance, "{hit:?}");
        };
        // the side of a cylinder at x = -0.8
        let ray = |y, z| Ray { origin: Vec3::new(-3.0, y, z), dir: Vec3::new(2.0, 0.0, 0.0) };
        let side = Vec3::new(-0.8, 0.6, 0.0);
        expect(ray_cylinder(&ray(0.6, 0.5), &pose, 1.0, 1.0), 1.1, side);
        expect(ray_sphere(&ray(0.6, 0.0), pose.pos, 1.0), 1.1, side);
        expect(ray_capsule(&ray(0.6, 0.5), &pose, 1.0, 1.0), 1.1, side);
        // the end of a capsule, 0.6 above its segment
        expect(ray_capsule(&ray(0.0, 1.6), &pose, 1.0, 1.0), 1.1, Vec3::new(-0.8, 0.0, 0.6));
        expect(ray_capsule(&ray(0.0, -1.6), &pose, 1.0, 1.0), 1.1, Vec3::new(-0.8, 0.0, -0.6));
        // (x/2)² + y² = 1 at y = 0.6
        let normal = Vec3::new(-1.6 / 4.0, 0.6, 0.0).normalize().0;
        let radii = Vec3::new(2.0, 1.0, 1.0);
        expect(ray_ellipsoid(&ray(0.6, 0.0), &pose, radii), 0.7, normal);
        // a cube turned by 45 degrees: its face is at x = y - √2
        let mat = Quat::from_axis_angle(Vec3::Z, ferrodyn_math::PI / 4.0).to_mat();
        let root: Real = sqrt(2.0);
        let cube = Pose { pos: Vec3::ZERO, mat };
        let face = Vec3::new(-1.0, 1.0, 0.0).normalize().0;
        let size = Vec3::new(1.0, 1.0, 1.0);
        expect(ray_box(&ray(0.2, 0.1), &cube, size), (3.2 - root) / 2.0, face);
    }
}
