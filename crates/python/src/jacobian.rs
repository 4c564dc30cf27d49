//! The `mj_jac*` functions.
use ferrodyn_dynamics as dynamics;
use ferrodyn_dynamics::World;
use ferrodyn_math::Real;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::args::{DataArg, Fixed, ModelArg, Out, index};

/// Compute a pair of Jacobians and store those that were asked for.
fn jacobians(
    m: &ModelArg<'_>,
    d: &DataArg<'_>,
    outputs: [(&str, Option<Out<'_>>); 2],
    compute: impl FnOnce(&ferrodyn_model::Model, &World<'_>, &mut [Real], &mut [Real]),
) -> PyResult<()> {
    let (nv, results) = d.with_world(m, |m, d| {
        let (mut first, mut second) = (vec![0.0; 3 * m.nv], vec![0.0; 3 * m.nv]);
        compute(m, d, &mut first, &mut second);
        (m.nv, [first, second])
    })?;
    for ((name, out), result) in outputs.into_iter().zip(results) {
        if let Some(out) = out {
            out.store_matrix(name, "(3, nv)", (3, nv), &result)?;
        }
    }
    Ok(())
}

/// Jacobians of a point fixed to a body.
#[pyfunction]
#[pyo3(signature = (m, d, jacp, jacr, point, body))]
fn mj_jac(
    m: ModelArg<'_>,
    d: DataArg<'_>,
    jacp: Option<Out<'_>>,
    jacr: Option<Out<'_>>,
    point: Fixed<3>,
    body: i64,
) -> PyResult<()> {
    let b = index(body, m.read()?.nbody, "body")?;
    jacobians(&m, &d, [("jacp", jacp), ("jacr", jacr)], |m, d, p, r| {
        dynamics::query::jac(m, d, Some(p), Some(r), point.vec3(), b)
    })
}

/// Time derivatives of the Jacobians of a point fixed to a body.
#[pyfunction]
#[pyo3(signature = (m, d, jacp, jacr, point, body))]
fn mj_jacDot(
    m: ModelArg<'_>,
    d: DataArg<'_>,
    jacp: Option<Out<'_>>,
    jacr: Option<Out<'_>>,
    point: Fixed<3>,
    body: i64,
) -> PyResult<()> {
    let b = index(body, m.read()?.nbody, "body")?;
    jacobians(&m, &d, [("jacp", jacp), ("jacr", jacr)], |m, d, p, r| {
        dynamics::query::jac_dot(m, d, Some(p), Some(r), point.vec3(), b)
    })
}

macro_rules! object_jacobian {
    ($doc:literal $name:ident, $id:ident, $count:ident, $run:path) => {
        #[doc = $doc]
        #[pyfunction]
        #[pyo3(signature = (m, d, jacp, jacr, $id))]
        fn $name(
            m: ModelArg<'_>,
            d: DataArg<'_>,
            jacp: Option<Out<'_>>,
            jacr: Option<Out<'_>>,
            $id: i64,
        ) -> PyResult<()> {
            let id = index($id, m.read()?.$count, stringify!($id))?;
            jacobians(&m, &d, [("jacp", jacp), ("jacr", jacr)], |m, d, p, r| {
                $run(m, d, Some(p), Some(r), id)
            })
        }
    };
}

object_jacobian!("Jacobians of the origin of a body." mj_jacBody, body, nbody, dynamics::query::jac_body);
object_jacobian!(
    "Jacobians of the centre of mass of a body."
    mj_jacBodyCom, body, nbody, dynamics::query::jac_body_com
);
object_jacobian!("Jacobians of the centre of a geom." mj_jacGeom, geom, ngeom, dynamics::query::jac_geom);
object_jacobian!("Jacobians of a site." mj_jacSite, site, nsite, dynamics::query::jac_site);

/// Jacobian of the centre of mass of a subtree.
#[pyfunction]
#[pyo3(signature = (m, d, jacp, body))]
fn mj_jacSubtreeCom(
    m: ModelArg<'_>,
    d: DataArg<'_>,
    jacp: Option<Out<'_>>,
    body: i64,
) -> PyResult<()> {
    if jacp.is_none() {
        return Err(PyTypeError::new_err("jacp should be an array"));
    }
    let b = index(body, m.read()?.nbody, "body")?;
    jacobians(&m, &d, [("jacp", jacp), ("", None)], |m, d, p, _| {
        dynamics::query::jac_subtree_com(m, d, p, b)
    })
}

/// Jacobians of a point and a direction fixed to a body.
#[pyfunction]
#[pyo3(signature = (m, d, jacPoint, jacAxis, point, axis, body))]
fn mj_jacPointAxis(
    m: ModelArg<'_>,
    d: DataArg<'_>,
    jacPoint: Option<Out<'_>>,
    jacAxis: Option<Out<'_>>,
    point: Fixed<3>,
    axis: Fixed<3>,
    body: i64,
) -> PyResult<()> {
    let b = index(body, m.read()?.nbody, "body")?;
    jacobians(&m, &d, [("jacPoint", jacPoint), ("jacAxis", jacAxis)], |m, d, p, a| {
        dynamics::query::jac_point_axis(m, d, Some(p), Some(a), point.vec3(), axis.vec3(), b)
    })
}

pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(mj_jac, m)?)?;
    m.add_function(wrap_pyfunction!(mj_jacDot, m)?)?;
    m.add_function(wrap_pyfunction!(mj_jacBody, m)?)?;
    m.add_function(wrap_pyfunction!(mj_jacBodyCom, m)?)?;
    m.add_function(wrap_pyfunction!(mj_jacGeom, m)?)?;
    m.add_function(wrap_pyfunction!(mj_jacSite, m)?)?;
    m.add_function(wrap_pyfunction!(mj_jacSubtreeCom, m)?)?;
    m.add_function(wrap_pyfunction!(mj_jacPointAxis, m)?)
}
