//! Handles of actuators.
use ferrodyn_math::Real;
use ferrodyn_model::TransmissionType;

use super::place::Span;
use super::table::handle;
use super::{Joint, Tendon};
use crate::ModelArrays;

handle! {
    /// The handle of an actuator.
    ///
    /// ```
    /// use ferrodyn::prelude::*;
    /// let model = load_model(
    ///     "<mujoco><worldbody><body><joint name='wheel'/><geom size='.1'/></body></worldbody>
    ///      <actuator><motor name='drive' joint='wheel' gear='3' ctrlrange='-1 1'/></actuator></mujoco>",
    /// )?;
    /// let drive = model.actuator("drive")?;
    /// let mut data = model.make_data();
    /// drive.set_ctrl(&mut data, drive.ctrlrange(&model)[1]);
    /// data.step(&model)?;
    /// assert_eq!(drive.force(&data), 1.0);
    /// let wheel = drive.joint(&model).unwrap();
    /// assert_eq!((wheel.name(&model), wheel.qfrc_actuator(&data)[0]), ("wheel", 3.0));
    /// # Ok::<(), ferrodyn::Error>(())
    /// ```
    Actuator = "actuator", Actuator, actuator, actuators;
    keep {
        activations: Span = |m, i| Span::new(m.actuator_actadr[i], m.actuator_actnum[i]);
    }
    data {
        ctrl, set_ctrl = ctrl_mut: Real = ctrl, "control";
        force: Real = actuator_force, "force";
        length: Real = actuator_length, "length";
        velocity: Real = actuator_velocity, "velocity";
    }
    data_slices {
        act, act_mut: [Real] = act[activations], "activations, none where it is stateless";
        act_dot: [Real] = act_dot[activations], "time derivative of the activations";
    }
    model {
        gear, set_gear: [Real; 6] = actuator_gear, "scaling of length and force";
        ctrlrange, set_ctrlrange: [Real; 2] = actuator_ctrlrange, "control limits";
        forcerange, set_forcerange: [Real; 2] = actuator_forcerange, "force limits";
        gainprm, set_gainprm: [Real; 10] = actuator_gainprm, "parameters of the gain";
        biasprm, set_biasprm: [Real; 10] = actuator_biasprm, "parameters of the bias";
        dynprm, set_dynprm: [Real; 10] = actuator_dynprm, "parameters of the activation dynamics";
        group, set_group: i32 = actuator_group, "group";
    }
}

impl Actuator {
    /// Is its control limited (`actuator_ctrllimited`)?
    #[track_caller]
    pub fn ctrllimited(self, model: &ModelArrays) -> bool {
        model.actuator_ctrllimited[self.of(model)] != 0
    }

    /// The joint that it acts on, if it acts on one.
    #[track_caller]
    pub fn joint(self, model: &ModelArrays) -> Option<Joint> {
        let id = self.of(model);
        let kinds = [TransmissionType::Joint, TransmissionType::JointInParent];
        let found = kinds.map(|kind| kind as i32).contains(&model.actuator_trntype[id]);
        found.then(|| self.place.relative(model, model.actuator_trnid[id][0])).flatten()
    }

    /// The tendon that it pulls, if it pulls one.
    #[track_caller]
    pub fn tendon(self, model: &ModelArrays) -> Option<Tendon> {
        let id = self.of(model);
        let found = model.actuator_trntype[id] == TransmissionType::Tendon as i32;
        found.then(|| self.place.relative(model, model.actuator_trnid[id][0])).flatten()
    }
}
