//! Values of attributes whose types are known only when the program runs.

use ferrodyn_model::{
    BiasType, ColorSpace, Cone, DataType, DynType, FlexBendingType, FlexElasticityType, FlexSelf,
    GainModelType, GainType, GeomType, Integrator, JacobianType, JointType, LightType, ObjType,
    Projection, SleepPolicy, Solver, Stage, TextureType, TrackingMode,
};

use crate::keywords::{
    AngleUnit, CameraOutputs, CompositeKind, ContactReduction, Coordinate, Elastic2d, FlexEquality,
    FlexcompDof, FlexcompKind, FlexcompSolver, FluidShape, Interpolation, LengthRangeMode,
    MeshBuiltin, MeshInertia, SensorData, ShellInertia, SoftMaterial, TextureBuiltin, TextureMark,
    Tristate,
};
use crate::values::{
    EulerSequence, GroupMask, MemorySize, NameList, Orientation, Partial, RawQuat, Switch,
};

/// The value of an attribute. Enumerations and switches are integers, as in MuJoCo.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// An integer.
    Int(i64),
    /// A number.
    Real(f64),
    /// Integers.
    Ints(Vec<i32>),
    /// Numbers.
    Reals(Vec<f64>),
    /// A text.
    Text(String),
    /// Texts.
    Texts(Vec<String>),
    /// Lists of integers.
    IntLists(Vec<Vec<i32>>),
    /// Lists of numbers.
    RealLists(Vec<Vec<f64>>),
    /// Bytes.
    Bytes(Vec<u8>),
    /// An orientation that is not a quaternion.
    Orientation(Orientation),
}

impl Value {
    /// A number; integers are numbers too.
    fn real(&self) -> Option<f64> {
        match self {
            Self::Int(x) => Some(*x as f64),
            Self::Real(x) => Some(*x),
            _ => None,
        }
    }

    /// An integer.
    fn int(&self) -> Option<i32> {
        match self {
            Self::Int(x) => i32::try_from(*x).ok(),
            _ => None,
        }
    }

    /// Whether it is a list of nothing, which is one of anything.
    fn is_empty_list(&self) -> bool {
        match self {
            Self::Ints(list) => list.is_empty(),
            Self::Reals(list) => list.is_empty(),
            Self::Texts(list) => list.is_empty(),
            Self::IntLists(list) => list.is_empty(),
            Self::RealLists(list) => list.is_empty(),
            _ => false,
        }
    }

    fn reals(self) -> Option<Vec<f64>> {
        match self {
            Self::Reals(list) => Some(list),
            Self::Ints(list) => Some(list.into_iter().map(f64::from).collect()),
            _ => None,
        }
    }

    fn ints(self) -> Option<Vec<i32>> {
        match self {
            Self::Ints(list) => Some(list),
            Self::Reals(list) => {
                list.into_iter().map(|x| (x == f64::from(x as i32)).then_some(x as i32)).collect()
            }
            _ => None,
        }
    }
}

/// A type of attribute that has a [`Value`].
pub(crate) trait Dynamic: Sized {
    fn to_value(&self) -> Value;
    fn from_value(value: Value) -> Option<Self>;
}

impl Dynamic for f64 {
    fn to_value(&self) -> Value {
        Value::Real(*self)
    }
    fn from_value(value: Value) -> Option<Self> {
        value.real()
    }
}

impl Dynamic for f32 {
    fn to_value(&self) -> Value {
        Value::Real(f64::from(*self))
    }
    fn from_value(value: Value) -> Option<Self> {
        value.real().map(|x| x as f32)
    }
}

impl Dynamic for i32 {
    fn to_value(&self) -> Value {
        Value::Int(i64::from(*self))
    }
    fn from_value(value: Value) -> Option<Self> {
        value.int()
    }
}

impl Dynamic for bool {
    fn to_value(&self) -> Value {
        Value::Int(i64::from(*self))
    }
    fn from_value(value: Value) -> Option<Self> {
        value.int().map(|x| x != 0)
    }
}

impl Dynamic for String {
    fn to_value(&self) -> Value {
        Value::Text(self.clone())
    }
    fn from_value(value: Value) -> Option<Self> {
        match value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }
}

impl Dynamic for Vec<f64> {
    fn to_value(&self) -> Value {
        Value::Reals(self.clone())
    }
    fn from_value(value: Value) -> Option<Self> {
        value.reals()
    }
}

impl Dynamic for Vec<f32> {
    fn to_value(&self) -> Value {
        Value::Reals(self.iter().copied().map(f64::from).collect())
    }
    fn from_value(value: Value) -> Option<Self> {
        Some(value.reals()?.into_iter().map(|x| x as f32).collect())
    }
}

impl Dynamic for Vec<i32> {
    fn to_value(&self) -> Value {
        Value::Ints(self.clone())
    }
    fn from_value(value: Value) -> Option<Self> {
        value.ints()
    }
}

impl Dynamic for Vec<String> {
    fn to_value(&self) -> Value {
        Value::Texts(self.clone())
    }
    fn from_value(value: Value) -> Option<Self> {
        match value {
            Value::Texts(texts) => Some(texts),
            other => other.is_empty_list().then(Self::new),
        }
    }
}

impl Dynamic for Vec<Vec<i32>> {
    fn to_value(&self) -> Value {
        Value::IntLists(self.clone())
    }
    fn from_value(value: Value) -> Option<Self> {
        match value {
            Value::IntLists(lists) => Some(lists),
            Value::RealLists(lists) => {
                lists.into_iter().map(|list| Value::Reals(list).ints()).collect()
            }
            other => other.is_empty_list().then(Self::new),
        }
    }
}

impl Dynamic for Vec<Vec<f32>> {
    fn to_value(&self) -> Value {
        let wide = |list: &Vec<f32>| list.iter().copied().map(f64::from).collect();
        Value::RealLists(self.iter().map(wide).collect())
    }
    fn from_value(value: Value) -> Option<Self> {
        let narrow = |list: Vec<f64>| list.into_iter().map(|x| x as f32).collect();
        match value {
            Value::RealLists(lists) => Some(lists.into_iter().map(narrow).collect()),
            Value::IntLists(lists) => {
                let numbers = |list: Vec<i32>| narrow(list.into_iter().map(f64::from).collect());
                Some(lists.into_iter().map(numbers).collect())
            }
            other => other.is_empty_list().then(Self::new),
        }
    }
}

impl Dynamic for Vec<u8> {
    fn to_value(&self) -> Value {
        Value::Bytes(self.clone())
    }
    fn from_value(value: Value) -> Option<Self> {
        match value {
            Value::Bytes(bytes) => Some(bytes),
            _ => None,
        }
    }
}

macro_rules! through_list {
    ($($element:ty)*) => {$(
        impl<const N: usize> Dynamic for [$element; N] {
            fn to_value(&self) -> Value {
                self.to_vec().to_value()
            }
            fn from_value(value: Value) -> Option<Self> {
                Vec::<$element>::from_value(value)?.try_into().ok()
            }
        }
    )*};
}

through_list!(f64 f32 i32);

impl<const N: usize> Dynamic for Partial<N> {
    fn to_value(&self) -> Value {
        Value::Reals(self.given())
    }
    fn from_value(value: Value) -> Option<Self> {
        let list = value.reals()?;
        (!list.is_empty() && list.len() <= N).then(|| Self::from(list.as_slice()))
    }
}

impl Dynamic for RawQuat {
    fn to_value(&self) -> Value {
        self.0.to_value()
    }
    fn from_value(value: Value) -> Option<Self> {
        <[f64; 4]>::from_value(value).map(Self)
    }
}

impl Dynamic for Orientation {
    fn to_value(&self) -> Value {
        Value::Orientation(*self)
    }
    fn from_value(value: Value) -> Option<Self> {
        match value {
            Value::Orientation(orientation) => Some(orientation),
            _ => None,
        }
    }
}

impl Dynamic for Switch {
    fn to_value(&self) -> Value {
        self.0.to_value()
    }
    fn from_value(value: Value) -> Option<Self> {
        bool::from_value(value).map(Self)
    }
}

impl Dynamic for GroupMask {
    fn to_value(&self) -> Value {
        self.0.to_value()
    }
    fn from_value(value: Value) -> Option<Self> {
        value.int().map(Self)
    }
}

impl Dynamic for CameraOutputs {
    fn to_value(&self) -> Value {
        self.0.to_value()
    }
    fn from_value(value: Value) -> Option<Self> {
        value.int().map(Self)
    }
}

impl Dynamic for MemorySize {
    fn to_value(&self) -> Value {
        Value::Int(i64::try_from(self.0).unwrap_or(i64::MAX))
    }
    fn from_value(value: Value) -> Option<Self> {
        match value {
            Value::Int(bytes) => u64::try_from(bytes).ok().map(Self),
            _ => None,
        }
    }
}

impl Dynamic for EulerSequence {
    fn to_value(&self) -> Value {
        Value::Text(self.0.iter().map(|b| char::from(*b)).collect())
    }
    fn from_value(value: Value) -> Option<Self> {
        String::from_value(value)?.as_bytes().try_into().ok().map(Self)
    }
}

impl Dynamic for SensorData {
    fn to_value(&self) -> Value {
        Value::Texts(self.0.clone())
    }
    fn from_value(value: Value) -> Option<Self> {
        match value {
            Value::Texts(words) => Some(Self(words)),
            _ => None,
        }
    }
}

impl Dynamic for NameList {
    fn to_value(&self) -> Value {
        Value::Texts(self.0.clone())
    }
    fn from_value(value: Value) -> Option<Self> {
        match value {
            Value::Texts(names) => Some(Self(names)),
            _ => None,
        }
    }
}

/// Enumerations of the model, which have MuJoCo's numbers.
macro_rules! numbered {
    ($($type:ty)*) => {$(
        impl Dynamic for $type {
            fn to_value(&self) -> Value {
                Value::Int(*self as i64)
            }
            fn from_value(value: Value) -> Option<Self> {
                Self::try_from(value.int()?).ok()
            }
        }
    )*};
}

numbered! {
    BiasType ColorSpace Cone DataType DynType FlexBendingType FlexElasticityType FlexSelf GainModelType GainType GeomType Integrator JacobianType JointType
    LightType ObjType Projection SleepPolicy Solver Stage TextureType TrackingMode
}

/// Enumerations of the model language, with the numbers that MuJoCo gives them.
macro_rules! chosen {
    ($($type:ty { $($variant:ident)* })*) => {$(
        impl Dynamic for $type {
            fn to_value(&self) -> Value {
                let all = [$(<$type>::$variant),*];
                Value::Int(all.iter().position(|v| v == self).unwrap_or(0) as i64)
            }
            fn from_value(value: Value) -> Option<Self> {
                let all = [$(<$type>::$variant),*];
                all.get(usize::try_from(value.int()?).ok()?).copied()
            }
        }
    )*};
}

chosen! {
    Coordinate { Local Global }
    AngleUnit { Radian Degree }
    Tristate { False True Auto }
    ShellInertia { Volume Shell }
    FluidShape { None Ellipsoid }
    Interpolation { ZeroOrderHold Linear Cubic }
    MeshInertia { Convex Exact Legacy Shell }
    MeshBuiltin { None Sphere Hemisphere Cone Supersphere Supertorus Wedge Plate }
    TextureBuiltin { None Gradient Checker Flat }
    TextureMark { None Edge Cross Random }
    ContactReduction { None MinDist MaxForce NetForce }
    LengthRangeMode { None Muscle MuscleUser All }
    Elastic2d { None Bend Stretch Both }
    FlexEquality { None Edge Vert }
    FlexcompDof { Full Radial Trilinear Quadratic }
    FlexcompKind { Grid Box Cylinder Ellipsoid Square Disc Circle Mesh Gmsh Direct }
    CompositeKind { Particle Grid Rope Loop Cable Cloth }
    FlexcompSolver { Xpbd }
    SoftMaterial {
        Rubber Silicone Gelatin SoftTissue Muscle Skin Foam Stiff Cotton Silk Leather Paper Nylon Steel
    }
}
