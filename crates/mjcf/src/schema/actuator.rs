//! Rows of actuators.
//!
//! All kinds of actuator write one set of parameters, so they share one struct of attributes; each
//! kind knows a part of it.

use ferrodyn_model::{BiasType, DynType, GainModelType, GainType};

use super::attributes;
use crate::keywords::{Interpolation, Tristate};
use crate::values::Partial;

/// The kinds of actuator element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the variants are named after their elements")]
#[non_exhaustive]
pub enum ActuatorKind {
    General,
    Motor,
    Position,
    Velocity,
    IntVelocity,
    Damper,
    Cylinder,
    Muscle,
    Adhesion,
    Plugin,
}

impl ActuatorKind {
    /// The kind that an element with this name declares.
    pub(crate) fn from_element(name: &str) -> Option<Self> {
        Some(match name {
            "general" => Self::General,
            "motor" => Self::Motor,
            "position" => Self::Position,
            "velocity" => Self::Velocity,
            "intvelocity" => Self::IntVelocity,
            "damper" => Self::Damper,
            "cylinder" => Self::Cylinder,
            "muscle" => Self::Muscle,
            "adhesion" => Self::Adhesion,
            "plugin" => Self::Plugin,
            _ => return None,
        })
    }

    /// The element that declares this kind.
    pub(crate) fn element(self) -> &'static str {
        match self {
            Self::General => "general",
            Self::Motor => "motor",
            Self::Position => "position",
            Self::Velocity => "velocity",
            Self::IntVelocity => "intvelocity",
            Self::Damper => "damper",
            Self::Cylinder => "cylinder",
            Self::Muscle => "muscle",
            Self::Adhesion => "adhesion",
            Self::Plugin => "plugin",
        }
    }

    /// The attributes that an actuator of this kind has.
    pub(crate) fn names(self) -> Vec<&'static str> {
        const TARGETS: &[&str] =
            &["lengthrange", "joint", "jointinparent", "tendon", "slidersite", "cranksite"];
        let own: &[&[&'static str]] = match self {
            Self::General => &[TARGETS, &["site", "refsite", "body"]],
            Self::Adhesion => &[&["body"]],
            Self::Muscle => &[TARGETS, &["tausmooth"]],
            Self::Plugin => &[TARGETS, &["site"]],
            _ => &[TARGETS, &["site", "refsite"]],
        };
        [self.default_names(), own.concat()].concat()
    }

    /// The attributes that this kind has in a default.
    pub(crate) fn default_names(self) -> Vec<&'static str> {
        const ALL: &[&str] = &[
            "forcelimited",
            "ctrlrange",
            "forcerange",
            "user",
            "group",
            "nsample",
            "interp",
            "delay",
        ];
        const DRIVEN: &[&str] = &["gear", "cranklength"];
        const CONTROLLED: &[&str] = &["ctrllimited"];
        let groups: &[&[&'static str]] = match self {
            Self::General => &[
                DRIVEN,
                CONTROLLED,
                &["actlimited", "actrange", "actdim", "dyntype", "gaintype", "biastype"],
                &["dynprm", "gainprm", "biasprm", "actearly"],
                &["ferrodyn:gain_model", "ferrodyn:gain_params"],
            ],
            Self::Motor => &[DRIVEN, CONTROLLED],
            Self::Position => {
                &[DRIVEN, CONTROLLED, &["inheritrange", "kp", "kv", "dampratio", "timeconst"]]
            }
            Self::Velocity => &[DRIVEN, CONTROLLED, &["kv"]],
            Self::IntVelocity => {
                &[DRIVEN, CONTROLLED, &["actrange", "inheritrange", "kp", "kv", "dampratio"]]
            }
            Self::Damper => &[DRIVEN, &["kv"]],
            Self::Cylinder => &[DRIVEN, CONTROLLED, &["timeconst", "area", "diameter", "bias"]],
            Self::Muscle => &[
                DRIVEN,
                CONTROLLED,
                &["timeconst", "range", "force", "scale", "lmin", "lmax", "vmax", "fpmax", "fvmax"],
            ],
            Self::Adhesion => &[&["gain"]],
            Self::Plugin => &[
                DRIVEN,
                CONTROLLED,
                &["actlimited", "actrange", "actdim", "dyntype", "dynprm", "actearly"],
            ],
        };
        [&[ALL], groups].concat().concat()
    }
}

/// One as the first of the parameters, and zeros.
const FIRST: [f64; 10] = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];

attributes! {
    /// Attributes of the actuator elements.
    ActuatorAttrs {
        "group" => group: i32 = 0 => actuator_group fill, "Group for display and switching.";
        "nsample" => nsample: i32 = 0, "Samples of history that are kept.";
        "interp" => interp: Interpolation = Interpolation::ZeroOrderHold, "Interpolation of the history.";
        "delay" => delay: f64 = 0.0 => actuator_delay fill, "Delay of the control, in s.";
        "ctrllimited" => ctrllimited: Tristate = Tristate::Auto, "Whether controls are clamped.";
        "forcelimited" => forcelimited: Tristate = Tristate::Auto, "Whether forces are clamped.";
        "actlimited" => actlimited: Tristate = Tristate::Auto, "Whether activations are clamped.";
        "ctrlrange" => ctrlrange: [f64; 2] = [0.0; 2] => actuator_ctrlrange, "Limits of the control.";
        "forcerange" => forcerange: [f64; 2] = [0.0; 2] => actuator_forcerange, "Limits of the force.";
        "actrange" => actrange: [f64; 2] = [0.0; 2] => actuator_actrange, "Limits of the activation.";
        "gear" => gear: Partial<6> = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0] => actuator_gear, "Gear ratios.";
        "cranklength" => cranklength: f64 = 0.0 => actuator_cranklength, "Length of the rod of a slider crank, in m.";
        "user" => user: Vec<f64> = Vec::new() => actuator_user * nuser_actuator, "User data.";
        own "lengthrange" => lengthrange: [f64; 2] = [0.0; 2] => actuator_lengthrange, "Feasible lengths.";
        own "joint" => joint: String, "Name of the joint that is driven.";
        own "jointinparent" => jointinparent: String, "The same, with the axis in the parent's frame.";
        own "tendon" => tendon: String, "Name of the tendon that is driven.";
        own "slidersite" => slidersite: String, "Site of the slider of a slider crank.";
        own "cranksite" => cranksite: String, "Site of the crank of a slider crank.";
        own "site" => site: String, "Name of the site that is driven.";
        own "refsite" => refsite: String, "Site whose frame the motion is measured in.";
        own "body" => body: String, "Name of the body whose contacts are driven.";
        "actdim" => actdim: i32 = -1, "Number of activations.";
        "dyntype" => dyntype: DynType = DynType::None => actuator_dyntype fill, "Dynamics of the activation.";
        "gaintype" => gaintype: GainType = GainType::Fixed => actuator_gaintype fill, "Kind of gain.";
        "biastype" => biastype: BiasType = BiasType::None => actuator_biastype fill, "Kind of bias.";
        "dynprm" => dynprm: Partial<10> = FIRST => actuator_dynprm fill, "Parameters of the dynamics.";
        "gainprm" => gainprm: Partial<10> = FIRST => actuator_gainprm fill, "Parameters of the gain.";
        "biasprm" => biasprm: Partial<10> = [0.0; 10] => actuator_biasprm fill, "Parameters of the bias.";
        "ferrodyn:gain_model" => gain_model: GainModelType = GainModelType::Unstated => actuator_gain_model fill, "Law of a user's gain.";
        "ferrodyn:gain_params" => gain_params: [f64; 3], "Parameters of that law: stiffness, damping, gear ratio.";
        "actearly" => actearly: bool = false => actuator_actearly fill, "Whether the force uses the next activation.";
        "kp" => kp: f64, "Position gain.";
        "kv" => kv: f64, "Velocity gain.";
        "dampratio" => dampratio: f64, "Damping ratio, in place of the velocity gain.";
        "timeconst" => timeconst: Vec<f64>, "Time constants, in s.";
        own "tausmooth" => tausmooth: f64, "Width of the smooth transition of a muscle's time constants.";
        "inheritrange" => inheritrange: f64 = 0.0, "Scale of a control range taken from the target.";
        "area" => area: f64, "Area of a cylinder, in m².";
        "diameter" => diameter: f64, "Diameter of a cylinder, in place of the area.";
        "bias" => bias: [f64; 3], "Bias of a cylinder.";
        "range" => range: [f64; 2], "Operating range of a muscle.";
        "force" => force: f64, "Peak force of a muscle.";
        "scale" => scale: f64, "Scale of a muscle's automatic force.";
        "lmin" => lmin: f64, "Shortest length of a muscle.";
        "lmax" => lmax: f64, "Longest length of a muscle.";
        "vmax" => vmax: f64, "Fastest shortening of a muscle.";
        "fpmax" => fpmax: f64, "Passive force of a muscle at its longest.";
        "fvmax" => fvmax: f64, "Force of a muscle while lengthening.";
        "gain" => gain: f64, "Adhesion gain.";
    }
}
