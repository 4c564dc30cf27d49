//! What a rollout is: from a given state, so many steps under given controls. Nothing here knows Python or threads.
use std::ops::ControlFlow;

use ferrodyn_dynamics as dynamics;
use ferrodyn_dynamics::data::{Header, WarningStat, read_state, state_size, write_state};
use ferrodyn_dynamics::hooks::Hooks;
use ferrodyn_dynamics::step::step_n_visiting;
use ferrodyn_dynamics::{OwnedWorld, StepError, StepReport, World};
use ferrodyn_math::Real;
use ferrodyn_model::{EnableBit, Model, StateBit};

/// What a row of states holds: `mjSTATE_FULLPHYSICS`.
pub(crate) const STATE: i32 = StateBit::FullPhysics as i32;
/// What a user sets.
const INPUTS: i32 = StateBit::User as i32;

/// Lengths of the rows of all arrays; equal for all models of a batch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lengths {
    pub(crate) state: usize,
    pub(crate) control: usize,
    pub(crate) warmstart: usize,
    pub(crate) sensordata: usize,
}

impl Lengths {
    pub(crate) fn new(m: &Model, control_spec: i32) -> Lengths {
        Lengths {
            state: state_size(m, STATE),
            control: state_size(m, control_spec),
            warmstart: m.nv,
            sensordata: m.nsensordata,
        }
    }
}

/// What all rollouts of a batch have in common.
pub(crate) struct Plan<'a> {
    /// One model for each rollout, or one for all.
    pub(crate) models: Vec<&'a Model>,
    pub(crate) lengths: Lengths,
    /// Which inputs the controls are.
    pub(crate) control_spec: i32,
}

/// Where rollouts begin. Arrays have a row for each of them.
pub(crate) struct Start<'a> {
    pub(crate) state: &'a [Real],
    /// Accelerations from which the constraint solver starts; zeros where there are none.
    pub(crate) warmstart: Option<&'a [Real]>,
    /// What the user had set when the batch began: for inputs that the controls cover, but are not given.
    pub(crate) inputs: Vec<Real>,
}

/// A rollout that ended early, since a step raised a warning.
pub(crate) struct Warned {
    pub(crate) rollout: usize,
    /// Time before the step.
    pub(crate) time: Real,
    pub(crate) warnings: Vec<WarningStat>,
    pub(crate) report: StepReport,
}

/// Where results go: a row for each step of each rollout.
pub(crate) struct Rows<'a> {
    pub(crate) state: Option<&'a mut [Real]>,
    pub(crate) sensordata: Option<&'a mut [Real]>,
}

/// The inputs of a world, for [`Start`].
pub(crate) fn inputs(m: &Model, world: &OwnedWorld) -> Result<Vec<Real>, StepError> {
    dynamics::data::get_state(m, world, INPUTS)
}

impl<'a> Plan<'a> {
    pub(crate) fn new(models: Vec<&'a Model>, control_spec: i32) -> Plan<'a> {
        Plan { lengths: Lengths::new(models[0], control_spec), models, control_spec }
    }

    /// The model of a rollout.
    pub(crate) fn model(&self, rollout: usize) -> &'a Model {
        self.models[if self.models.len() == 1 { 0 } else { rollout }]
    }

    /// Set a world to the beginning of a rollout, whatever happened in it before.
    pub(crate) fn begin(
        &self,
        start: &Start<'_>,
        rollout: usize,
        world: &mut OwnedWorld,
    ) -> Result<(), StepError> {
        let m = self.model(rollout);
        // what a state vector does not hold: who sleeps, and deformable bodies
        if m.opt.enabled(EnableBit::Sleep) || m.nsoft > 0 {
            dynamics::data::reset(m, world)?;
        }
        let d = &mut world.view_mut();
        write_state(d, &start.inputs, INPUTS)?;
        self.clear_inputs(m, d);
        write_state(d, row(start.state, rollout, self.lengths.state), STATE)?;
        match start.warmstart {
            Some(values) => d.qacc_warmstart.copy_from_slice(row(values, rollout, m.nv)),
            None => d.qacc_warmstart.fill(0.0),
        }
        for warning in &mut d.head.warning {
            warning.number = 0;
        }
        Ok(())
    }

    /// Inputs that the controls do not cover: no forces, and what the model says of mocap bodies and equalities.
    fn clear_inputs(&self, m: &Model, d: &mut World<'_>) {
        let is_free = |bit: StateBit| self.control_spec & bit as i32 == 0;
        if is_free(StateBit::Ctrl) {
            d.ctrl.fill(0.0);
        }
        if is_free(StateBit::QfrcApplied) {
            d.qfrc_applied.fill(0.0);
        }
        if is_free(StateBit::XfrcApplied) {
            d.xfrc_applied.fill([0.0; 6]);
        }
        if is_free(StateBit::EqActive) {
            d.eq_active.copy_from_slice(&m.eq_active0);
        }
        for body in 0..m.nbody {
            let Ok(mocap) = usize::try_from(m.body_mocapid[body]) else { continue };
            if is_free(StateBit::MocapPos) {
                d.mocap_pos[mocap] = m.body_pos[body];
            }
            if is_free(StateBit::MocapQuat) {
                d.mocap_quat[mocap] = m.body_quat[body];
            }
        }
    }

    /// Roll out: the controls of each step, if there are any, and the results after it. A warning ends it, and what was
    /// written last is repeated. `go_on` is asked before each step.
    pub(crate) fn roll(
        &self,
        rollout: usize,
        nstep: usize,
        world: &mut OwnedWorld,
        hooks: Option<&mut dyn Hooks>,
        controls: Option<&[Real]>,
        rows: &mut Rows<'_>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Warned>, StepError> {
        let m = self.model(rollout);
        let mut failed = None;
        let mut time = world.time();
        let report = step_n_visiting(m, world, nstep, hooks, &mut |taken, d| {
            let outcome = (|| {
                if taken > 0 {
                    rows.write_world(self.lengths, taken - 1, d)?;
                    if has_warned(d.head) {
                        rows.repeat(self.lengths, taken - 1);
                        return Ok(ControlFlow::Break(()));
                    }
                }
                if taken == nstep || !go_on() {
                    return Ok(ControlFlow::Break(()));
                }
                if let Some(controls) = controls {
                    let control = row(controls, taken, self.lengths.control);
                    write_state(d, control, self.control_spec)?;
                }
                time = d.head.time;
                Ok(ControlFlow::Continue(()))
            })();
            outcome.unwrap_or_else(|error| {
                failed = Some(error);
                ControlFlow::Break(())
            })
        })?;
        if let Some(error) = failed {
            return Err(error);
        }
        let warnings = || world.header().warning.to_vec();
        let warned = has_warned(world.header());
        Ok(warned.then(|| Warned { rollout, time, warnings: warnings(), report }))
    }
}

/// Was a warning raised since the rollout began?
pub(crate) fn has_warned(head: &Header) -> bool {
    head.warning.iter().any(|warning| warning.number > 0)
}

/// Row `i` of an array.
pub(crate) fn row(array: &[Real], i: usize, len: usize) -> &[Real] {
    &array[i * len..(i + 1) * len]
}

fn row_mut(array: &mut [Real], i: usize, len: usize) -> &mut [Real] {
    &mut array[i * len..(i + 1) * len]
}

impl<'a> Rows<'a> {
    /// Cut off the first so many rows.
    pub(crate) fn take(&mut self, lengths: Lengths, count: usize) -> Rows<'a> {
        let cut = |array: &mut Option<&'a mut [Real]>, len: usize| {
            let (first, rest) = array.take()?.split_at_mut(count * len);
            *array = Some(rest);
            Some(first)
        };
        Rows {
            state: cut(&mut self.state, lengths.state),
            sensordata: cut(&mut self.sensordata, lengths.sensordata),
        }
    }

    /// Write the results after a step of a world.
    pub(crate) fn write_world(
        &mut self,
        lengths: Lengths,
        step: usize,
        d: &World<'_>,
    ) -> Result<(), StepError> {
        self.write(lengths, step, |spec, state| read_state(d, spec, state), d.sensordata)
    }

    /// Write the results after a step: the state, as a function reads it, and sensor values.
    pub(crate) fn write(
        &mut self,
        lengths: Lengths,
        step: usize,
        read: impl FnOnce(i32, &mut [Real]) -> Result<(), StepError>,
        values: &[Real],
    ) -> Result<(), StepError> {
        if let Some(states) = &mut self.state {
            read(STATE, row_mut(states, step, lengths.state))?;
        }
        if let Some(sensordata) = &mut self.sensordata {
            row_mut(sensordata, step, lengths.sensordata).copy_from_slice(values);
        }
        Ok(())
    }

    /// Repeat the results of a step in all rows after it.
    fn repeat(&mut self, lengths: Lengths, step: usize) {
        let arrays = [
            (self.state.as_deref_mut(), lengths.state),
            (self.sensordata.as_deref_mut(), lengths.sensordata),
        ];
        for (array, len) in arrays {
            let Some(array) = array.filter(|_| len > 0) else { continue };
            for start in ((step + 1) * len..array.len()).step_by(len) {
                array.copy_within(step * len..(step + 1) * len, start);
            }
        }
    }
}
