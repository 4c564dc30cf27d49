//! The native model object.
use std::collections::BTreeMap;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::{
    Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard,
    TryLockError,
};

use ferrodyn_dynamics::data::Layout;
use ferrodyn_math::ScalarKind;
use ferrodyn_mjcf::{LoadOptions, MjcfError, Spec};
use ferrodyn_model::{ArrayInfo, ObjType};
use pyo3::exceptions::{PyKeyError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::views::Export;

/// A compiled model that Python owns.
///
/// Rust code reaches it through [`Model::read`] and [`Model::write`], so functions that change the
/// model and functions that run on it exclude each other. Numpy views write past that lock: Python code
/// that changes parameters in one thread while another thread steps the model is a data race, as it
/// is with MuJoCo.
#[pyclass(frozen, module = "ferrodyn._native")]
pub(crate) struct Model {
    inner: RwLock<Box<ferrodyn_model::Model>>,
    arrays: Vec<Export>,
    settings: Vec<(&'static str, Vec<Export>)>,
    /// Arrays of ids and addresses that Python can change, as they were when last found valid.
    exported_ids: Mutex<Vec<IdArray>>,
    warnings: Vec<String>,
    /// Where the arrays of its worlds lie.
    layout: OnceLock<Arc<Layout>>,
}

/// An array of integers that numpy sees.
struct IdArray {
    /// Its place among the arrays.
    index: usize,
    /// Contents that are known to be valid.
    valid: Box<[u8]>,
}

/// The model, readable and consistent.
pub(crate) struct ModelRef<'a>(RwLockReadGuard<'a, Box<ferrodyn_model::Model>>);

impl Deref for ModelRef<'_> {
    type Target = ferrodyn_model::Model;
    fn deref(&self) -> &ferrodyn_model::Model {
        &self.0
    }
}

fn in_use<T>(_: T) -> PyErr {
    PyRuntimeError::new_err("the model is in use by another thread")
}

/// Where every field of a settings struct lies.
macro_rules! settings_exports {
    ($settings:expr) => {
        $settings
            .fields_mut()
            .into_iter()
            .map(|(name, kind, cols, bytes)| {
                Export::new(ArrayInfo { name, doc: "", kind, rows: cols, cols: None }, bytes)
            })
            .collect()
    };
}

impl Model {
    fn new(model: ferrodyn_model::Model, warnings: Vec<String>) -> Model {
        let mut inner = Box::new(model);
        let arrays = inner.arrays_mut().map(|a| Export::new(a.info, a.bytes)).into();
        let settings = vec![
            ("opt", settings_exports!(inner.opt)),
            ("stat", settings_exports!(inner.stat)),
            ("global_", settings_exports!(inner.vis.global)),
            ("quality", settings_exports!(inner.vis.quality)),
            ("headlight", settings_exports!(inner.vis.headlight)),
            ("map", settings_exports!(inner.vis.map)),
            ("scale", settings_exports!(inner.vis.scale)),
            ("rgba", settings_exports!(inner.vis.rgba)),
        ];
        let inner = RwLock::new(inner);
        Model {
            inner,
            arrays,
            settings,
            exported_ids: Mutex::default(),
            warnings,
            layout: OnceLock::new(),
        }
    }

    /// Let a world of this model refer to the layout that its other worlds have.
    pub(crate) fn share_layout(&self, data: &mut ferrodyn_dynamics::OwnedWorld) {
        let layout = self.layout.get_or_init(|| data.layout().clone());
        data.share_layout(layout);
    }

    /// The model as it is, with whatever Python wrote into it.
    fn unchecked(&self) -> PyResult<ModelRef<'_>> {
        match self.inner.try_read() {
            Ok(guard) => Ok(ModelRef(guard)),
            Err(TryLockError::Poisoned(e)) => Ok(ModelRef(e.into_inner())),
            Err(e @ TryLockError::WouldBlock) => Err(in_use(e)),
        }
    }

    /// The model, for functions that run on it.
    ///
    /// An error says which id or address points nowhere, where Python wrote one.
    pub(crate) fn read(&self) -> PyResult<ModelRef<'_>> {
        let model = self.unchecked()?;
        let mut exported = self.exported_ids.lock().unwrap_or_else(PoisonError::into_inner);
        if exported.iter().any(|ids| *ids.valid != *self.array_bytes(ids.index)) {
            model.validate().map_err(|e| PyValueError::new_err(e.to_string()))?;
            for ids in exported.iter_mut() {
                ids.valid.copy_from_slice(self.array_bytes(ids.index));
            }
        }
        drop(exported);
        Ok(model)
    }

    /// The current contents of an array.
    fn array_bytes(&self, index: usize) -> &[u8] {
        // SAFETY: the arrays belong to this model, whose boxes no user of `write` replaces
        unsafe { self.arrays[index].bytes() }
    }

    /// The model, for functions that change it in place.
    ///
    /// They write the elements of its arrays; the arrays themselves stay, since numpy sees them.
    pub(crate) fn write(&self) -> PyResult<RwLockWriteGuard<'_, Box<ferrodyn_model::Model>>> {
        drop(self.read()?);
        match self.inner.try_write() {
            Ok(guard) => Ok(guard),
            Err(TryLockError::Poisoned(e)) => Ok(e.into_inner()),
            Err(e @ TryLockError::WouldBlock) => Err(in_use(e)),
        }
    }

    fn compile(spec: Result<Spec, MjcfError>) -> PyResult<Model> {
        let spec = spec.map_err(|e| PyValueError::new_err(e.to_string()))?;
        let model = Model::from_spec(&spec)?;
        *last_spec() = Some(spec);
        Ok(model)
    }

    /// Compiles a specification.
    pub(crate) fn from_spec(spec: &Spec) -> PyResult<Model> {
        let compiled = spec.compile().map_err(|e| PyValueError::new_err(e.to_string()))?;
        let warnings = compiled.warnings.iter().map(ToString::to_string).collect();
        Ok(Model::new(compiled.model, warnings))
    }
}

/// The specification of the model that was loaded last from XML.
pub(crate) fn last_spec() -> MutexGuard<'static, Option<Spec>> {
    static LAST: Mutex<Option<Spec>> = Mutex::new(None);
    LAST.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Options with files in memory.
pub(crate) fn load_options(assets: Option<BTreeMap<String, Vec<u8>>>) -> LoadOptions {
    let mut options = LoadOptions::default();
    for (name, bytes) in assets.unwrap_or_default() {
        options.assets.insert(name, Arc::from(bytes));
    }
    options
}

#[pymethods]
impl Model {
    #[staticmethod]
    fn from_xml_string(
        py: Python<'_>,
        xml: &str,
        assets: Option<BTreeMap<String, Vec<u8>>>,
    ) -> PyResult<Model> {
        let options = load_options(assets);
        py.detach(|| Model::compile(Spec::from_xml_str(xml, &options)))
    }

    #[staticmethod]
    fn from_xml_path(
        py: Python<'_>,
        path: PathBuf,
        assets: Option<BTreeMap<String, Vec<u8>>>,
    ) -> PyResult<Model> {
        let options = load_options(assets);
        py.detach(|| Model::compile(Spec::from_xml_path(&path, &options)))
    }

    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Model> {
        let model = py
            .detach(|| ferrodyn_model::Model::from_bytes(bytes))
            .map_err(|e| PyValueError::new_err(e.to_string()))?;
        Ok(Model::new(model, Vec::new()))
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.unchecked()?.to_bytes()))
    }

    fn copy(&self) -> PyResult<Model> {
        Ok(Model::new(self.read()?.clone(), self.warnings.clone()))
    }

    /// What the compiler warned about.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }

    #[getter]
    fn signature(&self) -> PyResult<u64> {
        Ok(self.unchecked()?.signature)
    }

    /// All sizes by name.
    fn sizes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        let m = self.unchecked()?;
        for (name, value, _) in m.sizes.all() {
            dict.set_item(name, value)?;
        }
        dict.set_item("njmax", m.sizes.njmax)?;
        dict.set_item("nconmax", m.sizes.nconmax)?;
        Ok(dict)
    }

    /// A numpy view of an array.
    fn array<'py>(slf: &Bound<'py, Self>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let model = slf.get();
        let index = model
            .arrays
            .iter()
            .position(|a| a.info.name == name)
            .ok_or_else(|| PyKeyError::new_err(name.to_owned()))?;
        let export = &model.arrays[index];
        if export.info.kind == ScalarKind::I32 {
            let mut ids = model.exported_ids.lock().unwrap_or_else(PoisonError::into_inner);
            if ids.iter().all(|ids| ids.index != index) {
                ids.push(IdArray { index, valid: model.array_bytes(index).into() });
            }
        }
        // SAFETY: the arrays of a model are boxed, and no user of `write` replaces the boxes; the
        // numpy array keeps the model alive
        unsafe { export.view(slf.as_any()) }
    }

    /// Views of options, statistics and visual settings, by group and name.
    fn settings<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(slf.py());
        for (group, fields) in &slf.get().settings {
            let views = PyDict::new(slf.py());
            for field in fields {
                // SAFETY: the settings lie in the boxed model, which stays where it is; the numpy
                // array keeps it alive
                views.set_item(field.info.name, unsafe { field.view(slf.as_any()) }?)?;
            }
            all.set_item(group, views)?;
        }
        Ok(all)
    }

    /// Id of a named object, -1 when there is none.
    pub(crate) fn name2id(&self, kind: i32, name: &str) -> PyResult<i64> {
        let model = self.unchecked()?;
        let id = ObjType::try_from(kind).ok().and_then(|kind| model.id(kind, name));
        Ok(id.map_or(-1, |id| id as i64))
    }

    /// Name of an object; `None` when it has none.
    pub(crate) fn id2name(&self, kind: i32, id: i64) -> PyResult<Option<String>> {
        let model = self.unchecked()?;
        let (Ok(kind), Ok(id)) = (ObjType::try_from(kind), usize::try_from(id)) else {
            return Ok(None);
        };
        Ok(model.name(kind, id).map(str::to_owned))
    }

    /// Number of objects of a kind.
    fn count(&self, kind: i32) -> PyResult<usize> {
        let model = self.unchecked()?;
        Ok(ObjType::try_from(kind).map_or(0, |kind| model.count(kind)))
    }
}
