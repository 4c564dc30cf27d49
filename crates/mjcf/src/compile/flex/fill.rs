//! Copies compiled flexes into the arrays of the model.

use ferrodyn_math::Real;
use ferrodyn_model::Model;

use super::super::fill::{index, vec3};
use super::super::objects::Objects;
use super::{Flex, bends};
use crate::schema::{At, Attributes};

/// First free row of each array.
#[derive(Default)]
pub(super) struct Rows {
    bvh: usize,
    vert: usize,
    node: usize,
    edge: usize,
    elem: usize,
    elemdata: usize,
    elemedge: usize,
    shelldata: usize,
    evpair: usize,
    texcoord: usize,
}

impl Rows {
    /// Rows of a model whose bounding volumes so far are these.
    pub(super) fn after(bvh: usize) -> Self {
        Self { bvh, ..Self::default() }
    }
}

/// Copies rows to where they belong and returns the first of them.
fn put<T, U: Copy>(target: &mut [T], source: &[U], row: &mut usize, make: impl Fn(U) -> T) -> i32 {
    let start = *row;
    for (slot, value) in target[start..].iter_mut().zip(source) {
        *slot = make(*value);
    }
    *row += source.len();
    start as i32
}

/// The address of rows, -1 if there are none.
fn some(address: i32, rows: usize) -> i32 {
    if rows == 0 { -1 } else { address }
}

pub(super) fn flex(m: &mut Model, i: usize, flex: &Flex<'_>, objects: &Objects, rows: &mut Rows) {
    let at = At::Object(i);
    flex.spec.attr.fill(m, at);
    flex.spec.contact.fill(m, at);
    flex.spec.edge.fill(m, at);
    flex.spec.elasticity.fill(m, at);
    m.flex_matid[i] = index(flex.material);
    m.flex_interp[i] = flex.order as i32;
    m.flex_rigid[i] = u8::from(flex.rigid);
    m.flex_centered[i] = u8::from(flex.centered);
    m.flex_size[i] = vec3(&flex.size);
    vertices(m, i, flex, rows);
    elements(m, i, flex, rows);
    edges(m, i, flex, objects, rows);

    // boxes of the tree are computed with the vertices
    let (tree, bvh) = (&flex.tree, rows.bvh);
    m.flex_bvhnum[i] = tree.nodeid.len() as i32;
    m.flex_bvhadr[i] = some(bvh as i32, tree.nodeid.len());
    put(&mut m.bvh_child, &tree.child, &mut { bvh }, |c| c);
    put(&mut m.bvh_depth, &tree.depth, &mut { bvh }, |d| d);
    put(&mut m.bvh_nodeid, &tree.nodeid, &mut rows.bvh, |n| n);
}

fn vertices(m: &mut Model, i: usize, flex: &Flex<'_>, rows: &mut Rows) {
    m.flex_vertnum[i] = flex.vertbody.len() as i32;
    m.flex_nodenum[i] = flex.nodebody.len() as i32;
    let (vert, node) = (rows.vert, rows.node);
    put(&mut m.flex_vert, &flex.vert, &mut { vert }, |v| vec3(&v));
    put(&mut m.flex_vert0, &flex.vert0, &mut { vert }, |v| vec3(&v));
    m.flex_vertadr[i] = put(&mut m.flex_vertbodyid, &flex.vertbody, &mut rows.vert, index);
    put(&mut m.flex_node, &flex.node, &mut { node }, |v| vec3(&v));
    put(&mut m.flex_node0, &flex.node0, &mut { node }, |v| vec3(&v));
    m.flex_nodeadr[i] = put(&mut m.flex_nodebodyid, &flex.nodebody, &mut rows.node, |b| b as i32);
    let address =
        put(&mut m.flex_texcoord, flex.texcoord.as_chunks::<2>().0, &mut rows.texcoord, |t| t);
    m.flex_texcoordadr[i] = some(address, flex.texcoord.len());
}

fn elements(m: &mut Model, i: usize, flex: &Flex<'_>, rows: &mut Rows) {
    let (data, elem) = (rows.elemdata, rows.elem);
    let corners = if flex.texcoord.is_empty() { &flex.elem } else { &flex.elemtexcoord };
    put(&mut m.flex_elemtexcoord, corners, &mut { data }, |t| t);
    m.flex_elemdataadr[i] = put(&mut m.flex_elem, &flex.elem, &mut rows.elemdata, |v| v);
    m.flex_elemnum[i] = flex.shell.layer.len() as i32;
    let stiffness = flex.stiffness.as_chunks::<21>().0;
    put(&mut m.flex_stiffness, stiffness, &mut { elem }, |k| k.map(|x| x as Real));
    m.flex_elemadr[i] = put(&mut m.flex_elemlayer, &flex.shell.layer, &mut rows.elem, |l| l);
    m.flex_elemedgeadr[i] =
        put(&mut m.flex_elemedge, &flex.edges.of_elements, &mut rows.elemedge, |e| e);

    let shell = &flex.shell.fragments;
    m.flex_shellnum[i] = (shell.len() / flex.dim) as i32;
    let address = put(&mut m.flex_shell, shell, &mut rows.shelldata, |v| v);
    m.flex_shelldataadr[i] = some(address, shell.len());
    let pairs = &flex.shell.pairs;
    m.flex_evpairnum[i] = pairs.len() as i32;
    m.flex_evpairadr[i] =
        some(put(&mut m.flex_evpair, pairs, &mut rows.evpair, |p| p), pairs.len());
}

fn edges(m: &mut Model, i: usize, flex: &Flex<'_>, objects: &Objects, rows: &mut Rows) {
    let edges = &flex.edges.vertices;
    let bends = flex.dim == 2 && bends(flex.spec.elasticity.or_default().elastic2d());
    m.flex_edgenum[i] = edges.len() as i32;
    let first = rows.edge;
    put(&mut m.flex_bending, &flex.bending, &mut { first }, |b| b.map(|x| x as Real));
    m.flex_edgeadr[i] = put(&mut m.flex_edge, edges, &mut rows.edge, |e| e);
    for (e, ends) in edges.iter().enumerate() {
        let [_, _, left, right] = flex.edges.flaps[e];
        m.flex_edgeflap[first + e] = if bends { [left, right] } else { [-1, -1] };
        let weld = |v: i32| flex.vertbody[v as usize].map(|b| objects.bodies[b].weld);
        let [a, b] = ends.map(weld);
        m.flexedge_rigid[first + e] = u8::from(flex.rigid || (flex.order == 0 && a == b));
    }
}
