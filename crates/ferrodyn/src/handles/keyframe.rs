//! Handles of keyframes.
use ferrodyn_math::Real;

use super::table::handle;
use crate::{Data, Model, ModelArrays, StepError};

handle! {
    /// The handle of a keyframe.
    ///
    /// ```
    /// use ferrodyn::prelude::*;
    /// let model = load_model(
    ///     "<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody>
    ///      <keyframe><key name='bent' time='3' qpos='.5'/></keyframe></mujoco>",
    /// )?;
    /// let bent = model.keyframe("bent")?;
    /// let mut data = model.make_data();
    /// bent.reset(&model, &mut data)?;
    /// assert_eq!((data.time(), data.qpos()), (3.0, bent.qpos(&model)));
    /// # Ok::<(), ferrodyn::Error>(())
    /// ```
    Keyframe = "keyframe", Key, keyframe, keyframes;
    model {
        time, set_time: Real = key_time, "time";
    }
}

/// Rows of the arrays of keyframes, each as long as the state that it holds.
macro_rules! rows {
    ($($name:ident = $array:ident[$size:ident], $doc:literal;)*) => {
        impl Keyframe {
            $(
                #[doc = concat!("From the model: ", $doc, " (`", stringify!($array), "`).")]
                #[track_caller]
                pub fn $name(self, model: &ModelArrays) -> &[Real] {
                    let id = self.of(model);
                    &model.$array[id * model.$size..(id + 1) * model.$size]
                }
            )*
        }
    };
}

rows! {
    qpos = key_qpos[nq], "configuration";
    qvel = key_qvel[nv], "velocity";
    act = key_act[na], "activations";
    ctrl = key_ctrl[nu], "controls";
}

impl Keyframe {
    /// Return a world to this keyframe.
    #[track_caller]
    pub fn reset(self, model: &Model, data: &mut Data) -> Result<(), StepError> {
        data.reset_to_keyframe(model, self.of(model))
    }
}
