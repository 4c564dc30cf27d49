//! Stiffness of a box of linear elastic material whose displacement is interpolated between nodes.
//!
//! The shape functions are products of functions along the axes, `φᵢ(s) φⱼ(t) φₖ(u)`: linear ones of two nodes, or quadratic ones of
//! three. With `F = ∇φ` and the symmetric strain `ε = (F + Fᵀ)/2`, the matrix is `-∫ λ tr(ε) tr(ε') + μ tr(ε ε')`, by Gauss's
//! rule with as many points along each axis as there are nodes.

use crate::pose::V3;

/// Points and weights of Gauss's rule on the interval from 0 to 1. The outer points of three are where MuJoCo has them, which
/// divides by the root where the rule multiplies.
fn quadrature(count: usize) -> Vec<(f64, f64)> {
    let (middle, half) = (0.5, 0.5);
    if count == 2 {
        let offset = half / 3.0_f64.sqrt();
        return vec![(-offset + middle, half), (offset + middle, half)];
    }
    let offset = half / (3.0_f64 / 5.0).sqrt();
    let (inner, outer) = (8.0 / 9.0 * half, 5.0 / 9.0 * half);
    vec![(middle, inner), (-offset + middle, outer), (offset + middle, outer)]
}

/// The function of node `i` along an axis, and its slope.
fn shape(s: f64, i: usize, order: usize) -> (f64, f64) {
    match (order, i) {
        (1, 0) => (1.0 - s, -1.0),
        (1, _) => (s, 1.0),
        (_, 0) => (2.0 * s * s - 3.0 * s + 1.0, 4.0 * s - 3.0),
        (_, 1) => (4.0 * (s - s * s), 4.0 * (1.0 - 2.0 * s)),
        _ => (2.0 * s * s - s, 4.0 * s - 1.0),
    }
}

/// The matrix by degrees of freedom of all nodes, row by row. MuJoCo: `ComputeLinearStiffness`.
pub(super) fn stiffness(node: &[V3], young: f64, poisson: f64, order: usize) -> Vec<f64> {
    let count = node.len();
    let dofs = 3 * count;
    let rule = quadrature(order + 1);
    let span: V3 = core::array::from_fn(|k| node[count - 1][k] - node[0][k]);
    let volume = span[0] * span[1] * span[2];
    let inverse = span.map(|x| 1.0 / x);
    let lambda = young * poisson / (1.0 + poisson) / (1.0 - 2.0 * poisson);
    let mu = young / (2.0 * (1.0 + poisson));
    let mut matrix = vec![0.0; dofs * dofs];
    for &(s, ws) in &rule {
        for &(t, wt) in &rule {
            for &(u, wu) in &rule {
                let weight = ws * wt * wu * volume;
                let gradients = gradients(s, t, u, order, &inverse);
                for (i, a) in gradients.iter().enumerate() {
                    for (j, b) in gradients.iter().enumerate() {
                        for k in 0..3 {
                            for l in 0..3 {
                                let slot = &mut matrix[dofs * (3 * i + k) + 3 * j + l];
                                *slot -= lambda * a[k] * b[l] * weight;
                                *slot -= mu * product(a, k, b, l) * weight;
                            }
                        }
                    }
                }
            }
        }
    }
    matrix
}

/// Gradients of the functions of all nodes.
fn gradients(s: f64, t: f64, u: f64, order: usize, inverse: &V3) -> Vec<V3> {
    let mut list = Vec::new();
    for i in 0..=order {
        for j in 0..=order {
            for k in 0..=order {
                let [(x, dx), (y, dy), (z, dz)] =
                    [shape(s, i, order), shape(t, j, order), shape(u, k, order)];
                let gradient = [dx * y * z, x * dy * z, x * y * dz];
                list.push(core::array::from_fn(|axis| inverse[axis] * gradient[axis]));
            }
        }
    }
    list
}

/// The trace of the product of two symmetric strains: that of a displacement along axis `k` with gradient `a`, and along `l` with `b`.
fn product(a: &V3, k: usize, b: &V3, l: usize) -> f64 {
    let strain = |g: &V3, axis: usize| -> [[f64; 3]; 3] {
        let entry = |i: usize, j: usize| if i == axis { g[j] } else { 0.0 };
        core::array::from_fn(|i| core::array::from_fn(|j| (entry(i, j) + entry(j, i)) / 2.0))
    };
    let (x, y) = (strain(a, k), strain(b, l));
    let diagonal = |i: usize| x[i][0] * y[0][i] + x[i][1] * y[1][i] + x[i][2] * y[2][i];
    diagonal(0) + diagonal(1) + diagonal(2)
}
