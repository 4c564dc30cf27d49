//! Writes what lies outside the tree: extensions, custom data, assets, skins, constraints, tendons,
//! actuators, sensors and keyframes.

use super::xml::{Entry, Xml};
use super::{entries, named, write_config, write_plugin};
use crate::parse::equality_element;
use crate::schema::{Attributes, KeyAttrs, OrDefault, SensorKind, SkinAttrs};
use crate::spec::{MaterialSpec, Object, Spec, Wrap};
use crate::values::{AttrValue, join_numbers};

/// The name and class of an object, and its own attributes.
fn classed<A>(object: &Object<A>, own: Vec<Entry>) -> Vec<Entry> {
    let mut attributes = named(&object.name);
    attributes.extend(object.class.clone().map(|c| ("class", c)));
    attributes.extend(own);
    attributes
}

/// The name of an object of a type without classes, and its own attributes.
fn unclassed<A>(object: &Object<A>, own: Vec<Entry>) -> Vec<Entry> {
    let mut attributes = named(&object.name);
    attributes.extend(own);
    attributes
}

/// Writes the section `<extension>`.
pub(super) fn write_extension(xml: &mut Xml, spec: &Spec) {
    xml.begin("extension", &[]);
    let has_instances = |plugin: &String| spec.instances.iter().any(|i| i.attr.plugin == *plugin);
    for plugin in spec.plugins.iter().filter(|p| !has_instances(p)) {
        xml.element("plugin", &[("plugin", plugin.clone())]);
    }
    let mut instances = spec.instances.as_slice();
    while let Some(first) = instances.first() {
        let same = |i: &&Object<crate::spec::PluginInstance>| i.attr.plugin == first.attr.plugin;
        let (run, rest) = instances.split_at(instances.iter().take_while(same).count());
        xml.begin("plugin", &[("plugin", first.attr.plugin.clone())]);
        for instance in run {
            xml.begin("instance", &named(&instance.name));
            write_config(xml, &instance.attr.config);
            xml.end();
        }
        xml.end();
        instances = rest;
    }
    xml.end_section();
}

/// Writes the section `<custom>`.
pub(super) fn write_custom(xml: &mut Xml, spec: &Spec) {
    xml.begin("custom", &[]);
    for object in &spec.numerics {
        xml.element("numeric", &unclassed(object, entries(&object.attr)));
    }
    for object in &spec.texts {
        xml.element("text", &unclassed(object, entries(&object.attr)));
    }
    for object in &spec.tuples {
        xml.begin("tuple", &named(&object.name));
        for element in &object.attr {
            xml.element("element", &entries(&element.attr));
        }
        xml.end();
    }
    xml.end_section();
}

/// Writes the section `<asset>`.
pub(super) fn write_assets(xml: &mut Xml, spec: &Spec) {
    xml.begin("asset", &[]);
    for object in &spec.textures {
        xml.element("texture", &unclassed(object, entries(&object.attr)));
    }
    for object in &spec.materials {
        write_material(xml, classed(object, Vec::new()), &object.attr);
    }
    for object in &spec.meshes {
        xml.begin("mesh", &classed(object, entries(&object.attr)));
        write_plugin(xml, &object.plugin);
        xml.end();
    }
    for object in &spec.hfields {
        xml.element("hfield", &unclassed(object, entries(&object.attr)));
    }
    xml.end_section();
}

/// Writes a material with its layers.
pub(super) fn write_material(xml: &mut Xml, mut attributes: Vec<Entry>, material: &MaterialSpec) {
    attributes.extend(entries(&material.attr));
    xml.begin("material", &attributes);
    for layer in &material.layers {
        xml.element("layer", &[("texture", layer.texture.clone()), ("role", layer.role.write())]);
    }
    xml.end();
}

/// Writes the sections `<contact>` and `<equality>`.
pub(super) fn write_constraints(xml: &mut Xml, spec: &Spec) {
    xml.begin("contact", &[]);
    for object in &spec.pairs {
        xml.element("pair", &classed(object, entries(&object.attr)));
    }
    for object in &spec.excludes {
        xml.element("exclude", &unclassed(object, entries(&object.attr)));
    }
    xml.end_section();
    xml.begin("equality", &[]);
    for object in &spec.equalities {
        let attributes = classed(object, entries(&object.attr.attr));
        xml.element(equality_element(object.attr.kind), &attributes);
    }
    xml.end_section();
}

/// Writes the section `<deformable>`. The language has no words for the places of nodes that are pinned: they are lost, as
/// MuJoCo's are.
pub(super) fn write_deformables(xml: &mut Xml, spec: &Spec) {
    fn part<A: Attributes>(xml: &mut Xml, name: &'static str, attr: &A) {
        let attributes = entries(attr);
        if !attributes.is_empty() {
            xml.element(name, &attributes);
        }
    }
    xml.begin("deformable", &[]);
    for object in &spec.flexes {
        xml.begin("flex", &unclassed(object, entries(&object.attr.attr)));
        part(xml, "contact", &object.attr.contact);
        part(xml, "edge", &object.attr.edge);
        part(xml, "elasticity", &object.attr.elasticity);
        xml.end();
    }
    for object in &spec.skins {
        xml.begin("skin", &unclassed(object, entries(&object.attr.attr)));
        write_bones(xml, &object.attr.attr.or_default());
        xml.end();
    }
    xml.end_section();
}

/// Writes the bones of a skin; what one has no part of is left out.
fn write_bones(xml: &mut Xml, skin: &OrDefault<'_, SkinAttrs>) {
    let (positions, quats) = (skin.bindpos(), skin.bindquat());
    let (ids, weights) = (skin.vertid(), skin.vertweight());
    let part = |list: &[f32], i: usize, n: usize| list.get(n * i..n * (i + 1)).map(join_numbers);
    for (i, body) in skin.bodyname().into_iter().enumerate() {
        let parts = [
            ("body", Some(body)),
            ("bindpos", part(&positions, i, 3)),
            ("bindquat", part(&quats, i, 4)),
            ("vertid", ids.get(i).map(AttrValue::write)),
            ("vertweight", weights.get(i).map(AttrValue::write)),
        ];
        let given = parts.into_iter().filter_map(|(name, text)| Some((name, text?)));
        xml.element("bone", &given.collect::<Vec<Entry>>());
    }
}

/// Writes the section `<tendon>`.
pub(super) fn write_tendons(xml: &mut Xml, spec: &Spec) {
    xml.begin("tendon", &[]);
    for object in &spec.tendons {
        let name = if object.attr.spatial { "spatial" } else { "fixed" };
        xml.begin(name, &classed(object, entries(&object.attr.attr)));
        for wrap in &object.attr.path {
            match &wrap.part {
                Wrap::Joint { joint, coef } => {
                    xml.element("joint", &[("joint", joint.clone()), ("coef", coef.write())]);
                }
                Wrap::Site { site } => xml.element("site", &[("site", site.clone())]),
                Wrap::Geom { geom, sidesite } => {
                    let mut attributes = vec![("geom", geom.clone())];
                    if !sidesite.is_empty() {
                        attributes.push(("sidesite", sidesite.clone()));
                    }
                    xml.element("geom", &attributes);
                }
                Wrap::Pulley { divisor } => {
                    xml.element("pulley", &[("divisor", divisor.write())]);
                }
            }
        }
        xml.end();
    }
    xml.end_section();
}

/// The attributes of an object that a plugin takes part in, with those that name the plugin.
fn with_plugin<A>(object: &Object<A>, mut attributes: Vec<Entry>) -> Vec<Entry> {
    if let Some(plugin) = &object.plugin {
        attributes.extend(super::plugin_names(plugin));
    }
    attributes
}

/// Writes the sections `<actuator>` and `<sensor>`.
pub(super) fn write_actuators_and_sensors(xml: &mut Xml, spec: &Spec) {
    let config = |xml: &mut Xml, plugin: &Option<Box<crate::spec::PluginSpec>>| {
        if let Some(plugin) = plugin {
            write_config(xml, &plugin.config);
        }
    };
    xml.begin("actuator", &[]);
    for object in &spec.actuators {
        let attributes = with_plugin(object, classed(object, entries(&object.attr.attr)));
        xml.begin(object.attr.kind.element(), &attributes);
        config(xml, &object.plugin);
        xml.end();
    }
    xml.end_section();
    xml.begin("sensor", &[]);
    for object in &spec.sensors {
        let attributes = with_plugin(object, unclassed(object, entries(&object.attr.attr)));
        xml.begin(SensorKind::of(object.attr.kind).element, &attributes);
        config(xml, &object.plugin);
        xml.end();
    }
    xml.end_section();
}

/// Writes the section `<keyframe>`. Keyframes of attached models say nothing before the whole
/// model is known: theirs come from the compiled model.
pub(super) fn write_keys(xml: &mut Xml, spec: &Spec) {
    xml.begin("keyframe", &[]);
    for object in &spec.keys {
        xml.element("key", &unclassed(object, entries(&object.attr)));
    }
    if !spec.pending_keys.is_empty() {
        let stated = usize::try_from(spec.size.or_default().nkey()).unwrap_or(0);
        for _ in spec.keys.len()..stated {
            xml.element("key", &[]);
        }
        for object in pending_keys(spec) {
            xml.element("key", &unclassed(&object, entries(&object.attr)));
        }
    }
    xml.end_section();
}

/// The keyframes of attached models, completed; without vectors if the model does not compile.
fn pending_keys(spec: &Spec) -> Vec<Object<KeyAttrs>> {
    let compiled = spec.compile().ok().map(|c| c.model);
    let first = spec.keys.len().max(usize::try_from(spec.size.or_default().nkey()).unwrap_or(0));
    spec.pending_keys
        .iter()
        .enumerate()
        .map(|(i, key)| {
            let mut attr = KeyAttrs { time: key.time, ..KeyAttrs::default() };
            if let Some(m) = &compiled {
                let k = first + i;
                let row = |has: bool, array: &[ferrodyn_math::Real], width: usize| {
                    let row = array.get(k * width..(k + 1) * width)?;
                    has.then(|| row.iter().map(|x| crate::pose::double(*x)).collect())
                };
                let mocap = k * m.nmocap..(k + 1) * m.nmocap;
                attr.qpos = row(key.has[0], &m.key_qpos, m.nq);
                attr.qvel = row(key.has[1], &m.key_qvel, m.nv);
                attr.act = row(key.has[2], &m.key_act, m.na);
                attr.ctrl = row(key.has[3], &m.key_ctrl, m.nu);
                if key.has[4] {
                    let poses = m.key_mpos.get(mocap.clone()).unwrap_or(&[]);
                    attr.mpos =
                        Some(poses.iter().flat_map(|p| p.0.map(crate::pose::double)).collect());
                }
                if key.has[5] {
                    let poses = m.key_mquat.get(mocap).unwrap_or(&[]);
                    attr.mquat =
                        Some(poses.iter().flat_map(|q| q.0.map(crate::pose::double)).collect());
                }
            }
            Object { name: key.name.clone(), attr, ..Object::default() }
        })
        .collect()
}
