//! A vertex stays outside of something: `C = -depth ≥ 0`, a constraint that only pushes.
use ferrodyn_math::{Real, Vec3};

/// A vertex is pushed out along a normal. The multiplier never becomes negative: nothing sticks.
///
/// ```
/// use ferrodyn_math::Vec3;
/// use ferrodyn_soft::{CollisionConstraint, Constraint};
/// let push = Constraint::Collision(CollisionConstraint::new(0, Vec3::Z, 0.01));
/// let mut x = [Vec3::ZERO];
/// assert_eq!(push.solve(&mut x, &[1.0], 0.01, &mut Vec3::default()), 0.01);
/// assert_eq!(x[0], Vec3::new(0.0, 0.0, 0.01));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CollisionConstraint {
    /// The vertex.
    pub vertex: u32,
    /// Unit vector out of the surface.
    pub normal: Vec3,
    /// Where the vertex is too deep by zero: `normal · x` there, relative to the first iteration.
    pub depth: Real,
    /// Inverse stiffness, in m/N.
    pub compliance: Real,
}

impl CollisionConstraint {
    /// A vertex that is too deep by `depth`, rigidly.
    pub fn new(vertex: u32, normal: Vec3, depth: Real) -> CollisionConstraint {
        CollisionConstraint { vertex, normal, depth, compliance: 0.0 }
    }

    /// One iteration: `Δλ = (depth - α̃ λ) / (w + α̃)`, with `depth` less what the multiplier has moved the vertex by; the depth before it.
    pub(crate) fn solve(
        &self,
        x: &mut [Vec3],
        w: &[Real],
        inv_dt2: Real,
        multiplier: &mut Real,
    ) -> Real {
        let vertex = self.vertex as usize;
        let weight = w[vertex];
        // nothing to do for a pinned vertex, or outside
        if weight <= 0.0 || self.depth <= 0.0 {
            return self.depth.max(0.0);
        }
        let alpha = self.compliance * inv_dt2;
        let depth = self.depth - weight * *multiplier;
        let delta = (depth - alpha * *multiplier) / (weight + alpha);
        let total = (*multiplier + delta).max(0.0);
        x[vertex] = x[vertex].add_scaled(self.normal, weight * (total - *multiplier));
        *multiplier = total;
        self.depth
    }
}

#[cfg(test)]
mod tests {
    use ferrodyn_math::by_precision;

    use super::*;

    #[test]
    fn a_vertex_moves_by_its_share_of_the_depth() {
        // depth · w / (w + α̃): all of it where the compliance is zero
        for (w, compliance) in [(1.0, 0.0), (1.0, 1e-4), (2.5, 3e-4)] {
            let c = CollisionConstraint {
                compliance,
                ..CollisionConstraint::new(0, Vec3::new(0.0, 0.6, 0.8), 0.01)
            };
            let (mut x, mut multiplier) = ([Vec3::ZERO], 0.0);
            let found = c.solve(&mut x, &[w], 1e4, &mut multiplier);
            let expected = 0.01 * w / (w + compliance * 1e4);
            assert_eq!(found, 0.01);
            assert!((x[0].norm() - expected).abs() < by_precision(1e-15, 1e-8), "{x:?}");
            // and no farther in later iterations
            c.solve(&mut x, &[w], 1e4, &mut multiplier);
            assert!((x[0].norm() - expected).abs() < by_precision(1e-12, 1e-7), "{x:?}");
        }
    }

    #[test]
    fn nothing_moves_that_is_pinned_or_outside() {
        let mut x = [Vec3::ZERO];
        let inside = CollisionConstraint::new(0, Vec3::Z, 0.01);
        assert_eq!(inside.solve(&mut x, &[0.0], 1e4, &mut 0.0), 0.01);
        let outside = CollisionConstraint::new(0, Vec3::Z, -0.01);
        assert_eq!(outside.solve(&mut x, &[1.0], 1e4, &mut 0.0), 0.0);
        assert_eq!(x[0], Vec3::ZERO);
    }
}
