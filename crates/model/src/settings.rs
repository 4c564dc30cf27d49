//! Options, statistics and visual settings of a model.
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

#[cfg(feature = "alloc")]
use ferrodyn_math::ScalarKind;
use ferrodyn_math::{Element, Real, Vec3};

use crate::binary::{Reader, Truncated};

macro_rules! settings_struct {
    ($type:ident, $type_doc:literal; $(($name:ident, $t:ty, $default:expr, $doc:literal))*) => {
        #[doc = $type_doc]
        #[derive(Clone, Debug, PartialEq)]
        pub struct $type {
            $(#[doc = $doc] pub $name: $t,)*
        }

        impl Default for $type {
            fn default() -> Self {
                $type { $($name: $default,)* }
            }
        }

        impl $type {
            /// Name, number of scalars and documentation of every field.
            pub const FIELDS: &'static [(&'static str, usize, &'static str)] =
                &[$((stringify!($name), <$t as Element>::COLS, $doc),)*];

            /// Name, scalar type, number of scalars and bytes of every field.
            #[cfg(feature = "alloc")]
            pub fn fields_mut(&mut self) -> Vec<(&'static str, ScalarKind, usize, &mut [u8])> {
                alloc::vec![$((
                    stringify!($name),
                    <$t as Element>::KIND,
                    <$t as Element>::COLS,
                    bytemuck::bytes_of_mut(&mut self.$name),
                )),*]
            }

            #[cfg(feature = "alloc")]
            pub(crate) fn write(&self, out: &mut Vec<u8>) {
                $(out.extend_from_slice(bytemuck::bytes_of(&self.$name));)*
            }

            pub(crate) fn read(input: &mut Reader<'_>) -> Result<Self, Truncated> {
                Ok($type { $($name: input.read::<$t>()?,)* })
            }
        }
    };
}

macro_rules! visual_struct {
    ($(($group:ident, $type:ident, $doc:literal, [$($field:tt)*]))*) => {
        $(settings_struct! { $type, $doc; $($field)* })*

        /// Visual settings, used by viewers only.
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct Visual {
            $(#[doc = $doc] pub $group: $type,)*
        }

        impl Visual {
            #[cfg(feature = "alloc")]
            pub(crate) fn write(&self, out: &mut Vec<u8>) {
                $(self.$group.write(out);)*
            }

            pub(crate) fn read(input: &mut Reader<'_>) -> Result<Self, Truncated> {
                Ok(Visual { $($group: $type::read(input)?,)* })
            }
        }
    };
}

crate::option_fields!(settings_struct);
crate::statistic_fields!(settings_struct);
crate::visual_groups!(visual_struct);

impl Options {
    /// Is this feature switched off?
    #[inline]
    pub fn disabled(&self, bit: crate::DisableBit) -> bool {
        self.disableflags & bit as i32 != 0
    }

    /// Is this feature switched on?
    #[inline]
    pub fn enabled(&self, bit: crate::EnableBit) -> bool {
        self.enableflags & bit as i32 != 0
    }
}
