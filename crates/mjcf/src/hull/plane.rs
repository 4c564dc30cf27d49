//! Planes through three points, distances, centrums, and the tolerances that decide what "coplanar" means.
//!
//! The distance of a point from a plane is a sum of three products and an offset: its rounding error is bounded by the machine precision
//! times the sizes of the coordinates. That bound, `round`, is the unit of all decisions; every tolerance is a small multiple of it, and
//! the multiples are Qhull's.

use super::HullError;
use super::arena::Facet;
use super::build::Builder;
use crate::pose::dot;

/// Smallest divisor whose quotient cannot overflow: the smallest normal number.
const MIN_DENOMINATOR: f64 = f64::MIN_POSITIVE;

/// Round-off bounds for points of a given extent. All are multiples of `round`.
#[derive(Clone, Default)]
pub(super) struct Tolerances {
    /// Largest error of a computed distance from a point to a plane.
    pub round: f64,
    /// Pivots below this are zero, by column.
    pub near_zero: [f64; 3],
    /// Norms below this are divided with care.
    pub min_norm: f64,
    /// Bound on quotients in back substitution.
    pub min_quotient: f64,
    /// Diagonals below this are divided with care.
    pub min_diagonal: f64,
    /// Largest displacement by one merge.
    pub one_merge: f64,
    /// Points closer than this below a facet are kept for the final check.
    pub near_inside: f64,
    /// A facet is visible from a point further above than this.
    pub min_visible: f64,
    /// A facet is coplanar with a point less than this below.
    pub max_coplanar: f64,
    /// A point is outside a facet if further above than this.
    pub min_outside: f64,
    /// A facet with a vertex further off than this keeps its centrum.
    pub wide_facet: f64,
    /// Facets are convex if each centrum is further below the other plane than this.
    pub centrum_radius: f64,
    /// Largest extent along an axis.
    pub width: f64,
}

impl Tolerances {
    /// Bounds for points whose largest absolute coordinate per axis is `max_abs`. Qhull: `qh_detroundoff`, `qh_distround`.
    pub(super) fn new(max_abs: [f64; 3], width: f64) -> Self {
        let (mut largest, mut sum) = (0.0_f64, 0.0);
        let mut near_zero = [0.0; 3];
        for k in 0..3 {
            if largest < max_abs[k] {
                largest = max_abs[k];
            }
            sum += max_abs[k];
            // Golub and van Loan's bound on what elimination leaves of a zero pivot, with Qhull's factor
            near_zero[k] = 80.0 * sum * f64::EPSILON;
        }
        // |point| is at most √3 times the largest coordinate, and at most their sum
        let mut reach = 3.0_f64.sqrt() * largest;
        if reach > sum {
            reach = sum;
        }
        // three products of a coordinate and a part of a unit normal, 1 % for their own rounding, and the offset
        let round = f64::EPSILON * (3.0 * reach * 1.01 + largest);
        // the centrum has an error of its own, as large as that of the distance
        let centrum_radius = 2.0 * round;
        // how far one merge moves a facet: three of these radii, one for each dimension, and rounding
        let one_merge = 3.0 * centrum_radius + round;
        let min_outside = 2.0 * centrum_radius;
        let min_quotient = (MIN_DENOMINATOR * 3.0).sqrt();
        Self {
            round,
            near_zero,
            min_norm: MIN_DENOMINATOR * largest,
            min_quotient,
            min_diagonal: min_quotient * largest,
            one_merge,
            near_inside: one_merge * 5.0,
            min_visible: centrum_radius,
            max_coplanar: centrum_radius,
            min_outside,
            wide_facet: f64::max(min_outside, 6.0 * centrum_radius),
            centrum_radius,
            width,
        }
    }
}

/// Plane of a triangle: unit normal, offset, and whether it is close to singular.
struct Plane {
    normal: [f64; 3],
    offset: f64,
    singular: bool,
}

/// Signed distance above the plane of a facet.
pub(super) fn distance(facet: &Facet, p: &[f64; 3]) -> f64 {
    facet.offset + p[0] * facet.normal[0] + p[1] * facet.normal[1] + p[2] * facet.normal[2]
}

/// Squared distance of two points.
pub(super) fn distance_squared(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    let d = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
}

/// `numerator / denominator`, or `None` where that would overflow.
fn divide(numerator: f64, denominator: f64, min_quotient: f64) -> Option<f64> {
    let fits = if numerator.abs() < min_quotient {
        numerator.abs() < denominator.abs()
    } else {
        (denominator / numerator).abs() > min_quotient
    };
    fits.then_some(numerator / denominator)
}

/// Scales a normal to unit length, reversed unless `keep_sign`.
fn normalize(normal: &mut [f64; 3], keep_sign: bool, tol: &Tolerances) {
    // the usual case
    let norm = dot(normal, normal).sqrt();
    let signed = if keep_sign { norm } else { -norm };
    if norm > tol.min_norm {
        for x in normal.iter_mut() {
            *x /= signed;
        }
    // no direction at all: one that is as good as any
    } else if norm == 0.0 {
        *normal = [(1.0_f64 / 3.0).sqrt(); 3];
    } else {
        // so short that a quotient may overflow: then it is along the largest coordinate
        for k in 0..3 {
            match divide(normal[k], signed, MIN_DENOMINATOR) {
                Some(x) => normal[k] = x,
                None => {
                    let mut largest = 0;
                    for i in 1..3 {
                        if normal[i].abs() > normal[largest].abs() {
                            largest = i;
                        }
                    }
                    let sign = if normal[largest] * signed >= 0.0 { 1.0 } else { -1.0 };
                    *normal = [0.0; 3];
                    normal[largest] = sign;
                    return;
                }
            }
        }
    }
}

/// Plane by cross product. Qhull: `qh_sethyperplane_det`.
fn plane_by_determinants(p: [&[f64; 3]; 3], top_oriented: bool, tol: &Tolerances) -> Plane {
    // (p₂ - p₀) × (p₁ - p₀)
    let d = |i: usize, k: usize| p[i][k] - p[0][k];
    let mut normal = [
        d(2, 1) * d(1, 2) - d(2, 2) * d(1, 1),
        d(1, 0) * d(2, 2) - d(1, 2) * d(2, 0),
        d(2, 0) * d(1, 1) - d(2, 1) * d(1, 0),
    ];
    normalize(&mut normal, top_oriented, tol);
    let offset = -dot(p[0], &normal);
    // the other two corners tell whether the normal has enough digits
    let off_plane = |q: &[f64; 3]| (offset + dot(q, &normal)).abs() > tol.round;
    let singular = off_plane(p[2]) || off_plane(p[1]);
    Plane { normal, offset, singular }
}

/// Plane by elimination with pivoting, for triangles whose cross product is inaccurate: `n` with `rows · n = 0`. Qhull:
/// `qh_sethyperplane_gauss`.
fn plane_by_elimination(p: [&[f64; 3]; 3], top_oriented: bool, tol: &Tolerances) -> Plane {
    let mut rows = [[0.0; 3]; 2];
    for i in 0..2 {
        for k in 0..3 {
            rows[i][k] = p[i + 1][k] - p[0][k];
        }
    }
    // exchanging rows and negative pivots turn the normal over
    let mut negative = top_oriented;
    let mut singular = false;
    // upper triangular form
    if rows[1][0].abs() > rows[0][0].abs() {
        rows.swap(0, 1);
        negative = !negative;
    }
    // a pivot that is only rounding
    if rows[0][0].abs() <= tol.near_zero[0] {
        singular = true;
    }
    if rows[0][0] != 0.0 {
        let n = rows[1][0] / rows[0][0];
        rows[1][1] -= n * rows[0][1];
        rows[1][2] -= n * rows[0][2];
    }
    if rows[1][1].abs() <= tol.near_zero[1] {
        singular = true;
    }
    for (k, row) in rows.iter().enumerate() {
        if row[k] < 0.0 {
            negative = !negative;
        }
    }
    // back substitution
    let sign = if negative { -1.0 } else { 1.0 };
    // the last coordinate is free: ±1
    let mut normal = [0.0, 0.0, sign];
    for i in (0..2).rev() {
        let mut x = 0.0;
        for j in i + 1..3 {
            x -= rows[i][j] * normal[j];
        }
        let diagonal = rows[i][i];
        if diagonal.abs() > tol.min_diagonal {
            normal[i] = x / diagonal;
        } else if let Some(x) = divide(x, diagonal, tol.min_quotient) {
            normal[i] = x;
        } else {
            // no quotient: the normal is along this axis
            singular = true;
            normal[i] = sign;
            for x in &mut normal[i + 1..] {
                *x = 0.0;
            }
        }
    }
    normalize(&mut normal, true, tol);
    let mut offset = -(p[0][0] * normal[0]);
    offset -= p[0][1] * normal[1];
    offset -= p[0][2] * normal[2];
    Plane { normal, offset, singular }
}

impl Builder<'_> {
    /// Signed distance of a point above a facet.
    pub(super) fn distance(&self, p: &[f64; 3], f: usize) -> f64 {
        distance(&self.facets[f], p)
    }

    /// Computes the plane of a simplicial facet and tests its orientation. Qhull: `qh_setfacetplane`.
    pub(super) fn set_plane(&mut self, f: usize) -> Result<(), HullError> {
        let [a, b, c] = self.links[f].vertices[..] else {
            return Err(HullError::Topology("a plane needs three vertices"));
        };
        let points = self.points;
        let p = [a, b, c].map(|v| &points[self.vertices[v].point]);
        let top_oriented = self.facets[f].top_oriented;
        let mut plane = plane_by_determinants(p, top_oriented, &self.tol);
        // try again with pivots
        if plane.singular {
            plane = plane_by_elimination(p, top_oriented, &self.tol);
        }
        let facet = &mut self.facets[f];
        facet.normal = plane.normal;
        facet.offset = plane.offset;
        facet.has_plane = true;
        // a normal that is mostly rounding may point anywhere: at least outwards
        if plane.singular {
            self.orient_outward(f);
        }
        self.check_orientation(f);
        Ok(())
    }

    /// Turns the plane so that the interior point is below it.
    pub(super) fn orient_outward(&mut self, f: usize) {
        let interior = self.interior;
        let facet = &mut self.facets[f];
        if distance(facet, &interior) > 0.0 {
            facet.normal = facet.normal.map(|x| -x);
            facet.offset = -facet.offset;
        }
    }

    /// Flags a facet whose plane does not have the interior point clearly below; returns whether it is fine.
    pub(super) fn check_orientation(&mut self, f: usize) -> bool {
        let facet = &mut self.facets[f];
        if !facet.flipped && distance(facet, &self.interior) >= -self.tol.round {
            facet.flipped = true;
        }
        !facet.flipped
    }

    /// Mean of some vertices.
    pub(super) fn center(&self, vertices: &[usize]) -> [f64; 3] {
        let mut center = [0.0; 3];
        for (k, x) in center.iter_mut().enumerate() {
            for &v in vertices {
                *x += self.points[self.vertices[v].point][k];
            }
            *x /= vertices.len() as f64;
        }
        center
    }

    /// The centrum of a facet, the mean of its vertices projected on its plane; computed when first asked for. Qhull: `qh_getcentrum`.
    pub(super) fn centrum(&mut self, f: usize) -> [f64; 3] {
        if let Some(c) = self.facets[f].centrum {
            return c;
        }
        let center = self.center(&self.links[f].vertices);
        let facet = &mut self.facets[f];
        let d = distance(facet, &center);
        let mut centrum = [0.0; 3];
        for k in 0..3 {
            centrum[k] = center[k] - d * facet.normal[k];
        }
        facet.centrum = Some(centrum);
        centrum
    }

    /// Distance range of the vertices of `f` that `other` lacks, from the plane of `other`:
    /// `(largest magnitude, lowest, highest)`. It is how far a merge of `f` into `other` moves the surface. Qhull: `qh_getdistance`.
    pub(super) fn vertex_range(&mut self, f: usize, other: usize) -> Spread {
        // vertices that both have are on both planes
        for &v in &self.links[f].vertices {
            self.vertices[v].seen = false;
        }
        for &v in &self.links[other].vertices {
            self.vertices[v].seen = true;
        }
        let (mut low, mut high) = (0.0, 0.0);
        let facet = &self.facets[other];
        for &v in &self.links[f].vertices {
            if !self.vertices[v].seen {
                let d = distance(facet, &self.points[self.vertices[v].point]);
                if d < low {
                    low = d;
                } else if d > high {
                    high = d;
                }
            }
        }
        Spread { size: if high > -low { high } else { -low }, low, high }
    }
}

/// How far vertices of one facet are from the plane of another.
#[derive(Clone, Copy)]
pub(super) struct Spread {
    /// Larger of `-low` and `high`.
    pub size: f64,
    /// Lowest signed distance, at most zero.
    pub low: f64,
    /// Highest signed distance, at least zero.
    pub high: f64,
}
