//! Columns of the derivative of a step, by finite differences.
//!
//! `column = (step(x + eps eᵢ) ⊖ step(x - eps eᵢ)) / 2 eps`, or one-sided against the unperturbed step. Every perturbed
//! step begins from the same state *and the same warm start*, so that the error of the solver is alike on both sides
//! and cancels for the most part.
//!
//! Stages that do not depend on the perturbed input are not run again: their results still lie in the world. Columns
//! therefore come in the order controls, activations, velocities, positions ([`Column::all`]), in which each makes at
//! most the stages stale that the next ones compute anyway; a column out of order first runs the unperturbed step
//! again. The bits do not depend on the order.
use alloc::{vec, vec::Vec};

use ferrodyn_math::Real;
use ferrodyn_model::{Integrator, Model, Stage};

use super::solution::{FollowMemory, Solution};
use crate::force::{fwd_acceleration, fwd_actuation};
use crate::forward::fwd_velocity;
use crate::hooks::Hooks;
use crate::integrate::integrate;
use crate::integrate::{differentiate_pos, integrate_pos};
use crate::inverse::inv_position;
use crate::step::{check_supported, one_step};
use crate::{OwnedWorld, StepError, StepReport, World};

/// How differences are taken. MuJoCo: arguments of `mjd_transitionFD`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DifferenceOptions {
    /// Size of the perturbation.
    pub eps: Real,
    /// Differences between both sides instead of between one side and the middle.
    pub centered: bool,
    /// Differentiate sensors too.
    pub sensors: bool,
}

/// An input of a step: each one is a column of the derivative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Column {
    /// A control.
    Control(usize),
    /// An activation.
    Activation(usize),
    /// A velocity.
    Velocity(usize),
    /// The configuration, along a degree of freedom.
    Position(usize),
}

impl Column {
    /// All columns of a model, in the order in which a [`Worker`] can reuse most.
    pub fn all(m: &Model) -> impl Iterator<Item = Column> {
        let states = (0..m.nv).map(Column::Velocity).chain((0..m.nv).map(Column::Position));
        let inputs = (0..m.nu).map(Column::Control).chain((0..m.na).map(Column::Activation));
        inputs.chain(states)
    }

    /// Place in the state `(dq, q̇, act)`; `None` for a control.
    pub fn state_index(self, m: &Model) -> Option<usize> {
        match self {
            Column::Control(_) => None,
            Column::Position(i) => Some(i),
            Column::Velocity(i) => Some(m.nv + i),
            Column::Activation(i) => Some(2 * m.nv + i),
        }
    }

    /// The last stage whose results do not depend on this input; Runge-Kutta leaves no stage as it was.
    fn unaffected(self, m: &Model) -> Stage {
        // every stage of Runge-Kutta moves the configuration
        if m.integrator() == Integrator::Rk4 {
            return Stage::None;
        }
        match self {
            Column::Control(_) | Column::Activation(_) => Stage::Vel,
            Column::Velocity(_) => Stage::Pos,
            Column::Position(_) => Stage::None,
        }
    }
}

/// The step without perturbation: what is put back before each perturbed one, and what came out.
#[derive(Clone, Debug)]
pub struct Baseline {
    /// How differences are taken.
    pub options: DifferenceOptions,
    time: Real,
    qpos: Vec<Real>,
    qvel: Vec<Real>,
    act: Vec<Real>,
    ctrl: Vec<Real>,
    warmstart: Vec<Real>,
    plugin_state: Vec<Real>,
    next: Vec<Real>,
    sensors: Vec<Real>,
}

impl Baseline {
    /// Step once from the state of `data`, which is put back afterwards. The results of all stages stay in
    /// `data`, for workers to start from; those of a step with hooks need the same ones.
    pub fn new(
        m: &Model,
        data: &mut OwnedWorld,
        options: DifferenceOptions,
        mut hooks: Option<&mut dyn Hooks>,
    ) -> Result<Baseline, StepError> {
        check_supported(m, data.sizes())?;
        // delayed inputs are state too, which the columns do not have
        if m.nhistory > 0 {
            return Err(StepError::Unsupported("the derivative of delays"));
        }
        let d = &mut data.view_mut();
        let mut base = Baseline {
            options,
            time: d.head.time,
            qpos: d.qpos.to_vec(),
            qvel: d.qvel.to_vec(),
            act: d.act.to_vec(),
            ctrl: d.ctrl.to_vec(),
            warmstart: d.qacc_warmstart.to_vec(),
            plugin_state: d.plugin_state.to_vec(),
            next: vec![0.0; m.nq + m.nv + m.na],
            sensors: vec![0.0; if options.sensors { m.nsensordata } else { 0 }],
        };
        // the unperturbed step; its stages stay in the world, its state is put back
        step(m, d, Stage::None, options.sensors, &mut hooks)?;
        read_state(d, &mut base.next);
        read_sensors(d, &mut base.sensors);
        base.restore(d);
        Ok(base)
    }

    /// Velocity after the step.
    pub(super) fn next_velocity(&self) -> &[Real] {
        &self.next[self.qpos.len()..self.qpos.len() + self.qvel.len()]
    }

    /// Put the input back.
    fn restore(&self, d: &mut World<'_>) {
        d.head.time = self.time;
        d.qpos.copy_from_slice(&self.qpos);
        d.qvel.copy_from_slice(&self.qvel);
        d.act.copy_from_slice(&self.act);
        d.ctrl.copy_from_slice(&self.ctrl);
        d.qacc_warmstart.copy_from_slice(&self.warmstart);
        d.plugin_state.copy_from_slice(&self.plugin_state);
    }

    /// Can a control be raised and lowered without leaving its range?
    pub(super) fn control_sides(&self, m: &Model, i: usize) -> (bool, bool) {
        let (ctrl, eps) = (self.ctrl[i], self.options.eps);
        let range = m.actuator_ctrlrange[i][0]..=m.actuator_ctrlrange[i][1];
        // a control outside its range is cut: it has no effect on either side
        let inside = |x: Real| m.actuator_ctrllimited[i] == 0 || range.contains(&x);
        (inside(ctrl) && inside(ctrl + eps), inside(ctrl) && inside(ctrl - eps))
    }
}

/// One step; a state that diverges has no derivative.
fn step(
    m: &Model,
    d: &mut World<'_>,
    done: Stage,
    sensors: bool,
    hooks: &mut impl Hooks,
) -> Result<(), StepError> {
    let mut report = StepReport::default();
    one_step(m, d, done, sensors, &mut report, hooks)?;
    match report.divergence {
        Some(divergence) => Err(StepError::Diverged(divergence)),
        None => Ok(()),
    }
}

/// One step whose constraint forces follow a solution nearby; false, with the state as it was, where they do not.
fn follow_step(
    m: &Model,
    d: &mut World<'_>,
    solution: &Solution,
    memory: &mut FollowMemory,
    hooks: &mut impl Hooks,
) -> Result<bool, StepError> {
    // the stages of a step up to acceleration, without islands and without a solver
    inv_position(m, d, hooks)?;
    fwd_velocity(m, d, hooks);
    fwd_actuation(m, d, hooks);
    fwd_acceleration(m, d);
    if !solution.follow(m, d, memory) {
        return Ok(false);
    }
    integrate(m, d, Stage::None, hooks)?;
    Ok(true)
}

fn read_state(d: &World<'_>, state: &mut [Real]) {
    let (qpos, rest) = state.split_at_mut(d.qpos.len());
    let (qvel, act) = rest.split_at_mut(d.qvel.len());
    qpos.copy_from_slice(d.qpos);
    qvel.copy_from_slice(d.qvel);
    act.copy_from_slice(d.act);
}

fn read_sensors(d: &World<'_>, sensors: &mut [Real]) {
    sensors.copy_from_slice(&d.sensordata[..sensors.len()]);
}

/// `out = (b − a) / h`.
fn difference(out: &mut [Real], a: &[Real], b: &[Real], h: Real) {
    let inverse = 1.0 / h;
    for i in 0..out.len() {
        out[i] = inverse * (b[i] - a[i]);
    }
}

/// [`difference`] of two states, of which the configurations are compared in their tangent space.
fn state_difference(m: &Model, out: &mut [Real], a: &[Real], b: &[Real], h: Real) {
    // without quaternions the tangent space is the space itself
    if m.nq == m.nv {
        difference(out, a, b, h);
    } else {
        differentiate_pos(m, &mut out[..m.nv], h, &a[..m.nq], &b[..m.nq]);
        difference(&mut out[m.nv..], &a[m.nq..], &b[m.nq..], h);
    }
}

/// Takes perturbed steps. Workers that share a baseline, each with a copy of the world that it left, give
/// the same bits as one that computes all columns.
#[derive(Debug)]
pub struct Worker<'a> {
    base: &'a Baseline,
    /// The last stage whose results are those of the baseline.
    fresh: Stage,
    plus: Vec<Real>,
    minus: Vec<Real>,
    sensor_plus: Vec<Real>,
    sensor_minus: Vec<Real>,
    direction: Vec<Real>,
    /// The solution of the constraints of the baseline, where it is followed.
    solution: Option<&'a Solution>,
    follow: FollowMemory,
}

impl<'a> Worker<'a> {
    /// A worker for worlds with the results of `base`. With a solution of its constraints, centred differences of
    /// positions follow it where they can, and solve only where they must; hooks are not called there.
    pub fn new(base: &'a Baseline, solution: Option<&'a Solution>) -> Worker<'a> {
        Worker {
            base,
            solution: solution.filter(|_| base.options.centered && !base.options.sensors),
            follow: FollowMemory::default(),
            fresh: Stage::Vel,
            plus: base.next.clone(),
            minus: base.next.clone(),
            sensor_plus: base.sensors.clone(),
            sensor_minus: base.sensors.clone(),
            direction: vec![0.0; base.qvel.len()],
        }
    }

    /// Compute one column: `state` gets `2 nv + na` numbers, `sensors` one for each of `sensordata` where
    /// sensors are differentiated.
    ///
    /// Columns can come in any order; that of [`Column::all`] repeats no work.
    pub fn column(
        &mut self,
        m: &Model,
        d: &mut World<'_>,
        column: Column,
        state: &mut [Real],
        sensors: &mut [Real],
        hooks: &mut Option<&mut dyn Hooks>,
    ) -> Result<(), StepError> {
        let done = column.unaffected(m);
        // an earlier column changed stages that this one takes for granted
        if self.fresh < done {
            step(m, d, Stage::None, self.base.options.sensors, hooks)?;
            self.base.restore(d);
        }
        self.fresh = done;

        let DifferenceOptions { eps, centered, .. } = self.base.options;
        // controls stay in their range: where one side would leave it, the other one is taken alone
        let (plus, minus) = match column {
            Column::Control(i) => {
                let (up, down) = self.base.control_sides(m, i);
                (up, down && (centered || !up))
            }
            _ => (true, centered),
        };
        if plus {
            self.perturbed_step(m, d, column, eps, hooks)?;
            read_state(d, &mut self.plus);
            read_sensors(d, &mut self.sensor_plus);
            self.base.restore(d);
        }
        if minus {
            self.perturbed_step(m, d, column, -eps, hooks)?;
            read_state(d, &mut self.minus);
            read_sensors(d, &mut self.sensor_minus);
            self.base.restore(d);
        }
        // between both sides, or between one side and the middle
        let h = if plus && minus { 2.0 * eps } else { eps };
        let below = if minus { &self.minus } else { &self.base.next };
        let above = if plus { &self.plus } else { &self.base.next };
        // an input that cannot be moved has a column of zeros
        if plus || minus {
            state_difference(m, state, below, above, h);
        } else {
            state.fill(0.0);
        }
        // sensors by the same rule, as plain numbers
        let below = if minus { &self.sensor_minus } else { &self.base.sensors };
        let above = if plus { &self.sensor_plus } else { &self.base.sensors };
        difference(&mut sensors[..above.len()], below, above, h);
        Ok(())
    }

    fn perturbed_step(
        &mut self,
        m: &Model,
        d: &mut World<'_>,
        column: Column,
        by: Real,
        hooks: &mut impl Hooks,
    ) -> Result<(), StepError> {
        match column {
            Column::Control(i) => d.ctrl[i] += by,
            Column::Activation(i) => d.act[i] += by,
            Column::Velocity(i) => d.qvel[i] += by,
            // along the tangent: a quaternion is turned, not added to
            Column::Position(i) => {
                self.direction[i] = 1.0;
                integrate_pos(m, d.qpos, &self.direction, by);
                self.direction[i] = 0.0;
                // rows that keep their states have a solution nearby, two steps of Newton's method away
                if let Some(solution) = self.solution
                    && follow_step(m, d, solution, &mut self.follow, hooks)?
                {
                    return Ok(());
                }
            }
        }
        step(m, d, column.unaffected(m), self.base.options.sensors, hooks)
    }
}
