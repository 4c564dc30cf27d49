//! The zones of each kind of row: where its cost is a parabola, a straight line, a cone or nothing.
//!
//! Every row has a convex cost `s(x)` of `x = J q̈ - aref`, and its force is `f = -∂s/∂x`. With `D = 1 / R`:
//!
//! - Equality: `½ D x²` everywhere.
//! - Dry friction: `½ D x²` as long as the force stays below the loss `η`, that is for `|x| < R η`; beyond, the straight
//!   lines `±η x - ½ R η²`, which meet the parabola with its slope. The force is held at `∓η`.
//! - What only pushes (limits, frictionless contacts, edges of a pyramid): `½ D x²` for `x < 0`, nothing elsewhere.
//! - An elliptic contact has all its directions in one cost. `Rⱼ μⱼ²` is the same for all tangents, and `R₀ μ²` too
//!   (`impedance.rs`), so that in the coordinates `u₀ = μ x₀`, `uⱼ = μⱼ xⱼ` the parabola of all rows, `½ Σ Dⱼ xⱼ²`, is
//!   round: `½ (D₀ / μ²) |u|²`. The force in matching coordinates, `g₀ = f₀ / μ`, `gⱼ = fⱼ / μⱼ`, is `-∂s/∂u` and has
//!   to lie in the friction cone `|gₜ| ≤ μ g₀`, whose dual is `K = { N ≥ μ T }` with `N = u₀`, `T = |uₜ|`. Both hold
//!   for the squared distance to `K`, `s = ½ (D₀ / μ²) dist(u, K)²`: zero in `K` (the contact opens), `|u|²` in its
//!   polar `{ μ N + T ≤ 0 }` (it sticks, all rows are parabolas), and `(N - μ T)² / (1 + μ²)` between them (it slides),
//!   hence `½ Dₘ (N - μ T)²` with `Dₘ = D₀ / (μ² (1 + μ²))`.
//!
//! The solvers of accelerations see `x`, those of forces see `f`; both ask here which zone a row is in.
use ferrodyn_math::Real;
use ferrodyn_model::{ConstraintState, ConstraintType};

/// The contact whose elliptic cone begins at a row of this kind and number; `None` for rows that stand alone.
#[inline]
pub(crate) fn elliptic_contact(kind: i32, id: i32) -> Option<usize> {
    (kind == ConstraintType::ContactElliptic as i32).then_some(id as usize)
}

/// `Dₘ`, the stiffness of the cost between the zones of an elliptic cone.
#[inline]
pub(crate) fn cone_stiffness(d0: Real, mu: Real) -> Real {
    d0 / (mu * mu * (1.0 + mu * mu))
}

/// The zone of dry friction at `x`, where `rf = R η`.
#[inline]
pub(crate) fn friction_zone(x: Real, rf: Real) -> ConstraintState {
    if x <= -rf {
        ConstraintState::LinearNeg
    } else if x >= rf {
        ConstraintState::LinearPos
    } else {
        ConstraintState::Quadratic
    }
}

/// The zone of a row that only pushes.
#[inline]
pub(crate) fn push_zone(x: Real) -> ConstraintState {
    if x >= 0.0 { ConstraintState::Satisfied } else { ConstraintState::Quadratic }
}

/// The zone of an elliptic contact with the normal `N` and a tangent of length `T`. Where `T = 0` the second condition of
/// each line follows from the first; MuJoCo writes both.
#[inline]
pub(crate) fn cone_zone(mu: Real, normal: Real, tangent: Real) -> ConstraintState {
    if normal >= mu * tangent || (tangent <= 0.0 && normal >= 0.0) {
        ConstraintState::Satisfied
    } else if mu * normal + tangent <= 0.0 || (tangent <= 0.0 && normal < 0.0) {
        ConstraintState::Quadratic
    } else {
        ConstraintState::Cone
    }
}

/// The force of dry friction that is nearest to `force`.
#[inline]
pub(crate) fn hold_to_loss(force: Real, loss: Real) -> Real {
    if force < -loss {
        -loss
    } else if force > loss {
        loss
    } else {
        force
    }
}

/// The zone of dry friction by its force: at either end of the interval the row slips.
#[inline]
pub(crate) fn friction_zone_of_force(force: Real, loss: Real) -> ConstraintState {
    if force <= -loss {
        ConstraintState::LinearPos
    } else if force >= loss {
        ConstraintState::LinearNeg
    } else {
        ConstraintState::Quadratic
    }
}

/// The zone of a row that only pushes, by its force.
#[inline]
pub(crate) fn push_zone_of_force(force: Real) -> ConstraintState {
    if force > 0.0 { ConstraintState::Quadratic } else { ConstraintState::Satisfied }
}

/// The zone of an elliptic contact by its force, in coordinates `N = f₀ / μ`, `Tⱼ = fⱼ / μⱼ`. As MuJoCo names them: a force
/// inside its cone counts as satisfied here, although the contact sticks.
#[inline]
pub(crate) fn cone_zone_of_force(mu: Real, normal: Real, tangent: Real) -> ConstraintState {
    if mu * normal >= tangent {
        ConstraintState::Satisfied
    } else if normal + mu * tangent <= 0.0 {
        ConstraintState::Quadratic
    } else {
        ConstraintState::Cone
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ConstraintState::{Cone, LinearNeg, LinearPos, Quadratic, Satisfied};

    #[test]
    fn only_elliptic_contacts_take_several_rows_at_once() {
        assert_eq!(elliptic_contact(ConstraintType::ContactElliptic as i32, 3), Some(3));
        assert_eq!(elliptic_contact(ConstraintType::ContactPyramidal as i32, 3), None);
        assert_eq!(elliptic_contact(ConstraintType::LimitJoint as i32, 3), None);
    }

    #[test]
    fn motion_and_force_of_a_row_are_in_the_same_zone() {
        let (r, loss) = (0.5, 3.0);
        for x in [-9.0, -1.5, -1.4, 0.0, 1.4, 1.5, 9.0] {
            let force = hold_to_loss(-x / r, loss);
            assert_eq!(friction_zone(x, r * loss), friction_zone_of_force(force, loss), "{x}");
            let push = if x < 0.0 { -x / r } else { 0.0 };
            assert_eq!(push_zone(x), push_zone_of_force(push), "{x}");
        }
        assert_eq!(
            [-9.0, 0.0, 9.0].map(|x| friction_zone(x, 1.0)),
            [LinearNeg, Quadratic, LinearPos]
        );
        assert_eq!([-1.0, 0.0, 1.0].map(push_zone), [Quadratic, Satisfied, Satisfied]);
    }

    #[test]
    fn a_cone_ends_where_its_polar_begins_after_the_sliding_zone() {
        let mu = 0.5;
        // from straight up to straight down, with the tangent at 1 or 0
        let points = [(1.0, 0.0), (0.5, 1.0), (0.4, 1.0), (-1.9, 1.0), (-2.0, 1.0), (-1.0, 0.0)];
        let zones = points.map(|(normal, tangent)| cone_zone(mu, normal, tangent));
        assert_eq!(zones, [Satisfied, Satisfied, Cone, Cone, Quadratic, Quadratic]);
        assert_eq!(cone_zone(mu, 0.0, 0.0), Satisfied);
        // forces: inside the cone, outside it, and below its polar
        let zones =
            [(2.0, 1.0), (1.9, 1.0), (-0.5, 1.0)].map(|(n, t)| cone_zone_of_force(mu, n, t));
        assert_eq!(zones, [Satisfied, Cone, Quadratic]);
    }
}
