//! Numpy views of memory that a Rust object owns.
use std::ptr::NonNull;

use ferrodyn_math::ScalarKind;
use ferrodyn_model::ArrayInfo;
use numpy::ndarray::{ArrayView, IxDyn};
use numpy::{Element, PyArray};
use pyo3::prelude::*;

/// Where an array lies that numpy may see.
pub(crate) struct Export {
    pub(crate) info: ArrayInfo,
    address: NonNull<u8>,
}

// SAFETY: an export is an address and a description. The memory is reached only through unsafe
// methods, whose callers answer for that.
unsafe impl Send for Export {}
// SAFETY: as above
unsafe impl Sync for Export {}

impl Export {
    /// Note where the bytes of an array lie.
    pub(crate) fn new(info: ArrayInfo, bytes: &mut [u8]) -> Export {
        debug_assert_eq!(bytes.len(), info.len() * info.kind.size());
        Export { info, address: NonNull::from(bytes).cast() }
    }

    /// The bytes as they are now.
    ///
    /// # Safety
    /// The owner of the bytes given to [`Export::new`] must be alive, and must not have moved them.
    pub(crate) unsafe fn bytes(&self) -> &[u8] {
        let len = self.info.len() * self.info.kind.size();
        // SAFETY: the bytes are there, as the caller promises, and every bit pattern is a byte
        unsafe { std::slice::from_raw_parts(self.address.as_ptr(), len) }
    }

    /// A writable numpy array over the memory, which keeps `owner` alive.
    ///
    /// # Safety
    /// The bytes given to [`Export::new`] must belong to `owner` and stay in place while it lives.
    pub(crate) unsafe fn view<'py>(&self, owner: &Bound<'py, PyAny>) -> Bound<'py, PyAny> {
        let shape: Vec<usize> = match self.info.cols {
            Some(cols) => vec![self.info.rows, cols],
            None => vec![self.info.rows],
        };
        // SAFETY: the table's type and shape describe the bytes; the rest is the caller's promise
        unsafe {
            match self.info.kind {
                ScalarKind::F64 => typed::<f64>(&shape, self.address, owner),
                ScalarKind::F32 => typed::<f32>(&shape, self.address, owner),
                ScalarKind::I32 => typed::<i32>(&shape, self.address, owner),
                ScalarKind::I64 => typed::<i64>(&shape, self.address, owner),
                ScalarKind::U64 => typed::<u64>(&shape, self.address, owner),
                _ => typed::<u8>(&shape, self.address, owner),
            }
        }
    }
}

/// # Safety
/// The address must be aligned for `T` and hold as many elements as the shape says, for as long as
/// `owner` lives.
unsafe fn typed<'py, T: Element>(
    shape: &[usize],
    address: NonNull<u8>,
    owner: &Bound<'py, PyAny>,
) -> Bound<'py, PyAny> {
    // SAFETY: the caller vouches for address, alignment, length and lifetime; the array view lives
    // only until numpy has noted address and shape
    unsafe {
        let array = ArrayView::<T, IxDyn>::from_shape_ptr(IxDyn(shape), address.as_ptr().cast());
        PyArray::borrow_from_array(&array, owner.clone()).into_any()
    }
}
