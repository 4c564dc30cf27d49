//! Compiles flexes: deformable objects made of lines, triangles or tetrahedra between vertices.
//!
//! | file | what it makes |
//! |---|---|
//! | [`edge`] | edges, and the triangles on both sides of each |
//! | [`shell`] | the surface, how deep elements lie below it, and the pairs that collide within a flex |
//! | [`stretch`] | resistance of elements to changes of the lengths of their edges |
//! | [`bend`] | resistance of edges to bending |
//! | [`material`] | laws beyond MuJoCo's: what they need, and what they refuse |
//! | [`interpolate`] | resistance of a box whose vertices are interpolated between nodes |
//! | [`fill`] | the arrays of the model |

mod bend;
mod edge;
mod fill;
mod interpolate;
mod material;
mod shell;
mod stretch;

use ferrodyn_model::{FlexBendingType, FlexSelf, Model, ObjType, Sizes};

use self::edge::Edges;
pub(super) use self::material::check_rest;
use self::shell::Shell;
use super::index::{Index, Wanted};
use super::objects::Objects;
use super::resolve::Elements;
use super::tree::problem;
use crate::bvh::{Bounds, Bvh};
use crate::error::Sink;
use crate::keywords::Elastic2d;
use crate::pose::{self, V3, cross, dot, double, sub};
use crate::spec::{FlexSpec, Object, Spec};
use ferrodyn_math::MIN_VAL;

/// A compiled flex.
#[derive(Clone, Debug)]
pub(super) struct Flex<'a> {
    spec: &'a FlexSpec,
    dim: usize,
    material: Option<usize>,
    /// Order of the interpolation between nodes; 0 where vertices move by themselves.
    order: usize,
    rigid: bool,
    centered: bool,
    /// Body of each vertex; none of interpolated ones.
    vertbody: Vec<Option<usize>>,
    nodebody: Vec<usize>,
    vert: Vec<V3>,
    node: Vec<V3>,
    /// Vertices as shares of the box around the flex.
    vert0: Vec<V3>,
    node0: Vec<V3>,
    size: V3,
    elem: Vec<i32>,
    texcoord: Vec<f32>,
    elemtexcoord: Vec<i32>,
    edges: Edges,
    shell: Shell,
    stiffness: Vec<f64>,
    bending: Vec<[f64; 17]>,
    tree: Bvh,
}

/// What flexes refer to.
pub(super) struct FlexCompiler<'a, 'b> {
    pub(super) spec: &'a Spec,
    pub(super) elements: &'b Elements<'a>,
    pub(super) objects: &'b Objects,
    pub(super) index: &'b Index<'a>,
    pub(super) sink: &'b mut Sink,
}

impl<'a> FlexCompiler<'a, '_> {
    /// Compiles all flexes; what cannot be compiled is reported.
    pub(super) fn run(mut self) -> Vec<Flex<'a>> {
        let mut list = Vec::with_capacity(self.spec.flexes.len());
        for object in &self.spec.flexes {
            match self.flex(object) {
                Ok(flex) => list.extend(flex),
                Err(message) => {
                    self.sink.error(problem("flex", &object.name, object.span, &message));
                }
            }
        }
        list
    }

    /// One flex; none if a name that is not found was reported.
    fn flex(&mut self, object: &'a Object<FlexSpec>) -> Result<Option<Flex<'a>>, String> {
        let spec = &object.attr;
        let attr = spec.attr.or_default();
        let (bodies, nodes) = (attr.body().0, attr.node().0);
        let interpolated = !nodes.is_empty();
        check(spec, interpolated)?;
        let dim = attr.dim() as usize;
        let mut elem = attr.element();
        let given = attr.vertex();
        let (vert, rest) = given.as_chunks::<3>();
        let vert = vert.to_vec();
        if !rest.is_empty() {
            return Err(String::from("'vertex' must have three numbers for each vertex"));
        }

        // vertices that are not given lie at the origins of their bodies
        let mut centered = vert.is_empty();
        let count = if centered { bodies.len() } else { vert.len() };
        let mut rigid = !centered && bodies.len() == 1;
        if rigid && interpolated {
            return Err(String::from("an interpolated flex needs a body for each vertex"));
        }
        if !centered && !rigid && bodies.len() != count {
            return Err(format!("'body' must have one name, or {count} for the vertices"));
        }
        if count < dim + 1 {
            return Err(String::from("there are too few vertices"));
        }
        let order = match nodes.len() {
            0 => 0,
            8 => 1,
            27 => 2,
            n => return Err(format!("there must be 8 or 27 nodes, not {n}")),
        };
        check_elements(&elem, dim, count)?;
        let texcoord = attr.texcoord();
        let mut elemtexcoord = attr.elemtexcoord();
        if !texcoord.is_empty() && texcoord.len() != 2 * count && elemtexcoord.is_empty() {
            return Err(String::from("'texcoord' must have two numbers for each vertex"));
        }
        let outside =
            |id: &&i32| usize::try_from(**id).map_or(true, |i| 2 * i + 1 >= texcoord.len());
        if let Some(id) = elemtexcoord.iter().find(outside).filter(|_| !texcoord.is_empty()) {
            return Err(format!("there are no texture coordinates {id}"));
        }

        // what the flex refers to
        let material = attr.material();
        let material = match material.as_str() {
            "" => None,
            name => match self.find(object, ObjType::Material, "material", name) {
                None => return Ok(None),
                found => found,
            },
        };
        let Some(vertbody) = self.bodies(object, "body", &bodies) else { return Ok(None) };
        let Some(nodebody) = self.bodies(object, "node", &nodes) else { return Ok(None) };
        let bends = dim == 2 && bends(spec.elasticity.or_default().elastic2d());
        // Bridson's hinges move any body, MuJoCo's bending only slides
        let bends = bends && attr.bending_model() != FlexBendingType::Bridson;
        let slides = |b: &usize| self.elements.joints.of_body(*b).len() == 3;
        if bends && !vertbody.iter().all(slides) {
            return Err(String::from(
                "bending needs three joints for each vertex: pins are not supported",
            ));
        }

        // where everything is at the start
        rigid |= !interpolated && vertbody.iter().all(|b| *b == vertbody[0]);
        let node = attr.nodepos().as_chunks::<3>().0.to_vec();
        centered |= match interpolated {
            false => vert.iter().flatten().all(|x| *x == 0.0),
            true => node.iter().flatten().all(|x| *x == 0.0),
        };
        if interpolated && (vert.is_empty() || (!centered && node.len() != nodebody.len())) {
            return Err(String::from(
                "an interpolated flex needs the positions of its vertices and nodes",
            ));
        }
        let vertbody = if rigid { vec![vertbody[0]; count] } else { vertbody };
        let offsets = (!centered || interpolated).then_some(vert.as_slice());
        let vertxpos = self.places(&vertbody, offsets);
        let node0 = self.places(&nodebody, (!centered).then_some(node.as_slice()));

        if dim == 3 {
            turn_outwards(&mut elem, &vertxpos);
        }
        if elemtexcoord.is_empty() && !texcoord.is_empty() {
            // MuJoCo takes three numbers for each element, whatever its dimension, from before any turn
            elemtexcoord = attr.element();
            elemtexcoord.truncate(3 * elem.len() / (dim + 1));
            elemtexcoord.resize(elem.len(), 0);
        }
        material::check(spec, dim, interpolated)?;
        let edges = Edges::new(&elem, dim);
        let (stiffness, bending) = elasticity(spec, dim, order, &elem, &vertxpos, &node0, &edges)?;
        if !rigid {
            stretch::check_stiffness(&stiffness, &bending, order)?;
        }
        let shell = Shell::new(&elem, dim);
        let radius = attr.radius();
        let layers = spec.contact.or_default().activelayers();
        let tree = element_tree(&elem, dim, &vertxpos, radius, &shell.layer, layers);
        let Some(around) = tree.aabb.first() else {
            return Err(String::from("'activelayers' leaves no element"));
        };
        let size = core::array::from_fn(|k| around[3 + k] - radius);
        let share = |v: &V3| -> V3 {
            core::array::from_fn(|k| match size[k] > double(MIN_VAL) {
                true => (v[k] - around[k]) / (2.0 * size[k]) + 0.5,
                false => 0.5,
            })
        };
        Ok(Some(Flex {
            spec,
            dim,
            material,
            order,
            rigid,
            centered,
            vertbody: vertbody.iter().map(|b| (!interpolated).then_some(*b)).collect(),
            nodebody,
            vert0: vertxpos.iter().map(share).collect(),
            vert: if centered && !interpolated { vec![[0.0; 3]; count] } else { vert },
            node: if centered { vec![[0.0; 3]; nodes.len()] } else { node },
            node0,
            size,
            elem,
            texcoord,
            elemtexcoord,
            edges,
            shell,
            stiffness,
            bending,
            tree,
        }))
    }

    fn find(
        &mut self,
        object: &Object<FlexSpec>,
        kind: ObjType,
        attribute: &str,
        name: &str,
    ) -> Option<usize> {
        self.index.expect(&Wanted::by(object, "flex", attribute, kind, Some(name)), self.sink)
    }

    /// Bodies by their names; none if one was not found.
    fn bodies(
        &mut self,
        object: &Object<FlexSpec>,
        attribute: &str,
        names: &[String],
    ) -> Option<Vec<usize>> {
        names.iter().map(|name| self.find(object, ObjType::Body, attribute, name)).collect()
    }

    /// Places in the world, of the origins of bodies or of points in them.
    fn places(&self, bodies: &[usize], offsets: Option<&[V3]>) -> Vec<V3> {
        let place = |(i, body): (usize, &usize)| {
            let world = &self.objects.bodies[*body].world;
            match offsets {
                None => world.pos,
                Some(offsets) => pose::add(&world.pos, &pose::rotate(&offsets[i], &world.quat)),
            }
        };
        bodies.iter().enumerate().map(place).collect()
    }
}

/// Whether a shell resists bending.
fn bends(elastic: Elastic2d) -> bool {
    matches!(elastic, Elastic2d::Bend | Elastic2d::Both)
}

/// What MuJoCo refuses before it looks at names.
fn check(spec: &FlexSpec, interpolated: bool) -> Result<(), String> {
    let attr = spec.attr.or_default();
    let contact = spec.contact.or_default();
    let fail = |message: &str| Err(message.to_owned());
    if !(1..=3).contains(&attr.dim()) {
        return fail("'dim' must be 1, 2 or 3");
    }
    if attr.element().is_empty() {
        return fail("there are no elements");
    }
    if attr.body().0.is_empty() && !interpolated {
        return fail("there are no bodies");
    }
    if spec.edge.or_default().stiffness() > 0.0 && attr.dim() > 1 {
        return fail("stiffness of edges is only there for lines; use <elasticity>");
    }
    if interpolated && contact.selfcollide() != FlexSelf::None {
        return fail("an interpolated flex cannot collide with itself: 'selfcollide' must be none");
    }
    if ![1, 3, 4, 6].contains(&contact.condim()) {
        return fail("'condim' must be 1, 3, 4 or 6");
    }
    if interpolated && contact.internal() {
        return fail("an interpolated flex has no internal collisions");
    }
    Ok(())
}

/// Elements are made of different vertices that exist.
fn check_elements(elem: &[i32], dim: usize, count: usize) -> Result<(), String> {
    if !elem.len().is_multiple_of(dim + 1) {
        return Err(format!("'element' must have {} vertices for each element", dim + 1));
    }
    if let Some(id) = elem.iter().find(|id| usize::try_from(**id).map_or(true, |i| i >= count)) {
        return Err(format!("an element has the vertex {id}, but there are only {count}"));
    }
    for (e, ids) in elem.chunks_exact(dim + 1).enumerate() {
        if (1..ids.len()).any(|k| ids[..k].contains(&ids[k])) {
            return Err(format!("element {e} has a vertex twice"));
        }
    }
    Ok(())
}

/// Makes the faces `(0 1 2)`, `(0 2 3)`, `(0 3 1)`, `(1 3 2)` of tetrahedra look outwards.
fn turn_outwards(elem: &mut [i32], vert: &[V3]) {
    for ids in elem.as_chunks_mut::<4>().0 {
        let [a, b, c, d] = ids.map(|id| &vert[id as usize]);
        if dot(&cross(&sub(b, a), &sub(c, a)), &sub(d, a)) > 0.0 {
            ids.swap(1, 2);
        }
    }
}

/// Stiffness of elements and of bending edges; empty where there is none.
fn elasticity(
    spec: &FlexSpec,
    dim: usize,
    order: usize,
    elem: &[i32],
    vert: &[V3],
    node: &[V3],
    edges: &Edges,
) -> Result<(Vec<f64>, Vec<[f64; 17]>), String> {
    let elastic = spec.elasticity.or_default();
    let (young, poisson, thickness) = (elastic.young(), elastic.poisson(), elastic.thickness());
    if young <= 0.0 {
        return Ok((Vec::new(), Vec::new()));
    }
    if !(0.0..0.5).contains(&poisson) {
        return Err(String::from("'poisson' must be at least 0 and less than 0.5"));
    }
    let count = elem.len() / (dim + 1);
    let stretches = matches!(elastic.elastic2d(), Elastic2d::Stretch | Elastic2d::Both);
    let mut stiffness = vec![0.0; 21 * count];
    if order > 0 {
        // one matrix for all nodes lies in the rows of the elements
        let least = 9 * node.len() * node.len() / 21;
        if count < least {
            return Err(format!(
                "elasticity of an interpolated flex needs at least {least} elements"
            ));
        }
        let matrix = interpolate::stiffness(node, young, poisson, order);
        for (slot, x) in stiffness.iter_mut().zip(matrix) {
            *slot = x;
        }
    } else if dim == 3 || (dim == 2 && stretches && thickness > 0.0) {
        let elements = elem.chunks_exact(dim + 1);
        for (ids, row) in elements.zip(stiffness.as_chunks_mut::<21>().0) {
            if dim == 3 {
                stretch::tetrahedron(row, vert, ids, young, poisson);
            } else {
                stretch::triangle(row, vert, ids, young, poisson, thickness);
            }
        }
    }
    if dim != 2 || !bends(elastic.elastic2d()) {
        return Ok((stiffness, Vec::new()));
    }
    if thickness < 0.0 {
        return Err(String::from("'thickness' must be positive for bending"));
    }
    let shear = young / (2.0 * (1.0 + poisson));
    let bending = edges.flaps.iter().map(|flap| bend::bending(vert, flap, shear, thickness));
    Ok((stiffness, bending.collect()))
}

/// The tree of boxes around elements; of tetrahedra, around those of the active layers. MuJoCo: `CreateBVH`.
fn element_tree(
    elem: &[i32],
    dim: usize,
    vert: &[V3],
    radius: f64,
    layer: &[i32],
    layers: i32,
) -> Bvh {
    let active: Vec<usize> = (0..layer.len()).filter(|&e| dim < 3 || layer[e] < layers).collect();
    let boxes: Vec<[V3; 2]> = active
        .iter()
        .map(|&e| {
            let ids = &elem[e * (dim + 1)..(e + 1) * (dim + 1)];
            let along = |k: usize| ids.iter().map(move |id| vert[*id as usize][k]);
            let low: V3 = core::array::from_fn(|k| along(k).fold(f64::INFINITY, f64::min));
            let high: V3 = core::array::from_fn(|k| along(k).fold(f64::NEG_INFINITY, f64::max));
            let centre: V3 = core::array::from_fn(|k| 0.5 * (high[k] + low[k]));
            let half = core::array::from_fn(|k| 0.5 * (high[k] - low[k]) + radius);
            [centre, half]
        })
        .collect();
    let bounds: Vec<Bounds> = boxes.iter().map(|[c, h]| [sub(c, h), pose::add(c, h)]).collect();
    let mut tree = Bvh::new(&bounds, boxes.iter().map(|[centre, _]| *centre));
    for id in tree.nodeid.iter_mut().filter(|id| **id >= 0) {
        *id = active[*id as usize] as i32;
    }
    tree
}

/// Adds the sizes of the arrays of flexes.
pub(super) fn add_sizes(flexes: &[Flex<'_>], objects: &Objects, sizes: &mut Sizes) {
    sizes.nflex = flexes.len();
    for flex in flexes {
        let count = flex.elem.len() / (flex.dim + 1);
        sizes.nflexnode += flex.nodebody.len();
        sizes.nflexvert += flex.vertbody.len();
        sizes.nflexedge += flex.edges.vertices.len();
        sizes.nflexelem += count;
        sizes.nflexelemdata += flex.elem.len();
        sizes.nflexelemedge += flex.edges.of_elements.len();
        sizes.nflexshelldata += flex.shell.fragments.len();
        sizes.nflexevpair += flex.shell.pairs.len();
        sizes.nflextexcoord += flex.texcoord.len() / 2;
        sizes.nbvhdynamic += flex.tree.nodeid.len();
        sizes.nbvh += flex.tree.nodeid.len();
        if flex.order == 0 && !flex.rigid {
            jacobian_sizes(flex, objects, sizes);
        }
    }
}

/// Adds the entries of the Jacobians: for each edge the degrees of freedom that move its ends, for each vertex those
/// that move it and the vertices next to it.
fn jacobian_sizes(flex: &Flex<'_>, objects: &Objects, sizes: &mut Sizes) {
    // bodies that were counted for the set in question
    let mut seen = vec![usize::MAX; objects.bodies.len()];
    let mut set = 0;
    let mut dofs = |vertices: &mut dyn Iterator<Item = usize>| {
        let mut sum = 0;
        for vertex in vertices {
            let mut body = flex.vertbody[vertex].unwrap_or(0);
            while body != 0 && seen[body] != set {
                seen[body] = set;
                sum += objects.bodies[body].dofnum;
                body = objects.bodies[body].parent;
            }
        }
        set += 1;
        sum
    };
    let mut next: Vec<Vec<usize>> = (0..flex.vertbody.len()).map(|v| vec![v]).collect();
    for edge in &flex.edges.vertices {
        let [a, b] = edge.map(|v| v as usize);
        sizes.nJfe += dofs(&mut [a, b].into_iter());
        next[a].push(b);
        next[b].push(a);
    }
    for vertices in next {
        sizes.nJfv += dofs(&mut vertices.into_iter());
    }
}

/// Fills the arrays of flexes; the trees of bodies and meshes are already there.
pub(super) fn fill(m: &mut Model, flexes: &[Flex<'_>], objects: &Objects) {
    let mut rows = fill::Rows::after(m.nbvhstatic);
    for (i, flex) in flexes.iter().enumerate() {
        fill::flex(m, i, flex, objects, &mut rows);
    }
}

/// MuJoCo needs flexes whose strain is constrained to lie in a horizontal plane.
pub(super) fn check_planes(m: &Model, spec: &Spec, sink: &mut Sink) {
    for (f, object) in spec.flexes.iter().enumerate() {
        let constrained = m.flex_dim[f] == 2 && m.flex_edgeequality[f] == 2;
        if !constrained || m.flex_rigid[f] != 0 || m.flex_interp[f] != 0 {
            continue;
        }
        let vertex = |v: i32| m.flex_vert0[(m.flex_vertadr[f] + v) as usize];
        let first = m.flex_edgeadr[f] as usize;
        let rises = |&[a, b]: &[i32; 2]| {
            ((vertex(b)[2] - vertex(a)[2]) * (2.0 * m.flex_size[f][2])).abs() > MIN_VAL
        };
        if m.flex_edge[first..first + m.flex_edgenum[f] as usize].iter().any(rises) {
            let message =
                "the vertices must lie in a horizontal plane for a constraint of vertices";
            sink.error(problem("flex", &object.name, object.span, message));
        }
    }
}

/// Whether a flex is rigid, by its number.
pub(super) fn is_rigid(flexes: &[Flex<'_>], flex: usize) -> bool {
    flexes.get(flex).is_some_and(|f| f.rigid)
}
