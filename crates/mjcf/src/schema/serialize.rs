//! Attributes as data: a map from the names of the model language to the texts that it would hold.
//!
//! What can be written in a model file can be serialized, and comes back the same. A name that the element does not have,
//! or a text that cannot be read, is an error.
use std::marker::PhantomData;

use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde::ser::{SerializeMap, Serializer};

use super::{Attributes, SetError};

/// The attributes that are set, in the order of the table.
pub(crate) fn write<A: Attributes, S: Serializer>(attr: &A, to: S) -> Result<S::Ok, S::Error> {
    let entries = attr.entries();
    let mut map = to.serialize_map(Some(entries.len()))?;
    for (name, text) in entries {
        map.serialize_entry(name, &text)?;
    }
    map.end()
}

/// Attributes from names and texts.
pub(crate) fn read<'de, A: Attributes, D: Deserializer<'de>>(from: D) -> Result<A, D::Error> {
    from.deserialize_map(Texts(PhantomData))
}

struct Texts<A>(PhantomData<A>);

impl<'de, A: Attributes> Visitor<'de> for Texts<A> {
    type Value = A;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a map from names of attributes to their texts")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<A, M::Error> {
        let mut attr = A::default();
        while let Some((name, text)) = map.next_entry::<String, String>()? {
            attr.set(&name, &text).map_err(|problem| match problem {
                SetError::Unknown => M::Error::custom(format!("unknown attribute '{name}'")),
                SetError::Value(expected) => M::Error::custom(format!(
                    "'{name}' is '{text}': expected {}",
                    expected.expected
                )),
                SetError::Twice(_) => M::Error::custom(format!("'{name}' is given twice")),
            })?;
        }
        Ok(attr)
    }
}
