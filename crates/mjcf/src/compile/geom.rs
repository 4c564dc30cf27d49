//! Compiles geoms.

use ferrodyn_model::{GeomType, ObjType};
use libm::sqrt;

use super::objects::Geom;
use super::resolve::Resolved;
use super::shape;
use super::tree::{TreeCompiler, check_size, from_to};
use crate::keywords::{FluidShape, ShellInertia};
use crate::mesh::FitShape;
use crate::plugin::Capability;
use crate::pose::{EPS, Pose, normalize};
use crate::schema::GeomAttrs;

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
        let or = attr.or_default();
        let kind = or.kind();
        let mut problems: Vec<String> = Vec::new();
        self.check_user("geom", item.name, item.span, &attr.user, self.user.geom);
        let mut find =
            |kind, attribute, name| self.asset("geom", item.name, item.span, kind, attribute, name);
        let mesh = find(ObjType::Mesh, "mesh", &attr.mesh);
        let hfield = find(ObjType::Hfield, "hfield", &attr.hfield);
        let mesh_data = mesh.and_then(|id| self.assets.meshes[id].data.as_ref());
        // a geom without a material has that of its mesh
        let own = attr.material.as_ref().is_some_and(|m| !m.is_empty());
        let of_mesh = mesh.and_then(|id| self.assets.meshes[id].material.clone());
        let material = if own { attr.material.clone() } else { of_mesh };
        let material =
            self.asset("geom", item.name, item.span, ObjType::Material, "material", &material);
        if !matches!(or.condim(), 1 | 3 | 4 | 6) {
            problems.push(String::from("'condim' must be 1, 3, 4 or 6"));
        }
        if matches!(kind, GeomType::Mesh | GeomType::Sdf) && mesh.is_none() {
            problems.push(String::from("a mesh geom must name a mesh"));
        }
        if (kind == GeomType::Hfield) != hfield.is_some() {
            problems.push(String::from("a height field geom must name a height field"));
        }
        if kind == GeomType::Plane && weld != 0 {
            problems.push(String::from("planes are only allowed in static bodies"));
        }

        // pose and size
        let mut size = or.size();
        let pos = or.pos();
        let placed = match attr.fromto {
            Some(fromto) => from_to(kind, &pos, &fromto, &mut size),
            None => self.orientation(item.origin, &attr.quat, &attr.alt).map(|mut quat| {
                if attr.alt.is_none() {
                    normalize(&mut quat);
                }
                Pose { pos, quat }
            }),
        };
        let mut pose = placed.unwrap_or_else(|message| {
            problems.push(message.to_owned());
            Pose::NULL
        });

        // the frame of a mesh is that of its inertia; another shape is fitted to the mesh
        let shaped = matches!(kind, GeomType::Mesh | GeomType::Sdf);
        if let Some(data) = mesh_data {
            if attr.fromto.is_some() {
                problems.push(String::from("a geom with a mesh cannot have 'fromto'"));
            }
            let mut center = [0.0; 3];
            if shaped {
                if or.shellinertia() == ShellInertia::Shell {
                    let message = "the inertia of a mesh geom is stated in the mesh";
                    problems.push(String::from(message));
                }
            } else if let Some(shape) = fit_shape(kind) {
                let fitaabb = self.settings[item.origin].fitaabb;
                (size, center) = data.fit(shape, fitaabb, or.fitscale(), size);
            } else {
                problems.push(String::from("this shape cannot be fitted to a mesh"));
            }
            let pos = data.original_position(&center);
            pose = pose.then(&Pose { pos, quat: data.quat });
        }
        // a shape without a place has no size to speak of
        if problems.is_empty()
            && let Err(message) = check_size("geom", kind, &size)
        {
            problems.push(message);
        }
        let mut aabb = shape::bounding_box(kind, &size);
        let mut rbound = shape::bounding_radius(kind, &size);
        if let Some(data) = mesh_data.filter(|_| shaped) {
            size = data.geom_size();
            aabb = data.geom_aabb();
            rbound = data.geom_rbound();
        }
        if let Some(hfield) = hfield.map(|id| &self.assets.hfields[id]) {
            let [x, y, above, below] = hfield.size;
            size = [x, y, 0.25 * above + 0.5 * below];
            aabb = [0.0, 0.0, (above - below) / 2.0, x, y, (above + below) / 2.0];
            rbound = sqrt(x * x + y * y + (above * above).max(below * below));
        }

        // mass and inertia
        let shell = or.shellinertia() == ShellInertia::Shell;
        let density = or.density();
        let mut mass = 0.0;
        let mut inertia = [0.0; 3];
        let mut final_density = density;
        if infer {
            let mesh_data = mesh_data.filter(|_| shaped);
            let volume = match mesh_data {
                Some(data) => data.volume,
                None => shape::volume(kind, shell, &size),
            };
            let inertia_of = |mass: f64| match mesh_data {
                Some(data) => shape::inertia(GeomType::Box, false, &data.inertia_box, mass),
                None => shape::inertia(kind, shell, &size, mass),
            };
            match attr.mass {
                Some(0.0) => final_density = 0.0,
                Some(given) => {
                    if volume > EPS {
                        mass = given;
                        final_density = given / volume;
                        inertia = inertia_of(mass);
                    }
                }
                None => {
                    if density != 0.0 {
                        mass = density * volume;
                        inertia = inertia_of(mass);
                    }
                }
            }
            if mass < 0.0 || final_density < 0.0 || inertia.iter().any(|x| *x < 0.0) {
                problems.push(String::from("mass, inertia and density cannot be negative"));
            }
        }

        let fluid = if or.fluidshape() == FluidShape::Ellipsoid {
            shape::fluid_coefficients(kind, &size, &or.fluidcoef())
        } else {
            [0.0; 12]
        };
        let plugin = item
            .plugin
            .and_then(|used| self.plugins.resolve(used, Capability::Sdf, self.index, self.sink));
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
            aabb,
            mass,
            inertia,
            fluid,
            group: or.group(),
            contype: or.contype(),
            conaffinity: or.conaffinity(),
            margin: or.margin(),
            rbound,
            data: mesh.or(hfield),
            material,
            plugin,
        }
    }
}

/// The shape that is fitted to a mesh.
fn fit_shape(kind: GeomType) -> Option<FitShape> {
    Some(match kind {
        GeomType::Sphere => FitShape::Sphere,
        GeomType::Capsule => FitShape::Capsule,
        GeomType::Cylinder => FitShape::Cylinder,
        GeomType::Ellipsoid => FitShape::Ellipsoid,
        GeomType::Box => FitShape::Box,
        _ => return None,
    })
}
