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

    /// [`DistanceConstraint::solve`] with damping: `gamma` is the damping time over `dt`.
    #[inline]
    pub(crate) fn solve_damped(
        &self,
        x: &mut [Vec3],
        before: &[Vec3],
        w: &[Real],
        inv_dt2: Real,
        gamma: Real,
        multiplier: &mut Real,
    ) {
        let [a, b] = self.vertices.map(|v| v as usize);
        let alpha = self.compliance * inv_dt2;
        let across = x[a] - x[b];
        let length = across.norm();
        let weight = (1.0 + gamma) * (w[a] + w[b]) + alpha;
        if weight <= 0.0 || length <= MIN_VAL {
            return;
        }
        let direction = across * (1.0 / length);
        // how much longer it became in this substep
        let grown = direction.dot((x[a] - before[a]) - (x[b] - before[b]));
        let delta = (self.rest - length - alpha * *multiplier - gamma * grown) / weight;
        x[a] = x[a].add_scaled(direction, w[a] * delta);
        x[b] = x[b].add_scaled(direction, -w[b] * delta);
        *multiplier += delta;
    }
}
