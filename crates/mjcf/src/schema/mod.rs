//! The table of attributes: one row per attribute, from which the structs of optional values, their
//! reading, their merging with defaults and the lists of known names are made.
//!
//! Adding an attribute is adding one row.

mod actuator;
mod asset;
mod constraint;
mod sensor;
#[cfg(feature = "serde")]
mod serialize;
mod settings;
mod tree;
mod visual;

pub use actuator::{ActuatorAttrs, ActuatorKind};
pub use asset::{HfieldAttrs, MaterialAttrs, MeshAttrs, ModelAttrs, TextureAttrs};
pub(crate) use constraint::equality_names;
pub use constraint::{EqualityAttrs, ExcludeAttrs, PairAttrs, TendonAttrs};
pub use sensor::SensorAttrs;
pub(crate) use sensor::{SENSORS, SensorKind};
pub use settings::{
    CompilerAttrs, ElementAttrs, FlagAttrs, KeyAttrs, LengthRangeAttrs, NumericAttrs, OptionAttrs,
    SizeAttrs, StatisticAttrs, TextAttrs,
};
pub use tree::{
    BodyAttrs, CameraAttrs, CompositeAttrs, FrameAttrs, FreeJointAttrs, GeomAttrs, InertialAttrs,
    JointAttrs, LightAttrs, ReplicateAttrs, SiteAttrs,
};
pub use visual::{
    VisualGlobalAttrs, VisualHeadlightAttrs, VisualMapAttrs, VisualQualityAttrs, VisualRgbaAttrs,
    VisualScaleAttrs,
};

use crate::edit::Value;
use crate::values::ValueError;

/// One row of the table.
#[derive(Debug)]
pub(crate) struct Row {
    /// The names in XML that write this attribute; of several, only one may be given. A name that
    /// begins with `@` is no XML: programs set such an attribute, and text does not have it.
    pub(crate) names: &'static [&'static str],
    /// Whether the attribute belongs to the object itself and has no default.
    pub(crate) own: bool,
}

/// Why an attribute could not be set.
#[derive(Debug)]
pub(crate) enum SetError {
    /// The table has no such name.
    Unknown,
    /// The text cannot be read.
    Value(ValueError),
    /// Another name of the same attribute was given too.
    Twice(&'static [&'static str]),
}

/// Why a field could not be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FieldError {
    /// The table has no such field.
    Unknown,
    /// The value is of another type.
    Type,
}

/// A struct of optional attributes that the table made.
pub(crate) trait Attributes: Default + Clone {
    /// The rows of the table.
    const ROWS: &'static [Row];

    /// The names of the fields of the struct.
    const FIELDS: &'static [&'static str];

    /// Reads the attribute `name` from text.
    fn set(&mut self, name: &str, text: &str) -> Result<(), SetError>;

    /// These attributes over those of a default.
    #[must_use]
    fn over(&self, default: &Self) -> Self;

    /// The value of a field by its name in the struct; `None` where the table has no such field.
    fn field(&self, field: &str) -> Option<Option<Value>>;

    /// Sets a field by its name in the struct, or takes its value away.
    fn set_field(&mut self, field: &str, value: Option<Value>) -> Result<(), FieldError>;

    /// The attributes of the text that are set: names and texts, in the order of the table.
    fn entries(&self) -> Vec<(&'static str, String)>;

    /// The names that are known; within a default, those that have one.
    fn names(within_default: bool) -> impl Iterator<Item = &'static str> {
        Self::ROWS
            .iter()
            .filter(move |row| !(within_default && row.own))
            .flat_map(|row| row.names.iter().copied())
            .filter(|name| !name.starts_with('@'))
    }
}

/// Makes attribute structs from rows
/// `[own] "name in XML" [| "other name"]... => field: Type, "what it means";`.
macro_rules! attributes {
    ($(
        $(#[$meta:meta])*
        $struct:ident {
            $( $($own:ident)? $($xml:literal)|+ => $field:ident : $type:ty, $doc:literal; )*
        }
    )+) => {$(
        $(#[$meta])*
        #[derive(Clone, Debug, Default, PartialEq)]
        #[non_exhaustive]
        pub struct $struct {
            $(#[doc = $doc] pub $field: Option<$type>,)*
        }

        impl $struct {
            $(
                #[doc = concat!("Sets [`", stringify!($field), "`](Self#structfield.", stringify!($field), ").")]
                #[must_use]
                pub fn $field(mut self, value: impl Into<$type>) -> Self {
                    self.$field = Some(value.into());
                    self
                }
            )*
        }

        #[cfg(feature = "serde")]
        impl serde::Serialize for $struct {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                crate::schema::serialize::write(self, to)
            }
        }

        #[cfg(feature = "serde")]
        impl<'de> serde::Deserialize<'de> for $struct {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                crate::schema::serialize::read(from)
            }
        }

        impl crate::schema::Attributes for $struct {
            const ROWS: &'static [crate::schema::Row] = &[
                $(crate::schema::Row {
                    names: &[$($xml),+],
                    own: attributes!(@own $($own)?),
                },)*
            ];

            const FIELDS: &'static [&'static str] = &[$(stringify!($field)),*];

            fn set(&mut self, name: &str, text: &str) -> Result<(), crate::schema::SetError> {
                match name {
                    $($($xml)|+ => {
                        if self.$field.is_some() {
                            return Err(crate::schema::SetError::Twice(&[$($xml),+]));
                        }
                        self.$field = crate::values::AttrValue::read(name, text)
                            .map_err(crate::schema::SetError::Value)?;
                        Ok(())
                    })*
                    _ => Err(crate::schema::SetError::Unknown),
                }
            }

            fn field(&self, field: &str) -> Option<Option<crate::edit::Value>> {
                match field {
                    $(stringify!($field) => {
                        Some(self.$field.as_ref().map(crate::edit::Dynamic::to_value))
                    })*
                    _ => None,
                }
            }

            fn set_field(
                &mut self,
                field: &str,
                value: Option<crate::edit::Value>,
            ) -> Result<(), crate::schema::FieldError> {
                match field {
                    $(stringify!($field) => {
                        self.$field = match value {
                            None => None,
                            Some(value) => Some(
                                crate::edit::Dynamic::from_value(value)
                                    .ok_or(crate::schema::FieldError::Type)?,
                            ),
                        };
                        Ok(())
                    })*
                    _ => Err(crate::schema::FieldError::Unknown),
                }
            }

            fn entries(&self) -> Vec<(&'static str, String)> {
                let mut list = Vec::new();
                $(if let Some(value) = &self.$field {
                    let name = crate::values::AttrValue::name(value, &[$($xml),+]);
                    if !name.starts_with('@') {
                        list.push((name, crate::values::AttrValue::write(value)));
                    }
                })*
                list
            }

            fn over(&self, default: &Self) -> Self {
                Self { $($field: crate::values::over(&self.$field, &default.$field),)* }
            }
        }
    )+};
    (@own own) => { true };
    (@own) => { false };
}
pub(crate) use attributes;
