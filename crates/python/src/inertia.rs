//! The `mj_*` functions on products with the inertia matrix and the constraint Jacobian, on frames and contacts.
use ferrodyn_dynamics as dynamics;
use ferrodyn_dynamics::constants::{LengthRangeMode, LengthRangeOptions};
use ferrodyn_math::Real;
use ferrodyn_model::Contact;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::args::{Array, DataArg, Fixed, IntOut, ModelArg, Out, index};
use crate::errors::{FatalError, step_error};
use crate::model::last_spec;

/// `res = √D L vec`, where `M = Lᵀ D L`.
#[pyfunction]
fn mj_mulM2(m: ModelArg<'_>, d: DataArg<'_>, res: Out<'_>, vec: Array) -> PyResult<()> {
    let nv = m.read()?.nv;
    let vec = vec.vector("vec", nv, "nv")?;
    let mut result = vec![0.0; nv];
    d.with_world(&m, |m, d| dynamics::position::mul_m_half(m, d, &mut result, &vec))?;
    res.store("res", "nv", &result)
}

/// `x = D^-½ L⁻ᵀ y`, row by row.
#[pyfunction]
#[pyo3(signature = (m, d, x, y, sqrtInvD))]
fn mj_solveM2(
    m: ModelArg<'_>,
    d: DataArg<'_>,
    x: Out<'_>,
    y: Array,
    sqrtInvD: Array,
) -> PyResult<()> {
    let nv = m.read()?.nv;
    let (rows, cols) = y.matrix("y")?;
    if cols != nv {
        return Err(PyTypeError::new_err("the last dimension of y should be of size nv"));
    }
    if sqrtInvD.values.len() != nv {
        return Err(PyTypeError::new_err("the size of sqrtInvD should be nv"));
    }
    let mut result = y.values;
    d.with_world(&m, |m, d| {
        for row in result.chunks_exact_mut(nv.max(1)) {
            dynamics::position::solve_m_half(m, d, row, &sqrtInvD.values);
        }
    })?;
    x.store_matrix("x", "(n, nv)", (rows, nv), &result)
}

/// Add the inertia matrix to a sparse matrix: rows with ascending columns, in which new ones find room.
#[pyfunction]
fn mj_addM(
    m: ModelArg<'_>,
    d: DataArg<'_>,
    dst: Out<'_>,
    rownnz: IntOut<'_>,
    rowadr: IntOut<'_>,
    colind: IntOut<'_>,
) -> PyResult<()> {
    let (nv, size) = {
        let model = m.read()?;
        (model.nv, model.nM)
    };
    let mut values = dst.values("dst", size, "nM")?;
    let mut counts = rownnz.values("rownnz", nv, "nv")?;
    let starts = rowadr.values("rowadr", nv, "nv")?;
    let mut columns = colind.values("colind", size, "nM")?;
    d.with_world(&m, |m, d| {
        for i in 0..m.nv {
            let own = m.M_rowadr[i] as usize..(m.M_rowadr[i] + m.M_rownnz[i]) as usize;
            let start = usize::try_from(starts[i]).map_err(|_| row_error(i))?;
            let old = start..start.saturating_add(counts[i].max(0) as usize);
            let pairs =
                columns.get(old.clone()).zip(values.get(old)).ok_or_else(|| row_error(i))?;
            let mut row: Vec<(i32, Real)> =
                pairs.0.iter().copied().zip(pairs.1.iter().copied()).collect();
            for k in own {
                match row.binary_search_by_key(&m.M_colind[k], |entry| entry.0) {
                    Ok(at) => row[at].1 += d.M[k],
                    Err(at) => row.insert(at, (m.M_colind[k], d.M[k])),
                }
            }
            let new = start..start + row.len();
            let (columns, values) = columns
                .get_mut(new.clone())
                .zip(values.get_mut(new))
                .ok_or_else(|| row_error(i))?;
            for (k, (column, value)) in row.iter().enumerate() {
                (columns[k], values[k]) = (*column, *value);
            }
            counts[i] = row.len() as i32;
        }
        Ok::<(), PyErr>(())
    })??;
    dst.store("dst", "nM", &values)?;
    rownnz.store("rownnz", "nv", &counts)?;
    colind.store("colind", "nM", &columns)
}

fn row_error(row: usize) -> PyErr {
    PyValueError::new_err(format!("row {row} does not lie within dst"))
}

/// `res = J vec`, with the constraint Jacobian.
#[pyfunction]
fn mj_mulJacVec(m: ModelArg<'_>, d: DataArg<'_>, res: Out<'_>, vec: Array) -> PyResult<()> {
    let vec = vec.vector("vec", m.read()?.nv, "nv")?;
    let result = d.with_world(&m, |m, d| {
        let mut result = vec![0.0; d.nefc()];
        dynamics::constraint::mul_jac_vec(m, &d.work, &mut result, &vec);
        result
    })?;
    res.store("res", "nefc", &result)
}

/// `res = Jᵀ vec`, with the constraint Jacobian.
#[pyfunction]
fn mj_mulJacTVec(m: ModelArg<'_>, d: DataArg<'_>, res: Out<'_>, vec: Array) -> PyResult<()> {
    let rows = d.with_world(&m, |_, d| d.nefc())?;
    let vec = vec.vector("vec", rows, "nefc")?;
    let result = d.with_world(&m, |m, d| {
        let mut result = vec![0.0; m.nv];
        dynamics::constraint::mul_jac_transposed(m, &d.work, &mut result, &vec);
        result
    })?;
    res.store("res", "nv", &result)
}

/// The matrix that takes velocities to the angular momentum of a subtree.
#[pyfunction]
fn mj_angmomMat(m: ModelArg<'_>, d: DataArg<'_>, mat: Out<'_>, body: i64) -> PyResult<()> {
    let (b, nv) = {
        let model = m.read()?;
        (index(body, model.nbody, "body")?, model.nv)
    };
    let mut result = vec![0.0; 3 * nv];
    d.with_world(&m, |m, d| dynamics::position::angular_momentum_matrix(m, d, &mut result, b))?;
    mat.store_matrix("mat", "(3, nv)", (3, nv), &result)
}

// values of `mjtSameFrame`
const BODY: i64 = 1;
const INERTIA: i64 = 2;
const BODY_ROTATION: i64 = 3;
const INERTIA_ROTATION: i64 = 4;

/// Global position and orientation of a frame given in a body, or of the body or its inertia as `sameframe` says.
#[pyfunction]
fn mj_local2Global(
    d: DataArg<'_>,
    xpos: Out<'_>,
    xmat: Out<'_>,
    pos: Fixed<3>,
    quat: Fixed<4>,
    body: i64,
    sameframe: i64,
) -> PyResult<()> {
    let (position, orientation) = {
        let data = d.lock()?;
        let b = index(body, data.sizes().nbody, "body")?;
        let position = match sameframe {
            BODY => data.xpos()[b],
            INERTIA => data.xipos()[b],
            _ => &data.xmat()[b] * pos.vec3() + data.xpos()[b],
        };
        let orientation = match sameframe {
            BODY | BODY_ROTATION => data.xmat()[b],
            INERTIA | INERTIA_ROTATION => data.ximat()[b],
            _ => (data.xquat()[b] * quat.quat()).to_mat(),
        };
        (position, orientation)
    };
    xpos.write(position.0)?;
    xmat.write(orientation.0)
}

/// Add a contact, given as the bytes of MuJoCo's struct.
#[pyfunction]
fn add_contact(m: ModelArg<'_>, d: DataArg<'_>, bytes: &[u8]) -> PyResult<()> {
    let contact: Contact = bytemuck::try_pod_read_unaligned(bytes)
        .map_err(|_| PyTypeError::new_err("expected an MjContact"))?;
    if d.with_world(&m, |m, d| dynamics::constraint::add_contact(m, d, &contact))?
        .map_err(step_error)?
    {
        Ok(())
    } else {
        Err(FatalError::new_err("mj_addContact: no such geoms, or no such dimension"))
    }
}

/// Find the length range of an actuator, with the values of an `MjLROpt`.
#[pyfunction]
fn set_length_range(
    m: ModelArg<'_>,
    d: DataArg<'_>,
    id: i64,
    flags: [i64; 3],
    values: [Real; 7],
) -> PyResult<()> {
    let mut model = m.write()?;
    if !d.lock()?.fits(&model) {
        return Err(crate::data::mismatch());
    }
    let actuator = index(id, model.nu, "actuator")?;
    let [mode, use_existing, use_limit] = flags;
    let [accel, max_force, timeconst, timestep, total, interval, tolerance] = values;
    let options = LengthRangeOptions {
        mode: match mode {
            0 => LengthRangeMode::None,
            1 => LengthRangeMode::Muscle,
            2 => LengthRangeMode::MuscleUser,
            _ => LengthRangeMode::All,
        },
        use_existing: use_existing != 0,
        use_limit: use_limit != 0,
        accel,
        max_force,
        timeconst,
        timestep,
        total,
        interval,
        tolerance,
    };
    dynamics::constants::set_length_range(&mut model, actuator, &options)
        .map_err(|e| FatalError::new_err(e.to_string()))
}

/// The MJCF text of the model that was loaded last, with the parameters of a model.
#[pyfunction]
fn last_xml(m: ModelArg<'_>) -> PyResult<String> {
    let fatal = |text: String| FatalError::new_err(text);
    let mut spec = last_spec().clone().ok_or_else(|| fatal("no XML model was loaded".into()))?;
    spec.copy_back(&*m.read()?).map_err(|e| fatal(e.to_string()))?;
    Ok(spec.to_xml())
}

pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(mj_mulM2, m)?)?;
    m.add_function(wrap_pyfunction!(mj_solveM2, m)?)?;
    m.add_function(wrap_pyfunction!(mj_addM, m)?)?;
    m.add_function(wrap_pyfunction!(mj_mulJacVec, m)?)?;
    m.add_function(wrap_pyfunction!(mj_mulJacTVec, m)?)?;
    m.add_function(wrap_pyfunction!(mj_angmomMat, m)?)?;
    m.add_function(wrap_pyfunction!(mj_local2Global, m)?)?;
    m.add_function(wrap_pyfunction!(add_contact, m)?)?;
    m.add_function(wrap_pyfunction!(set_length_range, m)?)?;
    m.add_function(wrap_pyfunction!(last_xml, m)?)
}
