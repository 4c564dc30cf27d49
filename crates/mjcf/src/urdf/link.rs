//! Links: their inertia and the geoms that they have.

use super::Urdf;
use crate::pose::{Pose, mul_quat};
use crate::schema::InertialAttrs;
use crate::spec::InertialSpec;
use crate::values::RawQuat;
use crate::xml::NodeId;

impl Urdf<'_> {
    /// Reads the content of a link.
    pub(super) fn link(&mut self, id: NodeId) {
        let document = self.document;
        let name = document.nodes[id].attr("name").map(|a| a.value.as_str());
        let Some(&body) = name.and_then(|n| self.links.get(n)) else { return };
        if let Some(inertial) = self.child(id, "inertial") {
            self.inertial(inertial, body);
        }
        // a geom without a colour of its own has that of the visual before it
        let mut color: Option<[f32; 4]> = None;
        for &part in &document.nodes[id].children {
            match document.nodes[part].name.as_str() {
                "visual" => {
                    color = self.visual_color(part).or(color);
                    if !self.discard_visual {
                        self.geom(part, body, false, color);
                    }
                }
                "collision" => self.geom(part, body, true, color),
                _ => {}
            }
        }
    }

    /// The colour of a visual: its own, or that of the material that it names.
    fn visual_color(&mut self, id: NodeId) -> Option<[f32; 4]> {
        let material = self.child(id, "material")?;
        if let Some(color) = self.child(material, "color") {
            return self.required(color, "rgba");
        }
        let name = self.required_text(material, "name")?;
        self.colors.get(name).copied()
    }

    fn inertial(&mut self, id: NodeId, body: usize) {
        let Pose { pos, quat } = self.origin(id);
        let mut attr = InertialAttrs { pos: Some(pos), ..InertialAttrs::default() };
        if let Some(mass) = self.required_child(id, "mass") {
            attr.mass = self.required(mass, "value");
        }
        if let Some(inertia) = self.required_child(id, "inertia") {
            let names = ["ixx", "iyy", "izz", "ixy", "ixz", "iyz"];
            let full = names.map(|name| self.required(inertia, name).unwrap_or(0.0));
            // MuJoCo takes the axes of a matrix from the matrix alone: the orientation of the origin
            // has effect only where there is none
            if full == [0.0; 6] {
                attr.quat = Some(RawQuat(mul_quat(&quat, &crate::pose::UNIT)));
            } else {
                attr.fullinertia = Some(full);
            }
        }
        let span = self.document.nodes[id].span;
        self.spec.bodies[body].inertial = Some(InertialSpec { span, attr });
    }
}
