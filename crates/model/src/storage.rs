//! Who owns the arrays of a model.
use core::fmt::Debug;
use core::marker::PhantomData;
use core::ops::Deref;

use ferrodyn_math::Element;

/// Who owns the arrays of a model. Whoever reads a model is compiled for the kind of slices that it has, so that nothing is
/// looked up or copied before a step.
pub trait Storage: Clone + Debug + PartialEq {
    /// An array.
    type Array<T: Element + Debug + PartialEq>: Deref<Target = [T]> + Clone + Debug + PartialEq;
}

/// The model itself, in boxed slices. In a build without an allocator there is no such model, and `Owned` arrays are those that
/// live as long as the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owned;

impl Storage for Owned {
    #[cfg(feature = "alloc")]
    type Array<T: Element + Debug + PartialEq> = alloc::boxed::Box<[T]>;
    #[cfg(not(feature = "alloc"))]
    type Array<T: Element + Debug + PartialEq> = &'static [T];
}

/// Someone else, for at least the time `'a`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Borrowed<'a>(PhantomData<&'a ()>);

impl<'a> Storage for Borrowed<'a> {
    type Array<T: Element + Debug + PartialEq> = &'a [T];
}
