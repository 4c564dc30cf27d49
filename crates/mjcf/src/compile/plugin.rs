//! Compiles the instances of plugins.

use ferrodyn_model::{Model, ObjType};

use super::index::Index;
use super::tree::problem;
use crate::error::{DiagnosticKind, Sink, Span};
use crate::plugin::{self, Capability, Plugin};
use crate::spec::{PluginSpec, Spec};
use crate::values::words;

/// An instance of a plugin.
#[derive(Clone, Debug)]
struct Instance {
    /// Name; empty for one that belongs to a single element.
    name: String,
    slot: usize,
    config: Vec<(String, String)>,
    span: Span,
}

/// All instances of a model: the named ones first, then those of single elements in the order in
/// which the text declares them.
#[derive(Clone, Debug, Default)]
pub(super) struct Plugins {
    declared: Vec<String>,
    instances: Vec<Instance>,
    /// Where each instance of a single element is declared, with its number.
    own: Vec<(Span, usize)>,
}

impl Plugins {
    pub(super) fn new(spec: &Spec) -> Self {
        let slot = |name: &str| plugin::find(name).map_or(0, |(slot, _)| slot);
        let mut plugins = Self { declared: spec.plugins.clone(), ..Self::default() };
        for object in &spec.instances {
            plugins.instances.push(Instance {
                name: object.name.clone(),
                slot: slot(&object.attr.plugin),
                config: object.attr.config.clone(),
                span: object.span,
            });
        }
        // in the order in which the sections of a text are read
        let meshes = spec.meshes.iter().filter_map(|o| o.plugin.as_deref());
        let actuators = spec.actuators.iter().filter_map(|o| o.plugin.as_deref());
        let sensors = spec.sensors.iter().filter_map(|o| o.plugin.as_deref());
        let mut tree: Vec<&PluginSpec> = spec
            .bodies
            .iter()
            .filter_map(|b| b.plugin.as_deref())
            .chain(spec.geoms.iter().filter_map(|g| g.plugin.as_deref()))
            .collect();
        tree.sort_by_key(|p| (p.span.line, p.span.column));
        for used in meshes.chain(actuators).chain(sensors).chain(tree) {
            if used.instance.is_empty() {
                plugins.own.push((used.span, plugins.instances.len()));
                plugins.instances.push(Instance {
                    name: String::new(),
                    slot: slot(&used.plugin),
                    config: used.config.clone(),
                    span: used.span,
                });
            }
        }
        plugins
    }

    /// Number of instances.
    pub(super) fn len(&self) -> usize {
        self.instances.len()
    }

    /// Names of the instances.
    pub(super) fn names(&self) -> Vec<&str> {
        self.instances.iter().map(|i| i.name.as_str()).collect()
    }

    /// The instance that an element uses, which must be able to do what the element needs.
    pub(super) fn resolve(
        &mut self,
        used: &PluginSpec,
        needed: Capability,
        index: &Index<'_>,
        sink: &mut Sink,
    ) -> Option<usize> {
        let mut fail = |message: String| {
            let problem = problem("plugin", "", used.span, &message);
            sink.error(problem.of_kind(DiagnosticKind::Reference));
            None
        };
        let id = if used.instance.is_empty() {
            self.own.iter().find(|(span, _)| *span == used.span).map(|(_, id)| *id)
        } else {
            index.find(ObjType::Plugin, &used.instance)
        };
        let Some(id) = id else {
            return fail(format!("no plugin instance is named '{}'", used.instance));
        };
        let plugin = &plugin::PLUGINS[self.instances[id].slot];
        let name = if used.plugin.is_empty() { plugin.name } else { used.plugin.as_str() };
        if !self.declared.iter().any(|d| d == name) {
            return fail(format!("the plugin '{name}' is not declared in <extension>"));
        }
        if name != plugin.name {
            return fail(format!("the instance '{}' is one of '{}'", used.instance, plugin.name));
        }
        if plugin.capability != needed {
            return fail(format!("the plugin '{name}' cannot be used here"));
        }
        Some(id)
    }

    /// The configuration of every instance as the model stores it: the values of all keys, each
    /// ended by a zero byte. Keys that the plugin does not have are reported.
    pub(super) fn configurations(&self, sink: &mut Sink) -> Vec<Vec<u8>> {
        self.instances.iter().map(|i| configuration(i, sink)).collect()
    }

    /// Reports instances that cannot work with their configuration.
    pub(super) fn check(&self, m: &Model, sink: &mut Sink) {
        if let Err(error) = ferrodyn_dynamics::plugin::check_plugins(m) {
            let instance = &self.instances[error.instance];
            sink.error(problem("plugin", &instance.name, instance.span, &error.message));
        }
    }

    /// How many values a sensor of this instance has.
    pub(super) fn sensor_values(&self, id: usize) -> Option<usize> {
        let instance = self.instances.get(id)?;
        let value = |key: &str| {
            let found = instance.config.iter().find(|(k, _)| k == key);
            found.map_or("", |(_, v)| v.as_str())
        };
        let number = |text: &str| text.trim().parse::<f64>().unwrap_or(0.0) as i64;
        let channels = number(value("nchannel")).max(1);
        let mut size = words(value("size")).map(number);
        let (rows, columns) = (size.next()?, size.next()?);
        usize::try_from(channels.checked_mul(rows)?.checked_mul(columns)?).ok()
    }
}

fn configuration(instance: &Instance, sink: &mut Sink) -> Vec<u8> {
    let plugin: &Plugin = &plugin::PLUGINS[instance.slot];
    for (key, _) in &instance.config {
        if !plugin.keys.contains(&key.as_str()) {
            let message =
                format!("unrecognized attribute 'plugin:{key}' for plugin '{}'", plugin.name);
            let problem = problem("config", &instance.name, instance.span, &message);
            sink.error(problem.suggest(key, plugin.keys.iter().copied()));
        }
    }
    let mut bytes = Vec::new();
    for key in plugin.keys {
        if let Some((_, value)) = instance.config.iter().find(|(k, _)| k == key) {
            bytes.extend_from_slice(value.as_bytes());
        }
        bytes.push(0);
    }
    bytes
}

/// Fills the arrays of plugin instances.
pub(super) fn fill(m: &mut Model, plugins: &Plugins, configurations: &[Vec<u8>]) {
    let mut address = 0;
    for (i, (instance, bytes)) in plugins.instances.iter().zip(configurations).enumerate() {
        m.plugin[i] = instance.slot as i32;
        m.plugin_attradr[i] = address as i32;
        m.plugin_attr[address..address + bytes.len()].copy_from_slice(bytes);
        address += bytes.len();
    }
}
