//! The `mju_*` functions on quaternions, rotations and poses.
use ferrodyn_math::{Quat, Real, Spatial, Vec3, transform_spatial};
use pyo3::prelude::*;

use crate::args::{Fixed, Out};
use crate::errors::FatalError;

/// Rotate a vector by a quaternion.
#[pyfunction]
fn mju_rotVecQuat(res: Out<'_>, vec: Fixed<3>, quat: Fixed<4>) -> PyResult<()> {
    res.write(quat.quat().rotate(vec.vec3()).0)
}

/// The conjugate: the opposite rotation.
#[pyfunction]
fn mju_negQuat(res: Out<'_>, quat: Fixed<4>) -> PyResult<()> {
    res.write(quat.quat().conjugate().0)
}

/// Product of two quaternions.
#[pyfunction]
fn mju_mulQuat(res: Out<'_>, quat1: Fixed<4>, quat2: Fixed<4>) -> PyResult<()> {
    res.write((quat1.quat() * quat2.quat()).0)
}

/// Product of a quaternion and an axis.
#[pyfunction]
fn mju_mulQuatAxis(res: Out<'_>, quat: Fixed<4>, axis: Fixed<3>) -> PyResult<()> {
    res.write(quat.quat().mul_axis(axis.vec3()).0)
}

/// The quaternion of a rotation about an axis of unit length.
#[pyfunction]
fn mju_axisAngle2Quat(res: Out<'_>, axis: Fixed<3>, angle: Real) -> PyResult<()> {
    res.write(Quat::from_axis_angle(axis.vec3(), angle).0)
}

/// The angular velocity that makes this rotation in time `dt`.
#[pyfunction]
fn mju_quat2Vel(res: Out<'_>, quat: Fixed<4>, dt: Real) -> PyResult<()> {
    res.write(quat.quat().to_velocity(dt).0)
}

/// The rotation from `qb` to `qa` as a vector in the frame of `qb`.
#[pyfunction]
fn mju_subQuat(res: Out<'_>, qa: Fixed<4>, qb: Fixed<4>) -> PyResult<()> {
    res.write(qa.quat().rotation_from(qb.quat()).0)
}

/// The rotation matrix of a quaternion.
#[pyfunction]
fn mju_quat2Mat(res: Out<'_>, quat: Fixed<4>) -> PyResult<()> {
    res.write(quat.quat().to_mat().0)
}

/// The quaternion of a rotation matrix.
#[pyfunction]
fn mju_mat2Quat(quat: Out<'_>, mat: Fixed<9>) -> PyResult<()> {
    quat.write(Quat::from_mat(&mat.mat3()).0)
}

/// Time derivative of a quaternion that turns with an angular velocity.
#[pyfunction]
fn mju_derivQuat(res: Out<'_>, quat: Fixed<4>, vel: Fixed<3>) -> PyResult<()> {
    res.write(quat.quat().derivative(vel.vec3()).0)
}

/// Turn a quaternion with an angular velocity for a time `scale`.
#[pyfunction]
fn mju_quatIntegrate(quat: Out<'_>, vel: Fixed<3>, scale: Real) -> PyResult<()> {
    quat.write(Quat(quat.read()?).integrate(vel.vec3(), scale).0)
}

/// The smallest rotation that takes the z axis to a direction.
#[pyfunction]
fn mju_quatZ2Vec(quat: Out<'_>, vec: Fixed<3>) -> PyResult<()> {
    quat.write(Quat::from_z_to(vec.vec3()).0)
}

/// Extract the rotation of a 3×3 matrix, starting from `quat`; returns the number of iterations.
#[pyfunction]
fn mju_mat2Rot(quat: Out<'_>, mat: Fixed<9>) -> PyResult<usize> {
    let (rotation, iterations) = Quat::rotation_of(&mat.mat3(), Quat(quat.read()?));
    quat.write(rotation.0)?;
    Ok(iterations)
}

/// The quaternion of Euler angles; lower-case letters of `seq` turn about moving axes.
#[pyfunction]
fn mju_euler2Quat(quat: Out<'_>, euler: Fixed<3>, seq: &str) -> PyResult<()> {
    if seq.chars().count() != 3 {
        return Err(FatalError::new_err("seq must contain exactly 3 characters"));
    }
    let mut q = Quat::IDENTITY;
    for (i, (angle, c)) in euler.0.iter().zip(seq.chars()).enumerate() {
        let axis = match c.to_ascii_lowercase() {
            'x' => Vec3::X,
            'y' => Vec3::Y,
            'z' => Vec3::Z,
            _ => {
                return Err(FatalError::new_err(format!(
                    "seq[{i}] is '{c}', should be one of x, y, z, X, Y, Z"
                )));
            }
        };
        let turn = Quat::from_axis_angle(axis, *angle);
        q = if c.is_ascii_lowercase() { q * turn } else { turn * q };
    }
    quat.write(q.0)
}

/// Normalize a quaternion in place; returns its length before.
#[pyfunction]
fn mju_normalize4(vec: Out<'_>) -> PyResult<Real> {
    let (unit, norm) = Quat(vec.read()?).normalize();
    vec.write(unit.0)?;
    Ok(norm)
}

/// Write the identity quaternion.
#[pyfunction]
fn mju_unit4(res: Out<'_>) -> PyResult<()> {
    res.write(Quat::IDENTITY.0)
}

/// Product of two poses.
#[pyfunction]
fn mju_mulPose(
    posres: Out<'_>,
    quatres: Out<'_>,
    pos1: Fixed<3>,
    quat1: Fixed<4>,
    pos2: Fixed<3>,
    quat2: Fixed<4>,
) -> PyResult<()> {
    quatres.write((quat1.quat() * quat2.quat()).normalize().0.0)?;
    posres.write((quat1.quat().rotate(pos2.vec3()) + pos1.vec3()).0)
}

/// The opposite pose.
#[pyfunction]
fn mju_negPose(posres: Out<'_>, quatres: Out<'_>, pos: Fixed<3>, quat: Fixed<4>) -> PyResult<()> {
    let inverse = quat.quat().conjugate();
    quatres.write(inverse.0)?;
    posres.write((inverse.rotate(pos.vec3()) * -1.0).0)
}

/// Move a point by a pose.
#[pyfunction]
fn mju_trnVecPose(res: Out<'_>, pos: Fixed<3>, quat: Fixed<4>, vec: Fixed<3>) -> PyResult<()> {
    res.write((quat.quat().rotate(vec.vec3()) + pos.vec3()).0)
}

/// Express a spatial motion or force (rotation first) about another point and in other axes.
#[pyfunction]
fn mju_transformSpatial(
    res: Out<'_>,
    vec: Fixed<6>,
    flg_force: i64,
    newpos: Fixed<3>,
    oldpos: Fixed<3>,
    rotnew2old: Fixed<9>,
) -> PyResult<()> {
    let (new, old, rot) = (newpos.vec3(), oldpos.vec3(), rotnew2old.mat3());
    res.write(transform_spatial(&Spatial(vec.0), flg_force != 0, new, old, Some(&rot)).0)
}

pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(mju_rotVecQuat, m)?)?;
    m.add_function(wrap_pyfunction!(mju_negQuat, m)?)?;
    m.add_function(wrap_pyfunction!(mju_mulQuat, m)?)?;
    m.add_function(wrap_pyfunction!(mju_mulQuatAxis, m)?)?;
    m.add_function(wrap_pyfunction!(mju_axisAngle2Quat, m)?)?;
    m.add_function(wrap_pyfunction!(mju_quat2Vel, m)?)?;
    m.add_function(wrap_pyfunction!(mju_subQuat, m)?)?;
    m.add_function(wrap_pyfunction!(mju_quat2Mat, m)?)?;
    m.add_function(wrap_pyfunction!(mju_mat2Quat, m)?)?;
    m.add_function(wrap_pyfunction!(mju_derivQuat, m)?)?;
    m.add_function(wrap_pyfunction!(mju_quatIntegrate, m)?)?;
    m.add_function(wrap_pyfunction!(mju_quatZ2Vec, m)?)?;
    m.add_function(wrap_pyfunction!(mju_mat2Rot, m)?)?;
    m.add_function(wrap_pyfunction!(mju_euler2Quat, m)?)?;
    m.add_function(wrap_pyfunction!(mju_normalize4, m)?)?;
    m.add_function(wrap_pyfunction!(mju_unit4, m)?)?;
    m.add_function(wrap_pyfunction!(mju_mulPose, m)?)?;
    m.add_function(wrap_pyfunction!(mju_negPose, m)?)?;
    m.add_function(wrap_pyfunction!(mju_trnVecPose, m)?)?;
    m.add_function(wrap_pyfunction!(mju_transformSpatial, m)?)
}
