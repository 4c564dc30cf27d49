//! The parameters of an actuator, and how each kind of actuator element writes them.

use core::f64::consts::PI;

use ferrodyn_model::{BiasType, DynType, GainModelType, GainType};

use crate::keywords::{Interpolation, Tristate};
use crate::schema::{ActuatorAttrs, ActuatorKind};
use crate::values::partial_or;

/// The parameters that every kind of actuator comes down to.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ActuatorValues {
    /// Group for display and switching.
    pub group: i32,
    /// Samples of history that are kept.
    pub nsample: i32,
    /// Interpolation of the history.
    pub interp: Interpolation,
    /// Delay of the control, in s.
    pub delay: f64,
    /// Whether controls are clamped.
    pub ctrllimited: Tristate,
    /// Whether forces are clamped.
    pub forcelimited: Tristate,
    /// Whether activations are clamped.
    pub actlimited: Tristate,
    /// Limits of the control.
    pub ctrlrange: [f64; 2],
    /// Limits of the force.
    pub forcerange: [f64; 2],
    /// Limits of the activation.
    pub actrange: [f64; 2],
    /// Gear ratios.
    pub gear: [f64; 6],
    /// Length of the rod of a slider crank, in m.
    pub cranklength: f64,
    /// Number of activations; -1 is decided by the dynamics.
    pub actdim: i32,
    /// Dynamics of the activation.
    pub dyntype: DynType,
    /// Kind of gain.
    pub gaintype: GainType,
    /// Law of a user's gain.
    pub gain_model: GainModelType,
    /// Kind of bias.
    pub biastype: BiasType,
    /// Parameters of the dynamics.
    pub dynprm: [f64; 10],
    /// Parameters of the gain.
    pub gainprm: [f64; 10],
    /// Parameters of the bias.
    pub biasprm: [f64; 10],
    /// Whether the force uses the next activation.
    pub actearly: bool,
    /// Scale of a control range taken from the target; 0 is none.
    pub inheritrange: f64,
    /// User data.
    pub user: Vec<f64>,
}

impl Default for ActuatorValues {
    fn default() -> Self {
        let attr = ActuatorAttrs::default();
        let row = attr.or_default();
        Self {
            group: row.group(),
            nsample: row.nsample(),
            interp: row.interp(),
            delay: row.delay(),
            ctrllimited: row.ctrllimited(),
            forcelimited: row.forcelimited(),
            actlimited: row.actlimited(),
            ctrlrange: row.ctrlrange(),
            forcerange: row.forcerange(),
            actrange: row.actrange(),
            gear: row.gear(),
            cranklength: row.cranklength(),
            actdim: row.actdim(),
            dyntype: row.dyntype(),
            gaintype: row.gaintype(),
            gain_model: row.gain_model(),
            biastype: row.biastype(),
            dynprm: row.dynprm(),
            gainprm: row.gainprm(),
            biasprm: row.biasprm(),
            actearly: row.actearly(),
            inheritrange: row.inheritrange(),
            user: row.user(),
        }
    }
}

/// Exactly `N` of the numbers of an attribute whose count depends on the kind of actuator.
fn exact<const N: usize>(list: &Option<Vec<f64>>, name: &str) -> Result<Option<[f64; N]>, String> {
    let convert = |v: &Vec<f64>| {
        v.as_slice().try_into().map_err(|_| format!("'{name}' expects {N} numbers here"))
    };
    list.as_ref().map(convert).transpose()
}

/// Writes a value where it is given.
fn set<T: Clone>(target: &mut T, value: &Option<T>) {
    if let Some(v) = value {
        *target = v.clone();
    }
}

impl ActuatorValues {
    /// Writes what one actuator element says.
    pub(crate) fn apply(&mut self, kind: ActuatorKind, a: &ActuatorAttrs) -> Result<(), String> {
        set(&mut self.group, &a.group);
        set(&mut self.nsample, &a.nsample);
        set(&mut self.interp, &a.interp);
        set(&mut self.delay, &a.delay);
        set(&mut self.ctrllimited, &a.ctrllimited);
        set(&mut self.forcelimited, &a.forcelimited);
        set(&mut self.actlimited, &a.actlimited);
        set(&mut self.ctrlrange, &a.ctrlrange);
        set(&mut self.forcerange, &a.forcerange);
        set(&mut self.actrange, &a.actrange);
        set(&mut self.cranklength, &a.cranklength);
        set(&mut self.user, &a.user);
        self.gear = partial_or(&a.gear, self.gear);
        match kind {
            ActuatorKind::General => self.general(a)?,
            ActuatorKind::Motor => {
                self.gainprm[0] = 1.0;
                self.types(DynType::None, GainType::Fixed, BiasType::None);
            }
            ActuatorKind::Position => self.position(a)?,
            ActuatorKind::IntVelocity => self.integrated_velocity(a)?,
            ActuatorKind::Velocity => {
                let kv = a.kv.unwrap_or(self.gainprm[0]);
                self.biasprm = [0.0; 10];
                self.gainprm[0] = kv;
                self.biasprm[2] = -kv;
                self.types(DynType::None, GainType::Fixed, BiasType::Affine);
            }
            ActuatorKind::Damper => self.damper(a.kv.unwrap_or(0.0))?,
            ActuatorKind::Cylinder => self.cylinder(a)?,
            ActuatorKind::Muscle => self.muscle(a)?,
            ActuatorKind::Plugin => {
                set(&mut self.dyntype, &a.dyntype);
                set(&mut self.actearly, &a.actearly);
                set(&mut self.actdim, &a.actdim);
                self.dynprm = partial_or(&a.dynprm, self.dynprm);
            }
            ActuatorKind::Adhesion => self.adhesion(a.gain.unwrap_or(self.gainprm[0]))?,
        }
        Ok(())
    }

    /// The attributes that give a general actuator these parameters.
    pub(crate) fn as_general(&self) -> ActuatorAttrs {
        ActuatorAttrs {
            group: Some(self.group),
            nsample: Some(self.nsample),
            interp: Some(self.interp),
            delay: Some(self.delay),
            ctrllimited: Some(self.ctrllimited),
            forcelimited: Some(self.forcelimited),
            actlimited: Some(self.actlimited),
            ctrlrange: Some(self.ctrlrange),
            forcerange: Some(self.forcerange),
            actrange: Some(self.actrange),
            gear: Some(self.gear.into()),
            cranklength: Some(self.cranklength),
            user: Some(self.user.clone()),
            actdim: Some(self.actdim),
            dyntype: Some(self.dyntype),
            gaintype: Some(self.gaintype),
            gain_model: Some(self.gain_model).filter(|law| *law != GainModelType::Unstated),
            biastype: Some(self.biastype),
            dynprm: Some(self.dynprm.into()),
            gainprm: Some(self.gainprm.into()),
            biasprm: Some(self.biasprm.into()),
            actearly: Some(self.actearly),
            inheritrange: Some(self.inheritrange),
            ..ActuatorAttrs::default()
        }
    }

    fn types(&mut self, dyntype: DynType, gaintype: GainType, biastype: BiasType) {
        self.dyntype = dyntype;
        self.gaintype = gaintype;
        self.biastype = biastype;
    }

    fn general(&mut self, a: &ActuatorAttrs) -> Result<(), String> {
        set(&mut self.dyntype, &a.dyntype);
        set(&mut self.gaintype, &a.gaintype);
        set(&mut self.biastype, &a.biastype);
        set(&mut self.actearly, &a.actearly);
        set(&mut self.actdim, &a.actdim);
        self.dynprm = partial_or(&a.dynprm, self.dynprm);
        self.gainprm = partial_or(&a.gainprm, self.gainprm);
        self.biasprm = partial_or(&a.biasprm, self.biasprm);
        set(&mut self.gain_model, &a.gain_model);
        if let Some(params) = a.gain_params {
            if self.gain_model == GainModelType::Unstated {
                return Err("'ferrodyn:gain_params' needs a 'ferrodyn:gain_model'".into());
            }
            self.gainprm[..3].copy_from_slice(&params);
        }
        // the control of the last step is the one activation of a series-elastic actuator
        if self.gain_model == GainModelType::SeriesElastic && self.dyntype == DynType::None {
            self.dyntype = DynType::User;
        }
        Ok(())
    }

    fn position(&mut self, a: &ActuatorAttrs) -> Result<(), String> {
        let kp = a.kp.unwrap_or(self.gainprm[0]);
        self.gainprm[0] = kp;
        self.biasprm[1] = -kp;
        // a negative number is a damping, a positive one a damping ratio
        match (a.kv, a.dampratio) {
            (Some(_), Some(_)) => return Err("'kv' and 'dampratio' cannot both be given".into()),
            (Some(kv), None) if kv < 0.0 => return Err("'kv' cannot be negative".into()),
            (None, Some(ratio)) if ratio < 0.0 => {
                return Err("'dampratio' cannot be negative".into());
            }
            (Some(kv), None) => self.biasprm[2] = -kv,
            (None, Some(ratio)) => self.biasprm[2] = ratio,
            (None, None) => {}
        }
        if let Some([timeconst]) = exact::<1>(&a.timeconst, "timeconst")? {
            if timeconst < 0.0 {
                return Err("'timeconst' cannot be negative".into());
            }
            self.dynprm[0] = timeconst;
            self.dyntype = if timeconst == 0.0 { DynType::None } else { DynType::FilterExact };
        }
        set(&mut self.inheritrange, &a.inheritrange);
        if self.inheritrange > 0.0 && self.ctrlrange != [0.0; 2] {
            return Err("'ctrlrange' and 'inheritrange' cannot both be given".into());
        }
        self.gaintype = GainType::Fixed;
        self.biastype = BiasType::Affine;
        Ok(())
    }

    fn integrated_velocity(&mut self, a: &ActuatorAttrs) -> Result<(), String> {
        // MuJoCo drops what the position servo objects to, and keeps what was written before that
        let _ = self.position(a);
        self.dyntype = DynType::Integrator;
        self.actlimited = Tristate::True;
        if self.inheritrange > 0.0 && self.actrange != [0.0; 2] {
            return Err("'actrange' and 'inheritrange' cannot both be given".into());
        }
        Ok(())
    }

    fn damper(&mut self, kv: f64) -> Result<(), String> {
        self.gainprm = [0.0; 10];
        self.gainprm[2] = -kv;
        self.ctrllimited = Tristate::True;
        self.types(DynType::None, GainType::Affine, BiasType::None);
        if kv < 0.0 {
            return Err("'kv' cannot be negative".into());
        }
        self.nonnegative_control()
    }

    fn nonnegative_control(&self) -> Result<(), String> {
        if self.ctrlrange.iter().any(|x| *x < 0.0) {
            return Err("the control range cannot be negative".into());
        }
        Ok(())
    }

    fn cylinder(&mut self, a: &ActuatorAttrs) -> Result<(), String> {
        if let Some([timeconst]) = exact::<1>(&a.timeconst, "timeconst")? {
            self.dynprm[0] = timeconst;
        }
        if let Some(bias) = a.bias {
            self.biasprm[0] = bias[0];
        }
        set(&mut self.gainprm[0], &a.area);
        if let Some(diameter) = a.diameter.filter(|d| *d >= 0.0) {
            self.gainprm[0] = PI / 4.0 * diameter * diameter;
        }
        self.types(DynType::Filter, GainType::Fixed, BiasType::Affine);
        Ok(())
    }

    fn muscle(&mut self, a: &ActuatorAttrs) -> Result<(), String> {
        // parameters that still have their general defaults get those of muscles
        if self.dynprm[0] == 1.0 {
            self.dynprm[0] = 0.01;
        }
        if self.dynprm[1] == 0.0 {
            self.dynprm[1] = 0.04;
        }
        if self.gainprm[0] == 1.0 {
            self.gainprm[0] = 0.75;
        }
        let defaults = [1.05, -1.0, 200.0, 0.5, 1.6, 1.5, 1.3, 1.2];
        for (parameter, default) in self.gainprm[1..9].iter_mut().zip(defaults) {
            if *parameter == 0.0 {
                *parameter = default;
            }
        }
        match a.tausmooth {
            Some(width) if width < 0.0 => return Err("'tausmooth' cannot be negative".into()),
            Some(width) => self.dynprm[2] = width,
            None => {}
        }
        // negative numbers leave a parameter alone
        let timeconst = exact::<2>(&a.timeconst, "timeconst")?.unwrap_or([-1.0; 2]);
        let range = a.range.unwrap_or([-1.0; 2]);
        let gain = [
            range[0],
            range[1],
            a.force.unwrap_or(-1.0),
            a.scale.unwrap_or(-1.0),
            a.lmin.unwrap_or(-1.0),
            a.lmax.unwrap_or(-1.0),
            a.vmax.unwrap_or(-1.0),
            a.fpmax.unwrap_or(-1.0),
            a.fvmax.unwrap_or(-1.0),
        ];
        let given = timeconst.iter().chain(&gain);
        let parameters = self.dynprm[..2].iter_mut().chain(&mut self.gainprm[..9]);
        for (parameter, value) in parameters.zip(given) {
            if *value >= 0.0 {
                *parameter = *value;
            }
        }
        self.biasprm[..9].copy_from_slice(&self.gainprm[..9]);
        self.types(DynType::Muscle, GainType::Muscle, BiasType::Muscle);
        Ok(())
    }

    fn adhesion(&mut self, gain: f64) -> Result<(), String> {
        self.gainprm[0] = gain;
        self.ctrllimited = Tristate::True;
        self.gaintype = GainType::Fixed;
        self.biastype = BiasType::None;
        if gain < 0.0 {
            return Err("'gain' cannot be negative".into());
        }
        self.nonnegative_control()
    }
}
