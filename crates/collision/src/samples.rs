//! Points and rotations that are spread evenly, for tests that compare with a slower method.
use ferrodyn_math::{Mat3, Quat, Real, Vec3, halton};

/// The points of a cube from -1 to 1, one for each number; three bases make a sequence of its own.
pub(crate) fn spread(i: i32, bases: [i32; 3]) -> Vec3 {
    Vec3(bases.map(|base| 2.0 * halton(i, base) - 1.0))
}

/// Rotations by up to two radians about axes in all directions.
pub(crate) fn turned(i: i32) -> Mat3 {
    let angle: Real = 2.0 * halton(i, 13);
    Quat::from_axis_angle(spread(i, [2, 3, 5]).normalize().0, angle).to_mat()
}
