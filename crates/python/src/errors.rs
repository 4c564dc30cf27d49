//! MuJoCo's exceptions.
use ferrodyn_dynamics::StepError;
use pyo3::exceptions::{PyException, PyTypeError, PyValueError};
use pyo3::prelude::*;

pyo3::create_exception!(
    ferrodyn,
    FatalError,
    PyException,
    "An argument that the engine cannot work with."
);
pyo3::create_exception!(ferrodyn, UnexpectedError, PyException, "An internal error.");

/// The Python exception for an error of the step.
pub(crate) fn step_error(e: StepError) -> PyErr {
    match e {
        StepError::StateLength { .. }
        | StepError::HistoryLength { .. }
        | StepError::NoHistory(..) => PyTypeError::new_err(e.to_string()),
        StepError::HistoryOrder | StepError::CannotSleep { .. } | StepError::DiscreteInverse => {
            FatalError::new_err(e.to_string())
        }
        // with the name of the function, as MuJoCo says it
        StepError::InvalidSolver(_) => FatalError::new_err(format!("mj_fwdConstraint: {e}")),
        _ => PyValueError::new_err(e.to_string()),
    }
}

pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add("FatalError", m.py().get_type::<FatalError>())?;
    m.add("UnexpectedError", m.py().get_type::<UnexpectedError>())
}
