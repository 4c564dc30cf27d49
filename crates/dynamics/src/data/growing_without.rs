//! In a build without an allocator memory has a fixed size.
use core::marker::PhantomData;

/// The places for larger blocks: none.
#[derive(Debug)]
pub(crate) struct Spare<'a>(PhantomData<&'a mut ()>);

impl<'a> Spare<'a> {
    pub(crate) fn none() -> Spare<'a> {
        Spare(PhantomData)
    }

    pub(crate) fn is_empty(&self) -> bool {
        true
    }

    pub(crate) fn grow(&mut self, _: usize) -> Option<&'a mut [u64]> {
        None
    }

    pub(crate) fn reborrow(&mut self) -> Spare<'_> {
        Spare(PhantomData)
    }

    pub(crate) fn adopt(&mut self) -> Option<&'a mut [u64]> {
        None
    }
}
