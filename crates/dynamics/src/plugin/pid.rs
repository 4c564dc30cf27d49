//! `mujoco.pid`: servo actuators with integral term and limited rate of the set point.
use alloc::{format, string::String, vec::Vec};

use ferrodyn_math::Real;
use ferrodyn_model::{DynType, Model, Storage};

use super::config::Config;
use crate::World;
use crate::force::actuation::{clamp, last_activation, next_activation};

/// A controller and the actuators that it drives.
///
/// The activations of such an actuator are: the integral of the error where there is an integral
/// gain, the last set point where its rate is limited, and that of the actuator's own dynamics.
#[derive(Clone, Debug)]
pub(super) struct Pid {
    p_gain: Real,
    i_gain: Real,
    d_gain: Real,
    /// Limit of the integral of the error.
    i_max: Option<Real>,
    /// Limit of the rate of the set point.
    slew_max: Option<Real>,
    actuators: Vec<usize>,
}

impl Pid {
    pub(super) fn new(
        m: &Model<impl Storage>,
        instance: usize,
        config: &Config<'_>,
    ) -> Result<Pid, String> {
        let i_gain = config.number("ki");
        // the configuration limits the force, the controller the integral
        let i_max = config.optional("imax").filter(|_| i_gain != 0.0).map(|max| max / i_gain);
        let slew_max = config.optional("slewmax");
        if i_max.is_some_and(|max| max < 0.0) {
            return Err(String::from("negative imax"));
        }
        if slew_max.is_some_and(|max| max < 0.0) {
            return Err(String::from("slewmax must be non-negative"));
        }
        let actuators: Vec<usize> =
            (0..m.nu).filter(|i| m.actuator_plugin[*i] == instance as i32).collect();
        if actuators.is_empty() {
            return Err(String::from("no actuator uses it"));
        }
        let pid = Pid {
            p_gain: config.number("kp"),
            i_gain,
            d_gain: config.number("kd"),
            i_max,
            slew_max,
            actuators,
        };
        for &i in &pid.actuators {
            let own = matches!(
                DynType::try_from(m.actuator_dyntype[i]),
                Ok(DynType::Filter | DynType::FilterExact | DynType::Integrator)
            );
            let expected = pid.states() + own as usize;
            if m.actuator_actnum[i] != expected as i32 {
                let found = m.actuator_actnum[i];
                return Err(format!("actuator {i} has actdim {found}, expected {expected}"));
            }
        }
        Ok(pid)
    }

    /// How many activations belong to the controller.
    fn states(&self) -> usize {
        (self.i_gain != 0.0) as usize + self.slew_max.is_some() as usize
    }

    /// The activations of the controller: error integral and last set point.
    fn state(&self, m: &Model<impl Storage>, i: usize) -> (Option<usize>, Option<usize>) {
        let first = m.actuator_actadr[i].max(0) as usize;
        let integral = (self.i_gain != 0.0).then_some(first);
        let last = self.slew_max.map(|_| first + integral.is_some() as usize);
        (integral, last)
    }

    /// The set point: control or activation, within the limit of its rate.
    fn set_point(&self, m: &Model<impl Storage>, d: &World<'_>, i: usize, early: bool) -> Real {
        let target = match last_activation(m, i) {
            Some(adr) if m.dynamics_kind(i) != Some(DynType::None) => {
                if early {
                    next_activation(m, d, i, adr, d.act_dot[adr])
                } else {
                    d.act[adr]
                }
            }
            _ if m.actuator_ctrllimited[i] != 0 => clamp(d.ctrl[i], &m.actuator_ctrlrange[i]),
            _ => d.ctrl[i],
        };
        let (_, last) = self.state(m, i);
        match (self.slew_max, last) {
            // before the first step there is no last set point
            (Some(max), Some(last)) if d.head.time > 0.0 => {
                let reach = max * m.opt.timestep;
                clamp(target, &[d.act[last] - reach, d.act[last] + reach])
            }
            _ => target,
        }
    }

    /// The integral of the error at the end of the step.
    fn integral(&self, m: &Model<impl Storage>, d: &World<'_>, i: usize, error: Real) -> Real {
        let (Some(adr), _) = self.state(m, i) else { return 0.0 };
        let integral = d.act[adr] + error * m.opt.timestep;
        self.i_max.map_or(integral, |max| clamp(integral, &[-max, max]))
    }

    /// Rates that take the controller's activations to their values at the end of the step.
    pub(super) fn activation_rates(&self, m: &Model<impl Storage>, d: &mut World<'_>) {
        let h = m.opt.timestep;
        for &i in &self.actuators {
            let set_point = self.set_point(m, d, i, false);
            let error = set_point - d.actuator_length[i];
            let (integral, last) = self.state(m, i);
            if let Some(adr) = integral {
                d.act_dot[adr] = (self.integral(m, d, i, error) - d.act[adr]) / h;
            }
            if let Some(adr) = last {
                d.act_dot[adr] = (set_point - d.act[adr]) / h;
            }
        }
    }

    /// `force = kp e + kd ė + ki ∫e`.
    pub(super) fn forces(&self, m: &Model<impl Storage>, d: &mut World<'_>) {
        for &i in &self.actuators {
            let set_point = self.set_point(m, d, i, m.actuator_actearly[i] != 0);
            let error = set_point - d.actuator_length[i];
            let own_rate = match last_activation(m, i) {
                Some(adr) if m.dynamics_kind(i) != Some(DynType::None) => d.act_dot[adr],
                _ => 0.0,
            };
            let error_rate = own_rate - d.actuator_velocity[i];
            d.actuator_force[i] = self.p_gain * error
                + self.d_gain * error_rate
                + self.i_gain * self.integral(m, d, i, error);
        }
    }
}
