//! The `mju_*` functions on sparse matrices, eigenvalues and quadratic programs.
use ferrodyn_math::{BoxQp, BoxQpError, Real, add_scaled, update_dense};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::args::{Array, Fixed, IntArray, IntOut, Out};
use crate::errors::FatalError;
use crate::matrix::expect;

/// `res = matᵀ diag mat`, without `diag` `res = matᵀ mat`.
#[pyfunction]
fn mju_sqrMatTD(res: Out<'_>, mat: Array, diag: Option<Out<'_>>) -> PyResult<()> {
    let (nr, nc) = mat.matrix("mat")?;
    let diag = diag.map(|diag| diag.values("diag", nr, "of the rows of mat")).transpose()?;
    let mut square = vec![0.0; nc * nc];
    for j in 0..nr {
        let row = &mat.values[j * nc..(j + 1) * nc];
        let weight = diag.as_ref().map_or(1.0, |diag| diag[j]);
        for i in (0..nc).filter(|&i| weight != 0.0 && row[i] != 0.0) {
            add_scaled(&mut square[i * nc..=i * nc + i], &row[..=i], row[i] * weight);
        }
    }
    for i in 0..nc {
        for j in i + 1..nc {
            square[i * nc + j] = square[j * nc + i];
        }
    }
    res.store_matrix("res", "(columns of mat, columns of mat)", (nc, nc), &square)
}

/// Change the factor of `A` to that of `A + x xᵀ`, without `flg_plus` to that of `A - x xᵀ`; `x` is used
/// up. Returns the rank.
#[pyfunction]
fn mju_cholUpdate(mat: Out<'_>, x: Out<'_>, flg_plus: i32) -> PyResult<usize> {
    let (mut factor, n, cols) = mat.matrix("mat")?;
    expect(n == cols, "mat should be a square matrix")?;
    let mut values = x.values("x", n, "of the rows of mat")?;
    let rank = update_dense(&mut factor, &mut values, flg_plus != 0);
    mat.store_matrix("mat", "(n, n)", (n, n), &factor)?;
    x.store("x", "n", &values)?;
    Ok(rank)
}

/// Eigenvalues in decreasing order, eigenvectors in the columns of `eigvec` and the same rotation as a
/// quaternion, of a symmetric 3×3 matrix; returns the number of Jacobi rotations.
#[pyfunction]
fn mju_eig3(eigval: Out<'_>, eigvec: Out<'_>, quat: Out<'_>, mat: Fixed<9>) -> PyResult<usize> {
    // the sizes of all results are checked before one is written
    let _: ([Real; 3], [Real; 9], [Real; 4]) = (eigval.read()?, eigvec.read()?, quat.read()?);
    let (values, rotation, count) = mat.mat3().eigen_symmetric_counted();
    eigval.write(values.0)?;
    eigvec.write(rotation.to_mat().0)?;
    quat.write(rotation.0)?;
    Ok(count)
}

/// Minimize `½ xᵀ H x + xᵀ g` subject to `lower <= x <= upper`, beginning at `res`; returns the number of
/// coordinates that are not at a bound, -1 on failure.
///
/// Those coordinates are written to `index`, and the Cholesky factor of their part of `H` to the first
/// elements of `R`, which has `n (n + 7)` elements.
#[pyfunction]
#[pyo3(signature = (res, R, index, H, g, lower, upper))]
fn mju_boxQP(
    res: Out<'_>,
    R: Out<'_>,
    index: Option<IntOut<'_>>,
    H: Array,
    g: Array,
    lower: Option<Array>,
    upper: Option<Array>,
) -> PyResult<i32> {
    let n = res.len("res")?;
    let (mut factor, rows, cols) = R.matrix("R")?;
    expect(factor.len() == n * (n + 7), "size of R should be n*(n+7)")?;
    let mut indices = index.as_ref().map(|index| index.values("index", n, "n")).transpose()?;
    expect(H.matrix("H")? == (n, n), "H should be of shape (n, n)")?;
    let gradient = g.vector("g", n, "n")?;
    let lower = lower.map(|lower| lower.vector("lower", n, "n")).transpose()?;
    let upper = upper.map(|upper| upper.vector("upper", n, "n")).transpose()?;
    let qp = BoxQp {
        hessian: &H.values,
        gradient: &gradient,
        lower: lower.as_deref(),
        upper: upper.as_deref(),
    };
    let mut x = res.values("res", n, "")?;
    let free = qp.solve(&mut x, &mut factor[..n * n]);
    if let Err(BoxQpError::Sizes | BoxQpError::Bounds) = free {
        let text = if n == 0 {
            "problem size n must be positive"
        } else {
            "upper bounds must be larger than lower bounds"
        };
        return Err(FatalError::new_err(text));
    }
    res.store("res", "", &x)?;
    R.store_matrix("R", "", (rows, cols), &factor)?;
    let Ok(free) = free else { return Ok(-1) };
    if let (Some(out), Some(indices)) = (&index, &mut indices) {
        for (slot, &i) in indices.iter_mut().zip(&free) {
            *slot = i as i32;
        }
        out.store("index", "n", indices)?;
    }
    Ok(free.len() as i32)
}

/// Write the elements of a matrix that are not zero, row by row; returns 1 if there is too little room.
#[pyfunction]
fn mju_dense2sparse(
    res: Out<'_>,
    mat: Array,
    rownnz: IntOut<'_>,
    rowadr: IntOut<'_>,
    colind: IntOut<'_>,
) -> PyResult<i32> {
    let (nr, nc) = mat.matrix("mat")?;
    let nnz = res.len("res")?;
    let mut counts = rownnz.values("rownnz", nr, "of the rows of mat")?;
    let mut addresses = rowadr.values("rowadr", nr, "of the rows of mat")?;
    let mut columns = colind.values("colind", nnz, "of res")?;
    let mut values = res.values("res", nnz, "")?;
    let full = nnz == 0
        || !fill_sparse(&mat.values, nc, &mut values, &mut counts, &mut addresses, &mut columns);
    res.store("res", "", &values)?;
    rownnz.store("rownnz", "", &counts)?;
    rowadr.store("rowadr", "", &addresses)?;
    colind.store("colind", "", &columns)?;
    Ok(full as i32)
}

/// Was there room for all elements that are not zero?
fn fill_sparse(
    mat: &[Real],
    nc: usize,
    values: &mut [Real],
    counts: &mut [i32],
    addresses: &mut [i32],
    columns: &mut [i32],
) -> bool {
    let mut next = 0;
    for (r, (count, address)) in counts.iter_mut().zip(addresses).enumerate() {
        (*count, *address) = (0, next as i32);
        for (c, &x) in mat[r * nc..(r + 1) * nc].iter().enumerate().filter(|(_, x)| **x != 0.0) {
            if next == values.len() {
                return false;
            }
            (values[next], columns[next]) = (x, c as i32);
            *count += 1;
            next += 1;
        }
    }
    true
}

/// Write a sparse matrix as a dense one.
#[pyfunction]
fn mju_sparse2dense(
    res: Out<'_>,
    mat: Array,
    rownnz: IntArray,
    rowadr: IntArray,
    colind: IntArray,
) -> PyResult<()> {
    let (mut dense, nr, nc) = res.matrix("res")?;
    let values = mat.any_vector("mat")?;
    expect(nr == rownnz.len(), "#rows in res should equal size of rownnz")?;
    expect(nr == rowadr.len(), "#rows in res should equal size of rowadr")?;
    dense.fill(0.0);
    let outside =
        || PyTypeError::new_err("an element of the sparse matrix is outside of its arrays");
    for (r, (&count, &address)) in rownnz.iter().zip(rowadr.iter()).enumerate() {
        for k in 0..i64::from(count) {
            let k = usize::try_from(i64::from(address) + k).map_err(|_| outside())?;
            let column = colind.get(k).and_then(|&c| usize::try_from(c).ok());
            let column = column.filter(|&c| c < nc).ok_or_else(outside)?;
            dense[r * nc + column] = *values.get(k).ok_or_else(outside)?;
        }
    }
    res.store_matrix("res", "", (nr, nc), &dense)
}

pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(mju_sqrMatTD, m)?)?;
    m.add_function(wrap_pyfunction!(mju_cholUpdate, m)?)?;
    m.add_function(wrap_pyfunction!(mju_eig3, m)?)?;
    m.add_function(wrap_pyfunction!(mju_boxQP, m)?)?;
    m.add_function(wrap_pyfunction!(mju_dense2sparse, m)?)?;
    m.add_function(wrap_pyfunction!(mju_sparse2dense, m)?)
}
