//! The motion of a damped spring in closed form.
use crate::{MIN_VAL, Real, cos, exp, sin, sqrt};

/// Position after time `t` of a spring and damper `ẍ = -stiffness x - damping ẋ` that begins at `pos`
/// with velocity `vel`. MuJoCo: `mju_springDamper`.
///
/// The rates `r` solve `r² + damping r + stiffness = 0`: real and different (overdamped), one (critical, up to
/// [`MIN_VAL`]), or complex (a decaying oscillation).
///
/// ```
/// use ferrodyn_math::spring_damper;
/// assert_eq!(spring_damper(1.0, 0.0, 4.0, 0.5, 0.0), 1.0);
/// assert!(spring_damper(1.0, 0.0, 4.0, 4.0, 10.0).abs() < 1e-6);
/// ```
pub fn spring_damper(pos: Real, vel: Real, stiffness: Real, damping: Real, t: Real) -> Real {
    // discriminant of the characteristic equation
    let det = damping * damping - 4.0 * stiffness;
    let mean = -damping / 2.0;
    if det > MIN_VAL {
        // two real rates
        let w = sqrt(det) / 2.0;
        let (r1, r2) = (mean + w, mean - w);
        // c₁ + c₂ = pos, r₁ c₁ + r₂ c₂ = vel
        let c1 = (pos * r2 - vel) / (r2 - r1);
        let c2 = (pos * r1 - vel) / (r1 - r2);
        return c1 * exp(r1 * t) + c2 * exp(r2 * t);
    }
    let decay = exp(-damping * t / 2.0);
    let slope = vel + damping * pos / 2.0;
    if det >= -MIN_VAL {
        // one rate twice
        decay * (pos + slope * t)
    } else {
        // an oscillation of frequency w
        let w = sqrt(det.abs()) / 2.0;
        decay * (pos * cos(w * t) + slope / w * sin(w * t))
    }
}

#[cfg(all(test, not(feature = "f32")))]
mod tests {
    use super::*;

    #[test]
    fn the_solution_fulfils_the_equation_of_motion() {
        let h = 1e-4;
        for (k, b) in [(4.0, 0.5), (4.0, 4.0), (1.0, 5.0)] {
            let x = |t| spring_damper(0.3, -1.2, k, b, t);
            for t in [0.1, 0.7, 2.0] {
                let velocity = (x(t + h) - x(t - h)) / (2.0 * h);
                let acceleration = (x(t + h) - 2.0 * x(t) + x(t - h)) / (h * h);
                assert!((acceleration + k * x(t) + b * velocity).abs() < 1e-6);
            }
            assert!(((x(h) - x(-h)) / (2.0 * h) + 1.2).abs() < 1e-6);
        }
    }
}
