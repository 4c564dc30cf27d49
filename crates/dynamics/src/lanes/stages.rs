//! A step of all worlds of a group.
use ferrodyn_math::{Alone, Mask};
use ferrodyn_model::{Integrator, Model, Stage, Storage};

use super::Place;
use super::block::{
    for_contacts, for_frames, for_readers, for_rows, for_tendons, moved_out, of_integrator,
    solved_back, state_back,
};
use super::rows::Rows;
use crate::constraint::{island, make_constraint, project_constraint, reference_constraint};
use crate::contact::{collision, forget_contacts};
use crate::data::Lane;
use crate::force::fluid::has_fluid;
use crate::force::{bias, fwd_acceleration, fwd_actuation, passive};
use crate::forward::{fwd_kinematics, on_bodies, position_energy, velocity_energy};
use crate::hooks::NoHooks;
use crate::integrate::advance::{Rates, move_state, settle};
use crate::integrate::{integrate, rk4, step_acceleration};
use crate::position::kinematics::kinematics_without_geoms;
use crate::position::{factor_m, make_m, transmission};
use crate::sensor::{sensor_acc, sensor_pos, sensor_vel};
use crate::solver::fwd_constraint;
use crate::step::{StepReport, one_step};
use crate::velocity::{actuator_velocity, com_vel, tendon_velocity};
use crate::{OwnedWorld, StepError, World};

/// Most worlds of a group.
pub(super) const MOST: usize = 16;

/// What steps need beside the numbers in lanes.
pub(super) struct Steps<'g, 'w> {
    /// The worlds, until one of them is looked at.
    worlds: &'w mut [OwnedWorld],
    /// Their views, from then on. Temporary memory is that of the first one.
    views: [Option<World<'w>>; MOST],
    places: &'g mut [Place],
    rows: Rows,
}

impl<'g, 'w> Steps<'g, 'w> {
    pub(super) fn new(
        worlds: &'w mut [OwnedWorld],
        places: &'g mut [Place],
        rows: Rows,
    ) -> Steps<'g, 'w> {
        Steps { worlds, views: [const { None }; MOST], places, rows }
    }

    /// Can the views begin enough blocks for one more step, and is there a world that steps?
    pub(super) fn can_go_on(&self) -> bool {
        self.places.iter().any(|place| place.goes)
            && self.views.iter().flatten().all(|view| view.can_go_on())
    }

    /// Look at a world itself.
    fn with<R>(
        &mut self,
        k: usize,
        look: impl FnOnce(&mut World<'w>, &mut Place) -> R,
    ) -> Option<R> {
        let worlds = core::mem::take(&mut self.worlds);
        for (view, world) in self.views.iter_mut().zip(worlds) {
            *view = Some(world.view_mut());
        }
        let (first, others) = self.views.split_first_mut()?;
        let first = first.as_mut()?;
        let place = &mut self.places[k];
        let Some(other) = k.checked_sub(1) else { return Some(look(first, place)) };
        let world = others[other].as_mut()?;
        let mut exchange = |world: &mut World<'w>| {
            core::mem::swap(&mut first.stack, &mut world.stack);
            core::mem::swap(&mut first.stack_spare, &mut world.stack_spare);
        };
        exchange(world);
        let result = look(world, place);
        exchange(world);
        Some(result)
    }
}

/// What a stage leaves in the worlds themselves.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Wanted {
    /// All results, for readers or for an integrator that works world by world.
    complete: bool,
    sensors: bool,
}

impl<'w> Steps<'_, 'w> {
    /// One step. With `complete`, the worlds have all results afterwards.
    pub(super) fn step<S: Storage, T: Lane>(
        &mut self,
        m: &Model<S>,
        d: &mut World<'_, T>,
        complete: bool,
    ) {
        for numbers in [&*d.qpos, &*d.qvel, &*d.ctrl] {
            self.leave_where(numbers, T::bad);
        }
        let integrator = m.integrator();
        let in_lanes = integrator != Integrator::Implicit;
        self.forward(m, d, Wanted { complete: complete || !in_lanes, sensors: complete });
        self.leave_where(d.qacc, T::bad);
        match integrator {
            Integrator::Implicit => self.integrate_alone(m, d),
            Integrator::Rk4 => {
                let memory = core::mem::take(&mut d.scratch.runge_kutta);
                // sensors keep their values from the beginning of the step
                let wanted = Wanted { complete, sensors: false };
                let stages = rk4::stages(&Alone, m, d, memory, |d| {
                    self.forward(m, d, wanted);
                    Ok(())
                });
                debug_assert!(stages.is_ok(), "worlds that fail leave the group");
                self.advance(m, d, &rk4::mean_rates(m, memory));
                d.scratch.runge_kutta = memory;
            }
            Integrator::Euler | Integrator::ImplicitFast | Integrator::ImplicitSpringDamper => {
                let indefinite = step_acceleration(m, d, Stage::None, &mut NoHooks);
                if indefinite != Ok(None) {
                    // those of which it is true have that to tell
                    self.leave_where(d.qHDiagInv, |x| x.less(T::of(0.0)));
                }
                self.advance(m, d, &Rates::OfTheStep);
            }
        }
        if complete && in_lanes {
            for k in 0..self.places.len() {
                if self.places[k].goes && !self.places[k].alone {
                    self.with(k, |w, place| {
                        moved_out(d, k, w);
                        of_integrator(d, k, w);
                        w.head.time = place.time;
                    });
                }
            }
        }
        self.places.iter_mut().for_each(|place| place.alone = false);
    }

    /// Worlds in which something is true of a number take this step alone, from their state.
    fn leave_where<T: Lane>(&mut self, numbers: &[T], is: impl Fn(T) -> T::Mask) {
        let found = numbers.iter().fold(T::Mask::of(false), |found, x| found | is(*x));
        if found.any() {
            for (k, place) in self.places.iter_mut().enumerate() {
                place.alone |= found.world(k);
            }
        }
    }

    /// All stages at the present state. MuJoCo: `mj_forward`.
    fn forward<S: Storage, T: Lane>(&mut self, m: &Model<S>, d: &mut World<'_, T>, wanted: Wanted) {
        let Rows { contacts, frames, .. } = self.rows;
        smooth(m, d, wanted.complete || contacts || has_fluid(m));
        // without rows the system moves freely
        d.qacc.copy_from_slice(d.qacc_smooth);
        d.qfrc_constraint.fill(T::of(0.0));
        let possible = self.rows.possible(m, d);
        for k in 0..self.places.len() {
            let place = &mut self.places[k];
            // a world that left still has the rows of the step before, of which it may have to tell
            if !place.goes || place.alone {
                continue;
            }
            place.solved = wanted.complete || possible.world(k);
            if !place.solved {
                continue;
            }
            self.with(k, |w, place| {
                for_rows(d, k, w);
                for_tendons(d, k, w);
                if contacts || wanted.complete {
                    for_contacts(d, k, w);
                }
                if frames || wanted.complete {
                    for_frames(d, k, w);
                }
                if wanted.complete {
                    w.head.time = place.time;
                    for_readers(d, k, w);
                }
                match constrained(m, w, wanted, contacts || wanted.complete) {
                    Ok(()) => solved_back(w, k, d),
                    Err(_) => place.alone = true,
                }
            });
        }
    }

    /// The end of a step in lanes; worlds that left the group take theirs before the state moves.
    fn advance<S: Storage, T: Lane>(
        &mut self,
        m: &Model<S>,
        d: &mut World<'_, T>,
        rates: &Rates<'_, T>,
    ) {
        for k in 0..self.places.len() {
            if self.places[k].goes && self.places[k].alone {
                self.step_alone(m, d, k);
            }
        }
        let settled = settle(m, d, rates);
        debug_assert_eq!(settled, Ok(false), "histories and sleep are of worlds alone");
        move_state(m, d, rates);
        for k in 0..self.places.len() {
            if self.places[k].alone {
                self.with(k, |w, _| state_back(w, k, d));
            } else {
                self.places[k].time += m.opt.timestep;
            }
        }
    }

    /// A whole step of a world by itself, from its state in the block.
    fn step_alone<S: Storage, T: Lane>(&mut self, m: &Model<S>, d: &World<'_, T>, k: usize) {
        self.alone(d, k, |w, report| one_step(m, w, Stage::None, true, report, &mut NoHooks));
    }

    /// Let a world move by itself, from its state in the block.
    fn alone<T: Lane>(
        &mut self,
        d: &World<'_, T>,
        k: usize,
        step: impl FnOnce(&mut World<'_>, &mut StepReport) -> Result<(), StepError>,
    ) {
        self.with(k, |w, place| {
            let Ok(mut report) = place.outcome else { return };
            moved_out(d, k, w);
            w.head.time = place.time;
            if !place.solved {
                // the step before had none
                (w.head.ncon, w.head.nefc) = (0, 0);
            }
            let outcome = step(w, &mut report);
            place.time = w.head.time;
            place.outcome = outcome.map(|()| report);
            place.goes = place.outcome.is_ok_and(|report| !report.is_frozen());
        });
    }

    /// The end of a step with an integrator that works world by world, with the results that are in the worlds.
    fn integrate_alone<S: Storage, T: Lane>(&mut self, m: &Model<S>, d: &mut World<'_, T>) {
        for k in 0..self.places.len() {
            if !self.places[k].goes {
                continue;
            }
            if self.places[k].alone {
                self.step_alone(m, d, k);
            } else {
                self.alone(d, k, |w, report| {
                    if let Some(dof) = integrate(m, w, Stage::None, &mut NoHooks)? {
                        report.indefinite.get_or_insert(dof);
                    }
                    Ok(())
                });
            }
            // a reset clears what the user set, too
            self.with(k, |w, _| state_back(w, k, d));
        }
    }
}

/// What follows from the state in every world by the same operations: everything but constraints. The poses of geoms are left out
/// where nobody asks for them.
fn smooth<S: Storage, T: Lane>(m: &Model<S>, d: &mut World<'_, T>, geoms: bool) {
    if geoms {
        fwd_kinematics(m, d);
    } else {
        kinematics_without_geoms(m, d);
        on_bodies(m, d);
    }
    make_m(m, d);
    factor_m(m, d);
    transmission(m, d);
    tendon_velocity(m, d);
    actuator_velocity(m, d);
    com_vel(m, d);
    passive(m, d, &mut NoHooks);
    bias(m, d);
    fwd_actuation(m, d, &mut NoHooks);
    fwd_acceleration(m, d);
}

/// Contacts where there can be some, rows, forces of constraints, and the acceleration with them; sensors where they are wanted.
fn constrained<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    wanted: Wanted,
    contacts: bool,
) -> Result<(), StepError> {
    let hooks = &mut NoHooks;
    if contacts {
        collision(m, d, hooks)?;
    } else {
        forget_contacts(m, d);
    }
    make_constraint(m, d)?;
    island(m, d)?;
    project_constraint(m, d)?;
    let head = &mut *d.head;
    (head.flg_energypos, head.flg_energyvel, head.flg_subtreevel) = (0, 0, 0);
    if wanted.sensors {
        sensor_pos(m, d, hooks)?;
    }
    if wanted.complete {
        position_energy(m, d);
    }
    reference_constraint(m, d);
    if wanted.sensors {
        sensor_vel(m, d, hooks)?;
    }
    if wanted.complete {
        velocity_energy(m, d);
    }
    fwd_constraint(m, d)?;
    if wanted.sensors {
        d.head.flg_rnepost = 0;
        sensor_acc(m, d, hooks)?;
    }
    Ok(())
}
