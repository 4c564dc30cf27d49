//! Writes a [`Spec`] as MJCF: the way back from the elements of a model to its text.

mod back;
mod defaults;
mod files;
mod normal;
mod sections;
mod tree;
mod unify;
mod xml;

#[cfg(feature = "fs")]
use std::path::Path;

use ferrodyn_model::Model;

pub use self::back::CopyBackError;
use self::xml::{Entry, Xml};
use crate::pose::double;
use crate::schema::{Attributes, InertialAttrs};
use crate::spec::{PluginSpec, Spec};
use crate::values::RawQuat;

/// How the files of assets are named in a saved text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileNames {
    /// As the model names them: the text finds them from the directory of the original.
    #[default]
    Unchanged,
    /// With their full names: the text finds them from anywhere.
    Absolute,
}

impl Spec {
    /// The model as MJCF. Read again from the directory of the original, the text compiles to the
    /// same model: attributes that were not given stay so, numbers keep every digit, and what was
    /// included, replicated or attached is written out.
    ///
    /// A text has one set of compiler settings. Where an attached part has other units, angles are
    /// written in radians; where its files lie elsewhere than those of the model, with their full
    /// names; where it has
    /// other rules for masses and inertias, the inertia of every body is stated. The latter, and the
    /// keyframes of attached models, are found by compiling; if that fails, the rules are those of
    /// the model, and keyframes are written without vectors.
    ///
    /// ```
    /// use ferrodyn_mjcf::{LoadOptions, Spec};
    /// let text = r#"<mujoco><worldbody><geom size=".1"/></worldbody></mujoco>"#;
    /// let spec = Spec::from_xml_str(text, &LoadOptions::default())?;
    /// assert!(spec.to_xml().contains(r#"<geom size="0.1"/>"#));
    /// # Ok::<(), ferrodyn_mjcf::MjcfError>(())
    /// ```
    pub fn to_xml(&self) -> String {
        self.to_xml_with(FileNames::Unchanged)
    }

    /// The model as MJCF, with a choice of how files are named.
    pub fn to_xml_with(&self, names: FileNames) -> String {
        let prepared = self.prepared();
        let spec = &*unify::unified(prepared.as_deref().unwrap_or(self), names);
        let plain = spec.write_with_root(false);
        // the prefix of extensions is declared where one is used
        if plain.contains(" ferrodyn:") { spec.write_with_root(true) } else { plain }
    }

    /// All of the text, with the declaration of the prefix or without.
    fn write_with_root(&self, declared: bool) -> String {
        let spec = self;
        let mut xml = Xml::default();
        let mut root = Vec::from_iter(spec.model_name.clone().map(|name| ("model", name)));
        if declared {
            root.push(("xmlns:ferrodyn", String::from("urn:ferrodyn")));
        }
        xml.begin("mujoco", &root);
        write_settings(&mut xml, spec);
        defaults::write_defaults(&mut xml, spec);
        sections::write_extension(&mut xml, spec);
        sections::write_custom(&mut xml, spec);
        sections::write_assets(&mut xml, spec);
        tree::write_tree(&mut xml, spec);
        sections::write_deformables(&mut xml, spec);
        sections::write_constraints(&mut xml, spec);
        sections::write_tendons(&mut xml, spec);
        sections::write_actuators_and_sensors(&mut xml, spec);
        sections::write_keys(&mut xml, spec);
        xml.end();
        xml.finish()
    }

    /// Writes the model to an MJCF file. Files of assets keep their names if the file lies in the
    /// directory of the original, and get their full names elsewhere.
    #[cfg(feature = "fs")]
    pub fn save_xml(&self, path: impl AsRef<Path>) -> std::io::Result<()> {
        let path = path.as_ref();
        let parent = path.parent().filter(|p| !p.as_os_str().is_empty());
        let target = parent.unwrap_or(Path::new(".")).canonicalize()?;
        let beside = self.directory.is_empty()
            || Path::new(&self.directory).canonicalize().is_ok_and(|d| d == target);
        let names = if beside { FileNames::Unchanged } else { FileNames::Absolute };
        std::fs::write(path, self.to_xml_with(names))
    }
}

/// The inertia of a body of a model.
fn inertial_of(m: &Model, body: usize) -> InertialAttrs {
    InertialAttrs {
        pos: Some(m.body_ipos[body].0.map(double)),
        quat: Some(RawQuat(m.body_iquat[body].0.map(double))),
        mass: Some(double(m.body_mass[body])),
        diaginertia: Some(m.body_inertia[body].0.map(double)),
        ..InertialAttrs::default()
    }
}

/// The attributes that are given. Of two orientations the one that has effect remains: any other
/// form hides a quaternion.
fn entries<A: Attributes>(attr: &A) -> Vec<Entry> {
    const OTHERS: [&str; 4] = ["axisangle", "xyaxes", "zaxis", "euler"];
    let mut list = attr.entries();
    if list.iter().any(|(name, _)| OTHERS.contains(name)) {
        list.retain(|(name, _)| *name != "quat");
    }
    list
}

/// The name of an object, if it has one.
fn named(name: &str) -> Vec<Entry> {
    if name.is_empty() { Vec::new() } else { vec![("name", name.to_owned())] }
}

/// The attributes that name a plugin.
fn plugin_names(plugin: &PluginSpec) -> Vec<Entry> {
    let names = [("plugin", &plugin.plugin), ("instance", &plugin.instance)];
    names.into_iter().filter(|(_, n)| !n.is_empty()).map(|(k, n)| (k, n.clone())).collect()
}

/// Writes the plugin that takes part in an element, as a child of that element.
fn write_plugin(xml: &mut Xml, plugin: &Option<Box<PluginSpec>>) {
    if let Some(plugin) = plugin {
        xml.begin("plugin", &plugin_names(plugin));
        write_config(xml, &plugin.config);
        xml.end();
    }
}

/// Writes the configuration of a plugin.
fn write_config(xml: &mut Xml, config: &[(String, String)]) {
    for (key, value) in config {
        xml.element("config", &[("key", key.clone()), ("value", value.clone())]);
    }
}

/// Writes the settings of a model.
fn write_settings(xml: &mut Xml, spec: &Spec) {
    fn section<A: Attributes>(xml: &mut Xml, name: &'static str, attr: &A) {
        xml.begin(name, &entries(attr));
        xml.end_section();
    }
    xml.begin("compiler", &entries(&spec.compiler));
    section(xml, "lengthrange", &spec.lengthrange);
    xml.end_section();
    xml.begin("option", &entries(&spec.option));
    section(xml, "flag", &spec.flags);
    xml.end_section();
    section(xml, "size", &spec.size);
    xml.begin("visual", &[]);
    section(xml, "global", &spec.visual.global);
    section(xml, "quality", &spec.visual.quality);
    section(xml, "headlight", &spec.visual.headlight);
    section(xml, "map", &spec.visual.map);
    section(xml, "scale", &spec.visual.scale);
    section(xml, "rgba", &spec.visual.rgba);
    xml.end_section();
    section(xml, "statistic", &spec.statistic);
}
