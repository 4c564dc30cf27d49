//! Is a point inside a site?
use ferrodyn_math::{Real, Vec3};
use ferrodyn_model::{GeomType, Model, Storage};

use crate::World;

/// Is a point inside the volume of a site?
pub(super) fn inside_site(
    m: &Model<impl Storage>,
    d: &World<'_>,
    site: usize,
    point: Vec3,
) -> bool {
    let shape = GeomType::try_from(m.site_type[site]).unwrap_or(GeomType::None);
    let offset = point - d.site_xpos[site];
    inside(shape, m.site_size[site], d.site_xmat[site].mul_transposed(offset), offset)
}

/// Is the point `x`, in the frame of the shape, inside it? `offset` is the same vector in the world.
fn inside(shape: GeomType, size: Vec3, x: Vec3, offset: Vec3) -> bool {
    let square = |a: Real| a * a;
    match shape {
        GeomType::Sphere => offset.dot(offset) < square(size[0]),
        GeomType::Capsule => {
            let beyond = x[2] - x[2].max(-size[1]).min(size[1]);
            square(x[0]) + square(x[1]) + square(beyond) < square(size[0])
        }
        GeomType::Ellipsoid => {
            let part = |k: usize| square(x[k]) / square(size[k]);
            part(0) + part(1) + part(2) < 1.0
        }
        GeomType::Cylinder => x[2].abs() < size[1] && square(x[0]) + square(x[1]) < square(size[0]),
        GeomType::Box => (0..3).all(|k| x[k].abs() < size[k]),
        GeomType::Plane => x[2] < 0.0,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_on_both_sides_of_each_surface() {
        let size = Vec3::new(0.5, 1.0, 2.0);
        let cases = [
            (GeomType::Sphere, [0.49, 0.0, 0.0], [0.51, 0.0, 0.0]),
            (GeomType::Capsule, [0.0, 0.0, 1.49], [0.0, 0.3, 1.45]),
            (GeomType::Ellipsoid, [0.0, 0.0, 1.99], [0.0, 1.01, 0.0]),
            (GeomType::Cylinder, [0.3, 0.3, 0.99], [0.3, 0.3, 1.01]),
            (GeomType::Box, [0.49, 0.99, 1.99], [0.49, 1.01, 1.99]),
            (GeomType::Plane, [9.0, 9.0, -0.1], [0.0, 0.0, 0.1]),
        ];
        for (shape, within, without) in cases {
            for (point, expected) in [(Vec3(within), true), (Vec3(without), false)] {
                assert_eq!(inside(shape, size, point, point), expected, "{shape:?} {point:?}");
            }
        }
        assert!(!inside(GeomType::Mesh, size, Vec3::ZERO, Vec3::ZERO));
    }
}
