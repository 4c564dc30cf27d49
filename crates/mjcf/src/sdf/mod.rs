//! Surfaces of the shapes that are given by their signed distance, as meshes.

mod marching;
mod table;

use ferrodyn_collision::SdfShape;
use ferrodyn_math::{Real, Vec3, double};
use libm::floor;

use self::marching::Grid;

/// The surface of a shape.
pub(crate) struct ShapeMesh {
    pub(crate) vertices: Vec<f32>,
    pub(crate) normals: Vec<f32>,
    pub(crate) faces: Vec<i32>,
}

/// The shape of a plugin, with the values of its configuration; missing ones have defaults.
pub(crate) fn shape(plugin: &str, config: &[(String, String)]) -> Result<SdfShape, String> {
    let text = |key: &str| config.iter().find(|(k, v)| k == key && !v.is_empty());
    let number = |text: &str| text.trim().parse::<Real>().ok().filter(|x| x.is_finite());
    if let Some((key, _)) = config.iter().find(|(_, v)| !v.is_empty() && number(v).is_none()) {
        return Err(format!("'{key}' of the plugin must be a number"));
    }
    SdfShape::from_values(plugin, |key| text(key).and_then(|(_, v)| number(v)))
        .ok_or_else(|| format!("the plugin '{plugin}' is not a signed distance field"))
}

/// The surface of a shape, found on a grid of about 300 points along the three sides together.
pub(crate) fn surface(shape: &SdfShape) -> Result<ShapeMesh, String> {
    const POINTS: f64 = 300.0;
    let half = shape.half_sizes().0.map(crate::pose::double);
    let total: f64 = half[0] + half[1] + half[2];
    if half.iter().any(|x| !x.is_finite() || *x <= 0.0) {
        return Err(String::from("the parameters of the plugin do not make a shape"));
    }
    let size = half.map(|x| floor(POINTS / total * x) as usize + 1);
    let steps = size.map(|n| n as f64 - 1.0);
    let along = |i: usize, k: usize| -half[k] + 2.0 * half[k] * i as f64 / steps[k];
    let mut values = Vec::with_capacity(size[0] * size[1] * size[2]);
    for z in 0..size[2] {
        for y in 0..size[1] {
            for x in 0..size[0] {
                let point = Vec3([along(x, 0), along(y, 1), along(z, 2)].map(|x| x as Real));
                values.push(double(shape.distance(point)) as f32);
            }
        }
    }
    let surface = Grid { size, values }.surface();
    let place = |v: &[f32; 3]| -> [f32; 3] {
        core::array::from_fn(|k| (2.0 * half[k] * f64::from(v[k]) / steps[k] - half[k]) as f32)
    };
    Ok(ShapeMesh {
        vertices: surface.vertices.iter().flat_map(place).collect(),
        normals: surface.normals.concat(),
        faces: surface.faces.concat(),
    })
}

#[cfg(test)]
mod tests {
    use super::{Vec3, shape, surface};

    #[test]
    fn the_surface_of_a_torus_is_closed_and_where_the_distance_is_zero() {
        let torus = shape("mujoco.sdf.torus", &[]).unwrap();
        let mesh = surface(&torus).unwrap();
        let (v, f) = (mesh.vertices.len() / 3, mesh.faces.len() / 3);
        // a torus has Euler characteristic 0: V - E + F with E = 3F/2
        assert_eq!(2 * v, f);
        for p in mesh.vertices.chunks_exact(3) {
            let distance = torus.distance(Vec3::new(p[0].into(), p[1].into(), p[2].into()));
            assert!(distance.abs() < 1e-3, "{distance}");
        }
    }

    #[test]
    fn a_value_that_is_no_number_is_refused() {
        let config = [("radius1".to_owned(), "wide".to_owned())];
        assert!(shape("mujoco.sdf.torus", &config).is_err());
        assert!(shape("mujoco.pid", &[]).is_err());
    }
}
