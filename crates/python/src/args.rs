//! Arguments of functions: models, data, numbers in, results out.
//!
//! Numbers are copied on the way in and on the way out. So a function may be given the same array
//! as input and as result, and no array is borrowed while another one is written.
use std::ops::Deref;

use ferrodyn_math::{Mat3, Quat, Real, Vec3};
use numpy::{AllowTypeChange, PyArrayDyn, PyArrayLikeDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::intern;
use pyo3::prelude::*;

use crate::data::Data;
use crate::model::Model;

/// The native half of an `MjModel`.
pub(crate) struct ModelArg<'py>(Bound<'py, Model>, Bound<'py, PyAny>);

/// The native half of an `MjData`.
pub(crate) struct DataArg<'py>(Bound<'py, Data>, Bound<'py, PyAny>);

impl<'py> DataArg<'py> {
    /// The native object.
    pub(crate) fn native(&self) -> &Bound<'py, Data> {
        &self.0
    }
}

macro_rules! native_half {
    ($arg:ident, $native:ident, $python:literal) => {
        impl<'py> FromPyObject<'_, 'py> for $arg<'py> {
            type Error = PyErr;

            fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
                let native = object.getattr(intern!(object.py(), "_native")).ok();
                match native.and_then(|native| native.cast_into::<$native>().ok()) {
                    Some(native) => Ok($arg(native, object.to_owned())),
                    None => Err(PyTypeError::new_err(format!(
                        concat!("expected an ", $python, ", not {}"),
                        object.get_type().name()?
                    ))),
                }
            }
        }

        impl<'py> $arg<'py> {
            /// The object of the Python half.
            pub(crate) fn object(&self) -> &Bound<'py, PyAny> {
                &self.1
            }
        }

        impl Deref for $arg<'_> {
            type Target = $native;
            fn deref(&self) -> &$native {
                self.0.get()
            }
        }
    };
}

native_half!(ModelArg, Model, "MjModel");
native_half!(DataArg, Data, "MjData");

/// A copy of an array-like argument of real numbers.
pub(crate) struct Array {
    pub(crate) values: Vec<Real>,
    pub(crate) shape: Vec<usize>,
}

impl FromPyObject<'_, '_> for Array {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Array> {
        let array: PyArrayLikeDyn<'_, Real, AllowTypeChange> =
            object.extract().map_err(|_| PyTypeError::new_err("expected an array of numbers"))?;
        let array = array.as_array();
        Ok(Array { values: array.iter().copied().collect(), shape: array.shape().to_vec() })
    }
}

/// Number of elements of an array that is a vector, written as a row or as a column matrix.
fn vector_len(shape: &[usize]) -> Option<usize> {
    match *shape {
        [n] | [n, 1] => Some(n),
        _ => None,
    }
}

impl Array {
    /// The numbers of a vector with `n` elements; `size` is what MuJoCo calls that number.
    pub(crate) fn vector(self, name: &str, n: usize, size: &str) -> PyResult<Vec<Real>> {
        match vector_len(&self.shape) {
            Some(len) if len == n => Ok(self.values),
            _ => Err(wrong_size(name, &self.shape, n, size)),
        }
    }

    /// The numbers of a vector of any length.
    pub(crate) fn any_vector(self, name: &str) -> PyResult<Vec<Real>> {
        match vector_len(&self.shape) {
            Some(_) => Ok(self.values),
            None => Err(PyTypeError::new_err(format!("{name} should be a vector"))),
        }
    }

    /// Number of rows and columns of a matrix; a vector is a single column.
    pub(crate) fn matrix(&self, name: &str) -> PyResult<(usize, usize)> {
        match *self.shape {
            [rows, cols] => Ok((rows, cols)),
            [rows] => Ok((rows, 1)),
            _ => Err(PyTypeError::new_err(format!("{name} should be a matrix"))),
        }
    }
}

fn wrong_size(name: &str, shape: &[usize], n: usize, size: &str) -> PyErr {
    let size = if size.is_empty() { n.to_string() } else { format!("{size} = {n}") };
    PyTypeError::new_err(format!("{name} should be of size {size}, not of shape {shape:?}"))
}

/// A copy of an array-like argument of exactly `N` real numbers.
pub(crate) struct Fixed<const N: usize>(pub(crate) [Real; N]);

impl<const N: usize> FromPyObject<'_, '_> for Fixed<N> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Fixed<N>> {
        if let Ok(array) = object.cast::<PyArrayDyn<Real>>() {
            return fixed(&array).map(Fixed);
        }
        let array: Array = object.extract()?;
        array.vector("the array", N, "").map(|values| {
            let mut out = [0.0; N];
            out.copy_from_slice(&values);
            Fixed(out)
        })
    }
}

/// The numbers of a numpy vector of length `N`.
fn fixed<const N: usize>(array: &Bound<'_, PyArrayDyn<Real>>) -> PyResult<[Real; N]> {
    if vector_len(array.shape()) != Some(N) {
        return Err(wrong_size("the array", array.shape(), N, ""));
    }
    let mut out = [0.0; N];
    for (o, v) in out.iter_mut().zip(array.try_readonly()?.as_array().iter()) {
        *o = *v;
    }
    Ok(out)
}

impl Fixed<3> {
    pub(crate) fn vec3(&self) -> Vec3 {
        Vec3(self.0)
    }
}

impl Fixed<4> {
    pub(crate) fn quat(&self) -> Quat {
        Quat(self.0)
    }
}

impl Fixed<9> {
    pub(crate) fn mat3(&self) -> Mat3 {
        Mat3(self.0)
    }
}

/// A numpy array that a function writes its result to.
pub(crate) struct Out<'py>(Bound<'py, PyArrayDyn<Real>>);

impl<'py> FromPyObject<'_, 'py> for Out<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Out<'py>> {
        match object.cast::<PyArrayDyn<Real>>() {
            Ok(array) => Ok(Out(array.to_owned())),
            Err(_) => Err(PyTypeError::new_err("expected a numpy array of float64")),
        }
    }
}

impl Out<'_> {
    /// Number of elements of the vector.
    pub(crate) fn len(&self, name: &str) -> PyResult<usize> {
        vector_len(self.0.shape())
            .ok_or_else(|| PyTypeError::new_err(format!("{name} should be a vector")))
    }

    /// The numbers of a vector with `n` elements; `size` is what MuJoCo calls that number.
    pub(crate) fn values(&self, name: &str, n: usize, size: &str) -> PyResult<Vec<Real>> {
        if vector_len(self.0.shape()) == Some(n) {
            self.all()
        } else {
            Err(wrong_size(name, self.0.shape(), n, size))
        }
    }

    /// The numbers of a matrix with its numbers of rows and columns.
    pub(crate) fn matrix(&self, name: &str) -> PyResult<(Vec<Real>, usize, usize)> {
        match *self.0.shape() {
            [rows, cols] => Ok((self.all()?, rows, cols)),
            [rows] => Ok((self.all()?, rows, 1)),
            _ => Err(PyTypeError::new_err(format!("{name} should be a matrix"))),
        }
    }

    fn all(&self) -> PyResult<Vec<Real>> {
        Ok(self.0.try_readonly()?.as_array().iter().copied().collect())
    }

    /// The numbers of a vector of length `N`.
    pub(crate) fn read<const N: usize>(&self) -> PyResult<[Real; N]> {
        fixed(&self.0)
    }

    /// Write a vector of fixed length.
    pub(crate) fn write<const N: usize>(&self, values: [Real; N]) -> PyResult<()> {
        self.store("the result", "", &values)
    }

    /// Write a vector; `size` is what MuJoCo calls its length.
    pub(crate) fn store(&self, name: &str, size: &str, values: &[Real]) -> PyResult<()> {
        if vector_len(self.0.shape()) != Some(values.len()) {
            return Err(wrong_size(name, self.0.shape(), values.len(), size));
        }
        self.fill(values)
    }

    /// Write a matrix; `dims` is what MuJoCo calls its shape.
    pub(crate) fn store_matrix(
        &self,
        name: &str,
        dims: &str,
        (rows, cols): (usize, usize),
        values: &[Real],
    ) -> PyResult<()> {
        let same = match *self.0.shape() {
            [r, c] => (r, c) == (rows, cols),
            [r] => (r, 1) == (rows, cols),
            _ => false,
        };
        if !same {
            let shape = self.0.shape();
            return Err(PyTypeError::new_err(format!(
                "{name} should be of shape {dims} = ({rows}, {cols}), not {shape:?}"
            )));
        }
        self.fill(values)
    }

    /// Number of elements, whatever the shape.
    pub(crate) fn size(&self) -> usize {
        self.0.len()
    }

    /// Write all elements in order, whatever the shape.
    pub(crate) fn fill(&self, values: &[Real]) -> PyResult<()> {
        // the strides numpy gives an array without elements are not those of a mutable view
        if self.0.is_empty() {
            return Ok(());
        }
        let mut array = self.0.try_readwrite()?;
        for (slot, v) in array.as_array_mut().iter_mut().zip(values) {
            *slot = *v;
        }
        Ok(())
    }
}

/// A numpy vector of integers that a function writes its result to.
pub(crate) struct IntOut<'py>(Bound<'py, PyArrayDyn<i32>>);

impl<'py> FromPyObject<'_, 'py> for IntOut<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<IntOut<'py>> {
        match object.cast::<PyArrayDyn<i32>>() {
            Ok(array) => Ok(IntOut(array.to_owned())),
            Err(_) => Err(PyTypeError::new_err("expected a numpy array of int32")),
        }
    }
}

impl IntOut<'_> {
    fn check(&self, name: &str, n: usize, size: &str) -> PyResult<()> {
        match vector_len(self.0.shape()) {
            Some(len) if len == n => Ok(()),
            _ => Err(wrong_size(name, self.0.shape(), n, size)),
        }
    }

    /// The numbers of a vector with `n` elements; `size` is what MuJoCo calls that number.
    pub(crate) fn values(&self, name: &str, n: usize, size: &str) -> PyResult<Vec<i32>> {
        self.check(name, n, size)?;
        Ok(self.0.try_readonly()?.as_array().iter().copied().collect())
    }

    /// Number of elements of the vector.
    pub(crate) fn len(&self, name: &str) -> PyResult<usize> {
        vector_len(self.0.shape())
            .ok_or_else(|| PyTypeError::new_err(format!("{name} should be a vector")))
    }

    /// Write a vector; `size` is what MuJoCo calls its length.
    pub(crate) fn store(&self, name: &str, size: &str, values: &[i32]) -> PyResult<()> {
        self.check(name, values.len(), size)?;
        if self.0.is_empty() {
            return Ok(());
        }
        let mut array = self.0.try_readwrite()?;
        for (slot, v) in array.as_array_mut().iter_mut().zip(values) {
            *slot = *v;
        }
        Ok(())
    }
}

/// Anything that Python can take for true or false.
pub(crate) struct Flag(pub(crate) bool);

impl FromPyObject<'_, '_> for Flag {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Flag> {
        if object.hasattr(intern!(object.py(), "__bool__"))? {
            object.is_truthy().map(Flag)
        } else {
            Err(PyTypeError::new_err("expected a truth value"))
        }
    }
}

/// A flag that MuJoCo stores in a byte.
pub(crate) struct ByteFlag(pub(crate) bool);

impl FromPyObject<'_, '_> for ByteFlag {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<ByteFlag> {
        match object.extract::<u8>() {
            Ok(byte) => Ok(ByteFlag(byte != 0)),
            Err(_) => Err(PyTypeError::new_err("expected a number from 0 to 255")),
        }
    }
}

/// A copy of an array-like vector of integers.
pub(crate) struct IntArray(Vec<i32>);

impl FromPyObject<'_, '_> for IntArray {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<IntArray> {
        let array: PyArrayLikeDyn<'_, i32, AllowTypeChange> =
            object.extract().map_err(|_| PyTypeError::new_err("expected an array of integers"))?;
        let array = array.as_array();
        match vector_len(array.shape()) {
            Some(_) => Ok(IntArray(array.iter().copied().collect())),
            None => Err(PyTypeError::new_err("expected a vector of integers")),
        }
    }
}

impl Deref for IntArray {
    type Target = [i32];
    fn deref(&self) -> &[i32] {
        &self.0
    }
}

/// An id that Python passed, checked against the number of objects.
pub(crate) fn index(id: i64, n: usize, what: &str) -> PyResult<usize> {
    usize::try_from(id)
        .ok()
        .filter(|&i| i < n)
        .ok_or_else(|| PyIndexError::new_err(format!("there is no {what} {id}, only {n} of them")))
}
