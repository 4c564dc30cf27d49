//! Bending after Bridson, Marino and Fedkiw, "Simulation of clothing with folds and wrinkles" (2003): a spring on the angle between two
//! triangles that share an edge. It knows no small angles: a sheet may fold completely.
//!
//! ```text
//!        x₂              θ: the angle from one normal to the other about the edge, 0 when flat
//!       /  \             energy ½ k (θ - θ₀)²
//!     x₀────x₁           force on xᵢ: -(k (θ - θ₀) + c θ̇) ∂θ/∂xᵢ
//!       \  /             stiffness: k (∂θ/∂x)(∂θ/∂x)ᵀ, the part that is never negative
//!        x₃
//! ```
//!
//! The part `k (θ - θ₀) ∂²θ/∂x²` of the stiffness is left out: it vanishes at rest, and has both signs.
use ferrodyn_math::{MIN_VAL, PI, Real, Vec3, atan2};

/// An angle between two triangles, and how it follows their vertices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hinge {
    /// The angle, from -π to π.
    pub angle: Real,
    /// `∂θ/∂x` of both vertices of the edge, then of the two opposite to it.
    pub gradient: [Vec3; 4],
}

impl Hinge {
    /// The hinge of the edge `x₀ x₁` between the triangles with `x₂` and with `x₃`; none where one of them has no area.
    ///
    /// ```
    /// use ferrodyn_math::Vec3;
    /// use ferrodyn_soft::material::bridson::Hinge;
    /// let [a, b] = [Vec3::new(0.0, 0.0, 0.0), Vec3::new(1.0, 0.0, 0.0)];
    /// let flat = Hinge::new([a, b, Vec3::new(0.5, 1.0, 0.0), Vec3::new(0.5, -1.0, 0.0)]).unwrap();
    /// assert_eq!(flat.angle, 0.0);
    /// let folded = Hinge::new([a, b, Vec3::new(0.5, 1.0, 0.0), Vec3::new(0.5, 0.0, -1.0)]).unwrap();
    /// assert!((folded.angle.abs() - core::f64::consts::FRAC_PI_2 as ferrodyn_math::Real).abs() < 1e-6);
    /// ```
    pub fn new(x: [Vec3; 4]) -> Option<Hinge> {
        let edge = x[1] - x[0];
        let (to2, to3) = (x[2] - x[0], x[3] - x[0]);
        // normals of both triangles, on the same side of the sheet; their lengths are twice the areas
        let (n2, n3) = (edge.cross(to2), to3.cross(edge));
        let (square2, square3, length) = (n2.dot(n2), n3.dot(n3), edge.norm());
        // squares of areas: below the smallest number that is divided by anywhere they count as none
        if !(square2 > MIN_VAL * MIN_VAL && square3 > MIN_VAL * MIN_VAL && length > MIN_VAL) {
            return None;
        }
        // both products carry the factor |n₂| |n₃|
        let angle = atan2(n2.cross(n3).dot(edge) / length, n2.dot(n3));

        // an opposite vertex turns its triangle about the edge, at the distance |n| / |e|
        let by2 = n2 * (-length / square2);
        let by3 = n3 * (-length / square3);
        // the ends of the edge take that back, by the lever at which the foot of the height divides the edge
        let (foot2, foot3) = (to2.dot(edge) / (length * length), to3.dot(edge) / (length * length));
        let by0 = by2 * (foot2 - 1.0) + by3 * (foot3 - 1.0);
        let by1 = by2 * -foot2 + by3 * -foot3;
        Some(Hinge { angle, gradient: [by0, by1, by2, by3] })
    }

    /// How far the angle is from `rest`, the short way round.
    pub fn deviation(&self, rest: Real) -> Real {
        let difference = self.angle - rest;
        if difference > PI {
            difference - 2.0 * PI
        } else if difference < -PI {
            difference + 2.0 * PI
        } else {
            difference
        }
    }

    /// Rate of the angle with the velocities of the vertices.
    pub fn rate(&self, velocity: &[Vec3; 4]) -> Real {
        self.gradient.iter().zip(velocity).map(|(g, v)| g.dot(*v)).sum()
    }

    /// The largest torque about the hinge with which no vertex turns it by more than one radian in a time step by itself:
    /// Bridson's limit `1 / (h² |∂θ/∂x| m⁻¹)` of the force on each vertex, for the vertex that reaches it first.
    ///
    /// One factor for all four keeps their forces in balance. Vertices that do not move have no inverse mass, and no limit.
    pub fn torque_limit(&self, inverse_mass: &[Real; 4], h: Real) -> Real {
        let fastest = self
            .gradient
            .iter()
            .zip(inverse_mass)
            .fold(0.0, |most: Real, (g, w)| most.max(g.dot(*g) * w));
        // |τ| |g| ≤ 1 / (h² |g| w)  ⇔  |τ| ≤ 1 / (h² |g|² w)
        let scale = h * h * fastest;
        if scale > 0.0 { 1.0 / scale } else { Real::INFINITY }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ferrodyn_math::by_precision;

    const VERTICES: [Vec3; 4] = [
        Vec3([0.1, 0.0, 0.2]),
        Vec3([1.0, 0.3, -0.1]),
        Vec3([0.4, 1.1, 0.3]),
        Vec3([0.6, -0.8, 0.5]),
    ];

    #[test]
    fn gradients_are_those_of_differences() {
        let hinge = Hinge::new(VERTICES).unwrap();
        let step = by_precision(1e-6, 1e-3);
        for (i, k) in (0..12).map(|n| (n / 3, n % 3)) {
            let angle = |by: Real| {
                let mut x = VERTICES;
                x[i][k] += by;
                Hinge::new(x).unwrap().angle
            };
            let slope = (angle(step) - angle(-step)) / (2.0 * step);
            let error = (hinge.gradient[i][k] - slope).abs();
            assert!(error < by_precision(1e-8, 2e-3), "{i} {k}: {error}");
        }
    }

    #[test]
    fn moving_as_a_whole_leaves_the_angle() {
        let hinge = Hinge::new(VERTICES).unwrap();
        let spin = Vec3::new(0.3, -0.7, 0.2);
        let velocity = VERTICES.map(|x| spin.cross(x) + Vec3::new(1.0, 2.0, 3.0));
        assert!(hinge.rate(&velocity).abs() < by_precision(1e-13, 1e-5));
    }

    #[test]
    fn a_triangle_without_area_has_no_angle() {
        let [a, b, c, _] = VERTICES;
        assert_eq!(Hinge::new([a, b, c, a]), None);
    }

    #[test]
    fn deviations_go_the_short_way_round() {
        let hinge = Hinge { angle: 3.0, gradient: [Vec3::ZERO; 4] };
        assert!((hinge.deviation(-3.0) - (6.0 - 2.0 * PI)).abs() < 1e-6);
        assert_eq!(hinge.deviation(2.5), 0.5);
    }

    #[test]
    fn the_limit_is_that_of_the_lightest_vertex() {
        let hinge = Hinge::new(VERTICES).unwrap();
        let h = 0.01;
        let mass = [1.0, 2.0, 0.5, Real::INFINITY].map(|m: Real| 1.0 / m);
        let limit = hinge.torque_limit(&mass, h);
        let force = |i: usize| limit * hinge.gradient[i].norm();
        let bound = |i: usize| 1.0 / (h * h * hinge.gradient[i].norm() * mass[i]);
        assert!((0..3).all(|i| force(i) <= bound(i) * 1.0001));
        assert!((0..3).any(|i| force(i) >= bound(i) * 0.9999));
    }
}
