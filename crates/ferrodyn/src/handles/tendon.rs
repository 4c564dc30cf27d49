//! Handles of tendons.
use ferrodyn_math::Real;

use super::table::handle;
use crate::ModelArrays;

handle! {
    /// The handle of a tendon.
    ///
    /// ```
    /// use ferrodyn::prelude::*;
    /// let model = load_model(
    ///     "<mujoco><worldbody><site name='top' pos='0 0 2'/><body pos='0 0 1'><freejoint/><geom size='.1'/>
    ///      <site name='hook'/></body></worldbody>
    ///      <tendon><spatial name='rope'><site site='top'/><site site='hook'/></spatial></tendon></mujoco>",
    /// )?;
    /// let rope = model.tendon("rope")?;
    /// let mut data = model.make_data();
    /// data.qvel_mut()[2] = -0.5;
    /// data.forward(&model)?;
    /// assert_eq!((rope.length(&data), rope.velocity(&data)), (1.0, 0.5));
    /// # Ok::<(), ferrodyn::Error>(())
    /// ```
    Tendon = "tendon", Tendon, tendon, tendons;
    data {
        length: Real = ten_length, "length";
        velocity: Real = ten_velocity, "velocity";
    }
    model {
        range, set_range: [Real; 2] = tendon_range, "length limits";
        stiffness, set_stiffness: Real = tendon_stiffness, "spring stiffness";
        damping, set_damping: Real = tendon_damping, "viscous damping";
        armature, set_armature: Real = tendon_armature, "inertia that moves with the length";
        frictionloss, set_frictionloss: Real = tendon_frictionloss, "dry friction";
        lengthspring, set_lengthspring: [Real; 2] = tendon_lengthspring, "lengths in which the spring is relaxed";
        width, set_width: Real = tendon_width, "width for drawing";
        rgba, set_rgba: [f32; 4] = tendon_rgba, "colour";
    }
}

impl Tendon {
    /// Does its length have limits (`tendon_limited`)?
    #[track_caller]
    pub fn limited(self, model: &ModelArrays) -> bool {
        model.tendon_limited[self.of(model)] != 0
    }
}
