//! Handles of joints.
use ferrodyn_math::{Real, Vec3};
use ferrodyn_model::JointType;

use super::place::Span;
use super::table::{handle, relations};
use crate::ModelArrays;

handle! {
    /// The handle of a joint.
    ///
    /// Hinges and slides have one value in `qpos` and `qvel`, ball joints four (a rotation) and three, free joints seven
    /// (position, then rotation) and six.
    ///
    /// ```
    /// use ferrodyn::prelude::*;
    /// let model = load_model(
    ///     "<mujoco><worldbody><body><freejoint name='root'/><geom size='.1'/></body></worldbody></mujoco>",
    /// )?;
    /// let root = model.joint("root")?;
    /// let mut data = model.make_data();
    /// root.qpos_mut(&mut data)[2] = 3.0;
    /// root.qvel_mut(&mut data)[0] = 1.0;
    /// data.step(&model)?;
    /// assert_eq!((root.qpos(&data).len(), root.qvel(&data).len()), (7, 6));
    /// assert!(root.qacc(&data)[2] < -9.8);
    /// # Ok::<(), ferrodyn::Error>(())
    /// ```
    Joint = "joint", Joint, joint, joints;
    keep {
        positions: Span = |m, i| Span::new(m.jnt_qposadr[i], widths(m.jnt_type[i])[0]);
        dofs: Span = |m, i| Span::new(m.jnt_dofadr[i], widths(m.jnt_type[i])[1]);
    }
    data {
        xanchor: Vec3 = xanchor, "anchor";
        xaxis: Vec3 = xaxis, "axis";
    }
    data_slices {
        qpos, qpos_mut: [Real] = qpos[positions], "configuration";
        qvel, qvel_mut: [Real] = qvel[dofs], "velocity";
        qacc, qacc_mut: [Real] = qacc[dofs], "acceleration";
        qfrc_applied, qfrc_applied_mut: [Real] = qfrc_applied[dofs], "force applied by the user";
        qfrc_actuator: [Real] = qfrc_actuator[dofs], "force of actuators";
        qfrc_passive: [Real] = qfrc_passive[dofs], "passive forces";
        qfrc_bias: [Real] = qfrc_bias[dofs], "Coriolis, centrifugal and gravity forces";
        qfrc_constraint: [Real] = qfrc_constraint[dofs], "force of constraints";
        qfrc_inverse: [Real] = qfrc_inverse[dofs], "external force found by inverse dynamics";
    }
    model {
        range, set_range: [Real; 2] = jnt_range, "limits";
        pos, set_pos: Vec3 = jnt_pos, "anchor in the body frame";
        axis, set_axis: Vec3 = jnt_axis, "axis in the body frame";
        stiffness, set_stiffness: Real = jnt_stiffness, "spring stiffness";
        margin, set_margin: Real = jnt_margin, "distance at which a limit becomes active";
        solref, set_solref: [Real; 2] = jnt_solref, "reference parameters of the limit";
        solimp, set_solimp: [Real; 5] = jnt_solimp, "impedance parameters of the limit";
        actfrcrange, set_actfrcrange: [Real; 2] = jnt_actfrcrange, "limits of the total actuator force";
    }
    model_slices {
        qpos0, qpos0_mut: [Real] = qpos0[positions], "configuration of the reference pose";
        qpos_spring, qpos_spring_mut: [Real] = qpos_spring[positions], "configuration in which springs are relaxed";
        damping, damping_mut: [Real] = dof_damping[dofs], "viscous damping";
        armature, armature_mut: [Real] = dof_armature[dofs], "rotor inertia";
        frictionloss, frictionloss_mut: [Real] = dof_frictionloss[dofs], "dry friction";
    }
}

relations!(Joint, body in jnt_bodyid);
relations!(Joint, kind JointType in jnt_type);

impl Joint {
    /// Where its values are in `qpos`, for arrays of one's own.
    pub fn qpos_range(self) -> std::ops::Range<usize> {
        self.positions.range()
    }

    /// Where its values are in `qvel` and in every other array with an element for each degree of freedom.
    pub fn dof_range(self) -> std::ops::Range<usize> {
        self.dofs.range()
    }

    /// Does it have limits (`jnt_limited`)?
    #[track_caller]
    pub fn limited(self, model: &ModelArrays) -> bool {
        model.jnt_limited[self.of(model)] != 0
    }
}

/// Values in `qpos` and degrees of freedom of a kind of joint.
fn widths(kind: i32) -> [i32; 2] {
    match JointType::try_from(kind) {
        Ok(JointType::Free) => [7, 6],
        Ok(JointType::Ball) => [4, 3],
        Ok(JointType::Slide | JointType::Hinge) => [1, 1],
        Err(_) => [0, 0],
    }
}
