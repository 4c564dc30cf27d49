//! Control sequences run from initial states, for planning by sampling.
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use ferrodyn_dynamics::data::{read_state_of, state_size, write_state};
use ferrodyn_dynamics::divergence::DivergencePolicy;
use ferrodyn_dynamics::lanes::{Best, Group, best_of, next_of};
use ferrodyn_dynamics::step::step;
use ferrodyn_dynamics::{OwnedWorld, StepError};
use ferrodyn_math::Real;
use ferrodyn_model::{Model, StateBit};

use crate::bench::Bench;
use crate::output::check_length;
use crate::pool::{Pool, both};
use crate::{BatchError, BatchOutputs, BatchSim};

/// The state from which everything else follows: time, positions, velocities, activations, histories, states of plugins.
const FULL: i32 = StateBit::FullPhysics as i32;

/// Runs control sequences from initial states, all of them at once.
///
/// It keeps its threads and its worlds from call to call. A thread takes several rollouts abreast where the model allows it, with the bits of each alone:
/// results are the same for any number of threads.
///
/// ```
/// use ferrodyn::batch::{Rollout, RolloutInput};
/// let model = ferrodyn::load_model(
///     "<mujoco><worldbody><body><joint name='hinge' axis='0 1 0'/><geom size='.1' pos='0 0 -1'/></body></worldbody>
///      <actuator><motor joint='hinge'/></actuator></mujoco>",
/// )?;
/// let mut rollout = Rollout::new(model.shared(), 0)?;
/// // two states (time, qpos, qvel), three controls each
/// let input = RolloutInput {
///     initial: &[0.0, 0.0, 0.0, 0.0, 0.5, 0.0],
///     controls: &[1.0, 1.0, 1.0, -1.0, -1.0, -1.0],
///     steps: 3,
///     ..RolloutInput::default()
/// };
/// let result = rollout.run(&input)?;
/// assert_eq!(result.states.len(), 2 * 3 * 3);
/// assert_eq!(result.states[0], model.opt.timestep);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Rollout {
    model: Arc<Model>,
    pool: Pool,
    /// Benches at which nobody works at the moment.
    benches: Mutex<Vec<Bench>>,
}

/// What is run.
#[derive(Clone, Copy, Debug, Default)]
pub struct RolloutInput<'a> {
    /// Row-major `[n, state]`: initial states, as [`StateBit::FullPhysics`] lists them.
    pub initial: &'a [Real],
    /// Row-major `[n, steps, nu]`: controls. Nothing at all stands for zeros.
    pub controls: &'a [Real],
    /// How many steps each of them takes.
    pub steps: usize,
    /// Row-major `[n, nv]`: accelerations from which the first step's solver starts; zeros without it.
    pub warmstart: Option<&'a [Real]>,
    /// Work ends soon after somebody sets this, with [`BatchError::Cancelled`].
    pub cancel: Option<&'a AtomicBool>,
}

/// What came out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RolloutResult {
    /// Row-major `[n, steps, state]`: the state after each step.
    pub states: Vec<Real>,
    /// Row-major `[n, steps, nsensordata]`: the sensors of each step.
    pub sensors: Vec<Real>,
    /// What went wrong; the rows from that step on repeat the state before it.
    pub errors: Vec<Option<StepError>>,
}

/// Some of the rollouts, with their rows.
struct Part<'a> {
    initial: &'a [Real],
    controls: &'a [Real],
    warmstart: Option<&'a [Real]>,
    states: &'a mut [Real],
    sensors: &'a mut [Real],
    errors: &'a mut [Option<StepError>],
}

/// Lengths of rows.
#[derive(Clone, Copy)]
struct Lengths {
    state: usize,
    steps: usize,
    nu: usize,
    nv: usize,
    sensor: usize,
}

impl<'a> Part<'a> {
    fn split_at(self, count: usize, n: &Lengths) -> (Part<'a>, Part<'a>) {
        let (initial, other_initial) = self.initial.split_at(count * n.state);
        let (controls, other_controls) =
            self.controls.split_at((count * n.steps * n.nu).min(self.controls.len()));
        let (warmstart, other_warmstart) =
            self.warmstart.map(|rows| rows.split_at(count * n.nv)).unzip();
        let (states, other_states) = self.states.split_at_mut(count * n.steps * n.state);
        let (sensors, other_sensors) = self.sensors.split_at_mut(count * n.steps * n.sensor);
        let (errors, other_errors) = self.errors.split_at_mut(count);
        (
            Part { initial, controls, warmstart, states, sensors, errors },
            Part {
                initial: other_initial,
                controls: other_controls,
                warmstart: other_warmstart,
                states: other_states,
                sensors: other_sensors,
                errors: other_errors,
            },
        )
    }

    /// Do something with so many of them at a time, or one after the other, until the work is cancelled.
    fn each(self, group: usize, n: &Lengths, cancel: &AtomicBool, mut work: impl FnMut(Part<'a>)) {
        let mut rest = self;
        while !rest.errors.is_empty() && !cancel.load(Ordering::Relaxed) {
            let count = next_of(rest.errors.len(), group);
            let (next, others) = rest.split_at(count, n);
            rest = others;
            work(next);
        }
    }

    /// Each of them.
    fn ones(self, n: &Lengths) -> Vec<Part<'a>> {
        let (mut ones, mut rest) = (Vec::with_capacity(self.errors.len()), self);
        while !rest.errors.is_empty() {
            let (one, others) = rest.split_at(1, n);
            ones.push(one);
            rest = others;
        }
        ones
    }

    /// The controls of a step of the first rollout, if there are any.
    fn controls(&self, at: usize, n: &Lengths) -> Option<&[Real]> {
        let controls = self.controls.get(at * n.nu..(at + 1) * n.nu)?;
        (!controls.is_empty()).then_some(controls)
    }

    /// Write what came of a step of the first rollout.
    fn write(
        &mut self,
        at: usize,
        n: &Lengths,
        world: &OwnedWorld,
        outcome: Result<(), StepError>,
    ) {
        let state = &mut self.states[at * n.state..(at + 1) * n.state];
        let written = read_state_of(world, FULL, state);
        let sensors = &mut self.sensors[at * n.sensor..(at + 1) * n.sensor];
        sensors.copy_from_slice(world.sensordata());
        // what went wrong first counts
        self.errors[0] = self.errors[0].take().or(outcome.and(written).err());
    }
}

impl Rollout {
    /// For a model, with so many threads; zero for one on each core.
    pub fn new(model: Arc<Model>, threads: usize) -> Result<Rollout, BatchError> {
        let first = OwnedWorld::try_new(&model)?;
        let first = Bench { alone: first, abreast: Best::of(&model) };
        Ok(Rollout { model, pool: Pool::new(threads)?, benches: Mutex::new(vec![first]) })
    }

    /// Run every control sequence from its initial state.
    pub fn run(&mut self, input: &RolloutInput<'_>) -> Result<RolloutResult, BatchError> {
        let m = &self.model;
        let n = Lengths {
            state: state_size(m, FULL),
            steps: input.steps,
            nu: m.nu,
            nv: m.nv,
            sensor: m.nsensordata,
        };
        let count = input.initial.len() / n.state;
        check_length("initial states", input.initial.len(), count * n.state)?;
        if !input.controls.is_empty() {
            check_length("controls", input.controls.len(), count * n.steps * n.nu)?;
        }
        if let Some(rows) = input.warmstart {
            check_length("warm starts", rows.len(), count * n.nv)?;
        }
        let mut result = RolloutResult {
            states: vec![0.0; count * n.steps * n.state],
            sensors: vec![0.0; count * n.steps * n.sensor],
            errors: vec![None; count],
        };
        let part = Part {
            initial: input.initial,
            controls: input.controls,
            warmstart: input.warmstart,
            states: &mut result.states,
            sensors: &mut result.sensors,
            errors: &mut result.errors,
        };
        let never = AtomicBool::new(false);
        let cancel = input.cancel.unwrap_or(&never);
        // eight parts for each thread: when one runs out of work, another one has some to give; of whole groups, if there are enough of them
        let threads = self.pool.threads();
        let (group, share) = (best_of(m), count.div_ceil(threads).max(1));
        let grain = match threads {
            1 => share,
            _ => share.div_ceil(8).next_multiple_of(group).min(share),
        };
        let unit = if grain.is_multiple_of(group) { group } else { 1 };
        self.pool.run(|| self.share(part, (grain, unit), &n, cancel));
        if cancel.load(Ordering::Relaxed) { Err(BatchError::Cancelled) } else { Ok(result) }
    }

    /// Cut them in halves down to parts of at most `grain`, at multiples of `unit`.
    fn share(
        &self,
        part: Part<'_>,
        (grain, unit): (usize, usize),
        n: &Lengths,
        cancel: &AtomicBool,
    ) {
        let count = part.errors.len();
        if count > grain {
            let (a, b) = part.split_at((count / 2).next_multiple_of(unit), n);
            both(
                || self.share(a, (grain, unit), n, cancel),
                || self.share(b, (grain, unit), n, cancel),
            );
            return;
        }
        // a thread that panicked left no bench here, and harmed none
        let lend = || self.benches.lock().unwrap_or_else(PoisonError::into_inner);
        let idle = lend().pop();
        let mut bench = idle.unwrap_or_else(|| self.bench());
        let Bench { alone, abreast } = &mut bench;
        match abreast {
            Best::Alone => part.each(1, n, cancel, |part| self.alone(alone, part, n, cancel)),
            Best::Four(group) => self.work_abreast(alone, group, part, n, cancel),
            Best::Eight(group) => self.work_abreast(alone, group, part, n, cancel),
        }
        lend().push(bench);
    }

    fn bench(&self) -> Bench {
        Bench { alone: OwnedWorld::new(&self.model), abreast: Best::of(&self.model) }
    }

    /// Run them in groups, and what is left alone.
    fn work_abreast<const K: usize>(
        &self,
        alone: &mut OwnedWorld,
        group: &mut Group<K>,
        part: Part<'_>,
        n: &Lengths,
        cancel: &AtomicBool,
    ) {
        part.each(Group::<K>::WORLDS, n, cancel, |part| match part.errors.len() {
            1 => self.alone(alone, part, n, cancel),
            _ => self.abreast(group, part, n, cancel),
        });
    }

    /// Run one of them.
    fn alone(&self, world: &mut OwnedWorld, mut part: Part<'_>, n: &Lengths, cancel: &AtomicBool) {
        part.errors[0] = self.begin(world, &part).err();
        for at in 0..n.steps {
            if cancel.load(Ordering::Relaxed) {
                return;
            }
            let mut outcome = Ok(());
            if part.errors[0].is_none() {
                if let Some(controls) = part.controls(at, n) {
                    world.ctrl_mut().copy_from_slice(controls);
                }
                outcome = step(&self.model, world).map(|_| ());
            }
            part.write(at, n, world, outcome);
        }
    }

    /// Run some of them, at most as many as the group has places.
    fn abreast<const K: usize>(
        &self,
        group: &mut Group<K>,
        part: Part<'_>,
        n: &Lengths,
        cancel: &AtomicBool,
    ) {
        (0..Group::<K>::WORLDS).for_each(|place| group.leave(place));
        let mut parts = part.ones(n);
        for (place, part) in parts.iter_mut().enumerate() {
            part.errors[0] = self.begin(group.begin(place), part).err();
            if part.errors[0].is_some() {
                group.leave(place);
            }
        }
        for at in 0..n.steps {
            if cancel.load(Ordering::Relaxed) {
                return;
            }
            for (place, part) in parts.iter().enumerate() {
                if let Some(controls) = part.controls(at, n) {
                    group.set_ctrl(place, controls);
                }
            }
            // what is written of a world is its state and its sensors
            let stepped = group.step(&self.model, 1, n.sensor > 0);
            for (place, part) in parts.iter_mut().enumerate() {
                let outcome = stepped.and_then(|()| group.outcome(place)).map(|_| ());
                part.write(at, n, group.results(place), outcome);
            }
        }
    }

    /// Set a world to the beginning of the first rollout of a part, whatever happened in it before.
    fn begin(&self, world: &mut OwnedWorld, part: &Part<'_>) -> Result<(), StepError> {
        world.set_divergence_policy(DivergencePolicy::Error);
        ferrodyn_dynamics::data::reset(&self.model, world)?;
        write_state(&mut world.view_mut(), part.initial, FULL)?;
        if let Some(warmstart) = part.warmstart {
            world.qacc_warmstart_mut().copy_from_slice(warmstart);
        }
        Ok(())
    }
}

impl BatchSim {
    /// Run all worlds for so many calls of [`BatchSim::step_all`] with a policy: a function that sees the number of the call, all states (`[n, nq +
    /// nv]`) and writes all controls (`[n, nu]`). Rows of the result are states, `[n, steps, nq + nv]`.
    ///
    /// A world that fails or comes to an end goes on as in [`BatchSim::step_all`]; its first error is reported.
    ///
    /// ```
    /// use ferrodyn::{BatchSim, load_model};
    /// let model = load_model(
    ///     "<mujoco><worldbody><body><joint name='hinge' axis='0 1 0'/><geom size='.1' pos='0 0 -1'/></body></worldbody>
    ///      <actuator><motor joint='hinge'/></actuator></mujoco>",
    /// )?;
    /// let mut batch = BatchSim::new(model.shared(), 2)?;
    /// batch.start_at_states(&[0.2, 0.0, -0.2, 0.0])?;
    /// batch.reset_all()?;
    /// let result = batch.rollout(5, |_, states, controls| {
    ///     for (row, control) in states.chunks(2).zip(controls) {
    ///         *control = -10.0 * row[0] - row[1];
    ///     }
    /// })?;
    /// assert_eq!(result.states.len(), 2 * 5 * 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rollout(
        &mut self,
        steps: usize,
        mut policy: impl FnMut(usize, &[Real], &mut [Real]),
    ) -> Result<RolloutResult, BatchError> {
        let (count, row) = (self.len(), self.model().nq + self.model().nv);
        let sensor = self.model().nsensordata;
        let mut result = RolloutResult {
            states: vec![0.0; count * steps * row],
            sensors: vec![0.0; count * steps * sensor],
            errors: vec![None; count],
        };
        let mut states = self.result().states.clone();
        let mut sensors = vec![0.0; count * sensor];
        let mut errors = vec![None; count];
        for at in 0..steps {
            policy(at, &states, self.controls_mut());
            self.step_into(BatchOutputs {
                states: Some(&mut states),
                sensors: Some(&mut sensors),
                errors: Some(&mut errors),
                ..BatchOutputs::default()
            })?;
            for i in 0..count {
                let to = i * steps + at;
                result.states[to * row..][..row].copy_from_slice(&states[i * row..][..row]);
                result.sensors[to * sensor..][..sensor]
                    .copy_from_slice(&sensors[i * sensor..][..sensor]);
                result.errors[i] = result.errors[i].take().or(errors[i].take());
            }
        }
        Ok(result)
    }
}
