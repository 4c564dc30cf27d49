//! Arrays of worlds that somebody wants to see after every call.
use std::ops::Range;

use ferrodyn_dynamics::World;
use ferrodyn_dynamics::sensor::rne_post_constraint;
use ferrodyn_math::{Element, Real};
use ferrodyn_model::{Model, Storage};

use crate::{BatchError, BatchSim};

/// The arrays that were chosen.
#[derive(Clone, Debug, Default)]
pub(crate) struct Observed {
    /// Number in the table, and where in a row it lies.
    fields: Vec<(usize, Range<usize>)>,
    /// Is one of them computed only for who asks?
    after_constraints: bool,
}

/// Arrays that a step leaves alone unless a sensor needs them.
const AFTER_CONSTRAINTS: [&str; 3] = ["cacc", "cfrc_int", "cfrc_ext"];

impl Observed {
    /// Numbers of a row.
    pub(crate) fn columns(&self) -> usize {
        self.fields.last().map_or(0, |(_, columns)| columns.end)
    }

    /// Compute what a step leaves out, if it was chosen.
    pub(crate) fn complete(&self, m: &Model<impl Storage>, d: &mut World<'_>) {
        if self.after_constraints {
            rne_post_constraint(m, d);
        }
    }

    pub(crate) fn write(&self, d: &World<'_>, row: &mut [Real]) {
        for (field, columns) in &self.fields {
            row[columns.clone()].copy_from_slice(bytemuck::cast_slice(d.array_bytes(*field)));
        }
    }
}

impl BatchSim {
    /// Choose arrays of worlds (`xpos`, `cinert`, `qfrc_actuator`, ...) that later calls write to
    /// [`BatchOutputs::observed`](crate::BatchOutputs::observed), and say where in a row each of them lies. They are as a step leaves them;
    /// `cacc`, `cfrc_int` and `cfrc_ext`, which a step leaves out, are computed after it. What else a step leaves out (`subtree_linvel`, where no sensor
    /// needs it) means nothing.
    ///
    /// ```
    /// use ferrodyn::batch::BatchOutputs;
    /// use ferrodyn::{BatchSim, load_model};
    /// let model = load_model(
    ///     "<mujoco><worldbody><body pos='0 0 1'><freejoint/><geom size='.1'/></body></worldbody></mujoco>",
    /// )?;
    /// let mut batch = BatchSim::new(model.shared(), 2)?;
    /// let columns = batch.observe(&["xpos", "qfrc_bias"])?;
    /// assert_eq!(columns, [0..6, 6..12]);
    /// let mut rows = [0.0; 2 * 12];
    /// batch.step_into(BatchOutputs { observed: Some(&mut rows), ..BatchOutputs::default() })?;
    /// // the height of the body
    /// assert_eq!(rows[5], 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn observe(&mut self, names: &[&str]) -> Result<Vec<Range<usize>>, BatchError> {
        let mut observed = Observed::default();
        for &name in names {
            let found = self.layout().info(name).filter(|(_, info)| info.kind == Real::KIND);
            let (field, info) = found.ok_or_else(|| BatchError::NoSuchArray(name.into()))?;
            let start = observed.columns();
            observed.fields.push((field, start..start + info.len()));
            observed.after_constraints |= AFTER_CONSTRAINTS.contains(&name);
        }
        let columns = observed.fields.iter().map(|(_, columns)| columns.clone()).collect();
        self.set_observed(observed);
        Ok(columns)
    }
}
