//! The `mju_*` functions on matrices with a band beside the diagonal and dense rows at the end.
use ferrodyn_math::{BandShape, Real};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::args::{Array, ByteFlag, Out};
use crate::matrix::expect;

/// The shape with these sizes, which has `len` elements.
fn shape(ntotal: i32, nband: i32, ndense: i32, len: usize) -> PyResult<BandShape> {
    let size = |n: i32| usize::try_from(n).ok();
    let shape = || BandShape::new(size(ntotal)?, size(nband)?, size(ndense)?);
    shape().filter(|shape| shape.len() == len).ok_or_else(|| {
        PyTypeError::new_err("the band matrix must have size (ntotal-ndense)*nband + ndense*ntotal")
    })
}

/// Address of the diagonal element of row `i` of a band matrix.
#[pyfunction]
fn mju_bandDiag(i: i32, ntotal: i32, nband: i32, ndense: i32) -> i32 {
    let sparse = ntotal.wrapping_sub(ndense);
    if i < sparse {
        i.wrapping_mul(nband).wrapping_add(nband).wrapping_sub(1)
    } else {
        let row = i.wrapping_sub(sparse).wrapping_mul(ntotal).wrapping_add(i);
        sparse.wrapping_mul(nband).wrapping_add(row)
    }
}

/// Write a band matrix as a dense one, with `flg_sym` both triangles, else the lower one.
#[pyfunction]
fn mju_band2Dense(
    res: Out<'_>,
    mat: Array,
    ntotal: i32,
    nband: i32,
    ndense: i32,
    flg_sym: ByteFlag,
) -> PyResult<()> {
    let mat = mat.any_vector("mat")?;
    let shape = shape(ntotal, nband, ndense, mat.len())?;
    let (mut dense, rows, cols) = res.matrix("res")?;
    expect(rows == ntotal as usize, "res should have ntotal rows")?;
    expect(cols == ntotal as usize, "res should have ntotal columns")?;
    shape.to_dense(&mut dense, &mat, flg_sym.0);
    res.store_matrix("res", "(ntotal, ntotal)", (rows, cols), &dense)
}

/// Take the band and the dense rows from the lower triangle of a dense matrix.
#[pyfunction]
fn mju_dense2Band(res: Out<'_>, mat: Array, ntotal: i32, nband: i32, ndense: i32) -> PyResult<()> {
    let shape = shape(ntotal, nband, ndense, res.len("res")?)?;
    let (rows, cols) = mat.matrix("mat")?;
    expect(rows == ntotal as usize, "mat should have ntotal rows")?;
    expect(cols == ntotal as usize, "mat should have ntotal columns")?;
    let mut band = res.values("res", shape.len(), "")?;
    shape.from_dense(&mut band, &mat.values);
    res.store("res", "", &band)
}

/// `res = mat vec` for a band matrix, with `flg_sym` both triangles, else the lower one. As `res` is
/// a vector, `nvec` can only be 1.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "the arguments are MuJoCo's")]
fn mju_bandMulMatVec(
    res: Out<'_>,
    mat: Array,
    vec: Array,
    ntotal: i32,
    nband: i32,
    ndense: i32,
    nvec: i32,
    flg_sym: ByteFlag,
) -> PyResult<()> {
    mat.matrix("mat")?;
    let shape = shape(ntotal, nband, ndense, mat.values.len())?;
    expect(res.len("res")? == ntotal as usize, "res should have ntotal rows")?;
    expect(nvec == 1, "res should have nvec columns")?;
    let (rows, cols) = vec.matrix("vec")?;
    expect(rows == ntotal as usize, "vec should have ntotal rows")?;
    expect(cols == 1, "vec should have nvec columns")?;
    let mut product = vec![0.0; rows];
    shape.mul_vec(&mut product, &mat.values, &vec.values, flg_sym.0);
    res.store("res", "ntotal", &product)
}

/// Cholesky factorization of a band matrix in place, after `diagadd + diagmul mat_ii` was added to
/// its diagonal; returns the smallest pivot, 0 if the matrix is not positive definite.
#[pyfunction]
fn mju_cholFactorBand(
    mat: Out<'_>,
    ntotal: i32,
    nband: i32,
    ndense: i32,
    diagadd: Real,
    diagmul: Real,
) -> PyResult<Real> {
    let shape = shape(ntotal, nband, ndense, mat.len("mat")?)?;
    let mut values = mat.values("mat", shape.len(), "")?;
    let smallest = shape.factor(&mut values, diagadd, diagmul);
    mat.store("mat", "", &values)?;
    Ok(smallest)
}

/// Solve `L Lᵀ res = vec` with a factor made by `mju_cholFactorBand`.
#[pyfunction]
fn mju_cholSolveBand(
    res: Out<'_>,
    mat: Array,
    vec: Array,
    ntotal: i32,
    nband: i32,
    ndense: i32,
) -> PyResult<()> {
    let mat = mat.any_vector("mat")?;
    let shape = shape(ntotal, nband, ndense, mat.len())?;
    let mut x = vec.vector("vec", ntotal as usize, "ntotal")?;
    shape.solve(&mat, &mut x);
    res.store("res", "ntotal", &x)
}

pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(mju_bandDiag, m)?)?;
    m.add_function(wrap_pyfunction!(mju_band2Dense, m)?)?;
    m.add_function(wrap_pyfunction!(mju_dense2Band, m)?)?;
    m.add_function(wrap_pyfunction!(mju_bandMulMatVec, m)?)?;
    m.add_function(wrap_pyfunction!(mju_cholFactorBand, m)?)?;
    m.add_function(wrap_pyfunction!(mju_cholSolveBand, m)?)
}
