//! The `mj_*` functions on inertia, configurations, forces, velocities and names.
use ferrodyn_dynamics as dynamics;
use ferrodyn_math::{MIN_VAL, Real};
use ferrodyn_model::{Cone, JacobianType, ObjType, Solver};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::args::{Array, DataArg, Fixed, ModelArg, Out, index};
use crate::data::mismatch;
use crate::errors::FatalError;

/// The MuJoCo release whose numbers the engine gives.
const MUJOCO_VERSION: [i32; 3] = [3, 5, 0];

/// Id of a named object, -1 when there is none.
#[pyfunction]
fn mj_name2id(m: ModelArg<'_>, r#type: i32, name: &str) -> PyResult<i64> {
    m.name2id(r#type, name)
}

/// Name of an object, None when it has none.
#[pyfunction]
fn mj_id2name(m: ModelArg<'_>, r#type: i32, id: i64) -> PyResult<Option<String>> {
    m.id2name(r#type, id)
}

/// Inverse dynamics; without `flg_acc` the inertial term is left out.
#[pyfunction]
fn mj_rne(m: ModelArg<'_>, d: DataArg<'_>, flg_acc: i64, result: Out<'_>) -> PyResult<()> {
    let values = d.with_world(&m, |m, d| {
        let mut values = vec![0.0; m.nv];
        dynamics::force::rne(m, d, flg_acc != 0, &mut values);
        values
    })?;
    result.store("result", "nv", &values)
}

/// Write the inertia matrix `M` (`data.qM`) as a dense matrix.
#[pyfunction]
#[pyo3(signature = (m, dst, M))]
fn mj_fullM(m: ModelArg<'_>, dst: Out<'_>, M: Array) -> PyResult<()> {
    let model = m.read()?;
    let qm = M.vector("M", model.nM, "nM")?;
    let nv = model.nv;
    let mut dense = vec![0.0; nv * nv];
    dynamics::position::full_m(&model, &mut dense, &qm);
    dst.store_matrix("dst", "(nv, nv)", (nv, nv), &dense)
}

/// `res = M vec`.
#[pyfunction]
fn mj_mulM(m: ModelArg<'_>, d: DataArg<'_>, res: Out<'_>, vec: Array) -> PyResult<()> {
    let nv = m.read()?.nv;
    let vec = vec.vector("vec", nv, "nv")?;
    let mut result = vec![0.0; nv];
    d.with_world(&m, |m, d| dynamics::position::mul_m(m, d, &mut result, &vec))?;
    res.store("res", "nv", &result)
}

/// `x = M⁻¹ y`, row by row.
#[pyfunction]
fn mj_solveM(m: ModelArg<'_>, d: DataArg<'_>, x: Out<'_>, y: Array) -> PyResult<()> {
    let nv = m.read()?.nv;
    let (rows, cols) = y.matrix("y")?;
    if cols != nv {
        return Err(PyTypeError::new_err("the last dimension of y should be of size nv"));
    }
    let mut result = y.values;
    d.with_world(&m, |m, d| {
        for row in result.chunks_exact_mut(nv.max(1)) {
            dynamics::position::solve_m(m, d, row);
        }
    })?;
    x.store_matrix("x", "(n, nv)", (rows, nv), &result)
}

/// Move `qpos` with velocity `qvel` for a time `dt`.
#[pyfunction]
fn mj_integratePos(m: ModelArg<'_>, qpos: Out<'_>, qvel: Array, dt: Real) -> PyResult<()> {
    let model = m.read()?;
    let mut q = qpos.values("qpos", model.nq, "nq")?;
    dynamics::integrate::integrate_pos(&model, &mut q, &qvel.vector("qvel", model.nv, "nv")?, dt);
    qpos.store("qpos", "nq", &q)
}

/// The velocity that takes `qpos1` to `qpos2` in time `dt`.
#[pyfunction]
fn mj_differentiatePos(
    m: ModelArg<'_>,
    qvel: Out<'_>,
    dt: Real,
    qpos1: Array,
    qpos2: Array,
) -> PyResult<()> {
    let model = m.read()?;
    let q1 = qpos1.vector("qpos1", model.nq, "nq")?;
    let q2 = qpos2.vector("qpos2", model.nq, "nq")?;
    let mut v = vec![0.0; model.nv];
    dynamics::integrate::differentiate_pos(&model, &mut v, dt, &q1, &q2);
    qvel.store("qvel", "nv", &v)
}

/// Normalize all quaternions of a configuration.
#[pyfunction]
fn mj_normalizeQuat(m: ModelArg<'_>, qpos: Out<'_>) -> PyResult<()> {
    let model = m.read()?;
    let mut q = qpos.values("qpos", model.nq, "nq")?;
    dynamics::integrate::normalize_quats(&model, &mut q);
    qpos.store("qpos", "nq", &q)
}

/// Add the generalized force of a force and a torque at a point of a body.
#[pyfunction]
fn mj_applyFT(
    m: ModelArg<'_>,
    d: DataArg<'_>,
    force: Fixed<3>,
    torque: Fixed<3>,
    point: Fixed<3>,
    body: i64,
    qfrc_target: Out<'_>,
) -> PyResult<()> {
    let (b, nv) = {
        let model = m.read()?;
        (index(body, model.nbody, "body")?, model.nv)
    };
    let mut qfrc = qfrc_target.values("qfrc_target", nv, "nv")?;
    d.with_world(&m, |m, d| {
        let com = d.subtree_com[m.body_rootid[b] as usize];
        let (force, torque, point) = (force.vec3(), torque.vec3(), point.vec3());
        dynamics::query::apply_ft(m, d.cdof, com, force, torque, point, b, &mut qfrc);
    })?;
    qfrc_target.store("qfrc_target", "nv", &qfrc)
}

/// The error for kinds of objects that have no spatial frame.
pub(crate) fn no_frame(objtype: i32) -> PyErr {
    FatalError::new_err(format!("invalid object type {objtype}"))
}

/// Kind and number of an object that has a spatial frame.
pub(crate) fn framed_object(
    m: &ModelArg<'_>,
    objtype: i32,
    objid: i64,
) -> PyResult<(ObjType, usize)> {
    use ObjType::{Body, Camera, Geom, Site, XBody};
    let kind = ObjType::try_from(objtype).map_err(|_| no_frame(objtype))?;
    if !matches!(kind, Body | XBody | Geom | Site | Camera) {
        return Err(no_frame(objtype));
    }
    Ok((kind, index(objid, m.read()?.count(kind), "object")?))
}

/// Velocity of an object with a spatial frame, rotation first.
#[pyfunction]
fn mj_objectVelocity(
    m: ModelArg<'_>,
    d: DataArg<'_>,
    objtype: i32,
    objid: i64,
    res: Out<'_>,
    flg_local: i64,
) -> PyResult<()> {
    let (kind, id) = framed_object(&m, objtype, objid)?;
    let local = flg_local != 0;
    let velocity =
        d.with_world(&m, |m, d| dynamics::query::object_velocity(m, d, kind, id, local))?;
    res.write(velocity.ok_or_else(|| no_frame(objtype))?.0)
}

/// Sum of all masses.
#[pyfunction]
fn mj_getTotalmass(m: ModelArg<'_>) -> PyResult<Real> {
    Ok(total_mass(&*m.read()?))
}

fn total_mass(m: &ferrodyn_model::Model) -> Real {
    m.body_mass.iter().skip(1).sum()
}

/// Scale all masses and inertias to a total mass; call `mj_setConst` afterwards.
#[pyfunction]
fn mj_setTotalmass(m: ModelArg<'_>, newmass: Real) -> PyResult<()> {
    let mut model = m.write()?;
    let scale = (newmass / total_mass(&model).max(MIN_VAL)).max(MIN_VAL);
    model.body_mass.iter_mut().skip(1).for_each(|mass| *mass *= scale);
    model.body_inertia.iter_mut().skip(1).for_each(|inertia| *inertia = *inertia * scale);
    Ok(())
}

/// Derive all dependent constants of the model again; moves `d` to the spring reference.
#[pyfunction]
fn set_const(m: ModelArg<'_>, d: DataArg<'_>) -> PyResult<()> {
    let mut model = m.write()?;
    let mut data = d.lock()?;
    if !data.fits(&model) {
        return Err(mismatch());
    }
    // numpy sees the arrays of this model: they are filled, not replaced
    let mut derived = (**model).clone();
    dynamics::constants::set_const(&mut derived);
    model.sizes = derived.sizes.clone();
    model.stat = derived.stat.clone();
    for (to, from) in model.arrays_mut().into_iter().zip(derived.arrays()) {
        to.bytes.copy_from_slice(from.bytes);
    }
    data.qpos_mut().copy_from_slice(&model.qpos_spring);
    let mut world = data.view_mut();
    dynamics::position::kinematics(&model, &mut world);
    dynamics::position::com_pos(&model, &mut world);
    Ok(())
}

/// Is the friction cone pyramidal?
#[pyfunction]
fn mj_isPyramidal(m: ModelArg<'_>) -> PyResult<i32> {
    Ok((m.read()?.opt.cone == Cone::Pyramidal as i32) as i32)
}

/// Is the constraint Jacobian sparse?
#[pyfunction]
fn mj_isSparse(m: ModelArg<'_>) -> PyResult<i32> {
    /// From this number of degrees of freedom on, `auto` means sparse.
    const SPARSE_FROM: usize = 60;
    let model = m.read()?;
    let sparse = match JacobianType::try_from(model.opt.jacobian) {
        Ok(JacobianType::Sparse) => true,
        Ok(JacobianType::Auto) => model.nv >= SPARSE_FROM,
        _ => false,
    };
    Ok(sparse as i32)
}

/// Does the constraint solver work on the dual problem?
#[pyfunction]
fn mj_isDual(m: ModelArg<'_>) -> PyResult<i32> {
    let model = m.read()?;
    Ok((model.opt.solver == Solver::Pgs as i32 || model.opt.noslip_iterations > 0) as i32)
}

/// Version of the MuJoCo release whose numbers this engine gives, as a number.
#[pyfunction]
fn mj_version() -> i32 {
    let [major, minor, patch] = MUJOCO_VERSION;
    major * 1_000_000 + minor * 1_000 + patch
}

/// Version of the MuJoCo release whose numbers this engine gives.
#[pyfunction]
fn mj_versionString() -> String {
    MUJOCO_VERSION.map(|n| n.to_string()).join(".")
}

pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(mj_name2id, m)?)?;
    m.add_function(wrap_pyfunction!(mj_id2name, m)?)?;
    m.add_function(wrap_pyfunction!(mj_rne, m)?)?;
    m.add_function(wrap_pyfunction!(mj_fullM, m)?)?;
    m.add_function(wrap_pyfunction!(mj_mulM, m)?)?;
    m.add_function(wrap_pyfunction!(mj_solveM, m)?)?;
    m.add_function(wrap_pyfunction!(mj_integratePos, m)?)?;
    m.add_function(wrap_pyfunction!(mj_differentiatePos, m)?)?;
    m.add_function(wrap_pyfunction!(mj_normalizeQuat, m)?)?;
    m.add_function(wrap_pyfunction!(mj_applyFT, m)?)?;
    m.add_function(wrap_pyfunction!(mj_objectVelocity, m)?)?;
    m.add_function(wrap_pyfunction!(mj_getTotalmass, m)?)?;
    m.add_function(wrap_pyfunction!(mj_setTotalmass, m)?)?;
    m.add_function(wrap_pyfunction!(set_const, m)?)?;
    m.add_function(wrap_pyfunction!(mj_isPyramidal, m)?)?;
    m.add_function(wrap_pyfunction!(mj_isSparse, m)?)?;
    m.add_function(wrap_pyfunction!(mj_isDual, m)?)?;
    m.add_function(wrap_pyfunction!(mj_version, m)?)?;
    m.add_function(wrap_pyfunction!(mj_versionString, m)?)
}
