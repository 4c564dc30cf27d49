//! Orientations in the forms of the model language.

use crate::pose::{
    self, EPS, Q4, UNIT, V3, normalize, quat_from_axis_angle, quat_from_xy_axes, quat_from_z,
};
use crate::values::{Orientation, RawQuat};
use ferrodyn_math::elementary;

/// The orientation that a quaternion or another form describes. The other form wins wherever there is one, also one of a
/// class over a quaternion of the element: MuJoCo resolves `alt` into `quat` last (`ResolveOrientation`).
pub(crate) fn orientation(
    degree: bool,
    eulerseq: &[u8; 3],
    quat: &Option<RawQuat>,
    alt: &Option<Orientation>,
) -> Result<Q4, &'static str> {
    let Some(alt) = alt else { return Ok(quat.map_or(UNIT, |q| q.0)) };
    let radians = |x: f64| if degree { x / 180.0 * core::f64::consts::PI } else { x };
    match alt {
        Orientation::AxisAngle([x, y, z, angle]) => {
            quat_from_axis_angle(&[*x, *y, *z], radians(*angle))
        }
        Orientation::XyAxes(axes) => quat_from_xy_axes(axes),
        Orientation::ZAxis(axis) => {
            let mut axis = *axis;
            if normalize(&mut axis) < EPS {
                return Err("the z axis of the orientation is too short");
            }
            Ok(quat_from_z(&axis))
        }
        Orientation::Euler(angles) => euler(&angles.map(radians), eulerseq),
    }
}

/// The orientation after turning about three axes: small letters turn with the object, capital
/// letters do not.
fn euler(angles: &V3, sequence: &[u8; 3]) -> Result<Q4, &'static str> {
    let mut quat = UNIT;
    for (angle, letter) in angles.iter().zip(sequence) {
        let (sa, ca) = (elementary::sin(angle / 2.0), elementary::cos(angle / 2.0));
        let mut turn = [ca, 0.0, 0.0, 0.0];
        match letter.to_ascii_lowercase() {
            b'x' => turn[1] = sa,
            b'y' => turn[2] = sa,
            b'z' => turn[3] = sa,
            _ => return Err("the compiler's 'eulerseq' can only contain x, y, z, X, Y, Z"),
        }
        quat = if letter.is_ascii_lowercase() {
            pose::mul_quat(&quat, &turn)
        } else {
            pose::mul_quat(&turn, &quat)
        };
    }
    normalize(&mut quat);
    Ok(quat)
}
