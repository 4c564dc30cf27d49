//! Two vertices keep their distance: `C = |x₀ - x₁| - l`.
use ferrodyn_math::{MIN_VAL, Real, Vec3, sqrt};

/// Two vertices keep their distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DistanceConstraint {
    /// The vertices.
    pub vertices: [u32; 2],
    /// Distance at rest, in m.
    pub rest: Real,
    /// Inverse stiffness, in m/N.
    pub compliance: Real,
}

impl DistanceConstraint {
    /// One iteration; the violation before it.
    #[inline]
    pub(crate) fn solve(
        &self,
        x: &mut [Vec3],
        w: &[Real],
        inv_dt2: Real,
        multiplier: &mut Real,
    ) -> Real {
        let [a, b] = self.vertices.map(|v| v as usize);
        let alpha = self.compliance * inv_dt2;
        let across = x[a] - x[b];
        let length = sqrt(across.dot(across));
        let c = length - self.rest;
        let weight = (w[a] + w[b] + alpha) * length;
        // both are pinned, or there is no direction
        if weight <= MIN_VAL * MIN_VAL {
            return c;
        }
        // Δλ / length: the direction is not normalized, so that one division is enough
        let scale = (-c - alpha * *multiplier) / weight;
        x[a] = x[a].add_scaled(across, w[a] * scale);
        x[b] = x[b].add_scaled(across, -w[b] * scale);
        *multiplier += scale * length;
        c
    }
}
