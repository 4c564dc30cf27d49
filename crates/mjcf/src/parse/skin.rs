//! The element `<skin>`.

use super::asset::FileKind;
use super::{Parser, Rules};
use crate::schema::SkinAttrs;
use crate::spec::{Object, SkinSpec};
use crate::values::AttrValue;
use crate::xml::{Node, NodeId};

/// The attributes of a bone; all of them must be given.
pub(super) const BONE: &[&str] = &["body", "bindpos", "bindquat", "vertid", "vertweight"];

/// The number of visibility groups.
const GROUPS: i32 = 6;

impl<'a> Parser<'a> {
    pub(super) fn skin(&mut self, id: NodeId) {
        let node = &self.document.nodes[id];
        let name = self.name(node, "skin");
        let mut attr: SkinAttrs = self.attributes(node, Rules::with(&["name"]));
        attr.file = attr.file.map(|file| self.located(node, &file, FileKind::Hfield));
        self.check_skin_group(node, attr.group);
        let mut skin = SkinSpec { attr, bones: Vec::new() };
        for child in self.document.children(id) {
            if child.name == "bone" {
                self.bone(child, &mut skin);
            } else {
                self.unknown_element(child, ["bone"].into_iter(), false);
            }
        }
        let object = Object { name, span: node.span, attr: skin, ..Object::default() };
        self.spec.skins.push(object);
    }

    pub(super) fn check_skin_group(&mut self, node: &Node, group: Option<i32>) {
        if group.is_some_and(|group| !(0..GROUPS).contains(&group)) {
            self.invalid(node, "group", "expected a number from 0 to 5");
        }
    }

    /// Reads a bone, which becomes the last of a skin.
    fn bone(&mut self, node: &Node, skin: &mut SkinSpec) {
        self.known_attributes(node, BONE, false);
        self.no_children(node, false);
        let body = self.required(node, "body");
        let pos: Option<[f32; 3]> = self.bone_numbers(node, "bindpos");
        let quat: Option<[f32; 4]> = self.bone_numbers(node, "bindquat");
        let ids: Option<Vec<i32>> = self.bone_numbers(node, "vertid");
        let weights: Option<Vec<f32>> = self.bone_numbers(node, "vertweight");
        // what is missing was reported
        let (Some(body), Some(pos), Some(quat), Some(ids), Some(weights)) =
            (body, pos, quat, ids, weights)
        else {
            return;
        };
        let attr = &mut skin.attr;
        attr.bodyname.get_or_insert_default().push(body);
        attr.bindpos.get_or_insert_default().extend(pos);
        attr.bindquat.get_or_insert_default().extend(quat);
        attr.vertid.get_or_insert_default().push(ids);
        attr.vertweight.get_or_insert_default().push(weights);
        skin.bones.push(node.span);
    }

    /// The numbers of an attribute that must be given.
    fn bone_numbers<T: AttrValue>(&mut self, node: &Node, name: &str) -> Option<T> {
        let Some(attr) = node.attr(name) else {
            self.missing(node, name);
            return None;
        };
        match T::read(name, &attr.value) {
            Ok(Some(value)) => return Some(value),
            Ok(None) => self.invalid(node, name, "expected numbers"),
            Err(e) => self.invalid(node, name, &format!("expected {}", e.expected)),
        }
        None
    }
}
