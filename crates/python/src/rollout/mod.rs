//! Rollouts: many worlds take many steps, on the threads of a pool that stays.
//!
//! `plan` says what a rollout is, `abreast` has several take their steps at once, `share` who does which part of a batch and how it is given up,
//! `arrays` reads arguments, `worlds` has the rollouts in which a policy chooses the controls. MuJoCo's `mujoco.rollout`.
mod abreast;
mod arrays;
mod plan;
mod share;
mod worlds;

use std::ops::Range;
use std::sync::Mutex;

use ferrodyn::thread_stack;
use ferrodyn_dynamics::hooks::Hooks;
use ferrodyn_dynamics::lanes::{best_of, next_of};
use ferrodyn_dynamics::{OwnedWorld, StepError};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::args::DataArg;
use crate::callbacks::PyHooks;
use crate::data::{Data, mismatch};
use crate::errors::step_error;
use crate::model::ModelRef;
use crate::state::signature;
use crate::warnings::tell_of_rollouts;
use abreast::Abreast;
use arrays::{Input, Models, Output};
pub(crate) use plan::Warned;
use plan::{Lengths, Plan, Rows, Start};
use share::{Caller, Progress, lock, share};

/// From so many steps of each thread on, worlds abreast are worth their memory.
const STEPS_FOR_A_GROUP: usize = 32;

/// The threads that roll out; none where the calling thread does it.
#[pyclass(frozen, module = "ferrodyn._native")]
pub(crate) struct Rollout {
    nthread: usize,
    pool: Option<ThreadPool>,
}

/// Consecutive rollouts and the places of their results.
struct Chunk<'a> {
    rollouts: Range<usize>,
    rows: Rows<'a>,
}

impl<'a> Chunk<'a> {
    /// The rollouts one by one, with so many rows each.
    fn each(mut self, lengths: Lengths, nstep: usize) -> impl Iterator<Item = (usize, Rows<'a>)> {
        self.rollouts.clone().map(move |rollout| (rollout, self.rows.take(lengths, nstep)))
    }
}

/// Cut a batch into chunks of so many rollouts.
fn chunks<'a>(
    nbatch: usize,
    size: usize,
    mut rows: Rows<'a>,
    lengths: Lengths,
    nstep: usize,
) -> Vec<Chunk<'a>> {
    let chunk = |first: usize| {
        let rollouts = first..nbatch.min(first + size);
        Chunk { rows: rows.take(lengths, rollouts.len() * nstep), rollouts }
    };
    (0..nbatch).step_by(size).map(chunk).collect()
}

/// A world and what is needed to step it: what one thread works with.
struct Lane<'a> {
    data: &'a Data,
    world: &'a mut OwnedWorld,
    hooks: Option<PyHooks>,
    /// Made when it is first needed.
    abreast: Option<Abreast>,
}

impl Lane<'_> {
    /// Run a function on the world and the callbacks; its error, or that of a callback.
    fn run<R>(
        &mut self,
        f: impl FnOnce(&mut OwnedWorld, Option<&mut dyn Hooks>) -> Result<R, StepError>,
    ) -> PyResult<R> {
        let hooks = self.hooks.as_mut().map(|hooks| -> &mut dyn Hooks { hooks });
        let world = &mut *self.world;
        let result = self.data.guarded(|| thread_stack::with(world, |world| f(world, hooks)));
        match self.hooks.as_mut().and_then(PyHooks::take_error) {
            Some(error) => Err(error),
            None => result?.map_err(step_error),
        }
    }
}

/// Models of one batch have one size: that of the world.
fn check_fit(models: &[ModelRef<'_>], world: &OwnedWorld) -> PyResult<()> {
    if models.iter().all(|model| world.fits(model)) { Ok(()) } else { Err(mismatch()) }
}

#[pymethods]
impl Rollout {
    #[new]
    #[pyo3(signature = (*, nthread))]
    fn new(nthread: i64) -> PyResult<Rollout> {
        let nthread = usize::try_from(nthread).unwrap_or(0);
        let start = || {
            let name = |i| format!("rollout-{i}");
            let pool = ThreadPoolBuilder::new().num_threads(nthread).thread_name(name).build();
            pool.map_err(|e| PyRuntimeError::new_err(e.to_string()))
        };
        Ok(Rollout { nthread, pool: (nthread > 0).then(start).transpose()? })
    }

    /// Roll out a batch. Arrays are row-major: states and warm starts `[nbatch, n]`, all others `[nbatch, nstep, n]`.
    #[pyo3(signature = (model, data, nstep, control_spec, state0, warmstart0=None, control=None, state=None, sensordata=None, chunk_size=None, progress=None))]
    fn rollout(
        &self,
        py: Python<'_>,
        model: Models<'_>,
        data: Vec<DataArg<'_>>,
        nstep: i64,
        control_spec: i64,
        state0: Input<'_>,
        warmstart0: Option<Input<'_>>,
        control: Option<Input<'_>>,
        mut state: Option<Output<'_>>,
        mut sensordata: Option<Output<'_>>,
        chunk_size: Option<i64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<()> {
        let nbatch = state0.count();
        self.check_number(data.len())?;
        let models = model.read(nbatch)?;
        let nstep = usize::try_from(nstep).unwrap_or(0);
        if nstep == 0 || nbatch == 0 {
            return Ok(());
        }
        let plan = Plan::new(models.iter().map(|m| &**m).collect(), signature(control_spec)?);
        let lengths = plan.lengths;
        let steps = nbatch * nstep;
        let warmstart0 =
            warmstart0.as_ref().map(|a| a.numbers("warmstart0", nbatch * lengths.warmstart));
        let control = control.as_ref().map(|a| a.numbers("control", steps * lengths.control));
        let state = state.as_mut().map(|a| a.numbers("state", steps * lengths.state));
        let sensordata =
            sensordata.as_mut().map(|a| a.numbers("sensordata", steps * lengths.sensordata));
        let rows = Rows { state: state.transpose()?, sensordata: sensordata.transpose()? };
        let control = control.transpose()?;

        let pool = self.threads(nbatch)?;
        let data = if pool.is_some() { &data[..] } else { &data[..1] };
        let mut locks = data.iter().map(|d| d.lock()).collect::<PyResult<Vec<_>>>()?;
        check_fit(&models, &locks[0])?;
        if !locks.iter().all(|world| world.fits(&models[0])) {
            return Err(mismatch());
        }
        let start = Start {
            state: state0.numbers("state0", nbatch * lengths.state)?,
            warmstart: warmstart0.transpose()?,
            inputs: plan::inputs(&models[0], &locks[0]).map_err(step_error)?,
        };
        let lanes: Vec<_> = data
            .iter()
            .zip(&mut locks)
            .map(|(d, lock)| {
                let hooks = PyHooks::new(py, &model.0[0], d);
                Lane { data: d, world: lock, hooks, abreast: None }
            })
            .collect();
        // callbacks are handed the object of each model
        let objects: Vec<Py<PyAny>> = match lanes[0].hooks {
            Some(_) => model.0.iter().map(|m| m.object().clone().unbind()).collect(),
            None => Vec::new(),
        };
        // of one model and without callbacks, rollouts may go abreast; a few steps are taken sooner than a group for them is made
        let may_go_abreast = plan.models.len() == 1
            && lanes[0].hooks.is_none()
            && steps >= STEPS_FOR_A_GROUP * lanes.len();
        let common = may_go_abreast.then(|| plan.models[0]);

        let (done, warned) = (Progress::new(), Mutex::new(Vec::new()));
        let mut caller = Caller::new(progress);
        let one = |lane: &mut Lane<'_>,
                   r: usize,
                   rows: &mut Rows<'_>,
                   wants: &mut dyn FnMut(usize) -> bool| {
            if let Some(hooks) = lane.hooks.as_mut().filter(|_| objects.len() > 1) {
                hooks.use_model(&objects[r]);
            }
            let control = control.map(|a| plan::row(a, r, nstep * lengths.control));
            let outcome = lane.run(|world, hooks| {
                plan.begin(&start, r, world)?;
                plan.roll(r, nstep, world, hooks, control, rows, &mut || wants(r))
            });
            match outcome {
                Ok(early) => {
                    lock(&warned).extend(early);
                    done.finish();
                }
                Err(error) => done.fail(r, error),
            }
        };
        let work = |lane: &mut Lane<'_>, chunk: Chunk<'_>, wants: &mut dyn FnMut(usize) -> bool| {
            let make = || Abreast::new(common, lane.world);
            let mut abreast = lane.abreast.take().unwrap_or_else(make);
            let mut rollouts: Vec<_> = chunk.each(lengths, nstep).collect();
            let (mut rest, mut last) = (&mut rollouts[..], None);
            while let Some(first) = rest.first().map(|(r, _)| *r).filter(|r| wants(*r)) {
                let (some, others) = rest.split_at_mut(next_of(rest.len(), abreast.places()));
                rest = others;
                let go_on = &mut || wants(first);
                let well = abreast.roll(&plan, &start, nstep, control, some, go_on);
                for ((r, rows), well) in some.iter_mut().zip(well) {
                    last = well.then_some(*r);
                    match well {
                        true => done.finish(),
                        false if wants(*r) => one(lane, *r, rows, wants),
                        false => break,
                    }
                }
            }
            // the world of the thread is left as its last rollout would leave it
            if let Some(r) = last
                && let Err(error) =
                    lane.run(|world, _| abreast.take_last_step(&plan, &start, r, world))
            {
                done.fail(r, error);
            }
            lane.abreast = Some(abreast);
        };
        let size = self.chunk_size(nbatch, chunk_size, common.map_or(1, best_of))?;
        let jobs = chunks(nbatch, size, rows, lengths, nstep);
        py.detach(|| share(pool, &done, &mut caller, lanes, jobs, &work))?;
        caller.tell(py, &done)?;
        done.outcome()?;
        tell_of_rollouts(py, warned.into_inner().unwrap_or_default(), nbatch)
    }
}

impl Rollout {
    /// There is one world for each thread.
    fn check_number(&self, count: usize) -> PyResult<()> {
        let message = match (count, self.nthread) {
            (0, _) => "The list of data instances is empty".to_owned(),
            (2.., 0) => {
                "More than one data instance passed but rollout is configured to run on main thread"
                    .to_owned()
            }
            (_, nthread) if nthread > 0 && nthread != count => {
                format!("Length of data: {count} not equal to nthread: {nthread}")
            }
            _ => return Ok(()),
        };
        Err(PyValueError::new_err(message))
    }

    /// The threads, where there is something to share.
    fn threads(&self, nbatch: usize) -> PyResult<Option<&ThreadPool>> {
        let pool = self.pool.as_ref().filter(|_| nbatch > 1);
        match pool {
            // it would wait for itself
            Some(pool) if pool.current_thread_index().is_some() => Err(PyRuntimeError::new_err(
                "a callback of a rollout cannot roll out on the same threads",
            )),
            pool => Ok(pool),
        }
    }

    /// How many rollouts a thread takes at once, unless the user says how many: ten portions for each thread, of whole groups where
    /// rollouts go abreast.
    fn chunk_size(&self, nbatch: usize, wanted: Option<i64>, group: usize) -> PyResult<usize> {
        let threads = self.nthread.max(1);
        match wanted {
            None => {
                let portion = (nbatch / (10 * threads)).max(1).next_multiple_of(group);
                Ok(portion.min(nbatch.div_ceil(threads)))
            }
            Some(wanted) => usize::try_from(wanted)
                .ok()
                .filter(|size| *size > 0)
                .ok_or_else(|| PyValueError::new_err("chunk_size must be positive")),
        }
    }
}

pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<Rollout>()?;
    m.add_class::<worlds::Worlds>()
}
