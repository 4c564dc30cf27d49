//! Compiles geoms.

use ferrodyn_model::GeomType;

use super::objects::Geom;
use super::pose::{EPS, Pose, normalize};
use super::resolve::Resolved;
use super::shape;
use super::tree::{TreeCompiler, check_size, from_to};
use crate::keywords::{FluidShape, ShellInertia};
use crate::schema::GeomAttrs;
use crate::values::partial_or;

/// Default coefficients of the fluid model: blunt, slender and angular drag, Kutta and Magnus lift.
const FLUID: [f64; 5] = [0.5, 0.25, 1.5, 1.0, 1.0];

impl TreeCompiler<'_> {
    /// Compiles one geom. `weld` is the body that the geom's body is fixed to; `infer` says whether
    /// the geom's mass counts.
    pub(super) fn geom(
        &mut self,
        item: &Resolved<'_, GeomAttrs>,
        weld: usize,
        infer: bool,
    ) -> Geom {
        let attr = &item.attr;
        let kind = attr.kind.unwrap_or(GeomType::Sphere);
        let mut problems: Vec<String> = Vec::new();
        self.check_user("geom", item.name, item.span, &attr.user, self.user.geom);
        for (attribute, value) in
            [("mesh", &attr.mesh), ("material", &attr.material), ("hfield", &attr.hfield)]
        {
            if value.as_ref().is_some_and(|v| !v.is_empty()) {
                self.unknown_reference("geom", item.name, item.span, attribute, value);
            }
        }
        let condim = attr.condim.unwrap_or(3);
        if !matches!(condim, 1 | 3 | 4 | 6) {
            problems.push(String::from("'condim' must be 1, 3, 4 or 6"));
        }
        if matches!(kind, GeomType::Mesh | GeomType::Sdf) {
            problems.push(String::from("a mesh geom must name a mesh"));
        }
        if kind == GeomType::Hfield {
            problems.push(String::from("a height field geom must name a height field"));
        }
        if kind == GeomType::Plane && weld != 0 {
            problems.push(String::from("planes are only allowed in static bodies"));
        }

        // pose and size
        let mut size = partial_or(&attr.size, [0.0; 3]);
        let pos = attr.pos.unwrap_or_default();
        let placed = match attr.fromto {
            Some(fromto) => from_to(kind, &pos, &fromto, &mut size),
            None => self.orientation(&attr.quat, &attr.alt).map(|mut quat| {
                if attr.alt.is_none() {
                    normalize(&mut quat);
                }
                Pose { pos, quat }
            }),
        };
        let checked =
            placed.map_err(str::to_owned).and_then(|pose| check_size(kind, &size).map(|()| pose));
        let mut pose = checked.unwrap_or_else(|message| {
            problems.push(message);
            Pose::NULL
        });

        // mass and inertia
        let shell = attr.shellinertia == Some(ShellInertia::Shell);
        let density = attr.density.unwrap_or(1000.0);
        let mut mass = 0.0;
        let mut inertia = [0.0; 3];
        let mut final_density = density;
        if infer {
            let volume = shape::volume(kind, shell, &size);
            match attr.mass {
                Some(0.0) => final_density = 0.0,
                Some(given) => {
                    if volume > EPS {
                        mass = given;
                        final_density = given / volume;
                        inertia = shape::inertia(kind, shell, &size, mass);
                    }
                }
                None => {
                    if density != 0.0 {
                        mass = density * volume;
                        inertia = shape::inertia(kind, shell, &size, mass);
                    }
                }
            }
            if mass < 0.0 || final_density < 0.0 || inertia.iter().any(|x| *x < 0.0) {
                problems.push(String::from("mass, inertia and density cannot be negative"));
            }
        }

        let fluid = if attr.fluidshape == Some(FluidShape::Ellipsoid) {
            shape::fluid_coefficients(kind, &size, &partial_or(&attr.fluidcoef, FLUID))
        } else {
            [0.0; 12]
        };
        if let Some(frame) = self.frame(item.frame) {
            pose = frame.then(&pose);
        }
        for message in problems {
            self.fail("geom", item.name, item.span, &message);
        }
        Geom {
            kind,
            pose,
            size,
            aabb: shape::bounding_box(kind, &size),
            mass,
            inertia,
            fluid,
            group: attr.group.unwrap_or(0),
            contype: attr.contype.unwrap_or(1),
            conaffinity: attr.conaffinity.unwrap_or(1),
            condim,
            margin: attr.margin.unwrap_or(0.0),
        }
    }
}
