//! Visual and collision geometry.

use ferrodyn_model::GeomType;

use super::Urdf;
use crate::error::DiagnosticKind;
use crate::path;
use crate::schema::{GeomAttrs, MeshAttrs};
use crate::spec::{Element, Object};
use crate::values::{Partial, RawQuat};
use crate::xml::NodeId;

/// The group of visual geoms.
const VISUAL_GROUP: i32 = 1;

impl Urdf<'_> {
    /// Reads one visual or collision element.
    pub(super) fn geom(
        &mut self,
        id: NodeId,
        body: usize,
        collides: bool,
        color: Option<[f32; 4]>,
    ) {
        let Some(geometry) = self.required_child(id, "geometry") else { return };
        let mut attr = GeomAttrs { rgba: color, ..GeomAttrs::default() };
        if !collides {
            attr.contype = Some(0);
            attr.conaffinity = Some(0);
            attr.group = Some(VISUAL_GROUP);
            attr.density = Some(0.0);
        }
        if !self.shape(geometry, &mut attr) {
            let message = "expected <box>, <cylinder>, <sphere>, <capsule> or <mesh>";
            let node = &self.document.nodes[geometry];
            self.sink.error(node.problem(DiagnosticKind::Missing, message));
        }
        if self.document.children(id).any(|c| c.name == "origin") {
            let pose = self.origin(id);
            attr.pos = Some(pose.pos);
            attr.quat = Some(RawQuat(pose.quat));
        }
        // a name that is taken is left out
        let node = &self.document.nodes[id];
        let name = node.attr("name").map_or("", |a| a.value.as_str());
        let is_new = !name.is_empty() && self.geom_names.insert(name.to_owned());
        if !is_new && !name.is_empty() {
            let message = format!("another geom has the name '{name}': this one has none");
            self.sink.warn(node.problem(DiagnosticKind::DuplicateName, message));
        }
        let name = if is_new { name.to_owned() } else { String::new() };
        let span = node.span;
        self.spec.geoms.push(Element { name, span, body, attr, ..Element::default() });
    }

    /// Reads the shape in `<geometry>`; false if there is none.
    fn shape(&mut self, id: NodeId, attr: &mut GeomAttrs) -> bool {
        let number = |this: &mut Self, shape, name| this.required(shape, name).unwrap_or(0.0);
        let size: Vec<f64>;
        // lengths are halved: those of MuJoCo count from the centre
        if let Some(shape) = self.child(id, "box") {
            attr.kind = Some(GeomType::Box);
            let whole: [f64; 3] = self.required(shape, "size").unwrap_or_default();
            size = whole.map(|x| x / 2.0).to_vec();
        } else if let Some(shape) = self.child(id, "cylinder") {
            attr.kind = Some(GeomType::Cylinder);
            size = vec![number(self, shape, "radius"), number(self, shape, "length") / 2.0];
        } else if let Some(shape) = self.child(id, "sphere") {
            attr.kind = Some(GeomType::Sphere);
            size = vec![number(self, shape, "radius")];
        } else if let Some(shape) = self.child(id, "capsule") {
            attr.kind = Some(GeomType::Capsule);
            size = vec![number(self, shape, "radius"), number(self, shape, "length") / 2.0];
        } else if let Some(shape) = self.child(id, "mesh") {
            attr.kind = Some(GeomType::Mesh);
            attr.mesh = self.mesh(shape);
            return true;
        } else {
            return false;
        }
        attr.size = Some(Partial::from(size.as_slice()));
        true
    }

    /// The name of the mesh that comes from a file. A file that is used with several scales makes
    /// several meshes; as in MuJoCo, a scale that was used before refers to the first of them.
    fn mesh(&mut self, id: NodeId) -> Option<String> {
        let file = self.required_text(id, "filename")?;
        let scale = self.value(id, "scale").unwrap_or([1.0; 3]);
        let mut name = path::stem(path::file_name(file)).to_owned();
        let scales = self.mesh_scales.entry(name.clone()).or_default();
        if !scales.contains(&scale) {
            if !scales.is_empty() {
                name = format!("{name}{}", scales.len());
            }
            scales.push(scale);
            let attr = MeshAttrs {
                file: Some(file.to_owned()),
                scale: Some(scale),
                ..MeshAttrs::default()
            };
            let span = self.document.nodes[id].span;
            let object = Object { name: name.clone(), span, attr, ..Object::default() };
            self.spec.meshes.push(object);
        }
        Some(name)
    }
}
