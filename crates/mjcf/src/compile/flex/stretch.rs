//! Stiffness of an element against changes of the squares of its edge lengths.
//!
//! The strain of a linear element is a sum over its edges, `E = Σ Bₑ (|xₑ|² - |Xₑ|²)`, with a symmetric tensor `Bₑ` for each edge
//! that is made of the normals of the two sides that do not contain it. The energy of a Saint Venant-Kirchhoff material is then
//! a quadratic form of the squared lengths, with the matrix `μ tr(Bₑ Bₖ) + λ tr(Bₑ) tr(Bₖ)`, whose upper triangle is kept.

use crate::pose::{M3, V3, cross, dot, normalize, sub};

/// Sides of a triangle, by its corners: that opposite to each corner.
const SIDES: [[usize; 2]; 3] = [[1, 2], [2, 0], [0, 1]];
/// The two other sides of each edge of a triangle.
const SIDES_OF_EDGE: [[usize; 2]; 3] = [[1, 2], [2, 0], [0, 1]];
/// Faces of a tetrahedron, by its corners.
const FACES: [[usize; 3]; 4] = [[2, 1, 0], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
/// The two faces of a tetrahedron without each edge.
const FACES_OF_EDGE: [[usize; 2]; 6] = [[2, 3], [1, 3], [2, 1], [1, 0], [0, 2], [0, 3]];

/// Stiffness of a triangle of a shell.
pub(super) fn triangle(
    out: &mut [f64; 21],
    vert: &[V3],
    ids: &[i32],
    young: f64,
    poisson: f64,
    thickness: f64,
) {
    let x: [&V3; 3] = core::array::from_fn(|k| &vert[ids[k] as usize]);
    let mut normal = cross(&sub(x[1], x[0]), &sub(x[2], x[0]));
    let area = normalize(&mut normal) / 2.0;
    let basis = SIDES_OF_EDGE.map(|[left, right]| {
        let [l0, l1] = SIDES[left].map(|k| x[k]);
        let [r0, r1] = SIDES[right].map(|k| x[k]);
        let (left, right) = (sub(l0, l1), sub(r1, r0));
        let mut normal = cross(&right, &left);
        normalize(&mut normal);
        symmetric(&cross(&normal, &left), &cross(&right, &normal), 8.0 * area * area)
    });
    metric(out, &basis, young, poisson, area, thickness);
}

/// Stiffness of a tetrahedron.
pub(super) fn tetrahedron(out: &mut [f64; 21], vert: &[V3], ids: &[i32], young: f64, poisson: f64) {
    let x: [&V3; 4] = core::array::from_fn(|k| &vert[ids[k] as usize]);
    let normal = cross(&sub(x[1], x[0]), &sub(x[2], x[0]));
    let volume = dot(&normal, &sub(x[3], x[0])) / 6.0;
    let basis = FACES_OF_EDGE.map(|faces| {
        let [left, right] = faces.map(|face| {
            let [a, b, c] = FACES[face].map(|k| x[k]);
            cross(&sub(b, a), &sub(c, a))
        });
        symmetric(&left, &right, 36.0 * 2.0 * volume * volume)
    });
    // a quarter of the volume in the formula of both, so that four times it is the whole
    metric(out, &basis, young, poisson, volume, 4.0);
}

/// `(a bᵀ + b aᵀ) / divisor`.
fn symmetric(a: &V3, b: &V3, divisor: f64) -> M3 {
    core::array::from_fn(|k| (a[k / 3] * b[k % 3] + b[k / 3] * a[k % 3]) / divisor)
}

/// The upper triangle of the matrix, row by row.
fn metric<const N: usize>(
    out: &mut [f64; 21],
    basis: &[M3; N],
    young: f64,
    poisson: f64,
    volume: f64,
    thickness: f64,
) {
    let mu = young / (2.0 * (1.0 + poisson)) * volume.abs() / 4.0 * thickness;
    let lambda = young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)) * volume.abs() / 4.0
        * thickness;
    let trace = basis.map(|b| 0.0 + b[0] + b[4] + b[8]);
    let mut slots = out.iter_mut();
    for i in 0..N {
        for j in i..N {
            let mut product = 0.0;
            for k in 0..9 {
                product += basis[i][k] * basis[j][3 * (k % 3) + k / 3];
            }
            if let Some(slot) = slots.next() {
                *slot = mu * product + lambda * trace[j] * trace[i];
            }
        }
    }
}

/// Elements without area or volume have no stiffness. MuJoCo fills in what is not a number.
pub(super) fn check_stiffness(
    stiffness: &[f64],
    bending: &[[f64; 17]],
    order: usize,
) -> Result<(), String> {
    let bad = |numbers: &[f64]| numbers.iter().any(|x| !x.is_finite());
    let reason = "which leaves no finite stiffness";
    if order > 0 && bad(stiffness) {
        return Err(format!("the box around the nodes is flat, {reason}"));
    }
    if let Some(e) = stiffness.as_chunks::<21>().0.iter().position(|row| bad(row)) {
        return Err(format!("the vertices of element {e} lie in a line or plane, {reason}"));
    }
    if let Some(e) = bending.iter().position(|row| bad(row)) {
        return Err(format!("an element at edge {e} has no area, {reason}"));
    }
    Ok(())
}
