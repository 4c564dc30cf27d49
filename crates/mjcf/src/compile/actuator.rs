//! Compiles actuators.

use ferrodyn_model::{
    BiasType, DynType, GainModelType, GainType, JointType, Model, ObjType, TransmissionType,
};

use super::fill::index as to_index;
use super::index::{Index, Wanted};
use super::objects::Joint;
use super::plugin::Plugins;
use super::settings::Settings;
use super::tendon::Tendon;
use super::tree::{is_limited, problem, undecided};
use crate::actuator::ActuatorValues;
use crate::defaults::DefaultResolver;
use crate::error::{DiagnosticKind, Sink};
use crate::keywords::Tristate;
use crate::plugin::Capability;
use crate::schema::{ActuatorAttrs, At, Attributes};
use crate::spec::{ActuatorSpec, Object, Spec};

/// Samples of history are counted by numbers that single precision can hold.
pub(super) const MAX_SAMPLES: i32 = 1 << 24;

/// A compiled actuator.
#[derive(Clone, Debug)]
pub(super) struct Actuator {
    transmission: TransmissionType,
    target: [Option<usize>; 2],
    pub(super) values: ActuatorValues,
    lengthrange: Option<[f64; 2]>,
    plugin: Option<usize>,
}

/// What actuators refer to.
pub(super) struct ActuatorCompiler<'a> {
    pub(super) spec: &'a Spec,
    pub(super) settings: &'a [Settings],
    pub(super) defaults: &'a DefaultResolver,
    pub(super) index: &'a Index<'a>,
    pub(super) joints: &'a [Joint],
    pub(super) tendons: &'a [Tendon],
    pub(super) plugins: &'a mut Plugins,
    pub(super) nuser: usize,
    pub(super) sink: &'a mut Sink,
}

impl ActuatorCompiler<'_> {
    /// Compiles all actuators; what cannot be compiled is reported.
    pub(super) fn run(mut self) -> Vec<Actuator> {
        let spec = self.spec;
        spec.actuators.iter().map(|object| self.actuator(object)).collect()
    }

    fn fail(&mut self, object: &Object<ActuatorSpec>, message: &str) {
        self.sink.error(problem(object.attr.kind.element(), &object.name, object.span, message));
    }

    fn actuator(&mut self, object: &Object<ActuatorSpec>) -> Actuator {
        let attr = &object.attr.attr;
        let mut values = match self.defaults.apply_to_actuator(object.class_name(), &object.attr) {
            Ok(values) => values,
            Err(message) => {
                self.sink.error(
                    problem(object.attr.kind.element(), &object.name, object.span, &message)
                        .of_kind(DiagnosticKind::Conflict),
                );
                ActuatorValues::default()
            }
        };
        if values.user.len() > self.nuser {
            self.fail(object, "'user' has more numbers than <size> allows");
        }
        let (transmission, target) = self.target(object, attr, values.cranklength);
        if let Some(id) = target[0] {
            self.inherit_range(object, transmission, id, &mut values);
        }
        self.check_limits(object, &values);
        self.check_activation(object, &mut values);
        if let Some(message) = gain_problem(&values) {
            self.fail(object, message);
        }
        for message in muscle_problems(&values) {
            self.fail(object, message);
        }
        if values.delay > 0.0 && values.nsample <= 0 {
            self.fail(object, "'delay' needs a history: 'nsample' must be positive");
        }
        if values.nsample > MAX_SAMPLES {
            self.fail(object, "'nsample' can be at most 2^24");
        }
        let plugin = object.plugin.as_ref().and_then(|plugin| {
            self.plugins.resolve(plugin, Capability::Actuator, self.index, self.sink)
        });
        let lengthrange = attr.lengthrange;
        Actuator { transmission, target, values, lengthrange, plugin }
    }

    /// What the actuator drives.
    fn target(
        &mut self,
        object: &Object<ActuatorSpec>,
        attr: &ActuatorAttrs,
        cranklength: f64,
    ) -> (TransmissionType, [Option<usize>; 2]) {
        use TransmissionType as T;
        let targets = [
            (T::Joint, ObjType::Joint, "joint", &attr.joint),
            (T::JointInParent, ObjType::Joint, "jointinparent", &attr.jointinparent),
            (T::Tendon, ObjType::Tendon, "tendon", &attr.tendon),
            (T::SliderCrank, ObjType::Site, "cranksite", &attr.cranksite),
            (T::Site, ObjType::Site, "site", &attr.site),
            (T::Body, ObjType::Body, "body", &attr.body),
        ];
        let given = targets.iter().find(|t| t.3.as_ref().is_some_and(|n| !n.is_empty()));
        let Some((transmission, kind, attribute, name)) = given else {
            self.fail(object, "the actuator has no target");
            return (T::Joint, [None, None]);
        };
        let mut find = |kind, attribute, name: &str| {
            let element = object.attr.kind.element();
            let wanted = Wanted::by(object, element, attribute, kind, Some(name));
            self.index.expect(&wanted, self.sink)
        };
        let first = find(*kind, attribute, name.as_deref().unwrap_or(""));
        let second = match transmission {
            T::SliderCrank => match attr.slidersite.as_deref().filter(|n| !n.is_empty()) {
                Some(site) => find(ObjType::Site, "slidersite", site),
                None => {
                    self.fail(object, "a slider crank needs 'slidersite'");
                    None
                }
            },
            T::Site => match attr.refsite.as_deref().filter(|n| !n.is_empty()) {
                Some(site) => find(ObjType::Site, "refsite", site),
                None => None,
            },
            _ => None,
        };
        if *transmission == T::SliderCrank && cranklength <= 0.0 {
            self.fail(object, "'cranklength' must be positive");
        }
        (*transmission, [first, second])
    }

    /// Takes the control or activation range of a servo from the range of its target.
    fn inherit_range(
        &mut self,
        object: &Object<ActuatorSpec>,
        transmission: TransmissionType,
        target: usize,
        values: &mut ActuatorValues,
    ) {
        let servo = values.gaintype == GainType::Fixed
            && values.biastype == BiasType::Affine
            && values.gainprm[0] == -values.biasprm[1];
        if !servo || values.inheritrange <= 0.0 {
            return;
        }
        let range = match transmission {
            TransmissionType::Joint => {
                let joint = &self.joints[target];
                if !matches!(joint.kind, JointType::Hinge | JointType::Slide) {
                    self.fail(object, "'inheritrange' needs a hinge or slide joint");
                }
                joint.range
            }
            TransmissionType::Tendon => self.tendons[target].range,
            _ => {
                self.fail(object, "'inheritrange' needs a joint or tendon");
                return;
            }
        };
        if range[0] == range[1] {
            self.fail(object, "'inheritrange' needs a target with a range");
        }
        let mean = 0.5 * (range[1] + range[0]);
        let radius = 0.5 * (range[1] - range[0]) * values.inheritrange;
        let inherited = [mean - radius, mean + radius];
        match values.dyntype {
            DynType::None | DynType::FilterExact => values.ctrlrange = inherited,
            DynType::Integrator => values.actrange = inherited,
            _ => self.fail(object, "'inheritrange' is for position and intvelocity actuators"),
        }
    }

    fn check_limits(&mut self, object: &Object<ActuatorSpec>, values: &ActuatorValues) {
        let settings = self.settings[object.origin].clone();
        let limits = [
            ("force", values.forcelimited, values.forcerange),
            ("ctrl", values.ctrllimited, values.ctrlrange),
            ("act", values.actlimited, values.actrange),
        ];
        for (what, limited, range) in limits {
            if undecided(&settings, limited, &range) {
                let message = format!(
                    "'{what}range' without '{what}limited' needs the compiler's autolimits"
                );
                self.fail(object, &message);
            }
            if is_limited(limited, &range) && range[0] >= range[1] {
                let message =
                    format!("the first number of '{what}range' must be smaller than the second");
                self.fail(object, &message);
            }
        }
    }

    /// Checks the activation and decides how many numbers it has.
    fn check_activation(&mut self, object: &Object<ActuatorSpec>, values: &mut ActuatorValues) {
        let stateless = values.dyntype == DynType::None;
        if stateless && is_limited(values.actlimited, &values.actrange) {
            self.fail(object, "'actrange' needs a 'dyntype'");
        }
        if object.plugin.is_none() {
            if values.actdim > 1 && values.dyntype != DynType::User {
                self.fail(object, "'actdim' above 1 needs the dyntype 'user'");
            }
            if values.actdim == 1 && stateless {
                self.fail(object, "an actuator without dynamics has 'actdim' 0");
            }
            if values.actdim == 0 && !stateless {
                self.fail(object, "an actuator with dynamics has 'actdim' 1 or more");
            }
        }
        if values.actdim < 0 {
            values.actdim = i32::from(!stateless);
        }
    }
}

/// What is wrong with the law of a user's gain.
fn gain_problem(values: &ActuatorValues) -> Option<&'static str> {
    if values.gain_model == GainModelType::Unstated {
        return None;
    }
    if values.gaintype != GainType::User {
        return Some("'ferrodyn:gain_model' needs the gaintype 'user'");
    }
    if values.dyntype != DynType::User || values.actdim != 1 {
        return Some("a series-elastic actuator has one activation, and no 'dyntype' of its own");
    }
    // a negative spring or damper would feed the motion
    let [stiffness, damping] = [values.gainprm[0], values.gainprm[1]];
    if stiffness < 0.0 || damping < 0.0 {
        return Some("stiffness and damping in 'ferrodyn:gain_params' cannot be negative");
    }
    None
}

/// What is wrong with the parameters of a muscle.
fn muscle_problems(values: &ActuatorValues) -> Vec<&'static str> {
    let mut problems = Vec::new();
    let gain = (values.gaintype == GainType::Muscle).then_some(&values.gainprm);
    let bias = (values.biastype == BiasType::Muscle).then_some(&values.biasprm);
    for prm in [gain, bias].into_iter().flatten() {
        if prm[0] >= prm[1] {
            problems.push("the first number of a muscle's 'range' must be smaller than the second");
        }
        if prm[4] >= 1.0 || prm[5] <= 1.0 {
            problems.push("a muscle needs lmin < 1 < lmax");
        }
        if [prm[3], prm[6], prm[7], prm[8]].iter().any(|x| *x <= 0.0) {
            problems.push("a muscle's scale, vmax, fpmax and fvmax must be positive");
        }
    }
    problems.dedup();
    problems
}

/// Numbers of history of something that keeps samples of `width` values.
pub(super) fn history_size(nsample: i32, width: usize) -> usize {
    // a user slot, a cursor, and a time and the values of each sample
    usize::try_from(nsample).ok().filter(|n| *n > 0).map_or(0, |n| 2 + n + n * width)
}

/// Fills the arrays of actuators; returns the end of their history.
pub(super) fn fill(m: &mut Model, actuators: &[Actuator]) -> usize {
    let (mut act, mut history) = (0, 0);
    for (i, actuator) in actuators.iter().enumerate() {
        let v = &actuator.values;
        let limited = |limited: Tristate, range: &[f64; 2]| u8::from(is_limited(limited, range));
        let lengthrange = actuator.lengthrange;
        ActuatorAttrs { lengthrange, ..v.as_general() }.fill(m, At::Object(i));
        m.actuator_trntype[i] = actuator.transmission as i32;
        m.actuator_trnid[i] = actuator.target.map(to_index);
        m.actuator_actnum[i] = v.actdim;
        m.actuator_actadr[i] = to_index((v.actdim > 0).then_some(act));
        act += v.actdim.max(0) as usize;
        m.actuator_history[i] = [v.nsample, v.interp as i32];
        let size = history_size(v.nsample, 1);
        m.actuator_historyadr[i] = to_index((size > 0).then_some(history));
        history += size;
        m.actuator_ctrllimited[i] = limited(v.ctrllimited, &v.ctrlrange);
        m.actuator_forcelimited[i] = limited(v.forcelimited, &v.forcerange);
        m.actuator_actlimited[i] = limited(v.actlimited, &v.actrange);
        m.actuator_plugin[i] = to_index(actuator.plugin);
    }
    history
}

/// The largest number of entries that the transmission of a model can have.
pub(super) fn moment_entries(m: &Model) -> usize {
    (0..m.nu)
        .map(|i| {
            let kind = TransmissionType::try_from(m.actuator_trntype[i]);
            let joint = m.actuator_trnid[i][0].max(0) as usize;
            match kind {
                Ok(TransmissionType::Joint | TransmissionType::JointInParent) => {
                    JointType::try_from(m.jnt_type[joint]).map_or(0, |t| t.nv())
                }
                _ => m.nv,
            }
        })
        .sum()
}
