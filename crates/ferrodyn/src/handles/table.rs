//! The macro that makes a kind of handle from a few lines.

/// Declares a kind of handle: its type, the functions of [`Model`](crate::Model) that make it, and a line for each value
/// that it reads or writes.
///
/// - `keep`: where the object's values lie in a world, for objects that have a number of them that depends on the object.
/// - `data`: values of a world, one element of an array each.
/// - `data_slices`: values of a world, those of an array that lie in one of the kept spans.
/// - `model`, `model_slices`: the same of a model.
///
/// The name after a comma is that of the function that writes the value.
macro_rules! handle {
    (
        $(#[$meta:meta])*
        $handle:ident = $noun:literal, $kind:ident, $one:ident, $all:ident;
        $(keep { $($kept:ident: $kept_type:ty = |$m:ident, $i:ident| $value:expr;)* })?
        $(data { $(
            $field:ident $(, $set:ident = $array_mut:ident)?: $type:ty = $array:ident, $doc:literal;
        )* })?
        $(data_slices { $(
            $slice:ident $(, $slice_mut:ident)?: [$slice_type:ty] = $slice_array:ident[$span:ident], $slice_doc:literal;
        )* })?
        $(model { $(
            $constant:ident $(, $set_constant:ident)?: $constant_type:ty = $constant_array:ident, $constant_doc:literal;
        )* })?
        $(model_slices { $(
            $row:ident, $row_mut:ident: [$row_type:ty] = $row_array:ident[$row_span:ident], $row_doc:literal;
        )* })?
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct $handle {
            place: $crate::handles::place::Place,
            $($($kept: $kept_type,)*)?
        }

        impl $crate::handles::place::Handle for $handle {
            const KIND: ferrodyn_model::ObjType = ferrodyn_model::ObjType::$kind;
            const NOUN: &'static str = $noun;

            fn make(m: &$crate::ModelArrays, place: $crate::handles::place::Place) -> $handle {
                let _ = m;
                $($(let $kept = { let ($m, $i) = (m, place.id()); $value };)*)?
                $handle { place, $($($kept,)*)? }
            }
        }

        impl $crate::Model {
            #[doc = concat!("The ", $noun, " with a name; see [`handles`](crate::handles).")]
            pub fn $one(&self, name: &str) -> Result<$handle, $crate::handles::NameError> {
                $crate::handles::find(self, name)
            }

            #[doc = concat!("Every ", $noun, " of the model, in the order of their numbers.")]
            pub fn $all(&self) -> impl ExactSizeIterator<Item = $handle> {
                $crate::handles::all(self)
            }
        }

        #[allow(dead_code, reason = "not every kind has values of each sort")]
        impl $handle {
            #[doc = concat!("The ", $noun, " with a number; none where the model has not so many.")]
            pub fn from_id(model: &$crate::ModelArrays, id: usize) -> Option<$handle> {
                $crate::handles::at(model, id)
            }

            /// Its number, which is its index in MuJoCo's arrays.
            #[inline]
            pub fn id(self) -> usize {
                self.place.id()
            }

            /// Its name, empty where it has none.
            #[track_caller]
            pub fn name(self, model: &$crate::ModelArrays) -> &str {
                let id = self.of(model);
                model.name(ferrodyn_model::ObjType::$kind, id).unwrap_or_default()
            }

            /// Is this the handle's model, or one of the same structure?
            pub fn belongs_to(self, model: &$crate::ModelArrays) -> bool {
                self.place.is_of::<$handle>(model)
            }

            /// Is this a world of the handle's model, or of one in which everything lies at the same place?
            pub fn fits(self, data: &$crate::Data) -> bool {
                self.place.is_in(data)
            }

            #[inline]
            #[track_caller]
            fn of(self, model: &$crate::ModelArrays) -> usize {
                self.place.of::<$handle>(model)
            }

            #[inline]
            #[track_caller]
            fn within(self, data: &$crate::Data) -> usize {
                self.place.in_world::<$handle>(data)
            }

            $($(
                #[doc = concat!("From the world: ", $doc, " (`", stringify!($array), "`).")]
                #[inline]
                #[track_caller]
                pub fn $field(self, data: &$crate::Data) -> $type {
                    data.$array()[self.within(data)]
                }

                $(
                    #[doc = concat!("Set in the world: ", $doc, " (`", stringify!($array), "`).")]
                    #[inline]
                    #[track_caller]
                    pub fn $set(self, data: &mut $crate::Data, value: $type) {
                        let id = self.within(data);
                        data.$array_mut()[id] = value;
                    }
                )?
            )*)?

            $($(
                #[doc = concat!("From the world: ", $slice_doc, " (`", stringify!($slice_array), "`).")]
                #[inline]
                #[track_caller]
                pub fn $slice(self, data: &$crate::Data) -> &[$slice_type] {
                    self.within(data);
                    &data.$slice_array()[self.$span.range()]
                }

                $(
                    #[doc = concat!("To be changed in the world: ", $slice_doc, " (`", stringify!($slice_array), "`).")]
                    #[inline]
                    #[track_caller]
                    pub fn $slice_mut(self, data: &mut $crate::Data) -> &mut [$slice_type] {
                        self.within(data);
                        &mut data.$slice_mut()[self.$span.range()]
                    }
                )?
            )*)?

            $($(
                #[doc = concat!("From the model: ", $constant_doc, " (`", stringify!($constant_array), "`).")]
                #[inline]
                #[track_caller]
                pub fn $constant(self, model: &$crate::ModelArrays) -> $constant_type {
                    model.$constant_array[self.of(model)]
                }

                $(
                    #[doc = concat!("Set in a model that is edited: ", $constant_doc, " (`", stringify!($constant_array), "`).")]
                    #[track_caller]
                    pub fn $set_constant(self, model: &mut $crate::ModelArrays, value: $constant_type) {
                        let id = self.of(model);
                        model.$constant_array[id] = value;
                    }
                )?
            )*)?

            $($(
                #[doc = concat!("From the model: ", $row_doc, " (`", stringify!($row_array), "`).")]
                #[track_caller]
                pub fn $row(self, model: &$crate::ModelArrays) -> &[$row_type] {
                    self.of(model);
                    &model.$row_array[self.$row_span.range()]
                }

                #[doc = concat!("To be changed in a model that is edited: ", $row_doc, " (`", stringify!($row_array), "`).")]
                #[track_caller]
                pub fn $row_mut(self, model: &mut $crate::ModelArrays) -> &mut [$row_type] {
                    self.of(model);
                    &mut model.$row_array[self.$row_span.range()]
                }
            )*)?
        }
    };
}

/// The body that an object is fixed to, and the kind of an object: both are numbers in an array.
macro_rules! relations {
    ($handle:ident, body in $array:ident) => {
        impl $handle {
            /// The body that it belongs to.
            #[track_caller]
            pub fn body(self, model: &$crate::ModelArrays) -> $crate::handles::Body {
                let id = self.of(model);
                self.place.with_id(model.$array[id] as usize).body(model)
            }
        }
    };
    ($handle:ident, kind $kind:ident in $array:ident) => {
        impl $handle {
            /// What kind it is.
            ///
            /// # Panics
            /// Where the model was edited to have a number there that stands for none.
            #[track_caller]
            pub fn kind(self, model: &$crate::ModelArrays) -> $kind {
                let id = self.of(model);
                $kind::try_from(model.$array[id])
                    .unwrap_or_else(|error| panic!("{}[{id}]: {error}", stringify!($array)))
            }
        }
    };
}

pub(super) use {handle, relations};
