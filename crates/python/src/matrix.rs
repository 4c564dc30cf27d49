//! The `mju_*` functions on matrices, stored by rows.
use ferrodyn_math::{Real, sqrt};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::args::{Array, Fixed, Out};
use crate::vector::dot;

pub(crate) fn expect(condition: bool, text: &'static str) -> PyResult<()> {
    if condition { Ok(()) } else { Err(PyTypeError::new_err(text)) }
}

/// `res += vec * scl`
fn add_scaled(res: &mut [Real], vec: &[Real], scl: Real) {
    for (r, v) in res.iter_mut().zip(vec) {
        *r += v * scl;
    }
}

/// Write the identity matrix.
#[pyfunction]
fn mju_eye(mat: Out<'_>) -> PyResult<()> {
    let (mut values, n, cols) = mat.matrix("mat")?;
    expect(n == cols, "mat should be square")?;
    values.fill(0.0);
    values.iter_mut().step_by(n + 1).for_each(|x| *x = 1.0);
    mat.store_matrix("mat", "(n, n)", (n, n), &values)
}

/// `res = matᵀ`
#[pyfunction]
fn mju_transpose(res: Out<'_>, mat: Array) -> PyResult<()> {
    let (rows, cols) = mat.matrix("mat")?;
    let transposed: Vec<Real> =
        (0..rows * cols).map(|i| mat.values[i % rows * cols + i / rows]).collect();
    res.store_matrix("res", "(columns, rows)", (cols, rows), &transposed)
}

/// `res = (mat + matᵀ) / 2`
#[pyfunction]
fn mju_symmetrize(res: Out<'_>, mat: Array) -> PyResult<()> {
    let (n, cols) = mat.matrix("mat")?;
    expect(n == cols, "mat should be square")?;
    let a = &mat.values;
    let mean: Vec<Real> = (0..n * n)
        .map(|i| (i / n, i % n))
        .map(|(i, j)| if i == j { a[i * n + i] } else { 0.5 * (a[i * n + j] + a[j * n + i]) })
        .collect();
    res.store_matrix("res", "(n, n)", (n, n), &mean)
}

/// `res = mat vec`
#[pyfunction]
fn mju_mulMatVec(res: Out<'_>, mat: Array, vec: Array) -> PyResult<()> {
    let (rows, cols) = mat.matrix("mat")?;
    let vec = vec.vector("vec", cols, "of the columns of mat")?;
    let product: Vec<Real> =
        (0..rows).map(|r| dot(&mat.values[r * cols..(r + 1) * cols], &vec)).collect();
    res.store("res", "of the rows of mat", &product)
}

/// `res = matᵀ vec`
#[pyfunction]
fn mju_mulMatTVec(res: Out<'_>, mat: Array, vec: Array) -> PyResult<()> {
    let (rows, cols) = mat.matrix("mat")?;
    let vec = vec.vector("vec", rows, "of the rows of mat")?;
    let mut product = vec![0.0; cols];
    for (r, scl) in vec.into_iter().enumerate().filter(|(_, scl)| *scl != 0.0) {
        add_scaled(&mut product, &mat.values[r * cols..(r + 1) * cols], scl);
    }
    res.store("res", "of the columns of mat", &product)
}

/// `res = mat vec` for a 3×3 matrix.
#[pyfunction]
fn mju_mulMatVec3(res: Out<'_>, mat: Fixed<9>, vec: Fixed<3>) -> PyResult<()> {
    res.write((&mat.mat3() * vec.vec3()).0)
}

/// `res = matᵀ vec` for a 3×3 matrix.
#[pyfunction]
fn mju_mulMatTVec3(res: Out<'_>, mat: Fixed<9>, vec: Fixed<3>) -> PyResult<()> {
    res.write(mat.mat3().mul_transposed(vec.vec3()).0)
}

/// `vec1ᵀ mat vec2`
#[pyfunction]
fn mju_mulVecMatVec(vec1: Array, mat: Array, vec2: Array) -> PyResult<Real> {
    let (n, cols) = mat.matrix("mat")?;
    expect(n == cols, "mat should be square")?;
    let (left, right) = (vec1.vector("vec1", n, "of mat")?, vec2.vector("vec2", n, "of mat")?);
    Ok((0..n).map(|i| left[i] * dot(&mat.values[i * n..(i + 1) * n], &right)).sum())
}

/// `res = mat1 mat2`
#[pyfunction]
fn mju_mulMatMat(res: Out<'_>, mat1: Array, mat2: Array) -> PyResult<()> {
    let ((r1, c1), (r2, c2)) = (mat1.matrix("mat1")?, mat2.matrix("mat2")?);
    expect(c1 == r2, "#columns in mat1 should equal #rows in mat2")?;
    let mut product = vec![0.0; r1 * c2];
    for i in 0..r1 {
        for k in 0..c1 {
            let scl = mat1.values[i * c1 + k];
            if scl != 0.0 {
                let row = &mat2.values[k * c2..(k + 1) * c2];
                add_scaled(&mut product[i * c2..(i + 1) * c2], row, scl);
            }
        }
    }
    res.store_matrix("res", "(rows of mat1, columns of mat2)", (r1, c2), &product)
}

/// `res = mat1 mat2ᵀ`
#[pyfunction]
fn mju_mulMatMatT(res: Out<'_>, mat1: Array, mat2: Array) -> PyResult<()> {
    let ((r1, c1), (r2, c2)) = (mat1.matrix("mat1")?, mat2.matrix("mat2")?);
    expect(c1 == c2, "#columns in mat1 should equal #columns in mat2")?;
    let product: Vec<Real> = (0..r1 * r2)
        .map(|i| (i / r2 * c1, i % r2 * c1))
        .map(|(i, j)| dot(&mat1.values[i..i + c1], &mat2.values[j..j + c1]))
        .collect();
    res.store_matrix("res", "(rows of mat1, rows of mat2)", (r1, r2), &product)
}

/// `res = mat1ᵀ mat2`
#[pyfunction]
fn mju_mulMatTMat(res: Out<'_>, mat1: Array, mat2: Array) -> PyResult<()> {
    let ((r1, c1), (r2, c2)) = (mat1.matrix("mat1")?, mat2.matrix("mat2")?);
    expect(r1 == r2, "#rows in mat1 should equal #rows in mat2")?;
    let mut product = vec![0.0; c1 * c2];
    for i in 0..r1 {
        for j in 0..c1 {
            let scl = mat1.values[i * c1 + j];
            if scl != 0.0 {
                let row = &mat2.values[i * c2..(i + 1) * c2];
                add_scaled(&mut product[j * c2..(j + 1) * c2], row, scl);
            }
        }
    }
    res.store_matrix("res", "(columns of mat1, columns of mat2)", (c1, c2), &product)
}

/// Cholesky factorization in place, `mat = L Lᵀ`; returns the rank.
///
/// Pivots smaller than `mindiag` are replaced by it. The upper triangle is left as it is.
#[pyfunction]
fn mju_cholFactor(mat: Out<'_>, mindiag: Real) -> PyResult<usize> {
    let (mut a, n, cols) = mat.matrix("mat")?;
    expect(n == cols, "mat should be a square matrix")?;
    let mut rank = n;
    for j in 0..n {
        let row = &a[j * n..j * n + j];
        let mut pivot = a[j * n + j] - dot(row, row);
        if pivot < mindiag {
            pivot = mindiag;
            rank -= 1;
        }
        a[j * n + j] = sqrt(pivot);
        let inverse = 1.0 / a[j * n + j];
        for i in j + 1..n {
            let known = dot(&a[i * n..i * n + j], &a[j * n..j * n + j]);
            a[i * n + j] = (a[i * n + j] - known) * inverse;
        }
    }
    mat.store_matrix("mat", "(n, n)", (n, n), &a)?;
    Ok(rank)
}

/// Solve `L Lᵀ res = vec` with a factor made by `mju_cholFactor`.
#[pyfunction]
fn mju_cholSolve(res: Out<'_>, mat: Array, vec: Array) -> PyResult<()> {
    let (n, cols) = mat.matrix("mat")?;
    expect(n == cols, "mat should be a square matrix")?;
    let l = &mat.values;
    let mut x = vec.vector("vec", n, "of mat")?;
    for i in 0..n {
        x[i] = (x[i] - dot(&l[i * n..i * n + i], &x[..i])) / l[i * n + i];
    }
    for i in (0..n).rev() {
        for j in i + 1..n {
            x[i] -= l[j * n + i] * x[j];
        }
        x[i] /= l[i * n + i];
    }
    res.store("res", "of mat", &x)
}

pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(mju_eye, m)?)?;
    m.add_function(wrap_pyfunction!(mju_transpose, m)?)?;
    m.add_function(wrap_pyfunction!(mju_symmetrize, m)?)?;
    m.add_function(wrap_pyfunction!(mju_mulMatVec, m)?)?;
    m.add_function(wrap_pyfunction!(mju_mulMatTVec, m)?)?;
    m.add_function(wrap_pyfunction!(mju_mulMatVec3, m)?)?;
    m.add_function(wrap_pyfunction!(mju_mulMatTVec3, m)?)?;
    m.add_function(wrap_pyfunction!(mju_mulVecMatVec, m)?)?;
    m.add_function(wrap_pyfunction!(mju_mulMatMat, m)?)?;
    m.add_function(wrap_pyfunction!(mju_mulMatMatT, m)?)?;
    m.add_function(wrap_pyfunction!(mju_mulMatTMat, m)?)?;
    m.add_function(wrap_pyfunction!(mju_cholFactor, m)?)?;
    m.add_function(wrap_pyfunction!(mju_cholSolve, m)?)
}
