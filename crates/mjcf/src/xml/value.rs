//! The value of an attribute: entities and character references become characters, byte by byte as in MuJoCo's XML
//! reader (tinyxml2).

use std::borrow::Cow;

use super::reader::find;
use crate::error::{SHOWN, shorten};

/// The entities that exist without a document type.
const ENTITIES: [(&[u8], u8); 5] =
    [(b"quot;", b'"'), (b"amp;", b'&'), (b"apos;", b'\''), (b"lt;", b'<'), (b"gt;", b'>')];

/// The last character of Unicode.
const LAST: u32 = 0x10_ffff;

/// What [`odd_reference`] finds.
pub(super) const ODD_REFERENCE: &str =
    "'&' that begins no known entity or character (write '&amp;')";

/// Bytes as text: those that are not UTF-8 as if they were Latin-1, which keeps them apart.
pub(super) fn to_text(bytes: &[u8]) -> String {
    match str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => {
            let mut text = String::new();
            for chunk in bytes.utf8_chunks() {
                text.push_str(chunk.valid());
                text.extend(chunk.invalid().iter().map(|&b| char::from(b)));
            }
            text
        }
    }
}

/// The beginning of a name, for a message.
pub(super) fn to_shown(name: &[u8]) -> String {
    // a character has at most four bytes
    shorten(&to_text(&name[..name.len().min(4 * SHOWN + 4)]))
}

/// Where the first `&` stands that begins neither one of the known entities nor a reference to a character that
/// XML may have.
pub(super) fn odd_reference(bytes: &[u8]) -> Option<usize> {
    let mut from = 0;
    loop {
        from += find(&bytes[from..], b'&')?;
        let rest = &bytes[from + 1..];
        if !ENTITIES.iter().any(|(name, _)| rest.starts_with(name)) && !is_character(rest) {
            return Some(from);
        }
        from += 1;
    }
}

/// Whether a text begins with the rest of a reference to a character: `#65;` or `#x41;`.
fn is_character(rest: &[u8]) -> bool {
    let Some(rest) = rest.strip_prefix(b"#") else { return false };
    let (digits, radix) = rest.strip_prefix(b"x").map_or((rest, 10), |hex| (hex, 16));
    let mut code = 0_u32;
    for (i, &digit) in digits.iter().enumerate() {
        match char::from(digit).to_digit(radix) {
            Some(digit) => code = code.saturating_mul(radix).saturating_add(digit),
            None => {
                let allowed = matches!(code, 0x9 | 0xa | 0xd | 0x20..=0xd7ff | 0xe000..=0xfffd)
                    || (0x1_0000..=LAST).contains(&code);
                return i > 0 && digit == b';' && allowed;
            }
        }
    }
    false
}

/// The value of an attribute that is written as `raw`.
///
/// Every end of a line becomes a line feed; XML itself would make it a space. The conversion works in place, as in
/// tinyxml2, since that can be seen: an `&` that begins nothing known is passed over without being moved, so once
/// something before it has become shorter, what stands in its place is an older byte of the text.
pub(super) fn decode(raw: &[u8]) -> Cow<'_, [u8]> {
    // a line feed stays what it is
    if find(raw, b'&').is_none() && find(raw, b'\r').is_none() {
        return Cow::Borrowed(raw);
    }
    let mut bytes = raw.to_vec();
    let mut references = References::default();
    let (mut read, mut write) = (0, 0);
    while let Some(&byte) = bytes.get(read) {
        let next = bytes.get(read + 1).copied();
        match byte {
            b'\r' | b'\n' => {
                // either order of the two is one end of a line
                let is_pair = matches!((byte, next), (b'\r', Some(b'\n')) | (b'\n', Some(b'\r')));
                read += 1 + usize::from(is_pair);
                bytes[write] = b'\n';
                write += 1;
            }
            b'&' if next == Some(b'#') => match references.read(&bytes, read) {
                Reference::Character(code, end) => {
                    // halves of a pair have no form in UTF-8
                    let c = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
                    write += c.encode_utf8(&mut bytes[write..end]).len();
                    read = end;
                }
                Reference::Dropped => read += 1,
                Reference::None => {
                    bytes[write] = byte;
                    read += 1;
                    write += 1;
                }
            },
            b'&' => {
                let rest = &bytes[read + 1..];
                if let Some((name, c)) = ENTITIES.iter().find(|(name, _)| rest.starts_with(name)) {
                    bytes[write] = *c;
                    read += name.len();
                }
                read += 1;
                write += 1;
            }
            _ => {
                bytes[write] = byte;
                read += 1;
                write += 1;
            }
        }
    }
    // a zero, which a reference can make, ends a value
    bytes.truncate(write);
    let end = bytes.iter().position(|&b| b == 0).unwrap_or(write);
    bytes.truncate(end);
    Cow::Owned(bytes)
}

/// What `&#` begins.
enum Reference {
    /// A character, and where its reference ends.
    Character(u32, usize),
    /// Nothing that can be read: it stays as it is.
    None,
    /// Nothing, since the value ends: the `&` is left out.
    Dropped,
}

/// Character references as tinyxml2 reads them: from the next semicolon backwards, up to `#` or `x`. Each semicolon
/// is looked at once.
#[derive(Default)]
struct References {
    /// The semicolon that was found last.
    semicolon: usize,
    /// The number that ends there, decimal and hexadecimal.
    decimal: Option<u32>,
    hexadecimal: Option<u32>,
    /// Whether no semicolon follows.
    is_last: bool,
}

impl References {
    /// Reads the reference that begins at `at`, with `&#`.
    fn read(&mut self, bytes: &[u8], at: usize) -> Reference {
        let is_hex = bytes.get(at + 2) == Some(&b'x');
        let digits = at + 2 + usize::from(is_hex);
        if digits >= bytes.len() {
            return if is_hex { Reference::None } else { Reference::Dropped };
        }
        if !self.is_last && self.semicolon < digits {
            match bytes[digits..].iter().position(|&b| b == b';') {
                Some(i) => {
                    self.semicolon = digits + i;
                    let before = &bytes[at..self.semicolon];
                    self.decimal = number_at_end(before, 10, b'#');
                    self.hexadecimal = number_at_end(before, 16, b'x');
                }
                None => self.is_last = true,
            }
        }
        let number = if is_hex { self.hexadecimal } else { self.decimal };
        match number {
            Some(code) if !self.is_last => Reference::Character(code, self.semicolon + 1),
            _ => Reference::None,
        }
    }
}

/// The number at the end of a text, behind `mark`. No digits are zero; a place beyond the last character counts as much
/// as that, and so do all before it.
fn number_at_end(text: &[u8], radix: u32, mark: u8) -> Option<u32> {
    let mut code = 0_u32;
    let mut place = 1_u32;
    for &byte in text.iter().rev() {
        if byte == mark {
            return (code <= LAST).then_some(code);
        }
        let digit = char::from(byte).to_digit(radix)?;
        code = code.wrapping_add(place.wrapping_mul(digit));
        place = place.wrapping_mul(radix).min(LAST);
    }
    None
}
