//! The element `<flexcomp>`: a flex with the bodies, joints and constraint that its points need.

use ferrodyn_model::{EqualityType, GeomType, JointType};

use super::lattice::{Refused, is_listed};
use super::pin::{self, Pinned};
use super::tree::Place;
use super::{Parser, Rules};
use crate::flexcomp::Lattice;
use crate::keywords::{Elastic2d, FlexEquality, FlexcompDof, FlexcompKind, FlexcompSolver};
use crate::pose::{V3, double, normalize};
use crate::schema::{
    EqualityAttrs, FlexContactAttrs, FlexElasticityAttrs, FlexcompAttrs, FlexcompEdgeAttrs,
    GeomAttrs, InertialAttrs, JointAttrs, PinAttrs,
};
use crate::spec::{
    BodySpec, Element, EqualitySpec, FlexSpec, InertialSpec, JointSpec, Object, PluginInstance,
    PluginSpec,
};
use crate::values::{NameList, Partial};
use crate::xml::{Node, NodeId};
use ferrodyn_math::MIN_VAL;

/// The elements of a flexcomp.
const PARTS: &[&str] = &["edge", "elasticity", "contact", "pin", "plugin"];

/// Shares of the mass of a quadratic box along one axis: at its ends and in the middle. They are the integrals of the
/// quadratic functions of the nodes.
const QUADRATIC_MASS: [f64; 3] = [1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0];

/// What the element and its children say.
#[derive(Default)]
pub(super) struct Flexcomp {
    pub(super) name: String,
    pub(super) attr: FlexcompAttrs,
    edge: FlexcompEdgeAttrs,
    elasticity: FlexElasticityAttrs,
    contact: FlexContactAttrs,
    pins: Vec<PinAttrs>,
    plugin: Option<Box<PluginSpec>>,
}

impl Flexcomp {
    /// Has it springs, equality constraints or a plugin?
    pub(super) fn is_constrained(&self) -> bool {
        self.edge != FlexcompEdgeAttrs::default() || self.plugin.is_some()
    }

    pub(super) fn take_pins(&mut self) -> Vec<PinAttrs> {
        core::mem::take(&mut self.pins)
    }

    pub(super) fn take_material(&mut self) -> (FlexContactAttrs, FlexElasticityAttrs) {
        (core::mem::take(&mut self.contact), core::mem::take(&mut self.elasticity))
    }
}

impl<'a> Parser<'a> {
    pub(super) fn flexcomp(&mut self, id: NodeId, place: Place) {
        let node = &self.document.nodes[id];
        let flexcomp = self.read_flexcomp(id, place);
        if self.sink.has_errors() {
            return;
        }
        let made = self.check_flexcomp(&flexcomp, place).and_then(|()| self.lattice(&flexcomp));
        let made = made.and_then(|lattice| match flexcomp.attr.solver {
            Some(FlexcompSolver::Xpbd) => self.add_soft(node, place, flexcomp, lattice),
            None => self.add_flexcomp(node, place, flexcomp, lattice),
        });
        if let Err(Refused { kind, message }) = made {
            self.sink.error(node.problem(kind, message));
        }
    }

    fn read_flexcomp(&mut self, id: NodeId, place: Place) -> Flexcomp {
        let node = &self.document.nodes[id];
        let rules = Rules { lenient: place.lenient, ..Rules::with(&["name"]) };
        let mut flexcomp = Flexcomp { attr: self.attributes(node, rules), ..Flexcomp::default() };
        self.required(node, "name");
        flexcomp.name = self.name(node, "flex");
        let mut seen: Vec<&str> = Vec::new();
        for &child in &node.children {
            let part = &self.document.nodes[child];
            let name = part.name.as_str();
            if matches!(name, "edge" | "elasticity" | "contact") {
                if seen.contains(&name) {
                    self.conflict(part, "this element may appear only once here");
                }
                seen.push(name);
            }
            match name {
                "edge" => flexcomp.edge = self.attributes(part, Rules::default()),
                "elasticity" => flexcomp.elasticity = self.flex_elasticity(child),
                "contact" => flexcomp.contact = self.flex_contact(child),
                "pin" => {
                    let pin = self.attributes(part, Rules::default());
                    flexcomp.pins.push(pin);
                }
                "plugin" => {
                    self.known_attributes(part, &["plugin", "instance"], false);
                    let plugin = self.plugin(child);
                    // of several, MuJoCo reads the first
                    flexcomp.plugin.get_or_insert(Box::new(plugin));
                    continue;
                }
                _ => {
                    self.unknown_element(part, PARTS.iter().copied(), false);
                    continue;
                }
            }
            self.no_children(part, false);
        }
        flexcomp
    }

    /// What MuJoCo refuses before it makes points.
    fn check_flexcomp(&mut self, flexcomp: &Flexcomp, place: Place) -> Result<(), Refused> {
        self.check_soft(flexcomp)?;
        let or = flexcomp.attr.or_default();
        let least = double(MIN_VAL);
        let stretches = matches!(
            flexcomp.elasticity.or_default().elastic2d(),
            Elastic2d::Stretch | Elastic2d::Both
        );
        let fail = |message: &'static str| Err(message.into());
        if stretches && flexcomp.edge.or_default().equality() != FlexEquality::None {
            return fail("elasticity and a constraint of edges cannot both be given");
        }
        if or.kind() == FlexcompKind::Mesh && or.dim() == 3 && flexcomp.attr.origin.is_none() {
            return fail("the tetrahedra of a mesh need an 'origin'");
        }
        if self.spec.bodies[place.body].name.is_empty() {
            return fail("the body around a <flexcomp> must have a name");
        }
        if !(1..=3).contains(&or.dim()) {
            return fail("'dim' must be 1, 2 or 3");
        }
        let fewest = if or.dof() == FlexcompDof::Radial && or.dim() == 3 { 2 } else { 1 };
        if or.count().iter().any(|n| *n < fewest) {
            return Err(format!("'count' must be at least {fewest}").into());
        }
        let space = 2.0 * or.radius() + flexcomp.contact.or_default().margin();
        if !is_listed(or.kind()) && or.spacing().iter().any(|x| *x < space) {
            return fail("'spacing' must be at least twice the radius, and the margin");
        }
        if or.scale().iter().any(|x| *x < least) {
            return fail("'scale' must be positive");
        }
        if or.mass() < least || or.inertiabox() < least {
            return fail("'mass' and 'inertiabox' must be positive");
        }
        Ok(())
    }

    /// Adds the flex, and what its points need.
    fn add_flexcomp(
        &mut self,
        node: &Node,
        place: Place,
        flexcomp: Flexcomp,
        mut lattice: Lattice,
    ) -> Result<(), Refused> {
        let or = flexcomp.attr.or_default();
        let bounds = bounds(&lattice.point);
        let (attr, most) = (&flexcomp.attr, self.options.budget.array);
        let mut pinned = pin::pinned(attr, &flexcomp.pins, &lattice, most)?;
        if is_listed(or.kind()) {
            pin::drop_unused(&mut lattice, &mut pinned.points, or.dof());
        }
        let flat = matches!(or.kind(), FlexcompKind::Box | FlexcompKind::Cylinder)
            || (or.kind() == FlexcompKind::Grid && lattice.dim == 3);
        let mut flex = FlexSpec {
            contact: flexcomp.contact.clone(),
            elasticity: flexcomp.elasticity.clone(),
            ..FlexSpec::default()
        };
        flex.edge.stiffness = flexcomp.edge.stiffness;
        flex.edge.damping = flexcomp.edge.damping;
        flex.attr.group = flexcomp.attr.group;
        flex.attr.dim = Some(lattice.dim as i32);
        flex.attr.radius = flexcomp.attr.radius;
        flex.attr.material = flexcomp.attr.material.clone();
        flex.attr.rgba = flexcomp.attr.rgba;
        flex.attr.flatskin = if flat { Some(true) } else { flexcomp.attr.flatskin };
        flex.attr.bending_model = flexcomp.attr.bending_model;
        flex.attr.bend_stiffness = flexcomp.attr.bend_stiffness;
        flex.attr.bend_damping = flexcomp.attr.bend_damping;
        flex.attr.elasticity_model = flexcomp.attr.elasticity_model;
        flex.attr.element = Some(core::mem::take(&mut lattice.element));
        flex.attr.texcoord = Some(core::mem::take(&mut lattice.texcoord)).filter(|t| !t.is_empty());
        flex.attr.elemtexcoord =
            Some(core::mem::take(&mut lattice.elemtexcoord)).filter(|t| !t.is_empty());

        if pinned.rigid {
            flex.attr.vertex = Some(lattice.point.concat());
            flex.attr.body = Some(NameList(vec![self.spec.bodies[place.body].name.clone()]));
            self.push_flex(node, &flexcomp.name, flex);
            return Ok(());
        }
        let plugin = self.flexcomp_plugin(&flexcomp);
        let interpolated = matches!(or.dof(), FlexcompDof::Trilinear | FlexcompDof::Quadratic);
        let mut points = self.point_bodies(node, place, &flexcomp, lattice.point, &pinned, &plugin);
        flex.attr.body = Some(NameList(core::mem::take(&mut points.bodies)));
        if interpolated {
            let nodes = self.node_bodies(node, place, &flexcomp, &bounds, &pinned);
            flex.attr.node = Some(NameList(nodes.bodies));
            flex.attr.nodepos = (!pinned.centered).then(|| nodes.places.concat());
        }
        if !pinned.centered || interpolated {
            flex.attr.vertex = Some(points.places.concat());
        }
        self.push_flex(node, &flexcomp.name, flex);
        self.flexcomp_equality(node, &flexcomp);
        Ok(())
    }

    fn push_flex(&mut self, node: &Node, name: &str, attr: FlexSpec) {
        let name = name.to_owned();
        self.spec.flexes.push(Object { name, span: node.span, attr, ..Object::default() });
    }

    /// Bodies of the points that move by themselves; the others stay where they are in the body around them.
    fn point_bodies(
        &mut self,
        node: &Node,
        place: Place,
        flexcomp: &Flexcomp,
        mut points: Vec<V3>,
        pinned: &Pinned,
        plugin: &Option<Box<PluginSpec>>,
    ) -> Vertices {
        let or = flexcomp.attr.or_default();
        let mass = or.mass() / points.len() as f64;
        let around = self.spec.bodies[place.body].name.clone();
        let mut bodies = Vec::with_capacity(points.len());
        for (i, point) in points.iter_mut().enumerate() {
            let axes = match or.dof() {
                FlexcompDof::Full if !pinned.points[i] => COORDINATE_AXES.to_vec(),
                FlexcompDof::Radial if !pinned.points[i] => {
                    let mut axis = *point;
                    normalize(&mut axis);
                    vec![axis]
                }
                _ => {
                    bodies.push(around.clone());
                    if plugin.is_some() {
                        self.spec.bodies[place.body].plugin.clone_from(plugin);
                    }
                    continue;
                }
            };
            let name = format!("{}_{i}", flexcomp.name);
            let body = self.point_body(node, place, &name, *point, mass, flexcomp);
            self.spec.bodies[body].plugin.clone_from(plugin);
            self.slide_joints(node, body, &axes);
            if flexcomp.contact.or_default().vertcollide() {
                self.point_geom(node, body, or.radius(), Some(4));
            }
            bodies.push(name);
            if !pinned.centered {
                *point = [0.0; 3];
            }
        }
        Vertices { bodies, places: points }
    }

    /// Bodies of the nodes of a box, between which all points are interpolated.
    fn node_bodies(
        &mut self,
        node: &Node,
        place: Place,
        flexcomp: &Flexcomp,
        [low, high]: &[V3; 2],
        pinned: &Pinned,
    ) -> Vertices {
        let or = flexcomp.attr.or_default();
        let order = if or.dof() == FlexcompDof::Trilinear { 1 } else { 2 };
        let step = 1.0 / order as f64;
        let around = self.spec.bodies[place.body].name.clone();
        let (mut bodies, mut places) = (Vec::new(), Vec::new());
        for i in 0..=order {
            for j in 0..=order {
                for k in 0..=order {
                    let at = [i, j, k];
                    let pos: V3 = core::array::from_fn(|axis| {
                        low[axis] + at[axis] as f64 * step * (high[axis] - low[axis])
                    });
                    if pinned.points[bodies.len()] {
                        bodies.push(around.clone());
                        places.push(pos);
                        continue;
                    }
                    let mass = if order == 1 {
                        or.mass() / 8.0
                    } else {
                        at.iter().fold(or.mass(), |mass, i| mass * QUADRATIC_MASS[*i])
                    };
                    let name = format!("{}_{i}_{j}_{k}", flexcomp.name);
                    let body = self.point_body(node, place, &name, pos, mass, flexcomp);
                    if flexcomp.contact.or_default().vertcollide() {
                        self.point_geom(node, body, or.radius(), None);
                    }
                    self.slide_joints(node, body, &COORDINATE_AXES);
                    bodies.push(name);
                    places.push([0.0; 3]);
                }
            }
        }
        Vertices { bodies, places }
    }

    /// Adds a body with the mass of a small box.
    fn point_body(
        &mut self,
        node: &Node,
        place: Place,
        name: &str,
        pos: V3,
        mass: f64,
        flexcomp: &Flexcomp,
    ) -> usize {
        self.claim(node, "body", name);
        let half = flexcomp.attr.or_default().inertiabox();
        let inertia = mass * (2.0 * half * half) / 3.0;
        let attr = InertialAttrs::default().pos([0.0; 3]).mass(mass).diaginertia([inertia; 3]);
        let mut body = BodySpec {
            name: name.to_owned(),
            span: node.span,
            parent: place.body,
            inertial: Some(InertialSpec { span: node.span, attr }),
            ..BodySpec::default()
        };
        body.attr.pos = Some(pos);
        self.spec.bodies.push(body);
        self.spec.bodies.len() - 1
    }

    fn slide_joints(&mut self, node: &Node, body: usize, axes: &[V3]) {
        for axis in axes {
            let attr = JointAttrs::default().kind(JointType::Slide).pos([0.0; 3]).axis(*axis);
            let attr = JointSpec::Joint(Box::new(attr));
            self.spec.joints.push(element(node, body, attr));
        }
    }

    fn point_geom(&mut self, node: &Node, body: usize, radius: f64, group: Option<i32>) {
        let mut attr = GeomAttrs::default().kind(GeomType::Sphere).size([radius]);
        attr.group = group;
        self.spec.geoms.push(element(node, body, attr));
    }

    /// The plugin of the bodies: one instance for all of them.
    fn flexcomp_plugin(&mut self, flexcomp: &Flexcomp) -> Option<Box<PluginSpec>> {
        let mut plugin = flexcomp.plugin.clone()?;
        if plugin.instance.is_empty() {
            plugin.instance = format!("flexcomp_{}", flexcomp.name);
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

    /// The constraint of edges or vertices, which has no default class.
    fn flexcomp_equality(&mut self, node: &Node, flexcomp: &Flexcomp) {
        let edge = flexcomp.edge.or_default();
        let kind = match edge.equality() {
            FlexEquality::None => return,
            FlexEquality::Edge => EqualityType::Flex,
            FlexEquality::Vert => EqualityType::FlexVert,
        };
        let attr = EqualityAttrs::default()
            .flex(flexcomp.name.clone())
            .active(true)
            .solref(Partial::from(edge.solref()))
            .solimp(Partial::from(edge.solimp()));
        self.spec.equalities.push(Object {
            name: String::new(),
            class: None,
            span: node.span,
            origin: 0,
            attr: EqualitySpec { kind, attr },
            plugin: None,
            saved: Vec::new(),
            uid: 0,
        });
    }
}

/// Bodies of points or nodes, and their places in them.
struct Vertices {
    bodies: Vec<String>,
    places: Vec<V3>,
}

const COORDINATE_AXES: [V3; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

fn element<A: Default>(node: &Node, body: usize, attr: A) -> Element<A> {
    Element {
        name: String::new(),
        class: None,
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

/// The box around points. MuJoCo begins with a box of ±1e10 (`mjMAXVAL`).
fn bounds(points: &[V3]) -> [V3; 2] {
    let mut bounds: [V3; 2] = [[1e10; 3], [-1e10; 3]];
    for point in points {
        for k in 0..3 {
            bounds[0][k] = bounds[0][k].min(point[k]);
            bounds[1][k] = bounds[1][k].max(point[k]);
        }
    }
    bounds
}
