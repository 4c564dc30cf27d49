//! Vectors, rotations, poses and inertias while compiling.
//!
//! `ferrodyn_math` has the same operations, but not for this: it computes in `Real`, which is single precision in one of the
//! builds, while a model is described in double precision in all of them and rounded once, when it is stored. And MuJoCo's
//! compiler has functions of its own (`mjuu_…`), some of which round otherwise than those of its step (`mju_…`).
//!
//! | here | `ferrodyn_math` | what differs beside the precision |
//! |---|---|---|
//! | [`add`], [`sub`], [`dot`], [`cross`] | operators, `dot` and `cross` of `Vec3` | nothing |
//! | [`mat_vec`], `mat_mat`, [`transpose`] | operators and `transpose` of `Mat3` | nothing |
//! | [`conjugate`], [`rotate`], [`quat_to_mat`] | the same of `Quat` | nothing |
//! | [`normalize`] | `normalize` of `Vec3` and `Quat` | divides; what is too short stays as it is |
//! | [`mul_quat`] | `Quat * Quat` | the product is normalized |
//! | [`quat_from_axis_angle`] | `Quat::from_axis_angle` | the axis is normalized |
//! | [`quat_from_z`] | `Quat::from_z_to` | takes a unit vector; along z, the axis is x |
//! | `quat_from_axes` | `Quat::from_mat` | normalized as here |
//! | [`eigen`] | `Mat3::eigen_symmetric` | its quaternions are normalized as here |

pub(crate) use ferrodyn_math::double;
use ferrodyn_math::elementary::{atan2, cos, sin};

/// Lengths, masses and volumes below this count as zero: some ten times what rounding leaves of numbers near one. MuJoCo's
/// `mjEPS`.
pub(crate) const EPS: f64 = 1e-14;

/// Elements off the diagonal below this count as zero, cosines this close to one as no rotation, and eigenvalues this close as
/// equal, so that rounding exchanges no axes. MuJoCo's `kEigEPS`.
const EIG_EPS: f64 = 1e-12;

/// Rotations at most: a bound for numbers that are none; a dozen are enough for others. MuJoCo's.
const MAX_ROTATIONS: usize = 500;

/// A sine below this is that of a direction along z, which has no axis of its own: the angle is lost in the rounding of
/// coordinates that come from a text. MuJoCo's, in `mjuu_z2quat`.
const ALONG_Z: f64 = 1e-10;

/// A vector.
pub(crate) type V3 = [f64; 3];
/// A quaternion w x y z.
pub(crate) type Q4 = [f64; 4];
/// A 3×3 matrix by rows.
pub(crate) type M3 = [f64; 9];

/// The identity quaternion.
pub(crate) const UNIT: Q4 = [1.0, 0.0, 0.0, 0.0];

/// A position and an orientation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pose {
    pub(crate) pos: V3,
    pub(crate) quat: Q4,
}

impl Pose {
    pub(crate) const NULL: Self = Self { pos: [0.0; 3], quat: UNIT };

    /// The pose of a child that is given in the frame of this pose.
    pub(crate) fn then(&self, child: &Self) -> Self {
        let v = mat_vec(&quat_to_mat(&self.quat), &child.pos);
        Self { pos: add(&self.pos, &v), quat: mul_quat(&self.quat, &child.quat) }
    }

    /// The pose that undoes this one.
    pub(crate) fn inverse(&self) -> Self {
        let quat = conjugate(&self.quat);
        let p = mat_vec(&quat_to_mat(&quat), &self.pos);
        Self { pos: [-p[0], -p[1], -p[2]], quat }
    }
}

pub(crate) fn add(a: &V3, b: &V3) -> V3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(crate) fn sub(a: &V3, b: &V3) -> V3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(crate) fn dot(a: &V3, b: &V3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn cross(a: &V3, b: &V3) -> V3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(crate) fn conjugate(q: &Q4) -> Q4 {
    [q[0], -q[1], -q[2], -q[3]]
}

/// Scales a vector to unit length and returns its length before. A vector that is too short stays
/// as it is and has length 0; one that is almost of unit length stays as it is too.
pub(crate) fn normalize<const N: usize>(v: &mut [f64; N]) -> f64 {
    let mut norm = 0.0;
    for x in &*v {
        norm += x * x;
    }
    if norm < EPS {
        return 0.0;
    }
    norm = norm.sqrt();
    if (norm - 1.0).abs() > EPS {
        for x in v {
            *x /= norm;
        }
    }
    norm
}

fn is_unit(q: &Q4) -> bool {
    *q == UNIT
}

/// The matrix of a rotation.
pub(crate) fn quat_to_mat(q: &Q4) -> M3 {
    if is_unit(q) {
        return [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    }
    let (q00, q01, q02, q03) = (q[0] * q[0], q[0] * q[1], q[0] * q[2], q[0] * q[3]);
    let (q11, q12, q13) = (q[1] * q[1], q[1] * q[2], q[1] * q[3]);
    let (q22, q23, q33) = (q[2] * q[2], q[2] * q[3], q[3] * q[3]);
    [
        q00 + q11 - q22 - q33,
        2.0 * (q12 - q03),
        2.0 * (q13 + q02),
        2.0 * (q12 + q03),
        q00 - q11 + q22 - q33,
        2.0 * (q23 - q01),
        2.0 * (q13 - q02),
        2.0 * (q23 + q01),
        q00 - q11 - q22 + q33,
    ]
}

pub(crate) fn transpose(m: &M3) -> M3 {
    core::array::from_fn(|k| m[3 * (k % 3) + k / 3])
}

pub(crate) fn mat_vec(m: &M3, v: &V3) -> V3 {
    core::array::from_fn(|i| m[3 * i] * v[0] + m[3 * i + 1] * v[1] + m[3 * i + 2] * v[2])
}

fn mat_mat(a: &M3, b: &M3) -> M3 {
    core::array::from_fn(|k| {
        let (i, j) = (k / 3, k % 3);
        a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j]
    })
}

/// The product of two quaternions, of unit length.
pub(crate) fn mul_quat(a: &Q4, b: &Q4) -> Q4 {
    let mut q = [
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    ];
    normalize(&mut q);
    q
}

/// A vector, rotated.
pub(crate) fn rotate(v: &V3, q: &Q4) -> V3 {
    if *v == [0.0; 3] {
        return [0.0; 3];
    }
    if is_unit(q) {
        return *v;
    }
    let t = [
        q[0] * v[0] + q[2] * v[2] - q[3] * v[1],
        q[0] * v[1] + q[3] * v[0] - q[1] * v[2],
        q[0] * v[2] + q[1] * v[1] - q[2] * v[0],
    ];
    [
        v[0] + 2.0 * (q[2] * t[2] - q[3] * t[1]),
        v[1] + 2.0 * (q[3] * t[0] - q[1] * t[2]),
        v[2] + 2.0 * (q[1] * t[1] - q[2] * t[0]),
    ]
}

/// The shortest rotation from the z axis to a unit vector.
pub(crate) fn quat_from_z(v: &V3) -> Q4 {
    let mut axis = cross(&[0.0, 0.0, 1.0], v);
    let s = normalize(&mut axis);
    if s < ALONG_Z {
        axis = [1.0, 0.0, 0.0];
    }
    let half = atan2(s, v[2]) / 2.0;
    [cos(half), axis[0] * sin(half), axis[1] * sin(half), axis[2] * sin(half)]
}

/// The rotation whose axes are x, y and z.
fn quat_from_axes(x: &V3, y: &V3, z: &V3) -> Q4 {
    let mut q = [0.0; 4];
    if x[0] + y[1] + z[2] > 0.0 {
        q[0] = 0.5 * (1.0 + x[0] + y[1] + z[2]).sqrt();
        q[1] = 0.25 * (y[2] - z[1]) / q[0];
        q[2] = 0.25 * (z[0] - x[2]) / q[0];
        q[3] = 0.25 * (x[1] - y[0]) / q[0];
    } else if x[0] > y[1] && x[0] > z[2] {
        q[1] = 0.5 * (1.0 + x[0] - y[1] - z[2]).sqrt();
        q[0] = 0.25 * (y[2] - z[1]) / q[1];
        q[2] = 0.25 * (y[0] + x[1]) / q[1];
        q[3] = 0.25 * (z[0] + x[2]) / q[1];
    } else if y[1] > z[2] {
        q[2] = 0.5 * (1.0 - x[0] + y[1] - z[2]).sqrt();
        q[0] = 0.25 * (z[0] - x[2]) / q[2];
        q[1] = 0.25 * (y[0] + x[1]) / q[2];
        q[3] = 0.25 * (z[1] + y[2]) / q[2];
    } else {
        q[3] = 0.5 * (1.0 - x[0] - y[1] + z[2]).sqrt();
        q[0] = 0.25 * (x[1] - y[0]) / q[3];
        q[1] = 0.25 * (z[0] + x[2]) / q[3];
        q[2] = 0.25 * (z[1] + y[2]) / q[3];
    }
    normalize(&mut q);
    q
}

/// The rotation about an axis, which need not be of unit length.
pub(crate) fn quat_from_axis_angle(axis: &V3, angle: f64) -> Result<Q4, &'static str> {
    let mut axis = *axis;
    if normalize(&mut axis) < EPS {
        return Err("the axis of the orientation is too short");
    }
    let half = angle / 2.0;
    Ok([cos(half), sin(half) * axis[0], sin(half) * axis[1], sin(half) * axis[2]])
}

/// The rotation with an x axis and a y axis, the latter made orthogonal to the former.
pub(crate) fn quat_from_xy_axes(xy: &[f64; 6]) -> Result<Q4, &'static str> {
    let (mut x, mut y) = ([xy[0], xy[1], xy[2]], [xy[3], xy[4], xy[5]]);
    if normalize(&mut x) < EPS {
        return Err("the x axis of the orientation is too short");
    }
    let d = dot(&x, &y);
    for i in 0..3 {
        y[i] -= x[i] * d;
    }
    if normalize(&mut y) < EPS {
        return Err("the y axis of the orientation is too short, or parallel to the x axis");
    }
    let mut z = cross(&x, &y);
    if normalize(&mut z) < EPS {
        return Err("the axes of the orientation are parallel");
    }
    Ok(quat_from_axes(&x, &y, &z))
}

/// The orientation of a link of a curve, x along `edge`. The normal is turned from link to link by
/// the bend between them and no more; the first one lies in the plane of the bend to the next link.
pub(crate) fn moving_frame(normal: &mut V3, edge: &V3, previous: Option<&V3>, next: &V3) -> Q4 {
    let mut tangent = *edge;
    normalize(&mut tangent);
    let binormal = match previous {
        None => {
            let mut binormal = cross(&tangent, next);
            normalize(&mut binormal);
            *normal = cross(&binormal, &tangent);
            normalize(normal);
            binormal
        }
        Some(previous) => {
            let mut axis = cross(previous, &tangent);
            let angle = atan2(normalize(&mut axis), dot(previous, &tangent));
            let turn = match angle {
                0.0 => UNIT,
                _ => {
                    let s = sin(angle * 0.5);
                    [cos(angle * 0.5), axis[0] * s, axis[1] * s, axis[2] * s]
                }
            };
            *normal = rotate(normal, &turn);
            normalize(normal);
            let mut binormal = cross(&tangent, normal);
            normalize(&mut binormal);
            binormal
        }
    };
    quat_from_axes(&tangent, normal, &binormal)
}

/// Principal moments in decreasing order, and the rotation to the principal axes, of an inertia
/// matrix given as xx, yy, zz, xy, xz, yz.
pub(crate) fn principal_inertia(full: &[f64; 6]) -> Result<(V3, Q4), &'static str> {
    let (moments, quat) =
        eigen(&[full[0], full[3], full[4], full[3], full[1], full[5], full[4], full[5], full[2]]);
    if moments[2] < EPS {
        return Err("the inertia matrix must have positive eigenvalues");
    }
    Ok((moments, quat))
}

/// Eigenvalues in decreasing order and the rotation to the eigenvectors of a symmetric matrix, by
/// Jacobi rotations.
///
/// As MuJoCo's compiler does it (`mjuu_eig3`); the vertices of meshes would have other bits with that of its step.
pub(crate) fn eigen(mat: &M3) -> (V3, Q4) {
    let mut quat = UNIT;
    let mut values = [0.0; 3];
    for _ in 0..MAX_ROTATIONS {
        // the matrix in the present axes
        let axes = quat_to_mat(&quat);
        let d = mat_mat(&mat_mat(&transpose(&axes), mat), &axes);
        values = [d[0], d[4], d[8]];

        // the largest element off the diagonal, and the axis to turn about
        let (row, col, axis) = if d[1].abs() > d[2].abs() && d[1].abs() > d[5].abs() {
            (0, 1, 2)
        } else if d[2].abs() > d[5].abs() {
            (0, 2, 1)
        } else {
            (1, 2, 0)
        };
        let off = d[3 * row + col];
        if off.abs() < EIG_EPS {
            break;
        }

        // the rotation that removes it
        let tau = (d[4 * col] - d[4 * row]) / (2.0 * off);
        let t = if tau >= 0.0 {
            1.0 / (tau + (1.0 + tau * tau).sqrt())
        } else {
            -1.0 / (-tau + (1.0 + tau * tau).sqrt())
        };
        let c = 1.0 / (1.0 + t * t).sqrt();
        if c > 1.0 - EIG_EPS {
            break;
        }
        let mut turn = [0.0; 4];
        let half = (0.5 - 0.5 * c).sqrt();
        turn[axis + 1] = if (tau >= 0.0) == (axis == 1) { half } else { -half };
        turn[0] = (1.0 - turn[axis + 1] * turn[axis + 1]).sqrt();
        normalize(&mut turn);
        quat = mul_quat(&quat, &turn);
        normalize(&mut quat);
    }

    // sort by exchanging neighbours, each time with a quarter turn
    for lead in [0, 1, 0] {
        if values[lead] + EIG_EPS < values[lead + 1] {
            values.swap(lead, lead + 1);
            // half of the square root of two, to the digits that MuJoCo writes
            #[allow(clippy::approx_constant, reason = "the digits are MuJoCo's")]
            let half = 0.707_106_781_186_548;
            let mut turn = [half, 0.0, 0.0, 0.0];
            turn[(lead + 2) % 3 + 1] = half;
            quat = mul_quat(&quat, &turn);
            normalize(&mut quat);
        }
    }
    (values, quat)
}

/// A diagonal inertia in rotated axes, as xx, yy, zz, xy, xz, yz.
pub(crate) fn rotated_inertia(local: &V3, quat: &Q4) -> [f64; 6] {
    let m = quat_to_mat(quat);
    let scaled: M3 = core::array::from_fn(|k| m[3 * (k % 3) + k / 3] * local[k / 3]);
    let entry = |i: usize, j: usize| {
        m[3 * i] * scaled[j] + m[3 * i + 1] * scaled[3 + j] + m[3 * i + 2] * scaled[6 + j]
    };
    [entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)]
}

/// The inertia of a point mass at an offset, as xx, yy, zz, xy, xz, yz.
pub(crate) fn offset_inertia(mass: f64, v: &V3) -> [f64; 6] {
    [
        mass * (v[1] * v[1] + v[2] * v[2]),
        mass * (v[0] * v[0] + v[2] * v[2]),
        mass * (v[0] * v[0] + v[1] * v[1]),
        -mass * v[0] * v[1],
        -mass * v[0] * v[2],
        -mass * v[1] * v[2],
    ]
}

/// Differences below this leave two frames the same, so that a step need not turn one into the other: a micrometre, and the
/// digits that a text has. MuJoCo's `kFrameEps`.
const FRAME_EPS: f64 = 1e-6;

/// Whether two positions are the same.
pub(crate) fn same_pos(a: &V3, b: &V3) -> bool {
    a.iter().zip(b).all(|(x, y)| (x - y).abs() < FRAME_EPS)
}

/// Whether two quaternions are the same rotation.
pub(crate) fn same_quat(a: &Q4, b: &Q4) -> bool {
    a.iter().zip(b).all(|(x, y)| (x - y).abs() < FRAME_EPS)
        || a.iter().zip(b).all(|(x, y)| (x + y).abs() < FRAME_EPS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pose_and_its_inverse_cancel() {
        let mut quat = [0.3, -0.2, 0.9, 0.1];
        normalize(&mut quat);
        let pose = Pose { pos: [1.0, -2.0, 0.5], quat };
        let null = pose.then(&pose.inverse());
        assert!(same_pos(&null.pos, &[0.0; 3]) && same_quat(&null.quat, &UNIT));
    }

    #[test]
    fn principal_axes_rebuild_the_matrix() {
        let full = [2.0, 3.0, 1.5, 0.4, -0.2, 0.1];
        let (moments, quat) = principal_inertia(&full).unwrap();
        let back = rotated_inertia(&moments, &quat);
        // rotations whose cosine is within EIG_EPS of 1 are left out: angles up to 1.5e-6
        assert!(full.iter().zip(back).all(|(a, b)| (a - b).abs() < 1e-5));
        assert!(moments[0] >= moments[1] && moments[1] >= moments[2]);
    }

    #[test]
    fn an_indefinite_matrix_has_no_principal_inertia() {
        assert!(principal_inertia(&[1.0, 1.0, -1.0, 0.0, 0.0, 0.0]).is_err());
    }

    #[test]
    fn the_shortest_rotation_turns_z_to_its_target() {
        let mut v = [0.3, -0.7, -0.2];
        normalize(&mut v);
        assert!(same_pos(&rotate(&[0.0, 0.0, 1.0], &quat_from_z(&v)), &v));
    }
}
