//! Batches: many worlds of a model, stepped together.
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::time::{Duration, Instant};

use ferrodyn::batch::{BatchError, BatchOutputs, BatchSim, ContactSummary};
use ferrodyn::{DivergencePolicy, StateBit};
use ferrodyn_math::{Real, ScalarKind};
use numpy::{PyArrayLikeDyn, PyReadonlyArrayDyn, PyReadwriteArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::{PyIndexError, PyKeyError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::args::ModelArg;
use crate::errors::step_error;

/// The Python exception for an error of a batch.
pub(crate) fn batch_error(error: BatchError) -> PyErr {
    match error {
        BatchError::Step(error) => step_error(error),
        BatchError::NoSuchWorld { .. } | BatchError::NoSuchKeyframe { .. } => {
            PyIndexError::new_err(error.to_string())
        }
        BatchError::NoSuchArray(_) => PyKeyError::new_err(error.to_string()),
        _ => PyValueError::new_err(error.to_string()),
    }
}

/// Arrays of the caller, into which results are written.
pub(crate) type Reals<'py> = PyReadwriteArrayDyn<'py, Real>;

/// Many worlds of a model. The Python half (`batch.py`) owns the arrays of results.
#[pyclass(frozen, module = "ferrodyn._native")]
pub(crate) struct Batch {
    inner: Mutex<BatchSim>,
}

impl Batch {
    /// The batch, unless another thread is stepping it.
    fn lock(&self) -> PyResult<MutexGuard<'_, BatchSim>> {
        match self.inner.try_lock() {
            Ok(guard) => Ok(guard),
            // a reward that panicked left whole worlds behind
            Err(TryLockError::Poisoned(error)) => Ok(error.into_inner()),
            Err(TryLockError::WouldBlock) => {
                Err(PyRuntimeError::new_err("the batch is in use by another thread"))
            }
        }
    }
}

/// Where results go. Arrays are borrowed while the interpreter is released.
#[derive(FromPyObject)]
struct Outputs<'py> {
    states: Reals<'py>,
    sensors: Reals<'py>,
    observed: Reals<'py>,
    contacts: Option<Reals<'py>>,
    failed: PyReadwriteArrayDyn<'py, bool>,
}

/// The elements of an array that is laid out row by row.
pub(crate) fn rows<'a, T: numpy::Element>(
    array: &'a mut PyReadwriteArrayDyn<'_, T>,
) -> PyResult<&'a mut [T]> {
    array.as_slice_mut().map_err(|e| PyValueError::new_err(e.to_string()))
}

impl Outputs<'_> {
    /// Do something that writes results, with the interpreter released; messages of worlds that failed, with their numbers.
    fn fill(
        &mut self,
        py: Python<'_>,
        count: usize,
        work: impl FnOnce(BatchOutputs<'_>) -> Result<(), BatchError> + Send,
    ) -> PyResult<Vec<(usize, String)>> {
        let (states, sensors) = (rows(&mut self.states)?, rows(&mut self.sensors)?);
        let observed = rows(&mut self.observed)?;
        let contacts = self.contacts.as_mut().map(rows).transpose()?;
        let failed = rows(&mut self.failed)?;
        let mut errors = vec![None; count];
        let outputs = BatchOutputs {
            states: Some(states),
            sensors: Some(sensors),
            observed: Some(observed),
            contacts: contacts.map(bytemuck::cast_slice_mut::<Real, ContactSummary>),
            terminated: Some(failed),
            errors: Some(&mut errors),
            ..BatchOutputs::default()
        };
        py.detach(|| work(outputs)).map_err(batch_error)?;
        let errors = errors.into_iter().enumerate();
        Ok(errors.filter_map(|(i, error)| Some((i, error?.to_string()))).collect())
    }
}

/// What the thread that steps a batch hears of signals meanwhile.
struct Interrupts {
    asked: Instant,
    raised: Option<PyErr>,
}

/// How often it listens.
const LISTEN: Duration = Duration::from_millis(50);

impl Default for Interrupts {
    fn default() -> Self {
        Interrupts { asked: Instant::now(), raised: None }
    }
}

impl Interrupts {
    /// Has none come yet?
    fn none(&mut self) -> bool {
        if self.asked.elapsed() >= LISTEN {
            self.asked = Instant::now();
            let heard = Python::attach(|py| py.check_signals());
            self.raised = self.raised.take().or(heard.err());
        }
        self.raised.is_none()
    }

    /// What a handler of signals raised.
    fn raise(self) -> PyResult<()> {
        self.raised.map_or(Ok(()), Err)
    }
}

#[pymethods]
impl Batch {
    /// So many worlds of a model, on so many threads; zero for one on each core. The model is copied.
    #[new]
    fn new(model: ModelArg<'_>, count: usize, threads: usize) -> PyResult<Batch> {
        let model = Arc::new(ferrodyn_model::Model::clone(&*model.read()?));
        let mut inner = BatchSim::new(model, count).map_err(batch_error)?;
        inner.set_threads(threads).map_err(batch_error)?;
        Ok(Batch { inner: Mutex::new(inner) })
    }

    #[getter]
    fn threads(&self) -> PyResult<usize> {
        Ok(self.lock()?.threads())
    }

    #[getter]
    fn memory_size(&self) -> PyResult<usize> {
        Ok(self.lock()?.memory_size())
    }

    fn set_frame_skip(&self, steps: usize) -> PyResult<()> {
        self.lock()?.set_frame_skip(steps).map_err(batch_error)
    }

    fn set_auto_reset(&self, auto_reset: bool) -> PyResult<()> {
        self.lock()?.set_auto_reset(auto_reset);
        Ok(())
    }

    /// What a step does with a world that diverges: 0 as MuJoCo, 1 error, 2 freeze.
    fn set_divergence_policy(&self, policy: usize) -> PyResult<()> {
        let policies =
            [DivergencePolicy::AsMuJoCo, DivergencePolicy::Error, DivergencePolicy::Freeze];
        let policy = policies.get(policy).ok_or_else(|| PyValueError::new_err("no such policy"))?;
        self.lock()?.set_divergence_policy(*policy);
        Ok(())
    }

    /// Choose arrays to be observed: first and last column of each.
    fn observe(&self, names: Vec<String>) -> PyResult<Vec<(usize, usize)>> {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let columns = self.lock()?.observe(&names).map_err(batch_error)?;
        Ok(columns.into_iter().map(|columns| (columns.start, columns.end)).collect())
    }

    fn start_at_keyframe(&self, key: usize) -> PyResult<()> {
        self.lock()?.start_at_keyframe(key).map_err(batch_error)
    }

    fn start_at_reference(&self) -> PyResult<()> {
        self.lock()?.start_at_reference();
        Ok(())
    }

    /// Rows of `qpos` and `qvel`, or for a union of `mjtState` of state vectors.
    fn start_at_states(
        &self,
        states: PyReadonlyArrayDyn<'_, Real>,
        spec: Option<i32>,
    ) -> PyResult<()> {
        let states = states.as_slice().map_err(|e| PyValueError::new_err(e.to_string()))?;
        let spec = spec.unwrap_or(StateBit::Qpos as i32 | StateBit::Qvel as i32);
        self.lock()?.start_at(spec, states).map_err(batch_error)
    }

    /// Write state vectors of all worlds for a union of `mjtState`, a row for each.
    fn states_of(&self, spec: i32, mut states: PyReadwriteArrayDyn<'_, Real>) -> PyResult<()> {
        self.lock()?.states_of(spec, rows(&mut states)?).map_err(batch_error)
    }

    /// Step all worlds with these controls.
    fn step(
        &self,
        py: Python<'_>,
        controls: PyReadonlyArrayDyn<'_, Real>,
        mut outputs: Outputs<'_>,
    ) -> PyResult<Vec<(usize, String)>> {
        let mut batch = self.lock()?;
        let controls = controls.as_slice().map_err(|e| PyValueError::new_err(e.to_string()))?;
        batch.set_controls(controls).map_err(batch_error)?;
        let batch = &mut *batch;
        let mut interrupts = Interrupts::default();
        let stepped = outputs
            .fill(py, batch.len(), |outputs| batch.step_while(outputs, || interrupts.none()));
        interrupts.raise()?;
        stepped
    }

    /// Reset the worlds that are marked.
    fn reset(
        &self,
        py: Python<'_>,
        which: PyReadonlyArrayDyn<'_, bool>,
        mut outputs: Outputs<'_>,
    ) -> PyResult<Vec<(usize, String)>> {
        let mut batch = self.lock()?;
        let which = which.as_slice().map_err(|e| PyValueError::new_err(e.to_string()))?;
        let batch = &mut *batch;
        outputs.fill(py, batch.len(), |outputs| batch.reset_into(which, outputs))
    }

    /// Let an array or an option vary, and set it in all worlds.
    fn set_parameter(
        &self,
        name: &str,
        values: PyArrayLikeDyn<'_, f64, numpy::AllowTypeChange>,
    ) -> PyResult<()> {
        let batch = &mut *self.lock()?;
        let count = batch.len();
        let shape = values.shape();
        if shape.first() != Some(&count) {
            let message = format!(
                "{name}: the first axis of {shape:?} has to be {count}, one row for each world"
            );
            return Err(PyValueError::new_err(message));
        }
        let values: Vec<f64> = values.as_array().iter().copied().collect();
        let row = values.len().checked_div(count).unwrap_or(0);
        for world in 0..count {
            let values = &values[world * row..(world + 1) * row];
            if let Some(option) = name.strip_prefix("opt.") {
                set_option(batch, option, world, values)?;
                continue;
            }
            batch.vary(name).map_err(batch_error)?;
            let model = batch.model().clone();
            let kind = model.arrays().into_iter().find(|array| array.info.name == name);
            if kind.is_some_and(|array| array.info.kind == ScalarKind::F32) {
                let to = batch.parameter_of::<f32>(name, world).map_err(batch_error)?;
                write(name, to, values, |x| x as f32)?;
            } else {
                let to = batch.parameter_mut(name, world).map_err(batch_error)?;
                write(name, to, values, |x| x as Real)?;
            }
        }
        batch.derive_constants().map_err(batch_error)
    }
}

/// Set the numbers of a world.
fn write<T>(name: &str, to: &mut [T], from: &[f64], convert: impl Fn(f64) -> T) -> PyResult<()> {
    if to.len() != from.len() {
        let message = format!(
            "{name}: {} numbers were given for each world, and {} are needed",
            from.len(),
            to.len()
        );
        return Err(PyValueError::new_err(message));
    }
    for (to, &from) in to.iter_mut().zip(from) {
        *to = convert(from);
    }
    Ok(())
}

/// Set an option of a world.
fn set_option(batch: &mut BatchSim, name: &str, world: usize, values: &[f64]) -> PyResult<()> {
    batch.vary_options();
    let options = batch.options_mut(world).map_err(batch_error)?;
    let fields = options.fields_mut();
    let field = fields.into_iter().find(|(field, kind, ..)| {
        *field == name && matches!(kind, ScalarKind::F64 | ScalarKind::F32)
    });
    let Some((_, kind, _, bytes)) = field else {
        return Err(PyKeyError::new_err(format!(
            "there is no option `{name}` of floating-point numbers"
        )));
    };
    match kind {
        ScalarKind::F32 => write(name, bytemuck::cast_slice_mut(bytes), values, |x| x as f32),
        _ => write(name, bytemuck::cast_slice_mut(bytes), values, |x| x),
    }
}

pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<Batch>()
}
