//! Numpy views of memory that a Rust object owns.
use ferrodyn_math::ScalarKind;
use ferrodyn_model::ArrayInfo;
use numpy::ndarray::{ArrayView, IxDyn};
use numpy::{Element, PyArray};
use pyo3::prelude::*;

/// A writable numpy array over `bytes`, which lie inside the Python object `owner`.
///
/// # Safety
/// The memory must stay valid and in place for as long as `owner` lives.
pub(crate) unsafe fn view<'py>(
    info: &ArrayInfo,
    bytes: *const u8,
    owner: &Bound<'py, PyAny>,
) -> Bound<'py, PyAny> {
    let shape: Vec<usize> = match info.cols {
        Some(cols) => vec![info.rows, cols],
        None => vec![info.rows],
    };
    // SAFETY: handed on to the caller
    unsafe {
        match info.kind {
            ScalarKind::F64 => typed::<f64>(&shape, bytes, owner),
            ScalarKind::F32 => typed::<f32>(&shape, bytes, owner),
            ScalarKind::I32 => typed::<i32>(&shape, bytes, owner),
            ScalarKind::I64 => typed::<i64>(&shape, bytes, owner),
            ScalarKind::U64 => typed::<u64>(&shape, bytes, owner),
            _ => typed::<u8>(&shape, bytes, owner),
        }
    }
}

/// # Safety
/// As [`view`]; `bytes` must be aligned for `T` and hold as many elements as the shape says.
unsafe fn typed<'py, T: Element>(
    shape: &[usize],
    bytes: *const u8,
    owner: &Bound<'py, PyAny>,
) -> Bound<'py, PyAny> {
    // SAFETY: the caller vouches for pointer, alignment, length and lifetime
    unsafe {
        let array = ArrayView::<T, IxDyn>::from_shape_ptr(IxDyn(shape), bytes.cast());
        PyArray::borrow_from_array(&array, owner.clone()).into_any()
    }
}
