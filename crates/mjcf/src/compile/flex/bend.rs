//! Stiffness of an edge between two triangles against bending: the cotangent operator of Wardetzky and others, "Discrete quadratic
//! curvature energies" (2007), and for curved shells the term of Garg and others, "Cubic shells" (2007).

use ferrodyn_math::elementary::pow;

use crate::pose::{V3, cross, dot, sub};

/// The cotangent of the angle at `a`, between `b` and `c`.
fn cotangent(a: &V3, b: &V3, c: &V3) -> f64 {
    let (u, v) = (sub(b, a), sub(c, a));
    let normal = cross(&u, &v);
    dot(&u, &v) / dot(&normal, &normal).sqrt()
}

fn area(a: &V3, b: &V3, c: &V3) -> f64 {
    let normal = cross(&sub(b, a), &sub(c, a));
    dot(&normal, &normal).sqrt() / 2.0
}

/// A 4×4 matrix by the vertices of both triangles, and the factor of a curved reference; zeros at the border. `flap` is the
/// edge and the vertices opposite to it. MuJoCo: `ComputeBending`.
pub(super) fn bending(vert: &[V3], flap: &[i32; 4], shear: f64, thickness: f64) -> [f64; 17] {
    let mut out = [0.0; 17];
    if flap[3] == -1 {
        return out;
    }
    let [x0, x1, x2, x3] = flap.map(|id| &vert[id as usize]);
    // angles at both ends of the edge, in both triangles
    let a01 = cotangent(x0, x1, x2);
    let a02 = cotangent(x0, x3, x1);
    let a03 = cotangent(x1, x2, x0);
    let a04 = cotangent(x1, x0, x3);
    let c = [a03 + a04, a01 + a02, -(a01 + a03), -(a02 + a04)];
    let volume = area(x0, x1, x2) + area(x1, x0, x3);
    let stiffness = 3.0 * shear * pow(thickness, 3.0) / (24.0 * volume);

    let e0 = sub(x1, x0);
    let (e1, e2) = (sub(x2, x0), sub(x3, x0));
    let (e3, e4) = (sub(x2, x1), sub(x3, x1));
    let t0: V3 = core::array::from_fn(|k| -(a03 * e1[k] + a01 * e3[k]));
    let t1: V3 = core::array::from_fn(|k| -(a04 * e2[k] + a02 * e4[k]));
    let square = dot(&e0, &e0);
    let cosine = -dot(&t0, &t1) / square;
    for i in 0..4 {
        for j in 0..4 {
            out[4 * i + j] += c[i] * c[j] * cosine * stiffness;
        }
    }
    let normal = cross(&e0, &e1);
    out[16] = dot(&normal, &e2) * (a01 - a03) * (a04 - a02) * stiffness / (square * square.sqrt());
    out
}
