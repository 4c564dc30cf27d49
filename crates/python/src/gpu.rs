//! Batches on a GPU, and their arrays as other programs there see them.
use std::ffi::{CStr, c_void};
use std::ptr::null_mut;
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

use ferrodyn::batch::BatchResult;
use ferrodyn_gpu::{GpuBatch, GpuError};
use ferrodyn_math::{Real, ScalarKind};
use numpy::{PyReadonlyArrayDyn, PyReadwriteArrayDyn};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;

use crate::args::ModelArg;
use crate::batch::{Reals, batch_error, rows};
use crate::errors::step_error;
use crate::tables::dtype;

fn gpu_error(error: GpuError) -> PyErr {
    match error {
        GpuError::Step(error) => step_error(error),
        GpuError::Batch(error) => batch_error(error),
        GpuError::Unsupported(_) => PyValueError::new_err(error.to_string()),
        _ => PyRuntimeError::new_err(error.to_string()),
    }
}

/// The numbers of an array that is laid out row by row.
fn slice<'a, T: numpy::Element>(array: &'a PyReadonlyArrayDyn<'_, T>) -> PyResult<&'a [T]> {
    array.as_slice().map_err(|e| PyValueError::new_err(e.to_string()))
}

/// Many worlds of a model on a GPU. The Python half (`gpu.py`) owns the arrays of results.
#[pyclass(frozen, module = "ferrodyn._native", name = "GpuBatch")]
pub(crate) struct Batch {
    inner: Mutex<GpuBatch>,
}

/// Where results go.
#[derive(FromPyObject)]
struct Outputs<'py> {
    states: Reals<'py>,
    failed: PyReadwriteArrayDyn<'py, bool>,
}

impl Outputs<'_> {
    /// Write the results of a batch; messages of worlds that failed, with their numbers.
    fn fill(&mut self, result: &BatchResult) -> PyResult<Vec<(usize, String)>> {
        write("states", rows(&mut self.states)?, &result.states)?;
        write("failed", rows(&mut self.failed)?, &result.terminated)?;
        let errors = result.errors.iter().enumerate();
        Ok(errors.filter_map(|(i, error)| Some((i, error.as_ref()?.to_string()))).collect())
    }
}

/// Copy results to an array of the caller.
fn write<T: Copy>(name: &str, to: &mut [T], from: &[T]) -> PyResult<()> {
    if to.len() != from.len() {
        let message = format!("{name}: room for {} elements, and not {}", to.len(), from.len());
        return Err(PyValueError::new_err(message));
    }
    to.copy_from_slice(from);
    Ok(())
}

impl Batch {
    /// The batch, unless another thread is stepping it.
    fn lock(&self) -> PyResult<MutexGuard<'_, GpuBatch>> {
        match self.inner.try_lock() {
            Ok(guard) => Ok(guard),
            Err(TryLockError::Poisoned(error)) => Ok(error.into_inner()),
            Err(TryLockError::WouldBlock) => {
                Err(PyRuntimeError::new_err("the batch is in use by another thread"))
            }
        }
    }

    /// Do something with the interpreter released.
    fn detached<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut GpuBatch) -> Result<R, GpuError> + Send,
    ) -> PyResult<R> {
        let batch = &mut *self.lock()?;
        py.detach(|| work(batch)).map_err(gpu_error)
    }
}

#[pymethods]
impl Batch {
    /// So many worlds of a model, which is copied.
    #[new]
    fn new(py: Python<'_>, model: ModelArg<'_>, count: usize) -> PyResult<Batch> {
        let model = Arc::new(ferrodyn_model::Model::clone(&*model.read()?));
        let inner = py.detach(|| GpuBatch::new(model, count)).map_err(gpu_error)?;
        Ok(Batch { inner: Mutex::new(inner) })
    }

    #[getter]
    fn device(&self) -> PyResult<String> {
        Ok(self.lock()?.device_name().to_owned())
    }

    #[getter]
    fn stream(&self) -> PyResult<u64> {
        Ok(self.lock()?.stream())
    }

    fn set_frame_skip(&self, steps: usize) -> PyResult<()> {
        self.lock()?.set_frame_skip(steps).map_err(gpu_error)
    }

    fn start_at_keyframe(&self, key: usize) -> PyResult<()> {
        self.lock()?.start_at_keyframe(key).map_err(gpu_error)
    }

    /// Rows of `qpos` and `qvel`.
    fn start_at_states(&self, states: PyReadonlyArrayDyn<'_, Real>) -> PyResult<()> {
        self.lock()?.start_at_states(slice(&states)?).map_err(gpu_error)
    }

    /// Step all worlds with these controls.
    fn step(
        &self,
        py: Python<'_>,
        controls: PyReadonlyArrayDyn<'_, Real>,
        mut outputs: Outputs<'_>,
    ) -> PyResult<Vec<(usize, String)>> {
        let controls = slice(&controls)?;
        self.detached(py, |batch| {
            batch.set_controls(controls)?;
            batch.step_all().map(|_| ())
        })?;
        outputs.fill(self.lock()?.result())
    }

    /// Reset the worlds that are marked.
    fn reset(
        &self,
        py: Python<'_>,
        which: PyReadonlyArrayDyn<'_, bool>,
        mut outputs: Outputs<'_>,
    ) -> PyResult<Vec<(usize, String)>> {
        let which = slice(&which)?;
        self.detached(py, |batch| batch.reset_where(which))?;
        outputs.fill(self.lock()?.result())
    }

    /// Take so many steps with what lies in memory of the GPU, and do not wait for them.
    fn step_on_device(&self, py: Python<'_>, steps: usize) -> PyResult<()> {
        self.detached(py, |batch| batch.step_on_device(steps))
    }

    /// Wait for all steps.
    fn synchronize(&self, py: Python<'_>) -> PyResult<()> {
        self.detached(py, |batch| batch.synchronize())
    }

    /// Wait for all steps, and write what came of them.
    fn collect(&self, py: Python<'_>, mut outputs: Outputs<'_>) -> PyResult<Vec<(usize, String)>> {
        self.detached(py, |batch| batch.collect().map(|_| ()))?;
        outputs.fill(self.lock()?.result())
    }

    /// Where an array of all worlds lies: address, shape, strides in bytes, numpy type.
    fn place(&self, name: &str) -> PyResult<(u64, Vec<usize>, Vec<usize>, &'static str)> {
        let array = self.lock()?.array(name).map_err(gpu_error)?;
        let kind = dtype(array.info.kind);
        Ok((array.address, array.shape(), array.byte_strides(), kind))
    }
}

/// Is there a GPU that can step worlds? Its name, or why not.
#[pyfunction]
fn gpu_available(py: Python<'_>) -> (bool, String) {
    match py.detach(ferrodyn_gpu::available) {
        Ok(name) => (true, name),
        Err(error) => (false, error.to_string()),
    }
}

/// Why worlds of a model cannot be on a GPU of this machine, if they cannot.
#[pyfunction]
fn gpu_refusal(py: Python<'_>, model: ModelArg<'_>) -> PyResult<Option<String>> {
    let refusal = ferrodyn_gpu::check_model(&*model.read()?).err();
    let refusal = refusal.or_else(|| py.detach(ferrodyn_gpu::available).err());
    Ok(refusal.map(|error| error.to_string()))
}

/// `DLDevice`.
#[repr(C)]
struct DlDevice {
    kind: i32,
    index: i32,
}

/// `DLDataType`.
#[repr(C)]
struct DlType {
    code: u8,
    bits: u8,
    lanes: u16,
}

/// `DLTensor`.
#[repr(C)]
struct DlTensor {
    data: *mut c_void,
    device: DlDevice,
    dimensions: i32,
    kind: DlType,
    shape: *mut i64,
    strides: *mut i64,
    byte_offset: u64,
}

/// `DLManagedTensor`.
#[repr(C)]
struct DlManaged {
    tensor: DlTensor,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut DlManaged)>,
}

/// `kDLCUDA`.
const DL_CUDA: i32 = 2;
/// What a capsule is called until somebody takes the tensor.
const DL_NAME: &CStr = c"dltensor";

/// A tensor with everything that it points to.
struct Lent {
    managed: DlManaged,
    shape: Vec<i64>,
    strides: Vec<i64>,
    /// Whose memory it is.
    owner: Py<PyAny>,
}

/// What the protocol calls a type of numbers.
fn dl_type(kind: &str) -> PyResult<DlType> {
    let kinds = [
        (ScalarKind::F64, 2, 64),
        (ScalarKind::F32, 2, 32),
        (ScalarKind::I32, 0, 32),
        (ScalarKind::I64, 0, 64),
        (ScalarKind::U64, 1, 64),
        (ScalarKind::U8, 1, 8),
    ];
    let found = kinds.into_iter().find(|(own, ..)| dtype(*own) == kind);
    let (_, code, bits) =
        found.ok_or_else(|| PyValueError::new_err(format!("there is no type {kind}")))?;
    Ok(DlType { code, bits, lanes: 1 })
}

impl Lent {
    /// Memory of a GPU as a tensor, strides in elements.
    fn new(
        owner: Py<PyAny>,
        address: u64,
        shape: Vec<i64>,
        strides: Vec<i64>,
        kind: DlType,
    ) -> Box<Lent> {
        let tensor = DlTensor {
            data: address as *mut c_void,
            device: DlDevice { kind: DL_CUDA, index: 0 },
            dimensions: shape.len() as i32,
            kind,
            shape: null_mut(),
            strides: null_mut(),
            byte_offset: 0,
        };
        let managed = DlManaged { tensor, context: null_mut(), deleter: Some(give_back) };
        let mut lent = Box::new(Lent { managed, shape, strides, owner });
        lent.managed.tensor.shape = lent.shape.as_mut_ptr();
        lent.managed.tensor.strides = lent.strides.as_mut_ptr();
        lent
    }
}

/// Whoever took the tensor needs it no longer, in whatever thread.
unsafe extern "C" fn give_back(managed: *mut DlManaged) {
    // SAFETY: the protocol calls this once, with the tensor that `dlpack_capsule` made, whose context is the box that it lies in
    let lent = unsafe { Box::from_raw((*managed).context.cast::<Lent>()) };
    // without an interpreter nothing can be given back to it
    Python::try_attach(|_| drop(lent.owner));
}

/// A capsule that nobody took the tensor of is gone.
unsafe extern "C" fn forget_capsule(capsule: *mut ffi::PyObject) {
    // SAFETY: the interpreter calls this with a capsule that `dlpack_capsule` made; whoever takes the tensor gives it another name, so that one with the
    // first name still has it. A pointer is there where the name is right, so that no exception is set
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, DL_NAME.as_ptr()) == 1 {
            let managed = ffi::PyCapsule_GetPointer(capsule, DL_NAME.as_ptr());
            give_back(managed.cast());
        }
    }
}

/// A capsule of DLPack's around memory of the first GPU, strides in elements; `owner` lives until the tensor is given back. Nothing here looks at the memory.
#[pyfunction]
fn dlpack_capsule(
    py: Python<'_>,
    owner: Py<PyAny>,
    address: u64,
    shape: Vec<i64>,
    strides: Vec<i64>,
    kind: &str,
) -> PyResult<Py<PyAny>> {
    if shape.len() != strides.len() {
        let message = format!("{} extents have {} strides", shape.len(), strides.len());
        return Err(PyValueError::new_err(message));
    }
    let lent = Box::into_raw(Lent::new(owner, address, shape, strides, dl_type(kind)?));
    // SAFETY: the box was just made and nobody else knows it; the capsule, or whoever takes the tensor from it, gives it back once. The name is static
    unsafe {
        let managed = &raw mut (*lent).managed;
        (*managed).context = lent.cast();
        let capsule = ffi::PyCapsule_New(managed.cast(), DL_NAME.as_ptr(), Some(forget_capsule));
        if capsule.is_null() {
            drop(Box::from_raw(lent));
        }
        Ok(Bound::from_owned_ptr_or_err(py, capsule)?.unbind())
    }
}

pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<Batch>()?;
    m.add_function(wrap_pyfunction!(gpu_available, m)?)?;
    m.add_function(wrap_pyfunction!(gpu_refusal, m)?)?;
    m.add_function(wrap_pyfunction!(dlpack_capsule, m)?)
}
