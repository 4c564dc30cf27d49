//! The elements of one XML file: how tags nest, which element is the root, what text is ignored.

use super::reader::{Piece, Reader, Refusal, find};
use super::{Attr, Node, value};
use crate::error::{DiagnosticKind, Problem, Sink, Span};

/// One element of a file.
#[derive(Debug)]
pub(crate) struct Element {
    /// The element itself, without its children.
    pub(crate) node: Node,
    /// Number of the element that it is in; none for the root.
    pub(crate) parent: Option<usize>,
    /// Whether it contains nothing at all: no element, no text, no comment.
    pub(crate) is_empty: bool,
}

/// How large a file may be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// How many elements it may have.
    pub(crate) elements: usize,
    /// How deep they may be nested. What an element contains counts as one level, even if it is nothing, unless the
    /// element ends with `/>`: MuJoCo's reader counts so.
    pub(crate) depth: usize,
}

/// The elements of a file in the order of the text, the root first; or why the file cannot be read. What is odd about
/// it goes to `sink` as warnings.
pub(crate) fn read_tree(
    text: &[u8],
    file: u32,
    limits: Limits,
    sink: &mut Sink,
) -> Result<Vec<Element>, Box<Problem>> {
    let lines = Lines::new(text);
    let place = |problem: Problem, at: usize, element: &[u8]| {
        let problem = problem.at(lines.span(file, at));
        if element.is_empty() { problem } else { problem.element(&value::to_shown(element)) }
    };
    let outcome = Reader::new(text).and_then(|reader| {
        let mut builder =
            Builder { reader, lines: &lines, file, limits, elements: Vec::new(), open: Vec::new() };
        builder.read()?;
        Ok((builder.elements, builder.reader.oddities))
    });
    let (elements, mut oddities) = outcome.map_err(|refusal| {
        let problem = Problem::new(refusal.kind, refusal.message);
        Box::new(place(problem, refusal.at, refusal.element))
    })?;
    oddities.sort_by_key(|oddity| oddity.at);
    for oddity in oddities {
        let problem = Problem::new(DiagnosticKind::Syntax, oddity.message);
        sink.warn(place(problem, oddity.at, oddity.element));
    }
    Ok(elements)
}

/// An element whose end has not come yet.
struct Open<'a> {
    name: &'a [u8],
    /// Offset of its tag.
    at: usize,
    /// Its number; none for what is read but not kept.
    number: Option<usize>,
}

/// The work in progress.
struct Builder<'a> {
    reader: Reader<'a>,
    lines: &'a Lines,
    file: u32,
    limits: Limits,
    elements: Vec<Element>,
    /// The elements that are open, outermost first.
    open: Vec<Open<'a>>,
}

impl<'a> Builder<'a> {
    fn read(&mut self) -> Result<(), Refusal<'a>> {
        // declarations may come before everything else only
        let mut may_declare = true;
        while let Some((at, piece)) = self.reader.next()? {
            match piece {
                Piece::Declaration if may_declare => continue,
                Piece::Declaration => {
                    let message = "'<?' is allowed before everything else only";
                    return Err(Refusal::syntax(at, message));
                }
                Piece::Comment => self.mark_content(),
                Piece::Text => self.text(at),
                Piece::Open { name, is_empty } => self.open(at, name, is_empty)?,
                Piece::Close { name } => {
                    if self.open.is_empty() {
                        let message = "a tag that closes nothing: what follows is ignored";
                        self.reader.warn_in(name, at, message);
                        break;
                    }
                    self.close(at, name)?;
                }
            }
            may_declare = false;
        }
        if let Some(open) = self.open.last() {
            return Err(Refusal::syntax(open.at, "the element is not closed").within(open.name));
        }
        if self.elements.is_empty() {
            return Err(Refusal::syntax(0, "there is no element"));
        }
        Ok(())
    }

    /// Remembers that the element that is open contains something.
    fn mark_content(&mut self) {
        if let Some(number) = self.open.last().and_then(|open| open.number) {
            self.elements[number].is_empty = false;
        }
    }

    /// Text says nothing in MJCF; URDF has elements of other programs, which may contain text.
    fn text(&mut self, at: usize) {
        self.mark_content();
        match self.open.last() {
            None => self.reader.warn_in(b"", at, "text outside the root element is ignored"),
            Some(open) if !self.is_urdf() => {
                self.reader.warn_in(open.name, at, "text is ignored");
            }
            Some(_) => {}
        }
    }

    fn is_urdf(&self) -> bool {
        self.elements.first().is_some_and(|root| is_urdf(&root.node))
    }

    fn open(&mut self, at: usize, name: &'a [u8], is_empty: bool) -> Result<(), Refusal<'a>> {
        let level = self.open.len() + 1;
        let refuse = |message: String| {
            let kind = DiagnosticKind::Budget;
            Err(Refusal { at, kind, message, element: name })
        };
        if level + usize::from(!is_empty) > self.limits.depth {
            return refuse(format!("elements are nested deeper than {}", self.limits.depth));
        }
        if self.elements.len() >= self.limits.elements {
            return refuse(format!("more than {} elements", self.limits.elements));
        }
        self.mark_content();
        // the first element is the root, and others beside it are read but not kept
        let parent = self.open.last().and_then(|open| open.number);
        let is_kept = parent.is_some() || self.elements.is_empty();
        let number = self.elements.len();
        if is_kept {
            let node = self.node(at, name);
            self.elements.push(Element { node, parent, is_empty: true });
        } else if self.open.is_empty() {
            self.reader.warn_in(name, at, "another root element is ignored");
        }
        if !is_empty {
            self.open.push(Open { name, at, number: is_kept.then_some(number) });
        }
        Ok(())
    }

    fn node(&self, at: usize, name: &[u8]) -> Node {
        let attrs = self.reader.attributes.iter().map(|attribute| Attr {
            name: value::to_text(attribute.name),
            value: value::to_text(&value::decode(attribute.value)),
            span: self.lines.span(self.file, attribute.at),
        });
        Node {
            name: value::to_text(name),
            attrs: attrs.collect(),
            children: Vec::new(),
            span: self.lines.span(self.file, at),
            included: false,
        }
    }

    fn close(&mut self, at: usize, name: &[u8]) -> Result<(), Refusal<'a>> {
        match self.open.pop() {
            Some(open) if open.name != name => {
                let line = self.lines.span(self.file, open.at).line;
                let [closed, opened] = [name, open.name].map(value::to_shown);
                let message = format!("</{closed}> does not close <{opened}> of line {line}");
                Err(Refusal::syntax(at, message))
            }
            _ => Ok(()),
        }
    }
}

/// Whether a root element begins a URDF model.
pub(super) fn is_urdf(root: &Node) -> bool {
    root.name.eq_ignore_ascii_case(crate::urdf::ROOT)
}

/// Byte offsets of the lines of a text, to turn an offset into line and column.
#[derive(Debug)]
struct Lines {
    starts: Vec<usize>,
}

impl Lines {
    fn new(text: &[u8]) -> Self {
        let mut starts = vec![0];
        let mut from = 0;
        while let Some(i) = find(&text[from..], b'\n') {
            from += i + 1;
            starts.push(from);
        }
        Self { starts }
    }

    fn span(&self, file: u32, offset: usize) -> Span {
        let line = self.starts.partition_point(|&start| start <= offset);
        let column = offset - self.starts[line - 1] + 1;
        let narrow = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Span { file, line: narrow(line), column: narrow(column) }
    }
}
