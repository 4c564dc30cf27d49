//! The section `<default>`.

use super::{Parser, Rules};
use crate::error::DiagnosticKind;
use crate::schema::{ActuatorAttrs, ActuatorKind, Attributes, CameraAttrs, MeshAttrs};
use crate::spec::{DefaultAttrs, DefaultBlock, DefaultElement, MAIN_CLASS};
use crate::xml::{Node, NodeId};

/// The elements of a default block. The last two are extensions.
const ELEMENTS: &[&str] = &[
    "mesh",
    "material",
    "joint",
    "geom",
    "site",
    "camera",
    "light",
    "pair",
    "equality",
    "tendon",
    "general",
    "motor",
    "position",
    "velocity",
    "intvelocity",
    "damper",
    "cylinder",
    "muscle",
    "adhesion",
    "actuator",
    "sensor",
];

impl<'a> Parser<'a> {
    /// Reads a top-level block and those nested in it, each before the blocks nested in it.
    pub(super) fn default_section(&mut self, id: NodeId) {
        let mut pending: Vec<(NodeId, Option<String>)> = vec![(id, None)];
        while let Some((id, parent)) = pending.pop() {
            let node = &self.document.nodes[id];
            let Some(class) = self.default_class(node, parent.is_some()) else { continue };
            let block = self.default_block(id, class.clone(), parent);
            self.spec.defaults.push(block);
            let nested: Vec<NodeId> = node
                .children
                .iter()
                .copied()
                .filter(|&c| self.document.nodes[c].name == "default")
                .collect();
            pending.extend(nested.into_iter().rev().map(|c| (c, Some(class.clone()))));
        }
    }

    /// The class of a block; none if it cannot be used.
    fn default_class(&mut self, node: &Node, nested: bool) -> Option<String> {
        self.known_attributes(node, &["class"], false);
        let class = node.attr("class").map_or("", |a| &a.value);
        if !nested {
            if !class.is_empty() && class != MAIN_CLASS {
                self.invalid(node, "class", "the top-level class is always 'main'");
            }
            return Some(String::from(MAIN_CLASS));
        }
        if class.is_empty() {
            self.sink.error(
                node.problem(DiagnosticKind::Missing, "a nested default needs a class name"),
            );
            return None;
        }
        if !self.classes.insert(class.to_owned()) {
            let attr = node.attr("class")?;
            let message = "another default class has this name";
            self.sink.error(node.attr_problem(attr, DiagnosticKind::DuplicateName, message));
        }
        Some(class.to_owned())
    }

    fn default_block(&mut self, id: NodeId, class: String, parent: Option<String>) -> DefaultBlock {
        let node = &self.document.nodes[id];
        let mut seen: Vec<&str> = Vec::new();
        let mut elements = Vec::new();
        for &child in &node.children {
            let element = &self.document.nodes[child];
            let name = element.name.as_str();
            if name == "default" {
                continue;
            }
            if seen.contains(&name) {
                self.conflict(element, "this element may appear only once in a default");
            }
            seen.push(name);
            if let Some(attr) = self.default_element(child) {
                elements.push(DefaultElement { span: element.span, attr });
            }
        }
        DefaultBlock { class, parent, span: node.span, elements }
    }

    /// Reads one element of a block; none if it is unknown.
    fn default_element(&mut self, id: NodeId) -> Option<DefaultAttrs> {
        let node = &self.document.nodes[id];
        let attrs = match node.name.as_str() {
            "mesh" => {
                let attrs: MeshAttrs = self.default_attributes(node);
                self.check_hull_vertices(node, attrs.maxhullvert);
                DefaultAttrs::Mesh(Box::new(attrs))
            }
            "material" => {
                let rules = Rules { within_default: true, ..Rules::default() };
                return Some(DefaultAttrs::Material(self.material(id, rules)));
            }
            "joint" => DefaultAttrs::Joint(Box::new(self.default_attributes(node))),
            "geom" => DefaultAttrs::Geom(Box::new(self.default_attributes(node))),
            "site" => DefaultAttrs::Site(Box::new(self.default_attributes(node))),
            "camera" => {
                let attrs: CameraAttrs = self.default_attributes(node);
                self.check_camera(node, &attrs);
                DefaultAttrs::Camera(Box::new(attrs))
            }
            "light" => DefaultAttrs::Light(Box::new(self.default_attributes(node))),
            "pair" => DefaultAttrs::Pair(Box::new(self.default_attributes(node))),
            "equality" => DefaultAttrs::Equality(Box::new(self.default_attributes(node))),
            "tendon" => DefaultAttrs::Tendon(Box::new(self.default_attributes(node))),
            "sensor" => DefaultAttrs::Sensor(Box::new(self.default_attributes(node))),
            name => {
                let general = (name == "actuator").then_some(ActuatorKind::General);
                let named =
                    || ActuatorKind::from_element(name).filter(|k| *k != ActuatorKind::Plugin);
                let Some(kind) = general.or_else(named) else {
                    self.unknown_element(node, ELEMENTS.iter().copied().chain(["default"]), false);
                    return None;
                };
                let attrs: ActuatorAttrs = self.chosen_attributes(node, &kind.default_names(), &[]);
                DefaultAttrs::Actuator(kind, Box::new(attrs))
            }
        };
        self.no_children(node, false);
        Some(attrs)
    }

    fn default_attributes<A: Attributes>(&mut self, node: &Node) -> A {
        self.attributes(node, Rules { within_default: true, ..Rules::default() })
    }

    /// A camera's field of view comes from one attribute only.
    pub(super) fn check_camera(&mut self, node: &Node, attrs: &CameraAttrs) {
        if attrs.fovy.is_some() && attrs.sensorsize.is_some() {
            self.conflict(node, "'fovy' and 'sensorsize' cannot both be given");
        }
    }
}
