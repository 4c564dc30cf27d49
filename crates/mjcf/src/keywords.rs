//! The words that attributes choose from.

use ferrodyn_model::{
    BiasType, ColorSpace, Cone, DataType, DynType, FlexBendingType, FlexElasticityType, FlexSelf,
    GainModelType, GainType, GeomType, Integrator, JacobianType, JointType, LightType, ObjType,
    Projection, SleepPolicy, Solver, Stage, TextureRole, TextureType, TrackingMode,
};

use crate::values::{AttrValue, ValueError, keyword, words};

/// Lets attributes choose the variants of existing enums by words.
macro_rules! words_of {
    ($($name:ident { $($word:literal => $variant:ident),+ $(,)? })+) => {$(
        impl AttrValue for $name {
            fn read(_name: &str, text: &str) -> Result<Option<Self>, ValueError> {
                keyword(text, &[$(($word, Self::$variant)),+]).map(Some)
            }

            #[allow(unreachable_patterns, reason = "not every variant of an enum has a word")]
            fn write(&self) -> String {
                String::from(match self { $(Self::$variant => $word,)+ _ => "" })
            }
        }
    )+};
}

/// Lets attributes choose MuJoCo's variants by words, and what goes beyond MuJoCo by words of the
/// attribute with the prefix `ferrodyn:`, the second name of the row.
macro_rules! words_beyond {
    ($($name:ident {
        $($word:literal => $variant:ident),+; $($extra:literal => $beyond:ident),+ $(,)?
    })+) => {$(
        impl AttrValue for $name {
            fn read(name: &str, text: &str) -> Result<Option<Self>, ValueError> {
                if name.starts_with("ferrodyn:") {
                    return keyword(text, &[$(($extra, Self::$beyond)),+]).map(Some);
                }
                keyword(text, &[$(($word, Self::$variant)),+]).map(Some)
            }

            fn write(&self) -> String {
                String::from(match self {
                    $(Self::$variant => $word,)+
                    $(Self::$beyond => $extra,)+
                })
            }

            fn name<'n>(&self, names: &[&'n str]) -> &'n str {
                names[usize::from(matches!(self, $(Self::$beyond)|+))]
            }
        }
    )+};
}

words_beyond! {
    Integrator {
        "Euler" => Euler, "RK4" => Rk4, "implicit" => Implicit, "implicitfast" => ImplicitFast;
        "implicitspringdamper" => ImplicitSpringDamper,
    }
    Solver { "PGS" => Pgs, "CG" => Cg, "Newton" => Newton; "CGStrict" => CgStrict, "xpbd" => Xpbd }
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
    Cone { "pyramidal" => Pyramidal, "elliptic" => Elliptic }
    JacobianType { "dense" => Dense, "sparse" => Sparse, "auto" => Auto }
    DynType {
        "none" => None, "integrator" => Integrator, "filter" => Filter,
        "filterexact" => FilterExact, "muscle" => Muscle, "user" => User,
    }
    GainType { "fixed" => Fixed, "affine" => Affine, "muscle" => Muscle, "user" => User }
    BiasType { "none" => None, "affine" => Affine, "muscle" => Muscle, "user" => User }
    FlexBendingType { "cotangent" => Cotangent, "bridson" => Bridson }
    FlexElasticityType { "linear" => Linear, "neo_hookean" => NeoHookean }
    GainModelType { "series_elastic" => SeriesElastic }
    FlexSelf {
        "none" => None, "narrow" => Narrow, "bvh" => Bvh, "sap" => Sap, "auto" => Auto,
    }
    TextureType { "2d" => Flat, "cube" => Cube, "skybox" => Skybox }
    ColorSpace { "auto" => Auto, "linear" => Linear, "sRGB" => Srgb }
    Stage { "none" => None, "pos" => Pos, "vel" => Vel, "acc" => Acc }
    DataType {
        "real" => Real, "positive" => Positive, "axis" => Axis, "quaternion" => Quaternion,
    }
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
    /// A mesh that is made from parameters.
    MeshBuiltin {
        "none" => None, "Read from a file or from numbers.";
        "sphere" => Sphere, "A subdivided icosahedron.";
        "hemisphere" => Hemisphere, "Half a sphere.";
        "cone" => Cone, "A cone or truncated pyramid.";
        "supertorus" => Supertorus, "A superquadric torus.";
        "supersphere" => Supersphere, "A superquadric ellipsoid.";
        "wedge" => Wedge, "A part of a sphere, seen from its centre.";
        "plate" => Plate, "A rectangular grid.";
    }
    /// A texture that is made from parameters.
    TextureBuiltin {
        "none" => None, "Read from a file.";
        "gradient" => Gradient, "A gradient between two colours.";
        "checker" => Checker, "Squares of two colours.";
        "flat" => Flat, "One colour.";
    }
    /// A mark on a texture.
    TextureMark {
        "none" => None, "No mark.";
        "edge" => Edge, "Along the edges.";
        "cross" => Cross, "Through the middle.";
        "random" => Random, "Random dots.";
    }
    /// How the contacts that a sensor finds are reduced.
    ContactReduction {
        "none" => None, "The first ones found.";
        "mindist" => MinDist, "Those with the smallest distance.";
        "maxforce" => MaxForce, "Those with the largest force.";
        "netforce" => NetForce, "One virtual contact that sums all up.";
    }
    /// A composite object.
    CompositeKind {
        "particle" => Particle, "No longer supported.";
        "grid" => Grid, "No longer supported.";
        "rope" => Rope, "No longer supported.";
        "loop" => Loop, "No longer supported.";
        "cable" => Cable, "A chain of capsules, boxes or cylinders.";
        "cloth" => Cloth, "No longer supported.";
    }
    /// Which elastic forces of a shell are computed.
    Elastic2d {
        "none" => None, "None.";
        "bend" => Bend, "Those of bending.";
        "stretch" => Stretch, "Those of stretching.";
        "both" => Both, "Those of bending and stretching.";
    }
    /// How a generated flex gets its points.
    FlexcompKind {
        "grid" => Grid, "A regular grid.";
        "box" => Box, "The surface of a box, and its centre.";
        "cylinder" => Cylinder, "The surface of a cylinder, and its centre.";
        "ellipsoid" => Ellipsoid, "The surface of an ellipsoid, and its centre.";
        "square" => Square, "A square, filled.";
        "disc" => Disc, "A disc, filled.";
        "circle" => Circle, "A closed line.";
        "mesh" => Mesh, "The surface in a mesh file.";
        "gmsh" => Gmsh, "The elements in a GMSH file.";
        "direct" => Direct, "As listed.";
    }
    /// How the points of a generated flex move.
    FlexcompDof {
        "full" => Full, "Each one in three directions.";
        "radial" => Radial, "Each one towards the centre and back.";
        "trilinear" => Trilinear, "With the eight corners of a box.";
        "quadratic" => Quadratic, "With 27 nodes of a box.";
    }
    /// What moves the points of a generated flex, where MuJoCo's bodies do not.
    FlexcompSolver {
        "xpbd" => Xpbd, "Extended position-based dynamics.";
    }
    /// Materials of deformable bodies, in the order of their numbers.
    SoftMaterial {
        "rubber" => Rubber, "Vulcanized rubber.";
        "silicone" => Silicone, "Soft silicone.";
        "gelatin" => Gelatin, "Gelatin.";
        "soft_tissue" => SoftTissue, "Soft tissue of a body.";
        "muscle" => Muscle, "Muscle at rest.";
        "skin" => Skin, "Skin.";
        "foam" => Foam, "Open-cell foam.";
        "stiff" => Stiff, "A stiff plastic.";
        "cotton" => Cotton, "Woven cotton.";
        "silk" => Silk, "Woven silk.";
        "leather" => Leather, "Leather.";
        "paper" => Paper, "Paper.";
        "nylon" => Nylon, "Nylon rope.";
        "steel" => Steel, "Steel.";
    }
    /// What the equality constraint of a generated flex holds.
    FlexEquality {
        "false" => None, "Nothing: there is none.";
        "true" => Edge, "The lengths of edges.";
        "vert" => Vert, "The strains at vertices.";
    }
    /// Which actuators get a length range.
    LengthRangeMode {
        "none" => None, "None.";
        "muscle" => Muscle, "Muscles.";
        "muscleuser" => MuscleUser, "Muscles and user-defined actuators.";
        "all" => All, "All.";
    }
}

impl From<bool> for Tristate {
    fn from(yes: bool) -> Self {
        if yes { Self::True } else { Self::False }
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

    fn write(&self) -> String {
        String::from(match self {
            Self::Spot => "spot",
            Self::Directional => "directional",
            Self::Point => "point",
            Self::Image => "image",
        })
    }
}

/// Words that stand for bits: each at most once.
fn read_bits(text: &str, table: &[(&str, i32)]) -> Result<Vec<i32>, ValueError> {
    let mut bits = Vec::new();
    for word in words(text) {
        let bit = keyword(word, table)?;
        if bits.contains(&bit) {
            return Err(ValueError::new("each word only once"));
        }
        bits.push(bit);
    }
    Ok(bits)
}

/// The words of the bits that are set, in the order of the table.
fn write_bits(bits: i32, table: &[(&str, i32)]) -> String {
    let words: Vec<&str> = table.iter().filter(|(_, b)| bits & b != 0).map(|(w, _)| *w).collect();
    words.join(" ")
}

/// What a camera produces, one bit for each word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CameraOutputs(pub i32);

const CAMERA_OUTPUTS: [(&str, i32); 5] =
    [("rgb", 1), ("depth", 2), ("distance", 4), ("normal", 8), ("segmentation", 16)];

impl AttrValue for CameraOutputs {
    fn read(_name: &str, text: &str) -> Result<Option<Self>, ValueError> {
        let bits = read_bits(text, &CAMERA_OUTPUTS)?.iter().sum();
        Ok(if bits == 0 { None } else { Some(Self(bits)) })
    }

    fn write(&self) -> String {
        write_bits(self.0, &CAMERA_OUTPUTS)
    }
}

/// What a contact sensor or a rangefinder reports, in the words of the sensor, in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SensorData(pub Vec<String>);

impl SensorData {
    /// One bit for each word; the words must be in the order of the table.
    pub(crate) fn bits(&self, table: &[(&str, i32)]) -> Result<i32, ValueError> {
        let numbered: Vec<(&str, i32)> =
            table.iter().enumerate().map(|(i, (word, _))| (*word, 1 << i)).collect();
        let bits = read_bits(&self.write(), &numbered)?;
        if !bits.is_sorted() {
            let list: Vec<&str> = table.iter().map(|(word, _)| *word).collect();
            return Err(ValueError::new(format!("words in the order {}", list.join(", "))));
        }
        Ok(bits.iter().sum())
    }
}

impl AttrValue for SensorData {
    fn read(_name: &str, text: &str) -> Result<Option<Self>, ValueError> {
        let list: Vec<String> = words(text).map(str::to_owned).collect();
        Ok(if list.is_empty() { None } else { Some(Self(list)) })
    }

    fn write(&self) -> String {
        self.0.join(" ")
    }
}
