//! Spheres and capsules against a box.
//!
//! A sphere touches the point of the box nearest to its centre, which is the centre clamped to the box. A capsule is a
//! ball that slides along a segment: the position where the ball is nearest gives the first contact, and where the
//! capsule lies along a face or an edge, the end of that stretch gives a second, which keeps it from tipping over.
//!
//! ```text
//!        first      second
//!     (====o==========o====)       capsule
//!          +----------+
//!          |   box    |
//! ```
//!
//! All is in the frame of the box; positions on the segment run from -1 to 1.
use ferrodyn_math::{MIN_VAL, Real, Vec3};

use crate::{ContactPoint, ContactPoints, Pose};

/// Sphere and box: at most one point. MuJoCo: `mjc_SphereBox`.
pub fn sphere_box(
    center: Vec3,
    radius: Real,
    cube: &Pose,
    half: Vec3,
    margin: Real,
    out: &mut ContactPoints,
) {
    // the nearest point of the box; a side without size is no limit
    let local = cube.to_local(center);
    let mut clamped = local;
    for i in 0..3 {
        if half[i] > 0.0 {
            clamped[i] = clamped[i].max(-half[i]).min(half[i]);
        }
    }
    let (toward, dist) = (clamped - local).normalize();
    if dist - radius > margin {
        return;
    }
    if dist <= MIN_VAL {
        // the centre is inside: leave through the nearest face
        let mut closest = (half[0] + half[1] + half[2]) * 2.0;
        let mut normal = Vec3::X;
        for face in 0..6 {
            let (axis, up) = (face / 2, face % 2 == 1);
            // faces -x, +x, -y, +y, -z, +z; the normal from the sphere to the box points inwards
            let depth = ((if up { half[axis] } else { -half[axis] }) - local[axis]).abs();
            if closest > depth {
                closest = depth;
                normal = Vec3::ZERO;
                normal[axis] = if up { -1.0 } else { 1.0 };
            }
        }
        // midway between the face and the far side of the sphere
        let pos = local.add_scaled(normal, (radius - closest) / 2.0);
        out.push(ContactPoint::new(-closest - radius, cube.to_global(pos), &cube.mat * normal));
    } else {
        // midway between the box and the sphere
        let deepest = local.add_scaled(toward, radius);
        let pos = Vec3::ZERO.add_scaled(clamped, 0.5).add_scaled(deepest, 0.5);
        out.push(ContactPoint::new(dist - radius, cube.to_global(pos), &cube.mat * toward));
    }
}

/// What of the box is closest to the segment of the capsule.
enum Closest {
    /// A face (the axis it is normal to), or the inside, seen from one end of the segment.
    Face { axis: Option<usize>, lower_end: bool },
    /// A corner, numbered by the signs of its coordinates.
    Corner { corner: usize },
    /// The inside of an edge along `axis` at `along` between -1 and 1.
    Edge { corner: usize, axis: usize, along: Real },
}

/// Capsule and box: the closest point and, where the capsule lies along the box, a second one.
///
/// Positions on the segment of the capsule run from -1 to 1. MuJoCo: `mjc_CapsuleBox`.
pub fn capsule_box(
    capsule: &Pose,
    radius: Real,
    half_length: Real,
    cube: &Pose,
    half: Vec3,
    margin: Real,
    out: &mut ContactPoints,
) {
    // centre and half axis of the capsule in the frame of the box
    let pos = cube.to_local(capsule.pos);
    let axis = cube.mat.mul_transposed(capsule.z_axis());
    let segment = axis * half_length;
    // MuJoCo's limit: a length beyond which nothing is near, although squared distances are compared with it
    let farthest = margin + 2.0 * (radius + half_length + half[0] + half[1] + half[2]);
    let Some((closest, first)) = closest_feature(pos, segment, half_length, half, farthest) else {
        return;
    };
    // how far along the segment a second point is worth having
    let second = match closest {
        Closest::Face { axis: None, .. } => None,
        Closest::Face { axis: Some(face), lower_end } => {
            Some(along_face(pos, segment, half, face, lower_end))
        }
        Closest::Corner { corner } => from_corner(axis, segment, half, corner, first),
        Closest::Edge { corner, axis: edge, along } => {
            across_edge(axis, segment, half, corner, edge, along, first)
        }
    };

    let mut ball_at = |x: Real| {
        let center = &cube.mat * pos.add_scaled(segment, x) + cube.pos;
        sphere_box(center, radius, cube, half, margin, out);
    };
    ball_at(first);
    // steps on a segment are at most 2; NaN is none
    if let Some(step) = second.filter(|step| *step > -3.0) {
        ball_at(step + first);
    }
}

/// One bit for each coordinate that is positive.
fn signs(v: Vec3) -> usize {
    usize::from(v[0] > 0.0) | usize::from(v[1] > 0.0) << 1 | usize::from(v[2] > 0.0) << 2
}

/// The closest feature of the box, and the position on the segment that is closest to it.
fn closest_feature(
    pos: Vec3,
    segment: Vec3,
    half_length: Real,
    half: Vec3,
    farthest: Real,
) -> Option<(Closest, Real)> {
    let mut best = farthest;
    let mut found = None;

    // an end of the segment over a face
    for end in [-1.0, 1.0] {
        let point = pos.add_scaled(segment, end);
        let mut clamped = point;
        let mut outside = 0;
        let mut face = None;
        // how many coordinates are outside: none is inside of the box, one over a face, more is for the edges
        for j in 0..3 {
            if clamped[j] < -half[j] {
                clamped[j] = -half[j];
            } else if clamped[j] > half[j] {
                clamped[j] = half[j];
            } else {
                continue;
            }
            outside += 1;
            face = Some(j);
        }
        // over an edge or corner
        if outside > 1 {
            continue;
        }
        let dif = clamped - point;
        let dist = dif.dot(dif);
        if dist < best {
            best = dist;
            found = Some((Closest::Face { axis: face, lower_end: end < 0.0 }, end));
        }
    }

    // the segment against each of the twelve edges
    for j in 0..3 {
        for i in (0..8).filter(|i| i & (1 << j) == 0) {
            let mut start = Vec3::new(
                if i & 1 != 0 { half[0] } else { -half[0] },
                if i & 2 != 0 { half[1] } else { -half[1] },
                if i & 4 != 0 { half[2] } else { -half[2] },
            );
            // the middle of the edge; minimize |start + x₁ halfⱼ eⱼ - pos - x₂ segment|² for x₁, x₂ in [-1, 1]:
            // | ma mb | |x₁|   |u|
            // | mb mc | |x₂| = |v|
            start[j] = 0.0;
            let dif = start - pos;
            let ma = half[j] * half[j];
            let mb = -half[j] * segment[j];
            let mc = half_length * half_length;
            let u = -half[j] * dif[j];
            let v = segment.dot(dif);
            let det = ma * mc - mb * mb;
            // parallel: the ends over faces, or other edges, are as near
            if det.abs() < MIN_VAL {
                continue;
            }
            // the solution without limits; then the edge's limits, then the segment's
            let inv = 1.0 / det;
            let mut on_edge = (mc * u - mb * v) * inv;
            let mut on_segment = (ma * v - mb * u) * inv;
            // the end of the edge that a clamp stopped at; a later clamp of the other coordinate
            // does not take it back
            let mut stop = None;
            if on_edge > 1.0 {
                (on_edge, stop) = (1.0, Some(true));
                on_segment = (v - mb) * (1.0 / mc);
            } else if on_edge < -1.0 {
                (on_edge, stop) = (-1.0, Some(false));
                on_segment = (v + mb) * (1.0 / mc);
            }
            if !(-1.0..=1.0).contains(&on_segment) {
                on_segment = if on_segment > 1.0 { 1.0 } else { -1.0 };
                on_edge = (u - on_segment * mb) * (1.0 / ma);
                if on_edge > 1.0 {
                    (on_edge, stop) = (1.0, Some(true));
                } else if on_edge < -1.0 {
                    (on_edge, stop) = (-1.0, Some(false));
                }
            }
            // what is left between both points
            let mut gap = dif.add_scaled(segment, -on_segment);
            gap[j] += half[j] * on_edge;
            let dist = gap.dot(gap);
            // the tolerance matters where the capsule is parallel to a face
            if dist < best - MIN_VAL {
                best = dist;
                let feature = match stop {
                    Some(true) => Closest::Corner { corner: i + (1 << j) },
                    Some(false) => Closest::Corner { corner: i },
                    None => Closest::Edge { corner: i, axis: j, along: on_edge },
                };
                found = Some((feature, on_segment));
            }
        }
    }
    found
}

/// The step to a second point when an end of the segment is over a face: as far as the face goes.
fn along_face(pos: Vec3, segment: Vec3, half: Vec3, face: usize, lower_end: bool) -> Real {
    // from this end towards the other, until a side of the face is crossed; the whole segment is 2 long
    let direction = if lower_end { 1.0 } else { -1.0 };
    let end = pos.add_scaled(segment, -direction);
    let mut step: Real = 2.0;
    for i in (0..3).filter(|i| *i != face) {
        for side in [half[i], -half[i]] {
            let reach = (side - end[i]) / segment[i] * direction;
            if reach > 0.0 && reach < step {
                step = reach;
            }
        }
    }
    step * direction
}

/// The step to a second point from a corner, along the edge or the face that the capsule is closer
/// to; none where it points at the corner.
fn from_corner(axis: Vec3, segment: Vec3, half: Vec3, corner: usize, first: Real) -> Option<Real> {
    // one bit for each axis along which the segment, followed forwards, heads into the box. One bit: forwards it runs
    // over the edge of that axis. Two: backwards it runs over the edge of the third, hence 7 - relative. None or all:
    // it points at the corner
    let relative = signs(segment) ^ corner;
    let (direction, to_end, to_start, edge) = match relative {
        1 | 2 | 4 => (1.0, 1.0 - first, 1.0 + first, relative),
        3 | 5 | 6 => (-1.0, 1.0 + first, 1.0 - first, 7 - relative),
        _ => return None,
    };
    let (ax, ax1, ax2) = match edge {
        1 => (0, 1, 2),
        2 => (1, 2, 0),
        _ => (2, 0, 1),
    };
    // a step ends where the box does, 2 half sizes from the corner
    let limit = |step: Real, i: usize| {
        let across = 2.0 * half[i] / segment[i].abs();
        if across < step { across } else { step }
    };
    // within 45 degrees of the edge: along it; else over the face beside it
    Some(if axis[ax] * axis[ax] > 0.5 {
        limit(to_end, ax) * direction
    } else {
        limit(limit(to_start, ax1), ax2) * -direction
    })
}

/// The step to a second point from the inside of an edge, over the face at the lower angle; none
/// where capsule and edge form a T.
fn across_edge(
    axis: Vec3,
    segment: Vec3,
    half: Vec3,
    corner: usize,
    edge: usize,
    along: Real,
    first: Real,
) -> Option<Real> {
    // which of the two faces beside the edge the segment runs over, one way or the other
    let heading = signs(segment);
    let relative = (heading ^ corner) & (7 - (1 << edge));
    if !matches!(relative, 1 | 2 | 4) {
        return None;
    }
    // ax2 is the axis across the edge that the segment follows more: the face with normal ax1 is at the lower angle
    let (mut ax1, ax2) = ((edge + 1) % 3, (edge + 2) % 3);
    if axis[ax1].abs() > axis[ax2].abs() {
        ax1 = ax2;
    }
    let ax2 = 3 - edge - ax1;
    // as far as the capsule, the face across the edge, and the face along the edge go
    let forward = relative & (1 << ax2) != 0;
    let (direction, mut step) = if forward { (1.0, 1.0 - first) } else { (-1.0, 1.0 + first) };
    let across = 2.0 * half[ax2] / segment[ax2].abs();
    if across < step {
        step = across;
    }
    let rest = if (heading & (1 << edge) != 0) == forward { 1.0 - along } else { 1.0 + along };
    let reach = half[edge] * rest / segment[edge].abs();
    if reach < step {
        step = reach;
    }
    Some(step * direction)
}

#[cfg(test)]
mod tests {
    use ferrodyn_math::by_precision;

    use super::*;

    #[test]
    fn a_capsule_lying_on_a_face_has_two_points() {
        let capsule = Pose {
            pos: Vec3::new(0.0, 0.0, 1.05),
            mat: ferrodyn_math::Mat3([0.0, 0.0, 1.0, 0.0, 1.0, 0.0, -1.0, 0.0, 0.0]),
        };
        let cube = Pose::at(Vec3::ZERO);
        let mut points = ContactPoints::new();
        capsule_box(&capsule, 0.1, 0.5, &cube, Vec3::new(1.0, 1.0, 1.0), 0.0, &mut points);
        assert_eq!(points.len(), 2);
        assert!(points.iter().all(|p| (p.dist + 0.05).abs() < by_precision(1e-12, 1e-6)));
    }

    #[test]
    fn a_sphere_inside_leaves_through_the_nearest_face() {
        let mut points = ContactPoints::new();
        let half = Vec3::new(1.0, 1.0, 1.0);
        sphere_box(Vec3::new(0.0, 0.9, 0.0), 0.2, &Pose::at(Vec3::ZERO), half, 0.0, &mut points);
        assert!((points[0].normal + Vec3::Y).norm() < 1e-12);
        assert!((points[0].dist + 0.3).abs() < 1e-12);
    }

    #[test]
    fn a_sphere_meets_a_face_an_edge_or_a_corner() {
        let (cube, half) = (Pose::at(Vec3::ZERO), Vec3::new(1.0, 1.0, 1.0));
        let corner = 1.0 / ferrodyn_math::sqrt(3.0);
        let cases = [
            (Vec3::new(0.2, 0.3, -1.5), Vec3::Z, 0.5),
            // 0.5 from the edge at x = y = 1
            (Vec3::new(1.3, 1.4, 0.0), Vec3::new(-0.6, -0.8, 0.0), 0.5),
            (Vec3::new(1.3, 1.3, 1.3), Vec3::new(-corner, -corner, -corner), 0.3 / corner),
        ];
        for (center, normal, gap) in cases {
            let mut points = ContactPoints::new();
            sphere_box(center, 0.6, &cube, half, 0.0, &mut points);
            assert_eq!(points.len(), 1);
            let tolerance = by_precision(1e-12, 1e-6);
            assert!((points[0].dist - (gap - 0.6)).abs() < tolerance, "{:?}", points[0]);
            assert!((points[0].normal - normal).norm() < tolerance, "{:?}", points[0]);
        }
    }

    #[test]
    fn a_capsule_across_an_edge_touches_it_in_one_point() {
        // along (1, -1, 0), 0.2 √2 from the edge at x = y = 1
        let root = ferrodyn_math::sqrt(0.5);
        let mat = ferrodyn_math::Mat3([root, 0.0, root, root, 0.0, -root, 0.0, 1.0, 0.0]);
        let capsule = Pose { pos: Vec3::new(1.2, 1.2, 0.3), mat };
        let mut points = ContactPoints::new();
        let half = Vec3::new(1.0, 1.0, 1.0);
        capsule_box(&capsule, 0.3, 0.5, &Pose::at(Vec3::ZERO), half, 0.0, &mut points);
        assert_eq!(points.len(), 1);
        let tolerance = by_precision(1e-12, 1e-6);
        assert!((points[0].dist - (0.4 * root - 0.3)).abs() < tolerance);
        assert!((points[0].normal + Vec3::new(root, root, 0.0)).norm() < tolerance);
    }
}
