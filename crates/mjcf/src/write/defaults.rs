//! Writes default classes: rebuilds the nesting of blocks that are played back in order.

use std::collections::BTreeMap;

use super::entries;
use super::sections::write_material;
use super::xml::{Entry, Xml};
use crate::actuator::ActuatorValues;
use crate::defaults::{ClassDefaults, DefaultResolver};
use crate::schema::{ActuatorAttrs, ActuatorKind};
use crate::spec::{DefaultAttrs, DefaultBlock, DefaultElement, MAIN_CLASS, MaterialSpec, Spec};

/// One `<default>` element.
#[derive(Debug)]
struct Node<'a> {
    class: &'a str,
    elements: Vec<&'a DefaultElement>,
    children: Vec<usize>,
}

/// Writes all default classes.
pub(super) fn write_defaults(xml: &mut Xml, spec: &Spec) {
    match nest(&spec.defaults) {
        Some((nodes, tops)) => write_nodes(xml, &nodes, &tops),
        None => write_resolved(xml, spec),
    }
}

/// The blocks as a tree; none if a class changes after others were derived from it, which nesting
/// cannot say.
fn nest(blocks: &[DefaultBlock]) -> Option<(Vec<Node<'_>>, Vec<usize>)> {
    let mut nodes: Vec<Node<'_>> = Vec::new();
    let mut tops: Vec<usize> = Vec::new();
    let mut latest: BTreeMap<&str, usize> = BTreeMap::new();
    for block in blocks {
        let elements: Vec<&DefaultElement> = block.elements.iter().collect();
        let class = block.class.as_str();
        match block.parent.as_deref() {
            None => {
                tops.push(nodes.len());
                latest.insert(MAIN_CLASS, nodes.len());
                nodes.push(Node { class: MAIN_CLASS, elements, children: Vec::new() });
            }
            Some(parent) if parent == class => {
                let node = &mut nodes[*latest.get(class)?];
                let names: Vec<&str> = node.elements.iter().map(|e| element_name(e)).collect();
                let repeats = elements.iter().any(|e| names.contains(&element_name(e)));
                if !node.children.is_empty() || repeats {
                    return None;
                }
                node.elements.extend(elements);
            }
            Some(parent) => {
                if latest.contains_key(class) {
                    return None;
                }
                if parent == MAIN_CLASS && tops.is_empty() {
                    tops.push(0);
                    latest.insert(MAIN_CLASS, 0);
                    nodes.push(Node { class: MAIN_CLASS, elements: vec![], children: vec![] });
                }
                let id = nodes.len();
                nodes[*latest.get(parent)?].children.push(id);
                latest.insert(class, id);
                nodes.push(Node { class, elements, children: Vec::new() });
            }
        }
    }
    Some((nodes, tops))
}

/// Writes nested blocks, without recursion.
fn write_nodes(xml: &mut Xml, nodes: &[Node<'_>], tops: &[usize]) {
    for &top in tops {
        xml.begin("default", &[]);
        write_elements(xml, &nodes[top].elements);
        // open nodes, and how many of their children are written
        let mut open = vec![(top, 0)];
        while let Some((node, written)) = open.last_mut() {
            match nodes[*node].children.get(*written) {
                Some(&child) => {
                    *written += 1;
                    xml.begin("default", &[("class", nodes[child].class.to_owned())]);
                    write_elements(xml, &nodes[child].elements);
                    open.push((child, 0));
                }
                None => {
                    open.pop();
                    if open.is_empty() { xml.end_section() } else { xml.end() }
                }
            }
        }
    }
}

fn write_elements(xml: &mut Xml, elements: &[&DefaultElement]) {
    let mut general = false;
    for element in elements {
        // the general actuator has two names, of which each may appear once
        let is_general = matches!(element.attr, DefaultAttrs::Actuator(ActuatorKind::General, _));
        let second = is_general && core::mem::replace(&mut general, true);
        write_element(xml, &element.attr, second);
    }
}

fn element_name(element: &DefaultElement) -> &'static str {
    match &element.attr {
        DefaultAttrs::Mesh(_) => "mesh",
        DefaultAttrs::Material(_) => "material",
        DefaultAttrs::Joint(_) => "joint",
        DefaultAttrs::Geom(_) => "geom",
        DefaultAttrs::Site(_) => "site",
        DefaultAttrs::Camera(_) => "camera",
        DefaultAttrs::Light(_) => "light",
        DefaultAttrs::Pair(_) => "pair",
        DefaultAttrs::Equality(_) => "equality",
        DefaultAttrs::Tendon(_) => "tendon",
        DefaultAttrs::Actuator(kind, _) => kind.element(),
        DefaultAttrs::Sensor(_) => "sensor",
    }
}

fn write_element(xml: &mut Xml, attr: &DefaultAttrs, second_general: bool) {
    let (name, list): (&'static str, Vec<Entry>) = match attr {
        DefaultAttrs::Material(material) => {
            write_material(xml, Vec::new(), material);
            return;
        }
        DefaultAttrs::Mesh(a) => ("mesh", entries(&**a)),
        DefaultAttrs::Joint(a) => ("joint", entries(&**a)),
        DefaultAttrs::Geom(a) => ("geom", entries(&**a)),
        DefaultAttrs::Site(a) => ("site", entries(&**a)),
        DefaultAttrs::Camera(a) => ("camera", entries(&**a)),
        DefaultAttrs::Light(a) => ("light", entries(&**a)),
        DefaultAttrs::Pair(a) => ("pair", entries(&**a)),
        DefaultAttrs::Equality(a) => ("equality", entries(&**a)),
        DefaultAttrs::Tendon(a) => ("tendon", entries(&**a)),
        DefaultAttrs::Actuator(_, a) if second_general => ("actuator", entries(&**a)),
        DefaultAttrs::Actuator(kind, a) => (kind.element(), entries(&**a)),
        DefaultAttrs::Sensor(a) => ("sensor", entries(&**a)),
    };
    xml.element(name, &list);
}

/// Writes every class with all that it says, its ancestors included: first those that have a name,
/// while the main class is still as it was born, then the main class.
fn write_resolved(xml: &mut Xml, spec: &Spec) {
    let resolver = DefaultResolver::new(spec);
    let mut classes: Vec<&str> = Vec::new();
    for block in &spec.defaults {
        if block.class != MAIN_CLASS && !classes.contains(&block.class.as_str()) {
            classes.push(&block.class);
        }
    }
    xml.begin("default", &[]);
    for class in classes {
        xml.begin("default", &[("class", class.to_owned())]);
        write_class(xml, resolver.get_defaults(class));
        xml.end();
    }
    xml.end_section();
    xml.begin("default", &[]);
    write_class(xml, resolver.get_defaults(MAIN_CLASS));
    xml.end_section();
}

fn write_class(xml: &mut Xml, class: &ClassDefaults) {
    let lists: [(&'static str, Vec<Entry>); 10] = [
        ("mesh", entries(&class.mesh)),
        ("joint", entries(&class.joint)),
        ("geom", entries(&class.geom)),
        ("site", entries(&class.site)),
        ("camera", entries(&class.camera)),
        ("light", entries(&class.light)),
        ("pair", entries(&class.pair)),
        ("equality", entries(&class.equality)),
        ("tendon", entries(&class.tendon)),
        ("sensor", entries(&class.sensor)),
    ];
    for (name, list) in lists.iter().filter(|(_, list)| !list.is_empty()) {
        xml.element(name, list);
    }
    // a layer says what the texture of the element says too
    let mut material = MaterialSpec { attr: class.material.clone(), layers: class.layers.clone() };
    if !material.layers.is_empty() {
        material.attr.texture = None;
    }
    if !(entries(&material.attr).is_empty() && material.layers.is_empty()) {
        write_material(xml, Vec::new(), &material);
    }
    if class.actuator != ActuatorValues::default() {
        // only a servo can take its range from its target; what else it says is said again
        if class.actuator.inheritrange != 0.0 {
            let inheritrange = Some(class.actuator.inheritrange);
            let servo = ActuatorAttrs { inheritrange, ..ActuatorAttrs::default() };
            xml.element("position", &entries(&servo));
        }
        let mut general = class.actuator.as_general();
        general.inheritrange = None;
        general.user = general.user.filter(|user| !user.is_empty());
        xml.element("general", &entries(&general));
    }
}
