//! Worlds of one model abreast: each stage of a step for 4 or 8 worlds at once, one in each lane of vector registers.
//!
//! A [`Group`] steps several worlds with the bits that each has alone. What follows from the state by the same operations in every
//! world (poses, inertia and its factor, velocities, forces, integration) is computed in lanes, by the same functions that step a world alone:
//! they are written for any [`Lane`](crate::data::Lane). Contacts, rows and the solver take a different way in every world, and run world by
//! world, between the smooth acceleration and the integrator, unless a world cannot have rows at its configuration:
//!
//! ```text
//!   states ─▶ position, velocity, forces, smooth acceleration ─▶ contacts, rows, solver, sensors ─▶ integration ─▶ states
//!                             in lanes                              each world by itself              in lanes
//! ```
//!
//! What a group keeps of a world from step to step is its state. A world that diverges, or whose step fails, leaves the group for
//! that step: it is taken from its state, alone, with the outcome that it has alone, and touches no other.
//!
//! ```
//! use ferrodyn_dynamics::data::state_size;
//! use ferrodyn_dynamics::lanes::Group;
//! # use ferrodyn_model::{Model, Sizes, StateBit};
//! # let mut model = Model::zeroed(Sizes { nbody: 1, ..Sizes::default() });
//! # model.body_mocapid[0] = -1;
//! # model.body_treeid[0] = -1;
//! let mut group = Group::<1>::new(&model)?;
//! let mut states = vec![vec![0.0; state_size(&model, StateBit::Integration as i32)]; 3];
//! for (world, state) in states.iter().enumerate() {
//!     group.load(world, state)?;
//! }
//! group.step(&model, 10, false)?;
//! for (world, state) in states.iter_mut().enumerate() {
//!     assert!(group.outcome(world)?.divergence.is_none());
//!     group.store(world, state)?;
//!     assert_eq!(state[0], group.results(world).time());
//! }
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
mod best;
pub(crate) mod block;
mod many;
mod rows;
mod stages;
mod supports;

use alloc::vec::Vec;

use ferrodyn_math::{Abreast, Number, Real};
use ferrodyn_model::{Model, StateBit, Storage};

use crate::data::{read_state_of, write_state_of};
use crate::divergence::DivergencePolicy;
use crate::step::{StepReport, check_supported};
use crate::{OwnedWorld, StepError, World};

pub use best::{Best, best_of, gain, next_of};
use block::{Block, moved_out_to, state_back_of, take_over};
use rows::Rows;
use stages::{MOST, Steps};
pub use supports::{Unsupported, supports};

/// What the group knows of a world beside its numbers.
#[derive(Clone, Copy, Debug)]
struct Place {
    time: Real,
    outcome: Result<StepReport, StepError>,
    /// Does it step? Not before it is loaded, nor after an error or a step that was taken back.
    goes: bool,
    /// Was its state set from outside, and is not in the block yet?
    set: bool,
    /// Were its controls?
    steered: bool,
    /// Does it take this step alone?
    alone: bool,
    /// Do contacts and rows of its world belong to its state?
    solved: bool,
}

/// `4 K` worlds of a model that step together. It belongs to a thread.
///
/// See the [module](self) for an example.
#[derive(Debug)]
pub struct Group<const K: usize> {
    block: Block<Abreast<K>>,
    /// Where each world has its contacts and rows, what the user set, and all results for those who look.
    worlds: Vec<OwnedWorld>,
    places: Vec<Place>,
    rows: Rows,
}

impl<const K: usize> Group<K> {
    /// How many worlds there can be.
    pub const WORLDS: usize = {
        assert!(<Abreast<K> as Number>::WORLDS <= MOST, "a group has no more than 16 worlds");
        <Abreast<K> as Number>::WORLDS
    };

    /// A group for worlds of a model; none of them is loaded. An error where its worlds can only step alone.
    pub fn new(m: &Model) -> Result<Group<K>, Unsupported> {
        supports(m)?;
        let place = Place {
            time: 0.0,
            outcome: Ok(StepReport::default()),
            goes: false,
            set: false,
            steered: false,
            alone: false,
            solved: false,
        };
        Ok(Group {
            block: Block::new(&m.sizes),
            worlds: (0..Self::WORLDS).map(|_| OwnedWorld::new(m)).collect(),
            places: alloc::vec![place; Self::WORLDS],
            rows: Rows::new(m),
        })
    }

    /// What a step does when one of the worlds diverges.
    pub fn set_divergence_policy(&mut self, policy: DivergencePolicy) {
        self.worlds.iter_mut().for_each(|world| world.set_divergence_policy(policy));
    }

    /// Set the state of a world, a vector of [`StateBit::Integration`]; from now on it steps with the others.
    pub fn load(&mut self, world: usize, state: &[Real]) -> Result<(), StepError> {
        self.wake(world);
        write_state_of(&mut self.worlds[world], state, StateBit::Integration as i32)
    }

    /// The state of a world, as a vector of [`StateBit::Integration`].
    pub fn store(&self, world: usize, state: &mut [Real]) -> Result<(), StepError> {
        read_state_of(&self.worlds[world], StateBit::Integration as i32, state)
    }

    /// Set the controls of a world.
    pub fn set_ctrl(&mut self, world: usize, ctrl: &[Real]) {
        self.worlds[world].ctrl_mut().copy_from_slice(ctrl);
        self.places[world].steered = true;
    }

    /// A world as it is between two calls, to change its state or what the user sets; it steps from now on. Arrays that
    /// are no state are those after the last step that was asked to be complete.
    pub fn edit(&mut self, world: usize) -> World<'_> {
        self.wake(world);
        self.worlds[world].view_mut()
    }

    /// The memory of a place, in which the caller puts a world that steps from now on.
    pub fn begin(&mut self, world: usize) -> &mut OwnedWorld {
        self.wake(world);
        &mut self.worlds[world]
    }

    /// The memory of a place, with the world that stepped there.
    pub(super) fn bench(&mut self, world: usize) -> &mut OwnedWorld {
        &mut self.worlds[world]
    }

    /// As [`Group::edit`], to be read: the group does not see what is changed.
    pub fn view(&mut self, world: usize) -> World<'_> {
        self.worlds[world].view_mut()
    }

    /// As [`Group::view`], without a view of all arrays.
    pub fn results(&self, world: usize) -> &OwnedWorld {
        &self.worlds[world]
    }

    /// A world steps from now on, from the state that is set.
    fn wake(&mut self, world: usize) {
        let place = &mut self.places[world];
        (place.goes, place.set) = (true, true);
        place.outcome = Ok(StepReport::default());
    }

    /// From now on a world does not step, until it is loaded again.
    pub fn leave(&mut self, world: usize) {
        self.places[world].goes = false;
    }

    /// What came of the steps of the last call: the report of all of them, or the error at which the world stopped.
    pub fn outcome(&self, world: usize) -> Result<StepReport, StepError> {
        self.places[world].outcome
    }

    /// Advance all worlds that are loaded by `n` steps, each with the bits and the outcome that it has alone
    /// ([`step_n`](crate::step::step_n)). With `complete`, all results of the last step can be read afterwards, sensors among them.
    ///
    /// The model is the one that the group was made for; its settings and parameters must not have changed since. An error is one of the model; those of
    /// worlds are their [outcomes](Group::outcome).
    pub fn step<S: Storage>(
        &mut self,
        m: &Model<S>,
        n: usize,
        complete: bool,
    ) -> Result<(), StepError> {
        check_supported(m, self.worlds[0].sizes())?;
        debug_assert_eq!(supports(m), Ok(()), "the model is not the one of the group");
        let Group { block, worlds, places, rows } = self;
        let d = &mut block.view();
        load_places(d, worlds, places);
        let mut left = n;
        while left > 0 && places.iter().any(|place| place.goes) {
            // as long as the views of the worlds can grow
            let mut steps = Steps::new(worlds, places, *rows);
            while left > 0 && steps.can_go_on() {
                left -= 1;
                steps.step(m, d, complete && left == 0);
            }
        }
        // states go back to the worlds
        for (k, place) in places.iter().enumerate().filter(|(_, place)| place.goes) {
            moved_out_to(d, k, &mut worlds[k]);
            worlds[k].set_time(place.time);
        }
        Ok(())
    }
}

/// Bring what was set from outside into the block, and begin anew with what worlds have to tell.
fn load_places<const K: usize>(
    d: &mut World<'_, Abreast<K>>,
    worlds: &mut [OwnedWorld],
    places: &mut [Place],
) {
    for (k, place) in places.iter_mut().enumerate().filter(|(_, place)| place.goes) {
        place.outcome = Ok(StepReport::default());
        if place.set {
            state_back_of(&worlds[k], k, d);
            place.time = worlds[k].time();
        } else if place.steered {
            take_over(worlds[k].ctrl(), k, d.ctrl);
        }
        (place.set, place.steered) = (false, false);
    }
    // lanes without a world do as one that has one: what comes of them is not looked at, but it takes no longer
    let Some(first) = places.iter().position(|place| place.goes) else { return };
    let idle = |k: &usize| !places[*k].goes;
    if (0..places.len()).any(|k| idle(&k)) {
        for k in (0..places.len()).filter(idle) {
            state_back_of(&worlds[first], k, d);
        }
    }
}
