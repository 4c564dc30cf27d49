//! The native data object.
use std::ptr::NonNull;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread::ThreadId;

use ferrodyn::thread_stack;
use ferrodyn_dynamics::{WorkRef, World};
use ferrodyn_model::{ArrayInfo, Sizes};
use pyo3::exceptions::{PyKeyError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::args::ModelArg;
use crate::errors::step_error;
use crate::model::{Model, ModelRef};
use crate::tables::dtype;
use crate::views::Export;

type Lock<'a> = MutexGuard<'a, Box<ferrodyn_dynamics::Data>>;

/// A world that Python owns.
///
/// Rust code reaches it through [`Data::lock`], one caller at a time. Numpy views of its arena
/// write past that lock: Python code that changes a world while another thread steps it is a data
/// race, as it is with MuJoCo.
#[pyclass(frozen, module = "ferrodyn._native")]
pub(crate) struct Data {
    inner: Mutex<Box<ferrodyn_dynamics::Data>>,
    arrays: Vec<Export>,
    header: Vec<Export>,
    sizes: Sizes,
    /// The world as a callback may use it, while one runs.
    lent: Mutex<Option<Lent>>,
}

/// A world that a callback may use, and the thread that runs it.
struct Lent {
    world: NonNull<World<'static>>,
    thread: ThreadId,
}

// SAFETY: only the thread that lent the world follows the pointer
unsafe impl Send for Lent {}

impl Data {
    fn new(data: ferrodyn_dynamics::Data) -> Data {
        let mut inner = Box::new(data);
        let arrays = inner.arrays_mut().map(|a| Export::new(a.info, a.bytes)).into();
        let header = inner.header_mut().fields_mut().map(|(name, kind, cols, bytes)| {
            Export::new(ArrayInfo { name, doc: "", kind, rows: cols, cols: None }, bytes)
        });
        let sizes = inner.sizes().clone();
        Data {
            header: header.into(),
            arrays,
            sizes,
            lent: Mutex::new(None),
            inner: Mutex::new(inner),
        }
    }

    /// Exclusive access, or an error while another thread has it.
    pub(crate) fn lock(&self) -> PyResult<Lock<'_>> {
        match self.inner.try_lock() {
            Ok(guard) => Ok(guard),
            Err(TryLockError::Poisoned(e)) => Ok(e.into_inner()),
            Err(TryLockError::WouldBlock) => Err(in_use()),
        }
    }

    /// Exclusive access, together with the model that the data was made for.
    pub(crate) fn lock_with<'a>(&'a self, m: &'a Model) -> PyResult<(ModelRef<'a>, Lock<'a>)> {
        let (model, data) = (m.read()?, self.lock()?);
        if data.fits(&model) { Ok((model, data)) } else { Err(mismatch()) }
    }

    /// Run a function on the model and the world.
    pub(crate) fn with_world<R>(
        &self,
        m: &Model,
        f: impl FnOnce(&ferrodyn_model::Model, &mut World<'_>) -> R,
    ) -> PyResult<R> {
        if let Some(mut world) = self.borrow_lent() {
            let model = m.read()?;
            let sizes = Sizes { ngravcomp: model.sizes.ngravcomp, ..self.sizes.clone() };
            return if sizes == model.sizes { Ok(f(&model, world.get())) } else { Err(mismatch()) };
        }
        let (model, mut data) = self.lock_with(m)?;
        Ok(thread_stack::with(&mut data, |data| f(&model, &mut data.view_mut())))
    }

    /// Run a function on contacts, constraint rows and solver statistics.
    fn with_work<R>(&self, f: impl FnOnce(&WorkRef<'_>) -> R) -> PyResult<R> {
        match self.borrow_lent() {
            Some(mut world) => Ok(f(&world.get().in_use())),
            None => Ok(f(&self.lock()?.work())),
        }
    }

    /// Run a function, a callback, while whom it calls in this thread can use the world.
    pub(crate) fn lend<R>(&self, world: &mut World<'_>, f: impl FnOnce() -> R) -> R {
        /// Ends the loan, also when the function panics.
        struct End<'a>(&'a Data);
        impl Drop for End<'_> {
            fn drop(&mut self) {
                *self.0.lent() = None;
            }
        }
        let world = NonNull::from(world).cast();
        *self.lent() = Some(Lent { world, thread: std::thread::current().id() });
        let _end = End(self);
        f()
    }

    /// Is a callback running in this thread, that may use the world?
    pub(crate) fn is_lent(&self) -> bool {
        self.lent().as_ref().is_some_and(|lent| lent.thread == std::thread::current().id())
    }

    fn lent(&self) -> MutexGuard<'_, Option<Lent>> {
        self.lent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The world that was lent to this thread, unless it is in use already.
    fn borrow_lent(&self) -> Option<Loan<'_>> {
        let thread = std::thread::current().id();
        let lent = self.lent().take_if(|lent| lent.thread == thread)?;
        Some(Loan { lent: Some(lent), data: self })
    }

    /// Copy the state and all results of another world of the same model.
    pub(crate) fn copy_from(&self, m: &Model, other: &Data) -> PyResult<()> {
        if std::ptr::eq(self, other) {
            return Ok(());
        }
        let (model, mut to) = self.lock_with(m)?;
        let from = other.lock()?;
        if !from.fits(&model) {
            return Err(mismatch());
        }
        to.copy_from(&from);
        Ok(())
    }
}

/// The lent world while it is in use.
struct Loan<'a> {
    lent: Option<Lent>,
    data: &'a Data,
}

impl Loan<'_> {
    /// The world, for shorter than the loan.
    fn get<'a>(&'a mut self) -> &'a mut World<'a> {
        match &mut self.lent {
            // SAFETY: `lend` has the world exclusively until its function returns, this runs inside that function,
            // in its thread, and no one else has the pointer while the loan lasts; the lifetime is cut to that of
            // the loan, during which the world is only reborrowed
            Some(lent) => unsafe { &mut *lent.world.cast::<World<'a>>().as_ptr() },
            None => unreachable!("a loan holds the world until it is dropped"),
        }
    }
}

impl Drop for Loan<'_> {
    fn drop(&mut self) {
        *self.data.lent() = self.lent.take();
    }
}

fn in_use() -> PyErr {
    PyRuntimeError::new_err("the data is in use by another thread, or by the step that called this")
}

/// The error for a model and data that do not belong together.
pub(crate) fn mismatch() -> PyErr {
    PyValueError::new_err("data was made for another model")
}

#[pymethods]
impl Data {
    #[new]
    fn py_new(model: ModelArg<'_>) -> PyResult<Data> {
        let data = ferrodyn_dynamics::Data::try_new(&*model.read()?);
        data.map(Data::new).map_err(step_error)
    }

    fn copy(&self) -> PyResult<Data> {
        Ok(Data::new(ferrodyn_dynamics::Data::clone(&*self.lock()?)))
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.lock()?.to_bytes()))
    }

    #[staticmethod]
    fn from_bytes(model: ModelArg<'_>, bytes: &[u8]) -> PyResult<Data> {
        ferrodyn_dynamics::Data::from_bytes(&*model.read()?, bytes)
            .map(Data::new)
            .map_err(|e| PyValueError::new_err(e.to_string()))
    }

    /// Fingerprint of time, `qpos`, `qvel` and `act`.
    fn state_hash(&self) -> PyResult<u64> {
        Ok(self.lock()?.state_hash())
    }

    /// A numpy view of an array.
    fn array<'py>(slf: &Bound<'py, Self>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        if let Some(export) = slf.get().arrays.iter().find(|a| a.info.name == name) {
            // SAFETY: a world allocates its arena once and only ever fills it; the numpy array
            // keeps the world alive
            return Ok(unsafe { export.view(slf.as_any()) });
        }
        Err(PyKeyError::new_err(name.to_owned()))
    }

    /// Type, shape and bytes of an array of the workspace, which the next step may move.
    fn work_array<'py>(
        &self,
        py: Python<'py>,
        name: &str,
    ) -> PyResult<(&'static str, Vec<usize>, Bound<'py, PyBytes>)> {
        self.with_work(|work| {
            let (info, bytes) = work
                .arrays()
                .into_iter()
                .find(|(info, _)| info.name == name)
                .ok_or_else(|| PyKeyError::new_err(name.to_owned()))?;
            let shape = std::iter::once(info.rows).chain(info.cols).collect();
            Ok((dtype(info.kind), shape, PyBytes::new(py, bytes)))
        })?
    }

    /// All contacts, as the bytes of MuJoCo's struct.
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.with_work(|work| PyBytes::new(py, bytemuck::cast_slice(work.contact)))
    }

    /// What the solver did, as the bytes of MuJoCo's struct.
    fn solver_statistics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.with_work(|work| PyBytes::new(py, bytemuck::cast_slice(work.solver)))
    }

    /// Views of the scalars and fixed-size arrays, by name.
    fn header<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(slf.py());
        for field in &slf.get().header {
            // SAFETY: the header lies in the boxed data, which stays in place while the object lives
            dict.set_item(field.info.name, unsafe { field.view(slf.as_any()) })?;
        }
        Ok(dict)
    }
}
