//! What holds a body together, one kind of constraint in each file.
//!
//! A constraint asks for `C(x) = 0` and has a compliance `α`, the inverse of a stiffness: its energy is `C² / (2 α)`. With the time
//! step `dt` and the inverse masses `w` of its vertices, one iteration moves them by
//!
//! ```text
//! α̃ = α / dt²,   Δλ = (-C - α̃ λ) / (Σ wᵢ |∇ᵢC|² + α̃),   Δxᵢ = wᵢ ∇ᵢC Δλ,   λ ← λ + Δλ
//! ```
//!
//! Distances and bends can be damped in proportion to their stiffness, with a damping time `τ` (the force is `-(C + τ Ċ) / α`):
//!
//! ```text
//! γ = τ / dt,   Δλ = (-C - α̃ λ - γ ∇C · (x - p)) / ((1 + γ) Σ wᵢ |∇ᵢC|² + α̃)          p: where the substep began
//! ```
//!
//! `λ / dt²` is the force along the gradient. All gradients of a constraint add up to nothing and have no moment, so that linear and angular
//! momentum stay what they were; vertices whose inverse mass is zero do not move.
mod bending;
mod collision;
mod distance;
mod flex_edge;
mod volume;

use ferrodyn_math::{Real, Vec3};

pub use bending::BendingConstraint;
pub use collision::CollisionConstraint;
pub use distance::DistanceConstraint;
pub use flex_edge::{FlexEdgeConstraint, FlexEdgeKind};
pub use volume::VolumeConstraint;
pub(crate) use volume::volume;

/// Kinds of constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstraintType {
    /// Two vertices keep their distance.
    Distance,
    /// Two triangles keep their angle, or two segments.
    Bending,
    /// A tetrahedron keeps its volume.
    Volume,
    /// Edges keep their length, angle or twist.
    FlexEdge,
    /// A vertex stays outside of something.
    Collision,
}

/// Any constraint.
///
/// ```
/// use ferrodyn_math::Vec3;
/// use ferrodyn_soft::{Constraint, ConstraintType, DistanceConstraint};
/// let spring = DistanceConstraint { vertices: [0, 1], rest: 1.0, compliance: 0.0 };
/// let constraint = Constraint::Distance(spring);
/// let (mut x, mut multiplier) = ([Vec3::ZERO, Vec3::new(2.0, 0.0, 0.0)], Vec3::ZERO);
/// let error = constraint.solve(&mut x, &[1.0, 1.0], 0.01, &mut multiplier);
/// assert_eq!((error, x[0][0], x[1][0]), (1.0, 0.5, 1.5));
/// assert_eq!(constraint.constraint_type(), ConstraintType::Distance);
/// assert_eq!((constraint.vertices(), constraint.compliance()), (&[0, 1][..], 0.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Constraint {
    /// Two vertices keep their distance.
    Distance(DistanceConstraint),
    /// Two triangles keep their angle, or two segments.
    Bending(BendingConstraint),
    /// A tetrahedron keeps its volume.
    Volume(VolumeConstraint),
    /// Edges keep their length, angle or twist.
    FlexEdge(FlexEdgeConstraint),
    /// A vertex stays outside of something.
    Collision(CollisionConstraint),
}

impl Constraint {
    /// Its kind.
    pub fn constraint_type(&self) -> ConstraintType {
        match self {
            Constraint::Distance(_) => ConstraintType::Distance,
            Constraint::Bending(_) => ConstraintType::Bending,
            Constraint::Volume(_) => ConstraintType::Volume,
            Constraint::FlexEdge(_) => ConstraintType::FlexEdge,
            Constraint::Collision(_) => ConstraintType::Collision,
        }
    }

    /// The vertices that it moves.
    pub fn vertices(&self) -> &[u32] {
        match self {
            Constraint::Distance(c) => &c.vertices,
            Constraint::Bending(c) => &c.vertices,
            Constraint::Volume(c) => &c.vertices,
            Constraint::FlexEdge(c) => c.used_vertices(),
            Constraint::Collision(c) => core::slice::from_ref(&c.vertex),
        }
    }

    /// Its compliance.
    pub fn compliance(&self) -> Real {
        match self {
            Constraint::Distance(c) => c.compliance,
            Constraint::Bending(c) => c.compliance,
            Constraint::Volume(c) => c.compliance,
            Constraint::FlexEdge(c) => c.compliance,
            Constraint::Collision(c) => c.compliance,
        }
    }

    /// One iteration. The multiplier is what earlier ones of the same step have added up to; constraints of one number use the first of
    /// its three. What comes back is by how much the constraint was violated.
    ///
    /// Panics where a vertex does not exist.
    pub fn solve(
        &self,
        x: &mut [Vec3],
        inverse_masses: &[Real],
        dt: Real,
        multiplier: &mut Vec3,
    ) -> Real {
        let (w, inv_dt2) = (inverse_masses, 1.0 / (dt * dt));
        match self {
            Constraint::Distance(c) => c.solve(x, w, inv_dt2, &mut multiplier[0]),
            Constraint::Bending(c) => c.solve(x, w, inv_dt2, multiplier),
            Constraint::Volume(c) => c.solve(x, w, inv_dt2, &mut multiplier[0]),
            Constraint::FlexEdge(c) => c.solve(x, w, inv_dt2, &mut multiplier[0]),
            Constraint::Collision(c) => c.solve(x, w, inv_dt2, &mut multiplier[0]),
        }
    }
}

/// One iteration of a constraint of one number whose gradients are known.
#[inline]
fn project<const N: usize>(
    c: Real,
    vertices: [u32; N],
    gradients: [Vec3; N],
    x: &mut [Vec3],
    w: &[Real],
    alpha: Real,
    multiplier: &mut Real,
) {
    let mut weight = alpha;
    for (v, g) in vertices.iter().zip(&gradients) {
        weight += w[*v as usize] * g.dot(*g);
    }
    // nothing can move, or there is no direction to move in
    if weight <= 0.0 {
        return;
    }
    let delta = (-c - alpha * *multiplier) / weight;
    for (v, g) in vertices.iter().zip(&gradients) {
        let v = *v as usize;
        x[v] = x[v].add_scaled(*g, w[v] * delta);
    }
    *multiplier += delta;
}

#[cfg(test)]
pub(super) mod tests {
    use alloc::vec::Vec;
    use ferrodyn_math::by_precision;

    use super::*;

    /// Linear momentum and angular momentum of a displacement: `Σ mᵢ Δxᵢ` and `Σ mᵢ xᵢ × Δxᵢ`.
    fn moments(before: &[Vec3], after: &[Vec3], w: &[Real]) -> [Vec3; 2] {
        let mut sums = [Vec3::ZERO; 2];
        for ((a, b), w) in before.iter().zip(after).zip(w) {
            let push = (*b - *a) * (1.0 / w);
            sums[0] += push;
            sums[1] += a.cross(push);
        }
        sums
    }

    #[test]
    fn no_constraint_changes_momentum() {
        let x = [
            Vec3::new(0.1, 0.2, -0.1),
            Vec3::new(1.1, -0.1, 0.2),
            Vec3::new(0.2, 1.3, 0.1),
            Vec3::new(0.9, 0.8, 1.1),
        ];
        let w = [1.0, 2.0, 0.5, 3.0];
        let flat = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::new(1.0, 1.0, 0.0)];
        let curved = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::new(1.0, 1.0, 0.5)];
        let bend = |rest: &[Vec3; 4]| {
            Constraint::Bending(
                BendingConstraint::between_triangles([2, 1, 0, 3], rest, 0.0).unwrap(),
            )
        };
        let edge = |kind| {
            Constraint::FlexEdge(FlexEdgeConstraint::new(kind, [0, 1, 2, 3], &curved, 0.0).unwrap())
        };
        let all = [
            Constraint::Distance(DistanceConstraint {
                vertices: [0, 3],
                rest: 0.5,
                compliance: 0.0,
            }),
            bend(&flat),
            bend(&curved),
            Constraint::Volume(VolumeConstraint {
                vertices: [0, 1, 2, 3],
                rest: 0.4,
                compliance: 0.0,
            }),
            edge(FlexEdgeKind::Stretch),
            edge(FlexEdgeKind::Shear),
            edge(FlexEdgeKind::Twist),
        ];
        for constraint in all {
            let mut moved = x;
            let mut errors = Vec::new();
            for _ in 0..60 {
                errors.push(constraint.solve(&mut moved, &w, 0.01, &mut Vec3::default()).abs());
            }
            // to first order angular momentum stays too: compare with the first iteration of many small ones
            let mut once = x;
            constraint.solve(&mut once, &w, 0.01, &mut Vec3::default());
            let [linear, angular] = moments(&x, &once, &w);
            let tolerance = by_precision(1e-13, 1e-5);
            assert!(linear.norm() < tolerance, "{constraint:?}: {linear:?}");
            assert!(angular.norm() < tolerance, "{constraint:?}: {angular:?}");
            let (first, last) = (errors[0], errors[errors.len() - 1]);
            assert!(first > 1e-3 && last < by_precision(1e-9, 1e-5), "{constraint:?}: {errors:?}");
        }
    }

    #[test]
    fn gradients_are_those_of_the_constraints() {
        // a vertex that alone may move goes along the gradient of its constraint, so that the violation at that place vanishes to
        // second order
        let rest = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::new(1.0, 1.0, 0.5)];
        for vertex in 0..4 {
            let mut w = [0.0; 4];
            w[vertex] = 1.0;
            for kind in [FlexEdgeKind::Shear, FlexEdgeKind::Twist] {
                let c = FlexEdgeConstraint::new(kind, [0, 1, 2, 3], &rest, 0.0).unwrap();
                if c.used_vertices().len() <= vertex {
                    continue;
                }
                let mut x = rest;
                x[vertex] += Vec3::new(1e-3, -2e-3, 1.5e-3);
                let before = c.solve(&mut x, &w, 1.0, &mut 0.0).abs();
                let after = c.solve(&mut x, &w, 1.0, &mut 0.0).abs();
                assert!(after < 0.02 * before, "{kind:?} of {vertex}: {before}, {after}");
            }
        }
    }
}
