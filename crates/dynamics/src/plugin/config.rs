//! The configuration of an instance: the values of the plugin's keys, each ended by a zero byte.
use alloc::{format, string::String, vec::Vec};

use ferrodyn_math::Real;
use ferrodyn_model::plugin::{PLUGINS, Plugin};
use ferrodyn_model::{Model, Storage};

/// The configuration of one instance.
pub(super) struct Config<'a> {
    plugin: Option<&'static Plugin>,
    text: &'a [u8],
}

impl<'a> Config<'a> {
    pub(super) fn new(m: &'a Model<impl Storage>, instance: usize) -> Config<'a> {
        let slot = usize::try_from(m.plugin[instance]).ok();
        let start = usize::try_from(m.plugin_attradr[instance]).ok();
        Config {
            plugin: slot.and_then(|slot| PLUGINS.get(slot)),
            text: start.and_then(|start| m.plugin_attr.get(start..)).unwrap_or_default(),
        }
    }

    /// Name of the plugin; empty for one that is not built in.
    pub(super) fn plugin(&self) -> &'static str {
        self.plugin.map_or("", |p| p.name)
    }

    /// The value of a key; empty where there is none. MuJoCo: `mj_getPluginConfig`.
    pub(super) fn value(&self, key: &str) -> &'a str {
        let place = self.plugin.and_then(|p| p.keys.iter().position(|k| *k == key));
        let value = place.and_then(|place| self.text.split(|b| *b == 0).nth(place));
        value.and_then(|v| core::str::from_utf8(v).ok()).unwrap_or_default()
    }

    /// The number that a value begins with; zero where it begins with none.
    pub(super) fn number(&self, key: &str) -> Real {
        leading_number(self.value(key))
    }

    /// The number of a key that may be left out.
    pub(super) fn optional(&self, key: &str) -> Option<Real> {
        let value = self.value(key);
        (!value.is_empty()).then(|| leading_number(value))
    }

    /// A value that is empty or one number.
    pub(super) fn check_number(&self, key: &str) -> Result<(), String> {
        let compact: String = self.value(key).chars().filter(|c| !c.is_whitespace()).collect();
        if compact.is_empty() || number_length(&compact) == compact.len() {
            Ok(())
        } else {
            Err(format!("'{key}' must be a number"))
        }
    }

    /// Exactly two numbers.
    pub(super) fn pair(&self, key: &str) -> Result<[Real; 2], String> {
        let numbers: Vec<Real> = self.value(key).split(' ').map(leading_number).collect();
        match numbers[..] {
            [a, b] => Ok([a, b]),
            _ => Err(format!("'{key}' must have two numbers")),
        }
    }
}

/// How many bytes at the beginning of a text are a number.
fn number_length(text: &str) -> usize {
    let finite = |n: &usize| text[..*n].parse::<Real>().is_ok_and(Real::is_finite);
    let digits = text.bytes().take_while(|b| b"+-.0123456789eE".contains(b)).count();
    (1..=digits).rev().find(finite).unwrap_or(0)
}

/// The number that a text begins with; zero where it begins with none.
fn leading_number(text: &str) -> Real {
    let text = text.trim_start();
    text[..number_length(text)].parse().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_far_as_they_go() {
        let cases = [("2", 2.0), (" -1.5e2x", -150.0), ("3e", 3.0), ("abc", 0.0), ("", 0.0)];
        for (text, expected) in cases {
            assert_eq!(leading_number(text), expected, "{text}");
        }
    }
}
