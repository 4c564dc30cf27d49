//! The elements `<replicate>`, `<attach>` and `<model>`: copies of subtrees and of other models.

use std::path::Path;

use super::tree::Place;
use super::{Parser, Rules};
use crate::attach::{
    Marks, NameLookup, Namespace, Part, PendingKey, Placement, Subtree, copy_referring,
    key_problem, remove_dangling,
};
use crate::error::{DiagnosticKind, Problem};
use crate::keywords::AngleUnit;
use crate::orientation::orientation;
use crate::path;
use crate::pose::Pose;
use crate::schema::{ModelAttrs, ReplicateAttrs};
use crate::spec::Spec;
use crate::values::{Orientation, RawQuat};
use crate::xml::{Node, NodeId};

/// How deeply models that are attached may attach others.
const MAX_MODEL_DEPTH: usize = 16;

impl<'a> Parser<'a> {
    /// Reads a subtree once and places it `count` times, each time moved and turned once more.
    pub(super) fn replicate(&mut self, id: NodeId, place: Place) {
        let node = &self.document.nodes[id];
        let childclass = self.class(node, "childclass");
        // as within a frame, unknown attributes are ignored
        let rules = Rules { lenient: true, ..Rules::with(&["childclass"]) };
        let attr: ReplicateAttrs = self.attributes(node, rules);
        let Some(count) = attr.count else {
            self.missing(node, "count");
            return;
        };
        if let Some(key) = key_problem(&self.spec) {
            let message =
                format!("the keyframe '{key}' has vectors, which replication would have to resize");
            self.conflict(node, &message);
            return;
        }
        let flexes = self.spec.flexes.len() + self.spec.softs.len();
        let marks = Marks::new(&self.spec);
        let frame = self.spec.push_frame(place.body, place.frame, node.span);
        self.spec.frames[frame].childclass = childclass;
        self.tree(id, Place { body: place.body, frame: Some(frame), lenient: place.lenient });
        if self.spec.flexes.len() + self.spec.softs.len() > flexes {
            self.conflict(
                node,
                "a <flexcomp> cannot be replicated: its copies would have one name",
            );
            return;
        }
        let with_template = self.has_referring().then(|| NameLookup::of(&self.spec));
        let template = Subtree::take(&mut self.spec, &marks, place.body);
        for (kind, name, _) in template.names() {
            self.names.remove(&(kind, name.to_owned()));
        }

        let copies = i64::from(count).max(0);
        let size = copies.saturating_mul(template.len() as i64);
        if size > self.options.budget.elements as i64 {
            let message = format!("{size} replicated elements are more than the budget allows");
            self.sink.error(node.problem(DiagnosticKind::Budget, message));
            return;
        }
        self.place_copies(node, place, template, copies as usize, &attr, with_template);
    }

    /// Is there anything outside the tree that a replicated element could be referred to by?
    fn has_referring(&self) -> bool {
        let s = &self.spec;
        !(s.flexes.is_empty()
            && s.pairs.is_empty()
            && s.excludes.is_empty()
            && s.tendons.is_empty()
            && s.equalities.is_empty()
            && s.actuators.is_empty()
            && s.sensors.is_empty()
            && s.tuples.is_empty())
    }

    fn place_copies(
        &mut self,
        node: &Node,
        place: Place,
        mut template: Subtree,
        count: usize,
        attr: &ReplicateAttrs,
        with_template: Option<NameLookup>,
    ) {
        let euler = attr.or_default().euler();
        let turn = |this: &Self, times: f64| {
            let angles = Orientation::Euler(euler.map(|x| x * times));
            let compiler = &this.spec.compiler;
            let degree = compiler.angle != Some(AngleUnit::Radian);
            let sequence = compiler.or_default().eulerseq();
            orientation(degree, &sequence, &None, &Some(angles))
        };
        let step = match turn(self, 1.0) {
            Ok(quat) => Pose { pos: attr.or_default().offset(), quat },
            Err(message) => {
                self.conflict(node, message);
                return;
            }
        };
        // references resolve while the template is still there
        let mut names = with_template.clone();
        let digits = count.to_string().len();
        let mut pose = Pose::NULL;
        let keys = core::mem::take(&mut self.spec.keys);
        for i in 0..count {
            let separator = attr.or_default().sep();
            let suffix = format!("{separator}{i:0digits$}");
            // the orientation is not accumulated, so that it keeps its precision
            pose.quat = turn(self, i as f64).unwrap_or(pose.quat);
            let frame = template.frame_mut();
            frame.attr.pos = Some(pose.pos);
            frame.attr.quat = Some(RawQuat(pose.quat));
            pose = pose.then(&step);
            let namespace = Namespace { prefix: "", suffix: &suffix };
            let at = Placement {
                body: place.body,
                frame: place.frame,
                namespace,
                foreign: false,
                origins: &[],
            };
            template.place(&mut self.spec, &at, "");
            template.forget_keyframes();
            self.claim_names(&template, &namespace);
            if let Some(names) = &mut names {
                names.add_subtree(&template, &namespace);
                copy_referring(&mut self.spec, None, &at, names);
            }
            self.spec.pending_keys.extend(keys.iter().map(|key| PendingKey {
                name: namespace.name(&key.name),
                time: key.attr.time,
                ..PendingKey::default()
            }));
        }
        self.spec.pending_keys.extend(keys.iter().map(|key| PendingKey {
            name: key.name.clone(),
            time: key.attr.time,
            ..PendingKey::default()
        }));
        if let Some(with_template) = with_template {
            remove_dangling(&mut self.spec, &with_template);
        }
    }

    /// Takes the names of a part that was placed; one that is taken already is reported.
    fn claim_names(&mut self, part: &Subtree, namespace: &Namespace<'_>) {
        for (kind, name, span) in part.names() {
            let name = namespace.name(name);
            if !self.names.insert((kind, name.clone())) {
                let message = format!("another {kind} has the name '{name}'");
                let problem = Problem::new(DiagnosticKind::DuplicateName, message);
                self.sink.error(problem.at(span).element(kind));
            }
        }
    }

    /// Reads a model that can be attached.
    pub(super) fn model_asset(&mut self, node: &Node) {
        let attr: ModelAttrs = self.attributes(node, Rules::with(&["name"]));
        self.no_children(node, false);
        let Some(file) = attr.file else {
            self.missing(node, "file");
            return;
        };
        if self.options.model_depth >= MAX_MODEL_DEPTH {
            self.invalid(node, "file", "models are nested too deeply");
            return;
        }
        let file = path::join(&self.document.directory, &path::reduce(&file));
        match Spec::from_xml_path(Path::new(&file), &self.options.nested(&self.document.directory))
        {
            Ok(mut child) => {
                if let Some(name) = node.attr("name") {
                    child.model_name = Some(name.value.clone());
                }
                let name = child.model_name.clone().unwrap_or_default();
                self.models.push((name, child));
            }
            Err(error) => {
                let message = format!("cannot read the model: {error}");
                self.invalid(node, "file", &message);
            }
        }
    }

    /// Attaches a body of another model, or all of it.
    pub(super) fn attach(&mut self, node: &Node, place: Place) {
        self.known_attributes(node, &["model", "body", "prefix"], place.lenient);
        self.no_children(node, place.lenient);
        let model = self.required(node, "model");
        let prefix = self.required(node, "prefix");
        let (Some(model), Some(prefix)) = (model, prefix) else { return };
        let body = node.attr("body").map_or("", |a| &a.value);
        let frame = match place.frame {
            Some(frame) => frame,
            None => self.spec.push_frame(place.body, None, node.span),
        };
        // a body that is there already only moves to the frame
        let full = format!("{prefix}{body}");
        if let Some(b) = self.spec.bodies.iter().position(|b| b.name == full && !b.name.is_empty())
        {
            if self.spec.bodies[b].parent == place.body {
                self.spec.bodies[b].frame = Some(frame);
            } else {
                self.conflict(node, "the body is attached to another parent already");
            }
            return;
        }
        let Some(index) = self.models.iter().position(|(name, _)| *name == model) else {
            let known: Vec<String> = self.models.iter().map(|(n, _)| n.clone()).collect();
            let problem = node.problem(DiagnosticKind::Reference, format!("no model '{model}'"));
            self.sink.error(problem.suggest(&model, known.iter().map(String::as_str)));
            return;
        };
        let child = &self.models[index].1;
        let part = if body.is_empty() {
            Part::World
        } else {
            match child.bodies.iter().position(|b| b.name == body) {
                Some(b) => Part::Body(b),
                None => {
                    let message = format!("the model '{model}' has no body '{body}'");
                    self.sink.error(node.problem(DiagnosticKind::Reference, message));
                    return;
                }
            }
        };
        let before = Marks::new(&self.spec);
        match self.spec.attach(place.body, Some(frame), child, part, &prefix, "") {
            Ok(_) => {
                for class in self.spec.defaults.iter().map(|b| b.class.clone()) {
                    self.classes.insert(class);
                }
                for (kind, name, span) in before.names_since(&self.spec) {
                    if !self.names.insert((kind, name.clone())) {
                        let message = format!("another {kind} has the name '{name}'");
                        let kind = DiagnosticKind::DuplicateName;
                        let problem = Problem::new(kind, message);
                        self.sink.error(problem.at(span).element("attach"));
                    }
                }
            }
            Err(error) => self.conflict(node, &error.0),
        }
    }
}
