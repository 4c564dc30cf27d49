//! An axis that separated two convex shapes once, tried before they are searched again.
//!
//! Shapes move little from step to step, so that the axis along which they were apart, fixed to the first of them, most often still
//! separates them: `max { d·x : x in A } < min { d·y : y in B }` for one direction `d` proves that they do not meet, whatever `d` is
//! and wherever it comes from. So a guess can be wrong and costs time then; it cannot change a result.
//!
//! What a search starts from is not kept: which of several equally good answers it finds depends on its start.
use bytemuck::{Pod, Zeroable};
use ferrodyn_math::{Real, Vec3, by_precision, double};

use super::{Convex, ConvexShape};

/// What is remembered of a pair of shapes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Separation {
    /// Whose shapes they are; to be compared by the caller.
    pub owner: [u32; 2],
    /// Hull vertices that were the farthest along the axis: where to begin to look.
    vertex: [u32; 2],
    /// The axis in the frame of the first shape, from it to the second; zero if none is known. Single precision is enough for a guess.
    axis: [f32; 3],
    /// Fills the last word.
    unused: u32,
}

/// What rounding can be off in the reach of a shape, relative to lengths: some hundred units of the last place, since a hull made of
/// rounded vertices is convex only up to those.
const ROUNDING: Real = by_precision(1e-12, 1e-4);

impl Separation {
    /// Nothing is known of the shapes of some owners yet.
    pub fn unknown(owner: [u32; 2]) -> Separation {
        Separation { owner, ..Separation::default() }
    }

    /// The axis in the frame of the first shape.
    pub fn axis(&self) -> [f32; 3] {
        self.axis
    }

    /// Keep an axis in the frame of the first shape.
    pub fn keep(&mut self, axis: [f32; 3]) {
        self.axis = axis;
    }

    /// Keep an axis that points from shape `a` to the other, in the frame of the world, or that there is none.
    pub(super) fn keep_world(&mut self, a: &Convex<'_>, axis: Option<Vec3>) {
        let local = a.pose.mat.mul_transposed(axis.unwrap_or(Vec3::ZERO));
        self.axis = local.0.map(|x| double(x) as f32);
    }

    /// Does the axis prove that the shapes, grown by their margins, are farther apart than a search can be off, `tolerance`?
    pub(super) fn proves_apart(&mut self, a: &Convex<'_>, b: &Convex<'_>, tolerance: Real) -> bool {
        if self.axis == [0.0; 3] {
            return false;
        }
        let axis = &a.pose.mat * Vec3(self.axis.map(Real::from));
        let [from_a, from_b] = &mut self.vertex;
        let (Some(reach_a), Some(reach_b)) = (a.reach(axis, from_a), b.reach(-axis, from_b)) else {
            return false;
        };
        // how far the second shape begins after the first one ends, along the axis
        let gap = (b.pose.pos - a.pose.pos).dot(axis) - reach_a - reach_b;
        let lengths = b.pose.pos.norm() + a.pose.pos.norm() + reach_a.abs() + reach_b.abs();
        // a search that is off by its tolerance takes shapes for touching that are not; twice that is out of its reach
        gap > 2.0 * tolerance + ROUNDING * lengths
    }
}

impl Convex<'_> {
    /// How far the grown shape reaches from its position along a unit direction, `max d·(x - pos)`; unknown for shapes that have no
    /// position. A hull is walked from `vertex`, which becomes the vertex that was found.
    fn reach(&self, dir: Vec3, vertex: &mut u32) -> Option<Real> {
        if let Some(reach) = self.grown_half_width(dir) {
            return Some(reach);
        }
        let ConvexShape::Mesh(mesh) = &self.shape else { return None };
        let dir = self.pose.mat.mul_transposed(dir);
        let found = match mesh.graph {
            Some(graph) if !graph.edge_address.is_empty() => {
                // a vertex that another mesh had may not be there
                let start = (*vertex as usize).min(graph.edge_address.len() - 1);
                let found = mesh.climb_from(dir, start);
                *vertex = found as u32;
                mesh.graph_vertex(found)
            }
            _ if mesh.vertices.is_empty() => return None,
            _ => mesh.farthest(dir, None),
        };
        Some(dir.dot(mesh.vertex(found)) + 0.5 * self.margin)
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use ferrodyn_math::{Quat, Stack};

    use super::*;
    use crate::convex::{ConvexPair, ConvexSettings, ConvexSolver, convex_convex};
    use crate::{ContactPoints, Pose};

    /// Numbers between -1 and 1, always the same.
    fn numbers(mut seed: u64) -> impl FnMut() -> Real {
        move || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            2.0 * ((seed >> 40) as Real / (1u64 << 24) as Real) - 1.0
        }
    }

    const SHAPES: [ConvexShape<'_>; 5] = [
        ConvexShape::Box(Vec3([0.3, 0.5, 0.2])),
        ConvexShape::Cylinder(0.4, 0.3),
        ConvexShape::Ellipsoid(Vec3([0.2, 0.3, 0.6])),
        ConvexShape::Capsule(0.2, 0.4),
        ConvexShape::Sphere(0.3),
    ];

    #[test]
    fn whatever_axis_is_tried_what_it_calls_apart_is_apart() {
        let settings = ConvexSettings { iterations: 50, tolerance: by_precision(1e-6, 1e-4) };
        let mut words = vec![0; ConvexSolver::words(&settings)];
        let mut solver = ConvexSolver::new(&mut Stack::new(&mut words), settings).unwrap();
        let mut next = numbers(3);
        let (mut proven, mut touching) = (0, 0);
        for round in 0..4000 {
            let mut pose = |far: Real| {
                let quat = Quat([next(), next(), next(), next()]).normalize().0;
                Pose { pos: Vec3::new(next(), next(), next()) * far, mat: quat.to_mat() }
            };
            let (pose_a, pose_b) = (pose(0.5), pose(1.0));
            let mut a = Convex::new(SHAPES[round % 5], pose_a, 0.1);
            let mut b = Convex::new(SHAPES[round / 5 % 5], pose_b, 0.1);
            let mut known = Separation::unknown([1, 2]);
            let axis = Vec3::new(next(), next(), next()).normalize().0;
            known.keep(axis.0.map(|x| double(x) as f32));
            let distance = solver.distance(&mut a, &mut b, 10.0);
            if known.proves_apart(&a, &b, settings.tolerance) {
                proven += 1;
                assert!(distance > 0.0, "{round}: {distance}");
            }
            touching += usize::from(distance < 0.0);
        }
        assert!(proven > 300 && touching > 300, "{proven} {touching}");
    }

    #[test]
    fn shapes_that_were_apart_are_not_searched_again_until_they_come_close() {
        let settings = ConvexSettings::default();
        let mut words = vec![0; ConvexSolver::words(&settings)];
        let mut solver = ConvexSolver::new(&mut Stack::new(&mut words), settings).unwrap();
        let pair = ConvexPair { margin: 0.0, multi: false, radius: 0.3 };
        let mut known = Separation::unknown([1, 2]);
        let mut out = ContactPoints::new();
        let mut searched = [false; 8];
        for (step, searched) in searched.iter_mut().enumerate() {
            // two cylinders on their way towards each other; they meet at 0.8
            let pos = Vec3::new(1.02 - 0.04 * step as Real, 0.0, 0.0);
            let mut a = Convex::new(SHAPES[1], Pose::at(Vec3::ZERO), 0.0);
            let mut b = Convex::new(SHAPES[1], Pose::at(pos), 0.0);
            solver.dist = Real::NAN;
            convex_convex(&mut solver, &pair, &mut a, &mut b, Some(&mut known), &mut out);
            *searched = !solver.dist.is_nan();
            assert_eq!(out.is_empty(), pos[0] > 0.8, "{step}");
        }
        // the first time, and from the contact on
        assert_eq!(searched, [true, false, false, false, false, false, true, true]);
    }
}
