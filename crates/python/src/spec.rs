//! The native specification object: elements are a type of object and a number.
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ferrodyn_mjcf::{
    EditError, Id, LoadOptions, MjcfError, Orientation, Place, StateMap, Value, WORLD,
};
use ferrodyn_model::ObjType;
use pyo3::exceptions::{PyAttributeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString, PyTuple};

use crate::args::{DataArg, ModelArg};
use crate::model::{Model, load_options};

pub(crate) type Inner = ferrodyn_mjcf::Spec;
type Assets = BTreeMap<String, Vec<u8>>;

/// A specification that Python owns.
#[pyclass(frozen, module = "ferrodyn._native")]
pub(crate) struct Spec {
    inner: Mutex<Inner>,
}

pub(crate) fn edit_error(error: EditError) -> PyErr {
    match error {
        EditError::UnknownAttribute(_) => PyAttributeError::new_err(error.to_string()),
        EditError::Value(_) => PyTypeError::new_err(error.to_string()),
        _ => PyValueError::new_err(error.to_string()),
    }
}

pub(crate) fn object(kind: i32) -> PyResult<ObjType> {
    ObjType::try_from(kind).map_err(|e| PyValueError::new_err(e.to_string()))
}

fn place(kind: i32, uid: u32) -> Place {
    if kind == ObjType::Frame as i32 {
        Place::Frame(Id::from_number(uid))
    } else {
        Place::Body(Id::from_number(uid))
    }
}

/// The value as a Python object.
fn to_python<'py>(py: Python<'py>, value: Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Int(x) => x.into_pyobject(py)?.into_any(),
        Value::Real(x) => x.into_pyobject(py)?.into_any(),
        Value::Ints(list) => PyList::new(py, list)?.into_any(),
        Value::Reals(list) => PyList::new(py, list)?.into_any(),
        Value::Text(text) => PyString::new(py, &text).into_any(),
        Value::Texts(list) => PyList::new(py, list)?.into_any(),
        Value::IntLists(lists) => PyList::new(py, lists)?.into_any(),
        Value::RealLists(lists) => PyList::new(py, lists)?.into_any(),
        Value::Bytes(bytes) => PyBytes::new(py, &bytes).into_any(),
        Value::Orientation(orientation) => {
            let (kind, numbers) = match orientation {
                Orientation::AxisAngle(x) => (1, x.to_vec()),
                Orientation::XyAxes(x) => (2, x.to_vec()),
                Orientation::ZAxis(x) => (3, x.to_vec()),
                Orientation::Euler(x) => (4, x.to_vec()),
                _ => return Err(PyValueError::new_err("unknown form of orientation")),
            };
            (kind, numbers).into_pyobject(py)?.into_any()
        }
        _ => return Err(PyValueError::new_err("unknown type of value")),
    })
}

/// The value that a Python object means.
fn from_python(object: &Bound<'_, PyAny>) -> PyResult<Value> {
    if object.is_instance_of::<PyString>() {
        return Ok(Value::Text(object.extract()?));
    }
    if let Ok(bytes) = object.cast::<PyBytes>() {
        return Ok(Value::Bytes(bytes.as_bytes().to_vec()));
    }
    if object.is_instance_of::<PyTuple>() {
        let (kind, x): (i32, Vec<f64>) = object.extract()?;
        let wrong = |_| PyTypeError::new_err("wrong number of numbers for an orientation");
        return Ok(Value::Orientation(match kind {
            1 => Orientation::AxisAngle(x.try_into().map_err(wrong)?),
            2 => Orientation::XyAxes(x.try_into().map_err(wrong)?),
            3 => Orientation::ZAxis(x.try_into().map_err(wrong)?),
            _ => Orientation::Euler(x.try_into().map_err(wrong)?),
        }));
    }
    if let Ok(x) = object.extract() {
        return Ok(Value::Int(x));
    }
    if let Ok(x) = object.extract() {
        return Ok(Value::Real(x));
    }
    if let Ok(list) = object.extract() {
        return Ok(Value::Reals(list));
    }
    if let Ok(lists) = object.extract() {
        return Ok(Value::RealLists(lists));
    }
    object.extract().map(Value::Texts)
}

fn optional(object: &Bound<'_, PyAny>) -> PyResult<Option<Value>> {
    if object.is_none() { Ok(None) } else { from_python(object).map(Some) }
}

impl Spec {
    fn new(inner: Inner) -> Spec {
        Spec { inner: Mutex::new(inner) }
    }

    /// The specification; another thread that uses it is waited for.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A copy with files in memory.
    fn with_assets(&self, assets: Option<Assets>) -> Inner {
        let mut spec = self.lock().clone();
        for (name, bytes) in assets.unwrap_or_default() {
            spec.options.assets.insert(name, Arc::from(bytes));
        }
        spec
    }
}

fn parsed(spec: Result<Inner, MjcfError>) -> PyResult<Spec> {
    spec.map(Spec::new).map_err(|e| PyValueError::new_err(e.to_string()))
}

#[pymethods]
impl Spec {
    #[new]
    fn py_new() -> Spec {
        Spec::new(Inner::new())
    }

    #[staticmethod]
    fn from_xml_string(py: Python<'_>, xml: &str, include: Option<Assets>) -> PyResult<Spec> {
        let options: LoadOptions = load_options(include);
        py.detach(|| parsed(Inner::from_xml_str(xml, &options)))
    }

    #[staticmethod]
    fn from_xml_path(py: Python<'_>, path: PathBuf, include: Option<Assets>) -> PyResult<Spec> {
        let options: LoadOptions = load_options(include);
        py.detach(|| parsed(Inner::from_xml_path(&path, &options)))
    }

    fn copy(&self) -> Spec {
        Spec::new(self.lock().clone())
    }

    fn compile(&self, py: Python<'_>, assets: Option<Assets>) -> PyResult<Model> {
        py.detach(|| Model::from_spec(&self.with_assets(assets)))
    }

    fn to_xml(&self) -> String {
        self.lock().normalized().to_xml()
    }

    /// The numbers of all elements of a type, in the order of the model.
    fn numbers(&self, kind: i32) -> PyResult<Vec<u32>> {
        Ok(self.lock().numbers(object(kind)?))
    }

    /// The numbers of the elements of a type in a body, or also in the bodies below it.
    fn inside(&self, kind: i32, body: u32, recursive: bool) -> PyResult<Vec<u32>> {
        let (spec, kind) = (self.lock(), object(kind)?);
        let lies_inside = |uid: u32| -> Result<bool, EditError> {
            let mut above = spec.parent_of(kind, uid)?;
            if kind == ObjType::Body && uid == WORLD.number() {
                return Ok(false);
            }
            while recursive && above != WORLD && above.number() != body {
                above = spec.parent_of(ObjType::Body, above.number())?;
            }
            Ok(above.number() == body)
        };
        let mut found = Vec::new();
        for uid in spec.numbers(kind) {
            if lies_inside(uid).map_err(edit_error)? {
                found.push(uid);
            }
        }
        Ok(found)
    }

    /// Adds an element of the tree to a body or frame.
    fn add_element(&self, kind: i32, place_kind: i32, place_uid: u32) -> PyResult<u32> {
        let (mut spec, place) = (self.lock(), place(place_kind, place_uid));
        let uid = match object(kind)? {
            ObjType::Body => spec.add_body(place, "", Default::default()).map(Id::number),
            ObjType::Frame => spec.add_frame(place, "", Default::default()).map(Id::number),
            ObjType::Joint => spec.add_joint(place, "", Default::default()).map(Id::number),
            ObjType::Geom => spec.add_geom(place, "", Default::default()).map(Id::number),
            ObjType::Site => spec.add_site(place, "", Default::default()).map(Id::number),
            ObjType::Camera => spec.add_camera(place, "", Default::default()).map(Id::number),
            ObjType::Light => spec.add_light(place, "", Default::default()).map(Id::number),
            _ => return Err(PyValueError::new_err("not an element of the tree")),
        };
        uid.map_err(edit_error)
    }

    fn add_freejoint(&self, body: u32) -> PyResult<u32> {
        let mut spec = self.lock();
        let place = Place::Body(Id::from_number(body));
        spec.add_freejoint(place, "", Default::default()).map(Id::number).map_err(edit_error)
    }

    /// Adds an element outside the tree.
    fn add_object(&self, kind: i32) -> PyResult<u32> {
        use ferrodyn_mjcf::ActuatorKind::General;
        use ferrodyn_model::{EqualityType::Connect, SensorType::Touch};
        let mut spec = self.lock();
        Ok(match object(kind)? {
            ObjType::Flex => spec.add_flex("", Default::default()).number(),
            ObjType::Mesh => spec.add_mesh("", Default::default()).number(),
            ObjType::Skin => spec.add_skin("", Default::default()).number(),
            ObjType::Hfield => spec.add_hfield("", Default::default()).number(),
            ObjType::Texture => spec.add_texture("", Default::default()).number(),
            ObjType::Material => spec.add_material("", Default::default()).number(),
            ObjType::Pair => spec.add_pair("", Default::default()).number(),
            ObjType::Exclude => spec.add_exclude("", Default::default()).number(),
            ObjType::Equality => spec.add_equality("", Connect, Default::default()).number(),
            ObjType::Tendon => spec.add_tendon("", Default::default(), []).number(),
            ObjType::Actuator => spec.add_actuator("", General, Default::default()).number(),
            ObjType::Sensor => spec.add_sensor("", Touch, Default::default()).number(),
            ObjType::Plugin => spec.add_plugin_instance("", "", []).number(),
            ObjType::Numeric => spec.add_numeric("", Default::default()).number(),
            ObjType::Text => spec.add_text("", Default::default()).number(),
            ObjType::Tuple => spec.add_tuple("", []).number(),
            ObjType::Key => spec.add_key("", Default::default()).number(),
            _ => return Err(PyValueError::new_err("elements of this type cannot be added")),
        })
    }

    fn remove(&self, kind: i32, uid: u32) -> PyResult<()> {
        self.lock().remove_any(object(kind)?, uid).map_err(edit_error)
    }

    fn name(&self, kind: i32, uid: u32) -> PyResult<String> {
        let spec = self.lock();
        spec.name_of(object(kind)?, uid).map(str::to_owned).map_err(edit_error)
    }

    fn set_name(&self, kind: i32, uid: u32, name: &str) -> PyResult<()> {
        self.lock().rename_any(object(kind)?, uid, name).map_err(edit_error)
    }

    /// The number of the element with a name.
    fn find(&self, kind: i32, name: &str) -> PyResult<Option<u32>> {
        Ok(self.lock().find_any(object(kind)?, name))
    }

    fn get<'py>(
        &self,
        py: Python<'py>,
        kind: i32,
        uid: u32,
        field: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let value = self.lock().attribute(object(kind)?, uid, field).map_err(edit_error)?;
        to_python(py, value)
    }

    fn set(&self, kind: i32, uid: u32, field: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let value = optional(value)?;
        self.lock().set_attribute(object(kind)?, uid, field, value).map_err(edit_error)
    }

    /// The other form of an orientation; none where it is a quaternion.
    fn orientation<'py>(
        &self,
        py: Python<'py>,
        kind: i32,
        uid: u32,
        field: &str,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        match self.lock().attribute(object(kind)?, uid, field) {
            Ok(value) => to_python(py, value).map(Some),
            Err(EditError::UnknownAttribute(_)) => Ok(None),
            Err(e) => Err(edit_error(e)),
        }
    }

    fn classes(&self) -> Vec<String> {
        self.lock().classes().into_iter().map(str::to_owned).collect()
    }

    fn add_default(&self, class: &str, parent: &str) -> PyResult<()> {
        self.lock().add_default(class, parent).map_err(edit_error)
    }

    fn class_of(&self, kind: i32, uid: u32) -> PyResult<String> {
        let spec = self.lock();
        spec.class_of(object(kind)?, uid).map(str::to_owned).map_err(edit_error)
    }

    fn set_class(&self, kind: i32, uid: u32, class: &str) -> PyResult<()> {
        self.lock().set_class(object(kind)?, uid, class).map_err(edit_error)
    }

    /// Names another class; the attributes keep their values.
    fn set_class_only(&self, kind: i32, uid: u32, class: &str) -> PyResult<()> {
        self.lock().set_class_only(object(kind)?, uid, class).map_err(edit_error)
    }

    /// The class that a body or frame names itself.
    fn childclass(&self, kind: i32, uid: u32) -> PyResult<String> {
        let spec = self.lock();
        let class = match object(kind)? {
            ObjType::Frame => {
                let id = ferrodyn_mjcf::FrameId::from_number(uid);
                spec.get(id).map(|frame| frame.childclass.clone())
            }
            _ => spec.get(ferrodyn_mjcf::BodyId::from_number(uid)).map(|b| b.childclass.clone()),
        };
        Ok(class.map_err(edit_error)?.unwrap_or_default())
    }

    fn remove_default(&self, class: &str) -> PyResult<()> {
        self.lock().remove_default(class).map_err(edit_error)
    }

    fn get_default<'py>(
        &self,
        py: Python<'py>,
        class: &str,
        kind: i32,
        field: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let value =
            self.lock().default_attribute(class, object(kind)?, field).map_err(edit_error)?;
        to_python(py, value)
    }

    fn set_default(
        &self,
        class: &str,
        kind: i32,
        field: &str,
        value: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let value = optional(value)?;
        let mut spec = self.lock();
        spec.set_default_attribute(class, object(kind)?, field, value).map_err(edit_error)
    }

    fn parent(&self, kind: i32, uid: u32) -> PyResult<u32> {
        self.lock().parent_of(object(kind)?, uid).map(Id::number).map_err(edit_error)
    }

    fn frame(&self, kind: i32, uid: u32) -> PyResult<Option<u32>> {
        let frame = self.lock().frame_of(object(kind)?, uid).map_err(edit_error)?;
        Ok(frame.map(Id::number))
    }

    fn set_frame(&self, kind: i32, uid: u32, frame: u32) -> PyResult<()> {
        let frame = Id::from_number(frame);
        self.lock().set_frame(object(kind)?, uid, frame).map_err(edit_error)
    }

    fn body_to_frame(&self, uid: u32) -> PyResult<u32> {
        self.lock().body_to_frame(Id::from_number(uid)).map(Id::number).map_err(edit_error)
    }

    fn frame_at_site(&self, uid: u32) -> PyResult<u32> {
        self.lock().frame_at_site(Id::from_number(uid)).map(Id::number).map_err(edit_error)
    }

    /// Attaches a body or a frame of a model, or all of it where `part` is none. Also returns pairs of
    /// the numbers that elements had and have.
    #[pyo3(signature = (place_kind, place_uid, child, part, prefix, suffix))]
    fn attach(
        &self,
        place_kind: i32,
        place_uid: u32,
        child: &Bound<'_, Spec>,
        part: Option<(i32, u32)>,
        prefix: &str,
        suffix: &str,
    ) -> PyResult<(u32, Vec<(u32, u32)>)> {
        // the child may be this specification itself
        let child = child.get().lock().clone();
        let part = part.map(|(kind, uid)| object(kind).map(|kind| (kind, uid))).transpose()?;
        let to = place(place_kind, place_uid);
        self.lock().attach_any(to, &child, part, prefix, suffix).map_err(edit_error)
    }

    fn activate_plugin(&self, name: &str) {
        self.lock().activate_plugin(name);
    }

    /// Carries the state of a world over to a world of a model that was compiled again. Maps are
    /// pairs of indices of joints, actuators and bodies.
    fn carry(
        &self,
        old: (ModelArg<'_>, DataArg<'_>),
        new: (ModelArg<'_>, DataArg<'_>),
        joints: Vec<(usize, usize)>,
        actuators: Vec<(usize, usize)>,
        bodies: Vec<(usize, usize)>,
    ) -> PyResult<()> {
        let mut map = StateMap::default();
        (map.joints, map.actuators, map.bodies) = (joints, actuators, bodies);
        let (old_model, from) = old.1.lock_with(&old.0)?;
        let (new_model, mut to) = new.1.lock_with(&new.0)?;
        map.carry((&old_model, &from), (&new_model, &mut to));
        Ok(())
    }

    #[getter]
    fn modelname(&self) -> String {
        self.lock().model_name.clone().unwrap_or_else(|| String::from("MuJoCo Model"))
    }

    #[setter]
    fn set_modelname(&self, name: String) {
        self.lock().model_name = Some(name);
    }

    #[getter]
    fn modelfiledir(&self) -> String {
        self.lock().directory.clone()
    }

    #[setter]
    fn set_modelfiledir(&self, directory: String) {
        self.lock().directory = directory;
    }
}

/// A value as Python gives it, for settings.
pub(crate) fn value(object: &Bound<'_, PyAny>) -> PyResult<Option<Value>> {
    optional(object)
}

/// A value as Python gets it, for settings.
pub(crate) fn python<'py>(py: Python<'py>, value: Value) -> PyResult<Bound<'py, PyAny>> {
    to_python(py, value)
}
