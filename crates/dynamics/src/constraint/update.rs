//! Forces and states of rows for a given acceleration.
//!
//! Costs and zones are those of [`zone`](super::zone), with `x` named `jar` as in MuJoCo: "`J a - r`".
use ferrodyn_math::{Real, norm};
use ferrodyn_model::{ConstraintState, Contact};

use super::zone::{cone_stiffness, cone_zone, elliptic_contact, friction_zone, push_zone};

/// The rows of a world or of an island.
///
/// Solvers tell kinds apart by place: `0..ne` are equalities, `ne..ne + nf` dry friction, and the rest pushes, elliptic contacts
/// in blocks. A new kind has to take its place in this order (`add_all_rows` in `constraint/mod.rs`, `add_rows` in `rows.rs`);
/// one that is none of these also needs its branch in the loops over rows: [`update_constraint`], `prepare` and `at` of
/// `solver/linesearch.rs`, `update_states` of `solver/dual.rs`, `sweep` of `solver/pgs.rs` and of `solver/noslip.rs`.
pub(crate) struct Rows<'a> {
    /// Number of equality rows, which come first.
    pub(crate) ne: usize,
    /// Number of friction rows, which come next.
    pub(crate) nf: usize,
    /// Those of [`rows_alone`].
    pub(crate) alone: usize,
    pub(crate) d: &'a [Real],
    pub(crate) r: &'a [Real],
    pub(crate) frictionloss: &'a [Real],
    pub(crate) kind: &'a [i32],
    pub(crate) id: &'a [i32],
}

/// How many rows come before the first contact with an elliptic cone: each of them stands alone.
pub(crate) fn rows_alone(kind: &[i32]) -> usize {
    let elliptic = |kind: &i32| elliptic_contact(*kind, 0).is_some();
    kind.iter().position(elliptic).unwrap_or(kind.len())
}

/// Compute the force and the state of every row from `jar = J q̈ - aref`; the cost of all rows.
/// MuJoCo: `mj_constraintUpdate_impl`.
///
/// With `hessians`, contacts that slide on their elliptic cone get the Hessian of their cost.
pub(crate) fn update_constraint(
    rows: &Rows<'_>,
    jar: &[Real],
    contacts: &mut [Contact],
    state: &mut [i32],
    force: &mut [Real],
    hessians: bool,
) -> Real {
    let Rows { ne, nf, alone, d, r, frictionloss, kind, id } = *rows;
    let count = jar.len();
    let mut cost = 0.0;
    // equality: a parabola everywhere
    let equalities = force[..ne].iter_mut().zip(d.iter().zip(jar));
    for (force, (d, x)) in equalities {
        *force = -d * x;
        cost += 0.5 * d * x * x;
    }
    state[..ne].fill(ConstraintState::Quadratic as i32);
    // dry friction: at most the loss, against the motion
    for i in ne..ne + nf {
        let loss = frictionloss[i];
        let zone = friction_zone(jar[i], r[i] * loss);
        match zone {
            ConstraintState::LinearNeg => {
                cost += -0.5 * r[i] * loss * loss - loss * jar[i];
                force[i] = loss;
            }
            ConstraintState::LinearPos => {
                cost += -0.5 * r[i] * loss * loss + loss * jar[i];
                force[i] = -loss;
            }
            _ => {
                cost += 0.5 * d[i] * jar[i] * jar[i];
                force[i] = -d[i] * jar[i];
            }
        }
        state[i] = zone as i32;
    }
    // limits, frictionless contacts and edges of pyramids only push
    let push = |d: Real, x: Real, force: &mut Real, state: &mut i32, cost: &mut Real| {
        let zone = push_zone(x);
        *force = 0.0;
        if zone == ConstraintState::Quadratic {
            *cost += 0.5 * d * x * x;
            *force = -d * x;
        }
        *state = zone as i32;
    };
    let single = ne + nf..alone.max(ne + nf);
    let results = force[single.clone()].iter_mut().zip(&mut state[single.clone()]);
    for ((force, state), (d, x)) in results.zip(d[single.clone()].iter().zip(&jar[single.clone()]))
    {
        push(*d, *x, force, state, &mut cost);
    }
    let mut i = single.end;
    while i < count {
        let Some(contact) = elliptic_contact(kind[i], id[i]) else {
            push(d[i], jar[i], &mut force[i], &mut state[i], &mut cost);
            i += 1;
            continue;
        };
        let contact = &mut contacts[contact];
        let range = i..i + contact.dim as usize;
        i = range.end;
        let zone = elliptic(
            &d[range.clone()],
            &jar[range.clone()],
            contact,
            &mut force[range.clone()],
            &mut cost,
            hessians,
        );
        state[range].fill(zone as i32);
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
    // coordinates in which the cone is round: normal N, tangent of length T
    let mut u = [0.0; 6];
    for j in 0..dim {
        u[j] = jar[j] * scale[j];
    }
    let normal = u[0];
    let tangent = norm(&u[1..dim]);
    let zone = cone_zone(mu, normal, tangent);
    match zone {
        // in the dual cone: the contact opens
        ConstraintState::Satisfied => force.fill(0.0),
        // it slides: ½ Dₘ (N - μ T)²
        ConstraintState::Cone => {
            let dm = cone_stiffness(d[0], mu);
            let gap = normal - mu * tangent;
            *cost += 0.5 * dm * gap * gap;
            force[0] = -dm * gap * mu;
            for j in 1..dim {
                force[j] = -force[0] / tangent * u[j] * scale[j];
            }
            if hessian {
                cone_hessian(&mut contact.h, dim, mu, normal, tangent, &u, &scale, dm);
            }
        }
        // in its polar: it sticks
        _ => {
            for j in 0..dim {
                force[j] = -d[j] * jar[j];
                *cost += 0.5 * d[j] * jar[j] * jar[j];
            }
        }
    }
    zone
}

/// Hessian of the cost of a contact that slides, `½ Dₘ (N - μ T)²` with `T = |uₜ|`: by `u`
///
/// ```text
/// ∂²/∂N² = Dₘ        ∂²/∂N∂uⱼ = -Dₘ μ uⱼ / T        ∂²/∂uⱼ∂uₖ = Dₘ (μ N uⱼ uₖ / T³ + (μ² - μ N / T) δⱼₖ)
/// ```
///
/// and times `scaleⱼ scaleₖ` by the contact's own directions, since `u = scale x`.
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
