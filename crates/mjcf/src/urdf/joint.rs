//! Joints: where a link lies in its parent, and how it moves.

use ferrodyn_model::JointType;

use super::Urdf;
use crate::error::DiagnosticKind;
use crate::keywords::Tristate;
use crate::pose::{quat_from_z, quat_to_mat};
use crate::schema::JointAttrs;
use crate::spec::{Element, JointSpec};
use crate::suggest::closest;
use crate::values::RawQuat;
use crate::xml::NodeId;

/// The types of joint; the last is an extension that other readers have too.
const TYPES: [&str; 7] =
    ["revolute", "continuous", "prismatic", "fixed", "floating", "planar", "spherical"];

impl Urdf<'_> {
    /// Reads a joint: the pose of its child, and the joints of the body.
    pub(super) fn joint(&mut self, id: NodeId) {
        let document = self.document;
        let kind = self.required_text(id, "type");
        let name = self.required_text(id, "name");
        let child = document.children(id).find(|c| c.name == "child");
        let link = child.and_then(|c| c.attr("link")).map(|a| a.value.as_str());
        let (Some(kind), Some(name)) = (kind, name) else { return };
        let Some(&body) = link.and_then(|l| self.links.get(l)) else { return };
        if document.children(id).any(|c| c.name == "origin") {
            let pose = self.origin(id);
            self.spec.bodies[body].attr.pos = Some(pose.pos);
            self.spec.bodies[body].attr.quat = Some(RawQuat(pose.quat));
        }
        let axis = match self.child(id, "axis") {
            Some(axis) => self.required(axis, "xyz").unwrap_or([1.0, 0.0, 0.0]),
            None => [1.0, 0.0, 0.0],
        };
        let simple = |kind| vec![(String::from(name), kind, axis)];
        let mut joints = match kind {
            "revolute" | "continuous" => simple(JointType::Hinge),
            "prismatic" => simple(JointType::Slide),
            "floating" => simple(JointType::Free),
            "spherical" => simple(JointType::Ball),
            "planar" => {
                // two directions in the plane, and a turn about the axis
                let m = quat_to_mat(&quat_from_z(&axis));
                vec![
                    (format!("{name}_TX"), JointType::Slide, [m[0], m[3], m[6]]),
                    (format!("{name}_TY"), JointType::Slide, [m[1], m[4], m[7]]),
                    (format!("{name}_RZ"), JointType::Hinge, axis),
                ]
            }
            "fixed" => Vec::new(),
            _ => {
                let node = &document.nodes[id];
                let message = format!("expected one of: {}", TYPES.join(", "));
                let mut problem = node.problem(DiagnosticKind::InvalidValue, message);
                problem = problem.attribute("type").value(kind);
                problem.suggestion = closest(kind, TYPES.into_iter()).map(str::to_owned);
                self.sink.error(problem);
                Vec::new()
            }
        };
        if joints.is_empty() {
            return;
        }
        let mut shared = JointAttrs::default();
        if let Some(dynamics) = self.child(id, "dynamics") {
            shared.damping = self.value(dynamics, "damping");
            shared.frictionloss = self.value(dynamics, "friction");
        }
        for (i, (name, kind, axis)) in joints.drain(..).enumerate() {
            let mut attr = JointAttrs { kind: Some(kind), axis: Some(axis), ..shared.clone() };
            // limits hold for the first direction of a planar joint only
            if i == 0
                && let Some(limit) = self.child(id, "limit")
            {
                self.limit(limit, &mut attr);
            }
            self.add_joint(id, body, name, attr);
        }
    }

    fn limit(&mut self, id: NodeId, attr: &mut JointAttrs) {
        let (lower, upper) = (self.value(id, "lower"), self.value(id, "upper"));
        let range = [lower.unwrap_or(0.0), upper.unwrap_or(0.0)];
        if lower.is_some() || upper.is_some() {
            attr.range = Some(range);
        }
        // half a range, or one that is upside down, is no limit
        if lower.is_some() != upper.is_some() || range[0] > range[1] {
            attr.limited = Some(Tristate::False);
        }
        let effort = self.value::<f64>(id, "effort").unwrap_or(0.0).abs();
        if effort > 0.0 {
            attr.actuatorfrcrange = Some([-effort, effort]);
        }
    }

    fn add_joint(&mut self, id: NodeId, body: usize, name: String, attr: JointAttrs) {
        let node = &self.document.nodes[id];
        if body == 0 {
            let message = "the world has no joints";
            self.sink.error(node.problem(DiagnosticKind::Conflict, message));
            return;
        }
        if !name.is_empty() && !self.joint_names.insert(name.clone()) {
            let message = format!("another joint has the name '{name}'");
            self.sink.error(node.problem(DiagnosticKind::DuplicateName, message));
        }
        let attr = JointSpec::Joint(Box::new(attr));
        let span = node.span;
        self.spec.joints.push(Element { name, span, body, attr, ..Element::default() });
    }
}
