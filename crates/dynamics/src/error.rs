//! What can go wrong with a world.
use core::fmt;

/// What can go wrong with a world: steps, states, questions, memory.
///
/// A step that fails leaves the state as it was, but for one case: in a world that grows, with MuJoCo's policy, a step
/// in which trees fall asleep computes their forces once more at its end, and where that fails, activations and
/// histories have advanced.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum StepError {
    /// The data was made for a model of other sizes, or bytes that should hold a world were not written by one.
    ModelMismatch,
    /// The time step is not a finite number.
    InvalidTimestep(ferrodyn_math::Real),
    /// `opt.integrator` is not a known integrator.
    InvalidIntegrator(i32),
    /// `opt.solver` is not a known solver, and there are rows to solve for.
    InvalidSolver(i32),
    /// The model switches on a feature that does not exist yet.
    Unsupported(&'static str),
    /// The matrix of the `implicit` integrator is singular.
    SingularMatrix {
        /// Degree of freedom whose pivot vanishes.
        dof: usize,
    },
    /// The solver [`CgStrict`](ferrodyn_model::Solver::CgStrict) stopped before it converged.
    NotConverged {
        /// Scaled norm of the gradient where it stopped, largest of all islands.
        residual: ferrodyn_math::Real,
        /// What it should have reached: `opt.tolerance`; in single precision not less than 1e-6.
        tolerance: ferrodyn_math::Real,
    },
    /// A tree that the model wants to begin asleep touches one that is awake, or moves.
    CannotSleep {
        /// Number of trees that should begin asleep.
        asked: usize,
        /// Number of trees that do.
        slept: usize,
        /// Root of the first tree that cannot.
        body: usize,
    },
    /// Discrete accelerations do not belong to one evaluation of forces with this integrator.
    DiscreteInverse,
    /// Memory of a fixed size is full.
    NoRoom {
        /// What there is no room for.
        what: &'static str,
        /// How many of them are missing.
        missing: usize,
    },
    /// A hook gave the step up.
    Stopped,
    /// The world diverged where that is an error, or the state from which differences are taken did.
    Diverged(crate::divergence::Divergence),
    /// The model has no keyframe of this number.
    NoSuchKeyframe(usize),
    /// There is no geom or contact of this number.
    NoSuchObject {
        /// Which kind of object was asked for.
        kind: &'static str,
        /// Its number.
        id: usize,
        /// How many there are.
        count: usize,
    },
    /// A deformable body of the model makes no sense.
    #[cfg(feature = "deformable")]
    Deformable {
        /// Its number.
        body: usize,
        /// What is wrong with it.
        error: ferrodyn_soft::SoftError,
    },
    /// The direction of a ray has no length.
    RayTooShort,
    /// A number of a ray is not finite.
    RayNotFinite,
    /// An actuator or a sensor of this number has no history.
    NoHistory(&'static str, usize),
    /// Times or values of a history have the wrong length.
    HistoryLength {
        /// Length of the vector.
        found: usize,
        /// Length of the history.
        expected: usize,
    },
    /// The times of a history do not increase.
    HistoryOrder,
    /// A state vector has the wrong length.
    StateLength {
        /// Length of the vector.
        found: usize,
        /// Length of the state.
        expected: usize,
    },
}

impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StepError::ModelMismatch => write!(f, "data was made for another model"),
            StepError::InvalidTimestep(h) => write!(f, "timestep {h} is not a finite number"),
            StepError::InvalidIntegrator(i) => write!(f, "integrator {i} is unknown"),
            StepError::InvalidSolver(i) => write!(f, "unknown solver type {i}"),
            StepError::Unsupported(what) => write!(f, "{what} is not supported yet"),
            StepError::SingularMatrix { dof } => {
                write!(f, "the matrix of the implicit integrator is singular at dof {dof}")
            }
            StepError::NotConverged { residual, tolerance } => {
                write!(f, "the solver stopped at residual {residual}, tolerance {tolerance}")
            }
            StepError::CannotSleep { asked, slept, body } => write!(
                f,
                "{slept} of {asked} trees can begin asleep; the tree of body {body} cannot"
            ),
            StepError::DiscreteInverse => {
                write!(f, "discrete inverse dynamics is not supported by the RK4 integrator")
            }
            StepError::NoRoom { what, missing } => {
                write!(f, "there is no room for {missing} more {what}")
            }
            StepError::Stopped => write!(f, "the step was given up by a hook"),
            StepError::Diverged(what) => write!(f, "{what}"),
            StepError::NoSuchKeyframe(k) => write!(f, "the model has no keyframe {k}"),
            StepError::NoSuchObject { kind, id, count } => {
                write!(f, "there is no {kind} {id}: the number of them is {count}")
            }
            #[cfg(feature = "deformable")]
            StepError::Deformable { body, error } => write!(f, "deformable body {body}: {error}"),
            StepError::RayTooShort => write!(f, "the vector of the ray is too short"),
            StepError::RayNotFinite => write!(f, "a number of the ray is not finite"),
            StepError::NoHistory(kind, id) => write!(f, "{kind} {id} has no history buffer"),
            StepError::HistoryLength { found, expected } => {
                write!(f, "history vector has length {found}, expected {expected}")
            }
            StepError::HistoryOrder => write!(f, "times must be strictly increasing"),
            StepError::StateLength { found, expected } => {
                write!(f, "state vector has length {found}, expected {expected}")
            }
        }
    }
}

impl core::error::Error for StepError {}
