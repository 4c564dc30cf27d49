//! The section `<deformable>`.

use super::{Parser, Rules};
use crate::schema::{FlexContactAttrs, FlexElasticityAttrs};
use crate::spec::{FlexSpec, Object};
use crate::xml::NodeId;

/// The elements of a flex.
const FLEX_PARTS: &[&str] = &["contact", "edge", "elasticity"];

impl<'a> Parser<'a> {
    pub(super) fn deformable(&mut self, id: NodeId) {
        self.known_attributes(&self.document.nodes[id], &[], false);
        for &child in &self.document.nodes[id].children {
            let node = &self.document.nodes[child];
            match node.name.as_str() {
                "flex" => self.flex(child),
                "skin" => self.skin(child),
                _ => self.unknown_element(node, ["flex", "skin"].into_iter(), false),
            }
        }
    }

    fn flex(&mut self, id: NodeId) {
        let node = &self.document.nodes[id];
        let name = self.name(node, "flex");
        let mut flex =
            FlexSpec { attr: self.attributes(node, Rules::with(&["name"])), ..FlexSpec::default() };
        for required in ["body", "element"] {
            if node.attr(required).is_none_or(|a| a.value.trim().is_empty()) {
                self.missing(node, required);
            }
        }
        self.unique_children(id, FLEX_PARTS);
        for &child in &node.children {
            let part = &self.document.nodes[child];
            match part.name.as_str() {
                "contact" => flex.contact = self.flex_contact(child),
                "edge" => flex.edge = self.attributes(part, Rules::default()),
                "elasticity" => flex.elasticity = self.flex_elasticity(child),
                _ => continue,
            }
            self.no_children(part, false);
        }
        let object = Object { name, span: node.span, attr: flex, ..Object::default() };
        self.spec.flexes.push(object);
    }

    pub(super) fn flex_contact(&mut self, id: NodeId) -> FlexContactAttrs {
        self.attributes(&self.document.nodes[id], Rules::default())
    }

    pub(super) fn flex_elasticity(&mut self, id: NodeId) -> FlexElasticityAttrs {
        self.attributes(&self.document.nodes[id], Rules::default())
    }
}
