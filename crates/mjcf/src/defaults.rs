//! Applies defaults: a class starts as a copy of its parent, and what an element does not say
//! comes from its class.
//!
//! The copy is made when the class begins, as in MuJoCo: what a later block says about the parent
//! does not reach the class any more.

use std::collections::BTreeMap;

use ferrodyn_model::TextureRole;

use crate::actuator::ActuatorValues;
use crate::error::{DiagnosticKind, Problem, Sink};
use crate::schema::{
    Attributes, CameraAttrs, EqualityAttrs, GeomAttrs, JointAttrs, LightAttrs, MaterialAttrs,
    MeshAttrs, PairAttrs, SensorAttrs, SiteAttrs, TendonAttrs,
};
use crate::spec::{
    ActuatorSpec, DefaultAttrs, DefaultBlock, MAIN_CLASS, MaterialSpec, Spec, TextureLayer,
};

/// Everything that one class says, its ancestors included.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ClassDefaults {
    /// Defaults of meshes.
    pub mesh: MeshAttrs,
    /// Defaults of materials, textures aside.
    pub material: MaterialAttrs,
    /// Default textures of materials, one for each role that has one.
    pub layers: Vec<TextureLayer>,
    /// Defaults of joints.
    pub joint: JointAttrs,
    /// Defaults of geoms.
    pub geom: GeomAttrs,
    /// Defaults of sites.
    pub site: SiteAttrs,
    /// Defaults of cameras.
    pub camera: CameraAttrs,
    /// Defaults of lights.
    pub light: LightAttrs,
    /// Defaults of contact pairs.
    pub pair: PairAttrs,
    /// Defaults of equality constraints.
    pub equality: EqualityAttrs,
    /// Defaults of tendons.
    pub tendon: TendonAttrs,
    /// Parameters that actuators start from.
    pub actuator: ActuatorValues,
    /// Defaults of sensors.
    pub sensor: SensorAttrs,
}

impl ClassDefaults {
    /// Lays one element of a default block over what the class says so far.
    fn apply(&mut self, attrs: &DefaultAttrs) -> Result<(), String> {
        match attrs {
            DefaultAttrs::Mesh(a) => self.mesh = a.over(&self.mesh),
            DefaultAttrs::Material(m) => {
                self.layers = layers_over(m, &self.layers);
                self.material = m.attr.over(&self.material);
            }
            DefaultAttrs::Joint(a) => self.joint = a.over(&self.joint),
            DefaultAttrs::Geom(a) => self.geom = a.over(&self.geom),
            DefaultAttrs::Site(a) => self.site = a.over(&self.site),
            DefaultAttrs::Camera(a) => self.camera = a.over(&self.camera),
            DefaultAttrs::Light(a) => self.light = a.over(&self.light),
            DefaultAttrs::Pair(a) => self.pair = a.over(&self.pair),
            DefaultAttrs::Equality(a) => self.equality = a.over(&self.equality),
            DefaultAttrs::Tendon(a) => self.tendon = a.over(&self.tendon),
            DefaultAttrs::Actuator(kind, a) => self.actuator.apply(*kind, a)?,
            DefaultAttrs::Sensor(a) => self.sensor = a.over(&self.sensor),
        }
        Ok(())
    }
}

/// The textures of a material: its own, and those of a default for the other roles.
fn layers_over(material: &MaterialSpec, default: &[TextureLayer]) -> Vec<TextureLayer> {
    let color = (material.attr.texture.as_ref())
        .map(|t| TextureLayer { role: TextureRole::Rgb, texture: t.clone() });
    let mut layers = default.to_vec();
    for layer in color.iter().chain(&material.layers) {
        layers.retain(|l| l.role != layer.role);
        layers.push(layer.clone());
    }
    layers
}

/// The classes of a model, resolved.
#[derive(Clone, Debug, Default)]
pub struct DefaultResolver {
    classes: BTreeMap<String, ClassDefaults>,
}

impl DefaultResolver {
    /// Resolves the classes of a specification that was read without errors.
    pub fn new(spec: &Spec) -> Self {
        Self::build(&spec.defaults, &mut Sink::default())
    }

    /// Plays the blocks back in order; what cannot be applied is reported.
    pub(crate) fn build(blocks: &[DefaultBlock], sink: &mut Sink) -> Self {
        let main = (String::from(MAIN_CLASS), ClassDefaults::default());
        let mut classes = BTreeMap::from([main]);
        for block in blocks {
            let mut class = match &block.parent {
                None => classes.get(MAIN_CLASS).cloned(),
                Some(parent) => classes.get(parent).cloned(),
            }
            .unwrap_or_default();
            for element in &block.elements {
                if let Err(message) = class.apply(&element.attr) {
                    sink.error(
                        Problem::new(DiagnosticKind::Conflict, message)
                            .at(element.span)
                            .element("default"),
                    );
                }
            }
            classes.insert(block.class.clone(), class);
        }
        Self { classes }
    }

    /// What a class says; the main class stands in for a class that does not exist.
    pub fn get_defaults(&self, class: &str) -> &ClassDefaults {
        static NONE: std::sync::LazyLock<ClassDefaults> =
            std::sync::LazyLock::new(ClassDefaults::default);
        self.classes.get(class).or_else(|| self.classes.get(MAIN_CLASS)).unwrap_or(&NONE)
    }

    /// The attributes of a joint over those of its class.
    pub fn apply_to_joint(&self, class: &str, attrs: &JointAttrs) -> JointAttrs {
        attrs.over(&self.get_defaults(class).joint)
    }

    /// The attributes of a geom over those of its class.
    pub fn apply_to_geom(&self, class: &str, attrs: &GeomAttrs) -> GeomAttrs {
        attrs.over(&self.get_defaults(class).geom)
    }

    /// The attributes of a site over those of its class.
    pub fn apply_to_site(&self, class: &str, attrs: &SiteAttrs) -> SiteAttrs {
        attrs.over(&self.get_defaults(class).site)
    }

    /// The attributes of a camera over those of its class. User data has no default.
    pub fn apply_to_camera(&self, class: &str, attrs: &CameraAttrs) -> CameraAttrs {
        CameraAttrs { user: attrs.user.clone(), ..attrs.over(&self.get_defaults(class).camera) }
    }

    /// The attributes of a mesh over those of its class.
    pub fn apply_to_mesh(&self, class: &str, attrs: &MeshAttrs) -> MeshAttrs {
        attrs.over(&self.get_defaults(class).mesh)
    }

    /// The attributes and textures of a material over those of its class.
    pub fn apply_to_material(&self, class: &str, material: &MaterialSpec) -> MaterialSpec {
        let class = self.get_defaults(class);
        let layers = layers_over(material, &class.layers);
        MaterialSpec { attr: material.attr.over(&class.material), layers }
    }

    /// The attributes of a contact pair over those of its class.
    pub fn apply_to_pair(&self, class: &str, attrs: &PairAttrs) -> PairAttrs {
        attrs.over(&self.get_defaults(class).pair)
    }

    /// The attributes of an equality constraint over those of its class.
    pub fn apply_to_equality(&self, class: &str, attrs: &EqualityAttrs) -> EqualityAttrs {
        attrs.over(&self.get_defaults(class).equality)
    }

    /// The attributes of a tendon over those of its class.
    pub fn apply_to_tendon(&self, class: &str, attrs: &TendonAttrs) -> TendonAttrs {
        attrs.over(&self.get_defaults(class).tendon)
    }

    /// The parameters of an actuator, which start from those of its class.
    pub fn apply_to_actuator(
        &self,
        class: &str,
        actuator: &ActuatorSpec,
    ) -> Result<ActuatorValues, String> {
        let mut values = self.get_defaults(class).actuator.clone();
        values.apply(actuator.kind, &actuator.attr)?;
        Ok(values)
    }

    /// The attributes of a sensor over those of its class.
    pub fn apply_to_sensor(&self, class: &str, attrs: &SensorAttrs) -> SensorAttrs {
        attrs.over(&self.get_defaults(class).sensor)
    }

    /// The attributes of a light over those of its class.
    pub fn apply_to_light(&self, class: &str, attrs: &LightAttrs) -> LightAttrs {
        attrs.over(&self.get_defaults(class).light)
    }
}

/// The classes in effect in every body and frame.
#[derive(Clone, Debug)]
pub(crate) struct Scopes<'a> {
    bodies: Vec<&'a str>,
    frames: Vec<&'a str>,
}

impl<'a> Scopes<'a> {
    pub(crate) fn new(spec: &'a Spec) -> Self {
        let mut frames_of_body = vec![Vec::new(); spec.bodies.len()];
        for (i, frame) in spec.frames.iter().enumerate() {
            frames_of_body[frame.body].push(i);
        }
        let mut scopes = Self {
            bodies: vec![MAIN_CLASS; spec.bodies.len()],
            frames: vec![MAIN_CLASS; spec.frames.len()],
        };
        for (i, body) in spec.bodies.iter().enumerate() {
            scopes.bodies[i] = match &body.childclass {
                Some(class) => class,
                None if i == 0 => MAIN_CLASS,
                None => scopes.around(body.parent, body.frame),
            };
            for &f in &frames_of_body[i] {
                let frame = &spec.frames[f];
                scopes.frames[f] = match &frame.childclass {
                    Some(class) => class,
                    None => scopes.around(i, frame.parent),
                };
            }
        }
        scopes
    }

    /// The class in effect for what lies in a body, or in a frame of it.
    pub(crate) fn around(&self, body: usize, frame: Option<usize>) -> &'a str {
        frame.map_or(self.bodies[body], |f| self.frames[f])
    }
}

#[cfg(test)]
mod tests {
    use super::{DefaultResolver, Scopes};
    use crate::{LoadOptions, Spec};

    fn spec(defaults: &str, world: &str) -> Spec {
        let text = format!("<mujoco>{defaults}<worldbody>{world}</worldbody></mujoco>");
        Spec::from_xml_str(&text, &LoadOptions::default()).unwrap()
    }

    #[test]
    fn a_class_inherits_from_its_parent_and_the_main_class() {
        let spec = spec(
            r#"<default><geom density="1" group="1"/>
                 <default class="a"><geom density="2" size=".1 .2"/>
                   <default class="b"><geom size=".5"/></default></default></default>"#,
            "",
        );
        let resolver = DefaultResolver::new(&spec);
        let geom = &resolver.get_defaults("b").geom;
        assert_eq!(geom.group, Some(1));
        assert_eq!(geom.density, Some(2.0));
        assert_eq!(geom.size.unwrap().or([0.0; 3]), [0.5, 0.2, 0.0]);
        assert_eq!(resolver.get_defaults("main").geom.density, Some(1.0));
    }

    #[test]
    fn a_later_block_of_the_parent_does_not_reach_an_earlier_class() {
        let spec = spec(
            r#"<default><default class="a"/></default><default><geom group="3"/></default>"#,
            "",
        );
        let resolver = DefaultResolver::new(&spec);
        assert_eq!(resolver.get_defaults("a").geom.group, None);
        assert_eq!(resolver.get_defaults("main").geom.group, Some(3));
    }

    #[test]
    fn an_explicit_value_equal_to_the_built_in_one_overrides_the_class() {
        let spec = spec(
            r#"<default><geom condim="6"/></default>"#,
            r#"<geom size="1" condim="3"/><geom size="1"/>"#,
        );
        let resolver = DefaultResolver::new(&spec);
        let condim = |i: usize| resolver.apply_to_geom("main", &spec.geoms[i].attr).condim;
        assert_eq!((condim(0), condim(1)), (Some(3), Some(6)));
    }

    #[test]
    fn another_form_of_orientation_replaces_that_of_the_class() {
        let spec = spec(
            r#"<default><geom euler="1 2 3"/></default>"#,
            r#"<geom size="1" zaxis="1 0 0"/>"#,
        );
        let resolver = DefaultResolver::new(&spec);
        let geom = resolver.apply_to_geom("main", &spec.geoms[0].attr);
        assert_eq!(geom.alt, Some(crate::Orientation::ZAxis([1.0, 0.0, 0.0])));
    }

    #[test]
    fn the_innermost_childclass_is_in_effect() {
        let spec = spec(
            r#"<default><default class="a"/><default class="b"/></default>"#,
            r#"<body childclass="a"><body><frame childclass="b"><body/><frame/></frame></body></body><body/>"#,
        );
        let scopes = Scopes::new(&spec);
        let bodies: Vec<&str> = (0..5).map(|i| scopes.around(i, None)).collect();
        assert_eq!(bodies, ["main", "a", "a", "b", "main"]);
        assert_eq!(scopes.around(2, Some(1)), "b");
    }

    #[test]
    fn every_actuator_element_writes_the_same_default() {
        let spec = spec(r#"<default><motor gear="3"/><position kp="7"/></default>"#, "");
        let actuator = DefaultResolver::new(&spec).get_defaults("main").actuator.clone();
        assert_eq!(actuator.gear[0], 3.0);
        assert_eq!(actuator.gainprm[0], 7.0);
        assert_eq!(actuator.biasprm[1], -7.0);
    }
}
