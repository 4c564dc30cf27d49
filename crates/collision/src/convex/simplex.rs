//! The point of a simplex closest to the origin, as barycentric coordinates: the signed-volume
//! method of Montanari, Petrinic and Barbieri (2017).
//!
//! The origin projected on the simplex is `Σ wᵢ sᵢ` with `Σ wᵢ = 1`. By Cramer's rule a weight is a ratio of volumes
//! (areas, lengths): the simplex in which the projection takes the place of corner `i`, over the whole one. All have
//! the sign of the whole: the projection is inside, and they are the answer. A weight with the other sign says that the
//! projection is beyond the side opposite to that corner, and the answer is on this side, or on another of that kind:
//! each is asked in turn, one dimension lower, and the nearest wins.
//!
//! ```text
//!            s1                         the origin is beyond side s2 s3, which lacks s1:
//!           /  \                        w1 < 0, and the answer is on s2 s3
//!         s2----s3
//!             0
//! ```
//!
//! Areas are taken of shadows on the coordinate plane where the triangle's is largest, lengths on the longest axis:
//! ratios are the same in every shadow, and the largest one has the most digits. A weight that is dropped is exactly
//! zero, which is how the caller knows the corners to keep. A flat simplex has a vanishing volume, whose sign says
//! nothing: all sides are asked.
use ferrodyn_math::{MIN_VAL, Real, Vec3};

/// Determinant of three columns, `a · (b × c)`: six times the volume of the tetrahedron that they span with the origin.
pub(super) fn det3(a: Vec3, b: Vec3, c: Vec3) -> Real {
    a[0] * (b[1] * c[2] - b[2] * c[1])
        + a[1] * (b[2] * c[0] - b[0] * c[2])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
}

/// Both positive or both negative.
fn same_sign(a: Real, b: Real) -> bool {
    (a > 0.0 && b > 0.0) || (a < 0.0 && b < 0.0)
}

/// Weighted sum of points; the weights are not normalized.
pub(super) fn combine<const N: usize>(weights: [Real; N], points: [Vec3; N]) -> Vec3 {
    let mut sum = points[0] * weights[0];
    for i in 1..N {
        sum += points[i] * weights[i];
    }
    sum
}

/// Weights of the points of a simplex with 1 to 4 vertices. MuJoCo: `subdistance`.
pub(super) fn closest_weights(n: usize, s: [Vec3; 4]) -> [Real; 4] {
    match n {
        4 => tetrahedron(s),
        3 => {
            let [a, b, c] = triangle([s[0], s[1], s[2]]);
            [a, b, c, 0.0]
        }
        2 => {
            let [a, b] = segment([s[0], s[1]]);
            [a, b, 0.0, 0.0]
        }
        _ => [1.0, 0.0, 0.0, 0.0],
    }
}

/// The nearest point of a tetrahedron. MuJoCo: `S3D`.
fn tetrahedron(s: [Vec3; 4]) -> [Real; 4] {
    let [s1, s2, s3, s4] = s;
    // cofactors of the matrix with columns (sᵢ, 1): volumes with corner i at the origin
    let volumes = [-det3(s2, s3, s4), det3(s1, s3, s4), -det3(s1, s2, s4), det3(s1, s2, s3)];
    let total = volumes[0] + volumes[1] + volumes[2] + volumes[3];
    // the origin is inside: weights are shares of the whole volume
    let same = volumes.map(|v| same_sign(total, v));
    if same == [true; 4] {
        return volumes.map(|v| v / total);
    }
    // the closest point is on a face on whose far side the origin lies
    let mut weights = [0.0; 4];
    let mut least = Real::MAX;
    for (out, same) in same.iter().enumerate() {
        if *same {
            continue;
        }
        let kept = match out {
            0 => [1, 2, 3],
            1 => [0, 2, 3],
            2 => [0, 1, 3],
            _ => [0, 1, 2],
        };
        // nearest point of this face, and how far it is
        let face = kept.map(|i| s[i]);
        let on_face = triangle(face);
        let point = combine(on_face, face);
        let dist = point.dot(point);
        // the first face is taken even where its distance is no number
        if dist < least || out == 0 {
            weights = [0.0; 4];
            for k in 0..3 {
                weights[kept[k]] = on_face[k];
            }
            least = dist;
        }
    }
    weights
}

/// The minors of a triangle's plane; the two axes on which its shadow is largest, and twice the
/// signed area of that shadow. The minors are the coordinates of the normal, up to sign.
pub(super) fn largest_shadow(s: [Vec3; 3]) -> (usize, usize, Real) {
    let [s1, s2, s3] = s;
    // (s₂ - s₁) × (s₃ - s₁), coordinate by coordinate
    let minor = |x: usize, y: usize| {
        s2[x] * s3[y] - s2[y] * s3[x] - s1[x] * s3[y] + s1[y] * s3[x] + s1[x] * s2[y]
            - s1[y] * s2[x]
    };
    let (yz, xz, xy) = (minor(1, 2), minor(0, 2), minor(0, 1));
    if yz.abs() >= xz.abs() && yz.abs() >= xy.abs() {
        (1, 2, yz)
    } else if xz.abs() >= xy.abs() {
        (0, 2, xz)
    } else {
        (0, 1, xy)
    }
}

/// Twice the signed areas of the three triangles that a point forms with the sides, on two axes.
pub(super) fn sub_areas(s: [Vec3; 3], p: Vec3, x: usize, y: usize) -> [Real; 3] {
    let [s1, s2, s3] = s;
    let area = |a: Vec3, b: Vec3| {
        p[x] * a[y] + p[y] * b[x] + a[x] * b[y] - p[x] * b[y] - p[y] * a[x] - b[x] * a[y]
    };
    [area(s2, s3), area(s3, s1), area(s1, s2)]
}

/// The nearest point of a triangle. MuJoCo: `S2D`.
fn triangle(s: [Vec3; 3]) -> [Real; 3] {
    let [s1, s2, s3] = s;
    // a triangle without a plane is no more than its first side
    let Some(projection) = project_on_plane(s1, s2, s3) else {
        let [a, b] = segment([s1, s2]);
        return [a, b, 0.0];
    };
    // inside of the triangle, where the three parts turn as the whole does
    let (x, y, total) = largest_shadow(s);
    let areas = sub_areas(s, projection, x, y);
    let same = areas.map(|a| same_sign(total, a));
    if same == [true; 3] {
        return areas.map(|a| a / total);
    }
    // beyond a side: the nearest point of all such sides
    let mut weights = [0.0; 3];
    let mut least = Real::MAX;
    for (out, same) in same.iter().enumerate() {
        if *same {
            continue;
        }
        let kept = match out {
            0 => [1, 2],
            1 => [0, 2],
            _ => [0, 1],
        };
        let side = kept.map(|i| s[i]);
        let on_side = segment(side);
        let point = combine(on_side, side);
        let dist = point.dot(point);
        if dist < least || out == 0 {
            weights = [0.0; 3];
            for k in 0..2 {
                weights[kept[k]] = on_side[k];
            }
            least = dist;
        }
    }
    weights
}

/// The nearest point of a segment. MuJoCo: `S1D`.
fn segment(s: [Vec3; 2]) -> [Real; 2] {
    let [s1, s2] = s;
    // the origin projected on the line, p = s2 - (s2·d / d·d) d
    let diff = s2 - s1;
    let scale = -(s2.dot(diff) / diff.dot(diff));
    let projection = s2 + diff * scale;

    // the axis on which the segment is longest
    let mut axis = 0;
    let mut longest = s1[0] - s2[0];
    for i in 1..3 {
        let length = s1[i] - s2[i];
        if length.abs() >= longest.abs() {
            longest = length;
            axis = i;
        }
    }
    // lengths from the projection to both ends; outside of the segment the last corner is taken, which is the newest one
    let c1 = projection[axis] - s2[axis];
    let c2 = s1[axis] - projection[axis];
    if same_sign(longest, c1) && same_sign(longest, c2) {
        [c1 / longest, c2 / longest]
    } else {
        [0.0, 1.0]
    }
}

/// The origin projected on the plane of three points, `n (n·v) / (n·n)`; none where they have no plane.
/// MuJoCo: `projectOriginPlane`.
///
/// The normal is computed from up to three pairs of sides: two sides that are nearly parallel, or a corner at the
/// origin, lose all digits of one of them and not of the others.
pub(super) fn project_on_plane(v1: Vec3, v2: Vec3, v3: Vec3) -> Option<Vec3> {
    let (diff21, diff31, diff32) = (v2 - v1, v3 - v1, v3 - v2);
    for (normal, point) in [(diff32.cross(diff21), v2), (diff21.cross(diff31), v1)] {
        let nv = normal.dot(point);
        let nn = normal.dot(normal);
        if nn == 0.0 {
            return None;
        }
        // a squared length above mjMINVAL has digits enough for the quotient
        if nv != 0.0 && nn > MIN_VAL {
            return Some(normal * (nv / nn));
        }
    }
    let normal = diff31.cross(diff32);
    Some(normal * (normal.dot(v3) / normal.dot(normal)))
}

#[cfg(test)]
mod tests {
    use ferrodyn_math::by_precision;

    use super::*;

    const TOLERANCE: Real = by_precision(1e-12, 1e-5);

    fn nearest(n: usize, s: [Vec3; 4]) -> ([Real; 4], Vec3) {
        let w = closest_weights(n, s);
        assert!((w.iter().sum::<Real>() - 1.0).abs() < TOLERANCE, "{w:?}");
        (w, combine(w, s))
    }

    #[test]
    fn the_nearest_point_of_a_segment_is_its_foot_or_its_last_end() {
        let (a, b) = (Vec3::new(-1.0, 2.0, 0.0), Vec3::new(3.0, 2.0, 0.0));
        let (w, point) = nearest(2, [a, b, Vec3::ZERO, Vec3::ZERO]);
        assert!((point - Vec3::new(0.0, 2.0, 0.0)).norm() < TOLERANCE && w[0] == 0.75);
        let (w, _) = nearest(2, [Vec3::new(5.0, 2.0, 0.0), b, Vec3::ZERO, Vec3::ZERO]);
        assert_eq!(w, [0.0, 1.0, 0.0, 0.0]);
    }

    #[test]
    fn the_nearest_point_of_a_triangle_is_inside_or_on_a_side() {
        let triangle = |z: Real, dy: Real| {
            [[-1.0, -1.0], [2.0, -1.0], [-1.0, 2.0]].map(|[x, y]| Vec3::new(x, y + dy, z))
        };
        let [a, b, c] = triangle(0.5, 0.0);
        let (w, point) = nearest(3, [a, b, c, Vec3::ZERO]);
        assert!((point - Vec3::new(0.0, 0.0, 0.5)).norm() < TOLERANCE);
        assert!(w[..3].iter().all(|w| (w - 1.0 / 3.0).abs() < TOLERANCE));
        // the side y = 1 is between the origin and the rest
        let [a, b, c] = triangle(0.5, 2.0);
        let (w, point) = nearest(3, [a, b, c, Vec3::ZERO]);
        assert!((point - Vec3::new(0.0, 1.0, 0.5)).norm() < TOLERANCE);
        assert_eq!(w[2], 0.0, "a corner that is not needed has no weight at all");
    }

    #[test]
    fn a_tetrahedron_around_the_origin_needs_all_corners() {
        let corners = |z: Real| {
            [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]]
                .map(|[x, y, h]| Vec3::new(x, y, h + z))
        };
        let (w, point) = nearest(4, corners(0.5));
        assert!(w.iter().all(|w| *w > 0.0) && point.norm() < TOLERANCE);
        // beyond the lower edge, from (1, -1) to (-1, 1)
        let (w, point) = nearest(4, corners(3.0));
        assert!((point - Vec3::new(0.0, 0.0, 2.0)).norm() < TOLERANCE, "{w:?}");
        assert_eq!((w[0], w[3]), (0.0, 0.0));
    }
}
