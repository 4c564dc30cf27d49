//! The specification of a model: what the text says, element by element, with positions.

use std::path::Path;

use ferrodyn_model::{EqualityType, SensorType, TextureRole};

use crate::attach::{PendingKey, SavedState};
use crate::defaults::DefaultResolver;
use crate::error::{Diagnostic, DiagnosticKind, MjcfError, Sink, Span};
use crate::options::LoadOptions;
use crate::parse;
use crate::schema::{
    ActuatorAttrs, ActuatorKind, BodyAttrs, CameraAttrs, CompilerAttrs, ElementAttrs,
    EqualityAttrs, ExcludeAttrs, FlagAttrs, FlexAttrs, FlexContactAttrs, FlexEdgeAttrs,
    FlexElasticityAttrs, FlexcompAttrs, FrameAttrs, FreeJointAttrs, GeomAttrs, HfieldAttrs,
    InertialAttrs, JointAttrs, KeyAttrs, LengthRangeAttrs, LightAttrs, MaterialAttrs, MeshAttrs,
    NumericAttrs, OptionAttrs, PairAttrs, PinAttrs, SensorAttrs, SiteAttrs, SizeAttrs, SkinAttrs,
    StatisticAttrs, TendonAttrs, TextAttrs, TextureAttrs, VisualGlobalAttrs, VisualHeadlightAttrs,
    VisualMapAttrs, VisualQualityAttrs, VisualRgbaAttrs, VisualScaleAttrs,
};
use crate::xml::{Source, read_document};

/// The name of the default class that all others descend from.
pub const MAIN_CLASS: &str = "main";

/// A model as its text describes it: attributes as written, defaults not yet applied.
///
/// Elements of one type lie in one list, in the order of the text, and refer to their body and
/// frame by index. `bodies[0]` is the world.
///
/// A model can also be made and changed in place: see [`Spec::new`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Spec {
    /// Name of the model, if it has one.
    pub model_name: Option<String>,
    /// Settings of the compiler.
    pub compiler: CompilerAttrs,
    /// Settings of the computation of actuator length ranges.
    pub lengthrange: LengthRangeAttrs,
    /// Physics options.
    pub option: OptionAttrs,
    /// Physics switches.
    pub flags: FlagAttrs,
    /// Sizes.
    pub size: SizeAttrs,
    /// Statistics that replace computed ones.
    pub statistic: StatisticAttrs,
    /// Settings of the visualizer.
    pub visual: VisualSpec,
    /// Default blocks, in the order in which they take effect.
    pub defaults: Vec<DefaultBlock>,
    /// Bodies, parents before children, in the order of the text; the first is the world.
    pub bodies: Vec<BodySpec>,
    /// Frames, outer before inner.
    pub frames: Vec<FrameSpec>,
    /// Joints.
    pub joints: Vec<Element<JointSpec>>,
    /// Geoms.
    pub geoms: Vec<Element<GeomAttrs>>,
    /// Sites.
    pub sites: Vec<Element<SiteAttrs>>,
    /// Cameras.
    pub cameras: Vec<Element<CameraAttrs>>,
    /// Lights.
    pub lights: Vec<Element<LightAttrs>>,
    /// Meshes.
    pub meshes: Vec<Object<MeshAttrs>>,
    /// Skins.
    pub skins: Vec<Object<SkinSpec>>,
    /// Height fields.
    pub hfields: Vec<Object<HfieldAttrs>>,
    /// Textures.
    pub textures: Vec<Object<TextureAttrs>>,
    /// Materials.
    pub materials: Vec<Object<MaterialSpec>>,
    /// Deformable objects.
    pub flexes: Vec<Object<FlexSpec>>,
    /// Deformable bodies with a solver of their own.
    pub softs: Vec<Object<SoftSpec>>,
    /// Contact pairs.
    pub pairs: Vec<Object<PairAttrs>>,
    /// Pairs of bodies that do not collide.
    pub excludes: Vec<Object<ExcludeAttrs>>,
    /// Equality constraints.
    pub equalities: Vec<Object<EqualitySpec>>,
    /// Tendons.
    pub tendons: Vec<Object<TendonSpec>>,
    /// Actuators.
    pub actuators: Vec<Object<ActuatorSpec>>,
    /// Sensors.
    pub sensors: Vec<Object<SensorSpec>>,
    /// Names of the plugins that the model declares.
    pub plugins: Vec<String>,
    /// Instances of plugins that have a name of their own.
    pub instances: Vec<Object<PluginInstance>>,
    /// Custom numbers.
    pub numerics: Vec<Object<NumericAttrs>>,
    /// Custom texts.
    pub texts: Vec<Object<TextAttrs>>,
    /// Custom tuples.
    pub tuples: Vec<Object<Vec<TupleElement>>>,
    /// Keyframes.
    pub keys: Vec<Object<KeyAttrs>>,
    /// Keyframes of attached models.
    pub pending_keys: Vec<PendingKey>,
    /// Names of the files that the model came from; spans refer to them by index.
    pub files: Vec<String>,
    /// What was accepted as MuJoCo accepts it, but is probably a mistake.
    pub warnings: Vec<Diagnostic>,
    /// Directory that the names of files count from, with a separator; empty for text without one.
    pub directory: String,
    /// Settings and directories of the models that were attached; elements refer to them by
    /// [`origin`](Object::origin).
    pub attached: Vec<Origin>,
    /// Where files may lie, which are in memory, and how large the model may be.
    pub options: LoadOptions,
    /// The number of the next element that is added.
    pub(crate) next_uid: u32,
}

/// Where an attached part of a model comes from.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Origin {
    /// Settings of the compiler for that part.
    pub compiler: CompilerAttrs,
    /// Directory that the names of its files count from.
    pub directory: String,
}

/// A named element outside the kinematic tree.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Object<A> {
    /// Name; empty when it has none.
    pub name: String,
    /// Default class that the element names itself.
    pub class: Option<String>,
    /// Where it begins.
    pub span: Span,
    /// Whose settings apply: 0 for those of the model itself, otherwise one more than an index
    /// into [`Spec::attached`].
    pub origin: usize,
    /// Its attributes.
    pub attr: A,
    /// The plugin that takes part in it.
    pub plugin: Option<Box<PluginSpec>>,
    /// What keyframes of an attached model say about it.
    pub saved: Vec<SavedState>,
    /// What handles find it by; 0 where none was given yet.
    pub(crate) uid: u32,
}

impl<A> Object<A> {
    /// The default class in effect.
    pub fn class_name(&self) -> &str {
        self.class.as_deref().unwrap_or(MAIN_CLASS)
    }
}

/// A named element of a body.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Element<A> {
    /// Name; empty when it has none.
    pub name: String,
    /// Default class that the element names itself.
    pub class: Option<String>,
    /// Where it begins.
    pub span: Span,
    /// Index of its body.
    pub body: usize,
    /// Index of the innermost frame around it.
    pub frame: Option<usize>,
    /// Whose settings apply, as in [`Object::origin`].
    pub origin: usize,
    /// Its attributes.
    pub attr: A,
    /// The plugin that takes part in it.
    pub plugin: Option<Box<PluginSpec>>,
    /// What keyframes of an attached model say about it.
    pub saved: Vec<SavedState>,
    /// What handles find it by; 0 where none was given yet.
    pub(crate) uid: u32,
}

/// A joint, by the element that declares it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum JointSpec {
    /// `<joint>`, subject to defaults.
    Joint(Box<JointAttrs>),
    /// `<freejoint>`, never subject to defaults.
    Free(FreeJointAttrs),
}

/// A body.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct BodySpec {
    /// Name; empty when it has none.
    pub name: String,
    /// Default class of what lies in the body.
    pub childclass: Option<String>,
    /// Where it begins.
    pub span: Span,
    /// Index of the parent; the world is its own.
    pub parent: usize,
    /// Index of the innermost frame around it, which belongs to the parent.
    pub frame: Option<usize>,
    /// Its attributes.
    pub attr: BodyAttrs,
    /// Its inertia, where it is stated.
    pub inertial: Option<InertialSpec>,
    /// Whose settings apply, as in [`Object::origin`].
    pub origin: usize,
    /// The plugin that takes part in it.
    pub plugin: Option<Box<PluginSpec>>,
    /// What keyframes of an attached model say about it.
    pub saved: Vec<SavedState>,
    /// What handles find it by; 0 where none was given yet.
    pub(crate) uid: u32,
}

/// A material with its texture layers.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct MaterialSpec {
    /// Attributes of the element.
    pub attr: MaterialAttrs,
    /// Texture layers.
    pub layers: Vec<TextureLayer>,
}

/// A deformable object.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct FlexSpec {
    /// Attributes of the element.
    pub attr: FlexAttrs,
    /// How it collides.
    pub contact: FlexContactAttrs,
    /// Springs and dampers of its edges.
    pub edge: FlexEdgeAttrs,
    /// Its elasticity.
    pub elasticity: FlexElasticityAttrs,
}

/// A deformable body with a solver of its own, from a `<flexcomp>`: its points and elements are listed, in the frame of a body.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct SoftSpec {
    /// Name of the body.
    pub body: String,
    /// Attributes of the element.
    pub attr: FlexcompAttrs,
    /// How it collides.
    pub contact: FlexContactAttrs,
    /// Its elasticity.
    pub elasticity: FlexElasticityAttrs,
    /// The points that belong to the body.
    pub pin: PinAttrs,
}

/// A skin.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct SkinSpec {
    /// Attributes of the element, and its bones.
    pub attr: SkinAttrs,
    /// Where the bones begin.
    pub bones: Vec<Span>,
}

/// An equality constraint.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct EqualitySpec {
    /// What is held equal.
    pub kind: EqualityType,
    /// Attributes of the element.
    pub attr: EqualityAttrs,
}

/// A tendon.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct TendonSpec {
    /// Whether the element is `<spatial>`; otherwise it is `<fixed>`.
    pub spatial: bool,
    /// Attributes of the element.
    pub attr: TendonAttrs,
    /// The path, in order.
    pub path: Vec<WrapSpec>,
}

/// One part of the path of a tendon.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct WrapSpec {
    /// Where it begins.
    pub span: Span,
    /// What it is.
    pub part: Wrap,
}

/// A part of the path of a tendon.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Wrap {
    /// A joint with its coefficient.
    Joint {
        /// Name of the joint.
        joint: String,
        /// Factor of the joint's position.
        coef: f64,
    },
    /// A site that the tendon passes through.
    Site {
        /// Name of the site.
        site: String,
    },
    /// A sphere or cylinder that the tendon wraps around.
    Geom {
        /// Name of the geom.
        geom: String,
        /// Name of the site on the side that the tendon prefers; empty for none.
        sidesite: String,
    },
    /// A pulley that divides the length of what follows.
    Pulley {
        /// What the length is divided by.
        divisor: f64,
    },
}

/// An actuator.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ActuatorSpec {
    /// Which element declares it.
    pub kind: ActuatorKind,
    /// Attributes of the element.
    pub attr: ActuatorAttrs,
}

/// A sensor.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SensorSpec {
    /// What it measures.
    pub kind: SensorType,
    /// Attributes of the element.
    pub attr: SensorAttrs,
}

/// A named instance of a plugin.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct PluginInstance {
    /// Name of the plugin.
    pub plugin: String,
    /// Configuration: keys and values.
    pub config: Vec<(String, String)>,
}

/// The plugin that takes part in an element.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct PluginSpec {
    /// Where it is named.
    pub span: Span,
    /// Name of the plugin; empty where only the instance is named.
    pub plugin: String,
    /// Name of an instance; empty where the element has one of its own.
    pub instance: String,
    /// Configuration of an instance of its own: keys and values.
    pub config: Vec<(String, String)>,
}

/// A stated inertia.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct InertialSpec {
    /// Where it begins.
    pub span: Span,
    /// Its attributes.
    pub attr: InertialAttrs,
}

/// A frame: a pose that the compiler applies to what lies in it.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct FrameSpec {
    /// Name; empty when it has none.
    pub name: String,
    /// Default class of what lies in the frame.
    pub childclass: Option<String>,
    /// Where it begins.
    pub span: Span,
    /// Index of its body.
    pub body: usize,
    /// Index of the frame around it.
    pub parent: Option<usize>,
    /// Whose settings apply, as in [`Object::origin`].
    pub origin: usize,
    /// Its attributes.
    pub attr: FrameAttrs,
    /// What handles find it by; 0 where none was given yet.
    pub(crate) uid: u32,
}

/// One `<default>` element without those nested in it.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct DefaultBlock {
    /// Name of the class.
    pub class: String,
    /// Name of the class that it starts from; none for the main class, which continues itself.
    pub parent: Option<String>,
    /// Where it begins.
    pub span: Span,
    /// What it sets, in the order of the text.
    pub elements: Vec<DefaultElement>,
}

/// One element of a default block.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DefaultElement {
    /// Where it begins.
    pub span: Span,
    /// What it sets.
    pub attr: DefaultAttrs,
}

/// What an element of a default block sets.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum DefaultAttrs {
    /// `<mesh>`.
    Mesh(Box<MeshAttrs>),
    /// `<material>` with its texture layers.
    Material(MaterialSpec),
    /// `<joint>`.
    Joint(Box<JointAttrs>),
    /// `<geom>`.
    Geom(Box<GeomAttrs>),
    /// `<site>`.
    Site(Box<SiteAttrs>),
    /// `<camera>`.
    Camera(Box<CameraAttrs>),
    /// `<light>`.
    Light(Box<LightAttrs>),
    /// `<pair>`.
    Pair(Box<PairAttrs>),
    /// `<equality>`.
    Equality(Box<EqualityAttrs>),
    /// `<tendon>`.
    Tendon(Box<TendonAttrs>),
    /// Any of the actuator elements.
    Actuator(ActuatorKind, Box<ActuatorAttrs>),
    /// `<sensor>`, an extension.
    Sensor(Box<SensorAttrs>),
}

/// A texture of a material.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TextureLayer {
    /// What the texture means.
    pub role: TextureRole,
    /// Name of the texture.
    pub texture: String,
}

impl TextureLayer {
    /// A texture with its meaning.
    pub fn new(role: TextureRole, texture: impl Into<String>) -> Self {
        Self { role, texture: texture.into() }
    }
}

/// An object that a tuple refers to.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct TupleElement {
    /// Where it begins.
    pub span: Span,
    /// Its attributes.
    pub attr: ElementAttrs,
}

/// Settings of the visualizer.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct VisualSpec {
    /// Global settings.
    pub global: VisualGlobalAttrs,
    /// Rendering quality.
    pub quality: VisualQualityAttrs,
    /// Headlight.
    pub headlight: VisualHeadlightAttrs,
    /// Mapping of physics to display.
    pub map: VisualMapAttrs,
    /// Sizes of decorations.
    pub scale: VisualScaleAttrs,
    /// Colours of decorations.
    pub rgba: VisualRgbaAttrs,
}

impl Spec {
    /// Reads a model from a file: MJCF, or URDF if its root element is `<robot>`. The file is looked for in
    /// [`LoadOptions::assets`] first, and without the feature `fs` only there.
    pub fn from_xml_path(path: &Path, options: &LoadOptions) -> Result<Self, MjcfError> {
        Self::read(Source::Path(path), options, None)
    }

    /// Reads a model from a text. Files that it includes are looked for in
    /// [`LoadOptions::assets`] and then, where that is allowed, in the working directory.
    pub fn from_xml_str(text: &str, options: &LoadOptions) -> Result<Self, MjcfError> {
        Self::read(Source::Text(text), options, None)
    }

    /// Reads a model, whose root element must be `root` where one is named.
    pub(crate) fn read(
        source: Source<'_>,
        options: &LoadOptions,
        root: Option<&str>,
    ) -> Result<Self, MjcfError> {
        let mut sink = Sink::default();
        let document = read_document(source, options, &mut sink);
        if let (Some(wanted), Some(found)) = (root, document.nodes.first())
            && found.name != wanted
        {
            let message = format!("the model begins with <{wanted}>");
            sink.error(found.problem(DiagnosticKind::UnknownElement, message));
        }
        let mut spec = parse::parse(&document, options, &mut sink);
        let files = document.files;
        DefaultResolver::build(&spec.defaults, &mut sink);
        spec.warnings = sink.finish(&files)?;
        spec.files = files;
        spec.options = options.clone();
        spec.number();
        Ok(spec)
    }

    /// The settings of the compiler that apply to an element with this origin.
    pub fn compiler_of(&self, origin: usize) -> &CompilerAttrs {
        match origin.checked_sub(1) {
            None => &self.compiler,
            Some(i) => &self.attached[i].compiler,
        }
    }

    /// The directory that the files of an element with this origin count from.
    pub fn directory_of(&self, origin: usize) -> &str {
        match origin.checked_sub(1) {
            None => &self.directory,
            Some(i) => &self.attached[i].directory,
        }
    }
}
