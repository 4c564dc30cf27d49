//! The distance between two convex shapes (Gilbert, Johnson and Keerthi).
//!
//! We look for the point `x` of the Minkowski difference closest to the origin, that is, we minimize `f(x) = ½ |x|²`
//! over a convex set of which we only know support points:
//!
//! 1. From the present `x`, find the support point `s` in direction `-x`: nothing in the set lies farther towards the origin.
//! 2. `x·s / |x|` is then a lower bound of the distance, `|x|` an upper one. When `x·(x - s)` is small, they agree: done.
//! 3. Otherwise add `s` to the corners of the simplex, take the point of the simplex nearest to the origin as the new `x`
//!    ([`super::simplex`]), and drop the corners that do not carry it.
//!
//! ```text
//!       s0                       s0
//!      /  \                     /  \        x is the nearest point of the segment s0 s2; the support
//!  0··x    | A-B         0··s1      |       point s1 beyond it makes a triangle, whose nearest point
//!      \  /                     \  /        is s1 itself: s0 and s2, without weight, are dropped
//!       s2                       s2
//! ```
//!
//! `|x|` falls in every step, so that no simplex comes twice; shapes with finitely many corners end after finitely many
//! steps, and the tolerance is zero for them. Four corners that all have weight enclose the origin: the shapes overlap.
//! The same holds where `x` vanishes. Where only this answer is wanted, a shorter search takes over at the first
//! tetrahedron (`intersect`): it turns the tetrahedron towards the origin face by face, without distances; it gives up
//! where the origin is in the plane of a face, and the search above goes on.
//!
//! Rounding can make `x` stand still before the bounds agree; then the last `x` is the answer.
use bytemuck::{Pod, Zeroable};
use ferrodyn_math::{MAX_VAL, MIN_VAL, Real, Vec3, sqrt};

use super::simplex::{closest_weights, combine};
use super::{Convex, ConvexSolver, MIN_VAL_SQR};

/// A vertex of the Minkowski difference, and the two points it is made of.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Vertex {
    pub(super) diff: Vec3,
    pub(super) on_a: Vec3,
    pub(super) on_b: Vec3,
    /// Corner or mesh vertex of each shape, [`NO_VERTEX`] for other shapes.
    pub(super) index_a: i32,
    pub(super) index_b: i32,
}

/// The vertex of a shape that has none.
pub(super) const NO_VERTEX: i32 = -1;

/// The support vertex in a unit direction: `s(d) = s_A(d) - s_B(-d)`. Both directions are handed in, as the caller has them.
#[inline]
pub(super) fn support(a: &mut Convex<'_>, b: &mut Convex<'_>, dir: Vec3, opposite: Vec3) -> Vertex {
    let on_a = a.grown_support(dir);
    let on_b = b.grown_support(opposite);
    Vertex { diff: on_a - on_b, on_a, on_b, index_a: a.vertex, index_b: b.vertex }
}

/// What a search for the origin in the Minkowski difference found.
enum Search {
    Inside,
    Outside,
    Unknown,
}

impl ConvexSolver<'_> {
    /// The shapes are known to be apart, by more than anyone asked for.
    fn no_contact(&mut self, iterations: usize) {
        self.gjk_iterations = iterations;
        self.simplex_len = 0;
        self.count = 0;
        self.dist = Real::MAX;
    }

    /// Distance and witness points, or a simplex that contains the origin. MuJoCo: `gjk`.
    ///
    /// Without a `cutoff` only the question whether the shapes touch is answered.
    pub(super) fn gjk(&mut self, a: &mut Convex<'_>, b: &mut Convex<'_>, cutoff: Real) {
        let want_distance = cutoff > 0.0;
        let mut try_intersection = !want_distance;
        // the gap x·(x - s) that counts as none: |x - x_min|² is at most twice as large, hence half of the tolerance squared
        let epsilon = if a.is_discrete() && b.is_discrete() {
            0.0
        } else {
            0.5 * self.settings.tolerance * self.settings.tolerance
        };
        // begin between the centres, without a simplex
        let mut x = self.on_a[0] - self.on_b[0];
        let mut x_norm = 0.0;
        let mut weights = [1.0, 0.0, 0.0, 0.0];
        let mut n = 0;
        let mut k = 0;
        while k < self.settings.iterations {
            x_norm = x.dot(x);
            // the origin itself: no direction is left to look in
            if x_norm < MIN_VAL_SQR {
                break;
            }
            x_norm = sqrt(x_norm);
            // the point of A - B farthest towards the origin
            let opposite = x * (1.0 / x_norm);
            let vertex = support(a, b, -opposite, opposite);
            self.simplex[n] = vertex;
            let s = vertex.diff;

            // the Frank-Wolfe gap of f(x) = ½ |x|² bounds the error:
            // ½ |x - x_min|² ≤ f(x) - f(x_min) ≤ ∇f(x)·(x - s) = x·(x - s)
            if x.dot(x - s) < epsilon {
                // the first point was the nearest already: it is the simplex
                if k == 0 {
                    n = 1;
                }
                break;
            }
            // a plane separates the difference from the origin
            let xs = x.dot(s);
            if !want_distance {
                if xs > 0.0 {
                    self.separating = Some(-opposite);
                    return self.no_contact(k);
                }
            } else if cutoff < Real::MAX && xs > 0.0 && xs * xs / x.dot(x) >= cutoff * cutoff {
                self.separating = Some(-opposite);
                return self.no_contact(k);
            }

            // the fourth corner, and only contact counts
            if n == 3 && try_intersection {
                self.gjk_iterations = k;
                match self.intersect(a, b) {
                    Search::Inside => {
                        self.count = 0;
                        self.dist = 0.0;
                        return;
                    }
                    Search::Outside => {
                        self.count = 0;
                        self.dist = Real::MAX;
                        return;
                    }
                    Search::Unknown => {}
                }
                // the iterations of the shorter search count; it is not tried twice
                k = self.gjk_iterations;
                try_intersection = false;
            }

            // nearest point of the simplex, as weights; corners without weight are dropped
            weights = closest_weights(n + 1, self.simplex.map(|v| v.diff));
            n = 0;
            for i in 0..4 {
                if weights[i] != 0.0 {
                    self.simplex[n] = self.simplex[i];
                    weights[n] = weights[i];
                    n += 1;
                }
            }
            // only NaN leaves no corner
            if n < 1 {
                return self.no_contact(k);
            }
            // x = Σ wᵢ sᵢ; standing still to the last digit is the end too
            let next = self.weighted(weights, n, |v| v.diff);
            if (0..3).all(|i| (next[i] - x[i]).abs() < MIN_VAL) {
                break;
            }
            x = next;
            // all four corners are needed: the origin is inside
            if n == 4 {
                x_norm = 0.0;
                break;
            }
            k += 1;
        }
        // the weights of the corners give the points of both shapes, too
        if n > 0 {
            self.on_a[0] = self.weighted(weights, n, |v| v.on_a);
            self.on_b[0] = self.weighted(weights, n, |v| v.on_b);
        }
        self.count = 1;
        self.gjk_iterations = k;
        self.simplex_len = n;
        self.dist = x_norm;
    }

    /// Weighted sum of the first `n` vertices of the simplex.
    fn weighted(&self, w: [Real; 4], n: usize, part: impl Fn(&Vertex) -> Vec3) -> Vec3 {
        let [s0, s1, s2, s3] = [0, 1, 2, 3].map(|i| part(&self.simplex[i]));
        match n {
            1 => combine([w[0]], [s0]),
            2 => combine([w[0], w[1]], [s0, s1]),
            3 => combine([w[0], w[1], w[2]], [s0, s1, s2]),
            _ => combine(w, [s0, s1, s2, s3]),
        }
    }

    /// Move a tetrahedron through the difference until it contains the origin. MuJoCo: `gjkIntersect`.
    ///
    /// In each step the origin is inside of all four faces (then the shapes overlap), or outside of one: the corner
    /// that this face lacks is replaced by the support point along the face's normal. Where not even that reaches the
    /// origin's side, the shapes are apart. `s` names the corners in such an order that all four normals point
    /// outwards; replacing one turns the tetrahedron inside out, and exchanging two others turns it back.
    fn intersect(&mut self, a: &mut Convex<'_>, b: &mut Convex<'_>) -> Search {
        let mut simplex = self.simplex;
        let mut s = [0, 1, 2, 3];
        let mut k = self.gjk_iterations;
        while k < self.settings.iterations {
            // face i lacks corner i; distances are positive where the origin is inside
            let v = s.map(|i| simplex[i].diff);
            let faces = [
                signed_distance(v[2], v[1], v[3]),
                signed_distance(v[0], v[2], v[3]),
                signed_distance(v[1], v[0], v[3]),
                signed_distance(v[0], v[1], v[2]),
            ];
            let dist = faces.map(|f| f.0);
            // the origin is in the plane of a face: neither side
            if dist.contains(&0.0) {
                self.gjk_iterations = k;
                return Search::Unknown;
            }
            // the face that the origin is farthest outside of, or least inside
            let i = if dist[0] < dist[1] { 0 } else { 1 };
            let j = if dist[2] < dist[3] { 2 } else { 3 };
            let nearest = if dist[i] < dist[j] { i } else { j };
            if dist[nearest] > 0.0 {
                self.simplex_len = 4;
                self.simplex = s.map(|i| simplex[i]);
                self.gjk_iterations = k;
                return Search::Inside;
            }
            // replace the vertex opposite to the face that the origin is outside of
            let normal = faces[nearest].1;
            let vertex = support(a, b, normal, -normal);
            simplex[s[nearest]] = vertex;
            // the set ends before the origin
            if normal.dot(vertex.diff) < 0.0 {
                self.simplex_len = 0;
                self.gjk_iterations = k;
                self.separating = Some(normal);
                return Search::Outside;
            }
            // keep the orientation
            s.swap((nearest + 1) & 3, (nearest + 2) & 3);
            k += 1;
        }
        self.gjk_iterations = k;
        Search::Unknown
    }
}

/// Distance of the origin inside of a face, and the face's normal; infinite without a normal, so that such a face is never the
/// nearest. MuJoCo: `signedDistance`.
fn signed_distance(v1: Vec3, v2: Vec3, v3: Vec3) -> (Real, Vec3) {
    // twice the area; below MIN_VAL² the triangle is a line, above MAX_VAL² its points are too far away to be of use
    let normal = (v3 - v1).cross(v2 - v1);
    let norm_sqr = normal.dot(normal);
    if norm_sqr > MIN_VAL_SQR && norm_sqr < MAX_VAL * MAX_VAL {
        let normal = normal * (1.0 / sqrt(norm_sqr));
        (normal.dot(v1), normal)
    } else {
        (Real::MAX, normal)
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use ferrodyn_math::{Stack, by_precision};

    use super::super::{ConvexSettings, ConvexShape};
    use super::*;
    use crate::Pose;
    use crate::samples::{spread, turned};

    const SIZES: [Vec3; 2] = [Vec3([0.4, 0.7, 1.0]), Vec3([0.9, 0.3, 0.5])];

    /// The search between two boxes: distance, nearest points, corners of the last simplex.
    fn search(poses: [Pose; 2], cutoff: Real) -> (Real, [Vec3; 2], usize) {
        let settings = ConvexSettings { iterations: 50, tolerance: 1e-6 };
        let mut words = vec![u64::MAX; ConvexSolver::words(&settings)];
        let mut solver = ConvexSolver::new(&mut Stack::new(&mut words), settings).unwrap();
        let [mut a, mut b] = [0, 1].map(|i| Convex::new(ConvexShape::Box(SIZES[i]), poses[i], 0.0));
        (solver.on_a[0], solver.on_b[0]) = (a.center(), b.center());
        solver.gjk(&mut a, &mut b, cutoff);
        (solver.dist, [solver.on_a[0], solver.on_b[0]], solver.simplex_len)
    }

    /// The points of two boxes nearest to each other: each in turn is moved to the point of its box nearest to the other.
    fn project_in_turn(poses: &[Pose; 2]) -> [Vec3; 2] {
        let mut points = poses.map(|pose| pose.pos);
        for k in 0..4000 {
            let (i, other) = (k % 2, 1 - k % 2);
            let local = poses[i].to_local(points[other]);
            let clamp = |k: usize| local[k].clamp(-SIZES[i][k], SIZES[i][k]);
            points[i] = poses[i].to_global(Vec3::new(clamp(0), clamp(1), clamp(2)));
        }
        points
    }

    #[test]
    fn boxes_are_as_far_apart_as_projections_in_turn_find() {
        let tolerance = by_precision(1e-6, 1e-4);
        let (mut apart, mut overlapping) = (0, 0);
        for i in 1..120 {
            let poses = [
                Pose { pos: Vec3::ZERO, mat: turned(i) },
                Pose { pos: spread(i, [3, 5, 7]) * 2.5, mat: turned(i + 500) },
            ];
            let [on_a, on_b] = project_in_turn(&poses);
            let expected = (on_a - on_b).norm();
            if expected < 1e-3 {
                // projections come near a common point only slowly: overlap is what the second question answers
                overlapping += i32::from(search(poses, 0.0).0 == 0.0);
                continue;
            }
            let (dist, points, _) = search(poses, Real::MAX);
            assert!((dist - expected).abs() < tolerance, "{i}: {dist}, expected {expected}");
            // the points are in their boxes, and as far apart
            assert!(((points[0] - points[1]).norm() - dist).abs() < tolerance);
            for (k, point) in points.iter().enumerate() {
                let local = poses[k].to_local(*point);
                assert!((0..3).all(|j| local[j].abs() < SIZES[k][j] + tolerance), "{i}: {local:?}");
            }
            // only asked whether they touch, and asked for less than the distance: it may or may not be found
            for cutoff in [0.0, 0.9 * expected] {
                let dist = search(poses, cutoff).0;
                assert!(dist == Real::MAX || (dist - expected).abs() < tolerance, "{i}: {dist}");
            }
            assert!((search(poses, 1.1 * expected).0 - expected).abs() < tolerance);
            apart += 1;
        }
        assert!(apart > 60 && overlapping > 15, "{apart} {overlapping}");
    }

    #[test]
    fn overlapping_boxes_leave_a_simplex_around_the_origin() {
        let at = |x, y, z| [Pose::at(Vec3::ZERO), Pose { pos: Vec3::new(x, y, z), mat: turned(7) }];
        let (dist, _, corners) = search(at(0.3, -0.2, 0.4), 0.0);
        assert_eq!((dist, corners), (0.0, 4));
        let (dist, _, corners) = search(at(3.0, 0.0, 0.0), 0.0);
        assert_eq!((dist, corners), (Real::MAX, 0));
    }

    #[test]
    fn a_face_knows_on_which_side_of_it_the_origin_is() {
        let [a, b, c] = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]].map(|[x, y]| Vec3::new(x, y, 2.0));
        assert_eq!(signed_distance(a, b, c), (-2.0, -Vec3::Z));
        assert_eq!(signed_distance(a, c, b), (2.0, Vec3::Z));
        // three points in line, and one that is no number, are never the nearest
        assert_eq!(signed_distance(a, b, a + (b - a) * 2.0).0, Real::MAX);
        assert_eq!(signed_distance(a, b, Vec3::new(Real::NAN, 0.0, 0.0)).0, Real::MAX);
    }
}
