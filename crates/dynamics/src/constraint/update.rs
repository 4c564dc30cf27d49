//! Forces and states of rows for a given acceleration.
//!
//! Every row has a convex cost `s(jar)` of `jar = J q̈ - aref`, and its force is `-∂s/∂jar`. In the zone in which a row acts, the cost is quadratic, `½ D jar²`. Equality is
//! always there. Friction is quadratic near zero and linear beyond, where its force stays at the loss. Limits and pyramid edges cost nothing while `jar ≥ 0`. An elliptic
//! contact has three zones: inside of the dual cone it costs nothing, inside of the polar one it is quadratic in all directions, and between them it is the square of the
//! distance to the cone.
use ferrodyn_math::{Real, norm};
use ferrodyn_model::{ConstraintState, ConstraintType, Contact};

/// The rows of a world or of an island.
pub(crate) struct Rows<'a> {
    /// Number of equality rows, which come first.
    pub(crate) ne: usize,
    /// Number of friction rows, which come next.
    pub(crate) nf: usize,
    pub(crate) d: &'a [Real],
    pub(crate) r: &'a [Real],
    pub(crate) frictionloss: &'a [Real],
    pub(crate) kind: &'a [i32],
    pub(crate) id: &'a [i32],
}

/// Compute the force and the state of every row from `jar = J q̈ - aref`; the cost of all rows.
///
/// With `hessians`, contacts on the boundary of their elliptic cone get the Hessian of their cost.
pub(crate) fn update_constraint(
    rows: &Rows<'_>,
    jar: &[Real],
    contacts: &mut [Contact],
    state: &mut [i32],
    force: &mut [Real],
    hessians: bool,
) -> Real {
    const SATISFIED: i32 = ConstraintState::Satisfied as i32;
    const QUADRATIC: i32 = ConstraintState::Quadratic as i32;
    let Rows { ne, nf, d, r, frictionloss, kind, id } = *rows;
    let count = jar.len();
    let mut cost = 0.0;
    let mut i = 0;
    while i < count {
        force[i] = -d[i] * jar[i];
        let quadratic = 0.5 * d[i] * jar[i] * jar[i];
        // equality
        if i < ne {
            cost += quadratic;
            state[i] = QUADRATIC;
        } else if i < ne + nf {
            // dry friction: at most the loss, against the motion
            let loss = frictionloss[i];
            if jar[i] <= -r[i] * loss {
                cost += -0.5 * r[i] * loss * loss - loss * jar[i];
                force[i] = loss;
                state[i] = ConstraintState::LinearNeg as i32;
            } else if jar[i] >= r[i] * loss {
                cost += -0.5 * r[i] * loss * loss + loss * jar[i];
                force[i] = -loss;
                state[i] = ConstraintState::LinearPos as i32;
            } else {
                cost += quadratic;
                state[i] = QUADRATIC;
            }
        } else if kind[i] != ConstraintType::ContactElliptic as i32 {
            // limits, frictionless contacts and edges of pyramids only push
            if jar[i] >= 0.0 {
                force[i] = 0.0;
                state[i] = SATISFIED;
            } else {
                cost += quadratic;
                state[i] = QUADRATIC;
            }
        } else {
            let contact = &mut contacts[id[i] as usize];
            let dim = contact.dim as usize;
            let range = i..i + dim;
            let zone = elliptic(
                &d[range.clone()],
                &jar[range.clone()],
                contact,
                &mut force[range.clone()],
                &mut cost,
                hessians,
            );
            state[range].fill(zone as i32);
            i += dim;
            continue;
        }
        i += 1;
    }
    cost
}

/// A contact with an elliptic cone: its zone; its cost is added.
fn elliptic(
    d: &[Real],
    jar: &[Real],
    contact: &mut Contact,
    force: &mut [Real],
    cost: &mut Real,
    hessian: bool,
) -> ConstraintState {
    let dim = jar.len();
    let mu = contact.mu;
    let scale: [Real; 6] =
        core::array::from_fn(|j| if j == 0 { mu } else { contact.friction[j - 1] });
    // the regular dual cone: normal N, tangent of length T
    let mut u = [0.0; 6];
    for j in 0..dim {
        u[j] = jar[j] * scale[j];
    }
    let normal = u[0];
    let tangent = norm(&u[1..dim]);
    // in the cone: the contact opens
    if normal >= mu * tangent || (tangent <= 0.0 && normal >= 0.0) {
        force.fill(0.0);
        return ConstraintState::Satisfied;
    }
    // below the polar cone: it sticks
    if mu * normal + tangent <= 0.0 || (tangent <= 0.0 && normal < 0.0) {
        for j in 0..dim {
            force[j] = -d[j] * jar[j];
            *cost += 0.5 * d[j] * jar[j] * jar[j];
        }
        return ConstraintState::Quadratic;
    }
    // it slides: ½ D₀ / (μ² (1 + μ²)) (N - μ T)²
    let dm = d[0] / (mu * mu * (1.0 + mu * mu));
    let gap = normal - mu * tangent;
    *cost += 0.5 * dm * gap * gap;
    force[0] = -dm * gap * mu;
    for j in 1..dim {
        force[j] = -force[0] / tangent * u[j] * scale[j];
    }
    if hessian {
        cone_hessian(&mut contact.h, dim, mu, normal, tangent, &u, &scale, dm);
    }
    ConstraintState::Cone
}

/// Hessian of the cost of a contact on the boundary of its cone, by the contact's own directions.
fn cone_hessian(
    h: &mut [Real; 36],
    dim: usize,
    mu: Real,
    normal: Real,
    tangent: Real,
    u: &[Real; 6],
    scale: &[Real; 6],
    dm: Real,
) {
    let cross = -mu / tangent;
    let outer = mu * normal / (tangent * tangent * tangent);
    let diagonal = mu * mu - mu * normal / tangent;
    for k in 0..dim {
        for j in k..dim {
            let mut x =
                if k == 0 { if j == 0 { 1.0 } else { cross * u[j] } } else { outer * u[j] * u[k] };
            if k == j && k > 0 {
                x += diagonal;
            }
            x *= dm * scale[k] * scale[j];
            h[k * dim + j] = x;
            h[j * dim + k] = x;
        }
    }
}
