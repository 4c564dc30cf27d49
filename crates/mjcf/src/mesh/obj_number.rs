//! Numbers in OBJ files: whatever of a word can be read from its start.

/// A number at the start of a word, to the nearest in single precision; 0 if there is none. Numbers
/// that are too large become the largest.
pub(super) fn parse_real(word: &[u8]) -> f32 {
    let text = core::str::from_utf8(&word[..real_length(word)]).unwrap_or_default();
    if let Ok(value) = text.parse::<f32>() {
        return value.clamp(f32::MIN, f32::MAX);
    }
    parse_word(word)
}

/// The length of sign, digits, fraction and exponent at the start of a word.
fn real_length(word: &[u8]) -> usize {
    let digits = |from: usize| word[from..].iter().take_while(|c| c.is_ascii_digit()).count();
    let sign = |from: usize| usize::from(matches!(word.get(from), Some(b'+' | b'-')));
    // sign, digits, a point and digits, an exponent that has digits
    let mut end = sign(0);
    end += digits(end);
    if word.get(end) == Some(&b'.') {
        end += 1 + digits(end + 1);
    }
    if matches!(word.get(end), Some(b'e' | b'E')) {
        let start = end + 1 + sign(end + 1);
        let count = digits(start);
        if count > 0 {
            end = start + count;
        }
    }
    end
}

/// Infinity and not-a-number by name.
fn parse_word(word: &[u8]) -> f32 {
    let (sign, name) = match word {
        [b'-', name @ ..] => (-1.0, name),
        [b'+', name @ ..] => (1.0, name),
        name => (1.0, name),
    };
    let starts = |start: &str| {
        name.get(..start.len()).is_some_and(|name| name.eq_ignore_ascii_case(start.as_bytes()))
    };
    if starts("nan") {
        f32::NAN
    } else if starts("inf") {
        sign * f32::MAX
    } else {
        0.0
    }
}

/// An integer at the start of a text, after white space; 0 if there is none.
pub(super) fn parse_int(text: &[u8]) -> i32 {
    let start = text.iter().position(|c| !b" \t\n\x0b\x0c\r".contains(c)).unwrap_or(text.len());
    let (negative, rest) = match &text[start..] {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        rest => (false, rest),
    };
    // digits up to anything else
    let value = rest
        .iter()
        .take_while(|c| c.is_ascii_digit())
        .fold(0i64, |n, digit| n.saturating_mul(10).saturating_add(i64::from(digit - b'0')));
    // out of range wraps around
    (if negative { -value } else { value }) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reals_are_read() {
        for (text, value) in [
            ("1", 1.0),
            ("-0.25", -0.25),
            ("+.5e2", 50.0),
            ("-.75", -0.75),
            ("1.5E-3", 1.5e-3),
            ("12abc", 12.0),
            ("3.", 3.0),
            ("3.e1", 30.0),
            ("1.5.2", 1.5),
            ("1e+2", 100.0),
            ("1e", 1.0),
            ("1e+", 1.0),
            ("", 0.0),
            (".", 0.0),
            ("-", 0.0),
            ("--1", 0.0),
            ("x", 0.0),
            ("7e999999999999", f32::MAX),
            ("-1e400", f32::MIN),
            ("7e-999999999999", 0.0),
            ("Infinity", f32::MAX),
            ("-inf", f32::MIN),
            // between two single-precision numbers, closer to the larger by less than a double shows
            ("1.000000059604644776257986737988403547205962240695953369140625", 1.000_000_1),
        ] {
            assert_eq!(parse_real(text.as_bytes()), value, "{text}");
        }
        assert!(parse_real(b"nan").is_nan() && parse_real(b"-NaN(x)").is_nan());
    }

    #[test]
    fn integers_are_read() {
        for (text, value) in [
            ("12/3", 12),
            (" -4 5", -4),
            ("+7", 7),
            ("1.7", 1),
            ("", 0),
            ("x", 0),
            ("/2", 0),
            ("4294967297", 1),
            ("99999999999", 1_215_752_191),
        ] {
            assert_eq!(parse_int(text.as_bytes()), value, "{text}");
        }
        parse_int(b"99999999999999999999999999");
        parse_int(b"-99999999999999999999999999");
    }
}
