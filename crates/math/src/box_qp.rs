//! Quadratic programs with bounds, by projected Newton steps.
//!
//! A coordinate at a bound that the slope presses it against is held; the others are free. In the free coordinates, the
//! minimum of the quadratic is one Newton step away: towards it, clamped into the bounds, shortened until the value
//! falls enough. The set of free coordinates settles after a few steps, and then one more step is exact. The factor is
//! computed anew only when the set has changed (Tassa, Mansard and Todorov).
use alloc::{vec, vec::Vec};

use crate::{MIN_VAL, Real, add_scaled, by_precision, dot, factor_dense, solve_dense};

/// Steps that are tried at most. These numbers are the defaults of MuJoCo's `mju_boxQPoption`.
const MAX_STEPS: usize = 100;
/// Squared length of the free gradient at which the minimum is found; single precision gets no lower.
const MIN_GRADIENT: Real = by_precision(1e-16, 1e-10);
/// Factor by which the line search shortens a step, and the length at which it gives up.
const BACKTRACK: Real = 0.5;
const MIN_STEP: Real = 1e-22;
/// Fraction of the linear improvement that a step must bring.
const ARMIJO: Real = 0.1;

/// A quadratic program: minimize `½ xᵀ H x + gᵀ x` subject to `lower ≤ x ≤ upper`.
///
/// ```
/// use ferrodyn_math::BoxQp;
/// let qp = BoxQp { hessian: &[1.0, 0.0, 0.0, 1.0], gradient: &[-3.0, 0.5], lower: None, upper: Some(&[1.0, 1.0]) };
/// let mut x = [0.0; 2];
/// let free = qp.solve(&mut x, &mut [0.0; 4]).unwrap();
/// assert_eq!((x, &free[..]), ([1.0, -0.5], &[1][..]));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct BoxQp<'a> {
    /// The positive definite matrix `H`, `n`×`n` by rows; its lower triangle counts.
    pub hessian: &'a [Real],
    /// The vector `g` of length `n`.
    pub gradient: &'a [Real],
    /// Lower bounds, if there are any.
    pub lower: Option<&'a [Real]>,
    /// Upper bounds, if there are any; larger than the lower ones.
    pub upper: Option<&'a [Real]>,
}

/// Why a quadratic program has no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BoxQpError {
    /// Arrays of different sizes, or of size zero.
    Sizes,
    /// A lower bound that is not smaller than the upper one.
    Bounds,
    /// A matrix that is not positive definite.
    NotPositive,
    /// No direction leads down.
    NoDescent,
}

impl core::fmt::Display for BoxQpError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            BoxQpError::Sizes => "sizes of the quadratic program do not fit",
            BoxQpError::Bounds => "upper bounds must be larger than lower bounds",
            BoxQpError::NotPositive => "the matrix is not positive definite",
            BoxQpError::NoDescent => "no direction of descent was found",
        })
    }
}

impl core::error::Error for BoxQpError {}

impl BoxQp<'_> {
    /// Solve the program, beginning at `x`; returns the coordinates that are not at a bound.
    ///
    /// With `f` of them, the first `f`² elements of `factor` are the Cholesky factor of the free
    /// part of `H`, by rows, in the lower triangle. It has `n`² elements. MuJoCo: `mju_boxQP`.
    pub fn solve(&self, x: &mut [Real], factor: &mut [Real]) -> Result<Vec<usize>, BoxQpError> {
        // sizes, then bounds, then whether there are any
        let n = x.len();
        let bounds_fit = |b: Option<&[Real]>| b.is_none_or(|b| b.len() == n);
        let squares =
            [self.hessian.len(), factor.len()].iter().all(|&len| Some(len) == n.checked_mul(n));
        if n == 0
            || !squares
            || self.gradient.len() != n
            || !bounds_fit(self.lower)
            || !bounds_fit(self.upper)
        {
            return Err(BoxQpError::Sizes);
        }
        if let (Some(lower), Some(upper)) = (self.lower, self.upper)
            && lower.iter().zip(upper).any(|(l, u)| l >= u)
        {
            return Err(BoxQpError::Bounds);
        }
        if self.lower.is_none() && self.upper.is_none() {
            return self.unbounded(x, factor);
        }
        self.clamp(x);
        self.descend(x, factor)
    }

    /// The minimum without bounds, `-H⁻¹ g`.
    fn unbounded(&self, x: &mut [Real], factor: &mut [Real]) -> Result<Vec<usize>, BoxQpError> {
        let n = x.len();
        factor.copy_from_slice(self.hessian);
        if factor_dense(factor, n, MIN_VAL) != n {
            return Err(BoxQpError::NotPositive);
        }
        x.copy_from_slice(self.gradient);
        solve_dense(factor, x);
        x.iter_mut().for_each(|v| *v = -*v);
        Ok((0..n).collect())
    }

    /// The nearest point within the bounds.
    fn clamp(&self, x: &mut [Real]) {
        for (i, v) in x.iter_mut().enumerate() {
            if let Some(lower) = self.lower
                && *v < lower[i]
            {
                *v = lower[i];
            }
            if let Some(upper) = self.upper
                && *v > upper[i]
            {
                *v = upper[i];
            }
        }
    }

    /// `½ xᵀ H x + gᵀ x`
    fn value(&self, x: &[Real]) -> Real {
        let n = x.len();
        // twice what is left of the diagonal, since the lower triangle counts
        let mut square = 0.0;
        for (i, v) in x.iter().enumerate() {
            let row = &self.hessian[i * n..i * n + i];
            square += v * self.hessian[i * n + i] * v;
            square += 2.0 * v * dot(row, &x[..i]);
        }
        0.5 * square + dot(x, self.gradient)
    }

    /// `res = H x + g`
    fn slope(&self, res: &mut [Real], x: &[Real]) {
        for ((r, row), g) in
            res.iter_mut().zip(self.hessian.chunks_exact(x.len())).zip(self.gradient)
        {
            *r = dot(row, x) + g;
        }
    }

    /// Is a coordinate at a bound that the slope presses it against?
    fn clamped(&self, i: usize, x: Real, slope: Real) -> bool {
        self.lower.is_some_and(|lower| x == lower[i] && slope > 0.0)
            || self.upper.is_some_and(|upper| x == upper[i] && slope < 0.0)
    }

    /// Newton steps in the coordinates that are free, projected into the bounds.
    fn descend(&self, x: &mut [Real], factor: &mut [Real]) -> Result<Vec<usize>, BoxQpError> {
        let n = x.len();
        // free coordinates of the last factor
        let mut old = Vec::new();
        let mut free: Vec<usize> = (0..n).collect();
        let (mut grad, mut search) = (vec![0.0; n], vec![0.0; n]);
        let (mut held, mut candidate) = (vec![0.0; n], vec![0.0; n]);
        for iteration in 0..MAX_STEPS {
            // slope, and what it holds at the bounds
            let value = self.value(x);
            self.slope(&mut grad, x);
            free.clear();
            free.extend((0..n).filter(|&i| !self.clamped(i, x[i], grad[i])));
            if free.is_empty() {
                return Ok(free);
            }

            // the minimum over the free coordinates, the others held
            // H_ff y = -(g_f + H_fc x_c): the free part of the slope at x without the free coordinates
            held.copy_from_slice(x);
            free.iter().for_each(|&i| held[i] = 0.0);
            self.slope(&mut search, &held);
            // factor of the free part, if it is another one
            let nfree = free.len();
            if iteration == 0 || free != old {
                for (i, &row) in free.iter().enumerate() {
                    for (j, &col) in free[..=i].iter().enumerate() {
                        factor[i * nfree + j] = self.hessian[row * n + col];
                    }
                }
                if factor_dense(&mut factor[..nfree * nfree], nfree, MIN_VAL) != nfree {
                    return Err(BoxQpError::NotPositive);
                }
                old.clone_from(&free);
            }
            let target = &mut held[..nfree];
            for (t, &i) in target.iter_mut().zip(&free) {
                *t = search[i];
            }
            solve_dense(&factor[..nfree * nfree], target);
            search.fill(0.0);
            for (t, &i) in target.iter().zip(&free) {
                // from here to there
                search[i] = -t - x[i];
            }

            // the slope of the free coordinates vanishes: done
            if free.iter().map(|&i| grad[i] * grad[i]).sum::<Real>() < MIN_GRADIENT {
                return Ok(free);
            }
            // slope along the step
            let descent = dot(&search, &grad);
            // a slope that is not a number is no descent either
            if descent.partial_cmp(&0.0) != Some(core::cmp::Ordering::Less) {
                return Err(BoxQpError::NoDescent);
            }
            let found = self.line_search(x, &search, value, descent, &mut candidate);
            x.copy_from_slice(&candidate);
            if !found {
                return Ok(free);
            }
        }
        Ok(free)
    }

    /// Shorten the step until it brings enough; false where it becomes too short.
    fn line_search(
        &self,
        x: &[Real],
        search: &[Real],
        value: Real,
        descent: Real,
        candidate: &mut [Real],
    ) -> bool {
        // Armijo: the value falls by a tenth at least of what the slope promises
        let mut step = 1.0;
        loop {
            // the projected point, whatever of the step is left of it
            candidate.copy_from_slice(x);
            add_scaled(candidate, search, step);
            self.clamp(candidate);
            let new = self.value(candidate);
            step *= BACKTRACK;
            if step < MIN_STEP {
                return false;
            }
            let poor = (new - value) / (step * descent) < ARMIJO;
            if !poor {
                return true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const H: [Real; 9] = [4.0, 1.0, 0.5, 1.0, 3.0, 0.2, 0.5, 0.2, 2.0];

    #[test]
    fn the_solution_fulfils_the_optimality_conditions() {
        let (lower, upper) = ([-1.0, -0.2, -5.0], [1.0, 0.3, 0.1]);
        for gradient in [[1.0, 2.0, 3.0], [-9.0, 0.1, -3.0], [9.0, 9.0, 9.0], [0.1, 0.1, 0.1]] {
            let qp = BoxQp {
                hessian: &H,
                gradient: &gradient,
                lower: Some(&lower),
                upper: Some(&upper),
            };
            let mut x = [0.5; 3];
            let free = qp.solve(&mut x, &mut [0.0; 9]).unwrap();
            for i in 0..3 {
                let slope = gradient[i] + dot(&H[3 * i..3 * i + 3], &x);
                if free.contains(&i) {
                    assert!(slope.abs() < by_precision(1e-8, 2e-5));
                } else {
                    assert!((x[i] == lower[i] && slope > 0.0) || (x[i] == upper[i] && slope < 0.0));
                }
            }
        }
    }

    #[test]
    fn what_is_no_program_is_an_error() {
        let solve = |hessian: &[Real], lower: Option<&[Real]>, upper: Option<&[Real]>| {
            BoxQp { hessian, gradient: &[1.0], lower, upper }.solve(&mut [0.0], &mut [0.0])
        };
        assert_eq!(solve(&[1.0, 2.0], None, None), Err(BoxQpError::Sizes));
        assert_eq!(solve(&[1.0], Some(&[1.0]), Some(&[1.0])), Err(BoxQpError::Bounds));
        assert_eq!(solve(&[-1.0], None, None), Err(BoxQpError::NotPositive));
        assert_eq!(solve(&[-1.0], Some(&[-1.0]), None), Err(BoxQpError::NotPositive));
        assert_eq!(solve(&[Real::NAN], Some(&[-1.0]), None), Err(BoxQpError::NoDescent));
    }
}
