//! The table of attributes: one row per attribute. From the rows are made the structs of optional
//! values, their reading, their merging with defaults, the lists of known names, the values that
//! MuJoCo starts from, the filling of the model's arrays, and the way back from them.
//!
//! ```text
//! cable "solmix" => solmix: f64 = 1.0 => geom_solmix, "Weight when contact parameters are mixed.";
//! marks  name       field   type  default  array      what it means
//! ```
//!
//! Names, field, type and meaning must be there; a default may be, and an array only after a default. Marks, in any order, are
//!
//! - `own`: the attribute belongs to the object itself, and a default class does not have it,
//! - `some`: only some kinds of the element have it, and its default holds for those alone,
//! - `cable`: the parts of a `<composite>` have it.
//!
//! The default is in the form in which the compiler computes ([`Plain`](plain::Plain)); a number that is NaN, numbers that
//! begin with NaN, an empty text and an empty list say nothing. An array has a row for each object, or
//!
//! - `array[dof]`, `array[qpos]`: for each degree of freedom or position of a joint,
//! - `array * width`: numbers of user data for each object.
//!
//! The compiler writes it ([`Attributes::fill`]), and `Spec::copy_back` takes what was changed in it back
//! ([`Attributes::take_back`]), but for
//!
//! - `array fill`: only written, since MuJoCo takes no flags, types and groups back,
//! - `array back`: only taken back; the compiler computes what is written,
//! - `array computed`: both have code of their own.
//!
//! [`Attributes::state`] reads all but `computed` arrays, whatever they are marked.
//!
//! A struct of settings names the struct of the model whose fields have the same names
//! (`OptionAttrs => Options`); a field with another name is `field: Type as other`.
//!
//! Adding an attribute that is stored as it stands is adding one row.

mod actuator;
mod asset;
mod constraint;
mod flex;
mod plain;
mod sensor;
#[cfg(feature = "serde")]
mod serialize;
mod settings;
mod skin;
#[cfg(test)]
mod tests;
mod tree;
mod visual;

pub use actuator::{ActuatorAttrs, ActuatorKind};
pub use asset::{HfieldAttrs, MaterialAttrs, MeshAttrs, ModelAttrs, TextureAttrs};
pub(crate) use constraint::equality_names;
pub use constraint::{EqualityAttrs, ExcludeAttrs, PairAttrs, TendonAttrs};
pub use flex::{
    FlexAttrs, FlexContactAttrs, FlexEdgeAttrs, FlexElasticityAttrs, FlexcompAttrs,
    FlexcompEdgeAttrs, PinAttrs,
};
pub(crate) use plain::{changed_user, stated};
pub use sensor::SensorAttrs;
pub(crate) use sensor::{SENSORS, SensorKind};
pub use settings::{
    CompilerAttrs, ElementAttrs, FlagAttrs, KeyAttrs, LengthRangeAttrs, NumericAttrs, OptionAttrs,
    SizeAttrs, StatisticAttrs, TextAttrs,
};
pub use skin::{CompositeSkinAttrs, SkinAttrs};
pub use tree::{
    BodyAttrs, CameraAttrs, CompositeAttrs, FrameAttrs, FreeJointAttrs, GeomAttrs, InertialAttrs,
    JointAttrs, LightAttrs, ReplicateAttrs, SiteAttrs,
};
pub use visual::{
    VisualGlobalAttrs, VisualHeadlightAttrs, VisualMapAttrs, VisualQualityAttrs, VisualRgbaAttrs,
    VisualScaleAttrs,
};

use ferrodyn_model::Model;

use crate::edit::Value;
use crate::values::ValueError;

/// A name that is not given.
const NONE: String = String::new();
/// Numbers that are not given: NaN in the first place says that.
const UNSET: [f64; 6] = [f64::NAN, 0.0, 0.0, 0.0, 0.0, 0.0];
/// The colour of geoms, sites and tendons.
const GREY: [f32; 4] = [0.5, 0.5, 0.5, 1.0];

/// One row of the table.
#[derive(Debug)]
pub(crate) struct Row {
    /// The names in XML that write this attribute; of several, only one may be given. A name that
    /// begins with `@` is no XML: programs set such an attribute, and text does not have it.
    pub(crate) names: &'static [&'static str],
    /// Whether the attribute belongs to the object itself: default classes do not have it. It may have a default value all
    /// the same.
    pub(crate) own: bool,
    /// Whether the parts of a composite object have the attribute.
    pub(crate) cable: bool,
    /// The array of the model that holds the attribute.
    pub(crate) array: Option<Array>,
}

/// The array of a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Array {
    pub(crate) name: &'static str,
    /// Whether a model that was changed in place gives the attribute back.
    pub(crate) returns: bool,
}

/// Which rows of arrays belong to an object.
#[derive(Clone, Copy, Debug)]
pub(crate) enum At {
    /// The object itself.
    Object(usize),
    /// A degree of freedom of a joint.
    Dof(usize),
    /// The position of a joint.
    Qpos(usize),
}

impl At {
    fn object(self) -> Option<usize> {
        if let Self::Object(row) = self { Some(row) } else { None }
    }

    fn dof(self) -> Option<usize> {
        if let Self::Dof(row) = self { Some(row) } else { None }
    }

    fn qpos(self) -> Option<usize> {
        if let Self::Qpos(row) = self { Some(row) } else { None }
    }
}

/// Attributes as the compiler computes with them: given values, and the defaults of the rows elsewhere. There is a
/// function for each row with a default.
#[derive(Debug)]
pub(crate) struct OrDefault<'a, A>(&'a A);

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

    /// What MuJoCo starts from where neither an element nor its class says anything: the defaults of the rows.
    fn defaults() -> Self;

    /// Writes the attributes to the rows of their arrays.
    fn fill(&self, _model: &mut Model, _at: At) {}

    /// Takes what was changed in the arrays of a model back.
    fn take_back(&mut self, _old: &Model, _new: &Model, _at: At) {}

    /// States what the arrays of a model hold, changed or not: of all rows but `computed` ones. Angles are in radians.
    fn state(&mut self, _model: &Model, _at: At) {}

    /// The names of the attributes that the parts of a composite object have.
    fn cable_names() -> Vec<&'static str> {
        Self::ROWS
            .iter()
            .filter(|row| row.cable)
            .flat_map(|row| row.names.iter().copied())
            .collect()
    }

    /// The arrays that a model which was changed in place gives back.
    fn returned_arrays() -> impl Iterator<Item = &'static str> {
        Self::ROWS.iter().filter_map(|row| row.array).filter(|a| a.returns).map(|a| a.name)
    }

    /// The names that are known; within a default class, those that such a class has.
    fn names(within_default: bool) -> impl Iterator<Item = &'static str> {
        Self::ROWS
            .iter()
            .filter(move |row| !(within_default && row.own))
            .flat_map(|row| row.names.iter().copied())
            .filter(|name| !name.starts_with('@'))
    }
}

/// Settings whose fields a struct of the model has too.
pub(crate) trait Settings<T> {
    /// Writes the given ones.
    fn write_given(&self, target: &mut T);

    /// States those that changed.
    fn take_changed(&mut self, old: &T, new: &T);
}

/// Makes attribute structs from rows; the module says what a row is.
macro_rules! attributes {
    ($(
        $(#[$meta:meta])*
        $struct:ident $(=> $settings:ty)? {
            $(
                $($mark:ident)* $($xml:literal)|+ => $field:ident : $type:ty
                $(as $other:ident)?
                $(= $default:expr
                    $(=> $array:ident $([$index:ident])? $(* $width:ident)? $($how:ident)?)?
                )?,
                $doc:literal;
            )*
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
                    own: attributes!(@is own $($mark)*),
                    cable: attributes!(@is cable $($mark)*),
                    array: attributes!(@array $($($array $($how)?)?)?),
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

            fn defaults() -> Self {
                Self { $($field: attributes!(@default [$($mark)*] $type $(, $default)?),)* }
            }

            fn fill(&self, _model: &mut ferrodyn_model::Model, _at: crate::schema::At) {
                $($($(attributes!(@if_filled [$($how)?] {
                    if let Some(row) = attributes!(@row _at $($index)?) {
                        attributes!(
                            @fill _model $array $([$width])? row, self.$field, $default
                        );
                    }
                });)?)?)*
            }

            fn take_back(
                &mut self,
                _old: &ferrodyn_model::Model,
                _new: &ferrodyn_model::Model,
                _at: crate::schema::At,
            ) {
                $($($(attributes!(@if_taken [$($how)?] {
                    if let Some(row) = attributes!(@row _at $($index)?) {
                        attributes!(
                            @take_back _old _new $array $([$width])? row, self.$field
                        );
                    }
                });)?)?)*
            }

            fn state(&mut self, _model: &ferrodyn_model::Model, _at: crate::schema::At) {
                $($($(attributes!(@if_stored [$($how)?] {
                    if let Some(row) = attributes!(@row _at $($index)?) {
                        attributes!(@state _model $array $([$width])? row, self.$field);
                    }
                });)?)?)*
            }
        }

        #[allow(dead_code, reason = "not every struct has defaults")]
        impl $struct {
            /// These attributes, with the defaults of the rows where nothing is given.
            pub(crate) fn or_default(&self) -> crate::schema::OrDefault<'_, Self> {
                crate::schema::OrDefault(self)
            }
        }

        #[allow(dead_code, reason = "some defaults are only asked for by name")]
        impl crate::schema::OrDefault<'_, $struct> {
            $($(
                pub(crate) fn $field(&self) -> <$type as crate::schema::plain::Plain>::Plain {
                    crate::schema::plain::whole(&self.0.$field, $default)
                }
            )?)*
        }

        attributes!(@settings $struct [$($settings)?] $(($field $($other)?))*);
        $(attributes!(@known $($mark)*);)*
    )+};

    // marks
    (@is own own $($more:ident)*) => { true };
    (@is some some $($more:ident)*) => { true };
    (@is cable cable $($more:ident)*) => { true };
    (@is $mark:ident) => { false };
    (@is $mark:ident $other:ident $($more:ident)*) => { attributes!(@is $mark $($more)*) };

    // nothing else is a mark: what is misspelt does not compile
    (@known) => {};
    (@known own $($more:ident)*) => { attributes!(@known $($more)*); };
    (@known some $($more:ident)*) => { attributes!(@known $($more)*); };
    (@known cable $($more:ident)*) => { attributes!(@known $($more)*); };

    (@default [$($mark:ident)*] $type:ty) => { None };
    (@default [$($mark:ident)*] $type:ty, $default:expr) => {
        if attributes!(@is some $($mark)*) {
            None
        } else {
            Some(<$type as crate::schema::plain::Plain>::from_plain($default))
        }
    };

    // what happens with an array
    (@array) => { None };
    (@array $array:ident fill) => { attributes!(@array $array, false) };
    (@array $array:ident $($how:ident)?) => { attributes!(@array $array, true) };
    (@array $array:ident, $returns:literal) => {
        Some(crate::schema::Array { name: stringify!($array), returns: $returns })
    };
    (@if_filled [] $body:block) => { $body };
    (@if_filled [fill] $body:block) => { $body };
    (@if_filled [back] $body:block) => {};
    (@if_filled [computed] $body:block) => {};
    (@if_taken [] $body:block) => { $body };
    (@if_taken [fill] $body:block) => {};
    (@if_taken [back] $body:block) => { $body };
    (@if_taken [computed] $body:block) => {};
    (@if_stored [computed] $body:block) => {};
    (@if_stored [$($how:ident)?] $body:block) => { $body };
    (@row $at:ident) => { $at.object() };
    (@row $at:ident dof) => { $at.dof() };
    (@row $at:ident qpos) => { $at.qpos() };
    (@fill $model:ident $array:ident $row:ident, $value:expr, $default:expr) => {
        $model.$array[$row] = crate::schema::plain::stored(&$value, $default)
    };
    (@fill $model:ident $array:ident [$width:ident] $row:ident, $value:expr, $default:expr) => {
        let width = $model.$width;
        crate::schema::plain::fill_user(&mut $model.$array, width, $row, &$value)
    };
    (@take_back $old:ident $new:ident $array:ident $row:ident, $value:expr) => {
        crate::schema::plain::take_back(&mut $value, &$old.$array[$row], &$new.$array[$row])
    };
    (@take_back $old:ident $new:ident $array:ident [$width:ident] $row:ident, $value:expr) => {
        let user = crate::schema::plain::changed_user(
            &$old.$array, &$new.$array, $old.$width, $row,
        );
        $value = user.or($value.take())
    };
    (@state $model:ident $array:ident $row:ident, $value:expr) => {
        $value = crate::schema::plain::stated(&$model.$array[$row])
    };
    (@state $model:ident $array:ident [$width:ident] $row:ident, $value:expr) => {
        $value = crate::schema::plain::stated_user(&$model.$array, $model.$width, $row)
    };

    // settings, whose fields a struct of the model has too
    (@settings $struct:ident [] $($row:tt)*) => {};
    (@settings $struct:ident [$settings:ty] $(($field:ident $($other:ident)?))*) => {
        impl crate::schema::Settings<$settings> for $struct {
            fn write_given(&self, target: &mut $settings) {
                $(crate::schema::plain::write_given(
                    &self.$field,
                    &mut attributes!(@field target $field $($other)?),
                );)*
            }

            fn take_changed(&mut self, old: &$settings, new: &$settings) {
                $(crate::schema::plain::take_back(
                    &mut self.$field,
                    &attributes!(@field old $field $($other)?),
                    &attributes!(@field new $field $($other)?),
                );)*
            }
        }
    };
    (@field $target:ident $field:ident) => { $target.$field };
    (@field $target:ident $field:ident $other:ident) => { $target.$other };
}
pub(crate) use attributes;
