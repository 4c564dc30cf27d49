//! Numpy views of memory that a Rust object owns.
use std::ptr::{NonNull, null_mut};

use ferrodyn_math::ScalarKind;
use ferrodyn_model::ArrayInfo;
use numpy::npyffi::{NPY_ARRAY_WRITEABLE, NpyTypes, PY_ARRAY_API, get_type_object, npy_intp};
use numpy::{PyArrayDescr, dtype};
use pyo3::prelude::*;

/// Where bytes lie that numpy may see.
#[derive(Clone, Copy)]
pub(crate) struct Memory(NonNull<u8>);

// SAFETY: this is an address. The memory is reached only through unsafe methods, whose callers
// answer for that.
unsafe impl Send for Memory {}
// SAFETY: as above
unsafe impl Sync for Memory {}

impl Memory {
    /// Note where bytes lie.
    pub(crate) fn new(bytes: &mut [u8]) -> Memory {
        Memory(NonNull::from(bytes).cast())
    }

    /// The address of the first byte.
    pub(crate) fn address(self) -> NonNull<u8> {
        self.0
    }

    /// A place after the first one.
    ///
    /// # Safety
    /// So many bytes must be there, in the slice that was given to [`Memory::new`].
    pub(crate) unsafe fn add(self, bytes: usize) -> Memory {
        // SAFETY: the caller's promise
        Memory(unsafe { self.0.add(bytes) })
    }

    /// The number that lies there.
    ///
    /// # Safety
    /// A number of this type must lie there, aligned, in memory whose owner is alive.
    pub(crate) unsafe fn number<'py>(
        self,
        py: Python<'py>,
        kind: ScalarKind,
    ) -> PyResult<Bound<'py, PyAny>> {
        // a step in another thread may be writing to it: volatile, as one load
        // SAFETY: the caller's promise
        unsafe {
            let at = self.0.as_ptr();
            Ok(match kind {
                ScalarKind::F64 => at.cast::<f64>().read_volatile().into_pyobject(py)?.into_any(),
                ScalarKind::F32 => at.cast::<f32>().read_volatile().into_pyobject(py)?.into_any(),
                ScalarKind::I32 => at.cast::<i32>().read_volatile().into_pyobject(py)?.into_any(),
                ScalarKind::I64 => at.cast::<i64>().read_volatile().into_pyobject(py)?.into_any(),
                ScalarKind::U64 => at.cast::<u64>().read_volatile().into_pyobject(py)?.into_any(),
                _ => at.read_volatile().into_pyobject(py)?.into_any(),
            })
        }
    }

    /// A writable numpy array over the memory, which keeps `owner` alive.
    ///
    /// # Safety
    /// As many scalars as the shape says must lie there, aligned, and stay in place while `owner` lives.
    pub(crate) unsafe fn view<'py>(
        self,
        kind: ScalarKind,
        (rows, cols): (usize, Option<usize>),
        owner: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = owner.py();
        let dtype = match kind {
            ScalarKind::F64 => dtype::<f64>(py),
            ScalarKind::F32 => dtype::<f32>(py),
            ScalarKind::I32 => dtype::<i32>(py),
            ScalarKind::I64 => dtype::<i64>(py),
            ScalarKind::U64 => dtype::<u64>(py),
            _ => dtype::<u8>(py),
        };
        // SAFETY: the type is that of the scalars; the rest is the caller's promise
        unsafe {
            match cols {
                Some(cols) => self.array(dtype, [rows, cols], owner),
                None => self.array(dtype, [rows], owner),
            }
        }
    }

    /// A writable numpy array over the memory, which keeps `owner` alive.
    ///
    /// # Safety
    /// As many elements of the type as the shape says must lie there, aligned, and stay in place while
    /// `owner` lives. Every bit pattern must be one of the type.
    pub(crate) unsafe fn array<'py, const N: usize>(
        self,
        dtype: Bound<'py, PyArrayDescr>,
        shape: [usize; N],
        owner: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = owner.py();
        let mut dims = shape.map(|n| n as npy_intp);
        // SAFETY: numpy takes over one reference to the type and one to the owner; it copies the shape, and has no
        // strides to read. That the memory is there is the caller's promise.
        unsafe {
            let array = PY_ARRAY_API.PyArray_NewFromDescr(
                py,
                get_type_object(py, NpyTypes::PyArray_Type),
                dtype.into_ptr().cast(),
                N as i32,
                dims.as_mut_ptr(),
                null_mut(),
                self.0.as_ptr().cast(),
                NPY_ARRAY_WRITEABLE,
                null_mut(),
            );
            let array = Bound::from_owned_ptr_or_err(py, array)?;
            let base = owner.clone().into_ptr();
            match PY_ARRAY_API.PyArray_SetBaseObject(py, array.as_ptr().cast(), base) {
                0 => Ok(array),
                _ => Err(PyErr::fetch(py)),
            }
        }
    }
}

/// Where an array lies that numpy may see.
pub(crate) struct Export {
    pub(crate) info: ArrayInfo,
    memory: Memory,
}

impl Export {
    /// Note where the bytes of an array lie.
    pub(crate) fn new(info: ArrayInfo, bytes: &mut [u8]) -> Export {
        debug_assert_eq!(bytes.len(), info.len() * info.kind.size());
        Export { info, memory: Memory::new(bytes) }
    }

    /// The bytes as they are now.
    ///
    /// # Safety
    /// The owner of the bytes given to [`Export::new`] must be alive, and must not have moved them.
    pub(crate) unsafe fn bytes(&self) -> &[u8] {
        let len = self.info.len() * self.info.kind.size();
        // SAFETY: the bytes are there, as the caller promises, and every bit pattern is a byte
        unsafe { std::slice::from_raw_parts(self.memory.0.as_ptr(), len) }
    }

    /// A writable numpy array over the memory, which keeps `owner` alive.
    ///
    /// # Safety
    /// The bytes given to [`Export::new`] must belong to `owner` and stay in place while it lives.
    pub(crate) unsafe fn view<'py>(
        &self,
        owner: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        // SAFETY: the table's type and shape describe the bytes; the rest is the caller's promise
        unsafe { self.memory.view(self.info.kind, (self.info.rows, self.info.cols), owner) }
    }
}
