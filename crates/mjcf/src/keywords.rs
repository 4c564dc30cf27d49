//! The words that attributes choose from.

use ferrodyn_model::{
    BiasType, Cone, DynType, GainType, GeomType, Integrator, JacobianType, JointType, LightType,
    ObjType, Projection, SleepPolicy, Solver, TextureRole, TrackingMode,
};

use crate::values::{AttrValue, ValueError, keyword, words};

/// Lets attributes choose the variants of existing enums by words.
macro_rules! words_of {
    ($($name:ident { $($word:literal => $variant:ident),+ $(,)? })+) => {$(
        impl AttrValue for $name {
            fn read(_name: &str, text: &str) -> Result<Option<Self>, ValueError> {
                keyword(text, &[$(($word, Self::$variant)),+]).map(Some)
            }
        }
    )+};
}

/// Declares enums that only the model language has.
macro_rules! keywords {
    ($($(#[$meta:meta])* $name:ident { $($word:literal => $variant:ident, $doc:literal;)+ })+) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name { $(#[doc = $doc] $variant),+ }
        words_of! { $name { $($word => $variant),+ } }
    )+};
}

words_of! {
    SleepPolicy { "auto" => Auto, "never" => Never, "allowed" => Allowed, "init" => Init }
    JointType { "free" => Free, "ball" => Ball, "slide" => Slide, "hinge" => Hinge }
    GeomType {
        "plane" => Plane, "hfield" => Hfield, "sphere" => Sphere, "capsule" => Capsule,
        "ellipsoid" => Ellipsoid, "cylinder" => Cylinder, "box" => Box, "mesh" => Mesh,
        "sdf" => Sdf,
    }
    Projection { "perspective" => Perspective, "orthographic" => Orthographic }
    TrackingMode {
        "fixed" => Fixed, "track" => Track, "trackcom" => TrackCom,
        "targetbody" => TargetBody, "targetbodycom" => TargetBodyCom,
    }
    TextureRole {
        "rgb" => Rgb, "occlusion" => Occlusion, "roughness" => Roughness, "metallic" => Metallic,
        "normal" => Normal, "opacity" => Opacity, "emissive" => Emissive, "rgba" => Rgba,
        "orm" => Orm,
    }
    Integrator {
        "Euler" => Euler, "RK4" => Rk4, "implicit" => Implicit, "implicitfast" => ImplicitFast,
    }
    Cone { "pyramidal" => Pyramidal, "elliptic" => Elliptic }
    JacobianType { "dense" => Dense, "sparse" => Sparse, "auto" => Auto }
    Solver { "PGS" => Pgs, "CG" => Cg, "Newton" => Newton }
    DynType {
        "none" => None, "integrator" => Integrator, "filter" => Filter,
        "filterexact" => FilterExact, "muscle" => Muscle, "user" => User,
    }
    GainType { "fixed" => Fixed, "affine" => Affine, "muscle" => Muscle, "user" => User }
    BiasType { "none" => None, "affine" => Affine, "muscle" => Muscle, "user" => User }
    ObjType {
        "body" => Body, "xbody" => XBody, "joint" => Joint, "dof" => Dof, "geom" => Geom,
        "site" => Site, "camera" => Camera, "light" => Light, "flex" => Flex, "mesh" => Mesh,
        "skin" => Skin, "hfield" => Hfield, "texture" => Texture, "material" => Material,
        "pair" => Pair, "exclude" => Exclude, "equality" => Equality, "tendon" => Tendon,
        "actuator" => Actuator, "sensor" => Sensor, "numeric" => Numeric, "text" => Text,
        "tuple" => Tuple, "key" => Key, "plugin" => Plugin,
    }
}

keywords! {
    /// The coordinates of the model.
    Coordinate {
        "local" => Local, "Poses are relative to the parent.";
        "global" => Global, "Poses are absolute; no longer accepted.";
    }
    /// The unit of angles.
    AngleUnit {
        "radian" => Radian, "Radians.";
        "degree" => Degree, "Degrees.";
    }
    /// Yes, no, or decided by the compiler.
    Tristate {
        "false" => False, "No.";
        "true" => True, "Yes.";
        "auto" => Auto, "The compiler decides.";
    }
    /// Where the mass of a geom lies.
    ShellInertia {
        "false" => Volume, "In its volume.";
        "true" => Shell, "On its surface.";
    }
    /// The fluid model of a geom.
    FluidShape {
        "none" => None, "Its body counts as a box.";
        "ellipsoid" => Ellipsoid, "The geom counts as an ellipsoid.";
    }
    /// Interpolation of delayed values.
    Interpolation {
        "zoh" => ZeroOrderHold, "The last value.";
        "linear" => Linear, "Linear.";
        "cubic" => Cubic, "Cubic.";
    }
    /// How the inertia of a mesh is computed.
    MeshInertia {
        "convex" => Convex, "From the convex hull.";
        "legacy" => Legacy, "From signed volumes, made positive.";
        "exact" => Exact, "From signed volumes.";
        "shell" => Shell, "From the surface.";
    }
    /// Which actuators get a length range.
    LengthRangeMode {
        "none" => None, "None.";
        "muscle" => Muscle, "Muscles.";
        "muscleuser" => MuscleUser, "Muscles and user-defined actuators.";
        "all" => All, "All.";
    }
}

/// The older attribute `directional` chooses between two types of light.
impl AttrValue for LightType {
    fn read(name: &str, text: &str) -> Result<Option<Self>, ValueError> {
        let table: &[(&str, Self)] = if name == "directional" {
            &[("false", Self::Spot), ("true", Self::Directional)]
        } else {
            &[
                ("spot", Self::Spot),
                ("directional", Self::Directional),
                ("point", Self::Point),
                ("image", Self::Image),
            ]
        };
        keyword(text, table).map(Some)
    }
}

/// What a camera produces, one bit for each word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CameraOutputs(pub i32);

impl AttrValue for CameraOutputs {
    fn read(_name: &str, text: &str) -> Result<Option<Self>, ValueError> {
        let table =
            [("rgb", 1), ("depth", 2), ("distance", 4), ("normal", 8), ("segmentation", 16)];
        let mut bits = 0;
        for word in words(text) {
            let bit = keyword(word, &table)?;
            if bits & bit != 0 {
                return Err(ValueError::new("each word only once"));
            }
            bits |= bit;
        }
        Ok(if bits == 0 { None } else { Some(Self(bits)) })
    }
}
