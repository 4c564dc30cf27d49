//! Consistency of flexes: vertices, edges, elements, trees, and the patterns of their Jacobians.
use ferrodyn_math::Stack;

use crate::validate::{InvalidModel, blocks, ids};
use crate::validate_mesh::{MAX_TREE_DEPTH, bad, id, rows, tree};
use crate::{FlexElasticityType, Model, Storage};

/// Edges of a line, a triangle and a tetrahedron.
const ELEMENT_EDGES: [usize; 3] = [1, 3, 6];

/// A block of `count` entries of `width` that begins at `adr` lies in `0..max`.
fn block(
    field: &'static str,
    index: usize,
    adr: i32,
    count: usize,
    max: usize,
) -> Result<core::ops::Range<usize>, InvalidModel> {
    if count == 0 {
        return Ok(0..0);
    }
    let start = id(field, index, adr, max)?;
    match start.checked_add(count).filter(|end| *end <= max) {
        Some(end) => Ok(start..end),
        None => Err(bad(field, index, adr)),
    }
}

impl<S: Storage> Model<S> {
    /// What the stages of flexes index.
    pub(crate) fn validate_flexes(&self, stack: &mut Stack<'_>) -> Result<(), InvalidModel> {
        blocks("flex_vertadr", &self.flex_vertadr, &self.flex_vertnum, self.nflexvert)?;
        blocks("flex_nodeadr", &self.flex_nodeadr, &self.flex_nodenum, self.nflexnode)?;
        blocks("flex_edgeadr", &self.flex_edgeadr, &self.flex_edgenum, self.nflexedge)?;
        blocks("flex_elemadr", &self.flex_elemadr, &self.flex_elemnum, self.nflexelem)?;
        blocks("flex_evpairadr", &self.flex_evpairadr, &self.flex_evpairnum, self.nflexevpair)?;
        blocks("flex_bvhadr", &self.flex_bvhadr, &self.flex_bvhnum, self.nbvh)?;
        ids("flex_texcoordadr", &self.flex_texcoordadr, -1, self.nflextexcoord)?;
        ids("flex_matid", &self.flex_matid, -1, self.nmat)?;
        ids("flex_nodebodyid", &self.flex_nodebodyid, 0, self.nbody)?;
        ids("flex_vertbodyid", &self.flex_vertbodyid, -1, self.nbody)?;
        let (adr, num) = (&self.flex_vertedgeadr, &self.flex_vertedgenum);
        blocks("flex_vertedgeadr", adr, num, 2 * self.nflexedge)?;
        let (adr, num) = (&self.flexedge_J_rowadr, &self.flexedge_J_rownnz);
        blocks("flexedge_J_rowadr", adr, num, self.nJfe)?;
        let (adr, num) = (&self.flexvert_J_rowadr, &self.flexvert_J_rownnz);
        let (adr, num) = (adr.as_flattened(), num.as_flattened());
        blocks("flexvert_J_rowadr", adr, num, 2 * self.nJfv)?;
        ids("flexedge_J_colind", &self.flexedge_J_colind, 0, self.nv)?;
        ids("flexvert_J_colind", self.flexvert_J_colind.as_flattened(), 0, self.nv)?;
        blocks("flex_hingeadr", &self.flex_hingeadr, &self.flex_hingenum, self.nflexhinge)?;
        for flex in 0..self.nflex {
            self.validate_flex(flex)?;
            self.validate_material(flex)?;
            self.validate_flex_tree(flex, stack.scope())?;
        }
        Ok(())
    }

    fn validate_flex(&self, flex: usize) -> Result<(), InvalidModel> {
        let dim = self.flex_dim[flex];
        if !(1..=3).contains(&dim) {
            return Err(bad("flex_dim", flex, dim));
        }
        let dim = dim as usize;
        // interpolation between the nodes of a box of first or second order
        let order = id("flex_interp", flex, self.flex_interp[flex], 3)?;
        let nodes = if order == 0 { 0 } else { (order + 1).pow(3) };
        if self.flex_nodenum[flex] as usize != nodes {
            return Err(bad("flex_nodenum", flex, self.flex_nodenum[flex]));
        }
        let (count, elements) =
            (self.flex_vertnum[flex] as usize, self.flex_elemnum[flex] as usize);
        let edges = self.flex_edgenum[flex] as usize;
        let vertices = rows(self.flex_vertadr[flex], self.flex_vertnum[flex]);
        if order == 0 {
            for v in vertices.clone() {
                id("flex_vertbodyid", v, self.flex_vertbodyid[v], self.nbody)?;
            }
        }
        for v in vertices {
            let list = self.flex_vertedge.as_flattened();
            for i in rows(self.flex_vertedgeadr[v], self.flex_vertedgenum[v]) {
                id("flex_vertedge", i, list[i], edges)?;
            }
        }
        for e in rows(self.flex_edgeadr[flex], self.flex_edgenum[flex]) {
            for v in self.flex_edge[e] {
                id("flex_edge", e, v, count)?;
            }
            for v in self.flex_edgeflap[e].iter().filter(|v| **v != -1) {
                id("flex_edgeflap", e, *v, count)?;
            }
        }
        let adr = self.flex_elemdataadr[flex];
        let size = elements.saturating_mul(dim + 1);
        for i in block("flex_elemdataadr", flex, adr, size, self.nflexelemdata)? {
            id("flex_elem", i, self.flex_elem[i], count)?;
        }
        let adr = self.flex_elemedgeadr[flex];
        let size = elements.saturating_mul(ELEMENT_EDGES[dim - 1]);
        for i in block("flex_elemedgeadr", flex, adr, size, self.nflexelemedge)? {
            id("flex_elemedge", i, self.flex_elemedge[i], edges)?;
        }
        let (adr, num) = (self.flex_shelldataadr[flex], self.flex_shellnum[flex]);
        let num = usize::try_from(num).map_err(|_| bad("flex_shellnum", flex, num))?;
        let size = num.saturating_mul(dim);
        for i in block("flex_shelldataadr", flex, adr, size, self.nflexshelldata)? {
            id("flex_shell", i, self.flex_shell[i], count)?;
        }
        for i in rows(self.flex_evpairadr[flex], self.flex_evpairnum[flex]) {
            let [element, vertex] = self.flex_evpair[i];
            id("flex_evpair", i, element, elements)?;
            id("flex_evpair", i, vertex, count)?;
        }
        Ok(())
    }

    /// What the laws beyond MuJoCo index: hinges between triangles, and elements at rest.
    fn validate_material(&self, flex: usize) -> Result<(), InvalidModel> {
        let vertices = self.flex_vertnum[flex] as usize;
        let edges = self.flex_edgenum[flex] as usize;
        for h in rows(self.flex_hingeadr[flex], self.flex_hingenum[flex]) {
            for v in self.flexhinge_vert[h] {
                id("flexhinge_vert", h, v, vertices)?;
            }
            for e in self.flexhinge_edge[h] {
                id("flexhinge_edge", h, e, edges)?;
            }
        }
        if self.elasticity_model(flex) == Some(FlexElasticityType::NeoHookean)
            && self.flex_restadr[flex] != -1
        {
            let (adr, count) = (self.flex_restadr[flex], self.flex_elemnum[flex] as usize);
            // lines have no such law, and interpolated vertices no degrees of freedom for it
            if self.flex_dim[flex] < 2 || self.flex_interp[flex] != 0 {
                return Err(bad("flex_restadr", flex, adr));
            }
            block("flex_restadr", flex, adr, count, self.nflexrest)?;
        }
        if self.flex_hingenum[flex] > 0 && (self.flex_dim[flex] != 2 || self.flex_interp[flex] != 0)
        {
            return Err(bad("flex_hingenum", flex, self.flex_hingenum[flex]));
        }
        Ok(())
    }

    fn validate_flex_tree(&self, flex: usize, stack: Stack<'_>) -> Result<(), InvalidModel> {
        let nodes = rows(self.flex_bvhadr[flex], self.flex_bvhnum[flex]);
        // the boxes of flexes come after those that never change
        let dynamic = self.nbvhstatic..self.nbvhstatic.saturating_add(self.nbvhdynamic);
        let outside = nodes.start < dynamic.start || nodes.end > dynamic.end;
        if !nodes.is_empty() && outside {
            return Err(bad("flex_bvhadr", flex, self.flex_bvhadr[flex]));
        }
        let children = &self.bvh_child[nodes.clone()];
        tree("bvh_child", nodes.start, children, MAX_TREE_DEPTH, stack)?;
        let elements = self.flex_elemnum[flex] as usize;
        for node in nodes {
            if self.bvh_nodeid[node] != -1 {
                id("bvh_nodeid", node, self.bvh_nodeid[node], elements)?;
            }
        }
        Ok(())
    }
}
