//! The sections `<custom>` and `<keyframe>`.

use super::{Parser, Rules};
use crate::schema::{ElementAttrs, NumericAttrs, TextAttrs};
use crate::spec::{Object, TupleElement};
use crate::xml::{Node, NodeId};

/// Most numbers in one custom field.
const MAX_NUMERIC: usize = 500;

impl<'a> Parser<'a> {
    pub(super) fn custom(&mut self, id: NodeId) {
        self.known_attributes(&self.document.nodes[id], &[], false);
        for &child in &self.document.nodes[id].children {
            let node = &self.document.nodes[child];
            match node.name.as_str() {
                "numeric" => self.numeric(node),
                "text" => self.text(node),
                "tuple" => self.tuple(child),
                _ => self.unknown_element(node, ["numeric", "text", "tuple"].into_iter(), false),
            }
        }
    }

    fn numeric(&mut self, node: &Node) {
        self.required(node, "name");
        let name = self.name(node, "numeric");
        let mut attr: NumericAttrs = self.attributes(node, Rules::with(&["name"]));
        let given = attr.data.as_ref().map_or(0, Vec::len);
        let size = match attr.size {
            None => given,
            Some(size) => usize::try_from(size).unwrap_or(0),
        };
        if size == 0 || size > MAX_NUMERIC {
            let message = format!("expected between 1 and {MAX_NUMERIC} numbers");
            let attribute = if attr.size.is_some() { "size" } else { "data" };
            self.invalid(node, attribute, &message);
        } else if given > size {
            self.invalid(node, "data", "more numbers than 'size' allows");
        }
        attr.size = Some(i32::try_from(size).unwrap_or(0));
        self.spec.numerics.push(Object { name, span: node.span, attr, ..Object::default() });
        self.no_children(node, false);
    }

    fn text(&mut self, node: &Node) {
        self.required(node, "name");
        let name = self.name(node, "text");
        let attr: TextAttrs = self.attributes(node, Rules::with(&["name"]));
        match &attr.data {
            None => self.missing(node, "data"),
            Some(text) if text.is_empty() => {
                self.invalid(node, "data", "the text may not be empty");
            }
            Some(_) => {}
        }
        self.spec.texts.push(Object { name, span: node.span, attr, ..Object::default() });
        self.no_children(node, false);
    }

    fn tuple(&mut self, id: NodeId) {
        let node = &self.document.nodes[id];
        self.required(node, "name");
        let name = self.name(node, "tuple");
        self.known_attributes(node, &["name"], false);
        let mut elements = Vec::new();
        for child in self.document.children(id) {
            if child.name != "element" {
                self.unknown_element(child, ["element"].into_iter(), false);
                continue;
            }
            let attr: ElementAttrs = self.attributes(child, Rules::default());
            for (given, name) in
                [(child.attr("objtype"), "objtype"), (child.attr("objname"), "objname")]
            {
                if given.is_none() {
                    self.missing(child, name);
                }
            }
            elements.push(TupleElement { span: child.span, attr });
            self.no_children(child, false);
        }
        self.spec.tuples.push(Object {
            name,
            span: node.span,
            attr: elements,
            ..Object::default()
        });
    }

    pub(super) fn keyframe(&mut self, id: NodeId) {
        self.known_attributes(&self.document.nodes[id], &[], false);
        for child in self.document.children(id) {
            if child.name != "key" {
                self.unknown_element(child, ["key"].into_iter(), false);
                continue;
            }
            let name = self.name(child, "key");
            let attr = self.attributes(child, Rules::with(&["name"]));
            self.spec.keys.push(Object { name, span: child.span, attr, ..Object::default() });
            self.no_children(child, false);
        }
    }
}
