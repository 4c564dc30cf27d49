//! The element `<composite>`: a cable, which is a chain of bodies with ball joints.

use ferrodyn_math::elementary::{cos, sin};
use ferrodyn_model::{GeomType, JointType};

use super::cable_skin::cable_skin;
use super::tree::Place;
use super::{Parser, Rules};
use crate::error::DiagnosticKind;
use crate::history;
use crate::keywords::CompositeKind;
use crate::pose::{self, Pose, Q4, UNIT, V3, moving_frame, normalize};
use crate::schema::{
    Attributes, CompositeAttrs, CompositeSkinAttrs, GeomAttrs, JointAttrs, SiteAttrs,
};
use crate::spec::{
    BodySpec, DefaultBlock, Element, JointSpec, MAIN_CLASS, Object, PluginInstance, PluginSpec,
    SkinSpec,
};
use crate::values::{RawQuat, words};
use crate::xml::{Node, NodeId};

/// The class of the elements of a cable, which do not take part in the defaults of the model.
const CLASS: &str = "composite:";

/// Attributes that the joint of a cable has beside those of the table.
pub(super) const JOINT_EXTRA: &[&str] = &["kind", "solreffix", "solimpfix", "limited"];

/// A curve whose size has a smaller square has no size. MuJoCo's `mjMINVAL`.
const NO_SIZE: f64 = 1e-15;

/// What the children of the element say.
#[derive(Default)]
struct Parts {
    joint: Option<JointAttrs>,
    geom: GeomAttrs,
    site: SiteAttrs,
    skin: Option<CompositeSkinAttrs>,
    plugin: Option<Box<PluginSpec>>,
}

/// One link of the chain.
struct Link {
    pose: Pose,
    length: f64,
}

impl<'a> Parser<'a> {
    pub(super) fn composite(&mut self, id: NodeId, place: Place) {
        let node = &self.document.nodes[id];
        let rules = Rules { lenient: place.lenient, ..Rules::default() };
        let attr: CompositeAttrs = self.attributes(node, rules);
        let parts = self.composite_parts(id);
        let Some(kind) = attr.kind else {
            self.missing(node, "type");
            return;
        };
        let word = node.attr("type").map_or("", |a| &a.value);
        if let Some(message) = history::removed_value("composite", "type", word) {
            self.invalid(node, "type", &message);
            return;
        }
        if kind != CompositeKind::Cable {
            self.invalid(node, "type", "expected 'cable'");
            return;
        }
        let shape = parts.geom.or_default().kind();
        if !matches!(shape, GeomType::Capsule | GeomType::Cylinder | GeomType::Box) {
            self.conflict(node, "the geom of a cable is a capsule, cylinder or box");
            return;
        }
        match vertices(&attr) {
            Ok(vertices) => self.cable(node, place, &attr, parts, &vertices),
            Err(message) => self.conflict(node, message),
        }
    }

    fn composite_parts(&mut self, id: NodeId) -> Parts {
        let mut parts = Parts::default();
        for &child in &self.document.nodes[id].children {
            let node = &self.document.nodes[child];
            match node.name.as_str() {
                "joint" => {
                    let attr =
                        self.chosen_attributes(node, &JointAttrs::cable_names(), JOINT_EXTRA);
                    self.required(node, "kind");
                    if let Some(attr) = node.attr("kind").filter(|a| a.value != "main") {
                        let message = "expected one of: main";
                        let kind = DiagnosticKind::InvalidValue;
                        self.sink.error(node.attr_problem(attr, kind, message));
                    }
                    if parts.joint.is_some() {
                        self.conflict(node, "a cable has only one kind of joint");
                    }
                    parts.joint = Some(attr);
                }
                "geom" => {
                    parts.geom = self.chosen_attributes(node, &GeomAttrs::cable_names(), &[]);
                }
                "site" => {
                    parts.site = self.chosen_attributes(node, &SiteAttrs::cable_names(), &[]);
                }
                "skin" => {
                    let attr: CompositeSkinAttrs = self.attributes(node, Rules::default());
                    self.check_skin_group(node, attr.group);
                    if parts.skin.is_some() {
                        self.conflict(node, "a cable has only one skin");
                    }
                    parts.skin = Some(attr);
                }
                "plugin" => {
                    self.known_attributes(node, &["plugin", "instance"], false);
                    let plugin = self.plugin(child);
                    parts.plugin.get_or_insert(Box::new(plugin));
                    continue;
                }
                _ => {
                    let known = ["joint", "geom", "site", "skin", "plugin"];
                    self.unknown_element(node, known.into_iter(), false);
                    continue;
                }
            }
            self.no_children(node, false);
        }
        parts
    }

    /// Adds the bodies of a cable, each a child of the one before.
    fn cable(
        &mut self,
        node: &Node,
        place: Place,
        attr: &CompositeAttrs,
        mut parts: Parts,
        vertices: &[[f32; 3]],
    ) {
        let prefix = &*attr.or_default().prefix();
        if !self.spec.defaults.iter().any(|block| block.class == CLASS) {
            // in front of the other blocks, the main class is still as it was born
            let parent = Some(MAIN_CLASS.to_owned());
            let class = CLASS.to_owned();
            self.spec.defaults.insert(0, DefaultBlock { class, parent, ..DefaultBlock::default() });
        }
        let text = Object {
            name: format!("composite_{prefix}"),
            span: node.span,
            attr: crate::schema::TextAttrs { data: Some(format!("rope_{prefix}")) },
            ..Object::default()
        };
        self.spec.texts.push(text);
        let plugin = self.cable_plugin(node, prefix, parts.plugin.take());
        let is_box = parts.geom.or_default().kind() == GeomType::Box;
        if is_box {
            self.cable_skin(node, prefix, &parts, vertices.len());
        }

        let initial = &*attr.or_default().initial();
        let links = links(vertices, &attr.or_default().offset());
        let last = links.len() - 1;
        let label = |i: usize| match i {
            0 => String::from("first"),
            i if i == last => String::from("last"),
            i => i.to_string(),
        };
        let mut parent = place.body;
        for (i, link) in links.iter().enumerate() {
            let (first, end) = (i == 0, i == last);
            let name = format!("{prefix}B_{}", label(i));
            self.claim(node, "body", &name);
            let mut body =
                BodySpec { name: name.clone(), span: node.span, parent, ..BodySpec::default() };
            body.frame = place.frame.filter(|_| first);
            body.attr.pos = Some(link.pose.pos);
            body.attr.quat = Some(RawQuat(link.pose.quat));
            body.plugin = plugin.clone();
            self.spec.bodies.push(body);
            parent = self.spec.bodies.len() - 1;

            let mut geom = parts.geom.clone();
            if is_box {
                let [_, width, height] = geom.or_default().size();
                geom.pos = Some([link.length / 2.0, 0.0, 0.0]);
                geom.size = Some([link.length / 2.0, width, height].into());
            } else {
                geom.fromto = Some([0.0, 0.0, 0.0, link.length, 0.0, 0.0]);
            }
            let name_of_geom = format!("{prefix}G{i}");
            self.claim(node, "geom", &name_of_geom);
            let geom = part(name_of_geom, node, parent, geom);
            self.spec.geoms.push(geom);
            if !first || initial != "none" {
                let joint = cable_joint(parts.joint.clone().unwrap_or_default(), first, initial);
                let name = format!("{prefix}J_{}", label(i));
                self.claim(node, "joint", &name);
                let joint = part(name, node, parent, JointSpec::Joint(Box::new(joint)));
                self.spec.joints.push(joint);
            }
            if !end {
                let mut exclude: Object<crate::schema::ExcludeAttrs> =
                    Object { span: node.span, ..Object::default() };
                exclude.attr.body1 = Some(name);
                exclude.attr.body2 = Some(format!("{prefix}B_{}", label(i + 1)));
                self.spec.excludes.push(exclude);
            }
            if first || end {
                let mut site = parts.site.clone();
                site.group.get_or_insert(3);
                site.pos = Some([if end { link.length } else { 0.0 }, 0.0, 0.0]);
                // the only link is both: MuJoCo names it after the beginning
                let name = format!("{prefix}S_{}", label(i));
                self.claim(node, "site", &name);
                let site = part(name, node, parent, site);
                self.spec.sites.push(site);
            }
        }
    }

    /// The plugin of the bodies: one instance for all of them.
    fn cable_plugin(
        &mut self,
        node: &Node,
        prefix: &str,
        plugin: Option<Box<PluginSpec>>,
    ) -> Option<Box<PluginSpec>> {
        let mut plugin = plugin?;
        if !plugin.plugin.is_empty() && plugin.plugin != "mujoco.elasticity.cable" {
            self.conflict(node, "a cable can only have the plugin 'mujoco.elasticity.cable'");
        }
        if plugin.instance.is_empty() {
            plugin.instance = format!("composite{prefix}");
            let config = core::mem::take(&mut plugin.config);
            self.spec.instances.push(Object {
                name: plugin.instance.clone(),
                span: plugin.span,
                attr: PluginInstance { plugin: plugin.plugin.clone(), config },
                ..Object::default()
            });
        }
        Some(plugin)
    }

    /// Adds the skin that a cable of boxes has, whether the text asks for it or not.
    fn cable_skin(&mut self, node: &Node, prefix: &str, parts: &Parts, points: usize) {
        if points < 3 {
            self.conflict(node, "a cable of boxes needs at least three points");
            return;
        }
        let asked = parts.skin.clone().unwrap_or_default();
        let size = parts.geom.or_default().size();
        match cable_skin(prefix, points, size, &asked, self.options.budget.array) {
            Ok(attr) => {
                let name = format!("{prefix}Skin");
                self.claim(node, "skin", &name);
                let attr = SkinSpec { attr, bones: Vec::new() };
                self.spec.skins.push(Object { name, span: node.span, attr, ..Object::default() });
            }
            Err(message) => self.sink.error(node.problem(DiagnosticKind::Budget, message)),
        }
    }

    /// Takes a name for an element that is not in the text.
    pub(super) fn claim(&mut self, node: &Node, kind: &'static str, name: &str) {
        if !self.names.insert((kind, name.to_owned())) {
            let message = format!("another {kind} has the name '{name}'");
            self.sink.error(node.problem(DiagnosticKind::DuplicateName, message));
        }
    }
}

/// An element of a link.
fn part<A>(name: String, node: &Node, body: usize, attr: A) -> Element<A> {
    Element {
        name,
        class: Some(CLASS.to_owned()),
        span: node.span,
        body,
        frame: None,
        origin: 0,
        attr,
        plugin: None,
        saved: Vec::new(),
        uid: 0,
    }
}

/// The joint of a link: a ball, or free at the beginning of a loose cable.
fn cable_joint(mut joint: JointAttrs, first: bool, initial: &str) -> JointAttrs {
    joint.group.get_or_insert(3);
    if first && initial == "free" {
        joint.kind = Some(JointType::Free);
        joint.damping = Some(0.0);
        joint.armature = Some(0.0);
        joint.frictionloss = Some(0.0);
    } else {
        joint.kind = Some(JointType::Ball);
    }
    joint
}

/// The points of a cable in single precision: as given, or along a curve.
fn vertices(attr: &CompositeAttrs) -> Result<Vec<[f32; 3]>, &'static str> {
    let given = attr.count.as_deref().unwrap_or(&[]);
    if given.len() > 3 {
        return Err("'count' has at most three numbers");
    }
    let count: [i32; 3] = core::array::from_fn(|i| given.get(i).copied().unwrap_or(1));
    if count.iter().any(|n| *n < 1) {
        return Err("'count' must be positive");
    }
    let size = attr.or_default().size();
    let mut points: Vec<[f32; 3]> = Vec::new();
    if let Some(list) = &attr.vertex {
        if count[0] > 1 {
            return Err("'vertex' and 'count' cannot both be given");
        }
        points.extend(list.chunks_exact(3).map(|v| [v[0], v[1], v[2]]));
    } else {
        if size.iter().map(|x| x * x).sum::<f64>() < NO_SIZE {
            return Err("a cable without 'vertex' needs a 'size'");
        }
        if count[1] > 1 || count[2] > 1 {
            return Err("a cable has one dimension");
        }
        let curve = curve(&attr.or_default().curve())?;
        let quat = attr.or_default().quat();
        let steps = f64::from(count[0]) - 1.0;
        for i in 0..count[0] {
            let along = f64::from(i);
            let turn = core::f64::consts::PI * along * size[2] / steps;
            let v: V3 = curve.map(|c| match c {
                Curve::Line => along * size[0] / steps,
                Curve::Cos => size[1] * cos(turn),
                Curve::Sin => size[1] * sin(turn),
                Curve::Zero => 0.0,
            });
            points.push(pose::rotate(&v, &quat).map(|x| x as f32));
        }
    }
    if points.len() < 2 {
        return Err("a cable needs at least two points");
    }
    Ok(points)
}

#[derive(Clone, Copy)]
enum Curve {
    Line,
    Cos,
    Sin,
    Zero,
}

fn curve(text: &str) -> Result<[Curve; 3], &'static str> {
    let mut curve = [Curve::Zero; 3];
    for (i, word) in words(text).enumerate() {
        let slot = curve.get_mut(i).ok_or("'curve' has at most three words")?;
        *slot = match word {
            "s" => Curve::Line,
            "cos(s)" => Curve::Cos,
            "sin(s)" => Curve::Sin,
            "0" => Curve::Zero,
            _ => return Err("'curve' has the words s, cos(s), sin(s) and 0"),
        };
    }
    Ok(curve)
}

/// The links between the points, each in the frame of the one before: x along the link, and the
/// other axes turned no more than the bends of the cable ask for.
fn links(points: &[[f32; 3]], offset: &V3) -> Vec<Link> {
    let edge =
        |i: usize| -> V3 { core::array::from_fn(|k| f64::from(points[i + 1][k] - points[i][k])) };
    let tangent = |i: usize| {
        let mut t = edge(i);
        let length = normalize(&mut t);
        (t, length)
    };
    let last = points.len() - 2;
    let mut normal = [0.0, 1.0, 0.0];
    let mut previous: Q4 = UNIT;
    let mut list = Vec::with_capacity(points.len() - 1);
    for i in 0..=last {
        let before = (i > 0).then(|| tangent(i - 1));
        // beyond the end there is no bend
        let after = if i < last { tangent(i + 1).0 } else { [0.0; 3] };
        let edge = edge(i);
        let quat = moving_frame(&mut normal, &edge, before.map(|t| t.0).as_ref(), &after);
        let length = libm::sqrt(edge.iter().map(|x| x * x).sum());
        let pose = match before {
            None => {
                let start = points[i].map(f64::from);
                Pose { pos: core::array::from_fn(|k| offset[k] + start[k]), quat }
            }
            Some((_, reach)) => {
                let turn = pose::mul_quat(&pose::conjugate(&previous), &quat);
                Pose { pos: [reach, 0.0, 0.0], quat: turn }
            }
        };
        previous = quat;
        list.push(Link { pose, length });
    }
    list
}
