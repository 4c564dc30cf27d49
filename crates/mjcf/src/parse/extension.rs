//! The section `<extension>`, and plugins within elements.

use std::collections::BTreeSet;

use super::Parser;
use crate::error::DiagnosticKind;
use crate::history;
use crate::plugin;
use crate::spec::{Object, PluginInstance, PluginSpec};
use crate::xml::{Node, NodeId};

impl<'a> Parser<'a> {
    pub(super) fn extension(&mut self, id: NodeId) {
        self.known_attributes(&self.document.nodes[id], &[], false);
        for &child in &self.document.nodes[id].children {
            let node = &self.document.nodes[child];
            if node.name != "plugin" {
                self.unknown_element(node, ["plugin"].into_iter(), false);
                continue;
            }
            self.known_attributes(node, &["plugin"], false);
            let Some(name) = self.required(node, "plugin") else { continue };
            if plugin::find(&name).is_none() {
                let known = plugin::PLUGINS.iter().map(|p| p.name);
                let removed = history::removed_plugin(&name).map(|m| format!("'{name}' was {m}"));
                let message =
                    removed.unwrap_or_else(|| format!("the plugin '{name}' is not known"));
                let problem =
                    node.problem(DiagnosticKind::Unsupported, message).suggest(&name, known);
                self.sink.error(problem);
                continue;
            }
            if !self.spec.plugins.contains(&name) {
                self.spec.plugins.push(name.clone());
            }
            for &instance in &node.children {
                self.instance(instance, &name);
            }
        }
    }

    fn instance(&mut self, id: NodeId, plugin: &str) {
        let node = &self.document.nodes[id];
        if node.name != "instance" {
            self.unknown_element(node, ["instance"].into_iter(), false);
            return;
        }
        self.known_attributes(node, &["name"], false);
        self.required(node, "name");
        let name = self.name(node, "plugin");
        let attr = PluginInstance { plugin: plugin.to_owned(), config: self.config(id) };
        self.spec.instances.push(Object { name, span: node.span, attr, ..Object::default() });
    }

    /// The plugin among the children of an element; anything else there is unknown.
    pub(super) fn child_plugin(&mut self, id: NodeId) -> Option<Box<PluginSpec>> {
        let mut found = None;
        for &child in &self.document.nodes[id].children {
            let node = &self.document.nodes[child];
            if node.name != "plugin" {
                self.unknown_element(node, ["plugin"].into_iter(), false);
                continue;
            }
            self.known_attributes(node, &["plugin", "instance"], false);
            let plugin = self.plugin(child);
            // of several, MuJoCo reads the first
            found.get_or_insert(Box::new(plugin));
        }
        found
    }

    /// The plugin that an element names by its attributes `plugin` and `instance`.
    pub(super) fn plugin(&mut self, id: NodeId) -> PluginSpec {
        let node = &self.document.nodes[id];
        let text = |name: &str| node.attr(name).map_or(String::new(), |a| a.value.clone());
        let spec = PluginSpec {
            span: node.span,
            plugin: text("plugin"),
            instance: text("instance"),
            config: self.config(id),
        };
        if spec.plugin.is_empty() && spec.instance.is_empty() {
            let message = "expected 'plugin' or 'instance'";
            self.sink.error(node.problem(DiagnosticKind::Missing, message));
        }
        spec
    }

    /// The configuration in the children of an element.
    fn config(&mut self, id: NodeId) -> Vec<(String, String)> {
        let mut config = Vec::new();
        let mut seen = BTreeSet::new();
        for node in self.document.children(id) {
            if node.name != "config" {
                self.unknown_element(node, ["config"].into_iter(), false);
                continue;
            }
            self.known_attributes(node, &["key", "value"], false);
            self.no_children(node, false);
            if let Some(entry) = self.config_entry(node) {
                if !seen.insert(entry.0.clone()) {
                    self.invalid(node, "key", "this key is already given");
                }
                config.push(entry);
            }
        }
        config
    }

    fn config_entry(&mut self, node: &Node) -> Option<(String, String)> {
        let key = self.required(node, "key");
        let value = self.required(node, "value");
        key.zip(value)
    }
}
