//! Shapes that are given by their signed distance, under the names of MuJoCo's plugins, and their
//! surfaces as meshes.

mod marching;
mod table;

use core::f64::consts::{FRAC_1_SQRT_2, PI};

use libm::{acos, atan2, cos, floor, sin, sqrt, tan};

use self::marching::Grid;

type V3 = [f64; 3];

/// A shape with its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Shape {
    Bolt { radius: f64 },
    Bowl { height: f64, radius: f64, thickness: f64 },
    Gear { alpha: f64, diameter: f64, teeth: f64, thickness: f64, inner_diameter: f64 },
    Nut { radius: f64 },
    Torus { radius1: f64, radius2: f64 },
}

/// The surface of a shape.
pub(crate) struct ShapeMesh {
    pub(crate) vertices: Vec<f32>,
    pub(crate) normals: Vec<f32>,
    pub(crate) faces: Vec<i32>,
}

fn norm(x: f64, y: f64) -> f64 {
    sqrt(x * x + y * y)
}

/// What is in one shape but not in another.
fn without(a: f64, b: f64) -> f64 {
    a.max(-b)
}

/// The thread of a bolt: a triangle wave around the axis.
fn thread(p: &V3, radius: f64) -> f64 {
    const SCREW: f64 = 12.0;
    let azimuth = atan2(p[1], p[0]);
    let wave = p[2] * SCREW - azimuth / PI / 2.0;
    let triangle = (wave - floor(wave) - 0.5).abs();
    (radius - triangle / SCREW) * FRAC_1_SQRT_2
}

/// The six-sided head of a bolt or nut, rounded down with a cone.
fn head(p: &V3, radius: f64) -> f64 {
    let sectors = 6.0 / PI / 2.0;
    let angle = -floor(atan2(p[1], p[0]) * sectors + 0.5) / sectors;
    let (s, c) = (sin(angle), sin(angle + PI * 0.5));
    let x = c * p[0] - s * p[1];
    let head = (x - 0.5).max((p[2] + 0.25).abs() - 0.25);
    head.max((p[2] + radius - 0.22) * FRAC_1_SQRT_2)
}

fn bolt(p: &V3, radius: f64) -> f64 {
    let radius = norm(p[0], p[1]) - radius;
    // cut at both ends, and with a cone
    let body = without(thread(p, radius), 0.5 - (p[2] + 0.5).abs());
    let cone = (p[2] - radius) * FRAC_1_SQRT_2;
    without(body, cone + FRAC_1_SQRT_2).min(head(p, radius))
}

fn nut(p: &V3, radius: f64) -> f64 {
    let radius = norm(p[0], p[1]) - radius;
    let cone = (p[2] - radius) * FRAC_1_SQRT_2;
    let hole = without(thread(p, radius), cone + 0.5 * FRAC_1_SQRT_2);
    let hole = hole.min(-cone - 0.05 * FRAC_1_SQRT_2);
    without(head(p, radius), hole)
}

fn bowl(p: &V3, height: f64, radius: f64, thickness: f64) -> f64 {
    let width = sqrt(radius * radius - height * height);
    let q = [norm(p[0], p[1]), p[2]];
    let distance = if height * q[0] < width * q[1] {
        norm(q[0] - width, q[1] - height)
    } else {
        (norm(q[0], q[1]) - radius).abs()
    };
    distance - thickness
}

fn smooth_union(a: f64, b: f64, k: f64) -> f64 {
    let h = (0.5 + 0.5 * (b - a) / k).clamp(0.0, 1.0);
    b * (1.0 - h) + a * h - k * h * (1.0 - h)
}

fn smooth_intersection(a: f64, b: f64, k: f64) -> f64 {
    without(a.max(b), smooth_union(without(a, b), without(b, a), k))
}

/// Radius of the hole of a gear, its outer radius, and the depth of its teeth.
fn gear_radii(diameter: f64, teeth: f64, inner_diameter: f64) -> (f64, f64, f64) {
    let pitch = teeth / diameter;
    let outer = (diameter + 2.0 * (1.0 / pitch)) / 2.0;
    let depth = 2.2 / pitch;
    let inner =
        if inner_diameter >= 0.0 { inner_diameter / 2.0 } else { outer - depth - 0.14 * diameter };
    (inner, outer, depth)
}

/// An involute gear in the plane.
fn gear_outline(p: &V3, alpha: f64, diameter: f64, teeth: f64, inner_diameter: f64) -> f64 {
    let pressure = 3.096e-5 * teeth * teeth - 6.557e-3 * teeth + 0.551;
    let radius = diameter / 2.0;
    let rho = norm(p[0], p[1]);
    let (inner, outer, depth) = gear_radii(diameter, teeth, inner_diameter);
    if inner - rho > 0.0 {
        return inner - rho;
    }
    if outer - rho < -0.2 {
        return rho - outer;
    }
    let base = diameter * cos(pressure) / 2.0;
    let angle = atan2(p[1], p[0]) + alpha;
    let stride = PI / (teeth / diameter) / radius;
    let involute = acos(base / radius);
    let involute = tan(involute) - involute;
    let shift = stride / 2.0 - 2.0 * involute;
    let modulo = |x: f64, y: f64| x - y * floor(x / y);
    let left = modulo(angle + shift / 2.0, stride) - shift / 2.0;
    let right = modulo(-angle - shift + shift / 2.0, stride) - shift / 2.0;
    let (mut to_left, mut to_right) = (-1.0e6, -1.0e6);
    if base < rho {
        let turn = acos(base / rho);
        let tangent = sqrt(rho * rho - base * base);
        to_left = tangent - base * (left + turn);
        to_right = tangent - base * (right + turn);
    }
    let walls = (left - (stride - shift)).max(right - (stride - shift));
    let cogs = walls.max(to_left.max(to_right));
    let cogs = smooth_intersection(rho - outer, cogs, 0.0035 * diameter);
    let cogs = smooth_union(rho - (outer - depth), cogs, base - outer + depth);
    without(cogs, rho - inner)
}

/// A flat shape, made thick.
fn extruded(p: &V3, flat: f64, half: f64) -> f64 {
    let across = p[2].abs() - half;
    flat.max(across).min(0.0) + norm(flat.max(0.0), across.max(0.0))
}

impl Shape {
    /// The shape of a plugin, with the values of its configuration; missing ones have defaults.
    pub(crate) fn from_config(plugin: &str, config: &[(String, String)]) -> Result<Self, String> {
        let value = |key: &str, default: f64| match config
            .iter()
            .find(|(k, v)| k == key && !v.is_empty())
        {
            None => Ok(default),
            Some((_, text)) => {
                let number = text.trim().parse::<f64>().ok().filter(|x| x.is_finite());
                number.ok_or_else(|| format!("'{key}' of the plugin must be a number"))
            }
        };
        Ok(match plugin {
            "mujoco.sdf.bolt" => Self::Bolt { radius: value("radius", 0.26)? },
            "mujoco.sdf.nut" => Self::Nut { radius: value("radius", 0.26)? },
            "mujoco.sdf.torus" => {
                Self::Torus { radius1: value("radius1", 0.35)?, radius2: value("radius2", 0.15)? }
            }
            "mujoco.sdf.bowl" => Self::Bowl {
                height: value("height", 0.4)?,
                radius: value("radius", 1.0)?,
                thickness: value("thickness", 0.02)?,
            },
            "mujoco.sdf.gear" => Self::Gear {
                alpha: value("alpha", 0.0)?,
                diameter: value("diameter", 2.8)?,
                teeth: value("teeth", 25.0)?,
                thickness: value("thickness", 0.2)?,
                inner_diameter: value("innerdiameter", -1.0)?,
            },
            _ => return Err(format!("the plugin '{plugin}' is not a signed distance field")),
        })
    }

    /// Signed distance of a point: negative inside.
    pub(crate) fn distance(&self, p: &V3) -> f64 {
        match *self {
            Self::Bolt { radius } => bolt(p, radius),
            Self::Nut { radius } => nut(p, radius),
            Self::Torus { radius1, radius2 } => {
                let q = norm(p[0], p[1]) - radius1;
                norm(q, p[2]) - radius2
            }
            Self::Bowl { height, radius, thickness } => bowl(p, height, radius, thickness),
            Self::Gear { alpha, diameter, teeth, thickness, inner_diameter } => {
                let flat = gear_outline(p, alpha, diameter, teeth, inner_diameter);
                extruded(p, flat, thickness / 2.0)
            }
        }
    }

    /// Half sizes of a box around the shape, centred at the origin.
    fn half_sizes(&self) -> V3 {
        match *self {
            Self::Bolt { .. } | Self::Nut { .. } => [0.6, 0.6, 1.0],
            Self::Torus { radius1, radius2 } => [radius1 + radius2, radius1 + radius2, radius2],
            Self::Bowl { radius, thickness, .. } => [radius + thickness; 3],
            Self::Gear { diameter, thickness, .. } => {
                let reach = diameter / 2.0 * 1.25;
                [reach, reach, thickness / 2.0 * 1.1]
            }
        }
    }

    /// The surface, found on a grid of about 300 points along the three sides together.
    pub(crate) fn mesh(&self) -> Result<ShapeMesh, String> {
        const POINTS: f64 = 300.0;
        let half = self.half_sizes();
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
                    let point = [along(x, 0), along(y, 1), along(z, 2)];
                    values.push(self.distance(&point) as f32);
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
}

#[cfg(test)]
mod tests {
    use super::Shape;

    #[test]
    fn the_surface_of_a_torus_is_closed_and_where_the_distance_is_zero() {
        let torus = Shape::from_config("mujoco.sdf.torus", &[]).unwrap();
        let mesh = torus.mesh().unwrap();
        let (v, f) = (mesh.vertices.len() / 3, mesh.faces.len() / 3);
        // a torus has Euler characteristic 0: V - E + F with E = 3F/2
        assert_eq!(2 * v, f);
        for p in mesh.vertices.chunks_exact(3) {
            let distance = torus.distance(&[p[0].into(), p[1].into(), p[2].into()]);
            assert!(distance.abs() < 1e-3, "{distance}");
        }
    }

    #[test]
    fn a_value_that_is_no_number_is_refused() {
        let config = [("radius1".to_owned(), "wide".to_owned())];
        assert!(Shape::from_config("mujoco.sdf.torus", &config).is_err());
        assert!(Shape::from_config("mujoco.pid", &[]).is_err());
    }
}
