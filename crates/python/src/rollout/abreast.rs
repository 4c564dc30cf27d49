//! Rollouts abreast: several of them take each step at once, with the bits of each alone.
use ferrodyn_dynamics::data::{read_state_of, state_size, write_state};
use ferrodyn_dynamics::lanes::{Best, Group};
use ferrodyn_dynamics::step::step;
use ferrodyn_dynamics::{OwnedWorld, StepError};
use ferrodyn_math::Real;
use ferrodyn_model::{Model, StateBit};

use super::plan::{Plan, Rows, Start, has_warned, row};

/// All that the next step depends on.
const ALL: i32 = StateBit::Integration as i32;

/// Memory in which a thread rolls out several at once.
pub(crate) struct Abreast {
    best: Best,
    /// State of the last one before its last step.
    before: Vec<Real>,
}

impl Abreast {
    /// For rollouts that all are of one model; where there is none, they go one after the other. What no step computes is that of the world.
    pub(crate) fn new(model: Option<&Model>, world: &OwnedWorld) -> Abreast {
        fn copy<const K: usize>(group: &mut Group<K>, world: &OwnedWorld) {
            (0..Group::<K>::WORLDS).for_each(|place| group.begin(place).copy_from(world));
        }
        let mut best = model.map_or(Best::Alone, Best::of);
        match &mut best {
            Best::Alone => {}
            Best::Four(group) => copy(group, world),
            Best::Eight(group) => copy(group, world),
        }
        let before = vec![0.0; model.map_or(0, |m| state_size(m, ALL))];
        Abreast { best, before }
    }

    /// How many go at once.
    pub(crate) fn places(&self) -> usize {
        self.best.worlds()
    }

    /// Roll out some rollouts; `controls` are those of the batch, and `go_on` is asked before each step. Which of them went well? One in which something
    /// went wrong is to be rolled out alone, which tells what it was; so is one that is by itself.
    pub(crate) fn roll(
        &mut self,
        plan: &Plan<'_>,
        start: &Start<'_>,
        nstep: usize,
        controls: Option<&[Real]>,
        some: &mut [(usize, Rows<'_>)],
        go_on: &mut dyn FnMut() -> bool,
    ) -> Vec<bool> {
        let Abreast { best, before } = self;
        match best {
            Best::Four(group) if some.len() > 1 => {
                roll(group, before, plan, start, nstep, controls, some, go_on)
            }
            Best::Eight(group) if some.len() > 1 => {
                roll(group, before, plan, start, nstep, controls, some, go_on)
            }
            _ => vec![false; some.len()],
        }
    }

    /// Leave a world as the last rollout left it that went abreast, with everything that a step computes.
    pub(crate) fn take_last_step(
        &self,
        plan: &Plan<'_>,
        start: &Start<'_>,
        rollout: usize,
        world: &mut OwnedWorld,
    ) -> Result<(), StepError> {
        plan.begin(start, rollout, world)?;
        write_state(&mut world.view_mut(), &self.before, ALL)?;
        step(plan.model(rollout), world).map(|_| ())
    }
}

/// Roll out some rollouts in a group.
fn roll<const K: usize>(
    group: &mut Group<K>,
    before: &mut [Real],
    plan: &Plan<'_>,
    start: &Start<'_>,
    nstep: usize,
    controls: Option<&[Real]>,
    some: &mut [(usize, Rows<'_>)],
    go_on: &mut dyn FnMut() -> bool,
) -> Vec<bool> {
    let (m, lengths) = (plan.models[0], plan.lengths);
    let last = some.len() - 1;
    let sensors = lengths.sensordata > 0 && some[last].1.sensordata.is_some();
    (0..Group::<K>::WORLDS).for_each(|place| group.leave(place));
    let mut well = vec![true; some.len()];
    for (place, (rollout, _)) in some.iter().enumerate() {
        well[place] = plan.begin(start, *rollout, group.begin(place)).is_ok();
    }
    for at in 0..nstep {
        let goes_on = go_on();
        if let Some(controls) = controls.filter(|_| goes_on) {
            for (place, (rollout, _)) in some.iter().enumerate() {
                if well[place] {
                    let control = row(controls, rollout * nstep + at, lengths.control);
                    well[place] = set_inputs(group, place, control, plan.control_spec).is_ok();
                }
            }
        }
        if !goes_on || at + 1 == nstep {
            well[last] &= read_state_of(group.results(last), ALL, before).is_ok();
        }
        if !goes_on {
            break;
        }
        let stepped = group.step(m, 1, sensors);
        for (place, (_, rows)) in some.iter_mut().enumerate() {
            let world = group.results(place);
            let outcome = stepped.and_then(|()| group.outcome(place));
            well[place] &= outcome.is_ok()
                && !has_warned(world.header())
                && rows
                    .write(
                        lengths,
                        at,
                        |spec, state| read_state_of(world, spec, state),
                        world.sensordata(),
                    )
                    .is_ok();
            if !well[place] {
                group.leave(place);
            }
        }
        if !well.contains(&true) {
            break;
        }
    }
    well
}

/// Set the inputs of a place that controls are.
fn set_inputs<const K: usize>(
    group: &mut Group<K>,
    place: usize,
    control: &[Real],
    spec: i32,
) -> Result<(), StepError> {
    if spec == StateBit::Ctrl as i32 {
        group.set_ctrl(place, control);
        Ok(())
    } else {
        write_state(&mut group.edit(place), control, spec)
    }
}
