//! What can go wrong with a batch.
use ferrodyn_dynamics::StepError;

/// What can go wrong with a batch as a whole; nothing has changed then, unless the work was cancelled. What goes wrong with one world is in
/// [`BatchResult::errors`](crate::BatchResult::errors).
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BatchError {
    /// An array has the wrong length.
    #[error("{what}: {found} elements were given, and {expected} are needed")]
    Length {
        /// Which array.
        what: &'static str,
        /// How many elements were given.
        found: usize,
        /// How many are needed.
        expected: usize,
    },
    /// There is no such world.
    #[error("there is no world {index}: the batch has {count}")]
    NoSuchWorld {
        /// Its number.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// The model has no such keyframe.
    #[error("there is no keyframe {key}: the model has {count}")]
    NoSuchKeyframe {
        /// Its number.
        key: usize,
        /// How many there are.
        count: usize,
    },
    /// A world has no such array of numbers.
    #[error("a world has no array `{0}` of floating-point numbers")]
    NoSuchArray(String),
    /// A time limit that no time reaches, or every time.
    #[error("a time limit has to be a positive number of seconds, and not {0}")]
    TimeLimit(ferrodyn_math::Real),
    /// A call that steps no world forward.
    #[error("the number of steps of a call has to be positive")]
    NoSteps,
    /// The threads could not be started.
    #[error("threads could not be started: {0}")]
    Threads(String),
    /// Worlds of the model cannot be made.
    #[error(transparent)]
    Step(#[from] StepError),
    /// A parameter cannot vary, or does not.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// Somebody asked for the work to end; see [`BatchSim::step_while`](crate::BatchSim::step_while) for what was done by then.
    #[error("the work was cancelled")]
    Cancelled,
}

/// What can go wrong with parameters that differ from world to world.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ParameterError {
    /// The model has no array of this name.
    #[error("a model has no array `{0}`")]
    Unknown(String),
    /// The array holds no parameter that a world can have for itself.
    #[error("`{name}` cannot vary from world to world: {reason}")]
    Shared {
        /// The array.
        name: &'static str,
        /// Why not.
        reason: &'static str,
    },
    /// The array was not declared as varying.
    #[error("`{0}` does not vary from world to world yet: declare it with `vary`")]
    NotVarying(&'static str),
    /// The array has elements of another type.
    #[error("`{name}` has elements of type {expected}")]
    Type {
        /// The array.
        name: &'static str,
        /// The type of its elements.
        expected: &'static str,
    },
    /// Parameters of a world ask for a model of other sizes.
    #[error("parameters of world {world} change the sizes of its model, which all worlds share")]
    Structure {
        /// The world.
        world: usize,
    },
    /// A body whose inertia is diagonal in the shared model would lose that.
    #[error(
        "world {world}: body {body} is one whose inertia is diagonal, since its joints and its inertia lie in its own frame; \
         `body_ipos`, `body_iquat`, `jnt_pos` and `jnt_axis` of such a body cannot vary"
    )]
    Simple {
        /// The world.
        world: usize,
        /// The body.
        body: usize,
    },
    /// A number that is not finite.
    #[error("`{name}` of world {world} has a number that is not finite, at place {index}")]
    NotFinite {
        /// The array.
        name: &'static str,
        /// The world.
        world: usize,
        /// Where in the array of that world.
        index: usize,
    },
}
