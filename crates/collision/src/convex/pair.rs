//! Contact points between two convex shapes: one search, then more points where surfaces may lie flat on each other.
//!
//! Pairs of boxes and meshes have faces, from which one search takes several points. For the others, a cylinder on a
//! box, say, MuJoCo's way is kept: both shapes are rotated by a thousandth of a radian against each other around the
//! first contact, in four directions; where they lie flat, the deepest point jumps to that side of the contact area,
//! and is a point of contact that the others do not support.
use ferrodyn_math::{Quat, Real, Vec3};

use super::{Convex, ConvexShape, ConvexSolver, Separation};
use crate::{ContactPoint, ContactPoints};

/// How to look for contacts of a pair.
#[derive(Clone, Copy, Debug)]
pub struct ConvexPair {
    /// Distance at which contacts begin.
    pub margin: Real,
    /// Look for several points where faces or edges meet.
    pub multi: bool,
    /// The smaller radius of the two bounding spheres: tells how far apart points are to be.
    pub radius: Real,
}

/// Two convex shapes, both grown by half of the margin: one point, or several with `multi`. MuJoCo: `mjc_Convex`.
///
/// What separated them last time may save the search; the points are the same without it.
pub fn convex_convex(
    solver: &mut ConvexSolver<'_>,
    pair: &ConvexPair,
    a: &mut Convex<'_>,
    b: &mut Convex<'_>,
    mut known: Option<&mut Separation>,
    out: &mut ContactPoints,
) {
    use ConvexShape::{Box, Ellipsoid, Mesh, Sphere};
    let tolerance = solver.settings.tolerance;
    if known.as_mut().is_some_and(|known| known.proves_apart(a, b, tolerance)) {
        return;
    }
    // faces can be clipped only where they are those of the shapes, not of grown ones
    let single_pass = matches!(a.shape, Box(_) | Mesh(_))
        && matches!(b.shape, Box(_) | Mesh(_))
        && a.margin <= 0.0
        && b.margin <= 0.0;
    // two faces of boxes share at most eight corners; four points of a larger polygon carry any load that all of it does
    let max_points = if !single_pass {
        1
    } else if matches!((a.shape, b.shape), (Box(_), Box(_))) {
        8
    } else if pair.multi {
        4
    } else {
        1
    };
    let first = out.len();
    search(solver, pair.margin, a, b, max_points, out);
    if let Some(known) = known {
        known.keep_world(a, solver.separating);
    }
    // round surfaces touch in one point, however they are rotated
    let smooth = |object: &Convex<'_>| matches!(object.shape, Ellipsoid(_) | Sphere(_));
    if max_points == 1 && pair.multi && out.len() == first + 1 && !smooth(a) && !smooth(b) {
        perturb(solver, pair, a, b, first, out);
    }
}

/// A convex shape and an element of a deformable body, both grown by half of the margin: one point at most. MuJoCo: `mjc_ConvexElem`.
pub fn convex_element(
    solver: &mut ConvexSolver<'_>,
    margin: Real,
    shape: &mut Convex<'_>,
    element: &mut Convex<'_>,
    out: &mut ContactPoints,
) {
    search(solver, margin, shape, element, 1, out);
}

/// One search; appends what it finds. MuJoCo: `mjc_CCDIteration`.
fn search(
    solver: &mut ConvexSolver<'_>,
    margin: Real,
    a: &mut Convex<'_>,
    b: &mut Convex<'_>,
    max_points: usize,
    out: &mut ContactPoints,
) {
    let dist = solver.run(a, b, max_points, 0.0);
    if dist >= 0.0 {
        return;
    }
    for i in 0..solver.count {
        let (on_a, on_b) = (solver.on_a[i], solver.on_b[i]);
        // overlapping shapes: the deepest point of a lies inside of b, so that the way from b's to a's is the normal from a to b
        let normal = (on_a - on_b).normalize().0;
        out.push(ContactPoint::new(margin + dist, (on_a + on_b) * 0.5, normal));
    }
}

/// Rotate both shapes a little around the contact, in four directions, and keep new points.
fn perturb(
    solver: &mut ConvexSolver<'_>,
    pair: &ConvexPair,
    a: &mut Convex<'_>,
    b: &mut Convex<'_>,
    first: usize,
    out: &mut ContactPoints,
) {
    // MuJoCo's perturbation: small beside any feature of a shape, large beside the tolerance of a search
    const ANGLE: Real = 1e-3;
    // points closer than this part of the smaller shape are the same
    const RELATIVE_TOLERANCE: Real = 1e-3;
    let contact = out[first];
    let frame = contact.frame();
    let tolerance = RELATIVE_TOLERANCE * pair.radius;
    let (pose_a, pose_b) = (a.pose, b.pose);
    for axis in [frame.row(1), frame.row(2)] {
        for angle in [-ANGLE, ANGLE] {
            // the shapes turn in opposite directions about a tangent
            let rot = Quat::from_axis_angle(axis, angle).to_mat();
            rotate_around(a, contact.pos, &rot);
            rotate_around(b, contact.pos, &rot.transpose());
            let known = out.len();
            search(solver, pair.margin, a, b, 1, out);
            if out.len() > known {
                // only new points; their depth is the first one's, since the rotation changed theirs
                let pos = out[known].pos;
                if out[first..known].iter().any(|p| (p.pos - pos).norm() <= tolerance) {
                    out.truncate(known);
                } else {
                    out[known].dist = contact.dist;
                }
            }
            (a.pose, b.pose) = (pose_a, pose_b);
        }
    }
}

/// Rotate a shape about a point. MuJoCo: `mju_rotateFrame`.
fn rotate_around(object: &mut Convex<'_>, origin: Vec3, rot: &ferrodyn_math::Mat3) {
    let pose = &mut object.pose;
    pose.mat = rot * &pose.mat;
    let rel = origin - pose.pos;
    pose.pos -= rot * rel - rel;
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use ferrodyn_math::{Stack, by_precision};

    use super::*;
    use crate::{ConvexSettings, Pose};

    fn contacts(a: ConvexShape<'_>, b: ConvexShape<'_>, at: Vec3, multi: bool) -> ContactPoints {
        let mut out = ContactPoints::new();
        let pair = ConvexPair { margin: 0.0, multi, radius: 1.0 };
        let mut a = Convex::new(a, Pose::at(Vec3::ZERO), 0.0);
        let mut b = Convex::new(b, Pose::at(at), 0.0);
        let settings = ConvexSettings::default();
        // contents of the memory do not matter
        let mut words = vec![u64::MAX; ConvexSolver::words(&settings)];
        let mut solver = ConvexSolver::new(&mut Stack::new(&mut words), settings).unwrap();
        convex_convex(&mut solver, &pair, &mut a, &mut b, None, &mut out);
        out
    }

    #[test]
    fn ellipsoids_touch_at_their_poles() {
        let shape = ConvexShape::Ellipsoid(Vec3::new(1.0, 0.5, 0.25));
        let points = contacts(shape, shape, Vec3::new(0.0, 0.0, 0.45), false);
        assert_eq!(points.len(), 1);
        assert!((points[0].dist + 0.05).abs() < 1e-5, "{}", points[0].dist);
        assert!((points[0].normal - Vec3::Z).norm() < 2e-2, "{:?}", points[0]);
    }

    #[test]
    fn boxes_face_to_face_have_four_points() {
        let shape = ConvexShape::Box(Vec3::new(0.5, 0.5, 0.5));
        let points = contacts(shape, shape, Vec3::new(0.1, 0.2, 0.95), false);
        assert_eq!(points.len(), 4);
        let tolerance = by_precision(1e-9, 1e-6);
        assert!(points.iter().all(|p| (p.dist + 0.05).abs() < tolerance && p.normal[2] > 0.99));
    }

    #[test]
    fn perturbations_find_the_rim_of_a_standing_cylinder() {
        let cylinder = ConvexShape::Cylinder(0.5, 0.5);
        let cube = ConvexShape::Box(Vec3::new(1.0, 1.0, 0.5));
        let points = contacts(cylinder, cube, Vec3::new(0.0, 0.0, 0.99), true);
        assert!(points.len() > 1, "{}", points.len());
    }
}
