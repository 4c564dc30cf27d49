//! Shapes as signed distance fields: distances, gradients, rays and contacts.
//!
//! A field gives for each point its distance to the surface, negative inside; its gradient is the direction out, of
//! length one where the field is exact. Two shapes overlap where both fields are negative, so that contacts are found
//! by going downhill (see [`collide`]), for shapes that need not be convex: tori, gears, nuts on bolts, meshes in
//! octrees.
//!
//! ```text
//!      +2 +1  0 -1 -1  0 +1 +2       values across a ball; |gradient| = 1, from - to +
//! ```
//!
//! Not all fields are exact. Unions and intersections of shapes (`min`, `max`) are bounds away from the surface, that
//! of an ellipsoid is a first-order estimate, the inside of a box has a smooth direction instead of a nearest face, so
//! that a descent does not jump between faces, and a mesh without octree is felt with a single ray. The formulas are
//! MuJoCo's, since a contact is where *its* fields say that it is. MuJoCo: `engine_collision_sdf.c`.
mod collide;
mod octree;
mod shape;

use core::cell::Cell;

use ferrodyn_math::{MAX_VAL, Real, Vec3, sqrt};

pub use collide::{SdfSettings, SdfSide, sdf_sdf};
pub use octree::Octree;
pub use shape::SdfShape;

use crate::{Hit, Pose, Ray, TriangleMesh, ray_box, ray_mesh};

/// A shape as a distance field, in its own frame.
#[derive(Clone, Copy, Debug)]
pub enum SdfField<'a> {
    /// The plane z = 0.
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
    /// A shape with a name.
    Shape(SdfShape),
    /// A mesh with an octree.
    Octree(Octree<'a>),
    /// A mesh without one, which is felt with rays towards the origin of the world ([`FeltMesh`]).
    Mesh(FeltMesh<'a>),
}

/// A mesh that is felt with rays.
///
/// This is MuJoCo's stand-in for a distance to a mesh without octree: how far the ray from a point to the *world's*
/// origin goes to meet the mesh, as a share of the way there, or minus that of the opposite ray where the mesh lies
/// beyond. It is no distance and changes when the scene is moved; it is here since MuJoCo's contacts of such meshes
/// come from it.
#[derive(Clone, Copy, Debug)]
pub struct FeltMesh<'a> {
    /// The triangles.
    pub mesh: TriangleMesh<'a>,
    /// Where the mesh is in the world.
    pub pose: Pose,
    /// One mark for each box of the mesh's tree, set to 1 as `ray_mesh` says; None to set none.
    pub marks: Option<&'a [Cell<u8>]>,
}

/// A unit direction in the inside of a box that turns from radial to normal at the faces. MuJoCo: `radialField3d`.
fn radial(a: Vec3, x: Vec3, size: Vec3) -> Vec3 {
    // a is negative inside, and vanishes at a face, whose direction then outweighs the others
    let field = Vec3::new(-size[0] / a[0], -size[1] / a[1], -size[2] / a[2]).normalize().0;
    Vec3(core::array::from_fn(|i| if x[i] < 0.0 { -field[i] } else { field[i] }))
}

/// The parts of a vector that are positive.
fn positive(a: Vec3) -> Vec3 {
    Vec3(a.0.map(|x| x.max(0.0)))
}

fn divide(a: Vec3, b: Vec3) -> Vec3 {
    Vec3::new(a[0] / b[0], a[1] / b[1], a[2] / b[2])
}

/// How a box extends beyond each face, at a point.
fn beyond(x: Vec3, size: Vec3) -> Vec3 {
    Vec3(core::array::from_fn(|i| x[i].abs() - size[i]))
}

/// From the nearest point of the segment along z.
fn from_segment(x: Vec3, half: Real) -> Vec3 {
    // as min and max, so that a negative length is no reason to stop
    Vec3::new(x[0], x[1], x[2] - x[2].max(-half).min(half))
}

impl FeltMesh<'_> {
    /// Distance along a ray, in units of its length; -1 where it meets nothing.
    fn cast(&self, ray: &Ray) -> Real {
        // boxes that the ray went through are marked for whoever draws them
        let hit = ray_mesh(ray, &self.pose, &self.mesh, |node| {
            if let Some(mark) = self.marks.and_then(|marks| marks.get(node)) {
                mark.set(1);
            }
        });
        hit.map_or(-1.0, |hit| hit.distance)
    }

    /// The ray from a point to the origin of the world, its distance, and whether that is longer than the way there.
    fn inward(&self, x: Vec3) -> (Ray, Real, bool) {
        let origin = self.pose.to_global(x);
        let ray = Ray { origin, dir: -origin };
        let distance = self.cast(&ray);
        (ray, distance, distance > ray.dir.norm())
    }

    /// Distance along a ray from the point to the origin of the world, or back.
    fn distance(&self, x: Vec3) -> Real {
        let (ray, distance, beyond) = self.inward(x);
        if beyond { -self.cast(&Ray { dir: ray.origin, ..ray }) } else { distance }
    }

    fn gradient(&self, x: Vec3) -> Vec3 {
        let (_, _, beyond) = self.inward(x);
        Vec3([if beyond { 1.0 } else { -1.0 }; 3])
    }
}

fn box_distance(x: Vec3, size: Vec3) -> Real {
    // outside: the distance to the nearest face, edge or corner
    let a = beyond(x, size);
    if a.0.iter().any(|a| *a >= 0.0) {
        return positive(a).norm() + a[0].max(a[1].max(a[2])).min(0.0);
    }
    // inside: how far it is to the nearest face along that direction
    let b = radial(a, x, size);
    let t = |i: usize| -a[i] / b[i].abs();
    -t(0).min(t(1).min(t(2))) * b.norm()
}

fn box_gradient(x: Vec3, size: Vec3) -> Vec3 {
    let a = beyond(x, size);
    // inside
    if a.0.iter().all(|a| *a < 0.0) {
        return radial(a, x, size);
    }
    // outside: away from the nearest point of the box
    let b = positive(a);
    let c = b.norm();
    // coordinates within the box have no part in it
    let along = |i: usize| if a[i] > 0.0 { b[i] / c * x[i] / x[i].abs() } else { 0.0 };
    Vec3::new(along(0), along(1), along(2))
}

/// Gradient of `k₀ (k₀ - 1) / k₁` with `k₀ = |x / r|`, `k₁ = |x / r²|`, made a unit vector.
fn ellipsoid_gradient(x: Vec3, radii: Vec3) -> Vec3 {
    let a = divide(x, radii);
    let b = divide(a, radii);
    // product rule: (2 k₀ - 1) ∇k₀ / k₁ - k₀ (k₀ - 1) ∇k₁ / k₁²
    let (k0, k1) = (a.norm(), b.norm());
    let (inv0, inv1) = (1.0 / k0, 1.0 / k1);
    let by0 = (2.0 * k0 - 1.0) * inv1;
    let by1 = k0 * (k0 - 1.0) * inv1 * inv1;
    let along = |i: usize| b[i] * inv0 * by0 - b[i] * inv1 / (radii[i] * radii[i]) * by1;
    Vec3::new(along(0), along(1), along(2)).normalize().0
}

/// In the half plane of axis and point a cylinder is a rectangle.
fn cylinder_distance(x: Vec3, radius: Real, half: Real) -> Real {
    let a = [sqrt(x[0] * x[0] + x[1] * x[1]) - radius, x[2].abs() - half];
    let b = a.map(|a| a.max(0.0));
    a[0].max(a[1]).min(0.0) + sqrt(b[0] * b[0] + b[1] * b[1])
}

fn cylinder_gradient(x: Vec3, radius: Real, half: Real) -> Vec3 {
    // on the axis and in the middle a quotient is 0 / 0: this makes it zero. MuJoCo divides by at least 1 / mjMAXVAL
    const TINY: Real = 1.0 / MAX_VAL;
    let (c, e) = (sqrt(x[0] * x[0] + x[1] * x[1]), x[2].abs());
    let (out, up) = (c - radius, e - half);
    let [gx, gy, gz] = [x[0] / c.max(TINY), x[1] / c.max(TINY), x[2] / e.max(TINY)];
    if out.max(up) < 0.0 {
        // inside: towards the nearer of side and cap
        return if out > up { Vec3::new(gx, gy, 0.0) } else { Vec3::new(0.0, 0.0, gz) };
    }
    // outside: away from the side, the cap or the rim
    let (b0, b1) = (out.max(0.0), up.max(0.0));
    let norm = sqrt(b0 * b0 + b1 * b1).max(TINY);
    Vec3::new(gx * b0 / norm, gy * b0 / norm, gz * b1 / norm)
}

impl SdfField<'_> {
    /// Signed distance of a point: negative inside. MuJoCo: `mjc_distance`.
    pub fn distance(&self, x: Vec3) -> Real {
        match self {
            SdfField::Plane => x[2],
            SdfField::Sphere(radius) => x.norm() - radius,
            SdfField::Capsule(radius, half) => from_segment(x, *half).norm() - radius,
            SdfField::Ellipsoid(radii) => {
                // first order in the distance: value of the implicit function over the length of its gradient
                let a = divide(x, *radii);
                let (k0, k1) = (a.norm(), divide(a, *radii).norm());
                k0 * (k0 - 1.0) / k1
            }
            SdfField::Cylinder(radius, half) => cylinder_distance(x, *radius, *half),
            SdfField::Box(size) => box_distance(x, *size),
            SdfField::Shape(shape) => shape.distance(x),
            SdfField::Octree(octree) => octree.distance(x),
            SdfField::Mesh(mesh) => mesh.distance(x),
        }
    }

    /// Gradient of the distance; not everywhere a unit vector. MuJoCo: `mjc_gradient`.
    pub fn gradient(&self, x: Vec3) -> Vec3 {
        match self {
            SdfField::Plane => Vec3::Z,
            SdfField::Sphere(_) => x * (1.0 / x.norm()),
            SdfField::Capsule(_, half) => {
                let a = from_segment(x, *half);
                let c = a.norm();
                divide(a, Vec3([c; 3]))
            }
            SdfField::Ellipsoid(radii) => ellipsoid_gradient(x, *radii),
            SdfField::Cylinder(radius, half) => cylinder_gradient(x, *radius, *half),
            SdfField::Box(size) => box_gradient(x, *size),
            SdfField::Shape(shape) => shape.gradient(x),
            SdfField::Octree(octree) => octree.gradient(x),
            SdfField::Mesh(mesh) => mesh.gradient(x),
        }
    }
}

/// Ray and distance field, whose surface lies in a box of half sizes: steps as long as the distance.
///
/// Other than for the other shapes, the distance of the hit is a length. MuJoCo: `mj_raySdf`.
pub fn ray_sdf(ray: &Ray, pose: &Pose, half_sizes: Vec3, field: &SdfField<'_>) -> Option<Hit> {
    // MuJoCo's: steps shrink with the distance, by half where a ray meets the surface at 30 degrees, so that forty
    // reach any surface that is not grazed
    const STEPS: usize = 40;
    // a tenth of a micrometre is on the surface; a thousand kilometres is nowhere
    const NEAR: Real = 1e-7;
    const FAR: Real = 1e6;
    ray_box(ray, pose, half_sizes)?;
    let local = ray.to_local(pose);
    let local = Ray { dir: local.dir.normalize().0, ..local };
    let mut total = 0.0;
    for _ in 0..STEPS {
        // as far as the distance a step cannot pass the surface
        let distance = field.distance(local.at(total)).abs();
        total += distance;
        if distance < NEAR {
            let normal = field.gradient(local.at(total)).normalize().0;
            return Hit::new(total, &pose.mat * normal);
        }
        if distance > FAR {
            break;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use ferrodyn_math::by_precision;

    use super::*;

    #[test]
    fn gradients_are_those_of_the_distances() {
        let fields = [
            SdfField::Sphere(0.5),
            SdfField::Capsule(0.3, 0.4),
            SdfField::Cylinder(0.4, 0.3),
            SdfField::Box(Vec3::new(0.3, 0.4, 0.5)),
        ];
        for field in fields {
            for x in [Vec3::new(0.9, -0.7, 0.8), Vec3::new(0.1, 0.6, -0.1)] {
                let expected = shape::difference_gradient(x, |x| field.distance(x));
                let error = (field.gradient(x) - expected).norm();
                assert!(error < by_precision(1e-6, 3e-3), "{field:?} at {x:?}: {error}");
            }
        }
    }

    #[test]
    fn a_ray_finds_the_surface_of_a_torus() {
        let torus = SdfShape::from_values("mujoco.sdf.torus", |_| None).unwrap();
        let pose = Pose::at(Vec3::new(0.0, 0.0, 1.0));
        let ray = Ray { origin: Vec3::new(0.35, 0.0, 3.0), dir: Vec3::new(0.0, 0.0, -1.0) };
        let hit = ray_sdf(&ray, &pose, torus.half_sizes(), &SdfField::Shape(torus)).unwrap();
        assert!((hit.distance - 1.85).abs() < 1e-6);
        assert!((hit.normal - Vec3::Z).norm() < 1e-6);
        let aside = Ray { origin: Vec3::new(2.0, 0.0, 3.0), ..ray };
        assert!(ray_sdf(&aside, &pose, torus.half_sizes(), &SdfField::Shape(torus)).is_none());
    }

    #[test]
    fn distances_are_those_of_the_shapes() {
        let tolerance = by_precision(1e-12, 1e-5);
        let expect = |field: SdfField<'_>, x: [Real; 3], distance: Real| {
            let found = field.distance(Vec3(x));
            assert!((found - distance).abs() < tolerance, "{field:?} at {x:?}: {found}");
        };
        expect(SdfField::Plane, [5.0, 6.0, -0.3], -0.3);
        expect(SdfField::Sphere(2.0), [3.0, 4.0, 0.0], 3.0);
        // beside the segment, and 5 from its end
        expect(SdfField::Capsule(1.0, 2.0), [0.0, 1.5, 1.0], 0.5);
        expect(SdfField::Capsule(1.0, 2.0), [3.0, 0.0, 6.0], 4.0);
        // side, cap, rim and inside
        let cylinder = SdfField::Cylinder(1.0, 2.0);
        expect(cylinder, [0.0, 1.5, 1.0], 0.5);
        expect(cylinder, [0.5, 0.0, -2.25], 0.25);
        expect(cylinder, [4.0, 0.0, 6.0], 5.0);
        expect(cylinder, [0.7, 0.0, 0.0], -0.3);
        let cube = SdfField::Box(Vec3::new(1.0, 1.0, 1.0));
        expect(cube, [0.2, 0.3, 1.5], 0.5);
        expect(cube, [4.0, 5.0, 0.0], 5.0);
        expect(cube, [0.0, 0.0, 0.0], -ferrodyn_math::sqrt(3.0));
        // on the axis of an ellipsoid the estimate is exact
        expect(SdfField::Ellipsoid(Vec3::new(1.0, 2.0, 3.0)), [0.0, 2.5, 0.0], 0.5);
    }
}
