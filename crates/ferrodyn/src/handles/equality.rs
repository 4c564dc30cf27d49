//! Handles of equality constraints.
use ferrodyn_math::Real;
use ferrodyn_model::EqualityType;

use super::table::{handle, relations};
use crate::{Data, ModelArrays};

handle! {
    /// The handle of an equality constraint.
    ///
    /// ```
    /// use ferrodyn::prelude::*;
    /// let model = load_model(
    ///     "<mujoco><worldbody><body name='lamp' pos='0 0 1'><freejoint/><geom size='.1'/></body></worldbody>
    ///      <equality><weld name='hook' body1='lamp'/></equality></mujoco>",
    /// )?;
    /// let (hook, lamp) = (model.equality("hook")?, model.body("lamp")?);
    /// let mut data = model.make_data();
    /// data.step_n(&model, 100)?;
    /// assert!(lamp.xpos(&data)[2] > 0.99);
    /// hook.set_active(&mut data, false); // let go
    /// data.step_n(&model, 100)?;
    /// assert!(lamp.xpos(&data)[2] < 0.9);
    /// # Ok::<(), ferrodyn::Error>(())
    /// ```
    Equality = "equality constraint", Equality, equality, equalities;
    model {
        data, set_data: [Real; 11] = eq_data, "numbers of the constraint, by kind";
        solref, set_solref: [Real; 2] = eq_solref, "reference parameters";
        solimp, set_solimp: [Real; 5] = eq_solimp, "impedance parameters";
    }
}

relations!(Equality, kind EqualityType in eq_type);

impl Equality {
    /// Is it in effect (`eq_active`)?
    #[track_caller]
    pub fn active(self, data: &Data) -> bool {
        data.eq_active()[self.within(data)] != 0
    }

    /// Put it in effect, or let go (`eq_active`).
    #[track_caller]
    pub fn set_active(self, data: &mut Data, active: bool) {
        let id = self.within(data);
        data.eq_active_mut()[id] = active.into();
    }

    /// Is it in effect after a reset (`eq_active0`)?
    #[track_caller]
    pub fn active0(self, model: &ModelArrays) -> bool {
        model.eq_active0[self.of(model)] != 0
    }
}
