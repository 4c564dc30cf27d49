//! How stiffly rows are imposed: impedance, stiffness, damping, regularization.
use ferrodyn_math::{MIN_VAL, Real, norm, pow, sqrt};
use ferrodyn_model::defaults::SOLREF;
use ferrodyn_model::{ConstraintType, DisableBit, Model, Storage};

use super::kind::{Constraint, Parameters, Tie};

use crate::World;

/// Bounds of impedances, MuJoCo's `mjMINIMP` and `mjMAXIMP`: at zero a row would do nothing, and at one its regularizer would
/// be zero and the problem singular.
const MIN_IMP: Real = 0.0001;
const MAX_IMP: Real = 0.9999;
/// What replaces reference parameters of mixed sign, which are neither (time constant, damping ratio) nor
/// (-stiffness, -damping): MuJoCo's defaults.
const DEFAULT_REF: [Real; 2] = [SOLREF[0] as Real, SOLREF[1] as Real];

fn at_least(x: Real, low: Real) -> Real {
    if x > low { x } else { low }
}

/// Fill `efc_KBIP`, `efc_R`, `efc_D`, `efc_diagApprox` and the friction of regularized cones. MuJoCo: `mj_makeImpedance`.
pub(super) fn make_impedance(m: &Model<impl Storage>, d: &mut World<'_>) {
    let count = d.nefc();
    estimate_diagonal(m, d);
    let mut row = 0;
    while row < count {
        let constraint = Constraint::of_row(&d.work, row);
        let size = constraint.size(m, d.work.contact);
        set_impedance(m, d, constraint, row, size);
        adjust_friction(m, d, constraint, row, size);
        row += size;
    }
    let w = &mut d.work;
    for i in 0..count {
        let imp = w.efc_KBIP[i][2];
        w.efc_D[i] = 1.0 / w.efc_R[i];
        // friction has changed R; the estimate follows, so that R = (1 - imp) / imp · diagApprox holds for every row
        w.efc_diagApprox[i] = w.efc_R[i] * imp / (1.0 - imp);
    }
}

/// Estimate the diagonal of `J M⁻¹ Jᵀ`. MuJoCo: `mj_diagApprox`.
///
/// The rows of a flex have weights of their own, one after the other. Those whose Jacobian is zero have a weight but no row: as in MuJoCo, all
/// that follow are then one row late, those of the next constraints too.
fn estimate_diagonal(m: &Model<impl Storage>, d: &mut World<'_>) {
    let count = d.nefc();
    let mut row = 0;
    while row < count {
        let constraint = Constraint::of_row(&d.work, row);
        if let Some(tie @ (Tie::Edges(_) | Tie::Strains(_))) = constraint.tie(m) {
            for weight in tie.flex_weights(m) {
                if let Some(place) = d.work.efc_diagApprox[..count].get_mut(row) {
                    *place = weight;
                }
                row += 1;
            }
            continue;
        }
        let size = constraint.size(m, d.work.contact);
        // at most ten rows: the edges of a pyramid
        let mut diagonal = [0.0; 10];
        constraint.diagonal(m, d, &mut diagonal[..size]);
        for (place, x) in d.work.efc_diagApprox[row..count].iter_mut().zip(&diagonal[..size]) {
            *place = *x;
        }
        row += size;
    }
}

/// Reference and impedance parameters of a constraint, within their bounds. MuJoCo: `getsolparam`.
fn parameters(m: &Model<impl Storage>, d: &World<'_>, constraint: Constraint) -> Parameters {
    let Parameters { mut solref, mut solref_friction, mut solimp } =
        constraint.parameters(m, d.work.contact);
    // a time constant is at least two time steps (`refsafe`): a faster spring is unstable with explicit steps
    let safe = !m.opt.disabled(DisableBit::RefSafe);
    let check = |reference: &mut [Real; 2], default: [Real; 2]| {
        if (reference[0] > 0.0) != (reference[1] > 0.0) {
            *reference = default;
        }
        if safe && reference[0] > 0.0 {
            reference[0] = at_least(reference[0], 2.0 * m.opt.timestep);
        }
    };
    check(&mut solref, DEFAULT_REF);
    check(&mut solref_friction, [0.0; 2]);
    for i in [0, 1, 3] {
        solimp[i] = solimp[i].clamp(MIN_IMP, MAX_IMP);
    }
    solimp[2] = at_least(solimp[2], 0.0);
    solimp[4] = at_least(solimp[4], 1.0);
    Parameters { solref, solref_friction, solimp }
}

/// `aᵇ`, quickly for the usual exponents.
fn power(a: Real, b: Real) -> Real {
    if b == 1.0 {
        a
    } else if b == 2.0 {
        a * a
    } else {
        pow(a, b)
    }
}

/// Impedance and its derivative at a distance from the margin, `i = d₀ + y(x) (d₁ - d₀)` with `x = |dist| / width`: `y`
/// rises from 0 to 1 as `a xᵖ` up to the midpoint and as `1 - b (1 - x)ᵖ` beyond, with `a` and `b` such that both pass
/// through (midpoint, midpoint), where they have the same slope. MuJoCo: `getimpedance`.
fn impedance(solimp: &[Real; 5], dist: Real) -> (Real, Real) {
    let [d0, d1, width, midpoint, exponent] = *solimp;
    if d0 == d1 || width <= MIN_VAL {
        return (0.5 * (d0 + d1), 0.0);
    }
    let x = dist / width;
    let (x, sign) = if x < 0.0 { (-x, -1.0) } else { (x, 1.0) };
    if x >= 1.0 || x <= 0.0 {
        return (if x >= 1.0 { d1 } else { d0 }, 0.0);
    }
    let (y, slope) = if exponent == 1.0 {
        (x, 1.0)
    } else if x <= midpoint {
        // y = a xᵖ
        let a = 1.0 / power(midpoint, exponent - 1.0);
        (a * power(x, exponent), exponent * a * power(x, exponent - 1.0))
    } else {
        // y = 1 - b (1 - x)ᵖ
        let b = 1.0 / power(1.0 - midpoint, exponent - 1.0);
        (1.0 - b * power(1.0 - x, exponent), exponent * b * power(1.0 - x, exponent - 1.0))
    };
    (d0 + y * (d1 - d0), slope * sign * (d1 - d0) / width)
}

/// Stiffness, damping, impedance and regularization of the rows of one constraint. MuJoCo: in `mj_makeImpedance`, with
/// `getposdim`.
fn set_impedance(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    constraint: Constraint,
    row: usize,
    size: usize,
) {
    let prm = parameters(m, d, constraint);
    // what is tied in several directions is off by the length of them all
    let pos = match constraint.kind {
        ConstraintType::Equality if size > 1 => norm(&d.work.efc_pos[row..row + size]),
        _ => d.work.efc_pos[row],
    };
    let (imp, imp_slope) = impedance(&prm.solimp, pos - d.work.efc_margin[row]);
    let w = &mut d.work;
    let dmax = prm.solimp[1];
    for j in 0..size {
        let i = row + j;
        // R = (1 - i) / i · diagonal
        w.efc_R[i] = at_least((1.0 - imp) * w.efc_diagApprox[i] / imp, MIN_VAL);
        let tangent = constraint.kind == ConstraintType::ContactElliptic && j > 0;
        let [r0, r1] = if tangent && prm.solref_friction != [0.0; 2] {
            prm.solref_friction
        } else {
            prm.solref
        };
        let friction = tangent || constraint.is_dry_friction();
        // a spring-damper with time constant t and damping ratio ζ: k = 1 / (dmax² t² ζ²), b = 2 / (dmax t); parameters that are
        // not positive give them directly: k = -r₀ / dmax², b = -r₁ / dmax; friction has no spring
        let stiffness = if friction {
            0.0
        } else if r0 > 0.0 {
            1.0 / at_least(dmax * dmax * r0 * r0 * r1 * r1, MIN_VAL)
        } else {
            -r0 / at_least(dmax * dmax, MIN_VAL)
        };
        let damping = if r1 > 0.0 {
            2.0 / at_least(dmax * r0, MIN_VAL)
        } else {
            -r1 / at_least(dmax, MIN_VAL)
        };
        w.efc_KBIP[i] = [stiffness, damping, imp, imp_slope];
    }
}

/// Regularization of friction, `impratio` times stiffer than the normal: `R₁ = R₀ / impratio`.
///
/// `μ = μ₁ √(R₁ / R₀)` is the friction of the cone in the coordinates that make it round (`zone.rs`). Elliptic: the other
/// tangents get `Rⱼ = R₁ μ₁² / μⱼ²`, so that `Rⱼ μⱼ²` is one number, which is `R₀ μ²`.
///
/// Pyramidal: a pair of edges `n ± μⱼ tⱼ` with the forces `f₊`, `f₋` makes the tangential force `T = μⱼ (f₊ - f₋)`, and its
/// regularizer `½ R (f₊² + f₋²)` has the part `½ T² R / (2 μⱼ²)`. With `R = 2 μ² R₀ = 2 Rⱼ μⱼ²` for all edges this is `½ Rⱼ T²`,
/// the same as for the elliptic cone in every tangent; the normal direction does not match. MuJoCo: `mj_makeImpedance`.
fn adjust_friction(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    constraint: Constraint,
    row: usize,
    size: usize,
) {
    let Constraint { kind, id } = constraint;
    if !matches!(kind, ConstraintType::ContactPyramidal | ConstraintType::ContactElliptic) {
        return;
    }
    let w = &mut d.work;
    let contact = &mut w.contact[id];
    let friction = &contact.friction;
    let r = &mut w.efc_R[row..row + size];
    r[1] = r[0] / at_least(m.opt.impratio, MIN_VAL);
    contact.mu = friction[0] * sqrt(r[1] / r[0]);
    if kind == ConstraintType::ContactElliptic {
        // R_j μ_j² is the same in all directions
        for j in 1..size - 1 {
            r[j + 1] = r[1] * friction[0] * friction[0] / (friction[j] * friction[j]);
        }
    } else {
        r.fill(2.0 * contact.mu * contact.mu * r[0]);
    }
}
