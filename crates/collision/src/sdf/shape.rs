//! The shapes of MuJoCo's distance-field plugins.
//!
//! Shapes are put together from simpler ones: the union is the lesser of two distances, the intersection the greater,
//! and "without" the intersection with what is outside of the other. Surfaces that are cut by a cone or thread at 45
//! degrees are scaled by √½, so that the field nowhere grows faster than the distance. All dimensions that are not
//! parameters are those of the plugins.
use ferrodyn_math::{
    MIN_VAL, PI, Real, Vec3, acos, atan2, by_precision, cos, floor, sin, sqrt, tan,
};

/// Half the square root of two.
const FRAC_1_SQRT_2: Real = core::f64::consts::FRAC_1_SQRT_2 as Real;

/// A shape that is given by its signed distance, under the names of MuJoCo's plugins.
///
/// ```
/// use ferrodyn_collision::SdfShape;
/// use ferrodyn_math::Vec3;
/// let torus = SdfShape::from_values("mujoco.sdf.torus", |_| None).unwrap();
/// assert_eq!(torus.distance(Vec3::new(0.35, 0.0, 0.15)), 0.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SdfShape {
    /// A bolt with a six-sided head.
    Bolt {
        /// Radius of the thread.
        radius: Real,
    },
    /// A part of a hollow sphere.
    Bowl {
        /// Where the sphere is cut.
        height: Real,
        /// Radius of the sphere.
        radius: Real,
        /// Half thickness of the wall.
        thickness: Real,
    },
    /// An involute gear.
    Gear {
        /// Angle of the first tooth.
        alpha: Real,
        /// Pitch diameter.
        diameter: Real,
        /// Number of teeth.
        teeth: Real,
        /// Extent along the axis.
        thickness: Real,
        /// Diameter of the hole; negative for one that follows from the others.
        inner_diameter: Real,
    },
    /// A nut with a thread.
    Nut {
        /// Radius of the thread.
        radius: Real,
    },
    /// A torus around z.
    Torus {
        /// Radius of the ring.
        radius1: Real,
        /// Radius of the tube.
        radius2: Real,
    },
}

fn norm(x: Real, y: Real) -> Real {
    sqrt(x * x + y * y)
}

/// What is in one shape but not in another.
fn without(a: Real, b: Real) -> Real {
    a.max(-b)
}

/// The thread of a bolt: a triangle wave around the axis. `radius` is how far the point is outside of the bolt's.
fn thread(p: Vec3, radius: Real) -> Real {
    // turns in a unit of length
    const SCREW: Real = 12.0;
    // height above the nearest turn, from -½ to ½, and back: a ridge with slopes of 45 degrees
    let azimuth = atan2(p[1], p[0]);
    let wave = p[2] * SCREW - azimuth / PI / 2.0;
    let triangle = (wave - floor(wave) - 0.5).abs();
    (radius - triangle / SCREW) * FRAC_1_SQRT_2
}

/// The six-sided head of a bolt or nut, rounded down with a cone.
fn head(p: Vec3, radius: Real) -> Real {
    // fold the plane into one of six sectors, whose side is at x = ½
    let sectors = 6.0 / PI / 2.0;
    let angle = -floor(atan2(p[1], p[0]) * sectors + 0.5) / sectors;
    let (s, c) = (sin(angle), sin(angle + PI * 0.5));
    let x = c * p[0] - s * p[1];
    // a prism from -½ to 0 along z, chamfered
    let head = (x - 0.5).max((p[2] + 0.25).abs() - 0.25);
    head.max((p[2] + radius - 0.22) * FRAC_1_SQRT_2)
}

fn bolt(p: Vec3, radius: Real) -> Real {
    let radius = norm(p[0], p[1]) - radius;
    // cut at both ends, and with a cone
    let body = without(thread(p, radius), 0.5 - (p[2] + 0.5).abs());
    let cone = (p[2] - radius) * FRAC_1_SQRT_2;
    without(body, cone + FRAC_1_SQRT_2).min(head(p, radius))
}

fn nut(p: Vec3, radius: Real) -> Real {
    let radius = norm(p[0], p[1]) - radius;
    let cone = (p[2] - radius) * FRAC_1_SQRT_2;
    let hole = without(thread(p, radius), cone + 0.5 * FRAC_1_SQRT_2);
    let hole = hole.min(-cone - 0.05 * FRAC_1_SQRT_2);
    without(head(p, radius), hole)
}

fn bowl(p: Vec3, height: Real, radius: Real, thickness: Real) -> Real {
    // in the half plane of axis and point: an arc that ends at (width, height)
    let width = sqrt(radius * radius - height * height);
    let q = [norm(p[0], p[1]), p[2]];
    // beyond the rim: distance to its end; else to the arc
    let distance = if height * q[0] < width * q[1] {
        norm(q[0] - width, q[1] - height)
    } else {
        (norm(q[0], q[1]) - radius).abs()
    };
    distance - thickness
}

/// The union with a fillet of size `k` in the corner between both.
fn smooth_union(a: Real, b: Real, k: Real) -> Real {
    let h = (0.5 + 0.5 * (b - a) / k).clamp(0.0, 1.0);
    b * (1.0 - h) + a * h - k * h * (1.0 - h)
}

/// The intersection with the corner between both rounded by `k`.
fn smooth_intersection(a: Real, b: Real, k: Real) -> Real {
    without(a.max(b), smooth_union(without(a, b), without(b, a), k))
}

/// Radius of the hole of a gear, its outer radius, and the depth of its teeth.
fn gear_radii(diameter: Real, teeth: Real, inner_diameter: Real) -> (Real, Real, Real) {
    // teeth for each unit of diameter; heads of 1 / pitch above the pitch circle, teeth 2.2 / pitch deep
    let pitch = teeth / diameter;
    let outer = (diameter + 2.0 * (1.0 / pitch)) / 2.0;
    let depth = 2.2 / pitch;
    let inner =
        if inner_diameter >= 0.0 { inner_diameter / 2.0 } else { outer - depth - 0.14 * diameter };
    (inner, outer, depth)
}

/// An involute gear in the plane.
fn gear_outline(p: Vec3, alpha: Real, diameter: Real, teeth: Real, inner_diameter: Real) -> Real {
    // pressure angle: the plugin's parabola in the number of teeth
    let pressure = 3.096e-5 * teeth * teeth - 6.557e-3 * teeth + 0.551;
    let radius = diameter / 2.0;
    let rho = norm(p[0], p[1]);
    let (inner, outer, depth) = gear_radii(diameter, teeth, inner_diameter);
    // inside of the hole and far outside: a ring
    if inner - rho > 0.0 {
        return inner - rho;
    }
    if outer - rho < -0.2 {
        return rho - outer;
    }
    // flanks are involutes of the base circle; fold the angle into one tooth, from its left and from its right flank
    let base = diameter * cos(pressure) / 2.0;
    let angle = atan2(p[1], p[0]) + alpha;
    let stride = PI / (teeth / diameter) / radius;
    let involute = acos(base / radius);
    let involute = tan(involute) - involute;
    let shift = stride / 2.0 - 2.0 * involute;
    let modulo = |x: Real, y: Real| x - y * floor(x / y);
    let left = modulo(angle + shift / 2.0, stride) - shift / 2.0;
    let right = modulo(-angle - shift + shift / 2.0, stride) - shift / 2.0;
    // below the base circle there is no involute
    let (mut to_left, mut to_right) = (-1.0e6, -1.0e6);
    if base < rho {
        // the tangent to the base circle is as long as the arc that was unwound from it
        let turn = acos(base / rho);
        let tangent = sqrt(rho * rho - base * base);
        to_left = tangent - base * (left + turn);
        to_right = tangent - base * (right + turn);
    }
    let walls = (left - (stride - shift)).max(right - (stride - shift));
    let cogs = walls.max(to_left.max(to_right));
    // tips rounded, roots filled, the hole cut out
    let cogs = smooth_intersection(rho - outer, cogs, 0.0035 * diameter);
    let cogs = smooth_union(rho - (outer - depth), cogs, base - outer + depth);
    without(cogs, rho - inner)
}

/// A flat shape, made thick: outside of both the outline and the faces, the distance to the edge between them.
fn extruded(p: Vec3, flat: Real, half: Real) -> Real {
    let across = p[2].abs() - half;
    flat.max(across).min(0.0) + norm(flat.max(0.0), across.max(0.0))
}

impl SdfShape {
    /// The shape of a plugin, where `value` gives the numbers of its configuration; missing ones
    /// have defaults. None for a plugin that is not a distance field.
    pub fn from_values(plugin: &str, value: impl Fn(&str) -> Option<Real>) -> Option<SdfShape> {
        let value = |key: &str, default: Real| value(key).unwrap_or(default);
        Some(match plugin {
            "mujoco.sdf.bolt" => Self::Bolt { radius: value("radius", 0.26) },
            "mujoco.sdf.nut" => Self::Nut { radius: value("radius", 0.26) },
            "mujoco.sdf.torus" => {
                Self::Torus { radius1: value("radius1", 0.35), radius2: value("radius2", 0.15) }
            }
            "mujoco.sdf.bowl" => Self::Bowl {
                height: value("height", 0.4),
                radius: value("radius", 1.0),
                thickness: value("thickness", 0.02),
            },
            "mujoco.sdf.gear" => Self::Gear {
                alpha: value("alpha", 0.0),
                diameter: value("diameter", 2.8),
                teeth: value("teeth", 25.0),
                thickness: value("thickness", 0.2),
                inner_diameter: value("innerdiameter", -1.0),
            },
            _ => return None,
        })
    }

    /// Signed distance of a point: negative inside.
    pub fn distance(&self, p: Vec3) -> Real {
        match *self {
            Self::Bolt { radius } => bolt(p, radius),
            Self::Nut { radius } => nut(p, radius),
            Self::Torus { radius1, radius2 } => {
                // in the half plane of axis and point: a circle at radius1
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

    /// Gradient of the distance: a formula for the torus, differences for the others.
    pub fn gradient(&self, p: Vec3) -> Vec3 {
        let Self::Torus { radius1, .. } = *self else {
            return difference_gradient(p, |p| self.distance(p));
        };
        // (q, z) / |(q, z)|, with q along the radius
        let ring = norm(p[0], p[1]);
        let q = ring - radius1;
        let length = norm(q, p[2]).max(MIN_VAL);
        Vec3::new(q * (p[0] / ring) / length, q * (p[1] / ring) / length, p[2] / length)
    }

    /// Half sizes of a box around the shape, centred at the origin.
    pub fn half_sizes(&self) -> Vec3 {
        match *self {
            // the parts that do not depend on the radius reach this far
            Self::Bolt { .. } | Self::Nut { .. } => Vec3::new(0.6, 0.6, 1.0),
            Self::Torus { radius1, radius2 } => {
                Vec3::new(radius1 + radius2, radius1 + radius2, radius2)
            }
            Self::Bowl { radius, thickness, .. } => Vec3([radius + thickness; 3]),
            Self::Gear { diameter, thickness, .. } => {
                // room for the heads of the teeth
                let reach = diameter / 2.0 * 1.25;
                Vec3::new(reach, reach, thickness / 2.0 * 1.1)
            }
        }
    }
}

/// The gradient of a field by forward differences.
pub(super) fn difference_gradient(p: Vec3, distance: impl Fn(Vec3) -> Real) -> Vec3 {
    // the square root of the precision balances rounding against curvature
    const STEP: Real = by_precision(1e-8, 3e-4);
    let here = distance(p);
    let along = |axis: Vec3| (distance(p + axis * STEP) - here) / STEP;
    Vec3::new(along(Vec3::X), along(Vec3::Y), along(Vec3::Z))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: Vec3, b: Vec3, tolerance: Real) -> bool {
        (a - b).norm() < tolerance
    }

    #[test]
    fn the_gradient_of_a_torus_is_that_of_its_distance() {
        let torus = SdfShape::from_values("mujoco.sdf.torus", |_| None).unwrap();
        for p in [Vec3::new(0.4, 0.1, 0.05), Vec3::new(-0.1, 0.3, -0.3), Vec3::new(1.0, 2.0, 3.0)] {
            let expected = difference_gradient(p, |p| torus.distance(p));
            assert!(close(torus.gradient(p), expected, by_precision(1e-6, 3e-3)));
        }
    }

    #[test]
    fn a_bowl_is_open_above_and_solid_in_its_wall() {
        let bowl = SdfShape::from_values("mujoco.sdf.bowl", |_| None).unwrap();
        assert!(bowl.distance(Vec3::ZERO) > 0.9);
        assert!(bowl.distance(Vec3::new(0.0, 0.0, -1.0)) < 0.0);
        assert!(bowl.distance(Vec3::new(0.0, 0.0, 1.0)) > 0.5);
    }

    #[test]
    fn a_nut_fits_around_a_bolt() {
        let shape = |name| SdfShape::from_values(name, |_| None).unwrap();
        let (bolt, nut) = (shape("mujoco.sdf.bolt"), shape("mujoco.sdf.nut"));
        let inside = Vec3::new(0.1, 0.0, -0.3);
        assert!(bolt.distance(inside) < 0.0 && nut.distance(inside) > 0.0);
        assert!(nut.distance(Vec3::new(0.4, 0.0, -0.3)) < 0.0);
    }

    #[test]
    fn other_plugins_are_no_shapes() {
        assert!(SdfShape::from_values("mujoco.pid", |_| None).is_none());
    }
}
