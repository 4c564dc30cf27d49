//! Reads XML into a [`Document`], putting the content of included files where they are included.

use std::collections::BTreeSet;
use std::path::Path;

use super::{Attr, Document, Lines, Node, NodeId};
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
    let mut reader = Reader {
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
        Source::Text(text) => reader.text_within_budget(text),
        Source::Path(path) => {
            let name = path.to_string_lossy().into_owned();
            let identity = path.canonicalize().map_or(name, |p| p.to_string_lossy().into_owned());
            reader.open.push(identity);
            reader.model_file(path)
        }
    };
    if let Some(text) = text {
        reader.add_file(&text, 0, None, "");
    }
    reader.document
}

/// The work in progress.
struct Reader<'a> {
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

impl Reader<'_> {
    fn text_within_budget(&mut self, text: &str) -> Option<String> {
        if text.len() > self.bytes_left {
            let message = format!("the text is larger than {} bytes", self.bytes_left);
            self.sink.error(Problem::new(DiagnosticKind::Budget, message));
            return None;
        }
        self.bytes_left -= text.len();
        Some(text.to_owned())
    }

    fn model_file(&mut self, path: &Path) -> Option<String> {
        let name = path.to_string_lossy().into_owned();
        let report = |sink: &mut Sink, message: String| {
            sink.error(Problem::new(DiagnosticKind::File, message).at(Span::default()));
        };
        let found = match std::path::absolute(path) {
            Ok(full) => self.files.find(&full.to_string_lossy()),
            Err(e) => Err(format!("cannot find the file: {e}")),
        };
        match found {
            Err(message) => report(self.sink, message),
            Ok(None) => report(self.sink, format!("cannot find the file '{name}'")),
            Ok(Some(found)) => match self.read(found) {
                Err(message) => report(self.sink, message),
                Ok(text) => return Some(text),
            },
        }
        None
    }

    /// The text of a file. Bytes that are not UTF-8 are replaced, since comments in real models
    /// use other encodings.
    fn read(&mut self, found: Found) -> Result<String, String> {
        let bytes = found.read(self.bytes_left)?;
        if bytes.is_empty() {
            return Err(String::from("the file is empty"));
        }
        self.bytes_left -= bytes.len();
        Ok(match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(e) => String::from_utf8_lossy(e.as_bytes()).into_owned(),
        })
    }

    /// Adds the elements of one file: all of them below no parent, or the children of the root
    /// element below `parent`. `directory` is the directory of the file, empty for the model file.
    fn add_file(&mut self, text: &str, file: u32, parent: Option<NodeId>, directory: &str) {
        let lines = Lines::new(text);
        let remaining = self.options.budget.elements.saturating_sub(self.document.nodes.len());
        let parsed = roxmltree::Document::parse_with_options(
            text,
            roxmltree::ParsingOptions {
                allow_dtd: false,
                // comments and text count as nodes too
                nodes_limit: u32::try_from(remaining.saturating_mul(4).max(16)).unwrap_or(u32::MAX),
                ..Default::default()
            },
        );
        let xml = match parsed {
            Ok(xml) => xml,
            Err(e) => {
                let pos = e.pos();
                let span = Span { file, line: pos.row, column: pos.col };
                let (kind, message) = match e {
                    roxmltree::Error::DtdDetected => {
                        (DiagnosticKind::Syntax, String::from("document types are refused"))
                    }
                    roxmltree::Error::NodesLimitReached => {
                        (DiagnosticKind::Budget, String::from("too many elements"))
                    }
                    other => (DiagnosticKind::Syntax, format!("not well-formed XML: {other}")),
                };
                self.sink.error(Problem::new(kind, message).at(span));
                return;
            }
        };
        let root = xml.root_element();
        // URDF declares namespaces of tools that it was made by
        let is_urdf = root.tag_name().name().eq_ignore_ascii_case(crate::urdf::ROOT);
        for namespace in root.namespaces().filter(|_| !is_urdf) {
            if !matches!(namespace.name(), Some("ferrodyn" | "xml")) {
                let message = "the only namespace that a model may declare is 'ferrodyn'";
                self.sink.error(
                    Problem::new(DiagnosticKind::UnknownAttribute, message)
                        .at(lines.span(file, root.range().start))
                        .element(root.tag_name().name())
                        .attribute("xmlns"),
                );
            }
        }
        let mut depths = vec![(root, parent, 1_usize)];
        if parent.is_some() {
            let children: Vec<_> = root.children().filter(|n| n.is_element()).collect();
            if children.is_empty() {
                let span = lines.span(file, root.range().start);
                self.sink.error(
                    Problem::new(DiagnosticKind::File, "the included file has no elements")
                        .at(span)
                        .element(root.tag_name().name()),
                );
            }
            depths = children.into_iter().rev().map(|n| (n, parent, 2)).collect();
        }
        // depth first without recursion: the last entry is the next element of the text
        while let Some((element, parent, depth)) = depths.pop() {
            if self.exhausted {
                return;
            }
            let span = lines.span(file, element.range().start);
            if depth > self.options.budget.depth {
                let message =
                    format!("elements are nested deeper than {}", self.options.budget.depth);
                self.give_up(message, span, &element);
                return;
            }
            if parent.is_some() && element.tag_name().name() == "include" {
                self.include(&element, parent, &lines, file, directory);
                continue;
            }
            if self.document.nodes.len() >= self.options.budget.elements {
                let message = format!("more than {} elements", self.options.budget.elements);
                self.give_up(message, span, &element);
                return;
            }
            let id = self.document.nodes.len();
            let included = file > 0 && depth == 2;
            self.document.nodes.push(Node { included, ..node(&element, text, &lines, file) });
            if let Some(parent) = parent {
                self.document.nodes[parent].children.push(id);
            }
            let children: Vec<_> = element.children().filter(|n| n.is_element()).collect();
            depths.extend(children.into_iter().rev().map(|n| (n, Some(id), depth + 1)));
        }
    }

    fn give_up(&mut self, message: String, span: Span, element: &roxmltree::Node<'_, '_>) {
        self.exhausted = true;
        self.sink.error(
            Problem::new(DiagnosticKind::Budget, message)
                .at(span)
                .element(element.tag_name().name()),
        );
    }

    /// Handles one `<include>`: finds the file, refuses repeats and cycles, adds its elements.
    fn include(
        &mut self,
        element: &roxmltree::Node<'_, '_>,
        parent: Option<NodeId>,
        lines: &Lines,
        file: u32,
        directory: &str,
    ) {
        let span = lines.span(file, element.range().start);
        let problem = |kind: DiagnosticKind, message: &str| {
            Problem::new(kind, message).at(span).element("include")
        };
        if element.has_children() {
            self.sink.error(problem(DiagnosticKind::Conflict, "an include cannot have children"));
            return;
        }
        let Some(attribute) = element.attribute_node("file") else {
            self.sink.error(problem(DiagnosticKind::Missing, "the attribute 'file' is required"));
            return;
        };
        let value = attribute.value();
        let at_file = |kind: DiagnosticKind, message: &str| {
            Problem::new(kind, message)
                .at(lines.span(file, attribute.range().start))
                .element("include")
                .attribute("file")
                .value(value)
        };

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
                self.sink.error(at_file(DiagnosticKind::File, "cannot find the file"));
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

/// One element with its attributes.
fn node(element: &roxmltree::Node<'_, '_>, text: &str, lines: &Lines, file: u32) -> Node {
    let qualified = |namespace: Option<&str>, name: &str| match namespace {
        None => name.to_owned(),
        Some(uri) => match element.lookup_prefix(uri) {
            Some(prefix) if !prefix.is_empty() => format!("{prefix}:{name}"),
            _ => name.to_owned(),
        },
    };
    let attrs = element
        .attributes()
        .map(|a| Attr {
            name: qualified(a.namespace(), a.name()),
            value: attribute_value(&a, text),
            span: lines.span(file, a.range().start),
        })
        .collect();
    Node {
        name: qualified(element.tag_name().namespace(), element.tag_name().name()),
        attrs,
        children: Vec::new(),
        span: lines.span(file, element.range().start),
        included: false,
    }
}

/// The value of an attribute with its line breaks kept, as MuJoCo keeps them; XML itself would
/// turn them into spaces.
fn attribute_value(attribute: &roxmltree::Attribute<'_, '_>, text: &str) -> String {
    let value = attribute.value();
    let raw = text.get(attribute.range_value()).unwrap_or("");
    if !raw.contains(['\n', '\r', '\t']) {
        return value.to_owned();
    }
    let kept = raw.replace("\r\n", "\n").replace('\r', "\n");
    if kept.replace(['\n', '\t'], " ") == value { kept } else { value.to_owned() }
}
