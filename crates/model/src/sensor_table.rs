//! What each kind of sensor is: the stage that computes it, what its values are, and what it refers to.
use crate::{DataType, ObjType, SensorType, Stage};

/// What a kind of sensor refers to, as object or as reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SensorTarget {
    /// Nothing, or anything.
    Free,
    /// An object of one of these types.
    OneOf(&'static [ObjType]),
}

/// How many values a kind of sensor has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SensorDim {
    /// As many in every model.
    Fixed(usize),
    /// As many as its attributes, its mesh, its camera or its plugin say.
    ByModel,
}

/// A row of the table of sensors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SensorInfo {
    /// The stage after which it can be computed; of user sensors and plugins, unless they say otherwise.
    pub stage: Stage,
    /// What its values are; of user sensors, unless they say otherwise.
    pub data: DataType,
    /// Number of values.
    pub dim: SensorDim,
    /// What it senses.
    pub object: SensorTarget,
    /// What it is relative to.
    pub reference: SensorTarget,
}

/// Objects with a frame.
const FRAME: &[ObjType] =
    &[ObjType::Body, ObjType::XBody, ObjType::Geom, ObjType::Site, ObjType::Camera];
/// A geom, or all geoms of a body.
const GEOMS: &[ObjType] = &[ObjType::Body, ObjType::Geom];
const RAYS: &[ObjType] = &[ObjType::Site, ObjType::Camera];
const SITE: &[ObjType] = &[ObjType::Site];
const JOINT: &[ObjType] = &[ObjType::Joint];
const TENDON: &[ObjType] = &[ObjType::Tendon];
const ACTUATOR: &[ObjType] = &[ObjType::Actuator];
const BODY: &[ObjType] = &[ObjType::Body];
const CAMERA: &[ObjType] = &[ObjType::Camera];
const MESH: &[ObjType] = &[ObjType::Mesh];
const GEOM: &[ObjType] = &[ObjType::Geom];

macro_rules! sensors {
    ($($kind:ident: $stage:ident, $data:ident, $dim:tt, $object:tt, $reference:tt;)*) => {
        impl SensorType {
            /// What this kind is. A kind that is not in the table does not compile.
            ///
            /// ```
            /// use ferrodyn_model::{SensorDim, SensorType, Stage};
            /// let gyro = SensorType::Gyro.info();
            /// assert_eq!((gyro.stage, gyro.dim), (Stage::Vel, SensorDim::Fixed(3)));
            /// ```
            pub fn info(self) -> SensorInfo {
                match self {
                    $(SensorType::$kind => SensorInfo {
                        stage: Stage::$stage,
                        data: DataType::$data,
                        dim: sensors!(@dim $dim),
                        object: sensors!(@target $object),
                        reference: sensors!(@target $reference),
                    },)*
                }
            }
        }
    };
    (@dim var) => { SensorDim::ByModel };
    (@dim $n:literal) => { SensorDim::Fixed($n) };
    (@target free) => { SensorTarget::Free };
    (@target $kinds:ident) => { SensorTarget::OneOf($kinds) };
}

sensors! {
    // at a site
    Touch:            Acc, Positive,   1,   SITE,     free;
    Accelerometer:    Acc, Real,       3,   SITE,     free;
    Velocimeter:      Vel, Real,       3,   SITE,     free;
    Gyro:             Vel, Real,       3,   SITE,     free;
    Force:            Acc, Real,       3,   SITE,     free;
    Torque:           Acc, Real,       3,   SITE,     free;
    Magnetometer:     Pos, Real,       3,   SITE,     free;
    Rangefinder:      Pos, Real,       var, RAYS,     free;
    CamProjection:    Pos, Real,       2,   SITE,     CAMERA;
    // joints, tendons, actuators
    JointPos:         Pos, Real,       1,   JOINT,    free;
    JointVel:         Vel, Real,       1,   JOINT,    free;
    TendonPos:        Pos, Real,       1,   TENDON,   free;
    TendonVel:        Vel, Real,       1,   TENDON,   free;
    ActuatorPos:      Pos, Real,       1,   ACTUATOR, free;
    ActuatorVel:      Vel, Real,       1,   ACTUATOR, free;
    ActuatorFrc:      Acc, Real,       1,   ACTUATOR, free;
    JointActFrc:      Acc, Real,       1,   JOINT,    free;
    TendonActFrc:     Acc, Real,       1,   TENDON,   free;
    BallQuat:         Pos, Quaternion, 4,   JOINT,    free;
    BallAngVel:       Vel, Real,       3,   JOINT,    free;
    JointLimitPos:    Pos, Real,       1,   JOINT,    free;
    JointLimitVel:    Vel, Real,       1,   JOINT,    free;
    JointLimitFrc:    Acc, Real,       1,   JOINT,    free;
    TendonLimitPos:   Pos, Real,       1,   TENDON,   free;
    TendonLimitVel:   Vel, Real,       1,   TENDON,   free;
    TendonLimitFrc:   Acc, Real,       1,   TENDON,   free;
    // frames
    FramePos:         Pos, Real,       3,   FRAME,    free;
    FrameQuat:        Pos, Quaternion, 4,   FRAME,    free;
    FrameXAxis:       Pos, Axis,       3,   FRAME,    free;
    FrameYAxis:       Pos, Axis,       3,   FRAME,    free;
    FrameZAxis:       Pos, Axis,       3,   FRAME,    free;
    FrameLinVel:      Vel, Real,       3,   FRAME,    free;
    FrameAngVel:      Vel, Real,       3,   FRAME,    free;
    FrameLinAcc:      Acc, Real,       3,   FRAME,    free;
    FrameAngAcc:      Acc, Real,       3,   FRAME,    free;
    // subtrees
    SubtreeCom:       Pos, Real,       3,   BODY,     free;
    SubtreeLinVel:    Vel, Real,       3,   BODY,     free;
    SubtreeAngMom:    Vel, Real,       3,   BODY,     free;
    // geometry and contact
    InsideSite:       Pos, Positive,   1,   FRAME,    SITE;
    GeomDist:         Pos, Real,       1,   GEOMS,    GEOMS;
    GeomNormal:       Pos, Axis,       3,   GEOMS,    GEOMS;
    GeomFromTo:       Pos, Real,       6,   GEOMS,    GEOMS;
    Contact:          Acc, Real,       var, free,     free;
    Tactile:          Acc, Real,       var, MESH,     GEOM;
    // the whole world
    PotentialEnergy:  Pos, Real,       1,   free,     free;
    KineticEnergy:    Pos, Real,       1,   free,     free;
    Clock:            Pos, Real,       1,   free,     free;
    // others
    Plugin:           Acc, Real,       var, free,     free;
    User:             Acc, Real,       var, free,     free;
}

/// What a contact sensor can report (MuJoCo's `mjtConDataField`), bit by bit: the word for it and the number of values.
pub const CONTACT_DATA: [(&str, i32); 7] = [
    ("found", 1),
    ("force", 3),
    ("torque", 3),
    ("dist", 1),
    ("pos", 3),
    ("normal", 3),
    ("tangent", 3),
];

/// What a rangefinder can report (MuJoCo's `mjtRayDataField`), bit by bit: the word for it and the number of values.
pub const RAY_DATA: [(&str, i32); 6] =
    [("dist", 1), ("dir", 3), ("origin", 3), ("point", 3), ("normal", 3), ("depth", 1)];
