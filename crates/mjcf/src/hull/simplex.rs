//! The initial tetrahedron: four points that span a large volume, so that the planes through them are known well.
//!
//! The points with the smallest and largest coordinate along each axis are the candidates: first the two that are furthest apart in x,
//! then the one that makes the largest triangle, then the largest tetrahedron. Where these are poor, all points are tried. Four points
//! that are flat within rounding mean that all are.

use super::HullError;
use super::arena::{NONE, TAIL};
use super::build::Builder;
use super::plane::{Tolerances, distance};
use crate::pose::dot;

/// A simplex whose volume is this much smaller than expected is searched for again among all points. Qhull's `qh_RATIOmaxsimplex`.
const SMALL_VOLUME: f64 = 1.0e-3;
/// Facets of the initial simplex with a smaller cosine make it narrow: two of them are nearly the same plane seen from both sides.
/// Qhull's `qh_MAXnarrow`.
const NARROW_COSINE: f64 = -0.99999999;

/// Largest and smallest point along each axis, and the tolerances for this extent. Qhull: `qh_maxmin`.
fn extremes(points: &[[f64; 3]]) -> ([usize; 6], Tolerances) {
    let mut ids = [0; 6];
    let mut max_abs = [0.0; 3];
    let mut width = -f64::MAX;
    for k in 0..3 {
        // indices of the smallest and the largest
        let (mut low, mut high) = (0, 0);
        for (i, p) in points.iter().enumerate() {
            if points[high][k] < p[k] {
                high = i;
            } else if points[low][k] > p[k] {
                low = i;
            }
        }
        let (min, max) = (points[low][k], points[high][k]);
        max_abs[k] = if max < -min { -min } else { max };
        width = width.max(max - min);
        ids[2 * k] = low;
        ids[2 * k + 1] = high;
    }
    (ids, Tolerances::new(max_abs, width))
}

/// Volume (times `dim!`) of the simplex in the first `dim` coordinates, and whether it vanishes within round-off. Qhull: `qh_detsimplex`.
fn volume(
    points: &[[f64; 3]],
    apex: usize,
    simplex: &[usize],
    dim: usize,
    tol: &Tolerances,
) -> (f64, bool) {
    // edges from the apex, as rows of a determinant
    let mut rows = [[0.0; 3]; 3];
    for (row, &i) in rows.iter_mut().zip(simplex).take(dim) {
        for k in 0..dim {
            row[k] = points[i][k] - points[apex][k];
        }
    }
    let minor = |a: [f64; 2], b: [f64; 2]| a[0] * b[1] - a[1] * b[0];
    let [a, b, c] = rows;
    let det = if dim == 2 {
        minor([a[0], a[1]], [b[0], b[1]])
    } else {
        a[0] * minor([b[1], b[2]], [c[1], c[2]]) - b[0] * minor([a[1], a[2]], [c[1], c[2]])
            + c[0] * minor([a[1], a[2]], [b[1], b[2]])
    };
    // ten times the bound of a single pivot: the determinant is a sum of products of them
    (det.abs(), det.abs() < 10.0 * tol.near_zero[dim - 1])
}

/// Picks four points that span a large simplex, starting with the extremes. Qhull: `qh_maxsimplex`.
fn choose_simplex(
    points: &[[f64; 3]],
    extremes: &[usize; 6],
    tol: &Tolerances,
) -> Result<Vec<usize>, HullError> {
    // all points are the same
    if tol.width <= 0.0 {
        return Err(HullError::Flat);
    }
    // the longest segment along x
    let (mut low, mut high) = (extremes[0], extremes[0]);
    for &i in extremes {
        if points[i][0] > points[high][0] {
            high = i;
        }
        if points[i][0] < points[low][0] {
            low = i;
        }
    }
    if low == high {
        return Err(HullError::Flat);
    }
    let mut simplex = vec![low, high];
    let mut largest = points[high][0] - points[low][0];
    for dim in 2..4 {
        // what a well-shaped simplex of this extent has
        let target = largest * tol.width;
        // the extreme point that makes the largest simplex with those chosen
        let mut best = NONE;
        let mut vanishes = false;
        largest = -1.0;
        for &i in extremes {
            if !simplex.contains(&i) && i != best {
                let (det, zero) = volume(points, i, &simplex, dim, tol);
                if det > largest {
                    (largest, best, vanishes) = (det, i, zero);
                }
            }
        }
        // poor: look at all other points, until one is good enough
        if best == NONE || vanishes || (largest > 0.0 && largest / target < SMALL_VOLUME) {
            for i in 0..points.len() {
                if extremes.contains(&i) || simplex.contains(&i) {
                    continue;
                }
                let (det, zero) = volume(points, i, &simplex, dim, tol);
                if det > largest {
                    (largest, best) = (det, i);
                    if !zero && det > 10.0 * SMALL_VOLUME * target {
                        break;
                    }
                }
            }
        }
        if best == NONE {
            return Err(HullError::Flat);
        }
        simplex.push(best);
    }
    Ok(simplex)
}

impl<'a> Builder<'a> {
    /// The initial tetrahedron with every other point assigned to a facet. Qhull: `qh_initbuild`, `qh_initialhull`.
    pub(super) fn start(points: &'a [[f64; 3]]) -> Result<Self, HullError> {
        let (extremes, tol) = extremes(points);
        let simplex = choose_simplex(points, &extremes, &tol)?;
        let mut builder = Builder::new(points, tol);
        let mut vertices: Vec<usize> = simplex.iter().map(|&i| builder.new_vertex(i)).collect();
        // newest first, as in all facets
        vertices.reverse();
        builder.make_tetrahedron(&vertices);
        builder.orient_tetrahedron()?;
        builder.check_tetrahedron()?;
        builder.partition_all(&simplex)?;
        builder.reset_lists(true);
        builder.facet_next = builder.facet_list;
        builder.start_at_furthest();
        Ok(builder)
    }

    /// Four facets, each without one vertex; neighbour `i` is opposite vertex `i`, and the orientation alternates.
    fn make_tetrahedron(&mut self, vertices: &[usize]) {
        let mut facets = Vec::with_capacity(4);
        for (i, &v) in vertices.iter().enumerate() {
            let f = self.new_facet();
            self.links[f].vertices.extend(vertices.iter().copied().filter(|&w| w != v));
            self.facets[f].top_oriented = i % 2 == 0;
            self.append_facet(f);
            self.append_vertex(v);
            facets.push(f);
        }
        for &f in &facets {
            self.links[f].neighbors.extend(facets.iter().copied().filter(|&g| g != f));
        }
        self.reset_lists(true);
        self.facet_next = self.facet_list;
        // inside of the tetrahedron, hence of every hull that follows
        self.interior = self.center(vertices);
    }

    /// The four facets, in the order of the list.
    fn initial_facets(&self) -> Vec<usize> {
        let mut list = Vec::with_capacity(4);
        let mut f = Self::first(self.facet_list);
        while f != TAIL {
            list.push(f);
            f = self.facets[f].next;
        }
        list
    }

    /// Computes the planes and turns them outward.
    fn orient_tetrahedron(&mut self) -> Result<(), HullError> {
        let facets = self.initial_facets();
        // the first plane decides whether the vertices were given inside out
        let first = facets[0];
        self.set_plane(first)?;
        self.facets[first].flipped = false;
        if distance(&self.facets[first], &self.interior) > self.tol.round {
            for &f in &facets {
                self.facets[f].top_oriented ^= true;
            }
            self.set_plane(first)?;
        }
        for &f in &facets[1..] {
            self.set_plane(f)?;
        }
        for &f in &facets {
            // where rounding made another one disagree, all are turned
            self.facets[f].flipped = false;
            if distance(&self.facets[f], &self.interior) > self.tol.round {
                for &g in &facets {
                    self.facets[g].flipped = false;
                    self.facets[g].top_oriented ^= true;
                    self.orient_outward(g);
                }
                break;
            }
        }
        Ok(())
    }

    /// Refuses a flat tetrahedron and notes a narrow one.
    fn check_tetrahedron(&mut self) -> Result<(), HullError> {
        let facets = self.initial_facets();
        let mut cosine = f64::MAX;
        for &f in &facets {
            if !self.check_orientation(f) {
                return Err(HullError::Flat);
            }
            // the sharpest dihedral angle
            for &n in &self.links[f].neighbors {
                cosine = cosine.min(dot(&self.facets[f].normal, &self.facets[n].normal));
            }
        }
        self.narrow = cosine < NARROW_COSINE;
        for &f in &facets {
            // each vertex is clearly below the facet opposite to it, or the tetrahedron is flat
            for (&v, &n) in self.links[f].vertices.iter().zip(&self.links[f].neighbors) {
                if self.distance(&self.vertex_point(v), n) >= -self.tol.round {
                    return Err(HullError::Flat);
                }
            }
        }
        Ok(())
    }

    /// Moves the facet with the furthest outside point to the front.
    fn start_at_furthest(&mut self) {
        // begin where there is most to gain
        let mut best = NONE;
        let mut furthest = -f64::MAX;
        for f in self.initial_facets() {
            if !self.links[f].outside.is_empty() && self.facets[f].furthest > furthest {
                best = f;
                furthest = self.facets[f].furthest;
            }
        }
        if best != NONE {
            self.remove_facet(best);
            self.facet_next = self.prepend_facet(best, self.facet_next);
        }
    }
}
