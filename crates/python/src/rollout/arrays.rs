//! Arguments of rollouts: models, and arrays that are read and written in place while the interpreter lock is released.
use ferrodyn_math::Real;
use numpy::{
    PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyReadwriteArrayDyn, PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use crate::args::ModelArg;
use crate::data::{Block, Data};
use crate::model::{Model, ModelRef};

/// One model for all rollouts, or one for each.
pub(crate) struct Models<'py>(pub(crate) Vec<ModelArg<'py>>);

impl<'py> FromPyObject<'_, 'py> for Models<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>() {
            object.try_iter()?.map(|model| model?.extract()).collect::<PyResult<_>>().map(Models)
        } else {
            Ok(Models(vec![object.extract()?]))
        }
    }
}

impl Models<'_> {
    /// The models, readable: one for all rollouts, or as many as there are rollouts.
    pub(crate) fn read(&self, nbatch: usize) -> PyResult<Vec<ModelRef<'_>>> {
        let count = self.0.len();
        if count != 1 && count < nbatch {
            let message = format!("there are {count} models for {nbatch} rollouts");
            return Err(PyValueError::new_err(message));
        }
        self.0.iter().take(nbatch.max(1)).map(|model| model.read()).collect()
    }
}

/// Does an array lie in the memory of a world or a model? Steps write to that.
fn lies_in_a_world(array: &Bound<'_, PyArrayDyn<Real>>) -> PyResult<bool> {
    let py = array.py();
    let mut object = array.clone().into_any();
    loop {
        let is_ours = object.is_instance_of::<Data>() || object.is_instance_of::<Block>();
        if is_ours || object.is_instance_of::<Model>() {
            return Ok(true);
        }
        // the owner of an array is its base, that of a buffer its object
        let owner = match object.getattr_opt(intern!(py, "base"))? {
            Some(base) => Some(base),
            None => object.getattr_opt(intern!(py, "obj"))?,
        };
        match owner.filter(|owner| !owner.is_none()) {
            Some(owner) => object = owner,
            None => return Ok(false),
        }
    }
}

/// Row-major numbers in an array of the precision of the engine.
fn checked<'py>(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Bound<'py, PyArrayDyn<Real>>> {
    let array = object
        .cast::<PyArrayDyn<Real>>()
        .map_err(|_| PyTypeError::new_err("expected a numpy array of the engine's precision"))?;
    if array.is_c_contiguous() {
        Ok(array.to_owned())
    } else {
        Err(PyValueError::new_err("expected an array in row-major order, without gaps"))
    }
}

fn wrong_size(name: &str, expected: usize, found: usize) -> PyErr {
    PyValueError::new_err(format!("{name}.size should be {expected}, got {found}"))
}

/// An array that is read.
pub(crate) struct Input<'py> {
    array: PyReadonlyArrayDyn<'py, Real>,
    /// A copy of what lies in a world.
    copy: Option<Vec<Real>>,
}

impl<'py> FromPyObject<'_, 'py> for Input<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let array = checked(object)?;
        let lies_in_a_world = lies_in_a_world(&array)?;
        let array = array.try_readonly()?;
        let copy = lies_in_a_world.then(|| array.as_array().iter().copied().collect());
        Ok(Input { array, copy })
    }
}

impl Input<'_> {
    /// Length of the first dimension.
    pub(crate) fn count(&self) -> usize {
        self.array.shape().first().copied().unwrap_or(1)
    }

    /// The numbers, so many.
    pub(crate) fn numbers(&self, name: &str, count: usize) -> PyResult<&[Real]> {
        match (self.array.len(), &self.copy) {
            (len, _) if len != count => Err(wrong_size(name, count, len)),
            (0, _) => Ok(&[]),
            (_, Some(copy)) => Ok(copy),
            (_, None) => Ok(self.array.as_slice()?),
        }
    }
}

/// An array that results are written to.
pub(crate) struct Output<'py>(PyReadwriteArrayDyn<'py, Real>);

impl<'py> FromPyObject<'_, 'py> for Output<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let array = checked(object)?;
        if lies_in_a_world(&array)? {
            return Err(PyValueError::new_err(
                "results cannot be written into the memory of a world",
            ));
        }
        Ok(Output(array.try_readwrite()?))
    }
}

impl Output<'_> {
    /// The numbers, so many.
    pub(crate) fn numbers(&mut self, name: &str, count: usize) -> PyResult<&mut [Real]> {
        match self.0.len() {
            len if len != count => Err(wrong_size(name, count, len)),
            0 => Ok(&mut []),
            _ => Ok(self.0.as_slice_mut()?),
        }
    }
}
