//! A batch: worlds of one model that are stepped together.
use std::fmt;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ferrodyn_dynamics::data::{Layout, Worlds, state_size};
use ferrodyn_dynamics::divergence::DivergencePolicy;
use ferrodyn_dynamics::lanes::gain;
use ferrodyn_dynamics::{OwnedWorld, StepError, World};
use ferrodyn_math::Real;
use ferrodyn_model::{Model, StateBit};

use crate::bench::{Bench, Benches};
use crate::observed::Observed;
use crate::output::{Sizes, check_length};
use crate::parameters::Parameters;
use crate::pool::{Pool, Watch};
use crate::share::Part;
use crate::work::{Settings, Shared, Start, Task};
use crate::{BatchError, BatchOutputs, BatchResult, RewardFn, TerminationFn};

/// Worlds of one model that are stepped together, on all cores.
///
/// Every world has its own state and controls. What a world has to remember, its state and little more, lies with that of all others in one
/// allocation; threads step them in memory of their own, several abreast where the model allows it. A world that fails or comes to an end stops for
/// itself: its row says so, and the next call brings it back to its initial state instead of stepping it, as vector environments do.
/// Results are the same for any number of threads, and those of a world that is alone.
///
/// ```
/// use ferrodyn::{BatchSim, load_model};
/// let model = load_model(
///     "<mujoco><worldbody><geom type='plane' size='5 5 .1'/>
///      <body pos='0 0 1'><freejoint/><geom size='.1'/></body></worldbody></mujoco>",
/// )?;
/// let mut batch = BatchSim::new(model.shared(), 64)?;
/// batch.set_frame_skip(5)?;
/// batch.set_time_limit(Some(0.05))?;
/// for _ in 0..5 {
///     assert_eq!(batch.step_all()?.states.len(), 64 * (model.nq + model.nv));
/// }
/// assert!(batch.result().truncated.iter().all(|&over| over));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct BatchSim {
    model: Arc<Model>,
    worlds: Worlds,
    /// Parameters that differ from world to world, if any do.
    pub(crate) parameters: Option<Parameters>,
    controls: Vec<Real>,
    start: Start,
    settings: Settings,
    observed: Observed,
    pending: Vec<bool>,
    result: BatchResult,
    pool: Pool,
    benches: Benches,
}

impl fmt::Debug for BatchSim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("BatchSim");
        out.field("worlds", &self.len()).field("threads", &self.threads()).finish_non_exhaustive()
    }
}

impl BatchSim {
    /// So many worlds of a model at its reference pose, on one thread for each core. No worlds at all are a batch too.
    ///
    /// A world that diverges is an error of that world (see [`BatchSim::set_divergence_policy`]).
    pub fn new(model: Arc<Model>, count: usize) -> Result<BatchSim, BatchError> {
        let mut worlds = Worlds::new(&model, count)?;
        worlds.set_divergence_policy(DivergencePolicy::Error);
        let mut result = BatchResult::new(count, model.nq + model.nv);
        for row in result.states.chunks_exact_mut((model.nq + model.nv).max(1)) {
            row[..model.nq].copy_from_slice(&model.qpos0);
        }
        let pool = Pool::new(0)?;
        let mut batch = BatchSim {
            controls: vec![0.0; count * model.nu],
            pending: vec![false; count],
            start: Start::Reference,
            settings: Settings {
                frame_skip: NonZeroUsize::MIN,
                reward: None,
                termination: None,
                time_limit: None,
                auto_reset: true,
            },
            observed: Observed::default(),
            parameters: None,
            benches: Benches::new(pool.threads()),
            pool,
            result,
            worlds,
            model,
        };
        batch.reset_all()?;
        Ok(batch)
    }

    /// How many worlds there are.
    pub fn len(&self) -> usize {
        self.worlds.len()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.worlds.is_empty()
    }

    /// The model that all worlds are of.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    pub(crate) fn layout(&self) -> &Layout {
        self.worlds.layout()
    }

    pub(crate) fn set_observed(&mut self, observed: Observed) {
        self.observed = observed;
    }

    /// Bytes that all worlds take. Beside them each thread has memory of the size of one [`OwnedWorld`], in which it steps them.
    pub fn memory_size(&self) -> usize {
        self.worlds.memory_size()
    }

    /// How many threads share the work.
    pub fn threads(&self) -> usize {
        self.pool.threads()
    }

    /// Share the work among so many threads; zero for one on each core. Without the feature `parallel` there is one.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), BatchError> {
        self.pool = Pool::new(threads)?;
        self.benches = Benches::new(self.pool.threads());
        Ok(())
    }

    /// How many time steps a call takes, with the same controls; one unless it is set.
    pub fn set_frame_skip(&mut self, steps: usize) -> Result<(), BatchError> {
        self.settings.frame_skip = NonZeroUsize::new(steps).ok_or(BatchError::NoSteps)?;
        Ok(())
    }

    /// Choose what is rewarded from now on; see [`RewardFn`].
    pub fn set_reward(&mut self, reward: impl RewardFn + 'static) {
        self.settings.reward = Some(Box::new(reward));
    }

    /// Choose when a world has come to an end; see [`TerminationFn`].
    pub fn set_termination(&mut self, termination: impl TerminationFn + 'static) {
        self.settings.termination = Some(Box::new(termination));
    }

    /// Truncate worlds when their time, which a reset sets to zero or to that of a keyframe, reaches so many seconds.
    pub fn set_time_limit(&mut self, seconds: Option<Real>) -> Result<(), BatchError> {
        if let Some(seconds) = seconds.filter(|seconds| !(seconds.is_finite() && *seconds > 0.0)) {
            return Err(BatchError::TimeLimit(seconds));
        }
        self.settings.time_limit = seconds;
        Ok(())
    }

    /// Shall the next call reset worlds that have come to an end? It does unless this is switched off; then they go on from where they
    /// are until [`BatchSim::reset_where`] resets them.
    pub fn set_auto_reset(&mut self, auto_reset: bool) {
        self.settings.auto_reset = auto_reset;
    }

    /// Choose what happens to a world that diverges: an error of that world (the default of a batch), or what other policies say.
    pub fn set_divergence_policy(&mut self, policy: DivergencePolicy) {
        self.worlds.set_divergence_policy(policy);
    }

    /// Let worlds begin at a keyframe from the next reset on.
    pub fn start_at_keyframe(&mut self, key: usize) -> Result<(), BatchError> {
        if key >= self.model.nkey {
            return Err(BatchError::NoSuchKeyframe { key, count: self.model.nkey });
        }
        self.start = Start::Keyframe(key);
        Ok(())
    }

    /// Let each world begin at a state of its own from the next reset on: rows of `qpos` and `qvel`, as those of
    /// [`BatchResult::states`].
    pub fn start_at_states(&mut self, rows: &[Real]) -> Result<(), BatchError> {
        self.start_at(StateBit::Qpos as i32 | StateBit::Qvel as i32, rows)
    }

    /// Let each world begin at a state vector of its own from the next reset on, for a union of
    /// [`StateBit`](ferrodyn_model::StateBit)s; what those leave out is as at the reference pose.
    pub fn start_at(&mut self, spec: i32, rows: &[Real]) -> Result<(), BatchError> {
        let expected = self.len() * state_size(&self.model, spec);
        check_length("initial states", rows.len(), expected)?;
        match &mut self.start {
            Start::States { spec: own, rows: own_rows } if *own == spec => {
                own_rows.copy_from_slice(rows);
            }
            start => *start = Start::States { spec, rows: rows.to_vec() },
        }
        Ok(())
    }

    /// Let worlds begin at the reference pose again from the next reset on.
    pub fn start_at_reference(&mut self) {
        self.start = Start::Reference;
    }

    /// Row-major `[n, nu]`: the controls that the next call applies.
    pub fn controls(&self) -> &[Real] {
        &self.controls
    }

    /// The controls that the next call applies, to be changed in place.
    pub fn controls_mut(&mut self) -> &mut [Real] {
        &mut self.controls
    }

    /// Set the controls of all worlds.
    pub fn set_controls(&mut self, controls: &[Real]) -> Result<(), BatchError> {
        check_length("controls", controls.len(), self.controls.len())?;
        self.controls.copy_from_slice(controls);
        Ok(())
    }

    /// What came of the last [`BatchSim::step_all`], or of a reset after it.
    pub fn result(&self) -> &BatchResult {
        &self.result
    }

    /// Call a function with a view of one world, in which everything can be read. What it changes of time, state, inputs and sensors
    /// stays changed; all else follows from them.
    ///
    /// The world is as the last call left it: what is computed from the configuration belongs to the state from which the last step was taken, with the
    /// parameters of that step. A batch keeps that state instead of these results, and takes the step once more.
    pub fn with_world<R>(
        &mut self,
        index: usize,
        f: impl FnOnce(&mut World<'_>) -> R,
    ) -> Result<R, BatchError> {
        self.check_world(index)?;
        let mut bench = self.benches.take(|| Bench::new(self.worlds.bench()));
        recall(&self.model, self.parameters.as_ref(), &self.worlds, index, &mut bench.alone);
        let result = f(&mut bench.alone.view_mut());
        self.worlds.world(index).remember(&bench.alone);
        self.benches.put(bench);
        Ok(result)
    }

    /// A copy of one world that owns its memory, as [`BatchSim::with_world`] sees it.
    pub fn world(&self, index: usize) -> Result<OwnedWorld, BatchError> {
        self.check_world(index)?;
        let mut world = self.worlds.bench();
        recall(&self.model, self.parameters.as_ref(), &self.worlds, index, &mut world);
        Ok(world)
    }

    /// State vectors of all worlds for a union of [`StateBit`](ferrodyn_model::StateBit)s, a row for each: a batch that
    /// [starts at](BatchSim::start_at) those of [`StateBit::Integration`](ferrodyn_model::StateBit) goes on as this one does.
    pub fn states_of(&mut self, spec: i32, rows: &mut [Real]) -> Result<(), BatchError> {
        let length = state_size(&self.model, spec);
        check_length("states", rows.len(), self.len() * length)?;
        let mut bench = self.benches.take(|| Bench::new(self.worlds.bench()));
        for (index, row) in rows.chunks_exact_mut(length.max(1)).enumerate() {
            self.worlds.read_state(index, &mut bench.alone, spec, row)?;
        }
        self.benches.put(bench);
        Ok(())
    }

    pub(crate) fn check_world(&self, index: usize) -> Result<(), BatchError> {
        let count = self.len();
        if index < count { Ok(()) } else { Err(BatchError::NoSuchWorld { index, count }) }
    }

    /// Bring one world to its initial state.
    pub fn reset(&mut self, index: usize) -> Result<(), BatchError> {
        self.check_world(index)?;
        let mut which = vec![false; self.len()];
        which[index] = true;
        self.reset_where(&which)
    }

    /// Bring all worlds to their initial states.
    pub fn reset_all(&mut self) -> Result<(), BatchError> {
        self.reset_where(&vec![true; self.len()])
    }

    /// Bring those worlds to their initial states that are marked; all others, and their rows, stay as they are. Everything that follows from an
    /// initial state is computed.
    pub fn reset_where(&mut self, which: &[bool]) -> Result<(), BatchError> {
        let mut result = std::mem::take(&mut self.result);
        let outcome = self.reset_into(which, result.outputs());
        self.result = result;
        outcome
    }

    /// As [`BatchSim::reset_where`], with the rows of the worlds that are marked written to memory of the caller.
    pub fn reset_into(
        &mut self,
        which: &[bool],
        outputs: BatchOutputs<'_>,
    ) -> Result<(), BatchError> {
        check_length("the mask", which.len(), self.len())?;
        let task = |index: usize, _| if which[index] { Task::Reset } else { Task::Nothing };
        self.each(outputs, task, None)
    }

    /// Step all worlds. Those that came to an end in the call before are brought to their initial states instead (unless
    /// [`BatchSim::set_auto_reset`] says otherwise): their row is that state, and their reward zero.
    pub fn step_all(&mut self) -> Result<&BatchResult, BatchError> {
        let mut result = std::mem::take(&mut self.result);
        let outcome = self.step_into(result.outputs());
        self.result = result;
        outcome.map(|()| &self.result)
    }

    /// As [`BatchSim::step_all`], with results written to memory of the caller, as far as it asks for them.
    pub fn step_into(&mut self, outputs: BatchOutputs<'_>) -> Result<(), BatchError> {
        self.each(outputs, self.next_task(), None)
    }

    /// As [`BatchSim::step_into`], with a question now and then: the calling thread asks `go_on`, every 50 ms while it waits for others and every few
    /// worlds where it steps them itself. Where that says no, the call ends soon with [`BatchError::Cancelled`]: worlds that were reached by then have
    /// taken all their steps, and their rows are written; all others are as they were before the call.
    pub fn step_while(
        &mut self,
        outputs: BatchOutputs<'_>,
        mut go_on: impl FnMut() -> bool,
    ) -> Result<(), BatchError> {
        self.each(outputs, self.next_task(), Some(&mut go_on))
    }

    /// What the next step does with a world, by its number and whether it has come to an end.
    fn next_task(&self) -> impl Fn(usize, bool) -> Task + Sync + use<> {
        let auto_reset = self.settings.auto_reset;
        move |_, pending| if pending && auto_reset { Task::Reset } else { Task::Step }
    }

    /// Do something with all worlds and their rows, chosen by the number of a world and whether it is to be reset.
    fn each(
        &mut self,
        outputs: BatchOutputs<'_>,
        task: impl Fn(usize, bool) -> Task + Sync,
        go_on: Option<&mut dyn FnMut() -> bool>,
    ) -> Result<(), BatchError> {
        let sizes = Sizes {
            state: self.model.nq + self.model.nv,
            sensor: self.model.nsensordata,
            observed: self.observed.columns(),
        };
        outputs.check(self.len(), &sizes)?;
        self.derive(|world| task(world, false) == Task::Nothing)?;
        let benches = &self.benches;
        let abreast = self.parameters.is_none() && gain(&self.model);
        let part = Part {
            first: 0,
            worlds: self.worlds.all(),
            rows: outputs,
            sizes,
            pending: &mut self.pending,
        };
        let stop = AtomicBool::new(false);
        let shared = Shared {
            model: &self.model,
            parameters: self.parameters.as_ref(),
            controls: &self.controls,
            start: &self.start,
            settings: &self.settings,
            observed: &self.observed,
            stop: &stop,
        };
        let work = |part: Part<'_>| {
            let mut bench = benches.take(|| Bench::new(part.worlds.bench()));
            if abreast {
                bench.go_abreast(shared.model);
            }
            shared.work(part, &mut bench, &task);
            benches.put(bench);
        };
        match go_on {
            None => part.share(&self.pool, &work),
            Some(go_on) => {
                let mut watch = Watch { go_on, stop: &stop };
                part.share_watched(&self.pool, &mut watch, &work);
            }
        }
        if stop.load(Ordering::Relaxed) { Err(BatchError::Cancelled) } else { Ok(()) }
    }

    /// Derive what follows from parameters that were changed. Worlds that are idle in this call can be looked at as they were.
    pub(crate) fn derive(&mut self, idle: impl Fn(usize) -> bool) -> Result<(), BatchError> {
        let BatchSim { model, parameters: Some(parameters), worlds, .. } = self else {
            return Ok(());
        };
        if parameters.let_trees_sleep() && !worlds.remembers_all() {
            let parameters = Some(&*parameters);
            worlds.remember_all(|worlds, i, bench| recall(model, parameters, worlds, i, bench));
        }
        Ok(parameters.derive(model, idle)?)
    }
}

/// Make a bench what a world was after the last call.
fn recall(
    model: &Model,
    parameters: Option<&Parameters>,
    worlds: &Worlds,
    index: usize,
    bench: &mut OwnedWorld,
) {
    match parameters {
        None => worlds.recall(index, model, bench),
        Some(parameters) => worlds.recall(index, &parameters.last_model(model, index), bench),
    }
}

/// A batch can be handed to another thread.
const _: () = {
    const fn check<T: Send + Sync>() {}
    check::<BatchSim>();
    check::<StepError>();
};
