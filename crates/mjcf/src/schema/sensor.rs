//! Rows of sensors.
//!
//! All kinds of sensor write one set of attributes; each kind knows a part of it.

use ferrodyn_model::{DataType, ObjType, SensorType, Stage};

use super::attributes;
use crate::keywords::{ContactReduction, Interpolation, SensorData};
use crate::values::Partial;

attributes! {
    /// Attributes of the sensor elements.
    SensorAttrs {
        own "site" => site: String, "Name of the site.";
        own "camera" => camera: String, "Name of the camera.";
        own "joint" => joint: String, "Name of the joint.";
        own "tendon" => tendon: String, "Name of the tendon.";
        own "actuator" => actuator: String, "Name of the actuator.";
        own "body" => body: String, "Name of the body.";
        own "geom" => geom: String, "Name of the geom.";
        own "mesh" => mesh: String, "Name of the mesh.";
        own "geom1" => geom1: String, "Name of the first geom.";
        own "geom2" => geom2: String, "Name of the second geom.";
        own "body1" => body1: String, "Name of the first body.";
        own "body2" => body2: String, "Name of the second body.";
        own "subtree1" => subtree1: String, "Name of the root of the first subtree.";
        own "subtree2" => subtree2: String, "Name of the root of the second subtree.";
        own "objtype" => objtype: String, "Type of the object.";
        own "objname" => objname: String, "Name of the object.";
        own "reftype" => reftype: String, "Type of the object that the value is relative to.";
        own "refname" => refname: String, "Name of the object that the value is relative to.";
        own some "num" => num: i32 = 1, "Most contacts that are reported.";
        own "data" => data: SensorData, "What is reported.";
        own some "reduce" => reduce: ContactReduction = ContactReduction::None, "Which contacts are reported.";
        own "dim" => dim: i32 = 0, "Number of values.";
        own "needstage" => needstage: Stage = Stage::Acc, "Stage that computes the value.";
        own "datatype" => datatype: DataType = DataType::Real, "Kind of value.";
        own "nsample" => nsample: i32 = 0, "Samples of history that are kept.";
        own "interp" => interp: Interpolation = Interpolation::ZeroOrderHold, "Interpolation of the history.";
        own "delay" => delay: f64 = 0.0 => sensor_delay fill, "Delay of the value, in s.";
        own "interval" => interval: Partial<2> = [0.0; 2] => sensor_interval fill, "Sampling period and phase, in s.";
        "cutoff" => cutoff: f64 = 0.0 => sensor_cutoff, "Largest magnitude that is reported.";
        "noise" => noise: f64 = 0.0 => sensor_noise, "Standard deviation of the noise model.";
        "user" => user: Vec<f64> = Vec::new() => sensor_user * nuser_sensor, "User data.";
    }
}

/// A kind of sensor element: its name, its type and the attributes that are its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SensorKind {
    pub(crate) element: &'static str,
    pub(crate) kind: SensorType,
    /// The type of the object that the first of the attributes names; unknown where it varies.
    pub(crate) object: ObjType,
    /// Attributes beside those that all sensors have.
    pub(crate) own: &'static [&'static str],
    /// Attributes that all sensors have and that this one has.
    pub(crate) common: &'static [&'static str],
}

const COMMON: &[&str] = &["nsample", "interp", "delay", "interval", "cutoff", "noise", "user"];
const FRAME: &[&str] = &["objtype", "objname", "reftype", "refname"];
const OBJECT: &[&str] = &["objtype", "objname"];
const DISTANCE: &[&str] = &["geom1", "geom2", "body1", "body2"];
const CONTACT: &[&str] =
    &["geom1", "geom2", "body1", "body2", "subtree1", "subtree2", "site", "num", "data", "reduce"];

macro_rules! sensors {
    ($($element:literal $kind:ident $object:ident $own:expr $(, $common:expr)?;)*) => {
        /// All kinds of sensor element.
        pub(crate) const SENSORS: &[SensorKind] = &[$(SensorKind {
            element: $element,
            kind: SensorType::$kind,
            object: ObjType::$object,
            own: $own,
            common: sensors!(@common $($common)?),
        },)*];
    };
    (@common $common:expr) => { $common };
    (@common) => { COMMON };
}

sensors! {
    "touch" Touch Site &["site"];
    "accelerometer" Accelerometer Site &["site"];
    "velocimeter" Velocimeter Site &["site"];
    "gyro" Gyro Site &["site"];
    "force" Force Site &["site"];
    "torque" Torque Site &["site"];
    "magnetometer" Magnetometer Site &["site"];
    "camprojection" CamProjection Site &["site", "camera"];
    "rangefinder" Rangefinder Unknown &["site", "camera", "data"];
    "jointpos" JointPos Joint &["joint"];
    "jointvel" JointVel Joint &["joint"];
    "tendonpos" TendonPos Tendon &["tendon"];
    "tendonvel" TendonVel Tendon &["tendon"];
    "actuatorpos" ActuatorPos Actuator &["actuator"];
    "actuatorvel" ActuatorVel Actuator &["actuator"];
    "actuatorfrc" ActuatorFrc Actuator &["actuator"];
    "jointactuatorfrc" JointActFrc Joint &["joint"];
    "tendonactuatorfrc" TendonActFrc Tendon &["tendon"];
    "ballquat" BallQuat Joint &["joint"];
    "ballangvel" BallAngVel Joint &["joint"];
    "jointlimitpos" JointLimitPos Joint &["joint"];
    "jointlimitvel" JointLimitVel Joint &["joint"];
    "jointlimitfrc" JointLimitFrc Joint &["joint"];
    "tendonlimitpos" TendonLimitPos Tendon &["tendon"];
    "tendonlimitvel" TendonLimitVel Tendon &["tendon"];
    "tendonlimitfrc" TendonLimitFrc Tendon &["tendon"];
    "framepos" FramePos Unknown FRAME;
    "framequat" FrameQuat Unknown FRAME;
    "framexaxis" FrameXAxis Unknown FRAME;
    "frameyaxis" FrameYAxis Unknown FRAME;
    "framezaxis" FrameZAxis Unknown FRAME;
    "framelinvel" FrameLinVel Unknown FRAME;
    "frameangvel" FrameAngVel Unknown FRAME;
    "framelinacc" FrameLinAcc Unknown OBJECT;
    "frameangacc" FrameAngAcc Unknown OBJECT;
    "subtreecom" SubtreeCom Body &["body"];
    "subtreelinvel" SubtreeLinVel Body &["body"];
    "subtreeangmom" SubtreeAngMom Body &["body"];
    "insidesite" InsideSite Unknown &["objtype", "objname", "site"];
    "distance" GeomDist Unknown DISTANCE;
    "normal" GeomNormal Unknown DISTANCE;
    "fromto" GeomFromTo Unknown DISTANCE;
    "contact" Contact Unknown CONTACT;
    "e_potential" PotentialEnergy Unknown &[];
    "e_kinetic" KineticEnergy Unknown &[];
    "clock" Clock Unknown &[];
    "tactile" Tactile Mesh &["mesh", "geom"], &["nsample", "interp", "delay", "interval", "user"];
    "user" User Unknown &["objtype", "objname", "datatype", "needstage", "dim"],
        &["cutoff", "noise", "user"];
    "plugin" Plugin Unknown FRAME, &["cutoff", "user"];
}

impl SensorKind {
    /// The kind that an element with this name declares.
    pub(crate) fn from_element(name: &str) -> Option<&'static Self> {
        SENSORS.iter().find(|s| s.element == name)
    }

    /// The kind with this type.
    pub(crate) fn of(kind: SensorType) -> &'static Self {
        // every type is in the table
        SENSORS.iter().find(|s| s.kind == kind).unwrap_or(&SENSORS[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_sensor_has_an_element() {
        // numbers of sensors are below this
        let kinds: Vec<_> = (0..1000).filter_map(|i| SensorType::try_from(i).ok()).collect();
        assert!(kinds.contains(&SensorType::User));
        for kind in kinds {
            assert_eq!(SensorKind::of(kind).kind, kind);
        }
    }
}
