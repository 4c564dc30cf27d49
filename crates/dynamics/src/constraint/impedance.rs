//! How stiffly rows are imposed: impedance, stiffness, damping, regularization.
use core::ops::Range;

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
    // weights of flexes can belong to other rows than theirs
    let before = m.flex_count() > 0;
    if before {
        estimate_diagonal(m, d);
    }
    let mut row = 0;
    while row < count {
        let constraint = Constraint::of_row(&d.work, row);
        let rows = row..row + constraint.size(m, d.work.contact);
        row = rows.end;
        if !before {
            estimate_rows(m, d, constraint, rows.clone());
        }
        let imp = set_impedance(m, d, constraint, rows.clone());
        regularize(m, d, constraint, rows, imp);
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
        estimate_rows(m, d, constraint, row..(row + size).min(count));
        row += size;
    }
}

/// The estimate for the rows of one constraint.
fn estimate_rows(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    constraint: Constraint,
    rows: Range<usize>,
) {
    // at most ten rows: the edges of a pyramid
    let mut diagonal = [0.0; 10];
    let diagonal = &mut diagonal[..rows.len()];
    constraint.diagonal(m, d, diagonal);
    d.work.efc_diagApprox[rows].copy_from_slice(diagonal);
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

/// Stiffness, damping and impedance of the rows of one constraint; the impedance. MuJoCo: in `mj_makeImpedance`, with `getposdim`.
fn set_impedance(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    constraint: Constraint,
    rows: Range<usize>,
) -> Real {
    let prm = parameters(m, d, constraint);
    let w = &mut d.work;
    // what is tied in several directions is off by the length of them all
    let pos = match constraint.kind {
        ConstraintType::Equality if rows.len() > 1 => norm(&w.efc_pos[rows.clone()]),
        _ => w.efc_pos[rows.start],
    };
    let (imp, imp_slope) = impedance(&prm.solimp, pos - w.efc_margin[rows.start]);
    let dmax = prm.solimp[1];
    let of_row = |[r0, r1]: [Real; 2], friction: bool| {
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
        [stiffness, damping, imp, imp_slope]
    };
    // rows of a constraint are alike, but for the tangents of an elliptic cone
    let kbip = &mut w.efc_KBIP[rows];
    kbip.fill(of_row(prm.solref, constraint.is_dry_friction()));
    if constraint.kind == ConstraintType::ContactElliptic {
        let own = prm.solref_friction != [0.0; 2];
        kbip[1..].fill(of_row(if own { prm.solref_friction } else { prm.solref }, true));
    }
    imp
}

/// Regularizer `R = (1 - i) / i · diagonal` of the rows of one constraint, and `D = 1 / R`; the estimate of the diagonal follows where
/// friction changes `R`, so that the equation holds for every row. MuJoCo: in `mj_makeImpedance`.
///
/// Friction is `impratio` times stiffer than the normal: `R₁ = R₀ / impratio`.
///
/// `μ = μ₁ √(R₁ / R₀)` is the friction of the cone in the coordinates that make it round (`zone.rs`). Elliptic: the other
/// tangents get `Rⱼ = R₁ μ₁² / μⱼ²`, so that `Rⱼ μⱼ²` is one number, which is `R₀ μ²`.
///
/// Pyramidal: a pair of edges `n ± μⱼ tⱼ` with the forces `f₊`, `f₋` makes the tangential force `T = μⱼ (f₊ - f₋)`, and its
/// regularizer `½ R (f₊² + f₋²)` has the part `½ T² R / (2 μⱼ²)`. With `R = 2 μ² R₀ = 2 Rⱼ μⱼ²` for all edges this is `½ Rⱼ T²`,
/// the same as for the elliptic cone in every tangent; the normal direction does not match.
fn regularize(
    m: &Model<impl Storage>,
    d: &mut World<'_>,
    constraint: Constraint,
    rows: Range<usize>,
    imp: Real,
) {
    let Constraint { kind, id } = constraint;
    let w = &mut d.work;
    let r = &mut w.efc_R[rows.clone()];
    let (inverse, diagonal) = (&mut w.efc_D[rows.clone()], &mut w.efc_diagApprox[rows]);
    let regularizer = |diagonal: Real| at_least((1.0 - imp) * diagonal / imp, MIN_VAL);
    let estimate = |r: Real| r * imp / (1.0 - imp);
    if matches!(kind, ConstraintType::ContactPyramidal | ConstraintType::ContactElliptic) {
        let contact = &mut w.contact[id];
        let friction = &contact.friction;
        let normal = regularizer(diagonal[0]);
        let tangent = normal / at_least(m.opt.impratio, MIN_VAL);
        contact.mu = friction[0] * sqrt(tangent / normal);
        if kind == ConstraintType::ContactPyramidal {
            // all edges are alike
            let edge = 2.0 * contact.mu * contact.mu * normal;
            r.fill(edge);
            inverse.fill(1.0 / edge);
            diagonal.fill(estimate(edge));
            return;
        }
        // R_j μ_j² is the same in all directions
        (r[0], r[1]) = (normal, tangent);
        for j in 1..r.len() - 1 {
            r[j + 1] = tangent * friction[0] * friction[0] / (friction[j] * friction[j]);
        }
    } else {
        for (r, diagonal) in r.iter_mut().zip(&*diagonal) {
            *r = regularizer(*diagonal);
        }
    }
    for (r, (inverse, diagonal)) in r.iter().zip(inverse.iter_mut().zip(diagonal)) {
        *inverse = 1.0 / r;
        *diagonal = estimate(*r);
    }
}
