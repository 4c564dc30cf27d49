//! What follows from the configuration alone: poses, tendons and transmissions, inertia and its factor.
pub(crate) mod camlight;
pub(crate) mod chain;
pub(crate) mod com;
pub(crate) mod flex;
mod flex_strain;
pub(crate) mod inertia;
pub(crate) mod kinematics;
pub(crate) mod tendon;
pub(crate) mod transmission;
pub(crate) mod wrap;

pub use camlight::camlight;
pub use com::com_pos;
pub use flex::flex;
#[cfg(feature = "alloc")]
pub use inertia::angular_momentum_matrix;
pub use inertia::{crb, factor_m, full_m, make_m, mul_m, mul_m_half, solve_m, solve_m_half};
pub use kinematics::kinematics;
pub use tendon::tendon;
pub use transmission::transmission;
pub use wrap::{WrapResult, cylinder_wrap, sphere_wrap, sphere_wrapping_plane, wrap_inside_2d};
