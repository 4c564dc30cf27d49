//! Volumes, inertias, bounds and fluid coefficients of the primitive shapes.

use core::f64::consts::PI;

use ferrodyn_math::MAX_VAL;
use ferrodyn_math::elementary::pow;
use ferrodyn_model::GeomType;
use libm::sqrt;

use crate::pose::{EPS, V3, double};

/// Volume of a shape, or the area of its surface; 0 for shapes without either.
pub(super) fn volume(kind: GeomType, shell: bool, size: &V3) -> f64 {
    let [a, b, c] = *size;
    match (kind, shell) {
        (GeomType::Sphere, false) => 4.0 * PI * a * a * a / 3.0,
        (GeomType::Sphere, true) => 4.0 * PI * a * a,
        (GeomType::Capsule, false) => PI * (a * a * (2.0 * b) + 4.0 * a * a * a / 3.0),
        (GeomType::Capsule, true) => 4.0 * PI * a * a + 2.0 * PI * a * (2.0 * b),
        (GeomType::Cylinder, false) => PI * a * a * (2.0 * b),
        (GeomType::Cylinder, true) => 2.0 * PI * a * a + 2.0 * PI * a * (2.0 * b),
        (GeomType::Ellipsoid, false) => 4.0 * PI * a * b * c / 3.0,
        (GeomType::Ellipsoid, true) => {
            // Thomsen's approximation of the area
            const P: f64 = 1.6075;
            let sum = pow(a * b, P) + pow(b * c, P) + pow(c * a, P);
            4.0 * PI * pow(sum / 3.0, 1.0 / P)
        }
        (GeomType::Box | GeomType::Hfield, false) => a * b * c * 8.0,
        (GeomType::Box | GeomType::Hfield, true) => 8.0 * (a * b + b * c + c * a),
        _ => 0.0,
    }
}

/// Principal moments of inertia of a shape of a given mass.
pub(super) fn inertia(kind: GeomType, shell: bool, size: &V3, mass: f64) -> V3 {
    match kind {
        GeomType::Sphere => {
            let i = 2.0 * mass * size[0] * size[0] / if shell { 3.0 } else { 5.0 };
            [i; 3]
        }
        GeomType::Capsule if shell => capsule_shell(size, mass),
        GeomType::Capsule => capsule(size, mass),
        GeomType::Cylinder if shell => cylinder_shell(size, mass),
        GeomType::Cylinder => {
            let (r, h) = (size[0], 2.0 * size[1]);
            let across = mass * (3.0 * r * r + h * h) / 12.0;
            [across, across, mass * r * r / 2.0]
        }
        GeomType::Ellipsoid if shell => ellipsoid_shell(size, mass),
        GeomType::Ellipsoid => ellipsoid(size, mass),
        GeomType::Box | GeomType::Hfield if shell => box_shell(size, mass),
        GeomType::Box | GeomType::Hfield => {
            let s = size.map(|x| x * x);
            [mass * (s[1] + s[2]) / 3.0, mass * (s[0] + s[2]) / 3.0, mass * (s[0] + s[1]) / 3.0]
        }
        _ => [0.0; 3],
    }
}

fn capsule(size: &V3, mass: f64) -> V3 {
    let (r, h) = (size[0], 2.0 * size[1]);
    // the mass is shared by volume between the cylinder and the two half spheres
    let sphere = mass * 4.0 * r / (4.0 * r + 3.0 * h);
    let cylinder = mass - sphere;
    let round = 2.0 * sphere * r * r / 5.0;
    let across =
        cylinder * (3.0 * r * r + h * h) / 12.0 + (round + sphere * h * (3.0 * r + 2.0 * h) / 8.0);
    [across, across, cylinder * r * r / 2.0 + round]
}

fn capsule_shell(size: &V3, mass: f64) -> V3 {
    let (r, h) = (size[0], 2.0 * size[1]);
    let (area_sphere, area_cylinder) = (4.0 * PI * r * r, 2.0 * PI * r * h);
    let sphere = mass * area_sphere / (area_sphere + area_cylinder);
    let cylinder = mass - sphere;
    let round = 2.0 * sphere * r * r / 3.0;
    // centre of mass of a half sphere, within itself and from the middle of the capsule
    let (near, far) = (r / 2.0, size[1] + r / 2.0);
    let across =
        cylinder * (6.0 * r * r + h * h) / 12.0 + (round + sphere * (far * far - near * near));
    [across, across, cylinder * r * r + round]
}

fn cylinder_shell(size: &V3, mass: f64) -> V3 {
    let (r, half) = (size[0], size[1]);
    let h = 2.0 * half;
    let (area_disk, area_side) = (PI * r * r, 2.0 * PI * r * h);
    let disk = mass * area_disk / (2.0 * area_disk + area_side);
    let side = mass - 2.0 * disk;
    let disk_across = disk * r * r / 4.0 + disk * half * half;
    let across = side * (6.0 * r * r + h * h) / 12.0 + 2.0 * disk_across;
    [across, across, side * r * r + 2.0 * (disk * r * r / 2.0)]
}

fn ellipsoid(size: &V3, mass: f64) -> V3 {
    let s = size.map(|x| x * x);
    [mass * (s[1] + s[2]) / 5.0, mass * (s[0] + s[2]) / 5.0, mass * (s[0] + s[1]) / 5.0]
}

/// A shell as the difference of two solid ellipsoids, one slightly larger.
fn ellipsoid_shell(size: &V3, mass: f64) -> V3 {
    // in m: thin beside any size, and the difference of the volumes still has half of its digits. MuJoCo's
    const THICKNESS: f64 = 1e-6;
    let larger = size.map(|x| x + THICKNESS);
    let inner = 4.0 * PI * size[0] * size[1] * size[2] / 3.0;
    let outer = 4.0 * PI * larger[0] * larger[1] * larger[2] / 3.0;
    let density = mass / (outer - inner);
    let a = ellipsoid(size, inner * density);
    let b = ellipsoid(&larger, outer * density);
    core::array::from_fn(|i| b[i] - a[i])
}

fn box_shell(size: &V3, mass: f64) -> V3 {
    let s = size.map(|x| x * x);
    let [lx, ly, lz] = size.map(|x| 2.0 * x);
    let areas = [lx * ly, ly * lz, lz * lx];
    let total = 2.0 * (areas[0] + areas[1] + areas[2]);
    let [m0, m1, m2] = areas.map(|area| mass * area / total);
    // faces across z, x and y
    let (x0, y0, z0) = (m0 * ly * ly / 12.0, m0 * lx * lx / 12.0, m0 * (lx * lx + ly * ly) / 12.0);
    let (x1, y1, z1) = (m1 * (ly * ly + lz * lz) / 12.0, m1 * lz * lz / 12.0, m1 * ly * ly / 12.0);
    let (x2, y2, z2) = (m2 * lz * lz / 12.0, m2 * (lx * lx + lz * lz) / 12.0, m2 * lx * lx / 12.0);
    [
        2.0 * (m0 * s[2] + m2 * s[1] + x0 + x1 + x2),
        2.0 * (m0 * s[2] + m1 * s[0] + y0 + y1 + y2),
        2.0 * (m1 * s[0] + m2 * s[1] + z0 + z1 + z2),
    ]
}

/// Radius of the bounding sphere; 0 for planes, which have none.
pub(super) fn bounding_radius(kind: GeomType, size: &V3) -> f64 {
    let [a, b, c] = *size;
    match kind {
        GeomType::Sphere => a,
        GeomType::Capsule => a + b,
        GeomType::Cylinder => sqrt(a * a + b * b),
        GeomType::Ellipsoid => a.max(b).max(c),
        GeomType::Box => sqrt(a * a + b * b + c * c),
        _ => 0.0,
    }
}

/// Bounding box in the frame of the shape: centre and half sizes.
pub(super) fn bounding_box(kind: GeomType, size: &V3) -> [f64; 6] {
    let [a, b, c] = *size;
    let half = match kind {
        GeomType::Sphere => [a; 3],
        GeomType::Capsule => [a, a, a + b],
        GeomType::Cylinder => [a, a, b],
        GeomType::Plane => {
            let far = double(MAX_VAL);
            return [0.0, 0.0, -far / 2.0, far, far, far / 2.0];
        }
        _ => [a, b, c],
    };
    [0.0, 0.0, 0.0, half[0], half[1], half[2]]
}

/// Coefficients of the ellipsoid fluid model: a mark, five given coefficients, then the virtual
/// masses and inertias of the ellipsoid of the shape's extents.
pub(super) fn fluid_coefficients(kind: GeomType, size: &V3, given: &[f64; 5]) -> [f64; 12] {
    let [dx, dy, dz] = kind.semi_axes(*size);
    let volume = 4.0 / 3.0 * PI * dx * dy * dz;
    let kx = added_mass(dx, dy, dz);
    let ky = added_mass(dy, dz, dx);
    let kz = added_mass(dz, dx, dy);
    // numerator and denominator have the same sign, so magnitudes do
    let rotational = |a: f64, b: f64, ka: f64, kb: f64| {
        let (difference, sum) = (a * a - b * b, a * a + b * b);
        let denominator = (2.0 * difference + sum * (ka - kb)).abs().max(EPS);
        difference * difference * (kb - ka).abs() / denominator
    };
    let mass = |k: f64| volume * k / (2.0 - k).max(EPS);
    [
        1.0,
        given[0],
        given[1],
        given[2],
        given[3],
        given[4],
        mass(kx),
        mass(ky),
        mass(kz),
        volume * rotational(dy, dz, ky, kz) / 5.0,
        volume * rotational(dz, dx, kz, kx) / 5.0,
        volume * rotational(dx, dy, kx, ky) / 5.0,
    ]
}

/// Coefficient of added mass along the first axis of an ellipsoid: the integral over l from 0 to
/// infinity of dx dy dz / sqrt((dx² + l)³ (dy² + l) (dz² + l)), by a 15-point Gauss-Kronrod rule
/// after the substitution l = x³ / (1 - x)².
fn added_mass(dx: f64, dy: f64, dz: f64) -> f64 {
    const WEIGHT: [f64; 15] = [
        0.01146766, 0.03154605, 0.05239501, 0.07032663, 0.08450236, 0.09517529, 0.10221647,
        0.10474107, 0.10221647, 0.09517529, 0.08450236, 0.07032663, 0.05239501, 0.03154605,
        0.01146766,
    ];
    const L: [f64; 15] = [
        7.865151709349917e-08,
        1.7347976913907274e-05,
        0.0003548008144506193,
        0.002846636252924549,
        0.014094260903596077,
        0.053063261727396636,
        0.17041978741317773,
        0.5,
        1.4036301548686991,
        3.9353484827022642,
        11.644841677041734,
        39.53187807410903,
        177.5711362220801,
        1429.4772912937397,
        54087.416549217705,
    ];
    const DL: [f64; 15] = [
        5.538677720489877e-05,
        0.002080868285293228,
        0.016514126520723166,
        0.07261900344370877,
        0.23985243401862602,
        0.6868318249020725,
        1.8551129519182894,
        5.0,
        14.060031152313941,
        43.28941239611009,
        156.58546376397112,
        747.9826085305024,
        5827.4042950027115,
        116754.0197944512,
        25482945.327264845,
    ];
    let (ix, iy, iz) = (1.0 / (dx * dx), 1.0 / (dy * dy), 1.0 / (dz * dz));
    // lengths are scaled so that the integrand is without dimension
    let scale = pow(dx * dx * dx * dy * dz, 0.4);
    let mut kappa = 0.0;
    for i in 0..15 {
        let lambda = scale * L[i];
        let denominator = (1.0 + lambda * ix)
            * sqrt((1.0 + lambda * ix) * (1.0 + lambda * iy) * (1.0 + lambda * iz));
        kappa += scale * DL[i] / denominator * WEIGHT[i];
    }
    kappa * ix
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shells_and_solids_obey_the_triangle_inequality() {
        let kinds = [
            GeomType::Sphere,
            GeomType::Capsule,
            GeomType::Cylinder,
            GeomType::Ellipsoid,
            GeomType::Box,
        ];
        for kind in kinds {
            for shell in [false, true] {
                let [a, b, c] = inertia(kind, shell, &[0.3, 0.4, 0.2], 2.0);
                assert!(a > 0.0 && b > 0.0 && c > 0.0, "{kind:?} {shell}");
                assert!(a + b >= c && b + c >= a && a + c >= b, "{kind:?} {shell}");
            }
        }
    }

    #[test]
    fn added_mass_of_a_sphere_is_half_its_displacement() {
        let fluid = fluid_coefficients(GeomType::Sphere, &[0.5, 0.0, 0.0], &[0.0; 5]);
        let displaced = 4.0 / 3.0 * PI * 0.125;
        for mass in &fluid[6..9] {
            assert!((mass - displaced / 2.0).abs() < 1e-4 * displaced);
        }
    }
}
