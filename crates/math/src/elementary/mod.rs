//! Elementary functions in double precision, rounded to the nearest number.
//!
//! A function is put together from a table and a short series in numbers of twice the precision, with an error of about
//! 2⁻⁶⁵ of the result before the only rounding that matters: few results are not the nearest double, but its neighbour
//! (none of the 2000 of its test). So the bits do not depend on a platform, and they are those of a good C library in
//! all but a few of a thousand arguments, where an error of half a last bit more is common elsewhere. Arguments at the
//! ends of the range go to `libm`.

mod arc;
mod circle;
mod power;
mod tables;
mod twofold;

pub use arc::{acos, asin, atan2};
#[cfg(not(feature = "f32"))]
pub(crate) use circle::sincos_four;
pub use circle::{cos, sin, sincos, tan};
pub use power::{exp, pow};
