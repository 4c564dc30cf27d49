//! How a deformable body moves: extended position-based dynamics (Macklin, Müller, Chentanez 2016) with small steps.
//!
//! A step of `h` is cut into `n` substeps of `dt = h / n`. Each one lets the vertices fly, and then moves them so that constraints
//! hold; the velocity is what became of the positions:
//!
//! ```text
//! v ← v + dt (g + w f),   p ← x,   x ← x + dt v
//! repeat:  every constraint in order moves its vertices (constraint/), contacts last
//! v ← (x - p) / dt / (1 + dt damping)
//! ```
//!
//! Many small steps with one iteration each converge better than few with many. Each substep is implicit, so that
//! any stiffness is stable; what an iteration leaves of a constraint's violation acts like a lower stiffness. The
//! order of constraints is fixed, so that the result has the same bits everywhere.
mod config;
mod constraint;
mod solver;
mod substep;

pub use config::SolverConfig;
pub(crate) use constraint::volume;
pub use constraint::{
    BendingConstraint, CollisionConstraint, Constraint, ConstraintType, DistanceConstraint,
    FlexEdgeConstraint, FlexEdgeKind, VolumeConstraint,
};
pub use solver::XpbdSolver;
pub use substep::{Memory, NoTouch, Touch, Vertices, advance};
