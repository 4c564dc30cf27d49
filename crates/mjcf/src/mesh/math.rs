//! What meshes need beside [`crate::pose`].

use crate::pose::{EPS, V3, cross, dot, sub};

/// Areas, volumes and lengths below this count as zero. MuJoCo's `mjMINVAL`.
pub(super) const MIN_VALUE: f64 = 1e-15;

/// The unit normal of a triangle. A triangle without area has an infinite one.
pub(super) fn triangle_normal(a: &V3, b: &V3, c: &V3) -> V3 {
    let mut normal = cross(&sub(b, a), &sub(c, a));
    let length = dot(&normal, &normal).sqrt();
    // MuJoCo replaces the normal, and divides by the length all the same
    if length < EPS {
        normal = [1.0, 0.0, 0.0];
    }
    normal.map(|x| x / length)
}
