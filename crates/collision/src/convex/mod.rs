//! Distances and contacts between convex shapes.
mod epa;
mod gjk;
mod multi;
mod pair;
mod polytope;
mod shape;
mod simplex;

use ferrodyn_math::{Real, Vec3};

pub use pair::{ConvexPair, convex_convex};
pub use shape::{Convex, ConvexShape};

use crate::MAX_POINTS;
use gjk::Vertex;
use multi::MultiContact;
use polytope::Polytope;

/// The polytope always has room for the faces of this many iterations.
const MIN_CAPACITY: usize = 170;

/// How long and how precisely to search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConvexSettings {
    /// The most iterations of each search.
    pub iterations: usize,
    /// Searches end when the distance is known to this.
    pub tolerance: Real,
}

impl Default for ConvexSettings {
    fn default() -> Self {
        ConvexSettings { iterations: 35, tolerance: 1e-6 }
    }
}

/// Searches distances and penetrations, and keeps the memory for them.
///
/// ```
/// use ferrodyn_collision::{Convex, ConvexShape, ConvexSettings, ConvexSolver, Pose};
/// use ferrodyn_math::Vec3;
/// let mut solver = ConvexSolver::new();
/// let mut a = Convex::new(ConvexShape::Cylinder(0.5, 1.0), Pose::at(Vec3::ZERO), 0.0);
/// let mut b = Convex::new(ConvexShape::Sphere(0.5), Pose::at(Vec3::new(2.0, 0.0, 0.0)), 0.0);
/// let distance = solver.distance(ConvexSettings::default(), &mut a, &mut b, 10.0);
/// assert!((distance - 1.0).abs() < 1e-6);
/// ```
#[derive(Clone, Debug)]
pub struct ConvexSolver {
    settings: ConvexSettings,
    simplex: [Vertex; 4],
    simplex_len: usize,
    polytope: Polytope,
    multi: MultiContact,
    /// Distance; negative for a penetration, [`Real::MAX`] where the shapes are apart.
    dist: Real,
    /// Nearest or deepest points of each shape.
    on_a: [Vec3; MAX_POINTS],
    on_b: [Vec3; MAX_POINTS],
    count: usize,
    gjk_iterations: usize,
    epa_iterations: usize,
}

impl ConvexSolver {
    /// A solver without memory; the first searches allocate it.
    pub fn new() -> ConvexSolver {
        ConvexSolver {
            settings: ConvexSettings::default(),
            simplex: [Vertex::default(); 4],
            simplex_len: 0,
            polytope: Polytope::default(),
            multi: MultiContact::default(),
            dist: 0.0,
            on_a: [Vec3::ZERO; MAX_POINTS],
            on_b: [Vec3::ZERO; MAX_POINTS],
            count: 0,
            gjk_iterations: 0,
            epa_iterations: 0,
        }
    }

    /// Signed distance of two shapes, or `cutoff` where they are farther apart.
    pub fn distance(
        &mut self,
        settings: ConvexSettings,
        a: &mut Convex<'_>,
        b: &mut Convex<'_>,
        cutoff: Real,
    ) -> Real {
        let dist = self.run(settings, a, b, 1, cutoff);
        if dist < cutoff { dist } else { cutoff }
    }

    /// The points of both shapes that the last search found nearest or deepest, if any.
    pub fn witness(&self) -> Option<(Vec3, Vec3)> {
        (self.count > 0).then_some((self.on_a[0], self.on_b[0]))
    }

    /// Signed distance of two shapes. `max_points` is how many contact points to look for;
    /// distances of separate shapes are found up to `cutoff`.
    pub(crate) fn run(
        &mut self,
        settings: ConvexSettings,
        a: &mut Convex<'_>,
        b: &mut Convex<'_>,
        max_points: usize,
        cutoff: Real,
    ) -> Real {
        self.settings = settings;
        self.on_a[0] = a.center();
        self.on_b[0] = b.center();
        self.gjk_iterations = 0;
        self.epa_iterations = 0;
        self.count = 0;

        // spheres and capsules as a point or a segment with a radius
        let (shell_a, shell_b) = (a.shrink_to_core(), b.shrink_to_core());
        if shell_a.is_some() || shell_b.is_some() {
            let [grown_a, grown_b] =
                [&shell_a, &shell_b].map(|shell| shell.as_ref().map_or(0.0, |s| s.radius));
            self.gjk(a, b, cutoff + (grown_a + grown_b));
            a.grow_again(shell_a);
            b.grow_again(shell_b);
            if self.dist > settings.tolerance {
                self.inflate(grown_a, grown_b);
                if self.dist > cutoff {
                    self.dist = Real::MAX;
                }
                return self.dist;
            }
            self.gjk_iterations = 0;
            self.on_a[0] = a.center();
            self.on_b[0] = b.center();
        }

        self.gjk(a, b, cutoff);
        if self.dist <= settings.tolerance && self.simplex_len > 1 {
            self.dist = 0.0;
            if self.start_polytope(a, b).is_ok()
                && let Some(face) = self.epa(a, b)
                && max_points > 1
            {
                self.multi_contact(face, a, b, max_points);
            }
        }
        self.dist
    }

    /// Grow both shapes by radii along the line between the nearest points.
    fn inflate(&mut self, radius_a: Real, radius_b: Real) {
        let normal = (self.on_b[0] - self.on_a[0]).normalize().0;
        self.on_a[0] += normal * radius_a;
        self.on_b[0] -= normal * radius_b;
        self.dist -= radius_a + radius_b;
    }
}

impl Default for ConvexSolver {
    fn default() -> Self {
        ConvexSolver::new()
    }
}
