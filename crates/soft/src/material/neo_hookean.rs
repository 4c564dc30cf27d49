//! A compressible Neo-Hookean material, for tetrahedra and for the membranes that triangles are.
//!
//! # The law
//! With the deformation gradient `F = D D₀⁻¹` (edges of an element, by those at rest), its singular values `σ` (the principal stretches) and
//! `J = Πσ`, the energy of a unit of volume is
//!
//! ```text
//! W = μ/2 (‖F‖² - n) - μ ln J + λ/2 (ln J)²  =  Σ [μ/2 (σ² - 1) - μ ln σ] + λ/2 (Σ ln σ)²
//! P = ∂W/∂F = μ F + (λ ln J - μ) F⁻ᵀ
//! ```
//!
//! where `n` is 3, or 2 for a triangle, whose `F` is 3×2 and whose `J` is the ratio of areas. At small strains this is linear elasticity
//! with the Lamé constants `μ` and `λ`; for a triangle that of plane strain.
//!
//! # Inside out
//! `ln σ` has no value where an element is flat or turned inside out, which collisions and large time steps bring about. Below a stretch
//! [`LEAST`] the logarithm is continued by the parabola that has its value, slope and curvature there:
//!
//! ```text
//! l(σ) = ln s + (σ - s)/s - (σ - s)²/(2 s²),   s = LEAST
//! ```
//!
//! `W` stays twice continuously differentiable in the stretches, is finite everywhere, and its slope `μ σ + (λ Σl - μ) l'(σ)` is negative from
//! `s` down through zero to any negative stretch (`l' > 0` there) unless the other stretches are so large that the volume has grown all the same: a flat or inverted
//! element is pushed back, also one whose vertices are all in one point. Continuing `ln J` in place of `ln σ` would not do that: at
//! `F = 0` the derivative of `J` vanishes, and `μ F` holds the element there. Of the singular values the last one carries the sign of `det F`, so that an
//! element comes back by its shortest way. `s` is a tenth: no solid is compressed to a tenth of its length, so that nothing
//! real is changed, and the curvature `μ/s²` there is only a hundred times that at rest, which time steps can still follow.
//!
//! # Stiffness
//! The derivative of `P` by `F` has known eigenvectors (Smith, de Goes, Kim: Analytic eigensystems for isotropic distortion energies, 2019), here for
//! any function `ψ(σ)`: `U diag(e) Vᵀ` with the eigenvectors `e` of `∂²ψ/∂σ²`, and for each pair of axes a symmetric
//! and an antisymmetric matrix with `(ψᵢ ∓ ψⱼ)/(σᵢ ∓ σⱼ)`. Negative eigenvalues, as of an element that is about to buckle, are set to zero.
use ferrodyn_math::{Mat3, Real, Vec3, by_precision, ln, sqrt};

use super::stretches::{Stretches, symmetric_axes};

/// The stretch below which the logarithm is continued (see above).
pub const LEAST: Real = 0.1;

/// Two stretches this close have the slope between them computed in the middle: below it the quotient of differences loses digits, and
/// the middle errs by its square.
const CLOSE: Real = by_precision(1e-6, 1e-3);

/// Lamé constants, in Pa.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lame {
    /// Resistance to shear.
    pub mu: Real,
    /// Resistance to changes of volume, beside that of `mu`.
    pub lambda: Real,
}

impl Lame {
    /// From Young's modulus and Poisson's ratio.
    ///
    /// ```
    /// use ferrodyn_soft::material::neo_hookean::Lame;
    /// let lame = Lame::from_young(2.5e3, 0.25);
    /// assert_eq!((lame.mu, lame.lambda), (1e3, 1e3));
    /// assert_eq!(lame.to_young(), (2.5e3, 0.25));
    /// ```
    pub fn from_young(young: Real, poisson: Real) -> Lame {
        Lame {
            mu: young / (2.0 * (1.0 + poisson)),
            lambda: young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)),
        }
    }

    /// Young's modulus and Poisson's ratio.
    pub fn to_young(&self) -> (Real, Real) {
        let sum = self.lambda + self.mu;
        (self.mu * (3.0 * self.lambda + 2.0 * self.mu) / sum, self.lambda / (2.0 * sum))
    }

    /// Do the constants belong to a material that resists every deformation, and has a finite resistance to changes of volume?
    pub fn is_valid(&self) -> bool {
        self.mu > 0.0 && self.mu.is_finite() && self.lambda >= 0.0 && self.lambda.is_finite()
    }
}

/// An element at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rest {
    /// `D₀⁻¹`, the inverse of the matrix whose columns are the edges from the first vertex; of a triangle, in two axes of its
    /// plane, with a zero third row and column.
    pub inverse: Mat3,
    /// Volume, or area times thickness.
    pub volume: Real,
}

impl Rest {
    /// A triangle of a sheet; none where it has no area.
    pub fn triangle(x: [Vec3; 3], thickness: Real) -> Option<Rest> {
        let (a, b) = (x[1] - x[0], x[2] - x[0]);
        // axes of the plane: along the first edge, and across it
        let (length, area) = (a.norm(), a.cross(b).norm() / 2.0);
        let (along, across) = (a.dot(b) / length, 2.0 * area / length);
        // [length along; 0 across]⁻¹
        let inverse = Mat3([
            1.0 / length,
            -along / (length * across),
            0.0,
            0.0,
            1.0 / across,
            0.0,
            0.0,
            0.0,
            0.0,
        ]);
        Rest { inverse, volume: area * thickness }.checked()
    }

    /// A tetrahedron, in whichever order its vertices are; none where it has no volume.
    pub fn tetrahedron(x: [Vec3; 4]) -> Option<Rest> {
        let [a, b, c] = [x[1] - x[0], x[2] - x[0], x[3] - x[0]];
        let six = a.dot(b.cross(c));
        // rows of the inverse are the normals of the faces, by the determinant
        let rows = [b.cross(c), c.cross(a), a.cross(b)].map(|n| n * (1.0 / six));
        let inverse = Mat3(core::array::from_fn(|k| rows[k / 3][k % 3]));
        Rest { inverse, volume: six.abs() / 6.0 }.checked()
    }

    fn checked(self) -> Option<Rest> {
        let finite = self.inverse.0.iter().all(|x| x.is_finite());
        (finite && self.volume > 0.0 && self.volume.is_finite()).then_some(self)
    }

    /// `F = D D₀⁻¹` of a deformed element with `N` vertices: 3, or 4.
    pub fn gradient<const N: usize>(&self, x: &[Vec3; N]) -> Mat3 {
        let mut edges = [Vec3::ZERO; 3];
        for (edge, x1) in edges.iter_mut().zip(&x[1..]) {
            *edge = *x1 - x[0];
        }
        &Mat3::from_columns(edges[0], edges[1], edges[2]) * &self.inverse
    }

    /// How the energy changes with each vertex where it changes with `F` by `P`: `V₀ P D₀⁻ᵀ` by columns, and the negative sum of
    /// them for the first vertex.
    pub fn spread<const N: usize>(&self, p: &Mat3) -> [Vec3; N] {
        let columns = p * &self.inverse.transpose();
        let mut vertex = [Vec3::ZERO; N];
        for k in 1..N {
            vertex[k] = columns.column(k - 1) * self.volume;
            vertex[0] -= vertex[k];
        }
        vertex
    }
}

/// `l(σ)`, its slope and curvature: the logarithm, continued below [`LEAST`].
fn log(stretch: Real) -> [Real; 3] {
    if stretch >= LEAST {
        return [ln(stretch), 1.0 / stretch, -1.0 / (stretch * stretch)];
    }
    let x = (stretch - LEAST) / LEAST;
    [ln(LEAST) + x - 0.5 * x * x, (1.0 - x) / LEAST, -1.0 / (LEAST * LEAST)]
}

/// `(l'(a) - l'(b)) / (a - b)`.
fn slope_between(a: Real, b: Real) -> Real {
    if a >= LEAST && b >= LEAST {
        -1.0 / (a * b)
    } else if (a - b).abs() < CLOSE {
        log(0.5 * (a + b))[2]
    } else {
        (log(a)[1] - log(b)[1]) / (a - b)
    }
}

/// The material in an element of `DIM` dimensions: 2, a triangle, or 3.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solid<const DIM: usize>(pub Lame);

impl<const DIM: usize> Solid<DIM> {
    fn stretches(f: &Mat3) -> Stretches {
        Stretches::new(f, DIM)
    }

    /// Energy of a unit of volume at rest, in J/m³.
    ///
    /// ```
    /// use ferrodyn_math::Mat3;
    /// use ferrodyn_soft::material::neo_hookean::{Lame, Solid};
    /// let rubber = Solid::<3>(Lame::from_young(1e5, 0.45));
    /// assert_eq!(rubber.energy(&Mat3([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0])), 0.0);
    /// // turned inside out: finite
    /// assert!(rubber.energy(&Mat3([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, -1.0])) > 1e5);
    /// ```
    pub fn energy(&self, f: &Mat3) -> Real {
        let Lame { mu, lambda } = self.0;
        let (mut energy, mut sum) = (0.0, 0.0);
        for stretch in &Self::stretches(f).value[..DIM] {
            let [l, ..] = log(*stretch);
            energy += 0.5 * mu * (stretch * stretch - 1.0) - mu * l;
            sum += l;
        }
        energy + 0.5 * lambda * sum * sum
    }

    /// First Piola-Kirchhoff stress `P = ∂W/∂F`, in Pa.
    pub fn stress(&self, f: &Mat3) -> Mat3 {
        self.stress_of_plain(f).unwrap_or_else(|| self.stress_of_any(f))
    }

    /// The closed form, where no stretch can be below [`LEAST`]; none elsewhere.
    fn stress_of_plain(&self, f: &Mat3) -> Option<Mat3> {
        let [a, b, c] = [f.column(0), f.column(1), f.column(2)];
        // J and the cofactors J F⁻ᵀ
        let (j, cofactors) = if DIM == 2 {
            let n = a.cross(b);
            let j = n.norm();
            (j, [b.cross(n) * (1.0 / j), n.cross(a) * (1.0 / j), Vec3::ZERO])
        } else {
            let (bc, ca, ab) = (b.cross(c), c.cross(a), a.cross(b));
            (a.dot(bc), [bc, ca, ab])
        };
        // the least stretch is J by the others, whose product is at most half of ‖F‖² (their root, for a triangle)
        let square = a.dot(a) + b.dot(b) + c.dot(c);
        let others = if DIM == 2 { sqrt(square) } else { 0.5 * square };
        // a gradient that is no number is left to the other form too
        let plain = j > LEAST * others;
        if !plain {
            return None;
        }
        // μ F + (λ ln J - μ) F⁻ᵀ
        let Lame { mu, lambda } = self.0;
        let factor = (lambda * ln(j) - mu) / j;
        let column = |x: Vec3, k: usize| x * mu + cofactors[k] * factor;
        Some(Mat3::from_columns(column(a, 0), column(b, 1), column(c, 2)))
    }

    /// `U diag(ψ') Vᵀ`, for any deformation.
    fn stress_of_any(&self, f: &Mat3) -> Mat3 {
        let stretches = Self::stretches(f);
        stretches.diagonal(self.slopes(&stretches.value).0)
    }

    /// `∂ψ/∂σ`, zero where there is no third stretch, and `λ Σl - μ`.
    fn slopes(&self, value: &[Real; 3]) -> ([Real; 3], Real) {
        let Lame { mu, lambda } = self.0;
        let sum: Real = value[..DIM].iter().map(|x| log(*x)[0]).sum();
        let factor = lambda * sum - mu;
        let slope = |i: usize| mu * value[i] + factor * log(value[i])[1];
        (core::array::from_fn(|i| if i < DIM { slope(i) } else { 0.0 }), factor)
    }

    /// Call a function with every eigenvalue and eigenvector of `∂P/∂F`, without setting negative ones to zero. The vectors are matrices of norm one.
    pub fn each_mode(&self, f: &Mat3, mut call: impl FnMut(Real, &Mat3)) {
        let Lame { mu, lambda } = self.0;
        let stretches = Self::stretches(f);
        let value = &stretches.value;
        let (slopes, factor) = self.slopes(value);
        // stretching along the axes: ∂²ψ/∂σᵢ∂σⱼ = λ l'ᵢ l'ⱼ, and on the diagonal μ + (λ Σl - μ) l''
        let l: [[Real; 3]; 3] = core::array::from_fn(|i| log(value[i]));
        let mut hessian = Mat3::default();
        for (i, j) in (0..DIM * DIM).map(|k| (k / DIM, k % DIM)) {
            let own = if i == j { mu + factor * l[i][2] } else { 0.0 };
            hessian[3 * i + j] = lambda * l[i][1] * l[j][1] + own;
        }
        let axes = symmetric_axes(&hessian, DIM);
        for e in [0, 1, 2].map(|k| axes.column(k)).iter().take(DIM) {
            call(e.dot(&hessian * *e), &stretches.diagonal(e.0));
        }
        // shear and rotation in the plane of two axes
        let pairs: &[[usize; 2]] = if DIM == 3 { &[[0, 1], [0, 2], [1, 2]] } else { &[[0, 1]] };
        let half = sqrt(0.5);
        for &[i, j] in pairs {
            let (ij, ji) = (stretches.outer(i, j), stretches.outer(j, i));
            let shear = mu + factor * slope_between(value[i], value[j]);
            call(shear, &Mat3(core::array::from_fn(|k| half * (ij[k] + ji[k]))));
            let sum = value[i] + value[j];
            let turn = (slopes[i] + slopes[j]) / away_from_zero(sum);
            call(turn, &Mat3(core::array::from_fn(|k| half * (ij[k] - ji[k]))));
        }
        // a triangle turns out of its plane against its tension
        if DIM == 2 {
            for i in 0..2 {
                call(slopes[i] / away_from_zero(value[i]), &stretches.outer(2, i));
            }
        }
    }
}

/// A divisor: a number too close to zero is replaced by one of the same sign. The stress there pushes, so that what is divided is
/// negative, and so is the eigenvalue.
fn away_from_zero(x: Real) -> Real {
    if x.abs() > CLOSE { x } else { CLOSE }
}
