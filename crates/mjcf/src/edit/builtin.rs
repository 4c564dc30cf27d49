//! The values that MuJoCo starts from where neither an element nor its class says anything. What
//! has no value yet is not a number, as in MuJoCo.

use ferrodyn_model::defaults::{FRICTION, PAIR_FRICTION, SOLIMP, SOLREF};
use ferrodyn_model::{
    ColorSpace, DataType, GeomType, JointType, LightType, Projection, SleepPolicy, Stage,
    TextureType, TrackingMode,
};

use crate::actuator::ActuatorValues;
use crate::keywords::{
    AngleUnit, CameraOutputs, FluidShape, Interpolation, LengthRangeMode, MeshInertia,
    ShellInertia, TextureBuiltin, TextureMark, Tristate,
};
use crate::schema::*;
use crate::values::EulerSequence;

const QUAT: [f64; 4] = [1.0, 0.0, 0.0, 0.0];
const FROMTO: [f64; 6] = [f64::NAN, 0.0, 0.0, 0.0, 0.0, 0.0];
const GREY: [f32; 4] = [0.5, 0.5, 0.5, 1.0];
const NONE: String = String::new();

pub(super) fn body() -> BodyAttrs {
    BodyAttrs::default()
        .pos([0.0; 3])
        .quat(QUAT)
        .mocap(false)
        .gravcomp(0.0)
        .sleep(SleepPolicy::Auto)
        .user([])
}

pub(super) fn inertial() -> InertialAttrs {
    InertialAttrs::default()
        .pos([f64::NAN, 0.0, 0.0])
        .quat(QUAT)
        .mass(0.0)
        .diaginertia([0.0; 3])
        .fullinertia([f64::NAN, 0.0, 0.0, 0.0, 0.0, 0.0])
}

pub(super) fn frame() -> FrameAttrs {
    FrameAttrs::default().pos([0.0; 3]).quat(QUAT)
}

pub(super) fn joint() -> JointAttrs {
    JointAttrs::default()
        .kind(JointType::Hinge)
        .group(0)
        .pos([0.0; 3])
        .axis([0.0, 0.0, 1.0])
        .springdamper([0.0; 2])
        .limited(Tristate::Auto)
        .actuatorfrclimited(Tristate::Auto)
        .solreflimit(SOLREF)
        .solimplimit(SOLIMP)
        .solreffriction(SOLREF)
        .solimpfriction(SOLIMP)
        .stiffness(0.0)
        .range([0.0; 2])
        .actuatorfrcrange([0.0; 2])
        .actuatorgravcomp(false)
        .margin(0.0)
        .reference(0.0)
        .springref(0.0)
        .armature(0.0)
        .damping(0.0)
        .frictionloss(0.0)
        .user([])
}

pub(super) fn geom() -> GeomAttrs {
    GeomAttrs::default()
        .kind(GeomType::Sphere)
        .pos([0.0; 3])
        .quat(QUAT)
        .fromto(FROMTO)
        .size([0.0; 3])
        .contype(1)
        .conaffinity(1)
        .condim(3)
        .group(0)
        .priority(0)
        .material(NONE)
        .friction(FRICTION)
        .mass(f64::NAN)
        .density(1000.0)
        .shellinertia(ShellInertia::Volume)
        .solmix(1.0)
        .solref(SOLREF)
        .solimp(SOLIMP)
        .margin(0.0)
        .gap(0.0)
        .hfield(NONE)
        .mesh(NONE)
        .fitscale(1.0)
        .rgba(GREY)
        .fluidshape(FluidShape::None)
        .fluidcoef([0.5, 0.25, 1.5, 1.0, 1.0])
        .user([])
}

pub(super) fn site() -> SiteAttrs {
    SiteAttrs::default()
        .kind(GeomType::Sphere)
        .group(0)
        .pos([0.0; 3])
        .quat(QUAT)
        .fromto(FROMTO)
        .size([0.005; 3])
        .material(NONE)
        .rgba(GREY)
        .user([])
}

pub(super) fn camera() -> CameraAttrs {
    CameraAttrs::default()
        .projection(Projection::Perspective)
        .fovy(45.0)
        .ipd(0.068)
        .resolution([1, 1])
        .output(CameraOutputs(1))
        .pos([0.0; 3])
        .quat(QUAT)
        .mode(TrackingMode::Fixed)
        .target(NONE)
        .focal([0.0; 2])
        .focalpixel([0.0; 2])
        .principal([0.0; 2])
        .principalpixel([0.0; 2])
        .sensorsize([0.0; 2])
        .user([])
}

pub(super) fn light() -> LightAttrs {
    LightAttrs::default()
        .kind(LightType::Spot)
        .castshadow(true)
        .active(true)
        .pos([0.0; 3])
        .dir([0.0, 0.0, -1.0])
        .bulbradius(0.02_f32)
        .intensity(0.0_f32)
        .range(10.0_f32)
        .attenuation([1.0, 0.0, 0.0])
        .cutoff(45.0_f32)
        .exponent(10.0_f32)
        .ambient([0.0; 3])
        .diffuse([0.7; 3])
        .specular([0.3; 3])
        .mode(TrackingMode::Fixed)
        .target(NONE)
        .texture(NONE)
}

pub(super) fn mesh() -> MeshAttrs {
    MeshAttrs::default()
        .content_type(NONE)
        .file(NONE)
        .vertex([])
        .normal([])
        .texcoord([])
        .face([])
        .facenormal([])
        .facetexcoord([])
        .needsdf(false)
        .refpos([0.0; 3])
        .refquat(QUAT)
        .scale([1.0; 3])
        .smoothnormal(false)
        .maxhullvert(-1)
        .inertia(MeshInertia::Legacy)
        .material(NONE)
}

pub(super) fn hfield() -> HfieldAttrs {
    HfieldAttrs::default()
        .content_type(NONE)
        .file(NONE)
        .nrow(0)
        .ncol(0)
        .size([0.0; 4])
        .elevation([])
}

pub(super) fn texture() -> TextureAttrs {
    TextureAttrs::default()
        .kind(TextureType::Cube)
        .colorspace(ColorSpace::Auto)
        .content_type(NONE)
        .file(NONE)
        .gridsize([1, 1])
        .gridlayout("............")
        .fileright(NONE)
        .fileleft(NONE)
        .fileup(NONE)
        .filedown(NONE)
        .filefront(NONE)
        .fileback(NONE)
        .builtin(TextureBuiltin::None)
        .rgb1([0.8; 3])
        .rgb2([0.5; 3])
        .mark(TextureMark::None)
        .markrgb([0.0; 3])
        .random(0.01)
        .data([])
        .width(0)
        .height(0)
        .hflip(false)
        .vflip(false)
        .nchannel(3)
}

pub(super) fn material() -> MaterialAttrs {
    MaterialAttrs::default()
        .texture(NONE)
        .emission(0.0_f32)
        .specular(0.5_f32)
        .shininess(0.5_f32)
        .reflectance(0.0_f32)
        .metallic(-1.0_f32)
        .roughness(-1.0_f32)
        .rgba([1.0; 4])
        .texrepeat([1.0; 2])
        .texuniform(false)
}

pub(super) fn pair() -> PairAttrs {
    PairAttrs::default()
        .geom1(NONE)
        .geom2(NONE)
        .condim(3)
        .friction(PAIR_FRICTION)
        .solref(SOLREF)
        .solreffriction([0.0; 2])
        .solimp(SOLIMP)
        .gap(0.0)
        .margin(0.0)
}

pub(super) fn exclude() -> ExcludeAttrs {
    ExcludeAttrs::default().body1(NONE).body2(NONE)
}

pub(super) fn equality() -> EqualityAttrs {
    EqualityAttrs::default().active(true).solref(SOLREF).solimp(SOLIMP)
}

pub(super) fn tendon() -> TendonAttrs {
    TendonAttrs::default()
        .group(0)
        .limited(Tristate::Auto)
        .actuatorfrclimited(Tristate::False)
        .range([0.0; 2])
        .actuatorfrcrange([0.0; 2])
        .solreflimit(SOLREF)
        .solimplimit(SOLIMP)
        .solreffriction(SOLREF)
        .solimpfriction(SOLIMP)
        .frictionloss(0.0)
        .springlength([-1.0, -1.0])
        .width(0.003)
        .material(NONE)
        .margin(0.0)
        .stiffness(0.0)
        .damping(0.0)
        .armature(0.0)
        .rgba(GREY)
        .user([])
}

pub(super) fn actuator() -> ActuatorAttrs {
    ActuatorValues::default().as_general().lengthrange([0.0; 2])
}

pub(super) fn sensor() -> SensorAttrs {
    SensorAttrs::default()
        .dim(0)
        .needstage(Stage::Acc)
        .datatype(DataType::Real)
        .nsample(0)
        .interp(Interpolation::ZeroOrderHold)
        .delay(0.0)
        .interval([0.0; 2])
        .cutoff(0.0)
        .noise(0.0)
        .user([])
}

pub(super) fn numeric() -> NumericAttrs {
    NumericAttrs::default().size(0).data([])
}

pub(super) fn text() -> TextAttrs {
    TextAttrs::default().data(NONE)
}

pub(super) fn key() -> KeyAttrs {
    KeyAttrs::default().time(0.0).qpos([]).qvel([]).act([]).mpos([]).mquat([]).ctrl([])
}

pub(super) fn compiler() -> CompilerAttrs {
    CompilerAttrs::default()
        .autolimits(true)
        .boundmass(0.0)
        .boundinertia(0.0)
        .settotalmass(-1.0)
        .balanceinertia(false)
        .strippath(false)
        .angle(AngleUnit::Degree)
        .fitaabb(false)
        .eulerseq(EulerSequence(*b"xyz"))
        .meshdir(NONE)
        .texturedir(NONE)
        .discardvisual(false)
        .usethread(true)
        .fusestatic(false)
        .inertiafromgeom(Tristate::Auto)
        .inertiagrouprange([0, 5])
        .saveinertial(false)
        .alignfree(false)
}

pub(super) fn lengthrange() -> LengthRangeAttrs {
    LengthRangeAttrs::default()
        .mode(LengthRangeMode::Muscle)
        .useexisting(true)
        .uselimit(false)
        .accel(20.0)
        .maxforce(0.0)
        .timeconst(1.0)
        .timestep(0.01)
        .inttotal(10.0)
        .interval(2.0)
        .tolrange(0.05)
}
