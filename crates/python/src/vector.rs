//! The `mju_*` functions on scalars and vectors.
use ferrodyn_math::{MIN_VAL, Real, is_bad, sqrt};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::args::{Array, Fixed, Out};

/// Dot product, summed in four lanes as MuJoCo does.
pub(crate) fn dot(a: &[Real], b: &[Real]) -> Real {
    let (mut lanes, mut rest) = ([0.0; 4], 0.0);
    let (a4, b4) = (a.chunks_exact(4), b.chunks_exact(4));
    for (x, y) in a4.remainder().iter().zip(b4.remainder()) {
        rest += x * y;
    }
    for (x, y) in a4.zip(b4) {
        for i in 0..4 {
            lanes[i] += x[i] * y[i];
        }
    }
    (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]) + rest
}

/// A vector argument that must be as long as the result.
fn alike(vec: Array, name: &str, n: usize) -> PyResult<Vec<Real>> {
    vec.vector(name, n, "of res")
}

fn same_len(a: &[Real], b: &[Real]) -> PyResult<()> {
    if a.len() == b.len() {
        Ok(())
    } else {
        Err(PyTypeError::new_err("vec1 and vec2 should have the same size"))
    }
}

/// Define functions `res = f(...)` that work element by element, for any length and for length 3.
macro_rules! elementwise {
    ($($doc:literal $name:ident, $name3:ident ($($vec:ident),* $(; $scl:ident)?) = $f:expr;)*) => {
        $(
            #[doc = $doc]
            #[pyfunction]
            fn $name(res: Out<'_>, $($vec: Array,)* $($scl: Real)?) -> PyResult<()> {
                let n = res.len("res")?;
                $(let $vec = alike($vec, stringify!($vec), n)?;)*
                let f = $f;
                let values: Vec<Real> = (0..n).map(|i| f($($vec[i],)* $($scl)?)).collect();
                res.store("res", "", &values)
            }

            #[doc = $doc]
            #[pyfunction]
            fn $name3(res: Out<'_>, $($vec: Fixed<3>,)* $($scl: Real)?) -> PyResult<()> {
                let f = $f;
                res.write([0, 1, 2].map(|i| f($($vec.0[i],)* $($scl)?)))
            }
        )*

        fn register_elementwise(m: &Bound<'_, PyModule>) -> PyResult<()> {
            $(
                m.add_function(wrap_pyfunction!($name, m)?)?;
                m.add_function(wrap_pyfunction!($name3, m)?)?;
            )*
            Ok(())
        }
    };
}

elementwise! {
    "`res = vec1 + vec2`" mju_add, mju_add3 (vec1, vec2) = |a: Real, b: Real| a + b;
    "`res = vec1 - vec2`" mju_sub, mju_sub3 (vec1, vec2) = |a: Real, b: Real| a - b;
    "`res = vec1 + vec2 * scl`" mju_addScl, mju_addScl3 (vec1, vec2; scl) = |a: Real, b: Real, s: Real| a + b * s;
    "`res = vec * scl`" mju_scl, mju_scl3 (vec; scl) = |a: Real, s: Real| a * s;
}

/// Define functions that change `res` in place, for any length and for length 3.
macro_rules! in_place {
    ($($doc:literal $name:ident, $name3:ident ($vec:ident $(, $scl:ident)?) = $f:expr;)*) => {
        $(
            #[doc = $doc]
            #[pyfunction]
            fn $name(res: Out<'_>, $vec: Array, $($scl: Real)?) -> PyResult<()> {
                let n = res.len("res")?;
                let $vec = alike($vec, stringify!($vec), n)?;
                let mut values = res.values("res", n, "")?;
                let f = $f;
                values.iter_mut().zip($vec).for_each(|(r, v)| *r = f(*r, v, $($scl)?));
                res.store("res", "", &values)
            }

            #[doc = $doc]
            #[pyfunction]
            fn $name3(res: Out<'_>, $vec: Fixed<3>, $($scl: Real)?) -> PyResult<()> {
                let old: [Real; 3] = res.read()?;
                let f = $f;
                res.write([0, 1, 2].map(|i| f(old[i], $vec.0[i], $($scl)?)))
            }
        )*

        fn register_in_place(m: &Bound<'_, PyModule>) -> PyResult<()> {
            $(
                m.add_function(wrap_pyfunction!($name, m)?)?;
                m.add_function(wrap_pyfunction!($name3, m)?)?;
            )*
            Ok(())
        }
    };
}

in_place! {
    "`res += vec`" mju_addTo, mju_addTo3 (vec) = |r: Real, v: Real| r + v;
    "`res -= vec`" mju_subFrom, mju_subFrom3 (vec) = |r: Real, v: Real| r - v;
    "`res += vec * scl`" mju_addToScl, mju_addToScl3 (vec, scl) = |r: Real, v: Real, s: Real| r + v * s;
}

/// Set a vector to zero.
#[pyfunction]
fn mju_zero(res: Out<'_>) -> PyResult<()> {
    mju_fill(res, 0.0)
}

/// Set a vector of length 3 to zero.
#[pyfunction]
fn mju_zero3(res: Out<'_>) -> PyResult<()> {
    res.write([0.0; 3])
}

/// Set a vector of length 4 to zero.
#[pyfunction]
fn mju_zero4(res: Out<'_>) -> PyResult<()> {
    res.write([0.0; 4])
}

/// Set all elements of a vector to a number.
#[pyfunction]
fn mju_fill(res: Out<'_>, val: Real) -> PyResult<()> {
    let n = res.len("res")?;
    res.store("res", "", &vec![val; n])
}

/// `res = vec`
#[pyfunction]
fn mju_copy(res: Out<'_>, vec: Array) -> PyResult<()> {
    let n = res.len("res")?;
    res.store("res", "", &alike(vec, "vec", n)?)
}

/// `res = data`, for vectors of length 3.
#[pyfunction]
fn mju_copy3(res: Out<'_>, data: Fixed<3>) -> PyResult<()> {
    res.write(data.0)
}

/// `res = data`, for vectors of length 4.
#[pyfunction]
fn mju_copy4(res: Out<'_>, data: Fixed<4>) -> PyResult<()> {
    res.write(data.0)
}

/// Cross product.
#[pyfunction]
fn mju_cross(res: Out<'_>, a: Fixed<3>, b: Fixed<3>) -> PyResult<()> {
    res.write(a.vec3().cross(b.vec3()).0)
}

/// Sum of the elements.
#[pyfunction]
fn mju_sum(vec: Array) -> PyResult<Real> {
    Ok(vec.any_vector("vec")?.iter().sum())
}

/// Sum of the absolute values.
#[pyfunction]
fn mju_L1(vec: Array) -> PyResult<Real> {
    Ok(vec.any_vector("vec")?.iter().map(|x| x.abs()).sum())
}

/// Dot product.
#[pyfunction]
fn mju_dot(vec1: Array, vec2: Array) -> PyResult<Real> {
    let (a, b) = (vec1.any_vector("vec1")?, vec2.any_vector("vec2")?);
    same_len(&a, &b)?;
    Ok(dot(&a, &b))
}

/// Dot product of vectors of length 3.
#[pyfunction]
fn mju_dot3(vec1: Fixed<3>, vec2: Fixed<3>) -> Real {
    vec1.vec3().dot(vec2.vec3())
}

/// Length of a vector.
#[pyfunction]
fn mju_norm(res: Array) -> PyResult<Real> {
    let values = res.any_vector("res")?;
    Ok(sqrt(dot(&values, &values)))
}

/// Length of a vector with 3 elements.
#[pyfunction]
fn mju_norm3(vec: Fixed<3>) -> Real {
    vec.vec3().norm()
}

/// Distance between two points.
#[pyfunction]
fn mju_dist3(pos1: Fixed<3>, pos2: Fixed<3>) -> Real {
    (pos1.vec3() - pos2.vec3()).norm()
}

/// Normalize a vector in place; returns its length before. A zero vector becomes (1, 0, 0, ...).
#[pyfunction]
fn mju_normalize(res: Out<'_>) -> PyResult<Real> {
    let n = res.len("res")?;
    let mut values = res.values("res", n, "")?;
    let norm = sqrt(dot(&values, &values));
    if norm < MIN_VAL {
        values.fill(0.0);
        if let Some(first) = values.first_mut() {
            *first = 1.0;
        }
    } else {
        let inverse = 1.0 / norm;
        values.iter_mut().for_each(|x| *x *= inverse);
    }
    res.store("res", "", &values)?;
    Ok(norm)
}

/// Normalize a vector of length 3 in place; returns its length before.
#[pyfunction]
fn mju_normalize3(vec: Out<'_>) -> PyResult<Real> {
    let (unit, norm) = ferrodyn_math::Vec3(vec.read()?).normalize();
    vec.write(unit.0)?;
    Ok(norm)
}

/// Are all elements zero?
#[pyfunction]
fn mju_isZero(vec: Array) -> PyResult<i32> {
    Ok(vec.any_vector("vec")?.iter().all(|&x| x == 0.0) as i32)
}

/// Is the number not finite or too large for a simulation?
#[pyfunction]
fn mju_isBad(x: Real) -> i32 {
    is_bad(x) as i32
}

/// The smaller of two numbers.
#[pyfunction]
fn mju_min(a: Real, b: Real) -> Real {
    if a <= b { a } else { b }
}

/// The larger of two numbers.
#[pyfunction]
fn mju_max(a: Real, b: Real) -> Real {
    if a >= b { a } else { b }
}

/// The number of the interval that is nearest to `x`.
#[pyfunction]
fn mju_clip(x: Real, min: Real, max: Real) -> Real {
    if x < min {
        min
    } else if x > max {
        max
    } else {
        x
    }
}

/// -1, 0 or 1.
#[pyfunction]
fn mju_sign(x: Real) -> Real {
    if x < 0.0 {
        -1.0
    } else if x > 0.0 {
        1.0
    } else {
        0.0
    }
}

/// The nearest integer; halves are rounded up.
#[pyfunction]
fn mju_round(x: Real) -> i32 {
    let (lower, upper) = (x.floor(), x.ceil());
    (if x - lower < upper - x { lower } else { upper }) as i32
}

/// A smooth step from 0 at 0 to 1 at 1, with two vanishing derivatives at both ends.
#[pyfunction]
fn mju_sigmoid(x: Real) -> Real {
    if x <= 0.0 {
        0.0
    } else if x >= 1.0 {
        1.0
    } else {
        x * x * x * (3.0 * x * (2.0 * x - 5.0) + 10.0)
    }
}

pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    register_elementwise(m)?;
    register_in_place(m)?;
    m.add_function(wrap_pyfunction!(mju_zero, m)?)?;
    m.add_function(wrap_pyfunction!(mju_zero3, m)?)?;
    m.add_function(wrap_pyfunction!(mju_zero4, m)?)?;
    m.add_function(wrap_pyfunction!(mju_fill, m)?)?;
    m.add_function(wrap_pyfunction!(mju_copy, m)?)?;
    m.add_function(wrap_pyfunction!(mju_copy3, m)?)?;
    m.add_function(wrap_pyfunction!(mju_copy4, m)?)?;
    m.add_function(wrap_pyfunction!(mju_cross, m)?)?;
    m.add_function(wrap_pyfunction!(mju_sum, m)?)?;
    m.add_function(wrap_pyfunction!(mju_L1, m)?)?;
    m.add_function(wrap_pyfunction!(mju_dot, m)?)?;
    m.add_function(wrap_pyfunction!(mju_dot3, m)?)?;
    m.add_function(wrap_pyfunction!(mju_norm, m)?)?;
    m.add_function(wrap_pyfunction!(mju_norm3, m)?)?;
    m.add_function(wrap_pyfunction!(mju_dist3, m)?)?;
    m.add_function(wrap_pyfunction!(mju_normalize, m)?)?;
    m.add_function(wrap_pyfunction!(mju_normalize3, m)?)?;
    m.add_function(wrap_pyfunction!(mju_isZero, m)?)?;
    m.add_function(wrap_pyfunction!(mju_isBad, m)?)?;
    m.add_function(wrap_pyfunction!(mju_min, m)?)?;
    m.add_function(wrap_pyfunction!(mju_max, m)?)?;
    m.add_function(wrap_pyfunction!(mju_clip, m)?)?;
    m.add_function(wrap_pyfunction!(mju_sign, m)?)?;
    m.add_function(wrap_pyfunction!(mju_round, m)?)?;
    m.add_function(wrap_pyfunction!(mju_sigmoid, m)?)
}
