//! Rollouts in which a policy chooses the controls of all worlds at once: one world for each of them, and a step of all at a time.
use std::sync::Mutex;

use ferrodyn::thread_stack;
use ferrodyn_dynamics as dynamics;
use ferrodyn_dynamics::{OwnedWorld, StepError};
use ferrodyn_model::Stage;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::args::DataArg;
use crate::callbacks;
use crate::errors::step_error;
use crate::state::signature;
use crate::warnings::tell_of_rollouts;

use super::arrays::{Input, Models, Output};
use super::plan::{Plan, Rows, Start, Warned, has_warned, inputs, row};
use super::share::{Caller, Progress, lock, share};
use super::{Chunk, Rollout, check_fit, chunks};

/// The worlds of a batch between two steps.
#[pyclass(frozen, module = "ferrodyn._native")]
pub(crate) struct Worlds {
    control_spec: i32,
    worlds: Mutex<Vec<OwnedWorld>>,
    warned: Mutex<Vec<Warned>>,
}

/// Worlds that one thread steps, and where their results go.
type Part<'a> = (Chunk<'a>, &'a mut [OwnedWorld]);

/// Divide worlds among chunks.
fn parts<'a>(chunks: Vec<Chunk<'a>>, mut worlds: &'a mut [OwnedWorld]) -> Vec<Part<'a>> {
    let part = |chunk: Chunk<'a>| {
        let (first, rest) = std::mem::take(&mut worlds).split_at_mut(chunk.rollouts.len());
        worlds = rest;
        (chunk, first)
    };
    chunks.into_iter().map(part).collect()
}

#[pymethods]
impl Worlds {
    /// Copies of the first world, each at its initial state. Sensors are computed there, where their array is given.
    #[new]
    #[pyo3(signature = (threads, model, data, control_spec, state0, warmstart0=None, sensordata=None, chunk_size=None))]
    fn py_new(
        py: Python<'_>,
        threads: &Bound<'_, Rollout>,
        model: Models<'_>,
        data: Vec<DataArg<'_>>,
        control_spec: i64,
        state0: Input<'_>,
        warmstart0: Option<Input<'_>>,
        mut sensordata: Option<Output<'_>>,
        chunk_size: Option<i64>,
    ) -> PyResult<Worlds> {
        if callbacks::any() {
            let message = "callbacks (mjcb_*) have no data to work on where a policy is given";
            return Err(PyValueError::new_err(message));
        }
        let nbatch = state0.count();
        threads.get().check_number(data.len())?;
        let models = model.read(nbatch)?;
        let control_spec = signature(control_spec)?;
        let world = data[0].lock()?;
        check_fit(&models, &world)?;
        let plan = Plan::new(models.iter().map(|m| &**m).collect(), control_spec);
        let lengths = plan.lengths;
        let warmstart0 =
            warmstart0.as_ref().map(|a| a.numbers("warmstart0", nbatch * lengths.warmstart));
        let start = Start {
            state: state0.numbers("state0", nbatch * lengths.state)?,
            warmstart: warmstart0.transpose()?,
            inputs: inputs(&models[0], &world).map_err(step_error)?,
        };
        let sensordata =
            sensordata.as_mut().map(|a| a.numbers("sensordata", nbatch * lengths.sensordata));
        let rows = Rows { state: None, sensordata: sensordata.transpose()? };
        let has_sensors = rows.sensordata.is_some() && lengths.sensordata > 0;
        let mut worlds: Vec<OwnedWorld> = vec![OwnedWorld::clone(&world); nbatch];
        let begin = |r: usize, world: &mut OwnedWorld, mut rows: Rows<'_>| {
            plan.begin(&start, r, world)?;
            if has_sensors {
                dynamics::step::forward_skip(plan.model(r), world, Stage::None, true, None)?;
                rows.write_world(lengths, 0, &world.view_mut())?;
                plan.begin(&start, r, world)?;
            }
            Ok(())
        };
        let size = threads.get().chunk_size(nbatch, chunk_size, 1)?;
        let jobs = parts(chunks(nbatch, size, rows, lengths, 1), &mut worlds);
        for_each_world(py, threads.get(), &plan, jobs, &begin)?;
        Ok(Worlds { control_spec, worlds: Mutex::new(worlds), warned: Mutex::default() })
    }

    /// A step of all worlds: `control` is `[nbatch, ncontrol]`, as are the results. A world in which a warning was raised stays as it
    /// is.
    #[pyo3(signature = (threads, model, control, state, sensordata, chunk_size=None))]
    fn advance(
        &self,
        py: Python<'_>,
        threads: &Bound<'_, Rollout>,
        model: Models<'_>,
        control: Input<'_>,
        mut state: Output<'_>,
        mut sensordata: Output<'_>,
        chunk_size: Option<i64>,
    ) -> PyResult<()> {
        let mut worlds = lock(&self.worlds);
        let nbatch = worlds.len();
        let models = model.read(nbatch)?;
        let Some(first) = worlds.first() else { return Ok(()) };
        check_fit(&models, first)?;
        let plan = Plan::new(models.iter().map(|m| &**m).collect(), self.control_spec);
        let lengths = plan.lengths;
        let control = control.numbers("control", nbatch * lengths.control)?;
        let rows = Rows {
            state: Some(state.numbers("state", nbatch * lengths.state)?),
            sensordata: Some(sensordata.numbers("sensordata", nbatch * lengths.sensordata)?),
        };
        let warned = Mutex::new(Vec::new());
        let step = |r: usize, world: &mut OwnedWorld, mut rows: Rows<'_>| {
            if has_warned(world.header()) {
                return rows.write_world(lengths, 0, &world.view_mut());
            }
            let control = row(control, r, lengths.control);
            let early = plan.roll(r, 1, world, None, Some(control), &mut rows, &mut || true)?;
            lock(&warned).extend(early);
            Ok(())
        };
        let size = threads.get().chunk_size(nbatch, chunk_size, 1)?;
        let jobs = parts(chunks(nbatch, size, rows, lengths, 1), &mut worlds);
        for_each_world(py, threads.get(), &plan, jobs, &step)?;
        lock(&self.warned).extend(warned.into_inner().unwrap_or_default());
        Ok(())
    }

    /// Tell of the worlds in which warnings were raised.
    fn tell(&self, py: Python<'_>) -> PyResult<()> {
        let warned = std::mem::take(&mut *lock(&self.warned));
        let nbatch = lock(&self.worlds).len();
        tell_of_rollouts(py, warned, nbatch)
    }
}

/// Run a function on every world and the row of its results, on all threads.
fn for_each_world(
    py: Python<'_>,
    threads: &Rollout,
    plan: &Plan<'_>,
    jobs: Vec<Part<'_>>,
    function: &(dyn Fn(usize, &mut OwnedWorld, Rows<'_>) -> Result<(), StepError> + Sync),
) -> PyResult<()> {
    let pool = threads.threads(jobs.len())?;
    let progress = Progress::new();
    let work = |(): &mut (), (chunk, worlds): Part<'_>, wants: &mut dyn FnMut(usize) -> bool| {
        for ((r, rows), world) in chunk.each(plan.lengths, 1).zip(worlds) {
            if !wants(r) {
                break;
            }
            if let Err(error) = thread_stack::with(world, |world| function(r, world, rows)) {
                progress.fail(r, step_error(error));
            }
        }
    };
    let workers = vec![(); threads.nthread.max(1)];
    py.detach(|| share(pool, &progress, &mut Caller::new(None), workers, jobs, &work))?;
    progress.outcome()
}
