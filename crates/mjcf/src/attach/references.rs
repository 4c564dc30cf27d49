//! Elements that refer to others by name, and how they follow a part that is copied.

use std::collections::BTreeSet;

use ferrodyn_model::{EqualityType, ObjType};

use super::subtree::{Placement, rename_plugin};
use super::{Namespace, Subtree};
use crate::schema::{ActuatorAttrs, EqualityAttrs, ExcludeAttrs, PairAttrs, SensorAttrs};
use crate::spec::{
    ActuatorSpec, DefaultAttrs, EqualitySpec, FlexSpec, MAIN_CLASS, MaterialSpec, Object,
    SensorSpec, SkinSpec, Spec, TendonSpec, TupleElement, Wrap,
};
use crate::values::AttrValue;

/// Which names exist.
#[derive(Clone, Debug, Default)]
pub(crate) struct NameLookup {
    names: BTreeSet<(ObjType, String)>,
}

impl NameLookup {
    /// The names of a model that others can refer to.
    pub(crate) fn of(spec: &Spec) -> Self {
        let mut lookup = Self::default();
        let mut add = |kind: ObjType, name: &str| lookup.add(kind, name);
        spec.bodies.iter().for_each(|b| add(ObjType::Body, &b.name));
        spec.joints.iter().for_each(|e| add(ObjType::Joint, &e.name));
        spec.geoms.iter().for_each(|e| add(ObjType::Geom, &e.name));
        spec.sites.iter().for_each(|e| add(ObjType::Site, &e.name));
        spec.cameras.iter().for_each(|e| add(ObjType::Camera, &e.name));
        spec.lights.iter().for_each(|e| add(ObjType::Light, &e.name));
        spec.meshes.iter().for_each(|o| add(ObjType::Mesh, &o.name));
        spec.skins.iter().for_each(|o| add(ObjType::Skin, &o.name));
        spec.hfields.iter().for_each(|o| add(ObjType::Hfield, &o.name));
        spec.textures.iter().for_each(|o| add(ObjType::Texture, &o.name));
        spec.materials.iter().for_each(|o| add(ObjType::Material, &o.name));
        spec.flexes.iter().for_each(|o| add(ObjType::Flex, &o.name));
        spec.pairs.iter().for_each(|o| add(ObjType::Pair, &o.name));
        spec.excludes.iter().for_each(|o| add(ObjType::Exclude, &o.name));
        spec.equalities.iter().for_each(|o| add(ObjType::Equality, &o.name));
        spec.tendons.iter().for_each(|o| add(ObjType::Tendon, &o.name));
        spec.actuators.iter().for_each(|o| add(ObjType::Actuator, &o.name));
        spec.sensors.iter().for_each(|o| add(ObjType::Sensor, &o.name));
        spec.numerics.iter().for_each(|o| add(ObjType::Numeric, &o.name));
        spec.texts.iter().for_each(|o| add(ObjType::Text, &o.name));
        lookup
    }

    /// Adds a name.
    pub(crate) fn add(&mut self, kind: ObjType, name: &str) {
        if !name.is_empty() {
            self.names.insert((kind, name.to_owned()));
        }
    }

    /// Adds the names of a part.
    pub(crate) fn add_subtree(&mut self, part: &Subtree, ns: &Namespace<'_>) {
        for (kind, name, _) in part.names() {
            let kind = match kind {
                "body" => ObjType::Body,
                "joint" => ObjType::Joint,
                "geom" => ObjType::Geom,
                "site" => ObjType::Site,
                "camera" => ObjType::Camera,
                "light" => ObjType::Light,
                _ => continue,
            };
            self.add(kind, &ns.name(name));
        }
    }

    fn has(&self, kind: ObjType, name: &str) -> bool {
        self.names.contains(&(base(kind), name.to_owned()))
    }
}

/// The type of object that names of a type belong to.
fn base(kind: ObjType) -> ObjType {
    if kind == ObjType::XBody { ObjType::Body } else { kind }
}

/// A reference: the type of the object, and its name.
type Reference<'a> = (ObjType, &'a mut String);

/// How the references of an element follow a namespace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Follow {
    /// All of them.
    All,
    /// One at least; the others may stay as they are.
    Some,
}

/// An element that refers to others.
trait Refers: Clone {
    const FOLLOW: Follow;
    /// Whether the element itself gets another name.
    const RENAMED: bool = true;
    fn references(&mut self) -> Vec<Reference<'_>>;
    /// Lets the names of assets of another model follow.
    fn rename_assets(&mut self, _ns: &Namespace<'_>) {}
}

/// Names that are given.
fn given<'a>(kind: ObjType, name: &'a mut Option<String>) -> Option<Reference<'a>> {
    name.as_mut().filter(|n| !n.is_empty()).map(|n| (kind, n))
}

impl Refers for PairAttrs {
    const FOLLOW: Follow = Follow::Some;
    fn references(&mut self) -> Vec<Reference<'_>> {
        let names = [&mut self.geom1, &mut self.geom2];
        names.into_iter().map(|n| (ObjType::Geom, n.get_or_insert_default())).collect()
    }
}

impl Refers for ExcludeAttrs {
    const FOLLOW: Follow = Follow::Some;
    fn references(&mut self) -> Vec<Reference<'_>> {
        let names = [&mut self.body1, &mut self.body2];
        names.into_iter().map(|n| (ObjType::Body, n.get_or_insert_default())).collect()
    }
}

impl Refers for EqualitySpec {
    const FOLLOW: Follow = Follow::All;
    fn references(&mut self) -> Vec<Reference<'_>> {
        let EqualityAttrs {
            body1,
            body2,
            site1,
            site2,
            joint1,
            joint2,
            tendon1,
            tendon2,
            flex,
            ..
        } = &mut self.attr;
        let (kind, names) = match self.kind {
            EqualityType::Joint => (ObjType::Joint, [joint1, joint2]),
            EqualityType::Tendon => (ObjType::Tendon, [tendon1, tendon2]),
            EqualityType::Flex | EqualityType::FlexVert => {
                return given(ObjType::Flex, flex).into_iter().collect();
            }
            _ if site1.is_some() => (ObjType::Site, [site1, site2]),
            _ => (ObjType::Body, [body1, body2]),
        };
        names.into_iter().filter_map(|n| given(kind, n)).collect()
    }
}

/// MuJoCo leaves the names of flexes as they are, so that a constraint of one is lost, and keeps a flex whose bodies are gone.
impl Refers for FlexSpec {
    const FOLLOW: Follow = Follow::All;
    const RENAMED: bool = false;
    fn rename_assets(&mut self, ns: &Namespace<'_>) {
        ns.rename_option(&mut self.attr.material);
    }
    fn references(&mut self) -> Vec<Reference<'_>> {
        let names = self.attr.body.iter_mut().chain(&mut self.attr.node);
        names.flat_map(|list| list.0.iter_mut()).map(|name| (ObjType::Body, name)).collect()
    }
}

impl Refers for TendonSpec {
    const FOLLOW: Follow = Follow::Some;
    fn references(&mut self) -> Vec<Reference<'_>> {
        let mut list = Vec::new();
        for wrap in &mut self.path {
            match &mut wrap.part {
                Wrap::Joint { joint, .. } => list.push((ObjType::Joint, joint)),
                Wrap::Site { site } => list.push((ObjType::Site, site)),
                Wrap::Geom { geom, sidesite } => {
                    list.push((ObjType::Geom, geom));
                    if !sidesite.is_empty() {
                        list.push((ObjType::Site, sidesite));
                    }
                }
                Wrap::Pulley { .. } => {}
            }
        }
        list
    }
}

impl Refers for ActuatorSpec {
    const FOLLOW: Follow = Follow::All;
    fn references(&mut self) -> Vec<Reference<'_>> {
        let ActuatorAttrs {
            joint,
            jointinparent,
            tendon,
            cranksite,
            slidersite,
            site,
            refsite,
            body,
            ..
        } = &mut self.attr;
        [
            (ObjType::Joint, joint),
            (ObjType::Joint, jointinparent),
            (ObjType::Tendon, tendon),
            (ObjType::Site, cranksite),
            (ObjType::Site, slidersite),
            (ObjType::Site, site),
            (ObjType::Site, refsite),
            (ObjType::Body, body),
        ]
        .into_iter()
        .filter_map(|(kind, name)| given(kind, name))
        .collect()
    }
}

impl Refers for SensorSpec {
    const FOLLOW: Follow = Follow::Some;
    fn references(&mut self) -> Vec<Reference<'_>> {
        let kind_of = |text: &Option<String>| {
            let text = text.as_deref().unwrap_or("");
            ObjType::read("objtype", text).ok().flatten().unwrap_or(ObjType::Unknown)
        };
        let (objtype, reftype) = (kind_of(&self.attr.objtype), kind_of(&self.attr.reftype));
        let SensorAttrs {
            site,
            camera,
            joint,
            tendon,
            actuator,
            body,
            geom,
            mesh,
            geom1,
            geom2,
            body1,
            body2,
            subtree1,
            subtree2,
            objname,
            refname,
            ..
        } = &mut self.attr;
        [
            (ObjType::Site, site),
            (ObjType::Camera, camera),
            (ObjType::Joint, joint),
            (ObjType::Tendon, tendon),
            (ObjType::Actuator, actuator),
            (ObjType::Body, body),
            (ObjType::Geom, geom),
            (ObjType::Mesh, mesh),
            (ObjType::Geom, geom1),
            (ObjType::Geom, geom2),
            (ObjType::Body, body1),
            (ObjType::Body, body2),
            (ObjType::Body, subtree1),
            (ObjType::Body, subtree2),
            (objtype, objname),
            (reftype, refname),
        ]
        .into_iter()
        .filter_map(|(kind, name)| given(kind, name))
        .collect()
    }
}

impl Refers for Vec<TupleElement> {
    const FOLLOW: Follow = Follow::All;
    fn references(&mut self) -> Vec<Reference<'_>> {
        self.iter_mut()
            .map(|e| {
                let kind = e.attr.or_default().objtype();
                (kind, e.attr.objname.get_or_insert_default())
            })
            .collect()
    }
}

impl Refers for SkinSpec {
    const FOLLOW: Follow = Follow::All;
    fn references(&mut self) -> Vec<Reference<'_>> {
        self.attr.bodyname.iter_mut().flatten().map(|name| (ObjType::Body, name)).collect()
    }
}

/// Lets the references of an element follow a namespace; false if they cannot.
fn follow<A: Refers>(attr: &mut A, ns: &Namespace<'_>, names: &NameLookup) -> bool {
    let references = attr.references();
    let none = references.is_empty();
    let mut followed = 0;
    for (kind, name) in references {
        let renamed = ns.name(name);
        if names.has(kind, &renamed) {
            *name = renamed;
            followed += 1;
        } else if A::FOLLOW == Follow::All || !names.has(kind, name) {
            return false;
        }
    }
    none || followed > 0
}

/// Do all references of an element lead somewhere?
fn resolves<A: Refers>(attr: &A, names: &NameLookup) -> bool {
    attr.clone().references().iter().all(|(kind, name)| names.has(*kind, name))
}

/// Copies of the elements that refer to a part, following it.
fn copies<A: Refers>(
    list: &mut [Object<A>],
    at: &Placement<'_>,
    names: &NameLookup,
) -> Vec<Object<A>> {
    let mut out = Vec::new();
    for object in list {
        let mut new = object.clone();
        if !follow(&mut new.attr, &at.namespace, names) {
            continue;
        }
        object.saved.clear();
        if A::RENAMED {
            at.namespace.rename(&mut new.name);
        }
        rename_plugin(&mut new.plugin, &at.namespace);
        new.origin = at.origin(object.origin);
        if at.foreign {
            new.attr.rename_assets(&at.namespace);
            new.class = Some(at.namespace.name(object.class.as_deref().unwrap_or(MAIN_CLASS)));
        }
        out.push(new);
    }
    out
}

/// Copies the elements outside the tree that refer to what was placed: those of the model that it
/// came from, or of this model if a part of it was placed again. Their own names can be referred to
/// as well, so the order of the lists matters.
pub(crate) fn copy_referring(
    spec: &mut Spec,
    mut child: Option<&mut Spec>,
    at: &Placement<'_>,
    names: &mut NameLookup,
) {
    macro_rules! copy {
        ($($list:ident $kind:ident;)*) => {$(
            let source = child.as_deref_mut().unwrap_or(spec);
            let new = copies(&mut source.$list, at, names);
            for object in &new {
                names.add(ObjType::$kind, &object.name);
            }
            spec.$list.extend(new);
        )*};
    }
    copy! {
        flexes Flex;
        pairs Pair;
        excludes Exclude;
        tendons Tendon;
        equalities Equality;
        actuators Actuator;
        sensors Sensor;
        tuples Tuple;
    }
}

/// The names of objects of one type that elements outside the tree refer to.
pub(crate) fn referenced(spec: &Spec, kind: ObjType) -> BTreeSet<String> {
    fn collect<A: Refers>(list: &[Object<A>], kind: ObjType, names: &mut BTreeSet<String>) {
        for object in list {
            let mut attr = object.attr.clone();
            let references = attr.references();
            let wanted = references.into_iter().filter(|(k, n)| base(*k) == kind && !n.is_empty());
            names.extend(wanted.map(|(_, name)| core::mem::take(name)));
        }
    }
    let mut names = BTreeSet::new();
    collect(&spec.skins, kind, &mut names);
    collect(&spec.pairs, kind, &mut names);
    collect(&spec.excludes, kind, &mut names);
    collect(&spec.tendons, kind, &mut names);
    collect(&spec.equalities, kind, &mut names);
    collect(&spec.actuators, kind, &mut names);
    collect(&spec.sensors, kind, &mut names);
    collect(&spec.tuples, kind, &mut names);
    names
}

/// Removes the elements that referred to something that is gone: what resolved before and does
/// not any more.
pub(crate) fn remove_dangling(spec: &mut Spec, before: &NameLookup) {
    let mut after = NameLookup::of(spec);
    macro_rules! remove {
        ($($list:ident $kind:ident;)*) => {$(
            let mut removed = Vec::new();
            spec.$list.retain(|object| {
                let keep = !resolves(&object.attr, before) || resolves(&object.attr, &after);
                if !keep {
                    removed.push(object.name.clone());
                }
                keep
            });
            for name in removed {
                after.names.remove(&(ObjType::$kind, name));
            }
        )*};
    }
    remove! {
        pairs Pair;
        excludes Exclude;
        tendons Tendon;
        equalities Equality;
        actuators Actuator;
        sensors Sensor;
    }
}

/// Copies assets and custom data.
pub(super) fn adopt_assets(spec: &mut Spec, child: &Spec, at: &Placement<'_>) {
    let ns = &at.namespace;
    macro_rules! adopt {
        ($($list:ident $change:expr;)*) => {$(
            for object in &child.$list {
                let mut new = object.clone();
                ns.rename(&mut new.name);
                if !new.name.is_empty() && spec.$list.iter().any(|o| o.name == new.name) {
                    continue;
                }
                new.origin = at.origin(object.origin);
                new.class = Some(ns.name(object.class.as_deref().unwrap_or(MAIN_CLASS)));
                rename_plugin(&mut new.plugin, ns);
                let change: fn(&mut Object<_>, &Namespace<'_>) = $change;
                change(&mut new, ns);
                spec.$list.push(new);
            }
        )*};
    }
    adopt! {
        meshes |o: &mut Object<crate::schema::MeshAttrs>, ns| ns.rename_option(&mut o.attr.material);
        hfields |o, _| o.class = None;
        textures |o, _| o.class = None;
        materials |o: &mut Object<MaterialSpec>, ns| rename_material(&mut o.attr, ns);
        numerics |o, _| o.class = None;
        texts |o, _| o.class = None;
    }
}

/// Copies the skins whose bones are all there; those that are read from files have none yet. As in MuJoCo, only the bones
/// follow the namespace: a skin keeps its name and that of its material.
pub(super) fn adopt_skins(spec: &mut Spec, child: &Spec, at: &Placement<'_>, names: &NameLookup) {
    for object in &child.skins {
        let mut new = object.clone();
        if follow(&mut new.attr, &at.namespace, names) {
            new.origin = at.origin(object.origin);
            spec.skins.push(new);
        }
    }
}

fn rename_material(material: &mut MaterialSpec, ns: &Namespace<'_>) {
    ns.rename_option(&mut material.attr.texture);
    for layer in &mut material.layers {
        ns.rename(&mut layer.texture);
    }
}

/// Default classes refer to assets.
pub(super) fn rename_default(attr: &mut DefaultAttrs, ns: &Namespace<'_>) {
    match attr {
        DefaultAttrs::Material(material) => rename_material(material, ns),
        DefaultAttrs::Geom(a) => {
            ns.rename_option(&mut a.material);
            ns.rename_option(&mut a.mesh);
            ns.rename_option(&mut a.hfield);
        }
        DefaultAttrs::Site(a) => ns.rename_option(&mut a.material),
        DefaultAttrs::Tendon(a) => ns.rename_option(&mut a.material),
        _ => {}
    }
}
