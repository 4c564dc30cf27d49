//! The section `<worldbody>`: bodies, frames and what lies in them.

use super::{Parser, Rules};
use crate::error::DiagnosticKind;
use crate::schema::{Attributes, CameraAttrs, FreeJointAttrs, InertialAttrs};
use crate::spec::{BodySpec, Element, FrameSpec, InertialSpec, JointSpec};
use crate::xml::{Node, NodeId};

/// The elements of a body.
const ELEMENTS: &[&str] = &[
    "body",
    "frame",
    "inertial",
    "joint",
    "freejoint",
    "geom",
    "site",
    "camera",
    "light",
    "plugin",
    "composite",
    "flexcomp",
    "replicate",
    "attach",
];

/// Where in the tree an element lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) body: usize,
    pub(super) frame: Option<usize>,
    /// Within a frame, at any depth: MuJoCo does not check names there.
    pub(super) lenient: bool,
}

impl<'a> Parser<'a> {
    /// Reads the tree in the order of the text, without recursion.
    pub(super) fn worldbody(&mut self, id: NodeId) {
        let node = &self.document.nodes[id];
        if let Some(attr) = node.attrs.first() {
            let message = "the world has no attributes";
            self.sink.error(node.attr_problem(attr, DiagnosticKind::UnknownAttribute, message));
        }
        self.tree(id, Place { body: 0, frame: None, lenient: false });
    }

    /// Reads everything below an element. Replicated elements are read by a call of their own; they
    /// nest no deeper than the budget allows elements to.
    pub(super) fn tree(&mut self, id: NodeId, place: Place) {
        let mut pending: Vec<(NodeId, Place)> = Vec::new();
        self.push_children(id, place, &mut pending);
        while let Some((id, place)) = pending.pop() {
            if let Some(inner) = self.tree_element(id, place) {
                self.push_children(id, inner, &mut pending);
            }
        }
    }

    fn push_children(&self, id: NodeId, place: Place, pending: &mut Vec<(NodeId, Place)>) {
        pending.extend(self.document.nodes[id].children.iter().rev().map(|&c| (c, place)));
    }

    /// Reads one element; for a body or frame, the place of what lies in it.
    fn tree_element(&mut self, id: NodeId, place: Place) -> Option<Place> {
        let node = &self.document.nodes[id];
        match node.name.as_str() {
            "body" => return Some(self.body(node, place)),
            "frame" => return Some(self.frame(node, place)),
            "inertial" => self.inertial(node, place),
            "joint" => {
                if self.not_in_world(node, place, "joints") {
                    let joint =
                        self.element(node, place, "joint", |a| JointSpec::Joint(Box::new(a)));
                    self.spec.joints.push(joint);
                }
            }
            "freejoint" => {
                if self.not_in_world(node, place, "joints") {
                    let joint = self.freejoint(node, place);
                    self.spec.joints.push(joint);
                }
            }
            "geom" => {
                let mut geom = self.element(node, place, "geom", |a| a);
                geom.plugin = self.child_plugin(id);
                self.spec.geoms.push(geom);
                return None;
            }
            "site" => {
                let site = self.element(node, place, "site", |a| a);
                self.spec.sites.push(site);
            }
            "camera" => {
                let camera: Element<CameraAttrs> = self.element(node, place, "camera", |a| a);
                self.check_camera(node, &camera.attr);
                self.spec.cameras.push(camera);
            }
            "light" => {
                let light = self.element(node, place, "light", |a| a);
                self.spec.lights.push(light);
            }
            "plugin" => {
                self.known_attributes(node, &["plugin", "instance"], place.lenient);
                let plugin = self.plugin(id);
                self.spec.bodies[place.body].plugin = Some(Box::new(plugin));
                return None;
            }
            "replicate" => {
                self.replicate(id, place);
                return None;
            }
            "attach" => {
                self.attach(node, place);
                return None;
            }
            "composite" => {
                self.composite(id, place);
                return None;
            }
            "flexcomp" => {
                self.flexcomp(id, place);
                return None;
            }
            _ => {
                self.unknown_element(node, ELEMENTS.iter().copied(), false);
                return None;
            }
        }
        self.no_children(node, place.lenient);
        None
    }

    fn not_in_world(&mut self, node: &Node, place: Place, what: &str) -> bool {
        if place.body == 0 {
            let message = format!("the world has no {what}");
            self.sink.error(node.problem(DiagnosticKind::Conflict, message));
        }
        place.body != 0
    }

    /// Reads an element that has a name, a class and attributes.
    fn element<A: Attributes, B>(
        &mut self,
        node: &Node,
        place: Place,
        kind: &'static str,
        wrap: impl FnOnce(A) -> B,
    ) -> Element<B> {
        let name = self.name(node, kind);
        let class = self.class(node, "class");
        let rules = Rules { lenient: place.lenient, ..Rules::with(&["name", "class"]) };
        let attr = wrap(self.attributes(node, rules));
        Element {
            name,
            class,
            span: node.span,
            body: place.body,
            frame: place.frame,
            origin: 0,
            attr,
            plugin: None,
            saved: Vec::new(),
            uid: 0,
        }
    }

    fn freejoint(&mut self, node: &Node, place: Place) -> Element<JointSpec> {
        let name = self.name(node, "joint");
        let mut extra = vec!["name"];
        if place.lenient {
            self.class(node, "class");
            extra.push("class");
        }
        let rules = Rules { lenient: place.lenient, ..Rules::with(&extra) };
        let attr: FreeJointAttrs = self.attributes(node, rules);
        Element {
            name,
            class: None,
            span: node.span,
            body: place.body,
            frame: place.frame,
            origin: 0,
            attr: JointSpec::Free(attr),
            plugin: None,
            saved: Vec::new(),
            uid: 0,
        }
    }

    fn body(&mut self, node: &Node, place: Place) -> Place {
        let name = self.name(node, "body");
        // within a frame a class is read too, and works as a childclass does
        let class = if place.lenient { self.class(node, "class") } else { None };
        let childclass = self.class(node, "childclass").or(class);
        let mut extra = vec!["name", "childclass"];
        if place.lenient {
            extra.push("class");
        }
        let rules = Rules { lenient: place.lenient, ..Rules::with(&extra) };
        let attr = self.attributes(node, rules);
        self.spec.bodies.push(BodySpec {
            name,
            childclass,
            span: node.span,
            parent: place.body,
            frame: place.frame,
            attr,
            ..BodySpec::default()
        });
        Place { body: self.spec.bodies.len() - 1, frame: None, lenient: place.lenient }
    }

    fn frame(&mut self, node: &Node, place: Place) -> Place {
        let name = self.name(node, "frame");
        let class = self.class(node, "class");
        let childclass = self.class(node, "childclass").or(class);
        let rules = Rules { lenient: true, ..Rules::with(&["name", "childclass", "class"]) };
        let attr = self.attributes(node, rules);
        self.spec.frames.push(FrameSpec {
            name,
            childclass,
            span: node.span,
            body: place.body,
            parent: place.frame,
            attr,
            ..FrameSpec::default()
        });
        Place { body: place.body, frame: Some(self.spec.frames.len() - 1), lenient: true }
    }

    fn inertial(&mut self, node: &Node, place: Place) {
        if !self.not_in_world(node, place, "inertia") {
            return;
        }
        let mut extra = Vec::new();
        if place.lenient {
            self.class(node, "class");
            extra.push("class");
        }
        let rules = Rules { lenient: place.lenient, ..Rules::with(&extra) };
        let attr: InertialAttrs = self.attributes(node, rules);
        for (name, missing) in [("pos", attr.pos.is_none()), ("mass", attr.mass.is_none())] {
            if missing && node.attr(name).is_none_or(|a| a.value.trim().is_empty()) {
                self.missing(node, name);
            }
        }
        let oriented = node.attr("quat").is_some() || attr.alt.is_some();
        if oriented && attr.fullinertia.is_some() {
            self.conflict(node, "'fullinertia' and an orientation cannot both be given");
        }
        let earlier = self.spec.bodies[place.body].inertial.take();
        if earlier.is_some() && !place.lenient {
            self.conflict(node, "a body has only one <inertial>");
        }
        let attr = earlier.map_or_else(|| attr.clone(), |e| attr.over(&e.attr));
        self.spec.bodies[place.body].inertial = Some(InertialSpec { span: node.span, attr });
    }
}
