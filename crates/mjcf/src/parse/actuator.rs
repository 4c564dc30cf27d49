//! The sections `<actuator>` and `<sensor>`.

use ferrodyn_model::SensorType;

use super::{Parser, Rules};
use crate::error::DiagnosticKind;
use crate::schema::{ActuatorAttrs, ActuatorKind, SENSORS, SensorAttrs, SensorKind};
use crate::spec::{ActuatorSpec, Object, SensorSpec};
use crate::xml::{Attr, Node, NodeId};
use ferrodyn_model::{CONTACT_DATA, RAY_DATA};

/// The elements of the section `<actuator>`.
pub(super) const ACTUATORS: &[&str] = &[
    "general",
    "motor",
    "position",
    "velocity",
    "intvelocity",
    "damper",
    "cylinder",
    "muscle",
    "adhesion",
    "plugin",
];

impl<'a> Parser<'a> {
    pub(super) fn actuator(&mut self, id: NodeId) {
        self.known_attributes(&self.document.nodes[id], &[], false);
        for &child in &self.document.nodes[id].children {
            let node = &self.document.nodes[child];
            let Some(kind) = ActuatorKind::from_element(&node.name) else {
                self.unknown_element(node, ACTUATORS.iter().copied(), false);
                continue;
            };
            let name = self.name(node, "actuator");
            let class = self.class(node, "class");
            let is_plugin = kind == ActuatorKind::Plugin;
            let extra: &[&str] = if is_plugin {
                &["name", "class", "plugin", "instance"]
            } else {
                &["name", "class"]
            };
            let attr: ActuatorAttrs = self.chosen_attributes(node, &kind.names(), extra);
            self.check_actuator(node, &attr);
            let plugin = is_plugin.then(|| Box::new(self.plugin(child)));
            if !is_plugin {
                self.no_children(node, false);
            }
            let attr = ActuatorSpec { kind, attr };
            self.spec.actuators.push(Object {
                name,
                class,
                span: node.span,
                origin: 0,
                attr,
                plugin,
                saved: Vec::new(),
                uid: 0,
            });
        }
    }

    fn check_actuator(&mut self, node: &Node, attr: &ActuatorAttrs) {
        let targets = [
            &attr.joint,
            &attr.jointinparent,
            &attr.tendon,
            &attr.cranksite,
            &attr.site,
            &attr.body,
        ];
        let given = targets.iter().filter(|t| t.is_some()).count();
        if given > 1 {
            self.conflict(node, "an actuator has only one target");
        }
        let crank = attr.cranklength.is_some() || attr.slidersite.is_some();
        if crank && given > 0 && attr.cranksite.is_none() {
            let message = "'cranklength' and 'slidersite' belong to a slider crank";
            self.conflict(node, message);
        }
        if attr.refsite.is_some() && given > 0 && attr.site.is_none() {
            self.conflict(node, "'refsite' belongs to a site transmission");
        }
    }

    pub(super) fn sensor(&mut self, id: NodeId) {
        self.known_attributes(&self.document.nodes[id], &[], false);
        for &child in &self.document.nodes[id].children {
            let node = &self.document.nodes[child];
            let Some(sensor) = SensorKind::from_element(&node.name) else {
                self.unknown_element(node, SENSORS.iter().map(|s| s.element), false);
                continue;
            };
            let name = self.name(node, "sensor");
            let is_plugin = sensor.kind == SensorType::Plugin;
            let extra: &[&str] =
                if is_plugin { &["name", "plugin", "instance"] } else { &["name"] };
            let allowed = [sensor.own, sensor.common].concat();
            let attr: SensorAttrs = self.chosen_attributes(node, &allowed, extra);
            self.check_sensor(node, sensor, &attr);
            let plugin = is_plugin.then(|| Box::new(self.plugin(child)));
            if !is_plugin {
                self.no_children(node, false);
            }
            let attr = SensorSpec { kind: sensor.kind, attr };
            self.spec.sensors.push(Object {
                name,
                class: None,
                span: node.span,
                origin: 0,
                attr,
                plugin,
                saved: Vec::new(),
                uid: 0,
            });
        }
    }

    /// What a sensor must have, and what excludes what.
    fn check_sensor(&mut self, node: &Node, sensor: &SensorKind, attr: &SensorAttrs) {
        let has = |name: &str| node.attr(name).is_some();
        match sensor.kind {
            SensorType::Rangefinder => {
                if has("site") == has("camera") {
                    let message = "expected one of 'site' and 'camera'";
                    self.sink.error(node.problem(DiagnosticKind::Missing, message));
                }
                self.check_data(node, attr, &RAY_DATA);
            }
            SensorType::GeomDist | SensorType::GeomNormal | SensorType::GeomFromTo => {
                for (geom, body) in [("geom1", "body1"), ("geom2", "body2")] {
                    if has(geom) == has(body) {
                        let message = format!("expected one of '{geom}' and '{body}'");
                        self.sink.error(node.problem(DiagnosticKind::Missing, message));
                    }
                }
            }
            SensorType::Contact => {
                let count = |names: &[&str]| names.iter().filter(|n| has(n)).count();
                if count(&["site", "body1", "subtree1", "geom1"]) > 1 {
                    let message =
                        "only one of 'geom1', 'body1', 'subtree1' and 'site' may be given";
                    self.conflict(node, message);
                }
                if count(&["body2", "subtree2", "geom2"]) > 1 {
                    let message = "only one of 'geom2', 'body2' and 'subtree2' may be given";
                    self.conflict(node, message);
                }
                if attr.num.is_some_and(|n| n <= 0) {
                    self.invalid(node, "num", "expected a positive integer");
                }
                self.check_data(node, attr, &CONTACT_DATA);
            }
            SensorType::User => {
                if has("objname") != has("objtype") {
                    self.conflict(node, "'objtype' and 'objname' go together");
                }
                self.required(node, "dim");
            }
            SensorType::Plugin => {
                if has("objname") != has("objtype") {
                    self.conflict(node, "'objtype' and 'objname' go together");
                }
                if has("refname") != has("reftype") {
                    self.conflict(node, "'reftype' and 'refname' go together");
                }
            }
            _ => {
                for name in sensor.own {
                    let optional = matches!(*name, "reftype" | "refname");
                    if !optional {
                        self.required(node, name);
                    }
                }
                if has("reftype") {
                    self.required(node, "refname");
                } else if has("refname") {
                    self.conflict(node, "'refname' needs 'reftype'");
                }
            }
        }
    }

    fn check_data(&mut self, node: &Node, attr: &SensorAttrs, table: &[(&str, i32)]) {
        if let Some(Err(e)) = attr.data.as_ref().map(|d| d.bits(table)) {
            self.invalid(node, "data", &format!("expected {}", e.expected));
        }
    }

    /// Reads the attributes of an element that knows only some of the rows of its table.
    pub(super) fn chosen_attributes<A: crate::schema::Attributes>(
        &mut self,
        node: &Node,
        allowed: &[&str],
        extra: &[&str],
    ) -> A {
        let is_known = |a: &Attr| [allowed, extra].iter().any(|n| n.contains(&a.name.as_str()));
        for attr in node.attrs.iter().filter(|a| !is_known(a)) {
            let known = allowed.iter().chain(extra).copied();
            self.unknown_attribute(node, attr, known, false);
        }
        if node.attrs.iter().all(is_known) {
            return self.attributes(node, Rules::with(extra));
        }
        // what is unknown is reported already
        let mut node = node.clone();
        node.attrs.retain(is_known);
        self.attributes(&node, Rules::with(extra))
    }
}
