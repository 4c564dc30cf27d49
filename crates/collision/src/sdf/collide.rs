//! Contacts of a distance field with another shape, found by descending both fields.
//!
//! With the distances `a` and `b` of a point to both surfaces, `a + b + |max(a, b)|` falls towards an overlap: outside
//! of one shape it is `2 max + min`, and mostly the farther surface pulls; inside of both it is `min`, and the point
//! sinks into the shape in which it is deeper. From points that fill the common bounding box evenly (Halton's sequence
//! in the bases 2, 3 and 5), a few steps of steepest descent with a line search end in overlaps; one step on
//! `max(a, b)`, the field of what both shapes share, brings the point back towards the middle, and makes up for fields
//! that are not exact. Points with `max(a, b) ≤ 0` that are not known yet are contacts; the normal is the gradient of
//! `a - b`, which vanishes midway between the surfaces.
//!
//! ```text
//!        ___              start points * * *
//!       / A \__            *      *
//!       \__/·· \ B            *\   *       each goes downhill; those that end in the overlap ··
//!           \__/                ··         are contacts
//! ```
//!
//! The number of points and steps are settings of the model: too few miss overlaps, and nothing tells. Points of one
//! overlap are close to each other, not equal, so that it may have several contacts. MuJoCo: `mjc_SDF`.
use ferrodyn_math::{MAX_VAL, MIN_VAL, Mat3, Quat, Real, Vec3, halton, is_bad};

use super::SdfField;
use crate::{Bounds, ContactPoint, ContactPoints, MAX_POINTS, Pose};

/// More starting points, or longer searches, are not made: a bound for settings that are no sensible numbers; a pair
/// has 50 contacts at most.
const MAX_SEARCH: usize = 1000;

/// How many searches to make, and how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SdfSettings {
    /// Number of starting points.
    pub points: usize,
    /// Steps of the search from each of them.
    pub iterations: usize,
}

/// One of two shapes: its field, where it is, and a box around it in its own frame.
#[derive(Clone, Copy, Debug)]
pub struct SdfSide<'a> {
    /// The field.
    pub field: SdfField<'a>,
    /// Where the shape is.
    pub pose: Pose,
    /// A box around the shape, in its frame.
    pub bounds: Bounds,
}

/// A function of two fields.
#[derive(Clone, Copy)]
enum Kind {
    /// Falls towards what both shapes share.
    Collision,
    /// The distance of what both share.
    Intersection,
    /// Zero midway between the surfaces.
    Middle,
}

/// Two fields in the frame of the first.
struct Fields<'a> {
    first: &'a SdfField<'a>,
    second: &'a SdfField<'a>,
    /// The frame of the first in that of the second.
    pos: Vec3,
    mat: Mat3,
}

/// Where a pose is, seen from another. MuJoCo: `mapPose`.
fn relative(pose: (Vec3, Quat), from: (Vec3, Quat)) -> (Vec3, Mat3) {
    // q₁⁻¹ (p - p₁), q₁⁻¹ q
    let inverse = from.1.conjugate();
    let origin = -inverse.rotate(from.0);
    let quat = (inverse * pose.1).normalize().0;
    (inverse.rotate(pose.0) + origin, quat.to_mat())
}

impl Fields<'_> {
    /// A point of the first frame in the second.
    fn to_second(&self, x: Vec3) -> Vec3 {
        &self.mat * x + self.pos
    }

    /// Distances to both surfaces.
    fn distances(&self, x: Vec3) -> (Real, Real) {
        (self.first.distance(x), self.second.distance(self.to_second(x)))
    }

    /// Gradient of the second field, in the first frame.
    fn second_gradient(&self, x: Vec3) -> Vec3 {
        self.mat.mul_transposed(self.second.gradient(self.to_second(x)))
    }

    /// The function of both fields at a point.
    fn value(&self, kind: Kind, x: Vec3) -> Real {
        let (a, b) = self.distances(x);
        match kind {
            Kind::Collision => a + b + a.max(b).abs(),
            Kind::Intersection => a.max(b),
            Kind::Middle => a - b,
        }
    }

    /// Its gradient; where it has a kink, that of one side.
    fn gradient(&self, kind: Kind, x: Vec3) -> Vec3 {
        match kind {
            Kind::Collision => {
                let (a, b) = self.distances(x);
                let (g1, g2) = (self.first.gradient(x), self.second_gradient(x));
                // d |m| = sign(m) dm
                let sign = if a.max(b) > 0.0 { 1.0 } else { -1.0 };
                (g1 + g2).add_scaled(if a > b { g1 } else { g2 }, sign)
            }
            // the farther surface decides
            Kind::Intersection => {
                let (a, b) = self.distances(x);
                if a > b { self.first.gradient(x) } else { self.second_gradient(x) }
            }
            // both gradients count alike, whatever their lengths
            Kind::Middle => {
                let g1 = self.first.gradient(x).normalize().0;
                let g2 = self.second_gradient(x).normalize().0;
                (g1 - g2).normalize().0
            }
        }
    }

    /// Descend along the gradient with a line search; where to, and the value there. MuJoCo: `stepGradient`.
    fn descend(&self, kind: Kind, start: Vec3, steps: usize) -> (Vec3, Real) {
        // a step is accepted when the value falls by this part of what the slope promises (Armijo), is halved until it
        // does, and is taken anyway once it is this short: beside a gradient of about one, 0.1 mm. All three are
        // MuJoCo's
        const DECREASE: Real = 0.1;
        const SHORTEN: Real = 0.5;
        const SHORTEST: Real = 1e-4;
        let mut x = start;
        let mut value = MAX_VAL;
        for _ in 0..steps {
            let gradient = self.gradient(kind, x);
            // a gradient that is not a number, or beyond mjMAXVAL, leads nowhere
            if gradient.0.iter().any(|g| is_bad(*g)) {
                return (x, MAX_VAL);
            }
            let from = x;
            let before = self.value(kind, from);
            // the first try, after a halving, is one whole gradient
            let mut length = 2.0;
            let mut wanted = -DECREASE * length * gradient.dot(gradient);
            loop {
                length *= SHORTEN;
                wanted *= SHORTEN;
                x = from.add_scaled(gradient, -length);
                value = self.value(kind, x);
                let poor = value - before > wanted;
                if length <= SHORTEST || !poor {
                    break;
                }
            }
            // not even the shortest step goes down
            if before < value {
                break;
            }
        }
        (x, value)
    }
}

/// The part that two boxes share, as lower and upper corner; each box has its own frame, and the
/// result is in that of the first.
fn overlap(a: &Bounds, b: &Bounds, pos: Vec3, mat: &Mat3) -> Option<[Vec3; 2]> {
    // boxes along the first frame around both
    let mut boxes = [[Vec3([MAX_VAL; 3]), Vec3([-MAX_VAL; 3])]; 2];
    let corner = |bounds: &Bounds, j: usize| {
        Vec3(core::array::from_fn(|i| {
            if j & (1 << i) != 0 { bounds[i] + bounds[3 + i] } else { bounds[i] - bounds[3 + i] }
        }))
    };
    for j in 0..8 {
        let corners = [corner(a, j), mat * corner(b, j) + pos];
        for (bounds, point) in boxes.iter_mut().zip(corners) {
            for i in 0..3 {
                bounds[0][i] = bounds[0][i].min(point[i]);
                bounds[1][i] = bounds[1][i].max(point[i]);
            }
        }
    }
    let [[low1, high1], [low2, high2]] = boxes;
    let low = Vec3(core::array::from_fn(|i| low1[i].max(low2[i])));
    let high = Vec3(core::array::from_fn(|i| high1[i].min(high2[i])));
    (0..3).all(|i| high[i] >= low[i]).then_some([low, high])
}

/// Any shape and one that is a distance field: at most one point for each search. MuJoCo: `mjc_SDF`.
pub fn sdf_sdf(a: &SdfSide<'_>, b: &SdfSide<'_>, settings: SdfSettings, out: &mut ContactPoints) {
    // each frame in the other
    let (quat_a, quat_b) = (Quat::from_mat(&a.pose.mat), Quat::from_mat(&b.pose.mat));
    let (pose_a, pose_b) = ((a.pose.pos, quat_a), (b.pose.pos, quat_b));
    let (pos, mat) = relative(pose_b, pose_a);
    let (back_pos, back_mat) = relative(pose_a, pose_b);
    // the frame of `a` in itself, for its rounding
    let (self_pos, self_mat) = relative(pose_a, pose_a);
    let Some([low, high]) = overlap(&a.bounds, &b.bounds, pos, &mat) else { return };

    // the search is in the frame of `b`
    let fields = Fields { first: &b.field, second: &a.field, pos, mat };
    let mut known = [Vec3::ZERO; MAX_POINTS];
    let mut count = 0;
    for i in 0..settings.points.min(MAX_SEARCH) {
        // a start that is spread over the common box; three bases without common factors give no pattern
        let share = Vec3([2, 3, 5].map(|base| halton(i as i32, base)));
        // from the frame of `a` to that of `b`
        let start = low + (high - low).mul_elem(share);
        let start = &self_mat * start + self_pos;
        let start = &back_mat * start + back_pos;

        let steps = settings.iterations.min(MAX_SEARCH);
        let (x, _) = fields.descend(Kind::Collision, start, steps);
        // fields that are not exact give points that are not on both surfaces
        let (x, dist) = fields.descend(Kind::Intersection, x, 1);
        let repeated = known[..count].iter().any(|k| (x - *k).norm() < MIN_VAL);
        if dist > 0.0 || repeated || count == MAX_POINTS {
            continue;
        }
        known[count] = x;
        count += 1;
        // from a to b, midway between the surfaces
        let normal = -fields.gradient(Kind::Middle, x);
        let normal = quat_b.rotate(normal).normalize().0;
        let point = quat_b.rotate(x) + b.pose.pos + normal * (-dist / 2.0);
        out.push(ContactPoint::new(dist, point, normal));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SdfShape;

    #[test]
    fn the_sequence_fills_the_interval() {
        let points = [0, 1, 2, 3].map(|i| halton(i, 2));
        assert_eq!(points, [0.0, 0.5, 0.25, 0.75]);
    }

    #[test]
    fn a_sphere_on_a_torus_touches_its_tube() {
        let torus = SdfShape::from_values("mujoco.sdf.torus", |_| None).unwrap();
        let side = |field, pos, half: [Real; 3]| SdfSide {
            field,
            pose: Pose::at(pos),
            bounds: [0.0, 0.0, 0.0, half[0], half[1], half[2]],
        };
        let sphere = side(SdfField::Sphere(0.1), Vec3::new(0.35, 0.0, 0.24), [0.1, 0.1, 0.1]);
        let ring = side(SdfField::Shape(torus), Vec3::ZERO, torus.half_sizes().0);
        let mut points = ContactPoints::new();
        let settings = SdfSettings { points: 40, iterations: 10 };
        sdf_sdf(&sphere, &ring, settings, &mut points);
        assert!(!points.is_empty());
        let deepest = points.iter().map(|p| p.dist).fold(0.0, Real::min);
        // the shapes overlap by 0.01: no point is deeper than half of that in both
        assert!((-0.005..-0.003).contains(&deepest), "{deepest}");
        for point in points.iter() {
            // from the sphere down to the torus
            assert!(point.normal[2] < -0.9, "{point:?}");
        }
        let apart = SdfSide { pose: Pose::at(Vec3::new(3.0, 0.0, 0.0)), ..sphere };
        points.clear();
        sdf_sdf(&apart, &ring, settings, &mut points);
        assert!(points.is_empty());
    }
}
