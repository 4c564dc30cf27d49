//! Two triangles keep their angle, or two segments: `C = |L| - |L₀|`, `L = Σ kᵢ xᵢ`.
//!
//! For triangles `(a, b, c)` and `(a, b, d)` with the common edge `ab` the weights are the cotangents of the angles at that edge in the flat shape
//! (the isometric bending of Bergou and others):
//!
//! ```text
//! k_a = cot b₁ + cot b₂,  k_b = cot a₁ + cot a₂,  k_c = -(cot a₁ + cot b₁),  k_d = -(cot a₂ + cot b₂)
//! energy = ½ D · 3 / (A₁ + A₂) · |L|²
//! ```
//!
//! `|L|` is zero where the triangles are in one plane and grows with the sine of half the angle between them, so that no
//! inverse trigonometry is needed, and where the rest shape is flat no square root either: the three numbers of `L` are then three linear
//! constraints with one weight. For segments `k = (1/l₁, -(1/l₁ + 1/l₂), 1/l₂)` and `L` is the change of direction.
use ferrodyn_math::{MIN_VAL, Real, Vec3, by_precision};

/// Below this share of a length the rest shape counts as flat: rounding of the coordinates, not curvature.
const FLAT: Real = by_precision(1e-7, 1e-3);

/// Two triangles keep their angle, or two segments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BendingConstraint {
    /// The vertices; of two segments the last is the first again, without weight.
    pub vertices: [u32; 4],
    /// Weights of the vertices; their sum is zero.
    pub weights: [Real; 4],
    /// `|L|` at rest; zero where the rest shape is flat.
    pub rest: Real,
    /// Inverse stiffness of `|L|`.
    pub compliance: Real,
}

/// Cotangent of the angle between two edges; none where they have no area.
fn cotangent(u: Vec3, v: Vec3) -> Option<Real> {
    let sine = u.cross(v).norm();
    (sine > MIN_VAL).then(|| u.dot(v) / sine)
}

impl BendingConstraint {
    /// Of the triangles `(a, b, c)` and `(a, b, d)`; none where one has no area. The compliance is that of `|L|`.
    pub fn between_triangles(
        [a, b, c, d]: [u32; 4],
        rest: &[Vec3],
        compliance: Real,
    ) -> Option<BendingConstraint> {
        let [xa, xb, xc, xd] = [a, b, c, d].map(|v| rest[v as usize]);
        let a1 = cotangent(xb - xa, xc - xa)?;
        let b1 = cotangent(xa - xb, xc - xb)?;
        let a2 = cotangent(xb - xa, xd - xa)?;
        let b2 = cotangent(xa - xb, xd - xb)?;
        let weights = [b1 + b2, a1 + a2, -(a1 + b1), -(a2 + b2)];
        Some(Self::new([a, b, c, d], weights, rest, compliance))
    }

    /// Of the segments `(a, b)` and `(b, c)`; none where one has no length.
    pub fn between_segments(
        [a, b, c]: [u32; 3],
        rest: &[Vec3],
        compliance: Real,
    ) -> Option<BendingConstraint> {
        let [xa, xb, xc] = [a, b, c].map(|v| rest[v as usize]);
        let (first, second) = ((xb - xa).norm(), (xc - xb).norm());
        if first <= MIN_VAL || second <= MIN_VAL {
            return None;
        }
        let (k, l) = (1.0 / first, 1.0 / second);
        let weights = [k, -(k + l), l, 0.0];
        Some(Self::new([a, b, c, a], weights, rest, compliance))
    }

    fn new(
        vertices: [u32; 4],
        weights: [Real; 4],
        rest: &[Vec3],
        compliance: Real,
    ) -> BendingConstraint {
        let (mut sum, mut size) = (Vec3::ZERO, 0.0);
        for (v, k) in vertices.iter().zip(weights) {
            sum = sum.add_scaled(rest[*v as usize], k);
            size += k.abs() * (rest[*v as usize] - rest[vertices[0] as usize]).norm();
        }
        let length = sum.norm();
        let rest = if length <= FLAT * size { 0.0 } else { length };
        BendingConstraint { vertices, weights, rest, compliance }
    }

    /// `wᵢ kᵢ`: by how much a multiplier moves each vertex.
    #[inline]
    fn shares(&self, w: &[Real]) -> [Real; 4] {
        core::array::from_fn(|i| w[self.vertices[i] as usize] * self.weights[i])
    }

    /// `Σ wᵢ kᵢ²`: by how much it moves `L`.
    #[inline]
    fn inertia(&self, shares: &[Real; 4]) -> Real {
        shares.iter().zip(self.weights).fold(0.0, |sum, (share, k)| sum + share * k)
    }

    /// Move the vertices along `step`.
    #[inline]
    fn apply(&self, x: &mut [Vec3], shares: &[Real; 4], step: Vec3) {
        for (v, share) in self.vertices.iter().zip(shares) {
            let v = *v as usize;
            x[v] = x[v].add_scaled(step, *share);
        }
    }

    /// `L = Σ kᵢ xᵢ`.
    #[inline]
    fn sum(&self, x: &[Vec3]) -> Vec3 {
        let [a, b, c, d] = self.vertices.map(|v| x[v as usize]);
        let k = &self.weights;
        (a * k[0] + b * k[1]) + (c * k[2] + d * k[3])
    }

    /// One iteration; the violation before it.
    #[inline]
    pub(crate) fn solve(
        &self,
        x: &mut [Vec3],
        w: &[Real],
        inv_dt2: Real,
        multiplier: &mut Vec3,
    ) -> Real {
        let shares = self.shares(w);
        let step = self.increment(x, self.inertia(&shares), inv_dt2, *multiplier);
        self.apply(x, &shares, step.0);
        *multiplier += step.0;
        step.1
    }

    /// The change of the multiplier along `L`, and the violation.
    #[inline]
    fn increment(
        &self,
        x: &[Vec3],
        inertia: Real,
        inv_dt2: Real,
        multiplier: Vec3,
    ) -> (Vec3, Real) {
        let alpha = self.compliance * inv_dt2;
        let weight = inertia + alpha;
        let sum = self.sum(x);
        if weight <= 0.0 {
            return (Vec3::ZERO, sum.norm() - self.rest);
        }
        if self.rest == 0.0 {
            // three linear constraints with the same weight
            let scale = -1.0 / weight;
            return (sum.add_scaled(multiplier, alpha) * scale, sum.norm());
        }
        // along the present direction of L
        let length = sum.norm();
        if length <= MIN_VAL {
            return (Vec3::ZERO, -self.rest);
        }
        let direction = sum * (1.0 / length);
        let c = length - self.rest;
        (direction * ((-c - alpha * multiplier.dot(direction)) / weight), c)
    }

    /// [`BendingConstraint::solve`] with damping: `gamma` is the damping time over `dt`. Where the rest shape is not flat, there is none.
    #[inline]
    pub(crate) fn solve_damped(
        &self,
        x: &mut [Vec3],
        before: &[Vec3],
        w: &[Real],
        inv_dt2: Real,
        gamma: Real,
        multiplier: &mut Vec3,
    ) {
        let alpha = self.compliance * inv_dt2;
        let shares = self.shares(w);
        let weight = (1.0 + gamma) * self.inertia(&shares) + alpha;
        if self.rest != 0.0 || weight <= 0.0 {
            self.solve(x, w, inv_dt2, multiplier);
            return;
        }
        let sum = self.sum(x);
        let grown = sum - self.sum(before);
        let wanted = sum.add_scaled(*multiplier, alpha).add_scaled(grown, gamma);
        let step = wanted * (-1.0 / weight);
        self.apply(x, &shares, step);
        *multiplier += step;
    }

    /// [`BendingConstraint::solve`] where no iteration came before, without the violation.
    #[inline]
    pub(crate) fn solve_once(&self, x: &mut [Vec3], w: &[Real], inv_dt2: Real) {
        if self.rest != 0.0 {
            self.solve(x, w, inv_dt2, &mut Vec3::default());
            return;
        }
        let shares = self.shares(w);
        let weight = self.inertia(&shares) + self.compliance * inv_dt2;
        if weight <= 0.0 {
            return;
        }
        let step = self.sum(x) * (-1.0 / weight);
        self.apply(x, &shares, step);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fold_opens_and_both_forms_agree() {
        let flat = [Vec3::ZERO, Vec3::X, Vec3::new(0.5, 1.0, 0.0), Vec3::new(0.5, -1.0, 0.0)];
        let w = [1.0; 4];
        let c = BendingConstraint::between_triangles([0, 1, 2, 3], &flat, 1e-3).unwrap();
        assert_eq!(c.rest, 0.0);
        let mut folded = flat;
        folded[2][2] = 0.4;
        folded[3][2] = 0.4;
        let (mut one, mut other) = (folded, folded);
        let error = c.solve(&mut one, &w, 100.0, &mut Vec3::default());
        c.solve_once(&mut other, &w, 100.0);
        assert!(error > 0.1);
        for (a, b) in one.iter().zip(&other) {
            assert!((*a - *b).norm() < by_precision(1e-14, 1e-6));
        }
        assert!(one[2][2] < folded[2][2] && one[0][2] > 0.0);
    }

    #[test]
    fn a_plane_has_no_bending_wherever_it_is() {
        let flat = [Vec3::ZERO, Vec3::X, Vec3::new(0.3, 1.0, 0.0), Vec3::new(0.6, -0.8, 0.0)];
        let c = BendingConstraint::between_triangles([0, 1, 2, 3], &flat, 0.0).unwrap();
        let turn = ferrodyn_math::Quat::from_axis_angle(Vec3::new(0.6, 0.8, 0.0), 1.1);
        let turned = flat.map(|x| turn.rotate(x) + Vec3::new(3.0, -2.0, 1.0));
        assert!(c.sum(&turned).norm() < by_precision(1e-13, 1e-5));
        // the weights follow any stretch within the plane too
        let stretched = flat.map(|x| Vec3::new(2.0 * x[0] + x[1], 0.7 * x[1], 0.0));
        assert!(c.sum(&stretched).norm() < by_precision(1e-13, 1e-5));
    }
}
