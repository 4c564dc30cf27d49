//! What a call does with the worlds of a batch: steps, alone or abreast, and resets.
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};

use ferrodyn_dynamics::data::{state_size, write_keyframe, write_state};
use ferrodyn_dynamics::lanes::{Best, Group, next_of};
use ferrodyn_dynamics::{OwnedWorld, StepError, StepReport, World};
use ferrodyn_math::Real;
use ferrodyn_model::{EnableBit, Model, Storage};

use crate::bench::Bench;
use crate::observed::Observed;
use crate::output::Verdict;
use crate::parameters::Parameters;
use crate::share::{One, Part};
use crate::{BatchOutputs, RewardFn, TerminationFn};

/// Where worlds begin.
pub(crate) enum Start {
    /// At the reference pose.
    Reference,
    Keyframe(usize),
    /// Each from a row of state vectors for a union of `StateBit`s.
    States {
        spec: i32,
        rows: Vec<Real>,
    },
}

/// What a call does with every world.
pub(crate) struct Settings {
    pub(crate) frame_skip: NonZeroUsize,
    pub(crate) reward: Option<Box<dyn RewardFn>>,
    pub(crate) termination: Option<Box<dyn TerminationFn>>,
    /// In seconds.
    pub(crate) time_limit: Option<Real>,
    pub(crate) auto_reset: bool,
}

/// What a call does with a world.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Task {
    Nothing,
    Reset,
    Step,
}

/// What all worlds share during a call.
pub(crate) struct Shared<'a> {
    pub(crate) model: &'a Model,
    pub(crate) parameters: Option<&'a Parameters>,
    pub(crate) controls: &'a [Real],
    pub(crate) start: &'a Start,
    pub(crate) settings: &'a Settings,
    pub(crate) observed: &'a Observed,
    /// Set by somebody for whom the work shall end; worlds that were not reached stay as they are.
    pub(crate) stop: &'a AtomicBool,
}

impl Shared<'_> {
    /// Do with every world of a part what is to be done with it.
    pub(crate) fn work(
        &self,
        part: Part<'_>,
        bench: &mut Bench,
        task: &impl Fn(usize, bool) -> Task,
    ) {
        let Bench { alone, abreast } = bench;
        if let Some(parameters) = self.parameters {
            // one model for all of them, in which what differs is exchanged
            let mut own = self.model.borrowed();
            return part.each(self.stop, |one| {
                parameters.put_into(&mut own, one.index);
                let task = task(one.index, *one.pending);
                self.one(&own, one, alone, task);
            });
        }
        match abreast {
            Best::Alone => part.each(self.stop, |one| {
                let task = task(one.index, *one.pending);
                self.one(self.model, one, alone, task);
            }),
            Best::Four(group) => self.work_abreast(part, alone, group, task),
            Best::Eight(group) => self.work_abreast(part, alone, group, task),
        }
    }

    /// Do with every world of a part what is to be done with it; those that step go abreast.
    fn work_abreast<const K: usize>(
        &self,
        mut part: Part<'_>,
        alone: &mut OwnedWorld,
        group: &mut Group<K>,
        task: &impl Fn(usize, bool) -> Task,
    ) {
        let (mut which, mut count) = ([0; Best::MOST], 0);
        for i in 0..part.len() {
            if self.stop.load(Ordering::Relaxed) {
                return;
            }
            match task(part.first + i, part.pending[i]) {
                Task::Step => {
                    which[count] = i;
                    count += 1;
                }
                task => self.one(self.model, part.one(i), alone, task),
            }
            if count == Group::<K>::WORLDS {
                self.step_abreast(&mut part, &which[..count], alone, group);
                count = 0;
            }
        }
        let rest = &which[..count];
        if next_of(count, Group::<K>::WORLDS) > 1 {
            self.step_abreast(&mut part, rest, alone, group);
        } else {
            rest.iter().for_each(|&i| self.step(self.model, part.one(i), alone));
        }
    }

    /// Step some worlds of a part abreast.
    fn step_abreast<const K: usize>(
        &self,
        part: &mut Part<'_>,
        which: &[usize],
        alone: &mut OwnedWorld,
        group: &mut Group<K>,
    ) {
        let (m, first) = (self.model, part.first);
        let Part { worlds, rows, sizes, pending, .. } = &mut *part;
        let complete = self.looks_at_worlds(rows);
        let end = |place: usize, world: &mut OwnedWorld, outcome: Result<StepReport, StepError>| {
            let i = which[place];
            let mut rows = rows.row(i, sizes);
            let verdict = if complete || outcome.is_err() {
                self.tell(m, &mut world.view_mut(), outcome, &mut rows)
            } else {
                rows.write_state(world.qpos(), world.qvel());
                Verdict { truncated: self.is_late(world.time()), ..Verdict::default() }
            };
            pending[i] = verdict.terminated || verdict.truncated;
            rows.write_verdict(verdict);
        };
        let controls = |i: usize| &self.controls[(first + i) * m.nu..(first + i + 1) * m.nu];
        let skip = self.settings.frame_skip;
        let outcome = worlds.step_abreast(which, m, group, controls, skip, complete, end);
        // a model that cannot be stepped: every world has that to tell
        if outcome.is_err() {
            which.iter().for_each(|&i| self.step(m, part.one(i), alone));
        }
    }

    /// Does anybody look at more of a world than its state?
    fn looks_at_worlds(&self, rows: &BatchOutputs<'_>) -> bool {
        let Settings { reward, termination, .. } = self.settings;
        reward.is_some()
            || termination.is_some()
            || rows.observed.is_some() && self.observed.columns() > 0
            || rows.contacts.is_some()
            // a world remembers sensors and energies
            || self.model.nsensordata > 0
            || self.model.opt.enabled(EnableBit::Energy)
    }

    fn one(&self, m: &Model<impl Storage>, one: One<'_>, bench: &mut OwnedWorld, task: Task) {
        match task {
            Task::Nothing => {}
            Task::Reset => self.reset(m, one, bench),
            Task::Step => self.step(m, one, bench),
        }
    }

    /// Step a world that has this model.
    fn step(&self, m: &Model<impl Storage>, one: One<'_>, bench: &mut OwnedWorld) {
        let One { index, mut world, mut rows, pending } = one;
        let controls = &self.controls[index * m.nu..(index + 1) * m.nu];
        let end = |d: &mut World<'_>, outcome| self.tell(m, d, outcome, &mut rows);
        let verdict = world.step(m, bench, controls, self.settings.frame_skip, end);
        *pending = verdict.terminated || verdict.truncated;
        rows.write_verdict(verdict);
    }

    /// Write what is asked for of a world after a call, and judge it.
    fn tell(
        &self,
        m: &Model<impl Storage>,
        d: &mut World<'_>,
        outcome: Result<StepReport, StepError>,
        rows: &mut BatchOutputs<'_>,
    ) -> Verdict {
        self.observed.complete(m, d);
        rows.write_world(m, d, self.observed);
        match outcome {
            Ok(_) => self.judge(d),
            Err(error) => Verdict { terminated: true, error: Some(error), ..Verdict::default() },
        }
    }

    fn judge(&self, d: &World<'_>) -> Verdict {
        let Settings { reward, termination, .. } = self.settings;
        Verdict {
            reward: reward.as_ref().map_or(0.0, |reward| reward.compute(self.model, d)),
            terminated: termination.as_ref().is_some_and(|over| over.is_over(self.model, d)),
            truncated: self.is_late(d.head.time),
            error: None,
        }
    }

    /// Has a world reached the time limit?
    fn is_late(&self, time: Real) -> bool {
        // times are sums of time steps: half a step allows for their rounding
        let now = time + 0.5 * self.model.opt.timestep;
        self.settings.time_limit.is_some_and(|limit| now >= limit)
    }

    /// Reset a world that has this model.
    fn reset(&self, m: &Model<impl Storage>, one: One<'_>, bench: &mut OwnedWorld) {
        let One { index, mut world, mut rows, pending } = one;
        let begin = |d: &mut World<'_>| match self.start {
            Start::Reference => Ok(()),
            Start::Keyframe(key) => write_keyframe(m, d, *key),
            Start::States { spec, rows } => {
                let length = state_size(m, *spec);
                write_state(d, &rows[index * length..(index + 1) * length], *spec)
            }
        };
        let end = |d: &mut World<'_>, outcome: Result<(), StepError>| {
            rows.write_world(m, d, self.observed);
            outcome.err()
        };
        let error = world.reset(m, bench, begin, end);
        *pending = error.is_some();
        rows.write_verdict(Verdict { terminated: error.is_some(), error, ..Verdict::default() });
    }
}
