//! Muscles: force-length-velocity curves and activation dynamics.
//!
//! Parameters of gain and bias are range (2), peak force, scale, lmin, lmax, vmax, fpmax, fvmax; those of the dynamics the time
//! constants of activation and deactivation, and the width over which they are blended.
//!
//! The force is `-F₀ (FL(l) FV(v) act + FP(l))`, of the length `l` in units of the optimum length `L₀` and the velocity
//! `v` in units of `L₀ vmax`. `L₀` is such that the range of the actuator's length is `range` of it:
//! `L₀ = (length₁ - length₀) / (range₁ - range₀)`, `l = range₀ + (length - length₀) / L₀`. Where no peak force is
//! given, `F₀ = scale / acc0`.
use ferrodyn_math::{MIN_VAL, Real};

/// `x`, but at least [`MIN_VAL`].
fn positive(x: Real) -> Real {
    if x > MIN_VAL { x } else { MIN_VAL }
}

/// A muscle's geometry, in units of its optimum length.
struct Normalized {
    /// Peak active force.
    force: Real,
    length: Real,
    /// Optimum length.
    optimum: Real,
}

fn normalized(len: Real, range: &[Real; 2], acc0: Real, prm: &[Real; 10]) -> Normalized {
    let force = if prm[2] < 0.0 { prm[3] / positive(acc0) } else { prm[2] };
    let optimum = (range[1] - range[0]) / positive(prm[1] - prm[0]);
    let length = prm[0] + (len - range[0]) / positive(optimum);
    Normalized { force, length, optimum }
}

/// Active force over length, with its maximum of 1 at length 1: four quadratic pieces that vanish
/// at `lmin` and `lmax`. MuJoCo: `mju_muscleGainLength`.
///
/// ```
/// use ferrodyn_dynamics::force::muscle_gain_length;
/// assert_eq!(muscle_gain_length(1.0, 0.5, 1.6), 1.0);
/// assert_eq!(muscle_gain_length(0.4, 0.5, 1.6), 0.0);
/// ```
pub fn muscle_gain_length(length: Real, lmin: Real, lmax: Real) -> Real {
    if !(lmin..=lmax).contains(&length) {
        return 0.0;
    }
    let a = 0.5 * (lmin + 1.0);
    let b = 0.5 * (1.0 + lmax);
    if length <= a {
        let x = (length - lmin) / positive(a - lmin);
        0.5 * x * x
    } else if length <= 1.0 {
        let x = (1.0 - length) / positive(1.0 - a);
        1.0 - 0.5 * x * x
    } else if length <= b {
        let x = (length - 1.0) / positive(b - 1.0);
        1.0 - 0.5 * x * x
    } else {
        let x = (lmax - length) / positive(lmax - b);
        0.5 * x * x
    }
}

/// Force per unit of activation, `-F₀ FL(l) FV(v)`. `FV(v)` is zero below -1, `(v + 1)²` up to 0, `fvmax - (y - v)² / y` up to
/// `y = fvmax - 1`, and `fvmax` beyond. MuJoCo: `mju_muscleGain`.
pub fn muscle_gain(len: Real, vel: Real, range: &[Real; 2], acc0: Real, prm: &[Real; 10]) -> Real {
    let n = normalized(len, range, acc0, prm);
    let v = vel / positive(n.optimum * prm[6]);
    let fvmax = prm[8];
    let y = fvmax - 1.0;
    let by_velocity = if v <= -1.0 {
        0.0
    } else if v <= 0.0 {
        (v + 1.0) * (v + 1.0)
    } else if v <= y {
        fvmax - (y - v) * (y - v) / positive(y)
    } else {
        fvmax
    };
    -n.force * muscle_gain_length(n.length, prm[4], prm[5]) * by_velocity
}

/// Derivative of [`muscle_gain`] by velocity.
pub(crate) fn muscle_gain_vel(
    len: Real,
    vel: Real,
    range: &[Real; 2],
    acc0: Real,
    prm: &[Real; 10],
) -> Real {
    let n = normalized(len, range, acc0, prm);
    let scale = positive(n.optimum * prm[6]);
    let v = vel / scale;
    let y = prm[8] - 1.0;
    let slope = if v <= -1.0 {
        0.0
    } else if v <= 0.0 {
        2.0 * v + 2.0
    } else if v <= y {
        (-2.0 * v + 2.0 * y) / positive(y)
    } else {
        0.0
    };
    -n.force * muscle_gain_length(n.length, prm[4], prm[5]) * slope / scale
}

/// Passive force, `-F₀ FP(l)`: half-quadratic from `l = 1` to `b`, the middle between 1 and `lmax`, where it is `½ fpmax`; linear
/// beyond. MuJoCo: `mju_muscleBias`.
pub fn muscle_bias(len: Real, range: &[Real; 2], acc0: Real, prm: &[Real; 10]) -> Real {
    let n = normalized(len, range, acc0, prm);
    let fpmax = prm[7];
    let b = 0.5 * (1.0 + prm[5]);
    if n.length <= 1.0 {
        0.0
    } else if n.length <= b {
        let x = (n.length - 1.0) / positive(b - 1.0);
        -n.force * fpmax * 0.5 * x * x
    } else {
        let x = (n.length - b) / positive(b - 1.0);
        -n.force * fpmax * (0.5 + x)
    }
}

/// A polynomial of degree five that rises from 0 to 1 with two vanishing derivatives at both ends.
fn sigmoid(x: Real) -> Real {
    if x <= 0.0 {
        0.0
    } else if x >= 1.0 {
        1.0
    } else {
        x * x * x * (3.0 * x * (2.0 * x - 5.0) + 10.0)
    }
}

/// Rate of activation for a control (Millard et al. 2013): `(ctrl - act) / τ`, with `τ = τ_act (½ + 3/2 act)` while
/// activation rises and `τ_deact / (½ + 3/2 act)` while it falls. MuJoCo: `mju_muscleDynamics`.
pub fn muscle_dynamics(ctrl: Real, act: Real, prm: &[Real; 10]) -> Real {
    let ctrl = ctrl.clamp(0.0, 1.0);
    let level = act.clamp(0.0, 1.0);
    let rise = prm[0] * (0.5 + 1.5 * level);
    let fall = prm[1] / (0.5 + 1.5 * level);
    let excess = ctrl - act;
    let width = prm[2];
    let tau = if width < MIN_VAL {
        if excess > 0.0 { rise } else { fall }
    } else {
        fall + (rise - fall) * sigmoid(excess / width + 0.5)
    };
    excess / positive(tau)
}
