//! What comes out of a batch.
use bytemuck::{Pod, Zeroable};
use ferrodyn_dynamics::query::contact_force;
use ferrodyn_dynamics::{StepError, World};
use ferrodyn_math::Real;
use ferrodyn_model::{Model, Storage};

use crate::BatchError;
use crate::observed::Observed;

/// What came of the last call that stepped all worlds. Its buffers are made once and used again.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BatchResult {
    /// Row-major `[n, nq + nv]`: a row is a world, `qpos` and then `qvel`.
    pub states: Vec<Real>,
    /// Rewards; zero without a reward function, and in the call that resets a world.
    pub rewards: Vec<f64>,
    /// Whether a world has come to an end, by its own rule or by an error.
    pub terminated: Vec<bool>,
    /// Whether a world has reached the time limit.
    pub truncated: Vec<bool>,
    /// What went wrong with a world; its state is then the one before the step that failed.
    pub errors: Vec<Option<StepError>>,
}

impl BatchResult {
    pub(crate) fn new(count: usize, row: usize) -> BatchResult {
        BatchResult {
            states: vec![0.0; count * row],
            rewards: vec![0.0; count],
            terminated: vec![false; count],
            truncated: vec![false; count],
            errors: vec![None; count],
        }
    }

    /// Everything, to be written.
    pub(crate) fn outputs(&mut self) -> BatchOutputs<'_> {
        BatchOutputs {
            states: Some(&mut self.states),
            rewards: Some(&mut self.rewards),
            terminated: Some(&mut self.terminated),
            truncated: Some(&mut self.truncated),
            errors: Some(&mut self.errors),
            ..BatchOutputs::default()
        }
    }
}

/// The contacts of a world in three numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct ContactSummary {
    /// How many contacts there are.
    pub count: Real,
    /// The smallest distance of all, in m: negative where bodies penetrate. Zero without contacts.
    pub distance: Real,
    /// Sum of all normal forces, in N.
    pub normal_force: Real,
}

impl ContactSummary {
    fn of(m: &Model<impl Storage>, d: &World<'_>) -> ContactSummary {
        let mut summary = ContactSummary::default();
        for (i, contact) in d.work.contact[..d.ncon()].iter().enumerate() {
            summary.count += 1.0;
            summary.distance =
                if i == 0 { contact.dist } else { summary.distance.min(contact.dist) };
            summary.normal_force += contact_force(m, d, i)[0];
        }
        summary
    }
}

macro_rules! outputs {
    ($sizes:ident; $($(#[$doc:meta])* $name:ident: $t:ty = $columns:expr;)*) => {
        /// Where results go: memory of the caller, one row for each world. What nobody asks for is not written.
        #[derive(Debug, Default)]
        pub struct BatchOutputs<'a> {
            $($(#[$doc])* pub $name: Option<&'a mut [$t]>,)*
        }

        impl<'a> BatchOutputs<'a> {
            /// The first `count` rows, and the others.
            pub(crate) fn split_at(self, count: usize, $sizes: &Sizes) -> (BatchOutputs<'a>, BatchOutputs<'a>) {
                $(let $name = cut(self.$name, count * $columns);)*
                (BatchOutputs { $($name: $name.0,)* }, BatchOutputs { $($name: $name.1,)* })
            }

            /// One row.
            pub(crate) fn row(&mut self, i: usize, $sizes: &Sizes) -> BatchOutputs<'_> {
                BatchOutputs {
                    $($name: self.$name.as_deref_mut().map(|array| {
                        let columns = $columns;
                        &mut array[i * columns..(i + 1) * columns]
                    }),)*
                }
            }

            /// Has every array that is there the right length?
            pub(crate) fn check(&self, count: usize, $sizes: &Sizes) -> Result<(), BatchError> {
                $(if let Some(array) = &self.$name {
                    check_length(stringify!($name), array.len(), count * $columns)?;
                })*
                Ok(())
            }
        }
    };
}

/// Lengths of the rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    pub(crate) state: usize,
    pub(crate) sensor: usize,
    pub(crate) observed: usize,
}

outputs! {
    sizes;
    /// `[n, nq + nv]`: `qpos`, then `qvel`.
    states: Real = sizes.state;
    /// `[n]`: rewards.
    rewards: f64 = 1;
    /// `[n]`: whether a world has come to an end.
    terminated: bool = 1;
    /// `[n]`: whether a world has reached the time limit.
    truncated: bool = 1;
    /// `[n]`: what went wrong.
    errors: Option<StepError> = 1;
    /// `[n, nsensordata]`: values of the sensors, as the last step computed them.
    sensors: Real = sizes.sensor;
    /// `[n, observed]`: the arrays that were chosen with [`BatchSim::observe`](crate::BatchSim::observe), one after the other.
    observed: Real = sizes.observed;
    /// `[n]`: the contacts of the last step.
    contacts: ContactSummary = 1;
}

fn cut<T>(array: Option<&mut [T]>, count: usize) -> (Option<&mut [T]>, Option<&mut [T]>) {
    array.map(|array| array.split_at_mut(count)).unzip()
}

pub(crate) fn check_length(
    what: &'static str,
    found: usize,
    expected: usize,
) -> Result<(), BatchError> {
    if found == expected { Ok(()) } else { Err(BatchError::Length { what, found, expected }) }
}

/// What is said of one world, beside its arrays.
#[derive(Debug, Default)]
pub(crate) struct Verdict {
    pub(crate) reward: f64,
    pub(crate) terminated: bool,
    pub(crate) truncated: bool,
    pub(crate) error: Option<StepError>,
}

impl BatchOutputs<'_> {
    /// Write the state of one world.
    pub(crate) fn write_state(&mut self, qpos: &[Real], qvel: &[Real]) {
        if let Some(row) = &mut self.states {
            let (own_qpos, own_qvel) = row.split_at_mut(qpos.len());
            own_qpos.copy_from_slice(qpos);
            own_qvel.copy_from_slice(qvel);
        }
    }

    /// Write the arrays of one world; these are the rows of that world alone.
    pub(crate) fn write_world(
        &mut self,
        m: &Model<impl Storage>,
        d: &World<'_>,
        observed: &Observed,
    ) {
        self.write_state(d.qpos, d.qvel);
        if let Some(row) = &mut self.sensors {
            row.copy_from_slice(d.sensordata);
        }
        if let Some(row) = &mut self.observed {
            observed.write(d, row);
        }
        if let Some(row) = &mut self.contacts {
            row[0] = ContactSummary::of(m, d);
        }
    }

    /// Write what is said of it.
    pub(crate) fn write_verdict(&mut self, verdict: Verdict) {
        fn put<T>(row: &mut Option<&mut [T]>, value: T) {
            if let Some(row) = row {
                row[0] = value;
            }
        }
        put(&mut self.rewards, verdict.reward);
        put(&mut self.terminated, verdict.terminated);
        put(&mut self.truncated, verdict.truncated);
        put(&mut self.errors, verdict.error);
    }
}
