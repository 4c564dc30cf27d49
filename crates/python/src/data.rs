//! The native data object.
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, Ordering};

use ferrodyn_dynamics::World;
use ferrodyn_model::ArrayInfo;
use pyo3::exceptions::{PyKeyError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::model::Model;
use crate::views::view;

/// A world that Python owns.
///
/// Its arena is exported to numpy; it is allocated once and never moved.
#[pyclass(frozen, module = "ferrodyn._native")]
pub(crate) struct Data {
    inner: UnsafeCell<Box<ferrodyn_dynamics::Data>>,
    busy: AtomicBool,
}

// SAFETY: Rust code reaches the world only through `lock`, which lets one caller in at a time.
// Numpy views can be written by Python at any time; the arena holds plain numbers, so a
// program that does so from another thread during a step gets torn numbers, as with MuJoCo.
unsafe impl Sync for Data {}

/// Exclusive access to the world of a [`Data`].
pub(crate) struct Lock<'a>(&'a Data);

impl Drop for Lock<'_> {
    fn drop(&mut self) {
        self.0.busy.store(false, Ordering::Release);
    }
}

impl Lock<'_> {
    /// The world.
    pub(crate) fn get(&mut self) -> &mut ferrodyn_dynamics::Data {
        // SAFETY: `busy` makes this the only lock
        unsafe { &mut *self.0.inner.get() }
    }
}

impl Data {
    fn new(data: ferrodyn_dynamics::Data) -> Data {
        Data { inner: UnsafeCell::new(Box::new(data)), busy: AtomicBool::new(false) }
    }

    /// Exclusive access, or an error while another thread has it.
    pub(crate) fn lock(&self) -> PyResult<Lock<'_>> {
        if self.busy.swap(true, Ordering::Acquire) {
            return Err(PyRuntimeError::new_err("data is in use by another thread"));
        }
        Ok(Lock(self))
    }

    /// Run a stage on the world after checking that it belongs to the model.
    pub(crate) fn with_world<R>(
        &self,
        m: &Model,
        f: impl FnOnce(&ferrodyn_model::Model, &mut World<'_>) -> R,
    ) -> PyResult<R> {
        let mut lock = self.lock()?;
        if !lock.get().fits(m.get()) {
            return Err(PyValueError::new_err("data was made for another model"));
        }
        Ok(f(m.get(), &mut lock.get().view_mut()))
    }
}

#[pymethods]
impl Data {
    #[new]
    fn py_new(model: &Model) -> Data {
        Data::new(ferrodyn_dynamics::Data::new(model.get()))
    }

    fn copy(&self) -> PyResult<Data> {
        Ok(Data::new(self.lock()?.get().clone()))
    }

    fn copy_from(&self, other: &Data) -> PyResult<()> {
        let mut to = self.lock()?;
        let mut from = other.lock()?;
        if to.get().sizes() != from.get().sizes() {
            return Err(PyValueError::new_err("data was made for another model"));
        }
        to.get().copy_from(from.get());
        Ok(())
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.lock()?.get().to_bytes()))
    }

    #[staticmethod]
    fn from_bytes(model: &Model, bytes: &[u8]) -> PyResult<Data> {
        ferrodyn_dynamics::Data::from_bytes(model.get(), bytes)
            .map(Data::new)
            .map_err(|e| PyValueError::new_err(e.to_string()))
    }

    /// Fingerprint of time, `qpos`, `qvel` and `act`.
    fn state_hash(&self) -> PyResult<u64> {
        Ok(self.lock()?.get().state_hash())
    }

    /// A numpy view of an array.
    fn array<'py>(slf: &Bound<'py, Self>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let mut lock = slf.get().lock()?;
        let data = lock.get();
        if let Some(array) = data.arrays().iter().find(|a| a.info.name == name) {
            // SAFETY: the arena is allocated once and lives as long as the object
            return Ok(unsafe { view(&array.info, array.bytes.as_ptr(), slf.as_any()) });
        }
        // the workspace may be reallocated by a later step: give a copy
        let work = data.work().arrays();
        let (info, bytes) = work
            .iter()
            .find(|(info, _)| info.name == name)
            .ok_or_else(|| PyKeyError::new_err(name.to_owned()))?;
        // SAFETY: the view is copied before the lock is released
        let borrowed = unsafe { view(info, bytes.as_ptr(), slf.as_any()) };
        borrowed.call_method0("copy")
    }

    /// Name and documentation of every array; those of the workspace are copies.
    fn array_docs(&self) -> PyResult<Vec<(&'static str, &'static str, bool)>> {
        let mut lock = self.lock()?;
        let data = lock.get();
        let arena = data.arrays().map(|a| (a.info.name, a.info.doc, true));
        let work = data.work().arrays();
        let work = work.iter().map(|(info, _)| (info.name, info.doc, false));
        Ok(arena.into_iter().chain(work).collect())
    }

    /// Views of the scalars and fixed-size arrays, by name.
    fn header<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(slf.py());
        let mut lock = slf.get().lock()?;
        for (name, kind, cols, bytes) in lock.get().header_mut().fields_mut() {
            let info = ArrayInfo { name, doc: "", kind, rows: cols, cols: None };
            // SAFETY: the header lies in the boxed data, which is never moved
            dict.set_item(name, unsafe { view(&info, bytes.as_ptr(), slf.as_any()) })?;
        }
        Ok(dict)
    }
}
