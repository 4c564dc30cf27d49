//! The shortest path of a tendon around a sphere or cylinder.
//!
//! In the plane of the path the obstacle is a circle of radius `r` about the origin. From an end `e` outside there are
//! two tangents, which touch it at `s = (r² e ± r √(|e|² - r²) e⊥) / |e|²`, `e⊥ = (e_y, -e_x)`. A path takes one sign
//! at its first end and the other at its second, which makes two candidates: both ways round. With a side site the one
//! whose middle points to it is taken, otherwise the one with the shorter chord; a candidate whose straight pieces
//! cross each other is none. The straight line stays where it misses the circle and, with a side site, passes on that
//! side.
//!
//! With a side site inside of the obstacle the path has to come to the circle instead of going around it: it reaches
//! the circle at a point `t` and leaves it there with the same angle `α` to the radius. With `z = sin α`,
//! `A = r / |e₀|`, `B = r / |e₁|` the law of sines in the triangles (origin, `t`, end) gives the angles at the origin,
//! `asin z - asin(A z)` and `asin z - asin(B z)`, which add up to the angle `G` between the ends. Newton's method
//! solves that for `z`.
use ferrodyn_math::{MIN_VAL, Mat3, PI, Real, Vec3, acos, asin, cos, sin, sqrt};

/// A point in the plane of the path.
type Point = [Real; 2];

/// What a tendon wraps around.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Obstacle<'a> {
    pub(crate) pos: Vec3,
    pub(crate) mat: &'a Mat3,
    pub(crate) radius: Real,
    /// A cylinder along its z axis; otherwise a sphere.
    pub(crate) cylinder: bool,
}

/// The part of a path that lies on an obstacle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wrapped {
    /// Where the path touches and leaves the obstacle.
    pub(crate) points: [Vec3; 2],
    /// Length between them, along the surface.
    pub(crate) length: Real,
}

fn dot(a: Point, b: Point) -> Real {
    a[0] * b[0] + a[1] * b[1]
}

fn sub(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1]]
}

fn scaled(a: Point, s: Real) -> Point {
    [a[0] * s, a[1] * s]
}

fn normalized(a: Point) -> Point {
    let norm = sqrt(dot(a, a));
    if norm < MIN_VAL { [1.0, 0.0] } else { scaled(a, 1.0 / norm) }
}

/// Do the segments `p1 p2` and `p3 p4` cross?
fn segments_cross(p1: Point, p2: Point, p3: Point, p4: Point) -> bool {
    let det = (p4[1] - p3[1]) * (p2[0] - p1[0]) - (p4[0] - p3[0]) * (p2[1] - p1[1]);
    if det.abs() < MIN_VAL {
        return false;
    }
    let a = ((p4[0] - p3[0]) * (p1[1] - p3[1]) - (p4[1] - p3[1]) * (p1[0] - p3[0])) / det;
    let b = ((p2[0] - p1[0]) * (p1[1] - p3[1]) - (p2[1] - p1[1]) * (p1[0] - p3[0])) / det;
    (0.0..=1.0).contains(&a) && (0.0..=1.0).contains(&b)
}

/// Length of an arc; `second` says which of the two ways round was taken.
fn arc_length(p0: Point, p1: Point, second: bool, radius: Real) -> Real {
    let angle = acos(dot(normalized(p0), normalized(p1)).clamp(-1.0, 1.0));
    let cross = p0[1] * p1[0] - p0[0] * p1[1];
    let long = (cross > 0.0 && second) || (cross < 0.0 && !second);
    radius * if long { 2.0 * PI - angle } else { angle }
}

/// Tangents from both ends to a circle: where they touch it, and the arc between. None where the straight line is the path, an
/// end is inside, or the better candidate crosses itself. MuJoCo: `wrap_circle`.
fn around(ends: [Point; 2], side: Option<Point>, radius: Real) -> Option<([Point; 2], Real)> {
    let [e0, e1] = ends;
    let (sq0, sq1) = (dot(e0, e0), dot(e1, e1));
    let sq = radius * radius;
    if sq0 < sq || sq1 < sq || radius < MIN_VAL {
        return None;
    }
    let dif = sub(e1, e0);
    let dd = dot(dif, dif);
    if dd < MIN_VAL {
        return None;
    }
    // nearest point of the segment to the centre
    let a = (-dot(dif, e0) / dd).clamp(0.0, 1.0);
    let nearest = [a * dif[0] + e0[0], a * dif[1] + e0[1]];
    if dot(nearest, nearest) > sq && side.is_none_or(|s| dot(s, nearest) >= 0.0) {
        return None;
    }
    let (root0, root1) = (sqrt(sq0 - sq), sqrt(sq1 - sq));
    let mut solutions = [[[0.0; 2]; 2]; 2];
    let mut quality = [0.0; 2];
    for (i, sign) in [1.0, -1.0].into_iter().enumerate() {
        let s0 = [
            (e0[0] * sq + sign * radius * e0[1] * root0) / sq0,
            (e0[1] * sq - sign * radius * e0[0] * root0) / sq0,
        ];
        let s1 = [
            (e1[0] * sq - sign * radius * e1[1] * root1) / sq1,
            (e1[1] * sq + sign * radius * e1[0] * root1) / sq1,
        ];
        // on the side that is asked for, or the shorter way
        quality[i] = match side {
            Some(side) => dot(normalized([s0[0] + s1[0], s0[1] + s1[1]]), side),
            None => {
                let chord = sub(s0, s1);
                -dot(chord, chord)
            }
        };
        // MuJoCo's number, less than any other quality of obstacles below 50 m: -|chord|², or the radius times a cosine
        if segments_cross(e0, s0, e1, s1) {
            quality[i] = -10000.0;
        }
        solutions[i] = [s0, s1];
    }
    let best = usize::from(quality[0] <= quality[1]);
    let [s0, s1] = solutions[best];
    if segments_cross(e0, s0, e1, s1) {
        return None;
    }
    Some(([s0, s1], arc_length(s0, s1, best == 1, radius)))
}

/// The point of a circle about the origin at which a path from end to end is shortest, where the path has to reach the
/// circle and not to go around it; none if the straight line already passes through the circle, or an end does not lie outside.
/// MuJoCo: `wrap_inside`.
///
/// ```
/// use ferrodyn_dynamics::position::wrap_inside_2d;
/// let point = wrap_inside_2d([2.0, 1.0], [2.0, -1.0], 1.0).unwrap();
/// assert!((point[0] - 1.0).abs() < 1e-6 && point[1].abs() < 1e-6);
/// assert_eq!(wrap_inside_2d([-2.0, 0.5], [2.0, 0.5], 1.0), None);
/// ```
pub fn wrap_inside_2d(end0: Point, end1: Point, radius: Real) -> Option<Point> {
    // all three are MuJoCo's; at z = 1 the slope of asin would be infinite, and a residual is an angle
    const MAX_ITERATIONS: usize = 20;
    const START: Real = 1.0 - 1e-7;
    const TOLERANCE: Real = 1e-6;
    let (e0, e1) = (end0, end1);
    let (len0, len1) = (sqrt(dot(e0, e0)), sqrt(dot(e1, e1)));
    let dif = sub(e1, e0);
    let dd = dot(dif, dif);
    if len0 <= radius || len1 <= radius || radius < MIN_VAL || len0 < MIN_VAL || len1 < MIN_VAL {
        return None;
    }
    if dd > MIN_VAL {
        let a = -dot(dif, e0) / dd;
        if a > 0.0 && a < 1.0 {
            let nearest = [e0[0] + dif[0] * a, e0[1] + dif[1] * a];
            if sqrt(dot(nearest, nearest)) <= radius {
                return None;
            }
        }
    }
    // the middle direction stands in where the iteration fails
    let average = [0.5 * (e0[0] + e1[0]), 0.5 * (e0[1] + e1[1])];
    let fallback = Some(scaled(normalized(average), radius));

    // equal angles at the circle: asin(A z) + asin(B z) - 2 asin(z) + G = 0. From just below z = 1 Newton's method goes
    // down to the root; a positive residual, a slope that does not fall or a step upwards says that it does not get
    // there
    let (a, b) = (radius / len0, radius / len1);
    let cos_g = (len0 * len0 + len1 * len1 - dd) / (2.0 * len0 * len1);
    if cos_g < -1.0 + MIN_VAL {
        return None;
    } else if cos_g > 1.0 - MIN_VAL {
        return fallback;
    }
    let g = acos(cos_g);
    let residual = |z: Real| asin(a * z) + asin(b * z) - 2.0 * asin(z) + g;
    let mut z = START;
    let mut f = residual(z);
    if f > 0.0 {
        return fallback;
    }
    let mut iterations = 0;
    while iterations < MAX_ITERATIONS && f.abs() > TOLERANCE {
        let slope = |c: Real| c / sqrt(1.0 - z * z * c * c).max(MIN_VAL);
        let df = slope(a) + slope(b) - 2.0 / sqrt(1.0 - z * z).max(MIN_VAL);
        if df > -MIN_VAL {
            return fallback;
        }
        let next = z - f / df;
        if next > z {
            return fallback;
        }
        z = next;
        f = residual(z);
        if f > TOLERANCE {
            return fallback;
        }
        iterations += 1;
    }
    if iterations >= MAX_ITERATIONS {
        return fallback;
    }
    let (from, angle) = if e0[0] * e1[1] - e0[1] * e1[0] > 0.0 {
        (e0, asin(z) - asin(a * z))
    } else {
        (e1, asin(z) - asin(b * z))
    };
    let v = normalized(from);
    let (s, c) = (sin(angle), cos(angle));
    Some([radius * (c * v[0] - s * v[1]), radius * (s * v[0] + c * v[1])])
}

/// Axes of the plane that the path around a sphere lies in: the first points to `p1`, the second to the side of `p2`.
pub fn sphere_wrapping_plane(p1: Vec3, p2: Vec3) -> (Vec3, Vec3) {
    let first = p1.normalize().0;
    let (mut normal, norm) = p1.cross(p2).normalize();
    if norm < MIN_VAL {
        // both ends in one direction: any plane through it
        let [x, y, z] = first.0.map(Real::abs);
        let largest = if y > x && y > z {
            1
        } else if z > x && z > y {
            2
        } else {
            0
        };
        let mut other = Vec3([1.0; 3]);
        other[largest] = 0.0;
        normal = first.cross(other).normalize().0;
    }
    (first, normal.cross(first).normalize().0)
}

/// A path between two points, beside an obstacle at the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WrapResult {
    /// The straight line is the path.
    NoWrap,
    /// The path lies on the obstacle between two points.
    Wrapped {
        /// Where it reaches the obstacle.
        tangent_point_1: Vec3,
        /// Where it leaves it.
        tangent_point_2: Vec3,
        /// Length between them, along the surface.
        arc_length: Real,
    },
}

/// The path from `p1` to `p2` around a sphere at the origin; with a side site inside of it, the path through it.
///
/// ```
/// use ferrodyn_dynamics::position::{WrapResult, sphere_wrap};
/// use ferrodyn_math::Vec3;
/// let (p1, p2) = (Vec3::new(-0.3, 0.05, 0.0), Vec3::new(0.3, 0.05, 0.0));
/// let WrapResult::Wrapped { tangent_point_1, tangent_point_2, arc_length } = sphere_wrap(p1, p2, 0.1, None) else {
///     panic!("the sphere is in the way");
/// };
/// let length = (tangent_point_1 - p1).norm() + arc_length + (p2 - tangent_point_2).norm();
/// assert!((length - 0.60843263).abs() < 1e-8);
/// assert_eq!(sphere_wrap(p1, p2, 0.04, None), WrapResult::NoWrap);
/// ```
pub fn sphere_wrap(p1: Vec3, p2: Vec3, radius: Real, sidesite: Option<Vec3>) -> WrapResult {
    wrap_at_origin(p1, p2, radius, sidesite, false)
}

/// The path from `p1` to `p2` around an endless cylinder along the z axis; with a side site inside of it, the path
/// through it.
pub fn cylinder_wrap(p1: Vec3, p2: Vec3, radius: Real, sidesite: Option<Vec3>) -> WrapResult {
    wrap_at_origin(p1, p2, radius, sidesite, true)
}

fn wrap_at_origin(
    p1: Vec3,
    p2: Vec3,
    radius: Real,
    sidesite: Option<Vec3>,
    cylinder: bool,
) -> WrapResult {
    let mat = &Mat3::IDENTITY;
    let obstacle = Obstacle { pos: Vec3::ZERO, mat, radius, cylinder };
    match wrap([p1, p2], &obstacle, sidesite) {
        None => WrapResult::NoWrap,
        Some(Wrapped { points: [tangent_point_1, tangent_point_2], length }) => {
            WrapResult::Wrapped { tangent_point_1, tangent_point_2, arc_length: length }
        }
    }
}

/// Wrap the segment between two points around an obstacle. `side` is a point on the side that the
/// path must take; if it lies inside the obstacle, so does the path. MuJoCo: `mju_wrap`.
pub(crate) fn wrap(
    ends: [Vec3; 2],
    obstacle: &Obstacle<'_>,
    side: Option<Vec3>,
) -> Option<Wrapped> {
    let local = |point: Vec3| obstacle.mat.mul_transposed(point - obstacle.pos);
    let p = ends.map(local);
    // far beyond the square of the smallest length no root is needed
    const NOT_TINY: Real = 10.0 * MIN_VAL * MIN_VAL;
    if p.iter().any(|p| p.dot(*p) < NOT_TINY && p.norm() < MIN_VAL) {
        return None;
    }
    let axes = if obstacle.cylinder {
        [Vec3([1.0, 0.0, 0.0]), Vec3([0.0, 1.0, 0.0])]
    } else {
        let (first, second) = sphere_wrapping_plane(p[0], p[1]);
        [first, second]
    };
    let flat = |v: Vec3| [v.dot(axes[0]), v.dot(axes[1])];
    let d = p.map(flat);
    let radius = obstacle.radius;
    let side = side.map(local);
    let (points, mut length) = match side {
        Some(s) if s.norm() < radius => {
            let point = wrap_inside_2d(d[0], d[1], radius)?;
            ([point, point], 0.0)
        }
        _ => around(d, side.map(|s| scaled(normalized(flat(s)), radius)), radius)?,
    };
    let mut res = points.map(|q| axes[0] * q[0] + axes[1] * q[1]);
    if obstacle.cylinder {
        // the path rises evenly along the cylinder
        let reach =
            |a: Vec3, b: Vec3| sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]));
        let (l0, l1) = (reach(p[0], res[0]), reach(p[1], res[1]));
        let (start, rise) = (p[0][2], p[1][2] - p[0][2]);
        res[0][2] = start + rise * l0 / (l0 + length + l1);
        res[1][2] = start + rise * (l0 + length) / (l0 + length + l1);
        let height = (res[1][2] - res[0][2]).abs();
        length = sqrt(length * length + height * height);
    }
    let points = res.map(|r| obstacle.mat * r + obstacle.pos);
    Some(Wrapped { points, length })
}

#[cfg(test)]
mod tests {
    use ferrodyn_math::by_precision;

    use super::*;

    const IDENTITY: Mat3 = Mat3([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);

    fn sphere(radius: Real) -> Obstacle<'static> {
        Obstacle { pos: Vec3::default(), mat: &IDENTITY, radius, cylinder: false }
    }

    #[test]
    fn half_a_turn_around_a_sphere() {
        let ends = [Vec3([-2.0, 1.0, 0.0]), Vec3([2.0, 1.0, 0.0])];
        assert!(wrap(ends, &sphere(0.5), None).is_none(), "the straight line is free");
        let ends = [Vec3([-1.0, 0.0, 0.0]), Vec3([1.0, 1e-3, 0.0])];
        let wrapped = wrap(ends, &sphere(0.5), None).unwrap();
        for point in wrapped.points {
            assert!((point.norm() - 0.5).abs() < 1e-9);
        }
        // two tangents of 60 degrees leave 60 degrees of arc
        assert!((wrapped.length - 0.5 * PI / 3.0).abs() < 1e-2);
    }

    #[test]
    fn a_side_inside_the_obstacle_pulls_the_path_in() {
        let ends = [Vec3([-1.0, 1.0, 0.0]), Vec3([1.0, 1.0, 0.0])];
        let wrapped = wrap(ends, &sphere(0.5), Some(Vec3::default())).unwrap();
        assert_eq!(wrapped.length, 0.0);
        assert!((wrapped.points[0] - Vec3([0.0, 0.5, 0.0])).norm() < 1e-4);
    }

    #[test]
    fn the_point_on_the_circle_is_where_the_path_is_shortest() {
        let ends = [[2.0, 0.0], [1.5, 1.5 * sqrt(3.0)]];
        let t = wrap_inside_2d(ends[0], ends[1], 1.0).unwrap();
        let tolerance = by_precision(1e-8, 1e-5);
        assert!((sqrt(dot(t, t)) - 1.0).abs() < by_precision(1e-10, 1e-6));
        let expected = [0.89681322358, 0.44240936021];
        assert!((t[0] - expected[0]).abs() < tolerance && (t[1] - expected[1]).abs() < tolerance);
        // the change of length along the circle is zero
        let tangent = [-t[1], t[0]];
        let slope: Real = ends.iter().map(|e| dot(tangent, normalized(sub(t, *e)))).sum();
        assert!(slope.abs() < tolerance, "{slope}");
        // where the iteration cannot work the middle direction is taken
        let angle = 2.0 * PI / 3.0 - 1e-4;
        let ends = [[2.0, 0.0], [2.0 * cos(angle), 2.0 * sin(angle)]];
        let t = wrap_inside_2d(ends[0], ends[1], 1.0).unwrap();
        assert!((t[0] - 0.5000433).abs() < 1e-7 && (t[1] - 0.8660004).abs() < 1e-7, "{t:?}");
    }

    #[test]
    fn some_ends_have_no_path_through_the_circle() {
        // the straight line passes through it, or an end lies on it
        assert!(wrap_inside_2d([-2.0, 0.5], [2.0, 0.5], 1.0).is_none());
        assert!(wrap_inside_2d([1.0, 0.0], [0.0, 2.0], 1.0).is_none());
    }

    #[test]
    fn a_helix_around_a_cylinder() {
        let cylinder = Obstacle { cylinder: true, ..sphere(0.5) };
        let ends = [Vec3([-1.0, 0.0, 0.0]), Vec3([1.0, 0.0, 2.0])];
        let side = Some(Vec3([0.0, 1.0, 0.0]));
        let wrapped = wrap(ends, &cylinder, side).unwrap();
        assert!(wrapped.points.iter().all(|p| p[1] > 0.0));
        assert!(wrapped.points[1][2] > wrapped.points[0][2]);
    }
}
