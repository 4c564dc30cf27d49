//! The distance between two convex shapes (Gilbert, Johnson and Keerthi).
use bytemuck::{Pod, Zeroable};
use ferrodyn_math::{MAX_VAL, MIN_VAL, Real, Vec3, sqrt};

use super::simplex::{closest_weights, combine};
use super::{Convex, ConvexSolver};

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

/// The support vertex in a unit direction.
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
    fn no_contact(&mut self, iterations: usize) {
        self.gjk_iterations = iterations;
        self.simplex_len = 0;
        self.count = 0;
        self.dist = Real::MAX;
    }

    /// Distance and witness points, or a simplex that contains the origin.
    ///
    /// Without a `cutoff` only the question whether the shapes touch is answered.
    pub(super) fn gjk(&mut self, a: &mut Convex<'_>, b: &mut Convex<'_>, cutoff: Real) {
        let want_distance = cutoff > 0.0;
        let mut try_intersection = !want_distance;
        let epsilon = if a.is_discrete() && b.is_discrete() {
            0.0
        } else {
            0.5 * self.settings.tolerance * self.settings.tolerance
        };
        let mut x = self.on_a[0] - self.on_b[0];
        let mut x_norm = 0.0;
        let mut weights = [1.0, 0.0, 0.0, 0.0];
        let mut n = 0;
        let mut k = 0;
        while k < self.settings.iterations {
            x_norm = x.dot(x);
            if x_norm < MIN_VAL * MIN_VAL {
                break;
            }
            x_norm = sqrt(x_norm);
            let opposite = x * (1.0 / x_norm);
            let vertex = support(a, b, -opposite, opposite);
            self.simplex[n] = vertex;
            let s = vertex.diff;

            // |f(x) - f(x_min)|² <= grad f(x)·(x - s): the Frank-Wolfe duality gap
            if x.dot(x - s) < epsilon {
                if k == 0 {
                    n = 1;
                }
                break;
            }
            // a plane separates the difference from the origin
            let xs = x.dot(s);
            if !want_distance {
                if xs > 0.0 {
                    return self.no_contact(k);
                }
            } else if cutoff < Real::MAX && xs > 0.0 && xs * xs / x.dot(x) >= cutoff * cutoff {
                return self.no_contact(k);
            }

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
                k = self.gjk_iterations;
                try_intersection = false;
            }

            weights = closest_weights(n + 1, self.simplex.map(|v| v.diff));
            n = 0;
            for i in 0..4 {
                if weights[i] != 0.0 {
                    self.simplex[n] = self.simplex[i];
                    weights[n] = weights[i];
                    n += 1;
                }
            }
            if n < 1 {
                return self.no_contact(k);
            }
            let next = self.weighted(weights, n, |v| v.diff);
            if (0..3).all(|i| (next[i] - x[i]).abs() < MIN_VAL) {
                break;
            }
            x = next;
            if n == 4 {
                x_norm = 0.0;
                break;
            }
            k += 1;
        }
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

    /// Move a tetrahedron through the difference until it contains the origin.
    fn intersect(&mut self, a: &mut Convex<'_>, b: &mut Convex<'_>) -> Search {
        let mut simplex = self.simplex;
        let mut s = [0, 1, 2, 3];
        let mut k = self.gjk_iterations;
        while k < self.settings.iterations {
            let v = s.map(|i| simplex[i].diff);
            let faces = [
                signed_distance(v[2], v[1], v[3]),
                signed_distance(v[0], v[2], v[3]),
                signed_distance(v[1], v[0], v[3]),
                signed_distance(v[0], v[1], v[2]),
            ];
            let dist = faces.map(|f| f.0);
            if dist.contains(&0.0) {
                self.gjk_iterations = k;
                return Search::Unknown;
            }
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
            if normal.dot(vertex.diff) < 0.0 {
                self.simplex_len = 0;
                self.gjk_iterations = k;
                return Search::Outside;
            }
            s.swap((nearest + 1) & 3, (nearest + 2) & 3);
            k += 1;
        }
        self.gjk_iterations = k;
        Search::Unknown
    }
}

/// Distance of the origin inside of a face, and the face's normal; infinite without a normal.
fn signed_distance(v1: Vec3, v2: Vec3, v3: Vec3) -> (Real, Vec3) {
    let normal = (v3 - v1).cross(v2 - v1);
    let norm_sqr = normal.dot(normal);
    if norm_sqr > MIN_VAL * MIN_VAL && norm_sqr < MAX_VAL * MAX_VAL {
        let normal = normal * (1.0 / sqrt(norm_sqr));
        (normal.dot(v1), normal)
    } else {
        (Real::MAX, normal)
    }
}
