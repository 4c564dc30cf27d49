//! How the state moves: Euler, Runge-Kutta, and the implicit integrators.
//!
//! The forward stages leave the forces `f` (smooth and constraint forces) and the acceleration `q̈ = M⁻¹ f` of the present state. All
//! integrators of one evaluation then do the same three things, and differ in the matrix that they take for `M`:
//!
//! ```text
//! S a = f                                     the acceleration of the step
//! v⁺ = v + h a                                velocity first,
//! q⁺ = q ⊕ h v⁺                               then position with the new velocity (semi-implicit)
//! ```
//!
//! | integrator | `S` | factored as |
//! |---|---|---|
//! | Euler, no joint damping | `M` | nothing to do, `a = q̈` |
//! | Euler with joint damping `B` | `M + h B` | `LᵀDL` in the pattern of `M`, since `B` is diagonal |
//! | implicitfast | `M - h ∂f/∂v` without Coriolis terms, symmetric | `LᵀDL` in the pattern of `M` |
//! | implicit | `M - h ∂f/∂v` of all smooth forces, not symmetric | `LU` in the pattern of both triangles |
//! | implicit in springs and dampers (extension) | `M + h B + h² K` | `LᵀDL` in the pattern of `M` |
//!
//! Laws of flexes that have a stiffness couple vertices that no pattern of `M` couples; the implicit integrators solve for these
//! once more, with a matrix of their own (`material.rs`), as they do for nodes of interpolated flexes (`flex.rs`).
//!
//! The new velocity first is what keeps the energy of an undamped oscillator bounded, where `q⁺ = q + h v` would feed it. The matrix is for
//! stiff velocity-dependent forces: with `v⁺ = v - h (b/m) v` damping becomes unstable at `h b/m > 2`, with `(m + h b) a = -b v`
//! never. `S` linearizes `f(v⁺)` about `v`: one Newton step of the implicit equation, not its solution. Constraint forces
//! are those that were found with `M`; no integrator differentiates them.
//!
//! Runge-Kutta evaluates forces four times instead ([`runge_kutta`]): fourth order for smooth motion, explicit, with no help against
//! stiffness. In a split step, where the controls come between both halves, Euler replaces it.
//!
//! Invariants: quaternions stay of unit length since they are turned, never added to; what sleeps does not move; time grows by `h`. A
//! pivot of `S` that is not positive (an actuator that pushes with its velocity) is reported by implicitfast and solved all the
//! same; one that vanishes in implicit is an error before the state changes.
pub(crate) mod advance;
pub(crate) mod euler;
pub(crate) mod flex;
pub(crate) mod implicit;
pub(crate) mod joints;
pub(crate) mod material;
pub(crate) mod rk4;
pub(crate) mod spring_damper;

use ferrodyn_model::{Integrator, Model, Stage, Storage};

use crate::data::Lane;
use crate::hooks::Hooks;
use crate::{StepError, World};

use advance::{Rates, advance};
pub use euler::euler;
use euler::euler_acceleration;
pub use implicit::implicit;
use implicit::implicit_acceleration;
pub use joints::{differentiate_pos, integrate_pos, normalize_quats};
pub use material::FlexMatrix;
pub use rk4::runge_kutta;
use spring_damper::spring_damper_acceleration;

/// The integrators that evaluate forces once; Runge-Kutta is replaced by Euler. MuJoCo: the end of `mj_step2`.
///
/// A matrix is factored again where a stage that it depends on was computed: that of Euler depends on
/// the configuration, and those of the implicit integrators also on velocity.
pub(crate) fn integrate<S: Storage>(
    m: &Model<S>,
    d: &mut World<'_>,
    done: Stage,
    hooks: &mut impl Hooks<S>,
) -> Result<Option<usize>, StepError> {
    let indefinite = step_acceleration(m, d, done, hooks)?;
    advance(m, d, &Rates::OfTheStep, hooks)?;
    Ok(indefinite)
}

/// The acceleration with which [`integrate`] moves the state, in `scratch.step_acc`; for `implicitfast` the first pivot that is not
/// positive.
#[inline]
pub(crate) fn step_acceleration<S: Storage, T: Lane>(
    m: &Model<S>,
    d: &mut World<'_, T>,
    done: Stage,
    hooks: &mut impl Hooks<S>,
) -> Result<Option<usize>, StepError> {
    let factored = done >= Stage::Pos;
    match m.integrator() {
        Integrator::Implicit | Integrator::ImplicitFast => {
            return implicit_acceleration(m, d, done >= Stage::Vel, hooks);
        }
        Integrator::ImplicitSpringDamper => spring_damper_acceleration(m, d),
        // Runge-Kutta needs the stages again and again: where a step is split, it is Euler
        Integrator::Euler | Integrator::Rk4 => euler_acceleration(m, d, factored),
    }
    Ok(None)
}
