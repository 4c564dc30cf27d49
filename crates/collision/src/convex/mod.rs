//! Distances and contacts between convex shapes, whatever they are: GJK while they are apart, EPA where they overlap.
//!
//! A shape is known only by its **support point**: the point of it that lies farthest in a given direction. Two shapes
//! `A` and `B` are compared through one set, their Minkowski difference `A - B = { a - b : a ∈ A, b ∈ B }`. It is
//! convex, its support point in direction `d` is `s_A(d) - s_B(-d)`, and it answers both questions about the pair:
//!
//! ```text
//!      apart                      overlapping
//!        ____                        ____
//!   0   /    \                      /    \        0: the origin, where a point of A is one of B
//!   *··*      |                    | 0··· *
//!      | A-B  |                    | A-B  |       ···: the shortest way from it to the boundary
//!       \____/                      \____/
//! ```
//!
//! - The origin is outside: its distance to the set is the distance of the shapes. [`gjk`] walks a simplex (point,
//!   segment, triangle, tetrahedron) of support points towards it. The nearest point is a weighted mean of the corners,
//!   and the same weights give the nearest point of each shape, since a corner remembers the two points it is the
//!   difference of.
//! - The origin is inside: the shortest way out is how far the shapes must move to part, the depth of the penetration.
//!   [`epa`] blows up a polytope inside of the set, from the last simplex, until its face closest to the origin is on
//!   the boundary.
//! - Faces that meet touch in a polygon, of which either search finds one point. [`multi`] finds the faces or edges
//!   around that point, where both shapes have corners, and clips one by the other. For other shapes, [`pair`] rotates
//!   both a little and searches again.
//!
//! Spheres and capsules are searched as a point and a segment, and grown afterwards: exact, and quicker than many
//! support points of a round surface. Only where even these cores meet is the whole shape searched. A margin grows a
//! shape in the same way, by half of it, so that contacts begin before surfaces touch: a penetration of the grown
//! shapes by `p` is a contact at distance `margin - p`.
//!
//! What holds throughout: corners of a simplex or polytope are support points, hence in `A - B`; an estimate bounds the
//! true value from one side, a supporting plane from the other, and a search ends when they agree to the tolerance.
//! What can go wrong: the number of iterations runs out (the last estimate stands); rounding makes a simplex flat or a
//! polytope not convex (no contact, MuJoCo's answer); directions that are equally deep (which one is found is decided
//! by rounding, hence by MuJoCo's order of operations, which is kept here). MuJoCo: `mjc_ccd` in
//! `engine_collision_gjk.c`.
mod epa;
mod gjk;
mod multi;
mod normal;
mod pair;
mod polytope;
mod separation;
mod shape;
mod simplex;

use ferrodyn_math::{MIN_VAL, Real, Stack, StackFull, Vec3, words_of};

pub use normal::surface_normal;
pub use pair::{ConvexPair, convex_convex, convex_element};
pub use separation::Separation;
pub use shape::{Convex, ConvexShape, Element};

use crate::MAX_POINTS;
use gjk::Vertex;
use multi::MultiContact;
use polytope::Polytope;

/// The polytope always has room for the faces of this many iterations: MuJoCo's `mjMAX_EPA_ITERATIONS`, the size of its
/// static arrays. Whether a search runs out of room decides its result, so that room below MuJoCo's would change
/// contacts.
const MIN_CAPACITY: usize = 170;

/// A polytope grows by at most so many iterations, whatever the settings say: 16 384 of them look at every one of some 100 000
/// faces each, which no contact is worth, and take 10 MB.
const MAX_CAPACITY: usize = 1 << 14;

/// Squared lengths below this are zero: the square of [`MIN_VAL`], so that comparing takes no root. MuJoCo's `mjMINVAL2`.
const MIN_VAL_SQR: Real = MIN_VAL * MIN_VAL;

/// How long and how precisely to search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConvexSettings {
    /// The most iterations of each search.
    pub iterations: usize,
    /// Searches end when the distance is known to this.
    pub tolerance: Real,
}

impl ConvexSettings {
    /// The most iterations that expand a polytope.
    const fn epa_iterations(&self) -> usize {
        if self.iterations < MAX_CAPACITY { self.iterations } else { MAX_CAPACITY }
    }
}

impl Default for ConvexSettings {
    fn default() -> Self {
        // defaults of MuJoCo's `opt.ccd_iterations` and `opt.ccd_tolerance`: a micrometre where lengths are metres
        ConvexSettings { iterations: 35, tolerance: 1e-6 }
    }
}

/// Searches distances and penetrations, in memory that lasts for many of them.
///
/// ```
/// use ferrodyn_collision::{Convex, ConvexShape, ConvexSettings, ConvexSolver, Pose};
/// use ferrodyn_math::{Stack, Vec3};
/// let settings = ConvexSettings::default();
/// let mut words = vec![0; ConvexSolver::words(&settings)];
/// let mut solver = ConvexSolver::new(&mut Stack::new(&mut words), settings)?;
/// let mut a = Convex::new(ConvexShape::Cylinder(0.5, 1.0), Pose::at(Vec3::ZERO), 0.0);
/// let mut b = Convex::new(ConvexShape::Sphere(0.5), Pose::at(Vec3::new(2.0, 0.0, 0.0)), 0.0);
/// let distance = solver.distance(&mut a, &mut b, 10.0);
/// assert!((distance - 1.0).abs() < 1e-6);
/// # Ok::<(), ferrodyn_math::StackFull>(())
/// ```
#[derive(Debug)]
pub struct ConvexSolver<'a> {
    settings: ConvexSettings,
    simplex: [Vertex; 4],
    simplex_len: usize,
    polytope: Polytope<'a>,
    multi: MultiContact<'a>,
    /// Distance; negative for a penetration, [`Real::MAX`] where the shapes are apart.
    dist: Real,
    /// Nearest or deepest points of each shape.
    on_a: &'a mut [Vec3; MAX_POINTS],
    on_b: &'a mut [Vec3; MAX_POINTS],
    count: usize,
    gjk_iterations: usize,
    epa_iterations: usize,
    /// A direction from the first shape to the second along which the last search found them apart, if it did.
    separating: Option<Vec3>,
}

impl<'a> ConvexSolver<'a> {
    /// The words of memory that a solver takes, more than which no search can need.
    pub const fn words(settings: &ConvexSettings) -> usize {
        Polytope::words(settings) + MultiContact::words() + 2 * words_of::<[Vec3; MAX_POINTS]>(1)
    }

    /// A solver, with its memory from a stack.
    pub fn new(stack: &mut Stack<'a>, settings: ConvexSettings) -> Result<Self, StackFull> {
        let polytope = Polytope::new(stack, &settings)?;
        let multi = MultiContact::new(stack)?;
        let points = |stack: &mut Stack<'a>| Ok(&mut stack.take::<[Vec3; MAX_POINTS]>(1)?[0]);
        Ok(ConvexSolver {
            settings,
            simplex: [Vertex::default(); 4],
            simplex_len: 0,
            polytope,
            multi,
            dist: 0.0,
            on_a: points(stack)?,
            on_b: points(stack)?,
            count: 0,
            gjk_iterations: 0,
            epa_iterations: 0,
            separating: None,
        })
    }
}

impl ConvexSolver<'_> {
    /// Signed distance of two shapes, or `cutoff` where they are farther apart. MuJoCo: `mj_geomDistance` of a pair
    /// without a formula.
    pub fn distance(&mut self, a: &mut Convex<'_>, b: &mut Convex<'_>, cutoff: Real) -> Real {
        let dist = self.run(a, b, 1, cutoff);
        if dist < cutoff { dist } else { cutoff }
    }

    /// The points of both shapes that the last search found nearest or deepest, if any.
    pub fn witness(&self) -> Option<(Vec3, Vec3)> {
        (self.count > 0).then_some((self.on_a[0], self.on_b[0]))
    }

    /// Signed distance of two shapes, as MuJoCo's `mjc_ccd`. `max_points` is how many contact points to look for;
    /// distances of separate shapes are found up to `cutoff`.
    pub(crate) fn run(
        &mut self,
        a: &mut Convex<'_>,
        b: &mut Convex<'_>,
        max_points: usize,
        cutoff: Real,
    ) -> Real {
        // the first guess of the nearest points: the centres
        self.on_a[0] = a.center();
        self.on_b[0] = b.center();
        self.gjk_iterations = 0;
        self.epa_iterations = 0;
        self.count = 0;
        self.separating = None;

        // spheres and capsules as a point or a segment with a radius
        let (shell_a, shell_b) = (a.shrink_to_core(), b.shrink_to_core());
        if shell_a.is_some() || shell_b.is_some() {
            let [grown_a, grown_b] =
                [&shell_a, &shell_b].map(|shell| shell.as_ref().map_or(0.0, |s| s.radius));
            // distances between the cores are larger by what was taken away
            self.gjk(a, b, cutoff + (grown_a + grown_b));
            a.grow_again(shell_a);
            b.grow_again(shell_b);
            // the cores are apart, however deep the shapes overlap: nothing but radii is left to add
            if self.dist > self.settings.tolerance {
                self.inflate(grown_a, grown_b);
                if self.dist > cutoff {
                    // the line between the nearest points, unless a plane ended the search
                    if self.dist < Real::MAX && self.separating.is_none() {
                        self.separating = Some((self.on_b[0] - self.on_a[0]).normalize().0);
                    }
                    self.dist = Real::MAX;
                }
                return self.dist;
            }
            // the cores meet, and no line between them gives a normal: begin again with the whole shapes
            self.gjk_iterations = 0;
            self.on_a[0] = a.center();
            self.on_b[0] = b.center();
        }

        self.gjk(a, b, cutoff);
        // a simplex of two corners or more is needed to build a polytope; a single one means that the shapes touch at most
        if self.dist <= self.settings.tolerance && self.simplex_len > 1 {
            // touching, unless the depth is found
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
        // a and b grow towards each other: their points move along the normal, and the gap closes by both radii
        let normal = (self.on_b[0] - self.on_a[0]).normalize().0;
        self.on_a[0] += normal * radius_a;
        self.on_b[0] -= normal * radius_b;
        self.dist -= radius_a + radius_b;
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use ferrodyn_math::{Quat, by_precision};

    use super::*;
    use crate::Pose;

    /// Two balls around nearly the same point: all directions are equally deep, so that no iteration is the last one.
    fn endless_search(iterations: usize) -> (usize, usize) {
        let settings = ConvexSettings { iterations, tolerance: 1e-9 };
        let mut words = vec![u64::MAX; ConvexSolver::words(&settings)];
        let mut stack = Stack::new(&mut words);
        let mut solver = ConvexSolver::new(&mut stack, settings).unwrap();
        assert_eq!(stack.free_words(), 0, "the memory is what was asked for");
        let shape = ConvexShape::Ellipsoid(Vec3::new(1.0, 1.0, 1.0));
        let mat = Quat::from_axis_angle(Vec3::new(0.6, 0.8, 0.0), 0.9).to_mat();
        let mut a = Convex::new(shape, Pose::at(Vec3::ZERO), 0.0);
        let mut b = Convex::new(shape, Pose { pos: Vec3::new(1e-4, 2e-4, 0.0), mat }, 0.0);
        let dist = solver.run(&mut a, &mut b, 1, 0.0);
        assert!((-2.0..-1.0).contains(&dist), "{dist}");
        assert_eq!(solver.epa_iterations, iterations);
        (solver.polytope.vertices.len(), solver.polytope.faces.len())
    }

    #[test]
    fn a_polytope_uses_its_memory_and_stays_within_it() {
        for iterations in [35, 170, 400, 1000] {
            let (vertices, faces) = endless_search(iterations);
            assert!((iterations + 4..=iterations + 5).contains(&vertices), "{vertices} vertices");
            let most = 6 * iterations.max(MIN_CAPACITY);
            assert!((4 * iterations..=most).contains(&faces), "{iterations}: {faces} faces");
        }
    }

    #[test]
    fn elements_that_are_told_apart_are_as_far_as_the_search_finds() {
        let settings = ConvexSettings { iterations: 50, tolerance: by_precision(1e-9, 1e-5) };
        let mut words = vec![0; ConvexSolver::words(&settings)];
        let mut solver = ConvexSolver::new(&mut Stack::new(&mut words), settings).unwrap();
        let mut seed = 1_u64;
        let mut next = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 40) as Real / (1_u64 << 24) as Real
        };
        let (mut apart, mut missed) = (0, 0);
        for round in 0..2000 {
            let mut element = |shift: Real| Element {
                corners: core::array::from_fn(|_| Vec3::new(next() + shift, next(), next())),
                count: 1 + round % 4,
                radius: 0.1 * next(),
            };
            let (a, b) = (element(0.0), element(0.9));
            let convex = |element: &Element| {
                let middle = element.corners[0];
                Convex::new(ConvexShape::Element(*element), Pose::at(middle), 0.0)
            };
            let distance = solver.distance(&mut convex(&a), &mut convex(&b), 10.0);
            for slack in [0.0, 0.05] {
                if a.is_apart(&b, slack) {
                    apart += 1;
                    assert!(distance > slack - by_precision(1e-7, 1e-3), "{round}: {distance}");
                } else if distance > slack {
                    missed += 1;
                }
            }
        }
        // most are told apart
        assert!(apart > 1000 && missed < apart, "{apart} {missed}");
    }

    #[test]
    fn settings_beyond_reason_ask_for_a_bounded_memory() {
        let words =
            |iterations| ConvexSolver::words(&ConvexSettings { iterations, tolerance: 0.0 });
        assert_eq!(words(usize::MAX), words(MAX_CAPACITY));
        assert!(words(usize::MAX) < 1 << 21);
    }

    #[test]
    fn too_little_memory_is_an_error() {
        let settings = ConvexSettings::default();
        let mut words = vec![0; ConvexSolver::words(&settings) - 1];
        let full = ConvexSolver::new(&mut Stack::new(&mut words), settings).unwrap_err();
        assert_eq!(full, StackFull { missing: 1 });
    }

    use ConvexShape::{Box, Capsule, Cylinder, Ellipsoid, Sphere};

    /// The signed distance of two shapes without rotation, and the points that have it.
    fn distance(
        a: ConvexShape<'_>,
        b: ConvexShape<'_>,
        b_pose: Pose,
        cutoff: Real,
    ) -> (Real, Option<(Vec3, Vec3)>) {
        let settings = ConvexSettings { iterations: 50, tolerance: 1e-6 };
        let mut words = vec![u64::MAX; ConvexSolver::words(&settings)];
        let mut solver = ConvexSolver::new(&mut Stack::new(&mut words), settings).unwrap();
        let mut a = Convex::new(a, Pose::at(Vec3::ZERO), 0.0);
        let mut b = Convex::new(b, b_pose, 0.0);
        let dist = solver.distance(&mut a, &mut b, cutoff);
        (dist, solver.witness())
    }

    const TOLERANCE: Real = by_precision(1e-9, 1e-5);
    const CUBE: ConvexShape<'static> = Box(Vec3([1.0, 1.0, 1.0]));

    #[test]
    fn spheres_are_apart_by_their_centres_less_their_radii() {
        let b = Pose::at(Vec3::new(3.0, 4.0, 0.0));
        let (dist, points) = distance(Sphere(1.0), Sphere(1.5), b, 10.0);
        assert!((dist - 2.5).abs() < TOLERANCE);
        let (on_a, on_b) = points.unwrap();
        assert!((on_a - Vec3::new(0.6, 0.8, 0.0)).norm() < TOLERANCE);
        assert!((on_b - Vec3::new(2.1, 2.8, 0.0)).norm() < TOLERANCE);
        // no farther than anyone asked for
        assert_eq!(distance(Sphere(1.0), Sphere(1.5), b, 2.0).0, 2.0);
        // spheres that overlap are as deep as their radii say, however deep
        let near = Pose::at(Vec3::new(0.3, 0.4, 0.0));
        assert!((distance(Sphere(1.0), Sphere(1.5), near, 10.0).0 + 2.0).abs() < TOLERANCE);
    }

    #[test]
    fn boxes_are_apart_by_faces_edges_or_corners() {
        let gap = |x, y, z| distance(CUBE, CUBE, Pose::at(Vec3::new(x, y, z)), 10.0).0;
        assert!((gap(2.3, 0.5, -0.7) - 0.3).abs() < TOLERANCE);
        assert!((gap(2.3, 2.4, 0.5) - 0.5).abs() < TOLERANCE);
        assert!((gap(2.2, -2.3, 2.6) - 0.7).abs() < TOLERANCE);
    }

    #[test]
    fn a_cylinder_and_a_capsule_are_apart_by_side_and_end() {
        // the end of the capsule, at (0, 0, 2.5), is 1.5 above the cap
        let above = Pose::at(Vec3::new(0.2, 0.0, 3.0));
        let (dist, _) = distance(Cylinder(0.5, 1.0), Capsule(0.25, 0.5), above, 10.0);
        assert!((dist - 1.25).abs() < by_precision(1e-6, 1e-5), "{dist}");
        let beside = Pose::at(Vec3::new(1.2, 1.6, 0.0));
        let (dist, _) = distance(Cylinder(0.5, 1.0), Capsule(0.25, 0.5), beside, 10.0);
        assert!((dist - 1.25).abs() < by_precision(1e-6, 1e-5), "{dist}");
    }

    #[test]
    fn overlapping_boxes_part_along_the_shortest_way() {
        let depth = |pos, mat| distance(CUBE, CUBE, Pose { pos, mat }, 10.0);
        let (dist, points) = depth(Vec3::new(1.7, 0.5, 0.2), ferrodyn_math::Mat3::IDENTITY);
        assert!((dist + 0.3).abs() < TOLERANCE, "{dist}");
        let (on_a, on_b) = points.unwrap();
        assert!(((on_a - on_b) - Vec3::X * 0.3).norm() < TOLERANCE);
        // an edge of the second, √2 from its centre, in a face of the first
        let mat = Quat::from_axis_angle(Vec3::Z, ferrodyn_math::PI / 4.0).to_mat();
        let (dist, _) = depth(Vec3::new(2.3, 0.0, 0.0), mat);
        let root: Real = ferrodyn_math::sqrt(2.0);
        assert!((dist - (2.3 - 1.0 - root)).abs() < TOLERANCE, "{dist}");
    }

    #[test]
    fn the_depth_of_round_shapes_is_found_to_the_tolerance() {
        let tolerance = by_precision(2e-6, 1e-4);
        let depth = |a, b, x, y, z| distance(a, b, Pose::at(Vec3::new(x, y, z)), 10.0).0;
        let ellipsoid = Ellipsoid(Vec3::new(1.0, 2.0, 3.0));
        let on_top = depth(ellipsoid, CUBE, 0.0, 0.0, 3.8);
        assert!((on_top + 0.2).abs() < tolerance, "{on_top}");
        let side = depth(Cylinder(0.5, 1.0), Cylinder(0.5, 1.0), 0.54, 0.72, 0.1);
        assert!((side + 0.1).abs() < tolerance, "{side}");
        // the segments meet: out across both, by both radii
        let mat = Quat::from_axis_angle(Vec3::X, ferrodyn_math::PI / 2.0).to_mat();
        let capsule = Capsule(0.3, 2.0);
        let (crossed, _) =
            distance(capsule, capsule, Pose { pos: Vec3::new(0.0, 0.3, 0.2), mat }, 10.0);
        assert!((crossed + 0.6).abs() < 2e-3, "{crossed}");
    }
}
