//! Worlds of many that go abreast: what each remembers goes into a place of a group, and back.
use core::num::NonZeroUsize;

use ferrodyn_math::Real;
use ferrodyn_model::Model;

use super::Group;
use crate::data::WorldsMut;
use crate::{OwnedWorld, StepError, StepReport};

impl WorldsMut<'_> {
    /// Step some of these worlds abreast, at most as many as the group has places, each with its controls; every one of them as
    /// [`WorldOfMany::step`](crate::data::WorldOfMany::step) does.
    ///
    /// `end` sees one world after the other: its place in `which`, the world, and how its steps went. With `complete` all results of the last step
    /// can be read; otherwise the state alone. The group keeps nothing of these worlds.
    pub fn step_abreast<'c, const K: usize>(
        &mut self,
        which: &[usize],
        m: &Model,
        group: &mut Group<K>,
        controls: impl Fn(usize) -> &'c [Real],
        n: NonZeroUsize,
        complete: bool,
        mut end: impl FnMut(usize, &mut OwnedWorld, Result<StepReport, StepError>),
    ) -> Result<(), StepError> {
        for place in 0..Group::<K>::WORLDS {
            group.leave(place);
        }
        for (place, &i) in which.iter().enumerate() {
            let world = &mut self.world(i);
            world.set_controls(controls(i))?;
            world.begin(group.begin(place));
        }
        let mut before =
            [const { Ok(StepReport { divergence: None, indefinite: None }) }; super::stages::MOST];
        if n.get() > 1 {
            group.step(m, n.get() - 1, false)?;
            for (place, &i) in which.iter().enumerate() {
                before[place] = group.outcome(place);
                self.world_again(i).store_before(group.results(place));
            }
        }
        group.step(m, 1, complete)?;
        for (place, &i) in which.iter().enumerate() {
            let outcome = before[place].and_then(|before| Ok(before.then(group.outcome(place)?)));
            let bench = group.bench(place);
            let world = &mut self.world_again(i);
            match outcome {
                Ok(_) => {
                    end(place, bench, outcome);
                    world.finish_step(bench);
                }
                Err(_) => {
                    world.finish_step(bench);
                    // what a step that failed did not come to is that of another world
                    world.recall(m, bench);
                    end(place, bench, outcome);
                }
            }
        }
        Ok(())
    }
}
