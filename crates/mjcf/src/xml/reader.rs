//! Cuts the text of an XML file into comments, texts and tags, with the tolerance of MuJoCo's XML reader (tinyxml2).
//!
//! Real models rely on that tolerance: attributes without white space between them, `--` within comments, text where
//! there should be none. What the XML standard forbids and MuJoCo reads becomes an [`Oddity`], a warning with its place;
//! what MuJoCo refuses is a [`Refusal`]. Document types and the declarations within them, which MuJoCo skips, are
//! refused always. Every byte is looked at a bounded number of times, and nothing here recurses.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::value;
use crate::error::{DiagnosticKind, MAX_DIAGNOSTICS};

/// Something that the XML standard forbids and that is read all the same.
#[derive(Debug)]
pub(super) struct Oddity<'a> {
    /// Offset in the text.
    pub(super) at: usize,
    /// Name of the element that it is in; empty if it is in none.
    pub(super) element: &'a [u8],
    /// What is off.
    pub(super) message: Cow<'static, str>,
}

/// Why a text cannot be read.
#[derive(Debug)]
pub(super) struct Refusal<'a> {
    /// Offset in the text.
    pub(super) at: usize,
    /// What sort of problem it is.
    pub(super) kind: DiagnosticKind,
    /// What is wrong.
    pub(super) message: String,
    /// Name of the element that it is in; empty if it is in none.
    pub(super) element: &'a [u8],
}

impl<'a> Refusal<'a> {
    pub(super) fn syntax(at: usize, message: impl Into<String>) -> Self {
        Self { at, kind: DiagnosticKind::Syntax, message: message.into(), element: b"" }
    }

    pub(super) fn within(self, element: &'a [u8]) -> Self {
        Self { element, ..self }
    }
}

/// One attribute as written.
#[derive(Clone, Copy, Debug)]
pub(super) struct RawAttribute<'a> {
    pub(super) name: &'a [u8],
    /// What stands between the quotation marks.
    pub(super) value: &'a [u8],
    /// Offset of the name.
    pub(super) at: usize,
}

/// A piece of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// `<?...?>`
    Declaration,
    /// `<!--...-->`, or what MuJoCo skips like a comment: `<!...>`
    Comment,
    /// Characters that are not white space alone, or `<![CDATA[...]]>`
    Text,
    /// `<name ...>` or `<name .../>`; its attributes are in [`Reader::attributes`].
    Open { name: &'a [u8], is_empty: bool },
    /// `</name>`
    Close { name: &'a [u8] },
}

/// Reads one piece after the other.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    text: &'a [u8],
    /// Offset of the next byte.
    at: usize,
    /// Offset of the first byte behind a byte order mark.
    begin: usize,
    /// Attributes of the tag that was read last.
    pub(super) attributes: Vec<RawAttribute<'a>>,
    /// What was odd so far, up to the number that a load reports.
    pub(super) oddities: Vec<Oddity<'a>>,
    /// Name of the tag that is being read; empty between tags.
    tag: &'a [u8],
}

/// What some editors put before a text in UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// White space as in C: the standard knows neither the vertical tab nor the form feed.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// Any byte of a character beyond ASCII may be part of a name.
fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b':' | b'_') || !byte.is_ascii()
}

fn is_name_part(byte: u8) -> bool {
    is_name_start(byte) || byte.is_ascii_digit() || matches!(byte, b'.' | b'-')
}

/// Where a byte stands first. Whole blocks are asked whether they have it, which the machine does many bytes at a time.
pub(super) fn find(bytes: &[u8], wanted: u8) -> Option<usize> {
    // a few vector registers, and few enough bytes for the second look
    const BLOCK: usize = 64;
    let has = |block: &[u8]| block.iter().fold(false, |any, &b| any | (b == wanted));
    let blocks = bytes.chunks(BLOCK).position(has)?;
    let begin = blocks * BLOCK;
    bytes[begin..].iter().position(|&b| b == wanted).map(|i| begin + i)
}

impl<'a> Reader<'a> {
    /// A reader at the first piece of a text.
    pub(super) fn new(text: &'a [u8]) -> Result<Self, Refusal<'a>> {
        // a text ends at a zero, as in C
        let end = find(text, 0).unwrap_or(text.len());
        let mut reader = Reader::over(&text[..end]);
        reader.skip_space();
        if reader.rest().starts_with(BYTE_ORDER_MARK) {
            if reader.at > 0 {
                reader.warn(reader.at, "white space before the byte order mark");
            }
            reader.at += BYTE_ORDER_MARK.len();
            reader.begin = reader.at;
        }
        if reader.rest().iter().all(|&b| is_space(b)) {
            return Err(Refusal::syntax(0, "the text is empty"));
        }
        reader.check_characters();
        if end < text.len() {
            reader.warn(end, "a zero byte: what follows is ignored");
        }
        Ok(reader)
    }

    /// A reader at the first byte of a text.
    fn over(text: &'a [u8]) -> Self {
        Self { text, at: 0, begin: 0, attributes: Vec::new(), oddities: Vec::new(), tag: b"" }
    }

    /// Warns of bytes that no XML text has.
    fn check_characters(&mut self) {
        let is_control = |byte: u8| byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r');
        // nearly every text has none, and that is soon known
        if self.text.iter().fold(false, |any, &b| any | is_control(b)) {
            for (at, &byte) in self.text.iter().enumerate().filter(|(_, b)| is_control(**b)) {
                self.warn(at, format!("the control character {byte:#04x}"));
            }
        }
        if str::from_utf8(self.text).is_ok() {
            return;
        }
        let mut at = 0;
        for chunk in self.text.utf8_chunks() {
            at += chunk.valid().len();
            if let [byte, ..] = chunk.invalid() {
                self.warn(at, format!("the byte {byte:#04x} is not UTF-8: read as Latin-1"));
            }
            at += chunk.invalid().len();
        }
    }

    fn warn(&mut self, at: usize, message: impl Into<Cow<'static, str>>) {
        self.warn_in(self.tag, at, message);
    }

    /// Remembers what is odd within an element.
    pub(super) fn warn_in(
        &mut self,
        element: &'a [u8],
        at: usize,
        message: impl Into<Cow<'static, str>>,
    ) {
        if self.oddities.len() < MAX_DIAGNOSTICS {
            self.oddities.push(Oddity { at, element, message: message.into() });
        }
    }

    fn rest(&self) -> &'a [u8] {
        &self.text[self.at..]
    }

    /// Skips white space; whether there was any.
    fn skip_space(&mut self) -> bool {
        let start = self.at;
        while self.text.get(self.at).is_some_and(|&b| is_space(b)) {
            self.at += 1;
        }
        self.at > start
    }

    /// Skips what ends with `end`, and `end` too; what it is, or none if it does not end.
    fn skip_past(&mut self, end: &[u8]) -> Option<&'a [u8]> {
        let rest = self.rest();
        let mut from = 0;
        loop {
            from += find(&rest[from..], end[0])?;
            if rest[from..].starts_with(end) {
                self.at += from + end.len();
                return Some(&rest[..from]);
            }
            from += 1;
        }
    }

    /// The next piece and where it begins; none at the end of the text.
    pub(super) fn next(&mut self) -> Result<Option<(usize, Piece<'a>)>, Refusal<'a>> {
        self.tag = b"";
        self.skip_space();
        let at = self.at;
        let piece = match self.rest() {
            [] => return Ok(None),
            [b'<', b'?', ..] => self.declaration(at)?,
            [b'<', b'!', b'-', b'-', ..] => self.comment(at)?,
            [b'<', b'!', b'[', b'C', b'D', b'A', b'T', b'A', b'[', ..] => self.cdata(at)?,
            [b'<', b'!', ..] => self.markup(at)?,
            [b'<', ..] => self.tag(at)?,
            _ => self.characters(at)?,
        };
        Ok(Some((at, piece)))
    }

    fn declaration(&mut self, at: usize) -> Result<Piece<'a>, Refusal<'a>> {
        self.at += 2;
        let content = self
            .skip_past(b"?>")
            .ok_or_else(|| Refusal::syntax(at, "the declaration does not end with '?>'"))?;
        if !content.first().is_some_and(|&b| is_name_start(b)) {
            self.warn(at, "a declaration without a name");
        } else if let Some(rest) = content.strip_prefix(b"xml")
            && !rest.first().is_some_and(|&b| is_name_part(b))
        {
            if at != self.begin {
                self.warn(at, "the declaration of an XML file must be the first thing in it");
            } else if !is_xml_declaration(rest) {
                self.warn(at, "the declaration of an XML file is malformed");
            }
        }
        Ok(Piece::Declaration)
    }

    fn comment(&mut self, at: usize) -> Result<Piece<'a>, Refusal<'a>> {
        self.at += 4;
        let content = self
            .skip_past(b"-->")
            .ok_or_else(|| Refusal::syntax(at, "the comment does not end with '-->'"))?;
        // a hyphen before the end makes two as well
        if let Some(i) = content.windows(2).position(|pair| pair == b"--") {
            self.warn(at + 4 + i, "'--' within a comment");
        } else if content.ends_with(b"-") {
            self.warn(at + 3 + content.len(), "a comment ends with '--->'");
        }
        Ok(Piece::Comment)
    }

    fn cdata(&mut self, at: usize) -> Result<Piece<'a>, Refusal<'a>> {
        self.at += b"<![CDATA[".len();
        match self.skip_past(b"]]>") {
            Some(_) => Ok(Piece::Text),
            None => Err(Refusal::syntax(at, "the CDATA section does not end with ']]>'")),
        }
    }

    /// `<!...>`: refused if it belongs to a document type, otherwise skipped.
    fn markup(&mut self, at: usize) -> Result<Piece<'a>, Refusal<'a>> {
        self.at += 2;
        let content = self.rest().trim_ascii_start();
        let word = content.split(|b| !b.is_ascii_alphabetic()).next().unwrap_or_default();
        match word.to_ascii_uppercase().as_slice() {
            b"DOCTYPE" => return Err(Refusal::syntax(at, "document types are refused")),
            b"ENTITY" | b"ELEMENT" | b"ATTLIST" | b"NOTATION" => {
                return Err(Refusal::syntax(at, "declarations of document types are refused"));
            }
            _ => {}
        }
        if self.skip_past(b">").is_none() {
            return Err(Refusal::syntax(at, "'<!' without an end"));
        }
        self.warn(at, "'<!' begins no comment: ignored up to the next '>'");
        Ok(Piece::Comment)
    }

    fn characters(&mut self, at: usize) -> Result<Piece<'a>, Refusal<'a>> {
        let content = self.skip_past(b"<");
        let Some(content) = content.filter(|_| !self.rest().is_empty()) else {
            return Err(Refusal::syntax(at, "text that no tag follows"));
        };
        self.at -= 1;
        if let Some(i) = value::odd_reference(content) {
            self.warn(at + i, value::ODD_REFERENCE);
        }
        if let Some(i) = content.windows(3).position(|three| three == b"]]>") {
            self.warn(at + i, "']]>' within text");
        }
        Ok(Piece::Text)
    }

    fn tag(&mut self, at: usize) -> Result<Piece<'a>, Refusal<'a>> {
        self.at += 1;
        if self.skip_space() {
            self.warn(at, "white space behind '<'");
        }
        let is_closing = self.rest().first() == Some(&b'/');
        self.at += usize::from(is_closing);
        let Some(name) = self.name() else {
            return Err(Refusal::syntax(at, "'<' that no name follows"));
        };
        self.tag = name;
        let is_empty = self.read_attributes(at).map_err(|e| e.within(name))?;
        if !is_closing {
            return Ok(Piece::Open { name, is_empty });
        }
        if is_empty {
            self.warn(at, "a tag with two '/' is read as an empty element");
            return Ok(Piece::Open { name, is_empty });
        }
        if let Some(first) = self.attributes.first() {
            self.warn(first.at, "attributes of a closing tag are ignored");
        }
        Ok(Piece::Close { name })
    }

    fn name(&mut self) -> Option<&'a [u8]> {
        let rest = self.rest();
        rest.first().filter(|b| is_name_start(**b))?;
        let length = rest.iter().position(|&b| !is_name_part(b)).unwrap_or(rest.len());
        self.at += length;
        Some(&rest[..length])
    }

    /// Reads attributes up to the end of a tag; whether it ends with `/>`.
    fn read_attributes(&mut self, start: usize) -> Result<bool, Refusal<'a>> {
        self.attributes.clear();
        loop {
            let is_spaced = self.skip_space();
            let at = self.at;
            match self.rest() {
                [b'>', ..] => {
                    self.at += 1;
                    self.refuse_repeats()?;
                    return Ok(false);
                }
                [b'/', b'>', ..] => {
                    self.at += 2;
                    self.refuse_repeats()?;
                    return Ok(true);
                }
                [first, ..] if is_name_start(*first) => {
                    if !is_spaced {
                        self.warn(at, "white space is missing before an attribute");
                    }
                    self.attribute()?;
                }
                [] => return Err(Refusal::syntax(start, "the tag does not end")),
                _ => return Err(Refusal::syntax(at, "expected an attribute, '>' or '/>'")),
            }
        }
    }

    /// Reads one attribute and adds it to the list.
    fn attribute(&mut self) -> Result<(), Refusal<'a>> {
        let at = self.at;
        let name = self.name().unwrap_or_default();
        self.skip_space();
        if self.rest().first() != Some(&b'=') {
            return Err(Refusal::syntax(self.at, "expected '=' behind the name of an attribute"));
        }
        self.at += 1;
        self.skip_space();
        let quote = match self.rest() {
            [quote @ (b'"' | b'\''), ..] => *quote,
            _ => return Err(Refusal::syntax(self.at, "expected a value in quotation marks")),
        };
        self.at += 1;
        let begin = self.at;
        let Some(value) = self.skip_past(&[quote]) else {
            return Err(Refusal::syntax(begin - 1, "the value has no closing quotation mark"));
        };
        if let Some(i) = find(value, b'<') {
            self.warn(begin + i, "'<' in the value of an attribute (write '&lt;')");
        }
        if let Some(i) = value::odd_reference(value) {
            self.warn(begin + i, value::ODD_REFERENCE);
        }
        self.attributes.push(RawAttribute { name, value, at });
        Ok(())
    }

    /// Refuses two attributes with one name.
    fn refuse_repeats(&self) -> Result<(), Refusal<'a>> {
        /// Up to this many attributes, comparing all pairs is faster than a set.
        const FEW: usize = 16;
        let all = &self.attributes;
        let repeat = if all.len() <= FEW {
            (1..all.len()).find(|&i| all[..i].iter().any(|a| a.name == all[i].name))
        } else {
            let mut seen = BTreeSet::new();
            all.iter().position(|a| !seen.insert(a.name))
        };
        let Some(i) = repeat else { return Ok(()) };
        let message = format!("the attribute '{}' is given twice", value::to_shown(all[i].name));
        Err(Refusal::syntax(all[i].at, message))
    }
}

/// Whether the standard allows a declaration with this behind its name.
fn is_xml_declaration(content: &[u8]) -> bool {
    let mut reader = Reader::over(content);
    let names = [b"version".as_slice(), b"encoding", b"standalone"];
    while reader.skip_space() && !reader.rest().is_empty() {
        if reader.attribute().is_err() {
            return false;
        }
    }
    // each at most once and in this order, the version always
    let mut order = names.iter();
    reader.rest().is_empty()
        && reader.attributes.first().is_some_and(|a| a.name == names[0])
        && reader.attributes.iter().all(|a| order.any(|name| *name == a.name))
}
