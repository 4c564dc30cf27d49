//! Principal stretches: the deformation gradient as `F = U Σ Vᵀ`, with rotations `U` and `V`.
use ferrodyn_math::{Mat3, Real, Vec3, by_precision, sqrt};

/// Below this length a column of `F V` has no direction: `F` is scaled by rest lengths, so that this is a share of the element.
const NO_DIRECTION: Real = by_precision(1e-12, 1e-6);

/// `F = U Σ Vᵀ`. Of a triangle the third column of `F` is zero, and only two stretches count.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretches {
    pub(super) u: Mat3,
    pub(super) v: Mat3,
    /// The stretches: those of a tetrahedron in decreasing order, the last one negative where the element is turned inside out.
    pub(super) value: [Real; 3],
}

/// Sweeps over the planes of two axes, at most. Jacobi's method converges quadratically: five or six are enough for any matrix of three
/// rows, and what is left to the others is only rounding.
const SWEEPS: usize = 10;
/// Columns whose cosine is below this are perpendicular: a few units of the last place.
const PERPENDICULAR: Real = by_precision(4e-16, 2e-7);

/// Cosine and sine of the rotation of two axes that makes the element `off` between the diagonal elements `p` and `q` of a symmetric matrix vanish.
fn rotation(p: Real, q: Real, off: Real) -> (Real, Real) {
    let zeta = (q - p) / (2.0 * off);
    let sign = if zeta < 0.0 { -1.0 } else { 1.0 };
    let tangent = sign / (zeta.abs() + sqrt(1.0 + zeta * zeta));
    let cosine = 1.0 / sqrt(1.0 + tangent * tangent);
    (cosine, cosine * tangent)
}

/// Turns two columns.
fn turn(columns: &mut [Vec3; 3], [p, q]: [usize; 2], (cosine, sine): (Real, Real)) {
    let (a, b) = (columns[p], columns[q]);
    columns[p] = a * cosine - b * sine;
    columns[q] = a * sine + b * cosine;
}

/// The planes of the first `dim` axes.
fn planes(dim: usize) -> &'static [[usize; 2]] {
    if dim == 2 { &[[0, 1]] } else { &[[0, 1], [0, 2], [1, 2]] }
}

/// The axes, as columns, in which a symmetric matrix is diagonal, of the first `dim` axes.
pub(super) fn symmetric_axes(matrix: &Mat3, dim: usize) -> Mat3 {
    let mut axes = [0, 1, 2].map(unit);
    for _ in 0..SWEEPS {
        let mut turned = false;
        for &[p, q] in planes(dim) {
            let image = matrix * axes[q];
            let (a, b) = (axes[p].dot(matrix * axes[p]), axes[q].dot(image));
            let off = axes[p].dot(image);
            if off.abs() > PERPENDICULAR * (a.abs() + b.abs()) {
                turn(&mut axes, [p, q], rotation(a, b, off));
                turned = true;
            }
        }
        if !turned {
            break;
        }
    }
    Mat3::from_columns(axes[0], axes[1], axes[2])
}

/// The axis of the world with a number.
fn unit(k: usize) -> Vec3 {
    let mut axis = Vec3::ZERO;
    axis[k] = 1.0;
    axis
}

impl Stretches {
    /// Of a tetrahedron (`dim` 3), or of a triangle (`dim` 2), whose two stretches are never negative, since a sheet in space has no inside.
    ///
    /// Jacobi's method from one side: the columns of `F V` are turned against each other until they are perpendicular, which keeps
    /// all digits of small stretches, where `FᵀF` would lose half of them.
    pub(super) fn new(f: &Mat3, dim: usize) -> Stretches {
        let mut v = [0, 1, 2].map(unit);
        let mut fv = [0, 1, 2].map(|k| f.column(k));
        for _ in 0..SWEEPS {
            let mut turned = false;
            for &[p, q] in planes(dim) {
                let (a, b) = (fv[p].dot(fv[p]), fv[q].dot(fv[q]));
                let off = fv[p].dot(fv[q]);
                if off.abs() > PERPENDICULAR * sqrt(a * b) {
                    let by = rotation(a, b, off);
                    turn(&mut fv, [p, q], by);
                    turn(&mut v, [p, q], by);
                    turned = true;
                }
            }
            if !turned {
                break;
            }
        }
        // the longest first; turning by a right angle keeps V a rotation
        for &[p, q] in [[0, 1], [1, 2], [0, 1]].iter().filter(|[_, q]| *q < dim) {
            if fv[p].dot(fv[p]) < fv[q].dot(fv[q]) {
                turn(&mut fv, [p, q], (0.0, 1.0));
                turn(&mut v, [p, q], (0.0, 1.0));
            }
        }
        // U is a rotation too: the sign of det F is left to the last stretch
        let first = direction(fv[0], unit(0));
        let second = perpendicular(fv[1], first);
        let u = [first, second, first.cross(second)];
        let value = core::array::from_fn(|i| if i < dim { u[i].dot(fv[i]) } else { 1.0 });
        let matrix = |c: [Vec3; 3]| Mat3::from_columns(c[0], c[1], c[2]);
        Stretches { u: matrix(u), v: matrix(v), value }
    }

    /// `U diag(d) Vᵀ`.
    pub(super) fn diagonal(&self, d: [Real; 3]) -> Mat3 {
        let scaled = Mat3::from_columns(
            self.u.column(0) * d[0],
            self.u.column(1) * d[1],
            self.u.column(2) * d[2],
        );
        &scaled * &self.v.transpose()
    }

    /// `uᵢ vⱼᵀ`.
    pub(super) fn outer(&self, i: usize, j: usize) -> Mat3 {
        let (u, v) = (self.u.column(i), self.v.column(j));
        Mat3(core::array::from_fn(|k| u[k / 3] * v[k % 3]))
    }
}

/// A vector of length one along `x`, or `otherwise` where it has no direction.
fn direction(x: Vec3, otherwise: Vec3) -> Vec3 {
    let length = x.norm();
    if length > NO_DIRECTION { x * (1.0 / length) } else { otherwise }
}

/// A vector of length one perpendicular to `axis`, towards `x` where that has a direction.
fn perpendicular(x: Vec3, axis: Vec3) -> Vec3 {
    let across = x - axis * axis.dot(x);
    if across.norm() > NO_DIRECTION {
        return direction(across, Vec3::ZERO);
    }
    // any: across the axis of the world that is farthest from it
    let least = (0..3).fold(0, |best, k| if axis[k].abs() < axis[best].abs() { k } else { best });
    direction(axis.cross(unit(least)), unit(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: &Mat3, b: &Mat3) -> bool {
        (0..9).all(|k| (a[k] - b[k]).abs() < by_precision(1e-14, 1e-5))
    }

    fn is_rotation(r: &Mat3) -> bool {
        let unit = Mat3([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
        let turns = r.column(0).cross(r.column(1)).dot(r.column(2)) > 0.0;
        turns && close(&(&r.transpose() * r), &unit)
    }

    #[test]
    fn the_factors_of_a_deformation_are_two_rotations_and_its_stretches() {
        let regular = Mat3([1.2, 0.3, -0.1, 0.2, 0.8, 0.4, -0.3, 0.1, 1.1]);
        let inverted = Mat3([1.0, 0.1, 0.0, 0.0, 0.9, 0.2, 0.3, 0.0, -0.7]);
        let flat = Mat3([1.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
        for f in [regular, inverted, flat, Mat3([0.0; 9])] {
            let s = Stretches::new(&f, 3);
            assert!(is_rotation(&s.u) && is_rotation(&s.v), "{s:?}");
            assert!(close(&s.diagonal(s.value), &f), "{s:?}");
        }
        assert!(Stretches::new(&inverted, 3).value[2] < 0.0);
    }

    #[test]
    fn the_stretches_of_a_sheet_are_not_negative() {
        let tilted = Mat3([1.2, 0.3, 0.0, 0.2, 0.8, 0.0, -0.3, 0.1, 0.0]);
        let mirrored = Mat3([-1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
        let thin = Mat3([0.2, 0.0, 0.0, 0.0, 1.5, 0.0, 0.0, 0.1, 0.0]);
        let line = Mat3([1.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        for f in [tilted, mirrored, thin, line] {
            let s = Stretches::new(&f, 2);
            assert!(is_rotation(&s.u) && is_rotation(&s.v), "{s:?}");
            assert!(s.value.iter().all(|x| *x >= 0.0), "{s:?}");
            assert!(close(&s.diagonal([s.value[0], s.value[1], 0.0]), &f), "{s:?}");
        }
    }
}
