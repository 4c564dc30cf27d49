//! What a load reports: diagnostics with a source position, collected and returned together.

use core::fmt;

use crate::suggest::closest;

/// Most diagnostics that one load keeps; later ones are only counted.
pub(crate) const MAX_DIAGNOSTICS: usize = 200;

/// A position in one of the files of a model. Line and column count from 1, the column in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// Index of the file in [`Spec::files`](crate::Spec::files).
    pub file: u32,
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 1.
    pub column: u32,
}

/// What sort of problem a [`Diagnostic`] describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DiagnosticKind {
    /// As an error: the text cannot be read as XML, or uses XML that is refused (document types, entities). As a warning:
    /// it is not well-formed by the XML standard, but read as MuJoCo reads it.
    Syntax,
    /// An element that the model language does not have at this place.
    UnknownElement,
    /// An attribute that the element does not have.
    UnknownAttribute,
    /// An attribute value that cannot be read.
    InvalidValue,
    /// A required attribute or element that is not there.
    Missing,
    /// Attributes or elements that exclude each other, or an element that may appear only once.
    Conflict,
    /// Part of the model language that this version does not implement.
    Unsupported,
    /// A name that refers to nothing.
    Reference,
    /// The same name twice.
    DuplicateName,
    /// A size above the budget of [`LoadOptions`](crate::LoadOptions).
    Budget,
    /// A file that cannot be opened or read, or that may not be.
    File,
    /// A model that cannot be compiled.
    Model,
}

/// One problem, with everything needed to find and mend it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// What sort of problem it is.
    pub kind: DiagnosticKind,
    /// Name of the file; empty for text that came without one.
    pub file: String,
    /// Line, from 1; 0 when the problem has no place in a file.
    pub line: u32,
    /// Column in bytes, from 1; 0 when the problem has no place in a file.
    pub column: u32,
    /// Name of the element.
    pub element: Option<String>,
    /// Name of the attribute.
    pub attribute: Option<String>,
    /// The offending value, shortened.
    pub value: Option<String>,
    /// What is wrong, and what was expected.
    pub message: String,
    /// A known word close to the offending one.
    pub suggestion: Option<String>,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            let file = if self.file.is_empty() { "<text>" } else { &self.file };
            write!(f, "{file}:{}:{}: ", self.line, self.column)?;
        } else if !self.file.is_empty() {
            write!(f, "{}: ", self.file)?;
        }
        if let Some(element) = &self.element {
            write!(f, "<{element}>")?;
            if let Some(attribute) = &self.attribute {
                write!(f, " {attribute}")?;
                if let Some(value) = &self.value {
                    write!(f, "=\"{value}\"")?;
                }
            }
            f.write_str(": ")?;
        }
        f.write_str(&self.message)?;
        if let Some(word) = &self.suggestion {
            write!(f, " (did you mean '{word}'?)")?;
        }
        Ok(())
    }
}

/// A model that could not be loaded: every problem that was found, in the order of the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub struct MjcfError {
    /// The problems; never empty.
    pub diagnostics: Vec<Diagnostic>,
    /// How many more problems were found than are listed.
    pub omitted: usize,
}

impl fmt::Display for MjcfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, diagnostic) in self.diagnostics.iter().enumerate() {
            if i > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{diagnostic}")?;
        }
        if self.omitted > 0 {
            write!(f, "\n... and {} more", self.omitted)?;
        }
        Ok(())
    }
}

/// A diagnostic under construction: kind and message first, the rest by method.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub(crate) kind: DiagnosticKind,
    pub(crate) span: Option<Span>,
    pub(crate) element: Option<String>,
    pub(crate) attribute: Option<String>,
    pub(crate) value: Option<String>,
    pub(crate) message: String,
    pub(crate) suggestion: Option<String>,
}

impl Problem {
    pub(crate) fn new(kind: DiagnosticKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            span: None,
            element: None,
            attribute: None,
            value: None,
            message: message.into(),
            suggestion: None,
        }
    }

    pub(crate) fn of_kind(mut self, kind: DiagnosticKind) -> Self {
        self.kind = kind;
        self
    }

    pub(crate) fn at(mut self, span: Span) -> Self {
        self.span = Some(span);
        self
    }

    pub(crate) fn element(mut self, name: &str) -> Self {
        self.element = Some(shorten(name));
        self
    }

    pub(crate) fn attribute(mut self, name: &str) -> Self {
        self.attribute = Some(shorten(name));
        self
    }

    pub(crate) fn value(mut self, value: &str) -> Self {
        self.value = Some(shorten(value));
        self
    }

    pub(crate) fn suggest<'a>(mut self, word: &str, known: impl Iterator<Item = &'a str>) -> Self {
        self.suggestion = closest(word, known).map(str::to_owned);
        self
    }

    pub(crate) fn finish(self, files: &[String]) -> Diagnostic {
        let span = self.span.unwrap_or_default();
        Diagnostic {
            kind: self.kind,
            file: files.get(span.file as usize).cloned().unwrap_or_default(),
            line: span.line,
            column: span.column,
            element: self.element,
            attribute: self.attribute,
            value: self.value,
            message: self.message,
            suggestion: self.suggestion,
        }
    }
}

/// How many characters of a text a message shows, enough to recognise it.
pub(crate) const SHOWN: usize = 60;

/// The first characters of a text.
pub(crate) fn shorten(text: &str) -> String {
    let mut out: String =
        text.chars().take(SHOWN).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(SHOWN).is_some() {
        out.push_str("...");
    }
    out
}

/// Collects problems and warnings while the work goes on.
#[derive(Debug, Default)]
pub(crate) struct Sink {
    problems: Vec<Problem>,
    omitted: usize,
    warnings: Vec<Problem>,
}

impl Sink {
    pub(crate) fn error(&mut self, problem: Problem) {
        if self.problems.len() < MAX_DIAGNOSTICS {
            self.problems.push(problem);
        } else {
            self.omitted += 1;
        }
    }

    pub(crate) fn warn(&mut self, problem: Problem) {
        if self.warnings.len() < MAX_DIAGNOSTICS {
            self.warnings.push(problem);
        }
    }

    pub(crate) fn has_errors(&self) -> bool {
        !self.problems.is_empty()
    }

    /// The warnings if there was no error, otherwise every error in the order of the text.
    pub(crate) fn finish(self, files: &[String]) -> Result<Vec<Diagnostic>, MjcfError> {
        let list = |problems: Vec<Problem>| -> Vec<Diagnostic> {
            problems.into_iter().map(|p| p.finish(files)).collect()
        };
        if self.problems.is_empty() {
            return Ok(list(self.warnings));
        }
        let mut problems = self.problems;
        problems.sort_by_key(|p| p.span.map_or((0, 0, 0), |s| (s.file, s.line, s.column)));
        Err(MjcfError { diagnostics: list(problems), omitted: self.omitted })
    }
}
