//! The `mju_*` functions on vectors, quaternions and poses.
use ferrodyn_math::{Mat3, Quat, Vec3};
use numpy::{PyArrayDyn, PyArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

type Out<'py> = Bound<'py, PyAny>;
type In<'py> = Bound<'py, PyAny>;

/// The numbers of an array-like argument of length `N`.
pub(crate) fn read<const N: usize>(x: &Bound<'_, PyAny>) -> PyResult<[f64; N]> {
    let wrong = |n: usize| PyTypeError::new_err(format!("expected {N} numbers, got {n}"));
    if let Ok(array) = x.cast::<PyArrayDyn<f64>>() {
        let array = array.try_readonly()?;
        let values = array.as_array();
        let mut out = [0.0; N];
        if values.len() != N {
            return Err(wrong(values.len()));
        }
        for (o, v) in out.iter_mut().zip(values.iter()) {
            *o = *v;
        }
        return Ok(out);
    }
    let values: Vec<f64> = x.extract()?;
    let n = values.len();
    values.try_into().map_err(|_| wrong(n))
}

/// Write a result into a numpy array of length `N`.
pub(crate) fn write<const N: usize>(out: &Bound<'_, PyAny>, values: [f64; N]) -> PyResult<()> {
    let array = out
        .cast::<PyArrayDyn<f64>>()
        .map_err(|_| PyTypeError::new_err("the result must be a float64 numpy array"))?;
    let mut array = array.try_readwrite()?;
    let mut slots = array.as_array_mut();
    if slots.len() != N {
        return Err(PyTypeError::new_err(format!(
            "the result must have {N} elements, not {}",
            slots.len()
        )));
    }
    for (slot, v) in slots.iter_mut().zip(values) {
        *slot = v;
    }
    Ok(())
}

fn quat(x: &In<'_>) -> PyResult<Quat> {
    read(x).map(Quat)
}

fn vec3(x: &In<'_>) -> PyResult<Vec3> {
    read(x).map(Vec3)
}

#[pyfunction]
#[pyo3(name = "mju_rotVecQuat")]
fn rot_vec_quat(res: Out<'_>, vec: In<'_>, quat_: In<'_>) -> PyResult<()> {
    write(&res, quat(&quat_)?.rotate(vec3(&vec)?).0)
}

#[pyfunction]
#[pyo3(name = "mju_negQuat")]
fn neg_quat(res: Out<'_>, quat_: In<'_>) -> PyResult<()> {
    write(&res, quat(&quat_)?.conjugate().0)
}

#[pyfunction]
#[pyo3(name = "mju_mulQuat")]
fn mul_quat(res: Out<'_>, quat1: In<'_>, quat2: In<'_>) -> PyResult<()> {
    write(&res, (quat(&quat1)? * quat(&quat2)?).0)
}

#[pyfunction]
#[pyo3(name = "mju_mulQuatAxis")]
fn mul_quat_axis(res: Out<'_>, quat_: In<'_>, axis: In<'_>) -> PyResult<()> {
    write(&res, quat(&quat_)?.mul_axis(vec3(&axis)?).0)
}

#[pyfunction]
#[pyo3(name = "mju_axisAngle2Quat")]
fn axis_angle_to_quat(res: Out<'_>, axis: In<'_>, angle: f64) -> PyResult<()> {
    write(&res, Quat::from_axis_angle(vec3(&axis)?, angle).0)
}

#[pyfunction]
#[pyo3(name = "mju_quat2Vel")]
fn quat_to_vel(res: Out<'_>, quat_: In<'_>, dt: f64) -> PyResult<()> {
    write(&res, quat(&quat_)?.to_velocity(dt).0)
}

#[pyfunction]
#[pyo3(name = "mju_subQuat")]
fn sub_quat(res: Out<'_>, qa: In<'_>, qb: In<'_>) -> PyResult<()> {
    write(&res, quat(&qa)?.rotation_from(quat(&qb)?).0)
}

#[pyfunction]
#[pyo3(name = "mju_quat2Mat")]
fn quat_to_mat(res: Out<'_>, quat_: In<'_>) -> PyResult<()> {
    write(&res, quat(&quat_)?.to_mat().0)
}

#[pyfunction]
#[pyo3(name = "mju_mat2Quat")]
fn mat_to_quat(quat: Out<'_>, mat: In<'_>) -> PyResult<()> {
    write(&quat, Quat::from_mat(&Mat3(read(&mat)?)).0)
}

#[pyfunction]
#[pyo3(name = "mju_derivQuat")]
fn deriv_quat(res: Out<'_>, quat_: In<'_>, vel: In<'_>) -> PyResult<()> {
    write(&res, quat(&quat_)?.derivative(vec3(&vel)?).0)
}

#[pyfunction]
#[pyo3(name = "mju_quatIntegrate")]
fn quat_integrate(quat_: Out<'_>, vel: In<'_>, scale: f64) -> PyResult<()> {
    write(&quat_, quat(&quat_)?.integrate(vec3(&vel)?, scale).0)
}

#[pyfunction]
#[pyo3(name = "mju_quatZ2Vec")]
fn quat_z_to_vec(quat: Out<'_>, vec: In<'_>) -> PyResult<()> {
    write(&quat, Quat::from_z_to(vec3(&vec)?).0)
}

#[pyfunction]
#[pyo3(name = "mju_normalize4")]
fn normalize4(vec: Out<'_>) -> PyResult<f64> {
    let (unit, norm) = quat(&vec)?.normalize();
    write(&vec, unit.0)?;
    Ok(norm)
}

#[pyfunction]
#[pyo3(name = "mju_normalize3")]
fn normalize3(vec: Out<'_>) -> PyResult<f64> {
    let (unit, norm) = vec3(&vec)?.normalize();
    write(&vec, unit.0)?;
    Ok(norm)
}

#[pyfunction]
#[pyo3(name = "mju_cross")]
fn cross(res: Out<'_>, a: In<'_>, b: In<'_>) -> PyResult<()> {
    write(&res, vec3(&a)?.cross(vec3(&b)?).0)
}

#[pyfunction]
#[pyo3(name = "mju_mulPose")]
fn mul_pose(
    posres: Out<'_>,
    quatres: Out<'_>,
    pos1: In<'_>,
    quat1: In<'_>,
    pos2: In<'_>,
    quat2: In<'_>,
) -> PyResult<()> {
    let (p1, q1, p2, q2) = (vec3(&pos1)?, quat(&quat1)?, vec3(&pos2)?, quat(&quat2)?);
    write(&quatres, (q1 * q2).normalize().0.0)?;
    write(&posres, (q1.rotate(p2) + p1).0)
}

#[pyfunction]
#[pyo3(name = "mju_negPose")]
fn neg_pose(posres: Out<'_>, quatres: Out<'_>, pos: In<'_>, quat_: In<'_>) -> PyResult<()> {
    let (p, q) = (vec3(&pos)?, quat(&quat_)?.conjugate());
    write(&quatres, q.0)?;
    write(&posres, (q.rotate(p) * -1.0).0)
}

#[pyfunction]
#[pyo3(name = "mju_trnVecPose")]
fn trn_vec_pose(res: Out<'_>, pos: In<'_>, quat_: In<'_>, vec: In<'_>) -> PyResult<()> {
    write(&res, (quat(&quat_)?.rotate(vec3(&vec)?) + vec3(&pos)?).0)
}

#[pyfunction]
#[pyo3(name = "mju_euler2Quat")]
fn euler_to_quat(quat: Out<'_>, euler: In<'_>, seq: &str) -> PyResult<()> {
    let angles: [f64; 3] = read(&euler)?;
    if seq.len() != 3 {
        return Err(PyTypeError::new_err("seq must have exactly 3 characters"));
    }
    let mut q = Quat::IDENTITY;
    for (angle, c) in angles.iter().zip(seq.chars()) {
        let axis = match c.to_ascii_lowercase() {
            'x' => Vec3::X,
            'y' => Vec3::Y,
            'z' => Vec3::Z,
            _ => return Err(PyTypeError::new_err("seq must be made of x, y, z, X, Y, Z")),
        };
        let turn = Quat::from_axis_angle(axis, *angle);
        q = if c.is_ascii_lowercase() { q * turn } else { turn * q };
    }
    write(&quat, q.0)
}

pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(rot_vec_quat, m)?)?;
    m.add_function(wrap_pyfunction!(neg_quat, m)?)?;
    m.add_function(wrap_pyfunction!(mul_quat, m)?)?;
    m.add_function(wrap_pyfunction!(mul_quat_axis, m)?)?;
    m.add_function(wrap_pyfunction!(axis_angle_to_quat, m)?)?;
    m.add_function(wrap_pyfunction!(quat_to_vel, m)?)?;
    m.add_function(wrap_pyfunction!(sub_quat, m)?)?;
    m.add_function(wrap_pyfunction!(quat_to_mat, m)?)?;
    m.add_function(wrap_pyfunction!(mat_to_quat, m)?)?;
    m.add_function(wrap_pyfunction!(deriv_quat, m)?)?;
    m.add_function(wrap_pyfunction!(quat_integrate, m)?)?;
    m.add_function(wrap_pyfunction!(quat_z_to_vec, m)?)?;
    m.add_function(wrap_pyfunction!(normalize4, m)?)?;
    m.add_function(wrap_pyfunction!(normalize3, m)?)?;
    m.add_function(wrap_pyfunction!(cross, m)?)?;
    m.add_function(wrap_pyfunction!(mul_pose, m)?)?;
    m.add_function(wrap_pyfunction!(neg_pose, m)?)?;
    m.add_function(wrap_pyfunction!(trn_vec_pose, m)?)?;
    m.add_function(wrap_pyfunction!(euler_to_quat, m)?)
}
