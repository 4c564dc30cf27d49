//! Vectors, rotations and principal axes, in double precision and MuJoCo's order of operations.

/// A vector.
pub(super) type V3 = [f64; 3];
/// A quaternion w x y z.
pub(super) type Q4 = [f64; 4];
/// A 3×3 matrix by rows.
pub(super) type M3 = [f64; 9];

/// Areas, volumes and lengths below this count as zero.
pub(super) const MIN_VALUE: f64 = 1e-15;

/// Below this, a vector has no direction and a box no thickness.
pub(super) const EPS: f64 = 1e-14;

/// Tolerance of the eigenvalue iteration.
const EIG_EPS: f64 = 1e-12;

/// The identity quaternion.
pub(super) const UNIT: Q4 = [1.0, 0.0, 0.0, 0.0];

pub(super) fn sub(a: &V3, b: &V3) -> V3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(super) fn dot(a: &V3, b: &V3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn cross(a: &V3, b: &V3) -> V3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Scales a vector to unit length and returns its length before. A vector that is too short stays
/// as it is and has length 0; one that is almost of unit length stays as it is too.
pub(super) fn normalize<const N: usize>(v: &mut [f64; N]) -> f64 {
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

pub(super) fn quat_to_mat(q: &Q4) -> M3 {
    if *q == UNIT {
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

pub(super) fn transpose(m: &M3) -> M3 {
    core::array::from_fn(|k| m[3 * (k % 3) + k / 3])
}

pub(super) fn mat_vec(m: &M3, v: &V3) -> V3 {
    [
        m[0] * v[0] + m[1] * v[1] + m[2] * v[2],
        m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
        m[6] * v[0] + m[7] * v[1] + m[8] * v[2],
    ]
}

fn mat_mat(a: &M3, b: &M3) -> M3 {
    core::array::from_fn(|k| {
        let (i, j) = (k / 3, k % 3);
        a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j]
    })
}

/// The product of two quaternions, of unit length.
fn mul_quat(a: &Q4, b: &Q4) -> Q4 {
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
pub(super) fn rotate(v: &V3, q: &Q4) -> V3 {
    if *v == [0.0; 3] || *q == UNIT {
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

/// The unit normal of a triangle. A triangle without area has an infinite one.
pub(super) fn triangle_normal(a: &V3, b: &V3, c: &V3) -> V3 {
    let mut normal = cross(&sub(b, a), &sub(c, a));
    let length = dot(&normal, &normal).sqrt();
    if length < EPS {
        normal = [1.0, 0.0, 0.0];
    }
    normal.map(|x| x / length)
}

/// Eigenvalues in decreasing order and the rotation to the eigenvectors of a symmetric matrix, by
/// Jacobi rotations.
pub(super) fn eigen(mat: &M3) -> (V3, Q4) {
    let mut quat = UNIT;
    let mut values = [0.0; 3];
    for _ in 0..500 {
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
