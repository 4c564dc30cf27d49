//! The section `<asset>`.

use ferrodyn_model::TextureRole;

use super::{Parser, Rules};
use crate::keywords::MeshBuiltin;
use crate::schema::{HfieldAttrs, MaterialAttrs, MeshAttrs, TextureAttrs};
use crate::spec::{MaterialSpec, Object, TextureLayer};
use crate::values::AttrValue;
use crate::xml::{Node, NodeId};

/// The elements of the section.
const ELEMENTS: &[&str] = &["mesh", "hfield", "skin", "texture", "material", "model"];

/// The sides of a cube texture.
const SIDES: [&str; 6] = ["fileright", "fileleft", "fileup", "filedown", "filefront", "fileback"];

impl<'a> Parser<'a> {
    pub(super) fn asset(&mut self, id: NodeId) {
        self.known_attributes(&self.document.nodes[id], &[], false);
        for &child in &self.document.nodes[id].children {
            let node = &self.document.nodes[child];
            match node.name.as_str() {
                "mesh" => self.mesh(child),
                "hfield" => self.hfield(node),
                "texture" => self.texture(node),
                "material" => {
                    let name = self.name(node, "material");
                    let class = self.class(node, "class");
                    let attr = self.material(child, Rules::with(&["name", "class"]));
                    let object = Object { name, class, span: node.span, attr, ..Object::default() };
                    self.spec.materials.push(object);
                }
                "model" => self.model_asset(node),
                "skin" => self.skin(child),
                _ => self.unknown_element(node, ELEMENTS.iter().copied(), false),
            }
        }
    }

    fn mesh(&mut self, id: NodeId) {
        let node = &self.document.nodes[id];
        let name = self.name(node, "mesh");
        let class = self.class(node, "class");
        let mut attr: MeshAttrs = self.attributes(node, Rules::with(&["name", "class"]));
        self.check_hull_vertices(node, attr.maxhullvert);
        if let Some(builtin) = attr.builtin {
            if attr.params.is_none() {
                self.missing(node, "params");
            }
            if attr.file.is_some() {
                self.conflict(node, "'builtin' and 'file' cannot both be given");
            }
            if attr.vertex.is_some() {
                self.conflict(node, "'builtin' and 'vertex' cannot both be given");
            }
            if builtin == MeshBuiltin::None {
                self.invalid(node, "builtin", "expected a shape");
            }
        }
        attr.file = attr.file.map(|file| self.located(node, &file, FileKind::Mesh));
        let plugin = self.child_plugin(id);
        self.spec.meshes.push(Object {
            name,
            class,
            span: node.span,
            attr,
            plugin,
            ..Object::default()
        });
    }

    /// A limit on the vertices of a hull leaves at least a tetrahedron.
    pub(super) fn check_hull_vertices(&mut self, node: &Node, most: Option<i32>) {
        if most.is_some_and(|n| n != -1 && n < 4) {
            self.invalid(node, "maxhullvert", "expected -1 or at least 4");
        }
    }

    fn hfield(&mut self, node: &Node) {
        let name = self.name(node, "hfield");
        let mut attr: HfieldAttrs = self.attributes(node, Rules::with(&["name"]));
        if attr.size.is_none() {
            self.missing(node, "size");
        }
        attr.file = attr.file.map(|file| self.located(node, &file, FileKind::Hfield));
        let (nrow, ncol) = (attr.or_default().nrow(), attr.or_default().ncol());
        if attr.file.is_none()
            && nrow > 0
            && ncol > 0
            && let Some(elevation) = &attr.elevation
            && elevation.len() as i64 != i64::from(nrow) * i64::from(ncol)
        {
            self.invalid(node, "elevation", "expected nrow times ncol numbers");
        }
        self.spec.hfields.push(Object { name, span: node.span, attr, ..Object::default() });
        self.no_children(node, false);
    }

    fn texture(&mut self, node: &Node) {
        let name = self.name(node, "texture");
        let mut attr: TextureAttrs = self.attributes(node, Rules::with(&["name"]));
        if let Some(layout) = &attr.gridlayout {
            let [rows, columns] = attr.or_default().gridsize();
            if layout.len() > 12 {
                self.invalid(node, "gridlayout", "expected at most 12 letters");
            } else if layout.len() as i64 != i64::from(rows) * i64::from(columns) {
                self.invalid(
                    node,
                    "gridlayout",
                    "expected one letter for each image of 'gridsize'",
                );
            }
        }
        attr.file = attr.file.map(|file| self.located(node, &file, FileKind::Texture));
        let sides = [
            &mut attr.fileright,
            &mut attr.fileleft,
            &mut attr.fileup,
            &mut attr.filedown,
            &mut attr.filefront,
            &mut attr.fileback,
        ];
        for (side, name) in sides.into_iter().zip(SIDES) {
            if node.attr(name).is_some() {
                *side = side.take().map(|file| self.located(node, &file, FileKind::Texture));
            }
        }
        self.spec.textures.push(Object { name, span: node.span, attr, ..Object::default() });
        self.no_children(node, false);
    }

    /// Reads a material with its layers.
    pub(super) fn material(&mut self, id: NodeId, rules: Rules<'_>) -> MaterialSpec {
        let node = &self.document.nodes[id];
        let attr: MaterialAttrs = self.attributes(node, rules);
        let mut layers = Vec::new();
        for child in self.document.children(id) {
            if child.name != "layer" {
                self.unknown_element(child, ["layer"].into_iter(), false);
                continue;
            }
            self.known_attributes(child, &["texture", "role"], false);
            if attr.texture.is_some() {
                self.conflict(child, "a material with the attribute 'texture' has no layers");
            }
            let role = self.required(child, "role");
            let texture = self.required(child, "texture");
            self.no_children(child, false);
            let (Some(role), Some(texture)) = (role, texture) else { continue };
            match TextureRole::read("role", &role) {
                Ok(Some(role)) => layers.push(TextureLayer { role, texture }),
                Ok(None) => {}
                Err(e) => self.invalid(child, "role", &format!("expected {}", e.expected)),
            }
        }
        MaterialSpec { attr, layers }
    }
}

/// What a file is, which decides the directory that it is looked for in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileKind {
    Mesh,
    /// Height fields and skins.
    Hfield,
    Texture,
}

impl Parser<'_> {
    /// The name of a file as the compiler will look for it. A file that does not lie where the
    /// compiler looks first may lie beside the included file that names it.
    pub(super) fn located(&mut self, node: &Node, file: &str, kind: FileKind) -> String {
        let compiler = &self.spec.compiler;
        let directory = match kind {
            FileKind::Mesh => compiler.meshdir.as_ref().or(compiler.assetdir.as_ref()),
            FileKind::Texture => compiler.texturedir.as_ref().or(compiler.assetdir.as_ref()),
            FileKind::Hfield => compiler.assetdir.as_ref(),
        };
        let directory = directory.map_or("", String::as_str);
        self.document.located(node, directory, file, self.options)
    }
}
