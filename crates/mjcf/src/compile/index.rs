//! Finds the objects of a model by name.

use std::collections::{BTreeMap, HashMap};

use ferrodyn_model::ObjType;

use super::asset::AssetNames;
use super::resolve::Elements;
use super::tree::problem;
use crate::error::{DiagnosticKind, Sink, Span};
use crate::spec::{Object, Spec};

/// The numbers of all named objects, by type.
#[derive(Clone, Debug, Default)]
pub(super) struct Index<'a> {
    types: BTreeMap<ObjType, HashMap<&'a str, usize>>,
}

impl<'a> Index<'a> {
    /// Numbers everything in the order of the model; a name that is taken twice is reported.
    pub(super) fn new(
        spec: &'a Spec,
        elements: &Elements<'a>,
        assets: &'a AssetNames,
        sink: &mut Sink,
    ) -> Self {
        let mut index = Self::default();
        let mut add =
            |kind: ObjType, element: &str, names: &mut dyn Iterator<Item = (&'a str, Span)>| {
                let map = index.types.entry(kind).or_default();
                for (i, (name, span)) in names.enumerate() {
                    if !name.is_empty() && map.insert(name, i).is_some() {
                        let message = format!("another {element} has this name");
                        let mut problem = problem(element, name, span, &message);
                        problem.kind = DiagnosticKind::DuplicateName;
                        sink.error(problem);
                    }
                }
            };
        add(ObjType::Body, "body", &mut spec.bodies.iter().map(|b| (b.name.as_str(), b.span)));
        macro_rules! tree {
            ($($kind:ident $element:literal $list:ident)*) => {
                $(add(ObjType::$kind, $element, &mut elements.$list.items.iter().map(|e| (e.name, e.span)));)*
            };
        }
        tree! { Joint "joint" joints Geom "geom" geoms Site "site" sites
        Camera "camera" cameras Light "light" lights }
        macro_rules! assets {
            ($($kind:ident $element:literal $list:ident)*) => {$(
                let named = assets.$list.iter().zip(&spec.$list).map(|(n, o)| (n.as_str(), o.span));
                add(ObjType::$kind, $element, &mut { named });
            )*};
        }
        assets! { Mesh "mesh" meshes Skin "skin" skins Hfield "hfield" hfields
        Texture "texture" textures Material "material" materials }
        fn named<A>(list: &[Object<A>]) -> impl Iterator<Item = (&str, Span)> {
            list.iter().map(|o| (o.name.as_str(), o.span))
        }
        add(ObjType::Flex, "flex", &mut named(&spec.flexes));
        add(ObjType::Pair, "pair", &mut named(&spec.pairs));
        add(ObjType::Exclude, "exclude", &mut named(&spec.excludes));
        add(ObjType::Equality, "equality", &mut named(&spec.equalities));
        add(ObjType::Tendon, "tendon", &mut named(&spec.tendons));
        add(ObjType::Actuator, "actuator", &mut named(&spec.actuators));
        add(ObjType::Sensor, "sensor", &mut named(&spec.sensors));
        add(ObjType::Numeric, "numeric", &mut named(&spec.numerics));
        add(ObjType::Text, "text", &mut named(&spec.texts));
        add(ObjType::Tuple, "tuple", &mut named(&spec.tuples));
        add(ObjType::Key, "key", &mut named(&spec.keys));
        add(ObjType::Plugin, "plugin", &mut named(&spec.instances));
        index
    }

    /// The number of an object; nothing is found under an empty name.
    pub(super) fn find(&self, kind: ObjType, name: &str) -> Option<usize> {
        let kind = if kind == ObjType::XBody { ObjType::Body } else { kind };
        self.types.get(&kind)?.get(name).copied()
    }

    /// Gives objects of one type new numbers; those without one cannot be found any more.
    pub(super) fn renumber(&mut self, kind: ObjType, numbers: &[Option<usize>]) {
        if let Some(map) = self.types.get_mut(&kind) {
            map.retain(|_, id| match numbers.get(*id).copied().flatten() {
                Some(new) => {
                    *id = new;
                    true
                }
                None => false,
            });
        }
    }

    /// Forgets all objects of one type.
    pub(super) fn clear(&mut self, kind: ObjType) {
        self.types.remove(&kind);
    }

    /// The number of an object that an attribute names; a name that is not found is reported.
    pub(super) fn expect(&self, wanted: &Wanted<'_>, sink: &mut Sink) -> Option<usize> {
        let found = self.find(wanted.kind, wanted.name);
        if found.is_none() {
            let what = object_word(wanted.kind);
            let kind = if wanted.kind == ObjType::XBody { ObjType::Body } else { wanted.kind };
            let known = self.types.get(&kind).into_iter().flat_map(|m| m.keys().copied());
            let mut problem = problem(
                wanted.element,
                wanted.owner,
                wanted.span,
                &format!("no {what} has this name"),
            )
            .attribute(wanted.attribute)
            .value(wanted.name);
            problem.kind = DiagnosticKind::Reference;
            sink.error(problem.suggest(wanted.name, known));
        }
        found
    }
}

/// A reference from one object to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted<'a> {
    /// Type of the object that is looked for.
    pub(super) kind: ObjType,
    /// Its name.
    pub(super) name: &'a str,
    /// The element that refers to it, with its name and place.
    pub(super) element: &'a str,
    pub(super) owner: &'a str,
    pub(super) span: Span,
    /// The attribute that holds the name.
    pub(super) attribute: &'a str,
}

impl<'a> Wanted<'a> {
    /// What an attribute of an object names; an attribute that is not given names nothing.
    pub(super) fn by<A>(
        object: &'a Object<A>,
        element: &'a str,
        attribute: &'a str,
        kind: ObjType,
        name: Option<&'a str>,
    ) -> Self {
        let (owner, span) = (object.name.as_str(), object.span);
        Self { kind, name: name.unwrap_or(""), element, owner, span, attribute }
    }
}

/// The new number of each of `total` objects, of which some are left in a new order.
pub(super) fn new_numbers(order: &[usize], total: usize) -> Vec<Option<usize>> {
    let mut numbers = vec![None; total];
    for (new, &old) in order.iter().enumerate() {
        numbers[old] = Some(new);
    }
    numbers
}

/// The word for a type of object in messages.
pub(super) fn object_word(kind: ObjType) -> &'static str {
    match kind {
        ObjType::Body | ObjType::XBody => "body",
        ObjType::Joint => "joint",
        ObjType::Geom => "geom",
        ObjType::Site => "site",
        ObjType::Camera => "camera",
        ObjType::Light => "light",
        ObjType::Flex => "flex",
        ObjType::Mesh => "mesh",
        ObjType::Skin => "skin",
        ObjType::Hfield => "height field",
        ObjType::Texture => "texture",
        ObjType::Material => "material",
        ObjType::Tendon => "tendon",
        ObjType::Actuator => "actuator",
        ObjType::Sensor => "sensor",
        ObjType::Plugin => "plugin instance",
        _ => "object",
    }
}
