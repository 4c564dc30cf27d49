//! Reads a [`Document`] into a [`Spec`], reporting everything that the model language refuses. MuJoCo: `mjXReader::Parse`, in
//! whose order sections take effect.

mod actuator;
mod asset;
mod cable_skin;
mod composite;
mod contact;
mod custom;
mod defaults;
mod deformable;
mod extension;
mod flexcomp;
mod grammar;
mod lattice;
mod pin;
mod replicate;
mod settings;
mod skin;
mod soft;
mod tree;

use std::collections::BTreeSet;

pub(crate) use contact::equality_element;
pub use grammar::{SchemaFormat, schema};

use crate::error::{DiagnosticKind, Problem, Sink};
use crate::history;
use crate::options::LoadOptions;
use crate::schema::{Attributes, SetError};
use crate::spec::{MAIN_CLASS, Spec};
use crate::urdf;
use crate::xml::{Attr, Document, Node, NodeId};

/// The sections of a model, in the order in which they take effect.
const SECTIONS: &[&str] = &[
    "compiler",
    "option",
    "size",
    "visual",
    "statistic",
    "default",
    "extension",
    "custom",
    "asset",
    "contact",
    "deformable",
    "equality",
    "tendon",
    "actuator",
    "sensor",
    "keyframe",
    "worldbody",
];

/// Reads a model.
pub(crate) fn parse(document: &Document, options: &LoadOptions, sink: &mut Sink) -> Spec {
    if document.nodes.first().is_some_and(|root| root.name.eq_ignore_ascii_case(urdf::ROOT)) {
        return urdf::parse(document, options, sink);
    }
    let mut parser = Parser::new(document, options, sink);
    if let Some(root) = document.nodes.first() {
        parser.model(root);
    }
    parser.spec
}

/// Reads the sections that a URDF model has within a block `<mujoco>`. Names that are not known are
/// ignored there.
pub(crate) fn settings(
    document: &Document,
    block: Option<NodeId>,
    options: &LoadOptions,
    sink: &mut Sink,
) -> Spec {
    let mut parser = Parser { lenient: true, ..Parser::new(document, options, sink) };
    if let Some(block) = block {
        parser.unique_children(block, &["compiler", "option", "size"]);
        for &child in &document.nodes[block].children {
            match document.nodes[child].name.as_str() {
                "compiler" => parser.compiler(child),
                "option" => parser.option(child),
                "size" => parser.size(&document.nodes[child]),
                _ => {}
            }
        }
    }
    parser.spec
}

/// How strictly the attributes of an element are read, and which it has.
#[derive(Clone, Copy, Debug, Default)]
struct Rules<'a> {
    /// Names beside those of the table, which the caller reads itself.
    extra: &'a [&'a str],
    /// Within a default: attributes that have no default are unknown.
    within_default: bool,
    /// Within a frame, where MuJoCo ignores what it does not know: unknown attributes and children
    /// are warnings.
    lenient: bool,
}

impl<'a> Rules<'a> {
    fn with(extra: &'a [&'a str]) -> Self {
        Self { extra, ..Self::default() }
    }
}

/// The work in progress.
struct Parser<'a> {
    document: &'a Document,
    options: &'a LoadOptions,
    sink: &'a mut Sink,
    spec: Spec,
    /// Default classes that exist so far.
    classes: BTreeSet<String>,
    /// Names in use, by type of object.
    names: BTreeSet<(&'static str, String)>,
    /// Models that can be attached, by name.
    models: Vec<(String, Spec)>,
    /// Whether names that are not known are ignored everywhere.
    lenient: bool,
}

impl<'a> Parser<'a> {
    fn new(document: &'a Document, options: &'a LoadOptions, sink: &'a mut Sink) -> Self {
        let spec = Spec { directory: document.directory.clone(), ..Spec::default() };
        let classes = BTreeSet::from([String::from(MAIN_CLASS)]);
        let names = BTreeSet::from([("body", String::from("world"))]);
        Self { document, options, sink, spec, classes, names, models: Vec::new(), lenient: false }
    }

    /// Reads the root element.
    fn model(&mut self, root: &'a Node) {
        if root.name != "mujoco" {
            self.sink.error(
                root.problem(DiagnosticKind::UnknownElement, "a model begins with <mujoco>")
                    .suggest(&root.name, ["mujoco"].into_iter()),
            );
            return;
        }
        self.known_attributes(root, &["model"], false);
        self.spec.model_name = root.attr("model").map(|a| a.value.clone());
        for &child in &root.children {
            let node = &self.document.nodes[child];
            if matches!(node.name.as_str(), "body" | "frame" | "replicate") {
                let message = "ignored outside <worldbody>";
                self.sink.warn(node.problem(DiagnosticKind::UnknownElement, message));
            } else if !SECTIONS.contains(&node.name.as_str()) {
                self.unknown_element(node, SECTIONS.iter().copied(), false);
            }
        }
        for section in SECTIONS {
            for &child in &root.children {
                if self.document.nodes[child].name == *section {
                    self.section(child);
                }
            }
        }
    }

    /// Reads one section.
    fn section(&mut self, id: NodeId) {
        let node = &self.document.nodes[id];
        match node.name.as_str() {
            "compiler" => self.compiler(id),
            "option" => self.option(id),
            "size" => self.size(node),
            "visual" => self.visual(id),
            "statistic" => self.statistic(node),
            "default" => self.default_section(id),
            "extension" => self.extension(id),
            "custom" => self.custom(id),
            "asset" => self.asset(id),
            "contact" => self.contact(id),
            "deformable" => self.deformable(id),
            "equality" => self.equality(id),
            "tendon" => self.tendon(id),
            "actuator" => self.actuator(id),
            "sensor" => self.sensor(id),
            "keyframe" => self.keyframe(id),
            "worldbody" => self.worldbody(id),
            // those above are all of `SECTIONS`
            _ => {}
        }
    }

    /// Reports attributes that are not in a list.
    fn known_attributes(&mut self, node: &Node, known: &[&str], lenient: bool) {
        for attr in &node.attrs {
            if !known.contains(&attr.name.as_str()) {
                self.unknown_attribute(node, attr, known.iter().copied(), lenient);
            }
        }
    }

    fn unknown_attribute<'n>(
        &mut self,
        node: &Node,
        attr: &Attr,
        known: impl Iterator<Item = &'n str>,
        lenient: bool,
    ) {
        let name = attr.name.as_str();
        if lenient || self.lenient {
            let message = "unknown attribute, ignored here";
            let problem = node.attr_problem(attr, DiagnosticKind::UnknownAttribute, message);
            self.sink.warn(problem.suggest(name, known));
        } else if let Some(message) = history::removed_attribute(&node.name, name) {
            let problem = node.attr_problem(attr, DiagnosticKind::UnknownAttribute, message);
            self.sink.error(problem);
        } else {
            let problem =
                node.attr_problem(attr, DiagnosticKind::UnknownAttribute, "unknown attribute");
            self.sink.error(problem.suggest(name, known));
        }
    }

    fn unknown_element<'n>(
        &mut self,
        node: &Node,
        known: impl Iterator<Item = &'n str>,
        lenient: bool,
    ) {
        let problem = node
            .problem(DiagnosticKind::UnknownElement, "unknown element")
            .suggest(&node.name, known);
        if lenient || self.lenient { self.sink.warn(problem) } else { self.sink.error(problem) }
    }

    /// Reports every child of an element that has none.
    fn no_children(&mut self, node: &Node, lenient: bool) {
        for &child in &node.children {
            self.unknown_element(&self.document.nodes[child], core::iter::empty(), lenient);
        }
    }

    /// Reports children that are not in a list, and those that appear more than once.
    fn unique_children(&mut self, id: NodeId, known: &[&str]) {
        let mut seen = BTreeSet::new();
        for child in self.document.children(id) {
            if !known.contains(&child.name.as_str()) {
                self.unknown_element(child, known.iter().copied(), false);
            } else if !seen.insert(child.name.as_str()) {
                let message = "this element may appear only once here";
                self.sink.error(child.problem(DiagnosticKind::Conflict, message));
            }
        }
    }

    /// Reads the attributes of an element.
    fn attributes<A: Attributes>(&mut self, node: &Node, rules: Rules<'_>) -> A {
        let mut out = A::default();
        for attr in &node.attrs {
            if rules.extra.contains(&attr.name.as_str()) {
                continue;
            }
            let known = A::names(rules.within_default).any(|n| n == attr.name);
            let outcome =
                if known { out.set(&attr.name, &attr.value) } else { Err(SetError::Unknown) };
            match outcome {
                Ok(()) => {}
                Err(SetError::Unknown) => {
                    let mut names: Vec<&str> = A::names(rules.within_default).collect();
                    names.extend(rules.extra);
                    self.unknown_attribute(node, attr, names.into_iter(), rules.lenient);
                }
                Err(SetError::Value(e)) => {
                    let removed = history::removed_value(&node.name, &attr.name, &attr.value);
                    let message = removed.unwrap_or_else(|| format!("expected {}", e.expected));
                    let mut problem =
                        node.attr_problem(attr, DiagnosticKind::InvalidValue, message);
                    problem.suggestion = e.suggestion;
                    self.sink.error(problem);
                }
                Err(SetError::Twice(names)) => {
                    let message = format!("only one of {} may be given", names.join(", "));
                    self.sink.error(node.attr_problem(attr, DiagnosticKind::Conflict, message));
                }
            }
        }
        const ALTERNATIVES: [&str; 4] = ["axisangle", "xyaxes", "zaxis", "euler"];
        if let Some(attr) = node.attrs.iter().find(|a| ALTERNATIVES.contains(&a.name.as_str()))
            && A::names(rules.within_default).any(|n| n == attr.name)
            && node.attr("quat").is_some()
        {
            let message = "only one orientation may be given";
            self.sink.error(node.attr_problem(attr, DiagnosticKind::Conflict, message));
        }
        out
    }

    /// The text of a required attribute.
    fn required(&mut self, node: &Node, name: &str) -> Option<String> {
        let value = node.attr(name).map(|a| a.value.clone());
        if value.is_none() {
            self.missing(node, name);
        }
        value
    }

    fn missing(&mut self, node: &Node, name: &str) {
        let message = format!("the attribute '{name}' is required");
        self.sink.error(node.problem(DiagnosticKind::Missing, message));
    }

    fn conflict(&mut self, node: &Node, message: &str) {
        self.sink.error(node.problem(DiagnosticKind::Conflict, message));
    }

    fn invalid(&mut self, node: &Node, attribute: &str, message: &str) {
        self.sink.error(value_problem(node, attribute, message));
    }

    /// Warns of a value that is accepted but looks like a mistake.
    fn doubtful(&mut self, node: &Node, attribute: &str, message: &str) {
        self.sink.warn(value_problem(node, attribute, message));
    }

    /// The name of an object, reported if another object of its type has it; empty if it has none.
    fn name(&mut self, node: &Node, kind: &'static str) -> String {
        let Some(attr) = node.attr("name") else { return String::new() };
        if !attr.value.is_empty() && !self.names.insert((kind, attr.value.clone())) {
            let message = format!("another {kind} has this name");
            self.sink.error(node.attr_problem(attr, DiagnosticKind::DuplicateName, message));
        }
        attr.value.clone()
    }

    /// The default class that an attribute names, reported if there is none.
    fn class(&mut self, node: &Node, attribute: &str) -> Option<String> {
        let attr = node.attr(attribute)?;
        if !self.classes.contains(&attr.value) {
            let problem =
                node.attr_problem(attr, DiagnosticKind::Reference, "unknown default class");
            let known = self.classes.iter().map(String::as_str);
            self.sink.error(problem.suggest(&attr.value, known));
            return None;
        }
        Some(attr.value.clone())
    }
}

/// A problem with the value of an attribute, at the attribute where it is written.
fn value_problem(node: &Node, attribute: &str, message: &str) -> Problem {
    match node.attr(attribute) {
        Some(attr) => node.attr_problem(attr, DiagnosticKind::InvalidValue, message),
        None => node.problem(DiagnosticKind::InvalidValue, message),
    }
}
