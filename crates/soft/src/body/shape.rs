//! What stays the same of a body: masses and constraints.
use alloc::vec::Vec;
use core::ops::Range;

use ferrodyn_math::{MAX_VAL, Real, Vec3, is_bad};

use super::Material;
use crate::error::check;
use crate::{
    BendingConstraint, Constraint, DistanceConstraint, FlexEdgeConstraint, SoftError,
    VolumeConstraint,
};

/// What stays the same of a body: masses, constraints, material.
///
/// Constraints of one kind lie one after the other, so that a solver goes through memory in order. Among neighbours
/// in that order, few share a vertex: an iteration does not have to wait for the one before it.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    pub(super) dim: usize,
    pub(super) elements: Vec<u32>,
    pub(super) inverse_masses: Vec<Real>,
    pub(super) margin: Real,
    pub(super) material: Material,
    pub(crate) distances: Vec<DistanceConstraint>,
    pub(crate) bends: Vec<BendingConstraint>,
    pub(crate) volumes: Vec<VolumeConstraint>,
    pub(crate) flex_edges: Vec<FlexEdgeConstraint>,
    /// How many vertices the distances up to the end of each block have, counted from the first one.
    pub(super) needed: Vec<usize>,
}

/// How many constraints are put in order together: few enough for their vertices to stay in a fast cache.
const BLOCK: usize = 1024;

/// Put constraints in an order in which neighbours share no vertex: within blocks, by colours that are given greedily.
fn spread_out<T: Copy, const N: usize>(
    items: &mut [T],
    count: usize,
    vertices: fn(&T) -> [u32; N],
) {
    // which colours the constraints of a vertex have; there are rarely more than twenty
    let mut taken = alloc::vec![0_u64; count];
    for block in items.chunks_mut(BLOCK) {
        let mut coloured: Vec<(u32, u32, T)> = Vec::with_capacity(block.len());
        for (i, item) in block.iter().enumerate() {
            let mask = vertices(item).iter().fold(0, |mask, v| mask | taken[*v as usize]);
            // the last colour is for all that find no other
            let colour = (!mask).trailing_zeros().min(63);
            for v in vertices(item) {
                taken[v as usize] |= 1 << colour;
            }
            coloured.push((colour, i as u32, *item));
        }
        for item in block.iter() {
            for v in vertices(item) {
                taken[v as usize] = 0;
            }
        }
        coloured.sort_unstable_by_key(|(colour, i, _)| (*colour, *i));
        for (place, (_, _, item)) in block.iter_mut().zip(coloured) {
            *place = item;
        }
    }
}

impl Shape {
    /// Put all constraints in the order in which they are solved.
    pub(super) fn ordered(mut self) -> Shape {
        let count = self.inverse_masses.len();
        // a stiffness of next to nothing: more would only overflow
        let distances = self.distances.iter_mut().map(|c| &mut c.compliance);
        let bends = self.bends.iter_mut().map(|c| &mut c.compliance);
        let volumes = self.volumes.iter_mut().map(|c| &mut c.compliance);
        for compliance in distances.chain(bends).chain(volumes) {
            *compliance = compliance.min(MAX_VAL);
        }
        spread_out(&mut self.distances, count, |c| c.vertices);
        spread_out(&mut self.bends, count, |c| c.vertices);
        spread_out(&mut self.volumes, count, |c| c.vertices);
        self.count_vertices();
        self
    }

    /// Find out how many vertices the blocks of distances need.
    fn count_vertices(&mut self) {
        let mut needed = 0;
        let most = |block: &[DistanceConstraint]| {
            let vertices = block.iter().flat_map(|c| c.vertices);
            needed = vertices.fold(needed, |most, v| most.max(v as usize + 1));
            needed
        };
        self.needed = self.distances.chunks(BLOCK).map(most).collect();
    }

    /// The distances in blocks, in the order in which they are solved, each with the vertices that no block before has.
    pub(crate) fn distance_blocks(
        &self,
    ) -> impl Iterator<Item = (Range<usize>, &[DistanceConstraint])> {
        let mut before = 0;
        self.distances.chunks(BLOCK).zip(&self.needed).map(move |(block, &needed)| {
            let vertices = before..needed;
            before = needed;
            (vertices, block)
        })
    }

    /// 1: a chain, 2: triangles, 3: tetrahedra.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// The vertices of all elements, `dim + 1` for each.
    pub fn elements(&self) -> &[u32] {
        &self.elements
    }

    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.inverse_masses.len()
    }

    /// Inverse masses of the vertices, in 1/kg; zero is pinned.
    pub fn inverse_masses(&self) -> &[Real] {
        &self.inverse_masses
    }

    /// How far around its vertices the body touches others, in m.
    pub fn margin(&self) -> Real {
        self.margin
    }

    /// What it is made of.
    pub fn material(&self) -> &Material {
        &self.material
    }

    /// Every constraint, in the order in which they are solved.
    pub fn constraints(&self) -> impl Iterator<Item = Constraint> + '_ {
        let distances = self.distances.iter().map(|c| Constraint::Distance(*c));
        let edges = self.flex_edges.iter().map(|c| Constraint::FlexEdge(*c));
        let bends = self.bends.iter().map(|c| Constraint::Bending(*c));
        let volumes = self.volumes.iter().map(|c| Constraint::Volume(*c));
        distances.chain(edges).chain(bends).chain(volumes)
    }

    /// Add a constraint. Collisions are found anew in every step, and refused here.
    pub(super) fn add_constraint(&mut self, constraint: Constraint) -> Result<(), SoftError> {
        let (what, count) = ("constraint", self.vertex_count());
        let index = self.constraints().count();
        for &vertex in constraint.vertices() {
            let vertex = vertex as usize;
            if vertex >= count {
                return Err(SoftError::NoSuchVertex { what, index, vertex, count });
            }
        }
        let compliance = constraint.compliance();
        let fits = (0.0..=MAX_VAL).contains(&compliance);
        check("compliance", compliance, fits, "between zero and 1e10")?;
        match constraint {
            Constraint::Distance(c) => {
                check("rest length", c.rest, c.rest >= 0.0, "zero or more")?;
                self.distances.push(c);
            }
            Constraint::Bending(c) => {
                for k in c.weights {
                    check("weight of a bend", k, true, "finite")?;
                }
                check("rest of a bend", c.rest, c.rest >= 0.0, "zero or more")?;
                self.bends.push(c);
            }
            Constraint::Volume(c) => {
                check("rest volume", c.rest, c.rest > 0.0, "more than zero")?;
                self.volumes.push(c);
            }
            Constraint::FlexEdge(c) => self.flex_edges.push(c),
            Constraint::Collision(_) => {
                return Err(SoftError::Degenerate { what: "collision constraint", index });
            }
        }
        self.count_vertices();
        Ok(())
    }

    /// Check what a body that is not ours says of itself: its arrays have one entry for each vertex, and are numbers.
    pub fn check(&self, positions: &[Vec3], velocities: &[Vec3]) -> Result<(), SoftError> {
        self.material.check()?;
        check("margin", self.margin, self.margin > 0.0, "more than zero")?;
        let count = self.vertex_count();
        for (what, values) in [("position", positions), ("velocity", velocities)] {
            if values.len() != count {
                return Err(SoftError::TooFewVertices { found: values.len(), needed: count });
            }
            // what a step would call diverged cannot be where it begins
            if let Some(vertex) = values.iter().position(|x| x.0.iter().any(|x| is_bad(*x))) {
                return Err(SoftError::NotFinite { what, vertex });
            }
        }
        let bad = |w: &Real| !w.is_finite() || *w < 0.0;
        match self.inverse_masses.iter().position(bad) {
            Some(vertex) => Err(SoftError::NotFinite { what: "inverse mass", vertex }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::{Cloth, ClothConfig, DeformableBody};

    #[test]
    fn neighbours_in_the_order_share_no_vertex_and_nothing_is_lost() {
        let cloth = Cloth::grid([40, 40], [0.02; 2], Vec3::ZERO, ClothConfig::cotton()).unwrap();
        let distances = &cloth.shape().distances;
        assert_eq!(distances.len(), 2 * 39 * 40 + 39 * 39);
        let sharing = |a: &DistanceConstraint, b: &DistanceConstraint| {
            a.vertices.iter().any(|v| b.vertices.contains(v))
        };
        let shared = distances.windows(2).filter(|w| sharing(&w[0], &w[1])).count();
        assert!(shared < distances.len() / 50, "{shared}");
        let mut pairs: Vec<[u32; 2]> = distances.iter().map(|c| c.vertices).collect();
        pairs.sort_unstable();
        pairs.dedup();
        assert_eq!(pairs.len(), distances.len());
    }

    #[test]
    fn vertices_come_with_the_first_block_that_needs_them() {
        let mut cloth =
            Cloth::grid([40, 40], [0.02; 2], Vec3::ZERO, ClothConfig::cotton()).unwrap();
        let far = DistanceConstraint { vertices: [3, 1597], rest: 1.0, compliance: 0.0 };
        cloth.add_constraint(Constraint::Distance(far)).unwrap();
        let shape = cloth.shape();
        let (mut flown, mut solved) = (0, Vec::new());
        for (vertices, block) in shape.distance_blocks() {
            assert_eq!(vertices.start, flown);
            flown = vertices.end;
            assert!(block.iter().flat_map(|c| c.vertices).all(|v| (v as usize) < flown));
            // no more than a row of the grid ahead
            let last = block.iter().map(|c| c.vertices[0].min(c.vertices[1])).max();
            assert!(flown <= last.unwrap() as usize + 42, "{flown} {last:?}");
            solved.extend_from_slice(block);
        }
        assert_eq!((flown, solved.last()), (1600, Some(&far)));
        assert_eq!(solved, shape.distances);
    }
}
