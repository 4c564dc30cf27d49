//! Rays, and distances between geoms.
use ferrodyn_dynamics as dynamics;
use ferrodyn_dynamics::contact::{RayFilter, RayHit};
use ferrodyn_dynamics::query::{FlexParts, Hit, Pose, Ray};
use ferrodyn_math::{Real, Vec3};
use ferrodyn_model::GeomType;
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::args::{Array, DataArg, Fixed, IntArray, IntOut, ModelArg, Out, index};
use crate::errors::{FatalError, step_error};

/// Number of geom groups.
const GROUPS: usize = 6;

fn filter(groups: Option<Array>, flg_static: i64, bodyexclude: i64) -> PyResult<RayFilter> {
    let groups = match groups {
        None => None,
        Some(groups) => {
            let values = groups.vector("geomgroup", GROUPS, "mjNGROUP")?;
            Some(std::array::from_fn(|i| values[i] as u8 != 0))
        }
    };
    let exclude_body = usize::try_from(bodyexclude).ok();
    Ok(RayFilter { groups, static_geoms: flg_static != 0, exclude_body })
}

/// Distance of a hit, -1 for none; its normal goes to `normal`.
fn report(hit: Option<(Real, Vec3)>, normal: Option<&Out<'_>>) -> PyResult<Real> {
    let (distance, direction) = hit.unwrap_or((-1.0, Vec3::ZERO));
    if let Some(normal) = normal {
        normal.write(direction.0)?;
    }
    Ok(distance)
}

fn parts(hit: Hit) -> (Real, Vec3) {
    (hit.distance, hit.normal)
}

/// Distance along the ray `pnt + x vec` to the nearest visible geom, -1 if there is none.
#[pyfunction]
#[pyo3(signature = (m, d, pnt, vec, geomgroup, flg_static, bodyexclude, geomid, normal=None))]
fn mj_ray(
    m: ModelArg<'_>,
    d: DataArg<'_>,
    pnt: Fixed<3>,
    vec: Fixed<3>,
    geomgroup: Option<Array>,
    flg_static: i64,
    bodyexclude: i64,
    geomid: Option<IntOut<'_>>,
    normal: Option<Out<'_>>,
) -> PyResult<Real> {
    let filter = filter(geomgroup, flg_static, bodyexclude)?;
    let hit = d
        .with_world(&m, |m, d| dynamics::contact::ray(m, d, pnt.vec3(), vec.vec3(), &filter))?
        .map_err(|e| FatalError::new_err(e.to_string()))?;
    if let Some(geomid) = &geomid {
        geomid.store("geomid", "", &[hit.map_or(-1, |h| h.geom as i32)])?;
    }
    report(hit.map(|h| (h.distance, h.normal)), normal.as_ref())
}

/// Distances along `nray` rays from one point; geoms farther than `cutoff` are ignored.
#[pyfunction]
fn mj_multiRay(
    m: ModelArg<'_>,
    d: DataArg<'_>,
    pnt: Fixed<3>,
    vec: Array,
    geomgroup: Option<Array>,
    flg_static: i64,
    bodyexclude: i64,
    geomid: IntOut<'_>,
    dist: Out<'_>,
    normal: Option<Out<'_>>,
    nray: i64,
    cutoff: Real,
) -> PyResult<()> {
    let n = usize::try_from(nray).map_err(|_| PyTypeError::new_err("nray is negative"))?;
    let filter = filter(geomgroup, flg_static, bodyexclude)?;
    let vec = vec.vector("vec", n.saturating_mul(3), "3*nray")?;
    let vecs: Vec<Vec3> = vec.as_chunks::<3>().0.iter().map(|&v| Vec3(v)).collect();
    let mut geoms = geomid.values("geomid", n, "nray")?;
    let mut distances = dist.values("dist", n, "nray")?;
    let mut normals = match &normal {
        Some(normal) => normal.values("normal", 3 * n, "3*nray")?,
        None => vec![0.0; 3 * n],
    };
    let mut hits: Vec<Option<RayHit>> = vec![None; n];
    d.with_world(&m, |m, d| {
        dynamics::contact::multi_ray(m, d, pnt.vec3(), &vecs, &filter, cutoff, &mut hits)
    })?
    .map_err(step_error)?;
    for (i, hit) in hits.iter().enumerate() {
        distances[i] = hit.map_or(-1.0, |h| h.distance);
        // of a ray without length nothing but the distance is written
        if vecs[i].dot(vecs[i]) >= ferrodyn_math::MIN_VAL {
            geoms[i] = hit.map_or(-1, |h| h.geom as i32);
            let normal = hit.map_or(Vec3::ZERO, |h| h.normal);
            normals[3 * i..3 * i + 3].copy_from_slice(&normal.0);
        }
    }
    geomid.store("geomid", "nray", &geoms)?;
    dist.store("dist", "nray", &distances)?;
    normal.map_or(Ok(()), |normal| normal.store("normal", "3*nray", &normals))
}

/// A geom that must be of a type.
fn geom_of(m: &ModelArg<'_>, geomid: i64, kind: GeomType, name: &str) -> PyResult<usize> {
    let model = m.read()?;
    let geom = index(geomid, model.ngeom, "geom")?;
    if model.geom_type[geom] == kind as i32 {
        Ok(geom)
    } else {
        Err(FatalError::new_err(format!("geom with {name} type expected")))
    }
}

/// Distance along a ray to the mesh of a geom, -1 if it is missed.
#[pyfunction]
#[pyo3(signature = (m, d, geomid, pnt, vec, normal=None))]
fn mj_rayMesh(
    m: ModelArg<'_>,
    d: DataArg<'_>,
    geomid: i64,
    pnt: Fixed<3>,
    vec: Fixed<3>,
    normal: Option<Out<'_>>,
) -> PyResult<Real> {
    let geom = geom_of(&m, geomid, GeomType::Mesh, "mesh")?;
    let ray = Ray { origin: pnt.vec3(), dir: vec.vec3() };
    let hit = d.with_world(&m, |m, d| dynamics::contact::ray_mesh(m, d, geom, &ray))?;
    report(hit.map(parts), normal.as_ref())
}

/// Distance along a ray to the height field of a geom, -1 if it is missed.
#[pyfunction]
#[pyo3(signature = (m, d, geomid, pnt, vec, normal=None))]
fn mj_rayHfield(
    m: ModelArg<'_>,
    d: DataArg<'_>,
    geomid: i64,
    pnt: Fixed<3>,
    vec: Fixed<3>,
    normal: Option<Out<'_>>,
) -> PyResult<Real> {
    let geom = geom_of(&m, geomid, GeomType::Hfield, "hfield")?;
    let ray = Ray { origin: pnt.vec3(), dir: vec.vec3() };
    let hit = d.with_world(&m, |m, d| dynamics::contact::ray_hfield(m, d, geom, &ray))?;
    report(hit.map(parts), normal.as_ref())
}

/// Distance along a ray to a flex, -1 if it is missed; the nearest vertex goes to `vertid`. The flags say what of the flex can be met.
#[pyfunction]
#[pyo3(signature = (m, d, flex_layer, flg_vert, flg_edge, flg_face, flg_skin, flexid, pnt, vec, vertid=None, normal=None))]
fn mj_rayFlex(
    m: ModelArg<'_>,
    d: DataArg<'_>,
    flex_layer: i32,
    flg_vert: u8,
    flg_edge: u8,
    flg_face: u8,
    flg_skin: u8,
    flexid: i64,
    pnt: Fixed<3>,
    vec: Fixed<3>,
    vertid: Option<IntOut<'_>>,
    normal: Option<Out<'_>>,
) -> PyResult<Real> {
    let flex = index(flexid, m.read()?.nflex, "flex")?;
    let parts = FlexParts {
        vertices: flg_vert != 0,
        edges: flg_edge != 0,
        faces: flg_face != 0,
        skin: flg_skin != 0,
        layer: flex_layer,
    };
    let ray = Ray { origin: pnt.vec3(), dir: vec.vec3() };
    let hit = d.with_world(&m, |m, d| dynamics::contact::ray_flex(m, d, flex, &parts, &ray))?;
    // a ray that misses leaves the vertex as it was
    if let (Some(vertid), Some((_, vertex))) = (&vertid, hit) {
        vertid.store("vertid", "", &[vertex as i32])?;
    }
    report(hit.map(|(hit, _)| (hit.distance, hit.normal)), normal.as_ref())
}

/// Distance along a ray to a shape that is given by its sizes, -1 if it is missed.
#[pyfunction]
#[pyo3(signature = (pos, mat, size, pnt, vec, geomtype, normal=None))]
fn mju_rayGeom(
    pos: Fixed<3>,
    mat: Fixed<9>,
    size: Fixed<3>,
    pnt: Fixed<3>,
    vec: Fixed<3>,
    geomtype: i32,
    normal: Option<Out<'_>>,
) -> PyResult<Real> {
    use GeomType::{Box, Capsule, Cylinder, Ellipsoid, Plane, Sphere};
    let kind = GeomType::try_from(geomtype).ok();
    let known = |k: &GeomType| matches!(k, Plane | Sphere | Capsule | Ellipsoid | Cylinder | Box);
    let kind = kind
        .filter(known)
        .ok_or_else(|| FatalError::new_err(format!("unexpected geom type {geomtype}")))?;
    let pose = Pose { pos: pos.vec3(), mat: mat.mat3() };
    let ray = Ray { origin: pnt.vec3(), dir: vec.vec3() };
    let hit = dynamics::contact::ray_geom(&pose, size.vec3(), kind, &ray);
    report(hit.map(parts), normal.as_ref())
}

/// Distance along a ray to triangles, -1 if they are missed, and the nearest vertex of the one that it meets. Unlike MuJoCo's,
/// it takes all triangles and vertices: ``3*nface`` integers and ``3*nvert`` numbers.
#[pyfunction]
fn mju_raySkin(
    nface: i64,
    nvert: i64,
    face: IntArray,
    vert: Array,
    pnt: Fixed<3>,
    vec: Fixed<3>,
    vertid: Option<IntOut<'_>>,
) -> PyResult<Real> {
    let count = |n: i64, name: &str| {
        let negative = |_| PyTypeError::new_err(format!("{name} is negative"));
        usize::try_from(n).map_err(negative).map(|n| n.saturating_mul(3))
    };
    let (nface, nvert) = (count(nface, "nface")?, count(nvert, "nvert")?);
    if face.len() != nface {
        let message = format!("face should be of size 3*nface = {nface}, not {}", face.len());
        return Err(PyTypeError::new_err(message));
    }
    let vert = vert.vector("vert", nvert, "3*nvert")?;
    let vertices: Vec<[f32; 3]> = vert.as_chunks().0.iter().map(|v| v.map(|x| x as f32)).collect();
    let faces = face.as_chunks().0;
    let outside = |id: &&i32| usize::try_from(**id).is_ok_and(|id| id < vertices.len());
    if let Some(id) = faces.as_flattened().iter().find(|id| !outside(id)) {
        return Err(PyIndexError::new_err(format!("there is no vertex {id}")));
    }
    let ray = Ray { origin: pnt.vec3(), dir: vec.vec3() };
    let hit = dynamics::query::ray_skin(&ray, faces, &vertices);
    // where nothing is met, the vertex stays as it is
    if let (Some(hit), Some(vertid)) = (hit, &vertid) {
        vertid.store("vertid", "", &[hit.vertex as i32])?;
    }
    Ok(hit.map_or(-1.0, |hit| hit.distance))
}

/// Vertices and normals of a skin, as the bytes of two arrays.
#[pyfunction]
fn skin_surface<'py>(
    py: Python<'py>,
    m: ModelArg<'_>,
    d: DataArg<'_>,
    skin: i64,
) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
    let (skin, count) = {
        let model = m.read()?;
        let skin = index(skin, model.nskin, "skin")?;
        (skin, model.skin_vertnum[skin] as usize)
    };
    let (mut vertices, mut normals) = (vec![[0.0_f32; 3]; count], vec![[0.0_f32; 3]; count]);
    d.with_world(&m, |m, d| {
        dynamics::query::skin_surface(m, d.xpos, d.xquat, skin, &mut vertices, &mut normals);
    })?;
    let bytes = |list: &[[f32; 3]]| PyBytes::new(py, bytemuck::cast_slice(list));
    Ok((bytes(&vertices), bytes(&normals)))
}

/// Smallest signed distance between two geoms, at most `distmax`, and the segment between them.
#[pyfunction]
fn mj_geomDistance(
    m: ModelArg<'_>,
    d: DataArg<'_>,
    geom1: i64,
    geom2: i64,
    distmax: Real,
    fromto: Option<Out<'_>>,
) -> PyResult<Real> {
    let (g1, g2) = {
        let ngeom = m.read()?.ngeom;
        (index(geom1, ngeom, "geom")?, index(geom2, ngeom, "geom")?)
    };
    if fromto.as_ref().is_some_and(|out| out.size() != 6) {
        return Err(PyTypeError::new_err("fromto should be of size 6"));
    }
    let (distance, segment) = d
        .with_world(&m, |m, d| dynamics::contact::geom_distance(m, d, g1, g2, distmax))?
        .map_err(step_error)?;
    if let Some(out) = fromto {
        let [from, to] = segment.unwrap_or([Vec3::ZERO; 2]);
        out.fill(&[from.0, to.0].concat())?;
    }
    Ok(distance)
}

/// The contacts of two geoms, as the bytes of MuJoCo's struct.
#[pyfunction]
fn geom_contacts<'py>(
    py: Python<'py>,
    m: ModelArg<'_>,
    d: DataArg<'_>,
    geom1: i64,
    geom2: i64,
    margin: Option<Real>,
) -> PyResult<Bound<'py, PyBytes>> {
    let (g1, g2) = {
        let ngeom = m.read()?.ngeom;
        (index(geom1, ngeom, "geom")?, index(geom2, ngeom, "geom")?)
    };
    let contacts = d
        .with_world(&m, |m, d| dynamics::contact::geom_contacts(m, d, g1, g2, margin))?
        .map_err(step_error)?;
    Ok(PyBytes::new(py, bytemuck::cast_slice(&contacts)))
}

pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(mj_ray, m)?)?;
    m.add_function(wrap_pyfunction!(mj_multiRay, m)?)?;
    m.add_function(wrap_pyfunction!(mj_rayMesh, m)?)?;
    m.add_function(wrap_pyfunction!(mj_rayHfield, m)?)?;
    m.add_function(wrap_pyfunction!(mj_rayFlex, m)?)?;
    m.add_function(wrap_pyfunction!(mju_rayGeom, m)?)?;
    m.add_function(wrap_pyfunction!(mju_raySkin, m)?)?;
    m.add_function(wrap_pyfunction!(skin_surface, m)?)?;
    m.add_function(wrap_pyfunction!(geom_contacts, m)?)?;
    m.add_function(wrap_pyfunction!(mj_geomDistance, m)?)
}
