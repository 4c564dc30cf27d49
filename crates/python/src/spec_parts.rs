//! The parts of a specification that are not plain attributes: what elements refer to, paths of
//! tendons, textures of materials, plugins, tuples, settings.
use ferrodyn_mjcf::{
    ActuatorId, EqualityId, EqualityReference, InstanceId, MaterialId, MaterialSpec, PluginSpec,
    SensorId, SensorReference, TendonId, TextureLayer, Transmission, TupleId, Wrap,
};
use ferrodyn_model::{EqualityType, SensorType, TextureRole, TransmissionType};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::spec::{Spec, edit_error, object, python, value};

/// Name of the plugin, name of the instance, configuration.
type PluginParts = (String, String, Vec<(String, String)>);

fn member<T: TryFrom<i32, Error = ferrodyn_model::NotAMember>>(number: i32) -> PyResult<T> {
    T::try_from(number).map_err(|e| PyValueError::new_err(e.to_string()))
}

/// The textures of a material, one for each role.
fn textures(material: &MaterialSpec) -> Vec<String> {
    let mut names = vec![String::new(); 10];
    if let Some(color) = &material.attr.texture {
        names[TextureRole::Rgb as usize].clone_from(color);
    }
    for layer in &material.layers {
        if let Some(name) = names.get_mut(layer.role as usize) {
            name.clone_from(&layer.texture);
        }
    }
    names
}

#[pyfunction]
fn spec_transmission(spec: &Bound<'_, Spec>, uid: u32) -> PyResult<(i32, String, String, String)> {
    let id = ActuatorId::from_number(uid);
    let t = spec.get().lock().transmission(id).map_err(edit_error)?;
    Ok((t.kind as i32, t.target, t.refsite, t.slidersite))
}

#[pyfunction]
fn spec_set_transmission(
    spec: &Bound<'_, Spec>,
    uid: u32,
    kind: i32,
    target: String,
    refsite: String,
    slidersite: String,
) -> PyResult<()> {
    let mut to = Transmission::default();
    (to.kind, to.target, to.refsite) = (member::<TransmissionType>(kind)?, target, refsite);
    to.slidersite = slidersite;
    spec.get().lock().set_transmission(ActuatorId::from_number(uid), &to).map_err(edit_error)
}

#[pyfunction]
fn spec_sensor_reference(
    spec: &Bound<'_, Spec>,
    uid: u32,
) -> PyResult<(i32, i32, String, i32, String, [i32; 3])> {
    let id = SensorId::from_number(uid);
    let r = spec.get().lock().sensor_reference(id).map_err(edit_error)?;
    let (objtype, reftype) = (r.objtype as i32, r.reftype as i32);
    Ok((r.kind as i32, objtype, r.objname, reftype, r.refname, r.intprm))
}

#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "the fields of MuJoCo's struct")]
fn spec_set_sensor_reference(
    spec: &Bound<'_, Spec>,
    uid: u32,
    kind: i32,
    objtype: i32,
    objname: String,
    reftype: i32,
    refname: String,
    intprm: [i32; 3],
) -> PyResult<()> {
    let mut to = SensorReference::default();
    (to.kind, to.objtype) = (member::<SensorType>(kind)?, object(objtype)?);
    (to.reftype, to.objname, to.refname) = (object(reftype)?, objname, refname);
    to.intprm = intprm;
    spec.get().lock().set_sensor_reference(SensorId::from_number(uid), &to).map_err(edit_error)
}

#[pyfunction]
fn spec_equality_reference(
    spec: &Bound<'_, Spec>,
    uid: u32,
) -> PyResult<(i32, i32, String, String, [f64; 11])> {
    let id = EqualityId::from_number(uid);
    let r = spec.get().lock().equality_reference(id).map_err(edit_error)?;
    Ok((r.kind as i32, r.objtype as i32, r.name1, r.name2, r.data))
}

#[pyfunction]
fn spec_set_equality_reference(
    spec: &Bound<'_, Spec>,
    uid: u32,
    kind: i32,
    objtype: i32,
    name1: String,
    name2: String,
    data: [f64; 11],
) -> PyResult<()> {
    let mut to = EqualityReference::default();
    (to.kind, to.objtype) = (member::<EqualityType>(kind)?, object(objtype)?);
    (to.name1, to.name2, to.data) = (name1, name2, data);
    spec.get().lock().set_equality_reference(EqualityId::from_number(uid), &to).map_err(edit_error)
}

/// The path of a tendon: kind (MuJoCo's `mjtWrap`), name, side site, number.
#[pyfunction]
fn spec_path(spec: &Bound<'_, Spec>, uid: u32) -> PyResult<Vec<(i32, String, String, f64)>> {
    let spec = spec.get().lock();
    let tendon = &spec.get(TendonId::from_number(uid)).map_err(edit_error)?.attr;
    Ok(tendon
        .path
        .iter()
        .map(|wrap| match &wrap.part {
            Wrap::Joint { joint, coef } => (1, joint.clone(), String::new(), *coef),
            Wrap::Pulley { divisor } => (2, String::new(), String::new(), *divisor),
            Wrap::Site { site } => (3, site.clone(), String::new(), 0.0),
            Wrap::Geom { geom, sidesite } => (4, geom.clone(), sidesite.clone(), 0.0),
            _ => (0, String::new(), String::new(), 0.0),
        })
        .collect())
}

/// Adds to the path of a tendon.
#[pyfunction]
fn spec_wrap(
    spec: &Bound<'_, Spec>,
    uid: u32,
    kind: i32,
    name: String,
    sidesite: String,
    number: f64,
) -> PyResult<()> {
    let part = match kind {
        1 => Wrap::Joint { joint: name, coef: number },
        2 => Wrap::Pulley { divisor: number },
        3 => Wrap::Site { site: name },
        _ => Wrap::Geom { geom: name, sidesite },
    };
    spec.get().lock().extend_path(TendonId::from_number(uid), part).map_err(edit_error)
}

/// The textures of a material, by role.
#[pyfunction]
fn spec_textures(spec: &Bound<'_, Spec>, uid: u32) -> PyResult<Vec<String>> {
    let spec = spec.get().lock();
    spec.get(MaterialId::from_number(uid)).map(|m| textures(&m.attr)).map_err(edit_error)
}

#[pyfunction]
fn spec_set_textures(spec: &Bound<'_, Spec>, uid: u32, names: Vec<String>) -> PyResult<()> {
    let mut spec = spec.get().lock();
    let material = &mut spec.get_mut(MaterialId::from_number(uid)).map_err(edit_error)?.attr;
    material.attr.texture = None;
    material.layers.clear();
    for (role, texture) in names.into_iter().enumerate().filter(|(_, name)| !name.is_empty()) {
        let role = member::<TextureRole>(role as i32)?;
        material.layers.push(TextureLayer::new(role, texture));
    }
    Ok(())
}

/// The plugin of an element.
#[pyfunction]
fn spec_plugin(spec: &Bound<'_, Spec>, kind: i32, uid: u32) -> PyResult<Option<PluginParts>> {
    let mut spec = spec.get().lock();
    let plugin = spec.plugin_mut(object(kind)?, uid).map_err(edit_error)?;
    Ok(plugin.as_ref().map(|p| (p.plugin.clone(), p.instance.clone(), p.config.clone())))
}

#[pyfunction]
fn spec_set_plugin(
    spec: &Bound<'_, Spec>,
    kind: i32,
    uid: u32,
    parts: Option<PluginParts>,
) -> PyResult<()> {
    let mut spec = spec.get().lock();
    let slot = spec.plugin_mut(object(kind)?, uid).map_err(edit_error)?;
    *slot = parts.map(|(plugin, instance, config)| {
        let mut new = PluginSpec::default();
        (new.plugin, new.instance, new.config) = (plugin, instance, config);
        Box::new(new)
    });
    Ok(())
}

/// The plugin and the configuration of an instance.
#[pyfunction]
fn spec_instance(spec: &Bound<'_, Spec>, uid: u32) -> PyResult<(String, Vec<(String, String)>)> {
    let spec = spec.get().lock();
    let instance = &spec.get(InstanceId::from_number(uid)).map_err(edit_error)?.attr;
    Ok((instance.plugin.clone(), instance.config.clone()))
}

#[pyfunction]
fn spec_set_instance(
    spec: &Bound<'_, Spec>,
    uid: u32,
    plugin: String,
    config: Vec<(String, String)>,
) -> PyResult<()> {
    let mut spec = spec.get().lock();
    let instance = &mut spec.get_mut(InstanceId::from_number(uid)).map_err(edit_error)?.attr;
    (instance.plugin, instance.config) = (plugin, config);
    Ok(())
}

/// The objects of a tuple: types, names and numbers.
#[pyfunction]
fn spec_tuple(spec: &Bound<'_, Spec>, uid: u32) -> PyResult<Vec<(i32, String, f64)>> {
    let spec = spec.get().lock();
    let elements = &spec.get(TupleId::from_number(uid)).map_err(edit_error)?.attr;
    let parts = |e: &ferrodyn_mjcf::TupleElement| {
        let kind = e.attr.objtype.map_or(0, |kind| kind as i32);
        (kind, e.attr.objname.clone().unwrap_or_default(), e.attr.prm.unwrap_or(0.0))
    };
    Ok(elements.iter().map(parts).collect())
}

#[pyfunction]
fn spec_set_tuple(
    spec: &Bound<'_, Spec>,
    uid: u32,
    objects: Vec<(i32, String, f64)>,
) -> PyResult<()> {
    let mut list = Vec::with_capacity(objects.len());
    for (kind, name, prm) in &objects {
        list.push((object(*kind)?, name.as_str(), *prm));
    }
    spec.get().lock().set_tuple(TupleId::from_number(uid), list).map_err(edit_error)
}

/// A setting of the model; none where it is not given.
#[pyfunction]
fn spec_setting<'py>(
    spec: &Bound<'_, Spec>,
    py: Python<'py>,
    group: &str,
    field: &str,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let value = spec.get().lock().setting(group, field).map_err(edit_error)?;
    value.map(|value| python(py, value)).transpose()
}

#[pyfunction]
fn spec_set_setting(
    spec: &Bound<'_, Spec>,
    group: &str,
    field: &str,
    new: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let new = value(new)?;
    spec.get().lock().set_setting(group, field, new).map_err(edit_error)
}

pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(spec_transmission, m)?)?;
    m.add_function(wrap_pyfunction!(spec_set_transmission, m)?)?;
    m.add_function(wrap_pyfunction!(spec_sensor_reference, m)?)?;
    m.add_function(wrap_pyfunction!(spec_set_sensor_reference, m)?)?;
    m.add_function(wrap_pyfunction!(spec_equality_reference, m)?)?;
    m.add_function(wrap_pyfunction!(spec_set_equality_reference, m)?)?;
    m.add_function(wrap_pyfunction!(spec_path, m)?)?;
    m.add_function(wrap_pyfunction!(spec_wrap, m)?)?;
    m.add_function(wrap_pyfunction!(spec_textures, m)?)?;
    m.add_function(wrap_pyfunction!(spec_set_textures, m)?)?;
    m.add_function(wrap_pyfunction!(spec_plugin, m)?)?;
    m.add_function(wrap_pyfunction!(spec_set_plugin, m)?)?;
    m.add_function(wrap_pyfunction!(spec_instance, m)?)?;
    m.add_function(wrap_pyfunction!(spec_set_instance, m)?)?;
    m.add_function(wrap_pyfunction!(spec_tuple, m)?)?;
    m.add_function(wrap_pyfunction!(spec_set_tuple, m)?)?;
    m.add_function(wrap_pyfunction!(spec_setting, m)?)?;
    m.add_function(wrap_pyfunction!(spec_set_setting, m)?)?;
    Ok(())
}
