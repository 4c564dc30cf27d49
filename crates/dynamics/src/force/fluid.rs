//! Forces of a surrounding fluid: the inertia-box model of bodies and the ellipsoid model of geoms.
use ferrodyn_math::{MIN_VAL, Mat3, Number, PI, Real, Spatial, Vec3, sqrt, transform_spatial};
use ferrodyn_model::{GeomType, Model, ObjType, Storage};

use crate::World;
use crate::data::Lane;
use crate::position::chain::apply_ft;
use crate::sleep::Bodies;
use crate::velocity::object_velocity;

/// Is there a fluid?
pub(crate) fn has_fluid(m: &Model<impl Storage>) -> bool {
    m.opt.viscosity != 0.0 || m.opt.density != 0.0
}

/// A body, or a geom of a body, as the fluid sees it.
pub(crate) struct Immersed<T = Real> {
    pub(crate) body: usize,
    /// Frame of the shape in the world.
    pub(crate) pos: Vec3<T>,
    pub(crate) mat: Mat3<T>,
    /// Velocity against the wind, in the axes of the frame.
    pub(crate) velocity: Spatial<T>,
    pub(crate) shape: Shape,
}

/// What the fluid acts on.
pub(crate) enum Shape {
    /// The box with the mass and inertia of a body: its sides.
    Box(Vec3),
    /// The ellipsoid of a geom, and the factor of its forces.
    Ellipsoid(Ellipsoid, Real),
}

/// Call a function for everything that a fluid acts on: the ellipsoids of bodies that have some, the boxes of the others.
pub(crate) fn each_immersed<S: Storage, T: Lane>(
    m: &Model<S>,
    d: &mut World<'_, T>,
    mut visit: impl FnMut(&mut World<'_, T>, &Immersed<T>),
) {
    let bodies = Bodies::awake(m, d);
    for k in 0..bodies.count {
        let body = bodies.get(d.body_awake_ind, k);
        // bodies without mass feel no fluid
        if m.body_mass[body] < MIN_VAL {
            continue;
        }
        if m.body_geoms(body).any(|g| m.geom_fluid[g][0] > 0.0) {
            for g in m.body_geoms(body).filter(|g| m.geom_fluid[*g][0] != 0.0) {
                let (pos, mat) = (d.geom_xpos[g], d.geom_xmat[g]);
                let velocity = relative_velocity(m, d, ObjType::Geom, g, body, pos, &mat);
                let shape = Shape::Ellipsoid(Ellipsoid::of(m, g), m.geom_fluid[g][0]);
                visit(d, &Immersed { body, pos, mat, velocity, shape });
            }
        } else {
            let (pos, mat) = (d.xipos[body], d.ximat[body]);
            let velocity = relative_velocity(m, d, ObjType::Body, body, body, pos, &mat);
            let shape = Shape::Box(inertia_box(m, body));
            visit(d, &Immersed { body, pos, mat, velocity, shape });
        }
    }
}

/// Add the forces of the fluid to `qfrc_fluid`.
pub(crate) fn fluid<T: Lane>(m: &Model<impl Storage>, d: &mut World<'_, T>) {
    each_immersed(m, d, |d, part| {
        let force = match &part.shape {
            Shape::Box(sides) => box_force(m, *sides, &part.velocity),
            Shape::Ellipsoid(e, factor) => {
                ellipsoid_force(m, e, &part.velocity).scale(T::of(*factor))
            }
        };
        apply(m, d, part.body, part.pos, &part.mat, force);
    });
}

fn apply<T: Lane>(
    m: &Model<impl Storage>,
    d: &mut World<'_, T>,
    b: usize,
    pos: Vec3<T>,
    mat: &Mat3<T>,
    local: Spatial<T>,
) {
    let com = d.subtree_com[m.body_root(b)];
    apply_ft(m, d.cdof, com, mat * local.lin(), mat * local.rot(), pos, b, d.qfrc_fluid);
}

/// Velocity of a frame against the wind, in its own axes.
fn relative_velocity<T: Lane>(
    m: &Model<impl Storage>,
    d: &World<'_, T>,
    kind: ObjType,
    id: usize,
    b: usize,
    pos: Vec3<T>,
    mat: &Mat3<T>,
) -> Spatial<T> {
    let vel = object_velocity(m, d, kind, id, true).unwrap_or_default();
    let wind = Spatial::new(Vec3::of(Vec3::ZERO), Vec3::of(m.opt.wind));
    let com = d.subtree_com[m.body_root(b)];
    let wind = transform_spatial(&wind, false, pos, com, Some(mat));
    Spatial::new(vel.rot(), vel.lin() - wind.lin())
}

/// Sides of the box with a body's mass and inertia: `sᵢ² = 6 (Iⱼ + Iₖ - Iᵢ) / m`.
fn inertia_box(m: &Model<impl Storage>, b: usize) -> Vec3 {
    let i = m.body_inertia[b];
    let side = |sum: Real| sqrt(MIN_VAL.max(sum) / m.body_mass[b] * 6.0);
    Vec3::new(side(i[1] + i[2] - i[0]), side(i[0] + i[2] - i[1]), side(i[0] + i[1] - i[2]))
}

/// Viscosity of the sphere whose diameter `d` is the box's mean side (Stokes), `F = -3 π d η v`, `τ = -π d³ η ω`, and
/// quadratic drag of the faces, `Fᵢ = -½ ρ sⱼ sₖ |vᵢ| vᵢ`, `τᵢ = -ρ sᵢ (sⱼ⁴ + sₖ⁴) |ωᵢ| ωᵢ / 64`.
/// MuJoCo: `mj_inertiaBoxFluidModel`.
fn box_force<T: Number>(m: &Model<impl Storage>, s: Vec3, vel: &Spatial<T>) -> Spatial<T> {
    let (rot, lin) = (vel.rot(), vel.lin());
    let none = Vec3::of(Vec3::ZERO);
    let (mut torque, mut force) = (none, none);
    let (viscosity, density) = (m.opt.viscosity, m.opt.density);
    if viscosity > 0.0 {
        let diam = (s[0] + s[1] + s[2]) / 3.0;
        torque = rot * T::of(-PI * diam * diam * diam * viscosity);
        force = lin * T::of(-3.0 * PI * diam * viscosity);
    }
    if density > 0.0 {
        for i in 0..3 {
            let (j, k) = if i == 0 {
                (1, 2)
            } else if i == 1 {
                (0, 2)
            } else {
                (0, 1)
            };
            force[i] -= T::of(0.5 * density * s[j] * s[k]) * lin[i].abs() * lin[i];
            let fourth = s[j] * s[j] * s[j] * s[j] + s[k] * s[k] * s[k] * s[k];
            torque[i] -= T::of(density * s[i] * fourth) * rot[i].abs() * rot[i] / T::of(64.0);
        }
    }
    Spatial::new(torque, force)
}

/// An ellipsoid in a fluid.
pub(crate) struct Ellipsoid {
    pub(crate) size: Vec3,
    pub(crate) blunt_drag: Real,
    pub(crate) slender_drag: Real,
    pub(crate) angular_drag: Real,
    pub(crate) kutta_lift: Real,
    pub(crate) magnus_lift: Real,
    pub(crate) virtual_mass: Vec3,
    pub(crate) virtual_inertia: Vec3,
}

impl Ellipsoid {
    pub(crate) fn of(m: &Model<impl Storage>, g: usize) -> Ellipsoid {
        let (f, s) = (&m.geom_fluid[g], m.geom_size[g]);
        let kind = GeomType::try_from(m.geom_type[g]).unwrap_or(GeomType::None);
        let size = Vec3(kind.semi_axes(s.0));
        Ellipsoid {
            size,
            blunt_drag: f[1],
            slender_drag: f[2],
            angular_drag: f[3],
            kutta_lift: f[4],
            magnus_lift: f[5],
            virtual_mass: Vec3::from_slice(&f[6..]),
            virtual_inertia: Vec3::from_slice(&f[9..]),
        }
    }

    /// Largest, middle and smallest semi-axis.
    pub(crate) fn extremes(&self) -> (Real, Real, Real) {
        let s = self.size;
        let max = s[0].max(s[1]).max(s[2]);
        let min = s[0].min(s[1]).min(s[2]);
        (max, s[0] + s[1] + s[2] - max - min, min)
    }

    pub(crate) fn volume(&self) -> Real {
        4.0 / 3.0 * PI * self.size[0] * self.size[1] * self.size[2]
    }

    /// Diameter of the sphere of the same mean radius.
    pub(crate) fn mean_diameter(&self) -> Real {
        2.0 / 3.0 * (self.size[0] + self.size[1] + self.size[2])
    }

    /// The largest moment of the ellipsoid.
    fn largest_moment(&self) -> Real {
        let (max, middle, _) = self.extremes();
        8.0 / 15.0 * PI * middle * pow4(max)
    }

    /// Coefficients of the quadratic drag of rotations: with `Jᵢ = 8/15 π sᵢ max(sⱼ, sₖ)⁴` the moment that the
    /// ellipsoid presents when it turns about axis `i`, `C_ang Jᵢ + C_slender (J_max - Jᵢ)`.
    pub(crate) fn moments(&self, largest: Real) -> Vec3 {
        let moment = |i: usize| {
            let (d0, d1, d2) = (self.size[i], self.size[(i + 1) % 3], self.size[(i + 2) % 3]);
            let own = 8.0 / 15.0 * PI * d0 * pow4(d1.max(d2));
            self.angular_drag * own + self.slender_drag * (largest - own)
        };
        Vec3::new(moment(0), moment(1), moment(2))
    }
}

fn pow4(x: Real) -> Real {
    (x * x) * (x * x)
}

fn square<T: Number>(x: T) -> T {
    x * x
}

/// Added mass, Magnus and Kutta lift, viscous and quadratic drag of an ellipsoid with semi-axes `s`.
/// MuJoCo: `mj_ellipsoidFluidModel`.
///
/// - Added mass: `F = p × ω`, `τ = p × v + L × ω` with the momenta `p = ρ m∘v`, `L = ρ I∘ω` of the fluid that moves along.
/// - Magnus: `F = C_M ρ V ω × v`.
/// - Kutta: `n`, `nᵢ = (sⱼ sₖ)² vᵢ`, is normal to the surface where it faces the flow.
///   `F = C_K ρ A cos α ((n/|n|) × v) × v`, where `cos α = n·v / (|n| |v|)` and `A = π √(|n|² / n·v)` is the area that
///   the flow sees.
/// - Drag: `F = -v (3 π d η + ρ |v| (C_blunt A + C_slender (A_max - A)))`, `τ = -ω (π d³ η + ρ |c∘ω|)`, `d` the mean
///   diameter and `c` the coefficients of [`Ellipsoid::moments`].
fn ellipsoid_force<T: Number>(
    m: &Model<impl Storage>,
    e: &Ellipsoid,
    vel: &Spatial<T>,
) -> Spatial<T> {
    let at_least = |x: T| T::choose(x.greater(T::of(MIN_VAL)), || x, || T::of(MIN_VAL));
    let (ang, lin) = (vel.rot(), vel.lin());
    let (density, viscosity) = (m.opt.density, m.opt.viscosity);
    let s = e.size;

    // the fluid that moves with the body
    let momentum =
        |virt: Vec3, v: Vec3<T>| Vec3(core::array::from_fn(|i| T::of(density * virt[i]) * v[i]));
    let linear = momentum(e.virtual_mass, lin);
    let angular = momentum(e.virtual_inertia, ang);
    let mut torque = linear.cross(lin) + angular.cross(ang);
    let mut force = linear.cross(ang);

    let magnus = ang.cross(lin) * T::of(e.magnus_lift * density * e.volume());

    // |n|² and n·v
    let faces = [s[1] * s[2], s[2] * s[0], s[0] * s[1]];
    let proj_denom = T::of(pow4(faces[0])) * square(lin[0])
        + T::of(pow4(faces[1])) * square(lin[1])
        + T::of(pow4(faces[2])) * square(lin[2]);
    let proj_num = square(T::of(faces[0]) * lin[0])
        + square(T::of(faces[1]) * lin[1])
        + square(T::of(faces[2]) * lin[2]);
    let area = T::of(PI) * (proj_denom / at_least(proj_num)).sqrt();
    let normal = Vec3(core::array::from_fn(|i| T::of(square(faces[i])) * lin[i]));
    // cos α / |n|: makes a unit vector of n below
    let cosine = proj_num / at_least(lin.norm() * proj_denom);
    let circulation = normal.cross(lin) * (T::of(e.kutta_lift * density) * cosine * area);
    let kutta = circulation.cross(lin);

    // Stokes drag of a sphere, and quadratic drag
    let diam = e.mean_diameter();
    let (max, middle, _) = e.extremes();
    let largest_area = PI * max * middle;
    let [blunt, slender, density] = [e.blunt_drag, e.slender_drag, density].map(T::of);
    let moments = Vec3::of(e.moments(e.largest_moment()));
    let linear_drag = T::of(viscosity * (3.0 * PI * diam))
        + density * lin.norm() * (area * blunt + slender * (T::of(largest_area) - area));
    let angular_drag =
        T::of(viscosity * (PI * diam * diam * diam)) + density * ang.mul_elem(moments).norm();
    torque -= ang * angular_drag;
    force += magnus + kutta - lin * linear_drag;
    Spatial::new(torque, force)
}
