//! Edges keep their length, their angle, or their twist, in forms without inverse trigonometry.
//!
//! ```text
//! stretch:  C = |e₁| / l₁ - 1                     e₁ = x₁ - x₀
//! shear:    C = e₁ · e₂ / (l₁ l₂) - rest          e₂ = x₂ - x₀: cosine of the angle at vertex 0
//! twist:    C = e₁ · (e₂ × e₃) / (l₁ l₂ l₃) - rest   e₃ = x₃ - x₀: how far three edges are out of one plane
//! ```
//!
//! The lengths are those at rest, so that gradients are polynomials.
use ferrodyn_math::{MIN_VAL, Real, Vec3};

use super::project;

/// What edges keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlexEdgeKind {
    /// The length of one, relative to that at rest.
    Stretch,
    /// The angle of two.
    Shear,
    /// How far three are out of one plane.
    Twist,
}

/// Edges that start from one vertex keep their length, angle or twist.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlexEdgeConstraint {
    /// What is kept.
    pub kind: FlexEdgeKind,
    /// The common vertex, and the other ends, of which stretch uses one and shear two.
    pub vertices: [u32; 4],
    /// One over the lengths of the edges at rest, in 1/m.
    inverse_lengths: [Real; 3],
    /// The value at rest.
    pub rest: Real,
    /// Inverse stiffness.
    pub compliance: Real,
}

impl FlexEdgeConstraint {
    /// A constraint that the rest shape satisfies; none where an edge has no length.
    pub fn new(
        kind: FlexEdgeKind,
        vertices: [u32; 4],
        rest: &[Vec3],
        compliance: Real,
    ) -> Option<FlexEdgeConstraint> {
        let origin = rest[vertices[0] as usize];
        let mut c =
            FlexEdgeConstraint { kind, vertices, inverse_lengths: [0.0; 3], rest: 0.0, compliance };
        for k in 1..c.used_vertices().len() {
            let length = (rest[vertices[k] as usize] - origin).norm();
            if length <= MIN_VAL {
                return None;
            }
            c.inverse_lengths[k - 1] = 1.0 / length;
        }
        c.rest = c.value(&c.edges(rest));
        Some(c)
    }

    /// The vertices that count.
    pub fn used_vertices(&self) -> &[u32] {
        let count = match self.kind {
            FlexEdgeKind::Stretch => 2,
            FlexEdgeKind::Shear => 3,
            FlexEdgeKind::Twist => 4,
        };
        &self.vertices[..count]
    }

    /// The edges, each over its length at rest; what is not used is zero.
    fn edges(&self, x: &[Vec3]) -> [Vec3; 3] {
        let origin = x[self.vertices[0] as usize];
        let mut edges = [Vec3::ZERO; 3];
        for k in 1..self.used_vertices().len() {
            edges[k - 1] = (x[self.vertices[k] as usize] - origin) * self.inverse_lengths[k - 1];
        }
        edges
    }

    fn value(&self, [e1, e2, e3]: &[Vec3; 3]) -> Real {
        match self.kind {
            FlexEdgeKind::Stretch => e1.norm(),
            FlexEdgeKind::Shear => e1.dot(*e2),
            FlexEdgeKind::Twist => e1.dot(e2.cross(*e3)),
        }
    }

    /// One iteration; the violation before it.
    pub(crate) fn solve(
        &self,
        x: &mut [Vec3],
        w: &[Real],
        inv_dt2: Real,
        multiplier: &mut Real,
    ) -> Real {
        let edges = self.edges(x);
        let [e1, e2, e3] = edges;
        let c = self.value(&edges) - self.rest;
        // by the edges, then by their ends; the common vertex has the opposite of all
        let by_edge = match self.kind {
            FlexEdgeKind::Stretch => [e1.normalize().0, Vec3::ZERO, Vec3::ZERO],
            FlexEdgeKind::Shear => [e2, e1, Vec3::ZERO],
            FlexEdgeKind::Twist => [e2.cross(e3), e3.cross(e1), e1.cross(e2)],
        };
        let mut gradients = [Vec3::ZERO; 4];
        for k in 0..3 {
            gradients[k + 1] = by_edge[k] * self.inverse_lengths[k];
            gradients[0] -= gradients[k + 1];
        }
        let mut vertices = [self.vertices[0]; 4];
        let used = self.used_vertices();
        vertices[..used.len()].copy_from_slice(used);
        project(c, vertices, gradients, x, w, self.compliance * inv_dt2, multiplier);
        c
    }
}
