//! The `mju_*` functions on muscles, friction cones, springs, sequences, and conversions of numbers.
use ferrodyn_dynamics as dynamics;
use ferrodyn_math as math;
use ferrodyn_math::Real;
use numpy::{AllowTypeChange, PyArrayDyn, PyArrayLikeDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::args::{Array, Fixed, IntOut, Out};
use crate::matrix::expect;

/// Parameters of a muscle, as many as models keep.
fn parameters<const N: usize>(prm: &Fixed<N>) -> [Real; 10] {
    let mut all = [0.0; 10];
    all[..N].copy_from_slice(&prm.0);
    all
}

/// Force of a muscle per unit of activation.
///
/// The parameters are range (2), force, scale, lmin, lmax, vmax, fpmax, fvmax.
#[pyfunction]
fn mju_muscleGain(len: Real, vel: Real, lengthrange: Fixed<2>, acc0: Real, prm: Fixed<9>) -> Real {
    dynamics::force::muscle_gain(len, vel, &lengthrange.0, acc0, &parameters(&prm))
}

/// Passive force of a muscle.
///
/// The parameters are range (2), force, scale, lmin, lmax, vmax, fpmax, fvmax.
#[pyfunction]
fn mju_muscleBias(len: Real, lengthrange: Fixed<2>, acc0: Real, prm: Fixed<9>) -> Real {
    dynamics::force::muscle_bias(len, &lengthrange.0, acc0, &parameters(&prm))
}

/// Rate of the activation of a muscle.
///
/// The parameters are the time constants of activation and deactivation and the width of the change
/// between them.
#[pyfunction]
fn mju_muscleDynamics(ctrl: Real, act: Real, prm: Fixed<3>) -> Real {
    dynamics::force::muscle_dynamics(ctrl, act, &parameters(&prm))
}

fn check_pyramid(pyramid: usize, force: usize, mu: usize) -> PyResult<()> {
    expect(pyramid == 2 * mu, "size of pyramid should be twice as large as size of mu")?;
    expect(force == mu + 1, "size of force should be exactly one larger than size of mu")
}

/// Forces of the edges of a pyramidal friction cone from the force of a contact.
///
/// As in MuJoCo's package the size of `mu` is taken for the dimension of the contact, which is one
/// larger: the last friction coefficient and the last pair of edges are not used.
#[pyfunction]
fn mju_encodePyramid(pyramid: Out<'_>, force: Array, mu: Array) -> PyResult<()> {
    let (force, mu) = (force.any_vector("force")?, mu.any_vector("mu")?);
    let n = pyramid.len("pyramid")?;
    check_pyramid(n, force.len(), mu.len())?;
    let mut edges = pyramid.values("pyramid", n, "")?;
    dynamics::query::encode_pyramid(&mut edges, &force, &mu[..mu.len().saturating_sub(1)]);
    pyramid.store("pyramid", "", &edges)
}

/// The force of a contact from the forces of the edges of its pyramidal friction cone.
///
/// As in MuJoCo's package the size of `mu` is taken for the dimension of the contact, which is one
/// larger: the last friction coefficient and the last pair of edges are not used.
#[pyfunction]
fn mju_decodePyramid(force: Out<'_>, pyramid: Array, mu: Array) -> PyResult<()> {
    let (pyramid, mu) = (pyramid.any_vector("pyramid")?, mu.any_vector("mu")?);
    let n = force.len("force")?;
    check_pyramid(pyramid.len(), n, mu.len())?;
    let mut values = force.values("force", n, "")?;
    match mu.len() {
        // a contact without friction
        1 => values[0] = pyramid[0],
        dim => dynamics::query::decode_pyramid(&mut values, &pyramid, &mu[..dim.saturating_sub(1)]),
    }
    force.store("force", "", &values)
}

/// Position after time `dt` of a spring and damper that begin at `pos0` with velocity `vel0`.
#[pyfunction]
#[pyo3(signature = (pos0, vel0, Kp, Kv, dt))]
fn mju_springDamper(pos0: Real, vel0: Real, Kp: Real, Kv: Real, dt: Real) -> Real {
    math::spring_damper(pos0, vel0, Kp, Kv, dt)
}

/// An element of Halton's sequence.
#[pyfunction]
fn mju_Halton(index: i32, base: i32) -> PyResult<Real> {
    if index > 0 && (-1..=1).contains(&base) {
        return Err(PyValueError::new_err("base should be at least 2"));
    }
    Ok(math::halton(index, base))
}

/// Sort in increasing order by insertion, so that equal elements and what is no number stay in place.
fn insertion_sort<T: PartialOrd + Copy>(values: &mut [T]) {
    for i in 1..values.len() {
        let mut j = i;
        while j > 0 && values[j - 1] > values[j] {
            values.swap(j - 1, j);
            j -= 1;
        }
    }
}

/// Sort numbers in increasing order.
#[pyfunction]
fn mju_insertionSort(list: Out<'_>) -> PyResult<()> {
    let n = list.len("list")?;
    let mut values = list.values("list", n, "")?;
    insertion_sort(&mut values);
    list.store("list", "", &values)
}

/// Sort integers in increasing order.
#[pyfunction]
fn mju_insertionSortInt(list: IntOut<'_>) -> PyResult<()> {
    let n = list.len("list")?;
    let mut values = list.values("list", n, "")?;
    insertion_sort(&mut values);
    list.store("list", "", &values)
}

/// Copy a vector of double precision.
#[pyfunction]
fn mju_d2n(res: Out<'_>, vec: Array) -> PyResult<()> {
    let n = res.len("res")?;
    res.store("res", "", &vec.vector("vec", n, "of res")?)
}

/// Copy a vector of double precision.
#[pyfunction]
fn mju_n2d(res: Out<'_>, vec: Array) -> PyResult<()> {
    mju_d2n(res, vec)
}

/// Copy a vector of single precision to one of double precision.
#[pyfunction]
fn mju_f2n(res: Out<'_>, vec: PyArrayLikeDyn<'_, f32, AllowTypeChange>) -> PyResult<()> {
    let values = vec.as_array();
    let values = Array {
        values: values.iter().map(|&x| x.into()).collect(),
        shape: values.shape().to_vec(),
    };
    mju_d2n(res, values)
}

/// Copy a vector of double precision to one of single precision.
#[pyfunction]
fn mju_n2f(res: &Bound<'_, PyAny>, vec: Array) -> PyResult<()> {
    let res = res
        .cast::<PyArrayDyn<f32>>()
        .map_err(|_| PyTypeError::new_err("expected a numpy array of float32"))?;
    let values = vec.vector("vec", res.len(), "of res")?;
    expect(res.ndim() == 1 || *res.shape() == [res.len(), 1], "res should be a vector")?;
    // the strides numpy gives an array without elements are not those of a mutable view
    if values.is_empty() {
        return Ok(());
    }
    for (slot, v) in res.try_readwrite()?.as_array_mut().iter_mut().zip(values) {
        *slot = v as f32;
    }
    Ok(())
}

pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(mju_muscleGain, m)?)?;
    m.add_function(wrap_pyfunction!(mju_muscleBias, m)?)?;
    m.add_function(wrap_pyfunction!(mju_muscleDynamics, m)?)?;
    m.add_function(wrap_pyfunction!(mju_encodePyramid, m)?)?;
    m.add_function(wrap_pyfunction!(mju_decodePyramid, m)?)?;
    m.add_function(wrap_pyfunction!(mju_springDamper, m)?)?;
    m.add_function(wrap_pyfunction!(mju_Halton, m)?)?;
    m.add_function(wrap_pyfunction!(mju_insertionSort, m)?)?;
    m.add_function(wrap_pyfunction!(mju_insertionSortInt, m)?)?;
    m.add_function(wrap_pyfunction!(mju_d2n, m)?)?;
    m.add_function(wrap_pyfunction!(mju_n2d, m)?)?;
    m.add_function(wrap_pyfunction!(mju_f2n, m)?)?;
    m.add_function(wrap_pyfunction!(mju_n2f, m)?)
}
