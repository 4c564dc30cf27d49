//! Reads XML into a [`Document`], putting the content of included files where they are included.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::Path;

use super::tree::{Element, is_urdf};
use super::{Document, Limits, Node, NodeId, read_tree};
use crate::disk::{self, CANNOT_FIND};
use crate::error::{DiagnosticKind, Problem, Sink, Span};
use crate::files::{Files, Found};
use crate::options::LoadOptions;
use crate::path;

/// Where the text of a model comes from.
pub(crate) enum Source<'a> {
    /// A file on disk.
    Path(&'a Path),
    /// A text in memory.
    Text(&'a str),
}

/// Reads a model and everything it includes. What cannot be read is reported to `sink`; the
/// document then holds what could.
pub(crate) fn read_document(
    source: Source<'_>,
    options: &LoadOptions,
    sink: &mut Sink,
) -> Document {
    let mut document = Document::default();
    let (name, directory) = match source {
        Source::Text(_) => (String::new(), None),
        Source::Path(path) => {
            let parent = path.parent().filter(|p| !p.as_os_str().is_empty());
            (path.to_string_lossy().into_owned(), Some(parent.unwrap_or(Path::new("."))))
        }
    };
    document.files.push(name.clone());
    let files = match Files::new(directory, options) {
        Ok(files) => files,
        Err(message) => {
            sink.error(Problem::new(DiagnosticKind::File, message));
            return document;
        }
    };
    document.directory = files.model_directory.clone();
    let mut assembler = Assembler {
        options,
        files,
        bytes_left: options.budget.xml_bytes,
        included: BTreeSet::from([name.clone()]),
        open: Vec::new(),
        document,
        sink,
        exhausted: false,
    };
    let text = match source {
        Source::Text(text) => assembler.text_within_budget(text).map(Cow::Borrowed),
        Source::Path(path) => {
            let name = path.to_string_lossy().into_owned();
            let identity = disk::canonical(path).map_or(name, |p| p.to_string_lossy().into_owned());
            assembler.open.push(identity);
            assembler.model_file(path).map(Cow::Owned)
        }
    };
    if let Some(text) = text {
        assembler.add_file(&text, 0, None, "");
    }
    assembler.document
}

/// The work in progress.
struct Assembler<'a> {
    options: &'a LoadOptions,
    files: Files<'a>,
    bytes_left: usize,
    /// Names under which files were included, in the form that repeats are recognised by.
    included: BTreeSet<String>,
    /// Identities of the files that are being read, outermost first.
    open: Vec<String>,
    document: Document,
    sink: &'a mut Sink,
    /// Set when a budget ran out: nothing more is read, and it is reported once.
    exhausted: bool,
}

impl Assembler<'_> {
    fn text_within_budget<'t>(&mut self, text: &'t str) -> Option<&'t [u8]> {
        if text.len() > self.bytes_left {
            let message = format!("the text is larger than {} bytes", self.bytes_left);
            self.sink.error(Problem::new(DiagnosticKind::Budget, message));
            return None;
        }
        self.bytes_left -= text.len();
        Some(text.as_bytes())
    }

    fn model_file(&mut self, path: &Path) -> Option<Vec<u8>> {
        let name = path.to_string_lossy().into_owned();
        let report = |sink: &mut Sink, message: String| {
            sink.error(Problem::new(DiagnosticKind::File, message).at(Span::default()));
        };
        let found = match disk::absolute(path) {
            Ok(full) => self.files.find(&full.to_string_lossy()),
            Err(e) => Err(format!("cannot find the file: {e}")),
        };
        match found {
            Err(message) => report(self.sink, message),
            Ok(None) => report(self.sink, format!("{CANNOT_FIND} '{name}'")),
            Ok(Some(found)) => match self.read(found) {
                Err(message) => report(self.sink, message),
                Ok(text) => return Some(text),
            },
        }
        None
    }

    /// The text of a file.
    fn read(&mut self, found: Found) -> Result<Vec<u8>, String> {
        let bytes = found.read(self.bytes_left)?;
        if bytes.is_empty() {
            return Err(String::from("the file is empty"));
        }
        self.bytes_left -= bytes.len();
        Ok(bytes)
    }

    /// Adds the elements of one file: all of them below no parent, or the children of the root
    /// element below `parent`. `directory` is the directory of the file, empty for the model file.
    fn add_file(&mut self, text: &[u8], file: u32, parent: Option<NodeId>, directory: &str) {
        let budget = &self.options.budget;
        let remaining = budget.elements.saturating_sub(self.document.nodes.len());
        // the root of an included file is not kept
        let elements = remaining + usize::from(parent.is_some());
        let limits = Limits { elements, depth: budget.depth };
        let mut elements = match read_tree(text, file, limits, self.sink) {
            Ok(elements) => elements,
            Err(problem) => {
                self.sink.error(*problem);
                return;
            }
        };
        self.check_prefixes(&mut elements, parent.is_some());
        let is_alone = elements.len() == 1;
        // what each element of the file has become; none for what is left out with all that it contains
        let mut places: Vec<Option<NodeId>> = Vec::with_capacity(elements.len());
        for element in elements {
            if self.exhausted {
                return;
            }
            let above = match element.parent {
                Some(above) => match places[above] {
                    Some(place) => Some(place),
                    None => {
                        places.push(None);
                        continue;
                    }
                },
                None if parent.is_some() => {
                    if is_alone {
                        let message = "the included file has no elements";
                        self.sink.error(element.node.problem(DiagnosticKind::File, message));
                    }
                    places.push(parent);
                    continue;
                }
                None => None,
            };
            // only models in MJCF include files
            if above.is_some() && element.node.name == "include" && !self.is_urdf() {
                self.include(&element, above, directory);
                places.push(None);
                continue;
            }
            if self.document.nodes.len() >= self.options.budget.elements {
                let message = format!("more than {} elements", self.options.budget.elements);
                self.exhausted = true;
                self.sink.error(element.node.problem(DiagnosticKind::Budget, message));
                return;
            }
            let id = self.document.nodes.len();
            let included = file > 0 && element.parent == Some(0);
            self.document.nodes.push(Node { included, ..element.node });
            if let Some(above) = above {
                self.document.nodes[above].children.push(id);
            }
            places.push(Some(id));
        }
    }

    /// Whether the model is in URDF.
    fn is_urdf(&self) -> bool {
        self.document.nodes.first().is_some_and(is_urdf)
    }

    /// Takes the declaration of the prefix `ferrodyn` from the root element, and refuses other namespaces there and
    /// the prefix where it is not declared. URDF declares namespaces of tools that it was made by, and the root of an
    /// included file may have any attributes.
    fn check_prefixes(&mut self, elements: &mut [Element], is_included: bool) {
        const DECLARATION: &str = "xmlns:ferrodyn";
        let Some(root) = elements.first_mut().map(|e| &mut e.node) else { return };
        let is_declared = root.attr(DECLARATION).is_some();
        root.attrs.retain(|a| a.name != DECLARATION);
        if !is_included && !is_urdf(root) {
            for attr in root.attrs.iter().filter(|a| is_namespace(&a.name)) {
                let message = "the only namespace that a model may declare is 'ferrodyn'";
                self.sink.error(root.attr_problem(attr, DiagnosticKind::UnknownAttribute, message));
            }
            root.attrs.retain(|a| !is_namespace(&a.name));
        }
        if is_declared {
            return;
        }
        for node in elements.iter().map(|e| &e.node) {
            for attr in node.attrs.iter().filter(|a| a.name.starts_with("ferrodyn:")) {
                let message = "the prefix is not declared: the root element needs \
                               xmlns:ferrodyn=\"urn:ferrodyn\"";
                self.sink.error(node.attr_problem(attr, DiagnosticKind::Syntax, message));
            }
        }
    }

    /// Handles one `<include>`: finds the file, refuses repeats and cycles, adds its elements.
    fn include(&mut self, element: &Element, parent: Option<NodeId>, directory: &str) {
        let node = &element.node;
        if !element.is_empty {
            let message = "an include cannot have children";
            self.sink.error(node.problem(DiagnosticKind::Conflict, message));
            return;
        }
        let Some(attribute) = node.attr("file") else {
            let message = "the attribute 'file' is required";
            self.sink.error(node.problem(DiagnosticKind::Missing, message));
            return;
        };
        let value = attribute.value.as_str();
        let at_file =
            |kind: DiagnosticKind, message: &str| node.attr_problem(attribute, kind, message);

        // a name counts from the model's directory, or else from that of the including file
        let wanted = path::reduce(value);
        let from_model = path::join(&self.files.model_directory, &wanted);
        let from_here = path::join(directory, &wanted);
        let (found, key) = match self.files.find(&from_model) {
            Ok(Some(found)) => (Ok(Some(found)), wanted.clone()),
            Ok(None) => (self.files.find(&from_here), from_here),
            Err(message) => (Err(message), wanted.clone()),
        };
        let found = match found {
            Ok(Some(found)) => found,
            Ok(None) => {
                self.sink.error(at_file(DiagnosticKind::File, CANNOT_FIND));
                return;
            }
            Err(message) => {
                self.sink.error(at_file(DiagnosticKind::File, &message));
                return;
            }
        };
        let identity = found.identity();
        if self.open.contains(&identity) {
            self.sink.error(at_file(DiagnosticKind::Conflict, "the file includes itself"));
            return;
        }
        if self.included.contains(&key) {
            self.sink.error(at_file(DiagnosticKind::Conflict, "the file is already included"));
            return;
        }
        let budget = &self.options.budget;
        if self.document.files.len() > budget.includes || self.open.len() >= budget.include_depth {
            self.exhausted = true;
            self.sink.error(at_file(DiagnosticKind::Budget, "too many included files"));
            return;
        }
        let name = found.name().to_owned();
        let text = match self.read(found) {
            Ok(text) => text,
            Err(message) => {
                self.sink.error(at_file(DiagnosticKind::File, &message));
                return;
            }
        };
        self.included.insert(path::join(directory, &key));
        let index = u32::try_from(self.document.files.len()).unwrap_or(u32::MAX);
        self.document.files.push(name.clone());
        self.open.push(identity);
        self.add_file(&text, index, parent, path::directory(&name));
        self.open.pop();
    }
}

/// Whether an attribute declares a namespace.
fn is_namespace(name: &str) -> bool {
    name == "xmlns" || name.starts_with("xmlns:")
}
