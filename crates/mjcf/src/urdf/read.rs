//! Finds the elements and attributes of URDF.

use super::Urdf;
use crate::error::DiagnosticKind;
use crate::orientation::orientation;
use crate::pose::{Pose, UNIT};
use crate::values::{AttrValue, Orientation};
use crate::xml::NodeId;

impl<'a> Urdf<'a> {
    /// The child element with this name; more than one is an error.
    pub(super) fn child(&mut self, id: NodeId, name: &str) -> Option<NodeId> {
        let nodes = &self.document.nodes;
        let mut found = nodes.get(id)?.children.iter().filter(|&&c| nodes[c].name == name);
        let first = found.next().copied();
        if let Some(&second) = found.next() {
            let message = "this element may appear only once here";
            self.sink.error(nodes[second].problem(DiagnosticKind::Conflict, message));
        }
        first
    }

    /// The child element with this name, which must be there.
    pub(super) fn required_child(&mut self, id: NodeId, name: &str) -> Option<NodeId> {
        let child = self.child(id, name);
        if child.is_none() {
            let message = format!("the element <{name}> is required");
            self.sink.error(self.document.nodes[id].problem(DiagnosticKind::Missing, message));
        }
        child
    }

    /// The text of an attribute, which must be there.
    pub(super) fn required_text(&mut self, id: NodeId, name: &str) -> Option<&'a str> {
        let node = &self.document.nodes[id];
        let attr = node.attr(name);
        if attr.is_none() {
            let message = format!("the attribute '{name}' is required");
            self.sink.error(node.problem(DiagnosticKind::Missing, message));
        }
        attr.map(|a| a.value.as_str())
    }

    /// The value of an attribute; one that cannot be read is reported.
    pub(super) fn value<T: AttrValue>(&mut self, id: NodeId, name: &str) -> Option<T> {
        let node = &self.document.nodes[id];
        let attr = node.attr(name)?;
        T::read(name, &attr.value).unwrap_or_else(|e| {
            let message = format!("expected {}", e.expected);
            self.sink.error(node.attr_problem(attr, DiagnosticKind::InvalidValue, message));
            None
        })
    }

    /// The value of an attribute, which must be there.
    pub(super) fn required<T: AttrValue>(&mut self, id: NodeId, name: &str) -> Option<T> {
        let text = self.required_text(id, name)?;
        if text.trim().is_empty() {
            let message = format!("the attribute '{name}' is required");
            self.sink.error(self.document.nodes[id].problem(DiagnosticKind::Missing, message));
            return None;
        }
        self.value(id, name)
    }

    /// The pose that the child `<origin>` of an element describes.
    pub(super) fn origin(&mut self, id: NodeId) -> Pose {
        let Some(origin) = self.child(id, "origin") else { return Pose::NULL };
        let pos = self.value(origin, "xyz").unwrap_or_default();
        let angles = self.value::<[f64; 3]>(origin, "rpy").map(Orientation::Euler);
        // roll, pitch and yaw turn about the axes of the parent
        let quat = orientation(false, b"XYZ", &None, &angles).unwrap_or(UNIT);
        Pose { pos, quat }
    }
}
