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

    /// Are there only models of rigid bodies in this storage (see [`Rigid`])? Code for whatever else there is is left out then.
    const RIGID: bool = false;
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

/// Someone else, for at least the time `'a`, who only has models of rigid bodies: without flexes, distance fields, and the extensions that are not
/// MuJoCo's. A step of such a model is compiled without what these need, which is half of it; a divergence is always an error. [`Model::rigid`](crate::Model::rigid) makes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rigid<'a>(PhantomData<&'a ()>);

impl<'a> Storage for Rigid<'a> {
    type Array<T: Element + Debug + PartialEq> = &'a [T];
    const RIGID: bool = true;
}
