//! XML as this crate sees it: one flat list of elements with positions, includes already in place.

mod include;
mod reader;
mod tree;
mod value;

pub(crate) use include::{Source, read_document};
pub(crate) use tree::{Limits, read_tree};

use crate::error::{DiagnosticKind, Problem, Span};
use crate::files::Files;
use crate::options::LoadOptions;
use crate::path;

/// Index of an element in a [`Document`].
pub(crate) type NodeId = usize;

/// One attribute as written.
#[derive(Clone, Debug)]
pub(crate) struct Attr {
    /// Name as written, with its prefix and a colon when it has one.
    pub(crate) name: String,
    /// Value, entities resolved.
    pub(crate) value: String,
    /// Where the attribute begins.
    pub(crate) span: Span,
}

/// One element.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// Name as written, with its prefix and a colon when it has one.
    pub(crate) name: String,
    /// Attributes in the order of the text.
    pub(crate) attrs: Vec<Attr>,
    /// Child elements in the order of the text.
    pub(crate) children: Vec<NodeId>,
    /// Where the element begins.
    pub(crate) span: Span,
    /// Whether an include stands in the place of this element.
    pub(crate) included: bool,
}

impl Node {
    /// The attribute with this name.
    pub(crate) fn attr(&self, name: &str) -> Option<&Attr> {
        self.attrs.iter().find(|a| a.name == name)
    }

    /// A problem with this element.
    pub(crate) fn problem(&self, kind: DiagnosticKind, message: impl Into<String>) -> Problem {
        Problem::new(kind, message).at(self.span).element(&self.name)
    }

    /// A problem with one attribute of this element.
    pub(crate) fn attr_problem(
        &self,
        attr: &Attr,
        kind: DiagnosticKind,
        message: impl Into<String>,
    ) -> Problem {
        self.problem(kind, message).at(attr.span).attribute(&attr.name).value(&attr.value)
    }
}

/// The elements of a model, includes replaced by what they include. Element 0 is the root.
#[derive(Debug, Default)]
pub(crate) struct Document {
    pub(crate) nodes: Vec<Node>,
    pub(crate) files: Vec<String>,
    /// Directory of the model file, with a separator; empty for text without a file.
    pub(crate) directory: String,
}

impl Document {
    /// The child elements of an element.
    pub(crate) fn children(&self, id: NodeId) -> impl Iterator<Item = &Node> {
        self.nodes[id].children.iter().map(|&c| &self.nodes[c])
    }

    /// The name of an asset file, to be looked for in a directory of assets. If there is no such
    /// file, it may lie beside the included file that names it.
    pub(crate) fn located(
        &self,
        node: &Node,
        assets: &str,
        file: &str,
        options: &LoadOptions,
    ) -> String {
        let file = path::reduce(file);
        if node.span.file == 0 || path::is_absolute(&file) {
            return file;
        }
        let usual = path::join(&path::join(&self.directory, assets), &file);
        if Files::at(&self.directory, options).is_ok_and(|f| matches!(f.find(&usual), Ok(Some(_))))
        {
            return file;
        }
        let included = self.files.get(node.span.file as usize).map_or("", String::as_str);
        path::join(path::directory(included), &file)
    }
}
