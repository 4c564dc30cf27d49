//! Compiles tendons.

use ferrodyn_math::Real;
use ferrodyn_model::{GeomType, Model, ObjType, WrapType};

use super::fill::{index as to_index, reals};
use super::index::{Index, Wanted};
use super::objects::Geom;
use super::settings::Settings;
use super::tree::{is_limited, problem, undecided};
use crate::defaults::DefaultResolver;
use crate::error::Sink;
use crate::schema::{At, Attributes, TendonAttrs};
use crate::spec::{Object, Spec, TendonSpec, Wrap, WrapSpec};

/// A part of a compiled path.
#[derive(Clone, Copy, Debug)]
pub(super) struct PathPart {
    pub(super) kind: WrapType,
    pub(super) object: Option<usize>,
    parameter: f64,
}

/// A compiled tendon.
#[derive(Clone, Debug)]
pub(super) struct Tendon {
    pub(super) path: Vec<PathPart>,
    pub(super) limited: bool,
    actfrclimited: bool,
    pub(super) range: [f64; 2],
    pub(super) attr: TendonAttrs,
    pub(super) material: Option<usize>,
}

/// What tendons refer to.
pub(super) struct TendonCompiler<'a> {
    pub(super) spec: &'a Spec,
    pub(super) settings: &'a [Settings],
    pub(super) defaults: &'a DefaultResolver,
    pub(super) index: &'a Index<'a>,
    pub(super) geoms: &'a [Geom],
    pub(super) nuser: usize,
    pub(super) sink: &'a mut Sink,
}

impl TendonCompiler<'_> {
    /// Compiles all tendons; what cannot be compiled is reported.
    pub(super) fn run(mut self) -> Vec<Tendon> {
        let spec = self.spec;
        spec.tendons.iter().map(|object| self.tendon(object)).collect()
    }

    fn tendon(&mut self, object: &Object<TendonSpec>) -> Tendon {
        let attr = self.defaults.apply_to_tendon(object.class_name(), &object.attr.attr);
        let settings = &self.settings[object.origin];
        let path: Vec<PathPart> =
            object.attr.path.iter().filter_map(|wrap| self.part(object, wrap)).collect();
        let mut problems: Vec<String> = Vec::new();
        let mut report = |message: &str| problems.push(message.to_owned());

        if attr.user.as_ref().is_some_and(|u| u.len() > self.nuser) {
            report("'user' has more numbers than <size> allows");
        }
        let range = attr.or_default().range();
        let limited = is_limited(attr.or_default().limited(), &range);
        if undecided(settings, attr.or_default().limited(), &range) {
            report("'range' without 'limited' needs the compiler's autolimits");
        }
        if limited && range[0] >= range[1] {
            report("the first number of 'range' must be smaller than the second");
        }
        let force = attr.or_default().actuatorfrcrange();
        // unlike others, this limit is off where nothing is said
        let actfrclimited = is_limited(attr.or_default().actuatorfrclimited(), &force);
        if undecided(settings, attr.or_default().actuatorfrclimited(), &force) {
            report(
                "'actuatorfrcrange' without 'actuatorfrclimited' needs the compiler's autolimits",
            );
        }
        if actfrclimited && (force[0] >= force[1] || force[0] > 0.0 || force[1] < 0.0) {
            report("'actuatorfrcrange' must hold zero, its first number smaller than its second");
        }
        let rest = springlength(&attr);
        if rest[0] > rest[1] {
            report("the first number of 'springlength' must not be larger than the second");
        }
        if path.len() == object.attr.path.len() {
            self.check_path(object, &attr, &path, &mut problems);
        }
        for message in problems {
            self.sink.error(problem("tendon", &object.name, object.span, &message));
        }
        let material = self.material(object, &attr);
        Tendon { path, limited, actfrclimited, range, attr, material }
    }

    fn material(&mut self, object: &Object<TendonSpec>, attr: &TendonAttrs) -> Option<usize> {
        let name = attr.material.as_deref().filter(|n| !n.is_empty())?;
        let wanted = Wanted::by(object, "tendon", "material", ObjType::Material, Some(name));
        self.index.expect(&wanted, self.sink)
    }

    /// Resolves one part of a path.
    fn part(&mut self, object: &Object<TendonSpec>, wrap: &WrapSpec) -> Option<PathPart> {
        let index = self.index;
        let mut find = |kind, attribute, name: &str| {
            let wanted = Wanted {
                kind,
                name,
                element: "tendon",
                owner: &object.name,
                span: wrap.span,
                attribute,
            };
            index.expect(&wanted, self.sink)
        };
        match &wrap.part {
            Wrap::Joint { joint, coef } => {
                let object = find(ObjType::Joint, "joint", joint)?;
                Some(PathPart { kind: WrapType::Joint, object: Some(object), parameter: *coef })
            }
            Wrap::Site { site } => {
                let object = find(ObjType::Site, "site", site)?;
                Some(PathPart { kind: WrapType::Site, object: Some(object), parameter: 0.0 })
            }
            Wrap::Pulley { divisor } => {
                if *divisor < 0.0 {
                    let message = "the divisor of a pulley cannot be negative";
                    self.sink.error(problem("pulley", &object.name, wrap.span, message));
                }
                Some(PathPart { kind: WrapType::Pulley, object: None, parameter: *divisor })
            }
            Wrap::Geom { geom, sidesite } => {
                let id = find(ObjType::Geom, "geom", geom)?;
                let side = match sidesite.as_str() {
                    "" => None,
                    name => Some(find(ObjType::Site, "sidesite", name)?),
                };
                let kind = match self.geoms[id].kind {
                    GeomType::Sphere => WrapType::Sphere,
                    GeomType::Cylinder => WrapType::Cylinder,
                    _ => {
                        let message = "a tendon wraps only around spheres and cylinders";
                        self.sink.error(problem("geom", &object.name, wrap.span, message));
                        return None;
                    }
                };
                let parameter = side.map_or(-1.0, |s| s as f64);
                Some(PathPart { kind, object: Some(id), parameter })
            }
        }
    }

    fn check_path(
        &self,
        object: &Object<TendonSpec>,
        attr: &TendonAttrs,
        path: &[PathPart],
        problems: &mut Vec<String>,
    ) {
        let Some(first) = path.first() else {
            problems.push(String::from("the path is empty"));
            return;
        };
        if first.kind == WrapType::Joint {
            if path.iter().any(|p| p.kind != WrapType::Joint) {
                problems.push(String::from("a fixed tendon has only joints in its path"));
            }
            return;
        }
        if path.len() < 2 {
            problems.push(String::from("a spatial path needs at least two parts"));
        }
        if attr.or_default().width() <= 0.0 {
            problems.push(String::from("'width' must be positive"));
        }
        let armature = attr.or_default().armature();
        if armature < 0.0 {
            problems.push(String::from("'armature' cannot be negative"));
        }
        for (i, part) in path.iter().enumerate() {
            let before = i.checked_sub(1).map(|k| path[k]);
            let after = path.get(i + 1).copied();
            let is = |p: Option<PathPart>, kind| p.is_some_and(|p| p.kind == kind);
            let ends = |p: Option<PathPart>| p.is_none_or(|p| p.kind == WrapType::Pulley);
            let line = object.attr.path.get(i).map_or(0, |w| w.span.line);
            let mut report = |message: &str| {
                problems.push(format!("{message} (part {} of the path, line {line})", i + 1));
            };
            match part.kind {
                WrapType::Pulley => {
                    if is(before, WrapType::Pulley) {
                        report("two pulleys follow each other");
                    }
                    if after.is_none() {
                        report("the path ends with a pulley");
                    }
                }
                WrapType::Site => {
                    if ends(before) && ends(after) {
                        report("the site has no neighbour other than pulleys");
                    }
                    if is(after, WrapType::Site) && after.is_some_and(|p| p.object == part.object) {
                        report("the site is repeated");
                    }
                }
                WrapType::Sphere | WrapType::Cylinder => {
                    if !is(before, WrapType::Site) || !is(after, WrapType::Site) {
                        report("a geom must lie between two sites");
                    }
                    if armature > 0.0 {
                        report("a tendon with 'armature' cannot wrap around geoms");
                    }
                }
                _ => report("a spatial tendon has no joints in its path"),
            }
        }
    }
}

/// The interval of lengths in which the spring is relaxed; -1 is the length at rest.
fn springlength(attr: &TendonAttrs) -> [f64; 2] {
    let [low, high] = attr.or_default().springlength();
    // one number is both ends
    if attr.springlength.is_some_and(|given| given.count() == 1) { [low; 2] } else { [low, high] }
}

/// Fills the arrays of tendons and their paths.
pub(super) fn fill(m: &mut Model, tendons: &[Tendon]) {
    let mut address = 0;
    for (i, tendon) in tendons.iter().enumerate() {
        tendon.attr.fill(m, At::Object(i));
        m.tendon_adr[i] = address as i32;
        m.tendon_num[i] = tendon.path.len() as i32;
        m.tendon_matid[i] = to_index(tendon.material);
        m.tendon_limited[i] = u8::from(tendon.limited);
        m.tendon_actfrclimited[i] = u8::from(tendon.actfrclimited);
        m.tendon_lengthspring[i] = reals(&springlength(&tendon.attr));
        for part in &tendon.path {
            m.wrap_type[address] = part.kind as i32;
            m.wrap_objid[address] = to_index(part.object);
            m.wrap_prm[address] = part.parameter as Real;
            address += 1;
        }
    }
}
