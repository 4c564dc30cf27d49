//! A tetrahedron keeps its volume: `C = V - V₀`, `V = (x₁ - x₀) · ((x₂ - x₀) × (x₃ - x₀)) / 6`.
use ferrodyn_math::{Real, Vec3};

use super::project;

/// A tetrahedron keeps its volume, which is positive where the vertices 1, 2, 3 turn counterclockwise seen from outside of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VolumeConstraint {
    /// The vertices.
    pub vertices: [u32; 4],
    /// Volume at rest, in m³.
    pub rest: Real,
    /// Inverse stiffness, in m³/Pa; of a bulk modulus `K` it is `V₀ / K`, since the energy is `½ K (V - V₀)² / V₀`.
    pub compliance: Real,
}

/// Signed volume of a tetrahedron, in m³.
pub(crate) fn volume(x: [Vec3; 4]) -> Real {
    (x[1] - x[0]).dot((x[2] - x[0]).cross(x[3] - x[0])) * (1.0 / 6.0)
}

impl VolumeConstraint {
    /// One iteration; the violation before it.
    #[inline]
    pub(crate) fn solve(
        &self,
        x: &mut [Vec3],
        w: &[Real],
        inv_dt2: Real,
        multiplier: &mut Real,
    ) -> Real {
        let corner = self.vertices.map(|v| x[v as usize]);
        let [u, v, t] = [corner[1] - corner[0], corner[2] - corner[0], corner[3] - corner[0]];
        // the gradient of a vertex is a third of the area vector of the opposite face
        let sixth = 1.0 / 6.0;
        let [g1, g2, g3] = [v.cross(t) * sixth, t.cross(u) * sixth, u.cross(v) * sixth];
        let c = u.dot(g1) - self.rest;
        let gradients = [-(g1 + g2 + g3), g1, g2, g3];
        project(c, self.vertices, gradients, x, w, self.compliance * inv_dt2, multiplier);
        c
    }
}
