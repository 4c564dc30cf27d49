//! The words that attributes choose from, with MuJoCo's numbers.

use crate::values::{AttrValue, ValueError, keyword, words};

/// Declares an enum from a table of words.
macro_rules! keywords {
    ($($(#[$meta:meta])* $name:ident { $($(#[$vmeta:meta])* $variant:ident = $value:literal $word:literal),+ $(,)? })+) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs, reason = "the words of the table say what the variants mean")]
        pub enum $name { $($(#[$vmeta])* $variant = $value),+ }

        impl $name {
            const TABLE: &[(&str, Self)] = &[$(($word, Self::$variant)),+];
        }

        impl AttrValue for $name {
            fn read(_name: &str, text: &str) -> Result<Option<Self>, ValueError> {
                keyword(text, Self::TABLE).map(Some)
            }
        }
    )+};
}

keywords! {
    /// The coordinates of the model; global ones are no longer accepted.
    Coordinate { Local = 0 "local", Global = 1 "global" }
    /// The unit of angles.
    AngleUnit { Radian = 0 "radian", Degree = 1 "degree" }
    /// Yes, no, or decided by the compiler.
    Tristate { False = 0 "false", True = 1 "true", Auto = 2 "auto" }
    /// How a tree falls asleep.
    SleepPolicy { Auto = 0 "auto", Never = 3 "never", Allowed = 4 "allowed", Init = 5 "init" }
    /// Type of joint.
    JointType { Free = 0 "free", Ball = 1 "ball", Slide = 2 "slide", Hinge = 3 "hinge" }
    /// Shape of a geom or site.
    GeomType {
        Plane = 0 "plane", Hfield = 1 "hfield", Sphere = 2 "sphere", Capsule = 3 "capsule",
        Ellipsoid = 4 "ellipsoid", Cylinder = 5 "cylinder", Box = 6 "box", Mesh = 7 "mesh",
        Sdf = 8 "sdf",
    }
    /// Whether the body of a geom is solid or a shell.
    ShellInertia { Volume = 0 "false", Shell = 1 "true" }
    /// The fluid model of a geom.
    FluidShape { None = 0 "none", Ellipsoid = 1 "ellipsoid" }
    /// Projection of a camera.
    Projection { Perspective = 0 "perspective", Orthographic = 1 "orthographic" }
    /// How a camera or light follows its body.
    TrackingMode {
        Fixed = 0 "fixed", Track = 1 "track", TrackCom = 2 "trackcom",
        TargetBody = 3 "targetbody", TargetBodyCom = 4 "targetbodycom",
    }
    /// What a texture of a material means.
    TextureRole {
        Rgb = 1 "rgb", Occlusion = 2 "occlusion", Roughness = 3 "roughness",
        Metallic = 4 "metallic", Normal = 5 "normal", Opacity = 6 "opacity",
        Emissive = 7 "emissive", Rgba = 8 "rgba", Orm = 9 "orm",
    }
    /// Numerical integrator.
    Integrator { Euler = 0 "Euler", Rk4 = 1 "RK4", Implicit = 2 "implicit", ImplicitFast = 3 "implicitfast" }
    /// Friction cone.
    Cone { Pyramidal = 0 "pyramidal", Elliptic = 1 "elliptic" }
    /// Storage of the constraint Jacobian.
    Jacobian { Dense = 0 "dense", Sparse = 1 "sparse", Auto = 2 "auto" }
    /// Constraint solver.
    Solver { Pgs = 0 "PGS", Cg = 1 "CG", Newton = 2 "Newton" }
    /// Dynamics of an actuator.
    Dynamics {
        None = 0 "none", Integrator = 1 "integrator", Filter = 2 "filter",
        FilterExact = 3 "filterexact", Muscle = 4 "muscle", User = 5 "user",
    }
    /// Gain of an actuator.
    Gain { Fixed = 0 "fixed", Affine = 1 "affine", Muscle = 2 "muscle", User = 3 "user" }
    /// Bias of an actuator.
    Bias { None = 0 "none", Affine = 1 "affine", Muscle = 2 "muscle", User = 3 "user" }
    /// Interpolation of delayed values.
    Interpolation { ZeroOrderHold = 0 "zoh", Linear = 1 "linear", Cubic = 2 "cubic" }
    /// How the inertia of a mesh is computed.
    MeshInertia { Convex = 0 "convex", Exact = 1 "exact", Legacy = 2 "legacy", Shell = 3 "shell" }
    /// Which actuators get a length range.
    LengthRangeMode { None = 0 "none", Muscle = 1 "muscle", MuscleUser = 2 "muscleuser", All = 3 "all" }
    /// The object types of MuJoCo, by the names that attributes use.
    ObjectType {
        Body = 1 "body", XBody = 2 "xbody", Joint = 3 "joint", Dof = 4 "dof", Geom = 5 "geom",
        Site = 6 "site", Camera = 7 "camera", Light = 8 "light", Flex = 9 "flex",
        Mesh = 10 "mesh", Skin = 11 "skin", Hfield = 12 "hfield", Texture = 13 "texture",
        Material = 14 "material", Pair = 15 "pair", Exclude = 16 "exclude",
        Equality = 17 "equality", Tendon = 18 "tendon", Actuator = 19 "actuator",
        Sensor = 20 "sensor", Numeric = 21 "numeric", Text = 22 "text", Tuple = 23 "tuple",
        Key = 24 "key", Plugin = 25 "plugin",
    }
}

/// Type of light; the older attribute `directional` chooses between two of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the words of the table say what the variants mean")]
pub enum LightType {
    Spot = 0,
    Directional = 1,
    Point = 2,
    Image = 3,
}

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
pub struct CameraOutput(pub i32);

impl AttrValue for CameraOutput {
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
