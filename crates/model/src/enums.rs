//! The enumerations that model arrays hold as integers.

/// An enumeration for bindings: its MuJoCo name and its members.
pub type EnumInfo = (&'static str, &'static [(&'static str, i32)]);

/// An integer is not a member of the enumeration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAMember(pub i32);

impl core::fmt::Display for NotAMember {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} is not a member of the enumeration", self.0)
    }
}

impl core::error::Error for NotAMember {}

/// Declares enumerations with MuJoCo's members; what goes beyond MuJoCo, marked by a `+`, has numbers from 100 on,
/// which MuJoCo's own will not reach.
macro_rules! enums {
    ($(
        $doc:literal $type:ident = $mj:literal {
            $($member:ident = $value:expr, $mj_member:literal;)*
            $(+ $extra:ident = $extra_value:expr, $extra_doc:literal;)*
        }
    )*) => {
        $(
            #[doc = $doc]
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
            #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
            #[repr(i32)]
            pub enum $type {
                $(#[doc = concat!("MuJoCo's `", $mj_member, "`.")] $member = $value,)*
                $(#[doc = $extra_doc] $extra = $extra_value,)*
            }

            impl TryFrom<i32> for $type {
                type Error = NotAMember;
                fn try_from(value: i32) -> Result<$type, NotAMember> {
                    match value {
                        $(x if x == $type::$member as i32 => Ok($type::$member),)*
                        $(x if x == $type::$extra as i32 => Ok($type::$extra),)*
                        _ => Err(NotAMember(value)),
                    }
                }
            }
        )*

        /// Every enumeration with its members under MuJoCo's names.
        pub const ENUMS: &[EnumInfo] =
            &[$(($mj, &[$(($mj_member, $type::$member as i32)),*])),*];
    };
}

enums! {
    "Kind of joint." JointType = "mjtJoint" {
        Free = 0, "mjJNT_FREE";
        Ball = 1, "mjJNT_BALL";
        Slide = 2, "mjJNT_SLIDE";
        Hinge = 3, "mjJNT_HINGE";
    }
    "Geometric shape." GeomType = "mjtGeom" {
        Plane = 0, "mjGEOM_PLANE";
        Hfield = 1, "mjGEOM_HFIELD";
        Sphere = 2, "mjGEOM_SPHERE";
        Capsule = 3, "mjGEOM_CAPSULE";
        Ellipsoid = 4, "mjGEOM_ELLIPSOID";
        Cylinder = 5, "mjGEOM_CYLINDER";
        Box = 6, "mjGEOM_BOX";
        Mesh = 7, "mjGEOM_MESH";
        Sdf = 8, "mjGEOM_SDF";
        Arrow = 100, "mjGEOM_ARROW";
        Arrow1 = 101, "mjGEOM_ARROW1";
        Arrow2 = 102, "mjGEOM_ARROW2";
        Line = 103, "mjGEOM_LINE";
        LineBox = 104, "mjGEOM_LINEBOX";
        Flex = 105, "mjGEOM_FLEX";
        Skin = 106, "mjGEOM_SKIN";
        Label = 107, "mjGEOM_LABEL";
        Triangle = 108, "mjGEOM_TRIANGLE";
        None = 1001, "mjGEOM_NONE";
    }
    "Features that can be switched off." DisableBit = "mjtDisableBit" {
        Constraint = 1, "mjDSBL_CONSTRAINT";
        Equality = 1 << 1, "mjDSBL_EQUALITY";
        FrictionLoss = 1 << 2, "mjDSBL_FRICTIONLOSS";
        Limit = 1 << 3, "mjDSBL_LIMIT";
        Contact = 1 << 4, "mjDSBL_CONTACT";
        Spring = 1 << 5, "mjDSBL_SPRING";
        Damper = 1 << 6, "mjDSBL_DAMPER";
        Gravity = 1 << 7, "mjDSBL_GRAVITY";
        ClampCtrl = 1 << 8, "mjDSBL_CLAMPCTRL";
        Warmstart = 1 << 9, "mjDSBL_WARMSTART";
        FilterParent = 1 << 10, "mjDSBL_FILTERPARENT";
        Actuation = 1 << 11, "mjDSBL_ACTUATION";
        RefSafe = 1 << 12, "mjDSBL_REFSAFE";
        Sensor = 1 << 13, "mjDSBL_SENSOR";
        Midphase = 1 << 14, "mjDSBL_MIDPHASE";
        EulerDamp = 1 << 15, "mjDSBL_EULERDAMP";
        AutoReset = 1 << 16, "mjDSBL_AUTORESET";
        NativeCcd = 1 << 17, "mjDSBL_NATIVECCD";
        Island = 1 << 18, "mjDSBL_ISLAND";
    }
    "Features that can be switched on." EnableBit = "mjtEnableBit" {
        Override = 1, "mjENBL_OVERRIDE";
        Energy = 1 << 1, "mjENBL_ENERGY";
        FwdInv = 1 << 2, "mjENBL_FWDINV";
        InvDiscrete = 1 << 3, "mjENBL_INVDISCRETE";
        MultiCcd = 1 << 4, "mjENBL_MULTICCD";
        Sleep = 1 << 5, "mjENBL_SLEEP";
    }
    "How a camera or light follows its body." TrackingMode = "mjtCamLight" {
        Fixed = 0, "mjCAMLIGHT_FIXED";
        Track = 1, "mjCAMLIGHT_TRACK";
        TrackCom = 2, "mjCAMLIGHT_TRACKCOM";
        TargetBody = 3, "mjCAMLIGHT_TARGETBODY";
        TargetBodyCom = 4, "mjCAMLIGHT_TARGETBODYCOM";
    }
    "Kind of light." LightType = "mjtLightType" {
        Spot = 0, "mjLIGHT_SPOT";
        Directional = 1, "mjLIGHT_DIRECTIONAL";
        Point = 2, "mjLIGHT_POINT";
        Image = 3, "mjLIGHT_IMAGE";
    }
    "Projection of a camera." Projection = "mjtProjection" {
        Perspective = 0, "mjPROJ_PERSPECTIVE";
        Orthographic = 1, "mjPROJ_ORTHOGRAPHIC";
    }
    "Kind of texture." TextureType = "mjtTexture" {
        Flat = 0, "mjTEXTURE_2D";
        Cube = 1, "mjTEXTURE_CUBE";
        Skybox = 2, "mjTEXTURE_SKYBOX";
    }
    "Role of a texture in a material." TextureRole = "mjtTextureRole" {
        User = 0, "mjTEXROLE_USER";
        Rgb = 1, "mjTEXROLE_RGB";
        Occlusion = 2, "mjTEXROLE_OCCLUSION";
        Roughness = 3, "mjTEXROLE_ROUGHNESS";
        Metallic = 4, "mjTEXROLE_METALLIC";
        Normal = 5, "mjTEXROLE_NORMAL";
        Opacity = 6, "mjTEXROLE_OPACITY";
        Emissive = 7, "mjTEXROLE_EMISSIVE";
        Rgba = 8, "mjTEXROLE_RGBA";
        Orm = 9, "mjTEXROLE_ORM";
    }
    "Colour space of a texture." ColorSpace = "mjtColorSpace" {
        Auto = 0, "mjCOLORSPACE_AUTO";
        Linear = 1, "mjCOLORSPACE_LINEAR";
        Srgb = 2, "mjCOLORSPACE_SRGB";
    }
    "Integrator." Integrator = "mjtIntegrator" {
        Euler = 0, "mjINT_EULER";
        Rk4 = 1, "mjINT_RK4";
        Implicit = 2, "mjINT_IMPLICIT";
        ImplicitFast = 3, "mjINT_IMPLICITFAST";
        + ImplicitSpringDamper = 100, "Implicit in the springs and dampers of joints: an extension.";
    }
    "How elements of a flex that collide with each other are found." FlexSelf = "mjtFlexSelf" {
        None = 0, "mjFLEXSELF_NONE";
        Narrow = 1, "mjFLEXSELF_NARROW";
        Bvh = 2, "mjFLEXSELF_BVH";
        Sap = 3, "mjFLEXSELF_SAP";
        Auto = 4, "mjFLEXSELF_AUTO";
    }
    "Friction cone." Cone = "mjtCone" {
        Pyramidal = 0, "mjCONE_PYRAMIDAL";
        Elliptic = 1, "mjCONE_ELLIPTIC";
    }
    "Storage of the constraint Jacobian." JacobianType = "mjtJacobian" {
        Dense = 0, "mjJAC_DENSE";
        Sparse = 1, "mjJAC_SPARSE";
        Auto = 2, "mjJAC_AUTO";
    }
    "Constraint solver." Solver = "mjtSolver" {
        Pgs = 0, "mjSOL_PGS";
        Cg = 1, "mjSOL_CG";
        Newton = 2, "mjSOL_NEWTON";
        + CgStrict = 100, "Conjugate gradients that must converge: an extension.";
        + Xpbd = 101, "Position-based dynamics, in substeps: an extension.";
    }
    "Kind of equality constraint." EqualityType = "mjtEq" {
        Connect = 0, "mjEQ_CONNECT";
        Weld = 1, "mjEQ_WELD";
        Joint = 2, "mjEQ_JOINT";
        Tendon = 3, "mjEQ_TENDON";
        Flex = 4, "mjEQ_FLEX";
        FlexVert = 5, "mjEQ_FLEXVERT";
        Distance = 6, "mjEQ_DISTANCE";
    }
    "Kind of constraint row." ConstraintType = "mjtConstraint" {
        Equality = 0, "mjCNSTR_EQUALITY";
        FrictionDof = 1, "mjCNSTR_FRICTION_DOF";
        FrictionTendon = 2, "mjCNSTR_FRICTION_TENDON";
        LimitJoint = 3, "mjCNSTR_LIMIT_JOINT";
        LimitTendon = 4, "mjCNSTR_LIMIT_TENDON";
        ContactFrictionless = 5, "mjCNSTR_CONTACT_FRICTIONLESS";
        ContactPyramidal = 6, "mjCNSTR_CONTACT_PYRAMIDAL";
        ContactElliptic = 7, "mjCNSTR_CONTACT_ELLIPTIC";
    }
    "State of a constraint row." ConstraintState = "mjtConstraintState" {
        Satisfied = 0, "mjCNSTRSTATE_SATISFIED";
        Quadratic = 1, "mjCNSTRSTATE_QUADRATIC";
        LinearNeg = 2, "mjCNSTRSTATE_LINEARNEG";
        LinearPos = 3, "mjCNSTRSTATE_LINEARPOS";
        Cone = 4, "mjCNSTRSTATE_CONE";
    }
    "Kind of tendon path element." WrapType = "mjtWrap" {
        None = 0, "mjWRAP_NONE";
        Joint = 1, "mjWRAP_JOINT";
        Pulley = 2, "mjWRAP_PULLEY";
        Site = 3, "mjWRAP_SITE";
        Sphere = 4, "mjWRAP_SPHERE";
        Cylinder = 5, "mjWRAP_CYLINDER";
    }
    "Transmission of an actuator." TransmissionType = "mjtTrn" {
        Joint = 0, "mjTRN_JOINT";
        JointInParent = 1, "mjTRN_JOINTINPARENT";
        SliderCrank = 2, "mjTRN_SLIDERCRANK";
        Tendon = 3, "mjTRN_TENDON";
        Site = 4, "mjTRN_SITE";
        Body = 5, "mjTRN_BODY";
        Undefined = 1000, "mjTRN_UNDEFINED";
    }
    "Activation dynamics of an actuator." DynType = "mjtDyn" {
        None = 0, "mjDYN_NONE";
        Integrator = 1, "mjDYN_INTEGRATOR";
        Filter = 2, "mjDYN_FILTER";
        FilterExact = 3, "mjDYN_FILTEREXACT";
        Muscle = 4, "mjDYN_MUSCLE";
        User = 5, "mjDYN_USER";
    }
    "Gain of an actuator." GainType = "mjtGain" {
        Fixed = 0, "mjGAIN_FIXED";
        Affine = 1, "mjGAIN_AFFINE";
        Muscle = 2, "mjGAIN_MUSCLE";
        User = 3, "mjGAIN_USER";
    }
    "Bias of an actuator." BiasType = "mjtBias" {
        None = 0, "mjBIAS_NONE";
        Affine = 1, "mjBIAS_AFFINE";
        Muscle = 2, "mjBIAS_MUSCLE";
        User = 3, "mjBIAS_USER";
    }
    "Kind of object." ObjType = "mjtObj" {
        Unknown = 0, "mjOBJ_UNKNOWN";
        Body = 1, "mjOBJ_BODY";
        XBody = 2, "mjOBJ_XBODY";
        Joint = 3, "mjOBJ_JOINT";
        Dof = 4, "mjOBJ_DOF";
        Geom = 5, "mjOBJ_GEOM";
        Site = 6, "mjOBJ_SITE";
        Camera = 7, "mjOBJ_CAMERA";
        Light = 8, "mjOBJ_LIGHT";
        Flex = 9, "mjOBJ_FLEX";
        Mesh = 10, "mjOBJ_MESH";
        Skin = 11, "mjOBJ_SKIN";
        Hfield = 12, "mjOBJ_HFIELD";
        Texture = 13, "mjOBJ_TEXTURE";
        Material = 14, "mjOBJ_MATERIAL";
        Pair = 15, "mjOBJ_PAIR";
        Exclude = 16, "mjOBJ_EXCLUDE";
        Equality = 17, "mjOBJ_EQUALITY";
        Tendon = 18, "mjOBJ_TENDON";
        Actuator = 19, "mjOBJ_ACTUATOR";
        Sensor = 20, "mjOBJ_SENSOR";
        Numeric = 21, "mjOBJ_NUMERIC";
        Text = 22, "mjOBJ_TEXT";
        Tuple = 23, "mjOBJ_TUPLE";
        Key = 24, "mjOBJ_KEY";
        Plugin = 25, "mjOBJ_PLUGIN";
        Frame = 100, "mjOBJ_FRAME";
        Default = 101, "mjOBJ_DEFAULT";
        Model = 102, "mjOBJ_MODEL";
    }
    "Kind of sensor." SensorType = "mjtSensor" {
        Touch = 0, "mjSENS_TOUCH";
        Accelerometer = 1, "mjSENS_ACCELEROMETER";
        Velocimeter = 2, "mjSENS_VELOCIMETER";
        Gyro = 3, "mjSENS_GYRO";
        Force = 4, "mjSENS_FORCE";
        Torque = 5, "mjSENS_TORQUE";
        Magnetometer = 6, "mjSENS_MAGNETOMETER";
        Rangefinder = 7, "mjSENS_RANGEFINDER";
        CamProjection = 8, "mjSENS_CAMPROJECTION";
        JointPos = 9, "mjSENS_JOINTPOS";
        JointVel = 10, "mjSENS_JOINTVEL";
        TendonPos = 11, "mjSENS_TENDONPOS";
        TendonVel = 12, "mjSENS_TENDONVEL";
        ActuatorPos = 13, "mjSENS_ACTUATORPOS";
        ActuatorVel = 14, "mjSENS_ACTUATORVEL";
        ActuatorFrc = 15, "mjSENS_ACTUATORFRC";
        JointActFrc = 16, "mjSENS_JOINTACTFRC";
        TendonActFrc = 17, "mjSENS_TENDONACTFRC";
        BallQuat = 18, "mjSENS_BALLQUAT";
        BallAngVel = 19, "mjSENS_BALLANGVEL";
        JointLimitPos = 20, "mjSENS_JOINTLIMITPOS";
        JointLimitVel = 21, "mjSENS_JOINTLIMITVEL";
        JointLimitFrc = 22, "mjSENS_JOINTLIMITFRC";
        TendonLimitPos = 23, "mjSENS_TENDONLIMITPOS";
        TendonLimitVel = 24, "mjSENS_TENDONLIMITVEL";
        TendonLimitFrc = 25, "mjSENS_TENDONLIMITFRC";
        FramePos = 26, "mjSENS_FRAMEPOS";
        FrameQuat = 27, "mjSENS_FRAMEQUAT";
        FrameXAxis = 28, "mjSENS_FRAMEXAXIS";
        FrameYAxis = 29, "mjSENS_FRAMEYAXIS";
        FrameZAxis = 30, "mjSENS_FRAMEZAXIS";
        FrameLinVel = 31, "mjSENS_FRAMELINVEL";
        FrameAngVel = 32, "mjSENS_FRAMEANGVEL";
        FrameLinAcc = 33, "mjSENS_FRAMELINACC";
        FrameAngAcc = 34, "mjSENS_FRAMEANGACC";
        SubtreeCom = 35, "mjSENS_SUBTREECOM";
        SubtreeLinVel = 36, "mjSENS_SUBTREELINVEL";
        SubtreeAngMom = 37, "mjSENS_SUBTREEANGMOM";
        InsideSite = 38, "mjSENS_INSIDESITE";
        GeomDist = 39, "mjSENS_GEOMDIST";
        GeomNormal = 40, "mjSENS_GEOMNORMAL";
        GeomFromTo = 41, "mjSENS_GEOMFROMTO";
        Contact = 42, "mjSENS_CONTACT";
        PotentialEnergy = 43, "mjSENS_E_POTENTIAL";
        KineticEnergy = 44, "mjSENS_E_KINETIC";
        Clock = 45, "mjSENS_CLOCK";
        Tactile = 46, "mjSENS_TACTILE";
        Plugin = 47, "mjSENS_PLUGIN";
        User = 48, "mjSENS_USER";
    }
    "Stage of the computation." Stage = "mjtStage" {
        None = 0, "mjSTAGE_NONE";
        Pos = 1, "mjSTAGE_POS";
        Vel = 2, "mjSTAGE_VEL";
        Acc = 3, "mjSTAGE_ACC";
    }
    "Kind of sensor data." DataType = "mjtDataType" {
        Real = 0, "mjDATATYPE_REAL";
        Positive = 1, "mjDATATYPE_POSITIVE";
        Axis = 2, "mjDATATYPE_AXIS";
        Quaternion = 3, "mjDATATYPE_QUATERNION";
    }
    "Images that a camera makes, as bits." CameraOutput = "mjtCamOutBit" {
        Rgb = 1, "mjCAMOUT_RGB";
        Depth = 1 << 1, "mjCAMOUT_DEPTH";
        Dist = 1 << 2, "mjCAMOUT_DIST";
        Normal = 1 << 3, "mjCAMOUT_NORMAL";
        Seg = 1 << 4, "mjCAMOUT_SEG";
    }
    "How a frame is aligned with its body." SameFrame = "mjtSameFrame" {
        None = 0, "mjSAMEFRAME_NONE";
        Body = 1, "mjSAMEFRAME_BODY";
        Inertia = 2, "mjSAMEFRAME_INERTIA";
        BodyRot = 3, "mjSAMEFRAME_BODYROT";
        InertiaRot = 4, "mjSAMEFRAME_INERTIAROT";
    }
    "When a kinematic tree may sleep." SleepPolicy = "mjtSleepPolicy" {
        Auto = 0, "mjSLEEP_AUTO";
        AutoNever = 1, "mjSLEEP_AUTO_NEVER";
        AutoAllowed = 2, "mjSLEEP_AUTO_ALLOWED";
        Never = 3, "mjSLEEP_NEVER";
        Allowed = 4, "mjSLEEP_ALLOWED";
        Init = 5, "mjSLEEP_INIT";
    }
    "Sleep state of an object." SleepState = "mjtSleepState" {
        Static = -1, "mjS_STATIC";
        Asleep = 0, "mjS_ASLEEP";
        Awake = 1, "mjS_AWAKE";
    }
    "Elements of the state, as bits." StateBit = "mjtState" {
        Time = 1, "mjSTATE_TIME";
        Qpos = 1 << 1, "mjSTATE_QPOS";
        Qvel = 1 << 2, "mjSTATE_QVEL";
        Act = 1 << 3, "mjSTATE_ACT";
        History = 1 << 4, "mjSTATE_HISTORY";
        Warmstart = 1 << 5, "mjSTATE_WARMSTART";
        Ctrl = 1 << 6, "mjSTATE_CTRL";
        QfrcApplied = 1 << 7, "mjSTATE_QFRC_APPLIED";
        XfrcApplied = 1 << 8, "mjSTATE_XFRC_APPLIED";
        EqActive = 1 << 9, "mjSTATE_EQ_ACTIVE";
        MocapPos = 1 << 10, "mjSTATE_MOCAP_POS";
        MocapQuat = 1 << 11, "mjSTATE_MOCAP_QUAT";
        UserData = 1 << 12, "mjSTATE_USERDATA";
        Plugin = 1 << 13, "mjSTATE_PLUGIN";
        Physics = 0x1e, "mjSTATE_PHYSICS";
        FullPhysics = 0x201f, "mjSTATE_FULLPHYSICS";
        User = 0x1fc0, "mjSTATE_USER";
        Integration = 0x3fff, "mjSTATE_INTEGRATION";
    }
    "Kind of warning." Warning = "mjtWarning" {
        Inertia = 0, "mjWARN_INERTIA";
        ContactFull = 1, "mjWARN_CONTACTFULL";
        ConstraintFull = 2, "mjWARN_CNSTRFULL";
        VisualGeomFull = 3, "mjWARN_VGEOMFULL";
        BadQpos = 4, "mjWARN_BADQPOS";
        BadQvel = 5, "mjWARN_BADQVEL";
        BadQacc = 6, "mjWARN_BADQACC";
        BadCtrl = 7, "mjWARN_BADCTRL";
    }
}

impl GeomType {
    /// Semi-axes of the ellipsoid that a geom of this size is to a fluid.
    ///
    /// ```
    /// use ferrodyn_model::GeomType;
    /// assert_eq!(GeomType::Capsule.semi_axes([1.0, 2.0, 0.0]), [1.0, 1.0, 3.0]);
    /// ```
    pub fn semi_axes<T: Copy + core::ops::Add<Output = T>>(self, size: [T; 3]) -> [T; 3] {
        match self {
            GeomType::Sphere => [size[0]; 3],
            GeomType::Capsule => [size[0], size[0], size[1] + size[0]],
            GeomType::Cylinder => [size[0], size[0], size[1]],
            _ => size,
        }
    }
}

impl JointType {
    /// Number of elements in `qpos`.
    #[inline]
    pub const fn nq(self) -> usize {
        match self {
            JointType::Free => 7,
            JointType::Ball => 4,
            JointType::Slide | JointType::Hinge => 1,
        }
    }

    /// Number of degrees of freedom.
    #[inline]
    pub const fn nv(self) -> usize {
        match self {
            JointType::Free => 6,
            JointType::Ball => 3,
            JointType::Slide | JointType::Hinge => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_outside_the_enumeration_are_refused() {
        assert_eq!(JointType::try_from(3), Ok(JointType::Hinge));
        assert_eq!(JointType::try_from(4), Err(NotAMember(4)));
    }

    #[test]
    fn composite_states_are_unions_of_their_bits() {
        let union = |bits: &[StateBit]| bits.iter().fold(0, |s, &b| s | b as i32);
        use StateBit::*;
        assert_eq!(Physics as i32, union(&[Qpos, Qvel, Act, History]));
        assert_eq!(FullPhysics as i32, union(&[Time, Physics, Plugin]));
        let user = [Ctrl, QfrcApplied, XfrcApplied, EqActive, MocapPos, MocapQuat, UserData];
        assert_eq!(User as i32, union(&user));
        assert_eq!(Integration as i32, union(&[FullPhysics, User, Warmstart]));
    }
}
