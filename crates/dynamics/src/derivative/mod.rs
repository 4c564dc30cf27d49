//! Derivatives of the dynamics.
//!
//! A step takes the state `x = (dq, q̇, act)` and the controls `u` to the next state; its derivative is
//! `δx⁺ = A δx + B δu`, and that of the sensors `δs = C δx + D δu`. Configurations are perturbed and
//! compared in their tangent space, so that `x` has `2 nv + na` elements even where quaternions make
//! `nq` larger: column `i` moves `qpos` along degree of freedom `i`, and the difference of two next
//! states is the velocity that takes the one to the other.
//!
//! - [`Baseline`] and [`Worker`] give columns by finite differences (MuJoCo's `mjd_transitionFD`).
//!   Stages whose input does not change are skipped: a control leaves configuration and velocity as
//!   they are, a velocity the configuration.
//! - [`smooth_velocity_derivative`] is the analytic derivative of all smooth forces by velocity
//!   (`mjd_smooth_vel`), which the implicit integrators use.
//! - [`integration_derivative`] and [`quat_integrate_derivative`] are those of the last stage of a
//!   step.
//! - [`analytic_columns`] puts these together: columns of velocities, activations and controls
//!   without a single perturbed step. Constraint forces are differentiated at the solution, where
//!   the set of acting rows is fixed and the forces are linear. Columns of positions, and what has
//!   no derivative in closed form, are left to differences, which can follow that solution instead
//!   of solving anew.
//! - [`inverse_derivatives`] differentiates inverse dynamics (`mjd_inverseFD`).
//!
//! # How constraint forces follow
//! At the solution the gradient of the solver's cost vanishes, `M q̈ - f₀ - Jᵀ f(J q̈ - aref) = 0`, and keeps vanishing
//! when the input changes a little. With `W` the Hessian of the cost of the rows (their `D` where they are quadratic, a
//! block for a contact that slides on its cone, zero where they are satisfied or slip), this is the linear system
//!
//! ```text
//! (M + Jᵀ W J) δq̈ = δf₀ + Jᵀ W δaref          as long as no row changes its state
//! ```
//!
//! whose matrix is that of Newton's method at its last iteration. Velocity enters by `f₀` and by
//! `aref = -b J v - k i (pos - margin)`.
//!
//! # What to expect
//! Differences of step `eps` err by `O(eps)` on one side and `O(eps²)` centred, and by rounding and the solver's
//! tolerance over `eps`; about 1e-6 is a good size in double precision, with a tolerance of the solver near zero.
//! Closed forms have no such error, but need the converged solution of a primal solver; otherwise all columns are left
//! to differences. Where a contact begins or ends within the perturbation there is no derivative: differences give a
//! chord, closed forms the side that the state is on. Controls at a limit are differentiated towards the inside. Delays
//! (`nhistory > 0`) are not supported, as they are not by `mjd_transitionFD`.
#[cfg(feature = "alloc")]
mod analytic;
mod bias;
#[cfg(feature = "alloc")]
mod difference;
pub(crate) mod flex;
pub(crate) mod fluid;
#[cfg(feature = "alloc")]
mod integration;
#[cfg(feature = "alloc")]
mod inverse;
mod quaternion;
#[cfg(feature = "alloc")]
mod solution;
mod velocity;

#[cfg(feature = "alloc")]
pub use analytic::{Remainder, analytic_columns};
pub(crate) use bias::BiasMemory;
pub use bias::subtract_bias_derivative;
#[cfg(feature = "alloc")]
pub use difference::{Baseline, Column, DifferenceOptions, Worker};
#[cfg(feature = "alloc")]
pub use integration::integration_derivative;
#[cfg(feature = "alloc")]
pub use inverse::{InverseMatrices, InverseOutputs, inverse_derivatives};
pub use quaternion::{quat_integrate_derivative, sub_quat_derivative};
#[cfg(feature = "alloc")]
pub use solution::Solution;
pub use velocity::{add_actuator_derivative, add_passive_derivative, smooth_vel_derivative};
#[cfg(feature = "alloc")]
pub use velocity::{dense_derivative, smooth_velocity_derivative};
